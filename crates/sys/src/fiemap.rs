//! Physical extents of a file: FS_IOC_FIEMAP.

use rustix::fd::AsFd;
use rustix::ioctl::{Ioctl, IoctlOutput, Opcode, ioctl, opcode};
use std::ffi::c_void;
use std::io;

/// FIEMAP_EXTENT_LAST: the last extent of the file.
pub const EXTENT_LAST: u32 = 0x1;
/// FIEMAP_EXTENT_DELALLOC: delayed allocation; the extent holds data but has no place on the device yet.
pub const EXTENT_DELALLOC: u32 = 0x4;
/// FIEMAP_EXTENT_UNWRITTEN: reserved and never written; reads return zeros without access to the device.
pub const EXTENT_UNWRITTEN: u32 = 0x800;

/// One extent of a file (`struct fiemap_extent`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Extent {
    /// Offset in the file in bytes.
    pub logical: u64,
    /// Offset on the device in bytes.
    pub physical: u64,
    /// Length in bytes.
    pub length: u64,
    reserved64: [u64; 2],
    /// Bits `EXTENT_*`.
    pub flags: u32,
    reserved: [u32; 3],
}

const ROOM: usize = 256;

#[repr(C)]
struct Request {
    start: u64,
    length: u64,
    flags: u32,
    mapped_extents: u32,
    extent_count: u32,
    reserved: u32,
    extents: [Extent; ROOM],
}

/// Head of [`Request`], whose size is part of the ioctl's number.
#[repr(C)]
struct Head([u64; 4]);

// SAFETY: FIEMAP reads the head and writes at most `extent_count` extents behind it; `Request` has room for them.
unsafe impl Ioctl for &mut Request {
    type Output = ();
    const IS_MUTATING: bool = true;

    fn opcode(&self) -> Opcode {
        const { opcode::read_write::<Head>(b'f', 11) }
    }

    fn as_ptr(&mut self) -> *mut c_void {
        (&raw mut **self).cast()
    }

    unsafe fn output_from_ptr(_: IoctlOutput, _: *mut c_void) -> rustix::io::Result<()> {
        Ok(())
    }
}

/// Returns the extents of `length` bytes from byte `offset`, in ascending order, and whether they are complete:
/// `false` if more than `most` extents exist.
///
/// # Errors
/// EOPNOTSUPP or ENOTTY if the file system does not support FIEMAP (tmpfs, block devices).
pub fn extents<Fd: AsFd>(file: Fd, offset: u64, length: u64, most: usize) -> io::Result<(Vec<Extent>, bool)> {
    let end = offset.saturating_add(length);
    let mut found = Vec::new();
    let mut from = offset;
    while from < end {
        let room = most.saturating_sub(found.len()).min(ROOM);
        if room == 0 {
            return Ok((found, false));
        }
        let mut request = Box::new(Request {
            start: from,
            length: end - from,
            // Without FIEMAP_FLAG_SYNC: a query must not start the writeback of dirty data.
            flags: 0,
            mapped_extents: 0,
            extent_count: room as u32,
            reserved: 0,
            extents: [Extent::default(); ROOM],
        });
        // SAFETY: see the implementation of `Ioctl` above.
        unsafe { ioctl(&file, &mut *request)? };
        let mapped = (request.mapped_extents as usize).min(room);
        let batch = &request.extents[..mapped];
        let Some(last) = batch.last() else { break };
        found.extend_from_slice(batch);
        // A file system that returns the same extent twice must not cause an endless loop.
        let next = last.logical.saturating_add(last.length);
        if last.flags & EXTENT_LAST != 0 || next <= from {
            break;
        }
        from = next;
    }
    Ok((found, true))
}
