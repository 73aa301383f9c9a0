//! Scratch objects and images of a run in a pool, which are removed at its end or, if it was killed, before the next run
//! on the same host.
//!
//! A run registers itself in one of a fixed number of objects before it makes others: to list a pool with millions of
//! objects would take minutes.

use super::CephError;
use crate::objects::RunId;
use engine::remote::scratch_pool::{NAMESPACE, ScratchPool};
use facts::SysRoot;
use std::time::{Duration, Instant};

/// Time after which an image has no watcher of a killed client: `osd_client_watch_timeout` is 30 s.
const WATCHED: Duration = Duration::from_secs(40);
/// Pause between attempts to remove an image.
const PAUSE: Duration = Duration::from_millis(500);

/// Runs that can be registered in a pool at the same time.
const RUNS: u32 = 32;
/// Largest number of objects of a run.
pub(super) const OBJECTS: u32 = 256;

/// Entry of a run in the pool.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// Beginning of the names of its objects.
    keys: String,
    /// Number of its objects.
    objects: u32,
}

impl Entry {
    fn text(&self) -> String {
        format!("{}\n{}\n", self.keys, self.objects)
    }

    /// Reads an entry; `None` for other contents.
    fn read(bytes: &[u8]) -> Option<(Entry, RunId)> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut lines = text.lines();
        let entry = Entry { keys: lines.next()?.into(), objects: lines.next()?.parse().ok()? };
        let run = RunId::of_key(&entry.keys, "")?;
        (entry.keys == run.keys("") && entry.objects <= OBJECTS && entry.text() == text)
            .then_some((entry, run))
    }

    fn object(&self, number: u32) -> String {
        format!("{}{number}", self.keys)
    }

    /// Returns the name of the image, which may not have a slash.
    fn image(&self) -> String {
        self.keys.trim_end_matches('/').into()
    }

    /// Removes all that the run can have made, its registration last. `patience` is asked whether to try again to remove an
    /// image that is in use.
    fn remove(
        &self,
        pool: &ScratchPool,
        slot: &str,
        mut patience: impl FnMut() -> bool,
    ) -> Result<(), CephError> {
        for number in 0..self.objects {
            pool.remove(&self.object(number))?;
        }
        while let Err(error) = pool.remove_image(&self.image()) {
            let in_use = error.errno() == rustix::io::Errno::BUSY.raw_os_error();
            if !(in_use && patience()) {
                return Err(error.into());
            }
        }
        pool.remove(slot)?;
        Ok(())
    }
}

/// What the removal of ended runs tells.
pub(super) trait Leftovers {
    /// Called when the objects of an ended run were removed.
    fn removed(&mut self, keys: &str);

    /// Called when the image of an ended run still has the watcher of its client, which is waited for.
    fn watched(&mut self, image: &str, limit: Duration);

    /// Returns whether the user wants no more waiting.
    fn stopped(&self) -> bool;
}

fn slot(number: u32) -> String {
    format!("fathom-run.{number}")
}

/// Scratch objects and image of this run; removed on drop, if [`RunScratch::end`] was not called.
pub(super) struct RunScratch<'a> {
    pool: &'a ScratchPool,
    entry: Entry,
    slot: String,
    ended: bool,
}

impl<'a> RunScratch<'a> {
    /// Removes what ended runs of this host left, and registers this run.
    ///
    /// # Errors
    /// Too many runs are registered, or the server's error.
    pub(super) fn begin(
        pool: &'a ScratchPool,
        root: &SysRoot,
        objects: u32,
        leftovers: &mut dyn Leftovers,
    ) -> Result<RunScratch<'a>, CephError> {
        let keys = RunId::own(root, 0).keys("");
        let entry = Entry { keys, objects: objects.min(OBJECTS) };
        let mut own = None;
        // All of them are examined, also those after a free one.
        for number in 0..RUNS {
            let slot = slot(number);
            if let Some(bytes) = pool.read(&slot)? {
                let Some((left, _)) = Entry::read(&bytes).filter(|(_, run)| run.ended(root)) else {
                    continue;
                };
                let mut since = None;
                left.remove(pool, &slot, || {
                    let since = since.get_or_insert_with(|| {
                        leftovers.watched(&left.image(), WATCHED);
                        Instant::now()
                    });
                    std::thread::sleep(PAUSE);
                    since.elapsed() < WATCHED && !leftovers.stopped()
                })?;
                leftovers.removed(&left.keys);
            }
            if own.is_none() && pool.create(&slot, entry.text().as_bytes())? {
                own = Some(slot);
            }
        }
        let slot = own.ok_or(CephError::TooManyRuns)?;
        Ok(RunScratch { pool, entry, slot, ended: false })
    }

    /// Returns the names of the objects.
    pub(super) fn objects(&self) -> Vec<String> {
        (0..self.entry.objects).map(|number| self.entry.object(number)).collect()
    }

    /// Returns the name of the image.
    pub(super) fn image(&self) -> String {
        self.entry.image()
    }

    /// Returns the beginning of the names of the objects, with pool and namespace.
    pub(super) fn shown(&self, pool: &str) -> String {
        format!("rados:{pool}/{NAMESPACE}/{}0..{}", self.entry.keys, self.entry.objects - 1)
    }

    /// Removes objects and image.
    ///
    /// # Errors
    /// The server's error; the next run on this host removes the rest.
    pub(super) fn end(mut self) -> Result<(), CephError> {
        self.ended = true;
        self.entry.remove(self.pool, &self.slot, || false)
    }
}

impl Drop for RunScratch<'_> {
    fn drop(&mut self) {
        if !self.ended {
            // The error that ended the run is reported; the next run removes what is left.
            let _ = self.entry.remove(self.pool, &self.slot, || false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_entries_of_this_program_are_read() {
        let run = RunId::own(&SysRoot::machine(), 0);
        let entry = Entry { keys: run.keys(""), objects: 64 };
        assert_eq!(Entry::read(entry.text().as_bytes()), Some((entry.clone(), run)));
        assert!(!entry.image().contains('/'));
        for text in [
            "",
            "x",
            "fathom-run-x/\n3\n",
            &format!("{}\n100000\n", entry.keys),
            &format!("{}../\n3\n", entry.keys),
        ] {
            assert_eq!(Entry::read(text.as_bytes()), None, "{text}");
        }
    }
}
