//! Studies that write a real target, and a change of the target between two visits: each ends before the next visit.
//! `--allow-destroy` names every target, so that the consent of the jobs themselves covers whatever the target holds.
#![allow(clippy::unwrap_used)]

mod quiet;

use lab::explore::explore;
use lab::explore::job_runner::JobRunner;
use lab::explore::runner::Journal;
use lab::sweep::sweep;
use lab::target::{JobContext, TargetError};
use quiet::Quiet;
use run::RunError;
use run::consent::{Consent, Policy};
use run::refusal::{Found, RefusalReason};
use stats::job_error::TargetChangeKind;
use stats::study::{Access, Point, Question, Study, StudyAsked};
use stats::sweep::{SweepAsked, SweepCell};
use std::any::Any;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use testbed::loopdev::Setup;
use testbed::{Bounded, FileSystem, LoopDevice, Mount, Need, Sandbox, TOOL_LIMIT, skip_without};

const BYTES: u64 = 16 << 20;

/// Change of a target; what it returns lasts until the study has ended.
type Change<'a> = &'a dyn Fn() -> Box<dyn Any>;

/// Makes a change after the first visit, and requests the end of the study after the third one.
struct AfterFirst<'a> {
    change: Change<'a>,
    lasting: Option<Box<dyn Any>>,
    visits: usize,
    interrupt: Arc<AtomicUsize>,
}

impl Journal for AfterFirst<'_> {
    fn add(&mut self, _: &Point) {
        self.visits += 1;
        match self.visits {
            1 => self.lasting = Some((self.change)()),
            3 => self.interrupt.store(15, Relaxed),
            _ => {}
        }
    }
}

/// Commands whose studies hold their target.
const COMMANDS: [&str; 2] = ["sweep", "explore"];

