//! `fathom explain`: what limits a load on a target, by a few short experiments or from stored results.

mod sample;
mod stored;

pub use stored::{of_check, of_printed, of_run, of_study};

use crate::doctor::target_kind::kind_of;
use crate::held::{HeldTarget, Holding};
use crate::target::{JobContext, Target, TargetError};
use crate::target_fault::TargetFault;
use facts::layers::Stack;
use facts::queue::Queue;
use run::Watch;
use stats::bottleneck::{
    Bottleneck, BottleneckCard, BottleneckExperiment, BottleneckFacts, BottleneckSample, LoadShape, Standing,
    next_experiment,
};
use stats::doctor::FileSystemKind;
use stats::throttle::ThrottledUnit;
use stats::{Claim, Finding, JobError, Unmeasured};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Largest number of experiments, the load in question included.
const MOST_RUNS: usize = 8;
/// Share of the budget for the load in question: a throttle shows in some seconds.
const FIRST: f64 = 1.0 / 12.0;
/// Share of the budget for each experiment.
const EACH: f64 = 1.0 / 15.0;
/// Largest number of times that the loads begin anew because the device changed.
const MOST_ANEW: u32 = 2;
/// Factor of the queue depth of the deeper load.
const DEEPER: u32 = 4;
/// Largest number of I/Os in flight.
const MOST_IN_FLIGHT: u32 = 1024;
/// Divisor of the queue depth of the load that shows slices.
const FEWER: u32 = 10;
/// Factor of the block size of the load that shows the unit of a throttle.
const LARGER: u64 = 4;
/// Largest block size, bytes.
const LARGEST: u64 = 1 << 20;
/// Share of the measured rate at which the light load runs.
const LIGHT: f64 = 0.25;
/// Smallest number of I/Os of the light load.
const LEAST_LIGHT: f64 = 30.0;
/// Time that is not counted at the start of each load: a limit by slices lets the first one through at once.
const RAMP: Duration = Duration::from_millis(300);

/// Devices whose work CPUs of this machine do.
const ON_CPU: [&str; 4] = ["loop", "zram", "dm-", "nbd"];
/// Largest share of the time in which CPUs are idle with which they count as busy all the time.
const BUSY: f64 = 0.05;

/// Question of `fathom explain`.
pub struct ExplainRequest {
    /// Directory, file, device or simulated device.
    pub target: PathBuf,
    /// Pattern: `rw` as in fio's language.
    pub rw: String,
    /// Load in question.
    pub shape: LoadShape,
    /// Measuring time of all loads together.
    pub budget: Duration,
    /// Whether a load may run without the I/O scheduler of the device, which is set back afterwards.
    pub allow_settings: bool,
    /// Environment in which the jobs run.
    pub context: JobContext,
}

/// Receiver of the progress.
pub trait Progress: Watch {
    /// Called before the scratch file is filled.
    fn filling(&mut self);

    /// Called before each load.
    fn measuring(&mut self, shape: &LoadShape);
}

