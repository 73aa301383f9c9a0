//! The session of a study: measures cells, stores every point and spends the budget. A resumed study uses its stored
//! points first; decisions depend on points alone, so a resumed study takes the same decisions as an uninterrupted one.

use super::point::{per_write, point, slow_of, worthless};
use super::runner::{Journal, Runner};
use stats::converge::{self, StopRule};
use stats::failure::Failure;
use stats::pauses::SlowStretches;
use stats::study::{Access, Cell, Ended, Estimate, Point, Question, Study};
use std::time::Duration;

/// Reason why the work on a question stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum StopReason {
    /// The time of the question is used up.
    Budget,
    /// The time left is too short: an answer needs this many more seconds.
    Needs(f64),
    /// A signal requested an early end.
    Interrupted,
    /// A run failed, or its result cannot be used.
    Failed(Failure),
}

impl StopReason {
    /// Returns the reason for a study whose point number `point` did not measure the device.
    pub(super) fn not_the_device(point: usize) -> StopReason {
        StopReason::Failed(Failure::NotTheDevice { point: point as u32 })
    }
}

/// A study in progress, with its runner and journal.
pub struct Session<'a> {
    /// Study with the points and conclusions so far.
    pub study: Study,
    /// Number of points used so far; smaller than the number of points while a resumed study still has stored points.
    used: usize,
    /// Budget spent, seconds: the sum over the points used.
    pub spent_s: f64,
    /// The question that is being answered.
    pub question: Question,
    /// Value of `spent_s` at which the time of this question is used up.
    pub until_s: f64,
    /// Number of the first point of the current level (see [`Session::start_level`]).
    level_from: usize,
    runner: &'a mut dyn Runner,
    journal: &'a mut dyn Journal,
    restored: bool,
}

/// Number of pauses that a visit should contain, if the target pauses.
const PAUSES: f64 = 5.0;
/// Shortest time of a point, seconds.
pub const LEAST_S: f64 = 0.4;

impl<'a> Session<'a> {
    /// Begins or resumes a study; its existing points were measured earlier.
    pub fn new(study: Study, runner: &'a mut dyn Runner, journal: &'a mut dyn Journal) -> Self {
        Session {
            study,
            used: 0,
            spent_s: 0.0,
            question: Question::Depth,
            until_s: 0.0,
            level_from: 0,
            runner,
            journal,
            restored: false,
        }
    }

    /// Starts a new level of the device's rate: [`Session::seen`] and [`Session::visits`] ignore all earlier points.
    pub fn start_level(&mut self) {
        self.level_from = self.used;
    }

    /// Returns the time left for the question, seconds.
    pub fn left_s(&self) -> f64 {
        self.until_s - self.spent_s
    }

    /// Visits a cell until the half-width of its 99 % interval is at most `within_percent`, for at least `seconds.0`
    /// and at most `seconds.1` seconds. Returns the number of the point. If no I/O completes in that time, the cell is
    /// visited once more: a pause counts, but an answer cannot be based on it.
    ///
    /// # Errors
    /// The time of the question is used up, a signal requested the end, or the run failed.
    pub fn visit(
        &mut self,
        cell: &Cell,
        within_percent: f64,
        seconds: (f64, f64),
    ) -> Result<usize, StopReason> {
        self.visit_after(cell, 0.0, within_percent, seconds)
    }

    /// Visits a cell like [`Session::visit`], after `warm_up_s` seconds of load that do not count.
    ///
    /// # Errors
    /// Those of [`Session::visit`].
    pub fn visit_after(
        &mut self,
        cell: &Cell,
        warm_up_s: f64,
        within_percent: f64,
        seconds: (f64, f64),
    ) -> Result<usize, StopReason> {
        let at = self.once(cell, warm_up_s, within_percent, seconds)?;
        if self.point(at).iops.value > 0.0 {
            return Ok(at);
        }
        let next = self.once(cell, warm_up_s, within_percent, seconds)?;
        if self.point(next).iops.value > 0.0 {
            return Ok(next);
        }
        Err(StopReason::Failed(Failure::NothingTwice { points: [at, next].map(|n| n as u32) }))
    }

