//! How many in flight? Ladder, bracket, confirm: few depths far apart, then those around the knee, then the ones that
//! the answer rests on, visited in turn so that a device that changes meanwhile shows.

use super::bench::{Bench, StopReason, generator_bound, rationed, slow_of, worthless};
use super::{answer, cap};
use stats::study::{Access, Caveat, Cell, Conclusion, Estimate, Point, Question, StudyClaim, Trend, Unit};

/// Depths that are told apart: steps of the square root of two.
pub const GRID: [u32; 19] = [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724];
/// The deepest queue of the ladder.
pub const DEEPEST: u32 = 256;
/// What counts as the most.
const NEARLY: f64 = 0.95;
/// Width of the intervals on the way, percent (99 %).
const ROUGH: f64 = 5.0;
/// And of those that the answer rests on.
const FINE: f64 = 1.5;
/// Share of the time in which a cap is looked for.
const CAP: f64 = 0.12;
/// Visits of each depth that the answer rests on.
const VISITS: usize = 3;

/// What the other questions take from this one.
#[derive(Clone, Copy, Debug)]
pub struct Knee {
    /// In flight.
    pub in_flight: u32,
    /// Jobs that share them.
    pub jobs: u32,
}

/// A level of the device was left while it was measured.
enum Way {
    StopReason(StopReason),
    /// I/Os per second before, with so many in flight.
    Moved(u32, f64),
}

impl From<StopReason> for Way {
    fn from(over: StopReason) -> Self {
        Way::StopReason(over)
    }
}

struct Search<'b, 'a> {
    bench: &'b mut Bench<'a>,
    target: usize,
    access: Access,
    jobs: u32,
    rough_s: f64,
    fine_s: f64,
    /// Seconds of one long visit at the end: what holds for a moment may not hold.
    hold_s: f64,
    /// The device moved each time before: what is seen now is what is told.
    last: bool,
}

impl Search<'_, '_> {
    fn cell(&self, in_flight: u32) -> Cell {
        Cell::of(self.target, &self.access, in_flight, self.jobs)
    }

    /// The rate at this depth: as seen since the device is what it is, or measured.
    fn rate(&mut self, in_flight: u32) -> Result<Estimate, Way> {
        match self.bench.seen(&self.cell(in_flight)) {
            Some(seen) => Ok(seen),
            None => self.again(in_flight, ROUGH, (0.0, self.rough_s)),
        }
    }

    /// One more visit: the rate of all together.
    fn again(&mut self, in_flight: u32, within: f64, seconds: (f64, f64)) -> Result<Estimate, Way> {
        let cell = self.cell(in_flight);
        let at = self.bench.visit(&cell, within, seconds)?;
        // No answer rests on such a point, and what comes after would be like it.
        if worthless(self.bench.point(at)) {
            return Err(Way::StopReason(StopReason::Failed(format!(
                "point {at} did not measure the device"
            ))));
        }
        // A step inside a point is the device's if the next visit finds the second level.
        if let Trend::Steps { before, after, .. } = self.bench.point(at).trend
            && (before / after).max(after / before) > 1.15
            && !self.last
            && !rationed(self.bench.point(at))
        {
            let next = self.bench.visit(&cell, within, seconds)?;
            let now = self.bench.point(next).iops.value;
            if (now / after).ln().abs() < 0.07 && (now / before).ln().abs() > 0.1 {
                return Err(Way::Moved(in_flight, before));
            }
        }
        Ok(self.bench.seen(&cell).unwrap_or_default())
    }

