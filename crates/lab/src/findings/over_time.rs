//! Rules about the course of a run: duration, steadiness, distribution of latencies, and CPU time.

use super::configuration::SHALLOW;
use super::{Found, Run};
use job::job::SyncMode;
use stats::finding::LEAST_IOS;
use stats::throttle::{self, ThrottleSample, ThrottleShape, ThrottleSign};
use stats::{Claim, Direction, Grade, LayerKind, Pause, RateDrop, Series, rate_drops};

/// Widest 95 % interval of the rate (half-width, percent), M17.
pub(super) const WIDEST: f64 = 5.0;
/// Ratio of the rate before a step to the rate after it, from which the step is reported, M12 and M13.
pub(super) const STEP: f64 = 1.25;
/// Size of a step in standard deviations of the windows on either side, from which the step is reported.
pub(super) const STEP_SIGMAS: f64 = 3.0;
/// Size of a step in the first tenth of the run from which the step is reported, in standard deviations of the windows
/// after it.
pub(super) const EARLY_STEP_SIGMAS: f64 = 5.0;
/// Largest number of drops of the rate that are reported of a run, M15.
const DROPS: usize = 3;
/// Share of the run after which a drop without an end is reported although a line fits the rates better than two levels.
const LATE: f64 = 0.8;
/// SNIA's bound of a steady state, percent: largest change along the fitted line, M15. SNIA's bound of the range is left out:
/// chance exceeds it on stationary devices, and a loss of 1 % per second does not in 20 s.
pub(super) const SLOPE: f64 = 10.0;
/// Share of the capacity of a seeking device below which a region counts as short-stroked, M19.
pub(super) const STROKE: f64 = 0.05;
/// Range of the duration of a random access with a mechanical seek, nanoseconds.
pub(super) const SEEK: std::ops::Range<f64> = 3e6..30e6;
/// Range of the spread of seek durations, relative to their mean: rotation alone gives 0.68, memoryless service times
/// 0.83.
pub(super) const SEEK_SPREAD: std::ops::Range<f64> = 0.1..0.75;
/// Shortest random access of a rotational disk, nanoseconds, M2 and M16.
pub(super) const TURN_NS: u64 = 1_000_000;
/// CPU time of a load thread from which the generator is the limit, percent of wall time, M22.
pub(super) const BUSY: f64 = 90.0;
/// Time for which a load thread waited for a CPU, from which contention is reported, percent of wall time, M22.
pub(super) const WAITED: f64 = 10.0;
/// Time in which a task of the machine waited for a CPU, from which a characterization reports it, percent, M22.
pub(super) const PRESSURE: f64 = 20.0;
/// Share of CPU time withheld by a quota or the hypervisor above which it is reported, percent, M22.
pub(super) const TAKEN: f64 = 5.0;
/// Ratio of mean to median latency above which the mean is misleading, M30.
pub(super) const SKEWED: f64 = 2.0;
/// Duration of a single I/O from which it is reported as a stall, nanoseconds, M31.
pub(super) const STALL_NS: u64 = 500_000_000;
/// Uncertainty of the duration of a process stop, nanoseconds: the interval at which the run is examined.
const STOP_SLACK_NS: u64 = 100_000_000;
/// Shortest pause in the completions that is reported, nanoseconds, where windows otherwise hold several I/Os: longer
/// than scheduling on a busy host causes, M31.
pub(super) const PAUSE_NS: u64 = 240_000_000;
/// Shortest of the pauses that are reported because they repeat, nanoseconds: longer than a slice of a throttle, M31.
pub(super) const SHORT_PAUSE_NS: u64 = 120_000_000;
/// Shortest of the pauses that are reported because they repeat, in median latencies.
pub(super) const SHORT_PAUSE_MEDIANS: u64 = 5;
/// Share of the run above which pauses that repeat are reported, percent.
pub(super) const SHORT_PAUSES: f64 = 5.0;
/// Largest time that load threads waited for a CPU, as a share of the time that I/Os waited for a slice, M33.
pub(super) const FOR_CPU: f64 = 0.1;
/// Share of the I/Os of a trace that started late from which this is reported, percent.
pub(super) const STARTED_LATE: f64 = 1.0;
/// Latency below which no disk responds, nanoseconds, M34.
pub(super) const NO_TIME_NS: u64 = 2_000;
/// Share of I/Os with a latency below [`NO_TIME_NS`] above which these I/Os are reported, percent, M34.
pub(super) const NO_TIME: f64 = 1.0;

