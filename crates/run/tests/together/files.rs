//! Effects of jobs on files apart from the I/O: their ends, inodes, hints and deletion.

use facts::SysRoot;
use job::job::{Fallocate, Job, Mix, Size};
use job::plan::plan;
use run::consent::{Consent, Policy};
use run::mark::SCRATCH_ATTRIBUTE;
use run::prepare::Host;
use run::{RunError, Setup, Silent};
use std::fs::File;
use std::num::NonZeroU32;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use testbed::{Need, Sandbox, skip_without};

fn run(job: Job, policy: Policy) -> Result<stats::RunResult, RunError> {
    let setup = Setup {
        consent: Consent::new(policy, Vec::new()),
        root: SysRoot::machine(),
        interrupt: Default::default(),
        all_histograms: false,
        inputs: Vec::new(),
        idleness: false,
        patience: std::time::Duration::from_secs(30),
        window: stats::Series::WINDOW,
        models: Default::default(),
        allowance: None,
        gate: None,
    };
    run::run(&plan(vec![job], &mut Host).unwrap(), &setup, &mut Silent)
}

fn job(mix: Mix, path: &Path) -> Job {
    let mut job = crate::plans::job("j", mix);
    job.target.filenames = vec![path.to_owned()];
    job.target.size = Some(Size::Bytes(16384));
    job.target.overwrite = mix == Mix::Read;
    job
}

fn bytes_written(result: &stats::RunResult) -> u64 {
    assert_eq!(result.jobs[0].error, None);
    result.jobs[0].directions[1].bytes
}

/// As in fio, 16k are written behind the existing 20000 bytes; these bytes and the file itself are kept.
#[test]
fn what_is_appended_leaves_what_is_there() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.join("log");
    for fallocate in [Fallocate::Native, Fallocate::None] {
        std::fs::write(&path, [7; 20000]).unwrap();
        let inode = std::fs::metadata(&path).unwrap().ino();
        let mut job = job(Mix::Write, &path);
        (job.target.append, job.target.fallocate) = (true, fallocate);
        run(job.clone(), Policy::Own).unwrap_err();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 20000);
        assert_eq!(bytes_written(&run(job, Policy::Fio).unwrap()), 16384);
        let after = std::fs::read(&path).unwrap();
        assert_eq!(after.len(), 36384);
        assert!(after[..20000].iter().all(|b| *b == 7) && after[20000..].iter().any(|b| *b != 0));
        assert_eq!(std::fs::metadata(&path).unwrap().ino(), inode);
        // It is not ours because we appended to it.
        let mut value = [0; 8];
        rustix::fs::getxattr(&path, SCRATCH_ATTRIBUTE, &mut value).unwrap_err();
    }
}

/// A hard link keeps the file of the first loop; the second loop creates another file, which is kept.
#[test]
fn files_are_deleted_between_loops() {
    let sandbox = Sandbox::new().unwrap();
    let (first, second) = (sandbox.join("first"), sandbox.join("second"));
    let mut job = job(Mix::Write, &first);
    job.target.filenames.push(second.clone());
    job.target.unlink_each_loop = true;
    for (loops, openfiles) in [(1, 0), (2, 0), (2, 1)] {
        for path in [&first, &second] {
            let _ = std::fs::remove_file(path);
            std::fs::write(path, [7; 16384]).unwrap();
        }
        let link = sandbox.join("link");
        let _ = std::fs::remove_file(&link);
        std::fs::hard_link(&first, &link).unwrap();
        (job.limits.loops, job.target.openfiles) = (loops, NonZeroU32::new(openfiles));
        run(job.clone(), Policy::Own).unwrap_err();
        assert_eq!(std::fs::metadata(&link).unwrap().nlink(), 2);
        assert_eq!(bytes_written(&run(job.clone(), Policy::Fio).unwrap()), loops * 16384);
        assert_eq!(std::fs::metadata(&link).unwrap().nlink(), if loops == 1 { 2 } else { 1 });
        assert_eq!(std::fs::metadata(&first).unwrap().len() % 4096, 0);
        assert!(second.exists());
    }
    // What is read and then deleted is gone: fio says so, and `fathom run` asks before.
    let mut reader = self::job(Mix::Read, &second);
    std::fs::remove_file(&second).unwrap();
    std::fs::write(&second, [7; 16384]).unwrap();
    reader.target.unlink_each_loop = true;
    reader.limits.loops = 2;
    run(reader.clone(), Policy::Own).unwrap_err();
    assert!(second.exists());
    let result = run(reader.clone(), Policy::Fio).unwrap();
    assert_eq!(result.jobs[0].error.as_ref().map(|e| e.errno), Some(2));
    assert_eq!(result.jobs[0].directions[0].bytes, 16384);
    reader.target.unlink_each_loop = false;
    reader.target.unlink = true;
    assert!(!second.exists());
    std::fs::write(&second, [7; 16384]).unwrap();
    run(reader, Policy::Own).unwrap_err();
    assert!(second.exists());
}

/// As in fio, the first read reaches the end of the first file, and the second file is never opened.
#[test]
fn a_file_that_no_io_comes_to_is_not_made() {
    let sandbox = Sandbox::new().unwrap();
    let (first, second) = (sandbox.join("first"), sandbox.join("second"));
    let mut job = job(Mix::Read, &first);
    job.target.filenames.push(second.clone());
    job.target.create_on_open = true;
    let result = run(job, Policy::Own).unwrap();
    assert_eq!(result.jobs[0].error.as_ref().map(|e| e.errno), Some(5));
    assert!(first.exists() && !second.exists());
}

#[test]
fn the_kernel_is_told_how_long_data_will_live() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.join("f");
    for hint in [2, 5] {
        let mut job = job(Mix::Write, &path);
        job.target.write_hint = Some(hint);
        run(job, Policy::Fio).unwrap();
        assert_eq!(sys::hint::lifetime(File::open(&path).unwrap()).unwrap(), hint);
    }
}

/// A full device ends a job that fills it, and is an error for any other job.
#[test]
fn a_device_is_filled_without_an_error() {
    skip_without!(Need::Root);
    let sandbox = Sandbox::new().unwrap();
    let at = sandbox.join("small");
    std::fs::create_dir(&at).unwrap();
    let mount = |args: &[&str]| Command::new(args[0]).args(&args[1..]).arg(&at).status().unwrap().success();
    assert!(mount(&["mount", "-t", "tmpfs", "-o", "size=1m", "none"]));
    let mut job = job(Mix::Write, &at.join("f"));
    job.target.size = None;
    job.target.fill = true;
    let filled = run(job.clone(), Policy::Fio);
    let size = std::fs::metadata(at.join("f")).map(|m| m.len());
    job.target.fill = false;
    job.target.size = Some(Size::Bytes(2 << 20));
    job.target.fallocate = Fallocate::None;
    let failed = run(job, Policy::Fio);
    assert!(mount(&["umount"]));
    assert_eq!(bytes_written(&filled.unwrap()), 1 << 20);
    assert_eq!(size.unwrap(), 1 << 20);
    assert_eq!(failed.unwrap().jobs[0].error.as_ref().map(|e| e.errno), Some(28));
}
