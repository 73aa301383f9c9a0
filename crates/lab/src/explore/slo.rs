//! How many I/Os per second keep a goal for latency? Arrivals come at random at a rate (Poisson), whatever becomes of those
//! before, and latency counts from when each was due: what users of that rate wait.
//!
//! The answer is a rate at which the goal was shown to be kept. A few visits find about where that is; then a rate is
//! tried by visits that say nothing else, each after a warm-up of several relaxation times of the queue. A rate that passes
//! is the answer, and a higher one is tried in what time is left: rates in ascending order need no correction for their
//! number (fixed-sequence test; Maurer, Hothorn and Lehmacher 1995), rates after one that failed share the chance to err.

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

/// The deepest queue that arrivals wait in; beyond it they wait all the same.
const SLOTS: f64 = 1024.0;
/// Memory that may be in flight.
const IN_FLIGHT: u64 = 256 * MIB;
/// The highest rate that is tried, as a share of the most: beyond it the queue grows without end.
const HIGHEST: f64 = 0.97;
/// The lowest.
const LOWEST: f64 = 1.0 / 32.0;
/// Share of the time that finds about where the goal is just kept.
const SEARCH: f64 = 0.3;
/// Visits of it at most.
const SEARCHED: usize = 8;
/// Share of what is left that one rate is tried for.
const TRY: f64 = 0.5;
/// Visits of a rate that is tried.
const VISITS: usize = 10;
/// Relaxation times of the queue before a visit counts.
const RELAXATIONS: f64 = 3.0;
/// The chance that a rate passes which does not keep the goal; so many rates may fail, then it is enough.
const CHANCE: f64 = 0.015;
const FAILURES: usize = 3;
/// Clumps of slow I/Os that a rate should have that just does not keep the goal: with fewer no number of them tells.
const CLUMPS: f64 = 4.5;
/// So many standard deviations more slow I/Os than expected may come, and a rate still passes.
const LUCK: f64 = 0.8;
/// The next rate is at least so much higher, or it is not worth the time.
const HIGHER: f64 = 1.015;
/// Budgets within which an answer is looked for when this one is too small.
const BUDGETS: u32 = 10;

struct Search<'b, 'a> {
    session: &'b mut Session<'a>,
    target: usize,
    access: Access,
    goal: Goal,
    jobs: u32,
    slots: u32,
    queue: QueueModel,
    /// What is expected of a rate.
    law: WaitLaw,
    /// Number of the first point with arrivals at random.
    from: usize,
}

/// A rate that is tried.
#[derive(Clone, Copy, Debug)]
struct Try {
    iops: f64,
    warm_up_s: f64,
    /// Seconds of each visit, after its warm-up.
    visit_s: f64,
    visits: usize,
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

    fn warm_up_s(&self, iops: f64) -> f64 {
        RELAXATIONS * self.queue.relaxation_s(iops)
    }

    /// Clumps of slow I/Os in so many seconds at a rate that just does not keep the goal. A mean needs some relaxation
    /// times, as many as are slow at a percentile of 98.
    fn clumps(&self, iops: f64, seconds: f64) -> f64 {
        iops * seconds * self.goal.may_exceed().unwrap_or(0.02) / self.queue.clump_ios(iops)
    }

    /// Seconds for so many clumps.
    fn seconds_for(&self, iops: f64, clumps: f64) -> f64 {
        clumps / self.clumps(iops, 1.0)
    }

    /// How one rate is tried in so many seconds, visits and their warm-up.
    fn plan(&self, iops: f64, seconds: f64) -> Try {
        let warm_up_s = self.warm_up_s(iops).max(0.05);
        // Warm-up is lost: where it is long, fewer visits are longer.
        let visits = (seconds * 0.4 / warm_up_s).clamp(5.0, VISITS as f64) as usize;
        Try { iops, warm_up_s, visits, visit_s: seconds / visits as f64 - warm_up_s }
    }

    /// Whether a rate can be told at all in so many seconds.
    fn tells(&self, iops: f64, seconds: f64) -> bool {
        let plan = self.plan(iops, seconds);
        plan.visit_s > super::session::LEAST_S
            && self.clumps(iops, plan.visit_s * plan.visits as f64) >= CLUMPS
    }

    /// The highest rate for which this holds, of rates as near as the time they need lets them be told apart; `None` if it
    /// holds for none. It may fail for low rates too: of few I/Os it takes long until some were slow.
    fn highest(&self, fine: impl Fn(f64) -> bool) -> Option<f64> {
        const STEPS: u32 = 480;
        // Even steps of load over idle.
        let odds = |load: f64| (load / (1.0 - load)).ln();
        let (low, high) = (odds(LOWEST), odds(HIGHEST));
        let rate = |step: u32| {
            let at = low + (high - low) * f64::from(step) / f64::from(STEPS);
            self.queue.most / (1.0 + (-at).exp())
        };
        (0..=STEPS).rev().map(rate).find(|iops| fine(*iops))
    }

