//! Counts of one run at each layer: the application, the kernel's account of the process, and the devices under the
//! target.

use crate::remote::{RemoteLayer, RemoteTraffic, TcpSegments};
use crate::server_fact::ServerConnections;
use serde::{Deserialize, Serialize};

/// I/O of a block device during the run (fio's disk statistics), from the kernel's counters of the device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskOutcome {
    /// Kernel name of the device.
    pub name: String,
    /// Number of I/Os completed, [read, write].
    pub ios: [u64; 2],
    /// Sectors of 512 bytes transferred, [read, write].
    pub sectors: [u64; 2],
    /// Number of I/Os merged with a queued request, [read, write].
    pub merges: [u64; 2],
    /// Sum of request times, milliseconds, [read, write].
    pub ticks_ms: [u64; 2],
    /// Time in the queue, weighted by the number of requests in flight, milliseconds.
    pub in_queue_ms: u64,
    /// Utilization: busy time in percent of the elapsed time, at most 100.
    pub util_percent: f64,
    /// Devices below a stacked device; empty for other devices.
    pub beneath: Vec<DiskOutcome>,
}

impl DiskOutcome {
    /// Returns the mean over the devices below (fio's `aggr` figures; `util` is that of the busiest); `None` without
    /// devices below.
    pub fn mean_beneath(&self) -> Option<DiskOutcome> {
        let n = self.beneath.len() as u64;
        let mean = |figure: &dyn Fn(&DiskOutcome) -> u64| self.beneath.iter().map(figure).sum::<u64>() / n;
        let pair =
            |figure: &dyn Fn(&DiskOutcome) -> [u64; 2]| [mean(&|d| figure(d)[0]), mean(&|d| figure(d)[1])];
        (n > 0).then(|| DiskOutcome {
            name: self.name.clone(),
            ios: pair(&|d| d.ios),
            sectors: pair(&|d| d.sectors),
            merges: pair(&|d| d.merges),
            ticks_ms: pair(&|d| d.ticks_ms),
            in_queue_ms: mean(&|d| d.in_queue_ms),
            util_percent: self.beneath.iter().map(|d| d.util_percent).fold(0.0, f64::max),
            beneath: Vec::new(),
        })
    }
}

/// Storage stack under a target, and the state of the target before and after the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetLayers {
    /// Path of the target as opened.
    pub path: String,
    /// Layers, top down: `ext4`, `vda1 (partition)`, `dm-0 (lvm)`, `vda (disk, ssd)`.
    pub stack: Vec<String>,
    /// Size of the target, bytes.
    pub size: u64,
    /// Bytes of the target in the page cache before the run; `None` if not known.
    pub cached_before: Option<u64>,
    /// Bytes of the target in the page cache after the run; `None` if not known.
    pub cached_after: Option<u64>,
    /// Bytes in holes before the run (FIEMAP); `None` if not known.
    pub holes: Option<u64>,
    /// Bytes in unwritten extents before the run (FIEMAP); `None` if not known.
    pub unwritten: Option<u64>,
    /// Number of sampled blocks that contained only zeros; `None` if no blocks were sampled.
    pub zero_blocks: Option<u32>,
    /// Number of blocks sampled; `None` if no blocks were sampled.
    pub sampled_blocks: Option<u32>,
    /// Used space of the file system of the target, percent; `None` if not known.
    #[serde(default)]
    pub used_percent: Option<f64>,
    /// Whether the file system of the target compresses data.
    #[serde(default)]
    pub compresses: bool,
    /// Limits that the server sets for a target on a server.
    #[serde(default)]
    pub cap: DeviceCap,
}

impl TargetLayers {
    /// Returns the names of the layers, top down: `ext4`, `vda1`, `vda`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.stack.iter().map(|layer| layer.split([' ', '(']).next().unwrap_or(""))
    }
}

/// Kind of layer that a block device forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Partition of a disk.
    Partition,
    /// Device mapper (LVM, dm-crypt ...).
    Mapped,
    /// Linux software RAID (md).
    Raid,
    /// Loop device on a file.
    Loop,
    /// Device in compressed memory.
    Zram,
    /// Lowest device that the kernel shows.
    #[default]
    Disk,
}

