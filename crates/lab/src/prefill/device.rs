//! Filling of a block device: writes the whole region except ranges recorded as filled, and requires `--allow-destroy`.

use super::error::{failed, refused, target};
use super::{Filling, PATIENCE, PrefillError, PrefillRefusal, Prefilling, SAMPLES, enough};
use crate::filled::FilledRecord;
use crate::target_fault::TargetFault;
use facts::extents;
use facts::layers::{Device, DeviceKind, DeviceNumber};
use facts::usage;
use facts::zeros::{self, Zeros};
use run::consent::{Guard, check_one};
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
        let looked = zeros::sample_region(path, self.region.clone(), SAMPLES, PATIENCE, &mut |block| {
            let known = !lacking.iter().any(|r| r.contains(&block.offset));
            let here = if known { &mut remembered } else { &mut other };
            here.sampled += 1;
            here.zero += u32::from(block.zero);
        });
        found.sampled_blocks = remembered.sampled + other.sampled;
        found.zero_blocks = remembered.zero + other.zero;
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
        let _guard = self.claim(&device, found.to_write)?;
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

    /// Claims `device` by an exclusive open; refuses it if it is in use or not named in `--allow-destroy`.
    fn claim(&self, device: &Device, bytes: u64) -> Result<Guard, PrefillError> {
        let path = self.path;
        let live = usage::live(&self.asked.root, device);
        if !live.is_empty() {
            return Err(refused(path, PrefillRefusal::InUse(live)));
        }
        let consent = self.consent();
        let guard = check_one(path, "prefill", &consent, &self.asked.root)?;
        if !consent.covers(&self.meta) {
            return Err(refused(path, PrefillRefusal::NotAllowed { bytes }));
        }
        if guard.devices.is_empty() {
            return Err(refused(path, PrefillRefusal::HeldExclusively));
        }
        Ok(guard)
    }
}
