//! Position of a target's first byte on each device under the target: the sum of the offsets of partitions, loop
//! devices, RAID members and extents of files.

use crate::SysRoot;
use crate::layers::{Device, DeviceKind, Layer, Stack, parent};
use crate::md::Array;
use std::fs::File;
use std::path::Path;
use sys::fiemap;

/// Largest number of extents of a file that are examined.
const MOST_PIECES: usize = 4096;

/// File systems whose FIEMAP reports positions on their device; other file systems have their own address space.
const TELL: [&str; 5] = ["ext2", "ext3", "ext4", "xfs", "f2fs"];

/// Cause of an offset between two layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetCause {
    /// Start of a partition on its disk.
    Partition,
    /// Start of a loop device in its file or device.
    Loop,
    /// Start of the data of a RAID on its members.
    Raid,
    /// Start of a file with this number of extents on the device of its file system; the extent with the worst
    /// alignment counts.
    Pieces(u32),
    /// Unknown cause, such as the device mapper, which only root may query.
    Unknown,
}

/// Offset of a layer on a device under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerOffset {
    /// Device under the layer.
    pub device: Device,
    /// Name of the layer directly above `device`, and the cause of its offset; `None` for the target itself.
    pub above: Option<(String, OffsetCause)>,
    /// Offset in bytes of the layer directly above on `device`; 0 if unknown.
    pub offset: u64,
    /// Name of the layer from which `position` is counted: the target, or the first device under a layer with unknown
    /// offset.
    pub from: String,
    /// Offset in bytes on `device` at which `from` begins.
    pub position: u64,
}

/// Returns the offsets on all devices under a device, the device itself first.
pub fn of_device(root: &SysRoot, device: &Device) -> Vec<LayerOffset> {
    let mut walk = Walk { root, places: Vec::new() };
    walk.device(device.clone(), None, 0, (device.name.clone(), 0), 0);
    walk.places
}

/// Returns the offsets on all devices under a file or directory; empty if the path is not on a block device. `file`
/// is the file, open for reading; with `None` the offset of the file is unknown.
pub fn of_path(root: &SysRoot, path: &Path, file: Option<&File>) -> Vec<LayerOffset> {
    let mut walk = Walk { root, places: Vec::new() };
    let name = path.file_name().map_or_else(|| "/".into(), |n| n.to_string_lossy().into_owned());
    walk.file(path, file, (name, 0), 0);
    walk.places
}

/// Name of the layer from which offsets are counted, and offset in bytes of the current layer from there.
type Counted = (String, u64);

struct Walk<'a> {
    root: &'a SysRoot,
    places: Vec<LayerOffset>,
}

impl Walk<'_> {
    fn device(
        &mut self,
        device: Device,
        above: Option<(String, OffsetCause)>,
        offset: u64,
        (from, position): Counted,
        depth: u32,
    ) {
        let place = LayerOffset { device: device.clone(), above, offset, from: from.clone(), position };
        if depth > 16 || self.places.contains(&place) {
            return;
        }
        self.places.push(place);
        let root = self.root;
        let name = device.name.clone();
        let dir = device.number.sysfs();
        match &device.kind {
            DeviceKind::Partition => {
                let Some(disk) = parent(root, device.number).and_then(|n| Device::of(root, n)) else {
                    return;
                };
                let start = root.number::<u64>(dir.join("start")).unwrap_or(0).saturating_mul(512);
                let counted = (from, position.saturating_add(start));
                self.device(disk, Some((name, OffsetCause::Partition)), start, counted, depth + 1);
            }
            DeviceKind::Loop { backing } => {
                let start: u64 = root.number(dir.join("loop/offset")).unwrap_or(0);
                let counted = (from, position.saturating_add(start));
                self.loop_on(backing, name, start, counted, depth);
            }
            DeviceKind::Raid(_) => {
                for member in device.members(root) {
                    let start = Array::data_offset(root, &device, &member);
                    let counted = match start {
                        Some(start) => (from.clone(), position.saturating_add(start)),
                        None => (member.name.clone(), 0),
                    };
                    let above = (name.clone(), start.map_or(OffsetCause::Unknown, |_| OffsetCause::Raid));
                    self.device(member, Some(above), start.unwrap_or(0), counted, depth + 1);
                }
            }
            _ => {
                for member in device.members(root) {
                    let counted = (member.name.clone(), 0);
                    self.device(member, Some((name.clone(), OffsetCause::Unknown)), 0, counted, depth + 1);
                }
            }
        }
    }

    fn loop_on(&mut self, backing: &Path, name: String, start: u64, counted: Counted, depth: u32) {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let path = self.root.path(backing);
        let Ok(meta) = std::fs::metadata(&path) else { return };
        if meta.file_type().is_block_device() {
            let number = crate::layers::DeviceNumber::from_raw(meta.rdev());
            let Some(device) = Device::of(self.root, number) else { return };
            self.device(device, Some((name, OffsetCause::Loop)), start, counted, depth + 1);
        } else {
            self.file(&path, File::open(&path).ok().as_ref(), counted, depth + 1);
        }
    }

    /// Continues from a file to the device of its file system.
    fn file(&mut self, path: &Path, file: Option<&File>, (from, position): Counted, depth: u32) {
        let Ok(stack) = Stack::under(self.root, path) else { return };
        let Some(at) = stack.layers.iter().position(|l| matches!(l, Layer::Device(_))) else { return };
        let (Some(Layer::FileSystem(fs)), Some(device)) =
            (at.checked_sub(1).and_then(|i| stack.layers.get(i)), stack.devices().next().cloned())
        else {
            return;
        };
        let name = path.file_name().map_or_else(|| "/".into(), |n| n.to_string_lossy().into_owned());
        let told = file.filter(|_| at == 1 && TELL.contains(&fs.kind.as_str())).and_then(worst_placed);
        let (between, offset, counted) = match told {
            Some((offset, pieces)) => {
                (OffsetCause::Pieces(pieces), offset, (from, position.saturating_add(offset)))
            }
            None => (OffsetCause::Unknown, 0, (device.name.clone(), 0)),
        };
        self.device(device, Some((name, between)), offset, counted, depth + 1);
    }
}

/// Returns the offset in bytes on the device at which the file would begin according to its worst aligned extent, and
/// the number of extents. Alignment is the largest power of two that divides the physical minus the logical offset.
/// `None` if the file has no extents on the device or FIEMAP fails.
fn worst_placed(file: &File) -> Option<(u64, u32)> {
    let size = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let (extents, _) = fiemap::extents(file, 0, size, MOST_PIECES).ok()?;
    let placed = extents.iter().filter(|e| e.flags & fiemap::EXTENT_DELALLOC == 0 && e.physical > 0);
    let worst = placed.min_by_key(|e| e.physical.wrapping_sub(e.logical).trailing_zeros())?;
    // The place where the file would begin, up to a multiple of 1 MiB: a late piece may lie before its own offset.
    Some((worst.physical.saturating_sub(worst.logical % (1 << 20)), extents.len() as u32))
}
