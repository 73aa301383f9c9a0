//! Counters of block devices in sysfs, and their changes during a run.

use crate::SysRoot;
use crate::layers::{Device, DeviceNumber};
use stats::DiskOutcome;

/// Counters of a block device since boot (`stat` in sysfs). Sectors are always 512 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Completed I/Os: read, write.
    pub ios: [u64; 2],
    /// Merged I/Os: read, write.
    pub merges: [u64; 2],
    /// Sectors of 512 bytes transferred: read, write.
    pub sectors: [u64; 2],
    /// Sum of the latencies of all I/Os in milliseconds: read, write.
    pub ticks_ms: [u64; 2],
    /// Time in milliseconds during which any I/O was in flight.
    pub busy_ms: u64,
    /// Integral of the number of I/Os in flight over time, in milliseconds.
    pub in_queue_ms: u64,
}

impl Counters {
    /// Returns the current counters; `None` if the device does not exist.
    pub fn read(root: &SysRoot, device: DeviceNumber) -> Option<Counters> {
        Self::parse(&root.read(device.sysfs().join("stat")).ok()?)
    }

    fn parse(text: &str) -> Option<Counters> {
        let n: Vec<u64> = text.split_whitespace().map_while(|w| w.parse().ok()).collect();
        let [r_ios, r_merges, r_sectors, r_ms, w_ios, w_merges, w_sectors, w_ms, _, busy_ms, in_queue_ms] =
            *n.get(..11)?
        else {
            return None;
        };
        Some(Counters {
            ios: [r_ios, w_ios],
            merges: [r_merges, w_merges],
            sectors: [r_sectors, w_sectors],
            ticks_ms: [r_ms, w_ms],
            busy_ms,
            in_queue_ms,
        })
    }

    /// Returns the changes since `before`, which was read `elapsed_ms` milliseconds earlier.
    pub fn since(&self, before: &Counters, name: &str, elapsed_ms: f64) -> DiskOutcome {
        let pair = |now: [u64; 2], then: [u64; 2]| [grown(now[0], then[0]), grown(now[1], then[1])];
        let busy = grown(self.busy_ms, before.busy_ms) as f64;
        DiskOutcome {
            name: name.to_owned(),
            ios: pair(self.ios, before.ios),
            sectors: pair(self.sectors, before.sectors),
            merges: pair(self.merges, before.merges),
            ticks_ms: pair(self.ticks_ms, before.ticks_ms),
            in_queue_ms: grown(self.in_queue_ms, before.in_queue_ms),
            util_percent: if elapsed_ms > 0.0 { (100.0 * busy / elapsed_ms).min(100.0) } else { 0.0 },
            beneath: Vec::new(),
        }
    }
}

/// Returns the growth of a counter of milliseconds, which the kernel prints as 32 bits; these wrap after 50 days of
/// I/O.
fn grown(now: u64, then: u64) -> u64 {
    match now.checked_sub(then) {
        Some(d) => d,
        None if then <= u64::from(u32::MAX) => now + (1 << 32) - then,
        None => 0,
    }
}

/// Device in fio's disk statistics: the whole disk of a target, with the members of a stacked disk.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub device: Device,
    pub before: Counters,
    pub members: Vec<Watched>,
}

impl Watched {
    /// Returns the device without its members; `None` if the device does not exist.
    pub(crate) fn alone(root: &SysRoot, device: Device) -> Option<Watched> {
        let before = Counters::read(root, device.number)?;
        Some(Watched { device, before, members: Vec::new() })
    }

    /// Returns the device with its members, recursively. A device that is a member of two others is listed with the
    /// first, as in fio.
    pub(crate) fn stacked(root: &SysRoot, device: Device) -> Option<Watched> {
        Self::below(root, device.clone(), &mut vec![device.number])
    }

    fn below(root: &SysRoot, device: Device, found: &mut Vec<DeviceNumber>) -> Option<Watched> {
        let mut members = Vec::new();
        // fio lists whole disks: a member that is a partition is replaced by its disk.
        for member in device.members(root).iter().filter_map(|m| m.whole(root)) {
            if !found.contains(&member.number) && found.len() < 256 {
                found.push(member.number);
                members.extend(Self::below(root, member, found));
            }
        }
        Some(Watched { members, ..Watched::alone(root, device)? })
    }

