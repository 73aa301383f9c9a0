//! Drops of the rate on simulated devices: scripted dips are found, and steady devices of other laws have none.
#![allow(clippy::print_stdout)] // the misses and false alarms are its result

use stats::{RateDrop, Series, rate_drops};

/// A small generator with a seed (splitmix64).
struct Draws(u64);

impl Draws {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// Laws of the service time with mean 1.
#[derive(Clone, Copy, Debug)]
enum Service {
    Constant,
    Exponential,
    Lognormal,
    Pareto,
    TwoPoint,
    /// Exponential with a level that wanders slowly by a few percent.
    Wandering,
    /// Constant with a stall of 20 to 200 ms about every two seconds.
    ShortStalls,
    /// Weibull of shape 0.5, as heavy as a stretched exponential.
    Weibull,
    Uniform,
    /// Exponential, slower by a tenth for half of every five seconds.
    Periodic,
    /// Exponential, slower by 3 % every minute.
    Declining,
}

/// Laws that were not looked at while the method was built.
const HELD_OUT: [Service; 4] = [Service::Weibull, Service::Uniform, Service::Periodic, Service::Declining];

const SERVICES: [Service; 7] = [
    Service::Constant,
    Service::Exponential,
    Service::Lognormal,
    Service::Pareto,
    Service::TwoPoint,
    Service::Wandering,
    Service::ShortStalls,
];

impl Service {
    fn draw(self, draws: &mut Draws) -> f64 {
        match self {
            Service::Constant | Service::ShortStalls => 1.0,
            Service::Exponential | Service::Wandering | Service::Periodic | Service::Declining => {
                -draws.unit().ln()
            }
            Service::Weibull => 0.5 * draws.unit().ln().powi(2),
            Service::Uniform => 2.0 * draws.unit(),
            Service::Lognormal => (draws.normal() - 0.5).exp(),
            // Shape 2.5: a finite variance and a heavy tail.
            Service::Pareto => 0.6 * draws.unit().powf(-1.0 / 2.5),
            Service::TwoPoint => {
                if draws.unit() < 0.02 {
                    26.0
                } else {
                    0.49
                }
            }
        }
    }
}

/// Dip: start and length in seconds, and the rate in it as a share of the rate outside.
type Dip = (f64, f64, f64);

/// Returns the rate over time of a device with one I/O in flight.
fn run(service: Service, iops: f64, seconds: f64, dips: &[Dip], seed: u64) -> Series {
    let mut draws = Draws(seed);
    let mut series = Series::default();
    let (mut now, mut ios, mut level, mut next_stall) = (0.0, 0u64, 1.0, draws.between(0.5, 3.0));
    let mut next_level = 1.0;
    series.look(0, [0; 3], [0; 3]);
    while now < seconds {
        if matches!(service, Service::Wandering) && now > next_level {
            level = (level * (1.0 + 0.01 * draws.normal())).clamp(0.94, 1.06);
            next_level = now + 1.0;
        }
        let slow = dips
            .iter()
            .find(|(at, length, _)| (*at..at + length).contains(&now))
            .map_or(1.0, |(_, _, share)| *share);
        let mut time = service.draw(&mut draws) / (iops * slow * level);
        if matches!(service, Service::ShortStalls) && now > next_stall {
            time += draws.between(0.02, 0.2);
            next_stall = now + draws.between(1.0, 3.0);
        }
        time *= match service {
            Service::Periodic if now % 5.0 < 2.5 => 1.1,
            Service::Declining => 1.0 + 0.03 * now / 60.0,
            _ => 1.0,
        };
        // Long service times span several windows.
        let end = now + time;
        while series.due().is_some_and(|due| (due as f64) < end * 1e9) {
            let due = series.due().unwrap_or(0);
            series.look(due, [ios, 0, 0], [4096 * ios, 0, 0]);
        }
        now = end;
        ios += 1;
    }
    series
}

fn finds(drops: &[RateDrop], (at, length, share): Dip, iops: f64) -> bool {
    drops.iter().any(|drop| {
        let end = drop.seconds.map_or(f64::INFINITY, |seconds| drop.at_s + seconds);
        let overlaps = drop.at_s < at + length + 4.0 && end > at - 4.0;
        overlaps && (drop.at_s - at).abs() < 6.0 && drop.during < iops * (share + 0.3)
    })
}

/// Returns the number of dips and how many were found, over runs with dips of 5 to 60 s to 20 to 75 % of the rate.
fn recall(laws: &[Service], seed: u64, runs: u64) -> (usize, usize) {
    let (mut all, mut found) = (0, 0);
    for nth in 0..runs {
        let mut draws = Draws(seed.wrapping_mul(1000) + nth);
        let iops = draws.between(150.0, 900.0);
        let service = laws[nth as usize % laws.len()];
        let dips: Vec<Dip> = (0..2)
            .map(|part| {
                let from = 40.0 + 90.0 * f64::from(part);
                (from + draws.between(0.0, 20.0), draws.between(5.0, 60.0), draws.between(0.2, 0.75))
            })
            .collect();
        let drops = rate_drops(&run(service, iops, 240.0, &dips, draws.bits()));
        for dip in dips {
            all += 1;
            let hit = finds(&drops, dip, iops);
            found += usize::from(hit);
            if !hit {
                println!("missed {dip:?} of {service:?} at {iops:.0} IOPS: {drops:?}");
            }
        }
    }
    (all, found)
}

/// Returns the number of runs of ten minutes without dips in which a drop was told.
fn false_alarms(laws: &[Service], seed: u64, runs: u64) -> usize {
    let alarm = |nth: u64| {
        let mut draws = Draws(seed.wrapping_mul(77_777) + nth);
        let iops = draws.between(100.0, 400.0);
        let service = laws[nth as usize % laws.len()];
        let drops = rate_drops(&run(service, iops, 600.0, &[], draws.bits()));
        if !drops.is_empty() {
            println!("alarm of {service:?} at {iops:.0} IOPS: {drops:?}");
        }
        usize::from(!drops.is_empty())
    };
    (0..runs).map(alarm).sum()
}

#[test]
fn scripted_dips_are_found_and_steady_devices_have_none() {
    let (all, found) = recall(&SERVICES, 1, 28);
    assert!(found * 100 >= all * 95, "{found} of {all}");
    let alarms = false_alarms(&SERVICES, 1, 28);
    assert!(alarms == 0, "{alarms} false alarms");
}

#[test]
#[ignore = "a minute or more"]
fn many_scripted_dips_are_found_and_steady_devices_have_none() {
    let seed = std::env::var("FATHOM_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    for (name, laws) in [("known laws", &SERVICES[..]), ("held-out laws", &HELD_OUT[..])] {
        let (all, found) = recall(laws, seed, 200);
        let alarms = false_alarms(laws, seed, 300);
        println!(
            "seed {seed}, {name}: {found} of {all} dips found; false alarms in {alarms} of 300 runs of ten minutes"
        );
        assert!(found * 100 >= all * 95, "{found} of {all}");
        assert!(alarms <= 3, "{alarms} false alarms in 300 runs");
    }
}

#[test]
fn a_drop_for_good_has_no_end_and_one_that_ends_has_its_length() {
    let drops = rate_drops(&run(Service::Exponential, 500.0, 120.0, &[(60.0, 100.0, 0.4)], 5));
    assert_eq!(drops.len(), 1, "{drops:?}");
    assert!(drops[0].seconds.is_none() && (drops[0].at_s - 60.0).abs() < 2.0, "{drops:?}");
    let drops = rate_drops(&run(Service::Exponential, 500.0, 120.0, &[(60.0, 12.0, 0.4)], 5));
    assert_eq!(drops.len(), 1, "{drops:?}");
    assert!(drops[0].seconds.is_some_and(|s| (s - 12.0).abs() < 2.5), "{drops:?}");
    assert!((drops[0].during / drops[0].before - 0.4).abs() < 0.08, "{drops:?}");
}
