//! From counters to outcomes: what a worker counted since its ramp ended, with what the job is called and shows.

use crate::fault::Fault;
use engine::{Kind, Op};
use job::job::{EngineChoice, Entry, Job, Mix, NameCall};
use job::plan::{Plan, PlannedJob};
use stats::shared::{SharedDirection, SharedLatency};
use stats::study::{Access, WriteSync};
use stats::{
    ByPriority, CpuOutcome, DirectionOutcome, JobError, JobOutcome, Latency, Load, Priority, Shared,
    SharedPriorities,
};

/// What a worker says when it ends, beside its counters.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// Nanoseconds from the epoch (end of ramp) to the end.
    pub runtime_nanos: u64,
    /// Wall clock at the job's start, milliseconds since 1970.
    pub start_epoch_ms: u64,
    /// The same by the clock that was asked for.
    pub start_clock_ms: Option<u64>,
    /// Thread id.
    pub pid: u32,
    /// CPU.
    pub cpu: CpuOutcome,
    /// Why it failed.
    pub error: Option<JobError>,
    /// Its own layout failed, for this reason: it never began.
    pub unlaid: Option<JobError>,
    /// The first error that `continue_on_error` let pass.
    pub tolerated: Option<JobError>,
    /// A line per failed I/O, the first few.
    pub lines: Vec<String>,
    /// Lines for standard output.
    pub said: Vec<String>,
    /// Fallbacks.
    pub notes: Vec<String>,
    /// In flight and never answered.
    pub unanswered: u64,
}

/// Which parts of a latency were kept.
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

/// The latencies since the baseline; `n` of them now and at the baseline. Counters that nothing was written to are not
/// read: their pages do not exist yet, and 512 jobs have many of them.
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
    // A trim is done in the call that issues it.
    let no_slat = sync || trims && job.engine.needs_files();
    // An I/O counts itself, except where it had no latency.
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

/// Counters of a job whose reads and writes have several priorities, told by lat where its percentiles are asked for.
pub fn priorities(job: &Job) -> Option<SharedPriorities> {
    let m = &job.measure;
    let several = job.priorities.iter().any(|shares| !shares.is_empty());
    let total = by_total(job);
    let values = || job.priority_values().into_iter().map(Priority).collect();
    (several && (total || m.clat)).then(|| SharedPriorities::new(values(), total))
}

/// Whether latencies by priority are total ones.
fn by_total(job: &Job) -> bool {
    job.measure.lat && job.measure.shown.lat_percentiles
}

/// The counters of one clone.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    /// Now.
    pub now: &'a Shared,
    /// When measuring began.
    pub before: &'a Shared,
    /// By priority, where there are several.
    pub priorities: Option<&'a SharedPriorities>,
}

/// The outcome of one clone.
pub fn outcome(
    plan: &Plan,
    clone: &PlannedJob,
    Counted { now, before, priorities }: Counted<'_>,
    all_histograms: bool,
    finish: Finish,
) -> JobOutcome {
    let job = &plan.jobs[clone.job];
    let runtime_ms = finish.runtime_nanos.div_ceil(1_000_000).max(1);
    let mut directions: [DirectionOutcome; 3] = std::array::from_fn(|d| {
        let counters = (&now.directions[d], &before.directions[d]);
        let paced = now.paced.get() > 0 && job.rate.is_some_and(|rate| rate.most[d] > 0);
        let scheduled = (paced, (&now.scheduled[d], &before.scheduled[d]));
        direction(job, counters, scheduled, d == stats::Direction::Trim as usize, runtime_ms, all_histograms)
    });
    if job.engine.is_sync() {
        // One latency was measured: the call's. It is clat and lat, as far as each is wanted.
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
    // fio measures syncs where it measures clat, and nowhere else. Names are not synced.
    let syncs = latency(
        &now.sync,
        &before.sync,
        [now.syncs.get(), before.syncs.get()],
        Kept::of(job.measure.clat && !matches!(job.engine, EngineChoice::Names(..)), true),
    );
    // Little's law: time spent in flight by all I/Os over the time that passed. A sync is in flight as a write is.
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
        errors: now.errors.get().saturating_sub(before.errors.get()),
        options: job.options.clone(),
        directions,
        syncs: now.syncs.get().saturating_sub(before.syncs.get()),
        sync: syncs,
        commit: latency(
            &now.commit,
            &before.commit,
            // A sync that no write preceded is none.
            [now, before].map(|counted| counted.commit.histogram.snapshot().count()),
            Kept::of(job.measure.clat && sync(job).is_some(), true),
        ),
        cpu: finish.cpu,
        depth,
        submit,
        complete,
        iodepth: if finish.start_epoch_ms == 0 { 0 } else { job.queue.iodepth },
        depth_reached: in_flight_nanos as f64 / finish.runtime_nanos.max(1) as f64,
        done_in_submit: now.done_in_submit.get().saturating_sub(before.done_in_submit.get()),
        unanswered: finish.unanswered,
        shown: job.measure.shown.clone(),
        load: load(job, clone),
    }
}

