//! Throttles of known parameters on simulated devices, and devices without a throttle.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)] // a test fails where it unwraps

mod device;

use device::{Bench, Device, Limit, Load, Random, Seen, Service};
use stats::Direction;
use stats::throttle::{
    self, CreditBucket, CreditState, CreditUnit, LimitedDirections, NeededSample, ThrottleAnswer,
    ThrottleSample, ThrottleShape, ThrottledUnit,
};

const SMALL: u64 = 4096;
const LARGE: u64 = 65536;

/// A load for each depth and block size, and reads at a low rate.
fn study(bench: &mut Bench, depth: usize, seconds: f64, pace: f64, random: &mut Random) -> Vec<Seen> {
    let load = |in_flight, block| Load { in_flight, block, seconds, pace: None, reads: 1.0 };
    let light = Load { seconds: (40.0 / pace).max(1.0), pace: Some(pace), ..load(16, LARGE) };
    [load(depth, SMALL), load(2 * depth, SMALL), load(2 * depth, LARGE), light]
        .into_iter()
        .map(|load| {
            bench.wait(0.05);
            bench.run(load, random)
        })
        .collect()
}

fn fit(seen: &[Seen]) -> ThrottleAnswer {
    let samples: Vec<ThrottleSample<'_>> = seen.iter().map(Seen::sample).collect();
    throttle::fit(&samples, None)
}

/// Parameters of a throttle.
#[derive(Clone, Debug)]
struct Truth {
    iops: Option<f64>,
    bytes: Option<f64>,
    period_s: Option<f64>,
    credits: bool,
}

/// A device with a throttle drawn at random, a depth and the time of each load.
fn throttled(random: &mut Random) -> (Device, Truth, usize, f64, f64) {
    let services = [Service::Constant, Service::Uniform(0.5), Service::Exponential, Service::Lognormal(0.5)];
    let mut device =
        Device::of(*random.one_of(&[16, 32, 64]), random.scale(50e-6, 200e-6), *random.one_of(&services));
    let unit = random.bits() % 3;
    let iops = random.scale(100.0, 5000.0);
    // Rate of small blocks that a limit of bytes permits, and of large ones.
    let credits = random.bits().is_multiple_of(2);
    let ratio = random.scale(2.0, if unit == 2 { 5.0 } else { 8.0 });
    // The burst of small blocks is below the limit of bytes.
    let small = SMALL as f64 * if credits { 1.2 * ratio } else { 1.5 };
    let crossover = random.scale(small, LARGE as f64 / 1.5);
    let (iops, bytes) = match unit {
        0 => (Some(iops), None),
        1 => (None, Some(iops * SMALL as f64)),
        _ => (Some(iops), Some(iops * crossover)),
    };
    let slowest = iops.unwrap_or(f64::MAX).min(bytes.map_or(f64::MAX, |b| b / LARGE as f64));
    let sliced = random.bits().is_multiple_of(2);
    // A slice has at least eight of the largest I/Os.
    let period_s = sliced.then(|| random.scale(0.02, 0.25).max(8.0 / slowest));
    let most = period_s.map_or(32.0, |period| (slowest * period / 4.0).clamp(1.0, 32.0));
    let depth = random.scale(1.0, most).round().max(1.0) as usize;
    // A full bucket lasts for many slices.
    let lasts = random.between(1.0, 2.5).max(10.0 * period_s.unwrap_or(0.0));
    let limit = |rate: f64, credits: bool| Limit {
        rate,
        period_s,
        credits: credits.then_some(((ratio - 1.0) * rate * lasts, ratio * rate)),
    };
    device.ios = iops.map(|rate| limit(rate, credits));
    // With both limits, the bucket is that of I/Os.
    device.bytes = bytes.map(|rate| limit(rate, credits && iops.is_none()));
    let slices = period_s.map_or(0.0, |period| (20.0 * depth as f64).max(25.0) * period);
    let seconds = slices.max(300.0 / slowest).clamp(4.0, 80.0) + if credits { lasts } else { 0.0 };
    (device, Truth { iops, bytes, period_s, credits }, depth, seconds, 0.1 * slowest)
}

