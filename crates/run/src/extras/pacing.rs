//! Pacing (`rate*`): when each I/O is due, independently of the I/Os before it. The schedule is kept in fractions of
//! ticks and is never moved, so a job that fell behind catches up, and no error accumulates over a long run. The time
//! from the due time to the completion is the latency that a user at this rate would see; this latency includes the
//! wait for a free slot.

use super::{Extra, zone_commands};
use crate::assignment::Assignment;
use crate::pattern::Pattern;
use crate::random::{generator, stream};
use crate::slots::InFlightOp;
use crate::worker::{Due, Filled, Pause, Worker};
use engine::{Clock, Engine, Op, Ticks};
use job::job::{Mix, Rate};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use stats::Direction;
use std::num::NonZeroU64;

/// A time or a duration, in 2^-64 ticks.
type Fine = u128;
const TICK: u32 = 64;

/// The time from one I/O of a direction to the next.
#[derive(Clone, Copy, Debug)]
enum Gap {
    /// Proportional to the size of the I/O: time per byte.
    Each(Fine),
    /// Exponentially distributed (Poisson arrivals), with this mean in ticks.
    Drawn(f64),
}

/// The schedule of one direction.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// Time at which the next I/O is due.
    at: Fine,
    gap: Gap,
}

impl Lane {
    /// Returns the first tick at which the next I/O is due.
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

/// Draws a duration from the exponential distribution with this mean in ticks.
fn drawn(mean: f64, random: &mut Xoshiro256PlusPlus) -> Fine {
    // The number lies in 2^-53..=1, so that its logarithm is finite.
    let unit = ((random.next_u64() >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
    (-unit.ln() * mean * 2f64.powi(TICK as i32)) as Fine
}

/// Operations that may be issued at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Any operation.
    Any,
    /// Only operations of this direction (index of `Direction`).
    Only(usize),
    /// No operation before this time.
    Wait(Ticks),
}

/// The schedule of a job.
#[derive(Debug)]
pub struct Pacer {
    /// Schedule per direction; `None` if the direction is not paced.
    lanes: [Option<Lane>; 3],
    /// Whether each direction occurs.
    used: [bool; 3],
    /// Whether each trim is followed by a write of the same block, so that both directions have to be due.
    together: bool,
    random: Xoshiro256PlusPlus,
    /// Due time of the operation in flight in each slot.
    due: Box<[Ticks]>,
    /// Ticks before the next due time at which the loop stops sleeping and polls; 0 = never.
    lead: Ticks,
}

impl Pacer {
    /// Returns a schedule for these directions, on a clock of `per_second` ticks per second; `None` if none is paced.
    /// `together` means that each trim is followed by a write of the same block.
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

    /// Starts the schedule at `now`.
    pub fn start(&mut self, now: Ticks) {
        for lane in self.lanes.iter_mut().flatten() {
            lane.at = u128::from(now) << TICK;
            if let Gap::Drawn(mean) = lane.gap {
                lane.at = lane.at.saturating_add(drawn(mean, &mut self.random));
            }
        }
    }

    /// Returns the mean time between two I/Os of the fastest direction, in ticks.
    pub fn gap(&self, rate: &Rate, per_second: Ticks) -> f64 {
        let paced = (0..3).filter(|d| self.lanes[*d].is_some()).filter_map(|d| rate.iops(d));
        per_second as f64 / paced.fold(0.0, f64::max)
    }

    /// Returns the operations that may be issued at `now`.
    pub fn may_issue(&self, now: Ticks) -> Grant {
        let (mut ready, mut waiting) = (None, false);
        let (mut first, mut last) = (Ticks::MAX, 0);
        for d in (0..3).filter(|d| self.used[*d]) {
            let due = self.lanes[d].map_or(0, |lane| lane.due());
            (first, last) = (first.min(due), last.max(due));
            if due <= now { ready = Some(d) } else { waiting = true }
        }
        match ready {
            _ if !waiting => Grant::Any,
            _ if self.together => Grant::Wait(last),
            Some(d) => Grant::Only(d),
            None => Grant::Wait(first),
        }
    }

    /// Delays the schedule by a pause: an I/O that became due during the pause is due at its end, and one that was due
    /// before it is as late as before.
    pub(crate) fn stand_still(&mut self, pause: Pause) {
        let (from, to) = (u128::from(pause.from) << TICK, u128::from(pause.to) << TICK);
        for lane in self.lanes.iter_mut().flatten() {
            lane.at = lane.at.max(to).min(lane.at.saturating_add(to - from));
        }
    }

    /// Advances the schedule by an I/O of this direction and size in `slot`. Syncs are not paced.
    pub fn pass(&mut self, direction: usize, bytes: u32, slot: u16) {
        if let Some(Some(lane)) = self.lanes.get_mut(direction) {
            self.due[usize::from(slot)] = lane.due();
            lane.pass(bytes, &mut self.random);
        }
    }

    /// Returns the due time of the operation in `slot`; `None` if its direction is not paced.
    pub fn due(&self, direction: usize, slot: u16) -> Option<Ticks> {
        self.lanes.get(direction)?.is_some().then(|| self.due[usize::from(slot)])
    }
}

/// Typical delay of a sleeping thread's wake-up in nanoseconds. For this time before the next I/O is due, the loop
/// polls instead of sleeping, in jobs with a gap below [`POLLED_GAP`].
pub(super) const LEAD: u64 = 50_000;
/// Mean time between I/Os in nanoseconds below which a job polls before the next I/O (see [`LEAD`]).
const POLLED_GAP: f64 = 100_000.0;

impl Pacer {
    /// Returns `Some` if the job has a rate.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let job = a.job();
        let per_second = w.clock.ticks(1_000_000_000);
        let (slots, rate) = (w.done.len(), job.rate.unwrap_or_default());
        let used = Direction::ALL.map(|d| job.pattern.mix.has(d));
        let together = job.pattern.mix == Mix::TrimWrite;
        let mut pacer = Self::new(&rate, used, together, slots, a.clone.seed, per_second)?;
        if E::Clock::REAL && pacer.gap(&rate, per_second) < w.clock.ticks(POLLED_GAP as u64) as f64 {
            pacer.lead = w.clock.ticks(LEAD);
        }
        Some(pacer)
    }
}

impl<E: Engine> Extra<E> for Pacer {
    fn begin(&mut self, w: &mut Worker<'_, E>) {
        self.start(w.last);
        if E::Clock::REAL {
            // The default timer slack of the kernel lets sleepers wake up to 50 us later.
            let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
        }
        w.shared.paced.set(1);
    }

