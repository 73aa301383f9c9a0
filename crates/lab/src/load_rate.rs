//! The rate of a load that is compared with a limit or with another load.

use stats::estimate::Estimate;
use stats::series::Counted;
use stats::{Direction, DirectionOutcome, JobOutcome, RunResult, Series};

/// Smallest share of the I/Os that the windows of a load hold if they show its rate, together with those in flight at the
/// end, which complete after the last window.
const COVERED: f64 = 0.9;
/// Smallest share that the windows themselves hold.
const COUNTED: f64 = 0.5;

/// Rate of a load and its course.
pub(crate) struct LoadRate {
    /// I/Os per second with the 95 % interval; without an interval if the run was too short for one. The time ends with
    /// the issue of the last I/O: I/Os that were in flight then and take long do not lower the rate.
    pub rate: Estimate,
    /// I/Os per second of all results over their whole time.
    pub reported: f64,
    /// Completions over time, without the time after the issue of the last I/O.
    pub series: Series,
}

fn flow(job: &JobOutcome, direction: Direction) -> &DirectionOutcome {
    &job.directions[direction as usize]
}

/// Returns the rate of the I/Os of these directions; that of the first series if there are several jobs.
pub(crate) fn of(result: &RunResult, directions: &[Direction]) -> LoadRate {
    let flows = || {
        let of = |job| directions.iter().map(move |direction| flow(job, *direction));
        result.jobs.iter().flat_map(of)
    };
    let all = result.series.first().map(|(_, series)| series.clone()).unwrap_or_default();
    let all = match directions {
        [one] => all.only(*one),
        _ => all,
    };
    let series = all.without_drain(result.layers.depth_reached);
    let (counted, reported) =
        (Counted::of(&series.windows), flows().map(DirectionOutcome::iops).sum::<f64>());
    let done: u64 = flows().map(|flow| flow.ios).sum();
    let (in_windows, done) = (Counted::of(&all.windows).ios as f64, done as f64);
    let covered = in_windows + result.layers.depth_reached >= COVERED * done && in_windows >= COUNTED * done;
    let value = if covered { counted.rate() } else { reported };
    let rate = match series.half_width_percent() {
        Some(half) => Estimate::around(value, value * half / 100.0),
        None => Estimate::bare(value),
    };
    LoadRate { rate, reported, series }
}
