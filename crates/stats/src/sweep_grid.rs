//! Request of a sweep: its cells, the order of their visits, and the figures of a cell.

use crate::access::Access;
use crate::estimate::Estimate;
use crate::finding::{Finding, Grade};
use serde::{Deserialize, Serialize};

/// Kind of a sweep, which decides the columns of its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepTable {
    /// Every combination of the given values, as bench-fio measures them.
    #[default]
    Grid,
    /// Runtimes.
    Runtime,
    /// Block sizes.
    Bs,
    /// Queue depths of one job.
    Iodepth,
    /// Numbers of jobs of depth 1.
    Numjobs,
    /// Queue depths and numbers of jobs, by their product.
    Product,
    /// Offered rates, in percent of the maximum.
    Curve,
}

/// Arrivals of a load with an offered rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Random arrivals (`rate_process=poisson`).
    #[default]
    Poisson,
    /// Equal distances (`rate_process=linear`).
    Uniform,
}

/// One load of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepCell {
    /// Access pattern with the block size.
    pub access: Access,
    /// `iodepth` of each job.
    pub iodepth: u32,
    /// Number of jobs.
    pub numjobs: u32,
    /// Shortest counted time of a visit, seconds.
    pub runtime_s: f64,
    /// Offered rate, percent of the maximum of the cell without a rate; `None` without a rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
}

impl SweepCell {
    /// Returns the maximum number of I/Os in flight over all jobs.
    pub fn in_flight(&self) -> u32 {
        self.iodepth.saturating_mul(self.numjobs)
    }

    /// Returns whether two cells differ at most in the offered rate.
    pub fn is_same_load(&self, other: &SweepCell) -> bool {
        self.access == other.access && (self.iodepth, self.numjobs) == (other.iodepth, other.numjobs)
    }
}

/// Combined result of the visits to a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    /// Number of the cell.
    pub cell: usize,
    /// Number of visits that the figures are of.
    pub visits: u32,
    /// Number of visits that did not measure the device; they do not count unless all are such visits.
    pub unusable: u32,
    /// Whether the figures were read from a file and have no visits.
    pub imported: bool,
    /// Offered rate, I/Os per second; `None` without a rate.
    pub offered: Option<f64>,
    /// I/Os per second with the 95 % interval.
    pub iops: Estimate,
    /// Bandwidth, bytes per second, with the 95 % interval.
    pub bytes_per_second: Estimate,
    /// Mean latency, nanoseconds, with the 95 % interval.
    pub mean_ns: Estimate,
    /// Median latency of all visits, nanoseconds.
    pub p50_ns: Option<u64>,
    /// 99th percentile of latency of all visits, nanoseconds; `None` if too few I/Os are above.
    pub p99_ns: Option<u64>,
    /// 99.9th percentile of latency of all visits, nanoseconds; `None` if too few I/Os are above.
    pub p999_ns: Option<u64>,
    /// Longest latency, nanoseconds.
    pub max_ns: u64,
    /// Mean utilization of the uppermost device, percent; `None` without a device.
    pub util_percent: Option<f64>,
    /// Counted time of all visits, seconds.
    pub seconds: f64,
    /// Counted I/Os of all visits.
    pub ios: u64,
    /// I/Os that failed.
    pub errors: u64,
    /// Worst grade of the visits; of a row that was read from a file the grade in the file, `None` if it has none.
    pub grade: Option<Grade>,
    /// Findings of the visits, each rule once.
    pub findings: Vec<Finding>,
}

/// Request of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SweepAsked {
    /// Kind of the sweep.
    pub table: SweepTable,
    /// Loads in the order of the table.
    pub cells: Vec<SweepCell>,
    /// Number of visits to each cell.
    pub repeats: u32,
    /// Shortest time under load before a visit counts, seconds.
    pub ramp_s: f64,
    /// Arrivals of cells with an offered rate.
    pub arrivals: Arrivals,
    /// Options of every job in addition to those of the cell.
    pub options: Vec<String>,
    /// Tree of bench-fio that the sweep continues.
    pub bench_fio: Option<String>,
    /// Cells of the tree that were measured before.
    pub imported: Vec<SweepRow>,
    /// Cells that the target cannot have, such as blocks smaller than its sectors.
    pub left_out: Vec<SweepCell>,
}

/// Generator of the order of visits (SplitMix64).
struct Order(u64);

impl Order {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * bound as u128) >> 64) as usize
    }
}

impl SweepAsked {
    /// Returns the cell of every visit in the order of measurement: rounds through all cells, each in another random
    /// order, so that a change of the device over time does not look like an effect of a cell. Cells with an offered
    /// rate follow those that they need the maximum of.
    pub fn order(&self, seed: u64) -> Vec<usize> {
        let mut random = Order(seed);
        let free = |at: &usize| self.imported.iter().all(|known| known.cell != *at);
        let all = (0..self.cells.len()).filter(free);
        let (first, later): (Vec<usize>, Vec<usize>) = all.partition(|at| self.cells[*at].percent.is_none());
        let mut order = Vec::new();
        for part in [first, later] {
            for _ in 0..self.repeats {
                let mut round = part.clone();
                for n in (1..round.len()).rev() {
                    round.swap(n, random.below(n + 1));
                }
                order.extend(round);
            }
        }
        order
    }

    /// Returns the number of the cell whose maximum the offered rate of cell `of` is a share of.
    pub fn maximum_of(&self, of: usize) -> Option<usize> {
        let cell = self.cells.get(of)?;
        self.cells.iter().position(|c| c.percent.is_none() && c.is_same_load(cell))
    }

    /// Returns the counted time of all visits, seconds, without ramps and extensions.
    pub fn seconds(&self) -> f64 {
        let free = |at: usize| self.imported.iter().all(|known| known.cell != at);
        let cells = self.cells.iter().enumerate().filter(|(at, _)| free(*at));
        cells.map(|(_, cell)| cell.runtime_s + self.ramp_s).sum::<f64>() * f64::from(self.repeats)
    }
}
