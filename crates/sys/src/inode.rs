//! Numbers that distinguish an inode, or a medium under a device node, from a later one with the same inode or device
//! number.

use rustix::fd::{AsFd, AsRawFd};
use rustix::ioctl::{Getter, Opcode, ioctl, opcode};
use std::io;

const FS_IOC_GETVERSION: Opcode = opcode::read::<u64>(b'v', 1);
const BLKGETDISKSEQ: Opcode = opcode::read::<u64>(0x12, 128);
const LOOP_GET_STATUS64: Opcode = 0x4c05;

/// Returns the generation of an inode, which changes when the inode number is given to a new file.
///
/// # Errors
/// ENOTTY if the file system keeps no generations.
pub fn generation<Fd: AsFd>(file: Fd) -> io::Result<u64> {
    let mut generation = 0u64;
    // SAFETY: most file systems write an int and some a long; both fit into the 64 bits that the pointer refers to.
    let got = unsafe {
        libc::ioctl(file.as_fd().as_raw_fd(), FS_IOC_GETVERSION as _, std::ptr::from_mut(&mut generation))
    };
    if got == -1 { Err(io::Error::last_os_error()) } else { Ok(generation) }
}

/// Returns the sequence number of the medium of a block device. The kernel gives each medium and each attached file a
/// new number.
///
/// # Errors
/// ENOTTY before Linux 5.15 or if `device` is not a block device.
pub fn disk_sequence<Fd: AsFd>(device: Fd) -> io::Result<u64> {
    // SAFETY: BLKGETDISKSEQ stores exactly one u64.
    Ok(unsafe { ioctl(device, Getter::<BLKGETDISKSEQ, u64>::new())? })
}

/// Returns the device number and inode number of the backing file of a loop device.
///
/// # Errors
/// ENXIO if no file is attached, ENOTTY if `device` is not a loop device.
pub fn loop_backing<Fd: AsFd>(device: Fd) -> io::Result<(u64, u64)> {
    // struct loop_info64 has 232 bytes, which begin with lo_device and lo_inode.
    // SAFETY: LOOP_GET_STATUS64 stores exactly one loop_info64.
    let info = unsafe { ioctl(device, Getter::<LOOP_GET_STATUS64, [u64; 29]>::new())? };
    Ok((info[0], info[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_of_devices_are_refused_on_files() {
        let file = std::fs::File::open("/proc/self/exe").unwrap();
        assert_eq!(disk_sequence(&file).unwrap_err().raw_os_error(), Some(libc::ENOTTY));
        assert_eq!(loop_backing(&file).unwrap_err().raw_os_error(), Some(libc::ENOTTY));
    }
}
