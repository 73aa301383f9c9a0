//! Input without an end, and input that grows: reading it is bounded, and its cost grows no faster than its length.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::Sandbox;
use testbed::child::{self, Ran};

const LIMIT: Duration = Duration::from_secs(100);

fn fathom(args: &[&str], dir: &Path) -> Ran {
    child::run(Command::new(env!("CARGO_BIN_EXE_fathom")).args(args).current_dir(dir), LIMIT).unwrap()
}

/// User time of reading a job file, the least of three: other tests run beside.
fn user_time(text: &str, dir: &Path) -> Duration {
    std::fs::write(dir.join("jobs.fio"), text).unwrap();
    let once = || {
        let ran = fathom(&["fio", "--parse-only", "jobs.fio"], dir);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.user
    };
    (0..3).map(|_| once()).min().unwrap()
}

/// Four times as much input takes about four times as long, and never the sixteen times of a quadratic reader.
fn assert_linear(name: &str, text: impl Fn(usize) -> String) {
    let sandbox = Sandbox::new().unwrap();
    let small = user_time(&text(2_000), sandbox.path());
    let large = user_time(&text(8_000), sandbox.path());
    assert!(large < 9 * small + Duration::from_millis(60), "{name}: 2,000 took {small:?}, 8,000 {large:?}");
}

#[test]
fn job_file_with_many_global_sections_is_read_in_linear_time() {
    assert_linear("[global]", |n| "[global]\nbs=4k\n".repeat(n) + "[a]\nioengine=null\nsize=4k\n");
}

#[test]
fn job_file_with_a_global_section_before_each_job_is_read_in_linear_time() {
    let pair = |i| format!("[global]\nbs=4k\n[j{i}]\nioengine=null\nsize=4k\n");
    assert_linear("[global] and a job", |n| (0..n).map(pair).collect());
}

#[test]
fn job_file_with_many_options_is_read_in_linear_time() {
    assert_linear("options", |n| "[a]\nioengine=null\nsize=4k\n".to_owned() + &"bs=4k\n".repeat(n));
}

/// Each file includes the next one twice: 2^14 files in the end.
#[test]
fn include_that_doubles_ends_with_one_error() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    for i in 0..14 {
        std::fs::write(dir.join(format!("f{i}")), format!("include f{0}\ninclude f{0}\n", i + 1)).unwrap();
    }
    std::fs::write(dir.join("f14"), "bs=4k\n").unwrap();
    std::fs::write(dir.join("jobs.fio"), "[a]\nioengine=null\nsize=4k\ninclude f0\n").unwrap();
    let ran = fathom(&["fio", "--parse-only", "jobs.fio"], dir);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("more than 10000 included files"), "{}", ran.stderr);
}

/// A device without an end is neither a job file nor a result, and little of it is read.
#[test]
fn input_without_an_end_is_refused_in_one_line() {
    let sandbox = Sandbox::new().unwrap();
    for (args, words) in [
        (&["fio", "/dev/zero"][..], "longer than 64 MiB"),
        (&["run", "/dev/zero"], "longer than 64 MiB"),
        (&["report", "/dev/zero", "-o", "p.html"], "not a regular file"),
        (&["compare", "/dev/zero", "/dev/zero"], "/dev/zero is a device"),
    ] {
        let ran = fathom(args, sandbox.path());
        assert!(!ran.overran && ran.code != Some(0), "{args:?}: {:?}", ran.code);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
        assert!(ran.peak_rss_kib < 300 << 10, "{args:?}: {} KiB", ran.peak_rss_kib);
    }
}
