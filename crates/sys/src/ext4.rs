//! ioctls of ext4.

use rustix::fd::{AsFd, AsRawFd};
use rustix::ioctl::{Opcode, Updater, ioctl, opcode};
use std::io;
use std::ops::Range;

/// `struct move_extent` of the kernel.
#[repr(C)]
struct MoveExtent {
    reserved: u32,
    /// Descriptor of the donor.
    donor: u32,
    /// First block in the file.
    start: u64,
    /// First block in the donor.
    donor_start: u64,
    /// Number of blocks.
    length: u64,
    /// Number of blocks that were moved, from the kernel.
    moved: u64,
}

const MOVE_EXT: Opcode = opcode::read_write::<MoveExtent>(b'f', 15);

/// Moves the data of the blocks `blocks` of `file` to the blocks that `donor` has at the same offsets, and gives the old
/// blocks to the donor (EXT4_IOC_MOVE_EXT). Contents and size of `file` stay as they are. Returns the number of blocks
/// moved.
///
/// # Errors
/// ENOTTY or EINVAL if the files are not two files of the same ext4 that are open for writing, ENODATA if either has no
/// blocks there.
pub fn move_extents<F: AsFd, D: AsFd>(file: F, donor: D, blocks: Range<u64>) -> io::Result<u64> {
    let mut request = MoveExtent {
        reserved: 0,
        donor: donor.as_fd().as_raw_fd() as u32,
        start: blocks.start,
        donor_start: blocks.start,
        length: blocks.end - blocks.start,
        moved: 0,
    };
    // SAFETY: the kernel reads the request and stores `moved` in it; both descriptors are open during the call.
    unsafe { ioctl(file, Updater::<MOVE_EXT, MoveExtent>::new(&mut request))? };
    Ok(request.moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_on_ext4_is_refused() {
        let file = std::fs::File::open("/proc/self/exe").unwrap();
        let zero = std::fs::File::open("/dev/zero").unwrap();
        assert!(move_extents(&zero, &file, 0..1).is_err());
        assert_eq!((std::mem::size_of::<MoveExtent>(), MOVE_EXT), (40, 0xc028_660f));
    }
}
