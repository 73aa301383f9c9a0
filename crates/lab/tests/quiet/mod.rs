//! A watcher that shows nothing.

use lab::characterize::CharacterizePart;
use lab::pts::PtsWatch;
use run::{Notice, Watch};
use stats::Live;
use stats::bottleneck::LoadShape;
use stats::pts::{PtsOrder, PtsProgress, PtsTest};
use stats::study::{Access, Question};

/// Shows nothing of runs, studies, experiments and measurements.
pub struct Quiet;

impl Watch for Quiet {
    fn notice(&mut self, _: Notice) {}
    fn look(&mut self, _: &Live) {}
}

impl lab::explore::runner::Progress for Quiet {
    fn question(&mut self, _: Question, _: &Access, _: &str, _: f64) {}
}

impl lab::explain::Progress for Quiet {
    fn filling(&mut self) {}
    fn measuring(&mut self, _: &LoadShape) {}
}

impl lab::characterize::Progress for Quiet {
    fn part(&mut self, _: CharacterizePart) {}
}

impl lab::files::Progress for Quiet {
    fn leftover(&mut self, _: &lab::files::Leftover) {}
    fn look(&mut self, _: stats::files::FilesPhase, _: u32, _: u64) {}
}

impl PtsWatch for Quiet {
    fn measuring(&mut self, _: PtsTest, _: &PtsOrder, _: &PtsProgress) {}
    fn purging(&mut self, _: PtsTest) {}
}
