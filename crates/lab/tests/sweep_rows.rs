//! Rows of a sweep: the figures of several visits, and the best row.
#![allow(clippy::unwrap_used)]

use stats::Grade;
use stats::estimate::Estimate;
use stats::study::{Access, Cell, Point, Study, StudyAsked};
use stats::sweep::{SweepAsked, SweepCell, SweepEdge, SweepNoBestReason, best, rows, without_best};

fn cell(iodepth: u32, numjobs: u32) -> SweepCell {
    let access = Access { rw: "randread".into(), bs: 4096, ..Access::default() };
    SweepCell { access, iodepth, numjobs, runtime_s: 1.0, percent: None }
}

fn asked(cells: Vec<SweepCell>, repeats: u32) -> SweepAsked {
    SweepAsked { cells, repeats, ..SweepAsked::default() }
}

fn visit(ordinal: usize, load: &SweepCell, rate: u64, grade: Grade) -> Point {
    let mut point: Point = serde_json::from_value(serde_json::json!({
        "ordinal": ordinal, "question": "grid", "cell": Cell::of(0, &load.access, 1, 1), "began_ms": 0, "rest_s": 0.0,
        "seconds": 1.0, "cut_s": 0.0, "iops": Estimate::around(rate as f64, 1.0), "bytes_per_second": 0.0, "slices": 40,
        "correlation": 0.0, "mean_ns": 1e9 / rate as f64, "p50_ns": null, "p99_ns": null, "p999_ns": null,
        "util_percent": null, "await_ms": null, "queue": null, "cpu_percent": 0.0, "ios": rate, "bytes": rate * 4096,
        "ended": "time_up", "trend": stats::study::Trend::Level, "grade": "A", "findings": [], "series": stats::Series::default()
    }))
    .unwrap();
    point.grade = grade;
    point
}

/// Returns a study whose cells have these rates in their visits.
fn study(cells: Vec<SweepCell>, rates: &[&[(u64, Grade)]]) -> Study {
    let sweep = asked(cells, rates[0].len() as u32);
    let mut seen = vec![0; rates.len()];
    let mut points = Vec::new();
    for (ordinal, cell) in sweep.order(7).into_iter().enumerate() {
        let (rate, grade) = rates[cell][seen[cell]];
        seen[cell] += 1;
        points.push(visit(ordinal, &sweep.cells[cell], rate, grade));
    }
    Study {
        asked: StudyAsked { seed: 7, sweep: Some(sweep), ..StudyAsked::default() },
        points,
        ..Study::default()
    }
}

#[test]
fn row_combines_its_visits_with_an_interval_between_them() {
    let good = |rate| (rate, Grade::Trusted);
    let study = study(vec![cell(1, 1)], &[&[good(90), good(100), good(110)]]);
    let row = &rows(&study)[0];
    assert_eq!((row.visits, row.ios, row.iops.value), (3, 300, 100.0));
    // Student's t of two degrees of freedom is 4.303; the standard error is 10 / sqrt(3).
    assert!((row.iops.high - 100.0 - 24.84).abs() < 0.05, "{:?}", row.iops);
    assert!((row.bytes_per_second.value - 409_600.0).abs() < 1e-6);
}

#[test]
fn best_ignores_rows_that_did_not_measure_the_device() {
    let (good, bad) = (Grade::Trusted, Grade::NotTheDevice);
    let cells = vec![cell(1, 1), cell(2, 1), cell(4, 1)];
    let mixed = study(cells.clone(), &[&[(100, good)], &[(200, good)], &[(900, bad)]]);
    let found = best(&mixed, &rows(&mixed));
    assert_eq!((found[0].row, found[0].unusable), (1, 1));
    assert!(found[0].at_edge.is_empty());
    let none = study(cells, &[&[(100, bad)], &[(200, bad)], &[(900, bad)]]);
    assert!(best(&none, &rows(&none)).is_empty());
}

