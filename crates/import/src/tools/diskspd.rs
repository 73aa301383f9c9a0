//! diskspd's text and XML.

use super::command::{self, ToolCommand};
use super::number;
use super::page::TextPage;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult, PrintedSyncs};

const MEBIBYTE: f64 = 1048576.0;

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let is_xml = page.lines.iter().any(|line| line.text.contains("<TimeSpan>"))
        && page.lines.iter().any(|line| line.text.contains("<IOCount>"));
    if is_xml {
        return xml(page, out);
    }
    if !page.lines.iter().any(|line| line.text.contains("I/O per s")) {
        return;
    }
    let mut settings =
        PrintedResult { tool: BenchmarkTool::Diskspd, file: page.file.clone(), ..PrintedResult::default() };
    let mut first = None;
    let mut outstanding = None;
    let mut threads = None;
    for index in 0..page.lines.len() {
        let text = page.at(index).trim();
        let after = |key: &str| text.strip_prefix(key).map(str::trim);
        if let Some(block) = after("block size:") {
            settings.block = number::whole(block).map(|n| PrintedNumber::exact(n.value));
            first = first.or(Some(index));
        } else if let Some(n) = after("number of outstanding I/O operations:")
            .or_else(|| after("number of outstanding I/O operations per thread:"))
        {
            outstanding = n.parse::<u32>().ok();
        } else if let Some(n) =
            after("thread count:").or_else(|| after("threads per file:")).or_else(|| after("total threads:"))
        {
            threads = n.parse::<u32>().ok();
        } else if text.starts_with("using random I/O")
            || text.starts_with("random I/O")
            || text.starts_with("using mixed random")
        {
            settings.random = Some(true);
        } else if text.starts_with("using sequential I/O")
            || text.starts_with("using interlocked sequential")
            || text.starts_with("sequential I/O")
        {
            settings.random = Some(false);
        } else if text.contains("software cache disabled")
            || text.contains("software and hardware write cache disabled")
        {
            settings.direct = Some(true);
        } else if text.contains("using software") || text.contains("using software cache") {
            settings.direct = Some(false);
        }
        if text.contains("writethrough on")
            || text.contains("hardware write cache disabled")
            || text.contains("hardware and software write cache disabled")
        {
            settings.syncs = Some(PrintedSyncs::Each);
        }
        if let Some(time) = after("actual test time:").and_then(number::time).map(|(n, _)| n) {
            settings.seconds = Some(time.scaled(1e-9));
        }
        if let Some(path) = after("path:") {
            path.trim_matches('\'').clone_into(&mut settings.target);
        }
        let kind = match text {
            "Read IO" => IoKind::Read,
            "Write IO" => IoKind::Write,
            // The table of both, where the others are left out.
            "Total IO" if !page.lines.iter().any(|line| line.text.trim() == "Read IO") => IoKind::Unknown,
            _ => continue,
        };
        let command = command::above(page, 0, index, "diskspd");
        settings.depth = outstanding.or_else(|| switch(command.as_ref(), 'o'));
        // -F is the number of threads of all files, -t that of each file.
        settings.jobs =
            threads.or_else(|| switch(command.as_ref(), 'F').or_else(|| switch(command.as_ref(), 't')));
        let Some((mut result, end)) = total(page, index, &settings) else { continue };
        result.kind = kind;
        result.lines = page.numbers(first.unwrap_or(index), end);
        result.command = command.map(|c| c.text).unwrap_or_default();
        percentiles(page, end, &mut result);
        if result.ios.is_some_and(|n| n > 0) {
            out.push(result);
        }
    }
}

/// Returns the number of a switch such as `-o32` or `/t4`.
fn switch(command: Option<&ToolCommand>, letter: char) -> Option<u32> {
    command?.words.iter().find_map(|word| word.strip_prefix(['-', '/'])?.strip_prefix(letter)?.parse().ok())
}

