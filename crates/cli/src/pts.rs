//! `fathom pts TEST... DEVICE`: the tests of the SNIA Solid State Storage Performance Test Specification.

mod on_hosts;
mod several;

pub use on_hosts::on_this_host;

use crate::environment::patience;
use crate::host_switches::HostSwitches;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::print;
use crate::stored::{Keep, StoreChoice, StoreFault, provenance};
use crate::wear::{self, WearLimit};
use crate::{signal, terminal};
use facts::SysRoot;
use facts::layers::{Device, DeviceNumber};
use job::unit::whole;
use lab::pts::error::PtsError;
use lab::pts::purge::PurgeChoice;
use lab::pts::several::shared;
use lab::pts::{PtsBench, PtsJournal, PtsWatch, begin, device, may_begin, simulated_device};
use lab::target::{JobContext, MODEL, Target};
use report::Lang;
use run::RunError;
use run::consent::{Consent, Policy};
use stats::StoredId;
use stats::pts::{
    MOST_ROUNDS, PtsAsked, PtsClass, PtsDevice, PtsForecast, PtsOrder, PtsPhase, PtsPlace, PtsPoint,
    PtsProgress, PtsPurgeMethod, PtsStudy, PtsTest,
};
use stats::wear::{DriveWear, PlannedWrites};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use store::{Store, StudyLock};

/// How fast is this SSD in steady state? SNIA's tests (PTS 2.0.2)
///
/// All data on the device is destroyed. Tests: iops, throughput, latency, wsat (write saturation), hir (host idle
/// recovery), xsr (cross stimulus recovery), cbw (composite block sizes), dirth (demand intensity), or all eight;
/// for hard disks, TKperf's hdd-iops and hdd-throughput. With --hosts, each host tests devices of its own, all at the same
/// time; `$host` in the name of a device stands for the name of the host.
#[derive(clap::Args)]
pub struct Arguments {
    /// Tests, in the order of measurement, then the block device, or several, which are measured at the same time.
    /// `model:law=constant:1ms;size=1g` is a simulated device
    #[arg(value_name = "TEST... DEVICE...", required_unless_present = "resume")]
    words: Vec<String>,
    /// Allow destroying the data of this device
    #[arg(long, value_name = "DEVICE")]
    allow_destroy: Vec<PathBuf>,
    /// Print the time, the writes and the wear, or, with --hosts, the commands that start the agents; do nothing
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    /// Settings of the specification: enterprise (write cache off, active range 100 %) or client (on, 75 %)
    #[arg(long, value_name = "CLASS", default_value = "enterprise", value_parser = class, conflicts_with = "resume")]
    class: PtsClass,
    /// Rehearsal: divide all durations, as 1/60
    #[arg(long, value_name = "1/N", default_value = "1", value_parser = scale, conflicts_with = "resume")]
    scale: u32,
    /// Active range, percent of the capacity from the start of the device [default: that of the class]
    #[arg(long, value_name = "PERCENT", value_parser = percent, conflicts_with = "resume")]
    active_range: Option<f64>,
    /// Threads of the tests iops, wsat and hir, and of the tests of hard disks [default: 4; client: 2; hard disks: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), conflicts_with = "resume")]
    threads: Option<u32>,
    /// Queue depth of each of these threads [default: 32; client: 16; hard disks: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), conflicts_with = "resume")]
    depth: Option<u32>,
    /// Purge before each test: auto (NVMe Format, NVMe Sanitize or discard), discard, ata-secure-erase, or none
    #[arg(long, value_name = "METHOD", default_value = "auto", value_parser = purge, conflicts_with = "resume")]
    purge: PurgeChoice,
    /// Block size and share of reads of the test dirth
    #[arg(long, value_name = "BS:READS", default_value = "8k:65", value_parser = demand, conflicts_with = "resume")]
    demand: (u64, u32),
    /// Largest number of rounds
    #[arg(long, value_name = "N", default_value_t = MOST_ROUNDS, value_parser = clap::value_parser!(u32).range(1..=25), conflicts_with = "resume")]
    rounds: u32,
    /// End rounds before steady state if the 95 % interval of the mean of every tracked variable is within this percentage.
    /// The result is then not conformant
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, require_equals = true, default_missing_value = "10", value_parser = early, conflicts_with = "resume")]
    early: Option<f64>,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    /// Resume an unfinished study: the last one with those begun by the same command, or the one named
    #[arg(long, value_name = "S12", num_args = 0..=1, default_missing_value = "last")]
    resume: Option<String>,
    #[command(flatten)]
    limit: WearLimit,
    #[command(flatten)]
    keep: Keep,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    view: ViewSwitch,
    /// The hosts that test.
    #[command(flatten)]
    hosts: HostSwitches,
}

