//! Loop devices over a file of the testbed.
use crate::Sandbox;
use crate::witness::DiskStats;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A loop device; detached on drop.
#[derive(Debug)]
pub struct LoopDevice {
    path: PathBuf,
    backing: PathBuf,
    // Dropped after `drop` has detached the device.
    _sandbox: Option<Sandbox>,
}

/// How a loop device is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup {
    /// Logical sector size in bytes; `None` for 512.
    pub sector_bytes: Option<u32>,
    /// The device does direct I/O on its backing file.
    pub direct_io: bool,
    /// No writes.
    pub read_only: bool,
}

impl LoopDevice {
    /// A device of `size_bytes`, filled with incompressible data, over a file in a sandbox of its own.
    ///
    /// # Errors
    /// When the file cannot be written or no loop device is free.
    pub fn new(size_bytes: u64) -> io::Result<LoopDevice> {
        let sandbox = Sandbox::new()?;
        let backing = sandbox.file("backing", size_bytes)?;
        Self::attach(backing, Setup::default(), Some(sandbox))
    }

    /// The same over a file that is all hole: quick to make, for tests that write or plant signatures.
    ///
    /// # Errors
    /// As [`LoopDevice::new`].
    pub fn sparse(size_bytes: u64, setup: Setup) -> io::Result<LoopDevice> {
        let sandbox = Sandbox::new()?;
        let backing = sandbox.sparse("backing", size_bytes)?;
        Self::attach(backing, setup, Some(sandbox))
    }

    /// A device over a file that the caller keeps; it should lie in a [`Sandbox`] so that a sweep finds it.
    ///
    /// # Errors
    /// When no loop device is free or `losetup` refuses.
    pub fn from_file(backing: &Path, setup: Setup) -> io::Result<LoopDevice> {
        Self::attach(backing.to_path_buf(), setup, None)
    }

    fn attach(backing: PathBuf, setup: Setup, sandbox: Option<Sandbox>) -> io::Result<LoopDevice> {
        let mut command = Command::new("losetup");
        command.args(["--find", "--show"]);
        if let Some(bytes) = setup.sector_bytes {
            command.arg("--sector-size").arg(bytes.to_string());
        }
        if setup.direct_io {
            command.arg("--direct-io=on");
        }
        if setup.read_only {
            command.arg("--read-only");
        }
        let out = command.arg(&backing).output()?;
        if !out.status.success() {
            return Err(io::Error::other(format!(
                "losetup: {}",
                String::from_utf8_lossy(&out.stderr).trim()
            )));
        }
        let path = PathBuf::from(String::from_utf8_lossy(&out.stdout).trim());
        Ok(LoopDevice { path, backing, _sandbox: sandbox })
    }

    /// `/dev/loopN`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `loopN`.
    pub fn name(&self) -> String {
        self.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The file that holds the data.
    pub fn backing(&self) -> &Path {
        &self.backing
    }

    /// Device number as `major:minor`.
    ///
    /// # Errors
    /// When sysfs does not know the device.
    pub fn number(&self) -> io::Result<String> {
        Ok(std::fs::read_to_string(format!("/sys/block/{}/dev", self.name()))?.trim().to_string())
    }

    /// The kernel's counts for the device.
    ///
    /// # Errors
    /// When sysfs does not know the device.
    pub fn stats(&self) -> io::Result<DiskStats> {
        DiskStats::of(&self.name())
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        detach(&self.path);
    }
}

/// Detaches; a device that is still held goes when its last holder closes it.
pub(crate) fn detach(device: &Path) {
    let _ = Command::new("losetup").arg("--detach").arg(device).output();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Need, skip_without};

    #[test]
    fn a_device_shows_its_size_counts_its_reads_and_goes() {
        skip_without!(Need::Loop);
        let device = LoopDevice::new(8 << 20).unwrap();
        let name = device.name();
        let sectors = std::fs::read_to_string(format!("/sys/block/{name}/size")).unwrap();
        assert_eq!(sectors.trim(), (8 << 11).to_string());
        let before = device.stats().unwrap();
        let status = Command::new("dd")
            .args([
                &format!("if={}", device.path().display()),
                "of=/dev/null",
                "bs=64k",
                "count=16",
                "iflag=direct",
            ])
            .output()
            .unwrap();
        assert!(status.status.success());
        let used = device.stats().unwrap().since(&before);
        assert_eq!((used.reads + used.read_merges, used.read_bytes()), (16, 1 << 20));
        drop(device);
        assert!(!Path::new(&format!("/sys/block/{name}/loop/backing_file")).exists());
        let four_k =
            LoopDevice::sparse(8 << 20, Setup { sector_bytes: Some(4096), ..Setup::default() }).unwrap();
        let size = std::fs::read_to_string(format!("/sys/block/{}/queue/logical_block_size", four_k.name()))
            .unwrap();
        assert_eq!(size.trim(), "4096");
    }
}
