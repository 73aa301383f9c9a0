//! NVMe: identification of the namespace behind a generic character device (`/dev/ngXnY`), and the commands that the
//! driver takes through io_uring.

use crate::uring::COMMAND;
use rustix::fd::AsFd;
use std::io;
use std::os::fd::AsRawFd;

/// NVME_IOCTL_ID: `_IO('N', 0x40)`.
const IOCTL_ID: libc::c_ulong = 0x4e40;
/// NVME_IOCTL_ADMIN_CMD: `_IOWR('N', 0x41, struct nvme_passthru_cmd)`.
const IOCTL_ADMIN: libc::c_ulong = 0xc048_4e41;
/// NVME_IOCTL_IO_CMD: `_IOWR('N', 0x43, struct nvme_passthru_cmd)`.
const IOCTL_IO: libc::c_ulong = 0xc048_4e43;
/// NVME_URING_CMD_IO: `_IOWR('N', 0x80, struct nvme_uring_cmd)`; the command names one buffer.
pub const URING_IO: u32 = 0xc048_4e80;
/// NVME_URING_CMD_IO_VEC: `_IOWR('N', 0x81, struct nvme_uring_cmd)`; the command names an array of `struct iovec`.
pub const URING_IO_VEC: u32 = 0xc048_4e81;

/// Identify Namespace data structure in bytes.
pub(crate) const IDENTIFY: usize = 4096;

/// Opcodes of the NVM command set.
pub mod op {
    #![allow(missing_docs)]
    pub const FLUSH: u8 = 0x00;
    pub const WRITE: u8 = 0x01;
    pub const READ: u8 = 0x02;
    pub const WRITE_UNCORRECTABLE: u8 = 0x04;
    pub const COMPARE: u8 = 0x05;
    pub const WRITE_ZEROES: u8 = 0x08;
    pub const DATASET_MANAGEMENT: u8 = 0x09;
    pub const VERIFY: u8 = 0x0c;
}

/// A command of the driver: `struct nvme_uring_cmd`, which has the layout of `struct nvme_passthru_cmd`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Command {
    pub opcode: u8,
    pub flags: u8,
    pub rsvd1: u16,
    pub nsid: u32,
    pub cdw2: u32,
    pub cdw3: u32,
    pub metadata: u64,
    pub addr: u64,
    pub metadata_len: u32,
    pub data_len: u32,
    pub cdw10: u32,
    pub cdw11: u32,
    pub cdw12: u32,
    pub cdw13: u32,
    pub cdw14: u32,
    pub cdw15: u32,
    pub timeout_ms: u32,
    pub rsvd2: u32,
}

impl Command {
    /// Returns the command as it stands in the entry of the submission queue.
    #[inline]
    pub fn bytes(&self) -> [u8; COMMAND] {
        let mut bytes = [0; COMMAND];
        let mut at = 0;
        macro_rules! put {
            ($($field:ident)*) => {$(
                let value = self.$field.to_ne_bytes();
                bytes[at..at + value.len()].copy_from_slice(&value);
                at += value.len();
            )*};
        }
        put!(opcode flags rsvd1 nsid cdw2 cdw3 metadata addr metadata_len data_len);
        put!(cdw10 cdw11 cdw12 cdw13 cdw14 cdw15 timeout_ms rsvd2);
        debug_assert_eq!(at, size_of::<Command>());
        bytes
    }
}

/// A namespace and its format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Namespace {
    /// Namespace identifier.
    pub id: u32,
    /// Index of the format in the lists of formats.
    pub format: u8,
    /// Number of logical blocks.
    pub blocks: u64,
    /// Binary logarithm of the bytes of data in a logical block.
    pub shift: u32,
    /// Bytes of metadata of a logical block.
    pub metadata: u32,
    /// Whether metadata follow the data of each block in the same buffer.
    pub extended: bool,
    /// Type of the end-to-end protection information, 1 to 3; 0 = none.
    pub protection: u8,
    /// Whether the protection information are the first bytes of the metadata, not the last.
    pub protection_first: bool,
}

impl Namespace {
    /// Returns the bytes of data in the namespace.
    pub fn bytes(&self) -> u64 {
        self.blocks << self.shift
    }

    /// Returns the namespace `id` of an Identify Namespace data structure; `None` if its format is not valid.
    fn parse(id: u32, data: &[u8; IDENTIFY]) -> Option<Namespace> {
        let blocks = u64::from_le_bytes(data[..8].try_into().ok()?);
        let (flbas, dps) = (data[26], data[29]);
        // Bits 6:5 are the upper bits of the index if there are more than 16 formats.
        let upper = if data[25] >= 16 { (flbas >> 5) & 3 } else { 0 };
        let format = upper << 4 | flbas & 15;
        let at = 128 + 4 * usize::from(format);
        let shift = u32::from(data[at + 2]);
        if blocks == 0 || !(9..=24).contains(&shift) || blocks.leading_zeros() < shift {
            return None;
        }
        Some(Namespace {
            id,
            format,
            blocks,
            shift,
            metadata: u32::from(u16::from_le_bytes([data[at], data[at + 1]])),
            extended: flbas & 1 << 4 != 0,
            protection: dps & 7,
            protection_first: dps & 8 != 0,
        })
    }
}

/// Returns the identifier of the namespace of an open device node.
///
/// # Errors
/// ENOTTY if the device is not a namespace.
pub fn id<Fd: AsFd>(device: Fd) -> io::Result<u32> {
    // SAFETY: NVME_IOCTL_ID takes no argument.
    match unsafe { libc::ioctl(device.as_fd().as_raw_fd(), IOCTL_ID, 0) } {
        id if id < 0 => Err(io::Error::last_os_error()),
        id => Ok(id as u32),
    }
}