/// Looks for lack of CPU and stops of the process.
pub(super) fn disturbances(run: &Run<'_>, found: &mut Found) {
    contention(run, found);
    stopped(run, found);
    generator(run, found);
}

pub(super) fn look(run: &Run<'_>, found: &mut Found) {
    let layers = &run.result.layers;
    let interrupted = run.result.provenance.ended_by_signal.is_some();
    contention(run, found);
    stopped(run, found);
    let beside_others = found.has(|c| matches!(c, Claim::OtherLoad { .. }) && c.grade() >= Grade::Conditions);
    let disturbed =
        beside_others || found.has(|c| matches!(c, Claim::CpuContention { .. } | Claim::Stopped { .. }));
    for (job, series) in &run.result.series {
        let work = run.works().find(|w| w.job.name == *job);
        let ios: u64 = match work {
            Some(w) => Direction::ALL.iter().map(|d| w.ios(*d)).sum(),
            None => layers.app_ios.iter().sum(),
        };
        // A job that failed or does no I/O does not show how long it should have run.
        let on_storage = !layers.targets.is_empty() || run.in_memory().is_some() || run.simulated();
        if ios == 0 || !on_storage {
            continue;
        }
        let seconds = work.map_or(layers.wall_ms, |w| w.runtime_ms()) as f64 / 1000.0;
        let mut claims = Vec::new();
        // Pauses of a paced job are intended.
        let mut pauses = if run.keeps_its_pace() { Vec::new() } else { series.pauses(PAUSE_NS) };
        if pauses.is_empty() && !run.keeps_its_pace() {
            pauses = short_pauses(series, work);
        }
        // If a thread could not run during the whole pause, the thread caused it. Windows end slightly late.
        let kept_us = run.works().map(|w| kept_from_running_us(run, w)).max().unwrap_or(0);
        // Short waits spread over the run do not explain a pause.
        let kept_us = if disturbed { kept_us } else { 0 };
        let slack = 2 * series.period;
        // Many short waits do not explain a long pause, however long they are together.
        if let Some(at_once_us) = kept_at_once_us(run).filter(|_| kept_us > 0) {
            let explained = |p: &Pause| p.nanos <= at_once_us * 1000 + slack;
            let nanos = pauses.iter().filter(|p| explained(p)).map(|p| p.nanos.saturating_sub(slack));
            if nanos.sum::<u64>() <= kept_us * 1000 {
                pauses.retain(|p| !explained(p));
            }
        }
        let cpu_busy = found.has(|c| matches!(c, Claim::CpuContention { .. }));
        if let Some(claim) = paused(series, &pauses, cpu_busy) {
            claims.push(claim);
        }
        // A step that lost more than twice the time for which a thread could not run has another reason.
        let step = stepped(series).filter(|(_, lost_ns)| kept_us * 1000 < lost_ns / 2);
        let step = step.map(|(claim, _)| claim).filter(|_| !beside_others && claims.is_empty());
        let steps = step.is_some() || !claims.is_empty();
        let mut drops =
            if steps || disturbed || run.keeps_its_pace() { Vec::new() } else { rate_drops(series) };
        let drift = series.drift_percent().filter(|(_, slope)| *slope > SLOPE && series.trends());
        // A rate that falls along a line all the time never drops; late drops have too few windows for the comparison.
        if drift.is_some() && smooth(series).step().is_none() {
            drops.retain(|drop| drop.seconds.is_some() || drop.at_s > LATE * seconds);
        }
        claims.extend(drops.iter().take(DROPS).map(|drop| dropped(*drop)));
        let half_width_percent = series.half_width_percent();
        match (step, drift) {
            (Some(claim), _) => claims.push(claim),
            (None, Some((range_percent, slope_percent))) if !disturbed && claims.is_empty() => {
                claims.push(Claim::Unsteady { range_percent, slope_percent })
            }
            _ => {}
        }
        // If a step, a drift or other load explains the wide interval, a longer run would not narrow it. A run with too
        // few windows for an interval has to be longer in any case.
        let wide = claims.is_empty() && !disturbed && half_width_percent.is_some_and(|w| w > WIDEST);
        if (ios < LEAST_IOS || half_width_percent.is_none() || wide) && !interrupted {
            claims.push(Claim::TooShort { ios, seconds, half_width_percent });
        }
        for claim in claims {
            match work {
                Some(work) => found.job(work.job, claim),
                None => found.run(claim),
            }
        }
    }
    generator(run, found);
    for work in run.works().filter(|w| w.on_files()) {
        bursts(run, work, found);
        short_stroke(run, work, found);
        spread(run, work, found);
        turning(run, work, found);
    }
}

