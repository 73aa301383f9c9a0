//! Parts of a planted run: the random choices, the devices, and the independent evidence about it.
use crate::dice::Dice;
use anyhow::Result;
use rustix::fs::{Advice, fadvise};
use serde_json::Value;
use std::any::Any;
use std::fs::File;
use std::path::Path;
use testbed::fuse::Model;
use testbed::witness::DiskStats;
use testbed::{Cgroup, FileSystem, FuseDisk, LoopDevice, Mount, Need, Sandbox, sandbox};

/// One MiB in bytes.
pub const MIB: u64 = 1 << 20;

/// A mistake that is planted.
pub struct Scenario {
    /// Name for `--only`.
    pub name: &'static str,
    /// Rule that has to find the mistake.
    pub rule: &'static str,
    /// Requirements on the machine.
    pub needs: &'static [Need],
    /// Draws one run and sets up its devices and files.
    pub plant: fn(&mut Draw) -> Result<Run>,
}

/// Side of a scenario: with the cause, the same without the cause, or a similar innocent run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Planted,
    Removed,
    Innocent,
}

/// Source of the random choices of one run.
pub struct Draw {
    /// Random numbers. A scenario first makes the draws that both sides share.
    pub dice: Dice,
    /// Side of the run.
    pub side: Side,
    /// Whether jobs, files and devices have other names than usual.
    pub renamed: bool,
}

impl Draw {
    /// Returns whether the cause is present.
    pub fn guilty(&self) -> bool {
        self.side == Side::Planted
    }

    /// Returns a random variant below `n` on the innocent side; 0, the cause removed, on the other sides.
    pub fn variant(&mut self, n: usize) -> usize {
        let drawn = self.dice.below(n);
        if self.side == Side::Innocent { drawn } else { 0 }
    }

    pub fn coin(&mut self) -> bool {
        self.dice.rarely(2)
    }

    /// Draws a synchronous engine.
    pub fn sync_engine(&mut self) -> &'static str {
        self.dice.one(&["psync", "sync", "pvsync"])
    }

    /// Draws an asynchronous engine.
    pub fn async_engine(&mut self) -> &'static str {
        self.dice.one(&["libaio", "io_uring"])
    }

    /// Draws options for a runtime that is long enough on a device with latencies under a millisecond.
    pub fn time(&mut self) -> String {
        format!("--time_based --runtime={}ms", self.dice.one(&[1400, 1600, 1800]))
    }

    /// Returns the name of the file under test.
    pub fn file(&self) -> &'static str {
        if self.renamed { "another-name.img" } else { "data" }
    }

    /// Returns the options of a job on `target`, which may be overwritten, in one line.
    pub fn job(&self, target: &Path, options: &str) -> String {
        let name = if self.renamed { "renamed" } else { "planted" };
        let target = target.display();
        format!("--name={name} --filename={target} --allow-destroy={target} {options}")
    }

    /// Returns a loop device in memory, filled with data; its size is one of `sizes_mib`.
    pub fn device(&mut self, sizes_mib: &[u64]) -> Result<LoopDevice> {
        let size = self.dice.one(sizes_mib) * MIB;
        let _another = self.renamed.then(|| LoopDevice::in_memory(MIB, false, None));
        Ok(LoopDevice::in_memory(size, true, None)?)
    }

    /// Returns an idle file system of one of `kinds`, on a loop device in memory.
    pub fn mounted(&mut self, kinds: &[FileSystem]) -> Result<Mount> {
        let kind = self.dice.one(kinds);
        let _another = self.renamed.then(|| LoopDevice::in_memory(MIB, false, None));
        let device = LoopDevice::in_memory(512 * MIB, false, None)?;
        // ext4 writes its inode tables in the background of a new file system: that would be other load.
        let quiet = if kind == FileSystem::Ext4 { "noatime,noinit_itable" } else { "noatime" };
        Ok(Mount::on(kind, device, quiet)?)
    }

    /// Returns a simulated FUSE disk, filled with data.
    pub fn disk(&mut self, model: Model) -> Result<FuseDisk> {
        let seed = self.dice.between(1, 1 << 30);
        Ok(FuseDisk::new(Model { filled: true, seed, ..model })?)
    }
}

/// Fills a file with noise and settles it (see [`settle`]).
pub fn written(path: &Path, size_bytes: u64) -> Result<()> {
    sandbox::fill(path, size_bytes)?;
    settle(path)
}

/// Writes a file's dirty pages to its device and removes the file from the page cache.
pub fn settle(path: &Path) -> Result<()> {
    let file = File::open(path)?;
    file.sync_all()?;
    fadvise(&file, 0, None, Advice::DontNeed)?;
    Ok(())
}

