use super::*;
use proptest::prelude::*;

fn asked() -> FilesAsked {
    FilesAsked {
        workers: 3,
        depth: 2,
        branching: 4,
        files: 10,
        leaves_only: false,
        bytes: 4096,
        shared: false,
        shift: 0,
        random: false,
        fsync: false,
        fsync_dir: false,
        write_on_create: false,
        drop_caches: false,
        phases: FilesPhase::ALL.to_vec(),
        iterations: None,
        seconds: Some(30.0),
        seed: 1,
    }
}

/// mdtest: a tree of depth z and branching b has the sum of b^k directories for k = 0 to z, and -L fills b^z of them.
#[test]
fn tree_has_the_directories_of_mdtest() {
    let mut asked = asked();
    assert_eq!((asked.directories(), asked.files_per_worker()), (Some(21), Some(210)));
    asked.leaves_only = true;
    assert_eq!((asked.directories(), asked.files_per_worker()), (Some(21), Some(160)));
    asked.branching = 1;
    asked.depth = 5;
    assert_eq!((asked.directories(), asked.files_per_worker()), (Some(6), Some(10)));
    (asked.branching, asked.depth) = (1000, 32);
    assert_eq!((asked.directories(), asked.files_per_worker()), (None, None));
    asked.depth = 0;
    assert_eq!((asked.directories(), asked.directories_with_files()), (Some(1), Some(1)));
}

#[test]
fn wanted_phases_bring_those_that_they_need() {
    let of = |phases: &[FilesPhase], bytes| {
        let asked = FilesAsked { phases: phases.to_vec(), bytes, ..asked() };
        FilesPhase::ALL.into_iter().filter(|phase| asked.needs(*phase)).collect::<Vec<_>>()
    };
    use FilesPhase::*;
    assert_eq!(of(&[Stat], 4096), [TreeCreate, Create, Stat, Remove, TreeRemove]);
    assert_eq!(of(&[Read], 4096), [TreeCreate, Create, Write, Read, Remove, TreeRemove]);
    assert_eq!(of(&[Read], 0), [TreeCreate, Create, Read, Remove, TreeRemove]);
    assert_eq!(of(&[DirStat], 0), [TreeCreate, DirCreate, DirStat, DirRemove, TreeRemove]);
    assert_eq!(of(&[TreeCreate], 0), [TreeCreate, TreeRemove]);
}

/// Rates of 90, 100 and 110: mean 100, standard deviation 10, interval 100 +- 4.303 * 10 / sqrt(3) (Student's t with 2
/// degrees of freedom).
#[test]
fn rates_have_mean_deviation_and_interval_over_iterations() {
    let sample = |seconds: f64| {
        let mut latency = Latency::default();
        latency.moments.record(1000, 1980);
        latency.histogram.record(1000, 1980);
        FilesSample { operations: 1980, seconds, latency, ..FilesSample::default() }
    };
    let samples = [sample(22.0), sample(19.8), sample(18.0)];
    let result = FilesPhaseResult::of(FilesPhase::Stat, &samples).unwrap();
    assert_eq!((result.rate_min, result.rate_max, result.rate.value), (90.0, 110.0, 100.0));
    assert!((result.rate_stddev - 10.0).abs() < 1e-9, "{result:?}");
    assert!((result.rate.half() - 24.84).abs() < 0.01, "{:?}", result.rate);
    assert_eq!((result.operations, result.p50_ns, result.p99_ns), (5940, Some(1000), Some(1000)));
    // A percentile beyond which there are fewer than ten operations is not shown.
    assert_eq!(result.p999_ns, None);
    assert_eq!(FilesPhaseResult::of(FilesPhase::Stat, &[FilesSample::default()]), None);
}

#[test]
fn durability_follows_from_syncs_and_mount() {
    let of = |fsync, fsync_dir, bytes, mount: &FilesMount| {
        Durability::of(&FilesAsked { fsync, fsync_dir, bytes, ..asked() }, mount)
    };
    let local = FilesMount { file_system: "ext4".into(), ..FilesMount::default() };
    let nfs =
        FilesMount { file_system: "nfs4".into(), options: vec!["sync".into()], ..FilesMount::default() };
    let through = FilesMount { options: vec!["sync".into()], ..local.clone() };
    assert_eq!(of(false, false, 4096, &local), Durability::Not);
    assert_eq!(of(false, false, 0, &local), Durability::Not);
    assert_eq!(of(true, false, 4096, &local), Durability::NamesNotSynced);
    assert_eq!(of(false, true, 4096, &local), Durability::DataNotSynced);
    assert_eq!(of(false, true, 0, &local), Durability::Synced);
    assert_eq!(of(true, true, 4096, &local), Durability::Synced);
    assert_eq!(of(false, false, 4096, &through), Durability::SyncMount);
    assert_eq!(of(false, false, 4096, &nfs), Durability::ServerDecides);
    assert_eq!(of(true, true, 4096, &nfs), Durability::Synced);
}

