//! What is written, beside fio: bytes where both must agree, and where chance decides how far a file compresses and how
//! often its blocks repeat, over several seeds.

use crate::common::{fathom, side_by_side, words};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use testbed::child::run;
use testbed::{Bounded, Sandbox, TOOL_LIMIT};

const FIO: &str = "/usr/bin/fio";
const SEEDS: u32 = 3;

/// The files that a job of two clones leaves, one after the other.
fn written(mut command: Command, dir: &Path, args: &str, seed: u32) -> Vec<u8> {
    let files = [dir.join("j.0.0"), dir.join("j.1.0")];
    files.iter().for_each(|file| drop(std::fs::remove_file(file)));
    let base = format!("--name=j --rw=write --output=report --randseed={seed} --size=2m --bs=4k");
    command.args(words(&base)).args(words(args)).current_dir(dir);
    let ran = run(&mut command, Duration::from_secs(60)).unwrap();
    // fio's clones sometimes look for a file before it is there ("stat: No such file or directory") and go on: what is
    // in the files counts. Ours say nothing.
    let quiet = ran.stderr.is_empty() || command.get_program() == FIO;
    assert!(ran.code == Some(0) && quiet, "{args}: {ran:?}");
    files.iter().filter_map(|file| std::fs::read(file).ok()).collect::<Vec<_>>().concat()
}

/// What `tool` makes of the bytes, as a share of them.
fn squeezed(tool: &str, file: &Path, all: usize) -> f64 {
    let out = Command::new(tool).arg("-c").arg(file).output_within(TOOL_LIMIT).unwrap();
    out.stdout.len() as f64 / all as f64
}

fn distinct(bytes: &[u8], size: usize) -> f64 {
    let mut blocks: Vec<&[u8]> = bytes.chunks(size).collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks.len() as f64 / (bytes.len() / size) as f64
}

/// Shares of the content: what zstd and gzip leave of it, distinct blocks and distinct sectors.
fn figures(bytes: &[u8], dir: &Path) -> [f64; 4] {
    let file = dir.join("all");
    std::fs::write(&file, bytes).unwrap();
    let squeezed = |tool| squeezed(tool, &file, bytes.len());
    [squeezed("zstd"), squeezed("gzip"), distinct(bytes, 4096), distinct(bytes, 512)]
}

