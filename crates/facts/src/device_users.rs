//! Uses of a block device: those that sysfs shows (`usage`), those that it does not show (other loop devices over the
//! same file, programs that have the device open for writing), and the data on the device.

use crate::SysRoot;
use crate::layers::{Device, DeviceNumber};
use crate::signature::{self, Ends};
use crate::uncached::Uncached;
use crate::unknown;
use crate::usage::{self, DevicePart, Use, loops};
use rustix::fs::{Mode, OFlags};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use sys::open_file::DescriptorOf;

/// Time for which udev or blkid may have a device open without counting as users.
const PASSING: Duration = Duration::from_millis(250);

/// Returns all uses of a device, those of the running system first. Uses of a partition's whole disk (mounted, held or
/// swapped to) count too.
///
/// # Errors
/// The device cannot be read.
pub fn of_device(
    root: &SysRoot,
    device: &Device,
    open: &File,
    writers: &Writers,
    sampled: &Sampled,
) -> io::Result<Vec<Use>> {
    let mut uses = usage::live(root, device);
    uses.extend(same_file(root, device, open));
    uses.extend(writers.of(root, device, open.metadata()?.rdev()));
    let looks_between = uses.is_empty() && !sampled.has(root, device);
    let contents = contents(open, sys::block::size(open)?, looks_between)?;
    if looks_between && contents.is_empty() {
        sampled.add(root, device);
    }
    uses.extend(contents);
    Ok(uses)
}

/// Returns the data on a device or in an image of `size` bytes: its signatures, or else the first data of an unknown
/// kind in its ends and, with `looks_between`, in samples between them.
///
/// # Errors
/// The device or image cannot be read.
pub fn contents(open: &File, size: u64, looks_between: bool) -> io::Result<Vec<Use>> {
    let ends = Ends::read(open, size)?;
    let mut signatures = signature::find_in(&ends, open);
    if signatures.is_empty() {
        signatures = signature::find_in_lost_partitions(open, size)?;
    }
    // A signature is reason enough to refuse, and explains the data.
    if !signatures.is_empty() {
        return Ok(signatures.into_iter().map(Use::Carries).collect());
    }
    let unknown = unknown_data(&ends);
    if unknown.is_none() && looks_between {
        return Ok(unknown_data_between(open, size)?.into_iter().collect());
    }
    Ok(unknown.into_iter().collect())
}

/// Returns the ranges, offset and length in bytes, that [`contents`] reads of a device or image of `size` bytes, in this
/// order: its ends and first partitions, then the samples between them, which matter less the later they come.
pub fn ranges_read(size: u64) -> impl Iterator<Item = (u64, u64)> {
    let end = ENDS.min(size);
    let tail = (size > end).then(|| size.saturating_sub(ENDS).max(end)).map(|at| (at, size - at));
    std::iter::once((0, end)).chain(tail).chain(samples(size))
}

/// Bytes at each end of a device within which everything but samples is read: the second MiB has the start of the first
/// partition, and the first partition of newer tools begins at 2 MiB.
const ENDS: u64 = 3 << 20;

/// Returns the first data of an unknown kind in the first or last MiB.
fn unknown_data(ends: &Ends) -> Option<Use> {
    let head = &ends.head[..ends.head.len().min(1 << 20)];
    let at_end = ends.size - ends.tail.len() as u64;
    let first = unknown::first_foreign_sector(head);
    let first = first.map(|at| Use::Unknown { offset: at as u64, part: DevicePart::First });
    first.or_else(|| {
        let last = unknown::first_foreign_sector(&ends.tail)?;
        Some(Use::Unknown { offset: at_end + last as u64, part: DevicePart::Last })
    })
}

/// Devices that were examined, such as for data of an unknown kind between their ends, so that a command with many jobs examines
/// them only once. Clones share the list.
#[derive(Clone, Debug, Default)]
pub struct Sampled(Arc<Mutex<Vec<DeviceKey>>>);

/// Number of a device, and the kernel's sequence number of its disk: another disk under the same number has another one,
/// and so has a loop device with another file.
type DeviceKey = (DeviceNumber, Option<u64>);

impl Sampled {
    fn key(root: &SysRoot, device: &Device) -> DeviceKey {
        let whole = device.whole(root);
        let name = whole.as_ref().map_or(&device.name, |whole| &whole.name);
        (device.number, root.number(format!("/sys/block/{name}/diskseq")))
    }

