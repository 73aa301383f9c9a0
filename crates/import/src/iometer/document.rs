//! Contents of a configuration file.

use job::job::AccessLine;

/// Version in the first and last line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// A version such as 1.1.0.
    Number(u32, u32, u32),
    /// A version named by its date, such as 2006.07.27: year, month, day.
    Date(u32, u32, u32),
}

/// Contents of a file. A section that the file lacks is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Version of Iometer that wrote the file.
    pub version: Version,
    /// Section `TEST SETUP`.
    pub setup: Option<TestSetup>,
    /// Section `RESULTS DISPLAY`.
    pub display: Option<Display>,
    /// Section `ACCESS SPECIFICATIONS`.
    pub specs: Option<Vec<AccessSpec>>,
    /// Section `MANAGER LIST`.
    pub managers: Option<Vec<Manager>>,
}

/// Number of workers that Iometer starts for each manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spawn {
    /// One for each CPU.
    Cpus,
    /// This number.
    Number(u32),
}

/// Rows that the results have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// Totals, managers, workers and targets.
    #[default]
    All,
    /// No targets.
    NoTargets,
    /// Neither workers nor targets.
    NoWorkers,
    /// Only totals.
    NoManagers,
    /// No results.
    None,
}

/// Growth of a value from one test to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The step is added.
    Linear,
    /// The value is multiplied by the step.
    Exponential,
}

/// Number of workers or targets in successive tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycling {
    /// Number in the first test.
    pub start: u32,
    /// Step to the next test.
    pub step: u32,
    /// Growth.
    pub kind: Step,
}

/// Number of outstanding I/Os in successive tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueCycling {
    /// Number in the first test.
    pub start: u32,
    /// Largest number.
    pub end: u32,
    /// Step to the next test.
    pub step: u32,
    /// Growth.
    pub kind: Step,
}

/// What varies from one test to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestType {
    /// Nothing.
    #[default]
    Normal,
    /// Number of targets of each worker.
    CycleTargets,
    /// Number of workers.
    CycleWorkers,
    /// Number of targets of each worker.
    IncrementTargetsParallel,
    /// Number of targets, one worker after the other.
    IncrementTargetsSerial,
    /// Number of workers, and for each the number of targets.
    CycleWorkersAndTargets,
    /// Number of outstanding I/Os.
    CycleOutstandingIos,
    /// Number of targets, and for each the number of outstanding I/Os.
    CycleOutstandingIosAndTargets,
}

impl TestType {
    /// All types in the order of their numbers in results.
    pub const ALL: [TestType; 8] = [
        TestType::Normal,
        TestType::CycleTargets,
        TestType::CycleWorkers,
        TestType::IncrementTargetsParallel,
        TestType::IncrementTargetsSerial,
        TestType::CycleWorkersAndTargets,
        TestType::CycleOutstandingIos,
        TestType::CycleOutstandingIosAndTargets,
    ];

    /// Returns the name in a file.
    pub fn name(self) -> &'static str {
        match self {
            TestType::Normal => "NORMAL",
            TestType::CycleTargets => "CYCLE_TARGETS",
            TestType::CycleWorkers => "CYCLE_WORKERS",
            TestType::IncrementTargetsParallel => "INCREMENT_TARGETS_PARALLEL",
            TestType::IncrementTargetsSerial => "INCREMENT_TARGETS_SERIAL",
            TestType::CycleWorkersAndTargets => "CYCLE_WORKERS_AND_TARGETS",
            TestType::CycleOutstandingIos => "CYCLE_OUTSTANDING_IOS",
            TestType::CycleOutstandingIosAndTargets => "CYCLE_OUTSTANDING_IOS_AND_TARGETS",
        }
    }
}

impl Record {
    /// All choices.
    pub const ALL: [Record; 5] =
        [Record::All, Record::NoTargets, Record::NoWorkers, Record::NoManagers, Record::None];

    /// Returns the name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Record::All => "ALL",
            Record::NoTargets => "NO_TARGETS",
            Record::NoWorkers => "NO_WORKERS",
            Record::NoManagers => "NO_MANAGERS",
            Record::None => "NONE",
        }
    }
}

impl Step {
    /// Returns the name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Step::Linear => "LINEAR",
            Step::Exponential => "EXPONENTIAL",
        }
    }
}