/// Returns a series with windows merged so that each holds enough I/Os and a control group's slices of 100 ms do not
/// show.
fn smooth(series: &Series) -> Series {
    let n = series.windows.len();
    let ios: u64 = series.windows.iter().map(|w| w.all_ios()).sum();
    let by_count = (20 * n as u64).div_ceil(ios.max(1)) as usize;
    series.merged(by_count.max(n.div_ceil(40)).max(1))
}

/// Returns the claim about a drop of the rate.
fn dropped(RateDrop { at_s, seconds, before, during }: RateDrop) -> Claim {
    Claim::RateDropped { at_s, seconds, before, during, ended_run: false }
}

/// Returns pauses shorter than [`PAUSE_NS`] that repeat and take more than [`SHORT_PAUSES`] of the run.
fn short_pauses(series: &Series, work: Option<&super::Work<'_>>) -> Vec<Pause> {
    let median = |work: &super::Work<'_>| {
        let of = |d: &Direction| work.latency(*d).histogram.quantile(50.0);
        Direction::ALL.iter().filter_map(of).max()
    };
    let usual = work.and_then(median).unwrap_or(0);
    let pauses = series.repeated_pauses(SHORT_PAUSE_NS.max(SHORT_PAUSE_MEDIANS * usual));
    let lost: u64 = pauses.iter().map(|p| p.nanos).sum();
    let whole: u64 = series.windows.iter().map(|w| w.nanos).sum();
    if lost as f64 > SHORT_PAUSES / 100.0 * whole as f64 { pauses } else { Vec::new() }
}

/// Returns one claim about all pauses.
fn paused(series: &Series, pauses: &[Pause], cpu_busy: bool) -> Option<Claim> {
    let (first, last) = (pauses.first()?, pauses.last()?);
    let (whole, lost): (u64, u64) =
        (series.windows.iter().map(|w| w.nanos).sum(), pauses.iter().map(|p| p.nanos).sum());
    let count = pauses.len() as u64;
    let apart = (last.at_nanos - first.at_nanos) as f64 / 1e9;
    Some(Claim::Pauses {
        count,
        longest_ns: pauses.iter().map(|p| p.nanos).max()?,
        share_percent: 100.0 * lost as f64 / whole.max(1) as f64,
        every_s: (count > 1).then(|| apart / (count - 1) as f64),
        cpu_busy,
    })
}

