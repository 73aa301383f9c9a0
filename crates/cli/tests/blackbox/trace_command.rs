//! `fathom trace`: profiles with known answers, the synthetic job and its own trace, conversion for fio, and merging.

use crate::common::{document, draws, fresh_seed};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);
const OURS: &str = env!("CARGO_BIN_EXE_fathom");

fn ours(directory: &Path, args: &str) -> Ran {
    run(Command::new(OURS).args(args.split(' ')).current_dir(directory), LIMIT).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// A drawn trace has the profile that was counted while it was drawn. The job with this profile, run on a simulated
/// device, has it again within the sampling error; fio accepts the job.
#[test]
fn profile_is_that_of_the_drawn_trace_and_of_its_synthetic_job() {
    let sandbox = Sandbox::in_memory().unwrap();
    let mut draw = draws(fresh_seed("profile_is_that_of_the_drawn_trace_and_of_its_synthetic_job"));
    const N: usize = 20_000;
    let mut text = String::from("fio version 3 iolog\n0 f add\n0 f open\n");
    let (mut nanos, mut ends) = (0.0, [0, 0]);
    let (mut ios, mut small, mut sequential) = ([0u64; 2], 0u64, [0u64; 2]);
    let mut blocks = std::collections::HashSet::new();
    for _ in 0..N {
        // A Poisson process of 10,000 I/Os per second; 70 % reads, half of them sequential; 60 % of the reads are 4 KiB.
        nanos -= (1.0 - draw(1 << 24) as f64 / (1u64 << 24) as f64).ln() * 100_000.0;
        let d = usize::from(draw(100) >= 70);
        let length = if d == 1 { 16384 } else { [4096, 8192][usize::from(draw(100) >= 60)] };
        let follows = d == 0 && draw(2) == 0;
        let offset = if follows { ends[0] } else { 16384 * draw(1 << 14) as u64 };
        let offset = if offset >= 256 << 20 { 0 } else { offset };
        sequential[d] += u64::from(ios[d] > 0 && offset == ends[d]);
        ios[d] += 1;
        small += u64::from(length == 4096);
        ends[d] = offset + length;
        blocks.extend(offset / 4096..(offset + length) / 4096);
        let action = ["read", "write"][d];
        writeln!(text, "{} f {action} {offset} {length}", nanos as u64 / 1000).unwrap();
    }
    std::fs::write(sandbox.join("t"), text).unwrap();
    let profile = document(&ours(sandbox.path(), "trace t --json --job j.fio"));
    assert_eq!(profile["ios"], serde_json::json!([ios[0], ios[1], 0]));
    assert_eq!(profile["working_set_blocks"].as_u64(), Some(blocks.len() as u64));
    assert_eq!(profile["sequential"], serde_json::json!([sequential[0], sequential[1], 0]));
    let fours = |p: &Value| {
        let sizes = p["sizes"].as_array().unwrap();
        sizes.iter().find(|size| size["bytes"] == 4096).map_or(0, |size| size["ios"][0].as_u64().unwrap())
    };
    assert_eq!(fours(&profile), small);
    // 20,000 gaps: the standard error of their mean is 0.7 %.
    assert!((number(&profile["rate"]) / 10_000.0 - 1.0).abs() < 0.04, "{profile}");
    assert!((number(&profile["arrival_variation"]) - 1.0).abs() < 0.06, "{profile}");
    if testbed::missing(&[Need::Program("fio")]).is_none() {
        let parsed =
            run(Command::new("fio").args(["--parse-only", "j.fio"]).current_dir(sandbox.path()), LIMIT);
        assert_eq!(parsed.unwrap().code, Some(0));
    }
    let job = std::fs::read_to_string(sandbox.join("j.fio")).unwrap();
    assert!(job.contains("rate_process=poisson") && job.contains("bssplit=4096/"), "{job}");
    // A device that is slower than the arrivals would change their process.
    let job = job.replace("libaio", "model") + "model_servers=32\n";
    std::fs::write(sandbox.join("j.fio"), job).unwrap();
    let ran = ours(sandbox.path(), "fio --write_iolog=again j.fio");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let again = document(&ours(sandbox.path(), "trace again --json"));
    let all = |p: &Value| number(&p["ios"][0]) + number(&p["ios"][1]);
    let share = |p: &Value, key: &str| number(&p[key][0]) / number(&p["ios"][0]);
    for (what, of, most) in [
        ("I/Os", &all as &dyn Fn(&Value) -> f64, 0.03),
        ("mix", &|p| number(&p["ios"][0]) / all(p), 0.03),
        ("sizes", &|p| fours(p) as f64 / number(&p["ios"][0]), 0.04),
        ("sequential", &|p| share(p, "sequential"), 0.06),
        ("rate", &|p| number(&p["rate"]), 0.06),
        ("arrivals", &|p| number(&p["arrival_variation"]), 0.06),
        ("working set", &|p| number(&p["working_set_blocks"]), 0.06),
    ] {
        let (first, second) = (of(&profile), of(&again));
        assert!((second / first - 1.0).abs() < most, "{what}: {first} {second}\n{again}");
    }
}

/// A volume of a collection, converted, is replayed by fio and by fathom with its reads and writes; the collection itself
/// is refused with the names of its volumes, compressed or not.
#[test]
fn converted_volume_is_replayed_by_fio() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::in_memory().unwrap();
    let mut draw = draws(fresh_seed("converted_volume_is_replayed_by_fio"));
    let (mut text, mut counts) = (String::new(), [[0u64; 2]; 2]);
    for i in 0..300u64 {
        let (volume, write) = (draw(2), draw(2));
        counts[volume][write] += 1;
        let action = ["R", "W"][write];
        writeln!(
            text,
            "{},{action},{},4096,{}",
            7 + volume,
            4096 * draw(100),
            1_577_808_000_000_000u64 + 100 * i
        )
        .unwrap();
    }
    std::fs::write(sandbox.join("t.csv"), text).unwrap();
    let packed = run(Command::new("gzip").args(["-k", "t.csv"]).current_dir(sandbox.path()), LIMIT);
    assert_eq!(packed.unwrap().code, Some(0));
    for trace in ["t.csv", "t.csv.gz"] {
        let refused = ours(sandbox.path(), &format!("fio --name=a --ioengine=null --read_iolog={trace}"));
        assert!(refused.code == Some(1) && refused.stderr.contains("--volume"), "{refused:?}");
        let made = ours(sandbox.path(), &format!("trace {trace} --volume 8 --iolog out"));
        assert!(made.code == Some(0) && made.stdout.contains("Alibaba"), "{made:?}");
    }
    for (program, first) in [("fio", None), (OURS, Some("fio"))] {
        let args = ["--name=a", "--ioengine=null", "--read_iolog=out", "--output-format=json"];
        let ran = run(Command::new(program).args(first).args(args).current_dir(sandbox.path()), LIMIT);
        let job = document(&ran.unwrap())["jobs"][0].clone();
        let ios = ["read", "write"].map(|direction| job[direction]["total_ios"].as_u64());
        assert_eq!(ios, counts[1].map(Some), "{program}");
    }
}