fn class(text: &str) -> Result<PtsClass, &'static str> {
    let all = [PtsClass::Enterprise, PtsClass::Client];
    all.into_iter().find(|class| class.name() == text).ok_or("give enterprise or client")
}

/// Returns the divisor of `1/N`.
fn scale(text: &str) -> Result<u32, &'static str> {
    let divisor = if text == "1" { Some(1) } else { text.strip_prefix("1/").and_then(|n| n.parse().ok()) };
    divisor.filter(|n| (1..=100_000).contains(n)).ok_or("give 1, or 1/N with N up to 100000, e.g. 1/60")
}

fn percent(text: &str) -> Result<f64, &'static str> {
    let number = text.trim_end_matches('%').parse().ok().filter(|n: &f64| *n > 0.0 && *n <= 100.0);
    number.ok_or("give a percentage above 0 and up to 100, e.g. 75")
}

fn early(text: &str) -> Result<f64, &'static str> {
    let number = text.trim_end_matches('%').parse().ok().filter(|n: &f64| (1.0..=50.0).contains(n));
    number.ok_or("give a percentage from 1 to 50, e.g. --early=10")
}

fn purge(text: &str) -> Result<PurgeChoice, &'static str> {
    match text {
        "auto" => Ok(PurgeChoice::Auto),
        "discard" => Ok(PurgeChoice::Discard),
        "none" => Ok(PurgeChoice::None),
        "ata-secure-erase" => Ok(PurgeChoice::AtaSecureErase),
        _ => Err("give auto, discard, ata-secure-erase or none"),
    }
}

fn demand(text: &str) -> Result<(u64, u32), &'static str> {
    let right = "give a block size and a percentage of reads, e.g. 8k:65";
    let (block, reads) = text.split_once(':').ok_or(right)?;
    let block =
        whole(block, 1024).filter(|bytes| (512..=1 << 20).contains(bytes) && bytes.is_multiple_of(512));
    let reads = reads.parse().ok().filter(|reads| *reads <= 100);
    block.zip(reads).ok_or(right)
}

/// Place of the study in the store.
struct Journal {
    store: Option<Store>,
    id: i64,
    lang: Lang,
    _lock: Option<StudyLock>,
}

impl PtsJournal for Journal {
    fn add(&mut self, point: &PtsPoint) -> bool {
        let Some(store) = &mut self.store else { return true };
        match store.add_pts_point(self.id, point) {
            Ok(()) => true,
            Err(e) => {
                eprintln!("fathom pts: {}", report::words::store::error(self.lang, &e));
                false
            }
        }
    }
}

/// Returns whether a log has a line at this place: a line per round, and one per half hour without rounds.
fn begins_line(place: PtsPlace) -> bool {
    match place.phase {
        PtsPhase::Fill | PtsPhase::Round | PtsPhase::PreWrite => place.cell == 0,
        PtsPhase::Histogram => true,
        PtsPhase::Slice => place.cell == 0 && place.round % 8 == 1,
        _ => place.round % 30 == 1,
    }
}

impl PtsWatch for OwnWatch {
    fn measuring(&mut self, test: PtsTest, order: &PtsOrder, progress: &PtsProgress) {
        let what = report::pts_run::measuring(self.lang, test, order, progress);
        let place = order.place;
        if begins_line(place) && !std::io::stderr().is_terminal() {
            eprintln!("fathom pts: {what}");
        }
        self.what = what;
    }

    fn ended(&mut self) {
        self.clear();
    }

    fn purging(&mut self, test: PtsTest) {
        self.what = report::pts_run::purging(self.lang, test);
        if !std::io::stderr().is_terminal() {
            eprintln!("fathom pts: {}", self.what);
        }
    }
}

fn usage(text: &str) -> i32 {
    eprintln!("fathom pts: {text}");
    2
}