/// Returns the claim that the rate stepped down, and the time that the run lost by it, nanoseconds.
fn stepped(series: &Series) -> Option<(Claim, u64)> {
    let smooth = smooth(series);
    let step = smooth.step()?;
    let fine = series.refined(step, &smooth);
    let drop = step.before - step.after;
    let sigmas = if step.at * 10 < smooth.windows.len() {
        EARLY_STEP_SIGMAS * step.spreads.1
    } else {
        STEP_SIGMAS * step.spreads.0.max(step.spreads.1)
    };
    let real = step.before > STEP * step.after
        && step.medians.0 > STEP * step.medians.1
        && step.after > 0.0
        && drop > sigmas;
    let written: u64 = series.windows.iter().map(|w| w.bytes[1]).sum();
    let read: u64 = series.windows.iter().map(|w| w.bytes[0]).sum();
    let whole: u64 = series.windows.iter().map(|w| w.nanos).sum();
    let lost = whole.saturating_sub(fine.at_nanos) as f64 * (1.0 - fine.after / fine.before.max(1.0));
    let claim = Claim::StepDown {
        write: written > read,
        before: fine.before,
        after: fine.after,
        at_s: fine.at_nanos as f64 / 1e9,
        bytes: fine.bytes,
    };
    real.then_some((claim, lost as u64))
}

/// Finds load threads that were ready to run but waited for a CPU.
pub(super) fn contention(run: &Run<'_>, found: &mut Found) {
    let waited = run.works().flat_map(|w| w.outcomes()).map(|o| o.cpu.waited_percent());
    let waited_percent = waited.fold(0.0, f64::max);
    if waited_percent >= WAITED {
        found.run(Claim::CpuContention { waited_percent });
    }
}

/// Finds stops of the whole process (SIGSTOP).
fn stopped(run: &Run<'_>, found: &mut Found) {
    let layers = &run.result.layers;
    let stopped_ms = layers.host.stopped_ms;
    if stopped_ms > 0 && !run.simulated() {
        let share_percent = 100.0 * stopped_ms as f64 / layers.wall_ms.max(1) as f64;
        found.run(Claim::Stopped { stopped_ms, share_percent });
    }
}

/// Returns the time for which a load thread was ready but could not run, because it had no CPU or the process was
/// stopped, microseconds.
fn kept_from_running_us(run: &Run<'_>, work: &super::Work<'_>) -> u64 {
    let waited_us = work.outcomes().map(|o| o.cpu.waited_us).max().unwrap_or(0);
    waited_us + run.result.layers.host.stopped_ms * 1000
}

/// Returns an upper bound of the time for which a load thread could not run without a break, microseconds; `None` if its
/// waits for a CPU were not watched.
fn kept_at_once_us(run: &Run<'_>) -> Option<u64> {
    let host = &run.result.layers.host;
    let waited = run.works().flat_map(|w| w.outcomes()).any(|o| o.cpu.waited_us > 0);
    let longest_us = if waited { host.longest_cpu_wait_us? } else { 0 };
    Some(longest_us + host.stopped_ms * 1000)
}

fn generator(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    // A thread that polls for the next due time is busy without limiting the rate.
    if l.busiest_thread_percent >= BUSY && !run.keeps_its_pace() {
        found.run(Claim::Generator { percent: l.busiest_thread_percent });
    }
    taken_away(run, found);
    // The queue depth reached is below the one asked for, and no other finding explains it.
    let explained = found.has(|c| {
        matches!(
            c,
            Claim::NoQueue { .. }
                | Claim::BlockingSubmit { .. }
                | Claim::Generator { .. }
                | Claim::CpuTakenAway { .. }
                | Claim::CpuContention { .. }
                | Claim::Stopped { .. }
                | Claim::Pauses { .. }
                | Claim::PageCache { .. }
                | Claim::WritesCached { .. }
                | Claim::Failed { .. }
        )
    });
    for work in run.works() {
        started_late(work, found);
    }
    if !explained
        && !run.keeps_its_pace()
        && l.depth_asked > 1.0
        && l.depth_reached < SHALLOW * l.depth_asked
        && l.busiest_thread_percent < 50.0
    {
        found.run(Claim::Shallow { reached: l.depth_reached, asked: l.depth_asked });
    }
}