    /// Gives the search more of the budget where the target is noisy: few answers that hold are worth more than many that do not.
    /// Returns until when the question may spend.
    fn take_what_noise_asks(&mut self, until_s: f64) -> f64 {
        /// In flight, where the noise is looked at.
        const MANY: u32 = 16;
        /// Half of the interval that the most should have, percent.
        const WITHIN: f64 = 5.0;
        /// The time of a search over that of one visit that knows the rate so well.
        const VISITS: f64 = 5.0;
        /// Seconds of a visit in which what comes several times a second, or every second, comes a few times.
        const AGAIN_S: f64 = 1.5;
        /// Variance of the I/Os in a twentieth of a second over their mean, from which on they come in bursts; 1 where they come
        /// at random.
        const UNEVEN: f64 = 10.0;
        /// Share of the rest of the budget.
        const SHARE: f64 = 0.5;
        let shared = self.bench.left_s();
        let rest = self.bench.study.asked.budget_s - self.bench.spent_s;
        if shared >= SHARE * rest {
            return until_s;
        }
        // Long enough to meet a pause that comes every second or two: a shorter visit would look well known.
        let long_s = (self.bench.study.asked.budget_s / 50.0).clamp(0.5, 3.0);
        self.rough_s = (shared / 20.0).clamp(0.5, 8.0).max(long_s);
        // What is wrong with the target shows again, and is told then.
        let _ = self.again(MANY, ROUGH, (long_s, self.rough_s));
        let many = self.cell(MANY);
        let visits = self.bench.visits(&many).filter(|p| !worthless(p) && !generator_bound(p));
        let visits: Vec<&Point> = visits.collect();
        // Bursts and pauses have to come a few times in each visit.
        let uneven = |p: &Point| stats::converge::dispersion(&p.series, 0.05).is_some_and(|d| d > UNEVEN);
        let comes_again = visits.iter().any(|p| slow_of(p).count > 0 || uneven(p));
        let one =
            visits.iter().filter_map(|p| stats::converge::seconds_for(&p.series, WITHIN)).fold(0.0, f64::max);
        let again_s = if comes_again { 20.0 * AGAIN_S } else { 0.0 };
        let wanted = (VISITS * one).max(again_s).min(SHARE * rest);
        if wanted <= shared {
            return until_s;
        }
        self.bench.until_s += (1.0 - CAP) * (wanted - shared);
        until_s + wanted - shared
    }

    /// Climbs until more depth does not help: the depths that were tried.
    fn climb(&mut self) -> Result<Vec<u32>, Way> {
        let mut rungs = vec![1];
        let mut last = self.rate(1)?;
        for n in [4, 16, 64, DEEPEST] {
            let now = self.rate(n)?;
            rungs.push(n);
            // It may be flat by chance: the upper end of what it may have risen counts.
            let rise = now.value / last.value
                + 2.0 * (now.half() / last.value).hypot(last.half() / last.value) / 1.96;
            if now.value < 1.03 * last.value && rise < 1.12 {
                break;
            }
            last = now;
        }
        Ok(rungs)
    }

    /// The depth of the highest rate of a ladder that a quota of processor time held back for the most part: its rates
    /// are the quota's, and what is between them is no knee.
    fn short_of_cpu(&self, rungs: &[u32]) -> Option<u32> {
        let last = |n: &u32| self.bench.visits(&self.cell(*n)).last();
        let held = rungs.iter().filter(|n| last(n).is_some_and(rationed)).count();
        let rate = |n: &u32| last(n).map_or(0.0, |p| p.iops.value);
        let best = rungs.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
        (last(best).is_some_and(rationed) && 2 * held >= rungs.len()).then_some(*best)
    }

    /// The depth of the highest rate, having looked beside it, and the rate.
    fn summit(&mut self, rungs: &mut Vec<u32>) -> Result<(u32, Estimate), Way> {
        let mut best = (1, Estimate::default());
        for n in rungs.clone() {
            let rate = self.rate(n)?;
            if rate.value > best.1.value {
                best = (n, rate);
            }
        }
        for beside in [best.0 / 2, best.0 * 2] {
            if beside >= 2 && beside < *rungs.last().unwrap_or(&1) && !rungs.contains(&beside) {
                let rate = self.rate(beside)?;
                rungs.push(beside);
                if rate.value > best.1.value {
                    best = (beside, rate);
                }
            }
        }
        rungs.sort_unstable();
        while let Some(bend) = self.bend(rungs)? {
            let rate = self.rate(bend)?;
            rungs.push(bend);
            rungs.sort_unstable();
            if rate.value > best.1.value {
                best = (bend, rate);
            }
        }
        self.peak(rungs, best)
    }

