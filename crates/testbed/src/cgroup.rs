//! Block cgroups: caps on IOPS or bandwidth that the kernel enforces, independently of the tool under test.
use crate::names::own_name;
use std::fs;
use std::io;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Directory in which block cgroups are created, by version.
#[derive(Clone, Debug)]
pub(crate) enum Hierarchy {
    /// Version 1, `blkio.throttle.*`.
    One(PathBuf),
    /// Version 2, `io.max`.
    Two(PathBuf),
}

impl Hierarchy {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::One(p) | Self::Two(p) => p,
        }
    }
}

/// Returns the hierarchy that accepts block limits on this machine.
pub(crate) fn hierarchy() -> Option<Hierarchy> {
    let one = Path::new("/sys/fs/cgroup/blkio");
    if one.join("blkio.throttle.read_iops_device").exists() {
        return Some(Hierarchy::One(one.to_path_buf()));
    }
    let two = Path::new("/sys/fs/cgroup");
    let delegated = fs::read_to_string(two.join("cgroup.subtree_control")).unwrap_or_default();
    delegated.split_whitespace().any(|c| c == "io").then(|| Hierarchy::Two(two.to_path_buf()))
}

/// Returns the directory in which CPU cgroups are created, and whether it is of version 1.
pub(crate) fn of_cpu() -> Option<(PathBuf, bool)> {
    let one = Path::new("/sys/fs/cgroup/cpu");
    if one.join("cgroup.procs").exists() {
        return Some((one.to_path_buf(), true));
    }
    let two = Path::new("/sys/fs/cgroup");
    let delegated = fs::read_to_string(two.join("cgroup.subtree_control")).unwrap_or_default();
    delegated.split_whitespace().any(|c| c == "cpu").then(|| (two.to_path_buf(), false))
}

/// Returns the parent directories of the testbed's cgroups.
pub(crate) fn places() -> Vec<PathBuf> {
    let block = hierarchy().map(|h| h.path().to_path_buf());
    block.into_iter().chain(of_cpu().map(|(path, _)| path)).collect()
}

/// Limit on one direction of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// Limit of reads per second.
    ReadIops(u64),
    /// Limit of writes per second.
    WriteIops(u64),
    /// Limit of bytes read per second.
    ReadBytes(u64),
    /// Limit of bytes written per second.
    WriteBytes(u64),
}

/// Control group of a test; removed on drop.
#[derive(Debug)]
pub struct Cgroup {
    path: PathBuf,
    version_one: bool,
}

impl Cgroup {
    /// Creates a control group without limits.
    ///
    /// # Errors
    /// The machine has no block cgroups, or the directory cannot be created.
    pub fn new() -> io::Result<Cgroup> {
        let hierarchy = hierarchy().ok_or_else(|| io::Error::other("no block cgroup on this machine"))?;
        let path = hierarchy.path().join(own_name());
        fs::create_dir(&path)?;
        Ok(Cgroup { path, version_one: matches!(hierarchy, Hierarchy::One(_)) })
    }

    /// Creates a control group whose members get at most `percent` of one CPU, in periods of 100 ms.
    ///
    /// # Errors
    /// The machine has no CPU cgroups, or the directory cannot be created.
    pub fn with_cpu_quota(percent: u64) -> io::Result<Cgroup> {
        let (place, version_one) =
            of_cpu().ok_or_else(|| io::Error::other("no CPU cgroup on this machine"))?;
        let path = place.join(own_name());
        fs::create_dir(&path)?;
        let cgroup = Cgroup { path, version_one };
        let quota = percent * 1000;
        if version_one {
            fs::write(cgroup.path.join("cpu.cfs_period_us"), "100000")?;
            fs::write(cgroup.path.join("cpu.cfs_quota_us"), quota.to_string())?;
        } else {
            fs::write(cgroup.path.join("cpu.max"), format!("{quota} 100000"))?;
        }
        Ok(cgroup)
    }

    /// Returns the number of periods in which the members used up their CPU quota.
    ///
    /// # Errors
    /// The group is no CPU cgroup.
    pub fn throttled(&self) -> io::Result<u64> {
        let text = fs::read_to_string(self.path.join("cpu.stat"))?;
        let line = text.lines().find_map(|l| l.strip_prefix("nr_throttled "));
        Ok(line.and_then(|n| n.trim().parse().ok()).unwrap_or(0))
    }

