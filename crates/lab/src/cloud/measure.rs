//! Measurement of a volume: whether reads, writes and a mix of both reach their limits.

use super::{CloudRequest, Progress};
use crate::held::{HeldTarget, Holding};
use crate::load_rate;
use crate::target::{Target, TargetError};
use run::wear::WriteAllowance;
use stats::cloud::{CloudCap, CloudCard, CloudCheck, CloudLoad, CloudReach};
use stats::estimate::Estimate;
use stats::{Direction, RunResult};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Block size of small I/Os, bytes.
const SMALL: u64 = 4096;
/// Block size of large I/Os, bytes; the requests of HDD volumes count as at least 1 MiB.
const LARGE: u64 = 256 << 10;
/// Block size of large I/Os if smaller requests use up as much throughput, bytes.
const LARGEST: u64 = 1 << 20;
/// Factor of the needed depth that leaves no doubt that the limit and not the depth binds.
const AMPLE: f64 = 2.0;
/// Smallest queue depth of the measurement.
const LEAST_DEPTH: f64 = 16.0;
/// Largest queue depth of the measurement.
const MOST_DEPTH: f64 = 1024.0;
/// Largest queue depth of large I/Os, so that the buffers stay small.
const MOST_LARGE_DEPTH: f64 = 128.0;
/// Share of the measuring time for the latency of reads alone.
const ALONE: f64 = 0.2;
/// The same for each direction if writes are measured too: five patterns need the time.
const ALONE_EACH: f64 = 0.05;
/// Share of a pattern's measuring time after which a clear result ends it.
const FIRST: f64 = 0.25;
/// Time that is not counted at the start of a pattern: a limit by slices lets the first one through at once.
const RAMP: Duration = Duration::from_millis(500);
/// Smallest part of a budget of writes with which a pattern that writes is run, bytes.
const LEAST_PART: u64 = 16 << 20;

/// Pattern of a measurement.
#[derive(Clone, Copy)]
struct CloudPattern {
    load: CloudLoad,
    /// Bytes per I/O.
    block: u64,
    random: bool,
    depth: u32,
}

impl CloudPattern {
    fn alone(load: CloudLoad) -> CloudPattern {
        CloudPattern { load, block: SMALL, random: true, depth: 1 }
    }

    fn writes(self) -> bool {
        self.load != CloudLoad::Reads
    }

    /// Returns the value of `rw`.
    fn rw(self) -> &'static str {
        match (self.load, self.random) {
            (CloudLoad::Reads, true) => "randread",
            (CloudLoad::Reads, false) => "read",
            (CloudLoad::Writes, true) => "randwrite",
            (CloudLoad::Writes, false) => "write",
            (CloudLoad::Mixed, true) => "randrw",
            (CloudLoad::Mixed, false) => "rw",
        }
    }

    /// Returns the directions of the I/Os.
    fn directions(self) -> &'static [Direction] {
        match self.load {
            CloudLoad::Reads => &[Direction::Read],
            CloudLoad::Writes => &[Direction::Write],
            CloudLoad::Mixed => &[Direction::Read, Direction::Write],
        }
    }
}

/// Returns whether a target may be written: a directory, where a scratch file is, a simulated device, or what the user
/// allows to destroy.
pub fn may_write(target: &Path, request: &CloudRequest) -> bool {
    let meta = std::fs::metadata(target).ok();
    meta.is_none_or(|meta| meta.is_dir() || request.context.consent.covers(&meta))
}

/// Measures the target of `request` and adds to the card whether it reaches the limits. Writes are issued only where
/// [`may_write`] permits them.
///
/// # Errors
/// The target is unusable, or a job cannot be run.
pub fn measure(
    card: &mut CloudCard,
    request: &CloudRequest,
    progress: &mut dyn Progress,
) -> Result<(), TargetError> {
    let Some(path) = &request.target else { return Ok(()) };
    let began = Instant::now();
    card.target = Some(path.display().to_string());
    let mut target = Target::open(path, &request.context.root)?;
    if target.is_scratch() {
        progress.filling();
        target.fill(&request.context, progress)?;
    }
    let writes = may_write(path, request);
    card.may_write = writes;
    let context = &request.context;
    let _held =
        HeldTarget::hold(&target, Holding::of("cloud", writes), &mut context.consent.clone(), &context.root)?;
    let large = if card.limits.volume.whole_units { LARGEST } else { LARGE };
    let mut patterns = vec![(CloudLoad::Reads, SMALL, true), (CloudLoad::Reads, large, false)];
    if writes {
        patterns.extend([
            (CloudLoad::Writes, SMALL, true),
            (CloudLoad::Writes, large, false),
            (CloudLoad::Mixed, SMALL, true),
        ]);
    }
    let (alone_share, alone_all) = if writes { (ALONE_EACH, 2.0 * ALONE_EACH) } else { (ALONE, ALONE) };
    let share = (1.0 - alone_all) / patterns.len() as f64;
    // Runs that write, to which a budget of writes is divided: each pattern has up to two.
    let mut bench = Bench { request, target, runs_left: 1 + 2 * patterns.len().saturating_sub(2) };
    let mut alone = [0.0; 2];
    for (load, random, block) in patterns.iter().map(|(load, block, random)| (*load, *random, *block)) {
        let stopped = |card: &CloudCard| request.context.interrupt.load(Relaxed) != 0 || card.error.is_some();
        // The latency alone is measured before the first pattern of a direction.
        if load != CloudLoad::Mixed && random && !stopped(card) {
            let pattern = CloudPattern::alone(load);
            let Some(result) = bench.run(card, pattern, alone_share, progress)? else { break };
            alone[usize::from(load == CloudLoad::Writes)] = mean_latency(pattern, &result);
            if load == CloudLoad::Reads {
                card.alone_ns = Some(alone[0]).filter(|ns| *ns > 0.0);
                if let Some(ns) = card.alone_ns {
                    card.limits.complete(ns);
                }
            }
        }
        let alone_ns = match load {
            CloudLoad::Reads => alone[0],
            CloudLoad::Writes => alone[1],
            CloudLoad::Mixed => f64::midpoint(alone[0], alone[1]),
        };
        let Some(cap) = card.limits.cap(load, block) else { continue };
        let rate = card.limits.burst_cap(load, block).map_or(cap.iops, |burst| burst.iops);
        // Limits apart let twice as many I/Os of a mix through, whatever the table says.
        let rate = if load == CloudLoad::Mixed { 2.0 * rate } else { rate };
        let most = if block == SMALL { MOST_DEPTH } else { MOST_LARGE_DEPTH };
        let depth = (AMPLE * rate * alone_ns / 1e9).clamp(LEAST_DEPTH, most) as u32;
        let pattern = CloudPattern { load, block, random, depth };
        for part in [FIRST, 1.0 - FIRST] {
            if stopped(card) {
                break;
            }
            let Some(result) = bench.run(card, pattern, share * part, progress)? else { break };
            let check = judged(card, alone_ns, pattern, cap, &result);
            let clear = check.reach != CloudReach::Unclear;
            if clear || part > FIRST {
                card.checks.push(check);
                card.host = result.provenance.host;
                card.findings.extend(result.findings);
            }
            if clear {
                break;
            }
        }
    }
    card.seconds = began.elapsed().as_secs_f64();
    Ok(())
}

