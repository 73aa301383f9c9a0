//! What the black-box tests share: the binary, and its JSON.
#![allow(dead_code)] // each test program uses its part
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::loopdev::Setup;
use testbed::{Bounded, LoopDevice, Sandbox, TOOL_LIMIT};

/// Returns the program of this build, under fio's command line.
pub fn fathom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").arg("fio");
    command
}

/// Runs `fathom fio args` in `dir`.
pub fn run(args: &[String], dir: &Path) -> Ran {
    child::run(fathom().args(args).current_dir(dir), Duration::from_secs(60)).unwrap()
}

/// The JSON document between the line `{` and the line `}`.
pub fn document(ran: &Ran) -> Value {
    let text = &ran.stdout;
    let start = if text.starts_with("{\n") {
        0
    } else {
        text.find("\n{\n").unwrap_or_else(|| panic!("no JSON: {ran:?}")) + 1
    };
    let end = start + text[start..].find("\n}\n").unwrap_or_else(|| panic!("JSON does not end: {ran:?}")) + 3;
    serde_json::from_str(&text[start..end]).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// The sum over all jobs of a direction's figure.
pub fn sum(document: &Value, direction: &str, key: &str) -> f64 {
    document["jobs"].as_array().unwrap().iter().map(|j| j[direction][key].as_f64().unwrap()).sum()
}

/// Words of a command line.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// Tries every item, three at a time: what waits for programs more than it computes.
pub fn side_by_side<T: Sync>(items: &[T], test: impl Fn(&T) + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    test(item);
                }
            });
        }
    });
}

/// Copies the program. By another process: a child that is forked meanwhile would keep a file that we write open, and it
/// could not be started ("text file busy").
pub fn copy_program(to: &Path) {
    let mut copy = Command::new("cp");
    assert!(
        copy.arg(env!("CARGO_BIN_EXE_fathom")).arg(to).output_within(TOOL_LIMIT).unwrap().status.success()
    );
}

/// Returns the program with optimization (profile `ci`) where it has been built: of what is measured in milliseconds, the one
/// without says nothing.
pub fn optimized() -> Command {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/ci/fathom");
    Command::new(if program.is_file() { program.as_path() } else { Path::new(env!("CARGO_BIN_EXE_fathom")) })
}

/// A seed for drawn cases: `FATHOM_SEED`, which scripts/test sets, else a fresh one. It is printed, so that a failure can be
/// repeated.
pub fn fresh_seed(test: &str) -> u64 {
    let given = std::env::var("FATHOM_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64);
    println!("{test}: FATHOM_SEED={seed}");
    seed
}

/// Returns a generator of numbers below its argument.
pub fn draws(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below.max(1)
    }
}

/// Loop device of 64 MiB of which everything from `readable` bytes on fails with EIO, and the directory of its file.
pub fn failing_device(readable: u64) -> (LoopDevice, Sandbox) {
    let sandbox = Sandbox::new().unwrap();
    let backing = sandbox.file("backing", 64 << 20).unwrap();
    let device = LoopDevice::from_file(&backing, Setup { direct_io: true, ..Setup::default() }).unwrap();
    std::fs::File::options().write(true).open(&backing).unwrap().set_len(readable).unwrap();
    (device, sandbox)
}