/// Returns the tests and the devices of the command line.
fn tests_and_devices(words: &[String]) -> Result<(Vec<PtsTest>, Vec<String>), String> {
    let is_device =
        |word: &String| word.contains('/') || word.starts_with(MODEL) || Path::new(word.as_str()).exists();
    let is_test = |word: &String| word == "all" || PtsTest::from_name(word).is_some();
    let first = words.iter().position(|word| !is_test(word) && is_device(word)).unwrap_or(words.len());
    let (names, devices) = words.split_at(first);
    if let Some(name) = names.iter().chain(devices).find(|word| !is_test(word) && !is_device(word)) {
        let all: Vec<&str> = PtsTest::ALL.iter().chain(&PtsTest::HDD).map(|test| test.name()).collect();
        return Err(format!("{name:?} is neither a test ({}, or all) nor a device", all.join(", ")));
    }
    if names.is_empty() || devices.is_empty() || devices.iter().any(is_test) {
        return Err("give at least one test, then the devices: fathom pts iops latency /dev/nvme1n1".into());
    }
    let mut tests: Vec<PtsTest> = Vec::new();
    for name in names {
        let found = match PtsTest::from_name(name) {
            Some(test) => vec![test],
            None => PtsTest::ALL.to_vec(),
        };
        tests.extend(found.into_iter().filter(|test| !tests.contains(test)).collect::<Vec<_>>());
    }
    let hdd = tests.iter().filter(|test| test.section().is_none()).count();
    if hdd > 0 && hdd < tests.len() {
        return Err(
            "give hdd-iops and hdd-throughput in a command without other tests: their demand differs".into(),
        );
    }
    Ok((tests, devices.to_vec()))
}

fn asked(a: &Arguments, tests: Vec<PtsTest>) -> PtsAsked {
    let hdd = tests.iter().any(|test| test.section().is_none());
    // TKperf measures hard disks with one I/O in flight.
    let (threads, depth) = if hdd { (1, 1) } else { a.class.demand() };
    PtsAsked {
        tests,
        class: a.class,
        scale: a.scale,
        active_range_percent: a.active_range.unwrap_or(a.class.active_range_percent()),
        threads: a.threads.unwrap_or(threads),
        depth: a.depth.unwrap_or(depth),
        purge: a.purge != PurgeChoice::None,
        only_purge: match a.purge {
            PurgeChoice::Discard => Some(PtsPurgeMethod::Discard),
            PurgeChoice::AtaSecureErase => Some(PtsPurgeMethod::AtaSecureErase),
            PurgeChoice::Auto | PurgeChoice::None => None,
        },
        demand_block: a.demand.0,
        demand_reads: a.demand.1,
        most_rounds: a.rounds,
        early_percent: a.early,
        seed: a.seed,
        engine: String::new(),
    }
}

/// Returns the description of a device that is only looked at.
fn looked_at(name: &str, root: &SysRoot) -> Result<PtsDevice, PtsError> {
    let path = Path::new(name);
    if name.starts_with(MODEL) {
        return Ok(simulated_device(name, Target::open(path, root)?.size));
    }
    if job::remote::is_remote_target(name) {
        return Err(PtsError::Refused { path: path.into(), reason: lab::pts::error::PtsRefusal::OnServer });
    }
    let meta = std::fs::metadata(path).ok().filter(|meta| meta.file_type().is_block_device());
    let found = meta.and_then(|meta| Device::of(root, DeviceNumber::from_raw(meta.rdev())));
    let described = found.and_then(|found| {
        let bytes = found.size(root)?;
        Some(device::described_device(name, &found, bytes, root))
    });
    described
        .ok_or_else(|| PtsError::Refused { path: path.into(), reason: lab::pts::error::PtsRefusal::NoDevice })
}

/// Checks that the active range of a device has at least one block.
fn check_range(asked: &PtsAsked, name: &str, device: &PtsDevice) -> Result<(), PtsError> {
    match asked.is_range_too_small(device.bytes) {
        true => Err(PtsError::RangeTooSmall { path: name.into(), percent: asked.active_range_percent }),
        false => Ok(()),
    }
}

