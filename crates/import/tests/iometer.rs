//! Configuration files of Iometer: both grammars, drawn documents, malformed files, and the jobs of a document.

use import::iometer::*;
use job::job::AccessLine;
use std::path::Path;
use testbed::Draw;

const OF_1_1_0: &str = include_str!("iometer/1.1.0.icf");
const OF_2006: &str = include_str!("iometer/2006.07.27.icf");

fn draw_text(draw: &mut Draw) -> String {
    let words = [
        "4 KiB",
        "read;",
        "100%",
        "aligned",
        "\u{441}\u{435}\u{440}\u{432}\u{435}\u{440}",
        "a\"b\"",
        "x=1",
        "#2",
    ];
    (0..draw.whole(1, 3)).map(|_| draw.pick(&words).to_owned()).collect::<Vec<_>>().join(" ")
}

fn maybe<T>(draw: &mut Draw, of: impl FnOnce(&mut Draw) -> T) -> Option<T> {
    (draw.below(4) > 0).then(|| of(draw))
}

fn one<T: Copy>(draw: &mut Draw, of: &[T]) -> T {
    of[draw.below(of.len())]
}

fn cycling(draw: &mut Draw) -> Cycling {
    let kind = one(draw, &[Step::Linear, Step::Exponential]);
    Cycling { start: draw.whole(1, 9), step: draw.whole(1, 9), kind }
}

fn spawn(draw: &mut Draw) -> Spawn {
    if draw.below(2) == 0 { Spawn::Cpus } else { Spawn::Number(draw.whole(0, 64)) }
}

fn lines(draw: &mut Draw) -> Vec<AccessLine> {
    let number = if draw.below(20) == 0 { 100 } else { draw.whole(1, 8) };
    let mut left = 100;
    (0..number)
        .map(|at| {
            let share = if at + 1 == number { left } else { draw.whole(0, left.min(40)) };
            left -= share;
            AccessLine {
                size: u64::from(draw.whole(1, 1 << 20)),
                share: share as u8,
                reads: draw.whole(0, 100) as u8,
                random: draw.whole(0, 100) as u8,
                delay_ms: draw.whole(0, 1000),
                burst: draw.whole(1, 100),
                align: one(draw, &[0, 512, 4096]),
                reply: one(draw, &[0, 0, 512, 70_000]),
            }
        })
        .collect()
}

fn settings(draw: &mut Draw) -> Settings {
    let queue = maybe(draw, |draw| (draw.whole(1, 256), draw.below(2) == 0, draw.whole(0, 9)));
    Settings {
        seed: queue.and_then(|_| maybe(draw, |draw| (draw.below(2) == 0, draw.next() >> 1))),
        queue,
        disk: maybe(draw, |draw| DiskSettings {
            sectors: draw.next() >> 20,
            start: u64::from(draw.whole(0, 1 << 20)),
            pattern: maybe(draw, |draw| draw.whole(0, 2) as u8),
        }),
    }
}

fn worker(draw: &mut Draw, specs: &[AccessSpec]) -> Worker {
    let kinds =
        [WorkerKind::Disk, WorkerKind::Network(NetworkKind::Tcp), WorkerKind::Network(NetworkKind::Vi)];
    let target = |draw: &mut Draw| Target {
        name: if draw.below(2) == 0 {
            "C:".into()
        } else {
            format!("{}: \"{}\"", draw.below(9), draw_text(draw))
        },
        kind: maybe(draw, |_| "DISK".into()),
    };
    Worker {
        name: draw_text(draw),
        kind: maybe(draw, |draw| one(draw, &kinds)),
        settings: maybe(draw, settings),
        specs: (0..draw.whole(0, 3))
            .filter(|_| !specs.is_empty())
            .map(|_| specs[draw.below(specs.len())].name.clone())
            .collect(),
        targets: (0..draw.whole(0, 3)).map(|_| target(draw)).collect(),
    }
}