/// Section `TEST SETUP`. A key that the file lacks is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestSetup {
    /// Lines of the description.
    pub description: Vec<String>,
    /// Run time: hours, minutes, seconds; all 0 = until stopped.
    pub run_time: Option<[u32; 3]>,
    /// Seconds before the measurement.
    pub ramp_s: Option<u32>,
    /// Workers for disks.
    pub disk_workers: Option<Spawn>,
    /// Workers for the network.
    pub network_workers: Option<Spawn>,
    /// Workers, in files of the versions that had only one kind.
    pub workers: Option<Spawn>,
    /// Rows of the results.
    pub record: Option<Record>,
    /// Numbers of workers.
    pub worker_cycling: Option<Cycling>,
    /// Numbers of targets.
    pub disk_cycling: Option<Cycling>,
    /// Numbers of outstanding I/Os.
    pub queue_cycling: Option<QueueCycling>,
    /// What varies from one test to the next.
    pub test_type: Option<TestType>,
}

impl TestSetup {
    /// Returns the run time in seconds; 0 = until stopped.
    pub fn run_s(&self) -> u64 {
        let [hours, minutes, seconds] = self.run_time.unwrap_or_default().map(u64::from);
        3600 * hours + 60 * minutes + seconds
    }
}

/// Section `RESULTS DISPLAY`, which has no effect on a measurement: keys with the lines of their values, as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Display {
    /// Keys and lines.
    pub entries: Vec<(String, Vec<String>)>,
}

/// Workers to which a specification is assigned by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Assignment {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those of disks.
    Disk,
    /// Those of the network.
    Net,
}

impl Assignment {
    /// All choices in the order of their numbers in results.
    pub const ALL: [Assignment; 4] = [Assignment::None, Assignment::All, Assignment::Disk, Assignment::Net];

    /// Returns the name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Assignment::None => "NONE",
            Assignment::All => "ALL",
            Assignment::Disk => "DISK",
            Assignment::Net => "NET",
        }
    }
}

/// An access specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessSpec {
    /// Name, without commas.
    pub name: String,
    /// Workers that get it by default.
    pub assignment: Assignment,
    /// Lines, whose shares add up to 100.
    pub lines: Vec<AccessLine>,
}

/// A manager: a host that does I/O.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manager {
    /// Number.
    pub id: u32,
    /// Name.
    pub name: String,
    /// Network address, if stated.
    pub address: Option<String>,
    /// Its threads.
    pub workers: Vec<Worker>,
}

/// Protocol of a network worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkKind {
    /// TCP.
    Tcp,
    /// Virtual Interface Architecture.
    Vi,
}

/// Kind of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerKind {
    /// I/O of disks.
    Disk,
    /// Messages to another worker.
    Network(NetworkKind),
}

impl WorkerKind {
    /// Returns the name in a file.
    pub fn name(self) -> &'static str {
        match self {
            WorkerKind::Disk => "DISK",
            WorkerKind::Network(NetworkKind::Tcp) => "NETWORK,TCP",
            WorkerKind::Network(NetworkKind::Vi) => "NETWORK,VI",
        }
    }
}

/// Settings that all targets of a worker share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Outstanding I/Os of each target, whether connections are closed and opened again, and the number of transactions
    /// of a connection.
    pub queue: Option<(u32, bool, u32)>,
    /// Whether the seed is fixed, and the seed; `None` in files of older versions.
    pub seed: Option<(bool, u64)>,
    /// Part of the disk.
    pub disk: Option<DiskSettings>,
}

/// Part of a disk that is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskSettings {
    /// Length in sectors of 512 bytes; 0 = to the end.
    pub sectors: u64,
    /// First sector.
    pub start: u64,
    /// Data that is written: 0 repeated bytes, 1 pseudo-random, 2 random; `None` in files of older versions.
    pub pattern: Option<u8>,
}

/// A thread of a manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: Option<WorkerKind>,
    /// Settings of its targets.
    pub settings: Option<Settings>,
    /// Names of its access specifications, one for each test.
    pub specs: Vec<String>,
    /// Its targets.
    pub targets: Vec<Target>,
}

/// A disk or file of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Name, such as `C:` or `0: "DISK NAME"`.
    pub name: String,
    /// Kind, such as `DISK`.
    pub kind: Option<String>,
}
