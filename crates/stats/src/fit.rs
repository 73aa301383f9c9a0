//! Result of `fathom fit`: whether a target is good enough for a workload, criterion by criterion.

use crate::estimate::Estimate;
use crate::finding::{Claim, Finding, Grade, grade_of};
use crate::job_error::JobError;
use crate::result::Host;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Figure that a criterion limits: in nanoseconds for times, per second for rates, bytes per second for bandwidths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FitFigure {
    /// Percentile (0 to 100) of the duration of a sync.
    SyncTime(f64),
    /// Percentile of lat of reads.
    ReadTime(f64),
    /// Percentile of lat of writes.
    WriteTime(f64),
    /// Longest sync.
    LongestSync,
    /// Longest write.
    LongestWrite,
    /// Writes that are followed by a sync, per second.
    Commits,
    /// Reads per second.
    Reads,
    /// Writes per second.
    Writes,
    /// Bytes read per second.
    ReadBandwidth,
    /// Bytes written per second.
    WriteBandwidth,
}

impl FitFigure {
    /// Returns whether the figure is a time, of which less is better.
    pub fn is_time(self) -> bool {
        matches!(
            self,
            FitFigure::SyncTime(_)
                | FitFigure::ReadTime(_)
                | FitFigure::WriteTime(_)
                | FitFigure::LongestSync
                | FitFigure::LongestWrite
        )
    }

    /// Returns whether the figure is a bandwidth.
    pub fn is_bandwidth(self) -> bool {
        matches!(self, FitFigure::ReadBandwidth | FitFigure::WriteBandwidth)
    }

    /// Returns whether the figure is that of the longest I/O, which can only rise.
    pub fn is_longest(self) -> bool {
        matches!(self, FitFigure::LongestSync | FitFigure::LongestWrite)
    }
}

impl fmt::Display for FitFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitFigure::SyncTime(percent) => write!(f, "sync p{percent}"),
            FitFigure::ReadTime(percent) => write!(f, "read p{percent}"),
            FitFigure::WriteTime(percent) => write!(f, "write p{percent}"),
            FitFigure::LongestSync => f.write_str("sync max"),
            FitFigure::LongestWrite => f.write_str("write max"),
            FitFigure::Commits => f.write_str("commits/s"),
            FitFigure::Reads => f.write_str("read IOPS"),
            FitFigure::Writes => f.write_str("write IOPS"),
            FitFigure::ReadBandwidth => f.write_str("read MB/s"),
            FitFigure::WriteBandwidth => f.write_str("write MB/s"),
        }
    }
}

impl FromStr for FitFigure {
    type Err = ();

    fn from_str(text: &str) -> Result<FitFigure, ()> {
        let percent = |name: &str| -> Option<f64> {
            let percent = text.strip_prefix(name)?.strip_prefix(" p")?.parse().ok()?;
            (0.0..100.0).contains(&percent).then_some(percent)
        };
        let exact = [
            FitFigure::LongestSync,
            FitFigure::LongestWrite,
            FitFigure::Commits,
            FitFigure::Reads,
            FitFigure::Writes,
            FitFigure::ReadBandwidth,
            FitFigure::WriteBandwidth,
        ];
        let exact = exact.into_iter().find(|figure| figure.to_string() == text);
        exact
            .or_else(|| percent("sync").map(FitFigure::SyncTime))
            .or_else(|| percent("read").map(FitFigure::ReadTime))
            .or_else(|| percent("write").map(FitFigure::WriteTime))
            .ok_or(())
    }
}

impl Serialize for FitFigure {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FitFigure {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<FitFigure, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|()| serde::de::Error::invalid_value(serde::de::Unexpected::Str(&text), &"sync p99"))
    }
}

/// Origin of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitClass {
    /// The project or vendor itself states this number for the disk.
    Official,
    /// The project states the number at which its software warns or misbehaves.
    Bound,
    /// Derived by a rule from what the workload does.
    Derived,
}

/// Answer to the question whether a criterion, or all of them, are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FitVerdict {
    /// The whole 95 % interval meets the limit.
    Yes,
    /// The interval holds the limit, or is not known.
    NotSure,
    /// The whole interval misses the limit.
    No,
}

