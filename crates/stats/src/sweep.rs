//! Sweep of a grid of loads: rows with intervals between the visits, and the best of them.

mod combined;
mod rows;
#[cfg(test)]
mod tests;

pub use crate::sweep_grid::{Arrivals, SweepAsked, SweepCell, SweepRow, SweepTable};
pub use combined::combined;
pub use rows::{SweepBest, SweepEdge, SweepNoBest, SweepNoBestReason, best, row_of_file, rows, without_best};
