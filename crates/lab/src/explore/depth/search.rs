//! The search for the knee: a ladder of depths, the depth of the highest rate, and the bracket around the fewest I/Os
//! in flight that nearly reach this rate.

use super::super::point::{generator_bound, rationed, slow_of, worthless};
use super::super::session::{Session, StopReason};
use super::{CAP, DEEPEST, FINE, GRID, NEARLY, ROUGH, SearchError};
use stats::study::{Access, Cell, Estimate, Point, Trend};

/// Search for the knee of one pattern on one target.
pub(super) struct DepthSearch<'b, 'a> {
    pub session: &'b mut Session<'a>,
    pub target: usize,
    pub access: Access,
    pub jobs: u32,
    /// Longest visit during the search, seconds.
    pub rough_s: f64,
    /// Longest visit to a depth that the answer is based on, seconds.
    pub fine_s: f64,
    /// Duration of one long visit at the end, seconds: a rate that a device reaches for a moment may not last.
    pub hold_s: f64,
    /// Whether this is the last attempt: shifts of the level no longer end the search, and its rates are reported as
    /// measured.
    pub last: bool,
}

/// Depths found by a search, before their confirmation.
pub(super) struct Located {
    /// Depths that were tried, ascending.
    pub rungs: Vec<u32>,
    /// Fewest I/Os in flight that reach [`NEARLY`] times the highest rate.
    pub knee: u32,
    /// Largest of the depths with the highest rate.
    pub top: u32,
    /// Whether noise affected the choice of the knee.
    pub noisy: bool,
}

/// Returns `None` if the time of the question is used up; other errors are passed on.
pub(super) fn within_budget<T>(result: Result<T, SearchError>) -> Result<Option<T>, SearchError> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(SearchError::Stopped(StopReason::Budget)) => Ok(None),
        Err(other) => Err(other),
    }
}

impl DepthSearch<'_, '_> {
    /// Returns the cell with this many I/Os in flight.
    pub fn cell(&self, in_flight: u32) -> Cell {
        Cell::of(self.target, &self.access, in_flight, self.jobs)
    }

    /// Returns the rate in IOPS at this depth, from the visits since the last level shift, or from a new visit if
    /// there is none.
    ///
    /// # Errors
    /// The search stopped ([`SearchError::Stopped`]), or the level of the device shifted ([`SearchError::LevelShift`]).
    pub fn rate(&mut self, in_flight: u32) -> Result<Estimate, SearchError> {
        match self.session.seen(&self.cell(in_flight)) {
            Some(seen) => Ok(seen),
            None => self.again(in_flight, ROUGH, (0.0, self.rough_s)),
        }
    }

    /// Visits this depth with the precision of the final answer. Returns the rate in IOPS, pooled over all visits of
    /// the depth.
    ///
    /// # Errors
    /// The search stopped ([`SearchError::Stopped`]), or the level of the device shifted ([`SearchError::LevelShift`]).
    pub fn visit_finely(&mut self, in_flight: u32) -> Result<Estimate, SearchError> {
        self.again(in_flight, FINE, (self.fine_s / 3.0, self.fine_s))
    }

    /// Visits a depth once more until the half-width of the rate's 99 % interval is `within` percent; `seconds` are the
    /// shortest and longest duration. Returns the rate of all its visits pooled.
    ///
    /// # Errors
    /// The search stopped ([`SearchError::Stopped`]), or the level of the device shifted ([`SearchError::LevelShift`]).
    pub fn again(
        &mut self,
        in_flight: u32,
        within: f64,
        seconds: (f64, f64),
    ) -> Result<Estimate, SearchError> {
        let cell = self.cell(in_flight);
        let at = self.session.visit(&cell, within, seconds)?;
        // Such a point cannot be part of an answer, and further points would have the same fault.
        if worthless(self.session.point(at)) {
            return Err(StopReason::not_the_device(at).into());
        }
        // A step inside a point is a shift of the device if the next visit finds the second level.
        if let Trend::Steps { before, after, .. } = self.session.point(at).trend
            && (before / after).max(after / before) > 1.15
            && !self.last
            && !rationed(self.session.point(at))
        {
            let next = self.session.visit(&cell, within, seconds)?;
            let now = self.session.point(next).iops.value;
            if (now / after).ln().abs() < 0.07 && (now / before).ln().abs() > 0.1 {
                return Err(SearchError::LevelShift { in_flight, before });
            }
        }
        Ok(self.session.seen(&cell).unwrap_or_default())
    }

