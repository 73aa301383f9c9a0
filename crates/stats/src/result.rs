//! Result of a run, which all renderers read, with the totals of its reporting groups.

use crate::finding::{Finding, Grade, grade_of};
use crate::job_error::TargetChange;
use crate::layer::{DiskOutcome, Layers};
use crate::note::Note;
use crate::outcome::*;
use crate::series::Series;
use serde::{Deserialize, Serialize};

/// Totals of one reporting group and direction: fio's "Run status group" line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupTotals {
    /// Bytes transferred by all members.
    pub bytes: u64,
    /// Bandwidth: all bytes over the longest runtime, bytes per second.
    pub aggregate: u64,
    /// Bandwidth of the slowest member, bytes per second.
    pub slowest: u64,
    /// Bandwidth of the fastest member, bytes per second.
    pub fastest: u64,
    /// Shortest runtime, milliseconds.
    pub shortest_ms: u64,
    /// Longest runtime, milliseconds.
    pub longest_ms: u64,
}

impl GroupTotals {
    /// Returns the share of a member's bandwidth samples in the group's bandwidth, percent, at most 100 (fio's
    /// `per=`, `bw_agg`). As in fio, the mean is in whole KiB/s.
    pub fn share_of(&self, bw: &Samples) -> f64 {
        percent(bw.mean.trunc() * 1024.0, self.aggregate as f64).min(100.0)
    }

    /// Returns the same share as in fio's terse output, percent: the mean is not rounded, the group's bandwidth is in
    /// whole KiB/s.
    pub fn terse_share_of(&self, bw: &Samples) -> f64 {
        percent(bw.mean, (self.aggregate >> 10) as f64).min(100.0)
    }
}

/// Adds an entry with these bytes and milliseconds to a group's totals.
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

/// Totals of one reporting group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Number of the group.
    pub id: u32,
    /// Totals of read, write, trim, and of all directions combined with `unified_rw_reporting`; `None` if no member
    /// transferred a byte in that direction.
    pub totals: [Option<GroupTotals>; 4],
    /// `kb_base` of the group's first job: 1024 or 1000.
    pub kb_base: u32,
    /// `unit_base` of the group's first job: 8 = bytes, 1 = bits.
    pub unit_base: u32,
}

/// Idle time of the CPUs during the run (`--idle-prof`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Idleness {
    /// Idle time of all CPUs together, percent.
    pub system: f64,
    /// Number and idle time (percent) of each CPU.
    pub cpus: Vec<(u32, f64)>,
    /// Mean time of fio's calibration work unit over the CPUs, microseconds.
    pub unit_mean_us: f64,
    /// Standard deviation of that time between the CPUs, microseconds.
    pub unit_stddev_us: f64,
}

/// Machine that measured the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Host name of the machine.
    pub name: String,
    /// Release of the kernel (`uname -r`).
    pub kernel: String,
    /// Disks under the targets, with vendor and model if known; without serial numbers.
    #[serde(default)]
    pub disks: Vec<String>,
    /// Command line of the run, quoted for a shell; empty if not known.
    #[serde(default)]
    pub command: String,
}

/// Origin of a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of fathom that measured the run.
    pub version: String,
    /// Wall clock at the end of the run, milliseconds since the epoch (fio's `timestamp_ms`).
    pub timestamp_ms: u64,
    /// Local time of `timestamp_ms` in the format of `ctime`.
    pub time: String,
    /// Milliseconds since the program began (fio's `elapsed` is this in seconds, rounded up).
    pub elapsed_ms: u64,
    /// Estimated remaining time, seconds; set only in a report during the run.
    #[serde(default)]
    pub eta_s: Option<u64>,
    /// Options of the global sections, as typed.
    pub global_options: Vec<(String, String)>,
    /// Number of the signal that ended the run early; `None` if none did.
    pub ended_by_signal: Option<i32>,
    /// The machine on which the run was measured.
    #[serde(default)]
    pub host: Host,
}

