//! Figures and letters of the live line during a phase.

use crate::phase_runner::{PhaseRunner, state};
use job::plan::{Plan, PlannedJob};
use stats::{DiskOutcome, Histogram, Live, LiveDetail, LiveDisk, LiveJob, WorkerState};
use std::time::{Duration, Instant};

/// State of the live line: rates are differences between two reads of the counters.
pub(crate) struct View {
    began: Instant,
    last: Instant,
    counts: [(u64, u64); 3],
    /// Counters at the preceding sample of [`Live::detail`], if there was one.
    detail: Option<Detail>,
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
            detail: None,
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

    pub(crate) fn look(&mut self, runner: &PhaseRunner<'_>, phase: &[usize], detailed: bool) -> Live {
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
            detail: detailed.then(|| Box::new(self.detail(runner, phase, elapsed))),
        };
        if !detailed {
            self.detail = None;
        }
        self.counts = counts;
        live
    }
}

/// Counters from which the figures of [`LiveDetail`] are differences.
struct Detail {
    /// I/Os and bytes of each job of the phase, [read, write, trim].
    jobs: Vec<[(u64, u64); 3]>,
    latency: [Histogram; 3],
    /// Sum of all latencies, nanoseconds.
    latency_sum: u128,
    disks: Vec<DiskOutcome>,
}

impl Detail {
    fn now(runner: &PhaseRunner<'_>, phase: &[usize]) -> Self {
        let disks = runner.disks.map(facts::Before::disks_now).unwrap_or_default();
        let mut now = Self { jobs: Vec::new(), latency: Default::default(), latency_sum: 0, disks };
        for clone in phase {
            let directions = &runner.shared[*clone].now.directions;
            now.jobs.push(std::array::from_fn(|d| (directions[d].ios.get(), directions[d].bytes.get())));
            for (sum, direction) in now.latency.iter_mut().zip(directions) {
                // A job can record clat without lat (`disable_lat`).
                let total = direction.lat.histogram.snapshot();
                let (moments, latencies) = if total.count() > 0 {
                    (&direction.lat.moments, total)
                } else {
                    (&direction.clat.moments, direction.clat.histogram.snapshot())
                };
                now.latency_sum += moments.snapshot(latencies.count()).sum;
                sum.merge(&latencies);
            }
        }
        now
    }
}

impl View {
    /// Returns the figures of the full-screen view since the preceding sample, `elapsed` seconds ago. The first sample has no
    /// rates of jobs and disks and no latencies.
    fn detail(&mut self, runner: &PhaseRunner<'_>, phase: &[usize], elapsed: f64) -> LiveDetail {
        let now = Detail::now(runner, phase);
        let before = self.detail.take();
        let then = before.as_ref().unwrap_or(&now);
        let job_of = |clone: usize| &runner.plan.jobs[runner.plan.clones[clone].job];
        let running = |clone: usize| state(&runner.shared[clone].now) == WorkerState::Running;
        let rate = |now: u64, then: u64| (now.saturating_sub(then) as f64 / elapsed) as u64;
        let jobs = phase.iter().zip(now.jobs.iter().zip(&then.jobs)).map(|(clone, (now, then))| LiveJob {
            name: job_of(*clone).name.clone(),
            state: state(&runner.shared[*clone].now),
            iops: std::array::from_fn(|d| rate(now[d].0, then[d].0)),
            bytes_per_second: std::array::from_fn(|d| rate(now[d].1, then[d].1)),
        });
        let mut latency = now.latency.clone();
        latency.iter_mut().zip(&then.latency).for_each(|(now, then)| now.subtract(then));
        let waited_s = now.latency_sum.saturating_sub(then.latency_sum) as f64 / 1e9;
        let mut detail = LiveDetail {
            period_s: elapsed,
            depth_asked: phase
                .iter()
                .filter(|clone| running(**clone))
                .map(|clone| job_of(*clone).queue.effective)
                .sum(),
            depth_reached: latency.iter().any(|l| l.count() > 0).then(|| waited_s / elapsed),
            jobs: jobs.collect(),
            ..LiveDetail::default()
        };
        detail.set_latencies(&latency);
        if let Some(before) = &before {
            detail.disks = LiveDisk::between(&before.disks, &now.disks, elapsed);
        }
        self.detail = Some(now);
        detail
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
