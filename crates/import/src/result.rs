//! Import of fio's JSON, normal and json+, of all versions in use: documents in a text, and jobs in a document.

use crate::file_names::{self, Named};
use crate::findings::{self, Errors, Told};
use crate::remark::{Remark, Text};
use crate::value::{count, number, text};
use serde_json::{Map, Value};
use stats::outcome::LatencyRanges;
use stats::study::{Access, Estimate, WriteSync};
use stats::{Conditions, Direction, Flow, Histogram, Measured, Quantile, RANGE_LABELS, Spread};

/// Largest number of incomplete objects that are tried; each requires a pass over the rest of the text.
const MOST_BROKEN: usize = 64;
/// Largest count of a histogram bucket; sums of such counts do not overflow.
const MOST_PER_BUCKET: u64 = 1_000_000_000_000_000;

/// Loads and remarks of a text.
#[derive(Debug, Default)]
pub(crate) struct Results {
    pub measured: Vec<Measured>,
    pub notes: Vec<Remark>,
}

/// Job of a document, with the values that distinguish its clones from other jobs.
struct Entry {
    group: u64,
    errors: Errors,
    options: Map<String, Value>,
    measured: Measured,
}

impl Entry {
    fn is_clone_of(&self, other: &Entry) -> bool {
        self.measured.name == other.measured.name
            && self.group == other.group
            && self.options == other.options
            && self.measured.conditions.host == other.measured.conditions.host
    }
}

/// Reads fio's JSON from a text that may have other lines before, between and after the documents.
///
/// # Errors
/// The text contains no usable result.
pub(crate) fn read(bytes: &[u8], named: &Named, source: &str) -> Result<Results, Remark> {
    let mut out = Results::default();
    let mut documents: Vec<(u64, Vec<Measured>)> = Vec::new();
    let mut repeated = 0;
    for document in documents_of(bytes, &mut out.notes)? {
        let jobs = jobs_of(&document, named, source, &mut out.notes)?;
        let ended = document.get("timestamp_ms").and_then(Value::as_u64).unwrap_or(0);
        // A run may report more than once (`--status-interval`); each report covers everything since the start.
        let same = |(_, earlier): &(u64, Vec<Measured>)| {
            let begins = |jobs: &[Measured]| jobs.first().map_or(0, |j| j.began_ms);
            begins(&jobs) > 0
                && begins(&jobs).abs_diff(begins(earlier)) < 2_000
                && earlier.iter().map(|j| &j.name).eq(jobs.iter().map(|j| &j.name))
        };
        match documents.last_mut().filter(|d| same(d)) {
            Some(last) => {
                repeated += 1;
                *last = (ended, jobs);
            }
            None => documents.push((ended, jobs)),
        }
    }
    if repeated > 0 {
        out.notes.push(Remark::EarlierReports { reports: repeated });
    }
    out.measured = documents.into_iter().flat_map(|(_, jobs)| jobs).collect();
    let idle = |m: &Measured| m.flows.is_empty();
    for job in out.measured.iter().filter(|m| idle(m)) {
        out.notes.push(Remark::NoIo { job: job.name.clone() });
    }
    out.measured.retain(|m| !idle(m));
    match (out.measured.is_empty(), out.notes.last()) {
        (true, Some(why)) => Err(why.clone()),
        (true, None) => Err(Remark::NoJob),
        _ => Ok(out),
    }
}

