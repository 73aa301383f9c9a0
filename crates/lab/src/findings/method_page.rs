//! Tests that the table of rules in docs/method.md has the rules, thresholds and tests of the program.

use super::{configuration as options, layers, over_time as time};
use stats::finding::LEAST_IOS;
use stats::throttle;
use stats::unit::MIB;
use std::path::{Path, PathBuf};

/// Numbers of the rules that one run cannot show; no claim has these numbers.
const NOT_FROM_ONE_RUN: [u32; 6] = [6, 7, 10, 14, 36, 37];

/// A row of the table, by its cells; the cell of the mistake is left out.
struct Row {
    id: String,
    threshold: String,
    reason: String,
    tests: String,
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(workspace().join("docs/method.md")).unwrap();
    let (_, rules) = page.split_once("\n## The rules\n").unwrap();
    let lines = rules.lines().take_while(|line| !line.starts_with("## ")).filter(|l| l.starts_with("| M"));
    let cells = lines.map(|line| line.trim_matches('|').split('|').map(|c| c.trim().to_owned()).collect());
    cells
        .map(|cells: Vec<String>| match cells.as_slice() {
            [id, mistake, threshold, reason, tests] if !mistake.is_empty() => {
                let [id, threshold, reason, tests] = [id, threshold, reason, tests].map(String::clone);
                Row { id, threshold, reason, tests }
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn the_table_has_the_forty_rules_in_order() {
    let rows = rows();
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let expected: Vec<String> = (1..=40).map(|n| format!("M{n}")).collect();
    assert_eq!(ids, expected);
    for (row, n) in rows.iter().zip(1..) {
        let never = NOT_FROM_ONE_RUN.contains(&n);
        assert_eq!(row.threshold == "not from one run", never, "{}", row.id);
        assert_eq!(row.tests == "-", never, "{}", row.id);
        assert!(!row.reason.is_empty(), "{}", row.id);
    }
    // A rule is in the program exactly if the table has a threshold for it.
    let program = std::fs::read_to_string(workspace().join("crates/stats/src/finding/claim.rs")).unwrap();
    for n in 1..=40 {
        assert_eq!(program.contains(&format!("\"M{n}\"")), !NOT_FROM_ONE_RUN.contains(&n), "M{n}");
    }
}

/// Tests that each named test is a function of `tests/findings.rs`, or with `trust:` a scenario of `xtask trust`.
#[test]
fn every_test_that_the_table_names_exists() {
    let own = include_str!("../../tests/findings.rs");
    let scenarios = std::fs::read_to_string(workspace().join("xtask/src/trust/mod.rs")).unwrap();
    for row in rows().iter().filter(|row| row.tests != "-") {
        for named in row.tests.split("; ") {
            match named.strip_prefix("trust: ") {
                Some(names) => {
                    for name in names.split(", ") {
                        assert!(scenarios.contains(&format!("name: \"{name}\"")), "{}: {name}", row.id);
                    }
                }
                None => assert!(own.contains(&format!("fn {named}()")), "{}: no test {named}", row.id),
            }
        }
    }
}

/// Tests that each threshold in the table equals the constant of the program.
#[test]
fn the_table_states_the_thresholds_of_the_program() {
    let percent = |share: f64| format!("{} %", (share * 100.0).round());
    let ms = |nanos: u64| format!("{} ms", nanos / 1_000_000);
    let between = |range: &std::ops::Range<f64>, scale: f64, unit: &str| {
        format!("{} to {} {unit}", (range.start * scale).round(), (range.end * scale).round())
    };
    let stated = [
        (1, format!("under {} of the bytes read", percent(layers::SERVED))),
        (2, format!("less than {}", if layers::PASSED == 0.5 { "half" } else { "?" })),
        (2, format!("under {}", ms(time::TURN_NS))),
        (2, format!("{} times the capacity of the link", layers::ABOVE_LINK)),
        (3, format!("at most {} MiB", options::TINY / MIB)),
        (3, format!("{} times or more", if options::TINY_PASSES == 4.0 { "four" } else { "?" })),
        (8, format!("over {} % of a target", layers::HOLES)),
        (8, format!("under {} of the bytes read", percent(layers::ALL_DATA))),
        (9, format!("over {} % of", layers::ZEROS)),
        (11, format!("{} % or more", options::SMALLER)),
        (12, format!("is {} times the rate after it", time::STEP)),
        (
            12,
            format!("{} times the standard deviation", if time::STEP_SIGMAS == 3.0 { "three" } else { "?" }),
        ),
        (12, format!("({} times that of", if time::EARLY_STEP_SIGMAS == 5.0 { "five" } else { "?" })),
        (15, format!("slope over {} % of their mean", time::SLOPE)),
        (16, format!("under {} at the median", ms(time::TURN_NS))),
        (17, format!("under {LEAST_IOS} I/Os")),
        (17, format!("wider than {} % either way", time::WIDEST)),
        (18, format!("under {} of runtime", percent(options::RAN))),
        (19, format!("under {} of a device", percent(time::STROKE))),
        (19, format!("service times of {}", between(&time::SEEK, 1e-6, "ms"))),
        (19, format!("a spread of {}", between(&time::SEEK_SPREAD, 100.0, "%"))),
        (22, format!("busy for {} % or more", time::BUSY)),
        (22, format!("took over {} % of the time", time::TAKEN)),
        (22, format!("free CPU for {} % of the time", time::WAITED)),
        (26, format!("a multiple of {}", layers::PAGE)),
        (27, format!("{} times the job's I/Os or more", layers::SPLIT)),
        (27, format!("{} of them or fewer", if layers::MERGED == 2.0 { "half" } else { "?" })),
        (27, format!("blocks under {} KiB", layers::SMALL_BLOCK >> 10)),
        (28, format!("busy {} % or more", layers::UTIL)),
        (29, format!("{},000 I/Os or more", layers::NO_BUSY_IOS / 1000)),
        (30, format!("over {} the median", if time::SKEWED == 2.0 { "twice" } else { "?" })),
        (31, format!("nothing completes for {}", ms(time::PAUSE_NS))),
        (31, format!("pauses of {} or more", ms(time::SHORT_PAUSE_NS))),
        (31, format!("over {} % of the run", time::SHORT_PAUSES)),
        (31, format!("{} median latencies", if time::SHORT_PAUSE_MEDIANS == 5 { "five" } else { "?" })),
        (31, format!("took {} a second or more", if time::STALL_NS == 500_000_000 { "half" } else { "?" })),
        (32, format!("over {} and {} MiB more", percent(layers::OTHERS), layers::OTHERS_LEAST / MIB)),
        (32, format!("above {} of the job's", if layers::MANY == 0.25 { "a quarter" } else { "?" })),
        (32, format!("{} KiB per sync", layers::JOURNAL >> 10)),
        (33, format!("within {} of the result", percent(layers::AT_CAP.end - 1.0))),
        (33, format!("p90 at most {} times p10", throttle::ALIKE)),
        (33, format!("as {} % of these", 100.0 * throttle::BESIDE)),
        (33, format!("{} or more of the time in flight", percent(throttle::IDLE_SLICES))),
        (33, format!("{} slices or more", throttle::LEAST_SLICES)),
        (33, format!("less than {} of the range", throttle::EVEN_SLICES)),
        (34, format!("over {} % of direct I/Os", time::NO_TIME)),
        (34, format!("under {} us", time::NO_TIME_NS / 1000)),
        (39, format!("over {} % used", layers::FULL)),
        (40, format!("over {} times", options::RANDOM_FASTER)),
    ];
    let rows = rows();
    for (rule, words) in stated {
        let row = &rows[rule - 1];
        assert!(row.threshold.contains(&words), "{}: not {words:?} in: {}", row.id, row.threshold);
    }
}
