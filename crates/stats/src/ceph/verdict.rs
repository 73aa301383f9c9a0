//! What follows from the measurements of a pool.

use super::{CephMeasurement, CephPattern, CephPoolFacts, CephRow};
use crate::direction::Direction;
use serde::{Deserialize, Serialize};

/// Share of the expected rate from which on the model explains the measurement.
const EXPLAINED: f64 = 0.9;
/// Device reads per read of a client below which a cache answered.
const FROM_CACHE: f64 = 0.9;
/// Share of busy CPUs from which on they limit.
const CPU_BUSY: f64 = 0.9;
/// Factor from which on an uneven load is worth a change.
const UNEVEN: f64 = 1.25;
/// Share of small writes from which on deferred writes are named.
const DEFERRED: f64 = 0.5;

/// Statement about a pool, with what to change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "advice", rename_all = "snake_case")]
pub enum CephAdvice {
    /// Recovery, backfill or scrub took part of the disks' rate.
    Recovery {
        /// States of the placement groups, or messages of the health checks.
        states: Vec<String>,
    },
    /// The rate of a disk is not known, so that nothing can be expected.
    DiskUnknown {
        /// Pattern.
        pattern: CephPattern,
        /// OSDs whose disk has no figure.
        osds: Vec<i32>,
    },
    /// A cache of the OSDs answered reads: the disks were not measured by them.
    ReadsFromCache {
        /// Pattern.
        pattern: CephPattern,
        /// Device reads per read of a client.
        device_reads: f64,
    },
    /// Copies explain most of a write's factor: nothing is wrong.
    Copies {
        /// Pattern.
        pattern: CephPattern,
        /// Operations of OSDs per write.
        copies: f64,
    },
    /// The journal takes most of a write's factor.
    Journal {
        /// Pattern.
        pattern: CephPattern,
        /// Requests or bytes of the device per operation.
        factor: f64,
        /// Share of the writes that were deferred.
        deferred: f64,
    },
    /// The objects are unevenly distributed over the OSDs.
    Placement {
        /// Pattern.
        pattern: CephPattern,
        /// Factor that it costs.
        factor: f64,
        /// OSD that limits the others.
        osd: i32,
        /// Placement groups of the pool.
        pgs: u32,
    },
    /// One disk is slower than the others, which wait for it.
    SlowDisk {
        /// Pattern.
        pattern: CephPattern,
        /// OSD.
        osd: i32,
        /// Rate of its disk as a share of the median of all.
        share: f64,
    },
    /// The CPUs of this host were busy.
    Cpu {
        /// Pattern.
        pattern: CephPattern,
        /// Share of busy CPUs.
        busy: f64,
    },
    /// The network link of the client is full.
    Link {
        /// Pattern.
        pattern: CephPattern,
    },
    /// The rate is below the expected one although neither disks nor CPUs were the limit: the operations in flight wait
    /// for latency.
    Latency {
        /// Pattern.
        pattern: CephPattern,
        /// Share of the expected rate.
        reached: f64,
        /// Operations in flight.
        depth: u32,
        /// Placement groups, each of which executes one operation on an object at a time.
        pgs: u32,
        /// Mean latency in nanoseconds.
        mean_ns: f64,
    },
    /// RBD or CephFS is slower than the objects themselves.
    Client {
        /// Pattern.
        pattern: CephPattern,
        /// Client library.
        client: super::CephClient,
        /// Rate as a share of that through librados.
        share: f64,
    },
    /// The measured rate is above the expected one: the figures of the disks are too low, or writes were absorbed.
    AboveExpected {
        /// Pattern.
        pattern: CephPattern,
        /// Share of the expected rate.
        reached: f64,
    },
}