/// Runs a test with each command, at the same time.
fn with_both(test: impl Fn(&'static str) + Sync) {
    std::thread::scope(|scope| {
        COMMANDS.into_iter().for_each(|command| {
            drop(scope.spawn({
                let test = &test;
                move || test(command)
            }))
        })
    });
}

/// Returns the environment of a study that may destroy the data of `target`.
fn consented(target: &Path) -> JobContext {
    let mut context =
        JobContext::here(Arc::new(AtomicUsize::new(0)), Duration::from_secs(30), ToString::to_string);
    context.consent = Consent::new(Policy::Own, vec![target.to_owned()]);
    context
}

fn reason(error: &TargetError) -> RefusalReason {
    match error {
        TargetError::Run(RunError::Refused(refusal)) => refusal.reason.clone(),
        other => panic!("{other:?}"),
    }
}

/// Holds a target that a study would write, before anything is written.
fn begin(command: &'static str, target: &Path) -> Result<(), RefusalReason> {
    let mut quiet = Quiet;
    let names = [target.display().to_string()];
    let (mut runner, _) = JobRunner::open(&names, consented(target), &mut quiet).unwrap();
    runner.hold(command, true).map_err(|error| reason(&error))
}

/// Returns the number of visits of a study of `target` with this change after the first one, and the refusal that ended
/// the study.
fn visits(
    command: &'static str,
    target: &Path,
    rw: &str,
    change: Change<'_>,
) -> (usize, Option<RefusalReason>) {
    let access = Access { rw: rw.into(), bs: 4096, ..Access::default() };
    let cell = SweepCell { access: access.clone(), iodepth: 1, numjobs: 1, runtime_s: 1.0, percent: None };
    let sweeps = SweepAsked { cells: vec![cell], repeats: 3, ..SweepAsked::default() };
    let asked = StudyAsked {
        targets: vec![target.display().to_string()],
        budget_s: 60.0,
        patterns: vec![access.clone()],
        questions: vec![Question::Depth],
        seed: 7,
        write: access.writes(),
        sweep: (command == "sweep").then_some(sweeps),
        ..StudyAsked::default()
    };
    let context = consented(target);
    let interrupt = context.interrupt.clone();
    let mut quiet = Quiet;
    let (mut runner, targets) = JobRunner::open(&asked.targets, context, &mut quiet).unwrap();
    runner.hold(command, access.writes()).unwrap();
    let mut journal = AfterFirst { change, lasting: None, visits: 0, interrupt };
    let study = Study { asked, targets, ..Study::default() };
    let study = match command {
        "sweep" => sweep(study, &mut runner, &mut journal),
        _ => explore(study, &mut runner, &mut journal),
    };
    (study.points.len(), runner.refused().map(reason))
}

/// Returns the refusal that a change causes; the study must end with its first visit.
fn refusal(command: &'static str, target: &Path, rw: &str, change: Change<'_>) -> RefusalReason {
    let (points, refused) = visits(command, target, rw, change);
    let refused = refused.unwrap_or_else(|| panic!("{command}, {rw}: {points} visits, no refusal"));
    assert_eq!(points, 1, "{command}, {rw}: {refused:?}");
    refused
}

fn found(reason: &RefusalReason) -> String {
    let (RefusalReason::Overwrite { found, .. } | RefusalReason::InUse { found, .. }) = reason else {
        panic!("{reason:?}")
    };
    found.iter().map(|one: &Found| format!("{one:?} ")).collect()
}

fn tool(name: &str, args: &[&str], target: &Path) -> Box<dyn Any> {
    let out = Command::new(name).args(args).arg(target).output_within(TOOL_LIMIT).unwrap();
    assert!(out.status.success(), "{name}: {out:?}");
    Box::new(())
}

fn device() -> LoopDevice {
    LoopDevice::in_memory(BYTES, true, None).unwrap()
}

#[test]
fn unchanged_target_is_visited_again() {
    let sandbox = Sandbox::new().unwrap();
    with_both(|command| {
        for rw in ["randread", "randwrite"] {
            let file = sandbox.file(command, BYTES).unwrap();
            let (points, refused) = visits(command, &file, rw, &|| Box::new(()));
            assert!(points >= 2 && refused.is_none(), "{command}, {rw}: {points} {refused:?}");
        }
    });
}

#[test]
fn unchanged_device_is_visited_again() {
    skip_without!(Need::Loop);
    with_both(|command| {
        let device = device();
        let (points, refused) = visits(command, device.path(), "randwrite", &|| Box::new(()));
        assert!(points >= 2 && refused.is_none(), "{command}: {points} {refused:?}");
    });
}

/// A mount, another holder, a loop device over a file and a program that has the file open: consent to the loss of the
/// data is none to what these uses lose.
#[test]
fn target_in_use_is_refused_with_consent() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let refused = |target: &Path, use_of_it: &str| {
        for command in COMMANDS {
            let reason = begin(command, target).unwrap_err();
            assert!(matches!(reason, RefusalReason::InUse { .. }), "{command}: {reason:?}");
            assert!(found(&reason).contains(use_of_it), "{command}: {reason:?}");
        }
    };
    let mount = Mount::on(FileSystem::Ext4, device(), "").unwrap();
    refused(mount.device().unwrap().path(), "Mounted");
    refused(mount.device().unwrap().backing(), "Loop");
    let device = device();
    let holder = exclusive(device.path()).unwrap();
    refused(device.path(), "HeldExclusively");
    drop(holder);
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", BYTES).unwrap();
    let reader = std::fs::File::open(&file).unwrap();
    refused(&file, "OpenElsewhere");
    drop(reader);
    for target in [device.path(), &file] {
        COMMANDS.into_iter().for_each(|command| assert_eq!(begin(command, target), Ok(())));
    }
}

fn exclusive(device: &Path) -> std::io::Result<std::fs::File> {
    std::fs::File::options().read(true).custom_flags(rustix::fs::OFlags::EXCL.bits() as i32).open(device)
}

/// Data on a device is no use, neither a signature nor the partitions that the kernel knows.
#[test]
fn signature_and_partitions_are_written_with_consent() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("sfdisk"), Need::Program("partx"));
    let device = device();
    tool("mkfs.ext4", &["-q", "-F"], device.path());
    COMMANDS.into_iter().for_each(|command| assert_eq!(begin(command, device.path()), Ok(())));
    tool("sh", &["-c", "wipefs -qa \"$0\" && echo ,4M,L | exec sfdisk -q \"$0\""], device.path());
    tool("sh", &["-c", "partx -a \"$0\" 2>&1 || partx -u \"$0\""], device.path());
    let name = device.name();
    assert!(Path::new(&format!("/sys/block/{name}/{name}p1")).exists(), "no partition of {name}");
    for command in COMMANDS {
        let (points, refused) = visits(command, device.path(), "randwrite", &|| Box::new(()));
        assert!(points >= 2 && refused.is_none(), "{command}: {points} {refused:?}");
    }
    tool("partx", &["-d"], device.path());
}

#[test]
fn file_that_becomes_a_loop_device_ends_the_study() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    with_both(|command| {
        let file = sandbox.file(command, BYTES).unwrap();
        let attach = || -> Box<dyn Any> { Box::new(LoopDevice::from_file(&file, Setup::default()).unwrap()) };
        let reason = refusal(command, &file, "randwrite", &attach);
        assert!(found(&reason).contains("Loop"), "{command}: {reason:?}");
    });
}

