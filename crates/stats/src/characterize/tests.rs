//! Estimators on drawn times: intervals cover the truth, and nothing is seen where nothing is.

use super::read_cache::{ReadCacheSeen, Round};
use super::seek::{Hops, Moves};
use super::surface::{Fall, Slice};
use super::{read_cache, regions, rotation, sample, seek, surface, writes};

/// Generator of random numbers (xorshift).
struct Draw(u64);

impl Draw {
    fn new(seed: u64) -> Draw {
        Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
}

/// A law of times with mean 1: constant, uniform, exponential, two points, or constant with rare pauses.
fn time(draw: &mut Draw, law: usize) -> f64 {
    match law {
        0 => 1.0,
        1 => 0.5 + draw.unit(),
        2 => -(1.0 - draw.unit()).ln(),
        3 => {
            if draw.unit() < 0.9 {
                0.5
            } else {
                5.5
            }
        }
        _ => {
            if draw.unit() < 0.002 {
                300.0
            } else {
                1.0
            }
        }
    }
}

const LAWS: usize = 5;

fn sum(draw: &mut Draw, law: usize, n: usize) -> f64 {
    (0..n).map(|_| time(draw, law)).sum()
}

/// Slices of memory take times of any length, as the host schedules the reader.
#[test]
fn surface_of_scattered_times_has_no_answer() {
    let slice = |at: u64| Slice {
        offset: at << 20,
        bytes: 1 << 20,
        nanos: if at.is_multiple_of(8) { 5e7 } else { 1e5 },
    };
    let curve = surface::curve((0..128).map(slice).collect()).unwrap();
    assert_eq!(curve.fall, Fall::Unclear, "{:?} {:?}", curve.outer, curve.inner);
}

/// Asserts that at least `percent` of the outcomes are true.
#[track_caller]
fn mostly(outcomes: &[bool], percent: usize) {
    let right = outcomes.iter().filter(|right| **right).count();
    assert!(right * 100 >= outcomes.len() * percent, "{right} of {}", outcomes.len());
}

#[test]
fn mean_and_median_cover_the_truth() {
    let mut draw = Draw::new(1);
    for law in 0..4 {
        let medians = [1.0, 1.0, 2f64.ln(), 0.5];
        let drawn: Vec<Vec<f64>> =
            (0..200).map(|_| (0..64).map(|_| time(&mut draw, law)).collect()).collect();
        mostly(
            &drawn.iter().map(|times| sample::median(times).unwrap().holds(medians[law])).collect::<Vec<_>>(),
            92,
        );
        mostly(&drawn.iter().map(|times| sample::mean(times).unwrap().holds(1.0)).collect::<Vec<_>>(), 88);
    }
}

#[test]
fn surface_falls_only_where_it_does() {
    let mut draw = Draw::new(2);
    for law in 0..LAWS {
        let mut of = |inner: f64| {
            let slices = (0..128u64).map(|at| {
                let depth = at as f64 / 127.0;
                let rate = (1.0 - (1.0 - inner * inner) * depth).sqrt();
                Slice {
                    offset: at << 30,
                    bytes: 16 << 20,
                    nanos: 1e6 * (8.0 / rate + sum(&mut draw, law, 16) / 8.0),
                }
            });
            surface::curve(slices.collect()).unwrap()
        };
        let flat: Vec<bool> = (0..100).map(|_| matches!(of(1.0).fall, Fall::Flat(_))).collect();
        mostly(&flat, 99);
        // Half the rate; service times of two units (of the last law, whose pauses are left out, too) are added.
        let unit = |at: usize| 2.0 + 8.0 / (1.0 - 0.75 * at as f64 / 127.0).sqrt();
        let part = |from: usize| (from..from + 8).map(unit).sum::<f64>();
        let share = part(0) / part(120);
        let falling: Vec<bool> =
            (0..50).map(|_| matches!(of(0.5).fall, Fall::Falls(found) if found.holds(share))).collect();
        mostly(&falling, 84);
    }
}

#[test]
fn rotation_is_seen_only_where_completions_are_on_a_grid() {
    let mut draw = Draw::new(3);
    for law in 0..LAWS {
        let (mut seen, mut invented) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            let period = draw.between(4e6, 11.2e6);
            for turns in [true, false] {
                let (mut now, mut ends, mut latencies) = (0.0, Vec::new(), Vec::new());
                for _ in 0..96 {
                    now += draw.unit() * 25e6;
                    let sent = now;
                    let service = 1e5 * time(&mut draw, law);
                    now = if turns { (now / period).ceil() * period + service } else { now + 80.0 * service };
                    ends.push(now);
                    latencies.push(now - sent);
                }
                match (turns, rotation::period(&ends, &latencies)) {
                    (true, found) => seen.push(found.is_some_and(|found| found.holds(period))),
                    (false, found) => invented.push(found.is_none()),
                }
            }
        }
        mostly(&seen, 97);
        mostly(&invented, 100);
    }
}

