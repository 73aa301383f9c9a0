//! Null engine: operations complete without I/O, so that the cost of the loop can be measured.

use crate::{Completion, Engine, MachineClock, Op, RingDead};

/// Engine that completes every operation with success.
#[derive(Debug)]
pub struct Null<const JITTER: bool> {
    clock: MachineClock,
    done: Vec<Completion>,
}

impl<const JITTER: bool> Null<JITTER> {
    /// Returns an engine for at most `depth` operations in flight. With `JITTER`, half of the completions are delayed
    /// and alternate with new completions, so that successive latencies differ.
    pub fn new(depth: usize) -> Self {
        Self { clock: MachineClock::best(), done: Vec::with_capacity(depth) }
    }
}

impl<const JITTER: bool> Engine for Null<JITTER> {
    type Clock = MachineClock;
    const SYNC: bool = false;
    const TRIMS_IN_CALL: bool = false;

    fn clock(&self) -> MachineClock {
        self.clock
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
            match (&mut out[..n], &self.done[there - n..]) {
                // At depth 1, a call of memcpy costs more than the copy itself.
                ([to], [from]) => *to = *from,
                (to, from) => to.copy_from_slice(from),
            }
            self.done.truncate(there - n);
            return Ok(n);
        }
        // Old completions are in front, those of the last submit behind; they are returned alternately.
        let n = there.div_ceil(2).max(min).min(there).min(out.len());
        let (front, back) = (n.div_ceil(2), n / 2);
        let (old, new) = self.done.split_at(there - back);
        let mut pairs = out[..n].chunks_exact_mut(2);
        for ((pair, old), new) in (&mut pairs).zip(old).zip(new) {
            (pair[0], pair[1]) = (*old, *new);
        }
        if let [last] = pairs.into_remainder() {
            *last = old[front - 1];
        }
        self.done.copy_within(front..there - back, 0);
        self.done.truncate(there - n);
        Ok(n)
    }
}