#[derive(Default, Debug)]
struct Tally {
    cases: u32,
    named: u32,
    unit: u32,
    rate: u32,
    sliced: u32,
    shape: u32,
    period: u32,
    credit_cases: u32,
    credits: u32,
    covered: u32,
    rates: u32,
}

fn near(seen: f64, truth: f64, within: f64) -> bool {
    (seen / truth - 1.0).abs() < within
}

fn throttled_cases(seed: u64, cases: u32, show: bool) -> Tally {
    let mut random = Random(seed);
    let mut tally = Tally::default();
    for case in 0..cases {
        let (device, truth, depth, seconds, pace) = throttled(&mut random);
        let mut bench = Bench::new(device.clone());
        let seen = study(&mut bench, depth, seconds, pace, &mut random);
        let answer = fit(&seen);
        tally.cases += 1;
        tally.sliced += u32::from(truth.period_s.is_some());
        tally.credit_cases += u32::from(truth.credits);
        let before = format!("{tally:?}");
        if let Some(found) = answer.throttle() {
            tally.named += 1;
            let (right, rates) = match (found.limit, truth.iops, truth.bytes) {
                (ThrottledUnit::Iops { rate }, Some(iops), None) => (true, vec![(rate, iops)]),
                (ThrottledUnit::Bytes { rate }, None, Some(bytes)) => (true, vec![(rate, bytes)]),
                (ThrottledUnit::Both { iops, bytes, .. }, Some(i), Some(b)) => {
                    (true, vec![(iops, i), (bytes, b)])
                }
                _ => (false, Vec::new()),
            };
            tally.unit += u32::from(right);
            tally.rate +=
                u32::from(right && rates.iter().all(|(seen, truth)| near(seen.value, *truth, 0.02)));
            tally.rates += rates.len() as u32;
            tally.covered += rates.iter().filter(|(seen, truth)| seen.holds(*truth)).count() as u32;
            match (found.shape, truth.period_s) {
                (ThrottleShape::Sliced { period_s }, Some(period)) => {
                    tally.shape += 1;
                    tally.period += u32::from(near(period_s.value, period, 0.1));
                }
                (ThrottleShape::Smooth, None) => tally.shape += 1,
                _ => {}
            }
            if truth.credits {
                let left = bench.credits().unwrap();
                tally.credits += u32::from(found.credits.left.is_some_and(|l| near(l.value, left, 0.1)));
            }
        }
        if show {
            println!("{case}: {truth:?} depth {depth} {seconds:.1} s {before}");
            println!("    credits {:?} {answer:?}", bench.credits());
            println!("    {device:?}");
        }
    }
    tally
}

/// A device without a throttle, drawn at random.
fn plain(random: &mut Random) -> Device {
    let service = match random.bits() % 6 {
        0 => Service::Constant,
        1 => Service::Exponential,
        2 => Service::Lognormal(random.between(0.2, 1.5)),
        3 => Service::Pareto(random.between(1.3, 3.0)),
        4 => Service::TwoPoint(random.scale(0.001, 0.3), random.scale(3.0, 1000.0)),
        _ => Service::Uniform(random.between(0.05, 0.9)),
    };
    let servers = random.scale(1.0, 32.0).round() as usize;
    let mut device = Device::of(servers, servers as f64 * random.scale(0.2e-3, 5e-3), service);
    if random.bits().is_multiple_of(3) {
        device.per_byte_s = device.service_s * random.scale(0.1, 3.0) / LARGE as f64;
    }
    if random.bits().is_multiple_of(4) {
        device.drift = random.between(-0.02, 0.05);
    }
    if random.bits().is_multiple_of(4) {
        let every = random.scale(0.05, 5.0);
        device.stall = Some((every, every * random.scale(0.01, 0.4)));
    }
    device
}

