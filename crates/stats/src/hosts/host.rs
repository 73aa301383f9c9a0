//! What is kept of each host of a run.

use super::joined::HostSeries;
use crate::direction::Direction;
use crate::finding::{Finding, Grade, grade_of};
use crate::job_error::{JobError, TargetChange};
use crate::latency::Latency;
use crate::note::Note;
use crate::outcome::{DirectionOutcome, JobOutcome, rate_over};
use crate::result::{Host, RunResult};
use serde::{Deserialize, Serialize};

/// Offset between the clocks of a host and of the coordinator (CLOCK_MONOTONIC of both).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockOffset {
    /// Clock of the host minus that of the coordinator, nanoseconds.
    pub offset_ns: i64,
    /// Largest possible error, nanoseconds: half of the shortest ways there and back. Delays that differ by direction may use all of it.
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
    /// A signal that did not come from this run ended the agent's jobs early; its result is complete until then.
    EndedBySignal {
        /// Number of the signal.
        signal: i32,
    },
    /// What arrived is no message of an agent.
    NotAnAgent,
    /// The agent is of another version of fathom.
    OtherVersion {
        /// Its version.
        version: String,
    },
}

/// What is known of a host, with the result `R` of what it ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostOutcome<R = HostResult> {
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
    /// Time of the last message before the loss in seconds after the first start; `None` if the host was not lost during the run.
    pub lost_at_s: Option<f64>,
    /// Exit status that the run would have had on this host alone.
    pub status: i32,
    /// Result, or the last one that arrived before the loss; `None` without any.
    pub result: Option<R>,
}

/// Result of one host. The jobs of all hosts, with all that was measured, are in the sum only: a thousand hosts would not fit
/// into memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostResult {
    /// Jobs in the order of the sum.
    pub jobs: Vec<HostJob>,
    /// Latency of all jobs together, [read, write, trim]: total latency, or completion latency if that was not measured.
    pub latency: [Latency; 3],
    /// Rate over time of each phase, on the common clock.
    pub series: Vec<HostSeries>,
    /// Time from the start of the first job to the end of the last, milliseconds.
    pub took_ms: u64,
    /// Findings that limit or explain the figures, worst first.
    pub findings: Vec<Finding>,
    /// Notes for the reader of the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// The first target that changed between its check and its use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<TargetChange>,
    /// The machine.
    pub machine: Host,
}

/// Job of one host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostJob {
    /// Name of the job.
    pub name: String,
    /// Time from the start of the job to its end, milliseconds.
    pub runtime_ms: u64,
    /// Number of errors.
    pub errors: u64,
    /// Error that ended the job; `None` if no error did.
    pub error: Option<JobError>,
    /// Reads, writes and trims.
    pub directions: [JobFlow; 3],
}

/// Figures of a job of one host in one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobFlow {
    /// Number of completed I/Os.
    pub ios: u64,
    /// Bytes transferred by the completed I/Os.
    pub bytes: u64,
    /// Runtime of this direction, milliseconds; 0 if no I/O of this direction was done.
    pub runtime_ms: u64,
    /// Total latency, or completion latency if that was not measured; `None` without either.
    pub latency: Option<JobLatency>,
}

/// Latency of a job of one host in one direction, nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobLatency {
    /// Mean.
    pub mean_ns: f64,
    /// Median.
    pub p50_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// Maximum.
    pub max_ns: u64,
}

/// Rate of one or several hosts in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostRate {
    /// I/Os.
    pub ios: u64,
    /// I/Os per second.
    pub iops: f64,
    /// Bytes per second.
    pub bytes_per_second: f64,
}

impl JobFlow {
    fn of(flow: &DirectionOutcome) -> JobFlow {
        let latency = measured(flow).and_then(|latency| {
            Some(JobLatency {
                mean_ns: latency.moments.mean(),
                p50_ns: latency.percentile(50.0)?,
                p99_ns: latency.percentile(99.0)?,
                max_ns: latency.moments.max(),
            })
        });
        JobFlow { ios: flow.ios, bytes: flow.bytes, runtime_ms: flow.runtime_ms, latency }
    }

    /// Returns completed I/Os per second over this direction's runtime; 0 without runtime.
    pub fn iops(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { 1000.0 * self.ios as f64 / self.runtime_ms as f64 }
    }

    /// Returns bytes per second over this direction's runtime; 0 without runtime.
    pub fn bytes_per_second(&self) -> u64 {
        rate_over(self.bytes, self.runtime_ms)
    }
}

/// Returns the total latency, or the completion latency if that was not measured.
fn measured(flow: &DirectionOutcome) -> Option<&Latency> {
    [&flow.lat, &flow.clat].into_iter().find(|latency| latency.moments.n > 0)
}

