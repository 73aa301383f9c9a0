//! Place of a job in a test of Iometer, and the figures of Iometer's results.

use crate::direction::Direction;
use crate::latency::Latency;
use crate::outcome::JobOutcome;
use crate::result::RunResult;

/// First word of the description of a job that was made from a configuration file.
const MARK: &str = "iometer";
/// Separator of the fields of a description.
const BETWEEN: char = '|';

/// Place of a job in the tests of a configuration file: one target of one worker in one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestPlace {
    /// Number of the test, from 1.
    pub test: u32,
    /// Number of the test type, 0 to 7.
    pub test_type: u32,
    /// Rows of the results, in the words of the file (`ALL`, `NO_TARGETS`, `NO_WORKERS`, `NO_MANAGERS`, `NONE`).
    pub record: String,
    /// Description of the tests.
    pub title: String,
    /// Name of the access specification.
    pub spec: String,
    /// Number of its default assignment, 0 to 3.
    pub assignment: u32,
    /// Number of the manager in the file.
    pub manager_id: u32,
    /// Name of the manager.
    pub manager: String,
    /// Number of the worker among all workers of the file.
    pub worker_number: u32,
    /// Name of the worker.
    pub worker: String,
    /// Name of the target.
    pub target: String,
    /// First sector of the target.
    pub starting_sector: u64,
    /// Largest number of sectors of the target; 0 = to the end.
    pub sectors: u64,
}

impl TestPlace {
    /// Returns the text of a job's description.
    pub fn encode(&self) -> String {
        let numbers = [self.test, self.test_type, self.assignment, self.manager_id, self.worker_number];
        let sectors = [self.starting_sector, self.sectors];
        let texts = [&self.record, &self.title, &self.spec, &self.manager, &self.worker, &self.target];
        let fields = numbers.iter().map(ToString::to_string);
        let fields = fields.chain(sectors.iter().map(ToString::to_string));
        let fields: Vec<String> = fields.chain(texts.map(|text| escaped(text))).collect();
        format!("{MARK} {}", fields.join(&BETWEEN.to_string()))
    }

    /// Returns the place in a job's description; `None` for another description.
    pub fn decode(description: &str) -> Option<Self> {
        let fields = description.strip_prefix(MARK)?.strip_prefix(' ')?;
        let fields: Vec<&str> = fields.split(BETWEEN).collect();
        let [test, test_type, assignment, manager_id, worker_number, start, sectors, ref texts @ ..] =
            fields[..]
        else {
            return None;
        };
        let texts: Vec<String> = texts.iter().map(|text| unescaped(text)).collect::<Option<_>>()?;
        let [record, title, spec, manager, worker, target] = texts.try_into().ok()?;
        let number = |text: &str| text.parse::<u32>().ok();
        Some(Self {
            test: number(test)?,
            test_type: number(test_type)?,
            record,
            title,
            spec,
            assignment: number(assignment)?,
            manager_id: number(manager_id)?,
            manager,
            worker_number: number(worker_number)?,
            worker,
            target,
            starting_sector: start.parse().ok()?,
            sectors: sectors.parse().ok()?,
        })
    }

    /// Returns the place of a job that was not made from a configuration file: its reporting group is the test, the
    /// number and name of the job are the worker.
    fn of_job(at: usize, job: &JobOutcome, host: &str) -> Self {
        Self {
            test: job.group + 1,
            record: "ALL".into(),
            spec: job.name.clone(),
            manager_id: 1,
            manager: host.to_owned(),
            worker_number: at as u32 + 1,
            worker: job.name.clone(),
            target: job.load.target.clone(),
            ..Self::default()
        }
    }
}

/// Escapes all bytes that a job file or the separator would change.
fn escaped(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " -_.:,/()".contains(c);
    let mut escaped = String::new();
    for c in text.chars() {
        if plain(c) {
            escaped.push(c);
        } else {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| escaped += &format!("%{byte:02x}"));
        }
    }
    escaped
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push((digit(rest.next())? * 16 + digit(rest.next())?) as u8);
    }
    String::from_utf8(bytes).ok()
}

/// Limits of Iometer's latency ranges in nanoseconds; the last range has no end.
pub const RANGES: [u64; 21] = [
    0,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    15_000_000,
    20_000_000,
    30_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
    2_000_000_000,
    4_700_000_000,
    5_000_000_000,
    10_000_000_000,
];

/// Figures of one direction over several jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// I/Os per second, summed over the jobs.
    pub iops: f64,
    /// Bytes per second, summed over the jobs.
    pub bytes_per_second: f64,
    /// Number of I/Os.
    pub ios: u64,
    /// Bytes transferred.
    pub bytes: u64,
    /// Number of errors.
    pub errors: u64,
    /// Latencies.
    pub latency: Latency,
}

