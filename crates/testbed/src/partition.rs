//! A partition of a loop device that starts at a given sector.
use crate::mount::run;
use crate::{Bounded, LoopDevice, TOOL_LIMIT};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The single partition of a loop device; removed on drop, before the device.
#[derive(Debug)]
pub struct Partition {
    path: PathBuf,
    device: LoopDevice,
}

impl Partition {
    /// Writes a partition table with one entry, which starts at `start_sector` (of 512 bytes) and ends at the end of
    /// the device.
    ///
    /// # Errors
    /// `sfdisk` or `partx` fails.
    pub fn new(device: LoopDevice, start_sector: u64) -> io::Result<Partition> {
        let table = Command::new("sfdisk")
            .args(["--quiet", "--no-reread", "--no-tell-kernel", "--label", "dos"])
            .arg(device.path())
            .output_of_input(format!("start={start_sector}, type=83\n").as_bytes(), TOOL_LIMIT)?;
        if !table.status.success() {
            return Err(io::Error::other(format!("sfdisk takes no partition at sector {start_sector}")));
        }
        run(Command::new("partx").arg("--add").arg(device.path()))?;
        let path = PathBuf::from(format!("{}p1", device.path().display()));
        Ok(Partition { path, device })
    }

    /// Returns the path `/dev/loopNp1`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the loop device that contains the partition.
    pub fn device(&self) -> &LoopDevice {
        &self.device
    }
}

impl Drop for Partition {
    fn drop(&mut self) {
        // A detached loop device keeps its partitions, and a partition stays as long as it is in use.
        for _ in 0..50 {
            let _ = Command::new("partx").arg("--delete").arg(self.device.path()).output_within(TOOL_LIMIT);
            if !self.path.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Need, skip_without};

    #[test]
    fn a_partition_begins_where_it_was_told_and_goes() {
        skip_without!(Need::Loop, Need::Program("sfdisk"), Need::Program("partx"));
        let partition = Partition::new(LoopDevice::in_memory(8 << 20, false, None).unwrap(), 63).unwrap();
        let name = partition.device().name();
        let start = std::fs::read_to_string(format!("/sys/block/{name}/{name}p1/start")).unwrap();
        assert_eq!(start.trim(), "63");
        assert!(partition.path().exists());
        drop(partition);
        assert!(!Path::new(&format!("/sys/block/{name}/{name}p1")).exists());
    }
}
