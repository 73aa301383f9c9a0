//! Jobs that do no I/O: one keeps a CPU busy (`cpuio`), one runs a program (`exec`). What fio calls their I/Os are turns
//! without a byte; a rest comes after each.

use crate::assignment::{Assignment, wait};
use crate::finish::Finish;
use crate::job_error::failed;
use crate::output;
use crate::thread_usage::Spent;
use engine::{Clock, MachineClock, Ticks};
use job::chore::{CpuSpec, ExecSpec};
use job::job::{EngineChoice, Job};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use stats::unit::{MILLISECOND, SECOND};
use stats::{Direction, JobError, WorkerState};
use std::hint::black_box;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// How long nobody looks whether the job should end.
const NAP: Duration = Duration::from_millis(20);
/// A turn of a job whose program runs, and the rest after it.
const TURN: Duration = Duration::from_millis(50);
/// Numbers that are sorted at a time.
const NUMBERS: usize = 1 << 12;

/// What fio says about such a job when it starts.
pub(crate) fn announcement(job: &Job) -> Vec<String> {
    let name = &job.name;
    match &job.engine {
        EngineChoice::Cpu(CpuSpec { load: load @ 1.., cycle_us, sort, .. }) => {
            let mode = if *sort { "qsort" } else { "noop" };
            vec![format!("{name} ({mode}): ioengine=cpuio, cpuload={load}, cpucycle={cycle_us}")]
        }
        EngineChoice::Exec(exec @ ExecSpec { program: Some(program), .. }) => {
            let null = || "(null)".to_owned();
            let typed = exec.arguments.clone().unwrap_or_else(null);
            let command = format!("{program} {}", arguments(job, exec).unwrap_or_else(null));
            let output = match exec.redirect {
                true => {
                    format!("{name} : Saving output of {command} : stdout={name}.stdout stderr={name}.stderr")
                }
                false => format!("{name} : Running {command}"),
            };
            vec![format!("{name} : program={program}, arguments={typed}"), output]
        }
        _ => Vec::new(),
    }
}

fn arguments(job: &Job, exec: &ExecSpec) -> Option<String> {
    exec.expanded(job.limits.runtime / SECOND, &job.name)
}

/// What a turn is told.
struct Now<'a> {
    /// What its length is measured with.
    clock: MachineClock,
    /// The job was asked to end.
    stopped: &'a dyn Fn() -> bool,
    /// Its runtime is over.
    up: &'a dyn Fn() -> bool,
}

impl Now<'_> {
    /// Whether so much time has passed since `began`, or the job is asked to end.
    fn over(&self, began: Ticks, time: Duration) -> bool {
        (self.stopped)() || u128::from(self.since(began)) >= time.as_nanos()
    }

    fn since(&self, began: Ticks) -> u64 {
        self.clock.nanos(self.clock.now().wrapping_sub(began))
    }

    /// Sleeps, and no longer than until the job is asked to end.
    fn sleep(&self, time: Duration) {
        let began = self.clock.now();
        while !self.over(began, time) {
            let left = time.saturating_sub(Duration::from_nanos(self.since(began)));
            std::thread::sleep(left.min(NAP));
        }
    }
}

