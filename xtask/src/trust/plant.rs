//! Building blocks of a scenario: random choices, the devices of a run, and the independent observations of it.
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

/// Number of bytes in one MiB.
pub const MIB: u64 = 1 << 20;

/// A benchmarking mistake that is planted in runs, and the rule that has to report the mistake.
pub struct Scenario {
    /// Name for the option `--only`.
    pub name: &'static str,
    /// Rule that has to report the mistake, such as `M1`.
    pub rule: &'static str,
    /// Programs, devices and kernel features that the scenario requires.
    pub needs: &'static [Need],
    /// Draws one run and sets up its devices and files.
    pub plant: fn(&mut Draw) -> Result<Run>,
}

/// Variant of a run: with the planted mistake, the same run without the mistake, or a harmless run similar to the
/// mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Planted,
    Removed,
    Innocent,
}

/// Random choices of one run.
pub struct Draw {
    /// Random number generator. A scenario draws the choices common to all sides first, so that the sides share them.
    pub dice: Dice,
    /// Variant of the run to draw.
    pub side: Side,
    /// Whether files, jobs and devices get other names than usual, to test that names do not influence findings.
    pub renamed: bool,
}

impl Draw {
    /// Returns whether the run contains the planted mistake.
    pub fn guilty(&self) -> bool {
        self.side == Side::Planted
    }

    /// Draws the control variant, from 0 to `n - 1`, of a run on the innocent side; returns 0 on the other sides.
    pub fn variant(&mut self, n: usize) -> usize {
        let drawn = self.dice.below(n);
        if self.side == Side::Innocent { drawn } else { 0 }
    }

    pub fn coin(&mut self) -> bool {
        self.dice.rarely(2)
    }

    /// Draws the name of a synchronous engine.
    pub fn sync_engine(&mut self) -> &'static str {
        self.dice.one(&["psync", "sync", "pvsync"])
    }

    /// Draws the name of an asynchronous engine.
    pub fn async_engine(&mut self) -> &'static str {
        self.dice.one(&["libaio", "io_uring"])
    }

    /// Draws the options for a runtime of 1.4 to 1.8 s, long enough for a device with latencies below 1 ms.
    pub fn time(&mut self) -> String {
        format!("--time_based --runtime={}ms", self.dice.one(&[1400, 1600, 1800]))
    }

    /// Returns the file name for the target of a run.
    pub fn file(&self) -> &'static str {
        if self.renamed { "another-name.img" } else { "data" }
    }

    /// Returns the options of one job on `target` in one line, including the consent to overwrite `target`.
    pub fn job(&self, target: &Path, options: &str) -> String {
        let name = if self.renamed { "renamed" } else { "planted" };
        let target = target.display();
        format!("--name={name} --filename={target} --allow-destroy={target} {options}")
    }

    /// Sets up a loop device over memory, filled with data, with one of the given sizes in MiB.
    pub(super) fn device(&mut self, sizes_mib: &[u64]) -> Result<LoopDevice> {
        let size = self.dice.one(sizes_mib) * MIB;
        let _another = self.renamed.then(|| LoopDevice::in_memory(MIB, false, None));
        Ok(LoopDevice::in_memory(size, true, None)?)
    }

    /// Sets up a file system of one of the given kinds on a loop device over memory, without background activity.
    pub(super) fn mounted(&mut self, kinds: &[FileSystem]) -> Result<Mount> {
        let kind = self.dice.one(kinds);
        let _another = self.renamed.then(|| LoopDevice::in_memory(MIB, false, None));
        let device = LoopDevice::in_memory(512 * MIB, false, None)?;
        // On a new file system, ext4 writes its inode tables in the background, which would be additional load.
        let quiet = if kind == FileSystem::Ext4 { "noatime,noinit_itable" } else { "noatime" };
        Ok(Mount::on(kind, device, quiet)?)
    }

    /// Sets up a FUSE disk with the given service model, filled with data.
    pub(super) fn disk(&mut self, model: Model) -> Result<FuseDisk> {
        let seed = self.dice.between(1, 1 << 30);
        Ok(FuseDisk::new(Model { filled: true, seed, ..model })?)
    }
}

/// Writes a file with incompressible data, flushes the file to its device and drops the file from the page cache.
pub(super) fn written(path: &Path, size_bytes: u64) -> Result<()> {
    sandbox::fill(path, size_bytes)?;
    settle(path)
}

