//! Rules about the options of a job and their effect: impossible queue depths, sizes that end a run early, clones on
//! the same bytes.

use super::{Found, Run, Work};
use job::job::{EngineChoice, Job};
use job::plan::Plan;
use job::remote::RemoteSpec;
use stats::Finding;
use stats::offsets::{FALSE_ALARM, Uniformity, least_uniform};
use stats::remote::RemoteClient;
use stats::unit::MIB;
use stats::{Claim, Direction, LayerKind, Unmeasured};

/// Largest region, bytes, that the memory of any drive may hold, M3.
pub(super) const TINY: u64 = 64 * MIB;
/// Share of the configured queue depth below which a queue is shallow.
pub(super) const SHALLOW: f64 = 0.7;
/// Number of passes over a region of at most [`TINY`] bytes from which the finding is reported, M3.
pub(super) const TINY_PASSES: f64 = 4.0;
/// Smallest share of compressible or duplicate data that is reported, percent, M11.
pub(super) const SMALLER: u64 = 20;
/// Share of the runtime below which a job counts as ended by its size, M18.
pub(super) const RAN: f64 = 0.9;

/// Ratio of random to sequential bandwidth from which the result is reported as implausible, M40.
pub(super) const RANDOM_FASTER: f64 = 1.2;

pub(super) fn look(run: &Run<'_>, found: &mut Found) {
    for work in run.works().filter(|w| w.on_files()) {
        failed(work, found);
        unmeasured(run, work, found);
        queue(work, found);
        durable(run, work, found);
        tiny(run, work, found);
        ran_out(run, work, found);
        overlap(work, found);
        payload(run, work, found);
    }
    uneven_offsets(run, found);
    // Jobs without files fail, too.
    for failed in run.result.jobs.iter().filter(|job| job.error.is_some()) {
        let finding = Finding::new(failed.name.clone(), Claim::NotMeasured { why: Unmeasured::Failed });
        if !found.0.contains(&finding) {
            found.0.push(finding);
        }
    }
    if let Some(signal) = run.result.provenance.ended_by_signal {
        let completed = run.works().any(|work| Direction::ALL.iter().any(|d| work.ios(*d) > 0));
        found.run(match completed {
            true => Claim::EndedEarly { signal },
            false => Claim::NotMeasured { why: Unmeasured::Interrupted },
        });
    }
    carried(run, found);
    random_beats_sequential(run, found);
}

/// Finds misused options before the run, from the options alone.
pub(super) fn misused(plan: &Plan, found: &mut Found) {
    let result = stats::RunResult::default();
    let root = facts::SysRoot::machine();
    let run = Run::new(plan, &result, &root);
    for work in run.works().filter(|w| w.on_files()) {
        let job = work.job;
        if job.queue.iodepth > 1 && job.queue.effective == 1 {
            found.job(job, no_queue(work));
        }
        if let Some(claim) = thinks(work, 0.0) {
            found.job(job, claim);
        }
        if blocks(job) {
            let claim = Claim::BlockingSubmit {
                engine: work.engine(),
                buffered: true,
                asked: job.queue.iodepth,
                reached: 0.0,
                in_submit_percent: 0.0,
            };
            found.job(job, claim);
        }
        let (span, sum) = work.span();
        if work.random() && span > 0 && span <= TINY && !job.target.direct {
            found.job(job, Claim::TinySpan { span, passes: 0.0 });
        }
        overlap(work, found);
        if job.numjobs > 1 && span == sum && job.limits.runtime.is_none() {
            let each = work.clones.first().map_or(0, |(c, _)| c.io_bytes);
            found.job(job, Claim::SizeTimesJobs { clones: job.numjobs, each });
        }
    }
}

fn failed(work: &Work<'_>, found: &mut Found) {
    let failed =
        work.outcomes().flat_map(|o| &o.directions).fold(0u64, |sum, d| sum.saturating_add(d.errors));
    if failed > 0 {
        let ios = Direction::ALL.iter().map(|d| work.ios(*d)).sum();
        found.job(work.job, Claim::Failed { failed, ios });
    }
}