fn document(draw: &mut Draw) -> Document {
    let version = match draw.below(2) {
        0 => Version::Number(draw.whole(1, 9), draw.whole(0, 9), draw.whole(0, 9)),
        _ => Version::Date(draw.whole(1999, 2030), draw.whole(1, 12), draw.whole(1, 28)),
    };
    let setup = |draw: &mut Draw| TestSetup {
        description: (0..draw.whole(0, 2)).map(|_| draw_text(draw)).collect(),
        run_time: maybe(draw, |draw| [draw.whole(0, 99), draw.whole(0, 59), draw.whole(0, 59)]),
        ramp_s: maybe(draw, |draw| draw.whole(0, 999)),
        disk_workers: maybe(draw, spawn),
        network_workers: maybe(draw, spawn),
        workers: maybe(draw, spawn),
        record: maybe(draw, |draw| one(draw, &Record::ALL)),
        worker_cycling: maybe(draw, cycling),
        disk_cycling: maybe(draw, cycling),
        queue_cycling: maybe(draw, |draw| QueueCycling {
            start: draw.whole(1, 9),
            end: draw.whole(1, 256),
            step: draw.whole(1, 9),
            kind: one(draw, &[Step::Linear, Step::Exponential]),
        }),
        test_type: maybe(draw, |draw| one(draw, &TestType::ALL)),
    };
    let display = |draw: &mut Draw| Display {
        entries: (1..=draw.whole(0, 6))
            .map(|n| (format!("Bar chart {n} statistic"), vec![draw_text(draw)]))
            .collect(),
    };
    let specs = maybe(draw, |draw| {
        let spec = |draw: &mut Draw, at: u32| AccessSpec {
            name: format!("{} {at}", draw_text(draw)),
            assignment: one(draw, &Assignment::ALL),
            lines: lines(draw),
        };
        (0..draw.whole(0, 4)).map(|at| spec(draw, at)).collect::<Vec<_>>()
    });
    let of_workers = specs.clone().unwrap_or_default();
    let manager = |draw: &mut Draw| Manager {
        id: draw.whole(0, 99),
        name: draw_text(draw),
        address: maybe(draw, |_| "10.0.0.1".into()),
        workers: (0..draw.whole(0, 3)).map(|_| worker(draw, &of_workers)).collect(),
    };
    Document {
        version,
        setup: maybe(draw, setup),
        display: maybe(draw, display),
        managers: maybe(draw, |draw| (0..draw.whole(0, 3)).map(|_| manager(draw)).collect()),
        specs,
    }
}