    fn once(
        &mut self,
        cell: &Cell,
        warm_up_s: f64,
        within_percent: f64,
        (least_s, most_s): (f64, f64),
    ) -> Result<usize, StopReason> {
        let warm_up_s = warm_up_s.max(self.slowest_s(cell).min(most_s / 2.0));
        // This test includes stored points: a study without time left has none after it is resumed either.
        let left = self.left_s() - warm_up_s - self.drain_s(cell);
        if left < LEAST_S {
            return Err(StopReason::Budget);
        }
        if let Some(stored) = self.study.points.get(self.used) {
            if stored.cell != *cell {
                return Err(StopReason::Failed(Failure::AnotherPath { point: self.used as u32 }));
            }
            self.spent_s += stored.rest_s + stored.seconds;
            // The stored interval may already include pauses that later points saw: compute it again.
            let before = self.slow(cell);
            know(&mut self.study.points[self.used], &before);
            self.used += 1;
            self.hindsight();
            return Ok(self.used - 1);
        }
        if let Some(reason) = self.over() {
            return Err(reason);
        }
        self.restore();
        let ordinal = self.used as u32;
        let rest_s = self.runner.rest(cell.target);
        let most_s = most_s.min(left).max(LEAST_S);
        let before = self.slow(cell);
        let least_s = least_s.max(PAUSES * between_pauses_s(&before)).min(most_s);
        let mixed = self.study.asked.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let seed = (mixed >> 34).wrapping_add(u64::from(ordinal) * 7919 + 1);
        let stop = StopRule::new(within_percent, (least_s.max(LEAST_S) * 1e9) as u64)
            .after((warm_up_s * 1e9) as u64);
        let stop = stop.knowing(before);
        let measured = self
            .runner
            .measure(cell, seed, Duration::from_secs_f64(most_s), stop)
            .map_err(StopReason::Failed)?;
        let completed = measured.result.layers.app_ios.iter().any(|ios| *ios > 0);
        let point = point(ordinal, self.question, cell, rest_s, measured, &before);
        if point.ended == Ended::Interrupted {
            return Err(StopReason::Interrupted);
        }
        if !completed && point.iops.value == 0.0 {
            return Err(StopReason::Failed(Failure::NothingCompleted));
        }
        self.journal.add(&point);
        self.spent_s += point.rest_s + point.seconds;
        self.study.points.push(point);
        self.used += 1;
        self.hindsight();
        Ok(self.used - 1)
    }

    /// Returns the slow stretches of the cell's target in the points since the last shift of the level.
    fn slow(&self, cell: &Cell) -> SlowStretches {
        let mine = self.level_points().iter().filter(|p| p.cell.target == cell.target);
        mine.map(slow_of).fold(SlowStretches::default(), |sum, one| sum.and(&one))
    }

    /// Widens the intervals of earlier points by the slow stretches of the last point: a point that contained none has
    /// no better estimate of the long-term rate.
    fn hindsight(&mut self) {
        let last = &self.study.points[self.used - 1];
        if slow_of(last).count == 0 {
            return;
        }
        let target = last.cell.target;
        let mine: Vec<usize> =
            (self.level_from..self.used).filter(|n| self.study.points[*n].cell.target == target).collect();
        let slow: Vec<SlowStretches> = mine.iter().map(|n| slow_of(&self.study.points[*n])).collect();
        for at in &mine {
            let others = mine.iter().zip(&slow).filter(|(n, _)| *n != at);
            let others = others.fold(SlowStretches::default(), |sum, (_, one)| sum.and(one));
            know(&mut self.study.points[*at], &others);
        }
    }

    /// Returns the latency of the slowest I/O at depth 1, seconds: a load has reached its steady state when the slow
    /// I/Os among its first have completed.
    fn slowest_s(&self, cell: &Cell) -> f64 {
        let seen = &self.study.points[..self.used];
        let alone = seen.iter().filter(|p| {
            p.cell.target == cell.target && p.cell.access == cell.access && p.cell.in_flight() == 1
        });
        alone.map(|p| p.max_ns as f64 / 1e9).fold(0.0, f64::max)
    }

    /// Returns the expected time, seconds, in which the I/Os in flight at the end of a visit complete, from the latency
    /// of the cell's last visit or else of the target's. A disk may need many seconds for 32 large blocks, and the
    /// budget includes them.
    fn drain_s(&self, cell: &Cell) -> f64 {
        let bytes = |c: &Cell| u64::from(c.in_flight()) as f64 * c.access.bs as f64;
        let seen = &self.study.points[..self.used];
        let last =
            seen.iter().rfind(|p| p.cell == *cell).or(seen.iter().rfind(|p| p.cell.target == cell.target));
        last.map_or(0.0, |p| p.mean_ns / 1e9 * (bytes(cell) / bytes(&p.cell)).max(1.0))
    }

