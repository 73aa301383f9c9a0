//! Limits of this process's control groups, versions 1 and 2.

use crate::SysRoot;
use crate::layers::{DeviceNumber, mounts};
use std::path::{Path, PathBuf};

/// I/O limits of a device; `None` = no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IoLimit {
    /// Major and minor number of the device.
    pub device: DeviceNumber,
    /// Largest bandwidth in bytes per second: read, write.
    pub bytes_per_second: [Option<u64>; 2],
    /// Largest IOPS: read, write.
    pub iops: [Option<u64>; 2],
}

/// Tightest limits among the process's control groups and their ancestors; `None` = no limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CgroupLimits {
    /// CPU time per unit of wall time: 1.5 is the time of one and a half CPUs.
    pub cpus: Option<f64>,
    /// Bytes of memory left below the limit; page cache that can be reclaimed counts as left.
    pub memory_left_bytes: Option<u64>,
    /// Number of threads that may still be created.
    pub threads_left: Option<u64>,
    /// I/O limits of the devices that have any.
    pub io: Vec<IoLimit>,
}

impl CgroupLimits {
    fn cap(&mut self, device: DeviceNumber) -> &mut IoLimit {
        let at = self.io.iter().position(|l| l.device == device).unwrap_or_else(|| {
            self.io.push(IoLimit { device, bytes_per_second: [None; 2], iops: [None; 2] });
            self.io.len() - 1
        });
        &mut self.io[at]
    }
}

fn tighten<N: PartialOrd>(limit: &mut Option<N>, to: N) {
    if limit.as_ref().is_none_or(|now| to < *now) {
        *limit = Some(to);
    }
}

/// Returns the limits of this process's control groups.
pub fn limits(root: &SysRoot) -> CgroupLimits {
    limits_of(root, "self")
}

/// Returns the limits of the control groups of the process with this name in `/proc`: its number, or `self`.
pub fn limits_of(root: &SysRoot, process: &str) -> CgroupLimits {
    let mut found = CgroupLimits::default();
    each_group(root, process, |group| {
        match group.controllers {
            None => version_2(root, group.dir, &mut found),
            Some(_) => version_1(root, group, &mut found),
        }
        if group.has("pids")
            && let Some(most) = root.number::<u64>(group.dir.join("pids.max"))
        {
            let now = root.number(group.dir.join("pids.current")).unwrap_or(0);
            tighten(&mut found.threads_left, most.saturating_sub(now));
        }
    });
    found
}

/// Returns the number of times that the CPU quota throttled this process's control groups, and the total time in
/// microseconds, since the groups were created; values of the group that was throttled longest.
pub fn throttled(root: &SysRoot) -> (u64, u64) {
    let mut most = (0, 0);
    each_group(root, "self", |group| {
        if !group.has("cpu") {
            return;
        }
        let stat = root.read(group.dir.join("cpu.stat")).unwrap_or_default();
        let of = |key: &str| stat.lines().find_map(|l| l.strip_prefix(key)?.trim().parse::<u64>().ok());
        let time = match group.controllers {
            None => of("throttled_usec "),
            Some(_) => of("throttled_time ").map(|ns| ns / 1000),
        };
        if let Some((times, us)) = of("nr_throttled ").zip(time).filter(|(_, us)| *us > most.1) {
            most = (times, us);
        }
    });
    most
}

/// One of this process's groups, or an ancestor.
struct Group<'a> {
    /// Controllers of the hierarchy, separated by commas; `None` in version 2, where one hierarchy has them all.
    controllers: Option<&'a str>,
    dir: &'a Path,
    /// Whether it is an ancestor below the root of the hierarchy.
    between: bool,
}

impl Group<'_> {
    /// Returns whether the hierarchy has a controller. The files of the others do not exist, and looking for them takes as
    /// long as reading those that do.
    fn has(&self, controller: &str) -> bool {
        self.controllers.is_none_or(|all| all.split(',').any(|c| c == controller))
    }
}

