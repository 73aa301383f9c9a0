//! How many I/Os per second keep a goal for latency? Arrivals come at random at a rate (Poisson), whatever becomes of those
//! before, and latency counts from when each was due: what users of that rate wait. Halving, then visits around the rate at
//! which the goal is just kept, in turn, and a line through them.

use super::answer;
use super::bench::{Bench, Over, worthless};
use super::depth::Knee;
use stats::Histogram;
use stats::converge::student_t;
use stats::percentile::{self, Goal};
use stats::study::{Access, Caveat, Cell, Claim, Conclusion, Estimate, Point, Question, Unit};
use stats::unit::MIB;

/// The deepest queue that arrivals wait in; beyond it they wait all the same.
const SLOTS: f64 = 1024.0;
/// Memory that may be in flight.
const IN_FLIGHT: u64 = 256 * MIB;
/// The highest rate that is tried, as a share of the most: beyond it the queue grows without end.
const HIGHEST: f64 = 0.97;
/// The lowest.
const LOWEST: f64 = 1.0 / 32.0;
/// Halving ends when the two ends are as near as this.
const NEAR: f64 = 1.12;
/// How far around the rate visits are spread, at first.
const SPREAD: f64 = 0.05;
/// Sets of nine visits, until the interval is this narrow, percent.
const SETS: usize = 6;
const NARROW: f64 = 2.0;
/// It is the 99 % interval that has to be: looking often is paid for by that.
const CONTENT: f64 = 1.2;
/// I/Os beyond a percentile that a point needs.
const BEYOND: f64 = 15.0;

struct Search<'b, 'a> {
    bench: &'b mut Bench<'a>,
    target: usize,
    access: Access,
    goal: Goal,
    jobs: u32,
    slots: u32,
}

impl Search<'_, '_> {
    /// All that the target can, one at a time or many.
    fn closed(&self, in_flight: u32) -> Cell {
        Cell::of(self.target, &self.access, in_flight, self.jobs)
    }

    /// Arrivals at so many I/Os per second.
    fn open(&self, iops: f64) -> Cell {
        let rate = (iops * self.access.bs as f64).round().max(1.0) as u64;
        Cell { depth: self.slots.div_ceil(self.jobs), jobs: self.jobs, rate: Some(rate), ..self.closed(1) }
    }

    /// Seconds that a point of this rate needs.
    fn needs_s(&self, iops: f64) -> f64 {
        match self.goal.may_exceed() {
            Some(may) => BEYOND / (may * iops),
            None => 100.0 / iops,
        }
    }

    /// Visits a cell of about this rate, for `seconds` or as long as it needs.
    fn visit(&mut self, cell: &Cell, iops: f64, seconds: f64) -> Result<Point, Over> {
        let seconds = self.needs_s(iops).max(seconds);
        if seconds > self.bench.left_s() {
            return Err(Over::Budget);
        }
        let at = self.bench.visit(cell, 0.0, (seconds, seconds))?;
        let point = self.bench.point(at).clone();
        if worthless(&point) {
            return Err(Over::Failed(format!("point {at} did not measure the device")));
        }
        Ok(point)
    }

    /// How much of the goal a point takes: more than 1 where it is not kept.
    fn taken(&self, point: &Point) -> f64 {
        self.goal.taken(&point.latencies, point.mean_ns)
    }

    /// Whether the goal is kept at a rate.
    fn keeps(&mut self, iops: f64, seconds: f64) -> Result<bool, Over> {
        let cell = self.open(iops);
        let point = self.visit(&cell, iops, seconds)?;
        Ok(self.taken(&point) <= 1.0)
    }

    /// Where the goal is just kept, by the points from number `from` on that are as near to `center` as this.
    fn crossing(&self, from: usize, center: f64, near: f64) -> Option<(Estimate, f64)> {
        let points = self.bench.since(from).iter();
        let seen = points.filter_map(|p| {
            let iops = iops(p).filter(|iops| (iops / center).ln().abs() < near)?;
            let n = p.latencies.count() as f64 * self.goal.may_exceed().unwrap_or(1.0);
            Some((iops, self.taken(p), n))
        });
        crossing(&seen.collect::<Vec<Seen>>())
    }

