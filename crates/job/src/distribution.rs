//! Distributions of block sizes and offsets: `bssplit`, `random_distribution` and `file_service_type`.

use crate::bad_value::{BadValue, Drawn, Item, LawFault, Listed, Needed};
use crate::spec::Chosen;
use crate::unit::{self, Size};
use serde::{Deserialize, Serialize};

/// Largest number of `bssplit` entries per direction; fio warns of more and ignores them.
pub const MOST_SPLITS: usize = 64;

/// Distribution of block sizes within the range of the block size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sizes {
    /// Block sizes in bytes with their percentages (`bssplit`), per direction; the last entry has the remainder to 100.
    pub split: [Vec<(u64, u8)>; 3],
    /// Whether block sizes are any number of bytes within the range (`bs_unaligned`), not only multiples of the
    /// smallest.
    pub unaligned: bool,
    /// Whether the read size applies to sequential I/Os and the write size to random I/Os (`bs_is_seq_rand`).
    pub seq_rand: bool,
}

/// Distribution of the offsets of random I/Os.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Places {
    /// Alignment of random offsets in bytes, per direction (`ba`); 0 = the smallest block.
    pub align: [u64; 3],
    /// Distribution of the offsets (`random_distribution`).
    pub law: Law,
    /// Percentage of sequential I/Os per direction (100 - `percentage_random`); these begin at the end of the last I/O.
    pub ordered: [u8; 3],
    /// Whether the I/Os of a run share its first offset (`rw_sequencer=identical`).
    pub identical: bool,
    /// Whether each offset occurs once per pass, whatever the block sizes (`random_generator=lfsr`).
    pub each_once: bool,
    /// Zones that are accessed one after the other (`zonemode=strided`); `None` = no zones.
    pub zones: Option<Zones>,
}

/// Sizes of zones that are accessed one after the other, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zones {
    /// Bytes to transfer in a zone before the next zone begins.
    pub size: u64,
    /// Length of a zone in bytes.
    pub range: u64,
    /// Bytes between the end of a zone and the start of the next.
    pub skip: u64,
}

/// Reads `zoneskip` and returns the number of bytes; with the suffix `z` the number counts zones of `zone` bytes.
///
/// # Errors
/// The text is not a number.
pub fn zone_skip(text: &str, kb_base: u32, zone: u64) -> Result<u64, BadValue> {
    let (number, unit) = match text.strip_suffix(['z', 'Z']) {
        Some(zones) => (zones, zone),
        None => (text, 1),
    };
    match unit::integer(number, kb_base) {
        Ok(n) if n.value >= 0 => Ok((n.value as u64).saturating_mul(unit)),
        _ => Err(BadValue::Malformed { text: text.to_owned(), what: Item::Skip, example: "1m".into() }),
    }
}

impl Places {
    /// Returns the alignment in bytes of random offsets of this direction, whose smallest block is `low` bytes.
    pub fn unit(&self, direction: usize, low: u64) -> u64 {
        if self.align[direction] > 0 { self.align[direction] } else { low }
    }
}

/// Distribution of accesses over the blocks of a file, or over the files of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Law {
    /// Uniform distribution.
    #[default]
    Even,
    /// Zipf distribution: the block of rank k has the weight `k^-theta`.
    Zipf {
        /// Exponent; a larger value concentrates accesses on fewer blocks.
        theta: f64,
        /// Position of the most frequent block as a fraction (0 to 1) of the region; `None` = random.
        center: Option<f64>,
    },
    /// Pareto distribution: the fraction `h` of the accesses goes to the fraction `1 - h` of the blocks, recursively.
    Pareto {
        /// Fraction of the accesses, between 0 and 1.
        h: f64,
        /// Position of the most frequent block as a fraction (0 to 1) of the region; `None` = random.
        center: Option<f64>,
    },
    /// Normal distribution.
    Normal {
        /// Widening of the bell curve in percent; 0 is the narrowest curve.
        deviation: f64,
        /// Position of the maximum as a fraction (0 to 1) of the region; `None` = the middle.
        center: Option<f64>,
    },
    /// Percentage of accesses and size of each zone, from the start of the region.
    Zones(Vec<(u8, Size)>),
    /// Fixed sequence of blocks, repeated.
    Sequence {
        /// Numbers of the blocks, from 0.
        blocks: Vec<u64>,
        /// Whether each repetition of the sequence begins as many blocks later as the sequence has entries.
        stride: bool,
    },
}

