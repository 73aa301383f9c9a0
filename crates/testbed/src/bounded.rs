//! Programs that a test runs, each with a time limit.
//!
//! Output goes to files in memory rather than pipes, because reading a pipe that a grandchild holds open would never
//! end. The program is the leader of a process group, and the whole group is killed when the limit is exceeded. Signals
//! have their default actions: a shell starts background jobs with SIGINT and SIGQUIT ignored, and children inherit
//! this.

use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// Time limit of a tool (mkfs, losetup, fio on a small file), far more than the tool needs even on a loaded machine.
pub const TOOL_LIMIT: Duration = Duration::from_secs(60);

/// Interval at which the state of a child is polled.
const POLL: Duration = Duration::from_millis(1);

/// Highest signal number with an action.
const SIGNALS: i32 = 64;

/// Methods that wait for a [`Command`] with a time limit.
pub trait Bounded {
    /// Runs the command to its end without input. Returns the status and all output.
    ///
    /// # Errors
    /// The command cannot be started, or it was killed after `limit` ([`io::ErrorKind::TimedOut`]).
    fn output_within(&mut self, limit: Duration) -> io::Result<Output>;

    /// Runs the command like [`Bounded::output_within`], with `input` on its standard input.
    ///
    /// # Errors
    /// The same as those of [`Bounded::output_within`].
    fn output_of_input(&mut self, input: &[u8], limit: Duration) -> io::Result<Output>;

    /// Makes the child start as the leader of a process group, with the default action for every signal and no signal
    /// blocked.
    fn with_default_signals(&mut self) -> &mut Command;
}

impl Bounded for Command {
    fn output_within(&mut self, limit: Duration) -> io::Result<Output> {
        self.stdin(Stdio::null());
        collect(self, limit)
    }

    fn output_of_input(&mut self, input: &[u8], limit: Duration) -> io::Result<Output> {
        let mut file = memory("input")?;
        file.write_all(input)?;
        file.rewind()?;
        self.stdin(file);
        collect(self, limit)
    }

    fn with_default_signals(&mut self) -> &mut Command {
        let reset = || {
            // SAFETY: signal, sigemptyset and sigprocmask are async-signal-safe; the set is a local that sigemptyset
            // initializes. KILL, STOP and those that libc keeps for itself refuse, which changes nothing.
            unsafe {
                for signal in 1..=SIGNALS {
                    libc::signal(signal, libc::SIG_DFL);
                }
                let mut none: libc::sigset_t = std::mem::zeroed();
                libc::sigemptyset(&raw mut none);
                libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
            }
            Ok(())
        };
        // SAFETY: between fork and exec only the calls above are made.
        unsafe { self.pre_exec(reset) }.process_group(0)
    }
}

/// Waits for `child`; after `limit` its process group is killed.
///
/// # Errors
/// The child was killed after `limit` ([`io::ErrorKind::TimedOut`]).
pub fn wait_within(child: &mut Child, limit: Duration) -> io::Result<ExitStatus> {
    let end = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() > end {
            kill(child);
            return Err(io::Error::new(io::ErrorKind::TimedOut, format!("still running after {limit:?}")));
        }
        std::thread::sleep(POLL);
    }
}

/// Kills `child` and, if it leads a process group, the whole group. Waits a few seconds for its end, because a process
/// that hangs in the kernel does not end.
pub fn kill(child: &mut Child) {
    kill_group(child.id());
    let _ = child.kill();
    let end = Instant::now() + Duration::from_secs(5);
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < end {
        std::thread::sleep(POLL);
    }
}

/// Kills the process group led by the process `leader`, if there is one, and its descendants in other sessions: fio
/// makes each of its jobs the leader of one.
pub(crate) fn kill_group(leader: u32) {
    let mut descendants = children(leader);
    let mut seen = 0;
    while let Some(pid) = descendants.get(seen).copied() {
        descendants.extend(children(pid));
        seen += 1;
    }
    for pid in descendants {
        // SAFETY: kill takes two integers. The process was a descendant of the leader a moment ago.
        unsafe { libc::kill(pid as libc::pid_t, libc::SIGKILL) };
    }
    // SAFETY: getpgid and kill take integers. The caller has not reaped the leader, so the number is still its own.
    unsafe {
        let leader = leader as libc::pid_t;
        if libc::getpgid(leader) == leader {
            libc::kill(-leader, libc::SIGKILL);
        }
    }
}