/// Runs the load in question, then the experiments that separate the candidates best.
///
/// # Errors
/// The target is unusable, or the load in question cannot be run.
pub fn explain(request: &ExplainRequest, progress: &mut dyn Progress) -> Result<BottleneckCard, TargetError> {
    let began = Instant::now();
    let mut target = Target::open(&request.target, &request.context.root)?;
    if target.is_scratch() {
        progress.filling();
        target.fill(&request.context, progress)?;
    }
    let (context, writes) = (&request.context, request.rw.contains("write"));
    let _held = HeldTarget::hold(
        &target,
        Holding::of("explain", writes),
        &mut context.consent.clone(),
        &context.root,
    )?;
    let (origin, spent) = (Instant::now(), Duration::ZERO);
    let mut bench = Bench {
        request,
        target,
        beneath: None,
        origin,
        spent,
        link: None,
        findings: Vec::new(),
        error: None,
        loads: 0,
    };
    let base = bench.run(request.shape, None, FIRST, progress)?;
    let error = bench.error.take();
    if let Some(error) = error.clone().filter(|_| base.rate.value == 0.0) {
        return Err(TargetError::Target { path: request.target.clone(), fault: TargetFault::Failed(error) });
    }
    let facts = bench.facts(&base);
    bench.beneath = bench.device_beneath(&facts);
    let source = request.target.display().to_string();
    let mut card = BottleneckCard::of(&source, &request.rw, facts, vec![base]);
    card.findings = std::mem::take(&mut bench.findings);
    card.error = error;
    card.judge();
    let (mut stepped, mut anew) = (has_stepped(&card.findings), 0);
    while bench.loads < MOST_RUNS && card.error.is_none() && card.not_the_target().is_none() {
        let possible = |experiment, card: &BottleneckCard| bench.shape(experiment, card).is_some();
        // A device that changed during a load is measured anew in its later state.
        let again = stepped && anew < MOST_ANEW;
        let shape = match next_experiment(&card, &possible) {
            _ if again => Some(request.shape),
            Some(experiment) => bench.shape(experiment, &card),
            None if card.needs_repetition() => Some(request.shape),
            None => fewer(&card).or_else(|| larger(&card)),
        };
        let Some(shape) = shape else { break };
        if bench.spent >= request.budget || request.context.interrupt.load(Relaxed) != 0 {
            card.cut_short = true;
            break;
        }
        let rate = card.samples.first().map_or(0.0, |base| base.rate.value);
        // An experiment that cannot be run, or that a budget of writes ends, separates nothing.
        let Ok(sample) = bench.run(shape, Some(rate), EACH, progress) else {
            card.cut_short = true;
            break;
        };
        stepped = has_stepped(&bench.findings);
        card.samples.push(sample);
        if let Some(error) = bench.error.take() {
            card.error = Some(error);
            card.findings.extend(bench.findings.iter().filter(|found| failed(found)).cloned());
            stats::finding::sort(&mut card.findings);
        }
        card.judge();
        if again || card.has_changed() && anew < MOST_ANEW {
            anew += 1;
            card.samples.drain(..card.samples.len() - 1);
            card.judge();
        }
    }
    card.cut_short |= request.context.interrupt.load(Relaxed) != 0;
    card.seconds = began.elapsed().as_secs_f64();
    Ok(card)
}

/// Returns whether a finding says that an error ended a job.
fn failed(found: &Finding) -> bool {
    matches!(found.claim, Claim::NotMeasured { why: Unmeasured::Failed })
}

/// Returns whether the rate stepped to another level during a load.
fn has_stepped(findings: &[Finding]) -> bool {
    let steps =
        |claim: &Claim| matches!(claim, Claim::StepDown { .. } | Claim::RateDropped { seconds: None, .. });
    findings.iter().any(|found| steps(&found.claim))
}

/// Returns the load with so few I/Os in flight that the slices of a throttle show, if one is possible and none was run.
fn fewer(card: &BottleneckCard) -> Option<LoadShape> {
    let base = card.samples.first()?.shape;
    let depth = (base.depth / FEWER).max(1);
    let done = card.samples.iter().any(|sample| sample.shape.depth <= depth);
    let possible = card.standing(Bottleneck::HiddenThrottle) == Standing::Possible;
    (possible && depth < base.depth && !done).then_some(LoadShape { depth, ..base })
}

/// Returns the load with larger blocks that shows whether a throttle limits I/Os or bytes; `None` if that is known.
fn larger(card: &BottleneckCard) -> Option<LoadShape> {
    let resolved =
        card.throttle.as_ref().is_some_and(|t| !matches!(t.limit, ThrottledUnit::Unresolved { .. }));
    let unresolved = card.standing(Bottleneck::HiddenThrottle) == Standing::Shown && !resolved;
    let base = card.samples.first()?.shape;
    let block = (base.block * LARGER).min(LARGEST);
    let done = card.samples.iter().any(|sample| sample.shape.block != base.block);
    (unresolved && block > base.block && !done).then_some(LoadShape { block, ..base })
}