#[test]
fn best_has_the_fewest_in_flight_and_names_the_edge() {
    let good = |rate| (rate, Grade::Trusted);
    let flat = study(vec![cell(1, 1), cell(2, 1), cell(4, 1)], &[&[good(100)], &[good(196)], &[good(200)]]);
    let found = best(&flat, &rows(&flat));
    assert_eq!((found[0].row, found[0].highest, found[0].at_edge.len()), (1, 2, 0));
    // Twice as many in flight in two jobs are no better: a larger depth would not be.
    let wide = study(vec![cell(1, 1), cell(4, 1), cell(4, 2)], &[&[good(100)], &[good(400)], &[good(401)]]);
    let found = best(&wide, &rows(&wide));
    assert_eq!((found[0].row, found[0].at_edge.len()), (1, 0));
    let rising = study(vec![cell(1, 1), cell(2, 1), cell(4, 1)], &[&[good(100)], &[good(200)], &[good(400)]]);
    let found = best(&rising, &rows(&rising));
    assert_eq!((found[0].row, &found[0].at_edge[..]), (2, &[SweepEdge::Iodepth][..]));
}

#[test]
fn unusable_visit_does_not_count_beside_usable_ones() {
    let study = study(
        vec![cell(1, 1)],
        &[&[(100, Grade::Trusted), (900, Grade::NotTheDevice), (102, Grade::Trusted)]],
    );
    let row = &rows(&study)[0];
    assert_eq!((row.visits, row.unusable, row.iops.value, row.grade), (2, 1, 101.0, Some(Grade::Trusted)));
}

/// A sweep that ended early has no best row before each of its cells has been visited, and a provisional one before all
/// its visits are made.
#[test]
fn best_of_an_unfinished_sweep_waits_for_every_cell() {
    let good = |rate| (rate, Grade::Trusted);
    let rates = [&[good(100); 3][..], &[good(200); 3], &[good(400); 3], &[good(800); 3]];
    let whole = study(vec![cell(1, 1), cell(2, 1), cell(4, 1), cell(8, 1)], &rates);
    let cut = |visits: usize| Study { points: whole.points[..visits].to_vec(), ..whole.clone() };
    let found = |study: &Study| (best(study, &rows(study)), without_best(study, &rows(study)));
    for visits in 0..4 {
        let (best, none) = found(&cut(visits));
        assert!(best.is_empty(), "{visits} visits: {best:?}");
        let why = SweepNoBestReason::Unvisited { cells: 4 - visits, of: 4 };
        assert_eq!(none.iter().map(|none| none.why).collect::<Vec<_>>(), [why], "{visits} visits");
    }
    for visits in 4..=12 {
        let (best, none) = found(&cut(visits));
        assert_eq!((best[0].row, best[0].missing, none.len()), (3, 12 - visits, 0), "{visits} visits");
    }
    // A cell whose visits all failed has no row, but is no reason to wait.
    let mut failed = whole.clone();
    let order = failed.asked.sweep.as_ref().unwrap().order(7);
    let failing = order.iter().copied().find(|cell| *cell != order[11]).unwrap();
    failed.points.retain(|p| order[p.ordinal as usize] != failing);
    let (best, none) = found(&failed);
    assert_eq!((best.len(), best[0].missing, none.len()), (1, 3, 0), "{none:?}");
}

/// A rate whose interval begins near zero is no basis for a recommendation.
#[test]
fn best_whose_visits_differ_too_much_is_not_recommended() {
    let good = |rate| (rate, Grade::Trusted);
    for (rates, certain) in [([good(400), good(420)], true), ([good(300), good(700)], false)] {
        let wide = study(vec![cell(1, 1), cell(2, 1)], &[&[good(100), good(100)], &rates]);
        let (best, none) = (best(&wide, &rows(&wide)), without_best(&wide, &rows(&wide)));
        assert_eq!((best.len() == 1, none.is_empty()), (certain, certain), "{rates:?}: {best:?} {none:?}");
        assert!(certain || none[0].why == SweepNoBestReason::Uncertain { row: 1 });
    }
}

#[test]
fn pattern_with_one_row_of_the_device_has_no_best() {
    let (good, bad) = (Grade::Trusted, Grade::NotTheDevice);
    let cells = vec![cell(1, 1), cell(2, 1), cell(4, 1)];
    for usable in 0..2 {
        let grade = |n: usize| if n < usable { good } else { bad };
        let mixed = study(cells.clone(), &[&[(100, grade(0))], &[(200, grade(1))], &[(900, grade(2))]]);
        assert!(best(&mixed, &rows(&mixed)).is_empty());
        let none = without_best(&mixed, &rows(&mixed));
        assert_eq!(none.len(), 1);
        assert_eq!(none[0].why, SweepNoBestReason::NotTheDevice { usable, of: 3 });
    }
}
