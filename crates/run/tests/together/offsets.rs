//! Offsets of real patterns on the simulated device: uniform ones pass the test, others do not, and clones on one
//! region are joined.

use job::files::NoFiles;
use job::{Dialect, Parsed};
use run::consent::Policy;
use run::prepare::Host;
use run::{Silent, run};
use stats::offsets::{self, FALSE_ALARM, OffsetLaw, RegionOffsets, TouchedBasis, least_uniform, touched};

/// Runs a job with these options on a simulated device and returns the offsets of its clones, joined.
fn used(options: &str) -> Vec<RegionOffsets> {
    let line = format!("--name=a --ioengine=model --model_law=constant:40ms {options}");
    let args: Vec<_> = line.split_whitespace().map(Into::into).collect();
    let line = match job::command_line(&args, "fio", Dialect::Fio, &mut NoFiles) {
        Ok(Parsed::Run(line)) => line,
        other => panic!("{options}: {other:?}"),
    };
    let plan = job::plan(line.jobs, &mut Host).unwrap();
    let result = run(&plan, &crate::plans::setup(Policy::Own), &mut Silent).unwrap();
    let mut all = Vec::new();
    result.jobs.iter().for_each(|job| offsets::merge(&mut all, &job.offsets));
    all
}

/// Of 1000 runs with uniform offsets at most one is called uneven, and nearly all have enough samples for the test.
#[test]
fn uniform_runs_raise_no_alarm() {
    let (mut alarms, mut tested) = (0, 0);
    for seed in 0..1000u64 {
        let order = [
            "",
            "--norandommap",
            "--rw=randrw --norandommap",
            "--bs=4k --ba=512 --norandommap",
            // A sync has no offset.
            "--rw=randwrite --norandommap --fsync=1",
        ];
        let options = format!(
            "--rw=randread --randseed={seed} --size={}k --iodepth={} --number_ios={} {}",
            [8_000, 65_536, 1_000_000][seed as usize % 3],
            [1, 4, 32][seed as usize / 3 % 3],
            [900, 2500, 6000][seed as usize / 9 % 3],
            order[seed as usize / 27 % 5]
        );
        let uniformity = least_uniform(&used(&options));
        tested += u32::from(uniformity.is_some());
        alarms += u32::from(uniformity.is_some_and(|u| u.chance < FALSE_ALARM));
    }
    assert!(alarms <= 1 && tested >= 950, "{alarms} of {tested}");
}

/// Offsets of other distributions, taken for uniform ones, are found to be uneven. `normal` is not among them: its blocks
/// are scattered evenly over the bins.
#[test]
fn uneven_offsets_are_found_whatever_draws_them() {
    for law in ["zoned:60/40:40/60", "zipf:1.2", "pareto:0.2"] {
        let options = format!(
            "--rw=randread --norandommap --random_distribution={law} --size=64m --iodepth=8 --number_ios=8000"
        );
        let mut all = used(&options);
        assert_eq!((all.len(), all[0].law, least_uniform(&all)), (1, OffsetLaw::Other, None), "{law}");
        let bound = touched(&all).unwrap();
        assert!(bound.basis == TouchedBasis::AtMost && bound.percent < 49.0, "{law}: {bound:?}");
        let even = used(&options.replace(&format!("--random_distribution={law}"), ""));
        assert!(least_uniform(&even).unwrap().chance > FALSE_ALARM, "{law}");
        (all[0].law, all[0].grid) = (even[0].law, even[0].grid);
        let planted = least_uniform(&all).unwrap();
        assert!(planted.chance < FALSE_ALARM, "{law}: {planted:?}");
    }
}

/// Each clone adds its samples to the bins of the region that it shares; regions that overlap are counted once.
#[test]
fn clones_are_joined_bin_by_bin() {
    let options = "--rw=randread --size=16m --iodepth=4 --number_ios=1024";
    let samples = |all: &[RegionOffsets]| all.iter().flat_map(|one| &one.bins).sum::<u64>();
    let one = used(options);
    assert_eq!((one.len(), samples(&one) > 32), (1, true));
    assert_eq!(touched(&one).map(|t| (t.percent, t.basis)), Some((25.0, TouchedBasis::Counted)));
    let shared = used(&format!("{options} --numjobs=3 --filename=x"));
    assert_eq!((shared.len(), samples(&shared) > samples(&one) * 3 / 2), (1, true));
    let union = touched(&shared).unwrap();
    assert!((union.percent - 100.0 * (1.0 - 0.75f64.powi(3))).abs() < 1e-9, "{union:?}");
    assert_eq!(union.basis, TouchedBasis::Expected);
    let apart = used(&format!("{options} --numjobs=3 --filename=x --filesize=48m --offset_increment=16m"));
    assert_eq!((apart.len(), samples(&apart) > samples(&one) * 3 / 2), (3, true));
    // The regions are the last 48, 32 and 16 MiB of the file, in each of which 4 MiB were read.
    let untouched = (1.0 - 4.0 / 48.0) * (1.0 + (1.0 - 4.0 / 32.0) * (1.0 + (1.0 - 4.0 / 16.0))) / 3.0;
    let union = touched(&apart).unwrap();
    assert!((union.percent - 100.0 * (1.0 - untouched)).abs() < 1e-9, "{union:?} for {untouched}");
}
