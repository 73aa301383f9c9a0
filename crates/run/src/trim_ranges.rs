//! Trims of several ranges (`num_range`): each range is a block that the job's pattern draws.

use crate::general::General;
use engine::{Kind, Op};

/// Pattern of trims with several ranges each.
#[derive(Debug)]
pub struct RangedTrims {
    /// Pattern of the ranges.
    pub ranges: Box<General>,
    /// Largest number of ranges of a trim.
    most: usize,
    /// Number of trims left in the budget of all passes.
    left: u64,
    /// A range of another file than the trim before it; it is the first one of the next trim.
    held: Option<Op>,
    /// Ranges of the trims in flight, by slot: offset and length in bytes.
    in_flight: Vec<Vec<(u64, u32)>>,
}

impl RangedTrims {
    /// Returns the pattern of trims of at most `most` ranges that `ranges` draws, `trims` trims in all passes together;
    /// `depth` is the largest number of trims in flight.
    pub fn new(ranges: General, most: usize, trims: u64, depth: usize) -> Self {
        let in_flight = (0..depth).map(|_| Vec::with_capacity(most)).collect();
        Self { ranges: Box::new(ranges), most, left: trims, held: None, in_flight }
    }

    /// Fills `ops` with the next trims; see [`crate::pattern::Pattern::fill`]. The offset of a trim is that of its first
    /// range, and its length is the sum over its ranges.
    pub fn fill(&mut self, ops: &mut [Op]) -> usize {
        for (n, op) in ops.iter_mut().enumerate() {
            if !self.fill_one(op) {
                return n;
            }
        }
        ops.len()
    }

    fn fill_one(&mut self, op: &mut Op) -> bool {
        let slot = usize::from(op.slot);
        self.in_flight[slot].clear();
        if self.left == 0 {
            return false;
        }
        let mut trim: Option<Op> = None;
        while self.in_flight[slot].len() < self.most {
            let Some(range) = self.next() else { break };
            match &mut trim {
                None => trim = Some(Op { slot: op.slot, ..range }),
                Some(trim) if trim.file == range.file => trim.len += range.len,
                Some(_) => {
                    self.held = Some(range);
                    break;
                }
            }
            self.in_flight[slot].push((range.offset, range.len));
        }
        let Some(trim) = trim else { return false };
        self.left -= 1;
        *op = trim;
        true
    }

    fn next(&mut self) -> Option<Op> {
        self.held.take().or_else(|| {
            let mut drawn = [Op { kind: Kind::Trim, ..Op::NONE }];
            (self.ranges.fill(&mut drawn) == 1).then_some(drawn[0])
        })
    }

    /// Returns the ranges of the trim in `slot`: offset and length in bytes.
    pub fn of(&self, slot: u16) -> &[(u64, u32)] {
        &self.in_flight[usize::from(slot)]
    }

    /// Records that the trim `op` has completed.
    pub fn completed(&mut self, op: &Op) {
        for (offset, len) in &self.in_flight[usize::from(op.slot)] {
            self.ranges.completed(&Op { offset: *offset, len: *len, ..*op });
        }
    }

    /// Returns whether the budget of all passes is used up.
    pub fn is_exhausted(&self) -> bool {
        self.left == 0 || self.held.is_none() && self.ranges.is_exhausted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::general::GeneralSpec;
    use crate::region::{Budget, Region};
    use job::distribution::{Places, Sizes};
    use job::job::{FileService, Mix, Order};
    use proptest::prelude::*;

    fn general(files: u64, random: bool, seed: u64) -> General {
        let spec = GeneralSpec {
            mix: Mix::Trim,
            order: if random { Order::Random { run: 1 } } else { Order::Sequential { skip: 0 } },
            block: [(4096, 4096); 3],
            sizes: Sizes::default(),
            places: Places::default(),
            random_map: true,
            syncs: Vec::new(),
            range_flags: 0,
            serialize: false,
            depth: 4,
            service: FileService::RoundRobin(1),
            open_files: 0,
            seed,
        };
        let region =
            |n| Region { start: n << 20, length: 4096 * (90 + n), ends_file: false, room: 4096 * (90 + n) };
        let regions: Vec<Region> = (0..files).map(region).collect();
        General::new(spec, &regions, Budget { bytes: u64::MAX, ios: u64::MAX, wraps: false })
    }

    proptest! {
        /// The ranges of all trims, one after the other, are the trims of a job with one range per trim; each trim has
        /// one file, the length of its ranges, and the full number of ranges except before another file and at the end.
        #[test]
        fn ranges_of_trims_are_what_the_pattern_draws(
            files in 1u64..3, random: bool, most in 1usize..20, depth in 1usize..5, seed: u64,
        ) {
            let drawn = |general: &mut General| {
                let mut op = [Op::NONE];
                (general.fill(&mut op) == 1).then(|| (op[0].file, op[0].offset, op[0].len))
            };
            let mut single = general(files, random, seed);
            let expected: Vec<_> = std::iter::from_fn(|| drawn(&mut single)).collect();
            let mut trims = RangedTrims::new(general(files, random, seed), most, u64::MAX, depth);
            let (mut found, mut short) = (Vec::new(), 0);
            loop {
                let mut ops: Vec<Op> = (0..depth as u16).map(|slot| Op { slot, ..Op::NONE }).collect();
                let n = trims.fill(&mut ops);
                if n == 0 {
                    break;
                }
                for op in &ops[..n] {
                    let ranges = trims.of(op.slot);
                    prop_assert_eq!(op.kind, Kind::Trim);
                    prop_assert_eq!(op.offset, ranges[0].0);
                    prop_assert_eq!(u64::from(op.len), ranges.iter().map(|range| u64::from(range.1)).sum::<u64>());
                    prop_assert!(ranges.len() <= most);
                    short += usize::from(ranges.len() < most);
                    found.extend(ranges.iter().map(|(offset, len)| (op.file, *offset, *len)));
                }
            }
            prop_assert_eq!(&found, &expected);
            let changes = expected.windows(2).filter(|pair| pair[0].0 != pair[1].0).count();
            prop_assert!(short <= changes + 1, "{} trims are short, the file changes {} times", short, changes);
        }
    }

    #[test]
    fn budget_of_trims_ends_the_job_within_a_pass() {
        let mut trims = RangedTrims::new(general(1, false, 1), 4, 3, 1);
        let mut op = [Op::NONE];
        let lengths: Vec<u32> =
            std::iter::from_fn(|| (trims.fill(&mut op) == 1).then_some(op[0].len)).collect();
        assert_eq!(lengths, [16384; 3]);
        assert!(trims.is_exhausted());
    }
}
