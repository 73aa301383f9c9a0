//! Sum of the results of hosts.

use super::host::{HostOutcome, HostResult, fairness, ran_the_same};
use super::joined::{CommonWindow, HostSeries, JoinedSeries, common_window, join};
use super::straggler::{Straggler, stragglers};
use crate::finding::{self, Finding};
use crate::outcome::JobOutcome;
use crate::result::{Provenance, RunResult};
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Result of a run on several hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostsResult {
    /// Hosts in the order of the command line.
    pub hosts: Vec<HostOutcome>,
    /// Sum of the results: counts and histograms added, rates of hosts added.
    pub merged: RunResult,
    /// Time in which all hosts ran at once, with their rates in it, for each phase; without lost hosts.
    pub common: Vec<CommonWindow>,
    /// Sum of the hosts over time, for each phase.
    pub joined: Vec<JoinedSeries>,
    /// Hosts that are behind the others.
    pub stragglers: Vec<Straggler>,
    /// Time in which the first host has ended its jobs, milliseconds; 0 without results.
    pub first_done_ms: u64,
    /// Time in which the last host has ended them, milliseconds.
    pub last_done_ms: u64,
    /// Number of the signal that ended the run early; `None` if none did.
    pub ended_by_signal: Option<i32>,
}

/// Largest number of windows that is kept for each phase of a host, once the hosts are joined.
const WINDOWS: usize = 64;
/// Largest number of targets of the sum, as in the result of one host.
const TARGETS: usize = 16;
/// Largest number of regions of a job whose offsets are added. Beyond, a job has none: part of them would be read as all.
const REGIONS: usize = 64;

/// Sum of results that are added one by one, so that a thousand of them need not be in memory.
#[derive(Debug, Default)]
pub struct HostsMerge {
    merged: RunResult,
    /// Number of the first host that was added, in the order of the command line, and the origin of its result.
    first: Option<(usize, Provenance)>,
    /// Places in the sum: group and name of the job, and number among those of this name.
    jobs: BTreeMap<(u32, String, usize), usize>,
    /// Jobs with more than [`REGIONS`] regions.
    without_offsets: BTreeSet<(u32, String, usize)>,
}

impl HostsMerge {
    /// Adds the result of the host with this number, and returns what is kept of it; `place` is that of [`HostResult::of`].
    /// The hosts run the same jobs: those with the same number and name are one entry.
    pub fn add(
        &mut self,
        number: usize,
        result: RunResult,
        place: &dyn Fn(usize, u64) -> Option<(u32, i64)>,
    ) -> HostResult {
        let kept = HostResult::of(&result, place);
        let merged = &mut self.merged;
        for target in result.layers.targets {
            let known = merged.layers.targets.iter().any(|other| other.path == target.path);
            if !known && merged.layers.targets.len() < TARGETS {
                merged.layers.targets.push(target);
            }
        }
        let used = result.layers.busiest_thread_percent;
        merged.layers.busiest_thread_percent = merged.layers.busiest_thread_percent.max(used);
        merged.layers.depth_asked += result.layers.depth_asked;
        merged.layers.depth_reached += result.layers.depth_reached;
        merged.layers.wall_ms = merged.layers.wall_ms.max(result.layers.wall_ms);
        for direction in 0..3 {
            merged.layers.app_ios[direction] += result.layers.app_ios[direction];
            merged.layers.app_bytes[direction] += result.layers.app_bytes[direction];
        }
        if self.first.as_ref().is_none_or(|(first, _)| number < *first) {
            self.first = Some((number, result.provenance));
        }
        // A host may lack jobs that others run: its first job of a name belongs to the first one of that name, and so on.
        let mut names: BTreeMap<(u32, String), usize> = BTreeMap::new();
        for mut job in result.jobs {
            let before = names.entry((job.group, job.name.clone())).or_insert(0);
            let key = (job.group, job.name.clone(), *before);
            *before += 1;
            if self.without_offsets.contains(&key) {
                job.offsets.clear();
            }
            match self.jobs.entry(key.clone()) {
                Entry::Occupied(mine) => {
                    let Some(mine) = merged.jobs.get_mut(*mine.get()) else { continue };
                    add(mine, &job);
                    if mine.offsets.len() > REGIONS {
                        mine.offsets.clear();
                        self.without_offsets.insert(key);
                    }
                }
                Entry::Vacant(place) => {
                    place.insert(merged.jobs.len());
                    merged.jobs.push(job);
                }
            }
        }
        kept
    }

