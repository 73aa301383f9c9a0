//! Reports while a run goes on: asked for by time, by signal, by file.

use serde_json::Value;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use testbed::Sandbox;

/// A job of three seconds without a device; reports as JSON.
fn start(sandbox: &Sandbox, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_fathom"))
        .args(["fio", "--output-format=json", "--name=a", "--ioengine=null", "--rw=randread", "--bs=4k"])
        .args(["--size=1m", "--time_based", "--runtime=3"])
        .args(more)
        .env("TMPDIR", sandbox.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn documents(child: Child) -> Vec<Value> {
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    let text = String::from_utf8(out.stdout).unwrap();
    serde_json::Deserializer::from_str(&text).into_iter().collect::<Result<_, _>>().unwrap()
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
    assert!(Command::new("kill").args(["-USR1", &child.id().to_string()]).status().unwrap().success());
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
