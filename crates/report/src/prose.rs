//! Findings in words: what happened in this case, with its own numbers, and what to do next.

mod next;
mod what;

use crate::Lang;
use crate::catalog::word;
use crate::scale::{bytes, percent};
use stats::{Claim, Finding, Grade};

/// A grade in words.
pub fn grade(lang: Lang, grade: Grade) -> &'static str {
    match grade {
        Grade::Trusted => word!(lang, "finding-trusted"),
        Grade::Caveats => {
            word!(lang, "finding-caveats")
        }
        Grade::Conditions => word!(lang, "finding-conditions"),
        Grade::NotTheDevice => word!(lang, "finding-not-the-device"),
    }
}

/// The mistake's number, or its word.
pub fn rule(lang: Lang, claim: &Claim) -> &'static str {
    match claim.rule() {
        "memory" => word!(lang, "finding-rule-memory"),
        "errors" => word!(lang, "finding-rule-errors"),
        "end" => word!(lang, "finding-rule-end"),
        "stopped" => word!(lang, "finding-rule-stopped"),
        "size" => word!(lang, "finding-rule-size"),
        number => number,
    }
}

/// One line: `M4 (C) job: what; next`.
pub fn line(lang: Lang, finding: &Finding) -> String {
    let (what, next) = words(lang, &finding.claim);
    let job = if finding.job.is_empty() { String::new() } else { format!("{}: ", finding.job) };
    let next = if next.is_empty() { next } else { format!("; {next}") };
    format!("{} ({}) {job}{what}{next}", rule(lang, &finding.claim), finding.claim.grade().letter())
}

/// What was found and what to do about it; the second may be empty.
pub fn words(lang: Lang, claim: &Claim) -> (String, String) {
    (what::what(lang, claim), next::next(lang, claim))
}

fn rate(bytes_per_second: f64) -> String {
    format!("{}/s", bytes(bytes_per_second as u64))
}

fn share(part: u64, whole: u64) -> String {
    percent(100.0 * part as f64 / whole.max(1) as f64)
}
