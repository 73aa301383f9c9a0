//! SCSI commands through the `sg` driver's interface, version 3: in one call (`SG_IO`, which block devices of disks have
//! too), or written to and read back from a character device `/dev/sgN`.

use rustix::fd::AsFd;
use std::io;
use std::os::fd::{AsRawFd, RawFd};

/// SG_IO of scsi/sg.h.
const SG_IO: libc::c_ulong = 0x2285;
/// Time in which a command has to complete, in milliseconds; fio's.
const TIMEOUT_MS: u32 = 30_000;
/// Flag of a command whose completion is polled for (SGV4_FLAG_HIPRI); drivers that do not know it ignore it.
pub const POLLED: u32 = 0x800;
/// Bit of [`Header::info`]: status, host or driver report something (SG_INFO_CHECK).
const INFO_CHECK: u32 = 1;
/// Largest number of bytes of sense data that are kept.
pub const SENSE: usize = 64;
/// Bytes of the command that all headers have room for.
pub const COMMAND: usize = 16;

/// Operation codes of SCSI block commands.
pub mod op {
    #![allow(missing_docs)]
    pub const TEST_UNIT_READY: u8 = 0x00;
    pub const INQUIRY: u8 = 0x12;
    pub const MODE_SENSE_6: u8 = 0x1a;
    pub const READ_CAPACITY_10: u8 = 0x25;
    pub const READ_10: u8 = 0x28;
    pub const WRITE_10: u8 = 0x2a;
    pub const WRITE_VERIFY_10: u8 = 0x2e;
    pub const VERIFY_10: u8 = 0x2f;
    pub const SYNCHRONIZE_CACHE_10: u8 = 0x35;
    pub const WRITE_SAME_10: u8 = 0x41;
    pub const UNMAP: u8 = 0x42;
    pub const PERSISTENT_RESERVE_IN: u8 = 0x5e;
    pub const READ_16: u8 = 0x88;
    pub const WRITE_16: u8 = 0x8a;
    pub const WRITE_VERIFY_16: u8 = 0x8e;
    pub const VERIFY_16: u8 = 0x8f;
    pub const WRITE_SAME_16: u8 = 0x93;
    pub const WRITE_STREAM_16: u8 = 0x9a;
    /// READ CAPACITY(16) and STREAM CONTROL are service actions of this code.
    pub const SERVICE_ACTION_IN_16: u8 = 0x9e;
}

/// Direction of a command's data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Transfer {
    /// No data.
    #[default]
    None = -1,
    /// From the buffer to the device.
    ToDevice = -2,
    /// From the device to the buffer.
    FromDevice = -3,
}

/// A command and its result: `struct sg_io_hdr`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Header {
    pub interface_id: i32,
    pub transfer: i32,
    pub command_len: u8,
    pub sense_room: u8,
    pub vectors: u16,
    pub data_len: u32,
    pub data: u64,
    pub command: u64,
    pub sense: u64,
    pub timeout_ms: u32,
    pub flags: u32,
    pub pack_id: i32,
    pub user: u64,
    pub status: u8,
    pub masked_status: u8,
    pub message_status: u8,
    pub sense_len: u8,
    pub host_status: u16,
    pub driver_status: u16,
    pub residual: i32,
    pub duration_ms: u32,
    pub info: u32,
}

impl Header {
    /// A header without command.
    pub const EMPTY: Header = Header {
        interface_id: b'S' as i32,
        transfer: Transfer::None as i32,
        command_len: 0,
        sense_room: 0,
        vectors: 0,
        data_len: 0,
        data: 0,
        command: 0,
        sense: 0,
        timeout_ms: TIMEOUT_MS,
        flags: 0,
        pack_id: 0,
        user: 0,
        status: 0,
        masked_status: 0,
        message_status: 0,
        sense_len: 0,
        host_status: 0,
        driver_status: 0,
        residual: 0,
        duration_ms: 0,
        info: 0,
    };

    /// Returns whether the command failed.
    #[inline]
    pub fn failed(&self) -> bool {
        self.info & INFO_CHECK != 0
    }
}