/// I/O limits that a control group of this process sets for a device, or a server for its target, each [read, write];
/// `None`: no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceCap {
    /// I/Os per second, [read, write].
    pub iops: [Option<u64>; 2],
    /// Bytes per second, [read, write].
    pub bytes_per_second: [Option<u64>; 2],
}

/// Properties of a block device under a target that determine the meaning of its figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceTraits {
    /// Kernel name of the device.
    pub name: String,
    /// Kind of layer.
    pub kind: LayerKind,
    /// Size of the device, bytes.
    pub size: u64,
    /// Whether the kernel reports the device as rotational. Virtual disks are reported so whatever their medium is.
    pub rotational: bool,
    /// Whether the device is a virtual disk, whose reported properties need not be those of the real medium.
    pub guest: bool,
    /// Logical block size (smallest I/O), bytes; 0: not known.
    pub logical_block: u64,
    /// Physical block size, bytes; 0: not known.
    pub physical_block: u64,
    /// Largest request, bytes; `None` if not known.
    pub largest_request: Option<u64>,
    /// Whether the device has a volatile write cache.
    pub volatile_cache: bool,
    /// First sector (512 bytes) of a partition on its disk; `None` for other devices.
    pub start_sector: Option<u64>,
    /// Misalignment of a stacked device on its members as the kernel reports it (`alignment_offset`), bytes; 0 if
    /// aligned.
    #[serde(default)]
    pub alignment_offset: i64,
    /// Driver of a device that keeps its data in memory (zram, brd, null_blk).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_memory: Option<String>,
    /// Kernel names of the members of a stacked device.
    #[serde(default)]
    pub members: Vec<String>,
    /// I/O limits of control groups.
    pub cap: DeviceCap,
    /// Bytes stored and bytes used for them, before and after the run; `None` for a device that does not compress.
    pub compressed: Option<[(u64, u64); 2]>,
    /// Background work of a RAID array (`resync`, ...); `None` if idle.
    pub rebuilding: Option<String>,
    /// NUMA node of the device; `None` on a machine with one node.
    pub node: Option<u32>,
    /// Capacity of the link, current and maximum, bytes per second; `None` if not known.
    pub link: Option<[u64; 2]>,
    /// Counters of the drive about its temperature, before and after the run; `None` if not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heat: Option<[HeatCounters; 2]>,
}

/// Counters of an NVMe drive about its temperature, since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeatCounters {
    /// Minutes at or above the warning temperature.
    pub warning_minutes: u32,
    /// Number of times that the drive slowed down because of its temperature.
    pub slowed: u64,
    /// Seconds during which it was slowed down.
    pub slowed_s: u64,
}

/// Load on the host's CPUs during the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostLoad {
    /// Memory of the host, bytes.
    pub memory: u64,
    /// Steal time, percent of the CPU time.
    pub steal_percent: f64,
    /// Number of times that the CPU quota of a control group throttled this process.
    pub throttled: u64,
    /// Total time throttled, milliseconds.
    pub throttled_ms: u64,
    /// Time for which the whole process was stopped (SIGSTOP, frozen control group), milliseconds.
    #[serde(default)]
    pub stopped_ms: u64,
    /// Upper bound of the longest time for which one load thread waited for a CPU without a break, microseconds: the largest
    /// increase of a thread's wait between two readings, some tens of milliseconds apart; `None` if not watched.
    #[serde(default)]
    pub longest_cpu_wait_us: Option<u64>,
    /// Time in which tasks were stalled on CPU (PSI `some`), milliseconds; `None` without PSI.
    pub cpu_pressure_ms: Option<u64>,
    /// Time in which tasks were stalled on I/O (PSI `some`), milliseconds; `None` without PSI.
    pub io_pressure_ms: Option<u64>,
    /// Time from the first reading of these counters to the last, including layout and start, milliseconds; 0 in
    /// results of older versions.
    #[serde(default)]
    pub watched_ms: u64,
}