    /// The depth between the last rung up to which the rate follows the depth and the next one, where the rate falls beyond: a
    /// peak between the two may have both at the same height. `None` where they are near enough, or what follows is a plateau.
    fn bend(&mut self, rungs: &[u32]) -> Result<Option<u32>, Way> {
        const FOLLOWS: f64 = 0.9;
        const NEAR: f64 = 1.2;
        const FALLS: f64 = 0.95;
        for at in 1..rungs.len().saturating_sub(1) {
            let [below, here, above] = [rungs[at - 1], rungs[at], rungs[at + 1]];
            let per = |n: u32, rate: Estimate| rate.value / f64::from(n);
            let each = per(here, self.rate(here)?);
            if each < FOLLOWS * per(below, self.rate(below)?) {
                break;
            }
            if per(above, self.rate(above)?) < FOLLOWS * each {
                let last = *rungs.last().unwrap_or(&above);
                let falls = last == above || self.rate(last)?.value < FALLS * self.rate(above)?.value;
                let middle = (f64::from(here) * f64::from(above)).sqrt().round() as u32;
                let far = f64::from(above) > NEAR * f64::from(here) && here < middle && middle < above;
                return Ok(Some(middle).filter(|_| falls && far));
            }
        }
        Ok(None)
    }

    /// A rate that falls again beyond its highest has a peak, and that may lie between two rungs: narrows it down.
    fn peak(&mut self, rungs: &mut Vec<u32>, mut best: (u32, Estimate)) -> Result<(u32, Estimate), Way> {
        for _ in 0..8 {
            let at = rungs.iter().position(|n| *n == best.0).unwrap_or(0);
            let (Some(&above), Some(&below)) =
                (rungs.get(at + 1), at.checked_sub(1).and_then(|n| rungs.get(n)))
            else {
                break;
            };
            let (higher, lower) = (self.rate(above)?.value, self.rate(below)?.value);
            // Level on one side: a plateau, whose edge the bracket finds. And noise makes peaks too.
            if self.rate(above)?.high > best.1.low || self.rate(below)?.high > best.1.low {
                break;
            }
            if higher > 0.97 * best.1.value && lower > 0.97 * best.1.value || higher > 0.99 * best.1.value {
                break;
            }
            // Up to the peak the rate follows the depth; where it stays behind that, the peak has been passed.
            let passed = best.1.value < 0.97 * lower * f64::from(best.0) / f64::from(below);
            let (a, b) = if passed { (below, best.0) } else { (best.0, above) };
            let middle = (f64::from(a) * f64::from(b)).sqrt().round() as u32;
            if middle <= a || middle >= b {
                break;
            }
            let rate = self.rate(middle)?;
            rungs.push(middle);
            rungs.sort_unstable();
            if rate.value > best.1.value {
                best = (middle, rate);
            }
        }
        Ok(best)
    }

    /// The fewest in flight with [`NEARLY`] all of `most`, and whether noise decided.
    fn bracket(&mut self, rungs: &[u32], most: f64) -> Result<(u32, bool), Way> {
        let wanted = NEARLY * most;
        let mut noisy = false;
        let (mut low, mut high) = (0, *rungs.last().unwrap_or(&1));
        for &n in rungs {
            if self.reaches(n, wanted, &mut noisy)? {
                high = n;
                break;
            }
            low = n;
        }
        loop {
            let between: Vec<u32> = GRID.into_iter().filter(|n| low < *n && *n < high).collect();
            if low == 0 || between.is_empty() {
                return Ok((high, noisy));
            }
            let middle = between[between.len() / 2];
            if self.reaches(middle, wanted, &mut noisy)? { high = middle } else { low = middle }
        }
    }

    /// Whether a depth has the wanted rate; looks again while it is too near to tell.
    fn reaches(&mut self, n: u32, wanted: f64, noisy: &mut bool) -> Result<bool, Way> {
        let mut rate = self.rate(n)?;
        for _ in 0..2 {
            if (rate.value - wanted).abs() > rate.half() * std::f64::consts::SQRT_2 {
                return Ok(rate.value >= wanted);
            }
            rate = self.again(n, ROUGH / 2.0, (0.0, self.rough_s))?;
        }
        *noisy |= (rate.value - wanted).abs() < rate.half();
        Ok(rate.value >= wanted)
    }
}

