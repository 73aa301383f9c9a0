//! Layout of a report: text with its figures masked, JSON with its keys, their order and the kinds of numbers.
use regex_lite::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// Patterns of lines that are present or not depending on the speed of the machine, each with its reason; at most six.
const COME_AND_GO: [(&str, &str); 3] = [
    (r"^  lat \((nsec|usec|msec)\) *: ", "one line per populated part of the latency distribution"),
    (r"^   bw \( *[kKMG]i?(B|bit)/s\): ", "only when the run was long enough for a sample (500 ms)"),
    (r"^   iops +: ", "only when the run was long enough for a sample (500 ms)"),
];

/// Keys that only fathom has.
const OWN_KEYS: [&str; 1] = ["fathom"];

/// Keys with values that the options determine.
const FIXED_KEYS: [&str; 4] = [".groupid", ".error", ".latency_target", ".latency_window"];

fn regex(pattern: &str) -> Regex {
    // The patterns are constants of this file: an invalid one fails in the first test.
    Regex::new(pattern).unwrap_or_else(|e| unreachable!("{pattern}: {e}"))
}

static GOING: LazyLock<Vec<Regex>> = LazyLock::new(|| COME_AND_GO.iter().map(|(p, _)| regex(p)).collect());
static PID: LazyLock<Regex> = LazyLock::new(|| regex(r"pid=\d+"));
static PERCENTILE: LazyLock<Regex> = LazyLock::new(|| regex(r"(\d+\.\d+)th=\[ *\d+\]"));
static MASKS: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    vec![
        (regex(r"pid=\d+: .*$"), "pid=#"),
        (regex(r"\d+(\.\d+)?"), "#"),
        (regex(r"#[KkMGTP]?i?B"), "#B"),
        (regex(r"#[KkMGTP]?i?bit"), "#bit"),
        (regex(r"#[kMGTP]\b"), "#"),
        (regex(r"\b(nsec|usec|msec)\b"), "T"),
        (regex(r"#(nsec|usec|msec)"), "#T"),
        (regex(r"= +#"), "=#"),
    ]
});

/// Returns whether a line precedes the first report. All of its text is determined by the options, including numbers.
fn is_preamble(line: &str, reported: bool) -> bool {
    !reported && !line.starts_with("fio-")
}

/// Returns the report with figures, prefixes and units masked, and each percentile table on one line.
pub fn mask(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut reported = false;
    for line in text.lines() {
        reported |= line.contains(": (groupid=");
        if is_preamble(line, reported) {
            let line = line.trim_end();
            out.push(if failed(line) { PID.replace(line, "pid=#").into_owned() } else { line.to_string() });
            continue;
        }
        if GOING.iter().any(|r| r.is_match(line)) {
            continue;
        }
        if line.starts_with("     |") {
            // The number of columns depends on the width of the figures, but the labels do not.
            let labels: Vec<&str> =
                PERCENTILE.captures_iter(line).filter_map(|c| Some(c.get(1)?.as_str())).collect();
            let labels = labels.join(" ");
            match out.last_mut() {
                Some(last) if last.starts_with("     |") => {
                    last.push(' ');
                    last.push_str(&labels);
                }
                _ => out.push(format!("     | {labels}")),
            }
            continue;
        }
        let masked =
            MASKS.iter().fold(line.to_string(), |l, (r, with)| r.replace_all(&l, *with).into_owned());
        out.push(masked);
    }
    // The messages of clones that fail at the same time have no fixed order.
    for run in out.chunk_by_mut(|a, b| failed(a) && failed(b)) {
        run.sort();
    }
    out
}

fn failed(line: &str) -> bool {
    line.starts_with("fio: pid=")
}