    pub(crate) fn has(&self, root: &SysRoot, device: &Device) -> bool {
        self.0.lock().is_ok_and(|known| known.contains(&Sampled::key(root, device)))
    }

    pub(crate) fn add(&self, root: &SysRoot, device: &Device) {
        if let Ok(mut known) = self.0.lock() {
            known.push(Sampled::key(root, device));
        }
    }
}

/// Number of samples that are read between the first and the last MiB, a power of two.
const SAMPLES: u64 = 256;
/// Length in bytes of a sample.
const SAMPLE: u64 = 64 << 10;
/// Time after which no further sample is read, so that a slow device does not delay a run for long.
const SAMPLING: Duration = Duration::from_secs(3);

/// Returns the first data of an unknown kind found in samples between the first and the last MiB. The samples lie in
/// equal distances; the order in which they are read (bits reversed) keeps the distances about equal if the time
/// is up before the last one.
///
/// # Errors
/// The device cannot be read.
fn unknown_data_between(open: &File, size: u64) -> io::Result<Option<Use>> {
    let device = Uncached::of(open);
    let began = Instant::now();
    let mut bytes = vec![0; SAMPLE as usize];
    for (at, length) in samples(size) {
        let length = length as usize;
        device.read_exact_at(&mut bytes[..length], at)?;
        if let Some(foreign) = unknown::first_foreign_sector(&bytes[..length]) {
            return Ok(Some(Use::Unknown { offset: at + foreign as u64, part: DevicePart::Between }));
        }
        if began.elapsed() > SAMPLING {
            break;
        }
    }
    Ok(None)
}

/// Returns the offset and length in bytes of the samples between the first and the last MiB.
fn samples(size: u64) -> impl Iterator<Item = (u64, u64)> {
    const MIB: u64 = 1 << 20;
    let pieces = size.saturating_sub(2 * MIB).div_ceil(SAMPLE);
    (0..SAMPLES.min(pieces)).map(move |turn| {
        let place = if pieces <= SAMPLES {
            turn
        } else {
            let reversed = turn.reverse_bits() >> (u64::BITS - SAMPLES.trailing_zeros());
            // The middle of each of 256 equal shares.
            (u128::from(pieces) * u128::from(2 * reversed + 1) / u128::from(2 * SAMPLES)) as u64
        };
        let at = MIB + place * SAMPLE;
        (at, SAMPLE.min(size - MIB - at))
    })
}

/// Returns the loop devices that share bytes of their file with the loop device `device`, or a partition of one, whose open
/// descriptor is `open`.
pub fn same_file(root: &SysRoot, device: &Device, open: &File) -> Vec<Use> {
    let Ok(file) = sys::inode::loop_backing(open) else { return Vec::new() };
    let Some(disk) = device.whole(root).map(|disk| disk.name) else { return Vec::new() };
    let Some(mut ours) = extent(root, &disk) else { return Vec::new() };
    if disk != device.name {
        // All of the disk's, unless the place of the partition is known.
        let start = root.number::<u64>(device.number.sysfs().join("start"));
        if let Some((start, bytes)) = start.zip(device.size(root)) {
            let start = ours.start.saturating_add(start.saturating_mul(512));
            ours = start..start.saturating_add(bytes);
        }
    }
    let others = loops(root).into_iter().map(|(name, _)| name).filter(|name| *name != disk);
    let shared = others.filter(|name| {
        extent(root, name).is_some_and(|theirs| theirs.start < ours.end && ours.start < theirs.end)
            && backing(root, name) == Some(file)
    });
    let named = shared.map(|by| {
        let node = std::fs::metadata(root.path(Path::new("/dev").join(&by))).ok();
        let node = node.filter(|node| node.file_type().is_block_device());
        let other = node.and_then(|node| Device::of(root, DeviceNumber::from_raw(node.rdev())));
        let used = other.and_then(|other| usage::live(root, &other).into_iter().next()).map(Box::new);
        Use::SameFile { by, used }
    });
    named.collect()
}

/// Returns the device and inode number of the file under a loop device.
pub(crate) fn backing(root: &SysRoot, name: &str) -> Option<(u64, u64)> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let open = rustix::fs::open(root.path(Path::new("/dev").join(name)), flags, Mode::empty()).ok()?;
    sys::inode::loop_backing(open).ok()
}

