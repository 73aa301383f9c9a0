//! Every kind of finding, of answer and of what limits one. A new kind does not compile until it is named here, and is
//! missed until it has a sample.

use stats::depth_curve::{DepthCurve, DepthLaw, Scalability, TwoLines};
use stats::failure::Failure;
use stats::percentile::Goal;
use stats::plan_error::{PlanError, PlanFault};
use stats::setting_fault::SettingFault;
use stats::study::{self, Caveat, Estimate, Regime, Unit, Why};
use stats::{Claim, Direction, Finding, Grade, Unmeasured};

/// The name of a value's variant, and all names that there are.
macro_rules! kinds {
    ($name:ident, $all:ident, $type:ty; $($variant:ident),* $(,)?) => {
        fn $name(value: &$type) -> &'static str {
            type Kind = $type;
            match value { $(Kind::$variant { .. } => stringify!($variant)),* }
        }
        const $all: &[&str] = &[$(stringify!($variant)),*];
    };
}

kinds!(of_run, RUN, Claim; PageCache, WritesCached, WritesReturnedEarly, CpuContention, CpusBusy, Pauses, Bursts, Stopped, BelowMemory, Overlay, CacheBelow, AboveLink, TooFastToTurn, TinySpan, NoQueue, BlockingSubmit,
    Shallow, ThinkTime, NeverWritten, Zeros, Compressible, StepDown, RateDropped, Unsteady, WriteBackCache, TooShort, SizeRanOut, ShortStroke,
    Overlap, Repeated, UnevenOffsets, Generator, CpuTakenAway, FillingBuffers, FarNode, SlowLink, SlowedByHeat, Misaligned, PartialSector, Split,
    Merged, BusyIsNotFull, IdleWhileWaiting, NoBusyTime, MeanHides, Stall, OtherLoad, Rebuilding, Cap, NoTime, NotDurable,
    SyncedAtEnd, StateCarried, NearlyFull, CopyOnWrite, RandomBeatsSequential, Memory, Failed, NotMeasured, EndedEarly, SizeTimesJobs,
    StartedLate, NotCommitted, ExportUnknown, SoftMount, AttributesCached, LinkLimit, ShaperLimit, RateOfLink, SegmentsRepeated, SmallPool, ClusterBusy, LibraryCache, ReplicationLimit, RequestsRepeated, Reconnected,
    ServerSilent);
kinds!(of_study, STUDY, study::StudyClaim; Knee, NoKnee, Drifts, OneLimit, Generator, Crossover, OneBlockLaw, Runtime, Jobs, Span, Axis,
    Targets, Hosts, Moved, Curve, Repeat, Kept, AlwaysKept, NeverKept, Cap, Best);
kinds!(of_caveat, CAVEATS, Caveat; Drifts, WithinNoise, Wide, Pauses, MayBeMore, Changed, Errors, Grade);
kinds!(of_failure, FAILURES, Failure; NotTheDevice, NothingCompleted, NothingTwice, AnotherPath, RateChanged, NothingToCompare, NoMaximum, PairsDiffer,
    TooFewRounds, PointsTooShort, BeyondSeen, BeyondBudget, NoGoal, NoQueueSettings, Job, Setting, Plan, Text);
kinds!(of_why, WHY, Why; Budget, NotTheDevice, Interrupted, Failed, NotHere);

/// Returns the samples, of which each kind must have one.
pub fn complete<T>(samples: Vec<T>, kind: fn(&T) -> &'static str, all: &[&str]) -> Vec<T> {
    for name in all {
        assert!(samples.iter().any(|s| kind(s) == *name), "{name} has no sample");
    }
    samples
}

