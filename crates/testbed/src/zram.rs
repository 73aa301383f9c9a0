//! zram devices: block devices in compressed memory.
use crate::Sandbox;
use crate::undo::{CONTROL, remove_zram};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Block device in compressed memory; removed on drop.
#[derive(Debug)]
pub struct Zram {
    name: String,
    // Holds a file of the device's name, so that a sweep finds it.
    _sandbox: Sandbox,
}

impl Zram {
    /// Returns an empty device of `size_bytes`.
    ///
    /// # Errors
    /// The kernel has no zram, or refuses the device.
    pub fn new(size_bytes: u64) -> io::Result<Zram> {
        let sandbox = Sandbox::new()?;
        let number = fs::read_to_string(Path::new(CONTROL).join("hot_add"))?;
        let name = format!("zram{}", number.trim());
        fs::write(sandbox.join(&name), "")?;
        let zram = Zram { name, _sandbox: sandbox };
        fs::write(format!("/sys/block/{}/disksize", zram.name), size_bytes.to_string())?;
        Ok(zram)
    }

    /// Returns the name `zramN`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path `/dev/zramN`.
    pub fn path(&self) -> PathBuf {
        Path::new("/dev").join(&self.name)
    }

    /// Returns the stored bytes, and the bytes of memory that they occupy.
    ///
    /// # Errors
    /// sysfs has no entry for the device.
    pub fn stored(&self) -> io::Result<(u64, u64)> {
        Self::stored_by(&self.name)
    }

    /// Returns the same numbers for the device `name`.
    ///
    /// # Errors
    /// sysfs has no entry for the device.
    pub fn stored_by(name: &str) -> io::Result<(u64, u64)> {
        let text = fs::read_to_string(format!("/sys/block/{name}/mm_stat"))?;
        let mut n = text.split_whitespace().filter_map(|w| w.parse().ok());
        Ok((n.next().unwrap_or(0), n.next().unwrap_or(0)))
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        remove_zram(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Need, skip_without};

    #[test]
    fn zeros_take_no_room_and_the_device_goes() {
        skip_without!(Need::Zram);
        let zram = Zram::new(16 << 20).unwrap();
        fs::write(zram.path(), vec![7u8; 1 << 20]).unwrap();
        fs::File::options().write(true).open(zram.path()).unwrap().sync_all().unwrap();
        let (stored, taken) = zram.stored().unwrap();
        assert!(stored >= 1 << 20 && taken < stored / 10, "{stored} bytes take {taken}");
        let path = zram.path();
        drop(zram);
        assert!(!path.exists());
    }
}
