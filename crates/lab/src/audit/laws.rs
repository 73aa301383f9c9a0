//! Laws that correct figures meet, with the rounding of each printed number.

use stats::audit::{
    AuditClaim, AuditLaw, BenchmarkTool, FigureUnit, PrintedNumber, PrintedResult, ReaderNote,
};

/// Relative difference of a mean from those that percentiles allow that is no contradiction: percentiles are ends of buckets.
const MEAN_SLACK: f64 = 0.06;
/// Number of I/Os from which percentiles bound the mean.
const ENOUGH_IOS: u64 = 500;
/// Relative excess of a standard deviation that is no contradiction.
const DEVIATION_SLACK: f64 = 0.1;
/// Relative difference that is no contradiction: tools divide by slightly different times.
const SLACK: f64 = 0.012;
/// Relative excess of I/Os in flight over the possible number that is no contradiction: the clocks of rate and latency
/// differ by the time of a submission.
const LITTLE_SLACK: f64 = 0.04;
/// Share of half the last printed digit in a figure from which it shows no factor: 19 MB/s does, 9 MB/s does not.
const COARSE: f64 = 0.03;
/// Factors of usual errors of units.
const SLIPS: [f64; 8] = [1.024, 1.048576, 1.073741824, 8.0, 1000.0, 1024.0, 1e6, 1048576.0];

/// Returns the contradictions among the figures of a result.
pub(super) fn contradictions(result: &PrintedResult) -> Vec<AuditClaim> {
    let mut claims: Vec<AuditClaim> = result
        .notes
        .iter()
        .filter_map(|note| match note {
            ReaderNote::WrongFields { fields } => Some(AuditClaim::WrongFields { fields: fields.clone() }),
            _ => None,
        })
        .collect();
    // The laws of latencies say nothing new about a wrong one.
    let wrong_latency = result.notes.iter().any(
        |note| matches!(note, ReaderNote::WrongFields { fields } if fields.iter().any(|f| f.contains("lat"))),
    );
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
    if !wrong_latency {
        claims.extend(order(result));
        claims.extend(mean_of_percentiles(result));
        claims.extend(deviation(result));
    }
    let sum: f64 = result.shares.iter().map(|(_, percent)| percent).sum();
    // Each share is rounded to 0.01, and 0.01 also stands for less.
    let room = 0.01 * result.shares.len() as f64 + 0.05;
    let complete = result.shares.len() > 1 && !result.notes.contains(&ReaderNote::Truncated);
    if sum > 100.0 + room || (complete && sum < 98.0) {
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
    let fitting = SLIPS.into_iter().flat_map(|factor| [factor, 1.0 / factor]).filter(|factor| {
        // A slip of 2.4 % shows only in figures that are not rounded more coarsely.
        let scaled = computed.scaled(*factor);
        printed.agrees(scaled, 0.004)
            && printed.half < COARSE * printed.value
            && computed.half < COARSE * computed.value
    });
    // Several factors agree with a rounded figure; the nearest one is the likely mistake.
    let distance = |factor: &f64| (printed.value - computed.value * factor).abs();
    let slip = fitting.min_by(|a, b| distance(a).total_cmp(&distance(b)));
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

/// Returns that no distribution has both the printed percentiles and the printed mean.
fn mean_of_percentiles(result: &PrintedResult) -> Option<AuditClaim> {
    let latency = &result.latency;
    let mean = latency.mean?;
    let computed = result.iops.zip(result.seconds).map(|(iops, s)| (iops.value * s.value) as u64);
    let ios = result.ios.or(computed).filter(|n| *n >= ENOUGH_IOS)?;
    if result.tool == BenchmarkTool::Sysbench {
        return None;
    }
    // Percentiles of clat beside a mean of lat differ by the time of the submission.
    let apart = latency.percentiles_from_submitted != latency.from_submitted;
    let submit = match result.submit {
        Some(submit) if apart => submit.high(),
        None if apart => return None,
        _ => 0.0,
    };
    let (mut lowest, mut highest) = (0.0, 0.0);
    let mut before = (0.0, latency.min.filter(|_| !apart).map_or(0.0, PrintedNumber::low));
    for (percent, value) in &latency.percentiles {
        let share = (percent - before.0) / 100.0;
        lowest += share * before.1;
        highest += share * value.high();
        before = (*percent, value.low());
    }
    let rest = 1.0 - before.0 / 100.0;
    lowest += rest * before.1;
    if latency.percentiles.is_empty() {
        return None;
    }
    // One I/O more or less may be in the last range.
    let most = latency.max.map(|max| highest + (rest + 2.0 / ios as f64) * max.high() + submit);
    let wrong = |computed: f64| AuditClaim::Contradiction {
        law: AuditLaw::Mean,
        printed: mean.value,
        computed,
        unit: FigureUnit::Nanoseconds,
        slip: None,
    };
    if mean.high() < lowest * (1.0 - MEAN_SLACK) - 2_000.0 {
        return Some(wrong(lowest));
    }
    most.filter(|most| mean.low() > most * (1.0 + MEAN_SLACK) + 2_000.0).map(wrong)
}

/// Returns that the standard deviation is larger than any between minimum and maximum with this mean.
fn deviation(result: &PrintedResult) -> Option<AuditClaim> {
    let latency = &result.latency;
    let (min, mean, max, stddev) = (latency.min?, latency.mean?, latency.max?, latency.stddev?);
    let largest = ((max.high() - mean.low()).max(0.0) * (mean.high() - min.low()).max(0.0)).sqrt();
    // The deviation of two values by the formula for samples is larger by the root of two.
    let few = result.ios.is_none_or(|ios| ios < 100);
    let slack = if few { 0.5 } else { DEVIATION_SLACK };
    (stddev.low() > largest * (1.0 + slack)).then_some(AuditClaim::Contradiction {
        law: AuditLaw::Deviation,
        printed: stddev.value,
        computed: largest,
        unit: FigureUnit::Nanoseconds,
        slip: None,
    })
}
