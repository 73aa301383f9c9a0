//! What goes wrong while a run goes on, tried on the program itself: signals, full disks, files cut short, devices
//! that fail, transfer half, or never answer, and the program killed at any moment. Where fio has an answer for the
//! same disk, it is asked.

use crate::common::{document, fathom, words};
use serde_json::Value;
use std::fs::File;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::fuse::{Faults, FuseDisk, Model, Rule};
use testbed::loopdev::Setup;
use testbed::{FileSystem, LoopDevice, Mount, Need, Sandbox, skip_without};

const ENGINES: [&str; 3] = ["psync", "libaio", "io_uring"];
const LIMIT: Duration = Duration::from_secs(40);

fn fio(args: &str) -> Command {
    let mut command = fathom();
    command.args(words(args));
    command
}

fn oracle(args: &str) -> Command {
    let mut command = Command::new("/usr/bin/fio");
    command.args(words(args));
    command
}

/// Ended by itself, with this status.
#[track_caller]
fn ended(ran: &Ran, code: i32) {
    assert!(!ran.overran && ran.code == Some(code), "wanted status {code}: {ran:#?}");
}

/// fio's report in full: from the job's header to the group's summary.
#[track_caller]
fn full_text(ran: &Ran) {
    for part in ["IOPS=", "clat percentiles", "cpu          :", "issued rwts: total=", "Run status group 0"] {
        assert!(ran.stdout.contains(part), "the report lacks {part:?}: {ran:#?}");
    }
}

#[track_caller]
fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no count"))
}

#[test]
fn interrupted_and_terminated_runs_report_in_full_and_end_with_128() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("target", 8 << 20).unwrap();
    let mut running = Vec::new();
    for engine in ENGINES {
        for signal in [libc::SIGINT, libc::SIGTERM] {
            for format in ["normal", "json"] {
                let args = format!(
                    "--name=a --filename={} --size=8M --rw=randread --bs=4k --ioengine={engine} --iodepth=4 \
                     --runtime=60 --time_based --thinktime=0 --output-format={format}",
                    file.display()
                );
                let args = args.replace("--thinktime=0 ", "");
                running.push((signal, format, Running::start(&mut fio(&args)).unwrap()));
            }
        }
    }
    std::thread::sleep(Duration::from_millis(1500));
    running.iter().for_each(|(signal, _, program)| program.signal(*signal));
    for (signal, format, program) in running {
        let ran = program.finish(LIMIT).unwrap();
        ended(&ran, 128);
        let told: Vec<&str> = ran.stderr.lines().filter(|l| l.contains("terminating")).collect();
        assert_eq!(told, [format!("fio: terminating on signal {signal}")], "{ran:#?}");
        if format == "normal" {
            full_text(&ran);
            assert!(ran.stdout.contains("err= 0"), "{ran:#?}");
        } else {
            assert!(ran.stdout.starts_with("{\n") && ran.stdout.ends_with("\n}\n"), "{ran:#?}");
            let job = &document(&ran)["jobs"][0];
            assert_eq!(number(&job["error"]), 0);
            let ios = number(&job["read"]["total_ios"]);
            assert!(ios > 0 && number(&job["read"]["io_bytes"]) == ios * 4096, "{}", job["read"]);
            assert!((1..5000).contains(&number(&job["read"]["runtime"])), "{}", job["read"]["runtime"]);
        }
    }
}

