//! Question slo: the highest rate that keeps a goal for latency. Arrivals are random at a given rate (Poisson) and do
//! not wait for earlier I/Os; latency counts from the time when each I/O was due, as users of that rate experience it.
//!
//! The answer is a rate at which the goal was shown to be kept. A few visits locate this rate roughly; then a rate is
//! tried by visits of its own, each after a warm-up of several relaxation times of the queue. A rate that passes is the
//! answer, and a higher one is tried in the remaining time: rates in ascending order need no correction for their
//! number (fixed-sequence test; Maurer, Hothorn and Lehmacher 1995), and rates tried after a failure share the error
//! probability.

use super::answer;
use super::depth::Knee;
use super::point::worthless;
use super::session::{Session, StopReason};
use stats::Histogram;
use stats::failure::Failure;
use stats::goal_test::{self, GoalVisit};
use stats::percentile::{self, Goal};
use stats::quantile::student_t;
use stats::queue_model::QueueModel;
use stats::study::{Access, Caveat, Cell, Conclusion, Estimate, Point, Question, StudyClaim, Unit};
use stats::unit::MIB;
use stats::wait_law::{FittedWaitLaw, WaitLaw};

/// Largest number of I/Os in flight; further arrivals wait in the generator, and their wait counts as latency.
const SLOTS: f64 = 1024.0;
/// Largest amount of data in flight, bytes.
const IN_FLIGHT: u64 = 256 * MIB;
/// Highest rate that is tried, as a share of the maximum rate: nearer to the maximum the queue grows without bound.
const HIGHEST: f64 = 0.97;
/// Lowest rate that is tried, as a share of the maximum rate.
const LOWEST: f64 = 1.0 / 32.0;
/// Share of the time for locating the highest rate that keeps the goal.
const SEARCH: f64 = 0.3;
/// Largest number of visits of this search.
const SEARCHED: usize = 8;
/// Share of the remaining time for one trial.
const TRY: f64 = 0.5;
/// Largest number of visits of one trial.
const VISITS: usize = 10;
/// Length of the warm-up before each visit, in relaxation times of the queue.
const RELAXATIONS: f64 = 3.0;
/// Probability that a rate passes its trial although it misses the goal.
const CHANCE: f64 = 0.015;
/// Number of rates that fail their trial before the trials end.
const FAILURES: usize = 3;
/// Smallest expected number of clumps of slow I/Os, at a rate that just misses the goal, from which a trial can decide.
const CLUMPS: f64 = 4.5;
/// Margin of the first trials, in standard deviations: a rate must be expected to pass even with this many more slow
/// I/Os than expected.
const LUCK: f64 = 0.8;
/// Smallest ratio of the next rate to the last confirmed rate for which another trial is run.
const HIGHER: f64 = 1.015;
/// Largest time that is examined when the budget is too short for an answer, in multiples of the budget.
const BUDGETS: u32 = 10;

struct GoalSearch<'b, 'a> {
    session: &'b mut Session<'a>,
    target: usize,
    access: Access,
    goal: Goal,
    jobs: u32,
    slots: u32,
    queue: QueueModel,
    /// Expected share of the permitted slow I/Os (or of the permitted mean) at each rate.
    law: WaitLaw,
    /// Number of the first point with random arrivals.
    from: usize,
}

/// Plan of the trial of one rate.
#[derive(Clone, Copy, Debug)]
struct Try {
    iops: f64,
    warm_up_s: f64,
    /// Duration of each visit after its warm-up, in seconds.
    visit_s: f64,
    visits: usize,
}

impl GoalSearch<'_, '_> {
    /// Returns the cell with this many I/Os in flight and no given rate.
    fn closed(&self, in_flight: u32) -> Cell {
        Cell::of(self.target, &self.access, in_flight, self.jobs)
    }