/// Sends a command to a character device; [`receive`] returns its result.
///
/// # Errors
/// errno of write(2): EDOM if the device has as many commands of this open file as it takes, EINVAL if it cannot
/// transfer as many bytes.
///
/// # Safety
/// Command, data and sense buffers of `header` must be as long as it says, and must stay valid until the command is
/// received.
#[inline]
pub unsafe fn send(fd: RawFd, header: &Header) -> Result<(), i32> {
    let arguments = [fd as usize, std::ptr::from_ref(header) as usize, size_of::<Header>(), 0, 0, 0];
    // SAFETY: the kernel reads the header, which has the layout of struct sg_io_hdr; the caller guarantees the buffers.
    match unsafe { crate::raw::syscall(libc::SYS_write, arguments) } {
        errno if errno < 0 => Err(-errno as i32),
        _ => Ok(()),
    }
}

/// Receives a completed command of a character device; `None` if none is complete.
///
/// # Errors
/// errno of read(2).
///
/// # Safety
/// The buffers of all commands sent on this open file must be valid.
#[inline]
pub unsafe fn receive(fd: RawFd) -> Result<Option<Header>, i32> {
    let mut header = Header::EMPTY;
    let arguments = [fd as usize, &raw mut header as usize, size_of::<Header>(), 0, 0, 0];
    // SAFETY: the kernel writes the header, and the data and the sense of the command into the buffers that the header
    // of the command named, for which the caller vouches.
    match unsafe { crate::raw::syscall(libc::SYS_read, arguments) } {
        errno if errno == -(libc::EAGAIN as isize) => Ok(None),
        errno if errno < 0 => Err(-errno as i32),
        _ => Ok(Some(header)),
    }
}

/// Executes a command and waits for its completion.
///
/// # Errors
/// errno of SG_IO: ENOTTY or EINVAL if the device takes no SCSI commands.
///
/// # Safety
/// Command, data and sense buffers of `header` must be as long as it says.
#[inline]
pub unsafe fn call(fd: RawFd, header: &mut Header) -> Result<(), i32> {
    let arguments = [fd as usize, SG_IO as usize, std::ptr::from_mut(header) as usize, 0, 0, 0];
    // SAFETY: the kernel reads and writes the header, which has the layout of struct sg_io_hdr; the caller guarantees the
    // buffers, which live across the call.
    match unsafe { crate::raw::syscall(libc::SYS_ioctl, arguments) } {
        errno if errno < 0 => Err(-errno as i32),
        _ => Ok(()),
    }
}

/// Blocks of a disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// Number of logical blocks.
    pub blocks: u64,
    /// Binary logarithm of the bytes of a logical block.
    pub shift: u32,
}

impl Capacity {
    /// Returns the bytes of the disk.
    pub fn bytes(&self) -> u64 {
        self.blocks << self.shift
    }

    /// Returns the capacity with this last block; `None` if it is not valid.
    pub fn of(last: u64, block: u32) -> Option<Capacity> {
        let shift = block.trailing_zeros();
        let blocks = last.checked_add(1)?;
        let valid = block.is_power_of_two() && (9..=16).contains(&shift) && blocks.leading_zeros() >= shift;
        valid.then_some(Capacity { blocks, shift })
    }
}

/// Executes a command that returns `N` bytes at most. A unit attention, as after a reset, is no error of the command,
/// which is sent again.
fn query<const N: usize>(device: impl AsFd, command: &[u8]) -> io::Result<[u8; N]> {
    const ATTEMPTS: usize = 4;
    const UNIT_ATTENTION: u8 = 6;
    let (mut data, mut sense) = ([0u8; N], [0u8; SENSE]);
    for _ in 0..ATTEMPTS {
        let mut header = Header {
            transfer: if N > 0 { Transfer::FromDevice } else { Transfer::None } as i32,
            command_len: command.len() as u8,
            sense_room: SENSE as u8,
            data_len: N as u32,
            data: data.as_mut_ptr() as u64,
            command: command.as_ptr() as u64,
            sense: sense.as_mut_ptr() as u64,
            ..Header::EMPTY
        };
        // SAFETY: the buffers have the lengths in the header and live across the call.
        unsafe { call(device.as_fd().as_raw_fd(), &mut header) }.map_err(io::Error::from_raw_os_error)?;
        if !header.failed() {
            return Ok(data);
        }
        let key = if sense[0] & 0x7f >= 0x72 { sense[1] } else { sense[2] };
        if header.sense_len == 0 || key & 0x0f != UNIT_ATTENTION {
            break;
        }
    }
    Err(io::Error::from_raw_os_error(libc::EIO))
}

