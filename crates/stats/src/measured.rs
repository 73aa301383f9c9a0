//! Measured load, for charts and comparisons: a job of a run, a row of a check, a point of a study, or a job of fio,
//! whose files contain less.

mod ours;

use crate::access::Access;
use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::finding::{Finding, Grade};
use crate::histogram::Histogram;
use crate::outcome::{LatencyRanges, RowKind};
use crate::series::Series;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Measured load: its configuration, conditions and results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Source of the load: `R7`, `S12`, or a file as given.
    pub source: String,
    /// Name of the job.
    pub name: String,
    /// Access pattern; `rw` is empty or the block size 0 if not known.
    pub access: Access,
    /// `iodepth` of each job; 0 if not known.
    pub depth: u32,
    /// Number of jobs that the figures cover; 0 if not known.
    pub jobs: u32,
    /// Start, milliseconds since the epoch; 0 if not known.
    pub began_ms: u64,
    /// Measured time, seconds.
    pub seconds: f64,
    /// Results of each direction with I/Os.
    pub flows: Vec<Flow>,
    /// CPU time of the load generator, [user, system], percent of its wall time; `None` if not known.
    pub cpu_percent: Option<[f64; 2]>,
    /// Conditions of the measurement.
    pub conditions: Conditions,
    /// Findings that limit or explain the figures.
    pub findings: Vec<Finding>,
    /// Grade in the `fathom` member of fio's JSON; `None` for other sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// Rate over time of all directions; `None` if not known.
    pub series: Option<Series>,
    /// fio's coarse latency ranges, percent of the I/Os of all directions; `None` if the source has none.
    #[serde(default)]
    pub ranges: Option<LatencyRanges>,
}

/// Results of one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// Direction of the I/Os.
    pub direction: Direction,
    /// Number of completed I/Os.
    pub ios: u64,
    /// Bytes transferred by the completed I/Os.
    pub bytes: u64,
    /// I/Os per second; both ends of the interval equal the value if the interval is not known.
    pub iops: Estimate,
    /// Bandwidth, bytes per second.
    pub bytes_per_second: f64,
    /// Submission latency: from the start of the submission to its end; `None` if not measured.
    pub slat: Option<Spread>,
    /// Completion latency: from the end of the submission to the completion; `None` if not measured.
    pub clat: Option<Spread>,
    /// Total latency: from the start of the submission to the completion; `None` if not measured.
    pub lat: Option<Spread>,
    /// Duration of syncs; `None` without syncs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<Spread>,
    /// Commit latency: from the submission of the first write since the previous sync to the end of the sync; `None`
    /// without commits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Spread>,
}

impl Measured {
    /// Returns whether both loads are figures of the same run, possibly from different sources.
    pub fn is_same_run(&self, other: &Measured) -> bool {
        self.began_ms > 0
            && self.began_ms == other.began_ms
            && self.seconds == other.seconds
            && self.name == other.name
            && self.flows == other.flows
    }

    /// Returns the rows of figures of the load: its directions and, for a load with syncs, its commits and syncs.
    /// Commits and syncs come first if the load syncs after every few writes.
    pub fn rows(&self) -> Vec<(RowKind, Cow<'_, Flow>)> {
        let ios = self.flows.iter().map(|flow| (RowKind::Ios(flow.direction), Cow::Borrowed(flow)));
        let syncs = self.flows.iter().flat_map(|flow| {
            let row = |kind, spread: &Option<Spread>| Some((kind, Cow::Owned(flow.synced(spread.as_ref()?))));
            [row(RowKind::Commits, &flow.commit), row(RowKind::Syncs, &flow.sync)]
        });
        if self.access.commits() {
            syncs.flatten().chain(ios).collect()
        } else {
            ios.chain(syncs.flatten()).collect()
        }
    }
}

impl Flow {
    /// Returns the latency of the kind from [`Flow::latency_kind`]; `None` without any latency.
    pub fn latency(&self) -> Option<&Spread> {
        self.latency_of(self.latency_kind()?)
    }

    /// Returns the kind of latency to show: the kind whose percentiles are known, and total latency if both kinds are
    /// known equally well. fio's files have percentiles of one kind only, and the mean of the other kind next to them
    /// would mislead. `None` without any latency.
    pub fn latency_kind(&self) -> Option<LatencyKind> {
        let both = [LatencyKind::Lat, LatencyKind::Clat];
        both.into_iter()
            .max_by_key(|kind| (self.detail(*kind), *kind == LatencyKind::Lat))
            .filter(|kind| self.detail(*kind) > 0)
    }