#[test]
fn stat_of_own_names_is_a_caveat_worse_on_a_network() {
    let sample = |seconds| FilesSample { operations: 1000, seconds, ..FilesSample::default() };
    let phases = |phase| vec![FilesPhaseResult::of(phase, &[sample(1.0), sample(1.0)]).unwrap()];
    let mount = |kind: &str| FilesMount { file_system: kind.into(), ..FilesMount::default() };
    let grade = |kind, asked: &FilesAsked, phase| {
        FilesCaveat::of(asked, &mount(kind), &phases(phase)).iter().map(FilesCaveat::grade).max()
    };
    let synced = FilesAsked { fsync: true, fsync_dir: true, ..asked() };
    assert_eq!(grade("xfs", &synced, FilesPhase::Stat), Some(Grade::Caveats));
    assert_eq!(grade("nfs4", &synced, FilesPhase::Stat), Some(Grade::Conditions));
    assert_eq!(grade("fuse.ceph-fuse", &synced, FilesPhase::Stat), Some(Grade::Conditions));
    assert_eq!(grade("nfs4", &FilesAsked { drop_caches: true, ..synced.clone() }, FilesPhase::Stat), None);
    assert_eq!(grade("xfs", &synced, FilesPhase::Create), None);
    assert_eq!(grade("xfs", &asked(), FilesPhase::Create), Some(Grade::Caveats));
    assert_eq!(grade("tmpfs", &asked(), FilesPhase::Create), Some(Grade::Conditions));
}

/// A spread of 10 % over three iterations is an interval of 25 %.
#[test]
fn wide_interval_and_single_iteration_are_caveats() {
    let sample = |seconds| FilesSample { operations: 1000, seconds, ..FilesSample::default() };
    let of = |times: &[f64]| {
        let samples: Vec<FilesSample> = times.iter().map(|seconds| sample(*seconds)).collect();
        let phases = [FilesPhaseResult::of(FilesPhase::Create, &samples).unwrap()];
        let synced = FilesAsked { fsync: true, fsync_dir: true, ..asked() };
        FilesCaveat::of(&synced, &FilesMount::default(), &phases)
    };
    assert_eq!(of(&[1.0]), [FilesCaveat::OneIteration]);
    assert_eq!(of(&[1.0, 1.0, 1.001]), []);
    let wide = of(&[0.9, 1.0, 1.1]);
    assert!(
        matches!(wide.as_slice(), [FilesCaveat::WideInterval { half_percent, iterations: 3, .. }] if *half_percent > 20.0),
        "{wide:?}"
    );
}

/// A host that began each phase `late_ns` after the common start, with these latencies of each iteration of its two phases.
fn host_with(name: &str, late_ns: i64, latencies: &[[Vec<u64>; 2]]) -> HostOutcome<FilesMeasured> {
    let phases = [FilesPhase::Create, FilesPhase::Remove];
    let sample = |nanos: &Vec<u64>| {
        let mut sample = FilesSample { operations: nanos.len() as u64, ..FilesSample::default() };
        for nanos in nanos {
            sample.latency.moments.record(*nanos, 1);
            sample.latency.histogram.record(*nanos, 1);
        }
        sample.bytes = 10 * sample.operations;
        sample.seconds = nanos.iter().sum::<u64>() as f64 / 1e9;
        sample
    };
    let of = |at: usize| latencies.iter().map(|both| sample(&both[at])).collect::<Vec<_>>();
    let samples: Vec<(FilesPhase, Vec<FilesSample>)> = phases.into_iter().zip([of(0), of(1)]).collect();
    let card = FilesCard {
        version: String::new(),
        target: String::new(),
        mount: FilesMount::default(),
        stack: Vec::new(),
        asked: asked(),
        directories: 1,
        files_per_worker: 1,
        iterations: latencies.len() as u32,
        seconds: 1.0,
        phases: samples.iter().filter_map(|(of, samples)| FilesPhaseResult::of(*of, samples)).collect(),
        durability: Durability::Not,
        caveats: Vec::new(),
        ended: None,
        kept: None,
        foreign: Vec::new(),
        hosts: Vec::new(),
    };
    HostOutcome {
        name: name.into(),
        machine: String::new(),
        clock: None,
        began_ns: vec![(late_ns, late_ns); 2 * latencies.len()],
        lost: None,
        lost_at_s: None,
        status: 0,
        result: Some(FilesMeasured { card, samples }),
    }
}

