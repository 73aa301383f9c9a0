//! Comparison of two studies as text and charts: the conditions that differ, the ratio of each figure with its interval,
//! and the verdict.

use crate::Lang;
use crate::catalog::say;
use crate::chart::{self, Axis, Chart, Form, Mark, Quantity, Range, RangeSet};
use crate::pts_names as names;
use crate::{Grid, fill, lay, left, prose_width};
use stats::comparison::{DEFAULT_BETWEEN, WRONG};
use stats::estimate::{Estimate, Verdict};
use stats::pts::comparison::{PtsComparison, PtsFigure, PtsRow, PtsUnequal};
use stats::pts::{PtsQuantity, PtsTest};

/// Returns the comparison in lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(c: &PtsComparison, lang: Lang, width: usize) -> String {
    let (screen, width) = (width, prose_width(width));
    let [a, b] = &c.sides;
    let [first, second] = &c.devices;
    let mut lines = fill("fathom pts   ", &format!("A {a} ({first})   B {b} ({second})"), width);
    for what in &c.unequal {
        let mark = if what.refuses() { say!(lang, "compare-unequal") } else { say!(lang, "compare-note") };
        lines.extend(fill(&format!("{}  ", left(&mark, 8)), &unequal(what, c, lang), width));
    }
    let mut tests: Vec<PtsTest> = Vec::new();
    for row in &c.rows {
        if !tests.contains(&row.test) {
            tests.push(row.test);
        }
    }
    for test in tests {
        lines.push(String::new());
        lines.extend(fill("", &names::test(lang, test), width));
        let head = vec![
            say!(lang, "pts-column-figure"),
            "A".into(),
            "B".into(),
            "B/A".into(),
            say!(lang, "compare-interval"),
            say!(lang, "compare-verdict"),
        ];
        let rows = c.rows.iter().filter(|row| row.test == test).map(|row| cells(row, lang));
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        let grid = Grid { keys: 1, to_right: |column| (1..=3).contains(&column), gap: 2 };
        lines.extend(grid.lines(&rows, screen.saturating_sub(2)).iter().map(|line| format!("  {line}")));
    }
    if !c.rows.is_empty() {
        lines.push(String::new());
        lines.extend(fill("", &verdict(c, lang), width));
        lines.extend(fill("", &method(c, lang), width));
    }
    lay(&lines)
}

/// Returns the comparison as Markdown: the differences of the conditions, one table, and the verdict.
pub fn markdown(c: &PtsComparison, lang: Lang) -> String {
    let cell = |text: &str| stats::plain::line(text).replace('\\', "\\\\").replace('|', "\\|");
    let [a, b] = c.sides.each_ref().map(|name| cell(name));
    let mut lines = vec![say!(lang, "compare-sides", a, b), String::new()];
    lines.extend(c.unequal.iter().map(|what| format!("- {}", cell(&unequal(what, c, lang)))));
    if !c.unequal.is_empty() {
        lines.push(String::new());
    }
    let head = [
        say!(lang, "pts-column-test"),
        say!(lang, "pts-column-figure"),
        "A".into(),
        "B".into(),
        "B/A".into(),
        say!(lang, "compare-interval"),
        say!(lang, "compare-verdict"),
    ];
    lines.push(format!("| {} |", head.join(" | ")));
    lines.push("|---|---|--:|--:|--:|---|---|".into());
    lines.extend(c.rows.iter().map(|row| {
        let words: Vec<String> = cells(row, lang).iter().map(|text| cell(text)).collect();
        format!("| {} | {} |", row.test.name(), words.join(" | "))
    }));
    if !c.rows.is_empty() {
        lines.extend([String::new(), verdict(c, lang), String::new(), method(c, lang)]);
    }
    lay(&lines)
}

/// Returns the line that reports that the studies are not compared, and why.
pub fn refusal(c: &PtsComparison, lang: Lang) -> String {
    let [a, b] = &c.sides;
    let why: Vec<String> =
        c.unequal.iter().filter(|what| what.refuses()).map(|what| unequal(what, c, lang)).collect();
    say!(lang, "compare-refused", a, b, why = why.join("; "))
}

/// Returns the line that reports that studies of `fathom pts` cannot be compared with other results.
pub fn other_kind(lang: Lang) -> String {
    say!(lang, "pts-compare-other-kind")
}

