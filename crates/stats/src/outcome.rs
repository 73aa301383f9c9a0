//! The result of a run: what every renderer reads and what merges over threads, groups and hosts.

use crate::histogram::Histogram;
use crate::layer::{DiskOutcome, Layers};
use crate::level::{Levels, percent_of_ios};
use crate::moments::Moments;
use crate::note::Note;
use crate::priority::ByPriority;
use crate::unified::Unified;
use serde::{Deserialize, Serialize};

/// A data direction; `as usize` indexes every `[_; 3]` below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Trims (discards).
    Trim,
}

impl Direction {
    /// All, in index order.
    pub const ALL: [Direction; 3] = [Direction::Read, Direction::Write, Direction::Trim];

    /// `read`, `write` or `trim`.
    pub fn name(self) -> &'static str {
        ["read", "write", "trim"][self as usize]
    }
}

/// One latency of one direction, nanoseconds. `moments.n == 0` when it was not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Exact moments.
    pub moments: Moments,
    /// Buckets.
    pub histogram: Histogram,
}

impl Latency {
    /// Adds all observations of `other`.
    pub fn merge(&mut self, other: &Latency) {
        self.moments.merge(&other.moments);
        self.histogram.merge(&other.histogram);
    }
}

/// What one direction did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DirectionOutcome {
    /// Completed I/Os.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Milliseconds during which this direction ran (0 if it did not).
    pub runtime_ms: u64,
    /// I/Os issued (completed ones and those that failed).
    pub issued: u64,
    /// Short I/Os, continued.
    pub short: u64,
    /// Dropped I/Os.
    pub dropped: u64,
    /// Failed I/Os.
    pub errors: u64,
    /// Submission latency.
    pub slat: Latency,
    /// Completion latency.
    pub clat: Latency,
    /// Total latency.
    pub lat: Latency,
    /// Bandwidth samples, KiB/s.
    pub bw_samples: Moments,
    /// Rate samples, I/Os per second.
    pub iops_samples: Moments,
    /// The sums of `bw_samples` over merged members; `None` for a single job (see [`DirectionOutcome::bw`]).
    pub bw_group: Option<Samples>,
    /// The same of `iops_samples`.
    pub iops_group: Option<Samples>,
    /// clat or lat by priority.
    #[serde(default)]
    pub priorities: ByPriority,
}

/// Periodic samples as fio sums them up over a reporting group: the group's rate is the sum of its members' rates, so
/// extremes and means add, while the spread is that of each member around its own mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Number of samples of all members.
    pub n: u64,
    /// Sum of the members' smallest samples.
    pub min: u64,
    /// Sum of the members' largest samples.
    pub max: u64,
    /// Sum of the members' means.
    pub mean: f64,
    /// Sum of the squared deviations of each sample from its member's mean.
    pub around: f64,
}

impl From<&Moments> for Samples {
    fn from(m: &Moments) -> Self {
        let around = m.stddev().powi(2) * m.n.saturating_sub(1) as f64;
        Self { n: m.n, min: m.min(), max: m.max(), mean: m.mean(), around }
    }
}

impl Samples {
    /// Both members together.
    pub fn plus(self, other: Samples) -> Samples {
        Samples {
            n: self.n + other.n,
            min: self.min + other.min,
            max: self.max + other.max,
            mean: self.mean + other.mean,
            around: self.around + other.around,
        }
    }

    /// Standard deviation (divisor n-1), 0 below two samples.
    pub fn stddev(&self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.around / (self.n - 1) as f64).sqrt() }
    }
}

impl DirectionOutcome {
    /// Bytes per second over this direction's runtime; 0 without runtime.
    pub fn bytes_per_second(&self) -> u64 {
        rate_over(self.bytes, self.runtime_ms)
    }

    /// Completed I/Os per second over this direction's runtime; 0 without runtime.
    pub fn iops(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { 1000.0 * self.ios as f64 / self.runtime_ms as f64 }
    }

    /// I/Os issued per second, failed ones too, over this direction's runtime: fio's IOPS. Equal to
    /// [`DirectionOutcome::iops`] where nothing failed.
    pub fn issue_rate(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { 1000.0 * self.issued as f64 / self.runtime_ms as f64 }
    }

