//! The place of measured figures among the classes of devices: `fathom rank`.

use crate::catalog::{say, word};
use crate::scale::short;
use crate::terms::stack;
use crate::words::run::job_error;
use crate::{Grid, Lang, device_class, export, fill, findings, lay, prose_width, quick};
use stats::ranking::{LabelContradiction, RankFigure, Ranking};
use stats::{Claim, Grade, Measured, QuickCard, RunResult};

/// Number of lines of a terminal that further reasons of the grade may fill.
const MOST_LINES: usize = 25;
/// Number of classes shown.
const CLASSES: usize = 10;

/// Returns the ranking in lines of at most `width` columns, newline at the end.
pub fn render(lang: Lang, ranking: &Ranking, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = fill("", &format!("{}   {}", ranking.source, stack(lang, &ranking.stack)), width);
    lines.extend(fill("", &answer(lang, ranking), width));
    lines.push(String::new());
    let mut head = vec![word!(lang, "catalogue-column-class").to_owned()];
    head.extend(ranking.figures.iter().map(|(figure, _)| column(lang, *figure).to_owned()));
    let mut own = vec![word!(lang, "rank-own").to_owned()];
    own.extend(ranking.figures.iter().map(|(_, value)| short(*value)));
    let mut rows = vec![head, own];
    for class in ranking.classes.iter().take(CLASSES) {
        let mut row = vec![class.name.clone()];
        row.extend(class.ratios.iter().map(|ratio| cell(lang, *ratio)));
        rows.push(row);
    }
    lines.extend(Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, width));
    lines.extend(fill("", word!(lang, "rank-end"), width));
    let trust = format!("{}: {}", word!(lang, "cloud-label-trust"), findings::trust(lang, ranking.grade()));
    lines.extend(fill("", &trust, width));
    // The worst reason of the grade, and those after it that have room.
    for (at, found) in ranking.findings.iter().filter(|f| f.claim.grade() > Grade::Trusted).enumerate() {
        let (letter, statement) = (found.claim.grade().letter(), findings::statement(lang, &found.claim));
        let caveat = format!("{}: {letter} {statement}", word!(lang, "cloud-label-caveat"));
        let caveat = fill("", &caveat, width);
        if at > 0 && lines.len() + caveat.len() > MOST_LINES {
            break;
        }
        lines.extend(caveat);
    }
    lay(&lines)
}

/// Returns the first pattern of a check that ended with an error.
pub fn failed_row(lang: Lang, card: &QuickCard) -> Option<String> {
    card.rows.iter().find_map(|row| quick::failed_row(lang, row))
}

/// Returns the first error that ended a job of a run.
pub fn failed_job(lang: Lang, run: &RunResult) -> Option<String> {
    let (name, error) = run.jobs.iter().find_map(|job| Some((&job.name, job.error.as_ref()?)))?;
    Some(format!("{name}: {}", job_error(lang, error)))
}

/// Returns that more than one in a hundred I/Os of a load failed.
pub fn failed_ios(lang: Lang, loads: &[Measured]) -> Option<String> {
    let failed = |claim: &&Claim| matches!(claim, Claim::Failed { .. }) && claim.grade() > Grade::Caveats;
    let mut claims = loads.iter().flat_map(|load| &load.findings).map(|found| &found.claim);
    claims.find(failed).map(|claim| findings::statement(lang, claim))
}

/// Returns that no class is named for a device that failed.
pub fn failed(lang: Lang, source: &str, why: &str) -> String {
    say!(lang, "rank-failed", source, why)
}

/// Returns the sources of the ranges, classes of the same source together, and those of own devices and published figures.
pub fn sources(lang: Lang, ranking: &Ranking) -> Vec<(String, String)> {
    let mut ranges: Vec<(String, Vec<&str>)> = Vec::new();
    for class in ranking.classes.iter().filter(|class| !class.own) {
        let source = device_class::source(lang, &class.row);
        match ranges.iter_mut().find(|(known, _)| *known == source) {
            Some((_, names)) => names.push(&class.name),
            None => ranges.push((source, vec![&class.name])),
        }
    }
    let ranges = ranges
        .into_iter()
        .map(|(source, names)| (say!(lang, "page-class-ranges"), format!("{source}: {}", names.join(", "))));
    let own = ranking.classes.iter().filter(|class| class.own);
    let own = own.map(|class| (class.name.clone(), class.row.source.clone()));
    let devices = ranking.devices.iter().map(|device| (device.name.clone(), device.source.clone()));
    ranges.chain(own).chain(devices).collect()
}

