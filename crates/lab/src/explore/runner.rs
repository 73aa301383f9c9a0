//! Interfaces between a study and its caller: a runner that measures cells, a journal that stores points, a receiver of
//! progress.

use run::Watch;
use stats::converge::StopRule;
use stats::failure::Failure;
use stats::study::{Access, Cell, Point, Question};
use stats::{RunResult, Series};
use std::time::Duration;

/// Result of measuring one cell once.
pub struct Measurement {
    /// Result of the run, with its findings.
    pub result: RunResult,
    /// Whether the stop rule ended the run.
    pub satisfied: bool,
    /// Start of the run, milliseconds since 1970; in virtual time for a simulated device.
    pub began_ms: u64,
    /// Duration, seconds, including layout and the checks before the run; in virtual time for a simulated device.
    pub wall_s: f64,
    /// State of the targets afterwards, for [`Runner::restore`].
    pub state: Vec<f64>,
}

/// Measures cells for a study.
pub trait Runner {
    /// Runs the load of a cell until `stop` is satisfied, or for `most`.
    ///
    /// # Errors
    /// The run failed, or its result cannot be used.
    fn measure(
        &mut self,
        cell: &Cell,
        seed: u64,
        most: Duration,
        stop: StopRule,
    ) -> Result<Measurement, Failure>;
    /// Waits until the target is idle; returns the duration of the wait, seconds.
    fn rest(&mut self, target: usize) -> f64;
    /// Waits until `until_ms`, in milliseconds on the clock of [`Measurement::began_ms`].
    fn wait(&mut self, until_ms: u64);
    /// Restores the state of the targets that was stored with a point.
    fn restore(&mut self, state: &[f64]);
    /// Returns whether a signal requested an early end.
    fn interrupted(&self) -> bool;
    /// Returns the failure after which nothing more can be measured; `None` while there is none.
    fn over(&self) -> Option<Failure> {
        None
    }
    /// Reports that work on a question begins, with `left_s` seconds of the budget left.
    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64);
}

/// Stores the points of a study as they are measured.
pub trait Journal {
    /// Stores a point on stable storage before it returns.
    fn add(&mut self, point: &Point);
}

/// Journal that stores nothing.
pub struct NoJournal;

impl Journal for NoJournal {
    fn add(&mut self, _: &Point) {}
}

/// Receives the progress of a study.
pub trait Progress: Watch {
    /// Reports that another question begins, with the remaining budget in seconds.
    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64);
}

/// Watch of a point: ends the run when the stop rule is satisfied, and passes all events on.
pub struct Until<'a> {
    /// Stop rule of the point.
    pub stop: StopRule,
    /// Whether the stop rule has ended the run.
    pub satisfied: bool,
    /// Observer that shows progress.
    pub watch: &'a mut dyn Watch,
}

impl Watch for Until<'_> {
    fn notice(&mut self, notice: run::Notice) {
        self.watch.notice(notice);
    }

    fn look(&mut self, live: &stats::Live) {
        self.watch.look(live);
    }

    fn detailed(&self) -> bool {
        self.watch.detailed()
    }

    fn interval(&self) -> Duration {
        self.watch.interval()
    }

    fn enough(&mut self, series: &Series) -> bool {
        self.satisfied |= self.stop.enough(series);
        self.satisfied
    }
}
