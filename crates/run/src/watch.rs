//! Who watches a run: told what happens, asked whether to go on. Printing is the watcher's business.

use crate::line::Line;
use stats::{JobError, Live, Note, RunResult, Series};
use std::time::Duration;

/// Something to be told at once.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A job's files are about to be made.
    Layout {
        /// Job name.
        job: String,
        /// Files.
        files: u64,
        /// Bytes in all.
        bytes: u64,
    },
    /// Bytes of layout written so far, of all.
    LayoutProgress {
        /// Written.
        done: u64,
        /// Of so many.
        total: u64,
    },
    /// Workers are about to start: how many asked for `thread`, how many did not.
    Starting {
        /// With `thread`.
        threads: u32,
        /// Without.
        processes: u32,
    },
    /// A line for standard output.
    Said(Line),
    /// A line for standard error.
    Line(Line),
    /// A note that belongs on standard error as it is.
    Note(Note),
    /// A job failed.
    Failed {
        /// Thread id; 0 when it never started.
        pid: u32,
        /// Why.
        error: JobError,
        /// Lines for standard error, such as one per failed I/O.
        lines: Vec<Line>,
    },
}

/// A watcher.
pub trait Watch {
    /// Something happened.
    fn notice(&mut self, notice: Notice);
    /// A look at the run, about once per [`Watch::interval`].
    fn look(&mut self, live: &Live);
    /// Whether a whole report is wanted now, while the run goes on. Asked several times a second.
    fn report_due(&mut self) -> bool {
        false
    }
    /// The report that [`Watch::report_due`] asked for.
    fn report(&mut self, _result: RunResult) {}
    /// Whether enough was measured: asked whenever a window of the running phase's rate has ended. `true` ends the jobs
    /// of the phase as if their runtime were over.
    fn enough(&mut self, _series: &Series) -> bool {
        false
    }
    /// How often to look.
    fn interval(&self) -> Duration {
        Duration::from_secs(1)
    }
}

/// Watches in silence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {
    fn notice(&mut self, _: Notice) {}
    fn look(&mut self, _: &Live) {}
}
