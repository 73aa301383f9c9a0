//! Examination of targets before a run, and the changes after the run.

use crate::disk::Watched;
use crate::layers::{Device, DeviceNumber, Layer, Stack};
use crate::load::Load;
use crate::{SysRoot, cgroup, extents, flash, layers, network, process, remote, residency, traits, zeros};
use rustix::fs::OFlags;
use stats::remote::{RemoteLayer, TcpSegments};
use stats::{DeviceTraits, DiskOutcome, Layers, ProcessIo, TargetLayers};
use std::fs::{File, Metadata};
use std::ops::Range;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Largest number of targets that are opened and examined for holes, cached bytes and zeros.
const CLOSE: usize = 16;
/// Largest number of targets whose disks are determined.
pub const FAR: usize = 1024;

/// Targets in which zeros are sampled by reading. Files are sampled only where FIEMAP reports their extents, or in
/// tmpfs: file systems served over a network or by a program would count the additional reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// No target is opened. A deleted file whose descriptor is open keeps its space, which would distort runs that
    /// measure deletion.
    Disks,
    /// Files only. Block devices get no I/O besides that of the run, so that their counters equal the run's bytes
    /// (`fathom fio`).
    Files,
    /// Files, and 64 blocks of each block device.
    All,
}

/// Target that was opened and examined.
#[derive(Debug)]
struct Target {
    layers: TargetLayers,
    /// Open file for the examination after the run; `None` if not opened or closed since.
    file: Option<File>,
    /// Ranges in bytes in which zeros were sampled; empty = the whole target.
    read: Vec<Range<u64>>,
}

/// Layer on another machine, and the counters of its client before the run.
#[derive(Debug)]
struct Remote {
    layer: RemoteLayer,
    before: Option<remote::Counters>,
}

/// State of targets, disks and host before a run.
#[derive(Debug)]
pub struct Before {
    root: SysRoot,
    targets: Vec<Target>,
    devices: Vec<Watched>,
    traits: Vec<DeviceTraits>,
    disks: Vec<Watched>,
    remote: Vec<Remote>,
    tcp: Option<TcpSegments>,
    process: Option<ProcessIo>,
    load: Load,
    began: Instant,
}

impl Before {
    /// Examines the targets of a run; links such as `/proc/self/fd/N` are followed. To be called when files are laid
    /// out and before the first I/O. At most 16 targets are opened, and large ones are sampled.
    pub fn look(root: &SysRoot, targets: &[PathBuf], sample: Sample) -> Before {
        Self::look_listing(root, targets, &|_| true, &|_| Vec::new(), sample)
    }

