//! The measurement that would have answered the question of a result.

use job::unit::size;
use stats::audit::{BenchmarkTool, IoKind, PrintedResult, PrintedSyncs};

/// Largest scratch file that the advice names, bytes; larger ones add time and no answer.
const LARGEST_SCRATCH: f64 = 68719476736.0;
/// Smallest scratch file that the advice names, bytes: beyond the caches of most controllers, and small enough for most
/// file systems.
const SMALLEST_SCRATCH: f64 = 4294967296.0;
/// Name of the scratch file, as in the job that `fathom explore` recommends.
const SCRATCH: &str = "fathom-scratch.0";

/// Returns the arguments of `fathom` for a measurement of the same load without the mistake. It runs as it is: it reads what
/// the text names, or writes to a scratch file that is removed.
pub(super) fn command(result: &PrintedResult) -> String {
    let place = place(result);
    if result.tool == BenchmarkTool::PgTestFsync || result.syncs == Some(PrintedSyncs::Each) {
        let directory = if let Place::Scratch(directory) = place { directory } else { "." };
        return ["fit", "postgresql", directory].join(" ");
    }
    if result.tool == BenchmarkTool::Iostat {
        let name = result.target.as_str();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let device = if is_name && !name.starts_with('-') { format!("/dev/{name}") } else { ".".to_owned() };
        return format!("explore --patterns=4k-randread,64k-read {device}");
    }
    let random = result.random.unwrap_or(false);
    let rw = match (result.kind, random) {
        (IoKind::Write | IoKind::SyncedWrite, true) => "randwrite",
        (IoKind::Write | IoKind::SyncedWrite, false) => "write",
        (IoKind::Mixed, true) => "randrw",
        (IoKind::Mixed, false) => "rw",
        (_, true) => "randread",
        (_, false) => "read",
    };
    let block = result.block.map_or(if random { 4096 } else { 1048576 }, |block| block.value.round() as u64);
    // A block size that no device takes without the page cache is rounded up.
    let block =
        if block.is_multiple_of(512) && block > 0 { block } else { block.div_ceil(4096).max(1) * 4096 };
    let depth = match (result.synchronous, result.depth) {
        (Some(false), Some(depth)) => depth.max(1),
        (_, Some(depth)) if result.tool == BenchmarkTool::Typed => depth.max(1),
        _ if random => 1,
        _ => 8,
    };
    let jobs =
        result.jobs.filter(|jobs| *jobs > 1).map_or(String::new(), |jobs| format!(" --numjobs={jobs}"));
    let flush = if result.syncs == Some(PrintedSyncs::AtEnd) { " --end_fsync=1" } else { "" };
    let target = match place {
        // Without a size, all of it is read; a size beyond its end would extend the file, which is refused.
        Place::Existing(name) => {
            let stated = result.region.filter(|bytes| *bytes >= block as f64 && !name.starts_with("/dev/"));
            let size = stated.map_or(String::new(), |bytes| format!(" --size={}", size(bytes as u64)));
            format!("--filename={name}{size}")
        }
        Place::Scratch(directory) => {
            let bytes = result.region.unwrap_or(SMALLEST_SCRATCH).clamp(SMALLEST_SCRATCH, LARGEST_SCRATCH);
            format!("--directory={directory} --filename={SCRATCH} --size={} --unlink=1", size(bytes as u64))
        }
    };
    format!(
        "run --name=again {target} --rw={rw} --bs={} --ioengine=io_uring --iodepth={depth}{jobs} --direct=1{flush} --time_based --runtime=60",
        size(block),
    )
}

/// Where the measurement is repeated.
enum Place<'a> {
    /// A file or device that the text names, for reads.
    Existing(&'a str),
    /// A scratch file in a directory.
    Scratch(&'a str),
}

/// Returns the place for a command that may be pasted into a shell: that of the text if it is a plain path. What the text
/// names is only read, for it may be a file of somebody or a device of another machine; writes go to a scratch file in the
/// same directory.
fn place(result: &PrintedResult) -> Place<'_> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    let name = result.target.as_str();
    if name.is_empty() || name.starts_with('-') || !name.chars().all(plain) {
        return Place::Scratch(".");
    }
    let last = name.rsplit('/').next().unwrap_or_default();
    // ioping measures in a directory unless a file is given; files have an extension more often than directories.
    let by_name = matches!(last, "" | "." | "..")
        || matches!(result.tool, BenchmarkTool::Ioping | BenchmarkTool::PgTestFsync) && !last.contains('.');
    let of_system = ["/dev", "/proc", "/sys"]
        .iter()
        .any(|top| name.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    let directory = match name.rsplit_once('/') {
        _ if by_name => name.strip_suffix('/').filter(|rest| !rest.is_empty()).unwrap_or(name),
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    };
    match result.kind {
        IoKind::Read if of_system || !by_name => Place::Existing(name),
        _ if of_system => Place::Scratch("."),
        _ => Place::Scratch(directory),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The target comes from a text of anybody: it neither reaches a shell nor names a device to write to.
    #[test]
    fn advice_writes_to_no_device_and_holds_nothing_for_a_shell() {
        let advice = |target: &str, kind| {
            command(&PrintedResult { target: target.into(), kind, ..PrintedResult::default() })
        };
        assert!(advice("/dev/sdb", IoKind::Read).contains(" --filename=/dev/sdb --rw=read "));
        for (target, kind) in [
            ("/dev/sdb", IoKind::Write),
            ("/dev/sdb", IoKind::Mixed),
            ("x;reboot", IoKind::Read),
            ("$(reboot)", IoKind::Read),
            ("a b", IoKind::Read),
            ("-x", IoKind::Read),
            ("", IoKind::Read),
        ] {
            let own = "run --name=again --directory=. --filename=fathom-scratch.0 --size=4g --unlink=1 ";
            assert!(advice(target, kind).starts_with(own), "{target}");
        }
    }

    /// A command reads no more of a file than it has, and what it writes is removed.
    #[test]
    fn advice_reads_stated_files_and_writes_scratch_files() {
        let result =
            |target: &str, kind| PrintedResult { target: target.into(), kind, ..PrintedResult::default() };
        let read = PrintedResult { region: Some(536870912.0), ..result("a.img", IoKind::Read) };
        assert!(command(&read).contains(" --filename=a.img --size=512m "));
        assert!(command(&result("a.img", IoKind::Read)).contains(" --filename=a.img --rw="));
        for (target, tool, kind, directory) in [
            ("./dir", BenchmarkTool::Ioping, IoKind::Read, "./dir"),
            (".", BenchmarkTool::Ioping, IoKind::Read, "."),
            ("/data/", BenchmarkTool::Fio, IoKind::Read, "/data"),
            ("a.img", BenchmarkTool::Dd, IoKind::Write, "."),
            ("/mnt/a.img", BenchmarkTool::Dd, IoKind::Write, "/mnt"),
            ("/proc/x", BenchmarkTool::Dd, IoKind::Write, "."),
        ] {
            let advice = command(&PrintedResult { tool, ..result(target, kind) });
            let own = format!(" --directory={directory} --filename=fathom-scratch.0 --size=4g --unlink=1 ");
            assert!(advice.contains(&own), "{target}: {advice}");
        }
        let synced = PrintedResult { syncs: Some(PrintedSyncs::AtEnd), ..result("a.img", IoKind::Write) };
        assert!(command(&synced).contains(" --rw=write ") && command(&synced).contains(" --end_fsync=1 "));
    }
}
