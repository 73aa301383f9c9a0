//! Charts of fio's files: what is drawn is what the files say, what they do not say is not drawn.
#![allow(clippy::unwrap_used)]

use report::Lang;
use report::chart::{Chart, Form, files, svg, terminal};
use stats::outcome::LatencyRanges;
use stats::study::{Access, Estimate};
use stats::{Direction, Flow, Histogram, HistogramLog, LogKind, LogSeries, Measured, Quantile, Spread};

fn load(source: &str, depth: u32, jobs: u32, flows: &[(Direction, f64)]) -> Measured {
    let flow = |(direction, iops): &(Direction, f64)| Flow {
        direction: *direction,
        ios: 100,
        iops: Estimate { value: *iops, low: *iops, high: *iops },
        bytes_per_second: iops * 4096.0,
        lat: Some(Spread { n: 100, mean_ns: 1e9 / iops, ..Spread::default() }),
        ..Flow::default()
    };
    let rw = if flows.len() > 1 { "randrw" } else { "randread" };
    Measured {
        source: source.into(),
        name: "j".into(),
        access: Access { rw: rw.into(), bs: 4096, reads: None, sync: None },
        depth,
        jobs,
        flows: flows.iter().map(flow).collect(),
        ..Measured::default()
    }
}

const READ: Direction = Direction::Read;

/// The chart whose id begins so.
fn chart<'a>(charts: &'a [Chart], begin: &str) -> &'a Chart {
    let ids = || charts.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join(" ");
    charts.iter().find(|c| c.id.starts_with(begin)).unwrap_or_else(|| panic!("no {begin} among {}", ids()))
}

fn cells(chart: &Chart) -> Vec<(usize, usize, f64)> {
    let Form::Heat { cells, .. } = &chart.form else { panic!("{} is no heat map", chart.id) };
    cells.clone()
}

/// Place and value of each bar or point of a line.
fn line(chart: &Chart, name: &str) -> Vec<(f64, Option<f64>)> {
    let lines = chart.form.series();
    let names = || lines.iter().map(|l| l.name.as_str()).collect::<Vec<_>>().join(", ");
    let own =
        lines.iter().find(|l| l.name == name).unwrap_or_else(|| panic!("no {name:?} among {}", names()));
    own.points.iter().map(|d| (d.x, d.y)).collect()
}

#[test]
fn a_cell_that_was_not_measured_is_not_drawn() {
    let loads = [(1, 1, 10.0), (4, 1, 40.0), (4, 2, 80.0)].map(|(d, j, v)| load("a", d, j, &[(READ, v)]));
    let charts = files::grids(&loads, Lang::En);
    assert_eq!(cells(chart(&charts, "grid-iops")), [(0, 0, 10.0), (1, 0, 40.0), (1, 1, 80.0)]);
    assert_eq!(line(chart(&charts, "by-depth-iops"), "numjobs 2"), [(1.0, Some(80.0))]);
    assert_eq!(line(chart(&charts, "by-jobs-iops"), "iodepth 4"), [(0.0, Some(40.0)), (1.0, Some(80.0))]);
    assert_eq!(line(chart(&charts, "by-depth-latency"), "numjobs 1")[0], (0.0, Some(1e8)));
    assert_eq!(cells(chart(&charts, "grid-rate"))[2], (1, 1, 80.0 * 4096.0));
    assert_eq!(chart(&charts, "by-depth-iops").x.categories, ["1", "4"]);
    // One cell alone has nothing to be drawn over; unknown depths have no place.
    assert!(files::grids(&loads[..1], Lang::En).is_empty());
    assert!(
        files::grids(&[load("a", 0, 1, &[(READ, 1.0)]), load("a", 2, 0, &[(READ, 1.0)])], Lang::En)
            .is_empty()
    );
}