#[test]
fn an_interrupted_check_and_an_interrupted_card_show_what_was_measured() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("target", 32 << 20).unwrap();
    let mut running = Vec::new();
    for data in [false, true] {
        let mut check = Command::new(env!("CARGO_BIN_EXE_fathom"));
        check.args(["--seconds", "60"]).arg(&file).args(data.then_some("--json"));
        let mut card = Command::new(env!("CARGO_BIN_EXE_fathom"));
        card.arg("run").args(data.then_some("--json")).arg("--filename").arg(&file);
        card.args(words("--name=a --size=32M --rw=randread --bs=4k --runtime=60 --time_based"));
        running.extend([check, card].map(|mut c| (data, Running::start(&mut c).unwrap())));
    }
    std::thread::sleep(Duration::from_millis(2000));
    running.iter().for_each(|(_, program)| program.signal(libc::SIGINT));
    for (data, program) in running {
        let ran = program.finish(LIMIT).unwrap();
        ended(&ran, 128);
        assert!(ran.wall < Duration::from_secs(10), "{ran:#?}");
        if data {
            let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"));
            // Two seconds of a device are a measurement of it.
            let findings = json.get("findings").unwrap_or_else(|| &json["fathom"]["findings"]);
            let ends: Vec<&Value> =
                findings.as_array().unwrap().iter().filter(|f| f["rule"] == "end").collect();
            assert!(ends.len() == 1 && ends[0]["grade"] == "C", "{ran:#?}");
        } else {
            let said = ["ended by Ctrl-C (SIGINT)"];
            assert!(said.iter().any(|words| ran.stdout.contains(words)), "{ran:#?}");
            assert!(ran.stdout.contains("IOPS"), "{ran:#?}");
        }
    }
}

#[test]
fn a_check_of_a_disk_that_never_answers_ends_with_a_card() {
    skip_without!(Need::Fuse);
    let disk = disk(Faults { hang: Some(Rule::From(3000)), ..Faults::default() });
    let mut check = Command::new(env!("CARGO_BIN_EXE_fathom"));
    check.args(["--seconds", "4"]).arg(disk.path()).env("FATHOM_PATIENCE_S", "2");
    let hung = Hung { program: Running::start(&mut check).unwrap(), disk, engine: "", interrupt: false };
    report_of(&hung.program, "not measured", Duration::from_secs(30));
    let Hung { program, disk, .. } = hung;
    disk.release();
    let ran = program.finish(LIMIT).unwrap();
    ended(&ran, 1);
    assert!(ran.stderr.contains("never answered") || ran.stdout.contains("never answered"), "{ran:#?}");
}

#[test]
fn a_signal_while_files_are_laid_out_ends_at_once_with_a_valid_document() {
    skip_without!(Need::Root);
    // Direct-to-device speed would finish the layout before the signal: many jobs, one after the other.
    let mount = Mount::new(FileSystem::Tmpfs, 4 << 30).unwrap();
    let args = format!(
        "--name=a --directory={} --size=1G --numjobs=3 --rw=read --ioengine=psync --output-format=json",
        mount.path().display()
    );
    let program = Running::start(&mut fio(&args)).unwrap();
    std::thread::sleep(Duration::from_millis(250));
    program.signal(libc::SIGINT);
    let ran = program.finish(LIMIT).unwrap();
    assert!(ran.wall < Duration::from_secs(5), "{ran:#?}");
    assert!(ran.code.is_some_and(|c| c >= 128) && ran.signal.is_none(), "{ran:#?}");
    document(&ran);
}

#[test]
fn a_full_disk_ends_the_job_with_enospc_and_the_bytes_that_fitted() {
    skip_without!(Need::Root, Need::Program("mkfs.ext4"));
    let mounts = [Mount::new(FileSystem::Tmpfs, 8 << 20), Mount::new(FileSystem::Ext4, 128 << 20)];
    for mount in mounts.map(Result::unwrap) {
        let free = free_bytes(mount.path());
        for engine in ENGINES {
            let file = mount.path().join("f");
            let args = |format: &str| {
                format!(
                    "--name=a --filename={} --size=192M --rw=write --bs=64k --ioengine={engine} --iodepth=8 \
                     --fallocate=none --output-format={format}",
                    file.display()
                )
            };
            let ran = run(&mut fio(&args("json")), LIMIT).unwrap();
            ended(&ran, 1);
            let job = &document(&ran)["jobs"][0];
            assert_eq!(number(&job["error"]), 28, "{job}");
            let fitted = number(&job["write"]["io_bytes"]);
            let size = std::fs::metadata(&file).unwrap().len();
            // A short last write leaves a part that is no whole I/O.
            assert!(fitted > 0 && fitted <= size && size - fitted < 8 << 16, "{fitted} of {size} bytes");
            std::fs::remove_file(&file).unwrap();
            freed(mount.path(), free);
            let ran = run(&mut fio(&args("normal")), LIMIT).unwrap();
            ended(&ran, 1);
            full_text(&ran);
            for line in ["err=28/file:", "err=28 (file:", "error=No space left on device"] {
                assert!(ran.stdout.contains(line), "{line:?} is missing: {ran:#?}");
            }
            std::fs::remove_file(&file).unwrap();
            freed(mount.path(), free);
        }
    }
}

