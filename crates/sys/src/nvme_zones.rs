//! Zones of an NVMe namespace (Zoned Namespace command set), through the generic character device of the namespace: the
//! commands are sent to the controller, past the kernel's block layer.

use crate::nvme::{self, Command, Namespace};
use crate::zones::{Zone, ZoneKind};
use rustix::fd::AsFd;
use std::io;

/// Opcodes of the Zoned Namespace command set.
pub mod op {
    #![allow(missing_docs)]
    pub const ZONE_MANAGEMENT_SEND: u8 = 0x79;
    pub const ZONE_MANAGEMENT_RECEIVE: u8 = 0x7a;
    pub const ZONE_APPEND: u8 = 0x7d;
}

/// Identify data structure of a namespace that is specific to a command set (CNS).
const CNS_SPECIFIC: u32 = 0x05;
/// Identifier of the Zoned Namespace command set (CSI), in command dword 11.
const CSI_ZONED: u32 = 0x02 << 24;
/// Zone Send Action: finish, and reset.
const FINISH: u32 = 2;
const RESET: u32 = 4;
/// Bytes of a report of zones: a head of 64 bytes, and 64 bytes per zone.
const REPORT: usize = 64 * 512;
const DESCRIPTOR: usize = 64;

/// Zones of a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneLimits {
    /// Size of a zone in bytes.
    pub size: u64,
    /// Largest number of zones that may be active at a time; 0 = any number.
    pub most_active: u32,
    /// Largest number of zones that may be open at a time; 0 = any number.
    pub most_open: u32,
}

impl ZoneLimits {
    /// Returns the limits in an Identify Namespace data structure of the Zoned Namespace command set; `format` is the
    /// index of the format of `space`. `None` if it is not valid.
    fn parse(space: &Namespace, data: &[u8; nvme::IDENTIFY]) -> Option<Self> {
        // Numbers less one; all ones mean no limit.
        let limit = |at: usize| -> Option<u32> {
            Some(u32::from_le_bytes(data.get(at..at + 4)?.try_into().ok()?).wrapping_add(1))
        };
        let at = 2816 + 16 * usize::from(space.format);
        let blocks = u64::from_le_bytes(data.get(at..at + 8)?.try_into().ok()?);
        let size = blocks.checked_mul(1 << space.shift).filter(|size| *size > 0)?;
        Some(Self { size, most_active: limit(4)?, most_open: limit(8)? })
    }
}

/// Returns the zones' size and limits; `None` if the namespace has no zones.
///
/// # Errors
/// EACCES without the permission to identify the namespace.
pub fn limits<Fd: AsFd>(device: Fd, space: &Namespace) -> io::Result<Option<ZoneLimits>> {
    let mut data = Box::new([0u8; nvme::IDENTIFY]);
    let identify =
        Command { cdw10: CNS_SPECIFIC, cdw11: CSI_ZONED, ..nvme::identify_command(space.id, &mut data) };
    // SAFETY: the command fills the 4096 bytes of `data`, which lives across the call.
    match unsafe { nvme::admin(device, identify) } {
        // A controller without this command set does not know the structure.
        Err(e) if e.raw_os_error() == Some(libc::EIO) => Ok(None),
        Err(e) => Err(e),
        Ok(()) => Ok(ZoneLimits::parse(space, &data)),
    }
}

/// Returns all zones of the namespace, in the order of their offsets; `size` is the size of a zone in bytes.
///
/// # Errors
/// EIO if the controller refuses the command.
pub fn report<Fd: AsFd>(device: Fd, space: &Namespace, size: u64) -> io::Result<Vec<Zone>> {
    let device = device.as_fd();
    let mut all: Vec<Zone> = Vec::new();
    let mut data = vec![0u8; REPORT];
    loop {
        let first = all.len() as u64 * (size >> space.shift);
        if first >= space.blocks {
            return Ok(all);
        }
        let command = receive(space, first, &mut data);
        // SAFETY: the command fills the bytes of `data`, which lives across the call.
        unsafe { nvme::io_command(device, command)? };
        let zones = u64::from_le_bytes(data[..8].try_into().unwrap_or_default());
        let fit = (REPORT / DESCRIPTOR - 1) as u64;
        let found = data[DESCRIPTOR..].chunks_exact(DESCRIPTOR).take(zones.min(fit) as usize);
        let before = all.len();
        all.extend(found.map(|raw| zone_of(space, raw, size)));
        if all.len() == before {
            return Ok(all);
        }
    }
}

/// Returns the zone that begins at byte `start`; `size` is the size of a zone in bytes.
///
/// # Errors
/// EIO if the controller refuses the command.
pub fn report_zone<Fd: AsFd>(device: Fd, space: &Namespace, start: u64, size: u64) -> io::Result<Zone> {
    let mut data = vec![0u8; 2 * DESCRIPTOR];
    let command = receive(space, start >> space.shift, &mut data);
    // SAFETY: the command fills the bytes of `data`, which lives across the call.
    unsafe { nvme::io_command(device.as_fd(), command)? };
    Ok(zone_of(space, &data[DESCRIPTOR..], size))
}

