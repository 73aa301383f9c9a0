//! Report of `fathom pts` from the results of an artificial device: every plot and table of the specification, the header,
//! the comparison of devices, and the data for other programs.
#![allow(clippy::unwrap_used)]

#[path = "samples/pts.rs"]
mod pts;

use pts::{asked, study};
use report::Lang;
use report::chart::{self, Chart, Form, Look};
use report::pts::header::{Stated, header, statement_of};
use report::pts::{compare, csv, page, tables};
use stats::estimate::Verdict;
use stats::pts::comparison::{self, PtsUnequal};
use stats::pts::{
    PtsCacheControl, PtsClass, PtsDeviation, PtsFinding, PtsResult, PtsSaturationEnd, PtsStudy, PtsTest,
};
use stats::{Claim, Finding, Grade};
use std::path::Path;
use std::sync::LazyLock;

/// All eight tests of one device; building it takes a second.
static WHOLE: LazyLock<PtsStudy> = LazyLock::new(|| study("Alpha 2TB", 1.0, asked(&PtsTest::ALL, 1)));
/// A device that is 30 % faster.
static FASTER: LazyLock<PtsStudy> = LazyLock::new(|| study("Beta 2TB", 1.3, asked(&PtsTest::ALL, 1)));

/// Compares with `tests/golden/pts/NAME`; `FATHOM_BLESS=1` writes it.
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/pts").join(name);
    if std::env::var_os("FATHOM_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "{name} changed; FATHOM_BLESS=1 cargo test -p fathom-report writes it");
}

fn find<'a>(charts: &'a [Chart], id: &str) -> &'a Chart {
    let known = || charts.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join(" ");
    charts.iter().find(|c| c.id == id).unwrap_or_else(|| panic!("no {id} in {}", known()))
}

/// Returns a text without spaces and line ends: where a line is wrapped depends on the language.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect()
}

fn only(test: PtsTest) -> PtsStudy {
    let mut one = WHOLE.clone();
    one.runs.retain(|run| run.test == test);
    one.asked.tests = vec![test];
    one
}

/// Pages to be looked at: the whole report, a rehearsal, and two devices.
#[test]
fn pages_are_written_to_be_looked_at() {
    let album = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let stated = Stated { tested_by: "J. Doe, Lab 3".into(), began: "2026-11-28 15:00".into(), when: None };
    let rehearsal = study("Alpha 2TB", 1.0, asked(&[PtsTest::Iops, PtsTest::Wsat], 60));
    let names = [("S1".to_string(), &*WHOLE), ("S2".to_string(), &*FASTER)];
    let found = comparison::compare(("S1", &WHOLE), ("S2", &FASTER), false);
    let pages = [
        ("whole", page::of_study("S7", &WHOLE, &stated, Lang::En)),
        ("rehearsal", page::of_study("S8", &rehearsal, &stated, Lang::De)),
        ("devices", page::of_several(&names, &[found], "0.1.0", Lang::En)),
    ];
    for (name, page) in pages {
        let html = page.render(Lang::En).unwrap();
        assert!(html.contains("class=\"running\""), "{name}");
        std::fs::write(album.join(format!("pts-{name}.html")), html).unwrap();
    }
}

#[test]
fn whole_study_of_the_artificial_device_is_steady() {
    for run in &WHOLE.runs {
        assert!(run.complete, "{}", run.test.name());
        assert_ne!(run.steady(), Some(false), "{}", run.test.name());
        assert!(run.conforms(), "{:?}", run.deviations);
    }
}

#[test]
fn every_test_has_the_plots_of_the_specification() {
    let charts = chart::pts::charts(&WHOLE, Lang::En);
    let expected = [
        (
            "iops",
            "convergence tracked window-iops-rnd-4k-0-100 window-iops-rnd-64k-65-35 window-iops-rnd-1m-100-0 by-block-size by-mix",
        ),
        ("throughput", "write-1m read-1m window-1m write-128k read-128k window-128k by-block-size"),
        (
            "latency",
            "mean-convergence max-convergence window-latency mean-by-mix tail-by-mix max-by-mix histogram-writes percentiles",
        ),
        ("wsat", "iops written fills latency window-iops histogram-writes percentiles"),
        ("hir", "preconditioning window-preconditioning course by-wait means"),
        ("xsr", "throughput mean max transition-1 transition-2"),
        (
            "cbw",
            "preconditioning window-preconditioning pre-writes convergence window-demand variation intensity outstanding surface-iops surface-mean surface-cpu operating-writes histogram-max histogram-mid histogram-min percentiles",
        ),
        (
            "dirth",
            "preconditioning window-preconditioning pre-writes convergence window-demand variation intensity outstanding surface-iops surface-mean surface-cpu operating-writes histogram-max histogram-mid histogram-min percentiles",
        ),
    ];
    let expected: Vec<String> = expected
        .iter()
        .flat_map(|(test, ids)| ids.split(' ').map(move |id| format!("pts-{test}-{id}")))
        .collect();
    assert_eq!(charts.iter().map(|c| c.id.clone()).collect::<Vec<_>>(), expected);
}

