//! Jobs to document: one worker for each job and clone, one access specification for each pattern.

use super::document::*;
use super::fault::{JobFaultKind, NotExpressible};
use job::job::{AccessLine, Job, Mix, Order, Renewal, Size};
use stats::Direction;
use stats::iometer::TestPlace;

/// Nanoseconds of a second and of a millisecond.
const SECOND: u64 = 1_000_000_000;
const MS: u64 = 1_000_000;
/// Bytes of a sector.
const SECTOR: u64 = 512;

/// A worker in one test.
struct Load {
    place: TestPlace,
    lines: Vec<AccessLine>,
    settings: Settings,
    targets: Vec<String>,
}

/// Returns the configuration file of jobs; `manager` is the name of the host.
///
/// # Errors
/// A job does what a configuration file cannot state.
pub fn document_of(jobs: &[Job], manager: &str) -> Result<Document, NotExpressible> {
    let fault = |job: &Job, kind| Err(NotExpressible { job: job.name.clone(), kind });
    let mut setup = TestSetup {
        disk_workers: Some(Spawn::Cpus),
        network_workers: Some(Spawn::Number(0)),
        record: Some(Record::All),
        worker_cycling: Some(Cycling { start: 1, step: 1, kind: Step::Linear }),
        disk_cycling: Some(Cycling { start: 1, step: 1, kind: Step::Linear }),
        queue_cycling: Some(QueueCycling { start: 1, end: 32, step: 2, kind: Step::Exponential }),
        test_type: Some(TestType::Normal),
        ..TestSetup::default()
    };
    let mut tests: Vec<Vec<Load>> = Vec::new();
    for (at, job) in jobs.iter().enumerate() {
        if let Some(kind) = beyond(job) {
            return fault(job, kind);
        }
        let (run, ramp) = (seconds(job)?, job.limits.ramp_time / SECOND);
        if setup.run_time.is_some_and(|before| before != run) {
            return fault(job, JobFaultKind::Runtime);
        }
        if !job.limits.ramp_time.is_multiple_of(SECOND)
            || setup.ramp_s.is_some_and(|before| u64::from(before) != ramp)
        {
            return fault(job, JobFaultKind::Ramp);
        }
        (setup.run_time, setup.ramp_s) = (Some(run), Some(ramp as u32));
        let place = job.description.as_deref().and_then(TestPlace::decode);
        if place.as_ref().is_some_and(|place| place.test_type > 0) {
            return fault(job, JobFaultKind::Cycling);
        }
        if tests.is_empty() || job.stonewall && at > 0 {
            tests.push(Vec::new());
        }
        let lines = match job.pattern.lines.is_empty() {
            true => lines_of(job)?,
            false => job.pattern.lines.clone(),
        };
        let test = tests.len() - 1;
        for clone in 0..job.numjobs {
            add(&mut tests[test], job, clone, place.clone(), &lines, manager)?;
        }
    }
    if let Some(place) = tests.iter().flatten().map(|load| &load.place).next() {
        setup.description = Some(place.title.clone()).filter(|title| !title.is_empty()).into_iter().collect();
    }
    if let Some(record) = tests
        .iter()
        .flatten()
        .find_map(|load| Record::ALL.into_iter().find(|record| record.name() == load.place.record))
    {
        setup.record = Some(record);
    }
    let Some(first) = jobs.first() else {
        return Err(NotExpressible { job: String::new(), kind: JobFaultKind::NoTarget });
    };
    let (specs, managers) = match workers(&tests) {
        Some(found) => found,
        None => return fault(first, JobFaultKind::Sequence),
    };
    Ok(Document {
        version: Version::Number(1, 1, 0),
        setup: Some(setup),
        display: None,
        specs: Some(specs),
        managers: Some(managers),
    })
}

/// Returns what a job does beyond a configuration file; `None` for a job that it can state.
fn beyond(job: &Job) -> Option<JobFaultKind> {
    let spec = &job.pattern;
    let options = [
        (job.rate.is_some(), "rate"),
        (job.flow.is_some(), "flow"),
        (job.replay.is_some(), "read_iolog"),
        (job.verify.is_some(), "verify"),
        (job.steady.is_some(), "steadystate"),
        (job.latency_goal.target > 0, "latency_target"),
        (job.durability.fsync.is_some(), "fsync"),
        (job.durability.fdatasync.is_some(), "fdatasync"),
        (job.durability.range.is_some(), "sync_file_range"),
        (job.limits.ramp_size.is_some(), "ramp_size"),
        (job.limits.number_ios.is_some(), "number_ios"),
        (job.limits.startdelay > 0, "startdelay"),
        (job.dependencies.wait_for.is_some(), "wait_for"),
        (job.queue.serialize, "serialize_overlap"),
        (job.queue.batch.is_some(), "iodepth_batch"),
        (spec.zoned.is_some() || spec.places.zones.is_some(), "zonemode"),
        (spec.sprandom.is_some(), "sprandom"),
        (spec.places.law != job::distribution::Law::Even, "random_distribution"),
        (spec.places.identical, "rw_sequencer"),
        (spec.sizes.unaligned, "bs_unaligned"),
        (spec.sizes.seq_rand, "bs_is_seq_rand"),
        (job.payload.dedupe.is_some(), "dedupe_percentage"),
        (job.payload.percent > 0 && job.payload.percent < 100, "buffer_compress_percentage"),
        (!job.target.direct, "direct"),
        (!matches!(job.target.offset_increment, Size::Bytes(0)), "offset_increment"),
        (!job.engine.does_io(), "ioengine"),
    ];
    let odd_order = !matches!(spec.order, Order::Sequential { skip: 0 } | Order::Random { run: 1 });
    let trims = spec.mix.has(Direction::Trim);
    options
        .iter()
        .find(|(used, _)| *used)
        .map(|(_, option)| JobFaultKind::Option(option))
        .or(odd_order.then_some(JobFaultKind::Option("rw")))
        .or(trims.then_some(JobFaultKind::Trims))
}

