//! Plan: jobs multiplied into clones, with files, regions and limits known. Every host that runs a plan does the
//! same I/O; a plan can be stored, replayed and sent.

use crate::job::Job;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What a path turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileKind {
    /// A regular file, or nothing yet.
    Regular,
    /// A block device.
    Block,
    /// A character device.
    Char,
    /// No file at all (null and model engines).
    None,
}

/// What `plan` must know of a path; the answer comes from the caller, for this crate touches no device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Kind; `Regular` when it does not exist.
    pub kind: FileKind,
    /// It exists.
    pub exists: bool,
    /// Bytes; the device's size for block devices.
    pub size: u64,
}

/// Looks at paths for `plan`.
pub trait Inspect {
    /// What lies at `path` (following symbolic links); an error only if it cannot be told (EACCES, ...).
    fn look(&mut self, path: &Path) -> std::io::Result<Look>;
}

/// What has to be done to a file before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// Nothing: it is there and large enough, or it is a device.
    Keep,
    /// Made new with `size` bytes reserved, contents not written (a job that only writes).
    Reserve,
    /// Made new (an existing smaller one is unlinked) and written in full.
    Write,
    /// Nothing now: it appears when the job opens it.
    OnOpen,
}

/// One file of one clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFile {
    /// Path as it is opened.
    pub path: PathBuf,
    /// Kind.
    pub kind: FileKind,
    /// Size in bytes it has, or will have after layout.
    pub size: u64,
    /// First byte of the region.
    pub start: u64,
    /// Bytes of the region (start + length <= size).
    pub length: u64,
    /// What to do before.
    pub layout: Layout,
}

/// One clone of a job: one thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedJob {
    /// Index of its job in [`Plan::jobs`].
    pub job: usize,
    /// Clone number (0 = the first; offset_increment, seeds and generated names use it).
    pub clone: u32,
    /// Seed of this clone's streams.
    pub seed: u64,
    /// Its files.
    pub files: Vec<PlannedFile>,
    /// Bytes to move per loop, all directions together.
    pub io_bytes: u64,
}

/// Everything that will happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Validated jobs.
    pub jobs: Vec<Job>,
    /// One per thread, in fio's report order (the first clone, then the highest number down to 1).
    pub clones: Vec<PlannedJob>,
}

/// Why a set of jobs cannot be planned. `Display` is what fio prints on stderr, ending with a newline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct PlanError {
    /// Job it is about.
    pub job: String,
    /// Lines for standard error.
    pub text: String,
    /// Exit status.
    pub code: i32,
}

/// Multiplies jobs into clones and finds their files, regions and limits.
pub fn plan(jobs: Vec<Job>, inspect: &mut dyn Inspect) -> Result<Plan, PlanError> {
    let _ = inspect;
    Ok(Plan { jobs, clones: Vec::new() })
}