/// Checks that `--wear-budget` permits what a study writes at any speed of the device, one pass over the active range, after `planned`
/// bytes of others, to which it adds these: a purge before the refusal of a step would destroy the data for nothing. How much more is
/// written within the times of the tests depends on the device, and the budget ends the study.
fn check_budget(
    asked: &PtsAsked,
    name: &str,
    device: &PtsDevice,
    planned: &mut u64,
    context: &JobContext,
) -> Result<(), PtsError> {
    if name.starts_with(MODEL) {
        return Ok(());
    }
    let [forecast, _] = PtsForecast::of(asked, device).total.bytes;
    *planned = planned.saturating_add(asked.active_range(device.bytes).min(forecast as u64));
    let afforded = run::wear::afford(context.allowance.as_deref(), Path::new(name), *planned, &context.root);
    afforded.map_err(|refusal| PtsError::Target(RunError::Refused(refusal).into()))
}

/// Opens the unfinished study named `which`, or for `last` the newest that is not being measured and those that the same
/// command began; locks and reads them.
fn unfinished(
    lang: Lang,
    keep: &StoreChoice,
    which: &str,
) -> Result<Vec<(Journal, PtsStudy, Vec<PtsPoint>)>, String> {
    let wrong = |e| report::words::store::error(lang, &e);
    let path = keep.place().map_err(|e| e.words(lang))?.ok_or("--resume needs a store")?;
    let open = || Store::open_existing(&path).map_err(wrong);
    let store = open()?;
    let ids = match which {
        "last" => store.unfinished_pts().map_err(wrong)?,
        name => match name.parse::<StoredId>() {
            Ok(StoredId::Study(id)) => vec![id],
            _ => return Err(format!("{name:?} names no study: S12, as fathom list has it")),
        },
    };
    let first = ids.first().copied().ok_or("no study of pts is unfinished")?;
    let busy = |id: i64| format!("S{id} is being measured by another process");
    let free = ids.into_iter().find_map(|id| Some((id, store.lock_study(id)?)));
    let (id, lock) = free.ok_or_else(|| busy(first))?;
    // A study is read after it is locked, so that no other process can add steps in between.
    let read = |store: Store, id: i64, lock| {
        let (study, points) =
            store.pts(id).map_err(wrong)?.ok_or_else(|| format!("S{id} is no study of fathom pts"))?;
        // A study that was killed after its last step and before its end was recorded only needs that record and its result.
        let recorded = !store.unfinished_pts().map_err(wrong)?.contains(&id);
        if let Some(host) = study.on_host.as_ref().filter(|_| !study.complete) {
            return Err(report::pts_run::of_host(lang, id, host));
        }
        if study.complete && recorded {
            return Err(format!("S{id} came to its end: fathom show S{id}"));
        }
        Ok((Journal { store: Some(store), id, lang, _lock: Some(lock) }, study, points))
    };
    let found = read(store, id, lock)?;
    let others = match which {
        "last" => open()?.unfinished_pts_of(found.1.group).map_err(wrong)?,
        _ => Vec::new(),
    };
    let mut all = vec![found];
    for other in others.into_iter().filter(|other| *other != id) {
        let store = open()?;
        let lock = store.lock_study(other).ok_or_else(|| busy(other))?;
        all.push(read(store, other, lock)?);
    }
    all.sort_by_key(|(journal, ..)| journal.id);
    Ok(all)
}

/// Begins a study in the store and sets its number.
fn begun(lang: Lang, keep: &StoreChoice, study: &mut PtsStudy) -> Result<Journal, StoreFault> {
    let Some(path) = keep.place()? else {
        return Ok(Journal { store: None, id: 0, lang, _lock: None });
    };
    let mut store = Store::open(path)?;
    let id = store.begin_pts(study)?;
    study.id = id;
    let lock = store.lock_study(id);
    Ok(Journal { store: Some(store), id, lang, _lock: lock })
}

/// Returns the wear of the drives under a device by a study; nothing for a simulated device.
fn planned_wear(study: &PtsStudy, name: &str, root: &SysRoot) -> Vec<DriveWear> {
    if name.starts_with(MODEL) {
        return Vec::new();
    }
    let total = PtsForecast::of(&study.asked, &study.device).total;
    let [certain, most] = total.bytes.map(|bytes| bytes as u64);
    let planned = PlannedWrites { certain, most: Some(most) };
    run::wear::on_drives(root, Path::new(name), planned, total.seconds[1], None)
}

/// Returns a study on a claimed device before its first step.
fn new_study(asked: PtsAsked, name: &str, bench: &PtsBench, device: PtsDevice) -> PtsStudy {
    let asked = PtsAsked { engine: bench.engine(), ..asked };
    let mut study = begin(asked, device, env!("CARGO_PKG_VERSION"), run::wall_clock::epoch_ms());
    study.host = facts::machine::host(&SysRoot::machine());
    provenance(&mut study.host, std::iter::once(name));
    study
}

