use super::command::range;
use super::guard::{Protected, crc16};
use super::*;

fn space() -> Namespace {
    Namespace { id: 3, blocks: 1 << 40, shift: 12, ..Namespace::default() }
}

fn op(kind: Kind, offset: u64, len: u32) -> Op {
    Op { offset, len, done: 0, file: 0, slot: 0, kind }
}

/// Fields as in the NVM Command Set specification, figures of Read, Write, Write Zeroes, Dataset Management and Flush.
#[test]
fn commands_have_the_fields_of_the_specification() {
    let mut commands = Commands { fua: [true, false], ..Commands::default() };
    let of = |commands: &Commands, kind| {
        let o = op(kind, (1 << 32 | 5) << 12, 8 << 12);
        let command = commands.of(&space(), kind, commands.blocks(&space(), &o).unwrap(), || 0);
        [command.opcode.into(), command.nsid, command.cdw10, command.cdw11, command.cdw12]
    };
    assert_eq!(of(&commands, Kind::Read), [2, 3, 5, 1, 1 << 30 | 7]);
    assert_eq!(of(&commands, Kind::Write), [1, 3, 5, 1, 7]);
    assert_eq!(of(&commands, Kind::Trim), [9, 3, 0, 4, 0]);
    assert_eq!(of(&commands, Kind::Fsync), [0, 3, 0, 0, 0]);
    let ranged = commands.trim(&space(), 256);
    assert_eq!((ranged.cdw10, ranged.cdw11, ranged.data_len), (255, 4, 4096));
    commands.write = WriteCommand::Zeroes { deallocate: true };
    assert_eq!(of(&commands, Kind::Write), [8, 3, 5, 1, 1 << 25 | 7]);
    commands.fua = [false, true];
    commands.write = WriteCommand::Uncorrectable;
    assert_eq!(of(&commands, Kind::Write), [4, 3, 5, 1, 7]);
    commands.write = WriteCommand::Verify;
    assert_eq!(of(&commands, Kind::Write), [12, 3, 5, 1, 1 << 30 | 7]);
    assert_eq!(range((0x1_0000_0002, 7)), [0, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
}

/// A directive's type is bits 23:20 of dword 12 of Write, its identifier (DSPEC) bits 31:16 of dword 13. The bytes are those
/// of the queue entry from dword 10 on.
#[test]
fn directive_is_in_dwords_12_and_13_of_writes() {
    for (directive, kind) in [(Directive::Streams, 0x10), (Directive::Placement, 0x20)] {
        let mut commands = Commands { write: WriteCommand::Directed(directive), ..Commands::default() };
        let write = commands.of(&space(), Kind::Write, (9, 8), || 0xa1b2).bytes();
        assert_eq!(write[0], 1);
        assert_eq!(write[40..56], [9, 0, 0, 0, 0, 0, 0, 0, 7, 0, kind, 0, 0, 0, 0xb2, 0xa1]);
        let read = commands.of(&space(), Kind::Read, (9, 8), || 0xa1b2).bytes();
        assert_eq!(read[40..56], [9, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]);
        assert!(commands.transfers(Kind::Write));
        commands.fua = [false, true];
        assert_eq!(
            commands.of(&space(), Kind::Write, (9, 8), || 0).cdw12,
            1 << 30 | u32::from(kind) << 16 | 7
        );
    }
}

/// PRINFO is bits 29:26 of dword 12, the reference tag dword 14, tag and mask dword 15.
#[test]
fn protection_information_is_in_dwords_12_14_and_15() {
    let protection = Protection {
        action: true,
        guard: true,
        reference: false,
        application: true,
        tag: 0x1234,
        mask: 0xff00,
    };
    let commands = Commands { protection, ..Commands::default() };
    let of = |protection| {
        let space = Namespace { metadata: 8, protection, ..space() };
        let command = commands.of(&space, Kind::Write, (9, 1), || 0);
        [command.cdw12, command.cdw13, command.cdw14, command.cdw15]
    };
    assert_eq!(of(0), [0, 0, 0, 0]);
    assert_eq!(of(1), [0x3800_0000, 0, 9, 0xff00_1234]);
    assert_eq!(of(3), [0x3800_0000, 0, 0, 0xff00_1234]);
}

#[test]
fn operations_have_to_be_whole_blocks() {
    let commands = Commands::default();
    let blocks = |kind, offset, len| commands.blocks(&space(), &op(kind, offset, len));
    assert_eq!(blocks(Kind::Read, 8192, 4096), Some((2, 1)));
    assert_eq!(blocks(Kind::Read, 512, 4096), None);
    assert_eq!(blocks(Kind::Write, 4096, 512), None);
    assert_eq!(blocks(Kind::Write, 0, 1 << 28), Some((0, 1 << 16)));
    assert_eq!(blocks(Kind::Write, 0, (1 << 28) + 4096), None);
    assert_eq!(blocks(Kind::Trim, 0, (1 << 28) + 4096), Some((0, (1 << 16) + 1)));
    // Metadata behind the data of each block belong to the unit, except if the controller makes all of them.
    let extended = Namespace { metadata: 8, extended: true, protection: 1, ..space() };
    assert_eq!(commands.blocks(&extended, &op(Kind::Read, 2 * 4104, 4104)), Some((2, 1)));
    let made = Commands { protection: Protection { action: true, ..Protection::default() }, ..commands };
    assert_eq!(made.blocks(&extended, &op(Kind::Read, 8192, 4096)), Some((2, 1)));
}

/// 0xd0db is the check value of CRC-16/T10-DIF for "123456789".
#[test]
fn guard_is_the_crc_of_t10_dif_and_finds_each_change() {
    assert_eq!(crc16(0, b"123456789"), 0xd0db);
    let protection = Protection {
        guard: true,
        reference: true,
        application: true,
        tag: 0x1234,
        mask: 0xffff,
        action: false,
    };
    let commands = Commands { protection, ..Commands::default() };
    for first in [false, true] {
        let space = Namespace { protection: 1, metadata: 16, protection_first: first, ..space() };
        let (mut data, mut metadata) = (*b"123456789", [0u8; 16]);
        Protected { data: &data, metadata: &mut metadata, number: 7 }.write(&space, &commands);
        if first {
            assert_eq!(metadata[..8], [0xd0, 0xdb, 0x12, 0x34, 0, 0, 0, 7]);
        } else {
            assert_eq!(metadata[10..], [0x12, 0x34, 0, 0, 0, 7]);
        }
        let right = |data: &[u8], metadata: [u8; 16], number| {
            let mut metadata = metadata;
            Protected { data, metadata: &mut metadata, number }.check(&space, &commands)
        };
        assert!(right(&data, metadata, 7) && !right(&data, metadata, 8));
        for changed in if first { 0..8 } else { 8..16 } {
            let mut other = metadata;
            other[changed] ^= 1;
            assert!(!right(&data, other, 7), "byte {changed}");
        }
        data[3] ^= 1;
        assert!(!right(&data, metadata, 7));
    }
}

/// The kernel's values for the block device; bits "more" and "do not retry" do not matter.
#[test]
fn status_of_a_command_becomes_an_errno() {
    let of = |status| errno_of_status(status);
    assert_eq!(
        [of(0x4002), of(0x4080), of(0x2282), of(0x281)],
        [libc::EINVAL, libc::EINVAL, libc::EILSEQ, libc::ENODATA]
    );
    assert_eq!([of(0x6), of(0x81), of(0x4001)], [libc::EIO, libc::ENOSPC, libc::EOPNOTSUPP]);
}

/// Zone Append has its opcode, the first block of its zone, and remapped reference tags with types 1 and 2.
#[test]
fn zone_append_names_the_zone_and_remaps_reference_tags() {
    for (protection, bits) in [(0, 0), (1, 1 << 25 | 1 << 26), (2, 1 << 25 | 1 << 26), (3, 1 << 26)] {
        let space = Namespace { id: 1, shift: 12, metadata: 8, protection, ..Namespace::default() };
        let checks = Protection { reference: true, ..Protection::default() };
        let commands = Commands { write: WriteCommand::Append, protection: checks, ..Commands::default() };
        let command = commands.of(&space, Kind::Write, (0x1_0000_0400, 16), || 0);
        assert_eq!((command.opcode, command.cdw10, command.cdw11), (0x7d, 0x400, 1));
        assert_eq!(command.cdw12, 15 | bits, "type {protection}");
        assert!(commands.transfers(Kind::Write));
    }
}
