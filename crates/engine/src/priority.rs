//! I/O priorities that some operations carry and others do not (fio's `cmdprio`).

use crate::Op;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A share of the operations of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Of those with so many bytes; `None` = of all.
    pub len: Option<u32>,
    /// Percent.
    pub percent: u8,
    /// Their priority, as ioprio_set has it: class and level.
    pub value: u16,
}

/// Priorities of reads and writes.
#[derive(Clone, Debug)]
pub struct Priorities {
    shares: [Vec<Share>; 2],
    dice: Xoshiro256PlusPlus,
}

impl Priorities {
    /// With these shares, of which those for the same operations come to 100 at most.
    pub fn new(shares: [Vec<Share>; 2], seed: u64) -> Self {
        Self { shares, dice: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// That of `op`; `None` = the thread's.
    pub fn draw(&mut self, op: &Op) -> Option<u16> {
        let shares = self.shares.get(op.kind as usize)?;
        let mut left = ((u128::from(self.dice.next_u64()) * 100) >> 64) as u8;
        for share in shares.iter().filter(|share| share.len.is_none_or(|len| len == op.len)) {
            if left < share.percent {
                return Some(share.value);
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
        let all = vec![Share { len: None, percent: 30, value: 7 }];
        let by_size = vec![
            Share { len: Some(4096), percent: 60, value: 1 },
            Share { len: Some(8192), percent: 100, value: 2 },
            Share { len: Some(4096), percent: 40, value: 3 },
        ];
        let mut priorities = Priorities::new([all, by_size], 5);
        let mut count = |kind, len, value| {
            let op = Op { kind, len, ..Op::NONE };
            (0..10_000).filter(|_| priorities.draw(&op) == value).count()
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
