//! fio's normal output, of versions 1 to 3.

use super::command::{self, FioOptions, ToolCommand};
use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{
    AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedCheck, PrintedDevice, PrintedLatency, PrintedNumber,
    PrintedRange, PrintedResult, ReaderNote,
};

/// Lines above a result among which its command is looked for.
const REACH: usize = 60;
/// Longest result of a job, lines.
const LONGEST: usize = 120;

/// Line with a job's pattern that fio prints before the run.
#[derive(Clone, Debug, Default)]
struct Announced {
    name: String,
    rw: String,
    /// Block sizes of reads, writes and discards, bytes; `None` for a range.
    blocks: [Option<f64>; 3],
    engine: String,
    depth: Option<u32>,
}

/// Appends the results in a page. `sections` are the options of job files beside it, by job name.
pub(crate) fn read(page: &TextPage, sections: &[(String, FioOptions)], out: &mut Vec<PrintedResult>) {
    let mut announced: Vec<Announced> = Vec::new();
    let mut version = String::new();
    let mut after = 0;
    let mut reported: Vec<(String, usize, usize)> = Vec::new();
    let mut index = 0;
    while index < page.lines.len() {
        let text = page.at(index).trim();
        if text.starts_with("fio-") && !text.contains(' ') {
            text.clone_into(&mut version);
        } else if let Some(job) = announcement(text) {
            announced.push(job);
            // Another run, whose processes may have the same numbers.
            reported.clear();
        } else if let Some((name, jobs, error)) = head(text) {
            let end = end_of_job(page, index);
            let command = command::above(page, after.max(index.saturating_sub(REACH)), index, "fio");
            let found = Job { page, first: index, end, name, jobs, error, version: &version };
            let options = command::options_of(command.as_ref(), sections, name);
            if let Some(at) = reported.iter().position(|(job, ..)| *job == job_and_pid(text)) {
                // --status-interval: each report covers everything since the start.
                let (_, from, to) = reported.remove(at);
                out.drain(from..to);
                reported.iter_mut().filter(|(_, start, _)| *start >= to).for_each(|(_, start, end)| {
                    *start -= to - from;
                    *end -= to - from;
                });
            }
            let from = out.len();
            found.results(announced.iter().rev().find(|a| a.name == name), command, &options, out);
            reported.push((job_and_pid(text), from, out.len()));
            after = end;
            index = end;
            continue;
        } else if let Some((kind, rest)) = direction(text) {
            // The line of a direction alone, as texts quote it.
            let command = command::above(page, after.max(index.saturating_sub(REACH)), index, "fio");
            let options = command::options_of(command.as_ref(), sections, "");
            let mut result = PrintedResult {
                tool: BenchmarkTool::Fio,
                version: version.clone(),
                file: page.file.clone(),
                lines: page.numbers(index, index),
                kind,
                random: options
                    .get("rw")
                    .or_else(|| options.get("readwrite"))
                    .and_then(|rw| pattern_is_random(rw)),
                ..PrintedResult::default()
            };
            if rates(&mut result, rest) {
                // Latencies may follow.
                for at in index + 1..page.lines.len().min(index + 4) {
                    let Some((name @ ("slat" | "clat" | "lat"), unit, rest)) = titled(page.at(at).trim())
                    else {
                        break;
                    };
                    if rest.contains("avg=") && latency(&mut result, name, unit, rest) {
                        result.lines[1] = page.numbers(at, at)[1];
                    }
                }
                result.command = command.map(|c| c.text).unwrap_or_default();
                command::complete(&mut result, &options);
                out.push(result);
            }
        }
        index += 1;
    }
}

/// Reads `NAME: (g=0): rw=randread, bs=..., ioengine=libaio, iodepth=1`.
fn announcement(text: &str) -> Option<Announced> {
    let (name, rest) = text.split_once(": (g=")?;
    let rest = rest.split_once("): ")?.1;
    let after = |key: &str| rest.split_once(key).map(|(_, value)| value.trim_start());
    let word = |key: &str| after(key).map_or("", |v| v.split([',', ' ']).next().unwrap_or_default());
    let blocks = after("bs=").map(|bs| {
        if bs.starts_with('(') {
            ["(R)", "(W)", "(T)"].map(|tag| single(bs.split_once(tag)?.1.split(',').next()?))
        } else {
            let mut parts = bs.split(", ").next().unwrap_or_default().split('/');
            [parts.next().and_then(single), parts.next().and_then(single), parts.next().and_then(single)]
        }
    });
    Some(Announced {
        name: name.trim().to_owned(),
        rw: word("rw=").to_owned(),
        blocks: blocks.unwrap_or_default(),
        engine: word("ioengine=").to_owned(),
        depth: word("iodepth=").parse().ok(),
    })
}

