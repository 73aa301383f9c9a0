//! The outcome of a clone: the counts of its worker since the end of the ramp, with the job's name, options and load.

use crate::finish::Finish;
use crate::offsets;
use crate::steady_watch::SteadyWatch;
use job::job::{EngineChoice, Job, Mix};
use job::plan::{Plan, PlannedJob};
use stats::shared::{SharedDirection, SharedLatency};
use stats::study::{Access, WriteSync};
use stats::{
    ByPriority, CpuOutcome, DirectionOutcome, JobError, JobOutcome, Latency, Lateness, Load, Priority,
    Shared, SharedPriorities,
};
use std::num::NonZeroU64;

/// Parts of a latency that a job records.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Nothing,
    Moments,
    All,
}

impl Kept {
    fn of(moments: bool, histogram: bool) -> Self {
        match (moments, histogram) {
            (false, _) => Kept::Nothing,
            (true, false) => Kept::Moments,
            (true, true) => Kept::All,
        }
    }
}

/// Returns the latencies recorded since the baseline; `n` is their number now and at the baseline. Counters that were
/// never written are not read: their pages do not exist yet, and 512 jobs have many of them.
fn latency(now: &SharedLatency, before: &SharedLatency, n: [u64; 2], kept: Kept) -> Latency {
    if kept == Kept::Nothing || n[0] == 0 {
        return Latency::default();
    }
    let mut histogram = stats::Histogram::default();
    if kept == Kept::All {
        histogram = now.histogram.snapshot();
        if n[1] > 0 {
            histogram.subtract(&before.histogram.snapshot());
        }
    }
    Latency { moments: now.moments.snapshot(n[0]).since(&before.moments.snapshot(n[1])), histogram }
}

fn direction(
    job: &Job,
    (now, before): (&SharedDirection, &SharedDirection),
    (paced, scheduled): (bool, (&SharedLatency, &SharedLatency)),
    trims: bool,
    runtime_ms: u64,
    all_histograms: bool,
) -> DirectionOutcome {
    let (m, sync) = (&job.measure, job.engine.is_sync());
    // A trim is complete when its issuing call returns.
    let no_slat = sync || trims && job.engine.needs_files();
    // Number of latencies: the completed I/Os without those that had no latency.
    let timed = |d: &SharedDirection| d.ios.get() - d.untimed.get();
    let completed = [timed(now), timed(before)];
    let samples = [now.samples.get(), before.samples.get()];
    let rates = [now.rate_samples.get(), before.rate_samples.get()];
    let since = |a: u64, b: u64| a.saturating_sub(b);
    let (ios, issued) =
        (since(now.ios.get(), before.ios.get()), since(now.issued.get(), before.issued.get()));
    DirectionOutcome {
        ios,
        bytes: since(now.bytes.get(), before.bytes.get()),
        runtime_ms: if issued > 0 && job.engine.does_io() { runtime_ms } else { 0 },
        issued,
        short: since(now.short.get(), before.short.get()),
        dropped: since(now.dropped.get(), before.dropped.get()),
        errors: since(now.errors.get(), before.errors.get()),
        slat: latency(
            &now.slat,
            &before.slat,
            [now.issued.get(), before.issued.get()],
            Kept::of(m.slat && !no_slat, m.shown.slat_percentiles),
        ),
        clat: latency(&now.clat, &before.clat, completed, Kept::of(m.clat || sync && m.lat, true)),
        lat: latency(
            &now.lat,
            &before.lat,
            completed,
            Kept::of(m.lat && !sync, m.shown.lat_percentiles || all_histograms),
        ),
        bw_samples: now.bw_samples.snapshot(samples[0]).since(&before.bw_samples.snapshot(samples[1])),
        iops_samples: now.iops_samples.snapshot(rates[0]).since(&before.iops_samples.snapshot(rates[1])),
        scheduled: latency(scheduled.0, scheduled.1, completed, Kept::of(paced, true)),
        ..Default::default()
    }
}

/// Returns the counters by priority of a job whose I/Os have several priorities: of lat if its percentiles are
/// requested, else of clat. `None` if the job has one priority or records neither.
pub fn priorities(job: &Job) -> Option<SharedPriorities> {
    let m = &job.measure;
    let several = job.priorities.iter().any(|shares| !shares.is_empty());
    let total = by_total(job);
    let values = || job.priority_values().into_iter().map(Priority).collect();
    (several && (total || m.clat)).then(|| SharedPriorities::new(values(), total))
}

