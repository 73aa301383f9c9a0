//! Sum of the results of hosts.

use super::host::{HostOutcome, HostResult, fairness, ran_the_same};
use super::joined::{CommonWindow, HostSeries, JoinedSeries, common_window, join};
use super::straggler::{Straggler, stragglers};
use crate::finding::{self, Finding, FoundOn};
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
    /// Queue depths of each host that was added, by its number.
    depths: BTreeMap<usize, HostDepth>,
}

/// Queue depth of a host over its measured time.
#[derive(Clone, Copy, Debug)]
struct HostDepth {
    reached: f64,
    asked: f64,
    wall_ms: u64,
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
        let layers = &result.layers;
        let (reached, asked) = (layers.depth_reached, layers.depth_asked);
        self.depths.insert(number, HostDepth { reached, asked, wall_ms: layers.wall_ms });
        let merged = &mut self.merged;
        for target in result.layers.targets {
            let known = merged.layers.targets.iter().any(|other| other.path == target.path);
            if !known && merged.layers.targets.len() < TARGETS {
                merged.layers.targets.push(target);
            }
        }
        let used = result.layers.busiest_thread_percent;
        merged.layers.busiest_thread_percent = merged.layers.busiest_thread_percent.max(used);
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
        (merged.layers.wall_ms, merged.layers.depth_reached, merged.layers.depth_asked) =
            depths(&self.depths, &hosts);
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

/// Returns the findings of the hosts: the same claim about the same job once, with the figures of the first host that has it.
fn findings(hosts: &[HostOutcome]) -> Vec<Finding> {
    let with_result = || hosts.iter().filter_map(|host| Some((&host.name, host.result.as_ref()?)));
    let all = with_result().count();
    let mut found: Vec<(Finding, FoundOn)> = Vec::new();
    for (name, finding) in with_result().flat_map(|(name, r)| r.findings.iter().map(move |f| (name, f))) {
        // The same claim with figures of each host would be read as several.
        let same = |other: &Finding| {
            std::mem::discriminant(&other.claim) == std::mem::discriminant(&finding.claim)
                && other.job == finding.job
        };
        let at = found.iter().position(|(other, _)| same(other)).unwrap_or_else(|| {
            found.push((finding.clone(), FoundOn::default()));
            found.len() - 1
        });
        let (first, on) = &mut found[at];
        if on.hosts.last() != Some(name) {
            on.hosts.push(name.clone());
        }
        if first.claim != finding.claim {
            on.figures_of = on.hosts.first().cloned();
        }
    }
    let with_hosts = |(finding, on): (Finding, FoundOn)| {
        let all = on.hosts.len() == all;
        Finding { found_on: Some(FoundOn { all, ..on }), ..finding }
    };
    found.into_iter().map(with_hosts).collect()
}

/// Returns the measured time of all phases in milliseconds, and the queue depths that all hosts reached and asked for in it. Depths
/// of hosts add in the phases in which they ran; a phase weighs as much as it lasted on the slowest of its hosts.
fn depths(depths: &BTreeMap<usize, HostDepth>, hosts: &[HostOutcome]) -> (u64, f64, f64) {
    // Milliseconds of each phase, and the phases of each host.
    let mut phases: BTreeMap<u32, f64> = BTreeMap::new();
    let mut ran: Vec<(HostDepth, Vec<u32>)> = Vec::new();
    for (number, depth) in depths {
        let result = hosts.get(*number).and_then(|host| host.result.as_ref());
        let lengths: Vec<(u32, f64)> = result
            .into_iter()
            .flat_map(|result| &result.series)
            .map(|series| (series.phase, series.ended_ns().abs_diff(series.began_ns) as f64))
            .collect();
        // The windows have only the time in which all workers of the host did I/O.
        let windows: f64 = lengths.iter().map(|(_, nanos)| nanos).sum();
        for (phase, nanos) in &lengths {
            let longest_ms = phases.entry(*phase).or_default();
            *longest_ms = longest_ms.max(nanos / windows.max(1.0) * depth.wall_ms as f64);
        }
        ran.push((*depth, lengths.into_iter().map(|(phase, _)| phase).collect()));
    }
    let of_phases: f64 = phases.values().sum();
    let all_ms = ran.iter().map(|(depth, _)| depth.wall_ms as f64).fold(of_phases, f64::max);
    let (mut reached, mut asked) = (0.0, 0.0);
    for (depth, own) in &ran {
        let weight = match own.as_slice() {
            own if own.len() == phases.len() => 1.0,
            // Jobs that were too short for a window are in no phase.
            [] => depth.wall_ms as f64 / all_ms.max(1.0),
            own => own.iter().filter_map(|phase| phases.get(phase)).sum::<f64>() / all_ms.max(1.0),
        };
        reached += weight * depth.reached;
        asked += weight * depth.asked;
    }
    (all_ms.round() as u64, reached, asked)
}

/// Adds the same job of another host.
fn add(job: &mut JobOutcome, other: &JobOutcome) {
    let runtime_ms = job.runtime_ms.max(other.runtime_ms);
    job.merge(other);
    // The hosts run at the same time.
    job.runtime_ms = runtime_ms;
}

impl HostsResult {
    /// Returns the sum of the results as that of one machine, for a job of a study: its rate over time is that of the time in which
    /// all hosts that ran did so, and the devices under the targets, which each host counts for itself, are left out.
    pub fn into_sum(self) -> RunResult {
        let mut sum = self.merged;
        sum.layers.targets.clear();
        for common in &self.common {
            let joined = self.joined.iter().find(|joined| joined.phase == common.phase);
            let within = joined.map(|joined| joined.within(common.from_ns, common.to_ns));
            sum.series.extend(within.map(|series| (common.name.clone(), series)));
        }
        if let Some(common) = self.common.first() {
            let results = self.hosts.iter().filter_map(|host| host.result.as_ref());
            let series = results.filter_map(|result| result.series.iter().find(|s| s.phase == common.phase));
            let rates = series.map(|series| series.rates_between(common.from_ns, common.to_ns));
            sum.host_iops = rates.map(|rates| rates.iter().map(|rate| rate.iops).sum()).collect();
        }
        sum
    }

