//! NVMe commands of operations, and the errno of a command's status.

use crate::{Kind, Op};
use sys::nvme::{Command, Namespace, op};
use sys::nvme_zones::op::ZONE_APPEND;

/// Command of the job's writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WriteCommand {
    /// Write.
    #[default]
    Write,
    /// Write Uncorrectable: reads of the blocks fail afterwards.
    Uncorrectable,
    /// Write Zeroes; `deallocate` sets the bit DEAC.
    Zeroes {
        /// Whether the device should deallocate the blocks.
        deallocate: bool,
    },
    /// Verify: the device checks the data, and transfers none.
    Verify,
    /// Write with a directive, whose identifier is set for each write.
    Directed(Directive),
    /// Zone Append: the command names the zone, and its completion the first block that was written.
    Append,
}

/// Writes with several commands, each with its share in percent; a mixture adds up to 100.
pub type WriteMix = [(WriteCommand, u8); 5];

/// Type of a directive (DTYPE).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Directive {
    /// Streams; the identifier is that of a stream.
    Streams = 1,
    /// Data placement; the identifier is a placement identifier.
    Placement = 2,
}

/// Protection information of the job's reads and writes; namespaces without protection information ignore it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Protection {
    /// Whether the controller inserts and strips the information (PRACT).
    pub action: bool,
    /// Whether the guard is checked.
    pub guard: bool,
    /// Whether the reference tag is checked.
    pub reference: bool,
    /// Whether the application tag is checked.
    pub application: bool,
    /// Application tag.
    pub tag: u16,
    /// Mask of the application tag.
    pub mask: u16,
}

impl Protection {
    /// Returns PRINFO as it stands in command dword 12.
    fn bits(&self) -> u32 {
        u32::from(self.action) << 29
            | u32::from(self.guard) << 28
            | u32::from(self.application) << 27
            | u32::from(self.reference) << 26
    }
}

/// Commands of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    /// Command of writes.
    pub write: WriteCommand,
    /// Whether reads and writes force unit access (FUA); index = [`Kind`].
    pub fua: [bool; 2],
    /// Protection information.
    pub protection: Protection,
}

/// Bytes of the protection information of a block: guard, application tag and reference tag.
pub(super) const TUPLE: u32 = 8;

const FUA: u32 = 1 << 30;
const DEALLOCATE: u32 = 1 << 25;
/// Protection Information Remap of Zone Append (PIREMAP).
const REMAP: u32 = 1 << 25;
/// Attribute "deallocate" of Dataset Management (command dword 11).
const ATTRIBUTE_DEALLOCATE: u32 = 1 << 2;

impl Commands {
    /// Returns whether the controller makes the whole metadata of a block, of which nothing is transferred then.
    pub(super) fn controller_makes_metadata(&self, space: &Namespace) -> bool {
        self.protection.action && space.protection != 0 && space.metadata == TUPLE
    }

    /// Returns the bytes of the buffer per logical block: data, and metadata if they follow the data.
    pub(super) fn unit(&self, space: &Namespace) -> u32 {
        let metadata =
            if space.extended && !self.controller_makes_metadata(space) { space.metadata } else { 0 };
        (1 << space.shift) + metadata
    }

    /// Returns the bytes of metadata per logical block in a buffer of its own; 0 = none is transferred.
    pub(super) fn separate(&self, space: &Namespace) -> u32 {
        if space.extended || self.controller_makes_metadata(space) { 0 } else { space.metadata }
    }

    /// Returns the first logical block and the number of blocks of an operation; `None` if it does not consist of 1 to
    /// 65536 whole blocks (a trim: 1 to 2^32 - 1).
    pub(super) fn blocks(&self, space: &Namespace, o: &Op) -> Option<(u64, u32)> {
        let unit = self.unit(space);
        let (first, n) = (o.offset / u64::from(unit), o.len / unit);
        let whole = o.offset.is_multiple_of(u64::from(unit)) && o.len.is_multiple_of(unit);
        (whole && n > 0 && (n <= 1 << 16 || o.kind == Kind::Trim)).then_some((first, n))
    }

    /// Returns whether an operation of this kind transfers the block of its slot.
    pub(super) fn transfers(&self, kind: Kind) -> bool {
        let writes =
            matches!(self.write, WriteCommand::Write | WriteCommand::Directed(_) | WriteCommand::Append);
        kind == Kind::Read || kind == Kind::Write && writes
    }