fn seconds(job: &Job) -> Result<[u32; 3], NotExpressible> {
    let nanos = job.limits.runtime.map_or(0, std::num::NonZeroU64::get);
    if nanos == 0 || !nanos.is_multiple_of(SECOND) || !job.limits.time_based {
        return Err(NotExpressible { job: job.name.clone(), kind: JobFaultKind::Runtime });
    }
    let seconds = nanos / SECOND;
    // The runtime of a test that ends when it is stopped.
    if seconds == 365 * 86_400 {
        return Ok([0; 3]);
    }
    Ok([(seconds / 3600) as u32, (seconds / 60 % 60) as u32, (seconds % 60) as u32])
}

fn add(
    test: &mut Vec<Load>,
    job: &Job,
    clone: u32,
    place: Option<TestPlace>,
    lines: &[AccessLine],
    manager: &str,
) -> Result<(), NotExpressible> {
    let fault = |kind| Err(NotExpressible { job: job.name.clone(), kind });
    let bytes = |size: &Size| match size {
        Size::Bytes(bytes) if bytes.is_multiple_of(SECTOR) => Some(bytes / SECTOR),
        _ => None,
    };
    let Some(start) = bytes(&job.target.offset) else { return fault(JobFaultKind::Option("offset")) };
    let sectors = match &job.target.size {
        None => Some(0),
        Some(Size::Percent(100)) => Some(0),
        Some(size) => bytes(size),
    };
    let Some(sectors) = sectors else { return fault(JobFaultKind::Option("size")) };
    if job.target.filenames.is_empty() {
        return fault(JobFaultKind::NoTarget);
    }
    let pattern = match job.payload.renewal {
        Renewal::Refill => 2,
        _ if job.payload.percent == 100 => 0,
        _ => 1,
    };
    // A size behind the path of the target is no part of the file.
    let whole = place.as_ref().is_some_and(|place| place.sectors == 0);
    let disk = DiskSettings { sectors: if whole { 0 } else { sectors }, start, pattern: Some(pattern) };
    let seed =
        job.options.iter().find(|(name, _)| name == "randseed").and_then(|(_, seed)| seed.parse().ok());
    let settings = Settings {
        queue: Some((job.queue.iodepth, false, 1)),
        seed: Some((seed.is_some(), seed.unwrap_or(0))),
        disk: Some(disk),
    };
    let files = job.target.filenames.iter().map(|path| path.display().to_string());
    let targets = place.as_ref().map_or_else(|| files.collect(), |place| vec![place.target.clone()]);
    let name = value(&job.name);
    let place = place.unwrap_or_else(|| TestPlace {
        spec: name.replace(',', " "),
        manager_id: 1,
        manager: manager.to_owned(),
        worker: if job.numjobs > 1 { format!("{name} {}", clone + 1) } else { name },
        worker_number: test.len() as u32 + 1,
        ..TestPlace::default()
    });
    let same = |load: &&mut Load| {
        let own = |place: &TestPlace| (place.manager_id, place.worker_number, place.worker.clone());
        own(&load.place) == own(&place)
    };
    match test.iter_mut().find(same) {
        Some(load) if load.lines == lines && load.settings == settings => load.targets.extend(targets),
        Some(_) => return fault(JobFaultKind::Sequence),
        None => test.push(Load { place, lines: lines.to_vec(), settings, targets }),
    }
    Ok(())
}

/// Returns a name in a form that a file can have as a value: on one line, and no key.
fn value(name: &str) -> String {
    let line = name.replace(char::is_control, " ");
    let value = line.trim_start_matches(['\'', ' ']).trim_end();
    if value.is_empty() { "_".into() } else { value.to_owned() }
}

