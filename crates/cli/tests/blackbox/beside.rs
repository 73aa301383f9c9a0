//! Beside fio: what its report hardly shows.

use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::{Bounded, FileSystem, LoopDevice, Mount, Need, Sandbox, TOOL_LIMIT, skip_without};

const LIMIT: Duration = Duration::from_secs(30);
const OURS: &str = env!("CARGO_BIN_EXE_fathom");

/// Both tools: the program and the words before its arguments.
fn tools() -> [(&'static str, &'static [&'static str]); 2] {
    [("fio", &[]), (OURS, &["fio"])]
}

/// Samples of bandwidth and rate in a second; fio keeps a short period of bandwidth where that of the rate is as short.
#[test]
fn measures_periods_of_samples_are_kept() {
    skip_without!(Need::Program("fio"));
    for (periods, wanted) in [
        (["--bwavgtime=50", "--iopsavgtime=50"], [12..=20, 12..=20]),
        (["--bwavgtime=500", "--iopsavgtime=100"], [1..=2, 7..=10]),
    ] {
        for (program, first) in tools() {
            let mut command = Command::new(program);
            command.args(first).args(["--output-format=json", "--name=a", "--ioengine=null", "--size=4g"]);
            command.args(["--time_based", "--runtime=1"]).args(periods);
            let ran = run(&mut command, LIMIT).unwrap();
            let read = serde_json::from_str::<Value>(&ran.stdout).unwrap()["jobs"][0]["read"].clone();
            let samples = ["bw_samples", "iops_samples"].map(|key| read[key].as_u64().unwrap());
            // On a busy machine some come late.
            let kept = wanted.iter().zip(samples).all(|(wanted, n)| wanted.contains(&n));
            assert!(kept, "{program} {periods:?}: {samples:?}");
        }
    }
}

/// What io_uring is asked to register: buffers and files.
fn registered(program: &str, first: &[&str], args: &str) -> [bool; 2] {
    let sandbox = Sandbox::new().unwrap();
    let trace = sandbox.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-e", "trace=io_uring_register", "-o"]).arg(&trace).arg(program).args(first);
    command.args(["--name=a", "--ioengine=io_uring", "--rw=randread", "--size=64k", "--iodepth=2"]);
    let ran = run(command.args(args.split(' ')).current_dir(sandbox.path()), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{args}: {ran:?}");
    let text = std::fs::read_to_string(trace).unwrap();
    let asked = |what: &str| text.lines().any(|line| line.contains(what));
    [asked("IORING_REGISTER_BUFFERS,"), asked("IORING_REGISTER_FILES,")]
}

#[test]
fn buffers_and_files_are_registered_as_asked() {
    skip_without!(Need::Program("fio"), Need::Program("strace"));
    for (args, wanted) in [
        ("--fixedbufs --registerfiles", [true, true]),
        ("--fixedbufs=1 --registerfiles=0", [true, false]),
        ("--fixedbufs=0 --registerfiles=1", [false, true]),
        ("--nonvectored=0 --registerfiles=0", [false, false]),
    ] {
        for (program, first) in tools() {
            assert_eq!(registered(program, first, args), wanted, "{program} {args}");
        }
    }
}

/// Names of the disks that a report of two jobs has, the second one with disk_util=0.
#[test]
fn disks_are_those_of_the_jobs_that_ask() {
    skip_without!(Need::Loop, Need::Program("fio"));
    let (one, two) = (LoopDevice::new(1 << 20).unwrap(), LoopDevice::new(1 << 20).unwrap());
    for (first_asks, wanted) in [("1", vec![one.name()]), ("0", vec![])] {
        for (program, first) in tools() {
            let mut command = Command::new(program);
            command.args(first).args(["--output-format=json", "--thread", "--rw=read", "--name=a"]);
            command.arg(format!("--filename={}", one.path().display()));
            command.arg(format!("--disk_util={first_asks}"));
            command.arg("--name=b").arg(format!("--filename={}", two.path().display()));
            let ran = run(command.arg("--disk_util=0"), LIMIT).unwrap();
            let document: Value = serde_json::from_str(&ran.stdout).unwrap();
            let disks = document["disk_util"].as_array().cloned().unwrap_or_default();
            let names: Vec<&str> = disks.iter().filter_map(|disk| disk["name"].as_str()).collect();
            assert_eq!(names, wanted, "{program} {first_asks}");
        }
    }
}

/// The least and the most of a latency are whole microseconds where gettimeofday is read, and not where other clocks are.
#[test]
fn a_clock_of_microseconds_shows() {
    skip_without!(Need::Program("fio"));
    for (source, whole) in [("gettimeofday", true), ("clock_gettime", false), ("cpu", false)] {
        for (program, first) in tools() {
            let sandbox = Sandbox::new().unwrap();
            let mut command = Command::new(program);
            command.args(first).args(["--output-format=json", "--name=a", "--rw=read", "--size=1m"]);
            command.arg(format!("--clocksource={source}")).current_dir(sandbox.path());
            let ran = run(&mut command, LIMIT).unwrap();
            let job = serde_json::from_str::<Value>(&ran.stdout).unwrap()["jobs"][0].clone();
            let clat = &job["read"]["clat_ns"];
            let ends = ["min", "max"].map(|key| clat[key].as_u64().unwrap());
            assert_eq!(clat["N"].as_u64(), Some(256), "{program}");
            assert_eq!(ends.iter().all(|end| end % 1000 == 0), whole, "{program} {source}: {ends:?}");
        }
    }
}

/// Runs a tool in a new file system: status, its JSON, lines of standard error, and what is left.
fn in_small(kind: FileSystem, mib: u64, program: &str, args: &str) -> (Option<i32>, Value, String, Vec<u64>) {
    let mount = Mount::new(kind, mib << 20).unwrap();
    let mut command = Command::new(program);
    command.args(if program == "fio" { [].as_slice() } else { &["fio"] });
    command.args(["--output-format=json"]).args(args.split(' ')).current_dir(mount.path());
    let ran = run(&mut command, LIMIT).unwrap();
    let text = &ran.stdout[ran.stdout.find("{\n").unwrap()..];
    let files = std::fs::read_dir(mount.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap());
    let mut sizes: Vec<u64> = files.filter(|meta| meta.is_file()).map(|meta| meta.len()).collect();
    sizes.sort_unstable();
    (
        ran.code,
        serde_json::from_str(text).unwrap(),
        ran.stderr + &ran.stdout[..ran.stdout.len() - text.len()],
        sizes,
    )
}

/// What was filled is read, all of it and nothing more; where a job writes too it goes on until there is no room.
#[test]
fn a_device_is_filled_and_read() {
    skip_without!(Need::Program("fio"), Need::Loop, Need::Program("mkfs.ext4"));
    let jobs = |report: &Value| -> Vec<Vec<u64>> {
        let counts = |job: &Value| {
            let ios = ["read", "write"].map(|direction| job[direction]["total_ios"].as_u64().unwrap());
            [ios.as_slice(), &[job["error"].as_u64().unwrap()]].concat()
        };
        report["jobs"].as_array().unwrap().iter().map(counts).collect()
    };
    for args in [
        "--rw=read",
        "--rw=randread --bs=64k",
        "--rw=read --size=32m",
        "--rw=read --io_size=12m",
        "--rw=read --numjobs=2",
        "--rw=read --filename=x --numjobs=2",
        "--rw=read --nrfiles=2",
        "--rw=read --create_serialize=0",
        "--rw=write --overwrite=1",
    ] {
        let args = format!("--name=a --fill_device=1 {args}");
        let (ours, fios) =
            (in_small(FileSystem::Tmpfs, 8, OURS, &args), in_small(FileSystem::Tmpfs, 8, "fio", &args));
        assert_eq!((ours.0, jobs(&ours.1), ours.3), (fios.0, jobs(&fios.1), fios.3), "{args}");
    }
    let (code, report, _, sizes) =
        in_small(FileSystem::Ext4, 64, OURS, "--name=a --fill_device=1 --rw=read --bs=64k");
    assert_eq!((code, jobs(&report)), (Some(0), vec![vec![sizes[0] / 65536, 0, 0]]));
    let (code, _, said, _) = in_small(FileSystem::Tmpfs, 8, OURS, "--name=a --fill_device=1 --rw=randwrite");
    assert!(code == Some(1) && said.contains("random writes need size="), "{said}");
}

/// Each error that a job lets pass has a line, however many there are.
#[test]
fn every_error_is_told() {
    skip_without!(Need::Program("fio"), Need::Root);
    let args = "--name=a --rw=write --bs=64k --size=4m --fallocate=none --ignore_error=,ENOSPC --error_dump=";
    for program in [OURS, "fio"] {
        for (dump, lines) in [(0, 0), (1, 48)] {
            let (code, report, said, _) = in_small(FileSystem::Tmpfs, 1, program, &format!("{args}{dump}"));
            assert_eq!(code, Some(0), "{program} {said}");
            assert_eq!(report["jobs"][0]["total_err"].as_u64(), Some(48), "{program}");
            assert_eq!(
                said.matches("io_u error on file a.0.0: No space left on device: write").count(),
                lines,
                "{program}"
            );
        }
    }
}

/// The files of a job are made before the first job begins, or when its own turn comes.
#[test]
fn files_are_laid_out_in_turn() {
    skip_without!(Need::Program("fio"), Need::Program("strace"));
    for (serialize, wanted) in [(1, "a+ b+ a b"), (0, "a+ a b+ b")] {
        for (program, first) in tools() {
            let sandbox = Sandbox::new().unwrap();
            let trace = sandbox.join("trace");
            let mut command = Command::new("strace");
            command.args(["-f", "-e", "trace=openat,open", "-o"]).arg(&trace).arg(program).args(first);
            command.arg(format!("--create_serialize={serialize}"));
            command.args([
                "--name=a",
                "--rw=read",
                "--size=1m",
                "--name=b",
                "--rw=read",
                "--size=1m",
                "--stonewall",
            ]);
            let ran = run(command.current_dir(sandbox.path()), LIMIT).unwrap();
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let text = std::fs::read_to_string(&trace).unwrap();
            // Ours looks at them meanwhile; a job's own open writes no access times.
            let own =
                |line: &&str| program == "fio" || line.contains("O_CREAT") || line.contains("O_NOATIME");
            let opened = text.lines().filter(own).filter_map(|line| {
                let name =
                    ["a.0.0", "b.0.0"].into_iter().find(|name| line.contains(&format!("\"{name}\"")))?;
                Some(format!("{}{}", &name[..1], if line.contains("O_CREAT") { "+" } else { "" }))
            });
            assert_eq!(opened.collect::<Vec<_>>().join(" "), wanted, "{program} {serialize}");
        }
    }
}

/// A layout that fails takes its own job with it, early or late.
#[test]
fn a_late_layout_fails_as_an_early_one() {
    skip_without!(Need::Program("fio"), Need::Root);
    let cases = [
        ("--directory=ro", "error=Read-only file system"),
        ("--filename=ro/sub/x", "fio: failed to create dir"),
    ];
    for (serialize, (place, why)) in [1, 0].into_iter().flat_map(|s| cases.map(|case| (s, case))) {
        let seen = tools().map(|(program, first)| {
            let sandbox = Sandbox::new().unwrap();
            let at = sandbox.join("ro");
            std::fs::create_dir(&at).unwrap();
            let mut mount = Command::new("mount");
            assert!(
                mount
                    .args(["-t", "tmpfs", "-o", "ro", "none"])
                    .arg(&at)
                    .output_within(TOOL_LIMIT)
                    .unwrap()
                    .status
                    .success()
            );
            let mut command = Command::new(program);
            command.args(first).args(["--output-format=normal", &format!("--create_serialize={serialize}")]);
            command.args(["--name=a", place, "--rw=read", "--size=64k"]);
            command.args(["--name=b", "--directory=.", "--rw=read", "--size=64k", "--stonewall"]);
            let ran = run(command.current_dir(sandbox.path()), LIMIT).unwrap();
            let said = ran.stdout + &ran.stderr;
            assert!(said.contains(why), "{program}: {said}");
            let told = ["a: Laying out", "b: Laying out", "a: (groupid=", "b: (groupid=", "err=30/file:"];
            (ran.code, told.map(|line| said.contains(line)), said.contains("issued rwts: total=16,0,0,0"))
        });
        // Where no directory could be made fio's late job is lost without an error.
        let [fios, ours] = seen;
        assert_eq!((ours.1, ours.2), (fios.1, fios.2), "{serialize} {place}");
        assert_eq!(ours.0, Some(1), "{serialize} {place}");
    }
}
