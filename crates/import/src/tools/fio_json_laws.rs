//! Equalities among the figures of one direction in fio's JSON that the import of results does not check.

use super::command::FioOptions;
use super::number::{self, Base};
use serde_json::Value;
use stats::audit::{AuditLaw, FigureUnit, PrintedNumber, PrintedResult};

/// Relative difference of a mean from the sum of its parts: I/Os at the start and end have one part only.
const PARTS_SLACK: f64 = 0.05;
/// Relative difference of two counts of the same I/Os.
const COUNT_SLACK: f64 = 0.02;
/// Fewest I/Os for a comparison.
const ENOUGH: f64 = 100.0;

/// Adds the equalities to a result. `flow` is the object of the direction, `job` that of the job.
pub(super) fn check(result: &mut PrintedResult, job: &Value, flow: &Value, options: &FioOptions) {
    let number = |key: &str| flow[key].as_f64().filter(|n| *n > 0.0);
    let exact = PrintedNumber::exact;
    let within = |value: f64, slack: f64| PrintedNumber { value, half: slack * value };
    if number("total_ios").is_none_or(|n| n < ENOUGH) {
        return;
    }
    if let (Some(iops), Some(ios), Some(ms)) = (number("iops"), number("total_ios"), number("runtime")) {
        let computed = within(ios / ms * 1e3, COUNT_SLACK);
        if ms >= 500.0 {
            result.check(AuditLaw::AmountOverTime, FigureUnit::PerSecond, exact(iops), computed);
        }
    }
    if let (Some(kibibytes), Some(bytes)) = (number("bw"), number("bw_bytes")) {
        let printed = PrintedNumber { value: kibibytes * 1024.0, half: 1024.0 };
        result.check(AuditLaw::Spellings, FigureUnit::BytesPerSecond, printed, exact(bytes));
    }
    latencies(result, flow);
    let varies =
        ["bssplit", "bsrange", "bs_unaligned", "blocksize_range"].iter().any(|k| options.contains_key(*k));
    let block =
        options.get("bs").or_else(|| options.get("blocksize")).filter(|bs| !bs.contains(',') && !varies);
    let block =
        block.and_then(|bs| number::bytes(bs, Base::Binary)).filter(|(_, rest)| rest.trim().is_empty());
    if let (Some((block, _)), Some(ios), Some(bytes)) = (block, number("total_ios"), number("io_bytes")) {
        result.check(
            AuditLaw::Parts,
            FigureUnit::Bytes,
            exact(bytes),
            within(ios * block.value, COUNT_SLACK),
        );
    }
    shares(result, job);
}

fn latencies(result: &mut PrintedResult, flow: &Value) {
    let nanoseconds = flow["clat_ns"].is_object();
    let scale = if nanoseconds { 1.0 } else { 1e3 };
    let kind = |name: &str| if nanoseconds { &flow[format!("{name}_ns")] } else { &flow[name] };
    let of = |name: &str, key: &str| {
        let value = kind(name)[key].as_f64().filter(|n| *n > 0.0)?;
        Some(PrintedNumber { value: value * scale, half: 0.01 * value * scale + scale })
    };
    let unit = FigureUnit::Nanoseconds;
    if let (Some(slat), Some(clat), Some(lat)) = (of("slat", "mean"), of("clat", "mean"), of("lat", "mean")) {
        let sum = slat.plus(clat);
        let sum = PrintedNumber { half: sum.half + PARTS_SLACK * sum.value, ..sum };
        result.check(AuditLaw::Parts, unit, lat, sum);
    }
    if let (Some(min), Some(mean), Some(max)) = (of("clat", "min"), of("clat", "mean"), of("clat", "max")) {
        result.check_order(AuditLaw::Order, unit, min, mean);
        result.check_order(AuditLaw::Order, unit, mean, max);
    }
    if let Some(bins) = kind("clat")["bins"].as_object().filter(|bins| !bins.is_empty()) {
        let sum: f64 = bins.values().filter_map(Value::as_f64).sum();
        let samples = kind("clat")["N"].as_f64().or_else(|| flow["total_ios"].as_f64());
        if let Some(samples) = samples.filter(|n| *n >= ENOUGH) {
            let computed = PrintedNumber { value: sum, half: COUNT_SLACK * sum };
            result.check(AuditLaw::Parts, FigureUnit::Count, PrintedNumber::exact(samples), computed);
        }
    }
}

/// Takes the shares of the latency ranges, if all tables are there.
fn shares(result: &mut PrintedResult, job: &Value) {
    let tables = [("latency_ns", 1.0), ("latency_us", 1e3), ("latency_ms", 1e6)];
    if tables.iter().any(|(name, _)| !job[*name].is_object()) {
        return;
    }
    for (name, factor) in tables {
        for (bound, share) in job[name].as_object().into_iter().flatten() {
            let bound = bound.parse::<f64>().map_or(f64::INFINITY, |bound| bound * factor);
            if let Some(share) = share.as_f64().filter(|share| *share > 0.0) {
                result.shares.push((bound, share));
            }
        }
    }
}
