//! I/O priority and memory policy of a thread, and clocks of the kernel.

use std::io;

fn checked(result: libc::c_long) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Returns the time of the clock with this number in milliseconds (clock_gettime(2)). Errors: EINVAL for an unknown clock.
pub fn clock_ms(clock: i32) -> io::Result<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes the time into `time`, which lives across the call.
    checked(unsafe { libc::clock_gettime(clock, &mut time) }.into())?;
    Ok(time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000)
}

/// Sets the I/O priority of the calling thread (ioprio_set(2)); `value` is class << 13 | hint << 3 | level.
pub fn set_ioprio(value: u16) -> io::Result<()> {
    const WHO_PROCESS: libc::c_int = 1;
    // SAFETY: the call takes three numbers and touches no memory of ours.
    checked(unsafe { libc::syscall(libc::SYS_ioprio_set, WHO_PROCESS, 0, libc::c_int::from(value)) })
}

/// Policy for the placement of memory on NUMA nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The policy of the system.
    Default,
    /// One node, others when it is full.
    Prefer,
    /// The given nodes only.
    Bind,
    /// The given nodes in rotation.
    Interleave,
    /// The node of the CPU that allocates.
    Local,
}

/// Sets the memory policy of the calling thread (set_mempolicy(2)). Errors: EINVAL for an unknown node, ENOSYS without NUMA.
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

    /// Witnesses: /proc and ioprio_get.
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
