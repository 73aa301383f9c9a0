//! `fathom run FILE.icf`: Iometer's access specifications, targets, consent and results.

use crate::common::words;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::{LoopDevice, Need, Sandbox, skip_without};

fn fathom(directory: &Path, args: &[String]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").current_dir(directory).arg("run").args(args);
    child::run(&mut command, Duration::from_secs(60)).unwrap()
}

/// Returns a file with one worker, its targets and specifications; a ramp of a second if `ramps`.
fn icf(targets: &[&str], specs: &[(&str, &str)], setup: &str) -> String {
    let mut text =
        format!("Version 1.1.0\n'TEST SETUP ===\n'Test Description\n\tseed 002\n{setup}'END test setup\n");
    text += "'ACCESS SPECIFICATIONS ===\n";
    for (name, lines) in specs {
        text += &format!("'Access specification name,default assignment\n\t{name},NONE\n");
        text += "'size,% of size,% reads,% random,delay,burst,align,reply\n";
        lines.split(' ').for_each(|line| text += &format!("\t{line}\n"));
    }
    text += "'END access specifications\n'MANAGER LIST ===\n'Manager ID, manager name\n\t1,HOST\n'Worker\n\tWorker 1\n";
    text += "'Worker type\n\tDISK\n'Default target settings for worker\n'Number of outstanding IOs,test connection rate,\
             transactions per connection,use fixed seed,fixed seed value\n\t4,DISABLED,1,ENABLED,5\n\
             'Disk maximum size,starting sector,Data pattern\n\t16384,2048,2\n\
             'End default target settings for worker\n'Assigned access specs\n";
    specs.iter().for_each(|(name, _)| text += &format!("\t{name}\n"));
    text += "'End assigned access specs\n'Target assignments\n";
    for target in targets {
        text += &format!("'Target\n\t{target}\n'Target type\n\tDISK\n'End target\n");
    }
    text + "'End target assignments\n'End worker\n'End manager\n'END manager list\nVersion 1.1.0\n"
}

const SHORT: &str = "'Run Time\n\t0 0 1\n'Ramp Up Time (s)\n\t0\n";

/// Returns whether `found` of `n` draws with the probability `p` is within 4.5 standard deviations: once in 150,000.
fn is_binomial(found: usize, n: usize, p: f64) -> bool {
    let deviation = (n as f64 * p * (1.0 - p)).sqrt();
    (found as f64 - n as f64 * p).abs() <= 4.5 * deviation + 1e-9
}