#[test]
fn charts_are_the_same_in_every_language() {
    let of = |lang| {
        let charts = chart::pts::charts(&WHOLE, lang);
        for chart in &charts {
            assert!(!chart.title.is_empty() && !chart.note.is_empty() && !chart.section.is_empty());
            assert!(!chart.x.label.is_empty() && !chart.y.label.is_empty(), "{}", chart.id);
        }
        charts.into_iter().map(|chart| chart.id).collect::<Vec<_>>()
    };
    for lang in Lang::ALL {
        assert_eq!(of(lang), of(Lang::En), "{}", lang.name());
    }
}

#[test]
fn convergence_shows_every_round_and_shades_the_window() {
    let charts = chart::pts::charts(&WHOLE, Lang::En);
    let PtsResult::Iops(matrix) = &WHOLE.runs[0].result else { panic!() };
    let chart = find(&charts, "pts-iops-convergence");
    let names: Vec<&str> = chart.form.series().iter().map(|line| line.name.as_str()).collect();
    let expected = ["1M", "128k", "64k", "32k", "16k", "8k", "4k", "512"].map(|bs| format!("RND {bs} 0/100"));
    assert_eq!(names, expected);
    for line in chart.form.series() {
        assert_eq!(line.points.len(), matrix.rounds.len());
    }
    let [first, last] = matrix.steady.window.unwrap().map(f64::from);
    assert_eq!((chart.spans[0].from, chart.spans[0].to), (first, last));
    // The line of 4 KiB writes has the values that decide.
    let line = &chart.form.series()[6];
    let values: Vec<f64> = line.points.iter().filter_map(|dot| dot.y).collect();
    assert_eq!(values, matrix.steady.variables[0].values);
}

#[test]
fn window_has_its_values_average_limits_and_fitted_line() {
    let charts = chart::pts::charts(&WHOLE, Lang::En);
    let window = WHOLE.runs[0].result.steady()[0].variables[0].window.unwrap();
    let chart = find(&charts, "pts-iops-window-iops-rnd-4k-0-100");
    let [measured, average, above, below, fit] = chart.form.series() else { panic!("{chart:?}") };
    assert_eq!(measured.points.iter().map(|dot| dot.y.unwrap()).collect::<Vec<_>>(), window.values);
    assert_eq!(average.points[0].y, Some(window.average));
    assert_eq!(above.points[1].y, Some(1.1 * window.average));
    assert_eq!(below.points[1].y, Some(0.9 * window.average));
    assert_eq!(fit.points[1].y, Some(window.fitted(window.last())));
    assert_eq!([average, above, below].map(|line| line.look), [Look::Dashed; 3]);
    assert!(chart.y.fitted && !chart.y.log);
}

#[test]
fn iops_table_has_the_mean_of_the_window_in_every_cell() {
    let all = tables::tables(&only(PtsTest::Iops), Lang::En);
    let table = all.iter().find(|table| table.id == "pts-table-iops-iops").unwrap();
    assert_eq!(table.head[1..], ["0/100", "5/95", "35/65", "50/50", "65/35", "95/5", "100/0"]);
    assert_eq!(table.rows.len(), 8);
    let PtsResult::Iops(matrix) = &WHOLE.runs[0].result else { panic!() };
    let [first, last] = matrix.steady.window.unwrap();
    for cell in &matrix.cells {
        let rounds = matrix.rounds.iter().filter(|round| (first..=last).contains(&round.number));
        let values: Vec<f64> = rounds.map(|round| round.sample(&cell.load).unwrap().iops).collect();
        assert_eq!(values.len(), 5);
        let mean = values.iter().sum::<f64>() / 5.0;
        let row = table.rows.iter().find(
            |row| matches!(cell.load.block, stats::pts::PtsBlock::Bytes(bytes) if row[0] == block(bytes)),
        );
        let column = table
            .head
            .iter()
            .position(|head| *head == format!("{}/{}", cell.load.reads, 100 - cell.load.reads));
        assert_eq!(row.unwrap()[column.unwrap()], format!("{mean:.1}"));
    }
}