/// Criterion with what was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitRow {
    /// Name of the job that measured it.
    pub job: String,
    /// Limited figure.
    pub figure: FitFigure,
    /// Measured value with its 95 % interval; `None` if nothing was measured.
    pub measured: Option<Estimate>,
    /// Number of syncs, reads or writes behind the figure.
    pub samples: u64,
    /// Limit for the wanted scale, in the unit of the figure: at most for times, at least for rates.
    pub limit: f64,
    /// Share of a measured rate that may be used (0 to 1).
    pub margin: f64,
    /// Whether the limit grows with the scale.
    pub scales: bool,
    /// Origin of the limit.
    pub class: LimitClass,
    /// Document or rule that the limit comes from.
    pub source: String,
    /// Address of the document.
    pub link: Option<String>,
    /// Month in which the document was read: `2026-11`.
    pub read: Option<String>,
    /// Whether the criterion is met.
    pub verdict: FitVerdict,
    /// Largest scale that still meets the criterion; `None` if the limit does not depend on the scale.
    pub largest_scale: Option<f64>,
    /// Host whose figure it is, the one with the worst verdict of several; `None` on one machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Figure of each of several hosts, in their order; empty on one machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<HostFigure>,
}

/// Figure of one of several hosts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostFigure {
    /// Name of the host.
    pub host: String,
    /// Measured value with its 95 % interval; `None` if nothing was measured.
    pub measured: Option<Estimate>,
    /// Number of syncs, reads or writes behind the figure.
    pub samples: u64,
    /// Whether the host meets the criterion.
    pub verdict: FitVerdict,
}

/// Samples above a percentile below which the percentile is that of a few accidents.
const ABOVE: f64 = 10.0;

/// Reason why a figure was not judged although its job ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitLack {
    /// There are fewer samples than the percentile needs.
    TooFew {
        /// Least number of samples.
        needed: u64,
    },
    /// There are enough samples, but they vary too much, or those close in time resemble each other.
    Unsteady,
}

impl FitRow {
    /// Returns why the figure was not judged; `None` if it was.
    pub fn lack(&self) -> Option<FitLack> {
        let needed = match self.figure {
            FitFigure::SyncTime(percent) | FitFigure::ReadTime(percent) | FitFigure::WriteTime(percent) => {
                (ABOVE / (1.0 - percent / 100.0) - 1e-6).ceil() as u64
            }
            _ => 1,
        };
        let lack = if self.samples < needed { FitLack::TooFew { needed } } else { FitLack::Unsteady };
        self.measured.is_none().then_some(lack)
    }

    /// Compares two rows of the same criterion: the greater one is worse, by verdict, then by the measured value.
    pub fn worse(&self, other: &FitRow) -> std::cmp::Ordering {
        let value = |row: &FitRow| {
            row.measured.map_or(f64::INFINITY, |measured| {
                if self.figure.is_time() { measured.value } else { -measured.value }
            })
        };
        self.verdict.cmp(&other.verdict).then(value(self).total_cmp(&value(other)))
    }

    /// Sets verdict and largest scale from the measured value, for a workload of size `scale`.
    pub fn judge(&mut self, scale: f64) {
        self.verdict = match self.measured {
            None => FitVerdict::NotSure,
            Some(m) if self.figure.is_time() => verdict(m.high <= self.limit, m.low > self.limit),
            Some(m) => verdict(self.margin * m.low >= self.limit, self.margin * m.high < self.limit),
        };
        let unit = self.limit / scale;
        self.largest_scale = self
            .measured
            .filter(|_| self.scales && !self.figure.is_time() && unit > 0.0)
            .map(|m| self.margin * m.low / unit);
    }
}

fn verdict(met: bool, missed: bool) -> FitVerdict {
    match (met, missed) {
        (true, _) => FitVerdict::Yes,
        (false, true) => FitVerdict::No,
        (false, false) => FitVerdict::NotSure,
    }
}

/// Sign that a sync does not reach the medium.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuspiciousSync {
    /// Syncs are faster than a disk turns.
    FasterThanTheDiskTurns {
        /// Median of a sync, nanoseconds.
        p50_ns: u64,
    },
    /// Syncs cost nothing beside the write.
    CostsNothing {
        /// Median of a sync, nanoseconds.
        p50_ns: u64,
    },
    /// Syncs are faster than a medium writes, and the device says that its cache is volatile.
    VolatileCache {
        /// Median of a sync, nanoseconds.
        p50_ns: u64,
    },
}

/// Size of the workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitScale {
    /// What is counted: a key of the catalogs (`commits`, `streams`), or a text.
    pub unit: String,
    /// Wanted number.
    pub wanted: f64,
}