    /// Returns the cell with Poisson arrivals at this rate.
    fn open(&self, iops: f64) -> Cell {
        let rate = (iops * self.access.bs as f64).round().max(1.0) as u64;
        Cell { depth: self.slots.div_ceil(self.jobs), jobs: self.jobs, rate: Some(rate), ..self.closed(1) }
    }

    fn warm_up_s(&self, iops: f64) -> f64 {
        RELAXATIONS * self.queue.relaxation_s(iops)
    }

    /// Returns the expected number of clumps of slow I/Os in `seconds` at a rate that just misses the goal. A mean is
    /// treated like the 98th percentile.
    fn clumps(&self, iops: f64, seconds: f64) -> f64 {
        iops * seconds * self.goal.may_exceed().unwrap_or(0.02) / self.queue.clump_ios(iops)
    }

    /// Returns the time in seconds in which `clumps` clumps of slow I/Os are expected at a rate that just misses the
    /// goal.
    fn seconds_for(&self, iops: f64, clumps: f64) -> f64 {
        clumps / self.clumps(iops, 1.0)
    }

    /// Returns the plan of a trial of one rate that takes `seconds`, including the warm-up of each visit.
    fn plan(&self, iops: f64, seconds: f64) -> Try {
        let warm_up_s = self.warm_up_s(iops).max(0.05);
        // Warm-up time is lost: with a long warm-up, fewer and longer visits are planned.
        let visits = (seconds * 0.4 / warm_up_s).clamp(5.0, VISITS as f64) as usize;
        Try { iops, warm_up_s, visits, visit_s: seconds / visits as f64 - warm_up_s }
    }

    /// Returns whether `seconds` are enough to decide whether a rate keeps the goal.
    fn tells(&self, iops: f64, seconds: f64) -> bool {
        let plan = self.plan(iops, seconds);
        plan.visit_s > super::session::LEAST_S
            && self.clumps(iops, plan.visit_s * plan.visits as f64) >= CLUMPS
    }

    /// Returns the highest rate for which `fine` is true, from a grid of [`HIGHEST`] down to [`LOWEST`]; `None` if
    /// `fine` is true for none. `fine` may be false for low rates as well: at a low rate it takes long until enough
    /// slow I/Os are seen.
    fn highest(&self, fine: impl Fn(f64) -> bool) -> Option<f64> {
        const STEPS: u32 = 480;
        // The steps are even in the logarithm of load over idle share.
        let odds = |load: f64| (load / (1.0 - load)).ln();
        let (low, high) = (odds(LOWEST), odds(HIGHEST));
        let rate = |step: u32| {
            let at = low + (high - low) * f64::from(step) / f64::from(STEPS);
            self.queue.most / (1.0 + (-at).exp())
        };
        (0..=STEPS).rev().map(rate).find(|iops| fine(*iops))
    }

    /// Visits a rate. Returns the number of the point.
    ///
    /// # Errors
    /// The remaining time is too short, or the run failed or did not measure the device.
    fn visit(&mut self, iops: f64, warm_up_s: f64, seconds: f64) -> Result<usize, StopReason> {
        if warm_up_s + seconds > self.session.left_s() {
            return Err(StopReason::Budget);
        }
        let at = self.session.visit_after(&self.open(iops), warm_up_s, 0.0, (seconds, seconds))?;
        if worthless(self.session.point(at)) {
            return Err(StopReason::not_the_device(at));
        }
        Ok(at)
    }