/// Returns the blocks of the disk that the SCSI commands of an open device reach.
///
/// # Errors
/// ENOTTY or EINVAL if the device takes no SCSI commands; EIO if it refuses READ CAPACITY; ENXIO if its blocks are
/// unknown.
pub fn capacity<Fd: AsFd>(device: Fd) -> io::Result<Capacity> {
    let mut command = [0; 10];
    command[0] = op::READ_CAPACITY_10;
    let short: [u8; 8] = query(&device, &command)?;
    let word = |at: usize, bytes: &[u8]| {
        u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    };
    let (last, block) = match word(0, &short) {
        u32::MAX => {
            let mut command = [0; 16];
            (command[0], command[1], command[13]) = (op::SERVICE_ACTION_IN_16, 0x10, 32);
            let long: [u8; 32] = query(&device, &command)?;
            (u64::from(word(0, &long)) << 32 | u64::from(word(4, &long)), word(8, &long))
        }
        last => (last.into(), word(4, &short)),
    };
    Capacity::of(last, block).ok_or_else(|| io::Error::from_raw_os_error(libc::ENXIO))
}

/// Writes the disk's volatile cache to its medium, and waits for this.
///
/// # Errors
/// ENOTTY if the device takes no SCSI commands; EIO if it refuses the command.
pub fn synchronize<Fd: AsFd>(device: Fd) -> io::Result<()> {
    let mut command = [0; 10];
    command[0] = op::SYNCHRONIZE_CACHE_10;
    query::<0>(device, &command).map(drop)
}

/// Returns the command STREAM CONTROL: opens a stream, or closes the stream `close`.
fn stream_control(close: Option<u16>) -> [u8; 16] {
    let mut command = [0; 16];
    (command[0], command[13]) = (op::SERVICE_ACTION_IN_16, 8);
    command[1] = 0x14 | if close.is_some() { 0x40 } else { 0x20 };
    command[4..6].copy_from_slice(&close.unwrap_or(0).to_be_bytes());
    command
}

/// Opens a stream and returns its identifier.
///
/// # Errors
/// EIO if the device has no streams, or none left.
pub fn open_stream<Fd: AsFd>(device: Fd) -> io::Result<u16> {
    let data: [u8; 8] = query(device, &stream_control(None))?;
    Ok(u16::from_be_bytes([data[4], data[5]]))
}

/// Closes a stream.
///
/// # Errors
/// EIO if the device does not know the stream.
pub fn close_stream<Fd: AsFd>(device: Fd, stream: u16) -> io::Result<()> {
    query::<8>(device, &stream_control(Some(stream))).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    /// Offsets of the fields in scsi/sg.h.
    #[test]
    fn header_has_the_layout_of_the_kernel() {
        assert_eq!(size_of::<Header>(), 88);
        let offsets = [
            offset_of!(Header, command_len),
            offset_of!(Header, data_len),
            offset_of!(Header, data),
            offset_of!(Header, sense),
            offset_of!(Header, flags),
            offset_of!(Header, user),
            offset_of!(Header, status),
            offset_of!(Header, sense_len),
            offset_of!(Header, host_status),
            offset_of!(Header, residual),
            offset_of!(Header, info),
        ];
        assert_eq!(offsets, [8, 12, 16, 32, 44, 56, 64, 67, 68, 72, 80]);
    }

    #[test]
    fn capacity_is_valid_only_with_blocks_of_a_power_of_two() {
        assert_eq!(Capacity::of(1999, 512).map(|c| c.bytes()), Some(1_024_000));
        assert_eq!(Capacity::of((1 << 33) - 1, 4096), Some(Capacity { blocks: 1 << 33, shift: 12 }));
        for (last, block) in [(1, 0), (1, 256), (1, 520), (u64::MAX, 512), (u64::MAX - 1, 512)] {
            assert_eq!(Capacity::of(last, block), None, "{last} {block}");
        }
    }

    /// SBC-4: STR_CTL is 01b (open) or 10b (close) in bits 6:5 of byte 1, the service action 14h below.
    #[test]
    fn streams_are_opened_and_closed_by_stream_control() {
        assert_eq!(stream_control(None), [0x9e, 0x34, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0]);
        assert_eq!(stream_control(Some(0x102)), [0x9e, 0x54, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0]);
    }

    #[test]
    fn other_files_take_no_scsi_commands() {
        for path in ["/dev/null", "/proc/self/exe"] {
            let file = std::fs::File::open(path).unwrap();
            assert_eq!(capacity(&file).unwrap_err().raw_os_error(), Some(libc::ENOTTY), "{path}");
        }
    }
}
