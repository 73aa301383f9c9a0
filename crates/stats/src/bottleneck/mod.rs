//! Bottlenecks: what limits the rate of a load. Every candidate predicts how the rate changes if the load is varied; the
//! measured changes, the CPU time, the counters of the device and the shape of the throttle exclude candidates until one
//! is left, or nothing separates the rest.

mod change;
mod experiment;
mod judge;
mod strays;

pub use change::{LoadChange, RateChange, Trend};
pub use experiment::{BottleneckExperiment, Feasible, next_experiment};

use crate::estimate::Estimate;
use crate::finding::{Claim, Finding, Grade, grade_of};
use crate::histogram::Histogram;
use crate::job_error::JobError;
use crate::series::Series;
use crate::throttle::Throttle;
use serde::{Deserialize, Serialize};

/// Candidate for the limit of a load, in the order in which limits that are shown at once are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bottleneck {
    /// Rate limit, think time or schedule of the job itself.
    OwnPace,
    /// Throttle that this machine shows: a limit of a control group.
    VisibleThrottle,
    /// Quota of CPU time of a control group.
    CpuQuota,
    /// Memory: a cache or file system in memory answers.
    Memory,
    /// Other programs or the hypervisor, which use the CPU.
    CpuContention,
    /// Throttle that this machine does not show: of a hypervisor, provider or server.
    HiddenThrottle,
    /// Number of I/Os in flight: with more of them the rate rises.
    QueueDepth,
    /// CPU time of the threads that generate the load.
    LoadGenerator,
    /// Queue of the block layer: its number of requests (`nr_requests`).
    BlockQueue,
    /// I/O scheduler of the block layer.
    Scheduler,
    /// File system, or a layer between it and the device.
    FileSystem,
    /// Link to the device.
    Link,
    /// The device itself, or the server behind a file system.
    Medium,
}

impl Bottleneck {
    /// All candidates.
    pub const ALL: [Bottleneck; 13] = [
        Bottleneck::OwnPace,
        Bottleneck::VisibleThrottle,
        Bottleneck::CpuQuota,
        Bottleneck::Memory,
        Bottleneck::CpuContention,
        Bottleneck::HiddenThrottle,
        Bottleneck::QueueDepth,
        Bottleneck::LoadGenerator,
        Bottleneck::BlockQueue,
        Bottleneck::Scheduler,
        Bottleneck::FileSystem,
        Bottleneck::Link,
        Bottleneck::Medium,
    ];
}

/// Configuration of a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadShape {
    /// Block size, bytes; 0 if not known.
    pub block: u64,
    /// Queue depth of each job.
    pub depth: u32,
    /// Number of jobs.
    pub jobs: u32,
    /// Whether the load limits its own rate.
    pub paced: bool,
    /// Whether the load ran on the device under the file system of the target instead of the target.
    pub beneath: bool,
    /// Whether the load ran without the I/O scheduler of the device.
    #[serde(default)]
    pub unscheduled: bool,
}

impl LoadShape {
    /// Returns the number of I/Os that the load keeps in flight.
    pub fn in_flight(&self) -> u32 {
        self.depth.saturating_mul(self.jobs)
    }
}

/// Counters of the uppermost block device under the target during a load.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceLoad {
    /// Kernel name.
    pub name: String,
    /// Share of the time during which it had requests (0 to 1).
    pub busy: f64,
    /// Mean number of requests in flight; 0 if the driver does not count it.
    pub queue: f64,
    /// Requests per I/O of the load.
    pub requests_per_io: f64,
}

/// Limit of a control group, or of a server for its target, that a load reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReachedCap {
    /// Kernel name of the limited device, or name of the target on a server.
    pub device: String,
    /// Whether the limit is in I/Os per second; false for bytes per second.
    pub iops: bool,
    /// Limit, I/Os or bytes per second.
    pub limit: f64,
    /// Measured rate, in the unit of the limit.
    pub seen: f64,
}

/// Shares of the measured time (0 to 1) in which the load generator could not work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuShares {
    /// CPU time of the busiest thread.
    pub used: f64,
    /// Time that this thread waited for a CPU.
    pub waited: f64,
    /// Time that the quota of a control group withheld.
    pub quota: f64,
    /// Time that the hypervisor withheld.
    pub steal: f64,
    /// CPU time of other programs and of the kernel's threads, as a share of the time of all CPUs, if these were never
    /// idle; else 0.
    pub others: f64,
}

/// One load on the target, all with the same access pattern: what was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BottleneckSample {
    /// Configuration.
    pub shape: LoadShape,
    /// Start, seconds on a clock that all loads share.
    pub start_s: f64,
    /// Measured time, seconds.
    pub seconds: f64,
    /// I/Os per second.
    pub rate: Estimate,
    /// Bytes per second.
    pub bytes_per_second: f64,
    /// Mean total latency, nanoseconds.
    pub mean_ns: f64,
    /// Mean number of I/Os in flight.
    pub in_flight: f64,
    /// Counters of the device; `None` without a block device.
    pub device: Option<DeviceLoad>,
    /// Limit of a control group or of a server, if the load reached it.
    #[serde(default)]
    pub cap: Option<ReachedCap>,
    /// CPU time; `None` if not known.
    pub cpu: Option<CpuShares>,
    /// Whether memory answered; `None` if not known.
    pub memory: Option<bool>,
    /// Whether the job limited its own rate.
    pub own_pace: bool,
    /// Whether the I/Os were writes.
    pub writes: bool,
    /// Completions over time.
    #[serde(skip)]
    pub series: Series,
    /// Total latency of [reads, writes].
    #[serde(skip)]
    pub latency: [Histogram; 2],
}

