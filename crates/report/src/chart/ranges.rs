//! Charts of a ranking: the ranges of all classes of devices for each pattern, with the measured device.

use super::{Axis, Chart, Form, Mark, Quantity, Range, RangeSet, bytes_per_second, id, per_second};
use crate::Lang;
use crate::catalog::say;
use stats::ranking::{RankFigure, RankedClass, Ranking};

/// Returns a chart for each figure that was measured.
pub fn charts(ranking: &Ranking, lang: Lang) -> Vec<Chart> {
    (0..ranking.figures.len()).map(|at| chart(ranking, at, lang)).collect()
}

/// Returns the chart of the figure at this place of [`Ranking::figures`]. The slowest class is at the bottom.
fn chart(ranking: &Ranking, at: usize, lang: Lang) -> Chart {
    let (figure, value) = ranking.figures[at];
    let sequential = figure == RankFigure::Sequential;
    let unit = if sequential { 1e6 } else { 1.0 };
    let range =
        |class: &RankedClass| class.ranges.get(at).copied().flatten().map(|ends| ends.map(|r| r * unit));
    let middle = |[low, high]: [f64; 2]| low * high;
    let mut rows: Vec<(usize, &RankedClass, [f64; 2])> = ranking
        .classes
        .iter()
        .enumerate()
        .filter_map(|(place, class)| Some((place, class, range(class)?)))
        .collect();
    rows.sort_by(|a, b| middle(a.2).total_cmp(&middle(b.2)).then_with(|| a.1.name.cmp(&b.1.name)));
    let of = |wanted: &dyn Fn(usize, &RankedClass) -> bool| -> Vec<Range> {
        let found = rows.iter().enumerate().filter(|(_, (place, class, _))| wanted(*place, class));
        found.map(|(row, (_, _, [low, high]))| Range { row, low: *low, high: *high }).collect()
    };
    let published = rows.iter().enumerate().flat_map(|(row, (_, class, _))| {
        let devices = ranking.devices.iter().filter(|device| !class.own && device.class == class.name);
        devices.filter_map(move |device| {
            let rate = device.figures.get(at).copied().flatten()? * unit;
            Some(Range { row, low: rate, high: rate })
        })
    });
    // The last colour of the palette is grey: most classes are background.
    let sets = [
        (0, say!(lang, "chart-ranges-alike"), of(&|place, class| place < ranking.best && !class.own)),
        (7, say!(lang, "chart-ranges-others"), of(&|place, class| place >= ranking.best && !class.own)),
        (1, say!(lang, "chart-ranges-published"), published.collect()),
        (2, say!(lang, "chart-ranges-own"), of(&|_, class| class.own)),
    ];
    let sets = sets.into_iter().map(|(colour, name, ranges)| RangeSet { name, colour, ranges });
    let (label, quantity) = match sequential {
        true => (bytes_per_second(lang), Quantity::Rate),
        false => (per_second(lang), Quantity::Iops),
    };
    let rate = quantity.words(value * unit);
    Chart {
        id: id(&["rank", name(figure)]),
        section: say!(lang, "chart-section-ranges"),
        title: title(lang, figure),
        note: say!(lang, "chart-note-ranges", rate = rate.clone()),
        x: Axis::log(label, quantity),
        y: Axis::names(say!(lang, "chart-axis-class"), rows.iter().map(|row| row.1.name.clone()).collect()),
        form: Form::Ranges { sets: sets.filter(|set| !set.ranges.is_empty()).collect() },
        marks: vec![Mark {
            upwards: true,
            at: value * unit,
            label: say!(lang, "chart-mark-this-device", rate),
        }],
        ..Chart::default()
    }
}

fn name(figure: RankFigure) -> &'static str {
    match figure {
        RankFigure::ReadQd1 => "read-qd1",
        RankFigure::ReadQd32 => "read-qd32",
        RankFigure::WriteQd1 => "write-qd1",
        RankFigure::SyncWriteQd1 => "sync-write-qd1",
        RankFigure::Sequential => "sequential",
    }
}

fn title(lang: Lang, figure: RankFigure) -> String {
    match figure {
        RankFigure::ReadQd1 => say!(lang, "chart-rank-read-qd1"),
        RankFigure::ReadQd32 => say!(lang, "chart-rank-read-qd32"),
        RankFigure::WriteQd1 => say!(lang, "chart-rank-write-qd1"),
        RankFigure::SyncWriteQd1 => say!(lang, "chart-rank-sync-write-qd1"),
        RankFigure::Sequential => say!(lang, "chart-rank-sequential"),
    }
}
