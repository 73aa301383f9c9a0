//! A study and loads to draw: a knee, block sizes that cross, a cell that was not measured, an interruption.

use stats::depth_curve::{DepthCurve, DepthLaw, Scalability, TwoLines};
use stats::study::{
    Access, Cell, Conclusion, Ended, Estimate, MeasuredLoad, PercentileIntervals, Point, Question,
    RecommendedLoad, Study, StudyAsked, StudyClaim, StudyTarget, Trend, Unit,
};
use stats::{Direction, Flow, Grade, Histogram, Measured, Quantile, Series, Spread, Window};

fn series(windows: Vec<Window>) -> Series {
    let mut series = Series::default();
    series.windows = windows;
    series
}

fn randread() -> Access {
    Access { rw: "randread".into(), bs: 4096, reads: None, sync: None }
}

fn point(ordinal: u32, question: Question, depth: u32, jobs: u32, iops: f64) -> Point {
    let windows = (0..60)
        .map(|at| Window {
            nanos: 50_000_000,
            ios: [((iops / 20.0) as u64) + (at * 7919) % 41, 0, 0],
            bytes: [0; 3],
        })
        .collect();
    Point {
        ordinal,
        question,
        cell: Cell {
            target: 0,
            access: randread(),
            depth,
            jobs,
            span: None,
            setting: None,
            rate: None,
            hosts: None,
        },
        began_ms: 1000 * u64::from(ordinal),
        rest_s: 0.0,
        seconds: 3.0,
        cut_s: if ordinal == 2 { 0.5 } else { 0.0 },
        counted: Default::default(),
        max_ns: 0,
        iops: Estimate::around(iops, iops / 50.0),
        bytes_per_second: iops * 4096.0,
        slices: 30,
        correlation: 0.1,
        mean_ns: 1e9 * f64::from(depth * jobs) / iops,
        p50_ns: Some((0.9e9 * f64::from(depth * jobs) / iops) as u64),
        p99_ns: Some((3e9 * f64::from(depth * jobs) / iops) as u64),
        p999_ns: None,
        tails: PercentileIntervals {
            independent: 1000.0,
            p99: Some([2_900_000, 3_400_000]),
            ..PercentileIntervals::default()
        },
        util_percent: Some(100.0_f64.min(iops / 90.0)),
        await_ms: None,
        queue: None,
        cpu_percent: 10.0,
        ios: (3.0 * iops) as u64,
        bytes: (3.0 * iops * 4096.0) as u64,
        ended: Ended::Enough,
        trend: Trend::Level,
        grade: Grade::Trusted,
        findings: Vec::new(),
        series: series(windows),
        latencies: Histogram::default(),
        state: Vec::new(),
        host_iops: Vec::new(),
    }
}

fn conclusion(question: Question, claim: StudyClaim, value: f64, unit: Unit) -> Conclusion {
    Conclusion {
        target: 0,
        access: randread(),
        question,
        claim,
        estimate: Estimate::around(value, value / 100.0),
        unit,
        measured: MeasuredLoad { seconds: 12.5, bytes: 1 << 30, span: 1 << 34 },
        evidence: vec![3],
        caveats: Vec::new(),
    }
}