fn block(bytes: u64) -> String {
    match bytes {
        512 => "512".into(),
        bytes if bytes < 1 << 20 => format!("{}k", bytes >> 10),
        bytes => format!("{}M", bytes >> 20),
    }
}

#[test]
fn tables_of_all_tests_stay_as_they_are() {
    golden("tables.txt", &tables::text(&WHOLE, Lang::En, 160));
    for lang in Lang::ALL {
        let text = tables::text(&WHOLE, lang, 80);
        assert!(text.lines().all(|line| report::columns(line) <= 80), "{}", lang.name());
    }
}

#[test]
fn header_has_the_fields_of_the_specification() {
    let stated = Stated { tested_by: "J. Doe, Lab 3".into(), began: "2026-11-28 15:00".into(), when: None };
    let text = |facts: Vec<(String, String)>| {
        facts.iter().map(|(name, value)| format!("{name}: {value}\n")).collect::<String>()
    };
    let shown = |study: &PtsStudy, stated: &Stated| {
        text(header(study, &study.runs.iter().collect::<Vec<_>>(), stated, Lang::En))
    };
    let each = WHOLE.runs.iter().map(|run| text(header(&WHOLE, &[run], &stated, Lang::En)) + "\n");
    golden("header.txt", &(shown(&WHOLE, &stated) + "\n" + &each.collect::<String>()));
    let one = shown(&only(PtsTest::Wsat), &Stated::default());
    assert!(one.contains("tested by: not stated\n") && one.contains("(WIPC): none\n"), "{one}");
}

#[test]
fn statement_names_every_deviation_and_conforming_results_have_none() {
    assert_eq!(statement_of(&WHOLE, Lang::En), "");
    let mut derived = study("Alpha 2TB", 1.0, asked(&[PtsTest::Latency], 60));
    derived.runs[0].deviations.push(PtsDeviation::NotPurged);
    assert_eq!(
        statement_of(&derived, Lang::En),
        "PTS-derived, not conformant: all durations are divided by 60; the device was not purged."
    );
    let charts = chart::pts::charts(&derived, Lang::En);
    assert!(charts.iter().all(|chart| chart.title.ends_with(" [PTS-derived, scale 1/60]")));
    derived.complete = false;
    for lang in Lang::ALL {
        let text = statement_of(&derived, lang);
        assert!(text.contains("60"), "{text}");
        let page = page::of_study("S7", &derived, &Stated::default(), lang);
        let html = page.render(lang).unwrap();
        assert!(html.contains("class=\"statement\""), "{}", lang.name());
    }
}

/// Steady state of one block size of the throughput test is none of the other.
#[test]
fn throughput_that_failed_at_one_block_size_is_said_with_the_size() {
    let mut one = only(PtsTest::Throughput);
    let PtsResult::Throughput(parts) = &mut one.runs[0].result else { panic!() };
    assert_eq!(parts[0].block, 1 << 20);
    parts[0].matrix.steady.met_at = None;
    parts[0].matrix.steady.window = Some([21, 25]);
    for lang in Lang::ALL {
        let card = unwrapped(&report::pts_run::card(lang, &one, 400));
        let [failed, met] = card.split(";128k:").collect::<Vec<_>>()[..] else { panic!("{card}") };
        assert!(failed.contains(";1024k:") && failed.contains("25"), "{card}");
        assert!(!met.contains("25"), "{card}");
        let statement = statement_of(&one, lang);
        assert!(statement.contains("throughput (1M)"), "{statement}");
        let html = page::of_study("S7", &one, &Stated::default(), lang).render(lang).unwrap();
        assert!(html.contains("1M: ") && html.contains("128k: "), "{}", lang.name());
    }
    let card = unwrapped(&report::pts_run::card(Lang::En, &one, 400));
    let failed =
        "; 1024k: steady state NOT achieved, figures of rounds 21 to 25; 128k: steady state at round 5";
    assert!(card.contains(&unwrapped(failed)), "{card}");
}

