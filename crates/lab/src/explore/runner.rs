//! Interfaces between a study and its caller: a runner that measures cells, a journal that stores points, and a
//! receiver of progress.

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
    /// Whether the stop rule ended the run.
    pub satisfied: bool,
    /// Start of the run, in milliseconds since the epoch or, on a simulated device, in its virtual time.
    pub began_ms: u64,
    /// Wall time in seconds, including layout and the checks before the run.
    pub wall_s: f64,
    /// State of the targets afterwards, for [`Runner::restore`].
    pub state: Vec<f64>,
}

/// Measures cells for a study.
pub trait Runner {
    /// Measures a cell until `stop` is satisfied, but at most for `most`; `seed` is that of the job's random numbers.
    ///
    /// # Errors
    /// The run failed or was refused.
    fn measure(
        &mut self,
        cell: &Cell,
        seed: u64,
        most: Duration,
        stop: StopRule,
    ) -> Result<Measurement, Failure>;
    /// Waits until the target is idle and returns the waiting time in seconds.
    fn rest(&mut self, target: usize) -> f64;
    /// Waits until `until_ms`, in milliseconds on the clock of [`Measurement::began_ms`].
    fn wait(&mut self, until_ms: u64);
    /// Sets the targets to the `state` that was stored with a point.
    fn restore(&mut self, state: &[f64]);
    /// Returns whether a signal requested an early end.
    fn interrupted(&self) -> bool;
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
    /// Called when work on a question begins, with `left_s` seconds of the budget left.
    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64);
}

/// Observer of a run that ends it when the stop rule is satisfied, and forwards everything else.
pub struct Until<'a> {
    /// Stop rule of the point.
    pub stop: StopRule,
    /// Whether the rule has ended the run.
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

    fn interval(&self) -> Duration {
        self.watch.interval()
    }

    fn enough(&mut self, series: &Series) -> bool {
        self.satisfied |= self.stop.enough(series);
        self.satisfied
    }
}