impl BottleneckSample {
    /// Returns the share of the time in which the busiest thread ran or waited for a CPU; `None` if not known.
    pub fn runnable(&self) -> Option<f64> {
        self.cpu.map(|cpu| cpu.used + cpu.waited)
    }
}

/// Properties of the target that no load shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BottleneckFacts {
    /// Layers, top down.
    pub stack: Vec<String>,
    /// Requests that the queue of the device can hold; `None` if not known.
    pub slots: Option<u64>,
    /// I/O scheduler of the device; `None` if none or not known.
    pub scheduler: Option<String>,
    /// Type of the file system of the target; `None` for a device.
    pub file_system: Option<String>,
    /// Whether control groups and waits for the CPU were observed.
    pub host_known: bool,
    /// Whether a program or a server on the network holds the data.
    pub served: bool,
    /// Whether CPUs of this machine do the work of the device, as for a loop device.
    pub on_cpu: bool,
    /// Capacity of the link to the device, bytes per second; `None` if not known.
    pub link: Option<f64>,
}

/// Whether a candidate limits the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The evidence shows that it does.
    Shown,
    /// Nothing excludes it.
    Possible,
    /// The evidence excludes it.
    Excluded,
}

/// Evidence for or against a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BottleneckEvidence {
    /// The rate with another load.
    Changed {
        /// What was changed, and the rates.
        change: RateChange,
    },
    /// The job limited its own rate.
    OwnPace,
    /// CPU time of the busiest thread.
    CpuUsed {
        /// Share of the measured time (0 to 1).
        share: f64,
    },
    /// Time for which the busiest thread waited for a CPU, or which the hypervisor withheld.
    CpuWaited {
        /// Share of the measured time (0 to 1).
        share: f64,
    },
    /// The busiest thread waited for a CPU, but also slept: it does not need more CPU time.
    CpuWaitedAsleep {
        /// Share of the measured time for which it waited (0 to 1).
        share: f64,
        /// Share of the measured time for which it neither ran nor waited (0 to 1).
        asleep: f64,
    },
    /// No CPU of the machine was idle.
    CpusFull {
        /// CPU time of others, as a share of the time of all CPUs (0 to 1).
        others: f64,
    },
    /// Time that the CPU quota of a control group withheld.
    CpuQuota {
        /// Share of the measured time (0 to 1).
        share: f64,
    },
    /// CPU time is not known.
    CpuUnknown,
    /// The rate is that of a limit of a control group.
    Cap {
        /// The limit and the rate.
        cap: ReachedCap,
    },
    /// No limit of a control group is reached.
    NoCap,
    /// Only a throttle explains the loads.
    Throttle,
    /// The completions stray from a line more than those of a throttle.
    Uneven,
    /// Number of I/Os that the device serves in parallel, by the latency of few I/Os at a time.
    InParallel {
        /// Latency of few I/Os at a time multiplied by the rate.
        product: f64,
    },
    /// Another limit explains the even completions.
    Explained {
        /// The other limit.
        by: Bottleneck,
    },
    /// The data came from memory.
    FromMemory,
    /// The data came from memory, but memory would have answered far faster.
    SlowForMemory {
        /// Time per I/O, nanoseconds: the inverse of the rate.
        each_ns: f64,
    },
    /// The data did not come from memory, as far as the counters of the layers show.
    NotFromMemory,
    /// Requests in the queue of the block layer.
    Queue {
        /// Kernel name of the device.
        device: String,
        /// Mean number of requests in flight at the device.
        queue: f64,
        /// Requests that its queue can hold.
        slots: u64,
        /// Mean number of I/Os of the load in flight.
        in_flight: f64,
    },
    /// The I/Os in flight were at the device.
    AtDevice {
        /// Kernel name of the device.
        device: String,
        /// Share of the time during which it was busy (0 to 1).
        busy: f64,
        /// Mean number of requests in flight at the device.
        queue: f64,
        /// Mean number of I/Os of the load in flight.
        in_flight: f64,
    },
    /// I/Os in flight were not at the device.
    AboveDevice {
        /// Kernel name of the device.
        device: String,
        /// Share of the time during which it was busy (0 to 1).
        busy: f64,
        /// Mean number of requests in flight at the device.
        queue: f64,
        /// Mean number of I/Os of the load in flight.
        in_flight: f64,
    },
    /// There is no such layer.
    NoLayer,
    /// Name of the I/O scheduler.
    Scheduler {
        /// Name.
        name: String,
    },
    /// An I/O scheduler that leaves the device idle at times; no load ran without it.
    SchedulerUntried {
        /// Name.
        name: String,
    },
    /// Requests at the device for each I/O of the load.
    Split {
        /// Number of requests.
        requests: f64,
    },
    /// Bandwidth as a share of the capacity of the link.
    Link {
        /// Share (0 to 1).
        share: f64,
        /// Capacity, bytes per second.
        capacity: f64,
    },
    /// All other candidates are excluded.
    OnlyOneLeft,
}

