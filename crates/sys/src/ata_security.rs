//! ATA security feature set: what IDENTIFY DEVICE says of it, and SECURITY ERASE UNIT, which erases all user data. The
//! commands are sent as SCSI ATA PASS-THROUGH (16) through SG_IO (ACS-3; SAT-3, 12.2.3).

use crate::scsi::{Header, SENSE, Transfer, call};
use rustix::fd::AsFd;
use std::io;
use std::os::fd::AsRawFd;

/// Bytes of the data block of the commands.
const BLOCK: usize = 512;
/// Longest password, bytes.
const PASSWORD: usize = 32;
/// Time for any other command than an erase, milliseconds.
const SHORT_MS: u32 = 30_000;

/// Commands of the security feature set, and IDENTIFY DEVICE.
mod op {
    pub const IDENTIFY_DEVICE: u8 = 0xec;
    pub const SET_PASSWORD: u8 = 0xf1;
    pub const ERASE_PREPARE: u8 = 0xf3;
    pub const ERASE_UNIT: u8 = 0xf4;
    pub const DISABLE_PASSWORD: u8 = 0xf6;
}

/// State of the security feature set of a disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Security {
    /// Whether the disk has the feature set.
    pub supported: bool,
    /// Whether a user password is set.
    pub enabled: bool,
    /// Whether the disk is locked: it refuses reads and writes.
    pub locked: bool,
    /// Whether the disk refuses the commands until it is powered off, as most firmwares make it do at boot.
    pub frozen: bool,
    /// Whether too many wrong passwords were tried.
    pub expired: bool,
    /// Time that the disk states for an erase, minutes; `None` if it states none.
    pub minutes: Option<u32>,
}

impl Security {
    /// Returns the state in the data of IDENTIFY DEVICE.
    fn parse(data: &[u8; BLOCK]) -> Security {
        let word = |at: usize| u16::from_le_bytes([data[2 * at], data[2 * at + 1]]);
        // Words 82 and 83 are valid if the two highest bits of word 83 are 01.
        let valid = word(83) >> 14 == 1;
        let status = word(128);
        let has = |bit: u16| status >> bit & 1 == 1;
        // In units of two minutes: 15 bits if the highest bit is set, else 8.
        let time = match word(89) {
            long if long & 0x8000 != 0 => long & 0x7fff,
            short => short & 0xff,
        };
        Security {
            supported: valid && word(82) >> 1 & 1 == 1 && has(0),
            enabled: has(1),
            locked: has(2),
            frozen: has(3),
            expired: has(4),
            minutes: (time > 0).then_some(u32::from(time) * 2),
        }
    }
}

/// Data of an ATA command.
enum Data<'a> {
    None,
    In(&'a mut [u8; BLOCK]),
    Out(&'a mut [u8; BLOCK]),
}

/// Returns the ATA PASS-THROUGH (16) command that carries an ATA command without address.
fn pass_through(command: u8, data: &Data<'_>) -> [u8; 16] {
    const ATA_PASS_THROUGH_16: u8 = 0x85;
    const NON_DATA: u8 = 3;
    const PIO_IN: u8 = 4;
    const PIO_OUT: u8 = 5;
    /// The length is in blocks, in the sector count field.
    const LENGTH: u8 = 1 << 2 | 2;
    const FROM_DEVICE: u8 = 1 << 3;
    let (protocol, flags, count) = match data {
        Data::None => (NON_DATA, 0, 0),
        Data::In(_) => (PIO_IN, FROM_DEVICE | LENGTH, 1),
        Data::Out(_) => (PIO_OUT, LENGTH, 1),
    };
    let mut cdb = [0; 16];
    (cdb[0], cdb[1], cdb[2], cdb[6], cdb[14]) = (ATA_PASS_THROUGH_16, protocol << 1, flags, count, command);
    cdb
}

fn ata(device: impl AsFd, command: u8, mut data: Data<'_>, timeout_ms: u32) -> io::Result<()> {
    let cdb = pass_through(command, &data);
    let mut sense = [0u8; SENSE];
    let (transfer, address) = match &mut data {
        Data::None => (Transfer::None, 0),
        Data::In(block) => (Transfer::FromDevice, block.as_mut_ptr() as u64),
        Data::Out(block) => (Transfer::ToDevice, block.as_mut_ptr() as u64),
    };
    let mut header = Header {
        transfer: transfer as i32,
        command_len: cdb.len() as u8,
        sense_room: SENSE as u8,
        data_len: if address == 0 { 0 } else { BLOCK as u32 },
        data: address,
        command: cdb.as_ptr() as u64,
        sense: sense.as_mut_ptr() as u64,
        timeout_ms,
        ..Header::EMPTY
    };
    // SAFETY: command, data and sense have the lengths in the header and live across the call.
    unsafe { call(device.as_fd().as_raw_fd(), &mut header) }.map_err(io::Error::from_raw_os_error)?;
    if header.failed() { Err(io::Error::from_raw_os_error(libc::EIO)) } else { Ok(()) }
}

/// Returns the state of the security feature set of an open disk.
///
/// # Errors
/// ENOTTY or EINVAL if the device takes no SCSI commands; EIO if it is no ATA disk or refuses IDENTIFY DEVICE; EPERM
/// without the permission.
pub fn security<Fd: AsFd>(device: Fd) -> io::Result<Security> {
    let mut data = [0; BLOCK];
    ata(device, op::IDENTIFY_DEVICE, Data::In(&mut data), SHORT_MS)?;
    Ok(Security::parse(&data))
}

/// Returns the data block of a command that carries the user password.
fn with_password(password: &str) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    // Word 0 stays 0: user password, security level high, normal erase.
    let bytes = &password.as_bytes()[..password.len().min(PASSWORD)];
    block[2..2 + bytes.len()].copy_from_slice(bytes);
    block
}

