//! Records of the writes to all files of a run that are verified. Clones that share a file share its record, so that no
//! clone takes the data of another one for damage.

use super::written::Written;
use crate::random::{stream, stream_seed};
use job::job::{Job, Order};
use job::plan::{Plan, PlannedFile, PlannedJob};
use job::verify::{VerifySpec, gcd};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Record of a file, and the number that stands for the file in the seeds of its blocks.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) written: Arc<Mutex<Written>>,
    pub(crate) key: u32,
    /// Size of a unit of the record in bytes.
    pub(crate) unit: u64,
}

impl Record {
    /// Returns the record of the same file in which nothing was written.
    pub(crate) fn fresh(&self) -> Self {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner).fresh();
        Self { written: Arc::new(Mutex::new(written)), ..*self }
    }
}

/// Records of the files of a run, made when they are first needed.
#[derive(Debug, Default)]
pub struct Records {
    of: OnceLock<BTreeMap<PathBuf, Record>>,
    run: OnceLock<u32>,
}

impl Records {
    /// Returns the number of this run, by which its blocks differ from those that the same jobs wrote in an earlier run.
    pub(crate) fn run(&self) -> u32 {
        *self.run.get_or_init(|| {
            let mut bytes = [0; 4];
            // Without random bytes, blocks of an earlier run of the same job are taken for those of this one.
            let _ = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
            u32::from_le_bytes(bytes)
        })
    }

    /// Returns the record of file `index` of a clone that verifies.
    pub(crate) fn of(&self, plan: &Plan, clone: &PlannedJob, index: usize) -> Record {
        let records = self.of.get_or_init(|| {
            let record = |(path, extent): (&Path, Extent)| (path.to_owned(), extent.record());
            extents(plan).into_iter().map(record).collect()
        });
        let unknown = || Extent::default().record();
        records.get(&clone.files[index].path).cloned().unwrap_or_else(unknown)
    }
}

/// Returns the bytes that the records of all files of the plan take.
pub fn memory(plan: &Plan) -> u64 {
    extents(plan).values().map(|extent| extent.units().saturating_mul(4)).sum()
}

/// Returns whether the writes of a job are recorded.
pub(crate) fn is_recorded(job: &Job) -> bool {
    job.verify.as_ref().is_some_and(|spec| spec.read_back) && job.pattern.mix.has(stats::Direction::Write)
}

/// Region of a file that clones write and read back.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// First byte, and the byte behind the last one; both 0 if nothing is recorded.
    start: u64,
    end: u64,
    /// Size in bytes of which offsets and sizes of all writes are multiples; 0 if nothing is recorded.
    unit: u64,
    /// Number that stands for the file in seeds.
    key: u32,
}

impl Extent {
    fn units(&self) -> u64 {
        (self.end - self.start).div_ceil(self.unit.max(1))
    }

    fn record(&self) -> Record {
        let unit = self.unit.max(1);
        let written = Written::new(self.start, self.end - self.start, unit);
        Record { written: Arc::new(Mutex::new(written)), key: self.key, unit }
    }

    /// Adds the region of a clone of `job` in the file.
    fn add(&mut self, job: &Job, spec: &VerifySpec, file: &PlannedFile) {
        // The last block of a sequential job may reach beyond its region.
        let end = file.start.saturating_add(file.length);
        let behind = job.pattern.largest_block().min(file.size.saturating_sub(end));
        if self.unit == 0 {
            (self.start, self.end) = (file.start, file.start);
        }
        self.unit = gcd(gcd(self.unit, self.start.abs_diff(file.start)), unit(job, spec));
        // A job that skips backwards begins again at the end of the file, wherever that is.
        if matches!(job.pattern.order, Order::Sequential { skip } if skip != 0) {
            self.unit = gcd(self.unit, file.length);
        }
        self.start = self.start.min(file.start);
        self.end = self.end.max(end.saturating_add(behind));
    }
}

/// Returns the regions of all files of jobs that verify.
fn extents(plan: &Plan) -> BTreeMap<&Path, Extent> {
    let mut extents: BTreeMap<&Path, Extent> = BTreeMap::new();
    for clone in &plan.clones {
        let job = &plan.jobs[clone.job];
        let Some(spec) = &job.verify else { continue };
        for (index, file) in clone.files.iter().enumerate() {
            let extent = extents.entry(&file.path).or_insert_with(|| {
                // The first clone names the file, so that the same job gives it the same number again.
                let seed = stream_seed(stream_seed(clone.seed, stream::VERIFY), index as u64);
                Extent { key: (seed >> 32) as u32 | 1, ..Extent::default() }
            });
            if is_recorded(job) {
                extent.add(job, spec, file);
            }
        }
    }
    extents
}

/// Returns the largest size in bytes of which the offsets, relative to the region, and the sizes of all writes are
/// multiples.
fn unit(job: &Job, spec: &VerifySpec) -> u64 {
    let pattern = &job.pattern;
    let mut unit = u64::from(spec.interval);
    if let Order::Sequential { skip } = pattern.order {
        unit = gcd(unit, skip.unsigned_abs());
    }
    // The writes of `trimwrite` follow its trims, whose blocks may have other sizes.
    if pattern.mix.has(stats::Direction::Trim) {
        let (low, high) = pattern.block[stats::Direction::Trim as usize];
        unit = gcd(gcd(unit, low), high);
    }
    for align in pattern.places.align {
        unit = gcd(unit, align);
    }
    if let Some(zones) = pattern.places.zones {
        unit = gcd(gcd(unit, zones.size), gcd(zones.range, zones.skip));
    }
    unit
}
