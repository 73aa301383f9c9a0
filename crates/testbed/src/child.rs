//! Programs under test: their output, exit status, and resource usage as reported by the kernel.
use crate::Sandbox;
use crate::bounded::{Bounded, kill, kill_group};
use std::fs::File;
use std::io;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Environment variable for the directory of user data (XDG Base Directory Specification).
pub const DATA_HOME: &str = "XDG_DATA_HOME";
/// Environment variable that overrides every other choice of the locale.
pub const LOCALE: &str = "LC_ALL";

/// Longest wait for a program after it was killed.
const UNKILLABLE: Duration = Duration::from_secs(20);

/// Output, exit and cost of a program that has ended.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Exit status; `None` if a signal ended the program.
    pub code: Option<i32>,
    /// Number of the signal that ended the program; `None` if it exited.
    pub signal: Option<i32>,
    /// Text on standard output until the end.
    pub stdout: String,
    /// Text on standard error.
    pub stderr: String,
    /// Time from start to end.
    pub wall: Duration,
    /// User time of all threads.
    pub user: Duration,
    /// System time of all threads.
    pub system: Duration,
    /// Largest resident memory, KiB.
    pub peak_rss_kib: u64,
    /// Whether the program was killed because it exceeded the time limit.
    pub overran: bool,
}

/// A running program; killed on drop.
#[derive(Debug)]
pub struct Running {
    child: Option<Child>,
    started: Instant,
    out: Sandbox,
    _home: Option<Sandbox>,
}

impl Running {
    /// Starts `command` without input, its output in files, because a pipe without a reader would block it. Unless the
    /// command sets one, its data directory is a temporary one, so that results of tests do not go to the user's store.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Running> {
        let out = Sandbox::new()?;
        command.stdin(Stdio::null());
        // The output must not depend on the locale of the terminal in which the tests run.
        if !command.get_envs().any(|(name, _)| name == LOCALE) {
            command.env(LOCALE, "C");
        }
        let home = if command.get_envs().any(|(name, _)| name == DATA_HOME) {
            None
        } else {
            // The data directory is in memory, so that no sync of a store waits for a disk that a test keeps busy.
            let home = Sandbox::in_memory()?;
            command.env(DATA_HOME, home.path());
            Some(home)
        };
        command.stdout(File::create(out.join("stdout"))?).stderr(File::create(out.join("stderr"))?);
        let started = Instant::now();
        Ok(Running { child: Some(command.with_default_signals().spawn()?), started, out, _home: home })
    }

    /// Returns the process id, valid until the program is waited for.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }

    /// Sends the signal with this number to the program; errors are ignored.
    pub fn signal(&self, signal: i32) {
        if let Some(child) = &self.child {
            // SAFETY: kill takes two integers; the child is not reaped yet, so the pid is still its own.
            unsafe {
                libc::kill(child.id() as libc::pid_t, signal);
            }
        }
    }

    /// Returns the standard output so far.
    pub fn stdout_so_far(&self) -> String {
        read(&self.out, "stdout")
    }

    /// Returns the standard error so far.
    pub fn stderr_so_far(&self) -> String {
        read(&self.out, "stderr")
    }

    /// Waits for the end of the program, which is killed after `limit`.
    ///
    /// # Errors
    /// The program cannot be waited for.
    pub fn finish(mut self, limit: Duration) -> io::Result<Ran> {
        let pid = self.pid() as libc::pid_t;
        let mut overran = false;
        loop {
            // SAFETY: an all-zero rusage is a valid one.
            let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
            let mut status = 0;
            // SAFETY: both pointers are to locals of the right types that outlive the call.
            let got = unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut usage) };
            if got == pid {
                let wall = self.started.elapsed();
                self.child = None; // reaped: its pid may belong to someone else now
                let exited = libc::WIFEXITED(status);
                return Ok(Ran {
                    code: exited.then(|| libc::WEXITSTATUS(status)),
                    signal: (!exited).then(|| libc::WTERMSIG(status)),
                    stdout: read(&self.out, "stdout"),
                    stderr: read(&self.out, "stderr"),
                    wall,
                    user: duration(usage.ru_utime),
                    system: duration(usage.ru_stime),
                    peak_rss_kib: usage.ru_maxrss as u64,
                    overran,
                });
            }
            if got < 0 {
                return Err(io::Error::last_os_error());
            }
            if self.started.elapsed() > limit + UNKILLABLE {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "killed, but it hangs in the kernel"));
            }
            if self.started.elapsed() > limit && !overran {
                overran = true;
                kill_group(self.pid());
                self.signal(libc::SIGKILL);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            kill(child);
        }
    }
}

/// Runs `command` to its end, at most for `limit`.
///
/// # Errors
/// The program cannot be started or waited for.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Ran> {
    Running::start(command)?.finish(limit)
}

fn read(out: &Sandbox, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(out.join(name)).unwrap_or_default()).into_owned()
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_tells_its_end_and_its_cost() {
        let spin = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo out; echo err >&2; exit 3";
        let ran = run(Command::new("sh").args(["-c", spin]), Duration::from_secs(60)).unwrap();
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(3), "out\n", "err\n"));
        assert!(ran.user > Duration::from_millis(10) && ran.peak_rss_kib > 100, "{ran:?}");
        let ran = run(Command::new("sleep").arg("60"), Duration::from_millis(100)).unwrap();
        assert!(ran.overran && ran.signal == Some(libc::SIGKILL));
    }
}
