//! sysbench fileio, versions 0.4 to 1.0.

use super::command;
use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{
    AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult, PrintedSyncs, ReaderNote,
};

/// Settings printed before the figures.
#[derive(Clone, Default)]
struct Settings {
    first: usize,
    direct: Option<bool>,
    region: Option<f64>,
    block: Option<f64>,
    threads: Option<u32>,
    mode: String,
    /// Whether the block of options was seen, so that a missing line says that I/O was synchronous.
    options: bool,
    asynchronous: bool,
    each_synced: bool,
    syncs: bool,
}

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let mut settings = Settings::default();
    let mut index = 0;
    while index < page.lines.len() {
        let text = page.at(index).trim();
        if text.starts_with("sysbench ") {
            settings = Settings { first: index, ..Settings::default() };
        }
        setting(text, &mut settings);
        let new = text == "File operations:";
        let old = text.starts_with("Operations performed:");
        if new || old {
            let end = (index + 1..page.lines.len().min(index + 45))
                .find(|at| page.at(*at).trim().starts_with("sysbench "))
                .unwrap_or(page.lines.len().min(index + 45));
            if let Some((mut result, last)) = figures(page, index, end, &settings) {
                let start = if settings.first == 0 { index } else { settings.first };
                let command = command::above(page, start.saturating_sub(10), index, "sysbench");
                result.command = command.map(|c| c.text).unwrap_or_default();
                result.file.clone_from(&page.file);
                result.lines = page.numbers(start.min(index), last);
                out.push(result);
                index = last;
            }
        }
        index += 1;
    }
}

fn setting(text: &str, settings: &mut Settings) {
    let size = |text: &str| number::bytes(text, Base::Binary).map(|(n, _)| n.value);
    if let Some(flags) = text.strip_prefix("Extra file open flags:") {
        settings.direct = Some(flags.contains("direct") || flags.trim() == "16384");
        settings.each_synced = flags.contains("sync");
    } else if let Some(block) = text.strip_prefix("Block size ") {
        settings.block = size(block);
    } else if let Some(threads) = text.strip_prefix("Number of threads:") {
        settings.threads = threads.trim().parse().ok();
        settings.options = true;
    } else if text.starts_with("Using synchronous I/O") {
        settings.options = true;
    } else if let Some(mode) = text.strip_prefix("Doing ").and_then(|t| t.strip_suffix(" test")) {
        mode.clone_into(&mut settings.mode);
        settings.options = true;
    } else if text.starts_with("Using asynchronous I/O") {
        settings.asynchronous = true;
    } else if text.contains("Calling fsync() after each write") {
        settings.each_synced = true;
    } else if text.contains("Periodic FSYNC enabled") || text.contains("Calling fsync() at the end of test") {
        settings.syncs = true;
    } else if let Some((count, each)) = text
        .split_once(" files, ")
        .filter(|(c, e)| c.parse::<u32>().is_ok() && e.trim_end().ends_with("each"))
    {
        settings.region = count.parse::<f64>().ok().zip(size(each)).map(|(count, each)| count * each);
    } else if let Some(total) = text.strip_suffix(" total file size").and_then(size) {
        settings.region = Some(total);
    }
}

