//! `fathom audit` finds the labelled mistake of each case in `tests/audit` among the first two findings, and no severe
//! one in sound results. The cases are own runs of the tools, made-up figures in their formats, and public figures.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use testbed::Bounded;

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const LIMIT: Duration = Duration::from_secs(30);

/// Case: text with lines of labels before it.
struct AuditCase {
    name: String,
    args: Vec<String>,
    /// Rules of which one has to be found, for the worst result or the one at a line.
    labels: Vec<(Option<u64>, Vec<String>)>,
    text: String,
}

fn cases() -> Vec<AuditCase> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/audit");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.iter().map(|path| case(path)).collect()
}

fn case(path: &std::path::Path) -> AuditCase {
    let content = std::fs::read_to_string(path).unwrap();
    let mut case = AuditCase {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        args: Vec::new(),
        labels: Vec::new(),
        text: String::new(),
    };
    let rules = |text: &str| text.split('|').map(str::to_owned).collect();
    for line in content.split_inclusive('\n') {
        match line.trim_end().strip_prefix("#! ") {
            Some(head) if case.text.is_empty() => {
                let (key, value) = head.split_once(' ').unwrap();
                match key {
                    "args" => case.args = value.split(' ').map(str::to_owned).collect(),
                    "expect" => case.labels.push((None, rules(value))),
                    "line" => {
                        let (number, value) = value.split_once(' ').unwrap();
                        case.labels.push((Some(number.parse().unwrap()), rules(value)));
                    }
                    key => panic!("{}: {key}", path.display()),
                }
            }
            _ => case.text.push_str(line),
        }
    }
    case
}

/// Returns the results of a text.
fn audited(args: &[String], text: &str) -> Vec<Value> {
    let mut command = Command::new(FATHOM);
    command.arg("audit").args(args).args(["--json", "-"]);
    let ran = command.output_of_input(text.as_bytes(), LIMIT).unwrap();
    let document: Value = serde_json::from_slice(&ran.stdout).unwrap_or(Value::Null);
    document["results"].as_array().cloned().unwrap_or_default()
}

/// Returns the rules of the findings, in order.
fn rules(result: &Value) -> Vec<String> {
    let findings = result["findings"].as_array().cloned().unwrap_or_default();
    findings.iter().map(|f| f["rule"].as_str().unwrap().to_owned()).collect()
}

