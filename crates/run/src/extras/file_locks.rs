//! Locks on files between the jobs of this process (`lockfile`). As in fio, they are locks within the process, not in
//! the kernel.

use super::Extra;
use crate::assignment::Assignment;
use crate::worker::Worker;
use engine::{Engine, Kind};
use job::job::Lock;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

/// Locks in use, by the path of the file.
static LOCKS: Mutex<BTreeMap<PathBuf, Weak<RwLock<()>>>> = Mutex::new(BTreeMap::new());

/// The locks of a clone's files, one of which is held around each call of a synchronous engine.
#[derive(Debug)]
pub(crate) struct FileLocks(Vec<FileLock>);

impl FileLocks {
    /// Returns `Some` if the job locks its files and its engine is synchronous.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, _: &mut Worker<'_, E>) -> Option<Self> {
        let shared = match a.job().target.lock {
            _ if !E::SYNC => return None,
            Lock::None => return None,
            Lock::Exclusive => false,
            Lock::ReadWrite => true,
        };
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| lock.strong_count() > 0);
        Some(Self(
            a.clone.files.iter().map(|f| FileLock { lock: lock_of(&mut locks, &f.path), shared }).collect(),
        ))
    }
}

impl<E: Engine> Extra<E> for FileLocks {
    /// Waits for the lock before the I/O starts: as in fio, the wait is part of no latency.
    #[cold]
    #[inline(never)]
    fn hold(&self, w: &mut Worker<'_, E>, n: usize) -> Option<Held<'_>> {
        let op = w.slots.next(n)[0];
        Some(self.0[op.file as usize].acquire(op.kind))
    }
}

/// The lock of one file.
#[derive(Debug)]
struct FileLock {
    lock: Arc<RwLock<()>>,
    /// Whether reads share the lock.
    shared: bool,
}

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub(crate) enum Held<'a> {
    Shared { _guard: RwLockReadGuard<'a, ()> },
    Exclusive { _guard: RwLockWriteGuard<'a, ()> },
}

impl FileLock {
    /// Waits for the lock. A worker that panicked while it held the lock leaves no inconsistent state.
    fn acquire(&self, kind: Kind) -> Held<'_> {
        if self.shared && kind == Kind::Read {
            Held::Shared { _guard: self.lock.read().unwrap_or_else(PoisonError::into_inner) }
        } else {
            Held::Exclusive { _guard: self.lock.write().unwrap_or_else(PoisonError::into_inner) }
        }
    }
}

/// Returns the lock of the file `path`, which is created if no job uses it.
fn lock_of(locks: &mut BTreeMap<PathBuf, Weak<RwLock<()>>>, path: &Path) -> Arc<RwLock<()>> {
    if let Some(lock) = locks.get(path).and_then(Weak::upgrade) {
        return lock;
    }
    let lock = Arc::new(RwLock::new(()));
    locks.insert(path.to_owned(), Arc::downgrade(&lock));
    lock
}
