//! Limits of the kernel for this process.

use crate::SysRoot;
use sys::limits::{self, Limit, Resource};

/// Returns the limits of a resource; no limits if the kernel does not report them.
fn of(resource: Resource) -> Limit {
    limits::get(resource).unwrap_or_default()
}

/// Returns RLIMIT_NOFILE: one more than the largest file descriptor number.
pub fn open_files() -> Limit {
    of(Resource::OpenFiles)
}

/// Returns RLIMIT_MEMLOCK in bytes.
pub fn locked_memory() -> Limit {
    of(Resource::LockedMemory)
}

/// Returns RLIMIT_NPROC: largest number of threads of this user, all programs together.
pub fn threads() -> Limit {
    of(Resource::Threads)
}

/// Raises the soft limit of open files to the hard limit and returns the new limits.
///
/// # Errors
/// A system call fails.
pub fn raise_open_files() -> std::io::Result<Limit> {
    raise(Resource::OpenFiles)
}

/// Raises the soft limit of locked memory to the hard limit and returns the new limits.
///
/// # Errors
/// A system call fails.
pub fn raise_locked_memory() -> std::io::Result<Limit> {
    raise(Resource::LockedMemory)
}

/// Raises the soft limit of threads to the hard limit and returns the new limits.
///
/// # Errors
/// A system call fails.
pub fn raise_threads() -> std::io::Result<Limit> {
    raise(Resource::Threads)
}

fn raise(resource: Resource) -> std::io::Result<Limit> {
    let hard = limits::get(resource)?.hard;
    limits::set(resource, Limit { soft: hard, hard })?;
    limits::get(resource)
}

/// Returns the number of Linux AIO requests that all contexts of the system have reserved (`aio-nr`), and the largest
/// permitted number (`aio-max-nr`); `None` if a number cannot be read.
pub fn aio(root: &SysRoot) -> Option<(u64, u64)> {
    Some((root.number("/proc/sys/fs/aio-nr")?, root.number("/proc/sys/fs/aio-max-nr")?))
}

/// Returns `kernel.io_uring_disabled`: 0 = allowed for all, 1 = for privileged processes and one group, 2 = disabled. 0
/// if the setting does not exist.
pub fn io_uring_disabled(root: &SysRoot) -> u8 {
    root.number("/proc/sys/kernel/io_uring_disabled").unwrap_or(0)
}

/// Capability of a process; the value is the number of the bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Capability {
    /// CAP_IPC_LOCK: memory can be locked without limit.
    IpcLock = 14,
    /// CAP_SYS_ADMIN: system administration.
    SysAdmin = 21,
    /// CAP_SYS_RESOURCE: resource limits such as the number of threads do not apply.
    SysResource = 24,
}

/// Returns whether a capability of this process is effective; false if /proc is not available.
pub fn has(root: &SysRoot, capability: Capability) -> bool {
    let status = root.read("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|l| u64::from_str_radix(l.strip_prefix("CapEff:")?.trim(), 16).ok());
    bits.unwrap_or(0) >> (capability as u8) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_and_aio_are_read_from_proc() {
        let root = SysRoot::machine();
        assert_eq!(has(&root, Capability::SysAdmin), testbed::root());
        let (now, most) = aio(&root).unwrap();
        assert!(now <= most && most > 0);
    }
}
