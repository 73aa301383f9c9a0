//! The watcher of a run: receives notices and figures during the run, and may end it early. Output is up to the
//! watcher.

use crate::line::Line;
use stats::{JobError, Live, Note, RunResult, Series};
use std::time::Duration;

/// An event or text that is passed to the watcher at once.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// The layout of a job's files begins.
    Layout {
        /// Name of the job (`name=`).
        job: String,
        /// Number of files to be created.
        files: u64,
        /// Total size of the files in bytes.
        bytes: u64,
    },
    /// Progress of the layout.
    LayoutProgress {
        /// Number of bytes written so far.
        done: u64,
        /// Number of bytes to be written in all.
        total: u64,
    },
    /// The workers are about to start.
    Starting {
        /// Number of jobs with `thread`.
        threads: u32,
        /// Number of jobs without `thread`. fathom runs them as threads too.
        processes: u32,
    },
    /// A line for standard output.
    Said(Line),
    /// A line for standard error.
    Line(Line),
    /// A line of a host for standard error, in the user's language.
    OfHost {
        /// Name of the host.
        host: String,
        /// Line.
        line: String,
    },
    /// A note for standard error.
    Note(Note),
    /// A job has failed.
    Failed {
        /// Thread id of the worker that failed; 0 if it never started, or if not it but the writer of its logs failed.
        pid: u32,
        /// Error of the job.
        error: JobError,
        /// Lines for standard error, such as one per failed I/O.
        lines: Vec<Line>,
    },
}

/// Receiver of the events and figures of a run.
pub trait Watch {
    /// Receives a notice.
    fn notice(&mut self, notice: Notice);
    /// Receives the live figures, about once per [`Watch::interval`].
    fn look(&mut self, live: &Live);
    /// Returns whether [`Watch::look`] shall receive the figures of the full-screen view ([`Live::detail`]).
    fn detailed(&self) -> bool {
        false
    }
    /// Returns whether a full interim report is requested now. Called several times a second.
    fn report_due(&mut self) -> bool {
        false
    }
    /// Receives the interim report that [`Watch::report_due`] requested.
    fn report(&mut self, _result: RunResult) {}
    /// Returns whether the measurement is long enough; called whenever a window of the running phase's rate has
    /// ended. `true` ends the jobs of the phase as if their runtime were over.
    fn enough(&mut self, _series: &Series) -> bool {
        false
    }
    /// Returns the interval between calls of [`Watch::look`].
    fn interval(&self) -> Duration {
        Duration::from_secs(1)
    }
}

/// A watcher without output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {
    fn notice(&mut self, _: Notice) {}
    fn look(&mut self, _: &Live) {}
}
