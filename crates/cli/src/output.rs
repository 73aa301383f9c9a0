//! Output to standard output, a file and standard error, and the handling of failed writes.

use stats::plain;
use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Destination of text: standard output or the file of `--output`.
pub struct Sink {
    out: Box<dyn Write>,
    name: String,
    /// Whether a write failed; nothing more is written then.
    broken: bool,
    /// The file with its old contents, which is truncated before the first write; `None` after that.
    old: Option<File>,
}

impl Sink {
    /// Returns standard output.
    pub fn stdout() -> Sink {
        Sink { out: Box::new(std::io::stdout()), name: "standard output".into(), broken: false, old: None }
    }

    /// Returns an open file as the destination. Its old contents are kept until something is written.
    pub fn file(file: File, path: &Path) -> Sink {
        let old = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() > 0);
        let old = if old { file.try_clone().ok() } else { None };
        Sink { out: Box::new(file), name: path.display().to_string(), broken: false, old }
    }
}

/// Whether an output could not be written.
static NOT_WRITTEN: AtomicBool = AtomicBool::new(false);

/// Prints the message that an output could not be written; the exit status of the program will report it, too.
pub fn not_written(line: impl Display) {
    NOT_WRITTEN.store(true, Relaxed);
    eprintln!("fathom: {line}");
}

/// Returns the exit status of a command that ended with `code`: [`run::output::NOT_WRITTEN`] if an output could not be
/// written, else `code`.
pub fn exit_status(code: i32) -> i32 {
    if NOT_WRITTEN.load(Relaxed) { run::output::NOT_WRITTEN } else { code }
}

/// Writes a message to standard error. A closed pipe or a full disk does not end the program, as it would with the
/// standard library's `eprint!`: a result can still be stored and printed. Control characters in file contents and
/// names are escaped; a message that ends with a newline is a single line.
pub fn write_stderr(text: std::fmt::Arguments<'_>, end: &str) {
    let text = text.to_string();
    let text = if end.is_empty() { as_text(&text) } else { around(&text, '\n', plain::line) };
    let mut error = std::io::stderr().lock();
    // There is nowhere else to say that this failed.
    let _ = error.write_all(text.as_bytes()).and_then(|()| error.write_all(end.as_bytes()));
}

/// Returns a text for output, with control characters from file contents and names escaped; JSON has its own escapes. A
/// carriage return at either end is kept, because it belongs to a line that is overwritten.
fn as_text(text: &str) -> Cow<'_, str> {
    let json = text.starts_with(['{', '[']);
    around(text, '\r', if json { plain::json } else { plain::lines })
}

/// Applies `show` to the text between the `kept` characters at its ends.
fn around(text: &str, kept: char, show: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let middle = text.trim_matches(kept);
    match show(middle) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(shown) => Cow::Owned(text.replacen(middle, &shown, 1)),
    }
}

/// Writes to `out`. The first failure is reported. The run continues and is stored, unless the reader of a pipe is
/// gone.
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

/// Writes to standard output. A failure is reported once.
pub fn print(text: &str) {
    static STDOUT: Mutex<bool> = Mutex::new(false);
    let mut broken = STDOUT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = Sink { broken: *broken, ..Sink::stdout() };
    write(&mut out, text);
    *broken = out.broken;
}
