//! Traces: replayed at their own times on simulated devices with closed forms, and recorded again as they were.

use crate::plans;
use engine::Op;
use job::job::{EngineChoice, Job, Mix, ModelSpec, ServiceLaw};
use job::plan::FileKind;
use run::consent::Policy;
use run::prepare::Host;
use run::replay::Replay;
use run::{Models, Setup, Silent};
use stats::{JobOutcome, RunResult};
use std::fmt::Write as _;
use std::path::Path;
use testbed::Sandbox;

const MS: u64 = 1_000_000;

/// Returns a job that replays `trace` and appends its own operations to `record`.
fn replaying(trace: &Path, record: &Path, more: &[&str]) -> Job {
    let mut args = vec!["--name=r".to_owned(), format!("--read_iolog={}", trace.display())];
    args.push(format!("--write_iolog={}", record.display()));
    args.extend(more.iter().map(|arg| (*arg).to_owned()));
    let args: Vec<std::ffi::OsString> = args.into_iter().map(Into::into).collect();
    match job::command_line(&args, "fio", job::Dialect::Fio, &mut job::files::NoFiles) {
        Ok(job::Parsed::Run(line)) => line.jobs.into_iter().next().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn run(jobs: Vec<Job>) -> RunResult {
    let plan = job::plan(jobs, &mut Host).unwrap();
    let setup = Setup { models: Models::default(), all_histograms: true, ..plans::setup(Policy::Unguarded) };
    run::run(&plan, &setup, &mut Silent).unwrap()
}

fn simulated(mut job: Job, depth: u32) -> JobOutcome {
    let law = ServiceLaw::Constant(2 * MS);
    job.engine = EngineChoice::Model(ModelSpec { servers: 1, law, ..ModelSpec::default() });
    (job.queue.iodepth, job.queue.effective) = (depth, depth);
    let mut result = run(vec![job]);
    assert!(result.jobs[0].error.is_none(), "{result:?}");
    result.jobs.remove(0)
}

/// Returns a trace of one file with reads of 4 KiB at these times in microseconds.
fn trace(times: impl Iterator<Item = u64>) -> String {
    let mut text = String::from("fio version 3 iolog\n0 none add\n0 none open\n");
    for (i, micros) in times.enumerate() {
        writeln!(text, "{micros} none read {} 4096", 4096 * i).unwrap();
    }
    text + "0 none close\n"
}

/// The file is opened at 0; what is read later waits for its own time, as the first and as the last I/O.
#[test]
fn io_after_an_open_or_close_waits_for_its_own_time() {
    let sandbox = Sandbox::new().unwrap();
    let (from, to) = (sandbox.join("from"), sandbox.join("to"));
    let text = "fio version 3 iolog\n0 none add\n0 none open\n5000 none read 0 4096\n5000 none close\n\
                5000 none open\n9000 none read 4096 4096\n";
    std::fs::write(&from, text).unwrap();
    let job = simulated(replaying(&from, &to, &[]), 4);
    let recorded = std::fs::read_to_string(&to).unwrap();
    let reads: Vec<&str> = recorded.lines().filter(|line| line.contains(" read ")).collect();
    assert_eq!(reads, ["5000 none read 0 4096", "9000 none read 4096 4096"]);
    assert_eq!((job.lateness.late, job.directions[0].scheduled.moments.max()), (0, 2 * MS));
}

/// On a device that keeps up, each I/O starts exactly at its time: the recording of the replay is the trace.
#[test]
fn replay_that_keeps_up_records_the_same_times() {
    let sandbox = Sandbox::new().unwrap();
    let (from, to) = (sandbox.join("from"), sandbox.join("to"));
    let times = (0..10_000u64).map(|i| 5000 * i + i * i % 997);
    std::fs::write(&from, trace(times.clone())).unwrap();
    let job = simulated(replaying(&from, &to, &[]), 4);
    let recorded = std::fs::read_to_string(&to).unwrap();
    let reads =
        |text: &str| text.lines().filter(|l| l.contains(" read ")).map(String::from).collect::<Vec<_>>();
    assert_eq!(reads(&recorded), reads(&trace(times)));
    let read = &job.directions[0];
    assert_eq!((read.ios, read.bytes, job.lateness.late), (10_000, 10_000 * 4096, 0));
    assert_eq!([read.scheduled.moments.min(), read.scheduled.moments.max()], [2 * MS; 2]);
    // At twice the rate every time is half; at half the rate, twice.
    for (scale, mult, div) in [("200", 1, 2), ("50", 2, 1)] {
        std::fs::write(&from, trace((0..100).map(|i| 10_000 * i))).unwrap();
        std::fs::remove_file(&to).unwrap();
        simulated(replaying(&from, &to, &[&format!("--replay_time_scale={scale}")]), 4);
        let recorded = std::fs::read_to_string(&to).unwrap();
        assert_eq!(reads(&recorded), reads(&trace((0..100).map(|i| 10_000 * i * mult / div))));
    }
}

/// I/Os every millisecond on a device that takes two: with one in flight, I/O i starts i ms late and ends i + 2 ms after
/// its time; with 8 in flight, seven more are waiting at the device instead.
#[test]
fn replay_on_a_slow_device_is_late_by_the_closed_form() {
    let sandbox = Sandbox::new().unwrap();
    let (from, to) = (sandbox.join("from"), sandbox.join("to"));
    let n = 1000u64;
    std::fs::write(&from, trace((0..n).map(|i| 1000 * i))).unwrap();
    for depth in [1u64, 8] {
        let job = simulated(replaying(&from, &to, &[]), depth as u32);
        let late = |i: u64| (2 * (i + 1).saturating_sub(depth)).saturating_sub(i) * MS;
        let delay = &job.lateness.delay.moments;
        assert_eq!((job.lateness.ios, delay.n), (n, n));
        assert_eq!(delay.sum, (0..n).map(|i| u128::from(late(i))).sum(), "depth {depth}");
        assert_eq!(delay.max(), late(n - 1));
        assert_eq!(job.lateness.late, (0..n).filter(|i| late(*i) > MS).count() as u64);
        let ends = (0..n).map(|i| u128::from((2 * (i + 1) - i) * MS)).sum();
        assert_eq!(job.directions[0].scheduled.moments.sum, ends, "depth {depth}");
        assert_eq!(job.runtime_ms, 2 * n);
    }
    let job = simulated(replaying(&from, &to, &["--replay_no_stall=1"]), 8);
    assert_eq!((job.runtime_ms, job.lateness.ios, job.directions[0].ios), (2 * n, 0, n));
}

/// Operations of a recording, without their times.
fn operations(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
}

/// A recording of a job with two files and syncs, replayed and recorded again with each kind of engine, has the same
/// operations; with `replay_skip`, `replay_scale`, `replay_align` and `replay_redirect` they change as requested.
#[test]
fn recording_of_a_replay_is_the_recording() {
    let sandbox = Sandbox::in_memory().unwrap();
    let at = |name: &str| sandbox.join(name);
    let mut job = plans::job("w", Mix::ReadWrite { reads: 40 });
    (job.pattern.order, job.pattern.random_map) = (job::job::Order::Random { run: 1 }, false);
    job.durability.fsync = std::num::NonZeroU64::new(7);
    job.record = Some(at("one"));
    let files = ["a", "b"].map(|name| plans::file(&job, &at(name), 1 << 20)).to_vec();
    run::run(&plans::plan(job, files), &plans::setup(Policy::Unguarded), &mut Silent).unwrap();
    let first = operations(&at("one"));
    assert!(first.len() > 512 && first.iter().any(|line| line.contains(" sync ")), "{first:?}");
    for (i, engine) in ["psync", "libaio", "null", "io_uring"].iter().enumerate() {
        let to = at(&format!("to{i}"));
        let engine = format!("--ioengine={engine}");
        let job = replaying(&at("one"), &to, &[&engine, "--replay_no_stall=1", "--iodepth=1"]);
        let result = run(vec![job]);
        if result.jobs[0].error.is_some() && engine.contains("uring") {
            continue;
        }
        assert_eq!(operations(&to), first, "{engine}");
    }
    let to = at("changed");
    let redirect = format!("--replay_redirect={}", at("c").display());
    let more =
        [&*redirect, "--ioengine=null", "--replay_scale=3", "--replay_align=1k", "--replay_skip=write,sync"];
    run(vec![replaying(&at("one"), &to, &[&more[..], &["--replay_no_stall=1"]].concat())]);
    let reads = first.iter().filter(|line| line.contains(" read "));
    let changed = reads.map(|line| {
        let offset: u64 = line.split(' ').nth(2).unwrap().parse().unwrap();
        format!("{} read {} 4096", at("c").display(), offset / 3 / 1024 * 1024)
    });
    let found: Vec<String> = operations(&to).into_iter().filter(|line| line.contains(" read ")).collect();
    assert_eq!(found, changed.collect::<Vec<_>>());
    assert!(operations(&to).iter().all(|line| !line.contains("write") && !line.contains("sync")));
}

/// Files are closed only when no I/O is in flight on them: a trace that closes and opens a file between any two I/Os
/// of a deep queue reads and writes the same bytes.
#[test]
fn file_closed_with_io_in_flight_is_closed_after_it() {
    let sandbox = Sandbox::in_memory().unwrap();
    let (from, to, data) = (sandbox.join("from"), sandbox.join("to"), sandbox.join("data"));
    std::fs::write(&data, vec![7; 1 << 20]).unwrap();
    let name = data.display();
    let mut text = format!("fio version 2 iolog\n{name} add\n");
    for i in 0..200 {
        writeln!(text, "{name} open\n{name} read {} 4096", i * 4096).unwrap();
        writeln!(text, "{name} write {} 4096\n{name} close", i * 4096).unwrap();
    }
    std::fs::write(&from, text).unwrap();
    let job = replaying(&from, &to, &["--ioengine=libaio", "--iodepth=16"]);
    let plan = job::plan(vec![job.clone()], &mut Host).unwrap();
    let mut replay =
        Replay::new(plan.clones[0].replay.as_ref().unwrap(), job.replay.as_ref().unwrap(), 1, true);
    let mut ops = [Op::NONE; 8];
    assert_eq!((replay.fill(&mut ops), format!("{:?}", replay.take_file_actions())), (2, "[Open(0)]".into()));
    for left in [2, 1] {
        assert_eq!((replay.fill(&mut ops[2..]), replay.blocked()), (0, true), "{left} in flight");
        replay.completed(&ops[0]);
    }
    assert_eq!(replay.fill(&mut ops), 2);
    assert_eq!(format!("{:?}", replay.take_file_actions()), "[Close(0), Open(0)]");
    let result = run(vec![job]);
    assert!(result.jobs[0].error.is_none(), "{:?}", result.jobs[0].error);
    assert_eq!(result.jobs[0].directions.each_ref().map(|d| d.ios), [200, 200, 0]);
    let recorded = operations(&to);
    let count = |action: &str| recorded.iter().filter(|line| line.contains(action)).count();
    assert_eq!((count(" open"), count(" close"), count(" write ")), (200, 200, 200));
}

/// A trace in which a file appears that was not there when the trace was examined does no I/O on it.
#[test]
fn file_that_was_not_checked_is_not_opened() {
    let sandbox = Sandbox::new().unwrap();
    let (from, to) = (sandbox.join("from"), sandbox.join("to"));
    let other = sandbox.join("other");
    let text = |name: &Path| {
        let name = name.display();
        format!("fio version 3 iolog\n0 {name} add\n0 {name} open\n0 {name} write 0 4096\n")
    };
    std::fs::write(&from, text(&sandbox.join("checked"))).unwrap();
    std::fs::write(&other, b"data").unwrap();
    let plan = job::plan(vec![replaying(&from, &to, &[])], &mut Host).unwrap();
    assert_eq!(plan.clones[0].files[0].kind, FileKind::Regular);
    std::fs::write(&from, text(&other)).unwrap();
    let result = run::run(&plan, &plans::setup(Policy::Unguarded), &mut Silent).unwrap();
    let function = result.jobs[0].error.as_ref().map(|error| error.function.as_str());
    assert_eq!(function, Some("read_iolog"));
    assert_eq!(std::fs::read(&other).unwrap(), b"data");
}