    /// Bandwidth samples, KiB/s, of a job or of a whole reporting group.
    pub fn bw(&self) -> Samples {
        self.bw_group.unwrap_or_else(|| Samples::from(&self.bw_samples))
    }

    /// Rate samples, I/Os per second, of a job or of a whole reporting group.
    pub fn iops_sampled(&self) -> Samples {
        self.iops_group.unwrap_or_else(|| Samples::from(&self.iops_samples))
    }

    /// Adds a member of the same reporting group: counts add, runtime is the longest.
    pub fn merge(&mut self, other: &DirectionOutcome) {
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.runtime_ms = self.runtime_ms.max(other.runtime_ms);
        self.issued += other.issued;
        self.short += other.short;
        self.dropped += other.dropped;
        self.errors += other.errors;
        let whole = if self.priorities.total { [&self.lat, &other.lat] } else { [&self.clat, &other.clat] };
        self.priorities.merge(&other.priorities, whole);
        self.slat.merge(&other.slat);
        self.clat.merge(&other.clat);
        self.lat.merge(&other.lat);
        self.bw_group = Some(self.bw().plus(other.bw()));
        self.iops_group = Some(self.iops_sampled().plus(other.iops_sampled()));
        self.bw_samples.merge(&other.bw_samples);
        self.iops_samples.merge(&other.iops_samples);
    }
}

/// CPU use and scheduling of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuOutcome {
    /// User time, microseconds.
    pub user_us: u64,
    /// System time, microseconds.
    pub system_us: u64,
    /// Wall time the two are shares of, milliseconds.
    pub wall_ms: u64,
    /// Voluntary and involuntary context switches.
    pub switches: u64,
    /// Major faults.
    pub major_faults: u64,
    /// Minor faults.
    pub minor_faults: u64,
}

impl CpuOutcome {
    /// User time as percent of wall time.
    pub fn user_percent(&self) -> f64 {
        percent(self.user_us as f64 / 1000.0, self.wall_ms as f64)
    }

    /// System time as percent of wall time.
    pub fn system_percent(&self) -> f64 {
        percent(self.system_us as f64 / 1000.0, self.wall_ms as f64)
    }
}

/// Bytes per second, rounded down; 0 without time.
fn rate_over(bytes: u64, ms: u64) -> u64 {
    if ms == 0 { 0 } else { (u128::from(bytes) * 1000 / u128::from(ms)) as u64 }
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole <= 0.0 { 0.0 } else { 100.0 * part / whole }
}

/// The error that ended a job, or the first one that was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobError {
    /// Errno, positive.
    pub errno: i32,
    /// The operation, fio's `func=` (`io_u error`, `open`, ...).
    pub function: String,
    /// The errno in words, with file, direction, offset and length where they are known.
    pub text: String,
}

/// Which latencies were measured and which percentiles the user asked to see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// slat was measured (an asynchronous engine, not disabled).
    pub slat: bool,
    /// clat was measured.
    pub clat: bool,
    /// lat was measured.
    pub lat: bool,
    /// The ranges of clat.
    pub ranges: bool,
    /// bw and iops samples were taken.
    pub samples: bool,
    /// `slat_percentiles`.
    pub slat_percentiles: bool,
    /// `clat_percentiles` (and clat measured).
    pub clat_percentiles: bool,
    /// `lat_percentiles`, whether lat is measured or not.
    pub lat_percentiles: bool,
    /// The list, ascending.
    pub percentiles: Vec<f64>,
    /// `group_reporting`.
    pub group_reporting: bool,
    /// `kb_base`: 1024 or 1000.
    pub kb_base: u32,
    /// `unit_base`: 8 = bytes, 1 = bits.
    pub unit_base: u32,
    /// `significant_figures`.
    pub significant_figures: u32,
    /// `continue_on_error` was given: the errors line and keys are printed.
    pub errors: bool,
    /// `unified_rw_reporting`.
    #[serde(default)]
    pub unified: Unified,
}