#[test]
fn a_file_cut_under_us_ends_the_job_with_eio_full_resid() {
    for engine in ENGINES {
        let sandbox = Sandbox::new().unwrap();
        let file = sandbox.file("target", 16 << 20).unwrap();
        let args = format!(
            "--name=a --filename={} --size=16M --rw=randread --bs=4k --ioengine={engine} --iodepth=4 --runtime=30 \
             --time_based --output-format=normal,json",
            file.display()
        );
        let program = Running::start(&mut fio(&args)).unwrap();
        std::thread::sleep(Duration::from_millis(700));
        File::options().write(true).open(&file).unwrap().set_len(1 << 20).unwrap();
        let ran = program.finish(LIMIT).unwrap();
        ended(&ran, 1);
        full_text(&ran);
        assert!(ran.wall < Duration::from_secs(10), "{ran:#?}");
        assert!(ran.stdout.contains("func=full resid"), "{ran:#?}");
        let job = &document(&ran)["jobs"][0];
        assert_eq!(number(&job["error"]), 5);
        assert!(number(&job["read"]["io_bytes"]) > 0);
    }
}

fn disk(faults: Faults) -> FuseDisk {
    FuseDisk::new(Model { servers: 8, faults, size_bytes: 8 << 20, ..Model::default() }).unwrap()
}

