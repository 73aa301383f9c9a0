//! Detection of a steady state during the run: a worker samples its own counters or those of its reporting group at
//! equal intervals, and ends these jobs when the samples meet the criterion.

use crate::control::Control;
use engine::{Clock, Ticks};
use job::job::SteadySpec;
use job::plan::Plan;
use stats::shared::JobCounters;
use stats::{SteadySample, SteadyState};
use std::sync::{Arc, Mutex, PoisonError};

/// Steady state of one clone or of a reporting group. One worker writes it, once per interval; reports read it.
#[derive(Debug)]
pub struct SteadyWatch {
    /// Indices in the plan of the clones whose counters are added, and which end.
    members: Vec<usize>,
    /// Requests to end of all clones of the run.
    controls: Arc<[Control]>,
    spec: SteadySpec,
    state: Mutex<SteadyState>,
}

impl SteadyWatch {
    /// Returns the watches of all clones, indexed as `plan.clones`. As in fio, the last clone of a group with
    /// `group_reporting` samples the whole group.
    pub fn of(plan: &Plan, controls: &Arc<[Control]>) -> Arc<[Option<SteadyWatch>]> {
        let job = |clone: usize| &plan.jobs[plan.clones[clone].job];
        let all = || 0..plan.clones.len();
        let watch = |clone: usize| {
            let spec = job(clone).steady?;
            let group = |other: &usize| job(*other).group == job(clone).group;
            let members = match job(clone).measure.shown.group_reporting {
                false => vec![clone],
                true => {
                    let merged = |other: &usize| job(*other).measure.shown.group_reporting;
                    let last = all().rfind(|other| group(other) && merged(other));
                    all().filter(|other| last == Some(clone) && group(other)).collect()
                }
            };
            let state = Mutex::new(SteadyState::new(spec.criterion, spec.window, spec.interval));
            let controls = controls.clone();
            (!members.is_empty()).then_some(SteadyWatch { members, controls, spec, state })
        };
        all().map(watch).collect()
    }

    /// Returns the samples so far.
    pub(crate) fn state(&self) -> SteadyState {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Sums of the counters of all members.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    ios: u64,
    bytes: u64,
    /// Number of completion latencies.
    timed: u64,
    /// Sum of the completion latencies in nanoseconds.
    clat: u128,
}

/// The sampling of a worker.
pub(crate) struct SteadySampler<'a> {
    watch: &'a SteadyWatch,
    counters: &'a [JobCounters],
    /// Time between samples in ticks.
    interval: Ticks,
    /// Time of the next sample; `Ticks::MAX` before the end of the job's ramp and after its steady state.
    next: Ticks,
    /// Time from which the next sample counts, and the counters at that time.
    since: Option<(Ticks, Totals)>,
    /// Time before which no sample begins.
    ramp_end: Ticks,
}

impl<'a> SteadySampler<'a> {
    /// Returns a sampler for `watch`. `counters` are those of all clones of the run, indexed as `plan.clones`.
    pub(crate) fn new(watch: &'a SteadyWatch, counters: &'a [JobCounters], clock: &impl Clock) -> Self {
        let interval = clock.ticks(watch.spec.interval).max(1);
        Self { watch, counters, interval, next: Ticks::MAX, since: None, ramp_end: 0 }
    }

    /// Starts the samples: the measurement begins at `now`.
    pub(crate) fn begin(&mut self, now: Ticks, clock: &impl Clock) {
        // In virtual time, the counters of other members are not yet those of `now`: the first step reads them.
        let alone = self.watch.members.len() == 1;
        self.next = if alone { now.saturating_add(self.interval) } else { now };
        self.ramp_end = now.saturating_add(clock.ticks(self.watch.spec.ramp));
        self.since = (alone && self.watch.spec.ramp == 0).then(|| (now, self.totals()));
    }

    /// Returns the time of the next sample.
    pub(crate) fn next(&self) -> Ticks {
        self.next
    }

    /// Takes a sample if one is due at `now`. Returns whether the steady state is attained: the other members are then
    /// requested to end.
    pub(crate) fn check(&mut self, now: Ticks, clock: &impl Clock) -> bool {
        if now < self.next {
            return false;
        }
        // A sample that is late, because an I/O took long, does not delay the following ones.
        let late = (now - self.next) / self.interval;
        self.next = self.next.saturating_add(self.interval.saturating_mul(late + 1));
        let totals = self.totals();
        let since = self.since.take();
        self.since = (now >= self.ramp_end).then_some((now, totals));
        let Some((began, before)) = since else { return false };
        let sample = sample(&totals, &before, clock.nanos(now - began).max(1));
        let attained = self.watch.state.lock().unwrap_or_else(PoisonError::into_inner).add(sample);
        if attained {
            self.next = Ticks::MAX;
            self.watch
                .members
                .iter()
                .filter_map(|member| self.watch.controls.get(*member))
                .for_each(Control::stop);
        }
        attained
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        let members = self.watch.members.iter().filter_map(|member| self.counters.get(*member));
        for direction in members.flat_map(|member| &member.now.directions) {
            let ios = direction.ios.get();
            totals.ios += ios;
            totals.bytes += direction.bytes.get();
            totals.timed += ios.saturating_sub(direction.untimed.get());
            totals.clat += direction.clat.moments.snapshot(ios).sum;
        }
        totals
    }
}

/// Returns the sample of `nanos` nanoseconds between two readings of the counters.
fn sample(now: &Totals, before: &Totals, nanos: u64) -> SteadySample {
    let per_second = |n: u64| (u128::from(n) * 1_000_000_000 / u128::from(nanos)) as u64;
    let timed = u128::from(now.timed.saturating_sub(before.timed)).max(1);
    SteadySample {
        iops: per_second(now.ios.saturating_sub(before.ios)),
        bytes_per_second: per_second(now.bytes.saturating_sub(before.bytes)),
        latency: (now.clat.saturating_sub(before.clat) / timed) as u64,
    }
}
