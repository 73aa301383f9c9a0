//! Opening a job's file: flags, cache, advice, and the lines of a failure.

use crate::plans::{file, job, plan, setup};
use facts::residency::cached_bytes;
use job::job::{Mix, SyncMode};
use job::plan::{FileKind, Inspect, Layout, PlannedFile};
use run::consent::Policy;
use run::line::Line;
use run::prepare::{Host, invalidate, lay_out, open_job_file};
use run::targets::Targets;
use run::{Notice, Watch};
use rustix::fs::{OFlags, fcntl_getfl};
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::process::Command;
use testbed::{FileSystem, LoopDevice, Mount, Need, Sandbox, skip_without};

const MIB: u64 = 1 << 20;

#[test]
fn flags_are_those_of_the_direction_and_of_direct_and_sync() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("f", MIB).unwrap();
    let access = OFlags::RDWR | OFlags::WRONLY | OFlags::DIRECT | OFlags::SYNC;
    for (mix, wanted) in
        [(Mix::Read, OFlags::RDONLY), (Mix::Write, OFlags::RDWR), (Mix::ReadWrite { reads: 1 }, OFlags::RDWR)]
    {
        for (sync, sync_flag) in [
            (SyncMode::None, OFlags::empty()),
            (SyncMode::Sync, OFlags::SYNC),
            (SyncMode::Dsync, OFlags::DSYNC),
        ] {
            for direct in [false, true] {
                let mut j = job("j", mix);
                (j.target.sync, j.target.direct) = (sync, direct);
                let open = open_job_file(&j, &file(&j, &path, MIB), &Targets::unchecked()).unwrap();
                let direct_flag = if direct { OFlags::DIRECT } else { OFlags::empty() };
                assert_eq!(
                    fcntl_getfl(&open).unwrap() & access,
                    wanted | sync_flag | direct_flag,
                    "{mix:?} {sync:?} {direct}"
                );
            }
        }
    }
    assert_eq!(fs::metadata(&path).unwrap().len(), MIB, "opening truncated it");
}

/// `invalidate=1` drops the cached pages of files and devices; without it, they stay.
#[test]
fn invalidate_drops_cache_of_files_and_devices() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    let device = LoopDevice::new(4 * MIB).unwrap();
    for path in [sandbox.file("f", 4 * MIB).unwrap(), device.path().to_path_buf()] {
        let reader = File::open(&path).unwrap();
        reader.sync_all().unwrap();
        let warm = || reader.read_exact_at(&mut vec![0; 4 * MIB as usize], 0).unwrap();
        let cached = || cached_bytes(&reader, 4 * MIB);
        let mut j = job("j", Mix::Read);
        let planned = file(&j, &path, 4 * MIB);
        j.target.invalidate = false;
        warm();
        let open = open_job_file(&j, &planned, &Targets::unchecked()).unwrap();
        if cached().is_none() {
            return testbed::skip("needs cachestat (Linux 6.5)");
        }
        assert_eq!(cached(), Some(4 * MIB), "{}", path.display());
        invalidate(&open, &planned).unwrap();
        assert_eq!(cached(), Some(0), "{}", path.display());
        warm();
        j.target.invalidate = true;
        let _open = open_job_file(&j, &planned, &Targets::unchecked()).unwrap();
        assert_eq!(cached(), Some(0), "{}", path.display());
    }
}

/// Returns errno and lines of each job that failed.
#[derive(Default)]
struct Said(Vec<(i32, Vec<Line>)>);

impl Watch for Said {
    fn notice(&mut self, notice: Notice) {
        if let Notice::Failed { error, lines, .. } = notice {
            self.0.push((error.errno, lines));
        }
    }
    fn look(&mut self, _: &stats::Live) {}
}

