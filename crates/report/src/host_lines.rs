//! Lines about the hosts of a check, a workload or a study.

use crate::Lang;
use crate::catalog::say;
use crate::scale::short;
use stats::QuickRow;
use stats::hosts::most_uneven;

/// Names of hosts in a line about all of them.
const NAMED: usize = 8;

fn named(names: &[String]) -> String {
    let more = if names.len() > NAMED { ", ..." } else { "" };
    names[..names.len().min(NAMED)].join(", ") + more
}

/// Returns that these hosts ran the jobs of a check or of a workload simultaneously; `None` for one machine.
pub(crate) fn together(lang: Lang, names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| say!(lang, "hosts-simultaneously", count = names.len(), names = named(names)))
}

/// Returns that each of these hosts ran a whole workload; `None` for one machine.
pub(crate) fn each(lang: Lang, names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| say!(lang, "hosts-each", count = names.len(), names = named(names)))
}

/// Returns that these hosts load the target of a study together; `None` for one machine.
pub(crate) fn together_in_study(lang: Lang, names: &[String]) -> Option<String> {
    (!names.is_empty())
        .then(|| say!(lang, "hosts-loading-together", count = names.len(), names = named(names)))
}

/// Returns the slowest and the fastest host in the most uneven row; `None` if all are even.
pub(crate) fn uneven(lang: Lang, names: &[String], rows: &[QuickRow]) -> Option<String> {
    let found = most_uneven(rows.iter().map(|row| (row.host_iops.as_slice(), row.runtime_ms as f64 / 1e3)))?;
    let [slowest, fastest] = [found.slowest, found.fastest].map(|host| names.get(host).map(String::as_str));
    let ([low, high], index) = (found.rates.map(short), format!("{:.2}", found.fairness));
    let row = rows.get(found.row)?.name();
    Some(say!(lang, "hosts-uneven", index, row, slowest = slowest?, low, fastest = fastest?, high))
}
