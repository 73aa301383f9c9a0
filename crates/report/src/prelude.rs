//! Lines that fio prints before and beside the report: banners, notices, errors.

use crate::Lang;
use crate::scale::size_pair;
use crate::words::run::job_error;
use run::job_error::errno_text;
use rustix::io::Errno;
use stats::{Banner, JobError};

/// Returns fio's line about a job before it runs, with a line `...` if it has clones; newline at the end.
pub fn banner(b: &Banner) -> String {
    let size = |bytes| size_pair(bytes, b.significant_figures, b.kb_base).0;
    let range = |(low, high): (u64, u64)| format!("{}-{}", size(low), size(high));
    let [r, w, t] = b.bs.map(range);
    let last = if b.seq_rand { "bs_is_seq_rand".to_owned() } else { format!("(T) {t}") };
    let more = if b.clones > 1 { "...\n" } else { "" };
    if !b.does_io {
        return more.into();
    }
    format!(
        "{}: (g={}): rw={}, bs=(R) {r}, (W) {w}, {last}, ioengine={}, iodepth={}\n{more}",
        stats::plain::line(&b.name),
        b.group,
        b.rw,
        b.ioengine,
        b.iodepth
    )
}

/// Returns `Starting 2 processes`, `Starting 1 thread and 2 processes`; ends with a newline.
pub fn starting(threads: u32, processes: u32) -> String {
    let count = |n: u32, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let parts: Vec<_> = [count(threads, "thread", "threads"), count(processes, "process", "processes")]
        .into_iter()
        .flatten()
        .collect();
    if parts.is_empty() { String::new() } else { format!("Starting {}\n", parts.join(" and ")) }
}

/// Returns `a: Laying out IO file (1 file / 4MiB)`, `a: Laying out IO files (3 files / total 3MiB)`: `bytes` is the
/// total of the job's files. Ends with a newline.
pub fn layout_notice(job: &str, files: u64, bytes: u64) -> String {
    let mib = bytes >> 20;
    match files {
        1 => format!("{job}: Laying out IO file (1 file / {mib}MiB)\n"),
        n => format!("{job}: Laying out IO files ({n} files / total {mib}MiB)\n"),
    }
}

/// Returns the line that fio prints on stdout when a job fails: `fio: pid=N, err=E/file:SRC:LINE, func=F, error=TEXT`.
/// Ends with a newline.
pub fn error_line(pid: u32, error: &JobError) -> String {
    format!("fio: pid={pid}, err={}/{}\n", error.errno, error_place(error))
}

/// Returns `file:SRC:LINE, func=F, error=TEXT`, as in the error line and in the report's header line. The place is
/// the one that fio 3.33 names for the same failure: scripts match on it.
pub fn error_place(error: &JobError) -> String {
    let function = &error.function;
    // A mismatch that was only counted has no place in fio either.
    if function.is_empty() && error.errno == Errno::ILSEQ.raw_os_error() {
        return String::new();
    }
    let place = match function.split('(').next().unwrap_or("") {
        "open" => "filesetup.c:805",
        "unlink" => "filesetup.c:150",
        "write" => "filesetup.c:240",
        "total_file_size" => "filesetup.c:1155",
        "io_queue_init" => "engines/libaio.c:485",
        "cpu_set_affinity" => "backend.c:1716",
        "numa_run_on_node_mask failed" => "backend.c:1737",
        "cpuio" => "engines/cpu.c:251",
        "exec" => "engines/exec.c:324",
        "td_io_queue" => "ioengines.c:399",
        "io_u_sync_complete" => "io_u.c:2152",
        "io_u_queued_complete" => "io_u.c:2190",
        "max latency exceeded" => "io_u.c:1432",
        _ => "io_u.c:1876",
    };
    format!("file:{place}, func={function}, error={}", error_words(error))
}

/// Returns the text of an error as fio prints it: the C library's text of the errno, without the file and offset that
/// fathom adds; fathom's text if the C library has none.
pub fn error_words(error: &JobError) -> String {
    let (words, text) = (errno_text(error.errno), job_error(Lang::En, error));
    if text.starts_with(&words) || text.is_empty() { words } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_lines_are_fios() {
        let mut e = JobError {
            errno: 28,
            function: "io_u error".into(),
            text: "No space left on device".into(),
            cause: None,
        };
        let line = "fio: pid=7, err=28/file:io_u.c:1876, func=io_u error, error=No space left on device\n";
        assert_eq!(error_line(7, &e), line);
        e.text.push_str(": write offset=0, buflen=4096");
        assert_eq!(error_line(7, &e), line);
        e.text = "the ring died".into();
        assert!(error_line(7, &e).ends_with("error=the ring died\n"));
    }

    #[test]
    fn starting_names_what_there_is() {
        let said: Vec<_> =
            [(1, 0), (2, 0), (0, 1), (0, 2), (1, 2), (0, 0)].map(|(t, p)| starting(t, p)).into();
        let fio = ["1 thread", "2 threads", "1 process", "2 processes", "1 thread and 2 processes"];
        assert_eq!(said[..5], fio.map(|s| format!("Starting {s}\n")));
        assert_eq!(said[5], "");
    }
}
