//! The experiment that separates the remaining candidates best.

use super::change::{LoadChange, RateChange, Trend};
use super::{Bottleneck, BottleneckAnswer, BottleneckCard, Standing};
use serde::{Deserialize, Serialize};

/// Ratio of the rates of the same load from which the device has changed.
const CHANGED: f64 = 1.2;

/// Load that differs from the load in question, by ascending cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BottleneckExperiment {
    /// More I/Os in flight.
    Deeper,
    /// Fewer I/Os in flight.
    Shallower,
    /// As many I/Os in flight over more jobs.
    MoreJobs,
    /// The same load at a fraction of its rate.
    LightLoad,
    /// The device under the file system.
    Beneath,
    /// The same load without the I/O scheduler.
    Unscheduled,
}

impl BottleneckExperiment {
    /// All experiments.
    pub const ALL: [BottleneckExperiment; 6] = [
        BottleneckExperiment::Deeper,
        BottleneckExperiment::Shallower,
        BottleneckExperiment::MoreJobs,
        BottleneckExperiment::LightLoad,
        BottleneckExperiment::Beneath,
        BottleneckExperiment::Unscheduled,
    ];

    /// Returns the change of the load; `None` for the load at a lower rate.
    pub fn change(self) -> Option<LoadChange> {
        match self {
            BottleneckExperiment::Deeper => Some(LoadChange::Deeper),
            BottleneckExperiment::Shallower => Some(LoadChange::Shallower),
            BottleneckExperiment::MoreJobs => Some(LoadChange::MoreJobs),
            BottleneckExperiment::Beneath => Some(LoadChange::Beneath),
            BottleneckExperiment::Unscheduled => Some(LoadChange::Unscheduled),
            BottleneckExperiment::LightLoad => None,
        }
    }

    /// Returns the outcome that a candidate predicts; `None` if it predicts none.
    fn predicted(self, candidate: Bottleneck) -> Option<Trend> {
        use Bottleneck::*;
        use BottleneckExperiment::*;
        match (self, candidate) {
            (Deeper, QueueDepth) => Some(Trend::Rises),
            (Deeper, Memory | CpuContention) => None,
            (Deeper, _) => Some(Trend::Same),
            (Shallower, QueueDepth | BlockQueue) => Some(Trend::Falls),
            (Shallower, VisibleThrottle | HiddenThrottle | Link | Medium | OwnPace) => Some(Trend::Same),
            (MoreJobs, LoadGenerator) => Some(Trend::Rises),
            (MoreJobs, Memory | CpuContention) => None,
            (MoreJobs, _) => Some(Trend::Same),
            // Of the latency: that of a throttle falls to the device's own, that of a device with one server does not.
            (LightLoad, HiddenThrottle) => Some(Trend::Falls),
            (LightLoad, Medium) => Some(Trend::Same),
            (Beneath, FileSystem) => Some(Trend::Rises),
            (Beneath, QueueDepth | Medium | VisibleThrottle | HiddenThrottle | BlockQueue | Scheduler) => {
                Some(Trend::Same)
            }
            (Unscheduled, Scheduler) => Some(Trend::Rises),
            (Unscheduled, QueueDepth | Medium | HiddenThrottle | FileSystem | Link) => Some(Trend::Same),
            _ => None,
        }
    }
}

/// Experiments that the target permits.
pub type Feasible<'a> = &'a dyn Fn(BottleneckExperiment, &BottleneckCard) -> bool;

/// Returns the experiment that separates most pairs of the candidates that are left, and was not done yet; `None` if one
/// candidate is left or no experiment separates any.
pub fn next_experiment(card: &BottleneckCard, feasible: Feasible<'_>) -> Option<BottleneckExperiment> {
    let left: Vec<Bottleneck> =
        Bottleneck::ALL.into_iter().filter(|c| card.standing(*c) != Standing::Excluded).collect();
    let separates = |experiment: BottleneckExperiment| {
        let predicted: Vec<Trend> = left.iter().filter_map(|c| experiment.predicted(*c)).collect();
        let pairs = predicted.iter().enumerate();
        pairs.map(|(at, one)| predicted[at + 1..].iter().filter(|other| *other != one).count()).sum::<usize>()
    };
    BottleneckExperiment::ALL
        .into_iter()
        .rev()
        .filter(|experiment| !card.tried(*experiment) && feasible(*experiment, card))
        .max_by_key(|experiment| separates(*experiment))
        .filter(|experiment| separates(*experiment) > 0)
}

impl BottleneckCard {
    /// Returns whether the answer rests on a change of the rate that the load in question should confirm: the device may
    /// have changed, or the machine may have been busier during one of the two loads.
    pub fn needs_repetition(&self) -> bool {
        let Some(base) = self.samples.first() else { return false };
        let changed = |change| {
            RateChange::of(&self.samples, change)
                .is_some_and(|change| matches!(change.trend(), Trend::Rises | Trend::Falls))
        };
        let changed = match self.answer {
            BottleneckAnswer::Named { limit: Bottleneck::LoadGenerator } => changed(LoadChange::MoreJobs),
            BottleneckAnswer::Named { limit: Bottleneck::FileSystem } => changed(LoadChange::Beneath),
            BottleneckAnswer::Named { limit: Bottleneck::Scheduler } => changed(LoadChange::Unscheduled),
            BottleneckAnswer::Named {
                limit: Bottleneck::QueueDepth | Bottleneck::Medium | Bottleneck::HiddenThrottle,
            }
            | BottleneckAnswer::CannotTell { .. } => changed(LoadChange::Deeper),
            BottleneckAnswer::Named { .. } => false,
        };
        changed && self.samples.iter().filter(|sample| sample.shape == base.shape).count() < 2
    }

    /// Returns whether the last load repeats the load in question at another rate: the device has changed, and only this
    /// load shows its present state.
    pub fn has_changed(&self) -> bool {
        let [base, .., last] = self.samples.as_slice() else { return false };
        let ratio = last.rate.value / base.rate.value;
        // In the middle between two loads whose rates differ, a rate that drifts is that of the load in question.
        let drifts =
            RateChange::of(&self.samples, LoadChange::Deeper).is_some_and(|c| c.trend() == Trend::Same);
        last.shape == base.shape && !(1.0 / CHANGED..=CHANGED).contains(&ratio) && !drifts
    }

    /// Returns whether the loads include the experiment.
    pub fn tried(&self, experiment: BottleneckExperiment) -> bool {
        match experiment.change() {
            Some(change) => RateChange::of(&self.samples, change).is_some(),
            None => self.samples.iter().any(|sample| sample.shape.paced),
        }
    }
}
