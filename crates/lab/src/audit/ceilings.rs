//! Limits of media and links that no measurement can exceed.

use super::laws::possible_in_flight;
use stats::audit::{
    AuditClaim, AuditContext, CeilingKind, FigureUnit, IoKind, PrintedResult, ReaderNote, StatedMedium,
};

/// Rate of synced writes that no rotating disk reaches without a write cache, I/Os per second.
const SYNCS_OF_A_DISK: f64 = 250.0;
/// Mean latency in nanoseconds that random writes to a rotating disk do not fall below.
const SHORTEST_SEEK_NS: f64 = 1_500_000.0;

/// Limits of one device of a medium.
struct Limits {
    /// Largest bandwidth, bytes per second, and what limits it.
    bandwidth: (f64, CeilingKind),
    /// Largest rate of random reads with one I/O in flight, I/Os per second; `None` where depth does not matter.
    alone: Option<f64>,
    /// Largest rate of random I/O, I/Os per second, and what limits it.
    iops: (f64, CeilingKind),
    /// Rate of random writes that the medium itself sustains with one I/O in flight, I/Os per second.
    writes_alone: Option<f64>,
    /// Shortest latency of a random read of 4 KiB from the medium, nanoseconds.
    fastest_read_ns: Option<f64>,
    /// Largest sustained rate of random writes of 4 KiB, I/Os per second.
    steady_writes: Option<f64>,
}

/// Ranges of classes of devices, from the published and measured figures in docs/audit.md.
fn limits(medium: StatedMedium) -> Option<Limits> {
    use CeilingKind::{Card, Heads, Pcie, Platters, Sata};
    Some(match medium {
        StatedMedium::Hdd => Limits {
            bandwidth: (300e6, Platters),
            alone: Some(250.0),
            iops: (600.0, Heads),
            writes_alone: Some(250.0),
            fastest_read_ns: None,
            steady_writes: None,
        },
        StatedMedium::FastHdd => Limits {
            bandwidth: (350e6, Platters),
            alone: Some(400.0),
            iops: (900.0, Heads),
            writes_alone: Some(450.0),
            fastest_read_ns: None,
            steady_writes: None,
        },
        StatedMedium::SataSsd => Limits {
            bandwidth: (570e6, Sata),
            alone: None,
            iops: (105_000.0, Sata),
            writes_alone: None,
            fastest_read_ns: Some(45_000.0),
            steady_writes: Some(60_000.0),
        },
        StatedMedium::Nvme => Limits {
            bandwidth: (15e9, Pcie),
            alone: None,
            iops: (3.5e6, Pcie),
            writes_alone: None,
            fastest_read_ns: Some(30_000.0),
            steady_writes: Some(200_000.0),
        },
        StatedMedium::Card => Limits {
            bandwidth: (1.1e9, Card),
            alone: None,
            iops: (60_000.0, Card),
            writes_alone: None,
            fastest_read_ns: None,
            steady_writes: None,
        },
        StatedMedium::Network => return None,
    })
}

/// Returns the medium of the device: as given with the command, or as the text states it.
pub(super) fn medium(context: &AuditContext, result: &PrintedResult) -> Option<StatedMedium> {
    context.medium.or_else(|| result.stated.map(|stated| stated.medium))
}