    /// Visits a rate: number of the point.
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

    /// Returns the law, fitted to the visits so far.
    fn fitted(&self) -> FittedWaitLaw<'_> {
        let seen = self.session.since(self.from).iter().filter_map(|p| {
            let iops = iops(p)?;
            Some((iops, self.taken(p), self.clumps(iops, p.seconds)))
        });
        self.law.fit(&seen.collect::<Vec<_>>())
    }

    /// How much of the goal a point takes: more than 1 where it is not kept. The goal ends where its bucket begins.
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

    /// Visits of these points as evidence about a rate.
    fn evidence(&self, points: &[Point]) -> Vec<GoalVisit> {
        points.iter().map(|p| self.seen(p)).collect()
    }

    /// Tries a rate: whether the goal is shown to be kept there.
    fn try_rate(&mut self, plan: Try) -> Result<bool, StopReason> {
        let from = self.session.used();
        let clump = self.queue.clump_ios(plan.iops);
        for nth in 0..plan.visits {
            match self.visit(plan.iops, plan.warm_up_s, plan.visit_s) {
                // Fewer than planned may do.
                Err(StopReason::Budget) => break,
                other => _ = other?,
            }
            // It cannot pass any more, and time is dear.
            let seen = self.evidence(self.session.since(from));
            if nth + 1 < plan.visits && goal_test::chance_if_kept(&self.goal, &seen, clump) < 0.1 {
                return Ok(false);
            }
        }
        let seen = self.evidence(self.session.since(from));
        Ok(goal_test::chance_if_missed(&self.goal, &seen, clump) <= CHANCE)
    }

    /// The lowest rate at which the goal is shown to be missed.
    fn missed(&self) -> Option<f64> {
        let points = self.session.since(self.from);
        let mut lowest: Option<f64> = None;
        for point in points {
            let Some(rate) = iops(point) else { continue };
            let same: Vec<GoalVisit> =
                points.iter().filter(|p| p.cell.rate == point.cell.rate).map(|p| self.seen(p)).collect();
            // Many rates are looked at, and one that is wrong would do.
            let missed =
                goal_test::chance_if_kept(&self.goal, &same, self.queue.clump_ios(rate)) <= CHANCE / 10.0;
            if missed && lowest.is_none_or(|lowest| rate < lowest) {
                lowest = Some(rate);
            }
        }
        lowest
    }

    /// Finds about where the goal is just kept.
    fn search(&mut self, reach: f64) -> Result<(), StopReason> {
        let end_s = self.session.left_s() * (1.0 - SEARCH);
        let each_s = self.session.left_s() * SEARCH / 4.0;
        for nth in 0..SEARCHED {
            let expected = self.fitted();
            // Around the place from both sides: the law's slope is learned there.
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
            // As expected: more visits would not tell more than the trial.
            if nth > 1 && (found.max(0.1) / law.max(0.1)).ln().abs() < 0.4 {
                break;
            }
        }
        Ok(())
    }

    /// The highest rate that will pass in so many seconds, by what is expected and so many standard deviations of bad luck.
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

    /// The highest rate that is expected to keep the goal and can be told, however unlikely it is to pass.
    fn possible(&self, seconds: f64, below: f64) -> Option<f64> {
        let expected = self.fitted();
        self.highest(|iops| iops <= below && expected.taken(iops) < 0.7 && self.tells(iops, seconds))
    }

    /// How much more time an answer would take, by what is expected.
    fn needs(&self, below: f64) -> StopReason {
        let left_s = self.session.left_s().max(1.0);
        let more = (1..=BUDGETS).map(|times| f64::from(times) * self.session.study.asked.budget_s);
        match more.into_iter().find(|more| self.promising(left_s + more, below, LUCK).is_some()) {
            Some(more) => StopReason::Needs(more),
            None => StopReason::Failed(Failure::BeyondBudget { budgets: BUDGETS }),
        }
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

    /// Whether I/Os that meet no other miss the goal already, shown as surely as anything here.
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

/// The answer for one pattern of one target; `most` is what it does at any depth, where that is known.
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
        Search { session, target, access: access.clone(), goal, jobs, slots: 1, queue, law, from: 0 };
    let short_s = (search.session.left_s() / 30.0).clamp(0.5, 30.0);
    // One at a time nothing waits for another: the law of the service.
    let alone = search.session.visit(&search.closed(1), 0.0, (2.0 * short_s, 2.0 * short_s))?;
    let alone = search.session.point(alone).clone();
    let most = match most {
        Some(most) => most,
        None => climb(&mut search, alone.iops, short_s)?,
    };
    let slots = (4.0 * most.value * goal.nanos as f64 / 1e9).clamp(64.0, SLOTS);
    search.slots = slots.min((IN_FLIGHT / access.bs) as f64).max(1.0) as u32;
    search.queue = QueueModel {
        most: most.value,
        service_s: alone.mean_ns / 1e9,
        varied: alone.latencies.varied().unwrap_or(1.0),
    };
    search.law = WaitLaw::new(goal, search.queue, &alone.latencies);
    search.from = search.session.used();
    let say = |search: &Search<'_, '_>, claim, estimate, unit, mut caveats: Vec<Caveat>| {
        let points = search.session.since(first);
        let worst = points.iter().map(|p| p.grade).max().unwrap_or_default();
        if worst > stats::Grade::Caveats {
            caveats.push(Caveat::Grade { grade: worst });
        }
        let evidence = points.iter().map(|p| p.ordinal).collect();
        vec![answer(search.session, target, access, Question::Slo, claim, estimate, unit, evidence, caveats)]
    };
    if search.misses_alone(&alone) {
        let low = LOWEST * most.value;
        let seconds = search.seconds_for(low, CLUMPS).max(short_s).min(search.session.left_s() / 4.0);
        let at = search.visit(low, search.warm_up_s(low).min(seconds), seconds)?;
        if search.taken(search.session.point(at)) > 1.0 {
            // Too few I/Os for an interval still have a percentile of their own.
            let own = goal
                .percentile
                .and_then(|p| alone.latencies.quantile(p))
                .map_or(alone.mean_ns, |ns| ns as f64);
            let there = search.figure(&[&alone]).unwrap_or(Estimate { value: own, low: own, high: own });
            let claim = StudyClaim::NeverKept { goal, down_to: low };
            return Ok(say(&search, claim, there.times(1e-3), Unit::Micros, Vec::new()));
        }
    }
    // What half of the time can tell is not worth a search beyond.
    let left_s = search.session.left_s() * (1.0 - SEARCH);
    let within = |seconds| search.highest(|iops| search.tells(iops, seconds));
    let reach =
        within(TRY * left_s).or_else(|| within(left_s)).ok_or_else(|| search.needs(HIGHEST * most.value))?;
    search.search(reach)?;
    let (mut shown, mut from_shown): (Option<f64>, usize) = (None, 0);
    let (mut below, mut failures) = (HIGHEST * most.value, 0);
    while failures < FAILURES {
        // The last of it is one trial, and without an answer one that may well fail.
        let left_s = search.session.left_s() * 0.98;
        let trials = [(TRY * left_s, LUCK), (left_s, LUCK), (left_s, 0.0)];
        let trials = if shown.is_some() { &trials[..2] } else { &trials[..] };
        let rate = trials.iter().find_map(|(seconds, deviations)| {
            let (rate, seconds) = (search.promising(*seconds, below, *deviations)?, *seconds);
            shown.is_none_or(|shown| rate > HIGHER * shown).then_some((rate, seconds))
        });
        // What is left is spent although it may not do.
        let last = || Some((search.possible(left_s, below)?, left_s)).filter(|_| shown.is_none());
        let Some((rate, seconds)) = rate.or_else(last) else { break };
        let from = search.session.used();
        match search.try_rate(search.plan(rate, seconds)) {
            Ok(true) => (shown, from_shown) = (Some(rate), from),
            Ok(false) => (below, failures) = (0.97 * rate, failures + 1),
            Err(StopReason::Budget) => break,
            Err(over) => return Err(over),
        }
        if shown.is_some_and(|shown| shown >= 0.999 * HIGHEST * most.value) {
            break;
        }
    }
    let shown = shown.ok_or_else(|| search.needs(below))?;
    if shown >= 0.999 * HIGHEST * most.value {
        let estimate = Estimate { value: shown, low: shown, high: most.high.max(shown) };
        return Ok(say(&search, StudyClaim::AlwaysKept { goal, most }, estimate, Unit::Iops, Vec::new()));
    }
    let high = search.missed().filter(|missed| *missed > shown).unwrap_or(most.high.max(shown));
    let estimate = Estimate { value: shown, low: shown, high };
    let mut caveats = Vec::new();
    let percent = 100.0 * (estimate.high / estimate.value - 1.0);
    if percent > 20.0 {
        caveats.push(Caveat::MayBeMore { percent });
    }
    let rate = search.open(shown).rate;
    let there: Vec<&Point> =
        search.session.since(from_shown).iter().filter(|p| p.cell.rate == rate).collect();
    let claim = StudyClaim::Kept { goal, there: search.figure(&there), most };
    Ok(say(&search, claim, estimate, Unit::Iops, caveats))
}

/// I/Os per second that a point was asked for.
fn iops(point: &Point) -> Option<f64> {
    Some(point.cell.rate? as f64 / point.cell.access.bs as f64)
}

/// The most at any depth, roughly.
fn climb(search: &mut Search<'_, '_>, alone: Estimate, seconds: f64) -> Result<Estimate, StopReason> {
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