/// Returns whether latencies by priority are those of lat.
fn by_total(job: &Job) -> bool {
    job.measure.lat && job.measure.shown.lat_percentiles
}

/// Counters of one clone.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    /// Current counters.
    pub now: &'a Shared,
    /// Counters at the start of the measurement: those at the end of the ramp or of the search for a latency, or zeros.
    pub before: &'a Shared,
    /// Latencies by priority; `None` if the I/Os have one priority.
    pub priorities: Option<&'a SharedPriorities>,
    /// Steady state that the clone sampled; `None` if it sampled none.
    pub steady: Option<&'a SteadyWatch>,
}

/// Returns the outcome of one clone from its counters and the result of its worker.
pub fn outcome(
    plan: &Plan,
    clone: &PlannedJob,
    Counted { now, before, priorities, steady }: Counted<'_>,
    all_histograms: bool,
    finish: Finish,
) -> JobOutcome {
    let job = &plan.jobs[clone.job];
    let runtime_ms = finish.runtime_nanos.div_ceil(1_000_000).max(1);
    let mut directions: [DirectionOutcome; 3] = std::array::from_fn(|d| {
        let counters = (&now.directions[d], &before.directions[d]);
        let rated = job.rate.is_some_and(|rate| rate.most[d] > 0);
        let paced = now.paced.get() > 0 && (rated || job.replay.is_some());
        let scheduled = (paced, (&now.scheduled[d], &before.scheduled[d]));
        let runtime_ms = finish.direction_nanos.map_or(runtime_ms, |of| of[d].div_ceil(1_000_000).max(1));
        direction(job, counters, scheduled, d == stats::Direction::Trim as usize, runtime_ms, all_histograms)
    });
    directions[1].zone_resets = now.zone_resets.get();
    if job.verify.as_ref().is_some_and(|verify| verify.only) {
        // The writes of an earlier run are counted, as in fio, but took no time.
        (directions[1].runtime_ms, directions[1].slat) = (0, Latency::default());
    }
    if job.engine.is_sync() {
        // A synchronous engine measures one latency, that of the call. It is reported as clat and as lat, as far as
        // the job requests them.
        for d in &mut directions {
            d.lat = if job.measure.lat { d.clat.clone() } else { Latency::default() };
            d.clat = if job.measure.clat { std::mem::take(&mut d.clat) } else { Latency::default() };
        }
    }
    for (at, d) in directions.iter_mut().enumerate() {
        let own = Priority(job.host.ioprio.unwrap_or(0));
        let all_alike = || ByPriority { total: by_total(job), own, list: Vec::new() };
        d.priorities = priorities.map_or_else(all_alike, |several| several.outcome(at));
    }
    let (mut depth, mut submit, mut complete) =
        (now.depth.snapshot(), now.submit.snapshot(), now.complete.snapshot());
    depth.subtract(&before.depth.snapshot());
    submit.subtract(&before.submit.snapshot());
    complete.subtract(&before.complete.snapshot());
    // As in fio, syncs are measured only if clat is. Calls on names have no syncs.
    let syncs = latency(
        &now.sync,
        &before.sync,
        [now.syncs.get(), before.syncs.get()],
        Kept::of(job.measure.clat && !matches!(job.engine, EngineChoice::Names(..)), true),
    );
    // Little's law: sum of the times that I/Os were in flight, divided by the runtime. A sync counts as in flight, as
    // a write does.
    let in_flight_nanos: u128 =
        directions.iter().map(|d: &DirectionOutcome| d.lat.moments.sum).sum::<u128>() + syncs.moments.sum;
    JobOutcome {
        name: job.name.clone(),
        description: job.description.clone(),
        group: job.group,
        members: 1,
        pid: finish.pid,
        start_epoch_ms: finish.start_epoch_ms,
        start_clock_ms: finish.start_clock_ms,
        runtime_ms,
        error: finish.error,
        tolerated: finish.tolerated,
        verification: finish.verification,
        errors: now.errors.get().saturating_sub(before.errors.get()),
        options: job.options.clone(),
        directions,
        syncs: now.syncs.get().saturating_sub(before.syncs.get()),
        sync: syncs,
        commit: latency(
            &now.commit,
            &before.commit,
            // A sync without a write before it has no commit latency.
            [now, before].map(|counted| counted.commit.histogram.snapshot().count()),
            Kept::of(job.measure.clat && sync(job).is_some(), true),
        ),
        lateness: lateness(now, before),
        cpu: finish.cpu,
        depth,
        submit,
        complete,
        iodepth: if finish.start_epoch_ms == 0 { 0 } else { finish.depth.unwrap_or(job.queue.iodepth) },
        latency_goal: job.latency_goal,
        depth_reached: in_flight_nanos as f64 / finish.runtime_nanos.max(1) as f64,
        done_in_submit: now.done_in_submit.get().saturating_sub(before.done_in_submit.get()),
        unanswered: finish.unanswered,
        shown: job.measure.shown.clone(),
        load: load(job, clone),
        steady: steady.map(SteadyWatch::state),
        offsets: offsets::used(job, clone, now),
    }
}

