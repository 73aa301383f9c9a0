//! `fathom dd` (also when the program is called as `dd`): copies as dd does, and says what its statistics leave out.

use crate::{lang, output};
use facts::SysRoot;
use report::dd::{self, STANDARD_NAMES, Voice};
use report::words;
use stats::dd::CopyCounts;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;
use tools::dd::End;
use tools::dd::message::{Console, Message};
use tools::dd::operands::{self, CommandLine, Status};

/// Exit status after an error.
const FAILURE: i32 = 1;

/// Standard error of dd.
struct Terminal {
    voice: Voice,
    status: Status,
    /// Columns of the progress line; 0 if the cursor is at the beginning of a line.
    progress: usize,
    /// Whether a write failed, so that messages or statistics are lost.
    lost: bool,
}

impl Terminal {
    /// Writes bytes in one call: another program's lines do not come between.
    fn write(&mut self, text: &[u8]) {
        let end = if self.progress > 0 { &b"\n"[..] } else { b"" };
        self.progress = 0;
        self.put(&[end, text].concat());
    }

    fn put(&mut self, text: &[u8]) {
        self.lost |= std::io::stderr().write_all(text).is_err();
    }
}

impl Console for Terminal {
    fn message(&mut self, message: &Message) {
        let line = self.voice.message(message);
        self.write(&line);
    }

    fn statistics(&mut self, counts: &CopyCounts, elapsed: Duration) {
        if self.status == Status::None {
            return;
        }
        let mut text = dd::records(counts);
        if self.status > Status::NoTransfer {
            text += &self.voice.transfer(counts, elapsed, false);
            text.push('\n');
        }
        self.write(text.as_bytes());
    }

    fn progress(&mut self, counts: &CopyCounts, elapsed: Duration) {
        let text = self.voice.transfer(counts, elapsed, true);
        self.put(format!("\r{text:<width$}", width = self.progress).as_bytes());
        self.progress = text.len();
    }
}

/// Runs dd with the arguments `args`; messages begin with `program`, the name by which it was called. Returns the exit
/// status.
pub fn main(program: &OsStr, args: &[OsString]) -> i32 {
    tools::dd::restore_inherited();
    let locale = tools::dd::locale::from_environment();
    let voice = Voice { program: program.as_bytes().to_vec(), utf8: locale.utf8, radix: locale.radix };
    let mut terminal = Terminal { voice, status: Status::default(), progress: 0, lost: false };
    let posix = std::env::var_os("POSIXLY_CORRECT").is_some();
    let parsed = operands::read(args, posix, &mut |remark| {
        let line = terminal.voice.remark(remark);
        terminal.write(&line);
    });
    let operands = match parsed {
        Ok(CommandLine::Copy(operands)) => operands,
        Ok(CommandLine::Help) => {
            output::print(&dd::help(&program.to_string_lossy()));
            return 0;
        }
        Ok(CommandLine::Version) => {
            output::print(&dd::version(env!("CARGO_PKG_VERSION")));
            return 0;
        }
        Err(fault) => {
            let lines = terminal.voice.fault(&fault);
            terminal.write(&lines);
            return FAILURE;
        }
    };
    terminal.status = operands.status;
    let root = SysRoot::machine();
    match tools::dd::copy(&operands, STANDARD_NAMES, &mut terminal, &root) {
        End::Done { failed, account } => {
            let lang = lang::or_locale(None);
            for line in account.iter().flat_map(|account| dd::account(lang, account)) {
                eprintln!("fathom: {line}");
            }
            // Rust's standard error takes a closed descriptor for one that discards.
            let lost = terminal.lost || tools::dd::is_closed(2);
            if failed || lost { FAILURE } else { 0 }
        }
        End::Refused(refusal) => {
            eprintln!("{}", words::run::refusal(lang::or_locale(None), &refusal));
            job::exit_status::REFUSED
        }
        End::Interrupted(signal) => {
            tools::dd::die_of(signal);
            FAILURE
        }
    }
}
