//! Features that only some jobs use: each is a type in a file of its own that acts at named moments of a step. The
//! loop is compiled three times per engine: without features ([`NoExtras`]), the same for one operation in flight
//! ([`NoExtrasSingle`]; synchronous engines never have more), and with the features that a job uses ([`Extras`]).
//!
//! A new feature is a file with a type that implements [`Extra`] and has a function `of`, and a line in `extras!`
//! below.

mod burst_delay;
mod commits;
mod completion_tracking;
mod exact_batches;
mod file_locks;
mod flow;
mod io_log;
mod late_file;
mod latency_search;
mod latency_slices;
pub(crate) mod open_files;
mod pacing;
mod placement;
mod priority_latencies;
mod replay;
mod think_time;
mod trace_recorder;
mod trim_ranges;
mod verify;
mod write_allowance;
mod zone_commands;

use crate::assignment::Assignment;
use crate::slots::InFlightOp;
use crate::worker::{Filled, Step, Worker};
use burst_delay::BurstDelay;
use commits::Commits;
use completion_tracking::CompletionTracking;
use engine::{Engine, Op, RingDead, Ticks};
use exact_batches::ExactBatches;
use file_locks::{FileLocks, Held};
use flow::Flow;
use io_log::IoLog;
use latency_search::LatencySearch;
use latency_slices::LatencySlices;
use open_files::OpenFiles;
use pacing::Pacer;
use placement::Placement;
use priority_latencies::PriorityLatencies;
use replay::ReplayClock;
use think_time::ThinkTime;
use trace_recorder::TraceRecorder;
use trim_ranges::TrimRanges;
use verify::Verifier;
use write_allowance::Allowance;
use zone_commands::ZoneCommands;

/// Number of completions that a step takes: at least `least`, for which it waits, and at most `most`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReapBounds {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

/// A feature of the loop, called at named moments of a step. `n` is the number of operations that were filled or
/// issued last.
pub(crate) trait Extra<E: Engine> {
    /// Whether at most one operation is in flight at a time.
    const SINGLE: bool = E::SYNC;