fn figures(page: &TextPage, index: usize, end: usize, settings: &Settings) -> Option<(PrintedResult, usize)> {
    let mut result = PrintedResult {
        tool: BenchmarkTool::Sysbench,
        label: settings.mode.clone(),
        direct: settings.direct,
        region: settings.region,
        block: settings.block.map(PrintedNumber::exact),
        jobs: settings.threads,
        depth: (settings.options && !settings.asynchronous).then_some(1),
        synchronous: (settings.options || settings.asynchronous).then_some(!settings.asynchronous),
        random: (!settings.mode.is_empty()).then(|| settings.mode.contains("random")),
        ..PrintedResult::default()
    };
    let mut last = index;
    let (mut reads, mut writes, mut syncs) = (None, None, None);
    let (mut read, mut written) = (None, None);
    let (mut events, mut sum) = (None, None);
    let mut requests = None;
    for at in index..end {
        let text = page.at(at).trim();
        let plain =
            |prefix: &str| text.strip_prefix(prefix).and_then(|rest| number::leading(rest)).map(|(n, _)| n);
        let rate = |prefix: &str| plain(prefix).map(|n| n.scaled(1048576.0));
        // Times of 1.0 are in milliseconds without a unit; those of 0.4 have one.
        let time = |prefix: &str| {
            let rest = text.strip_prefix(prefix)?.trim().trim_start_matches(':').trim();
            number::time(rest).map(|(n, _)| n).or_else(|| number::whole(rest).map(|n| n.scaled(1e6)))
        };
        let before = last;
        last = at;
        if let Some(n) = plain("reads/s:") {
            reads = Some(n);
        } else if let Some(n) = plain("writes/s:") {
            writes = Some(n);
        } else if let Some(n) = plain("fsyncs/s:") {
            syncs = Some(n);
        } else if let Some(n) = rate("read, MiB/s:") {
            read = Some(n);
        } else if let Some(n) = rate("written, MiB/s:") {
            written = Some(n);
        } else if let Some(n) = plain("total number of events:") {
            events = Some(n.value);
        } else if let Some((n, _)) = text.strip_prefix("total time:").and_then(number::time) {
            result.seconds = Some(n.scaled(1e-9));
        } else if let Some(n) = time("min") {
            result.latency.min = Some(n);
        } else if let Some(n) = time("avg") {
            result.latency.mean = Some(n);
        } else if let Some(n) = time("max") {
            result.latency.max = Some(n);
        } else if let Some(n) = time("95th percentile").or_else(|| time("approx.  95 percentile")) {
            // The end of a range 2 % wide.
            result.latency.percentiles = vec![(95.0, PrintedNumber { half: n.half + 0.025 * n.value, ..n })];
        } else if let Some(n) = time("sum").filter(|_| !text.contains('/')) {
            sum = Some(n);
        } else if let Some(rest) = text.strip_prefix("Operations performed:") {
            let of = |word: &str| {
                rest.split(',')
                    .find_map(|part| {
                        number::leading(part.trim())
                            .filter(|(_, r)| r.trim_start().to_lowercase().starts_with(word))
                    })
                    .map(|(n, _)| n.value)
            };
            let (r, w) = (of("read")?, of("write")?);
            (reads, writes) = (Some(PrintedNumber::exact(r)), Some(PrintedNumber::exact(w)));
            requests = Some(r + w);
            let total = rest.split_once('=').and_then(|(_, total)| number::leading(total.trim()));
            if let (Some(other), Some((total, _))) = (of("other"), total) {
                let sum = PrintedNumber::exact(r + w + other);
                result.check(AuditLaw::Parts, FigureUnit::Count, total, sum);
            }
        } else if text.ends_with(')') && text.contains("Total transferred") {
            let rate = text.rsplit('(').next().and_then(|rate| number::rate(rate, Base::Binary));
            result.bandwidth = rate.map(|(n, _)| n);
            transferred(text, &mut result);
        } else if let Some(n) = text.strip_suffix("Requests/sec executed").and_then(number::whole) {
            result.iops = Some(n);
        } else {
            last = before;
        }
    }
    let zero = PrintedNumber::exact(0.0);
    let (r, w) = (reads.unwrap_or(zero), writes.unwrap_or(zero));
    result.kind = match (r.value > 0.0, w.value > 0.0) {
        (true, true) => IoKind::Mixed,
        (true, false) => IoKind::Read,
        (false, true) => IoKind::Write,
        _ => return None,
    };
    if requests.is_none() {
        result.iops = Some(r.plus(w));
        result.bandwidth = read.zip(written).map(|(a, b)| a.plus(b)).or(read).or(written);
        result.ios = events.map(|n| n as u64);
    } else {
        result.ios = requests.map(|n| n as u64);
        // The mean size of a request follows from the amount if the options do not have the block size.
        let size = result.amount.zip(requests).filter(|(_, n)| *n > 0.0).map(|(all, n)| all.scaled(1.0 / n));
        match (size, result.block) {
            (Some(size), None) => result.block = Some(size),
            (Some(size), Some(block)) => result.check(AuditLaw::Parts, FigureUnit::Bytes, block, size),
            _ => {}
        }
        if let (Some(n), Some(seconds), Some(iops)) = (requests, result.seconds, result.iops)
            && let Some(computed) = PrintedNumber::exact(n).over(seconds)
        {
            result.check(AuditLaw::AmountOverTime, FigureUnit::PerSecond, iops, computed);
        }
    }
    laws(&mut result, [reads, writes, syncs], [read, written], events, sum);
    if let (Some(events), Some(sum), Some(mean)) = (events, sum, result.latency.mean)
        && events > 0.0
    {
        let computed = sum.scaled(1.0 / events);
        result.check(AuditLaw::AmountOverTime, FigureUnit::Nanoseconds, mean, computed);
    }
    if result.kind.writes() {
        let synced = syncs.is_some_and(|n| n.value > 0.0) || settings.syncs;
        result.syncs = Some(match (settings.each_synced, synced) {
            (true, _) => PrintedSyncs::Each,
            (_, true) => PrintedSyncs::Regular,
            _ => PrintedSyncs::Never,
        });
        if syncs.is_some_and(|n| n.value > 0.0) {
            result.notes.push(ReaderNote::MixedLatency);
        }
    }
    Some((result, last))
}

