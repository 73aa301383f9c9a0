//! Course of TKperf's tests of hard disks, and figures of its slices, against values computed here.
#![allow(clippy::unwrap_used)]

use stats::pts::{
    PtsAsked, PtsBlock, PtsDevice, PtsEvent, PtsExtent, PtsForecast, PtsPoint, PtsProtocol, PtsQuantity,
    PtsRates, PtsResult, PtsSample, PtsStep, PtsStudy, PtsTest, PtsWriteCache,
};

fn sample(order: &stats::pts::PtsOrder, iops: f64) -> PtsSample {
    let PtsBlock::Bytes(block) = order.load.block else { panic!("{order:?}") };
    PtsSample {
        place: order.place,
        load: order.load,
        began_ms: 0,
        idle_s: 0.0,
        seconds: 60.0,
        ios: [(iops * 60.0) as u64, 0],
        bytes: [(iops * 60.0) as u64 * block, 0],
        iops,
        bytes_per_second: iops * block as f64,
        mean_ns: 1e9 / iops,
        max_ns: 1,
        p99999_ns: None,
        cpu_percent: 0.0,
        errors: 0,
        celsius: None,
        findings: Vec::new(),
        latencies: Default::default(),
    }
}

/// A disk of 1 TB and a little more, whose rate falls from 256 to 129 from slice to slice.
fn whole(test: PtsTest) -> (Vec<stats::pts::PtsOrder>, PtsResult) {
    let device = PtsDevice { bytes: 1_000_204_886_016, sector: 512, ..PtsDevice::default() };
    let asked = PtsAsked { tests: vec![test], scale: 1, threads: 1, depth: 1, ..PtsAsked::default() };
    let protocol = PtsProtocol::of(test, &asked, &device);
    let (mut points, mut orders): (Vec<PtsPoint>, Vec<_>) = Default::default();
    while let Some(step) = protocol.next(&points.iter().collect::<Vec<_>>()) {
        let event = match step {
            PtsStep::Purge => panic!("a hard disk is not purged"),
            PtsStep::SetCache => PtsEvent::CacheSet(PtsWriteCache::default()),
            PtsStep::Measure(order) => {
                orders.push(order);
                PtsEvent::Measured(Box::new(sample(&order, 257.0 - f64::from(order.place.round))))
            }
        };
        let ordinal = points.len() as u32;
        points.push(PtsPoint { ordinal, test, began_ms: 0, event, resumed: false, state: Vec::new() });
    }
    let samples: Vec<&PtsSample> = points.iter().filter_map(|point| point.sample()).collect();
    (orders, protocol.result(&samples))
}

#[test]
fn slices_follow_each_other_and_cover_the_disk() {
    // 1,000,204,886,016 / 128 = 7,814,100,672 bytes, of which 4096 make 1,907,739.4.
    const SLICE: u64 = 1_907_739 * 4096;
    for (test, cells) in [(PtsTest::HddIops, 9), (PtsTest::HddThroughput, 4)] {
        let (orders, _) = whole(test);
        assert_eq!(orders.len(), 128 * cells);
        for (nth, order) in orders.iter().enumerate() {
            let slice = (nth / cells) as u64;
            assert_eq!((order.base, order.range, order.start), (slice * SLICE, SLICE, 0), "{order:?}");
            assert_eq!(order.extent, PtsExtent::Seconds(60.0));
            assert_eq!(order.load.in_flight(), 1);
        }
        let mixes: Vec<(u32, PtsBlock)> =
            orders[..cells].iter().map(|order| (order.load.reads, order.load.block)).collect();
        let kib = |n: u64| PtsBlock::Bytes(n << 10);
        let expected = match test {
            PtsTest::HddIops => {
                [100, 50, 0].into_iter().flat_map(|r| [64, 16, 4].map(|b| (r, kib(b)))).collect()
            }
            _ => vec![(100, kib(1024)), (0, kib(1024)), (100, kib(4)), (0, kib(4))],
        };
        assert_eq!(mixes, expected);
        assert!(orders.iter().all(|order| order.load.random == (test == PtsTest::HddIops)));
    }
}