/// Returns what follows from the results, most important first.
pub fn advice(pool: &CephPoolFacts, rows: &[CephRow]) -> Vec<CephAdvice> {
    let mut all = Vec::new();
    if !pool.recovery.is_empty() {
        all.push(CephAdvice::Recovery { states: pool.recovery.clone() });
    }
    for row in rows {
        let Some(rados) = row.clients.first() else { continue };
        all.extend(of_row(pool, row.pattern, rados));
        for other in &row.clients[1..] {
            let share = other.rate / rados.rate;
            // Each has its own objects, whose distribution is in the expectation.
            let fair = match (other.reached(), rados.reached()) {
                (Some(other), Some(rados)) if rados > 0.0 => other / rados,
                _ => share,
            };
            if fair < EXPLAINED {
                all.push(CephAdvice::Client { pattern: row.pattern, client: other.client, share });
            }
        }
    }
    all
}

fn of_row(pool: &CephPoolFacts, pattern: CephPattern, rados: &CephMeasurement) -> Vec<CephAdvice> {
    let mut all = Vec::new();
    if let Some(device_reads) = rados.device_reads(pattern).filter(|reads| *reads < FROM_CACHE) {
        all.push(CephAdvice::ReadsFromCache { pattern, device_reads });
    }
    let Some(expected) = &rados.expected else {
        let unknown = rados.loads.iter().filter(|load| load.disk.is_none());
        all.push(CephAdvice::DiskUnknown { pattern, osds: unknown.map(|load| load.id).collect() });
        return all;
    };
    let reached = rados.rate / expected.rate;
    if reached < EXPLAINED {
        let busy = rados.cpu_busy.unwrap_or(0.0);
        if rados.link_rate.is_some_and(|link| rados.rate >= link * EXPLAINED) {
            all.push(CephAdvice::Link { pattern });
        } else if busy >= CPU_BUSY {
            all.push(CephAdvice::Cpu { pattern, busy });
        } else {
            let (depth, pgs, mean_ns) = (rados.depth, pool.pgs, rados.mean_ns);
            all.push(CephAdvice::Latency { pattern, reached, depth, pgs, mean_ns });
        }
    } else if reached > 1.0 / EXPLAINED {
        all.push(CephAdvice::AboveExpected { pattern, reached });
    }
    if expected.placement >= UNEVEN {
        all.push(uneven(pool, pattern, rados, expected.placement, expected.limited_by));
    }
    if pattern.direction() == Direction::Write && reached >= EXPLAINED {
        let writes: f64 = rados.work.iter().filter_map(|work| work.operations(pattern)).sum();
        let deferred: u64 = rados.work.iter().filter_map(|work| work.counters).map(|c| c.deferred_ops).sum();
        let deferred = deferred as f64 / writes.max(1.0);
        if expected.device > expected.copies || deferred >= DEFERRED {
            all.push(CephAdvice::Journal { pattern, factor: expected.device, deferred });
        } else if expected.copies > 1.0 && expected.copies >= expected.placement {
            all.push(CephAdvice::Copies { pattern, copies: expected.copies });
        }
    }
    all
}

/// Returns whether the limit is a slow disk or the distribution of the objects.
fn uneven(
    pool: &CephPoolFacts,
    pattern: CephPattern,
    rados: &CephMeasurement,
    factor: f64,
    osd: i32,
) -> CephAdvice {
    let mut disks: Vec<f64> = rados.loads.iter().filter_map(|load| load.disk).collect();
    disks.sort_by(f64::total_cmp);
    let median = disks.get(disks.len() / 2).copied().unwrap_or(0.0);
    let own = rados.loads.iter().find(|load| load.id == osd).and_then(|load| load.disk).unwrap_or(median);
    if median > 0.0 && own * UNEVEN <= median {
        return CephAdvice::SlowDisk { pattern, osd, share: own / median };
    }
    CephAdvice::Placement { pattern, factor, osd, pgs: pool.pgs }
}

#[cfg(test)]
mod tests {
    use super::super::{CephClient, OsdCounters, OsdLoad, OsdWork, expected};
    use super::*;

    fn measured(rate: f64, loads: Vec<OsdLoad>) -> CephMeasurement {
        CephMeasurement {
            client: CephClient::Rados,
            depth: 64,
            rate,
            mean_ns: 1e6,
            p99_ns: None,
            expected: expected(&loads),
            loads,
            work: Vec::new(),
            cpu_busy: Some(0.2),
            link_rate: None,
        }
    }