/// Returns the number of devices without a throttle that are called throttled.
fn plain_cases(seed: u64, cases: u32, draw: impl Fn(&mut Random) -> Device, show: bool) -> u32 {
    let mut random = Random(seed);
    let mut wrong = 0;
    for case in 0..cases {
        let device = draw(&mut random);
        let depth = random.scale(1.0, 48.0).round() as usize;
        let pace = 0.1 * device.servers as f64 / device.service_s / 4.0;
        let mut bench = Bench::new(device.clone());
        let seen = study(&mut bench, depth, 5.0, pace, &mut random);
        let answer = fit(&seen);
        if answer.throttle().is_some() {
            wrong += 1;
            if show {
                println!("{case}: depth {depth} {device:?}\n    {answer:?}");
            }
        }
    }
    wrong
}

/// A device without a throttle, of laws that the method was not developed with.
fn unseen(random: &mut Random) -> Device {
    let service = match random.bits() % 4 {
        0 => Service::Erlang(2 + (random.bits() % 20) as u32),
        1 => Service::EveryNth(2 + random.bits() % 300, random.scale(3.0, 100.0)),
        2 => Service::Triangular(random.between(0.1, 1.0)),
        _ => Service::Hyperexponential(random.between(0.02, 0.3), random.scale(3.0, 100.0)),
    };
    let servers = random.scale(1.0, 64.0).round() as usize;
    let mut device = Device::of(servers, servers as f64 * random.scale(0.2e-3, 5e-3), service);
    if random.bits().is_multiple_of(3) {
        device.hits = Some((random.scale(0.001, 0.5), random.scale(5e-6, 100e-6)));
    }
    if random.bits().is_multiple_of(4) {
        device.per_byte_s = device.service_s * random.scale(0.1, 10.0) / LARGE as f64;
    }
    if random.bits().is_multiple_of(4) {
        let every = random.scale(0.02, 1.0);
        device.stall = Some((every, every * random.scale(0.01, 0.3)));
    }
    device
}

/// Asserts that at least 98 % of the cases are right.
#[track_caller]
fn nearly_all(right: u32, of: u32, what: &str) {
    assert!(right * 100 >= of * 98, "{what}: {right} of {of}");
}

fn check_throttled(seed: u64, cases: u32) {
    let tally = throttled_cases(seed, cases, std::env::var_os("SHOW").is_some());
    println!("seed {seed}: {tally:?}");
    nearly_all(tally.named, tally.cases, "named");
    nearly_all(tally.unit, tally.cases, "unit");
    nearly_all(tally.rate, tally.cases, "rate within 2 %");
    nearly_all(tally.shape, tally.cases, "shape");
    nearly_all(tally.period, tally.sliced, "period within 10 %");
    nearly_all(tally.credits, tally.credit_cases, "remaining credits within 10 %");
    assert!(tally.covered * 100 >= tally.rates * 93, "intervals hold {} of {}", tally.covered, tally.rates);
}

fn check_plain(seed: u64, cases: u32) {
    for (what, draw) in [("laws", plain as fn(&mut Random) -> Device), ("unseen laws", unseen)] {
        let wrong = plain_cases(seed, cases, draw, true);
        println!("seed {seed}, {what}: {wrong} of {cases} called throttled");
        assert!(wrong * 50 <= cases, "{what}: {wrong} of {cases} called throttled");
    }
}

#[test]
fn throttles_of_known_parameters_are_named_and_fitted() {
    check_throttled(1, 200);
}

#[test]
fn devices_without_a_throttle_are_not_called_throttled() {
    check_plain(2, 100);
}

fn limit(rate: f64, period_s: Option<f64>) -> Option<Limit> {
    Some(Limit { rate, period_s, credits: None })
}

fn load(in_flight: usize, reads: f64) -> Load {
    Load { in_flight, block: SMALL, seconds: 6.0, pace: None, reads }
}

fn quick_device() -> Device {
    Device::of(32, 100e-6, Service::Exponential)
}

