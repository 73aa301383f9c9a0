//! How evenly the I/Os of a load complete: like those of a device, or like those of a throttle.

use super::BottleneckSample;
use crate::series::{Pause, Series, Window};

/// Smallest number of completions from which their evenness is judged.
const COUNTED: u64 = 200;
/// Number of long windows over which completions are counted.
const LONG: usize = 25;
/// Number of windows that are longer than those: in them, the I/Os that a slow device behind a throttle delayed have
/// completed.
const LONGEST: usize = 8;
/// Smallest coefficient of variation of service times with which the dispersion of completions is that of the service
/// times; what a disk that sorts its queue completes is more even.
const VARIED: f64 = 0.5;
/// Number of short windows in a long one.
const SHORT: usize = 4;
/// Smallest dispersion (variance over mean) of the counts of a device without a throttle.
const STRAYS: f64 = 0.05;
/// Smallest ratio of the dispersion of long windows to that of short ones with which the completions stray at random. It
/// falls like the reciprocal of the length if they only stray around a line.
const AT_RANDOM: f64 = 0.5;
/// Largest share of the time that pauses of a device take; more is the rhythm of a throttle.
const PAUSED: f64 = 0.1;
/// Largest share of nearly empty windows with which the completions do not come in slices.
const EMPTY: f64 = 0.1;

/// Dispersion (variance over mean) of the completions in windows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strays {
    /// In long windows.
    pub long: f64,
    /// In the longest windows.
    longest: f64,
    /// In windows of a fraction of that length.
    short: f64,
    /// Whether many windows are nearly empty, as between slices.
    gaps: bool,
}

impl Strays {
    /// Returns the dispersions of a load without its pauses; `None` if it has too few I/Os.
    pub(super) fn of(sample: &BottleneckSample) -> Option<Strays> {
        let windows = &without_pauses(&sample.series);
        let all: u64 = windows.iter().map(Window::all_ios).sum();
        if all < COUNTED || windows.len() < LONG * SHORT {
            return None;
        }
        let by = windows.len() / LONG;
        let counts = |by: usize| -> Vec<f64> {
            windows.chunks_exact(by).map(|w| w.iter().map(Window::all_ios).sum::<u64>() as f64).collect()
        };
        let mean = |counts: &[f64]| counts.iter().sum::<f64>() / counts.len() as f64;
        let dispersion = |counts: &[f64]| {
            let mean = mean(counts);
            let squares: f64 = counts.iter().map(|count| (count - mean).powi(2)).sum();
            squares / (counts.len() - 1) as f64 / mean
        };
        let each = counts(1);
        // Of windows with few I/Os, some are empty by chance.
        let filled = (4.0 / mean(&each)).ceil().max(1.0) as usize;
        let filled = counts(filled.min(by));
        let empty = filled.iter().filter(|count| **count < mean(&filled) / 4.0).count() as f64;
        Some(Strays {
            long: dispersion(&counts(by)),
            longest: dispersion(&counts(windows.len() / LONGEST)),
            short: dispersion(&counts(by / SHORT)),
            gaps: empty >= EMPTY * filled.len() as f64,
        })
    }

    /// Returns whether the completions of these loads stray as those of a device whose service times have this coefficient
    /// of variation; false without loads.
    pub(super) fn like_a_device(loads: &[Strays], varied: f64) -> bool {
        let least = AT_RANDOM * varied.powi(2);
        let longest = loads.iter().map(|load| load.longest).sum::<f64>() / loads.len().max(1) as f64;
        let evens_out = varied >= VARIED && longest < least;
        !evens_out && !loads.is_empty() && loads.iter().all(|load| load.strays() && load.long >= least)
    }

    /// Returns whether the completions of these loads stray at random in long windows as in short ones; false without loads.
    pub(super) fn stay_at_random(loads: &[Strays]) -> bool {
        !loads.is_empty() && loads.iter().all(|load| load.strays() && load.long >= AT_RANDOM * load.short)
    }

    fn strays(&self) -> bool {
        !self.gaps && self.long > STRAYS
    }
}

/// Returns the pauses of a load, if they are few; a pause of the device delays what a throttle evens out.
fn pauses(series: &Series) -> Vec<Pause> {
    let pauses = series.pauses(series.windows.first().map_or(1, |window| window.nanos / 2));
    let paused: u64 = pauses.iter().map(|pause| pause.nanos).sum();
    let whole: u64 = series.windows.iter().map(|window| window.nanos).sum();
    if paused as f64 <= PAUSED * whole as f64 { pauses } else { Vec::new() }
}

/// Returns the share of the time that pauses of a load take (0 to 0.1).
pub(super) fn paused_share(series: &Series) -> f64 {
    let whole: u64 = series.windows.iter().map(|window| window.nanos).sum();
    pauses(series).iter().map(|pause| pause.nanos).sum::<u64>() as f64 / whole.max(1) as f64
}

/// Returns the windows that no pause touches.
fn without_pauses(series: &Series) -> Vec<Window> {
    let pauses = pauses(series);
    let mut at = 0;
    let mut kept = series.windows.clone();
    kept.retain(|window| {
        let (start, end) = (at, at + window.nanos);
        at = end;
        // The windows around a pause contain its ends.
        pauses.iter().all(|pause| {
            end + window.nanos < pause.at_nanos || start > pause.at_nanos + pause.nanos + window.nanos
        })
    });
    kept
}
