//! iostat: extended and plain device reports as text and JSON. A monitor, not a benchmark.

use super::command;
use super::number;
use super::page::TextPage;
use serde_json::Value;
use stats::audit::{
    AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedCheck, PrintedDevice, PrintedNumber, PrintedResult,
    ReaderNote,
};
use std::collections::BTreeMap;

/// Figures of a device by column.
type Columns = BTreeMap<String, PrintedNumber>;

/// Row of a report: index of the line, name of the device, figures, and cells with values that they cannot have.
type DeviceRow = (usize, String, Columns, Vec<String>);

/// Utilization that no rounding of the interval explains, percent.
const MORE_THAN_ALL: f64 = 110.0;

/// Returns whether a column cannot have a value: a negative one, or a share of the time far above 100 %.
fn is_impossible(column: &str, value: f64) -> bool {
    value < 0.0 || matches!(column, "%util" | "util") && value > MORE_THAN_ALL
}

/// Returns the note about cells with values that they cannot have.
fn wrong_fields(fields: &[String]) -> impl Iterator<Item = ReaderNote> {
    fields.iter().map(|field| ReaderNote::WrongFields { fields: vec![field.clone()] })
}

/// Appends the results in a page: per device the busiest report, and the first report if there is no other.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let mut reports: Vec<(usize, Vec<DeviceRow>)> = Vec::new();
    let mut header: Option<Vec<String>> = None;
    for index in 0..page.lines.len() {
        let text = page.at(index).trim();
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(columns) = header_of(&words) {
            header = Some(columns);
            reports.push((index, Vec::new()));
            continue;
        }
        if words.len() < 3 {
            if text.is_empty() {
                header = None;
            }
            continue;
        }
        let Some(columns) = &header else { continue };
        let values: Vec<Option<PrintedNumber>> = words[1..].iter().map(|word| value(word)).collect();
        let wrong: Vec<String> = columns
            .iter()
            .zip(&words[1..])
            .filter(|(name, word)| {
                let value = word.trim_end_matches('%').replace(',', ".").parse::<f64>();
                value.is_ok_and(|n| is_impossible(name, n))
            })
            .map(|(name, word)| format!("{name} = {word}"))
            .collect();
        let unread = values.iter().filter(|v| v.is_none()).count();
        if values.len() == columns.len() && unread <= 2 + wrong.len() {
            let named = columns
                .iter()
                .cloned()
                .zip(values)
                .filter_map(|(name, value)| Some((name, value?)))
                .collect();
            if let Some((_, rows)) = reports.last_mut() {
                rows.push((index, words[0].trim_end_matches(':').to_owned(), named, wrong));
            }
        } else {
            header = None;
        }
    }
    reports.retain(|(_, rows)| !rows.is_empty());
    let Some((start, _)) = reports.first() else { return json(page, out) };
    let command = command::above(page, start.saturating_sub(20), *start, "iostat");
    let skips_first =
        command.as_ref().is_some_and(|c| c.words.iter().any(|w| w.starts_with('-') && w.contains('y')));
    let text = command.map(|c| c.text).unwrap_or_default();
    let mut best: Vec<(f64, PrintedResult)> = Vec::new();
    let many = reports.len() > 1;
    for (at, (_, rows)) in reports.iter().enumerate() {
        let first = at == 0 && !skips_first;
        if first && many {
            continue;
        }
        for (index, name, columns, wrong) in rows {
            let mut result = result(name, columns);
            result.notes.extend(wrong_fields(wrong));
            result.file.clone_from(&page.file);
            result.lines = page.numbers(*index, *index);
            result.command.clone_from(&text);
            if first {
                let certain = !text.is_empty();
                result.notes.push(if certain { ReaderNote::SinceBoot } else { ReaderNote::PerhapsSinceBoot });
            }
            let rate = result.iops.map_or(0.0, |n| n.value);
            match best.iter_mut().find(|(_, b)| b.target == *name) {
                Some((most, _)) if *most >= rate => {}
                Some(slot) => *slot = (rate, result),
                None => best.push((rate, result)),
            }
        }
    }
    out.extend(best.into_iter().map(|(_, result)| result).filter(|r| r.iops.is_some_and(|n| n.value > 0.0)));
}

/// Returns the names of the columns behind `Device` if a line is the header of a device report.
fn header_of(words: &[&str]) -> Option<Vec<String>> {
    let first = words.first()?.trim_end_matches(':');
    let known = ["r/s", "tps", "rrqm/s", "kB_read/s", "MB_read/s", "Blk_read/s"];
    (first == "Device" && words[1..].iter().any(|word| known.contains(word)))
        .then(|| words[1..].iter().map(|w| (*w).to_owned()).collect())
}

