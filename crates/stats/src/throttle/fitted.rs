//! What one load shows, and loads of equal block size compared.

use super::credits::CreditLoad;
use super::period::{self, Modes};
use super::plateau::{self, Plateau};
use super::{CreditUnit, IDLE, LimitedDirections, QUICK, SAME, ThrottleSample, ThrottleSign, quick_product};
use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::histogram::Histogram;
use crate::series::Window;

/// Smallest number of completions from which their evenness is judged.
pub(super) const LEAST_COUNT: f64 = 200.0;
/// Largest dispersion of even completions. The completions of independent service times with a dispersion of a tenth
/// stray less in 1 of 50,000 runs.
const EVEN: f64 = 0.02;
/// Largest range of the count over slices, in units of that of I/Os that wait at random, which stray less in 1 of 80,000
/// runs (Kuiper's test).
pub const EVEN_SLICES: f64 = 0.55;
/// Smallest number of slices of a throttle.
pub const LEAST_SLICES: f64 = 10.0;
/// Widest interval of the rate of slices (half-width, percent): waits at random leave the rate uncertain.
const KNOWN_PERCENT: f64 = 4.0;
/// Smallest share of the time in flight spent in waits for slices: a device that pauses for less may work during the
/// rest of the time.
pub const IDLE_SLICES: f64 = 0.5;
/// Smallest ratio of the wait to the part of a slice that the waits hold, if each I/O in flight waits once.
const FITS: f64 = 0.7;
/// Smallest number of I/Os at a low rate, and of those at the start, that are evaluated.
const LEAST_LIGHT: f64 = 20.0;
/// Ratio of the mean latencies of the two directions above which only one is limited, and below which both are.
const APART: f64 = 3.0;
const JOINT: f64 = 1.5;
/// Share of a direction in the I/Os from which it is evaluated.
const MIXED: f64 = 0.05;

/// What one load shows.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    pub start_s: f64,
    seconds: f64,
    pub in_flight: f64,
    paced: bool,
    pub busy_share: Option<f64>,
    pub directions: LimitedDirections,
    /// Whether the limited direction has writes.
    pub writes: bool,
    plateau: Plateau,
    modes: Option<Modes>,
    pub period: Option<Estimate>,
    /// Mean size of an I/O, bytes.
    pub block: f64,
    /// Bytes per second on the plateau.
    pub byte_rate: Estimate,
    ios: f64,
    latency: Histogram,
    mean_ns: f64,
}

fn mean_ns(latency: &Histogram) -> f64 {
    let sum: f64 = latency.buckets().map(|(ns, n)| ns as f64 * n as f64).sum();
    sum / latency.count().max(1) as f64
}

/// Returns the directions that reached the limit, from the mean latencies of both.
fn directions(sample: &ThrottleSample<'_>, all: &Window) -> LimitedDirections {
    let total = all.all_ios() as f64;
    let mixed = |d: usize| all.ios[d] as f64 >= MIXED * total && sample.latency[d].count() > 0;
    if !mixed(0) || !mixed(1) {
        return LimitedDirections::NotSeen;
    }
    let ratio = mean_ns(sample.latency[0]) / mean_ns(sample.latency[1]);
    if ratio > APART {
        LimitedDirections::Only(Direction::Read)
    } else if ratio < 1.0 / APART {
        LimitedDirections::Only(Direction::Write)
    } else if (1.0 / JOINT..JOINT).contains(&ratio) {
        LimitedDirections::Joint
    } else {
        LimitedDirections::NotSeen
    }
}

impl Fitted {
    /// Returns what a load shows; `None` if it is too short for a rate.
    pub(super) fn of(sample: &ThrottleSample<'_>) -> Option<Fitted> {
        let all = sample.series.windows.iter().fold(Window::default(), |sum, w| sum.plus(w));
        let directions = directions(sample, &all);
        let (series, latency) = match directions {
            LimitedDirections::Only(d) => (sample.series.only(d), sample.latency[d as usize].clone()),
            _ => {
                let mut both = sample.latency[0].clone();
                both.merge(sample.latency[1]);
                (sample.series.clone(), both)
            }
        };
        let all = series.windows.iter().fold(Window::default(), |sum, w| sum.plus(w));
        let ios = all.all_ios() as f64;
        let block = all.bytes.iter().sum::<u64>() as f64 / ios.max(1.0);
        let modes = period::modes(&latency);
        let period_of = |nanos: u64| modes.and_then(|m| m.period(sample.in_flight, nanos as f64 / 1e9));
        let mut period = period_of(all.nanos);
        let mut steady = None;
        // With stalls, the period is overestimated at first.
        for _ in 0..3 {
            let Some(cut) = period.and_then(|p| period::without_stalls(&series, p.value)) else { break };
            period = period_of(cut.windows.iter().map(|w| w.nanos).sum());
            steady = Some(cut);
        }
        let plateau = plateau::find(steady.as_ref().unwrap_or(&series))?;
        Some(Fitted {
            start_s: sample.start_s,
            seconds: all.nanos as f64 / 1e9,
            in_flight: sample.in_flight.max(1.0),
            paced: sample.paced,
            busy_share: sample.busy_share,
            directions,
            writes: all.ios[1] > 0,
            plateau,
            modes,
            period,
            block,
            byte_rate: plateau.rate.times(block),
            ios,
            mean_ns: mean_ns(&latency),
            latency,
        })
    }

