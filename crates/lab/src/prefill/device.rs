//! Filling of a block device: writes the whole region except ranges recorded as filled, and requires `--allow-destroy`.

use super::error::{all_readable, failed, not_claimed, refused, target};
use super::{Filling, PATIENCE, PrefillError, PrefillRefusal, Prefilling, SAMPLES, enough};
use crate::filled::FilledRecord;
use crate::held::{HeldTarget, Holding};
use crate::target_fault::TargetFault;
use facts::extents;
use facts::layers::{Device, DeviceKind, DeviceNumber};
use facts::zeros::{self, Zeros};
use run::filler::Onto;
use stats::{Prefill, PrefillEnd, PrefillNote};
use std::fs::File;
use std::os::unix::fs::MetadataExt;

impl Filling<'_> {
    pub(super) fn device(&self, found: &mut Prefill, with: &mut dyn Prefilling) -> Result<(), PrefillError> {
        let (path, root) = (self.path, &self.asked.root);
        let Some(device) = Device::of(root, DeviceNumber::from_raw(self.meta.rdev())) else {
            return Err(target(path, TargetFault::UnknownDevice));
        };
        let mut memory = FilledRecord::of_device(root, &device, found.size, self.asked.state.as_deref());
        let mut lacking = memory.lacks(self.region.clone());
        let (mut remembered, mut other) = (Zeros::default(), Zeros::default());
        let mut unreadable = 0u32;
        let looked = zeros::sample_region(path, self.region.clone(), SAMPLES, PATIENCE, &mut |block| {
            if !block.readable {
                unreadable += 1;
                return;
            }
            let known = !lacking.iter().any(|r| r.contains(&block.offset));
            let here = if known { &mut remembered } else { &mut other };
            here.sampled += 1;
            here.zero += u32::from(block.zero);
        });
        found.sampled_blocks = remembered.sampled + other.sampled;
        found.zero_blocks = remembered.zero + other.zero;
        all_readable(path, unreadable, found.sampled_blocks)?;
        let empty = |z: &Zeros| z.zero * 100 > z.sampled;
        let mistaken = empty(&remembered);
        if mistaken {
            found.notes.push(PrefillNote::HoldsZeros);
            lacking = vec![self.region.clone()];
        }
        if lacking.is_empty() {
            found.end = PrefillEnd::FilledBefore;
            return Ok(());
        }
        // A later discard may be too small for the sample to find it.
        if memory.is_stale() {
            found.notes.push(PrefillNote::DiscardedSince);
        } else if looked == Some(true) && found.sampled_blocks > 0 && !empty(&other) && !mistaken {
            found.end = PrefillEnd::Whole;
            return Ok(());
        }
        found.pieces = lacking.len() as u64;
        found.to_write = lacking.iter().map(|r| r.end - r.start).sum();
        let _guard = self.claim(found.to_write)?;
        if let DeviceKind::Loop { backing } = &device.kind
            && let Ok(file) = File::open(root.path(backing))
            && let Ok(meta) = file.metadata()
            && let Some(missing) = extents::missing(&file, meta.len())
        {
            enough(path, &root.path(backing), missing.holes.min(found.to_write))?;
        }
        self.afford(found.to_write, with)?;
        if mistaken || memory.is_stale() {
            memory.forget().map_err(failed(path))?;
        }
        if !self.write(Onto::Device(path), &lacking, found, with, &|| self.interrupted())?.stopped {
            self.remember(&mut memory, found);
        }
        Ok(())
    }

    /// Claims the device; refuses it if it is in use, has partitions, or is not named in `--allow-destroy`.
    fn claim(&self, bytes: u64) -> Result<HeldTarget, PrefillError> {
        let (path, root) = (self.path, &self.asked.root);
        let holding = Holding { refuses_partitions: true, ..Holding::of("prefill", true) };
        let held = HeldTarget::claim(path, holding, root).map_err(|error| not_claimed(path, error))?;
        let mut consent = self.consent();
        held.permit(&mut consent, root).map_err(|error| not_claimed(path, error))?;
        if !consent.covers(&self.meta) {
            return Err(refused(path, PrefillRefusal::NotAllowed { bytes }));
        }
        Ok(held)
    }
}
