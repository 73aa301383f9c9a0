//! Shares of jobs in the I/Os of a flow (`flow`): a job stalls while its share of the I/Os of all members is above its
//! share of their weights. The counts are those that each worker keeps anyway, so that a batch costs a few loads per
//! member and nothing that workers contend for.

use super::Extra;
use crate::assignment::Assignment;
use crate::phase_runner::state;
use crate::worker::{Due, Filled, Worker};
use engine::{Clock, Engine, Ticks};
use stats::{Shared, WorkerState};

/// Another member of the flow.
#[derive(Debug)]
struct Member<'a> {
    shared: &'a Shared,
    weight: u64,
    /// Whether the member lays out its files while others do I/O.
    late: bool,
}

impl Member<'_> {
    /// Returns whether the member counts: it does I/O, or is about to together with this job, so that no job has a
    /// start that it would have to wait for later. Members that wait for their start or have ended do not count.
    fn counts(&self) -> bool {
        match state(self.shared) {
            WorkerState::Ramp | WorkerState::Running => true,
            WorkerState::Preparing => !self.late,
            WorkerState::Waiting | WorkerState::Verifying | WorkerState::Syncing | WorkerState::Exited => {
                false
            }
        }
    }
}

/// A job's part in its flow.
#[derive(Debug)]
pub(crate) struct Flow<'a> {
    weight: u64,
    others: Box<[Member<'a>]>,
    /// Time for which the job sleeps when it stalls; 0 = it looks again at once.
    sleep: Ticks,
    /// Number of operations that may be issued at present.
    allowed: usize,
    /// End of the sleep of a stalled job.
    until: Ticks,
    /// Number of times that a stalled job has looked again.
    looks: u32,
}

/// Number of looks of a stalled job after which it lets other threads run: they may be those that it waits for.
const LOOKS: u32 = 64;

impl<'a> Flow<'a> {
    /// Returns `Some` if the job is in a flow.
    pub(crate) fn of<E: Engine>(a: &Assignment<'a>, w: &mut Worker<'a, E>) -> Option<Self> {
        let own = a.job().flow?;
        let others = a.plan.clones.iter().zip(a.counters).filter_map(|(clone, counters)| {
            let job = &a.plan.jobs[clone.job];
            let flow = job.flow.filter(|flow| flow.id == own.id && job.engine.does_io())?;
            let shared = &counters.now;
            let (weight, late) = (flow.weight.get().into(), clone.lays_out_late);
            (!std::ptr::eq(shared, a.shared)).then_some(Member { shared, weight, late })
        });
        Some(Self {
            weight: own.weight.get().into(),
            others: others.collect(),
            sleep: w.clock.ticks(own.sleep),
            allowed: 0,
            until: 0,
            looks: 0,
        })
    }

    /// Returns how many of `want` operations may be issued: an operation may be while the own share of the I/Os is not
    /// above the share of the weights.
    fn allowed(&self, own: u64, want: usize) -> usize {
        let (mut ios, mut weights) = (u128::from(own), u128::from(self.weight));
        for member in self.others.iter().filter(|member| member.counts()) {
            ios += u128::from(issued(member.shared));
            weights += u128::from(member.weight);
        }
        let (own, weight) = (u128::from(own), u128::from(self.weight));
        (0..want as u128).take_while(|n| (own + n) * weights <= (ios + n) * weight).count()
    }
}

fn issued(shared: &Shared) -> u64 {
    shared.directions.iter().map(|d| d.issued.get()).sum()
}

impl<E: Engine> Extra<E> for Flow<'_> {
    #[inline(never)]
    fn limit(&mut self, w: &mut Worker<'_, E>, want: usize) -> usize {
        self.allowed = self.allowed(issued(w.shared), want);
        self.allowed.max(1)
    }

    /// Stalls the job while its share is too large.
    #[inline(never)]
    fn grant(&mut self, w: &mut Worker<'_, E>, _: usize) -> Option<Filled> {
        let slept = self.sleep == 0 || self.until == 0 || w.clock.now() >= self.until;
        if self.allowed > 0 && slept {
            self.until = 0;
            return None;
        }
        if w.slots.in_flight() > 0 {
            return Some(Filled { ops: 0, due: None, blocked: true });
        }
        let now = w.clock.now();
        if self.sleep > 0 && slept {
            self.until = now.saturating_add(self.sleep);
        }
        if self.sleep == 0 {
            // In virtual time, the driver continues the worker after the next step of another one.
            w.stalled = true;
            self.looks = self.looks.wrapping_add(1);
            if E::Clock::REAL && self.looks.is_multiple_of(LOOKS) {
                std::thread::yield_now();
            }
        }
        Some(Filled { ops: 0, due: Some(Due { at: self.until.max(now), lead: 0 }), blocked: false })
    }

    /// Leaves the flow: the counts of the job no longer hold others back.
    fn end(&mut self, w: &mut Worker<'_, E>) -> Result<(), engine::RingDead> {
        w.shared.state.set(WorkerState::Exited as u64);
        Ok(())
    }
}