/// Flushes the file to its device and drops the file from the page cache.
pub(super) fn settle(path: &Path) -> Result<()> {
    let file = File::open(path)?;
    file.sync_all()?;
    fadvise(&file, 0, None, Advice::DontNeed)?;
    Ok(())
}

/// Observations of one run that do not depend on fathom's findings.
pub struct Seen {
    /// Number of I/Os by fathom's own count; `bytes` is the number of bytes of these I/Os.
    pub ios: f64,
    pub bytes: f64,
    /// Number of I/Os of the direction (read or write) with the fewest I/Os, ignoring directions without I/O.
    pub fewest: f64,
    /// Longest measured runtime of all jobs, in seconds.
    pub seconds: f64,
    /// CPU time of the process divided by elapsed time and number of jobs.
    pub cpu: f64,
    /// Share of the time (0 to 1) in which at least one task waited for a CPU (PSI).
    pub starved: f64,
    /// Share of all CPU time (0 to 1) that the hypervisor stole.
    pub stolen: f64,
    /// Kernel I/O counters of the uppermost device (`disk`) and of the device below (`lower`) over the run, caused by
    /// all processes.
    pub disk: Option<DiskStats>,
    pub lower: Option<DiskStats>,
    /// Half width of the 95 % confidence interval of the mean rate, divided by the mean.
    pub wobble: Option<f64>,
    /// Drift of the rate over five equal parts of the run: range and slope, both divided by the mean.
    pub drift: Option<(f64, f64)>,
    /// Number of scheduling periods in which the CPU quota was exhausted.
    pub throttled: u64,
    /// Result document that fathom printed.
    pub document: Value,
}

impl Seen {
    /// Returns the bytes that the uppermost device transferred, divided by the bytes that the jobs transferred.
    pub fn device_share(&self) -> Option<f64> {
        self.disk.map(|d| (d.read_bytes() + d.write_bytes()) as f64 / self.bytes.max(1.0))
    }

    /// Returns the mean I/O size at the uppermost device, divided by the mean I/O size of the jobs.
    pub fn device_size(&self) -> Option<f64> {
        let disk = self.disk?;
        let ios = (disk.reads + disk.writes) as f64;
        let bytes = (disk.read_bytes() + disk.write_bytes()) as f64;
        (ios > 0.0 && self.ios > 0.0 && self.bytes > 0.0).then(|| bytes / ios / (self.bytes / self.ios))
    }
}

/// Decides from the observations whether the planted cause was really present.
type Proof = Box<dyn Fn(&Seen) -> bool>;

/// One run with all its devices set up, ready to start.
pub struct Run {
    /// Options for `fathom run`, in one line.
    pub options: String,
    /// Description of random choices that do not appear in the options.
    pub told: String,
    /// Rules that may legitimately fire as well.
    pub allowed: Vec<&'static str>,
    /// Control group in which fathom starts.
    pub cgroup: Option<Cgroup>,
    /// Options of a fio process that generates load during the run.
    pub beside: Option<String>,
    /// Kernel name of the uppermost device (`disk`) and of the device below (`lower`), whose I/O counters are read.
    pub disk: Option<String>,
    pub lower: Option<String>,
    /// Returns the bytes that a FUSE disk has transferred so far; used when no block device has counters.
    pub meter: Option<Box<dyn Fn() -> f64 + Sync>>,
    /// Check that the cause was present; `None` if the options themselves are the cause.
    pub proof: Option<Proof>,
    /// Size in bytes of the region that holds all I/O of the run, if smaller than the device.
    pub span: Option<u64>,
    /// Resources of the run, dropped in this order after the run.
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

    /// Returns a run on a FUSE disk, whose own byte counter is observed.
    pub fn known(disk: FuseDisk, options: String) -> Run {
        let meter = disk.meter();
        Run { meter: Some(Box::new(move || meter() as f64)), ..Run::new(options) }.keep(disk)
    }

    /// Returns a run on a file in a mounted file system.
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

/// Writes a job file into a new temporary directory; returns the directory and the path of the file.
pub(super) fn job_file(text: &str) -> Result<(Sandbox, String)> {
    let sandbox = Sandbox::new()?;
    let path = sandbox.join("jobs.fio");
    std::fs::write(&path, text)?;
    let path = path.display().to_string();
    Ok((sandbox, path))
}
