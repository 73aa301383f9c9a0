//! Mistakes that one result shows by itself.

use super::laws::possible_in_flight;
use stats::audit::{
    AuditClaim, AuditContext, BenchmarkTool, IoKind, PrintedNumber, PrintedPayload, PrintedResult,
    PrintedSyncs, ReaderNote, StatedMedium,
};
use stats::{Claim, Unmeasured};

/// Larger than any request of a disk, bytes.
const LARGEST_REQUEST: f64 = 4194304.0;
/// Physical sector of today's disks, bytes.
const SECTOR: u64 = 4096;
/// Latency of a read in nanoseconds below which no flash device answers; memory and caches do.
const FASTER_THAN_FLASH_NS: f64 = 6_000.0;
/// Time of a synced write in nanoseconds below which no medium was written.
const FASTEST_SYNC_NS: f64 = 8_000.0;
/// Bandwidth in bytes per second and rate in I/Os per second of one result that no machine reaches.
const IMPOSSIBLE_BANDWIDTH: f64 = 2e11;
const IMPOSSIBLE_IOPS: f64 = 3e7;
/// Bandwidth of one synchronous thread in bytes per second above which the data came from memory.
const MEMORY_SPEED: f64 = 10e9;
/// Shortest run of a load generator, seconds.
const SHORTEST_S: f64 = 10.0;
/// Times between which hdparm measures, seconds: less is a device that is too small, more one that stalled.
const SHORTEST_HDPARM_S: f64 = 1.0;
const LONGEST_HDPARM_S: f64 = 6.0;
/// Smallest number of requests for a mean.
const FEWEST_IOS: u64 = 30;
/// Rate in I/Os per second below which a monitor saw an idle device, unless it was busy for this share of the time, percent.
const FEWEST_MONITORED: f64 = 10.0;
const BUSY_MONITORED: f64 = 20.0;
/// Regions that any cache on the way holds, bytes.
const SMALL_REGION: f64 = 67108864.0;
/// CPU time in percent of wall time from which the load generator is the limit.
const BUSY_PERCENT: f64 = 90.0;
/// Share of the sampled rates' standard deviation in their mean from which the mean is no property of the device.
const SWINGING_PERCENT: f64 = 25.0;
/// Share of the sampled rates' standard deviation in their mean up to which a round rate is a limit.
const FLAT_PERCENT: f64 = 1.5;
/// Ratio of mean to median latency from which the mean hides the distribution.
const SKEWED: f64 = 2.0;

/// Returns the claims about one result.
pub(super) fn of(context: &AuditContext, result: &PrintedResult) -> Vec<AuditClaim> {
    let mut claims = Vec::new();
    notes(result, &mut claims);
    memory(context, result, &mut claims);
    queue(result, &mut claims);
    length(result, &mut claims);
    data(context, result, &mut claims);
    disks(result, &mut claims);
    time(result, &mut claims);
    limits(result, &mut claims);
    // The import of fio's JSON has the rules of fathom's own runs; what was found above is not said again.
    let known: Vec<&str> = claims.iter().map(AuditClaim::rule).collect();
    let more = result.claims.iter().filter(|claim| !known.contains(&claim.rule()));
    let more: Vec<AuditClaim> = more.cloned().map(AuditClaim::Run).collect();
    claims.extend(more);
    claims
}

