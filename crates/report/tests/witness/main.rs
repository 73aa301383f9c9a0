//! fio prints a run as text, as JSON and as terse lines. The JSON is read back into a result, and our renderers must
//! print the same text, the same JSON and the same lines of it, figure by figure. Skipped, with a line that says so, where fio 3.33 is not installed.

// What fio printed is either as it should be or the test is over.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod parse;

use parse::{Printed, result, split, without};
use serde_json::Value;
use stats::{RunResult, Unified, histogram};
use std::path::Path;
use std::process::Command;

/// Options of each run; `@` is a directory of our own. Small, and together they reach every line of the layout.
// fio 3.33 itself goes wrong above 2 TiB/s (`per=-71.18%`), so no run here is that fast.
const CORPUS: &[&str] = &[
    "--name=plain --filename=@/f --size=4m --rw=randread",
    "--name=mix --filename=@/f --size=4m --rw=randrw --fsync=32 --numjobs=2 --group_reporting --ioengine=libaio --iodepth=4",
    "--name=each --filename=@/f --size=4m --rw=randrw --numjobs=2 --ioengine=libaio --iodepth=16",
    "--name=gtod --filename=@/f --size=4m --rw=write --bs=64k --gtod_reduce=1 --fsync=8",
    "--name=time --filename=@/f --size=4m --rw=randread --time_based --runtime=2 --ioengine=io_uring --iodepth=8",
    "--name=tiles --filename=@/f --size=4m --rw=randread --lat_percentiles=1 --slat_percentiles=1 --ioengine=libaio --percentile_list=50:99.123:99.9999",
    "--name=tiles0 --ioengine=null --size=2g --bs=64k --rw=read --percentile_list=1:2:3:5:10:20:30:40:50:60:90:100",
    "--name=tiles1 --ioengine=null --size=2g --bs=64k --rw=read --percentile_list=1.5:2:3:5:10:20:30:40:50:60:90:100",
    "--name=tiles3 --ioengine=null --size=2g --bs=64k --rw=read --percentile_list=1.001:2:3:5:10:20:30:40:50:60:90:95",
    "--name=tiles5 --ioengine=null --size=2g --bs=64k --rw=read --percentile_list=1.12345:2:3:5:10:20:30:40:50:60:90:100",
    "--name=latonly --ioengine=null --size=1g --bs=64k --rw=read --lat_percentiles=1 --disable_clat=1 --iodepth=4",
    "--name=full --filename=/dev/full --size=1m --rw=write --ioengine=psync",
    "--name=go --filename=/dev/full --size=1m --rw=write --continue_on_error=all",
    "--name=trim --ioengine=null --size=1m --rw=trim --description=hello",
    "--name=h1 --ioengine=null --size=1m --rw=write --name=h2 --stonewall --ioengine=null --size=4m --rw=read",
    "--name=u --ioengine=null --size=1m --rw=write --name=v --ioengine=null --size=1m --rw=read --group_reporting --new_group --name=w --ioengine=null --size=1m --rw=trim --group_reporting",
    "--name=noclat --ioengine=null --size=1g --disable_clat=1 --rw=write",
    "--name=nolat --ioengine=null --size=1g --disable_lat=1 --rw=write",
    "--name=nobw --ioengine=null --size=1g --disable_bw=1 --disable_slat=1 --iodepth=8 --rw=randrw",
    "--name=kilo --ioengine=null --rw=read --bs=64k --size=1t --runtime=1 --time_based --iodepth=4 --kb_base=1000 --thread=1",
    "--name=bits --ioengine=null --rw=read --bs=64k --size=1t --runtime=1 --time_based --unit_base=1 --significant_figures=6",
    "--name=rates --ioengine=null --size=1g --runtime=2 --time_based --rw=randrw --rate_iops=100,300 --iodepth=2 --numjobs=2 --group_reporting",
    "--name=rates1 --ioengine=null --size=1g --runtime=2 --time_based --rw=randrw --rate_iops=100,300 --numjobs=2",
    "--name=one --filename=@/f --size=1m --rw=write --number_ios=1",
    "--name=data --filename=@/f --size=1m --rw=randwrite --fsync=1 --end_fsync=1 --bs=32k",
    "--name=big --ioengine=null --size=100g --bs=4m --rw=readwrite --iodepth=128",
    "--name=nosync --filename=@/f --size=1m --rw=write --bs=64k --fsync=4 --disable_clat=1",
    "--name=tersetiles --filename=@/f --size=4m --rw=randrw --lat_percentiles=1 --ioengine=libaio --iodepth=4 --percentile_list=50:99.123:99.9999 --description=words",
    "--name=mixed --filename=@/f --size=4m --rw=randrw --unified_rw_reporting=1 --ioengine=libaio --iodepth=4 --description=words",
    "--name=both --filename=@/f --size=256k --rw=randrw --unified_rw_reporting=both --ioengine=libaio --iodepth=4",
    "--name=both2 --filename=@/f --size=256k --rw=randrw --unified_rw_reporting=2 --numjobs=2 --group_reporting",
    "--idle-prof=percpu --name=idle --filename=@/f --size=4m --rw=randread --time_based --runtime=1",
    "--idle-prof=system --name=busy --ioengine=null --size=100g --runtime=1 --time_based",
    "--name=many --ioengine=null --size=256k --rw=read --numjobs=20 --group_reporting",
];