/// Kernel's account of this process's I/O (`/proc/self/io`) during the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessIo {
    /// Bytes passed to read calls.
    pub read_chars: u64,
    /// Bytes passed to write calls.
    pub write_chars: u64,
    /// Number of read calls.
    pub read_calls: u64,
    /// Number of write calls.
    pub write_calls: u64,
    /// Bytes fetched from storage.
    pub read_bytes: u64,
    /// Bytes sent to storage.
    pub write_bytes: u64,
}

impl ProcessIo {
    /// Returns the sum of both accounts.
    pub fn plus(&self, other: &ProcessIo) -> ProcessIo {
        ProcessIo {
            read_chars: self.read_chars + other.read_chars,
            write_chars: self.write_chars + other.write_chars,
            read_calls: self.read_calls + other.read_calls,
            write_calls: self.write_calls + other.write_calls,
            read_bytes: self.read_bytes + other.read_bytes,
            write_bytes: self.write_bytes + other.write_bytes,
        }
    }
}

/// Counts of one run at each layer, all over the same time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// I/Os counted by the application, [read, write, trim].
    pub app_ios: [u64; 3],
    /// Bytes counted by the application, [read, write, trim].
    pub app_bytes: [u64; 3],
    /// Kernel's account of this process; `None` if /proc/self/io is not readable.
    pub process: Option<ProcessIo>,
    /// Files and devices of the run, at most 16.
    pub targets: Vec<TargetLayers>,
    /// Block devices under all targets, top down.
    pub devices: Vec<DiskOutcome>,
    /// Properties of the `devices`.
    #[serde(default)]
    pub traits: Vec<DeviceTraits>,
    /// Layers whose data are on another machine, with the requests to their servers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remote: Vec<RemoteLayer>,
    /// TCP segments of the whole machine; `None` without a layer on another machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp: Option<TcpSegments>,
    /// TCP connections of this process to the servers of its targets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connections: Vec<ServerConnections>,
    /// Load on the host's CPUs.
    #[serde(default)]
    pub host: HostLoad,
    /// Mean number of I/Os in flight, summed over the jobs.
    pub depth_reached: f64,
    /// Queue depth that the engine can hold, summed over the jobs.
    pub depth_asked: f64,
    /// CPU time of the busiest load thread, percent of its wall time.
    pub busiest_thread_percent: f64,
    /// Measured time, milliseconds.
    pub wall_ms: u64,
}

/// Bytes transferred in one direction, as counted by each layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerBytes {
    /// Bytes counted by the application.
    pub app: u64,
    /// Bytes counted by the kernel for the process (`read_bytes`, `write_bytes` of `/proc/self/io`); `None` if not
    /// readable.
    pub process: Option<u64>,
    /// Bytes counted by the uppermost block devices under the targets; `None` without devices.
    pub devices: Option<u64>,
}

impl LayerBytes {
    /// Returns whether `other` is within 1 % or 1 MiB of the bytes counted by the application.
    pub fn agrees(&self, other: u64) -> bool {
        self.app.abs_diff(other) <= (self.app / 100).max(1 << 20)
    }
}

impl Layers {
    /// Returns the uppermost device of each target, without repetition; the first of `devices` if no stack names a
    /// device.
    pub fn top_devices(&self) -> Vec<&DiskOutcome> {
        let mut top: Vec<&DiskOutcome> = Vec::new();
        for target in &self.targets {
            let found = target.names().find_map(|name| self.device(name));
            if let Some(device) = found.filter(|d| !top.iter().any(|t| t.name == d.name)) {
                top.push(device);
            }
        }
        if top.is_empty() { self.devices.first().into_iter().collect() } else { top }
    }

    /// Returns the device with this kernel name.
    pub fn device(&self, name: &str) -> Option<&DiskOutcome> {
        self.devices.iter().find(|d| d.name == name)
    }

