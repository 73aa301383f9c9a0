//! I/O and CPU time of this process, as accounted by the kernel.

use crate::SysRoot;
use stats::ProcessIo;
use std::fs::File;
use std::io::Read;

pub use sys::rusage::{Rusage, Who, rusage};

/// Returns the I/O of all threads since the start of the process (`/proc/self/io`); `None` if not available.
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

/// Returns the CPU time (in steps of 10 ms), page faults and context switches of a thread of this process since its
/// start; `None` if the thread has ended.
pub fn thread(root: &SysRoot, id: u32) -> Option<Rusage> {
    let stat = root.read(format!("/proc/self/task/{id}/stat")).ok()?;
    // The name, in parentheses, may contain any characters; the state follows the name.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let micros = |ticks: u64| ticks * 1_000_000 / rustix::param::clock_ticks_per_second().max(1);
    let status = root.read(format!("/proc/self/task/{id}/status")).ok()?;
    let of = |key: &str| status.lines().find_map(|l| l.strip_prefix(key)?.trim().parse().ok());
    Some(Rusage {
        user_us: micros(field(11)?),
        system_us: micros(field(12)?),
        minor_faults: field(7)?,
        major_faults: field(9)?,
        voluntary: of("voluntary_ctxt_switches:")?,
        involuntary: of("nonvoluntary_ctxt_switches:")?,
    })
}

/// Returns the time in microseconds for which this thread was runnable but waited for a CPU, since its start
/// (schedstat, Documentation/scheduler/sched-stats.rst); `None` if not available.
///
/// Allocates nothing, because it is called while other threads do I/O.
pub fn waited_us() -> Option<u64> {
    let mut text = [0u8; 128];
    let n = File::open("/proc/thread-self/schedstat").ok()?.read(&mut text).ok()?;
    micros_waited(std::str::from_utf8(&text[..n]).ok()?)
}

/// Returns the time in microseconds for which this thread of this process was runnable but waited for a CPU, since its
/// start; `None` if the thread has ended or schedstat is not available.
pub fn waited_us_of(root: &SysRoot, id: u32) -> Option<u64> {
    micros_waited(&root.read(format!("/proc/self/task/{id}/schedstat")).ok()?)
}

fn micros_waited(schedstat: &str) -> Option<u64> {
    schedstat.split_ascii_whitespace().nth(1)?.parse::<u64>().ok().map(|nanos| nanos / 1000)
}

/// Returns the difference of two readings.
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