/// Returns what the jobs of the studies have in common.
fn job_context(a: &Arguments, interrupt: Arc<AtomicUsize>) -> JobContext {
    let mut context = JobContext::here(interrupt, patience(), report::words::lab::stored);
    context.consent = Consent::new(Policy::Own, a.allow_destroy.clone());
    context.allowance = wear::allowance(a.limit.wear_budget);
    context
}

/// Claims all devices.
///
/// # Errors
/// A device must not be overwritten, or cannot be used. None is claimed afterwards.
fn claim_all(
    a: &Arguments,
    work: &[(Source, String)],
    context: &JobContext,
) -> Result<Vec<(PtsBench, PtsDevice)>, PtsError> {
    // Each simulated device has its own time.
    let own = || JobContext { models: Default::default(), ..context.clone() };
    let mut planned = 0;
    work.iter().map(|(source, name)| source.claim(a, name, &mut planned, own())).collect()
}

/// A study whose device is claimed and whose place in the store is known.
struct Opened {
    bench: PtsBench,
    name: String,
    study: PtsStudy,
    points: Vec<PtsPoint>,
    journal: Journal,
}

/// End of a study.
struct Ended {
    study: PtsStudy,
    /// Number in the store; `None` if it is not stored.
    id: Option<i64>,
    /// Exit status.
    status: i32,
}

fn failed(lang: Lang, e: &PtsError) -> i32 {
    eprintln!("fathom pts: {}", report::pts_run::error(lang, e));
    e.exit_code()
}

impl Opened {
    /// Carries out what is left of the study, and stores whether it is complete.
    fn carry_out(mut self, lang: Lang, watch: &mut dyn PtsWatch, interrupt: &AtomicUsize) -> Ended {
        // The device may have another name than when the study began.
        let now = PtsDevice { name: self.name.clone(), ..self.study.device.clone() };
        let Opened { bench, study, points, journal, .. } = &mut self;
        let done = bench.run(&study.asked, &now, points, journal, watch);
        watch.ended();
        let left = bench.restore_settings();
        left.iter().for_each(|fact| eprintln!("fathom: {}", report::words::note::note(lang, fact)));
        study.evaluate(points);
        if let Some(store) = &mut journal.store
            && let Err(e) = store.finish_pts(journal.id, study)
        {
            eprintln!("fathom pts: {}", report::words::store::error(lang, &e));
        }
        let status = match &done {
            Err(e) => failed(lang, e),
            Ok(()) if interrupt.load(Relaxed) != 0 => 128,
            Ok(()) => 0,
        };
        let id = journal.store.as_ref().map(|_| journal.id);
        Ended { study: self.study, id, status }
    }
}

/// A study to resume, or a device on which one begins.
enum Source {
    Stored(Box<(Journal, PtsStudy, Vec<PtsPoint>)>),
    New(PtsAsked),
}

impl Source {
    /// Claims the device, and checks that it is the one on which a stored study was begun.
    fn claim(
        &self,
        a: &Arguments,
        name: &str,
        planned: &mut u64,
        context: JobContext,
    ) -> Result<(PtsBench, PtsDevice), PtsError> {
        let purge = match self {
            Source::Stored(stored) => PurgeChoice::of(&stored.1.asked),
            Source::New(_) => a.purge,
        };
        if let Source::New(asked) = self {
            let device = looked_at(name, &context.root)?;
            check_range(asked, name, &device)?;
            check_budget(asked, name, &device, planned, &context)?;
        }
        let (bench, device) = PtsBench::open(name, purge, context)?;
        if let Source::Stored(stored) = self {
            bench.continues(&device, &stored.1.device)?;
        }
        Ok((bench, device))
    }

    /// Returns the study on a claimed device, which is stored if it begins.
    fn begin(
        self,
        lang: Lang,
        a: &Arguments,
        name: &str,
        group: u64,
        (bench, device): (PtsBench, PtsDevice),
    ) -> Result<Opened, i32> {
        let root = SysRoot::machine();
        let (journal, study, points) = match self {
            Source::Stored(stored) => *stored,
            Source::New(asked) => {
                let mut study = new_study(asked, name, &bench, device);
                study.group = group;
                let journal = begun(lang, &a.keep.choice(), &mut study).map_err(|e| {
                    eprintln!("fathom pts: {}", e.words(lang));
                    run::output::NOT_WRITTEN
                })?;
                (journal, study, Vec::new())
            }
        };
        wear::print(lang, &planned_wear(&study, name, &root));
        Ok(Opened { bench, name: name.to_owned(), study, points, journal })
    }
}