/// The limit of a control group is on card, page and JSON, once, with the number of steps that reached it.
#[test]
fn findings_of_the_steps_are_said_once_with_their_number() {
    let mut one = only(PtsTest::Latency);
    let cap = Claim::Cap { device: "loop0".into(), server: false, iops: true, limit: 2000, seen: 1999.0 };
    one.findings = vec![PtsFinding {
        rule: cap.rule().into(),
        grade: cap.grade(),
        finding: Finding::new(String::new(), cap.clone()),
        steps: 45,
        all_steps: 46,
    }];
    for lang in Lang::ALL {
        let card = report::pts_run::card(lang, &one, 100);
        assert!(["45", "46", "M33 (C)"].iter().all(|part| card.contains(part)), "{card}");
        assert_eq!(card.matches("M33").count(), 1, "{card}");
        let page = page::of_study("S7", &one, &Stated::default(), lang);
        assert_eq!((page.grade, page.findings.len()), (Some(Grade::Conditions), 1));
        assert!(page.render(lang).unwrap().contains("M33"), "{}", lang.name());
    }
    let json: serde_json::Value = serde_json::from_str(&report::export::json(&one)).unwrap();
    let found = &json["findings"][0];
    assert_eq!((&found["rule"], &found["grade"], &found["steps"]), (&"M33".into(), &"C".into(), &45.into()));
    assert_eq!(found["finding"]["claim"]["name"], "cap");
    let text = report::pts_run::card(Lang::En, &one, 100);
    assert!(text.contains("in 45 of 46 measured steps: M33 (C)"), "{text}");
}

/// A line that rises steeply is below zero at round 0, also where its unit is bytes.
#[test]
fn fitted_line_below_zero_has_its_sign() {
    let mut one = only(PtsTest::Throughput);
    let PtsResult::Throughput(parts) = &mut one.runs[0].result else { panic!() };
    let window = parts[0].matrix.steady.variables[0].window.as_mut().unwrap();
    (window.intercept, window.slope) = (-1.06e9, 123e6);
    let all = tables::tables(&one, Lang::En);
    let table = all.iter().find(|table| table.id == "pts-table-throughput-steady").unwrap();
    assert!(table.rows[0].contains(&"-1.06 GB/s + 123 MB/s R".to_string()), "{:?}", table.rows[0]);
}

#[test]
fn caption_of_maxima_does_not_call_them_means() {
    for lang in Lang::ALL {
        let charts = chart::pts::charts(&WHOLE, lang);
        let all = tables::tables(&only(PtsTest::Latency), lang);
        let note = |what: &str| {
            let id = format!("pts-table-latency-{what}");
            all.iter().find(|table| table.id == id).unwrap().note.clone()
        };
        let of_chart = |what: &str| find(&charts, &format!("pts-latency-{what}-by-mix")).note.clone();
        assert_ne!(note("max"), note("mean"), "{}", lang.name());
        assert_eq!((of_chart("max"), of_chart("tail")), (note("max"), note("mean")));
    }
}

/// Only a second group that came to its end without the rate of the first shows that the device does not recover.
#[test]
fn unfinished_xsr_is_not_judged_as_not_recovered() {
    let mut one = only(PtsTest::Xsr);
    let PtsResult::Xsr(cross) = &mut one.runs[0].result else { panic!() };
    (cross.recovery_minutes, cross.nearly_recovered_minutes) = (None, None);
    assert!(report::pts_run::card(Lang::En, &one, 100).contains("not recovered"));
    let PtsResult::Xsr(cross) = &mut one.runs[0].result else { panic!() };
    cross.second.clear();
    one.runs[0].complete = false;
    let card = report::pts_run::card(Lang::En, &one, 100);
    assert!(card.contains("recovery not measured yet") && !card.contains("not recovered"), "{card}");
}

/// The header agrees with the statement below it: what the kernel assumes is not the state of the cache. The file of a loop
/// device is part of its name, and no serial number.
#[test]
fn header_of_a_loop_device_names_its_file_and_no_serial_number() {
    let mut one = only(PtsTest::Latency);
    one.device.identity = "/srv/a.img".into();
    let cache = one.runs[0].write_cache.as_mut().unwrap();
    (cache.control, cache.during) = (PtsCacheControl::Kernel, Some(true));
    let of = |lang| header(&one, &[&one.runs[0]], &Stated::default(), lang);
    let facts = of(Lang::En);
    let value = |name: &str| facts.iter().find(|(known, _)| known == name).unwrap().1.as_str();
    assert_eq!(value("device name"), "/dev/nvme0n1 (/srv/a.img)");
    assert_eq!(value("serial number"), "not known");
    assert_eq!(value("write cache"), "not known; the kernel assumes WCE (queue/write_cache)");
    for lang in Lang::ALL {
        assert_eq!(of(lang).iter().filter(|(_, value)| value.contains("/srv/a.img")).count(), 1);
    }
}

