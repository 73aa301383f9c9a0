//! `zonemode=zbd` on a simulated zoned device, which refuses each write off a write pointer and each open zone too many:
//! a job without errors has obeyed the rules.

use job::files::NoFiles;
use job::{Dialect, Parsed};
use run::consent::Policy;
use run::prepare::Host;
use run::{Silent, run};
use stats::RunResult;

const ZONES: &str = "--ioengine=model --model_zone_size=64k --bs=4k --size=512k";

/// Runs jobs given as options; `::` separates jobs.
fn outcome(options: &str) -> RunResult {
    let mut args = Vec::new();
    for (number, job) in options.split("::").enumerate() {
        args.push(format!("--name=j{number}").into());
        args.extend(ZONES.split_whitespace().chain(job.split_whitespace()).map(Into::into));
    }
    let line = match job::command_line(&args, "fio", Dialect::Fio, &mut NoFiles) {
        Ok(Parsed::Run(line)) => line,
        other => panic!("{other:?}"),
    };
    run(&job::plan(line.jobs, &mut Host).unwrap(), &crate::plans::setup(Policy::Own), &mut Silent).unwrap()
}

/// Returns completed reads, completed writes and resets of all jobs, none of which may fail.
fn counts(options: &str) -> (u64, u64, u64) {
    let result = outcome(options);
    let mut sum = (0, 0, 0);
    for job in &result.jobs {
        assert_eq!(job.error, None, "{options}");
        let [reads, writes, _] = &job.directions;
        sum = (sum.0 + reads.ios, sum.1 + writes.ios, sum.2 + writes.zone_resets);
    }
    sum
}

#[test]
fn writes_without_zbd_fail_on_a_zoned_device() {
    let result = outcome("--rw=randwrite");
    assert_eq!(result.jobs[0].error.as_ref().map(|e| e.errno), Some(5), "EIO");
    assert_eq!(outcome("--rw=write").jobs[0].error, None, "in order, the device takes them");
}

#[test]
fn zbd_writes_obey_the_rules_of_the_device() {
    let zbd = |options: &str| counts(&format!("--zonemode=zbd {options}"));
    // 8 zones of 16 blocks.
    assert_eq!(zbd("--rw=write"), (0, 128, 0));
    assert_eq!(zbd("--rw=write --loops=3"), (0, 384, 16), "all zones are full after the first pass");
    assert_eq!(zbd("--rw=randwrite"), (0, 128, 0), "each zone is drawn as often as it has blocks");
    assert_eq!(zbd("--rw=randwrite --iodepth=8").1, 128, "a write may go to another zone than a busy one");
    assert_eq!(zbd("--rw=write --io_size=1m --iodepth=8"), (0, 256, 8));
    // One write in flight per zone: eight servers take as long as one, 128 times 100 us.
    let in_order = outcome("--zonemode=zbd --rw=write --iodepth=8 --model_servers=8");
    assert_eq!(in_order.jobs[0].directions[1].runtime_ms, 13);
    // Half of each zone can be written.
    assert_eq!(zbd("--rw=write --model_zone_capacity=32k"), (0, 64, 0));
    assert_eq!(
        zbd("--rw=randwrite --model_zone_capacity=32k"),
        (0, 128, 8),
        "each zone is drawn twice as often"
    );
    // From the 33rd of 64 writes on, every second one resets its zone, as in fio.
    let periodic = "--size=256k --rw=write --zone_reset_threshold=0.5 --zone_reset_frequency=0.5";
    assert_eq!(zbd(periodic), (0, 64, 16));
    // No write fits into the rest of a zone.
    assert_eq!(zbd("--rw=write --bs=12k --io_size=480k"), (0, 40, 0), "5 blocks of 12k per zone");
    // A block that can be read was written before.
    let (reads, writes, _) = zbd("--rw=randrw --iodepth=4 --norandommap --time_based --runtime=100ms");
    assert!(reads > 100 && writes > 100, "{reads} reads, {writes} writes");
    assert_eq!(zbd("--rw=randread"), (0, 0, 0), "nothing was written");
    assert_eq!(zbd("--rw=randread --read_beyond_wp=1"), (128, 0, 0));
    // A whole number of zones, from the next one on.
    assert_eq!(zbd("--rw=write --offset=4k"), (0, 112, 0));
}