    /// Returns the model of waiting times, fitted to the visits so far.
    fn fitted(&self) -> FittedWaitLaw<'_> {
        let seen = self.session.since(self.from).iter().filter_map(|p| {
            let iops = iops(p)?;
            Some((iops, self.taken(p), self.clumps(iops, p.seconds)))
        });
        self.law.fit(&seen.collect::<Vec<_>>())
    }

    /// Returns the slow I/Os of a point as a share of the permitted ones (or the mean as a share of the permitted
    /// mean): more than 1 if the goal is missed. I/Os in the histogram bucket of the goal count as slow.
    fn taken(&self, point: &Point) -> f64 {
        match self.goal.may_exceed() {
            Some(may) => self.seen(point).slow / self.seen(point).ios.max(1.0) / may,
            None => self.law.of_mean(point.mean_ns),
        }
    }

    fn seen(&self, point: &Point) -> GoalVisit {
        GoalVisit {
            ios: point.latencies.count() as f64,
            slow: self.goal.slow(&point.latencies) as f64,
            mean_ns: point.mean_ns,
        }
    }

    /// Returns the visits of these points as evidence about a rate.
    fn evidence(&self, points: &[Point]) -> Vec<GoalVisit> {
        points.iter().map(|p| self.seen(p)).collect()
    }

    /// Tries a rate. Returns whether the goal is shown to be kept.
    fn try_rate(&mut self, plan: Try) -> Result<bool, StopReason> {
        let from = self.session.used();
        let clump = self.queue.clump_ios(plan.iops);
        for nth in 0..plan.visits {
            match self.visit(plan.iops, plan.warm_up_s, plan.visit_s) {
                // Fewer visits than planned may be enough.
                Err(StopReason::Budget) => break,
                other => _ = other?,
            }
            // The rate is now unlikely to pass, and the remaining time is better spent on a lower rate.
            let seen = self.evidence(self.session.since(from));
            if nth + 1 < plan.visits && goal_test::chance_if_kept(&self.goal, &seen, clump) < 0.1 {
                return Ok(false);
            }
        }
        let seen = self.evidence(self.session.since(from));
        Ok(goal_test::chance_if_missed(&self.goal, &seen, clump) <= CHANCE)
    }

    /// Returns the lowest rate at which the goal is shown to be missed.
    fn missed(&self) -> Option<f64> {
        let points = self.session.since(self.from);
        let mut lowest: Option<f64> = None;
        for point in points {
            let Some(rate) = iops(point) else { continue };
            let same: Vec<GoalVisit> =
                points.iter().filter(|p| p.cell.rate == point.cell.rate).map(|p| self.seen(p)).collect();
            // Many rates are compared, so each comparison needs a small error probability.
            let missed =
                goal_test::chance_if_kept(&self.goal, &same, self.queue.clump_ios(rate)) <= CHANCE / 10.0;
            if missed && lowest.is_none_or(|lowest| rate < lowest) {
                lowest = Some(rate);
            }
        }
        lowest
    }

    /// Locates the highest rate that keeps the goal by a few visits.
    fn search(&mut self, reach: f64) -> Result<(), StopReason> {
        let end_s = self.session.left_s() * (1.0 - SEARCH);
        let each_s = self.session.left_s() * SEARCH / 4.0;
        for nth in 0..SEARCHED {
            let expected = self.fitted();
            // Rates on both sides of the estimate determine the slope of the law.
            let taken = if nth % 2 == 0 { 1.0 } else { 0.4 };
            let rate = self.highest(|iops| iops <= reach && expected.taken(iops) <= taken);
            let rate = rate.unwrap_or(LOWEST * self.queue.most);
            let law = expected.taken(rate);
            let warm_up_s = self.warm_up_s(rate).min(each_s / 3.0).max(0.05);
            let seconds = self.seconds_for(rate, CLUMPS).max(0.5).min(each_s);
            if self.session.left_s() - warm_up_s - seconds < end_s {
                break;
            }
            let at = self.visit(rate, warm_up_s, seconds)?;
            let found = self.taken(self.session.point(at));
            // The rate behaved as expected: the trial decides more than further visits here.
            if nth > 1 && (found.max(0.1) / law.max(0.1)).ln().abs() < 0.4 {
                break;
            }
        }
        Ok(())
    }

    /// Returns the highest rate up to `below`, I/Os per second, that is expected to pass a trial of `seconds` with a
    /// margin of `deviations` standard deviations; `None` if there is no such rate.
    fn promising(&self, seconds: f64, below: f64, deviations: f64) -> Option<f64> {
        let expected = self.fitted();
        self.highest(|iops| {
            let plan = self.plan(iops, seconds);
            let allowed = self.clumps(iops, plan.visit_s * plan.visits as f64);
            let due = expected.taken(iops) * allowed;
            let unlucky = due + deviations * (2.0 * due).sqrt();
            iops <= below
                && self.tells(iops, seconds)
                && unlucky < allowed
                && goal_test::not_above(allowed, unlucky) <= CHANCE
        })
    }

    /// Returns the highest rate up to `below`, I/Os per second, that is expected to keep the goal and can be decided in
    /// time, even if it is unlikely to pass; `None` if there is no such rate.
    fn possible(&self, seconds: f64, below: f64) -> Option<f64> {
        let expected = self.fitted();
        self.highest(|iops| iops <= below && expected.taken(iops) < 0.7 && self.tells(iops, seconds))
    }

    /// Returns the reason for a missing answer, with the additional time that an answer is expected to need.
    fn needs(&self, below: f64) -> StopReason {
        let left_s = self.session.left_s().max(1.0);
        let more = (1..=BUDGETS).map(|times| f64::from(times) * self.session.study.asked.budget_s);
        match more.into_iter().find(|more| self.promising(left_s + more, below, LUCK).is_some()) {
            Some(more) => StopReason::Needs(more),
            None => StopReason::Failed(Failure::BeyondBudget { budgets: BUDGETS }),
        }
    }

    /// Returns the percentile or mean of the goal over these points, nanoseconds, with its interval.
    fn figure(&self, points: &[&Point]) -> Option<Estimate> {
        let mut all = Histogram::default();
        points.iter().for_each(|p| all.merge(&p.latencies));
        let n = all.count() as f64;
        let Some(percent) = self.goal.percentile else {
            let value =
                points.iter().map(|p| p.mean_ns * p.latencies.count() as f64).sum::<f64>() / n.max(1.0);
            let squares: f64 = points.iter().map(|p| (p.mean_ns - value).powi(2)).sum();
            let count = points.len() as f64;
            // A single visit has no estimate of its error.
            let half = match points.len() {
                0 | 1 => value,
                _ => student_t(0.975, count - 1.0) * (squares / (count - 1.0) / count).sqrt(),
            };
            return (n > 0.0).then(|| Estimate::around(value, half));
        };
        // Successive I/Os in a queue have similar waits: visits differ by more than independent I/Os would, and the
        // ratio gives the effective number of independent I/Os.
        let may = 1.0 - percent / 100.0;
        let max_ns = points.iter().map(|p| p.max_ns).max().unwrap_or(u64::MAX);
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
        let found = percentile::interval(&all, percent, n / alike.max(1.0))?;
        Some(Estimate { value: found.value.min(max_ns as f64), ..found })
    }

    /// Returns whether I/Os that do not wait for each other already miss the goal, at the same error probability as a
    /// trial.
    fn misses_alone(&self, alone: &Point) -> bool {
        let seen = self.seen(alone);
        match self.goal.may_exceed() {
            Some(may) => goal_test::not_above(seen.slow, seen.ios * may) <= CHANCE,
            None => {
                let error = (self.queue.varied / seen.ios.max(1.0)).sqrt();
                alone.mean_ns * (1.0 - 3.0 * error) > self.goal.nanos as f64
            }
        }
    }
}

