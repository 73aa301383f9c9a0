//! Fixed results: runs and a check.

use stats::note::{NoteFact, NoteKind};
use stats::study::WriteSync;
use stats::*;

fn latency(values: &[(u64, u64)]) -> Latency {
    let mut l = Latency::default();
    values.iter().for_each(|(nanos, k)| {
        l.moments.record(*nanos, *k);
        l.histogram.record(*nanos, *k);
    });
    l
}

fn moments(values: &[u64]) -> Moments {
    let mut m = Moments::default();
    values.iter().for_each(|v| m.record(*v, 1));
    m
}

fn shown() -> Shown {
    Shown {
        slat: true,
        clat: true,
        lat: true,
        ranges: true,
        samples: true,
        slat_percentiles: false,
        clat_percentiles: true,
        lat_percentiles: false,
        percentiles: vec![
            1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95,
            99.99,
        ],
        group_reporting: false,
        kb_base: 1024,
        unit_base: 8,
        significant_figures: 4,
        errors: false,
        unified: Unified::None,
    }
}

fn reads(k: u64) -> DirectionOutcome {
    DirectionOutcome {
        ios: 1000 * k,
        bytes: 4_096_000 * k,
        runtime_ms: 2001,
        issued: 1000 * k,
        slat: latency(&[(1_300, 900 * k), (7_731, 100 * k)]),
        clat: latency(&[(81_000, 700 * k), (163_000, 290 * k), (8_600_691, 10 * k)]),
        lat: latency(&[(82_300, 700 * k), (164_300, 200 * k), (170_731, 90 * k), (8_608_422, 10 * k)]),
        bw_samples: moments(&[1992 * k, 2000 * k, 2008 * k]),
        iops_samples: moments(&[498 * k, 500 * k, 502 * k]),
        ..Default::default()
    }
}

fn job(name: &str, directions: [DirectionOutcome; 3]) -> JobOutcome {
    JobOutcome {
        name: name.into(),
        description: None,
        group: 0,
        members: 1,
        pid: 4711,
        start_epoch_ms: 1_795_297_000_000,
        start_clock_ms: None,
        runtime_ms: 2001,
        error: None,
        tolerated: None,
        verification: None,
        errors: 0,
        options: vec![
            ("name".into(), name.into()),
            ("rw".into(), "randrw".into()),
            ("direct".into(), "1".into()),
        ],
        directions,
        syncs: 0,
        sync: Latency::default(),
        commit: Latency::default(),
        lateness: Default::default(),
        cpu: CpuOutcome {
            user_us: 71_000,
            system_us: 542_000,
            wall_ms: 2001,
            switches: 1207,
            major_faults: 0,
            minor_faults: 21,
            waited_us: 0,
        },
        depth: Levels([10, 20, 970, 0, 0, 0, 0]),
        submit: Levels([0, 600, 0, 0, 0, 0, 0]),
        complete: Levels([1, 599, 0, 0, 0, 0, 0]),
        iodepth: 4,
        latency_goal: Default::default(),
        depth_reached: 3.94,
        done_in_submit: 17,
        unanswered: 0,
        shown: shown(),
        load: Default::default(),
        steady: None,
        offsets: Vec::new(),
    }
}

fn result(jobs: Vec<JobOutcome>) -> RunResult {
    let app = [0, 1, 2].map(|d| jobs.iter().map(|j: &JobOutcome| j.directions[d].bytes).sum::<u64>());
    let disk = DiskOutcome {
        name: "loop3".into(),
        ios: [app[0] / 4096, app[1] / 4096],
        sectors: [app[0] / 512, app[1] / 512],
        merges: [0, 3],
        ticks_ms: [1990, 12],
        in_queue_ms: 2002,
        util_percent: 98.254,
        beneath: Vec::new(),
    };
    RunResult {
        host_iops: Vec::new(),
        refused: None,
        disks: vec![disk.clone()],
        layers: Layers {
            app_ios: app.map(|b| b / 4096),
            app_bytes: app,
            process: Some(ProcessIo { read_bytes: app[0], write_bytes: app[1], ..Default::default() }),
            targets: vec![TargetLayers {
                path: "/dev/loop3".into(),
                cap: Default::default(),
                stack: vec!["loop3 (loop)".into(), "ext4".into(), "vda (disk, ssd)".into()],
                size: 1 << 30,
                cached_before: Some(0),
                cached_after: Some(0),
                holes: Some(0),
                unwritten: Some(0),
                zero_blocks: Some(0),
                sampled_blocks: Some(64),
                used_percent: Some(31.5),
                compresses: false,
            }],
            devices: vec![disk, DiskOutcome { name: "vda".into(), ..Default::default() }],
            depth_reached: jobs.iter().map(|j| j.depth_reached).sum(),
            depth_asked: jobs.iter().map(|j| f64::from(j.iodepth)).sum(),
            busiest_thread_percent: 34.2,
            wall_ms: 2001,
            remote: Vec::new(),
            tcp: None,
            connections: Vec::new(),
            traits: vec![DeviceTraits {
                name: "loop3".into(),
                kind: LayerKind::Loop,
                size: 1 << 30,
                ..Default::default()
            }],
            host: HostLoad { memory: 8 << 30, ..Default::default() },
        },
        provenance: Provenance {
            version: "0.1.0".into(),
            timestamp_ms: 1_795_297_158_191,
            time: "Sat Nov 21 21:39:18 2026".into(),
            elapsed_ms: 2104,
            eta_s: None,
            global_options: vec![("ioengine".into(), "libaio".into()), ("time_based".into(), String::new())],
            ended_by_signal: None,
            host: Default::default(),
        },
        notes: Vec::new(),
        series: Vec::new(),
        findings: Vec::new(),
        idleness: None,
        each_cpu: false,
        jobs,
    }
}