/// What the job was asked to do, with the region of this clone.
fn load(job: &Job, clone: &PlannedJob) -> Load {
    let opens = !matches!(job.engine, EngineChoice::Null { .. } | EngineChoice::Model(_));
    let reads = match job.pattern.mix {
        Mix::ReadWrite { reads } => Some(u32::from(reads)),
        _ => None,
    };
    let mut ranges = job.pattern.ranges();
    let first = ranges.next().filter(|(least, most)| least == most);
    let bs = first.filter(|first| ranges.all(|range| range == *first)).map_or(0, |(bs, _)| bs);
    let span = clone.files.iter().fold(0u64, |sum, file| sum.saturating_add(file.length));
    Load {
        access: Access { rw: job.pattern.rw.clone(), bs, reads, sync: sync(job) },
        engine: job.engine.name().into(),
        direct: opens.then_some(job.target.direct),
        target: clone.files.first().map(|f| f.path.display().to_string()).unwrap_or_default(),
        span: (!clone.files.is_empty()).then_some(span),
        paced: job.rate.is_some_and(|rate| rate.paces()),
    }
}

/// The sync that makes a job's writes durable while it runs. Ranges (`sync_file_range`) make nothing durable.
fn sync(job: &Job) -> Option<WriteSync> {
    let writes = job.pattern.mix.has(stats::Direction::Write) && job.pattern.mix != Mix::TrimWrite;
    WriteSync::of(job.durability.fsync, job.durability.fdatasync)
        .filter(|_| writes && job.durability.range == 0 && !matches!(job.engine, EngineChoice::Names(..)))
}

/// The error of a job whose refusal was told in other words already.
pub fn refused() -> JobError {
    JobError { errno: 22, function: "setup".into(), text: errno_text(22) }
}

/// The outcome of a clone that never started: it failed before, or was only to lay files out.
pub fn unstarted(job: &Job, error: Option<JobError>) -> JobOutcome {
    JobOutcome {
        name: job.name.clone(),
        description: job.description.clone(),
        group: job.group,
        members: u32::from(job.ties.stats),
        pid: 0,
        start_epoch_ms: 0,
        start_clock_ms: None,
        runtime_ms: 0,
        error,
        tolerated: None,
        errors: 0,
        options: job.options.clone(),
        directions: Default::default(),
        syncs: 0,
        sync: Latency::default(),
        commit: Latency::default(),
        cpu: CpuOutcome::default(),
        depth: Default::default(),
        submit: Default::default(),
        complete: Default::default(),
        iodepth: 0,
        depth_reached: 0.0,
        done_in_submit: 0,
        unanswered: 0,
        shown: job.measure.shown.clone(),
        load: Load::default(),
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Trim => "trim",
        Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => "sync",
    }
}

/// An errno in words, without Rust's "(os error N)".
pub fn errno_text(errno: i32) -> String {
    let text = std::io::Error::from_raw_os_error(errno).to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}

/// The error of a job in which a step of its own, `function`, failed; `what` is added to the errno's words. Errors
/// without an errno are those of memory.
pub(crate) fn failed(function: &str, e: &std::io::Error, what: &str) -> JobError {
    let errno = e.raw_os_error().unwrap_or(rustix::io::Errno::NOMEM.raw_os_error());
    JobError { errno, function: function.into(), text: format!("{}{what}", errno_text(errno)) }
}

