//! Rules about the kind of a disk, and about caches and queue settings between a request and the medium.

use super::target_kind::kind_of;
use super::{Disk, Examined, Lines};
use facts::attach::Attachment;
use facts::cloud;
use facts::layers::{Device, DeviceKind, DeviceNumber, Layer};
use facts::queue::Queue;
use facts::zeros::{self, Zeros};
use stats::doctor::{Behaviour, CloudDisk, Fact, FileSystemKind, Medium, Severity, Topic};
use std::time::Duration;

/// Median latency of random reads below which the medium has no moving heads and no network in between.
const QUICK: Duration = Duration::from_millis(1);
/// Median latency of random reads from which the medium is slower than flash.
const SLOW: Duration = Duration::from_millis(3);
/// Smallest number of sampled reads from which a median is used.
const ENOUGH: u32 = 8;
/// Largest number of disks that are sampled: the sample of a disk takes a tenth of a second.
const MOST_SAMPLED: usize = 16;
/// Largest read-ahead, bytes, with which a buffered sequential read still resembles a direct one.
const FAR_AHEAD: u64 = 1 << 20;

pub(super) fn lines(examined: &Examined, lines: &mut Lines) {
    for device in loops_over_memory(examined) {
        let fact = Fact::Kind {
            device: device.name.clone(),
            medium: Medium::Memory,
            says_rotational: None,
            behaviour: Behaviour::Unseen,
            read_ns: None,
        };
        lines.add(Topic::Device, Severity::Matters, fact);
    }
    for disk in &examined.disks {
        of_disk(examined, disk, lines);
    }
    // Only the read-ahead of the device that is read matters, not that of devices below it.
    if let Some(device) = examined.first()
        && let Some(kib) = Queue::of(examined.root, device).read_ahead_kib
    {
        let bytes = u64::from(kib) * 1024;
        let severity = if bytes == 0 || bytes > FAR_AHEAD { Severity::Note } else { Severity::Fine };
        lines.add(Topic::Device, severity, Fact::ReadAhead { device: device.name.clone(), bytes });
    }
}

/// Returns the loop devices whose file is on a file system in memory.
fn loops_over_memory<'a>(examined: &'a Examined) -> impl Iterator<Item = &'a Device> {
    examined.stack.layers.windows(2).filter_map(|pair| match pair {
        [Layer::Device(device), Layer::FileSystem(mount)] => (matches!(device.kind, DeviceKind::Loop { .. })
            && kind_of(&mount.kind) == FileSystemKind::Memory)
            .then_some(device),
        _ => None,
    })
}