/// Returns the byte range of the backing file that a loop device exposes; `None` if sysfs lacks the values.
fn extent(root: &SysRoot, name: &str) -> Option<Range<u64>> {
    let number = |path: String| root.read(path).ok()?.trim().parse::<u64>().ok();
    let start = number(format!("/sys/block/{name}/loop/offset"))?;
    let sectors = number(format!("/sys/block/{name}/size"))?;
    Some(start..start.saturating_add(sectors.saturating_mul(512)))
}

/// Other programs that have block devices open for writing, by device number; an ancestor from which this process has its
/// standard output is none by that descriptor. The open files of all processes are examined once, on first use. A program that only maps a device, or whose descriptors this user may not see, is not
/// found.
#[derive(Debug, Default)]
pub struct Writers(OnceCell<HashMap<u64, Vec<Writer>>>);

/// Descriptor of a program that is open for writing.
#[derive(Debug)]
struct Writer {
    pid: u32,
    descriptor: OsString,
}

impl Writers {
    /// Returns a program that has this device open for writing for longer than [`PASSING`].
    pub(crate) fn of(&self, root: &SysRoot, device: &Device, number: u64) -> Option<Use> {
        let began = Instant::now();
        let found = self.0.get_or_init(|| look(root)).get(&number)?;
        let still_open = || {
            found.iter().find_map(|writer| {
                let program = root.read(format!("/proc/{}/comm", writer.pid)).ok()?.trim().to_owned();
                // The client of a network block device always has the device open.
                let client = device.name.starts_with("nbd") && program.starts_with("nbd");
                let open = !client && device_written(root, writer.pid, &writer.descriptor) == Some(number);
                open.then_some(Use::Opened { program, pid: writer.pid })
            })
        };
        loop {
            let writer = still_open()?;
            if began.elapsed() > PASSING {
                return Some(writer);
            }
            std::thread::sleep(Duration::from_millis(25));
        }
    }
}

fn look(root: &SysRoot) -> HashMap<u64, Vec<Writer>> {
    let own = std::process::id();
    let ancestors = OnceCell::new();
    let gave_stdout = |pid: u32, descriptor: &OsStr| {
        ancestors.get_or_init(|| ancestors_of(root, own)).contains(&pid)
            && is_our_stdout(root, pid, descriptor) == Some(true)
    };
    let mut found: HashMap<u64, Vec<Writer>> = HashMap::new();
    let processes = root.names("/proc").into_iter().filter_map(|name| name.parse::<u32>().ok());
    for pid in processes.filter(|pid| *pid != own) {
        let descriptors = std::fs::read_dir(root.path(format!("/proc/{pid}/fd"))).into_iter().flatten();
        for descriptor in descriptors.flatten().map(|entry| entry.file_name()) {
            if let Some(number) = device_written(root, pid, &descriptor)
                && !gave_stdout(pid, &descriptor)
            {
                found.entry(number).or_default().push(Writer { pid, descriptor });
            }
        }
    }
    found
}