/// Sets the user password, erases all user data, which also removes the password, and waits for the end. If the disk
/// refuses to erase, the password is removed.
///
/// # Errors
/// EIO if the disk refuses a command; those of [`security`].
pub fn erase<Fd: AsFd>(device: Fd, password: &str, timeout_ms: u32) -> io::Result<()> {
    let fd = device.as_fd();
    let mut block = with_password(password);
    ata(fd, op::SET_PASSWORD, Data::Out(&mut block), SHORT_MS)?;
    let erased = ata(fd, op::ERASE_PREPARE, Data::None, SHORT_MS)
        .and_then(|()| ata(fd, op::ERASE_UNIT, Data::Out(&mut block), timeout_ms));
    if erased.is_err() {
        // A disk with a password is locked after it is powered off.
        let _ = ata(fd, op::DISABLE_PASSWORD, Data::Out(&mut block), SHORT_MS);
    }
    erased
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identify(words: &[(usize, u16)]) -> [u8; BLOCK] {
        let mut data = [0; BLOCK];
        for (at, word) in words {
            data[2 * at..2 * at + 2].copy_from_slice(&word.to_le_bytes());
        }
        data
    }

    /// Words 82, 83, 89 and 128 of IDENTIFY DEVICE in ACS-3.
    #[test]
    fn security_is_read_from_the_identify_data() {
        assert_eq!(Security::parse(&identify(&[])), Security::default());
        let of =
            |status| Security::parse(&identify(&[(82, 0x746b), (83, 0x7d01), (89, 0x0001), (128, status)]));
        let supported = Security { supported: true, minutes: Some(2), ..Security::default() };
        assert_eq!(of(0x0001), supported);
        assert_eq!(of(0x0021), supported);
        assert_eq!(of(0x0029), Security { frozen: true, ..supported });
        let locked = Security { enabled: true, locked: true, expired: true, ..supported };
        assert_eq!(of(0x0017), locked);
        // Words 82 and 83 of a disk without the feature set, and of one whose words are not valid.
        assert!(!Security::parse(&identify(&[(82, 0x4000), (83, 0x4000), (128, 1)])).supported);
        assert!(!Security::parse(&identify(&[(82, 0x0002), (83, 0xc000), (128, 1)])).supported);
        let long = Security::parse(&identify(&[(89, 0x8102)]));
        assert_eq!(long.minutes, Some(0x102 * 2));
    }

    /// Bytes of the commands as SAT-3 has them; those of SECURITY ERASE UNIT also as hdparm sends them.
    #[test]
    fn commands_have_the_bytes_of_the_standard() {
        let mut block = with_password("fathom");
        assert_eq!(block[..10], [0, 0, b'f', b'a', b't', b'h', b'o', b'm', 0, 0]);
        assert_eq!(with_password(&"x".repeat(40))[2..36], [[b'x'; 32].as_slice(), &[0, 0]].concat());
        let identify = pass_through(op::IDENTIFY_DEVICE, &Data::In(&mut block));
        assert_eq!(identify, [0x85, 0x08, 0x0e, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xec, 0]);
        let erase = pass_through(op::ERASE_UNIT, &Data::Out(&mut block));
        assert_eq!(erase, [0x85, 0x0a, 0x06, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xf4, 0]);
        let prepare = pass_through(op::ERASE_PREPARE, &Data::None);
        assert_eq!(prepare, [0x85, 0x06, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf3, 0]);
        assert_eq!((op::SET_PASSWORD, op::DISABLE_PASSWORD), (0xf1, 0xf6));
    }

    #[test]
    fn other_files_are_no_ata_disks() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert!(security(&file).is_err());
        assert!(erase(&file, "fathom", 1000).is_err());
    }
}
