//! Rules about the trustworthiness of a run: over the options of the jobs, their results, the counters of each layer
//! and the machine. Each rule finds one of the forty mistakes (`M1` to `M40`) that experts look for by hand;
//! docs/method.md lists all forty with threshold, reason and test, and `method_page` tests that the table agrees with
//! the rules.

mod configuration;
mod layers;
#[cfg(test)]
mod method_page;
mod network;
mod over_time;

use facts::SysRoot;
use job::job::{EngineChoice, Job, SyncMode};
use job::plan::{FileKind, Plan, PlannedFile, PlannedJob};
use stats::{Claim, Direction, Finding, JobOutcome, LayerKind, RateDrop, RunResult};
use std::collections::BTreeMap;
use std::path::Path;

/// Returns the findings that distort or explain the figures of a run, worst first.
pub fn judge(plan: &Plan, result: &RunResult, root: &SysRoot) -> Vec<Finding> {
    let run = Run::new(plan, result, root);
    let mut found = Found::default();
    configuration::look(&run, &mut found);
    // A simulated device has no layers; the rules about the course of a run apply to it.
    if !run.simulated() {
        layers::look(&run, &mut found);
    }
    over_time::look(&run, &mut found);
    if !run.simulated() {
        network::look(&run, &mut found);
    }
    found.sorted()
}

/// Returns the findings about limits of the device, other load on it and lack of CPU, worst first. They follow from the
/// result; no file is opened for a run on a block device.
pub fn judge_briefly(plan: &Plan, result: &RunResult, root: &SysRoot) -> Vec<Finding> {
    let run = Run::new(plan, result, root);
    let mut found = Found::default();
    if !run.simulated() {
        layers::disturbances(&run, &mut found);
        over_time::disturbances(&run, &mut found);
    }
    use Claim::*;
    found.0.retain(|finding| {
        matches!(
            finding.claim,
            Cap { .. }
                | OtherLoad { .. }
                | Rebuilding { .. }
                | CpuContention { .. }
                | CpuTakenAway { .. }
                | Generator { .. }
                | Stopped { .. }
        )
    });
    found.sorted()
}

/// Returns the findings about the layers under a measurement that issued its operations itself, worst first. `plan` has
/// one job with the kinds of its operations, `result` the layers, the bytes and the waits for a CPU, and `streams` the IOPS and bytes per
/// second of its sequential reads and writes.
pub fn judge_layers(
    plan: &Plan,
    result: &RunResult,
    streams: [(f64, f64); 2],
    root: &SysRoot,
) -> Vec<Finding> {
    let mut found = Found::default();
    let run = Run::new(plan, result, root);
    layers::look(&run, &mut found);
    over_time::contention(&run, &mut found);
    over_time::taken_away(&run, &mut found);
    over_time::cpus_busy(&run, &mut found);
    for (direction, (iops, rate)) in [Direction::Read, Direction::Write].into_iter().zip(streams) {
        layers::at_cap(&result.layers, direction, (iops, rate), &mut found);
    }
    found.sorted()
}

/// Adds the finding that a drop of the rate ended the run (`--stop-on-drop`), in place of the same drop without its
/// consequence.
pub fn ended_by_drop(findings: &mut Vec<Finding>, drop: RateDrop) {
    let same =
        |f: &Finding| matches!(f.claim, Claim::RateDropped { seconds: None, .. } | Claim::StepDown { .. });
    let job = findings.iter().find(|f| same(f)).map_or_else(String::new, |f| f.job.clone());
    findings.retain(|f| !same(f));
    let RateDrop { at_s, seconds, before, during } = drop;
    findings.push(Finding::new(job, Claim::RateDropped { at_s, seconds, before, during, ended_run: true }));
    stats::finding::sort(findings);
}

/// Returns findings about a plan before it runs: options without the effect that they seem to have.
pub fn at_once(plan: &Plan) -> Vec<Finding> {
    let mut found = Found::default();
    configuration::misused(plan, &mut found);
    found.sorted()
}

/// Findings in the order in which they were made.
#[derive(Default)]
struct Found(Vec<Finding>);

impl Found {
    fn run(&mut self, claim: Claim) {
        self.0.push(Finding::new(String::new(), claim));
    }

    fn job(&mut self, job: &Job, claim: Claim) {
        self.0.push(Finding::new(job.name.clone(), claim));
    }