fn notes(result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    for note in &result.notes {
        claims.extend(match note {
            ReaderNote::MemoryTest => Some(AuditClaim::MemoryTest),
            ReaderNote::BestOf { runs } => Some(AuditClaim::BestOf { runs: *runs }),
            ReaderNote::SinceBoot => Some(AuditClaim::SinceBoot { certain: true }),
            ReaderNote::PerhapsSinceBoot => Some(AuditClaim::SinceBoot { certain: false }),
            ReaderNote::Monitor => Some(AuditClaim::Monitor),
            ReaderNote::NotTimed => Some(AuditClaim::NotTimed),
            ReaderNote::PartialRecords { records } => Some(AuditClaim::PartialRecords { records: *records }),
            ReaderNote::RateLimited => Some(AuditClaim::RateLimited),
            ReaderNote::Truncated => Some(AuditClaim::Truncated),
            ReaderNote::WallRate { per_second } => {
                result.iops.map(|device| AuditClaim::WallRate { wall: *per_second, device: device.value })
            }
            ReaderNote::MixedLatency => Some(AuditClaim::MixedLatency),
            ReaderNote::CpuTest => Some(AuditClaim::CpuTest),
            ReaderNote::Misaligned { start_sector } => Some(AuditClaim::Run(Claim::Misaligned {
                device: result.tool.name().into(),
                start_sector: Some(*start_sector),
                block: SECTOR,
            })),
            ReaderNote::SharedRegion => {
                let (clones, each) = (result.jobs.unwrap_or(1), result.region.unwrap_or_default() as u64);
                let counted = each.saturating_mul(u64::from(clones));
                Some(AuditClaim::Run(Claim::Overlap { clones, counted, distinct: each }))
            }
            ReaderNote::MeanQuoted { .. } if result.latency.percentiles.is_empty() => {
                Some(AuditClaim::MeanQuoted)
            }
            ReaderNote::DurableQuoted { .. }
                if result.kind.writes() && result.syncs == Some(PrintedSyncs::Never) =>
            {
                Some(AuditClaim::Run(Claim::NotDurable { device: String::new() }))
            }
            ReaderNote::UnreadRates { lines } => Some(AuditClaim::UnreadRates { lines: lines.clone() }),
            ReaderNote::UnitQuoted { quoted, .. } => result
                .bandwidth
                .map(|printed| AuditClaim::UnitQuoted { quoted: *quoted, printed: printed.value }),
            ReaderNote::EarlierReports { .. }
            | ReaderNote::WrongFields { .. }
            | ReaderNote::WriteBackNamed
            | ReaderNote::BusyQuoted { .. }
            | ReaderNote::MeanQuoted { .. }
            | ReaderNote::DurableQuoted { .. } => None,
        });
    }
    if result.errors > 0 {
        claims.push(AuditClaim::Run(Claim::NotMeasured { why: Unmeasured::Failed }));
    }
}

fn is(result: &PrintedResult, note: &ReaderNote) -> bool {
    result.notes.contains(note)
}

fn memory(context: &AuditContext, result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    if is(result, &ReaderNote::MemoryTest) || result.tool == BenchmarkTool::Iostat {
        return;
    }
    if result.target.starts_with("/dev/shm") || result.target.starts_with("/dev/ram") {
        claims.push(AuditClaim::Run(Claim::Memory { kind: "tmpfs".into() }));
    }
    let bandwidth = result.bandwidth.map(|n| n.value);
    let bytes = result.region.or(result.amount.map(|n| n.value));
    // hdparm -t and pg_test_fsync do not measure the page cache; bonnie++ demands twice the memory unless told not to.
    let by_itself = match result.tool {
        BenchmarkTool::Hdparm => false,
        BenchmarkTool::PgTestFsync => false,
        BenchmarkTool::Bonnie => bytes.zip(context.ram).is_some_and(|(bytes, ram)| bytes < 2.0 * ram),
        _ => true,
    };
    if result.direct == Some(false) && by_itself {
        let synced =
            matches!(result.syncs, Some(PrintedSyncs::AtEnd | PrintedSyncs::Regular | PrintedSyncs::Each));
        let claim =
            |write| AuditClaim::Buffered { write, bytes, ram: context.ram, bytes_per_second: bandwidth };
        if result.kind.writes() && !synced {
            claims.push(claim(true));
            claims.push(AuditClaim::Run(Claim::NotDurable { device: String::new() }));
        } else if result.kind.reads() {
            claims.push(claim(false));
        }
    }
    let read = matches!(result.kind, IoKind::Read | IoKind::Mixed);
    // Persistent memory is a medium of its own.
    let pmem = ["pmem", "dax", "nvdimm"].iter().any(|word| {
        result.target.contains(word)
            || result.engine.contains(word)
            || result.devices.iter().any(|device| device.name.starts_with(word))
    });
    let read = read && !pmem;
    let fast = result.latency.mean.filter(|mean| mean.high() < FASTER_THAN_FLASH_NS && read);
    let alone = possible_in_flight(result).is_some_and(|n| n <= 1.0);
    let reciprocal = result.iops.filter(|_| alone && result.latency.is_empty());
    let reciprocal = reciprocal.and_then(|iops| PrintedNumber::exact(1e9).over(iops));
    let fast = fast.or_else(|| reciprocal.filter(|ns| read && ns.high() < FASTER_THAN_FLASH_NS));
    let impossible = [(result.bandwidth, IMPOSSIBLE_BANDWIDTH), (result.iops, IMPOSSIBLE_IOPS)];
    if impossible.iter().any(|(number, most)| number.is_some_and(|n| n.low() > *most)) {
        claims.push(AuditClaim::Impossible);
    }
    let half = result.latency.percentile(50.0).filter(|p50| p50.high() < FASTER_THAN_FLASH_NS && read);
    if let Some(mean) = fast {
        claims.push(AuditClaim::MemoryLatency { ns: mean.value, percent: None });
    } else if let Some(half) = half {
        claims.push(AuditClaim::MemoryLatency { ns: half.value, percent: Some(50.0) });
    }
    let one = possible_in_flight(result).is_some_and(|n| n <= 1.0);
    // A large direct request is split among the devices of an array.
    let split =
        result.direct == Some(true) && result.block.is_some_and(|block| block.value >= LARGEST_REQUEST);
    if let Some(rate) = result.bandwidth.filter(|rate| one && !split && !pmem && rate.low() > MEMORY_SPEED) {
        claims.push(AuditClaim::MemorySpeed { bytes_per_second: rate.value });
    }
    // Writes that are flushed one by one reach the medium, however small the region.
    let flushed = matches!(result.syncs, Some(PrintedSyncs::Each | PrintedSyncs::Regular));
    let cached = result.tool != BenchmarkTool::PgTestFsync && !(flushed && result.kind == IoKind::Write);
    let small = result.region.filter(|bytes| cached && *bytes <= SMALL_REGION);
    if let Some(bytes) = small {
        claims.push(AuditClaim::SmallRegion { bytes, ram: context.ram });
    }
}

