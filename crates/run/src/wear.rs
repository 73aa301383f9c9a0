//! Writes of a plan, and the allowance of `--wear-budget`: an amount of data that the runs of a command share.

use crate::refusal::{Refusal, RefusalReason};
use facts::SysRoot;
use facts::flash::{self, FlashDrive};
use job::job::{EngineChoice, Job, Mix};
use job::plan::{FileKind, Layout, Plan, PlannedJob};
use stats::Direction;
use stats::wear::{DriveWear, PlannedWrites, WearBudget};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Data that a command may still write. Every worker takes the bytes of a write from it before it issues the write.
#[derive(Debug)]
pub struct WriteAllowance {
    budget: WearBudget,
    /// Budget in bytes; `u64::MAX` until the endurance behind a percentage is known.
    limit: AtomicU64,
    taken: AtomicU64,
    exhausted: AtomicBool,
    refused: AtomicBool,
}

impl WriteAllowance {
    /// Returns the allowance of `budget`, of which nothing is taken.
    pub fn new(budget: WearBudget) -> Self {
        let limit = budget.bytes(std::iter::empty()).unwrap_or(u64::MAX);
        Self { budget, limit: limit.into(), taken: 0.into(), exhausted: false.into(), refused: false.into() }
    }

    /// Takes `bytes` bytes and returns true. If fewer are left, takes nothing, returns false and is exhausted.
    pub fn take(&self, bytes: u64) -> bool {
        let limit = self.limit.load(Relaxed);
        let sum = |taken: u64| taken.checked_add(bytes).filter(|sum| *sum <= limit);
        let fits = self.taken.fetch_update(Relaxed, Relaxed, sum).is_ok();
        if !fits {
            self.exhausted.store(true, Relaxed);
        }
        fits
    }

    /// Returns the budget in bytes.
    pub fn limit(&self) -> u64 {
        self.limit.load(Relaxed)
    }

    /// Returns the number of bytes taken so far.
    pub fn taken(&self) -> u64 {
        self.taken.load(Relaxed)
    }

    /// Returns the number of bytes that may still be taken.
    pub fn left(&self) -> u64 {
        self.limit().saturating_sub(self.taken())
    }

    /// Returns whether a write was not issued because its bytes were not left.
    pub fn exhausted(&self) -> bool {
        self.exhausted.load(Relaxed)
    }

    /// Returns whether a write was withheld and none was permitted: the command is refused.
    pub fn permitted_nothing(&self) -> bool {
        (self.exhausted() || self.refused.load(Relaxed)) && self.taken() == 0
    }

    /// Sets the budget in bytes for the drives under `path`, of which the target `name` is a part.
    ///
    /// # Errors
    /// The budget is a percentage, and no flash drive is known under the path.
    fn resolve(&self, root: &SysRoot, path: &Path, name: &Path) -> Result<(), Refusal> {
        if let WearBudget::Percent(_) = self.budget {
            let drives = flash::drives_under(root, path);
            let bytes = self.budget.bytes(drives.iter().map(|drive| &drive.endurance));
            let no_endurance = || Refusal { path: name.into(), reason: RefusalReason::NoEndurance };
            self.limit.fetch_min(bytes.ok_or_else(no_endurance)?, Relaxed);
        }
        Ok(())
    }

    /// Returns the refusal of `planned` bytes to `path`; `None` if their number is not known before they are written.
    pub fn refusal(&self, path: &Path, planned: Option<u64>) -> Refusal {
        self.refused.store(true, Relaxed);
        let reason = RefusalReason::WearBudget { planned, left: self.left(), budget: self.limit() };
        Refusal { path: path.into(), reason }
    }
}

/// Checks that `bytes` bytes may be written to `path`; takes nothing.
///
/// # Errors
/// The allowance has fewer bytes left, or is a percentage without a known endurance.
pub fn afford(
    allowance: Option<&WriteAllowance>,
    path: &Path,
    bytes: u64,
    root: &SysRoot,
) -> Result<(), Refusal> {
    let Some(allowance) = allowance.filter(|_| bytes > 0) else { return Ok(()) };
    allowance.resolve(root, existing(path), path)?;
    if bytes > allowance.left() { Err(allowance.refusal(path, Some(bytes))) } else { Ok(()) }
}

