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
    /// Sums over the devices beneath, when this one is stacked.
    pub beneath: Vec<DiskOutcome>,
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
            let found = target.stack.iter().find_map(|layer| {
                let name = layer.split([' ', '(']).next().unwrap_or("");
                self.devices.iter().find(|d| d.name == name)
            });
            if let Some(device) = found.filter(|d| !top.iter().any(|t| t.name == d.name)) {
                top.push(device);
            }
        }
        if top.is_empty() { self.devices.first().into_iter().collect() } else { top }
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

    /// Adds the layers of a later run on the same targets: counts add, what was found before the run stays, what was
    /// found after it is the later run's, depths and the generator's load are weighted by time.
    pub fn add(&mut self, later: &Layers) {
        let share = |mine: f64, theirs: f64, wall: u64| {
            let total = (wall + later.wall_ms) as f64;
            if total == 0.0 { mine.max(theirs) } else { (mine * wall as f64 + theirs * later.wall_ms as f64) / total }
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
    }
}

fn add_devices(mine: &mut Vec<DiskOutcome>, later: &[DiskOutcome]) {
    for theirs in later {
        match mine.iter_mut().find(|d| d.name == theirs.name) {
            Some(d) => {
                let pairs = [(&mut d.ios, theirs.ios), (&mut d.sectors, theirs.sectors), (&mut d.merges, theirs.merges), (&mut d.ticks_ms, theirs.ticks_ms)];
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
