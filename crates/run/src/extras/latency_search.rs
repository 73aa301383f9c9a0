//! Search for the deepest queue whose I/Os keep a latency (`latency_target`). The depth is judged once per window: it
//! doubles until I/Os take too long, then the depths between are bisected. The result is a last window at the depth
//! that was found.

use super::Extra;
use crate::assignment::Assignment;
use crate::slots::InFlightOp;
use crate::worker::{Filled, Worker};
use engine::{Clock, Engine, Op, Ticks};

/// Number of good windows next to a bad depth after which that depth is tried again (`latency_run`).
const STABLE: u32 = 3;

/// Queue depths of a search: the depth that is judged, and what is known of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Depths {
    now: usize,
    /// Largest depth that was good, as far as is known; 1 if none was.
    low: usize,
    /// Smallest depth that was bad, else the largest depth allowed.
    high: usize,
    most: usize,
    /// Whether `high` was bad.
    bounded: bool,
    /// Number of good windows in a row next to a bad depth.
    stable: u32,
}

impl Depths {
    fn new(most: usize) -> Self {
        Self { now: 1, low: 1, high: most, most, bounded: false, stable: 0 }
    }

    /// Chooses the next depth after a good window; returns whether it is the same.
    fn raise(&mut self, keeps_running: bool) -> bool {
        self.low = self.now;
        if self.bounded && self.now + 1 == self.high {
            self.stable += 1;
            if keeps_running && self.stable == STABLE {
                self.stable = 0;
                self.high = (self.high + 1).min(self.most + 1);
            }
        }
        let next = if self.bounded { (self.low + self.high) / 2 } else { 2 * self.now };
        let before = std::mem::replace(&mut self.now, next.min(self.most));
        self.now == before
    }

    /// Chooses the next depth after a bad window; the depth is above 1.
    fn lower(&mut self) {
        if self.now == self.low {
            self.low -= 1;
        }
        (self.high, self.bounded, self.stable) = (self.now, true, 0);
        self.now = (self.low + self.high) / 2;
    }
}

/// The search of a job, on the worker's clock.
#[derive(Debug)]
pub(crate) struct LatencySearch {
    target: Ticks,
    window: Ticks,
    /// Share of I/Os that have to keep the target, from 0 to 1.
    share: f64,
    keeps_running: bool,
    depths: Depths,
    /// Start of the present window.
    began: Ticks,
    /// Number of I/Os of the window, and of those among them that took too long.
    ios: u64,
    late: u64,
    /// The first I/O of the window that took too long, with its latency in nanoseconds.
    first_late: Option<(Op, u64)>,
    /// Whether no I/O is issued until none is in flight, after which a window begins.
    draining: bool,
    /// Whether the present window, or the one after the drain, is the result.
    last: bool,
}

impl LatencySearch {
    /// Returns `Some` if the job has a target.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let goal = a.job().latency_goal;
        (goal.target > 0).then(|| Self {
            target: w.clock.ticks(goal.target),
            window: w.clock.ticks(goal.window),
            share: goal.percentile / 100.0,
            keeps_running: goal.keeps_running,
            depths: Depths::new(w.slots.depth()),
            began: 0,
            ios: 0,
            late: 0,
            first_late: None,
            draining: false,
            last: false,
        })
    }

    fn begin_window(&mut self, now: Ticks) {
        (self.began, self.ios, self.late, self.first_late) = (now, 0, 0, None);
    }

    /// Judges the depth at the end of a window.
    #[cold]
    fn judge<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        // An equality of shares has to be exact: 90 of 100 are 90 %.
        let good = (self.ios - self.late) as f64 >= self.share * self.ios as f64 - 1e-9;
        match good {
            true if self.last => w.live = false,
            true => {
                let same = self.depths.raise(self.keeps_running);
                if same && !self.keeps_running {
                    self.last = true;
                    self.draining = true;
                }
            }
            false if self.depths.now == 1 => {
                if let Some((op, lat)) = self.first_late.filter(|_| self.share >= 1.0) {
                    w.too_slow(op, lat);
                }
            }
            false => {
                self.last = false;
                self.depths.lower();
                // I/Os that waited behind a deeper queue say nothing about the lower depth.
                self.draining = true;
            }
        }
        w.searched_depth = u32::try_from(self.depths.now).ok();
        self.begin_window(w.last);
    }
}

