//! Protection information that the host makes and checks (PRACT = 0): 8 bytes per block, big-endian guard (CRC-16
//! T10-DIF of the data), application tag and reference tag.

use super::command::{Commands, TUPLE};
use sys::nvme::Namespace;

/// Value of the application tag for which no check is made.
const UNCHECKED: u16 = 0xffff;

/// CRC-16 with the polynomial of T10-DIF, most significant bit first.
const TABLE: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = (byte as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 0x8000 != 0 { crc << 1 ^ 0x8bb7 } else { crc << 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// Continues the CRC-16 T10-DIF `crc` with `bytes`; it begins with 0.
pub(super) fn crc16(crc: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(crc, |crc, byte| crc << 8 ^ TABLE[usize::from((crc >> 8) as u8 ^ byte)])
}

/// One block: its data, its metadata, and the number of the block.
pub(super) struct Protected<'a> {
    pub(super) data: &'a [u8],
    pub(super) metadata: &'a mut [u8],
    pub(super) number: u64,
}

impl Protected<'_> {
    /// Returns the offset of the information in the metadata, and the guard of data and metadata before it.
    fn place(&self, space: &Namespace) -> (usize, u16) {
        let at = if space.protection_first { 0 } else { self.metadata.len() - TUPLE as usize };
        (at, crc16(crc16(0, self.data), &self.metadata[..at]))
    }

    /// Writes the information of the block.
    pub(super) fn write(&mut self, space: &Namespace, commands: &Commands) {
        let (at, guard) = self.place(space);
        let tuple = &mut self.metadata[at..at + TUPLE as usize];
        tuple[..2].copy_from_slice(&guard.to_be_bytes());
        tuple[2..4].copy_from_slice(&commands.protection.tag.to_be_bytes());
        let reference = if space.protection == 3 { 0 } else { self.number as u32 };
        tuple[4..].copy_from_slice(&reference.to_be_bytes());
    }

    /// Returns whether the checks that the job requests succeed.
    pub(super) fn check(&self, space: &Namespace, commands: &Commands) -> bool {
        let wanted = &commands.protection;
        let (at, guard) = self.place(space);
        let tuple = &self.metadata[at..at + TUPLE as usize];
        let word = |at: usize| u16::from_be_bytes([tuple[at], tuple[at + 1]]);
        let reference = u32::from_be_bytes([tuple[4], tuple[5], tuple[6], tuple[7]]);
        let tag = word(2);
        // A block that was never written has tags of ones.
        if tag == UNCHECKED && (space.protection != 3 || reference == u32::MAX) {
            return true;
        }
        (!wanted.guard || word(0) == guard)
            && (!wanted.application || (tag ^ wanted.tag) & wanted.mask == 0)
            && (!wanted.reference || space.protection == 3 || reference == self.number as u32)
    }
}