fn queue(result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    let (Some(depth), Some(jobs)) = (result.depth, result.jobs) else { return };
    let reached = result.iops.zip(result.latency.mean).map(|(iops, mean)| {
        let submit = if result.latency.from_submitted { result.submit.map_or(0.0, |n| n.value) } else { 0.0 };
        iops.value * (mean.value + submit) / 1e9 + result.others_in_flight
    });
    if result.synchronous == Some(true) && depth > 1 {
        let engine = result.engine.clone();
        claims.push(AuditClaim::Run(Claim::NoQueue {
            engine,
            asked: depth,
            reached: reached.unwrap_or(f64::from(jobs)),
        }));
        return;
    }
    let Some(reached) = reached.filter(|_| depth > 1) else { return };
    let in_submit = result.submit.zip(result.latency.mean).map(|(submit, mean)| {
        100.0 * submit.value
            / if result.latency.from_submitted { mean.value + submit.value } else { mean.value }
    });
    let asked = f64::from(depth) * f64::from(jobs);
    let tool_waits = matches!(
        result.tool,
        BenchmarkTool::CrystalDiskMark | BenchmarkTool::Iometer | BenchmarkTool::Vdbench
    );
    if let Some(percent) = in_submit.filter(|percent| *percent > 50.0) {
        claims.push(AuditClaim::Run(Claim::BlockingSubmit {
            engine: result.engine.clone(),
            buffered: result.direct == Some(false),
            asked: depth,
            reached,
            in_submit_percent: percent,
        }));
    } else if reached < 0.8 * asked && !tool_waits {
        claims.push(AuditClaim::Run(Claim::Shallow { reached, asked }));
    }
}

