use super::command::unmap_list;
use super::*;

const DISK: Capacity = Capacity { blocks: 1 << 40, shift: 9 };

fn op(kind: Kind, offset: u64, len: u32) -> Op {
    Op { offset, len, done: 0, file: 0, slot: 0, kind }
}

/// Bytes of the commands as fio 3.33 sent them to scsi_debug, whose log shows them: 4 KiB at offset 4096.
#[test]
fn commands_are_those_of_fio() {
    let of = |write, fua, kind| {
        let commands = Commands { write, fua: [fua; 2], stream: 3, ..Commands::default() };
        let command = commands.of(DISK, 3, &op(kind, 4096, 4096)).unwrap();
        (command.block, command.len, command.transfer, command.data_len)
    };
    let short = |code, second| [code, second, 0, 0, 0, 8, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
    let (to, from, none) = (Transfer::ToDevice, Transfer::FromDevice, Transfer::None);
    use WriteCommand::*;
    for (write, fua, kind, expected) in [
        (Write, false, Kind::Read, (short(0x28, 0), 10, from, 4096)),
        (Write, true, Kind::Read, (short(0x28, 8), 10, from, 4096)),
        (Write, false, Kind::Write, (short(0x2a, 0), 10, to, 4096)),
        (Write, true, Kind::Write, (short(0x2a, 8), 10, to, 4096)),
        (WriteVerify, true, Kind::Write, (short(0x2e, 0), 10, to, 4096)),
        (WriteSame, true, Kind::Write, (short(0x41, 0), 10, to, 512)),
        (
            WriteSameNoData,
            true,
            Kind::Write,
            ([0x93, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0], 16, none, 0),
        ),
        (Verify, true, Kind::Write, (short(0x2f, 0), 10, none, 0)),
        (VerifyBlocks, true, Kind::Write, (short(0x2f, 2), 10, to, 4096)),
        (VerifySame, true, Kind::Write, (short(0x2f, 6), 10, to, 512)),
        (Stream, true, Kind::Write, ([0x9a, 8, 0, 0, 0, 0, 0, 0, 0, 8, 0, 3, 0, 8, 0, 0], 16, to, 4096)),
        (Write, true, Kind::Trim, ([0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0], 10, to, 24)),
        (Write, true, Kind::Fsync, ([0x35, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 10, none, 0)),
    ] {
        assert_eq!(of(write, fua, kind), expected, "{write:?} {kind:?} {fua}");
    }
    let list = [0, 22, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0];
    assert_eq!(unmap_list(command::blocks(DISK, &op(Kind::Trim, 4096, 4096)).unwrap()), list);
}

/// Commands with 10 bytes end at block 2^32 - 1 and at 65535 blocks: a length that is cut to 0 would mean "to the end of
/// the disk" for WRITE SAME.
#[test]
fn large_addresses_and_lengths_use_16_bytes() {
    let of = |write, offset, len| {
        let commands = Commands { write, ..Commands::default() };
        commands.of(DISK, 0, &op(Kind::Write, offset, len)).map(|c| (c.block[0], c.block))
    };
    let code = |write, offset, len| of(write, offset, len).map(|(code, _)| code);
    let last = u64::from(u32::MAX) << 9;
    for (write, short, long) in [
        (WriteCommand::Write, 0x2a, 0x8a),
        (WriteCommand::WriteVerify, 0x2e, 0x8e),
        (WriteCommand::WriteSame, 0x41, 0x93),
        (WriteCommand::VerifyBlocks, 0x2f, 0x8f),
    ] {
        assert_eq!([code(write, last, 512), code(write, last + 512, 512)], [Ok(short), Ok(long)]);
        assert_eq!([code(write, 0, 65535 << 9), code(write, 0, 65536 << 9)], [Ok(short), Ok(long)]);
    }
    let (_, block) = of(WriteCommand::WriteSame, 1 << 42, 65536 << 9).unwrap();
    assert_eq!(block, [0x93, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(code(WriteCommand::Stream, 0, 65536 << 9), Err(libc::EINVAL));
}

#[test]
fn operations_have_to_be_whole_blocks_and_continue_after_a_short_transfer() {
    let blocks = |offset, len, done| {
        command::blocks(Capacity { shift: 12, ..DISK }, &Op { done, ..op(Kind::Read, offset, len) })
    };
    assert_eq!(blocks(8192, 8192, 0), Some((2, 2)));
    assert_eq!(blocks(8192, 8192, 4096), Some((3, 1)));
    assert_eq!([blocks(512, 4096, 0), blocks(0, 512, 0), blocks(0, 0, 0)], [None; 3]);
    // A file that was removed from the table has no blocks.
    assert_eq!(command::blocks(Capacity::default(), &op(Kind::Read, 0, 4096)), None);
}

/// Only reads and writes are polled for, as the manual of fio says.
#[test]
fn completions_of_plain_reads_and_writes_are_polled_for() {
    let flags = |write, kind| {
        let commands = Commands { write, polled: true, ..Commands::default() };
        commands.of(DISK, 0, &op(kind, 0, 4096)).unwrap().flags
    };
    use WriteCommand::*;
    assert_eq!([flags(Write, Kind::Read), flags(Write, Kind::Write)], [0x800; 2]);
    assert_eq!([flags(Write, Kind::Trim), flags(Write, Kind::Fsync), flags(Verify, Kind::Write)], [0; 3]);
}

/// A failed command is EIO; bytes that the device did not transfer are left over.
#[test]
fn result_of_a_command_is_its_bytes_or_eio() {
    let result = |kind, data_len, residual, info| {
        let header = Header { data_len, residual, info, ..Header::EMPTY };
        Request { op: op(kind, 0, 4096), header, ..Request::NONE }.result()
    };
    assert_eq!(result(Kind::Read, 4096, 0, 0), 4096);
    assert_eq!(result(Kind::Read, 4096, 512, 0), 3584);
    // WRITE SAME transfers one block.
    assert_eq!(result(Kind::Write, 512, 0, 0), 4096);
    assert_eq!(result(Kind::Trim, 24, 0, 0), 4096);
    assert_eq!(result(Kind::Fsync, 0, 0, 0), 0);
    assert_eq!(result(Kind::Write, 4096, 0, 1), -libc::EIO);
}
