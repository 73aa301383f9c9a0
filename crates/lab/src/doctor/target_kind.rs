//! Rules about the kind of the target (disk, file, or neither) and about the contents of a file.

use super::{Examined, Lines, space};
use facts::alignment::OffsetCause;
use facts::layers::{DeviceKind, Mounted};
use facts::usage::{self, Use};
use facts::{extents, residency, signature};
use rustix::fs::{Mode, OFlags};
use stats::doctor::{Fact, FileSystemKind, MountEffect, Severity, TargetKind, Topic, UsedAs};

/// Largest share of unwritten ranges in a file that is not reported, percent.
const MISSING_PERCENT: u64 = 1;
/// Largest share of zero blocks in a file with real data, percent.
const ZERO_PERCENT: u64 = 20;
/// Smallest mean extent, bytes, at which a sequential read of the file is still sequential for a disk with moving
/// heads.
const SMALL_PIECE: u64 = 1 << 20;
/// Number of extents up to which their length does not matter.
const FEW_PIECES: u32 = 16;
/// Share of free space, percent, below which file systems and flash become slower.
const TIGHT_PERCENT: u64 = 10;
/// Free space of a file system, in percent, below which the doctor notes low space.
const NARROW_PERCENT: u64 = 15;

pub(super) fn lines(examined: &Examined, lines: &mut Lines) {
    let mut add = |severity, fact| lines.add(Topic::Ground, severity, fact);
    add(Severity::Fine, Fact::Target { kind: examined.target, size: examined.size });
    if examined.size == Some(0) {
        add(Severity::Spoils, Fact::Empty { kind: examined.target });
    }
    if let Some(mount) = examined.file_system() {
        let answers = kind_of(&mount.kind);
        let fact = Fact::OnFileSystem {
            kind: mount.kind.clone(),
            answers,
            at: mount.at.to_string_lossy().into_owned(),
        };
        let severity = match answers {
            // The figures are right, but those of memory.
            FileSystemKind::Memory => Severity::Matters,
            FileSystemKind::Disk => Severity::Note,
            _ => Severity::Matters,
        };
        add(severity, fact);
        for (option, effect) in effects(mount) {
            let severity = match effect {
                MountEffect::Discard => Severity::Note,
                _ => Severity::Matters,
            };
            let at = mount.at.to_string_lossy().into_owned();
            add(severity, Fact::MountOption { at, option, effect });
        }
    }
    for device in examined.stack.devices() {
        if let DeviceKind::Loop { backing } = &device.kind {
            let direct = examined.root.number::<u32>(device.number.sysfs().join("loop/dio")) == Some(1);
            let backing = backing.to_string_lossy().into_owned();
            let severity = if direct { Severity::Note } else { Severity::Matters };
            add(severity, Fact::LoopOverFile { device: device.name.clone(), backing, direct });
        }
    }
    if let Some(errno) = examined.unreadable.filter(|_| examined.target != TargetKind::Directory) {
        add(Severity::Note, Fact::Unreadable { errno });
    }
    in_use(examined, &mut add);
    contents(examined, &mut add);
    if let Some((free, size)) =
        examined.path.as_deref().filter(|_| examined.file_system().is_some()).and_then(space)
        && size > 0
    {
        let percent = (u128::from(free) * 100 / u128::from(size)) as u64;
        let severity = match percent {
            p if p < TIGHT_PERCENT => Severity::Matters,
            p if p < NARROW_PERCENT => Severity::Note,
            _ => Severity::Fine,
        };
        add(severity, Fact::Space { size, free });
    }
}

/// Returns where a file system of this type serves its data.
pub(crate) fn kind_of(file_system: &str) -> FileSystemKind {
    match file_system {
        "tmpfs" | "ramfs" | "devtmpfs" | "rootfs" | "hugetlbfs" => FileSystemKind::Memory,
        "overlay" | "ecryptfs" | "aufs" | "unionfs" => FileSystemKind::Overlay,
        "nfs" | "nfs4" | "cifs" | "smb3" | "ceph" | "lustre" | "gpfs" | "beegfs" | "afs" | "glusterfs" => {
            FileSystemKind::Network
        }
        "9p" | "virtiofs" => FileSystemKind::Served,
        kind if kind == "fuse" || kind.starts_with("fuse.") || kind == "fuseblk" => FileSystemKind::Served,
        "btrfs" | "zfs" | "bcachefs" => FileSystemKind::CopyOnWrite,
        _ => FileSystemKind::Disk,
    }
}

fn effects(mount: &Mounted) -> Vec<(String, MountEffect)> {
    let mut found: Vec<(String, MountEffect)> = Vec::new();
    for option in mount.flags.split(',').chain(mount.options.split(',')) {
        let effect = match option {
            "sync" | "dirsync" | "wsync" => MountEffect::Synchronous,
            "nobarrier" | "barrier=0" => MountEffect::NoFlush,
            "data=journal" => MountEffect::DataTwice,
            "dax" | "dax=always" => MountEffect::Dax,
            "ro" => MountEffect::ReadOnly,
            "discard" | "discard=async" => MountEffect::Discard,
            _ if facts::layers::compresses(option) => MountEffect::Compressed,
            _ => continue,
        };
        match found.iter_mut().find(|(_, e)| *e == effect) {
            Some((options, _)) if options.split(',').any(|o| o == option) => {}
            Some((options, _)) => *options = format!("{options},{option}"),
            None => found.push((option.to_owned(), effect)),
        }
    }
    found
}

