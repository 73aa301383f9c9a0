//! Mistakes that several results show together.

use super::laws::possible_in_flight;
use super::series;
use stats::Claim;
use stats::audit::{
    AuditClaim, AuditContext, BenchmarkTool, IoKind, PrintedResult, PrintedSyncs, ReaderNote, StatedMedium,
};

/// Excess of a random over a sequential bandwidth from which a cache or the sequential test is to blame.
const FASTER: f64 = 1.12;
/// Distance of two results without a target that are still of one device, lines.
const NEAR: usize = 40;
/// Ratio of a disk's I/Os to those of the run from which others used the disk, or requests were split.
const MORE: f64 = 1.3;
/// The same for writes that are synced one by one.
const SYNCED_MORE: f64 = 5.0;
/// Block size in bytes above which a request may be split.
const SPLITTABLE: f64 = 65536.0;
/// Ratio of two passes from which a cache, or a volume that initialises, is shown.
const SECOND_PASS: f64 = 3.0;
/// Number of results before and behind one with which it is compared.
const NEIGHBOURS: usize = 100;
/// I/Os of the other direction, as a share of the job's, from which others used the disk.
const FOREIGN_SHARE: f64 = 0.2;
/// I/Os of the other direction from which they count as another program's, and the bytes that each is assumed to have.
const FOREIGN_IOS: u64 = 1000;
const FOREIGN_BYTES: u64 = 4096;
/// Gain in rate below which a deeper queue only adds latency.
const KNEE_GAIN: f64 = 1.05;

/// Returns the claims about the result with index `at` that follow from the others of the same file.
pub(super) fn of(context: &AuditContext, all: &[PrintedResult], at: usize) -> Vec<AuditClaim> {
    let this = &all[at];
    // Results far away in a long file are not compared, so that the time stays linear.
    let first = at.saturating_sub(NEIGHBOURS);
    let results = &all[first..all.len().min(at + NEIGHBOURS)];
    let at = at - first;
    let mut claims = Vec::new();
    let others = results.iter().enumerate().filter(|(index, other)| *index != at && other.file == this.file);
    let others: Vec<(usize, &PrintedResult)> =
        others.filter(|(_, other)| other.tool == this.tool && other.kind == this.kind).collect();
    if others.iter().any(|(index, other)| *index < at && same_figures(other, this)) {
        claims.push(AuditClaim::Repeated);
        return claims;
    }
    let of_target = |other: &PrintedResult| other.target == this.target;
    claims.extend(series::of(this, results));
    let deepest = deepest(this, results);
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
            claims.extend(latency_bound(this, other, deepest));
        }
    }
    claims.extend(disks(this, results));
    claims.extend(second_pass(this, results, at));
    let known =
        matches!(super::ceilings::medium(context, this), Some(StatedMedium::Hdd | StatedMedium::FastHdd));
    if !known && this.kind == IoKind::Write && this.random == Some(true) {
        claims.extend(write_cache(this, results));
    }
    claims
}

pub(super) fn bandwidth(result: &PrintedResult) -> Option<f64> {
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
    (alone(this) && write < seek / 3.0).then_some(AuditClaim::WriteCache {
        iops,
        heads: 1e9 / seek,
        named: this.notes.contains(&ReaderNote::WriteBackNamed),
    })
}

fn reciprocal(result: &PrintedResult) -> Option<stats::audit::PrintedNumber> {
    let alone = possible_in_flight(result).is_some_and(|n| n <= 1.0);
    stats::audit::PrintedNumber::exact(1e9).over(result.iops.filter(|_| alone)?)
}

