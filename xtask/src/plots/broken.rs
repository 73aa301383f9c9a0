//! Malformed and unusual inputs, and the results of fio-plot, fio2gnuplot and fathom for them.

use super::theirs::{Theirs, end};
use anyhow::Result;
use report::Lang;
use report::chart;
use report::words::import as words;
use std::process::Command;
use std::time::Duration;
use testbed::Sandbox;
use testbed::child;

/// Malformed or unusual input, and the result of each tool.
pub struct Case {
    pub input: &'static str,
    pub theirs: String,
    pub ours: String,
    /// Whether fathom's result is right: at least the expected number of charts, or a refusal on one line.
    pub right: bool,
}

type File = (String, String);

/// Returns a result of fio with `reads` reads.
fn result(options: &str, reads: u64) -> String {
    let latency = match reads {
        0 => r#"{"min":0,"max":0,"mean":0.0,"stddev":0.0,"N":0}"#.to_string(),
        n => format!(r#"{{"min":100,"max":900,"mean":200.0,"stddev":7.0,"N":{n}}}"#),
    };
    let side = |n: u64| {
        format!(
            r#"{{"io_bytes":{0},"io_kbytes":{1},"bw_bytes":{0},"bw":{1},"iops":{n}.0,"iops_stddev":1.0,"runtime":1000,"total_ios":{n},"slat_ns":{latency},"clat_ns":{latency},"lat_ns":{latency}}}"#,
            n * 4096,
            n * 4
        )
    };
    let ranges = r#""latency_ns":{"250":100.0},"latency_us":{"2":0.0},"latency_ms":{"2":0.0,">=2000":0.0}"#;
    format!(
        "{{\n\"fio version\":\"fio-3.33\",\"timestamp\":1795398803,\"jobs\":[{{\"jobname\":\"j\",\"groupid\":0,\"error\":0,\"elapsed\":1,\"job options\":{{{options}}},\"read\":{},\"write\":{},{ranges},\"usr_cpu\":1.0,\"sys_cpu\":1.0}}]\n}}\n",
        side(reads),
        side(0)
    )
}

fn cell(depth: u32, jobs: u32) -> String {
    format!(r#""rw":"randread","bs":"4k","iodepth":"{depth}","numjobs":"{jobs}""#)
}

fn cells(all: &[(u32, u32)]) -> Vec<File> {
    all.iter().map(|(d, n)| (format!("randread-{d}-{n}.json"), result(&cell(*d, *n), 100))).collect()
}

fn log(kind: &str, lines: &str) -> Vec<File> {
    vec![(format!("randread-iodepth-1-numjobs-1_{kind}.1.log"), lines.to_string())]
}

/// Returns all cases, each run with both tools.
pub fn all(theirs: &Theirs) -> Result<Vec<Case>> {
    let many: String = (1..=20).map(|k| format!("{}, 1, 0, 4096, 0\n", k * 50)).collect();
    let with = |mut files: Vec<File>, more: Vec<File>| {
        files.extend(more);
        files
    };
    let whole = || cells(&[(1, 1)]);
    let cases: Vec<(&'static str, Vec<File>, &str, usize)> = vec![
        ("a cell of the grid is missing", cells(&[(1, 1), (1, 2), (2, 1)]), "-L -t iops -d 1 2 -n 1 2", 9),
        (
            "two files of one cell",
            with(
                cells(&[(1, 1), (1, 2), (2, 1), (2, 2)]),
                vec![("again.json".into(), result(&cell(1, 1), 50))],
            ),
            "-L -t iops -d 1 2 -n 1 2",
            9,
        ),
        (
            "no iodepth and numjobs in the options",
            vec![("randread-1-1.json".into(), result(r#""rw":"randread","bs":"4k""#, 100))],
            "-l -d 1 -n 1",
            2,
        ),
        (
            "no bs in the options",
            vec![("randread-1-1.json".into(), result(r#""rw":"randread","iodepth":"1","numjobs":"1""#, 100))],
            "-l -d 1 -n 1",
            2,
        ),
        (
            "no options at all",
            vec![("randread-1-1.json".into(), result("", 100).replace("\"job options\":{},", ""))],
            "-l -d 1 -n 1",
            2,
        ),
        (
            "an error line before the JSON",
            vec![(
                "randread-1-1.json".into(),
                format!("fio: pid=1, err=5/file:x\n{}", result(&cell(1, 1), 100)),
            )],
            "-l -d 1 -n 1",
            2,
        ),
        ("no I/O at all", vec![("randread-1-1.json".into(), result(&cell(1, 1), 0))], "-l -d 1 -n 1", 0),
        ("an empty result file", vec![("randread-1-1.json".into(), String::new())], "-l -d 1 -n 1", 0),
        (
            "a log with one line",
            with(whole(), log("iops", "1000, 250, 0, 0, 0\n")),
            "-g -t iops -d 1 -n 1",
            1,
        ),
        (
            "a log with a gap of 4.7 s",
            with(
                whole(),
                log(
                    "lat",
                    "100, 5, 0, 0, 0\n200, 5, 0, 0, 0\n300, 5, 0, 0, 0\n5000, 9, 0, 0, 0\n5100, 9, 0, 0, 0\n",
                ),
            ),
            "-g -t lat -d 1 -n 1",
            1,
        ),
        (
            "a log with one line per I/O (log_avg_msec unset)",
            with(whole(), log("iops", &many)),
            "-g -t iops -d 1 -n 1",
            1,
        ),
        (
            "a header line in a log",
            with(whole(), log("iops", "# time, value\n1000, 250, 0, 0, 0\n2000, 250, 0, 0, 0\n")),
            "-g -t iops -d 1 -n 1",
            1,
        ),
        (
            "runs appended to one log (per_job_logs=0)",
            with(
                whole(),
                log("iops", "1000, 10, 0, 0, 0\n2000, 10, 0, 0, 0\n1000, 30, 0, 0, 0\n2000, 30, 0, 0, 0\n"),
            ),
            "-g -t iops -d 1 -n 1",
            4,
        ),
        ("an empty log", with(whole(), log("iops", "")), "-g -t iops -d 1 -n 1", 0),
    ];
    cases.into_iter().map(|(input, files, args, least)| case(theirs, input, &files, args, least)).collect()
}

fn case(theirs: &Theirs, input: &'static str, files: &[File], args: &str, least: usize) -> Result<Case> {
    let place = Sandbox::new()?;
    for (name, text) in files {
        place.put(name, text)?;
    }
    let path = place.path().to_path_buf();
    let ran = theirs.plotted(&[&path], "randread", "read", args)?;
    let drew = |how: &str| format!("fio-plot draws {how}");
    let points = ran.stdout.lines().filter(|l| l.starts_with("DRAWN")).count();
    let mut said =
        if ran.code == Some(0) && points > 0 { drew("it") } else { format!("fio-plot {}", end(&ran)) };
    if input.contains("two files") && ran.code == Some(0) {
        said = drew("the rest of the row shifted by one column");
    } else if input.contains("no I/O") && ran.code == Some(0) {
        said = drew("bars of height 0");
    } else if input.contains("one line per I/O") {
        said = drew("the value 1 twenty times, as if it were the rate");
    } else if input.contains("gap") && ran.code == Some(0) {
        said = drew("a line across the gap");
    } else if input.contains("appended") && ran.code == Some(0) {
        said = drew("one line that goes back in time");
    }
    if input.contains("log") {
        let ran = child::run(
            Command::new("fio2gnuplot").current_dir(&path).args(["-i", "-o", "drawn", "-k"]),
            Duration::from_secs(60),
        )?;
        if files.iter().any(|(name, _)| name.contains("_iops")) && ran.code != Some(0) {
            said = format!("{said}; fio2gnuplot {}", end(&ran));
        }
    }
    let logs = input.contains("log");
    let wanted: Vec<_> = files
        .iter()
        .map(|(name, _)| place.join(name))
        .filter(|p| !logs || p.extension().is_some_and(|e| e == "log"))
        .collect();
    let hide = |text: String| text.replace(&*path.to_string_lossy(), "DIR");
    let (ours, count) = match import::read(&wanted) {
        Ok(found) => {
            let mut charts = chart::files::grids(&found.measured, Lang::En);
            charts.extend(chart::load::charts(&found.measured, Lang::En));
            charts.extend(chart::files::over_time(&found.tracks, &found.histograms, Lang::En));
            let notes: Vec<String> = found
                .notes
                .iter()
                .map(|(p, note)| hide(format!("; {}: {}", p.display(), words::remark(Lang::En, note))))
                .collect();
            (format!("charts: {}{}", charts.len(), notes.concat()), charts.len())
        }
        Err(error) => (format!("refused: `{}`", hide(words::error(Lang::En, &error))), 0),
    };
    let right =
        if least == 0 { ours.starts_with("refused: ") && !ours.contains('\n') } else { count >= least };
    Ok(Case { input, theirs: said, ours, right })
}