/// What one job (one clone), or one reporting group, did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// Job name.
    pub name: String,
    /// `description`.
    pub description: Option<String>,
    /// Reporting group.
    pub group: u32,
    /// Jobs merged into this entry (1 for a single job); 0 for one that the report leaves out (`stats=0`).
    pub members: u32,
    /// Thread id (fio's pid of the job).
    pub pid: u32,
    /// Wall clock at the job's start, milliseconds since the epoch.
    pub start_epoch_ms: u64,
    /// Milliseconds from the job's epoch to its end (`job_runtime`); over a reporting group their sum, as fio has it.
    pub runtime_ms: u64,
    /// The error that ended it.
    pub error: Option<JobError>,
    /// The first error that `continue_on_error` let pass.
    #[serde(default)]
    pub tolerated: Option<JobError>,
    /// All errors counted (`total_err`).
    pub errors: u64,
    /// The job's own options as typed, in order (value empty for a flag).
    pub options: Vec<(String, String)>,
    /// Read, write, trim.
    pub directions: [DirectionOutcome; 3],
    /// Syncs issued by fsync= and fdatasync=.
    pub syncs: u64,
    /// Their latency.
    pub sync: Latency,
    /// CPU.
    pub cpu: CpuOutcome,
    /// Depth at issue.
    pub depth: Levels,
    /// I/Os per submit call.
    pub submit: Levels,
    /// I/Os per reap call.
    pub complete: Levels,
    /// The job's iodepth (`latency_depth`); 0 for one that did not begin.
    pub iodepth: u32,
    /// Mean number in flight by Little's law: sum of lat divided by the job's runtime.
    pub depth_reached: f64,
    /// I/Os that were complete when their submit call returned, of all I/Os.
    pub done_in_submit: u64,
    /// I/Os issued and never answered.
    pub unanswered: u64,
    /// What is to be shown.
    pub shown: Shown,
}

impl JobOutcome {
    /// Read, write and trim I/Os completed.
    pub fn ios(&self) -> u64 {
        self.directions.iter().map(|d| d.ios).sum()
    }

    /// Read, write and trim I/Os issued, failed ones too.
    pub fn issued(&self) -> u64 {
        self.directions.iter().map(|d| d.issued).sum()
    }

    /// The error that fio's report names: the one that ended the job, else the first that was let pass.
    pub fn first_error(&self) -> Option<&JobError> {
        self.error.as_ref().or(self.tolerated.as_ref())
    }

    /// Merges another member of the same reporting group, as fio does: options of the last, errors of the first.
    pub fn merge(&mut self, other: &JobOutcome) {
        self.members += other.members;
        self.iodepth = if self.iodepth == 0 { other.iodepth } else { self.iodepth };
        self.runtime_ms += other.runtime_ms;
        self.error = self.error.take().or_else(|| other.error.clone());
        self.tolerated = self.tolerated.take().or_else(|| other.tolerated.clone());
        self.errors += other.errors;
        self.options.clone_from(&other.options);
        for (mine, theirs) in self.directions.iter_mut().zip(&other.directions) {
            mine.merge(theirs);
        }
        self.syncs += other.syncs;
        self.sync.merge(&other.sync);
        self.cpu.user_us += other.cpu.user_us;
        self.cpu.system_us += other.cpu.system_us;
        self.cpu.wall_ms += other.cpu.wall_ms;
        self.cpu.switches += other.cpu.switches;
        self.cpu.major_faults += other.cpu.major_faults;
        self.cpu.minor_faults += other.cpu.minor_faults;
        self.depth.merge(&other.depth);
        self.submit.merge(&other.submit);
        self.complete.merge(&other.complete);
        self.depth_reached += other.depth_reached;
        self.done_in_submit += other.done_in_submit;
        self.unanswered += other.unanswered;
    }

    /// Share of I/Os (percent of all I/Os issued by the entry) by clat range: nanoseconds, microseconds, milliseconds.
    /// Ranges are those of [`RANGE_LABELS`]; each is "from the previous label up to but not including this one".
    pub fn latency_ranges(&self) -> LatencyRanges {
        let mut all = Histogram::default();
        self.directions.iter().filter(|_| self.shown.ranges).for_each(|d| all.merge(&d.clat.histogram));
        let total = self.issued();
        let exact = |from: u64, bound: u64| percent_of_ios(all.count_between(from, bound), total);
        let share = |from: u64, bound: u64| {
            let p = exact(from, bound);
            if p > 0.0 && p < 0.01 { 0.01 } else { p }
        };
        let mut from = 0;
        let mut band = |unit: u64, label: &u64| {
            let bound = label * unit;
            let p = share(from, bound);
            from = bound;
            p
        };
        let ns = RANGE_LABELS.each_ref().map(|l| band(1, l));
        let us = RANGE_LABELS.each_ref().map(|l| band(1_000, l));
        let ms_low = RANGE_LABELS.each_ref().map(|l| band(1_000_000, l));
        let below_2000 = band(1_000_000, &2000);
        let above = share(2_000_000_000, u64::MAX);
        let below_2_us = exact(0, 1_000) + us[0];
        let mut ms = [0.0; 12];
        ms[..10].copy_from_slice(&ms_low);
        ms[10] = below_2000;
        ms[11] = above;
        LatencyRanges { ns, us, ms, below_2_us }
    }
}

