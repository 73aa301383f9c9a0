//! Objects of one process on which jobs run: made, named, and removed at the end, or by the next start if the process was
//! killed.

use super::known::Object;
use super::store::{Action, Contents};
use super::{ObjectLoadError, ObjectPlace, RunId, next_run, open, remove};
use facts::SysRoot;
use std::time::{Duration, Instant};

/// Number of objects in a pool of Ceph, and their size in bytes; an OSD takes 90 MiB in one write.
const POOL_OBJECTS: (u64, u64) = (1, 64 << 20);
/// Number of objects in a bucket, and their size in bytes: jobs read ranges of one object.
const BUCKET_OBJECTS: (u64, u64) = (1, 32 << 20);

/// Objects for jobs.
#[derive(Debug)]
pub struct ScratchObjects {
    place: ObjectPlace,
    root: SysRoot,
    run: RunId,
    names: Vec<String>,
    created: bool,
}

impl ScratchObjects {
    /// Names objects for jobs at `place`; creates nothing.
    pub fn new(place: ObjectPlace, root: &SysRoot) -> ScratchObjects {
        let run = next_run(root);
        let keys = run.keys(place.prefix());
        let names = (0..shape(&place).0).map(|number| format!("{keys}0000/{number:012}")).collect();
        ScratchObjects { place, root: root.clone(), run, names, created: false }
    }

    /// Returns the names of the objects.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the beginning of the names of all objects of the run, without the target.
    pub fn keys(&self) -> String {
        self.run.keys(self.place.prefix())
    }

    /// Returns the beginning of the names of all objects of the run, with the target.
    pub fn described(&self) -> String {
        self.place.scratch(&self.run)
    }

    /// Returns the bytes of the objects.
    pub fn bytes(&self) -> u64 {
        let (count, size) = shape(&self.place);
        count * size
    }

    /// Removes the objects of killed runs, and writes those of this one if it was not done before. Stops before the next
    /// object after `limit`; returns the bytes of the objects that exist.
    ///
    /// # Errors
    /// The server refuses an operation.
    pub fn create(&mut self, limit: Option<Duration>) -> Result<u64, ObjectLoadError> {
        let (count, size) = shape(&self.place);
        if self.created {
            return Ok(self.names.len() as u64 * size);
        }
        let begun = Instant::now();
        let mut store = open(&self.place, 1)?;
        let first = super::store::first(&mut *store, self.place.prefix());
        if let Err(error) = first {
            return Err(self.place.no_place(error));
        }
        remove::leftovers(&mut *store, self.place.prefix(), &self.root)?;
        let seed = u64::from(std::process::id());
        store.set_contents(&Contents::new(size, seed), &self.run);
        self.created = true;
        for number in 0..count {
            if number > 0 && limit.is_some_and(|limit| begun.elapsed() > limit) {
                self.names.truncate(number as usize);
                break;
            }
            let name = self.names[number as usize].clone();
            super::store::call(&mut *store, Action::Put(name, Object::new(number, size)))?;
        }
        Ok(self.names.len() as u64 * size)
    }
}

impl Drop for ScratchObjects {
    fn drop(&mut self) {
        if self.created
            && let Ok(mut store) = open(&self.place, 16)
        {
            // What cannot be removed now is removed by the next start on this machine.
            let _ = remove::own(&mut *store, &self.keys());
            let _ = remove::leftovers(&mut *store, self.place.prefix(), &self.root);
        }
    }
}

/// Returns number and size of the objects at a place.
fn shape(place: &ObjectPlace) -> (u64, u64) {
    match place {
        ObjectPlace::S3(_) => BUCKET_OBJECTS,
        ObjectPlace::Rados(_) => POOL_OBJECTS,
    }
}