/// Reads the distribution of `random_distribution`.
///
/// # Errors
/// The distribution does not allow a parameter, or the parameter cannot be read.
pub fn law(chosen: &Chosen, kb_base: u32) -> Result<Law, BadValue> {
    let tail = chosen.tail.as_deref().unwrap_or_default();
    let with = |default: f64| {
        chosen.tail.as_deref().map_or(Ok((default, None)), |t| parameters(t, default, Drawn::Offsets))
    };
    match chosen.name {
        "zipf" => {
            let (theta, center) = with(1.1)?;
            if theta == 1.0 {
                return Err(BadValue::Law(LawFault::ThetaIsOne(Drawn::Offsets)));
            }
            Ok(Law::Zipf { theta, center })
        }
        "pareto" => {
            let (h, center) = with(0.2)?;
            Ok(Law::Pareto { h: skew(h)?, center })
        }
        "normal" => {
            let (deviation, center) = with(0.0)?;
            Ok(Law::Normal { deviation: percent(deviation)?, center })
        }
        "zoned" | "zoned_abs" if chosen.tail.is_none() => {
            Err(BadValue::Law(LawFault::NoZones { law: chosen.name }))
        }
        "zoned" | "zoned_abs" => zones(tail, chosen.name == "zoned", kb_base),
        "sequence" => sequence(tail),
        _ => Ok(Law::Even),
    }
}

/// Largest number of blocks of a sequence.
const MOST_BLOCKS: usize = 64;

fn sequence(tail: &str) -> Result<Law, BadValue> {
    let blocks: Result<Vec<u64>, _> = tail.split(',').map(|block| block.trim().parse()).collect();
    match blocks {
        Ok(blocks) if blocks.len() > MOST_BLOCKS => {
            Err(BadValue::TooMany { what: Listed::Blocks, most: MOST_BLOCKS, given: blocks.len() })
        }
        Ok(blocks) => Ok(Law::Sequence { blocks, stride: false }),
        Err(_) => Err(BadValue::Needs { what: Needed::SequenceBlocks, example: "sequence:2,0,1" }),
    }
}

fn skew(h: f64) -> Result<f64, BadValue> {
    if h > 0.0 && h < 1.0 {
        return Ok(h);
    }
    Err(BadValue::Law(LawFault::ParetoInput))
}

fn percent(deviation: f64) -> Result<f64, BadValue> {
    if (0.0..100.0).contains(&deviation) {
        return Ok(deviation);
    }
    Err(BadValue::Law(LawFault::Deviation))
}

fn parameters(tail: &str, default: f64, drawn: Drawn) -> Result<(f64, Option<f64>), BadValue> {
    let number = |text: &str| match text.parse::<f64>() {
        Ok(n) if n.is_finite() => Ok(n),
        _ => Err(BadValue::Malformed {
            text: text.to_owned(),
            what: Item::LawParameter(drawn),
            example: default.to_string(),
        }),
    };
    let mut parts = tail.split(':');
    let value = number(parts.next().unwrap_or_default())?;
    let center = parts.next().map(number).transpose()?;
    if center.is_some_and(|at| !(0.0..=1.0).contains(&at)) {
        return Err(BadValue::Law(LawFault::Centre));
    }
    Ok((value, center))
}

/// Reads the distribution of `file_service_type`; `None` for values that are not distributions.
///
/// # Errors
/// The distribution does not allow a parameter, or the parameter cannot be read.
pub fn law_of_files(chosen: &Chosen) -> Result<Option<Law>, BadValue> {
    let tail = chosen.tail.as_deref();
    let with =
        |default: f64| tail.map_or(Ok((default, None)), |tail| parameters(tail, default, Drawn::Files));
    Ok(Some(match chosen.name {
        "zipf" => {
            let (theta, center) = with(1.1)?;
            if theta == 1.0 {
                return Err(BadValue::Law(LawFault::ThetaIsOne(Drawn::Files)));
            }
            Law::Zipf { theta, center }
        }
        "pareto" => {
            let (h, center) = with(0.2)?;
            Law::Pareto { h: skew(h)?, center }
        }
        "normal" | "gauss" => {
            let (deviation, center) = with(0.0)?;
            Law::Normal { deviation: percent(deviation)?, center }
        }
        _ => return Ok(None),
    }))
}