/// Answers for one pattern of one target; what the other questions need from it.
pub(super) fn study(
    bench: &mut Bench<'_>,
    target: usize,
    access: &Access,
) -> Result<(Vec<Conclusion>, Option<Knee>), StopReason> {
    let from = bench.used();
    // What shows that the most is a cap comes after it is known.
    let until_s = bench.until_s;
    bench.until_s -= CAP * bench.left_s();
    let mut search = Search {
        bench,
        target,
        access: access.clone(),
        jobs: 1,
        rough_s: 0.0,
        fine_s: 0.0,
        hold_s: 0.0,
        last: false,
    };
    let until_s = search.take_what_noise_asks(until_s);
    let mut moved: Option<(u32, f64, f64)> = None;
    // A device may fall from one level to the next (credits, caches), and then again; more is a device that drifts.
    for attempt in 0..4 {
        let left = search.bench.left_s();
        search.rough_s = (left / 20.0).clamp(0.5, 8.0);
        search.fine_s = (left * 0.4 / (3 * VISITS) as f64).clamp(0.5, 15.0);
        search.hold_s = left * 0.25;
        search.last = attempt >= 2;
        match level(&mut search, from) {
            Ok(Outcome::Found(mut found, knee)) => {
                if let (Some((in_flight, before, after_s)), Some(last)) = (moved, found.last().cloned()) {
                    // Both rates are of one load, or nothing would say that it was the device that changed.
                    let estimate = search.rate(in_flight).unwrap_or(last.estimate);
                    let seen = search.bench.left_at(&search.cell(in_flight), before, estimate.value);
                    let (after_s, by_s) = seen.map_or((after_s, None), |(last, first)| (last, Some(first)));
                    let claim = StudyClaim::Moved { before, after_s, by_s };
                    found.push(Conclusion { claim, estimate, unit: Unit::Iops, ..last });
                }
                let law = found.first().and_then(|first| curve(&search, first));
                found.extend(law);
                search.bench.until_s = until_s;
                let cap = found.first().and_then(|first| cap::study(search.bench, first, search.jobs));
                found.extend(cap);
                return Ok((found, knee));
            }
            Ok(Outcome::MoreJobs(jobs)) => search.jobs = jobs,
            Err(Way::Moved(_, before)) if attempt == 3 => {
                let wide = wandered(&search, from).map(|found| (vec![found], None));
                let wide = wide.or_else(|| rough(&search, from));
                return wide.ok_or_else(|| {
                    StopReason::Failed(format!(
                        "the device changed its rate each time, {before:.0} I/Os per second at last"
                    ))
                });
            }
            Err(Way::Moved(in_flight, before)) => {
                moved = moved.or(Some((in_flight, before, search.bench.spent_s)));
                search.bench.begin_anew();
            }
            Err(Way::StopReason(StopReason::Budget)) if moved.is_some() => {
                let wide = wandered(&search, from).map(|found| (vec![found], None));
                return wide.or_else(|| rough(&search, from)).ok_or(StopReason::Budget);
            }
            Err(Way::StopReason(StopReason::Budget)) => {
                return rough(&search, from).ok_or(StopReason::Budget);
            }
            Err(Way::StopReason(over)) => return Err(over),
        }
    }
    Err(StopReason::Failed("the device changed its rate each time: nothing to compare".into()))
}

/// Whether the device itself was idle for the most part while many were in flight: something above it held them back.
pub(super) fn idle_beneath(p: &Point) -> bool {
    let asked = p.cell.in_flight();
    let idle =
        p.util_percent.is_some_and(|u| u < 50.0) && p.queue.is_some_and(|q| q < f64::from(asked) / 4.0);
    idle && asked >= 4
}

/// Whether a rate of `alone` is surely near the most: what may be half of it is no limit at every depth.
fn surely(alone: &Estimate, most: &Estimate) -> bool {
    const SURELY: f64 = 0.85;
    alone.low >= SURELY * most.high
}

/// The rates at all depths that were seen. A visit that was too short to see what is rare knows less than it says: each interval
/// is at least as wide as the variation of all visits makes it for so many I/Os.
fn with_all_noise<'p>(points: impl Iterator<Item = &'p Point> + Clone) -> Vec<(u32, Estimate)> {
    let varied = points.clone().filter_map(|p| {
        let slice_s = p.seconds / 20.0;
        Some((stats::converge::dispersion(&p.series, slice_s)?, p.seconds))
    });
    let (sum, seconds) = varied.fold((0.0, 0.0), |(sum, all), (d, s)| (sum + d * s, all + s));
    let dispersion = if seconds > 0.0 { sum / seconds } else { 0.0 };
    let mut depths: Vec<u32> = points.clone().map(|p| p.cell.in_flight()).collect();
    depths.sort_unstable();
    depths.dedup();
    let of = |n: u32| {
        let visits = points.clone().filter(|p| p.cell.in_flight() == n);
        let (rates, seconds): (Vec<_>, Vec<_>) = visits.map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
        let rate = stats::converge::pooled(&rates, &seconds)?;
        let ios = (rate.value * seconds.iter().sum::<f64>()).max(1.0);
        let half = 1.96 * (dispersion / ios).sqrt() * rate.value;
        let (low, high) = (rate.low.min(rate.value - half).max(0.0), rate.high.max(rate.value + half));
        Some((n, Estimate { low, high, ..rate }))
    };
    depths.into_iter().filter_map(of).collect()
}

