//! Characteristics of a device: `fathom characterize`. Unlike other studies it issues its operations itself, because it
//! needs the time of each single one at a place that the one before decides.

pub mod device;
mod meter;
mod places;
pub mod reads;
pub mod writes;

use crate::findings;
use crate::held::{HeldTarget, Holding};
use crate::target::{JobContext, Target, TargetError};
use crate::target_fault::TargetFault;
use device::Bench;
use facts::SysRoot;
use facts::before::{Before, Sample};
use facts::layers::Stack;
use meter::{Meter, Sampler};
use places::Places;
use run::{RunError, Watch, new_device};
use rustix::fs::{Mode, OFlags};
use stats::characterize::forecast::{Forecast, Work};
use stats::characterize::{DeviceCharacter, EarlyEnd, read_cache};
use stats::{Finding, RunResult};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Smallest device in bytes.
pub const SMALLEST: u64 = 16 << 20;
/// Name of the command in refusals.
const COMMAND: &str = "characterize";

/// Order for `fathom characterize`.
#[derive(Clone, Debug)]
pub struct CharacterizeRequest {
    /// File, block device or simulated device.
    pub target: PathBuf,
    /// Whether the device is written, too, which destroys its data.
    pub write: bool,
    /// Bytes of the write curve; `None` = the whole device.
    pub write_bytes: Option<u64>,
    /// Longest pause after which a recovery is looked for.
    pub longest_pause: Duration,
    /// Largest working set of the read cache sweep in bytes.
    pub working_set: u64,
    /// Seed of the places.
    pub seed: u64,
    /// Environment; `consent` and `allowance` are those of the writes.
    pub context: JobContext,
}

/// Part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterizePart {
    /// Transfer curve.
    Surface,
    /// Period of the rotation.
    Rotation,
    /// Seek curve.
    Seeks,
    /// Read latency by region.
    Regions,
    /// Size of the read cache.
    ReadCache,
    /// Write curve.
    Writes,
    /// Recovery of the write rate.
    Recovery,
    /// Latency of discarded data.
    Discarded,
}

impl CharacterizePart {
    /// The parts in their order.
    const ALL: [CharacterizePart; 8] = [
        CharacterizePart::Surface,
        CharacterizePart::Rotation,
        CharacterizePart::Seeks,
        CharacterizePart::Regions,
        CharacterizePart::ReadCache,
        CharacterizePart::Writes,
        CharacterizePart::Recovery,
        CharacterizePart::Discarded,
    ];
}

/// Receiver of progress.
pub trait Progress: Watch {
    /// This part is being measured; called before each sample.
    fn part(&mut self, part: CharacterizePart);
}

/// Reason why a device is not characterized.
#[derive(Debug, thiserror::Error)]
pub enum CharacterizeError {
    /// The target is unusable, or must not be written.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The target is a directory.
    #[error("{self:?}")]
    Directory(PathBuf),
    /// The file does not permit direct I/O, so that the page cache would be measured.
    #[error("{self:?}")]
    NotDirect(PathBuf),
    /// The target is smaller than [`SMALLEST`].
    #[error("{self:?}")]
    Small(PathBuf, u64),
}

impl CharacterizeError {
    /// Returns the exit status for the error.
    pub fn exit_code(&self) -> i32 {
        match self {
            CharacterizeError::Target(error) => error.exit_code(),
            _ => 1,
        }
    }
}

/// A target that can be characterized, and what that takes at most.
#[derive(Debug)]
pub struct Prepared {
    target: Target,
    /// Size of the target in bytes.
    pub size: u64,
    /// Bytes that are read at most.
    pub read_bytes: u64,
    /// Bytes of the write curve; 0 without writes.
    pub curve_bytes: u64,
    /// Bytes that are written at most, bursts after pauses included.
    pub written_bytes: u64,
    /// Rough durations in seconds: on fast flash, and on a hard disk.
    pub seconds: (f64, f64),
}