#[test]
fn seeks_are_measured_and_not_invented() {
    let mut draw = Draw::new(4);
    for law in 0..LAWS {
        let mut of = |full: f64| {
            let mut latency = |way: f64, n: usize| -> Vec<f64> {
                (0..n).map(|_| way + 8e6 * draw.unit() + 2e5 * time(&mut draw, law)).collect()
            };
            let still = latency(0.0, 256);
            let hops: Vec<Hops> = (1..=10)
                .map(|tenth| {
                    let nanos =
                        latency(full * (tenth as f64 / 10.0).sqrt(), if tenth == 10 { 256 } else { 48 });
                    Hops { distance: tenth << 36, nanos }
                })
                .collect();
            seek::curve(&still, &hops).unwrap()
        };
        let none: Vec<bool> =
            (0..60).map(|_| matches!(of(0.0).moves, Moves::No(below) if below < 2e6)).collect();
        mostly(&none, 100);
        let full: Vec<bool> = (0..60)
            .map(|_| of(15e6))
            .map(|curve| curve.moves == Moves::Seeks && curve.points[9].nanos.holds(15e6))
            .collect();
        mostly(&full, 88);
    }
}

#[test]
fn regions_differ_only_if_one_does() {
    let mut draw = Draw::new(5);
    for law in 1..LAWS {
        let mut of = |slow: f64| {
            let by_region: Vec<(u64, Vec<f64>)> = (0..16u64)
                .map(|at| {
                    let factor = if at == 7 { slow } else { 1.0 };
                    (at << 30, (0..32).map(|_| factor * time(&mut draw, law)).collect())
                })
                .collect();
            regions::regions(&by_region).unwrap().differ
        };
        mostly(&(0..100).map(|_| !of(1.0)).collect::<Vec<_>>(), 98);
        mostly(&(0..50).map(|_| of(6.0)).collect::<Vec<_>>(), 95);
    }
}

/// Runs the sweep on a cache of `size` bytes (0: none) whose hits take a fifth of a miss.
fn sweep(draw: &mut Draw, law: usize, size: f64) -> read_cache::ReadCacheSweep {
    let mut rounds: Vec<Round> = Vec::new();
    while let Some((bytes, count)) = read_cache::next(&rounds, 1 << 30) {
        let cold = (0..count).map(|_| time(draw, law) * 1e5).collect();
        let step = bytes as f64 / count as f64;
        let warm = (0..count).map(|nth| {
            let hit = (nth + 1) as f64 * step <= size;
            time(draw, law) * if hit { 5e3 } else { 1e5 }
        });
        rounds.push(Round { bytes, cold, warm: warm.collect() });
    }
    read_cache::sweep(&rounds).unwrap()
}

