//! fio's JSON, by the import of results.

use super::command::{self, FioOptions};
use super::page::TextPage;
use crate::{Remark, file_names, result};
use serde_json::Value;
use stats::audit::{
    BenchmarkTool, IoKind, PrintedDevice, PrintedLatency, PrintedNumber, PrintedRange, PrintedResult,
    ReaderNote,
};
use stats::{Direction, Flow, Measured, Spread};

/// Appends the results in a page with fio's JSON.
pub(crate) fn read(page: &TextPage, sections: &[(String, FioOptions)], out: &mut Vec<PrintedResult>) {
    if !page.lines.iter().any(|line| line.text.contains("\"jobs\"")) {
        return;
    }
    let text = page.text();
    let Ok(read) = result::read(text.as_bytes(), &file_names::Named::default(), &page.file) else { return };
    let mended = result::without_nan(text.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok());
    let echoed = echoed_jobs(mended.as_deref().unwrap_or(&text));
    let mut from = 0;
    for measured in &read.measured {
        // The line of a job's name, searched from the last one on.
        let name = format!("\"{}\"", measured.name);
        let at = (from..page.lines.len())
            .find(|at| page.at(*at).contains("\"jobname\"") && page.at(*at).contains(&name));
        from = at.map_or(from, |at| at + 1);
        let others: f64 = measured.flows.iter().map(in_flight).sum();
        let command = command::above(page, 0, at.unwrap_or(0), "fio");
        for flow in &measured.flows {
            let mut one = converted(measured, flow);
            one.file.clone_from(&page.file);
            one.lines = page.numbers(at.unwrap_or(0), at.unwrap_or(0));
            one.others_in_flight = others - in_flight(flow);
            one.command = command.as_ref().map(|c| c.text.clone()).unwrap_or_default();
            let same = |job: &&EchoedJob| job.name == measured.name;
            if let Some(job) = echoed.iter().find(same) {
                complete(&mut one, job);
                // Reads of a job that only writes verify the data afterwards.
                let rw = &measured.access.rw;
                if !rw.is_empty() && !rw.contains("rw") && !rw.starts_with("readwrite") {
                    one.others_in_flight = 0.0;
                }
            }
            // fio's echo has no flags such as zero_buffers; the command and the job file have them.
            let given = command::options_of(command.as_ref(), sections, &measured.name);
            if !given.is_empty() {
                command::complete(&mut one, &given);
            }
            one.notes.dedup();
            out.push(one);
        }
    }
}

/// Returns why the JSON of a page without results cannot be read, as `report` and `compare` say it; `None` if the page has
/// no JSON that breaks off.
pub(crate) fn fault(page: &TextPage) -> Option<Remark> {
    let text = page.text();
    if !text.trim_start().starts_with('{') && !text.contains("\"fio version\"") {
        return None;
    }
    let read = result::read(text.as_bytes(), &file_names::Named::default(), &page.file);
    read.err().filter(|why| matches!(why, Remark::BreaksOff { .. }))
}

/// Job of fio's JSON: name, echoed options with the global ones, the object itself, the disks of its run.
struct EchoedJob {
    name: String,
    options: FioOptions,
    object: Value,
    disks: Vec<PrintedDevice>,
}