#[test]
fn two_files_of_one_cell_are_drawn_from_each_and_named() {
    let loads = [("a", 1, 10.0), ("a", 2, 20.0), ("b", 1, 30.0)].map(|(s, d, v)| load(s, d, 1, &[(READ, v)]));
    let charts = files::grids(&loads, Lang::En);
    let bars = chart(&charts, "by-depth-iops");
    assert_eq!(line(bars, "numjobs 1"), [(0.0, Some(10.0)), (1.0, Some(20.0))]);
    assert_eq!(line(bars, "numjobs 1, b"), [(0.0, Some(30.0))]);
    // Both maps too, where there are jobs to make them of.
    let loads = [loads.to_vec(), vec![load("a", 1, 2, &[(READ, 15.0)])]].concat();
    let maps: Vec<_> =
        files::grids(&loads, Lang::En).into_iter().filter(|c| c.id.starts_with("grid-iops")).collect();
    assert_eq!(maps.iter().map(|c| cells(c).len()).collect::<Vec<_>>(), [3, 1]);
    assert!(maps[1].title.ends_with(", b") && maps[0].id != maps[1].id);
}

#[test]
fn directions_are_apart() {
    let mixed = |d, r, w| load("a", d, 1, &[(READ, r), (Direction::Write, w)]);
    let charts = files::grids(&[mixed(1, 10.0, 1.0), mixed(2, 20.0, 2.0)], Lang::En);
    let drawn: Vec<_> = charts.iter().filter(|c| c.id.starts_with("by-depth-iops")).collect();
    assert_eq!(
        drawn.iter().map(|c| c.section.as_str()).collect::<Vec<_>>(),
        ["randrw 4k read", "randrw 4k write"]
    );
    assert_eq!(line(drawn[1], "numjobs 1"), [(0.0, Some(1.0)), (1.0, Some(2.0))]);
}

/// A load whose percentiles are of the kinds given, at 50 %.
fn known(source: &str, lat: Option<f64>, clat: Option<f64>) -> Measured {
    let spread = |ns: f64| Spread {
        n: 100,
        mean_ns: ns,
        quantiles: vec![Quantile { percent: 50.0, ns, between: None }],
        ..Spread::default()
    };
    let mut load = load(source, 1, 1, &[(READ, 10.0)]);
    (load.flows[0].lat, load.flows[0].clat) = (lat.map(spread), clat.map(spread));
    load
}

/// Axis, loads and medians of the bars of latency.
fn medians(loads: &[Measured]) -> Vec<(String, Vec<String>, Vec<Option<f64>>)> {
    let charts = report::chart::load::charts(loads, Lang::En);
    let own = charts.iter().filter(|c| c.id.starts_with("bars-latency"));
    let values = |c: &Chart| line(c, "p50").iter().map(|(_, y)| *y).collect();
    own.map(|c| (c.y.label.clone(), c.x.categories.clone(), values(c))).collect()
}

/// Total and completion latency are two figures: no chart has both as one.
#[test]
fn total_and_completion_latency_are_never_in_one_chart() {
    let (lat, clat) = ("total latency (lat)", "completion latency (clat)");
    let names = |all: &[&str]| all.iter().map(|n| format!("{n}: j")).collect::<Vec<_>>();
    let apart = medians(&[known("a", Some(9.0), None), known("b", None, Some(7.0))]);
    assert_eq!(
        apart,
        [
            (lat.to_string(), names(&["a"]), vec![Some(9.0)]),
            (clat.to_string(), names(&["b"]), vec![Some(7.0)])
        ]
    );
    // One kind that both know is the one that is drawn of both.
    let both = medians(&[known("a", Some(9.0), Some(8.0)), known("b", None, Some(7.0))]);
    assert_eq!(both, [(clat.to_string(), names(&["a", "b"]), vec![Some(8.0), Some(7.0)])]);
    // The table names the kind of each row.
    let table = report::points::loads(&[known("a", Some(9.0), None), known("b", None, Some(7.0))], Lang::En);
    let word = |source: &str| {
        let row = table.lines().find(|l| l.trim_start().starts_with(source)).unwrap();
        ["lat", "clat"].into_iter().find(|kind| row.split_whitespace().any(|w| w == *kind)).unwrap()
    };
    assert_eq!((word("a"), word("b")), ("lat", "clat"));
}