impl HostResult {
    /// Returns what is kept of a host's result. `place` converts a time of a phase (its number on this host from 0, nanoseconds on
    /// the clock of the host) to the number of the phase on all hosts and nanoseconds after the common start; series without a place
    /// in time are left out.
    pub fn of(result: &RunResult, place: &dyn Fn(usize, u64) -> Option<(u32, i64)>) -> HostResult {
        let mut latency: [Latency; 3] = Default::default();
        for (sum, direction) in latency.iter_mut().zip(Direction::ALL) {
            let flows = || result.jobs.iter().map(|job| &job.directions[direction as usize]);
            // The two kinds are not mixed.
            let total = flows().any(|flow| flow.lat.moments.n > 0);
            flows().for_each(|flow| sum.merge(if total { &flow.lat } else { &flow.clat }));
        }
        let series = result.series.iter().enumerate().filter_map(|(phase, (name, series))| {
            let (phase, began_ns) = place(phase, series.began()?)?;
            Some(HostSeries { name: name.clone(), phase, began_ns, series: series.clone() })
        });
        let ran = || result.jobs.iter().filter(|job| job.runtime_ms > 0);
        let first_ms = ran().map(|job| job.start_epoch_ms).min().unwrap_or(0);
        let last_ms = ran().map(|job| job.start_epoch_ms + job.runtime_ms).max().unwrap_or(0);
        HostResult {
            jobs: result.jobs.iter().map(HostJob::of).collect(),
            latency,
            series: series.collect(),
            took_ms: last_ms.saturating_sub(first_ms),
            findings: result.findings.clone(),
            notes: result.notes.clone(),
            refused: result.refused.clone(),
            machine: result.provenance.host.clone(),
        }
    }

    /// Returns the grade of the host's result.
    pub fn grade(&self) -> Grade {
        grade_of(&self.findings)
    }
}

impl HostJob {
    fn of(job: &JobOutcome) -> HostJob {
        HostJob {
            name: job.name.clone(),
            runtime_ms: job.runtime_ms,
            errors: job.errors,
            error: job.error.clone(),
            directions: job.directions.each_ref().map(JobFlow::of),
        }
    }
}

/// Returns whether the hosts that were not lost ran the same jobs, so that their rates and ends can be compared.
pub(super) fn ran_the_same(hosts: &[HostOutcome]) -> bool {
    let there = hosts.iter().filter(|host| host.lost.is_none()).filter_map(|host| host.result.as_ref());
    let names = there.map(|result| result.jobs.iter().map(|job| &job.name));
    names.clone().zip(names.skip(1)).all(|(one, next)| one.eq(next))
}

impl<R> HostOutcome<R> {
    /// Returns the same host with another result.
    pub fn with_result<S>(self, result: Option<S>) -> HostOutcome<S> {
        let HostOutcome { name, machine, clock, began_ns, lost, lost_at_s, status, result: _ } = self;
        HostOutcome { name, machine, clock, began_ns, lost, lost_at_s, status, result }
    }
}

/// Returns the time between the first and the last worker to begin on all of these hosts, nanoseconds, and by how much it may be
/// wrong, for the first phase; `None` unless two hosts began.
pub fn start_skew_ns<R>(hosts: &[HostOutcome<R>]) -> Option<(u64, u64)> {
    let began = || hosts.iter().filter_map(|host| Some((*host.began_ns.first()?, host.clock?)));
    let (first, last) = (began().map(|(b, _)| b.0).min()?, began().map(|(b, _)| b.1).max()?);
    let wrong = began().map(|(_, clock)| clock.uncertainty_ns).max()?;
    (began().count() > 1).then_some((first.abs_diff(last), wrong))
}

/// Returns Jain's fairness index of the rates of hosts (Jain, Chiu, Hawe 1984): 1 if all are equal, 1/n if one of n has everything.
/// `None` unless there are two and one is not 0.
pub fn fairness(rates: &[f64]) -> Option<f64> {
    let (sum, squares) = (rates.iter().sum::<f64>(), rates.iter().map(|rate| rate * rate).sum::<f64>());
    (rates.len() > 1 && sum > 0.0).then(|| sum * sum / (rates.len() as f64 * squares))
}

impl HostOutcome {
    /// Returns the rates of the host's jobs together, [read, write, trim]; over the time of all phases, if there are several.
    pub fn rates(&self) -> [HostRate; 3] {
        let series = || self.result.iter().flat_map(|result| &result.series);
        let nanos: u64 = series().flat_map(|one| &one.series.windows).map(|window| window.nanos).sum();
        Direction::ALL.map(|direction| {
            let flows = self.result.iter().flat_map(|result| &result.jobs);
            if series().count() > 1 && nanos > 0 {
                let flows = flows.map(|job| &job.directions[direction as usize]);
                let (ios, bytes) =
                    flows.fold((0, 0), |(ios, bytes), flow| (ios + flow.ios, bytes + flow.bytes));
                let seconds = nanos as f64 / 1e9;
                return HostRate {
                    ios,
                    iops: ios as f64 / seconds,
                    bytes_per_second: bytes as f64 / seconds,
                };
            }
            flows.map(|job| &job.directions[direction as usize]).fold(HostRate::default(), |sum, flow| {
                HostRate {
                    ios: sum.ios + flow.ios,
                    iops: sum.iops + flow.iops(),
                    bytes_per_second: sum.bytes_per_second + flow.bytes_per_second() as f64,
                }
            })
        })
    }

    /// Returns a percentile of the latency of all jobs of the host in one direction, nanoseconds; `None` without I/Os.
    pub fn percentile_ns(&self, direction: Direction, percent: f64) -> Option<u64> {
        self.result.as_ref()?.latency[direction as usize].percentile(percent)
    }

    /// Returns the time of the end of the host's last job after the common start, milliseconds; `None` without jobs that ran.
    pub fn done_ms(&self) -> Option<u64> {
        let result = self.result.as_ref().filter(|result| result.took_ms > 0)?;
        let began_ms = self.began_ns.first().map_or(0, |(first, _)| first / 1_000_000);
        Some(result.took_ms.saturating_add_signed(began_ms))
    }
}
