//! The general pattern on zoned devices: an operation goes to the place that its zone gives it.

use super::General;
use super::offsets::UNSTARTED;
use crate::zoned::{Placed, Zoned};
use engine::{Kind, Op};

impl General {
    /// Returns the pattern with the rules of zoned devices. Ranges in flight are not tracked: an operation may move to
    /// another place.
    pub(crate) fn in_zones(mut self, zoned: Zoned) -> Self {
        self.zoned = Some(Box::new(zoned));
        self.in_flight = None;
        self
    }

    /// Returns whether the pattern obeys the rules of zoned devices.
    pub(crate) fn is_zoned(&self) -> bool {
        self.zoned.is_some()
    }

    /// Returns the rules of zoned devices.
    pub(crate) fn zoned_mut(&mut self) -> Option<&mut Zoned> {
        self.zoned.as_deref_mut()
    }

    /// Returns the rules of zoned devices; `None` without them.
    pub(crate) fn zoned(&self) -> Option<&Zoned> {
        self.zoned.as_deref()
    }

    /// Fills `ops` as [`General::fill`] does, in a job that may have the rules of zoned devices. Other jobs do not call
    /// this function, so that they do not pay for the question.
    pub(crate) fn fill_in_zones(&mut self, ops: &mut [Op]) -> usize {
        if self.zoned.is_none() {
            return self.fill(ops);
        }
        let mut n = 0;
        while n < ops.len() {
            let Some(op) = self.next_in_zones() else { break };
            ops[n] = Op { slot: ops[n].slot, ..op };
            n += 1;
            if self.syncs_alone && (self.last_was_sync || self.due_sync().is_some()) {
                break;
            }
        }
        n
    }

    /// Returns the next operation at the place that its zone gives it.
    fn next_in_zones(&mut self) -> Option<Op> {
        // A sequential pass ends where no place is left; the next pass finds one, or there is none.
        for _ in 0..2 {
            let drawn = self.next()?;
            if !matches!(drawn.kind, Kind::Read | Kind::Write) {
                return Some(drawn);
            }
            let file = drawn.file as usize;
            let start = self.files[file].region.start;
            let unwritten = match self.files[file].at[1] {
                UNSTARTED => start,
                at => start + at.min(self.files[file].region.length.saturating_sub(1)),
            };
            let unwritten = if self.in_order() { unwritten } else { drawn.offset };
            match self.zoned.as_mut()?.place(drawn, unwritten) {
                Placed::At(op) => {
                    self.account(&drawn, Some(&op));
                    return Some(op);
                }
                Placed::Busy => {
                    (self.held, self.blocked) = (Some(drawn), true);
                    return None;
                }
                Placed::Over => {
                    self.account(&drawn, None);
                    if !self.in_order() {
                        return None;
                    }
                    self.files[file].at[drawn.kind as usize] = self.files[file].region.length;
                }
            }
        }
        None
    }
}
