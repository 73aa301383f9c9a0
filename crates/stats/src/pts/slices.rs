//! Result of TKperf's tests of hard disks: loads on equal slices of the device, from its start to its end.

use super::load::PtsLoad;
use super::matrix::PtsRound;
use super::sample::{PtsPhase, PtsSample};
use super::window::PtsQuantity;
use serde::{Deserialize, Serialize};

/// Number of slices.
pub const SLICES: u32 = 128;

/// Figures of a load over all slices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsSliceCell {
    /// Load.
    pub load: PtsLoad,
    /// Quantity of the figures: IOPS of random loads, bytes per second of sequential ones.
    pub quantity: PtsQuantity,
    /// Number of slices.
    pub slices: u32,
    /// Mean of the slices.
    pub mean: f64,
    /// Median of the slices.
    pub median: f64,
    /// Smallest value of a slice.
    pub minimum: f64,
    /// Largest value of a slice.
    pub maximum: f64,
    /// Value of the first slice.
    pub first: f64,
    /// Value of the last measured slice.
    pub last: f64,
}

/// Result of a test over slices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsSlices {
    /// Size of a slice, bytes.
    pub slice_bytes: u64,
    /// Slices whose loads are all measured, in order; the number of a round is that of the slice, from 1.
    pub slices: Vec<PtsRound>,
    /// Samples of the last slice, if it was not completed.
    pub unfinished: Vec<PtsSample>,
    /// Figures of each load, in the order of measurement.
    pub cells: Vec<PtsSliceCell>,
}

impl PtsSlices {
    /// Returns the result of these samples. `loads` are those of a slice.
    pub fn of(samples: &[&PtsSample], loads: &[PtsLoad], slice_bytes: u64) -> PtsSlices {
        let mut slices: Vec<PtsRound> = Vec::new();
        for sample in samples.iter().filter(|sample| sample.place.phase == PtsPhase::Slice) {
            let sample = (*sample).clone();
            match slices.last_mut().filter(|slice| slice.number == sample.place.round) {
                Some(slice) => slice.samples.push(sample),
                None => slices.push(PtsRound { number: sample.place.round, samples: vec![sample] }),
            }
        }
        let unfinished = match slices.pop_if(|slice| slice.samples.len() < loads.len()) {
            Some(slice) => slice.samples,
            None => Vec::new(),
        };
        let mut result = PtsSlices { slice_bytes, slices, unfinished, cells: Vec::new() };
        result.cells = loads.iter().filter_map(|load| result.cell(*load)).collect();
        result
    }

    fn cell(&self, load: PtsLoad) -> Option<PtsSliceCell> {
        let quantity = if load.random { PtsQuantity::Iops } else { PtsQuantity::BytesPerSecond };
        let values: Vec<f64> = self.by_slice(&load, quantity).into_iter().map(|(_, value)| value).collect();
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = (sorted.len().checked_sub(1)?) as f64 / 2.0;
        Some(PtsSliceCell {
            load,
            quantity,
            slices: values.len() as u32,
            mean: values.iter().sum::<f64>() / values.len() as f64,
            median: f64::midpoint(sorted[middle.floor() as usize], sorted[middle.ceil() as usize]),
            minimum: *sorted.first()?,
            maximum: *sorted.last()?,
            first: *values.first()?,
            last: *values.last()?,
        })
    }

    /// Returns a quantity of a load by slice: number of the slice and value.
    pub fn by_slice(&self, load: &PtsLoad, quantity: PtsQuantity) -> Vec<(u32, f64)> {
        let value = |slice: &PtsRound| Some((slice.number, quantity.of(slice.sample(load)?)));
        self.slices.iter().filter_map(value).collect()
    }
}
