//! Sizes by weight and places by law: `bssplit` and what it shares with the lists of `random_distribution`.

use crate::unit;
use crate::value::BadValue;
use serde::{Deserialize, Serialize};

/// Entries per direction; fio says so and drops what is beyond.
pub const MOST_SPLITS: usize = 64;

/// How the size of the next I/O is drawn, where the range alone does not say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sizes {
    /// `bssplit`: sizes and their percents, per direction; the last one has what is left of a hundred.
    pub split: [Vec<(u64, u8)>; 3],
    /// `bs_unaligned`: any size of the range, not only multiples of its lower end.
    pub unaligned: bool,
    /// `bs_is_seq_rand`: the read size is that of sequential I/Os, the write size that of random ones.
    pub seq_rand: bool,
}

/// Where random I/Os go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Places {
    /// `ba`: random offsets are multiples of it, per direction; 0 = of the smallest block.
    pub align: [u64; 3],
}

/// What `bssplit` says of one direction, lightest first.
pub type Split = Vec<(u64, u8)>;

/// Reads `bs/percent:bs/percent,...`; a direction that is not named has none.
///
/// # Errors
/// A size that is no number.
pub fn split(text: &str, kb_base: u32) -> Result<[Option<Split>; 3], BadValue> {
    let mut list: [Option<Split>; 3] = [const { None }; 3];
    let parts: Vec<&str> = text.split(',').collect();
    for (slot, part) in list.iter_mut().zip(&parts) {
        if !part.is_empty() {
            *slot = Some(weighed(part, kb_base)?);
        }
    }
    for at in parts.len().max(1)..3 {
        list[at] = list[at - 1].clone();
    }
    if list.iter().all(Option::is_none) {
        return Err(BadValue::right("names no size; right would be e.g. 4k/60:16k/40"));
    }
    Ok(list)
}

fn weighed(part: &str, kb_base: u32) -> Result<Split, BadValue> {
    let mut list = Split::new();
    for entry in part.split(':').map(str::trim).filter(|entry| !entry.is_empty()).take(MOST_SPLITS) {
        let (size, percent) = entry.split_once('/').unwrap_or((entry, ""));
        let wrong = || {
            BadValue::fio(
                "fio: split conversion failed",
                format!("`{entry}` has no size; right would be e.g. 4k/60:16k/40"),
            )
        };
        let size = unit::integer(size, kb_base).map_err(|_| wrong())?.value;
        if size < 0 || size > crate::table::LARGEST_BLOCK {
            return Err(BadValue::right(format!(
                "a block of {size} bytes; must be 1 to {}",
                crate::table::LARGEST_BLOCK
            )));
        }
        if size > 0 {
            list.push((size as u64, percent_of(percent)));
        }
    }
    if list.is_empty() {
        return Err(BadValue::right("names no size; right would be e.g. 4k/60:16k/40"));
    }
    share(&mut list);
    Ok(list)
}

/// As atoi reads it; what lies outside of 0 to 100 is a hundred.
fn percent_of(text: &str) -> u8 {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    match digits[..end].parse::<u8>() {
        Ok(n) if n <= 100 && digits.len() == text.len() => n,
        Ok(0) => 0,
        Err(_) if end == 0 => 0,
        _ => 100,
    }
}

/// Percents that were left out, and zeros, share evenly what the others leave; then the lightest come first.
pub(crate) fn share<T>(list: &mut [(T, u8)]) {
    let given: u32 = list.iter().map(|(_, percent)| u32::from(*percent)).sum();
    let blanks = list.iter().filter(|(_, percent)| *percent == 0).count() as u32;
    if blanks > 0 {
        let each = (100u32.saturating_sub(given) / blanks) as u8;
        list.iter_mut().filter(|(_, percent)| *percent == 0).for_each(|(_, percent)| *percent = each);
    }
    list.sort_by_key(|(_, percent)| *percent);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn blanks_and_zeros_share_the_rest_and_directions_copy_the_one_before() {
        let of = |text: &str| split(text, 1024).unwrap();
        let k = |list: &[(u64, u8)]| Some(list.iter().map(|(k, p)| (k * 1024, *p)).collect::<Split>());
        assert_eq!(of("4k/50:1k/:32k/")[0], k(&[(1, 25), (32, 25), (4, 50)]));
        assert_eq!(of("4k/10:8k/0:16k/20")[2], k(&[(4, 10), (16, 20), (8, 70)]));
        assert_eq!(of("4k/0:8k/100")[0], k(&[(4, 0), (8, 100)]));
        assert_eq!(of("4k/200:8k/")[0], k(&[(8, 0), (4, 100)]));
        assert_eq!(of("4k/50:"), [k(&[(4, 50)]), k(&[(4, 50)]), k(&[(4, 50)])]);
        assert_eq!(of(",8k,"), [None, k(&[(8, 100)]), None]);
        for bad in ["/50", "a/50", "4k/50:x", "4k/50,a", ",", ":"] {
            assert!(split(bad, 1024).is_err(), "{bad}");
        }
    }
}