#[test]
fn one_load_in_slices_is_a_throttle_of_unknown_unit() {
    let device = Device { ios: limit(800.0, Some(0.1)), ..quick_device() };
    let seen = Bench::new(device).run(load(4, 1.0), &mut Random(1));
    let answer = fit(&[seen]);
    let found = answer.throttle().unwrap();
    assert!(matches!(found.limit, ThrottledUnit::Unresolved { iops, .. } if near(iops.value, 800.0, 0.02)));
    assert!(matches!(found.shape, ThrottleShape::Sliced { period_s } if near(period_s.value, 0.1, 0.1)));
    assert!(found.burst.is_some_and(|burst| near(burst.value, 80.0, 0.1)), "{found:?}");
    assert_eq!(found.needs, [NeededSample::OtherBlockSize]);
}

/// A constant service time of one server looks the same.
#[test]
fn one_load_on_a_smooth_limit_is_not_told_from_a_device() {
    let capped = Device { ios: limit(800.0, None), ..quick_device() };
    for device in [capped, Device::of(1, 1.0 / 800.0, Service::Constant)] {
        let answer = fit(&[Bench::new(device).run(load(4, 1.0), &mut Random(1))]);
        let ThrottleAnswer::CannotTell { needs, .. } = answer else { panic!("{answer:?}") };
        let expected = [NeededSample::OtherBlockSize, NeededSample::OtherDepth, NeededSample::LowRate];
        assert_eq!(needs, expected);
    }
}

/// A rate that follows the depth has reached no limit.
#[test]
fn rate_that_follows_the_depth_has_reached_no_limit() {
    let mut bench = Bench::new(Device::of(32, 5e-3, Service::Constant));
    let seen = [4, 8].map(|depth| bench.run(load(depth, 1.0), &mut Random(1)));
    assert!(matches!(fit(&seen), ThrottleAnswer::NotReached { depths: 2.0, .. }));
}

#[test]
fn limit_of_reads_alone_is_told_from_a_joint_one() {
    for reads_only in [false, true] {
        let device = Device { ios: limit(600.0, Some(0.1)), reads_only, ..quick_device() };
        let answer = fit(&[Bench::new(device).run(load(4, 0.5), &mut Random(3))]);
        let found = answer.throttle().unwrap();
        let expected =
            if reads_only { LimitedDirections::Only(Direction::Read) } else { LimitedDirections::Joint };
        assert_eq!(found.directions, expected);
        // The limit counts the limited direction only.
        assert!(
            matches!(found.limit, ThrottledUnit::Unresolved { iops, .. } if near(iops.value, 600.0, 0.02)),
            "{found:?}"
        );
    }
}

/// A write cache answers few writes quickly and drains at a constant rate; only an idle device beneath excludes it.
#[test]
fn quick_writes_do_not_show_a_throttle_and_an_idle_device_does() {
    let device = Device { ios: limit(800.0, None), ..quick_device() };
    let mut bench = Bench::new(device);
    let mut random = Random(1);
    let light = Load { pace: Some(80.0), ..load(16, 0.0) };
    let seen = [load(4, 0.0), load(8, 0.0), light].map(|load| bench.run(load, &mut random));
    let mut samples: Vec<ThrottleSample<'_>> = seen.iter().map(Seen::sample).collect();
    let answer = throttle::fit(&samples, None);
    let ThrottleAnswer::CannotTell { needs, .. } = &answer else { panic!("{answer:?}") };
    assert!(needs.contains(&NeededSample::Reads), "{needs:?}");
    samples.iter_mut().for_each(|sample| sample.busy_share = Some(0.08));
    assert!(throttle::fit(&samples, None).throttle().is_some());
    samples.iter_mut().for_each(|sample| sample.busy_share = Some(0.98));
    assert!(throttle::fit(&samples, None).throttle().is_none());
}

/// While everything waits, slices pass unused.
#[test]
fn stalls_do_not_hide_a_throttle_and_its_rate() {
    let device = Device { ios: limit(800.0, Some(0.1)), stall: Some((2.1, 0.5)), ..quick_device() };
    let answer = fit(&[Bench::new(device).run(load(4, 1.0), &mut Random(1))]);
    let found = answer.throttle().unwrap_or_else(|| panic!("{answer:?}"));
    assert!(
        matches!(found.limit, ThrottledUnit::Unresolved { iops, .. } if near(iops.value, 800.0, 0.02)),
        "{found:?}"
    );
    assert!(matches!(found.shape, ThrottleShape::Sliced { period_s } if near(period_s.value, 0.1, 0.1)));
}