/// Returns the size of `4096B-4096B` or `4K-4K` in bytes; `None` for a range of sizes.
fn single(text: &str) -> Option<f64> {
    let (low, high) = text.trim().split_once('-')?;
    let size = |part: &str| number::bytes(part, Base::Binary).map(|(n, _)| n.value);
    let (low, high) = (size(low)?, size(high)?);
    (low == high).then_some(low)
}

/// Reads `NAME: (groupid=0, jobs=1): err= 0: pid=1`.
fn head(text: &str) -> Option<(&str, u32, u64)> {
    let (name, rest) = text.split_once(": (groupid=")?;
    let jobs = rest.split_once("jobs=")?.1;
    let jobs: u32 = jobs.split(')').next()?.trim().parse().ok()?;
    let error = rest
        .split_once("err=")
        .map_or("0", |(_, e)| e.trim_start().split([':', ' ', '(']).next().unwrap_or("0"));
    Some((name.trim(), jobs, error.trim().parse().unwrap_or(1)))
}

/// Returns the job's name, group and process, which the reports of one run have in common; the time stands behind.
fn job_and_pid(text: &str) -> String {
    let digits = |at: usize| at + text[at..].bytes().take_while(u8::is_ascii_digit).count();
    text.find(" pid=").map_or_else(|| format!("{text:p}"), |at| text[..digits(at + 5)].to_owned())
}

/// Returns the index after the last line of a job's result.
fn end_of_job(page: &TextPage, first: usize) -> usize {
    let most = page.lines.len().min(first + LONGEST);
    (first + 1..most)
        .find(|at| {
            let text = page.at(*at).trim();
            head(text).is_some()
                || announcement(text).is_some()
                || text.starts_with("Run status group")
                || (text.starts_with("fio-") && !text.contains(' '))
        })
        .unwrap_or(most)
}

/// Lines of one job's result.
struct Job<'a> {
    page: &'a TextPage,
    first: usize,
    end: usize,
    name: &'a str,
    jobs: u32,
    error: u64,
    version: &'a str,
}