fn none() -> DirectionOutcome {
    DirectionOutcome::default()
}

pub fn cases() -> Vec<(&'static str, RunResult)> {
    let mut described = job("seqread", [reads(1), none(), none()]);
    described.description = Some("a \"quoted\" \\ line\nand a second".into());
    let mut normal = result(vec![described, job("mixed", [reads(7), reads(3), none()])]);
    normal.notes.push(Note::new(
        NoteKind::Fallback,
        "mixed",
        NoteFact::Text("buffers could not be registered (memlock 64 kB): plain buffers were used".into()),
    ));

    let mut failed = job("full", [none(), DirectionOutcome { issued: 1, errors: 1, ..none() }, none()]);
    failed.error = Some(JobError {
        errno: 28,
        function: "io_u error".into(),
        text: "No space left on device: write /mnt/full.0.0 at 2097152, 4096 bytes".into(),
        cause: None,
    });
    failed.errors = 1;
    failed.shown.errors = true;
    failed.depth = Levels([1, 0, 0, 0, 0, 0, 0]);

    let mut one = job(
        "one",
        [
            none(),
            DirectionOutcome {
                ios: 1,
                bytes: 4096,
                runtime_ms: 1,
                issued: 1,
                clat: latency(&[(36_133, 1)]),
                lat: latency(&[(37_185, 1)]),
                ..none()
            },
            none(),
        ],
    );
    one.shown.slat = false;
    one.depth = Levels([1, 0, 0, 0, 0, 0, 0]);

    let big = u64::MAX / 3;
    let mut huge = job(
        "huge",
        [
            DirectionOutcome {
                ios: big,
                bytes: big,
                runtime_ms: 1,
                issued: big,
                clat: latency(&[(1, 1), (u64::MAX >> 8, 1)]),
                lat: latency(&[(2_500_000, 5), (94_396_000_000, 90_000)]),
                ..none()
            },
            none(),
            none(),
        ],
    );
    huge.cpu.user_us = u64::MAX;
    huge.cpu.wall_ms = 1;
    huge.depth = Levels([0, 0, 0, 0, 0, 0, big]);
    huge.shown.percentiles = vec![0.001, 50.0, 99.999_999];

    let mut members: Vec<JobOutcome> = (1..=3).map(|k| job("crowd", [reads(k), none(), none()])).collect();
    members.iter_mut().for_each(|m| m.shown.group_reporting = true);
    members.push(job("apart", [none(), none(), reads(2)]));
    members[3].group = 1;

    let mut synced = job("synced", [none(), reads(1), none()]);
    synced.syncs = 31;
    synced.sync = latency(&[(411_664, 20), (1_204_224, 10), (8_674_141, 1)]);
    synced.commit = latency(&[(501_664, 20), (1_304_224, 10), (8_774_141, 1)]);
    synced.load.access.sync = WriteSync::of(0, 1);
    let mut strange = job("n\u{fffd}\u{fffd}\u{e9}\u{1}\tx", [reads(1), none(), none()]);
    strange.shown.kb_base = 1000;
    strange.shown.unit_base = 1;
    strange.shown.lat_percentiles = true;
    strange.shown.slat_percentiles = true;

    let mut doubtful = result(vec![job("cached", [reads(50_000), reads(40_000), none()])]);
    doubtful.layers.process =
        Some(ProcessIo { read_bytes: 1 << 20, write_bytes: 163_840_000_000, ..Default::default() });
    doubtful.layers.devices[0].sectors = [2_048, 10_000];
    doubtful.layers.targets[0].holes = Some(1 << 29);
    doubtful.layers.targets[0].zero_blocks = Some(31);
    doubtful.layers.depth_asked = 64.0;
    doubtful.layers.busiest_thread_percent = 99.7;
    doubtful.provenance.ended_by_signal = Some(2);
    let finding = |job: &str, claim| Finding::new(job.into(), claim);
    let gb = 1u64 << 30;
    doubtful.findings = vec![
        finding("", Claim::PageCache { app: 200 * gb, storage: 1 << 20, span: gb, memory: 8 * gb }),
        finding("", Claim::NeverWritten { path: "/data/f".into(), bytes: gb / 2, size: gb }),
        finding("cached", Claim::NoQueue { engine: "psync".into(), asked: 64, reached: 0.98 }),
        finding("", Claim::Generator { percent: 99.7 }),
        finding("cached", Claim::TooShort { ios: 90_000, seconds: 1.5, half_width_percent: Some(14.2) }),
        finding("cached", Claim::NotDurable { device: "vda".into() }),
    ];

    let mut stacked = result(vec![job("md", [reads(1), none(), none()])]);
    let member = stacked.disks[0].clone();
    stacked.disks[0].name = "md0".into();
    stacked.disks[0].beneath = vec![
        DiskOutcome { name: "sda".into(), ..member.clone() },
        DiskOutcome { name: "sdb".into(), ios: [1, 1], util_percent: 99.5, ..member },
    ];

    let mut unopened = job("unopened", [none(), none(), none()]);
    unopened.error = Some(JobError {
        errno: 2,
        function: "open(/mnt/nope)".into(),
        text: "No such file or directory".into(),
        cause: None,
    });
    unopened.depth = Levels::default();

    vec![
        ("normal", normal),
        ("unopened", result(vec![unopened, job("fine", [reads(1), none(), none()])])),
        ("empty", RunResult::default()),
        ("all-errors", result(vec![failed.clone(), JobOutcome { name: "fuller".into(), ..failed }])),
        ("one-io", result(vec![one])),
        ("huge", result(vec![huge])),
        ("group", result(members)),
        ("sync", result(vec![synced])),
        ("strange", result(vec![strange])),
        ("doubtful", doubtful),
        ("stacked", stacked),
    ]
}

