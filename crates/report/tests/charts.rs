//! Charts as files and in the terminal: what is drawn does not change unnoticed, stays within its columns and its
//! characters, and names every number's unit.
#![allow(clippy::unwrap_used)]

#[path = "samples/drawn.rs"]
mod drawn;

use drawn::{load, ranking, study};
use report::Lang;
use report::chart::{self, Chart, Form};
use stats::Direction;
use std::path::Path;

fn all(lang: Lang) -> Vec<Chart> {
    let mut charts = chart::study::charts(&study(), lang);
    charts
        .extend(chart::load::charts(&[load("a", Direction::Read, 1), load("b", Direction::Write, 3)], lang));
    charts.extend(chart::ranges::charts(&ranking(), lang));
    charts
}

/// Compares with `tests/golden/charts/NAME`; `FATHOM_BLESS=1` writes it.
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/charts").join(name);
    if std::env::var_os("FATHOM_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == text,
        "{name} changed; FATHOM_BLESS=1 cargo test -p fathom-report writes it, look at it then"
    );
}

#[test]
fn svg_files_stay_as_they_are() {
    let charts = all(Lang::En);
    // One of each kind: curves with laws, marks and visits; blocks; a table with holes; steps with a cut and a band; bars
    // with intervals; steps with an interruption; shares.
    let kinds = [
        "4k-randread-iops",
        "4k-randread-latency",
        "4k-randread-hockey",
        "4k-randread-bs-rate",
        "4k-randread-grid-iops",
        "point-2",
        "bars-iops",
        "bars-latency",
        "latency-cdf",
        "percentiles",
        "histogram-a",
        "time-iops-a",
        "rank-read-qd1",
    ];
    for id in kinds {
        let one = charts.iter().find(|c| c.id == id).unwrap_or_else(|| panic!("no {id}"));
        let svg = chart::svg::svg(one);
        assert!(
            svg.contains("<svg") && svg.contains("<title>") && !svg.contains("NaN") && !svg.contains("inf"),
            "{id}"
        );
        golden(&format!("{id}.svg"), &svg);
        assert_eq!(chart::svg::svg(one), svg, "{id}: drawn again it is the same");
    }
}

#[test]
fn every_chart_has_a_name_of_its_own_a_sentence_and_numbers() {
    for lang in Lang::ALL {
        let charts = all(lang);
        let names: std::collections::BTreeSet<&str> = charts.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(names.len(), charts.len());
        for c in &charts {
            assert!(!c.note.is_empty() && !c.title.is_empty() && !c.section.is_empty(), "{}", c.id);
            assert!(c.id.chars().all(|x| x.is_ascii_alphanumeric() || x == '-'), "{}", c.id);
            let some = match &c.form {
                Form::Heat { cells, .. } => !cells.is_empty(),
                Form::Ranges { sets } => sets.iter().any(|set| !set.ranges.is_empty()),
                form => form.series().iter().any(|s| s.points.iter().any(|d| d.y.is_some())),
            };
            assert!(some, "{} is empty", c.id);
        }
        // What is drawn is the same in every language.
        let ids = |charts: &[Chart]| charts.iter().map(|c| c.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&charts), ids(&all(Lang::En)));
    }
}

#[test]
fn the_terminal_has_eighty_columns_no_colour_and_where_asked_no_unicode() {
    let charts = all(Lang::En);
    let mut text = String::new();
    for c in charts.iter().filter(|c| c.choice.is_none()) {
        for plain in [false, true] {
            let drawn = chart::terminal::draw(c, 80, plain);
            assert!(drawn.lines().all(|l| l.chars().count() <= 80), "{drawn}");
            assert!(!drawn.contains('\u{1b}') && (!plain || drawn.is_ascii()), "{drawn}");
            assert!(drawn.lines().count() >= 2, "{drawn}");
            text += &drawn;
            text.push('\n');
        }
    }
    golden("terminal.txt", &text);
}

