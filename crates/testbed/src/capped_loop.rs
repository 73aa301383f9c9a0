//! A loop device under a cap.
use crate::{Cap, Cgroup, LoopDevice};
use std::io;
use std::path::Path;
use std::process::Command;

/// A filled loop device, and a cgroup whose members get at most the cap from it.
#[derive(Debug)]
pub struct CappedLoop {
    /// The device.
    pub device: LoopDevice,
    /// The cgroup to start the measured program in.
    pub cgroup: Cgroup,
}

impl CappedLoop {
    /// A device of `size_bytes` under `cap`.
    ///
    /// # Errors
    /// When either cannot be made.
    pub fn new(size_bytes: u64, cap: Cap) -> io::Result<CappedLoop> {
        let device = LoopDevice::new(size_bytes)?;
        let cgroup = Cgroup::new()?;
        cgroup.limit(&device.number()?, cap)?;
        Ok(CappedLoop { device, cgroup })
    }

    /// `program`, to be started under the cap.
    ///
    /// # Errors
    /// As [`Cgroup::enter`].
    pub fn command(&self, program: &Path) -> io::Result<Command> {
        let mut command = Command::new(program);
        self.cgroup.enter(&mut command)?;
        Ok(command)
    }
}
