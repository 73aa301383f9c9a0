//! Pacing: when each I/O is due, whatever became of those before it. The schedule is kept in fractions of ticks and is
//! never moved, so a job that fell behind catches up, and nothing adds up over a long run. How late an I/O is answered
//! after it was due is the latency that a user of that rate would see; that it had to wait for a free slot is in it.

use crate::pattern::Pattern;
use crate::random::{generator, stream};
use crate::worker::Worker;
use engine::{Clock, Engine, Op, RingDead, Ticks};
use job::job::{Job, Mix, Rate};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use stats::shared::SharedDirection;
use stats::{Counter, Direction};
use std::num::NonZeroU64;

/// A moment or a span of ticks, in 2^-64 of them.
type Fine = u128;
const TICK: u32 = 64;

/// The time from one I/O to the next.
#[derive(Clone, Copy, Debug)]
enum Gap {
    /// By its bytes.
    Each(Fine),
    /// Drawn, with this mean in ticks.
    Drawn(f64),
}

/// The schedule of one direction.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// When the next I/O is due.
    at: Fine,
    gap: Gap,
}

impl Lane {
    /// The first tick at which the next I/O is due.
    fn due(&self) -> Ticks {
        let tick = self.at >> TICK;
        Ticks::try_from(tick + u128::from(self.at > tick << TICK)).unwrap_or(Ticks::MAX)
    }

    fn pass(&mut self, bytes: u32, random: &mut Xoshiro256PlusPlus) {
        let gap = match self.gap {
            Gap::Each(per_byte) => per_byte.saturating_mul(u128::from(bytes)),
            Gap::Drawn(mean) => drawn(mean, random),
        };
        self.at = self.at.saturating_add(gap);
    }
}

/// An exponential span with this mean.
fn drawn(mean: f64, random: &mut Xoshiro256PlusPlus) -> Fine {
    // In 2^-53 to 1: its logarithm is finite.
    let unit = ((random.next_u64() >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
    (-unit.ln() * mean * 2f64.powi(TICK as i32)) as Fine
}

/// What may be issued now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Whatever the pattern has next.
    Any,
    /// Only this direction.
    Only(usize),
    /// Nothing before this moment.
    Wait(Ticks),
}

/// The schedule of a job.
#[derive(Debug)]
pub struct Pacer {
    /// By direction; `None` where it is not paced.
    lanes: [Option<Lane>; 3],
    /// Directions that occur.
    used: [bool; 3],
    /// What is trimmed is written next: both have to be due.
    together: bool,
    random: Xoshiro256PlusPlus,
    /// When what flies was due, by slot.
    due: Box<[Ticks]>,
    /// So long before the next is due waiting is done by looking again and again.
    pub(crate) lead: Ticks,
}

impl Pacer {
    /// A schedule for these directions, which a pattern takes turn by turn unless they go `together`, on a clock of so many
    /// ticks per second; `None` if none is paced.
    pub fn new(
        rate: &Rate,
        used: [bool; 3],
        together: bool,
        slots: usize,
        seed: u64,
        per_second: Ticks,
    ) -> Option<Self> {
        let lane = |d: usize| {
            let mean = rate.iops(d).filter(|_| used[d]).map(|iops| per_second as f64 / iops)?;
            let each = (u128::from(per_second) << TICK) / u128::from(rate.most[d].max(1));
            Some(Lane { at: 0, gap: if rate.poisson { Gap::Drawn(mean) } else { Gap::Each(each) } })
        };
        let lanes = [0, 1, 2].map(lane);
        lanes.iter().any(Option::is_some).then(|| Self {
            lanes,
            used,
            together,
            random: generator(seed, stream::PACE),
            due: vec![0; slots].into(),
            lead: 0,
        })
    }

    /// The schedule begins.
    pub fn begin(&mut self, now: Ticks) {
        for lane in self.lanes.iter_mut().flatten() {
            lane.at = u128::from(now) << TICK;
            if let Gap::Drawn(mean) = lane.gap {
                lane.at = lane.at.saturating_add(drawn(mean, &mut self.random));
            }
        }
    }

    /// The mean time between two I/Os of the fastest direction, in ticks.
    pub fn gap(&self, rate: &Rate, per_second: Ticks) -> f64 {
        let paced = (0..3).filter(|d| self.lanes[*d].is_some()).filter_map(|d| rate.iops(d));
        per_second as f64 / paced.fold(0.0, f64::max)
    }

    /// What may be issued at `now`.
    pub fn turn(&self, now: Ticks) -> Turn {
        let (mut ready, mut waiting) = (None, false);
        let (mut first, mut last) = (Ticks::MAX, 0);
        for d in (0..3).filter(|d| self.used[*d]) {
            let due = self.lanes[d].map_or(0, |lane| lane.due());
            (first, last) = (first.min(due), last.max(due));
            if due <= now { ready = Some(d) } else { waiting = true }
        }
        match ready {
            _ if !waiting => Turn::Any,
            _ if self.together => Turn::Wait(last),
            Some(d) => Turn::Only(d),
            None => Turn::Wait(first),
        }
    }

    /// An I/O of this direction and size was put into a slot. Syncs come between and are not paced.
    pub fn pass(&mut self, direction: usize, bytes: u32, slot: u16) {
        if let Some(Some(lane)) = self.lanes.get_mut(direction) {
            self.due[usize::from(slot)] = lane.due();
            lane.pass(bytes, &mut self.random);
        }
    }

    /// When what flies in `slot` was due, if its direction is paced.
    pub fn due(&self, direction: usize, slot: u16) -> Option<Ticks> {
        self.lanes.get(direction)?.is_some().then(|| self.due[usize::from(slot)])
    }
}

/// The least that a job has to do: what it had done when the cycle began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    rate: Rate,
    /// Directions that occur.
    used: [bool; 3],
    /// Ticks of a cycle.
    cycle: Ticks,
    /// When it is looked at next.
    next: Ticks,
    /// When the cycle began; `None` before the first.
    began: Option<Ticks>,
    /// Bytes and I/Os by then.
    bytes: [u64; 3],
    ios: [u64; 3],
}

