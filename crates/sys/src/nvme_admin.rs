//! NVMe admin commands that change a device: the volatile write cache, Format NVM and Sanitize.

use crate::nvme::{Command, IDENTIFY, admin, admin_result, namespace};
use rustix::fd::AsFd;
use std::io;

/// Feature identifier of the volatile write cache.
const WRITE_CACHE: u32 = 0x06;
/// Longest time of a format, milliseconds.
const FORMAT_MS: u32 = 12 * 3600 * 1000;

/// What a controller can do to all its data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether the controller has Format NVM.
    pub format: bool,
    /// Whether the controller can sanitize by block erase.
    pub block_erase: bool,
    /// Whether the controller has a volatile write cache.
    pub write_cache: bool,
    /// Number of active namespaces of the controller.
    pub namespaces: usize,
}

impl Capabilities {
    fn parse(controller: &[u8; IDENTIFY], list: &[u8; IDENTIFY]) -> Capabilities {
        let word = |at: usize| u32::from_le_bytes([list[at], list[at + 1], list[at + 2], list[at + 3]]);
        Capabilities {
            format: controller[256] & 2 != 0,
            block_erase: controller[328] & 2 != 0,
            write_cache: controller[525] & 1 != 0,
            namespaces: (0..IDENTIFY).step_by(4).take_while(|at| word(*at) != 0).count(),
        }
    }
}

/// Returns what the controller of an open namespace can do.
///
/// # Errors
/// ENOTTY if the device is no NVMe device; EACCES without the permission to identify it; EIO if the controller refuses
/// the command.
pub fn capabilities<Fd: AsFd>(device: Fd) -> io::Result<Capabilities> {
    const CONTROLLER: u32 = 1;
    const ACTIVE_NAMESPACES: u32 = 2;
    let page = |cns: u32| -> io::Result<Box<[u8; IDENTIFY]>> {
        let mut data = Box::new([0u8; IDENTIFY]);
        let command = Command { cdw10: cns, nsid: 0, ..crate::nvme::identify_command(0, &mut data) };
        // SAFETY: the command fills the 4096 bytes of `data`, which lives across the call.
        unsafe { admin(&device, command)? };
        Ok(data)
    };
    Ok(Capabilities::parse(&*page(CONTROLLER)?, &*page(ACTIVE_NAMESPACES)?))
}

/// Returns whether the volatile write cache is enabled (Get Features).
///
/// # Errors
/// ENOTTY if the device is no NVMe device; EIO if the controller has no volatile write cache.
pub fn write_cache<Fd: AsFd>(device: Fd) -> io::Result<bool> {
    const GET_FEATURES: u8 = 0x0a;
    let command = Command { opcode: GET_FEATURES, cdw10: WRITE_CACHE, ..Command::default() };
    // SAFETY: the command names no memory.
    Ok(unsafe { admin_result(device, command)? } & 1 == 1)
}

/// Enables or disables the volatile write cache until the next reset (Set Features).
///
/// # Errors
/// Those of [`write_cache`]; EACCES without the permission to set features.
pub fn set_write_cache<Fd: AsFd>(device: Fd, enabled: bool) -> io::Result<()> {
    // SAFETY: the command names no memory.
    unsafe { admin(device, set_command(enabled)) }
}

fn set_command(enabled: bool) -> Command {
    const SET_FEATURES: u8 = 0x09;
    Command { opcode: SET_FEATURES, cdw10: WRITE_CACHE, cdw11: enabled.into(), ..Command::default() }
}

/// Formats an open namespace in its present format and erases its user data. All data is lost.
///
/// # Errors
/// ENOTTY if the device is not a namespace; EACCES without the permission to format; EIO if the controller refuses the
/// command.
pub fn format<Fd: AsFd>(device: Fd) -> io::Result<()> {
    let space = namespace(&device)?;
    // SAFETY: the command names no memory.
    unsafe { admin(device, format_command(&space)) }
}

