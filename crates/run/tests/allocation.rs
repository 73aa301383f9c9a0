//! No allocation between the start barrier and the last completion, counted by the allocator itself, per thread.
#![allow(clippy::unwrap_used)]

use engine::SharedBlocks;
use job::files::NoFiles;
use job::{Dialect, Parsed};
use run::Control;
use run::assignment::{Assignment, PhaseSync};
use run::prepare::Host;
use run::worker_thread::work;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use testbed::fuse::{Faults, FuseDisk, Law, Model, Rule};
use testbed::{Need, Sandbox, skip_without};

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts the allocator calls between the start barrier and the last completion.
#[derive(Default)]
struct Meter {
    began: Cell<u64>,
    between: Cell<Option<u64>>,
}

impl PhaseSync for Meter {
    fn wait_for_start(&self) {
        self.began.set(CALLS.get());
    }

    fn drained(&self) {
        self.between.set(Some(CALLS.get() - self.began.get()));
    }
}

/// Result of one run: allocator calls, I/Os, errors, short I/Os, syncs, samples.
#[derive(Debug)]
struct Came {
    calls: u64,
    ios: u64,
    errors: u64,
    short: u64,
    syncs: u64,
    samples: u64,
}

fn run(engine: &str, rw: &str, target: &Path, more: &[&str]) -> Came {
    let mut args: Vec<OsString> =
        vec!["--name=a".into(), format!("--ioengine={engine}").into(), format!("--rw={rw}").into()];
    args.push(format!("--filename={}", target.display()).into());
    args.extend(
        ["--bs=4k", "--iodepth=8", "--bwavgtime=2", "--iopsavgtime=2", "--continue_on_error=all"]
            .map(OsString::from),
    );
    args.extend(more.iter().map(OsString::from));
    let line = match job::command_line(&args, "fio", Dialect::Fio, &mut NoFiles) {
        Ok(Parsed::Run(line)) => line,
        other => panic!("{other:?}"),
    };
    let plan = job::plan(line.jobs, &mut Host).unwrap();
    let (shared, control, meter) = (SharedBlocks::new(1).unwrap(), Control::default(), Meter::default());
    let finish = work(Assignment {
        plan: &plan,
        clone: &plan.clones[0],
        targets: &run::targets::Targets::unchecked(),
        records: &run::verify::Records::default(),
        counters: &shared,
        shared: &shared[0].now,
        baseline: &shared[0].baseline,
        priorities: None,
        steady: None,
        logs: None,
        allowance: None,
        control: &control,
        all_histograms: true,
        phase: &meter,
        began: std::time::Instant::now(),
    });
    assert_eq!(finish.error, None, "{engine} {rw}");
    let sum = |f: fn(&stats::shared::SharedDirection) -> u64| shared[0].now.directions.iter().map(f).sum();
    Came {
        calls: meter.between.get().expect("the worker drained"),
        ios: sum(|d| d.ios.get()),
        errors: sum(|d| d.errors.get()),
        short: sum(|d| d.short.get()),
        syncs: shared[0].now.syncs.get(),
        samples: sum(|d| d.samples.get()),
    }
}

const ENGINES: [&str; 5] = ["null", "psync", "sync", "libaio", "io_uring"];

#[test]
fn nothing_is_allocated_while_io_goes_on() {
    let sandbox = Sandbox::new().unwrap();
    let target = sandbox.file("f", 1 << 20).unwrap();
    for engine in ENGINES {
        for rw in ["read", "randread", "write", "randwrite", "rw", "randrw"] {
            for more in [
                &[][..],
                &["--iodepth=1"],
                &["--fsync=16"],
                &["--refill_buffers"],
                &["--iodepth_batch=4", "--iodepth_low=2"],
                &["--bsrange=4k-16k"],
                &["--sync_file_range=write:16"],
                &["--serialize_overlap=1"],
            ] {
                let mut options =
                    vec!["--size=1M", if engine == "null" { "--loops=200" } else { "--loops=2" }];
                options.extend(more);
                let came = run(engine, rw, &target, &options);
                assert_eq!(came.calls, 0, "{engine} {rw} {more:?}: {came:?}");
                assert!(came.ios > 0 && came.errors == 0, "{engine} {rw} {more:?}: {came:?}");
                assert!(
                    rw.contains("read") || more != ["--fsync=16"] || came.syncs > 0,
                    "{engine} {rw}: {came:?}"
                );
            }
        }
    }
}

#[test]
fn nothing_is_allocated_for_errors_short_transfers_and_windows() {
    skip_without!(Need::Fuse);
    for engine in &ENGINES[1..] {
        for rw in ["randread", "randwrite", "randrw"] {
            let depth = if engine.ends_with("sync") { 1 } else { 8 };
            let faults =
                Faults { error: Some((Rule::OneIn(7), 5)), short: Some(Rule::OneIn(5)), ..Faults::default() };
            let law = Law::Constant(Duration::from_micros(200));
            let disk =
                FuseDisk::new(Model { size_bytes: 1 << 20, servers: 8, law, faults, ..Model::default() })
                    .unwrap();
            let came = run(engine, rw, disk.path(), &["--size=1M", "--direct=1", "--fsync=9"]);
            assert_eq!(came.calls, 0, "{engine} {rw}: {came:?}");
            assert!(came.ios > 100 && came.errors > 10 && came.samples > 0, "{engine} {rw}: {came:?}");
            // The kernel makes an error of an asynchronous write that FUSE cut short.
            assert!(rw == "randwrite" && depth > 1 || came.short > 10, "{engine} {rw}: {came:?}");
            assert!(
                disk.seen().most_in_flight <= depth,
                "{engine}: {} in flight",
                disk.seen().most_in_flight
            );
        }
    }
}