fn length(result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    let Some(seconds) = result.seconds.map(|n| n.value) else { return };
    if let Some(asked) = result.asked_seconds.filter(|asked| seconds < 0.9 * asked) {
        claims.push(AuditClaim::Run(Claim::SizeRanOut { ran_s: seconds, asked_s: asked }));
    }
    let computed = result.iops.map(|iops| (iops.value * seconds).round() as u64);
    let ios = result.ios.or(computed).unwrap_or(0);
    let too_short = match result.tool {
        // These measure for a time of their own.
        BenchmarkTool::Hdparm => seconds < SHORTEST_HDPARM_S,
        BenchmarkTool::PgTestFsync | BenchmarkTool::Iostat => false,
        BenchmarkTool::Ioping => ios < FEWEST_IOS,
        // A sequential pass over a gigabyte tells the rate of a disk.
        BenchmarkTool::Dd => seconds < SHORTEST_S / 2.0,
        _ => seconds < 0.99 * SHORTEST_S,
    };
    if result.tool == BenchmarkTool::Hdparm && seconds > LONGEST_HDPARM_S {
        let longest_ns = ((seconds - 3.0) * 1e9) as u64;
        claims.push(AuditClaim::Run(Claim::Stall { longest_ns, missed: 0 }));
    }
    if too_short {
        let percentiles = !result.latency.percentiles.is_empty() && ios > 0;
        claims.push(match percentiles {
            true => AuditClaim::Run(Claim::TooShort { ios, seconds, half_width_percent: None }),
            false => AuditClaim::ShortRun { seconds },
        });
    }
}

fn data(context: &AuditContext, result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    // Hard disks do not compress.
    let disk =
        matches!(super::ceilings::medium(context, result), Some(StatedMedium::Hdd | StatedMedium::FastHdd));
    let zeros = result.payload == Some(PrintedPayload::Zeros);
    let pattern = result.payload == Some(PrintedPayload::Pattern);
    if (zeros || pattern) && result.kind != IoKind::Read && !disk {
        claims.push(AuditClaim::ZeroData { pattern });
    } else if zeros && result.tool == BenchmarkTool::CrystalDiskMark {
        claims.push(AuditClaim::ZeroData { pattern: false });
    }
    if result.cpu_percent.is_some_and(|percent| percent > BUSY_PERCENT) && !is(result, &ReaderNote::CpuTest) {
        let percent = result.cpu_percent.unwrap_or_default();
        // Who polls uses the whole CPU and is not limited by it.
        let polls = ["hipri", "sqthread_poll", "spdk"]
            .iter()
            .any(|word| result.command.contains(word) || result.engine.contains(word));
        if polls {
            return;
        }
        let jobs = f64::from(result.jobs.unwrap_or(1)).max(1.0);
        if result.jobs.is_none_or(|jobs| jobs <= 1) || percent > BUSY_PERCENT * jobs {
            claims.push(AuditClaim::Run(Claim::Generator { percent }));
        }
    }
}

/// Compares the I/Os of the job with those of the disks.
fn disks(result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    if result.tool == BenchmarkTool::Iostat {
        monitor(result, claims);
        return;
    }
    let block = result.block.map_or(0, |block| block.value as u64);
    let partial =
        result.kind.writes() && result.tool != BenchmarkTool::AsSsd && (512..SECTOR).contains(&block);
    // Iometer's file does not say so, but Iometer opens targets without a buffer where the system can.
    if (result.direct == Some(true) || result.tool == BenchmarkTool::Iometer) && partial {
        let known = result.devices.first().map(|device| device.name.clone());
        let device = known
            .unwrap_or_else(|| if result.target.is_empty() { "?".into() } else { result.target.clone() });
        claims.push(AuditClaim::Run(Claim::PartialSector { device, block, sector: SECTOR }));
    }
    let Some(job) = result.ios.filter(|ios| *ios >= 1000) else { return };
    let side = usize::from(result.kind == IoKind::Write);
    if !matches!(result.kind, IoKind::Read | IoKind::Write) {
        return;
    }
    let Some(device) = result.devices.iter().max_by_key(|d| d.ios[side] + d.merges[side]) else { return };
    let seen = device.ios[side].saturating_add(device.merges[side]);
    // Buffered sequential I/O reaches the disk in larger requests.
    let comparable =
        result.direct == Some(true) || result.random == Some(true) && result.kind == IoKind::Read;
    // The largest request of a disk is a few mebibytes.
    let bytes = result.amount.map_or(0.0, |n| n.value);
    let too_few = (device.ios[side] as f64) * LARGEST_REQUEST < 0.5 * bytes && result.kind == IoKind::Read;
    if (seen < job / 2 && comparable) || too_few {
        claims.push(AuditClaim::DeviceIdle {
            device: device.name.clone(),
            job,
            device_ios: device.ios[side],
        });
        return;
    }
    if result.direct == Some(true) && device.merges[side] > device.ios[side] {
        let ratio = job as f64 / device.ios[side].max(1) as f64;
        claims.push(AuditClaim::Run(Claim::Merged { device: device.name.clone(), ratio, block }));
    }
    if device.ios[side] >= 1000 && device.util_percent == Some(0.0) {
        claims.push(AuditClaim::Run(Claim::NoBusyTime { device: device.name.clone() }));
    }
}

