//! Priorities of single I/Os, as the kernel sees them.

use crate::common::{fathom, words};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

/// The requests that libaio submits: a line each.
fn requests(args: &str) -> Vec<String> {
    let sandbox = Sandbox::new().unwrap();
    let trace = sandbox.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-v", "-e", "trace=io_submit", "-e", "abbrev=none", "-o"]).arg(&trace);
    command.arg(fathom().get_program()).arg("fio");
    command.args(words(&format!("--name=c --ioengine=libaio --size=4m --iodepth=4 {args}")));
    let ran = run(command.current_dir(sandbox.path()), LIMIT).unwrap();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args}: {ran:?}");
    let text = std::fs::read_to_string(trace).unwrap();
    text.split("aio_data=").skip(1).map(str::to_owned).collect()
}

/// Percent of the requests of a kind that carry a priority.
fn percent(requests: &[String], kind: &str, priority: &str) -> usize {
    let of_kind: Vec<&String> = requests.iter().filter(|r| r.contains(kind)).collect();
    let with = of_kind.iter().filter(|r| r.contains(priority) && r.contains("IOCB_FLAG_IOPRIO")).count();
    with * 100 / of_kind.len().max(1)
}

#[test]
fn requests_of_libaio_carry_the_priorities_asked_for() {
    // The real-time class is the default, and root's.
    skip_without!(Need::Root, Need::Program("strace"));
    let (read, write) = ("IOCB_CMD_PREAD", "IOCB_CMD_PWRITE");
    let rt = |level: u8| format!("IOPRIO_PRIO_VALUE(IOPRIO_CLASS_RT, {level})");
    let be = |level: u8| format!("IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, {level})");
    let near = |got: usize, wanted: usize| assert!(got.abs_diff(wanted) <= 9, "{got} for {wanted} percent");
    let all = requests("--rw=randrw --bs=4k --cmdprio_percentage=50,20 --cmdprio=3,1");
    near(percent(&all, read, &rt(3)), 50);
    near(percent(&all, write, &rt(1)), 20);
    let all = requests("--rw=randread --bs=4k --cmdprio_percentage=100 --cmdprio_class=2 --cmdprio=6");
    assert_eq!(percent(&all, read, &be(6)), 100);
    // No class is best effort.
    let all = requests("--rw=randread --bs=4k --cmdprio_bssplit=4k/100/0/5");
    assert_eq!(percent(&all, read, &be(5)), 100);
    let all = requests("--rw=randread --bssplit=4k/50:8k/50 --cmdprio_bssplit=4k/60/1/2:4k/40/2/5:16k/100");
    let (four, eight): (Vec<String>, Vec<String>) =
        all.into_iter().partition(|r| r.contains("aio_nbytes=4096"));
    near(percent(&four, read, &rt(2)), 60);
    near(percent(&four, read, &be(5)), 40);
    assert_eq!(percent(&eight, read, "IOPRIO"), 0);
    for plain in ["", "--cmdprio_class=1 --cmdprio=2"] {
        let all = requests(&format!("--rw=randrw --bs=4k {plain}"));
        assert_eq!(percent(&all, "IOCB_CMD", "IOPRIO"), 0, "{plain}");
    }
}

/// io_uring's requests are not to be seen from outside, but a user without rights may not ask for the real-time class,
/// and may for the best-effort one.
#[test]
fn requests_of_io_uring_carry_them_too() {
    skip_without!(Need::Root, Need::IoUring);
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("readable", 64 << 10).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    std::fs::set_permissions(sandbox.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let read = |args: &str| -> Ran {
        let job = format!("--name=c --rw=read --bs=4k --uid=65534 {args} --filename={}", path.display());
        run(fathom().args(words(&job)).current_dir(sandbox.path()), LIMIT).unwrap()
    };
    for engine in ["io_uring", "libaio"] {
        let refused = read(&format!("--ioengine={engine} --cmdprio_percentage=100"));
        assert!(refused.code == Some(1) && refused.stdout.contains("err= 1"), "{engine}: {refused:?}");
        for args in ["--cmdprio_percentage=100 --cmdprio_class=2", "--cmdprio_percentage=0", ""] {
            assert_eq!(read(&format!("--ioengine={engine} {args}")).code, Some(0), "{engine} {args}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused_in_fios_words_and_ours() {
    let sandbox = Sandbox::new().unwrap();
    for (args, said) in [
        ("--cmdprio_bssplit=foo", "fio: split conversion failed\nfio: failed to parse cmdprio_bssplit entry"),
        ("--cmdprio_bssplit=4k/60:4k/60", "fio: cmdprio_bssplit total percentage for bs: 4096 exceeds 100"),
        ("--cmdprio_bssplit=4k/60 --cmdprio_percentage=5", "cannot be combined with cmdprio_percentage"),
        ("--cmdprio_class=4", "fio: failed parsing cmdprio_class=4"),
        ("--cmdprio_percentage=101", "fio: failed parsing cmdprio_percentage=101"),
    ] {
        let job = format!("--name=c --size=16k --ioengine=libaio {args}");
        let ran = run(fathom().args(words(&job)).current_dir(sandbox.path()), LIMIT).unwrap();
        assert!(ran.code == Some(1) && ran.stderr.contains(said), "{args}: {ran:?}");
    }
}