/// Returns specifications and managers; `None` if the tests have different workers or targets.
fn workers(tests: &[Vec<Load>]) -> Option<(Vec<AccessSpec>, Vec<Manager>)> {
    let mut specs: Vec<AccessSpec> = Vec::new();
    let mut managers: Vec<Manager> = Vec::new();
    let first = tests.first()?;
    for (at, load) in first.iter().enumerate() {
        let mut names = Vec::new();
        for test in tests {
            let other = test.get(at).filter(|_| test.len() == first.len())?;
            let key =
                |load: &Load| (load.place.manager_id, load.place.worker_number, load.place.worker.clone());
            let alike =
                other.targets == load.targets && other.settings == load.settings && key(other) == key(load);
            if !alike {
                return None;
            }
            names.push(spec_name(&mut specs, other));
        }
        let place = &load.place;
        let target = |name: &String| Target { name: name.clone(), kind: Some("DISK".into()) };
        let worker = Worker {
            name: place.worker.clone(),
            kind: Some(WorkerKind::Disk),
            settings: Some(load.settings.clone()),
            specs: names,
            targets: load.targets.iter().map(target).collect(),
        };
        match managers
            .iter_mut()
            .find(|manager| manager.id == place.manager_id && manager.name == place.manager)
        {
            Some(manager) => manager.workers.push(worker),
            None => managers.push(Manager {
                id: place.manager_id,
                name: place.manager.clone(),
                address: None,
                workers: vec![worker],
            }),
        }
    }
    Some((specs, managers))
}

/// Returns the name of the specification of a load, which is added if there is none with these lines.
fn spec_name(specs: &mut Vec<AccessSpec>, load: &Load) -> String {
    let wanted = &load.place.spec;
    if let Some(spec) = specs.iter().find(|spec| spec.lines == load.lines && spec.name == *wanted) {
        return spec.name.clone();
    }
    let is_free = |name: &String| specs.iter().all(|spec| spec.name != *name);
    let numbered = (2..).map(|n| format!("{wanted} {n}"));
    let name = std::iter::once(wanted.clone()).chain(numbered).find(is_free).unwrap_or_default();
    let assignment = Assignment::ALL.get(load.place.assignment as usize).copied().unwrap_or_default();
    specs.push(AccessSpec { name: name.clone(), assignment, lines: load.lines.clone() });
    name
}

/// Returns the lines of a job without an access specification.
fn lines_of(job: &Job) -> Result<Vec<AccessLine>, NotExpressible> {
    let fault = |kind| Err(NotExpressible { job: job.name.clone(), kind });
    let spec = &job.pattern;
    let is_random = matches!(spec.order, Order::Random { .. });
    let (delay_ms, burst) = match job.think_time {
        None => (0, 1),
        Some(think) => {
            let odd = think.spin > 0 || think.cycles > 0 || think.io_time.is_some() || think.pause % MS > 0;
            match think.blocks.map(|blocks| (u32::try_from(think.pause / MS), u32::try_from(blocks.get()))) {
                Some((Ok(pause), Ok(blocks))) if !odd => (pause, blocks),
                _ => return fault(JobFaultKind::Option("thinktime")),
            }
        }
    };
    let sizes = |d: usize| -> Option<Vec<(u64, u64)>> {
        let split = &spec.sizes.split[d];
        match split.is_empty() {
            true => (spec.block[d].0 == spec.block[d].1).then(|| vec![(spec.block[d].0, 100)]),
            false => {
                let mut sizes: Vec<(u64, u64)> =
                    split.iter().map(|(size, share)| (*size, u64::from(*share))).collect();
                sizes.sort_unstable();
                Some(sizes)
            }
        }
    };
    let (Some(read_sizes), Some(write_sizes)) = (sizes(0), sizes(1)) else {
        return fault(JobFaultKind::Option("bsrange"));
    };
    let line = |d: usize, size: u64, share: u64, reads: u8| {
        let random = if is_random { 100 - spec.places.ordered[d] } else { 0 };
        let align = spec.places.unit(d, size);
        AccessLine { size, share: share as u8, reads, random, delay_ms, burst, align, reply: 0 }
    };
    let of = |d: usize, sizes: &[(u64, u64)], reads: u8| -> Vec<AccessLine> {
        sizes.iter().map(|(size, share)| line(d, *size, *share, reads)).collect()
    };
    match spec.mix {
        Mix::Read => Ok(of(0, &read_sizes, 100)),
        Mix::Write => Ok(of(1, &write_sizes, 0)),
        Mix::ReadWrite { reads }
            if read_sizes == write_sizes
                && spec.places.ordered[0] == spec.places.ordered[1]
                && read_sizes
                    .iter()
                    .all(|(size, _)| spec.places.unit(0, *size) == spec.places.unit(1, *size)) =>
        {
            Ok(of(0, &read_sizes, reads))
        }
        // Reads and writes are lines of their own: their shares have to be whole percentages.
        Mix::ReadWrite { reads } => {
            let mut lines = Vec::new();
            for (d, sizes, part) in
                [(0, &read_sizes, u64::from(reads)), (1, &write_sizes, 100 - u64::from(reads))]
            {
                for (size, share) in sizes {
                    if !(share * part).is_multiple_of(100) {
                        return fault(JobFaultKind::Percentages);
                    }
                    if share * part > 0 {
                        lines.push(line(d, *size, share * part / 100, if d == 0 { 100 } else { 0 }));
                    }
                }
            }
            Ok(lines)
        }
        _ => fault(JobFaultKind::Trims),
    }
}