/// Prints what the studies will do and cost and what forbids them, and returns the exit status.
fn dry_run(lang: Lang, a: &Arguments, work: Vec<(Source, String)>, context: &JobContext) -> i32 {
    let root = &context.root;
    let (mut plans, mut planned) = (Vec::new(), 0);
    for (source, name) in work {
        let Source::New(asked) = source else { continue };
        let looked =
            looked_at(&name, root).and_then(|device| check_range(&asked, &name, &device).map(|()| device));
        let device = match looked {
            Ok(device) => device,
            Err(e) => return failed(lang, &e),
        };
        let study = begin(asked, device, "", 0);
        let forecast = PtsForecast::of(&study.asked, &study.device);
        let affordable = check_budget(&study.asked, &name, &study.device, &mut planned, context);
        let refused = may_begin(&name, a.purge, context).and(affordable).err();
        if !a.json {
            print(&report::pts_run::plan(lang, &study, &forecast, terminal::width()));
            let drives = planned_wear(&study, &name, root);
            wear::lines(lang, &drives).iter().for_each(|line| print(&format!("{line}\n")));
            if let Some(e) = &refused {
                let why = report::pts_run::error(lang, e);
                print(&format!("fathom pts: {}\n", report::words::lab::would_not_begin(lang, &why)));
            }
        }
        plans.push((forecast, refused.map(|e| report::pts_run::error(Lang::En, &e))));
    }
    if a.json {
        print(&report::pts_run::plan_json(&plans));
    }
    0
}

/// Returns the studies to carry out, each with the name of its device.
fn work(lang: Lang, a: &Arguments) -> Result<Vec<(Source, String)>, String> {
    let Some(which) = a.resume.as_deref() else {
        let (tests, devices) = tests_and_devices(&a.words)?;
        return Ok(devices.into_iter().map(|name| (Source::New(asked(a, tests.clone())), name)).collect());
    };
    let wrong = |why: String| format!("--resume: {why}");
    let found = unfinished(lang, &a.keep.choice(), which).map_err(wrong)?;
    let named = match (a.words.as_slice(), found.len()) {
        ([], _) => None,
        ([device], 1) => Some(device.clone()),
        ([_], _) => {
            let why = "the last command measured several devices; name one study with the device: --resume S12 DEVICE";
            return Err(wrong(why.into()));
        }
        _ => return Err(wrong("the tests are those of the study; give at most the device".into())),
    };
    let source = |found: (Journal, PtsStudy, Vec<PtsPoint>)| {
        let name = named.clone().unwrap_or_else(|| found.1.device.name.clone());
        (Source::Stored(Box::new(found)), name)
    };
    Ok(found.into_iter().map(source).collect())
}