/// What is done in turns.
trait Chore {
    /// One turn; false if there was nothing left to do.
    fn turn(&mut self, now: &Now<'_>) -> Result<bool, JobError>;
    /// The rest after it.
    fn rest(&self) -> Duration;
    /// The last turn was taken: lines for standard error.
    fn end(&mut self) -> Vec<String>;
}

/// Runs one clone, on the calling thread.
pub(crate) fn run(a: &Assignment<'_>, finish: &mut Finish) {
    let job = a.job();
    let missing = match &job.engine {
        EngineChoice::Cpu(CpuSpec { load: 0, .. }) => {
            Some(("cpuio", "cpu thread needs rate (cpuload=)", "cpuload=50"))
        }
        EngineChoice::Exec(ExecSpec { program: None, .. }) => {
            Some(("exec", "no program is defined, it is mandatory to define one", "program=/bin/true"))
        }
        _ => None,
    };
    if let Some((engine, text, example)) = missing {
        a.gate.start();
        finish.lines.push(format!("fio: io engine {engine} init failed."));
        finish.lines.push(format!("fathom: job {}: ioengine={engine} needs e.g. {example}", job.name));
        let errno = Errno::INVAL.raw_os_error();
        finish.error = Some(JobError { errno, function: engine.into(), text: text.into() });
        return;
    }
    match &job.engine {
        EngineChoice::Exec(exec) => turns(a, &mut Running::new(job, exec), finish),
        EngineChoice::Cpu(cpu) => turns(a, &mut Burner::new(*cpu), finish),
        _ => a.gate.start(),
    }
}

fn turns(a: &Assignment<'_>, chore: &mut dyn Chore, finish: &mut Finish) {
    let (job, clock) = (a.job(), MachineClock::best());
    let spent = Spent::start(a, finish);
    if wait(a, a.clone.startdelay(job)) {
        a.shared.began.set(engine::clock::monotonic_nanos());
        match measured(a, chore, clock) {
            Ok(nanos) => finish.runtime_nanos = nanos,
            Err(error) => finish.error = Some(error),
        }
        finish.lines.extend(chore.end());
    }
    a.gate.drained();
    finish.cpu = spent.so_far();
}

/// Turn after turn; nanoseconds from the end of the ramp.
fn measured(a: &Assignment<'_>, chore: &mut dyn Chore, clock: MachineClock) -> Result<u64, JobError> {
    let (job, shared) = (a.job(), a.shared);
    // fio takes turns for reads, whatever rw says.
    let read = Direction::Read as usize;
    let counters = &shared.directions[read];
    let timed = job.measure.clat || job.measure.lat;
    let start = clock.now();
    let since = |moment: Ticks| clock.nanos(clock.now().wrapping_sub(moment));
    let (mut epoch, mut ramp) = (start, job.limits.ramp_time > 0);
    let mut sample = (start, 0);
    a.state(if ramp { WorkerState::Ramp } else { WorkerState::Running });
    loop {
        if ramp && since(start) >= job.limits.ramp_time {
            ramp = false;
            shared.begin_measuring(a.baseline);
            a.state(WorkerState::Running);
            epoch = clock.now();
            sample = (epoch, counters.ios.get());
        }
        let up = || job.limits.runtime > 0 && !ramp && since(epoch) >= job.limits.runtime;
        let stopped = || a.control.stopped();
        let done = counters.ios.get() - a.baseline.directions[read].ios.get();
        if stopped() || up() || job.limits.number_ios > 0 && done >= job.limits.number_ios {
            break;
        }
        let now = Now { clock, stopped: &stopped, up: &up };
        let turn = clock.now();
        if !chore.turn(&now)? {
            break;
        }
        let nanos = since(turn);
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
            let turns = counters.ios.get() - sample.1;
            counters.rate_samples.add(1);
            let rate = u128::from(turns) * u128::from(SECOND) / u128::from(elapsed);
            counters.iops_samples.record(rate as u64, 1);
            sample = (clock.now(), counters.ios.get());
        }
        now.sleep(chore.rest());
    }
    Ok(since(epoch))
}

/// A CPU that is busy.
struct Burner {
    spec: CpuSpec,
    numbers: Vec<u64>,
}

impl Burner {
    fn new(spec: CpuSpec) -> Self {
        Self { spec, numbers: (0..if spec.sort { NUMBERS as u64 } else { 0 }).collect() }
    }