/// Returns the line that lists the figures that are slower by more than the bound, percent; `None` if none is.
pub fn slower(c: &PtsComparison, bound: f64, lang: Lang) -> Option<String> {
    let found = c.rows.iter().filter(|row| row.is_slower_by(bound));
    let one = |row: &PtsRow| {
        format!("{} {:.1} % ({})", full_name(row, lang), row.slower_percent(), interval(&row.ratio))
    };
    let mut list: Vec<String> = found.map(one).collect();
    let slowdown = c.together.map(|speed| (100.0 * (1.0 - speed.value), speed));
    if let Some((percent, speed)) = slowdown.filter(|(percent, speed)| *percent > bound && speed.high < 1.0) {
        list.push(format!("{} {percent:.1} % ({})", say!(lang, "pts-all-figures"), interval(&speed)));
    }
    let [a, b] = &c.sides;
    let bound = bound.to_string();
    (!list.is_empty()).then(|| say!(lang, "compare-slower-than-bound", b, a, bound, list = list.join("; ")))
}

/// Returns the line that lists the figures whose interval permits both verdicts about the bound; `None` if none does.
pub fn untold(c: &PtsComparison, bound: f64, lang: Lang) -> Option<String> {
    let hidden = c.rows.iter().filter(|row| row.may_be_slower_by(bound));
    let list: Vec<String> = hidden.map(|row| full_name(row, lang)).collect();
    let [a, b] = &c.sides;
    let bound = bound.to_string();
    (!list.is_empty()).then(|| say!(lang, "compare-bound-unknown", b, a, bound, list = list.join(", ")))
}

/// Returns the verdict on all figures together.
pub fn verdict(c: &PtsComparison, lang: Lang) -> String {
    let counts = [Verdict::More, Verdict::Less, Verdict::Same, Verdict::Unknown];
    let [faster, slower, same, unknown] = counts.map(|verdict| c.count(verdict).to_string());
    let counts = say!(lang, "pts-verdict-counts", faster, slower, same, unknown);
    let Some(speed) = &c.together else { return counts };
    let (ratio, between) = (format!("{:.3}", speed.value), interval(speed));
    let [a, b] = &c.sides;
    let first = match speed.verdict() {
        Verdict::More => say!(lang, "pts-verdict-faster", a, b, ratio, between),
        Verdict::Less => say!(lang, "pts-verdict-slower", a, b, ratio, between),
        Verdict::Same => say!(lang, "pts-verdict-same", a, b, ratio, between),
        Verdict::Unknown => say!(lang, "pts-verdict-unknown", a, b, ratio, between),
    };
    format!("{first} {counts}")
}

fn method(c: &PtsComparison, lang: Lang) -> String {
    let sure = format!("{:.0}", 100.0 * (1.0 - WRONG));
    let percent = format!("{:.1}", 100.0 * DEFAULT_BETWEEN);
    say!(lang, "pts-compare-method", n = c.at_once.to_string(), sure, percent)
}

fn cells(row: &PtsRow, lang: Lang) -> Vec<String> {
    let [a, b] = row.means.map(|value| quantity(row.figure).words(value));
    let verdict = match row.speed {
        Verdict::Same => say!(lang, "compare-same"),
        Verdict::Unknown => say!(lang, "compare-unknown"),
        Verdict::More => say!(lang, "compare-faster"),
        Verdict::Less => say!(lang, "compare-slower"),
    };
    vec![name(row.figure, lang), a, b, format!("{:.3}", row.ratio.value), interval(&row.ratio), verdict]
}

fn interval(ratio: &Estimate) -> String {
    if ratio.is_known() { format!("{:.3} - {:.3}", ratio.low, ratio.high) } else { "-".into() }
}

fn quantity(figure: PtsFigure) -> Quantity {
    match figure {
        PtsFigure::Cell(_, PtsQuantity::Iops)
        | PtsFigure::Saturation
        | PtsFigure::WaitState(_)
        | PtsFigure::OperatingIops(_) => Quantity::Iops,
        PtsFigure::Cell(_, PtsQuantity::BytesPerSecond) | PtsFigure::FirstGroup | PtsFigure::SecondGroup => {
            Quantity::Rate
        }
        PtsFigure::Cell(_, PtsQuantity::MeanLatency) | PtsFigure::OperatingLatency(_) => Quantity::Nanos,
        PtsFigure::Recovery => Quantity::Count,
    }
}

/// Returns the name of a figure within its test.
fn name(figure: PtsFigure, lang: Lang) -> String {
    match figure {
        PtsFigure::Cell(load, PtsQuantity::MeanLatency) => {
            format!("ART {}", names::load_with_demand(lang, &load))
        }
        PtsFigure::Cell(load, _) => names::load_with_demand(lang, &load),
        PtsFigure::Saturation => say!(lang, "pts-row-window-average"),
        PtsFigure::WaitState(seconds) => say!(lang, "pts-wait", seconds = seconds.to_string()),
        PtsFigure::FirstGroup => say!(lang, "pts-row-before"),
        PtsFigure::SecondGroup => say!(lang, "pts-row-after"),
        PtsFigure::Recovery => say!(lang, "pts-row-nearly-recovered"),
        PtsFigure::OperatingIops(point) => format!("{}, IOPS", names::operating(lang, point)),
        PtsFigure::OperatingLatency(point) => format!("{}, ART", names::operating(lang, point)),
    }
}

