//! Rate of a pool that follows from the rates of its disks.
//!
//! A pool of N placed objects in which each is hit equally often sends `s_i` operations to OSD i per operation of a client:
//! a read goes to the primary OSD, a write to all OSDs of the acting set (Ceph documentation, Architecture, "Peering and
//! sets" and "Erasure coding": an erasure-coded object is k data chunks and m coding chunks). BlueStore turns an operation
//! into `a_i` requests of its device: data, the write-ahead log of RocksDB, and deferred writes (BlueStore configuration
//! reference). With a fixed number of operations in flight, the OSD that needs most time per operation of a client limits
//! all: rate = min over i of D_i / (s_i a_i), D_i = rate of disk i. Every factor between the sum of the disks and this
//! rate is one of copies, placement and device requests, in this order.
//!
//! The number in flight has to be large enough: of N operations on M equal OSDs, drawn at random, an OSD has none for part of
//! the time. As a closed network of queues it reaches N / (N + M - 1) of the rate if the times of service are exponential
//! (Lavenberg, "Computer Performance Modeling Handbook", 1983, balanced networks), more if they are constant.

use super::{CephPattern, OsdWork, client_operations};
use crate::direction::Direction;
use serde::{Deserialize, Serialize};

/// Share of the operations that a client counted from which on the OSDs executed them.
const EXECUTED: f64 = 0.95;

/// Load of an OSD per operation of a client.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OsdLoad {
    /// Number of the OSD.
    pub id: i32,
    /// Operations of this OSD per operation of a client; for 1M, in bytes per byte.
    pub operations: f64,
    /// Requests of the device per operation of the OSD; for 1M, in bytes per byte. `None` = not known, taken as 1.
    pub device_factor: Option<f64>,
    /// Rate of the disk; `None` = unknown.
    pub disk: Option<f64>,
}

/// Expected rate of a pool, and the factors by which it is below the sum of the disks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// Sum of the rates of the disks.
    pub disks: f64,
    /// Operations of OSDs per operation of a client: 1 for reads, the size of the pool for writes.
    pub copies: f64,
    /// Factor by which the uneven distribution of the objects, or of the disks' rates, lowers the rate; 1 or more.
    pub placement: f64,
    /// Requests of the device per operation on the OSD that limits the rate.
    pub device: f64,
    /// Expected operations of clients per second.
    pub rate: f64,
    /// OSD that limits the rate.
    pub limited_by: i32,
}

/// Returns the operations of each OSD per operation of a client on objects with these acting sets, primary first, sorted
/// by OSD. `erasure` = data and coding chunks.
pub fn shares(acting: &[Vec<i32>], pattern: CephPattern, erasure: Option<(u32, u32)>) -> Vec<(i32, f64)> {
    let mut shares: Vec<(i32, f64)> = Vec::new();
    let each = 1.0 / acting.len().max(1) as f64;
    for set in acting {
        let (targets, part): (&[i32], f64) = match (pattern.direction(), erasure) {
            (Direction::Read, None) => (set.get(..1).unwrap_or_default(), 1.0),
            (_, None) => (set, 1.0),
            // A read takes the data chunks, which come first; a write writes all. A chunk of 1M is a part of it.
            (direction, Some((data, _))) => {
                let data = data.max(1) as usize;
                let targets = if direction == Direction::Read { set.get(..data).unwrap_or(set) } else { set };
                (targets, if pattern.is_large() { 1.0 / data as f64 } else { 1.0 })
            }
        };
        for osd in targets {
            match shares.iter_mut().find(|(id, _)| id == osd) {
                Some((_, share)) => *share += part * each,
                None => shares.push((*osd, part * each)),
            }
        }
    }
    shares.sort_by_key(|(id, _)| *id);
    shares
}

/// Returns the operations of each OSD per operation of a client by the counters of the OSDs, for objects whose placement is
/// not known; empty if the OSDs executed fewer than `counted` operations of clients, because a cache or other OSDs did.
pub fn counted_shares(work: &[OsdWork], pattern: CephPattern, counted: f64) -> Vec<(i32, f64)> {
    let Some(all) = client_operations(work, pattern).filter(|all| *all >= counted * EXECUTED) else {
        return Vec::new();
    };
    work.iter().filter_map(|work| Some((work.id, work.operations(pattern)? / all))).collect()
}