/// Returns the idle time of all CPUs since the machine was started, seconds.
fn idle_s(root: &facts::SysRoot) -> f64 {
    facts::cpu::idle(root).iter().map(|(_, nanos)| *nanos as f64).sum::<f64>() / 1e9
}

/// The target and the time spent.
struct Bench<'a> {
    request: &'a ExplainRequest,
    target: Target,
    /// The device under the file system of the target, if it can be read.
    beneath: Option<Target>,
    /// Zero of the clock of the samples.
    origin: Instant,
    spent: Duration,
    /// Capacity of the link to the device, bytes per second.
    link: Option<f64>,
    /// Findings about the last load.
    findings: Vec<Finding>,
    /// Error that ended the last load.
    error: Option<JobError>,
    /// Number of loads so far.
    loads: usize,
}

impl Bench<'_> {
    fn writes(&self) -> bool {
        self.request.rw.contains("write")
    }

    /// Returns the load of an experiment; `None` if the target or the load does not permit it.
    fn shape(&self, experiment: BottleneckExperiment, card: &BottleneckCard) -> Option<LoadShape> {
        let base = card.samples.first()?;
        let shape = base.shape;
        match experiment {
            BottleneckExperiment::Deeper => {
                let depth = (shape.depth * DEEPER).min(MOST_IN_FLIGHT / shape.jobs.max(1));
                (depth >= 2 * shape.depth).then_some(LoadShape { depth, ..shape })
            }
            BottleneckExperiment::Shallower => {
                let queue = base.device.as_ref().map_or(base.in_flight, |device| device.queue);
                let depth = (queue / 2.0 / f64::from(shape.jobs)).floor().max(1.0) as u32;
                (2 * depth <= shape.depth).then_some(LoadShape { depth, ..shape })
            }
            BottleneckExperiment::MoreJobs => {
                let jobs = 2 * shape.jobs;
                (shape.in_flight() >= 2).then_some(LoadShape {
                    jobs,
                    depth: shape.in_flight().div_ceil(jobs).max(1),
                    ..shape
                })
            }
            BottleneckExperiment::LightLoad => {
                let ios = base.rate.value * LIGHT * self.time(EACH).as_secs_f64();
                (ios >= LEAST_LIGHT && !self.writes()).then_some(LoadShape { paced: true, ..shape })
            }
            BottleneckExperiment::Beneath => {
                (self.beneath.is_some() && !self.writes()).then_some(LoadShape { beneath: true, ..shape })
            }
            BottleneckExperiment::Unscheduled => {
                let possible = self.request.allow_settings && card.facts.scheduler.is_some();
                possible.then_some(LoadShape { unscheduled: true, ..shape })
            }
        }
    }

    fn time(&self, share: f64) -> Duration {
        self.request.budget.mul_f64(share)
    }

    /// Runs a load for `share` of the budget; `rate` is that of the load in question.
    fn run(
        &mut self,
        shape: LoadShape,
        rate: Option<f64>,
        share: f64,
        progress: &mut dyn Progress,
    ) -> Result<BottleneckSample, TargetError> {
        progress.measuring(&shape);
        let target = self.beneath.as_ref().filter(|_| shape.beneath).unwrap_or(&self.target);
        let context = &self.request.context;
        let time = self.time(share);
        let random = self.request.rw.starts_with("rand");
        // The jobs of a sequential load have a part of the target each.
        let part = if random { target.size } else { target.size / u64::from(shape.jobs.max(1)) };
        let size = part.min(self.target.size) / shape.block.max(1) * shape.block.max(1);
        let mut options = vec![
            format!("--rw={}", self.request.rw),
            format!("--bs={}", shape.block),
            format!("--iodepth={}", shape.depth),
            format!("--numjobs={}", shape.jobs),
            format!("--size={size}"),
            "--norandommap".to_owned(),
            "--group_reporting".to_owned(),
            format!("--ramp_time={}ms", RAMP.min(time / 4).as_millis()),
            format!("--runtime={}ms", time.as_millis().max(1)),
        ];
        match context.allowance.as_ref().filter(|_| self.writes()) {
            // Each load may write its part of the budget, so that all of them are run.
            Some(allowance) => {
                let part = allowance.left() / (MOST_RUNS - self.loads.min(MOST_RUNS - 1)) as u64;
                let each = part / u64::from(shape.jobs.max(1)) / shape.block.max(1) * shape.block.max(1);
                options.push(format!("--io_size={}", each.max(shape.block)));
            }
            None => options.push("--time_based".to_owned()),
        }
        if !random && shape.jobs > 1 {
            options.push(format!("--offset_increment={size}"));
        }
        if self.writes() && target.kind.is_some() {
            options.push("--refill_buffers".to_owned());
        }
        if shape.unscheduled {
            options.push("--ioscheduler=none".to_owned());
        }
        if let (true, Some(rate)) = (shape.paced, rate) {
            let each = (rate * LIGHT / f64::from(shape.jobs.max(1))).max(1.0) as u64;
            options.push(format!("--rate_iops={each}"));
        }
        let simulated = target.kind.is_none();
        let start = match simulated {
            true => context.models.now(),
            false => self.origin.elapsed(),
        };
        let (idle, began) = (idle_s(&context.root), Instant::now());
        let result = target.job("explain", context, &options, progress)?;
        let cpus = (idle_s(&context.root) - idle) / began.elapsed().as_secs_f64();
        self.spent += time;
        self.loads += 1;
        self.link = result.layers.traits.iter().find_map(|traits| traits.link).map(|[now, _]| now as f64);
        let mut sample = sample::of(&result, shape, simulated);
        self.findings = result.findings;
        self.error = result.jobs.into_iter().find_map(|job| job.error);
        sample.start_s = start.as_secs_f64();
        if let Some(cpu) = sample.cpu.as_mut().filter(|_| !simulated) {
            let all = facts::cpu::online(&context.root).len().max(1) as f64;
            let own = cpu.used * f64::from(shape.jobs) / all;
            cpu.others = if cpus < BUSY * all { (1.0 - cpus / all - own).max(0.0) } else { 0.0 };
        }
        Ok(sample)
    }

    /// Returns what the machine says about the target.
    fn facts(&self, base: &BottleneckSample) -> BottleneckFacts {
        let root = &self.request.context.root;
        let unknown = BottleneckFacts { host_known: true, ..BottleneckFacts::default() };
        if let Some(layers) = self.target.layers() {
            return BottleneckFacts { stack: layers, served: true, ..unknown };
        }
        let Ok(stack) = Stack::under(root, &self.target.path) else { return unknown };
        let words = stack.words();
        let device = stack.devices().next().cloned();
        let queue = device.as_ref().map(|device| Queue::of(root, device)).unwrap_or_default();
        let top = words.first().map(|layer| layer.split([' ', '(']).next().unwrap_or("").to_owned());
        let queues = queue.hardware_queues.unwrap_or(1).min(base.shape.jobs).max(1);
        BottleneckFacts {
            slots: queue.nr_requests.map(|n| u64::from(n) * u64::from(queues)),
            scheduler: queue.scheduler.filter(|name| name != "none"),
            file_system: top.clone().filter(|top| device.as_ref().is_none_or(|device| device.name != *top)),
            served: top
                .is_some_and(|top| matches!(kind_of(&top), FileSystemKind::Served | FileSystemKind::Network)),
            link: self.link,
            host_known: true,
            on_cpu: device
                .as_ref()
                .is_some_and(|device| ON_CPU.iter().any(|kind| device.name.starts_with(kind))),
            stack: words,
        }
    }

    /// Opens the device under the file system of the target for reading.
    fn device_beneath(&self, facts: &BottleneckFacts) -> Option<Target> {
        facts.file_system.as_ref()?;
        let root = &self.request.context.root;
        let stack = Stack::under(root, &self.target.path).ok()?;
        let path = PathBuf::from("/dev").join(&stack.devices().next()?.name);
        std::fs::File::open(&path).ok()?;
        Target::open(&path, root).ok()
    }
}
