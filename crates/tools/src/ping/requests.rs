//! Requests of a ping, one after the other, and the sums over them.

use super::arguments::{PingSettings, Requests};
use super::served::{MemoryReads, Outlier, Served, Span};
use super::target::Target;
use crate::data_place::compressing_file_system;
use crate::evidence::{Bottom, Evidence};
use facts::SysRoot;
use rustix::fs::Advice;
use rustix::io::Errno;
use rustix::thread::{NanosleepRelativeResult, nanosleep};
use stats::request_times::{OutlierCount, RequestLoad, RequestSums, TimePercentile, outliers, percentiles};
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant, SystemTime};
use sys::page_buffer::PageBuffer;

/// Number of request times that are kept for percentiles.
const MOST_TIMES: usize = 1_000_000;

/// Interval in nanoseconds from which the counters are read around each request, and otherwise the time between two
/// readings: reading them takes some microseconds.
const WATCH_NANOS: u64 = 1_000_000;

/// Requests whose times give the typical time by which a slow one is noticed at once.
const RECENT: usize = 32;

/// Whether a request counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It counts.
    Counts,
    /// It is one of the first ones.
    Warmup,
    /// It took less than `-t`.
    TooFast,
    /// It took more than `-T`.
    TooSlow,
    /// It transferred fewer bytes than requested.
    Short,
}

/// One request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pinged {
    /// Number, from 1.
    pub number: u64,
    /// Whether it wrote.
    pub write: bool,
    /// Transferred bytes.
    pub bytes: u64,
    /// Time in nanoseconds.
    pub nanos: u64,
    /// Whether it counts.
    pub verdict: Verdict,
    /// Wall-clock time of its end.
    pub at: SystemTime,
}

/// What happens during a ping.
#[derive(Clone, Copy, Debug)]
pub enum PingEvent {
    /// A request has ended.
    Request(Pinged),
    /// A burst (`-b`) has ended.
    BurstEnd,
    /// Statistics since the last event of this kind (`-p`, `-P`), and wall-clock time of the last request.
    Period(RequestSums, RequestLoad, SystemTime),
}

/// Reason for the end of a ping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestFault {
    /// Memory for a request is short.
    Memory,
    /// The request failed.
    Request(Errno),
    /// The flush behind a write failed.
    Flush(Errno),
}

/// Result of a ping.
#[derive(Clone, Debug)]
pub struct PingResult {
    /// Requests that count.
    pub sums: RequestSums,
    /// All requests.
    pub load: RequestLoad,
    /// Number of requests that were too fast.
    pub too_fast: u64,
    /// Number of requests that were too slow.
    pub too_slow: u64,
    /// Percentiles of the requests that count.
    pub percentiles: Vec<TimePercentile>,
    /// Number of requests of which the percentiles are, if not all.
    pub percentiles_of: Option<u64>,
    /// Median and number of outliers; `None` for too few requests.
    pub outliers: Option<OutlierCount>,
    /// The slowest outliers, the slowest first.
    pub explained: Vec<Outlier>,
    /// Number of reads.
    pub reads: u64,
    /// Reads in holes and unwritten extents.
    pub gap_reads: MemoryReads,
    /// Reads from the page cache of the target.
    pub cached_reads: MemoryReads,
    /// Reads of the uppermost device for which the lowest device was not read.
    pub below_reads: MemoryReads,
    /// Number of requests that transferred no bytes, because the target ended before their offset. They are neither reads nor
    /// writes.
    pub empty: u64,
    /// Number of writes that ended in the page cache, because nothing flushed them.
    pub cached_writes: u64,
    /// What lies at the bottom of the storage stack.
    pub bottom: Bottom,
    /// Name of the uppermost device.
    pub top: Option<String>,
    /// Wall-clock time of the last request.
    pub at: SystemTime,
}

/// Generator of offsets and contents (splitmix64).
#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    /// Returns the generator of `seed`; 0 for a random one.
    pub fn new(seed: u64) -> Generator {
        let clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64);
        Generator(if seed == 0 { clock() ^ (u64::from(std::process::id()) << 40) } else { seed })
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Fills `bytes` with random contents.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for piece in bytes.chunks_mut(8) {
            let word = self.next().to_ne_bytes();
            piece.copy_from_slice(&word[..piece.len()]);
        }
    }
}

/// Times of the requests so far, and the typical time of the last ones.
#[derive(Default)]
struct Times {
    all: Vec<u64>,
    recent: Vec<u64>,
    typical: u64,
}

impl Times {
    fn add(&mut self, nanos: u64) {
        if self.all.len() < MOST_TIMES {
            self.all.push(nanos);
        }
        self.recent.push(nanos);
        if self.recent.len() >= RECENT {
            self.recent.sort_unstable();
            self.typical = self.recent[RECENT / 2];
            self.recent.clear();
        }
    }

