//! Counters of a measurement in progress, written by the thread that measures and read by the one that shows them.

use super::CharacterizePart;
use engine::Kind;
use facts::before::Before;
use run::live_detail::{DetailSampler, JobNow};
use stats::characterize::forecast::{Forecast, Pace};
use stats::{Live, Series, Shared, WorkerState};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Counters of a measurement in progress.
#[derive(Debug, Default)]
pub(super) struct Meter {
    counters: Shared,
    /// Time of the device in nanoseconds, at the latest completion or pause.
    clock: AtomicU64,
    depth: AtomicU32,
    part: AtomicUsize,
    /// Share of the part that is done, as the bits of a float.
    done: AtomicU64,
    /// Bytes, nanoseconds and number of reads and of writes in order.
    streams: [[AtomicU64; 3]; 2],
    /// Number and nanoseconds of single reads at random places.
    singles: [AtomicU64; 2],
    /// Time for which the measuring thread waited for a CPU, microseconds.
    waited_us: AtomicU64,
}

fn add(counter: &AtomicU64, more: u64) {
    // Only the thread that measures writes.
    counter.store(counter.load(Relaxed) + more, Relaxed);
}

impl Meter {
    pub(super) fn part(&self, part: CharacterizePart, done: f64) {
        self.part.store(part as usize, Relaxed);
        self.done.store(done.to_bits(), Relaxed);
    }

    pub(super) fn clock(&self, now: u64) {
        self.clock.store(now, Relaxed);
    }

    /// Counts a completed operation of `bytes` bytes.
    #[inline]
    pub(super) fn completed(&self, kind: Kind, bytes: u64, nanos: u64) {
        let direction = &self.counters.directions[usize::from(kind == Kind::Write)];
        direction.ios.add(1);
        direction.bytes.add(bytes);
        direction.clat.record(nanos, 1);
    }

    /// Says how many operations are in flight from now on.
    pub(super) fn depth(&self, depth: u32) {
        self.depth.store(depth, Relaxed);
    }

    /// Counts operations in order, or a single one at a random place, that took `nanos` nanoseconds in all.
    pub(super) fn took(&self, kind: Kind, operations: usize, bytes: u64, nanos: u64) {
        let write = kind == Kind::Write;
        let single = operations == 1 && self.part.load(Relaxed) >= CharacterizePart::Seeks as usize;
        match (write, single) {
            (false, true) => {
                add(&self.singles[0], 1);
                add(&self.singles[1], nanos);
            }
            (_, false) if operations > 1 => {
                let stream = &self.streams[usize::from(write)];
                add(&stream[0], bytes);
                add(&stream[1], nanos);
                add(&stream[2], operations as u64);
            }
            _ => {}
        }
    }

    /// Returns IOPS and bytes per second of reads in order, and of writes; 0 without any.
    pub(super) fn streams(&self) -> [(f64, f64); 2] {
        self.streams.each_ref().map(|[bytes, nanos, operations]| {
            let seconds = nanos.load(Relaxed).max(1) as f64 / 1e9;
            (operations.load(Relaxed) as f64 / seconds, bytes.load(Relaxed) as f64 / seconds)
        })
    }

    /// Says for how many microseconds the measuring thread waited for a CPU.
    pub(super) fn waited(&self, micros: u64) {
        self.waited_us.store(micros, Relaxed);
    }

    pub(super) fn waited_us(&self) -> u64 {
        self.waited_us.load(Relaxed)
    }

    fn pace(&self) -> Pace {
        let ratio = |a: &AtomicU64, b: &AtomicU64| {
            let (a, b) = (a.load(Relaxed) as f64, b.load(Relaxed) as f64);
            (a > 0.0 && b > 0.0).then_some(a / b)
        };
        let rate = |stream: &[AtomicU64; 3]| ratio(&stream[0], &stream[1]).map(|rate| 1e9 * rate);
        Pace {
            read_rate: rate(&self.streams[0]),
            write_rate: rate(&self.streams[1]),
            read_s: ratio(&self.singles[1], &self.singles[0]).map(|nanos| nanos / 1e9),
        }
    }
}

/// Samples of a measurement in progress, in the time of the device.
pub(super) struct Sampler {
    forecast: Forecast,
    detail: DetailSampler,
    began: Option<u64>,
    last: u64,
    counts: [(u64, u64); 2],
}

impl Sampler {
    pub(super) fn new(forecast: Forecast) -> Self {
        Self { forecast, detail: DetailSampler::default(), began: None, last: 0, counts: [(0, 0); 2] }
    }

    /// Returns the part that is measured and the figures since the preceding sample, those of the full-screen view if
    /// `detailed`; `None` before the first operation.
    pub(super) fn look(
        &mut self,
        meter: &Meter,
        disks: Option<&Before>,
        detailed: bool,
    ) -> Option<(CharacterizePart, Live)> {
        let now = meter.clock.load(Relaxed);
        if now == 0 {
            return None;
        }
        let began = *self.began.get_or_insert(now);
        let elapsed = now.saturating_sub(self.last.max(began)).max(1) as f64 / 1e9;
        self.last = now;
        let part = CharacterizePart::ALL[meter.part.load(Relaxed).min(CharacterizePart::ALL.len() - 1)];
        let done = f64::from_bits(meter.done.load(Relaxed)).clamp(0.0, 1.0);
        let ran = now.saturating_sub(began) as f64 / 1e9;
        let left = self.forecast.left_s(ran, (part as usize, done), &meter.pace());
        let directions = &meter.counters.directions;
        let counts: [(u64, u64); 2] =
            std::array::from_fn(|d| (directions[d].ios.get(), directions[d].bytes.get()));
        let rate = |now: u64, then: u64| (now.saturating_sub(then) as f64 / elapsed) as u64;
        let rates = |of: fn(&(u64, u64)) -> u64| -> [u64; 3] {
            std::array::from_fn(|d| counts.get(d).map_or(0, |now| rate(of(now), of(&self.counts[d]))))
        };
        let mut live = Live {
            running: 1,
            open_files: 1,
            iops: rates(|count| count.0),
            bytes_per_second: rates(|count| count.1),
            percent: left.map(|left| 100.0 * ran / (ran + left).max(1e-9)),
            eta_s: left.map(|left| left.ceil() as u64),
            elapsed_ms: (1e3 * ran) as u64,
            ..Live::default()
        };
        self.counts = counts;
        if detailed {
            let depth = meter.depth.load(Relaxed);
            let job = JobNow { name: "", state: WorkerState::Running, depth, counters: &meter.counters };
            // Parts differ in their rates, which is no event.
            let detail = self.detail.look(&[job], disks, &Series::default(), elapsed);
            live.detail = Some(Box::new(detail));
        } else {
            self.detail.pause();
        }
        Some((part, live))
    }
}
