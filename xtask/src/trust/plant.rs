//! What a planted run is made of: the draw, the devices that it needs, and what outsiders saw of it.
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

/// One MiB.
pub const MIB: u64 = 1 << 20;

/// A mistake that is planted.
pub struct Scenario {
    /// What `--only` takes.
    pub name: &'static str,
    /// The rule that has to find it.
    pub rule: &'static str,
    /// What the machine must have.
    pub needs: &'static [Need],
    /// Draws one run and sets up what it needs.
    pub plant: fn(&mut Draw) -> Result<Run>,
}

/// With its cause, without it and nothing else changed, or something innocent that is near to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Planted,
    Removed,
    Innocent,
}

/// The choices of one run.
pub struct Draw {
    /// What they are made with. A scenario draws what both sides share first, whatever its side.
    pub dice: Dice,
    /// Which side is wanted.
    pub side: Side,
    /// Everything that has a name gets another one.
    pub renamed: bool,
}

impl Draw {
    /// The cause is there.
    pub fn guilty(&self) -> bool {
        self.side == Side::Planted
    }

    /// For the innocent side: which of `n` variants; 0, the cause removed, on the others.
    pub fn variant(&mut self, n: usize) -> usize {
        let drawn = self.dice.below(n);
        if self.side == Side::Innocent { drawn } else { 0 }
    }

    pub fn coin(&mut self) -> bool {
        self.dice.rarely(2)
    }

    /// A synchronous engine.
    pub fn sync_engine(&mut self) -> &'static str {
        self.dice.one(&["psync", "sync", "pvsync"])
    }

    /// An asynchronous engine.
    pub fn async_engine(&mut self) -> &'static str {
        self.dice.one(&["libaio", "io_uring"])
    }

    /// Long enough for a device that answers in less than a millisecond.
    pub fn time(&mut self) -> String {
        format!("--time_based --runtime={}ms", self.dice.one(&[1400, 1600, 1800]))
    }

    /// Name of a file.
    pub fn file(&self) -> &'static str {
        if self.renamed { "another-name.img" } else { "data" }
    }

    /// A job on `target`, which may be overwritten: its options in one line.
    pub fn job(&self, target: &Path, options: &str) -> String {
        let name = if self.renamed { "renamed" } else { "planted" };
        let target = target.display();
        format!("--name={name} --filename={target} --allow-destroy={target} {options}")
    }

    /// A device as fast as memory, filled with data.
    pub fn device(&mut self, sizes_mib: &[u64]) -> Result<LoopDevice> {
        let size = self.dice.one(sizes_mib) * MIB;
        let _another = self.renamed.then(|| LoopDevice::in_memory(MIB, false, None));
        Ok(LoopDevice::in_memory(size, true, None)?)
    }

    /// A file system on a device as fast as memory, with nothing going on in it.
    pub fn mounted(&mut self, kinds: &[FileSystem]) -> Result<Mount> {
        let kind = self.dice.one(kinds);
        let _another = self.renamed.then(|| LoopDevice::in_memory(MIB, false, None));
        let device = LoopDevice::in_memory(512 * MIB, false, None)?;
        // ext4 writes its inode tables in the background of a new file system: that would be other load.
        let quiet = if kind == FileSystem::Ext4 { "noatime,noinit_itable" } else { "noatime" };
        Ok(Mount::on(kind, device, quiet)?)
    }

    /// A disk of which everything is known, filled with data.
    pub fn disk(&mut self, model: Model) -> Result<FuseDisk> {
        let seed = self.dice.between(1, 1 << 30);
        Ok(FuseDisk::new(Model { filled: true, seed, ..model })?)
    }
}

/// Writes a file of noise that is on its device and not in memory when this returns.
pub fn written(path: &Path, size_bytes: u64) -> Result<()> {
    sandbox::fill(path, size_bytes)?;
    settle(path)
}