/// Result of `fathom fit PROFILE TARGET`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FitCard {
    /// Version of fathom.
    pub version: String,
    /// Name of the profile.
    pub profile: String,
    /// System that the profile stands for: `PostgreSQL`.
    pub system: String,
    /// Part of the system: a key of the catalogs (`wal`, `data`), or a text; empty if there is one part only.
    pub part: String,
    /// Target as the user gave it.
    pub target: String,
    /// Hosts that ran the workload simultaneously, each of them all of it; empty for this machine alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// Storage stack of the target, top first.
    pub stack: Vec<String>,
    /// Size of the workload; `None` if no limit depends on it.
    pub scale: Option<FitScale>,
    /// Criteria in the order of the profile.
    pub rows: Vec<FitRow>,
    /// Error that ended the measurement.
    pub error: Option<JobError>,
    /// Sign that syncs do not reach the medium.
    pub suspicious: Option<SuspiciousSync>,
    /// Reason why the project advises against this kind of target: a key of the catalogs, or a text.
    pub unsupported: Option<String>,
    /// What the verdict leaves out: keys of the catalogs, or texts.
    pub left_out: Vec<String>,
    /// Findings of the jobs.
    pub findings: Vec<Finding>,
    /// Whether jobs were ended or left out because of `--wear-budget`.
    #[serde(default)]
    pub budget_used: bool,
    /// Measured time, seconds.
    pub seconds: f64,
    /// Machine.
    pub host: Host,
}

impl FitCard {
    /// Returns the verdict over all criteria: the worst one; no if the project advises against the target, and not sure
    /// if syncs are suspicious, if the figures are not those of the device, or if other load may have caused a no.
    pub fn verdict(&self) -> FitVerdict {
        let worst = self.worst();
        let doubtful = self.suspicious.is_some() || self.grade() == Grade::NotTheDevice;
        match self.unsupported {
            Some(_) => FitVerdict::No,
            None if self.error.is_some() => FitVerdict::NotSure,
            None if worst == FitVerdict::No && self.disturbance().is_some() => FitVerdict::NotSure,
            None if doubtful => worst.max(FitVerdict::NotSure),
            None => worst,
        }
    }

    /// Returns the worst verdict of each of several hosts over all criteria, in the order of the hosts; none on one machine.
    pub fn host_verdicts(&self) -> impl Iterator<Item = (&str, FitVerdict)> {
        let verdict = |row: &FitRow, host: &str| {
            row.each.iter().find(|one| one.host == host).map_or(FitVerdict::NotSure, |one| one.verdict)
        };
        self.hosts.iter().map(move |host| {
            let worst = self.rows.iter().map(|row| verdict(row, host)).max();
            (host.as_str(), worst.unwrap_or(FitVerdict::NotSure))
        })
    }

    /// Returns the finding that other load delayed the I/Os so much that it may be why the deciding figure missed its limit
    /// or could not be judged.
    pub fn likely_cause(&self) -> Option<&Finding> {
        self.disturbance().filter(|_| self.worst() != FitVerdict::Yes)
    }

    fn worst(&self) -> FitVerdict {
        self.rows.iter().map(|row| row.verdict).max().unwrap_or(FitVerdict::NotSure)
    }

    /// Returns the finding that other load delayed the I/Os so much that a figure misses its limit because of it.
    fn disturbance(&self) -> Option<&Finding> {
        let delays = |claim: &Claim| {
            matches!(
                claim,
                Claim::CpuContention { .. } | Claim::CpuTakenAway { .. } | Claim::OtherLoad { .. }
            )
        };
        let serious = |found: &&Finding| delays(&found.claim) && found.claim.grade() >= Grade::Conditions;
        // What delayed one host does not explain the figure of another.
        let disturbs = |found: &Finding, row: &FitRow| match (&found.found_on, &row.host) {
            (Some(on), Some(host)) => on.hosts.contains(host),
            _ => true,
        };
        let mut serious = self.findings.iter().filter(serious);
        let worst = self.worst();
        let deciding = || self.rows.iter().filter(|row| row.verdict == worst);
        let explained = |row: &FitRow| serious.clone().any(|found| disturbs(found, row));
        if worst == FitVerdict::No && !deciding().all(explained) {
            return None;
        }
        serious.find(|found| self.rows.is_empty() || deciding().any(|row| disturbs(found, row)))
    }

    /// Returns the finding by which the figures are not those of the device, or a no may be due to other load.
    pub fn doubt(&self) -> Option<&Finding> {
        let not_the_device = self.findings.iter().find(|found| found.claim.grade() == Grade::NotTheDevice);
        not_the_device.or_else(|| self.likely_cause().filter(|_| self.worst() == FitVerdict::No))
    }

