//! Confirmation of a search: the depths that the answer is based on are visited in turn, so that a change of the device
//! during the search becomes visible, and the highest rate is held for longer.

use super::super::session::StopReason;
use super::search::{DepthSearch, Located, within_budget};
use super::{GRID, NEARLY, SearchError, VISITS};
use stats::Grade;
use stats::study::{Estimate, Trend};

/// Rates after the visits of a confirmation.
pub(super) struct Confirmed {
    /// Highest rate, pooled over the visits to the top.
    pub most: Estimate,
    /// Rate with one I/O in flight.
    pub alone: Estimate,
    /// Drift of the highest rate during the confirmation; `None` if no drift was found.
    pub drift: Option<Drift>,
    /// Worst grade among the visits.
    pub worst: Grade,
}

/// Drift of the rate over the visits to one depth.
pub(super) struct Drift {
    /// Rate in the first visit, in I/Os per second.
    pub before: f64,
    /// Rate in the last visit.
    pub after: Estimate,
    /// Time between the ends of the first and the last visit, seconds.
    pub over_s: f64,
}

/// Rate of a visit, and the study's clock at its end, seconds.
type VisitEnd = (Estimate, f64);

/// Returns whether two rates differ by more than their intervals and by more than the variation of a device that stays
/// at one level.
fn far(a: Estimate, b: Estimate) -> bool {
    (a.value / b.value).ln().abs() > 0.12 && (a.value - b.value).abs() > 2.0 * a.half().hypot(b.half())
}

impl DepthSearch<'_, '_> {
    /// Confirms the depths that were located, and raises the knee if more precise rates require it.
    ///
    /// # Errors
    /// The level of the device shifted, or a visit failed.
    pub fn confirm(&mut self, located: &mut Located) -> Result<Confirmed, SearchError> {
        let (knee, top) = (located.knee, located.top);
        let first = self.session.used();
        let before_1 = self.rate(1)?;
        let before_top = self.rate(top)?;
        let mut ends = self.visit_in_turn(knee, top)?;
        let held_drift = self.hold(top, &mut ends)?;
        let most = self.pooled_since(first, top).unwrap_or(before_top);
        // If a greater depth lowers the rate, the greatest depth of the plateau is beyond the peak.
        let most = self.pooled_since(first, knee).filter(|at_knee| at_knee.low > most.high).unwrap_or(most);
        let alone = self.pooled_since(first, 1).unwrap_or(before_1);
        let worst = self.session.since(first).iter().map(|p| p.grade).max().unwrap_or_default();
        let drift = self.drift(top, &ends, held_drift)?;
        // Rates of the ladder and of the confirmation differ: the level has shifted.
        if drift.is_none() && !self.last && (far(before_top, most) || far(before_1, alone)) {
            return Err(SearchError::LevelShift { in_flight: top, before: before_top.value });
        }
        if drift.is_none()
            && let Some(there) = self.pooled_since(first, knee)
        {
            self.raise_knee(located, there, &most)?;
        }
        Ok(Confirmed { most, alone, drift, worst })
    }

    /// Visits depth 1, the knee and the top in turn, [`VISITS`] times. Returns the visits of the top.
    fn visit_in_turn(&mut self, knee: u32, top: u32) -> Result<Vec<VisitEnd>, SearchError> {
        let mut ends: Vec<VisitEnd> = Vec::new();
        for _ in 0..VISITS {
            let mut each = vec![1, knee, top];
            each.dedup();
            for n in each {
                match self.visit_finely(n) {
                    // If the time ends early, the visits made so far are the confirmation.
                    Err(SearchError::Stopped(StopReason::Budget)) if !ends.is_empty() || n != 1 => break,
                    other => _ = other?,
                }
                if n == top {
                    ends.push(self.last_visit());
                }
            }
        }
        Ok(ends)
    }

    /// Returns the rate of the last point, and the study's clock at its end, seconds.
    fn last_visit(&self) -> VisitEnd {
        (self.session.point(self.session.used() - 1).iops, self.session.spent_s)
    }

