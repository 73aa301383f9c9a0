//! `fathom files` against what the file system has: names and bytes counted independently, nothing left, nothing else
//! touched.
#![allow(clippy::unwrap_used)]

mod quiet;

use facts::SysRoot;
use lab::files::{FilesError, FilesRequest, Leftover, Progress, may_begin, measure, prepare};
use quiet::Quiet;
use stats::files::{FilesAsked, FilesCard, FilesEnd, FilesPhase};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use testbed::Sandbox;

fn asked() -> FilesAsked {
    FilesAsked {
        workers: 3,
        depth: 2,
        branching: 2,
        files: 4,
        leaves_only: false,
        bytes: 5000,
        shared: false,
        shift: 0,
        random: false,
        fsync: false,
        fsync_dir: false,
        write_on_create: false,
        drop_caches: false,
        phases: FilesPhase::ALL.to_vec(),
        iterations: Some(2),
        seconds: None,
        seed: 7,
    }
}

fn request(directory: &Path, asked: FilesAsked) -> FilesRequest {
    FilesRequest {
        directory: directory.into(),
        asked,
        keep: false,
        root: SysRoot::machine(),
        interrupt: Arc::new(AtomicUsize::new(0)),
        patience: Duration::from_secs(30),
        sharers: 1,
        gate: None,
    }
}

fn run(request: &FilesRequest, progress: &mut dyn Progress) -> FilesCard {
    measure(&prepare(request).unwrap(), request, progress).unwrap()
}

fn entries(path: &Path) -> usize {
    fs::read_dir(path).unwrap().count()
}

/// Directories, files and bytes below a directory.
fn count(path: &Path) -> (u64, u64, u64) {
    let mut all = (0, 0, 0);
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        let meta = entry.metadata().unwrap();
        if meta.is_dir() {
            let inner = count(&entry.path());
            all = (all.0 + 1 + inner.0, all.1 + inner.1, all.2 + inner.2);
        } else {
            all = (all.0, all.1 + 1, all.2 + meta.len());
        }
    }
    all
}

/// Trees of every shape: each phase makes exactly the operations of its names, a list sees exactly the entries, and nothing
/// is left.
#[test]
fn every_phase_counts_the_names_of_the_tree() {
    let sandbox = Sandbox::new().unwrap();
    let shapes = [
        asked(),
        FilesAsked { random: true, shift: 1, ..asked() },
        FilesAsked { shared: true, shift: 2, ..asked() },
        FilesAsked { leaves_only: true, random: true, ..asked() },
        FilesAsked { depth: 0, workers: 1, files: 50, bytes: 0, ..asked() },
        FilesAsked { write_on_create: true, fsync: true, fsync_dir: true, branching: 3, depth: 1, ..asked() },
        FilesAsked { bytes: 3 << 20, files: 1, depth: 1, ..asked() },
    ];
    for asked in shapes {
        let card = run(&request(sandbox.path(), asked.clone()), &mut Quiet);
        assert_eq!((card.ended.clone(), card.iterations, entries(sandbox.path())), (None, 2, 0), "{asked:?}");
        let workers = u64::from(asked.workers);
        let names = 2 * workers * asked.files_per_worker().unwrap();
        let directories = asked.directories().unwrap();
        let trees = 2 * asked.trees() * directories;
        let in_tree =
            directories - 1 + asked.files_per_worker().unwrap() * if asked.shared { workers } else { 1 };
        for phase in FilesPhase::ALL {
            let found = card.phase(phase).map(|result| (result.operations, result.entries, result.bytes));
            let bytes = names * asked.bytes;
            let expected = match phase {
                FilesPhase::TreeCreate | FilesPhase::TreeRemove => Some((trees, 0, 0)),
                FilesPhase::List | FilesPhase::ListStat => {
                    Some((2 * workers * directories, 2 * workers * in_tree, 0))
                }
                FilesPhase::Create if asked.write_on_create => Some((names, 0, bytes)),
                FilesPhase::Write if asked.write_on_create || asked.bytes == 0 => None,
                FilesPhase::Write | FilesPhase::Read => Some((names, 0, bytes)),
                _ => Some((names, 0, 0)),
            };
            assert_eq!(found, expected, "{phase:?} of {asked:?}");
            let result = card.phase(phase);
            assert!(result.is_none_or(|r| r.rates.len() == 2 && r.cut == 0), "{result:?}");
            assert!(result.is_none_or(|r| r.latency.moments.n == r.operations), "{result:?}");
        }
    }
}

