//! ioping: the summary behind `--- TARGET ioping statistics ---`, the raw line of -B, and the JSON of -J.

use super::command;
use super::number::{self, Base};
use super::page::TextPage;
use serde_json::Value;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult, ReaderNote};

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    for index in 0..page.lines.len() {
        let Some(title) =
            page.at(index).trim().strip_prefix("--- ").and_then(|t| t.strip_suffix(" ioping statistics ---"))
        else {
            continue;
        };
        let mut result = base(page);
        result.target = title.split(" (").next().unwrap_or_default().to_owned();
        let command = command::above(page, index.saturating_sub(200), index, "ioping");
        let request = (index.saturating_sub(200)..index)
            .rev()
            .map(|at| page.at(at))
            .take_while(|text| !text.contains("statistics ---"))
            .find(|text| text.contains(": request="));
        if let Some(request) = request {
            result.kind = if request.contains(">>>") { IoKind::Write } else { IoKind::Read };
            result.block =
                number::bytes(request.trim(), Base::Binary).map(|(n, _)| PrintedNumber::exact(n.value));
        }
        let mut last = index;
        for at in index + 1..page.lines.len().min(index + 6) {
            if line(page.at(at).trim(), &mut result) {
                last = at;
            }
        }
        if result.iops.is_none() && result.latency.mean.is_none() {
            continue;
        }
        if let Some(command) = command {
            let has = |letter: char| {
                command
                    .words
                    .iter()
                    .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
            };
            // Without -C, ioping drops the pages of each request from the cache.
            result.direct = Some(!has('C'));
            if has('W') {
                result.kind = IoKind::Write;
            } else if has('R') || result.kind == IoKind::Unknown {
                result.kind = IoKind::Read;
            }
            result.random = Some(!has('L'));
            result.command = command.text;
        }
        if let (Some(block), Some(ios), Some(amount)) = (result.block, result.ios, result.amount) {
            let computed = PrintedNumber::exact(block.value * ios as f64);
            result.check(AuditLaw::Parts, FigureUnit::Bytes, amount, computed);
        }
        result.block = result.block.or_else(|| block_of(&result));
        // Offsets are random unless -L is given.
        result.random = result.random.or(Some(true));
        if result.latency.mean.is_some() {
            result.lines = page.numbers(index, last);
            out.push(result);
        }
    }
    raw(page, out);
    json(page, out);
}

/// Returns the block size by bandwidth and rate: a power of two within the rounding.
fn block_of(result: &PrintedResult) -> Option<PrintedNumber> {
    let ratio = result.bandwidth?.over(result.iops?).filter(|ratio| ratio.half < 0.1 * ratio.value)?.value;
    let power = ratio.log2().round();
    let block = power.exp2();
    ((ratio - block).abs() < 0.03 * block && power >= 9.0).then(|| PrintedNumber::exact(block))
}

fn base(page: &TextPage) -> PrintedResult {
    PrintedResult {
        tool: BenchmarkTool::Ioping,
        file: page.file.clone(),
        depth: Some(1),
        jobs: Some(1),
        synchronous: Some(true),
        ..PrintedResult::default()
    }
}

/// Reads a line of the summary.
fn line(text: &str, result: &mut PrintedResult) -> bool {
    if let Some((count, rest)) = text.split_once(" requests completed in ") {
        result.ios =
            number::thousands(&count.replace(" k", "k").replace(" M", "M")).map(|(n, _)| n.value as u64);
        let Some((time, rest)) = number::time(rest) else { return false };
        let parts: Vec<&str> = rest.split(", ").map(str::trim).collect();
        // "read" or "written" behind the amount says what the requests did.
        if result.kind == IoKind::Unknown {
            let ends = |word: &str| parts.iter().any(|part| part.ends_with(word));
            result.kind = match (ends(" read"), ends(" written")) {
                (true, _) => IoKind::Read,
                (_, true) => IoKind::Write,
                _ => IoKind::Unknown,
            };
        }
        result.amount = parts
            .iter()
            .find_map(|p| {
                number::bytes(p.strip_suffix("read").or_else(|| p.strip_suffix("written"))?, Base::Binary)
            })
            .map(|(n, _)| n);
        result.iops = parts.iter().find_map(|part| iops(part));
        result.bandwidth = parts.iter().find_map(|part| number::rate(part, Base::Binary)).map(|(n, _)| n);
        result.seconds = Some(time.scaled(1e-9));
        if let (Some(ios), Some(iops), true) = (result.ios, result.iops, result.amount.is_some()) {
            // The time of the requests alone; before 1.0 it is wall time, and no amount is printed.
            if let Some(computed) = PrintedNumber::exact(ios as f64).over(time.scaled(1e-9)) {
                result.check(AuditLaw::AmountOverTime, FigureUnit::PerSecond, iops, computed);
            }
        }
        return true;
    }
    if text.starts_with("generated ") {
        let wall = text.split(", ").find_map(iops);
        // The duration with the pauses.
        let duration = text.split_once(" requests in ").and_then(|(_, time)| number::time(time));
        result.seconds = duration.map(|(n, _)| n.scaled(1e-9)).or(result.seconds);
        if let (Some(wall), Some(device)) = (wall, result.iops)
            && wall.value < 0.8 * device.value
        {
            result.notes.push(ReaderNote::WallRate { per_second: wall.value });
        }
        return true;
    }
    if let Some((_, figures)) = text.split_once("min/avg/max/mdev = ") {
        // Old versions print one unit behind all: 6.4/16.0/26.8/4.7 ms.
        let unit = figures.trim().rsplit(' ').next().and_then(number::nanoseconds);
        let bare = |part: &str| Some(number::whole(part.split_whitespace().next()?)?.scaled(unit?));
        let time = |part: &str| number::time(part).map(|(n, _)| n).or_else(|| bare(part));
        let mut times = figures.split('/').map(|part| time(part.trim()));
        result.latency.min = times.next().flatten();
        result.latency.mean = times.next().flatten();
        result.latency.max = times.next().flatten();
        result.latency.stddev = times.next().flatten();
        if let (Some(iops), Some(mean)) = (result.iops, result.latency.mean)
            && let Some(computed) = PrintedNumber::exact(1e9).over(iops)
        {
            result.check(AuditLaw::Reciprocal, FigureUnit::Nanoseconds, mean, computed);
        }
        return true;
    }
    false
}