    /// The same from further off, for where nearer points do not tell.
    fn crossing_roughly(&self, from: usize, center: f64) -> Option<(Estimate, f64)> {
        [0.25, 0.5, 1.0].into_iter().find_map(|near| self.crossing(from, center, near))
    }

    /// The figure of the goal, nanoseconds, over these points, with its interval.
    fn figure(&self, points: &[&Point]) -> Option<Estimate> {
        let mut all = Histogram::default();
        points.iter().for_each(|p| all.merge(&p.latencies));
        let n = all.count() as f64;
        let Some(percent) = self.goal.percentile else {
            let value =
                points.iter().map(|p| p.mean_ns * p.latencies.count() as f64).sum::<f64>() / n.max(1.0);
            let squares: f64 = points.iter().map(|p| (p.mean_ns - value).powi(2)).sum();
            let count = points.len() as f64;
            // One alone says nothing of how far it may be off.
            let half = match points.len() {
                0 | 1 => value,
                _ => student_t(0.975, count - 1.0) * (squares / (count - 1.0) / count).sqrt(),
            };
            return (n > 0.0).then(|| Estimate::around(value, half));
        };
        // Neighbours in a queue wait alike: visits differ by more than independent I/Os would, and by how much more tells
        // how many those are.
        let may = 1.0 - percent / 100.0;
        let middle = all.quantile(percent)?;
        let share = |p: &&Point| {
            p.latencies.count_between(middle, u64::MAX) as f64 / p.latencies.count().max(1) as f64
        };
        let mean = points.iter().map(share).sum::<f64>() / points.len() as f64;
        let squares: f64 = points.iter().map(|p| (share(p) - mean).powi(2)).sum();
        let alike = match points.len() {
            0..=2 => 2.0,
            count => squares / (count - 1) as f64 / (may * (1.0 - may) / (n / count as f64)),
        };
        percentile::interval(&all, percent, n / alike.max(1.0))
    }
}

/// What a point says of the goal: its rate, how much of the goal it takes, and how many I/Os say so.
type Seen = (f64, f64, f64);

/// Where the goal is just kept, with its interval, and by how much more a rate takes that is a little higher (both as
/// logarithms). The law is exponential in the logarithm of the rate, its parameters are those of the largest quasi-likelihood
/// of counts, which no scatter pulls to one side as a line through logarithms would be, and what the visits scatter more than
/// counts would widens the interval: neighbours in a queue wait alike.
fn crossing(points: &[Seen]) -> Option<(Estimate, f64)> {
    let n = points.len() as f64;
    if points.len() < 5 {
        return None;
    }
    let middle = points.iter().map(|p| p.0.ln()).sum::<f64>() / n;
    let weight = points.iter().map(|p| p.2).sum::<f64>();
    let mean = points.iter().map(|p| p.1 * p.2).sum::<f64>() / weight;
    let (mut level, mut slope) = (mean.max(1e-6).ln(), 1.0);
    let mut sums = [0.0; 3];
    for _ in 0..40 {
        let mut lacks = [0.0; 2];
        sums = [0.0; 3];
        for (rate, taken, weight) in points {
            let u = rate.ln() - middle;
            let law = (level + slope * u).exp();
            for (lack, by) in lacks.iter_mut().zip([1.0, u]) {
                *lack += weight * (taken - law) * by;
            }
            for (sum, by) in sums.iter_mut().zip([1.0, u, u * u]) {
                *sum += weight * law * by;
            }
        }
        let whole = sums[0] * sums[2] - sums[1] * sums[1];
        // No further than a law may go at a time: exponentials run away.
        level += ((sums[2] * lacks[0] - sums[1] * lacks[1]) / whole).clamp(-1.0, 1.0);
        slope += ((sums[0] * lacks[1] - sums[1] * lacks[0]) / whole).clamp(-5.0, 5.0);
    }
    let law = |rate: f64| (level + slope * (rate.ln() - middle)).exp();
    let scatter =
        points.iter().map(|(rate, taken, w)| w * (taken - law(*rate)).powi(2) / law(*rate)).sum::<f64>()
            / (n - 2.0);
    let whole = sums[0] * sums[2] - sums[1] * sums[1];
    let (of_level, of_both, of_slope) =
        (scatter * sums[2] / whole, -scatter * sums[1] / whole, scatter * sums[0] / whole);
    // More arrivals wait longer; what does not say so says nothing.
    if slope.is_nan() || slope < 2.0 * of_slope.sqrt() {
        return None;
    }
    let at = -level / slope;
    let error = (of_level + 2.0 * at * of_both + at * at * of_slope).max(0.0).sqrt() / slope;
    // Sets end when they look narrow: of 210 intervals at 95 % 193 held the truth, of these 199.
    let half = student_t(0.9875, n - 2.0) * error;
    let rate = |u: f64| (middle + u).exp();
    Some((Estimate { value: rate(at), low: rate(at - half), high: rate(at + half) }, slope))
}