fn row(pattern: &str, direction: Direction, depth: u32, iops: f64, block: u64) -> QuickRow {
    let mean = 1e9 * f64::from(depth) / iops;
    QuickRow {
        pattern: pattern.into(),
        direction,
        depth,
        iops,
        bytes_per_second: (iops * block as f64) as u64,
        p50_ns: Some((0.9 * mean) as u64),
        p99_ns: Some((3.1 * mean) as u64),
        mean_ns: Some(mean),
        sync_p50_ns: None,
        sync_p99_ns: None,
        depth_reached: f64::from(depth) * 0.99,
        runtime_ms: 2000,
        error: None,
        load: Default::default(),
        between: Default::default(),
        host_iops: Vec::new(),
    }
}

pub fn quick_card() -> QuickCard {
    use Direction::{Read, Write};
    let mut layers = result(vec![job("x", [reads(3_000_000), reads(1_000_000), none()])]).layers;
    layers.targets[0].path = "/home/you/scratch".into();
    layers.targets[0].stack = vec!["ext4".into(), "loop3 (partition)".into(), "vda (disk, ssd)".into()];
    QuickCard {
        host: Default::default(),
        version: "0.1.0".into(),
        target: "/home/you".into(),
        hosts: Vec::new(),
        kind: QuickTarget::ScratchFile,
        size: 1_073_741_824,
        engine: "io_uring".into(),
        engine_note: None,
        stack: layers.targets[0].stack.clone(),
        seconds: 19.6,
        rows: vec![
            row("4k random", Read, 1, 12_345.0, 4096),
            row("4k random", Write, 1, 9_876.0, 4096),
            row("4k random", Read, 32, 143_210.0, 4096),
            row("4k random", Write, 32, 98_000.0, 4096),
            row("64k sequential", Read, 8, 31_000.0, 65_536),
            row("64k sequential", Write, 8, 12_100.0, 65_536),
            row("1M sequential", Read, 4, 2_210.0, 1 << 20),
            row("1M sequential", Write, 4, 1_170.0, 1 << 20),
            row("4k durable", Write, 1, 1_021.0, 4096),
        ],
        layers,
        not_measured: vec![NotMeasured::SustainedWrites, NotMeasured::Other("the full device".into())],
        caveats: vec![],
        findings: Vec::new(),
    }
}