/// Labels of the latency ranges; milliseconds have 2000 and >=2000 in addition.
pub const RANGE_LABELS: [u64; 10] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000];

/// Percent of I/Os by latency range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyRanges {
    /// Below 1 us.
    pub ns: [f64; 10],
    /// 1 us to 1 ms.
    pub us: [f64; 10],
    /// 1 ms and above; the last two are 2000 and >=2000.
    pub ms: [f64; 12],
    /// All below 2 us as fio's terse output has it: what is below 1 us as it is, the rest at least 0.01.
    pub below_2_us: f64,
}

/// Totals of one reporting group and direction: fio's "Run status group" line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupTotals {
    /// Bytes of all members.
    pub bytes: u64,
    /// Bytes per second: all bytes over the longest runtime.
    pub aggregate: u64,
    /// Slowest member, bytes per second.
    pub slowest: u64,
    /// Fastest member, bytes per second.
    pub fastest: u64,
    /// Shortest runtime, milliseconds.
    pub shortest_ms: u64,
    /// Longest runtime, milliseconds.
    pub longest_ms: u64,
}

impl GroupTotals {
    /// Share of the group's bandwidth that a member's samples make up, percent, at most 100 (`per=`, `bw_agg`). fio
    /// takes the mean in whole KiB/s.
    pub fn share_of(&self, bw: &Samples) -> f64 {
        percent(bw.mean.trunc() * 1024.0, self.aggregate as f64).min(100.0)
    }

    /// The same as fio's terse output has it: of the mean as it is, and of the group's whole KiB/s.
    pub fn terse_share_of(&self, bw: &Samples) -> f64 {
        percent(bw.mean, (self.aggregate >> 10) as f64).min(100.0)
    }
}

/// Adds an entry of so many bytes and milliseconds to a group's totals.
fn add(total: &mut Option<GroupTotals>, bytes: u64, ms: u64) {
    if bytes == 0 {
        return;
    }
    let rate = rate_over(bytes, ms);
    let t = total.get_or_insert(GroupTotals {
        slowest: rate,
        fastest: rate,
        shortest_ms: ms,
        ..Default::default()
    });
    t.bytes += bytes;
    t.slowest = t.slowest.min(rate);
    t.fastest = t.fastest.max(rate);
    t.shortest_ms = t.shortest_ms.min(ms);
    t.longest_ms = t.longest_ms.max(ms);
    t.aggregate = rate_over(t.bytes, t.longest_ms);
}

/// One reporting group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Number of the group.
    pub id: u32,
    /// Read, write, trim, and all of them as one where `unified_rw_reporting` asks for it; `None` when no member moved
    /// a byte that way.
    pub totals: [Option<GroupTotals>; 4],
    /// `unit_base` and `kb_base` of its first job.
    pub kb_base: u32,
    /// 8 = bytes, 1 = bits.
    pub unit_base: u32,
}

/// Where a result came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of fathom.
    pub version: String,
    /// Wall clock at the end of the run, milliseconds since the epoch (fio's `timestamp_ms`).
    pub timestamp_ms: u64,
    /// The same as `ctime` words it, local time.
    pub time: String,
    /// Milliseconds since the program began (fio's `elapsed` is this in seconds, rounded up).
    pub elapsed_ms: u64,
    /// Seconds that are left, in a report while the run goes on and they can be told.
    #[serde(default)]
    pub eta_s: Option<u64>,
    /// Options of the global sections, as typed.
    pub global_options: Vec<(String, String)>,
    /// The signal that ended the run early.
    pub ended_by_signal: Option<i32>,
}