/// Returns the processes above a process, its parent first.
fn ancestors_of(root: &SysRoot, pid: u32) -> Vec<u32> {
    let parent = |pid: &u32| {
        let status = root.read(format!("/proc/{pid}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
        line.trim().parse::<u32>().ok().filter(|parent| *parent != 0)
    };
    std::iter::successors(parent(&pid), parent).take(MOST_ANCESTORS).collect()
}

/// Bound for a chain of parents that changes while it is read.
const MOST_ANCESTORS: usize = 1000;

/// Returns whether a descriptor of another process is the open file that is this process's standard output: such an
/// ancestor (timeout, nice, sudo, the shell) passed the device on. `None` if not known.
fn is_our_stdout(root: &SysRoot, pid: u32, descriptor: &OsStr) -> Option<bool> {
    let theirs = DescriptorOf { pid, descriptor: descriptor.to_str()?.parse().ok()? };
    let ours = DescriptorOf { pid: std::process::id(), descriptor: 1 };
    match sys::open_file::is_shared(ours, theirs) {
        Ok(shared) => Some(shared),
        // Containers forbid kcmp(2). Standard output with equal offset, flags and mount is the same open file but for an
        // ancestor that opened the device as its own standard output and has not written yet.
        Err(_) if theirs.descriptor == 1 => {
            let info = |pid: u32| root.read(format!("/proc/{pid}/fdinfo/1")).ok();
            let file = |pid: u32| {
                let meta = std::fs::metadata(root.path(format!("/proc/{pid}/fd/1"))).ok()?;
                Some((meta.dev(), meta.ino()))
            };
            Some(info(ours.pid)? == info(pid)? && file(ours.pid)? == file(pid)?)
        }
        Err(_) => None,
    }
}

/// Returns the number of the block device that a process has open for writing under a descriptor; `None` for other
/// descriptors.
fn device_written(root: &SysRoot, pid: u32, descriptor: &OsStr) -> Option<u64> {
    let path = root.path(Path::new("/proc").join(pid.to_string()).join("fd").join(descriptor));
    // Most descriptors are not below /dev, so their files need not be examined.
    std::fs::read_link(&path).ok().filter(|to| to.starts_with("/dev"))?;
    let found = std::fs::metadata(&path).ok().filter(|meta| meta.file_type().is_block_device())?;
    let info = root.path(Path::new("/proc").join(pid.to_string()).join("fdinfo").join(descriptor));
    writes(&std::fs::read_to_string(info).ok()?).then(|| found.rdev())
}

/// Returns whether the octal flags in a text of /proc/PID/fdinfo allow writing.
fn writes(info: &str) -> bool {
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| matches!(flags & 3, 1 | 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use testbed::loopdev::Setup;
    use testbed::{LoopDevice, Need, Sandbox, skip_without};

    fn uses(device: &LoopDevice) -> Vec<Use> {
        let open = File::open(device.path()).unwrap();
        let number = open.metadata().unwrap().rdev();
        let root = SysRoot::machine();
        let known = Device::of(&root, DeviceNumber::from_raw(number)).unwrap();
        let mut all = same_file(&root, &known, &open);
        all.extend(Writers::default().of(&root, &known, number));
        all
    }

    #[test]
    fn a_second_loop_device_over_the_same_bytes_is_found() {
        skip_without!(Need::Loop);
        let sandbox = Sandbox::in_memory().unwrap();
        let path = sandbox.sparse("backing", 2 << 20).unwrap();
        let one = LoopDevice::from_file(&path, Setup::default()).unwrap();
        assert_eq!(uses(&one), []);
        let two = LoopDevice::from_file(&path, Setup::default()).unwrap();
        assert_eq!(uses(&one), [Use::SameFile { by: two.name(), used: None }]);
        assert_eq!(uses(&two), [Use::SameFile { by: one.name(), used: None }]);
    }

    /// A loop device over the bytes of a partition of another one shares them; the disk of the partition is no other device.
    #[test]
    fn a_loop_device_over_the_bytes_of_a_partition_is_found() {
        skip_without!(Need::Loop, Need::Program("addpart"));
        let sandbox = Sandbox::in_memory().unwrap();
        let path = sandbox.sparse("backing", 8 << 20).unwrap();
        let disk = LoopDevice::from_file(&path, Setup::default()).unwrap();
        let change = |program: &str, args: &[&str]| {
            Command::new(program).arg(disk.path()).args(args).status().is_ok_and(|status| status.success())
        };
        // From 1 MiB to 3 MiB.
        if !change("addpart", &["1", "2048", "4096"]) {
            return testbed::skip("this kernel makes no partitions of loop devices");
        }
        let part = format!("{}p1", disk.path().display());
        let uses = || {
            let open = File::open(&part).unwrap();
            let root = SysRoot::machine();
            let known = Device::of(&root, DeviceNumber::from_raw(open.metadata().unwrap().rdev())).unwrap();
            same_file(&root, &known, &open)
        };
        assert_eq!(uses(), []);
        let over = LoopDevice::from_file(&path, Setup::default()).unwrap();
        let found = uses();
        assert!(change("delpart", &["1"]));
        assert_eq!(found, [Use::SameFile { by: over.name(), used: None }]);
    }

    #[test]
    fn a_program_that_has_a_device_open_for_writing_is_named() {
        skip_without!(Need::Loop);
        let sandbox = Sandbox::in_memory().unwrap();
        let path = sandbox.sparse("backing", 2 << 20).unwrap();
        let device = LoopDevice::from_file(&path, Setup::default()).unwrap();
        for (writes, options) in [(false, File::options().read(true)), (true, File::options().append(true))] {
            let open = options.open(device.path()).unwrap();
            let mut sleeping = Command::new("sleep").arg("60").stdin(Stdio::from(open)).spawn().unwrap();
            let found = uses(&device);
            sleeping.kill().unwrap();
            sleeping.wait().unwrap();
            let expected = Use::Opened { program: "sleep".into(), pid: sleeping.id() };
            assert_eq!(found, if writes { vec![expected] } else { Vec::new() });
        }
        assert_eq!(uses(&device), []);
    }
}