/// Finds a job without a completed I/O. A job that only creates its files, that failed, or that was stopped before its
/// first I/O is not reported here.
fn unmeasured(run: &Run<'_>, work: &Work<'_>, found: &mut Found) {
    let failed = work.outcomes().any(|o| o.error.is_some());
    let interrupted = run.result.provenance.ended_by_signal.is_some();
    if !failed
        && !interrupted
        && !work.job.target.create_only
        && work.outcomes().next().is_some()
        && Direction::ALL.iter().all(|d| work.ios(*d) == 0)
    {
        found.job(work.job, Claim::NotMeasured { why: Unmeasured::Nothing });
    }
}

fn no_queue(work: &Work<'_>) -> Claim {
    Claim::NoQueue { engine: work.engine(), asked: work.job.queue.iodepth, reached: work.reached() }
}

/// Returns whether submission blocks at a depth above 1: Linux AIO is asynchronous with O_DIRECT only.
fn blocks(job: &Job) -> bool {
    matches!(job.engine, EngineChoice::Libaio(_)) && !job.target.direct && job.queue.iodepth > 1
}

/// Returns the finding of a job whose think time keeps its queue from filling. `reached` is the mean number of I/Os in
/// flight of one clone; with 0, before a run, the number of I/Os between two pauses tells.
fn thinks(work: &Work<'_>, reached: f64) -> Option<Claim> {
    let asked = work.job.queue.effective;
    let think_time = work.job.think_time.filter(|think| think.pause > 0 && asked > 1)?;
    let blocks = think_time.blocks.map_or(0, std::num::NonZeroU64::get);
    let few = blocks > 0 && blocks < u64::from(asked);
    let shallow = if reached > 0.0 { reached < SHALLOW * f64::from(asked) } else { few };
    shallow.then_some(Claim::ThinkTime { blocks, asked, reached })
}

fn queue(work: &Work<'_>, found: &mut Found) {
    let job = work.job;
    let asked = job.queue.iodepth;
    if asked <= 1 {
        return;
    }
    if job.queue.effective == 1 {
        return found.job(job, no_queue(work));
    }
    let (mut slat, mut lat) = (0u128, 0u128);
    for d in work.outcomes().flat_map(|o| &o.directions) {
        slat += d.slat.moments.sum;
        lat += d.lat.moments.sum;
    }
    if lat == 0 {
        return;
    }
    if let Some(claim) = thinks(work, work.reached() / work.outcomes().count().max(1) as f64) {
        return found.job(job, claim);
    }
    let in_submit_percent = 100.0 * slat as f64 / lat as f64;
    let all = f64::from(asked) * f64::from(job.numjobs);
    let reached = work.reached();
    let ios: u64 = Direction::ALL.iter().map(|d| work.ios(*d)).sum();
    let mean_ns = lat as f64 / ios.max(1) as f64;
    // More than half of the time is spent in the submitting call, for I/Os that do not come from memory, and the queue
    // never fills.
    let blocked = in_submit_percent > 50.0 && mean_ns > 20_000.0 && reached < 0.8 * all;
    // I/Os that fail at once do not fill a queue.
    let blocked = blocked && !found.has(|c| matches!(c, Claim::Failed { .. }));
    if blocks(job) || blocked {
        let (engine, buffered) = (work.engine(), !job.target.direct);
        found.job(job, Claim::BlockingSubmit { engine, buffered, asked, reached, in_submit_percent });
    }
}

fn tiny(run: &Run<'_>, work: &Work<'_>, found: &mut Found) {
    let (span, _) = work.span();
    let passes = work.bytes() as f64 / span.max(1) as f64;
    let disk = !run.result.layers.devices.is_empty();
    if work.random() && work.job.target.direct && disk && span > 0 && span <= TINY && passes >= TINY_PASSES {
        found.job(work.job, Claim::TinySpan { span, passes });
    }
    // With a cache above the device, a repeated access does not reach the device.
    let times = passes;
    if work.random() && !work.job.target.direct && disk && span > 0 && times >= 2.0 {
        found.job(work.job, Claim::Repeated { times });
    }
}

