//! Results as data for other programs: one JSON document that reads back, or CSV whose header names the units.

use crate::labels::targets;
use crate::words::run::{job_error, row_error};
use crate::{Lang, terms, words};
use serde::Serialize;
use stats::note::NoteFact;
use stats::study::{Ended, Point, Study, Trend};
use stats::{JobOutcome, OutcomeRow, QuickCard, RunResult};

/// Returns the value as one JSON document, newline at the end.
pub fn json<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

/// Returns the value as one JSON document in which each finding also has rule, grade, and English text and advice, as in
/// the JSON of a run; newline at the end. Integers above 2^64, which a sum of squares may be, are rounded to 53 bits.
pub fn json_with_words<T: Serialize>(value: &T) -> String {
    let text = json(value);
    // By way of the text: a document does not hold integers above 2^64.
    let Ok(mut document) = serde_json::from_str(&text) else { return text };
    crate::json::add_words(&mut document);
    json(&document)
}

/// Returns a run as one JSON document with notes and errors of jobs in English, newline at the end.
pub fn run_json(result: &RunResult) -> String {
    let mut result = result.clone();
    for note in &mut result.notes {
        note.fact = NoteFact::Text(words::note::note(Lang::En, &note.fact));
    }
    for error in result.jobs.iter_mut().filter_map(|job| job.error.as_mut()) {
        (error.text, error.cause) = (job_error(Lang::En, error), None);
    }
    json(&result)
}

/// Returns the value as JSON in one line, without blanks.
pub fn compact<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"))
}

/// Returns the study as CSV with a header, one row per point.
pub fn study_csv(study: &Study) -> String {
    let names = targets(study);
    let mut text = String::from(
        "study,point,began_ms,question,target,rw,bs_bytes,reads_percent,iodepth,numjobs,span_bytes,setting,setting_value,\
         rest_s,seconds,cut_s,iops,iops_low,iops_high,bytes_per_second,slices,correlation,mean_ns,p50_ns,p99_ns,\
         p999_ns,util_percent,await_ms,queue,cpu_percent,ios,bytes,ended,trend,grade,findings,\
         independent_ios,p50_low_ns,p50_high_ns,p99_low_ns,p99_high_ns,p999_low_ns,p999_high_ns,sync\n",
    );
    for point in &study.points {
        let target = names.get(point.cell.target).cloned().unwrap_or_else(|| point.cell.target.to_string());
        line(&mut text, &of_point(study.id, &target, point));
    }
    text
}

fn of_point(study: i64, target: &str, p: &Point) -> Vec<String> {
    let cell = &p.cell;
    let setting = cell.setting.clone().unwrap_or_default();
    let ended = match p.ended {
        Ended::Enough => "enough",
        Ended::TimeUp => "time_up",
        Ended::Interrupted => "interrupted",
    };
    let trend = match p.trend {
        Trend::Level => "level",
        Trend::Drifts(_) => "drifts",
        Trend::Steps { .. } => "steps",
    };
    let ends = |between: Option<[u64; 2]>, end: usize| some(between.map(|b| b[end]));
    let tails = &p.tails;
    let rules: Vec<&str> = p.findings.iter().map(|f| f.claim.rule()).collect();
    vec![
        study.to_string(),
        p.ordinal.to_string(),
        p.began_ms.to_string(),
        p.question.name().into(),
        target.into(),
        cell.access.rw.clone(),
        cell.access.bs.to_string(),
        some(cell.access.reads),
        cell.depth.to_string(),
        cell.jobs.to_string(),
        some(cell.span),
        setting.0,
        setting.1,
        p.rest_s.to_string(),
        p.seconds.to_string(),
        p.cut_s.to_string(),
        p.iops.value.to_string(),
        p.iops.low.to_string(),
        p.iops.high.to_string(),
        p.bytes_per_second.to_string(),
        p.slices.to_string(),
        p.correlation.to_string(),
        p.mean_ns.to_string(),
        some(p.p50_ns),
        some(p.p99_ns),
        some(p.p999_ns),
        some(p.util_percent),
        some(p.await_ms),
        some(p.queue),
        p.cpu_percent.to_string(),
        p.ios.to_string(),
        p.bytes.to_string(),
        ended.into(),
        trend.into(),
        p.grade.letter().into(),
        rules.join(" "),
        tails.independent.to_string(),
        ends(tails.p50, 0),
        ends(tails.p50, 1),
        ends(tails.p99, 0),
        ends(tails.p99, 1),
        ends(tails.p999, 0),
        ends(tails.p999, 1),
        some(cell.access.sync),
    ]
}

