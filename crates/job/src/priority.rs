//! I/O priorities of single I/Os: `cmdprio_percentage`, `cmdprio_bssplit` and related options.

use crate::bad_value::BadValue;
use crate::unit;
use serde::{Deserialize, Serialize};

/// Share of the I/Os of one direction that have a certain priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriorityShare {
    /// Block size in bytes to which the share applies; `None` = all sizes.
    pub bytes: Option<u64>,
    /// Percentage of the I/Os.
    pub percent: u8,
    /// I/O priority as ioprio_set(2) takes it: class, hint and level.
    pub value: u16,
}

/// Largest priority hint: the 10 bits between class and level.
const MOST_HINT: i64 = (1 << 10) - 1;

/// Returns class, level and hint as one I/O priority; class 0 becomes best effort, as in fio.
pub fn value(class: i64, level: i64, hint: i64) -> u16 {
    let class = if class == 0 { 2 } else { class };
    ((class.clamp(0, 3) << 13) | (hint.clamp(0, MOST_HINT) << 3) | level.clamp(0, 7)) as u16
}

/// Reads the entries of one direction in `cmdprio_bssplit`: `bs/percent[/class/level[/hint]]:...`. Entries without a
/// class get the priority `usual`. The result is sorted by block size.
///
/// # Errors
/// An entry cannot be read, or the percentages of a block size add up to more than 100.
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
    // fio sorts by block size, also in its report.
    list.sort_by_key(|share| share.bytes);
    Ok(list)
}
