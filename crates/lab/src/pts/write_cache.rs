//! The volatile write cache of the device: set for a test, read back, and restored at the end.

use super::claim::Claim;
use facts::SysRoot;
use run::kernel_settings::{DISABLED, ENABLED, KernelSettings, NVME_WRITE_CACHE, SCSI_WRITE_CACHE, value};
use stats::pts::{PtsCacheControl, PtsWriteCache};

/// Returns the setting that controls the write cache of a disk.
fn control(root: &SysRoot, disk: &str) -> (PtsCacheControl, &'static str) {
    let readable = |setting| value(root, disk, setting).is_ok();
    if disk.starts_with("nvme") && readable(NVME_WRITE_CACHE) {
        return (PtsCacheControl::NvmeFeature, NVME_WRITE_CACHE);
    }
    if readable(SCSI_WRITE_CACHE) {
        return (PtsCacheControl::ScsiCacheType, SCSI_WRITE_CACHE);
    }
    // The queue setting says only whether the kernel sends flushes. It is read and not written.
    match readable("write_cache") {
        true => (PtsCacheControl::Kernel, "write_cache"),
        false => (PtsCacheControl::None, "write_cache"),
    }
}

/// Sets the write cache of the claimed device and reads it back. A cache that cannot be set keeps its state.
pub fn set(claim: &Claim, root: &SysRoot, settings: &mut KernelSettings, required: bool) -> PtsWriteCache {
    let disk = claim.device.whole(root).unwrap_or_else(|| claim.device.clone()).name;
    let (control, setting) = control(root, &disk);
    let state = || {
        let text = value(root, &disk, setting).ok()?;
        [(ENABLED, true), (DISABLED, false)].into_iter().find(|(name, _)| *name == text).map(|(_, on)| on)
    };
    let before = state();
    if matches!(control, PtsCacheControl::NvmeFeature | PtsCacheControl::ScsiCacheType) {
        // A refusal shows in the state that is read back.
        let _ = settings.set(&disk, setting, if required { ENABLED } else { DISABLED });
    }
    PtsWriteCache { required, control, before, during: state() }
}
