//! The layer line as facts: one run seen by the application, by the kernel's account of the process and by the
//! devices under the target, and where the three do not agree.

use serde::{Deserialize, Serialize};

/// What a block device did during the run (fio's disk stats), from its own counters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskOutcome {
    /// Kernel name.
    pub name: String,
    /// I/Os, read and write.
    pub ios: [u64; 2],
    /// 512-byte sectors, read and write.
    pub sectors: [u64; 2],
    /// Merges, read and write.
    pub merges: [u64; 2],
    /// Milliseconds, read and write.
    pub ticks_ms: [u64; 2],
    /// Weighted milliseconds in queue.
    pub in_queue_ms: u64,
    /// Busy percent of the elapsed time, at most 100.
    pub util_percent: f64,
    /// The devices beneath, when this one is stacked.
    pub beneath: Vec<DiskOutcome>,
}

impl DiskOutcome {
    /// The mean over the devices beneath (fio's `aggr` figures; `util` is that of the busiest); `None` if there are none.
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

/// What lies under a target and what was seen there (the layer line).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetLayers {
    /// Path as opened.
    pub path: String,
    /// From the top down in words: `ext4`, `vda1 (partition)`, `dm-0 (lvm)`, `vda (disk, ssd)`.
    pub stack: Vec<String>,
    /// Size in bytes.
    pub size: u64,
    /// Bytes of it in the page cache before the run.
    pub cached_before: Option<u64>,
    /// Bytes of it in the page cache after the run.
    pub cached_after: Option<u64>,
    /// Bytes of holes before the run (FIEMAP).
    pub holes: Option<u64>,
    /// Bytes of unwritten extents before the run (FIEMAP).
    pub unwritten: Option<u64>,
    /// Of the sampled blocks, how many held only zeros.
    pub zero_blocks: Option<u32>,
    /// How many blocks were sampled.
    pub sampled_blocks: Option<u32>,
    /// Percent of its file system that is used.
    #[serde(default)]
    pub used_percent: Option<f64>,
    /// Its file system compresses what is written.
    #[serde(default)]
    pub compresses: bool,
}

impl TargetLayers {
    /// Names of the layers, top down: `ext4`, `vda1`, `vda`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.stack.iter().map(|layer| layer.split([' ', '(']).next().unwrap_or(""))
    }
}

/// What kind of layer a block device is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// A part of a disk.
    Partition,
    /// Device mapper.
    Mapped,
    /// Linux RAID.
    Raid,
    /// A file as a device.
    Loop,
    /// Compressed memory.
    Zram,
    /// The lowest that the kernel knows.
    #[default]
    Disk,
}

/// A limit that a control group of this process sets for a device; `None` = none. Reads, writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceCap {
    /// I/Os per second.
    pub iops: [Option<u64>; 2],
    /// Bytes per second.
    pub bytes_per_second: [Option<u64>; 2],
}

/// What a block device under a target is, as far as it decides what its figures mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceTraits {
    /// Kernel name.
    pub name: String,
    /// Kind.
    pub kind: LayerKind,
    /// Bytes.
    pub size: u64,
    /// It says that it turns. Virtual disks say so whatever they are.
    pub rotational: bool,
    /// It is a guest's disk: what it says of itself is its host's guess.
    pub guest: bool,
    /// Smallest unit it takes, bytes; 0 = unknown.
    pub logical_block: u64,
    /// Unit it works in, bytes; 0 = unknown.
    pub physical_block: u64,
    /// Bytes that fit in one request.
    pub largest_request: Option<u64>,
    /// It keeps writes in a cache that a loss of power empties.
    pub volatile_cache: bool,
    /// First sector (of 512 bytes) on its disk, of a partition.
    pub start_sector: Option<u64>,
    /// What the kernel says of where a stacked device lies on what is under it (`alignment_offset`): 0 where it is right.
    #[serde(default)]
    pub alignment_offset: i64,
    /// The devices that it is put together from.
    #[serde(default)]
    pub members: Vec<String>,
    /// Limits.
    pub cap: DeviceCap,
    /// Bytes stored in it and bytes that they take, before and after the run, of a device that compresses.
    pub compressed: Option<[(u64, u64); 2]>,
    /// What an array does beside (`resync`, ...).
    pub rebuilding: Option<String>,
    /// NUMA node, where there are several.
    pub node: Option<u32>,
    /// Bytes per second that its link carries as it is, and at most.
    pub link: Option<[u64; 2]>,
}

/// What happened to the host's processors while the run went on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostLoad {
    /// Bytes of memory.
    pub memory: u64,
    /// Percent of the CPUs' time that the hypervisor gave to others.
    pub steal_percent: f64,
    /// Times a control group's quota stopped this process.
    pub throttled: u64,
    /// For so long together, milliseconds.
    pub throttled_ms: u64,
    /// Milliseconds for which the whole process was stopped (SIGSTOP, a frozen control group).
    #[serde(default)]
    pub stopped_ms: u64,
    /// Milliseconds in which tasks were stalled on CPU (PSI `some`); `None` without PSI.
    pub cpu_pressure_ms: Option<u64>,
    /// The same of I/O.
    pub io_pressure_ms: Option<u64>,
    /// Milliseconds from the first reading of these counters to the last, which include layout and start; 0 in results of
    /// older versions.
    #[serde(default)]
    pub watched_ms: u64,
}