/// Six lines with mixed sizes, alignment, bursts, a delay and replies on the simulated device: every I/O is logged, and
/// the shares of lines, directions and random offsets are those of draws; the time is that of all I/Os and delays.
#[test]
fn access_spec_of_six_lines_has_binomial_shares() {
    let sandbox = Sandbox::new().unwrap();
    // Size, share, reads, random, delay, burst, alignment, reply.
    let lines: [[u64; 8]; 6] = [
        [512, 10, 100, 0, 0, 1, 0, 0],
        [1024, 20, 50, 100, 2, 3, 4096, 0],
        [2048, 5, 0, 30, 0, 5, 0, 0],
        [8192, 30, 67, 80, 0, 1, 8192, 3072],
        [16384, 15, 25, 50, 0, 1, 0, 0],
        [65536, 20, 90, 10, 0, 1, 0, 0],
    ];
    let spec = lines.map(|line| line.map(|field| field.to_string()).join("/")).join(":");
    let size = 1u64 << 30;
    let args = format!(
        "--name=a --ioengine=model --access_spec={spec} --number_ios=60000 --size={size} --filename=x --no-store \
         --write_lat_log=l --log_offset=1 --randseed=7 --output-format=json"
    );
    let ran = fathom(sandbox.path(), &words(&args));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let log = std::fs::read_to_string(sandbox.path().join("l_lat.1.log")).unwrap();
    let field = |row: &str, at: usize| row.split(',').nth(at).unwrap().trim().parse::<u64>().unwrap();
    // Direction (0 reads, 1 writes), size and offset, in the order of issue: one I/O is in flight.
    let ios: Vec<(u64, u64, u64)> =
        log.lines().map(|row| (field(row, 2), field(row, 3), field(row, 4))).collect();
    assert_eq!(ios.len(), 60_000);
    let of = |size: u64| (0..ios.len()).filter(|at| ios[*at].1 == size).collect::<Vec<_>>();
    let bursts: Vec<usize> = lines.iter().map(|line| of(line[0]).len() / line[5] as usize).collect();
    let all: usize = bursts.iter().sum();
    for (line, bursts) in lines.iter().zip(&bursts) {
        let [size_of, share, reads, random, _, burst, align, _] = *line;
        assert!(is_binomial(*bursts, all, share as f64 / 100.0), "{size_of}: {bursts} of {all} bursts");
        let own = of(size_of);
        let read = own.iter().filter(|at| ios[**at].0 == 0).count();
        assert!(
            is_binomial(read, own.len(), reads as f64 / 100.0),
            "{size_of}: {read} reads of {}",
            own.len()
        );
        let follows = |at: usize| {
            let end = at.checked_sub(1).map_or(0, |before| ios[before].1 + ios[before].2);
            ios[at].2 == if end + size_of > size { 0 } else { end }
        };
        let elsewhere: Vec<usize> = own.iter().copied().filter(|at| !follows(*at)).collect();
        assert!(
            is_binomial(elsewhere.len(), own.len(), random as f64 / 100.0),
            "{size_of}: {}",
            elsewhere.len()
        );
        assert!(elsewhere.iter().all(|at| ios[*at].2.is_multiple_of(align.max(512))), "{size_of}");
        // Bursts are not torn: a run of one size has a multiple of its I/Os; the last may be cut by the end.
        let runs = ios.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1 == size_of);
        let torn = runs.filter(|run| !run.len().is_multiple_of(burst as usize)).count();
        assert!(torn <= 1, "{size_of}: {torn} bursts of other lengths");
    }
    let replies = of(3072);
    assert_eq!(replies.len(), of(8192).len());
    for at in replies {
        let (request, reply) = (ios[at - 1], ios[at]);
        assert_eq!((request.1, request.0 + reply.0), (8192, 1), "{at}");
    }
    // 100 us for each I/O, and 2 ms before each burst of the second line.
    let json: serde_json::Value = serde_json::from_str(&ran.stdout[ran.stdout.find('{').unwrap()..]).unwrap();
    let runtime = json["jobs"][0]["job_runtime"].as_u64().unwrap();
    let expected = 6000 + 2 * of(1024).len().div_ceil(3) as u64;
    assert!(runtime.abs_diff(expected) <= 2, "{runtime} ms instead of {expected} ms");
}