    fn has(&self, is_it: fn(&Claim) -> bool) -> bool {
        self.0.iter().any(|f| is_it(&f.claim))
    }

    fn sorted(mut self) -> Vec<Finding> {
        stats::finding::sort(&mut self.0);
        self.0
    }
}

/// One job that does I/O on files or devices, with the results of its clones.
struct Work<'a> {
    job: &'a Job,
    clones: Vec<(&'a PlannedJob, Option<&'a JobOutcome>)>,
}

/// A run as the rules examine it.
struct Run<'a> {
    result: &'a RunResult,
    root: &'a SysRoot,
    works: Vec<Work<'a>>,
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan, result: &'a RunResult, root: &'a SysRoot) -> Self {
        let known = result.jobs.len() == plan.clones.len();
        let works = plan.jobs.iter().enumerate().filter(|(_, job)| job.engine.does_io());
        let works = works.map(|(at, job)| {
            let mine = plan.clones.iter().enumerate().filter(|(_, c)| c.job == at);
            let clones = mine.map(|(n, c)| (c, known.then(|| &result.jobs[n]))).collect();
            Work { job, clones }
        });
        Run { result, root, works: works.collect() }
    }

    fn works(&self) -> impl Iterator<Item = &Work<'a>> {
        self.works.iter()
    }

    /// Returns whether every job is limited by its own rate, so that the run does not show the device's maximum.
    fn keeps_its_pace(&self) -> bool {
        self.works().next().is_some() && self.works().all(Work::keeps_its_pace)
    }

    /// Returns whether the run was in virtual time. Either all jobs of a plan are simulated, or none is.
    fn simulated(&self) -> bool {
        self.works().next().is_some() && self.works().all(|w| matches!(w.job.engine, EngineChoice::Model(_)))
    }

    /// Returns whether every job uses O_DIRECT.
    fn direct(&self) -> bool {
        self.works().all(|w| w.job.target.direct)
    }

    /// Returns the file system type if all targets are in memory (tmpfs or ramfs).
    fn in_memory(&self) -> Option<&'a str> {
        let tops = || self.result.layers.targets.iter().map(|t| t.names().next().unwrap_or(""));
        let memory = |kind: &str| matches!(kind, "tmpfs" | "ramfs");
        tops().next().filter(|_| tops().all(memory))
    }

    /// Returns the lowest device under the first target.
    fn lowest(&self) -> Option<&'a stats::DeviceTraits> {
        let layers = &self.result.layers;
        let target = layers.targets.first()?;
        target.names().filter_map(|name| layers.traits_of(name)).last()
    }

    /// Returns the lowest device if it is a disk that reports itself as rotational and is not virtual.
    fn turns(&self) -> Option<&'a stats::DeviceTraits> {
        self.lowest().filter(|d| d.kind == LayerKind::Disk && d.rotational && !d.guest)
    }
}