/// The highest rate at which the goal was shown to be kept.
struct Shown {
    iops: f64,
    /// Number of the first point of the visits that show this rate.
    from: usize,
}

impl GoalSearch<'_, '_> {
    /// Measures I/Os at depth 1, and the maximum rate unless it is known; the queue model and the waiting-time model
    /// are fitted from both. Returns the point at depth 1, and the maximum rate.
    fn measure_service(
        &mut self,
        most: Option<Estimate>,
        short_s: f64,
    ) -> Result<(Point, Estimate), StopReason> {
        let alone = self.session.visit(&self.closed(1), 0.0, (2.0 * short_s, 2.0 * short_s))?;
        let alone = self.session.point(alone).clone();
        let most = match most {
            Some(most) => most,
            None => climb(self, alone.iops, short_s)?,
        };
        let slots = (4.0 * most.value * self.goal.nanos as f64 / 1e9).clamp(64.0, SLOTS);
        self.slots = slots.min((IN_FLIGHT / self.access.bs) as f64).max(1.0) as u32;
        self.queue = QueueModel {
            most: most.value,
            service_s: alone.mean_ns / 1e9,
            varied: alone.latencies.varied().unwrap_or(1.0),
        };
        self.law = WaitLaw::new(self.goal, self.queue, &alone.latencies);
        self.from = self.session.used();
        Ok((alone, most))
    }