    /// Reads the counters from which later changes are counted.
    pub(crate) fn begin(&mut self, root: &SysRoot) {
        if let Some(now) = Counters::read(root, self.device.number) {
            self.before = now;
        }
        self.members.iter_mut().for_each(|m| m.begin(root));
    }

    pub(crate) fn after(&self, root: &SysRoot, elapsed_ms: f64) -> Option<DiskOutcome> {
        let now = Counters::read(root, self.device.number)?;
        let mut outcome = now.since(&self.before, &self.device.name, elapsed_ms);
        outcome.beneath = self.members.iter().filter_map(|m| m.after(root, elapsed_ms)).collect();
        Some(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_differences_also_across_a_32_bit_wrap() {
        let before = Counters::parse("10 1 80 5 20 2 160 7 0 4294967290 4294967000 0 0 0 0 0 0").unwrap();
        let after = Counters::parse("  25740 3 205984 783 662 2 5360 448 0 737 204\n").unwrap();
        let d = after.since(&before, "sda", 1000.0);
        assert_eq!(d.ios, [25730, 642]);
        assert_eq!(d.merges, [2, 0]);
        assert_eq!(d.sectors, [205904, 5200]);
        assert_eq!(d.ticks_ms, [778, 441]);
        assert_eq!(d.in_queue_ms, 500);
        assert!((d.util_percent - 74.3).abs() < 1e-9, "{}", d.util_percent);
        assert_eq!(after.since(&before, "sda", 100.0).util_percent, 100.0);
        assert_eq!(Counters::parse("1 2 3"), None);
    }

    #[test]
    fn stacked_disk_lists_everything_beneath_it() {
        let sandbox = testbed::Sandbox::new().unwrap();
        let device = |path: &str, number: &str, ios: u64| {
            let dir = sandbox.join("sys/devices").join(path);
            std::fs::create_dir_all(dir.join("slaves")).unwrap();
            std::fs::write(dir.join("dev"), number).unwrap();
            std::fs::write(dir.join("stat"), format!("{ios} 0 0 0 0 0 0 0 0 0 0")).unwrap();
            std::fs::create_dir_all(sandbox.join("sys/dev/block")).unwrap();
            std::os::unix::fs::symlink(&dir, sandbox.join("sys/dev/block").join(number)).unwrap();
            dir
        };
        device("sda", "8:0", 1);
        let part = device("sda/sda1", "8:1", 1);
        std::fs::write(part.join("partition"), "1").unwrap();
        let disk = device("sdb", "8:16", 2);
        let md = device("md0", "9:0", 3);
        for (name, dir) in [("sda1", &part), ("sdb", &disk)] {
            std::os::unix::fs::symlink(dir, md.join("slaves").join(name)).unwrap();
        }
        let root = SysRoot::at(sandbox.path());
        let dm = device("dm-0", "252:0", 4);
        for (name, dir) in [("md0", &md), ("sdb", &disk)] {
            std::os::unix::fs::symlink(dir, dm.join("slaves").join(name)).unwrap();
        }
        let dm0 = Device::of(&root, DeviceNumber { major: 252, minor: 0 }).unwrap();
        let watched = Watched::stacked(&root, dm0).unwrap();
        std::fs::write(disk.join("stat"), "12 0 80 0 0 0 0 0 0 500 0").unwrap();
        let outcome = watched.after(&root, 1000.0).unwrap();
        let seen = |d: &DiskOutcome| -> Vec<_> {
            d.beneath.iter().map(|d| (d.name.clone(), d.ios[0], d.util_percent)).collect()
        };
        assert_eq!((outcome.name.as_str(), outcome.ios[0]), ("dm-0", 0));
        // sdb is part of both and is listed with the first, as fio does.
        assert_eq!(seen(&outcome), [("md0".to_owned(), 0, 0.0)]);
        assert_eq!(seen(&outcome.beneath[0]), [("sda".to_owned(), 0, 0.0), ("sdb".to_owned(), 10, 50.0)]);
    }
}