/// Each finding, in every form that its words take.
pub fn findings() -> Vec<Claim> {
    let sda = || "sda1".to_string();
    let path = || "/data/f1".to_string();
    let split = |most| Claim::Split { device: sda(), ratio: 4.25, block: 1 << 20, most };
    let blocked = |buffered, reached| Claim::BlockingSubmit {
        engine: "io_uring".into(),
        buffered,
        asked: 32,
        reached,
        in_submit_percent: 81.0,
    };
    let below = |direction| Claim::CacheBelow {
        direction,
        upper: "loop3".into(),
        upper_bytes: 7_000_000,
        lower: sda(),
        lower_bytes: 1_000_000,
    };
    let hot = |slowed, slowed_s, warning_minutes| Claim::SlowedByHeat {
        device: sda(),
        slowed,
        slowed_s,
        warning_minutes,
        share_percent: 40.0,
    };
    let dropped = |seconds, ended_run| Claim::RateDropped {
        at_s: 61.2,
        seconds,
        before: 2100.0,
        during: 800.0,
        ended_run,
    };
    let step = |write| Claim::StepDown { write, before: 5e8, after: 2e8, at_s: 4.2, bytes: 2_100_000_000 };
    let short = |ios, half_width_percent| Claim::TooShort { ios, seconds: 1.5, half_width_percent };
    let misaligned = |start_sector| Claim::Misaligned { device: sda(), start_sector, block: 4096 };
    let other = |file_system| Claim::OtherLoad {
        device: sda(),
        device_bytes: [9_000_000, 8_000_000],
        app_bytes: [3_000_000, 2_000_000],
        file_system,
    };
    let cap = |iops| Claim::Cap { device: sda(), server: false, iops, limit: 1234, seen: 1230.0 };
    let all = vec![
        Claim::PageCache { app: 1 << 30, storage: 1 << 20, span: 1 << 28, memory: 8 << 30 },
        Claim::PageCache { app: 1 << 30, storage: 1 << 29, span: 8 << 30, memory: 0 },
        Claim::WritesCached { app: 1 << 30, device: 1 << 27 },
        Claim::WritesReturnedEarly { p50_ns: 1800, device: sda(), device_ns: 250_000.0 },
        Claim::CpuContention { waited_percent: 33.0 },
        Claim::CpusBusy { waited_percent: 97.0 },
        Claim::Pauses {
            count: 1,
            longest_ns: 900_000_000,
            share_percent: 9.0,
            every_s: None,
            cpu_busy: false,
        },
        Claim::Pauses {
            count: 5,
            longest_ns: 350_000_000,
            share_percent: 6.0,
            every_s: Some(5.1),
            cpu_busy: true,
        },
        Claim::Stopped { stopped_ms: 2100, share_percent: 35.0 },
        Claim::Bursts {
            waited_percent: 3.4,
            wait_ns: 82_000_000,
            p50_ns: 210_000,
            iops: 612.0,
            period_ns: 0,
        },
        Claim::Bursts {
            waited_percent: 3.4,
            wait_ns: 82_000_000,
            p50_ns: 210_000,
            iops: 612.0,
            period_ns: 100_000_000,
        },
        Claim::BelowMemory { device: "loop3".into(), kind: "fs1".into() },
        Claim::Overlay { path: path() },
        Claim::NotCommitted { layer: "/mnt/n1".into(), app: 8 << 20, server: 3 << 20, commits: 2 },
        Claim::ExportUnknown { layer: "/mnt/n1".into() },
        Claim::SoftMount { layer: "/mnt/n1".into(), seconds: 15.0 },
        Claim::AttributesCached { layer: "/mnt/n1".into(), seconds: 60 },
        Claim::LinkLimit {
            interface: "eth0".into(),
            direction: Direction::Read,
            seen: 115_000_000,
            payload: 117_685_305,
            mbit: 1000,
        },
        Claim::ShaperLimit {
            interface: "eth0".into(),
            shaper: "tbf".into(),
            seen: 11_900_000,
            payload: 11_955_085,
            mbit: 100,
        },
        Claim::RateOfLink {
            interface: "eth0".into(),
            direction: Direction::Read,
            seen: 117_000_000,
            payload: 117_685_305,
            mbit: 1000,
        },
        Claim::SegmentsRepeated { repeated: 70, sent: 5000, own: false },
        Claim::SegmentsRepeated { repeated: 70, sent: 5000, own: true },
        Claim::SmallPool { pool: "p1".into(), groups: 8, copies: 3, osds: 4 },
        Claim::ClusterBusy { layer: "rbd:p1/i1".into(), recovering: 3, scrubbing: 1 },
        Claim::LibraryCache { library: "librbd".into(), bytes: 32 << 20, policy: "writearound".into() },
        Claim::ReplicationLimit { seen: 37_000_000, payload: 39_228_435, copies: 3, hosts: 1, mbit: 1000 },
        Claim::RequestsRepeated { layer: "/mnt/n1".into(), repeated: 4, requests: 700 },
        Claim::Reconnected { layer: "/mnt/n1".into(), times: 2 },
        Claim::ServerSilent {
            layer: "sda".into(),
            longest_ns: 2_000_000_000,
            setting: "recovery_tmo".into(),
            seconds: Some(120.0),
        },
        Claim::ServerSilent {
            layer: "/mnt/n1".into(),
            longest_ns: 2_000_000_000,
            setting: "hard".into(),
            seconds: None,
        },
        below(Direction::Read),
        below(Direction::Write),
        Claim::AboveLink { device: sda(), seen: 900_000_000, ceiling: 600_000_000 },
        Claim::TooFastToTurn { device: sda(), p50_ns: 150_000 },
        Claim::TinySpan { span: 1 << 20, passes: 123.0 },
        Claim::TinySpan { span: 1 << 20, passes: 0.0 },
        Claim::NoQueue { engine: "io_uring".into(), asked: 64, reached: 0.98 },
        Claim::NoQueue { engine: "io_uring".into(), asked: 64, reached: 0.0 },
        blocked(true, 1.5),
        blocked(false, 1.5),
        blocked(false, 0.0),
        Claim::Shallow { reached: 7.5, asked: 32.0 },
        Claim::StartedLate { late: 1_200, ios: 10_000, p99_ns: 45_000_000 },
        Claim::ThinkTime { blocks: 4, asked: 32, reached: 2.25 },
        Claim::ThinkTime { blocks: 4, asked: 32, reached: 0.0 },
        Claim::ThinkTime { blocks: 0, asked: 32, reached: 0.0 },
        Claim::ThinkTime { blocks: 0, asked: 32, reached: 2.25 },
        Claim::NeverWritten { path: path(), bytes: 1 << 29, size: 1 << 30 },
        Claim::Zeros { path: path(), zero: 31, sampled: 64, moved: false },
        Claim::Compressible { layer: String::new(), percent: 71.0 },
        Claim::Compressible { layer: "zram0".into(), percent: 71.0 },
        dropped(Some(12.0), false),
        dropped(None, false),
        dropped(None, true),
        step(true),
        step(false),
        Claim::Unsteady { range_percent: 31.0, slope_percent: 22.0 },
        Claim::WriteBackCache { device: sda(), p50_ns: 150_000 },
        short(90_000, Some(14.2)),
        short(777, None),
        short(90_000, None),
        Claim::SizeRanOut { ran_s: 3.3, asked_s: 60.0 },
        Claim::ShortStroke { span: 1 << 30, capacity: 1 << 42, service_ns: 3_100_000 },
        Claim::Overlap { clones: 4, counted: 4 << 30, distinct: 1 << 30 },
        Claim::Repeated { times: 7.5 },
        Claim::UnevenOffsets { samples: 12_500, ios_percent: 81.0, region_percent: 40.0, chance: 1e-9 },
        Claim::Generator { percent: 99.7 },
        Claim::CpuTakenAway { throttled_ms: 420, steal_percent: 0.0 },
        Claim::CpuTakenAway { throttled_ms: 0, steal_percent: 13.0 },
        Claim::FillingBuffers { user_percent: 67.0 },
        Claim::FarNode { device: sda(), node: 3 },
        Claim::SlowLink { device: sda(), now: 300_000_000, most: 600_000_000 },
        hot(7, 110, 2),
        hot(0, 0, 2),
        misaligned(None),
        misaligned(Some(63)),
        Claim::PartialSector { device: sda(), block: 512, sector: 4096 },
        split(None),
        split(Some(131_072)),
        Claim::Merged { device: sda(), ratio: 8.5, block: 4096 },
        Claim::BusyIsNotFull { device: sda(), util_percent: 99.0, at_once: 3.2 },
        Claim::IdleWhileWaiting { device: sda(), util_percent: 4.0, in_flight: 31.5 },
        Claim::NoBusyTime { device: sda() },
        Claim::MeanHides { mean_ns: 5e6, p50_ns: 90_000, max_ns: 4_000_000_000 },
        Claim::Stall { longest_ns: 2_500_000_000, missed: 34_000 },
        other(true),
        other(false),
        Claim::Rebuilding { device: "md0".into(), action: "resync".into() },
        cap(true),
        cap(false),
        Claim::NoTime { percent: 44.0 },
        Claim::NotDurable { device: String::new() },
        Claim::NotDurable { device: sda() },
        Claim::StateCarried { before: "job1".into() },
        Claim::NearlyFull { used_percent: 97.0 },
        Claim::CopyOnWrite { kind: "fs1".into() },
        Claim::RandomBeatsSequential {
            sequential: "job1".into(),
            random_rate: 700_000_000,
            sequential_rate: 500_000_000,
        },
        Claim::Memory { kind: "null".into() },
        Claim::Memory { kind: "fs1".into() },
        Claim::Failed { failed: 3, ios: 997 },
        Claim::EndedEarly { signal: 2 },
        Claim::EndedEarly { signal: 40 },
        Claim::NotMeasured { why: Unmeasured::Interrupted },
        Claim::NotMeasured { why: Unmeasured::Failed },
        Claim::NotMeasured { why: Unmeasured::Nothing },
        Claim::SyncedAtEnd,
        Claim::SizeTimesJobs { clones: 4, each: 1 << 30 },
    ];
    complete(all, of_run, RUN)
}

