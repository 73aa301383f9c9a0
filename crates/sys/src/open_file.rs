//! Whether descriptors of two processes refer to the same open file description.

use std::io;

/// Kind of comparison of kcmp(2): open file descriptions.
const KCMP_FILE: libc::c_int = 0;

/// A descriptor of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptorOf {
    /// Process.
    pub pid: u32,
    /// Number of the descriptor.
    pub descriptor: u32,
}

/// Returns whether two descriptors refer to the same open file description: one process inherited it from, or was sent it
/// by, the other.
///
/// # Errors
/// ENOSYS if the kernel lacks kcmp(2), EPERM if this process must not inspect one of the processes or a filter forbids the
/// call, EBADF if a descriptor is closed, ESRCH if a process has ended.
pub fn is_shared(one: DescriptorOf, other: DescriptorOf) -> io::Result<bool> {
    // SAFETY: kcmp takes integers only.
    let order = unsafe {
        libc::syscall(
            libc::SYS_kcmp,
            one.pid as libc::pid_t,
            other.pid as libc::pid_t,
            KCMP_FILE,
            libc::c_ulong::from(one.descriptor),
            libc::c_ulong::from(other.descriptor),
        )
    };
    if order == -1 { Err(io::Error::last_os_error()) } else { Ok(order == 0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::fd::AsRawFd;

    #[test]
    fn a_duplicate_is_shared_and_a_second_open_is_not() {
        let own = |file: &File| DescriptorOf { pid: std::process::id(), descriptor: file.as_raw_fd() as u32 };
        let one = File::open("/dev/null").unwrap();
        let shared = match is_shared(own(&one), own(&one.try_clone().unwrap())) {
            Err(e) if matches!(e.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) => {
                println!("SKIP a_duplicate_is_shared_and_a_second_open_is_not: no kcmp: {e}");
                return;
            }
            shared => shared.unwrap(),
        };
        assert!(shared);
        assert!(!is_shared(own(&one), own(&File::open("/dev/null").unwrap())).unwrap());
    }
}
