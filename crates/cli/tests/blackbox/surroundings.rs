//! Poor surroundings: no /proc, no /sys, hardly any CPU, a full disk. The right status, clear lines, no panic, no hang.

use crate::common::{side_by_side, words};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, DATA_HOME, Ran};
use testbed::{Cgroup, FileSystem, Mount, Need, Sandbox, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const LIMIT: Duration = Duration::from_secs(40);
const FIO: &str = "fio --name=a --filename=new --size=256k --rw=randrw --iodepth=4 --ioengine=";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::in_memory().unwrap();
    sandbox.file("read", 4 << 20).unwrap();
    sandbox
}

fn calm(ran: &Ran, what: &str) {
    assert!(!ran.overran && ran.signal.is_none() && !ran.stderr.contains("panicked"), "{what}: {ran:?}");
    assert!(
        ran.code == Some(0) || what.starts_with("doctor") || !ran.stderr.trim().is_empty(),
        "{what} fails without a word: {ran:?}"
    );
}

/// With an empty directory over `hidden`, in a mount namespace of the child's own.
fn without(hidden: &str, args: &str, dir: &Path) -> Ran {
    let script = "mount --make-rprivate / && mount -n -t tmpfs none \"$0\" && exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", script, hidden, FATHOM]).args(words(args));
    child::run(command.current_dir(dir).env(DATA_HOME, dir.join("data")), LIMIT).unwrap()
}

#[test]
fn without_proc_or_sys_a_job_runs_and_a_command_tells() {
    skip_without!(Need::Root, Need::Program("unshare"));
    let mut cases = Vec::new();
    for hidden in ["/proc", "/sys"] {
        for (args, status) in [
            (format!("{FIO}psync"), Some(0)),
            (format!("{FIO}libaio"), Some(0)),
            (format!("{FIO}io_uring --output-format=json"), Some(0)),
            ("run --name=a --filename=new --size=256k --rw=write --bs=4k".into(), Some(0)),
            ("read --seconds=1".into(), Some(0)),
            (". --seconds=1".into(), None),
            ("explore read --budget=0.3s --questions=depth --patterns=4k-randread".into(), None),
            ("doctor read".into(), None),
            ("list".into(), Some(0)),
        ] {
            cases.push((hidden, args, status));
        }
    }
    side_by_side(&cases, |(hidden, args, status)| {
        let sandbox = sandbox();
        let ran = without(hidden, args, sandbox.path());
        let what = format!("{args} without {hidden}");
        assert!(!ran.overran && ran.signal.is_none() && !ran.stderr.contains("panicked"), "{what}: {ran:?}");
        assert!(ran.code.is_some_and(|code| code <= 1), "{what}: {ran:?}");
        assert!(
            ran.code != Some(1) || !(ran.stderr.clone() + &ran.stdout).trim().is_empty(),
            "{what}: {ran:?}"
        );
        assert!(status.is_none() || ran.code == *status, "{what}: {ran:?}");
    });
    assert!(
        Path::new("/proc/self").exists() && Path::new("/sys/block").exists(),
        "the host has lost something"
    );
}

#[test]
fn a_full_disk_is_one_line_and_the_result_is_printed() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Tmpfs, 2 << 20).unwrap();
    let dir = mount.path();
    std::fs::write(dir.join("read"), vec![7; 1 << 20]).unwrap();
    std::fs::write(dir.join("ballast"), vec![1; (1 << 20) - 16384]).unwrap();
    for (args, status, part) in [
        (format!("{FIO}psync --rw=write --end_fsync=1"), 1, "No space left on device"),
        ("run --name=a --filename=new --size=1m --rw=write --bs=4k --no-store".into(), 3, "refused: space"),
        (". --seconds=1".into(), 1, "MiB"),
        ("read --seconds=1".into(), 0, "not stored"),
        ("explore read --budget=0.3s --questions=depth --patterns=4k-randread".into(), 1, "not stored"),
        (
            "fio --name=a --ioengine=null --size=1m --output=report --output-format=json".into(),
            5,
            "No space left",
        ),
        ("doctor read".into(), 0, ""),
    ] {
        let ran = child::run(
            Command::new(FATHOM).args(words(&args)).current_dir(dir).env(DATA_HOME, dir.join("data")),
            LIMIT,
        )
        .unwrap();
        calm(&ran, &args);
        let doctor = args.starts_with("doctor");
        assert!(ran.code == Some(status) || doctor && ran.code == Some(1), "{args}: {ran:?}");
        assert!(ran.stderr.contains(part), "{args}: {ran:?}");
    }
}

#[test]
fn with_five_percent_of_a_cpu_everything_ends() {
    skip_without!(Need::CpuCgroup);
    let group = Cgroup::with_cpu_quota(5).unwrap();
    let cases = [
        "fio --name=a --filename=read --rw=randread --bs=4k --number_ios=64 --ioengine=psync",
        "run --name=a --filename=read --rw=randread --bs=4k --number_ios=64 --no-store",
        "list",
        "show R1",
    ];
    let sandbox = sandbox();
    for args in cases {
        let mut command = Command::new(FATHOM);
        group.enter(&mut command).unwrap();
        command.args(words(args)).current_dir(sandbox.path()).env(DATA_HOME, sandbox.join("data"));
        let ran = child::run(&mut command, LIMIT).unwrap();
        calm(&ran, args);
        assert_eq!(ran.code, Some(i32::from(args == "show R1")), "{args}: {ran:?}");
    }
}
