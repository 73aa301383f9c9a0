//! fathom's own progress line on standard error, and the messages between its updates.

use crate::{signal, terminal};
use report::Lang;
use run::{Notice, Watch};
use stats::study::{Access, Question};
use stats::{Direction, Live};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// fathom's own live line, shown if standard error is a terminal.
pub struct OwnWatch {
    terminal: bool,
    lang: Lang,
    /// Name of the present activity, shown at the start of the line.
    pub what: String,
    shown: usize,
    /// Messages about failures so far.
    pub failures: Vec<String>,
    /// Messages that are printed when the run begins. If the run is refused they are not printed, so that a refusal is
    /// one line.
    pub at_once: Vec<String>,
    /// Whether SIGUSR1 requested a line about the present state, which is printed even if standard error is no
    /// terminal.
    report_wanted: Arc<AtomicBool>,
}

impl OwnWatch {
    /// Returns a watch that shows its line only on a terminal.
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

    /// Erases the line.
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

impl lab::explore::runner::Progress for OwnWatch {
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
                lines.iter().for_each(|line| eprintln!("{}", report::words::run::line(self.lang, line)));
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

/// Restores kernel settings that a killed fathom left changed, and prints a message. Every command that measures calls
/// this function first, and so does the doctor.
pub fn restore_kernel_settings() {
    for line in run::kernel_settings::put_back_left(&facts::SysRoot::machine()) {
        eprintln!("fathom: {line}");
    }
}
