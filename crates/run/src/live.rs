//! Figures and letters of the live line during a phase.

use crate::live_detail::{DetailSampler, JobNow};
use crate::phase_runner::{PhaseRunner, state};
use job::plan::{Plan, PlannedJob};
use stats::{Live, LiveDetail, Series, WorkerState};
use std::time::{Duration, Instant};

/// State of the live line: rates are differences between two reads of the counters.
pub(crate) struct View {
    began: Instant,
    last: Instant,
    counts: [(u64, u64); 3],
    detail: DetailSampler,
    /// Number of bytes that the phase transfers in all; 0 if it is unknown.
    bytes: u64,
    /// Nanoseconds after which the last job of the phase ends by its runtime; `None` if a job has no runtime.
    runtime: Option<u64>,
}

impl View {
    pub(crate) fn new(runner: &PhaseRunner<'_>, phase: &[usize]) -> Self {
        let jobs =
            || phase.iter().map(|c| (&runner.plan.clones[*c], &runner.plan.jobs[runner.plan.clones[*c].job]));
        let runtime = jobs()
            .map(|(_, j)| Some(j.limits.startdelay_most + j.limits.ramp_time + j.limits.runtime?.get()));
        Self {
            began: Instant::now(),
            last: Instant::now(),
            counts: [(0, 0); 3],
            detail: DetailSampler::default(),
            bytes: jobs()
                .map(|(c, j)| c.io_bytes.saturating_mul(j.limits.loops.max(1)))
                .fold(0, u64::saturating_add),
            runtime: runtime.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max()),
        }
    }

    /// Returns the time to wait for the next event: 1 to 100 ms.
    pub(crate) fn wait(&self, interval: Duration) -> Duration {
        interval
            .saturating_sub(self.last.elapsed())
            .clamp(Duration::from_millis(1), Duration::from_millis(100))
    }

    pub(crate) fn due(&self, interval: Duration) -> bool {
        self.last.elapsed() >= interval
    }

    /// Returns the figures since the preceding sample. `series`, the rate of the phase so far, is given if the figures of the
    /// full-screen view are wanted.
    pub(crate) fn look(
        &mut self,
        runner: &PhaseRunner<'_>,
        phase: &[usize],
        series: Option<&Series>,
    ) -> Live {
        let elapsed = self.last.elapsed().as_secs_f64().max(1e-3);
        self.last = Instant::now();
        let sum =
            |f: &dyn Fn(&stats::Shared) -> u64| phase.iter().map(|c| f(&runner.shared[*c].now)).sum::<u64>();
        let counts: [(u64, u64); 3] = std::array::from_fn(|d| {
            (sum(&|s| s.directions[d].ios.get()), sum(&|s| s.directions[d].bytes.get()))
        });
        let rate = |now: u64, then: u64| (now.saturating_sub(then) as f64 / elapsed) as u64;
        let ran = self.began.elapsed();
        let bytes: u64 = counts.iter().map(|c| c.1).sum();
        let by_bytes = if self.bytes == 0 { 0.0 } else { bytes as f64 / self.bytes as f64 };
        let by_time = self.runtime.map(|all| ran.as_nanos() as f64 / all.max(1) as f64);
        let endless = phase.iter().all(|c| runner.plan.jobs[runner.plan.clones[*c].job].limits.time_based);
        let share = by_time.unwrap_or(0.0).max(if endless { 0.0 } else { by_bytes }).min(1.0);
        let live = Live {
            letters: phase
                .iter()
                .map(|c| letter(runner.plan, &runner.plan.clones[*c], &runner.shared[*c].now))
                .collect(),
            running: phase
                .iter()
                .filter(|c| {
                    !matches!(state(&runner.shared[**c].now), WorkerState::Waiting | WorkerState::Exited)
                })
                .count() as u32,
            open_files: sum(&|s| s.open_files.get()),
            bytes_per_second: std::array::from_fn(|d| rate(counts[d].1, self.counts[d].1)),
            iops: std::array::from_fn(|d| rate(counts[d].0, self.counts[d].0)),
            percent: (share > 0.0).then_some(100.0 * share),
            eta_s: (share > 0.0).then(|| (ran.as_secs_f64() * (1.0 - share) / share).ceil() as u64),
            elapsed_ms: ran.as_millis() as u64,
            detail: series.map(|series| Box::new(self.detail(runner, phase, series, elapsed))),
        };
        if series.is_none() {
            self.detail.pause();
        }
        self.counts = counts;
        live
    }
}

impl View {
    fn detail(
        &mut self,
        runner: &PhaseRunner<'_>,
        phase: &[usize],
        series: &Series,
        elapsed: f64,
    ) -> LiveDetail {
        let jobs: Vec<JobNow<'_>> = phase
            .iter()
            .map(|clone| {
                let job = &runner.plan.jobs[runner.plan.clones[*clone].job];
                let counters = &runner.shared[*clone].now;
                let depth = job.queue.effective;
                JobNow { name: &job.name, state: state(counters), depth, counters }
            })
            .collect();
        self.detail.look(&jobs, runner.disks, series, elapsed)
    }
}

/// Returns fio's status letter of a job.
fn letter(plan: &Plan, clone: &PlannedJob, shared: &stats::Shared) -> char {
    use job::job::{Mix, Order};
    let pattern = &plan.jobs[clone.job].pattern;
    let random = matches!(pattern.order, Order::Random { .. });
    match state(shared) {
        WorkerState::Waiting => 'P',
        WorkerState::Preparing => 'I',
        WorkerState::Ramp => '/',
        WorkerState::Verifying => 'V',
        WorkerState::Syncing => 'F',
        WorkerState::Exited => '_',
        WorkerState::Running => match (pattern.mix, random) {
            (Mix::Read, false) => 'R',
            (Mix::Read, true) => 'r',
            (Mix::Write | Mix::TrimWrite, false) => 'W',
            (Mix::Write | Mix::TrimWrite, true) => 'w',
            (Mix::ReadWrite { .. }, false) => 'M',
            (Mix::ReadWrite { .. }, true) => 'm',
            (Mix::Replayed(_), _) => 'M',
            (Mix::Trim, false) => 'D',
            (Mix::Trim, true) => 'd',
        },
    }
}