    pub(super) fn rate(&self) -> Estimate {
        self.plateau.rate
    }

    pub(super) fn count(&self) -> f64 {
        self.plateau.count
    }

    pub(super) fn has_block(&self, block: f64) -> bool {
        (self.block / block).ln().abs() < 0.05
    }

    /// Returns the duration of the higher rate before the plateau, seconds.
    pub(super) fn drop_s(&self) -> Option<f64> {
        let before = self.plateau.before?;
        Some(self.plateau.excess / (before - self.plateau.rate.value)).filter(|s| *s > 0.0)
    }

    /// Returns the load in units of a bucket.
    pub(super) fn load(&self, unit: CreditUnit) -> CreditLoad {
        let scale = if unit == CreditUnit::Bytes { self.block } else { 1.0 };
        CreditLoad {
            start_s: self.start_s,
            seconds: self.seconds,
            units: self.ios * scale,
            rate: self.plateau.rate.times(scale),
            excess: self.plateau.excess * scale,
            swing: self.plateau.swing * scale,
            pending: if self.paced { 0.0 } else { self.in_flight * scale },
            paced: self.paced,
        }
    }

    /// Returns whether completions come in slices that a device of servers does not have.
    pub(super) fn is_sliced(&self) -> bool {
        let (Some(modes), Some(period)) = (self.modes, self.period) else { return false };
        let slices = self.plateau.seconds / period.value;
        let per_slice = self.plateau.rate.value * period.value;
        // Were it chance whether an I/O waits, the number of others between two waits would be geometric.
        let random = per_slice * ((1.0 - modes.of_ios) * slices / self.in_flight).sqrt();
        slices >= LEAST_SLICES
            && self.plateau.rate.half_percent() < KNOWN_PERCENT
            && modes.share >= IDLE_SLICES
            && (FITS * modes.share..1.1).contains(&(modes.wait_ns / 1e9 / period.value))
            && self.plateau.swing < EVEN_SLICES * random
    }

    fn is_even(&self) -> bool {
        self.plateau.count >= LEAST_COUNT && self.plateau.dispersion() < EVEN
    }

    /// Returns whether the count strays by less than the I/Os of a hundredth of a second.
    pub(super) fn strays_little(&self) -> bool {
        self.plateau.swing < 4.0 + 0.01 * self.plateau.rate.value
    }

    /// Returns whether this load shows the latency of few I/Os at a time where `main` shows the limited rate.
    pub(super) fn is_light(&self, main: &Fitted) -> bool {
        self.plateau.rate.value < 0.5 * main.rate().value
            && self.block > 0.95 * main.block
            && self.start_s >= main.start_s + main.seconds
            && self.ios >= LEAST_LIGHT
    }
}

/// Loads of one block size that are not paced.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    pub block: f64,
    /// Load with the largest number of I/Os in flight.
    pub main: &'a Fitted,
    /// Ratios of in-flight numbers and of rates to a load with fewer in flight and the same rate.
    pub flat: Option<(f64, f64)>,
    /// The same ratios if the rate rises like the number of I/Os in flight.
    pub rises: Option<(f64, f64)>,
}

