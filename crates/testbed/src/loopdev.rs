//! Loop devices over a file of the testbed.
use crate::undo::detach_loop;
use crate::witness::DiskStats;
use crate::{Bounded, Sandbox, TOOL_LIMIT};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Loop device; detached on drop, which waits for the end of the device.
#[derive(Debug)]
pub struct LoopDevice {
    path: PathBuf,
    backing: PathBuf,
    // Dropped after `drop` has detached the device.
    _sandbox: Option<Sandbox>,
}

/// Settings of a loop device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup {
    /// Logical sector size, bytes; `None` for 512.
    pub sector_bytes: Option<u32>,
    /// Whether the device uses direct I/O on its backing file.
    pub direct_io: bool,
    /// Whether the device is read-only.
    pub read_only: bool,
}

impl LoopDevice {
    /// Returns a device of `size_bytes` over a file in its own sandbox, filled with incompressible data.
    ///
    /// # Errors
    /// The file cannot be written, or no loop device is free.
    pub fn new(size_bytes: u64) -> io::Result<LoopDevice> {
        let sandbox = Sandbox::new()?;
        let backing = sandbox.file("backing", size_bytes)?;
        Self::attach(backing, Setup::default(), Some(sandbox))
    }

    /// Returns a device over a sparse file in memory, for tests that write data or signatures.
    ///
    /// # Errors
    /// The same as those of [`LoopDevice::new`].
    pub fn sparse(size_bytes: u64, setup: Setup) -> io::Result<LoopDevice> {
        let sandbox = Sandbox::in_memory()?;
        let backing = sandbox.sparse("backing", size_bytes)?;
        Self::attach(backing, setup, Some(sandbox))
    }

    /// Returns a device of `size_bytes` over a file in memory that is read and written without a cache, at the speed of
    /// memory; filled with incompressible data or sparse.
    ///
    /// # Errors
    /// The same as those of [`LoopDevice::new`].
    pub fn in_memory(size_bytes: u64, filled: bool, sector_bytes: Option<u32>) -> io::Result<LoopDevice> {
        let sandbox = Sandbox::in_memory()?;
        let backing =
            if filled { sandbox.file("backing", size_bytes) } else { sandbox.sparse("backing", size_bytes) }?;
        Self::attach(backing, Setup { sector_bytes, direct_io: true, read_only: false }, Some(sandbox))
    }

    /// Returns a device over a file of the caller, which should lie in a [`Sandbox`] so that a sweep finds it.
    ///
    /// # Errors
    /// No loop device is free, or `losetup` fails.
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
        let out = command.arg(&backing).output_within(TOOL_LIMIT)?;
        if !out.status.success() {
            return Err(io::Error::other(format!(
                "losetup: {}",
                String::from_utf8_lossy(&out.stderr).trim()
            )));
        }
        let path = PathBuf::from(String::from_utf8_lossy(&out.stdout).trim());
        // A detached loop device keeps its I/O scheduler and the partitions that were added to it, but they do not belong to
        // the next file.
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let scheduler = format!("/sys/block/{name}/queue/scheduler");
        if std::fs::read_to_string(&scheduler).is_ok_and(|choices| !choices.contains("[none]")) {
            std::fs::write(&scheduler, "none")?;
        }
        if has_partitions(&name) {
            let _ = Command::new("partx").arg("--delete").arg(&path).output_within(TOOL_LIMIT);
        }
        Ok(LoopDevice { path, backing, _sandbox: sandbox })
    }

    /// Returns the path `/dev/loopN`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name `loopN`.
    pub fn name(&self) -> String {
        self.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Returns the path of the file that holds the device's data.
    pub fn backing(&self) -> &Path {
        &self.backing
    }

    /// Returns the device number as `major:minor`.
    ///
    /// # Errors
    /// sysfs has no entry for the device.
    pub fn number(&self) -> io::Result<String> {
        Ok(std::fs::read_to_string(format!("/sys/block/{}/dev", self.name()))?.trim().to_string())
    }

    /// Sets `key` in the device's `queue` directory in sysfs (`max_sectors_kb`, `write_cache`, `nr_requests`) until the
    /// device is dropped.
    ///
    /// # Errors
    /// The kernel refuses the value.
    pub fn tune(&self, key: &str, value: &str) -> io::Result<()> {
        std::fs::write(format!("/sys/block/{}/queue/{key}", self.name()), value)
    }

    /// Returns the kernel's counters of the device.
    ///
    /// # Errors
    /// sysfs has no entry for the device.
    pub fn stats(&self) -> io::Result<DiskStats> {
        DiskStats::of(&self.name())
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        detach_loop(&self.path, &self.backing);
        // What comes next may ask whether the backing file is in use.
        gone(&self.name(), &self.backing);
    }
}

