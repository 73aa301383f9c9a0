//! `fathom hdparm` beside hdparm: text, exit status, and the rate of a capped device.

use crate::common::side_by_side;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::loopdev::Setup;
use testbed::{Cap, CappedLoop, Cgroup, LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(120);

const HDPARM: &str = "/usr/sbin/hdparm";

fn fathom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").arg("hdparm");
    command
}

fn hdparm() -> Command {
    let mut command = Command::new(HDPARM);
    command.env("LC_ALL", "C");
    command
}

/// Returns the lines of `text` without fathom's own, each with single blanks and `#` for every number.
fn masked(text: &str) -> Vec<String> {
    let number = |word: &str| if word.parse::<f64>().is_ok() { "#".to_owned() } else { word.to_owned() };
    let words = |line: &str| line.split_whitespace().map(number).collect::<Vec<_>>().join(" ");
    text.lines().filter(|line| !line.starts_with(" fathom:")).map(words).collect()
}

/// Compares both programs on a command line. fathom's usage has fewer options, and no other lines.
fn compare(line: &str, sandbox: &Sandbox) {
    let of = |mut program: Command| {
        run(program.args(line.split_whitespace()).current_dir(sandbox.path()), LIMIT).unwrap()
    };
    let (theirs, ours): (Ran, Ran) = (of(hdparm()), of(fathom()));
    for (mine, original) in [(&ours.stdout, &theirs.stdout), (&ours.stderr, &theirs.stderr)] {
        let (mine, original) = (masked(mine), masked(original));
        if original.iter().any(|line| line.starts_with("Usage:")) {
            let mut rest = original.iter();
            let missing = mine.iter().find(|line| !rest.any(|other| other == *line));
            assert_eq!(missing, None, "hdparm {line}: {ours:#?}");
            let usage = |lines: &[String]| lines.iter().position(|line| line.starts_with("Usage:"));
            assert_eq!(usage(&mine), usage(&original), "hdparm {line}: {ours:#?}");
        } else {
            assert_eq!(mine, original, "hdparm {line}");
        }
    }
    assert_eq!(ours.code, theirs.code, "hdparm {line}: {ours:#?}");
}

/// 44 wrong command lines and 18 right ones: the same text with numbers masked, and the same exit status.
#[test]
fn hdparm_text_and_status_are_those_of_hdparm() {
    skip_without!(Need::Program("hdparm"), Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    sandbox.file("file", 5 << 20).unwrap();
    let device = LoopDevice::in_memory(4 << 20, true, None).unwrap();
    let wrong = [
        "",
        "-t",
        "-T",
        "-tT",
        "-j",
        "-j L",
        "-jt L",
        "-tj L",
        "-t1 L",
        "-tT1",
        "-5",
        "-",
        "-t -",
        "--version",
        "--h",
        "--foo",
        "--foo L",
        "-t --foo L",
        "--direct --foo L",
        "--offset 0 --foo L",
        "--direct=1 -t L",
        "--offset=1 -t L",
        "-t --direct=1 L",
        "-t --offset=3 L",
        "-t --dir L",
        "-t --offset L",
        "-t --offset x L",
        "-t --offset -1 L",
        "-t --offset",
        "--offset",
        "--direct",
        "-t --offset 3",
        "-t nonexistent",
        "-T nonexistent",
        "-tT nonexistent L",
        "-I nonexistent",
        "-t 5 L",
        "-- -t L",
        "-t --direct .",
        "-I L -j",
        "-I L --foo",
    ];
    let right = [
        "-V",
        "-V -j",
        "-tV",
        "-h",
        "-th",
        "-I L",
        "-I L L",
        "-I file",
        "-I /dev/null",
        "--offset 0 L",
        "--direct -I L",
        "-I -- L",
    ];
    // Each of these waits three seconds.
    let slow = [
        "-t L",
        "-t --direct L",
        "-t --offset 0 L",
        "-tI L",
        "-T L",
        "-t --Direct L",
        "-t file",
        "-t .",
        "-t /dev/null",
        "-T /dev/null",
        "-t --offset 1 L",
    ];
    assert!(wrong.len() >= 40 && wrong.len() + right.len() + slow.len() >= 57);
    let named = |line: &&str| {
        let word =
            |word: &str| if word == "L" { device.path().display().to_string() } else { word.to_owned() };
        line.split(' ').map(word).collect::<Vec<_>>().join(" ")
    };
    std::thread::scope(|scope| {
        for line in slow.iter().map(named) {
            let sandbox = &sandbox;
            scope.spawn(move || compare(&line, sandbox));
        }
        let quick: Vec<String> = wrong.iter().chain(&right).map(named).collect();
        side_by_side(&quick, |line| compare(line, &sandbox));
    });
}

/// The command has `--help`; hdparm, and a link of its name, know only `-h`.
#[test]
fn help_of_the_command_is_that_of_the_flag_h() {
    let named = |name: &str, words: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_fathom"));
        run(program.env("LC_ALL", "C").arg0(name).args(words), LIMIT).unwrap()
    };
    let help = named("fathom", &["hdparm", "-h"]).stdout;
    assert!(help.contains("-t"), "{help}");
    for words in [["hdparm", "--help"], ["help", "hdparm"]] {
        let ran = named("fathom", &words);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), help.as_str()), "{words:?}: {ran:?}");
    }
    let ran = named("hdparm", &["--help"]);
    assert!(ran.code == Some(22) && ran.stderr.contains("unknown flag"), "{ran:?}");
}

