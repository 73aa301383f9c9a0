//! Where the reads of a ping were served from, and what was seen during its slow requests.

use crate::evidence::Window;
use stats::request_times::OutlierCount;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of slow requests whose evidence is kept.
const MOST_KEPT: usize = 64;

/// Number of request numbers that are kept per source.
const MOST_NAMED: usize = 8;

/// Memory that served a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadSource {
    /// The range is a hole or an unwritten extent.
    Gap,
    /// The page cache of the file or device.
    PageCache,
    /// Something below the uppermost device: the lowest device was not read.
    BelowTop,
}

/// Number of requests from one source; the first of them by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryReads {
    /// Number of requests, at least.
    pub count: u64,
    /// Numbers of the first requests, as far as they are known.
    pub named: Vec<u64>,
}

impl MemoryReads {
    fn add(&mut self, count: u64, number: Option<u64>) {
        self.count += count;
        if let Some(number) = number.filter(|_| self.named.len() < MOST_NAMED) {
            self.named.push(number);
        }
    }
}

/// Requests between two readings of the counters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    /// Number of requests.
    pub requests: u64,
    /// Number of the last request.
    pub last: u64,
    /// Number of reads.
    pub reads: u64,
    /// Bytes of the reads.
    pub read_bytes: u64,
    /// Number of reads in holes and unwritten extents.
    pub gap_reads: u64,
}

/// Something that was seen during a slow request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nanoseconds for which the process was runnable without a CPU.
    CpuWait(u64),
    /// No disk was read for the request.
    Memory(ReadSource),
    /// Cache flushes that the lowest devices completed.
    Flushes(u64),
    /// Bytes that others read from and wrote to the lowest devices.
    OtherIo {
        /// Bytes read.
        read: u64,
        /// Bytes written.
        written: u64,
        /// Whether the bytes of the request itself are among them.
        with_own: bool,
    },
}

/// A request that took long, with what was seen meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlier {
    /// Number of the request.
    pub number: u64,
    /// Time in nanoseconds.
    pub nanos: u64,
    /// What was seen; empty if nothing was.
    pub causes: Vec<Cause>,
    /// Whether the counters were read closely enough around the request to say so.
    pub watched: bool,
}

/// A slow request as it is kept: time, number, whether it read, its window and the window's span.
#[derive(Clone, Copy, Debug)]
struct Slow {
    nanos: u64,
    number: u64,
    read: bool,
    window: Window,
    span: Span,
}

impl PartialEq for Slow {
    fn eq(&self, other: &Slow) -> bool {
        (self.nanos, self.number) == (other.nanos, other.number)
    }
}

impl Eq for Slow {}

impl PartialOrd for Slow {
    fn partial_cmp(&self, other: &Slow) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Slow {
    fn cmp(&self, other: &Slow) -> std::cmp::Ordering {
        (self.nanos, self.number).cmp(&(other.nanos, other.number))
    }
}

/// Evidence of all requests so far.
#[derive(Debug, Default)]
pub(super) struct Served {
    /// Reads in holes and unwritten extents that no disk was read for.
    pub gaps: MemoryReads,
    /// Reads from the page cache of the target.
    pub cached: MemoryReads,
    /// Reads of the uppermost device for which the lowest device was not read.
    pub below: MemoryReads,
    slow: BinaryHeap<Reverse<Slow>>,
}

impl Served {
    /// Adds what was seen between two readings. `direct`: the uppermost device is a lowest one; `compressed`: fewer bytes
    /// than requested may be read from a device.
    pub fn add(&mut self, window: &Window, span: &Span, direct: bool, compressed: bool) {
        if span.reads == 0 || compressed && span.requests > 1 {
            return;
        }
        let Some(own) = window.own_read else { return };
        let number = (span.requests == 1).then_some(span.last);
        let size = (span.read_bytes / span.reads).max(1);
        // What this process did not cause to be read came from memory, whatever other processes read meanwhile.
        let unread =
            if span.requests == 1 { u64::from(own == 0) } else { span.read_bytes.saturating_sub(own) / size };
        let gaps = unread.min(span.gap_reads);
        self.gaps.add(gaps, number.filter(|_| gaps > 0));
        self.cached.add(unread - gaps, number.filter(|_| unread > gaps));
        if let Some(disks) = window.disks.filter(|_| !direct && !compressed) {
            let reached = own.min(span.read_bytes);
            let below = reached.saturating_sub(disks.read_bytes) / size;
            self.below.add(below, number.filter(|_| below > 0));
        }
    }

