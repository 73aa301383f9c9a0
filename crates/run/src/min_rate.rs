//! The minimum rate of a job (`rate_min`, `rate_iops_min`), checked once per cycle.

use crate::line::MissedRate;
use engine::{Clock, Ticks};
use job::job::{Job, Rate};
use stats::shared::SharedDirection;
use stats::{Counter, Direction, Shared};

/// The minimum rate of a job, and its counters at the beginning of the cycle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinRate {
    rate: Rate,
    /// Whether each direction occurs.
    used: [bool; 3],
    /// Length of a cycle in ticks.
    cycle: Ticks,
    /// Time of the next check.
    next: Ticks,
    /// Start of the current cycle; `None` before the first cycle.
    began: Option<Ticks>,
    /// Number of bytes per direction at the start of the cycle; `ios` is the number of I/Os.
    bytes: [u64; 3],
    ios: [u64; 3],
}

/// Time from the start of the job to the start of the first cycle, in nanoseconds.
const FIRST_CHECK: u64 = 2_000_000_000;

impl MinRate {
    /// Returns the minimum rate of a job that starts at `now`; `None` if the job has none.
    pub(crate) fn of(job: &Job, clock: &impl Clock, now: Ticks) -> Option<Self> {
        let rate = job.rate.filter(|rate| rate.has_least())?;
        let used = Direction::ALL.map(|d| job.pattern.mix.has(d));
        let next = now.saturating_add(clock.ticks(FIRST_CHECK));
        let cycle = clock.ticks(rate.cycle);
        Some(Self { rate, used, cycle, next, began: None, bytes: [0; 3], ios: [0; 3] })
    }

    /// Returns the time of the next check.
    pub(crate) fn next(&self) -> Ticks {
        self.next
    }

    /// Ends a cycle if one is over at `now`; returns the rates that were missed in it.
    pub(crate) fn check(&mut self, now: Ticks, clock: &impl Clock, shared: &Shared) -> Vec<MissedRate> {
        if now < self.next {
            return Vec::new();
        }
        let done = |of: fn(&SharedDirection) -> &Counter| shared.directions.each_ref().map(|d| of(d).get());
        let (bytes, ios) = (done(|d| &d.bytes), done(|d| &d.ios));
        let missed = self.began.map(|began| self.missed(clock.nanos(now - began), bytes, ios));
        (self.began, self.bytes, self.ios) = (Some(now), bytes, ios);
        self.next = now.saturating_add(self.cycle);
        missed.unwrap_or_default()
    }

    /// Returns the rates that were missed in a cycle of `nanos` nanoseconds.
    fn missed(&self, nanos: u64, bytes: [u64; 3], ios: [u64; 3]) -> Vec<MissedRate> {
        let per_second = |n: u64| (u128::from(n) * 1_000_000_000 / u128::from(nanos.max(1))) as u64;
        let mut missed = Vec::new();
        for d in (0..3).filter(|d| self.used[*d]) {
            let got = per_second(bytes[d].saturating_sub(self.bytes[d]));
            let (least, least_ios) = (self.rate.least_bytes[d], self.rate.least_ios[d]);
            if got < least {
                missed.push(MissedRate::Bytes { least, got });
            }
            let got = per_second(ios[d].saturating_sub(self.ios[d]));
            if got < least_ios {
                missed.push(MissedRate::Ios { least: least_ios, got });
            }
        }
        missed
    }
}