fn ran_out(run: &Run<'_>, work: &Work<'_>, found: &mut Found) {
    let limits = &work.job.limits;
    let Some(runtime) = limits.runtime.filter(|_| !limits.time_based) else { return };
    let (ran_s, asked_s) = (work.runtime_ms() as f64 / 1000.0, runtime.get() as f64 / 1e9);
    let cut_short =
        run.result.provenance.ended_by_signal.is_some() || work.outcomes().any(|o| o.error.is_some());
    if ran_s > 0.0 && ran_s < RAN * asked_s && !cut_short {
        found.job(work.job, Claim::SizeRanOut { ran_s, asked_s });
    }
}

/// Finds clones of a sequential job on the same bytes. Regions that only touch, or overlap by less than a tenth, are
/// not reported.
fn overlap(work: &Work<'_>, found: &mut Found) {
    let (distinct, counted) = work.span();
    if !work.random() && work.clones.len() > 1 && distinct > 0 && counted / 11 > distinct / 10 {
        found.job(work.job, Claim::Overlap { clones: work.clones.len() as u32, counted, distinct });
    }
}

/// Finds jobs whose random offsets should have been uniform and were not. All tests of the run share the probability
/// of a false alarm.
fn uneven_offsets(run: &Run<'_>, found: &mut Found) {
    let test = |work: &Work<'_>| {
        let mut offsets = Vec::new();
        work.outcomes().for_each(|outcome| stats::offsets::merge(&mut offsets, &outcome.offsets));
        least_uniform(&offsets)
    };
    let tests: Vec<_> = run.works().filter_map(|work| Some((work, test(work)?))).collect();
    for (work, uniformity) in &tests {
        let Uniformity { samples, chance, busy_samples_percent, busy_region_percent } = *uniformity;
        let chance = chance * tests.len() as f64;
        if chance < FALSE_ALARM {
            let (ios_percent, region_percent) = (busy_samples_percent, busy_region_percent);
            found.job(work.job, Claim::UnevenOffsets { samples, ios_percent, region_percent, chance });
        }
    }
}

fn payload(run: &Run<'_>, work: &Work<'_>, found: &mut Found) {
    let layers = &run.result.layers;
    if !work.does(Direction::Write) || work.ios(Direction::Write) == 0 {
        return;
    }
    let file_system = layers.targets.iter().find(|t| t.compresses).and_then(|t| t.names().next());
    let memory = layers.traits.iter().find(|t| t.kind == LayerKind::Zram);
    let layer = file_system.or(memory.map(|t| t.name.as_str())).unwrap_or_default().to_owned();
    // The compression reported by the device is more accurate than the options of the job.
    let stored = memory.and_then(|t| t.compressed).and_then(|[then, now]| {
        let (bytes, takes) = (now.0.checked_sub(then.0)?, now.1.saturating_sub(then.1));
        (bytes > MIB).then(|| 100.0 * (1.0 - takes as f64 / bytes as f64).clamp(0.0, 1.0))
    });
    let spec = &work.job.payload;
    let asked = f64::from(spec.percent).max(spec.dedupe.map_or(0.0, |d| f64::from(d.percent)));
    let percent = stored.unwrap_or(asked).max(asked);
    if percent >= SMALLER as f64 && run.in_memory().is_none() {
        found.job(work.job, Claim::Compressible { layer, percent });
    }
    let user = work.outcomes().map(|o| o.cpu.user_percent()).fold(0.0, f64::max);
    let dear = spec.renewal == job::job::Renewal::Refill || spec.dedupe.is_some();
    if dear && user > 30.0 {
        found.job(work.job, Claim::FillingBuffers { user_percent: user });
    }
}

