//! A report while the run goes on (`--status-interval`, SIGUSR1, the dump file): what the counters say now.

use crate::idle::Idle;
use crate::phase::Stage;
use crate::tally::{self, Counted, Finish};
use crate::worker;
use engine::clock::monotonic_nanos;
use job::job::Job;
use stats::{CpuOutcome, JobOutcome, RunResult, Shared, WorkerState};

/// The result as of now; disks as they stand, the layers left for the end.
pub(crate) fn result(stage: &Stage<'_>, eta_s: Option<u64>) -> RunResult {
    let jobs = (0..stage.plan.clones.len()).map(|index| outcome(stage, index)).collect();
    let mut result = RunResult { jobs, ..RunResult::default() };
    result.disks = stage.disks.map(facts::Before::disks_now).unwrap_or_default();
    result.idleness = stage.idle.map(Idle::now);
    result.provenance.timestamp_ms = worker::epoch_ms();
    result.provenance.eta_s = eta_s;
    result
}

fn outcome(stage: &Stage<'_>, index: usize) -> JobOutcome {
    let (plan, clone) = (stage.plan, &stage.plan.clones[index]);
    let job = &plan.jobs[clone.job];
    let shared = &stage.shared[2 * index];
    let nothing = &stage.shared[2 * plan.clones.len()];
    if let Some((_, error)) = stage.failed.iter().find(|(failed, _)| *failed == index) {
        return tally::unstarted(job, Some(error.clone()));
    }
    let ended = stage.finishes.iter().find(|(ended, _)| *ended == index).map(|(_, finish)| finish.clone());
    let began = shared.began.get();
    let state = WorkerState::from_number(shared.state.get());
    if ended.is_none() && began == 0 || !job.ties.stats {
        return tally::unstarted(job, None);
    }
    let baseline = if job.limits.ramps() { &stage.shared[2 * index + 1] } else { nothing };
    // In its ramp a job has measured nothing yet.
    let now = if state == WorkerState::Ramp && ended.is_none() { nothing } else { shared };
    let measured = !std::ptr::eq(now, nothing);
    let before = if measured { baseline } else { nothing };
    let priorities = stage.priorities[index].as_ref().filter(|_| measured);
    let finish = ended.unwrap_or_else(|| running(stage, shared, job));
    tally::outcome(plan, clone, Counted { now, before, priorities }, stage.setup.all_histograms, finish)
}

/// What a worker would say if it ended now.
fn running(stage: &Stage<'_>, shared: &Shared, job: &Job) -> Finish {
    // CPU is counted from the start of the job, its ramp included.
    let wall = monotonic_nanos().saturating_sub(shared.began.get());
    let runtime_nanos = wall.saturating_sub(job.limits.ramp_time);
    let pid = shared.thread.get() as u32;
    let used = facts::process::thread(&stage.setup.root, pid).unwrap_or_default();
    Finish {
        runtime_nanos,
        start_epoch_ms: worker::epoch_ms().saturating_sub(runtime_nanos / 1_000_000),
        start_clock_ms: worker::start_clock(job, runtime_nanos),
        pid,
        cpu: CpuOutcome {
            user_us: used.user_us,
            system_us: used.system_us,
            wall_ms: (wall / 1_000_000).max(1),
            switches: used.voluntary + used.involuntary,
            major_faults: used.major_faults,
            minor_faults: used.minor_faults,
            ..CpuOutcome::default()
        },
        ..Finish::default()
    }
}
