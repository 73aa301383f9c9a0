use super::*;
use crate::direction::Direction;
use proptest::prelude::*;

fn log(kind: LogKind, name: &str, samples: &[[f64; 2]]) -> LogSeries {
    LogSeries {
        source: String::new(),
        run: String::new(),
        name: name.into(),
        kind,
        direction: Direction::Read,
        depth: 0,
        jobs: 0,
        per_io: false,
        samples: samples.to_vec(),
    }
}

#[test]
fn a_sample_stands_for_the_time_since_the_one_before() {
    // 10 for the first second, 30 for the next half, 20 for the rest of the second one.
    let track = log(LogKind::Iops, "a", &[[1.0, 10.0], [1.5, 30.0], [2.0, 20.0]]);
    assert_eq!(on_grid(&track, 1.0).values, [Some(10.0), Some(25.0)]);
    assert_eq!(on_grid(&track, 2.0).values, [Some(17.5)]);
    assert_eq!(time_mean(&track.samples), Some(17.5));
    // A line of two seconds counts twice; an unweighted mean over lines says 15.
    let track = [[2.0, 10.0], [3.0, 20.0]];
    assert_eq!(time_mean(&track), Some(40.0 / 3.0));
    assert_eq!(figures(&track).unwrap().mean, 15.0);
}

