//! SCSI commands of operations.

use crate::{Kind, Op};
use sys::scsi::{self, Capacity, Transfer, op};

/// Command of the job's writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WriteCommand {
    /// WRITE.
    #[default]
    Write,
    /// WRITE AND VERIFY.
    WriteVerify,
    /// WRITE SAME: one logical block is transferred, and the device writes it to all blocks of the operation.
    WriteSame,
    /// WRITE SAME(16) without data: the device writes a pattern of its own, such as zeros.
    WriteSameNoData,
    /// VERIFY without comparison.
    Verify,
    /// VERIFY that compares all blocks with the data.
    VerifyBlocks,
    /// VERIFY that compares each block with one block of data.
    VerifySame,
    /// WRITE STREAM(16).
    Stream,
}

/// Commands of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    /// Command of writes.
    pub write: WriteCommand,
    /// Whether reads and writes force unit access (FUA); index = [`Kind`].
    pub fua: [bool; 2],
    /// Whether completions of reads and writes are polled for.
    pub polled: bool,
    /// Stream of [`WriteCommand::Stream`]; 0 = the engine opens one for each file.
    pub stream: u16,
}

const FUA: u8 = 1 << 3;
/// WRITE SAME without data (NDOB).
const NO_DATA: u8 = 1;
/// Field BYTCHK of VERIFY.
const COMPARE_BLOCKS: u8 = 1 << 1;
const COMPARE_SAME: u8 = 3 << 1;

/// Bytes of the parameter list of an UNMAP of one range.
pub(crate) const UNMAP_LIST: usize = 24;

/// A command without addresses of buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// Command descriptor block.
    pub block: [u8; scsi::COMMAND],
    /// Bytes of the descriptor block.
    pub len: u8,
    /// Direction of the data.
    pub transfer: Transfer,
    /// Bytes of the data.
    pub data_len: u32,
    /// Flags of the driver.
    pub flags: u32,
}

impl Commands {
    /// Returns the command of an operation; the rest of it after a short transfer. `stream` is the file's stream.
    ///
    /// # Errors
    /// EINVAL if the operation does not consist of 1 to 2^32 - 1 whole logical blocks of the disk.
    pub(crate) fn of(&self, disk: Capacity, stream: u16, o: &Op) -> Result<Command, i32> {
        let none = Command { block: [0; _], len: 10, transfer: Transfer::None, data_len: 0, flags: 0 };
        let mut command = none;
        if !matches!(o.kind, Kind::Read | Kind::Write | Kind::Trim) {
            command.block[0] = op::SYNCHRONIZE_CACHE_10;
            return Ok(command);
        }
        let (first, blocks) = blocks(disk, o).ok_or(libc::EINVAL)?;
        let bytes = o.len - o.done;
        if o.kind == Kind::Trim {
            command.block[0] = op::UNMAP;
            command.block[8] = UNMAP_LIST as u8;
            (command.transfer, command.data_len) = (Transfer::ToDevice, UNMAP_LIST as u32);
            return Ok(command);
        }
        let fua = if self.fua[o.kind as usize] { FUA } else { 0 };
        let polled = if self.polled { scsi::POLLED } else { 0 };
        let one = 1 << disk.shift;
        // Codes of the commands with 10 and 16 bytes, second byte, bytes of data and flags of the driver. WRITE SAME and
        // the commands that verify have no FUA.
        let (codes, second, data_len, flags) = match (o.kind, self.write) {
            (Kind::Read, _) => ((op::READ_10, op::READ_16), fua, bytes, polled),
            (_, WriteCommand::Write) => ((op::WRITE_10, op::WRITE_16), fua, bytes, polled),
            (_, WriteCommand::WriteVerify) => ((op::WRITE_VERIFY_10, op::WRITE_VERIFY_16), 0, bytes, 0),
            (_, WriteCommand::WriteSame) => ((op::WRITE_SAME_10, op::WRITE_SAME_16), 0, one, 0),
            (_, WriteCommand::WriteSameNoData) => ((op::WRITE_SAME_16, op::WRITE_SAME_16), NO_DATA, 0, 0),
            (_, WriteCommand::Verify) => ((op::VERIFY_10, op::VERIFY_16), 0, 0, 0),
            (_, WriteCommand::VerifyBlocks) => ((op::VERIFY_10, op::VERIFY_16), COMPARE_BLOCKS, bytes, 0),
            (_, WriteCommand::VerifySame) => ((op::VERIFY_10, op::VERIFY_16), COMPARE_SAME, one, 0),
            (_, WriteCommand::Stream) => ((op::WRITE_STREAM_16, op::WRITE_STREAM_16), fua, bytes, 0),
        };
        command.flags = flags;
        command.data_len = data_len;
        command.transfer = match (o.kind, data_len) {
            (_, 0) => Transfer::None,
            (Kind::Read, _) => Transfer::FromDevice,
            _ => Transfer::ToDevice,
        };
        let block = &mut command.block;
        block[1] = second;
        // A length of 0 has other meanings, as "to the end of the disk": no length may be cut.
        let short = u32::try_from(first).ok().zip(u16::try_from(blocks).ok()).filter(|_| codes.0 != codes.1);
        if let Some((first, blocks)) = short {
            block[0] = codes.0;
            block[2..6].copy_from_slice(&first.to_be_bytes());
            block[7..9].copy_from_slice(&blocks.to_be_bytes());
            return Ok(command);
        }
        command.len = 16;
        block[0] = codes.1;
        block[2..10].copy_from_slice(&first.to_be_bytes());
        if codes.1 == op::WRITE_STREAM_16 {
            let blocks = u16::try_from(blocks).map_err(|_| libc::EINVAL)?;
            block[10..12].copy_from_slice(&stream.to_be_bytes());
            block[12..14].copy_from_slice(&blocks.to_be_bytes());
        } else {
            block[10..14].copy_from_slice(&blocks.to_be_bytes());
        }
        Ok(command)
    }
}

/// Returns the first logical block and the number of blocks of the rest of an operation; `None` if it does not consist of
/// whole blocks, or of none.
pub(crate) fn blocks(disk: Capacity, o: &Op) -> Option<(u64, u32)> {
    let (start, bytes) = (o.offset + u64::from(o.done), o.len - o.done);
    let part = (1u64 << disk.shift) - 1;
    let whole = disk.shift > 0 && (start | u64::from(bytes)) & part == 0 && bytes > 0;
    whole.then_some((start >> disk.shift, bytes >> disk.shift))
}

/// Returns the parameter list of an UNMAP of one range.
pub(crate) fn unmap_list((first, blocks): (u64, u32)) -> [u8; UNMAP_LIST] {
    let mut list = [0; UNMAP_LIST];
    list[..2].copy_from_slice(&(UNMAP_LIST as u16 - 2).to_be_bytes());
    list[2..4].copy_from_slice(&(UNMAP_LIST as u16 - 8).to_be_bytes());
    list[8..16].copy_from_slice(&first.to_be_bytes());
    list[16..20].copy_from_slice(&blocks.to_be_bytes());
    list
}