/// Returns the results in a text. fio prints errors and text reports before and between them.
fn documents_of(bytes: &[u8], notes: &mut Vec<Remark>) -> Result<Vec<Map<String, Value>>, Remark> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Remark::Empty);
    }
    let (mut found, mut broken, mut passed) = (Vec::new(), None, Vec::new());
    // Some editors on Windows write a byte order mark before the text.
    let mark = "\u{feff}".as_bytes();
    let (mut at, mut failed) = (if bytes.starts_with(mark) { mark.len() } else { 0 }, 0);
    while at < bytes.len() {
        let end = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n + 1);
        let line = &bytes[at..end];
        let indent = line.iter().take_while(|b| b.is_ascii_whitespace()).count();
        // fio starts a document at the beginning of a line; a document reformatted by another program may be indented.
        if line.get(indent) == Some(&b'{') && failed < MOST_BROKEN && (indent == 0 || found.is_empty()) {
            match object(&bytes[at..]) {
                Ok((object, length)) => {
                    found.extend(
                        ["jobs", "client_stats"].iter().any(|k| object.contains_key(*k)).then_some(object),
                    );
                    at += length.max(1);
                    continue;
                }
                Err(why) => {
                    failed += 1;
                    let before = bytes[..at].iter().filter(|b| **b == b'\n').count();
                    broken.get_or_insert((before, why));
                }
            }
        }
        if !line.iter().all(u8::is_ascii_whitespace) && found.is_empty() {
            passed.push(at..end);
        }
        at = end;
    }
    let printable =
        |text: &str| -> String { text.trim().chars().filter(|c| !c.is_control()).take(80).collect() };
    let first = passed.first().map(|r| printable(&String::from_utf8_lossy(&bytes[r.clone()])));
    match (found.is_empty(), broken) {
        (true, Some((before, why))) => {
            Err(Remark::BreaksOff { line: before + why.line().max(1), error: plain(&why) })
        }
        (true, None) => Err(Remark::NoJson(without_json(bytes))),
        (false, broken) => {
            if let Some(first) = first {
                notes.push(Remark::TextBefore { lines: passed.len(), first });
            }
            if let Some((before, _)) = broken {
                notes.push(Remark::DocumentBreaksOff { line: before + 1 });
            }
            Ok(found)
        }
    }
}

/// Returns the object at the start of a text, and its length in bytes. `nan` and `inf`, which C prints for invalid
/// numbers, are read as 0.
fn object(bytes: &[u8]) -> Result<(Map<String, Value>, usize), serde_json::Error> {
    let one = |bytes: &[u8]| {
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Map<String, Value>>();
        let value = values.next().unwrap_or_else(|| serde_json::from_str(""));
        value.map(|v| (v, values.byte_offset()))
    };
    one(bytes).or_else(|error| match without_nan(bytes) {
        Some(mended) => one(&mended),
        None => Err(error),
    })
}

/// Returns a JSON text with 0 in place of `nan` and `inf`; `None` if it has neither.
pub(crate) fn without_nan(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut mended = bytes.to_vec();
    let mut changed = false;
    for word in ["-nan", "nan", "-inf", "inf"] {
        // The replacement has the same length, so that positions in the text do not change.
        let zero = format!("{:>width$}", 0, width = word.len());
        let mut from = 0;
        while let Some(at) = mended[from..].windows(word.len()).position(|w| w == word.as_bytes()) {
            let (begin, end) = (from + at, from + at + word.len());
            let before = mended[..begin].iter().rev().find(|b| !b.is_ascii_whitespace());
            let after = mended[end..].iter().find(|b| !b.is_ascii_whitespace());
            if before.is_some_and(|b| b":[,".contains(b)) && after.is_some_and(|b| b",}]".contains(b)) {
                mended[begin..end].copy_from_slice(zero.as_bytes());
                changed = true;
            }
            from = end;
        }
    }
    changed.then_some(mended)
}

/// Returns the message of a JSON error without its position.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_string())
}

/// Returns the kind of a text without JSON.
fn without_json(bytes: &[u8]) -> Text {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]);
    let first = text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    let terse = |l: &str| l.split(';').count() > 40;
    if text.lines().any(terse) {
        Text::Terse
    } else if text.contains(": (groupid=") || text.contains("Starting 1 ") || text.contains("rw=") {
        Text::Report
    } else if first.split(',').count() >= 4 && first.starts_with(|c: char| c.is_ascii_digit()) {
        Text::UnnamedLog
    } else {
        Text::Foreign
    }
}

