//! Studies of `fathom pts` from an artificial device: its rates follow from the load and from what was written, and
//! differ a little from sample to sample, so that every result is the same on every machine.

use stats::Histogram;
use stats::pts::{
    PtsAsked, PtsBlock, PtsCacheControl, PtsDevice, PtsDeviceKind, PtsEvent, PtsExtent, PtsOrder, PtsPoint,
    PtsProtocol, PtsPurge, PtsPurgeMethod, PtsSample, PtsStep, PtsStudy, PtsTest, PtsWriteCache,
};

/// Capacity of the device, bytes.
const CAPACITY: u64 = 2_000_000_000_000;

/// Artificial device.
struct Artificial {
    /// Speed relative to the first device.
    speed: f64,
    /// State of its noise.
    noise: u64,
    /// Bytes written since the purge.
    written: u64,
    /// Share of the fresh rate that idle times gave back, 0 to 1.
    rested: f64,
    now_ms: u64,
}

impl Artificial {
    /// Returns a factor near 1 (SplitMix64).
    fn noise(&mut self) -> f64 {
        self.noise = self.noise.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.noise;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((z ^ (z >> 31)) >> 12) as f64 / (1u64 << 52) as f64;
        0.985 + 0.03 * unit
    }

    fn sample(&mut self, order: &PtsOrder) -> PtsSample {
        let load = order.load;
        let block = match load.block {
            PtsBlock::Bytes(bytes) => bytes as f64,
            PtsBlock::Composite => 6800.0,
        };
        let reads = f64::from(load.reads) / 100.0;
        // Random writes are slowed by garbage collection, the more the more was written, up to one capacity and a half.
        let worn = if load.random { (self.written as f64 / (1.5 * CAPACITY as f64)).min(1.0) } else { 0.15 };
        let fresh = 1.0 - worn * (1.0 - 0.4 * self.rested);
        let write_cost = 1.0 + 3.0 * (1.0 - fresh);
        let cost = reads + (1.0 - reads) * write_cost;
        let flight = f64::from(load.in_flight());
        // 90 us without a queue, at most 400 thousand IOPS and 3 GB/s of reads.
        let most = (400e3f64).min(3e9 / block) * self.speed / cost;
        let alone = self.speed / (90e-6 + block / 2e9) / cost.sqrt();
        let iops = 1.0 / (1.0 / most + 1.0 / (alone * flight)) * self.noise();
        let seconds = match order.extent {
            PtsExtent::Seconds(seconds) => seconds,
            PtsExtent::Bytes(bytes) => bytes as f64 / (iops * block),
        };
        self.rested =
            if order.idle_s > 0.0 { (self.rested + order.idle_s / 60.0).min(1.0) } else { self.rested };
        let ios = (iops * seconds).round();
        let (read_ios, write_ios) = ((ios * reads).round() as u64, (ios * (1.0 - reads)).round() as u64);
        let bytes = [read_ios, write_ios].map(|n| (n as f64 * block) as u64);
        self.written += bytes[1];
        self.rested = (self.rested - seconds / 60.0).max(0.0);
        let mean_ns = 1e9 * flight / iops;
        let began_ms = self.now_ms + (1000.0 * order.idle_s) as u64;
        self.now_ms = began_ms + (1000.0 * seconds) as u64;
        let mut latencies = Histogram::default();
        if order.place.phase == stats::pts::PtsPhase::Histogram {
            // A body around the mean, and one I/O in a thousand, in ten thousand and in a hundred thousand beyond it.
            let mut record = |share: f64, factor: f64| {
                latencies.record((mean_ns * factor) as u64, (ios * share).max(1.0) as u64);
            };
            for (at, share) in [0.02, 0.08, 0.2, 0.3, 0.2, 0.12, 0.05, 0.02, 0.0089].into_iter().enumerate() {
                record(share, 0.6 + 0.12 * at as f64);
            }
            record(1e-3, 4.0);
            record(9e-5, 9.0);
            record(1e-5, 20.0);
        }
        PtsSample {
            place: order.place,
            load,
            began_ms,
            idle_s: order.idle_s + 0.02,
            seconds,
            ios: [read_ios, write_ios],
            bytes,
            iops,
            bytes_per_second: iops * block,
            mean_ns,
            max_ns: (20.0 * mean_ns * self.noise()) as u64,
            p99999_ns: Some((15.0 * mean_ns * self.noise()) as u64),
            cpu_percent: 3e-4 * iops,
            errors: 0,
            celsius: Some(38.0 + 12.0 * worn),
            findings: Vec::new(),
            latencies,
        }
    }
}

/// Returns the options of a study of these tests.
pub fn asked(tests: &[PtsTest], scale: u32) -> PtsAsked {
    PtsAsked {
        tests: tests.to_vec(),
        scale,
        active_range_percent: 100.0,
        threads: 4,
        depth: 32,
        purge: true,
        demand_block: 8192,
        demand_reads: 65,
        most_rounds: 25,
        early_percent: None,
        seed: 7,
        engine: "io_uring".into(),
        ..PtsAsked::default()
    }
}

/// Returns a finished study of a device with this name and relative speed.
pub fn study(name: &str, speed: f64, asked: PtsAsked) -> PtsStudy {
    let device = PtsDevice {
        name: "/dev/nvme0n1".into(),
        model: name.into(),
        firmware: "FW10".into(),
        kind: PtsDeviceKind::Ssd,
        bytes: CAPACITY,
        sector: 512,
        stack: vec!["nvme0n1".into()],
        attachment: "nvme".into(),
        identity: "S5XX0001".into(),
        cached: false,
        loop_files: Vec::new(),
    };
    let noise = name.bytes().fold(u64::from(asked.scale), |sum, byte| sum * 31 + u64::from(byte));
    let mut artificial = Artificial { speed, noise, written: 0, rested: 0.0, now_ms: 1_764_000_000_000 };
    let mut study = PtsStudy {
        id: 7,
        version: "0.1.0".into(),
        host: stats::Host { name: "lab".into(), kernel: "6.1.0".into(), ..stats::Host::default() },
        began_ms: artificial.now_ms,
        device: device.clone(),
        asked,
        ..PtsStudy::default()
    };
    let mut points: Vec<PtsPoint> = Vec::new();
    for test in study.asked.tests.clone() {
        let protocol = PtsProtocol::of(test, &study.asked, &device);
        let mut own: Vec<PtsPoint> = Vec::new();
        while let Some(step) = protocol.next(&own.iter().collect::<Vec<_>>()) {
            assert!(own.len() < 5000, "{} does not end", test.name());
            let began_ms = artificial.now_ms;
            let event = match step {
                PtsStep::Purge => {
                    artificial.written = 0;
                    artificial.now_ms += 40_000;
                    PtsEvent::Purged(PtsPurge {
                        method: PtsPurgeMethod::NvmeFormat,
                        seconds: 40.0,
                        ..PtsPurge::default()
                    })
                }
                PtsStep::SetCache => PtsEvent::CacheSet(PtsWriteCache {
                    required: false,
                    control: PtsCacheControl::NvmeFeature,
                    before: Some(true),
                    during: Some(false),
                }),
                PtsStep::Measure(order) => PtsEvent::Measured(Box::new(artificial.sample(&order))),
            };
            let ordinal = (points.len() + own.len()) as u32;
            own.push(PtsPoint { ordinal, test, began_ms, event, resumed: false, state: Vec::new() });
        }
        points.append(&mut own);
    }
    study.evaluate(&points);
    study
}