/// What fio prints of a run, in all its formats. fio reads the clock for each format of its own; a run that has a
/// second's end between them says two dates, and is made again.
fn fio(arguments: &str, version: u32, directory: &Path) -> Option<Printed> {
    let directory = directory.to_str().expect("a directory in UTF-8");
    let arguments = arguments.replace('@', directory);
    let printed = || {
        let output = Command::new("/usr/bin/fio")
            .args(arguments.split(' '))
            .args(["--output-format=normal,json+,terse", &format!("--terse-version={version}")])
            .output()
            .ok()?;
        Some(split(&String::from_utf8_lossy(&output.stdout)))
    };
    let one_date = |p: &Printed| {
        let time = parse_json(&p.json)["time"].as_str().unwrap_or_default().to_string();
        p.text.lines().filter(|l| l.contains(": (groupid=")).all(|l| l.ends_with(&time))
    };
    std::iter::repeat_with(printed).take(5).find(|p| p.as_ref().is_none_or(one_date))?
}

fn installed() -> bool {
    let version = Command::new("/usr/bin/fio")
        .arg("--version")
        .output()
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let there = version.as_deref().is_ok_and(|v| v.trim() == stats::FIO_VERSION);
    if !there {
        println!("skipped: this test reads what fio 3.33 prints, and /usr/bin/fio is not that");
    }
    there
}

fn directory(name: &str) -> std::path::PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for files");
    directory
}

/// Lines in which two printings differ. Means and deviations were printed with six decimals and come back through
/// whole sums: these alone may be off by one in the last place.
fn differences(fio: &str, ours: &str) -> Vec<String> {
    let (a, b): (Vec<&str>, Vec<&str>) = (fio.lines().collect(), ours.lines().collect());
    let mut found: Vec<String> = a
        .iter()
        .zip(&b)
        .enumerate()
        .filter(|(_, (a, b))| a != b && !off_by_rounding(a, b))
        .map(|(at, (a, b))| format!("line {}:\n  fio:  {a}\n  ours: {b}", at + 1))
        .take(5)
        .collect();
    if a.len() != b.len() {
        found.push(format!("fio has {} lines, we have {}", a.len(), b.len()));
    }
    found
}

fn off_by_rounding(a: &str, b: &str) -> bool {
    if between_words(a) != between_words(b) {
        return false;
    }
    let (a, b): (Vec<&str>, Vec<&str>) = (words(a), words(b));
    let rounded = |at: usize| {
        let before = &a[..at];
        let key = before.iter().rev().find(|w| w.chars().any(char::is_alphabetic));
        key.is_some_and(|k| {
            ["mean", "stddev", "avg", "stdev", "bw_mean", "bw_dev", "iops_mean", "iops_stddev"].contains(k)
        })
    };
    a.len() == b.len()
        && a.iter().zip(&b).enumerate().all(|(at, (x, y))| {
            let ((x, unit), (y, other)) = (number_and_unit(x), number_and_unit(y));
            let close = |p: f64, q: f64| {
                let place = 10f64.powi(-(x.split_once('.').map_or(0, |(_, d)| d.len()) as i32));
                (p - q).abs() <= 1.01 * place.max(1e-8 * p.abs())
            };
            unit == other
                && (x == y
                    || rounded(at) && x.parse().ok().zip(y.parse().ok()).is_some_and(|(p, q)| close(p, q)))
        })
}