impl Work<'_> {
    fn does(&self, direction: Direction) -> bool {
        self.job.pattern.mix.has(direction)
    }

    fn outcomes(&self) -> impl Iterator<Item = &JobOutcome> {
        self.clones.iter().filter_map(|(_, outcome)| *outcome)
    }

    fn ios(&self, direction: Direction) -> u64 {
        self.outcomes().map(|o| o.directions[direction as usize].ios).sum()
    }

    fn bytes(&self) -> u64 {
        self.outcomes().flat_map(|o| &o.directions).fold(0, |sum, d| sum.saturating_add(d.bytes))
    }

    fn iops(&self, direction: Direction) -> f64 {
        self.outcomes().map(|o| o.directions[direction as usize].iops()).sum()
    }

    fn rate(&self, direction: Direction) -> u64 {
        let rates = self.outcomes().map(|o| o.directions[direction as usize].bytes_per_second());
        rates.fold(0, u64::saturating_add)
    }

    /// Returns whether the job is limited by itself: each direction is paced and reaches 98 % of its rate, or the job
    /// has think time, is in a flow, or searches a latency. The result then does not show the limit of the device.
    fn keeps_its_pace(&self) -> bool {
        const NEARLY: f64 = 0.98;
        let lateness = self.lateness();
        if lateness.ios > 0 {
            return lateness.late as f64 <= (1.0 - NEARLY) * lateness.ios as f64;
        }
        let thinks = self.job.think_time.is_some_and(|think| think.pause > 0);
        if thinks || self.job.flow.is_some() || self.job.latency_goal.target > 0 {
            return true;
        }
        let clones = self.clones.len() as f64;
        let keeps = |d: Direction| {
            let asked = self.job.rate.map_or(0, |rate| rate.most[d as usize]);
            // The number of random arrivals in a time has a standard deviation of its root.
            let random = self.job.rate.is_some_and(|rate| rate.poisson);
            let scatter = if random { 4.0 / (self.ios(d).max(1) as f64).sqrt() } else { 0.0 };
            let least = NEARLY.min(1.0 - scatter);
            asked > 0 && self.rate(d) as f64 >= least * asked as f64 * clones
        };
        Direction::ALL.into_iter().filter(|d| self.does(*d)).all(keeps)
    }

    /// Returns the delays of the I/Os of a replayed trace.
    fn lateness(&self) -> stats::Lateness {
        let mut all = stats::Lateness::default();
        self.outcomes().for_each(|outcome| all.merge(&outcome.lateness));
        all
    }

    /// Returns the mean number of I/Os in flight, summed over all clones.
    fn reached(&self) -> f64 {
        self.outcomes().map(|o| o.depth_reached).sum()
    }

    fn runtime_ms(&self) -> u64 {
        self.outcomes().flat_map(|o| &o.directions).map(|d| d.runtime_ms).max().unwrap_or(0)
    }

    /// Returns the distribution of lat, or of clat where no lat was recorded.
    fn latency(&self, direction: Direction) -> stats::Latency {
        let mut all = stats::Latency::default();
        for d in self.outcomes().map(|o| &o.directions[direction as usize]) {
            all.merge(if d.lat.histogram.count() > 0 { &d.lat } else { &d.clat });
        }
        all
    }

    /// Returns the name of the I/O engine as in fio's banner.
    fn engine(&self) -> String {
        job::banner(self.job).ioengine
    }

    fn random(&self) -> bool {
        matches!(self.job.pattern.order, job::job::Order::Random { .. })
    }

    /// Returns whether the job reads or writes files or devices, rather than only names or nothing.
    fn on_files(&self) -> bool {
        self.clones.iter().flat_map(|(c, _)| &c.files).any(|f| f.kind != FileKind::None)
    }

    /// Returns whether the job uses this file or device.
    fn works_on(&self, path: &Path) -> bool {
        let is_it = |f: &PlannedFile| match self.job.engine.remote() {
            Some(spec) => Path::new(&spec.target(&f.path)) == path,
            None => f.path == path,
        };
        self.clones.iter().flat_map(|(c, _)| &c.files).any(is_it)
    }

    fn syncs(&self) -> u64 {
        self.outcomes().map(|o| o.syncs).sum()
    }

    /// Returns whether the job makes its writes durable during the run, each or every few.
    fn syncs_as_it_goes(&self) -> bool {
        let d = &self.job.durability;
        self.job.target.sync != SyncMode::None || d.fsync.is_some() || d.fdatasync.is_some()
    }

    /// Returns whether the job makes its writes durable at the latest at its end.
    fn is_synced(&self) -> bool {
        let d = &self.job.durability;
        self.syncs_as_it_goes() || d.end_fsync || d.end_syncfs || d.fsync_on_close
    }

    /// Returns the number of distinct bytes in all regions of the job (overlaps counted once), and the sum of the
    /// regions' lengths in bytes.
    fn span(&self) -> (u64, u64) {
        let mut files: BTreeMap<&Path, Vec<(u64, u64)>> = BTreeMap::new();
        let mut hosts = 1;
        for (clone, _) in self.clones.iter() {
            // All clones of a job have the same blocks of the regions of their files.
            hosts = clone.interleave.map_or(1, |shared| shared.of);
            for file in &clone.files {
                let end = file.start.saturating_add(file.length);
                files.entry(&file.path).or_default().push((file.start, end));
            }
        }
        let (mut distinct, mut sum) = (0u64, 0u64);
        for regions in files.values_mut() {
            regions.sort_unstable();
            let mut end = 0;
            for (from, to) in regions.iter() {
                sum = sum.saturating_add(to - from);
                distinct = distinct.saturating_add(to.saturating_sub((*from).max(end)));
                end = end.max(*to);
            }
        }
        (distinct / hosts, sum / hosts)
    }
}