impl<E: Engine> Extra<E> for LatencySearch {
    fn begin(&mut self, w: &mut Worker<'_, E>) {
        self.begin_window(w.last);
        w.searched_depth = Some(1);
    }

    /// Limits a batch to the free places of the present depth.
    #[inline(always)]
    fn limit(&mut self, w: &mut Worker<'_, E>, want: usize) -> usize {
        want.min(self.depths.now.saturating_sub(w.slots.in_flight())).max(1)
    }

    /// Lets no operation start while the queue is as deep as it may be or drains.
    #[inline(never)]
    fn grant(&mut self, w: &mut Worker<'_, E>, _: usize) -> Option<Filled> {
        let in_flight = w.slots.in_flight();
        if self.draining && in_flight == 0 {
            self.draining = false;
            let now = w.clock.now();
            self.begin_window(now);
            if self.last {
                w.begin_measuring(now);
            }
        }
        let full = self.draining || in_flight >= self.depths.now;
        full.then_some(Filled { ops: 0, due: None, blocked: true })
    }

    #[inline(never)]
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, now: Ticks, n: u64) {
        let lat = now.saturating_sub(first.start);
        if self.draining || first.op.kind as usize >= w.shared.directions.len() {
            return;
        }
        self.ios += n;
        if lat > self.target {
            self.late += n;
            self.first_late.get_or_insert((first.op, w.clock.nanos(lat)));
        }
    }

    #[inline(never)]
    fn after_reap(&mut self, w: &mut Worker<'_, E>, _: usize) {
        if w.schedule.ramp_end != Ticks::MAX {
            // The search begins after the ramp.
            self.begin_window(w.last);
        } else if !self.draining && self.ios > 0 {
            let over = w.last.saturating_sub(self.began) >= self.window;
            if over || self.late > 0 && self.share >= 1.0 {
                self.judge(w);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the depths that are judged in a search where depths up to `good` are good.
    fn judged(most: usize, good: usize) -> Vec<usize> {
        let mut depths = Depths::new(most);
        let mut list = vec![1];
        loop {
            if depths.now > good {
                depths.lower();
            } else if depths.raise(false) {
                return list;
            }
            list.push(depths.now);
        }
    }

    /// Depths are tried in the order in which fio 3.33 was observed to try them.
    #[test]
    fn depths_are_doubled_then_bisected_as_in_fio() {
        assert_eq!(judged(32, 4), [1, 2, 4, 8, 6, 5, 4]);
        assert_eq!(judged(32, 8), [1, 2, 4, 8, 16, 12, 10, 9, 8]);
        assert_eq!(judged(6, 9), [1, 2, 4, 6]);
    }

    /// A search ends at the deepest good depth, after at most 2 log2(depth) + 2 windows.
    #[test]
    fn search_finds_the_deepest_good_depth() {
        for most in 1..70 {
            for good in 1..70 {
                let list = judged(most, good);
                assert_eq!(list.last(), Some(&good.min(most)), "{most} {good}: {list:?}");
                assert!(list.len() <= 2 * most.ilog2() as usize + 3, "{most} {good}: {list:?}");
            }
        }
    }

    /// With `latency_run`, a bad depth is tried again after three good windows below it; observed with fio 3.33.
    #[test]
    fn bad_depth_is_tried_again_after_three_good_windows() {
        let mut depths = Depths { now: 9, low: 8, high: 10, most: 32, bounded: true, stable: 0 };
        depths.lower();
        let mut tried = || {
            depths.raise(true);
            (depths.low, depths.now, depths.high)
        };
        assert_eq!([tried(), tried(), tried()], [(8, 8, 9), (8, 8, 9), (8, 9, 10)]);
    }
}
