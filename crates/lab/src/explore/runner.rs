//! What a study needs from its caller: a runner that measures cells, a journal that keeps points, a receiver of progress.

use run::Watch;
use stats::converge::StopRule;
use stats::failure::Failure;
use stats::study::{Access, Cell, Point, Question};
use stats::{RunResult, Series};
use std::time::Duration;

/// Result of measuring one cell once.
pub struct Measurement {
    /// Result of the run.
    pub result: RunResult,
    /// Whether the stop rule ended it.
    pub satisfied: bool,
    /// Start, milliseconds.
    pub began_ms: u64,
    /// Wall time, seconds, including layout and the checks before the run.
    pub wall_s: f64,
    /// State of the targets afterwards, for [`Runner::restore`].
    pub state: Vec<f64>,
}

/// Measures cells for a study.
pub trait Runner {
    /// Loads a cell until `stop` says that it is enough, or for `most`.
    fn measure(
        &mut self,
        cell: &Cell,
        seed: u64,
        most: Duration,
        stop: StopRule,
    ) -> Result<Measurement, Failure>;
    /// Waits until the target is idle; returns the seconds that it took.
    fn rest(&mut self, target: usize) -> f64;
    /// Waits until this time, milliseconds on the clock of [`Measurement::began_ms`].
    fn wait(&mut self, until_ms: u64);
    /// Sets the targets to the state in which a stored point left them.
    fn restore(&mut self, state: &[f64]);
    /// Whether a signal asked for an early end.
    fn interrupted(&self) -> bool;
    /// Reports that another question begins, with the seconds left of the budget.
    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64);
}

/// Keeps the points of a study as they are measured.
pub trait Journal {
    /// Stores a point; it is on stable storage when this returns.
    fn add(&mut self, point: &Point);
}

/// Journal that keeps nothing.
pub struct NoJournal;

impl Journal for NoJournal {
    fn add(&mut self, _: &Point) {}
}

/// Receives the progress of a study.
pub trait Progress: Watch {
    /// Another question begins, with the seconds left of the budget.
    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64);
}

/// Watch of a point: ends the run when the stop rule is satisfied, and passes everything on.
pub struct Until<'a> {
    /// The stop rule.
    pub stop: StopRule,
    /// Whether the rule has ended the run.
    pub satisfied: bool,
    /// The watch that shows progress.
    pub watch: &'a mut dyn Watch,
}

impl Watch for Until<'_> {
    fn notice(&mut self, notice: run::Notice) {
        self.watch.notice(notice);
    }

    fn look(&mut self, live: &stats::Live) {
        self.watch.look(live);
    }

    fn interval(&self) -> Duration {
        self.watch.interval()
    }

    fn enough(&mut self, series: &Series) -> bool {
        self.satisfied |= self.stop.enough(series);
        self.satisfied
    }
}