/// `31.94us` in its parts; a word is all unit.
fn number_and_unit(word: &str) -> (&str, &str) {
    word.split_at(word.trim_end_matches(char::is_alphabetic).len())
}

/// Maximal runs of letters, digits, underscores and points.
fn words(line: &str) -> Vec<&str> {
    line.split(|c: char| !in_word(c)).filter(|w| !w.is_empty()).collect()
}

/// What stands before, between and after the words, but for the spaces that pad a figure (`avg= 9.99`, `avg=10.00`).
fn between_words(line: &str) -> Vec<&str> {
    line.split(in_word)
        .filter(|s| !s.is_empty())
        .map(|s| if s.contains('=') { s.trim_end_matches(' ') } else { s })
        .collect()
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// Fields of terse lines that differ; of the ranges only the number if `ranges` is not set. Means and deviations have
/// six decimals and may be off by one in the last.
fn terse_differences(fio: &str, r: &RunResult, version: u32, ranges: bool) -> Vec<String> {
    let ours = report::terse::render(r, version);
    let mut found = Vec::new();
    let fields = |line: &str, parts: usize| {
        let mut fields: Vec<String> = line.split(';').map(String::from).collect();
        let (head, block) = (if version == 2 { 4 } else { 5 }, if version == 5 { 47 } else { 41 });
        let shares = head + parts * block + 12;
        if !ranges && fields.len() >= shares + 22 {
            fields[shares..shares + 22].fill(String::new());
        }
        fields
    };
    let close = |a: &str, b: &str| {
        let whole = |t: &str| t.trim_end_matches('%').split_once('.').is_none_or(|(_, d)| d.len() < 6);
        let number = |t: &str| t.trim_end_matches('%').parse::<f64>().ok();
        !whole(a) && number(a).zip(number(b)).is_some_and(|(x, y)| (x - y).abs() <= 1.01e-6f64.max(1e-8 * x))
    };
    let entries = r.entries();
    let parts = |name: &str| {
        let entry = entries.iter().find(|e| e.name == name);
        entry.map_or(0, |e| e.parts().iter().filter(|(at, _)| version != 3 || *at != 2).count())
    };
    for (theirs, ours) in fio.lines().zip(ours.lines()) {
        let name = theirs.split(';').nth(if version == 2 { 1 } else { 2 }).unwrap_or("");
        let (a, b) = (fields(theirs, parts(name)), fields(ours, parts(name)));
        if a.len() != b.len() {
            found.push(format!("terse version {version}: fio has {} fields, we have {}", a.len(), b.len()));
        }
        let differ = a.iter().zip(&b).enumerate().filter(|(_, (x, y))| x != y && !close(x, y));
        found.extend(
            differ
                .map(|(at, (x, y))| format!("terse version {version}, field {}: fio {x}, ours {y}", at + 1)),
        );
    }
    if fio.lines().count() != ours.lines().count() {
        found.push(format!("terse version {version}: fio has {} lines", fio.lines().count()));
    }
    found
}

fn compare(printed: &Printed, r: &RunResult, version: u32) -> Vec<String> {
    let (json, text) = (report::json::render(r, false), report::text::render(r));
    let (theirs, ours) = (parse_json(&printed.json), parse_json(&json));
    let mut found = Vec::new();
    let mut same_ranges = true;
    for (at, entry) in r.entries().iter().enumerate() {
        for key in RANGES {
            let shares = |v: &Value| v["jobs"][at][key].as_object().cloned().unwrap_or_default();
            let (a, b) = (shares(&theirs), shares(&ours));
            let slack = cut_share(entry) + 0.011;
            for ((name, p), (ours, q)) in a.iter().zip(&b) {
                let (p, q) = (p.as_f64().unwrap_or(-1.0), q.as_f64().unwrap_or(-1.0));
                same_ranges &= (p - q).abs() < 2e-6;
                if name != ours || (p - q).abs() > slack {
                    found.push(format!("{key} {name}: fio {p}, ours {ours} {q}, slack {slack}"));
                }
            }
        }
    }
    let text_of = |t: &str| if same_ranges { t.to_string() } else { without_ranges(t) };
    let json_of = |t: &str| {
        if same_ranges { t.to_string() } else { RANGES.iter().fold(t.to_string(), |t, key| without(&t, key)) }
    };
    found.extend(terse_differences(&printed.terse, r, version, same_ranges));
    // The mixed figures alone do not tell those of each direction, which the text has too; and fio prints zeros in the
    // mixed line beside the others.
    match r.jobs.first().map(|j| j.shown.unified) {
        Some(Unified::Mixed) => {}
        Some(Unified::Both) => {
            let plain =
                |t: &str| t.lines().filter(|l| !l.starts_with("  mixed: ")).collect::<Vec<_>>().join("\n");
            found.extend(differences(&plain(&text_of(&printed.text)), &plain(&text_of(&text))));
        }
        _ => found.extend(differences(&text_of(&printed.text), &text_of(&text))),
    }
    found.extend(differences(&json_of(&without(&printed.json, "bins")), &json_of(&without(&json, "fathom"))));
    found
}

fn parse_json(text: &str) -> Value {
    serde_json::from_str(text).expect("valid JSON")
}

/// The one thing that the JSON does not determine: fio counts `lat (usec)` ranges by exact value, the JSON gives
/// buckets, and some buckets lie across a limit. A share may be off by what those buckets hold; where none holds
/// anything the ranges are compared exactly like everything else.
const RANGES: [&str; 3] = ["latency_ns", "latency_us", "latency_ms"];

fn cut_share(entry: &stats::JobOutcome) -> f64 {
    let limits: Vec<u64> = [1, 1_000, 1_000_000]
        .iter()
        .flat_map(|unit| stats::RANGE_LABELS.map(|l| l * unit))
        .chain([2_000_000_000])
        .collect();
    let cut: u64 = entry
        .directions
        .iter()
        .flat_map(|d| d.clat.histogram.buckets())
        .filter(|(mid, _)| limits.iter().any(|l| histogram::index(*l) == histogram::index(*mid)))
        .map(|(_, n)| n)
        .sum();
    100.0 * cut as f64 / entry.issued().max(1) as f64
}

fn without_ranges(text: &str) -> String {
    text.lines().filter(|l| !l.starts_with("  lat (")).map(|l| format!("{l}\n")).collect()
}

#[test]
fn text_and_json_are_what_fio_prints_of_the_same_run() {
    if !installed() {
        return;
    }
    // A third each at a time: most of a run is waiting.
    let differ = |third: usize| -> Vec<String> {
        let directory = directory(&format!("corpus{third}"));
        let mut wrong = Vec::new();
        for (at, arguments) in CORPUS.iter().enumerate().filter(|(at, _)| at % 3 == third) {
            let version = 2 + at as u32 % 4;
            let printed = fio(arguments, version, &directory).expect("fio runs");
            let found = compare(&printed, &result(&printed), version);
            if !found.is_empty() {
                wrong.push(format!("fio {arguments}\n{}", found.join("\n")));
            }
        }
        let _ = std::fs::remove_dir_all(&directory);
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let thirds = [0, 1, 2].map(|third| scope.spawn(move || differ(third)));
        thirds.into_iter().flat_map(|t| t.join().expect("no comparison panics")).collect()
    });
    assert!(wrong.is_empty(), "{} of {} runs differ\n\n{}", wrong.len(), CORPUS.len(), wrong.join("\n\n"));
}