#[test]
fn figures_are_those_of_the_slices() {
    let (_, result) = whole(PtsTest::HddThroughput);
    let PtsResult::HddThroughput(slices) = result else { panic!("{result:?}") };
    assert_eq!((slices.slices.len(), slices.unfinished.len(), slices.cells.len()), (128, 0, 4));
    for cell in &slices.cells {
        let PtsBlock::Bytes(block) = cell.load.block else { panic!("{cell:?}") };
        let rate = |n: f64| n * block as f64;
        assert_eq!(cell.quantity, PtsQuantity::BytesPerSecond);
        assert_eq!((cell.first, cell.last), (rate(256.0), rate(129.0)));
        assert_eq!((cell.minimum, cell.maximum), (rate(129.0), rate(256.0)));
        assert_eq!((cell.mean, cell.median, cell.slices), (rate(192.5), rate(192.5), 128));
    }
    let (_, result) = whole(PtsTest::HddIops);
    let PtsResult::HddIops(slices) = result else { panic!("{result:?}") };
    assert!(slices.cells.iter().all(|cell| cell.mean == 192.5 && cell.quantity == PtsQuantity::Iops));
}

/// The pause between two steps ends with the start of the next one, also if its load differs, and includes the start of its
/// job, which `idle_s` does not.
#[test]
fn longest_pause_is_the_time_between_the_steps() {
    let device = PtsDevice { bytes: 1_000_204_886_016, sector: 512, ..PtsDevice::default() };
    let test = PtsTest::HddIops;
    let asked = PtsAsked { tests: vec![test], scale: 1, threads: 1, depth: 1, ..PtsAsked::default() };
    let protocol = PtsProtocol::of(test, &asked, &device);
    let mut points: Vec<PtsPoint> = Vec::new();
    let mut began_ms = 1000;
    // Milliseconds from the end of each step to the start of the next.
    for (ordinal, gap_ms) in (0..).zip([0, 50, 1190, 300, 5000, 20]) {
        let event = match protocol.next(&points.iter().collect::<Vec<_>>()).unwrap() {
            PtsStep::Measure(order) => {
                began_ms += 60_000 + gap_ms;
                let idle_s = gap_ms as f64 / 5e3;
                PtsEvent::Measured(Box::new(PtsSample { began_ms, idle_s, ..sample(&order, 100.0) }))
            }
            PtsStep::Purge | PtsStep::SetCache => PtsEvent::CacheSet(PtsWriteCache::default()),
        };
        // After 5 s the study was interrupted and resumed.
        let resumed = gap_ms == 5000;
        points.push(PtsPoint { ordinal, test, began_ms, event, resumed, state: Vec::new() });
    }
    let mut study = PtsStudy { asked, device, ..PtsStudy::default() };
    study.evaluate(&points);
    let longest_s = study.runs[0].longest_gap_s;
    assert!((longest_s - 1.19).abs() < 1e-9, "{longest_s}");
}

/// The forecast of the tests of hard disks assumes a disk, also where the medium is not known.
#[test]
fn forecast_of_disk_tests_assumes_a_disk() {
    let device = PtsDevice { bytes: 1_000_204_886_016, sector: 512, ..PtsDevice::default() };
    let of = |test| {
        let asked = PtsAsked { tests: vec![test], scale: 1, threads: 1, depth: 1, ..PtsAsked::default() };
        PtsForecast::of(&asked, &device)
    };
    let disk = of(PtsTest::HddIops);
    assert_eq!(disk.rates, PtsRates::DISK);
    // 19.2 hours of at most 150 I/Os of 64 KiB per second.
    assert!(disk.total.bytes[1] < 19.3 * 3600.0 * 150.0 * 65536.0, "{:?}", disk.total);
    assert_ne!(of(PtsTest::Latency).rates, PtsRates::DISK);
}
