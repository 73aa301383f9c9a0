//! ioctls of flash memory without a controller of its own (MTD, `/dev/mtdN`).

use rustix::fd::AsFd;
use rustix::ioctl::{Getter, Opcode, Setter, opcode};
use std::io;

/// `struct mtd_info_user` of the kernel.
#[repr(C)]
#[derive(Clone, Copy)]
struct Info {
    kind: u8,
    flags: u32,
    size: u32,
    erase_size: u32,
    write_size: u32,
    spare_size: u32,
    padding: u64,
}

/// `struct erase_info_user64` of the kernel.
#[repr(C)]
struct Erase {
    start: u64,
    length: u64,
}

const INFO: Opcode = opcode::read::<Info>(b'M', 1);
const ERASE: Opcode = opcode::write::<Erase>(b'M', 20);
const IS_BAD: Opcode = opcode::write::<i64>(b'M', 11);

/// Returns the number of bytes that are erased together, an erase block.
///
/// # Errors
/// ENOTTY if it is not an MTD device.
pub fn erase_block<F: AsFd>(device: F) -> io::Result<u32> {
    // SAFETY: MEMGETINFO stores one `struct mtd_info_user`.
    let info = unsafe { rustix::ioctl::ioctl(device, Getter::<INFO, Info>::new())? };
    Ok(info.erase_size)
}

/// Erases `length` bytes from byte `start`: afterwards all bits are 1.
///
/// # Errors
/// EINVAL if the range is not made of whole erase blocks, EIO if a block is bad, ENOTTY if it is not an MTD device.
pub fn erase<F: AsFd>(device: F, start: u64, length: u64) -> io::Result<()> {
    // SAFETY: MEMERASE64 reads one `struct erase_info_user64`.
    unsafe { rustix::ioctl::ioctl(device, Setter::<ERASE, Erase>::new(Erase { start, length }))? };
    Ok(())
}

/// The argument of MEMGETBADBLOCK, whose result is the return value of the call.
struct BadBlock(i64);

// SAFETY: the pointer is to an i64, which the kernel reads as loff_t; the call returns 0 or 1.
unsafe impl rustix::ioctl::Ioctl for BadBlock {
    type Output = bool;
    const IS_MUTATING: bool = false;

    fn opcode(&self) -> Opcode {
        IS_BAD
    }

    fn as_ptr(&mut self) -> *mut std::ffi::c_void {
        (&raw mut self.0).cast()
    }

    unsafe fn output_from_ptr(
        out: rustix::ioctl::IoctlOutput,
        _: *mut std::ffi::c_void,
    ) -> rustix::io::Result<bool> {
        Ok(out != 0)
    }
}

/// Returns whether the erase block that begins at byte `start` is marked as bad.
///
/// # Errors
/// EINVAL beyond the end of the device, ENOTTY if it is not an MTD device.
pub fn is_bad<F: AsFd>(device: F, start: u64) -> io::Result<bool> {
    let start = i64::try_from(start).map_err(|_| io::ErrorKind::InvalidInput)?;
    // SAFETY: as for the implementation of `Ioctl`.
    Ok(unsafe { rustix::ioctl::ioctl(device, BadBlock(start))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are those of the kernel's mtd-abi.h.
    #[test]
    fn other_devices_are_refused() {
        let zero = std::fs::File::open("/dev/zero").unwrap();
        let errnos = [
            erase_block(&zero).unwrap_err(),
            erase(&zero, 0, 4096).unwrap_err(),
            is_bad(&zero, 0).unwrap_err(),
        ]
        .map(|e| e.raw_os_error());
        assert_eq!(errnos, [Some(libc::ENOTTY); 3]);
        assert_eq!((INFO, ERASE, IS_BAD), (0x8020_4d01, 0x4010_4d14, 0x4008_4d0b));
    }
}
