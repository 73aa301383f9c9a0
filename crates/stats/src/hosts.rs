//! Result of a run on several hosts: the results of the hosts and their sum.

use crate::direction::Direction;
use crate::finding::{self, Finding};
use crate::histogram::Histogram;
use crate::outcome::JobOutcome;
use crate::result::RunResult;
use serde::{Deserialize, Serialize};

/// Offset between the clocks of a host and of the coordinator (CLOCK_MONOTONIC of both).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockOffset {
    /// Clock of the host minus that of the coordinator, nanoseconds.
    pub offset_ns: i64,
    /// Largest possible error, nanoseconds: half of the shortest round trip. Delays that differ by direction may use all of it.
    pub uncertainty_ns: u64,
}

/// Reason why a host is missing from the run, or from a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HostLoss {
    /// The connection ended, with what the shell printed last.
    ConnectionEnded {
        /// Last line on the standard error of the shell; empty if there was none.
        said: String,
        /// Exit status of the shell; `None` if a signal ended it.
        status: Option<i32>,
    },
    /// No message arrived for this long.
    Silent {
        /// Seconds.
        seconds: u64,
    },
    /// What arrived is no message of an agent.
    NotAnAgent,
    /// The agent is of another version of fathom.
    OtherVersion {
        /// Its version.
        version: String,
    },
}

/// What is known of a host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostOutcome {
    /// Name by which the user called the host.
    pub name: String,
    /// Host name that the machine has; empty if the host never answered.
    pub machine: String,
    /// Offset of its clock; `None` if the host was lost before.
    pub clock: Option<ClockOffset>,
    /// First and last worker to begin in each phase, nanoseconds after the common start, by the offset of the clock.
    pub began_ns: Vec<(i64, i64)>,
    /// Reason why the host was lost; `None` if its result is complete.
    pub lost: Option<HostLoss>,
    /// Time of the loss in seconds after the first start; `None` if the host was not lost during the run.
    pub lost_at_s: Option<f64>,
    /// Exit status that the run would have had on this host alone.
    pub status: i32,
    /// Result, or the last one that arrived before the loss; `None` without any.
    pub result: Option<RunResult>,
}

/// Result of a run on several hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostsResult {
    /// Hosts in the order of the command line.
    pub hosts: Vec<HostOutcome>,
    /// Sum of the results: counts and histograms added, rates of hosts added.
    pub merged: RunResult,
    /// Time in which the first host has ended its jobs, milliseconds; 0 without results.
    pub first_done_ms: u64,
    /// Time in which the last host has ended them, milliseconds.
    pub last_done_ms: u64,
    /// Number of the signal that ended the run early; `None` if none did.
    pub ended_by_signal: Option<i32>,
}

/// Rate of a host in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostRate {
    /// I/Os.
    pub ios: u64,
    /// I/Os per second.
    pub iops: f64,
    /// Bytes per second.
    pub bytes_per_second: f64,
}

impl HostOutcome {
    /// Returns the rates of the host's jobs together, [read, write, trim].
    pub fn rates(&self) -> [HostRate; 3] {
        Direction::ALL.map(|direction| {
            let flows = self.result.iter().flat_map(|result| &result.jobs);
            flows.map(|job| &job.directions[direction as usize]).fold(HostRate::default(), |sum, flow| {
                HostRate {
                    ios: sum.ios + flow.ios,
                    iops: sum.iops + flow.iops(),
                    bytes_per_second: sum.bytes_per_second + flow.bytes_per_second() as f64,
                }
            })
        })
    }
}

impl HostOutcome {
    /// Returns the 99th percentile of the total latency of all jobs of the host in one direction, nanoseconds; of the
    /// completion latency if the total one was not measured; `None` without I/Os.
    pub fn p99_ns(&self, direction: Direction) -> Option<u64> {
        let mut all = [Histogram::default(), Histogram::default()];
        for flow in self.result.iter().flat_map(|r| &r.jobs).map(|job| &job.directions[direction as usize]) {
            all[0].merge(&flow.lat.histogram);
            all[1].merge(&flow.clat.histogram);
        }
        all.iter().find(|histogram| histogram.count() > 0)?.quantile(99.0)
    }
}

impl HostsResult {
    /// Returns the result of these hosts.
    pub fn of(hosts: Vec<HostOutcome>, ended_by_signal: Option<i32>) -> HostsResult {
        let results: Vec<&RunResult> = hosts.iter().filter_map(|host| host.result.as_ref()).collect();
        let done = results.iter().map(|result| {
            let flows = result.jobs.iter().flat_map(|job| &job.directions);
            flows.map(|flow| flow.runtime_ms).max().unwrap_or(0)
        });
        let (first_done_ms, last_done_ms) = (done.clone().min().unwrap_or(0), done.max().unwrap_or(0));
        let mut merged = merge(&results);
        merged.provenance.ended_by_signal = ended_by_signal;
        HostsResult { merged, hosts, first_done_ms, last_done_ms, ended_by_signal }
    }