/// Between which depths the fewest lie that reach [`NEARLY`] all of `most`: above the last depth that surely does not, up to
/// the first that surely does.
fn between(seen: &[(u32, Estimate)], knee: u32, most: &Estimate) -> Option<[u32; 2]> {
    let reached = |n: &(u32, Estimate)| n.1.low >= NEARLY * most.high;
    let missed = |n: &&(u32, Estimate)| n.1.high < NEARLY * most.low;
    let high = seen.iter().filter(|n| n.0 >= knee).find(|n| reached(n)).map_or(seen.last()?.0, |n| n.0);
    let low = seen.iter().filter(|n| n.0 < knee).rfind(missed).map_or(1, |n| n.0 + 1);
    Some([low, high.max(knee)])
}

/// The 99th percentile of the longest visit that knows its interval, with that; without one the largest of all visits.
fn p99(search: &Search<'_, '_>, cell: &Cell) -> (Option<u64>, Option<[u64; 2]>) {
    let known = search.bench.visits(cell).filter(|p| p.tails.p99.is_some());
    match known.max_by(|a, b| a.seconds.total_cmp(&b.seconds)) {
        Some(longest) => (longest.p99_ns, longest.tails.p99),
        None => (search.bench.visits(cell).filter_map(|p| p.p99_ns).max(), None),
    }
}

/// The law of the rate over the depth, from the depths that an answer rests on.
fn curve(search: &Search<'_, '_>, found: &Conclusion) -> Option<Conclusion> {
    if !matches!(found.claim, StudyClaim::Knee { .. } | StudyClaim::NoKnee { .. }) {
        return None;
    }
    let points = search.bench.level_points();
    let mut depths: Vec<u32> = points.iter().map(|p| p.cell.in_flight()).collect();
    depths.sort_unstable();
    depths.dedup();
    let rates: Vec<(u32, Estimate)> =
        depths.iter().filter_map(|n| Some((*n, search.bench.seen(&search.cell(*n))?))).collect();
    let curve = stats::depth_curve::fit(&rates)?;
    let claim = StudyClaim::Curve { curve, up_to: *depths.last()? };
    Some(Conclusion { claim, caveats: Vec::new(), ..found.clone() })
}

/// The answer of a search whose time was over before it was confirmed: what its depths say as they stand.
fn rough(search: &Search<'_, '_>, from: usize) -> Option<(Vec<Conclusion>, Option<Knee>)> {
    let depths_of = |points: &[Point]| {
        let mut depths: Vec<u32> = points.iter().map(|p| p.cell.in_flight()).collect();
        depths.sort_unstable();
        depths.dedup();
        depths
    };
    // The level that the device is at, or else all that was seen of it.
    let points = match search.bench.level_points() {
        level if depths_of(level).len() >= 3 => level,
        _ => search.bench.since(from),
    };
    let depths = depths_of(points);
    if depths.len() < 3 || points.iter().any(worthless) {
        return None;
    }
    let mine = |p: &&Point| p.cell == search.cell(p.cell.in_flight());
    let seen = with_all_noise(points.iter().filter(mine));
    // A pause that was not visited again.
    if seen.iter().any(|(_, rate)| rate.value <= 0.0) {
        return None;
    }
    let (_, alone) = *seen.first()?;
    let (top, most) = *seen.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let (knee, there) = *seen.iter().find(|(_, rate)| rate.value >= NEARLY * most.value)?;
    if search.bench.visits(&search.cell(top)).any(generator_bound) {
        return generator(search, from, top).map(|found| (vec![found], None));
    }
    if points.iter().any(generator_bound) {
        return None;
    }
    let cell = search.cell(knee);
    let lat = |n: u32, rate: &Estimate| f64::from(n) / rate.value * 1e9;
    // The deepest follows the depth; where it stays behind that, the fewest lie somewhere below.
    let rises = knee == *depths.last()?
        && seen.iter().rfind(|n| n.0 < knee).is_some_and(|(n, rate)| {
            there.value / f64::from(knee) > 0.9 * rate.value / f64::from(*n) && there.low > rate.high
        });
    let claim = if knee == 1 && surely(&alone, &most) {
        let up_to = *depths.last()?;
        let idle = search.bench.visits(&search.cell(up_to)).last().is_some_and(idle_beneath);
        StudyClaim::OneLimit { up_to, alone_ns: lat(1, &alone), above_device: idle }
    } else if rises {
        StudyClaim::NoKnee { up_to: knee, mean_ns: lat(knee, &there), alone_ns: lat(1, &alone) }
    } else {
        let (p99_ns, p99_between) = p99(search, &cell);
        StudyClaim::Knee {
            in_flight: knee,
            between: between(&seen, knee, &most),
            there,
            mean_ns: lat(knee, &there),
            p99_ns,
            p99_between,
            alone_ns: lat(1, &alone),
            bound: most.value / alone.value,
        }
    };
    let evidence = points.iter().map(|p| p.ordinal).collect();
    let caveats = vec![Caveat::WithinNoise, Caveat::Wide { half_percent: most.half_percent() }];
    let (target, access) = (search.target, &search.access);
    let found =
        answer(search.bench, target, access, Question::Depth, claim, most, Unit::Iops, evidence, caveats);
    Some((vec![found], Some(Knee { in_flight: knee, jobs: search.jobs })))
}