/// A device and a file in a directory, two tests of a second: the bytes of results.csv are those of /proc/diskstats.
#[test]
fn results_count_what_the_device_counts() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    let device = LoopDevice::new(64 << 20).unwrap();
    let specs = [
        ("Writes; 4 KiB", "4096,100,0,100,0,1,4096,0"),
        ("Mixed", "8192,50,60,100,1,4,8192,0 512,50,100,0,0,1,0,4096"),
    ];
    let file = icf(&["0: \"disk, big\"", "C: \"Data\""], &specs, SHORT);
    std::fs::write(sandbox.path().join("a.icf"), file).unwrap();
    let mut args = words("a.icf --results=r.csv --store=s.sqlite --iometer-target=data=.");
    args.push(format!("--iometer-target=0={}", device.path().display()));
    let before = device.stats().unwrap();
    let refused = fathom(sandbox.path(), &args);
    assert_eq!(refused.code, Some(0), "an empty device needs no consent: {refused:?}");
    let seen = device.stats().unwrap().since(&before);
    let text = std::fs::read_to_string(sandbox.path().join("r.csv")).unwrap();
    let rows = rows(&text);
    let of = |kind: &str, column: &str| -> Vec<u64> {
        let own =
            rows.iter().filter(|row| row["'Target Type"] == kind && row["Target Name"] != "C: \"Data\"");
        own.map(|row| row[column].parse().unwrap()).collect()
    };
    let written: u64 = of("DISK", "Bytes Written").iter().sum();
    let read: u64 = of("DISK", "Bytes Read").iter().sum();
    assert!(written > 0 && read > 0);
    assert_eq!(seen.write_bytes(), written);
    // Before it is written, the device is examined by reads that are not in the results.
    assert!(seen.read_bytes() >= read, "{} {read}", seen.read_bytes());
    // The region of the file is that of the specification: 8 MiB behind 1 MiB.
    assert_eq!(std::fs::metadata(sandbox.path().join("iobw.tst")).unwrap().len(), 9 << 20);
    sums_agree(&rows);
    let stored = child::run(
        Command::new(env!("CARGO_BIN_EXE_fathom"))
            .current_dir(sandbox.path())
            .args(words("export R1 --iometer --store s.sqlite")),
        Duration::from_secs(60),
    );
    assert_eq!(stored.unwrap().stdout, text);
    // A check is no run: the line says what can be exported.
    let command = |args: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.current_dir(sandbox.path()).args(words(args));
        child::run(&mut command, Duration::from_secs(60)).unwrap()
    };
    assert_eq!(command(". --seconds=1 --store s.sqlite").code, Some(0));
    let refused = command("export R2 --iometer --store s.sqlite");
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{refused:?}");
    assert!(refused.stderr.contains("R2 is not a run: --iometer exports runs"), "{refused:?}");
}

