//! The allowance of `--wear-budget`: a write is issued only if its bytes are left, and the job ends at the first that is
//! not. A write through the page cache counts as the pages that it touches, because the kernel writes whole pages.

use super::Extra;
use crate::assignment::Assignment;
use crate::wear::{WriteAllowance, written_unit};
use crate::worker::Worker;
use engine::{Engine, Kind, Op, RingDead};

/// Takes the bytes of each write from the allowance that all workers share.
#[derive(Debug)]
pub(crate) struct Allowance<'a> {
    allowance: &'a WriteAllowance,
    /// Unit in which writes reach the device, bytes.
    unit: u64,
}

impl<'a> Allowance<'a> {
    /// Returns `Some` if the job writes and the command has a budget.
    pub(crate) fn of<E: Engine>(a: &Assignment<'a>, _: &mut Worker<'a, E>) -> Option<Self> {
        let allowance = a.allowance.filter(|_| a.writes() && a.job().engine.needs_files())?;
        Some(Self { allowance, unit: written_unit(a.job()) })
    }
}

impl<E: Engine> Extra<E> for Allowance<'_> {
    #[inline(never)]
    fn before_issue(&mut self, w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        let ops = w.slots.next(n);
        let fits = |op: &Op| {
            let end = op.offset.saturating_add(u64::from(op.len)).div_ceil(self.unit);
            self.allowance.take((end - op.offset / self.unit).saturating_mul(self.unit))
        };
        let refused = ops.iter().position(|op| op.kind == Kind::Write && !fits(op));
        if refused.is_some() {
            w.live = false;
        }
        Ok(refused.unwrap_or(n))
    }
}