    /// Returns the figure of the goal, nanoseconds, for I/Os at depth 1, if these I/Os and those at the lowest rate
    /// miss the goal.
    fn never_kept(&mut self, alone: &Point, short_s: f64) -> Result<Option<Estimate>, StopReason> {
        if !self.misses_alone(alone) {
            return Ok(None);
        }
        let low = LOWEST * self.queue.most;
        let seconds = self.seconds_for(low, CLUMPS).max(short_s).min(self.session.left_s() / 4.0);
        let at = self.visit(low, self.warm_up_s(low).min(seconds), seconds)?;
        if self.taken(self.session.point(at)) <= 1.0 {
            return Ok(None);
        }
        // With too few I/Os for an interval, the observed percentile is reported without one.
        let own = self
            .goal
            .percentile
            .and_then(|p| alone.latencies.quantile(p))
            .map_or(alone.mean_ns, |ns| ns.min(alone.max_ns) as f64);
        Ok(Some(self.figure(&[alone]).unwrap_or(Estimate { value: own, low: own, high: own })))
    }

    /// Returns the highest rate that a trial can decide in half of the time after the search, or else in all of it.
    fn reach(&self) -> Result<f64, StopReason> {
        let left_s = self.session.left_s() * (1.0 - SEARCH);
        let within = |seconds| self.highest(|iops| self.tells(iops, seconds));
        within(TRY * left_s).or_else(|| within(left_s)).ok_or_else(|| self.needs(HIGHEST * self.queue.most))
    }

    /// Returns whether `iops` is the highest rate that is tried.
    fn is_top(&self, iops: f64) -> bool {
        iops >= 0.999 * HIGHEST * self.queue.most
    }

    /// Tries rates until a further trial would not improve the answer enough for the remaining time.
    ///
    /// # Errors
    /// No rate was shown to keep the goal.
    fn highest_shown(&mut self) -> Result<Shown, StopReason> {
        let mut shown: Option<Shown> = None;
        let (mut below, mut failures) = (HIGHEST * self.queue.most, 0);
        while failures < FAILURES {
            // All of the remaining time may go to one trial and, without an answer so far, to a trial that is likely to
            // fail.
            let left_s = self.session.left_s() * 0.98;
            let trials = [(TRY * left_s, LUCK), (left_s, LUCK), (left_s, 0.0)];
            let trials = if shown.is_some() { &trials[..2] } else { &trials[..] };
            let rate = trials.iter().find_map(|(seconds, deviations)| {
                let (rate, seconds) = (self.promising(*seconds, below, *deviations)?, *seconds);
                let worth = shown.as_ref().is_none_or(|shown| rate > HIGHER * shown.iops);
                worth.then_some((rate, seconds))
            });
            // Without an answer, the remaining time is spent on a trial even if it is unlikely to pass.
            let last = || Some((self.possible(left_s, below)?, left_s)).filter(|_| shown.is_none());
            let Some((rate, seconds)) = rate.or_else(last) else { break };
            let from = self.session.used();
            match self.try_rate(self.plan(rate, seconds)) {
                Ok(true) => shown = Some(Shown { iops: rate, from }),
                Ok(false) => (below, failures) = (0.97 * rate, failures + 1),
                Err(StopReason::Budget) => break,
                Err(over) => return Err(over),
            }
            if shown.as_ref().is_some_and(|shown| self.is_top(shown.iops)) {
                break;
            }
        }
        shown.ok_or_else(|| self.needs(below))
    }