/// Returns the expected rate; `None` without loads, if the rate of a disk is unknown, or no OSD has a load.
pub fn expected(loads: &[OsdLoad]) -> Option<Expected> {
    let disks = loads.iter().map(|load| load.disk).sum::<Option<f64>>()?;
    let copies: f64 = loads.iter().map(|load| load.operations).sum();
    let busy = loads.iter().filter(|load| load.operations > 0.0);
    let mut without_device = f64::INFINITY;
    let mut limit: Option<(f64, i32, f64)> = None;
    for load in busy {
        let alone = load.disk? / load.operations;
        let factor = load.device_factor.filter(|factor| *factor > 0.0).unwrap_or(1.0);
        without_device = without_device.min(alone);
        if limit.is_none_or(|(rate, ..)| alone / factor < rate) {
            limit = Some((alone / factor, load.id, factor));
        }
    }
    let (rate, limited_by, _) = limit?;
    if rate <= 0.0 || copies <= 0.0 {
        return None;
    }
    Some(Expected {
        disks,
        copies,
        placement: disks / copies / without_device,
        device: without_device / rate,
        rate,
        limited_by,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn load(id: i32, operations: f64, factor: f64, disk: f64) -> OsdLoad {
        OsdLoad { id, operations, device_factor: Some(factor), disk: Some(disk) }
    }

    #[test]
    fn three_copies_on_three_disks_write_at_the_rate_of_one() {
        let sets = vec![vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]];
        let write = shares(&sets, CephPattern::RandomWrite, None);
        assert!(write.iter().all(|(_, share)| (share - 1.0).abs() < 1e-9), "{write:?}");
        let loads: Vec<OsdLoad> = write.iter().map(|(id, share)| load(*id, *share, 2.0, 400.0)).collect();
        let e = expected(&loads).expect("known");
        let close = |value: f64, to: f64| (value - to).abs() < 1e-9;
        assert!(close(e.disks, 1200.0) && close(e.copies, 3.0) && close(e.placement, 1.0), "{e:?}");
        assert!(close(e.device, 2.0) && close(e.rate, 200.0), "{e:?}");
        let read = shares(&sets, CephPattern::RandomRead, None);
        assert!(read.iter().all(|(_, share)| (share - 1.0 / 3.0).abs() < 1e-9), "{read:?}");
    }

    #[test]
    fn uneven_objects_and_a_slow_disk_are_placement() {
        let sets = vec![vec![0], vec![0], vec![0], vec![1]];
        let read = shares(&sets, CephPattern::RandomRead, None);
        assert_eq!(read, [(0, 0.75), (1, 0.25)]);
        let even = |disk| read.iter().map(move |(id, s)| load(*id, *s, 1.0, disk)).collect::<Vec<_>>();
        let e = expected(&even(300.0)).expect("known");
        assert_eq!((e.rate, e.limited_by, e.placement), (400.0, 0, 1.5));
        let slow = [load(0, 0.5, 1.0, 1000.0), load(1, 0.5, 1.0, 100.0)];
        let e = expected(&slow).expect("known");
        assert_eq!((e.rate, e.limited_by), (200.0, 1));
    }

    #[test]
    fn chunks_of_an_erasure_coded_pool_are_parts_of_large_blocks() {
        let sets = vec![vec![0, 1, 2]];
        let sum = |pattern| shares(&sets, pattern, Some((2, 1))).iter().map(|(_, s)| s).sum::<f64>();
        assert_eq!(sum(CephPattern::LargeWrite), 1.5);
        assert_eq!(sum(CephPattern::LargeRead), 1.0);
        assert_eq!(sum(CephPattern::RandomWrite), 3.0);
        assert_eq!(sum(CephPattern::RandomRead), 2.0);
    }

    #[test]
    fn an_unknown_disk_gives_no_expectation() {
        assert_eq!(expected(&[]), None);
        assert_eq!(expected(&[OsdLoad { disk: None, ..load(0, 1.0, 1.0, 1.0) }]), None);
        let unknown = OsdLoad { device_factor: None, ..load(0, 1.0, 9.0, 500.0) };
        assert_eq!(expected(&[unknown]).map(|e| e.rate), Some(500.0));
    }

    proptest! {
        /// Rate times the load of each OSD's device is at most the rate of the disk, and equal for the one that limits; the
        /// factors multiply to the quotient of disks and rate.
        #[test]
        fn no_disk_is_asked_for_more_than_it_gives(
            of in proptest::collection::vec((0.01..3.0_f64, 0.2..5.0_f64, 1.0..1e6_f64), 1..20)
        ) {
            let loads: Vec<OsdLoad> =
                of.iter().enumerate().map(|(id, (s, a, d))| load(id as i32, *s, *a, *d)).collect();
            let e = expected(&loads).expect("known");
            for load in &loads {
                let asked = e.rate * load.operations * load.device_factor.expect("set");
                let gives = load.disk.expect("set");
                prop_assert!(asked <= gives * (1.0 + 1e-9));
                if load.id == e.limited_by {
                    prop_assert!((asked - gives).abs() <= gives * 1e-9);
                }
            }
            let product = e.copies * e.placement * e.device;
            prop_assert!((e.disks / product - e.rate).abs() <= e.rate * 1e-9);
            prop_assert!(e.placement >= 1.0 - 1e-9);
        }

        /// A read is one operation of one OSD, a write as many as the acting set has OSDs.
        #[test]
        fn shares_add_up_to_the_copies(
            sets in proptest::collection::vec(proptest::sample::subsequence(vec![0, 1, 2, 3, 4, 5], 3), 1..50)
        ) {
            let sum = |pattern| shares(&sets, pattern, None).iter().map(|(_, s)| s).sum::<f64>();
            prop_assert!((sum(CephPattern::RandomRead) - 1.0).abs() < 1e-9);
            prop_assert!((sum(CephPattern::RandomWrite) - 3.0).abs() < 1e-9);
        }
    }
}
