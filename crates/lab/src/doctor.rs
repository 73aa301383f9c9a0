//! `fathom doctor`: the storage stack under a target, and what in this stack distorts measurements. The doctor only
//! reads; facts that cannot be read are reported as unread. docs/method.md has the rules with their thresholds and
//! reasons.

mod alignment;
mod device;
mod host;
mod load;
mod network;
mod queue;
mod server;
pub(crate) mod target_kind;

use crate::target::MODEL;
use crate::target_fault::TargetFault;
use facts::SysRoot;
use facts::attach::{Attachment, Identity};
use facts::layers::{Device, DeviceKind, DeviceNumber, Layer, Mounted, Stack};
use facts::queue::Queue;
use facts::{alignment::LayerOffset, zeros};
use job::remote::is_remote_target;
use rustix::fs::OFlags;
use stats::doctor::{Diagnosis, Fact, LayerRow, Line, Severity, TargetKind, Topic};
use std::fs::File;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Target of a diagnosis, and how it is examined.
#[derive(Clone, Debug)]
pub struct DoctorRequest {
    /// Directory, file or block device to diagnose.
    pub target: PathBuf,
    /// Root of `/sys` and `/proc`, from which the facts are read.
    pub root: SysRoot,
    /// Duration for which the load of other processes is observed.
    pub look: Duration,
}

/// Error: the target cannot be examined.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault:?}", path.display())]
pub struct DoctorError {
    /// Path of the target.
    pub path: PathBuf,
    /// Reason why the target is unusable.
    pub fault: TargetFault,
}

/// Returns the diagnosis of a target.
///
/// # Errors
/// The target does not exist, cannot be accessed, or is not a directory, regular file or block device.
pub fn diagnose(asked: &DoctorRequest) -> Result<Diagnosis, DoctorError> {
    let path = asked.target.as_path();
    let refuse = |fault| DoctorError { path: path.into(), fault };
    if path.as_os_str().as_encoded_bytes().starts_with(MODEL.as_bytes()) {
        return Err(refuse(TargetFault::Simulated));
    }
    if let Some(name) = path.to_str().filter(|name| is_remote_target(name)) {
        return server::diagnose(name, &asked.root);
    }
    let meta = std::fs::metadata(path).map_err(|e| refuse(TargetFault::of(&e)))?;
    let kind = meta.file_type();
    if !kind.is_dir() && !kind.is_file() && !kind.is_block_device() {
        return Err(refuse(TargetFault::NotMeasurable));
    }
    let absolute = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let flags = (OFlags::NONBLOCK | OFlags::CLOEXEC).bits() as i32;
    let (file, errno) = match File::options().read(true).custom_flags(flags).open(path) {
        Ok(file) => (Some(file), None),
        Err(e) => (None, e.raw_os_error()),
    };
    let root = &asked.root;
    let number = kind.is_block_device().then(|| DeviceNumber::from_raw(meta.rdev()));
    let device = number.and_then(|n| Device::of(root, n));
    let target = match (&device, kind.is_dir()) {
        (Some(d), _) if d.kind == DeviceKind::Partition => TargetKind::Partition,
        (Some(_), _) => TargetKind::Device,
        (None, true) => TargetKind::Directory,
        (None, false) => TargetKind::File,
    };
    let places = match &device {
        Some(device) => facts::alignment::of_device(root, device),
        None => facts::alignment::of_path(root, &absolute, file.as_ref()),
    };
    let size = match &device {
        Some(device) => device.size(root),
        None => (target == TargetKind::File).then_some(meta.len()),
    };
    let stack = Stack::under(root, path).map_err(|e| refuse(TargetFault::of(&e)))?;
    let examined = Examined::new(root, Some(absolute), target, stack, places, (file, errno), size);
    Ok(examined.diagnosis(path.to_string_lossy().into_owned(), asked.look))
}

/// Returns the diagnosis of a block device with this number, from sysfs alone; `None` if the number belongs to no
/// device.
pub fn of_device(root: &SysRoot, number: DeviceNumber, look: Duration) -> Option<Diagnosis> {
    let device = Device::of(root, number)?;
    let target =
        if device.kind == DeviceKind::Partition { TargetKind::Partition } else { TargetKind::Device };
    let stack = Stack::of_device(root, number);
    let places = facts::alignment::of_device(root, &device);
    let size = device.size(root);
    let examined = Examined::new(root, None, target, stack, places, (None, None), size);
    Some(examined.diagnosis(format!("/dev/{}", device.name), look))
}

/// A device at the bottom of the storage stack: no device of the stack lies under it.
struct Disk {
    device: Device,
    identity: Identity,
    queue: Queue,
}

impl Disk {
    /// Returns whether a controller, bridge, network or hypervisor is between the system and the medium and may report
    /// properties that the medium does not have.
    fn hidden(&self) -> bool {
        use Attachment::*;
        matches!(
            self.identity.attachment,
            Controller(_) | Virtual(_) | Network(_) | NvmeOver(_) | Usb | Unknown
        )
    }
}

