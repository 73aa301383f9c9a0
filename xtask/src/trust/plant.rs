//! Parts of a run with a planted mistake: its random choices, the devices that it needs, and the outside observation.
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

pub const MIB: u64 = 1 << 20;

/// Mistake that is planted.
pub struct Scenario {
    /// Name, for `--only`.
    pub name: &'static str,
    /// Rule that must find the mistake.
    pub rule: &'static str,
    /// Requirements on the machine.
    pub needs: &'static [Need],
    /// Draws one run and sets up its devices.
    pub plant: fn(&mut Draw) -> Result<Run>,
}

/// Kind of a run: with the mistake, the same without the mistake, or a similar run that is innocent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Planted,
    Removed,
    Innocent,
}

/// Random choices of one run.
pub struct Draw {
    /// Generator of the choices. A scenario first draws what both sides share, whatever its side.
    pub dice: Dice,
    pub side: Side,
    /// Whether files, jobs and devices have other names than usual.
    pub renamed: bool,
}

impl Draw {
    /// Returns whether the run has the mistake.
    pub fn guilty(&self) -> bool {
        self.side == Side::Planted
    }

    /// Returns the variant of a run: for an innocent run a random number below `n`, for other runs 0, the unchanged
    /// variant.
    pub fn variant(&mut self, n: usize) -> usize {
        let drawn = self.dice.below(n);
        if self.side == Side::Innocent { drawn } else { 0 }
    }

    pub fn coin(&mut self) -> bool {
        self.dice.rarely(2)
    }

    pub fn sync_engine(&mut self) -> &'static str {
        self.dice.one(&["psync", "sync", "pvsync"])
    }

    pub fn async_engine(&mut self) -> &'static str {
        self.dice.one(&["libaio", "io_uring"])
    }

    /// Returns a random runtime, long enough for a device with latencies below a millisecond.
    pub fn time(&mut self) -> String {
        format!("--time_based --runtime={}ms", self.dice.one(&[1400, 1600, 1800]))
    }

    /// Returns the name of the target file, another one if `renamed`.
    pub fn file(&self) -> &'static str {
        if self.renamed { "another-name.img" } else { "data" }
    }

    /// Returns the options of a job on `target`, which it may overwrite, on one line.
    pub fn job(&self, target: &Path, options: &str) -> String {
        let name = if self.renamed { "renamed" } else { "planted" };
        let target = target.display();
        format!("--name={name} --filename={target} --allow-destroy={target} {options}")
    }

    /// Returns a loop device as fast as memory, filled with data.
    pub fn device(&mut self, sizes_mib: &[u64]) -> Result<LoopDevice> {
        let size = self.dice.one(sizes_mib) * MIB;
        let _another = self.renamed.then(|| LoopDevice::in_memory(MIB, false, None));
        Ok(LoopDevice::in_memory(size, true, None)?)
    }

    /// Returns a file system on a device as fast as memory, without background activity.
    pub fn mounted(&mut self, kinds: &[FileSystem]) -> Result<Mount> {
        let kind = self.dice.one(kinds);
        let _another = self.renamed.then(|| LoopDevice::in_memory(MIB, false, None));
        let device = LoopDevice::in_memory(512 * MIB, false, None)?;
        // On a new file system, ext4 writes its inode tables in the background, which would be additional load.
        let quiet = if kind == FileSystem::Ext4 { "noatime,noinit_itable" } else { "noatime" };
        Ok(Mount::on(kind, device, quiet)?)
    }

    /// Returns a simulated disk, filled with data.
    pub fn disk(&mut self, model: Model) -> Result<FuseDisk> {
        let seed = self.dice.between(1, 1 << 30);
        Ok(FuseDisk::new(Model { filled: true, seed, ..model })?)
    }
}

/// Writes a file of noise to its device and removes it from the page cache.
pub fn written(path: &Path, size_bytes: u64) -> Result<()> {
    sandbox::fill(path, size_bytes)?;
    settle(path)
}

