//! Jobs of a study that several hosts run instead of this machine.

use crate::target_error::TargetError;
use run::Watch;
use stats::note::NoteFact;
use stats::study::{Cell, StudyTarget};
use stats::{QuickTarget, RunResult};
use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Target that all hosts have opened.
#[derive(Clone, Debug, Default)]
pub struct HostsTarget {
    /// Description: that of the first host, with the smallest size of all.
    pub described: StudyTarget,
    /// Kind of target.
    pub kind: QuickTarget,
    /// I/O engine for its jobs.
    pub engine: String,
    /// Reason why the engine is not io_uring; `None` with io_uring.
    pub engine_note: Option<NoteFact>,
}

/// Job for a host.
#[derive(Clone, Debug, Default)]
pub struct HostJob {
    /// Options in addition to those that select the target, without `numjobs`.
    pub options: Vec<String>,
    /// Number of clones on this host; 0 if it does not take part.
    pub clones: u32,
    /// Number of clones on the hosts before this one.
    pub before: u32,
    /// Size of a scratch file that is emptied and allocated before the job; `None` for the file as it is.
    pub fresh: Option<u64>,
}

/// Results of a job that several hosts ran.
#[derive(Clone, Debug, Default)]
pub struct HostsRun {
    /// Sum of the results.
    pub sum: RunResult,
    /// Result of each host, in the order of the hosts; empty on one machine.
    pub each: Vec<RunResult>,
}

/// Hosts on which the jobs of a study run.
pub trait JobHosts: Debug + Send + Sync {
    /// Returns the names of the hosts.
    fn names(&self) -> &[String];
    /// Returns the number of hosts.
    fn number(&self) -> u32 {
        self.names().len() as u32
    }
    /// Opens the target on all hosts, and fills scratch files. Rates are recorded in windows of this length.
    ///
    /// # Errors
    /// A host cannot use the target.
    fn open(
        &self,
        target: &Path,
        window: Duration,
        watch: &mut dyn Watch,
    ) -> Result<HostsTarget, TargetError>;
    /// Runs the job `name`, given for each host, and returns the sum of the results, with the rate over the time in which all of
    /// them ran.
    ///
    /// # Errors
    /// The job was started on no host, or a host was lost.
    fn job(&self, name: &str, jobs: Vec<HostJob>, watch: &mut dyn Watch) -> Result<HostsRun, TargetError>;
}

/// Target of a study on hosts.
#[derive(Clone, Debug)]
pub(crate) struct OnHosts {
    pub hosts: Arc<dyn JobHosts>,
    pub described: StudyTarget,
    /// Size to which the scratch files are renewed before each job; `None` while their data is kept.
    pub fresh: Option<u64>,
}

/// Name of the option of a job that the hosts divide among themselves.
const NUMJOBS: &str = "--numjobs=";

impl OnHosts {
    /// Runs a job of which each host has all clones, as on one machine.
    pub fn on_each(
        &self,
        name: &str,
        options: &[String],
        watch: &mut dyn Watch,
    ) -> Result<HostsRun, TargetError> {
        let clones = options.iter().rev().find_map(|option| option.strip_prefix(NUMJOBS)?.parse().ok());
        let clones = clones.unwrap_or(1u32);
        let options: Vec<String> = without_numjobs(options);
        let job = |host: u32| HostJob {
            options: options.clone(),
            clones,
            before: host.saturating_mul(clones),
            fresh: self.fresh,
        };
        self.hosts.job(name, (0..self.hosts.number()).map(job).collect(), watch)
    }

    /// Runs the load of a cell, whose I/Os in flight are divided among the hosts; `options` returns those of the part of a host,
    /// given the number of clones on all hosts.
    pub fn spread(
        &self,
        name: &str,
        cell: &Cell,
        options: &dyn Fn(&Cell, u32) -> Vec<String>,
        watch: &mut dyn Watch,
    ) -> Result<RunResult, TargetError> {
        let parts: Vec<Option<Cell>> =
            (0..self.hosts.number()).map(|host| part(cell, host, self.hosts.number())).collect();
        let all = parts.iter().flatten().map(|part| part.jobs).sum();
        let mut before = 0;
        let jobs = parts.iter().map(|part| {
            // A host without a part plans a job all the same.
            let options = without_numjobs(&options(part.as_ref().unwrap_or(cell), all));
            let clones = part.as_ref().map_or(0, |part| part.jobs);
            let job = HostJob { options, clones, before, fresh: self.fresh };
            before += clones;
            job
        });
        self.hosts.job(name, jobs.collect(), watch).map(|run| run.sum)
    }
}

fn without_numjobs(options: &[String]) -> Vec<String> {
    options.iter().filter(|option| !option.starts_with(NUMJOBS)).cloned().collect()
}

/// Returns the part of a host in the load of a cell, `None` without a part: the I/Os in flight and the rate of arrivals are divided
/// among the hosts, the first ones have one I/O more if they cannot be divided, and the jobs of the cell are those of each host.
fn part(cell: &Cell, host: u32, hosts: u32) -> Option<Cell> {
    let hosts = cell.hosts.unwrap_or(hosts).max(1);
    let all = cell.in_flight();
    let mine = all / hosts + u32::from(host < all % hosts);
    if host >= hosts || mine == 0 {
        return None;
    }
    let jobs = cell.jobs.clamp(1, mine);
    let rate = cell.rate.map(|rate| (u128::from(rate) * u128::from(mine) / u128::from(all)) as u64);
    Some(Cell { depth: mine.div_ceil(jobs), jobs, rate, ..cell.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::study::{Access, SyncCall, WriteSync};

    #[test]
    fn parts_of_the_hosts_are_the_load_of_the_cell() {
        let access = Access { bs: 4096, rw: "randread".into(), ..Access::default() };
        for hosts in 1..9 {
            for in_flight in [1, 2, 3, 7, 8, 16, 45, 256] {
                let cell = Cell { rate: Some(1 << 30), ..Cell::of(0, &access, in_flight, 1) };
                let parts: Vec<Cell> = (0..hosts).filter_map(|host| part(&cell, host, hosts)).collect();
                assert_eq!(parts.iter().map(Cell::in_flight).sum::<u32>(), in_flight, "{hosts} hosts");
                assert_eq!(parts.len() as u32, in_flight.min(hosts));
                let rate: u64 = parts.iter().filter_map(|part| part.rate).sum();
                assert!((1 << 30) - rate < u64::from(hosts), "{rate}");
                let few = Cell { hosts: Some(hosts.min(2)), ..cell };
                let on = |host| part(&few, host, hosts).map_or(0, |part| part.in_flight());
                assert_eq!(((0..hosts).map(on).sum::<u32>(), on(2)), (in_flight, 0));
            }
        }
        let commits = Access {
            sync: Some(WriteSync { call: SyncCall::Fdatasync, every: 1 }),
            rw: "write".into(),
            ..access
        };
        let cell = Cell::of(0, &commits, 5, 1);
        let jobs = |host| part(&cell, host, 2).map(|part| (part.jobs, part.depth));
        assert_eq!((jobs(0), jobs(1)), (Some((3, 1)), Some((2, 1))));
    }
}
