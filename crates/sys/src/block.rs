//! Block device ioctls beyond rustix's `ioctl_blksszget` and `ioctl_blkpbszget`.

use rustix::fd::AsFd;
use rustix::ioctl::{Getter, NoArg, Opcode, Setter, ioctl, opcode};
use std::io;

const BLKGETSIZE64: Opcode = opcode::read::<usize>(0x12, 114);
const BLKFLSBUF: Opcode = opcode::none(0x12, 97);
const BLKDISCARD: Opcode = opcode::none(0x12, 119);

/// Returns the size of the block device in bytes.
///
/// # Errors
/// ENOTTY if it is not a block device.
pub fn size<Fd: AsFd>(device: Fd) -> io::Result<u64> {
    // SAFETY: BLKGETSIZE64 stores exactly one u64, although its ioctl number is built from size_t.
    Ok(unsafe { ioctl(device, Getter::<BLKGETSIZE64, u64>::new())? })
}

/// Writes back and drops the cached pages of the block device (BLKFLSBUF).
///
/// # Errors
/// EACCES without CAP_SYS_ADMIN, ENOTTY if it is not a block device.
pub fn flush_buffers<Fd: AsFd>(device: Fd) -> io::Result<()> {
    // SAFETY: BLKFLSBUF takes no argument.
    unsafe { ioctl(device, NoArg::<BLKFLSBUF>::new())? };
    Ok(())
}

/// Discards `length` bytes from byte `start` (BLKDISCARD): the device may drop their contents.
///
/// # Errors
/// ENOTTY if it is not a block device, EOPNOTSUPP if it cannot discard, EINVAL if the range is not made of whole
/// sectors, EBADF if it is not open for writing.
pub fn discard<Fd: AsFd>(device: Fd, start: u64, length: u64) -> io::Result<()> {
    // SAFETY: BLKDISCARD reads two u64, first byte and length, from the array that is passed.
    unsafe { ioctl(device, Setter::<BLKDISCARD, [u64; 2]>::new([start, length]))? };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_is_no_block_device() {
        let file = std::fs::File::open("/proc/self/exe").unwrap();
        assert_eq!(size(&file).unwrap_err().raw_os_error(), Some(libc::ENOTTY));
        assert_eq!(discard(&file, 0, 512).unwrap_err().raw_os_error(), Some(libc::ENOTTY));
        assert_eq!(flush_buffers(&file).unwrap_err().raw_os_error(), Some(libc::ENOTTY));
    }
}
