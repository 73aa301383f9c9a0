//! Layout compared with fio's own: the same job on the same file gives a file of the same size, mode and blocks.

use crate::plans::{file, job, plan};
use job::job::{Fallocate, Job, Mix, PayloadSpec};
use job::plan::{Layout, Plan, PlannedFile};
use run::prepare::{Laid, LayoutStep, lay_out};
use stats::note::NoteFact;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use testbed::{FileSystem, Mount, Need, Sandbox, skip_without};

const SIZE: u64 = 3 << 20;

fn run(plan: &Plan) -> (Laid, Vec<LayoutStep>) {
    let mut steps = Vec::new();
    let laid = lay_out(plan, &mut |s| steps.push(s), &|| false);
    (laid, steps)
}

/// Properties of a file that are visible from outside.
#[derive(Debug, PartialEq)]
struct Seen {
    size: u64,
    blocks: u64,
    mode: u32,
    links: u64,
}

fn seen(path: &Path) -> Option<Seen> {
    let m = fs::metadata(path).ok()?;
    Some(Seen { size: m.len(), blocks: m.blocks(), mode: m.permissions().mode(), links: m.nlink() })
}

#[test]
fn files_are_laid_out_as_fio_lays_them_out() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    // `create_only` stops fio after its layout.
    let modes = [
        ("none", Fallocate::None),
        ("native", Fallocate::Native),
        ("posix", Fallocate::Posix),
        ("keep", Fallocate::Keep),
        ("truncate", Fallocate::Truncate),
    ];
    let read_write = Mix::ReadWrite { reads: 50 };
    let rws =
        [("write", Mix::Write, 0), ("read", Mix::Read, 0), ("rw", read_write, 0), ("write", Mix::Write, 1)];
    let mut compared = 0;
    for (word, mode) in modes {
        for (rw, mix, overwrite) in rws {
            for before in [None, Some(SIZE / 3), Some(SIZE), Some(SIZE + 4096)] {
                // fio takes a third of a second each time: all of it for the default, new files for the others.
                if mode == Fallocate::Native || overwrite == 0 && before.is_none() {
                    let paths = [sandbox.join("fio/f"), sandbox.join("ours/f")];
                    for path in &paths {
                        let dir = path.parent().unwrap();
                        let _ = fs::remove_dir_all(dir);
                        fs::create_dir_all(dir).unwrap();
                        if let Some(size) = before {
                            fs::write(path, vec![1; size as usize]).unwrap();
                            fs::set_permissions(path, fs::Permissions::from_mode(0o640)).unwrap();
                            // A file that is too small is unlinked, not written over: another link shows it.
                            fs::hard_link(path, dir.join("link")).unwrap();
                        }
                    }
                    let mut ours = job("f", mix);
                    ours.target.fallocate = mode;
                    ours.target.overwrite = overwrite == 1;
                    let planned = file(&ours, &paths[1], SIZE);
                    let (laid, _) = run(&plan(ours, vec![planned]));
                    assert_eq!((&laid.failed[..], laid.interrupted), (&[][..], false));
                    assert_eq!(laid.made.len(), usize::from(before.is_none_or(|b| b < SIZE)));
                    let out = Command::new("fio")
                        .args(["--name=f", "--create_only=1", "--bs=4k", &format!("--size={SIZE}")])
                        .arg(format!("--filename={}", paths[0].display()))
                        .args([format!("--rw={rw}"), format!("--fallocate={word}")])
                        .arg(format!("--overwrite={overwrite}"))
                        .output()
                        .unwrap();
                    assert!(out.status.success(), "{out:?}");
                    let both = paths.each_ref().map(|p| [seen(p), seen(&p.with_file_name("link"))]);
                    assert_eq!(both[0], both[1], "{word} {rw} overwrite={overwrite} before={before:?}");
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} layouts compared");
    assert_eq!(compared, 28);
}

/// Contents are noise, all extents are written, and no two files are equal.
#[test]
fn laid_out_files_are_written_noise_and_differ() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let mount = Mount::new(FileSystem::Ext4, 64 << 20).unwrap();
    let reader = job("r", Mix::Read);
    let paths = ["a", "b"].map(|n| mount.path().join(n));
    let files = paths.iter().map(|p| file(&reader, p, SIZE + 1234)).collect();
    let (laid, steps) = run(&plan(reader, files));
    assert_eq!(laid.made, paths);
    assert_eq!(steps[0], LayoutStep::Start { job: "r".into(), files: 2, bytes: 2 * (SIZE + 1234) });
    let total = 2 * (SIZE + 1234);
    assert_eq!(steps.last(), Some(&LayoutStep::Wrote { done: total, total }));
    let mut sectors = std::collections::HashSet::new();
    for path in &paths {
        let text = fs::read(path).unwrap();
        assert_eq!(text.len() as u64, SIZE + 1234);
        assert!(text.chunks_exact(512).all(|s| sectors.insert(s.to_vec())), "a sector twice");
        let open = fs::File::open(path).unwrap();
        let missing = facts::extents::missing(&open, SIZE + 1234).unwrap();
        assert_eq!((missing.holes, missing.unwritten), (0, Some(0)));
    }
    let zeros = Job { payload: PayloadSpec { percent: 100, ..PayloadSpec::NOISE }, ..job("z", Mix::Read) };
    let path = mount.path().join("z");
    let planned = file(&zeros, &path, SIZE);
    run(&plan(zeros, vec![planned]));
    assert!(fs::read(&path).unwrap().iter().all(|b| *b == 0));
    let half = Job {
        payload: PayloadSpec { percent: 50, chunk: 4096, ..PayloadSpec::NOISE },
        ..job("c", Mix::Read)
    };
    let path = mount.path().join("c");
    let planned = file(&half, &path, SIZE);
    run(&plan(half, vec![planned]));
    let zeros = fs::read(&path).unwrap().chunks_exact(8).filter(|w| w.iter().all(|b| *b == 0)).count() as u64;
    assert_eq!(zeros, SIZE / 8 / 2);
}

/// A file that clones share is laid out once, and its parent directories are created with mode 0700.
#[test]
fn shared_file_is_laid_out_once() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.join("new/dir/f");
    let reader = job("r", Mix::Read);
    let planned = file(&reader, &path, SIZE);
    let mut plan = plan(reader, vec![planned]);
    plan.clones.push(plan.clones[0].clone());
    let (laid, steps) = run(&plan);
    assert_eq!(laid.made, std::slice::from_ref(&path));
    assert_eq!(steps.iter().filter(|s| matches!(s, LayoutStep::Start { .. })).count(), 1);
    assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
}

