//! Plan: the clones of all jobs with their files, regions and limits. Every host that runs a plan does the same I/O; a
//! plan can be stored, replayed and sent to another host.

mod replayed;
mod scsi;

use crate::distribution::Law;
use crate::inspect::path_fault;
pub use crate::inspect::{FileKind, Inspect, PathState, ScsiTarget};
use crate::job::{Fallocate, Job, Mix, Order};
use crate::region::{Misfit, Part, Regions, offset, regions};
use crate::remote::RemoteSpec;
use serde::{Deserialize, Serialize};
use stats::Direction;
use stats::plan_error::{PlanError, PlanFault};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Preparation of a file before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// No preparation: the file exists and is large enough, or the target is a device.
    Keep,
    /// The file is created with `size` bytes reserved and not written (for jobs that only write).
    Reserve,
    /// The file is created (a smaller one is deleted first) and filled completely.
    Write,
    /// The existing file is kept and extended.
    Extend,
    /// No preparation: the job creates the file when it opens the file.
    OnOpen,
}

/// File of a clone, with its region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFile {
    /// Path to open.
    pub path: PathBuf,
    /// Kind of file.
    pub kind: FileKind,
    /// Size of the file in bytes, after the layout.
    pub size: u64,
    /// Offset of the first byte of the region.
    pub start: u64,
    /// Length of the region in bytes; `start + length <= size`.
    pub length: u64,
    /// Preparation before the run.
    pub layout: Layout,
}

/// Blocks of its regions that a clone accesses, where several hosts share the regions block by block: of each `of` consecutive
/// blocks the one with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interleave {
    /// Size of a block in bytes.
    pub block: u64,
    /// Number of the host, from 0.
    pub number: u64,
    /// Number of hosts.
    pub of: u64,
}

impl Interleave {
    /// Returns the number of bytes that a host accesses in a region of `length` bytes: the same for each host, less than a block
    /// per host is left out.
    pub fn part(&self, length: u64) -> u64 {
        length / self.of / self.block * self.block
    }
}

/// Clone of a job; a clone is one thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedJob {
    /// Index of the job in [`Plan::jobs`].
    pub job: usize,
    /// Number of the clone, from 0; offsets, seeds and generated file names depend on this number.
    pub clone: u32,
    /// Seed of the clone's random numbers.
    pub seed: u64,
    /// Files of the clone.
    pub files: Vec<PlannedFile>,
    /// Blocks of the regions of all files that the clone accesses; `None` = all.
    #[serde(default)]
    pub interleave: Option<Interleave>,
    /// Bytes to transfer per pass, all directions together.
    pub io_bytes: u64,
    /// Whether the files are laid out when the clone starts, during the I/O of other clones (`create_serialize=0`).
    /// Files used by several clones are laid out before, by the first of these clones.
    pub lays_out_late: bool,
    /// Trace that the clone replays; `None` if the job has a pattern of its own.
    #[serde(default)]
    pub replay: Option<PlannedTrace>,
}

/// Trace of a clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedTrace {
    /// Path of the trace. Standard input and sockets were copied to a file without a name, which this path opens.
    pub path: PathBuf,
    /// Names of the trace's files, in the order of their numbers; see `trace::Names::of_keys`.
    pub names: Vec<Vec<u8>>,
}

impl PlannedJob {
    /// Returns whether both are the same clone of the same job; one may be a copy with another layout.
    pub fn is_same(&self, other: &PlannedJob) -> bool {
        (self.job, self.clone) == (other.job, other.clone)
    }

    /// Returns the number of bytes after the region of `file` that a drawn block size may reach before fio ends the
    /// pass. fio recomputes the start of the region from the extended file (with `file_append` or an offset in
    /// percent).
    pub fn overdraw(&self, job: &Job, file: &PlannedFile) -> u64 {
        match (file.kind, job.target.append) {
            (FileKind::Regular, true) => file.size.saturating_sub(file.start),
            (FileKind::Regular, false) if file.layout != Layout::Keep => {
                let block = job.pattern.smallest_block();
                offset(&job.target, self.clone, file.size, block).saturating_sub(file.start)
            }
            _ => 0,
        }
    }

