//! fathom's own progress line on standard error, and the messages between its updates.

use crate::live_screen::LiveScreen;
use crate::{signal, terminal};
use report::Lang;
use run::{Notice, Watch};
use stats::study::{Access, Question};
use stats::{Direction, Live, RateDrop, Series, rate_drops};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Number of windows of the rate between two looks for drops.
const WINDOWS_PER_LOOK: usize = 4;

/// The switch of the full-screen view, of every command that measures.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct ViewSwitch {
    /// Open the full-screen view; on a terminal, the key v opens and closes it at any time
    #[arg(long)]
    pub live: bool,
}

/// Returns a function that prints the beginning of the names of scratch objects on standard error, in `lang`.
pub fn scratch_named(lang: Lang) -> fn(&str) {
    fn line(lang: Lang, name: &str) {
        eprintln!("fathom: {}", report::objects::scratch_named(lang, name));
    }
    match lang {
        Lang::En => |name| line(Lang::En, name),
        Lang::De => |name| line(Lang::De, name),
        Lang::Ru => |name| line(Lang::Ru, name),
        Lang::Zh => |name| line(Lang::Zh, name),
    }
}

/// fathom's own progress line on standard error, drawn only if standard error is a terminal.
pub struct OwnWatch {
    terminal: bool,
    /// The full-screen view, where there is a terminal with keys.
    screen: Option<LiveScreen>,
    pub lang: Lang,
    /// The current activity, in the user's language, for the beginning of the line.
    pub what: String,
    shown: usize,
    /// Messages of the jobs that failed so far, in the user's language.
    pub failures: Vec<String>,
    /// Lines to print when the jobs start. The lines are held back until then, so that a refusal to run prints a
    /// single line.
    pub at_once: Vec<String>,
    /// Whether a drop of the rate ends the run.
    pub stop_on_drop: bool,
    /// Drop of the rate that ended the run.
    pub ended_by: Option<RateDrop>,
    /// Set by SIGUSR1: the next update prints the line, even if standard error is not a terminal.
    report_wanted: Arc<AtomicBool>,
}

impl OwnWatch {
    /// Returns a progress line in `lang` without an activity.
    pub fn new(lang: Lang) -> Self {
        Self {
            terminal: std::io::stderr().is_terminal(),
            screen: LiveScreen::new(lang),
            lang,
            what: String::new(),
            shown: 0,
            failures: Vec::new(),
            at_once: Vec::new(),
            stop_on_drop: false,
            ended_by: None,
            report_wanted: signal::report_wanted(),
        }
    }

    /// Opens the full-screen view from the beginning if `switch` says so and there is a terminal.
    pub fn with_view(mut self, switch: ViewSwitch) -> Self {
        if let Some(screen) = self.screen.as_mut().filter(|_| switch.live) {
            screen.open();
        }
        self
    }

    /// Returns whether the full-screen view is on the terminal.
    fn view_shown(&self) -> bool {
        self.screen.as_ref().is_some_and(LiveScreen::shown)
    }

    /// Prints a message; while the full-screen view is shown, it appears there and is printed afterwards.
    fn say(&mut self, line: &str) {
        match &mut self.screen {
            Some(screen) if screen.shown() => screen.say(line),
            _ => {
                self.clear_line();
                eprintln!("{line}");
            }
        }
    }

    fn line(&mut self, text: &str) {
        if self.terminal && !self.view_shown() {
            // The terminal may have been resized since the last update; at most one row is written.
            let width = terminal::live_width(&std::io::stderr());
            let text = report::live::cut(text, width);
            eprint!("\r{}", report::left(&text, self.shown.min(width)));
            // Standard error is not buffered, and the measurement continues if the terminal was closed.
            let _ = std::io::stderr().flush();
            self.shown = report::columns(&text);
        }
    }

    /// Leaves the full-screen view and blanks the line on the terminal.
    pub fn clear(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.leave();
        }
        self.clear_line();
    }

    /// Shows a line of a measurement that is not a run.
    pub fn progress(&mut self, text: &str) {
        self.line(text);
    }

    fn clear_line(&mut self) {
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
        self.what = report::quick::measuring(self.lang, name, direction.name(), depth);
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
                let lang = self.lang;
                let texts = lines.iter().map(|line| report::words::run::line(lang, line));
                texts.for_each(|text| text.lines().for_each(|line| self.say(line)));
                let why = report::words::run::job_error(self.lang, &error);
                self.failures.push(why.clone());
                // A refusal is printed once, at the end.
                if error.function == run::targets::REFUSED {
                    return;
                }
                self.say(&format!("fathom: {}: {why}", error.function));
            }
            Notice::Line(line) => {
                // A line about a damaged block is several lines of text.
                report::words::run::line(self.lang, &line).lines().for_each(|line| self.say(line));
            }
            Notice::OfHost { host, line } => {
                line.lines().for_each(|line| self.say(&format!("{host}: {line}")));
            }
            _ => {}
        }
    }

    fn look(&mut self, live: &Live) {
        let text = report::live::status_line(self.lang, &self.what, live);
        if self.report_wanted.swap(false, Relaxed) {
            self.say(&text);
        }
        if let Some(screen) = &mut self.screen {
            screen.look(&self.what, live);
        }
        self.line(&text);
    }

    fn detailed(&self) -> bool {
        self.screen.as_ref().is_some_and(LiveScreen::wanted)
    }

    fn enough(&mut self, series: &Series) -> bool {
        // Drops are told in blocks of a second or more.
        let due = self.stop_on_drop && series.windows.len().is_multiple_of(WINDOWS_PER_LOOK);
        if due && self.ended_by.is_none() {
            self.ended_by = rate_drops(series).last().filter(|drop| drop.seconds.is_none()).copied();
        }
        self.ended_by.is_some()
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(250)
    }
}

/// Restores kernel settings that an earlier, killed process of fathom left changed, and reports each on standard error.
/// Called first by every command that measures and by `fathom doctor`.
pub fn restore_kernel_settings(lang: Lang) {
    for fact in run::kernel_settings::put_back_left(&facts::SysRoot::machine()) {
        eprintln!("fathom: {}", report::words::note::note(lang, &fact));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_ends_the_run_only_if_that_was_asked() {
        let mut series = Series::default();
        let (mut ios, mut asked, mut other) = (0, OwnWatch::new(Lang::En), OwnWatch::new(Lang::En));
        asked.stop_on_drop = true;
        let mut ended = None;
        for nth in 0..800u64 {
            // 2000 I/Os per second for thirty seconds, then 500.
            ios += if nth < 600 { 100 } else { 25 };
            if series.look(nth * 50_000_000, [ios, 0, 0], [4096 * ios, 0, 0]) {
                assert!(!other.enough(&series));
                if asked.enough(&series) && ended.is_none() {
                    ended = Some(nth as f64 * 0.05);
                }
            }
        }
        assert!(ended.is_some_and(|at| (30.0..35.0).contains(&at)), "{ended:?}");
    }
}
