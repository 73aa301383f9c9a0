//! Writing of text to standard output, a file or standard error, and the handling of write errors.

use stats::plain;
use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Switches for the form of an answer on standard output, of the commands that draw charts of it.
#[derive(clap::Args, Clone, Copy)]
pub struct AnswerForm {
    /// Draw the charts below the answer
    #[arg(long, conflicts_with = "json")]
    pub charts: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// Destination of the result: standard output or the file of `--output`.
pub struct Sink {
    out: Box<dyn Write>,
    is_stdout: bool,
    name: String,
    /// Whether a write has failed; nothing more is written then.
    broken: bool,
    /// Second handle of a file that still has its earlier contents; truncated before the first write.
    old: Option<File>,
}

impl Sink {
    /// Returns a sink that writes to standard output.
    pub fn stdout() -> Sink {
        let name = "standard output".into();
        Sink { out: Box::new(std::io::stdout()), is_stdout: true, name, broken: false, old: None }
    }

    /// Returns a sink that writes to the open file `file`, whose contents are kept until the first write.
    pub fn file(file: File, path: &Path) -> Sink {
        let old = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() > 0);
        let old = if old { file.try_clone().ok() } else { None };
        Sink { out: Box::new(file), is_stdout: false, name: path.display().to_string(), broken: false, old }
    }
}

/// Whether a write of this process failed.
static NOT_WRITTEN: AtomicBool = AtomicBool::new(false);

/// Whether the reader of standard output closed it, as `head` does when it has its lines.
static READER_LEFT: AtomicBool = AtomicBool::new(false);

/// Exit status of a program that SIGPIPE ends, as a shell reports it.
const ENDED_BY_SIGPIPE: i32 = 141;

/// Reports `line` on standard error and makes [`exit_status`] report that an output could not be written.
pub fn not_written(line: impl Display) {
    NOT_WRITTEN.store(true, Relaxed);
    eprintln!("fathom: {line}");
}

/// Returns [`run::output::NOT_WRITTEN`] if an output could not be written, 141 if the reader of standard output closed it,
/// else `code`.
pub fn exit_status(code: i32) -> i32 {
    match (NOT_WRITTEN.load(Relaxed), READER_LEFT.load(Relaxed)) {
        (true, _) => run::output::NOT_WRITTEN,
        (false, true) => ENDED_BY_SIGPIPE,
        (false, false) => code,
    }
}

/// Writes `text` and `end` to standard error and ignores write errors (`eprint!` of the standard library panics, and
/// the result could not be stored). Control characters are escaped; a message whose `end` is a newline is one line.
pub fn write_stderr(text: std::fmt::Arguments<'_>, end: &str) {
    let text = text.to_string();
    let text = if end.is_empty() { as_text(&text) } else { around(&text, '\n', plain::line) };
    let mut error = std::io::stderr().lock();
    // A failure to write to standard error cannot be reported.
    let _ = error.write_all(text.as_bytes()).and_then(|()| error.write_all(end.as_bytes()));
}

/// Returns `text` with control characters escaped, in JSON documents by JSON's escapes. A leading or trailing carriage
/// return is kept: it belongs to a line that is drawn over.
fn as_text(text: &str) -> Cow<'_, str> {
    let json = text.starts_with(['{', '[']);
    around(text, '\r', if json { plain::json } else { plain::lines })
}

/// Returns `text` with `show` applied to all but the leading and trailing `kept` characters.
fn around(text: &str, kept: char, show: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let middle = text.trim_matches(kept);
    match show(middle) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(shown) => Cow::Owned(text.replacen(middle, &shown, 1)),
    }
}

/// Writes `text` to `out`. The first failure is reported, unless the reader of standard output closed it; the run continues
/// and is stored, unless the reader of a pipe closed it.
pub fn write(out: &mut Sink, text: &str) {
    if out.broken {
        return;
    }
    let text = as_text(text);
    let truncated = out.old.take().map_or(Ok(()), |old| old.set_len(0));
    if let Err(e) = truncated.and_then(|()| out.out.write_all(text.as_bytes())).and_then(|()| out.out.flush())
    {
        out.broken = true;
        if out.is_stdout && e.kind() == ErrorKind::BrokenPipe {
            READER_LEFT.store(true, Relaxed);
            return crate::signal::reader_went_away();
        }
        let why = e.raw_os_error().map_or_else(|| e.to_string(), run::job_error::errno_text);
        not_written(format_args!("the result could not be written to {}: {why}", out.name));
        if e.kind() == ErrorKind::BrokenPipe {
            crate::signal::reader_went_away();
        }
    }
}

/// Writes `text` to standard output as [`write()`] does; after a failed call, later calls write nothing.
pub fn print(text: &str) {
    static STDOUT: Mutex<bool> = Mutex::new(false);
    let mut broken = STDOUT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = Sink { broken: *broken, ..Sink::stdout() };
    write(&mut out, text);
    *broken = out.broken;
}
