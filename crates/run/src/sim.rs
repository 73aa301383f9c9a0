//! The driver in virtual time: it owns all workers of a phase and always steps the one whose clock is furthest
//! behind, so a simulated device shared by several jobs sees one order of events, the same each time.

use crate::drive::{Step, Worker, step};
use crate::phase::Stage;
use crate::tally::{self, Finish};
use crate::worker::{Assignment, Gate, Laps, Prepared, epoch_ms, start_clock};
use engine::Clock;
use engine::model::{Device, Law, Model};
use job::job::{EngineChoice, ModelSpec, ServiceLaw};
use stats::{CpuOutcome, Series};
use std::cell::RefCell;
use std::rc::Rc;

fn law(spec: &ModelSpec) -> Law {
    match &spec.law {
        ServiceLaw::Constant(nanos) => Law::Constant(*nanos),
        ServiceLaw::Uniform(low, high) => Law::Uniform(*low, *high),
        ServiceLaw::Exponential(mean) => Law::Exponential(*mean),
        ServiceLaw::Mixture(parts) => Law::Mixture(parts.clone()),
    }
}

/// Virtual time begins at once.
struct Alone;

impl Gate for Alone {
    fn start(&self) {}
}

/// Runs one phase of model jobs. Jobs with the same model share one device, whose time goes on where the last run with
/// it ended.
pub(crate) fn run(stage: &mut Stage<'_>, phase: &[usize]) {
    let models = stage.setup.models.clone();
    let begin = u64::try_from(models.now().as_nanos()).unwrap_or(u64::MAX);
    let mut devices: Vec<(ModelSpec, Rc<RefCell<Device>>)> = Vec::new();
    let mut open: Vec<(usize, Worker<'_, Model>, Laps)> = Vec::new();
    let mut ended: Vec<(usize, Finish)> = Vec::new();
    for &index in phase {
        let clone = &stage.plan.clones[index];
        let EngineChoice::Model(spec) = &stage.plan.jobs[clone.job].engine else { continue };
        let device = match devices.iter().find(|(known, _)| known == spec) {
            Some((_, device)) => device.clone(),
            None => {
                let device = Device::new(spec.servers, law(spec), clone.seed, models.of(spec));
                devices.push((spec.clone(), device.clone()));
                device
            }
        };
        let (shared, baseline) = (&stage.shared[2 * index], &stage.shared[2 * index + 1]);
        let assignment = Assignment {
            plan: stage.plan,
            clone,
            blocks: stage.shared,
            shared,
            baseline,
            priorities: None,
            control: &stage.controls[index],
            all_histograms: true,
            gate: &Alone,
            began: std::time::Instant::now(),
        };
        match Prepared::new(&assignment, &mut Finish::default()) {
            Ok(prepared) => {
                let job = assignment.job();
                let engine = Model::new(device, job.queue.effective as usize, begin);
                let (mut worker, _) = Worker::new(&assignment, engine, prepared);
                worker.clock.wait_until(begin.saturating_add(clone.startdelay(job)));
                worker.begin(job);
                open.push((index, worker, Laps::new(job)));
            }
            Err(error) => ended.push((index, Finish { error: Some(error), ..Finish::default() })),
        }
    }
    let (all, mut end) = (open.len(), begin);
    let all_begun = open.iter().map(|(_, worker, _)| worker.clock.now()).max().unwrap_or(begin);
    let mut series = Series::with(stage.setup.window);
    let mut enough = false;
    let mut steps = 0u64;
    while let Some(at) = (0..open.len()).min_by_key(|at| open[*at].1.clock.now()) {
        steps += 1;
        if steps.is_multiple_of(1 << 16) {
            stage.heed_signal();
        }
        // A window ends when the worker that is furthest behind passes its end: the others' next answers are in.
        let now = open[at].1.clock.now();
        if now >= all_begun && !enough && series.is_due(now) {
            if open.len() < all || open.iter().any(|(_, worker, _)| !worker.measures()) {
                series.pause();
            } else if stage.look_at(&mut series, now, phase) && stage.watch.enough(&series) {
                stage.stop(phase);
                enough = true;
            }
        }
        let (_, worker, laps) = &mut open[at];
        let stepped = if worker.exact || worker.heeds {
            step::<Model, true>(worker)
        } else {
            step::<Model, false>(worker)
        };
        match stepped {
            Ok(Step::Ran) => continue,
            Ok(Step::LapOver) if laps.another(worker.shared) => {
                worker.pattern.next_lap();
                worker.lap_open = true;
                continue;
            }
            Ok(Step::LapOver | Step::Done) | Err(_) => {}
        }
        let (index, worker, _) = open.swap_remove(at);
        end = end.max(worker.clock.now());
        let runtime_nanos = worker.since_epoch();
        let cpu = CpuOutcome { wall_ms: (runtime_nanos / 1_000_000).max(1), ..CpuOutcome::default() };
        let pid = std::process::id();
        let clone = &stage.plan.clones[index];
        let job = &stage.plan.jobs[clone.job];
        let lines: Vec<String> =
            worker.slow.iter().map(|(op, lat)| tally::slow_line(job, clone, op, *lat)).collect();
        let error = worker.fatal.as_ref().map(|fault| tally::job_error(job, clone, fault));
        let error = if lines.is_empty() { error } else { Some(tally::too_slow()) };
        ended.push((
            index,
            Finish {
                runtime_nanos,
                start_epoch_ms: epoch_ms(),
                start_clock_ms: start_clock(job, 0),
                pid,
                cpu,
                error,
                lines,
                ..Finish::default()
            },
        ));
    }
    let wall = ended.iter().map(|(_, f)| f.runtime_nanos / 1_000_000).max().unwrap_or(0).max(1);
    let asked =
        phase.iter().map(|c| f64::from(stage.plan.jobs[stage.plan.clones[*c].job].queue.effective)).sum();
    stage.weights.push((wall, asked));
    stage.keep_series(phase, series);
    devices.iter().for_each(|(spec, device)| models.keep(spec, device.borrow().memory(end)));
    for (index, finish) in ended {
        stage.ended(index, finish);
    }
}