/// Writes a file back to its device and removes it from the page cache.
pub fn settle(path: &Path) -> Result<()> {
    let file = File::open(path)?;
    file.sync_all()?;
    fadvise(&file, 0, None, Advice::DontNeed)?;
    Ok(())
}

/// Outside observation of a run.
pub struct Seen {
    /// Number of I/Os, counted by fathom.
    pub ios: f64,
    /// Number of bytes read and written, counted by fathom.
    pub bytes: f64,
    /// Number of I/Os of the direction with the fewest.
    pub fewest: f64,
    /// Runtime of the jobs, seconds.
    pub seconds: f64,
    /// CPU time of the process per elapsed time and thread.
    pub cpu: f64,
    /// Share of the time in which a task waited for a CPU.
    pub starved: f64,
    /// Share of all CPU time (0 to 1) that the hypervisor stole.
    pub stolen: f64,
    /// Counters of the uppermost device, including other processes' I/O.
    pub disk: Option<DiskStats>,
    /// Counters of the device below the uppermost one.
    pub lower: Option<DiskStats>,
    /// Half-width of the 95 % interval of the device's mean rate, as a share of the mean.
    pub wobble: Option<f64>,
    /// Range and slope of the device's rate in five parts of the run, as shares of the mean.
    pub drift: Option<(f64, f64)>,
    /// Number of periods in which a CPU quota was used up.
    pub throttled: u64,
    /// JSON document of fathom.
    pub document: Value,
}

impl Seen {
    /// Returns the bytes moved by the uppermost device, relative to those of the jobs.
    pub fn device_share(&self) -> Option<f64> {
        self.disk.map(|d| (d.read_bytes() + d.write_bytes()) as f64 / self.bytes.max(1.0))
    }

    /// Returns the mean size of the device's I/Os, relative to that of the jobs' I/Os.
    pub fn device_size(&self) -> Option<f64> {
        let disk = self.disk?;
        let ios = (disk.reads + disk.writes) as f64;
        let bytes = (disk.read_bytes() + disk.write_bytes()) as f64;
        (ios > 0.0 && self.ios > 0.0 && self.bytes > 0.0).then(|| bytes / ios / (self.bytes / self.ios))
    }
}

/// Function that determines from the outside observation whether the cause is present.
type Proof = Box<dyn Fn(&Seen) -> bool>;

/// One run with all its devices set up, ready to start.
pub struct Run {
    /// Options of `fathom run`, on one line.
    pub options: String,
    /// Random choices that the options do not show.
    pub told: String,
    /// Rules that apply to the run as well.
    pub allowed: Vec<&'static str>,
    /// Cgroup in which the run starts.
    pub cgroup: Option<Cgroup>,
    /// Options of fio as another process during the run.
    pub beside: Option<String>,
    /// Name of the device that is observed.
    pub disk: Option<String>,
    /// Name of a device below `disk` that is observed, too.
    pub lower: Option<String>,
    /// Function that returns the bytes moved by a simulated disk so far, if there is no device to observe.
    pub meter: Option<Box<dyn Fn() -> f64 + Sync>>,
    /// Test of the presence of the cause; `None` if the options themselves are the cause.
    pub proof: Option<Proof>,
    /// Size of the region with all I/O of the run, bytes, if it is smaller than the device.
    pub span: Option<u64>,
    /// Devices and files of the run, which are dropped in this order afterwards.
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

    /// Returns a run on a simulated disk.
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

/// Writes a job file in a directory of its own. Returns the directory and the path.
pub fn job_file(text: &str) -> Result<(Sandbox, String)> {
    let sandbox = Sandbox::new()?;
    let path = sandbox.join("jobs.fio");
    std::fs::write(&path, text)?;
    let path = path.display().to_string();
    Ok((sandbox, path))
}