/// Returns the child processes of a process.
fn children(parent: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    // The fields behind the name, which may contain spaces and parentheses, are the state and the parent.
    let parent_of = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

/// Joins `thread` if it ends within `limit`. Returns false, and leaves the thread running, if it does not.
pub fn join_within(thread: std::thread::JoinHandle<()>, limit: Duration) -> bool {
    let end = Instant::now() + limit;
    while !thread.is_finished() {
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(POLL);
    }
    thread.join().is_ok()
}

fn memory(name: &str) -> io::Result<File> {
    Ok(File::from(memfd_create(name, MemfdFlags::CLOEXEC)?))
}

fn collect(command: &mut Command, limit: Duration) -> io::Result<Output> {
    let (mut out, mut err) = (memory("stdout")?, memory("stderr")?);
    command.stdout(out.try_clone()?).stderr(err.try_clone()?);
    let mut child = command.with_default_signals().spawn()?;
    let ended = wait_within(&mut child, limit);
    let (stdout, stderr) = (all(&mut out)?, all(&mut err)?);
    match ended {
        Ok(status) => Ok(Output { status, stdout, stderr }),
        Err(e) => Err(io::Error::new(
            e.kind(),
            format!(
                "{command:?}: {e}\n{}{}",
                String::from_utf8_lossy(&stdout),
                String::from_utf8_lossy(&stderr)
            ),
        )),
    }
}

fn all(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_child_in_a_session_of_its_own_is_killed_too() {
        let dir = std::env::temp_dir().join(format!("fathom-test-session-{}", std::process::id()));
        let error = Command::new("sh")
            .args(["-c", "setsid sh -c 'echo $$ > \"$0\"; sleep 60' \"$0\" & wait"])
            .arg(&dir)
            .output_within(Duration::from_millis(500))
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let pid = std::fs::read_to_string(&dir).unwrap();
        std::fs::remove_file(&dir).unwrap();
        let state = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let end = Instant::now() + Duration::from_secs(5);
        while state(pid.trim()).contains(") S") && Instant::now() < end {
            std::thread::sleep(POLL);
        }
        assert!(!state(pid.trim()).contains(") S"), "{pid} still runs");
    }

    #[test]
    fn output_of_a_program_that_leaves_a_grandchild_behind_comes_at_once() {
        let began = Instant::now();
        let out = Command::new("sh")
            .args(["-c", "cat; echo err >&2; sleep 20 & exit 3"])
            .output_of_input(b"in", TOOL_LIMIT)
            .unwrap();
        assert_eq!(
            (out.status.code(), &out.stdout[..], &out.stderr[..]),
            (Some(3), &b"in"[..], &b"err\n"[..])
        );
        assert!(began.elapsed() < Duration::from_secs(10));
        let error = Command::new("sh")
            .args(["-c", "echo before; sleep 60"])
            .output_within(Duration::from_millis(200))
            .unwrap_err();
        assert!(error.kind() == io::ErrorKind::TimedOut && error.to_string().contains("before"), "{error}");
        assert!(began.elapsed() < Duration::from_secs(20));
    }

    /// Tests that a child does not inherit ignored signals: a test of signals would wait for ever in CI.
    #[test]
    fn ignored_signals_have_their_default_action_in_children() {
        let inner = "exec 2>/dev/null; kill -INT $$; echo ignored";
        // A shell that ignores SIGINT starts the child as CI does.
        let out = Command::new("sh").args(["-c", inner]).output_within(TOOL_LIMIT).unwrap();
        assert!(!out.status.success() && out.stdout.is_empty(), "{out:?}");
        let fields =
            Command::new("grep").args(["-E", "Sig(Ign|Blk)", "/proc/self/status"]).output_within(TOOL_LIMIT);
        let text = String::from_utf8(fields.unwrap().stdout).unwrap();
        // 32 and 33 are the C library's own.
        let masks: Vec<u64> =
            text.lines().filter_map(|l| u64::from_str_radix(l.split_whitespace().last()?, 16).ok()).collect();
        assert!(masks.len() == 2 && masks.iter().all(|mask| mask & !(3 << 31) == 0), "{text}");
    }

    /// Tests that no test waits for a child without a limit, because such a wait blocks CI until its own time limit.
    #[test]
    fn no_test_source_waits_for_a_child_without_a_limit() {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files = vec![];
        let mut places = vec![top.join("testbed/src"), top.join("cli/tests")];
        while let Some(place) = places.pop() {
            for entry in std::fs::read_dir(place).unwrap().flatten() {
                if entry.path().is_dir() {
                    places.push(entry.path());
                } else if entry.path().extension().is_some_and(|e| e == "rs") {
                    files.push(entry.path());
                }
            }
        }
        assert!(files.len() > 40, "{files:?}");
        let endless = [".outp\u{75}t()", ".stat\u{75}s()", ".wa\u{69}t()", ".wa\u{69}t_with_output()"];
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for (number, line) in text.lines().enumerate() {
                let found = endless.iter().find(|call| line.contains(*call));
                assert!(found.is_none(), "{}:{}: {line}: use testbed::Bounded", file.display(), number + 1);
            }
        }
    }
}
