//! Period of a throttle that permits a number of I/Os per slice of time: most I/Os complete at once, the others wait
//! for the next slice.

use crate::estimate::Estimate;
use crate::histogram::Histogram;
use crate::series::Series;

/// Ratio of a wait to the other latencies from which the two are apart.
const APART: u64 = 8;
/// Largest number of I/Os between the two modes or above both, as a share of those that wait.
pub const BESIDE: f64 = 0.15;
/// Largest ratio of the 90th to the 10th percentile of the waits.
pub const ALIKE: f64 = 1.6;
/// Smallest number of waits per I/O in flight.
const LEAST_WAITS: f64 = 3.0;
/// Silence of so many slices, and of so many windows, is a stall.
const STALL: f64 = 2.0;
const STALL_WINDOWS: usize = 4;

/// Two modes of a latency: I/Os that completed at once, and those that waited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modes {
    /// Number of I/Os that waited, and of those that are in neither mode.
    pub waited: f64,
    pub beside: f64,
    /// Median wait, nanoseconds.
    pub wait_ns: f64,
    /// Share of all latency (0 to 1) that is spent in waits.
    pub share: f64,
    /// Share of the I/Os (0 to 1) that waited.
    pub of_ios: f64,
}

/// Returns the two modes of a latency; `None` if it does not have exactly two that are apart.
pub(super) fn modes(latency: &Histogram) -> Option<Modes> {
    let all: f64 = latency.buckets().map(|(ns, n)| ns as f64 * n as f64).sum();
    // Half of the time in flight is spent in I/Os of at least this latency.
    let mut sum = 0.0;
    let middle = latency.buckets().find(|(ns, n)| {
        sum += *ns as f64 * *n as f64;
        2.0 * sum >= all
    })?;
    let (from, to) = (middle.0 / 2, middle.0.saturating_mul(2));
    let between = |a, b| latency.count_between(a, b) as f64;
    let (waited, fast) = (between(from, to), between(0, from / APART * 2));
    let beside = between(from / APART * 2, from) + between(to, u64::MAX);
    let n = waited + fast + beside;
    let quantile = |share: f64| latency.quantile(100.0 * (fast + beside + waited * share) / n);
    let (low, high) = (quantile(0.1)? as f64, quantile(0.9)? as f64);
    let found = waited > 0.0 && 2.0 * fast >= waited && beside <= BESIDE * waited && high <= ALIKE * low;
    let in_waits: f64 =
        latency.buckets().filter(|(ns, _)| *ns >= from).map(|(ns, n)| ns as f64 * n as f64).sum();
    let wait_ns = quantile(0.5)? as f64;
    found.then(|| Modes { waited, beside, wait_ns, share: in_waits / all, of_ios: waited / n })
}

impl Modes {
    /// Returns the period in seconds of slices in which each of `in_flight` I/Os waits once, over `seconds`; `None` with
    /// too few waits.
    pub(super) fn period(&self, in_flight: f64, seconds: f64) -> Option<Estimate> {
        let per = in_flight * seconds;
        // The first and the last slice may be cut, and I/Os in neither mode may have waited.
        let (most, least) = (self.waited + self.beside + in_flight, self.waited - in_flight);
        let value = per / self.waited;
        (self.waited >= LEAST_WAITS * in_flight).then(|| Estimate {
            value,
            low: per / most,
            high: per / least.max(1.0),
        })
    }
}

/// Returns the series with stalls cut to the usual silence between slices; `None` without stalls. A machine that keeps
/// everything waiting for some slices loses them, and they say nothing about the throttle.
pub(super) fn without_stalls(series: &Series, period_s: f64) -> Option<Series> {
    let silent: Vec<usize> = series
        .windows
        .chunk_by(|a, b| (a.all_ios() == 0) == (b.all_ios() == 0))
        .map(|run| if run[0].all_ios() == 0 { run.len() } else { 0 })
        .filter(|windows| *windows > 0)
        .collect();
    let longest = ((STALL * period_s * 1e9 / series.period as f64).ceil() as usize).max(STALL_WINDOWS);
    let mut sorted = silent.clone();
    sorted.sort_unstable();
    let usual = sorted.get(sorted.len() / 2).copied().filter(|usual| *usual < longest)?;
    if silent.iter().all(|windows| *windows < longest) {
        return None;
    }
    let runs = series.windows.chunk_by(|a, b| (a.all_ios() == 0) == (b.all_ios() == 0));
    let kept = runs.flat_map(|run| {
        let stall = run[0].all_ios() == 0 && run.len() >= longest;
        run[..if stall { usual } else { run.len() }].iter().copied()
    });
    let mut cut = series.clone();
    cut.windows = kept.collect();
    Some(cut)
}