/// A device that was slow for a while and quick later: its service times vary, and those of a limit would not.
#[test]
fn uneven_completions_are_no_throttle_though_later_reads_are_quick() {
    let mut random = Random(4);
    let mut slow = Bench::new(Device::of(1, 1.0 / 800.0, Service::Exponential));
    let mut seen: Vec<Seen> = [4, 8].map(|depth| slow.run(load(depth, 1.0), &mut random)).into();
    let mut quick = Bench::new(quick_device());
    quick.wait(slow.now_s);
    seen.push(quick.run(Load { pace: Some(80.0), ..load(16, 1.0) }, &mut random));
    assert!(matches!(fit(&seen), ThrottleAnswer::CannotTell { .. }));
}

#[test]
fn ios_in_flight_at_the_end_of_a_load_spend_credits() {
    let ios = Some(Limit { rate: 300.0, period_s: None, credits: Some((2000.0, 2000.0)) });
    let mut bench = Bench::new(Device { ios, ..quick_device() });
    let mut random = Random(6);
    let light = Load { pace: Some(30.0), seconds: 1.2, ..load(16, 1.0) };
    let seen = [load(96, 1.0), light].map(|load| bench.run(load, &mut random));
    let answer = fit(&seen);
    let credits = answer.throttle().unwrap().credits;
    assert_eq!(credits.state, CreditState::Refilling);
    assert!(near(credits.left.unwrap().value, bench.credits().unwrap(), 0.1), "{credits:?} {bench:?}");
}

/// A full bucket that the caller knows, while it drains, after it has run out, and after a pause.
#[test]
fn credits_of_a_known_bucket_follow_the_loads() {
    let bucket = CreditBucket { unit: CreditUnit::Ios, capacity: 12_000.0, refill: 500.0, burst: 2000.0 };
    let credits = Some((bucket.capacity, bucket.burst));
    let ios = Some(Limit { rate: bucket.refill, period_s: Some(0.1), credits });
    let mut bench = Bench::new(Device { ios, ..quick_device() });
    let mut random = Random(5);
    let mut seen = Vec::new();
    let mut credits = |bench: &mut Bench, seconds| {
        seen.push(bench.run(Load { seconds, ..load(8, 1.0) }, &mut random));
        let samples: Vec<ThrottleSample<'_>> = seen.iter().map(Seen::sample).collect();
        let answer = throttle::fit(&samples, Some(&bucket));
        answer.throttle().map(|t| (t.credits, t.shortest_run_s)).unwrap()
    };
    let (drains, shortest_run_s) = credits(&mut bench, 4.0);
    assert_eq!((drains.state, shortest_run_s), (CreditState::Draining, Some(8.0)));
    assert!(near(drains.left.unwrap().value, bench.credits().unwrap(), 0.1), "{drains:?}");
    assert!(near(drains.seconds_left.unwrap().value, 4.0, 0.1), "{drains:?}");
    let (empty, _) = credits(&mut bench, 8.0);
    assert_eq!(empty.state, CreditState::Exhausted);
    assert!(near(empty.full_after_s.unwrap().value, 24.0, 0.1), "{empty:?}");
    bench.wait(6.0);
    let (again, _) = credits(&mut bench, 1.0);
    assert_eq!(again.state, CreditState::Draining);
    assert!(near(again.left.unwrap().value, bench.credits().unwrap(), 0.1), "{again:?}");
}

/// Seed from the time, which is printed.
fn fresh_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |t| t.as_nanos() as u64)
}

#[test]
#[ignore = "long"]
fn fresh_throttles_are_named_and_fitted() {
    check_throttled(fresh_seed(), 2000);
}

#[test]
#[ignore = "long"]
fn fresh_devices_without_a_throttle_are_not_called_throttled() {
    check_plain(fresh_seed(), 1000);
}