impl Figures {
    fn add(&mut self, other: &Figures) {
        self.iops += other.iops;
        self.bytes_per_second += other.bytes_per_second;
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.errors += other.errors;
        self.latency.merge(&other.latency);
    }
}

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOf {
    /// All managers.
    All,
    /// One manager.
    Manager,
    /// One worker.
    Worker,
    /// One target of a worker.
    Disk,
}

/// A row of the results.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// Kind.
    pub of: RowOf,
    /// Name of the manager, worker or target.
    pub name: String,
    /// Name of the access specification, if all jobs have the same.
    pub spec: Option<String>,
    /// Number of managers, workers and targets.
    pub counts: [usize; 3],
    /// Reads and writes.
    pub directions: [Figures; 2],
    /// Number of transactions: requests, each with its reply; `None` if not known.
    pub transactions: Option<u64>,
    /// Rate of the transactions per second; `None` if not known.
    pub transactions_per_second: Option<f64>,
    /// Longest runtime in milliseconds.
    pub runtime_ms: u64,
    /// First sector, largest number of sectors and queue depth, each if all targets have the same.
    pub disk: [Option<u64>; 3],
}

impl ResultRow {
    /// Returns reads and writes together.
    pub fn both(&self) -> Figures {
        let mut both = self.directions[0].clone();
        both.add(&self.directions[1]);
        both
    }
}

/// Results of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    /// Number of the test, from 1.
    pub test: u32,
    /// End of the test, milliseconds since the epoch.
    pub end_ms: u64,
    /// Rows in Iometer's order.
    pub rows: Vec<ResultRow>,
}

/// An access specification that a job used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedSpec {
    /// Name.
    pub name: String,
    /// Number of its default assignment.
    pub assignment: u32,
    /// Number of the first job with it.
    pub job: usize,
}

/// Results of a run in Iometer's form.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Number of the test type.
    pub test_type: u32,
    /// Description of the tests.
    pub title: String,
    /// Start of the first job, milliseconds since the epoch.
    pub start_ms: u64,
    /// Access specifications in the order of their use.
    pub specs: Vec<UsedSpec>,
    /// Tests in the order of their numbers.
    pub tests: Vec<TestResult>,
    /// Whether the run ended early, by a signal or an error.
    pub aborted: bool,
}

/// Whether a job's requests have replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replies {
    /// None has.
    None,
    /// Each has.
    All,
    /// Those of some lines.
    Some,
}

/// Returns the results of a run; `replies` states for each job whether its requests have replies.
pub fn results(run: &RunResult, replies: &[Replies]) -> Results {
    let host = &run.provenance.host.name;
    let listed = run.jobs.iter().filter(|job| job.start_epoch_ms > 0).enumerate();
    let jobs: Vec<Member> = listed
        .map(|(at, job)| {
            let place = job.description.as_deref().and_then(TestPlace::decode);
            let place = place.unwrap_or_else(|| TestPlace::of_job(at, job, host));
            let number = run.jobs.iter().position(|other| std::ptr::eq(other, job)).unwrap_or(at);
            Member { place, job, number, replies: replies.get(number).copied().unwrap_or(Replies::None) }
        })
        .collect();
    let first = jobs.first().map(|member| member.place.clone()).unwrap_or_default();
    let mut specs: Vec<UsedSpec> = Vec::new();
    for Member { place, number, .. } in &jobs {
        if specs.iter().all(|spec| spec.name != place.spec) {
            let (name, assignment) = (place.spec.clone(), place.assignment);
            specs.push(UsedSpec { name, assignment, job: *number });
        }
    }
    let mut numbers: Vec<u32> = jobs.iter().map(|member| member.place.test).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let test = |number: &u32| {
        let of: Vec<&Member> = jobs.iter().filter(|member| member.place.test == *number).collect();
        let end = |member: &&&Member| member.job.start_epoch_ms + member.job.runtime_ms;
        let end_ms = of.iter().max_by_key(end).map_or(0, |last| end(&last));
        TestResult { test: *number, end_ms, rows: rows(&of) }
    };
    Results {
        test_type: first.test_type,
        title: first.title,
        start_ms: jobs.iter().map(|member| member.job.start_epoch_ms).min().unwrap_or(0),
        specs,
        tests: numbers.iter().map(test).collect(),
        aborted: run.provenance.ended_by_signal.is_some() || run.jobs.iter().any(|job| job.error.is_some()),
    }
}

/// A job with its place.
struct Member<'a> {
    place: TestPlace,
    job: &'a JobOutcome,
    /// Number of the job in the run.
    number: usize,
    replies: Replies,
}

