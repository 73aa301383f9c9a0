//! Charts of TKperf's tests of hard disks: rate by area of the disk.

use super::{Drawing, marked, quantity_axis};
use crate::catalog::say;
use crate::chart::{Axis, Chart, Dot, Quantity};
use crate::pts_names as names;
use stats::pts::{PtsQuantity, PtsSlices};

impl Drawing<'_> {
    pub(super) fn slices(&self, slices: &PtsSlices, quantity: PtsQuantity) -> Vec<Chart> {
        let lang = self.lang;
        let line = |load| {
            let points = slices.by_slice(&load, quantity).into_iter();
            let points = points.map(|(slice, value)| Dot::new(f64::from(slice), value).short());
            marked(names::load(lang, &load), points.collect())
        };
        let lines = slices.cells.iter().map(|cell| line(cell.load)).collect();
        let y = quantity_axis(quantity, lang);
        // IOPS of reads and writes may differ by orders of magnitude.
        let y = if quantity == PtsQuantity::Iops { Axis::log(y.label, y.quantity) } else { y };
        let x = Axis::linear(say!(lang, "pts-axis-slice"), Quantity::Count);
        let size = crate::scale::bytes(slices.slice_bytes);
        let note = say!(lang, "pts-note-slices", size);
        self.lines("slices", say!(lang, "pts-slices"), note, (x, y), lines).into_iter().collect()
    }
}
