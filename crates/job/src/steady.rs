//! Detection of a steady state: the value of `steadystate`, and the specification of a job.

use crate::bad_value::{BadValue, SteadyFault};
use crate::spec::Chosen;
use crate::unit;
use serde::{Deserialize, Serialize};
use stats::{SteadyCriterion, SteadyQuantity};

/// Steady state that ends a job or, with `group_reporting`, its reporting group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadySpec {
    /// Criterion that a full window of samples has to meet.
    pub criterion: SteadyCriterion,
    /// Number of samples in a full window, at least 1.
    pub window: u64,
    /// Time between samples in nanoseconds.
    pub interval: u64,
    /// Measured time in nanoseconds before the first sample begins.
    pub ramp: u64,
}

/// Reads the value of `steadystate`: a quantity and a limit. As in fio, text after the number of the limit is ignored,
/// and a `%` anywhere in the limit makes it a percentage. With `kb_base` (1000 or 1024), suffixes of a bandwidth are
/// read.
///
/// # Errors
/// The limit is missing or is not a number.
pub fn criterion(chosen: &Chosen, kb_base: u32) -> Result<SteadyCriterion, BadValue> {
    let (name, slope) = match chosen.name.strip_suffix("_slope") {
        Some(name) => (name, true),
        None => (chosen.name, false),
    };
    let quantity = match name {
        "bw" => SteadyQuantity::Bandwidth,
        "lat" => SteadyQuantity::Latency,
        _ => SteadyQuantity::Iops,
    };
    let Some(text) = &chosen.tail else { return Err(BadValue::Steady(SteadyFault::NoLimit)) };
    let percent = text.contains('%');
    let limit = match quantity {
        _ if percent => decimal(text),
        SteadyQuantity::Iops => decimal(text),
        SteadyQuantity::Bandwidth => unit::integer(text, kb_base).ok().map(|n| n.value as f64),
        SteadyQuantity::Latency => unit::time(text, 1).ok().map(|n| n.value as f64),
    };
    let fault = if percent { SteadyFault::Percentage } else { SteadyFault::Limit(quantity) };
    let limit = limit.ok_or(BadValue::Steady(fault))?;
    Ok(SteadyCriterion { quantity, slope, limit, percent })
}

/// Returns the decimal or hexadecimal number at the start of `text`; `None` without a finite one.
fn decimal(text: &str) -> Option<f64> {
    let text = text.trim_start();
    if text.starts_with("0x") || text.starts_with("0X") {
        return unit::integer(text, 1024).ok().map(|n| n.value as f64);
    }
    let ends = (1..=text.len()).rev().filter(|end| text.is_char_boundary(*end));
    let mut numbers = ends.filter_map(|end| text[..end].parse::<f64>().ok());
    numbers.next().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits are read as fio 3.33 was observed to read them (`--debug=parse`).
    #[test]
    fn limits_are_read_as_fio_reads_them() {
        let read = |name, tail: Option<&str>| {
            criterion(&Chosen { name, tail: tail.map(Into::into) }, 1024).map(|c| (c.limit, c.percent))
        };
        for (name, text, limit) in [
            ("iops", "1e3", (1000.0, false)),
            ("iops", "-3", (-3.0, false)),
            ("iops", "1k", (1.0, false)),
            ("iops", " 10.5.5", (10.5, false)),
            ("iops_slope", "0x10", (16.0, false)),
            ("iops", "10%x", (10.0, true)),
            ("iops", "5 5%", (5.0, true)),
            ("bw_slope", ".1%", (0.1, true)),
            ("bw", "1m%", (1.0, true)),
            ("bw", "10m", (10_485_760.0, false)),
            ("bw", "1.5m", (1.0, false)),
            ("bw", "10kb", (10_240.0, false)),
            ("bw", "1x", (1.0, false)),
            ("lat_slope", "2us", (2000.0, false)),
        ] {
            assert_eq!(read(name, Some(text)), Ok(limit), "{name}:{text}");
        }
        for (name, text, fault) in [
            ("iops", None, SteadyFault::NoLimit),
            ("iops", Some(""), SteadyFault::Limit(SteadyQuantity::Iops)),
            ("bw_slope", Some("abc"), SteadyFault::Limit(SteadyQuantity::Bandwidth)),
            ("bw", Some("99999999999999999999"), SteadyFault::Limit(SteadyQuantity::Bandwidth)),
            ("bw", Some("%"), SteadyFault::Percentage),
            ("iops", Some(".%"), SteadyFault::Percentage),
        ] {
            assert_eq!(read(name, text), Err(BadValue::Steady(fault)), "{name}:{text:?}");
        }
    }
}