fn grade(result: &Value) -> String {
    result["grade"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn audit_finds_labelled_mistakes_and_none_in_sound_results() {
    let (mut labels, mut found, mut sound, mut wrong) = (0, 0, 0, Vec::new());
    let mut severe = Vec::new();
    for case in cases() {
        let results = audited(&case.args, &case.text);
        for (line, expected) in &case.labels {
            if expected == &["sound"] {
                assert!(!results.is_empty(), "{}: no result", case.name);
                sound += 1;
                let bad = results.iter().find(|r| ["C", "X"].contains(&grade(r).as_str()));
                severe.extend(bad.map(|r| format!("{} {:?}", case.name, rules(r))));
                continue;
            }
            labels += 1;
            let of_line = |r: &&Value| line.is_none_or(|line| r["printed"]["lines"][0] == line);
            let mut candidates: Vec<&Value> = results.iter().filter(of_line).collect();
            candidates.sort_by_key(|r| std::cmp::Reverse(grade(r)));
            let first: Vec<String> = candidates.first().map(|r| rules(r)).unwrap_or_default();
            if first.iter().take(2).any(|rule| expected.contains(rule)) {
                found += 1;
            } else {
                wrong.push(format!("{} {line:?} wants {expected:?}, found {first:?}", case.name));
            }
        }
    }
    eprintln!(
        "labelled: {found} of {labels} found; sound: {} of {sound} without a severe finding",
        sound - severe.len()
    );
    eprintln!("{}", wrong.join("\n"));
    assert!(severe.is_empty(), "severe findings in sound results:\n{}", severe.join("\n"));
    assert!(labels >= 150 && sound >= 60, "{labels} labels, {sound} sound");
    assert!(found * 100 >= labels * 95, "{found} of {labels}");
}

/// Returns the exit status and the text of `fathom audit` of a text.
fn answered(args: &[&str], text: &str) -> (Option<i32>, String) {
    let mut command = Command::new(FATHOM);
    command.env("LC_ALL", "C.UTF-8").arg("audit").args(args);
    let ran = command.output_of_input(text.as_bytes(), LIMIT).unwrap();
    let said = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (ran.status.code(), said.concat())
}

/// Rates that stand before their patterns are judged by the limits of the medium.
#[test]
fn audit_of_impossible_sentences_gives_x() {
    for (args, text) in [
        (&["-"][..], "300,000 IOPS random read from a 7200 rpm HDD"),
        (&["-"], "we get 300,000 IOPS random read from a 7200 rpm HDD"),
        (&["-"], "Our 7200 rpm HDD makes 300,000 IOPS random read"),
        (&["-"], "300.000 IOPS zufällig lesen von einer HDD"),
        (&["-"], "The disk does 12 GB/s sequential on SATA SSD"),
        (&["--device", "hdd", "-"], "300000 random read IOPS on a Seagate"),
        (&["--device", "hdd", "-"], "We get 300k IOPS random read 4k"),
    ] {
        let (status, said) = answered(args, text);
        assert_eq!(status, Some(4), "{text}: {said}");
        assert!(said.contains("X M2 "), "{text}: {said}");
    }
}

/// A figure that is not understood keeps the answer from being an A, and is named if nothing else is found.
#[test]
fn audit_names_lines_with_unread_figures() {
    let (status, said) =
        answered(&["-"], "Hello,\n\nIt did 300,000 IOPS today.\nSequential read is 210 MB/s\n");
    assert_eq!(status, Some(0), "{said}");
    let line = "B text line 3 has a figure that could not be read as a result";
    assert!(said.contains(line) && said.contains("trust        B"), "{said}");
    let (status, said) = answered(&["-"], "It did 300,000 IOPS today.\nAnd 12 GB/s.\n");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("-: lines 1, 2 have figures that could not be read as results"), "{said}");
    let (_, said) = answered(&["-"], "Sequential read is 210 MB/s\n\nGreetings from the 3rd floor\n");
    assert!(said.contains("trust        A"), "{said}");
}

/// Each row with an X gives status 4, also that of a test that reads memory on purpose.
#[test]
fn audit_with_a_row_of_grade_x_returns_4() {
    let hdparm = "/dev/sda:\n Timing cached reads:   20000 MB in  2.00 seconds = 10000.00 MB/sec\n \
                  Timing buffered disk reads: 750 MB in  3.00 seconds = 250.00 MB/sec\n";
    let pg = "Compare file sync methods using one 8kB write:\n        fdatasync      100.000 ops/sec   10000 usecs/op\n\n\
              Non-sync'ed 8kB writes:\n        write       400000.000 ops/sec       3 usecs/op\n";
    for text in [hdparm, pg] {
        assert_eq!(answered(&["-"], text).0, Some(4), "{text}");
    }
}

/// Quotes name the file and the line of the command, and a short run quotes the line with its time.
#[test]
fn audit_of_a_directory_quotes_files_and_lines() {
    let dir = testbed::Sandbox::new().unwrap();
    let report = "1024+0 records in\n1024+0 records out\n1073741824 bytes (1.1 GB, 1.0 GiB) copied, 0.443741 s, 2.4 GB/s\n";
    let of_dd = |options: &str| format!("$ dd if=/dev/zero of=a.img bs=1M count=1024{options}\n{report}");
    let both = of_dd("");
    for (name, text) in [("a.txt", &both), ("b.txt", &of_dd(" conv=fdatasync"))] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let path = dir.path().to_str().unwrap();
    let (_, said) = answered(&[path], "");
    assert!(said.contains("a.txt:1: dd if=/dev/zero of=a.img"), "{said}");
    assert!(said.contains("a.txt:4: 1073741824 bytes"), "{said}");
    let (_, said) = answered(&["-"], &both);
    assert!(said.contains("       1: dd if=") && !said.contains("       2: dd if="), "{said}");
    assert!(said.contains("       4: 1073741824 bytes") && !said.contains("1024+0 records in"), "{said}");
}

/// The command that an audit proposes runs as it is and leaves nothing behind.
#[test]
fn audit_proposes_commands_that_run() {
    let dir = testbed::Sandbox::new().unwrap();
    std::fs::create_dir(dir.path().join("dir")).unwrap();
    std::fs::write(dir.path().join("a.img"), vec![1; 8 << 20]).unwrap();
    let ioping = "--- ./dir (ext4 /dev/vda1 98.3 GiB) ioping statistics ---\n\
                  2.25 k requests completed in 10.0 ms, 8.79 MiB read, 225 k iops, 878 MiB/s\n\
                  generated 2.25 k requests in 10.1 ms, 8.79 MiB, 223 k iops, 870 MiB/s\n\
                  min/avg/max/mdev = 3.01 us / 4.45 us / 91.0 us / 2.00 us\n";
    let fio = r#"{"fio version": "fio-3.36", "global options": {}, "jobs": [{"jobname": "a", "error": 0,
        "job options": {"name": "a", "filename": "a.img", "size": "8m", "rw": "read", "bs": "4k"},
        "read": {"io_bytes": 8388608, "bw_bytes": 838860, "iops": 204.8, "runtime": 10000, "total_ios": 2048}}]}"#;
    let dd = "$ dd if=/dev/zero of=a.img bs=1M count=8 conv=fdatasync\n8+0 records in\n8+0 records out\n\
              8388608 bytes (8.4 MB, 8.0 MiB) copied, 0.01 s, 839 MB/s\n";
    for (text, rw) in [(ioping, "randread"), (fio, "read"), (dd, "write")] {
        let results = audited(&[], text);
        let advice = results[0]["instead"].as_str().unwrap();
        assert!(advice.contains(&format!(" --rw={rw} ")), "{advice}");
        // The size and the time are those of a test.
        let short = advice.replace("--size=4g", "--size=8m").replace("--runtime=60", "--runtime=1");
        let mut command = Command::new(FATHOM);
        command.args(short.split(' ')).arg("--no-store").current_dir(dir.path());
        let ran = command.output_of_input(b"", LIMIT).unwrap();
        assert_eq!(ran.status.code(), Some(0), "{short}: {}", String::from_utf8_lossy(&ran.stderr));
        let mut left: Vec<_> =
            std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.img", "dir"], "{short}");
        assert!(std::fs::read_dir(dir.path().join("dir")).unwrap().next().is_none(), "{short}");
    }
    assert_eq!(std::fs::read(dir.path().join("a.img")).unwrap(), vec![1; 8 << 20]);
    let result = &audited(&[], ioping)[0];
    assert_eq!((grade(result).as_str(), result["measured"].as_str()), ("X", Some("memory")));
}