/// Returns the report without its lines about syncs, for jobs where chance decides whether there are syncs.
pub fn without_syncs(text: &str) -> String {
    let mut table = false;
    let mut kept = String::new();
    for line in text.lines() {
        let body = line.trim_start();
        let begins = body.starts_with("sync percentiles");
        let of_syncs = begins || body.starts_with("fsync/fdatasync/") || body.starts_with("sync (");
        table = begins || table && line.starts_with("     |");
        if !of_syncs && !table {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Returns the differences between two texts after masking.
pub fn text_differences(theirs: &str, ours: &str) -> Vec<String> {
    let (theirs, ours) = (mask(theirs), mask(ours));
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < theirs.len() || j < ours.len() {
        match (theirs.get(i), ours.get(j)) {
            (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
            (Some(a), b) => {
                // Find the nearest position from which both have an equal line again.
                let ahead = (0..12).flat_map(|n| (0..=n).map(move |k| (k, n - k))).find(|(di, dj)| {
                    (*di, *dj) != (0, 0)
                        && matches!((theirs.get(i + di), ours.get(j + dj)), (Some(x), Some(y)) if x == y && !x.is_empty())
                });
                let (di, dj) = ahead.unwrap_or((theirs.len() - i, ours.len() - j));
                let _ = (a, b);
                out.extend(theirs[i..i + di].iter().map(|l| format!("text: fio has    {l:?}")));
                out.extend(ours[j..j + dj].iter().map(|l| format!("text: fathom has {l:?}")));
                (i, j) = (i + di, j + dj);
            }
            (None, Some(b)) => {
                out.push(format!("text: fathom has {b:?}"));
                j += 1;
            }
            (None, None) => break,
        }
    }
    out
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(n) if n.is_f64() => "decimal",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// Adds the differences in keys, their order and their types, and in values that the options determine.
pub fn json_differences(theirs: &Value, ours: &Value, path: &str, out: &mut Vec<String>) {
    match (theirs, ours) {
        (Value::Object(a), Value::Object(b)) => {
            let own: Vec<&String> = b.keys().filter(|k| !OWN_KEYS.contains(&k.as_str())).collect();
            let their: Vec<&String> = a.keys().collect();
            if own != their {
                let missing: Vec<_> = their.iter().filter(|k| !own.contains(k)).collect();
                let more: Vec<_> = own.iter().filter(|k| !their.contains(k)).collect();
                out.push(match (missing.is_empty(), more.is_empty()) {
                    (true, true) => format!("json: {path}: other order: fio {their:?}, fathom {own:?}"),
                    _ => format!("json: {path}: missing {missing:?}, not fio's {more:?}"),
                });
            }
            for (key, value) in a {
                if let Some(other) = b.get(key) {
                    json_differences(value, other, &format!("{path}.{key}"), out);
                }
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                out.push(format!("json: {path}: {} entries, fathom {}", a.len(), b.len()));
            }
            for (i, (x, y)) in a.iter().zip(b).enumerate() {
                json_differences(x, y, &format!("{path}[{i}]"), out);
            }
        }
        (Value::String(a), Value::String(b)) => {
            let free = ["fio version", "time", "steadystate.criterion"].iter().any(|k| path.ends_with(k));
            if a != b && !free {
                out.push(format!("json: {path}: fio {a:?}, fathom {b:?}"));
            }
        }
        (Value::Number(a), Value::Number(b)) if FIXED_KEYS.iter().any(|k| path.ends_with(k)) && a != b => {
            out.push(format!("json: {path}: fio {a}, fathom {b}"));
        }
        _ if kind(theirs) != kind(ours) => {
            out.push(format!("json: {path}: fio a {}, fathom a {}", kind(theirs), kind(ours)));
        }
        _ => {}
    }
}

static JSON_FIGURE: LazyLock<Regex> = LazyLock::new(|| regex(r" : -?\d+(\.\d+)?"));
static JSON_LIST_FIGURE: LazyLock<Regex> = LazyLock::new(|| regex(r"^ *-?\d"));

/// Returns the first line of fio's JSON that fathom's JSON lacks in the same order; spaces, commas and the number of
/// decimals count.
pub fn json_line_differences(theirs: &str, ours: &str) -> Vec<String> {
    let masked = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|l| !JSON_LIST_FIGURE.is_match(l))
            .map(|l| {
                JSON_FIGURE
                    .replace_all(l, |c: &regex_lite::Captures<'_>| {
                        let decimals = c.get(1).map_or(0, |m| m.as_str().len() - 1);
                        format!(" : #{decimals}")
                    })
                    .into_owned()
            })
            // A key of fathom may follow the last one of fio's object, which then has a comma.
            .map(|l| l.trim_end_matches(',').to_string())
            .map(|l| {
                if l.contains("\"criterion\"") || l.contains("\"time\"") || l.contains("\"fio version\"") {
                    String::new()
                } else {
                    l
                }
            })
            .collect()
    };
    let ours = masked(ours);
    let mut at = 0;
    for line in masked(theirs) {
        if line.is_empty() {
            continue;
        }
        match ours[at..].iter().position(|l| *l == line) {
            Some(n) => at += n + 1,
            None => return vec![format!("json: no line {line:?} at its place")],
        }
    }
    Vec::new()
}
