//! Results of the tests that follow a device over time: write saturation, host idle recovery and cross stimulus
//! recovery.

use super::load::PtsLoad;
use super::sample::{PtsPhase, PtsSample};
use super::window::{PtsQuantity, PtsSteady};
use serde::{Deserialize, Serialize};

/// Number of minutes from one steady-state sample of the write saturation test to the next: 30 minutes of writes, then
/// the minute of the sample.
pub const SATURATION_ROUND: u32 = 31;
/// Number of minutes of a preconditioning round.
pub const PRECONDITION_ROUND: u32 = 30;
/// Idle times of host idle recovery, seconds.
pub const WAITS_S: [u32; 5] = [5, 10, 15, 25, 50];
/// Capacities that the write saturation test writes at most.
pub const SATURATION_FILLS: f64 = 4.0;

/// Reason why the write saturation test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsSaturationEnd {
    /// Four times the capacity was written.
    Written,
    /// Six hours passed.
    Time,
    /// Steady state was achieved.
    Steady,
}

/// Result of the write saturation test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsSaturation {
    /// One sample per minute.
    pub minutes: Vec<PtsSample>,
    /// Bytes written from the purge to the end of each minute, in the order of `minutes`.
    pub written: Vec<u64>,
    /// The same as multiples of the capacity.
    pub drive_fills: Vec<f64>,
    /// Steady state of the samples at minutes 31, 62 and so on.
    pub steady: PtsSteady,
    /// Reason of the end; `None` if the test did not come to its end.
    pub ended: Option<PtsSaturationEnd>,
    /// Twenty minutes with one I/O in flight afterwards, with all latencies; `None` if not measured.
    pub histogram: Option<PtsSample>,
}

impl PtsSaturation {
    /// Returns the result of these samples on a device of `capacity` bytes; at most `most_minutes` minutes were to be
    /// measured.
    pub fn of(samples: &[&PtsSample], capacity: u64, most_minutes: u32) -> PtsSaturation {
        let minutes = phase(samples, PtsPhase::Saturation);
        let written: Vec<u64> = minutes
            .iter()
            .scan(0u64, |sum, minute| {
                *sum += minute.bytes[1];
                Some(*sum)
            })
            .collect();
        let drive_fills: Vec<f64> = written.iter().map(|w| *w as f64 / capacity.max(1) as f64).collect();
        let steady = rounds_of(&minutes, |minute| minute % SATURATION_ROUND == 0);
        let full = drive_fills.last().is_some_and(|fills| *fills >= SATURATION_FILLS);
        let ended = if steady.met() {
            Some(PtsSaturationEnd::Steady)
        } else if full {
            Some(PtsSaturationEnd::Written)
        } else {
            (minutes.len() as u32 >= most_minutes).then_some(PtsSaturationEnd::Time)
        };
        PtsSaturation { written, drive_fills, steady, ended, histogram: histogram(samples, 0), minutes }
    }
}

/// Returns copies of the samples of a phase.
pub(super) fn phase(samples: &[&PtsSample], phase: PtsPhase) -> Vec<PtsSample> {
    samples.iter().filter(|s| s.place.phase == phase).map(|s| (*s).clone()).collect()
}

/// Returns the sample of a part that kept its latencies.
pub(super) fn histogram(samples: &[&PtsSample], part: u32) -> Option<PtsSample> {
    let found = samples.iter().find(|s| s.place.phase == PtsPhase::Histogram && s.place.part == part);
    found.map(|s| (*s).clone())
}

/// Returns the steady state of the IOPS of those minutes (counted from 1) that `taken` selects.
fn rounds_of(minutes: &[PtsSample], taken: impl Fn(u32) -> bool) -> PtsSteady {
    let values: Vec<f64> =
        minutes.iter().zip(1..).filter(|(_, n)| taken(*n)).map(|(minute, _)| minute.iops).collect();
    let load: Option<PtsLoad> = minutes.first().map(|minute| minute.load);
    PtsSteady::of(load.map(|load| (load, PtsQuantity::Iops, values)))
}

/// Preconditioning in rounds of 30 minutes until steady state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsPreconditioning {
    /// One sample per minute.
    pub minutes: Vec<PtsSample>,
    /// Steady state of one minute of each round.
    pub steady: PtsSteady,
}

impl PtsPreconditioning {
    /// Returns the preconditioning among these samples; a round is represented by its first minute, or by its last if
    /// `last`.
    pub fn of(samples: &[&PtsSample], last: bool) -> PtsPreconditioning {
        let minutes = phase(samples, PtsPhase::Precondition);
        let steady = rounds_of(&minutes, |minute| minute % PRECONDITION_ROUND == if last { 0 } else { 1 });
        PtsPreconditioning { minutes, steady }
    }
}

/// One idle time of host idle recovery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsWaitState {
    /// Idle time between two bursts without the scale, seconds.
    pub wait_s: u32,
    /// Bursts of writes; `idle_s` of each is the idle time before it.
    pub bursts: Vec<PtsSample>,
    /// Minutes of continuous writes afterwards.
    pub return_minutes: Vec<PtsSample>,
    /// Mean of the bursts' I/Os per second.
    pub mean_iops: f64,
    /// This mean divided by the baseline; `None` without a baseline.
    pub gain: Option<f64>,
    /// Largest rate of a burst, I/Os per second.
    pub most_iops: f64,
    /// Minutes of continuous writes until the rate is within 10 % of the baseline for the first time; `None` if it was
    /// not.
    pub return_minute: Option<u32>,
}

