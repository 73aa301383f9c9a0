//! The result of a load on object storage.

use crate::catalog::{say, word};
use crate::hosts::HostRates;
use crate::scale::{bytes, megabytes, seconds, short, time};
use crate::{Grid, Lang, export, fill, lay, prose_width};
use lab::objects::{ObjectLoad, ObjectProgress, largest};
use stats::object_load::{ObjectEnd, ObjectOperation, ObjectResult, ObjectRow};

/// Returns the result in lines of at most `width` columns, newline at the end.
pub fn render(lang: Lang, result: &ObjectResult, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = fill("", &title(lang, result), width);
    if !result.hosts.is_empty() {
        lines.extend(hosts_table(lang, result, width));
    }
    lines.push(String::new());
    lines.extend(table(lang, result, &result.rows, width));
    for of in &result.endpoints {
        lines.push(String::new());
        lines.extend(fill("", &of.endpoint, width));
        lines.extend(table(lang, result, &of.rows, width));
    }
    if !result.endpoints.is_empty() {
        lines.push(String::new());
    }
    for note in notes(lang, result) {
        lines.extend(fill("", &note, width));
    }
    lay(&lines)
}

fn table(lang: Lang, result: &ObjectResult, of: &[ObjectRow], width: usize) -> Vec<String> {
    let mut rows = vec![
        [
            word!(lang, "objects-column-operation"),
            word!(lang, "objects-column-rate"),
            "MB/s",
            word!(lang, "objects-column-first-median"),
            word!(lang, "objects-column-first-p99"),
            word!(lang, "objects-column-last-median"),
            word!(lang, "objects-column-last-p99"),
            word!(lang, "objects-column-errors"),
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    rows.extend(of.iter().map(|row| cells(result, row)));
    Grid { keys: 1, to_right: |column| column > 0, gap: 2 }.lines(&rows, width)
}

/// Returns the lines about the hosts of a sum: requests per second.
fn hosts_table(lang: Lang, result: &ObjectResult, width: usize) -> Vec<String> {
    let operations: Vec<ObjectOperation> = result.rows.iter().map(|row| row.operation).collect();
    let rate = |of: &ObjectResult, column: usize| {
        let row = of.rows.iter().find(|row| Some(&row.operation) == operations.get(column))?;
        Some(of.rate(row))
    };
    HostRates {
        hosts: &result.hosts,
        together: result,
        columns: operations.iter().map(|operation| operation.name()).collect(),
        rate: &rate,
        fairness: &|column| result.fairness(*operations.get(column)?),
        grade: &ObjectResult::grade,
    }
    .lines(lang, width)
}

/// Returns the result as one JSON document, newline at the end.
pub fn json(result: &ObjectResult) -> String {
    export::json(result)
}

/// Returns that the target is none of objects.
pub fn no_target(lang: Lang, target: &str) -> String {
    say!(lang, "objects-target", target)
}

/// Returns that `--allow-destroy` names another target.
pub fn other_consent(lang: Lang, consent: &str, target: &str) -> String {
    say!(lang, "objects-other-consent", consent, target)
}

/// Returns the names of the objects on which jobs run.
pub fn scratch_named(lang: Lang, scratch: &str) -> String {
    say!(lang, "objects-scratch-named", scratch)
}

/// Returns the progress of a load for one line.
pub fn measuring(lang: Lang, progress: &ObjectProgress) -> String {
    match progress.elapsed {
        None => say!(lang, "objects-preparing", count = progress.prepared),
        Some(elapsed) => {
            let rate = progress.requests as f64 / elapsed.as_secs_f64().max(1e-3);
            say!(lang, "objects-measuring", count = progress.requests, rate = short(rate))
        }
    }
}

/// Returns what a load would do, in lines of at most `width` columns, newline at the end.
pub fn plan(lang: Lang, load: &ObjectLoad, width: usize) -> String {
    let count = load.prepared;
    let (target, servers) = (load.place.target(), load.place.servers().join(", "));
    let most = bytes(largest(&load.sizes));
    let text = say!(lang, "objects-plan", count, most, target, servers);
    lay(&fill("", &text, prose_width(width)))
}

fn title(lang: Lang, result: &ObjectResult) -> String {
    let concurrency = result.concurrency as u64;
    let target = match result.servers.is_empty() {
        true => result.target.clone(),
        false => format!("{} ({})", result.target, result.servers.join(", ")),
    };
    let (prefixes, took) = (u64::from(result.prefixes), seconds(result.seconds));
    say!(lang, "objects-title", target = target.as_str(), concurrency, prefixes, took = took.as_str())
}

fn cells(result: &ObjectResult, row: &ObjectRow) -> Vec<String> {
    let moves = matches!(row.operation, ObjectOperation::Put | ObjectOperation::Get);
    let quantile = |times: &stats::Histogram, percent: f64| {
        times.quantile(percent).map_or_else(|| "-".to_owned(), |nanos| time(nanos as f64))
    };
    vec![
        row.operation.name().into(),
        short(result.rate(row)),
        if moves { megabytes(result.bandwidth(row) as u64) } else { "-".into() },
        quantile(&row.first_byte, 50.0),
        quantile(&row.first_byte, 99.0),
        quantile(&row.last_byte, 50.0),
        quantile(&row.last_byte, 99.0),
        row.failed().to_string(),
    ]
}

fn notes(lang: Lang, result: &ObjectResult) -> Vec<String> {
    let mut notes = Vec::new();
    match &result.end {
        ObjectEnd::Duration => {}
        ObjectEnd::Signal => notes.push(word!(lang, "objects-end-signal").into()),
        ObjectEnd::Failures(error) => {
            notes.push(say!(lang, "objects-end-failures", error = error.as_str()));
        }
    }
    for wrong in &result.mismatches {
        notes.push(say!(lang, "objects-mismatch", key = wrong.key.as_str(), offset = wrong.offset));
    }
    for row in &result.rows {
        for (code, count) in &row.errors {
            let operation = row.operation.name();
            notes.push(say!(lang, "objects-errors", operation, count = *count, code = code.as_str()));
        }
    }
    for row in result.rows.iter().filter(|row| row.server.count() > 0) {
        if let Some(median) = row.server.quantile(50.0) {
            let (operation, median) = (row.operation.name(), time(median as f64));
            notes.push(say!(lang, "objects-server-time", operation, median = median.as_str()));
        }
    }
    if result.reconnects > 0 {
        notes.push(say!(lang, "objects-reconnects", count = result.reconnects));
    }
    if result.prepared.objects > 0 {
        let (count, size) = (result.prepared.objects, bytes(result.prepared.bytes));
        let took = seconds(result.prepared.seconds);
        notes.push(say!(lang, "objects-prepared", count, size = size.as_str(), took = took.as_str()));
    }
    if let Some(part) = result.part {
        notes.push(say!(lang, "objects-part", size = bytes(part)));
    }
    notes.push(say!(lang, "objects-scratch", scratch = result.scratch.as_str(), count = result.removed));
    if result.leftovers > 0 {
        notes.push(say!(lang, "objects-leftovers", count = result.leftovers));
    }
    if let Some(why) = &result.not_removed {
        let run = &result.run;
        notes.push(say!(lang, "objects-not-removed", run = run.as_str(), why = why.as_str()));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::objects::error;
    use lab::objects::ObjectLoadError;
    use stats::object_load::{ObjectEndpoint, ObjectMismatch, ObjectMix, ObjectSizes, Prepared};

    fn result() -> ObjectResult {
        let mut get = ObjectRow::new(ObjectOperation::Get);
        (get.requests, get.bytes) = (1000, 1_000_000_000);
        get.first_byte.record(2_000_000, 1000);
        get.last_byte.record(5_000_000, 1000);
        let mut list = ObjectRow::new(ObjectOperation::List);
        list.fail("SlowDown");
        list.fail("SlowDown");
        ObjectResult {
            version: "1".into(),
            target: "s3://bkt/p/".into(),
            servers: vec!["host:9000".into()],
            scratch: "s3://bkt/p/fathom-run-a-1-2-0/".into(),
            run: "a-1-2-0".into(),
            mix: ObjectMix { get: 9, list: 1, ..ObjectMix::default() },
            sizes: ObjectSizes::Fixed(1_000_000),
            concurrency: 16,
            prefixes: 4,
            seed: 1,
            prepared: Prepared { objects: 10, bytes: 10_000_000, seconds: 0.5 },
            seconds: 10.0,
            rows: vec![get, list],
            endpoints: Vec::new(),
            part: None,
            mismatches: Vec::new(),
            reconnects: 0,
            end: ObjectEnd::Duration,
            leftovers: 0,
            removed: 10,
            not_removed: None,
            hosts: Vec::new(),
        }
    }

    #[test]
    fn rows_have_rates_times_and_errors() {
        assert_eq!(
            render(Lang::En, &result(), 100),
            "s3://bkt/p/ (host:9000): 16 requests in flight, 4 prefixes, 10.0 s\n\
             \n\
             operation  requests/s  MB/s  first byte p50  first byte p99  last byte p50  last byte p99  errors\n\
             get               100   100         2.01 ms         2.01 ms        5.01 ms        5.01 ms       0\n\
             list                0     -               -               -              -              -       2\n\
             list: 2 requests failed: SlowDown\n\
             prepared: 10 objects of 10.0 MB in all, written in 0.5 s\n\
             objects of this run: s3://bkt/p/fathom-run-a-1-2-0/ (10 removed)\n"
        );
    }

    #[test]
    fn notes_name_what_ended_the_load_and_what_is_left() {
        let result = ObjectResult {
            end: ObjectEnd::Failures("connect: host: refused".into()),
            reconnects: 3,
            leftovers: 2,
            not_removed: Some("host: refused".into()),
            mismatches: vec![ObjectMismatch { key: "p/k7".into(), offset: 4711 }],
            part: Some(5 << 20),
            endpoints: vec![ObjectEndpoint { endpoint: "host:9000".into(), rows: result().rows }],
            ..result()
        };
        for lang in [Lang::En, Lang::De, Lang::Ru, Lang::Zh] {
            let text = render(lang, &result, usize::MAX);
            for part in ["connect: host: refused", "fathom-run-a-1-2-0/", "p/k7", "4711"] {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert!(!text.contains("objects-"), "{text}");
            for failure in [
                ObjectLoadError::NoBucket { bucket: "bkt".into() },
                ObjectLoadError::Foreign { first: "key".into() },
                ObjectLoadError::Mix,
                ObjectLoadError::Sizes,
                ObjectLoadError::NoList,
                ObjectLoadError::Parts,
            ] {
                assert!(!error(lang, &failure).contains("objects-"));
            }
        }
    }
}