/// A device that did a handful of I/Os is not measured, and a wait of 0 is no latency.
#[test]
fn audit_of_an_idle_device_shows_no_latency() {
    let head =
        "Device r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %wrqm w_await wareq-sz aqu-sz %util";
    let row = "sda 0.00 0.00 0.00 0.00 0.00 0.00 1.00 4.00 0.00 0.00 0.00 4.00 0.00 0.10";
    let text = format!("$ iostat -x -y 1 1\n\n{head}\n{row}\n");
    let (status, said) = answered(&["-"], &text);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("4k writes: 1.00 IOPS, 0.00 MB/s\n"), "{said}");
    assert!(said.contains("measured     not known") && said.contains("B M17  1.0 I/Os per second"), "{said}");
}

/// `fathom explain` of a printed result names memory as the audit does, and a mix as a mix.
#[test]
fn explain_of_printed_mixes_names_memory() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/audit/sysbench-buffered-rw.txt");
    let mut command = Command::new(FATHOM);
    command.arg("explain").arg(path).env("LC_ALL", "C.UTF-8");
    let ran = command.output_of_input(b"", LIMIT).unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("16 KiB randrw\nMEMORY: 24.5k IOPS come from memory"), "{said}");
}

/// pg_test_fsync counts operations: its figures are shown as such, not as a bandwidth.
#[test]
fn audit_of_pg_test_fsync_shows_operations() {
    let pg = "Compare file sync methods using one 8kB write:\n        \
              fdatasync      100.000 ops/sec   10000 usecs/op\n        \
              fsync           50.000 ops/sec   20000 usecs/op\n";
    let (_, said) = answered(&["-"], pg);
    assert!(said.contains("100 ops/s, 10000 us/op") && !said.contains("MB/s"), "{said}");
}

