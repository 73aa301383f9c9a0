//! Laws that correct figures meet, with the rounding of each printed number.

use stats::audit::{AuditClaim, AuditLaw, BenchmarkTool, FigureUnit, PrintedNumber, PrintedResult};

/// Relative difference that is no contradiction: tools divide by slightly different times.
const SLACK: f64 = 0.012;
/// Relative excess of I/Os in flight over the possible number that is no contradiction: the clocks of rate and latency
/// differ by the time of a submission.
const LITTLE_SLACK: f64 = 0.04;
/// Factors of usual errors of units.
const SLIPS: [f64; 8] = [1.024, 1.048576, 1.073741824, 8.0, 1000.0, 1024.0, 1e6, 1048576.0];

/// Returns the contradictions among the figures of a result.
pub(super) fn contradictions(result: &PrintedResult) -> Vec<AuditClaim> {
    let mut claims = Vec::new();
    for check in &result.checks {
        claims.extend(contradiction(check.law, check.unit, check.printed, check.computed));
    }
    let monitor = result.tool == BenchmarkTool::Iostat;
    if let (Some(iops), Some(block), Some(bandwidth), false) =
        (result.iops, result.block, result.bandwidth, monitor)
    {
        claims.extend(contradiction(
            AuditLaw::RateTimesBlock,
            FigureUnit::BytesPerSecond,
            bandwidth,
            iops.times(block),
        ));
    }
    if let (Some(amount), Some(seconds), Some(bandwidth), false) =
        (result.amount, result.seconds, result.bandwidth, result.tool == BenchmarkTool::Ioping)
    {
        let computed = amount.over(seconds);
        let claim = computed.and_then(|computed| {
            contradiction(AuditLaw::AmountOverTime, FigureUnit::BytesPerSecond, bandwidth, computed)
        });
        // The time of several jobs is that of the longest one or the sum of all, and their rates are summed.
        let jobs = f64::from(result.jobs.unwrap_or(1));
        let possible = |c: PrintedNumber| (0.8 * c.value..=1.05 * jobs * c.value).contains(&bandwidth.value);
        claims.extend(claim.filter(|_| jobs <= 1.0 || !computed.is_some_and(possible)));
    }
    claims.extend(little(result));
    claims.extend(order(result));
    let sum: f64 = result.shares.iter().map(|(_, percent)| percent).sum();
    // Each share is rounded to 0.01, and 0.01 also stands for less.
    let room = 0.01 * result.shares.len() as f64 + 0.05;
    if sum > 100.0 + room {
        claims.push(AuditClaim::Contradiction {
            law: AuditLaw::Shares,
            printed: sum,
            computed: 100.0,
            unit: FigureUnit::Percent,
            slip: None,
        });
    }
    claims
}

fn contradiction(
    law: AuditLaw,
    unit: FigureUnit,
    printed: PrintedNumber,
    computed: PrintedNumber,
) -> Option<AuditClaim> {
    let slack = if law == AuditLaw::Whole { 0.0 } else { SLACK };
    if printed.agrees(computed, slack) {
        return None;
    }
    let slip = SLIPS.into_iter().flat_map(|factor| [factor, 1.0 / factor]).find(|factor| {
        // A slip of 2.4 % shows only in figures that are not rounded more coarsely.
        let scaled = computed.scaled(*factor);
        printed.agrees(scaled, 0.004)
            && printed.half < 0.02 * printed.value
            && computed.half < 0.02 * computed.value
    });
    Some(AuditClaim::Contradiction { law, printed: printed.value, computed: computed.value, unit, slip })
}

/// Returns that more I/Os would have been in flight than the jobs can have.
fn little(result: &PrintedResult) -> Option<AuditClaim> {
    let (iops, mean) = (result.iops?, result.latency.mean?);
    // The latencies of a monitor and of a tool that mixes syncs in are not those of the I/Os.
    if result.tool == BenchmarkTool::Iostat || result.tool == BenchmarkTool::Vdbench {
        return None;
    }
    let possible = possible_in_flight(result)?;
    let product = iops.times(mean).scaled(1e-9);
    let low = product.low() + result.others_in_flight;
    (low > possible * (1.0 + LITTLE_SLACK)).then_some(AuditClaim::TooManyInFlight {
        in_flight: product.value + result.others_in_flight,
        possible,
    })
}

/// Returns the largest number of I/Os in flight; `None` if depth or jobs are not known.
pub(super) fn possible_in_flight(result: &PrintedResult) -> Option<f64> {
    let jobs = f64::from(result.jobs?);
    let depth = match result.synchronous {
        Some(true) => 1.0,
        _ => f64::from(result.depth?),
    };
    Some(jobs * depth)
}

/// Returns that minimum, percentiles, mean and maximum are not in order.
fn order(result: &PrintedResult) -> Option<AuditClaim> {
    let latency = &result.latency;
    let broken = |lower: PrintedNumber, upper: PrintedNumber| {
        // Percentiles may be of another kind of latency, shorter by the time of the submission.
        let submit = result.submit.map_or(0.0, |n| n.high());
        (lower.low() > upper.high() * (1.0 + SLACK) + submit).then_some(AuditClaim::Contradiction {
            law: AuditLaw::Order,
            printed: upper.value,
            computed: lower.value,
            unit: FigureUnit::Nanoseconds,
            slip: None,
        })
    };
    // The minimum of lat may be above small percentiles of clat, which begins later.
    let comparable = latency.percentiles_from_submitted == latency.from_submitted;
    let mut chain: Vec<PrintedNumber> = latency.min.filter(|_| comparable).into_iter().collect();
    chain.extend(latency.percentiles.iter().map(|(_, ns)| *ns));
    chain.extend(latency.max);
    if let Some(claim) = chain.windows(2).find_map(|pair| broken(pair[0], pair[1])) {
        return Some(claim);
    }
    let (min, mean, max) = (latency.min, latency.mean, latency.max);
    let pairs = [(min, mean), (mean, max)];
    pairs.into_iter().find_map(|(lower, upper)| broken(lower?, upper?))
}