/// Printing loses nothing that reading finds: the document that is read from the text is the one that was printed.
#[test]
fn drawn_documents_survive_printing_and_reading() {
    let mut draw = Draw::new(21);
    for nth in 0..2000 {
        let document = document(&mut draw);
        let text = print(&document);
        assert_eq!(parse(text.as_bytes()).as_ref(), Ok(&document), "{nth}:\n{text}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(parse(windows.as_bytes()).as_ref(), Ok(&document), "{nth}");
        assert!(is_icf(text.as_bytes()));
    }
}

#[test]
fn files_of_both_grammars_are_printed_as_they_are() {
    for text in [OF_1_1_0, OF_2006] {
        let document = parse(text.as_bytes()).unwrap();
        assert_eq!(print(&document), text);
    }
    let document = parse(OF_1_1_0.as_bytes()).unwrap();
    assert_eq!(document.version, Version::Number(1, 1, 0));
    let setup = document.setup.unwrap();
    assert_eq!((setup.run_s(), setup.ramp_s), (600, Some(60)));
    let worker = &document.managers.unwrap()[0].workers[0];
    let settings = worker.settings.clone().unwrap();
    assert_eq!(settings.queue, Some((32, false, 1)));
    assert_eq!(settings.seed, Some((false, 0)));
    assert_eq!(settings.disk, Some(DiskSettings { sectors: 0, start: 0, pattern: Some(0) }));
    let old = parse(OF_2006.as_bytes()).unwrap();
    assert_eq!(old.version, Version::Date(2006, 7, 27));
    let worker = &old.managers.unwrap()[0].workers[0];
    let settings = worker.settings.clone().unwrap();
    assert_eq!((settings.seed, settings.disk.unwrap().pattern), (None, None));
}

/// Forms that Iometer's own reader accepts: code pages, keys in other letters, comments, missing sections.
#[test]
fn tolerated_forms_are_read() {
    let mut bytes = OF_1_1_0.replace("my test", "M\u{fc}nchen").into_bytes();
    let at = bytes.windows(2).position(|pair| pair == [0xc3, 0xbc]).unwrap();
    bytes.splice(at..at + 2, [0xfc]);
    let setup = parse(&bytes).unwrap().setup.unwrap();
    assert_eq!(setup.description, ["M\u{fc}nchen"]);
    let same = parse(OF_1_1_0.as_bytes()).unwrap();
    let other =
        OF_1_1_0.replace("'Run Time", "'RUN TIME").replace("'Record Results", "'Record Results\n'a comment");
    assert_eq!(parse(other.as_bytes()).unwrap(), same);
    let short = "'TEST SETUP\n'Run Time\n\t0 0 5\n'END test setup\n";
    assert!(is_icf(short.as_bytes()));
    let document = parse(short.as_bytes()).unwrap();
    assert_eq!((document.version, document.setup.unwrap().run_s()), (Version::Number(1, 1, 0), 5));
    for other in ["[global]\nrw=read\n", "Version of a text\n", "", "fio version 2 iolog\n"] {
        assert!(!is_icf(other.as_bytes()), "{other}");
    }
}

/// Returns the file with `old` replaced by `new`, which has to occur.
fn changed(old: &str, new: &str) -> String {
    assert!(OF_1_1_0.contains(old), "{old}");
    OF_1_1_0.replacen(old, new, 1)
}

/// Each fault is found at its line, and its kind says what would be right.
#[test]
fn forty_malformed_files_name_line_and_fault() {
    let after = |text: &str, words: &str| 1 + text.lines().position(|line| line.contains(words)).unwrap();
    let number = "Number {";
    let cases: Vec<(String, &str, &str)> = vec![
        ("hello\n".into(), "hello", "NoVersion"),
        (OF_1_1_0.replace("Version 1.1.0", "Version 1.1"), "Version 1.1", "BadVersion"),
        (OF_1_1_0.replace("Version 1.1.0", "Version one"), "Version one", "BadVersion"),
        (OF_1_1_0.replace("Version 1.1.0", "Version 1998.05.20"), "Version 1998", "TooOld"),
        (OF_1_1_0.replace("Version 1.1.0", "Version 1997.12.31"), "Version 1997", "TooOld"),
        (
            OF_1_1_0.replace("'END manager list\nVersion 1.1.0 \n", "'END manager list\n"),
            "'END manager list",
            "NoLastVersion",
        ),
        (
            OF_1_1_0.replace("'END manager list\nVersion 1.1.0 ", "'END manager list\nVersion 1.1.1 "),
            "Version 1.1.1",
            "OtherVersion",
        ),
        (changed("\t0          10         0\n", ""), "'Run Time", "NoValue"),
        (changed("0          10         0", "0  10"), "\t0  10", "Fields { found: 2"),
        (changed("0          10         0", "0 ten 0"), "ten", number),
        (changed("0          10         0", "0 -1 0"), "-1", number),
        (changed("\t60\n", "\tsoon\n"), "soon", number),
        (changed("\t60\n", ""), "'Ramp Up", "NoValue"),
        (changed("NUMBER_OF_CPUS", "ALL_CPUS"), "ALL_CPUS", number),
        (changed("\tALL\n", "\tEVERYTHING\n"), "EVERYTHING", "Choice"),
        (changed("1          1          LINEAR", "1 1 CUBIC"), "CUBIC", "Choice"),
        (changed("1          1          LINEAR", "0 1 LINEAR"), "0 1 LINEAR", number),
        (changed("1          1          LINEAR", "1 1"), "\t1 1", "Fields { found: 2"),
        (
            changed("1          32         2          EXPONENTIAL", "1 32 EXPONENTIAL"),
            "32 EXP",
            "Fields { found: 3",
        ),
        (changed("\tNORMAL\n", "\tODD\n"), "ODD", "Choice"),
        (changed("'END test setup\n", ""), "'RESULTS DISPLAY", "NoEnd"),
        (changed("'END results display\n", ""), "'ACCESS SPEC", "NoEnd"),
        (changed("'END access specifications\n", ""), "'MANAGER LIST", "NoEnd"),
        (changed("'END manager list\n", ""), "Version 1.1.0", "NoEnd"),
        (changed("\t4K rand read,NONE\n", "\t4K rand read\n"), "\t4K rand read", "Fields { found: 1"),
        (changed("4K rand read,NONE", "4K rand read,SOME"), "SOME", "Choice"),
        (changed("4K rand read,NONE", ",NONE"), "\t,NONE", "NoName"),
        (
            changed("4096,100,100,100,0,1,4096,0", "4096,100,100,100,0,1,4096"),
            "4096,100",
            "Fields { found: 7",
        ),
        (changed("4096,100,100,100,0,1,4096,0", "0,100,100,100,0,1,4096,0"), "\t0,100", number),
        (changed("4096,100,100,100,0,1,4096,0", "4k,100,100,100,0,1,4096,0"), "4k,100", number),
        (changed("4096,100,100,100,0,1,4096,0", "4096,100,101,100,0,1,4096,0"), "4096,100,101", number),
        (changed("4096,100,100,100,0,1,4096,0", "4096,100,100,100,0,0,4096,0"), "0,0,4096", number),
        (changed("4096,100,100,100,0,1,4096,0", "4096,90,100,100,0,1,4096,0"), "4K rand read,NONE", "Sum"),
        (changed("\t4096,100,100,100,0,1,4096,0\n", ""), "4K rand read,NONE", "NoLines"),
        (
            changed("\t4096,100,100,100,0,1,4096,0\n", &"\t4096,1,100,100,0,1,4096,0\n".repeat(101)),
            "4K rand read,NONE",
            "TooManyLines",
        ),
        (changed("Mixed,ALL", "4K rand read,ALL"), "4K rand read,ALL", "SameName"),
        (changed("\t4K rand read\n", "\t8K rand read\n"), "\t8K rand read", "UnknownSpec"),
        (changed("\t1,HOST", "\tHOST"), "\tHOST", "Fields { found: 1"),
        (changed("\t1,HOST", "\tone,HOST"), "one,HOST", number),
        (changed("\t1,HOST", "\t1,"), "\t1,", "NoName"),
        (changed("\tDISK\n'Default", "\tTAPE\n'Default"), "TAPE", "Choice"),
        (changed("32,DISABLED,1,DISABLED,0", "0,DISABLED,1,DISABLED,0"), "0,DISABLED,1", number),
        (changed("32,DISABLED,1,DISABLED,0", "32,OFF,1,DISABLED,0"), "32,OFF", "Choice"),
        (changed("32,DISABLED,1,DISABLED,0", "32,DISABLED,1,DISABLED"), "32,DISABLED", "Fields { found: 4"),
        (changed("\t0,0,0\n", "\t0\n"), "\t0", "Fields { found: 1"),
        (changed("\t0,0,0\n", "\t0,0,3\n"), "\t0,0,3", number),
        (changed("'End worker\n", ""), "'End manager", "NoEnd"),
        (changed("'End target\n", ""), "'Target", "NoEnd"),
        (changed("'Test Type\n", ""), "\tNORMAL", "NoKey"),
        (changed("'RESULTS DISPLAY", "'TEST SETUP again"), "'TEST SETUP again", "Twice"),
    ];
    assert!(cases.len() >= 40);
    for (text, words, kind) in cases {
        let fault = parse(text.as_bytes()).expect_err(kind);
        let found = format!("{:?}", fault.kind);
        assert!(found.starts_with(kind), "{kind}: {found}\n{text}");
        let line = text.lines().nth(fault.line - 1).unwrap_or_default();
        assert!(
            line.contains(words.trim_start_matches('\t')),
            "{kind}: line {} {line:?}, not {words:?}",
            fault.line
        );
        if kind != "NoEnd" && !words.starts_with('\t') && text.matches(words).count() == 1 {
            assert_eq!(fault.line, after(&text, words), "{kind} {words}");
        }
    }
}

#[test]
fn cut_files_and_noise_do_not_panic() {
    let mut draw = Draw::new(5);
    for at in 0..OF_1_1_0.len() {
        let _ = parse(&OF_1_1_0.as_bytes()[..at]);
    }
    for _ in 0..2000 {
        let mut bytes = OF_1_1_0.as_bytes().to_vec();
        for _ in 0..draw.whole(1, 6) {
            let at = draw.below(bytes.len());
            bytes[at] = draw.next() as u8;
        }
        let _ = parse(&bytes);
        let (from, to) = (draw.below(bytes.len()), draw.below(bytes.len()));
        bytes.drain(from.min(to)..from.max(to));
        let _ = parse(&bytes);
    }
}

fn everything_is_filled(_: &Path) -> Place {
    Place::Filled
}

fn jobs_of(document: &Document, typed: &[&str]) -> Result<String, ConversionFault> {
    let typed: Vec<String> = typed.iter().map(|text| (*text).to_owned()).collect();
    job_file(document, &Places { typed: &typed, look: &everything_is_filled })
}

/// Returns the values of an option, one for each job that has it.
fn values<'t>(jobs: &'t str, option: &str) -> Vec<&'t str> {
    jobs.lines().filter_map(|line| line.strip_prefix(option)?.strip_prefix('=')).collect()
}