    /// Called at the start of the job's clocks, at `w.last`.
    fn begin(&mut self, _w: &mut Worker<'_, E>) {}

    /// Returns the largest number of operations, at least 1, that the next batch may have; `want` without a limit.
    fn limit(&mut self, _w: &mut Worker<'_, E>, want: usize) -> usize {
        want
    }

    /// Fills the operations that may start now, at most `want`; `None` leaves the filling to the loop.
    fn grant(&mut self, _w: &mut Worker<'_, E>, _want: usize) -> Option<Filled> {
        None
    }

    /// Returns whether, after a batch of `n` operations, the next batch is filled before completions are reaped.
    fn continues_after(&self, n: usize) -> bool {
        n == crate::worker::SUBMIT
    }

    /// Prepares the `n` operations that were filled, and returns the number of operations that may be issued.
    ///
    /// # Errors
    /// The engine cannot submit or reap any more.
    fn before_issue(&mut self, _w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        Ok(n)
    }

    /// Returns a lock that is held while `n` operations are issued.
    fn hold(&self, _w: &mut Worker<'_, E>, _n: usize) -> Option<Held<'_>> {
        None
    }

    /// Called after `n` operations were issued.
    fn after_issue(&mut self, _w: &mut Worker<'_, E>, _n: usize) {}

    /// Returns the bounds of the next reap, for which the loop proposes `bounds`; `None` if more operations have to
    /// be issued first.
    fn before_reap(&mut self, _w: &mut Worker<'_, E>, bounds: ReapBounds) -> Option<ReapBounds> {
        Some(bounds)
    }

    /// Returns whether two completed operations that started together are recorded separately.
    fn keeps_apart(&self, _w: &Worker<'_, E>, _one: u16, _other: u16) -> bool {
        false
    }

    /// Called after `n` operations equal to `first` in kind, size and start have completed at `now`.
    fn after_completion(&mut self, _w: &mut Worker<'_, E>, _first: &InFlightOp, _now: Ticks, _n: u64) {}

    /// Called after an operation has ended without success.
    fn after_failure(&mut self, _w: &mut Worker<'_, E>, _op: &Op) {}
    /// Called after the `n` completions in `w.done` before the index `end`, of operations equal in kind, size and
    /// start, were recorded at `now`.
    #[inline(always)]
    fn after_run(&mut self, _w: &mut Worker<'_, E>, _end: usize, _n: usize, _now: Ticks) {}

    /// Called after all completions of a step were recorded; `before` operations were in flight before the reap.
    fn after_reap(&mut self, _w: &mut Worker<'_, E>, _before: usize) {}

    /// Called when the pass is complete or the job has ended, with no I/O in flight. Returns [`Step::Ran`] if the feature
    /// has more I/O to do first, else `step`.
    fn after_pass(&mut self, _w: &mut Worker<'_, E>, step: Step) -> Step {
        step
    }

    /// Called at the start of each pass but the first, with no I/O in flight.
    ///
    /// # Errors
    /// The engine cannot submit or reap any more.
    fn begin_pass(&mut self, _w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        Ok(())
    }

    /// Called after the last pass, with no I/O in flight.
    ///
    /// # Errors
    /// The engine cannot submit or reap any more.
    fn end(&mut self, _w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        Ok(())
    }
}

/// No feature: the plain loop.
pub(crate) struct NoExtras;

impl<E: Engine> Extra<E> for NoExtras {}

/// No feature, and at most one operation in flight.
pub(crate) struct NoExtrasSingle;

impl<E: Engine> Extra<E> for NoExtrasSingle {
    const SINGLE: bool = true;
}

/// Declares [`Extras`]: the features in the order in which they act.
macro_rules! extras {
    ($($field:ident: $feature:ty,)*) => {
        /// The features of one job.
        pub(crate) struct Extras<'a> {
            $(pub(crate) $field: Option<$feature>,)*
        }

        impl<'a> Extras<'a> {
            /// Returns the features that the job of `a` uses; `None` for a job without such features.
            pub(crate) fn of<E: Engine>(a: &Assignment<'a>, w: &mut Worker<'a, E>) -> Option<Box<Self>> {
                let extras = Self { $($field: <$feature>::of(a, w),)* };
                let any = false $(|| extras.$field.is_some())*;
                any.then(|| Box::new(extras))
            }
        }

        impl<E: Engine> Extra<E> for Extras<'_> {
            fn begin(&mut self, w: &mut Worker<'_, E>) {
                $(if let Some(extra) = &mut self.$field { extra.begin(w); })*
            }

            #[inline(always)]
            fn limit(&mut self, w: &mut Worker<'_, E>, mut want: usize) -> usize {
                $(if let Some(extra) = &mut self.$field { want = extra.limit(w, want); })*
                want
            }

            #[inline(always)]
            fn grant(&mut self, w: &mut Worker<'_, E>, want: usize) -> Option<Filled> {
                w.held = false;
                $(if let Some(extra) = &mut self.$field
                    && let Some(filled) = extra.grant(w, want)
                {
                    w.held = filled.blocked;
                    return Some(filled);
                })*
                None
            }

            #[inline(always)]
            fn continues_after(&self, n: usize) -> bool {
                let continues = Extra::<E>::continues_after(&NoExtras, n);
                continues $(&& self.$field.as_ref().is_none_or(|extra| Extra::<E>::continues_after(extra, n)))*
            }

            #[inline(always)]
            fn before_issue(&mut self, w: &mut Worker<'_, E>, mut n: usize) -> Result<usize, RingDead> {
                $(if let Some(extra) = &mut self.$field { n = extra.before_issue(w, n)?; })*
                Ok(n)
            }

            #[inline(always)]
            fn hold(&self, w: &mut Worker<'_, E>, n: usize) -> Option<Held<'_>> {
                $(if let Some(extra) = &self.$field
                    && let Some(held) = extra.hold(w, n)
                {
                    return Some(held);
                })*
                None
            }

            #[inline(always)]
            fn after_issue(&mut self, w: &mut Worker<'_, E>, n: usize) {
                $(if let Some(extra) = &mut self.$field { extra.after_issue(w, n); })*
            }

            #[inline(always)]
            fn before_reap(&mut self, w: &mut Worker<'_, E>, mut bounds: ReapBounds) -> Option<ReapBounds> {
                $(if let Some(extra) = &mut self.$field { bounds = extra.before_reap(w, bounds)?; })*
                Some(bounds)
            }

            #[inline(always)]
            fn keeps_apart(&self, w: &Worker<'_, E>, one: u16, other: u16) -> bool {
                // Two syncs of one submit call end commits with different starts.
                w.slots.get(one).issued != w.slots.get(other).issued
                    $(|| self.$field.as_ref().is_some_and(|extra| extra.keeps_apart(w, one, other)))*
            }

            #[inline(always)]
            fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, now: Ticks, n: u64) {
                $(if let Some(extra) = &mut self.$field { extra.after_completion(w, first, now, n); })*
            }

            fn after_failure(&mut self, w: &mut Worker<'_, E>, op: &Op) {
                $(if let Some(extra) = &mut self.$field { extra.after_failure(w, op); })*
            }

            #[inline(always)]
            fn after_run(&mut self, w: &mut Worker<'_, E>, end: usize, n: usize, now: Ticks) {
                $(if let Some(extra) = &mut self.$field { extra.after_run(w, end, n, now); })*
            }

            #[inline(always)]
            fn after_reap(&mut self, w: &mut Worker<'_, E>, before: usize) {
                $(if let Some(extra) = &mut self.$field { extra.after_reap(w, before); })*
            }

            fn after_pass(&mut self, w: &mut Worker<'_, E>, mut step: Step) -> Step {
                $(if let Some(extra) = &mut self.$field { step = extra.after_pass(w, step); })*
                step
            }

            fn begin_pass(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
                $(if let Some(extra) = &mut self.$field { extra.begin_pass(w)?; })*
                Ok(())
            }

            fn end(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
                $(if let Some(extra) = &mut self.$field { extra.end(w)?; })*
                Ok(())
            }
        }
    };
}

extras! {
    // First: a write that is not issued must not be recorded by another feature.
    allowance: Allowance<'a>,
    verify: Verifier<'a>,
    batches: ExactBatches,
    think_time: ThinkTime,
    burst_delay: BurstDelay,
    latency_search: LatencySearch,
    flow: Flow<'a>,
    pacing: Pacer,
    replay: ReplayClock,
    open_files: OpenFiles<'a>,
    recorder: TraceRecorder,
    zones: ZoneCommands,
    locks: FileLocks,
    commits: Commits,
    priorities: PriorityLatencies<'a>,
    log: IoLog,
    completions: CompletionTracking,
    slices: LatencySlices,
    trim_ranges: TrimRanges,
    placement: Placement,
}