    /// Fills the operations that are due.
    #[inline(never)]
    fn grant(&mut self, w: &mut Worker<'_, E>, want: usize) -> Option<Filled> {
        if let Some(pause) = w.pause.take() {
            self.stand_still(pause);
        }
        let now = w.clock.now();
        let ops = w.slots.next(want);
        for n in 0..want {
            let only = match self.may_issue(now) {
                Grant::Wait(at) => {
                    return Some(Filled { ops: n, due: Some(Due { at, lead: self.lead }), blocked: false });
                }
                Grant::Only(direction) => Some(direction),
                Grant::Any => None,
            };
            let filled = match &mut w.pattern {
                Pattern::General(general) => {
                    general.restrict_to(only);
                    general.fill_in_zones(&mut ops[n..=n])
                }
                pattern => pattern.fill(&mut ops[n..=n]),
            };
            if filled == 0 {
                let due = if n == 0 { zone_commands::retry(w) } else { None };
                return Some(Filled { ops: n, due, blocked: n == 0 && w.pattern.blocked() });
            }
            let Op { kind, len, slot, .. } = ops[n];
            self.pass(kind as usize, len, slot);
        }
        Some(Filled { ops: want, due: None, blocked: false })
    }

    /// Returns true, because I/Os that were due at different times have different latencies.
    #[inline(always)]
    fn keeps_apart(&self, _: &Worker<'_, E>, _: u16, _: u16) -> bool {
        true
    }