    /// Sets the limit for the device with this number (`7:3`), which gets an I/O scheduler: without one, Linux 6.18 lets an
    /// io_uring of depth above 2 through at only half to all of the limit (fio 3.33 at a limit of 2000: 1266 IOPS at depth 8;
    /// exact with mq-deadline).
    ///
    /// # Errors
    /// The kernel refuses the limit.
    pub fn limit(&self, number: &str, cap: Cap) -> io::Result<()> {
        let scheduler = PathBuf::from(format!("/sys/dev/block/{number}/queue/scheduler"));
        if fs::read_to_string(&scheduler).is_ok_and(|choices| choices.contains("[none]")) {
            fs::write(&scheduler, "mq-deadline")?;
        }
        let (one, two, value) = match cap {
            Cap::ReadIops(v) => ("read_iops", "riops", v),
            Cap::WriteIops(v) => ("write_iops", "wiops", v),
            Cap::ReadBytes(v) => ("read_bps", "rbps", v),
            Cap::WriteBytes(v) => ("write_bps", "wbps", v),
        };
        if self.version_one {
            fs::write(self.path.join(format!("blkio.throttle.{one}_device")), format!("{number} {value}"))
        } else {
            fs::write(self.path.join("io.max"), format!("{number} {two}={value}"))
        }
    }

    /// Returns the path of the file through which a process enters the cgroup.
    pub fn procs(&self) -> PathBuf {
        self.path.join("cgroup.procs")
    }

    /// Makes `command` start inside the cgroup.
    ///
    /// # Errors
    /// The file `cgroup.procs` of the cgroup cannot be opened.
    pub fn enter(&self, command: &mut Command) -> io::Result<()> {
        let mut procs = fs::OpenOptions::new().write(true).open(self.path.join("cgroup.procs"))?;
        // SAFETY: between fork and exec the closure makes one write(2) on a descriptor that it owns; it neither
        // allocates nor takes a lock.
        unsafe {
            command.pre_exec(move || procs.write_all(b"0"));
        }
        Ok(())
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Moves remaining processes to the parent group and removes the cgroup.
pub(crate) fn remove(path: &Path) {
    for _ in 0..50 {
        let inside = fs::read_to_string(path.join("cgroup.procs")).unwrap_or_default();
        if let Some(parent) = path.parent() {
            for pid in inside.split_whitespace() {
                let _ = fs::write(parent.join("cgroup.procs"), pid);
            }
        }
        if fs::remove_dir(path).is_ok() || !path.exists() {
            return;
        }
        // A process that just exited keeps its cgroup busy for a moment.
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounded, CappedLoop, Need, TOOL_LIMIT, skip_without};
    use std::time::Instant;

    #[test]
    fn a_quota_of_a_tenth_of_a_cpu_is_kept_and_told() {
        skip_without!(Need::CpuCgroup);
        let cgroup = Cgroup::with_cpu_quota(10).unwrap();
        let mut spin = Command::new("sh");
        spin.args(["-c", "while :; do :; done"]);
        cgroup.enter(&mut spin).unwrap();
        let ran = crate::child::run(&mut spin, std::time::Duration::from_secs(1)).unwrap();
        let used = (ran.user + ran.system).as_secs_f64() / ran.wall.as_secs_f64();
        assert!(used < 0.2 && cgroup.throttled().unwrap() >= 5, "{used} of a CPU, {cgroup:?}");
    }

    #[test]
    fn a_cap_of_200_reads_a_second_makes_400_reads_take_two_seconds() {
        skip_without!(Need::Loop, Need::BlockCgroup);
        let capped = CappedLoop::new(8 << 20, Cap::ReadIops(200)).unwrap();
        let started = Instant::now();
        let out = capped
            .command(Path::new("dd"))
            .unwrap()
            .args([
                &format!("if={}", capped.device.path().display()),
                "of=/dev/null",
                "bs=4k",
                "count=400",
                "iflag=direct",
            ])
            .output_within(TOOL_LIMIT)
            .unwrap();
        assert!(out.status.success());
        let seconds = started.elapsed().as_secs_f64();
        // The kernel lets the first slice of a tenth of a second through at once.
        assert!((1.8..2.6).contains(&seconds), "{seconds} s for 400 reads at 200 a second");
        let path = capped.cgroup.path.clone();
        drop(capped);
        assert!(!path.exists());
    }
}