/// Examines the target and plans the measurement; opens nothing for writing.
///
/// # Errors
/// The target cannot be characterized.
pub fn prepare(request: &CharacterizeRequest) -> Result<Prepared, CharacterizeError> {
    let path = &request.target;
    if path.is_dir() {
        return Err(CharacterizeError::Directory(path.clone()));
    }
    let target = Target::open(path, &request.context.root)?;
    if target.size < SMALLEST {
        return Err(CharacterizeError::Small(path.clone(), target.size));
    }
    if !target.direct {
        return Err(CharacterizeError::NotDirect(path.clone()));
    }
    let size = target.size;
    let curve_bytes = if request.write { request.write_bytes.unwrap_or(size).min(size) } else { 0 };
    let curve_bytes = curve_bytes / 4096 * 4096;
    let limit = reads::largest_working_set(size, request.working_set);
    let surface = (reads::SLICES + reads::REPEATS) * reads::slice_bytes(size);
    // Working sets up to the limit, each half as large as the next, two or more to confirm, and repeats of the smallest.
    let sweep = 5 * limit + 3 * read_cache::SMALLEST;
    let small = reads::small_reads() + 60 * 128 + if request.write { 2 * writes::READS as u64 } else { 0 };
    let read_bytes = surface + sweep + small * 4096;
    let pauses = if request.write { 2.5 * request.longest_pause.as_secs_f64() } else { 0.0 };
    let written_bytes = 2 * curve_bytes;
    let turns = reads::TURNS as f64 * reads::TURN_PAUSE / 2.0;
    let time = |read: f64, write: f64, small_s: f64| {
        turns + read_bytes as f64 / read + curve_bytes as f64 / write + small as f64 * small_s + pauses
    };
    let seconds = (time(2e9, 2e9, 1e-4), time(1.5e8, 1.5e8, 0.02) + written_bytes as f64 / 3e8);
    Ok(Prepared { target, size, read_bytes, curve_bytes, written_bytes, seconds })
}

/// Measurement of a device that is open.
#[derive(Clone, Copy, Debug)]
pub struct MeasurementPlan {
    /// Size of the device in bytes.
    pub size: u64,
    /// Bytes of the write curve; `None` = the device is only read.
    pub curve_bytes: Option<u64>,
    /// Longest pause in seconds after which a recovery is looked for.
    pub longest_pause_s: f64,
    /// Largest working set of the read cache sweep in bytes, as it was asked for.
    pub working_set: u64,
    /// Seed of the places.
    pub seed: u64,
}

impl MeasurementPlan {
    /// Returns the work of the parts in their order. What follows from a result, such as working sets after a hit and pauses
    /// after a step of the rate, is not foreseen.
    fn works(&self) -> Vec<Work> {
        let small = |reads: f64| Work { reads, ..Work::default() };
        let writes = if self.curve_bytes.is_some() { 2.0 * writes::READS as f64 } else { 0.0 };
        let sets = 6.0 * read_cache::SMALLEST as f64;
        vec![
            Work { read_bytes: (reads::SLICES * reads::slice_bytes(self.size)) as f64, ..Work::default() },
            Work { idle_s: reads::TURNS as f64 * reads::TURN_PAUSE / 2.0, ..small(reads::TURNS as f64) },
            small(reads::seek_reads() as f64),
            small(reads::REGIONS.0 as f64 * reads::REGIONS.1 as f64),
            Work { read_bytes: sets, reads: 2.0 * sets / read_cache::STEP as f64, ..Work::default() },
            Work { written_bytes: self.curve_bytes.unwrap_or(0) as f64, ..Work::default() },
            Work::default(),
            small(writes),
        ]
    }
}