fn each_group(root: &SysRoot, process: &str, mut visit: impl FnMut(&Group)) {
    let own = root.read(format!("/proc/{process}/cgroup")).unwrap_or_default();
    let mounts = mounts(root);
    for line in own.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(group)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let second = controllers.is_empty();
        let kind = if second { "cgroup2" } else { "cgroup" };
        let wanted = |o: &str| second || controllers.split(',').any(|c| c == o);
        let mount = mounts.iter().find(|m| m.kind == kind && m.options.split(',').any(wanted));
        let Some(mount) = mount else { continue };
        // A container sees its group's path in full but only the part of the tree below it.
        let below = Path::new(group).strip_prefix(&mount.within).unwrap_or(Path::new(""));
        let own = mount.at.join(below);
        let mut dir = own.clone();
        loop {
            let controllers = (!second).then_some(controllers);
            visit(&Group { controllers, dir: &dir, between: dir != own && dir != mount.at });
            if dir == mount.at || !dir.pop() {
                break;
            }
        }
    }
}

fn version_2(root: &SysRoot, dir: &Path, found: &mut CgroupLimits) {
    if let Ok(text) = root.read(dir.join("cpu.max"))
        && let Some((quota, period)) = text.split_once(' ')
        && let (Ok(quota), Ok(period)) = (quota.parse::<f64>(), period.parse::<f64>())
    {
        tighten(&mut found.cpus, quota / period);
    }
    memory(root, dir, ["memory.max", "memory.current", "memory.stat"], "inactive_file", found);
    for line in root.read(dir.join("io.max")).unwrap_or_default().lines() {
        let mut words = line.split_whitespace();
        let Some(device) = words.next().and_then(DeviceNumber::parse) else { continue };
        let cap = found.cap(device);
        for (key, value) in words.filter_map(|w| w.split_once('=')) {
            let Ok(value) = value.parse() else { continue };
            match key {
                "rbps" => tighten(&mut cap.bytes_per_second[0], value),
                "wbps" => tighten(&mut cap.bytes_per_second[1], value),
                "riops" => tighten(&mut cap.iops[0], value),
                "wiops" => tighten(&mut cap.iops[1], value),
                _ => {}
            }
        }
    }
}

fn version_1(root: &SysRoot, group: &Group, found: &mut CgroupLimits) {
    let dir = group.dir;
    if group.has("cpu") {
        let quota: Option<f64> = root.number(dir.join("cpu.cfs_quota_us")).filter(|q| *q > 0.0);
        if let Some((quota, period)) = quota.zip(root.number::<f64>(dir.join("cpu.cfs_period_us"))) {
            tighten(&mut found.cpus, quota / period);
        }
    }
    if group.has("memory") {
        let files = ["memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat"];
        memory(root, dir, files, "total_inactive_file", found);
    }
    // Limits of I/O are those of the own group only; those of the root hold for kernel threads, as of a loop device.
    if !group.has("blkio") || group.between {
        return;
    }
    for (direction, word) in ["read", "write"].into_iter().enumerate() {
        for (unit, is_bytes) in [("bps", true), ("iops", false)] {
            let file: PathBuf = dir.join(format!("blkio.throttle.{word}_{unit}_device"));
            for line in root.read(file).unwrap_or_default().lines() {
                let Some((device, value)) = line.split_once(' ') else { continue };
                let (Some(device), Ok(value)) = (DeviceNumber::parse(device), value.trim().parse()) else {
                    continue;
                };
                let cap = found.cap(device);
                tighten(
                    if is_bytes { &mut cap.bytes_per_second[direction] } else { &mut cap.iops[direction] },
                    value,
                );
            }
        }
    }
}

