//! Sizes by weight and places by law: `bssplit` and what it shares with the lists of `random_distribution`.

use crate::bad_value::{BadValue, Drawn, Item, LawFault, Listed, Needed};
use crate::spec::Chosen;
use crate::unit::{self, Size};
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
    /// `random_distribution`.
    pub law: Law,
    /// Percentage of sequential I/Os (100 - `percentage_random`), per direction: each begins where the last one ended.
    pub ordered: [u8; 3],
    /// `rw_sequencer=identical`: a run repeats its first offset.
    pub identical: bool,
    /// `random_generator=lfsr`: each place once, whatever the sizes.
    pub each_once: bool,
    /// `zonemode=strided`.
    pub zones: Option<Zones>,
}

/// Zones that are worked on one after the other; bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zones {
    /// Moved in a zone before the next one begins.
    pub size: u64,
    /// Of a zone.
    pub range: u64,
    /// Between the end of a zone and the next one.
    pub skip: u64,
}

/// Reads `zoneskip`: bytes, or with a z so many zones of `zone` bytes.
///
/// # Errors
/// No number.
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
    /// What random offsets of this direction are multiples of, if its smallest block is `low`.
    pub fn unit(&self, direction: usize, low: u64) -> u64 {
        if self.align[direction] > 0 { self.align[direction] } else { low }
    }
}

/// How often which part of a file is visited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Law {
    /// Evenly.
    #[default]
    Even,
    /// The k-th hottest block with a weight of `k^-theta`.
    Zipf {
        /// Skew.
        theta: f64,
        /// Where the hottest block lies, 0 to 1; somewhere.
        center: Option<f64>,
    },
    /// `h` of the accesses go to `1 - h` of the blocks, and so on within.
    Pareto {
        /// 0 to 1.
        h: f64,
        /// As for zipf.
        center: Option<f64>,
    },
    /// Bell-shaped.
    Normal {
        /// Percent by which it is wider than the narrowest bell.
        deviation: f64,
        /// Where the middle lies, 0 to 1; in the middle.
        center: Option<f64>,
    },
    /// Percent of accesses and size of each zone, from the front.
    Zones(Vec<(u8, Size)>),
    /// These blocks, in this order, again and again.
    Sequence {
        /// By number.
        blocks: Vec<u64>,
        /// Each pass over them begins as many blocks further on.
        stride: bool,
    },
}

/// Reads `random_distribution`.
///
/// # Errors
/// A parameter that the law does not take.
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

/// Blocks of a sequence are at most so many.
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

/// Reads the law of `file_service_type`; none for the words without one.
///
/// # Errors
/// A parameter that the law does not take.
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

/// Zones are at most so many.
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

/// A valid value of `bssplit`.
const SPLIT: &str = "4k/60:16k/40";

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
