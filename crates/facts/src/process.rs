//! What this process did, by the kernel's own account.

use crate::SysRoot;
use stats::ProcessIo;

pub use sys::rusage::{Rusage, Who, rusage};

/// `/proc/self/io`, all threads together since the start; `None` where it cannot be read.
pub fn io(root: &SysRoot) -> Option<ProcessIo> {
    let text = root.read("/proc/self/io").ok()?;
    let of = |key: &str| text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(": ")?.parse().ok());
    Some(ProcessIo {
        read_chars: of("rchar")?,
        write_chars: of("wchar")?,
        read_calls: of("syscr")?,
        write_calls: of("syscw")?,
        read_bytes: of("read_bytes")?,
        write_bytes: of("write_bytes")?,
    })
}

/// What was added between two looks.
pub fn io_since(now: ProcessIo, before: ProcessIo) -> ProcessIo {
    ProcessIo {
        read_chars: now.read_chars.saturating_sub(before.read_chars),
        write_chars: now.write_chars.saturating_sub(before.write_chars),
        read_calls: now.read_calls.saturating_sub(before.read_calls),
        write_calls: now.write_calls.saturating_sub(before.write_calls),
        read_bytes: now.read_bytes.saturating_sub(before.read_bytes),
        write_bytes: now.write_bytes.saturating_sub(before.write_bytes),
    }
}
