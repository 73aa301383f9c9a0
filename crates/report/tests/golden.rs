//! Fixed results and what is printed of them. `FATHOM_BLESS=1` writes the files anew; read the difference before
//! committing it.

#![allow(clippy::unwrap_used)]

#[path = "samples/results.rs"]
mod results;

use report::Lang;
use results::{cases, quick_card};
use stats::*;
use std::path::Path;

fn check(name: &str, text: &str) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("FATHOM_BLESS").is_some() {
        return std::fs::write(&path, text).map_err(|e| e.to_string());
    }
    let golden = std::fs::read_to_string(&path).map_err(|e| format!("{name}: {e}"))?;
    let differ = golden.lines().zip(text.lines()).position(|(a, b)| a != b);
    match differ {
        Some(at) => Err(format!(
            "{name}:{}\n  golden: {}\n  now:    {}",
            at + 1,
            golden.lines().nth(at).unwrap_or(""),
            text.lines().nth(at).unwrap_or("")
        )),
        None if golden != text => Err(format!("{name}: one has more lines than the other")),
        None => Ok(()),
    }
}

/// Fields that published recipes cut out of version 3 (numbers as `cut` has them), against our JSON of the same result.
fn positions(name: &str, result: &RunResult) {
    // A description may have lines of its own.
    let mut result = result.clone();
    result.jobs.iter_mut().for_each(|j| j.description = None);
    let result = &result;
    let document: serde_json::Value = serde_json::from_str(&report::json::render(result, false)).unwrap();
    for (line, job) in report::terse::render(result, 3).lines().zip(document["jobs"].as_array().unwrap()) {
        let fields: Vec<&str> = line.split(';').collect();
        let micros = |v: &serde_json::Value| (v.as_f64().unwrap() / 1000.0).to_string();
        for (d, first) in [("read", 6), ("write", 47)] {
            let d = &job[d];
            let p99 = d["clat_ns"]["percentile"]["99.000000"].as_u64();
            let wanted = [
                (first, d["io_kbytes"].to_string()),
                (first + 1, d["bw"].to_string()),
                (first + 2, (d["iops"].as_f64().unwrap() as u64).to_string()),
                (first + 3, d["runtime"].to_string()),
                (first + 10, micros(&d["clat_ns"]["mean"])),
                (first + 34, micros(&d["lat_ns"]["mean"])),
                (first + 39, d["bw_mean"].to_string()),
            ];
            for (field, value) in wanted {
                let (x, y): (f64, f64) = (fields[field - 1].parse().unwrap(), value.parse().unwrap());
                assert!((x - y).abs() <= 2e-6 * x.max(1.0), "{name}: field {field} is {x}, JSON has {y}");
            }
            if let Some(p99) = p99.filter(|_| !result.jobs[0].shown.lat_percentiles) {
                assert_eq!(fields[first + 23], format!("99.000000%={}", p99 / 1000), "{name}");
            }
        }
    }
}

/// In `json+` the bins of a latency hold every I/O that the latency counts.
fn bins_are_all_ios(name: &str, result: &RunResult) {
    let document: serde_json::Value = serde_json::from_str(&report::json::render(result, true)).unwrap();
    let counted =
        |j: &JobOutcome| [&j.directions[0].clat, &j.directions[1].clat].map(|l| l.histogram.count());
    for (entry, job) in result.entries().iter().zip(document["jobs"].as_array().unwrap()) {
        for (d, n) in ["read", "write"].iter().zip(counted(entry)) {
            let bins = job[*d]["clat_ns"]["bins"].as_object();
            let sum: u64 = bins.into_iter().flatten().map(|(_, count)| count.as_u64().unwrap()).sum();
            assert_eq!(sum, n, "{name} {d}");
        }
    }
}

#[test]
fn what_is_printed_is_what_was_agreed() {
    let mut wrong = Vec::new();
    for (name, result) in cases() {
        positions(name, &result);
        bins_are_all_ios(name, &result);
        let card = report::card::render(Lang::En, &result, 100);
        let terse: String = (2..=5).map(|version| report::terse::render(&result, version)).collect();
        let json = report::json::render(&result, false);
        let document: serde_json::Value =
            serde_json::from_str(&json).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(
            document.as_object().and_then(|o| o.keys().next_back()).map(String::as_str),
            Some("fathom")
        );
        assert!(json.starts_with("{\n") && json.ends_with("\n}\n"));
        assert!(
            card.lines().all(|l| l.chars().count() <= 100),
            "{name}: a line of the card is wider than 100 columns"
        );
        assert!(card.lines().count() <= 24, "{name}: the card has {} lines", card.lines().count());
        for (kind, text) in
            [("txt", report::text::render(&result)), ("json", json), ("card", card), ("terse", terse)]
        {
            wrong.extend(check(&format!("{name}.{kind}"), &text).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_check_fits_fifteen_lines_of_a_hundred_columns() {
    let full = quick_card();
    let mut device = full.clone();
    device.kind = QuickTarget::Device;
    device.rows.retain(|r| r.direction == Direction::Read);
    device.rows[2].error = Some(stats::quick::RowError::Text(
        "Input/output error: read /dev/sdx at 1048576, 65536 bytes".into(),
    ));
    device.caveats = (1..6).map(|n| QuickCaveat::Text(format!("something that the reader has to know, number {n}, at some length, so that it does not fit the line"))).collect();
    device.layers.process = Some(ProcessIo::default());
    device.target = "/dev/disk/by-id/nvme-a-very-long-name-of-a-device-that-goes-on-and-on_0123456789".into();
    let empty = QuickCard::default();
    let mut wrong = Vec::new();
    for (name, card) in [("quick", &full), ("quick-device", &device), ("quick-empty", &empty)] {
        let text = report::quick::render(Lang::En, card, 100);
        assert!(text.lines().count() <= 15, "{name} has {} lines", text.lines().count());
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{name} is too wide");
        wrong.extend(check(&format!("{name}.card"), &text).err());
        let document: serde_json::Value =
            serde_json::from_str(&report::quick::json(card)).expect("valid JSON");
        assert_eq!(document["rows"].as_array().map(Vec::len), Some(card.rows.len()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let text = report::quick::render(Lang::En, &full, 100);
    assert!(text.contains("1000 reads one by one take 0.08 s"), "{text}");
}
