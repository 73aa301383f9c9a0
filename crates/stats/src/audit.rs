//! Audit of results that other tools printed: the printed figures, the findings about them, and the grade.

mod claim;
mod printed;

pub use claim::{AuditClaim, AuditLaw, CeilingKind, FigureUnit};
pub use printed::{
    BenchmarkTool, IoKind, PrintedCheck, PrintedDevice, PrintedLatency, PrintedLink, PrintedMedium,
    PrintedNumber, PrintedPayload, PrintedRange, PrintedResult, PrintedSyncs, ReaderNote,
};

use crate::finding::Grade;
use serde::{Deserialize, Serialize};

/// Medium of a device, as its owner or the audited text states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatedMedium {
    /// Hard disk of 5400 to 7200 revolutions per minute.
    Hdd,
    /// Hard disk of 10,000 to 15,000 revolutions per minute.
    FastHdd,
    /// SSD on SATA or SAS.
    SataSsd,
    /// NVMe SSD.
    Nvme,
    /// USB stick, SD card or eMMC.
    Card,
    /// Network or cloud disk.
    Network,
}

/// Facts about the machine that the audited text does not have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditContext {
    /// Medium of the device; `None` if not stated.
    pub medium: Option<StatedMedium>,
    /// Number of devices in the array; `None` if not stated.
    pub devices: Option<u32>,
    /// Memory of the machine, bytes; `None` if not stated.
    pub ram: Option<f64>,
    /// Capacity of the link to the storage, bytes per second; `None` if not stated.
    pub link: Option<f64>,
}

/// Finding about a printed result, with the text that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditFinding {
    /// The claim with its numbers.
    pub claim: AuditClaim,
    /// Number of the line in the file that shows it, from 1; 0 if no single line does.
    pub line: usize,
    /// Text of that line, or the part of the command that shows it; empty if no single line does.
    pub quote: String,
}

/// Property of a result that the text does not state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unstated {
    /// Whether the page cache was bypassed.
    Direct,
    /// Block size.
    BlockSize,
    /// Number of I/Os in flight.
    Depth,
    /// Size of the file or region.
    Region,
    /// Duration of the measurement.
    Duration,
    /// Whether writes were flushed.
    Flush,
    /// Percentiles of latency.
    Percentiles,
    /// The device under the file.
    Device,
}

/// What the figures of a result are figures of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measurand {
    /// The device, as far as the text shows.
    Device,
    /// Memory or the page cache.
    Memory,
    /// A cache between the page cache and the medium.
    Cache,
    /// The effect of compressible or repeated data.
    Data,
    /// A rate limit.
    Limit,
    /// The CPU that generated the load.
    Generator,
    /// Nothing: the figures contradict each other or what is possible.
    Nothing,
    /// Device or cache: the text does not show which.
    Unknown,
}

/// A printed result with the conclusions about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedResult {
    /// Figures as printed.
    pub printed: PrintedResult,
    /// What the figures are figures of.
    pub measurand: Measurand,
    /// Grade: the worst of the findings' grades.
    pub grade: Grade,
    /// Findings, worst first.
    pub findings: Vec<AuditFinding>,
    /// Properties that the text does not state.
    pub unstated: Vec<Unstated>,
    /// Arguments of `fathom` for a measurement that answers the question; empty if this result does.
    pub command: String,
}

/// Results found in files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditReport {
    /// Facts given with the command.
    pub context: AuditContext,
    /// Results in the order of the files and lines.
    pub results: Vec<AuditedResult>,
}

impl AuditReport {
    /// Returns the worst grade; `None` without results.
    pub fn worst(&self) -> Option<Grade> {
        self.results.iter().map(|result| result.grade).max()
    }
}
