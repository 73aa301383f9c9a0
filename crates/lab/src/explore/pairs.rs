//! Comparison of two loads on the same target, visited in turn: one deep queue and several jobs at the same total
//! depth, regions of different size, values of a kernel setting.

use super::point::worthless;
use super::session::{Session, StopReason};
use super::{answer, depth::Knee};
use stats::failure::Failure;
use stats::hosts::{fairness, most_uneven};
use stats::quantile::student_t;
use stats::study::{Access, Caveat, Cell, Conclusion, Estimate, Question, StudyClaim, Unit};

/// Number of pairs of visits.
const PAIRS: usize = 4;
const WITHIN: f64 = 2.0;
/// Widest interval of a ratio that counts as an answer: a factor in either direction.
const TOLD: f64 = 10.0;

/// Returns the ratio of the second cell's rate to the first's, from pairs of visits: mean of the logarithms, interval
/// by Student's t.
fn ratio(
    session: &mut Session<'_>,
    a: &Cell,
    b: &Cell,
) -> Result<(Estimate, Vec<u32>, Vec<Caveat>), StopReason> {
    let most_s = (session.left_s() / (2 * PAIRS) as f64).clamp(0.4, 8.0);
    let (mut logs, mut evidence) = (Vec::new(), Vec::new());
    let (mut worst, mut fewest) = (stats::Grade::Trusted, u64::MAX);
    'pairs: for pair in 0..PAIRS {
        let mut rates = [0.0; 2];
        // The order ABBA keeps a drift of the device from favouring either load.
        let order = if pair % 2 == 0 { [0, 1] } else { [1, 0] };
        for which in order {
            let at = match session.visit([a, b][which], WITHIN, (most_s / 3.0, most_s)) {
                Err(StopReason::Budget) if logs.len() >= 2 => break 'pairs,
                other => other?,
            };
            let point = session.point(at);
            if worthless(point) {
                return Err(StopReason::not_the_device(at));
            }
            (worst, fewest) = (worst.max(point.grade), fewest.min(point.ios));
            rates[which] = point.iops.value;
            evidence.push(at as u32);
        }
        logs.push((rates[1] / rates[0]).ln());
    }
    let ratio = mean(&logs, fewest);
    // If either rate could be ten times the other, the ratio is no answer.
    if ratio.high / ratio.low > TOLD * TOLD {
        return Err(StopReason::Failed(Failure::PairsDiffer { pairs: logs.len() }));
    }
    Ok((ratio, evidence, caveats(worst)))
}

fn caveats(worst: stats::Grade) -> Vec<Caveat> {
    if worst > stats::Grade::Caveats { vec![Caveat::Grade { grade: worst }] } else { Vec::new() }
}

/// Returns the mean of the ratios of visits that counted at least `fewest` I/Os each.
fn mean(logs: &[f64], fewest: u64) -> Estimate {
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let squares: f64 = logs.iter().map(|l| (l - mean).powi(2)).sum();
    // Pairs may agree to the digit: no ratio is known more exactly than to one I/O of a visit.
    let exact = 1.0 / fewest.max(1) as f64;
    let half = (student_t(0.975, n - 1.0) * (squares / (n - 1.0) / n).sqrt()).max(exact);
    Estimate { value: mean.exp(), low: (mean - half).exp(), high: (mean + half).exp() }
}

/// Compares one job with a deep queue and several jobs with shallow ones, at the same total depth.
pub(super) fn jobs(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
    knee: Knee,
) -> Result<Vec<Conclusion>, StopReason> {
    // A knee of one cannot be divided among jobs: two I/Os in flight answer the question as well.
    let jobs = knee.in_flight.clamp(2, 4);
    let in_flight = knee.in_flight.max(2) / jobs * jobs;
    let (one, many) = (Cell::of(target, access, in_flight, 1), Cell::of(target, access, in_flight, jobs));
    let (estimate, evidence, caveats) = ratio(session, &one, &many)?;
    let claim = StudyClaim::Jobs { jobs, in_flight };
    Ok(vec![answer(session, target, access, Question::Jobs, claim, estimate, Unit::Ratio, evidence, caveats)])
}

