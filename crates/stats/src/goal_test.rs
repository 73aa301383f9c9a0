//! Statistical test whether visits show that a latency goal is kept. In a queue, slow I/Os occur in clumps, because
//! all I/Os wait while the queue is long. Clumps are independent, I/Os are not (D. Aldous, Probability Approximations
//! via the Poisson Clumping Heuristic, 1989), and a time without slow I/Os is evidence only if several clumps were
//! expected in that time.

use crate::percentile::Goal;
use crate::quantile::below_normal;

/// I/Os of one visit and the number that missed a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalVisit {
    /// Number of I/Os.
    pub ios: f64,
    /// Number of I/Os with a latency above the goal.
    pub slow: f64,
    /// Mean latency, nanoseconds.
    pub mean_ns: f64,
}

/// Returns the probability that a Poisson variable of mean `b` is not above an independent one of mean `a`. This is
/// the probability that the sum of a Poisson number (mean `b`) of exponential clumps is at most `a` times their mean.
pub fn not_above(b: f64, a: f64) -> f64 {
    // P(N_b <= N_a); for large means both are nearly normal.
    if a + b > 600.0 {
        return below_normal((a - b) / (a + b).sqrt());
    }
    let (mut of_a, mut of_b) = ((-a).exp(), (-b).exp());
    // P(N_b <= n), summed over P(N_a = n).
    let mut up_to = of_b;
    let mut sum = of_a * up_to;
    for n in 1..3000 {
        of_a *= a / f64::from(n);
        of_b *= b / f64::from(n);
        up_to += of_b;
        sum += of_a * up_to;
    }
    sum.clamp(0.0, 1.0)
}

/// Returns the number of clumps of slow I/Os that the visits would have if they just missed the goal, and the number
/// that they had; `None` for a goal on the mean.
///
/// The size of a clump is `clump_ios` I/Os, or more if the visits vary more than clumps of that size explain: the
/// variance of slow I/Os in exponential clumps is twice the mean clump times the mean.
pub fn clumps(goal: &Goal, visits: &[GoalVisit], clump_ios: f64) -> Option<(f64, f64)> {
    let may = goal.may_exceed()?;
    let ios: f64 = visits.iter().map(|v| v.ios).sum();
    let slow: f64 = visits.iter().map(|v| v.slow).sum();
    let share = slow / ios.max(1.0);
    let n = visits.len() as f64;
    let scatter: f64 = visits.iter().map(|v| (v.slow - share * v.ios).powi(2)).sum();
    let seen = if slow > 0.0 && n > 1.0 { scatter / (n - 1.0) * n / slow / 2.0 } else { 0.0 };
    let clump = clump_ios.max(seen).max(1.0);
    Some((ios * may / clump, slow / clump))
}

/// Returns the probability of at most as many slow I/Os as in these visits if the goal were just missed; for a goal
/// on the mean, the p-value of the visits' mean being below the goal. 1 without evidence.
pub fn chance_if_missed(goal: &Goal, visits: &[GoalVisit], clump_ios: f64) -> f64 {
    match clumps(goal, visits, clump_ios) {
        Some((allowed, seen)) => not_above(allowed, seen),
        None => chance_of_mean(goal, visits, -1.0),
    }
}

/// Returns the p-value of these visits for a load that just meets the goal: the probability of at least as many slow
/// I/Os, or, for a goal on the mean, of a mean at least as high. 1 without evidence.
pub fn chance_if_kept(goal: &Goal, visits: &[GoalVisit], clump_ios: f64) -> f64 {
    match clumps(goal, visits, clump_ios) {
        Some((allowed, seen)) => not_above(seen, allowed),
        None => chance_of_mean(goal, visits, 1.0),
    }
}