/// Runs the command and returns the exit status: 0 if all tests came to their end. `typed` are the words of the command line.
pub fn main(lang: Lang, a: Arguments, typed: &[OsString]) -> i32 {
    if a.hosts.is_asked() {
        return on_hosts::main(lang, &a, typed);
    }
    if let Some(switch) = a.hosts.without_hosts() {
        return usage(&report::hosts::only_with_hosts(lang, switch));
    }
    let work = match work(lang, &a) {
        Ok(work) => work,
        Err(why) => return usage(&why),
    };
    if a.view.live && work.len() > 1 {
        return usage("--live shows one device; leave it out, or test one device");
    }
    let root = SysRoot::machine();
    let names: Vec<String> = work.iter().map(|(_, name)| name.clone()).collect();
    match shared(&names, &root) {
        Ok(shared) => {
            shared.iter().filter_map(|shared| report::pts_run::shared(lang, shared)).for_each(|line| {
                eprintln!("fathom pts: {line}");
            })
        }
        Err(e) => return failed(lang, &e),
    }
    let mut context = job_context(&a, signal::watch());
    context.scratch_named = crate::live::scratch_named(lang);
    if a.dry_run {
        return dry_run(lang, &a, work, &context);
    }
    if let Err((line, status)) = a.keep.choice().may_be_written(lang) {
        eprintln!("fathom pts: {line}");
        return status;
    }
    restore_kernel_settings(lang);
    let interrupt = context.interrupt.clone();
    // Studies of one command are resumed together.
    let group = match work.len() {
        ..=1 => 0,
        _ => (run::wall_clock::epoch_ms() << 8) ^ u64::from(std::process::id()),
    };
    // Every device is claimed before a study begins on any of them.
    let claimed = match claim_all(&a, &work, &context) {
        Ok(claimed) => claimed,
        Err(e) => return failed(lang, &e),
    };
    let mut opened = Vec::new();
    for ((source, name), claimed) in work.into_iter().zip(claimed) {
        match source.begin(lang, &a, &name, group, claimed) {
            Ok(study) => opened.push(study),
            Err(status) => return status,
        }
    }
    if opened.len() > 1 {
        return several::main(lang, &a, opened, &interrupt);
    }
    let Some(opened) = opened.pop() else { return 0 };
    let mut watch = OwnWatch::new(lang).with_view(a.view);
    let ended = opened.carry_out(lang, &mut watch, &interrupt);
    print(&if a.json {
        report::pts_run::json(&ended.study)
    } else {
        report::pts_run::card(lang, &ended.study, terminal::width())
    });
    ended.say_resumable(lang);
    ended.status
}

impl Ended {
    /// Returns the name of the study in the store, or that of its device.
    fn name(&self) -> String {
        self.id.map_or_else(|| self.study.device.name.clone(), |id| format!("S{id}"))
    }

    /// Prints how the study is continued if it did not come to its end.
    fn say_resumable(&self, lang: Lang) {
        if let Some(id) = self.id.filter(|_| !self.study.complete) {
            eprintln!("fathom pts: {}", report::pts_run::resumable(lang, id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_study_are_refused_with_resume() {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            of: Arguments,
        }
        let parsed = |args: &[&str]| {
            let line = ["pts"].into_iter().chain(args.iter().copied());
            <Line as clap::Parser>::try_parse_from(line).map(|line| line.of).map_err(|e| e.to_string())
        };
        for option in [
            "--class=client",
            "--scale=1/60",
            "--active-range=50",
            "--threads=2",
            "--depth=2",
            "--purge=none",
            "--demand=4k:50",
            "--rounds=9",
            "--early=5",
            "--early",
            "--seed=2",
        ] {
            let name = option.split('=').next().unwrap_or_default();
            let refused = parsed(&["--resume=S1", option]).err().unwrap_or_default();
            assert!(refused.contains(name) && refused.contains("--resume"), "{option}: {refused}");
            assert!(parsed(&["iops", "/dev/sdz", option]).is_ok(), "{option}");
        }
        assert!(parsed(&["--resume=S1", "--allow-destroy=/dev/sdz", "--json"]).is_ok());
    }

    #[test]
    fn scale_is_one_over_a_number() {
        assert_eq!([scale("1"), scale("1/60"), scale("1/1")], [Ok(1), Ok(60), Ok(1)]);
        for wrong in ["", "0", "60", "2/60", "1/0", "1/-1", "0.5", "1/100001"] {
            assert!(scale(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tests_come_before_the_devices() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let (tests, devices) =
            tests_and_devices(&words("iops hir iops /dev/sdz /dev/sdy")).unwrap_or_default();
        assert_eq!((tests, devices), (vec![PtsTest::Iops, PtsTest::Hir], words("/dev/sdz /dev/sdy")));
        assert_eq!(tests_and_devices(&words("all /dev/sdz")).map(|(tests, _)| tests.len()), Ok(8));
        for wrong in [
            "/dev/sdz",
            "iops",
            "iops hir",
            "iops hdd-iops /dev/sdz",
            "iosp /dev/sdz",
            "iops hri /dev/sdz",
            "iops /dev/sdz hir",
            "iops /dev/sdz sdy",
        ] {
            assert!(tests_and_devices(&words(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn demand_is_a_block_size_and_a_share_of_reads() {
        assert_eq!(demand("8k:65"), Ok((8192, 65)));
        for wrong in ["8k", "8k:101", "100:65", "2m:5", ":", "8k:x"] {
            assert!(demand(wrong).is_err(), "{wrong}");
        }
    }
}
