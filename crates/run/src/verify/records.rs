//! Records of the writes to all files of a run that are verified. Clones that share a file share its record, so that no
//! clone takes the data of another one for damage.

use super::written::Written;
use crate::random::{stream, stream_seed};
use job::job::{Job, Order};
use job::plan::{Plan, PlannedJob};
use job::verify::VerifySpec;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Record of a file, and the number that stands for the file in the seeds of its blocks.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) written: Arc<Mutex<Written>>,
    pub(crate) key: u32,
    /// Size of a unit of the record in bytes.
    pub(crate) unit: u64,
}

/// Records of the files of a run, made when they are first needed.
#[derive(Debug)]
pub struct Records {
    of: Mutex<BTreeMap<PathBuf, Record>>,
    /// Number of this run, by which its blocks differ from those that the same jobs wrote in an earlier run.
    pub(crate) run: u32,
}

impl Default for Records {
    fn default() -> Self {
        let mut bytes = [0; 4];
        // Without random bytes, blocks of an earlier run of the same job are taken for those of this one.
        let _ = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
        Self { of: Mutex::default(), run: u32::from_le_bytes(bytes) }
    }
}

impl Records {
    /// Returns the record of file `index` of a clone.
    pub(crate) fn of(&self, plan: &Plan, clone: &PlannedJob, index: usize) -> Record {
        let path = &clone.files[index].path;
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        of.entry(path.clone()).or_insert_with(|| record(plan, path)).clone()
    }
}

/// Returns the bytes that the records of all files of the plan take.
pub fn memory(plan: &Plan) -> u64 {
    let mut bytes = BTreeMap::new();
    let files = |clone: &PlannedJob| clone.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    for clone in plan.clones.iter().filter(|clone| is_recorded(&plan.jobs[clone.job])) {
        for path in files(clone) {
            bytes.entry(path).or_insert_with_key(|path| {
                let (start, end, unit) = extent(plan, path);
                (end - start).div_ceil(unit).saturating_mul(4)
            });
        }
    }
    bytes.values().sum()
}

/// Returns whether the writes of a job are recorded.
pub(crate) fn is_recorded(job: &Job) -> bool {
    job.verify.as_ref().is_some_and(|spec| spec.read_back) && job.pattern.mix.has(stats::Direction::Write)
}

fn record(plan: &Plan, path: &Path) -> Record {
    let (start, end, unit) = extent(plan, path);
    // The first clone names the file, so that the same job gives it the same number again.
    let first = plan.clones.iter().find_map(|clone| {
        let index = clone.files.iter().position(|file| file.path == path)?;
        Some(stream_seed(stream_seed(clone.seed, stream::VERIFY), index as u64))
    });
    let key = (first.unwrap_or(0) >> 32) as u32 | 1;
    Record { written: Arc::new(Mutex::new(Written::new(start, end - start, unit))), key, unit }
}

/// Returns start, end and unit of the record of a file, from all clones that write it.
fn extent(plan: &Plan, path: &Path) -> (u64, u64, u64) {
    let (mut start, mut end, mut unit) = (u64::MAX, 0, 0);
    for clone in &plan.clones {
        let job = &plan.jobs[clone.job];
        let Some(spec) = job.verify.as_ref().filter(|_| is_recorded(job)) else { continue };
        for file in clone.files.iter().filter(|file| file.path == path) {
            if start != u64::MAX {
                unit = gcd(unit, start.abs_diff(file.start));
            }
            start = start.min(file.start);
            // The last block of a sequential job may reach beyond its region.
            let behind = job
                .pattern
                .largest_block()
                .min(file.size.saturating_sub(file.start.saturating_add(file.length)));
            end = end.max(file.start.saturating_add(file.length).saturating_add(behind));
            unit = gcd(unit, self::unit(job, spec));
        }
    }
    (start.min(end), end, unit.max(1))
}

/// Returns the largest size in bytes of which the offsets, relative to the region, and the sizes of all writes are
/// multiples.
fn unit(job: &Job, spec: &VerifySpec) -> u64 {
    let pattern = &job.pattern;
    let mut unit = u64::from(spec.interval);
    if let Order::Sequential { skip } = pattern.order {
        unit = gcd(unit, skip.unsigned_abs());
    }
    for align in pattern.places.align {
        unit = gcd(unit, align);
    }
    if let Some(zones) = pattern.places.zones {
        unit = gcd(gcd(unit, zones.size), gcd(zones.range, zones.skip));
    }
    unit
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