    /// Returns whether a request of this time may be an outlier.
    fn slow(&self, nanos: u64) -> bool {
        self.typical == 0 || nanos > 3 * self.typical
    }
}

/// State between requests.
struct Pinger<'a> {
    s: &'a PingSettings,
    target: &'a Target,
    buffer: PageBuffer,
    random: Generator,
    position: u64,
    evidence: Evidence,
    /// Whether the counters are read around each request.
    each: bool,
    compressed: bool,
    span: Span,
    served: Served,
    times: Times,
    sums: RequestSums,
    load: RequestLoad,
    period: (RequestSums, RequestLoad),
    too_fast: u64,
    too_slow: u64,
    reads: u64,
    writes: u64,
    /// Requests that transferred no bytes.
    empty: u64,
}

/// Sends requests until the count, the time or `stop` ends it.
///
/// # Errors
/// A request failed.
pub fn measure(
    s: &PingSettings,
    target: &Target,
    root: &SysRoot,
    random: Generator,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(PingEvent),
) -> Result<PingResult, RequestFault> {
    // Without it, a read would fetch more than it asked for.
    let length = std::num::NonZeroU64::new(target.work_size);
    let _ = rustix::fs::fadvise(&target.file, s.offset, length, Advice::Random);
    let mut pinger = Pinger {
        s,
        target,
        buffer: PageBuffer::new(s.size as usize).map_err(|_| RequestFault::Memory)?,
        random,
        position: 0,
        evidence: Evidence::new(root, &target.stack),
        each: s.interval >= WATCH_NANOS && s.burst == 0,
        compressed: compressing_file_system(&target.stack).is_some(),
        span: Span::default(),
        served: Served::default(),
        times: Times::default(),
        sums: RequestSums::default(),
        load: RequestLoad::default(),
        period: Default::default(),
        too_fast: 0,
        too_slow: 0,
        reads: 0,
        writes: 0,
        empty: 0,
    };
    let at = pinger.run(stop, tell)?;
    Ok(pinger.result(at))
}

fn nanos_since(start: Instant) -> u64 {
    start.elapsed().as_nanos() as u64
}