/// `readonly` and `allow_file_create=0` create and delete nothing, and are reported in fio's words.
#[test]
fn readonly_jobs_create_and_delete_nothing() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("small", 4096).unwrap();
    let mut reader = job("r", Mix::Read);
    reader.target.readonly = true;
    let planned = file(&reader, &path, SIZE);
    assert_eq!(planned.layout, Layout::Write);
    let (laid, _) = run(&plan(reader.clone(), vec![planned.clone()]));
    assert_eq!(laid.notes[0].fact, NoteFact::FileUnderReadonly);
    assert_eq!((laid.failed.len(), fs::metadata(&path).unwrap().len()), (0, 4096));
    reader.target.readonly = false;
    reader.target.allow_file_create = false;
    // The planner keeps what it may not make.
    let missing = PlannedFile { path: sandbox.join("missing"), layout: Layout::Keep, ..planned.clone() };
    for file in [planned, missing] {
        let (laid, _) = run(&plan(reader.clone(), vec![file]));
        assert_eq!(laid.notes[0].fact, NoteFact::CreationDisallowed);
        assert_eq!((laid.failed, fs::metadata(&path).unwrap().len()), (vec![(0, None)], 4096));
    }
}

/// A clone whose layout failed is reported with fio's function, and the other clones are laid out.
#[test]
fn failed_layout_is_reported_and_others_go_on() {
    let sandbox = Sandbox::new().unwrap();
    let reader = job("r", Mix::Read);
    let directory = sandbox.join("d");
    fs::create_dir(&directory).unwrap();
    let mut bad = file(&reader, &sandbox.join("x"), SIZE);
    bad.path = directory;
    let good = file(&reader, &sandbox.join("g"), SIZE);
    let mut plan = plan(reader, vec![bad]);
    plan.clones.push(job::plan::PlannedJob { files: vec![good.clone()], ..plan.clones[0].clone() });
    let (laid, _) = run(&plan);
    let (index, error) = laid.failed[0].clone();
    let error = error.unwrap();
    assert_eq!((index, error.errno, error.function.as_str()), (0, 21, "unlink"));
    assert_eq!(error.text, "Is a directory");
    assert_eq!(laid.made, [good.path]);
}

#[test]
fn a_full_disk_and_a_stop_leave_no_half_file() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Tmpfs, 2 << 20).unwrap();
    let reader = job("r", Mix::Read);
    let path = mount.path().join("f");
    let one = plan(reader.clone(), vec![file(&reader, &path, SIZE)]);
    let (laid, _) = run(&one);
    let error = laid.failed[0].1.clone().unwrap();
    assert_eq!(
        (error.errno, error.function.as_str(), error.text.as_str()),
        (28, "write", "No space left on device")
    );
    assert_eq!(laid.notes[0].fact, NoteFact::LayoutFull);
    assert!(!path.exists());
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.join("f");
    let asked = std::cell::Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) == 2;
    let one = plan(reader.clone(), vec![file(&reader, &path, 8 << 20)]);
    let laid = lay_out(&one, &mut |_| {}, &stop);
    assert!(laid.interrupted && laid.made.is_empty() && !path.exists());
    assert_eq!(asked.get(), 3, "asked once per MiB");
}