fn monitor(result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    let Some(device) = result.devices.first() else { return };
    let busy = device.util_percent;
    let in_flight = result.iops.zip(result.latency.mean).map(|(iops, mean)| iops.value * mean.value / 1e9);
    // A busy time of 100 % is no limit for a device with parallel queues, whatever its depth.
    let parallel = device.name.starts_with("nvme");
    // The text takes the busy time for the load of the device.
    let quoted = result.notes.iter().any(|note| matches!(note, ReaderNote::BusyQuoted { .. }));
    let queued = in_flight.filter(|n| *n > 1.5 || parallel || quoted);
    let deep = in_flight.is_some_and(|n| n > 8.0);
    let high = busy.filter(|util| {
        *util
            > if quoted {
                60.0
            } else if deep {
                80.0
            } else {
                95.0
            }
    });
    if let (Some(util), Some(at_once)) = (high, queued) {
        claims.push(AuditClaim::Run(Claim::BusyIsNotFull {
            device: device.name.clone(),
            util_percent: util,
            at_once,
        }));
    }
    let rate = result.iops.map_or(0.0, |n| n.value);
    // A slow device with a full queue is busy; an idle one is not measured.
    if rate < FEWEST_MONITORED && busy.is_none_or(|util| util < BUSY_MONITORED) {
        claims.push(AuditClaim::FewIos { iops: rate });
    }
    if rate > 100.0 && busy == Some(0.0) {
        claims.push(AuditClaim::Run(Claim::NoBusyTime { device: device.name.clone() }));
    } else if let (Some(util), Some(at_once)) =
        (busy.filter(|util| *util < 60.0), in_flight.filter(|n| *n > 4.0))
    {
        let in_flight = at_once;
        claims.push(AuditClaim::Run(Claim::IdleWhileWaiting {
            device: device.name.clone(),
            util_percent: util,
            in_flight,
        }));
    }
    if device.merges.iter().sum::<u64>() > device.ios.iter().sum::<u64>() && rate > 10.0 {
        let ios: u64 = device.ios.iter().sum();
        let all = ios + device.merges.iter().sum::<u64>();
        let block = result.block.map_or(0, |block| block.value as u64);
        claims.push(AuditClaim::Run(Claim::Merged {
            device: device.name.clone(),
            ratio: all as f64 / ios.max(1) as f64,
            block: block * ios / all.max(1),
        }));
    }
}

/// Judges the distribution of latencies and rates over time.
fn time(result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    let latency = &result.latency;
    if let (Some(mean), Some(max)) = (latency.mean, latency.max) {
        let half = latency.percentile(50.0);
        if max.value >= 5e8 && max.value > 100.0 * half.unwrap_or(mean).value {
            let missed = result.iops.map_or(0.0, |iops| iops.value * max.value / 1e9) as u64;
            claims.push(AuditClaim::Run(Claim::Stall { longest_ns: max.value as u64, missed }));
        }
        if let Some(half) = half.filter(|half| mean.low() > SKEWED * half.high()) {
            let (p50_ns, max_ns) = (half.value as u64, max.value as u64);
            claims.push(AuditClaim::Run(Claim::MeanHides { mean_ns: mean.value, p50_ns, max_ns }));
        } else if half.is_none()
            && latency.percentiles.is_empty()
            && max.value > 50.0 * mean.value
            && max.value > 2e7
        {
            claims.push(AuditClaim::AverageHides { mean_ns: mean.value, max_ns: max.value });
        }
    }
    // Shares below 4 us of a device whose mean is that of seeks or flash.
    let quick: f64 =
        result.shares.iter().filter(|(bound, _)| *bound <= 4_000.0).map(|(_, percent)| percent).sum();
    let seen = latency.min.is_none_or(|min| min.low() < 4_000.0);
    if latency.mean.is_some_and(|mean| mean.value > 50_000.0) && quick >= 1.0 && seen {
        claims.push(AuditClaim::ImpossiblyFast { percent: quick, below_ns: 4_000.0 });
    }
    if let Some(samples) = result.samples.filter(|samples| samples.mean > 0.0) {
        // The samples are those of each job; the rates of several jobs even out.
        let jobs = f64::from(result.jobs.unwrap_or(1).max(1));
        let stddev_percent = 100.0 * samples.stddev / samples.mean / jobs.sqrt();
        // A few samples of a short run say nothing.
        let enough = samples.samples == 0 || samples.samples >= 8;
        if stddev_percent > SWINGING_PERCENT && enough {
            let min_percent = 100.0 * samples.min / samples.mean;
            claims.push(AuditClaim::Swings { min_percent, stddev_percent });
        }
    }
}

