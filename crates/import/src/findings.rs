//! Findings about fio's results, by those rules of fathom's runs that need only the figures in fio's JSON.

use crate::value::{count, text};
use serde_json::{Map, Value};
use stats::finding::LEAST_IOS;
use stats::{Claim, Direction, Finding, Flow, Measured, Unmeasured};

/// Share of the jobs' bytes below which the disks' bytes count as too few, which shows the page cache (M1).
const SERVED: f64 = 0.9;
/// Size of a sector in `disk_util`, in bytes.
const SECTOR: u64 = 512;
/// Largest I/O of a disk in bytes, assumed where `disk_util` has no sectors (before fio 3.37); larger than any
/// read-ahead or writeback.
const LARGEST: u64 = 4 << 20;
/// Size of a page in bytes, the unit of buffered random reads: fio turns off read-ahead (`fadvise_hint`), but whole
/// pages are read.
const PAGE: u64 = 4 << 10;
/// CPU time of a job in percent of its wall time, from which M22 applies.
const BUSY: f64 = 90.0;
/// Ratio of mean to median latency above which M30 applies.
const SKEWED: f64 = 2.0;
/// Latency in nanoseconds from which M31 applies, if it is also at least [`STALL_MEDIANS`] times the median.
const STALL_NS: f64 = 5e8;
const STALL_MEDIANS: f64 = 100.0;
/// Fraction of `runtime` below which M18 applies.
const RAN: f64 = 0.9;

/// Errors of a job.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errors {
    /// Whether an error ended the job.
    pub ended: bool,
    /// Number of failed I/Os.
    pub ios: u64,
}

/// Job of a JSON document.
pub(crate) struct Told<'a> {
    pub errors: Errors,
    /// Global options and the job's own.
    pub options: &'a Map<String, Value>,
    pub measured: &'a Measured,
}

impl Told<'_> {
    fn option(&self, key: &str) -> Option<String> {
        text(self.options.get(key)).map(|t| t.trim().to_owned())
    }

    /// Returns whether a flag is set; fio echoes a flag with or without a value.
    fn flag(&self, key: &str) -> bool {
        self.option(key).is_some_and(|t| t != "0")
    }

    fn direct(&self) -> bool {
        self.flag("direct") || self.option("buffered").is_some_and(|t| t == "0")
    }

    /// Returns whether the job used the page cache according to its options; false for a document without options.
    fn buffered(&self) -> bool {
        !self.options.is_empty() && !self.direct()
    }

    fn sets_one_of(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.option(key).is_some_and(|t| t != "0" && t != "none"))
    }

    /// Returns whether the job syncs its writes, or starts their writeback, during the run.
    fn syncs_as_it_goes(&self) -> bool {
        self.sets_one_of(&["fsync", "fdatasync", "sync", "sync_file_range"])
    }

    fn syncs_at_end(&self) -> bool {
        // fio echoes a flag without a value.
        self.sets_one_of(&["end_fsync", "fsync_on_close", "end_syncfs"])
    }

    fn flow(&self, direction: Direction) -> Option<&Flow> {
        self.measured.flows.iter().find(|f| f.direction == direction)
    }

    fn bytes(&self, direction: Direction) -> u64 {
        self.flow(direction).map_or(0, |f| f.bytes)
    }
}

