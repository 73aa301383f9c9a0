//! `fathom pts TEST... DEVICE`: the tests of the SNIA Solid State Storage Performance Test Specification.

use crate::environment::patience;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::print;
use crate::stored::{Keep, StoreChoice, StoreFault, provenance};
use crate::wear::{self, WearLimit};
use crate::{signal, terminal};
use facts::SysRoot;
use facts::layers::{Device, DeviceNumber};
use lab::pts::error::PtsError;
use lab::pts::purge::PurgeChoice;
use lab::pts::{PtsBench, PtsJournal, PtsWatch, begin, device, simulated_device};
use lab::target::{JobContext, MODEL, Target};
use report::Lang;
use run::consent::{Consent, Policy};
use stats::StoredId;
use stats::pts::{
    MOST_ROUNDS, PtsAsked, PtsClass, PtsDevice, PtsForecast, PtsOrder, PtsPhase, PtsPoint, PtsProgress,
    PtsStudy, PtsTest,
};
use stats::wear::PlannedWrites;
use std::io::IsTerminal;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use store::{Store, StudyLock};

/// How fast is this SSD in steady state? SNIA's tests (PTS 2.0.2)
///
/// All data on the device is destroyed. Tests: iops, throughput, latency, wsat (write saturation), hir (host idle
/// recovery), xsr (cross stimulus recovery), cbw (composite block sizes), dirth (demand intensity), or all.
#[derive(clap::Args)]
pub struct Arguments {
    /// Tests, in the order of measurement, then the block device. `model:law=constant:1ms;size=1g` is a simulated device
    #[arg(value_name = "TEST... DEVICE", required_unless_present = "resume")]
    words: Vec<String>,
    /// Allow destroying the data of this device
    #[arg(long, value_name = "DEVICE")]
    allow_destroy: Vec<PathBuf>,
    /// Print the time, the writes and the wear, and do nothing
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    /// Settings of the specification: enterprise (write cache off, active range 100 %) or client (on, 75 %)
    #[arg(long, value_name = "CLASS", default_value = "enterprise", value_parser = class)]
    class: PtsClass,
    /// Rehearsal: divide all durations, as 1/60
    #[arg(long, value_name = "1/N", default_value = "1", value_parser = scale)]
    scale: u32,
    /// Active range, percent of the capacity from the start of the device [default: that of the class]
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    active_range: Option<f64>,
    /// Threads of the tests iops, wsat and hir [default: 4; client: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// Queue depth of each of these threads [default: 32; client: 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    depth: Option<u32>,
    /// Purge before each test: auto (NVMe Format, NVMe Sanitize or discard), discard, or none
    #[arg(long, value_name = "METHOD", default_value = "auto", value_parser = purge)]
    purge: PurgeChoice,
    /// Block size and share of reads of the test dirth
    #[arg(long, value_name = "BS:READS", default_value = "8k:65", value_parser = demand)]
    demand: (u64, u32),
    /// Largest number of rounds
    #[arg(long, value_name = "N", default_value_t = MOST_ROUNDS, value_parser = clap::value_parser!(u32).range(1..=25))]
    rounds: u32,
    /// End rounds before steady state if the 95 % interval of the mean of every tracked variable is within this percentage.
    /// The result is then not conformant
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, require_equals = true, default_missing_value = "10", value_parser = early)]
    early: Option<f64>,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Resume an unfinished study: the last one, or the one named
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
        _ => Err("give auto, discard or none"),
    }
}

fn demand(text: &str) -> Result<(u64, u32), &'static str> {
    let right = "give a block size and a percentage of reads, e.g. 8k:65";
    let (block, reads) = text.split_once(':').ok_or(right)?;
    let number = job::unit::integer(block, 1024).ok().filter(|n| n.rest.is_empty());
    let block = number.and_then(|n| u64::try_from(n.value).ok());
    let block = block.filter(|bytes| (512..=1 << 20).contains(bytes) && bytes.is_multiple_of(512));
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