/// What is in the file is on its device, and no longer in memory.
pub fn settle(path: &Path) -> Result<()> {
    let file = File::open(path)?;
    file.sync_all()?;
    fadvise(&file, 0, None, Advice::DontNeed)?;
    Ok(())
}

/// What outsiders saw of a run.
pub struct Seen {
    /// What fathom counted itself: I/Os, bytes, syncs.
    pub ios: f64,
    pub bytes: f64,
    /// I/Os of the direction that had the fewest.
    pub fewest: f64,
    /// Seconds that the jobs measured.
    pub seconds: f64,
    /// CPU time of the process by elapsed time and threads.
    pub cpu: f64,
    /// Share of the time in which somebody waited for a CPU.
    pub starved: f64,
    /// Share of all CPU time that the hypervisor took.
    pub stolen: f64,
    /// The uppermost device's counts, of everybody, and those of the one below it.
    pub disk: Option<DiskStats>,
    pub lower: Option<DiskStats>,
    /// How far the device's rate went up and down: half of its mean's 95 % interval, as a share.
    pub wobble: Option<f64>,
    /// How far it drifted: range and slope of five parts of the run, as shares of the mean.
    pub drift: Option<(f64, f64)>,
    /// Periods in which a CPU quota was used up.
    pub throttled: u64,
    /// fathom's document.
    pub document: Value,
}

impl Seen {
    /// Bytes that the uppermost device moved, by the bytes that the jobs moved.
    pub fn device_share(&self) -> Option<f64> {
        self.disk.map(|d| (d.read_bytes() + d.write_bytes()) as f64 / self.bytes.max(1.0))
    }

    /// Mean size of the device's I/Os by that of the jobs'.
    pub fn device_size(&self) -> Option<f64> {
        let disk = self.disk?;
        let ios = (disk.reads + disk.writes) as f64;
        let bytes = (disk.read_bytes() + disk.write_bytes()) as f64;
        (ios > 0.0 && self.ios > 0.0 && self.bytes > 0.0).then(|| bytes / ios / (self.bytes / self.ios))
    }
}

/// Says from what outsiders saw whether the cause is there.
type Proof = Box<dyn Fn(&Seen) -> bool>;

/// One run, ready to start.
pub struct Run {
    /// Options of `fathom run`, in one line.
    pub options: String,
    /// What was drawn and does not show in the options.
    pub told: String,
    /// Rules that are true of it as well.
    pub allowed: Vec<&'static str>,
    /// It starts in there.
    pub cgroup: Option<Cgroup>,
    /// Options of another process that runs meanwhile.
    pub beside: Option<String>,
    /// Device that outsiders look at, and one below it.
    pub disk: Option<String>,
    pub lower: Option<String>,
    /// Bytes that a disk of ours moved so far, where there is no device to look at.
    pub meter: Option<Box<dyn Fn() -> f64 + Sync>>,
    /// `None` where the options themselves are the cause.
    pub proof: Option<Proof>,
    /// Bytes within which all I/O of the run lies, if it is less than the device.
    pub span: Option<u64>,
    /// Dropped in this order after the run.
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

    /// A run on a loop device.
    pub fn on(device: LoopDevice, options: String) -> Run {
        let name = device.name();
        Run { disk: Some(name), ..Run::new(options) }.keep(device)
    }

    /// A run on a disk of which everything is known.
    pub fn known(disk: FuseDisk, options: String) -> Run {
        let meter = disk.meter();
        Run { meter: Some(Box::new(move || meter() as f64)), ..Run::new(options) }.keep(disk)
    }

    /// A run in a file system of ours.
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

/// A job file in a directory of its own.
pub fn job_file(text: &str) -> Result<(Sandbox, String)> {
    let sandbox = Sandbox::new()?;
    let path = sandbox.join("jobs.fio");
    std::fs::write(&path, text)?;
    let path = path.display().to_string();
    Ok((sandbox, path))
}