    /// Returns the number of bytes in the region of `file` that the clone accesses.
    pub fn accessed(&self, file: &PlannedFile) -> u64 {
        self.interleave.map_or(file.length, |shared| shared.part(file.length))
    }

    /// Returns the number of bytes in the regions of all files that the clone accesses.
    pub fn accessed_in_all(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(self.accessed(file)))
    }

    /// Returns the start of this clone in nanoseconds from the start of the run; each clone draws its own from a range.
    pub fn startdelay(&self, job: &Job) -> u64 {
        let (low, high) = (job.limits.startdelay, job.limits.startdelay_most);
        match high.checked_sub(low) {
            None | Some(0) => low,
            Some(span) => {
                low + ((u128::from(mixed(self.seed ^ 0x0073_7461_7274)) * u128::from(span)) >> 64) as u64
            }
        }
    }
}

/// Jobs of a run with all clones, files and regions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Validated jobs, in the order of their sections.
    pub jobs: Vec<Job>,
    /// Clones of all jobs in the order of fio's report: for each job clone 0, then from the highest number down to 1.
    pub clones: Vec<PlannedJob>,
}

impl Plan {
    /// Returns the number of the phase in which a job runs, from 0: each job with `stonewall` begins one. Jobs without clones
    /// count, so that phases have the same numbers on all hosts of a run.
    pub fn phase(&self, job: usize) -> usize {
        self.jobs.iter().take(job + 1).filter(|job| job.stonewall).count()
    }
}

/// Largest number of clones in a plan.
const MOST_CLONES: u64 = 65_536;
/// Largest number of files in a plan.
const MOST_FILES: u64 = 1 << 20;

/// Creates the clones of all jobs and determines their files, regions and limits.
///
/// # Errors
/// A size is missing, an offset or block is beyond the size, a path cannot be examined, or the jobs have too many
/// clones or files.
pub fn plan(mut jobs: Vec<Job>, inspect: &mut dyn Inspect) -> Result<Plan, PlanError> {
    let mut clones = Vec::new();
    let traces = replayed::scan_all(&mut jobs, inspect)?;
    let mut looked = Looked {
        inspect,
        seen: HashMap::new(),
        laid_out: HashMap::new(),
        scsi: HashMap::new(),
        remote: HashMap::new(),
    };
    let (mut threads, mut files) = (0u64, 0u64);
    for (index, job) in jobs.iter().enumerate() {
        if !job.hosts.is_empty() {
            return Err(wrong(job, PlanFault::NoHosts));
        }
        threads += u64::from(job.numjobs);
        files = files.saturating_add(u64::from(job.numjobs) * u64::from(job.target.nrfiles));
        if threads > MOST_CLONES {
            return Err(wrong(job, PlanFault::TooManyClones { clones: threads, most: MOST_CLONES }));
        }
        if files > MOST_FILES {
            return Err(wrong(job, PlanFault::TooManyFiles { files, most: MOST_FILES }));
        }
        // fio makes the first clone, then the highest number down to 1, and reports in that order.
        let first = (job.numjobs > 0).then_some(0);
        for clone in first.into_iter().chain((1..job.numjobs).rev()) {
            clones.push(
                match job.replay.as_ref().and_then(|replay| traces[index].get(replay.trace_of(clone)?)) {
                    Some(trace) => replayed::planned(job, index, clone, trace, &mut looked)?,
                    None => planned(job, index, clone, &mut looked)?,
                },
            );
        }
    }
    late_layout(&jobs, &mut clones);
    scsi::choose_calls(&mut jobs, &clones);
    Ok(Plan { jobs, clones })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the error of the plan for a fault of `job`.
fn wrong(job: &Job, fault: PlanFault) -> PlanError {
    PlanError { job: job.name.clone(), fault }
}

/// States of the paths examined so far; each path is examined once.
struct Looked<'i> {
    inspect: &'i mut dyn Inspect,
    seen: HashMap<(PathBuf, Option<FileKind>), PathState>,
    /// Length in bytes of each file after the layout of the clones planned so far. fio lays out all clones, one after
    /// the other, before the first starts: each clone finds the files of the clones before it.
    laid_out: HashMap<PathBuf, u64>,
    /// Devices that SCSI commands reach; each device is asked once.
    scsi: HashMap<PathBuf, ScsiTarget>,
    /// Targets on servers; each is asked once.
    remote: HashMap<(RemoteSpec, PathBuf), PathState>,
}

