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
}

impl<'a> Flow<'a> {
    /// Returns `Some` if the job is in a flow.
    pub(crate) fn of<E: Engine>(a: &Assignment<'a>, w: &mut Worker<'a, E>) -> Option<Self> {
        let own = a.job().flow?;
        let others = a.plan.clones.iter().zip(a.counters).filter_map(|(clone, counters)| {
            let job = &a.plan.jobs[clone.job];
            let flow = job.flow.filter(|flow| flow.id == own.id && job.engine.does_io())?;
            let shared = &counters.now;
            (!std::ptr::eq(shared, a.shared)).then_some(Member { shared, weight: flow.weight.get().into() })
        });
        Some(Self {
            weight: own.weight.get().into(),
            others: others.collect(),
            sleep: w.clock.ticks(own.sleep),
            allowed: 0,
            until: 0,
        })
    }

    /// Returns how many of `want` operations may be issued: an operation may be while the own share of the I/Os is not
    /// above the share of the weights.
    fn allowed(&self, own: u64, want: usize) -> usize {
        let (mut ios, mut weights) = (u128::from(own), u128::from(self.weight));
        for Member { shared, weight } in &self.others {
            // Members that have not begun or have ended do not count.
            if matches!(state(shared), WorkerState::Ramp | WorkerState::Running) {
                ios += u128::from(issued(shared));
                weights += u128::from(*weight);
            }
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
            if E::Clock::REAL {
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