#[test]
fn jobs_have_the_ramp_run_time_and_settings_of_the_file() {
    let document = parse(OF_1_1_0.as_bytes()).unwrap();
    let jobs = jobs_of(&document, &["0=/dev/loop7", "D:=/tmp/a:b.img,8m"]).unwrap();
    assert_eq!(values(&jobs, "runtime"), ["600s"]);
    assert_eq!(values(&jobs, "ramp_time"), ["60s"]);
    assert_eq!(values(&jobs, "filename"), ["/dev/loop7", "/tmp/a\\:b.img", "/dev/loop7", "/tmp/a\\:b.img"]);
    assert_eq!(values(&jobs, "size"), ["8388608", "8388608"]);
    assert_eq!(values(&jobs, "iodepth"), ["32"; 4]);
    assert_eq!(
        values(&jobs, "access_spec"),
        [
            "4096/100/100/100/0/1/4096/0",
            "4096/100/100/100/0/1/4096/0",
            "65536/60/0/0/0/1/0/0:512/40/67/100/2/4/0/512",
            "65536/60/0/0/0/1/0/0:512/40/67/100/2/4/0/512",
        ]
    );
    // The second test waits for the end of the first.
    assert_eq!(jobs.matches("stonewall").count(), 1);
}

#[test]
fn targets_are_called_by_name_number_or_label() {
    let document = parse(OF_1_1_0.as_bytes()).unwrap();
    for name in ["0: \"DISK NAME\"", "0:", "0", "disk name", "HOST/0", "host/DISK NAME"] {
        let jobs = jobs_of(&document, &[&format!("{name}=/dev/x"), "d=/dev/y"]).unwrap();
        assert_eq!(values(&jobs, "filename")[..2], ["/dev/x", "/dev/y"], "{name}");
    }
    let all = vec!["0: \"DISK NAME\"".to_owned(), "D:".to_owned()];
    assert_eq!(jobs_of(&document, &[]), Err(ConversionFault::Unmapped { targets: all.clone() }));
    assert_eq!(
        jobs_of(&document, &["0=/dev/x"]),
        Err(ConversionFault::Unmapped { targets: vec!["D:".into()] })
    );
    assert_eq!(
        jobs_of(&document, &["0=/dev/x", "D:=/dev/y", "E:=/dev/z", "HOST2/D:=/dev/z"]),
        Err(ConversionFault::NoSuchTarget { named: vec!["E:".into(), "HOST2/D:".into()], targets: all })
    );
    for path in ["", "/tmp/a;b", "/tmp/a#b", "/tmp/${HOME}", " /tmp/a"] {
        let found = jobs_of(&document, &["0=/dev/x", &format!("D:={path}")]);
        assert_eq!(found, Err(ConversionFault::BadPath { text: path.into() }), "{path}");
    }
    for size in ["-1", "0", "99999999999999999999g", "1.5.2g"] {
        let text = format!("/tmp/a,{size}");
        let found = jobs_of(&document, &["0=/dev/x", &format!("D:={text}")]);
        assert_eq!(found, Err(ConversionFault::BadSize { text, size: size.into() }));
    }
    let twins = OF_1_1_0.replace("\tD:\n", "\t1: \"DISK NAME\"\n");
    let document = parse(twins.as_bytes()).unwrap();
    assert!(matches!(jobs_of(&document, &["disk name=/dev/x"]), Err(ConversionFault::Ambiguous { .. })));
    assert!(jobs_of(&document, &["0=/dev/x", "1=/dev/y"]).is_ok());
}