    /// Waits until `until_ms` on the runner's clock, in milliseconds, unless the next point is stored already.
    pub fn wait(&mut self, until_ms: u64) {
        if self.used < self.study.points.len() {
            return;
        }
        self.restore();
        self.runner.wait(until_ms);
    }

    /// Restores the state of the targets that is stored with the last point; does so only once.
    fn restore(&mut self) {
        if let Some(last) = self.study.points.last().filter(|_| !self.restored) {
            self.runner.restore(&last.state.clone());
        }
        self.restored = true;
    }

    /// Returns the point with this number.
    pub fn point(&self, at: usize) -> &Point {
        &self.study.points[at]
    }

    /// Returns the rate of the cell, pooled over all visits since the last [`Session::start_level`]; `None` without a
    /// visit.
    pub fn seen(&self, cell: &Cell) -> Option<Estimate> {
        let (rates, seconds): (Vec<Estimate>, Vec<f64>) =
            self.visits(cell).map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
        converge::pooled(&rates, &seconds)
    }

    /// Returns the visits of the cell since the last [`Session::start_level`].
    pub fn visits(&self, cell: &Cell) -> impl Iterator<Item = &Point> {
        self.study.points[self.level_from..self.used].iter().filter(move |p| p.cell == *cell)
    }

    /// Returns the points from number `from` on, up to the last used: stored points of a resumed study that are not
    /// used yet must not influence decisions.
    pub fn since(&self, from: usize) -> &[Point] {
        &self.study.points[from..self.used]
    }

    /// Returns the points since the last [`Session::start_level`].
    pub fn level_points(&self) -> &[Point] {
        &self.study.points[self.level_from..self.used]
    }

    /// Returns the number of points used.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Returns when the rate of a load changed from `before` to `now`, on the study's clock in seconds: the start of
    /// the last visit with a rate nearer to `before`, and the end of the next visit. The change may lie within either
    /// visit. `None` if there is no visit on one side.
    pub fn left_at(&self, cell: &Cell, before: f64, now: f64) -> Option<(f64, f64)> {
        let far = |p: &Point, rate: f64| (p.iops.value / rate).ln().abs();
        let (mut clock_s, mut visits) = (0.0, Vec::new());
        for p in &self.study.points[..self.used] {
            let begin_s = clock_s + p.rest_s;
            clock_s = begin_s + p.seconds;
            if p.cell == *cell && !worthless(p) {
                visits.push((far(p, before) < far(p, now), begin_s, clock_s));
            }
        }
        let last = visits.iter().rposition(|(old, ..)| *old)?;
        Some((visits[last].1, visits.get(last + 1)?.2))
    }

    /// Reports that a question begins, with the remaining budget in seconds.
    pub fn asks(&mut self, target: usize, access: &Access, left_s: f64) {
        self.runner.question(self.question, access, &self.study.targets[target].name, left_s);
    }

    /// Returns why nothing more is measured: a failure, or a signal; `None` while there is no reason.
    pub fn over(&self) -> Option<StopReason> {
        let failed = self.runner.over().map(StopReason::Failed);
        failed.or_else(|| self.runner.interrupted().then_some(StopReason::Interrupted))
    }
}

/// Returns the mean time between pauses, seconds; 0 if pauses cost too little time to matter. A visit that happens to
/// contain no pause would otherwise look precise too early.
fn between_pauses_s(slow: &SlowStretches) -> f64 {
    const MATTERS: f64 = 0.01;
    let (count, lost_s) = slow.pauses;
    if count > 0 && lost_s > MATTERS * slow.seconds { slow.seconds / count as f64 } else { 0.0 }
}

/// Recomputes the rate of a point with its interval, which is widened by slow stretches of other points.
fn know(point: &mut Point, others: &SlowStretches) {
    if let Some((level, ..)) = converge::settle_knowing(&point.series, others)
        && point.iops.value > 0.0
    {
        point.iops = level.estimate().times(per_write(&point.cell));
    }
}