fn full_name(row: &PtsRow, lang: Lang) -> String {
    format!("{} {}", row.test.name(), name(row.figure, lang))
}

fn unequal(what: &PtsUnequal, c: &PtsComparison, lang: Lang) -> String {
    let side = |at: usize| c.sides.get(at).cloned().unwrap_or_default();
    match what {
        PtsUnequal::Unfinished(at) => say!(lang, "pts-unequal-unfinished", side = side(*at)),
        PtsUnequal::NoTestInCommon => say!(lang, "pts-unequal-no-test"),
        PtsUnequal::Class => say!(lang, "pts-unequal-class"),
        PtsUnequal::Scale([a, b]) => {
            say!(lang, "pts-unequal-scale", a = format!("1/{a}"), b = format!("1/{b}"))
        }
        PtsUnequal::Demand([a, b]) => {
            let words = |[threads, depth]: &[u32; 2]| format!("T{threads}Q{depth}");
            say!(lang, "pts-unequal-demand", a = words(a), b = words(b))
        }
        PtsUnequal::ActiveRange([a, b]) => {
            let words = |percent: &f64| crate::scale::percent(*percent);
            say!(lang, "pts-unequal-range", a = words(a), b = words(b))
        }
        PtsUnequal::DemandWorkload => say!(lang, "pts-unequal-workload"),
        PtsUnequal::WriteCache(test) => say!(lang, "pts-unequal-cache", test = test.name()),
        PtsUnequal::NotSteady(at, test) => {
            say!(lang, "pts-unequal-not-steady", side = side(*at), test = test.name())
        }
        PtsUnequal::Derived(at, test) => {
            say!(lang, "pts-unequal-derived", side = side(*at), test = test.name())
        }
        PtsUnequal::OnlyIn(at, test) => {
            say!(lang, "pts-unequal-only-in", side = side(*at), test = test.name())
        }
    }
}

/// Largest number of figures in a chart, which has to fit on a sheet of paper.
const MOST_ROWS: usize = 28;

/// Returns the ratios of each test as a chart: one row per figure with its interval, faster and slower figures coloured.
pub fn charts(c: &PtsComparison, lang: Lang) -> Vec<Chart> {
    let mut tests: Vec<PtsTest> = Vec::new();
    for row in &c.rows {
        if !tests.contains(&row.test) {
            tests.push(row.test);
        }
    }
    let [a, b] = &c.sides;
    let chart = |test: PtsTest, part: usize, parts: usize, rows: &[&PtsRow]| {
        // The first figure is at the top.
        let rows: Vec<&PtsRow> = rows.iter().rev().copied().collect();
        let set = |colour: usize, name: String, verdict: Verdict| {
            let mine = rows.iter().enumerate().filter(|(_, row)| row.speed == verdict);
            let range =
                |(at, row): (usize, &&PtsRow)| Range { row: at, low: row.ratio.low, high: row.ratio.high };
            RangeSet { name, colour, ranges: mine.map(range).collect() }
        };
        let sets = [
            set(2, say!(lang, "compare-faster"), Verdict::More),
            set(1, say!(lang, "compare-slower"), Verdict::Less),
            set(0, say!(lang, "compare-same"), Verdict::Same),
            set(7, say!(lang, "compare-unknown"), Verdict::Unknown),
        ];
        let title = say!(lang, "pts-ratio", a, b);
        let number = if parts > 1 { (part + 1).to_string() } else { String::new() };
        Chart {
            id: chart::id(&["pts", test.name(), "ratio", a, b, &number]),
            section: names::test(lang, test),
            title: if parts > 1 { format!("{title} ({}/{parts})", part + 1) } else { title },
            note: say!(lang, "pts-note-ratio"),
            x: Axis::log(say!(lang, "pts-axis-ratio", a, b), Quantity::Ratio),
            y: Axis::names(
                say!(lang, "pts-column-figure"),
                rows.iter().map(|row| name(row.figure, lang)).collect(),
            ),
            form: Form::Ranges { sets: sets.into_iter().filter(|set| !set.ranges.is_empty()).collect() },
            marks: vec![Mark { upwards: true, at: 1.0, label: say!(lang, "pts-mark-equal") }],
            ..Chart::default()
        }
    };
    let of_test = |test: PtsTest| {
        let rows: Vec<&PtsRow> = c.rows.iter().filter(|row| row.test == test).collect();
        let parts = rows.len().div_ceil(MOST_ROWS);
        let size = rows.len().div_ceil(parts.max(1)).max(1);
        let chunks = rows.chunks(size).enumerate();
        chunks.map(|(part, rows)| chart(test, part, parts, rows)).collect::<Vec<_>>()
    };
    tests.into_iter().flat_map(of_test).collect()
}