    /// Returns the result of these hosts, whose results were added.
    pub fn finish(self, mut hosts: Vec<HostOutcome>, ended_by_signal: Option<i32>) -> HostsResult {
        let mut merged = self.merged;
        // Jobs that only later hosts run came last.
        merged.jobs.sort_by_key(|job| job.group);
        merged.provenance = self.first.map(|(_, provenance)| provenance).unwrap_or_default();
        merged.provenance.ended_by_signal = ended_by_signal;
        let results = || hosts.iter().filter_map(|host| host.result.as_ref());
        merged.findings = findings(&hosts);
        finding::sort(&mut merged.findings);
        for note in results().flat_map(|result| &result.notes) {
            if !merged.notes.contains(note) {
                merged.notes.push(note.clone());
            }
        }
        let done = || hosts.iter().filter(|host| host.lost.is_none()).filter_map(HostOutcome::done_ms);
        let (first_done_ms, last_done_ms) = (done().min().unwrap_or(0), done().max().unwrap_or(0));
        let uncertainty_ns =
            hosts.iter().filter_map(|host| Some(host.clock?.uncertainty_ns)).max().unwrap_or(0);
        let phases = results().flat_map(|result| &result.series).map(|series| series.phase + 1).max();
        let (mut common, mut joined) = (Vec::new(), Vec::new());
        for phase in 0..phases.unwrap_or(0) {
            let series = |lost_too: bool| -> Vec<&HostSeries> {
                let there = hosts.iter().filter(|host| lost_too || host.lost.is_none());
                let all = there.filter_map(|host| host.result.as_ref()).flat_map(|result| &result.series);
                all.filter(|series| series.phase == phase).collect()
            };
            common.extend(common_window(&series(false)));
            joined.extend(join(&series(true), uncertainty_ns));
        }
        let stragglers = stragglers(&hosts, &common);
        for series in hosts.iter_mut().filter_map(|host| host.result.as_mut()).flat_map(|r| &mut r.series) {
            series.series = series.series.merged(series.series.windows.len().div_ceil(WINDOWS));
        }
        HostsResult {
            hosts,
            merged,
            common,
            joined,
            stragglers,
            first_done_ms,
            last_done_ms,
            ended_by_signal,
        }
    }
}

/// Names of hosts that a finding of some of them shows.
const NAMED: usize = 3;

/// Returns the findings of the hosts: the same claim about the same job once, with the figures of the first host that has it. Those
/// that only some hosts have begin with the names of these hosts.
fn findings(hosts: &[HostOutcome]) -> Vec<Finding> {
    let with_result = || hosts.iter().filter_map(|host| Some((&host.name, host.result.as_ref()?)));
    let all = with_result().count();
    let mut found: Vec<(Finding, Vec<&str>)> = Vec::new();
    for (name, finding) in with_result().flat_map(|(name, r)| r.findings.iter().map(move |f| (name, f))) {
        // The same claim with figures of each host would be read as several.
        let same = |other: &Finding| {
            std::mem::discriminant(&other.claim) == std::mem::discriminant(&finding.claim)
                && other.job == finding.job
        };
        match found.iter_mut().find(|(other, _)| same(other)) {
            Some((_, names)) if names.last() == Some(&name.as_str()) => {}
            Some((_, names)) => names.push(name),
            None => found.push((finding.clone(), vec![name])),
        }
    }
    let named = |(mut finding, names): (Finding, Vec<&str>)| {
        if names.len() < all {
            let more = if names.len() > NAMED { ", ..." } else { "" };
            let hosts = names[..names.len().min(NAMED)].join(", ") + more;
            let job = std::mem::take(&mut finding.job);
            finding.job = if job.is_empty() { hosts } else { format!("{hosts}: {job}") };
        }
        finding
    };
    found.into_iter().map(named).collect()
}