#[test]
fn png_files_are_pictures_of_their_size() {
    for c in all(Lang::En).iter().filter(|c| c.choice.is_none()) {
        let png = chart::svg::png(c).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n"), "{}", c.id);
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!(side(16), 1440, "{}", c.id);
        assert!((700..1400).contains(&side(20)) && png.len() > 8000, "{} {}", side(20), png.len());
    }
}

#[test]
fn what_was_not_measured_is_not_drawn_and_a_gap_is_a_gap() {
    let charts = all(Lang::En);
    let grid = charts.iter().find(|c| c.id == "4k-randread-grid-iops").unwrap();
    let Form::Heat { cells, .. } = &grid.form else { panic!("{:?}", grid.form) };
    // Six depths with one job, one of them with two: seven of twelve.
    assert_eq!((cells.len(), grid.x.categories.len(), grid.y.categories.len()), (7, 6, 2));
    let rate = charts.iter().find(|c| c.id == "4k-randread-iops").unwrap();
    assert_eq!(rate.marks.iter().filter(|m| m.upwards).map(|m| m.at).collect::<Vec<_>>(), [8.0]);
    // A depth that was visited twice is one dot of the curve, with both visits beside it.
    let [measured, visits, ..] = rate.form.series() else { panic!("{rate:?}") };
    assert_eq!((measured.points.len(), visits.points.len()), (6, 2));
    assert!((measured.points[3].y.unwrap() - 7750.0).abs() < 1.0, "{measured:?}");
    let cut = charts.iter().find(|c| c.id == "point-2").unwrap();
    assert_eq!(cut.spans.iter().map(|s| (s.from, s.to)).collect::<Vec<_>>(), [(0.0, 0.5)]);
}

#[test]
fn unknown_values_are_not_drawn_as_zero_and_equal_names_differ() {
    let mut loads = [load("a", Direction::Read, 1), load("a", Direction::Read, 3)];
    loads[1].depth = 32;
    for one in &mut loads {
        one.flows[0].lat.as_mut().unwrap().max_ns = 0.0;
    }
    let charts = chart::load::charts(&loads, Lang::En);
    let latency = charts.iter().find(|c| c.id == "bars-latency").unwrap();
    assert_eq!(latency.x.categories, ["a, iodepth 1", "a, iodepth 32"]);
    let names: Vec<&str> = latency.form.series().iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["mean", "p50", "p99", "p99.9"]);
}

/// Each figure has a chart in which every class has its range, and the device its line. Own devices and published figures
/// are points.
#[test]
fn ranking_has_the_range_of_every_class_and_the_device() {
    let ranking = ranking();
    let charts = chart::ranges::charts(&ranking, Lang::En);
    assert_eq!(charts.len(), ranking.figures.len());
    for (at, chart) in charts.iter().enumerate() {
        let Form::Ranges { sets } = &chart.form else { panic!("{:?}", chart.form) };
        let unit = if chart.id == "rank-sequential" { 1e6 } else { 1.0 };
        let value = ranking.figures[at].1;
        assert_eq!(
            chart.marks.iter().map(|mark| mark.at).collect::<Vec<_>>(),
            [value * unit],
            "{}",
            chart.id
        );
        for class in &ranking.classes {
            let row = chart.y.categories.iter().position(|name| *name == class.name);
            let Some(ends) = class.ranges[at] else {
                assert_eq!(row, None, "{} has no range in {}", class.name, chart.id);
                continue;
            };
            let ranges = sets.iter().flat_map(|set| &set.ranges).filter(|range| Some(range.row) == row);
            let ends = ends.map(|end| end * unit);
            assert!(ranges.into_iter().any(|range| [range.low, range.high] == ends), "{}", class.name);
        }
    }
    let names = |chart: &Chart| match &chart.form {
        Form::Ranges { sets } => sets.iter().map(|set| set.name.clone()).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let all = ["classes like this device", "other classes", "published devices", "own devices"];
    assert_eq!(names(&charts[0]), all);
}
