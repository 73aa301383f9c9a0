//! Several devices under test at the same time: none may have data of another, and what they share is known.

use super::error::{PtsError, PtsRefusal};
use facts::SysRoot;
use facts::common_path::Common;
use facts::layers::{Device, DeviceNumber};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

/// Two devices of a command that share a part of the way to their data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtsShared {
    /// Names of the devices.
    pub names: [String; 2],
    /// What they share.
    pub common: Common,
}

/// Returns what each two of these devices share. Simulated devices share nothing.
///
/// # Errors
/// Two of them are the same device, partitions of one disk, parts of one file, or one consists of the other.
pub fn shared(names: &[String], root: &SysRoot) -> Result<Vec<PtsShared>, PtsError> {
    let device = |name: &String| {
        let meta = std::fs::metadata(name).ok().filter(|meta| meta.file_type().is_block_device())?;
        Device::of(root, DeviceNumber::from_raw(meta.rdev()))
    };
    let devices: Vec<(&String, Device)> =
        names.iter().filter_map(|name| Some((name, device(name)?))).collect();
    let mut found = Vec::new();
    for (nth, (name, device)) in devices.iter().enumerate() {
        for (other, before) in &devices[..nth] {
            let Some(common) = Common::of(root, before, device) else { continue };
            if common.overlaps() {
                let reason = PtsRefusal::Overlaps { other: (*other).clone(), common };
                return Err(PtsError::Refused { path: Path::new(name.as_str()).into(), reason });
            }
            found.push(PtsShared { names: [(*other).clone(), (*name).clone()], common });
        }
    }
    Ok(found)
}