#[test]
#[ignore = "half a minute"]
fn compression_and_duplicates_lie_within_the_spread_of_fio() {
    if ![FIO, "/usr/bin/zstd", "/usr/bin/gzip"].iter().all(|tool| Path::new(tool).exists()) {
        println!("skipped: needs fio, zstd and gzip");
        return;
    }
    let cases = [
        "",
        "--refill_buffers",
        "--zero_buffers",
        "--zero_buffers --scramble_buffers=1",
        "--zero_buffers --buffer_compress_percentage=50",
        "--buffer_compress_percentage=1",
        "--buffer_compress_percentage=33 --buffer_compress_chunk=100",
        "--buffer_compress_percentage=75 --buffer_compress_chunk=3000",
        "--buffer_compress_percentage=99",
        "--buffer_compress_percentage=100",
        "--buffer_compress_percentage=50 --refill_buffers=0",
        "--buffer_compress_percentage=50 --buffer_pattern=\"abc\"",
        "--buffer_compress_percentage=0 --buffer_pattern=\"abc\"",
        "--buffer_pattern=0xabcdef --scramble_buffers=1",
        "--dedupe_percentage=50",
        "--dedupe_percentage=90",
        "--dedupe_percentage=100",
        "--dedupe_percentage=100 --buffer_compress_chunk=2k",
        "--dedupe_percentage=50 --refill_buffers=0",
        "--dedupe_percentage=50 --buffer_pattern=\"abc\"",
        "--dedupe_percentage=100 --buffer_pattern=\"abc\"",
        "--dedupe_percentage=50 --buffer_compress_percentage=50",
        "--dedupe_percentage=50 --buffer_compress_percentage=100",
        "--dedupe_percentage=50 --bsrange=4k-16k",
        "--dedupe_percentage=50 --dedupe_mode=working_set --numjobs=2",
        "--dedupe_percentage=50 --dedupe_mode=working_set --dedupe_global=1 --numjobs=2",
        "--dedupe_percentage=30 --dedupe_mode=working_set --dedupe_working_set_percentage=30",
    ];
    let wrong = Mutex::new(Vec::new());
    side_by_side(&cases, |args| {
        let sandbox = Sandbox::in_memory().unwrap();
        let over = |command: &dyn Fn() -> Command| -> Vec<[f64; 4]> {
            let clones = if args.contains("numjobs=2") { 2 } else { 1 };
            let one = |seed| {
                let bytes = written(command(), sandbox.path(), args, seed);
                assert_eq!(bytes.len(), clones << 21, "{args}");
                figures(&bytes, sandbox.path())
            };
            (1..=SEEDS).map(one).collect()
        };
        let (theirs, ours) = (over(&|| Command::new(FIO)), over(&fathom));
        for (at, what) in ["zstd", "gzip", "distinct blocks", "distinct sectors"].into_iter().enumerate() {
            let column = |all: &[[f64; 4]]| all.iter().map(|one| one[at]).collect::<Vec<_>>();
            let (theirs, ours) = (column(&theirs), column(&ours));
            let (low, high) = theirs.iter().fold((1.0f64, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
            let mean = ours.iter().sum::<f64>() / ours.len() as f64;
            // A block that is stamped again and again: where the stamps lie is nobody's business.
            let stamped = args.is_empty() || args.ends_with("scramble_buffers=1");
            let margin = if stamped && at < 2 { 0.05 } else { (high - low).max(0.005) };
            if !(low - margin..=high + margin).contains(&mean) {
                wrong.lock().unwrap().push(format!("{args}: {what}: fio {theirs:.4?}, ours {ours:.4?}"));
            }
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn patterns_are_byte_for_byte_those_of_fio() {
    if !Path::new(FIO).exists() {
        println!("skipped: needs fio");
        return;
    }
    let contents = |sandbox: &Sandbox| {
        for (name, size) in [("f511", 511), ("f512", 512), ("f5000", 5000)] {
            let bytes: Vec<u8> = (0..size as u32).map(|n| (n * 7 + n / 256) as u8).collect();
            std::fs::write(sandbox.path().join(name), bytes).unwrap();
        }
    };
    let long = format!("\"{}\"", "a".repeat(512));
    let patterns = [
        "0xdeadface",
        "0xabc",
        "0X0",
        "12",
        "-12",
        "255",
        "256",
        "65536",
        "2147483647",
        "-2147483648",
        "-1",
        "-257",
        "010",
        "+5",
        "12-3",
        "\"abcd\"",
        "\"%o\"",
        "\"a\\nb\"",
        "'f511'",
        "'f512'",
        "'f5000'",
        "'f511'12",
        "0xdeadface\"abcd\"-12'f511'",
        "\"abcd\"0xde",
        "0xdeadfacecafe",
        &long,
    ];
    side_by_side(&patterns, |pattern| {
        let sandbox = Sandbox::in_memory().unwrap();
        contents(&sandbox);
        for rest in
            ["", "--bs=1000 --size=10000", "--rw=read --size=64k --bs=3000", "--bsrange=1k-3k --size=64k"]
        {
            let args = format!("--buffer_pattern={pattern} --size=16k {rest}");
            let theirs = written(Command::new(FIO), sandbox.path(), &args, 1);
            let ours = written(fathom(), sandbox.path(), &args, 1);
            if rest.contains("bsrange") {
                // Sizes are drawn: only the first block begins where it must.
                assert!(theirs[..1024] == ours[..1024], "{args}");
            } else {
                assert!(theirs == ours && !ours.is_empty(), "{args}");
            }
        }
    });
}