/// Returns that the disks completed more I/Os than all jobs of the run together.
fn disks(this: &PrintedResult, results: &[PrintedResult]) -> Option<AuditClaim> {
    let side = usize::from(this.kind == IoKind::Write);
    let io = matches!(this.kind, IoKind::Read | IoKind::Write);
    if !io || this.tool == BenchmarkTool::Iostat || this.devices.is_empty() {
        return None;
    }
    let of_run =
        results.iter().filter(|r| r.file == this.file && r.devices == this.devices && r.kind == this.kind);
    let job: u64 = of_run.map(|r| r.ios.unwrap_or(0)).sum();
    // The members of an array read and write parity and mirrors besides.
    let stacked = |name: &str| ["md", "dm-", "bcache", "zd", "drbd"].iter().any(|p| name.starts_with(p));
    let top = this.devices.first().filter(|device| stacked(&device.name));
    let devices = top.map_or(this.devices.as_slice(), std::slice::from_ref);
    // A sync of each write makes the file system write its journal.
    let synced = this.kind == IoKind::Write
        && (!this.sync_latency.is_empty()
            || matches!(this.syncs, Some(PrintedSyncs::Each | PrintedSyncs::Regular)));
    let device = devices.iter().max_by_key(|device| device.ios[side])?;
    let block = this.block?.value;
    let ratio = device.ios[side] as f64 / job.max(1) as f64;
    // I/Os of the other direction, of which this run has none.
    let foreign = devices.iter().map(|device| device.ios[1 - side]).max().unwrap_or(0);
    let alone = results
        .iter()
        .filter(|r| r.file == this.file && r.devices == this.devices)
        .all(|r| r.kind == this.kind);
    let disturbed = alone && foreign > FOREIGN_IOS && foreign as f64 > FOREIGN_SHARE * job as f64;
    let more = if synced { SYNCED_MORE } else { MORE };
    if job < 1000 || this.direct == Some(false) || (ratio < more && !disturbed) {
        return None;
    }
    let name = device.name.clone();
    if block > SPLITTABLE && !disturbed {
        return Some(AuditClaim::Run(Claim::Split { device: name, ratio, block: block as u64, most: None }));
    }
    // A small block is not split; other programs, or a job before, used the disk.
    let bytes = |ios: u64| (ios as f64 * block) as u64;
    let (mut device_bytes, mut app_bytes) = ([0; 2], [0; 2]);
    (device_bytes[side], app_bytes[side]) = (bytes(device.ios[side]), bytes(job));
    device_bytes[1 - side] = if disturbed { foreign * FOREIGN_BYTES } else { 0 };
    Some(AuditClaim::Run(Claim::OtherLoad { device: name, device_bytes, app_bytes, file_system: false }))
}

/// Returns the largest possible number in flight of the results with the load of `this`.
fn deepest(this: &PrintedResult, results: &[PrintedResult]) -> f64 {
    let load = |r: &PrintedResult| (r.kind, r.random, r.block.map(|block| block.value));
    let same = results.iter().filter(|r| load(r) == load(this) && r.file == this.file);
    same.filter_map(possible_in_flight).fold(0.0, f64::max)
}

/// Returns that the rate doubled with the depth at the same latency, for the deepest result of the load.
fn latency_bound(this: &PrintedResult, other: &PrintedResult, deepest: f64) -> Option<AuditClaim> {
    let (depth, shallower) = (possible_in_flight(this)?, possible_in_flight(other)?);
    let ratio = depth / shallower;
    if !(1.9..=2.1).contains(&ratio) || depth < deepest {
        return None;
    }
    let gain = this.iops?.value / other.iops?.value;
    let ns = this.latency.mean.map_or(depth / this.iops?.value * 1e9, |mean| mean.value);
    (gain > 0.94 * ratio && ns > 5e5).then_some(AuditClaim::LatencyBound { depth, ns })
}

/// Returns that the same load was several times faster than an earlier one of the same name.
fn second_pass(this: &PrintedResult, results: &[PrintedResult], at: usize) -> Option<AuditClaim> {
    let load = |r: &PrintedResult| {
        (r.tool, r.kind, r.depth, r.jobs, r.random, r.direct, r.block.map(|block| block.value))
    };
    // The same job may have run on another device.
    let same = |r: &&PrintedResult| {
        load(r) == load(this)
            && r.stated.map(|s| s.medium) == this.stated.map(|s| s.medium)
            && r.label == this.label
            && r.target == this.target
            && r.file == this.file
            && r.devices.iter().map(|d| &d.name).eq(this.devices.iter().map(|d| &d.name))
    };
    let no_job = matches!(this.tool, BenchmarkTool::Iostat | BenchmarkTool::Typed);
    if this.kind != IoKind::Read || this.label.is_empty() || no_job {
        return None;
    }
    let earlier = results[..at].iter().find(same)?;
    let ratio = bandwidth(this)? / bandwidth(earlier)?;
    (ratio > SECOND_PASS).then_some(AuditClaim::SecondPass { ratio })
}
