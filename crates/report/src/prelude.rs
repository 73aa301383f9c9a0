//! What fio prints before and beside the report: banners, notices, errors.

use crate::scale::{Base, number};
use stats::{Banner, JobError};

/// fio's line about a job before it runs, with a line `...` when it has clones. Ends with a newline.
pub fn banner(b: &Banner) -> String {
    let range = |(low, high): (u64, u64)| format!("{}B-{}B", number(low, 4, Base::Binary), number(high, 4, Base::Binary));
    let [r, w, t] = b.bs.map(range);
    let more = if b.clones > 1 { "...\n" } else { "" };
    format!(
        "{}: (g={}): rw={}, bs=(R) {r}, (W) {w}, (T) {t}, ioengine={}, iodepth={}\n{more}",
        b.name, b.group, b.rw, b.ioengine, b.iodepth
    )
}

/// `Starting 2 processes`, `Starting 1 thread and 2 processes`; ends with a newline.
pub fn starting(threads: u32, processes: u32) -> String {
    let count = |n: u32, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let parts: Vec<_> =
        [count(threads, "thread", "threads"), count(processes, "process", "processes")].into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("Starting {}\n", parts.join(" and ")) }
}

/// `a: Laying out IO file (1 file / 4MiB)`: `bytes` is the total of the job's files. Ends with a newline.
pub fn layout_notice(job: &str, files: u64, bytes: u64) -> String {
    let (plural, each) = if files == 1 { ("", "") } else { ("s", "") };
    format!("{job}: Laying out IO file{plural} ({files} file{plural} / {each}{}MiB)\n", bytes >> 20)
}

/// The line that fio prints on stdout when a job fails: `fio: pid=N, err=E/file:SRC:LINE, func=F, error=TEXT`. Ends
/// with a newline.
pub fn error_line(pid: u32, error: &JobError) -> String {
    format!("fio: pid={pid}, err={}/{}\n", error.errno, error_place(error))
}

/// `file:SRC:LINE, func=F, error=TEXT`, as it stands in the error line and in the report's header line.
pub fn error_place(error: &JobError) -> String {
    format!("file:io_u.c:1845, func={}, error={}", error.function, error.text)
}
