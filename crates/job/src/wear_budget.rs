//! Reading of the value of `--wear-budget`.

use crate::unit;
use stats::wear::WearBudget;

/// Reads a budget: bytes with a unit of 1024 (`10G`), or a percentage of the drive's endurance (`0.1%`), above 0 and at
/// most 100. `None` for another text.
pub fn wear_budget(text: &str) -> Option<WearBudget> {
    if let Some(number) = text.strip_suffix('%') {
        let percent = number.parse().ok().filter(|percent: &f64| *percent > 0.0 && *percent <= 100.0);
        return percent.map(WearBudget::Percent);
    }
    let number = unit::integer(text, 1024).ok().filter(|number| number.rest.is_empty())?;
    u64::try_from(number.value).ok().map(WearBudget::Bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_is_bytes_or_a_percentage() {
        let right = [
            ("10G", WearBudget::Bytes(10 << 30)),
            ("0", WearBudget::Bytes(0)),
            ("4096", WearBudget::Bytes(4096)),
            ("0.1%", WearBudget::Percent(0.1)),
            ("100%", WearBudget::Percent(100.0)),
        ];
        for (text, budget) in right {
            assert_eq!(wear_budget(text), Some(budget), "{text}");
        }
        for text in ["", "%", "0%", "-1%", "101%", "nan%", "inf%", "1.5G", "10X", "-1", "ten", "5 %x"] {
            assert_eq!(wear_budget(text), None, "{text}");
        }
    }
}
