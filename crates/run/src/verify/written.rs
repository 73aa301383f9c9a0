//! Record of what was written to a file: for each unit, the number of the write that it has to contain. Four bytes per
//! unit, whatever the number of I/Os.
//!
//! Where several writes to one unit are in flight at a time, any of them may be the last on the device. Such units are
//! rare; their candidates are kept in a list beside the record.

use std::collections::BTreeMap;

/// A write to the unit is in flight.
const IN_FLIGHT: u32 = 1 << 31;
/// Writes to the unit overlapped in time: their numbers are in [`Written::contests`].
const CONTESTED: u32 = 1 << 30;
/// The unit begins with a header, or would if the blocks had headers.
const FIRST: u32 = 1 << 29;
/// The number of the last write, or of the last trim with [`TRIM`]; 0 = none.
const WRITE: u32 = FIRST - 1;
/// In the number of a write: it is a trim.
const TRIM: u32 = 1 << 28;

/// Returns whether this number of a write is that of a trim.
pub(crate) fn is_trim(write: u32) -> bool {
    write & TRIM != 0
}

/// Returns the number of a write or trim as a number in the order in which they began.
pub(crate) fn order(write: u32) -> u32 {
    write & !TRIM
}

/// Writes to one unit that overlapped in time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Contest {
    /// Writes of which any may be the last on the device.
    candidates: Vec<u32>,
    in_flight: Vec<u32>,
}

/// What a unit has to contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected<'a> {
    /// Nothing is known: the unit was not written, or a write failed.
    Unknown,
    /// A write is in flight.
    Changing,
    /// The data of this write; zeros if it is a trim (see [`is_trim`]).
    Write(u32),
    /// The data of any of these writes or trims.
    AnyOf(&'a [u32]),
}

/// Record of the writes to a region of a file.
#[derive(Debug)]
pub(crate) struct Written {
    /// Offset of the region in the file in bytes.
    start: u64,
    /// Size of a unit in bytes.
    unit: u64,
    /// Last write to each unit. Untouched pages of this table take no memory.
    units: Vec<u32>,
    contests: BTreeMap<usize, Contest>,
    last: u32,
}

impl Written {
    /// Returns the record of a region in which nothing was written.
    pub(crate) fn new(start: u64, length: u64, unit: u64) -> Self {
        let unit = unit.max(1);
        let units = usize::try_from(length.div_ceil(unit)).unwrap_or(usize::MAX);
        Self { start, unit, units: vec![0; units], contests: BTreeMap::new(), last: 0 }
    }

    /// Returns the record of the same region in which nothing was written.
    pub(crate) fn fresh(&self) -> Self {
        Self { units: vec![0; self.units.len()], contests: BTreeMap::new(), last: 0, ..*self }
    }

    /// Returns the number of the last write to the file.
    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// Returns the size of a unit in bytes.
    pub(crate) fn unit(&self) -> u64 {
        self.unit
    }

    /// Returns the number of units of the region.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// Returns the units from `offset` to `offset + length`, without those outside the region.
    pub(crate) fn range(&self, offset: u64, length: u64) -> std::ops::Range<usize> {
        let at =
            |byte: u64| usize::try_from(byte.saturating_sub(self.start) / self.unit).unwrap_or(usize::MAX);
        let end = at(offset.saturating_add(length).saturating_add(self.unit - 1)).min(self.units.len());
        at(offset).min(end)..end
    }

    /// Returns the offset of a unit in the file in bytes.
    pub(crate) fn offset(&self, unit: usize) -> u64 {
        self.start + unit as u64 * self.unit
    }

    /// Returns the number of the next write.
    pub(crate) fn draw(&mut self) -> u32 {
        // After 2^28 writes, numbers are used again.
        self.last = if self.last == TRIM - 1 { 1 } else { self.last + 1 };
        self.last
    }

    /// Returns the number of the next trim. Trims and writes are recorded alike.
    pub(crate) fn draw_trim(&mut self) -> u32 {
        self.draw() | TRIM
    }