/// A file system without direct I/O is reported in fio's words, with the option and the path.
#[test]
fn missing_direct_io_is_reported_in_fios_words() {
    skip_without!(Need::Root, Need::Program("fio"));
    let mount = Mount::new(FileSystem::Ramfs, MIB).unwrap();
    let path = mount.path().join("f");
    let mut j = job("j", Mix::Read);
    j.target.direct = true;
    let planned = file(&j, &path, MIB);
    let laid = lay_out(&plan(j.clone(), vec![planned.clone()]), &mut |_| {}, &|| false);
    assert_eq!(laid.failed, []);
    let e = open_job_file(&j, &planned, &Targets::unchecked()).unwrap_err();
    let function = format!("open({})", path.display());
    assert_eq!((e.error.errno, e.error.function, e.error.text.as_str()), (22, function, "Invalid argument"));
    let args =
        ["--name=j", "--direct=1", "--rw=read", "--size=1m", &format!("--filename={}", path.display())];
    let fio = Command::new("fio").args(args).output().unwrap();
    // `report` has the same words, and a test of them.
    let words = "fio: looks like your file system does not support direct=1/buffered=0\nfio: destination does not support O_DIRECT\n";
    assert_eq!(String::from_utf8(fio.stderr).unwrap(), words);
    assert_eq!(e.hints, [Line::NoDirectIo]);
    // The whole run says the same.
    let setup = setup(Policy::Own);
    let mut said = Said::default();
    run::run(&plan(j, vec![planned]), &setup, &mut said).unwrap();
    assert_eq!(said.0, [(22, e.hints)]);
}

/// A missing file is created at open if the job may create it, else it is an error.
#[test]
fn missing_file_is_created_at_open_if_allowed() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.join("f");
    let planned = |layout| PlannedFile {
        path: path.clone(),
        kind: FileKind::Regular,
        size: MIB,
        start: 0,
        length: MIB,
        layout,
    };
    let reader = job("j", Mix::Read);
    let e = open_job_file(&reader, &planned(Layout::Write), &Targets::unchecked()).unwrap_err();
    assert_eq!((e.error.errno, e.error.text.as_str(), e.hints.len()), (2, "No such file or directory", 0));
    let mut no_files = job("j", Mix::Write);
    no_files.target.allow_file_create = false;
    assert_eq!(
        open_job_file(&no_files, &planned(Layout::OnOpen), &Targets::unchecked()).unwrap_err().error.errno,
        2
    );
    for (mix, layout) in [(Mix::Read, Layout::OnOpen), (Mix::Write, Layout::Reserve)] {
        open_job_file(&job("j", mix), &planned(layout), &Targets::unchecked()).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(&path).unwrap();
    }
}

/// An unnamed scratch file is inspected, read and written through its descriptor.
#[test]
fn nameless_scratch_file_is_used_by_descriptor() {
    let sandbox = Sandbox::new().unwrap();
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let scratch = File::from(rustix::fs::open(sandbox.path(), flags, 0o600.into()).unwrap());
    scratch.write_all_at(&vec![3; MIB as usize], 0).unwrap();
    for path in [
        format!("/proc/self/fd/{}", scratch.as_raw_fd()),
        format!("/proc/{}/fd/{}", std::process::id(), scratch.as_raw_fd()),
    ] {
        let path = std::path::Path::new(&path);
        let look = Host.inspect(path).unwrap();
        assert_eq!((look.kind, look.exists, look.size), (FileKind::Regular, true, MIB));
        let mut j = job("j", Mix::ReadWrite { reads: 50 });
        j.target.direct = true;
        let planned = file(&j, path, MIB);
        assert_eq!(planned.layout, Layout::Keep);
        let laid = lay_out(&plan(j.clone(), vec![planned.clone()]), &mut |_| {}, &|| false);
        assert_eq!((laid.made.len(), laid.failed.len()), (0, 0));
        let open = open_job_file(&j, &planned, &Targets::unchecked()).unwrap();
        assert_eq!(rustix::fs::fstat(&open).unwrap().st_ino, rustix::fs::fstat(&scratch).unwrap().st_ino);
    }
    assert_eq!(fs::read_dir(sandbox.path()).unwrap().count(), 0);
}

#[test]
fn a_look_tells_missing_regular_block_and_char_apart() {
    skip_without!(Need::Loop);
    let device = LoopDevice::sparse(3 * MIB, testbed::loopdev::Setup::default()).unwrap();
    let look = |path: &str| Host.inspect(path.as_ref()).map(|l| (l.kind, l.exists, l.size));
    assert_eq!(look(device.path().to_str().unwrap()).unwrap(), (FileKind::Block, true, 3 * MIB));
    assert_eq!(look("/dev/null").unwrap(), (FileKind::Char, true, 0));
    assert_eq!(look("/nowhere/at/all").unwrap(), (FileKind::Regular, false, 0));
    assert_eq!(look("/dev/null/x").unwrap_err().raw_os_error(), Some(20));
}