/// A directory stands for a volume: Iometer's file in it needs a size, or has one.
#[test]
fn directories_get_a_file_of_stated_size() {
    let document = parse(OF_1_1_0.as_bytes()).unwrap();
    let look = |path: &Path| match path.to_str() {
        Some("/mnt/a" | "/mnt/b") => Place::Directory,
        Some("/mnt/b/iobw.tst") => Place::Filled,
        _ => Place::Empty,
    };
    let of = |text: &str| {
        let typed = ["0=/dev/x".to_owned(), format!("D:={text}")];
        job_file(&document, &Places { typed: &typed, look: &look })
    };
    assert_eq!(of("/mnt/a"), Err(ConversionFault::NoSize { target: "D:".into() }));
    let jobs = of("/mnt/a,1m").unwrap();
    assert_eq!(values(&jobs, "filename")[1], "/mnt/a/iobw.tst");
    assert_eq!(values(&jobs, "size")[0], "1048576");
    assert_eq!(values(&of("/mnt/b").unwrap(), "filename")[1], "/mnt/b/iobw.tst");
    let part = OF_1_1_0.replace("\t0,0,0\n", "\t2048,64,2\n");
    let document = parse(part.as_bytes()).unwrap();
    let typed = ["0=/dev/x".to_owned(), "D:=/mnt/a".to_owned()];
    let jobs = job_file(&document, &Places { typed: &typed, look: &look }).unwrap();
    assert_eq!(values(&jobs, "size")[0], "1048576");
    assert_eq!(values(&jobs, "offset")[0], "32768");
    assert_eq!(values(&jobs, "refill_buffers").len(), 4);
}

