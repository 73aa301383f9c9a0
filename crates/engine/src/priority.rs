//! I/O priorities that some operations carry and others do not (fio's `cmdprio`).

use crate::Op;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Share of the operations of one direction that have a given I/O priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Size in bytes of these operations; `None` for all sizes.
    pub len: Option<u32>,
    /// Percentage of these operations.
    pub percent: u8,
    /// Their I/O priority in the format of ioprio_set.
    pub value: u16,
    /// Index of the priority in the list of the job; 0 is the priority of the thread.
    pub number: u8,
}

/// Priorities of reads and writes.
#[derive(Clone, Debug)]
pub struct Priorities {
    shares: [Vec<Share>; 2],
    rng: Xoshiro256PlusPlus,
    /// Index of the priority of the operation in each slot.
    numbers: Box<[u8]>,
}

impl Priorities {
    /// Returns priorities for `depth` slots; shares for the same operations add up to at most 100.
    pub fn new(shares: [Vec<Share>; 2], seed: u64, depth: usize) -> Self {
        Self { shares, rng: Xoshiro256PlusPlus::seed_from_u64(seed), numbers: vec![0; depth].into() }
    }

    /// Draws the priority of `op`; `None` is the priority of the thread.
    pub fn draw(&mut self, op: &Op) -> Option<u16> {
        let share = self.share(op);
        self.numbers[usize::from(op.slot)] = share.map_or(0, |share| share.number);
        share.map(|share| share.value)
    }

    /// Returns the index of the priority that was drawn last for a slot.
    pub fn number(&self, slot: u16) -> u8 {
        self.numbers[usize::from(slot)]
    }

    fn share(&mut self, op: &Op) -> Option<Share> {
        let shares = self.shares.get(op.kind as usize)?;
        let mut left = ((u128::from(self.rng.next_u64()) * 100) >> 64) as u8;
        for share in shares.iter().filter(|share| share.len.is_none_or(|len| len == op.len)) {
            if left < share.percent {
                return Some(*share);
            }
            left -= share.percent;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn shares_are_kept_by_direction_and_size() {
        let share = |len, percent, value| Share { len, percent, value, number: value as u8 };
        let all = vec![share(None, 30, 7)];
        let by_size = vec![share(Some(4096), 60, 1), share(Some(8192), 100, 2), share(Some(4096), 40, 3)];
        let mut priorities = Priorities::new([all, by_size], 5, 4);
        let mut count = |kind, len, value| {
            let op = Op { kind, len, slot: 3, ..Op::NONE };
            let mut drawn = || {
                let drawn = priorities.draw(&op);
                assert_eq!(u16::from(priorities.number(3)), drawn.unwrap_or(0));
                drawn
            };
            (0..10_000).filter(|_| drawn() == value).count()
        };
        let near = |count: usize, percent: usize| {
            assert!(count.abs_diff(percent * 100) < 250, "{count}, {percent} %")
        };
        near(count(Kind::Read, 512, Some(7)), 30);
        near(count(Kind::Read, 512, None), 70);
        near(count(Kind::Write, 4096, Some(1)), 60);
        near(count(Kind::Write, 4096, Some(3)), 40);
        near(count(Kind::Write, 8192, Some(2)), 100);
        near(count(Kind::Write, 512, None), 100);
        near(count(Kind::Fsync, 4096, None), 100);
    }
}