/// Recognises rate limits.
fn limits(result: &PrintedResult, claims: &mut Vec<AuditClaim>) {
    let Some(iops) = result.iops.filter(|_| !is(result, &ReaderNote::RateLimited)) else { return };
    if result.tool == BenchmarkTool::Iostat {
        return;
    }
    let p50 = result.latency.percentile(50.0);
    let slow = [90.0, 95.0, 99.0].into_iter().find_map(|percent| {
        let ns = result.latency.percentile(percent)?;
        ((4e7..=1.2e9).contains(&ns.value)).then_some((percent, ns.value))
    });
    // A disk that writes its cache back makes some writes wait as long.
    let disk = matches!(result.stated.map(|s| s.medium), Some(StatedMedium::Hdd | StatedMedium::FastHdd));
    if let (Some(p50), Some((percent, slow_ns)), false) = (p50, slow, disk) {
        let bounded = result.latency.max.is_none_or(|max| max.value < 3.0 * slow_ns);
        if slow_ns > 20.0 * p50.value && bounded && iops.value < 20_000.0 {
            claims.push(AuditClaim::SecondMode { p50_ns: p50.value, slow_ns, percent });
            return;
        }
    }
    let round = is_round(iops.value);
    let stddev_percent =
        result.samples.filter(|s| s.mean > 0.0 && s.samples != 1).map(|s| 100.0 * s.stddev / s.mean);
    // A bucket lets every I/O wait about equally long; seeks and flash do not.
    let equal_waits = result
        .latency
        .mean
        .zip(result.latency.stddev)
        .is_some_and(|(mean, stddev)| mean.value > 2e7 && stddev.value < 0.25 * mean.value);
    let queued = possible_in_flight(result).is_some_and(|n| n >= 4.0) || equal_waits;
    let synced = result.syncs == Some(PrintedSyncs::Each) && result.kind == IoKind::SyncedWrite;
    if let Some(sync) = result.latency.mean.filter(|mean| synced && mean.high() < FASTEST_SYNC_NS) {
        claims.push(AuditClaim::FreeSync { ns: sync.value });
    }
    let small = result.block.is_none_or(|block| block.value <= 16_384.0);
    // People round what they type; a long wait in a full queue is evidence of its own.
    let waits = result.latency.mean.is_some_and(|mean| mean.value > 5e6);
    let typed = result.tool == BenchmarkTool::Typed;
    let flat = stddev_percent
        .map_or(equal_waits || waits || (!typed && iops.value <= 20_000.0), |p| p < FLAT_PERCENT);
    if round && queued && small && iops.value <= 100_000.0 && flat {
        claims.push(AuditClaim::FlatRate { iops: iops.value, stddev_percent, round });
    }
}

/// Returns whether a rate is within 0.6 % of one that providers sell or administrators set.
fn is_round(iops: f64) -> bool {
    const SOLD: [f64; 34] = [
        100.0, 120.0, 200.0, 240.0, 250.0, 300.0, 400.0, 500.0, 600.0, 750.0, 800.0, 1000.0, 1100.0, 1200.0,
        1500.0, 2000.0, 2300.0, 2500.0, 3000.0, 3500.0, 4000.0, 5000.0, 6000.0, 7500.0, 8000.0, 10_000.0,
        12_000.0, 15_000.0, 16_000.0, 20_000.0, 25_000.0, 30_000.0, 50_000.0, 64_000.0,
    ];
    SOLD.iter().any(|sold| (iops - sold).abs() <= 0.006 * sold)
}
