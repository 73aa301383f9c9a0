//! Every command where something is missing: /proc, /sys, space, the right to write, processor time. The right status, one
//! clear line, nothing left behind, nothing changed. The commands are those of `cases.rs`.

use crate::cases::{Bench, CASES, Case, FATHOM, Template, Wrong, judge_files, lines, tree};
use crate::common::{side_by_side, words};
use crate::moments::{Usual, usual};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::{Bounded, Cgroup, LoopDevice, Need, Sandbox, TOOL_LIMIT, skip_without};

const LIMIT: Duration = Duration::from_secs(150);

/// What is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// What a shell hides in a mount namespace of its own.
    Hidden(&'static str),
    /// The right to write anything below the directory.
    Writing,
    /// All but five percent of a processor.
    Processor,
    /// All but so many KiB in the file system of a directory: all (``), the store (`data`) or $TMPDIR (`tmp`).
    Space(&'static str, u64),
}

const PROC: &str = "mount -n -t tmpfs none /proc";
const SYS: &str = "mount -n -t tmpfs none /sys";
const BOTH: &str = "mount -n -t tmpfs none /sys && mount -n -t tmpfs none /proc";

/// `fathom args` in a mount namespace of its own, after `script`.
fn namespace(script: &str, args: &str) -> Command {
    let script = format!("mount --make-rprivate / && {script} && exec \"$@\"");
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", &script, "sh", FATHOM]).args(words(args));
    command
}

/// Leaves `kib` KiB free in the file system of `place`; a small one of its own, unless it is the whole directory.
fn fill(bench: &Bench, place: &str, kib: u64) {
    let dir = bench.mount.path().join(place);
    if !place.is_empty() {
        let mut small = Command::new("sh");
        small.args(["-c", "cp -a \"$0\" \"$0.old\" && mount -t tmpfs -o size=2m none \"$0\" && cp -a \"$0.old/.\" \"$0\" && rm -r \"$0.old\""]);
        assert!(small.arg(&dir).output_within(TOOL_LIMIT).unwrap().status.success());
    }
    let free = rustix::fs::statvfs(&dir).map(|fs| fs.f_bavail * fs.f_frsize).unwrap();
    std::fs::write(dir.join("ballast"), vec![7; free.saturating_sub(kib << 10) as usize]).unwrap();
}

fn run(case: &Case, bench: &Bench, missing: Missing) -> Ran {
    let dir = bench.mount.path();
    let plain = || {
        let mut command = Command::new(FATHOM);
        bench.prepare(&mut command, case.args, dir);
        command
    };
    let mut command = match missing {
        Missing::Hidden(script) => {
            let mut command = namespace(script, "");
            bench.prepare(&mut command, case.args, dir);
            command
        }
        Missing::Writing => {
            let script = "mount -o remount,bind,ro \"$PWD\" && cd \"$PWD\"";
            let mut command = namespace(script, "");
            bench.prepare(&mut command, case.args, dir);
            command
        }
        Missing::Processor | Missing::Space(..) => plain(),
    };
    let group = (missing == Missing::Processor).then(|| Cgroup::with_cpu_quota(5).unwrap());
    if let Some(group) = &group {
        group.enter(&mut command).unwrap();
    }
    let ran = child::run(&mut command, LIMIT).unwrap();
    // Others wait more than they compute.
    let held =
        group.filter(|_| case.args.starts_with("run")).is_none_or(|group| group.throttled().unwrap() > 0);
    assert!(held, "{}: not throttled", case.args);
    ran
}

fn judged(template: &Template, case: &Case, usual: &Usual, missing: Missing) -> Vec<String> {
    let bench = template.bench(case);
    if let Missing::Space(place, kib) = missing {
        fill(&bench, place, kib);
    }
    let before = tree(bench.mount.path());
    let ran = run(case, &bench, missing);
    let mut wrong = Wrong::default();
    let said = lines(&ran);
    // A refusal comes instead of the findings.
    let refused = ran.stderr.starts_with("refused: ") && said == 1;
    let told = said > usual.lines || refused || case.args.starts_with("fio") && ran.stdout.contains("err=");
    wrong.unless(!ran.overran && ran.signal.is_none() && !ran.stderr.contains("panicked"), || {
        format!("{ran:?}")
    });
    let as_usual = ran.code == usual.code;
    let right = match missing {
        // The setting that it was to change is not there.
        Missing::Hidden(_) if case.device => as_usual || ran.code.is_some_and(|code| code <= 3) && told,
        // The doctor finds less, the check of a directory needs /proc to open its scratch file.
        Missing::Hidden(_) if case.args.starts_with("doctor") => matches!(ran.code, Some(0 | 1)),
        Missing::Hidden(_) | Missing::Processor => as_usual,
        Missing::Writing | Missing::Space("", _) => {
            as_usual || matches!(ran.code, Some(1 | 2 | 3 | 5)) && told
        }
        Missing::Space(..) => as_usual,
    };
    wrong.unless(right, || {
        format!("status {:?} ({:?} usually): {} {}", ran.code, usual.code, ran.stderr, ran.stdout)
    });
    // One about each thing that is missing: the file of each job or the output, and the store. fio has two about a file.
    let most = usual.lines + if case.args.contains("numjobs=2") { 3 } else { 2 };
    wrong.unless(said <= most, || format!("{said} lines: {}", ran.stderr));
    judge_files(&mut wrong, case, &bench, &before);
    wrong.0
}

fn run_cells(template: &Template, all: &[(&Case, Usual)], missing: &[Missing]) {
    let cells: Vec<_> =
        missing.iter().flat_map(|m| all.iter().map(move |(case, usual)| (*case, usual, *m))).collect();
    let wrong = Mutex::new(Vec::new());
    side_by_side(&cells, |(case, usual, missing)| {
        for text in judged(template, case, usual, *missing) {
            let text = format!("{} {missing:?}: {text}", case.args);
            println!("WRONG {text}");
            wrong.lock().unwrap().push(text);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    println!("{} cells, {} wrong", cells.len(), wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
#[ignore = "long: every command without /proc, /sys, space, the right to write, processor time: 289 cells"]
fn every_command_ends_rightly_whatever_is_missing() {
    skip_without!(Need::Loop, Need::CpuCgroup, Need::Program("unshare"), Need::Program("strace"));
    let template = Template::new();
    let all: Vec<_> = CASES.iter().map(|case| (case, usual(&template, case))).collect();
    let mut missing = [PROC, SYS, BOTH].map(Missing::Hidden).to_vec();
    missing.extend([Missing::Writing, Missing::Processor]);
    for place in ["", "data", "tmp"] {
        missing.extend([0, 16, 40, 100].map(|kib| Missing::Space(place, kib)));
    }
    run_cells(&template, &all, &missing);
}

/// Without sysfs the loop driver is asked.
#[test]
fn a_backing_file_is_neither_target_nor_output_without_sys() {
    skip_without!(Need::Loop, Need::Program("unshare"));
    let sandbox = Sandbox::in_memory().unwrap();
    let backing = sandbox.file("backing", 1 << 20).unwrap();
    let device = LoopDevice::from_file(&backing, testbed::loopdev::Setup::default()).unwrap();
    let before = std::fs::read(&backing).unwrap();
    for args in [
        "fio --name=a --filename=backing --rw=write --size=64k",
        "fio --name=a --filename=new --rw=write --size=64k --output=backing",
    ] {
        let ran = child::run(namespace(BOTH, args).current_dir(sandbox.path()), LIMIT).unwrap();
        let named = ran.stderr.contains(&format!("the backing file of {}", device.name()));
        assert!(ran.code == Some(3) && named && lines(&ran) == 1, "{args}: {ran:?}");
    }
    assert!(std::fs::read(&backing).unwrap() == before, "the backing file was written to");
}