/// Complete result of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Outcomes of the clones, in fio's order.
    pub jobs: Vec<JobOutcome>,
    /// fio's disk statistics; empty if no disk applies.
    pub disks: Vec<DiskOutcome>,
    /// Counts of each layer, from the application to the devices.
    pub layers: Layers,
    /// Idle time of the CPUs; `None` without `--idle-prof`.
    #[serde(default)]
    pub idleness: Option<Idleness>,
    /// Whether the report lists each CPU (`--idle-prof=percpu`).
    #[serde(default)]
    pub each_cpu: bool,
    /// Origin of the result.
    pub provenance: Provenance,
    /// Notes for the reader of the result.
    pub notes: Vec<Note>,
    /// The first target that changed between its check and its use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<TargetChange>,
    /// Rate over time of each phase of jobs that ran together, with the name of the job if the phase had only one.
    #[serde(default)]
    pub series: Vec<(String, Series)>,
    /// Findings that limit or explain the figures, worst first.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// I/Os per second of each host in the time in which all ran, in a job of a study on several hosts; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_iops: Vec<f64>,
}

impl RunResult {
    /// Returns the grade of the result, which states how far the result can be trusted.
    pub fn grade(&self) -> Grade {
        grade_of(&self.findings)
    }

    /// Returns the number of the report entry of each listed job. As in fio, a job without `group_reporting` and the
    /// first job of a group open an entry; a job with `group_reporting` joins the preceding entry.
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

    /// Returns the jobs that the report lists (those without `stats=0`).
    fn listed(&self) -> impl Iterator<Item = &JobOutcome> {
        self.jobs.iter().filter(|job| job.members > 0)
    }

    /// Returns the empty entries that fio's JSON has at the end, one for each job with `stats=0` and without
    /// `group_reporting`.
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

    /// Returns the report entries in order, with the members of a reporting group merged if they have
    /// `group_reporting`.
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

    /// Returns a lower bound for the bytes of the targets that no I/O touched: a region that was read ten times is
    /// covered once.
    pub fn least_untouched_bytes(&self) -> u64 {
        let size = self.layers.targets.iter().fold(0u64, |sum, target| sum.saturating_add(target.size));
        let transferred = self.layers.app_bytes.iter().fold(0u64, |sum, bytes| sum.saturating_add(*bytes));
        let mut regions = Vec::new();
        let mut elsewhere = 0u64;
        for job in &self.jobs {
            crate::offsets::merge(&mut regions, &job.offsets);
            if job.offsets.is_empty() {
                let bytes = job.directions.iter().fold(0u64, |sum, d| sum.saturating_add(d.bytes));
                elsewhere = elsewhere.saturating_add(bytes);
            }
        }
        let covered = match regions.is_empty() {
            true => transferred,
            false => crate::offsets::most_covered(&regions).saturating_add(elsewhere),
        };
        size.saturating_sub(covered.min(transferred))
    }

    /// Returns the totals of the reporting groups, ascending by number; slowest and fastest are those of the report's
    /// entries.
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
                let rated = members().map(|j| &j.directions[d]).filter(|d| d.has_rate());
                let bytes = rated.map(|d| d.bytes).sum();
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
pub(crate) mod tests {
    use super::*;
    use crate::{CpuOutcome, Latency, Levels, Moments, Shown};

    /// Returns a job with reads.
    pub(crate) fn job(group: u32, reporting: bool, bytes: u64, runtime_ms: u64) -> JobOutcome {
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
            start_clock_ms: None,
            runtime_ms,
            error: None,
            tolerated: None,
            verification: None,
            errors: 0,
            options: Vec::new(),
            directions: [read, Default::default(), Default::default()],
            syncs: 0,
            sync: Latency::default(),
            commit: Latency::default(),
            lateness: Default::default(),
            cpu: CpuOutcome::default(),
            depth: Levels::default(),
            submit: Levels::default(),
            complete: Levels::default(),
            iodepth: 1,
            latency_goal: Default::default(),
            depth_reached: 1.0,
            done_in_submit: 0,
            unanswered: 0,
            shown,
            load: Default::default(),
            steady: None,
            offsets: Vec::new(),
        }
    }

    /// Observed with fio 3.33: a job without `group_reporting` opens an entry, and the next job with
    /// `group_reporting` joins the entry.
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

    /// Two jobs reported as one by fio 3.33: means and extremes are summed, the spread is around the mean of each
    /// member.
    /// Seen with fio 3.33: a synchronous job first, an asynchronous one second.
    #[test]
    fn a_reporting_group_shows_each_latency_that_a_member_measured() {
        let mut synchronous = job(0, true, 4096, 1);
        synchronous.shown.slat = false;
        let mut second = job(0, true, 4096, 1);
        second.shown.clat = false;
        let result = RunResult { jobs: vec![synchronous, second], ..RunResult::default() };
        let shown = &result.entries()[0].shown;
        assert!(shown.slat && shown.clat && shown.lat, "{shown:?}");
    }

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