impl PtsWatch for OwnWatch {
    fn measuring(&mut self, test: PtsTest, order: &PtsOrder, progress: &PtsProgress) {
        let what = report::pts_run::measuring(self.lang, test, order, progress);
        let place = order.place;
        // A log of a long test has a line per round, and one per half hour without rounds.
        let starts = match place.phase {
            PtsPhase::Fill | PtsPhase::Round | PtsPhase::PreWrite => place.cell == 0,
            PtsPhase::Histogram => true,
            _ => place.round % 30 == 1,
        };
        if starts && !std::io::stderr().is_terminal() {
            eprintln!("fathom pts: {what}");
        }
        self.what = what;
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

/// Returns the tests and the device of the command line.
fn tests_and_device(words: &[String]) -> Result<(Vec<PtsTest>, String), String> {
    let (device, names) = words.split_last().ok_or("give at least one test, and a device")?;
    if names.is_empty() || PtsTest::from_name(device).is_some() {
        return Err(
            "give at least one test, and the device last: fathom pts iops latency /dev/nvme1n1".into()
        );
    }
    let mut tests: Vec<PtsTest> = Vec::new();
    for name in names {
        let found: Vec<PtsTest> = match name.as_str() {
            "all" => PtsTest::ALL.to_vec(),
            name => vec![PtsTest::from_name(name).ok_or_else(|| {
                let all: Vec<&str> = PtsTest::ALL.iter().map(|test| test.name()).collect();
                format!("{name:?} is no test: {}, or all", all.join(", "))
            })?],
        };
        tests.extend(found.into_iter().filter(|test| !tests.contains(test)).collect::<Vec<_>>());
    }
    Ok((tests, device.clone()))
}

fn asked(a: &Arguments, tests: Vec<PtsTest>) -> PtsAsked {
    let (threads, depth) = a.class.demand();
    PtsAsked {
        tests,
        class: a.class,
        scale: a.scale,
        active_range_percent: a.active_range.unwrap_or(a.class.active_range_percent()),
        threads: a.threads.unwrap_or(threads),
        depth: a.depth.unwrap_or(depth),
        purge: a.purge != PurgeChoice::None,
        discard_only: a.purge == PurgeChoice::Discard,
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
    let meta = std::fs::metadata(path).ok().filter(|meta| meta.file_type().is_block_device());
    let found = meta.and_then(|meta| Device::of(root, DeviceNumber::from_raw(meta.rdev())));
    let described = found.and_then(|found| {
        let bytes = found.size(root)?;
        Some(device::described_device(name, &found, bytes, root))
    });
    described
        .ok_or_else(|| PtsError::Refused { path: path.into(), reason: lab::pts::error::PtsRefusal::NoDevice })
}

/// Opens the unfinished study named `which` (`S12`, or `last` for the newest that is not being measured), locks and reads
/// it.
fn unfinished(
    lang: Lang,
    keep: &StoreChoice,
    which: &str,
) -> Result<(Journal, PtsStudy, Vec<PtsPoint>), String> {
    let wrong = |e| report::words::store::error(lang, &e);
    let path = keep.place().map_err(|e| e.words(lang))?.ok_or("--resume needs a store")?;
    let store = Store::open_existing(path).map_err(wrong)?;
    let ids = match which {
        "last" => store.unfinished_pts().map_err(wrong)?,
        name => match name.parse::<StoredId>() {
            Ok(StoredId::Study(id)) => vec![id],
            _ => return Err(format!("{name:?} names no study: S12, as fathom list has it")),
        },
    };
    let first = ids.first().copied().ok_or("no study of pts is unfinished")?;
    let free = ids.into_iter().find_map(|id| Some((id, store.lock_study(id)?)));
    let (id, lock) = free.ok_or_else(|| format!("S{first} is being measured by another process"))?;
    // The study is read after it is locked, so that no other process can add steps in between.
    let (study, points) =
        store.pts(id).map_err(wrong)?.ok_or_else(|| format!("S{id} is no study of fathom pts"))?;
    // A study that was killed after its last step and before its end was recorded only needs that record and its result.
    let recorded = !store.unfinished_pts().map_err(wrong)?.contains(&id);
    if study.complete && recorded {
        return Err(format!("S{id} came to its end: fathom show S{id}"));
    }
    Ok((Journal { store: Some(store), id, lang, _lock: Some(lock) }, study, points))
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

fn planned(forecast: &PtsForecast) -> PlannedWrites {
    let [certain, most] = forecast.total.bytes.map(|bytes| bytes as u64);
    PlannedWrites { certain, most: Some(most) }
}

/// Runs the command and returns the exit status: 0 if all tests came to their end.
pub fn main(lang: Lang, a: Arguments) -> i32 {
    let failed = |e: &PtsError| {
        eprintln!("fathom pts: {}", report::pts_run::error(lang, e));
        e.exit_code()
    };
    let keep = a.keep.choice();
    let resumed = match a.resume.as_deref().map(|which| unfinished(lang, &keep, which)).transpose() {
        Ok(resumed) => resumed,
        Err(why) => return usage(&format!("--resume: {why}")),
    };
    let (tests, name) = match (&resumed, a.words.as_slice()) {
        (Some((_, study, _)), []) => (study.asked.tests.clone(), study.device.name.clone()),
        (Some((_, study, _)), [device]) => (study.asked.tests.clone(), device.clone()),
        (Some(_), _) => return usage("--resume: the tests are those of the study; give at most the device"),
        (None, words) => match tests_and_device(words) {
            Ok(found) => found,
            Err(why) => return usage(&why),
        },
    };
    let root = SysRoot::machine();
    let mut context = JobContext::here(signal::watch(), patience(), report::words::lab::stored);
    context.consent = Consent::new(Policy::Own, a.allow_destroy.clone());
    context.allowance = wear::allowance(a.limit.wear_budget);
    let interrupt = context.interrupt.clone();
    if a.dry_run {
        let device = match looked_at(&name, &root) {
            Ok(device) => device,
            Err(e) => return failed(&e),
        };
        let study = begin(asked(&a, tests), device, "", 0);
        let forecast = PtsForecast::of(&study.asked, &study.device);
        if a.json {
            print(&report::export::json(&forecast));
            return 0;
        }
        print(&report::pts_run::plan(lang, &study, &forecast, terminal::width()));
        if !name.starts_with(MODEL) {
            let seconds = forecast.total.seconds[1];
            let drives = run::wear::on_drives(&root, Path::new(&name), planned(&forecast), seconds, None);
            wear::lines(lang, &drives).iter().for_each(|line| print(&format!("{line}\n")));
        }
        return 0;
    }
    restore_kernel_settings(lang);
    let purge = match &resumed {
        Some((_, study, _)) => PurgeChoice::of(&study.asked),
        None => a.purge,
    };
    let (mut bench, device) = match PtsBench::open(&name, purge, context) {
        Ok(opened) => opened,
        Err(e) => return failed(&e),
    };
    let (mut study, mut points, mut journal) = match resumed {
        Some((journal, study, points)) => {
            if let Err(e) = bench.continues(&device, &study.device) {
                return failed(&e);
            }
            (study, points, journal)
        }
        None => {
            let asked = PtsAsked { engine: bench.engine(), ..asked(&a, tests) };
            let version = env!("CARGO_PKG_VERSION");
            let mut study = begin(asked, device.clone(), version, run::wall_clock::epoch_ms());
            study.host = facts::machine::host(&root);
            provenance(&mut study.host, std::iter::once(name.as_str()));
            match begun(lang, &keep, &mut study) {
                Ok(journal) => (study, Vec::new(), journal),
                Err(e) => {
                    eprintln!("fathom pts: {}", e.words(lang));
                    return run::output::NOT_WRITTEN;
                }
            }
        }
    };
    if !name.starts_with(MODEL) {
        let forecast = PtsForecast::of(&study.asked, &study.device);
        let seconds = forecast.total.seconds[1];
        wear::print(lang, &run::wear::on_drives(&root, Path::new(&name), planned(&forecast), seconds, None));
    }
    let mut watch = OwnWatch::new(lang).with_view(a.view);
    // The device may have another name than when the study began.
    let now = PtsDevice { name: name.clone(), ..study.device.clone() };
    let done = bench.run(&study.asked, &now, &mut points, &mut journal, &mut watch);
    let left = bench.restore_settings();
    drop(bench);
    watch.clear();
    left.iter().for_each(|fact| eprintln!("fathom: {}", report::words::note::note(lang, fact)));
    study.evaluate(&points);
    if let Some(store) = &mut journal.store
        && let Err(e) = store.finish_pts(journal.id, &study)
    {
        eprintln!("fathom pts: {}", report::words::store::error(lang, &e));
    }
    print(&if a.json {
        report::pts_run::json(&study)
    } else {
        report::pts_run::card(lang, &study, terminal::width())
    });
    let status = match &done {
        Err(e) => failed(e),
        Ok(()) if interrupt.load(Relaxed) != 0 => 128,
        Ok(()) => 0,
    };
    if !study.complete && journal.store.is_some() {
        eprintln!("fathom pts: {}", report::pts_run::resumable(lang, journal.id));
    }
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_is_one_over_a_number() {
        assert_eq!([scale("1"), scale("1/60"), scale("1/1")], [Ok(1), Ok(60), Ok(1)]);
        for wrong in ["", "0", "60", "2/60", "1/0", "1/-1", "0.5", "1/100001"] {
            assert!(scale(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tests_come_before_the_device() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let (tests, device) = tests_and_device(&words("iops hir iops /dev/sdz")).unwrap_or_default();
        assert_eq!((tests, device.as_str()), (vec![PtsTest::Iops, PtsTest::Hir], "/dev/sdz"));
        assert_eq!(tests_and_device(&words("all /dev/sdz")).map(|(tests, _)| tests.len()), Ok(8));
        for wrong in ["/dev/sdz", "iops", "iops hir", "iosp /dev/sdz"] {
            assert!(tests_and_device(&words(wrong)).is_err(), "{wrong}");
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
