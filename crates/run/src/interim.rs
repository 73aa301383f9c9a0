//! Interim report during the run (`--status-interval`, SIGUSR1, the dump file), made from the current counters.

use crate::finish::Finish;
use crate::idle::Idle;
use crate::outcome::{self, Counted};
use crate::phase_runner::PhaseRunner;
use crate::wall_clock;
use engine::clock::monotonic_nanos;
use job::job::Job;
use stats::{CpuOutcome, JobOutcome, RunResult, Shared, WorkerState};

/// Returns the result up to now, with the current disk statistics; the layers are added only at the end.
pub(crate) fn result(runner: &PhaseRunner<'_>, eta_s: Option<u64>) -> RunResult {
    let jobs = (0..runner.plan.clones.len()).map(|index| job_outcome(runner, index)).collect();
    let mut result = RunResult { jobs, ..RunResult::default() };
    result.disks = runner.disks.map(facts::Before::disks_now).unwrap_or_default();
    result.idleness = runner.idle.map(Idle::now);
    result.provenance.timestamp_ms = wall_clock::epoch_ms();
    result.provenance.eta_s = eta_s;
    result
}

fn job_outcome(runner: &PhaseRunner<'_>, index: usize) -> JobOutcome {
    let (plan, clone) = (runner.plan, &runner.plan.clones[index]);
    let job = &plan.jobs[clone.job];
    let shared = &runner.shared[index].now;
    let nothing = &runner.shared[plan.clones.len()].now;
    if let Some((_, error)) = runner.failed.iter().find(|(failed, _)| *failed == index) {
        return outcome::unstarted(job, Some(error.clone()));
    }
    let ended = runner.finishes.iter().find(|(ended, _)| *ended == index).map(|(_, finish)| finish.clone());
    let began = shared.began.get();
    let state = WorkerState::from_number(shared.state.get());
    if ended.is_none() && began == 0 || !job.dependencies.stats {
        return outcome::unstarted(job, None);
    }
    let baseline = if job.leaves_out_a_part() { &runner.shared[index].baseline } else { nothing };
    // During the ramp, a job has no results.
    let now = if state == WorkerState::Ramp && ended.is_none() { nothing } else { shared };
    let measured = !std::ptr::eq(now, nothing);
    let before = if measured { baseline } else { nothing };
    let priorities = runner.priorities[index].as_ref().filter(|_| measured);
    let steady = runner.steady[index].as_ref();
    let finish = ended.unwrap_or_else(|| running(runner, shared, job));
    outcome::outcome(
        plan,
        clone,
        Counted { now, before, priorities, steady },
        runner.setup.all_histograms,
        finish,
    )
}

/// Returns the result of a worker as if it ended now.
fn running(runner: &PhaseRunner<'_>, shared: &Shared, job: &Job) -> Finish {
    // CPU time is counted from the start of the job, including its ramp.
    let wall = monotonic_nanos().saturating_sub(shared.began.get());
    let runtime_nanos = wall.saturating_sub(job.limits.ramp_time);
    let pid = shared.thread.get() as u32;
    let used = facts::process::thread(&runner.setup.root, pid).unwrap_or_default();
    Finish {
        runtime_nanos,
        start_epoch_ms: wall_clock::epoch_ms().saturating_sub(runtime_nanos / 1_000_000),
        start_clock_ms: wall_clock::start_clock(job, runtime_nanos),
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
