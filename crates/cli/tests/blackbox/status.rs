//! Reports while a run goes on: asked for by time, by signal, by file.

use serde_json::Value;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::Sandbox;
use testbed::child::Running;

/// A job of three seconds without a device; reports as JSON.
fn start(sandbox: &Sandbox, more: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command
        .args(["fio", "--output-format=json", "--name=a", "--ioengine=null", "--rw=randread", "--bs=4k"])
        .args(["--size=1m", "--time_based", "--runtime=3"])
        .args(more)
        .env("TMPDIR", sandbox.path());
    Running::start(&mut command).unwrap()
}

fn documents(child: Running) -> Vec<Value> {
    let ran = child.finish(Duration::from_secs(30)).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::Deserializer::from_str(&ran.stdout).into_iter().collect::<Result<_, _>>().unwrap()
}

/// I/Os and milliseconds of each report.
fn counted(documents: &[Value]) -> Vec<(u64, u64)> {
    let read = |d: &Value| d["jobs"][0]["read"].clone();
    let of = |d: Value| (d["total_ios"].as_u64().unwrap(), d["runtime"].as_u64().unwrap());
    documents.iter().map(|d| of(read(d))).collect()
}

#[test]
fn measures_a_report_every_second_counts_what_came_so_far() {
    let sandbox = Sandbox::new().unwrap();
    let all = documents(start(&sandbox, &["--status-interval=1"]));
    let counts = counted(&all);
    assert!((3..=4).contains(&counts.len()), "{counts:?}");
    // The third second may end with the job: then the report of the end says the same.
    assert!(counts[..3].windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1), "{counts:?}");
    assert!(counts[2] <= counts[counts.len() - 1], "{counts:?}");
    for (document, (ios, ms)) in all.iter().zip(&counts) {
        let bytes = document["jobs"][0]["read"]["io_bytes"].as_u64().unwrap();
        // The counters are read while they move, a batch of eight at a time.
        assert!(bytes.abs_diff(ios * 4096) <= 64 * 4096, "{bytes} bytes, {ios} I/Os in {ms} ms");
        assert!(document["jobs"][0]["usr_cpu"].as_f64().unwrap() >= 0.0);
    }
}

#[test]
fn a_signal_and_a_file_ask_for_one_report_each() {
    let sandbox = Sandbox::new().unwrap();
    let child = start(&sandbox, &[]);
    std::thread::sleep(Duration::from_millis(1000));
    child.signal(libc::SIGUSR1);
    std::thread::sleep(Duration::from_millis(500));
    let file = sandbox.join("fio-dump-status");
    std::fs::write(&file, "").unwrap();
    let since = Instant::now();
    while file.exists() && since.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!file.exists(), "the file is the sign that it was seen");
    let counts = counted(&documents(child));
    assert_eq!(counts.len(), 3, "{counts:?}");
    assert!(counts.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1), "{counts:?}");
}