/// Nothing is looked at so soon after the start, nanoseconds.
const FLOOR_FROM: u64 = 2_000_000_000;

impl Floor {
    pub(crate) fn next(&self) -> Ticks {
        self.next
    }

    /// What was not met in a cycle of so many nanoseconds, as fio says it behind the job's name.
    fn missed(&self, nanos: u64, bytes: [u64; 3], ios: [u64; 3]) -> Vec<String> {
        let per_second = |n: u64| (u128::from(n) * 1_000_000_000 / u128::from(nanos.max(1))) as u64;
        let mut lines = Vec::new();
        for d in (0..3).filter(|d| self.used[*d]) {
            let got = per_second(bytes[d].saturating_sub(self.bytes[d]));
            let (least, least_ios) = (self.rate.least_bytes[d], self.rate.least_ios[d]);
            if got < least {
                lines.push(format!("rate_min={least}B/s not met, got {got}B/s"));
            }
            let got = per_second(ios[d].saturating_sub(self.ios[d]));
            if got < least_ios {
                lines.push(format!("rate_iops_min={least_ios} not met, got {got} IOPS"));
            }
        }
        lines
    }
}

/// Who sleeps longer is asked to stop in vain.
const NAP: u64 = 20_000_000;
/// Who wakes late by so much looks again and again instead, before the next I/O is due ...
const LEAD: u64 = 50_000;
/// ... where I/Os come so soon after each other, nanoseconds.
const SOON: f64 = 100_000.0;