fn durable(run: &Run<'_>, work: &Work<'_>, found: &mut Found) {
    let job = work.job;
    if work.ios(Direction::Write) == 0 || work.syncs_as_it_goes() || run.in_memory().is_some() {
        return;
    }
    let layers = &run.result.layers;
    if job.engine.writes_past_caches() || layers.traits.iter().any(|t| t.kind == LayerKind::Zram) {
        return;
    }
    if work.is_synced() {
        // Direct writes reached the device before the sync, and their duration was measured.
        if !job.target.direct {
            found.job(job, Claim::SyncedAtEnd);
        }
        return;
    }
    if let Some((remote, traffic)) = layers.server_file_system()
        && matches!(remote.client, RemoteClient::Nfs(_))
    {
        // Direct writes of an NFS client are committed before they are complete, and so is a file that is closed.
        let (app, [_, server]) = (layers.app_bytes[1], traffic.server_bytes);
        let commits = traffic.operation("COMMIT").ops;
        if !job.target.direct && (commits == 0 || server < app) {
            found.job(job, Claim::NotCommitted { layer: remote.name.clone(), app, server, commits });
        }
        return;
    }
    let cache = layers.traits.iter().find(|t| t.volatile_cache);
    let server = work.clones.iter().flat_map(|(clone, _)| &clone.files).next();
    match cache {
        // A server of objects answers when the object is stored.
        _ if matches!(job.engine.remote(), Some(RemoteSpec::Rados(_) | RemoteSpec::Http(_))) => {}
        _ if let Some((spec, file)) = job.engine.remote().zip(server) => {
            found.job(job, Claim::NotDurable { device: spec.target(&file.path) });
        }
        _ if !job.target.direct => found.job(job, Claim::NotDurable { device: String::new() }),
        Some(t) => found.job(job, Claim::NotDurable { device: t.name.clone() }),
        None => {}
    }
}

/// Returns the jobs, each with the number of its phase (jobs between two `stonewall`).
fn phases<'r, 'a>(run: &'r Run<'a>) -> Vec<(u32, &'r Work<'a>)> {
    let mut phase = 0;
    let number = |work: &'r Work<'a>| {
        phase += u32::from(work.job.stonewall);
        (phase, work)
    };
    run.works().map(number).collect()
}

fn same_target(a: &Work<'_>, b: &Work<'_>) -> bool {
    let paths = |w: &Work<'_>| -> Vec<std::path::PathBuf> {
        w.clones.iter().flat_map(|(c, _)| c.files.iter().map(|f| f.path.clone())).collect()
    };
    let mine = paths(a);
    paths(b).iter().any(|p| mine.contains(p))
}

/// Finds a sequential read after random writes to the same file or device, M38.
fn carried(run: &Run<'_>, found: &mut Found) {
    let phases = phases(run);
    for (at, later) in phases.iter().filter(|(_, w)| w.does(Direction::Read) && !w.random()) {
        let before = phases.iter().find(|(phase, w)| {
            phase < at && w.random() && w.ios(Direction::Write) > 0 && same_target(w, later)
        });
        if let Some((_, before)) = before {
            found.job(later.job, Claim::StateCarried { before: before.job.name.clone() });
        }
    }
}

/// Finds random I/O that is faster than sequential I/O of the same size, depth and direction on the same target, M40.
fn random_beats_sequential(run: &Run<'_>, found: &mut Found) {
    for random in run.works().filter(|w| w.random()) {
        let twin = |w: &&Work<'_>| {
            let (a, b) = (w.job, random.job);
            !w.random()
                && a.pattern.mix == b.pattern.mix
                && a.pattern.block == b.pattern.block
                && a.queue == b.queue
                && a.numjobs == b.numjobs
                && a.target.direct == b.target.direct
                && same_target(w, random)
        };
        for sequential in run.works().filter(twin) {
            for direction in [Direction::Read, Direction::Write].into_iter().filter(|d| random.does(*d)) {
                let (random_rate, sequential_rate) = (random.rate(direction), sequential.rate(direction));
                if sequential_rate > 0 && random_rate as f64 > RANDOM_FASTER * sequential_rate as f64 {
                    let sequential = sequential.job.name.clone();
                    let claim = Claim::RandomBeatsSequential { sequential, random_rate, sequential_rate };
                    found.job(random.job, claim);
                }
            }
        }
    }
}