fn event(nanos: u64, sector: u64) -> Vec<u8> {
    let words = [0x6561_7407u32, 1];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(nanos.to_le_bytes().iter().chain(&sector.to_le_bytes()));
    let words = [4096u32, 1 | 1 << 16, 7, 8 << 20, 0, 0];
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// Two traces, the first twice at double speed: the merged file is written, replayed by fathom, and by fio as a single
/// trace. A merge that would overwrite one of its traces is refused, and so are wrong lists.
#[test]
fn merged_file_is_written_and_replayed() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::in_memory().unwrap();
    let trace = |step: u64| (0..10).flat_map(|i| event(5000 + step * i, 8 * i)).collect::<Vec<u8>>();
    std::fs::write(sandbox.join("a"), trace(2_000_000)).unwrap();
    std::fs::write(sandbox.join("b"), trace(2_100_000)).unwrap();
    let common = "fio --name=j --ioengine=null --read_iolog=a:b --replay_redirect=z --output-format=json";
    let merge = "--merge_blktrace_file=m --merge_blktrace_scalars=50:100 --merge_blktrace_iters=2:1";
    let ran = ours(sandbox.path(), &format!("{common} {merge} --numjobs=2"));
    for job in 0..2 {
        assert_eq!(document(&ran)["jobs"][job]["read"]["total_ios"].as_u64(), Some(30), "{ran:?}");
    }
    let merged = std::fs::read(sandbox.join("m")).unwrap();
    let times: Vec<u64> =
        merged.chunks(48).map(|event| u64::from_le_bytes(event[8..16].try_into().unwrap())).collect();
    let first = (0..20u64).map(|i| 1_000_000 * if i < 10 { i } else { i - 1 });
    let mut expected: Vec<u64> = first.chain((0..10).map(|i| 2_100_000 * i)).collect();
    expected.sort_unstable();
    assert_eq!(times, expected);
    let args =
        ["--name=j", "--ioengine=null", "--read_iolog=m", "--replay_redirect=z", "--output-format=json"];
    let theirs = run(Command::new("fio").args(args).current_dir(sandbox.path()), LIMIT).unwrap();
    assert_eq!(document(&theirs)["jobs"][0]["read"]["total_ios"].as_u64(), Some(30));
    std::fs::write(sandbox.join("t"), "fio version 3 iolog\n0 f add\n0 f open\n0 f read 0 512\n").unwrap();
    for (args, words) in [
        ("--merge_blktrace_file=a", "a"),
        ("--merge_blktrace_file=m --merge_blktrace_scalars=50", "merge_blktrace_scalars"),
        ("--merge_blktrace_file=m --merge_blktrace_iters=1.5:1", "merge_blktrace_iters"),
        ("--merge_blktrace_file=m --read_iolog=a:t", "blkparse -d"),
    ] {
        let ran = ours(sandbox.path(), &format!("{common} {args}"));
        assert!(ran.code != Some(0) && ran.stderr.contains(words), "{args}: {ran:?}");
    }
    assert_eq!(std::fs::read(sandbox.join("a")).unwrap(), trace(2_000_000));
    assert_eq!(std::fs::read(sandbox.join("m")).unwrap(), merged);
}
