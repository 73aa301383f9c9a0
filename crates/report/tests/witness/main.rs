//! fio prints a run as text and as JSON. The JSON is read back into a result, and our renderers must print the same
//! text and the same JSON of it, figure by figure. Skipped, with a line that says so, where fio 3.33 is not installed.

// What fio printed is either as it should be or the test is over.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod parse;

use parse::{Printed, result, split, without};
use serde_json::Value;
use stats::{RunResult, histogram};
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
    "--name=many --ioengine=null --size=256k --rw=read --numjobs=20 --group_reporting",
];

fn fio(arguments: &str, directory: &Path) -> Option<Printed> {
    let directory = directory.to_str().expect("a directory in UTF-8");
    let arguments = arguments.replace('@', directory);
    let output = Command::new("/usr/bin/fio")
        .args(arguments.split(' '))
        .arg("--output-format=normal,json+")
        .output()
        .ok()?;
    Some(split(&String::from_utf8_lossy(&output.stdout)))
}

fn installed() -> bool {
    let version = Command::new("/usr/bin/fio")
        .arg("--version")
        .output()
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let there = version.as_deref().is_ok_and(|v| v.trim() == "fio-3.33");
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
            let close = |x: f64, y: f64| {
                let place = 10f64.powi(-(a[at].split_once('.').map_or(0, |(_, d)| d.len()) as i32));
                (x - y).abs() <= 1.01 * place.max(1e-8 * x.abs())
            };
            x == y || rounded(at) && x.parse().ok().zip(y.parse().ok()).is_some_and(|(x, y)| close(x, y))
        })
}

/// Maximal runs of letters, digits, underscores and points.
fn words(line: &str) -> Vec<&str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).filter(|w| !w.is_empty()).collect()
}

fn compare(printed: &Printed, r: &RunResult) -> Vec<String> {
    let (json, text) = (report::json::render(r), report::text::render(r));
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
    found.extend(differences(&text_of(&printed.text), &text_of(&text)));
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
    let directory = directory("corpus");
    let mut wrong = Vec::new();
    for arguments in CORPUS {
        let printed = fio(arguments, &directory).expect("fio runs");
        let found = compare(&printed, &result(&printed));
        if !found.is_empty() {
            wrong.push(format!("fio {arguments}\n{}", found.join("\n")));
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
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
    let printed = fio(arguments, &directory).expect("fio runs");
    let _ = std::fs::remove_dir_all(&directory);
    let good = result(&printed);
    assert_eq!(compare(&printed, &good), Vec::<String>::new());

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
        assert!(!compare(&printed, &bad).is_empty(), "swapping {name} went unnoticed");
    }
    let (text, json) = (report::text::render(&good), without(&report::json::render(&good), "fathom"));
    let fio = without(&printed.json, "bins");
    for (from, to) in
        [("IOPS=", "IOPs="), ("clat (", "clat("), ("issued rwts", "issued rwt"), ("in_queue=", "queue=")]
    {
        assert!(text.contains(from), "{from} is not there to rename");
        assert!(!differences(&printed.text, &text.replacen(from, to, 1)).is_empty(), "{to} went unnoticed");
    }
    for (from, to) in [
        ("\"bw_bytes\"", "\"bytes_per_second\""),
        ("\"lat_ns\"", "\"lat\""),
        ("\"ctx\"", "\"csw\""),
        ("\"util\"", "\"utilisation\""),
    ] {
        assert!(json.contains(from), "{from} is not there to rename");
        assert!(!differences(&fio, &json.replacen(from, to, 1)).is_empty(), "{to} went unnoticed");
    }
}
