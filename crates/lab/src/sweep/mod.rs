//! `fathom sweep`: visits every cell of a grid several times in random order, and stores every visit. A sweep that goes
//! on makes the visits that are missing; as decisions depend on stored points alone, it has the rows of a sweep that was
//! never interrupted.

pub mod grid;

use crate::explore::point::point;
use crate::explore::runner::{Journal, Measurement, Runner};
use stats::converge::StopRule;
use stats::failure::Failure;
use stats::pauses::SlowStretches;
use stats::study::{Cell, Ended, Point, Question, Study, Unanswered, Why};
use stats::sweep::{SweepAsked, SweepCell};
use std::time::Duration;

/// Number of its latencies that the counted time of a visit lasts at least.
pub const LATENCIES: f64 = 20.0;
/// Shortest counted time of a visit, seconds.
pub const LEAST_S: f64 = 1.0;
/// Number of latencies under load before a visit counts: the queue is full after one.
const RAMP_LATENCIES: f64 = 1.5;
/// Number of times that a visit is made longer because its latency turned out to be longer.
const ATTEMPTS: u32 = 4;
/// Largest number of windows that are stored with a visit.
const WINDOWS: usize = 400;

/// Runs a sweep, or the remaining part of a sweep that already has points.
pub fn sweep(study: Study, runner: &mut dyn Runner, journal: &mut dyn Journal) -> Study {
    let Some(asked) = study.asked.sweep.clone() else { return study };
    let order = asked.order(study.asked.seed);
    let mut sweeper = Sweeper { asked, study, runner, restored: false };
    sweeper.study.unanswered.clear();
    let done: Vec<u32> = sweeper.study.points.iter().map(|p| p.ordinal).collect();
    for (ordinal, cell) in order.iter().enumerate().filter(|(n, _)| !done.contains(&(*n as u32))) {
        if sweeper.runner.interrupted() {
            break;
        }
        let left: f64 = order[ordinal..].iter().map(|cell| sweeper.asked.cells[*cell].runtime_s).sum();
        match sweeper.visit(ordinal as u32, *cell, left) {
            Ok(Some(point)) => {
                journal.add(&point);
                let at = sweeper.study.points.partition_point(|p| p.ordinal < point.ordinal);
                sweeper.study.points.insert(at, point);
            }
            Ok(None) => break,
            Err(text) => sweeper.fail(*cell, text),
        }
    }
    let complete = !sweeper.runner.interrupted();
    let mut study = sweeper.study;
    study.complete = complete && study.unanswered.is_empty();
    study.spent_s = study.points.iter().map(|p| p.rest_s + p.seconds).sum();
    study
}

/// State of a sweep in progress.
struct Sweeper<'a> {
    asked: SweepAsked,
    study: Study,
    runner: &'a mut dyn Runner,
    restored: bool,
}

/// Times of a visit, seconds.
#[derive(Clone, Copy)]
struct VisitTimes {
    ramp_s: f64,
    runtime_s: f64,
}

impl VisitTimes {
    /// Returns the times for a cell with this mean latency, seconds.
    fn of(asked: &SweepAsked, cell: &SweepCell, latency_s: f64) -> VisitTimes {
        VisitTimes {
            ramp_s: asked.ramp_s.max(RAMP_LATENCIES * latency_s),
            runtime_s: cell.runtime_s.max(LATENCIES * latency_s).max(LEAST_S),
        }
    }

    /// Returns whether a visit of these times was long enough for the latency that it found.
    fn suffice(&self, latency_s: f64) -> bool {
        self.ramp_s >= latency_s && self.runtime_s >= 0.9 * LATENCIES * latency_s
    }
}

