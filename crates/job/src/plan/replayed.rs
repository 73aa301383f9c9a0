//! Clones that replay traces: a trace is examined before the run, so that its files are known and checked as those of
//! other jobs are.

use super::{
    FileKind, Inspect, Layout, Looked, PathState, PlannedFile, PlannedJob, PlannedTrace, scsi, seed_of,
    shown, wrong,
};
use crate::job::{Job, Mix};
use crate::trace::{
    MergeSource, MergeSpec, Merged, ReplaySpec, TraceFault, TraceFaultKind, TraceFile, TraceSummary, scan,
};
use stats::plan_error::{PlanError, PlanFault};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Examined trace.
pub(super) struct Scanned {
    path: PathBuf,
    summary: TraceSummary,
}

/// Traces of one job by their paths as typed.
#[derive(Default)]
pub(super) struct Traces(HashMap<PathBuf, Scanned>);

/// Examines the traces of all jobs. Sets the directions and block sizes of these jobs to those of their traces.
pub(super) fn scan_all(jobs: &mut [Job], inspect: &mut dyn Inspect) -> Result<Vec<Traces>, PlanError> {
    let mut spooled = HashMap::new();
    jobs.iter_mut().map(|job| scan_job(job, inspect, &mut spooled)).collect()
}

fn scan_job(
    job: &mut Job,
    inspect: &mut dyn Inspect,
    spooled: &mut HashMap<PathBuf, PathBuf>,
) -> Result<Traces, PlanError> {
    let mut traces = Traces::default();
    if let Some(merge) = check_sources(job, inspect, spooled)?
        && let Some(replay) = &mut job.replay
    {
        replay.merge = Some(merge);
    }
    let Some(replay) = job.replay.clone() else { return Ok(traces) };
    let (mut used, mut block) = ([false; 3], [(u64::MAX, 0); 3]);
    for typed in (0..job.numjobs).filter_map(|clone| replay.trace_of(clone)) {
        if traces.0.contains_key(typed) {
            continue;
        }
        let scanned = if replay.merge.is_some() {
            scan_merged(typed, &replay, inspect)
        } else {
            scan_one(typed, &replay, inspect, spooled)
        };
        let scanned = scanned.map_err(|fault| wrong(job, PlanFault::Trace { path: shown(typed), fault }))?;
        for direction in 0..3 {
            let (low, high) = scanned.summary.lengths[direction];
            if high > 0 {
                used[direction] = true;
                block[direction].0 = block[direction].0.min(low);
                block[direction].1 = block[direction].1.max(high);
            }
        }
        traces.0.insert(typed.clone(), scanned);
    }
    job.pattern.mix = Mix::Replayed(used);
    for (own, found) in job.pattern.block.iter_mut().zip(block).filter(|(_, found)| found.1 > 0) {
        *own = found;
    }
    Ok(traces)
}

fn scan_one(
    typed: &Path,
    replay: &ReplaySpec,
    inspect: &mut dyn Inspect,
    spooled: &mut HashMap<PathBuf, PathBuf>,
) -> Result<Scanned, TraceFault> {
    // Standard input can be read only once: later jobs read its copy.
    let from = spooled.get(typed).map_or(typed, |copy| copy);
    let (path, trace) = inspect.open_trace(from).map_err(|e| TraceFault {
        at: 0,
        kind: TraceFaultKind::Unreadable { errno: e.raw_os_error().unwrap_or(0) },
    })?;
    spooled.insert(typed.to_owned(), path.clone());
    Ok(Scanned { path, summary: scan(trace, replay)? })
}

