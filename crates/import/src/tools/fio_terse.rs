//! fio's terse output (`--minimal`), versions 3 to 5.

use super::command::{self, FioOptions};
use super::fio_text::pattern_is_random;
use super::page::TextPage;
use stats::audit::{BenchmarkTool, IoKind, PrintedNumber, PrintedResult};

/// Fields of one direction in versions 3 and 4; version 5 has six more.
const FIELDS: usize = 41;

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, sections: &[(String, FioOptions)], out: &mut Vec<PrintedResult>) {
    for index in 0..page.lines.len() {
        let fields: Vec<&str> = page.at(index).trim().split(';').collect();
        let version = fields[0];
        // Version 2 has no version of fio.
        let skip = usize::from(version != "2");
        let known =
            matches!(version, "3" | "4" | "5") && fields.get(1).is_some_and(|v| v.starts_with("fio-"));
        let old = version == "2" && fields.get(3).is_some_and(|error| error.parse::<u32>().is_ok());
        if fields.len() < 100 || !(known || old) {
            continue;
        }
        let length = if version == "5" { FIELDS + 6 } else { FIELDS };
        let directions =
            [0, 1, 2].map(|nth| ([IoKind::Read, IoKind::Write, IoKind::Trim][nth], 4 + skip + nth * length));
        let most = if version == "3" { 2 } else { 3 };
        let cpu = 4 + skip + most * length;
        for (kind, start) in directions.into_iter().take(most) {
            let Some(block) = fields.get(start..start + FIELDS) else { continue };
            let value = |at: usize| block[at].trim().trim_end_matches('%').parse::<f64>().ok();
            let Some(kib) = value(0).filter(|kib| *kib > 0.0) else { continue };
            // Latencies are in microseconds, of clat and lat.
            let time = |at: usize| value(at).map(|us| PrintedNumber { value: us * 1e3, half: 1e3 });
            let mut result = PrintedResult {
                tool: BenchmarkTool::Fio,
                version: if old { String::new() } else { fields[1].to_owned() },
                file: page.file.clone(),
                lines: page.numbers(index, index),
                label: fields[1 + skip].to_owned(),
                errors: fields[3 + skip].parse().unwrap_or(0),
                kind,
                amount: Some(PrintedNumber { value: kib * 1024.0, half: 1024.0 }),
                bandwidth: value(1).map(|kib| PrintedNumber { value: kib * 1024.0, half: 1024.0 }),
                iops: value(2).map(|n| PrintedNumber { value: n, half: 1.0 }),
                seconds: value(3).map(|ms| PrintedNumber { value: ms / 1e3, half: 1e-3 }),
                submit: time(6),
                ..PrintedResult::default()
            };
            (result.latency.min, result.latency.max, result.latency.mean, result.latency.stddev) =
                (time(32), time(33), time(34), time(35));
            result.latency.percentiles_from_submitted = true;
            for cell in &block[12..32] {
                let Some((percent, us)) = cell.split_once("%=") else { continue };
                if let (Ok(percent), Ok(us)) = (percent.parse::<f64>(), us.parse::<f64>())
                    && percent > 0.0
                {
                    let ns = us * 1e3;
                    result
                        .latency
                        .percentiles
                        .push((percent, PrintedNumber { value: ns, half: 1e3 + ns / 64.0 }));
                }
            }
            let cpu_of = |at: usize| fields.get(cpu + at)?.trim_end_matches('%').parse::<f64>().ok();
            result.cpu_percent = cpu_of(0).zip(cpu_of(1)).map(|(user, system)| user + system);
            let command = command::above(page, index.saturating_sub(10), index, "fio");
            let options = command::options_of(command.as_ref(), sections, fields[1 + skip]);
            let rw = options.get("rw").or_else(|| options.get("readwrite"));
            result.random = rw.and_then(|rw| pattern_is_random(rw));
            result.command = command.map(|c| c.text).unwrap_or_default();
            if !options.is_empty() {
                command::complete(&mut result, &options);
                result.jobs = result.jobs.or(Some(1));
            }
            out.push(result);
        }
    }
}
