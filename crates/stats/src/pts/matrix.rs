//! Results of the tests that measure a table of cells in rounds: IOPS, throughput and latency.

use super::load::PtsLoad;
use super::sample::{PtsPhase, PtsSample};
use super::window::{PtsQuantity, PtsSteady};
use serde::{Deserialize, Serialize};

/// A round: one sample of each cell, in the order of measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsRound {
    /// Number, from 1.
    pub number: u32,
    /// Samples of the cells.
    pub samples: Vec<PtsSample>,
}

impl PtsRound {
    /// Returns the sample of a load; `None` if the round has none.
    pub fn sample(&self, load: &PtsLoad) -> Option<&PtsSample> {
        self.samples.iter().find(|sample| sample.load == *load)
    }
}

/// Figures of a cell over the measurement window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsCell {
    /// Load of the cell.
    pub load: PtsLoad,
    /// Mean of the rounds' I/Os per second.
    pub iops: f64,
    /// Mean of the rounds' bytes per second.
    pub bytes_per_second: f64,
    /// Mean of the rounds' mean latencies, nanoseconds.
    pub mean_ns: f64,
    /// Longest latency of all rounds, nanoseconds.
    pub max_ns: u64,
    /// Mean of the rounds' 99.999th percentiles, nanoseconds; `None` if a round has none.
    pub p99999_ns: Option<f64>,
    /// Mean CPU time of the rounds, percent of one CPU.
    pub cpu_percent: f64,
    /// Number of rounds.
    pub rounds: u32,
}

/// Table of cells in rounds, with the steady state of its tracked variables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsMatrix {
    /// Pieces of the preconditioning fill before the rounds (WIPC).
    pub fill: Vec<PtsSample>,
    /// Complete rounds, in order.
    pub rounds: Vec<PtsRound>,
    /// Samples of the last round, if it was not completed.
    pub unfinished: Vec<PtsSample>,
    /// Steady state.
    pub steady: PtsSteady,
    /// Means of each cell over the measurement window, in the order of measurement; empty without a window.
    pub cells: Vec<PtsCell>,
}

impl PtsMatrix {
    /// Returns the table of these samples. `loads` are the cells of a round, `tracked` the variables that decide,
    /// `early` the half-width of their intervals at which rounds end before steady state, percent.
    pub fn of(
        samples: &[&PtsSample],
        loads: &[PtsLoad],
        tracked: &[(PtsLoad, PtsQuantity)],
        early: Option<f64>,
    ) -> PtsMatrix {
        let of = |phase| samples.iter().filter(move |s| s.place.phase == phase).map(|s| (*s).clone());
        let mut rounds: Vec<PtsRound> = Vec::new();
        for sample in of(PtsPhase::Round) {
            match rounds.last_mut().filter(|round| round.number == sample.place.round) {
                Some(round) => round.samples.push(sample),
                None => rounds.push(PtsRound { number: sample.place.round, samples: vec![sample] }),
            }
        }
        let unfinished = match rounds.pop_if(|round| round.samples.len() < loads.len()) {
            Some(round) => round.samples,
            None => Vec::new(),
        };
        let values = |load: &PtsLoad, quantity: PtsQuantity| {
            rounds.iter().filter_map(|round| Some(quantity.of(round.sample(load)?))).collect()
        };
        let steady =
            PtsSteady::of(tracked.iter().map(|(load, quantity)| (*load, *quantity, values(load, *quantity))))
                .or_early(early);
        let window: Vec<&PtsRound> = rounds.iter().filter(|round| steady.contains(round.number)).collect();
        let cells = loads
            .iter()
            .filter_map(|load| {
                let samples: Vec<&PtsSample> = window.iter().filter_map(|r| r.sample(load)).collect();
                cell(*load, &samples)
            })
            .collect();
        PtsMatrix { fill: of(PtsPhase::Fill).collect(), unfinished, steady, cells, rounds }
    }

    /// Returns the figures of a cell; `None` without a measurement window.
    pub fn cell(&self, load: &PtsLoad) -> Option<&PtsCell> {
        self.cells.iter().find(|cell| cell.load == *load)
    }

    /// Returns a quantity of a load by round: round number and value.
    pub fn by_round(&self, load: &PtsLoad, quantity: PtsQuantity) -> Vec<(u32, f64)> {
        let value = |round: &PtsRound| Some((round.number, quantity.of(round.sample(load)?)));
        self.rounds.iter().filter_map(value).collect()
    }
}

/// Returns the figures of a cell from its samples; `None` without samples.
pub(super) fn cell(load: PtsLoad, samples: &[&PtsSample]) -> Option<PtsCell> {
    let count = samples.len() as f64;
    let mean = |of: &dyn Fn(&PtsSample) -> f64| samples.iter().map(|s| of(s)).sum::<f64>() / count;
    let tails: Option<Vec<f64>> = samples.iter().map(|s| s.p99999_ns.map(|ns| ns as f64)).collect();
    (!samples.is_empty()).then(|| PtsCell {
        load,
        iops: mean(&|s| s.iops),
        bytes_per_second: mean(&|s| s.bytes_per_second),
        mean_ns: mean(&|s| s.mean_ns),
        max_ns: samples.iter().map(|s| s.max_ns).max().unwrap_or(0),
        p99999_ns: tails.map(|tails| tails.iter().sum::<f64>() / count),
        cpu_percent: mean(&|s| s.cpu_percent),
        rounds: samples.len() as u32,
    })
}

/// Result of the throughput test for one block size: a purge, a fill and rounds of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsThroughput {
    /// Block size, bytes.
    pub block: u64,
    /// Reads and writes in rounds.
    pub matrix: PtsMatrix,
}

/// Result of the latency test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsLatency {
    /// Cells in rounds.
    pub matrix: PtsMatrix,
    /// Twenty minutes of random 4 KiB writes after the rounds, with all latencies; `None` if not measured.
    pub histogram: Option<PtsSample>,
}
