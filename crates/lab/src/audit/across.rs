//! Mistakes that several results show together.

use super::laws::possible_in_flight;
use stats::audit::{AuditClaim, AuditContext, BenchmarkTool, IoKind, PrintedResult, StatedMedium};

/// Excess of a random over a sequential bandwidth from which a cache or the sequential test is to blame.
const FASTER: f64 = 1.12;
/// Distance of two results without a target that are still of one device, lines.
const NEAR: usize = 40;
/// Gain in rate below which a deeper queue only adds latency.
const KNEE_GAIN: f64 = 1.05;

/// Returns the claims about the result with index `at` that follow from the others of the same file.
pub(super) fn of(context: &AuditContext, results: &[PrintedResult], at: usize) -> Vec<AuditClaim> {
    let this = &results[at];
    let mut claims = Vec::new();
    let others = results.iter().enumerate().filter(|(index, other)| *index != at && other.file == this.file);
    let others: Vec<(usize, &PrintedResult)> =
        others.filter(|(_, other)| other.tool == this.tool && other.kind == this.kind).collect();
    if others.iter().any(|(index, other)| *index < at && same_figures(other, this)) {
        claims.push(AuditClaim::Repeated);
        return claims;
    }
    let of_target = |other: &PrintedResult| other.target == this.target;
    for (_, other) in &others {
        if !of_target(other) || other.block.map(|b| b.value) != this.block.map(|b| b.value) {
            continue;
        }
        let (Some(own), Some(theirs)) = (bandwidth(this), bandwidth(other)) else { continue };
        let same_queue = possible_in_flight(this) == possible_in_flight(other);
        let random = this.random == Some(true) && other.random == Some(false);
        // Sequential I/O of small blocks with one I/O in flight may be slower than random I/O of a flash device.
        if random && same_queue && own > FASTER * theirs && this.kind != IoKind::Mixed && this.block.is_some()
        {
            claims.push(AuditClaim::RandomFaster { random: own, sequential: theirs });
        }
        if this.random == other.random {
            claims.extend(past_knee(this, other));
        }
    }
    let known =
        matches!(super::ceilings::medium(context, this), Some(StatedMedium::Hdd | StatedMedium::FastHdd));
    if !known && this.kind == IoKind::Write && this.random == Some(true) {
        claims.extend(write_cache(this, results));
    }
    claims
}

fn bandwidth(result: &PrintedResult) -> Option<f64> {
    let of_iops = || Some(result.iops?.times(result.block?));
    result.bandwidth.or_else(of_iops).map(|n| n.value)
}

/// Returns whether two results are the same text: all figures equal, and enough of them.
fn same_figures(a: &PrintedResult, b: &PrintedResult) -> bool {
    let figures =
        |r: &PrintedResult| (r.amount, r.seconds, r.iops, r.bandwidth, r.latency.mean, r.latency.max);
    let many =
        b.seconds.is_some() && b.bandwidth.is_some() && (b.amount.is_some() || b.latency.mean.is_some());
    many && a.label == b.label && figures(a) == figures(b) && a.tool != BenchmarkTool::Typed
}

/// Returns that `this` has a deeper queue than `other`, more latency, and hardly a higher rate.
fn past_knee(this: &PrintedResult, other: &PrintedResult) -> Option<AuditClaim> {
    let (depth, shallower) = (possible_in_flight(this)?, possible_in_flight(other)?);
    if depth < 2.0 * shallower {
        return None;
    }
    let gain = this.iops?.value / other.iops?.value;
    let latency = this.latency.mean?.value / other.latency.mean?.value;
    (gain < KNEE_GAIN && latency > 1.6).then_some(AuditClaim::PastKnee { depth, shallower, gain, latency })
}

/// Returns that random writes were acknowledged by a cache: random reads of the same device need seeks.
fn write_cache(this: &PrintedResult, results: &[PrintedResult]) -> Option<AuditClaim> {
    let alone = |result: &PrintedResult| possible_in_flight(result).is_some_and(|n| n <= 1.0);
    let write = this.latency.mean.or_else(|| reciprocal(this))?.value;
    let read = results.iter().find(|other| {
        other.file == this.file
            && other.target == this.target
            && (!this.target.is_empty() || other.lines[0].abs_diff(this.lines[0]) < NEAR)
            && other.kind == IoKind::Read
            && other.random == Some(true)
            && alone(other)
            && other
                .latency
                .mean
                .or_else(|| reciprocal(other))
                .is_some_and(|ns| (3e6..3e7).contains(&ns.value))
    })?;
    let seek = read.latency.mean.or_else(|| reciprocal(read))?.value;
    let iops = this.iops?.value;
    (alone(this) && write < seek / 3.0).then_some(AuditClaim::WriteCache { iops, heads: 1e9 / seek })
}

fn reciprocal(result: &PrintedResult) -> Option<stats::audit::PrintedNumber> {
    let alone = possible_in_flight(result).is_some_and(|n| n <= 1.0);
    stats::audit::PrintedNumber::exact(1e9).over(result.iops.filter(|_| alone)?)
}
