//! Combination of the directions of an entry (`unified_rw_reporting`).

use crate::outcome::{DirectionOutcome, JobOutcome, Unified};
use std::borrow::Cow;

/// Names of the parts of a report, indexed by the number from [`JobOutcome::parts`].
pub const PARTS: [&str; 4] = ["read", "write", "trim", "mixed"];

impl JobOutcome {
    /// Returns all directions combined: counts and latencies of all I/Os, the longest runtime, and samples summed as
    /// in a reporting group.
    pub fn mixed(&self) -> DirectionOutcome {
        let [mut all, write, trim] = self.directions.clone();
        all.merge(&write);
        all.merge(&trim);
        all
    }

    /// Returns the parts of this entry in the order of the report, each as its index in [`PARTS`] and its figures.
    pub fn parts(&self) -> Vec<(usize, Cow<'_, DirectionOutcome>)> {
        let each = self.directions.iter().map(Cow::Borrowed).enumerate();
        let all = || [(3, Cow::Owned(self.mixed()))].into_iter();
        match self.shown.unified {
            Unified::None => each.collect(),
            Unified::Mixed => all().collect(),
            Unified::Both => each.chain(all()).collect(),
        }
    }
}