impl Looked<'_> {
    fn at(&mut self, path: &Path, kind: Option<FileKind>, job: &Job) -> Result<PathState, PlanError> {
        let key = (path.to_owned(), kind);
        if let Some(state) = self.seen.get(&key) {
            return Ok(*state);
        }
        let state = match kind {
            Some(kind) => self.inspect.inspect_as(path, kind),
            None => self.inspect.inspect(path),
        };
        let state = state
            .map_err(|why| wrong(job, PlanFault::Path { path: shown(path), fault: path_fault(&why) }))?;
        self.seen.insert(key, state);
        Ok(state)
    }

    fn remote(&mut self, spec: &RemoteSpec, path: &Path, job: &Job) -> Result<PathState, PlanError> {
        let key = (spec.clone(), path.to_owned());
        if let Some(state) = self.remote.get(&key) {
            return Ok(*state);
        }
        let state =
            self.inspect.remote(spec, path).map_err(|why| wrong(job, PlanFault::Server(path_fault(&why))))?;
        self.remote.insert(key, state);
        Ok(state)
    }

    /// Returns the state of `path` after the layout of the clones planned so far.
    fn now(&mut self, path: &Path, kind: Option<FileKind>, job: &Job) -> Result<PathState, PlanError> {
        let state = self.at(path, kind, job)?;
        Ok(match self.laid_out.get(path) {
            Some(size) => PathState { exists: true, size: *size, ..state },
            None => state,
        })
    }

    /// Records the length of a file after this layout. A file without reserved length (`fallocate=none`) is created
    /// again by each clone that needs a longer file.
    fn lay_out(&mut self, path: &Path, job: &Job, layout: Layout, size: u64) {
        let reserves = !job.target.fill && !matches!(job.target.fallocate, Fallocate::None | Fallocate::Keep);
        let length = match layout {
            Layout::Keep | Layout::OnOpen => return,
            Layout::Write => size,
            Layout::Reserve | Layout::Extend if reserves => size,
            Layout::Reserve => 0,
            // A file to append to keeps its length until the job writes.
            Layout::Extend => return,
        };
        self.laid_out.insert(path.to_owned(), length);
    }
}

/// splitmix64: returns a hash whose values for neighbouring inputs are unrelated.
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the seed of a clone; clones and jobs differ even with the same seed.
fn seed_of(job: &Job, index: usize, clone: u32) -> u64 {
    mixed(mixed(job.pattern.seed).wrapping_add(mixed((index as u64) << 32 | u64::from(clone))))
}

/// Returns the paths of a clone. A job without `filename` whose name is that of a device in the working directory uses
/// that device.
fn paths(job: &Job, clone: u32, looked: &mut Looked<'_>) -> Result<Vec<PathBuf>, PlanError> {
    let target = &job.target;
    // fio puts the directory in front of absolute names too.
    let below = |at: usize, name: &str| match target.directories.get(at) {
        Some(directory) => PathBuf::from(format!("{}/{name}", directory.display())),
        None => PathBuf::from(name),
    };
    if !target.filenames.is_empty() || !target.found.is_empty() {
        let named = target.filenames.iter().map(|name| below(0, &name.to_string_lossy()));
        return Ok(named.chain(target.found.iter().cloned()).collect());
    }
    if target.nrfiles == 1
        && job.engine.needs_files()
        && !job.name.is_empty()
        && target.directories.is_empty()
    {
        // A path that cannot be examined is not a device of that name.
        if let Ok(state) = looked.at(Path::new(&job.name), None, job)
            && state.exists
            && matches!(state.kind, FileKind::Block | FileKind::Char)
        {
            return Ok(vec![PathBuf::from(&job.name)]);
        }
    }
    let directory = (clone as usize).checked_rem(target.directories.len()).unwrap_or(0);
    Ok((0..target.nrfiles)
        .map(|file| below(directory, &named(&target.filename_format, job, clone, file)))
        .collect())
}

