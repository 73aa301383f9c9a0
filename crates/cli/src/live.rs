//! The line that changes while a run goes on, and what is told in between.

use crate::fio::{complete, render};
use job::CommandLine;
use report::Lang;
use run::{Notice, Watch};
use stats::note::NoteKind;
use stats::study::{Access, Question};
use stats::{Direction, Live, RunResult, plain};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Where text goes: standard output or the file of `--output`.
pub type Sink = Box<dyn Write>;

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
            put_status(&format!("\r{:width$}\r", "", width = self.shown));
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
                    complain!("{}", note.text);
                }
                return;
            }
            Notice::Failed { pid, error, lines } => {
                for line in lines {
                    complain!("{line}");
                }
                let line = report::error_line(pid, &error);
                if pid == 0 {
                    complain_as_is!("{line}");
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
        let line = report::live::eta_line(live);
        let newline = self.newline.is_some_and(|period| self.last_newline.elapsed() >= period);
        if newline {
            self.last_newline = Instant::now();
        }
        let line = plain::line(&line);
        put_status(&format!("{line:width$}{}", if newline { '\n' } else { '\r' }, width = self.shown));
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
        }
    }

    fn line(&mut self, text: &str) {
        if self.terminal {
            let text = &plain::line(text);
            eprint!("\r{}", report::left(text, self.shown));
            // Standard error is not buffered; a terminal that went away is no reason to stop measuring.
            let _ = std::io::stderr().flush();
            self.shown = report::columns(text);
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if self.shown > 0 {
            eprint!("\r{:width$}\r", "", width = self.shown);
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
            Notice::Starting { .. } => self.at_once.drain(..).for_each(|line| complain!("{line}")),
            Notice::LayoutProgress { done, total } if total > 0 => {
                self.line(&report::live::preparing(self.lang, &self.what, done, total));
            }
            Notice::Failed { error, lines, .. } => {
                self.clear();
                lines.iter().for_each(|line| complain!("{line}"));
                self.failures.push(error.text.clone());
                complain!("fathom: {}: {}", error.function, error.text);
            }
            _ => {}
        }
    }

    fn look(&mut self, live: &Live) {
        let text = report::live::status_line(self.lang, &self.what, live, 100);
        self.line(&text);
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(250)
    }
}

/// Writes a status line, which returns the cursor, to standard output.
fn put_status(text: &str) {
    put(&mut (Box::new(std::io::stdout()) as Sink), text);
}

/// Writes text for people to `out`: what came from files and names is shown as text.
pub fn write(out: &mut Sink, text: &str) {
    put(out, &plain::lines(text));
}

/// Writes a JSON document to `out`.
pub fn write_json(out: &mut Sink, text: &str) {
    put(out, &plain::json(text));
}

/// Writes to `out`; a reader that went away ends the program quietly, as it does other filters.
fn put(out: &mut Sink, text: &str) {
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// Writes text for people to standard output.
pub fn print(text: &str) {
    write(&mut (Box::new(std::io::stdout()) as Sink), text);
}

/// Writes a JSON document, or text that begins with a brace, to standard output.
pub fn print_json(text: &str) {
    write_json(&mut (Box::new(std::io::stdout()) as Sink), text);
}

/// Writes one of both.
pub fn print_as(json: bool, text: &str) {
    if json { print_json(text) } else { print(text) }
}
