//! `fathom ping` beside ioping: text, exit status and arithmetic; devices and files of known latency and contents.

use crate::common::side_by_side;
use serde_json::Value;
use stats::request_times::RequestSums;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::fuse::{Law, Model};
use testbed::loopdev::Setup;
use testbed::{FileSystem, FuseDisk, LoopDevice, Mount, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(60);

fn fathom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").arg("ping");
    command
}

/// Runs `program` with the words of `args` in `dir`.
fn in_dir(mut program: Command, args: &str, dir: &Path) -> Ran {
    run(program.args(args.split_whitespace()).current_dir(dir), LIMIT).unwrap()
}

fn both(args: &str, dir: &Path) -> (Ran, Ran) {
    let mut ioping = Command::new("ioping");
    ioping.env("LC_ALL", "C");
    (in_dir(ioping, args, dir), in_dir(fathom(), args, dir))
}

/// Directory with the directory `d` and the file `file` of 1 MiB.
fn directory() -> Sandbox {
    let sandbox = Sandbox::new().unwrap();
    std::fs::create_dir(sandbox.join("d")).unwrap();
    sandbox.file("file", 1 << 20).unwrap();
    sandbox
}

/// Returns `text` with each number, and the unit behind it, as `#`.
fn masked(text: &str) -> String {
    const UNITS: [&str; 19] = [
        "ns", "us", "ms", "s", "min", "k", "M", "G", "B", "KiB", "MiB", "GiB", "TiB", "B/s", "KiB/s",
        "MiB/s", "GiB/s", "TiB/s", "#",
    ];
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut words: Vec<String> = Vec::new();
        for word in line.split_whitespace() {
            let (head, tail) = word.split_at(word.rfind(['=', '(']).map_or(0, |at| at + 1));
            let bare = tail.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            let end = &tail[bare.len()..];
            let after_number = words.last().is_some_and(|last| last.ends_with('#'));
            // A time of day is a number as well.
            if bare.replace(':', "").parse::<f64>().is_ok() {
                words.push(format!("{head}#{end}"));
            } else if after_number && head.is_empty() && UNITS.contains(&bare) {
                if let Some(last) = words.last_mut() {
                    last.push_str(end);
                }
            } else {
                words.push(word.to_owned());
            }
        }
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

/// Returns `text` without fathom's lines below ioping's statistics.
fn iopings(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(last) = lines.iter().position(|line| line.starts_with("min/avg/max/mdev")) {
        lines.truncate(last + 1);
    }
    lines.join("\n")
}

/// Returns `text` without the options that fathom does not have.
fn without_missing(text: &str) -> String {
    let missing = ["-A, -async", "-N, -nowait", "-H, -hipri"];
    let kept = text.lines().filter(|line| !missing.iter().any(|option| line.contains(option)));
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn ping_text_beside_ioping_is_equal_with_numbers_masked() {
    skip_without!(Need::Program("ioping"), Need::Loop);
    let sandbox = directory();
    let device = LoopDevice::in_memory(8 << 20, true, None).unwrap();
    let lines = [
        "-c 3 -i 0 d",
        "-c 2 -i 10ms file",
        "-c 3 -i 0 DEVICE",
        "-c 3 -i 0 -D DEVICE",
        "-c 3 -i 0 -C file",
        "-c 3 -i 0 -L d",
        "-c 3 -W -i 0 d",
        "-c 4 -G -i 0 d",
        "-c 3 -W -Y -i 0 d",
        "-c 3 -W -y -C -i 0 d",
        "-q -c 3 -i 0 d",
        "-B -c 3 -i 0 d",
        "-p 2 -c 5 -i 0 d",
        "-q -p 2 -c 5 -i 0 d",
        "-B -p 1 -c 3 -i 0 d",
        "-a 0 -c 2 -i 0 d",
        "-a 3 -c 2 -i 0 d",
        "-a 0 -c 3 -i 0 -t 1h d",
        "-a 0 -c 3 -i 0 -T 1ns d",
        "-c 2 -i 0 -s 1.5k -S 6k -o 12k file",
        "-s 1m -S 4m -c 2 -i 0 d",
        "-r 500 -c 4 d",
        "-l 4m -c 4 d",
        "-b 2 -i 1ms -c 5 d",
        "-qc1 d",
        "-count=1 d",
        "d --count 1",
        "-c 1 -- d",
        "-k -c 1 d",
        "-e 7 -c 2 -i 0 d",
        "-c 1 -I d",
        "-c 1 -I%H:%M d",
        "-c 1 /dev/null",
        "-c 1 /dev/shm",
        "-RB -w 30ms d",
        "-v",
        "-vZ",
    ];
    let lines = lines.map(|line| line.replace("DEVICE", &device.path().display().to_string()));
    side_by_side(&lines, |line| {
        let (theirs, ours) = both(line, sandbox.path());
        assert_eq!(
            masked(&iopings(&ours.stdout)),
            masked(&iopings(&theirs.stdout)),
            "ping {line}\n{ours:#?}"
        );
        assert_eq!(masked(&ours.stderr), masked(&theirs.stderr), "ping {line}");
        assert_eq!(ours.code, theirs.code, "ping {line}");
    });
    // ioping -k has filled the file, or fathom: the other one used it again.
    assert_eq!(std::fs::metadata(sandbox.join("d/ioping.tmp")).unwrap().len(), 1 << 20);
}

#[test]
fn ping_refuses_wrong_command_lines_as_ioping_does() {
    skip_without!(Need::Program("ioping"));
    let sandbox = directory();
    let lines = [
        "",
        "-c",
        "-c x d",
        "-c 3",
        "-c 3x d",
        "-c -3 d",
        "-c 1t d",
        "-c 1Gi d",
        "-c 99999999999999999999 d",
        "-i x d",
        "-i -1 d",
        "-i 1y d",
        "-i inf d",
        "-i 1hours d",
        "-s x d",
        "-s 4kk d",
        "-s 1z d",
        "-s 1p d",
        "-s nan d",
        "-s 8sectors d",
        "-S 1k d",
        "-S 1g file",
        "-s 64m -S 1m d",
        "-s 128m file",
        "-s 3g file",
        "-s 0x400000 file",
        "-o 1t file",
        "-o 1m file",
        "-o x file",
        "-w x d",
        "-t x d",
        "-t 5d d",
        "-T x d",
        "-p x d",
        "-P x d",
        "-l x d",
        "-r x d",
        "-r 3g d",
        "-a x d",
        "-b x d",
        "-Z d",
        "-Z -h",
        "-qZ d",
        "-foo d",
        "--foo d",
        "-wo",
        "--b",
        "--w",
        "--r",
        "--work",
        "-ra",
        "--warmup",
        "-work-size",
        "-direct=1",
        "-c 1 nonexistent",
        "-c 1 -",
        "-c 1 d file",
        "-c 1 -I %H d",
        "-c 1 -W file",
        "-c 1 -WW file",
        "-c 1 -G file",
        "-c 1 -GW file",
        "-c 1 /proc",
        "-c 1 /proc/cpuinfo",
    ];
    assert!(lines.len() >= 40);
    side_by_side(&lines, |line| {
        let (theirs, ours) = both(line, sandbox.path());
        assert_eq!(without_missing(&ours.stdout), without_missing(&theirs.stdout), "ping {line}");
        assert_eq!(without_missing(&ours.stderr), without_missing(&theirs.stderr), "ping {line}");
        assert_eq!(ours.code, theirs.code, "ping {line}");
        assert_ne!(ours.code, Some(0), "ping {line}");
    });
    for option in ["-A", "-N", "-H"] {
        let ours = in_dir(fathom(), &format!("{option} -c 1 d"), sandbox.path());
        let expected = format!("fathom ping: {option} is an option of ioping that fathom does not have\n");
        assert_eq!((ours.code, ours.stderr), (Some(1), expected));
    }
}

fn objects(ran: &Ran) -> Vec<Value> {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

/// ioping prints the time of each request and its statistics: fathom's arithmetic on these times gives the same statistics.
#[test]
fn ping_arithmetic_gives_iopings_own_statistics() {
    skip_without!(Need::Program("ioping"));
    let sandbox = directory();
    let (theirs, ours) = both("-J -c 200 -i 0 -a 5 -T 200us -C file", sandbox.path());
    for ran in [&theirs, &ours] {
        let all = objects(ran);
        let mut sums = RequestSums::default();
        for io in all.iter().filter_map(|object| object.get("io")).filter(|io| io["ignored"] == false) {
            sums.add(io["size"].as_u64().unwrap(), io["time"].as_u64().unwrap());
        }
        let last = all.last().unwrap();
        let figure = |name: &str| last["stat"][name].as_f64().unwrap();
        let near = |name: &str, value: f64| {
            let found = figure(name);
            assert!((found - value).abs() <= 1.0 + 1e-9 * value, "{name}: {found}, {value}");
        };
        near("count", sums.count as f64);
        near("size", sums.bytes as f64);
        near("time", sums.nanos as f64);
        near("iops", sums.iops());
        near("bps", sums.bandwidth());
        near("min", sums.min as f64);
        near("avg", sums.mean());
        near("max", sums.max as f64);
        near("mdev", sums.deviation());
        assert_eq!(last["load"]["count"], 200);
    }
    let keys = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let (theirs, ours) = (objects(&theirs), objects(&ours));
    assert_eq!(theirs.len(), ours.len());
    assert_eq!(keys(&theirs[0]), keys(&ours[0]));
    assert_eq!(keys(&theirs[0]["target"]), keys(&ours[0]["target"]));
    assert_eq!(keys(&theirs[0]["io"]), keys(&ours[0]["io"]));
    assert!(ours.last().unwrap()["fathom"]["percentiles"]["p50"].as_u64() > Some(0));
}

#[test]
fn ping_interrupted_from_the_keyboard_prints_statistics() {
    let sandbox = directory();
    let running = Running::start(fathom().args(["-i", "20ms", "d"]).current_dir(sandbox.path())).unwrap();
    let start = Instant::now();
    while !running.stdout_so_far().contains("request=2 ") {
        assert!(start.elapsed() < LIMIT, "{}", running.stdout_so_far());
        std::thread::sleep(Duration::from_millis(10));
    }
    running.signal(libc::SIGINT);
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(
        ran.stdout.contains("ioping statistics ---") && ran.stdout.contains("min/avg/max/mdev"),
        "{ran:#?}"
    );
    assert_eq!(std::fs::read_dir(sandbox.join("d")).unwrap().count(), 0);
}

#[test]
fn ping_keeps_its_file_with_k_and_follows_no_link() {
    let sandbox = directory();
    let kept = sandbox.join("d/ioping.tmp");
    let ran = in_dir(fathom(), "-k -c 1 -W d", sandbox.path());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let inode = std::fs::metadata(&kept).unwrap().ino();
    in_dir(fathom(), "-k -c 1 d", sandbox.path());
    assert_eq!(std::fs::metadata(&kept).unwrap().ino(), inode);
    std::fs::remove_file(&kept).unwrap();
    let victim = sandbox.join("file");
    let before = std::fs::read(&victim).unwrap();
    for link in ["symbolic", "hard"] {
        let made = if link == "hard" {
            std::fs::hard_link(&victim, &kept)
        } else {
            std::os::unix::fs::symlink(&victim, &kept)
        };
        made.unwrap();
        let ran = in_dir(fathom(), "-k -c 3 -i 0 -W -s 8k -S 2m d", sandbox.path());
        assert_ne!(ran.code, Some(0), "{ran:#?}");
        assert!(std::fs::read(&victim).unwrap() == before, "{link} link: {ran:#?}");
        std::fs::remove_file(&kept).unwrap();
    }
}

/// A file of the user that has the name of the kept file is read, and written only with consent.
#[test]
fn ping_writes_to_no_kept_file_that_it_did_not_write() {
    let sandbox = directory();
    let kept = sandbox.join("d/ioping.tmp");
    let run = |line: &str| in_dir(fathom(), line, sandbox.path());
    for length in [7, 2 << 20] {
        let data = vec![7; length];
        std::fs::write(&kept, &data).unwrap();
        for line in ["-k -W -c 3 -i 0 -S 1m d", "-k -c 3 -i 0 -S 4m d"] {
            let ran = run(line);
            assert!(ran.code == Some(3) && ran.stderr.contains("--allow-destroy"), "{line}: {ran:#?}");
            assert!(std::fs::read(&kept).unwrap() == data, "{line}");
        }
    }
    assert_eq!(run("-k -c 3 -i 0 -S 1m d").code, Some(0), "reads alone change nothing");
    assert!(std::fs::read(&kept).unwrap() == vec![7; 2 << 20]);
    let ran = run("-k -W -c 3 -i 0 -S 1m --allow-destroy d/ioping.tmp d");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(std::fs::read(&kept).unwrap() != vec![7; 2 << 20]);
    // An empty file is nobody's data, and the file of an earlier ping may be overwritten and extended.
    std::fs::write(&kept, "").unwrap();
    for line in ["-k -W -c 3 -i 0 -S 1m d", "-k -W -c 3 -i 0 -S 1m d", "-k -c 3 -i 0 -S 2m d"] {
        let ran = run(line);
        assert_eq!(ran.code, Some(0), "{line}: {ran:#?}");
    }
    std::fs::write(&kept, "notes").unwrap();
    assert_eq!(run("-k -W -c 1 d").code, Some(3), "written by another program since");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "notes");
}

#[test]
fn ping_leaves_a_kept_file_alone_that_a_loop_device_uses() {
    skip_without!(Need::Loop);
    let sandbox = directory();
    let kept = sandbox.join("d/ioping.tmp");
    std::fs::write(&kept, vec![7; 2 << 20]).unwrap();
    let device = LoopDevice::from_file(&kept, Setup::default()).unwrap();
    for line in ["-k -W -c 3 -i 0 -S 1m d", "-k -c 3 -i 0 -S 4m d"] {
        let ran = in_dir(fathom(), line, sandbox.path());
        assert_eq!(ran.code, Some(3), "{line}: {ran:#?}");
    }
    assert!(std::fs::read(&kept).unwrap() == vec![7; 2 << 20]);
    let read = in_dir(fathom(), "-k -c 3 -i 0 -S 1m d", sandbox.path());
    assert_eq!(read.code, Some(0), "{read:#?}");
    drop(device);
}

#[test]
fn ping_overwrites_a_target_only_with_consent() {
    skip_without!(Need::Loop);
    let sandbox = directory();
    let device = LoopDevice::sparse(4 << 20, Setup::default()).unwrap();
    for (path, backing) in
        [(sandbox.join("file"), sandbox.join("file")), (device.path().into(), device.backing().into())]
    {
        let path = path.display();
        let before = std::fs::read(&backing).unwrap();
        let refused = in_dir(fathom(), &format!("-WWW -c 4 -i 0 {path}"), sandbox.path());
        assert_eq!(refused.code, Some(3), "{refused:#?}");
        assert!(refused.stderr.contains("--allow-destroy"), "{refused:#?}");
        assert!(std::fs::read(&backing).unwrap() == before);
        let doubtful =
            in_dir(fathom(), &format!("-WW --allow-destroy={path} -c 4 -i 0 {path}"), sandbox.path());
        assert_eq!(doubtful.code, Some(2), "{doubtful:#?}");
        assert!(std::fs::read(&backing).unwrap() == before);
        let done = in_dir(fathom(), &format!("-WWW -c 4 -i 0 {path} --allow-destroy {path}"), sandbox.path());
        assert_eq!(done.code, Some(0), "{done:#?}");
        assert!(std::fs::read(&backing).unwrap() != before);
    }
}

/// The kernel counts the reads of block devices per process: none for holes, cached pages and memory.
#[test]
fn ping_names_reads_for_which_no_disk_was_read() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let mount = Mount::new(FileSystem::Ext4, 32 << 20).unwrap();
    let sandbox = Sandbox::within(mount.path()).unwrap();
    let file = sandbox.file("file", 1 << 20).unwrap();
    sandbox.sparse("holes", 1 << 20).unwrap();
    std::fs::File::open(&file).unwrap().sync_all().unwrap();
    let holes = in_dir(fathom(), "-c 5 -i 2ms holes", sandbox.path());
    let line = "reads of holes or unwritten extents, for which no disk was read: at least 5 of 5 (requests 1, 2, 3, 4, 5)";
    assert!(joined(&holes).contains(line), "{holes:#?}");
    // Read again, every page is cached.
    std::fs::read(&file).unwrap();
    for rapid in ["-i 2ms", "-i 0"] {
        let cached = in_dir(fathom(), &format!("-C -c 5 {rapid} file"), sandbox.path());
        let line = "reads from the page cache, for which no disk was read: at least 5 of 5";
        assert!(joined(&cached).contains(line), "{cached:#?}");
    }
    let direct = in_dir(fathom(), "-D -c 5 -i 2ms file", sandbox.path());
    assert!(!joined(&direct).contains("page cache"), "{direct:#?}");
    let memory = in_dir(fathom(), "-c 5 -i 2ms /dev/shm", sandbox.path());
    assert!(
        joined(&memory).contains("/dev/shm keeps its data in memory (tmpfs): no disk was measured"),
        "{memory:#?}"
    );
    let written = in_dir(fathom(), "-W -C -c 5 -i 0 .", sandbox.path());
    let line = "writes that ended in the page cache, because -C leaves out the flush: 5";
    assert!(joined(&written).contains(line), "{written:#?}");
}

/// Returns standard output as one line: fathom's lines are broken at the width of the terminal.
fn joined(ran: &Ran) -> String {
    ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fuse(law: Law) -> FuseDisk {
    FuseDisk::new(Model { size_bytes: 4 << 20, law, filled: true, ..Model::default() }).unwrap()
}

/// Returns `program` as a real-time process where that is permitted: it does not wait for a CPU behind other programs.
fn urgent(program: Command) -> Command {
    let words = |start: &str| {
        let mut command = Command::new("chrt");
        command.args(["-f", "1", start]).env("LC_ALL", "C");
        command
    };
    let permitted = testbed::have_program("chrt") && run(&mut words("true"), LIMIT).unwrap().code == Some(0);
    if !permitted {
        return program;
    }
    let mut command = words(&program.get_program().to_string_lossy());
    command.args(program.get_args());
    command
}

/// Returns the median of the times of all requests in JSON.
fn median(ran: &Ran) -> f64 {
    let mut times: Vec<u64> =
        objects(ran).iter().filter_map(|object| object["io"]["time"].as_u64()).collect();
    times.sort_unstable();
    times[times.len() / 2] as f64
}

/// A disk of 5 ms per request has a mean of 5 ms, and of two service times the longer ones are outliers.
#[test]
fn measures_ping_on_fuse() {
    skip_without!(Need::Fuse);
    let service = Duration::from_millis(5);
    let disk = fuse(Law::Constant(service));
    let here = Sandbox::new().unwrap();
    let ran = in_dir(urgent(fathom()), &format!("-J -q -c 200 -i 0 {}", disk.path().display()), here.path());
    let last = objects(&ran).pop().unwrap();
    let near = |found: &Value, expected: f64| {
        let found = found.as_f64().unwrap_or_else(|| panic!("{ran:#?}"));
        assert!((found / expected - 1.0).abs() < 0.03, "{found}, {expected}: {ran:#?}");
    };
    // Mean and median are those of the disk, whose answers are late where the machine has other work or its processors sleep.
    let mut times = disk.seen().times;
    times.sort_unstable();
    let mean = times.iter().map(Duration::as_secs_f64).sum::<f64>() / times.len() as f64;
    let middle = times[times.len() / 2];
    assert!(middle >= service);
    near(&last["stat"]["avg"], 1e9 * mean);
    near(&last["fathom"]["percentiles"]["p50"], middle.as_nanos() as f64);
    assert_eq!(disk.seen().reads, 200);
    if testbed::have_program("ioping") {
        let args = format!("-J -c 100 -i 0 {}", disk.path().display());
        let of = |program: Command| median(&in_dir(urgent(program), &args, here.path()));
        let (theirs, ours) = (of(Command::new("ioping")), of(fathom()));
        assert!((ours / theirs - 1.0).abs() < 0.03, "fathom {ours}, ioping {theirs}");
    }
    let (fast, slow) = (Duration::from_micros(200), Duration::from_millis(15));
    let disk = fuse(Law::Bimodal { fast, slow, slow_share: 0.1 });
    let ran = in_dir(fathom(), &format!("-c 100 -i 2ms {}", disk.path().display()), here.path());
    assert!(ran.stdout.contains("requests that took more than 4 times the median"), "{ran:#?}");
    assert!(!ran.stdout.contains("no request took more"), "{ran:#?}");
}

/// A file that is cut during the run: the requests behind its end are neither reads nor hits of the page cache.
#[test]
fn requests_behind_the_end_of_the_target_are_no_reads() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("file", 1 << 20).unwrap();
    let mut command = fathom();
    command.args(["-J", "-c", "20", "-i", "100ms", "-D"]).arg(&file);
    let program = Running::start(&mut command).unwrap();
    std::thread::sleep(Duration::from_millis(700));
    std::fs::File::options().write(true).open(&file).unwrap().set_len(0).unwrap();
    let ran = program.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"));
    let own = &document.as_array().unwrap().last().unwrap()["fathom"];
    let [reads, empty, cached] = ["reads", "requests_without_data", "reads_from_page_cache"]
        .map(|key| own[key].as_u64().unwrap_or_else(|| panic!("{own}")));
    assert_eq!(reads + empty, 20, "{own}");
    assert!(empty > 0 && cached <= reads, "{own}");
}