/// Examines each of the traces to merge, so that a fault is reported with its place in the trace. Returns the merge with
/// paths by which the traces can be read again.
fn check_sources(
    job: &Job,
    inspect: &mut dyn Inspect,
    spooled: &mut HashMap<PathBuf, PathBuf>,
) -> Result<Option<MergeSpec>, PlanError> {
    let Some(replay) = &job.replay else { return Ok(None) };
    let Some(mut merge) = replay.merge.clone() else { return Ok(None) };
    // A trace may have only I/Os that are left out.
    let all = ReplaySpec { skip: [false; 4], ..replay.clone() };
    for source in &mut merge.sources {
        let wrong = |fault| wrong(job, PlanFault::Trace { path: shown(&source.path), fault });
        let path = scan_one(&source.path, &all, inspect, spooled).map_err(wrong)?.path;
        let single =
            MergeSpec { sources: vec![MergeSource { path, ..source.clone() }], file: PathBuf::new() };
        let open = |path: &Path| inspect.open_trace(path).map(|(_, trace)| trace);
        Merged::new(&single, open).map_err(wrong)?;
        source.path.clone_from(&single.sources[0].path);
    }
    Ok(Some(merge))
}

/// Examines the merged trace without writing it.
fn scan_merged(path: &Path, replay: &ReplaySpec, inspect: &mut dyn Inspect) -> Result<Scanned, TraceFault> {
    let open = |path: &Path| inspect.open_trace(path).map(|(_, trace)| trace);
    let merge = replay.merge.as_ref().ok_or(TraceFault { at: 0, kind: TraceFaultKind::NoIo })?;
    Ok(Scanned { path: path.to_owned(), summary: scan(Merged::new(merge, open)?, replay)? })
}

impl Traces {
    pub(super) fn get(&self, typed: &Path) -> Option<&Scanned> {
        self.0.get(typed)
    }
}

/// Plans a clone that replays `trace`. As in fio, files are not laid out: they keep their sizes, and missing files are
/// created when they are opened for writing.
pub(super) fn planned(
    job: &Job,
    index: usize,
    clone: u32,
    trace: &Scanned,
    looked: &mut Looked<'_>,
) -> Result<PlannedJob, PlanError> {
    let redirect = job.replay.as_ref().and_then(|replay| replay.redirect.clone());
    let paths = match redirect {
        Some(path) => vec![path],
        None => {
            let mut paths = Vec::new();
            for file in trace.summary.names.files() {
                paths.push(match file {
                    TraceFile::Path(path) => path.clone(),
                    TraceFile::Volume(name) if job.engine.needs_files() => {
                        let kind = TraceFaultKind::NotAFile { volume: name.clone() };
                        let fault = TraceFault { at: 0, kind };
                        return Err(wrong(job, PlanFault::Trace { path: shown(&trace.path), fault }));
                    }
                    TraceFile::Volume(name) => PathBuf::from(name),
                    TraceFile::Device(major, minor) => {
                        device(job, (*major, *minor), trace, looked).map_err(|fault| wrong(job, fault))?
                    }
                });
            }
            paths
        }
    };
    let mut files = Vec::with_capacity(paths.len());
    for (number, path) in paths.into_iter().enumerate() {
        let end = trace.summary.ends.get(number).copied().unwrap_or(0);
        let state = if job.engine.needs_files() {
            scsi::disk(job, &path, looked.now(&path, None, job)?, looked)?
        } else {
            PathState { kind: FileKind::None, exists: true, size: end }
        };
        let size = if state.kind == FileKind::None { end } else { state.size };
        files.push(PlannedFile {
            path,
            kind: state.kind,
            size,
            start: 0,
            length: size,
            layout: Layout::Keep,
        });
    }
    let io_bytes = trace.summary.bytes.iter().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes));
    let replay = PlannedTrace { path: trace.path.clone(), names: trace.summary.names.keys() };
    Ok(PlannedJob {
        job: index,
        clone,
        seed: seed_of(job, index, clone),
        files,
        interleave: None,
        io_bytes,
        lays_out_late: false,
        replay: Some(replay),
    })
}

fn device(
    job: &Job,
    (major, minor): (u32, u32),
    trace: &Scanned,
    looked: &mut Looked<'_>,
) -> Result<PathBuf, PlanFault> {
    let simulated = || PathBuf::from(format!("{major}:{minor}"));
    let found = looked.inspect.device(major, minor).or_else(|| (!job.engine.needs_files()).then(simulated));
    found.ok_or_else(|| PlanFault::Trace {
        path: shown(&trace.path),
        fault: TraceFault { at: 0, kind: TraceFaultKind::NoDevice { major, minor } },
    })
}