/// Returns the jobs of a document; clones of a job that are reported separately are combined into one.
fn jobs_of(
    document: &Map<String, Value>,
    named: &Named,
    source: &str,
    notes: &mut Vec<Remark>,
) -> Result<Vec<Measured>, Remark> {
    let list = |key| document.get(key).and_then(Value::as_array);
    let clients = list("client_stats");
    let Some(jobs) = clients.or_else(|| list("jobs")) else {
        return Err(Remark::JobsNotListed);
    };
    let mut entries: Vec<Entry> = Vec::new();
    for job in jobs.iter().filter_map(Value::as_object) {
        // The sum over all clients is skipped if each client is listed too.
        if clients.is_some() && jobs.len() > 1 && text(job.get("jobname")).as_deref() == Some("All clients") {
            continue;
        }
        entries.extend(entry(document, job, named, source, notes));
    }
    let told: Vec<Told<'_>> = entries
        .iter()
        .map(|e| Told { errors: e.errors, options: &e.options, measured: &e.measured })
        .collect();
    let findings = findings::judge(document, &told);
    for (entry, findings) in entries.iter_mut().zip(findings) {
        entry.measured.findings = findings;
    }
    let mut groups: Vec<Vec<Entry>> = Vec::new();
    for entry in entries {
        match groups.iter_mut().find(|g| g.first().is_some_and(|f| f.is_clone_of(&entry))) {
            Some(group) => group.push(entry),
            None => groups.push(vec![entry]),
        }
    }
    let whole = |group: Vec<Entry>| {
        // Clones listed separately are one job each; a combined entry has as many jobs as its option states.
        let one = group.len() > 1;
        let jobs = group.into_iter().map(|e| e.measured);
        let jobs: Vec<Measured> =
            jobs.map(|m| Measured { jobs: if one { 1 } else { m.jobs }, ..m }).collect();
        let mut all = stats::combine::combine_jobs(&jobs)?;
        // All clones have the same findings, so each is kept once.
        let mut rules: Vec<&str> = Vec::new();
        all.findings.retain(|f| {
            let new = !rules.contains(&f.claim.rule());
            rules.push(f.claim.rule());
            new
        });
        Some(all)
    };
    let out = groups.into_iter().filter_map(whole).collect();
    Ok(out)
}

/// Returns the global options; if there are several clients, those of the job's host and port.
fn globals(document: &Map<String, Value>, job: &Map<String, Value>) -> Map<String, Value> {
    match document.get("global options") {
        Some(Value::Object(all)) => all.clone(),
        Some(Value::Array(hosts)) => {
            let hosts: Vec<&Map<String, Value>> = hosts.iter().filter_map(Value::as_object).collect();
            let own = |h: &&&Map<String, Value>| {
                h.get("hostname") == job.get("hostname") && h.get("port") == job.get("port")
            };
            hosts.iter().find(own).or(hosts.first()).map(|h| (*h).clone()).unwrap_or_default()
        }
        _ => Map::new(),
    }
}

fn entry(
    document: &Map<String, Value>,
    job: &Map<String, Value>,
    named: &Named,
    source: &str,
    notes: &mut Vec<Remark>,
) -> Option<Entry> {
    let name = text(job.get("jobname")).unwrap_or_default();
    if job.contains_key("mixed") && !job.contains_key("read") {
        notes.push(Remark::Unified { job: name });
        return None;
    }
    let mut options = globals(document, job);
    if let Some(Value::Object(own)) = job.get("job options") {
        options.extend(own.clone());
    }
    let active: Vec<(Direction, &Map<String, Value>)> = Direction::ALL
        .into_iter()
        .filter_map(|d| Some((d, job.get(d.name())?.as_object()?)))
        .filter(|(_, o)| count(o, "total_ios") > 0 || count(o, "io_bytes") > 0)
        .collect();
    let ranges = ranges(job);
    let alone = active.len() == 1;
    let mut flows: Vec<Flow> =
        active.iter().map(|(direction, object)| flow(*direction, object, ranges.filter(|_| alone))).collect();
    if let Some(writes) = flows.iter_mut().find(|flow| flow.direction == Direction::Write) {
        let latency = |of: &str, key: &str| spread(job.get(of)?.get(key)?.as_object()?, 1.0, 0);
        writes.sync = latency("sync", "lat_ns");
        writes.commit = latency("fathom", "commit_ns");
    }
    let error = count(job, "error");
    if error > 0 {
        notes.push(Remark::JobFailed { job: name.clone(), error });
    }
    let option = |keys: &[&str]| keys.iter().find_map(|k| text(options.get(*k)));
    let small = |keys: &[&str], named: u32| {
        let default = if options.is_empty() { 0 } else { 1 };
        let given = option(keys).and_then(|t| t.trim().parse().ok());
        given.unwrap_or(if named > 0 { named } else { default })
    };
    let runtime = active.iter().map(|(_, o)| number(o, "runtime").unwrap_or(0.0)).fold(0.0, f64::max);
    let seconds = number(job, "job_runtime").filter(|r| *r > 0.0).unwrap_or(runtime).max(0.0) / 1000.0;
    let elapsed = number(job, "elapsed").unwrap_or(0.0).max(0.0) as u64;
    let ended = count(document, "timestamp_ms").max(count(document, "timestamp").saturating_mul(1000));
    let began = count(job, "job_start");
    let size = |text: &str| size(text, &options);
    let measured = Measured {
        source: source.to_string(),
        access: access(&options, named, &flows, &option),
        depth: small(&["iodepth"], named.depth),
        jobs: small(&["numjobs"], named.jobs),
        began_ms: if began > 0 { began } else { ended.saturating_sub(elapsed.saturating_mul(1000)) },
        seconds,
        flows,
        cpu_percent: number(job, "usr_cpu").zip(number(job, "sys_cpu")).map(|(user, system)| [user, system]),
        conditions: Conditions {
            target: option(&["filename", "directory"]).unwrap_or_default(),
            engine: option(&["ioengine"]),
            direct: option(&["direct"]).map(|t| t.trim() != "0"),
            span: option(&["size"]).and_then(|t| size(&t)),
            by: text(document.get("fio version")).unwrap_or_default(),
            host: text(job.get("hostname")).unwrap_or_default(),
            ..Conditions::default()
        },
        grade: document
            .get("fathom")
            .and_then(|own| own.get("grade")?.as_str())
            .and_then(stats::Grade::from_letter),
        ranges,
        name,
        ..Measured::default()
    };
    // Errors that `continue_on_error` ignores are counted; an error that still ended the job is not.
    let failed = count(job, "total_err");
    let goes_on = option(&["continue_on_error"]).is_some_and(|t| t != "none" && t != "0");
    let errors = Errors { ended: error > 0 && !(goes_on && failed > 0), ios: failed };
    Some(Entry { group: count(job, "groupid"), errors, options, measured })
}