fn has_partitions(name: &str) -> bool {
    let entries = std::fs::read_dir(Path::new("/sys/block").join(name)).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name())
        .any(|entry| entry.to_string_lossy().starts_with(&format!("{name}p")))
}

/// Waits until `backing` is not attached as `name`: whoever else has the device open for a moment, to identify it,
/// delays its end. The file is compared, because another test may use the freed device. `false` after ten seconds.
pub(crate) fn gone(name: &str, backing: &Path) -> bool {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    let holds = || crate::undo::backing_of(Path::new(name)).is_some_and(|file| file == backing);
    while holds() && std::time::Instant::now() < end {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    !holds()
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
            .output_within(TOOL_LIMIT)
            .unwrap();
        assert!(status.status.success());
        let used = device.stats().unwrap().since(&before);
        assert_eq!((used.reads + used.read_merges, used.read_bytes()), (16, 1 << 20));
        let backing = device.backing().to_path_buf();
        // Someone looks at the device for a moment.
        let open = std::fs::File::open(device.path()).unwrap();
        let closes = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            drop(open);
        });
        drop(device);
        let held = crate::undo::backing_of(Path::new(&name));
        assert!(held.is_none_or(|file| file != backing), "{name} stayed");
        closes.join().unwrap();
        let four_k =
            LoopDevice::sparse(8 << 20, Setup { sector_bytes: Some(4096), ..Setup::default() }).unwrap();
        let size = std::fs::read_to_string(format!("/sys/block/{}/queue/logical_block_size", four_k.name()))
            .unwrap();
        assert_eq!(size.trim(), "4096");
    }

    #[test]
    fn the_end_of_one_device_leaves_the_next_under_its_number() {
        skip_without!(Need::Loop);
        let device = LoopDevice::sparse(8 << 20, Setup::default()).unwrap();
        crate::undo::detach_loop(device.path(), &device.backing().with_file_name("earlier"));
        assert_eq!(crate::undo::backing_of(device.path()).as_deref(), Some(device.backing()));
    }

    #[test]
    fn what_was_tuned_is_as_new_for_the_next_file() {
        skip_without!(Need::Loop);
        let of = |name: &str, key: &str| {
            std::fs::read_to_string(format!("/sys/block/{name}/queue/{key}")).unwrap().trim().to_string()
        };
        let sandbox = Sandbox::in_memory().unwrap();
        let backing = sandbox.file("backing", 8 << 20).unwrap();
        let device = LoopDevice::from_file(&backing, Setup::default()).unwrap();
        let name = device.name();
        let fresh = of(&name, "max_sectors_kb");
        device.tune("max_sectors_kb", "32").unwrap();
        device.tune("write_cache", "write through").unwrap();
        let slots = of(&name, "nr_requests");
        device.tune("nr_requests", "4").unwrap();
        assert_eq!(
            (of(&name, "max_sectors_kb"), of(&name, "write_cache")),
            ("32".into(), "write through".into())
        );
        drop(device);
        assert_eq!((of(&name, "max_sectors_kb"), of(&name, "write_cache")), (fresh, "write back".into()));
        assert_eq!(of(&name, "nr_requests"), slots);
    }
}
