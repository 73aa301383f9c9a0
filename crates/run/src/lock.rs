//! One lock per file between the jobs that ask for one (`lockfile`). It lives in this process: fio's, too, is unknown to
//! the kernel.

use engine::Kind;
use job::job::{Job, Lock};
use job::plan::PlannedJob;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

/// Those that are in use, by the file's name.
static KNOWN: Mutex<BTreeMap<PathBuf, Weak<RwLock<()>>>> = Mutex::new(BTreeMap::new());

/// The locks of a clone's files.
#[derive(Debug)]
pub(crate) struct Locks(Vec<FileLock>);

impl Locks {
    /// `None` where the job asks for none.
    pub(crate) fn of_job(job: &Job, clone: &PlannedJob) -> Option<Self> {
        let shared = match job.target.lock {
            Lock::None => return None,
            Lock::Exclusive => false,
            Lock::ReadWrite => true,
        };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, lock| lock.strong_count() > 0);
        Some(Self(clone.files.iter().map(|f| FileLock { lock: of(&mut known, &f.path), shared }).collect()))
    }

    /// That of a file.
    pub(crate) fn of(&self, file: u32) -> FileLock {
        self.0[file as usize].clone()
    }
}

/// A file's lock.
#[derive(Clone, Debug)]
pub(crate) struct FileLock {
    lock: Arc<RwLock<()>>,
    /// Reads share it.
    shared: bool,
}

/// Held until dropped.
#[derive(Debug)]
pub(crate) enum Held<'a> {
    Shared { _guard: RwLockReadGuard<'a, ()> },
    Alone { _guard: RwLockWriteGuard<'a, ()> },
}

impl FileLock {
    /// Waits for it. A worker that panicked with it leaves nothing half done.
    pub(crate) fn take(&self, kind: Kind) -> Held<'_> {
        if self.shared && kind == Kind::Read {
            Held::Shared { _guard: self.lock.read().unwrap_or_else(PoisonError::into_inner) }
        } else {
            Held::Alone { _guard: self.lock.write().unwrap_or_else(PoisonError::into_inner) }
        }
    }
}

fn of(known: &mut BTreeMap<PathBuf, Weak<RwLock<()>>>, path: &Path) -> Arc<RwLock<()>> {
    if let Some(lock) = known.get(path).and_then(Weak::upgrade) {
        return lock;
    }
    let lock = Arc::new(RwLock::new(()));
    known.insert(path.to_owned(), Arc::downgrade(&lock));
    lock
}