/// Reads a cell; suffixes of --human are multiplied out, and `nan` is none.
fn value(word: &str) -> Option<PrintedNumber> {
    let (number, rest) = number::leading(word)?;
    match rest.trim() {
        "" | "%" => Some(number),
        // --human: the suffix is that of bytes, in a column of KiB.
        suffix => number::prefix(suffix.chars().next(), number::Base::Binary)
            .map(|factor| number.scaled(factor / 1024.0)),
    }
}

fn result(name: &str, columns: &Columns) -> PrintedResult {
    let get = |names: &[&str]| names.iter().find_map(|name| columns.get(*name).copied());
    let zero = PrintedNumber::exact(0.0);
    let bytes = |direction: char| {
        let of = |unit: &str, factor: f64| get(&[&format!("{direction}{unit}/s")]).map(|n| n.scaled(factor));
        of("kB", 1024.0).or_else(|| of("MB", 1048576.0)).or_else(|| of("sec", 512.0))
    };
    let (reads, writes) = (get(&["r/s"]), get(&["w/s"]));
    let (read, written) = (bytes('r'), bytes('w'));
    let kind = match (reads.map(|n| n.value > 0.0), writes.map(|n| n.value > 0.0)) {
        (Some(true), Some(true)) => IoKind::Mixed,
        (Some(true), _) => IoKind::Read,
        (_, Some(true)) => IoKind::Write,
        _ => IoKind::Unknown,
    };
    let iops = reads.zip(writes).map(|(r, w)| r.plus(w)).or_else(|| get(&["tps"]));
    let plain = [&["kB_read/s", "kB_wrtn/s"], &["MB_read/s", "MB_wrtn/s"]]
        .iter()
        .zip([1024.0, 1048576.0])
        .find_map(|(names, factor)| Some(get(&[names[0]])?.plus(get(&[names[1]])?).scaled(factor)));
    let bandwidth = read
        .zip(written)
        .map(|(r, w)| r.plus(w))
        .or(plain)
        .or_else(|| get(&["kB/s"]).map(|n| n.scaled(1024.0)));
    let queue = get(&["aqu-sz", "avgqu-sz"]);
    let waits = (get(&["r_await"]), get(&["w_await"]));
    let mut result = PrintedResult {
        tool: BenchmarkTool::Iostat,
        label: name.to_owned(),
        target: name.to_owned(),
        kind,
        iops,
        bandwidth,
        notes: vec![ReaderNote::Monitor],
        ..PrintedResult::default()
    };
    let await_ms = get(&["await"]).or_else(|| {
        // The mean of both, weighted by their rates.
        let (Some(rw), Some(ww)) = waits else { return None };
        let total = reads?.plus(writes?);
        rw.times(reads?).plus(ww.times(writes?)).over(total)
    });
    // A wait of 0.00 ms is one of hardly any requests, and no figure.
    result.latency.mean = await_ms.filter(|n| n.value > 0.0).map(|n| n.scaled(1e6));
    result.block = bandwidth.zip(iops).and_then(|(b, i)| b.over(i));
    if let (Some(sectors), Some(block)) = (get(&["avgrq-sz"]), result.block) {
        let check = PrintedCheck {
            law: AuditLaw::RateTimesBlock,
            unit: FigureUnit::Bytes,
            printed: sectors.scaled(512.0),
            computed: block,
        };
        result.checks.push(check);
    }
    for (size, bytes, rate) in [("rareq-sz", read, reads), ("wareq-sz", written, writes)] {
        if let (Some(size), Some(bytes), Some(rate)) = (get(&[size]), bytes, rate)
            && rate.value > 1.0
            && let Some(computed) = bytes.over(rate)
        {
            result.check(AuditLaw::RateTimesBlock, FigureUnit::Bytes, size.scaled(1024.0), computed);
        }
    }
    // The queue of the device is the sum over directions of rate times wait.
    let terms = [
        (reads, waits.0),
        (writes, waits.1),
        (get(&["d/s"]), get(&["d_await"])),
        (get(&["f/s"]), get(&["f_await"])),
    ];
    if let (Some(queue), (Some(_), Some(_))) = (queue, waits) {
        let computed = terms
            .iter()
            .filter_map(|(rate, wait)| Some(rate.as_ref()?.times((*wait)?).scaled(1e-3)))
            .fold(zero, PrintedNumber::plus);
        // Requests that start in one interval and end in the next belong to both.
        let computed = PrintedNumber { half: computed.half + 0.15 * computed.value + 0.1, ..computed };
        result.check(AuditLaw::Parts, FigureUnit::Count, queue, computed);
    }
    old_columns(&mut result, columns);
    let count = |n: Option<PrintedNumber>| n.map_or(0, |n| n.value.round() as u64);
    result.devices.push(PrintedDevice {
        name: name.to_owned(),
        ios: [count(reads), count(writes)],
        merges: [count(get(&["rrqm/s"])), count(get(&["wrqm/s"]))],
        util_percent: get(&["%util", "util"]).map(|n| n.value),
    });
    result.others_in_flight = 0.0;
    result
}

