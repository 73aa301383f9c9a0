//! Status lines during a run.

use crate::catalog::say;
use crate::scale::{self, Base, number};
use crate::{Lang, fit};
use stats::Live;
use stats::study::{Access, Question};
use std::time::Duration;

/// Returns fio's ETA line, without the carriage return: `Jobs: 1 (f=1): [r(1)][50.0%][r=4004KiB/s][r=1001 IOPS][eta
/// 00m:03s]`. In the first seconds, while nothing can be determined, fio shows only the part before the colon.
pub fn eta_line(l: &Live) -> String {
    let head = format!("Jobs: {} (f={})", l.running, l.open_files);
    if l.percent.is_none() && l.eta_s.is_none() && l.bytes_per_second == [0; 3] {
        return head;
    }
    let percent = l.percent.map_or("-.-%".to_string(), |p| format!("{:.1}%", p.clamp(0.0, 100.0)));
    let letters = ["r", "w", "t"];
    // fio names a direction once a byte was transferred in it.
    let rates = |figure: &dyn Fn(usize) -> String| {
        let moving = (0..3).filter(|d| l.iops[*d] > 0 || l.bytes_per_second[*d] > 0);
        moving.map(|d| format!("{}={}", letters[d], figure(d))).collect::<Vec<_>>().join(",")
    };
    let bytes = rates(&|d| format!("{}B/s", number(l.bytes_per_second[d], 4, Base::Binary)));
    let iops = rates(&|d| number(l.iops[d], 4, Base::Decimal));
    let rates = if bytes.is_empty() { String::new() } else { format!("[{bytes}][{iops} IOPS]") };
    let eta = l.eta_s.map_or(String::new(), |s| format!("[eta {}]", clock(s)));
    format!("{head}: [{}][{percent}]{rates}{eta}", run_lengths(&l.letters))
}

/// Returns the run-length form of state letters: `rrrwP` becomes `r(3),w(1),P(1)`.
fn run_lengths(letters: &str) -> String {
    let mut runs: Vec<(char, u32)> = Vec::new();
    for c in letters.chars() {
        match runs.last_mut() {
            Some((last, n)) if *last == c => *n += 1,
            _ => runs.push((c, 1)),
        }
    }
    runs.iter().map(|(c, n)| format!("{c}({n})")).collect::<Vec<_>>().join(",")
}

/// Returns a duration as `00m:03s`, `01h:02m:03s` or `4d:01h:02m:03s`.
fn clock(seconds: u64) -> String {
    let (d, h, m, s) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    match (d, h) {
        (0, 0) => format!("{m:02}m:{s:02}s"),
        (0, h) => format!("{h:02}h:{m:02}m:{s:02}s"),
        (d, h) => format!("{d}d:{h:02}h:{m:02}m:{s:02}s"),
    }
}

/// Returns the line about the scratch file that a check is writing.
pub fn filling(lang: Lang) -> String {
    say!(lang, "live-filling")
}

/// Returns the line about the question that a study is measuring: `/dev/sda: measuring depth of 4k randread, 40 s
/// left`.
pub fn asking(lang: Lang, question: Question, access: &Access, target: &str, left_s: f64) -> String {
    let (question, pattern) = (crate::labels::question(lang, question), crate::labels::pattern(access));
    say!(lang, "live-asking", question, pattern, target, left_s = format!("{left_s:.0}"))
}

/// Returns the line about writing files before a run, `done` of `total` bytes: `a: writing files before the run, 5 of
/// 10 MiB`.
pub fn preparing(lang: Lang, what: &str, done: u64, total: u64) -> String {
    let (done, total) = (done >> 20, total >> 20);
    say!(lang, "live-preparing", what, done, total)
}

/// Returns the line cut to `width` columns, with `…` in the last column if it was cut.
pub fn cut(line: &str, width: usize) -> String {
    fit(line, width)
}

/// Returns fathom's status line without a line end: job, progress and current rates.
pub fn status_line(lang: Lang, what: &str, l: &Live) -> String {
    let mut parts = vec![what.to_string()];
    if let Some(p) = l.percent {
        parts.push(format!("{:3.0} %", p.clamp(0.0, 100.0)));
    }
    for (d, name) in ["read", "write", "trim"].iter().enumerate() {
        if l.iops[d] > 0 || l.bytes_per_second[d] > 0 {
            let (iops, bytes) = (scale::short(l.iops[d] as f64), scale::bytes(l.bytes_per_second[d]));
            parts.push(format!("{} {iops} IOPS {bytes}/s", crate::terms::direction(lang, name)));
        }
    }
    parts.push(elapsed(lang, l));
    parts.join("  ")
}

/// Returns the time since the start, and the remaining time if it is known.
pub(crate) fn elapsed(lang: Lang, l: &Live) -> String {
    let spent = Duration::from_millis(l.elapsed_ms).as_secs();
    match l.eta_s {
        Some(left) => say!(lang, "live-elapsed-and-left", spent, left),
        None => format!("{spent} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests lines against the output of fio 3.33, without fio's padding.
    #[test]
    fn eta_lines_are_fios() {
        let l = Live {
            letters: "mm_".into(),
            running: 2,
            open_files: 2,
            bytes_per_second: [8008 << 10, 1842 << 20, 0],
            iops: [2002, 471_300, 0],
            percent: Some(44.44),
            eta_s: Some(5),
            elapsed_ms: 4000,
            detail: None,
        };
        let line =
            "Jobs: 2 (f=2): [m(2),_(1)][44.4%][r=8008KiB/s,w=1842MiB/s][r=2002,w=471k IOPS][eta 00m:05s]";
        assert_eq!(eta_line(&l), line);
        let ramp = Live { letters: "/P".into(), running: 1, eta_s: Some(7), ..Live::default() };
        assert_eq!(eta_line(&ramp), "Jobs: 1 (f=0): [/(1),P(1)][-.-%][eta 00m:07s]");
        let first = Live { running: 1, open_files: 1, letters: "r".into(), ..Live::default() };
        assert_eq!(eta_line(&first), "Jobs: 1 (f=1)");
        assert_eq!([3, 3723, 400_356_211].map(clock), ["00m:03s", "01h:02m:03s", "4633d:18h:03m:31s"]);
    }

    #[test]
    fn status_line_fits() {
        let l = Live {
            bytes_per_second: [50_400_000, 0, 0],
            iops: [12_300, 0, 0],
            percent: Some(42.0),
            eta_s: Some(11),
            elapsed_ms: 8900,
            ..Live::default()
        };
        assert_eq!(
            status_line(Lang::En, "4k random read, depth 32", &l),
            "4k random read, depth 32   42 %  read 12.3k IOPS 50.4 MB/s  8 s elapsed, 11 s left"
        );
        for width in 0..90 {
            let line = cut(&status_line(Lang::En, "4k random read, depth 32", &l), width);
            assert!(line.chars().count() <= width);
        }
    }
}