/// Returns the findings of each job. `jobs` are all jobs of the document.
pub(crate) fn judge(document: &Map<String, Value>, jobs: &[Told<'_>]) -> Vec<Vec<Finding>> {
    let mut found: Vec<Vec<Finding>> = jobs.iter().map(|job| own(job)).collect();
    for (claim, at) in page_cache(document, jobs) {
        found[at].push(Finding::new(jobs[at].measured.name.clone(), claim));
    }
    for findings in &mut found {
        stats::finding::sort(findings);
    }
    found
}

/// Returns the largest number of bytes that all disks of a document together may have read and written; each disk of a
/// stack counts. Without sectors in `disk_util`, each I/O counts as `largest` bytes (reads, writes). `None` without
/// disks.
fn disks(document: &Map<String, Value>, largest: [u64; 2]) -> Option<[u64; 2]> {
    let disks: Vec<_> = document.get("disk_util")?.as_array()?.iter().filter_map(Value::as_object).collect();
    let moved = |disk: &Map<String, Value>, way: &str, largest: u64| {
        let sectors = format!("{way}_sectors");
        match disk.contains_key(&sectors) {
            true => count(disk, &sectors).saturating_mul(SECTOR),
            false => count(disk, &format!("{way}_ios")).saturating_mul(largest),
        }
    };
    let sum = |way: &str, largest| {
        disks.iter().fold(0u64, |sum, disk| sum.saturating_add(moved(disk, way, largest)))
    };
    (!disks.is_empty()).then(|| [sum("read", largest[0]), sum("write", largest[1])])
}

/// Returns claims about the page cache, each with the index of its job. fio does not report which disk a job used, so
/// only I/O that all disks together cannot have done is counted.
fn page_cache(document: &Map<String, Value>, jobs: &[Told<'_>]) -> Vec<(Claim, usize)> {
    let block = jobs.iter().map(|j| j.measured.access.bs).max().unwrap_or(0);
    let reads = jobs.iter().filter(|j| j.bytes(Direction::Read) > 0);
    let hinted = |j: &Told<'_>| j.option("fadvise_hint").is_none_or(|t| t == "1");
    let at_random = block > 0 && reads.clone().all(|j| j.measured.access.random() && hinted(j));
    let read_at_once = if at_random { block.next_multiple_of(PAGE) } else { block.max(LARGEST) };
    let Some([read, written]) = disks(document, [read_at_once, block.max(LARGEST)]) else {
        return Vec::new();
    };
    let all = |d: Direction| jobs.iter().fold(0u64, |sum, j| sum.saturating_add(j.bytes(d)));
    let (app_read, app_written) = (all(Direction::Read), all(Direction::Write));
    let mut out = Vec::new();
    for (at, job) in jobs.iter().enumerate().filter(|(_, j)| j.buffered()) {
        if job.bytes(Direction::Read) > 0 && (read as f64) < SERVED * app_read as f64 {
            let span = job.measured.conditions.span.unwrap_or(0);
            out.push((Claim::PageCache { app: app_read, storage: read, span, memory: 0 }, at));
        }
        if job.bytes(Direction::Write) > 0 && job.syncs_at_end() && !job.syncs_as_it_goes() {
            out.push((Claim::SyncedAtEnd, at));
        } else if job.bytes(Direction::Write) > 0 && !job.syncs_as_it_goes() {
            let arrived = written as f64 >= SERVED * app_written as f64;
            out.push(match arrived {
                true => (Claim::NotDurable { device: String::new() }, at),
                false => (Claim::WritesCached { app: app_written, device: written }, at),
            });
        }
    }
    out
}

/// Returns the findings that follow from the figures of a single job.
fn own(job: &Told<'_>) -> Vec<Finding> {
    let m = job.measured;
    let mut claims = Vec::new();
    let ios: u64 = m.flows.iter().fold(0, |sum, f| sum.saturating_add(f.ios));
    match job.errors {
        Errors { ended: true, .. } => claims.push(Claim::NotMeasured { why: Unmeasured::Failed }),
        Errors { ios: failed @ 1.., .. } => claims.push(Claim::Failed { failed, ios }),
        _ => {}
    }
    // Mean in flight by Little's law, and the share of slat in lat.
    let sum = |of: fn(&Flow) -> Option<f64>| -> f64 { m.flows.iter().filter_map(of).sum() };
    let reached = sum(|f| Some(f.iops.value * f.lat.as_ref().or(f.clat.as_ref())?.mean_ns / 1e9));
    let in_submit_percent =
        100.0 * sum(|f| Some(f.iops.value * f.slat.as_ref()?.mean_ns / 1e9)) / reached.max(1e-9);
    let engine = m.conditions.engine.clone().unwrap_or_else(|| "psync".into());
    let one_at_a_time = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"].contains(&engine.as_str());
    if !job.options.is_empty() && one_at_a_time && m.depth > 1 {
        claims.push(Claim::NoQueue { engine: engine.clone(), asked: m.depth, reached });
    }
    if engine == "libaio" && job.buffered() && m.depth > 1 {
        let asked = m.depth;
        claims.push(Claim::BlockingSubmit { engine, buffered: true, asked, reached, in_submit_percent });
    }
    if let Some(percent) = m.cpu_percent.map(|[user, system]| user + system).filter(|p| *p >= BUSY) {
        claims.push(Claim::Generator { percent });
    }
    let asked_s = job.option("runtime").and_then(|t| seconds(&t)).unwrap_or(0.0);
    if asked_s > 0.0 && m.seconds < RAN * asked_s && !job.flag("time_based") && claims.is_empty() {
        claims.push(Claim::SizeRanOut { ran_s: m.seconds, asked_s });
    }
    for flow in &m.flows {
        let Some(latency) = flow.latency() else { continue };
        let median =
            latency.quantiles.iter().find(|q| q.percent == 50.0).map(|q| q.ns).filter(|ns| *ns > 0.0);
        let Some(p50) = median else { continue };
        if latency.mean_ns > SKEWED * p50 {
            let (mean_ns, max_ns) = (latency.mean_ns, latency.max_ns as u64);
            claims.push(Claim::MeanHides { mean_ns, p50_ns: p50 as u64, max_ns });
        }
        if latency.max_ns >= STALL_NS && latency.max_ns >= STALL_MEDIANS * p50 {
            let missed = (flow.iops.value * latency.max_ns / 1e9) as u64;
            claims.push(Claim::Stall { longest_ns: latency.max_ns as u64, missed });
        }
    }
    if ios > 0 && ios < LEAST_IOS {
        claims.push(Claim::TooShort { ios, seconds: m.seconds, half_width_percent: None });
    }
    claims.into_iter().map(|claim| Finding::new(m.name.clone(), claim)).collect()
}

/// Returns a time of fio in seconds; a number without a unit is in seconds.
fn seconds(text: &str) -> Option<f64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let value: f64 = text[..digits].parse().ok()?;
    let unit = match &text[digits..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "us" | "usec" => 1e-6,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    Some(value * unit)
}