impl Member<'_> {
    fn manager(&self) -> (u32, &str) {
        (self.place.manager_id, &self.place.manager)
    }

    fn figures(&self, direction: Direction) -> Figures {
        let d = &self.job.directions[direction as usize];
        // Iometer counts from the call to the completion.
        let latency = if d.lat.moments.n > 0 { &d.lat } else { &d.clat };
        let seconds = self.job.runtime_ms as f64 / 1000.0;
        let rate = |n: u64| if seconds > 0.0 { n as f64 / seconds } else { 0.0 };
        Figures {
            iops: rate(d.ios),
            bytes_per_second: rate(d.bytes),
            ios: d.ios,
            bytes: d.bytes,
            errors: d.errors,
            latency: latency.clone(),
        }
    }

    fn transactions(&self) -> Option<u64> {
        match self.replies {
            Replies::None => Some(self.job.ios()),
            Replies::All => Some(self.job.ios() / 2),
            Replies::Some => None,
        }
    }
}

/// Returns the rows of one test: totals, then each manager with its workers and their targets.
fn rows(of: &[&Member<'_>]) -> Vec<ResultRow> {
    let record = of.first().map_or("ALL", |member| member.place.record.as_str());
    if record == "NONE" {
        return Vec::new();
    }
    let mut rows = vec![row(RowOf::All, "All", of)];
    for manager in groups(of, |member| member.manager()) {
        if record == "NO_MANAGERS" {
            break;
        }
        rows.push(row(RowOf::Manager, &manager[0].place.manager, &manager));
        for worker in groups(&manager, |member| (member.place.worker_number, member.place.worker.as_str())) {
            if record == "NO_WORKERS" {
                break;
            }
            rows.push(row(RowOf::Worker, &worker[0].place.worker, &worker));
            let disks = worker.iter().filter(|_| record != "NO_TARGETS");
            rows.extend(disks.map(|disk| row(RowOf::Disk, &disk.place.target, &[*disk])));
        }
    }
    rows
}

/// Returns the members in groups of equal keys, in the order of their first members.
fn groups<'m, 'a, K: PartialEq>(
    of: &[&'m Member<'a>],
    key: impl Fn(&'m Member<'a>) -> K,
) -> Vec<Vec<&'m Member<'a>>> {
    let mut groups: Vec<Vec<&Member>> = Vec::new();
    for member in of {
        match groups.iter_mut().find(|group| key(group[0]) == key(member)) {
            Some(group) => group.push(member),
            None => groups.push(vec![member]),
        }
    }
    groups
}

fn row(of: RowOf, name: &str, members: &[&Member<'_>]) -> ResultRow {
    let mut directions = [Figures::default(), Figures::default()];
    for (sum, direction) in directions.iter_mut().zip([Direction::Read, Direction::Write]) {
        members.iter().for_each(|member| sum.add(&member.figures(direction)));
    }
    let same = |value: &dyn Fn(&Member<'_>) -> u64| {
        let first = members.first().map(|member| value(member))?;
        members.iter().all(|member| value(member) == first).then_some(first)
    };
    let spec = members.first().map(|member| &member.place.spec);
    let rate = |member: &&Member<'_>| {
        let n = member.transactions()? as f64;
        Some(if member.job.runtime_ms == 0 { 0.0 } else { 1000.0 * n / member.job.runtime_ms as f64 })
    };
    ResultRow {
        of,
        name: name.to_owned(),
        spec: spec.filter(|spec| members.iter().all(|member| member.place.spec == **spec)).cloned(),
        counts: [
            groups(members, |member| member.manager()).len(),
            groups(members, |member| (member.manager(), member.place.worker_number)).len(),
            members.len(),
        ],
        directions,
        transactions: members.iter().map(|member| member.transactions()).sum(),
        transactions_per_second: members.iter().map(rate).sum(),
        runtime_ms: members.iter().map(|member| member.job.runtime_ms).max().unwrap_or(0),
        disk: [
            same(&|member| member.place.starting_sector),
            same(&|member| member.place.sectors),
            same(&|member| member.job.iodepth.into()),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_survive_descriptions() {
        let place = TestPlace {
            test: 3,
            test_type: 6,
            record: "ALL".into(),
            title: "50 % reads; \"mixed\" | #1 $x \u{e9}\n%41".into(),
            spec: "4 KiB aligned; 50% Read; 100% random".into(),
            assignment: 2,
            manager_id: 1,
            manager: "HOST".into(),
            worker_number: 2,
            worker: "Worker 1".into(),
            target: "1: \"disk [a]\"".into(),
            starting_sector: 64,
            sectors: 2048,
        };
        assert_eq!(TestPlace::decode(&place.encode()), Some(place.clone()));
        let empty = TestPlace::default();
        assert_eq!(TestPlace::decode(&empty.encode()), Some(empty));
        for other in ["iometer", "iometer 1|2", "my job", "iometer 1|2|3|4|5|6|7|%|||||"] {
            assert_eq!(TestPlace::decode(other), None, "{other}");
        }
    }
}