/// The comparison above has to notice when two figures change places or a key changes its name.
#[test]
fn swapped_figures_and_renamed_keys_are_noticed() {
    if !installed() {
        return;
    }
    let directory = directory("swaps");
    let arguments = "--name=swap --filename=@/f --size=4m --rw=randrw --rwmixread=70 --fsync=32 --time_based --runtime=2 --direct=1 --ioengine=libaio --iodepth=4";
    let printed = fio(arguments, 5, &directory).expect("fio runs");
    let _ = std::fs::remove_dir_all(&directory);
    let good = result(&printed);
    assert_eq!(compare(&printed, &good, 5), Vec::<String>::new());

    type Swap = (&'static str, fn(&mut RunResult));
    let swaps: &[Swap] = &[
        ("read and write", |r| r.jobs[0].directions.swap(0, 1)),
        ("slat and clat", |r| {
            let d = &mut r.jobs[0].directions[0];
            std::mem::swap(&mut d.slat, &mut d.clat);
        }),
        ("clat and lat", |r| {
            let d = &mut r.jobs[0].directions[0];
            std::mem::swap(&mut d.clat, &mut d.lat);
        }),
        ("min and max", |r| {
            let m = &mut r.jobs[0].directions[0].lat.moments;
            std::mem::swap(&mut m.least, &mut m.most);
        }),
        ("user and system", |r| {
            let cpu = &mut r.jobs[0].cpu;
            std::mem::swap(&mut cpu.user_us, &mut cpu.system_us);
        }),
        ("switches and faults", |r| {
            let cpu = &mut r.jobs[0].cpu;
            std::mem::swap(&mut cpu.switches, &mut cpu.minor_faults);
        }),
        ("depth and complete", |r| {
            let j = &mut r.jobs[0];
            std::mem::swap(&mut j.depth, &mut j.complete);
        }),
        ("bw and iops", |r| {
            let d = &mut r.jobs[0].directions[0];
            std::mem::swap(&mut d.bw_group, &mut d.iops_group);
        }),
        ("disk reads and writes", |r| r.disks[0].ios.swap(0, 1)),
        ("disk ticks", |r| r.disks[0].ticks_ms.swap(0, 1)),
        ("syncs and I/Os", |r| {
            let j = &mut r.jobs[0];
            std::mem::swap(&mut j.syncs, &mut j.directions[1].issued);
        }),
    ];
    for (name, swap) in swaps {
        let mut bad = good.clone();
        swap(&mut bad);
        assert!(!compare(&printed, &bad, 5).is_empty(), "swapping {name} went unnoticed");
        // Version 5 has every figure but those of syncs and of submit and reap calls.
        let terse = terse_differences(&printed.terse, &bad, 5, false);
        assert!(!terse.is_empty(), "swapping {name} went unnoticed in the terse line: {terse:?}");
    }
    // Without what the JSON does not determine nothing differs, so what is noticed is the name.
    let (text, their_text) = (without_ranges(&report::text::render(&good)), without_ranges(&printed.text));
    assert_eq!(differences(&their_text, &text), Vec::<String>::new());
    let plain =
        |t: &str| RANGES.iter().fold(without(&without(t, "bins"), "fathom"), |t, key| without(&t, key));
    let (json, their_json) = (plain(&report::json::render(&good, false)), plain(&printed.json));
    assert_eq!(differences(&their_json, &json), Vec::<String>::new());
    for (from, to) in
        [("IOPS=", "IOPs="), ("clat (", "clat("), ("issued rwts", "issued rwt"), ("in_queue=", "queue=")]
    {
        assert!(text.contains(from), "{from} is not there to rename");
        assert!(!differences(&their_text, &text.replacen(from, to, 1)).is_empty(), "{to} went unnoticed");
    }
    for (from, to) in [
        ("\"bw_bytes\"", "\"bytes_per_second\""),
        ("\"lat_ns\"", "\"lat\""),
        ("\"ctx\"", "\"csw\""),
        ("\"util\"", "\"utilisation\""),
    ] {
        assert!(json.contains(from), "{from} is not there to rename");
        assert!(!differences(&their_json, &json.replacen(from, to, 1)).is_empty(), "{to} went unnoticed");
    }
}