/// Returns a size in bytes as fio reads it; `None` for a percentage of the file.
fn size(text: &str, options: &Map<String, Value>) -> Option<u64> {
    let base = if options.get("kb_base").and_then(Value::as_str) == Some("1000") { 1000 } else { 1024 };
    let read = job::unit::integer(text.trim(), base).ok().filter(|n| !n.rest.starts_with('%'))?;
    u64::try_from(read.value).ok()
}

/// Returns the access pattern according to the options, else the file names, else fio's default if the figures fit it.
fn access(
    options: &Map<String, Value>,
    named: &Named,
    flows: &[Flow],
    option: &dyn Fn(&[&str]) -> Option<String>,
) -> Access {
    let only = |d: Direction| flows.iter().all(|f| f.direction == d);
    let given = option(&["rw", "readwrite"]).and_then(|t| file_names::pattern(&t));
    let mut rw = given.unwrap_or_else(|| named.access.rw.clone());
    if rw.is_empty() && !options.is_empty() && only(Direction::Read) {
        rw = "read".to_string();
    }
    // Sizes of reads, writes and trims; a missing one is that of the direction before.
    let several = |text: String| -> Option<u64> {
        let sizes: Vec<Option<u64>> = text.split(',').map(|t| size(t, options)).collect();
        let of = |d: Direction| (0..=d as usize).rev().find_map(|at| sizes.get(at).copied().flatten());
        let mut used = flows.iter().map(|f| of(f.direction));
        let first = used.next()??;
        used.all(|other| other == Some(first)).then_some(first)
    };
    let drawn = option(&["bssplit", "bsrange", "blocksize_range"]).is_some();
    let by_default = |bs: u64| flows.iter().all(|f| f.ios.checked_mul(bs) == Some(f.bytes));
    let bs = match option(&["bs", "blocksize"]) {
        _ if drawn => 0,
        Some(text) => several(text).unwrap_or(0),
        None if named.access.bs > 0 => named.access.bs,
        None if !options.is_empty() && by_default(4096) => 4096,
        None => 0,
    };
    let mixed = rw == "rw" || rw == "randrw";
    let reads = option(&["rwmixread"]).and_then(|t| t.trim().parse().ok());
    let writes = option(&["rwmixwrite"]).and_then(|t| t.trim().parse::<u32>().ok());
    let reads = reads.or(writes.map(|w| 100 - w.min(100))).or(named.access.reads);
    let default = (!options.is_empty()).then_some(50);
    let every = |name: &str| option(&[name]).and_then(|t| t.trim().parse().ok()).unwrap_or(0);
    let sync = WriteSync::of(every("fsync"), every("fdatasync")).filter(|_| rw.contains("w"));
    Access { rw, bs, reads: if mixed { reads.or(default) } else { None }, sync }
}