impl<E: Engine> Worker<'_, E> {
    /// The schedule begins.
    pub(crate) fn begin_pace(&mut self, job: &Job, seed: u64, now: Ticks) {
        let per_second = self.clock.ticks(1_000_000_000);
        let (slots, rate) = (self.done.len(), job.rate.unwrap_or_default());
        let used = Direction::ALL.map(|d| job.pattern.mix.has(d));
        let together = job.pattern.mix == Mix::TrimWrite;
        if let Some(mut pacer) = Pacer::new(&rate, used, together, slots, seed, per_second) {
            pacer.begin(now);
            if E::Clock::REAL {
                // The kernel lets sleepers lie for 50 us longer where nothing is said; without the call they just wake
                // later.
                let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
                let soon = pacer.gap(&rate, per_second) < self.clock.ticks(SOON as u64) as f64;
                pacer.lead = if soon { self.clock.ticks(LEAD) } else { 0 };
            }
            self.shared.paced.set(1);
            self.pacer = Some(Box::new(pacer));
        }
        if rate.has_least() {
            let (from, cycle) = (self.clock.ticks(FLOOR_FROM), self.clock.ticks(rate.cycle));
            let next = now.saturating_add(from);
            self.floor =
                Some(Box::new(Floor { rate, used, cycle, next, began: None, bytes: [0; 3], ios: [0; 3] }));
        }
    }

    /// Fills what is due, of at most `want`; how many, and until when there is nothing more to issue.
    #[inline(never)]
    pub(crate) fn fill_due(&mut self, want: usize) -> (usize, Option<Ticks>) {
        let now = self.clock.now();
        let Some(pacer) = &mut self.pacer else { return (0, None) };
        let ops = self.slots.next(want);
        for n in 0..want {
            let only = match pacer.turn(now) {
                Turn::Wait(until) => return (n, Some(until)),
                Turn::Only(direction) => Some(direction),
                Turn::Any => None,
            };
            if let Pattern::General(general) = &mut self.pattern {
                general.restrict_to(only);
            }
            if self.pattern.fill(&mut ops[n..=n]) == 0 {
                return (n, None);
            }
            let Op { kind, len, slot, .. } = ops[n];
            pacer.pass(kind as usize, len, slot);
        }
        (want, None)
    }

    /// Nothing flies: waits until the next I/O is due, or not quite so long.
    #[cold]
    #[inline(never)]
    pub(crate) fn pause(&mut self, until: Ticks) {
        let until = until.min(self.next_event);
        self.clock.wait_until(until.saturating_sub(self.lead()));
    }

    /// Takes what is answered by then, or nothing.
    #[inline(never)]
    pub(crate) fn reap_until(&mut self, until: Ticks) -> Result<usize, RingDead> {
        let until = until.min(self.next_event).saturating_sub(self.lead());
        let left = self.clock.nanos(until.saturating_sub(self.clock.now()));
        let most = if E::Clock::REAL { left.min(NAP) } else { left };
        self.engine.reap_within(most, &mut self.done)
    }

    fn lead(&self) -> Ticks {
        self.pacer.as_ref().map_or(0, |pacer| pacer.lead)
    }

    #[inline(never)]
    pub(crate) fn record_since_due(&self, op: &Op, now: Ticks) {
        let direction = op.kind as usize;
        let due = self.pacer.as_ref().and_then(|pacer| pacer.due(direction, op.slot));
        if let (Some(due), Some(latency)) = (due, self.shared.scheduled.get(direction)) {
            latency.record(self.clock.nanos(now.saturating_sub(due)), 1);
        }
    }

    /// A cycle is over in which the job had to do a least.
    #[cold]
    #[inline(never)]
    pub(crate) fn look_at_floor(&mut self, now: Ticks) {
        let Some(floor) = &mut self.floor else { return };
        if now >= floor.next {
            let done = |of: fn(&SharedDirection) -> &Counter| {
                self.shared.directions.each_ref().map(|direction| of(direction).get())
            };
            let (bytes, ios) = (done(|d| &d.bytes), done(|d| &d.ios));
            if let Some(began) = floor.began {
                self.too_little = floor.missed(self.clock.nanos(now - began), bytes, ios);
                self.live &= self.too_little.is_empty();
            }
            (floor.began, floor.bytes, floor.ios) = (Some(now), bytes, ios);
            floor.next = now.saturating_add(floor.cycle);
        }
        self.next_event = self.next_event.min(floor.next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BLOCK: u64 = 4096;

    fn of(mix: Mix, iops: [u64; 3], poisson: bool, per_second: Ticks, seed: u64) -> Pacer {
        let rate = Rate { most: iops.map(|n| n * BLOCK), block: [BLOCK; 3], poisson, ..Rate::default() };
        let used = Direction::ALL.map(|d| mix.has(d));
        Pacer::new(&rate, used, mix == Mix::TrimWrite, 64, seed, per_second).unwrap()
    }

    fn pass(pacer: &mut Pacer, direction: usize) -> Ticks {
        pacer.pass(direction, BLOCK as u32, 7);
        pacer.due(direction, 7).unwrap()
    }

    proptest! {
        /// However the loop comes by and however many it asks for: as many as are due by then, none of them early, and
        /// after whatever stall all that it fell behind.
        #[test]
        fn as_many_are_issued_as_are_due(
            iops in 1u64..4_000_000,
            per_second in 1_000_000u64..4_000_000_000,
            start in 0u64..1 << 60,
            steps in prop::collection::vec((0u64..40_000_000, 1u64..64), 1..60),
        ) {
            let mut pacer = of(Mix::Read, [iops, 0, 0], false, per_second, 1);
            pacer.begin(start);
            let (mut now, mut issued) = (start, 0u64);
            for (wait, want) in steps {
                now += wait;
                let mut batch = 0;
                while batch < want && pacer.turn(now) == Turn::Any {
                    let due = pass(&mut pacer, 0);
                    prop_assert!(due <= now, "early");
                    // The n-th is due n gaps after the start, to the tick.
                    let exact = u128::from(issued) * u128::from(per_second);
                    prop_assert!((due - start).abs_diff(exact.div_ceil(u128::from(iops)) as u64) <= 1);
                    batch += 1;
                    issued += 1;
                }
                if batch < want {
                    let Turn::Wait(until) = pacer.turn(now) else { panic!("neither") };
                    prop_assert!(until > now);
                    let all = u128::from(now - start) * u128::from(iops) / u128::from(per_second) + 1;
                    prop_assert!(u128::from(issued).abs_diff(all) <= 1, "{issued} of {all}");
                }
            }
        }

        /// Two directions: each has its own rate, whichever is ahead.
        #[test]
        fn directions_do_not_hold_each_other_back(reads in 1u64..2000, writes in 0u64..2000, step in 1u64..3_000_000) {
            let mut pacer = of(Mix::ReadWrite { reads: 50 }, [reads, writes, 0], false, 1_000_000_000, 1);
            pacer.begin(0);
            let (mut now, mut done) = (0u64, [0u64; 2]);
            for turn in 0u64.. {
                match pacer.turn(now) {
                    Turn::Wait(until) => {
                        prop_assert!(until > now);
                        now = until.max(now + step);
                        if now > 2_000_000_000 {
                            break;
                        }
                    }
                    // Of a direction without a rate as many as one likes.
                    Turn::Only(1) if writes == 0 => now += step,
                    Turn::Any if writes == 0 => {
                        pacer.pass(0, BLOCK as u32, 0);
                        done[0] += 1;
                    }
                    other => {
                        let at = if let Turn::Only(d) = other { d } else { (turn % 2) as usize };
                        pacer.pass(at, BLOCK as u32, 0);
                        done[at] += 1;
                    }
                }
                if now > 2_000_000_000 {
                    break;
                }
            }
            let allowed = |n: u64| 2 * n + 1 + n * step / 1_000_000_000 + 1;
            prop_assert!(done[0] <= allowed(reads) && done[0] + 2 + reads * step / 1_000_000_000 >= 2 * reads, "{done:?}");
            prop_assert!(writes == 0 || done[1] <= allowed(writes) && done[1] + 2 + writes * step / 1_000_000_000 >= 2 * writes, "{done:?}");
        }
    }

    /// Three million I/Os of a rate whose gap is no whole number of ticks, 9 x 10^9 ticks: not one off.
    #[test]
    fn nothing_adds_up_over_a_long_run() {
        let (iops, per_second) = (333_333, 1_000_000_007);
        let mut pacer = of(Mix::Read, [iops, 0, 0], false, per_second, 1);
        pacer.begin(0);
        for n in 0..3_000_000u64 {
            let due = pass(&mut pacer, 0);
            let exact = (u128::from(n) * u128::from(per_second)).div_ceil(u128::from(iops)) as u64;
            assert!(due.abs_diff(exact) <= 1, "{n}: {due} for {exact}");
        }
    }

    /// Trims that are written next wait for the slower of the two.
    #[test]
    fn a_pair_waits_for_both() {
        let mut pacer = of(Mix::TrimWrite, [0, 200, 300], false, 1_000_000_000, 1);
        pacer.begin(0);
        pass(&mut pacer, 2);
        assert_eq!(pacer.turn(0), Turn::Wait(3_333_334));
        pass(&mut pacer, 1);
        assert_eq!(pacer.turn(3_333_334), Turn::Wait(5_000_000));
    }

    /// Gaps have the mean that the rate has, and are exponential by the test of Kolmogorov and Smirnov.
    #[test]
    fn drawn_gaps_are_exponential() {
        for seed in [1, 2, 77] {
            let mut pacer = of(Mix::Read, [1000, 0, 0], true, 1_000_000_000, seed);
            pacer.begin(0);
            const N: usize = 100_000;
            let mut last = 0;
            let mut gaps: Vec<f64> = (0..N)
                .map(|_| {
                    let due = pass(&mut pacer, 0);
                    (due - std::mem::replace(&mut last, due)) as f64 / 1e6
                })
                .collect();
            let mean = gaps.iter().sum::<f64>() / N as f64;
            // The mean of N exponentials differs from theirs by one part in the root of N.
            assert!((mean - 1.0).abs() < 3.5 / (N as f64).sqrt(), "{mean}");
            gaps.sort_by(f64::total_cmp);
            let apart = |(n, gap): (usize, &f64)| {
                let law = 1.0 - (-gap).exp();
                (law - n as f64 / N as f64).abs().max((law - (n + 1) as f64 / N as f64).abs())
            };
            let most = gaps.iter().enumerate().map(apart).fold(0.0, f64::max);
            // One of a thousand seeds exceeds it.
            assert!(most < 1.95 / (N as f64).sqrt(), "{most}");
        }
    }

    #[test]
    fn rates_beyond_all_measure_are_no_trouble() {
        let rate = Rate { most: [1, u64::MAX, 0], block: [u64::MAX; 3], ..Rate::default() };
        let mut pacer = Pacer::new(&rate, [true, true, false], false, 1, 1, u64::MAX).unwrap();
        pacer.begin(u64::MAX - 1);
        pacer.pass(0, u32::MAX, 0);
        pacer.pass(1, u32::MAX, 0);
        assert_eq!(pacer.turn(u64::MAX - 1), Turn::Wait(u64::MAX));
    }
}
