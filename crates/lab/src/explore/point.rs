//! Conversion of a measurement into a point of a study, and the conclusions that a point permits.

use super::runner::Measurement;
use stats::converge;
use stats::pauses::SlowStretches;
use stats::study::{Cell, Counted, Ended, Estimate, PercentileIntervals, Point, Question, Trend};
use stats::{Claim, DirectionOutcome, Grade, Histogram, Latency, RunResult, Series, Window};

/// Returns the number of I/Os of the point for one write of the series: a commit counts as one I/O.
pub(super) fn per_write(cell: &Cell) -> f64 {
    let sync = cell.access.sync.filter(|_| cell.access.commits());
    1.0 / sync.map_or(1.0, |sync| sync.every as f64)
}

/// Returns a measurement as a point; `before` has the slow stretches of earlier points of the target.
pub(crate) fn point(
    ordinal: u32,
    question: Question,
    cell: &Cell,
    rest_s: f64,
    measured: Measurement,
    before: &SlowStretches,
) -> Point {
    let Measurement { mut result, satisfied, began_ms, wall_s, state } = measured;
    let series = result.series.first().map(|(_, s)| s.clone()).unwrap_or_default();
    let rate = Rate::of(&result, &series, per_write(cell), before);
    let latencies = Latencies::of(&result, cell);
    let independent = independent_ios(&result, cell, &series, latencies.count);
    let between = |percent: f64| latencies.histogram.interval(percent, independent);
    let tails =
        PercentileIntervals { independent, p50: between(50.0), p99: between(99.0), p999: between(99.9) };
    // Points are short by design; the interval of the rate shows the effect.
    result.findings.retain(|f| !matches!(f.claim, Claim::TooShort { .. } | Claim::Unsteady { .. }));
    let mut findings = std::mem::take(&mut result.findings);
    // They are about the only job, and a table gathers those of many cells.
    findings.iter_mut().for_each(|finding| finding.job.clear());
    let top = result.layers.top_devices().first().map(|d| (*d).clone());
    let requests = top.as_ref().map(|d| d.ios[0] + d.ios[1]).unwrap_or(0);
    let seconds = rate.whole.seconds;
    Point {
        ordinal,
        question,
        cell: cell.clone(),
        began_ms,
        rest_s: rest_s + (wall_s - seconds).max(0.0),
        seconds,
        cut_s: rate.cut_s,
        iops: rate.iops,
        counted: rate.counted,
        bytes_per_second: rate.iops.value * rate.bytes as f64 / rate.ios.max(1) as f64,
        slices: rate.slices,
        correlation: rate.correlation,
        mean_ns: latencies.mean_ns(),
        max_ns: latencies.max_ns,
        p50_ns: latencies.quantile(50.0),
        p99_ns: latencies.quantile(99.0),
        p999_ns: latencies.quantile(99.9),
        tails,
        util_percent: top.as_ref().map(|d| d.util_percent),
        await_ms: top
            .as_ref()
            .filter(|_| requests > 0)
            .map(|d| (d.ticks_ms[0] + d.ticks_ms[1]) as f64 / requests as f64),
        queue: top.as_ref().map(|d| d.in_queue_ms as f64 / result.layers.wall_ms.max(1) as f64),
        cpu_percent: result.layers.busiest_thread_percent,
        ios: rate.ios,
        bytes: rate.bytes,
        ended: match result.provenance.ended_by_signal {
            Some(_) => Ended::Interrupted,
            None if satisfied => Ended::Enough,
            None => Ended::TimeUp,
        },
        trend: rate.trend,
        grade: stats::grade_of(&findings),
        findings,
        series,
        latencies: if matches!(question, Question::Slo | Question::Grid) {
            latencies.histogram
        } else {
            Histogram::default()
        },
        state,
        host_iops: result.host_iops,
    }
}

/// Rate of a point, and the counts that it is computed from.
struct Rate {
    /// I/Os and seconds of all windows.
    whole: Counted,
    /// I/Os of all windows; for durable writes, commits.
    ios: u64,
    bytes: u64,
    iops: Estimate,
    /// I/Os and seconds after the warm-up.
    counted: Counted,
    cut_s: f64,
    trend: Trend,
    slices: u32,
    correlation: f64,
}

