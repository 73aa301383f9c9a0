//! Comparison of the files that a job leaves beside its data: logs, recorded traces, saved states, and the data itself
//! where the options determine it.

use super::Trace;
use super::draw::{Drawn, value};
use crate::tool::Tool;
use anyhow::Result;
use regex_lite::Regex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

/// What a file is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Data,
    Log,
    Histograms,
    Recorded,
    State,
    /// The job itself, or a trace to replay.
    Input,
}

#[allow(clippy::unwrap_used, reason = "constant patterns")]
static LOG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"_(bw|iops|lat|slat|clat)(\.\d+)?\.log$").unwrap());
#[allow(clippy::unwrap_used, reason = "constant patterns")]
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d+").unwrap());

/// Returns what a file of this name is.
pub fn kind(name: &str) -> Kind {
    match name {
        "job.fio" | "in.iolog" => Kind::Input,
        _ if name.contains("_clat_hist") => Kind::Histograms,
        _ if LOG.is_match(name) => Kind::Log,
        _ if name.ends_with(".iolog") => Kind::Recorded,
        _ if name.ends_with("-verify.state") => Kind::State,
        _ => Kind::Data,
    }
}

/// Adds the differences between the files of both tools.
pub fn differences(job: &Drawn, theirs: &Trace, ours: &Trace, out: &mut Vec<String>) {
    for (name, a) in &theirs.files {
        let Some(b) = ours.files.get(name) else { continue };
        let found = match kind(name) {
            Kind::Log => log(job, a.text(), b.text()),
            // Without counts in fio 3.33 (docs/compat.md).
            Kind::Histograms if job.sets("log_compression") => None,
            Kind::Histograms => rows_alike(a.text(), b.text()),
            Kind::Recorded if job.timed => None,
            Kind::Recorded => recorded(job, a.text(), b.text()),
            Kind::State => (a.size != b.size).then(|| format!("{} bytes, fathom {}", a.size, b.size)),
            Kind::Data => data(job, &a.content, &b.content),
            Kind::Input => None,
        };
        out.extend(found.map(|found| format!("{name}: {found}")));
    }
    if let Some(document) = &ours.document {
        rows_of_the_report(job, ours, document, out);
    }
}

/// Rows of a log as numbers.
fn rows(text: &str) -> Vec<Vec<u64>> {
    text.lines()
        .map(|line| line.split(',').map(|field| field.trim().parse().unwrap_or(u64::MAX)).collect())
        .collect()
}

/// Returns how the forms of rows differ (columns, spaces); the number of columns of a histogram is part of it.
fn rows_alike(theirs: &str, ours: &str) -> Option<String> {
    let form = |text: &str| -> Vec<String> {
        let mut forms: Vec<String> = text.lines().map(|l| NUMBER.replace_all(l, "#").into_owned()).collect();
        forms.sort();
        forms.dedup();
        forms
    };
    let (a, b) = (form(theirs), form(ours));
    let short = |forms: &[String]| -> String { format!("{forms:?}").chars().take(80).collect() };
    (a != b && !a.is_empty() && !b.is_empty())
        .then(|| format!("rows of fio {}, of fathom {}", short(&a), short(&b)))
}

/// Returns the differences of a log: the form of its rows and, with a row per I/O, their number by direction, and the
/// sizes and offsets of I/Os in a determined order.
fn log(job: &Drawn, theirs: &str, ours: &str) -> Option<String> {
    rows_alike(theirs, ours).or_else(|| {
        // fio leaves out I/Os in flight at the end of a replay, and the last one with log_compression (docs/compat.md).
        // With disable_slat it loses the row behind a full buffer.
        let full = job.sets("disable_slat") && theirs.lines().count().is_multiple_of(1024);
        let open_end = job.sets("read_iolog") && job.is_deep() || job.sets("log_compression") || full;
        if job.sets("log_avg_msec") || !job.fixed.ios || job.timed || open_end {
            return None;
        }
        let key = |row: &Vec<u64>| -> Vec<u64> {
            let columns: &[usize] = if job.fixed.order { &[2, 3, 4] } else { &[2] };
            columns.iter().filter_map(|column| row.get(*column).copied()).collect()
        };
        let (mut a, mut b): (Vec<_>, Vec<_>) =
            (rows(theirs).iter().map(key).collect(), rows(ours).iter().map(key).collect());
        a.sort();
        b.sort();
        let counted = |keys: &[Vec<u64>]| -> BTreeMap<u64, usize> {
            keys.iter().fold(BTreeMap::new(), |mut all, key| {
                *all.entry(key.first().copied().unwrap_or(u64::MAX)).or_default() += 1;
                all
            })
        };
        (a != b).then(|| format!("rows by direction: fio {:?}, fathom {:?}", counted(&a), counted(&b)))
    })
}