/// Checks that the certain writes of `plan` are within the allowance, and takes those of the layout.
///
/// # Errors
/// The plan writes more, or the allowance is a percentage and a target has no known endurance.
pub(crate) fn check(plan: &Plan, allowance: Option<&WriteAllowance>, root: &SysRoot) -> Result<(), Refusal> {
    let Some(allowance) = allowance else { return Ok(()) };
    let writes = writes(plan);
    for (place, planned) in &writes {
        allowance.resolve(root, place, &planned.name)?;
    }
    let certain = writes.values().fold(0u64, |sum, planned| sum.saturating_add(planned.writes.certain));
    if certain > allowance.left() || !allowance.take(laid_out(plan).values().sum()) {
        let name = writes.into_values().next().map(|planned| planned.name).unwrap_or_default();
        return Err(allowance.refusal(&name, Some(certain)));
    }
    Ok(())
}

/// Returns the writes of `plan` to each flash drive under its targets, limited by the allowance. With an allowance, targets
/// without a known flash drive are included, each by its path.
pub fn of_plan(plan: &Plan, root: &SysRoot, allowance: Option<&WriteAllowance>) -> Vec<DriveWear> {
    let mut drives: BTreeMap<String, DriveWear> = BTreeMap::new();
    for (place, planned) in writes(plan) {
        let seconds = planned.nanos as f64 / 1e9;
        for mut wear in on_drives(root, &place, planned.writes, seconds, allowance) {
            if wear.endurance.is_none() {
                wear.name = planned.name.display().to_string();
            }
            let entry = drives.entry(wear.name.clone());
            entry
                .and_modify(|sum| {
                    sum.planned = limited(sum.planned.and(wear.planned), allowance);
                    sum.seconds = sum.seconds.max(wear.seconds);
                })
                .or_insert(wear);
        }
    }
    drives.into_values().collect()
}

/// Returns `planned`, limited by the allowance, for each flash drive under `path`; with an allowance and without a known
/// flash drive for the path itself. `seconds` is the longest time of the writes, 0 without a limit.
pub fn on_drives(
    root: &SysRoot,
    path: &Path,
    planned: PlannedWrites,
    seconds: f64,
    allowance: Option<&WriteAllowance>,
) -> Vec<DriveWear> {
    // Without an endurance, a percentage is refused when the writes are checked.
    let _ = allowance.map(|allowance| allowance.resolve(root, existing(path), path));
    let planned = limited(planned, allowance);
    let of = |drive: FlashDrive| DriveWear {
        name: drive.name,
        endurance: Some(drive.endurance),
        planned,
        seconds,
    };
    let drives: Vec<DriveWear> = flash::drives_under(root, existing(path)).into_iter().map(of).collect();
    if drives.is_empty() && allowance.is_some() {
        let name = path.display().to_string();
        return vec![DriveWear { name, endurance: None, planned, seconds }];
    }
    drives
}

/// Returns `planned` with what is left of the allowance as its upper end, if that is lower.
fn limited(planned: PlannedWrites, allowance: Option<&WriteAllowance>) -> PlannedWrites {
    match allowance.map(WriteAllowance::left) {
        None | Some(u64::MAX) => planned,
        Some(left) => {
            PlannedWrites { most: Some(planned.most.map_or(left, |most| most.min(left))), ..planned }
        }
    }
}

