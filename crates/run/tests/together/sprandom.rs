//! `sprandom` on a simulated SSD: the write amplification of the random writes that follow.

use job::files::NoFiles;
use job::{Dialect, Parsed};
use run::consent::Policy;
use run::prepare::Host;
use run::{Silent, run};
use stats::note::NoteFact;

/// A drive of 32768 pages in blocks of 64, on which programming a page takes 10 us and nothing else takes time.
const DRIVE: &str = "--model_law=constant:0 --model_ftl_times=10us:0:0 --filename=x --size=128m --bs=4k";

/// A window of random writes of 15 % of the drive, and random writes of the whole drive.
const WINDOW: &str = "--stonewall --rw=randwrite --norandommap --io_size=19660k";
const DRIVE_WRITE: &str = "--stonewall --rw=randwrite --norandommap --io_size=128m";

/// Pages written by one job and pages programmed for it, and the job's runtime in milliseconds.
struct Traffic {
    host: u64,
    nand: u64,
    ms: u64,
}

impl Traffic {
    fn amplification(&self) -> f64 {
        self.nand as f64 / self.host as f64
    }
}

/// Runs jobs one after the other on a drive with this over-provisioning.
fn traffic(op: f64, jobs: &[&str]) -> Vec<Traffic> {
    let mut args = Vec::new();
    let flash = [format!("--model_ftl={op}:64")];
    for (number, job) in jobs.iter().enumerate() {
        let name = [format!("--name=j{number}"), "--ioengine=model".into(), format!("--randseed={number}")];
        args.extend(name.iter().chain(&flash).map(Into::into));
        args.extend(DRIVE.split_whitespace().chain(job.split_whitespace()).map(Into::into));
    }
    let line = match job::command_line(&args, "fio", Dialect::Fio, &mut NoFiles) {
        Ok(Parsed::Run(line)) => line,
        other => panic!("{other:?}"),
    };
    let plan = job::plan(line.jobs, &mut Host).unwrap();
    let result = run(&plan, &crate::plans::setup(Policy::Own), &mut Silent).unwrap();
    let facts = result.notes.iter().filter_map(|note| match note.fact {
        NoteFact::FlashTraffic { host_pages, nand_pages, .. } => Some((host_pages, nand_pages)),
        _ => None,
    });
    let jobs = result.jobs.iter().map(|job| job.directions[1].runtime_ms);
    facts.zip(jobs).map(|((host, nand), ms)| Traffic { host, nand, ms }).collect()
}

/// After a pass of sprandom, the write amplification is that of the steady state within 5 % from the first window on,
/// and the pass itself has cost one write of the physical space. After a random pass, which leaves the over-provisioned
/// space unwritten, the first window is off by much; so it is with an `spr_op` far below that of the drive.
#[test]
fn sprandom_leaves_a_drive_in_its_steady_state() {
    for op in [0.07, 0.15, 0.28] {
        let sprandom = format!("--rw=randwrite --sprandom=1 --spr_op={op}");
        let all = traffic(op, &[&sprandom, WINDOW, WINDOW, DRIVE_WRITE, DRIVE_WRITE]);
        let steady = all[4].amplification();
        assert_eq!(all[0].host, (32_768.0 * (1.0 + op)).round() as u64);
        assert!(all[0].amplification() < 1.02, "{op}: {}", all[0].amplification());
        for window in &all[1..4] {
            let off = window.amplification() / steady - 1.0;
            assert!(off.abs() < 0.05, "{op}: {} instead of {steady}", window.amplification());
        }
        // A write that needs collection waits for it: the time is that of all pages.
        for job in &all {
            assert!(job.ms.abs_diff(job.nand / 100) <= 1, "{op}: {} ms for {} pages", job.ms, job.nand);
        }
        let delayed = traffic(op, &[&format!("{sprandom} --spr_cs=1m"), WINDOW]);
        assert!((delayed[1].amplification() / steady - 1.0).abs() < 0.05, "{op}, spr_cs");
        let filled = traffic(op, &["--rw=randwrite", WINDOW]);
        assert!(filled[1].amplification() < 0.7 * steady, "{op}: {}", filled[1].amplification());
    }
    let wrong = |spr_op: f64| {
        let sprandom = format!("--rw=randwrite --sprandom=1 --spr_op={spr_op}");
        traffic(0.15, &[&sprandom, WINDOW])[1].amplification()
    };
    let (low, right, high) = (wrong(0.07), wrong(0.15), wrong(0.28));
    assert!(low < 0.75 * right && high < 0.95 * right, "{low} {right} {high}");
}

/// Depth, clones on parts of the drive and passes: each writes all of its pages, and the physical space once.
#[test]
fn sprandom_passes_are_whole_at_any_depth() {
    let pages = |options: &str| -> u64 {
        traffic(0.15, &[&format!("--rw=randwrite --sprandom=1 {options}")]).iter().map(|job| job.host).sum()
    };
    assert_eq!(pages(""), 37_683);
    assert_eq!(pages("--iodepth=32"), 37_683);
    assert_eq!(pages("--loops=2"), 2 * 37_683);
    assert_eq!(pages("--io_size=64m"), 16_384);
    assert_eq!(pages("--number_ios=100"), 100);
    assert_eq!(pages("--spr_op=0.5"), 49_152);
    assert_eq!(pages("--size=32m --numjobs=4 --offset_increment=32m"), 4 * 9421);
}