/// Largest number of zones.
const MOST_ZONES: usize = 256;

fn zones(tail: &str, percents: bool, kb_base: u32) -> Result<Law, BadValue> {
    if tail.contains(',') {
        return Err(BadValue::Law(LawFault::ZonesPerDirection));
    }
    let mut list = Vec::new();
    for entry in tail.split(':').map(str::trim).filter(|entry| !entry.is_empty()).take(MOST_ZONES) {
        let (access, area) = entry.split_once('/').unwrap_or((entry, ""));
        let wrong =
            |_| BadValue::Malformed { text: entry.to_owned(), what: Item::Zone, example: "60/10".into() };
        let access = unit::integer(access, kb_base).map_err(wrong)?.value.clamp(0, 100) as u8;
        let area = match area {
            "" => 0,
            area => unit::integer(area, kb_base).map_err(wrong)?.value.max(0) as u64,
        };
        list.push((access, area));
    }
    let (accesses, areas) =
        (list.iter().map(|z| u32::from(z.0)).sum::<u32>(), list.iter().map(|z| z.1).sum::<u64>());
    if accesses > 100 || (percents && areas > 100) {
        return Err(BadValue::Law(LawFault::ZonePercents));
    }
    if accesses != 100 && !list.is_empty() {
        return Err(BadValue::Law(LawFault::AccessPercents { sum: accesses }));
    }
    if list.is_empty() {
        return Ok(Law::Even);
    }
    if !percents {
        return Ok(Law::Zones(list.into_iter().map(|(access, area)| (access, Size::Bytes(area))).collect()));
    }
    let blanks = list.iter().filter(|z| z.1 == 0).count() as u64;
    let each = (100 - areas) / blanks.max(1);
    let area = |area: u64| Size::Percent(if area == 0 { each } else { area } as u8);
    Ok(Law::Zones(list.into_iter().map(|(access, percent)| (access, area(percent))).collect()))
}

/// Example of a valid `bssplit`.
const SPLIT: &str = "4k/60:16k/40";

/// Block sizes in bytes with their percentages, for one direction, smallest percentage first.
pub type Split = Vec<(u64, u8)>;

/// Reads `bs/percent:bs/percent,...` (`bssplit`); `None` for directions without entries.
///
/// # Errors
/// A size is not a number.
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
        return Err(BadValue::Needs { what: Needed::BlockSizes, example: SPLIT });
    }
    Ok(list)
}

fn weighed(part: &str, kb_base: u32) -> Result<Split, BadValue> {
    let mut list = Split::new();
    for entry in part.split(':').map(str::trim).filter(|entry| !entry.is_empty()).take(MOST_SPLITS) {
        let (size, percent) = entry.split_once('/').unwrap_or((entry, ""));
        let wrong =
            || BadValue::Malformed { text: entry.to_owned(), what: Item::BlockSize, example: SPLIT.into() };
        let size = unit::integer(size, kb_base).map_err(|_| wrong())?.value;
        if !(0..=unit::LARGEST_BLOCK).contains(&size) {
            return Err(BadValue::BlockSize { bytes: size.into(), most: unit::LARGEST_BLOCK });
        }
        if size > 0 {
            list.push((size as u64, percent_of(percent)));
        }
    }
    if list.is_empty() {
        return Err(BadValue::Needs { what: Needed::BlockSizes, example: SPLIT });
    }
    share(&mut list);
    Ok(list)
}

/// Reads a percentage as C's atoi does; values outside 0 to 100 become 100.
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

/// Divides the remaining percentage equally among entries without one (or with 0), then sorts by percentage, ascending.
pub(crate) fn share<T>(list: &mut [(T, u8)]) {
    let given: u32 = list.iter().map(|(_, percent)| u32::from(*percent)).sum();
    let blanks = list.iter().filter(|(_, percent)| *percent == 0).count() as u32;
    if let Some(each) = 100u32.saturating_sub(given).checked_div(blanks) {
        let each = each as u8;
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