/// Returns the run as CSV with a header, one row per entry of the report and direction. A job with syncs also has one
/// row for commits and one for syncs.
pub fn run_csv(result: &RunResult) -> String {
    let mut text = String::from(HEAD);
    for (at, job) in result.entries().iter().enumerate() {
        for row in job.rows() {
            line(&mut text, &of_job(at, &row, job));
        }
    }
    text
}

const HEAD: &str = "entry,name,direction,iodepth,depth_reached,iops,bytes_per_second,ios,bytes,runtime_ms,mean_ns,p50_ns,\
                    p99_ns,p999_ns,max_ns,error\n";

fn of_job(at: usize, row: &OutcomeRow<'_>, job: &JobOutcome) -> Vec<String> {
    let latency = row.latency;
    let any = latency.moments.n > 0;
    let quantile = |p| some(latency.percentile(p));
    vec![
        at.to_string(),
        job.name.clone(),
        terms::row_kind(Lang::En, row.kind).into(),
        job.iodepth.to_string(),
        job.depth_reached.to_string(),
        row.per_second.to_string(),
        some(row.bytes_per_second),
        row.n.to_string(),
        some(row.bytes),
        row.runtime_ms.to_string(),
        some(any.then(|| latency.moments.mean())),
        quantile(50.0),
        quantile(99.0),
        quantile(99.9),
        some(any.then(|| latency.moments.max())),
        job.error.as_ref().map_or(String::new(), |e| job_error(crate::Lang::En, e)),
    ]
}

/// Returns the check as CSV with a header, one row per pattern and direction. Columns that a check does not measure are
/// empty.
pub fn check_csv(card: &QuickCard) -> String {
    let mut text = String::from(HEAD);
    for (at, row) in card.rows.iter().enumerate() {
        let none = String::new;
        let cells = [
            at.to_string(),
            row.pattern.clone(),
            row.direction.name().into(),
            row.depth.to_string(),
            row.depth_reached.to_string(),
            row.iops.to_string(),
            row.bytes_per_second.to_string(),
            none(),
            none(),
            row.runtime_ms.to_string(),
            some(row.mean_ns),
            some(row.p50_ns),
            some(row.p99_ns),
            none(),
            none(),
            row.error.as_ref().map_or(String::new(), |e| row_error(crate::Lang::En, e)),
        ];
        line(&mut text, &cells);
    }
    text
}

fn some<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |v| v.to_string())
}

/// Appends a row of CSV (RFC 4180): cells with a comma, a quote or a newline are quoted.
pub(crate) fn line(text: &mut String, cells: &[String]) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            text.push_str(&format!("\"{}\"", cell.replace('"', "\"\"")));
        } else {
            text.push_str(cell);
        }
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without samples, the smallest one is null; what earlier versions wrote is read.
    #[test]
    fn smallest_of_no_samples_is_null_in_json() {
        let text = serde_json::to_string(&stats::Moments::default()).unwrap();
        assert_eq!(text, r#"{"n":0,"least":null,"most":0,"sum":0,"squares":0}"#);
        let earlier = text.replace("null", "18446744073709551615");
        for text in [text, earlier] {
            assert_eq!(serde_json::from_str::<stats::Moments>(&text).unwrap(), stats::Moments::default());
        }
        let mut one = stats::Moments::default();
        one.record(7, 1);
        let text = serde_json::to_string(&one).unwrap();
        assert!(text.contains(r#""least":7"#), "{text}");
        assert_eq!(serde_json::from_str::<stats::Moments>(&text).unwrap(), one);
    }

    #[test]
    fn a_name_with_commas_quotes_and_lines_is_one_cell() {
        let mut text = String::new();
        line(
            &mut text,
            &["a,b".into(), "say \"x\"".into(), "two\nlines".into(), String::new(), "plain".into()],
        );
        assert_eq!(text, "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,plain\n");
    }

    /// Also beside an integer that does not fit into 64 bits, such as a sum of squares.
    #[test]
    fn findings_have_their_words() {
        let claim = stats::finding::Claim::CpuContention { waited_percent: 31.0 };
        let text = json_with_words(&(u128::MAX, stats::finding::Finding::new(String::new(), claim)));
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(document[1]["text"].is_string() && document[1]["rule"].is_string(), "{text}");
    }
}
