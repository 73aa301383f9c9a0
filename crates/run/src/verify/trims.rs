//! Trims of a share of the blocks that a job has written (`trim_percentage`): some after every `trim_backlog` writes, and
//! the rest at the end of the pass.

use super::read_back::WrittenFiles;
use crate::random::{below, generator, stream};
use engine::Op;
use job::verify::TrimSpec;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Trims of one worker.
#[derive(Debug)]
pub(crate) struct Trims {
    spec: TrimSpec,
    coin: Xoshiro256PlusPlus,
    /// Writes that have completed since the last round.
    writes: u64,
    /// Number of blocks that the current round may still trim.
    left: u64,
}

impl Trims {
    pub(crate) fn new(spec: TrimSpec, seed: u64) -> Self {
        Self { spec, coin: generator(seed, stream::TRIM), writes: 0, left: 0 }
    }

    /// Whether trimmed blocks have to contain only zeros.
    pub(crate) fn zeros(&self) -> bool {
        self.spec.zeros
    }

    /// Returns whether the next write is trimmed later. One number is drawn per write, so that another run of the job
    /// draws the same.
    pub(crate) fn draw(&mut self) -> bool {
        below(self.coin.next_u64(), 100) < u64::from(self.spec.percent)
    }

    /// Counts a completed write.
    pub(crate) fn count_write(&mut self) {
        self.writes += 1;
    }

    /// Begins to trim all marked blocks, at the end of a pass.
    pub(crate) fn drain(&mut self) {
        (self.writes, self.left) = (0, u64::MAX);
    }

    /// Returns the next trim, if one is due, whose blocks are no longer marked.
    pub(crate) fn next(&mut self, files: &mut WrittenFiles, largest: u64) -> Option<Op> {
        if let Some(backlog) = self.spec.backlog
            && self.writes >= backlog.every.get()
        {
            (self.writes, self.left) = (0, backlog.batch.get());
        }
        if self.left == 0 {
            return None;
        }
        let Some(trim) = files.next_trim(largest) else {
            self.left = 0;
            return None;
        };
        self.left -= 1;
        files.unmark(&trim);
        Some(trim)
    }
}