/// Everything a run found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// One per clone, in fio's order.
    pub jobs: Vec<JobOutcome>,
    /// fio's disk statistics; empty when none applies.
    pub disks: Vec<DiskOutcome>,
    /// The layers.
    pub layers: Layers,
    /// Where it came from.
    pub provenance: Provenance,
    /// What a reader should know.
    pub notes: Vec<Note>,
}

impl RunResult {
    /// The report entry of each job. As in fio, a job that does not ask for `group_reporting` opens an entry, and so
    /// does the first of a group; one that asks for it joins the entry before it.
    fn entry_numbers(&self) -> Vec<usize> {
        let mut group = None;
        let mut next = 0;
        let number = |job: &JobOutcome| {
            let opens = !job.shown.group_reporting || group != Some(job.group);
            group = Some(job.group);
            next += usize::from(opens);
            next - 1
        };
        self.listed().map(number).collect()
    }

    /// Those that the report tells of.
    fn listed(&self) -> impl Iterator<Item = &JobOutcome> {
        self.jobs.iter().filter(|job| job.members > 0)
    }

    /// What fio's JSON has in place of jobs with `stats=0`: at the end one entry each, with nothing in it, unless they
    /// ask for `group_reporting`.
    pub fn blanks(&self) -> Vec<JobOutcome> {
        let left_out = self.jobs.iter().filter(|job| job.members == 0 && !job.shown.group_reporting);
        let blank = |job: &JobOutcome| {
            let shown = Shown { errors: false, unified: Unified::None, ..job.shown.clone() };
            JobOutcome {
                name: String::new(),
                description: None,
                group: u32::MAX,
                error: None,
                options: Vec::new(),
                shown,
                ..job.clone()
            }
        };
        left_out.map(blank).collect()
    }

    /// Report entries in order: members of a reporting group merged where they ask for it.
    pub fn entries(&self) -> Vec<JobOutcome> {
        let mut entries: Vec<JobOutcome> = Vec::new();
        for (job, at) in self.listed().zip(self.entry_numbers()) {
            match entries.get_mut(at) {
                Some(entry) => entry.merge(job),
                None => entries.push(job.clone()),
            }
        }
        entries
    }

