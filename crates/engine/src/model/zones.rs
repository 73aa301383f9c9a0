//! Write pointers of a simulated zoned device.

use super::ZoneRules;
use crate::{Kind, Op};
use std::collections::BTreeMap;

/// Zones of a simulated device: their write pointers, and the numbers of refused and unusual requests.
#[derive(Debug)]
pub struct Zones {
    rules: ZoneRules,
    /// Written bytes of each zone that is not empty, by number.
    written: BTreeMap<u64, u64>,
    open: u32,
    /// Number of writes so far, for the planted errors.
    writes: u64,
    /// Number of writes that failed after half of their bytes.
    pub failed: u64,
    /// Largest number of zones that were partly written at a time.
    pub most_open: u32,
    /// Number of writes that were refused: off the write pointer, beyond the capacity, or in one zone too many.
    pub refused: u64,
    /// Number of reads that reached beyond a write pointer; they succeed.
    pub beyond: u64,
    /// Number of resets.
    pub resets: u64,
}

impl Zones {
    pub(super) fn new(rules: ZoneRules) -> Self {
        Self {
            rules,
            written: BTreeMap::new(),
            open: 0,
            writes: 0,
            failed: 0,
            most_open: 0,
            refused: 0,
            beyond: 0,
            resets: 0,
        }
    }

    fn written(&self, zone: u64) -> u64 {
        self.written.get(&zone).copied().unwrap_or(0)
    }

    fn partly(&self, zone: u64) -> bool {
        (1..self.rules.capacity).contains(&self.written(zone))
    }

    /// Returns whether the device performs `op` at byte `place`; a write that it performs moves the write pointer.
    pub(super) fn accepts(&mut self, op: &Op, place: u64) -> bool {
        let place = place + u64::from(op.done);
        let (zone, within, bytes) =
            (place / self.rules.size, place % self.rules.size, u64::from(op.len - op.done));
        let written = self.written(zone);
        match op.kind {
            Kind::Read => self.beyond += u64::from(within + bytes > written),
            Kind::Write => {
                let opens = written == 0 && bytes < self.rules.capacity;
                let too_many = opens && self.rules.most_open > 0 && self.open >= self.rules.most_open;
                if within != written || written + bytes > self.rules.capacity || too_many {
                    self.refused += 1;
                    return false;
                }
                self.writes += 1;
                if self.rules.errors > 0 && self.writes.is_multiple_of(u64::from(self.rules.errors)) {
                    self.failed += 1;
                    self.set(zone, written + bytes / 2);
                    return false;
                }
                self.set(zone, written + bytes);
            }
            _ => {}
        }
        true
    }

    /// Resets or finishes the zone at byte `place`.
    pub(super) fn manage(&mut self, place: u64, finish: bool) {
        self.resets += u64::from(!finish);
        self.set(place / self.rules.size, if finish { self.rules.capacity } else { 0 });
    }

    /// Returns the offset of the write pointer of the zone at byte `place`.
    pub(super) fn write_pointer(&self, place: u64) -> u64 {
        let zone = place / self.rules.size;
        zone * self.rules.size + self.written(zone)
    }

    fn set(&mut self, zone: u64, written: u64) {
        let before = self.partly(zone);
        self.written.insert(zone, written);
        self.open = self.open + u32::from(self.partly(zone)) - u32::from(before);
        self.most_open = self.most_open.max(self.open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(kind: Kind, len: u32) -> Op {
        Op { kind, len, ..Op::NONE }
    }

    /// A zone takes writes at its write pointer only, up to its capacity, and again after a reset; one zone may be
    /// partly written.
    #[test]
    fn zones_refuse_writes_off_the_write_pointer() {
        let mut zones = Zones::new(ZoneRules { size: 100, capacity: 80, most_open: 1, errors: 0 });
        let mut write = |at, len| zones.accepts(&op(Kind::Write, len), at);
        assert!(
            write(0, 40) && !write(0, 40) && !write(50, 10) && !write(40, 50),
            "off the pointer, too long"
        );
        assert!(!write(100, 10), "a second open zone");
        assert!(write(40, 40) && write(100, 10), "the first zone is full and no longer open");
        assert!(zones.accepts(&op(Kind::Read, 80), 0) && zones.accepts(&op(Kind::Read, 11), 100));
        zones.manage(0, false);
        zones.manage(100, true);
        assert!(zones.accepts(&op(Kind::Write, 80), 0), "a whole zone never counts as open");
        assert_eq!((zones.refused, zones.beyond, zones.resets, zones.most_open), (4, 1, 1, 1));
    }

    #[test]
    fn planted_errors_leave_the_write_pointer_in_the_middle() {
        let mut zones = Zones::new(ZoneRules { size: 100, capacity: 80, most_open: 0, errors: 2 });
        assert!(zones.accepts(&op(Kind::Write, 20), 100) && !zones.accepts(&op(Kind::Write, 20), 120));
        assert_eq!((zones.write_pointer(199), zones.failed, zones.refused), (130, 1, 0));
        assert!(zones.accepts(&op(Kind::Write, 50), 130), "the zone goes on there");
    }
}