    /// Records the latency from the due time to the completion.
    #[inline(never)]
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, now: Ticks, _: u64) {
        if w.reads_back {
            return;
        }
        let direction = first.op.kind as usize;
        let due = self.due(direction, first.op.slot);
        if let (Some(due), Some(latency)) = (due, w.shared.scheduled.get(direction)) {
            latency.record(w.clock.nanos(now.saturating_sub(due)), 1);
        }
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

    /// At the end of the ramp, a job that fell behind does not catch up, and one that is in time goes on.
    #[test]
    fn schedule_that_is_late_at_the_start_of_the_measurement_begins_anew() {
        let late_at = |ramp_end: Ticks| {
            let mut pacer = of(Mix::Read, [1000, 0, 0], false, 1_000_000, 1);
            pacer.start(0);
            for _ in 0..10 {
                pass(&mut pacer, 0);
            }
            pacer.stand_still(Pause { from: 0, to: ramp_end });
            (pass(&mut pacer, 0), pass(&mut pacer, 0))
        };
        assert_eq!(late_at(50_000), (50_000, 51_000));
        assert_eq!(late_at(9_500), (10_000, 11_000));
    }

    proptest! {
        /// At any interval and batch size of the loop, all I/Os that are due are issued, none early; after a stall of
        /// any length, all that became due during the stall.
        #[test]
        fn as_many_are_issued_as_are_due(
            iops in 1u64..4_000_000,
            per_second in 1_000_000u64..4_000_000_000,
            start in 0u64..1 << 60,
            steps in prop::collection::vec((0u64..40_000_000, 1u64..64), 1..60),
        ) {
            let mut pacer = of(Mix::Read, [iops, 0, 0], false, per_second, 1);
            pacer.start(start);
            let (mut now, mut issued) = (start, 0u64);
            for (wait, want) in steps {
                now += wait;
                let mut batch = 0;
                while batch < want && pacer.may_issue(now) == Grant::Any {
                    let due = pass(&mut pacer, 0);
                    prop_assert!(due <= now, "early");
                    // The n-th I/O is due n gaps after the start, exact to a tick.
                    let exact = u128::from(issued) * u128::from(per_second);
                    prop_assert!((due - start).abs_diff(exact.div_ceil(u128::from(iops)) as u64) <= 1);
                    batch += 1;
                    issued += 1;
                }
                if batch < want {
                    let Grant::Wait(until) = pacer.may_issue(now) else { panic!("neither") };
                    prop_assert!(until > now);
                    let all = u128::from(now - start) * u128::from(iops) / u128::from(per_second) + 1;
                    prop_assert!(u128::from(issued).abs_diff(all) <= 1, "{issued} of {all}");
                }
            }
        }

        /// Each of two directions keeps its own rate, even if the other direction is behind.
        #[test]
        fn directions_do_not_hold_each_other_back(reads in 1u64..2000, writes in 0u64..2000, step in 1u64..3_000_000) {
            let mut pacer = of(Mix::ReadWrite { reads: 50 }, [reads, writes, 0], false, 1_000_000_000, 1);
            pacer.start(0);
            let (mut now, mut done) = (0u64, [0u64; 2]);
            for turn in 0u64.. {
                match pacer.may_issue(now) {
                    Grant::Wait(until) => {
                        prop_assert!(until > now);
                        now = until.max(now + step);
                        if now > 2_000_000_000 {
                            break;
                        }
                    }
                    // A direction without a rate may issue any number of I/Os.
                    Grant::Only(1) if writes == 0 => now += step,
                    Grant::Any if writes == 0 => {
                        pacer.pass(0, BLOCK as u32, 0);
                        done[0] += 1;
                    }
                    other => {
                        let at = if let Grant::Only(d) = other { d } else { (turn % 2) as usize };
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

    /// After three million I/Os with a gap that is not a whole number of ticks (9 x 10^9 ticks in all), the schedule
    /// is exact to a tick.
    #[test]
    fn nothing_adds_up_over_a_long_run() {
        let (iops, per_second) = (333_333, 1_000_000_007);
        let mut pacer = of(Mix::Read, [iops, 0, 0], false, per_second, 1);
        pacer.start(0);
        for n in 0..3_000_000u64 {
            let due = pass(&mut pacer, 0);
            let exact = (u128::from(n) * u128::from(per_second)).div_ceil(u128::from(iops)) as u64;
            assert!(due.abs_diff(exact) <= 1, "{n}: {due} for {exact}");
        }
    }

    /// A trim whose block is written next waits until both directions are due.
    #[test]
    fn a_pair_waits_for_both() {
        let mut pacer = of(Mix::TrimWrite, [0, 200, 300], false, 1_000_000_000, 1);
        pacer.start(0);
        pass(&mut pacer, 2);
        assert_eq!(pacer.may_issue(0), Grant::Wait(3_333_334));
        pass(&mut pacer, 1);
        assert_eq!(pacer.may_issue(3_333_334), Grant::Wait(5_000_000));
    }

    /// Gaps have the mean of the rate, and are exponentially distributed by the test of Kolmogorov and Smirnov.
    #[test]
    fn drawn_gaps_are_exponential() {
        for seed in [1, 2, 77] {
            let mut pacer = of(Mix::Read, [1000, 0, 0], true, 1_000_000_000, seed);
            pacer.start(0);
            const N: usize = 100_000;
            let mut last = 0;
            let mut gaps: Vec<f64> = (0..N)
                .map(|_| {
                    let due = pass(&mut pacer, 0);
                    (due - std::mem::replace(&mut last, due)) as f64 / 1e6
                })
                .collect();
            let mean = gaps.iter().sum::<f64>() / N as f64;
            // The standard error of the mean of N exponential gaps is their mean divided by the root of N.
            assert!((mean - 1.0).abs() < 3.5 / (N as f64).sqrt(), "{mean}");
            gaps.sort_by(f64::total_cmp);
            let apart = |(n, gap): (usize, &f64)| {
                let law = 1.0 - (-gap).exp();
                (law - n as f64 / N as f64).abs().max((law - (n + 1) as f64 / N as f64).abs())
            };
            let most = gaps.iter().enumerate().map(apart).fold(0.0, f64::max);
            // One seed out of a thousand exceeds this value.
            assert!(most < 1.95 / (N as f64).sqrt(), "{most}");
        }
    }

    #[test]
    fn rates_beyond_all_measure_are_no_trouble() {
        let rate = Rate { most: [1, u64::MAX, 0], block: [u64::MAX; 3], ..Rate::default() };
        let mut pacer = Pacer::new(&rate, [true, true, false], false, 1, 1, u64::MAX).unwrap();
        pacer.start(u64::MAX - 1);
        pacer.pass(0, u32::MAX, 0);
        pacer.pass(1, u32::MAX, 0);
        assert_eq!(pacer.may_issue(u64::MAX - 1), Grant::Wait(u64::MAX));
    }
}