/// Resets (`finish` = false) or finishes the zone that begins at byte `start`.
///
/// # Errors
/// EIO if the controller refuses the command.
pub fn manage<Fd: AsFd>(device: Fd, space: &Namespace, start: u64, finish: bool) -> io::Result<()> {
    // SAFETY: the command names no memory.
    unsafe { nvme::io_command(device, send(space, start >> space.shift, finish)) }
}

/// Returns the command of a report of zones from block `first` on.
fn receive(space: &Namespace, first: u64, data: &mut [u8]) -> Command {
    Command {
        opcode: op::ZONE_MANAGEMENT_RECEIVE,
        nsid: space.id,
        addr: data.as_mut_ptr() as u64,
        data_len: data.len() as u32,
        cdw10: first as u32,
        cdw11: (first >> 32) as u32,
        cdw12: (data.len() / 4 - 1) as u32,
        // All zones (action 0, reporting option 0); the head counts those that are reported (bit 16).
        cdw13: 1 << 16,
        ..Command::default()
    }
}

/// Returns the command that resets or finishes the zone that begins at block `first`.
fn send(space: &Namespace, first: u64, finish: bool) -> Command {
    Command {
        opcode: op::ZONE_MANAGEMENT_SEND,
        nsid: space.id,
        cdw10: first as u32,
        cdw11: (first >> 32) as u32,
        cdw13: if finish { FINISH } else { RESET },
        ..Command::default()
    }
}

fn zone_of(space: &Namespace, raw: &[u8], size: u64) -> Zone {
    let bytes = |at: usize| {
        let blocks = u64::from_le_bytes(raw[at..at + 8].try_into().unwrap_or_default());
        blocks.checked_shl(space.shift).filter(|bytes| bytes >> space.shift == blocks).unwrap_or(u64::MAX)
    };
    let state = raw[1] >> 4;
    Zone {
        start: bytes(16),
        length: size,
        capacity: bytes(8),
        write_pointer: bytes(24),
        // Type 2 = sequential write required, the only one of this command set.
        kind: if raw[0] & 15 == 2 { ZoneKind::Sequential } else { ZoneKind::Conventional },
        // Implicitly and explicitly opened.
        open: matches!(state, 2 | 3),
        // Read only, and offline.
        dead: matches!(state, 0xd | 0xf),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> Namespace {
        Namespace { id: 3, blocks: 1 << 20, shift: 12, format: 2, ..Namespace::default() }
    }

    /// Offsets of the fields in the Zoned Namespace Command Set specification, Identify Namespace data structure.
    #[test]
    fn limits_are_read_from_the_identify_data() {
        let mut data = [0; nvme::IDENTIFY];
        data[4..8].copy_from_slice(&5u32.to_le_bytes());
        data[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        data[2816 + 32..2816 + 40].copy_from_slice(&1024u64.to_le_bytes());
        let expected = ZoneLimits { size: 4 << 20, most_active: 6, most_open: 0 };
        assert_eq!(ZoneLimits::parse(&space(), &data), Some(expected));
        assert_eq!(ZoneLimits::parse(&Namespace { format: 1, ..space() }, &data), None, "no zone size");
    }

    /// Fields as in the figures of Zone Management Receive and Send.
    #[test]
    fn zone_commands_have_the_fields_of_the_specification() {
        let mut data = vec![0; REPORT];
        let command = receive(&space(), 1 << 32 | 7, &mut data);
        let fields = [command.cdw10, command.cdw11, command.cdw12, command.cdw13, command.data_len];
        assert_eq!((command.opcode, command.nsid, fields), (0x7a, 3, [7, 1, 8191, 0x1_0000, 32768]));
        let dwords = |finish| {
            let command = send(&space(), 1 << 32 | 7, finish);
            [command.opcode.into(), command.nsid, command.cdw10, command.cdw11, command.cdw12, command.cdw13]
        };
        assert_eq!(dwords(false), [0x79, 3, 7, 1, 0, 4]);
        assert_eq!(dwords(true), [0x79, 3, 7, 1, 0, 2]);
    }

    /// Fields of a zone descriptor: type, state, capacity, start and write pointer.
    #[test]
    fn zones_are_read_from_their_descriptors() {
        let mut raw = [0; DESCRIPTOR];
        (raw[0], raw[1]) = (2, 0x20);
        raw[8..16].copy_from_slice(&768u64.to_le_bytes());
        raw[16..24].copy_from_slice(&1024u64.to_le_bytes());
        raw[24..32].copy_from_slice(&1030u64.to_le_bytes());
        let zone = zone_of(&space(), &raw, 4 << 20);
        let expected = Zone {
            start: 4 << 20,
            length: 4 << 20,
            capacity: 3 << 20,
            write_pointer: 1030 << 12,
            kind: ZoneKind::Sequential,
            open: true,
            dead: false,
        };
        assert_eq!(zone, expected);
        raw[1] = 0xe0;
        raw[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
        let full = zone_of(&space(), &raw, 4 << 20);
        assert_eq!((full.open, full.dead, full.write_pointer), (false, false, u64::MAX));
        raw[1] = 0xf0;
        assert!(zone_of(&space(), &raw, 4 << 20).dead);
    }
}