/// Returns the limits that a result exceeds.
pub(super) fn exceeded(context: &AuditContext, result: &PrintedResult) -> Vec<AuditClaim> {
    let mut claims = Vec::new();
    // A test of memory says nothing about the device.
    if result.notes.contains(&ReaderNote::MemoryTest) {
        return claims;
    }
    let mentioned =
        context.medium.is_none() && result.stated.is_some_and(|stated| stated.line < result.lines[0]);
    let above = |ceiling, printed, limit, unit| {
        let mentioned = mentioned && ceiling != CeilingKind::Link;
        AuditClaim::AboveCeiling { ceiling, printed, limit, unit, mentioned }
    };
    if let (Some(link), Some(bandwidth)) = (context.link, result.bandwidth)
        && bandwidth.low() > 1.05 * link
    {
        claims.push(above(CeilingKind::Link, bandwidth.value, link, FigureUnit::BytesPerSecond));
    }
    let named_link = result.link.filter(|_| context.link.is_none());
    if let (Some(link), Some(bandwidth)) = (named_link, result.bandwidth)
        && bandwidth.low() > 1.1 * link.bytes_per_second
    {
        claims.push(AuditClaim::AboveCeiling {
            ceiling: CeilingKind::Link,
            printed: bandwidth.value,
            limit: link.bytes_per_second,
            unit: FigureUnit::BytesPerSecond,
            mentioned: true,
        });
    }
    let named = result.notes.contains(&ReaderNote::WriteBackNamed);
    let Some(limits) = medium(context, result).and_then(limits) else { return claims };
    let stated = result.stated.and_then(|stated| stated.devices);
    // An array has as many devices as its owner says.
    let unknown = context.devices.is_none() && result.stated.is_some_and(|s| s.array && s.devices.is_none());
    let one = if unknown { f64::INFINITY } else { 1.0 };
    let devices = context.devices.or(stated).map_or(one, f64::from);
    if let Some(bandwidth) = result.bandwidth {
        let (limit, ceiling) = limits.bandwidth;
        if bandwidth.low() > 1.05 * limit * devices {
            claims.push(above(ceiling, bandwidth.value, limit * devices, FigureUnit::BytesPerSecond));
        }
    }
    let alone = possible_in_flight(result).is_some_and(|n| n <= 1.0);
    let small = result.block.is_none_or(|block| block.value <= 4096.0);
    if let (Some(fastest), Some(mean)) = (limits.fastest_read_ns, result.latency.mean) {
        let random_read = result.kind == IoKind::Read && result.random == Some(true);
        // A name such as nvme0n1 may be an Optane drive's.
        if random_read && alone && small && mean.high() < fastest && context.medium.is_some() {
            claims.push(AuditClaim::UnmappedReads { ns: mean.value });
        }
    }
    if let (Some(iops), IoKind::SyncedWrite) = (result.iops, result.kind) {
        // A synced write waits for the rotation.
        if limits.iops.1 == CeilingKind::Heads && iops.low() > SYNCS_OF_A_DISK {
            claims.push(AuditClaim::WriteCache { iops: iops.value, heads: SYNCS_OF_A_DISK / 2.0, named });
        }
        return claims;
    }
    let (Some(iops), Some(true)) = (result.iops, result.random) else { return claims };
    let heads = limits.iops.1 == CeilingKind::Heads;
    if matches!(result.kind, IoKind::Write | IoKind::SyncedWrite) {
        if let Some(heads) = limits.writes_alone {
            // With a queue, drives sort writes, and an array writes to all of them. One write at a time uses one drive.
            let most = if alone { heads } else { 2.0 * heads * devices };
            // No array turns its platters faster.
            let fast = unknown && result.latency.mean.is_some_and(|mean| mean.high() < SHORTEST_SEEK_NS);
            if iops.low() > most || (fast && iops.low() > heads) {
                claims.push(AuditClaim::WriteCache { iops: iops.value, heads, named });
            }
        }
        if let Some(steady) = limits.steady_writes.map(|n| n * devices).filter(|n| small && iops.low() > *n) {
            claims.push(AuditClaim::FreshDrive { iops: iops.value, steady });
        }
        if heads {
            return claims;
        }
    }
    let limit = match limits.alone.filter(|_| alone) {
        Some(one) => one,
        None => limits.iops.0 * devices,
    };
    if iops.low() > 1.05 * limit {
        claims.push(above(limits.iops.1, iops.value, limit, FigureUnit::PerSecond));
    } else if heads
        && iops.low() > limit / 3.0
        && !alone
        && let Some(bytes) = result.region
    {
        claims.push(AuditClaim::ShortSeeks { bytes, iops: iops.value });
    }
    claims
}
