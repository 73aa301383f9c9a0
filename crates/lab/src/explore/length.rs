//! How long must a run be? Not measured anew: every point of this pattern has seen how noisy the rate is.

use super::answer;
use super::bench::{Bench, Over};
use stats::converge;
use stats::study::{Access, Claim, Conclusion, Estimate, Question, Unit};

/// Half of the interval that a run is to have, percent.
const WITHIN: f64 = 2.0;

/// Answers for one pattern of one target: for one in flight, where a run needs longest.
pub(super) fn study(bench: &mut Bench<'_>, target: usize, access: &Access) -> Result<Vec<Conclusion>, Over> {
    let points: Vec<_> = bench
        .study
        .points
        .iter()
        .take(bench.used())
        .filter(|p| {
            p.cell.target == target
                && p.cell.access == *access
                && p.cell.in_flight() == 1
                && p.cell.span.is_none()
        })
        .collect();
    let mut needs: Vec<f64> = points
        .iter()
        .filter_map(|p| converge::seconds_for(&p.series, WITHIN))
        .filter(|s| s.is_finite())
        .collect();
    if needs.is_empty() {
        return Err(Over::Failed("no point at depth 1 is long enough to tell".into()));
    }
    needs.sort_by(f64::total_cmp);
    let statistics_s = needs[needs.len() / 2];
    let rate = points.iter().map(|p| p.iops.value).sum::<f64>() / points.len() as f64;
    let percentile_s = 10.0 / 0.01 / rate;
    let warm_up_s = points.iter().map(|p| p.cut_s).fold(0.0, f64::max);
    let whole = |statistics: f64| warm_up_s + statistics.max(percentile_s);
    let estimate = Estimate {
        value: whole(statistics_s),
        low: whole(needs[0]),
        high: whole(needs.last().copied().unwrap_or(statistics_s)),
    };
    let claim = Claim::Runtime { statistics_s, percentile_s, warm_up_s, within_percent: WITHIN };
    let evidence = points.iter().map(|p| p.ordinal).collect();
    Ok(vec![answer(
        bench,
        target,
        access,
        Question::Runtime,
        claim,
        estimate,
        Unit::Seconds,
        evidence,
        Vec::new(),
    )])
}