    /// Returns the command of a read, write or flush, or of a trim of one range, without its addresses; `blocks` are the
    /// first logical block and their number, not used for a flush or a trim. `directive` returns the identifier of a
    /// write with a directive.
    pub(super) fn of(
        &self,
        space: &Namespace,
        kind: Kind,
        blocks: (u64, u32),
        directive: impl FnOnce() -> u16,
    ) -> Command {
        let (first, n) = blocks;
        let mut command = Command { nsid: space.id, ..Command::default() };
        let (opcode, extra) = match kind {
            Kind::Read => (op::READ, 0),
            Kind::Write => match self.write {
                WriteCommand::Write => (op::WRITE, 0),
                WriteCommand::Uncorrectable => (op::WRITE_UNCORRECTABLE, 0),
                WriteCommand::Zeroes { deallocate } => {
                    (op::WRITE_ZEROES, if deallocate { DEALLOCATE } else { 0 })
                }
                WriteCommand::Verify => (op::VERIFY, 0),
                // The controller remaps the reference tags of blocks of types 1 and 2 to where they are written.
                WriteCommand::Append if matches!(space.protection, 1 | 2) => (ZONE_APPEND, REMAP),
                WriteCommand::Append => (ZONE_APPEND, 0),
                WriteCommand::Directed(kind) => {
                    command.cdw13 = u32::from(directive()) << 16;
                    (op::WRITE, u32::from(kind as u8) << 20)
                }
            },
            Kind::Trim => {
                // One range; dword 10 is the number of ranges less one.
                command.opcode = op::DATASET_MANAGEMENT;
                command.cdw11 = ATTRIBUTE_DEALLOCATE;
                return command;
            }
            Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => {
                command.opcode = op::FLUSH;
                return command;
            }
        };
        command.opcode = opcode;
        (command.cdw10, command.cdw11) = (first as u32, (first >> 32) as u32);
        command.cdw12 = n.wrapping_sub(1) & 0xffff | extra;
        // Write Uncorrectable has neither FUA nor protection information.
        if opcode != op::WRITE_UNCORRECTABLE {
            command.cdw12 |= if self.fua[kind as usize] { FUA } else { 0 };
            self.protect(space, first, &mut command);
        }
        command
    }

    /// Returns the command of a trim of `ranges` ranges, without its address.
    pub(super) fn trim(&self, space: &Namespace, ranges: u32) -> Command {
        let command = self.of(space, Kind::Trim, (0, 0), || 0);
        Command { cdw10: ranges.wrapping_sub(1), data_len: 16 * ranges, ..command }
    }

    fn protect(&self, space: &Namespace, first: u64, command: &mut Command) {
        if space.protection == 0 {
            return;
        }
        command.cdw12 |= self.protection.bits();
        // Blocks of type 3 have no reference tag that follows their number.
        if matches!(space.protection, 1 | 2) {
            command.cdw14 = first as u32;
        }
        command.cdw15 = u32::from(self.protection.mask) << 16 | u32::from(self.protection.tag);
    }
}

/// Returns the range of a Dataset Management command: attributes, number of blocks, first block.
pub(super) fn range(blocks: (u64, u32)) -> [u8; 16] {
    let mut range = [0; 16];
    range[4..8].copy_from_slice(&blocks.1.to_le_bytes());
    range[8..].copy_from_slice(&blocks.0.to_le_bytes());
    range
}

/// Returns the errno of a command that ended with `status` (status code type and code, with the bits "more" and "do not
/// retry"): that of I/O on the block device of the namespace, but EINVAL and EOPNOTSUPP for commands that are wrong.
pub fn errno_of_status(status: u32) -> i32 {
    match status & 0x7ff {
        // Invalid opcode.
        0x01 => libc::EOPNOTSUPP,
        // Invalid field, and LBA out of range.
        0x02 | 0x80 => libc::EINVAL,
        // Capacity exceeded.
        0x81 => libc::ENOSPC,
        // Namespace not ready.
        0x82 => libc::EAGAIN,
        // Reservation conflict.
        0x83 => libc::EBADE,
        // Write fault, unrecovered read error, compare failure, access denied, deallocated block.
        0x280 | 0x281 | 0x285 | 0x286 | 0x287 => libc::ENODATA,
        // Guard, application tag and reference tag checks, and invalid protection information.
        0x282 | 0x283 | 0x284 | 0x181 => libc::EILSEQ,
        // Read-only range or namespace.
        0x182 | 0x20 => libc::EROFS,
        _ => libc::EIO,
    }
}