fn of_disk(examined: &Examined, disk: &Disk, lines: &mut Lines) {
    let device = || disk.device.name.clone();
    let mut add = |severity, fact| lines.add(Topic::Device, severity, fact);
    let says_rotational = disk.queue.rotational;
    let medium = match &disk.identity.attachment {
        Attachment::Nvme | Attachment::Mmc => Medium::Flash,
        Attachment::Sata | Attachment::Sas(_) if says_rotational == Some(true) => Medium::Platters,
        Attachment::Sata | Attachment::Sas(_) => Medium::Flash,
        Attachment::Memory(_) => Medium::Memory,
        _ => Medium::Hidden,
    };
    let (behaviour, read_ns) = behaviour(examined, disk);
    let contradicted = matches!(
        (medium, behaviour),
        (Medium::Platters, Behaviour::Quick) | (Medium::Flash, Behaviour::Slow)
    );
    let severity = match medium {
        // Persistent memory is storage.
        Medium::Memory if disk.identity.attachment.volatile_memory().is_none() => Severity::Note,
        // The figures are right, but those of memory.
        Medium::Memory => Severity::Matters,
        Medium::Platters => Severity::Note,
        _ if contradicted => Severity::Note,
        // The rotational flag is 1 unless a driver clears it.
        Medium::Hidden if says_rotational == Some(true) => Severity::Note,
        _ => Severity::Fine,
    };
    add(severity, Fact::Kind { device: device(), medium, says_rotational, behaviour, read_ns });
    if let Some((provider, place)) = cloud::disk(examined.root, &disk.device, &disk.identity) {
        let kind = match place {
            cloud::Place::Network => CloudDisk::Network,
            cloud::Place::Local => CloudDisk::Local,
            cloud::Place::Unknown => CloudDisk::Unknown,
        };
        add(Severity::Note, Fact::Cloud { device: device(), provider: provider.name().into(), disk: kind });
    }
    if let Attachment::Controller(driver) = &disk.identity.attachment {
        add(Severity::Matters, Fact::ControllerVolume { device: device(), driver: driver.clone() });
    }
    if let Some(scheduler) = &disk.queue.scheduler {
        let quick = medium != Medium::Platters && behaviour != Behaviour::Slow;
        let severity = match scheduler.as_str() {
            "bfq" | "kyber" | "cfq" if quick => Severity::Matters,
            "mq-deadline" | "deadline"
                if medium == Medium::Flash && disk.identity.attachment == Attachment::Nvme =>
            {
                Severity::Note
            }
            _ => Severity::Fine,
        };
        add(severity, Fact::Scheduler { device: device(), name: scheduler.clone(), quick });
    }
    if let Some(cache) = &disk.queue.write_cache {
        let back = cache == "write back";
        let severity = if back || medium == Medium::Platters { Severity::Note } else { Severity::Fine };
        add(severity, Fact::WriteCache { device: device(), back, hidden: disk.hidden() });
    }
    match disk.queue.zoned.as_deref() {
        Some("host-managed") => add(Severity::Spoils, Fact::Zoned { device: device(), host_managed: true }),
        Some("host-aware") => add(Severity::Note, Fact::Zoned { device: device(), host_managed: false }),
        _ => {}
    }
}

/// Returns the class of the disk by the speed of random reads, and the median latency of these reads in nanoseconds.
/// The disk itself is sampled where it may be read; otherwise the sample of the target is used, if this disk is the
/// only one under it and no loop device's file is in the page cache.
fn behaviour(examined: &Examined, disk: &Disk) -> (Behaviour, Option<u64>) {
    let through = examined.stack.devices().any(|d| matches!(d.kind, DeviceKind::Loop { .. }));
    let own = sampled(examined, &disk.device);
    let sample = own.or(examined.sample.filter(|_| examined.disks.len() == 1 && !through));
    let Some(median) = sample.filter(|s| s.asked >= ENOUGH).and_then(|s| s.median) else {
        return (Behaviour::Unseen, None);
    };
    (judged(median), Some(median.as_nanos() as u64))
}

fn judged(median: Duration) -> Behaviour {
    match median {
        m if m < QUICK => Behaviour::Quick,
        m if m < SLOW => Behaviour::Between,
        _ => Behaviour::Slow,
    }
}

/// Returns a sample of the disk's blocks; `None` if the target is stored on more than [`MOST_SAMPLED`] disks.
fn sampled(examined: &Examined, device: &Device) -> Option<Zeros> {
    use std::os::unix::fs::MetadataExt;
    if examined.disks.len() > MOST_SAMPLED {
        return None;
    }
    // sysfs replaces a slash in a device name by an exclamation mark.
    let path = examined.root.path(format!("/dev/{}", device.name.replace('!', "/")));
    let rdev = std::fs::metadata(&path).ok()?.rdev();
    // A tree of fixtures has regular files instead of devices.
    (rdev == 0 || DeviceNumber::from_raw(rdev) == device.number).then_some(())?;
    zeros::sample(&path, device.size(examined.root)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_judged_by_how_long_its_reads_take() {
        let of = |micros| judged(Duration::from_micros(micros));
        assert_eq!([90, 999].map(of), [Behaviour::Quick; 2]);
        assert_eq!([1000, 2999].map(of), [Behaviour::Between; 2]);
        assert_eq!([3000, 8300].map(of), [Behaviour::Slow; 2]);
    }
}
