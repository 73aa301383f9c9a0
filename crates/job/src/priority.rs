//! Priorities of single I/Os: `cmdprio_percentage`, `cmdprio_bssplit` and what belongs to them.

use crate::bad_value::BadValue;
use crate::unit;
use serde::{Deserialize, Serialize};

/// A share of the I/Os of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriorityShare {
    /// Block size to which the entry applies, bytes; `None` = all sizes.
    pub bytes: Option<u64>,
    /// Percent.
    pub percent: u8,
    /// Class, hint and level, as ioprio_set has them.
    pub value: u16,
}

/// The largest hint: it has the bits between class and level.
const MOST_HINT: i64 = (1 << 10) - 1;

/// Class, level and hint in one number; without a class it is best effort, as in fio.
pub fn value(class: i64, level: i64, hint: i64) -> u16 {
    let class = if class == 0 { 2 } else { class };
    ((class.clamp(0, 3) << 13) | (hint.clamp(0, MOST_HINT) << 3) | level.clamp(0, 7)) as u16
}

/// Reads one direction's `bs/percent[/class/level[/hint]]:...`; what has no class gets `usual`.
///
/// # Errors
/// An entry that cannot be read, or percentages of more than a hundred.
pub fn shares(text: &str, kb_base: u32, usual: u16) -> Result<Vec<PriorityShare>, BadValue> {
    let mut list: Vec<PriorityShare> = Vec::new();
    for entry in text.split(':').map(str::trim).filter(|entry| !entry.is_empty()) {
        let wrong = || BadValue::PriorityEntry { text: entry.to_owned() };
        let mut parts = entry.split('/');
        let size = parts.next().and_then(|size| unit::integer(size, kb_base).ok()).ok_or_else(wrong)?.value;
        let numbers: Option<Vec<i64>> = parts.map(|part| part.trim().parse().ok()).collect();
        let numbers = numbers.ok_or_else(wrong)?;
        let (percent, value) = match numbers[..] {
            [] => (0, usual),
            [percent] => (percent, usual),
            [percent, class, level] => (percent, value(class, level, 0)),
            [percent, class, level, hint] => (percent, value(class, level, hint)),
            _ => return Err(wrong()),
        };
        if size < 0 {
            return Err(wrong());
        }
        list.push(PriorityShare { bytes: Some(size as u64), percent: percent.clamp(0, 100) as u8, value });
        let sum: u32 =
            list.iter().filter(|s| s.bytes == Some(size as u64)).map(|s| u32::from(s.percent)).sum();
        if sum > 100 {
            return Err(BadValue::PrioritySum { bytes: size, percent: sum });
        }
    }
    // fio goes by size; so does its report.
    list.sort_by_key(|share| share.bytes);
    Ok(list)
}