/// Each answer of a study with what its estimate counts.
pub fn answers() -> Vec<(study::StudyClaim, Unit)> {
    use study::StudyClaim as C;
    let some = Estimate { value: 900.0, low: 890.0, high: 910.0 };
    let limit = |above_device| C::OneLimit { up_to: 256, alone_ns: 2e6, above_device };
    let run = |regime| C::Runtime {
        statistics_s: 3.0,
        percentile_s: Some(1.5),
        warm_up_s: 0.5,
        within_percent: 5.0,
        percentile_percent: 10.0,
        regime,
    };
    let curve = |shape, coherency| C::Curve {
        curve: DepthCurve {
            shape,
            lines: TwoLines { each: 100.0, most: 930.0 },
            scalability: Scalability { each: 100.0, contention: 0.02, coherency },
            lines_off_percent: 0.5,
            scalability_off_percent: 12.0,
        },
        up_to: 256,
    };
    let rounds = |low| C::Repeat {
        rounds: 24,
        over_s: 86_400.0,
        in_flight: 8,
        between_percent: Estimate { value: 3.0, low, high: 5.0 },
        within_percent: 0.5,
    };
    let goal = |percentile| Goal { percentile, nanos: 2_000_000 };
    let cap = |of, sign| C::Cap { of, sizes: [4096, 16384], sign };
    let knee = |p99_ns: Option<u64>, p99_between| C::Knee {
        in_flight: 32,
        between: p99_ns.map(|_| [24, 45]),
        there: some,
        mean_ns: 1.1e6,
        p99_ns,
        p99_between,
        alone_ns: 9e5,
        bound: 3.5,
    };
    let all = vec![
        (knee(Some(3_000_000), Some([2_900_000, 3_100_000])), Unit::Iops),
        (knee(None, None), Unit::Iops),
        (C::NoKnee { up_to: 256, mean_ns: 1.1e6, alone_ns: 9e5 }, Unit::Iops),
        (limit(true), Unit::Iops),
        (limit(false), Unit::Iops),
        (C::Generator { in_flight: 64, jobs: 2, cpu_percent: 99.0 }, Unit::Iops),
        (C::Drifts { in_flight: 16, before: 77.0, over_s: 12.0 }, Unit::Iops),
        (
            C::Crossover {
                full_bandwidth: 1 << 17,
                full_iops: 4096,
                bandwidth: some,
                iops: some,
                in_flight: 8,
            },
            Unit::Bytes,
        ),
        (C::OneBlockLaw { of: study::Cap::Iops, sizes: [512, 1 << 26], in_flight: 8 }, Unit::Iops),
        (C::OneBlockLaw { of: study::Cap::Bytes, sizes: [512, 1 << 26], in_flight: 8 }, Unit::BytesPerSecond),
        (run(Regime::Steady), Unit::Seconds),
        (run(Regime::Drift), Unit::Seconds),
        (run(Regime::Stepped), Unit::Seconds),
        (run(Regime::Bursts { every_s: 0.1 }), Unit::Seconds),
        (curve(DepthLaw::TwoLines, 0.0), Unit::Iops),
        (curve(DepthLaw::Contention, 1e-4), Unit::Iops),
        (curve(DepthLaw::Either, 1e-4), Unit::Iops),
        (C::Jobs { jobs: 4, in_flight: 32 }, Unit::Ratio),
        (C::Span { part: 1 << 24, whole: 1 << 30 }, Unit::Ratio),
        (
            C::Hosts {
                enough: 1,
                between: (1, 2),
                all: 4,
                in_flight: 8,
                shares: vec![(1, some), (2, some)],
                fairness: Some(0.78),
                uneven: Some([("a".into(), 410.0), ("b".into(), 12_000.0)]),
            },
            Unit::Ratio,
        ),
        (
            C::Hosts {
                enough: 4,
                between: (4, 4),
                all: 4,
                in_flight: 8,
                shares: vec![(3, some)],
                fairness: None,
                uneven: None,
            },
            Unit::Ratio,
        ),
        (C::Axis { name: "nr_requests".into(), value: "64".into(), base: "256".into() }, Unit::Ratio),
        (C::Targets { in_flight: [8, 16] }, Unit::Ratio),
        (C::Moved { before: 5000.0, after_s: 11.0, by_s: Some(23.0) }, Unit::Iops),
        (rounds(2.0), Unit::Iops),
        (rounds(0.1), Unit::Iops),
        (C::Kept { goal: goal(Some(99.9)), there: Some(some), most: some }, Unit::Iops),
        (C::Kept { goal: goal(None), there: None, most: some }, Unit::Iops),
        (C::AlwaysKept { goal: goal(Some(50.0)), most: some }, Unit::Iops),
        (C::NeverKept { goal: goal(None), down_to: 31.25 }, Unit::Micros),
        (cap(study::Cap::Iops, study::CapSign::IdleBeneath), Unit::Iops),
        (cap(study::Cap::Iops, study::CapSign::Regular), Unit::Iops),
        (cap(study::Cap::Iops, study::CapSign::LongerAlone), Unit::Iops),
        (cap(study::Cap::Iops, study::CapSign::QuickWhenFew), Unit::Iops),
        (cap(study::Cap::Bytes, study::CapSign::SameBytes), Unit::BytesPerSecond),
        (C::Best { depth: 16, jobs: 4 }, Unit::Iops),
    ];
    complete(all, |(claim, _)| of_study(claim), STUDY)
}

