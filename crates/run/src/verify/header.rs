//! The header of a verified block, with the layout of fio 3.33: magic number, checksum, length, seed, offset, time,
//! number of the worker and of the write, and a checksum of all this. All fields are stored lowest byte first.

use super::checksum::{crc32c, real_sha512, store};
use job::verify::{Checksum, HEADER};

/// First two bytes of every header.
pub(crate) const MAGIC: u16 = 0xacca;
/// Bit of the number of the worker that tells fathom's headers from fio's.
const OURS: u16 = 0x8000;

/// Fields of a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) magic: u16,
    /// Number of the checksum of the data area (see [`Checksum`]).
    pub(crate) checksum: u16,
    /// Distance to the next header in bytes.
    pub(crate) length: u32,
    /// Seed of the data. In fathom's headers: [`Header::key`] in the upper half, [`Header::write`] in the lower.
    pub(crate) seed: u64,
    /// Offset of the block in its file in bytes.
    pub(crate) offset: u64,
    /// In fio's headers the seconds of a clock; in fathom's a number that each run draws.
    pub(crate) run: u32,
    /// In fio's headers the nanoseconds of a clock; in fathom's 32 bits of the real checksum where fio's does not depend
    /// on all of the data, else 0.
    pub(crate) strong: u32,
    /// Number of the worker; in fathom's headers 1 with the bit [`OURS`].
    pub(crate) worker: u16,
    /// Lowest bits of the number of the write.
    pub(crate) number: u16,
    /// Checksum of all other fields.
    pub(crate) crc: u32,
}

impl Header {
    /// Returns whether fathom wrote the header.
    pub(crate) fn is_ours(&self) -> bool {
        self.worker & OURS != 0
    }

    /// Returns the number that stands for the file and the job's seed, in fathom's headers.
    pub(crate) fn key(&self) -> u32 {
        (self.seed >> 32) as u32
    }

    /// Returns the number of the write among the writes to its file, in fathom's headers.
    pub(crate) fn write(&self) -> u32 {
        self.seed as u32
    }

    /// Reads the header at the beginning of `bytes`.
    #[inline]
    pub(crate) fn read(bytes: &[u8; HEADER]) -> Header {
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let u32_at = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let u64_at = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Header {
            magic: u16_at(0),
            checksum: u16_at(2),
            length: u32_at(4),
            seed: u64_at(8),
            offset: u64_at(16),
            run: u32_at(24),
            strong: u32_at(28),
            worker: u16_at(32),
            number: u16_at(34),
            crc: u32_at(36),
        }
    }

    /// Writes the header to the beginning of `bytes`, with its checksum.
    #[inline]
    pub(crate) fn write_to(&self, bytes: &mut [u8; HEADER]) {
        bytes[0..2].copy_from_slice(&self.magic.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.seed.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.offset.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.run.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.strong.to_le_bytes());
        bytes[32..34].copy_from_slice(&self.worker.to_le_bytes());
        bytes[34..36].copy_from_slice(&self.number.to_le_bytes());
        let crc = crc32c(&bytes[..36]);
        bytes[36..].copy_from_slice(&crc.to_le_bytes());
    }
}

/// The place of a header in its block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) checksum: Checksum,
    /// Position of the header in the block in bytes (`verify_offset`).
    pub(crate) at: usize,
}

impl Layout {
    /// Returns the number of bytes of header and checksum.
    pub(crate) fn head(&self) -> usize {
        HEADER + self.checksum.size()
    }

    /// Exchanges the beginning of the block with the place of the header: fio makes and checks a block with the header
    /// at its beginning.
    #[inline]
    pub(crate) fn swap(&self, block: &mut [u8]) {
        if self.at == 0 {
            return;
        }
        let (front, back) = block.split_at_mut(self.at);
        let head = self.head();
        front[..head].swap_with_slice(&mut back[..head]);
    }

    /// Writes header and checksum into `block`, whose data area is filled: a block of `length` bytes at `offset`.
    #[inline]
    pub(crate) fn stamp(&self, length: u32, seed: u64, offset: u64, run: u32, block: &mut [u8]) {
        // fio numbers writes from 0 and workers from 1.
        let number = (seed as u32).wrapping_sub(1) as u16;
        let mut header = Header {
            magic: MAGIC,
            checksum: self.checksum as u16,
            length,
            seed,
            offset,
            run,
            strong: 0,
            worker: OURS | 1,
            number,
            crc: 0,
        };
        let (head, data) = block.split_at_mut(self.head());
        let (fields, sum) = head.split_at_mut(HEADER);
        store(self.checksum, data, sum);
        if self.checksum == Checksum::Sha512 {
            header.strong = real_sha512(data);
        }
        if let Some(fields) = fields.first_chunk_mut::<HEADER>() {
            header.write_to(fields);
        }
        self.swap(block);
    }
}
