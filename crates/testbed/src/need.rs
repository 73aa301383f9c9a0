//! Requirements of tests, and the line that gives the reason for a skipped test.
use std::io::Write;
use std::path::Path;

/// A requirement that not every machine meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The process runs as root (effective user 0).
    Root,
    /// The program is installed.
    Program(&'static str),
    /// A free loop device is available.
    Loop,
    /// A block cgroup accepts limits (version 1 `blkio` or version 2 `io`).
    BlockCgroup,
    /// A cgroup accepts CPU quotas.
    CpuCgroup,
    /// zram devices can be added.
    Zram,
    /// `/dev/fuse` can be opened and mounted.
    Fuse,
    /// The kernel permits io_uring to this process.
    IoUring,
}

/// Returns whether this process runs as root.
pub fn root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Returns whether `program` is on the search path or in a directory of system programs.
pub fn have_program(program: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    path.split(':').chain(["/usr/sbin", "/sbin"]).any(|dir| Path::new(dir).join(program).is_file())
}

fn reason(need: Need) -> Option<String> {
    match need {
        Need::Root if !root() => Some("needs root".into()),
        Need::Program(name) if !have_program(name) => Some(format!("needs the program {name}")),
        Need::Loop if !root() => Some("needs root (loop device)".into()),
        Need::Loop if !Path::new("/dev/loop-control").exists() => Some("needs /dev/loop-control".into()),
        Need::BlockCgroup if !root() => Some("needs root (block cgroup)".into()),
        Need::BlockCgroup if crate::cgroup::hierarchy().is_none() => Some("needs a block cgroup".into()),
        Need::CpuCgroup if !root() => Some("needs root (CPU cgroup)".into()),
        Need::CpuCgroup if crate::cgroup::of_cpu().is_none() => Some("needs a CPU cgroup".into()),
        Need::Zram if !root() => Some("needs root (zram)".into()),
        Need::Zram if !Path::new(crate::undo::CONTROL).exists() => Some("needs zram".into()),
        Need::Fuse if !root() => Some("needs root (mount of /dev/fuse)".into()),
        Need::Fuse if !Path::new("/dev/fuse").exists() => Some("needs /dev/fuse".into()),
        Need::IoUring
            if std::fs::read_to_string("/proc/sys/kernel/io_uring_disabled")
                .is_ok_and(|v| v.trim() == "2") =>
        {
            Some("io_uring is switched off (kernel.io_uring_disabled=2)".into())
        }
        _ => None,
    }
}

/// Returns the first of `needs` that this machine does not meet, in words.
pub fn missing(needs: &[Need]) -> Option<String> {
    needs.iter().find_map(|need| reason(*need))
}

/// Prints `SKIP <test>: <reason>` without the test harness's capture, so that `scripts/test` can list the test. The
/// name of the test is that of its thread.
pub fn skip(reason: &str) {
    let thread = std::thread::current();
    let binary = std::env::args().next().unwrap_or_default();
    let binary = Path::new(&binary).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let binary = binary.rsplit_once('-').map_or(binary.clone(), |(name, _)| name.to_string());
    let name = thread.name().unwrap_or("?").to_string();
    let mut err = std::io::stderr().lock();
    // A skip that cannot be printed must not fail the test.
    let _ = writeln!(err, "SKIP {binary}::{name}: {reason}");
}

/// Ends the test with a printed reason if a requirement is not met: `skip_without!(Need::Root, Need::Program("fio"))`.
#[macro_export]
macro_rules! skip_without {
    ($($need:expr),+ $(,)?) => {
        if let Some(reason) = $crate::missing(&[$($need),+]) {
            $crate::skip(&reason);
            return;
        }
    };
}
