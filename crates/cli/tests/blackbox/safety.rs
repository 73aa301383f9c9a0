//! Refusals as a user meets them, and what a process that was killed leaves behind.

use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};
use testbed::bounded::wait_within;
use testbed::{Bounded, LoopDevice, Need, Sandbox, TOOL_LIMIT, loopdev::Setup, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");

/// Without a home there is no store: what tests measure is not for that of whoever runs them.
fn homeless() -> Command {
    let mut command = Command::new(FATHOM);
    command.env_remove("HOME").env_remove("XDG_DATA_HOME").env("LC_ALL", "C");
    command
}

fn fathom(args: &[&str]) -> Output {
    homeless().args(args).env_remove("FATHOM_FIO_UNGUARDED").output_within(TOOL_LIMIT).unwrap()
}

#[test]
fn refusal_is_status_3_and_one_line_and_writes_nothing() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let device = LoopDevice::sparse(16 << 20, Setup::default()).unwrap();
    let path = device.path().to_str().unwrap();
    assert!(
        Command::new("/usr/sbin/mkfs.ext4")
            .args(["-q", path])
            .output_within(TOOL_LIMIT)
            .unwrap()
            .status
            .success()
    );
    let before = std::fs::read(device.path()).unwrap();
    let target = format!("--filename={path}");
    let job = ["--name=w", "--rw=randwrite", "--bs=4k", "--size=1m", target.as_str()];
    let as_fio = || {
        let mut command = Command::new(FATHOM);
        command.arg0("fio").args(job).env_remove("FATHOM_FIO_UNGUARDED").output_within(TOOL_LIMIT).unwrap()
    };
    let json = [&["fio", "--output-format=json"][..], &job].concat();
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.join("job.fio");
    std::fs::write(&file, format!("[w]\nrw=write\nsize=1m\nfilename={path}\n")).unwrap();
    let outs = [
        fathom(&[&["fio"][..], &job].concat()),
        fathom(&[&["run"][..], &job].concat()),
        fathom(&json),
        fathom(&["fio", file.to_str().unwrap()]),
        as_fio(),
    ];
    for out in outs {
        let (said, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        assert_eq!(out.status.code(), Some(3), "{said}{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(
            err.contains("ext4 file system") && err.contains(&format!("--allow-destroy={path}")),
            "{err}"
        );
        assert!(!said.contains("Run status"), "{said}");
    }
    assert!(std::fs::read(device.path()).unwrap() == before, "the device changed");
    // Each way to insist works, and only for the device that it names.
    assert_eq!(fathom(&[&["fio", "--allow-destroy=/dev/null"][..], &job].concat()).status.code(), Some(3));
    let unguarded = Command::new(FATHOM)
        .arg("fio")
        .args(job)
        .env("LC_ALL", "C")
        .env("FATHOM_FIO_UNGUARDED", "1")
        .output_within(TOOL_LIMIT)
        .unwrap();
    assert_eq!(unguarded.status.code(), Some(0), "{}", String::from_utf8_lossy(&unguarded.stderr));
    let insist = format!("--allow-destroy={path}");
    for command in ["fio", "run"] {
        let out = fathom(&[&[command, insist.as_str()][..], &job].concat());
        assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    }
    assert!(std::fs::read(device.path()).unwrap() != before);
}

#[test]
fn our_own_run_does_not_overwrite_a_letter_and_fathom_fio_follows_fio() {
    let sandbox = Sandbox::new().unwrap();
    let letter = sandbox.join("letter");
    std::fs::write(&letter, vec![b'x'; 1 << 20]).unwrap();
    let target = format!("--filename={}", letter.display());
    let job = ["--name=w", "--rw=write", "--bs=4k", "--size=64k", target.as_str()];
    let out = fathom(&[&["run"][..], &job].concat());
    assert_eq!(out.status.code(), Some(3), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(std::fs::read(&letter).unwrap().iter().all(|b| *b == b'x'));
    assert_eq!(fathom(&[&["fio"][..], &job].concat()).status.code(), Some(0));
    let text = std::fs::read(&letter).unwrap();
    assert!(text[..65536].iter().any(|b| *b != b'x') && text[65536..].iter().all(|b| *b == b'x'));
}

/// A number of milliseconds that differs from run to run; printed, so that a failure can be tried again.
fn moment(round: u32, most: u64) -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let mixed = (u64::from(now.subsec_nanos()) ^ u64::from(round)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let moment = Duration::from_millis(mixed % most);
    println!("round {round}: killed after {moment:?}");
    moment
}

fn kill_after(args: &[&str], wait: Duration) {
    let mut child = homeless().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(wait);
    child.kill().unwrap();
    wait_within(&mut child, TOOL_LIMIT).unwrap();
}

fn claim(device: &Path) -> bool {
    let exclusive = rustix::fs::OFlags::EXCL.bits() as i32;
    let began = Instant::now();
    // The kernel ends what was in flight before the descriptors go.
    while began.elapsed() < Duration::from_secs(10) {
        if std::fs::File::options().read(true).custom_flags(exclusive).open(device).is_ok() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn kill_at_any_moment_leaves_no_claim_and_no_scratch_file() {
    skip_without!(Need::Loop);
    let device = LoopDevice::sparse(64 << 20, Setup::default()).unwrap();
    let target = format!("--filename={}", device.path().display());
    let writes = [
        "fio",
        "--name=w",
        "--rw=randwrite",
        "--bs=4k",
        "--direct=1",
        "--ioengine=io_uring",
        "--iodepth=32",
        target.as_str(),
    ];
    let long = [&writes[..], &["--time_based", "--runtime=60"]].concat();
    let sandbox = Sandbox::new().unwrap();
    let here = sandbox.path().to_str().unwrap();
    for round in 0..20 {
        if round % 2 == 0 {
            kill_after(&long, moment(round, 400));
            assert!(claim(device.path()), "round {round}: somebody still holds the device");
        } else {
            kill_after(&[here], moment(round, 1500));
            let left: Vec<_> = std::fs::read_dir(here).unwrap().flatten().map(|e| e.path()).collect();
            assert!(left.is_empty(), "round {round}: left {left:?}");
        }
    }
    let out = fathom(&[&writes[..], &["--size=1m"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn a_layout_that_was_killed_is_done_again_and_not_taken_for_a_whole_file() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.join("r.0.0");
    let directory = format!("--directory={}", sandbox.path().display());
    let job =
        ["fio", "--name=r", "--rw=randread", "--bs=4k", "--size=400m", "--number_ios=10", directory.as_str()];
    let mut child =
        Command::new(FATHOM).args(job).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    let size = || std::fs::metadata(&path).map_or(0, |m| m.len());
    while size() < 4 << 20 && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let too_late = child.try_wait().unwrap().is_some();
    child.kill().unwrap();
    wait_within(&mut child, TOOL_LIMIT).unwrap();
    if too_late {
        return testbed::skip("this disk lays out 400 MiB before a process can be killed");
    }
    let half = size();
    let out = fathom(&job);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(String::from_utf8_lossy(&out.stdout).contains("Laying out"), "taken for whole at {half} bytes");
    let file = std::fs::File::open(&path).unwrap();
    let mut last = [0u8; 4096];
    file.read_exact_at(&mut last, (400 << 20) - 4096).unwrap();
    assert!(last.iter().any(|b| *b != 0));
}

#[test]
fn measures_a_cap_that_the_cgroup_sets_is_said_with_its_figure() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let capped = testbed::CappedLoop::new(8 << 20, testbed::Cap::ReadIops(5000)).unwrap();
    let target = format!("--filename={}", capped.device.path().display());
    let job = [
        "fio",
        "--name=r",
        "--rw=randread",
        "--bs=4k",
        "--direct=1",
        "--number_ios=10",
        "--output-format=json",
        target.as_str(),
    ];
    let out = capped.command(Path::new(FATHOM)).unwrap().args(job).output_within(TOOL_LIMIT).unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
    let said = String::from_utf8(out.stdout).unwrap();
    let line = format!("the cgroup of this process limits {} to 5000 reads/s", capped.device.name());
    assert!(said.contains(&line), "{said}");
    let free = String::from_utf8(fathom(&job).stdout).unwrap();
    assert!(!free.contains("cgroup of this process limits") && free.contains("\"jobs\""), "{free}");
}

#[test]
fn a_device_whose_bytes_another_device_or_program_uses_is_refused() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let sandbox = Sandbox::in_memory().unwrap();
    let backing = sandbox.sparse("backing", 24 << 20).unwrap();
    let device = LoopDevice::from_file(&backing, Setup::default()).unwrap();
    let path = device.path().to_str().unwrap();
    let before = std::fs::read(&backing).unwrap();
    let refused = |part: &str| {
        for command in ["run", "fio"] {
            let name = format!("--filename={path}");
            let out =
                fathom(&[command, "--name=w", "--rw=write", "--bs=64k", "--size=8m", "--offset=1m", &name]);
            let err = String::from_utf8_lossy(&out.stderr);
            assert!(out.status.code() == Some(3) && err.contains(part), "{command}: {err}");
        }
    };
    let second = LoopDevice::from_file(&backing, Setup::default()).unwrap();
    refused("uses the same part of the same file");
    drop(second);
    let open = std::fs::File::options().read(true).write(true).open(device.path()).unwrap();
    let mut sleeping = Command::new("sleep").arg("60").stdin(Stdio::from(open)).spawn().unwrap();
    refused("has it open for writing");
    sleeping.kill().unwrap();
    wait_within(&mut sleeping, TOOL_LIMIT).unwrap();
    assert!(before == std::fs::read(&backing).unwrap(), "something was written");
    drop(device);
    // A disk whose partition table is lost.
    let image = sandbox.sparse("image", 16 << 20).unwrap();
    let made = Command::new("/usr/sbin/mkfs.ext4").arg("-q").arg(&image).output_within(TOOL_LIMIT).unwrap();
    assert!(made.status.success());
    let bytes = std::fs::read(&image).unwrap();
    for begin in [1 << 20, 2 << 20] {
        let disk = LoopDevice::sparse(24 << 20, Setup::default()).unwrap();
        std::fs::File::options().write(true).open(disk.path()).unwrap().write_all_at(&bytes, begin).unwrap();
        let name = format!("--filename={}", disk.path().display());
        let out = fathom(&["fio", "--name=w", "--rw=write", "--bs=64k", "--size=8m", &name]);
        let err = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.code() == Some(3) && err.contains("ext4"), "{err}");
    }
}

/// An empty file that another program has open is about to hold data; one that is not open keeps its inode and mode.
#[test]
fn empty_file_is_refused_while_open_and_keeps_its_inode() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.join("dump");
    let other = std::fs::File::create(&path).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::fs::hard_link(&path, sandbox.join("link")).unwrap();
    let before = std::fs::metadata(&path).unwrap();
    let target = format!("--filename={}", path.display());
    let read = ["run", "--no-store", "--name=a", "--size=64k", "--rw=read", target.as_str()];
    let refused = fathom(&read);
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    drop(other);
    let ran = fathom(&read);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let after = std::fs::metadata(&path).unwrap();
    assert_eq!((after.ino(), after.mode(), after.nlink()), (before.ino(), before.mode(), 2));
    assert_eq!(std::fs::metadata(sandbox.join("link")).unwrap().len(), 64 << 10);
}

/// A write to a file of the kernel is a command to it.
#[test]
fn file_of_the_kernel_is_refused() {
    for rw in ["read", "write"] {
        let rw = format!("--rw={rw}");
        let job = ["run", "--no-store", "--name=a", "--size=4k", "--filename=/proc/self/oom_score_adj", &rw];
        let ran = fathom(&job);
        assert_eq!(ran.status.code(), Some(3), "{ran:?}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains("is an interface of the kernel"), "{ran:?}");
    }
}

/// The result of a job that failed has no grade but X, with an engine that uses no files, too.
#[test]
fn failed_job_has_grade_x() {
    let ran = fathom(&["run", "--no-store", "--name=a", "--ioengine=exec"]);
    assert!(String::from_utf8_lossy(&ran.stdout).contains("trust        X"), "{ran:?}");
}

/// `--job` of explore is an output: a job file of the user is not replaced.
#[test]
fn explore_does_not_replace_a_job_file_of_the_user() {
    let sandbox = Sandbox::new().unwrap();
    sandbox.put("my.fio", "[mine]\n").unwrap();
    let path = sandbox.join("my.fio");
    let job = format!("--job={}", path.display());
    let ran = fathom(&["explore", "model:servers=2", "--budget=5", "--no-store", &job]);
    assert_eq!(ran.status.code(), Some(3), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "[mine]\n");
}