impl Job<'_> {
    fn results(
        &self,
        announced: Option<&Announced>,
        command: Option<ToolCommand>,
        options: &FioOptions,
        out: &mut Vec<PrintedResult>,
    ) {
        let mut base = PrintedResult {
            tool: BenchmarkTool::Fio,
            version: self.version.to_owned(),
            file: self.page.file.clone(),
            label: self.name.to_owned(),
            command: command.map(|c| c.text).unwrap_or_default(),
            jobs: Some(self.jobs),
            errors: self.error,
            ..PrintedResult::default()
        };
        if let Some(announced) = announced {
            announced.engine.clone_into(&mut base.engine);
            base.synchronous = command::is_synchronous(&base.engine);
            base.depth = announced.depth;
            base.random = pattern_is_random(&announced.rw);
        }
        let mut directions: Vec<PrintedResult> = Vec::new();
        let mut whole = base.clone();
        let mut last = self.first;
        let mut issued = [None; 3];
        for at in self.first + 1..self.end {
            let text = self.page.at(at).trim();
            if let Some((kind, rest)) = direction(text) {
                let mut result = base.clone();
                result.kind = kind;
                result.lines = self.page.numbers(at, at);
                if rates(&mut result, rest) {
                    directions.push(result);
                    last = at;
                }
                continue;
            }
            if self.line(text, directions.last_mut(), &mut whole, &mut issued) {
                last = at;
            }
        }
        // Shares on a wrapped line would be missing in the sum.
        let wrapped = |text: &str| {
            text.starts_with("lat (") && text.ends_with([',', '='])
                || text.starts_with(|c: char| c.is_ascii_digit()) && text.contains("=") && text.ends_with('%')
        };
        if (self.first..self.end).any(|at| wrapped(self.page.at(at).trim())) {
            whole.shares.clear();
        }
        let devices = self.devices();
        if let Some((_, at)) = devices.last() {
            last = *at;
        }
        if directions.is_empty() {
            return;
        }
        let lines = self.page.numbers(self.first, last);
        let complete = whole.cpu_percent.is_some() || !whole.shares.is_empty();
        let in_flight: Vec<f64> = directions.iter().map(in_flight).collect();
        let all: f64 = in_flight.iter().sum();
        let mixed =
            announced.is_none_or(|a| a.rw.is_empty() || a.rw.contains("rw") || a.rw.starts_with("readwrite"));
        let seconds: Vec<f64> = directions.iter().filter_map(|r| r.seconds).map(|n| n.value).collect();
        let together =
            mixed && seconds.windows(2).all(|pair| (pair[0] - pair[1]).abs() <= 0.05 * pair[0].max(pair[1]));
        for (result, own) in directions.iter_mut().zip(&in_flight) {
            result.lines = lines;
            result.cpu_percent = whole.cpu_percent;
            result.shares.clone_from(&whole.shares);
            result.checks.extend(whole.checks.iter().copied());
            // Reads of a job that only writes verify the data afterwards.
            result.others_in_flight = if together { all - own } else { 0.0 };
            result.devices = devices.iter().map(|(device, _)| device.clone()).collect();
            let which = match result.kind {
                IoKind::Read => 0,
                IoKind::Write => 1,
                _ => 2,
            };
            result.ios = issued[which].filter(|n| *n > 0);
            result.block = announced.and_then(|a| a.blocks[which]).map(PrintedNumber::exact);
            command::complete(result, options);
            if let (Some(ios), Some(block), Some(amount)) = (result.ios, result.block, result.amount) {
                // Mebibytes of a large amount are rounded; a difference of one I/O is not an error.
                let computed = PrintedNumber { value: ios as f64 * block.value, half: block.value };
                result.check(AuditLaw::Parts, FigureUnit::Bytes, amount, computed);
            }
            if !complete {
                result.notes.push(ReaderNote::Truncated);
            }
        }
        out.append(&mut directions);
    }

    /// Reads a line below a direction's first line, and returns whether it is one of fio's.
    fn line(
        &self,
        text: &str,
        result: Option<&mut PrintedResult>,
        whole: &mut PrintedResult,
        issued: &mut [Option<u64>; 3],
    ) -> bool {
        let Some(result) = result else { return false };
        if text.starts_with("issued") {
            let Some((_, total)) = text.split_once("total=") else { return false };
            let numbers = total
                .split([',', '/', ' '])
                .map(|part| part.trim_start_matches(|c: char| !c.is_ascii_digit()));
            for (slot, number) in issued.iter_mut().zip(numbers) {
                *slot = number.parse().ok();
            }
            return true;
        }
        if let Some(rest) = text.strip_prefix("cpu") {
            let share = |key: &str| number::leading(rest.split_once(key)?.1).map(|(n, _)| n.value);
            whole.cpu_percent = share("usr=").zip(share("sys=")).map(|(user, system)| user + system);
            return whole.cpu_percent.is_some();
        }
        if text.contains("th=[") {
            // The syncs follow the I/Os.
            let syncs = !result.sync_latency.percentiles.is_empty();
            return percentiles(text, if syncs { &mut result.sync_latency } else { &mut result.latency });
        }
        let Some((name, unit, rest)) = titled(text) else { return false };
        match name {
            "slat" | "clat" | "lat" | "sync" if rest.contains("avg=") => latency(result, name, unit, rest),
            "lat" if rest.contains('%') => shares(whole, unit, rest),
            "clat percentiles" | "lat percentiles" | "sync percentiles" => {
                // The unit of the block stays for its lines, as the percent of 0.
                let unit = PrintedNumber::exact(number::nanoseconds(unit).unwrap_or(1e3));
                let of =
                    if name.starts_with("sync") { &mut result.sync_latency } else { &mut result.latency };
                of.percentiles = vec![(0.0, unit)];
                of.percentiles_from_submitted = name.starts_with("clat");
                true
            }
            "bw" | "iops" => {
                if name == "iops" || result.samples.is_none() {
                    result.samples = samples(rest).or(result.samples);
                }
                true
            }
            _ => text.starts_with("IO depths") || text.starts_with("submit") || text.starts_with("complete"),
        }
    }

    /// Returns the lines of fio's disk statistics behind the job, with their indexes.
    fn devices(&self) -> Vec<(PrintedDevice, usize)> {
        let most = self.page.lines.len().min(self.end + 60);
        let Some(start) = (self.first..most).find(|at| {
            let text = self.page.at(*at).trim();
            text.starts_with("Disk stats") || (*at > self.end && head(text).is_some())
        }) else {
            return Vec::new();
        };
        (start + 1..most).map_while(|at| Some((device(self.page.at(at).trim())?, at))).collect()
    }
}