    /// Some microseconds of work.
    fn work(&mut self) {
        if !self.spec.sort {
            for turn in 0..1 << 10 {
                black_box(turn);
            }
            return;
        }
        // Disorder from the order before, so that there is always something to sort.
        let mut state = self.numbers.first().copied().unwrap_or(1) | 1;
        for number in &mut self.numbers {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *number = state;
        }
        self.numbers.sort_unstable();
        black_box(&self.numbers);
    }
}

impl Chore for Burner {
    fn turn(&mut self, now: &Now<'_>) -> Result<bool, JobError> {
        let cycle = Duration::from_micros(self.spec.cycle_us);
        let began = now.clock.now();
        while !now.over(began, cycle) {
            self.work();
        }
        Ok(true)
    }

    fn rest(&self) -> Duration {
        Duration::from_micros(self.spec.rest_us())
    }

    fn end(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// A program that runs. It is ended when this is dropped.
struct Running<'a> {
    job: &'a Job,
    spec: &'a ExecSpec,
    child: Option<Child>,
    /// How it ended by itself.
    ended: Option<std::io::Result<std::process::ExitStatus>>,
    begun: bool,
}

impl<'a> Running<'a> {
    fn new(job: &'a Job, spec: &'a ExecSpec) -> Self {
        Self { job, spec, child: None, ended: None, begun: false }
    }

    fn start(&mut self) -> Result<(), JobError> {
        let program = self.spec.program.as_deref().unwrap_or_default();
        let arguments = arguments(self.job, self.spec).unwrap_or_default();
        let mut command = Command::new(program);
        command.args(arguments.split(' ').filter(|argument| !argument.is_empty()));
        if self.spec.redirect {
            let file = |what: &str| {
                let name = format!("{}.{what}", self.job.name);
                output::open(name.as_ref()).map_err(|e| {
                    failed(&format!("open({name})"), &Errno::INVAL.into(), &format!(": {}", e.why()))
                })
            };
            command.stdout(file("stdout")?).stderr(file("stderr")?);
        }
        let child = command.spawn().map_err(|e| failed("exec", &e, &format!(": program={program}")))?;
        self.child = Some(child);
        Ok(())
    }

    /// Looks whether it has ended by itself.
    fn look(&mut self) -> bool {
        let Some(child) = &mut self.child else { return true };
        match child.try_wait() {
            Ok(None) => return false,
            Ok(Some(status)) => self.ended = Some(Ok(status)),
            Err(e) => self.ended = Some(Err(e)),
        }
        self.child = None;
        true
    }

    /// Asks it to end, and after the grace time makes it.
    fn close(&mut self) {
        if self.look() {
            return;
        }
        let Some(mut child) = self.child.take() else { return };
        // It is ours and was not waited for: its id is no other's.
        let _ = kill_process(Pid::from_child(&child), Signal::TERM);
        let grace = Duration::from_secs(self.spec.grace_s);
        let asked = Instant::now();
        while asked.elapsed() < grace {
            if child.try_wait().map_or(true, |status| status.is_some()) {
                return;
            }
            std::thread::sleep(NAP.min(grace));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Chore for Running<'_> {
    fn turn(&mut self, now: &Now<'_>) -> Result<bool, JobError> {
        if !std::mem::replace(&mut self.begun, true) {
            return self.start().map(|()| true);
        }
        let over = self.look();
        if over && self.job.limits.runtime == 0 {
            return Ok(false);
        }
        now.sleep(TURN);
        if (now.up)() {
            self.close();
        }
        Ok(true)
    }

    fn rest(&self) -> Duration {
        TURN
    }

    fn end(&mut self) -> Vec<String> {
        self.close();
        let how = match &self.ended {
            None => return Vec::new(),
            Some(Ok(status)) if status.success() => return Vec::new(),
            Some(Ok(status)) => status.to_string(),
            Some(Err(e)) => e.to_string(),
        };
        let program = self.spec.program.as_deref().unwrap_or_default();
        vec![format!("fathom: job {}: {program}: {how}", self.job.name)]
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.close();
    }
}
