//! Where text goes: standard output, a file, standard error; what happens when it cannot be written.

use stats::plain;
use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Where text goes: standard output or the file of `--output`.
pub struct Sink {
    out: Box<dyn Write>,
    name: String,
    /// Nothing more is written after the first failure.
    broken: bool,
    /// The file holds what was there before; it is truncated when there is something to write.
    old: Option<File>,
}

impl Sink {
    /// Standard output.
    pub fn stdout() -> Sink {
        Sink { out: Box::new(std::io::stdout()), name: "standard output".into(), broken: false, old: None }
    }

    /// A file that is open. What it holds is kept until something is written.
    pub fn file(file: File, path: &Path) -> Sink {
        let old = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() > 0);
        let old = if old { file.try_clone().ok() } else { None };
        Sink { out: Box::new(file), name: path.display().to_string(), broken: false, old }
    }
}

/// An output could not be written.
static NOT_WRITTEN: AtomicBool = AtomicBool::new(false);

/// Says on standard error that an output could not be written; the program's exit status tells it as well.
pub fn not_written(line: impl Display) {
    NOT_WRITTEN.store(true, Relaxed);
    eprintln!("fathom: {line}");
}

/// The exit status of a command that ended with `code`, where an output may be missing.
pub fn exit_status(code: i32) -> i32 {
    if NOT_WRITTEN.load(Relaxed) { run::output::NOT_WRITTEN } else { code }
}

/// Writes to standard error what `eprint!` would. A reader that went away or a full disk does not end the program, as it
/// would there: what is measured can still be stored and printed. What came from files and names is shown as text; a
/// message that ends with a newline is one line.
pub fn write_stderr(text: std::fmt::Arguments<'_>, end: &str) {
    let text = text.to_string();
    let text = if end.is_empty() { as_text(&text) } else { around(&text, '\n', plain::line) };
    let mut error = std::io::stderr().lock();
    // There is nowhere else to say that this failed.
    let _ = error.write_all(text.as_bytes()).and_then(|()| error.write_all(end.as_bytes()));
}

/// Text for people, or JSON: what came from files and names is shown as text, in JSON with its own escapes. A carriage
/// return on either side belongs to a line that is written over.
fn as_text(text: &str) -> Cow<'_, str> {
    let json = text.starts_with(['{', '[']);
    around(text, '\r', if json { plain::json } else { plain::lines })
}

/// `show` of the text between the `kept` characters at its ends.
fn around(text: &str, kept: char, show: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let middle = text.trim_matches(kept);
    match show(middle) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(shown) => Cow::Owned(text.replacen(middle, &shown, 1)),
    }
}

/// Writes to `out`. The first failure is reported; the run continues and is stored, unless the reader of a pipe went away.
pub fn write(out: &mut Sink, text: &str) {
    if out.broken {
        return;
    }
    let text = as_text(text);
    let truncated = out.old.take().map_or(Ok(()), |old| old.set_len(0));
    if let Err(e) = truncated.and_then(|()| out.out.write_all(text.as_bytes())).and_then(|()| out.out.flush())
    {
        out.broken = true;
        let why = e.raw_os_error().map_or_else(|| e.to_string(), run::job_error::errno_text);
        not_written(format_args!("the result could not be written to {}: {why}", out.name));
        if e.kind() == ErrorKind::BrokenPipe {
            crate::signal::reader_went_away();
        }
    }
}

/// Writes to standard output.
pub fn print(text: &str) {
    static STDOUT: Mutex<bool> = Mutex::new(false);
    let mut broken = STDOUT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = Sink { broken: *broken, ..Sink::stdout() };
    write(&mut out, text);
    *broken = out.broken;
}
