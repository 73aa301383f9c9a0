//! Limits of the host: on a real file system that is too small, and on fixtures of `/proc`.

use crate::plans::{file, job, plan};
use facts::SysRoot;
use job::job::{EngineChoice, Job, Mix, Queue, UringSpec};
use job::plan::{Plan, PlannedJob};
use run::consent::Policy;
use run::limits::{LimitError, ThreadLimit, check};
use run::prepare::lay_out;
use run::refusal::{Refusal, RefusalReason};
use stats::note::NoteFact;
use std::fs;
use testbed::{FileSystem, Mount, Need, Sandbox, skip_without};

const MIB: u64 = 1 << 20;

/// Returns a plan of several jobs with one clone each.
fn together(plans: Vec<Plan>) -> Plan {
    let mut all = Plan { jobs: Vec::new(), clones: Vec::new() };
    for p in plans {
        let first = all.jobs.len();
        all.jobs.extend(p.jobs);
        all.clones.extend(p.clones.into_iter().map(|c| PlannedJob { job: c.job + first, ..c }));
    }
    all
}

fn fixture(files: &[(&str, &str)]) -> (Sandbox, SysRoot) {
    let sandbox = Sandbox::new().unwrap();
    for (name, text) in files {
        sandbox.put(name, text).unwrap();
    }
    let root = SysRoot::at(sandbox.path());
    (sandbox, root)
}

#[test]
fn space_is_that_of_all_jobs_together_less_what_is_there_already() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Tmpfs, 4 * MIB).unwrap();
    let root = SysRoot::machine();
    let space = |plan: &Plan, root: &SysRoot| run::space::check(plan, Policy::Fio, root);
    let one = |name: &str, mix, size| {
        let job = job(name, mix);
        let planned = file(&job, &mount.path().join(name), size);
        plan(job, vec![planned])
    };
    // Each alone fits.
    for name in ["a", "b"] {
        assert_eq!(space(&one(name, Mix::Read, 3 * MIB), &root).unwrap(), []);
    }
    let both = together(vec![one("a", Mix::Read, 3 * MIB), one("b", Mix::Read, 3 * MIB)]);
    let refusal = space(&both, &root).unwrap_err();
    let reason = RefusalReason::NoSpaceForLayout { wanted: 6 * MIB, free: 4 * MIB };
    assert_eq!(refusal, Refusal { path: mount.path().into(), reason });
    // Two jobs on one file need it once.
    let mut shared = together(vec![one("a", Mix::Read, 3 * MIB), one("a", Mix::Read, 3 * MIB)]);
    assert_eq!(space(&shared, &root).unwrap(), []);
    // What is there, too small, is unlinked first.
    fs::write(mount.path().join("a"), vec![1; 2 * MIB as usize]).unwrap();
    shared = one("a", Mix::Read, 3 * MIB);
    assert_eq!(space(&shared, &root).unwrap(), []);
    let laid = lay_out(&shared, &mut |_| {}, &|| false);
    assert_eq!((laid.failed, laid.made.len()), (vec![], 1));
    // fio starts a job that only writes and may run out of space, so it is said and not refused.
    let notes = space(&one("w", Mix::Write, 3 * MIB), &root).unwrap();
    assert!(matches!(&notes[..], [note] if matches!(note.fact, NoteFact::SpaceShort { .. })), "{notes:?}");
    assert!(space(&one("r", Mix::Read, 3 * MIB), &root).is_err(), "1 MiB is left");
}

fn libaio(depth: u32, stonewall: bool) -> Plan {
    let queue = Queue { iodepth: depth, effective: depth, serialize: false, batch: None };
    plan(
        Job { engine: EngineChoice::Libaio(Default::default()), queue, stonewall, ..job("a", Mix::Read) },
        Vec::new(),
    )
}

/// AIO requests add up over concurrent jobs, and not over jobs that wait.
#[test]
fn aio_requests_add_up_over_concurrent_jobs() {
    let (_sandbox, root) = fixture(&[("proc/sys/fs/aio-nr", "100\n"), ("proc/sys/fs/aio-max-nr", "1000\n")]);
    assert!(check(&libaio(900, false), &root).is_ok());
    let error = check(&libaio(901, false), &root).unwrap_err();
    assert_eq!(error, LimitError::AioRequests { needed: 901, used: 100, most: 1000, enough: 1024 });
    assert!(check(&together(vec![libaio(500, false), libaio(500, true)]), &root).is_ok());
    assert!(check(&together(vec![libaio(500, false), libaio(500, false)]), &root).is_err());
    let mut clones = libaio(500, true);
    clones.clones.push(clones.clones[0].clone());
    assert!(check(&clones, &root).is_err(), "clones of a job that waits run at once");
}

#[test]
fn memory_for_buffers_is_what_the_host_or_the_cgroup_has_left() {
    let info = ("proc/meminfo", "MemTotal: 2000 kB\nMemAvailable:    1000 kB\n");
    let (_sandbox, root) = fixture(&[info]);
    assert!(check(&libaio(250, false), &root).is_ok());
    let error = check(&libaio(251, false), &root).unwrap_err();
    assert_eq!(error, LimitError::Memory { buffers: 1028096, locked: 0, available: 1024000 });
    let (_sandbox, root) = fixture(&[
        info,
        ("proc/self/cgroup", "0::/\n"),
        ("proc/self/mountinfo", "30 1 0:26 / /cg rw - cgroup2 cgroup2 rw\n"),
        ("cg/memory.max", "409600\n"),
        ("cg/memory.current", "0\n"),
    ]);
    assert!(check(&libaio(100, false), &root).is_ok());
    assert!(check(&libaio(101, false), &root).is_err());
}

#[test]
fn io_uring_that_is_switched_off_is_named_before_the_start() {
    let uring =
        EngineChoice::IoUring(UringSpec { fixed_buffers: true, fixed_files: true, ..Default::default() });
    let uring = plan(Job { engine: uring, ..job("u", Mix::Read) }, Vec::new());
    let off = |value| fixture(&[("proc/sys/kernel/io_uring_disabled", value)]);
    let (_sandbox, root) = off("2\n");
    assert_eq!(check(&uring, &root), Err(LimitError::IoUringDisabled));
    assert!(check(&libaio(1, false), &root).is_ok());
    let (_sandbox, root) = off("0\n");
    assert!(check(&uring, &root).is_ok());
}

#[test]
fn threads_are_what_the_control_group_leaves() {
    let group = |most| {
        fixture(&[
            ("proc/self/cgroup", "0::/\n"),
            ("proc/self/mountinfo", "30 1 0:26 / /cg rw - cgroup2 cgroup2 rw\n"),
            ("cg/pids.max", most),
            ("cg/pids.current", "10\n"),
        ])
    };
    let three = together(vec![libaio(1, false), libaio(1, false), libaio(1, false)]);
    let (_sandbox, root) = group("13\n");
    assert!(check(&three, &root).is_ok());
    let (_sandbox, root) = group("12\n");
    let limit = ThreadLimit::ControlGroup;
    assert_eq!(check(&three, &root), Err(LimitError::Threads { needed: 3, left: 2, limit }));
    let waiting = together(vec![libaio(1, false), libaio(1, true), libaio(1, true)]);
    assert!(check(&waiting, &root).is_ok());
}