    /// Returns the shortest and the longest runtime of a job and direction on its hosts, milliseconds, for the one with the largest
    /// difference; `None` if they differ by at most 1 %. The rates of the sum are all I/Os over the longest runtime.
    pub fn unequal_runtimes_ms(&self) -> Option<(u64, u64)> {
        let mut runtimes: BTreeMap<(&str, usize), (u64, u64)> = BTreeMap::new();
        for job in self.hosts.iter().filter_map(|host| host.result.as_ref()).flat_map(|r| &r.jobs) {
            for (direction, flow) in job.directions.iter().enumerate().filter(|(_, flow)| flow.ios > 0) {
                let ms = flow.runtime_ms;
                let (least, most) = runtimes.entry((&job.name, direction)).or_insert((ms, ms));
                (*least, *most) = ((*least).min(ms), (*most).max(ms));
            }
        }
        let widest = runtimes.into_values().max_by_key(|(least, most)| most - least);
        widest.filter(|(least, most)| most - least > most / 100)
    }

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

/// Index of fairness below which the slowest host is named: a tenth of the hosts without I/Os.
const FAIR: f64 = 0.9;

/// Measurement in which the rates of the hosts differ most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uneven {
    /// Number of the measurement, from 0.
    pub row: usize,
    /// Jain's fairness index of the rates.
    pub fairness: f64,
    /// Number of the slowest host, from 0.
    pub slowest: usize,
    /// Number of the fastest host, from 0.
    pub fastest: usize,
    /// Rates of the slowest and the fastest host.
    pub rates: [f64; 2],
}

/// I/Os of each host on average below which their rates say nothing about the hosts.
const LEAST_IOS_OF_HOST: f64 = 30.0;

/// Returns which of these measurements, the rates of the same hosts in each and the seconds measured, is the most uneven; `None` if the
/// fairness of all with enough I/Os is at least 0.9.
pub fn most_uneven<'r>(rows: impl Iterator<Item = (&'r [f64], f64)>) -> Option<Uneven> {
    let counted = |rates: &[f64], seconds: f64| {
        rates.iter().sum::<f64>() * seconds >= LEAST_IOS_OF_HOST * rates.len() as f64
    };
    let enough = rows.enumerate().filter(|(_, (rates, seconds))| counted(rates, *seconds));
    let indexed = enough.filter_map(|(row, (rates, _))| Some((fairness(rates)?, row, rates)));
    let (fairness, row, rates) =
        indexed.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(index, ..)| *index < FAIR)?;
    let mut order: Vec<usize> = (0..rates.len()).collect();
    order.sort_by(|a, b| rates[*a].total_cmp(&rates[*b]));
    let (slowest, fastest) = (*order.first()?, *order.last()?);
    Some(Uneven { row, fairness, slowest, fastest, rates: [rates[slowest], rates[fastest]] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Claim;
    use crate::latency::Latency;
    use crate::result::tests::job;
    use crate::series::Series;
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

    /// A host with a result of one job; the phase has this number, and windows of so many milliseconds.
    fn in_phase(merge: &mut HostsMerge, number: usize, phase: u32, ms: u64, depth: f64) -> HostOutcome {
        let mut result = result(&[100; 10]);
        (result.layers.wall_ms, result.layers.depth_asked) = (ms, depth);
        result.layers.depth_reached = depth;
        let mut series = Series::default();
        series.look(0, [0; 3], [0; 3]);
        series.look(ms * 1_000_000, [10, 0, 0], [0; 3]);
        result.series = vec![(String::new(), series)];
        HostOutcome {
            result: Some(merge.add(number, result, &|_, at| Some((phase, at as i64)))),
            ..HostOutcome::default()
        }
    }

    /// Depths of hosts that run at the same time add; of hosts that run one after the other they are a mean over time.
    #[test]
    fn depths_of_phases_that_do_not_run_at_the_same_time_are_not_added() {
        for (phases, wall_ms, depth) in [([0, 0], 3000, 12.0), ([0, 1], 4000, (8.0 * 3.0 + 4.0) / 4.0)] {
            let mut merge = HostsMerge::default();
            let hosts = vec![
                in_phase(&mut merge, 0, phases[0], 3000, 8.0),
                in_phase(&mut merge, 1, phases[1], 1000, 4.0),
            ];
            let layers = merge.finish(hosts, None).merged.layers;
            assert_eq!((layers.wall_ms, layers.depth_asked, layers.depth_reached), (wall_ms, depth, depth));
        }
    }

    /// A finding has the hosts that have it, and the host of its figures if those of others differ.
    #[test]
    fn findings_name_their_hosts_and_the_host_of_their_figures() {
        let short = |ios| Claim::TooShort { ios, seconds: 0.1, half_width_percent: None };
        let memory = || Claim::Memory { kind: "tmpfs".into() };
        let claims = [vec![short(9), memory()], vec![short(8), memory()], vec![Claim::SyncedAtEnd, memory()]];
        let mut merge = HostsMerge::default();
        let outcomes = claims.into_iter().zip(["a", "b", "c"]).enumerate().map(|(number, (claims, name))| {
            let findings = claims.into_iter().map(|claim| Finding::new("j".into(), claim)).collect();
            let one = RunResult { findings, ..result(&[100]) };
            let result = Some(merge.add(number, one, &|_, _| None));
            HostOutcome { name: name.into(), result, ..HostOutcome::default() }
        });
        let outcomes = outcomes.collect();
        let merged = merge.finish(outcomes, None).merged;
        let on = |claim: Claim| {
            let found = merged.findings.iter().find(|finding| finding.claim == claim).unwrap();
            assert_eq!(found.job, "j");
            found.found_on.clone().unwrap()
        };
        let of = |hosts: &[&str], all, figures_of: Option<&str>| FoundOn {
            hosts: hosts.iter().map(|name| (*name).to_owned()).collect(),
            all,
            figures_of: figures_of.map(str::to_owned),
        };
        assert_eq!(merged.findings.len(), 3);
        assert_eq!(on(short(9)), of(&["a", "b"], false, Some("a")));
        assert_eq!(on(memory()), of(&["a", "b", "c"], true, None));
        assert_eq!(on(Claim::SyncedAtEnd), of(&["c"], false, None));
    }

    /// Runtimes of the same job are compared, those of different jobs are not.
    #[test]
    fn runtimes_that_differ_between_hosts_are_stated() {
        let of = |hosts: &[(&str, u64)]| {
            let results = hosts.iter().map(|(name, ms)| {
                let mut one = result(&[100; 10]);
                (one.jobs[0].name, one.jobs[0].directions[0].runtime_ms) = ((*name).into(), *ms);
                one
            });
            merged(results).unequal_runtimes_ms()
        };
        assert_eq!(of(&[("j", 1000), ("j", 3000), ("j", 2000)]), Some((1000, 3000)));
        assert_eq!(of(&[("j", 1000), ("k", 3000)]), None);
        assert_eq!(of(&[("j", 1000), ("j", 1010)]), None);
    }

    #[test]
    fn slowest_and_fastest_host_of_the_most_uneven_measurement_is_found() {
        let rows: [&[f64]; 4] = [&[5.0, 5.0, 5.0], &[6.0, 1.0, 6.0], &[0.0; 3], &[6.0, 5.0, 2.0]];
        let found = most_uneven(rows.into_iter().map(|rates| (rates, 30.0))).unwrap();
        assert_eq!((found.row, found.slowest, found.fastest, found.rates), (1, 1, 2, [1.0, 6.0]));
        assert!((found.fairness - 169.0 / 219.0).abs() < 1e-12);
        assert_eq!(most_uneven(rows.into_iter().map(|rates| (rates, 5.0))), None, "too few I/Os");
        assert_eq!(most_uneven([(&[5.0, 4.0][..], 60.0), (&[7.0][..], 60.0)].into_iter()), None);
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