    /// Measures the highest rate in one long visit, if enough time is left. Returns the drift of the rate in percent;
    /// `None` without drift.
    fn hold(&mut self, top: u32, ends: &mut Vec<VisitEnd>) -> Result<Option<f64>, SearchError> {
        if self.hold_s < 2.0 * self.fine_s.max(1.0) {
            return Ok(None);
        }
        // If no time is left for this visit, the earlier visits stand.
        if within_budget(self.again(top, 0.0, (self.hold_s, self.hold_s)))?.is_none() {
            return Ok(None);
        }
        ends.push(self.last_visit());
        let held = self.session.point(self.session.used() - 1);
        let drift = match held.trend {
            Trend::Drifts(percent) if percent.abs() > 3.0 => Some(percent),
            Trend::Steps { before, .. } if !self.last => {
                return Err(SearchError::LevelShift { in_flight: top, before });
            }
            _ => None,
        };
        // A level that changed near the end of the visit is no trend, but makes its interval wider than those of
        // shorter visits.
        let (held, first) = (held.iops, ends[0].0);
        let uneven = held.half_percent() > 5.0 && held.half() > 2.0 * first.half();
        if uneven
            && !self.last
            && drift.is_none()
            && within_budget(self.visit_finely(top))?.is_some()
            && far(self.last_visit().0, first)
        {
            return Err(SearchError::LevelShift { in_flight: top, before: first.value });
        }
        Ok(drift)
    }

    /// Returns the drift of the rate over the visits of the top, if it drifted.
    fn drift(
        &self,
        top: u32,
        ends: &[VisitEnd],
        held_drift: Option<f64>,
    ) -> Result<Option<Drift>, SearchError> {
        let (Some(&(a, at_a)), Some(&(b, at_b))) = (ends.first(), ends.last()) else { return Ok(None) };
        if at_b <= at_a {
            return Ok(None);
        }
        let change = b.value / a.value - 1.0;
        let sure = (b.value - a.value).abs() > 2.0 * a.half().hypot(b.half());
        // With a step, the visits in between are on one level or the other; with a drift they are between the levels.
        let between = |v: &VisitEnd| {
            let share = (v.0.value - a.value) / (b.value - a.value);
            (0.15..0.85).contains(&share)
        };
        let drifts = ends.len() > 2 && ends[1..ends.len() - 1].iter().all(between);
        if sure && change.abs() > 0.12 && !self.last && !drifts {
            return Err(SearchError::LevelShift { in_flight: top, before: a.value });
        }
        let drifts_within = held_drift.is_some_and(|percent| percent * change > 0.0);
        let found = sure && change.abs() > 0.03 || drifts_within;
        Ok(found.then_some(Drift { before: a.value, after: b, over_s: at_b - at_a }))
    }

    /// Returns the rate at a depth from the visits since point `first`.
    fn pooled_since(&self, first: usize, in_flight: u32) -> Option<Estimate> {
        let cell = self.cell(in_flight);
        let visits = self.session.since(first).iter().filter(|p| p.cell == cell);
        let (rates, seconds): (Vec<_>, Vec<_>) = visits.map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
        stats::converge::pooled(&rates, &seconds)
    }

    /// Raises the knee by up to two steps if its rate, now `there`, is certainly below [`NEARLY`] times `most`: the
    /// bracket was made with a less precise maximum.
    fn raise_knee(
        &mut self,
        located: &mut Located,
        there: Estimate,
        most: &Estimate,
    ) -> Result<(), SearchError> {
        let mut rate = there;
        for _ in 0..2 {
            if rate.value + rate.half() >= NEARLY * most.value || located.knee >= located.top {
                break;
            }
            let Some(next) = GRID.into_iter().find(|n| *n > located.knee) else { break };
            located.knee = next.min(located.top);
            match within_budget(self.rate(located.knee))? {
                Some(found) => rate = found,
                None => break,
            }
        }
        Ok(())
    }
}