/// Returns the loads that are not paced, by ascending block size.
pub(super) fn groups(fits: &[Fitted]) -> Vec<Group<'_>> {
    let mut loads: Vec<&Fitted> = fits.iter().filter(|f| !f.paced && f.count() >= LEAST_LIGHT).collect();
    loads.sort_by(|a, b| a.block.total_cmp(&b.block));
    let mut groups = Vec::new();
    for same in loads.chunk_by(|a, b| a.has_block(b.block)) {
        // Of loads with equal depth, the one on the lowest rate has left its credits behind.
        let order = |a: &&&Fitted, b: &&&Fitted| {
            let rates = b.rate().value.total_cmp(&a.rate().value);
            a.in_flight.total_cmp(&b.in_flight).then(rates)
        };
        let Some(main) = same.iter().max_by(order) else { continue };
        let fewer = same.iter().filter(|f| f.in_flight * 1.4 < main.in_flight);
        let ratios =
            fewer.max_by(order).map(|f| (main.in_flight / f.in_flight, main.rate().value / f.rate().value));
        groups.push(Group {
            block: main.block,
            main,
            flat: ratios.filter(|(_, rates)| rates.ln().abs() < SAME),
            rises: ratios.filter(|(depths, rates)| *rates > 0.9 * depths),
        });
    }
    groups
}

/// Returns the observations about the loads of one block size.
pub(super) fn signs(group: &Group<'_>, fits: &[Fitted]) -> Vec<ThrottleSign> {
    let main = group.main;
    let (rate, plateau) = (main.rate().value, main.plateau);
    let mut signs = Vec::new();
    let sliced = main.is_sliced();
    if sliced || main.is_even() {
        signs.push(ThrottleSign::EvenOutput { swing: plateau.swing, count: plateau.count });
    }
    if let Some(modes) = main.modes.filter(|_| sliced) {
        let Modes { of_ios, wait_ns, share, .. } = modes;
        signs.push(ThrottleSign::Slices { waited: of_ios, wait_ns, share });
    }
    let light = fits.iter().filter(|f| f.is_light(main));
    let products = light.map(|f| {
        let varies = f.latency.varied().unwrap_or(0.0).sqrt();
        quick_product(f.mean_ns, varies, f.ios, rate)
    });
    if let Some(product) = products.min_by(f64::total_cmp).filter(|p| *p < QUICK && !main.writes) {
        signs.push(ThrottleSign::QuickWhenLight { product });
    }
    if let Some(busy_share) = main.busy_share.filter(|busy| *busy < IDLE) {
        signs.push(ThrottleSign::IdleBeneath { busy_share });
    }
    let quick = main.latency.count_between(0, (0.25e9 / rate) as u64) as f64;
    let quick_share = quick / plateau.excess.max(1.0);
    if plateau.excess >= LEAST_LIGHT && (0.7..1.6).contains(&quick_share) && !main.writes {
        signs.push(ThrottleSign::QuickAtStart { excess: plateau.excess, quick });
    }
    if let Some((expected, seen)) = refilled(main, fits).filter(|_| !main.writes) {
        signs.push(ThrottleSign::RefilledWhileIdle { expected, seen });
    }
    if let Some((depths, rates)) = group.flat {
        signs.push(ThrottleSign::FlatOverDepth { depths, rates });
    }
    signs
}

/// Returns the I/Os that a pause between two loads of equal block size yields at the limited rate, and those that the
/// later load completed beyond this rate, if they agree.
fn refilled(main: &Fitted, fits: &[Fitted]) -> Option<(f64, f64)> {
    let of_main = |f: &&Fitted| !f.paced && f.has_block(main.block);
    let mut loads = fits.iter().filter(of_main);
    let mut before = loads.next()?;
    for load in loads {
        let end = before.start_s + before.seconds;
        let between = fits.iter().filter(|f| f.start_s >= end && f.start_s < load.start_s);
        let spent: f64 = between.map(|f| f.ios).sum();
        let expected = main.rate().value * (load.start_s - end) - spent;
        let seen = load.plateau.excess;
        let on_base = (load.rate().value / before.rate().value).ln().abs() < SAME;
        let agree = (seen / expected - 1.0).abs() < 0.1 && expected > LEAST_LIGHT;
        if on_base && agree && expected < 0.95 * before.plateau.excess {
            return Some((expected, seen));
        }
        before = load;
    }
    None
}

/// Returns whether these observations exclude a device without a throttle.
pub(super) fn is_named(signs: &[ThrottleSign]) -> bool {
    use ThrottleSign::*;
    let even = signs.iter().any(|sign| matches!(sign, EvenOutput { .. }));
    let other = |sign: &ThrottleSign| {
        matches!(
            sign,
            Slices { .. }
                | QuickWhenLight { .. }
                | IdleBeneath { .. }
                | QuickAtStart { .. }
                | RefilledWhileIdle { .. }
        )
    };
    even && signs.iter().any(other)
}