/// Characterizes the device. A measurement that ends early keeps what it has.
///
/// # Errors
/// The target must not be written, or cannot be opened.
pub fn measure(
    prepared: Prepared,
    request: &CharacterizeRequest,
    progress: &mut dyn Progress,
) -> Result<DeviceCharacter, CharacterizeError> {
    let Prepared { target, size, curve_bytes, .. } = prepared;
    let plan = MeasurementPlan {
        size,
        curve_bytes: request.write.then_some(curve_bytes),
        longest_pause_s: request.longest_pause.as_secs_f64(),
        working_set: request.working_set,
        seed: request.seed,
    };
    let root = &request.context.root;
    let disks = target.kind.map(|_| Before::look(root, std::slice::from_ref(&target.path), Sample::Disks));
    let mut watched = None;
    let begin = || {
        let bench = open(&target, request)?;
        // The target is examined after the check of its users, which would take its open file for that of another program.
        let targets = std::slice::from_ref(&target.path);
        watched = target.kind.map(|_| Before::look(root, targets, Sample::All));
        Ok::<_, CharacterizeError>(bench)
    };
    let (found, meter) = measure_counted(begin, plan, disks.as_ref(), progress)?;
    let findings = match watched {
        Some(before) => judged(&target, before, &found, &meter, root)?,
        None => Vec::new(),
    };
    Ok(DeviceCharacter {
        findings,
        target: request.target.display().to_string(),
        simulated: target.kind.is_none(),
        stack: Stack::under(root, &target.path).map(|s| s.words()).unwrap_or_default(),
        ..found
    })
}

/// Returns the findings about the layers under the target, from the bytes of the measurement and what was seen `before`.
fn judged(
    target: &Target,
    before: Before,
    found: &DeviceCharacter,
    meter: &Meter,
    root: &SysRoot,
) -> Result<Vec<Finding>, TargetError> {
    let rw = if found.written_bytes > 0 { "randrw" } else { "randread" };
    let plan = target.plan(COMMAND, &[format!("--rw={rw}"), "--bs=4k".into()])?;
    let moved = [found.read_bytes, found.written_bytes, 0];
    // Operations of many sizes have no ratio to the requests of the device, so their number is left out.
    let (mut layers, _) = before.after([0; 3], moved);
    layers.wall_ms = ((1e3 * found.seconds) as u64).max(1);
    let wall_ms = layers.wall_ms;
    let jobs = plan.clones.iter().map(|clone| {
        let mut outcome = run::outcome::unstarted(&plan.jobs[clone.job], None);
        for (direction, bytes) in outcome.directions.iter_mut().zip(moved) {
            (direction.ios, direction.bytes) = (bytes / 4096, bytes);
        }
        (outcome.cpu.waited_us, outcome.cpu.wall_ms) = (meter.waited_us(), wall_ms);
        outcome
    });
    let result = RunResult { jobs: jobs.collect(), layers, ..RunResult::default() };
    Ok(findings::judge_layers(&plan, &result, meter.streams(), root))
}

/// Characterizes the device that `open` returns, in a thread of its own, while this one shows the progress: showing it must
/// not delay an operation.
///
/// # Errors
/// Those of `open`.
pub fn measure_open<E: Send>(
    open: impl FnOnce() -> Result<Bench, E> + Send,
    plan: MeasurementPlan,
    disks: Option<&Before>,
    progress: &mut dyn Progress,
) -> Result<DeviceCharacter, E> {
    measure_counted(open, plan, disks, progress).map(|(character, _)| character)
}

