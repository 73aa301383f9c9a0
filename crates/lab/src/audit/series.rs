//! Mistakes that the results of a series of block sizes and directions show.

use super::across::bandwidth;
use super::laws::possible_in_flight;
use stats::audit::{AuditClaim, BenchmarkTool, IoKind, PrintedResult};

/// Excess of random I/O over sequential I/O with more bytes in flight from which a cache is to blame.
const FASTER: f64 = 1.15;
/// Ratio of the bandwidths of a larger and a smaller block below which the larger one is slower.
const SLOWER: f64 = 0.75;
/// Ratio of reads to writes below which a cache took the writes.
const READS_SLOWER: f64 = 0.6;
/// Relative difference of two rates that are the same.
const SAME: f64 = 0.015;
/// I/Os in flight from which a rate limit, and not latency, sets the rate.
const QUEUED: f64 = 4.0;
/// Lines between typed results of one series.
const NEAR: usize = 4;
/// Smallest bytes in flight at which a device streams.
const STREAMING: f64 = 1048576.0;

/// Returns the claims about a result that the others of its series show.
pub(super) fn of(this: &PrintedResult, results: &[PrintedResult]) -> Vec<AuditClaim> {
    let mut claims = Vec::new();
    if matches!(this.tool, BenchmarkTool::Iostat | BenchmarkTool::PgTestFsync | BenchmarkTool::Bonnie)
        || this.kind == IoKind::Mixed
    {
        return claims;
    }
    for other in results.iter().filter(|other| is_series(this, other)) {
        claims.extend(random_faster(this, other));
        claims.extend(larger_slower(this, other));
        claims.extend(reads_slower(this, other));
        claims.extend(same_rate(this, other));
    }
    claims
}

/// Returns whether two results are of one device and tool.
fn is_series(this: &PrintedResult, other: &PrintedResult) -> bool {
    let apart = this.lines[0].abs_diff(other.lines[0]);
    let typed = this.tool == BenchmarkTool::Typed;
    if typed && apart > NEAR {
        return false;
    }
    let near = || apart == 0 || (begins_with_load(this) && begins_with_load(other));
    let disks = |r: &PrintedResult| r.devices.first().map(|d| d.name.clone());
    this.tool == other.tool
        && this.file == other.file
        && this.target == other.target
        && this.direct == other.direct
        && this.engine == other.engine
        && this.stated.map(|s| s.medium) == other.stated.map(|s| s.medium)
        && disks(this) == disks(other)
        && (!typed || near())
}

/// Returns whether a typed line begins with its load, and not with the name of a device.
fn begins_with_load(result: &PrintedResult) -> bool {
    const WORDS: [&str; 14] = [
        "seq",
        "rand",
        "rnd",
        "read",
        "write",
        "lesen",
        "schreib",
        "zuf",
        "случ",
        "посл",
        "随机",
        "顺序",
        "чтени",
        "запис",
    ];
    let label = result.label.trim_start_matches(['|', ' ', '-', '*']).to_lowercase();
    let size = label.trim_start_matches(|c: char| c.is_ascii_digit());
    let sized = size.len() < label.len()
        && size.starts_with(['k', 'm'])
        && size[1..].trim_start_matches("ib").trim_start_matches('b').starts_with([' ', '-', '|']);
    sized || WORDS.iter().any(|word| label.starts_with(word))
}

fn block(result: &PrintedResult) -> Option<f64> {
    result.block.map(|block| block.value).filter(|block| *block > 0.0)
}

/// Returns that random I/O beat sequential I/O of larger blocks that had at least as many bytes in flight.
fn random_faster(this: &PrintedResult, other: &PrintedResult) -> Option<AuditClaim> {
    if this.random != Some(true) || other.random != Some(false) || this.kind != other.kind {
        return None;
    }
    let (own, theirs) = (block(this)?, block(other)?);
    let in_flight = |r: &PrintedResult, block: f64| possible_in_flight(r).map(|n| n * block);
    let (random, sequential) = (bandwidth(this)?, bandwidth(other)?);
    let enough = in_flight(other, theirs)? >= in_flight(this, own)?;
    (theirs > own && enough && random > FASTER * sequential)
        .then_some(AuditClaim::RandomFaster { random, sequential })
}

fn same_load(this: &PrintedResult, other: &PrintedResult) -> bool {
    this.random == other.random
        && this.random.is_some()
        && possible_in_flight(this).is_some()
        && possible_in_flight(this) == possible_in_flight(other)
        && this.syncs == other.syncs
}

/// Returns that `this` has larger blocks and less bandwidth.
fn larger_slower(this: &PrintedResult, other: &PrintedResult) -> Option<AuditClaim> {
    let (own, theirs) = (block(this)?, block(other)?);
    let (slow, fast) = (bandwidth(this)?, bandwidth(other)?);
    let larger = this.kind == other.kind && same_load(this, other) && own >= 2.0 * theirs;
    (larger && slow < SLOWER * fast).then_some(AuditClaim::LargerSlower {
        block: own,
        bandwidth: slow,
        smaller: theirs,
        faster: fast,
    })
}

/// Returns that reads are slower than writes, where no latency of flash explains it.
fn reads_slower(this: &PrintedResult, other: &PrintedResult) -> Option<AuditClaim> {
    let (reads, writes) = match (this.kind, other.kind) {
        (IoKind::Read, IoKind::Write) => (this, other),
        (IoKind::Write, IoKind::Read) => (other, this),
        _ => return None,
    };
    let same = reads.random == writes.random
        && reads.random.is_some()
        && possible_in_flight(reads) == possible_in_flight(writes)
        && block(reads)? == block(writes)?;
    let streaming =
        possible_in_flight(reads)? * block(reads)? >= STREAMING || possible_in_flight(reads)? >= 16.0;
    let (read, write) = (bandwidth(reads)?, bandwidth(writes)?);
    (same && streaming && read < READS_SLOWER * write).then_some(AuditClaim::ReadsSlower { read, write })
}

/// Returns that the number of I/Os per second does not depend on the block size.
fn same_rate(this: &PrintedResult, other: &PrintedResult) -> Option<AuditClaim> {
    let (own, theirs) = (block(this)?, block(other)?);
    let (iops, rate) = (this.iops?.value, other.iops?.value);
    let differ = own >= 2.0 * theirs || theirs >= 2.0 * own;
    let queued = possible_in_flight(this)? >= QUEUED;
    let same = this.kind == other.kind && same_load(this, other) && (iops - rate).abs() <= SAME * iops;
    // Heads of a disk need the same time for a small block and a larger one.
    let small_disk = iops < 1000.0 && own.max(theirs) <= 65536.0;
    (differ && queued && same && !small_disk).then_some(AuditClaim::SameRate {
        iops,
        block: own,
        other: theirs,
    })
}