fn format_command(space: &crate::nvme::Namespace) -> Command {
    const FORMAT_NVM: u8 = 0x80;
    const USER_DATA_ERASE: u32 = 1;
    let format = u32::from(space.format);
    // Format, metadata and protection stay as they are.
    let cdw10 = format & 15
        | u32::from(space.extended) << 4
        | u32::from(space.protection) << 5
        | u32::from(space.protection_first) << 8
        | USER_DATA_ERASE << 9
        | (format >> 4) << 12;
    Command { opcode: FORMAT_NVM, nsid: space.id, cdw10, timeout_ms: FORMAT_MS, ..Command::default() }
}

/// Begins to sanitize the device by block erase. All data of all its namespaces is lost. [`sanitizing`] tells the end.
///
/// # Errors
/// ENOTTY if the device is no NVMe device; EACCES without the permission; EIO if the controller refuses the command.
pub fn sanitize<Fd: AsFd>(device: Fd) -> io::Result<()> {
    const SANITIZE: u8 = 0x84;
    const BLOCK_ERASE: u32 = 2;
    let command = Command { opcode: SANITIZE, cdw10: BLOCK_ERASE, ..Command::default() };
    // SAFETY: the command names no memory.
    unsafe { admin(device, command) }
}

/// Returns whether the device is still being sanitized, from its Sanitize Status log page.
///
/// # Errors
/// EIO if the last sanitize operation failed or the controller refuses the command, else the errno of the ioctl.
pub fn sanitizing<Fd: AsFd>(device: Fd) -> io::Result<bool> {
    const GET_LOG_PAGE: u8 = 0x02;
    const SANITIZE_STATUS: u32 = 0x81;
    const BYTES: usize = 20;
    let mut page = Box::new([0u8; BYTES]);
    let command = Command {
        opcode: GET_LOG_PAGE,
        nsid: 0xffff_ffff,
        addr: page.as_mut_ptr() as u64,
        data_len: BYTES as u32,
        cdw10: (BYTES as u32 / 4 - 1) << 16 | SANITIZE_STATUS,
        ..Command::default()
    };
    // SAFETY: the command fills the 20 bytes of `page`, which lives across the call.
    unsafe { admin(device, command)? };
    match page[2] & 7 {
        2 => Ok(true),
        3 => Err(io::Error::from_raw_os_error(libc::EIO)),
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvme::Namespace;

    /// Fields of command dword 10 of Format NVM in the NVM command set specification.
    #[test]
    fn format_keeps_the_format_and_erases_user_data() {
        let space = Namespace { id: 3, format: 0x12, extended: true, protection: 1, ..Namespace::default() };
        let command = format_command(&space);
        assert_eq!((command.opcode, command.nsid, command.cdw10), (0x80, 3, 0x1232));
        let (on, off) = (set_command(true), set_command(false));
        assert_eq!((on.opcode, on.cdw10, on.cdw11, off.cdw11), (0x09, 6, 1, 0));
    }

    /// Offsets of OACS, SANICAP and VWC in the Identify Controller data structure, and the list of active namespaces.
    #[test]
    fn capabilities_are_read_from_the_identify_data() {
        let (mut controller, mut list) = ([0; IDENTIFY], [0; IDENTIFY]);
        assert_eq!(Capabilities::parse(&controller, &list), Capabilities::default());
        (controller[256], controller[328], controller[525]) = (0x02, 0x02, 0x01);
        (list[0], list[4]) = (1, 5);
        let all = Capabilities { format: true, block_erase: true, write_cache: true, namespaces: 2 };
        assert_eq!(Capabilities::parse(&controller, &list), all);
    }

    #[test]
    fn other_files_are_no_controllers() {
        let file = std::fs::File::open("/dev/null").unwrap();
        let errors =
            [capabilities(&file).map(|_| ()), write_cache(&file).map(|_| ()), format(&file), sanitize(&file)];
        for error in errors {
            assert_eq!(error.unwrap_err().raw_os_error(), Some(libc::ENOTTY));
        }
    }
}