/// A candidate with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedBottleneck {
    /// Candidate.
    pub candidate: Bottleneck,
    /// Whether it limits the load.
    pub standing: Standing,
    /// Evidence, the strongest first.
    pub evidence: Vec<BottleneckEvidence>,
}

/// Answer to the question what limits a load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum BottleneckAnswer {
    /// One candidate limits the load.
    Named {
        /// The limit.
        limit: Bottleneck,
    },
    /// Several candidates explain the loads; none is listed if the loads did not measure the target.
    CannotTell {
        /// They, in the order of [`Bottleneck::ALL`].
        left: Vec<Bottleneck>,
    },
}

/// Change that would raise the rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum RateRaise {
    /// More I/Os in flight; measured.
    Depth {
        /// Queue depth.
        to: u32,
        /// I/Os per second with it.
        iops: f64,
    },
    /// More jobs; measured.
    Jobs {
        /// Number of jobs.
        to: u32,
        /// I/Os per second with them.
        iops: f64,
    },
    /// A longer queue of the block layer; computed.
    Slots {
        /// Number of requests that the load needs.
        to: u64,
        /// I/Os per second at most.
        iops: f64,
    },
    /// More CPU time; computed.
    Cpu {
        /// I/Os per second at most.
        iops: f64,
    },
    /// The device without the file system; measured.
    Beneath {
        /// I/Os per second.
        iops: f64,
    },
    /// No I/O scheduler; measured.
    Unscheduled {
        /// I/Os per second.
        iops: f64,
    },
    /// A higher limit of the throttle.
    Limit,
    /// Larger blocks raise the bandwidth; measured.
    Blocks {
        /// Block size, bytes.
        to: u64,
        /// Bytes per second with it.
        bytes_per_second: f64,
    },
    /// Nothing on this machine: another device.
    Device,
}

/// What limits a load, and how this was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BottleneckCard {
    /// Version of fathom.
    pub version: String,
    /// Target, stored result or file.
    pub source: String,
    /// Pattern of the loads: `rw` as in fio's language.
    pub rw: String,
    /// Properties of the target.
    pub facts: BottleneckFacts,
    /// Loads in the order in which they ran; the first is the load in question.
    pub samples: Vec<BottleneckSample>,
    /// Candidates, in the order of [`Bottleneck::ALL`].
    pub candidates: Vec<JudgedBottleneck>,
    /// Throttle, if one was named.
    pub throttle: Option<Throttle>,
    /// Findings about the load in question.
    pub findings: Vec<Finding>,
    /// Error that ended a load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<JobError>,
    /// Answer.
    pub answer: BottleneckAnswer,
    /// Changes that would raise the rate.
    pub raises: Vec<RateRaise>,
    /// Whether a budget or a signal ended the experiments before nothing could separate the candidates.
    pub cut_short: bool,
    /// Time for everything, seconds.
    pub seconds: f64,
}

impl BottleneckCard {
    /// Returns the card of loads on one target, judged.
    pub fn of(source: &str, rw: &str, facts: BottleneckFacts, samples: Vec<BottleneckSample>) -> Self {
        let mut card = BottleneckCard {
            version: String::new(),
            source: source.to_owned(),
            rw: rw.to_owned(),
            facts,
            samples,
            candidates: Vec::new(),
            throttle: None,
            findings: Vec::new(),
            error: None,
            answer: BottleneckAnswer::CannotTell { left: Vec::new() },
            raises: Vec::new(),
            cut_short: false,
            seconds: 0.0,
        };
        card.judge();
        card
    }

    /// Judges all candidates anew.
    pub fn judge(&mut self) {
        judge::judge(self);
    }

    /// Returns the grade of the loads.
    pub fn grade(&self) -> Grade {
        if self.error.is_some() { Grade::NotTheDevice } else { grade_of(&self.findings) }
    }

    /// Returns the finding by which the loads did not measure the target, and which no candidate explains.
    pub fn not_the_target(&self) -> Option<&Finding> {
        let memory = |claim: &Claim| matches!(claim, Claim::PageCache { .. } | Claim::CacheBelow { .. });
        self.findings.iter().find(|f| f.claim.grade() == Grade::NotTheDevice && !memory(&f.claim))
    }

    /// Returns whether a candidate limits the load.
    pub fn standing(&self, candidate: Bottleneck) -> Standing {
        let judged = self.candidates.iter().find(|judged| judged.candidate == candidate);
        judged.map_or(Standing::Excluded, |judged| judged.standing)
    }
}

#[cfg(test)]
mod tests;
