//! Question `runtime`: how long a run must be. The answer follows from the points of the other questions, which show
//! the noise of the rate, the spread of the tail latencies, and whether the level of the rate stayed.

use super::answer;
use super::session::{Session, StopReason};
use stats::converge;
use stats::failure::Failure;
use stats::study::{Access, Conclusion, Estimate, Point, Question, Regime, StudyClaim, Trend, Unit};

/// Half-width of the wanted interval of the mean, percent.
const WITHIN: f64 = 5.0;
/// Half-width of the wanted interval of the 99th percentile, percent.
const TAIL_WITHIN: f64 = 10.0;

/// Largest estimate, as a multiple of the measured time.
const KNOWN: f64 = 10.0;

/// Answers the question for one pattern of one target, at depth 1, where a run needs longest.
pub(super) fn study(
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
    let percentile_s = tails.get(tails.len() / 2).copied().unwrap_or(0.0);
    let warm_up_s = points.iter().map(|p| p.cut_s).fold(0.0, f64::max);
    let whole = |statistics: f64| warm_up_s + statistics.max(percentile_s);
    let estimate = Estimate { value: whole(statistics_s), low: whole(*least), high: whole(*most) };
    // The behaviour of a device beyond ten times the measured time is unknown.
    let seen_s: f64 = points.iter().map(|p| p.seconds).sum();
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

/// Returns the duration of a run, seconds, after which the interval of the 99th percentile is as narrow as wanted. At
/// least ten independent I/Os must exceed it, and the interval narrows with the square root of the time.
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
    let drifts = points.iter().filter(|p| matches!(p.trend, Trend::Drifts(_))).count();
    let bursts = sorted(points.iter().filter_map(|p| converge::period(&p.series, p.cell.in_flight())));
    if said(|c| matches!(c, StudyClaim::Drifts { .. })) || drifts * 2 > points.len() {
        Regime::Drift
    } else if said(|c| matches!(c, StudyClaim::Moved { .. })) {
        Regime::Stepped
    } else if bursts.len() * 2 > points.len() {
        Regime::Bursts { every_s: bursts[bursts.len() / 2] }
    } else {
        Regime::Steady
    }
}