    /// Returns the network file system that all targets are on, with the requests that its client counted; `None` if they are
    /// on several, or on another one.
    pub fn server_file_system(&self) -> Option<(&RemoteLayer, &RemoteTraffic)> {
        const COUNTED: [&str; 3] = ["nfs", "nfs4", "ceph"];
        let tops = || self.targets.iter().map(|target| target.names().next().unwrap_or_default());
        let mut counted = self.remote.iter().filter_map(|layer| Some((layer, layer.traffic.as_ref()?)));
        let found =
            counted.next().filter(|_| tops().next().is_some() && tops().all(|top| COUNTED.contains(&top)));
        found.filter(|_| counted.next().is_none())
    }

    /// Returns the properties of the device with this kernel name.
    pub fn traits_of(&self, name: &str) -> Option<&DeviceTraits> {
        self.traits.iter().find(|t| t.name == name)
    }

    /// Returns the bytes read (`write` false) or written, as counted by each layer.
    pub fn bytes(&self, write: bool) -> LayerBytes {
        let at = usize::from(write);
        let top = self.top_devices();
        LayerBytes {
            app: self.app_bytes[at],
            process: self.process.map(|p| if write { p.write_bytes } else { p.read_bytes }),
            devices: (!top.is_empty()).then(|| top.iter().map(|d| d.sectors[at] * 512).sum()),
        }
    }

    /// Returns the bytes that the uppermost devices wrote in addition to the application's bytes, if a file system is
    /// between: journal, metadata, or writes of other processes. `None` without additional writes, without file
    /// system, or if the application wrote nothing.
    pub fn file_system_writes(&self) -> Option<u64> {
        let write = self.bytes(true);
        let between =
            self.targets.iter().any(|t| t.names().next().is_some_and(|top| self.device(top).is_none()));
        let more = write.devices?.checked_sub(write.app)?;
        (between && write.app > 0 && more > 0).then_some(more)
    }

    /// Returns the bytes [read, written] by the members of a RAID array in addition to those of the array itself:
    /// copies, parity and its reads, a resync, other load. `None` if the device is no array or without additional
    /// bytes.
    pub fn members_beyond(&self, name: &str) -> Option<[u64; 2]> {
        let (array, own) = (self.traits_of(name)?, self.device(name)?);
        let members: Vec<_> = array.members.iter().filter_map(|m| self.device(m)).collect();
        let beyond = |at: usize| {
            let all = members.iter().fold(0u64, |sum, m| sum.saturating_add(m.sectors[at]));
            all.saturating_sub(own.sectors[at]).saturating_mul(512)
        };
        let more = [beyond(0), beyond(1)];
        (array.kind == LayerKind::Raid && more != [0, 0]).then_some(more)
    }