    /// Totals by reporting group, ascending; slowest and fastest are those of the report's entries.
    pub fn groups(&self) -> Vec<Group> {
        let numbers = self.entry_numbers();
        let mut groups: Vec<Group> = Vec::new();
        for entry in 0..numbers.iter().max().map_or(0, |last| last + 1) {
            let members = || self.listed().zip(&numbers).filter(|(_, n)| **n == entry).map(|(j, _)| j);
            let Some(job) = members().next() else { continue };
            let group = groups.iter().position(|g| g.id == job.group).unwrap_or_else(|| {
                let (kb_base, unit_base) = (job.shown.kb_base, job.shown.unit_base);
                groups.push(Group { id: job.group, totals: [None; 4], kb_base, unit_base });
                groups.len() - 1
            });
            let each: [(u64, u64); 3] = std::array::from_fn(|d| {
                let bytes = members().map(|j| j.directions[d].bytes).sum();
                (bytes, members().map(|j| j.directions[d].runtime_ms).max().unwrap_or(0))
            });
            let totals = &mut groups[group].totals;
            if job.shown.unified != Unified::Mixed {
                each.iter().zip(totals.iter_mut()).for_each(|((bytes, ms), total)| add(total, *bytes, *ms));
            }
            match job.shown.unified {
                Unified::None => {}
                Unified::Mixed => {
                    let ms = each.iter().map(|(_, ms)| *ms).max().unwrap_or(0);
                    add(&mut totals[3], each.iter().map(|(bytes, _)| bytes).sum(), ms);
                }
                // As in fio, slowest and fastest are directions here.
                Unified::Both => each.iter().for_each(|(bytes, ms)| add(&mut totals[3], *bytes, *ms)),
            }
        }
        for job in self.jobs.iter().filter(|job| job.members == 0) {
            if groups.iter().all(|g| g.id != job.group) {
                let (kb_base, unit_base) = (job.shown.kb_base, job.shown.unit_base);
                groups.push(Group { id: job.group, totals: [None; 4], kb_base, unit_base });
            }
        }
        groups.sort_by_key(|g| g.id);
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(group: u32, reporting: bool, bytes: u64, runtime_ms: u64) -> JobOutcome {
        let shown = Shown {
            slat: true,
            clat: true,
            lat: true,
            ranges: true,
            samples: true,
            slat_percentiles: false,
            clat_percentiles: true,
            lat_percentiles: false,
            percentiles: vec![50.0],
            group_reporting: reporting,
            kb_base: 1024,
            unit_base: 8,
            significant_figures: 4,
            errors: false,
            unified: Unified::None,
        };
        let read = DirectionOutcome {
            bytes,
            runtime_ms,
            ios: bytes / 4096,
            issued: bytes / 4096,
            ..Default::default()
        };
        JobOutcome {
            name: "j".into(),
            description: None,
            group,
            members: 1,
            pid: 0,
            start_epoch_ms: 0,
            runtime_ms,
            error: None,
            tolerated: None,
            errors: 0,
            options: Vec::new(),
            directions: [read, Default::default(), Default::default()],
            syncs: 0,
            sync: Latency::default(),
            cpu: CpuOutcome::default(),
            depth: Levels::default(),
            submit: Levels::default(),
            complete: Levels::default(),
            iodepth: 1,
            depth_reached: 1.0,
            done_in_submit: 0,
            unanswered: 0,
            shown,
        }
    }

    /// Seen with fio 3.33: a job that does not ask opens an entry, and the next that does joins it.
    #[test]
    fn jobs_that_do_not_ask_open_entries() {
        let members = |asks: &[bool]| {
            let jobs = asks.iter().map(|asks| job(0, *asks, 4096, 1)).collect();
            RunResult { jobs, ..Default::default() }.entries().iter().map(|e| e.members).collect::<Vec<_>>()
        };
        assert_eq!(members(&[true, true, false, true]), [2, 2]);
        assert_eq!(members(&[false, true, true]), [3]);
        assert_eq!(members(&[true, true, false, false, true]), [2, 1, 2]);
        assert_eq!(members(&[false, false]), [1, 1]);
    }

    #[test]
    fn a_reporting_group_is_one_entry_and_its_totals_are_the_entries() {
        let jobs = vec![
            job(0, true, 4_096_000, 1000),
            job(0, true, 8_192_000, 2000),
            job(1, false, 4_096_000, 1000),
            job(1, false, 8_192_000, 1000),
        ];
        let r = RunResult { jobs, ..Default::default() };
        let entries = r.entries();
        assert_eq!(
            entries.iter().map(|e| (e.group, e.members, e.ios())).collect::<Vec<_>>(),
            [(0, 2, 3000), (1, 1, 1000), (1, 1, 2000)]
        );
        assert_eq!((entries[0].runtime_ms, entries[0].directions[0].runtime_ms), (3000, 2000));
        let totals: Vec<GroupTotals> = r.groups().iter().filter_map(|g| g.totals[0]).collect();
        assert_eq!(
            totals[0],
            GroupTotals {
                bytes: 12_288_000,
                aggregate: 6_144_000,
                slowest: 6_144_000,
                fastest: 6_144_000,
                shortest_ms: 2000,
                longest_ms: 2000
            }
        );
        assert_eq!(
            totals[1],
            GroupTotals {
                bytes: 12_288_000,
                aggregate: 12_288_000,
                slowest: 4_096_000,
                fastest: 8_192_000,
                shortest_ms: 1000,
                longest_ms: 1000
            }
        );
    }

    /// Two jobs that fio 3.33 reported as one: means and extremes add, the spread is around each member's own mean.
    #[test]
    fn samples_of_a_group_are_fios() {
        let member = |values: &[u64]| {
            let mut m = Moments::default();
            values.iter().for_each(|v| m.record(*v, 1));
            Samples::from(&m)
        };
        let sum = member(&[397, 399, 408]).plus(member(&[1200, 1200, 1206]));
        assert_eq!((sum.n, sum.min, sum.max), (6, 1597, 1614));
        assert!((sum.mean - (1204.0 / 3.0 + 1202.0)).abs() < 1e-9);
        // Squares around 401.33: 18.78 + 5.44 + 44.44; around 1202: 4 + 4 + 16; over 6 - 1.
        assert!((sum.stddev() - ((68.0 + 2.0 / 3.0 + 24.0) / 5.0f64).sqrt()).abs() < 1e-9);
        let totals = GroupTotals { aggregate: 2_000 * 1024, ..Default::default() };
        assert_eq!(totals.share_of(&sum), 100.0 * 1603.0 / 2000.0);
    }
}