/// Waits until a file system has this much free: the kernel frees what a ring held some time after its process.
#[track_caller]
fn freed(dir: &Path, bytes: u64) {
    let began = Instant::now();
    while free_bytes(dir) < bytes {
        assert!(began.elapsed() < Duration::from_secs(5), "{} of {bytes} bytes free", free_bytes(dir));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What a tool says of one job on a disk, and what the disk saw.
#[derive(Debug, PartialEq)]
struct Told {
    code: Option<i32>,
    error: u64,
    ios: u64,
    bytes: u64,
    short: u64,
    errors: Option<u64>,
    first: Option<u64>,
}

fn told(mut command: Command) -> Told {
    let ran = run(&mut command, LIMIT).unwrap();
    let job = &document(&ran)["jobs"][0];
    let side = if number(&job["write"]["total_ios"]) > 0 { &job["write"] } else { &job["read"] };
    Told {
        code: ran.code,
        error: number(&job["error"]),
        ios: number(&side["total_ios"]),
        bytes: number(&side["io_bytes"]),
        short: number(&side["short_ios"]),
        errors: job["total_err"].as_u64(),
        first: job["first_err"].as_u64().or(job["first_error"].as_u64()),
    }
}

fn on(disk: &FuseDisk, rw: &str, engine: &str, depth: u32, more: &str) -> String {
    let path = disk.path().display();
    format!(
        "--name=a --filename={path} --size=8M --direct=1 --rw={rw} --bs=4k --ioengine={engine} --iodepth={depth} \
         --output-format=json {more}"
    )
}

#[test]
fn eio_at_the_hundredth_io_ends_the_job_and_every_count_is_the_disks() {
    skip_without!(Need::Fuse);
    for engine in ENGINES {
        for (rw, depth) in [("read", 1), ("randwrite", 1), ("randread", 8)] {
            let fault = || Faults { error: Some((Rule::Nth(100), libc::EIO)), ..Faults::default() };
            let ours = disk(fault());
            let said = told(fio(&on(&ours, rw, engine, depth, "")));
            let seen = ours.seen();
            assert_eq!((said.code, said.error, seen.errors), (Some(1), 5, 1), "{engine} {rw}: {said:?}");
            assert_eq!(said.ios, seen.reads + seen.writes, "{engine} {rw}: I/Os that the disk saw");
            assert_eq!(said.bytes, (seen.reads + seen.writes - 1) * 4096, "{engine} {rw}");
            if depth == 1 || engine == "psync" {
                assert_eq!(said.ios, 100, "{engine} {rw}");
                if testbed::have_program("fio") {
                    let theirs = disk(fault());
                    let fio = told(oracle(&on(&theirs, rw, engine, depth, "")));
                    assert_eq!(said, fio, "{engine} {rw}: fathom (left) and fio (right)");
                }
            }
        }
    }
}

#[test]
fn what_helps_against_refused_direct_io_is_said_once() {
    skip_without!(Need::Fuse);
    let disk = disk(Faults { error: Some((Rule::OneIn(1), libc::EINVAL)), ..Faults::default() });
    let ran = run(&mut fio(&on(&disk, "write", "libaio", 4, "")), LIMIT).unwrap();
    ended(&ran, 1);
    let times = |what: &str| ran.stderr.matches(what).count();
    let faults = times("io_u error on file");
    assert!(faults > 1 && times("multiples of its logical block size") == 1, "{ran:#?}");
}

#[test]
fn tolerated_errors_are_counted_and_the_status_is_zero() {
    skip_without!(Need::Fuse);
    for engine in ENGINES {
        for (rw, tolerate) in [("read", "all"), ("write", "write"), ("read", "io")] {
            let fault = || Faults { error: Some((Rule::OneIn(64), libc::EIO)), ..Faults::default() };
            let more = format!("--continue_on_error={tolerate}");
            let ours = disk(fault());
            let said = told(fio(&on(&ours, rw, engine, 4, &more)));
            let seen = ours.seen();
            assert_eq!((seen.reads + seen.writes, seen.errors), (2048, 32), "{engine} {rw}");
            assert_eq!(said.code, Some(0), "{engine} {rw} {tolerate}: {said:?}");
            assert_eq!((said.errors, said.first), (Some(32), Some(5)), "{engine} {rw}: {said:?}");
            assert_eq!(said.bytes, 2016 * 4096, "{engine} {rw}: {said:?}");
            if testbed::have_program("fio") {
                let theirs = disk(fault());
                let fio = told(oracle(&on(&theirs, rw, engine, 4, &more)));
                assert_eq!(said, fio, "{engine} {rw}: fathom (left) and fio (right)");
            }
        }
        // What is not tolerated still ends the job.
        let ours = disk(Faults { error: Some((Rule::Nth(10), libc::EIO)), ..Faults::default() });
        let said = told(fio(&on(&ours, "read", engine, 1, "--continue_on_error=write")));
        assert_eq!((said.code, said.error, said.ios), (Some(1), 5, 10), "{engine}: {said:?}");
    }
}

#[test]
fn which_errors_pass_and_which_are_told_is_as_in_fio() {
    skip_without!(Need::Fuse);
    if !testbed::have_program("fio") {
        return;
    }
    let cases = [
        ("read", libc::EIO, "--continue_on_error=write"),
        ("read", libc::ENOSPC, "--continue_on_error=read"),
        ("read", libc::EIO, "--continue_on_error=verify"),
        ("write", libc::EIO, "--continue_on_error=verify --error_dump=1"),
        ("read", libc::ENOSPC, "--ignore_error=ENOSPC"),
        ("write", libc::ENOSPC, "--ignore_error=ENOSPC"),
        ("write", libc::ENOSPC, "--ignore_error=,5:28 --error_dump=1"),
        ("read", libc::EIO, "--ignore_error=ENOSPC --continue_on_error=all"),
        ("read", libc::ENOSPC, "--ignore_error=ENOSPC --continue_on_error=none"),
        ("read", libc::EIO, "--continue_on_error=io --error_dump=1"),
    ];
    for (rw, errno, more) in cases {
        let seen = |command: &dyn Fn(&str) -> Command| {
            let disk = disk(Faults { error: Some((Rule::OneIn(500), errno)), ..Faults::default() });
            let args = on(&disk, rw, "psync", 1, more);
            let ran = run(&mut command(&args), LIMIT).unwrap();
            let told = ran.stderr.lines().filter(|line| line.contains("io_u error on file")).count();
            disk.forget();
            (self::told(command(&args)), told)
        };
        let (ours, theirs) = (seen(&fio), seen(&oracle));
        assert_eq!(ours, theirs, "{rw} {errno} {more}: fathom (left) and fio (right)");
    }
}

#[test]
fn short_transfers_are_counted_and_finished() {
    skip_without!(Need::Fuse);
    for engine in ENGINES {
        for depth in [1, 8] {
            let fault = || Faults { short: Some(Rule::OneIn(7)), ..Faults::default() };
            let ours = disk(fault());
            let said = told(fio(&on(&ours, "read", engine, depth, "--bs=16k")));
            let seen = ours.seen();
            assert_eq!((said.code, said.error), (Some(0), 0), "{engine} {depth}: {said:?}");
            assert_eq!((said.bytes, seen.read_bytes), (8 << 20, 8 << 20), "{engine} {depth}: {said:?}");
            assert_eq!(said.ios, 512, "{engine} {depth}: {said:?}");
            assert_eq!(said.short, seen.reads - 512, "{engine} {depth}: rests that the disk saw");
            assert!(said.short >= 70, "{engine} {depth}: {said:?}");
        }
    }
}

#[test]
fn one_failed_job_of_an_interrupted_run_adds_one_to_the_status() {
    skip_without!(Need::Fuse);
    let bad = disk(Faults { error: Some((Rule::Nth(10), libc::EIO)), ..Faults::default() });
    let args = format!(
        "--ioengine=io_uring --rw=read --bs=4k --runtime=60 --time_based --output-format=json --name=bad --filename={} \
         --size=8M --name=good --filename=good --size=8M",
        bad.path().display()
    );
    let sandbox = Sandbox::new().unwrap();
    sandbox.file("good", 8 << 20).unwrap();
    let program = Running::start(fio(&args).current_dir(sandbox.path())).unwrap();
    std::thread::sleep(Duration::from_millis(1000));
    program.signal(libc::SIGINT);
    let ran = program.finish(LIMIT).unwrap();
    ended(&ran, 129);
    let errors: Vec<u64> =
        document(&ran)["jobs"].as_array().unwrap().iter().map(|j| number(&j["error"])).collect();
    assert_eq!(errors, [5, 0]);
}

/// Waits for the last line of the report; the time that took.
#[track_caller]
fn report_of(program: &Running, last: &str, limit: Duration) -> Duration {
    let began = Instant::now();
    while !program.stdout_so_far().contains(last) {
        assert!(began.elapsed() < limit, "no report after {limit:?}: {}", program.stdout_so_far());
        std::thread::sleep(Duration::from_millis(20));
    }
    began.elapsed()
}

/// A program on a disk that hangs. The disk goes first: it lets the kernel end the program.
struct Hung {
    disk: FuseDisk,
    program: Running,
    engine: &'static str,
    interrupt: bool,
}

#[test]
fn a_disk_that_never_answers_is_reported_and_left() {
    skip_without!(Need::Fuse);
    let mut all = Vec::new();
    for engine in ENGINES {
        for (interrupt, format) in [(false, "normal"), (true, "json")] {
            let disk = disk(Faults { hang: Some(Rule::From(50)), ..Faults::default() });
            let limit = if interrupt { "" } else { "--runtime=1" };
            let args = on(&disk, "randread", engine, 4, limit).replace("=json", &format!("={format}"));
            let program = Running::start(fio(&args).env("FATHOM_PATIENCE_S", "2")).unwrap();
            all.push(Hung { disk, program, engine, interrupt });
        }
    }
    std::thread::sleep(Duration::from_millis(1500));
    for Hung { disk, program, engine, interrupt } in &all {
        assert_eq!(disk.held(), if *engine == "psync" { 1 } else { 4 }, "{engine}: requests that hang");
        if *interrupt {
            program.signal(libc::SIGINT);
        }
    }
    for Hung { program, disk, engine, interrupt } in all {
        let last = if interrupt { "\n}\n" } else { "Run status group 0" };
        report_of(&program, last, Duration::from_secs(8));
        // The kernel keeps a dead process until the disk has answered the calls that it cannot cancel.
        disk.release();
        let ran = program.finish(Duration::from_secs(8)).unwrap();
        ended(&ran, if interrupt { 129 } else { 1 });
        assert!(ran.stdout.contains("never answered") || ran.stderr.contains("never answered"), "{ran:#?}");
        if interrupt {
            let job = &document(&ran)["jobs"][0];
            assert_eq!(number(&job["error"]), 110, "{engine}: {job}");
            assert_eq!(number(&job["read"]["io_bytes"]), 49 * 4096, "{engine}: what the disk had answered");
        } else {
            assert!(ran.stdout.contains("err=110"), "{engine}: {ran:#?}");
        }
    }
}

/// Random numbers, repeatable by the seed that the test prints.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Names below `dir`, at any depth.
fn names(dir: &Path) -> Vec<String> {
    std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn free_bytes(dir: &Path) -> u64 {
    let fs = rustix::fs::statvfs(dir).unwrap();
    fs.f_bfree * fs.f_frsize
}

/// Nobody else has the device: an exclusive open succeeds.
fn unheld(device: &Path) -> std::io::Result<File> {
    File::options().read(true).custom_flags(libc::O_EXCL).open(device)
}

/// Block cgroups and loop devices that carry the tool's name, those of tests aside.
fn of_fathom() -> Vec<String> {
    let below = |dir: &str| std::fs::read_dir(dir).into_iter().flatten().flatten();
    let groups = ["/sys/fs/cgroup", "/sys/fs/cgroup/blkio", "/sys/fs/cgroup/memory"];
    let groups = groups.into_iter().flat_map(below).map(|e| e.file_name().to_string_lossy().into_owned());
    let loops =
        below("/sys/block").filter_map(|e| std::fs::read_to_string(e.path().join("loop/backing_file")).ok());
    groups.chain(loops).filter(|n| n.contains("fathom") && !n.contains("fathom-test-")).collect()
}

#[test]
fn killed_at_twenty_moments_it_leaves_nothing_and_the_next_run_works() {
    skip_without!(Need::Loop);
    let seed = std::env::var("FATHOM_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or_else(|| {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64 | 1
    });
    println!("FATHOM_SEED={seed}");
    let mut dice = Dice(seed);
    let scratch = Mount::new(FileSystem::Tmpfs, 256 << 20).unwrap();
    let device = LoopDevice::sparse(64 << 20, Setup::default()).unwrap();
    let (before, free) = (of_fathom(), free_bytes(scratch.path()));
    let path = device.path().display();
    for round in 0..20 {
        let kind = dice.below(5);
        let mut command = match kind {
            0 | 1 => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
                command.args(["--seconds", "2"]).arg(scratch.path());
                command
            }
            _ => {
                let engine = ENGINES[kind as usize - 2];
                fio(&format!(
                    "--name=k --filename={path} --rw=randrw --bs=4k --direct=1 --ioengine={engine} --iodepth=16 \
                     --runtime=30 --time_based --numjobs=2"
                ))
            }
        };
        let moment = dice.below(700);
        let told = format!("FATHOM_SEED={seed} round {round}: kind {kind} killed after {moment} ms");
        let program = Running::start(&mut command).unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        program.signal(libc::SIGKILL);
        let ran = program.finish(LIMIT).unwrap();
        assert_eq!(ran.signal, Some(libc::SIGKILL), "{told}: {ran:#?}");
        unheld(device.path()).unwrap_or_else(|e| panic!("{told}: the device is still held: {e}"));
        assert_eq!(names(scratch.path()), Vec::<String>::new(), "{told}");
        freed(scratch.path(), free);
        let backing = std::fs::metadata(device.backing()).unwrap().len();
        assert_eq!(backing, 64 << 20, "{told}");
        assert_eq!(of_fathom(), before, "{told}");
        let next = format!(
            "--name=n --filename={path} --rw=randwrite --bs=4k --direct=1 --ioengine={} --number_ios=20",
            ENGINES[round % 3]
        );
        let next = run(&mut fio(&next), LIMIT).unwrap();
        assert_eq!((next.code, next.stderr.as_str()), (Some(0), ""), "{told}: the next run: {next:#?}");
    }
    let mut last = Command::new(env!("CARGO_BIN_EXE_fathom"));
    let ran = run(last.args(["--seconds", "1"]).arg(scratch.path()), LIMIT).unwrap();
    ended(&ran, 0);
    assert_eq!(names(scratch.path()), Vec::<String>::new());
    assert!(std::fs::metadata(device.path()).unwrap().rdev() > 0);
}