    /// Examines the targets of a run. Only the disks of targets for which `listed` returns true are in fio's disk
    /// statistics. Zeros are sampled in the ranges that `read` returns for a target; none = the whole target.
    pub fn look_listing(
        root: &SysRoot,
        targets: &[PathBuf],
        listed: &dyn Fn(&Path) -> bool,
        read: &dyn Fn(&Path) -> Vec<Range<u64>>,
        sample: Sample,
    ) -> Before {
        let mut seen: Vec<(u64, u64)> = Vec::new();
        let mut close: Vec<Target> = Vec::new();
        let mut devices: Vec<Watched> = Vec::new();
        let mut disks: Vec<Watched> = Vec::new();
        let mut homes: Vec<DeviceNumber> = Vec::new();
        let mut remote: Vec<Remote> = Vec::new();
        for path in targets.iter().take(FAR) {
            // fio finds the disk by the file's device number, and so finds none for btrfs, tmpfs or a network file
            // system.
            let mut list = |home: DeviceNumber| {
                if let Some(disk) =
                    Device::of(root, home).and_then(|d| d.whole(root)).filter(|_| listed(path))
                    && !disks.iter().any(|w| w.device.number == disk.number)
                {
                    disks.extend(Watched::stacked(root, disk));
                }
            };
            let Ok(meta) = std::fs::metadata(path) else {
                directory_of(path).iter().for_each(|dir| list(DeviceNumber::from_raw(dir.dev())));
                continue;
            };
            let block = meta.file_type().is_block_device();
            let identity = if block { (u64::MAX, meta.rdev()) } else { (meta.dev(), meta.ino()) };
            if seen.contains(&identity) {
                continue;
            }
            seen.push(identity);
            let home = DeviceNumber::from_raw(if block { meta.rdev() } else { meta.dev() });
            let stack = if close.len() < CLOSE || !homes.contains(&home) {
                Stack::under(root, path).unwrap_or_default()
            } else {
                Stack::default()
            };
            homes.push(home);
            for device in stack.devices() {
                if !devices.iter().any(|w| w.device.number == device.number) {
                    devices.extend(Watched::alone(root, device.clone()));
                }
            }
            for layer in stack.layers.iter().filter_map(|layer| remote::of(root, layer)) {
                if !remote.iter().any(|known| known.layer.name == layer.name) {
                    remote.push(Remote { layer, before: None });
                }
            }
            list(home);
            if sample != Sample::Disks && close.len() < CLOSE && (block || meta.is_file()) {
                close.push(look_closely(path, &stack, block, sample, read(path)));
            }
        }
        let limits = cgroup::limits(root);
        let traits = devices.iter().map(|w| traits::of(root, &w.device, &limits)).collect();
        let load = Load::read(root);
        // Counters are read last, so that the I/O of this examination is not counted.
        for watched in devices.iter_mut().chain(&mut disks) {
            watched.begin(root);
        }
        for remote in &mut remote {
            remote.before = remote::Counters::read(root, &remote.layer);
        }
        let tcp = (!remote.is_empty()).then(|| network::tcp_segments(root)).flatten();
        let process = process::io(root);
        Before {
            root: root.clone(),
            targets: close,
            devices,
            traits,
            disks,
            remote,
            tcp,
            process,
            load,
            began: Instant::now(),
        }
    }

    /// Closes the files of these paths: a file that the run deletes would otherwise keep its space until the end.
    pub fn let_go(&mut self, paths: impl Fn(&Path) -> bool) {
        self.targets
            .iter_mut()
            .filter(|t| paths(Path::new(&t.layers.path)))
            .for_each(|target| target.file = None);
    }

    /// Returns fio's disk statistics since the start of the run.
    pub fn disks_now(&self) -> Vec<DiskOutcome> {
        let elapsed_ms = self.began.elapsed().as_secs_f64() * 1000.0;
        self.disks.iter().filter_map(|w| w.after(&self.root, elapsed_ms)).collect()
    }

    /// Returns the root below which facts are read, and the whole devices below the targets.
    pub fn drives(&self) -> (SysRoot, Vec<Device>) {
        let mut drives: Vec<Device> = Vec::new();
        for whole in self.devices.iter().filter_map(|watched| watched.device.whole(&self.root)) {
            if !drives.iter().any(|drive| drive.number == whole.number) {
                drives.push(whole);
            }
        }
        (self.root.clone(), drives)
    }

