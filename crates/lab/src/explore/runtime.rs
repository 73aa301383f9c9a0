//! Question `runtime`: how long a run must be. The answer follows from the noise of the rate, the spread of the tail
//! latencies, and whether the level of the rate stayed, in the points of the other questions and, if the question has
//! time of its own, in longer and longer points at depth 1.

use super::answer;
use super::session::{Session, StopReason};
use stats::Claim;
use stats::converge;
use stats::failure::Failure;
use stats::study::{Access, Cell, Conclusion, Estimate, Point, Question, Regime, StudyClaim, Trend, Unit};

/// Required half-width of the interval of the mean, percent.
const WITHIN: f64 = 5.0;
/// Smallest difference between the rates of points with the same load that is a change, as a share of the rate.
const CHANGED: f64 = 0.1;
/// Required half-width of the interval of the 99th percentile, percent.
const TAIL_WITHIN: f64 = 10.0;

/// Time in seconds after which no further point is measured if there is an answer.
const LONG_S: f64 = 30.0;

/// Largest estimate, as a multiple of the measured time.
const KNOWN: f64 = 10.0;

/// Number of points that are measured at most.
const MOST: u32 = 6;

/// Answers the question for one pattern of one target, at depth 1, where a run needs longest. If the points tell too
/// little, points of a quarter, half and half of the time left are measured.
pub(super) fn study(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
) -> Result<Vec<Conclusion>, StopReason> {
    let alone = Cell::of(target, access, 1, 1);
    for nth in 0..MOST {
        let told = of_points(session, target, access);
        // An estimate beyond what was measured is an extrapolation: measure on while there is time.
        let enough = |found: &[Conclusion]| {
            found.iter().all(|c| c.measured.seconds >= c.estimate.high || c.measured.seconds >= LONG_S)
        };
        if told.as_ref().is_ok_and(|found| enough(found)) {
            return told;
        }
        let seconds = session.left_s() * if nth == 0 { 0.25 } else { 0.5 };
        if seconds < 1.0 {
            return told;
        }
        match session.visit(&alone, 0.1, (seconds, seconds)) {
            Err(StopReason::Budget) => return told,
            visited => visited?,
        };
    }
    of_points(session, target, access)
}

/// Answers the question from the points that there are.
fn of_points(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
) -> Result<Vec<Conclusion>, StopReason> {
    let mine = |p: &&Point| {
        p.cell.target == target && p.cell.access == *access && p.cell.span.is_none() && p.cell.rate.is_none()
    };
    let all: Vec<&Point> = session.since(0).iter().filter(mine).collect();
    let alone: Vec<&Point> = all.iter().copied().filter(|p| p.cell.in_flight() == 1).collect();
    // Short visits estimate the noise of a rate poorly: only visits at least half as long as the longest count.
    let longest = alone.iter().map(|p| p.seconds).fold(0.0, f64::max);
    let points: Vec<&Point> = alone.into_iter().filter(|p| p.seconds >= longest / 2.0).collect();
    let needs = sorted(points.iter().filter_map(|p| converge::seconds_for(&p.series, WITHIN)));
    let (Some(least), Some(most)) = (needs.first(), needs.last()) else {
        return Err(StopReason::Failed(Failure::PointsTooShort));
    };
    let statistics_s = needs[needs.len() / 2];
    let tails = sorted(points.iter().map(|p| tail_s(p)));
    let seen_s: f64 = points.iter().map(|p| p.seconds).sum();
    let warm_up_s = points.iter().map(|p| p.cut_s).fold(0.0, f64::max);
    let known = |seconds: &f64| warm_up_s + *seconds <= KNOWN * seen_s;
    let percentile_s = tails.get(tails.len() / 2).copied().filter(known);
    let whole = |statistics: f64| warm_up_s + statistics.max(percentile_s.unwrap_or(0.0));
    let estimate = Estimate { value: whole(statistics_s), low: whole(*least), high: whole(*most) };
    // The behaviour of a device beyond ten times the measured time is unknown.
    if estimate.value > KNOWN * seen_s {
        return Err(StopReason::Failed(Failure::BeyondSeen { seconds: seen_s }));
    }
    let estimate = Estimate { high: estimate.high.min(KNOWN * seen_s), ..estimate };
    let claim = StudyClaim::Runtime {
        statistics_s,
        percentile_s,
        warm_up_s,
        within_percent: WITHIN,
        percentile_percent: TAIL_WITHIN,
        regime: regime(session, target, access, &all),
    };
    // The regime is determined from all points, whose total time limits how far the answer extends.
    let evidence = all.iter().map(|p| p.ordinal).collect();
    let (question, unit) = (Question::Runtime, Unit::Seconds);
    Ok(vec![answer(session, target, access, question, claim, estimate, unit, evidence, Vec::new())])
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.filter(|v| v.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the duration of a run, seconds, after which the interval of the 99th percentile has the required width. At
/// least ten independent I/Os must exceed the percentile, and the interval narrows with the square root of the time.
fn tail_s(p: &Point) -> f64 {
    let independent = (p.tails.independent / p.seconds).max(1e-9);
    let ten = 10.0 / 0.01 / independent;
    let (Some([low, high]), Some(value)) = (p.tails.p99, p.p99_ns) else { return ten };
    let half = 50.0 * high.saturating_sub(low) as f64 / value.max(1) as f64;
    ten.max(p.seconds * (half / TAIL_WITHIN).powi(2))
}

/// Returns the behaviour of the rate over the measurement: drift, step, bursts or steady.
fn regime(session: &Session<'_>, target: usize, access: &Access, points: &[&Point]) -> Regime {
    let said = |claim: fn(&StudyClaim) -> bool| {
        let of = |c: &&Conclusion| c.target == target && c.access == *access;
        session.study.conclusions.iter().filter(of).any(|c| claim(&c.claim))
    };
    // A change within a point, or from point to point with the same load.
    let steps =
        |claim: &Claim| matches!(claim, Claim::StepDown { .. } | Claim::RateDropped { seconds: None, .. });
    let stepped = points.iter().any(|p| p.findings.iter().any(|found| steps(&found.claim)));
    let apart = points.iter().any(|a| {
        points.iter().any(|b| {
            a.cell == b.cell && a.iops.low > b.iops.high && a.iops.value > (1.0 + CHANGED) * b.iops.value
        })
    });
    let drifts = points.iter().filter(|p| matches!(p.trend, Trend::Drifts(_))).count();
    let bursts = sorted(points.iter().filter_map(|p| converge::period(&p.series, p.cell.in_flight())));
    if said(|c| matches!(c, StudyClaim::Drifts { .. })) || drifts * 2 > points.len() {
        Regime::Drift
    } else if said(|c| matches!(c, StudyClaim::Moved { .. })) || apart || stepped {
        Regime::Stepped
    } else if bursts.len() * 2 > points.len() {
        Regime::Bursts { every_s: bursts[bursts.len() / 2] }
    } else {
        Regime::Steady
    }
}