    /// Returns the latency of one kind; `None` if not measured.
    pub fn latency_of(&self, kind: LatencyKind) -> Option<&Spread> {
        match kind {
            LatencyKind::Lat => self.lat.as_ref(),
            LatencyKind::Clat => self.clat.as_ref(),
        }
    }

    /// Returns the detail to which a latency is known: 0 unknown, 1 mean, 2 percentiles.
    fn detail(&self, kind: LatencyKind) -> u8 {
        let told = |spread: &Spread| !spread.quantiles.is_empty() || spread.histogram.is_some();
        self.latency_of(kind).map_or(0, |spread| 1 + u8::from(told(spread)))
    }

    /// Returns the syncs or commits of these writes as a flow of I/Os without bytes.
    fn synced(&self, latency: &Spread) -> Flow {
        let share = latency.n as f64 / self.ios.max(1) as f64;
        let Estimate { value, low, high } = self.iops;
        Flow {
            direction: self.direction,
            ios: latency.n,
            iops: Estimate { value: value * share, low: low * share, high: high * share },
            // A sync is one call, whose duration counts as either kind.
            lat: Some(latency.clone()),
            clat: Some(latency.clone()),
            ..Flow::default()
        }
    }
}

/// Kind of latency, with fio's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyKind {
    /// Total latency: from the start of the submission to the completion.
    Lat,
    /// Completion latency: from the end of the submission to the completion.
    Clat,
}

impl LatencyKind {
    /// Returns the indexes of `flows` grouped by the kind of latency to show, so that no chart or column mixes two
    /// kinds. All flows are in one group if one kind is available for all: with percentiles where a flow has any
    /// (`percentiles`), or with the mean. Otherwise each flow is in the group of its own kind. A flow without latency
    /// is in no group.
    pub fn groups(flows: &[&Flow], percentiles: bool) -> Vec<(LatencyKind, Vec<usize>)> {
        let own: Vec<(usize, LatencyKind)> =
            flows.iter().enumerate().filter_map(|(at, flow)| Some((at, flow.latency_kind()?))).collect();
        let both = [LatencyKind::Lat, LatencyKind::Clat];
        let serves = |kind: LatencyKind, (at, best): &(usize, LatencyKind)| {
            let flow = flows[*at];
            flow.detail(kind) >= if percentiles { flow.detail(*best) } else { 1 }
        };
        if let Some(common) = both.into_iter().find(|kind| own.iter().all(|flow| serves(*kind, flow))) {
            return if own.is_empty() {
                Vec::new()
            } else {
                vec![(common, own.iter().map(|(at, _)| *at).collect())]
            };
        }
        let of = |kind| own.iter().filter(|(_, best)| *best == kind).map(|(at, _)| *at).collect();
        both.into_iter().map(|kind| (kind, of(kind))).collect()
    }
}

/// Distribution of latencies, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Number of I/Os.
    pub n: u64,
    /// Smallest latency, nanoseconds.
    pub min_ns: f64,
    /// Mean latency, nanoseconds.
    pub mean_ns: f64,
    /// Largest latency, nanoseconds.
    pub max_ns: f64,
    /// Standard deviation, nanoseconds.
    pub stddev_ns: f64,
    /// Percentiles of the source, ascending.
    pub quantiles: Vec<Quantile>,
    /// Histogram of all latencies; `None` if the source has none.
    pub histogram: Option<Histogram>,
    /// fio's coarse latency ranges, percent of the I/Os, if the source has no finer distribution.
    pub ranges: Option<LatencyRanges>,
}

/// Percentile of a latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// Percent of the I/Os with at most the latency `ns`.
    pub percent: f64,
    /// Latency of the percentile, nanoseconds.
    pub ns: f64,
    /// 95 % interval of the percentile, nanoseconds; `None` if not known.
    pub between: Option<[f64; 2]>,
}

/// Conditions under which a load was measured; `None` or empty if not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Path of the file or device.
    pub target: String,
    /// Layers, top down, as text.
    pub stack: Vec<String>,
    /// Name of the I/O engine (`ioengine`).
    pub engine: Option<String>,
    /// Whether the I/O bypassed the page cache; `None` if not known.
    pub direct: Option<bool>,
    /// Size of the region, bytes.
    pub span: Option<u64>,
    /// Whether the load has a rate limit or think time, so that latencies do not follow from the rate.
    #[serde(default)]
    pub paced: bool,
    /// Release of the kernel (`uname -r`); `None` if not known.
    pub kernel: Option<String>,
    /// Program that measured, with its version: `fio-3.36`, `fathom 0.1.0`.
    pub by: String,
    /// Name of the host.
    pub host: String,
}