/// The tree that `keep` leaves, counted by a walk of its own.
#[test]
fn kept_tree_holds_the_directories_files_and_bytes() {
    let sandbox = Sandbox::new().unwrap();
    for shared in [false, true] {
        let mut request = request(sandbox.path(), FilesAsked { shared, iterations: Some(1), ..asked() });
        request.keep = true;
        let card = run(&request, &mut Quiet);
        let kept = PathBuf::from(card.kept.unwrap());
        // The directory of the iteration, the trees of 7 directories, and 3 * 7 * 4 files of 5000 bytes.
        let trees = if shared { 1 } else { 3 };
        assert_eq!(count(&kept), (1 + trees * 7, 84, 84 * 5000), "{shared}");
        fs::remove_dir_all(&kept).unwrap();
    }
    assert_eq!(entries(sandbox.path()), 0);
}

/// The contents of files are noise: a file system that compresses or finds holes cannot make them cheap.
#[test]
fn files_hold_noise() {
    let sandbox = Sandbox::new().unwrap();
    let shape = FilesAsked { workers: 2, depth: 0, files: 1, bytes: 3 << 20, iterations: Some(1), ..asked() };
    let mut request = request(sandbox.path(), shape);
    request.keep = true;
    let kept = PathBuf::from(run(&request, &mut Quiet).kept.unwrap());
    let of = |worker| fs::read(kept.join(format!("i.0/w.{worker}/r.{worker}.0"))).unwrap();
    let (a, b) = (of(0), of(1));
    assert_eq!((a.len(), b.len()), (3 << 20, 3 << 20));
    assert_ne!(a, b);
    let mut seen = [0u32; 256];
    a.iter().take(1 << 20).for_each(|byte| seen[usize::from(*byte)] += 1);
    assert!(seen.iter().all(|n| (3000..5500).contains(n)), "{seen:?}");
}

/// Calls `at` in the middle of a phase.
struct During<F>(FilesPhase, F);

impl<F: FnMut()> Progress for During<F> {
    fn leftover(&mut self, _: &Leftover) {}
    fn look(&mut self, phase: FilesPhase, _: u32, _: u64) {
        if phase == self.0 {
            (self.1)();
        }
    }
}

#[test]
fn interrupted_measurement_removes_its_tree_and_keeps_its_phases() {
    let sandbox = Sandbox::new().unwrap();
    let request = request(sandbox.path(), asked());
    let interrupt = request.interrupt.clone();
    let card = run(&request, &mut During(FilesPhase::Read, || interrupt.store(2, Relaxed)));
    assert_eq!((card.ended.clone(), entries(sandbox.path())), (Some(FilesEnd::Interrupted), 0));
    assert!(card.phase(FilesPhase::Stat).is_some() && card.phase(FilesPhase::Rename).is_none());
}

