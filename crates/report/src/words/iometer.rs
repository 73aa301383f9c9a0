//! Texts for faults of Iometer's configuration files.

use crate::Lang;
use crate::catalog::{say, word};
use import::iometer::{ConversionFault, JobFaultKind, NotExpressible, ParseFault, ParseFaultKind};

/// Returns the fault of a file, with the file and the line.
pub fn parse_fault(lang: Lang, path: &str, fault: &ParseFault) -> String {
    format!("{path}:{}: {}", fault.line, kind(lang, &fault.kind))
}

fn kind(lang: Lang, kind: &ParseFaultKind) -> String {
    match kind {
        ParseFaultKind::NoVersion => word!(lang, "iometer-no-version").into(),
        ParseFaultKind::BadVersion { text } => say!(lang, "iometer-bad-version", text = plain(text)),
        ParseFaultKind::TooOld { text } => say!(lang, "iometer-too-old", text = plain(text)),
        ParseFaultKind::NoLastVersion => word!(lang, "iometer-no-last-version").into(),
        ParseFaultKind::OtherVersion { first, last } => {
            say!(lang, "iometer-other-version", first = plain(first), last = plain(last))
        }
        ParseFaultKind::NoValue { key } => say!(lang, "iometer-no-value", key = plain(key)),
        ParseFaultKind::NoKey { text } => say!(lang, "iometer-no-key", text = plain(text)),
        ParseFaultKind::NoEnd { end } => say!(lang, "iometer-no-end", end = *end),
        ParseFaultKind::Fields { found, expected } => {
            say!(lang, "iometer-fields", found, expected = *expected)
        }
        ParseFaultKind::Number { field, text, least, most } => say!(
            lang,
            "iometer-number",
            field = field.name(),
            text = plain(text),
            least = least.to_string(),
            most = most.to_string()
        ),
        ParseFaultKind::Choice { text, words } => say!(lang, "iometer-choice", text = plain(text), words),
        ParseFaultKind::NoName => word!(lang, "iometer-no-name").into(),
        ParseFaultKind::Twice { section } => say!(lang, "iometer-twice", section = *section),
        ParseFaultKind::NoLines { spec } => say!(lang, "iometer-no-lines", spec = plain(spec)),
        ParseFaultKind::TooManyLines { spec } => say!(lang, "iometer-too-many-lines", spec = plain(spec)),
        ParseFaultKind::Sum { spec, sum } => say!(lang, "iometer-sum", spec = plain(spec), sum),
        ParseFaultKind::SameName { spec } => say!(lang, "iometer-same-name", spec = plain(spec)),
        ParseFaultKind::UnknownSpec { spec } => say!(lang, "iometer-unknown-spec", spec = plain(spec)),
    }
}

/// Returns the reason why a configuration file cannot be run.
pub fn conversion_fault(lang: Lang, path: &str, fault: &ConversionFault) -> String {
    let text = match fault {
        ConversionFault::NoWorkers => word!(lang, "iometer-no-workers").into(),
        ConversionFault::NothingToRun => word!(lang, "iometer-nothing-to-run").into(),
        ConversionFault::Network { worker } => say!(lang, "iometer-network", worker = plain(worker)),
        ConversionFault::ConnectionRate { worker } => {
            say!(lang, "iometer-connection-rate", worker = plain(worker))
        }
        ConversionFault::Unmapped { targets } => {
            let first = targets.first().map(|target| plain(target)).unwrap_or_default();
            say!(lang, "iometer-unmapped", targets = list(targets), first)
        }
        ConversionFault::NoSuchTarget { named, targets } => {
            say!(lang, "iometer-no-such-target", named = list(named), targets = list(targets))
        }
        ConversionFault::Ambiguous { named, targets } => {
            say!(lang, "iometer-ambiguous", named = plain(named), targets = list(targets))
        }
        ConversionFault::BadSize { text, size } => {
            say!(lang, "iometer-bad-size", text = plain(text), size = plain(size))
        }
        ConversionFault::BadPath { text } => say!(lang, "iometer-bad-path", text = plain(text)),
        ConversionFault::NoSize { target } => say!(lang, "iometer-no-size", target = plain(target)),
        ConversionFault::EndlessCycle => word!(lang, "iometer-endless-cycle").into(),
        ConversionFault::TooManyTests { most } => say!(lang, "iometer-too-many-tests", most),
    };
    format!("{path}: {text}")
}

/// Returns the reason why jobs cannot be written as a configuration file.
pub fn not_expressible(lang: Lang, fault: &NotExpressible) -> String {
    let why = match &fault.kind {
        JobFaultKind::Option(option) => say!(lang, "iometer-job-option", option = *option),
        JobFaultKind::Runtime => word!(lang, "iometer-job-runtime").into(),
        JobFaultKind::Ramp => word!(lang, "iometer-job-ramp").into(),
        JobFaultKind::Percentages => word!(lang, "iometer-job-percentages").into(),
        JobFaultKind::Sequence => word!(lang, "iometer-job-sequence").into(),
        JobFaultKind::Trims => word!(lang, "iometer-job-trims").into(),
        JobFaultKind::NoTarget => word!(lang, "iometer-job-no-target").into(),
        JobFaultKind::Cycling => word!(lang, "iometer-job-cycling").into(),
    };
    say!(lang, "iometer-job", job = plain(&fault.job), why)
}

/// Returns the reason why results cannot be written to standard output beside the JSON of a switch.
pub fn results_beside(lang: Lang, switch: &str) -> String {
    say!(lang, "iometer-results-beside", switch)
}

/// Returns the reason why a switch about a configuration file has no effect.
pub fn no_file(lang: Lang, switch: &str) -> String {
    say!(lang, "iometer-no-file", switch)
}

fn plain(text: &str) -> String {
    stats::plain::line(text).into_owned()
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use import::iometer::FieldName;

    #[test]
    fn faults_say_where_and_what_would_be_right() {
        let number =
            ParseFaultKind::Number { field: FieldName::Reads, text: "101".into(), least: 0, most: 100 };
        assert_eq!(
            parse_fault(Lang::En, "a.icf", &ParseFault { line: 7, kind: number }),
            "a.icf:7: % reads is 101, it must be a number from 0 to 100"
        );
        let end = ParseFault { line: 9, kind: ParseFaultKind::NoEnd { end: "End worker" } };
        assert_eq!(
            parse_fault(Lang::En, "a.icf", &end),
            "a.icf:9: the part must end with the line 'End worker"
        );
        let job = NotExpressible { job: "a".into(), kind: JobFaultKind::Option("rate") };
        assert_eq!(
            not_expressible(Lang::En, &job),
            "job a cannot be written as an Iometer file: rate has no counterpart"
        );
    }
}