/// Figures of typed lines keep their units without commas, and a rate of I/Os is no size of a region.
#[test]
fn audit_of_typed_lines_without_commas_keeps_both_figures() {
    for (text, figures) in [
        ("4k randread 100k IOPS 400 MB/s", "100k IOPS, 400 MB/s"),
        ("randread 4k qd32 85k iops 332 MiB/s", "85.0k IOPS, 348 MB/s"),
        ("4k randread QD32 100k IOPS 95 us 400MB/s", "100k IOPS, 400 MB/s"),
        ("4k randwrite 1.2M IOPS, 4.9 GB/s", "1.20M IOPS, 4900 MB/s"),
        ("4k randwrite 1.2M IOPS 4.9 GB/s", "1.20M IOPS, 4900 MB/s"),
    ] {
        let (_, said) = answered(&["-"], text);
        assert!(said.contains(figures) && !said.contains("M3 "), "{text}: {said}");
    }
    let (status, said) = answered(&["-"], "4k randread 100k IOPS 400 kB/s");
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("IOPS times block size is 410 MB/s"), "{said}");
}

/// Long lists of typed lines take well under a millisecond for each line, also in a build without optimisation.
#[test]
fn audit_of_many_typed_lines_is_fast() {
    let line =
        |n: usize| format!("4k randread QD{}: {}k IOPS, {} MB/s\n", 1 + n % 64, 50 + n % 40, 200 + n % 9);
    let text: String = (0..6000).map(line).collect();
    let start = std::time::Instant::now();
    let (_, said) = answered(&["-"], &text);
    let took = start.elapsed();
    assert!(said.contains("k IOPS") && took < Duration::from_secs(8), "{took:?}");
}

/// Iometer's file has the measured time, the errors and the size of the disks, and does not say how they were opened.
#[test]
fn audit_of_iometer_grades_what_its_file_shows() {
    let text = |ios: u64, errors: u64, sectors: u64| {
        format!(
            "'Test Type,Test Description\n0,\n'Version\n1.1.0\n'Access specifications\n\
             'Access specification name,default assignment\nmine,0\n\
             'size,% of size,% reads,% random,delay,burst,align,reply\n4096,100,100,100,0,1,0,0\n\
             'End access specifications\n'Results\n\
             'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,\
             Write IOps,MiBps (Binary),MBps (Decimal),Average Response Time,Maximum Response Time,Errors,\
             Read I/Os,Write I/Os,Maximum Size,Queue Depth\n\
             ALL,All,mine,1,1,1,4137,4137,0,16.160156,16.945152,0.966,5,{errors},{ios},0,,\n\
             WORKER,Worker 1,mine,,,1,4137,4137,0,16.160156,16.945152,0.966,5,{errors},{ios},0,{sectors},4\n\
             DISK,sdx,,,,,4137,4137,0,16.160156,16.945152,0.966,5,{errors},{ios},0,{sectors},4\n\
             'Time Stamp\n2026-01-01 00:00:00:000\n'End Test\n"
        )
    };
    let of = |text: &str| {
        let results = audited(&[], text);
        assert_eq!(results.len(), 1, "{results:?}");
        (rules(&results[0]), grade(&results[0]), results[0].clone())
    };
    let (rules, _, sound) = of(&text(248_220, 0, 0));
    assert_eq!(rules, Vec::<String>::new(), "{sound}");
    assert_eq!(sound["measured"], "unknown", "{sound}");
    assert!(sound["unstated"].as_array().unwrap().contains(&Value::from("direct")), "{sound}");
    let (rules, grade, short) = of(&text(4137, 0, 0));
    assert!(rules.contains(&"M17".to_owned()) && grade != "A", "{short}");
    let (rules, grade, small) = of(&text(248_220, 0, 16_384));
    assert!(rules.contains(&"M3".to_owned()) && grade != "A", "{small}");
    let (_, grade, failed) = of(&text(248_220, 7, 0));
    assert_ne!(grade, "A", "{failed}");
}

/// The depth of diskspd is read in the spelling of each version, and from the command if the text does not have it.
#[test]
fn audit_of_diskspd_reads_the_depth() {
    let text = |parameters: &str| {
        format!(
            "Command Line: diskspd.exe -c10G -b4096 -d30 -o1 -t1 -r -Sh -L C:\\x.dat\n\nInput parameters:\n\n\
             \ttimespan:   1\n\tduration: 30s\n\tpath: 'C:\\x.dat'\n\t\tusing random I/O (alignment: 4096)\n\
             \t\tblock size: 4096\n{parameters}\nactual test time:\t30.00s\n\nRead IO\n\
             thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  |  file\n\
             ------------------------------------------------------------------------------\n     \
             0 |      6144000000 |      1500000 |     195.31 |   50000.00 |    0.640 | C:\\x.dat (10GiB)\n\
             ------------------------------------------------------------------------------\n\
             total:        6144000000 |      1500000 |     195.31 |   50000.00 |    0.640\n"
        )
    };
    for parameters in [
        "\t\tnumber of outstanding I/O operations per thread: 1\n\t\tthreads per file: 1\n",
        "\t\tnumber of outstanding I/O operations: 1\n\t\tthreads per file: 1\n",
        "",
    ] {
        let (status, said) = answered(&["-"], &text(parameters));
        assert_eq!(status, Some(4), "{parameters}: {said}");
        assert!(said.contains("needs 32.0 I/Os in flight, but the job can have 1.00"), "{said}");
    }
}

