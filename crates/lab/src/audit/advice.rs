//! The measurement that would have answered the question of a result.

use job::unit::size;
use stats::audit::{BenchmarkTool, IoKind, PrintedResult, PrintedSyncs};

/// Largest region that the advice names, bytes; larger ones add time and no answer.
const LARGEST_REGION: f64 = 68719476736.0;
/// Smallest region that the advice names, bytes: beyond the caches of controllers.
const SMALLEST_REGION: f64 = 17179869184.0;

/// Returns the arguments of `fathom` for a measurement of the same load without the mistake.
pub(super) fn command(result: &PrintedResult) -> String {
    if result.tool == BenchmarkTool::PgTestFsync || result.syncs == Some(PrintedSyncs::Each) {
        return ["fit", "postgresql", "DIRECTORY"].join(" ");
    }
    if result.tool == BenchmarkTool::Iostat {
        return "explore TARGET".to_owned();
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
    let region = result.region.unwrap_or(SMALLEST_REGION).clamp(SMALLEST_REGION, LARGEST_REGION);
    let target = target(result);
    format!(
        "run --name=again --filename={target} --rw={rw} --bs={} --ioengine=io_uring --iodepth={depth}{jobs} --direct=1 --size={} --time_based --runtime=60",
        size(block),
        size(region as u64),
    )
}

/// Returns the target for a command that may be pasted into a shell: the one of the text if it is a plain path. A device is
/// named for reads only, for the text may be of another machine.
fn target(result: &PrintedResult) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    let name = result.target.as_str();
    let is_plain = !name.is_empty() && !name.starts_with('-') && name.chars().all(plain);
    let is_read = result.kind == IoKind::Read;
    if is_plain && (is_read || !name.starts_with("/dev/")) { name } else { "FILE" }
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
        assert!(advice("/dev/sdb", IoKind::Read).contains("--filename=/dev/sdb "));
        for (target, kind) in [
            ("/dev/sdb", IoKind::Write),
            ("/dev/sdb", IoKind::Mixed),
            ("x;reboot", IoKind::Read),
            ("$(reboot)", IoKind::Read),
            ("a b", IoKind::Read),
            ("-x", IoKind::Read),
            ("", IoKind::Read),
        ] {
            assert!(advice(target, kind).contains("--filename=FILE "), "{target}");
        }
    }
}