    /// Adds the layers of a later run on the same targets. Counts are summed, depths are weighted by time, the load
    /// of the busiest thread is the larger; the state before is that of the first run, the state after that of the
    /// later run.
    pub fn add(&mut self, later: &Layers) {
        let share = |mine: f64, theirs: f64, wall: u64| {
            let total = (wall + later.wall_ms) as f64;
            if total == 0.0 {
                mine.max(theirs)
            } else {
                (mine * wall as f64 + theirs * later.wall_ms as f64) / total
            }
        };
        self.depth_reached = share(self.depth_reached, later.depth_reached, self.wall_ms);
        self.depth_asked = share(self.depth_asked, later.depth_asked, self.wall_ms);
        self.busiest_thread_percent = self.busiest_thread_percent.max(later.busiest_thread_percent);
        self.wall_ms += later.wall_ms;
        self.app_ios.iter_mut().zip(later.app_ios).for_each(|(a, b)| *a += b);
        self.app_bytes.iter_mut().zip(later.app_bytes).for_each(|(a, b)| *a += b);
        self.process = match (self.process, later.process) {
            (Some(a), Some(b)) => Some(a.plus(&b)),
            (a, b) => a.or(b),
        };
        for theirs in &later.targets {
            match self.targets.iter_mut().find(|t| t.path == theirs.path) {
                Some(mine) => mine.cached_after = theirs.cached_after,
                None => self.targets.push(theirs.clone()),
            }
        }
        add_devices(&mut self.devices, &later.devices);
        for theirs in &later.traits {
            match self.traits.iter_mut().find(|t| t.name == theirs.name) {
                Some(mine) => {
                    if let (Some(mine), Some(theirs)) = (&mut mine.compressed, theirs.compressed) {
                        mine[1] = theirs[1];
                    }
                    mine.rebuilding = mine.rebuilding.take().or_else(|| theirs.rebuilding.clone());
                }
                None => self.traits.push(theirs.clone()),
            }
        }
        for theirs in &later.remote {
            match self.remote.iter_mut().find(|layer| layer.name == theirs.name) {
                Some(mine) => match (&mut mine.traffic, &theirs.traffic) {
                    (Some(mine), Some(theirs)) => mine.add(theirs),
                    (mine, theirs) => *mine = mine.take().or_else(|| theirs.clone()),
                },
                None => self.remote.push(theirs.clone()),
            }
        }
        for theirs in &later.connections {
            match self.connections.iter_mut().find(|one| one.server == theirs.server) {
                Some(mine) => mine.add(theirs),
                None => self.connections.push(theirs.clone()),
            }
        }
        if let Some(theirs) = later.tcp {
            let mine = self.tcp.get_or_insert_default();
            mine.sent += theirs.sent;
            mine.retransmitted += theirs.retransmitted;
        }
        let sum = |a: Option<u64>, b: Option<u64>| Some(a.unwrap_or(0) + b?).or(a);
        let host = &mut self.host;
        host.memory = later.host.memory;
        host.steal_percent = host.steal_percent.max(later.host.steal_percent);
        host.throttled += later.host.throttled;
        host.throttled_ms += later.host.throttled_ms;
        host.stopped_ms += later.host.stopped_ms;
        host.longest_cpu_wait_us = host.longest_cpu_wait_us.max(later.host.longest_cpu_wait_us);
        host.cpu_pressure_ms = sum(host.cpu_pressure_ms, later.host.cpu_pressure_ms);
        host.io_pressure_ms = sum(host.io_pressure_ms, later.host.io_pressure_ms);
        host.watched_ms += later.host.watched_ms;
    }
}

fn add_devices(mine: &mut Vec<DiskOutcome>, later: &[DiskOutcome]) {
    for theirs in later {
        match mine.iter_mut().find(|d| d.name == theirs.name) {
            Some(d) => {
                let pairs = [
                    (&mut d.ios, theirs.ios),
                    (&mut d.sectors, theirs.sectors),
                    (&mut d.merges, theirs.merges),
                    (&mut d.ticks_ms, theirs.ticks_ms),
                ];
                for (a, b) in pairs {
                    a[0] += b[0];
                    a[1] += b[1];
                }
                d.in_queue_ms += theirs.in_queue_ms;
                d.util_percent = d.util_percent.max(theirs.util_percent);
                add_devices(&mut d.beneath, &theirs.beneath);
            }
            None => mine.push(theirs.clone()),
        }
    }
}

impl Layers {
    /// Returns the share of the bytes read that no storage delivered, percent: from the page cache, or zeros of holes and
    /// unwritten extents. `None` if not known or if no bytes were read. File systems without block device (FUSE, 9p) do not always count the bytes that they fetch.
    pub fn without_storage_percent(&self) -> Option<f64> {
        let read = self.bytes(false);
        let counted = |fetched: &u64| read.app > 0 && (*fetched > 0 || !self.devices.is_empty());
        let fetched = read.process.filter(counted).filter(|_| !self.targets.is_empty())?;
        Some(100.0 * read.app.saturating_sub(fetched) as f64 / read.app as f64)
    }