    /// Records that a write begins, whose blocks have a header in every `step`-th unit.
    #[inline]
    pub(crate) fn begin(&mut self, range: std::ops::Range<usize>, step: usize, write: u32) {
        let mut left = 0;
        for at in range {
            let first = if left == 0 { FIRST } else { 0 };
            left = if left == 0 { step } else { left } - 1;
            let entry = self.units[at];
            if entry & (IN_FLIGHT | CONTESTED) == 0 {
                self.units[at] = write | first | IN_FLIGHT;
            } else {
                self.contest(at, entry, write | first);
            }
        }
    }

    #[cold]
    fn contest(&mut self, at: usize, entry: u32, marked: u32) {
        let write = marked & WRITE;
        let mut contest = self
            .contests
            .remove(&at)
            .unwrap_or_else(|| Contest { candidates: Vec::new(), in_flight: vec![entry & WRITE] });
        if contest.in_flight.is_empty() {
            self.units[at] = marked | IN_FLIGHT;
            return;
        }
        // A write that ended before this one began cannot be the last.
        contest.candidates.clone_from(&contest.in_flight);
        contest.candidates.push(write);
        contest.in_flight.push(write);
        self.contests.insert(at, contest);
        self.units[at] = marked | IN_FLIGHT | CONTESTED;
    }

    /// Records that a write has ended; a failed one leaves its units unknown.
    pub(crate) fn end(&mut self, range: std::ops::Range<usize>, write: u32, succeeded: bool) {
        for at in range {
            let entry = self.units[at];
            if entry & CONTESTED != 0 {
                self.end_contested(at, write, succeeded);
            } else if entry & WRITE == write {
                self.units[at] = if succeeded { entry & !IN_FLIGHT } else { 0 };
            }
        }
    }

    #[cold]
    fn end_contested(&mut self, at: usize, write: u32, succeeded: bool) {
        let Some(contest) = self.contests.get_mut(&at) else { return };
        contest.in_flight.retain(|other| *other != write);
        if !succeeded {
            // Without candidates, any content is right.
            contest.candidates.clear();
        }
        if contest.in_flight.is_empty() {
            self.units[at] &= !IN_FLIGHT;
        }
    }

    /// Records that the content of the units is no longer known.
    pub(crate) fn forget(&mut self, range: std::ops::Range<usize>) {
        for at in range {
            if self.units[at] & IN_FLIGHT == 0 {
                self.contests.remove(&at);
                self.units[at] = 0;
            }
        }
    }

    /// Returns the number of the last write or trim to a unit; 0 = none.
    pub(crate) fn last_to(&self, unit: usize) -> u32 {
        self.units[unit] & WRITE
    }

    /// Returns whether another write or trim to one of the units has begun after the write `last`, or the content of one
    /// is no longer known: what another clone trimmed in part has no number.
    pub(crate) fn changed_after(&self, range: std::ops::Range<usize>, last: u32) -> bool {
        range.into_iter().any(|unit| self.last_to(unit) == 0 || order(self.last_to(unit)) > last)
    }

    /// Returns whether the unit begins with a header.
    pub(crate) fn is_first(&self, unit: usize) -> bool {
        self.units[unit] & FIRST != 0
    }

    /// Returns whether a write to one of the units is in flight.
    pub(crate) fn is_changing(&self, range: std::ops::Range<usize>) -> bool {
        self.units[range].iter().any(|entry| entry & IN_FLIGHT != 0)
    }

