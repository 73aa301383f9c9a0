//! Result of `fathom rank`: the place of measured figures among the classes of devices.

use crate::cloud::CloudSource;
use crate::finding::{Finding, Grade, grade_of};
use crate::measured::Measured;
use crate::quick::QuickCard;
use serde::{Deserialize, Serialize};

/// Figure of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankFigure {
    /// 4 KiB random reads per second at queue depth 1.
    ReadQd1,
    /// 4 KiB random reads per second at queue depth 32.
    ReadQd32,
    /// 4 KiB random writes per second at queue depth 1.
    WriteQd1,
    /// 4 KiB writes per second at queue depth 1, each followed by a sync.
    SyncWriteQd1,
    /// Sequential MB/s.
    Sequential,
}

impl RankFigure {
    /// All figures, in the order of the catalogue's columns.
    pub const ALL: [RankFigure; 5] = [
        RankFigure::ReadQd1,
        RankFigure::ReadQd32,
        RankFigure::WriteQd1,
        RankFigure::SyncWriteQd1,
        RankFigure::Sequential,
    ];
}

/// A class, or an own device of the user, with the place of each figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedClass {
    /// Name of the class or of the own device.
    pub name: String,
    /// Whether this is an own device of the user.
    pub own: bool,
    /// Mean distance of the figures from the ranges, decimal logarithm; 0: all are within.
    pub distance: f64,
    /// Figure divided by the nearest end of the range: 1 within it, above 1 beyond its upper end, below 1 beneath its
    /// lower end; in the order of [`Ranking::figures`]. `None` if the figure of an own device is not known.
    pub ratios: Vec<Option<f64>>,
    /// Range of each figure; of an own device, its rate at both ends.
    pub ranges: Vec<Option<[f64; 2]>>,
    /// Origin of the ranges.
    pub row: CloudSource,
}

/// Device whose figures were published.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedDevice {
    /// Class of the device.
    pub class: String,
    /// Name of the device.
    pub name: String,
    /// Its rates, in the order of [`Ranking::figures`]; `None` if one is not known.
    pub figures: Vec<Option<f64>>,
    /// Document with its conditions.
    pub source: String,
}

/// Contradiction between the device's label and its figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelContradiction {
    /// The device reports rotation, and the figures are not those of a hard disk.
    ReportsRotational,
    /// The device reports no rotation, and the figures are those of a hard disk.
    ReportsSsd,
}

/// Place of measured figures among the classes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Version of fathom.
    pub version: String,
    /// Source of the figures: `R7`, or the target.
    pub source: String,
    /// Layers of the target, top down.
    pub stack: Vec<String>,
    /// Figures that were measured.
    pub figures: Vec<(RankFigure, f64)>,
    /// Classes and own devices, the most similar first.
    pub classes: Vec<RankedClass>,
    /// Devices with published figures among the measured ones.
    pub devices: Vec<RankedDevice>,
    /// Number of leading classes that resemble the device equally; 0 if none does.
    pub best: usize,
    /// Contradiction of the label; `None` without one.
    pub contradiction: Option<LabelContradiction>,
    /// Findings of the measured loads.
    pub findings: Vec<Finding>,
    /// Check of the target; `None` if a stored result is ranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Box<QuickCard>>,
}

impl Ranking {
    /// Returns the grade of the measurement.
    pub fn grade(&self) -> Grade {
        grade_of(&self.findings)
    }

    /// Returns the loads of the check; none if a stored result is ranked.
    pub fn loads(&self, source: &str) -> Vec<Measured> {
        self.check.as_ref().map(|check| Measured::of_check(source, check)).unwrap_or_default()
    }
}