/// Reads `4.66 k iops`.
fn iops(text: &str) -> Option<PrintedNumber> {
    let (number, rest) = number::leading(text)?;
    let unit = rest.trim().strip_suffix("iops")?.trim();
    Some(number.scaled(number::prefix(unit.chars().next(), Base::Si)?))
}

/// Reads the lines of ioping -B: count, time, rate, bytes per second, minimum, mean, maximum and deviation, and two more.
fn raw(page: &TextPage, out: &mut Vec<PrintedResult>) {
    for index in 0..page.lines.len() {
        let words = page.at(index).split_whitespace();
        let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
        let Some([count, time, iops, rate, min, mean, max, ..]) =
            numbers.as_deref().filter(|n| n.len() == 10)
        else {
            continue;
        };
        let command = command::above(page, index.saturating_sub(5), index, "ioping");
        let Some(command) =
            command.filter(|c| c.words.iter().any(|word| word.starts_with('-') && word.contains('B')))
        else {
            continue;
        };
        let number = |value: &f64| Some(PrintedNumber { value: *value, half: 0.5 });
        let mut result = base(page);
        result.lines = page.numbers(index, index);
        result.kind = IoKind::Read;
        result.random = Some(true);
        result.ios = Some(*count as u64);
        result.seconds = number(time).map(|n| n.scaled(1e-9));
        (result.iops, result.bandwidth) = (number(iops), number(rate));
        (result.latency.min, result.latency.mean, result.latency.max) =
            (number(min), number(mean), number(max));
        result.block = block_of(&result);
        result.command = command.text;
        out.push(result);
    }
}

/// Reads the objects of ioping -J that have statistics.
fn json(page: &TextPage, out: &mut Vec<PrintedResult>) {
    if !page.lines.iter().any(|line| line.text.contains("\"stat\"")) {
        return;
    }
    let text = page.text();
    let Some(start) = text.find(['[', '{']) else { return };
    let Ok(value) = serde_json::Deserializer::from_str(&text[start..])
        .into_iter::<Value>()
        .next()
        .unwrap_or(Ok(Value::Null))
    else {
        return;
    };
    let objects = value.as_array().cloned().unwrap_or_else(|| vec![value]);
    for object in &objects {
        let stat = &object["stat"];
        let of = |key: &str| stat[key].as_f64().map(PrintedNumber::exact);
        let (Some(iops), Some(mean)) = (of("iops"), of("avg")) else { continue };
        let mut result = base(page);
        result.lines = page.numbers(0, page.lines.len().saturating_sub(1));
        result.kind = IoKind::Read;
        result.iops = Some(iops);
        result.bandwidth = of("bps");
        result.ios = stat["count"].as_u64();
        result.amount = of("size");
        result.seconds = of("time").map(|n| n.scaled(1e-9));
        (result.latency.mean, result.latency.min, result.latency.max, result.latency.stddev) =
            (Some(mean), of("min"), of("max"), of("mdev"));
        let target = &object["target"];
        result.target = target["path"].as_str().unwrap_or_default().to_owned();
        let block =
            |(amount, ios): (PrintedNumber, u64)| PrintedNumber::exact(amount.value / ios.max(1) as f64);
        result.block = result.amount.zip(result.ios).map(block);
        out.push(result);
    }
}