/// Returns the path, or the directory of a file that the plan will create.
fn existing(path: &Path) -> &Path {
    let up = path.ancestors().find(|part| part.as_os_str().is_empty() || part.exists());
    up.filter(|part| !part.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns a place on the storage of a target: the device, or the directory of a file.
fn place(path: &Path) -> PathBuf {
    let Ok(real) = std::fs::canonicalize(path) else { return existing(path).to_owned() };
    match real.parent() {
        Some(parent) if real.is_file() => parent.to_owned(),
        _ => real,
    }
}

/// Writes to the targets in one place.
#[derive(Debug)]
struct PlaceWrites {
    /// Path of the first target as the plan has it.
    name: PathBuf,
    writes: PlannedWrites,
    /// Longest time of the writes in nanoseconds; 0 without a limit.
    nanos: u64,
}

/// Returns the writes of `plan` by place, without places that nothing is written to. The writes of a clone to several
/// files are counted with its first file.
fn writes(plan: &Plan) -> BTreeMap<PathBuf, PlaceWrites> {
    let mut places: BTreeMap<PathBuf, PlaceWrites> = BTreeMap::new();
    let mut add = |path: &Path, writes: PlannedWrites, nanos| {
        if !writes.is_none() {
            let nothing = PlaceWrites { name: path.into(), writes: PlannedWrites::at_most(0), nanos: 0 };
            let sum = places.entry(place(path)).or_insert(nothing);
            sum.writes = sum.writes.and(writes);
            sum.nanos = sum.nanos.max(nanos);
        }
    };
    for (path, bytes) in laid_out(plan) {
        add(path, PlannedWrites::exactly(bytes), 0);
    }
    for clone in &plan.clones {
        let job = &plan.jobs[clone.job];
        let nanos = job.limits.runtime.map_or(0, |time| time.get().saturating_add(job.limits.ramp_time));
        if let Some(first) = clone.files.iter().find(|file| file.kind != FileKind::None) {
            add(&first.path, of_clone(job, clone), nanos);
        }
    }
    places
}

/// Returns the bytes that are written to each file before the jobs start.
fn laid_out(plan: &Plan) -> HashMap<&Path, u64> {
    let mut laid: HashMap<&Path, u64> = HashMap::new();
    for clone in &plan.clones {
        let job = &plan.jobs[clone.job];
        let writes = job.engine.needs_files() && !job.target.readonly && !job.target.fill;
        for file in clone.files.iter().filter(|file| writes && file.layout == Layout::Write) {
            let bytes = laid.entry(&file.path).or_default();
            *bytes = file.size.max(*bytes);
        }
    }
    laid
}

/// Returns the unit in which the writes of a job reach the device, bytes: the kernel writes whole pages.
pub(crate) fn written_unit(job: &Job) -> u64 {
    const PAGE: u64 = 4096;
    if job.target.direct { 1 } else { PAGE }
}

/// Returns the writes of a clone apart from its layout.
fn of_clone(job: &Job, clone: &PlannedJob) -> PlannedWrites {
    let mix = job.pattern.mix;
    let only_checks = job.verify.as_ref().is_some_and(|verify| verify.only);
    let moves_nothing = job.target.create_only || job.target.readonly || only_checks;
    let real = job.engine.needs_files() && job.engine != EngineChoice::Falloc;
    if !mix.has(Direction::Write) || moves_nothing || !real {
        return PlannedWrites::at_most(0);
    }
    let limits = &job.limits;
    let fills = job.target.fill && job.target.size.is_none() && job.target.filesize.is_none();
    if limits.time_based || fills || clone.replay.is_some() {
        return PlannedWrites { certain: 0, most: None };
    }
    let loops = limits.loops.max(1);
    let bytes = clone.io_bytes.saturating_mul(loops);
    let ios = limits.number_ios.map_or(u64::MAX, |n| n.get().saturating_mul(loops));
    let (small, large) = job.pattern.block[Direction::Write as usize];
    let bounded = bytes.min(ios.saturating_mul(large));
    // A block that does not consist of whole pages may touch one page more at each end.
    let (unit, ios) = (written_unit(job), ios.min(bytes.div_ceil(small.max(1))));
    let whole = small.is_multiple_of(unit) && large.is_multiple_of(unit);
    let most = if whole { bounded } else { ios.saturating_mul(large.next_multiple_of(unit) + unit) };
    let may_end_early = limits.runtime.is_some() || job.steady.is_some();
    let certain = if mix == Mix::Write && !may_end_early { bytes.min(ios.saturating_mul(small)) } else { 0 };
    PlannedWrites { certain, most: Some(most) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::Host;
    use job::Dialect;
    use job::files::NoFiles;

    fn planned(options: &str) -> PlannedWrites {
        let sandbox = testbed::Sandbox::new().unwrap();
        let file = sandbox.join("f");
        let args = format!("--name=a --filename={} --bs=4k {options}", file.display());
        let args: Vec<_> = args.split_whitespace().map(Into::into).collect();
        let Ok(job::Parsed::Run(line)) = job::command_line(&args, "fio", Dialect::Run, &mut NoFiles) else {
            panic!("{options}");
        };
        let plan = job::plan(line.jobs, &mut Host).unwrap();
        let places = writes(&plan).into_values();
        places.fold(PlannedWrites::at_most(0), |sum, place| sum.and(place.writes))
    }

    #[test]
    fn writes_of_a_plan_are_certain_bounded_or_unknown() {
        const MIB: u64 = 1 << 20;
        let timed = PlannedWrites { certain: 0, most: None };
        for (options, expected) in [
            ("--rw=write --size=8m", PlannedWrites::exactly(8 * MIB)),
            ("--rw=write --size=8m --loops=3 --numjobs=2", PlannedWrites::exactly(48 * MIB)),
            ("--rw=randwrite --size=8m --io_size=2m", PlannedWrites::exactly(2 * MIB)),
            ("--rw=randwrite --size=8m --number_ios=10", PlannedWrites::exactly(40960)),
            ("--rw=write --size=8m --runtime=1", PlannedWrites::at_most(8 * MIB)),
            ("--rw=write --size=4600 --bs=2300", PlannedWrites { certain: 4600, most: Some(16384) }),
            ("--rw=write --size=4096 --bs=512 --direct=1", PlannedWrites::exactly(4096)),
            ("--rw=write --size=8m --runtime=1 --time_based", timed),
            // A mix lays out its file, which is certain.
            ("--rw=randrw --size=8m", PlannedWrites { certain: 8 * MIB, most: Some(16 * MIB) }),
            ("--rw=read --size=8m", PlannedWrites::exactly(8 * MIB)),
            ("--rw=trim --size=8m --ioengine=null", PlannedWrites::at_most(0)),
            ("--rw=write --size=8m --ioengine=null", PlannedWrites::at_most(0)),
            ("--rw=write --size=8m --ioengine=model", PlannedWrites::at_most(0)),
        ] {
            assert_eq!(planned(options), expected, "{options}");
        }
    }

    /// Threads that take at the same time do not exceed the budget.
    #[test]
    fn allowance_of_several_threads_is_never_exceeded() {
        let allowance = WriteAllowance::new(WearBudget::Bytes(1000));
        let taken: u64 = std::thread::scope(|scope| {
            let take = || (0..1000).filter(|_| allowance.take(7)).count() as u64;
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!((taken, allowance.taken(), allowance.left()), (142, 994, 6));
        assert!(allowance.exhausted() && allowance.take(6) && !allowance.take(1));
        assert!(!allowance.permitted_nothing());
        let small = WriteAllowance::new(WearBudget::Bytes(5));
        assert!(!small.permitted_nothing() && !small.take(6) && small.permitted_nothing());
    }

    #[test]
    fn percentage_without_flash_is_refused() {
        let sandbox = testbed::Sandbox::new().unwrap();
        let root = SysRoot::at(sandbox.path());
        let percent = WriteAllowance::new(WearBudget::Percent(1.0));
        let refused = afford(Some(&percent), sandbox.path(), 1, &root).unwrap_err();
        assert_eq!(refused.reason, RefusalReason::NoEndurance);
        let bytes = WriteAllowance::new(WearBudget::Bytes(10));
        assert_eq!(afford(Some(&bytes), sandbox.path(), 10, &root), Ok(()));
        let refused = afford(Some(&bytes), sandbox.path(), 11, &root).unwrap_err();
        assert_eq!(refused.reason, RefusalReason::WearBudget { planned: Some(11), left: 10, budget: 10 });
        assert_eq!(afford(None, sandbox.path(), u64::MAX, &root), Ok(()));
        let timed = PlannedWrites { certain: 0, most: None };
        assert_eq!(limited(timed, Some(&bytes)).most, Some(10));
        assert_eq!(limited(PlannedWrites::at_most(5), Some(&bytes)).most, Some(5));
        assert_eq!((limited(timed, None), limited(timed, Some(&percent))), (timed, timed));
    }
}