/// Returns whether a pattern of fio is random; `None` for an unknown one.
pub(crate) fn pattern_is_random(rw: &str) -> Option<bool> {
    (!rw.is_empty()).then(|| rw.contains("rand"))
}

fn direction(text: &str) -> Option<(IoKind, &str)> {
    let (word, rest) = text.split_once(':')?;
    let kind = match word.trim() {
        "read" | "READ" => IoKind::Read,
        "write" | "WRITE" => IoKind::Write,
        "trim" | "TRIM" => IoKind::Trim,
        "mixed" | "MIXED" => IoKind::Mixed,
        _ => return None,
    };
    let rest = rest.trim();
    let is_rates = (rest.starts_with("IOPS=") && rest.contains("BW="))
        || (rest.starts_with("io=") && rest.contains("iops="));
    is_rates.then_some((kind, rest))
}

/// Reads `IOPS=56.5k, BW=221MiB/s (231MB/s)(100MiB/453msec)` or `io=2,024KB, bw=101KB/s, iops=202, runt= 20003msec`.
fn rates(result: &mut PrintedResult, text: &str) -> bool {
    let after = |key: &str| text.split_once(key).map(|(_, rest)| rest.trim_start());
    // fio cuts some digits instead of rounding: a whole digit either way.
    let cut = |n: PrintedNumber| PrintedNumber { half: 2.0 * n.half, ..n };
    if let Some(iops) = after("IOPS=") {
        result.iops = number::thousands(iops).map(|(n, _)| cut(n));
        let Some(bandwidth) = after("BW=") else { return false };
        let Some((first, rest)) = number::rate(bandwidth, Base::Binary) else { return false };
        result.bandwidth = Some(cut(first));
        let mut groups = rest.split('(').skip(1).map(|group| group.split(')').next().unwrap_or_default());
        if let Some((second, _)) = groups.next().and_then(|group| number::rate(group, Base::Si)) {
            let check = PrintedCheck {
                law: AuditLaw::Spellings,
                unit: FigureUnit::BytesPerSecond,
                printed: cut(first),
                computed: cut(second),
            };
            result.checks.push(check);
        }
        if let Some((amount, time)) = groups.next().and_then(|group| group.split_once('/')) {
            result.amount = number::bytes(amount, Base::Binary).map(|(n, _)| cut(n));
            result.seconds = number::time(time).map(|(n, _)| n.scaled(1e-9));
        }
    } else {
        let grouped = |key: &str| number::leading_grouped(after(key)?);
        result.amount = grouped("io=").and_then(|n| number::bytes_of(n, Base::Binary)).map(|(n, _)| cut(n));
        result.bandwidth = grouped("bw=").and_then(|n| number::rate_of(n, Base::Binary)).map(|(n, _)| cut(n));
        result.iops = grouped("iops=").and_then(number::thousands_of).map(|(n, _)| cut(n));
        result.seconds = after("runt=").and_then(number::time).map(|(n, _)| n.scaled(1e-9));
    }
    result.iops.is_some() && result.bandwidth.is_some()
}

/// Splits `clat (usec): min=59, ...` into name, unit and rest.
fn titled(text: &str) -> Option<(&str, &str, &str)> {
    let (title, rest) = text.split_once(':')?;
    let (name, unit) = match title.split_once('(') {
        Some((name, unit)) => (name.trim(), unit.trim_end().trim_end_matches(')').trim()),
        None => (title.trim(), ""),
    };
    Some((name, unit, rest))
}

fn field(text: &str, key: &str) -> Option<PrintedNumber> {
    let rest = text.split(", ").map(str::trim).find_map(|part| part.strip_prefix(key)).or_else(|| {
        // Commas within numbers, or columns without blanks.
        text.split_once(key).map(|(_, rest)| rest)
    })?;
    number::leading_grouped(rest).and_then(number::thousands_of).map(|(n, _)| n)
}

fn latency(result: &mut PrintedResult, name: &str, unit: &str, rest: &str) -> bool {
    let Some(factor) = number::nanoseconds(unit) else { return false };
    let of = |key: &str| field(rest, key).map(|n| n.scaled(factor));
    let (min, max, mean, stddev) = (of("min="), of("max="), of("avg="), of("stdev="));
    match name {
        "slat" => result.submit = mean,
        // A percentile block belongs to clat unless it says lat; the mean in use is that of lat where both are printed.
        "clat" => {
            result.latency.from_submitted = true;
            (result.latency.min, result.latency.max, result.latency.mean, result.latency.stddev) =
                (min, max, mean, stddev);
        }
        "lat" => {
            parts(result, mean);
            result.latency.from_submitted = false;
            (result.latency.min, result.latency.max, result.latency.mean, result.latency.stddev) =
                (min, max, mean, stddev);
        }
        _ => (result.sync_latency.min, result.sync_latency.max, result.sync_latency.mean) = (min, max, mean),
    }
    mean.is_some()
}

