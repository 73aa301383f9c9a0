//! Under the filters of containers, which refuse single system calls: the right status, one clear line or success, no panic
//! and no hang.

use crate::common::{side_by_side, words};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, DATA_HOME, Ran};
use testbed::{Need, Sandbox, seccomp, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const LIMIT: Duration = Duration::from_secs(30);
const ERRNOS: [i32; 2] = [libc::EPERM, libc::ENOSYS];

const CALLS: [(&str, libc::c_long); 25] = [
    ("io_uring_setup", libc::SYS_io_uring_setup),
    ("io_uring_enter", libc::SYS_io_uring_enter),
    ("io_uring_register", libc::SYS_io_uring_register),
    ("io_setup", libc::SYS_io_setup),
    ("io_submit", libc::SYS_io_submit),
    ("sched_setaffinity", libc::SYS_sched_setaffinity),
    ("sched_getaffinity", libc::SYS_sched_getaffinity),
    ("setpriority", libc::SYS_setpriority),
    ("ioprio_set", libc::SYS_ioprio_set),
    ("mlock", libc::SYS_mlock),
    ("fallocate", libc::SYS_fallocate),
    ("fadvise64", libc::SYS_fadvise64),
    ("statx", libc::SYS_statx),
    ("perf_event_open", libc::SYS_perf_event_open),
    ("getrandom", libc::SYS_getrandom),
    ("prlimit64", libc::SYS_prlimit64),
    ("membarrier", libc::SYS_membarrier),
    ("copy_file_range", libc::SYS_copy_file_range),
    ("name_to_handle_at", libc::SYS_name_to_handle_at),
    ("inotify_init1", libc::SYS_inotify_init1),
    ("fsetxattr", libc::SYS_fsetxattr),
    ("getxattr", libc::SYS_getxattr),
    ("madvise", libc::SYS_madvise),
    ("getrusage", libc::SYS_getrusage),
    ("sysinfo", libc::SYS_sysinfo),
];

/// Commands, and what they cannot do without: the call's name, where the job asks for it by name.
const COMMANDS: [(&str, &[&str]); 7] = [
    (
        "fio --name=a --filename=new --size=256k --rw=randrw --ioengine=libaio --iodepth=4 --nice=1 --prio=4 \
         --cpus_allowed=0 --fallocate=native",
        &["io_setup", "io_submit", "setpriority", "ioprio_set", "sched_setaffinity"],
    ),
    (
        "run --name=a --filename=new --size=256k --rw=randwrite --ioengine=io_uring --iodepth=4 --no-store",
        &["io_uring_setup", "io_uring_enter"],
    ),
    (
        "run --name=a --filename=new --size=256k --rw=randrw --ioengine=posixaio --iodepth=4 --lockmem=64k",
        &[],
    ),
    ("explore read --budget=0.3s --questions=depth --patterns=4k-randread --no-store --json", &[]),
    ("read --seconds=1 --json", &[]),
    ("doctor read --json", &[]),
    ("list", &[]),
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::in_memory().unwrap();
    sandbox.file("read", 4 << 20).unwrap();
    sandbox
}

fn run(args: &str, filter: Option<(libc::c_long, i32)>, dir: &Path) -> Ran {
    let mut command = Command::new(FATHOM);
    command.args(words(args)).current_dir(dir).env(DATA_HOME, dir.join("data"));
    if let Some((call, errno)) = filter {
        seccomp::forbid(&mut command, call, errno);
    }
    child::run(&mut command, LIMIT).unwrap()
}

fn cell(usual: &[Option<i32>], command: usize, (name, call): (&str, libc::c_long), errno: i32) {
    let sandbox = sandbox();
    let (args, needs) = COMMANDS[command];
    let ran = run(args, Some((call, errno)), sandbox.path());
    let what = format!("{name} answers {errno}: {args}: {ran:?}");
    assert!(!ran.overran && ran.signal.is_none() && !ran.stderr.contains("panicked"), "{what}");
    if needs.contains(&name) && ran.code != usual[command] {
        // fio's own line about a failed job stands in its report.
        let told = ran.stderr.lines().chain(ran.stdout.lines());
        let told = told.filter(|l| l.starts_with("fathom: ") || l.starts_with("fio: pid=")).count();
        assert!(ran.code == Some(1) && told > 0, "{what}");
    } else {
        assert!(ran.code == usual[command], "{what}");
    }
}

fn cells(n: Option<u64>) {
    let sandbox = sandbox();
    let usual: Vec<Option<i32>> =
        COMMANDS.iter().map(|(args, _)| run(args, None, sandbox.path()).code).collect();
    assert!(usual.iter().all(|code| code.is_some_and(|code| code <= 1)), "{usual:?}");
    let mut all = Vec::new();
    for command in 0..COMMANDS.len() {
        for call in CALLS {
            all.extend(ERRNOS.map(|errno| (command, call, errno)));
        }
    }
    if let Some(n) = n {
        let seed = u64::from(std::process::id()) ^ Instant::now().elapsed().as_nanos() as u64;
        println!("seed {seed}");
        let draw = |i: u64| (seed + i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        all = (0..n).map(|i| all[(draw(i) % all.len() as u64) as usize]).collect();
    }
    side_by_side(&all, |(command, call, errno)| cell(&usual, *command, *call, *errno));
}

#[test]
fn a_forbidden_call_ends_in_success_or_one_line() {
    cells(Some(8));
}

#[test]
#[ignore = "two minutes: 350 cells"]
fn every_forbidden_call_ends_in_success_or_one_line() {
    cells(None);
}

/// The check and the study fall back and say so; a job that asks for io_uring by name fails in fio's manner.
#[test]
fn without_io_uring_libaio_is_used_and_told() {
    skip_without!(Need::IoUring);
    let cases: Vec<(libc::c_long, i32)> = [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter]
        .into_iter()
        .flat_map(|call| ERRNOS.map(|errno| (call, errno)))
        .collect();
    side_by_side(&cases, |&(call, errno)| {
        let sandbox = sandbox();
        let dir = sandbox.path();
        let forbidden = Some((call, errno));
        let why = if errno == libc::EPERM { "Operation not permitted" } else { "Function not implemented" };
        let note = format!("io_uring may not be used here ({why}): measured with ioengine=libaio");
        let ran = run("read --seconds=1 --json", forbidden, dir);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        let card: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(card["engine"], "libaio");
        assert_eq!(card["engine_note"], note);
        assert!(card["rows"].as_array().unwrap().iter().all(|row| row["iops"].as_f64().unwrap() > 0.0));
        let ran = run("read --seconds=1", forbidden, dir);
        // Beside two caveats about a busy machine the card refers to the JSON for the rest.
        let told = ["measured with ioengine=libaio", "more caveats: see --json"];
        assert!(told.iter().any(|told| ran.stdout.contains(told)), "{ran:?}");
        let explore = "explore read --budget=0.3s --questions=depth --patterns=4k-randread --json";
        let ran = run(explore, forbidden, dir);
        let study: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((study["asked"]["engine"].as_str(), &study["notes"][0]), (Some("libaio"), &note.into()));
        let job = "--name=a --filename=read --rw=read --bs=64k --ioengine=";
        for command in ["fio", "run"] {
            let ran = run(&format!("{command} {job}io_uring"), forbidden, dir);
            let told = if command == "fio" { &ran.stdout } else { &ran.stderr };
            assert!(ran.code == Some(1) && told.contains(why), "{ran:?}");
            if call == libc::SYS_io_uring_setup {
                assert!(ran.stderr.contains("forbids io_uring: use ioengine=libaio"), "{ran:?}");
            }
        }
        if call == libc::SYS_io_uring_setup {
            let ran = run(&format!("run {job}posixaio --json"), forbidden, dir);
            assert!(
                ran.code == Some(0) && ran.stdout.contains("kernel AIO (libaio) does the I/O"),
                "{ran:?}"
            );
        }
    });
}