/// Returns the jobs of the documents in a text.
fn echoed_jobs(text: &str) -> Vec<EchoedJob> {
    let mut found = Vec::new();
    // Lines of warnings may precede the document, and one may have a brace.
    for (start, _) in text.match_indices('{').take(8) {
        let documents = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        for mut document in documents.map_while(Result::ok) {
            let strings = |value: &Value| -> FioOptions {
                let pairs = value.as_object().into_iter().flatten();
                let text =
                    |value: &Value| value.as_str().map(|t| if t.is_empty() { "1" } else { t }.to_owned());
                pairs.filter_map(|(key, value)| Some((key.clone(), text(value)?))).collect()
            };
            let global = strings(&document["global options"]);
            let disks: Vec<PrintedDevice> =
                document["disk_util"].as_array().into_iter().flatten().map(disk).collect();
            let Value::Array(jobs) = document["jobs"].take() else { continue };
            for object in jobs {
                let mut options = global.clone();
                options.extend(strings(&object["job options"]));
                let name = object["jobname"].as_str().unwrap_or_default().to_owned();
                found.push(EchoedJob { name, options, object, disks: disks.clone() });
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}

fn disk(value: &Value) -> PrintedDevice {
    let count = |key: &str| value[key].as_u64().unwrap_or(0);
    PrintedDevice {
        name: value["name"].as_str().unwrap_or_default().to_owned(),
        ios: [count("read_ios"), count("write_ios")],
        merges: [count("read_merges"), count("write_merges")],
        util_percent: value["util"].as_f64(),
    }
}

/// Completes a result by the figures of its direction that the import does not keep.
fn complete(result: &mut PrintedResult, job: &EchoedJob) {
    let direction = match result.kind {
        IoKind::Read => "read",
        IoKind::Write => "write",
        _ => "trim",
    };
    let flow = &job.object[direction];
    let number = |key: &str| flow[key].as_f64();
    if let Some(runtime) = number("runtime").filter(|ms| *ms > 0.0) {
        result.seconds = Some(PrintedNumber { value: runtime / 1e3, half: 1e-3 });
    }
    if let (Some(min), Some(max), Some(mean), Some(stddev)) =
        (number("bw_min"), number("bw_max"), number("bw_mean"), number("bw_dev"))
    {
        let samples = number("bw_samples").unwrap_or(0.0) as u64;
        result.samples = Some(PrintedRange { min, max, mean, stddev, samples }).filter(|s| s.mean > 0.0);
    }
    result.devices.clone_from(&job.disks);
    super::fio_json_laws::check(result, &job.object, flow, &job.options);
    command::complete(result, &job.options);
}

fn in_flight(flow: &Flow) -> f64 {
    flow.latency().map_or(0.0, |lat| flow.iops.value * lat.mean_ns / 1e9)
}

fn converted(measured: &Measured, flow: &Flow) -> PrintedResult {
    let conditions = &measured.conditions;
    let engine = conditions.engine.clone().unwrap_or_default();
    let blocks = &measured.access;
    let near = |value: f64| PrintedNumber { value, half: value * 1e-6 };
    let mut result = PrintedResult {
        tool: BenchmarkTool::Fio,
        version: conditions.by.clone(),
        label: measured.name.clone(),
        target: conditions.target.clone(),
        kind: match flow.direction {
            Direction::Read => IoKind::Read,
            Direction::Write => IoKind::Write,
            Direction::Trim => IoKind::Trim,
        },
        random: super::fio_text::pattern_is_random(&blocks.rw),
        amount: Some(PrintedNumber::exact(flow.bytes as f64)),
        ios: Some(flow.ios),
        region: conditions.span.map(|span| span as f64),
        seconds: Some(PrintedNumber { value: measured.seconds, half: 1e-3 }).filter(|s| s.value > 0.0),
        iops: Some(near(flow.iops.value)),
        bandwidth: Some(near(flow.bytes_per_second)),
        depth: (measured.depth > 0).then_some(measured.depth),
        jobs: (measured.jobs > 0).then_some(measured.jobs),
        synchronous: command::is_synchronous(&engine),
        engine,
        direct: conditions.direct,
        submit: flow.slat.as_ref().map(|slat| near(slat.mean_ns)),
        cpu_percent: measured.cpu_percent.map(|[user, system]| user + system),
        claims: measured.findings.iter().map(|finding| finding.claim.clone()).collect(),
        ..PrintedResult::default()
    };
    let block = flow.bytes as f64 / flow.ios.max(1) as f64;
    result.block = (block >= 1.0).then_some(PrintedNumber { value: block, half: 0.5 });
    if let Some(lat) = &flow.lat {
        latency(&mut result.latency, lat, false);
    } else if let Some(clat) = &flow.clat {
        latency(&mut result.latency, clat, true);
    }
    if result.latency.percentiles.is_empty()
        && let Some(clat) = &flow.clat
    {
        result.latency.percentiles = percentiles(clat);
    }
    if conditions.paced {
        result.notes.push(ReaderNote::RateLimited);
    }
    result
}

fn latency(into: &mut PrintedLatency, spread: &Spread, from_submitted: bool) {
    let number = |value: f64| Some(PrintedNumber { value, half: 0.5 + value * 1e-6 });
    *into = PrintedLatency {
        mean: number(spread.mean_ns),
        min: number(spread.min_ns),
        max: number(spread.max_ns),
        stddev: number(spread.stddev_ns),
        percentiles: percentiles(spread),
        percentiles_from_submitted: from_submitted,
        from_submitted,
    };
}

fn percentiles(spread: &Spread) -> Vec<(f64, PrintedNumber)> {
    let upper = |ns: f64| PrintedNumber { value: ns, half: ns / 64.0 + 1.0 };
    spread.quantiles.iter().filter(|q| q.percent > 0.0).map(|q| (q.percent, upper(q.ns))).collect()
}