/// Adds the equalities of the columns of versions 10 and 11, and of the shares of merged requests.
fn old_columns(result: &mut PrintedResult, columns: &Columns) {
    let get = |name: &str| columns.get(name).copied();
    let within = |n: PrintedNumber, slack: f64| PrintedNumber { half: n.half + slack * n.value, ..n };
    for (merged, rate, share) in [("rrqm/s", "r/s", "%rrqm"), ("wrqm/s", "w/s", "%wrqm")] {
        if let (Some(merged), Some(rate), Some(share)) = (get(merged), get(rate), get(share))
            && rate.value > 1.0
            && let Some(computed) = merged.over(merged.plus(rate))
        {
            let computed = within(computed.scaled(100.0), 0.05);
            result.check(
                AuditLaw::Parts,
                FigureUnit::Percent,
                share,
                PrintedNumber { half: computed.half + 0.2, ..computed },
            );
        }
    }
    let (reads, writes) = (get("r/s"), get("w/s"));
    let Some(rate) = reads.zip(writes).map(|(r, w)| r.plus(w)).filter(|rate| rate.value > 1.0) else {
        return;
    };
    if let (Some(queue), Some(wait), None) = (get("avgqu-sz"), get("await"), get("f/s")) {
        let computed = rate.times(wait).scaled(1e-3);
        // Requests that start in one interval and end in the next belong to both.
        let computed = PrintedNumber { half: computed.half + 0.15 * computed.value + 0.1, ..computed };
        result.check(AuditLaw::Parts, FigureUnit::Count, queue, computed);
    }
    if let (Some(service), Some(util)) = (get("svctm"), get("%util"))
        && service.value > 0.0
    {
        let computed = within(rate.times(service).scaled(0.1), 0.03);
        result.check(
            AuditLaw::Parts,
            FigureUnit::Percent,
            util,
            PrintedNumber { half: computed.half + 0.2, ..computed },
        );
    }
    if let (Some(wait), Some(read), Some(write), Some(r), Some(w)) =
        (get("await"), get("r_await"), get("w_await"), reads, writes)
        && let Some(computed) = read.times(r).plus(write.times(w)).over(rate)
    {
        result.check(
            AuditLaw::Parts,
            FigureUnit::Nanoseconds,
            wait.scaled(1e6),
            within(computed, 0.03).scaled(1e6),
        );
    }
}

/// Reads `iostat -o JSON`.
fn json(page: &TextPage, out: &mut Vec<PrintedResult>) {
    if !page.lines.iter().any(|line| line.text.contains("\"disk_device\"")) {
        return;
    }
    let text = page.text();
    let Some(start) = text.find('{') else { return };
    let mut documents = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    let Some(Ok(value)) = documents.next() else { return };
    let Some(hosts) = value["sysstat"]["hosts"].as_array() else { return };
    for host in hosts {
        let statistics = host["statistics"].as_array().map(Vec::as_slice).unwrap_or_default();
        let skip = usize::from(statistics.len() > 1);
        for (at, report) in statistics.iter().enumerate().skip(skip) {
            for disk in report["disk"].as_array().map(Vec::as_slice).unwrap_or_default() {
                let Some(object) = disk.as_object() else { continue };
                let name = object.get("disk_device").and_then(Value::as_str).unwrap_or_default();
                let columns: Columns = object
                    .iter()
                    .filter_map(|(key, value)| {
                        Some((key.clone(), PrintedNumber { value: value.as_f64()?, half: 0.005 }))
                    })
                    .collect();
                let mut result = result(name, &columns);
                let wrong: Vec<String> = object
                    .iter()
                    .filter(|(key, value)| value.as_f64().is_some_and(|n| is_impossible(key, n)))
                    .map(|(key, value)| format!("{key} = {value}"))
                    .collect();
                result.notes.extend(wrong_fields(&wrong));
                if result.iops.is_none_or(|n| n.value <= 0.0) {
                    continue;
                }
                result.file.clone_from(&page.file);
                result.lines = page.numbers(0, page.lines.len().saturating_sub(1));
                if at == 0 {
                    result.notes.push(ReaderNote::PerhapsSinceBoot);
                }
                match out
                    .iter_mut()
                    .find(|r| r.tool == BenchmarkTool::Iostat && r.file == result.file && r.target == name)
                {
                    Some(known)
                        if known.iops.is_some_and(|n| n.value >= result.iops.map_or(0.0, |n| n.value)) => {}
                    Some(known) => *known = result,
                    None => out.push(result),
                }
            }
        }
    }
}