/// A device with a knee at 8, block sizes that cross at 16 KiB, and a cell of the table that was not measured.
pub fn study() -> Study {
    let mut points: Vec<Point> =
        [(1, 1000.0), (2, 1990.0), (4, 3900.0), (8, 7800.0), (16, 8000.0), (32, 8010.0)]
            .iter()
            .enumerate()
            .map(|(at, (depth, iops))| point(at as u32, Question::Depth, *depth, 1, *iops))
            .collect();
    points.push(point(6, Question::Depth, 8, 1, 7700.0));
    points.push(point(7, Question::Grid, 4, 2, 7750.0));
    for (at, bs) in [512u64, 4096, 16384, 65536, 1 << 20].into_iter().enumerate() {
        let iops = 8000.0_f64.min(131_072_000.0 / bs as f64);
        let mut one = point(8 + at as u32, Question::Bs, 8, 1, iops);
        one.cell.access.bs = bs;
        points.push(one);
    }
    let (lines, scalability) = (
        TwoLines { each: 1000.0, most: 8000.0 },
        Scalability { each: 1000.0, contention: 0.01, coherency: 0.0004 },
    );
    let some = Estimate::around(8000.0, 80.0);
    Study {
        id: 7,
        version: "0.1.0".into(),
        asked: StudyAsked {
            targets: vec!["/dev/x".into()],
            patterns: vec![randread()],
            ..StudyAsked::default()
        },
        targets: vec![StudyTarget {
            name: "/dev/x".into(),
            size: 1 << 34,
            sector: 512,
            ..StudyTarget::default()
        }],
        points,
        loads: vec![RecommendedLoad {
            target: 0,
            access: randread(),
            iodepth: 8,
            numjobs: 1,
            runtime_s: 12,
            iops: some,
            mean_ns: 1e6,
        }],
        conclusions: vec![
            conclusion(
                Question::Depth,
                StudyClaim::Knee {
                    in_flight: 8,
                    between: Some([7, 8]),
                    there: some,
                    mean_ns: 1e6,
                    p99_ns: Some(3_000_000),
                    p99_between: None,
                    alone_ns: 1e6,
                    bound: 8.0,
                },
                8000.0,
                Unit::Iops,
            ),
            conclusion(
                Question::Depth,
                StudyClaim::Curve {
                    curve: DepthCurve {
                        shape: DepthLaw::TwoLines,
                        lines,
                        scalability,
                        lines_off_percent: 1.0,
                        scalability_off_percent: 9.0,
                    },
                    up_to: 32,
                },
                8000.0,
                Unit::Iops,
            ),
            conclusion(
                Question::Bs,
                StudyClaim::Crossover {
                    full_bandwidth: 65536,
                    full_iops: 4096,
                    bandwidth: Estimate::around(131e6, 1e6),
                    iops: some,
                    in_flight: 8,
                },
                16384.0,
                Unit::Bytes,
            ),
        ],
        spent_s: 39.0,
        complete: true,
        ..Study::default()
    }
}

pub fn load(name: &str, direction: Direction, slower: u64) -> Measured {
    let mut histogram = Histogram::default();
    (0..5000u64).for_each(|at| histogram.record((100_000 + (at * 7919) % 90_000) * slower, 1));
    histogram.record(40_000_000 * slower, 3);
    let quantiles = [1.0, 50.0, 90.0, 99.0, 99.9, 99.99]
        .iter()
        .map(|p| Quantile { percent: *p, ns: histogram.quantile(*p).unwrap() as f64, between: None })
        .collect();
    let lat = Spread {
        n: histogram.count(),
        mean_ns: 150_000.0,
        max_ns: 40_000_000.0 * slower as f64,
        quantiles,
        histogram: Some(histogram),
        ..Spread::default()
    };
    let windows = (0..50)
        .map(|at| {
            let mut w = Window { nanos: 100_000_000, ..Window::default() };
            w.ios[direction as usize] = if (20..25).contains(&at) { 3 } else { 600 + at };
            w.bytes[direction as usize] = w.ios[direction as usize] * 4096;
            w
        })
        .collect();
    Measured {
        source: "R7".into(),
        name: name.into(),
        access: randread(),
        depth: 1,
        jobs: 1,
        seconds: 5.0,
        flows: vec![Flow {
            direction,
            ios: 5003,
            bytes: 5003 * 4096,
            iops: Estimate::around(6000.0 / slower as f64, 300.0),
            bytes_per_second: 6000.0 * 4096.0 / slower as f64,
            lat: Some(lat),
            ..Flow::default()
        }],
        cpu_percent: Some([3.0, 12.0]),
        series: Some(series(windows)),
        ..Measured::default()
    }
}

/// The ranking of a SATA SSD, with an own device of which one figure is known.
pub fn ranking() -> stats::ranking::Ranking {
    let mut loads =
        [load("a", Direction::Read, 1), load("b", Direction::Read, 1), load("c", Direction::Read, 1)];
    for (load, (rw, bs, depth, iops)) in loads.iter_mut().zip([
        ("randread", 4096, 1, 9_000.0),
        ("randread", 4096, 32, 80_000.0),
        ("read", 1 << 20, 8, 500.0),
    ]) {
        load.access = Access { rw: rw.into(), bs, ..Access::default() };
        (load.depth, load.jobs) = (depth, 1);
        load.flows[0].iops = Estimate::bare(iops);
        load.flows[0].bytes_per_second = iops * bs as f64;
    }
    let mut all = lab::device_class::catalogue().clone();
    let own = lab::device_class::KnownDevice {
        class: "ssd-sata".into(),
        name: "db7 SSD".into(),
        read_qd1: Some(8_500.0),
        read_qd32: None,
        write_qd1: None,
        sync_write_qd1: None,
        sequential: None,
        latency_us: None,
        source: "fathom 0.1.0 (A)".into(),
    };
    all.own.push(own);
    lab::device_class::rank::rank(&all, "R7", &loads).unwrap()
}