#[test]
fn what_fathom_does_not_do_is_refused_by_name() {
    let refused = |old: &str, new: &str| {
        let document = parse(changed(old, new).as_bytes()).unwrap();
        jobs_of(&document, &["0=/dev/x", "D:=/dev/y"]).unwrap_err()
    };
    let worker = || "Worker 1".to_owned();
    assert_eq!(
        refused("32,DISABLED,1,DISABLED,0", "32,ENABLED,1,DISABLED,0"),
        ConversionFault::ConnectionRate { worker: worker() }
    );
    assert_eq!(
        refused("\tDISK\n'Default", "\tNETWORK,TCP\n'Default"),
        ConversionFault::Network { worker: worker() }
    );
    let cut = OF_1_1_0.find("'MANAGER LIST").unwrap();
    let document = parse(format!("{}Version 1.1.0\n", &OF_1_1_0[..cut]).as_bytes()).unwrap();
    assert_eq!(jobs_of(&document, &[]), Err(ConversionFault::NoWorkers));
    let endless = changed("1          32         2          EXPONENTIAL", "1 32 1 EXPONENTIAL")
        .replace("\tNORMAL", "\tCYCLE_OUTSTANDING_IOS");
    let document = parse(endless.as_bytes()).unwrap();
    assert_eq!(jobs_of(&document, &["0=/dev/x", "D:=/dev/y"]), Err(ConversionFault::EndlessCycle));
}

