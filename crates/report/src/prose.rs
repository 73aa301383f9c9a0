//! Findings in words: what happened in this case, with its own numbers, and what to do next.

mod next;
mod what;

use crate::Lang;
use crate::lang::word;
use crate::scale::{bytes, percent};
use stats::{Claim, Finding, Grade};

/// A grade in words.
pub fn grade(lang: Lang, grade: Grade) -> &'static str {
    match grade {
        Grade::Trusted => word!(lang; "trusted", "可信", "можно верить", "vertrauenswürdig"),
        Grade::Caveats => {
            word!(lang; "trusted, with caveats", "可信，但有保留", "можно верить, с оговорками",
            "vertrauenswürdig, mit Einschränkungen")
        }
        Grade::Conditions => word!(lang; "holds only under the conditions below", "仅在下列条件下成立",
            "верно лишь при условиях, названных ниже", "gilt nur unter den unten genannten Bedingungen"),
        Grade::NotTheDevice => word!(lang; "did not measure the device", "测到的不是该设备",
            "измерено не устройство", "hat nicht das Gerät gemessen"),
    }
}

/// The mistake's number, or its word.
pub fn rule(lang: Lang, claim: &Claim) -> &'static str {
    match claim.rule() {
        "memory" => word!(lang; "memory", "内存", "память", "Speicher"),
        "errors" => word!(lang; "errors", "错误", "ошибки", "Fehler"),
        "end" => word!(lang; "end", "结束", "конец", "Ende"),
        "stopped" => word!(lang; "stopped", "停止", "остановка", "Halt"),
        "size" => word!(lang; "size", "大小", "размер", "Größe"),
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
