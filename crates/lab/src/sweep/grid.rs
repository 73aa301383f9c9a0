//! Cells of a sweep: bench-fio's grid, and the tables of the parameter study of an HDD and an SSD (seed 000).

use stats::study::Access;
use stats::sweep::{SweepCell, SweepTable};

/// Values of the options of a sweep; an empty list stands for the values of the table.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Patterns without block size: `rw` and the percentages of reads of mixes.
    pub patterns: Vec<(String, Option<u32>)>,
    /// Block sizes, bytes.
    pub bs: Vec<u64>,
    /// `iodepth`.
    pub iodepth: Vec<u32>,
    /// `numjobs`.
    pub numjobs: Vec<u32>,
    /// Runtimes, seconds.
    pub runtime_s: Vec<f64>,
    /// Offered rates, percent of the maximum.
    pub percents: Vec<f64>,
}

/// Largest number of cells of a sweep.
pub const MOST_CELLS: usize = 10_000;

/// Block size of random patterns in the tables of the study, bytes.
const RANDOM: u64 = 4 << 10;
/// Block size of sequential patterns in the tables of the study, bytes.
const SEQUENTIAL: u64 = 64 << 10;

fn powers(from: u64, to: u64) -> Vec<u64> {
    std::iter::successors(Some(from), |n| n.checked_mul(2)).take_while(|n| *n <= to).collect()
}

fn depths(to: u64) -> Vec<u32> {
    powers(1, to).into_iter().filter_map(|n| u32::try_from(n).ok()).collect()
}

fn or<T: Clone>(given: &[T], usual: Vec<T>) -> Vec<T> {
    if given.is_empty() { usual } else { given.to_vec() }
}

/// Returns the cells of a table, in its order. Where `values` gives none, those of the study are taken; for the grid,
/// those of bench-fio.
pub fn cells(table: SweepTable, values: &Values) -> Vec<SweepCell> {
    let (one, usual_s) = (vec![1], if table == SweepTable::Grid { 60.0 } else { 30.0 });
    let runtimes = match table {
        SweepTable::Runtime => vec![10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 90.0],
        _ => vec![usual_s],
    };
    let iodepth = match table {
        SweepTable::Grid | SweepTable::Product => depths(64),
        SweepTable::Iodepth => depths(16),
        SweepTable::Curve => vec![32],
        _ => one.clone(),
    };
    let numjobs = match table {
        SweepTable::Grid => depths(64),
        SweepTable::Numjobs | SweepTable::Product => depths(16),
        _ => one,
    };
    let patterns: &[&str] = match table {
        SweepTable::Grid | SweepTable::Product | SweepTable::Curve => &["randread"],
        SweepTable::Bs => &["randread", "randwrite", "read", "write"],
        _ => &["randread", "randwrite", "read", "write"],
    };
    let patterns = or(&values.patterns, patterns.iter().map(|rw| ((*rw).to_string(), None)).collect());
    let runtimes = or(&values.runtime_s, runtimes);
    let (iodepth, numjobs) = (or(&values.iodepth, iodepth), or(&values.numjobs, numjobs));
    let offered: Vec<Option<f64>> =
        std::iter::once(None).chain(values.percents.iter().copied().map(Some)).collect();
    let mut cells = Vec::new();
    for (rw, reads) in &patterns {
        let sizes = match table {
            SweepTable::Bs => powers(1 << 10, 64 << 20),
            SweepTable::Grid => vec![RANDOM],
            _ if rw.starts_with("rand") => vec![RANDOM],
            _ => vec![SEQUENTIAL],
        };
        for bs in or(&values.bs, sizes) {
            let access = Access { rw: rw.clone(), bs, reads: *reads, sync: None };
            for &runtime_s in &runtimes {
                for &numjobs in &numjobs {
                    for &iodepth in &iodepth {
                        let cell = |percent| SweepCell {
                            access: access.clone(),
                            iodepth,
                            numjobs,
                            runtime_s,
                            percent,
                        };
                        cells.extend(offered.iter().map(|percent| cell(*percent)));
                        if cells.len() > MOST_CELLS {
                            return cells;
                        }
                    }
                }
            }
        }
    }
    // The study sorts this table by the product.
    if table == SweepTable::Product {
        let place = |cell: &SweepCell| {
            patterns.iter().position(|(rw, reads)| *rw == cell.access.rw && *reads == cell.access.reads)
        };
        cells.sort_by_key(|cell| (place(cell), cell.access.bs, cell.in_flight(), cell.numjobs));
    }
    cells
}

/// Divides cells into those that a target of `size` bytes with sectors of `sector` bytes can have, and the others.
pub fn fitting(cells: Vec<SweepCell>, size: u64, sector: u64) -> (Vec<SweepCell>, Vec<SweepCell>) {
    let fits = |cell: &SweepCell| {
        let jobs = if cell.access.random() { 1 } else { u64::from(cell.numjobs) };
        cell.access.bs.is_multiple_of(sector.max(1)) && cell.access.bs.saturating_mul(jobs) <= size
    };
    cells.into_iter().partition(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_values_of_the_study() {
        let of = |table| cells(table, &Values::default());
        let count = |table| of(table).len();
        assert_eq!((count(SweepTable::Runtime), count(SweepTable::Bs)), (4 * 7, 4 * 17));
        assert_eq!((count(SweepTable::Iodepth), count(SweepTable::Numjobs)), (4 * 5, 4 * 5));
        assert_eq!((count(SweepTable::Product), count(SweepTable::Grid)), (5 * 7, 7 * 7));
        let runtime: Vec<f64> = of(SweepTable::Runtime)[..7].iter().map(|c| c.runtime_s).collect();
        assert_eq!(runtime, [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 90.0]);
        let bs: Vec<u64> = of(SweepTable::Bs)[..17].iter().map(|c| c.access.bs).collect();
        assert_eq!((bs[0], bs[16]), (1024, 64 << 20));
        let product: Vec<u32> = of(SweepTable::Product).iter().map(SweepCell::in_flight).collect();
        assert!(product.is_sorted() && product.last() == Some(&1024));
        let bytes: Vec<u64> = of(SweepTable::Iodepth).iter().step_by(5).map(|c| c.access.bs).collect();
        assert_eq!(bytes, [4096, 4096, 65536, 65536]);
    }

    #[test]
    fn cell_that_a_target_cannot_have_is_left_out() {
        let values = Values { bs: vec![512, 4096, 1 << 20], numjobs: vec![1, 8], ..Values::default() };
        let (fit, left) = fitting(cells(SweepTable::Numjobs, &values), 4 << 20, 4096);
        assert!(left.iter().all(|c| c.access.bs == 512 || !c.access.random() && c.numjobs == 8));
        assert_eq!((fit.len(), left.len()), (4 * 6 - 4 * 2 - 2, 4 * 2 + 2));
    }
}