/// Evidence about a run: fathom's own counts, and measurements made without fathom.
pub struct Seen {
    /// Number of I/Os counted by fathom.
    pub ios: f64,
    /// Bytes transferred, counted by fathom.
    pub bytes: f64,
    /// Number of I/Os of the direction with the fewest; directions without I/Os are left out.
    pub fewest: f64,
    /// Runtime of the longest job, in seconds.
    pub seconds: f64,
    /// CPU time of the process, divided by elapsed time and the number of jobs.
    pub cpu: f64,
    /// Share of the time in which some process waited for a CPU.
    pub starved: f64,
    /// Share of all CPU time that the hypervisor took.
    pub stolen: f64,
    /// I/O of all processes on the top device.
    pub disk: Option<DiskStats>,
    /// I/O of all processes on the device below the top device.
    pub lower: Option<DiskStats>,
    /// Half-width of the 95 % interval of the device's mean rate, relative to the mean.
    pub wobble: Option<f64>,
    /// Range and slope of the device's rate over five parts of the run, relative to the mean.
    pub drift: Option<(f64, f64)>,
    /// Number of periods in which a CPU quota was used up.
    pub throttled: u64,
    /// fathom's JSON document.
    pub document: Value,
}

impl Seen {
    /// Returns the ratio of the bytes transferred by the top device to those of the jobs.
    pub fn device_share(&self) -> Option<f64> {
        self.disk.map(|d| (d.read_bytes() + d.write_bytes()) as f64 / self.bytes.max(1.0))
    }

    /// Returns the ratio of the mean I/O size at the top device to that of the jobs.
    pub fn device_size(&self) -> Option<f64> {
        let disk = self.disk?;
        let ios = (disk.reads + disk.writes) as f64;
        let bytes = (disk.read_bytes() + disk.write_bytes()) as f64;
        (ios > 0.0 && self.ios > 0.0 && self.bytes > 0.0).then(|| bytes / ios / (self.bytes / self.ios))
    }
}

/// Test of the evidence that returns whether the cause is present.
type Proof = Box<dyn Fn(&Seen) -> bool>;

/// One run, ready to start.
pub struct Run {
    /// Options of `fathom run`, in one line.
    pub options: String,
    /// Description of draws that the options do not show.
    pub told: String,
    /// Other rules that are true of the run.
    pub allowed: Vec<&'static str>,
    /// Control group in which the run starts.
    pub cgroup: Option<Cgroup>,
    /// fio options of another process that runs at the same time.
    pub beside: Option<String>,
    /// Name of the top device, whose counters are evidence.
    pub disk: Option<String>,
    /// Name of the device below the top device.
    pub lower: Option<String>,
    /// Function that returns the bytes transferred so far by a simulated disk, in place of a device's counters.
    pub meter: Option<Box<dyn Fn() -> f64 + Sync>>,
    /// Test whether the cause is present; `None` if the options themselves are the cause.
    pub proof: Option<Proof>,
    /// Size of the region of all I/O in bytes, if smaller than the device.
    pub span: Option<u64>,
    /// Devices and files to be dropped after the run, in this order.
    pub keep: Vec<Box<dyn Any>>,
}

impl Run {
    pub fn new(options: String) -> Run {
        Run {
            options,
            told: String::new(),
            allowed: Vec::new(),
            cgroup: None,
            beside: None,
            disk: None,
            lower: None,
            meter: None,
            proof: None,
            span: None,
            keep: Vec::new(),
        }
    }

    /// Returns a run on a loop device.
    pub fn on(device: LoopDevice, options: String) -> Run {
        let name = device.name();
        Run { disk: Some(name), ..Run::new(options) }.keep(device)
    }

    /// Returns a run on a simulated FUSE disk, whose own counter is evidence.
    pub fn known(disk: FuseDisk, options: String) -> Run {
        let meter = disk.meter();
        Run { meter: Some(Box::new(move || meter() as f64)), ..Run::new(options) }.keep(disk)
    }

    /// Returns a run in a mounted file system.
    pub fn within(mount: Mount, options: String) -> Run {
        let disk = mount.device().map(LoopDevice::name);
        Run { disk, ..Run::new(options) }.keep(mount)
    }

    pub fn keep(mut self, what: impl Any) -> Run {
        self.keep.push(Box::new(what));
        self
    }

    pub fn told(mut self, what: impl Into<String>) -> Run {
        self.told = what.into();
        self
    }

    pub fn allow(mut self, rules: &[&'static str]) -> Run {
        self.allowed.extend(rules);
        self
    }

    pub fn proof(mut self, proof: impl Fn(&Seen) -> bool + 'static) -> Run {
        self.proof = Some(Box::new(proof));
        self
    }
}

/// Writes a job file into a temporary directory and returns the directory and the file's path.
pub fn job_file(text: &str) -> Result<(Sandbox, String)> {
    let sandbox = Sandbox::new()?;
    let path = sandbox.join("jobs.fio");
    std::fs::write(&path, text)?;
    let path = path.display().to_string();
    Ok((sandbox, path))
}