/// What fathom does not do is refused by name, in one line.
#[test]
fn hdparm_refuses_what_does_not_time_reads() {
    for line in ["-a", "-y nonexistent", "-tS 12 nonexistent", "--fibmap nonexistent", "-W1 nonexistent"] {
        let ran = run(fathom().args(line.split_whitespace()), LIMIT).unwrap();
        assert_eq!((ran.code, ran.stderr.lines().count()), (Some(22), 1), "{ran:#?}");
        assert!(ran.stderr.contains("is an option of hdparm that fathom does not have"), "{ran:#?}");
    }
    let ran = run(fathom().arg("/dev/null"), LIMIT).unwrap();
    assert_eq!(ran.stderr, "fathom hdparm: no timing was asked for: give -t, -T or both\n");
}

/// Below the figure stands what it is worth.
#[test]
fn hdparm_names_memory_that_served_the_reads() {
    skip_without!(Need::Loop);
    let device = LoopDevice::in_memory(4 << 20, true, None).unwrap();
    let sandbox = Sandbox::new().unwrap();
    let backing = sandbox.sparse("holes", 4 << 20).unwrap();
    let holes = LoopDevice::from_file(&backing, Setup::default()).unwrap();
    let (memory, sparse) = std::thread::scope(|scope| {
        let memory = scope.spawn(|| run(fathom().arg("-tT").arg(device.path()), LIMIT).unwrap());
        let sparse = run(fathom().arg("-t").arg(holes.path()), LIMIT).unwrap();
        (memory.join().unwrap(), sparse)
    });
    assert!(memory.stdout.contains("-T measures memory and system calls"), "{memory:#?}");
    let line = format!("{} keeps its data in memory (tmpfs): no disk was measured", device.name());
    assert!(memory.stdout.contains(&line), "{memory:#?}");
    let line = "for which no disk is read: 4 MiB of 4 MiB";
    assert!(sparse.stdout.contains(line), "{sparse:#?}");
}

fn rate(ran: &Ran) -> f64 {
    let line = ran.stdout.lines().find(|line| line.contains("disk reads:"));
    let line = line.unwrap_or_else(|| panic!("{ran:#?}"));
    line.split_whitespace().rev().nth(1).unwrap().parse().unwrap()
}

/// On a device that the kernel limits to 20 MiB/s, both programs print the same rate.
#[test]
fn measures_hdparm_beside() {
    skip_without!(Need::Program("hdparm"), Need::Loop, Need::BlockCgroup);
    let device = LoopDevice::in_memory(128 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    cgroup.limit(&device.number().unwrap(), Cap::ReadBytes(20 << 20)).unwrap();
    let capped = CappedLoop { device, cgroup };
    let on = |program: &str, words: &[&str]| {
        let mut command = capped.command(program.as_ref()).unwrap();
        rate(&run(command.env("LC_ALL", "C").args(words).arg(capped.device.path()), LIMIT).unwrap())
    };
    let theirs = on(HDPARM, &["-t", "--direct"]);
    let ours = on(env!("CARGO_BIN_EXE_fathom"), &["hdparm", "-t", "--direct"]);
    assert!((ours / theirs - 1.0).abs() < 0.03, "fathom {ours}, hdparm {theirs}");
}