    /// Returns the row that decides: the first with the worst verdict.
    pub fn deciding(&self) -> Option<&FitRow> {
        let worst = self.rows.iter().map(|row| row.verdict).max()?;
        self.rows.iter().find(|row| row.verdict == worst)
    }

    /// Returns the largest scale that meets all criteria; `None` if none depends on it.
    pub fn largest_scale(&self) -> Option<f64> {
        self.rows.iter().filter_map(|row| row.largest_scale).min_by(f64::total_cmp)
    }

    /// Returns the grade of the measurement.
    pub fn grade(&self) -> Grade {
        if self.error.is_some() { Grade::NotTheDevice } else { grade_of(&self.findings) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::FoundOn;

    fn row(figure: FitFigure, measured: Option<[f64; 3]>, limit: f64, margin: f64) -> FitRow {
        FitRow {
            job: "wal".into(),
            figure,
            measured: measured.map(|[low, value, high]| Estimate { value, low, high }),
            samples: 5000,
            limit,
            margin,
            scales: true,
            class: LimitClass::Official,
            source: String::new(),
            link: None,
            read: None,
            verdict: FitVerdict::NotSure,
            largest_scale: None,
            host: None,
            each: Vec::new(),
        }
    }

    #[test]
    fn the_whole_interval_decides() {
        for (measured, limit, verdict) in [
            (Some([8e6, 9e6, 9.9e6]), 10e6, FitVerdict::Yes),
            (Some([8e6, 9e6, 10.1e6]), 10e6, FitVerdict::NotSure),
            (Some([10.1e6, 11e6, 12e6]), 10e6, FitVerdict::No),
            (None, 10e6, FitVerdict::NotSure),
        ] {
            let mut row = row(FitFigure::SyncTime(99.0), measured, limit, 1.0);
            row.judge(1.0);
            assert_eq!((row.verdict, row.largest_scale), (verdict, None));
        }
    }

    /// A host fails by any of its criteria; one whose job was not run is not sure.
    #[test]
    fn verdict_of_a_host_is_the_worst_of_its_figures() {
        use FitVerdict::{No, NotSure, Yes};
        let of = |verdicts: &[(&str, FitVerdict)]| {
            let one = |(host, verdict): &(&str, FitVerdict)| HostFigure {
                host: (*host).into(),
                measured: None,
                samples: 0,
                verdict: *verdict,
            };
            let each = verdicts.iter().map(one).collect();
            FitRow { each, ..row(FitFigure::Reads, None, 1.0, 1.0) }
        };
        let rows =
            vec![of(&[("a", Yes), ("b", No), ("c", Yes)]), of(&[("a", Yes), ("b", Yes), ("c", NotSure)])];
        let hosts: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let mut card = FitCard { hosts, rows, ..FitCard::default() };
        assert_eq!(card.host_verdicts().collect::<Vec<_>>(), [("a", Yes), ("b", No), ("c", NotSure)]);
        card.rows.push(of(&[]));
        assert_eq!(card.host_verdicts().collect::<Vec<_>>(), [("a", NotSure), ("b", No), ("c", NotSure)]);
        card.hosts.clear();
        assert_eq!(card.host_verdicts().count(), 0);
    }

    /// A busy machine delays I/Os: it can turn a yes into a no, and never a no into a yes.
    #[test]
    fn a_no_on_a_busy_machine_is_not_sure_and_a_yes_stays() {
        let mut no = row(FitFigure::SyncTime(99.0), Some([20e6, 21e6, 22e6]), 10e6, 1.0);
        no.judge(1.0);
        let mut yes = row(FitFigure::SyncTime(99.0), Some([2e6, 3e6, 4e6]), 10e6, 1.0);
        yes.judge(1.0);
        let busy = |waited_percent| Finding::new(String::new(), Claim::CpuContention { waited_percent });
        let card = |row: &FitRow, waited| FitCard {
            rows: vec![row.clone()],
            findings: vec![busy(waited)],
            ..FitCard::default()
        };
        assert_eq!(card(&no, 60.0).verdict(), FitVerdict::NotSure);
        assert!(card(&no, 60.0).doubt().is_some());
        // A little waiting explains little.
        assert_eq!(card(&no, 12.0).verdict(), FitVerdict::No);
        assert_eq!(card(&yes, 60.0).verdict(), FitVerdict::Yes);
        assert!(card(&yes, 60.0).doubt().is_none());
        // What delays one host does not excuse another one.
        let on_hosts = |missed: &[&str], delayed: &[&str]| {
            let named = |hosts: &[&str]| hosts.iter().map(|host| (*host).to_owned()).collect::<Vec<_>>();
            let of = |host| FitRow { host: Some(host), ..no.clone() };
            let on = FoundOn { hosts: named(delayed), ..FoundOn::default() };
            let findings = vec![Finding { found_on: Some(on), ..busy(60.0) }];
            FitCard { rows: named(missed).into_iter().map(of).collect(), findings, ..FitCard::default() }
                .verdict()
        };
        assert_eq!(on_hosts(&["b"], &["a", "c"]), FitVerdict::No);
        assert_eq!(on_hosts(&["b"], &["a", "b"]), FitVerdict::NotSure);
        assert_eq!(on_hosts(&["a", "b"], &["a"]), FitVerdict::No);
    }

    #[test]
    fn lack_of_samples_and_unsteadiness_are_told_apart() {
        let lack = |figure, samples| FitRow { samples, ..row(figure, None, 10e6, 1.0) }.lack();
        assert_eq!(lack(FitFigure::SyncTime(99.0), 999), Some(FitLack::TooFew { needed: 1000 }));
        assert_eq!(lack(FitFigure::SyncTime(99.0), 1000), Some(FitLack::Unsteady));
        assert_eq!(lack(FitFigure::SyncTime(99.9), 5000), Some(FitLack::TooFew { needed: 10_000 }));
        assert_eq!(lack(FitFigure::Commits, 0), Some(FitLack::TooFew { needed: 1 }));
        assert_eq!(lack(FitFigure::Commits, 5), Some(FitLack::Unsteady));
        assert_eq!(row(FitFigure::Commits, Some([1.0, 2.0, 3.0]), 1.0, 1.0).lack(), None);
    }

    #[test]
    fn a_rate_is_used_up_to_its_margin_and_tells_how_much_it_holds() {
        for (limit, verdict) in
            [(600.0, FitVerdict::Yes), (680.0, FitVerdict::NotSure), (800.0, FitVerdict::No)]
        {
            let mut row = row(FitFigure::Commits, Some([900.0, 1000.0, 1100.0]), limit, 0.7);
            row.judge(limit / 2.0);
            assert_eq!(row.verdict, verdict, "{limit}");
            assert_eq!(row.largest_scale.map(f64::round), Some(315.0));
        }
    }

    #[test]
    fn figures_read_back() {
        for text in
            ["sync p99", "read p99.9", "write p50", "sync max", "commits/s", "read IOPS", "write MB/s"]
        {
            assert_eq!(text.parse::<FitFigure>().map(|figure| figure.to_string()).as_deref(), Ok(text));
        }
        for text in ["sync", "sync p100", "sync p", "IOPS", ""] {
            assert!(text.parse::<FitFigure>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_yes_needs_every_criterion_and_a_target_that_may_be_believed() {
        let judged = |low: f64| {
            let mut row = row(FitFigure::Commits, Some([low, low + 1.0, low + 2.0]), 100.0, 1.0);
            row.judge(10.0);
            row
        };
        let good = FitCard { rows: vec![judged(120.0), judged(150.0)], ..FitCard::default() };
        assert_eq!((good.verdict(), good.largest_scale()), (FitVerdict::Yes, Some(12.0)));
        let bad = FitCard { rows: vec![judged(120.0), judged(50.0)], ..FitCard::default() };
        assert_eq!((bad.verdict(), bad.deciding()), (FitVerdict::No, bad.rows.last()));
        let mut missing = row(FitFigure::Commits, None, 100.0, 1.0);
        missing.judge(10.0);
        let partly = FitCard { rows: vec![judged(120.0), missing], ..FitCard::default() };
        assert_eq!(partly.verdict(), FitVerdict::NotSure);
        let suspicious = Some(SuspiciousSync::CostsNothing { p50_ns: 1 });
        assert_eq!(FitCard { suspicious, ..good.clone() }.verdict(), FitVerdict::NotSure);
        assert_eq!(FitCard { suspicious, ..bad }.verdict(), FitVerdict::No);
        let unsupported = Some("nfs4".to_owned());
        assert_eq!(FitCard { unsupported, ..good.clone() }.verdict(), FitVerdict::No);
        let claim = Claim::PageCache { app: 100, storage: 1, span: 1, memory: 2 };
        let findings = vec![Finding::new(String::new(), claim)];
        assert_eq!(FitCard { findings, ..good }.verdict(), FitVerdict::NotSure);
        assert_eq!(FitCard::default().verdict(), FitVerdict::NotSure);
    }
}
