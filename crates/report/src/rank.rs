//! The place of measured figures among the classes of devices: `fathom rank`.

use crate::catalog::{say, word};
use crate::scale::short;
use crate::terms::stack;
use crate::{Grid, Lang, export, fill, lay, prose_width};
use lab::device_class::rank::{LabelContradiction, RankFigure, Ranking};

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
    lay(&lines)
}

/// Returns the ranking as one JSON document, newline at the end.
pub fn json(ranking: &Ranking) -> String {
    export::json(ranking)
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
