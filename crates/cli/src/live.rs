//! The line that changes while a run goes on, and what is told in between.

use crate::fio::{complete, render};
use crate::{signal, terminal};
use job::CommandLine;
use report::Lang;
use run::{Notice, Watch};
use stats::note::NoteKind;
use stats::study::{Access, Question};
use stats::{Direction, Live, RunResult, plain};
use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
pub fn tell(text: std::fmt::Arguments<'_>, end: &str) {
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

/// Prints what fio prints while it runs.
pub struct FioWatch<'a> {
    /// What was asked for.
    pub line: &'a CommandLine,
    /// When the program began.
    pub began: Instant,
    /// When the last report of `--status-interval` was due.
    pub last_status: Instant,
    /// SIGUSR1 came.
    pub report_wanted: Arc<AtomicBool>,
    /// A report is wanted when this file appears.
    pub dump: PathBuf,
    /// For banners, notices and errors.
    pub out: Sink,
    /// Normal text is among the formats: notices are printed.
    pub normal: bool,
    /// The ETA line is shown.
    pub eta: bool,
    /// How often.
    pub interval: Duration,
    /// A newline after the ETA line at this period.
    pub newline: Option<Duration>,
    /// When the last newline was printed.
    pub last_newline: Instant,
    /// Columns of the line shown last, to be blanked.
    pub shown: usize,
}

impl FioWatch<'_> {
    /// Takes the ETA line away.
    pub fn clear(&mut self) {
        if self.shown > 0 {
            let width = self.shown.min(terminal::live_width(&std::io::stdout()));
            print(&format!("\r{:width$}\r", ""));
            self.shown = 0;
        }
    }
}

impl Watch for FioWatch<'_> {
    fn notice(&mut self, notice: Notice) {
        let text = match notice {
            Notice::Starting { threads, processes } if self.normal => {
                format!("fio-3.33\n{}", report::starting(threads, processes))
            }
            Notice::Layout { job, files, bytes } if self.normal => report::layout_notice(&job, files, bytes),
            // fio says it also above its JSON.
            Notice::Said(line) => format!("{line}\n"),
            Notice::Note(note) => {
                if note.kind == NoteKind::Fio {
                    eprintln!("{}", note.text);
                }
                return;
            }
            Notice::Failed { pid, error, lines } => {
                for line in lines {
                    eprintln!("{line}");
                }
                let line = report::error_line(pid, &error);
                if pid == 0 {
                    eprint!("{line}");
                    return;
                }
                line
            }
            _ => return,
        };
        self.clear();
        write(&mut self.out, &text);
    }

    fn look(&mut self, live: &Live) {
        if !self.eta {
            return;
        }
        let width = terminal::live_width(&std::io::stdout());
        let line = report::live::cut(&report::live::eta_line(live), width);
        let newline = self.newline.is_some_and(|period| self.last_newline.elapsed() >= period);
        if newline {
            self.last_newline = Instant::now();
        }
        let blank = self.shown.min(width);
        print(&format!("{line:blank$}{}", if newline { '\n' } else { '\r' }));
        self.shown = if newline { 0 } else { line.chars().count() };
    }

    fn report_due(&mut self) -> bool {
        let period = self.line.switches.status_interval.map(Duration::from_nanos);
        let periodic = period.is_some_and(|period| self.last_status.elapsed() >= period);
        if periodic {
            self.last_status = Instant::now();
        }
        let asked = self.report_wanted.swap(false, Relaxed);
        // fio removes the file as the sign that it was seen; one that cannot be removed would ask for ever.
        let file = self.dump.exists() && std::fs::remove_file(&self.dump).is_ok();
        periodic || asked || file
    }

    fn report(&mut self, mut result: RunResult) {
        complete(&mut result, self.line, self.began);
        self.clear();
        render(&mut self.out, self.line, &result);
    }

    fn interval(&self) -> Duration {
        self.interval
    }
}

/// Our own live line on standard error, when that is a terminal.
pub struct OwnWatch {
    terminal: bool,
    lang: Lang,
    /// What is going on, in words.
    pub what: String,
    shown: usize,
    /// Failures so far, in words.
    pub failures: Vec<String>,
    /// Lines to say once nothing stands in the way of the run any more: a refusal is one line.
    pub at_once: Vec<String>,
    /// Set by SIGUSR1: a line of the present state is wanted, also where standard error is no terminal.
    report_wanted: Arc<AtomicBool>,
}

impl OwnWatch {
    /// Shows something only on a terminal.
    pub fn new(lang: Lang) -> Self {
        Self {
            terminal: std::io::stderr().is_terminal(),
            lang,
            what: String::new(),
            shown: 0,
            failures: Vec::new(),
            at_once: Vec::new(),
            report_wanted: signal::report_wanted(),
        }
    }

    fn line(&mut self, text: &str) {
        if self.terminal {
            // The window may have another width than the last time: one row is written at most.
            let width = terminal::live_width(&std::io::stderr());
            let text = report::live::cut(text, width);
            eprint!("\r{}", report::left(&text, self.shown.min(width)));
            // Standard error is not buffered; a terminal that went away is no reason to stop measuring.
            let _ = std::io::stderr().flush();
            self.shown = report::columns(&text);
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if self.shown > 0 {
            let width = self.shown.min(terminal::live_width(&std::io::stderr()));
            eprint!("\r{:width$}\r", "");
            self.shown = 0;
        }
    }
}

impl lab::quick::Progress for OwnWatch {
    fn filling(&mut self) {
        self.what = report::live::filling(self.lang);
    }

    fn pattern(&mut self, name: &str, direction: Direction, depth: u32) {
        self.what = report::live::measuring(self.lang, name, direction.name(), depth);
    }
}

impl lab::explore::bench::Progress for OwnWatch {
    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64) {
        self.what = report::live::asking(self.lang, question, access, target, left_s);
    }
}

impl Watch for OwnWatch {
    fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Starting { .. } => self.at_once.drain(..).for_each(|line| eprintln!("{line}")),
            Notice::LayoutProgress { done, total } if total > 0 => {
                self.line(&report::live::preparing(self.lang, &self.what, done, total));
            }
            Notice::Failed { error, lines, .. } => {
                self.clear();
                lines.iter().for_each(|line| eprintln!("{line}"));
                self.failures.push(error.text.clone());
                // A refusal is said once, at the end.
                if error.function == run::targets::REFUSED {
                    return;
                }
                eprintln!("fathom: {}: {}", error.function, error.text);
            }
            _ => {}
        }
    }

    fn look(&mut self, live: &Live) {
        let text = report::live::status_line(self.lang, &self.what, live);
        if self.report_wanted.swap(false, Relaxed) {
            self.clear();
            eprintln!("{text}");
        }
        self.line(&text);
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(250)
    }
}

/// Writes to `out`. The first failure is told; a run goes on and is stored, unless the reader of a pipe went away.
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

/// Gives settings of the kernel their old values again where a fathom that was killed has left them changed, and says so.
/// Every command that measures begins with it, and so does the doctor.
pub fn put_settings_back() {
    for line in run::kernel_settings::put_back_left(&facts::SysRoot::machine()) {
        eprintln!("fathom: {line}");
    }
}
