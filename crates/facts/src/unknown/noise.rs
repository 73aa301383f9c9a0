//! Detection of random bytes by the frequency of equal values and of equal differences between neighbours.

use super::text;

/// Size in bytes of the smaller window, in which a stretch of text is found that a random sector would hide.
pub(super) const WINDOW: usize = 128;
/// Smallest number of bytes that are judged on their own.
pub(super) const SHORT: usize = 64;
/// Distances of bytes whose differences are examined; neighbouring samples of sound, pixels and numbers are similar.
const LAGS: [usize; 4] = [1, 2, 3, 4];

/// Number of bytes that the longest signature of a compressed file needs.
const LONGEST_SIGNATURE: usize = 12;
/// Signatures of compressed files, whose other bytes look random: offset and bytes.
const COMPRESSED: &[(usize, &[u8])] = &[
    (0, &[0x28, 0xb5, 0x2f, 0xfd]),
    (0, &[0xfd, b'7', b'z', b'X', b'Z', 0]),
    (0, b"7z\xbc\xaf\x27\x1c"),
    (0, b"Rar!\x1a\x07"),
    (0, &[0x04, 0x22, 0x4d, 0x18]),
    (0, b"\x89PNG\r\n\x1a\n"),
    (0, b"Salted__"),
    (0, b"OggS\0"),
    (0, b"fLaC\0"),
    (4, b"1AY&SY"),
    (4, b"ftyp"),
];

/// Returns whether a sector of 512 bytes is random: no value and no difference occurs much more often than by chance.
pub(super) fn is_noise(sector: &[u8]) -> bool {
    // A MiB has 2000 sectors: at most one random sector in a billion may be rejected.
    is_random(sector)
        && in_range(sector.iter().copied())
        && !begins_a_file(sector)
        && LAGS.iter().all(|lag| {
            let differences = sector[*lag..].iter().zip(sector).map(|(b, a)| b.wrapping_sub(*a));
            in_range(differences)
        })
}

/// Returns whether the number of pairs of equal values in a sector is at most eight standard deviations from the mean
/// of 511, with more room above for the fields that fathom stamps into a sector.
fn in_range(values: impl Iterator<Item = u8>) -> bool {
    (320..=740).contains(&pairs(values))
}

/// Returns whether every window of [`WINDOW`] bytes of `bytes` looks random and `bytes` has no words.
pub(super) fn is_random(bytes: &[u8]) -> bool {
    if text::has_words(bytes) {
        return false;
    }
    let Some(last) = bytes.len().checked_sub(WINDOW) else { return window_is_random(bytes) };
    let mut starts = (0..last).step_by(WINDOW / 2).chain([last]);
    starts.all(|start| window_is_random(&bytes[start..start + WINDOW]))
}

fn window_is_random(bytes: &[u8]) -> bool {
    let n = bytes.len() as f64;
    let mean = n * (n - 1.0) / 512.0;
    f64::from(pairs(bytes.iter().copied())) <= mean + 8.0 * mean.sqrt() + 8.0
}

fn pairs(values: impl Iterator<Item = u8>) -> u32 {
    let mut counts = [0u16; 256];
    let mut pairs = 0;
    for value in values {
        let count = &mut counts[usize::from(value)];
        pairs += u32::from(*count);
        *count += 1;
    }
    pairs
}

/// Returns whether `b` begins with the signature of a compressed file.
pub(super) fn begins_a_file(b: &[u8]) -> bool {
    if b.len() < LONGEST_SIGNATURE {
        return false;
    }
    let gzip =
        b.starts_with(&[0x1f, 0x8b, 8]) && b[3] < 0x20 && b[8] & !6 == 0 && (b[9] <= 13 || b[9] == 255);
    let zip = b.starts_with(b"PK\x03\x04") && b[4] < 64 && b[5] == 0;
    let jpeg = b.starts_with(&[0xff, 0xd8, 0xff]) && (b[3] & 0xf0 == 0xe0 || b[3] == 0xdb) && b[4] == 0;
    gzip || zip || jpeg || COMPRESSED.iter().any(|(at, magic)| b[*at..].starts_with(magic))
}