/// Returns the delays of the I/Os of a trace.
fn lateness(now: &Shared, before: &Shared) -> Lateness {
    let n = [now.started.get(), before.started.get()];
    Lateness {
        ios: n[0].saturating_sub(n[1]),
        late: now.late.get().saturating_sub(before.late.get()),
        delay: latency(&now.lateness, &before.lateness, n, Kept::of(n[0] > 0, true)),
    }
}

/// Returns the load that the job defines, with the region of this clone.
fn load(job: &Job, clone: &PlannedJob) -> Load {
    let opens = !matches!(job.engine, EngineChoice::Null { .. } | EngineChoice::Model(_));
    let reads = match job.pattern.mix {
        Mix::ReadWrite { reads } => Some(u32::from(reads)),
        _ => None,
    };
    let mut ranges = job.pattern.ranges();
    let first = ranges.next().filter(|(least, most)| least == most);
    let bs = first.filter(|first| ranges.all(|range| range == *first)).map_or(0, |(bs, _)| bs);
    let span = clone.accessed_in_all();
    Load {
        access: Access { rw: job.pattern.rw.clone(), bs, reads, sync: sync(job) },
        engine: job.engine.name().into(),
        direct: opens.then_some(job.target.direct),
        target: clone.files.first().map(|f| f.path.display().to_string()).unwrap_or_default(),
        span: (!clone.files.is_empty()).then_some(span),
        paced: job.rate.is_some_and(|rate| rate.paces())
            || job.replay.as_ref().is_some_and(|replay| !replay.no_stall)
            || job.think_time.is_some()
            || job.flow.is_some(),
    }
}

/// Returns the sync that makes a job's writes durable during the run; `None` without one. `sync_file_range` does not
/// make writes durable.
fn sync(job: &Job) -> Option<WriteSync> {
    let writes = job.pattern.mix.has(stats::Direction::Write) && job.pattern.mix != Mix::TrimWrite;
    let every = |number: Option<NonZeroU64>| number.map_or(0, NonZeroU64::get);
    WriteSync::of(every(job.durability.fsync), every(job.durability.fdatasync)).filter(|_| {
        writes && job.durability.range.is_none() && !matches!(job.engine, EngineChoice::Names(..))
    })
}

/// Returns the outcome of a clone that never started, because of an error or because it only lays out files.
pub fn unstarted(job: &Job, error: Option<JobError>) -> JobOutcome {
    JobOutcome {
        name: job.name.clone(),
        description: job.description.clone(),
        group: job.group,
        members: u32::from(job.dependencies.stats),
        pid: 0,
        start_epoch_ms: 0,
        start_clock_ms: None,
        runtime_ms: 0,
        error,
        tolerated: None,
        verification: None,
        errors: 0,
        options: job.options.clone(),
        directions: Default::default(),
        syncs: 0,
        sync: Latency::default(),
        commit: Latency::default(),
        lateness: Lateness::default(),
        cpu: CpuOutcome::default(),
        depth: Default::default(),
        submit: Default::default(),
        complete: Default::default(),
        iodepth: 0,
        latency_goal: job.latency_goal,
        depth_reached: 0.0,
        done_in_submit: 0,
        unanswered: 0,
        shown: job.measure.shown.clone(),
        load: Load::default(),
        steady: None,
        offsets: Vec::new(),
    }
}
