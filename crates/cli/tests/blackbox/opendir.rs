//! `opendir=`: which files below a directory a job gets, beside fio.

use crate::common::{fathom, words};
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::{Sandbox, have_program};

/// Four files of 16 blocks, one of them hidden, two below; links and an empty file beside them.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new().unwrap();
    std::fs::create_dir_all(sandbox.join("d/sub/deep")).unwrap();
    for name in ["d/a", "d/.hidden", "d/sub/b", "d/sub/deep/c"] {
        std::fs::write(sandbox.join(name), vec![7u8; 65536]).unwrap();
    }
    std::fs::write(sandbox.join("d/empty"), "").unwrap();
    symlink("a", sandbox.join("d/link")).unwrap();
    symlink("sub", sandbox.join("d/sub-link")).unwrap();
    sandbox
}

/// Exit status, what it says of the files, what was issued.
fn said(ran: &Ran) -> (Option<i32>, Vec<String>) {
    let wanted = |l: &&str| {
        l.contains("opendir") && !l.contains("must be") || l.contains("issued") || l.contains("ignored")
    };
    (ran.code, ran.stdout.lines().filter(wanted).map(|l| l.trim().to_owned()).collect())
}

#[test]
fn every_regular_file_below_counts_and_nrfiles_behind_it_cuts() {
    let all = [
        ("--opendir=d/sub --rw=read", 32),
        ("--opendir=d/sub --rw=read --nrfiles=1", 16),
        ("--nrfiles=1 --opendir=d/sub --rw=read", 32),
        ("--filename=d/a --opendir=d/sub --rw=read", 48),
        ("--opendir=d/sub --directory=/tmp --rw=read", 32),
        ("--opendir=d/sub --opendir=d --rw=read", 96),
        ("--filename=d/a --opendir=d/sub --opendir=d/sub/deep --rw=read", 64),
        ("--opendir=nowhere --rw=read", 0),
    ];
    for (line, ios) in all {
        let args = words(&format!("--name=a --bs=4k {line}"));
        let run = |command: &mut Command| {
            let place = tree();
            said(&child::run(command.args(&args).current_dir(place.path()), Duration::from_secs(60)).unwrap())
        };
        let ours = run(&mut fathom());
        if ios > 0 {
            assert!(ours.1.iter().any(|l| l.contains(&format!("total={ios},"))), "{line}: {ours:?}");
        } else {
            assert_eq!(ours.0, Some(1), "{line}");
        }
        if have_program("fio") {
            assert_eq!(run(&mut Command::new("fio")), ours, "{line}");
        }
    }
}

#[test]
fn files_that_are_there_are_not_overwritten_by_our_own_command() {
    let place = tree();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(words("run --name=a --bs=4k --rw=write --opendir=d/sub")).current_dir(place.path());
    let ran = child::run(&mut command, Duration::from_secs(60)).unwrap();
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert_eq!(std::fs::read(place.join("d/sub/b")).unwrap(), vec![7u8; 65536]);
}