#[test]
fn file_that_another_program_writes_ends_the_study() {
    let sandbox = Sandbox::new().unwrap();
    with_both(|command| {
        let file = sandbox.file(command, BYTES).unwrap();
        let write = || -> Box<dyn Any> {
            // File systems of old kernels count time in ticks of up to 10 ms.
            std::thread::sleep(Duration::from_millis(20));
            let open = std::fs::File::options().write(true).open(&file).unwrap();
            open.write_all_at(b"precious", 4096).unwrap();
            Box::new(())
        };
        let reason = refusal(command, &file, "randwrite", &write);
        assert_eq!(reason, RefusalReason::Changed(TargetChangeKind::Content), "{command}");
    });
}

#[test]
fn file_that_is_replaced_or_resized_ends_the_study() {
    let sandbox = Sandbox::new().unwrap();
    with_both(|command| {
        for rw in ["randread", "randwrite"] {
            let file = sandbox.file(command, BYTES).unwrap();
            let replace = || -> Box<dyn Any> {
                std::fs::rename(sandbox.file(&format!("other-{command}"), BYTES).unwrap(), &file).unwrap();
                Box::new(())
            };
            let reason = refusal(command, &file, rw, &replace);
            assert_eq!(reason, RefusalReason::Changed(TargetChangeKind::Replaced), "{command}, {rw}");
            let grow = || -> Box<dyn Any> {
                std::fs::File::options().write(true).open(&file).unwrap().set_len(2 * BYTES).unwrap();
                Box::new(())
            };
            let reason = refusal(command, &file, rw, &grow);
            assert_eq!(reason, RefusalReason::Changed(TargetChangeKind::Resized), "{command}, {rw}");
        }
    });
}

#[test]
fn file_system_or_partitions_written_to_the_device_end_the_study() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("sfdisk"));
    with_both(|command| {
        let device = device();
        // A program of mkfs itself is stopped by the claim; one that restores an image claims nothing.
        let sandbox = Sandbox::new().unwrap();
        let image = sandbox.sparse("image", BYTES).unwrap();
        tool("mkfs.ext4", &["-q", "-F"], &image);
        let head = &std::fs::read(&image).unwrap()[..64 << 10];
        let mkfs = || -> Box<dyn Any> {
            let open = std::fs::File::options().write(true).open(device.path()).unwrap();
            open.write_all_at(head, 0).unwrap();
            Box::new(())
        };
        let reason = refusal(command, device.path(), "randwrite", &mkfs);
        assert!(
            found(&reason).contains("Carries") && found(&reason).contains("ext"),
            "{command}: {reason:?}"
        );
        drop(device);
        let device = self::device();
        let script = "echo ,4M,L | exec sfdisk --quiet --force --no-reread --no-tell-kernel \"$0\"";
        let partition = || tool("sh", &["-c", script], device.path());
        let reason = refusal(command, device.path(), "randwrite", &partition);
        assert!(found(&reason).contains("PartitionTable"), "{command}: {reason:?}");
    });
}

/// Bytes without a signature, too, and those of a program that writes the file below a loop device.
#[test]
fn unknown_bytes_written_to_the_device_end_the_study() {
    skip_without!(Need::Loop);
    let device = device();
    for place in [device.path(), device.backing()] {
        let write = || -> Box<dyn Any> {
            let open = std::fs::File::options().write(true).open(place).unwrap();
            open.write_all_at(&[b'p'; 4096], 64 << 10).unwrap();
            Box::new(())
        };
        let reason = refusal("sweep", device.path(), "randwrite", &write);
        assert_eq!(reason, RefusalReason::Changed(TargetChangeKind::Content), "{}", place.display());
    }
}

/// The claim of one loop device does not protect the file below it from another one.
#[test]
fn mount_through_another_loop_device_ends_the_study() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    with_both(|command| {
        let device = device();
        let mount = || -> Box<dyn Any> {
            let other = LoopDevice::from_file(device.backing(), Setup::default()).unwrap();
            Box::new(Mount::on(FileSystem::Ext4, other, "").unwrap())
        };
        let reason = refusal(command, device.path(), "randwrite", &mount);
        assert!(found(&reason).contains("SameFile"), "{command}: {reason:?}");
        assert!(found(&reason).contains("Mounted"), "{command}: {reason:?}");
    });
}