    /// Finds the highest rate of a ladder and the fewest I/Os in flight that nearly reach this rate.
    ///
    /// # Errors
    /// The search stopped ([`SearchError::Stopped`]), or the level of the device shifted ([`SearchError::LevelShift`]).
    pub fn locate(&mut self, mut rungs: Vec<u32>) -> Result<Located, SearchError> {
        let (mut top, rough) = self.summit(&mut rungs)?;
        let (knee, noisy) = self.bracket(&rungs, rough.value)?;
        // The depth of the highest rate reaches 95 % of this rate even if noise affected the depths below.
        let knee = knee.min(top);
        // On a plateau the greatest depth gives the highest rate without selecting the luckiest value.
        if let Some(n) = rungs.iter().rev().find(|n| **n > knee)
            && self.rate(*n)?.value > 0.97 * rough.value
        {
            top = *n;
        }
        Ok(Located { rungs, knee, top, noisy })
    }

    /// Gives the search more of the budget if the target is noisy: few reliable answers are worth more than many
    /// unreliable ones. Returns the time on the study's clock, in seconds, up to which the question may spend the
    /// budget.
    pub fn extend_budget_for_noise(&mut self, until_s: f64) -> f64 {
        /// I/Os in flight at which the noise is measured.
        const MANY: u32 = 16;
        /// Half-width of the interval that the highest rate should have, percent.
        const WITHIN: f64 = 5.0;
        /// Duration of a search, as a multiple of one visit with such an interval.
        const VISITS: f64 = 5.0;
        /// Duration of a visit, seconds, in which bursts and pauses occur several times if they occur about once a
        /// second or more often.
        const AGAIN_S: f64 = 1.5;
        /// Index of dispersion of the I/Os per 50 ms above which they complete in bursts; the index of random arrivals
        /// is 1.
        const UNEVEN: f64 = 10.0;
        /// Share of the remaining budget that the search may take.
        const SHARE: f64 = 0.5;
        let shared = self.session.left_s();
        let rest = self.session.study.asked.budget_s - self.session.spent_s;
        if shared >= SHARE * rest {
            return until_s;
        }
        // The visit is long enough to contain a pause that occurs every second or two; a shorter visit would look
        // precise.
        let long_s = (self.session.study.asked.budget_s / 50.0).clamp(0.5, 3.0);
        self.rough_s = (shared / 20.0).clamp(0.5, 8.0).max(long_s);
        // If the target fails here, the search meets the same error and reports it.
        let _ = self.again(MANY, ROUGH, (long_s, self.rough_s));
        let many = self.cell(MANY);
        let visits = self.session.visits(&many).filter(|p| !worthless(p) && !generator_bound(p));
        let visits: Vec<&Point> = visits.collect();
        // Bursts and pauses have to occur a few times in each visit.
        let uneven = |p: &Point| stats::converge::dispersion(&p.series, 0.05).is_some_and(|d| d > UNEVEN);
        let comes_again = visits.iter().any(|p| slow_of(p).count > 0 || uneven(p));
        let one =
            visits.iter().filter_map(|p| stats::converge::seconds_for(&p.series, WITHIN)).fold(0.0, f64::max);
        let again_s = if comes_again { 20.0 * AGAIN_S } else { 0.0 };
        let wanted = (VISITS * one).max(again_s).min(SHARE * rest);
        if wanted <= shared {
            return until_s;
        }
        self.session.until_s += (1.0 - CAP) * (wanted - shared);
        until_s + wanted - shared
    }