/// The figures of sysbench 0.4 have to agree with each other also without the block of options, which alone states the depth.
#[test]
fn audit_of_sysbench_04_without_options_checks_sums() {
    let text = |total: u64, rate: &str| {
        format!(
            "Operations performed:  60000 Read, 40000 Write, 128000 Other = {total} Total\n\
             Read 937.5Mb  Written 625Mb  Total transferred 1.5259Gb  ({rate}Mb/sec)\n  333.33 Requests/sec executed\n"
        )
    };
    let (status, said) = answered(&["-"], &text(228_000, "5.2083"));
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("16k reads and writes: 333 IOPS, 5.46 MB/s"), "{said}");
    let (status, said) = answered(&["-"], &text(328_000, "5.2083"));
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("printed 328k, but the parts give 228k"), "{said}");
    let (status, said) = answered(&["-"], &text(228_000, "52.083"));
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("IOPS times block size is 5.46 MB/s"), "{said}");
}

/// Fields of fio's JSON that cannot have their values, or contradict each other, are quoted, and the result is an X.
#[test]
fn audit_of_impossible_json_fields_gives_x() {
    let text = |key: &str, value: &str| {
        let mut flow: Value = serde_json::from_str(
            r#"{"io_bytes": 4096000, "bw_bytes": 409600, "bw": 400, "iops": 100.0, "runtime": 10000, "total_ios": 1000,
                "clat_ns": {"min": 100, "max": 900000, "mean": 50000.0, "stddev": 100.0, "N": 1000},
                "lat_ns": {"min": 200, "max": 900100, "mean": 50100.0, "stddev": 100.0, "N": 1000}}"#,
        )
        .unwrap();
        if let Some(place) = flow.pointer_mut(key) {
            *place = serde_json::from_str(value).unwrap();
        }
        format!(r#"{{"fio version": "fio-3.36", "jobs": [{{"jobname": "a", "error": 0, "read": {flow}}}]}}"#)
    };
    let (status, said) = answered(&["-"], &text("/none", "0"));
    assert!(status == Some(0) && said.contains("100 IOPS, 0.41 MB/s"), "{said}");
    for (key, value, quote) in [
        ("/runtime", "0", "these fields contradict each other: runtime = 0, total_ios = 1000, iops = 100.0"),
        ("/runtime", "-1", "runtime = -1 is not a possible value"),
        ("/clat_ns/stddev", "-5.5", "clat_ns stddev = -5.5 is not a possible value"),
        ("/lat_ns/stddev", "-1", "lat_ns stddev = -1 is not a possible value"),
        ("/clat_ns/N", "0", "these fields contradict each other: clat_ns N = 0, clat_ns min = 100"),
        ("/clat_ns/N", "900", "these fields contradict each other: clat_ns N = 900, lat_ns N = 1000"),
        ("/iops", "1e308", "iops = 1e+308 is not a possible value"),
        ("/iops", "-100", "iops = -100 is not a possible value"),
        ("/bw_bytes", "-100", "bw_bytes = -100 is not a possible value"),
    ] {
        let (status, said) = answered(&["-"], &text(key, value));
        let joined = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(status, Some(4), "{key} {value}: {said}");
        assert!(joined.contains(&format!("X law {quote}")), "{key} {value}: {said}");
        assert!(!said.contains("0000000000000000") && !said.contains(": 0 IOPS"), "{said}");
    }
}

/// A `nan` in fio's JSON leaves the other fields to be judged.
#[test]
fn audit_of_json_with_nan_judges_the_other_fields() {
    let text = r#"{"fio version": "fio-3.36", "jobs": [{"jobname": "a", "error": 0, "read": {"io_bytes": 4096000,
        "bw_bytes": 409600, "bw": 400, "iops": 100.0, "runtime": -1, "total_ios": 1000, "bw_dev": nan}}]}"#;
    let (status, said) = answered(&["-"], text);
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("X law  runtime = -1 is not a possible value"), "{said}");
}