/// Target with the runs that are left for it.
struct Bench<'a> {
    request: &'a CloudRequest,
    target: Target,
    /// Number of runs that may still write.
    runs_left: usize,
}

impl Bench<'_> {
    /// Returns the part of the budget of writes for the next run; `None` without a budget.
    fn part(&self, pattern: CloudPattern) -> Option<u64> {
        let allowance: &WriteAllowance =
            self.request.context.allowance.as_deref().filter(|_| pattern.writes())?;
        let part = allowance.left() / self.runs_left.max(1) as u64;
        Some(part / pattern.block * pattern.block)
    }

    /// Runs a pattern for `share` of the measuring time; returns `None` if an error ended its job, or if too little is left of
    /// the budget of writes.
    fn run(
        &mut self,
        card: &mut CloudCard,
        pattern: CloudPattern,
        share: f64,
        progress: &mut dyn Progress,
    ) -> Result<Option<RunResult>, TargetError> {
        let part = self.part(pattern);
        if part.is_some_and(|bytes| bytes < LEAST_PART) {
            return Ok(None);
        }
        progress.measuring(pattern.load, pattern.block, pattern.depth);
        let time = self.request.measure.mul_f64(share);
        let mut options = vec![
            format!("--rw={}", pattern.rw()),
            format!("--bs={}", pattern.block),
            format!("--iodepth={}", pattern.depth),
            "--norandommap".to_owned(),
            format!("--ramp_time={}ms", RAMP.min(time / 4).as_millis()),
            format!("--runtime={}ms", time.as_millis().max(1)),
        ];
        options.push(part.map_or("--time_based".to_owned(), |bytes| format!("--io_size={bytes}")));
        if pattern.writes() {
            self.runs_left = self.runs_left.saturating_sub(1);
            if self.target.kind.is_some() {
                options.push("--refill_buffers".to_owned());
            }
        }
        let result = self.target.job("cloud", &self.request.context, &options, progress)?;
        if card.stack.is_empty() {
            card.stack = result.layers.targets.first().map(|t| t.stack.clone()).unwrap_or_default();
        }
        card.error = result.jobs.iter().find_map(|job| job.error.clone());
        // What a job transferred before its error is no rate of the target.
        Ok(Some(result).filter(|_| card.error.is_none()))
    }
}

/// Returns the judged pattern. `alone_ns` is the mean latency at queue depth 1.
fn judged(
    card: &CloudCard,
    alone_ns: f64,
    pattern: CloudPattern,
    cap: CloudCap,
    result: &RunResult,
) -> CloudCheck {
    let CloudPattern { load, block, random, depth } = pattern;
    let limits = &card.limits;
    let mut check = CloudCheck {
        load,
        block,
        random,
        depth,
        measured: rate_of(pattern, result),
        cap,
        burst: limits.burst_cap(load, block),
        latency_ns: mean_latency(pattern, result),
        cpu: result.jobs.first().map_or(0.0, |job| {
            (job.cpu.user_percent() + job.cpu.system_percent() + job.cpu.waited_percent()) / 100.0
        }),
        reach: CloudReach::Unclear,
        binding: None,
        confirmed: false,
    };
    check.judge(limits, alone_ns);
    check
}

/// Returns the mean latency of the I/Os, nanoseconds.
fn mean_latency(pattern: CloudPattern, result: &RunResult) -> f64 {
    let Some(job) = result.jobs.first() else { return 0.0 };
    let of = |direction: &Direction| &job.directions[*direction as usize];
    let (sum, ios) = pattern.directions().iter().map(of).fold((0.0, 0.0), |(sum, ios), flow| {
        (sum + flow.ios as f64 * flow.lat.moments.mean(), ios + flow.ios as f64)
    });
    if ios > 0.0 { sum / ios } else { 0.0 }
}

/// Returns the I/Os per second with the 95 % interval; without an interval if the run was too short for one.
fn rate_of(pattern: CloudPattern, result: &RunResult) -> Option<Estimate> {
    let rate = load_rate::of(result, pattern.directions()).rate;
    (rate.value > 0.0).then_some(rate)
}
