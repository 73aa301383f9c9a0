//! Filling of a regular file: only holes, unwritten extents and zeros are written, and only while no other program has
//! the file open.

use super::error::{all_readable, failed, no_ranges, refused};
use super::ranges::{between, pieces};
use super::{Answer, Filling, MOST, PATIENCE, PrefillError, PrefillRefusal, Prefilling, SAMPLES, enough};
use crate::filled::FilledRecord;
use crate::target_fault::errno;
use facts::extents::{self, Gaps};
use facts::file_usage::has_other_openers;
use facts::identity::Seen;
use facts::layers::Layer;
use facts::{signature, usage, zeros};
use run::filler::{Onto, WriteLease};
use run::mark::{self, Content};
use rustix::fs::{Mode, OFlags};
use stats::{Prefill, PrefillEnd, PrefillNote, PrefillTarget, Unfilled};
use std::fs::{File, Metadata};
use std::ops::Range;
use std::os::unix::fs::MetadataExt;

impl Filling<'_> {
    pub(super) fn file(
        &mut self,
        found: &mut Prefill,
        with: &mut dyn Prefilling,
    ) -> Result<(), PrefillError> {
        let path = self.path;
        let checked = Seen::of(&self.open).map_err(failed(path))?;
        let ours =
            mark::examine(path, &checked, true).ok().filter(|_| found.kind == PrefillTarget::ScratchFile);
        self.unused()?;
        // Data that is only in the page cache lies in no extent yet and would look like a hole.
        rustix::fs::fsync(&self.open).map_err(|e| failed(path)(e.into()))?;
        let mut memory = FilledRecord::of_file(path).map_err(failed(path))?;
        let gaps = extents::gaps(&self.open, self.region.start, self.region.end, MOST);
        let gaps = gaps.map_err(no_ranges(path))?;
        let zeros = self.zeros(found, gaps.as_ref(), &memory)?;
        if self.interrupted() {
            found.end = PrefillEnd::Interrupted;
            return Ok(());
        }
        let gaps = gaps.unwrap_or_default();
        (found.found.holes, found.found.unwritten) = gaps.bytes();
        found.found.zeros = zeros.iter().map(|r| r.end - r.start).sum();
        let pieces = pieces(&gaps.list, zeros);
        found.pieces = pieces.len() as u64;
        found.to_write = found.found.total();
        let lacking = memory.lacks(self.region.clone());
        if pieces.is_empty() {
            found.end = if lacking.is_empty() { PrefillEnd::FilledBefore } else { PrefillEnd::Whole };
            return Ok(());
        }
        self.room_for(&found.found)?;
        self.afford(found.to_write, with)?;
        // A file that cannot be written is refused before the question.
        drop(File::options().write(true).open(path).map_err(failed(path))?);
        if found.kind == PrefillTarget::File && !self.may_fill_file(found, with)? {
            return Ok(());
        }
        // While the user answers, other programs may write to the holes.
        self.unused()?;
        self.unchanged()?;
        let (open, lease) = self.lease(&checked)?;
        if lacking != [self.region.clone()] || memory.is_stale() {
            memory.forget().map_err(failed(path))?;
        }
        if let Some(content) = ours {
            mark::begin(&open, &checked.identity, content.and(Content::Noise));
        }
        let broken = || lease.as_ref().is_some_and(|lease| !lease.holds());
        let stop = || self.interrupted() || broken();
        let wrote = self.write(Onto::Zeros(&open), &pieces, found, with, &stop);
        let broken = broken();
        if let Some(content) = ours {
            mark::settle(path, &checked.identity, content.and(Content::Noise));
        }
        let wrote = wrote?;
        if wrote.data_found || wrote.stopped && broken {
            let (filled, of) = (wrote.bytes, found.to_write);
            let reason = match wrote.data_found {
                true => PrefillRefusal::WrittenMeanwhile { filled, of },
                false => PrefillRefusal::OpenedMeanwhile { filled, of },
            };
            return Err(refused(path, reason));
        }
        if wrote.stopped {
            return Ok(());
        }
        if !self.no_gaps_left(found) {
            return Ok(());
        }
        self.remember(&mut memory, found);
        if let Some(content) = ours {
            mark::settle(path, &checked.identity, content.and(Content::Noise));
        }
        Ok(())
    }

    /// Returns whether the user allows filling a file that fathom did not create; sets `found.end` if not.
    ///
    /// # Errors
    /// The file has a signature of a file system or image, or the question cannot be asked.
    fn may_fill_file(&self, found: &mut Prefill, with: &mut dyn Prefilling) -> Result<bool, PrefillError> {
        self.carries_nothing()?;
        match with.consent(found) {
            Answer::Yes => Ok(true),
            Answer::No => {
                found.end = if self.interrupted() { PrefillEnd::Interrupted } else { PrefillEnd::Declined };
                Ok(false)
            }
            Answer::Nobody => Err(refused(self.path, PrefillRefusal::NoConsent { bytes: found.to_write })),
        }
    }

    /// Checks that size, times and inode of the file are the same as when it was examined.
    fn unchanged(&self) -> Result<(), PrefillError> {
        let path = self.path;
        let now = std::fs::metadata(path).map_err(failed(path))?;
        let state =
            |m: &Metadata| (m.ino(), m.dev(), m.len(), m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec());
        if state(&now) != state(&self.meta) {
            return Err(refused(path, PrefillRefusal::Changed));
        }
        Ok(())
    }

    /// Returns whether the file system no longer reports gaps in the region; adds a note about remaining gaps.
    fn no_gaps_left(&self, found: &mut Prefill) -> bool {
        let Ok(Some(left)) = extents::gaps(&self.open, self.region.start, self.region.end, MOST) else {
            return true;
        };
        let (holes, unwritten) = left.bytes();
        found.left = Some(Unfilled { holes, unwritten, zeros: 0 });
        let bytes = holes + unwritten;
        if bytes > 0 {
            found.notes.push(PrefillNote::StillUnwritten { bytes });
        }
        bytes == 0
    }

    /// Opens the file for writing, checks that it is the examined file, and takes a write lease: opens by other
    /// programs break the lease and are thus detected. From here on this is the only open descriptor. The lease is
    /// `None` for a file named in `--allow-destroy` on a file system without leases.
    fn lease(&mut self, checked: &Seen) -> Result<(File, Option<WriteLease>), PrefillError> {
        let path = self.path;
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let open = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| failed(path)(e.into()))?;
        let open = File::from(open);
        let now = Seen::of(&open).map_err(failed(path))?;
        if !now.identity.is(&checked.identity) {
            return Err(refused(path, PrefillRefusal::Replaced));
        }
        self.open = open.try_clone().map_err(failed(path))?;
        let lease = match WriteLease::take(&open) {
            Ok(Some(lease)) => Some(lease),
            Ok(None) => return Err(self.opened_elsewhere()),
            Err(e) => {
                let consent = self.consent();
                if !consent.covers(&self.meta) {
                    return Err(refused(path, PrefillRefusal::NoLease(errno(&e))));
                }
                None
            }
        };
        Ok((open, lease))
    }

    fn opened_elsewhere(&self) -> PrefillError {
        refused(self.path, PrefillRefusal::OpenElsewhere)
    }

    /// Checks that no other process has the file open: a range that was a hole at the check may contain its data later.
    fn unused(&self) -> Result<(), PrefillError> {
        if usage::file_has_writer(&self.open) != Some(true) {
            return match has_other_openers(&self.open) {
                Some(true) => Err(self.opened_elsewhere()),
                _ => Ok(()),
            };
        }
        Err(refused(self.path, PrefillRefusal::WritableElsewhere))
    }

    /// Returns the ranges of zeros within the data. The whole region is read only if more than 1 % of the sampled
    /// blocks of data are zero; if the file system does not report gaps, ranges not recorded as filled are read in any
    /// case.
    fn zeros(
        &self,
        found: &mut Prefill,
        gaps: Option<&Gaps>,
        memory: &FilledRecord,
    ) -> Result<Vec<Range<u64>>, PrefillError> {
        let (mut written, mut zero, mut unreadable) = (0u64, 0u64, 0u32);
        let looked = zeros::sample_region(self.path, self.region.clone(), SAMPLES, PATIENCE, &mut |block| {
            if !block.readable {
                unreadable += 1;
                return;
            }
            found.sampled_blocks += 1;
            found.zero_blocks += u32::from(block.zero);
            if !gaps.is_some_and(|gaps| gaps.has(block.offset)) {
                written += 1;
                zero += u64::from(block.zero);
            }
        });
        all_readable(self.path, unreadable, found.sampled_blocks)?;
        let read_through = if zero * 100 > written || looked != Some(true) {
            vec![self.region.clone()]
        } else if gaps.is_none() {
            memory.lacks(self.region.clone())
        } else {
            return Ok(Vec::new());
        };
        let mut runs = Vec::new();
        for part in read_through {
            for data in between(part, gaps.map_or(&[], |gaps| &gaps.list)) {
                zeros::runs(&self.open, data, MOST, &|| self.interrupted(), &mut runs)
                    .map_err(no_ranges(self.path))?;
            }
        }
        Ok(runs)
    }

    /// Checks, before a byte is written, that the file system has enough free space for filling.
    fn room_for(&self, missing: &Unfilled) -> Result<(), PrefillError> {
        let kind = self.stack.layers.first().map_or("", |layer| match layer {
            Layer::FileSystem(mounted) => mounted.kind.as_str(),
            Layer::Device(_) => "",
        });
        // Copy-on-write file systems allocate new blocks for overwritten ones.
        let anew = matches!(kind, "btrfs" | "zfs" | "bcachefs");
        let needed = missing.holes + if anew { missing.zeros } else { 0 };
        enough(self.path, self.path, needed)
    }

    /// Checks that the file contains no file system, volume or disk image, whose zeros are data.
    fn carries_nothing(&self) -> Result<(), PrefillError> {
        let consent = self.consent();
        let signatures = signature::find(&self.open, self.meta.len()).map_err(failed(self.path))?;
        match signatures.into_iter().next().filter(|_| !consent.covers(&self.meta)) {
            Some(first) => Err(refused(self.path, PrefillRefusal::Carries(first))),
            None => Ok(()),
        }
    }
}
