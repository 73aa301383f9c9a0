//! Detection of a device that changes during a study. The load that an answer about depth is based on is visited again
//! briefly throughout the study and at its end. If its rate differs, and still does at a second visit, both rates are
//! reported, and every answer about this load is qualified.

use super::answer;
use super::point::{generator_bound, worthless};
use super::session::{LEAST_S, Session, StopReason};
use stats::study::{
    Access, Caveat, Cell, Conclusion, Estimate, Point, Question, Regime, StudyClaim, Trend, Unit,
};

/// Share of the budget between two visits.
const EVERY: f64 = 1.0 / 12.0;
/// Longest duration of a visit, as a share of the budget.
const EACH: f64 = 0.012;
/// Half-width of the interval of a visit, percent (99 %).
const WITHIN: f64 = 3.0;
/// Smallest difference between two levels, as a natural logarithm of their ratio.
const APART: f64 = 0.1;
/// Largest number of changes of one load that are reported.
const TOLD: usize = 3;

/// A load that is visited again, and its last known rate.
pub(super) struct Reference {
    cell: Cell,
    rate: Estimate,
    /// Time of the last visit on the clock of the study, seconds.
    seen_s: f64,
    told: usize,
}

/// Returns the longest duration of a visit, seconds.
fn each_s(session: &Session<'_>) -> f64 {
    (EACH * session.study.asked.budget_s).clamp(LEAST_S, 4.0)
}

/// Returns the part of the budget that is kept for the visits to `loads` loads at the end, seconds.
pub(super) fn reserve_s(session: &Session<'_>, loads: usize) -> f64 {
    (loads as f64 * each_s(session)).min(0.05 * session.study.asked.budget_s)
}

/// Returns whether two rates are different levels: the 99 % interval of their difference excludes zero. It is computed
/// from the halves of the two intervals that face each other (Zou and Donner 2008).
fn apart(a: &Estimate, b: &Estimate) -> bool {
    const OF_99_PERCENT: f64 = 2.576 / 1.96;
    let (upper, lower) = if a.value > b.value { (a, b) } else { (b, a) };
    let facing = (upper.value - upper.low).hypot(lower.high - lower.value);
    (a.value / b.value).ln().abs() > APART && upper.value - lower.value > OF_99_PERCENT * facing
}

impl Reference {
    /// Returns the load that the answer about depth is based on: of the loads near the highest rate, the one with the
    /// longest total time of visits.
    pub(super) fn of(session: &Session<'_>, found: &[Conclusion]) -> Option<Reference> {
        let depth = found.iter().find(|c| c.question == Question::Depth)?;
        if matches!(depth.claim, StudyClaim::Generator { .. }) {
            return None;
        }
        let mut cells: Vec<&Cell> = Vec::new();
        let mine = |p: &&Point| p.cell.access == depth.access && p.cell.rate.is_none() && !worthless(p);
        for point in session.level_points().iter().filter(mine) {
            if !cells.contains(&&point.cell) {
                cells.push(&point.cell);
            }
        }
        let rates: Vec<(&Cell, Estimate)> =
            cells.into_iter().filter_map(|cell| Some((cell, session.seen(cell)?))).collect();
        let most = rates.iter().map(|(_, rate)| rate.value).fold(0.0, f64::max);
        let seconds = |cell: &Cell| session.visits(cell).map(|p| p.seconds).sum::<f64>();
        let near = rates.into_iter().filter(|(_, rate)| rate.value >= 0.9 * most);
        let (cell, rate) = near.max_by(|a, b| seconds(a.0).total_cmp(&seconds(b.0)))?;
        let rate = match depth.claim {
            // The last visit has the present level of a drifting rate.
            StudyClaim::Drifts { .. } => session.visits(cell).last()?.iops,
            _ => rate,
        };
        Some(Reference { cell: cell.clone(), rate, seen_s: session.spent_s, told: 0 })
    }

    fn is_about(&self, c: &Conclusion) -> bool {
        c.target == self.cell.target && c.access == self.cell.access
    }

    /// Returns whether points measured for other questions make a change of the level likely.
    fn suspects(&self, points: &[Point]) -> bool {
        let target = points.iter().filter(|p| p.cell.target == self.cell.target && !worthless(p));
        target.into_iter().any(|p| {
            let steps = match p.trend {
                Trend::Steps { before, after, .. } => (after / before).ln().abs() > APART,
                _ => false,
            };
            steps || p.cell == self.cell && apart(&p.iops, &self.rate)
        })
    }