    fn load(id: i32, operations: f64, factor: f64, disk: Option<f64>) -> OsdLoad {
        OsdLoad { id, operations, device_factor: Some(factor), disk }
    }

    fn of(pattern: CephPattern, measured: CephMeasurement) -> Vec<CephAdvice> {
        let pool = CephPoolFacts { pgs: 32, ..CephPoolFacts::default() };
        advice(&pool, &[CephRow { pattern, disks: None, clients: vec![measured] }])
    }

    #[test]
    fn factor_of_three_copies_is_named_and_nothing_else() {
        let loads: Vec<OsdLoad> = (0..3).map(|id| load(id, 1.0, 1.5, Some(300.0))).collect();
        let found = of(CephPattern::RandomWrite, measured(198.0, loads));
        assert_eq!(found, [CephAdvice::Copies { pattern: CephPattern::RandomWrite, copies: 3.0 }]);
    }

    #[test]
    fn one_slow_disk_and_uneven_objects_are_told_apart() {
        let slow = vec![load(0, 0.5, 1.0, Some(1000.0)), load(1, 0.5, 1.0, Some(100.0))];
        let found = of(CephPattern::RandomRead, measured(199.0, slow));
        assert_eq!(found, [CephAdvice::SlowDisk { pattern: CephPattern::RandomRead, osd: 1, share: 0.1 }]);
        let uneven = vec![load(0, 0.75, 1.0, Some(300.0)), load(1, 0.25, 1.0, Some(300.0))];
        let found = of(CephPattern::RandomRead, measured(399.0, uneven));
        assert!(matches!(found[..], [CephAdvice::Placement { osd: 0, pgs: 32, .. }]), "{found:?}");
    }

    #[test]
    fn missing_rate_is_cpu_if_it_was_busy_and_latency_otherwise() {
        let loads = vec![load(0, 1.0, 1.0, Some(1000.0))];
        let found = of(CephPattern::RandomRead, measured(500.0, loads.clone()));
        assert!(matches!(found[..], [CephAdvice::Latency { reached: 0.5, depth: 64, .. }]), "{found:?}");
        let found =
            of(CephPattern::RandomRead, CephMeasurement { cpu_busy: Some(0.97), ..measured(500.0, loads) });
        assert!(matches!(found[..], [CephAdvice::Cpu { .. }]), "{found:?}");
    }

    #[test]
    fn unknown_disks_and_cached_reads_are_named() {
        let found = of(CephPattern::RandomWrite, measured(5.0, vec![load(7, 1.0, 1.0, None)]));
        let pattern = CephPattern::RandomWrite;
        assert_eq!(found, [CephAdvice::DiskUnknown { pattern, osds: vec![7] }]);
        let work = OsdWork {
            id: 0,
            counters: Some(OsdCounters { client_bytes: [4_096_000, 0], ..OsdCounters::default() }),
            device_ios: Some([400, 0]),
            ..OsdWork::default()
        };
        let cached =
            CephMeasurement { work: vec![work], ..measured(2400.0, vec![load(0, 1.0, 0.4, Some(1000.0))]) };
        let found = of(CephPattern::RandomRead, cached);
        let pattern = CephPattern::RandomRead;
        assert_eq!(found, [CephAdvice::ReadsFromCache { pattern, device_reads: 0.4 }]);
    }

    #[test]
    fn deferred_writes_are_the_journals_factor() {
        let work = OsdWork {
            id: 0,
            counters: Some(OsdCounters {
                client_bytes: [0, 409_600],
                deferred_ops: 95,
                ..OsdCounters::default()
            }),
            device_ios: Some([0, 250]),
            ..OsdWork::default()
        };
        let loads = vec![load(0, 1.0, 2.5, Some(500.0))];
        let found =
            of(CephPattern::RandomWrite, CephMeasurement { work: vec![work], ..measured(200.0, loads) });
        assert!(matches!(found[..], [CephAdvice::Journal { factor: 2.5, .. }]), "{found:?}");
    }
}