fn measure_counted<E: Send>(
    open: impl FnOnce() -> Result<Bench, E> + Send,
    plan: MeasurementPlan,
    disks: Option<&Before>,
    progress: &mut dyn Progress,
) -> Result<(DeviceCharacter, Arc<Meter>), E> {
    let meter = Arc::new(Meter::default());
    let mut sampler = Sampler::new(Forecast::new(plan.works()));
    let (alive, ended) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let counters = meter.clone();
        let worker = scope.spawn(move || {
            let _alive = alive;
            open().map(|bench| measure_all(bench, counters, plan))
        });
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(progress.interval()) {
            if let Some((part, live)) = sampler.look(&meter, disks, progress.detailed()) {
                progress.part(part);
                progress.look(&live);
            }
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
    .map(|character| (character, meter))
}

fn measure_all(mut bench: Bench, meter: Arc<Meter>, plan: MeasurementPlan) -> DeviceCharacter {
    bench.count_in(meter.clone());
    let waited = || facts::process::waited_us().unwrap_or(0);
    let waited_before = waited();
    let mut character = DeviceCharacter { size: plan.size, ..DeviceCharacter::default() };
    let began = bench.now();
    character.ended = steps(&mut bench, &mut character, plan).err();
    meter.waited(waited().saturating_sub(waited_before));
    character.seconds = bench.now().saturating_sub(began) as f64 / 1e9;
    (character.read_bytes, character.written_bytes) = (bench.read_bytes, bench.written_bytes);
    character
}

fn steps(bench: &mut Bench, character: &mut DeviceCharacter, plan: MeasurementPlan) -> Result<(), EarlyEnd> {
    let (size, mut places) = (plan.size, Places(plan.seed));
    let places = &mut places;
    character.surface = reads::surface(bench, size, places)?;
    let (period, step) = reads::rotation(bench, size, character.surface.as_ref(), places)?;
    character.rotation = Some(period);
    character.seek = reads::seeks(bench, size, (period, step), places)?;
    character.regions = reads::regions(bench, size, places)?;
    let working_set = reads::largest_working_set(size, plan.working_set);
    character.read_cache = reads::read_cache(bench, size, working_set)?;
    if let Some(bytes) = plan.curve_bytes {
        writes::curve(bench, (size, bytes), plan.longest_pause_s, &mut character.writes)?;
        character.discarded = writes::discarded(bench, (size, bytes), places)?;
    }
    Ok(())
}

/// Checks whether the measurement could begin; changes nothing, and ends the claim of the target at once.
///
/// # Errors
/// The reason why the measurement would not begin.
pub fn may_begin(prepared: &Prepared, request: &CharacterizeRequest) -> Result<(), CharacterizeError> {
    if prepared.target.kind.is_some() {
        hold(&prepared.target, request)?;
    }
    Ok(())
}

/// Holds the target, which is not a simulated device.
fn hold(target: &Target, request: &CharacterizeRequest) -> Result<HeldTarget, TargetError> {
    let (path, context) = (&target.path, &request.context);
    let held = HeldTarget::claim(path, Holding::of(COMMAND, request.write), &context.root)?;
    held.permit(&mut context.consent.clone(), &context.root)?;
    // A budget in percent of an endurance that is not known would not limit the writes.
    run::wear::afford(context.allowance.as_deref(), path, u64::from(request.write), &context.root)
        .map_err(RunError::Refused)?;
    Ok(held)
}

/// Opens the target. All checks and operations use this one descriptor, and a device that is written stays claimed until
/// the bench is dropped.
fn open(target: &Target, request: &CharacterizeRequest) -> Result<Bench, CharacterizeError> {
    let context = &request.context;
    let interrupt = context.interrupt.clone();
    if let Some(spec) = target.model_spec()? {
        let device = new_device(&spec, target.size, request.seed).map_err(|error| TargetError::Target {
            path: request.target.clone(),
            fault: TargetFault::Failed(error),
        })?;
        return Ok(Bench::simulated(device, interrupt));
    }
    let path = &target.path;
    let failed = |e: std::io::Error| TargetError::Target { path: path.clone(), fault: TargetFault::of(&e) };
    let held = hold(target, request)?;
    let access = if request.write { OFlags::RDWR } else { OFlags::RDONLY };
    let flags = access | OFlags::DIRECT | OFlags::CLOEXEC;
    let open = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| failed(e.into()))?;
    held.check_open(&open)?;
    let allowance = context.allowance.clone().filter(|_| request.write);
    Bench::real(open, held, &target.engine, interrupt, allowance).map_err(|e| failed(e).into())
}
