//! The lines of a group of jobs at the end of fio's normal output: `READ: bw=..., io=..., run=...`.

use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult};

/// Lines between the last job and the lines of its group.
const REACH: usize = 40;

/// Adds the equalities of group lines to the results of the jobs above them.
pub(super) fn check(page: &TextPage, results: &mut [PrintedResult]) {
    let mut after = 0;
    for at in 0..page.lines.len() {
        let text = page.at(at).trim();
        if !text.starts_with("Run status group") {
            continue;
        }
        let number = page.lines[at].number;
        for row in at + 1..page.lines.len().min(at + 5) {
            let Some(group) = Group::of(page.at(row).trim()) else { break };
            let jobs = results.iter_mut().filter(|r| {
                r.tool == BenchmarkTool::Fio
                    && r.kind == group.kind
                    && (after..number).contains(&r.lines[0])
                    && number - r.lines[0] < 10 * REACH
            });
            for (nth, job) in jobs.enumerate() {
                if nth == 0 {
                    group.check(job);
                }
                group.check_range(job);
            }
        }
        after = number;
    }
}

/// Returns a number with the rounding of fio, which cuts some digits.
fn cut(n: PrintedNumber) -> PrintedNumber {
    PrintedNumber { half: 2.0 * n.half, ..n }
}

fn rate(text: &str, old: bool) -> Option<(PrintedNumber, &str)> {
    let number = if old { number::leading_grouped(text) } else { number::leading(text) };
    number::rate_of(number?, Base::Binary).map(|(n, rest)| (cut(n), rest))
}

/// Figures of one direction of a group, with bandwidths in bytes per second.
struct Group {
    kind: IoKind,
    bandwidth: PrintedNumber,
    /// The same in the other unit; `None` if not printed.
    spelt: Option<PrintedNumber>,
    amount: PrintedNumber,
    /// Shortest and longest time, seconds.
    seconds: Option<(PrintedNumber, PrintedNumber)>,
    /// Smallest and largest bandwidth of a job.
    range: Option<(PrintedNumber, PrintedNumber)>,
}

impl Group {
    fn of(text: &str) -> Option<Self> {
        let (word, rest) = text.split_once(':')?;
        let kind = match word.trim() {
            "READ" => IoKind::Read,
            "WRITE" => IoKind::Write,
            "TRIM" => IoKind::Trim,
            _ => return None,
        };
        let after = |key: &str| rest.split_once(key).map(|(_, value)| value.trim_start());
        let old = rest.contains("aggrb=");
        let time = |text: &str| number::time(text).map(|(n, _)| n.scaled(1e-9));
        if old {
            let amount = number::bytes_of(number::leading_grouped(after("io=")?)?, Base::Binary)?.0;
            let of = |key: &str| rate(after(key)?, old).map(|(n, _)| n);
            return Some(Group {
                kind,
                bandwidth: of("aggrb=")?,
                spelt: None,
                amount: cut(amount),
                seconds: time(after("mint=")?).zip(time(after("maxt=")?)),
                range: of("minb=").zip(of("maxb=")),
            });
        }
        let (bandwidth, tail) = rate(after("bw=")?, old)?;
        let spelt = tail.trim_start().strip_prefix('(').and_then(|t| number::rate(t, Base::Si));
        let mut parts = rest.split(", ");
        let range = parts.nth(1).and_then(|part| {
            let (low, tail) = rate(part, old)?;
            Some((low, rate(tail.strip_prefix('-')?, old)?.0))
        });
        let run = after("run=").and_then(|run| {
            // "60001-60001msec": the unit stands behind the second number.
            let (shortest, longest) = run.split_once('-')?;
            let longest = time(longest)?;
            Some((PrintedNumber { value: shortest.parse::<f64>().ok()? / 1e3, half: 1e-3 }, longest))
        });
        Some(Group {
            kind,
            bandwidth,
            spelt: spelt.map(|(n, _)| cut(n)),
            amount: cut(number::bytes(after("io=")?, Base::Binary)?.0),
            seconds: run,
            range,
        })
    }

    /// Adds what the line says of itself.
    fn check(&self, job: &mut PrintedResult) {
        let computed = self.seconds.and_then(|(_, longest)| self.amount.over(longest));
        if let Some(computed) = computed {
            job.check(AuditLaw::AmountOverTime, FigureUnit::BytesPerSecond, self.bandwidth, computed);
        }
        if let Some(spelt) = self.spelt {
            job.check(AuditLaw::Spellings, FigureUnit::BytesPerSecond, self.bandwidth, spelt);
        }
        // The text may leave jobs out, so one job has at most the amount of all.
        if let Some(amount) = job.amount {
            let room = PrintedNumber { half: self.amount.half + 0.02 * self.amount.value, ..self.amount };
            job.check_order(AuditLaw::Parts, FigureUnit::Bytes, amount, room);
        }
    }

    /// Adds that the bandwidth of a job is within the range of the group's jobs.
    fn check_range(&self, job: &mut PrintedResult) {
        // Of jobs reported as one, some versions print the range of the jobs.
        if job.jobs.is_some_and(|jobs| jobs > 1) {
            return;
        }
        let (Some((low, high)), Some(own)) = (self.range, job.bandwidth) else { return };
        let wide = |n: PrintedNumber| PrintedNumber { half: n.half + 0.03 * n.value, ..n };
        job.check_order(AuditLaw::Parts, FigureUnit::BytesPerSecond, own, wide(high));
        job.check_order(AuditLaw::Parts, FigureUnit::BytesPerSecond, wide(low), own);
    }
}