#[test]
fn end_of_a_scaled_saturation_test_is_said_with_the_scale() {
    let mut one = only(PtsTest::Wsat);
    let PtsResult::Wsat(saturation) = &mut one.runs[0].result else { panic!() };
    saturation.ended = Some(PtsSaturationEnd::Time);
    one.runs[0].deviations = vec![PtsDeviation::Scaled { by: 1440 }];
    for lang in Lang::ALL {
        let text = tables::text(&one, lang, 160);
        assert!(text.contains("1440"), "{text}");
    }
}

#[test]
fn refusal_for_a_signature_says_how_it_is_removed() {
    let what = stats::contents::Contents::new(stats::contents::ContentsClass::FileSystem, "ext4");
    let signature = facts::signature::Signature { what, offset: 1080 };
    let refused = |uses| {
        let reason = lab::pts::error::PtsRefusal::Carries(uses);
        let refused = lab::pts::error::PtsError::Refused { path: "/dev/sdz".into(), reason };
        Lang::ALL.map(|lang| report::pts_run::error(lang, &refused).contains("wipefs -a /dev/sdz"))
    };
    assert_eq!(refused(vec![facts::usage::Use::Carries(signature)]), [true; 4]);
}

#[test]
fn svg_files_stay_as_they_are() {
    let charts = chart::pts::charts(&WHOLE, Lang::En);
    let shown = [
        "pts-iops-window-iops-rnd-4k-0-100",
        "pts-iops-by-block-size",
        "pts-iops-by-mix",
        "pts-latency-histogram-writes",
        "pts-wsat-latency",
        "pts-hir-means",
        "pts-xsr-throughput",
        "pts-dirth-intensity",
    ];
    for id in shown {
        let svg = chart::svg::svg(find(&charts, id));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{id}");
        golden(&format!("{id}.svg"), &svg);
    }
}

#[test]
fn terminal_charts_fit_into_eighty_columns() {
    let mut text = String::new();
    for chart in chart::pts::charts(&WHOLE, Lang::En) {
        let drawn = chart::terminal::draw(&chart, 80, true);
        assert!(drawn.is_ascii() && drawn.lines().all(|line| line.len() <= 80), "{drawn}");
        assert!(drawn.lines().count() > 4, "{drawn}");
        text += &drawn;
        text.push('\n');
    }
    golden("terminal.txt", &text);
}

#[test]
fn csv_has_a_row_for_every_sample() {
    let one = only(PtsTest::Throughput);
    let text = csv::csv(&one);
    let PtsResult::Throughput(parts) = &one.runs[0].result else { panic!() };
    let samples: usize = parts
        .iter()
        .map(|p| p.matrix.fill.len() + p.matrix.rounds.iter().map(|r| r.samples.len()).sum::<usize>())
        .sum();
    assert_eq!(text.lines().count(), samples + 1);
    let columns = text.lines().next().unwrap().split(',').count();
    assert!(text.lines().all(|line| line.split(',').count() == columns));
    // Five rounds of two cells of each block size are in a window.
    let in_window = text.lines().filter(|line| line.split(',').nth(6) == Some("1")).count();
    assert_eq!(in_window, 5 * 2 * parts.len());
    // Every test: fields of the composite workload are empty where it has no block size.
    let whole = csv::csv(&WHOLE);
    assert!(whole.lines().any(|line| line.contains(",cbw,") && line.contains(",random,40,,32,32,")));
}

#[test]
fn json_reads_back() {
    let one = only(PtsTest::Latency);
    let back: PtsStudy = serde_json::from_str(&report::export::json(&one)).unwrap();
    // Numbers are printed in as many digits as they need.
    assert_eq!(back, one);
}

