//! The charts of several devices in one: a line or bar for each device.

use super::super::{Axis, Chart, Form, Line, Look, distinct, id};
use super::{Dot, charts, some};
use crate::Lang;
use crate::catalog::say;
use crate::pts_names as names;
use stats::pts::{PtsCell, PtsResult, PtsStudy};

/// Largest number of lines in one chart; of more, one chart each is shown at a time.
const MOST_LINES: usize = 8;

/// A study with the name of its device.
type NamedStudy<'a> = (String, &'a PtsStudy);

/// Returns the charts that at least two of the studies have, with all of these studies in each.
pub fn overlay(studies: &[NamedStudy<'_>], lang: Lang) -> Vec<Chart> {
    let own: Vec<(&str, Vec<Chart>)> =
        studies.iter().map(|(name, study)| (name.as_str(), charts(study, lang))).collect();
    let mut ids: Vec<&str> = Vec::new();
    for chart in own.iter().flat_map(|(_, charts)| charts) {
        // The lines around a mean belong to the rounds of one device.
        if !ids.contains(&chart.id.as_str()) && !chart.id.contains("-window-") {
            ids.push(&chart.id);
        }
    }
    let mut all = bars(studies, lang);
    for wanted in ids {
        let found = own.iter().filter_map(|(name, charts)| {
            charts.iter().find(|chart| chart.id == wanted).map(|chart| (*name, chart))
        });
        let found: Vec<(&str, &Chart)> = found.collect();
        if found.len() > 1 {
            all.extend(joined(&found));
        }
    }
    // Charts of one test stay together.
    let sections: Vec<String> = all.iter().fold(Vec::new(), |mut known, chart| {
        if !known.contains(&chart.section) {
            known.push(chart.section.clone());
        }
        known
    });
    all.sort_by_key(|chart| sections.iter().position(|section| *section == chart.section));
    distinct(all)
}

fn joined(found: &[(&str, &Chart)]) -> Vec<Chart> {
    let (_, first) = found[0];
    let base = |form: Form| Chart {
        id: first.id.clone(),
        section: first.section.clone(),
        title: first.title.clone(),
        note: first.note.clone(),
        x: first.x.clone(),
        y: first.y.clone(),
        form,
        ..Chart::default()
    };
    let by_device = |device: &str, chart: &Chart| Chart {
        id: id(&[&chart.id, device]),
        choice: Some(format!("{}: {device}", chart.title)),
        ..chart.clone()
    };
    let several = found.iter().any(|(_, chart)| chart.form.series().len() > 1);
    let lines = || {
        found.iter().flat_map(|(device, chart)| {
            chart.form.series().iter().map(move |line| {
                let name = if several { format!("{device}: {}", line.name) } else { (*device).to_owned() };
                Line { name, ..line.clone() }
            })
        })
    };
    match &first.form {
        Form::Heat { .. } | Form::Ranges { .. } => {
            found.iter().map(|(device, chart)| by_device(device, chart)).collect()
        }
        Form::Bars { .. } => {
            let same = found.iter().all(|(_, chart)| chart.x.categories == first.x.categories);
            let form = Form::Bars { series: lines().collect() };
            if same { vec![base(form)] } else { Vec::new() }
        }
        Form::Lines { .. } if lines().count() <= MOST_LINES => {
            vec![base(Form::Lines { series: lines().collect() })]
        }
        Form::Lines { .. } => {
            let mut names: Vec<&str> = Vec::new();
            for line in found.iter().flat_map(|(_, chart)| chart.form.series()) {
                if !names.contains(&line.name.as_str()) {
                    names.push(&line.name);
                }
            }
            let of = |name: &str| -> Vec<Line> {
                let own = found.iter().filter_map(|(device, chart)| {
                    let line = chart.form.series().iter().find(|line| line.name == name)?;
                    Some(Line { name: (*device).to_owned(), ..line.clone() })
                });
                own.collect()
            };
            let one = |name: &&str| {
                let chart = base(Form::Lines { series: of(name) });
                let title = format!("{}: {name}", chart.title);
                Chart { id: id(&[&chart.id, name]), choice: Some(title.clone()), title, ..chart }
            };
            names.iter().map(one).collect()
        }
    }
}

/// Returns the IOPS of some cells of the IOPS test side by side: reads, the mix of 65/35 and writes of small, middle and
/// large blocks.
fn bars(studies: &[NamedStudy<'_>], lang: Lang) -> Vec<Chart> {
    const READS: [u32; 3] = [100, 65, 0];
    const BLOCKS: [u64; 3] = [4096, 65536, 1 << 20];
    let matrix = |study: &PtsStudy| {
        study.runs.iter().find_map(|run| match &run.result {
            PtsResult::Iops(matrix) => Some((run.test, matrix.cells.clone())),
            _ => None,
        })
    };
    let devices: Vec<(&str, _)> = studies
        .iter()
        .filter_map(|(name, study)| Some((name.as_str(), matrix(study)?)))
        .filter(|(_, (_, cells)): &(&str, (_, Vec<PtsCell>))| !cells.is_empty())
        .collect();
    if devices.len() < 2 {
        return Vec::new();
    }
    let places: Vec<(u32, u64)> =
        BLOCKS.into_iter().flat_map(|block| READS.map(|reads| (reads, block))).collect();
    let test = devices[0].1.0;
    let name =
        |(reads, block): &(u32, u64)| format!("{} {}", crate::labels::block(*block), names::mix(*reads));
    let series = devices.iter().map(|(device, (_, cells))| {
        let value = |(at, (reads, block)): (usize, &(u32, u64))| {
            let block = stats::pts::PtsBlock::Bytes(*block);
            let cell = cells.iter().find(|cell| cell.load.reads == *reads && cell.load.block == block)?;
            Some(Dot::new(at as f64, cell.iops))
        };
        let points = places.iter().enumerate().filter_map(value).collect();
        Line { name: (*device).to_owned(), look: Look::Points, points }
    });
    vec![Chart {
        id: id(&["pts", test.name(), "devices"]),
        section: names::test(lang, test),
        title: say!(lang, "pts-iops-by-device"),
        note: say!(lang, "pts-note-mean-of-window"),
        x: Axis::names(say!(lang, "pts-axis-load"), places.iter().map(name).collect()),
        y: Axis { log: true, ..super::iops_axis(lang) },
        form: Form::Bars { series: some(series.collect()) },
        ..Chart::default()
    }]
}
