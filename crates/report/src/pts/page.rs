//! Report pages of one study and of several devices.

use super::compare;
use super::header::{Stated, header, statement};
use super::tables::{tables, text};
use crate::Lang;
use crate::catalog::say;
use crate::chart;
use crate::export;
use crate::page::Page;
use stats::pts::PtsStudy;
use stats::pts::comparison::PtsComparison;

/// Width of the text on the page, columns.
const WIDTH: usize = 110;

/// Returns the page of a study; `name` is its name in the store or its path.
pub fn of_study(name: &str, study: &PtsStudy, stated: &Stated, lang: Lang) -> Page {
    Page {
        title: say!(lang, "pts-page-title", name, device = device_name(study)),
        when: stated.began.clone(),
        version: study.version.clone(),
        running: header(study, stated, lang),
        statement: statement(study, lang),
        card: summary(study, lang, WIDTH),
        data_tables: tables(study, lang),
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
        .map(|(label, study)| (label, statement(study, lang)))
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
            .map(|(label, study)| (label.clone(), format!("{} {}", study.device.model, study.device.firmware)))
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

/// Returns the statement and the tables as text in lines of at most `width` columns, newline at the end.
pub fn summary(study: &PtsStudy, lang: Lang, width: usize) -> String {
    let reservation = statement(study, lang);
    let first = if reservation.is_empty() { say!(lang, "pts-conforms") } else { reservation };
    let lines = crate::fill("", &first, crate::prose_width(width));
    crate::lay(&lines) + "\n" + &text(study, lang, width)
}