fn flow(direction: Direction, object: &Map<String, Value>, ranges: Option<LatencyRanges>) -> Flow {
    let ios = count(object, "total_ios");
    let iops = number(object, "iops").unwrap_or(0.0).max(0.0);
    let rate =
        number(object, "bw_bytes").unwrap_or_else(|| number(object, "bw").unwrap_or(0.0) * 1024.0).max(0.0);
    let mut bytes = count(object, "io_bytes");
    if !object.contains_key("io_kbytes") {
        // Before version 3, fio printed KiB under the same name: rate and runtime show which unit is meant.
        let moved = rate * number(object, "runtime").unwrap_or(0.0) / 1000.0;
        let kib = bytes.saturating_mul(1024);
        if (kib as f64 - moved).abs() < (bytes as f64 - moved).abs() {
            bytes = kib;
        }
    }
    let latency = |new: &str, old: &str| {
        let object_of = |key: &str| object.get(key).and_then(Value::as_object);
        object_of(new).map(|o| (o, 1.0)).or_else(|| object_of(old).map(|o| (o, 1000.0)))
    };
    let spread = |new, old| latency(new, old).and_then(|(object, unit)| spread(object, unit, ios));
    let mut clat = spread("clat_ns", "clat");
    if let Some(clat) = clat.as_mut().filter(|c| c.histogram.is_none()) {
        clat.ranges = ranges;
    }
    Flow {
        direction,
        ios,
        bytes,
        iops: Estimate { value: iops, low: iops, high: iops },
        bytes_per_second: rate,
        slat: spread("slat_ns", "slat"),
        clat,
        lat: spread("lat_ns", "lat"),
        ..Flow::default()
    }
}

/// Reads a latency distribution; `unit` is the number of nanoseconds per unit of its values.
fn spread(object: &Map<String, Value>, unit: f64, ios: u64) -> Option<Spread> {
    let n = if object.contains_key("N") { count(object, "N") } else { ios };
    let ns = |key: &str| number(object, key).unwrap_or(0.0).max(0.0) * unit;
    // Older versions print zeros for latencies that were not measured.
    if n == 0 || (!object.contains_key("N") && ns("max") == 0.0) {
        return None;
    }
    let mut quantiles: Vec<Quantile> = Vec::new();
    for (key, value) in object.get("percentile").and_then(Value::as_object).into_iter().flatten() {
        let percent = key.parse().ok().filter(|p: &f64| *p > 0.0 && *p <= 100.0);
        if let Some((percent, value)) = percent.zip(value.as_f64().filter(|v| v.is_finite() && *v >= 0.0)) {
            quantiles.push(Quantile { percent, ns: value * unit, between: None });
        }
    }
    quantiles.sort_by(|a, b| a.percent.total_cmp(&b.percent));
    let histogram = object.get("bins").and_then(Value::as_object).filter(|b| !b.is_empty()).map(|bins| {
        let mut all = Histogram::default();
        for (key, n) in bins {
            if let Some((value, n)) = key.parse::<u64>().ok().zip(n.as_u64()) {
                all.record(value.saturating_mul(unit as u64), n.min(MOST_PER_BUCKET));
            }
        }
        all
    });
    Some(Spread {
        n,
        min_ns: ns("min"),
        mean_ns: ns("mean"),
        max_ns: ns("max"),
        stddev_ns: ns("stddev"),
        quantiles,
        histogram,
        ranges: None,
    })
}

/// Returns fio's coarse latency ranges, which cover all directions together.
fn ranges(job: &Map<String, Value>) -> Option<LatencyRanges> {
    let table = |key: &str| job.get(key).and_then(Value::as_object);
    if table("latency_us").is_none() && table("latency_ms").is_none() {
        return None;
    }
    let at = |key: &str, label: &str| table(key).and_then(|t| number(t, label)).unwrap_or(0.0).max(0.0);
    let row = |key: &str| RANGE_LABELS.map(|label| at(key, &label.to_string()));
    let (ns, us, low) = (row("latency_ns"), row("latency_us"), row("latency_ms"));
    let mut ms = [0.0; 12];
    ms[..10].copy_from_slice(&low);
    ms[10] = at("latency_ms", "2000");
    ms[11] = at("latency_ms", ">=2000");
    let ranges = LatencyRanges { ns, us, ms, below_2_us: ns.iter().sum::<f64>() + us[0] };
    let known: f64 = ns.iter().chain(&us).chain(&ms).sum();
    (known > 0.0).then_some(ranges)
}