/// Two workers with two and one targets, in each type of test: the numbers of jobs and their depths, test by test.
#[test]
fn cycles_have_the_points_of_their_type() {
    let one = "'End worker\n'End manager\n";
    assert!(OF_1_1_0.contains(one));
    let second = "'End worker\n'Worker\n\tWorker 2\n'Worker type\n\tDISK\n'Default target settings for worker\n\
                  'Number of outstanding IOs,test connection rate,transactions per connection\n\t4,DISABLED,1\n\
                  'End default target settings for worker\n'Assigned access specs\n\t4K rand read\n\
                  'End assigned access specs\n'Target assignments\n'Target\n\tE:\n'Target type\n\tDISK\n\
                  'End target\n'End target assignments\n'End worker\n'End manager\n";
    let both = OF_1_1_0.replacen(one, second, 1).replacen("\tMixed\n'End assigned", "'End assigned", 1);
    let points = |kind: &str| {
        let text = both.replacen("\tNORMAL\n", &format!("\t{kind}\n"), 1);
        let text = text.replacen("1          32         2          EXPONENTIAL", "1 8 3 EXPONENTIAL", 1);
        let document = parse(text.as_bytes()).unwrap();
        let jobs = jobs_of(&document, &["0=/dev/x", "D:=/dev/y", "E:=/dev/z"]).unwrap();
        let mut tests: Vec<Vec<String>> = Vec::new();
        let mut job = (String::new(), String::new());
        for line in jobs.lines() {
            if let Some(depth) = line.strip_prefix("iodepth=") {
                job.0 = depth.to_owned();
            } else if line == "stonewall=1" {
                job.1 = "wait".to_owned();
            } else if let Some(path) = line.strip_prefix("filename=/dev/") {
                if tests.is_empty() || job.1 == "wait" {
                    tests.push(Vec::new());
                }
                tests.last_mut().unwrap().push(format!("{path}{}", job.0));
                job.1.clear();
            }
        }
        tests.iter().map(|test| test.join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(points("NORMAL"), ["x32 y32 z4"]);
    assert_eq!(points("CYCLE_TARGETS"), ["x32 z4", "x32 y32 z4"]);
    assert_eq!(points("INCREMENT_TARGETS_PARALLEL"), ["x32 z4", "x32 y32 z4"]);
    assert_eq!(points("INCREMENT_TARGETS_SERIAL"), ["x32", "x32 y32", "x32 y32 z4"]);
    assert_eq!(points("CYCLE_WORKERS"), ["x32 y32", "x32 y32 z4"]);
    assert_eq!(points("CYCLE_WORKERS_AND_TARGETS"), ["x32", "x32 y32", "x32 z4", "x32 y32 z4"]);
    assert_eq!(points("CYCLE_OUTSTANDING_IOS"), ["x1 y1 z1", "x3 y3 z3"]);
    assert_eq!(points("CYCLE_OUTSTANDING_IOS_AND_TARGETS"), ["x1 z1", "x3 z3", "x1 y1 z1", "x3 y3 z3"]);
}