/// Reads `Read 937.5Mb  Written 625Mb  Total transferred 1.5259Gb  (52.083Mb/sec)` of version 0.4.
fn transferred(text: &str, result: &mut PrintedResult) {
    let of = |word: &str| {
        let (_, rest) = text.split_once(word)?;
        number::bytes(rest.trim_start(), Base::Binary).map(|(n, _)| n)
    };
    result.amount = of("Total transferred");
    if let (Some(read), Some(written), Some(total)) = (of("Read"), of("Written"), result.amount) {
        result.check(AuditLaw::Parts, FigureUnit::Bytes, total, read.plus(written));
    }
}

/// Adds the equalities of version 1: events by time, bandwidth by rate, time of all threads.
fn laws(
    result: &mut PrintedResult,
    rates: [Option<PrintedNumber>; 3],
    bandwidths: [Option<PrintedNumber>; 2],
    events: Option<f64>,
    sum: Option<PrintedNumber>,
) {
    let within = |n: PrintedNumber, slack: f64| PrintedNumber { half: n.half + slack * n.value, ..n };
    for (rate, bandwidth) in rates.iter().zip(bandwidths) {
        if let (Some(rate), Some(bandwidth), Some(block)) = (rate, bandwidth, result.block) {
            let computed = rate.times(block);
            result.check(AuditLaw::RateTimesBlock, FigureUnit::BytesPerSecond, bandwidth, computed);
        }
    }
    let all = rates.iter().flatten().fold(PrintedNumber::exact(0.0), |sum, n| sum.plus(*n));
    let of_version_1 = bandwidths[0].is_some() || bandwidths[1].is_some();
    if let (Some(events), Some(seconds), true) =
        (events.filter(|n| *n >= 100.0), result.seconds, of_version_1)
        && let Some(computed) = PrintedNumber::exact(events).over(seconds)
        && seconds.value >= 1.0
    {
        // The syncs at the end are events, but not all are in the rates.
        result.check(AuditLaw::AmountOverTime, FigureUnit::PerSecond, all, within(computed, 0.03));
    }
    if let (Some(sum), Some(seconds), Some(threads)) = (sum, result.seconds, result.jobs)
        && result.synchronous == Some(true)
    {
        let most = within(seconds.scaled(1e9 * f64::from(threads)), 0.03);
        result.check_order(AuditLaw::Parts, FigureUnit::Nanoseconds, sum, most);
    }
}