/// Times of 0, bits instead of bytes, negative rates and a device that was busy for more than all of the time contradict.
#[test]
fn audit_of_impossible_times_and_units_gives_x() {
    let hdparm = |figures: &str| format!("/dev/sda:\n Timing buffered disk reads: {figures}\n");
    let dd = |time: &str| {
        format!("1024+0 records in\n1024+0 records out\n1073741824 bytes (1.1 GB, 1.0 GiB) copied, {time}\n")
    };
    let iostat = |rate: &str, util: &str| {
        format!(
            "$ iostat -x -y 1 1\n\nDevice r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %wrqm w_await wareq-sz aqu-sz %util\n\
             sda 100.00 {rate} 0.00 0.00 5.00 4.00 0.00 0.00 0.00 0.00 0.00 0.00 0.50 {util}\n"
        )
    };
    for (text, finding) in [
        (hdparm("600 MB in 0.00 seconds = 200.00 MB/sec"), "amount divided by time is 125829 MB/s"),
        (hdparm("600 MB in  3.00 seconds = 200.00 Mb/sec"), "the factor 8 is a mistake of units"),
        (dd("1e-400 s, 1.1 GB/s"), "1e-400 s is not a possible value"),
        (dd("0.00 s, 1.1 GB/s"), "amount divided by time is 214748 MB/s"),
        (dd("2.00 s, 537 Mb/s"), "the factor 8 is a mistake of units"),
        (iostat("-400.00", "50.00"), "rkB/s = -400.00 is not a possible value"),
        (iostat("400.00", "150.00"), "%util = 150.00 is not a possible value"),
    ] {
        let (status, said) = answered(&["-"], &text);
        let joined = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(status, Some(4), "{text}: {said}");
        assert!(joined.contains(finding), "{text}: {said}");
    }
    let (status, said) = answered(&["-"], &dd("2.00 s, 537 MB/s"));
    assert!(status != Some(4), "{said}");
    assert!(!answered(&["-"], &iostat("400.00", "100.40")).1.contains("possible value"));
}

/// The same mistake of units has the same grade, however the figures are rounded.
#[test]
fn audit_grades_equal_mistakes_of_units_alike() {
    for text in ["1M seq read 3.5 GB/s 3500 IOPS", "random write 4 KB: 20 MB/s = 5120 IOPS"] {
        let (status, said) = answered(&["-"], text);
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains("B M37") && said.contains("1.048576"), "{text}: {said}");
    }
}

/// Where JSON breaks off, the file, the line and the error are named, as by `fathom report`.
#[test]
fn audit_of_broken_json_names_the_line() {
    let dir = testbed::Sandbox::new().unwrap();
    let head = "{\n  \"fio version\": \"fio-3.36\",\n  \"jobs\": [\n";
    for (name, text) in [
        ("cut.json", format!("{head}    {{\"jobname\": \"a\", \"read\": {{\"iops\":")),
        ("nan.json", format!("{head}    {{\"jobname\": \"a\", \"read\": {{\"iops\": NaN}}}}]}}")),
        ("large.json", format!("{head}    {{\"jobname\": \"a\", \"read\": {{\"iops\": 1e400}}}}]}}")),
        ("deep.json", format!("{head}    {}{}]}}", "[".repeat(5000), "]".repeat(5000))),
    ] {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        let (status, said) = answered(&[path.to_str().unwrap()], "");
        assert_eq!(status, Some(1), "{said}");
        let mut report = Command::new(FATHOM);
        report.env("LC_ALL", "C.UTF-8").args(["report", "--charts"]).arg(&path);
        let reported = report.output_of_input(b"", LIMIT).unwrap().stderr;
        let reported = String::from_utf8_lossy(&reported).into_owned();
        let why = |text: &str| text.split_once(&format!("{name}: ")).map(|(_, why)| why.to_owned());
        assert!(why(&said).is_some_and(|why| why.contains("line 4")), "{said}");
        assert_eq!(why(&said), why(&reported), "{said}{reported}");
        assert!(!said.contains("no result of a known tool"), "{said}");
    }
    // Braces in a text are no JSON.
    let (_, said) = answered(&["-"], "The code:\n{\n  a block\n}\n");
    assert!(said.contains("no result of a known tool"), "{said}");
}