impl Pinger<'_> {
    fn run(
        &mut self,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(PingEvent),
    ) -> Result<SystemTime, RequestFault> {
        let s = self.s;
        let begin = Instant::now();
        let mut at = SystemTime::now();
        let (mut period_start, mut period_end) = (0, s.output.every_nanos);
        let mut number = 0;
        self.evidence.window();
        while !stop() {
            number += 1;
            let started = nanos_since(begin);
            let pinged = self.one(number)?;
            let now = nanos_since(begin);
            at = pinged.at;
            self.load.nanos = now;
            tell(PingEvent::Request(pinged));
            if s.burst > 0 && number.is_multiple_of(s.burst) {
                tell(PingEvent::BurstEnd);
            }
            let next =
                if s.burst > 0 && !number.is_multiple_of(s.burst) { now } else { started + s.interval };
            let full = s.output.every_count > 0 && self.period.0.count >= s.output.every_count;
            if full || s.output.every_nanos > 0 && next >= period_end {
                self.period.1.nanos = now - period_start;
                let (sums, load) = std::mem::take(&mut self.period);
                tell(PingEvent::Period(sums, load, at));
                (period_start, period_end) = (now, now + s.output.every_nanos);
            }
            if s.count > 0 && number >= s.count || s.deadline > 0 && next.max(now) >= s.deadline {
                break;
            }
            sleep_until(begin, next, stop);
        }
        if self.load.count == 0 {
            self.load.nanos = nanos_since(begin);
        }
        if self.span.requests > 0 {
            self.look(None);
        }
        Ok(at)
    }

    /// Sends one request and counts it.
    fn one(&mut self, number: u64) -> Result<Pinged, RequestFault> {
        let s = self.s;
        let write = match s.requests {
            Requests::Reads => false,
            Requests::Writes => true,
            Requests::Alternating => number % 2 == 1,
        };
        let offset = self.offset();
        if self.each {
            // What happened during the pause is not part of the request. Nothing is read between the advice and the request:
            // the request would find colder caches and take microseconds longer.
            self.evidence.window();
        }
        if write {
            self.random.fill(&mut self.buffer);
        }
        if !s.cached {
            let length = std::num::NonZeroU64::new(s.size);
            let _ = rustix::fs::fadvise(&self.target.file, offset, length, Advice::DontNeed);
        }
        let (bytes, nanos) = self.transfer(write, offset)?;
        let at = SystemTime::now();
        let verdict = if bytes < s.size {
            Verdict::Short
        } else if number <= s.warmup {
            Verdict::Warmup
        } else if nanos < s.min_time {
            Verdict::TooFast
        } else if s.max_time.is_some_and(|most| nanos > most) {
            Verdict::TooSlow
        } else {
            Verdict::Counts
        };
        self.count(verdict, bytes, nanos);
        self.span.requests += 1;
        self.span.last = number;
        if bytes == 0 && s.size > 0 {
            self.empty += 1;
        } else if write {
            self.writes += 1;
        } else {
            self.reads += 1;
            self.span.reads += 1;
            self.span.read_bytes += bytes;
            let gaps = self.target.gaps.as_ref();
            let missing = |at: u64| gaps.is_some_and(|gaps| gaps.has(at));
            self.span.gap_reads += u64::from(missing(offset) && missing(offset + bytes.max(1) - 1));
        }
        let counts = verdict == Verdict::Counts;
        let slow = counts && (self.each || self.times.slow(nanos));
        if self.each || slow || self.evidence.age() >= WATCH_NANOS {
            self.look(slow.then_some((nanos, number, !write)));
        }
        if counts {
            self.times.add(nanos);
        }
        Ok(Pinged { number, write, bytes, nanos, verdict, at })
    }

    fn count(&mut self, verdict: Verdict, bytes: u64, nanos: u64) {
        match verdict {
            Verdict::Short => return,
            Verdict::Counts => {
                self.sums.add(bytes, nanos);
                self.period.0.add(bytes, nanos);
            }
            Verdict::TooFast => self.too_fast += 1,
            Verdict::TooSlow => self.too_slow += 1,
            Verdict::Warmup => {}
        }
        for load in [&mut self.load, &mut self.period.1] {
            load.count += 1;
            load.bytes += bytes;
        }
    }

    /// Reads the counters and assigns their changes to the requests since the last reading.
    fn look(&mut self, slow: Option<(u64, u64, bool)>) {
        let span = std::mem::take(&mut self.span);
        let Some(window) = self.evidence.window() else { return };
        self.served.add(&window, &span, self.evidence.direct, self.compressed);
        if let Some((nanos, number, read)) = slow {
            self.served.keep(nanos, number, read, window, span);
        }
    }

    fn offset(&mut self) -> u64 {
        let places = (self.target.work_size / self.s.size).max(1);
        let place = if self.s.linear {
            let place = self.position % places;
            self.position += 1;
            place
        } else {
            self.random.next() % places
        };
        self.s.offset + place * self.s.size
    }

    /// Transfers one request and returns its bytes and time.
    fn transfer(&mut self, write: bool, offset: u64) -> Result<(u64, u64), RequestFault> {
        let failed = |e: std::io::Error| RequestFault::Request(Errno::from_io_error(&e).unwrap_or(Errno::IO));
        let file = &self.target.file;
        loop {
            let started = Instant::now();
            let done = if write {
                file.write_at(&self.buffer, offset)
            } else {
                file.read_at(&mut self.buffer, offset)
            };
            let bytes = match done {
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
                done => done.map_err(failed)?,
            };
            if write && !self.s.cached {
                rustix::fs::fdatasync(file).map_err(RequestFault::Flush)?;
            }
            return Ok((bytes as u64, nanos_since(started)));
        }
    }

    fn result(self, at: SystemTime) -> PingResult {
        let mut sorted = self.times.all;
        sorted.sort_unstable();
        let found = outliers(&sorted);
        let s = self.s;
        let unflushed = s.cached && !s.direct && !s.sync && !s.dsync;
        PingResult {
            sums: self.sums,
            load: self.load,
            too_fast: self.too_fast,
            too_slow: self.too_slow,
            percentiles: percentiles(&sorted),
            percentiles_of: (self.sums.count > sorted.len() as u64).then_some(sorted.len() as u64),
            outliers: found,
            explained: found
                .map(|found| self.served.outliers(&found, self.evidence.direct))
                .unwrap_or_default(),
            reads: self.reads,
            gap_reads: self.served.gaps,
            cached_reads: self.served.cached,
            below_reads: self.served.below,
            empty: self.empty,
            cached_writes: if unflushed { self.writes } else { 0 },
            bottom: self.evidence.bottom,
            top: self.evidence.top,
            at,
        }
    }
}

/// Sleeps until `nanos` after `begin`; a signal that asks for the end is noticed within a tenth of a second.
fn sleep_until(begin: Instant, nanos: u64, stop: &dyn Fn() -> bool) {
    const SLICE: Duration = Duration::from_millis(100);
    while !stop() {
        let left = Duration::from_nanos(nanos.saturating_sub(nanos_since(begin)));
        if left.is_zero() {
            return;
        }
        let slice = left.min(SLICE);
        let time = rustix::thread::Timespec {
            tv_sec: slice.as_secs() as i64,
            tv_nsec: i64::from(slice.subsec_nanos()),
        };
        match nanosleep(&time) {
            NanosleepRelativeResult::Ok | NanosleepRelativeResult::Interrupted(_) => {}
            NanosleepRelativeResult::Err(_) => std::thread::sleep(slice),
        }
    }
}
