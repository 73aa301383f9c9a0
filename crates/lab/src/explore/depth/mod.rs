//! Question `depth`: how many I/Os in flight are enough. First a ladder of depths far apart is measured, then the
//! depths around the knee; finally the depths that the answer is based on are confirmed.

mod answers;
mod confirm;
mod search;

pub(super) use answers::idle_beneath;

use super::cap;
use super::session::{Session, StopReason};
use answers::{curve, generator, rough, wandered};
use search::{DepthSearch, within_budget};
use stats::failure::Failure;
use stats::study::{Access, Conclusion, StudyClaim, Unit};

/// Depths that the search distinguishes, in steps of the square root of two.
pub const GRID: [u32; 19] = [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724];
/// Largest depth of the ladder.
pub const DEEPEST: u32 = 256;
/// Share of the highest rate that the knee has to reach.
const NEARLY: f64 = 0.95;
/// Half-width of the intervals during the search, percent (99 %).
const ROUGH: f64 = 5.0;
/// Half-width of the intervals that the answer is based on, percent (99 %).
const FINE: f64 = 1.5;
/// Share of the question's time that is kept for the search for a cap.
const CAP: f64 = 0.12;
/// Number of visits to each depth that the answer is based on.
const VISITS: usize = 3;
/// Largest number of attempts: a device may shift from one level to the next (credits, caches) and then once more;
/// further shifts count as a drift.
const ATTEMPTS: usize = 4;

/// Knee of a pattern on a target, for the questions that measure at the knee.
#[derive(Clone, Copy, Debug)]
pub struct Knee {
    /// I/Os in flight at the knee.
    pub in_flight: u32,
    /// Number of jobs among which the I/Os in flight are divided.
    pub jobs: u32,
}

/// Reason why an attempt of a search ended without an answer.
enum SearchError {
    Stopped(StopReason),
    /// The level of the device shifted during the search.
    LevelShift {
        /// I/Os in flight when the shift was noticed.
        in_flight: u32,
        /// IOPS before the shift.
        before: f64,
    },
}

impl From<StopReason> for SearchError {
    fn from(reason: StopReason) -> Self {
        SearchError::Stopped(reason)
    }
}

/// Conclusions of a question, and the knee if there is one.
type Answer = (Vec<Conclusion>, Option<Knee>);

/// Result of an attempt to answer the question.
enum Outcome {
    Found(Vec<Conclusion>, Option<Knee>),
    /// The CPU limited the rate; the value is the number of jobs for the next attempt.
    MoreJobs(u32),
}

/// First shift of the level during a search.
struct FirstShift {
    in_flight: u32,
    /// IOPS before the shift.
    before: f64,
    /// Study's clock when the shift was noticed, seconds.
    after_s: f64,
}

/// Answers the question for one pattern of one target. Returns the conclusions, and the knee for the other questions.
pub(super) fn study(session: &mut Session<'_>, target: usize, access: &Access) -> Result<Answer, StopReason> {
    let from = session.used();
    // The search for a cap follows when the highest rate is known.
    let until_s = session.until_s;
    session.until_s -= CAP * session.left_s();
    let mut search = DepthSearch {
        session,
        target,
        access: access.clone(),
        jobs: 1,
        rough_s: 0.0,
        fine_s: 0.0,
        hold_s: 0.0,
        last: false,
    };
    let until_s = search.extend_budget_for_noise(until_s);
    let mut shift: Option<FirstShift> = None;
    let only_wandered =
        |search: &DepthSearch<'_, '_>| wandered(search, from).map(|found| (vec![found], None));
    for attempt in 0..ATTEMPTS {
        let left = search.session.left_s();
        search.rough_s = (left / 20.0).clamp(0.5, 8.0);
        search.fine_s = (left * 0.4 / (3 * VISITS) as f64).clamp(0.5, 15.0);
        search.hold_s = left * 0.25;
        search.last = attempt >= 2;
        match search_level(&mut search, from) {
            Ok(Outcome::Found(found, knee)) => {
                return Ok((complete(&mut search, found, shift, until_s), knee));
            }
            Ok(Outcome::MoreJobs(jobs)) => search.jobs = jobs,
            Err(SearchError::LevelShift { before, .. }) if attempt + 1 == ATTEMPTS => {
                let found = only_wandered(&search).or_else(|| rough(&search, from));
                let iops = Some(before);
                return found.ok_or(StopReason::Failed(Failure::RateChanged { iops }));
            }
            Err(SearchError::LevelShift { in_flight, before }) => {
                shift = shift.or(Some(FirstShift { in_flight, before, after_s: search.session.spent_s }));
                search.session.start_level();
            }
            Err(SearchError::Stopped(StopReason::Budget)) => {
                let found = shift.is_some().then(|| only_wandered(&search)).flatten();
                return found.or_else(|| rough(&search, from)).ok_or(StopReason::Budget);
            }
            Err(SearchError::Stopped(reason)) => return Err(reason),
        }
    }
    Err(StopReason::Failed(Failure::RateChanged { iops: None }))
}

/// Searches for the knee, confirms it and answers, as long as the device stays at one level.
fn search_level(search: &mut DepthSearch<'_, '_>, from: usize) -> Result<Outcome, SearchError> {
    let rungs = search.climb()?;
    if let Some(best) = search.short_of_cpu(&rungs) {
        within_budget(search.visit_finely(best))?;
        let found = generator(search, from, best).ok_or(StopReason::Budget)?;
        return Ok(Outcome::Found(vec![found], None));
    }
    let mut located = search.locate(rungs)?;
    let confirmed = search.confirm(&mut located)?;
    Ok(answers::confirmed(search, from, &located, &confirmed))
}

/// Returns the conclusions `found` of a search, with those about the shift of the level, the curve over the depths and
/// the cap.
fn complete(
    search: &mut DepthSearch<'_, '_>,
    mut found: Vec<Conclusion>,
    shift: Option<FirstShift>,
    until_s: f64,
) -> Vec<Conclusion> {
    if let (Some(FirstShift { in_flight, before, after_s }), Some(last)) = (shift, found.last().cloned()) {
        // Both rates must be of the same load; otherwise the change cannot be attributed to the device.
        let estimate = search.rate(in_flight).unwrap_or(last.estimate);
        let seen = search.session.left_at(&search.cell(in_flight), before, estimate.value);
        let (after_s, by_s) = seen.map_or((after_s, None), |(last, first)| (last, Some(first)));
        let claim = StudyClaim::Moved { before, after_s, by_s };
        found.push(Conclusion { claim, estimate, unit: Unit::Iops, ..last });
    }
    let law = found.first().and_then(|first| curve(search, first));
    found.extend(law);
    search.session.until_s = until_s;
    let cap = found.first().and_then(|first| cap::study(search.session, first, search.jobs));
    found.extend(cap);
    found
}
