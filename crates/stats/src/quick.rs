//! Results of the twenty-second check (`fathom DIR`, `fathom DEVICE`, `fathom FILE`).

use crate::converge;
use crate::direction::Direction;
use crate::finding::{Claim, Finding, Grade, LEAST_IOS, grade_of};
use crate::job_error::JobError;
use crate::latency::Latency;
use crate::layer::Layers;
use crate::note::NoteFact;
use crate::outcome::{JobOutcome, Load};
use crate::result::Host;
use crate::series::Series;
use serde::{Deserialize, Serialize};

/// Largest relative difference of a rate of bursts and the limit of a control group that causes them.
const SAME_LIMIT: f64 = 0.15;

/// 95 % intervals of the figures of a row; `None` if an interval is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowIntervals {
    /// Effective number of independent I/Os.
    pub independent: f64,
    /// Interval of the rate, I/Os per second.
    pub iops: Option<[f64; 2]>,
    /// Interval of the median of lat, nanoseconds.
    pub p50_ns: Option<[u64; 2]>,
    /// Interval of the 99th percentile of lat, nanoseconds.
    pub p99_ns: Option<[u64; 2]>,
}

/// Results of one pattern of the check. For a pattern that syncs after every few writes a commit counts as one I/O:
/// the writes since the previous sync, with the sync.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuickRow {
    /// Block size and order without direction: `4k random`, `1M sequential`.
    pub pattern: String,
    /// Direction of the I/Os.
    pub direction: Direction,
    /// Configured number of I/Os in flight.
    pub depth: u32,
    /// Completed I/Os per second.
    pub iops: f64,
    /// Bandwidth, bytes per second.
    pub bytes_per_second: u64,
    /// Median of lat, nanoseconds; `None` if no I/O completed.
    pub p50_ns: Option<u64>,
    /// 99th percentile of lat, nanoseconds; `None` if no I/O completed.
    pub p99_ns: Option<u64>,
    /// Mean of lat, nanoseconds; `None` if no I/O completed.
    pub mean_ns: Option<f64>,
    /// Median duration of a sync, nanoseconds; `None` for a pattern without syncs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync_p50_ns: Option<u64>,
    /// 99th percentile of the duration of a sync, nanoseconds; `None` for a pattern without syncs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync_p99_ns: Option<u64>,
    /// Mean number of I/Os in flight (Little's law).
    pub depth_reached: f64,
    /// Measured time, milliseconds.
    pub runtime_ms: u64,
    /// Error that ended the pattern; the figures then cover the time before. `None` if no error occurred.
    pub error: Option<RowError>,
    /// Configuration of the pattern.
    #[serde(default)]
    pub load: Load,
    /// Intervals of the figures.
    #[serde(default)]
    pub between: RowIntervals,
    /// I/Os per second of each host, in a check by several hosts; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_iops: Vec<f64>,
}

impl QuickRow {
    /// Returns the name of the row: `4k random read, depth 32`.
    pub fn name(&self) -> String {
        row_name(&self.pattern, self.direction, self.depth)
    }

    /// Returns the row for one direction of a report entry.
    pub fn from_outcome(pattern: impl Into<String>, direction: Direction, job: &JobOutcome) -> Self {
        let d = &job.directions[direction as usize];
        let (latency, per_second) = of_pattern(direction, job);
        let quantile = |p| latency.percentile(p);
        Self {
            pattern: pattern.into(),
            direction,
            depth: job.iodepth,
            iops: per_second,
            bytes_per_second: d.bytes_per_second(),
            p50_ns: quantile(50.0),
            p99_ns: quantile(99.0),
            mean_ns: (latency.moments.n > 0).then(|| latency.moments.mean()),
            sync_p50_ns: job.sync.percentile(50.0),
            sync_p99_ns: job.sync.percentile(99.0),
            depth_reached: if job.load.access.commits() {
                latency.moments.sum as f64 / 1e6 / d.runtime_ms.max(1) as f64
            } else {
                job.depth_reached
            },
            runtime_ms: d.runtime_ms,
            error: job.error.clone().map(RowError::Job),
            load: job.load.clone(),
            host_iops: Vec::new(),
            between: RowIntervals::default(),
        }
    }