/// Checks that each log with a row per I/O has as many rows as the report has I/Os.
fn rows_of_the_report(job: &Drawn, ours: &Trace, document: &Value, out: &mut Vec<String>) {
    let entries = document["jobs"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    let failed = entries.iter().any(|entry| entry["error"] != 0);
    // Without per_job_logs, jobs of several sections overwrite each other's log, in both tools.
    let sections = entries.iter().any(|entry| entry["jobname"] != entries[0]["jobname"]);
    // A group's entry does not tell which I/Os are those of the section with the log.
    if sections && job.sets("per_job_logs") || job.sets("flow") && job.sets("group_reporting") {
        return;
    }
    if ["log_avg_msec", "unified_rw_reporting"].iter().any(|key| job.sets(key))
        || job.second.is_some()
        || job.raw.is_some()
        || job.sets("ramp_time")
        || failed
    {
        return;
    }
    let directions = ["read", "write", "trim"];
    // Of several sections, the last one has the log.
    let logged =
        entries.iter().filter(|entry| entries.last().is_some_and(|l| l["jobname"] == entry["jobname"]));
    let of = |key: &str| directions.map(|d| logged.clone().filter_map(|e| e[d][key].as_u64()).sum::<u64>());
    let expected = of("total_ios");
    for suffix in ["bw", "iops", "lat", "slat", "clat"] {
        let log = Regex::new(&format!(r"_{suffix}(\.\d+)?\.log$"));
        let mut found = [0u64; 3];
        let mut any = false;
        for (_, file) in
            ours.files.iter().filter(|(name, _)| log.as_ref().is_ok_and(|log| log.is_match(name)))
        {
            for row in rows(file.text()) {
                if let Some(n) = row.get(2).and_then(|d| found.get_mut(*d as usize)) {
                    *n += 1;
                }
                any = true;
            }
        }
        if any && found != expected {
            out.push(format!("log {suffix}: {found:?} rows of read, write and trim, report {expected:?}"));
        }
    }
}

/// Returns the differences of a recorded trace: its operations in order where that is determined, else their numbers.
fn recorded(job: &Drawn, theirs: &str, ours: &str) -> Option<String> {
    let operations = |text: &str| -> Vec<String> {
        let mut lines = text.lines();
        let head = lines.next().unwrap_or("").to_string();
        let rest = lines.map(|line| line.split_once(' ').map_or(line, |(_, rest)| rest).to_string());
        // fio closes a file at the end of each pass and before it verifies it (docs/compat.md).
        let rest = rest.filter(|line| !line.ends_with(" open") && !line.ends_with(" close"));
        // fathom leaves out syncs of a range, and the offset of a sync is 0 (docs/compat.md).
        let rest = rest.filter(|line| !line.contains(" sync_file_range "));
        let rest = rest.map(|line| match line.split_once(" sync ").or(line.split_once(" datasync ")) {
            Some((file, _)) => format!("{file} sync"),
            None => line,
        });
        // Beyond depth 1, fio issues an additional sync for each I/O in flight (docs/compat.md).
        let deep = job.is_deep();
        let rest = rest.filter(|line| !deep || !line.contains("sync"));
        let mut all: Vec<String> = if job.fixed.order {
            rest.collect()
        } else {
            rest.map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
        };
        if !job.fixed.order {
            all.sort();
            if !job.fixed.ios {
                all.dedup();
            }
        }
        all.insert(0, head);
        all
    };
    let (a, b) = (operations(theirs), operations(ours));
    let at = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    (a != b).then(|| {
        format!("line {at} of {}, {}: fio {:?}, fathom {:?}", a.len(), b.len(), a.get(at), b.get(at))
    })
}

/// Returns whether the data differs where a pattern determines it.
fn data(job: &Drawn, theirs: &[u8], ours: &[u8]) -> Option<String> {
    let of = |key: &str| value(&job.options, key);
    let pattern =
        of("buffer_pattern").is_some() && of("scramble_buffers") != Some("1") && of("verify").is_none();
    let verified = of("verify") == Some("pattern");
    let determined = (pattern || verified)
        && job.second.is_none()
        && job.fixed.order
        && job.fixed.ios
        && job.inputs.is_empty();
    if !determined || theirs == ours {
        return None;
    }
    let at = theirs.iter().zip(ours).position(|(a, b)| a != b).unwrap_or(theirs.len().min(ours.len()));
    Some(format!("data differs at {at} of {}, {}", theirs.len(), ours.len()))
}

/// Lets each tool verify the files that the other one wrote, if the job wrote all of them once.
pub fn verified_crosswise(
    (fio, theirs): (&Tool, &Trace),
    (fathom, ours): (&Tool, &Trace),
    job: &Drawn,
    limit: Duration,
    out: &mut Vec<String>,
) -> Result<()> {
    let partial =
        ["io_size", "number_ios", "offset", "zonemode", "second", "numjobs", "loops", "unlink", "kb_base"];
    let whole = job.fixed.ios && job.fixed.files && !job.timed && job.second.is_none();
    let rw = value(&job.options, "rw").unwrap_or("read");
    let method = value(&job.options, "verify");
    if !whole
        || !matches!(rw, "write" | "randwrite")
        || partial.iter().any(|key| job.sets(key))
        || method.is_none()
    {
        return Ok(());
    }
    let kept = [
        "bs",
        "size",
        "nrfiles",
        "filename",
        "filename_format",
        "verify",
        "verify_interval",
        "verify_pattern",
    ];
    let mut args = vec!["--name=a".to_string(), "--rw=read".into()];
    args.extend(
        job.options.iter().filter(|(key, _)| kept.contains(&key.as_str())).map(|(k, v)| format!("--{k}={v}")),
    );
    for (reader, writer, files) in [(fio, "fathom", ours), (fathom, "fio", theirs)] {
        let ran = reader.run(&args, files.sandbox.path(), None, limit)?;
        if ran.code != Some(0) {
            let line = ran.stderr.lines().next().unwrap_or("");
            out.push(format!("{} finds damage in the files of {writer}: {line:?}", reader.name));
        }
    }
    Ok(())
}