    /// Returns the changes since the examination before the run, and fio's disk statistics: each target's disk once,
    /// with the members of a stacked disk. The caller adds queue depths, CPU time of threads and wall time.
    pub fn after(self, app_ios: [u64; 3], app_bytes: [u64; 3]) -> (Layers, Vec<DiskOutcome>) {
        let process =
            process::io(&self.root).zip(self.process).map(|(now, then)| process::io_since(now, then));
        let elapsed_ms = self.began.elapsed().as_secs_f64() * 1000.0;
        let all =
            |w: &[Watched]| w.iter().filter_map(|w| w.after(&self.root, elapsed_ms)).collect::<Vec<_>>();
        let (devices, disks) = (all(&self.devices), all(&self.disks));
        let remote = self.remote.into_iter().map(|Remote { mut layer, before }| {
            let now = before.as_ref().and_then(|_| remote::Counters::read(&self.root, &layer));
            layer.traffic = now.zip(before).and_then(|(now, then)| now.since(&then));
            layer
        });
        let remote = remote.collect();
        let tcp = network::tcp_segments(&self.root).zip(self.tcp);
        let tcp = tcp.map(|(now, then)| network::segments_since(now, then));
        let targets = self.targets.into_iter().map(|Target { layers: mut target, file, read }| {
            target.cached_after = file.as_ref().and_then(|f| residency::cached_bytes(f, target.size));
            // Blocks written by the run did not contain zeros when the run read them later.
            let written = file.is_some() && app_bytes[1] > 0;
            if let Some(zero) = target.zero_blocks.as_mut().filter(|zero| written && **zero > 0)
                && let Some(now) = zeros::sample_regions(Path::new(&target.path), target.size, &read)
            {
                *zero = (*zero).min(now.zero);
            }
            target
        });
        let targets = targets.collect();
        let mut traits = self.traits;
        for (traits, watched) in traits.iter_mut().zip(&self.devices) {
            if let Some((then, now)) =
                traits.compressed.as_mut().zip(traits::compressed(&self.root, &watched.device))
            {
                then[1] = now;
            }
            if let Some((then, now)) = traits.heat.as_mut().zip(flash::heat(&self.root, &watched.device)) {
                then[1] = now;
            }
            traits.rebuilding =
                traits.rebuilding.take().or_else(|| traits::rebuilding(&self.root, &watched.device));
        }
        let host = Load::read(&self.root).since(&self.load, &self.root);
        let layers = Layers {
            app_ios,
            app_bytes,
            process,
            targets,
            devices,
            traits,
            remote,
            tcp,
            connections: Vec::new(),
            host,
            ..Default::default()
        };
        (layers, disks)
    }
}

/// Returns the metadata of the directory in which a file will be created, or of the nearest existing directory above.
fn directory_of(path: &Path) -> Option<Metadata> {
    let here =
        |dir: &Path| if dir.as_os_str().is_empty() { Path::new(".").to_owned() } else { dir.to_owned() };
    path.ancestors().skip(1).find_map(|dir| std::fs::metadata(here(dir)).ok())
}

fn look_closely(path: &Path, stack: &Stack, block: bool, sample: Sample, read: Vec<Range<u64>>) -> Target {
    let words = stack.words();
    let in_memory = words.first().is_some_and(|top| top == "tmpfs");
    let mut target =
        TargetLayers { path: path.to_string_lossy().into_owned(), stack: words, ..Default::default() };
    if let Some(Layer::FileSystem(mount)) = stack.layers.first().filter(|_| !block) {
        target.compresses = mount.options.split(',').any(layers::compresses);
        target.used_percent = rustix::fs::statvfs(path).ok().filter(|s| s.f_blocks > 0).map(|s| {
            let used = s.f_blocks.saturating_sub(s.f_bfree);
            100.0 * used as f64 / (used + s.f_bavail).max(1) as f64
        });
    }
    let flags = (OFlags::NONBLOCK | OFlags::CLOEXEC).bits() as i32;
    let Ok(file) = File::options().read(true).custom_flags(flags).open(path) else {
        return Target { layers: target, file: None, read };
    };
    target.size =
        if block { sys::block::size(&file).unwrap_or(0) } else { file.metadata().map_or(0, |m| m.len()) };
    if !block {
        let missing = extents::missing(&file, target.size);
        target.holes = missing.map(|m| m.holes);
        target.unwritten = missing.and_then(|m| m.unwritten);
    }
    // Cached bytes are counted before the sample, which may change them.
    target.cached_before = residency::cached_bytes(&file, target.size);
    let wanted = if block { sample == Sample::All } else { in_memory || target.unwritten.is_some() };
    if let Some(zeros) = wanted.then(|| zeros::sample_regions(path, target.size, &read)).flatten() {
        (target.zero_blocks, target.sampled_blocks) = (Some(zeros.zero), Some(zeros.sampled));
    }
    Target { layers: target, file: Some(file), read }
}