/// Reads the columns and the line `total:` of a block.
fn total(page: &TextPage, start: usize, settings: &PrintedResult) -> Option<(PrintedResult, usize)> {
    let header = (start + 1..start + 4).find(|at| page.at(*at).contains("I/O per s"))?;
    let columns: Vec<&str> = page.at(header).split('|').map(str::trim).collect();
    let end = (header + 1..page.lines.len().min(header + 300))
        .find(|at| page.at(*at).trim_start().starts_with("total:"))?;
    let text = page.at(end).trim().strip_prefix("total:")?;
    let cells: Vec<&str> = text.split('|').map(str::trim).collect();
    let cell = |name: &str| {
        columns
            .iter()
            .skip(1)
            .position(|c| *c == name)
            .and_then(|at| cells.get(at))
            .and_then(|c| number::leading(c))
            .map(|(n, _)| n)
    };
    let mut result = settings.clone();
    result.amount = cell("bytes").map(|n| PrintedNumber::exact(n.value));
    result.ios = cell("I/Os").map(|n| n.value as u64);
    result.iops = cell("I/O per s");
    let megabytes = cell("MiB/s").or_else(|| cell("MB/s"));
    result.bandwidth = megabytes.map(|n| n.scaled(MEBIBYTE));
    result.latency.mean = cell("AvgLat").map(|n| n.scaled(1e6));
    result.latency.stddev = cell("LatStdDev").map(|n| n.scaled(1e6));
    if let (Some(ios), None, Some(amount)) = (result.ios.filter(|n| *n > 0), result.block, result.amount) {
        let block = amount.value / ios as f64;
        result.block = (block.fract() == 0.0).then(|| PrintedNumber::exact(block));
    }
    if let (Some(ios), Some(block), Some(amount)) = (result.ios, result.block, result.amount) {
        let computed = PrintedNumber::exact(ios as f64 * block.value);
        result.check(AuditLaw::Parts, FigureUnit::Bytes, amount, computed);
    }
    if let (Some(ios), Some(seconds), Some(iops)) = (result.ios, result.seconds, result.iops)
        && let Some(computed) = PrintedNumber::exact(ios as f64).over(seconds)
    {
        result.check(AuditLaw::AmountOverTime, FigureUnit::PerSecond, iops, computed);
    }
    // The rows of the threads sum to the total.
    for name in ["I/Os", "MiB/s", "I/O per s"] {
        let Some(column) = columns.iter().position(|c| *c == name) else { continue };
        let cells: Vec<PrintedNumber> = (header + 1..end)
            .filter_map(|at| {
                let cells: Vec<&str> = page.at(at).split('|').map(str::trim).collect();
                cells.first()?.parse::<u32>().ok()?;
                number::leading(cells.get(column)?).map(|(n, _)| n)
            })
            .collect();
        if let (Some(whole), false) = (cell(name), cells.is_empty()) {
            let sum = cells.into_iter().fold(PrintedNumber::exact(0.0), PrintedNumber::plus);
            result.check(AuditLaw::Parts, FigureUnit::Count, whole, sum);
        }
    }
    let rows: Vec<f64> = (header + 1..end)
        .filter_map(|at| {
            let mut cells = page.at(at).split('|').map(str::trim);
            cells.next()?.parse::<u32>().ok()?;
            number::leading(cells.next()?).map(|(n, _)| n.value)
        })
        .collect();
    if let (Some(amount), false) = (result.amount, rows.is_empty()) {
        let computed = PrintedNumber::exact(rows.iter().sum());
        result.check(AuditLaw::Parts, FigureUnit::Bytes, amount, computed);
    }
    Some((result, end))
}

fn percentiles(page: &TextPage, from: usize, result: &mut PrintedResult) {
    let Some(header) = (from..page.lines.len().min(from + 400)).find(|at| page.at(*at).contains("%-ile"))
    else {
        return;
    };
    let column = if result.kind == IoKind::Read { 1 } else { 2 };
    for at in header + 1..page.lines.len().min(header + 24) {
        let cells: Vec<&str> = page.at(at).split('|').map(str::trim).collect();
        let [name, ..] = cells.as_slice() else { continue };
        let Some(value) = cells.get(column).and_then(|c| number::leading(c)).map(|(n, _)| n.scaled(1e6))
        else {
            continue;
        };
        match *name {
            "min" => result.latency.min = Some(value),
            "max" => result.latency.max = Some(value),
            _ => {
                let digits = name.bytes().take_while(u8::is_ascii_digit).count();
                let Ok(n) = name[..digits].parse::<i32>() else { continue };
                let percent =
                    if name.contains("nines") { 100.0 * (1.0 - 10f64.powi(-n)) } else { f64::from(n) };
                result.latency.percentiles.push((percent, value));
            }
        }
    }
}

