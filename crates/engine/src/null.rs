//! The engine that does nothing: it measures the loop around it.

use crate::{Completion, Engine, MachineClock, Op, RingDead};
use std::os::fd::RawFd;

/// Answers every operation with full success.
#[derive(Debug)]
pub struct Null<const JITTER: bool> {
    clock: MachineClock,
    done: Vec<Completion>,
    turn: u64,
}

impl<const JITTER: bool> Null<JITTER> {
    /// For at most `depth` operations in flight. With `JITTER`, answers are held back and shuffled, so that
    /// neighbours in a reap come from different submits and no two latencies in a row are equal.
    pub fn new(depth: usize) -> Self {
        Self { clock: MachineClock::best(), done: Vec::with_capacity(depth), turn: 0 }
    }
}

impl<const JITTER: bool> Engine for Null<JITTER> {
    type Clock = MachineClock;
    const SYNC: bool = false;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn set_file(&mut self, _: usize, _: RawFd) -> Result<(), RingDead> {
        Ok(())
    }

    #[inline(always)]
    fn queue(&mut self, ops: &[Op]) {
        self.done.extend(ops.iter().map(|op| Completion { slot: op.slot, res: (op.len - op.done) as i32 }));
    }

    #[inline(always)]
    fn submit(&mut self) -> Result<(), RingDead> {
        Ok(())
    }

    #[inline(always)]
    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let there = self.done.len();
        if !JITTER {
            let n = there.min(out.len());
            out[..n].copy_from_slice(&self.done[there - n..]);
            self.done.truncate(there - n);
            return Ok(n);
        }
        // Half of what is there, every other one: two neighbours never share both submit and reap for long.
        let n = there.div_ceil(2).max(min).min(there).min(out.len());
        self.turn = self.turn.wrapping_add(1);
        for slot in &mut out[..n] {
            self.turn = self.turn.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
            let at = ((u128::from(self.turn) * self.done.len() as u128) >> 64) as usize;
            *slot = self.done.swap_remove(at);
        }
        Ok(n)
    }
}
