//! `--profile`: the jobs are fio's, and the options do what the manual says.

use crate::common::{document, fathom, words};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(120);

fn ran(args: &str, dir: &Path) -> Ran {
    run(fathom().args(words(args)).current_dir(dir), LIMIT).unwrap()
}

/// What was run, in which groups, over how much.
fn shape(document: &Value, sandbox: &Sandbox) -> Vec<String> {
    let mut out = vec![format!("{}", document["global options"])];
    for job in document["jobs"].as_array().unwrap() {
        let of = |direction: &str| format!("{} {}", job[direction]["total_ios"], job[direction]["io_bytes"]);
        // What ours says for a new group, fio does not say.
        let mut options = job["job options"].clone();
        options.as_object_mut().unwrap().remove("stonewall");
        out.push(format!("{} {} {} {} {options}", job["jobname"], job["groupid"], of("read"), of("write")));
    }
    out.push(format!("{:?}", files(sandbox.path())));
    out
}

fn files(dir: &Path) -> BTreeMap<String, u64> {
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name().to_string_lossy().into_owned(), entry.metadata().unwrap().len())
    };
    std::fs::read_dir(dir).unwrap().map(entry).collect()
}

#[test]
#[ignore = "half a minute"]
fn tiobench_is_fios() {
    skip_without!(Need::Program("fio"));
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap();
    let kib: u64 = memory.split_whitespace().nth(1).unwrap().parse().unwrap();
    if kib > 128 << 20 {
        return testbed::skip("fio's default size grows with the memory, of which this machine has much");
    }
    let (ours, theirs) = (Sandbox::new().unwrap(), Sandbox::new().unwrap());
    let args = "--profile=tiobench --output-format=json";
    let ran = ran(args, ours.path());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let fio = run(Command::new("fio").args(words(args)).current_dir(theirs.path()), LIMIT).unwrap();
    assert_eq!(shape(&document(&ran), &ours), shape(&document(&fio), &theirs));
}

#[test]
fn its_options_do_what_the_manual_says() {
    let sandbox = Sandbox::new().unwrap();
    std::fs::create_dir(sandbox.join("below")).unwrap();
    let args =
        "--profile=tiobench --size=4 --block=8192 --numruns=3 --dir=below --threads=2 --output-format=json";
    let ran = ran(args, sandbox.path());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let jobs = document(&ran)["jobs"].as_array().unwrap().clone();
    let names: Vec<&str> = jobs.iter().map(|job| job["jobname"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["seqwrite", "seqwrite", "randwrite", "randwrite", "seqread", "seqread", "randread", "randread"]
    );
    for (at, job) in jobs.iter().enumerate() {
        let direction = &job[if at < 4 { "write" } else { "read" }];
        // Three times over 4 MiB in blocks of 8 KiB.
        assert_eq!(
            (&direction["total_ios"], &direction["io_bytes"]),
            (&1536.into(), &(12 << 20).into()),
            "{job}"
        );
        assert_eq!(job["groupid"], at / 2);
    }
    let made: Vec<(String, u64)> = files(&sandbox.join("below")).into_iter().collect();
    assert_eq!(made, [1, 2, 3, 4].map(|n| (format!(".fio.tio.{n}"), 1 << 20)));
}

/// The jobs, the rates and the table of the profile act. fio 3.33 takes a million times the duration.
#[test]
fn act_does_what_fio_does_and_judges_the_device() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    for file in ["d", "e"] {
        sandbox.file(file, 4 << 20).unwrap();
    }
    let args = "--profile=act --device-names=d,e --load=1 --threads-per-queue=2 --read-req-num-512-blocks=8 --large-block-op-kbytes=65536 --output-format=normal,json";
    let theirs = run(
        Command::new("fio").args(words(args)).arg("--test-duration=1us").current_dir(sandbox.path()),
        LIMIT,
    )
    .unwrap();
    let ours = ran(&format!("{args} --test-duration=1s"), sandbox.path());
    // The head of the output up to the verdict, with the figures of the table left out.
    let head = |ran: &Ran| -> Vec<String> {
        let lines = ran.stdout.lines().take_while(|line| !line.starts_with("act: test complete"));
        let lines = lines.filter(|line| !line.starts_with("fio-"));
        lines.map(|line| line.chars().take(6).collect()).collect()
    };
    assert_eq!(head(&theirs), head(&ours));
    let verdict = |ran: &Ran| ran.stdout.contains("\nact: test complete, device(s): ");
    assert!(verdict(&theirs) && verdict(&ours), "{ours:?}");
    let [theirs, ours] = [theirs, ours].map(|ran| document(&ran)["jobs"].as_array().unwrap().clone());
    assert_eq!((theirs.len(), ours.len()), (1, 1));
    for (direction, ios) in [("read", 4000.0), ("write", 2.0 * 64.0)] {
        for job in [&theirs[0], &ours[0]] {
            let found = job[direction]["total_ios"].as_f64().unwrap();
            assert!((found / ios - 1.0).abs() < 0.25, "{direction}: {found}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let sandbox = Sandbox::new().unwrap();
    std::fs::write(sandbox.join("j.fio"), "[a]\nioengine=null\nsize=4k\nprofile=tiobench\n").unwrap();
    for (args, said) in [
        (
            "--profile=act --load=2",
            "act: you need to set IO target(s) with the device-names option.\nfio: profile act prep failed\n",
        ),
        ("--profile=act --device-names=x --name=a", "--name and job files cannot go with it\n"),
        ("--profile=act --device-names=x --load=0", "must be at least 1"),
        (
            "--profile=foo",
            "fio: profile 'foo' not found\ncommand line: --profile=foo: must be tiobench or act\n",
        ),
        ("--profile=tiobench --name=a --rw=read", "--name and job files cannot go with it\n"),
        ("--name=a --profile=tiobench", "--name and job files cannot go with it\n"),
        ("--profile=tiobench j.fio", "--name and job files cannot go with it\n"),
        (
            "--profile=tiobench --size=64m",
            "command line: --size=64m: needs a number of MiB here, e.g. --size=64\n",
        ),
        ("--profile=tiobench --size=0", "needs a number of MiB here"),
        ("--profile=tiobench --block=x", "fio: failed parsing block=x\n"),
        ("--profile=tiobench --dir=nowhere", "fio: nowhere is not a directory\n"),
        ("j.fio", "j.fio:4: profile=tiobench: belongs on the command line\n"),
    ] {
        let ran = ran(args, sandbox.path());
        assert!(ran.code == Some(1) && ran.stderr.contains(said), "{args}: {ran:?}");
    }
    assert_eq!(files(sandbox.path()).len(), 1);
    let help = ran("--profile=tiobench --cmdhelp", sandbox.path());
    let names: Vec<&str> =
        help.stdout.lines().filter_map(|line| line.split_once(' ')).map(|(n, _)| n).collect();
    assert_eq!(names, ["size", "block", "numruns", "dir", "threads"], "{help:?}");
}