    /// Keeps a request with its evidence if it is among the slowest.
    pub fn keep(&mut self, nanos: u64, number: u64, read: bool, window: Window, span: Span) {
        self.slow.push(Reverse(Slow { nanos, number, read, window, span }));
        if self.slow.len() > MOST_KEPT {
            self.slow.pop();
        }
    }

    /// Returns the kept requests that are outliers, the slowest first.
    pub fn outliers(&self, found: &OutlierCount, direct: bool) -> Vec<Outlier> {
        let mut slow: Vec<&Slow> = self.slow.iter().map(|Reverse(slow)| slow).collect();
        slow.sort_unstable_by(|a, b| b.cmp(a));
        slow.into_iter().filter(|slow| found.has(slow.nanos)).map(|slow| explained(slow, direct)).collect()
    }
}

/// Returns a slow request with what was seen during it.
fn explained(slow: &Slow, direct: bool) -> Outlier {
    let (window, span) = (&slow.window, &slow.span);
    // A window that is mostly other requests says nothing about this one, and where only some of several reads reached the
    // disk, the slow one may be one of the others.
    let watched = span.requests == 1 || slow.nanos >= window.nanos / 2 && !mixed(window, span, direct);
    let mut causes = Vec::new();
    if watched {
        if let Some(waited) = window.waited.filter(|waited| waited.saturating_mul(10) >= slow.nanos) {
            causes.push(Cause::CpuWait(waited.min(slow.nanos)));
        }
        match source(slow, direct) {
            Some(source) => causes.push(Cause::Memory(source)),
            None => causes.extend(on_devices(slow, direct)),
        }
    }
    Outlier { number: slow.number, nanos: slow.nanos, causes, watched }
}

/// Returns whether some of several reads were served from memory, and some were not.
fn mixed(window: &Window, span: &Span, direct: bool) -> bool {
    let some = |read: u64| read > 0 && read < span.read_bytes;
    let below = window.disks.filter(|_| !direct);
    window.own_read.is_some_and(some) || below.is_some_and(|disks| some(disks.read_bytes))
}

/// Returns the memory that served a slow read; `None` for a write, or if a disk may have been read.
fn source(slow: &Slow, direct: bool) -> Option<ReadSource> {
    let own = slow.window.own_read.filter(|_| slow.read)?;
    if own == 0 {
        let gap = slow.span.requests == 1 && slow.span.gap_reads == 1;
        return Some(if gap { ReadSource::Gap } else { ReadSource::PageCache });
    }
    let disks = slow.window.disks.filter(|_| !direct)?;
    (disks.read_bytes == 0).then_some(ReadSource::BelowTop)
}

/// Returns flushes and the I/O of others on the lowest devices.
fn on_devices(slow: &Slow, direct: bool) -> Vec<Cause> {
    let Some(disks) = slow.window.disks else { return Vec::new() };
    let mut causes = Vec::new();
    // A write ends with a flush of its own, and with those of the journal.
    if disks.flushes > if slow.read { 0 } else { 2 * slow.span.requests } {
        causes.push(Cause::Flushes(disks.flushes));
    }
    let own = slow.window.own_read.filter(|_| direct && slow.span.reads == slow.span.requests);
    let (read, with_own) = match own {
        Some(own) => (disks.read_bytes.saturating_sub(own), false),
        None => (disks.read_bytes, true),
    };
    let more = !with_own || read + disks.written_bytes > slow.span.read_bytes.max(1 << 20);
    if more && read + disks.written_bytes > 0 {
        causes.push(Cause::OtherIo { read, written: disks.written_bytes, with_own });
    }
    causes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::DiskCounts;

    const MS: u64 = 1_000_000;

    fn read_window(nanos: u64, own: u64, disk: u64) -> Window {
        let disks = Some(DiskCounts { read_bytes: disk, ..DiskCounts::default() });
        Window { nanos, own_read: Some(own), waited: Some(0), disks }
    }

    fn one(number: u64) -> Span {
        Span { requests: 1, last: number, reads: 1, read_bytes: 4096, gap_reads: 0 }
    }

    fn found() -> OutlierCount {
        OutlierCount { median: MS / 5, count: 1 }
    }

    fn causes(window: Window, span: Span, direct: bool) -> Vec<Cause> {
        let mut served = Served::default();
        served.keep(15 * MS, 3, span.reads > 0, window, span);
        served.outliers(&found(), direct).remove(0).causes
    }

    #[test]
    fn slow_read_from_the_page_cache_is_not_put_down_to_the_disk() {
        let busy = DiskCounts { read_bytes: 99 << 20, written_bytes: 1 << 20, flushes: 7 };
        let window = Window { disks: Some(busy), ..read_window(15 * MS, 0, 0) };
        assert_eq!(causes(window, one(3), true), [Cause::Memory(ReadSource::PageCache)]);
    }

    #[test]
    fn page_cache_is_seen_although_others_read_the_disk() {
        let mut served = Served::default();
        served.add(&read_window(MS, 0, 50 << 20), &one(3), true, false);
        served.add(&read_window(MS, 4096, 50 << 20), &one(4), true, false);
        assert_eq!(served.cached, MemoryReads { count: 1, named: vec![3] });
        assert_eq!((served.gaps.count, served.below.count), (0, 0));
    }

    #[test]
    fn read_of_a_hole_is_told_from_the_page_cache() {
        let mut served = Served::default();
        served.add(&read_window(MS, 0, 0), &Span { gap_reads: 1, ..one(5) }, true, false);
        assert_eq!(served.gaps, MemoryReads { count: 1, named: vec![5] });
        assert_eq!(served.cached.count, 0);
    }

    #[test]
    fn memory_below_a_loop_device_is_seen() {
        let mut served = Served::default();
        served.add(&read_window(MS, 4096, 0), &one(6), false, false);
        assert_eq!(served.below, MemoryReads { count: 1, named: vec![6] });
        let several = Span { requests: 10, last: 16, reads: 10, read_bytes: 40960, gap_reads: 0 };
        served.add(&read_window(MS, 40960, 8192), &several, false, false);
        assert_eq!(served.below.count, 9);
        assert_eq!(
            causes(read_window(15 * MS, 4096, 0), one(3), false),
            [Cause::Memory(ReadSource::BelowTop)]
        );
    }

    #[test]
    fn cpu_wait_flush_and_other_io_are_named() {
        let busy = DiskCounts { read_bytes: 5000, written_bytes: 8192, flushes: 2 };
        let window = Window { waited: Some(9 * MS), disks: Some(busy), ..read_window(15 * MS, 4096, 0) };
        let other = Cause::OtherIo { read: 904, written: 8192, with_own: false };
        assert_eq!(causes(window, one(3), true), [Cause::CpuWait(9 * MS), Cause::Flushes(2), other]);
        assert_eq!(causes(read_window(15 * MS, 4096, 4096), one(3), true), []);
    }

    #[test]
    fn slow_read_among_cached_and_uncached_ones_has_no_cause() {
        let several = Span { requests: 4, last: 3, reads: 4, read_bytes: 16384, gap_reads: 0 };
        let mut served = Served::default();
        let busy = DiskCounts { read_bytes: 1 << 20, written_bytes: 1 << 20, flushes: 3 };
        let window = Window { disks: Some(busy), ..read_window(15 * MS, 8192, 0) };
        served.keep(15 * MS, 3, true, window, several);
        let outlier = served.outliers(&found(), true).remove(0);
        assert_eq!((outlier.watched, outlier.causes.len()), (false, 0));
    }

    #[test]
    fn window_of_many_requests_says_nothing_of_a_short_one() {
        let mut served = Served::default();
        let many = Span { requests: 20, last: 20, reads: 20, read_bytes: 81920, gap_reads: 0 };
        served.keep(2 * MS, 20, true, read_window(20 * MS, 0, 0), many);
        let outlier = served.outliers(&found(), true).remove(0);
        assert_eq!((outlier.watched, outlier.causes.len()), (false, 0));
    }
}