    /// Returns what a block of these units, at least one, has to contain; unknown if its units differ: a trim or write
    /// of a part was in flight with that of the whole.
    pub(crate) fn expected_of(&self, mut range: std::ops::Range<usize>) -> Expected<'_> {
        let first = range.next().map_or(Expected::Unknown, |unit| self.expected(unit));
        let alike = range.all(|unit| self.expected(unit) == first);
        if alike { first } else { Expected::Unknown }
    }

    /// Returns what a unit has to contain.
    pub(crate) fn expected(&self, unit: usize) -> Expected<'_> {
        match self.units[unit] {
            0 => Expected::Unknown,
            entry if entry & IN_FLIGHT != 0 => Expected::Changing,
            entry if entry & CONTESTED == 0 => Expected::Write(entry & WRITE),
            _ => match self.contests.get(&unit).map(|contest| contest.candidates.as_slice()) {
                None | Some([]) => Expected::Unknown,
                Some(candidates) => Expected::AnyOf(candidates),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Clones that share a file, with trims of half a block.
    #[test]
    fn a_block_that_is_trimmed_in_part_is_not_known() {
        let mut written = Written::new(0, 8192, 4096);
        let (whole, half) = (0..2, 1..2);
        let write = written.draw();
        written.begin(whole.clone(), 2, write);
        written.end(whole.clone(), write, true);
        assert_eq!(written.expected_of(whole.clone()), Expected::Write(write));
        let last = written.last();
        assert!(!written.changed_after(whole.clone(), last));
        // While the block is read, another clone trims its second half.
        let trim = written.draw_trim();
        written.begin(half.clone(), 2, trim);
        written.end(half.clone(), trim, false);
        assert!(written.changed_after(whole.clone(), last));
        // A trim of the second half is in flight when a write of the block begins and ends.
        let trim = written.draw_trim();
        written.begin(half.clone(), 2, trim);
        let write = written.draw();
        written.begin(whole.clone(), 2, write);
        written.end(whole.clone(), write, true);
        written.end(half, trim, false);
        assert_eq!(written.expected(0), Expected::Write(write));
        assert_eq!(written.expected_of(whole), Expected::Unknown);
    }

    proptest! {
        /// Writes of random sizes begin and end in random order. A unit may contain exactly those writes after which no
        /// other one began; a simple list of all begins and ends says which.
        #[test]
        fn candidates_are_the_writes_that_may_be_last(
            steps in prop::collection::vec((0usize..12, 1usize..5, any::<bool>(), 0usize..8), 1..80),
        ) {
            let mut written = Written::new(4096, 16 * 512, 512);
            // Per unit: (number, begin, end) of all writes.
            let mut all: Vec<Vec<(u32, usize, Option<usize>)>> = vec![Vec::new(); 16];
            let mut open: Vec<(u32, std::ops::Range<usize>)> = Vec::new();
            for (now, (at, n, begins, which)) in steps.into_iter().enumerate() {
                if begins || open.is_empty() {
                    let range = written.range(4096 + at as u64 * 512, n as u64 * 512);
                    prop_assert_eq!(&range, &(at..at + n));
                    let write = written.draw();
                    written.begin(range.clone(), 1, write);
                    range.clone().for_each(|unit| all[unit].push((write, now, None)));
                    open.push((write, range));
                } else {
                    let (write, range) = open.remove(which % open.len());
                    written.end(range.clone(), write, true);
                    for unit in range {
                        all[unit].iter_mut().filter(|w| w.0 == write).for_each(|w| w.2 = Some(now));
                    }
                }
                for (unit, writes) in all.iter().enumerate() {
                    let last: BTreeSet<u32> = writes
                        .iter()
                        .filter(|w| w.2.is_none_or(|end| writes.iter().all(|other| other.1 < end)))
                        .map(|w| w.0)
                        .collect();
                    let changing = writes.iter().any(|w| w.2.is_none());
                    let got: BTreeSet<u32> = match written.expected(unit) {
                        Expected::Unknown => BTreeSet::new(),
                        Expected::Changing => {
                            prop_assert!(changing);
                            continue;
                        }
                        Expected::Write(write) => [write].into(),
                        Expected::AnyOf(list) => list.iter().copied().collect(),
                    };
                    prop_assert!(!changing);
                    prop_assert_eq!(got, last, "unit {}", unit);
                }
            }
        }
    }
}
