//! One measured load, for charts and comparisons: a job of a run, a row of a check, a point of a study, or a job of fio,
//! whose files tell less.

mod ours;

use crate::access::Access;
use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::finding::Finding;
use crate::histogram::Histogram;
use crate::outcome::{LatencyRanges, RowKind};
use crate::series::Series;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One load and what it did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Its source: `R7`, `S12`, a file as given.
    pub source: String,
    /// Name of the job.
    pub name: String,
    /// Pattern; an empty `rw` or a block size of 0 where the source does not tell.
    pub access: Access,
    /// `iodepth` of each job; 0 where the source does not tell.
    pub depth: u32,
    /// Jobs that these figures are of; 0 where the source does not tell.
    pub jobs: u32,
    /// Start, milliseconds since the epoch; 0 where the source does not tell.
    pub began_ms: u64,
    /// Seconds that it ran.
    pub seconds: f64,
    /// The directions that did something.
    pub flows: Vec<Flow>,
    /// CPU time of the generator, user and system, percent of its wall time.
    pub cpu_percent: Option<[f64; 2]>,
    /// Conditions of the measurement.
    pub conditions: Conditions,
    /// Findings that distort or explain its figures.
    pub findings: Vec<Finding>,
    /// The rate over time, all directions.
    pub series: Option<Series>,
    /// fio's coarse ranges of the latency, percent of the I/Os of all directions, where the source has them.
    #[serde(default)]
    pub ranges: Option<LatencyRanges>,
}

/// Results of one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// Which.
    pub direction: Direction,
    /// Completed I/Os.
    pub ios: u64,
    /// Bytes.
    pub bytes: u64,
    /// I/Os per second; both ends of the interval are the value where it is not known.
    pub iops: Estimate,
    /// Bytes per second.
    pub bytes_per_second: f64,
    /// From the attempt to send to sent.
    pub slat: Option<Spread>,
    /// From sent to completed.
    pub clat: Option<Spread>,
    /// From the attempt to send to completed.
    pub lat: Option<Spread>,
    /// Of writes that are synced: the duration of a sync.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<Spread>,
    /// Of the same: from the attempt to send the first write since the previous sync to the end of the sync.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Spread>,
}

impl Measured {
    /// Both are figures of one and the same run, wherever each was read from.
    pub fn is_same_run(&self, other: &Measured) -> bool {
        self.began_ms > 0
            && self.began_ms == other.began_ms
            && self.seconds == other.seconds
            && self.name == other.name
            && self.flows == other.flows
    }

    /// Returns the rows of figures of the load: its directions and, of one that syncs, its commits and syncs; these come
    /// first where it syncs after every few writes.
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
    /// Latency of the kind that [`Flow::latency_kind`] names.
    pub fn latency(&self) -> Option<&Spread> {
        self.latency_of(self.latency_kind()?)
    }

    /// Total latency where its percentiles are known, else completion latency: fio's files have those of one of them, and
    /// a mean of the other beside them would mislead. `None` without any latency.
    pub fn latency_kind(&self) -> Option<LatencyKind> {
        let both = [LatencyKind::Lat, LatencyKind::Clat];
        both.into_iter()
            .max_by_key(|kind| (self.detail(*kind), *kind == LatencyKind::Lat))
            .filter(|kind| self.detail(*kind) > 0)
    }

    /// Latency of one kind, where it was measured.
    pub fn latency_of(&self, kind: LatencyKind) -> Option<&Spread> {
        match kind {
            LatencyKind::Lat => self.lat.as_ref(),
            LatencyKind::Clat => self.clat.as_ref(),
        }
    }

    /// How much is known of a latency: 0 nothing, 1 its mean, 2 percentiles.
    fn detail(&self, kind: LatencyKind) -> u8 {
        let told = |spread: &Spread| !spread.quantiles.is_empty() || spread.histogram.is_some();
        self.latency_of(kind).map_or(0, |spread| 1 + u8::from(told(spread)))
    }

    /// The syncs or commits of these writes, as I/Os without bytes.
    fn synced(&self, latency: &Spread) -> Flow {
        let share = latency.n as f64 / self.ios.max(1) as f64;
        let Estimate { value, low, high } = self.iops;
        Flow {
            direction: self.direction,
            ios: latency.n,
            iops: Estimate { value: value * share, low: low * share, high: high * share },
            // One call, whose duration is of either kind.
            lat: Some(latency.clone()),
            clat: Some(latency.clone()),
            ..Flow::default()
        }
    }
}

/// Which latency a figure is of; fio's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyKind {
    /// From the attempt to submit to the completion.
    Lat,
    /// From the submission to the completion.
    Clat,
}

impl LatencyKind {
    /// Parts flows by the kind of latency to show them with, so that no chart and no column mixes two kinds: one group where
    /// all flows know one kind as well as any (`percentiles`) or have its mean at all, else each flow by its own. The numbers
    /// are places in `flows`; a flow without latency is in no group.
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

/// How latencies spread, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// How many.
    pub n: u64,
    /// Smallest.
    pub min_ns: f64,
    /// Mean.
    pub mean_ns: f64,
    /// Largest.
    pub max_ns: f64,
    /// Standard deviation.
    pub stddev_ns: f64,
    /// Percentiles as the source has them, ascending.
    pub quantiles: Vec<Quantile>,
    /// All of them, where the source has them.
    pub histogram: Option<Histogram>,
    /// fio's coarse ranges, percent of the I/Os, where the source has nothing finer.
    pub ranges: Option<LatencyRanges>,
}

/// A percentile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// Percent of the I/Os that took no longer.
    pub percent: f64,
    /// Latency of the percentile, nanoseconds.
    pub ns: f64,
    /// Its 95 % interval, where it is known.
    pub between: Option<[f64; 2]>,
}

/// Conditions under which a load was measured; `None` or empty where the source does not tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// File or device.
    pub target: String,
    /// Layers from the top down in words.
    pub stack: Vec<String>,
    /// `ioengine`.
    pub engine: Option<String>,
    /// Whether the I/O bypassed the page cache; `None` where the input does not say.
    pub direct: Option<bool>,
    /// Bytes of the region.
    pub span: Option<u64>,
    /// Held to a rate, or pausing: latencies do not follow from the rate.
    #[serde(default)]
    pub paced: bool,
    /// Of the kernel.
    pub kernel: Option<String>,
    /// Program that measured, with its version: `fio-3.36`, `fathom 0.1.0`.
    pub by: String,
    /// Name of the host.
    pub host: String,
}
