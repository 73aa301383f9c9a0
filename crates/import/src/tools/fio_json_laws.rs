//! Equalities among the figures of one direction in fio's JSON that the import of results does not check.

use super::command::FioOptions;
use super::number::{self, Base};
use serde_json::Value;
use stats::audit::{AuditLaw, FigureUnit, PrintedNumber, PrintedResult, ReaderNote};

/// Relative difference of a mean from the sum of its parts: I/Os at the start and end have one part only.
const PARTS_SLACK: f64 = 0.05;
/// Relative difference of two counts of the same I/Os.
const COUNT_SLACK: f64 = 0.02;
/// Largest number that fio can count.
const LARGEST: f64 = u64::MAX as f64;
/// Number of I/Os that no run of less than half a millisecond completes.
const MANY: f64 = 1000.0;
/// Fewest I/Os for a comparison.
const ENOUGH: f64 = 100.0;

/// Counts, rates and times of a direction, none of which is negative or beyond what fio can count.
const FIELDS: [&str; 14] = [
    "total_ios",
    "io_bytes",
    "io_kbytes",
    "bw_bytes",
    "bw",
    "iops",
    "runtime",
    "bw_min",
    "bw_max",
    "bw_mean",
    "bw_dev",
    "iops_min",
    "iops_max",
    "iops_mean",
];
/// Latencies of a direction in nanoseconds and, before version 3, in microseconds.
const LATENCIES: [&str; 6] = ["slat_ns", "clat_ns", "lat_ns", "slat", "clat", "lat"];

/// Adds notes about fields with values that they cannot have, and about fields that contradict each other.
fn fields(result: &mut PrintedResult, flow: &Value) {
    let quote = |name: String, value: &Value| format!("{name} = {value}");
    let mut wrong: Vec<Vec<String>> = Vec::new();
    let impossible = |value: &Value| value.as_f64().is_some_and(|n| !(0.0..=LARGEST).contains(&n));
    for key in FIELDS.into_iter().filter(|key| impossible(&flow[*key])) {
        wrong.push(vec![quote(key.to_owned(), &flow[key])]);
    }
    for latency in LATENCIES.into_iter().filter(|name| flow[*name].is_object()) {
        let of = |key: &str| &flow[latency][key];
        let quote = |key: &str| quote(format!("{latency} {key}"), of(key));
        for key in ["min", "max", "mean", "stddev", "N"].into_iter().filter(|key| impossible(of(key))) {
            wrong.push(vec![quote(key)]);
        }
        let figure = ["min", "max", "mean"].into_iter().find(|key| of(key).as_f64().is_some_and(|n| n > 0.0));
        if let (Some(0.0), Some(key)) = (of("N").as_f64(), figure) {
            wrong.push(vec![quote("N"), quote(key)]);
        }
    }
    let count = |name: &str| flow[name]["N"].as_f64().filter(|n| *n > 0.0);
    if let (Some(clat), Some(lat)) = (count("clat_ns"), count("lat_ns"))
        && (clat - lat).abs() > COUNT_SLACK * clat.max(lat)
    {
        wrong.push(["clat_ns", "lat_ns"].map(|name| quote(format!("{name} N"), &flow[name]["N"])).to_vec());
    }
    // fio computes rates from the runtime, and has none if the run took less than a millisecond.
    let (rate, ios) = (flow["iops"].as_f64(), flow["total_ios"].as_f64());
    if flow["runtime"].as_f64() == Some(0.0)
        && (rate.is_some_and(|n| n > 0.0) || ios.is_some_and(|n| n >= MANY))
    {
        let of = ["runtime", "total_ios", "iops"].into_iter().filter(|key| flow[*key].is_number());
        wrong.push(of.map(|key| quote(key.to_owned(), &flow[key])).collect());
    }
    // The import reads such rates as 0.
    if impossible(&flow["iops"]) {
        result.iops = None;
    }
    if impossible(&flow["bw_bytes"]) {
        result.bandwidth = None;
    }
    result.notes.extend(wrong.into_iter().map(|fields| ReaderNote::WrongFields { fields }));
}

/// Adds the equalities to a result. `flow` is the object of the direction, `job` that of the job.
pub(super) fn check(result: &mut PrintedResult, job: &Value, flow: &Value, options: &FioOptions) {
    fields(result, flow);
    let number = |key: &str| flow[key].as_f64().filter(|n| *n > 0.0 && *n <= LARGEST);
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