impl Sweeper<'_> {
    /// Returns the visits made so far to cell `of`.
    fn visits(&self, of: usize, before: u32) -> Vec<&Point> {
        let order = self.asked.order(self.study.asked.seed);
        let mine = |p: &&Point| p.ordinal < before && order.get(p.ordinal as usize) == Some(&of);
        self.study.points.iter().filter(mine).collect()
    }

    /// Returns the load of a cell: with an offered rate, a share of the mean of the maximum's visits.
    fn load(&self, of: usize) -> Result<Cell, Failure> {
        let cell = &self.asked.cells[of];
        let (access, depth, jobs) = (cell.access.clone(), cell.iodepth, cell.numjobs);
        let mut load =
            Cell { target: 0, access, depth, jobs, span: None, setting: None, rate: None, hosts: None };
        if let Some(percent) = cell.percent {
            let maximum = self.asked.maximum_of(of).ok_or(Failure::NoMaximum)?;
            let visits = self.visits(maximum, u32::MAX);
            let usable = visits.iter().filter(|p| p.grade != stats::Grade::NotTheDevice);
            let (ios, seconds) = usable.fold((0, 0.0), |(n, s), p| (n + p.ios, s + p.seconds));
            if ios == 0 || seconds <= 0.0 {
                return Err(Failure::NoMaximum);
            }
            let rate = ios as f64 / seconds * percent / 100.0 * cell.access.bs as f64;
            load.rate = Some((rate.round() as u64).max(1));
        }
        Ok(load)
    }

    /// Makes one visit. Returns `None` if it was interrupted.
    fn visit(&mut self, ordinal: u32, of: usize, left_s: f64) -> Result<Option<Point>, Failure> {
        let load = self.load(of)?;
        let cell = self.asked.cells[of].clone();
        self.runner.question(Question::Grid, &cell.access, &self.name(), left_s);
        if !self.restored
            && let Some(last) = self.study.points.iter().max_by_key(|p| p.began_ms)
        {
            self.runner.restore(&last.state.clone());
        }
        self.restored = true;
        let known = self.visits(of, ordinal).iter().map(|p| latency_s(&load, p)).fold(0.0, f64::max);
        let mut times = VisitTimes::of(&self.asked, &cell, known);
        let mixed = self.study.asked.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let seed = (mixed >> 34).wrapping_add(u64::from(ordinal) * 7919 + 1);
        let rest_s = self.runner.rest(0);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let stop = StopRule::new(0.0, u64::MAX).after((times.ramp_s * 1e9) as u64);
            let most = Duration::from_secs_f64(times.runtime_s);
            let measured = self.runner.measure(&load, seed, most, stop)?;
            let completed = of_device(&measured);
            let overlaps = load.jobs == 1 || jobs_overlap(&measured);
            let found = point(ordinal, Question::Grid, &load, rest_s, measured, &SlowStretches::default());
            if found.ended == Ended::Interrupted || self.runner.interrupted() {
                return Ok(None);
            }
            let latency = latency_s(&load, &found);
            if found.ios > 0 && (times.suffice(latency) && overlaps || attempt == ATTEMPTS) {
                let mut point = found;
                let by = point.series.windows.len().div_ceil(WINDOWS);
                point.series = point.series.merged(by.max(1));
                return Ok(Some(point));
            }
            if attempt == ATTEMPTS {
                return Err(if completed { Failure::PointsTooShort } else { Failure::NothingCompleted });
            }
            // Without an I/O in the counted time, nothing is known but that the latency is longer.
            let latency = if found.ios > 0 { latency } else { times.ramp_s + times.runtime_s };
            let longer = VisitTimes::of(&self.asked, &cell, latency);
            let runtime_s = match found.ios {
                0 => 4.0 * times.runtime_s,
                _ if overlaps => longer.runtime_s,
                _ => longer.runtime_s.max(2.0 * times.runtime_s),
            };
            times = VisitTimes { runtime_s, ..longer };
        }
    }

    fn name(&self) -> String {
        self.study.targets.first().map_or(String::new(), |t| t.name.clone())
    }

    fn fail(&mut self, cell: usize, text: Failure) {
        let access = self.asked.cells[cell].access.clone();
        let why = Why::Failed { text };
        self.study.unanswered.push(Unanswered { target: 0, access, question: Question::Grid, why });
    }
}

/// Returns whether any I/O of a run completed.
fn of_device(measured: &Measurement) -> bool {
    measured.result.layers.app_ios.iter().any(|ios| *ios > 0)
}

/// Returns whether all jobs of a run were counted together for at least half of its runtime: the windows of a run are
/// those of all jobs. A job that waits long for its first I/O after the ramp is counted later than the others, and the sum
/// of their I/Os then belongs to no common time.
fn jobs_overlap(measured: &Measurement) -> bool {
    let result = &measured.result;
    let runtime_ms = result.jobs.iter().map(|job| job.runtime_ms).max().unwrap_or(0);
    let windows = result.series.first().map_or(&[][..], |(_, series)| &series.windows[..]);
    let common: u64 = windows.iter().map(|window| window.nanos).sum();
    common as f64 / 1e6 >= 0.5 * runtime_ms as f64
}

/// Returns the latency of a visit, seconds: the mean, and with a full queue at least what its depth and rate give
/// (Little's law), because a visit from an empty queue sees shorter ones first.
fn latency_s(load: &Cell, point: &Point) -> f64 {
    let mean = point.mean_ns / 1e9;
    let rate = if point.seconds > 0.0 { point.ios as f64 / point.seconds } else { 0.0 };
    match load.rate {
        None if rate > 0.0 => mean.max(f64::from(load.in_flight()) / rate),
        _ => mean,
    }
}