/// Returns failed writes, completed writes and the bytes that these moved.
fn failed(options: &str) -> (u64, u64, u64) {
    let result = outcome(&format!("--zonemode=zbd {options}"));
    let job = &result.jobs[0];
    (job.directions[1].errors, job.directions[1].ios, job.directions[1].bytes)
}

/// Each tenth write to a zone fails in the middle of its block of 8k. Without recovery, all writes behind it in its zone
/// fail, too.
#[test]
fn failed_writes_are_recovered_from_the_devices_write_pointer() {
    let planted = "--rw=write --bs=8k --size=512k --model_zone_errors=10 --continue_on_error=write";
    let recovers = |options: &str| failed(&format!("{planted} --recover_zbd_write_error=1 {options}"));
    assert_eq!(recovers(""), (6, 58, 58 * 8192), "only the planted errors");
    let (errors, ios, _) = failed(planted);
    assert!(errors > 20, "the pointer is not where the job expects it: {errors} errors, {ios} writes");
    for depth in [1, 8] {
        let options = "--rw=randwrite --norandommap --io_size=4m --model_open_zones=3";
        let (errors, ios, _) = recovers(&format!("{options} --iodepth={depth}"));
        assert_eq!(errors, (errors + ios) / 10, "{errors} errors, {ios} writes");
        assert!(ios + errors >= 512, "{errors} errors, {ios} writes");
    }
}

/// 5 blocks of 12k fit into a zone of 64k; 4k are left.
#[test]
fn rest_of_a_zone_is_written_if_requested() {
    assert_eq!(failed("--rw=write --bs=12k --size=512k"), (0, 40, 40 * 12288));
    // The pass ends with the last whole block.
    let rests = failed("--rw=write --bs=12k --size=512k --write_zone_remainder=1");
    assert_eq!(rests, (0, 47, 40 * 12288 + 7 * 4096));
}

#[test]
fn zbd_jobs_share_the_zones_and_limits_of_a_device() {
    let zbd = |options: &str| counts(&options.replace("--rw", "--filename=z --zonemode=zbd --rw"));
    for most in [1, 2, 5] {
        let random = format!("--rw=randwrite --norandommap --iodepth=4 --model_open_zones={most}");
        assert_eq!(zbd(&random).1, 128, "the limit of the device is that of the job");
        assert_eq!(zbd(&format!("{random} --numjobs=3 --io_size=1m")).1, 3 * 256, "{most}");
        let seq = format!("--rw=write --model_open_zones={most} --numjobs=2 --loops=2");
        // Where another job moves a write pointer, a sequential job goes on behind it.
        assert!((256..=512).contains(&zbd(&seq).1), "{most}");
    }
    // The device allows 4, the jobs 1 and 2 each.
    let own =
        |most| format!("--rw=randwrite --model_open_zones=4 --max_open_zones=3 --job_max_open_zones={most}");
    assert_eq!(zbd(&format!("{}::{}", own(1), own(2))).1, 256);
    let result = outcome("--rw=write --zonemode=zbd --model_open_zones=4 --max_open_zones=5");
    assert_eq!(result.jobs[0].error.as_ref().map(|e| e.errno), Some(22), "more than the device allows");
    let ignored = "--rw=write --model_open_zones=4 --max_open_zones=5 --ignore_zone_limits=1";
    assert_eq!(zbd(ignored), (0, 128, 0));
    // Two jobs in different parts of the device, which may have one open zone in all.
    let part =
        |offset| format!("--rw=randwrite --model_open_zones=1 --size=256k --filesize=512k --offset={offset}");
    assert_eq!(zbd(&format!("{}::{}", part("0"), part("256k"))).1, 128);
    // Paced jobs wait for the zones of other jobs, too.
    assert_eq!(zbd("--rw=randwrite --numjobs=2 --rate_iops=5000 --model_open_zones=1").1, 256);
}
