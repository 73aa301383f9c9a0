//! I/O priority and NUMA memory policy of the calling thread; time of a kernel clock.

use std::io;

fn checked(result: libc::c_long) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Returns the time of the clock with the number `clock` in milliseconds (clock_gettime(2)).
///
/// # Errors
/// EINVAL if the clock does not exist.
pub fn clock_ms(clock: i32) -> io::Result<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes the time into `time`, which lives across the call.
    checked(unsafe { libc::clock_gettime(clock, &mut time) }.into())?;
    Ok(time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000)
}

/// Sets the I/O priority of the calling thread (ioprio_set(2)); `value` is class << 13 | hint << 3 | level.
///
/// # Errors
/// EINVAL for an invalid value, EPERM without the privilege that the class needs.
pub fn set_ioprio(value: u16) -> io::Result<()> {
    const WHO_PROCESS: libc::c_int = 1;
    // SAFETY: the call takes three numbers and touches no memory of ours.
    checked(unsafe { libc::syscall(libc::SYS_ioprio_set, WHO_PROCESS, 0, libc::c_int::from(value)) })
}

/// Mode of set_mempolicy(2): the NUMA nodes on which memory is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// MPOL_DEFAULT: the policy of the system.
    Default,
    /// MPOL_PREFERRED: the given node, and other nodes when it is full.
    Prefer,
    /// MPOL_BIND: the given nodes only.
    Bind,
    /// MPOL_INTERLEAVE: the given nodes, page by page in turn.
    Interleave,
    /// MPOL_LOCAL: the node of the CPU that allocates.
    Local,
}

/// Sets the memory policy of the calling thread (set_mempolicy(2)); `nodes` are NUMA node numbers below 1024.
///
/// # Errors
/// EINVAL for a node that does not exist, ENOSYS without NUMA.
pub fn set_memory_policy(policy: Policy, nodes: &[u32]) -> io::Result<()> {
    const BITS: usize = 1024;
    let mut mask = [0u64; BITS / 64];
    for &node in nodes {
        *mask.get_mut(node as usize / 64).ok_or(io::ErrorKind::InvalidInput)? |= 1 << (node % 64);
    }
    let mode = match policy {
        Policy::Default => libc::MPOL_DEFAULT,
        Policy::Prefer => libc::MPOL_PREFERRED,
        Policy::Bind => libc::MPOL_BIND,
        Policy::Interleave => libc::MPOL_INTERLEAVE,
        Policy::Local => libc::MPOL_LOCAL,
    };
    // SAFETY: the kernel reads at most BITS bits of the mask, which lives across the call.
    checked(unsafe { libc::syscall(libc::SYS_set_mempolicy, mode, mask.as_ptr(), BITS + 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with /proc/thread-self/numa_maps and ioprio_get(2).
    #[test]
    fn priority_and_memory_policy_are_what_the_kernel_then_has() {
        std::thread::spawn(|| {
            set_ioprio(3 << 13).unwrap();
            // SAFETY: the call takes two numbers.
            assert_eq!(unsafe { libc::syscall(libc::SYS_ioprio_get, 1, 0) }, 3 << 13);
            set_memory_policy(Policy::Interleave, &[0]).unwrap();
            let maps = std::fs::read_to_string("/proc/thread-self/numa_maps").unwrap();
            assert!(maps.contains("interleave:0"), "{maps}");
            assert!(set_memory_policy(Policy::Bind, &[999]).is_err());
            assert!(set_memory_policy(Policy::Bind, &[5000]).is_err());
        })
        .join()
        .unwrap();
    }
}
