//! A loop device whose rate the kernel limits.
use crate::{Cap, Cgroup, LoopDevice};
use std::io;
use std::path::Path;
use std::process::Command;

/// Filled loop device, and a cgroup whose members are limited to the cap on this device.
#[derive(Debug)]
pub struct CappedLoop {
    /// Loop device under the cap.
    pub device: LoopDevice,
    /// Cgroup in which the measured program is started.
    pub cgroup: Cgroup,
}

impl CappedLoop {
    /// Returns a filled device of `size_bytes` that is limited to `cap`.
    ///
    /// # Errors
    /// The device or the cgroup cannot be created.
    pub fn new(size_bytes: u64, cap: Cap) -> io::Result<CappedLoop> {
        let device = LoopDevice::new(size_bytes)?;
        let cgroup = Cgroup::new()?;
        cgroup.limit(&device.number()?, cap)?;
        Ok(CappedLoop { device, cgroup })
    }

    /// Returns a command that starts `program` in the cgroup.
    ///
    /// # Errors
    /// The same as those of [`Cgroup::enter`].
    pub fn command(&self, program: &Path) -> io::Result<Command> {
        let mut command = Command::new(program);
        self.cgroup.enter(&mut command)?;
        Ok(command)
    }
}