    /// Visits the load. Returns its rate and the numbers of the points if the rate has changed: it must still differ at
    /// a second, longer visit.
    fn visit(&mut self, session: &mut Session<'_>) -> Result<Option<(Estimate, Vec<u32>)>, StopReason> {
        let each = each_s(session);
        let first = session.visit(&self.cell, WITHIN, (0.0, each))?;
        let usable = |p: &Point| !worthless(p) && !generator_bound(p);
        if !usable(session.point(first)) || !apart(&session.point(first).iops, &self.rate) {
            self.seen_s = session.spent_s;
            return Ok(None);
        }
        let second = session.visit(&self.cell, WITHIN / 2.0, (each, 3.0 * each))?;
        let (first, again) = (session.point(first), session.point(second));
        // The second visit shows whether the rate moved in between.
        let both = stats::converge::pooled(
            &[first.iops, again.iops],
            &[first.seconds - first.cut_s, again.seconds - again.cut_s],
        );
        let same_side = (first.iops.value > self.rate.value) == (again.iops.value > self.rate.value);
        let changed = usable(again)
            && same_side
            && apart(&again.iops, &self.rate)
            && both.is_some_and(|both| (both.value / self.rate.value).ln().abs() > APART);
        if !changed {
            self.seen_s = session.spent_s;
            return Ok(None);
        }
        Ok(Some((again.iops, vec![first.ordinal, again.ordinal])))
    }

    /// Adds a conclusion about the change, and a caveat to earlier conclusions about this load.
    fn tell(&mut self, session: &mut Session<'_>, until_s: f64, now: Estimate, evidence: Vec<u32>) {
        let (before, access, target) = (self.rate, self.cell.access.clone(), self.cell.target);
        for conclusion in session.study.conclusions.iter_mut().filter(|c| self.is_about(c)) {
            match &mut conclusion.claim {
                StudyClaim::Runtime { regime, .. } => *regime = Regime::Stepped,
                StudyClaim::Moved { .. } => {}
                _ => {
                    conclusion.caveats.retain(|c| !matches!(c, Caveat::Changed { .. }));
                    conclusion.caveats.push(Caveat::Changed { now: now.value });
                }
            }
        }
        // The visits of one load before and after the change bracket the time of the change.
        let seen = session.left_at(&self.cell, before.value, now.value);
        let (after_s, by_s) = seen.map_or((until_s, None), |(last, first)| (last, Some(first)));
        let claim =
            StudyClaim::Moved { before: before.value, after_s, by_s: by_s.filter(|by| *by >= after_s) };
        let moved =
            answer(session, target, &access, Question::Depth, claim, now, Unit::Iops, evidence, Vec::new());
        session.study.conclusions.push(moved);
        (self.rate, self.seen_s, self.told) = (now, session.spent_s, self.told + 1);
    }
}

/// Visits the load of this target with the earliest last visit after a question whose points begin at `from`, if a
/// visit is due or the points make a change likely. Once a load has changed, all loads of the target are visited; at
/// the end of a study, each is.
pub(super) fn look(
    session: &mut Session<'_>,
    references: &mut [Reference],
    (target, from): (usize, usize),
    end: bool,
) -> Result<(), StopReason> {
    let budget_s = session.study.asked.budget_s;
    let mine = |r: &Reference| r.cell.target == target && r.told < TOLD;
    let suspected = references.iter().any(|r| mine(r) && r.suspects(session.since(from)));
    let seen_s = references.iter().filter(|r| mine(r)).map(|r| r.seen_s).fold(0.0, f64::max);
    let due = end || suspected || session.spent_s - seen_s > EVERY * budget_s;
    if !due {
        return Ok(());
    }
    let mut order: Vec<usize> = (0..references.len()).filter(|n| mine(&references[*n])).collect();
    order.sort_by(|a, b| references[*a].seen_s.total_cmp(&references[*b].seen_s));
    (session.question, session.until_s) = (Question::Depth, budget_s);
    // Last moment at which any load saw the device at its earlier level.
    let mut until_s = seen_s;
    for at in order {
        // The last answer was measured a moment ago.
        if end && session.spent_s - references[at].seen_s < LEAST_S {
            continue;
        }
        let changed = references[at].visit(session)?;
        let any = changed.is_some();
        if !any {
            until_s = until_s.max(references[at].seen_s);
        }
        if let Some((now, evidence)) = changed {
            references[at].tell(session, until_s, now, evidence);
        }
        if !(any || end || suspected) {
            break;
        }
    }
    Ok(())
}

/// Returns the number of loads that answers about depth will be based on.
pub(super) fn loads<'t>(tasks: impl Iterator<Item = (Question, &'t Access)>) -> usize {
    tasks.filter(|(question, _)| *question == Question::Depth).count()
}
