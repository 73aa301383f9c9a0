//! Report pages of one study and of several devices.

use super::compare;
use super::header::{Stated, header, statement, statement_of};
use super::tables::of_run;
use crate::Lang;
use crate::catalog::say;
use crate::chart;
use crate::export;
use crate::page::{Page, Sheet};
use crate::pts_names as names;
use stats::pts::comparison::PtsComparison;
use stats::pts::{PtsFinding, PtsStudy, PtsTestRun};

/// Width of the text on the page, columns.
const WIDTH: usize = 110;

/// Returns the page of a study; `name` is its name in the store or its path.
pub fn of_study(name: &str, study: &PtsStudy, stated: &Stated, lang: Lang) -> Page {
    let runs: Vec<&PtsTestRun> = study.runs.iter().collect();
    let sheet = |run: &&PtsTestRun| Sheet {
        id: format!("pts-{}", run.test.name()),
        title: names::test(lang, run.test),
        running: header(study, &[*run], stated, lang),
        statement: statement(&[*run], lang),
        tables: of_run(run, lang),
    };
    Page {
        title: say!(lang, "pts-page-title", name, device = device_name(study)),
        when: stated.began.clone(),
        version: study.version.clone(),
        running: header(study, &runs, stated, lang),
        statement: statement_of(study, lang),
        card: crate::pts_run::card(lang, study, WIDTH),
        // Without findings, a grade would hide the reasons why a result does not conform.
        grade: (!study.findings.is_empty()).then(|| PtsFinding::grade_of(&study.findings)),
        findings: study.findings.iter().map(|found| found.finding.clone()).collect(),
        sheets: runs.iter().map(sheet).collect(),
        charts: chart::pts::charts(study, lang),
        provenance: vec![
            (say!(lang, "page-command"), study.host.command.clone()),
            (say!(lang, "page-seed"), study.asked.seed.to_string()),
            (say!(lang, "pts-header-stack"), study.device.stack.join(" > ")),
        ],
        raw: (export::json(study), format!("fathom-pts-{}.json", chart::id(&[name]))),
        ..Page::default()
    }
}

/// Returns the page of several studies with all devices in each chart; a comparison with the first study is part of it.
pub fn of_several(
    studies: &[(String, &PtsStudy)],
    comparisons: &[PtsComparison],
    version: &str,
    lang: Lang,
) -> Page {
    let labels = labels(studies);
    let named: Vec<(String, &PtsStudy)> =
        labels.iter().cloned().zip(studies.iter().map(|(_, study)| *study)).collect();
    let mut charts: Vec<chart::Chart> =
        comparisons.iter().flat_map(|comparison| compare::charts(comparison, lang)).collect();
    charts.extend(chart::pts::overlay(&named, lang));
    let statements: Vec<String> = named
        .iter()
        .map(|(label, study)| (label, statement_of(study, lang)))
        .filter(|(_, statement)| !statement.is_empty())
        .map(|(label, statement)| format!("{label}: {statement}"))
        .collect();
    let card: Vec<String> =
        comparisons.iter().map(|comparison| compare::render(comparison, lang, WIDTH)).collect();
    Page {
        title: say!(lang, "page-title-several") + " · " + &labels.join(", "),
        version: version.to_owned(),
        running: named
            .iter()
            .map(|(label, study)| {
                (label.clone(), format!("{} {}", study.device.model, study.device.firmware))
            })
            .collect(),
        statement: statements.join(" "),
        card: card.join("\n"),
        charts: chart::distinct(charts),
        raw: (
            export::json(&studies.iter().map(|(_, study)| study).collect::<Vec<_>>()),
            "fathom-pts-side-by-side.json".into(),
        ),
        ..Page::default()
    }
}

/// Returns the names of the devices; with the names of the studies where two studies are of the same device.
fn labels(studies: &[(String, &PtsStudy)]) -> Vec<String> {
    let devices: Vec<String> = studies.iter().map(|(_, study)| device_name(study)).collect();
    let label = |((name, _), device): (&(String, &PtsStudy), &String)| {
        let same = devices.iter().filter(|other| *other == device).count() > 1;
        if same { format!("{device} ({name})") } else { device.clone() }
    };
    studies.iter().zip(&devices).map(label).collect()
}

/// Returns the model of the device, or its name if the model is not known.
fn device_name(study: &PtsStudy) -> String {
    let device = &study.device;
    if device.model.is_empty() { device.name.clone() } else { device.model.clone() }
}