#[test]
fn faster_device_is_faster_and_equal_devices_are_not() {
    let found = comparison::compare(("S1", &WHOLE), ("S2", &FASTER), false);
    assert_eq!(found.unequal, []);
    let together = found.together.unwrap();
    assert!(together.holds(1.3) && together.verdict() == Verdict::More, "{together:?}");
    assert_eq!(found.count(Verdict::Less), 0);
    // Latencies fall where rates rise.
    for row in &found.rows {
        let faster = if row.figure.more_is_better() { row.ratio.value } else { 1.0 / row.ratio.value };
        let recovery = row.figure == comparison::PtsFigure::Recovery;
        assert!(recovery || (1.1..1.6).contains(&faster), "{row:?}");
    }
    let text = compare::render(&found, Lang::En, 100);
    golden("compare.txt", &text);
    golden("compare.md", &compare::markdown(&found, Lang::En));
    assert!(compare::slower(&found, 5.0, Lang::En).is_none());
    let reverse = comparison::compare(("S2", &FASTER), ("S1", &WHOLE), false);
    let line = compare::slower(&reverse, 5.0, Lang::En).unwrap();
    assert!(line.contains("S1 is more than 5 % slower than S2"), "{line}");
    let same = study("Gamma 2TB", 1.0, asked(&[PtsTest::Iops], 1));
    let equal = comparison::compare(("S1", &only(PtsTest::Iops)), ("S3", &same), false);
    assert_eq!([Verdict::More, Verdict::Less].map(|verdict| equal.count(verdict)), [0, 0]);
    assert!(equal.together.unwrap().holds(1.0));
}

#[test]
fn different_conditions_are_refused_and_other_differences_named() {
    let base = only(PtsTest::Wsat);
    let refused = |change: &dyn Fn(&mut PtsStudy)| {
        let mut other = base.clone();
        change(&mut other);
        let found = comparison::compare(("S1", &base), ("S2", &other), false);
        assert!(found.is_refused() && found.rows.is_empty(), "{found:?}");
        for lang in Lang::ALL {
            assert!(compare::refusal(&found, lang).contains("S2"));
        }
        found.unequal[0]
    };
    assert_eq!(refused(&|s| s.complete = false), PtsUnequal::Unfinished(1));
    assert_eq!(refused(&|s| s.asked.class = PtsClass::Client), PtsUnequal::Class);
    assert_eq!(refused(&|s| s.asked.scale = 60), PtsUnequal::Scale([1, 60]));
    assert_eq!(refused(&|s| s.asked.depth = 16), PtsUnequal::Demand([[4, 32], [4, 16]]));
    assert_eq!(refused(&|s| s.asked.active_range_percent = 75.0), PtsUnequal::ActiveRange([100.0, 75.0]));
    assert_eq!(refused(&|s| s.runs.clear()), PtsUnequal::NoTestInCommon);
    let cached = |s: &mut PtsStudy| s.runs[0].write_cache.as_mut().unwrap().during = Some(true);
    assert_eq!(refused(&cached), PtsUnequal::WriteCache(PtsTest::Wsat));
    let mut derived = base.clone();
    derived.runs[0].deviations.push(PtsDeviation::DiscardOnly);
    let found = comparison::compare(("S1", &base), ("S2", &derived), false);
    assert_eq!(
        (found.is_refused(), &found.unequal[..]),
        (false, &[PtsUnequal::Derived(1, PtsTest::Wsat)][..])
    );
    let mut other = base.clone();
    other.asked.scale = 60;
    assert!(!comparison::compare(("S1", &base), ("S2", &other), true).rows.is_empty());
}

#[test]
fn charts_of_two_devices_have_a_line_for_each() {
    let studies = [("A".to_string(), &*WHOLE), ("B".to_string(), &*FASTER)];
    let charts = chart::pts::overlay(&studies, Lang::En);
    let chart = find(&charts, "pts-wsat-iops");
    let names: Vec<&str> = chart.form.series().iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
    // Eight block sizes of two devices are a chart each, of which one is shown at a time.
    let split = find(&charts, "pts-iops-convergence-rnd-4k-0-100");
    assert_eq!(split.form.series().len(), 2);
    assert!(split.choice.is_some());
    let bars = find(&charts, "pts-iops-devices");
    assert!(matches!(&bars.form, Form::Bars { series } if series.len() == 2 && series[0].points.len() == 9));
    assert!(charts.iter().all(|chart| !chart.id.contains("-window-")));
    let found = comparison::compare(("S1", &WHOLE), ("S2", &FASTER), false);
    let ratios = compare::charts(&found, Lang::En);
    // The 56 cells of the IOPS test fill two sheets.
    assert_eq!(ratios.len(), 9);
    let names = [("S1".to_string(), &*WHOLE), ("S2".to_string(), &*FASTER)];
    let page = page::of_several(&names, &[found], "0.1.0", Lang::En);
    let html = page.render(Lang::En).unwrap();
    assert!(html.contains("Alpha 2TB") && html.contains("Beta 2TB"));
}
