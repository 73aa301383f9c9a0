//! Jobs without I/O: `cpuio` keeps a CPU busy, `exec` runs a program. Both run in cycles with a pause after each
//! cycle; fio reports the cycles as reads of zero bytes.

mod cpuio;
mod exec;
use crate::assignment::{Assignment, wait};
use crate::finish::Finish;
use crate::job_error::failed_because;
use crate::line::Line;
use crate::steady_watch::SteadySampler;
use crate::thread_usage::Spent;
use engine::{Clock, MachineClock, Ticks};
use job::job::{CpuSpec, ExecSpec};
use job::job::{EngineChoice, Job};
use rustix::io::Errno;
use stats::job_error::ErrorCause;
use stats::unit::{MILLISECOND, SECOND};
use stats::{Direction, JobError, WorkerState};
use std::time::Duration;

/// Longest sleep, so that a request to end is noticed in time.
const NAP: Duration = Duration::from_millis(20);

/// Returns fio's lines at the start of a job without I/O.
pub(crate) fn announcement(job: &Job) -> Vec<Line> {
    let name = || job.name.clone();
    match &job.engine {
        EngineChoice::Cpu(CpuSpec { load: Some(load), cycle_us, sort, .. }) => {
            vec![Line::BusyCpu { job: name(), sort: *sort, load: load.get(), cycle_us: *cycle_us }]
        }
        EngineChoice::Exec(exec @ ExecSpec { program: Some(program), .. }) => {
            let null = || "(null)".to_owned();
            let typed = exec.arguments.clone().unwrap_or_else(null);
            let command = format!("{program} {}", exec::arguments(job, exec).unwrap_or_else(null));
            vec![
                Line::Program { job: name(), program: program.clone(), arguments: typed },
                Line::ProgramRuns { job: name(), command, redirected: exec.redirect },
            ]
        }
        _ => Vec::new(),
    }
}

/// The clock and the stop conditions of a cycle.
struct Cycle<'a> {
    /// Measures the length of the cycle.
    clock: MachineClock,
    /// Returns whether the job was requested to end.
    stopped: &'a dyn Fn() -> bool,
    /// Returns whether the runtime of the job is over.
    up: &'a dyn Fn() -> bool,
}

impl Cycle<'_> {
    /// Returns whether `time` has passed since `began`, or the job was requested to end.
    fn over(&self, began: Ticks, time: Duration) -> bool {
        (self.stopped)() || u128::from(self.since(began)) >= time.as_nanos()
    }

    fn since(&self, began: Ticks) -> u64 {
        self.clock.nanos(self.clock.now().wrapping_sub(began))
    }

    /// Sleeps for `time`, or until the job is requested to end.
    fn sleep(&self, time: Duration) {
        let began = self.clock.now();
        while !self.over(began, time) {
            let left = time.saturating_sub(Duration::from_nanos(self.since(began)));
            std::thread::sleep(left.min(NAP));
        }
    }
}