    /// Returns the conclusion that is based on all points since number `first`.
    fn conclude(
        &self,
        first: usize,
        claim: StudyClaim,
        estimate: Estimate,
        unit: Unit,
        mut caveats: Vec<Caveat>,
    ) -> Vec<Conclusion> {
        let points = self.session.since(first);
        let worst = points.iter().map(|p| p.grade).max().unwrap_or_default();
        if worst > stats::Grade::Caveats {
            caveats.push(Caveat::Grade { grade: worst });
        }
        let evidence = points.iter().map(|p| p.ordinal).collect();
        let (target, access) = (self.target, &self.access);
        vec![answer(self.session, target, access, Question::Slo, claim, estimate, unit, evidence, caveats)]
    }
}

/// Answers the question for one pattern of one target; `most` is the maximum rate at any depth, if known.
pub(super) fn study(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
    knee: Option<Knee>,
    most: Option<Estimate>,
) -> Result<Vec<Conclusion>, StopReason> {
    let Some(goal) = session.study.asked.slo else {
        return Err(StopReason::Failed(Failure::NoGoal));
    };
    let first = session.used();
    let jobs = knee.map_or(1, |k| k.jobs);
    let queue = QueueModel { most: 1.0, service_s: 1.0, varied: 0.0 };
    let law = WaitLaw::new(goal, queue, &Histogram::default());
    let mut search =
        GoalSearch { session, target, access: access.clone(), goal, jobs, slots: 1, queue, law, from: 0 };
    let short_s = (search.session.left_s() / 30.0).clamp(0.5, 30.0);
    let (alone, most) = search.measure_service(most, short_s)?;
    if let Some(figure) = search.never_kept(&alone, short_s)? {
        let claim = StudyClaim::NeverKept { goal, down_to: LOWEST * most.value };
        return Ok(search.conclude(first, claim, figure.times(1e-3), Unit::Micros, Vec::new()));
    }
    let reach = search.reach()?;
    search.search(reach)?;
    let shown = search.highest_shown()?;
    if search.is_top(shown.iops) {
        let estimate = Estimate { value: shown.iops, low: shown.iops, high: most.high.max(shown.iops) };
        let claim = StudyClaim::AlwaysKept { goal, most };
        return Ok(search.conclude(first, claim, estimate, Unit::Iops, Vec::new()));
    }
    let missed = search.missed().filter(|missed| *missed > shown.iops);
    let high = missed.unwrap_or(most.high.max(shown.iops));
    let estimate = Estimate { value: shown.iops, low: shown.iops, high };
    let mut caveats = Vec::new();
    let percent = 100.0 * (estimate.high / estimate.value - 1.0);
    if percent > 20.0 {
        caveats.push(Caveat::MayBeMore { percent });
    }
    let rate = search.open(shown.iops).rate;
    let there: Vec<&Point> =
        search.session.since(shown.from).iter().filter(|p| p.cell.rate == rate).collect();
    let claim = StudyClaim::Kept { goal, there: search.figure(&there), most };
    Ok(search.conclude(first, claim, estimate, Unit::Iops, caveats))
}

/// Returns the rate of arrivals of a point, I/Os per second.
fn iops(point: &Point) -> Option<f64> {
    Some(point.cell.rate? as f64 / point.cell.access.bs as f64)
}

/// Returns an approximate maximum rate over all depths.
fn climb(search: &mut GoalSearch<'_, '_>, alone: Estimate, seconds: f64) -> Result<Estimate, StopReason> {
    let mut most = alone;
    for in_flight in [4, 16, 64, 256] {
        let at = search.session.visit(&search.closed(in_flight), 2.0, (seconds / 2.0, seconds))?;
        let now = search.session.point(at).iops;
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
