//! Data written by fio, as observed in files of fio 3.33: random buffers, the stamps of `scramble_buffers`, and the
//! headers of `verify`.

use super::text;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Multiples of one number that form a group of four words in fio's random buffers; the number of the next group is
/// that number times [`NEXT`].
const MULTIPLES: [u64; 4] = [1, 2, 3, 5];
const NEXT: u64 = 0x61c8_8646_80b5_83eb;
/// Inverse of 3 modulo 2^64.
const THIRD: u64 = 0xaaaa_aaaa_aaaa_aaab;
const WORDS: usize = 512 / 8;
/// Distances in bytes at which a short pattern may repeat: multiples of its length that are longer than any stamp.
const LAGS: RangeInclusive<usize> = 65..=128;

/// Factor of each word of a sector, relative to the number of the first group.
static FACTORS: LazyLock<[u64; WORDS]> = LazyLock::new(|| {
    let mut group = 1u64;
    let mut factors = [0; WORDS];
    for four in factors.chunks_mut(4) {
        four.iter_mut().zip(MULTIPLES).for_each(|(factor, multiple)| *factor = group.wrapping_mul(multiple));
        group = group.wrapping_mul(NEXT);
    }
    factors
});

/// Returns the little-endian word at byte `at`.
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// Returns the number of bytes at the start of `bytes` that a single fill of fio's random buffer explains; 0 if fewer
/// than 16.
pub(super) fn fill_length(bytes: &[u8]) -> usize {
    // A few bytes before zeros are also a fill, of a number that is a multiple of a high power of two.
    let Some(mut number) = word(bytes, 0).filter(|first| first.trailing_zeros() < 24) else { return 0 };
    if word(bytes, 8) != Some(number.wrapping_mul(2)) {
        return 0;
    }
    let mut at = 0;
    loop {
        for multiple in MULTIPLES {
            let expected = number.wrapping_mul(multiple).to_le_bytes();
            let same = bytes[at..].iter().zip(expected).take_while(|(a, b)| **a == *b).count();
            at += same;
            if same < 8 {
                return at;
            }
        }
        number = number.wrapping_mul(NEXT);
    }
}

/// Returns whether `scramble_buffers` overwrites the word `index` of a sector: the first of every eight words with the
/// offset of a sector that the buffer was written to, words 6 and 7 with seconds and nanoseconds. A buffer keeps the
/// stamps of earlier writes.
fn stamped(index: usize) -> bool {
    index.is_multiple_of(8) || index == 6 || index == 7
}

fn stamp_is_sensible(index: usize, value: u64) -> bool {
    match index {
        6 => value < 1 << 34,
        7 => value < 1_000_000_000,
        _ => value.is_multiple_of(512) && value < 1 << 56,
    }
}

fn words(sector: &[u8]) -> Option<[u64; WORDS]> {
    let mut words = [0; WORDS];
    for (to, from) in words.iter_mut().zip(sector.chunks_exact(8)) {
        *to = u64::from_le_bytes(from.try_into().ok()?);
    }
    (sector.len() == 512).then_some(words)
}

/// Returns whether a sector is fio's random data with stamps.
pub(super) fn is_scrambled_noise(sector: &[u8]) -> bool {
    let Some(words) = words(sector) else { return false };
    let number = words[2].wrapping_mul(THIRD);
    let as_filled = |index: usize| words[index] == number.wrapping_mul(FACTORS[index]);
    number != 0 && (0..WORDS).all(|i| as_filled(i) || stamped(i) && stamp_is_sensible(i, words[i]))
}

/// Returns the offsets stamped into a sector of constant bytes or a short pattern; `None` for other sectors. A stamp is
/// evidence only if it is the sector's own offset.
pub(super) fn offsets_in_pattern(sector: &[u8]) -> Option<Vec<u64>> {
    let words = words(sector)?;
    let base = |byte: usize| !stamped(byte / 8);
    let repeats = |lag: usize| {
        let mut compared = 0;
        let mut same = (0..512 - lag).filter(|at| base(*at) && base(at + lag)).map(|at| {
            compared += 1;
            sector[at] == sector[at + lag]
        });
        same.all(|same| same) && compared >= 128
    };
    // The end is compared first, so that a sector in which only the beginning repeats costs little.
    let end_repeats = |lag: usize| (456..512).all(|at| !base(at - lag) || sector[at] == sector[at - lag]);
    let lag = LAGS.into_iter().find(|lag| end_repeats(*lag) && repeats(*lag))?;
    // The pattern's own value at a word that was not overwritten by a stamp.
    let own = |index: usize| {
        let at = index * 8;
        let from = |byte: usize| {
            let up = (byte..512).step_by(lag).find(|b| base(*b));
            up.or_else(|| (0..=byte).rev().step_by(lag).find(|b| base(*b))).map(|b| sector[b])
        };
        (at..at + 8).all(|byte| from(byte) == Some(sector[byte]))
    };
    let sensible = (0..WORDS).filter(|i| stamped(*i)).all(|i| stamp_is_sensible(i, words[i]) || own(i));
    sensible.then(|| (0..WORDS).step_by(8).map(|i| words[i]).filter(|v| v.is_multiple_of(512)).collect())
}

/// Size in bytes of a `verify` header without its checksum field.
pub(super) const HEADER: usize = 40;
/// Largest size in bytes of the checksum field, plus less than a group of random words that may follow.
pub(super) const HEADER_EXTRA: usize = 192;

/// Returns whether `bytes` begin with a `verify` header: its magic, and a CRC-32C over the header's preceding fields.
pub(super) fn is_verify_header(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xca, 0xac])
        && bytes.get(..HEADER).is_some_and(|header| {
            let crc = header[..36].iter().fold(!0u32, |crc, byte| {
                (0..8).fold(
                    crc ^ u32::from(*byte),
                    |c, _| if c & 1 == 1 { c >> 1 ^ 0x82f6_3b78 } else { c >> 1 },
                )
            });
            header[36..] == crc.to_le_bytes()
        })
}

/// Returns whether a sector is constant or a short pattern that is not text, except for the two words that fathom's `scramble_buffers`
/// stamps: the time, and the offset of the write combined with the time.
pub(super) fn is_stamped_by_fathom(sector: &[u8]) -> bool {
    let Some(words) = words(sector) else { return false };
    let (mark, now) = (words[0], words[32]);
    let base = |byte: usize| byte / 8 != 0 && byte / 8 != 32;
    let repeats = |lag: &usize| {
        (0..512 - lag).filter(|at| base(*at) && base(at + lag)).all(|at| sector[at] == sector[at + lag])
    };
    let offset = mark ^ now.rotate_left(32);
    // Words with all bits set belong to a pattern and are not a time.
    (1 << 24..1 << 63).contains(&now)
        && now as u32 >= 1 << 12
        && offset < 1 << 44
        && LAGS.into_iter().find(repeats).is_some_and(|lag| !text::is_text(&sector[264..512.min(264 + lag)]))
}