/// The target and its storage stack, as the rules examine them.
struct Examined<'a> {
    root: &'a SysRoot,
    /// Path of the target; `None` when only sysfs is read.
    path: Option<PathBuf>,
    target: TargetKind,
    stack: Stack,
    places: Vec<LayerOffset>,
    /// The target, open for reading; `None` if it cannot be opened.
    file: Option<File>,
    /// Errno of the failed open of the target.
    unreadable: Option<i32>,
    size: Option<u64>,
    /// Devices at the bottom of the storage stack.
    disks: Vec<Disk>,
    /// Sample of the target's blocks; `None` where the target may not be read.
    sample: Option<zeros::Zeros>,
}

impl<'a> Examined<'a> {
    fn new(
        root: &'a SysRoot,
        path: Option<PathBuf>,
        target: TargetKind,
        stack: Stack,
        places: Vec<LayerOffset>,
        (file, unreadable): (Option<File>, Option<i32>),
        size: Option<u64>,
    ) -> Self {
        let bottom = |d: &&Device| {
            // Layers such as bcache consist of several devices but have no device kind of their own.
            matches!(d.kind, DeviceKind::Disk { .. } | DeviceKind::Zram) && d.members(root).is_empty()
        };
        let disk = |device: &Device| Disk {
            device: device.clone(),
            identity: Identity::of(root, device),
            queue: Queue::of(root, device),
        };
        let disks = stack.devices().filter(bottom).map(disk).collect();
        Examined { root, path, target, stack, places, file, unreadable, size, disks, sample: None }
    }

    fn diagnosis(mut self, target: String, look: Duration) -> Diagnosis {
        let mut lines = Lines::default();
        // Load is observed first, so that the doctor's own reads do not count as load of other processes.
        load::lines(&self, look, &mut lines);
        self.sample = self.sampled();
        alignment::lines(&self, &mut lines);
        target_kind::lines(&self, &mut lines);
        queue::lines(&self, &mut lines);
        device::lines(&self, &mut lines);
        network::lines(&self, &mut lines);
        host::lines(&self, &mut lines);
        // A stable sort: within a topic, lines keep the order of the rules.
        lines.0.sort_by_key(|l| l.topic);
        Diagnosis { version: String::new(), target, stack: self.layer_rows(), lines: lines.0 }
    }

    /// Reads a sample of the target's blocks; `None` for a target served over a network or by a program, which would
    /// receive the requests.
    fn sampled(&self) -> Option<zeros::Zeros> {
        let local = self.stack.devices().next().is_some() || self.top_kind() == Some("tmpfs");
        let wanted = self.file.is_some() && local && self.target != TargetKind::Directory;
        zeros::sample(self.path.as_deref().filter(|_| wanted)?, self.size?)
    }

    /// Returns the file system that contains the target; `None` for a block device.
    fn file_system(&self) -> Option<&Mounted> {
        match self.stack.layers.first()? {
            Layer::FileSystem(m) => Some(m),
            Layer::Device(_) => None,
        }
    }

    fn top_kind(&self) -> Option<&str> {
        self.file_system().map(|m| m.kind.as_str())
    }

    /// Returns the device of the target: the target itself, or the device that stores the file.
    fn first(&self) -> Option<&Device> {
        self.stack.devices().next()
    }

    fn layer_rows(&self) -> Vec<LayerRow> {
        let storey = |layer: &Layer| match layer {
            Layer::FileSystem(m) => LayerRow {
                name: m.at.to_string_lossy().into_owned(),
                kind: m.kind.clone(),
                size: None,
                model: None,
            },
            Layer::Device(d) => LayerRow {
                name: d.name.clone(),
                kind: match &d.kind {
                    DeviceKind::Partition => "partition".into(),
                    DeviceKind::Mapped(word) | DeviceKind::Raid(word) => word.clone(),
                    DeviceKind::Loop { .. } => "loop".into(),
                    DeviceKind::Zram => "zram".into(),
                    // The rotational flag is left out here: a rule of its own judges it.
                    DeviceKind::Disk { .. } => "disk".into(),
                },
                size: d.size(self.root),
                model: self.model(d),
            },
        };
        self.stack.layers.iter().map(storey).collect()
    }

    fn model(&self, device: &Device) -> Option<String> {
        let identity = &self.disks.iter().find(|d| d.device.number == device.number)?.identity;
        let words: Vec<&str> =
            [&identity.vendor, &identity.model].into_iter().flatten().map(String::as_str).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// The lines of the diagnosis so far.
#[derive(Default)]
struct Lines(Vec<Line>);

impl Lines {
    fn add(&mut self, topic: Topic, severity: Severity, fact: Fact) {
        self.0.push(Line { topic, severity, fact });
    }
}

/// Returns the free bytes and the total bytes of the file system that contains a path.
fn space(path: &Path) -> Option<(u64, u64)> {
    let s = rustix::fs::statvfs(path).ok()?;
    Some((s.f_bavail.saturating_mul(s.f_frsize), s.f_blocks.saturating_mul(s.f_frsize)))
}
