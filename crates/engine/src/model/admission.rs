//! Admission of requests by caps and credits, and the write cache: levels that rise with requests and fall with time.
//! Times are fractions of nanoseconds here, so that every rate is exact.

use super::law::{Cache, Laws, Memory, Slc};
use crate::Ticks;
use std::num::NonZeroU64;

/// A level that rises with requests and falls with time.
#[derive(Clone, Copy, Debug)]
struct Level {
    level: f64,
    /// Time of this level in nanoseconds.
    at: f64,
}

impl Level {
    fn at(&self, now: f64, per_nano: f64) -> f64 {
        (self.level - (now - self.at).max(0.0) * per_nano).max(0.0)
    }

    /// Adds `amount` as soon as it fits below `most`, and returns that time.
    fn add(&mut self, now: f64, amount: f64, most: f64, per_nano: f64) -> f64 {
        let now = now.max(self.at);
        let level = self.at(now, per_nano) + amount;
        let over = (level - most).max(0.0);
        (self.level, self.at) = (level - over, now + over / per_nano);
        self.at
    }
}

fn per_nano(per_second: u64) -> f64 {
    per_second as f64 / 1e9
}

/// Admission of requests in the order of their arrival.
#[derive(Clone, Debug)]
pub(super) struct Admission {
    /// Nanoseconds after an I/O during which no other I/O is admitted: per I/O, and (`per_byte`) per byte.
    per_io: f64,
    per_byte: f64,
    /// Time of a change of the caps in nanoseconds, and the factor of the caps from then on.
    step: Option<(f64, f64)>,
    /// Earliest time of the next admission in nanoseconds.
    next: f64,
    /// Number of used credits; `credits` are their maximum, and the number that returns per nanosecond.
    spent: Level,
    credits: Option<(f64, f64)>,
}

impl Admission {
    pub(super) fn new(laws: &Laws, memory: &Memory) -> Self {
        let nanos = |per_second: Option<NonZeroU64>| per_second.map_or(0.0, |n| 1e9 / n.get() as f64);
        Self {
            per_io: nanos(laws.iops),
            per_byte: nanos(laws.bandwidth),
            step: laws.step.map(|(at, share)| (at as f64, share)),
            next: 0.0,
            spent: Level { level: memory.spent as f64, at: memory.at as f64 },
            credits: laws.burst.map(|(ios, base)| (ios.max(1) as f64, per_nano(base.max(1)))),
        }
    }

    /// Returns the time at which a request that arrives at `now` is admitted.
    pub(super) fn admit(&mut self, now: Ticks, bytes: u64) -> Ticks {
        let mut at = self.next.max(now as f64);
        if let Some((most, per_nano)) = self.credits {
            at = self.spent.add(at, 1.0, most, per_nano);
        }
        let share = self.step.filter(|(from, _)| *from <= at).map_or(1.0, |(_, share)| share);
        self.next = at + self.per_io.max(bytes as f64 * self.per_byte) / share;
        (at as Ticks).max(now)
    }

    pub(super) fn spent(&self, now: Ticks) -> u64 {
        self.credits.map_or(0, |(_, per_nano)| self.spent.at(now as f64, per_nano).round() as u64)
    }
}

/// The write cache and its level.
#[derive(Clone, Debug)]
pub(super) struct WriteCache {
    of: Cache,
    level: Level,
}

impl WriteCache {
    pub(super) fn new(of: Cache, memory: &Memory) -> Self {
        Self { of, level: Level { level: memory.cached as f64, at: memory.at as f64 } }
    }

    /// Returns the time at which a write is admitted, and the nanoseconds that the cache needs to store it; the cache
    /// drains slower than its rate by the factor `slower`.
    pub(super) fn take(&mut self, now: Ticks, bytes: u64, slower: f64) -> (Ticks, Ticks) {
        // A write that is larger than the cache needs all of it.
        let most = self.of.bytes.max(bytes) as f64;
        let per_nano = per_nano(self.of.drain.max(1)) / slower;
        let at = self.level.add(now as f64, bytes as f64, most, per_nano);
        ((at as Ticks).max(now), self.of.nanos)
    }

    pub(super) fn bytes(&self, now: Ticks) -> u64 {
        self.level.at(now as f64, per_nano(self.of.drain)).round() as u64
    }
}

/// The SLC cache of flash and its level.
#[derive(Clone, Debug)]
pub(super) struct SlcCache {
    of: Slc,
    level: f64,
    /// End of the last transfer in nanoseconds.
    end: f64,
}

impl SlcCache {
    pub(super) fn new(of: Slc, memory: &Memory) -> Self {
        Self { of, level: memory.cached as f64, end: memory.at as f64 }
    }

    /// Returns the end of the transfer of a write that arrives at `now`.
    pub(super) fn take(&mut self, now: Ticks, bytes: u64) -> Ticks {
        let start = self.end.max(now as f64);
        self.level = self.level_at(start);
        let fits = (self.of.bytes as f64 - self.level).clamp(0.0, bytes as f64);
        self.level += fits;
        self.end = start
            + fits / per_nano(self.of.fast.max(1))
            + (bytes as f64 - fits) / per_nano(self.of.folding.max(1));
        (self.end as Ticks).max(now)
    }

    fn level_at(&self, now: f64) -> f64 {
        (self.level - (now - self.end).max(0.0) * per_nano(self.of.recovery)).max(0.0)
    }

    pub(super) fn bytes(&self, now: Ticks) -> u64 {
        self.level_at(now as f64).round() as u64
    }
}