impl Rate {
    /// Returns the rate of a result; each I/O of the series counts as `each` I/Os of the point.
    fn of(result: &RunResult, series: &Series, each: f64, before: &SlowStretches) -> Rate {
        let settled = converge::settle_knowing(series, before);
        // I/Os that complete during the ramp or after the runtime are in no window. Without windows the I/Os of the jobs
        // count, which are those since the end of the ramp, as the runtime is; the layers count the ramp, too.
        let all = series.windows.iter().fold(Window::default(), |sum, w| sum.plus(w));
        let runtime_s = result.jobs.iter().map(|j| j.runtime_ms).max().unwrap_or(0) as f64 / 1e3;
        let (whole, bytes) = match series.windows.is_empty() {
            true => {
                let directions = || result.jobs.iter().flat_map(|job| &job.directions);
                (
                    Counted { ios: directions().map(|d| d.ios).sum(), seconds: runtime_s.max(1e-3) },
                    directions().map(|d| d.bytes).sum(),
                )
            }
            false => (Counted::of(&series.windows), all.bytes.iter().sum::<u64>()),
        };
        // With too few windows for an interval, the interval is from zero to twice the observed rate, or to the rate of
        // which no I/O is seen in this time with a probability of 5 % (3 expected).
        let plain = whole.rate();
        let (iops, counted, cut_s, trend) = settled.map_or(
            {
                let high = (2.0 * plain).max(3.0 / whole.seconds.max(1e-3));
                (Estimate { value: plain, low: 0.0, high }, whole, 0.0, Trend::Level)
            },
            |(l, cut, trend)| (l.estimate(), l.counted, cut, trend),
        );
        Rate {
            whole,
            ios: (whole.ios as f64 * each).round() as u64,
            bytes,
            iops: iops.times(each),
            counted,
            cut_s,
            trend,
            slices: settled.map_or(0, |(l, ..)| l.slices as u32),
            correlation: settled.map_or(0.0, |(l, ..)| l.correlation),
        }
    }
}

/// Latencies that the figures of a point are computed from.
#[derive(Default)]
struct Latencies {
    histogram: Histogram,
    nanos: u128,
    count: u64,
    min_ns: u64,
    max_ns: u64,
}

impl Latencies {
    fn of(result: &RunResult, cell: &Cell) -> Latencies {
        let mut all = Latencies { min_ns: u64::MAX, ..Latencies::default() };
        for lat in of_cell(result, cell) {
            all.histogram.merge(&lat.histogram);
            all.nanos += lat.moments.sum;
            all.count += lat.moments.n;
            all.min_ns = all.min_ns.min(lat.moments.least);
            all.max_ns = all.max_ns.max(lat.moments.max());
        }
        all
    }

    fn mean_ns(&self) -> f64 {
        if self.count > 0 { self.nanos as f64 / self.count as f64 } else { 0.0 }
    }

    /// Returns a percentile, nanoseconds; `None` if fewer than ten I/Os exceed it, which is too few for a statement.
    fn quantile(&self, percent: f64) -> Option<u64> {
        let above = self.histogram.count() as f64 * (1.0 - percent / 100.0);
        let value = self.histogram.quantile(percent).filter(|_| above >= 10.0 || percent <= 50.0);
        value.map(|ns| ns.max(self.min_ns).min(self.max_ns))
    }
}

/// Returns the number of I/Os that count as independent. The variation of service times is taken from the latencies of
/// the I/Os themselves, not from the latencies since each I/O was due.
fn independent_ios(result: &RunResult, cell: &Cell, series: &Series, count: u64) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for moments in of_cell(result, &Cell { rate: None, ..cell.clone() }).iter().map(|lat| &lat.moments) {
        sum += moments.sum as f64;
        squares += moments.squares as f64;
    }
    let varied = if count > 0 { (squares * count as f64 / sum.powi(2).max(1.0) - 1.0).max(0.0) } else { 0.0 };
    converge::independent(series, count, varied)
}