    /// Returns the time between the first and the last worker to begin on all hosts, nanoseconds, and by how much it may be
    /// wrong, for the first phase; `None` unless two hosts began.
    pub fn start_skew_ns(&self) -> Option<(u64, u64)> {
        let began = || self.hosts.iter().filter_map(|host| Some((*host.began_ns.first()?, host.clock?)));
        let (first, last) = (began().map(|(b, _)| b.0).min()?, began().map(|(b, _)| b.1).max()?);
        let wrong = began().map(|(_, clock)| clock.uncertainty_ns).max()?;
        (began().count() > 1).then_some((first.abs_diff(last), wrong))
    }

    /// Returns Jain's fairness index of the hosts' rates of I/Os (Jain, Chiu, Hawe 1984): 1 if all are equal, 1/n if one host
    /// has everything. `None` unless two hosts did I/Os.
    pub fn fairness(&self) -> Option<f64> {
        let rates: Vec<f64> = self
            .hosts
            .iter()
            .filter(|host| host.lost.is_none())
            .map(|host| host.rates().iter().map(|rate| rate.iops).sum())
            .collect();
        let (sum, squares) = (rates.iter().sum::<f64>(), rates.iter().map(|rate| rate * rate).sum::<f64>());
        (rates.len() > 1 && sum > 0.0).then(|| sum * sum / (rates.len() as f64 * squares))
    }
}

/// Adds the results of hosts that ran the same jobs: the jobs with the same number are one entry.
fn merge(results: &[&RunResult]) -> RunResult {
    let Some((first, others)) = results.split_first() else { return RunResult::default() };
    let mut merged =
        RunResult { jobs: first.jobs.clone(), provenance: first.provenance.clone(), ..RunResult::default() };
    for other in others {
        // A host may lack jobs that others run: the first job of a name belongs to the first job of that name, and so on.
        for (at, job) in other.jobs.iter().enumerate() {
            let nth = other.jobs[..at].iter().filter(|before| before.name == job.name).count();
            match merged.jobs.iter_mut().filter(|mine| mine.name == job.name).nth(nth) {
                Some(mine) => add(mine, job),
                None => merged.jobs.push(job.clone()),
            }
        }
    }
    for result in results {
        for finding in &result.findings {
            // The same claim with figures of each host would be read as several.
            let same = |other: &Finding| {
                std::mem::discriminant(&other.claim) == std::mem::discriminant(&finding.claim)
                    && other.job == finding.job
            };
            if !merged.findings.iter().any(same) {
                merged.findings.push(finding.clone());
            }
        }
        for target in &result.layers.targets {
            if !merged.layers.targets.iter().any(|other| other.path == target.path) {
                merged.layers.targets.push(target.clone());
            }
        }
        let used = result.layers.busiest_thread_percent;
        merged.layers.busiest_thread_percent = merged.layers.busiest_thread_percent.max(used);
        merged.notes.extend(result.notes.iter().cloned());
        merged.layers.depth_asked += result.layers.depth_asked;
        merged.layers.depth_reached += result.layers.depth_reached;
        merged.layers.wall_ms = merged.layers.wall_ms.max(result.layers.wall_ms);
        for direction in 0..3 {
            merged.layers.app_ios[direction] += result.layers.app_ios[direction];
            merged.layers.app_bytes[direction] += result.layers.app_bytes[direction];
        }
    }
    finding::sort(&mut merged.findings);
    merged
}

/// Adds the same job of another host.
fn add(job: &mut JobOutcome, other: &JobOutcome) {
    let runtime_ms = job.runtime_ms.max(other.runtime_ms);
    job.merge(other);
    // The hosts run at the same time.
    job.runtime_ms = runtime_ms;
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

    proptest! {
        /// The merged histogram, counts and extremes are those of all I/Os of all hosts.
        #[test]
        fn merged_is_what_all_hosts_measured(hosts in prop::collection::vec(prop::collection::vec(1u64..10_000_000_000, 1..50), 1..6)) {
            let outcomes = hosts.iter().map(|latencies| HostOutcome {
                result: Some(result(latencies)),
                ..HostOutcome::default()
            });
            let all: Vec<u64> = hosts.concat();
            let whole = result(&all);
            let merged = HostsResult::of(outcomes.collect(), None).merged;
            prop_assert_eq!(merged.jobs.len(), 1);
            let (ours, theirs) = (&merged.jobs[0].directions[0], &whole.jobs[0].directions[0]);
            prop_assert_eq!((ours.ios, ours.bytes), (theirs.ios, theirs.bytes));
            prop_assert_eq!(&ours.clat.histogram, &theirs.clat.histogram);
            prop_assert_eq!((ours.clat.moments.n, ours.clat.moments.least, ours.clat.moments.most, ours.clat.moments.sum),
                (theirs.clat.moments.n, theirs.clat.moments.least, theirs.clat.moments.most, theirs.clat.moments.sum));
        }
    }

    #[test]
    fn fairness_is_one_of_equals_and_the_reciprocal_of_one_alone() {
        let host =
            |ios: usize| HostOutcome { result: Some(result(&vec![100; ios])), ..HostOutcome::default() };
        let of = |ios: &[usize]| HostsResult::of(ios.iter().map(|n| host(*n)).collect(), None).fairness();
        assert!((of(&[10, 10, 10]).unwrap() - 1.0).abs() < 1e-12);
        assert!((of(&[10, 0, 0]).unwrap() - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(of(&[10]), None);
    }
}
