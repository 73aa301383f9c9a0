//! When fathom has ended, nothing of it holds the file system: `fathom DIR; umount DIR` works.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::Running;
use testbed::{Bounded, FileSystem, Mount, Need, TOOL_LIMIT, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

fn fathom(args: &str, dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    let dir = dir.to_string_lossy();
    command.args(args.split_whitespace().map(|word| word.replace("DIR", &dir)));
    command.env_remove("HOME").env_remove("XDG_DATA_HOME").env("LC_ALL", "C");
    command
}

/// Unmounts at once, and mounts again for what comes next.
#[track_caller]
fn not_busy(mount: &Mount, what: &str) {
    let unmounted = Command::new("umount").arg(mount.path()).output_within(TOOL_LIMIT).unwrap();
    assert!(unmounted.status.success(), "{what}: {}", String::from_utf8_lossy(&unmounted.stderr));
    let device = mount.device().unwrap().path();
    let again =
        Command::new("mount").args(["-t", "ext4"]).arg(device).arg(mount.path()).output_within(TOOL_LIMIT);
    assert!(again.unwrap().status.success(), "{what}: it could not be mounted again");
}

const JOB: &str = "--name=a --filename=DIR/f --size=4m --rw=randread --bs=4k";

fn rounds(count: u32) {
    let mount = Mount::new(FileSystem::Ext4, 256 << 20).unwrap();
    std::fs::write(mount.path().join("g"), vec![7u8; 4 << 20]).unwrap();
    not_busy(&mount, "before");
    let mut lines = vec!["--seconds=1 --no-store DIR".to_owned(), "prefill --yes DIR/g".to_owned()];
    for engine in [
        "io_uring --iodepth=32",
        "io_uring --iodepth=8 --direct=1",
        "libaio --iodepth=32 --direct=1",
        "psync",
        "mmap",
    ] {
        lines.push(format!("run --no-store {JOB} --number_ios=200 --ioengine={engine}"));
        if count == 1 {
            continue;
        }
        lines.push(format!("fio {JOB} --numjobs=3 --number_ios=200 --ioengine={engine}"));
    }
    if count > 1 {
        lines.push("explore DIR --budget=4 --no-store".to_owned());
    }
    for line in &lines {
        let slow = line.starts_with("--seconds") || line.starts_with("explore");
        for round in 0..if slow { count.div_ceil(4) } else { count } {
            let out = fathom(line, mount.path()).output_within(LIMIT).unwrap();
            // A study may find its budget too short: what counts here is that it worked on files and ended.
            let ended = out.status.success() || line.starts_with("explore") && out.status.code() == Some(1);
            assert!(ended, "{line}: {}", String::from_utf8_lossy(&out.stderr));
            not_busy(&mount, &format!("{line}, round {round}"));
        }
    }
    for signal in [libc::SIGINT, libc::SIGTERM] {
        for (engine, round) in [("io_uring", 0), ("libaio", 1)].into_iter().cycle().take(count as usize) {
            let line =
                format!("fio {JOB} --iodepth=16 --direct=1 --time_based --runtime=60 --ioengine={engine}");
            let running = Running::start(&mut fathom(&line, mount.path())).unwrap();
            std::thread::sleep(Duration::from_millis(300));
            running.signal(signal);
            let ran = running.finish(LIMIT).unwrap();
            assert_eq!(ran.code, Some(128), "{line}: {ran:?}");
            not_busy(&mount, &format!("{line}, signal {signal}, {round}"));
        }
    }
}

#[test]
fn file_system_is_not_busy_once_fathom_has_ended() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    rounds(1);
}

#[test]
#[ignore = "long: twenty rounds of every command and engine"]
fn file_system_is_not_busy_in_any_of_twenty_rounds() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    rounds(20);
}