/// fio's lines about failed I/Os, those that it has lines about, and once what would help.
pub(crate) fn fault_lines(job: &Job, clone: &PlannedJob, faults: &[Fault]) -> Vec<String> {
    // fio says nothing but the error of the job where a read finds the end of the file, or a call on a name fails.
    let by_name = matches!(job.engine, EngineChoice::Names(..));
    let told = |f: &&Fault| !f.empty && !by_name && !job.tolerance.passes(f.op.kind == Kind::Read, f.errno);
    let told: Vec<&Fault> = faults.iter().filter(told).collect();
    let mut lines: Vec<String> = told.iter().map(|f| fault_line(clone, f)).collect();
    let refused = rustix::io::Errno::INVAL.raw_os_error();
    if job.target.direct && told.iter().any(|f| f.errno == refused && f.op.kind != Kind::Trim) {
        lines.push("fio: the device refused this direct I/O (EINVAL): bs and offset must be multiples of its logical block size; try a larger bs, or direct=0".into());
    }
    lines
}

/// fio's line about a failed I/O.
pub(crate) fn fault_line(clone: &PlannedJob, fault: &Fault) -> String {
    let file =
        clone.files.get(fault.op.file as usize).map(|f| f.path.display().to_string()).unwrap_or_default();
    let offset = if fault.op.kind == Kind::SyncRange { fault.op.range().0 } else { fault.op.offset };
    let op = word(fault.op.kind);
    if fault.op.kind == Kind::Trim {
        return trim_line(&file, fault);
    }
    format!(
        "fio: io_u error on file {file}: {}: {op} offset={offset}, buflen={}",
        errno_text(fault.errno),
        fault.op.len
    )
}

/// fio's line about an I/O that took longer than `max_latency`.
pub(crate) fn slow_line(job: &Job, clone: &PlannedJob, op: &Op, lat: u64) -> String {
    let most = job.limits.max_latency.get(op.kind as usize).copied().unwrap_or(0);
    let file = clone.files.get(op.file as usize).map(|f| f.path.display().to_string()).unwrap_or_default();
    let (what, Op { offset, len, .. }) = (word(op.kind), op);
    format!("fio: latency of {lat} nsec exceeds specified max ({most} nsec): {file} {what} {offset} {len}")
}

/// The error of a job that such an I/O ended.
pub(crate) fn too_slow() -> JobError {
    JobError { errno: 110, function: "max latency exceeded".into(), text: errno_text(110) }
}

/// The error of a job that did less than `rate_min` or `rate_iops_min` asks.
pub(crate) fn too_little() -> JobError {
    JobError { errno: 5, function: "check_min_rate".into(), text: errno_text(5) }
}

/// fio has no line for a trim that failed; ours says what it lacked.
fn trim_line(file: &str, fault: &Fault) -> String {
    let why = match fault.errno {
        25 => "; only block devices can be trimmed (ioengine=falloc punches holes into files)",
        22 if !(fault.op.offset | u64::from(fault.op.len)).is_multiple_of(512) => {
            "; bs and offset must be multiples of the device's logical block size"
        }
        95 => "; the device cannot discard",
        _ => "",
    };
    let (words, op) = (errno_text(fault.errno), fault.op);
    format!("fio: trim of {file} failed: {words}: offset={}, length={}{why}", op.offset, op.len)
}

/// The error of the job that a fault ended.
pub fn job_error(job: &Job, clone: &PlannedJob, fault: &Fault) -> JobError {
    let path =
        || clone.files.get(fault.op.file as usize).map_or_else(String::new, |f| f.path.display().to_string());
    let function = match job.engine {
        EngineChoice::Names(Entry::File, NameCall::Create) => format!("open({})", path()),
        EngineChoice::Names(Entry::Directory, NameCall::Create) => format!("mkdir({})", path()),
        EngineChoice::Names(_, NameCall::Stat(call)) => format!("stat({}) type={}", path(), call as u8),
        EngineChoice::Names(Entry::File, NameCall::Delete) => format!("delete({})", path()),
        EngineChoice::Names(Entry::Directory, NameCall::Delete) => format!("rmdir({})", path()),
        _ if fault.empty => "full resid".into(),
        _ if matches!(fault.op.kind, Kind::Trim | Kind::SyncRange) => "td_io_queue".into(),
        _ => "io_u error".into(),
    };
    JobError { errno: fault.errno, function, text: errno_text(fault.errno) }
}
