//! Jobs one after the other on a target that all hosts have opened.

use super::{Coordinator, HostsError, HostsRequest, HostsWatch, Task};
use crate::message::{OpenedTarget, TargetJob, TargetWork, WrittenTarget};
use stats::hosts::HostsResult;

/// Hosts that have opened the target of a study, and run its jobs one after the other.
pub struct HostsSession {
    run: Coordinator,
    /// The target on each host.
    targets: Vec<OpenedTarget>,
}

impl HostsSession {
    /// Starts the agents and lets them open the target; the place of each host is filled in.
    ///
    /// # Errors
    /// A host cannot open the target, or two hosts would write to it without sharing it.
    pub fn open(
        request: HostsRequest,
        work: TargetWork,
        watch: &mut dyn HostsWatch,
    ) -> Result<HostsSession, HostsError> {
        let (share, writes) = (work.share, work.writes);
        let run = Coordinator::connect(request, share, Task::Open(work));
        HostsSession { run, targets: Vec::new() }.opened(writes, watch)
    }

    /// Lets all hosts close the target and open this one.
    ///
    /// # Errors
    /// Those of [`HostsSession::open`].
    pub fn reopen(
        mut self,
        work: TargetWork,
        watch: &mut dyn HostsWatch,
    ) -> Result<HostsSession, HostsError> {
        let writes = work.writes;
        self.run.share = work.share;
        self.run.renew(Task::Open(work));
        self.opened(writes, watch)
    }

    /// Waits until the target is open on all hosts.
    fn opened(mut self, writes: bool, watch: &mut dyn HostsWatch) -> Result<HostsSession, HostsError> {
        let run = &mut self.run;
        while !run.hosts.iter().all(|host| host.opened.is_some() || host.over()) {
            run.step(watch);
            if run.signal.is_some() {
                return Err(HostsError::Interrupted);
            }
        }
        run.refusals()?;
        self.targets = run.hosts.iter_mut().filter_map(|host| host.opened.take()).collect();
        let written = |target: &OpenedTarget| {
            vec![WrittenTarget { path: target.described.name.clone(), names: target.names.clone() }]
        };
        for (host, target) in run.hosts.iter_mut().zip(&self.targets).filter(|_| writes) {
            host.agreed = Some(written(target));
        }
        run.refuse_same_target()?;
        Ok(self)
    }

    /// Returns the target as each host has opened it, in the order of the hosts.
    pub fn targets(&self) -> &[OpenedTarget] {
        &self.targets
    }

    /// Runs a job, given for each host, and returns the results.
    ///
    /// # Errors
    /// The job was started on no host, or a host was lost: figures of the others alone answer another question.
    pub fn job(
        &mut self,
        jobs: Vec<TargetJob>,
        watch: &mut dyn HostsWatch,
    ) -> Result<HostsResult, HostsError> {
        self.run.renew(Task::Job(jobs));
        self.run.watch(watch)?;
        let result = self.run.result();
        let lost = result.hosts.iter().filter_map(|host| Some((host.name.clone(), host.lost.clone()?)));
        let lost: Vec<_> = lost.collect();
        if lost.is_empty() { Ok(result) } else { Err(HostsError::Lost(lost)) }
    }
}
