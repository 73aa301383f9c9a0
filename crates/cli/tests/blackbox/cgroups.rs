//! Control groups that a job is put into.

use crate::common::words;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::{Need, Sandbox, skip_without};

/// Returns the mount point of the blkio hierarchy of version 1.
fn hierarchy() -> Option<PathBuf> {
    let mounts = std::fs::read_to_string("/proc/mounts").unwrap();
    let of = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        let blkio = fields[2] == "cgroup" && fields[3].split(',').any(|option| option == "blkio");
        blkio.then(|| PathBuf::from(fields[1]))
    };
    mounts.lines().find_map(of)
}

/// A control group that is removed on drop.
struct Removed<'a>(&'a Path);

impl Drop for Removed<'_> {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(self.0);
    }
}

/// Both tools leave the group of a job behind with cgroup_nodelete=1, and remove it without.
#[test]
fn control_group_stays_with_cgroup_nodelete() {
    skip_without!(Need::Root, Need::BlockCgroup, Need::Program("fio"));
    let Some(hierarchy) = hierarchy() else {
        testbed::skip("no blkio hierarchy of version 1");
        return;
    };
    let sandbox = Sandbox::new().unwrap();
    for (tool, program, first) in
        [("fio", "fio", &[][..]), ("fathom", env!("CARGO_BIN_EXE_fathom"), &["fio"])]
    {
        for keep in [false, true] {
            let name = format!("fathom-kept-{}-{tool}", std::process::id());
            let group = hierarchy.join(&name);
            let _removed = Removed(&group);
            let job = format!(
                "--name=a --rw=read --bs=4k --size=64k --cgroup={name} --cgroup_nodelete={}",
                u8::from(keep)
            );
            let mut command = Command::new(program);
            command.args(first).args(words(&job)).current_dir(sandbox.path());
            let ran = run(&mut command, Duration::from_secs(20)).unwrap();
            assert_eq!(ran.code, Some(0), "{tool}: {ran:?}");
            assert_eq!(group.is_dir(), keep, "{tool}");
        }
    }
}