/// Returns the p-value of Student's t test of the visits' means against the goal (normal approximation of Wallace
/// 1959). Waits are skewed to the right, so the mean of few visits tends to be too low; the cubic transformation of
/// Hall (1992) corrects this.
fn chance_of_mean(goal: &Goal, visits: &[GoalVisit], side: f64) -> f64 {
    let n = visits.len() as f64;
    if n < 4.0 {
        return 1.0;
    }
    let ios: f64 = visits.iter().map(|v| v.ios).sum();
    let mean = visits.iter().map(|v| v.mean_ns * v.ios).sum::<f64>() / ios;
    let moment = |power| visits.iter().map(|v| (v.mean_ns - mean).powi(power)).sum::<f64>() / n;
    let variance = moment(2) * n / (n - 1.0);
    let error = (variance / n).sqrt().max(1e-6 * mean);
    let skew = moment(3) / variance.powf(1.5).max(1e-300) / n.sqrt();
    let off = side * (mean - goal.nanos as f64) / error;
    let off = if side < 0.0 && skew > 1e-6 {
        -((1.0 - skew * off / 3.0).powi(3) - 1.0) / skew - skew / 6.0
    } else {
        off
    };
    let freedom = n - 1.0;
    // Student's t as a normal deviate (Wallace 1959).
    let z =
        (freedom * (1.0 + off * off / freedom).ln()).sqrt() * (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0);
    if off > 0.0 { 1.0 - below_normal(z) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(state: &mut u64) -> f64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Ten visits of a queue with the share `taken` of the slow I/Os that the goal permits, in exponential clumps of
    /// mean size `clump`.
    fn visits(taken: f64, clump: f64, expected: f64, state: &mut u64) -> Vec<GoalVisit> {
        let may = 0.01;
        let ios = expected * clump / may / 10.0;
        let one = |state: &mut u64| {
            let (mut slow, mut at) = (0.0, 0.0);
            loop {
                at -= (1.0 - next(state)).ln();
                if at > taken * expected / 10.0 {
                    return GoalVisit { ios, slow, mean_ns: 0.0 };
                }
                slow -= (1.0 - next(state)).ln() * clump;
            }
        };
        (0..10).map(|_| one(state)).collect()
    }

    const GOAL: Goal = Goal { percentile: Some(99.0), nanos: 1_000_000 };

    /// Visits that just miss a goal pass as rarely as the error probability states, for any expected number of
    /// clumps. Visits that keep the goal well pass if enough clumps were expected.
    #[test]
    fn slow_ios_in_clumps_just_missed_goals_rarely_pass() {
        let mut state = 88172645463325252;
        for expected in [2.0, 5.0, 20.0, 100.0, 500.0] {
            let mut passed = |taken| {
                let seen = (0..1000).map(|_| visits(taken, 30.0, expected, &mut state));
                seen.filter(|v| chance_if_missed(&GOAL, v, 30.0) <= 0.02).count()
            };
            let (missed, kept) = (passed(1.0), passed(0.1));
            assert!(missed <= 32, "{expected}: {missed} of 1000 that miss the goal pass");
            assert!(kept >= 700 || expected < 10.0, "{expected}: {kept} of 1000 that keep it pass");
            // Nothing was slow, and nothing should have been: that shows nothing.
            assert!(expected > 3.0 || kept == 0, "{expected}: {kept}");
        }
    }

    /// The variation between visits shows clumps larger than expected.
    #[test]
    fn larger_clumps_than_expected_pass_hardly_more_often() {
        let mut state = 42424242424242;
        let seen = (0..1000).map(|_| visits(1.0, 30.0, 60.0, &mut state));
        let passed = seen.filter(|v| chance_if_missed(&GOAL, v, 3.0) <= 0.02).count();
        assert!(passed <= 60, "{passed} of 1000");
    }

    #[test]
    fn poisson_numbers_compare_as_their_sums_do() {
        // None of the one, so many of the other: e^-b.
        assert!((not_above(4.0, 0.0) - (-4.0f64).exp()).abs() < 1e-12);
        // Equal means: a tie is not above.
        assert!((0.5..0.6).contains(&not_above(30.0, 30.0)));
        // Where sums end and the normal law begins, both say about the same.
        let (sum, normal) = (not_above(310.0, 289.9), not_above(310.0, 290.1));
        assert!((sum - normal).abs() < 0.02, "{sum} {normal}");
    }

    /// The mean of few skewed visits is below the goal more often than Student's t test assumes.
    #[test]
    fn skewed_means_at_the_goal_rarely_pass() {
        let mut state = 1234567891234567;
        let goal = Goal { percentile: None, nanos: 2_000_000 };
        let mut passed = 0;
        for _ in 0..2000 {
            // Exponential waits of a millisecond beside a service of another one.
            let one = |state: &mut u64| GoalVisit {
                ios: 1e3,
                slow: 0.0,
                mean_ns: 1e6 - 1e6 * (1.0 - next(state)).ln(),
            };
            let visits: Vec<GoalVisit> = (0..10).map(|_| one(&mut state)).collect();
            passed += usize::from(chance_if_missed(&goal, &visits, 1.0) <= 0.02);
        }
        assert!(passed <= 120, "{passed} of 2000");
        let sure = [2.0f64, 2.1, 1.9, 2.05, 1.95, 2.0].map(|ms| GoalVisit {
            ios: 1e3,
            slow: 0.0,
            mean_ns: ms * 5e5,
        });
        assert!(chance_if_missed(&goal, &sure, 1.0) < 1e-3);
    }
}
