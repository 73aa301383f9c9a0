//! Whether the metadata of a device changes while it is watched: another host that shares the device, or a program of this one,
//! uses what is on it. The page cache of this host is bypassed.
//!
//! What is watched are both ends of the device, where file systems and volume managers have their superblocks, and the block of
//! ext4's protection against a second mount (MMP), which a host that has it mounted writes every few seconds. A file system
//! that nobody changes does not write its superblock, and is not found, unless it has MMP.

use crate::SysRoot;
use crate::device_users::Sampled;
use crate::layers::{Device, DeviceNumber};
use crate::signature::{Ends, in_bytes};
use crate::uncached::Uncached;
use stats::contents::Contents;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

/// Time for which the ends of a device are watched.
const WATCH: Duration = Duration::from_millis(1500);
/// Time between two readings.
const PAUSE: Duration = Duration::from_millis(250);
/// Longest time for which the block of MMP is watched.
const LONGEST: Duration = Duration::from_secs(30);

/// Change of a device by another one that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changing {
    /// What the device contains.
    pub what: Contents,
    /// First byte that changed.
    pub offset: u64,
    /// Name of the host that has it mounted, and of the device there, if the file system has them.
    pub user: Option<(String, String)>,
}

/// Watches a block device that contains a file system or another known format, once per command: `watched` has the devices
/// that did not change before. Returns the first change.
///
/// # Errors
/// The device cannot be read.
pub fn look(root: &SysRoot, open: &File, watched: &Sampled) -> io::Result<Option<Changing>> {
    let device = Device::of(root, DeviceNumber::from_raw(open.metadata()?.rdev()));
    if device.as_ref().is_some_and(|device| watched.has(root, device)) {
        return Ok(None);
    }
    let uncached = Uncached::of(open);
    let found = watch(&mut |bytes, at| uncached.read_exact_at(bytes, at), sys::block::size(open)?)?;
    if let (None, Some(device)) = (&found, &device) {
        watched.add(root, device);
    }
    Ok(found)
}

/// Function that fills a buffer with the bytes at an offset.
pub type ReadAt<'a> = &'a mut dyn FnMut(&mut [u8], u64) -> io::Result<()>;

/// Watches a device or volume of `size` bytes that contains a file system or another known format. Returns the first change.
///
/// # Errors
/// It cannot be read.
pub fn watch(read: ReadAt<'_>, size: u64) -> io::Result<Option<Changing>> {
    let began = Instant::now();
    let first = Ends::read_by(read, size)?;
    let Some(what) = in_bytes(&first).into_iter().next().map(|signature| signature.what) else {
        return Ok(None);
    };
    let mmp = Mmp::of(&first, read);
    let changed = |offset, user| Ok(Some(Changing { what: what.clone(), offset, user }));
    while began.elapsed() < WATCH {
        std::thread::sleep(PAUSE);
        if let Some(offset) = first.first_change(&Ends::read_by(read, size)?) {
            return changed(offset, mmp.as_ref().and_then(Mmp::user));
        }
    }
    let Some(mmp) = mmp.filter(|mmp| mmp.in_use()) else { return Ok(None) };
    while began.elapsed() < mmp.watched_for() {
        std::thread::sleep(PAUSE);
        if let Some(now) = Mmp::read(read, mmp.offset)
            && now.sequence() != mmp.sequence()
        {
            // The host that unmounts it says so, too.
            return if now.in_use() { changed(mmp.offset, now.user()) } else { Ok(None) };
        }
    }
    Ok(None)
}

/// Block of ext4's multiple mount protection (`struct mmp_struct` of the kernel).
#[derive(Debug)]
struct Mmp {
    /// Offset of the block in bytes.
    offset: u64,
    bytes: [u8; 512],
}

impl Mmp {
    const MAGIC: u32 = 0x004d_4d50;
    /// Sequence number of a file system that is not mounted.
    const CLEAN: u32 = 0xff4d_4d50;
    /// Flag among the incompatible features of the superblock.
    const FEATURE: u32 = 0x100;

    /// Returns the block of the file system with these ends; `None` without one.
    fn of(ends: &Ends, read: ReadAt<'_>) -> Option<Mmp> {
        const SUPERBLOCK: u64 = 1024;
        let is_ext = ends.u16(SUPERBLOCK + 56)? == 0xef53;
        let block = 1024u64.checked_shl(ends.u32(SUPERBLOCK + 24)?.min(6))?;
        let has = is_ext && ends.u32(SUPERBLOCK + 96)? & Mmp::FEATURE != 0;
        Mmp::read(read, ends.u64(SUPERBLOCK + 360)?.checked_mul(block)?).filter(|_| has)
    }

