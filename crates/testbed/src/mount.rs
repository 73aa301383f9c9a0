//! File systems on loop devices and in memory.
use crate::loopdev::Setup;
use crate::undo::unmount;
use crate::{Bounded, LoopDevice, Sandbox, TOOL_LIMIT};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// File systems on which fathom is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSystem {
    /// File system ext4, on a loop device.
    Ext4,
    /// File system XFS, on a loop device of at least 300 MiB.
    Xfs,
    /// File system Btrfs, on a loop device of at least 114 MiB.
    Btrfs,
    /// File system in memory that supports `O_DIRECT` since Linux 6.6.
    Tmpfs,
    /// File system in memory without `O_DIRECT`.
    Ramfs,
}

impl FileSystem {
    /// File systems of the enumeration, in its order.
    pub const ALL: [FileSystem; 5] = [Self::Ext4, Self::Xfs, Self::Btrfs, Self::Tmpfs, Self::Ramfs];

    /// Returns the kernel's name of the file system.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ext4 => "ext4",
            Self::Xfs => "xfs",
            Self::Btrfs => "btrfs",
            Self::Tmpfs => "tmpfs",
            Self::Ramfs => "ramfs",
        }
    }

    /// Returns the program that makes the file system, if one is needed.
    pub fn mkfs(self) -> Option<&'static str> {
        match self {
            Self::Ext4 => Some("mkfs.ext4"),
            Self::Xfs => Some("mkfs.xfs"),
            Self::Btrfs => Some("mkfs.btrfs"),
            Self::Tmpfs | Self::Ramfs => None,
        }
    }
}

/// Creates the file system with all its structures: deferred initialisation of ext4 would write while a test counts.
fn make(kind: FileSystem, mkfs: &str, device: &LoopDevice) -> io::Result<()> {
    let options: &[&str] = match kind {
        FileSystem::Ext4 => &["-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"],
        _ => &["-f"],
    };
    run(Command::new(mkfs).arg("-q").args(options).arg(device.path()))
}

/// Mounted file system; unmounted on drop.
#[derive(Debug)]
pub struct Mount {
    point: PathBuf,
    device: Option<LoopDevice>,
    /// File system below an overlay.
    below: Option<Box<Mount>>,
    // The fields drop in this order: first the device, then the directory that holds its file.
    _sandbox: Sandbox,
}

impl Mount {
    /// Creates and mounts a file system of `size_bytes`, or of the smallest size that the kind supports.
    ///
    /// # Errors
    /// A program is missing, or the kernel refuses the mount.
    pub fn new(kind: FileSystem, size_bytes: u64) -> io::Result<Mount> {
        let sandbox = Sandbox::new()?;
        let point = sandbox.join("mnt");
        std::fs::create_dir(&point)?;
        let device = match kind.mkfs() {
            None => None,
            Some(mkfs) => {
                let least = if kind == FileSystem::Xfs { 320 << 20 } else { 128 << 20 };
                let backing = sandbox.sparse("backing", size_bytes.max(least))?;
                let device = LoopDevice::from_file(&backing, Setup::default())?;
                make(kind, mkfs, &device)?;
                Some(device)
            }
        };
        let options = if device.is_none() { format!("size={size_bytes}") } else { "defaults".into() };
        let source = device.as_ref().map_or(Path::new("fathom-test"), LoopDevice::path);
        mount(kind, source, &options, &point)?;
        Ok(Mount { point, device, below: None, _sandbox: sandbox })
    }

    /// Creates the file system on `device`, which must be large enough, and mounts it with `options` (`compress=zstd`).
    ///
    /// # Errors
    /// The same as those of [`Mount::new`].
    pub fn on(kind: FileSystem, device: LoopDevice, options: &str) -> io::Result<Mount> {
        let mkfs = kind.mkfs().ok_or_else(|| io::Error::other("a file system in memory has no device"))?;
        let sandbox = Sandbox::new()?;
        let point = sandbox.join("mnt");
        std::fs::create_dir(&point)?;
        make(kind, mkfs, &device)?;
        mount(kind, device.path(), options, &point)?;
        Ok(Mount { point, device: Some(device), below: None, _sandbox: sandbox })
    }

    /// Mounts an overlay whose layers are directories of `below`.
    ///
    /// # Errors
    /// The kernel refuses the mount.
    pub fn overlay(below: Mount) -> io::Result<Mount> {
        let sandbox = Sandbox::new()?;
        let point = sandbox.join("mnt");
        std::fs::create_dir(&point)?;
        let layers = ["lower", "upper", "work"].map(|name| below.path().join(name));
        layers.iter().try_for_each(std::fs::create_dir)?;
        let [lower, upper, work] = layers.map(|path| path.display().to_string());
        let options = format!("lowerdir={lower},upperdir={upper},workdir={work}");
        run(Command::new("mount").args(["-t", "overlay", "-o", &options, "fathom-test"]).arg(&point))?;
        Ok(Mount { point, device: None, below: Some(Box::new(below)), _sandbox: sandbox })
    }

    /// Returns the mount point.
    pub fn path(&self) -> &Path {
        &self.point
    }

    /// Returns the device below the file system; `None` for a file system in memory.
    pub fn device(&self) -> Option<&LoopDevice> {
        self.device.as_ref().or_else(|| self.below.as_ref()?.device())
    }
}

fn mount(kind: FileSystem, source: &Path, options: &str, point: &Path) -> io::Result<()> {
    run(Command::new("mount").args(["-t", kind.name(), "-o", options]).arg(source).arg(point))
}

impl Drop for Mount {
    fn drop(&mut self) {
        unmount(&self.point);
    }
}

pub(crate) fn run(command: &mut Command) -> io::Result<()> {
    let out = command.output_within(TOOL_LIMIT)?;
    if out.status.success() {
        return Ok(());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(io::Error::other(format!("{program}: {}", String::from_utf8_lossy(&out.stderr).trim())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loopdev::gone;
    use crate::{Need, have_program, skip, skip_without};

    #[test]
    fn every_file_system_mounts_takes_a_file_and_goes() {
        skip_without!(Need::Loop);
        for kind in FileSystem::ALL {
            if let Some(mkfs) = kind.mkfs().filter(|m| !have_program(m)) {
                skip(&format!("needs the program {mkfs}"));
                continue;
            }
            let mount = Mount::new(kind, 64 << 20).unwrap();
            std::fs::write(mount.path().join("f"), vec![7u8; 1 << 20]).unwrap();
            let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
            let line = mounts.lines().find(|l| l.contains(&*mount.path().to_string_lossy())).unwrap();
            assert_eq!(line.split(' ').nth(2), Some(kind.name()));
            let point = mount.path().to_path_buf();
            let device = mount.device().map(|d| (d.name(), d.backing().to_path_buf()));
            drop(mount);
            assert!(!point.exists());
            if let Some((name, backing)) = device {
                assert!(gone(&name, &backing), "{name} stayed");
            }
        }
    }
}