    /// Returns the bytes in holes and unwritten extents of all targets before the run; `None` if no file system
    /// reports them.
    pub fn without_data(&self) -> Option<u64> {
        let known: Vec<u64> = self
            .targets
            .iter()
            .filter_map(|t| Some(t.holes?.saturating_add(t.unwritten.unwrap_or(0))))
            .collect();
        (!known.is_empty()).then(|| known.iter().fold(0, |sum, n| n.saturating_add(sum)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk(name: &str, read: u64, written: u64) -> DiskOutcome {
        DiskOutcome { name: name.into(), sectors: [read / 512, written / 512], ..Default::default() }
    }

    /// Layers of a run that read and wrote 1 GiB of a file on a partition, with equal counts at every layer.
    fn agreed() -> Layers {
        let (read, written) = (1 << 30, 1 << 30);
        Layers {
            app_bytes: [read, written, 0],
            process: Some(ProcessIo { read_bytes: read, write_bytes: written, ..Default::default() }),
            targets: vec![TargetLayers {
                path: "/d/f".into(),
                stack: vec!["ext4".into(), "vda1 (partition)".into(), "vda (disk, ssd)".into()],
                size: 1 << 30,
                holes: Some(0),
                unwritten: Some(0),
                zero_blocks: Some(0),
                sampled_blocks: Some(64),
                ..Default::default()
            }],
            devices: vec![disk("vda", read, written), disk("vda1", read, written)],
            depth_reached: 31.8,
            depth_asked: 32.0,
            busiest_thread_percent: 34.0,
            wall_ms: 1000,
            ..Default::default()
        }
    }

    #[test]
    fn uppermost_device_counts_and_the_rest_came_from_the_page_cache() {
        let mut l = agreed();
        assert_eq!(l.top_devices().iter().map(|d| d.name.as_str()).collect::<Vec<_>>(), ["vda1"]);
        assert_eq!((l.without_storage_percent(), l.without_data()), (Some(0.0), Some(0)));
        l.process = l.process.map(|p| ProcessIo { read_bytes: 1 << 29, ..p });
        assert_eq!(l.without_storage_percent(), Some(50.0));
    }

    #[test]
    fn what_a_file_system_wrote_beside_is_named() {
        let mut l = agreed();
        assert_eq!(l.file_system_writes(), None);
        l.devices[1].sectors[1] += 2048;
        assert_eq!(l.file_system_writes(), Some(1 << 20));
        l.targets[0].stack.remove(0);
        assert_eq!(l.file_system_writes(), None, "no file system is between");
    }

    #[test]
    fn extra_io_of_array_members_is_reported_for_arrays_only() {
        let mut l = agreed();
        let members = || vec!["sda".to_owned(), "sdb".to_owned()];
        let raid = |kind| DeviceTraits { name: "md0".into(), kind, members: members(), ..Default::default() };
        l.devices =
            vec![disk("md0", 1 << 20, 1 << 20), disk("sda", 1 << 20, 1 << 20), disk("sdb", 0, 1 << 20)];
        l.traits = vec![raid(LayerKind::Raid)];
        assert_eq!(l.members_beyond("md0"), Some([0, 1 << 20]));
        l.devices[2].sectors = [4096, 0];
        assert_eq!(l.members_beyond("md0"), Some([2 << 20, 0]));
        l.traits = vec![raid(LayerKind::Mapped)];
        assert_eq!(l.members_beyond("md0"), None);
    }

    #[test]
    fn runs_on_the_same_target_add_up() {
        let (mut sum, mut later) = (agreed(), agreed());
        later.wall_ms = 3000;
        later.depth_reached = 1.0;
        later.depth_asked = 1.0;
        later.targets[0].cached_after = Some(7);
        later.devices.push(disk("vdb", 512, 0));
        sum.add(&later);
        assert_eq!(
            (sum.bytes(false), sum.wall_ms),
            (LayerBytes { app: 2 << 30, process: Some(2 << 30), devices: Some(2 << 30) }, 4000)
        );
        assert!(
            (sum.depth_reached - (31.8 + 3.0) / 4.0).abs() < 1e-9
                && (sum.depth_asked - 35.0 / 4.0).abs() < 1e-9
        );
        assert_eq!((sum.targets.len(), sum.targets[0].cached_after, sum.devices.len()), (1, Some(7), 3));
    }
}