/// Returns the namespace of an open device node.
///
/// # Errors
/// ENOTTY if the device is not a namespace; EACCES without the permission to identify it; EIO if the device refuses
/// the command; EINVAL if its format is unknown.
pub fn namespace<Fd: AsFd>(device: Fd) -> io::Result<Namespace> {
    let nsid = id(&device)?;
    let mut data = Box::new([0u8; IDENTIFY]);
    let command = identify_command(nsid, &mut data);
    // SAFETY: the command fills the 4096 bytes of `data`, which lives across the call.
    unsafe { admin(&device, command)? };
    Namespace::parse(nsid, &data).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
}

/// Returns the command that identifies the namespace `nsid` (CNS 0) into `data`.
pub(crate) fn identify_command(nsid: u32, data: &mut [u8; IDENTIFY]) -> Command {
    const IDENTIFY_OPCODE: u8 = 0x06;
    Command {
        opcode: IDENTIFY_OPCODE,
        nsid,
        addr: data.as_mut_ptr() as u64,
        data_len: IDENTIFY as u32,
        ..Command::default()
    }
}

/// Sends a command to the admin queue of the controller, and waits for its completion.
///
/// # Errors
/// EIO if the controller refuses the command, else the errno of the ioctl.
///
/// # Safety
/// The memory that the command names has the bytes that it transfers, and lives across the call.
pub(crate) unsafe fn admin<Fd: AsFd>(device: Fd, mut command: Command) -> io::Result<()> {
    // SAFETY: as required from the caller.
    unsafe { pass(device, IOCTL_ADMIN, &mut command) }
}

/// Sends a command like [`admin`] and returns the first word of its completion.
///
/// # Errors
/// Those of [`admin`].
///
/// # Safety
/// As of [`admin`].
pub(crate) unsafe fn admin_result<Fd: AsFd>(device: Fd, mut command: Command) -> io::Result<u32> {
    // SAFETY: as required from the caller.
    unsafe { pass(device, IOCTL_ADMIN, &mut command)? };
    // The last field of struct nvme_passthru_cmd is `result`.
    Ok(command.rsvd2)
}

/// Sends a command to an I/O queue of the namespace, and waits for its completion.
///
/// # Errors
/// EIO if the controller refuses the command, else the errno of the ioctl.
///
/// # Safety
/// The memory that the command names has the bytes that it transfers, and lives across the call.
pub(crate) unsafe fn io_command<Fd: AsFd>(device: Fd, mut command: Command) -> io::Result<()> {
    // SAFETY: as required from the caller.
    unsafe { pass(device, IOCTL_IO, &mut command) }
}

/// Makes the writes of a namespace durable (Flush).
///
/// # Errors
/// ENOTTY if the device is not a namespace; EIO if the controller refuses the command.
pub fn flush<Fd: AsFd>(device: Fd) -> io::Result<()> {
    let command = Command { opcode: op::FLUSH, nsid: id(&device)?, ..Command::default() };
    // SAFETY: the command names no memory.
    unsafe { io_command(device, command) }
}

/// # Safety
/// As of [`admin`]; `request` is an ioctl that takes a struct nvme_passthru_cmd.
unsafe fn pass<Fd: AsFd>(device: Fd, request: libc::c_ulong, command: &mut Command) -> io::Result<()> {
    // SAFETY: the kernel reads and writes `command`, which has the layout and size of struct nvme_passthru_cmd; the memory
    // that it names is valid by the contract of this function.
    match unsafe { libc::ioctl(device.as_fd().as_raw_fd(), request, &raw mut *command) } {
        0 => Ok(()),
        status if status > 0 => Err(io::Error::from_raw_os_error(libc::EIO)),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets of the fields in linux/nvme_ioctl.h.
    #[test]
    fn command_has_the_layout_of_the_kernel() {
        assert_eq!(size_of::<Command>(), 72);
        let command = Command {
            opcode: 1,
            nsid: 2,
            metadata: 3,
            addr: 4,
            metadata_len: 5,
            data_len: 6,
            cdw10: 7,
            cdw15: 8,
            timeout_ms: 9,
            ..Command::default()
        };
        let bytes = command.bytes();
        let nonzero: Vec<(usize, u8)> = bytes.iter().copied().enumerate().filter(|(_, b)| *b != 0).collect();
        let expected = [(0, 1), (4, 2), (16, 3), (24, 4), (32, 5), (36, 6), (40, 7), (60, 8), (64, 9)];
        assert_eq!(nonzero, expected);
    }

    /// Offsets of the fields in the Identify Namespace data structure of the NVM command set specification.
    #[test]
    fn namespace_is_read_from_the_identify_data() {
        let mut data = [0; IDENTIFY];
        data[..8].copy_from_slice(&1000u64.to_le_bytes());
        (data[25], data[26], data[29]) = (1, 0x11, 0x09);
        data[128 + 2] = 9;
        data[132..136].copy_from_slice(&[8, 0, 12, 0]);
        let parsed = Namespace::parse(7, &data).unwrap();
        let expected = Namespace {
            id: 7,
            format: 1,
            blocks: 1000,
            shift: 12,
            metadata: 8,
            extended: true,
            protection: 1,
            protection_first: true,
        };
        assert_eq!((parsed, parsed.bytes()), (expected, 4_096_000));
        data[134] = 0;
        assert_eq!(Namespace::parse(7, &data), None);
    }

    #[test]
    fn other_files_are_no_namespaces() {
        for path in ["/dev/null", "/proc/self/exe"] {
            let file = std::fs::File::open(path).unwrap();
            assert_eq!(namespace(&file).unwrap_err().raw_os_error(), Some(libc::ENOTTY), "{path}");
        }
    }
}
