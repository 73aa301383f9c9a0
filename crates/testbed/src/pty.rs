//! A pseudo terminal of a given width, with a small terminal emulator for the output of a program.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Screen content and exit status of a program on a pseudo terminal.
#[derive(Debug)]
pub struct Shown {
    /// Rows of the screen from the first, including those that scrolled away, without trailing blanks.
    pub rows: Vec<String>,
    /// All output as text, with carriage returns and escape sequences.
    pub sent: String,
    /// Exit status; `None` if the program was killed at the time limit.
    pub status: Option<ExitStatus>,
}

/// Program on a pseudo terminal; killed on drop.
pub struct Pty {
    controller: OwnedFd,
    name: String,
    child: Option<Child>,
    screen: vt100::Parser,
    sent: Vec<u8>,
    ended: Option<ExitStatus>,
}

/// Number of rows of the screen, large enough that no row scrolls out of view.
const ROWS: u16 = 1000;
/// Most columns and rows of the emulator of an interactive program.
const LARGEST: u16 = 600;

impl Pty {
    /// Starts `command` without input; its standard output and standard error are a terminal with `columns` columns.
    ///
    /// # Errors
    /// There is no pseudo terminal, or the program cannot be started.
    pub fn start(command: &mut Command, columns: u16) -> io::Result<Pty> {
        let mut pty = Pty::new(columns, 50)?;
        pty.screen = vt100::Parser::new(ROWS, columns, 0);
        let open = || File::options().read(true).write(true).open(&pty.name);
        command.stdin(Stdio::null()).stdout(open()?).stderr(open()?).env_remove("COLUMNS");
        pty.child = Some(command.spawn()?);
        // The command would keep the test's ends of the terminal open, so that its output would never end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(pty)
    }

