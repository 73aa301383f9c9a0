//! Where the data of a range of a file or device are: in the page cache, in a hole, in an unwritten extent, or on a device;
//! and what below a device may hold them in memory. Nothing is read or flushed.

use facts::SysRoot;
use facts::attach::Identity;
use facts::extents::gaps;
use facts::layers::{Device, DeviceKind, Layer, Stack, compresses};
use rustix::fd::AsFd;
use rustix::fs::{FileType, Mode, OFlags, fstat};
use stats::dd::{DataPlace, Medium};
use sys::cachestat::cachestat;

/// Largest number of holes and unwritten extents of which each is looked up in the page cache.
const MOST_GAPS: usize = 4096;

/// Returns the size in bytes of a regular file or block device; `None` for anything else.
pub fn size<Fd: AsFd>(file: Fd) -> Option<u64> {
    let found = fstat(&file).ok()?;
    match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => u64::try_from(found.st_size).ok(),
        FileType::BlockDevice => sys::block::size(&file).ok(),
        _ => None,
    }
}

/// Returns where `length` bytes from `offset` are (`None`: up to the end); `None` if the descriptor is neither a regular
/// file nor a block device.
pub fn of_range<Fd: AsFd>(file: Fd, offset: u64, length: Option<u64>) -> Option<DataPlace> {
    let left = size(&file)?.saturating_sub(offset);
    let length = length.map_or(left, |length| length.min(left));
    let mut place = DataPlace { length, ..DataPlace::default() };
    if length == 0 {
        return Some(place);
    }
    let page = rustix::param::page_size() as u64;
    let cached_in = |from: u64, bytes: u64| cachestat(&file, from, bytes).ok();
    if let Some(found) = cached_in(offset, length) {
        place.cached = Some((found.cached * page).min(length));
        place.unwritten_cache = Some(((found.dirty + found.writeback) * page).min(length));
    }
    let block =
        fstat(&file).is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::BlockDevice);
    if !block && let Ok(Some(found)) = gaps(&file, offset, offset + length, MOST_GAPS) {
        // Pages of a hole that was read before are in the page cache and counted there.
        let uncached = |gap: &facts::extents::Gap| {
            let cached = cached_in(gap.start, gap.length).map_or(0, |found| found.cached * page);
            gap.length.saturating_sub(cached)
        };
        let of =
            |reserved: bool| found.list.iter().filter(|gap| gap.reserved == reserved).map(uncached).sum();
        place.holes = Some(of(false));
        place.unwritten = found.by_extents.then(|| of(true));
    }
    // A page at a boundary of the range or of a hole may count for both sides.
    if let Some(cached) = place.cached {
        place.cached = Some(cached.min(length.saturating_sub(place.gaps())));
    }
    Some(place)
}

/// Returns the first layer of a stack that may hold data in memory although it is, or seems, a block device; `None` if
/// there is none that is known.
pub fn medium(root: &SysRoot, stack: &Stack) -> Option<Medium> {
    let with_device = stack.devices().next().is_some();
    stack.layers.iter().find_map(|layer| match layer {
        Layer::FileSystem(mount) if !with_device => {
            Some(Medium::NoDevice { file_system: mount.kind.clone() })
        }
        Layer::FileSystem(_) => None,
        Layer::Device(device) => match &device.kind {
            DeviceKind::Loop { backing } => {
                let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
                let cached = rustix::fs::open(root.path(backing), flags, Mode::empty())
                    .ok()
                    .and_then(|file| of_range(&file, 0, None)?.cached);
                Some(Medium::Loop { device: device.name.clone(), cached })
            }
            _ => memory_driver(root, device).map(|_| Medium::Memory { device: device.name.clone() }),
        },
    })
}

/// Returns the driver of a device that keeps its data in memory: zram, brd, null_blk. Persistent memory is storage.
pub fn memory_driver(root: &SysRoot, device: &Device) -> Option<&'static str> {
    Identity::of(root, device).attachment.volatile_memory()
}

/// Returns the type of a file system of the stack that compresses what is written, so that fewer bytes than requested are
/// read from the device; `None` if none is known to.
pub fn compressing_file_system(stack: &Stack) -> Option<&str> {
    stack.layers.iter().find_map(|layer| match layer {
        Layer::FileSystem(mount) => mount.options.split(',').any(compresses).then_some(mount.kind.as_str()),
        Layer::Device(_) => None,
    })
}

/// Returns the name of a layer of the stack that compresses what is written; `None` if none is known to.
pub fn compressing_layer(stack: &Stack) -> Option<String> {
    let zram = || stack.devices().find(|device| device.kind == DeviceKind::Zram);
    compressing_file_system(stack).map(str::to_owned).or_else(|| Some(zram()?.name.clone()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use testbed::loopdev::Setup;
    use testbed::{LoopDevice, Need, Sandbox, skip_without};

    #[test]
    fn written_data_are_in_the_page_cache_and_the_rest_is_a_hole() {
        let sandbox = Sandbox::new().unwrap();
        let path = sandbox.sparse("f", 1 << 20).unwrap();
        let file = File::options().read(true).write(true).open(&path).unwrap();
        file.write_all_at(&[7; 65536], 128 << 10).unwrap();
        let place = of_range(&file, 0, None).unwrap();
        assert_eq!((place.length, place.cached), (1 << 20, Some(64 << 10)), "{place:?}");
        assert_eq!(place.gaps(), (1 << 20) - (64 << 10), "{place:?}");
        assert_eq!(of_range(&file, 1 << 20, Some(5)).unwrap().length, 0);
        assert_eq!(of_range(File::open("/dev/null").unwrap(), 0, None), None);
    }

    #[test]
    fn a_loop_device_reports_the_page_cache_of_its_file() {
        skip_without!(Need::Loop);
        let device = LoopDevice::sparse(1 << 20, Setup::default()).unwrap();
        let root = SysRoot::machine();
        let found = medium(&root, &Stack::under(&root, device.path()).unwrap());
        assert!(
            matches!(&found, Some(Medium::Loop { device: name, .. }) if *name == device.name()),
            "{found:?}"
        );
    }
}
