//! Result of the demand tests: the composite workload (CBW), and demand intensity with response time histograms (DIRTH).

use super::load::PtsLoad;
use super::matrix::{PtsCell, PtsMatrix};
use super::sample::{PtsPhase, PtsSample};
use super::time_course::{PtsPreconditioning, histogram, phase};
use super::window::PtsQuantity;
use serde::{Deserialize, Serialize};

/// Numbers of threads and queue depths of the demand matrix, in the order of measurement.
pub const DEMANDS: [u32; 7] = [32, 16, 8, 6, 4, 2, 1];
/// Largest mean latency at the Max operating point, nanoseconds.
pub const MOST_LATENCY_NS: f64 = 5e6;

/// Operating point of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsOperatingPoint {
    /// Highest IOPS with a mean latency below 5 ms.
    Max,
    /// Point whose IOPS are nearest to the middle between Max and Min.
    Mid,
    /// One thread with one I/O in flight.
    Min,
}

impl PtsOperatingPoint {
    /// All points in the order of measurement.
    pub const ALL: [PtsOperatingPoint; 3] =
        [PtsOperatingPoint::Max, PtsOperatingPoint::Mid, PtsOperatingPoint::Min];
}

/// An operating point with the measurements that follow the rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsOperating {
    /// Which point.
    pub point: PtsOperatingPoint,
    /// Cell of the demand matrix, averaged over the measurement window.
    pub cell: PtsCell,
    /// Minutes of writes before the histogram, at the threads and depth of the point.
    pub writes: Vec<PtsSample>,
    /// Ten minutes of the workload with all latencies; `None` if not measured.
    pub histogram: Option<PtsSample>,
}

/// Result of a demand test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsDemand {
    /// Preconditioning, whose steady state is judged by the first minute of each round.
    pub preconditioning: PtsPreconditioning,
    /// Minutes of writes before the cells of each round: `place.round` is the round.
    pub pre_writes: Vec<PtsSample>,
    /// The 49 cells in rounds; the tracked variable is IOPS at 32 threads and depth 32.
    pub matrix: PtsMatrix,
    /// Operating points; empty without a measurement window.
    pub operating: Vec<PtsOperating>,
    /// Whether no cell has a mean latency below 5 ms, so that Max is the cell with the highest IOPS of all.
    pub max_above_limit: bool,
}

impl PtsDemand {
    /// Returns the result of these samples. `loads` are the cells of a round; the first is the tracked one. `early` as in
    /// [`PtsMatrix::of`].
    pub fn of(samples: &[&PtsSample], loads: &[PtsLoad], early: Option<f64>) -> PtsDemand {
        let tracked: Vec<_> = loads.first().map(|load| (*load, PtsQuantity::Iops)).into_iter().collect();
        let matrix = PtsMatrix::of(samples, loads, &tracked, early);
        let (points, max_above_limit) = operating_points(&matrix.cells);
        let operating =
            PtsOperatingPoint::ALL.into_iter().zip(0..).zip(points).map(|((point, part), cell)| {
                let writes = phase(samples, PtsPhase::OperatingWrites);
                let writes = writes.into_iter().filter(|s| s.place.part == part).collect();
                PtsOperating { point, cell, writes, histogram: histogram(samples, part) }
            });
        PtsDemand {
            preconditioning: PtsPreconditioning::of(samples, false),
            pre_writes: phase(samples, PtsPhase::PreWrite),
            operating: operating.collect(),
            matrix,
            max_above_limit,
        }
    }

    /// Returns the cells with this number of threads by falling queue depth.
    pub fn of_threads(&self, threads: u32) -> Vec<&PtsCell> {
        self.matrix.cells.iter().filter(|cell| cell.load.threads == threads).collect()
    }
}

/// Returns the Max, Mid and Min points of the cells of a demand matrix, and whether Max exceeds the limit of latency;
/// no points without cells.
pub fn operating_points(cells: &[PtsCell]) -> (Vec<PtsCell>, bool) {
    let highest = |limit: f64| {
        cells
            .iter()
            .filter(|cell| cell.mean_ns < limit)
            .copied()
            .reduce(|a, b| if b.iops > a.iops { b } else { a })
    };
    let below = highest(MOST_LATENCY_NS);
    let Some(max) = below.or_else(|| highest(f64::INFINITY)) else { return (Vec::new(), false) };
    let Some(min) = cells.iter().min_by_key(|cell| cell.load.in_flight()).copied() else {
        return (Vec::new(), false);
    };
    let middle = f64::midpoint(max.iops, min.iops);
    let nearest = |a: PtsCell, b: PtsCell| {
        if (b.iops - middle).abs() < (a.iops - middle).abs() { b } else { a }
    };
    // A point with a long latency is not between Max and Min, even if its IOPS are.
    let allowed = cells.iter().filter(|cell| below.is_none() || cell.mean_ns < MOST_LATENCY_NS);
    let mid = allowed.copied().reduce(nearest).unwrap_or(min);
    (vec![max, mid, min], below.is_none())
}