/// Share of the rate of all hosts that fewer hosts have to reach.
const NEARLY: f64 = 0.95;
/// Width of the interval of a share, as a factor, from which on it says nothing.
const VAGUE: f64 = 1.25;

/// Returns the fewest and the most hosts that may be needed, given the shares of the rate that some numbers of hosts reach: more than
/// those that surely reach too little, and no more than the fewest that surely reach enough.
fn needed(shares: &[(u32, Estimate)], all: u32, enough: u32) -> (u32, u32) {
    let too_few = shares.iter().filter(|(_, share)| share.high < NEARLY).map(|(some, _)| *some).max();
    let plenty = shares.iter().filter(|(_, share)| share.low >= NEARLY).map(|(some, _)| *some).min();
    (too_few.map_or(1, |few| few + 1).min(enough), plenty.unwrap_or(all).max(enough))
}

/// Finds the fewest hosts that reach nearly the rate of all hosts with the same I/Os in flight, by bisection.
pub(super) fn hosts(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
    knee: Knee,
) -> Result<Vec<Conclusion>, StopReason> {
    let all = session.study.asked.hosts.len() as u32;
    let whole = Cell::of(target, access, knee.in_flight.max(all), knee.jobs);
    let (mut shares, mut evidence, mut caveats) = (Vec::new(), Vec::new(), Vec::new());
    let (mut too_few, mut enough) = (0, all);
    let until = session.until_s;
    while too_few + 1 < enough {
        let some = too_few + (enough - too_few) / 2;
        let comparisons = u32::BITS - (enough - too_few - 1).leading_zeros();
        session.until_s = session.spent_s + (until - session.spent_s) / f64::from(comparisons.max(1));
        let measured = ratio(session, &whole, &Cell { hosts: Some(some), ..whole.clone() });
        session.until_s = until;
        let (share, points, about) = measured?;
        evidence.extend(points);
        caveats.extend(about.into_iter().filter(|caveat| !caveats.contains(caveat)).collect::<Vec<_>>());
        shares.push((some, share));
        if share.value >= NEARLY { enough = some } else { too_few = some }
    }
    let told = if enough < all { enough } else { all.saturating_sub(1) };
    let Some(estimate) = shares.iter().find(|(some, _)| *some == told).map(|(_, share)| *share) else {
        return Err(StopReason::Failed(Failure::NothingToCompare));
    };
    shares.sort_by_key(|(some, _)| *some);
    let visits = || evidence.iter().map(|at| session.point(*at as usize)).filter(|point| point.cell == whole);
    let mut rates = vec![0.0; all as usize];
    for visit in visits() {
        rates.iter_mut().zip(&visit.host_iops).for_each(|(sum, rate)| *sum += rate);
    }
    rates.iter_mut().for_each(|rate| *rate /= visits().count().max(1) as f64);
    let seconds = visits().map(|visit| visit.seconds).sum();
    let names = &session.study.asked.hosts;
    let uneven = most_uneven(std::iter::once((rates.as_slice(), seconds))).map(|uneven| {
        let of = |host: usize, rate| (names[host].clone(), rate);
        [of(uneven.slowest, uneven.rates[0]), of(uneven.fastest, uneven.rates[1])]
    });
    let between = needed(&shares, all, enough);
    // Shares that exclude nothing are no answer, unless they are known well, near the limit.
    if between == (1, all) && estimate.high / estimate.low > VAGUE {
        return Err(StopReason::Failed(Failure::PairsDiffer { pairs: PAIRS }));
    }
    let (in_flight, fairness) = (whole.in_flight(), fairness(&rates));
    let claim = StudyClaim::Hosts { enough, between, all, in_flight, shares, fairness, uneven };
    Ok(vec![answer(
        session,
        target,
        access,
        Question::Hosts,
        claim,
        estimate,
        Unit::Ratio,
        evidence,
        caveats,
    )])
}

