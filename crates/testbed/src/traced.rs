//! Programs under strace: the system calls of a program's first thread, and a signal or an error injected at one of
//! them.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// System call of a traced program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name of the system call.
    pub name: String,
    /// Ordinal of the call among those of this name, from 1.
    pub nth: u64,
    /// Line of strace's log, with arguments and result.
    pub line: String,
}

/// Signal or error that strace injects into a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The program receives the signal with this number.
    Signal(i32),
    /// The program receives the signal with this number, and again at the next call of the same name.
    SignalTwice(i32),
    /// The call fails with this error, in strace's notation (`ENOSPC`), and so do all later calls of the same name,
    /// except for `write`.
    Errors(&'static str),
}

/// Signal or error, and the call at which strace injects it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Signal or error that is injected.
    pub event: Event,
    /// Name of the call at which the event is injected, and its ordinal among the calls of this name, from 1.
    pub at: (String, u64),
}

/// Returns the command that runs `program` under strace, which writes to `log`. The process that is started becomes the
/// program, so its exit status is the program's. Only the first thread is traced.
pub fn command(program: &Path, log: &Path, moment: Option<&Moment>) -> Command {
    let mut command = Command::new("strace");
    // -D: the tracer is a grandchild. -s: enough characters of a path to identify it.
    command.args(["-D", "-qq", "-y", "-s", "120", "-o"]).arg(log);
    if let Some(Moment { event, at: (name, nth) }) = moment {
        let injected = match event {
            Event::Signal(signal) => format!("signal={signal}:when={nth}"),
            Event::SignalTwice(signal) => format!("signal={signal}:when={nth}..{}", nth + 1),
            // Later writes are also those to standard error.
            Event::Errors(errno) if name == "write" => format!("error={errno}:when={nth}"),
            Event::Errors(errno) => format!("error={errno}:when={nth}+"),
        };
        command.args([
            "-e",
            &format!("trace={name},rt_sigaction"),
            "-e",
            &format!("inject={name}:{injected}"),
        ]);
    }
    command.arg(program);
    command
}

/// Parsed log of strace.
#[derive(Debug)]
pub struct Log {
    /// The calls of the first thread.
    pub calls: Vec<Call>,
    /// Names of the received signals.
    pub signals: Vec<String>,
    /// Whether the first signal already had a handler.
    pub handled: bool,
    /// Whether the handler of SIGTERM was installed when the first signal came.
    pub watched: bool,
    /// Number of calls with an injected error.
    pub failed: usize,
}

impl Log {
    /// Reads the log at `path`.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn read(path: &PathBuf) -> io::Result<Log> {
        let bytes = std::fs::read(path)?;
        let mut log =
            Log { calls: Vec::new(), signals: Vec::new(), handled: false, watched: false, failed: 0 };
        let mut counts = std::collections::HashMap::<String, u64>::new();
        for line in String::from_utf8_lossy(&bytes).lines() {
            if let Some(rest) = line.strip_prefix("--- ") {
                let name = rest.split(' ').next().unwrap_or_default();
                // strace also prints stops, and signals from other processes.
                if !rest.contains('{') || !rest.contains("SI_KERNEL") {
                    continue;
                }
                if log.signals.is_empty() {
                    let has = |name: &str| {
                        let handler = format!("rt_sigaction({name}, {{sa_handler=0x");
                        log.calls.iter().any(|call| call.line.starts_with(&handler))
                    };
                    (log.handled, log.watched) = (has(name), has("SIGTERM"));
                }
                log.signals.push(name.into());
            } else if let Some((name, _)) = line.split_once('(').filter(|_| !line.starts_with("+++")) {
                log.failed += usize::from(line.ends_with("(INJECTED)"));
                let count = counts.entry(name.into()).or_default();
                *count += 1;
                log.calls.push(Call { name: name.into(), nth: *count, line: line.into() });
            }
        }
        Ok(log)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Need, Sandbox, child, skip_without};
    use std::time::Duration;

    #[test]
    fn a_signal_comes_at_the_call_that_was_asked_for() {
        skip_without!(Need::Program("strace"));
        let sandbox = Sandbox::new().unwrap();
        let log = sandbox.join("log");
        let limit = Duration::from_secs(20);
        let ran = child::run(command(Path::new("cat"), &log, None).arg("/dev/null"), limit).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let calls = Log::read(&log).unwrap().calls;
        let open =
            calls.iter().find(|call| call.name == "openat" && call.line.contains("/dev/null\"")).unwrap();
        let late = calls.iter().find(|call| call.name == "openat" && call.nth == open.nth).unwrap();
        assert_eq!(open, late);
        let moment = Moment { event: Event::Signal(libc::SIGTERM), at: (open.name.clone(), open.nth) };
        let ran = child::run(command(Path::new("cat"), &log, Some(&moment)).arg("/dev/null"), limit).unwrap();
        assert_eq!(ran.signal, Some(libc::SIGTERM), "{ran:?}");
        let failing = Moment { event: Event::Errors("ENOSPC"), ..moment };
        let other = sandbox.join("other");
        let mut cat = command(Path::new("cat"), &other, Some(&failing));
        let ran = child::run(cat.arg("/dev/null"), limit).unwrap();
        assert!(ran.code == Some(1) && ran.stderr.contains("No space left"), "{ran:?}");
        let log = Log::read(&log).unwrap();
        assert_eq!((log.signals.len(), log.handled), (1, false), "{log:?}");
        assert!(log.calls.iter().filter(|call| call.name == "openat").count() as u64 <= open.nth);
    }
}