/// What limits an answer.
pub fn caveats() -> Vec<Caveat> {
    let all = vec![
        Caveat::Drifts { percent: -7.0 },
        Caveat::WithinNoise,
        Caveat::Wide { half_percent: 17.0 },
        Caveat::Wide { half_percent: 999.0 },
        Caveat::Pauses { each_s: 0.2, every_s: 5.0 },
        Caveat::MayBeMore { percent: 31.0 },
        Caveat::Changed { now: 320.0 },
        Caveat::Errors { failed: 12, ios: 1188 },
        Caveat::Grade { grade: Grade::Conditions },
    ];
    complete(all, of_caveat, CAVEATS)
}

/// Why a study could not answer a question.
pub fn failures() -> Vec<Failure> {
    let all = vec![
        Failure::NotTheDevice { point: 7 },
        Failure::Plan(PlanError { job: "j1".into(), fault: PlanFault::FillWithoutSize }),
        Failure::NothingCompleted,
        Failure::NothingTwice { points: [3, 4] },
        Failure::AnotherPath { point: 5 },
        Failure::RateChanged { iops: Some(1234.4) },
        Failure::RateChanged { iops: None },
        Failure::NothingToCompare,
        Failure::NoMaximum,
        Failure::PairsDiffer { pairs: 4 },
        Failure::TooFewRounds,
        Failure::PointsTooShort,
        Failure::BeyondSeen { seconds: 12.4 },
        Failure::BeyondBudget { budgets: 10 },
        Failure::NoGoal,
        Failure::Job(stats::JobError { text: "E5".into(), ..Default::default() }),
        Failure::Setting(SettingFault::File { path: "/sys/x1".into(), errno: 13 }),
        Failure::Setting(SettingFault::NotRecorded {
            path: "/sys/x1".into(),
            directory: "/run/x1".into(),
            errno: 13,
        }),
        Failure::Setting(SettingFault::Busy { disk: "sda".into(), setting: "nr_requests".into(), pid: 1234 }),
        Failure::Setting(SettingFault::Value { path: "/sys/x1".into(), value: "64".into(), errno: 22 }),
        Failure::NoQueueSettings,
        Failure::Text("E77".into()),
    ];
    complete(all, of_failure, FAILURES)
}

/// Why a question has none.
pub fn reasons() -> Vec<Why> {
    use study::NotHere;
    let failed = Claim::Failed { failed: 3, ios: 1 };
    let mut all = vec![
        Why::Budget { needs_s: 66.0 },
        Why::NotTheDevice { findings: vec![Finding::new(String::new(), failed)] },
        Why::Interrupted,
        Why::NotHere { text: NotHere::OnlyRead },
        Why::NotHere { text: NotHere::RandomAlone },
        Why::NotHere { text: NotHere::Commits },
    ];
    all.extend(failures().into_iter().map(|text| Why::Failed { text }));
    complete(all, of_why, WHY)
}