proptest! {
    /// Counts, bytes, histograms and extremes of the sum are those of all operations of all hosts; the time of each iteration is that
    /// from the first start to the last end.
    #[test]
    fn sum_of_hosts_is_what_all_of_them_measured(
        drawn in (1usize..5, 1usize..4).prop_flat_map(|(hosts, iterations)| {
            let nanos = || prop::collection::vec(1u64..10_000_000_000, 1..20);
            let phases = (nanos(), nanos()).prop_map(|(a, b)| [a, b]);
            prop::collection::vec((0i64..5_000_000_000, prop::collection::vec(phases, iterations)), hosts)
        }),
    ) {
        let hosts = drawn.iter().map(|(late, latencies)| host_with("h", *late, latencies)).collect();
        let sum = FilesCard::of_hosts("t", hosts).unwrap();
        for (at, phase) in [FilesPhase::Create, FilesPhase::Remove].into_iter().enumerate() {
            let mut latency = Latency::default();
            let all: Vec<u64> = drawn.iter().flat_map(|(_, l)| l.iter().flat_map(|both| both[at].clone())).collect();
            for nanos in &all {
                latency.moments.record(*nanos, 1);
                latency.histogram.record(*nanos, 1);
            }
            let result = sum.phase(phase).unwrap();
            prop_assert_eq!((result.operations, result.bytes), (all.len() as u64, 10 * all.len() as u64));
            prop_assert_eq!(&result.latency.histogram, &latency.histogram);
            prop_assert_eq!((result.latency.moments.n, result.max_ns), (all.len() as u64, *all.iter().max().unwrap()));
            let own = sum.hosts.iter().map(|host| host.result.as_ref().unwrap().phase(phase).unwrap().operations);
            prop_assert_eq!(own.sum::<u64>(), result.operations);
            for (iteration, rate) in result.rates.iter().enumerate() {
                let of = |(late, l): &(i64, Vec<[Vec<u64>; 2]>)| {
                    let took = l[iteration][at].iter().sum::<u64>() as f64 / 1e9;
                    (*late as f64 / 1e9, *late as f64 / 1e9 + took, l[iteration][at].len())
                };
                let first = drawn.iter().map(|host| of(host).0).fold(f64::INFINITY, f64::min);
                let last = drawn.iter().map(|host| of(host).1).fold(0.0, f64::max);
                let count: usize = drawn.iter().map(|host| of(host).2).sum();
                prop_assert!((rate * (last - first) / count as f64 - 1.0).abs() < 1e-9, "{} {}", rate, last - first);
            }
        }
    }
}

/// A lost host, and one on which an operation failed, are not in the sum; an iteration that not all of the others completed is not.
#[test]
fn sum_leaves_out_lost_hosts_and_iterations_that_are_not_complete() {
    let one = || [vec![1_000_000; 10], vec![2_000_000; 10]];
    let short = host_with("short", 0, &[one()]);
    let mut failed = host_with("failed", 0, &[]);
    if let Some(measured) = &mut failed.result {
        measured.card.ended = Some(FilesEnd::Stuck { phase: FilesPhase::Create, seconds: 30 });
    }
    let mut lost = host_with("lost", 0, &[]);
    (lost.lost, lost.result) = (Some(crate::hosts::HostLoss::Silent { seconds: 8 }), None);
    let sum =
        FilesCard::of_hosts("t", vec![lost, failed.clone(), host_with("long", 0, &[one(), one()]), short])
            .unwrap();
    let create = sum.phase(FilesPhase::Create).unwrap();
    assert_eq!((sum.iterations, create.operations, create.rates.as_slice()), (1, 20, &[2000.0][..]));
    assert_eq!((sum.hosts.len(), sum.fairness(FilesPhase::Create)), (4, Some(1.0)));
    assert_eq!(sum.grade(), Grade::Conditions);
    assert_eq!(FilesCard::of_hosts("t", vec![failed]).unwrap().phases, []);
    assert_eq!(FilesCard::of_hosts("t", Vec::new()), None);
}
