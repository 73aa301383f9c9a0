//! Verification of written data (`verify=` and its options).

use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

/// Size of the header of a block in bytes, without the checksum of the data area.
pub const HEADER: usize = 40;

/// Checksum of the data area of a block, stored behind the block's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u16)]
pub enum Checksum {
    /// No checksum: only the header is checked (`verify=meta`).
    None = 1,
    /// MD5.
    Md5 = 2,
    /// CRC-64 with the polynomial 0xad93d23594c935a9, reflected.
    Crc64 = 3,
    /// CRC-32 of fio: polynomial 0x04c11db7, not reflected, initial value 0, no final inversion.
    Crc32 = 4,
    /// CRC-32C (Castagnoli) without the final inversion, as fio stores it.
    Crc32c = 5,
    /// CRC-16/ARC.
    Crc16 = 7,
    /// CRC-7/MMC.
    Crc7 = 8,
    /// fio's variant of SHA-256.
    Sha256 = 9,
    /// fio's variant of SHA-512, and 32 bits of the real one in the header of a block that fathom wrote.
    Sha512 = 10,
    /// SHA3-224.
    Sha3_224 = 11,
    /// SHA3-256.
    Sha3_256 = 12,
    /// SHA3-384.
    Sha3_384 = 13,
    /// SHA3-512.
    Sha3_512 = 14,
    /// XXH32 with seed 1.
    Xxhash = 15,
    /// SHA-1.
    Sha1 = 16,
    /// No checksum: the data area holds the pattern (`verify=pattern_hdr`).
    Pattern = 17,
}

impl Checksum {
    /// All checksums, with the names of `verify=`.
    pub const ALL: [(&'static str, Checksum); 17] = [
        ("md5", Checksum::Md5),
        ("crc64", Checksum::Crc64),
        ("crc32", Checksum::Crc32),
        ("crc32c-intel", Checksum::Crc32c),
        ("crc32c", Checksum::Crc32c),
        ("crc16", Checksum::Crc16),
        ("crc7", Checksum::Crc7),
        ("sha1", Checksum::Sha1),
        ("sha256", Checksum::Sha256),
        ("sha512", Checksum::Sha512),
        ("sha3-224", Checksum::Sha3_224),
        ("sha3-256", Checksum::Sha3_256),
        ("sha3-384", Checksum::Sha3_384),
        ("sha3-512", Checksum::Sha3_512),
        ("xxhash", Checksum::Xxhash),
        ("meta", Checksum::None),
        ("pattern_hdr", Checksum::Pattern),
    ];

    /// Returns the name of the checksum in `verify=`; fio's messages begin with it.
    pub fn name(self) -> &'static str {
        let named = |(_, known): &&(&'static str, Checksum)| *known == self;
        Self::ALL.iter().rfind(named).map_or("", |(name, _)| name)
    }

    /// Returns the size of the stored checksum in bytes.
    pub fn size(self) -> usize {
        match self {
            Checksum::None | Checksum::Pattern => 0,
            Checksum::Crc7 => 1,
            Checksum::Crc16 => 2,
            Checksum::Crc32 | Checksum::Crc32c | Checksum::Xxhash => 4,
            Checksum::Crc64 => 8,
            Checksum::Md5 => 16,
            Checksum::Sha1 => 20,
            Checksum::Sha3_224 => 28,
            Checksum::Sha3_256 => 32,
            Checksum::Sha3_384 => 48,
            Checksum::Sha256 | Checksum::Sha3_512 => 64,
            Checksum::Sha512 => 128,
        }
    }
}

/// Contents of a block by which it is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// Nothing is checked; blocks are only read back (`verify=null`).
    Null,
    /// The whole block holds the pattern, without a header (`verify=pattern`).
    Pattern,
    /// Each block begins with a header that contains its place, its write and this checksum.
    Header(Checksum),
}

/// Bytes that are repeated over a block, with places for the offset of the block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffsetPattern {
    /// Bytes of the pattern; empty = no pattern.
    pub bytes: Vec<u8>,
    /// Positions in `bytes` at which the offset of the I/O stands (`%o`), as eight bytes, lowest first.
    pub offsets: Vec<usize>,
    /// Number of bytes after which the pattern begins again, with the offset of that place
    /// (`verify_pattern_interval`); `None` = it begins once per I/O.
    pub interval: Option<NonZeroU64>,
}

/// Writes that the saved state covers (`verify_policy=`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Policy {
    /// All completed writes.
    #[default]
    Completed,
    /// Writes that had completed when the last completed sync was issued.
    Fsynced,
}

/// Blocks that are read back and checked, or trimmed, while the job still writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backlog {
    /// Number of written blocks after which a round begins.
    pub every: NonZeroU64,
    /// Number of blocks that a round checks or trims.
    pub batch: NonZeroU64,
}

/// Trims of written blocks (`trim_percentage`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrimSpec {
    /// Share of the written blocks in percent, from 1.
    pub percent: u8,
    /// Whether trimmed blocks are read back and have to contain only zeros (`trim_verify_zero`).
    pub zeros: bool,
    /// Trims while the job writes; `None` = at the end of each pass.
    pub backlog: Option<Backlog>,
}

/// Verification of a job's data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifySpec {
    /// Contents by which blocks are verified.
    pub method: Method,
    /// Whether written blocks are read back and checked (`do_verify`).
    pub read_back: bool,
    /// Whether nothing is written, and the data of an earlier run of the same job is checked (`verify_only`).
    pub only: bool,
    /// Distance between two headers in bytes; it divides every block size.
    pub interval: u32,
    /// Position of the header in its interval in bytes.
    pub offset: u32,
    /// Contents of the data area; without bytes, it is random.
    pub pattern: OffsetPattern,
    /// Whether the first mismatch ends the job in spite of `continue_on_error`.
    pub fatal: bool,
    /// Whether blocks that do not match are written to files (`verify_dump`).
    pub dump: bool,
    /// Whether blocks that were read are checked; engines that store no data return none.
    pub checks: bool,
    /// Check of blocks during the writes; `None` = at the end of each pass.
    pub backlog: Option<Backlog>,
    /// Trims of written blocks; `None` = none are trimmed.
    pub trims: Option<TrimSpec>,
    /// Whether the state is saved at the end of the job (`verify_state_save`).
    pub save_state: bool,
    /// Whether the saved state limits the blocks that are checked (`verify_state_load`).
    pub load_state: bool,
    /// Writes that the saved state covers.
    pub policy: Policy,
    /// Whether the seed in the header is checked (`verify_header_seed`).
    pub seed: bool,
    /// Number of threads of each clone that check blocks; 0 = the thread that does the I/O.
    #[serde(default)]
    pub threads: u32,
    /// CPUs of these threads; empty = those of the thread that does the I/O.
    #[serde(default)]
    pub thread_cpus: Vec<u32>,
}

/// Returns the greatest common divisor of two sizes; that of a size and 0 is the size.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