/// Returns `filename_format` with its keywords replaced. Keywords are case-insensitive.
fn named(format: &str, job: &Job, clone: u32, file: u32) -> String {
    let (clone, file) = (clone.to_string(), file.to_string());
    let keywords = [
        ("$jobname", job.name.as_str()),
        ("$jobnum", &clone),
        ("$filenum", &file),
        ("$clientuid", "localhost"),
    ];
    let mut out = String::new();
    let mut rest = format;
    'text: while let Some(at) = rest.find('$') {
        out += &rest[..at];
        rest = &rest[at..];
        for (word, value) in keywords {
            if rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)) {
                out += value;
                rest = &rest[word.len()..];
                continue 'text;
            }
        }
        out.push('$');
        rest = &rest[1..];
    }
    out + rest
}

fn planned(job: &Job, index: usize, clone: u32, looked: &mut Looked<'_>) -> Result<PlannedJob, PlanError> {
    let target = &job.target;
    let seed = seed_of(job, index, clone);
    let block = job.pattern.smallest_block();
    let paths = paths(job, clone, looked)?;
    let mut looks = Vec::with_capacity(paths.len());
    for path in &paths {
        looks.push(if job.engine.needs_files() {
            scsi::disk(job, path, looked.now(path, target.kind, job)?, looked)?
        } else if let Some(spec) = job.engine.remote() {
            looked.remote(spec, path, job)?
        } else {
            PathState { kind: FileKind::None, exists: true, size: 0 }
        });
    }
    if job.engine.needs_character_device()
        && let Some((path, _)) =
            paths.iter().zip(&looks).find(|(_, s)| s.kind != FileKind::Char || s.size == 0)
    {
        let path = shown(path);
        return Err(wrong(
            job,
            match job.engine.name() {
                "mtd" => PlanFault::NoFlash { path },
                "dev-dax" => PlanFault::NoDaxDevice { path },
                _ => PlanFault::NoNamespace { path },
            },
        ));
    }
    let unsized_fill = target.fill && target.size.is_none() && target.filesize.is_none();
    let random = matches!(job.pattern.order, Order::Random { .. });
    let made = |state: &PathState| state.kind == FileKind::Regular;
    if unsized_fill && job.pattern.mix != Mix::Read && random && looks.iter().any(made) {
        return Err(wrong(job, PlanFault::FillWithoutSize));
    }
    let drawn = |file: usize, low: u64, high: u64| {
        let drawn = low + mixed(seed ^ file as u64) % (high - low + 1);
        (drawn - drawn % block).max(low)
    };
    let Regions { parts, io_bytes } =
        regions(job, clone, &looks, drawn).map_err(|why| misfit(job, &paths, why))?;
    let io_bytes = sprandom_bytes(job, &parts, io_bytes)?;
    // Each line of an access specification needs room for its I/Os.
    let largest = job.pattern.largest_block();
    let short = |part: &&Part| !job.pattern.lines.is_empty() && part.length < largest;
    if let Some(part) = parts.iter().find(short) {
        return Err(wrong(job, PlanFault::NoBlock { total: part.length, block: largest }));
    }
    let mut files = Vec::with_capacity(paths.len());
    for ((path, state), Part { start, length }) in paths.into_iter().zip(looks).zip(parts) {
        let layout = layout(job, state, start + length);
        let size = if state.is_device() { state.size } else { state.size.max(start + length) };
        check_sequence(job, length, &path)?;
        let mapped = job.engine.maps_files();
        if mapped && target.append && layout != Layout::Keep && job.pattern.mix.has(Direction::Write) {
            return Err(wrong(job, PlanFault::MmapAppends));
        }
        looked.lay_out(&path, job, layout, size);
        files.push(PlannedFile { path, kind: state.kind, size, start, length, layout });
    }
    Ok(PlannedJob {
        job: index,
        clone,
        seed,
        files,
        interleave: None,
        io_bytes,
        lays_out_late: false,
        replay: None,
    })
}