/// A task that runs in cycles.
trait CyclicTask {
    /// Runs one cycle; returns false if the task is complete and no cycle was run.
    fn run_cycle(&mut self, cycle: &Cycle<'_>) -> Result<bool, JobError>;
    /// Returns the length of the pause after a cycle.
    fn pause(&self) -> Duration;
    /// Ends the task after its last cycle; returns lines for standard error.
    fn end(&mut self) -> Vec<String>;
}

/// Runs one clone on the calling thread.
pub(crate) fn run(a: &Assignment<'_>, finish: &mut Finish) {
    let job = a.job();
    let missing = match &job.engine {
        EngineChoice::Cpu(CpuSpec { load: None, .. }) => Some(("cpuio", ErrorCause::NoCpuload, "cpuload=50")),
        EngineChoice::Exec(ExecSpec { program: None, .. }) => {
            Some(("exec", ErrorCause::NoProgram, "program=/bin/true"))
        }
        _ => None,
    };
    if let Some((engine, cause, example)) = missing {
        a.phase.wait_for_start();
        finish.lines.push(Line::EngineInitFailed { engine });
        finish.lines.push(Line::EngineNeeds { job: job.name.clone(), engine, example });
        finish.error = Some(failed_because(engine, &Errno::INVAL.into(), cause));
        return;
    }
    match &job.engine {
        EngineChoice::Exec(exec) => run_cycles(a, &mut exec::Program::new(job, exec), finish),
        EngineChoice::Cpu(cpu) => run_cycles(a, &mut cpuio::BusyCpu::new(*cpu), finish),
        _ => a.phase.wait_for_start(),
    }
}

fn run_cycles(a: &Assignment<'_>, task: &mut dyn CyclicTask, finish: &mut Finish) {
    let (job, clock) = (a.job(), MachineClock::best());
    let spent = Spent::start(a, finish);
    if wait(a, a.clone.startdelay(job)) {
        a.shared.began.set(engine::clock::monotonic_nanos());
        match measured(a, task, clock) {
            Ok(nanos) => finish.runtime_nanos = nanos,
            Err(error) => finish.error = Some(error),
        }
        finish.lines.extend(task.end().into_iter().map(Line::Text));
    }
    a.phase.drained();
    finish.cpu = spent.so_far();
}

/// Runs cycles until the end of the job. Returns the time since the end of the ramp in nanoseconds.
fn measured(a: &Assignment<'_>, task: &mut dyn CyclicTask, clock: MachineClock) -> Result<u64, JobError> {
    let (job, shared) = (a.job(), a.shared);
    // fio reports cycles as reads for any value of `rw`.
    let read = Direction::Read as usize;
    let counters = &shared.directions[read];
    let timed = job.measure.clat || job.measure.lat;
    let start = clock.now();
    let since = |moment: Ticks| clock.nanos(clock.now().wrapping_sub(moment));
    let (mut epoch, mut ramp) = (start, job.limits.ramp_time > 0);
    let mut sample = (start, 0);
    let mut steady = a.steady.map(|watch| SteadySampler::new(watch, a.counters, &clock));
    if let Some(steady) = steady.as_mut().filter(|_| !ramp) {
        steady.begin(start, &clock);
    }
    a.state(if ramp { WorkerState::Ramp } else { WorkerState::Running });
    loop {
        if ramp && since(start) >= job.limits.ramp_time {
            ramp = false;
            shared.begin_measuring(a.baseline);
            a.state(WorkerState::Running);
            epoch = clock.now();
            sample = (epoch, counters.ios.get());
            if let Some(steady) = &mut steady {
                steady.begin(epoch, &clock);
            }
        }
        let up = || !ramp && job.limits.runtime_over(since(epoch));
        let stopped = || a.control.stopped();
        let done = counters.ios.get() - a.baseline.directions[read].ios.get();
        if stopped() || up() || job.limits.number_ios.is_some_and(|number| done >= number.get()) {
            break;
        }
        let cycle = Cycle { clock, stopped: &stopped, up: &up };
        let began = clock.now();
        if !task.run_cycle(&cycle)? {
            break;
        }
        let nanos = since(began);
        shared.depth.issues(0, 1);
        shared.submit.call(1);
        shared.complete.call(1);
        counters.issued.add(1);
        counters.ios.add(1);
        if timed {
            counters.clat.record(nanos, 1);
        }
        let elapsed = since(sample.0);
        if job.measure.samples && !ramp && elapsed >= job.measure.iops_period.max(MILLISECOND) {
            let cycles = counters.ios.get() - sample.1;
            counters.rate_samples.add(1);
            let rate = u128::from(cycles) * u128::from(SECOND) / u128::from(elapsed);
            counters.iops_samples.record(rate as u64, 1);
            sample = (clock.now(), counters.ios.get());
        }
        cycle.sleep(task.pause());
        if steady.as_mut().is_some_and(|steady| steady.check(clock.now(), &clock)) {
            break;
        }
    }
    Ok(since(epoch))
}