/// Adds the same job of another host.
fn add(job: &mut JobOutcome, other: &JobOutcome) {
    let runtime_ms = job.runtime_ms.max(other.runtime_ms);
    job.merge(other);
    // The hosts run at the same time.
    job.runtime_ms = runtime_ms;
}

impl HostsResult {
    /// Returns Jain's index of the hosts' rates of I/Os ([`fairness`]). `None` unless two hosts did I/Os, and all the same jobs.
    pub fn fairness(&self) -> Option<f64> {
        if !ran_the_same(&self.hosts) {
            return None;
        }
        let there = self.hosts.iter().filter(|host| host.lost.is_none());
        let rates = there.map(|host| host.rates().iter().map(|rate| rate.iops).sum());
        fairness(&rates.collect::<Vec<f64>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::Latency;
    use crate::result::tests::job;
    use proptest::prelude::*;

    fn result(latencies: &[u64]) -> RunResult {
        let mut job = job(0, false, 4096 * latencies.len() as u64, 1000);
        let flow = &mut job.directions[0];
        flow.ios = latencies.len() as u64;
        flow.clat = Latency::default();
        for latency in latencies {
            flow.clat.histogram.record(*latency, 1);
            flow.clat.moments.record(*latency, 1);
        }
        RunResult { jobs: vec![job], ..RunResult::default() }
    }

    fn merged(hosts: impl IntoIterator<Item = RunResult>) -> HostsResult {
        let mut merge = HostsMerge::default();
        let outcomes = hosts.into_iter().enumerate().map(|(number, one)| HostOutcome {
            result: Some(merge.add(number, one, &|_, _| None)),
            ..HostOutcome::default()
        });
        let outcomes = outcomes.collect();
        merge.finish(outcomes, None)
    }

    proptest! {
        /// The merged histogram, counts, extremes and percentiles are those of all I/Os of all hosts.
        #[test]
        fn merged_is_what_all_hosts_measured(hosts in prop::collection::vec(prop::collection::vec(1u64..10_000_000_000, 1..50), 1..6)) {
            let all: Vec<u64> = hosts.concat();
            let whole = result(&all);
            let merged = merged(hosts.iter().map(|latencies| result(latencies)));
            prop_assert_eq!(merged.merged.jobs.len(), 1);
            let (ours, theirs) = (&merged.merged.jobs[0].directions[0], &whole.jobs[0].directions[0]);
            prop_assert_eq!((ours.ios, ours.bytes), (theirs.ios, theirs.bytes));
            prop_assert_eq!(&ours.clat, &theirs.clat);
            for percent in [1.0, 50.0, 90.0, 99.0, 99.99] {
                prop_assert_eq!(ours.clat.percentile(percent), theirs.clat.percentile(percent));
            }
            for (host, latencies) in merged.hosts.iter().zip(&hosts) {
                prop_assert_eq!(&host.result.as_ref().unwrap().latency[0], &result(latencies).jobs[0].directions[0].clat);
            }
        }
    }

    #[test]
    fn fairness_is_one_of_equals_and_the_reciprocal_of_one_alone() {
        let of = |ios: &[usize]| merged(ios.iter().map(|n| result(&vec![100; *n]))).fairness();
        assert!((of(&[10, 10, 10]).unwrap() - 1.0).abs() < 1e-12);
        assert!((of(&[10, 0, 0]).unwrap() - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(of(&[10]), None);
        let mut other = result(&[100; 10]);
        other.jobs[0].name = "other".into();
        assert_eq!(merged([result(&[100; 10]), other].into_iter()).fairness(), None);
    }
}