/// The processor was the limit at `top` in flight: its rate, and that it is not the device's.
fn generator(search: &Search<'_, '_>, from: usize, top: u32) -> Option<Conclusion> {
    let cell = search.cell(top);
    let most = search.bench.seen(&cell)?;
    let cpu_percent = search.bench.visits(&cell).map(|p| p.cpu_percent).fold(0.0, f64::max);
    let claim = StudyClaim::Generator { in_flight: cell.in_flight(), jobs: cell.jobs, cpu_percent };
    let evidence = search.bench.since(from).iter().map(|p| p.ordinal).collect();
    let wide = most.half_percent() > 5.0;
    let caveats = wide.then(|| Caveat::Wide { half_percent: most.half_percent() }).into_iter().collect();
    let (target, access) = (search.target, &search.access);
    Some(answer(search.bench, target, access, Question::Depth, claim, most, Unit::Iops, evidence, caveats))
}

/// What is left to say of a device that moved until the time was over: where its rate was, and where it is.
fn wandered(search: &Search<'_, '_>, from: usize) -> Option<Conclusion> {
    let points = search.bench.since(from);
    let deepest = |again: bool| {
        let seen = |cell: &Cell| points.iter().filter(|p| p.cell == *cell).count() > usize::from(again);
        points.iter().filter(|p| seen(&p.cell)).max_by_key(|p| p.cell.in_flight())
    };
    let cell = deepest(true)?.cell.clone();
    let mut visits = points.iter().filter(|p| p.cell == cell);
    let (first, last) = (visits.next()?, visits.next_back()?);
    let between = |p: &&stats::study::Point| first.ordinal < p.ordinal && p.ordinal <= last.ordinal;
    let over_s = points.iter().filter(between).map(|p| p.rest_s + p.seconds).sum();
    let claim = StudyClaim::Drifts { in_flight: cell.in_flight(), before: first.iops.value, over_s };
    let evidence = points.iter().map(|p| p.ordinal).collect();
    let (target, access) = (search.target, &search.access);
    let changed = (last.iops.value / first.iops.value).ln().abs() > 0.03;
    changed.then(|| {
        answer(
            search.bench,
            target,
            access,
            Question::Depth,
            claim,
            last.iops,
            Unit::Iops,
            evidence,
            Vec::new(),
        )
    })
}

enum Outcome {
    Found(Vec<Conclusion>, Option<Knee>),
    /// The generator was the limit with fewer jobs than this.
    MoreJobs(u32),
}