/// Finds CPU time that a quota or the hypervisor withheld.
pub(super) fn taken_away(run: &Run<'_>, found: &mut Found) {
    let l = &run.result.layers;
    let share = 100.0 * l.host.throttled_ms as f64 / l.wall_ms.max(1) as f64;
    // CPU time of other programs does not delay virtual time.
    if !run.simulated() && (share > TAKEN || l.host.steal_percent > TAKEN) {
        let (throttled_ms, steal_percent) = (l.host.throttled_ms, l.host.steal_percent);
        found.run(Claim::CpuTakenAway { throttled_ms, steal_percent });
    }
}

/// Finds CPUs that the tasks of the machine waited for, during a measurement of which each operation is timed by itself.
pub(super) fn cpus_busy(run: &Run<'_>, found: &mut Found) {
    let host = &run.result.layers.host;
    let Some(pressure_ms) = host.cpu_pressure_ms else { return };
    let waited_percent = 100.0 * (pressure_ms as f64 / host.watched_ms.max(1) as f64).min(1.0);
    if waited_percent >= PRESSURE {
        found.run(Claim::CpusBusy { waited_percent });
    }
}

/// Finds a replayed trace whose I/Os started late.
fn started_late(work: &super::Work<'_>, found: &mut Found) {
    let lateness = work.lateness();
    if lateness.ios > 0 && lateness.late as f64 >= STARTED_LATE / 100.0 * lateness.ios as f64 {
        let p99_ns = lateness.delay.percentile(99.0).unwrap_or(0);
        found.job(work.job, Claim::StartedLate { late: lateness.late, ios: lateness.ios, p99_ns });
    }
}

/// Finds a limit that no control group shows: a throttle that permits a number of I/Os per slice of time.
fn bursts(run: &Run<'_>, work: &super::Work<'_>, found: &mut Found) {
    use Claim::*;
    let known = found.has(|c| {
        matches!(
            c,
            Cap { .. }
                | CpuTakenAway { .. }
                | Pauses { .. }
                | StepDown { .. }
                | Unsteady { .. }
                | OtherLoad { .. }
        )
    });
    let series = run.result.series.iter().find(|(job, _)| *job == work.job.name);
    // A job that is paced, syncs or uses the page cache waits for these, not for a cap.
    let waits = run.keeps_its_pace() || work.syncs() > 0 || !work.job.target.direct;
    let Some((_, series)) = series.filter(|_| !known && !waits) else { return };
    let [reads, writes] = [Direction::Read, Direction::Write].map(|d| work.latency(d));
    let sample = ThrottleSample {
        series,
        latency: [&reads.histogram, &writes.histogram],
        in_flight: work.reached().round().max(1.0),
        paced: false,
        busy_share: None,
        start_s: 0.0,
    };
    let answer = throttle::fit(&[sample], None);
    let Some(named) = answer.throttle() else { return };
    let slices = named.signs.iter().find_map(|sign| match sign {
        ThrottleSign::Slices { waited, wait_ns, .. } => Some((*waited, *wait_ns)),
        _ => None,
    });
    let (Some((share, wait_ns)), ThrottleShape::Sliced { period_s }) = (slices, named.shape) else { return };
    let mut latency = reads;
    latency.merge(&writes);
    // A thread that waited equally long for a CPU would look the same.
    let waited_ns = share * latency.moments.n as f64 * wait_ns;
    let for_cpu_us: u64 = work.outcomes().map(|o| o.cpu.waited_us).sum();
    if for_cpu_us as f64 * 1000.0 > FOR_CPU * waited_ns {
        return;
    }
    found.job(
        work.job,
        Bursts {
            waited_percent: 100.0 * share,
            wait_ns: wait_ns as u64,
            p50_ns: latency.percentile(50.0).unwrap_or(0),
            iops: work.iops(Direction::Read) + work.iops(Direction::Write),
            period_ns: (period_s.value * 1e9) as u64,
        },
    );
}