/// Compares a small part of the target with all of it.
pub(super) fn span(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
) -> Result<Vec<Conclusion>, StopReason> {
    const PART: u64 = 64;
    let size = session.study.targets[target].size;
    let part = (size / PART / access.bs * access.bs).max(access.bs * 16).min(size);
    // Depth 1, because a queue hides the distance that the head moves.
    let whole = Cell::of(target, access, 1, 1);
    let small = Cell { span: Some(part), ..whole.clone() };
    let (estimate, evidence, caveats) = ratio(session, &whole, &small)?;
    let claim = StudyClaim::Span { part, whole: size };
    Ok(vec![answer(session, target, access, Question::Span, claim, estimate, Unit::Ratio, evidence, caveats)])
}

/// Returns the loads at which two targets are compared if their knees are not known: one I/O in flight, and 32 where the
/// pattern permits more than one.
pub(super) fn usual(access: &Access) -> &'static [[Knee; 2]] {
    const USUAL: [[Knee; 2]; 2] = [[Knee { in_flight: 1, jobs: 1 }; 2], [Knee { in_flight: 32, jobs: 1 }; 2]];
    if access.commits() { &USUAL[..1] } else { &USUAL }
}

/// Compares the second target with the first at each of these pairs of loads, the first target's load first.
pub(super) fn targets(
    session: &mut Session<'_>,
    access: &Access,
    loads: &[[Knee; 2]],
) -> Result<Vec<Conclusion>, StopReason> {
    let until = session.until_s;
    let mut found = Vec::new();
    for (nth, knees) in loads.iter().enumerate() {
        session.until_s = session.spent_s + (until - session.spent_s) / (loads.len() - nth) as f64;
        let [a, b] = [0, 1].map(|n: usize| Cell::of(n, access, knees[n].in_flight, knees[n].jobs));
        let measured = ratio(session, &a, &b);
        session.until_s = until;
        let (estimate, evidence, caveats) = match measured {
            Err(_) if !found.is_empty() => continue,
            other => other?,
        };
        let claim = StudyClaim::Targets { in_flight: [a.in_flight(), b.in_flight()] };
        let (question, unit) = (Question::Targets, Unit::Ratio);
        found.push(answer(session, 1, access, question, claim, estimate, unit, evidence, caveats));
    }
    Ok(found)
}

/// Compares each value of a setting with the first value.
pub(super) fn axis(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
    knee: Knee,
    name: &str,
    values: &[String],
) -> Result<Vec<Conclusion>, StopReason> {
    let mut found = Vec::new();
    let with = |value: &String| Cell {
        setting: Some((name.to_string(), value.clone())),
        ..Cell::of(target, access, knee.in_flight, knee.jobs)
    };
    let Some((base, others)) = values.split_first() else { return Ok(found) };
    let until = session.until_s;
    for (nth, value) in others.iter().enumerate() {
        session.until_s = session.spent_s + (until - session.spent_s) / (others.len() - nth) as f64;
        let measured = ratio(session, &with(base), &with(value));
        session.until_s = until;
        let (estimate, evidence, caveats) = measured?;
        let claim = StudyClaim::Axis { name: name.into(), value: value.clone(), base: base.clone() };
        found.push(answer(
            session,
            target,
            access,
            Question::Axis,
            claim,
            estimate,
            Unit::Ratio,
            evidence,
            caveats,
        ));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares whose interval contains the limit decide nothing.
    #[test]
    fn hosts_needed_are_bounded_by_what_is_sure() {
        let share = |some, low, high| (some, Estimate { value: (low + high) / 2.0, low, high });
        let shares = [share(2, 0.40, 0.45), share(4, 0.90, 0.97), share(5, 0.94, 1.0), share(6, 0.96, 1.0)];
        assert_eq!(needed(&shares, 8, 5), (3, 6));
        assert_eq!(needed(&shares[..1], 3, 3), (3, 3));
        assert_eq!(needed(&[share(1, 0.96, 1.0)], 2, 1), (1, 1));
        assert_eq!(needed(&[share(1, 0.93, 0.96)], 2, 2), (1, 2));
        // Intervals that contradict each other leave the answer as it is.
        assert_eq!(needed(&[share(2, 0.96, 0.99), share(3, 0.90, 0.94)], 4, 4), (4, 4));
    }
}