/// Answers while the device stays at one level.
fn level(search: &mut Search<'_, '_>, from: usize) -> Result<Outcome, Way> {
    let mut rungs = search.climb()?;
    if let Some(best) = search.short_of_cpu(&rungs) {
        match search.again(best, FINE, (search.fine_s / 3.0, search.fine_s)) {
            Ok(_) | Err(Way::StopReason(StopReason::Budget)) => {}
            Err(other) => return Err(other),
        }
        let found = generator(search, from, best).ok_or(StopReason::Budget)?;
        return Ok(Outcome::Found(vec![found], None));
    }
    let (mut top, rough) = search.summit(&mut rungs)?;
    let (mut knee, mut noisy) = search.bracket(&rungs, rough.value)?;
    // The most itself has 95 % of the most, whatever noise made of the depths on the way.
    knee = knee.min(top);
    // On a plateau the deepest rung that is on it tells the most without the luck of the highest.
    if let Some(n) = rungs.iter().rev().find(|n| **n > knee)
        && search.rate(*n)?.value > 0.97 * rough.value
    {
        top = *n;
    }
    let first = search.bench.used();
    let before_1 = search.rate(1)?;
    let before_top = search.rate(top)?;
    let mut ends: Vec<(Estimate, f64)> = Vec::new();
    for _ in 0..VISITS {
        let mut each = vec![1, knee, top];
        each.dedup();
        for n in each {
            match search.again(n, FINE, (search.fine_s / 3.0, search.fine_s)) {
                // The confirmation may be shorter than planned: what was found stands.
                Err(Way::StopReason(StopReason::Budget)) if !ends.is_empty() || n != 1 => break,
                other => _ = other?,
            }
            let bench = &search.bench;
            let at = bench.used() - 1;
            if n == top {
                ends.push((bench.point(at).iops, bench.spent_s));
            }
        }
    }
    // What the ladder saw and what the visits see are the same device, or it has moved.
    let far = |a: Estimate, b: Estimate| {
        (a.value / b.value).ln().abs() > 0.12 && (a.value - b.value).abs() > 2.0 * a.half().hypot(b.half())
    };
    let mut held_drifts = None;
    if search.hold_s >= 2.0 * search.fine_s.max(1.0) {
        match search.again(top, 0.0, (search.hold_s, search.hold_s)) {
            // Its time went into what came before, which stands.
            Err(Way::StopReason(StopReason::Budget)) => {}
            Err(other) => return Err(other),
            Ok(_) => {
                let bench = &search.bench;
                let held = bench.point(bench.used() - 1);
                ends.push((held.iops, bench.spent_s));
                match held.trend {
                    Trend::Drifts(percent) if percent.abs() > 3.0 => held_drifts = Some(percent),
                    Trend::Steps { before, .. } if !search.last => {
                        return Err(Way::Moved(top, before));
                    }
                    _ => {}
                }
                // A level that was left near the end of it is no trend, but makes it known far less than shorter visits are.
                let (held, first) = (held.iops, ends[0].0);
                let uneven = held.half_percent() > 5.0 && held.half() > 2.0 * first.half();
                if uneven && !search.last && held_drifts.is_none() {
                    match search.again(top, FINE, (search.fine_s / 3.0, search.fine_s)) {
                        Err(Way::StopReason(StopReason::Budget)) => {}
                        Err(other) => return Err(other),
                        Ok(_) if far(search.bench.point(search.bench.used() - 1).iops, first) => {
                            return Err(Way::Moved(top, first.value));
                        }
                        Ok(_) => {}
                    }
                }
            }
        }
    }
    let confirmed = |search: &Search<'_, '_>, n: u32| -> Option<Estimate> {
        let cell = search.cell(n);
        let visits = search.bench.since(first).iter().filter(|p| p.cell == cell);
        let (rates, seconds): (Vec<_>, Vec<_>) = visits.map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
        stats::converge::pooled(&rates, &seconds)
    };
    let most = confirmed(search, top).unwrap_or(before_top);
    // Where more in flight costs, the deepest of the plateau is beyond the peak.
    let most = confirmed(search, knee).filter(|at_knee| at_knee.low > most.high).unwrap_or(most);
    let alone = confirmed(search, 1).unwrap_or(before_1);
    let worst = search.bench.since(first).iter().map(|p| p.grade).max().unwrap_or_default();
    let mut caveats = Vec::new();
    if worst > stats::Grade::Caveats {
        caveats.push(Caveat::Grade { grade: worst });
    }
    let drift = match (ends.first(), ends.last()) {
        (Some((a, at_a)), Some((b, at_b))) if at_b > at_a => {
            let change = b.value / a.value - 1.0;
            let sure = (b.value - a.value).abs() > 2.0 * a.half().hypot(b.half());
            // A step leaves the visits between on one side or the other; a drift has them on its way.
            let between = |v: &(Estimate, f64)| {
                let share = (v.0.value - a.value) / (b.value - a.value);
                (0.15..0.85).contains(&share)
            };
            let drifts = ends.len() > 2 && ends[1..ends.len() - 1].iter().all(between);
            if sure && change.abs() > 0.12 && !search.last && !drifts {
                return Err(Way::Moved(top, a.value));
            }
            let wanders = held_drifts.is_some_and(|p: f64| p * change > 0.0);
            (sure && change.abs() > 0.03 || wanders).then_some((change, a.value, at_b - at_a))
        }
        _ => None,
    };
    if drift.is_none() && !search.last && (far(before_top, most) || far(before_1, alone)) {
        return Err(Way::Moved(top, before_top.value));
    }
    // The bracket was made with a rougher maximum.
    if let Some(there) = confirmed(search, knee) {
        let mut steps = 0;
        let mut rate = there;
        while drift.is_none() && rate.value + rate.half() < NEARLY * most.value && knee < top && steps < 2 {
            let Some(next) = GRID.into_iter().find(|n| *n > knee) else { break };
            knee = next.min(top);
            match search.rate(knee) {
                Ok(found) => rate = found,
                Err(Way::StopReason(StopReason::Budget)) => break,
                Err(other) => return Err(other),
            }
            steps += 1;
        }
    }
    noisy &= most.half_percent() > 1.0;
    if noisy {
        caveats.push(Caveat::WithinNoise);
    }
    if most.half_percent() > 5.0 {
        caveats.push(Caveat::Wide { half_percent: most.half_percent() });
    }
    let evidence: Vec<u32> = (from..search.bench.used()).map(|n| n as u32).collect();
    let top_point = || search.bench.visits(&search.cell(top)).last().cloned();
    let (access, target) = (search.access.clone(), search.target);
    let say = |search: &Search<'_, '_>, claim, estimate| {
        answer(
            search.bench,
            target,
            &access,
            Question::Depth,
            claim,
            estimate,
            Unit::Iops,
            evidence.clone(),
            caveats.clone(),
        )
    };
    let lat = |search: &Search<'_, '_>, n: u32, rate: &Estimate| {
        f64::from(search.cell(n).in_flight()) / rate.value * 1e9
    };
    let bound = top_point().filter(generator_bound);
    if let Some(point) = &bound {
        // Another processor may carry more.
        let cpus = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        let quota = point.findings.iter().any(|f| matches!(f.claim, stats::Claim::CpuTakenAway { .. }));
        if search.jobs < cpus && top > 1 && !quota {
            return Ok(Outcome::MoreJobs(cpus));
        }
        let claim =
            StudyClaim::Generator { in_flight: top, jobs: search.jobs, cpu_percent: point.cpu_percent };
        return Ok(Outcome::Found(vec![say(search, claim, most)], None));
    }
    let knee_is = Some(Knee { in_flight: knee, jobs: search.jobs });
    if let Some((_, before, over_s)) = drift {
        let last = ends.last().map_or(most, |(rate, _)| *rate);
        let claim = StudyClaim::Drifts { in_flight: knee, before, over_s };
        return Ok(Outcome::Found(vec![say(search, claim, last)], knee_is));
    }
    let alone_ns = lat(search, 1, &alone);
    let mine = |p: &&Point| p.cell == search.cell(p.cell.in_flight());
    let seen = with_all_noise(search.bench.level_points().iter().filter(mine));
    let fewest = between(&seen, knee, &most);
    // What may be fewer by far is no lack of a knee.
    let deep = fewest.is_none_or(|[low, _]| low > DEEPEST / 2);
    let claim = if alone.value >= NEARLY * most.value && surely(&alone, &most) {
        let above_device = top_point().is_some_and(|p| idle_beneath(&p));
        let up_to = rungs.last().copied().unwrap_or(1);
        StudyClaim::OneLimit { up_to, alone_ns, above_device }
    } else if deep && (knee >= DEEPEST || top == DEEPEST && knee > DEEPEST * 2 / 3) {
        StudyClaim::NoKnee { up_to: top, mean_ns: lat(search, top, &most), alone_ns }
    } else {
        let cell = search.cell(knee);
        let there = search.bench.seen(&cell).unwrap_or(most);
        let (p99_ns, p99_between) = p99(search, &cell);
        StudyClaim::Knee {
            in_flight: knee,
            between: fewest,
            there,
            mean_ns: lat(search, knee, &there),
            p99_ns,
            p99_between,
            alone_ns,
            bound: most.value * alone_ns / 1e9,
        }
    };
    Ok(Outcome::Found(vec![say(search, claim, most)], knee_is))
}