fn short_stroke(run: &Run<'_>, work: &super::Work<'_>, found: &mut Found) {
    // The flag is 1 unless a driver clears it, so it proves no head, but 0 rules one out. Targets without a device, such as
    // files on network file systems, show no flag.
    let Some(disk) = run.lowest().filter(|d| d.rotational && work.random()) else { return };
    let capacity = disk.size;
    let (span, _) = work.span();
    let latency = work.latency(if work.does(Direction::Read) { Direction::Read } else { Direction::Write });
    let mean = latency.moments.mean();
    if capacity == 0 || span == 0 || span as f64 >= STROKE * capacity as f64 || latency.moments.n < 10 {
        return;
    }
    // Virtual disks that have heads are recognized by their service times: milliseconds, and varying.
    let service = mean / work.reached().max(1.0);
    // Half of the distance between p16 and p84: unlike the standard deviation, not affected by a few stalls of a busy
    // machine.
    let at = |percent| latency.histogram.quantile(percent).unwrap_or(0) as f64;
    let spread = (at(84.0) - at(16.0)) / 2.0 / mean.max(1.0);
    let seeks = run.turns().is_some() || SEEK.contains(&service) && SEEK_SPREAD.contains(&spread);
    // Other causes of long I/Os.
    let capped = found.has(|c| {
        matches!(
            c,
            Claim::Cap { .. }
                | Claim::Bursts { .. }
                | Claim::CpuContention { .. }
                | Claim::CpuTakenAway { .. }
        )
    }) || work.job.target.sync != SyncMode::None;
    if seeks && !capped {
        found.job(work.job, Claim::ShortStroke { span, capacity, service_ns: service as u64 });
    }
}

fn spread(run: &Run<'_>, work: &super::Work<'_>, found: &mut Found) {
    for direction in Direction::ALL.into_iter().filter(|d| work.ios(*d) > 0) {
        let latency = work.latency(direction);
        let n = latency.moments.n;
        let Some(p50_ns) = latency.percentile(50.0).filter(|p50| n >= 100 && *p50 > 0) else {
            continue;
        };
        let (mean_ns, max_ns) = (latency.moments.mean(), latency.moments.max());
        if mean_ns > SKEWED * p50_ns as f64 {
            found.job(work.job, Claim::MeanHides { mean_ns, p50_ns, max_ns });
        }
        let paused = found.has(|c| matches!(c, Claim::Pauses { .. }));
        // If the thread could not run for as long, the device did not cause the slow I/O.
        let kept_us = kept_from_running_us(run, work).min(kept_at_once_us(run).unwrap_or(0));
        let paused = paused || kept_us * 1000 + STOP_SLACK_NS >= max_ns;
        if max_ns >= STALL_NS && max_ns / 100 >= p50_ns && !paused {
            let missed = (work.iops(direction) * max_ns as f64 / 1e9) as u64;
            found.job(work.job, Claim::Stall { longest_ns: max_ns, missed });
        }
        let percent = 100.0 * latency.histogram.count_between(0, NO_TIME_NS) as f64 / n as f64;
        let real = run.lowest().is_some_and(|d| d.kind == LayerKind::Disk);
        let cached = found.has(|c| {
            matches!(c, Claim::PageCache { .. } | Claim::NeverWritten { .. } | Claim::WritesCached { .. })
        });
        if percent > NO_TIME && work.job.target.direct && real && !cached && direction != Direction::Trim {
            found.job(work.job, Claim::NoTime { percent });
        }
    }
}

/// Finds a disk that reports itself as rotational but is too fast for that.
fn turning(run: &Run<'_>, work: &super::Work<'_>, found: &mut Found) {
    let Some(disk) = run.turns().filter(|_| work.random() && work.job.target.direct) else { return };
    for direction in [Direction::Read, Direction::Write] {
        let latency = work.latency(direction);
        let quick = latency.percentile(50.0).filter(|p50| *p50 < TURN_NS && latency.moments.n >= 100);
        if let Some(p50_ns) = quick {
            let device = disk.name.clone();
            found.job(
                work.job,
                match direction {
                    Direction::Read => Claim::TooFastToTurn { device, p50_ns },
                    _ => Claim::WriteBackCache { device, p50_ns },
                },
            );
        }
    }
}