#[test]
fn jobs_are_joined_by_time_and_not_by_line() {
    // The second job logs half as often: its second line is of the time of the first one's third and fourth.
    let a = log(LogKind::Iops, "a", &[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]);
    let b = log(LogKind::Iops, "b", &[[2.0, 10.0], [4.0, 20.0]]);
    let both = together(&[&a, &b], &[], 1.0).unwrap();
    assert_eq!(both.samples, [[1.0, 11.0], [2.0, 12.0], [3.0, 23.0], [4.0, 24.0]]);
    // One that ended early does nothing afterwards; the other goes on.
    let short = log(LogKind::Iops, "c", &[[1.0, 5.0]]);
    assert_eq!(together(&[&a, &short], &[], 1.0).unwrap().samples[1..], [[2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]);
}

#[test]
fn latencies_of_jobs_weigh_with_their_ios() {
    let slow = log(LogKind::Lat, "a", &[[1.0, 1000.0], [2.0, 1000.0]]);
    let fast = log(LogKind::Lat, "b", &[[1.0, 100.0], [2.0, 100.0]]);
    let rates = [("a", 10.0), ("b", 90.0)].map(|(name, v)| log(LogKind::Iops, name, &[[1.0, v], [2.0, v]]));
    let both = together(&[&slow, &fast], &[&rates[0], &rates[1]], 1.0).unwrap();
    assert_eq!(both.samples, [[1.0, 190.0], [2.0, 190.0]]);
    // Without the rates of both logs, all logs have equal weight.
    assert_eq!(together(&[&slow, &fast], &[&rates[0]], 1.0).unwrap().samples[0], [1.0, 550.0]);
}

#[test]
fn a_gap_is_no_time() {
    let samples = [[1.0, 10.0], [2.0, 10.0], [3.0, 10.0], [8.0, 50.0], [9.0, 50.0]];
    let track = log(LogKind::Lat, "a", &samples);
    let of = |v: f64| Some(v);
    assert_eq!(
        on_grid(&track, 1.0).values,
        [of(10.0), of(10.0), of(10.0), None, None, None, None, of(50.0), of(50.0)]
    );
    assert_eq!(stretches(&samples), [&samples[..3], &samples[3..]]);
    assert_eq!(time_mean(&samples), Some(26.0));
    // Nothing of one side of a gap is in the smoothed other side.
    assert_eq!(
        smoothed(&samples, 20.0).iter().map(|s| s[1]).collect::<Vec<_>>(),
        [10.0, 10.0, 10.0, 50.0, 50.0]
    );
    // Time that a late start took is none either.
    assert_eq!(spans(&[[60.0, 1.0], [61.0, 1.0], [62.0, 1.0]])[0].from, 59.0);
    assert_eq!(stretches(&[]), Vec::<&[[f64; 2]]>::new());
}

#[test]
fn one_line_per_io_becomes_a_rate() {
    let events: Vec<[f64; 2]> = (1..=1000).map(|k| [f64::from(k) * 0.002, 1.0]).collect();
    assert_eq!(rates(&events, 1.0), [[1.0, 500.0], [2.0, 500.0]]);
    // A second without an I/O is 0, and not a gap.
    assert_eq!(rates(&[[0.5, 4.0], [2.5, 4.0], [3.0, 4.0]], 1.0), [[1.0, 4.0], [2.0, 0.0], [3.0, 8.0]]);
    assert_eq!(rates(&[[0.0, 1.0], [0.0, 1.0]], 1.0), Vec::<[f64; 2]>::new());
    // Latencies of single I/Os have percentiles, means of intervals have none.
    let mut track = log(LogKind::Clat, "a", &[[0.1, 100.0], [0.1, 50.0], [1.5, 7.0]]);
    assert_eq!(distribution(&track), None);
    track.per_io = true;
    assert_eq!(distribution(&track).unwrap().quantile(50.0), Some(50));
    assert_eq!(on_grid(&track, 1.0).values, [Some(75.0), Some(7.0)]);
}

#[test]
fn the_moving_average_is_over_seconds() {
    let samples: Vec<[f64; 2]> = (1..=100).map(|k| [f64::from(k) * 0.1, f64::from(k % 2)]).collect();
    let smooth = smoothed(&samples, 1.0);
    assert!(smooth[10..90].iter().all(|s| (s[1] - 0.5).abs() < 0.051), "{smooth:?}");
    assert_eq!(smooth.len(), samples.len());
    let same = smoothed(&samples, 0.0);
    assert!(same.iter().zip(&samples).all(|(a, b)| (a[1] - b[1]).abs() < 1e-9));
}

#[test]
fn a_trend_follows_a_line_and_not_an_outlier() {
    let mut track = log(LogKind::Lat, "a", &[]);
    track.samples = (1..=40).map(|k| [f64::from(k), 3.0 + 2.0 * f64::from(k)]).collect();
    let found = line(&track.samples).unwrap();
    assert!((found.per_second - 2.0).abs() < 1e-9 && (found.at_zero - 3.0).abs() < 1e-9);
    assert!(trend(&track).iter().all(|[x, y]| (y - 3.0 - 2.0 * x).abs() < 1e-6));
    track.samples[20][1] = 10_000.0;
    assert!(trend(&track).iter().all(|[x, y]| (y - 3.0 - 2.0 * x).abs() < 1.0), "{:?}", trend(&track));
    assert!((line(&track.samples).unwrap().at(21.0) - 45.0).abs() > 100.0);
    // Many samples are put on a grid first.
    track.samples = (1..=5000).map(|k| [f64::from(k) / 100.0, 7.0]).collect();
    assert_eq!(trend(&track).len(), 400);
    assert_eq!((trend(&log(LogKind::Lat, "a", &[])), line(&[[1.0, 1.0]])), (Vec::new(), None));
}

#[test]
fn percentiles_over_time_come_from_all_ios_of_the_time() {
    let histogram = |values: &[(u64, u64)]| {
        let mut h = Histogram::default();
        values.iter().for_each(|(v, n)| h.record(*v, *n));
        h
    };
    let one = |name: &str, samples: Vec<(f64, Histogram)>| HistogramLog {
        source: String::new(),
        run: String::new(),
        name: name.into(),
        direction: Direction::Read,
        depth: 0,
        jobs: 0,
        samples,
    };
    let a = one("a", vec![(1.0, histogram(&[(100, 990)])), (2.0, histogram(&[(100, 1000)]))]);
    let b = one("b", vec![(1.0, histogram(&[(120, 5), (99, 5)])), (5.0, histogram(&[(64, 1)]))]);
    assert_eq!(percentile_over_time(&[&a, &b], 99.9, 1.0), [[1.0, 120.0], [2.0, 100.0], [5.0, 64.0]]);
    assert_eq!(percentile_over_time(&[&a, &b], 50.0, 5.0), [[5.0, 100.0]]);
}

proptest! {
    #[test]
    fn no_log_panics_and_a_grid_keeps_the_area(steps in prop::collection::vec((0.0f64..3.0, -1e9f64..1e9), 0..60), step in 0.01f64..5.0) {
        let mut time = 0.0;
        let samples: Vec<[f64; 2]> = steps.iter().map(|(dt, v)| { time += dt; [time, *v] }).collect();
        let track = log(LogKind::Lat, "a", &samples);
        let _ = (smoothed(&samples, step), trend(&track), line(&samples), figures(&samples));
        let parts: usize = stretches(&samples).iter().map(|s| s.len()).sum();
        prop_assert_eq!(parts, samples.len());
        let _ = together(&[&track, &track], &[], step);
        // Over one cell that holds all of it the mean is that over time.
        let whole = on_grid(&track, time + 1.0).values;
        if let (Some(Some(mean)), Some(over_time)) = (whole.first(), time_mean(&samples)) {
            prop_assert!((mean - over_time).abs() <= 1e-6 * 1e9);
        }
    }

    #[test]
    fn strange_times_are_no_panic(samples in prop::collection::vec((any::<f64>(), any::<f64>()), 0..20), step in any::<f64>()) {
        let mut samples: Vec<[f64; 2]> = samples.into_iter().map(|(t, v)| [t.abs(), v]).filter(|s| s[0] < 1e15).collect();
        samples.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let track = log(LogKind::Iops, "a", &samples);
        let _ = (on_grid(&track, step), rates(&samples, step), smoothed(&samples, step), trend(&track), time_mean(&samples));
    }
}
