//! Words of the findings: what happened, with its numbers, and what to do about it.

mod advice;
mod statement;

use crate::Lang;
use crate::catalog::word;
use crate::scale::{bytes, percent};
use stats::{Claim, Finding, Grade};

/// Returns the meaning of a grade.
pub fn grade(lang: Lang, grade: Grade) -> &'static str {
    match grade {
        Grade::Trusted => word!(lang, "grade-trusted"),
        Grade::Caveats => {
            word!(lang, "grade-caveats")
        }
        Grade::Conditions => word!(lang, "grade-conditions"),
        Grade::NotTheDevice => word!(lang, "grade-not-the-device"),
    }
}

/// Returns a grade and its meaning: `B (with caveats)`.
pub fn trust(lang: Lang, grade: Grade) -> String {
    format!("{} ({})", grade.letter(), self::grade(lang, grade))
}

/// Returns the name of the rule that made a claim: `M4`, or a word for the rules without a number.
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

/// Returns a finding as one line: `M4 (C) JOB: STATEMENT; ADVICE`.
pub fn line(lang: Lang, finding: &Finding) -> String {
    let (statement, advice) = (statement(lang, &finding.claim), advice(lang, &finding.claim));
    let job = if finding.job.is_empty() { String::new() } else { format!("{}: ", finding.job) };
    let advice = if advice.is_empty() { advice } else { format!("; {advice}") };
    format!("{} ({}) {job}{statement}{advice}", rule(lang, &finding.claim), finding.claim.grade().letter())
}

/// Returns what was found.
pub fn statement(lang: Lang, claim: &Claim) -> String {
    statement::of(lang, claim)
}

/// Returns what to do about a claim; empty where nothing is to be done.
pub fn advice(lang: Lang, claim: &Claim) -> String {
    advice::of(lang, claim)
}

fn rate(bytes_per_second: f64) -> String {
    format!("{}/s", bytes(bytes_per_second as u64))
}

fn share(part: u64, whole: u64) -> String {
    percent(100.0 * part as f64 / whole.max(1) as f64)
}
