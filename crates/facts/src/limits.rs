//! What the kernel lets this process have.

use crate::SysRoot;
use sys::limits::{self, Limit, Resource};

/// The limits of a resource; none where the kernel does not tell them.
fn of(resource: Resource) -> Limit {
    limits::get(resource).unwrap_or_default()
}

/// Returns RLIMIT_NOFILE, one more than the largest file descriptor number.
pub fn open_files() -> Limit {
    of(Resource::OpenFiles)
}

/// RLIMIT_MEMLOCK, bytes.
pub fn locked_memory() -> Limit {
    of(Resource::LockedMemory)
}

/// RLIMIT_NPROC: threads of this user, all programs together.
pub fn threads() -> Limit {
    of(Resource::Threads)
}

/// Raises the soft limit of open files to the hard one.
pub fn raise_open_files() -> std::io::Result<Limit> {
    raise(Resource::OpenFiles)
}

/// Raises the soft limit of locked memory to the hard one.
pub fn raise_locked_memory() -> std::io::Result<Limit> {
    raise(Resource::LockedMemory)
}

/// Raises the soft limit of threads to the hard one.
pub fn raise_threads() -> std::io::Result<Limit> {
    raise(Resource::Threads)
}

fn raise(resource: Resource) -> std::io::Result<Limit> {
    let hard = limits::get(resource)?.hard;
    limits::set(resource, Limit { soft: hard, hard })?;
    limits::get(resource)
}

/// Requests of kernel AIO contexts: in use, and allowed, over the whole system.
pub fn aio(root: &SysRoot) -> Option<(u64, u64)> {
    Some((root.number("/proc/sys/fs/aio-nr")?, root.number("/proc/sys/fs/aio-max-nr")?))
}

/// `kernel.io_uring_disabled`: 0 = for all, 1 = for the privileged and one group, 2 = disabled.
pub fn io_uring_disabled(root: &SysRoot) -> u8 {
    root.number("/proc/sys/kernel/io_uring_disabled").unwrap_or(0)
}

/// A capability, by its bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Capability {
    /// Locks memory without limit.
    IpcLock = 14,
    /// Administers.
    SysAdmin = 21,
    /// Has no limit of threads.
    SysResource = 24,
}

/// Whether this process has a capability in effect; no if the kernel does not say.
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