    /// Climbs a ladder of depths until a greater depth has no higher rate. Returns the depths that were tried.
    ///
    /// # Errors
    /// The search stopped ([`SearchError::Stopped`]), or the level of the device shifted ([`SearchError::LevelShift`]).
    pub fn climb(&mut self) -> Result<Vec<u32>, SearchError> {
        let mut rungs = vec![1];
        let mut last = self.rate(1)?;
        for n in [4, 16, 64, DEEPEST] {
            let now = self.rate(n)?;
            rungs.push(n);
            // The rate may look flat by chance, so the upper end of the interval of its rise counts.
            let rise = now.value / last.value
                + 2.0 * (now.half() / last.value).hypot(last.half() / last.value) / 1.96;
            if now.value < 1.03 * last.value && rise < 1.12 {
                break;
            }
            last = now;
        }
        Ok(rungs)
    }

    /// Returns the depth of the highest rate if a CPU quota limited most depths of a ladder: the rates are then those
    /// of the quota, and a bend between them is no knee.
    pub fn short_of_cpu(&self, rungs: &[u32]) -> Option<u32> {
        let last = |n: &u32| self.session.visits(&self.cell(*n)).last();
        let held = rungs.iter().filter(|n| last(n).is_some_and(rationed)).count();
        let rate = |n: &u32| last(n).map_or(0.0, |p| p.iops.value);
        let best = rungs.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
        (last(best).is_some_and(rationed) && 2 * held >= rungs.len()).then_some(*best)
    }

    /// Returns the depth of the highest rate, after measuring the neighbouring depths, and this rate.
    fn summit(&mut self, rungs: &mut Vec<u32>) -> Result<(u32, Estimate), SearchError> {
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

    /// Returns the depth between the last rung up to which the rate is proportional to the depth and the next rung, if
    /// the rate falls beyond it: both rungs may have the same rate on either side of a peak. `None` if the rungs are
    /// close, or if a plateau follows.
    fn bend(&mut self, rungs: &[u32]) -> Result<Option<u32>, SearchError> {
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

    /// Narrows down the peak of a rate that falls at greater depths: the peak may be between two depths of the
    /// ladder.
    fn peak(
        &mut self,
        rungs: &mut Vec<u32>,
        mut best: (u32, Estimate),
    ) -> Result<(u32, Estimate), SearchError> {
        for _ in 0..8 {
            let at = rungs.iter().position(|n| *n == best.0).unwrap_or(0);
            let (Some(&above), Some(&below)) =
                (rungs.get(at + 1), at.checked_sub(1).and_then(|n| rungs.get(n)))
            else {
                break;
            };
            let (higher, lower) = (self.rate(above)?.value, self.rate(below)?.value);
            // A rate that is flat on one side is a plateau, whose edge the bracket finds. Noise also looks like a peak.
            if self.rate(above)?.high > best.1.low || self.rate(below)?.high > best.1.low {
                break;
            }
            if higher > 0.97 * best.1.value && lower > 0.97 * best.1.value || higher > 0.99 * best.1.value {
                break;
            }
            // Up to the peak the rate is proportional to the depth; where it stays below that, the peak has been
            // passed.
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

    /// Returns the fewest I/Os in flight that reach [`NEARLY`] times `most`, and whether noise affected the choice.
    fn bracket(&mut self, rungs: &[u32], most: f64) -> Result<(u32, bool), SearchError> {
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

    /// Returns whether a depth reaches the rate `wanted`; visits the depth again while its rate is too close to
    /// `wanted` to decide.
    fn reaches(&mut self, n: u32, wanted: f64, noisy: &mut bool) -> Result<bool, SearchError> {
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
