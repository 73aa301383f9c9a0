//! Precision of a run's rate over time, as evaluated by the stop rule.

use crate::converge::{LEAST_SLICES, level};
use crate::estimate::Estimate;
use crate::series::Series;

/// Approximate number of evaluations of a run.
const LOOKS: usize = 60;

/// Returns the mean rate since `cut_s` (seconds) at several times of the run: (seconds since its start, I/Os per
/// second with 95 % interval). The first is as soon as there are enough windows for an interval.
pub fn progress(series: &Series, cut_s: f64) -> Vec<(f64, Estimate)> {
    let mut now = 0.0;
    let mut rest = Vec::new();
    let mut ends = Vec::new();
    for window in &series.windows {
        // A window across the cut belongs to the warm-up.
        let begin = now;
        now += window.nanos as f64 / 1e9;
        if begin + 1e-9 >= cut_s {
            rest.push(*window);
            ends.push(now);
        }
    }
    let step = (rest.len() / LOOKS).max(1);
    let looks = (LEAST_SLICES..=rest.len()).filter(|n| (rest.len() - n).is_multiple_of(step));
    looks.filter_map(|n| Some((ends[n - 1], level(&rest[..n])?.estimate()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Window;

    #[test]
    fn the_interval_narrows_and_holds_the_mean_of_what_was_not_cut() {
        let rate = |at: u64| if at < 10 { 900 } else { 100 + (at * 7919) % 21 };
        let windows: Vec<Window> =
            (0..210).map(|at| Window { nanos: 100_000_000, ios: [rate(at), 0, 0], bytes: [0; 3] }).collect();
        let mut series = Series::with(Series::WINDOW);
        series.windows = windows;
        let seen = progress(&series, 1.0);
        // Twenty windows after the cut at the earliest, and not much later.
        let begin = seen.first().map_or(0.0, |s| s.0);
        assert!((3.0 - 1e-6..3.5).contains(&begin), "{begin}");
        let (first, last) = (seen.first().map(|s| s.1), seen.last().copied());
        let (end, last) = last.unwrap_or_default();
        assert!((end - 21.0).abs() < 1e-6 && last.holds(1100.0), "{end} {last:?}");
        assert!(first.is_some_and(|first| first.half() > 2.0 * last.half()), "{first:?} {last:?}");
        assert!((LOOKS..=2 * LOOKS).contains(&seen.len()), "{}", seen.len());
        assert!(progress(&Series::default(), 0.0).is_empty());
    }
}