    /// Sets the rates of the hosts, and that of all to their sum: the rate in the time in which all of them ran.
    #[must_use]
    pub fn on_hosts(mut self, rates: &[f64]) -> Self {
        let sum: f64 = rates.iter().sum();
        if self.iops > 0.0 && !rates.is_empty() {
            self.bytes_per_second = (self.bytes_per_second as f64 * sum / self.iops) as u64;
            self.iops = sum;
        }
        self.host_iops = rates.to_vec();
        self
    }

    /// Adds the intervals derived from the rate over time, for the same direction and report entry.
    #[must_use]
    pub fn known_by(mut self, job: &JobOutcome, series: &Series) -> Self {
        let (lat, _) = of_pattern(self.direction, job);
        let independent = converge::independent(series, lat.moments.n, lat.moments.varied());
        let ends = |percent: f64| {
            let half = self.iops * percent / 100.0;
            [(self.iops - half).max(0.0), self.iops + half]
        };
        self.between = RowIntervals {
            independent,
            iops: series.half_width_percent().map(ends),
            p50_ns: lat.histogram.interval(50.0, independent),
            p99_ns: lat.histogram.interval(99.0, independent),
        };
        self
    }
}

/// Returns the name of a row: `4k random read, depth 32`. Findings of a row have it as their job.
pub fn row_name(pattern: &str, direction: Direction, depth: u32) -> String {
    format!("{pattern} {}, depth {depth}", direction.name())
}

/// Returns how uncertain a claim says that a rate is: percent, or infinite if even this is unknown; 0 for other claims.
fn uncertainty(claim: &Claim) -> f64 {
    match claim {
        Claim::TooShort { ios, half_width_percent, .. } => {
            // With so few I/Os the interval says little.
            let few = if *ios < LEAST_IOS { 1e4 / (*ios as f64).max(1.0) } else { 0.0 };
            half_width_percent.unwrap_or(f64::INFINITY).max(few)
        }
        _ => 0.0,
    }
}

/// Returns the main latency of a pattern and its operations per second: those of commits if the pattern commits,
/// otherwise those of I/Os.
fn of_pattern(direction: Direction, job: &JobOutcome) -> (&Latency, f64) {
    let d = &job.directions[direction as usize];
    if job.load.access.commits() { (&job.commit, job.commit_rate()) } else { (&d.lat, d.iops()) }
}

/// Kind of the target of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuickTarget {
    /// Unnamed scratch file in a directory; read and written.
    #[default]
    ScratchFile,
    /// Objects on a server that fathom created; read and written.
    ScratchObjects,
    /// Existing file; only read.
    File,
    /// Block device; only read.
    Device,
    /// Volume or file on a server; only read.
    Server,
}

/// Condition that the check does not measure, serialized as its English words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotMeasured {
    /// Writes over a longer time.
    #[serde(rename = "sustained writes")]
    SustainedWrites,
    /// Device that is full.
    #[serde(rename = "a full device")]
    FullDevice,
    /// Space outside the scratch file.
    #[serde(rename = "anything beyond the scratch file")]
    BeyondScratch,
    /// Writes to a target that was only read.
    #[serde(rename = "writes (this target was only read)")]
    Writes,
    /// Device that is full or under other load.
    #[serde(rename = "a busy or full device")]
    BusyOrFull,
    /// Text of another version of fathom.
    #[serde(untagged)]
    Other(String),
}

/// Caveat about the figures of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuickCaveat {
    /// The file system refuses O_DIRECT, so the page cache is in the figures.
    NoDirectIo,
    /// A signal ended the check: the missing patterns were not measured.
    Interrupted,
    /// Note of one of the runs.
    Note(NoteFact),
    /// Finished text, in a check of an older version.
    #[serde(untagged)]
    Text(String),
}