/// Tightens the memory limit by a group's files. Inactive page cache counts as free, because it is reclaimed before an
/// allocation fails.
fn memory(root: &SysRoot, dir: &Path, [most, used, stat]: [&str; 3], cache: &str, found: &mut CgroupLimits) {
    let Some(most) = root.number::<u64>(dir.join(most)) else { return };
    let used = root.number::<u64>(dir.join(used)).unwrap_or(0);
    let stat = root.read(dir.join(stat)).unwrap_or_default();
    let cache = stat.lines().find_map(|l| l.strip_prefix(cache)?.trim().parse::<u64>().ok()).unwrap_or(0);
    tighten(&mut found.memory_left_bytes, most.saturating_sub(used.saturating_sub(cache)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> (testbed::Sandbox, SysRoot) {
        let sandbox = testbed::Sandbox::new().unwrap();
        for (name, text) in files {
            sandbox.put(name, text).unwrap();
        }
        let root = SysRoot::at(sandbox.path());
        (sandbox, root)
    }

    #[test]
    fn version_2_takes_the_tightest_of_the_group_and_those_above() {
        let (_sandbox, root) = tree(&[
            ("proc/self/cgroup", "0::/a/b\n"),
            ("proc/self/mountinfo", "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"),
            ("sys/fs/cgroup/a/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/a/b/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/a/pids.max", "100\n"),
            ("sys/fs/cgroup/a/pids.current", "30\n"),
            ("sys/fs/cgroup/a/b/pids.max", "max\n"),
            ("sys/fs/cgroup/a/memory.max", "1000000\n"),
            ("sys/fs/cgroup/a/memory.current", "700000\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 200000\n"),
            ("sys/fs/cgroup/a/io.max", "8:16 rbps=1000 wbps=max riops=50 wiops=max\n"),
            ("sys/fs/cgroup/a/b/io.max", "8:16 rbps=2000 wbps=300 riops=max wiops=max\n"),
        ]);
        let found = limits(&root);
        assert_eq!(found.cpus, Some(1.5));
        assert_eq!(found.memory_left_bytes, Some(500_000));
        assert_eq!(found.threads_left, Some(70));
        let device = DeviceNumber { major: 8, minor: 16 };
        let io = IoLimit { device, bytes_per_second: [Some(1000), Some(300)], iops: [Some(50), None] };
        assert_eq!(found.io, [io]);
    }

    #[test]
    fn version_1_is_found_under_each_mount_also_in_a_container() {
        let mount =
            |at: &str, within: &str, c: &str| format!("30 1 0:26 {within} {at} rw - cgroup cgroup rw,{c}\n");
        let mounts = mount("/cg/cpu", "/", "cpu,cpuacct") + &mount("/cg/blkio", "/docker/x", "blkio");
        let (_sandbox, root) = tree(&[
            ("proc/self/cgroup", "3:cpu,cpuacct:/t\n2:blkio:/docker/x\n"),
            ("proc/self/mountinfo", &mounts),
            ("cg/cpu/t/cpu.cfs_quota_us", "50000\n"),
            ("cg/cpu/t/cpu.cfs_period_us", "100000\n"),
            ("cg/cpu/cpu.cfs_quota_us", "-1\n"),
            ("cg/blkio/blkio.throttle.read_iops_device", "7:1 1000\n"),
            ("cg/blkio/blkio.throttle.write_bps_device", "7:1 20971520\n"),
        ]);
        let found = limits(&root);
        assert_eq!(found.cpus, Some(0.5));
        let device = DeviceNumber { major: 7, minor: 1 };
        let io = IoLimit { device, bytes_per_second: [None, Some(20_971_520)], iops: [Some(1000), None] };
        assert_eq!(found.io, [io]);
    }

    /// The kernel's version 1 does not apply a limit of I/O to the groups below.
    #[test]
    fn version_1_limits_of_a_parent_are_not_inherited() {
        let (_sandbox, root) = tree(&[
            ("proc/self/cgroup", "2:blkio:/parent/child\n"),
            ("proc/self/mountinfo", "30 1 0:26 / /cg rw - cgroup cgroup rw,blkio\n"),
            ("cg/parent/blkio.throttle.read_iops_device", "7:1 2000\n"),
            ("cg/parent/child/blkio.throttle.read_iops_device", "7:1 8000\n"),
        ]);
        assert_eq!(limits(&root).io[0].iops, [Some(8000), None]);
    }
}
