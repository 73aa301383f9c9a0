//! Tests of the limits, the checks and the card.

use super::*;
use crate::estimate::Estimate;

fn source(mark: CloudMark, date: Option<&str>) -> CloudSource {
    CloudSource { mark, source: String::new(), date: date.map(str::to_owned) }
}

fn limits(row: CloudSource) -> CloudLimits {
    let volume = CloudVolume {
        iops: Some(3000.0),
        throughput: Some(125.0 * 1_048_576.0),
        row,
        ..CloudVolume::default()
    };
    let mut limits = CloudLimits { volume, ..CloudLimits::default() };
    limits.complete(1e6);
    limits
}

fn check(limits: &CloudLimits, interval: [f64; 3]) -> CloudCheck {
    check_of(limits, CloudLoad::Reads, interval)
}

fn check_of(limits: &CloudLimits, load: CloudLoad, [low, value, high]: [f64; 3]) -> CloudCheck {
    let mut check = CloudCheck {
        load,
        block: 4096,
        random: true,
        depth: 16,
        measured: Some(Estimate { value, low, high }),
        cap: limits.cap(load, 4096).unwrap(),
        burst: limits.burst_cap(load, 4096),
        latency_ns: 5e6,
        cpu: 0.1,
        reach: CloudReach::Unclear,
        binding: None,
        confirmed: false,
    };
    check.judge(limits, 1e6);
    check
}

#[test]
fn the_bands_are_those_of_the_whole_interval() {
    let limits = limits(source(CloudMark::R, Some("2025")));
    for (interval, verdict) in [
        ([2960.0, 3000.0, 3040.0], CloudVerdict::Kept),
        ([2860.0, 2900.0, 3140.0], CloudVerdict::Kept),
        ([2840.0, 3000.0, 3140.0], CloudVerdict::NotSure),
        ([2650.0, 2675.0, 2699.0], CloudVerdict::NotKept),
        ([2650.0, 2675.0, 2701.0], CloudVerdict::NotSure),
        ([3160.0, 3200.0, 3240.0], CloudVerdict::NotSure),
    ] {
        assert_eq!(check(&limits, interval).verdict(), verdict, "{interval:?}");
    }
    assert_eq!(check(&limits, [3160.0, 3200.0, 3240.0]).reach, CloudReach::Above);
}

#[test]
fn unconfirmed_or_undated_rows_are_likely_at_most() {
    for row in [source(CloudMark::K, Some("2025")), source(CloudMark::R, None), source(CloudMark::U, None)] {
        let mut limits = limits(row);
        assert_eq!(check(&limits, [2990.0, 3000.0, 3010.0]).verdict(), CloudVerdict::LikelyKept);
        assert_eq!(check(&limits, [990.0, 1000.0, 1010.0]).verdict(), CloudVerdict::LikelyNotKept);
        limits.volume.row = source(CloudMark::R, Some("2025"));
        limits.instance = Some(CloudInstance {
            iops: Some(2000.0),
            row: source(CloudMark::K, None),
            ..CloudInstance::default()
        });
        let of_machine = check(&limits, [1990.0, 2000.0, 2010.0]);
        assert_eq!(of_machine.binding, Some(CloudLimit::InstanceIops));
        assert_eq!(of_machine.verdict(), CloudVerdict::LikelyKept);
        assert_eq!(check(&limits, [990.0, 1000.0, 1010.0]).verdict(), CloudVerdict::LikelyNotKept);
    }
}

#[test]
fn the_binding_limit_is_named() {
    let limits = limits(source(CloudMark::R, Some("2025")));
    let mut low = check(&limits, [990.0, 1000.0, 1010.0]);
    assert_eq!((low.binding, low.verdict()), (Some(CloudLimit::LowerCap), CloudVerdict::NotKept));
    low.latency_ns = 1.2e6;
    low.judge(&limits, 1e6);
    assert_eq!((low.binding, low.verdict()), (Some(CloudLimit::DepthAndLatency), CloudVerdict::NotSure));
    low.cpu = 0.95;
    low.judge(&limits, 1e6);
    assert_eq!((low.binding, low.verdict()), (Some(CloudLimit::Cpu), CloudVerdict::NotSure));
    assert_eq!(limits.cap(CloudLoad::Reads, 256 << 10).unwrap().limit, CloudLimit::VolumeThroughput);
}

/// A rate at the level of the burst says nothing about the base.
#[test]
fn a_burst_hides_the_base_limit() {
    let mut limits = limits(source(CloudMark::R, Some("2025")));
    limits.volume.iops = Some(300.0);
    limits.volume.burst = Some(CloudBurst {
        kind: BurstKind::Credits,
        iops: Some(3000.0),
        throughput: None,
        seconds: Some(2000.0),
        refill_seconds: Some(18000.0),
        mark: CloudMark::R,
    });
    limits.complete(1e6);
    let burst = check(&limits, [2950.0, 3000.0, 3010.0]);
    assert_eq!((burst.reach, burst.verdict()), (CloudReach::Burst, CloudVerdict::NotSure));
    assert_eq!(limits.honest_seconds, Some(2000.0));
    assert_eq!(check(&limits, [299.0, 300.0, 301.0]).verdict(), CloudVerdict::Kept);
    assert_eq!(check(&limits, [3200.0, 3300.0, 3400.0]).reach, CloudReach::Above);
}