/// Adds that the mean of lat is the sum of those of slat and clat, and that clat's figures are in order.
fn parts(result: &mut PrintedResult, lat: Option<PrintedNumber>) {
    let unit = FigureUnit::Nanoseconds;
    let clat = result.latency.clone();
    if !clat.from_submitted {
        return;
    }
    for (lower, upper) in [(clat.min, clat.mean), (clat.mean, clat.max), (clat.mean, lat)] {
        if let (Some(lower), Some(upper)) = (lower, upper) {
            result.check_order(AuditLaw::Order, unit, lower, upper);
        }
    }
    if let (Some(slat), Some(clat), Some(lat)) = (result.submit, clat.mean, lat) {
        let sum = slat.plus(clat);
        // I/Os at the start and the end have one of both only.
        let sum = PrintedNumber { half: sum.half + 0.05 * sum.value, ..sum };
        result.check(AuditLaw::Parts, unit, lat, sum);
    }
}

/// Reads ` |  1.00th=[  163],  5.00th=[  169]`; the first entry of the percentiles holds the unit.
fn percentiles(text: &str, latency: &mut PrintedLatency) -> bool {
    let factor = match latency.percentiles.first() {
        Some((0.0, unit)) => unit.value,
        _ => return false,
    };
    let mut any = false;
    for part in text.trim_start_matches('|').split("],") {
        let Some((percent, value)) = part.split_once("th=[") else { continue };
        let percent = percent.trim().trim_start_matches('|').trim().parse::<f64>().ok();
        let value = number::leading(value).and_then(number::thousands_of);
        if let (Some(percent), Some((value, _))) = (percent, value) {
            // Percentiles are upper ends of buckets 1/64 wide.
            let value = value.scaled(factor);
            let half = value.half + value.value / 64.0;
            latency.percentiles.push((percent, PrintedNumber { half, ..value }));
            any = true;
        }
    }
    any
}

fn shares(whole: &mut PrintedResult, unit: &str, rest: &str) -> bool {
    let Some(factor) = number::nanoseconds(unit) else { return false };
    for part in rest.split(',') {
        let Some((bound, share)) = part.split_once('=') else { continue };
        let bound = bound.trim();
        let bound_ns = match bound.strip_prefix(">=") {
            Some(_) => Some(f64::INFINITY),
            None => bound.parse::<f64>().ok().map(|b| b * factor),
        };
        let share = share.trim().trim_end_matches('%').parse::<f64>().ok();
        if let (Some(bound), Some(share)) = (bound_ns, share) {
            whole.shares.push((bound, share));
        }
    }
    true
}

fn samples(rest: &str) -> Option<PrintedRange> {
    let of = |key: &str| field(rest, key).map(|n| n.value);
    Some(PrintedRange {
        min: of("min=")?,
        max: of("max=")?,
        mean: of("avg=")?,
        stddev: of("stdev=")?,
        samples: field(rest, "samples=").map_or(0, |n| n.value as u64),
    })
}

/// Reads `sda: ios=4027/2, merge=0/5, ticks=19782/1, in_queue=19783, util=98.70%`.
fn device(text: &str) -> Option<PrintedDevice> {
    let (name, rest) = text.split_once(": ios=")?;
    let pair = |text: &str| {
        let (read, rest) = text.split_once('/')?;
        let write: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some([read.parse().ok()?, write.parse().ok()?])
    };
    let util = rest.split_once("util=").map(|(_, util)| util.trim_end_matches('%'));
    Some(PrintedDevice {
        name: name.trim().to_owned(),
        ios: pair(rest)?,
        merges: rest.split_once("merge=").and_then(|(_, merge)| pair(merge)).unwrap_or_default(),
        util_percent: util.and_then(|util| match util.starts_with("nan") {
            true => Some(0.0),
            false => number::leading(util).map(|(n, _)| n.value),
        }),
    })
}

fn in_flight(result: &PrintedResult) -> f64 {
    match (result.iops, result.latency.mean) {
        (Some(iops), Some(mean)) => iops.value * mean.value / 1e9,
        _ => 0.0,
    }
}