fn in_use(examined: &Examined, add: &mut dyn FnMut(Severity, Fact)) {
    let device = examined.first();
    let Some(device) =
        device.filter(|_| matches!(examined.target, TargetKind::Device | TargetKind::Partition))
    else {
        return;
    };
    let uses = usage::live(examined.root, device);
    for used in &uses {
        let (device, used, by) = match used {
            Use::Mounted { device, at } => (device, UsedAs::Mounted, at.to_string_lossy().into_owned()),
            Use::Swap { device } => (device, UsedAs::Swap, String::new()),
            Use::Held { device, by } => (device, UsedAs::Part, by.clone()),
            Use::Loop { device, by } => (device, UsedAs::Loop, by.clone()),
            Use::Partitioned { .. }
            | Use::Carries(_)
            | Use::Unknown { .. }
            | Use::SameFile { .. }
            | Use::Opened { .. } => continue,
        };
        add(Severity::Matters, Fact::InUse { device: device.clone(), used, by });
    }
    let (Some(file), Some(size)) = (&examined.file, examined.size) else { return };
    for found in signature::find(file, size).unwrap_or_default() {
        add(Severity::Note, Fact::Carries { device: device.name.clone(), what: found.what });
    }
}

fn contents(examined: &Examined, add: &mut dyn FnMut(Severity, Fact)) {
    let (Some(file), Some(path), Some(size)) = (&examined.file, &examined.path, examined.size) else {
        return;
    };
    if examined.target == TargetKind::Directory || size == 0 {
        return;
    }
    let flags = OFlags::RDONLY | OFlags::DIRECT | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let accepted = rustix::fs::open(path, flags, Mode::empty()).is_ok();
    add(if accepted { Severity::Fine } else { Severity::Matters }, Fact::DirectIo { accepted });
    let mut percent_missing = 0;
    if examined.target == TargetKind::File
        && let Some(missing) = extents::missing(file, size)
    {
        let all = missing.holes.saturating_add(missing.unwritten.unwrap_or(0));
        percent_missing = (u128::from(all) * 100 / u128::from(size)) as u64;
        let severity = if percent_missing > MISSING_PERCENT { Severity::Spoils } else { Severity::Fine };
        add(severity, Fact::Holes { size, holes: missing.holes, unwritten: missing.unwritten });
    }
    let above = examined
        .places
        .first()
        .filter(|_| examined.target == TargetKind::File)
        .and_then(|p| p.above.as_ref());
    if let Some((_, OffsetCause::Pieces(pieces))) = above {
        let mean_bytes = size / u64::from(*pieces).max(1);
        let scattered = *pieces > FEW_PIECES && mean_bytes < SMALL_PIECE;
        let severity = if scattered { Severity::Note } else { Severity::Fine };
        add(severity, Fact::Pieces { size, pieces: *pieces, mean_bytes });
    }
    if let Some(zeros) = examined.sample.filter(|z| z.sampled > 0) {
        let percent = u64::from(zeros.zero) * 100 / u64::from(zeros.sampled);
        // Holes, which are reported above, read as zeros.
        let severity =
            if percent > ZERO_PERCENT + percent_missing { Severity::Matters } else { Severity::Fine };
        add(severity, Fact::ZeroBlocks { sampled: zeros.sampled, zero: zeros.zero });
    }
    if let Some(cached) = residency::cached_bytes(file, size) {
        let severity = if cached > size / 10 { Severity::Note } else { Severity::Fine };
        add(severity, Fact::Cached { size, cached });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::layers::DeviceNumber;

    fn mounted(flags: &str, options: &str) -> Vec<(String, MountEffect)> {
        let mount = Mounted {
            id: 1,
            number: DeviceNumber { major: 8, minor: 1 },
            within: "/".into(),
            at: "/data".into(),
            kind: "ext4".into(),
            source: "/dev/sda1".into(),
            options: options.into(),
            flags: flags.into(),
        };
        effects(&mount)
    }

    #[test]
    fn mount_options_that_change_figures_are_reported_once() {
        assert_eq!(
            mounted(
                "rw,relatime,nodiratime",
                "rw,stripe=32,data=ordered,discard_unit=8,nodiscard,compress=no"
            ),
            []
        );
        let found = mounted(
            "ro,noatime",
            "ro,sync,dirsync,barrier=0,data=journal,discard,compress-force=lzo,dax=always",
        );
        let found: Vec<_> = found.iter().map(|(o, e)| (o.as_str(), *e)).collect();
        let expected = [
            ("ro", MountEffect::ReadOnly),
            ("sync,dirsync", MountEffect::Synchronous),
            ("barrier=0", MountEffect::NoFlush),
            ("data=journal", MountEffect::DataTwice),
            ("discard", MountEffect::Discard),
            ("compress-force=lzo", MountEffect::Compressed),
            ("dax=always", MountEffect::Dax),
        ];
        assert_eq!(found, expected);
    }
}
