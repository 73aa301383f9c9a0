//! Detection of unwritten ranges in files that a job will read.

use facts::extents;
use job::job::{EngineChoice, Job};
use job::plan::{FileKind, Layout, Plan};
use run::consent::is_scratch;
use stats::Direction;
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// File with unwritten ranges (holes or unwritten extents) in the region that a job will read.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    /// Path of the file.
    pub path: PathBuf,
    /// Index of the job that reads the file, in [`Plan::jobs`].
    pub job: usize,
    /// Start of the region that the job reads, in bytes.
    pub offset: u64,
    /// Length of the region, in bytes.
    pub length: u64,
    /// Unwritten bytes in the region.
    pub missing: u64,
    /// Whether fathom created the file; such a file is filled without a question.
    pub scratch: bool,
}

impl Sparse {
    /// Returns the unwritten share of the region, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.missing as f64 / self.length.max(1) as f64
    }
}

/// Returns the file at `path` if more than 1 % of `region` is unwritten; `None` if at most 1 % is unwritten, if the
/// path is not a regular file, or if the file system does not report holes.
pub fn sparse(path: &Path, region: Range<u64>, job: usize) -> Option<Sparse> {
    // The type is checked before the file is opened: opening a FIFO would wait for a writer.
    let open = std::fs::metadata(path).ok().filter(Metadata::is_file).and_then(|_| File::open(path).ok())?;
    let missing = extents::missing_between(&open, region.start, region.end)?;
    let missing = missing.holes + missing.unwritten.unwrap_or(0);
    let length = region.end.saturating_sub(region.start);
    (missing > length / 100).then(|| Sparse {
        path: path.into(),
        job,
        offset: region.start,
        length,
        missing,
        scratch: is_scratch(path),
    })
}

/// Largest number of files that are examined before a run.
const FILES: usize = 64;

/// Returns the existing files that jobs of `plan` only read and that are unwritten by more than 1 % in the region read.
pub fn sparse_files(plan: &Plan) -> Vec<Sparse> {
    let mut regions: BTreeMap<&Path, (usize, Range<u64>)> = BTreeMap::new();
    for clone in &plan.clones {
        if !plan.jobs.get(clone.job).is_some_and(reads) {
            continue;
        }
        let there = clone
            .files
            .iter()
            .filter(|f| f.kind == FileKind::Regular && f.layout == Layout::Keep && f.length > 0);
        for file in there {
            let full = regions.len() >= FILES;
            match regions.get_mut(file.path.as_path()) {
                Some((_, all)) => {
                    *all = all.start.min(file.start)..all.end.max(file.start + file.length);
                }
                None if full => {}
                None => {
                    regions.insert(&file.path, (clone.job, file.start..file.start + file.length));
                }
            }
        }
    }
    regions.into_iter().filter_map(|(path, (job, region))| sparse(path, region, job)).collect()
}

/// Returns whether `job` reads and does not change files: a job that changes a file may fill it itself.
fn reads(job: &Job) -> bool {
    let mix = &job.pattern.mix;
    mix.has(Direction::Read)
        && !mix.has(Direction::Write)
        && !mix.has(Direction::Trim)
        && job.engine.needs_files()
        && job.engine.does_io()
        && job.engine != EngineChoice::Falloc
        && !job.target.create_only
}