/// The answer for one pattern of one target; `most` is what it does at any depth, where that is known.
pub(super) fn study(
    bench: &mut Bench<'_>,
    target: usize,
    access: &Access,
    knee: Option<Knee>,
    most: Option<Estimate>,
) -> Result<Vec<Conclusion>, Over> {
    let Some(goal) = bench.study.asked.slo else {
        return Err(Over::Failed("no goal was given: --slo p99=2ms".into()));
    };
    let from = bench.used();
    let jobs = knee.map_or(1, |k| k.jobs);
    let mut search = Search { bench, target, access: access.clone(), goal, jobs, slots: 1 };
    let short_s = (search.bench.left_s() / 30.0).clamp(0.5, 30.0);
    // One at a time nothing waits for another.
    let alone = search.bench.visit(&search.closed(1), 0.0, (short_s, short_s))?;
    let alone = search.bench.point(alone).clone();
    let most = match most {
        Some(most) => most,
        None => climb(&mut search, alone.iops, short_s)?,
    };
    let slots = (4.0 * most.value * goal.nanos as f64 / 1e9).clamp(64.0, SLOTS);
    search.slots = slots.min((IN_FLIGHT / access.bs) as f64).max(1.0) as u32;
    let (mut low, mut high) = (LOWEST * most.value, HIGHEST * most.value);
    let say = |search: &Search<'_, '_>, claim, estimate, unit, mut caveats: Vec<Caveat>| {
        let points = search.bench.since(from);
        let worst = points.iter().map(|p| p.grade).max().unwrap_or_default();
        if worst > stats::Grade::Caveats {
            caveats.push(Caveat::Grade { grade: worst });
        }
        let evidence = points.iter().map(|p| p.ordinal).collect();
        vec![answer(search.bench, target, access, Question::Slo, claim, estimate, unit, evidence, caveats)]
    };
    // It is far from the goal on either side, mostly: a few I/Os show that.
    let seconds = search.needs_s(low).min(search.bench.left_s() / 8.0).max(short_s);
    let cell = search.open(low);
    let at = search.bench.visit(&cell, 0.0, (seconds, seconds))?;
    if search.taken(search.bench.point(at)) > 1.0 {
        if search.taken(&alone) > 1.0 {
            let there =
                search.figure(&[&alone]).unwrap_or_else(|| Estimate::around(alone.mean_ns, alone.mean_ns));
            return Ok(say(
                &search,
                Claim::NeverKept { goal, down_to: low },
                there.times(1e-3),
                Unit::Micros,
                Vec::new(),
            ));
        }
        // Fewer still may keep it, and are not worth the time that it takes to see.
        return Err(Over::Failed(format!(
            "not kept at {low:.1} I/Os per second, the fewest that were tried"
        )));
    }
    if search.keeps(high, short_s)? {
        let estimate = Estimate { value: high, low: high, high: most.high.max(high) };
        let claim = Claim::AlwaysKept { goal, most };
        return Ok(say(&search, claim, estimate, Unit::Iops, Vec::new()));
    }
    while high / low > NEAR {
        let middle = if high / low > 2.0 { (low * high).sqrt() } else { (low + high) / 2.0 };
        match search.keeps(middle, short_s) {
            Ok(true) => low = middle,
            Ok(false) => high = middle,
            Err(Over::Budget) => break,
            Err(over) => return Err(over),
        }
    }
    let mut center = (low * high).sqrt();
    let mut found: Option<Estimate> = None;
    let long_s = (search.bench.left_s() / 40.0).clamp(0.5, 60.0);
    // Few I/Os tell rates apart that are far apart.
    let events = long_s * center * goal.may_exceed().unwrap_or(0.02);
    let mut around = if events < 50.0 { 3.0 * SPREAD } else { SPREAD };
    for set in 0..SETS {
        // Near the most all becomes steep: what is looked at stays between.
        let spread = around.min(0.4 * (1.0 - center / most.value)).max(0.005);
        let needed = 9.0 * long_s.max(search.needs_s(center));
        if set > 0 && search.bench.left_s() < needed {
            break;
        }
        let rates = [center * (1.0 - spread), center, center * (1.0 + spread)];
        for nth in 0..9 {
            match search.keeps(rates[(nth + nth / 3) % 3], long_s) {
                // Fewer than planned may do.
                Err(Over::Budget) => break,
                other => _ = other?,
            }
        }
        let near = search.crossing(from, center, 1.7 * spread);
        found = near.map(|(found, _)| found).or(found);
        let Some((crossing, slope)) = near.or_else(|| search.crossing_roughly(from, center)) else {
            continue;
        };
        // Wide enough that what it changes stands out, and no wider than the law holds.
        if goal.percentile.is_some() {
            around = (0.35 / slope).clamp(SPREAD, 3.0 * SPREAD);
        }
        // A root beside what was looked at is guessed, and looked at next.
        if (crossing.value / center).ln().abs() > spread {
            center = crossing.value.clamp(rates[0] * 0.8, rates[2] * 1.2).min(HIGHEST * most.value);
        } else if set > 0 && near.is_some() && crossing.half_percent() * CONTENT <= NARROW {
            break;
        }
    }
    let mut caveats = Vec::new();
    // Where the time was over before, what there is may be enough.
    let found = found.or_else(|| search.crossing_roughly(from, center).map(|(found, _)| found));
    let estimate = found.ok_or(Over::Budget)?;
    if estimate.half_percent() > 10.0 {
        caveats.push(Caveat::Wide { half_percent: estimate.half_percent() });
    }
    let points = search.bench.since(from);
    let near = |p: &&Point| iops(p).is_some_and(|iops| (iops / estimate.value).ln().abs() < 0.06);
    let there = search.figure(&points.iter().filter(near).collect::<Vec<_>>());
    let claim = Claim::Kept { goal, there, most };
    Ok(say(&search, claim, estimate, Unit::Iops, caveats))
}

/// I/Os per second that a point was asked for.
fn iops(point: &Point) -> Option<f64> {
    Some(point.cell.rate? as f64 / point.cell.access.bs as f64)
}

/// The most at any depth, roughly.
fn climb(search: &mut Search<'_, '_>, alone: Estimate, seconds: f64) -> Result<Estimate, Over> {
    let mut most = alone;
    for in_flight in [4, 16, 64, 256] {
        let at = search.bench.visit(&search.closed(in_flight), 2.0, (seconds / 2.0, seconds))?;
        let now = search.bench.point(at).iops;
        let rises = now.value > 1.03 * most.value;
        if now.value > most.value {
            most = now;
        }
        if !rises {
            break;
        }
    }
    Ok(most)
}