#[test]
fn read_cache_is_sized_and_not_invented() {
    let mut draw = Draw::new(6);
    for law in 0..LAWS {
        let (mut sized, mut near) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            let size = draw.between(1e7, 7e8);
            let found = sweep(&mut draw, law, size).cache;
            let ReadCacheSeen::Of { bytes, .. } = found else { panic!("{found:?} for {size}") };
            sized.push(bytes.holds(size));
            near.push((bytes.value / size - 1.0).abs() < 0.05);
        }
        mostly(&sized, 90);
        mostly(&near, 92);
        for _ in 0..40 {
            let found = sweep(&mut draw, law, 0.0).cache;
            assert_eq!(found, ReadCacheSeen::None { bytes: read_cache::SMALLEST });
        }
    }
    let all = sweep(&mut draw, 1, 4e9).cache;
    assert!(matches!(all, ReadCacheSeen::AtLeast { bytes: 1_073_741_824, .. }), "{all:?}");
}

#[test]
fn write_step_is_placed_and_not_invented() {
    let mut draw = Draw::new(7);
    for law in 0..LAWS {
        let (mut placed, mut near) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            let at = draw.between(60.0, 1500.0).round();
            let ratio = draw.between(1.7, 9.0);
            let nanos: Vec<f64> = (0..2000)
                .map(|part| sum(&mut draw, law, 8) * 1e5 * if f64::from(part) < at { 1.0 } else { ratio })
                .collect();
            let step = writes::step(&nanos, 1 << 20).map(|step| step.bytes.times(1.0 / 1_048_576.0));
            placed.push(step.is_some_and(|step| step.holds(at)));
            near.push(step.is_some_and(|step| (step.value / at - 1.0).abs() < 0.05));
        }
        mostly(&placed, 90);
        mostly(&near, 80);
        // Neither equal times nor the surface of a disk are a step.
        for inner in [1.0, 0.45] {
            for _ in 0..40 {
                let nanos: Vec<f64> = (0..2000)
                    .map(|part| {
                        let rate = (1.0 - (1.0 - inner * inner) * f64::from(part / 100) / 19.0f64).sqrt();
                        sum(&mut draw, law, 8) * 1e5 / rate
                    })
                    .collect();
                assert_eq!(writes::step(&nanos, 1 << 20), None, "law {law}, inner {inner}");
            }
        }
    }
}

/// A limited rate shows as slices that wait among slices that do not: the waiting is the rate. A single pause is none.
#[test]
fn pauses_of_a_limited_rate_are_counted() {
    let curve = |waits: &dyn Fn(u64) -> bool| {
        let slice = |nth: u64| surface::Slice {
            offset: nth << 30,
            bytes: 10_000_000,
            nanos: if waits(nth * 37 % 128) { 2e9 } else { 3e6 },
        };
        surface::curve((0..128).map(slice).collect()).unwrap()
    };
    let limited = curve(&|nth| nth < 32);
    assert!(limited.mean.holds(20e6) && limited.pauses == 0, "{:?}", limited.mean);
    let single = curve(&|nth| nth == 5);
    assert!(
        (single.mean.value / (10.0 / 3.0 * 1e9) - 1.0).abs() < 0.01 && single.pauses == 1,
        "{:?}",
        single.mean
    );
    let step = writes::curve(
        &(0..4096u64).map(|nth| if nth % 16 == 7 { 160e6 } else { 1e5 }).collect::<Vec<_>>(),
        1 << 20,
    );
    let step = step.unwrap();
    assert!(
        (step.mean.value / (1048576.0 / 0.010_094) - 1.0).abs() < 0.05 && step.mean.high.is_finite(),
        "{:?}",
        step.mean
    );
}

/// The bound of "no seek seen" is at least what the test would see.
#[test]
fn bound_of_an_unseen_seek_is_above_zero() {
    let still = [50_000.0; 64];
    let hops: Vec<seek::Hops> =
        (1..=8).map(|nth| seek::Hops { distance: nth << 30, nanos: vec![49_000.0; 64] }).collect();
    let curve = seek::curve(&still, &hops).unwrap();
    assert!(matches!(curve.moves, seek::Moves::No(below) if below >= 2_500.0), "{curve:?}");
}
