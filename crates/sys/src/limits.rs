//! Resource limits of the process (getrlimit(2), setrlimit(2)). rustix's functions panic if a seccomp filter forbids
//! the call.

use std::io;

/// A limited resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// RLIMIT_NOFILE: largest file descriptor plus one.
    OpenFiles,
    /// RLIMIT_MEMLOCK, bytes.
    LockedMemory,
    /// RLIMIT_NPROC: number of threads of this user.
    Threads,
}

/// Type of the resource number in libc's functions, which differs by C library.
#[cfg(target_env = "musl")]
type Number = libc::c_int;
#[cfg(not(target_env = "musl"))]
type Number = libc::__rlimit_resource_t;

impl Resource {
    fn number(self) -> Number {
        match self {
            Resource::OpenFiles => libc::RLIMIT_NOFILE,
            Resource::LockedMemory => libc::RLIMIT_MEMLOCK,
            Resource::Threads => libc::RLIMIT_NPROC,
        }
    }
}

/// Soft and hard limit of a resource, in its unit; `None` = unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Limit in force.
    pub soft: Option<u64>,
    /// Highest value to which an unprivileged process may raise the soft limit.
    pub hard: Option<u64>,
}

/// Returns the limits of a resource.
///
/// # Errors
/// errno of getrlimit(2); EPERM or ENOSYS if a seccomp filter forbids the call.
pub fn get(resource: Resource) -> io::Result<Limit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel fills `limit`, which has its layout and lives across the call.
    match unsafe { libc::getrlimit(resource.number(), &raw mut limit) } {
        0 => {
            let some = |n| Some(n).filter(|n| *n != libc::RLIM_INFINITY);
            Ok(Limit { soft: some(limit.rlim_cur), hard: some(limit.rlim_max) })
        }
        _ => Err(io::Error::last_os_error()),
    }
}

/// Sets the limits of a resource.
///
/// # Errors
/// errno of setrlimit(2): EPERM if the hard limit is raised without privilege, EINVAL if soft exceeds hard.
pub fn set(resource: Resource, limit: Limit) -> io::Result<()> {
    let number = |n: Option<u64>| n.unwrap_or(libc::RLIM_INFINITY);
    let limit = libc::rlimit { rlim_cur: number(limit.soft), rlim_max: number(limit.hard) };
    // SAFETY: the kernel reads `limit`, which has its layout and lives across the call.
    match unsafe { libc::setrlimit(resource.number(), &raw const limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
