//! fio's report of the steady state detection: the line of the text, and the `steadystate` object of JSON.

use crate::scale::{Base, kilo_number, number};
use serde_json::{Value, json};
use stats::{SteadyQuantity, SteadySample, SteadyState};

/// Returns fio's line of text. As in fio, both bandwidths are the same number of thousands: of KiB/s, or of kB/s with
/// `kb_base` 1000.
pub(crate) fn line(steady: &SteadyState, digits: u32, kb_base: u32, unit_base: u32) -> String {
    let thousands = steady.mean_bytes_per_second() / u64::from(kb_base);
    let (thousands, unit) = if unit_base == 1 { (thousands * 8, "bit/s") } else { (thousands, "B/s") };
    let (first, second) =
        if kb_base == 1000 { (Base::Decimal, Base::Binary) } else { (Base::Binary, Base::Decimal) };
    let (bw, other) = (kilo_number(thousands, digits, first), kilo_number(thousands, digits, second));
    let attained = if steady.attained { "yes" } else { "no" };
    let iops = number(steady.mean_iops(), digits, Base::Decimal);
    let quantity = match steady.criterion.quantity {
        SteadyQuantity::Iops => "iops",
        SteadyQuantity::Bandwidth => "bw",
        SteadyQuantity::Latency => "lat",
    };
    let lat = match steady.criterion.quantity {
        SteadyQuantity::Latency => format!("lat={}nsec, ", number(steady.mean_latency(), 6, Base::Decimal)),
        _ => String::new(),
    };
    let judged = if steady.criterion.slope { "slope" } else { "mean dev" };
    let percent = percent_sign(steady);
    format!(
        "  steadystate  : attained={attained}, bw={bw}{unit} ({other}{unit}), iops={iops}, {lat}{quantity} {judged}={:.3}{percent}",
        steady.judged()
    )
}

/// Returns fio's object of JSON.
pub(crate) fn object(steady: &SteadyState) -> Value {
    let percent = percent_sign(steady);
    // As in fio, the list has as many samples as a full window.
    let list = |of: fn(&SteadySample) -> u64| -> Vec<u64> {
        let missing = (steady.window as usize).saturating_sub(steady.samples.len());
        steady.samples.iter().map(of).chain(std::iter::repeat_n(0, missing)).collect()
    };
    let latency = steady.criterion.quantity == SteadyQuantity::Latency;
    let mut data = json!({
        "bw_mean": steady.mean_bytes_per_second(),
        "iops_mean": steady.mean_iops(),
    });
    if latency {
        data["lat_mean"] = json!(steady.mean_latency());
    }
    data["iops"] = json!(list(|sample| sample.iops));
    data["bw"] = json!(list(|sample| sample.bytes_per_second));
    if latency {
        data["lat_ns"] = json!(list(|sample| sample.latency));
    }
    json!({
        "ss": format!("{}:{:.6}{percent}", steady.criterion.name(), steady.criterion.limit),
        "duration": steady.window.saturating_mul(steady.interval) / stats::unit::SECOND,
        "attained": u32::from(steady.attained),
        // fio keeps this number in single precision.
        "criterion": format!("{:.6}{percent}", steady.judged() as f32),
        "max_deviation": steady.deviation,
        "slope": steady.slope,
        "data": data,
    })
}

fn percent_sign(steady: &SteadyState) -> &'static str {
    if steady.criterion.percent { "%" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::SteadyCriterion;

    /// Reports of fio 3.33, observed for these samples.
    #[test]
    fn report_is_fios() {
        let of = |quantity, slope, limit, percent, window, samples: &[(u64, u64)]| {
            let criterion = SteadyCriterion { quantity, slope, limit, percent };
            let mut steady = SteadyState::new(criterion, window, stats::unit::SECOND);
            for &(iops, bytes_per_second) in samples {
                steady.add(SteadySample { iops, bytes_per_second, latency: 0 });
            }
            steady
        };
        let slope = of(
            SteadyQuantity::Bandwidth,
            true,
            0.0,
            false,
            3,
            &[(2002, 8_200_200), (2002, 8_200_200), (2000, 8_192_000)],
        );
        assert_eq!(
            line(&slope, 4, 1024, 8),
            "  steadystate  : attained=no, bw=8005KiB/s (8005kB/s), iops=2001, bw slope=-4100.000"
        );
        let percent = of(SteadyQuantity::Iops, false, 10.0, true, 2, &[(1001, 4_100_740), (1000, 4_096_000)]);
        assert_eq!(
            line(&percent, 4, 1024, 8),
            "  steadystate  : attained=yes, bw=4002KiB/s (4002kB/s), iops=1000, iops mean dev=0.050%"
        );
        for (kb_base, unit_base, bw) in [
            (1000, 8, "4098kB/s (4098KiB/s)"),
            (1024, 1, "31.3Mibit/s (32.0Mbit/s)"),
            (1000, 1, "32.8Mbit/s (32.0Mibit/s)"),
        ] {
            let text = line(&percent, 4, kb_base, unit_base);
            assert!(text.contains(&format!(", bw={bw}, iops=")), "{text}");
        }
        let partial = of(SteadyQuantity::Bandwidth, true, 1.0, true, 3, &[(911_340, 3_732_851_971)]);
        assert_eq!(
            line(&partial, 4, 1024, 8),
            "  steadystate  : attained=no, bw=1187MiB/s (1215MB/s), iops=304k, bw slope=0.000%"
        );
        let small = of(SteadyQuantity::Iops, false, 100.0, false, 3, &[(1, 5461), (0, 0), (0, 0)]);
        assert_eq!(
            line(&small, 4, 1024, 8),
            "  steadystate  : attained=yes, bw=1KiB/s (1kB/s), iops=0, iops mean dev=0.667"
        );
        let deviation = of(
            SteadyQuantity::Bandwidth,
            false,
            2.0,
            false,
            3,
            &[(996, 4_083_699), (1004, 4_112_400), (997, 4_083_712)],
        );
        assert_eq!(
            serde_json::to_string(&object(&deviation)).unwrap(),
            "{\"ss\":\"bw:2.000000\",\"duration\":3,\"attained\":0,\"criterion\":\"19129.666016\",\
             \"max_deviation\":19129.66666666651,\"slope\":0.0,\"data\":{\"bw_mean\":4093270,\"iops_mean\":999,\
             \"iops\":[996,1004,997],\"bw\":[4083699,4112400,4083712]}}"
        );
    }
}