/// What this process did by the kernel's own account (`/proc/self/io`), over the measured part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessIo {
    /// Bytes passed to read calls.
    pub read_chars: u64,
    /// Bytes passed to write calls.
    pub write_chars: u64,
    /// Read calls.
    pub read_calls: u64,
    /// Write calls.
    pub write_calls: u64,
    /// Bytes fetched from storage.
    pub read_bytes: u64,
    /// Bytes sent to storage.
    pub write_bytes: u64,
}

impl ProcessIo {
    /// Both together.
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

/// The layers of one run on one clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// I/Os that the application counted: read, write, trim.
    pub app_ios: [u64; 3],
    /// Bytes that the application counted.
    pub app_bytes: [u64; 3],
    /// The kernel's account of this process; `None` where /proc/self/io is not readable.
    pub process: Option<ProcessIo>,
    /// Each file or device of the run (the first 16).
    pub targets: Vec<TargetLayers>,
    /// Each block device under any target, top down.
    pub devices: Vec<DiskOutcome>,
    /// What each of `devices` is.
    #[serde(default)]
    pub traits: Vec<DeviceTraits>,
    /// The host's processors.
    #[serde(default)]
    pub host: HostLoad,
    /// Sum over jobs of the mean number in flight.
    pub depth_reached: f64,
    /// Sum over jobs of iodepth that the engine can hold.
    pub depth_asked: f64,
    /// CPU time of the busiest generator thread as percent of its wall time.
    pub busiest_thread_percent: f64,
    /// How long the measured part took, milliseconds.
    pub wall_ms: u64,
}

/// Bytes moved in one direction as each layer counted them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerBytes {
    /// The application.
    pub app: u64,
    /// The process by `/proc/self/io` (`read_bytes`, `write_bytes`).
    pub process: Option<u64>,
    /// The uppermost block devices under the targets: sectors of 512 bytes.
    pub devices: Option<u64>,
}

impl LayerBytes {
    /// Whether `other` is within 1 % or 1 MiB of what the application counted.
    pub fn agrees(&self, other: u64) -> bool {
        self.app.abs_diff(other) <= (self.app / 100).max(1 << 20)
    }
}

impl Layers {
    /// The uppermost device of each target, each once; all of `devices` when no stack names any.
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

    /// The device of this name.
    pub fn device(&self, name: &str) -> Option<&DiskOutcome> {
        self.devices.iter().find(|d| d.name == name)
    }

    /// What the device of this name is.
    pub fn traits_of(&self, name: &str) -> Option<&DeviceTraits> {
        self.traits.iter().find(|t| t.name == name)
    }

    /// Bytes read (`write` false) or written as each layer counted them.
    pub fn bytes(&self, write: bool) -> LayerBytes {
        let at = usize::from(write);
        let top = self.top_devices();
        LayerBytes {
            app: self.app_bytes[at],
            process: self.process.map(|p| if write { p.write_bytes } else { p.read_bytes }),
            devices: (!top.is_empty()).then(|| top.iter().map(|d| d.sectors[at] * 512).sum()),
        }
    }

    /// Bytes that the uppermost devices wrote beyond what the application did, where file systems lie between: journals
    /// and metadata, or others' writes. `None` where there is none or nothing was written.
    pub fn file_system_writes(&self) -> Option<u64> {
        let write = self.bytes(true);
        let between =
            self.targets.iter().any(|t| t.names().next().is_some_and(|top| self.device(top).is_none()));
        let more = write.devices?.checked_sub(write.app)?;
        (between && write.app > 0 && more > 0).then_some(more)
    }

    /// Bytes that the members of an array read and wrote beyond what was asked of the array itself: copies, parity and the
    /// reads that it takes, a resync, others. `None` where it is no array or they did no more.
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

    /// Adds the layers of a later run on the same targets: counts add, what was found before the run stays, what was
    /// found after it is the later run's, depths and the generator's load are weighted by time.
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
        let sum = |a: Option<u64>, b: Option<u64>| Some(a.unwrap_or(0) + b?).or(a);
        let host = &mut self.host;
        host.memory = later.host.memory;
        host.steal_percent = host.steal_percent.max(later.host.steal_percent);
        host.throttled += later.host.throttled;
        host.throttled_ms += later.host.throttled_ms;
        host.stopped_ms += later.host.stopped_ms;
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
    /// Share of what was read that the page cache served, percent; `None` when it cannot be told or nothing was read. A file
    /// system without a block device (FUSE, 9p) need not count what it fetches.
    pub fn cache_percent(&self) -> Option<f64> {
        let read = self.bytes(false);
        let counted = |fetched: &u64| read.app > 0 && (*fetched > 0 || !self.devices.is_empty());
        let fetched = read.process.filter(counted).filter(|_| !self.targets.is_empty())?;
        Some(100.0 * read.app.saturating_sub(fetched) as f64 / read.app as f64)
    }

    /// Bytes in holes and unwritten extents before the run over all targets; `None` where no file system could say.
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

    /// A gigabyte each way, on a file on a partition, seen alike by everybody.
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
        assert_eq!((l.cache_percent(), l.without_data()), (Some(0.0), Some(0)));
        l.process = l.process.map(|p| ProcessIo { read_bytes: 1 << 29, ..p });
        assert_eq!(l.cache_percent(), Some(50.0));
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
