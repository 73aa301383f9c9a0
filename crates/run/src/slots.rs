//! Slots: which of the `iodepth` places are free, and what flies in the others.

use engine::{Op, Ticks};

/// An operation between its issue and its answer.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// When it was set up.
    pub start: Ticks,
    /// When the submit call that carried it returned.
    pub issued: Ticks,
    /// The operation.
    pub op: Op,
}

/// All slots of a worker. A stack: the slot freed last is taken first, its block still warm.
#[derive(Debug)]
pub struct Slots {
    free: Box<[u16]>,
    left: usize,
    flights: Box<[Flight]>,
}

impl Slots {
    /// `depth` free slots.
    pub fn new(depth: u16) -> Self {
        let none = Flight { start: 0, issued: 0, op: Op::NONE };
        Self { free: (0..depth).rev().collect(), left: usize::from(depth), flights: vec![none; usize::from(depth)].into() }
    }

    /// Free slots.
    #[inline(always)]
    pub fn free(&self) -> usize {
        self.left
    }

    /// Slots in use.
    #[inline(always)]
    pub fn in_flight(&self) -> usize {
        self.free.len() - self.left
    }

    /// Gives each of `ops` a slot; there are enough.
    #[inline(always)]
    pub fn assign(&mut self, ops: &mut [Op]) {
        let from = self.left - ops.len();
        for (op, slot) in ops.iter_mut().zip(&self.free[from..self.left]) {
            op.slot = *slot;
        }
        self.left = from;
    }

    /// Notes when `ops` were set up and when their submit returned.
    #[inline(always)]
    pub fn start(&mut self, ops: &[Op], start: Ticks, issued: Ticks) {
        for op in ops {
            self.flights[usize::from(op.slot)] = Flight { start, issued, op: *op };
        }
    }

    /// What flies in `slot`.
    #[inline(always)]
    pub fn flight(&mut self, slot: u16) -> &mut Flight {
        &mut self.flights[usize::from(slot)]
    }

    /// `slot` is free again.
    #[inline(always)]
    pub fn release(&mut self, slot: u16) {
        self.free[self.left] = slot;
        self.left += 1;
    }
}