/// An access specification of the global section is that of the results, with its replies and its base of units.
#[test]
fn results_have_the_specification_of_the_global_section() {
    let sandbox = Sandbox::new().unwrap();
    let jobs = "[global]\nioengine=model\nkb_base=1000\naccess_spec=4k/100/100/100/0/1/4k/1k\n[a]\nfilename=x\nsize=1m\n\
                number_ios=100\n";
    std::fs::write(sandbox.path().join("a.fio"), jobs).unwrap();
    let ran = fathom(sandbox.path(), &words("a.fio --results=r.csv --no-store"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = std::fs::read_to_string(sandbox.path().join("r.csv")).unwrap();
    assert!(text.contains("\n4000,100,100,100,0,1,4000,1000,\n"), "{text}");
    let all = &rows(&text)[0];
    let [reads, writes] = ["Read I/Os", "Write I/Os"].map(|column| all[column].parse::<f64>().unwrap());
    let runtime: f64 = rows(&text)[2]["Total Raw Run Time"].parse::<f64>().unwrap() / 1e9;
    let transactions: f64 = all["Transactions per Second"].parse().unwrap();
    assert!(reads > 0.0 && (transactions * runtime - (reads + writes) / 2.0).abs() < 0.01, "{text}");
}

/// Reads of a device that is not written need no examination: all its reads are in the results.
#[test]
fn results_count_all_reads() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    let device = LoopDevice::in_memory(16 << 20, true, None).unwrap();
    let file = icf(&["D:"], &[("Reads", "2048,40,100,100,0,1,0,0 65536,60,100,50,0,2,4096,0")], SHORT);
    std::fs::write(sandbox.path().join("a.icf"), file).unwrap();
    let mut args = words("a.icf --results=r.csv --no-store");
    args.push(format!("--iometer-target=D:={}", device.path().display()));
    let before = device.stats().unwrap();
    let ran = fathom(sandbox.path(), &args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let seen = device.stats().unwrap().since(&before);
    let text = std::fs::read_to_string(sandbox.path().join("r.csv")).unwrap();
    let read: u64 = rows(&text)[0]["Bytes Read"].parse().unwrap();
    println!("{} bytes of reads, {read} in the results", seen.read_bytes());
    assert!(read > 0 && seen.read_bytes() >= read && seen.read_bytes() - read < 4 << 20);
}

/// Returns the rows below the headings, by column.
fn rows(text: &str) -> Vec<HashMap<&str, &str>> {
    let heading: Vec<&str> = HEADING.split('|').collect();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("'Target Type")).collect();
    assert!(!headings.is_empty(), "{text}");
    assert!(headings.iter().all(|line| line.split(',').eq(heading.iter().copied())), "{headings:?}");
    let kinds = ["ALL,", "MANAGER,", "WORKER,", "DISK,"];
    let found = text.lines().filter(|line| kinds.iter().any(|kind| line.starts_with(kind)));
    found
        .map(|line| {
            assert_eq!(line.split(',').count(), heading.len(), "{line}");
            heading.iter().copied().zip(line.split(',')).collect()
        })
        .collect()
}

/// Totals are sums over the targets, and each row has as many I/Os in the ranges of latency as in all.
fn sums_agree(rows: &[HashMap<&str, &str>]) {
    let number = |row: &HashMap<&str, &str>, column: &str| row[column].parse::<f64>().unwrap();
    let tests = rows.iter().filter(|row| row["'Target Type"] == "ALL").count();
    assert_eq!(rows.len(), 5 * tests);
    for test in rows.chunks(5) {
        let kinds: Vec<&str> = test.iter().map(|row| row["'Target Type"]).collect();
        assert_eq!(kinds, ["ALL", "MANAGER", "WORKER", "DISK", "DISK"]);
        for column in
            ["IOps", "MBps (Decimal)", "Read I/Os", "Write I/Os", "Bytes Read", "Bytes Written", "Errors"]
        {
            let sum = number(&test[3], column) + number(&test[4], column);
            for row in &test[..3] {
                assert!((number(row, column) - sum).abs() < 1e-5 * sum.max(1.0), "{column}");
            }
        }
        for row in test {
            let ios = number(row, "Read I/Os") + number(row, "Write I/Os");
            let from = HEADING.split('|').position(|column| column == "0 to 50 uS").unwrap();
            let ranges: f64 = HEADING.split('|').skip(from).map(|column| number(row, column)).sum();
            assert_eq!(ranges, ios);
            let mean = number(row, "Average Response Time");
            let parts = number(row, "Average Read Response Time") * number(row, "Read I/Os")
                + number(row, "Average Write Response Time") * number(row, "Write I/Os");
            assert!((mean - parts / ios).abs() < 1e-5 * mean.max(1.0));
        }
    }
}

/// Columns of results.csv of Iometer 1.1.0 in their order, written down from its documentation.
const HEADING: &str = "'Target Type|Target Name|Access Specification Name|# Managers|# Workers|# Disks|IOps|Read IOps|\
Write IOps|MiBps (Binary)|Read MiBps (Binary)|Write MiBps (Binary)|MBps (Decimal)|Read MBps (Decimal)|\
Write MBps (Decimal)|Transactions per Second|Connections per Second|Average Response Time|Average Read Response Time|\
Average Write Response Time|Average Transaction Time|Average Connection Time|Maximum Response Time|\
Maximum Read Response Time|Maximum Write Response Time|Maximum Transaction Time|Maximum Connection Time|Errors|\
Read Errors|Write Errors|Bytes Read|Bytes Written|Read I/Os|Write I/Os|Connections|Transactions per Connection|\
Total Raw Read Response Time|Total Raw Write Response Time|Total Raw Transaction Time|Total Raw Connection Time|\
Maximum Raw Read Response Time|Maximum Raw Write Response Time|Maximum Raw Transaction Time|\
Maximum Raw Connection Time|Total Raw Run Time|Starting Sector|Maximum Size|Queue Depth|% CPU Utilization|\
% User Time|% Privileged Time|% DPC Time|% Interrupt Time|Processor Speed|Interrupts per Second|CPU Effectiveness|\
Packets/Second|Packet Errors|Segments Retransmitted/Second|0 to 50 uS|50 to 100 uS|100 to 200 uS|200 to 500 uS|\
0.5 to 1 mS|1 to 2 mS|2 to 5 mS|5 to 10 mS|10 to 15 mS|15 to 20 mS|20 to 30 mS|30 to 50 mS|50 to 100 mS|\
100 to 200 mS|200 to 500 mS|0.5 to 1 S|1 to 2 s|2 to 4.7 s|4.7 to 5 s|5 to 10 s| >= 10 s";

/// A device with a file system and a foreign file keep every byte without `--allow-destroy`; they can be read.
#[test]
fn targets_with_data_are_not_overwritten() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let sandbox = Sandbox::new().unwrap();
    let device = LoopDevice::new(32 << 20).unwrap();
    let made = child::run(Command::new("mkfs.ext4").arg("-q").arg(device.path()), Duration::from_secs(60));
    assert_eq!(made.unwrap().code, Some(0));
    let foreign = sandbox.file("iobw.tst", 16 << 20).unwrap();
    let reads = ("Reads", "4096,100,100,100,0,1,4096,0");
    let writes = ("Writes", "4096,100,0,100,0,1,4096,0");
    // A reply of a read is a write.
    let replies = ("Replies", "4096,100,100,100,0,1,4096,512");
    let content = |path: &Path| testbed::witness::content(path).unwrap();
    for (spec, code) in
        [(reads, 0), (writes, job::exit_status::REFUSED), (replies, job::exit_status::REFUSED)]
    {
        std::fs::write(sandbox.path().join("a.icf"), icf(&["C:"], &[spec], SHORT)).unwrap();
        for target in [device.path().to_path_buf(), sandbox.path().to_path_buf()] {
            let before = [content(device.path()), content(&foreign)];
            let mut args = words("a.icf --no-store");
            args.push(format!("--iometer-target=C:={}", target.display()));
            let ran = fathom(sandbox.path(), &args);
            assert_eq!(ran.code, Some(code), "{} {target:?}: {ran:?}", spec.0);
            assert!(before == [content(device.path()), content(&foreign)], "{} {target:?}", spec.0);
        }
    }
    let mut args = words("a.icf --no-store");
    args.push(format!("--iometer-target=C:={}", device.path().display()));
    args.push(format!("--allow-destroy={}", device.path().display()));
    let ran = fathom(sandbox.path(), &args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// The example of seed 002: 64 KiB sequential writes, 60 seconds of ramp, 10 minutes of run; as jobs, and back.
#[test]
fn files_become_jobs_and_jobs_become_files() {
    let sandbox = Sandbox::new().unwrap();
    let setup = "'Run Time\n\t0 10 0\n'Ramp Up Time (s)\n\t60\n";
    let specs = [
        ("64 KB writes; sequential", "65536,100,0,0,0,1,0,0"),
        ("Two", "512,30,67,100,5,2,512,0 4096,70,100,0,0,1,0,1024"),
    ];
    let file = icf(&["0: \"disk\"", "C:"], &specs, setup);
    std::fs::write(sandbox.path().join("a.icf"), &file).unwrap();
    let targets = words("--iometer-target=disk=x.img --iometer-target=C:=y.img");
    let with = |rest: &str| [words(rest), targets.clone()].concat();
    let ran = fathom(sandbox.path(), &with("a.icf --write-job=a.fio"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    let jobs = std::fs::read_to_string(sandbox.path().join("a.fio")).unwrap();
    for line in [
        "runtime=600s",
        "ramp_time=60s",
        "time_based=1",
        "iodepth=4",
        "offset=1048576",
        "size=8388608",
        "randseed=5",
        "access_spec=65536/100/0/0/0/1/0/0",
    ] {
        assert!(jobs.lines().any(|found| found == line), "{line}: {jobs}");
    }
    let direct = fathom(sandbox.path(), &with("a.icf --write-icf=-"));
    let by_jobs = fathom(sandbox.path(), &words("a.fio --write-icf=b.icf"));
    assert_eq!((direct.code, by_jobs.code), (Some(0), Some(0)), "{direct:?} {by_jobs:?}");
    let back = std::fs::read(sandbox.path().join("b.icf")).unwrap();
    assert_eq!(direct.stdout.as_bytes(), back);
    let (was, is) =
        (import::iometer::parse(file.as_bytes()).unwrap(), import::iometer::parse(&back).unwrap());
    assert_eq!((&is.specs, &is.managers), (&was.specs, &was.managers));
    let times = |document: &import::iometer::Document| {
        let setup = document.setup.clone().unwrap();
        (setup.description.clone(), setup.run_s(), setup.ramp_s)
    };
    assert_eq!(times(&is), times(&was));
    // What was changed in the jobs is in the file.
    std::fs::write(sandbox.path().join("a.fio"), jobs.replace("size=8388608", "size=4194304")).unwrap();
    let edited = fathom(sandbox.path(), &words("a.fio --write-icf=-"));
    assert!(edited.stdout.contains("\t8192,2048,2\n") && !edited.stdout.contains("16384"), "{edited:?}");
    // Jobs of fio's language become lines.
    let job = "--name=a --filename=x.img --size=8m --rw=randrw --rwmixread=70 --bssplit=4k/60:8k/40 --direct=1 \
               --iodepth=8 --numjobs=2 --runtime=30 --time_based --thinktime=3ms --thinktime_blocks=5 --write-icf=-";
    let ran = fathom(sandbox.path(), &words(job));
    assert!(ran.stdout.contains("\t4096,60,70,100,3,5,4096,0\n\t8192,40,70,100,3,5,8192,0\n"), "{ran:?}");
    assert!(ran.stdout.contains("\ta 1\n") && ran.stdout.contains("\ta 2\n"), "{ran:?}");
    // A name cannot begin as a key does.
    let ran = fathom(sandbox.path(), &words(&job.replace("--name=a", "--name='a,b")));
    let named = import::iometer::parse(ran.stdout.as_bytes()).unwrap();
    let (spec, worker) = (&named.specs.unwrap()[0].name, &named.managers.unwrap()[0].workers[0].name);
    assert_eq!((spec.as_str(), worker.as_str()), ("a b", "a,b 1"));
    for (option, why) in [
        ("--rate_iops=100", "rate has no counterpart"),
        ("--fsync=8", "fsync has no counterpart"),
        ("--random_distribution=zipf", "random_distribution has no counterpart"),
        ("--bssplit=4k/55:8k/45,4k/100", "not whole percentages"),
        ("--direct=0", "direct has no counterpart"),
    ] {
        let ran = fathom(sandbox.path(), &words(&format!("{job} {option}")));
        assert!(ran.code == Some(1) && ran.stderr.contains(why), "{option}: {ran:?}");
    }
    // A text of the user is not overwritten.
    std::fs::write(sandbox.path().join("notes"), "my notes\n").unwrap();
    for switch in ["--write-job=notes", "--write-icf=notes", "--results=notes"] {
        let ran = fathom(sandbox.path(), &with(&format!("a.icf {switch}")));
        assert!(ran.code != Some(0) && ran.stderr.contains("notes"), "{switch}: {ran:?}");
    }
    assert_eq!(std::fs::read_to_string(sandbox.path().join("notes")).unwrap(), "my notes\n");
}

#[test]
fn json_and_results_do_not_share_standard_output() {
    let sandbox = Sandbox::new().unwrap();
    let job =
        "--name=a --ioengine=model --model_law=constant:10us --rw=read --size=64k --no-store --results=-";
    for (switch, named) in [
        ("--json", "--json"),
        ("--output-format=json", "--output-format=json"),
        ("--output-format=json+", "--output-format=json"),
    ] {
        let ran = fathom(sandbox.path(), &words(&format!("{job} {switch}")));
        let said = format!(
            "fathom run: {named} and --results=- both write to standard output: name a file, e.g. --results=results.csv\n"
        );
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
            (Some(2), "", said.as_str()),
            "{switch}"
        );
    }
    // The JSON in a file leaves standard output to the results.
    let ran = fathom(sandbox.path(), &words(&format!("{job} --json --output=r.json")));
    assert!(ran.code == Some(0) && ran.stdout.starts_with("'Test Type"), "{ran:?}");
    assert!(std::fs::read_to_string(sandbox.path().join("r.json")).unwrap().starts_with('{'));
}

#[test]
fn faults_name_file_line_and_targets() {
    let sandbox = Sandbox::new().unwrap();
    let spec = [("A", "4096,100,100,100,0,1,4096,0")];
    let good = icf(&["C: \"Data\"", "1: \"disk\""], &spec, SHORT);
    std::fs::write(sandbox.path().join("good.icf"), &good).unwrap();
    std::fs::write(sandbox.path().join("bad.icf"), good.replace("4096,100,100", "4096,90,100")).unwrap();
    std::fs::write(sandbox.path().join("a.fio"), "[a]\nrw=read\nsize=1m\n").unwrap();
    let line = 1 + good.lines().position(|line| line == "\tA,NONE").unwrap();
    for (args, said) in [
        ("bad.icf", format!("fathom run: bad.icf:{line}: the % of size of the access specification A must add up to 100, not 90\n")),
        ("good.icf", "fathom run: good.icf: no device or file is stated for these targets: C: \"Data\", 1: \"disk\"; use --iometer-target='C: \"Data\"=PATH'\n".into()),
        ("good.icf --iometer-target=C=x", "fathom run: good.icf: no device or file is stated for these targets: 1: \"disk\"; use --iometer-target='1: \"disk\"=PATH'\n".into()),
        ("good.icf --iometer-target=C=x --iometer-target=E:=y", "fathom run: good.icf: the file has no target E:; its targets are C: \"Data\", 1: \"disk\"\n".into()),
        ("a.fio --iometer-target=C=x", "fathom run: --iometer-target needs an Iometer file: name an .icf file on the command line\n".into()),
        ("a.fio --write-job=-", "fathom run: --write-job needs an Iometer file: name an .icf file on the command line\n".into()),
    ] {
        let ran = fathom(sandbox.path(), &words(args));
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr), (Some(1), "", said), "{args}");
    }
    // fio's command line knows no such files.
    let mut fio = Command::new(env!("CARGO_BIN_EXE_fathom"));
    let ran = child::run(fio.current_dir(sandbox.path()).args(["fio", "good.icf"]), Duration::from_secs(60))
        .unwrap();
    assert_ne!(ran.code, Some(0), "{ran:?}");
}

/// Delays hold requests at any depth, and replies keep pace with their requests.
#[test]
fn delays_and_replies_act_at_any_depth() {
    let sandbox = Sandbox::new().unwrap();
    let counts = |spec: &str| {
        let args = format!(
            "--name=a --ioengine=model --model_servers=64 --access_spec={spec} --iodepth=32 --runtime=1 --time_based \
             --size=64m --filename=x --no-store --output-format=json"
        );
        let ran = fathom(sandbox.path(), &words(&args));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let json: serde_json::Value =
            serde_json::from_str(&ran.stdout[ran.stdout.find('{').unwrap()..]).unwrap();
        ["read", "write"].map(|direction| json["jobs"][0][direction]["total_ios"].as_u64().unwrap())
    };
    // One request every 5 ms, although 32 could be in flight; bursts of 10 every 20 ms.
    let [reads, writes] = counts("4k/100/100/0/5");
    assert!((198..=200).contains(&reads) && writes == 0, "{reads} {writes}");
    let [reads, _] = counts("4k/100/100/100/20/10");
    assert!((480..=500).contains(&reads), "{reads}");
    let [reads, writes] = counts("4k/100/100/100/0/1/0/512");
    assert!(reads.abs_diff(writes) <= 32 && writes > 10_000, "{reads} {writes}");
    // A region without room for each line does no I/O by mistake.
    let args = "--name=a --ioengine=model --access_spec=4k/50:128k/50 --size=64k --filename=x --no-store";
    let ran = fathom(sandbox.path(), &words(args));
    assert!(ran.code == Some(1) && ran.stderr.contains("131072"), "{ran:?}");
}