/// Depths of one engine and of another are no rows of one table.
#[test]
fn loads_under_other_conditions_are_in_grids_of_their_own() {
    let of = |source, depth, engine: &str, iops| {
        let mut load = load(source, depth, 1, &[(READ, iops)]);
        load.conditions.engine = Some(engine.into());
        load
    };
    let loads =
        [("a", 1, "libaio", 1.0), ("b", 2, "libaio", 2.0), ("c", 1, "psync", 3.0), ("d", 4, "psync", 4.0)];
    let charts =
        files::grids(&loads.map(|(source, depth, engine, iops)| of(source, depth, engine, iops)), Lang::En);
    let drawn: Vec<_> = charts.iter().filter(|c| c.id.starts_with("by-depth-iops")).collect();
    let sections: Vec<&str> = drawn.iter().map(|c| c.section.as_str()).collect();
    assert_eq!(sections, ["randread 4k, ioengine=libaio", "randread 4k, ioengine=psync"]);
    assert_eq!(line(drawn[0], "numjobs 1"), [(0.0, Some(1.0)), (1.0, Some(2.0))]);
    assert_eq!(line(drawn[1], "numjobs 1"), [(0.0, Some(3.0)), (1.0, Some(4.0))]);
}

/// What loads, files and lines are called stands whole in the terminal, whatever their names begin with.
#[test]
fn names_in_the_terminal_are_whole() {
    let name =
        |n: u32| format!("dir-{n}/a-name-that-leaves-hardly-any-room-beside-it-in-80-columns-{n}.json");
    let loads: Vec<Measured> = (1..4).map(|n| known(&name(n), Some(f64::from(n)), None)).collect();
    let bars = report::chart::load::charts(&loads, Lang::En);
    let logs: Vec<LogSeries> = (1..4)
        .map(|n| log(&name(n), &name(n), LogKind::Iops, READ, &[[1.0, 5.0], [2.0, 6.0], [3.0, 6.0]]))
        .collect();
    let over_time = files::over_time(&logs, &[], Lang::En);
    let drawn =
        [chart(&bars, "bars-iops"), chart(&over_time, "logs-iops-raw"), chart(&over_time, "time-by-file")];
    for chart in drawn {
        let shown = terminal::draw(chart, 80, false);
        for n in 1..4 {
            assert!(shown.contains(&name(n)), "{} cuts {}:\n{shown}", chart.id, name(n));
        }
        assert!(shown.lines().all(|l| l.chars().count() <= 80), "{shown}");
    }
}

#[test]
fn ranges_of_all_directions_together_are_drawn_as_such() {
    let mut both = load("a", 1, 1, &[(READ, 10.0), (Direction::Write, 1.0)]);
    let mut ranges = LatencyRanges { ns: [0.0; 10], us: [0.0; 10], ms: [0.0; 12], below_2_us: 0.0 };
    (ranges.us[1], ranges.us[3], ranges.ms[11]) = (25.0, 70.0, 5.0);
    both.ranges = Some(ranges);
    let charts = files::grids(std::slice::from_ref(&both), Lang::En);
    let shares = line(chart(&charts, "ranges"), "a: j");
    assert_eq!((shares[0].1, shares[2].1, shares.last().unwrap().1), (Some(25.0), Some(70.0), Some(5.0)));
    assert!(chart(&charts, "ranges").note.contains("Reads, writes and trims together"));
    // Where every I/O's bucket is known, they are left out.
    let mut histogram = Histogram::default();
    histogram.record(5, 100);
    both.flows[0].lat.as_mut().unwrap().histogram = Some(histogram);
    assert!(files::grids(&[both], Lang::En).is_empty());
}

fn log(run: &str, name: &str, kind: LogKind, direction: Direction, samples: &[[f64; 2]]) -> LogSeries {
    LogSeries {
        source: format!("{name}.log"),
        run: run.into(),
        name: name.into(),
        kind,
        direction,
        depth: 0,
        jobs: 0,
        per_io: false,
        samples: samples.to_vec(),
    }
}

#[test]
fn a_gap_interrupts_every_line() {
    let samples = [[1.0, 10.0], [2.0, 10.0], [3.0, 10.0], [9.0, 40.0], [10.0, 40.0]];
    let charts = files::over_time(&[log("d/a", "a", LogKind::Lat, READ, &samples)], &[], Lang::En);
    let drawn = chart(&charts, "log-lat-a-read");
    assert_eq!(drawn.form.series().len(), 3);
    for own in drawn.form.series() {
        let broken: Vec<f64> = own.points.iter().filter(|d| d.y.is_none()).map(|d| d.x).collect();
        assert_eq!(broken, [9.0], "{}", own.name);
    }
    // The mean is over the time that is known: 3 s of 10 and 2 s of 40.
    assert_eq!(drawn.marks[0].at, 22.0);
}