/// A link planted in the tree during the measurement: the tree cannot be removed, what the link names is untouched.
#[test]
fn link_planted_in_the_tree_is_not_followed() {
    let sandbox = Sandbox::new().unwrap();
    let outside = Sandbox::new().unwrap();
    fs::write(outside.join("f.0.0"), b"precious").unwrap();
    let plant = || {
        let scratch = fs::read_dir(sandbox.path()).unwrap().next().unwrap().unwrap().path();
        let _ = symlink(outside.path(), scratch.join("i.0/w.0/t.0/t.7"));
    };
    let card = run(&request(sandbox.path(), asked()), &mut During(FilesPhase::Rename, plant));
    let Some(FilesEnd::Failed { phase: FilesPhase::TreeRemove, call, name, errno: 39 }) = &card.ended else {
        panic!("{:?}", card.ended)
    };
    assert_eq!((call.as_str(), name.as_str()), ("unlinkat", "i.0/w.0/t.0"));
    assert_eq!(card.foreign, ["i.0/w.0/t.0/t.7"]);
    assert_eq!(fs::read(outside.join("f.0.0")).unwrap(), b"precious");
    // What was measured before holds with conditions.
    assert_eq!(card.grade(), stats::Grade::Conditions);
    assert!(card.phase(FilesPhase::Remove).is_some());
}

/// A file that vanished: the phase ends with the call, the name and the errno.
#[test]
fn failed_operation_ends_the_measurement_with_its_name() {
    let sandbox = Sandbox::new().unwrap();
    let take = || {
        let scratch = fs::read_dir(sandbox.path()).unwrap().next().unwrap().unwrap().path();
        let _ = fs::write(scratch.join("i.0/w.1/f.1.2"), b"short");
    };
    let card = run(&request(sandbox.path(), asked()), &mut During(FilesPhase::Stat, take));
    let failed = FilesEnd::Failed {
        phase: FilesPhase::Read,
        call: "read".into(),
        name: "i.0/w.1/f.1.2".into(),
        errno: 0,
    };
    assert_eq!((card.ended, entries(sandbox.path())), (Some(failed), 0));
}

/// A time that is over at once: each phase makes a few operations, later phases go on with what there is.
#[test]
fn phases_end_with_their_time_and_later_ones_take_what_there_is() {
    let sandbox = Sandbox::new().unwrap();
    let shape = FilesAsked {
        files: 100_000,
        depth: 0,
        random: true,
        shift: 1,
        iterations: None,
        seconds: Some(0.05),
        ..asked()
    };
    let card = run(&request(sandbox.path(), shape), &mut Quiet);
    assert_eq!((card.ended.clone(), entries(sandbox.path())), (None, 0));
    let of = |phase| card.phase(phase).unwrap();
    let create = of(FilesPhase::Create);
    assert!(create.cut >= 1 && create.operations < 300_000, "{create:?}");
    assert!(of(FilesPhase::Stat).operations <= create.operations);
    assert!(of(FilesPhase::Read).operations <= of(FilesPhase::Write).operations);
    // What was made is removed whatever the time says.
    assert_eq!(of(FilesPhase::Remove).operations, create.operations);
    assert_eq!(of(FilesPhase::DirRemove).operations, of(FilesPhase::DirCreate).operations);
}

#[test]
fn too_few_inodes_or_bytes_are_refused() {
    let sandbox = Sandbox::new().unwrap();
    let few = request(sandbox.path(), asked());
    let mut prepared = prepare(&few).unwrap();
    // 3 trees of 7 directories with 4 names each.
    assert_eq!(prepared.inodes, 3 * 7 * 4 + 3 * 7 + 3);
    prepared.free_inodes = Some(100);
    let refused = measure(&prepared, &few, &mut Quiet).unwrap_err();
    assert!(matches!(refused, FilesError::NoInodes { wanted: 108, free: 100, .. }), "{refused:?}");
    assert_eq!((refused.exit_code(), entries(sandbox.path())), (3, 0));
    // A file system that does not tell its inodes is not full.
    prepared.free_inodes = None;
    assert!(may_begin(&prepared, &few).is_ok());
    let many = request(sandbox.path(), FilesAsked { bytes: 1 << 50, ..asked() });
    let refused = measure(&prepare(&many).unwrap(), &many, &mut Quiet).unwrap_err();
    assert_eq!((refused.exit_code(), entries(sandbox.path())), (3, 0));
    let large = request(sandbox.path(), FilesAsked { depth: 32, branching: 9, ..asked() });
    assert!(matches!(prepare(&large), Err(FilesError::TooLarge)));
}