/// Returns the latencies that the figures of this cell are computed from: of commits for durable writes, since the due
/// time for scheduled arrivals, else of the I/Os.
fn of_cell<'a>(result: &'a RunResult, cell: &Cell) -> Vec<&'a Latency> {
    let of_ios = |d: &'a DirectionOutcome| if cell.rate.is_some() { &d.scheduled } else { &d.lat };
    if cell.access.commits() {
        result.jobs.iter().map(|j| &j.commit).collect()
    } else {
        result.jobs.iter().flat_map(|j| &j.directions).map(of_ios).collect()
    }
}

/// Returns whether the CPU, not the device, limited the rate of this point.
pub fn generator_bound(point: &Point) -> bool {
    const BUSY_PERCENT: f64 = 85.0;
    // A load with little need for the CPU is not slowed when a part of the CPU time is withheld.
    const MISSED_PERCENT: f64 = 50.0;
    point.cpu_percent >= BUSY_PERCENT
        || rationed(point)
        || point.findings.iter().any(|f| match f.claim {
            Claim::Generator { .. } => true,
            Claim::CpuTakenAway { .. } => point.cpu_percent >= MISSED_PERCENT,
            _ => false,
        })
}

/// Returns whether a quota of CPU time limited the load, so that more jobs would receive no more CPU time.
pub fn rationed(point: &Point) -> bool {
    const HELD_PERCENT: u64 = 5;
    let wall_ms = (point.seconds * 1e3) as u64;
    let held = |c: &Claim| matches!(c, Claim::CpuTakenAway { throttled_ms, .. } if throttled_ms * 100 > HELD_PERCENT * wall_ms);
    point.findings.iter().any(|f| held(&f.claim))
}

/// Returns whether the point did not measure the device and permits no conclusion.
pub fn worthless(point: &Point) -> bool {
    point.grade == Grade::NotTheDevice
}

/// Returns the slow stretches of a point; none if its rate drifts or steps, because it then has no usual level. A visit
/// that begins or ends with a pause looks like a step to zero and counts, because its pause would otherwise be missed.
pub(super) fn slow_of(point: &Point) -> SlowStretches {
    const PAUSED: f64 = 0.1;
    let counts = match point.trend {
        Trend::Level => true,
        Trend::Steps { before, after, .. } => before.min(after) < PAUSED * before.max(after),
        _ => false,
    };
    if counts { SlowStretches::of(&point.series) } else { SlowStretches::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use job::files::NoFiles;
    use job::plan::{FileKind, Inspect, PathState};
    use job::{Dialect, Parsed};
    use stats::JobOutcome;
    use std::ffi::OsString;
    use std::path::Path;

    /// Every path is a file of 1 GiB.
    struct Files;

    impl Inspect for Files {
        fn inspect(&mut self, _: &Path) -> std::io::Result<PathState> {
            Ok(PathState { kind: FileKind::Regular, exists: true, size: 1 << 30 })
        }
    }

    fn reader() -> JobOutcome {
        let line = "--name=a --rw=randread --bs=4k --filename=/d/f";
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let Ok(Parsed::Run(command)) = job::command_line(&args, "fathom run", Dialect::Run, &mut NoFiles)
        else {
            panic!("{line}");
        };
        let plan = job::plan(command.jobs, &mut Files).unwrap();
        run::outcome::unstarted(&plan.jobs[0], None)
    }

    /// A point so short that no window of the series is complete: the layers counted the ramp, too.
    #[test]
    fn rate_without_windows_is_that_after_the_ramp() {
        let mut result = RunResult::default();
        result.layers.app_ios = [5000, 0, 0];
        result.layers.app_bytes = [5000 * 4096, 0, 0];
        let mut job = JobOutcome { runtime_ms: 20, ..reader() };
        (job.directions[0].ios, job.directions[0].bytes) = (40, 40 * 4096);
        result.jobs = vec![job.clone(), job];
        let of = |result: &RunResult| Rate::of(result, &Series::default(), 1.0, &SlowStretches::default());
        let rate = of(&result);
        assert_eq!((rate.ios, rate.bytes, rate.iops.value), (80, 80 * 4096, 4000.0));
        result.jobs.iter_mut().for_each(|job| job.directions[0].ios = 0);
        let none = of(&result);
        assert_eq!((none.ios, none.iops.value, none.iops.low), (0, 0.0, 0.0));
        assert!((none.iops.high - 150.0).abs() < 1e-9, "{:?}", none.iops);
    }
}