#[test]
fn jobs_of_a_run_are_one_line_and_runs_are_compared() {
    let of = |run: &str, name: &str, direction, v: f64| {
        log(run, name, LogKind::Iops, direction, &[[1.0, v], [2.0, v], [3.0, v]])
    };
    let tracks = [
        of("d/a", "a.1", READ, 10.0),
        of("d/a", "a.2", READ, 5.0),
        of("d/a", "a.1", Direction::Write, 1.0),
        of("e/a", "a", READ, 7.0),
    ];
    let charts = files::over_time(&tracks, &[], Lang::En);
    let values = |name: &str| {
        let points = line(chart(&charts, "logs-iops-raw"), name);
        points.iter().map(|p| p.1.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(values("d/a read"), [15.0; 3]);
    assert_eq!((values("d/a write"), values("e/a read")), (vec![1.0; 3], vec![7.0; 3]));
    assert!(
        charts.iter().any(|c| c.id == "logs-iops-smoothed")
            && charts.iter().any(|c| c.id == "logs-iops-trend")
    );
    // Figures and the map are of each file and direction.
    assert_eq!(chart(&charts, "per-file-iops").x.categories, ["a.1 read", "a.2 read", "a.1 write", "a read"]);
    assert_eq!(line(chart(&charts, "per-file-iops"), "mean")[1], (1.0, Some(5.0)));
    assert_eq!(cells(chart(&charts, "time-by-file-iops")).len(), 12);
}

#[test]
fn files_of_a_map_are_joined_by_time() {
    let often = log("a", "a", LogKind::Bandwidth, READ, &[[1.0, 1.0], [2.0, 3.0], [3.0, 5.0], [4.0, 7.0]]);
    let seldom = log("b", "b", LogKind::Bandwidth, READ, &[[2.0, 10.0], [4.0, 20.0]]);
    let charts = files::over_time(&[often, seldom], &[], Lang::En);
    let map = cells(chart(&charts, "time-by-file-bw"));
    assert_eq!(map, [(0, 0, 2.0), (1, 0, 6.0), (0, 1, 10.0), (1, 1, 20.0)]);
}

#[test]
fn percentiles_over_time_are_of_the_histograms() {
    let samples = [(1.0, [(100, 99), (120, 1)]), (2.0, [(100, 50), (110, 50)])].map(|(time, counts)| {
        let mut h = Histogram::default();
        counts.iter().for_each(|(ns, n)| h.record(*ns, *n));
        (time, h)
    });
    let own = HistogramLog {
        source: "x".into(),
        run: "d/x".into(),
        name: "x".into(),
        direction: READ,
        depth: 0,
        jobs: 0,
        samples: samples.to_vec(),
    };
    let charts = files::over_time(&[], &[own], Lang::En);
    let drawn = chart(&charts, "percentiles-over-time-x-read");
    assert_eq!(line(drawn, "p99"), [(1.0, Some(100.0)), (2.0, Some(110.0))]);
    assert_eq!(line(drawn, "p99.9"), [(1.0, Some(120.0)), (2.0, Some(110.0))]);
}

#[test]
fn strange_logs_are_drawn_or_not_but_never_a_panic() {
    let odd: [&[[f64; 2]]; 6] = [
        &[],
        &[[0.0, 1.0]],
        &[[0.0, 1.0], [0.0, 2.0]],
        &[[1e12, 1e300], [2e12, 0.0]],
        &[[1.0, 0.0]],
        &[[0.001, 5.0], [1e9, 5.0]],
    ];
    for (samples, lang) in odd.iter().flat_map(|s| Lang::ALL.map(|l| (s, l))) {
        for per_io in [false, true] {
            let mut own = log("", "", LogKind::Clat, READ, samples);
            own.per_io = per_io;
            for chart in files::over_time(&[own.clone(), own], &[], lang) {
                assert!(svg::svg(&chart).starts_with("<svg") || svg::svg(&chart).starts_with("<?xml"));
                let _ = terminal::draw(&chart, 60, true);
            }
        }
    }
}