/// Returns the ranking as one JSON document, newline at the end.
pub fn json(ranking: &Ranking) -> String {
    export::json(&RankDocument { grade: ranking.grade(), ranking })
}

/// The ranking with what follows from it.
#[derive(serde::Serialize)]
struct RankDocument<'a> {
    grade: Grade,
    #[serde(flatten)]
    ranking: &'a Ranking,
}

/// Returns that a result has no pattern of the catalogue.
pub fn nothing(lang: Lang, source: &str) -> String {
    say!(lang, "rank-nothing", source)
}

fn answer(lang: Lang, ranking: &Ranking) -> String {
    let names: Vec<&str> = ranking.classes[..ranking.best].iter().map(|class| class.name.as_str()).collect();
    let like = match names.as_slice() {
        [] => word!(lang, "rank-none").to_owned(),
        names => say!(lang, "rank-like", names = names.join(", ")),
    };
    match ranking.contradiction {
        Some(LabelContradiction::ReportsRotational) => {
            format!("{like}; {}", word!(lang, "rank-reports-rotational"))
        }
        Some(LabelContradiction::ReportsSsd) => format!("{like}; {}", word!(lang, "rank-reports-ssd")),
        None => like,
    }
}

fn column(lang: Lang, figure: RankFigure) -> &'static str {
    match figure {
        RankFigure::ReadQd1 => word!(lang, "catalogue-column-read-1"),
        RankFigure::ReadQd32 => word!(lang, "catalogue-column-read-32"),
        RankFigure::WriteQd1 => word!(lang, "catalogue-column-write"),
        RankFigure::SyncWriteQd1 => word!(lang, "catalogue-column-sync"),
        RankFigure::Sequential => "MB/s",
    }
}

/// Returns where a figure lies: `=` within the range, `3.2x` above, `1/3.2` below.
fn cell(_: Lang, ratio: Option<f64>) -> String {
    let Some(ratio) = ratio else { return "-".into() };
    let times = |factor: f64| if factor < 10.0 { format!("{factor:.1}") } else { short(factor) };
    // One digit would print these as 1.0.
    if (0.95..1.05).contains(&ratio) {
        "=".into()
    } else if ratio > 1.0 {
        format!("{}x", times(ratio))
    } else {
        format!("1/{}", times(1.0 / ratio.max(1e-9)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns;
    use lab::device_class::catalogue;
    use lab::device_class::rank::rank;
    use stats::study::Access;
    use stats::{Conditions, Direction, Finding, Flow};

    /// The longest card: several classes resemble the device, its label contradicts, and its grade is not A.
    #[test]
    fn rankings_fit_80_columns_and_25_lines() {
        let load = |rw: &str, bs, iops: f64| Measured {
            access: Access { rw: rw.into(), bs, ..Access::default() },
            depth: 1,
            jobs: 1,
            flows: vec![Flow {
                direction: if rw.ends_with("write") { Direction::Write } else { Direction::Read },
                iops: stats::estimate::Estimate::bare(iops),
                bytes_per_second: iops * bs as f64,
                ..Flow::default()
            }],
            conditions: Conditions {
                stack: vec!["ext4".into(), "vda (disk, reports rotational)".into()],
                ..Conditions::default()
            },
            ..Measured::default()
        };
        let loads = [load("randread", 4096, 9e3), load("randwrite", 4096, 2e4), load("read", 1 << 20, 500.0)];
        let source = "/srv/a/long/path/to/a/directory/that/is/ranked";
        let mut loads = loads;
        let claims = [
            Claim::PageCache { app: 100 << 30, storage: 1 << 20, span: 1 << 30, memory: 64 << 30 },
            Claim::TinySpan { span: 1 << 20, passes: 40.0 },
            Claim::Overlay { path: source.into() },
            Claim::CpuContention { waited_percent: 31.0 },
        ];
        loads[0].findings = claims.map(|claim| Finding::new(String::new(), claim)).to_vec();
        let ranking = rank(catalogue(), source, &loads).unwrap();
        assert!(ranking.contradiction.is_some() && ranking.best > 1);
        for lang in Lang::ALL {
            let text = render(lang, &ranking, 80);
            let wide = text.lines().map(columns).max().unwrap_or(0);
            assert!(wide <= 80 && text.lines().count() <= 25, "{text}");
            let worst = findings::statement(lang, &ranking.findings[0].claim);
            let start: String = worst.chars().take(12).collect();
            assert!(text.contains(&start), "{worst}: {text}");
        }
    }
}