    fn new(columns: u16, rows: u16) -> io::Result<Pty> {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&controller)?;
        unlockpt(&controller)?;
        let name = ptsname(&controller, Vec::new())?.to_string_lossy().into_owned();
        tcsetwinsize(&controller, Winsize { ws_row: rows, ..size(columns) })?;
        let screen = vt100::Parser::new(rows.min(LARGEST), columns.min(LARGEST), 0);
        Ok(Pty { controller, name, child: None, screen, sent: Vec::new(), ended: None })
    }

    /// Starts `command` with a terminal of `columns` by `rows` as its controlling terminal, standard input, output and error:
    /// keys sent to it act as on a keyboard, Ctrl-C included. The screen is as large as the terminal, within what the emulator can
    /// show.
    ///
    /// # Errors
    /// The same as those of [`Pty::start`].
    pub fn interactive(command: &mut Command, columns: u16, rows: u16) -> io::Result<Pty> {
        let mut pty = Pty::new(columns, rows)?;
        let open = || File::options().read(true).write(true).open(&pty.name);
        command.stdin(open()?).stdout(open()?).stderr(open()?).env_remove("COLUMNS");
        let own_session = || {
            rustix::process::setsid()?;
            rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?;
            Ok(())
        };
        // SAFETY: between fork and exec only two system calls are made.
        unsafe { command.pre_exec(own_session) };
        pty.child = Some(command.spawn()?);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(pty)
    }

    /// Returns the process id, valid until the program is waited for.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }

    /// Types keys.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn type_keys(&mut self, keys: &[u8]) -> io::Result<()> {
        rustix::io::write(&self.controller, keys)?;
        Ok(())
    }

    /// Changes the size of the terminal to `columns` columns and `rows` rows. The emulator keeps from 2 to [`LARGEST`] of both.
    ///
    /// # Errors
    /// The kernel refuses the change.
    pub fn resize_to(&mut self, columns: u16, rows: u16) -> io::Result<()> {
        tcsetwinsize(&self.controller, Winsize { ws_row: rows, ..size(columns) })?;
        self.screen.screen_mut().set_size(rows.clamp(2, LARGEST), columns.clamp(2, LARGEST));
        Ok(())
    }

    /// Reads until `shown` says that the screen shows what it waits for; false after `limit`, or if the program has closed the
    /// terminal before.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub fn read_until(&mut self, limit: Duration, shown: impl Fn(&Pty) -> bool) -> io::Result<bool> {
        let end = Instant::now() + limit;
        loop {
            if shown(self) {
                return Ok(true);
            }
            let closed = self.read_for(Duration::from_millis(50))?;
            if closed || Instant::now() > end {
                return Ok(shown(self));
            }
        }
    }

    /// Does the same as [`Pty::read_until`] for a condition on the rows of the screen.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub fn rows_until(&mut self, limit: Duration, shown: impl Fn(&[String]) -> bool) -> io::Result<bool> {
        self.read_until(limit, |pty| shown(&pty.rows()))
    }

    /// Returns whether the program shows the alternate screen.
    pub fn on_alternate_screen(&self) -> bool {
        self.screen.screen().alternate_screen()
    }

    /// Returns whether the terminal collects lines and echoes keys, as it does before a program changes it.
    ///
    /// # Errors
    /// The state of the terminal cannot be read.
    pub fn has_line_mode(&self) -> io::Result<bool> {
        let state = rustix::termios::tcgetattr(&self.controller)?;
        let both = rustix::termios::LocalModes::ICANON | rustix::termios::LocalModes::ECHO;
        Ok(state.local_modes.contains(both))
    }

    /// Returns all output so far as text.
    pub fn sent(&self) -> String {
        String::from_utf8_lossy(&self.sent).into_owned()
    }

    /// Changes the width of the terminal, as resizing its window does.
    ///
    /// # Errors
    /// The kernel refuses the change.
    pub fn resize(&mut self, columns: u16) -> io::Result<()> {
        tcsetwinsize(&self.controller, size(columns))?;
        self.screen.screen_mut().set_size(ROWS, columns);
        Ok(())
    }

    /// Reads for `time`, or until the program has closed the terminal; returns whether it is still open.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub fn read_for(&mut self, time: Duration) -> io::Result<bool> {
        let end = Instant::now() + time;
        let mut buffer = [0; 4096];
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let wait = Timespec { tv_sec: 0, tv_nsec: left.min(Duration::from_millis(100)).as_nanos() as _ };
            let mut polled = [PollFd::new(&self.controller, PollFlags::IN)];
            if poll(&mut polled, Some(&wait))? == 0 {
                continue;
            }
            match rustix::io::read(&self.controller, &mut buffer) {
                // EIO: the other end is closed.
                Ok(0) | Err(rustix::io::Errno::IO) => return Ok(true),
                Ok(n) => {
                    self.screen.process(&buffer[..n]);
                    self.sent.extend_from_slice(&buffer[..n]);
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    /// Returns the rows from the first to the last that is not empty.
    pub fn rows(&self) -> Vec<String> {
        let (_, columns) = self.screen.screen().size();
        let rows = self.screen.screen().rows(0, columns);
        let mut rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    /// Closes the terminal, as when its window is closed, and returns the exit status of the program; `None` if it is still
    /// running after `limit`.
    ///
    /// # Errors
    /// Waiting for the program fails.
    pub fn hang_up(mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        self.controller = OwnedFd::from(File::open("/dev/null")?);
        let end = Instant::now() + limit;
        while self.ended.is_none() && Instant::now() < end {
            self.ended = self.child.as_mut().map_or(Ok(None), Child::try_wait)?;
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(self.ended)
    }

    /// Reads until the program ends; after `limit` the program is killed.
    ///
    /// # Errors
    /// The terminal cannot be read, or waiting for the program fails.
    pub fn finish(mut self, limit: Duration) -> io::Result<Shown> {
        let end = Instant::now() + limit;
        self.read_for(limit)?;
        while self.ended.is_none() && Instant::now() < end {
            self.ended = self.child.as_mut().map_or(Ok(None), Child::try_wait)?;
            if self.ended.is_none() {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        let sent = String::from_utf8_lossy(&self.sent).into_owned();
        Ok(Shown { rows: self.rows(), sent, status: self.ended })
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if let (None, Some(child)) = (self.ended, &mut self.child) {
            let _ = child.kill();
            let _ = crate::bounded::wait_within(child, std::time::Duration::from_secs(10));
        }
    }
}

fn size(columns: u16) -> Winsize {
    Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

/// Runs `command` on a terminal with `columns` columns, at most for `limit`.
///
/// # Errors
/// The same as those of [`Pty::start`] and [`Pty::finish`].
pub fn run(command: &mut Command, columns: u16, limit: Duration) -> io::Result<Shown> {
    Pty::start(command, columns)?.finish(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_breaks_lines_and_a_carriage_return_goes_back() {
        let print = "printf '0123456789abc\\r\\nlong line\\rLO'; exit 3";
        let shown = run(Command::new("sh").args(["-c", print]), 10, Duration::from_secs(20)).unwrap();
        assert_eq!(shown.rows, ["0123456789", "abc", "LOng line"]);
        assert_eq!(shown.status.and_then(|s| s.code()), Some(3));
        let began = Instant::now();
        let shown = run(Command::new("sleep").arg("60"), 10, Duration::from_millis(200)).unwrap();
        assert!(shown.status.is_none() && began.elapsed() < Duration::from_secs(20));
    }
}