/// Reason why a pattern of a check failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RowError {
    /// Error of the job.
    Job(JobError),
    /// Finished text, in a check of an older version.
    Text(String),
}

impl RowError {
    /// Returns the error message of the system, or the text of the older version.
    pub fn text(&self) -> &str {
        match self {
            RowError::Job(error) => &error.text,
            RowError::Text(text) => text,
        }
    }
}

/// Complete result of a check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuickCard {
    /// Version of fathom that measured the check.
    pub version: String,
    /// Machine on which the check was measured.
    #[serde(default)]
    pub host: Host,
    /// Directory, file or device as given.
    pub target: String,
    /// Hosts that checked the target together: rates are sums, the depth is that of each; empty for this machine alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// Kind of the target.
    pub kind: QuickTarget,
    /// Size of the scratch file, file or device, bytes.
    pub size: u64,
    /// I/O engine of the patterns (`ioengine`).
    #[serde(default)]
    pub engine: String,
    /// Reason why the engine is not io_uring; `None` with io_uring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_note: Option<NoteFact>,
    /// Layers, top down: `ext4`, `vda1 (partition)`, `vda (disk, ssd)`.
    pub stack: Vec<String>,
    /// Duration of the check, seconds.
    pub seconds: f64,
    /// Rows of the patterns, in the order of measurement.
    pub rows: Vec<QuickRow>,
    /// Counts of each layer, summed over all patterns ([`Layers::add`]).
    pub layers: Layers,
    /// Conditions that the check does not measure.
    #[serde(rename = "not_said")]
    pub not_measured: Vec<NotMeasured>,
    /// Caveats about the figures: fallbacks, and notes of the runs.
    pub caveats: Vec<QuickCaveat>,
    /// Findings that limit or explain the figures, each kind once, worst first.
    #[serde(default)]
    pub findings: Vec<Finding>,
}

impl QuickCard {
    /// Returns the grade of the card, which states how far the card can be trusted. A card without a pattern has not measured
    /// the device.
    pub fn grade(&self) -> Grade {
        if self.rows.is_empty() { Grade::NotTheDevice } else { grade_of(&self.findings) }
    }

    /// Adds the findings of one row, named `row`. Of each kind of finding, that of the worst row is kept.
    pub fn add_findings(&mut self, row: &str, findings: Vec<Finding>) {
        let badness = |claim: &Claim| (claim.grade(), uncertainty(claim));
        for mut finding in findings {
            let known =
                |f: &Finding| std::mem::discriminant(&f.claim) == std::mem::discriminant(&finding.claim);
            match self.findings.iter_mut().find(|f| known(f)) {
                Some(mine) if badness(&mine.claim) < badness(&finding.claim) => {
                    finding.job = row.into();
                    *mine = finding;
                }
                Some(_) => {}
                None => {
                    finding.job = row.into();
                    self.findings.push(finding);
                }
            }
        }
        // The limit that a control group sets explains the bursts that another pattern shows at the same rate.
        let limits: Vec<u64> = self
            .findings
            .iter()
            .filter_map(|f| match f.claim {
                Claim::Cap { iops: true, limit, .. } => Some(limit),
                _ => None,
            })
            .collect();
        self.findings.retain(|f| match f.claim {
            Claim::Bursts { iops, .. } => {
                !limits.iter().any(|limit| (iops / *limit as f64 - 1.0).abs() < SAME_LIMIT)
            }
            _ => true,
        });
        crate::finding::sort(&mut self.findings);
    }

    /// Returns the time in seconds of `n` reads, one after the other: `n` times the mean latency of the first row of
    /// reads at depth 1. `None` if no such row completed a read.
    pub fn dependent_reads_s(&self, n: u64) -> Option<f64> {
        let row = self.rows.iter().find(|r| r.direction == Direction::Read && r.depth == 1)?;
        row.mean_ns.map(|ns| ns * n as f64 / 1e9)
    }
}