#[test]
fn lower_limit_of_volume_and_machine_binds() {
    let mut limits = limits(source(CloudMark::R, Some("2025")));
    assert_eq!(limits.comparisons(), []);
    limits.volume.iops = Some(6000.0);
    limits.instance = Some(CloudInstance {
        iops: Some(3600.0),
        burst_iops: Some(18750.0),
        burst_seconds: Some(1800.0),
        throughput: Some(250.0 * 1_048_576.0),
        ..CloudInstance::default()
    });
    let found = limits.comparisons();
    let binds: Vec<(CloudQuantity, bool)> = found.iter().map(|c| (c.quantity, c.instance_binds)).collect();
    assert_eq!(binds, [(CloudQuantity::Iops, true), (CloudQuantity::Throughput, false)]);
    assert_eq!((found[0].instance_burst, found[0].burst_seconds), (Some(18750.0), Some(1800.0)));
    assert_eq!((found[1].instance_burst, found[1].burst_seconds), (None, None));
}

#[test]
fn io_units_count_as_the_provider_counts() {
    let mut limits = limits(source(CloudMark::R, Some("2025")));
    limits.volume.io_unit = Some(256 << 10);
    limits.volume.throughput = None;
    assert_eq!(limits.cap(CloudLoad::Reads, 256 << 10).map(|cap| cap.iops), Some(3000.0));
    assert_eq!(limits.cap(CloudLoad::Reads, (256 << 10) + 1).map(|cap| cap.iops), Some(1500.0));
    limits.volume.io_unit = Some(1 << 20);
    limits.volume.whole_units = true;
    limits.volume.throughput = Some(40.0 * 1_048_576.0);
    assert_eq!(limits.cap(CloudLoad::Reads, 4096).map(|cap| cap.iops), Some(40.0));
}

/// Returns the card of reads, writes and a mix with these rates.
fn card(limits: &CloudLimits, rates: [f64; 3]) -> CloudCard {
    let loads = [CloudLoad::Reads, CloudLoad::Writes, CloudLoad::Mixed];
    let checks = loads.into_iter().zip(rates);
    let checks = checks.map(|(load, rate)| check_of(limits, load, [0.99 * rate, rate, 1.01 * rate]));
    CloudCard {
        target: Some("vdb".into()),
        limits: limits.clone(),
        checks: checks.collect(),
        ..CloudCard::default()
    }
}

fn with_rule(kind: CloudSharing, mark: CloudMark) -> CloudLimits {
    let mut limits = limits(source(CloudMark::R, Some("2025")));
    limits.volume.sharing = Some(CloudSharingRule { kind, row: source(mark, Some("2025")) });
    limits
}

#[test]
fn mixed_limit_follows_the_rule_of_the_table() {
    for (kind, cap) in
        [(CloudSharing::Joint, 3000.0), (CloudSharing::Apart, 6000.0), (CloudSharing::Weighted, 4500.0)]
    {
        let mut limits = with_rule(kind, CloudMark::R);
        limits.volume.write_iops = Some(6000.0);
        assert_eq!(limits.cap(CloudLoad::Mixed, 4096).map(|cap| cap.iops), Some(cap), "{kind:?}");
        assert_eq!(limits.cap(CloudLoad::Writes, 4096).map(|cap| cap.iops), Some(6000.0));
    }
    let silent = limits(source(CloudMark::R, Some("2025")));
    assert_eq!(silent.cap(CloudLoad::Mixed, 4096).map(|cap| cap.iops), Some(3000.0));
}

/// A mix says whether limits are shared. It breaks a promise only if less than promised is reached, and by an
/// unconfirmed rule that is likely at most.
#[test]
fn mixed_rate_tells_shared_limits_from_separate_ones() {
    use CloudSharing::{Apart, Joint};
    for (kind, mark, mixed, found, verdict) in [
        (Joint, CloudMark::K, 3000.0, Some(Joint), CloudVerdict::Kept),
        (Joint, CloudMark::K, 6000.0, Some(Apart), CloudVerdict::Kept),
        (Joint, CloudMark::K, 4200.0, None, CloudVerdict::Kept),
        (Apart, CloudMark::K, 6000.0, Some(Apart), CloudVerdict::Kept),
        (Apart, CloudMark::K, 3000.0, Some(Joint), CloudVerdict::LikelyNotKept),
        (Apart, CloudMark::R, 3000.0, Some(Joint), CloudVerdict::NotKept),
        (Joint, CloudMark::R, 2000.0, Some(Joint), CloudVerdict::NotKept),
    ] {
        let card = card(&with_rule(kind, mark), [3000.0, 3000.0, mixed]);
        assert_eq!((card.sharing_found(), card.verdict()), (found, Some(verdict)), "{kind:?} {mixed}");
    }
    let slow_writes = card(&with_rule(Joint, CloudMark::K), [3000.0, 2500.0, 2800.0]);
    assert_eq!(slow_writes.deciding().map(|check| check.load), Some(CloudLoad::Writes));
    assert_eq!(slow_writes.verdict(), Some(CloudVerdict::NotKept));
}

#[test]
fn instance_limits_the_sum_of_its_volumes() {
    let mut limits = limits(source(CloudMark::R, Some("2025")));
    limits.instance = Some(CloudInstance {
        iops: Some(10_000.0),
        throughput: Some(500.0 * 1_048_576.0),
        row: source(CloudMark::R, Some("2025")),
        ..CloudInstance::default()
    });
    for (volumes, iops, limit) in [
        (1, 3000.0, CloudLimit::VolumeIops),
        (3, 9000.0, CloudLimit::VolumeIops),
        (4, 10_000.0, CloudLimit::InstanceIops),
    ] {
        limits.volumes = volumes;
        assert_eq!(limits.cap(CloudLoad::Reads, 4096), Some(CloudCap { iops, limit }), "{volumes}");
    }
    assert_eq!(limits.volumes_of_instance(), [Some(4.0), Some(4.0)]);
    limits.volume.pooled = true;
    assert_eq!(limits.cap(CloudLoad::Reads, 4096).map(|cap| cap.iops), Some(3000.0));
}
