//! A watcher that shows nothing.

use run::{Notice, Watch};
use stats::Live;
use stats::bottleneck::LoadShape;
use stats::study::{Access, Question};

/// Shows nothing of runs, studies and experiments.
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