/// Returns the texts of the elements with a name, in order.
fn elements<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(&open) {
        rest = &rest[at + open.len()..];
        let Some(end) = rest.find(&close) else { break };
        found.push(&rest[..end]);
        rest = &rest[end + close.len()..];
    }
    found
}

/// Reads the XML of -Rxml, one result per time span, target and direction.
fn xml(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let text = page.text();
    let profile = elements(&text, "Profile").first().copied().unwrap_or_default();
    let number_of = |text: &str, name: &str| {
        elements(text, name).first().and_then(|t| number::leading(t)).map(|(n, _)| n.value)
    };
    let block = number_of(profile, "BlockSize");
    let depth = number_of(profile, "RequestCount").map(|n| n as u32);
    let direct = (profile.contains("<DisableAllCache>true") || profile.contains("<DisableOSCache>true"))
        .then_some(true);
    let random = Some(profile.contains("<Random>"));
    let spans: Vec<&str> = {
        let rest = text.split_once("</Profile>").map_or(text.as_str(), |(_, rest)| rest);
        elements(rest, "TimeSpan")
    };
    for span in spans {
        let seconds = number_of(span, "TestTimeSeconds");
        let threads = elements(span, "Thread");
        let sum = |name: &str| threads.iter().filter_map(|thread| number_of(thread, name)).sum::<f64>();
        for (kind, count, bytes, latency) in [
            (IoKind::Read, "ReadCount", "ReadBytes", "AverageReadLatencyMilliseconds"),
            (IoKind::Write, "WriteCount", "WriteBytes", "AverageWriteLatencyMilliseconds"),
        ] {
            let (ios, amount) = (sum(count), sum(bytes));
            let Some(seconds) = seconds.filter(|s| *s > 0.0 && ios > 0.0) else { continue };
            let weighted = threads
                .iter()
                .filter_map(|t| Some(number_of(t, count)? * number_of(t, latency)?))
                .sum::<f64>();
            let time = PrintedNumber { value: seconds, half: 0.005 };
            let mut result = PrintedResult {
                tool: BenchmarkTool::Diskspd,
                file: page.file.clone(),
                lines: page.numbers(0, page.lines.len().saturating_sub(1)),
                target: elements(span, "Path").first().map(|p| (*p).to_owned()).unwrap_or_default(),
                kind,
                random,
                direct,
                block: block.map(PrintedNumber::exact),
                depth,
                jobs: Some(threads.len() as u32),
                ios: Some(ios as u64),
                amount: Some(PrintedNumber::exact(amount)),
                seconds: Some(time),
                iops: PrintedNumber::exact(ios).over(time),
                bandwidth: PrintedNumber::exact(amount).over(time),
                ..PrintedResult::default()
            };
            if weighted > 0.0 {
                result.latency.mean = Some(PrintedNumber { value: weighted / ios * 1e6, half: 500.0 });
            }
            if let Some(block) = block {
                let computed = PrintedNumber::exact(ios * block);
                result.check(AuditLaw::Parts, FigureUnit::Bytes, PrintedNumber::exact(amount), computed);
            }
            let side = if kind == IoKind::Read { "ReadMilliseconds" } else { "WriteMilliseconds" };
            for bucket in elements(span, "Latency").iter().flat_map(|l| elements(l, "Bucket")) {
                if let (Some(percent), Some(ms)) = (number_of(bucket, "Percentile"), number_of(bucket, side))
                {
                    let value = PrintedNumber { value: ms * 1e6, half: 500.0 };
                    if percent <= 0.0 {
                        result.latency.min = Some(value);
                    } else if percent >= 100.0 {
                        result.latency.max = Some(value);
                    } else {
                        result.latency.percentiles.push((percent, value));
                    }
                }
            }
            out.push(result);
        }
    }
}
