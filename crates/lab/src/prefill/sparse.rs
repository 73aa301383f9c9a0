//! Files that a job will read and parts of which were never written.

use facts::extents;
use job::job::{EngineChoice, Job};
use job::plan::{FileKind, Layout, Plan};
use run::consent::is_scratch;
use stats::Direction;
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file that a job will read and parts of which were never written.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    /// Path of the file.
    pub path: PathBuf,
    /// The job that reads it; index into [`Plan::jobs`].
    pub job: usize,
    /// First byte that is read.
    pub offset: u64,
    /// Bytes from there.
    pub length: u64,
    /// Bytes of them that were never written.
    pub missing: u64,
    /// Whether fathom made it: it is filled without a question.
    pub scratch: bool,
}

impl Sparse {
    /// Share of what is read that was never written, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.missing as f64 / self.length.max(1) as f64
    }
}

/// Returns a file of which more than a hundredth of this region was never written; `None` where the file system does not tell.
pub fn sparse(path: &Path, region: Range<u64>, job: usize) -> Option<Sparse> {
    // Before it is opened: a pipe would wait for its writer.
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

/// Most files that are examined before a run.
const FILES: usize = 64;

/// Returns the existing files that jobs of this plan read and of which more than a hundredth was never written.
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

/// Whether a job only reads: a job that changes a file may fill it itself.
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