/// Result of host idle recovery.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsIdleRecovery {
    /// Preconditioning, whose steady state is judged by the last minute of each round.
    pub preconditioning: PtsPreconditioning,
    /// Rate without idle times: the mean over the measurement window of the preconditioning; `None` with fewer than
    /// five rounds.
    pub baseline_iops: Option<f64>,
    /// Wait states in the order of measurement.
    pub states: Vec<PtsWaitState>,
}

/// Relative distance from the baseline within which a rate has returned to it.
const RETURNED: f64 = 0.10;

impl PtsIdleRecovery {
    /// Returns the result of these samples.
    pub fn of(samples: &[&PtsSample]) -> PtsIdleRecovery {
        let preconditioning = PtsPreconditioning::of(samples, true);
        let window = preconditioning.steady.variables.first().and_then(|v| v.window);
        let baseline_iops = window.map(|window| window.average);
        let state = |(part, wait_s): (u32, u32)| {
            let of = |wanted| {
                let mine = samples.iter().filter(|s| s.place.phase == wanted && s.place.part == part);
                mine.map(|s| (*s).clone()).collect::<Vec<_>>()
            };
            let (bursts, return_minutes) = (of(PtsPhase::Burst), of(PtsPhase::Return));
            if bursts.is_empty() {
                return None;
            }
            let mean_iops = bursts.iter().map(|b| b.iops).sum::<f64>() / bursts.len() as f64;
            let returned =
                |s: &PtsSample| baseline_iops.is_some_and(|base| (s.iops / base - 1.0).abs() <= RETURNED);
            Some(PtsWaitState {
                wait_s,
                mean_iops,
                gain: baseline_iops.filter(|base| *base > 0.0).map(|base| mean_iops / base),
                most_iops: bursts.iter().map(|b| b.iops).fold(0.0, f64::max),
                return_minute: return_minutes.iter().position(returned).map(|at| at as u32 + 1),
                bursts,
                return_minutes,
            })
        };
        PtsIdleRecovery {
            states: (0..).zip(WAITS_S).filter_map(state).collect(),
            preconditioning,
            baseline_iops,
        }
    }
}

/// Result of cross stimulus recovery.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsCrossStimulus {
    /// Minutes of the first group of sequential 1 MiB writes.
    pub first: Vec<PtsSample>,
    /// Minutes of random 8 KiB writes.
    pub between: Vec<PtsSample>,
    /// Minutes of the second group of sequential 1 MiB writes.
    pub second: Vec<PtsSample>,
    /// Steady throughput of the first group: the mean of its last hour, bytes per second; `None` without samples.
    pub steady_before: Option<f64>,
    /// Mean throughput of the last hour of the second group, bytes per second; `None` without samples.
    pub steady_after: Option<f64>,
    /// Minutes, without the scale, from the start of the second group to the end of the first minute whose throughput
    /// reaches `steady_before`; `None` if none does. A minute reaches it if it is lower by at most 1 % or twice the
    /// standard deviation of the minutes of which `steady_before` is the mean: half of them are below their mean.
    pub recovery_minutes: Option<u32>,
    /// The same for 95 % of `steady_before`.
    pub nearly_recovered_minutes: Option<u32>,
    /// Largest mean latency of a minute after each of the two changes of the stimulus, nanoseconds.
    pub peak_mean_ns: [Option<f64>; 2],
    /// Longest latency after each of the two changes of the stimulus, nanoseconds.
    pub peak_max_ns: [Option<u64>; 2],
}

/// Minutes at the end of a group whose mean is its steady throughput.
const STEADY_MINUTES: usize = 60;
/// Shortfall of a minute from the steady throughput that is not counted, as a share.
const ALLOWED_SHORTFALL: f64 = 0.01;
/// Share of the steady throughput that counts as nearly recovered.
const NEARLY: f64 = 0.95;

impl PtsCrossStimulus {
    /// Returns the result of these samples.
    pub fn of(samples: &[&PtsSample]) -> PtsCrossStimulus {
        let [first, between, second] =
            [PtsPhase::FirstGroup, PtsPhase::Between, PtsPhase::SecondGroup].map(|p| phase(samples, p));
        // Mean and standard deviation of the minutes of the last hour.
        let steady = |group: &[PtsSample]| {
            let last = &group[group.len().saturating_sub(STEADY_MINUTES)..];
            let mean = last.iter().map(|s| s.bytes_per_second).sum::<f64>() / last.len() as f64;
            let squares: f64 = last.iter().map(|s| (s.bytes_per_second - mean).powi(2)).sum();
            (!last.is_empty()).then(|| (mean, (squares / last.len() as f64).sqrt()))
        };
        let before = steady(&first);
        let steady_before = before.map(|(mean, _)| mean);
        let reached =
            |least: f64| second.iter().position(|s| s.bytes_per_second >= least).map(|at| at as u32 + 1);
        let mean = |group: &[PtsSample]| group.iter().map(|s| s.mean_ns).reduce(f64::max);
        let longest = |group: &[PtsSample]| group.iter().map(|s| s.max_ns).max();
        PtsCrossStimulus {
            steady_after: steady(&second).map(|(mean, _)| mean),
            recovery_minutes: before.and_then(|(mean, deviation)| {
                reached(mean - (2.0 * deviation).max(ALLOWED_SHORTFALL * mean))
            }),
            nearly_recovered_minutes: before.and_then(|(mean, _)| reached(mean * NEARLY)),
            peak_mean_ns: [mean(&between), mean(&second)],
            peak_max_ns: [longest(&between), longest(&second)],
            first,
            between,
            second,
            steady_before,
        }
    }
}