    fn read(read: ReadAt<'_>, offset: u64) -> Option<Mmp> {
        // Devices with large sectors are read in whole pages.
        let mut page = [0; 4096];
        let begin = offset & !4095;
        read(&mut page, begin).ok()?;
        let within = (offset - begin) as usize;
        let mmp = Mmp { offset, bytes: page.get(within..within + 512)?.try_into().ok()? };
        (mmp.u32(0) == Mmp::MAGIC).then_some(mmp)
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes([self.bytes[at], self.bytes[at + 1], self.bytes[at + 2], self.bytes[at + 3]])
    }

    fn sequence(&self) -> u32 {
        self.u32(4)
    }

    /// Returns whether the file system is mounted somewhere, or was when its host ended.
    fn in_use(&self) -> bool {
        self.sequence() != Mmp::CLEAN
    }

    /// Returns the time after which the kernel would mount a file system whose sequence number did not change.
    fn watched_for(&self) -> Duration {
        let interval = u64::from(self.u32(112) & 0xffff).max(5);
        Duration::from_secs(2 * interval + 1).min(LONGEST)
    }

    fn user(&self) -> Option<(String, String)> {
        let text = |at: usize, length: usize| {
            let bytes = self.bytes[at..at + length].split(|byte| *byte == 0).next().unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        let (host, device) = (text(16, 64), text(80, 32));
        (self.in_use() && !host.is_empty()).then_some((host, device))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;
    use testbed::Sandbox;

    const SIZE: u64 = 4 << 20;

    /// Returns an image with the fields of ext4, and with MMP in this state.
    fn image(sandbox: &Sandbox, mmp: Option<u32>) -> File {
        let path = sandbox.sparse("image", SIZE).unwrap();
        let file = File::options().read(true).write(true).open(path).unwrap();
        let put = |at: u64, bytes: &[u8]| file.write_all_at(bytes, at).unwrap();
        put(1024 + 56, &0xef53u16.to_le_bytes());
        put(1024 + 24, &2u32.to_le_bytes());
        put(1024 + 96, &(0x40 | if mmp.is_some() { Mmp::FEATURE } else { 0 }).to_le_bytes());
        put(1024 + 360, &600u64.to_le_bytes());
        if let Some(sequence) = mmp {
            put(600 * 4096, &Mmp::MAGIC.to_le_bytes());
            put(600 * 4096 + 4, &sequence.to_le_bytes());
            put(600 * 4096 + 16, b"node7\0");
            put(600 * 4096 + 80, b"sdq\0");
        }
        file
    }

    fn watched_file(file: &File) -> io::Result<Option<Changing>> {
        watch(&mut |bytes, at| file.read_exact_at(bytes, at), SIZE)
    }

    /// Returns what is found while `bytes` are written at `at` after 400 ms.
    fn watched(file: &File, at: u64, bytes: &[u8]) -> Option<Changing> {
        std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(400));
                file.write_all_at(bytes, at).unwrap();
            });
            watched_file(file).unwrap()
        })
    }

    #[test]
    fn changed_superblock_is_found_and_data_are_none() {
        let sandbox = Sandbox::in_memory().unwrap();
        let what = Contents::new(stats::contents::ContentsClass::FileSystem, "ext4");
        let file = image(&sandbox, None);
        let found = watched(&file, 1024 + 48, &[9]);
        assert_eq!(found, Some(Changing { what, offset: 1024 + 48, user: None }));
        // Data between the ends.
        assert_eq!(watched(&file, 2 << 20, &[9]), None);
        // A device with nothing known on it.
        file.write_all_at(&[0; 2048], 0).unwrap();
        assert_eq!(watched(&file, 4096, &[1]), None);
    }

    /// The host that has a file system with MMP mounted is named; one that is not mounted takes no longer than another.
    #[test]
    fn mounting_host_is_named_by_its_protection_block() {
        let sandbox = Sandbox::in_memory().unwrap();
        let file = image(&sandbox, Some(17));
        let found = std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(2000));
                file.write_all_at(&18u32.to_le_bytes(), 600 * 4096 + 4).unwrap();
            });
            watched_file(&file).unwrap()
        });
        let found = found.unwrap();
        assert_eq!((found.offset, found.user), (600 * 4096, Some(("node7".into(), "sdq".into()))));
        let began = Instant::now();
        assert_eq!(watched_file(&image(&sandbox, Some(Mmp::CLEAN))).unwrap(), None);
        assert!(began.elapsed() >= WATCH);
    }
}