/// Returns the bytes to transfer per pass: with `sprandom` and without `io_size`, those of the physical space of the
/// drive, else `io_bytes`.
fn sprandom_bytes(job: &Job, parts: &[Part], io_bytes: u64) -> Result<u64, PlanError> {
    let Some(sprandom) = &job.pattern.sprandom else { return Ok(io_bytes) };
    let block = job.pattern.smallest_block();
    let blocks: u64 = parts.iter().map(|part| part.length / block).sum();
    let writes = sprandom.writes(blocks);
    let most = sprandom.most_regions(writes, block);
    if sprandom.cache > 0 && u64::from(sprandom.regions) > most {
        return Err(wrong(job, PlanFault::RegionBelowCache { most }));
    }
    Ok(if job.target.io_size.is_none() && io_bytes > 0 { writes.saturating_mul(block) } else { io_bytes })
}

/// Returns the error for a clone without a possible region.
fn misfit(job: &Job, paths: &[PathBuf], why: Misfit) -> PlanError {
    let path = |file: usize| paths.get(file).map(|path| shown(path)).unwrap_or_default();
    let fault = match why {
        Misfit::NoSize(file) => PlanFault::NoSize { path: path(file) },
        Misfit::Offset { file, start, end } => PlanFault::OffsetBeyondEnd { path: path(file), start, end },
        Misfit::NoBlock { total, block } => PlanFault::NoBlock { total, block },
    };
    wrong(job, fault)
}

/// Returns the preparation of a file whose region ends at `end` bytes.
fn layout(job: &Job, state: PathState, end: u64) -> Layout {
    let target = &job.target;
    let (reads, writes) = (job.pattern.mix.has(Direction::Read), job.pattern.mix.has(Direction::Write));
    match state.kind {
        FileKind::Regular if !target.allow_file_create && !state.exists => Layout::Keep,
        // A missing file with an empty region: fio creates it only when it opens it for writing; a job that reads finds
        // no file.
        FileKind::Regular if end == 0 && !target.create_on_open && (target.create_only || !writes) => {
            Layout::Keep
        }
        FileKind::Regular if state.exists && state.size >= end => Layout::Keep,
        FileKind::Regular if target.create_on_open => Layout::OnOpen,
        // A job can only read data that has been written.
        FileKind::Regular if reads => Layout::Write,
        FileKind::Regular if target.append => Layout::Extend,
        // A write through a mapping cannot extend a file.
        FileKind::Regular if target.overwrite || writes && job.engine.maps_files() => Layout::Write,
        FileKind::Regular if writes => Layout::Reserve,
        FileKind::Regular => Layout::Extend,
        _ => Layout::Keep,
    }
}

/// Sets `lays_out_late` of all clones.
fn late_layout(jobs: &[Job], clones: &mut [PlannedJob]) {
    if jobs.iter().all(|job| job.target.serial) {
        return;
    }
    let mut users: HashMap<PathBuf, u32> = HashMap::new();
    for file in clones.iter().flat_map(|clone| &clone.files) {
        *users.entry(file.path.clone()).or_default() += 1;
    }
    for clone in clones {
        let alone = clone.files.iter().all(|file| users.get(&file.path) == Some(&1));
        let late = |job: &Job| alone && !job.target.serial && !job.target.create_only;
        clone.lays_out_late = jobs.get(clone.job).is_some_and(late);
    }
}

/// Checks that all blocks of a sequence are inside the region.
fn check_sequence(job: &Job, length: u64, path: &Path) -> Result<(), PlanError> {
    let pattern = &job.pattern;
    let Law::Sequence { blocks, .. } = &pattern.places.law else { return Ok(()) };
    for direction in stats::Direction::ALL.into_iter().filter(|d| pattern.mix.has(*d)) {
        let (at, low) = (direction as usize, pattern.block[direction as usize].0);
        let most = length / pattern.places.unit(at, low).max(1);
        if let Some(block) = blocks.iter().find(|block| **block >= most) {
            let fault = PlanFault::SequenceBlock { path: shown(path), block: *block, blocks: most };
            return Err(wrong(job, fault));
        }
    }
    Ok(())
}
