//! THE loop: one step fills free slots, submits, reaps and counts. Nothing here locks, allocates, formats or
//! divides; what is rare is `#[cold]`, what is timed shares one compare.

use crate::pattern::Pattern;
use crate::schedule::Ramp;
use crate::slots::{self, InFlightOp, NO_COMMIT};
use crate::worker::{SUBMIT, Worker};
use engine::{Clock, Completion, Engine, Kind, Op, RingDead, Ticks};
use stats::shared::SharedDirection;
use stats::{Shared, SharedPriorities, WorkerState};

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Go on.
    Ran,
    /// The lap is over and nothing flies: the caller decides whether there is another one.
    PassOver,
    /// Ended: by time, by request or by an error; nothing flies.
    Done,
}

/// One round of the loop. `EXTRAS` is the copy for jobs that ask for what few do (`iodepth_batch*`, `openfiles`,
/// `sync_file_range`, `serialize_overlap`, `lockfile`, priorities, `rate`); it alone may wait for a lock or a moment.
#[inline(always)]
pub fn step<E: Engine, const EXTRAS: bool>(w: &mut Worker<'_, E>) -> Result<Step, RingDead> {
    let free = w.slots.free();
    let mut want = free.min(w.at_once);
    if EXTRAS && w.draining {
        want = 0;
    }
    let mut least = 1;
    let mut waits = None;
    if want > 0 && w.pass_open && w.live {
        let mut n = if EXTRAS && w.pacer.is_some() {
            let (n, until) = w.fill_due(want);
            waits = until;
            n
        } else {
            w.pattern.fill(w.slots.next(want))
        };
        if EXTRAS && n > 0 && w.turns {
            n = w.apply_file_actions(n)?;
        }
        if EXTRAS && n > 0 && w.locks.is_some() {
            w.issue_locked(n)?;
        } else if n > 0 {
            w.issue(n)?;
        } else if !(EXTRAS && (waits.is_some() || w.live && w.pattern.blocked())) {
            // A pattern may end a batch early where a file ends; only an empty batch ends the lap.
            w.pass_open = false;
        }
        if EXTRAS && n > 0 && w.syncs {
            w.slots.begin_commits(n, &mut w.first_write);
        }
        // A batch that was cut short leaves slots free: go on filling the queue, and wait only when it is full or
        // nothing more comes.
        if n < free && n > 0 && !(EXTRAS && waits.is_some()) {
            if !(EXTRAS && w.exact) && n == SUBMIT {
                return Ok(Step::Ran);
            }
            // Its payload was dear, or a file ended: look what is there meanwhile.
            least = 0;
        }
    }
    let in_flight = w.slots.in_flight();
    if in_flight == 0 {
        if EXTRAS && let Some(until) = waits {
            w.pause(until);
        }
        return Ok(w.nothing_in_flight());
    }
    let n = if EXTRAS && let Some(until) = waits {
        w.reap_until(until)?
    } else {
        let (least, most) = if EXTRAS && w.exact { w.exact_reap() } else { (least, w.done.len()) };
        if EXTRAS && most == 0 {
            return Ok(Step::Ran);
        }
        w.engine.reap(least, &mut w.done[..most])?
    };
    let now = w.clock.now();
    w.last = now;
    if n > 0 {
        w.completed::<EXTRAS>(n, now)?;
        if EXTRAS && w.tracks_completions {
            w.tell_pattern(in_flight);
        }
    }
    if now >= w.next_event || w.control.stopped() {
        w.event(now);
    }
    Ok(Step::Ran)
}

impl<E: Engine> Worker<'_, E> {
    #[inline(always)]
    fn issue(&mut self, n: usize) -> Result<(), RingDead> {
        let before = self.slots.in_flight() as u64;
        let (ops, table) = self.slots.take(n);
        self.payload.stamp(ops, &mut self.arena, self.last);
        let start = self.clock.now();
        self.engine.queue(ops);
        self.engine.submit()?;
        let issued = if E::SYNC { start } else { self.clock.now() };
        slots::record_issue(table, ops, start, issued);
        let shared = self.shared;
        shared.in_flight.set(before + n as u64);
        shared.depth.issues(before, n as u64);
        shared.submit.call(n as u64);
        let slat = if E::SYNC { 0 } else { self.clock.nanos(issued - start) };
        match self.only {
            Some(direction) => self.count_issued(direction, slat, n),
            None => self.count_mixed(slat, n),
        }
        Ok(())
    }

    /// Waits for the file's lock first: fio, too, has that wait in no latency.
    #[cold]
    #[inline(never)]
    fn issue_locked(&mut self, n: usize) -> Result<(), RingDead> {
        let op = self.slots.next(n)[0];
        let lock = self.locks.as_ref().map(|locks| locks.of(op.file));
        let _held = lock.as_ref().map(|lock| lock.take(op.kind));
        self.issue(n)
    }

    #[inline(always)]
    fn count_issued(&self, direction: &SharedDirection, slat: u64, n: usize) {
        direction.issued.add(n as u64);
        // What fio measures by default takes one compare; anything else is asked for in turn.
        if !E::SYNC && (self.measured.usual || self.measured.slat) {
            direction.slat.moments.record(slat, n as u64);
            if !self.measured.usual && self.measured.slat_histogram {
                direction.slat.histogram.record(slat, n as u64);
            }
        }
    }

    /// Equal neighbours are one add.
    #[inline(never)]
    fn count_mixed(&mut self, slat: u64, n: usize) {
        // Where there are trims, operations go one by one.
        if E::TRIMS_IN_CALL
            && let [Op { kind: Kind::Trim, slot, .. }] = *self.slots.taken(n)
        {
            // Done in the call: no slat, and all of it is clat.
            let flight = self.slots.op_in(slot);
            flight.issued = flight.start;
            self.shared.directions[Kind::Trim as usize].issued.add(1);
            return;
        }
        for run in self.slots.taken(n).chunk_by(|a, b| a.kind == b.kind) {
            if let Some(direction) = self.shared.directions.get(run[0].kind as usize) {
                self.count_issued(direction, slat, run.len());
            }
        }
    }

    #[inline(always)]
    fn completed<const EXTRAS: bool>(&mut self, n: usize, now: Ticks) -> Result<(), RingDead> {
        let shared = self.shared;
        let mut from = 0;
        while from < n {
            let Completion { slot, res } = self.done[from];
            let first = *self.slots.op_in(slot);
            from += 1;
            if res != (first.op.len - first.op.done) as i32 {
                self.unexpected(slot, res, now)?;
                continue;
            }
            self.slots.release(slot);
            // Neighbours that were set up together, of one kind and size, are one add.
            let mut run = 1;
            for &Completion { slot, res } in &self.done[from..n] {
                let next = self.slots.op_in(slot);
                let alike =
                    next.start == first.start && next.op.len == first.op.len && next.op.kind == first.op.kind;
                if !alike || res != (next.op.len - next.op.done) as i32 {
                    break;
                }
                // Two syncs of one submit call end commits that began at different moments.
                if EXTRAS && (next.issued != first.issued || self.apart(slot, first.op.slot)) {
                    break;
                }
                self.slots.release(slot);
                run += 1;
            }
            from += run - 1;
            self.record(&first, now, run as u64);
            if EXTRAS && let Some(priorities) = self.priorities {
                self.record_priority(priorities, &first, now, run as u64);
            }
            if EXTRAS && self.pacer.is_some() {
                self.record_since_due(&first.op, now);
            }
        }
        shared.complete.call(n as u64);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn record(&mut self, first: &InFlightOp, now: Ticks, run: u64) {
        let shared = self.shared;
        let lat = self.clock.nanos(now.wrapping_sub(first.start));
        let Some(direction) = shared.directions.get(first.op.kind as usize) else {
            self.record_sync(lat, now, first.issued, run);
            return;
        };
        direction.ios.add(run);
        direction.bytes.add(run * u64::from(first.op.len));
        let clat = if E::SYNC { lat } else { self.clock.nanos(now.wrapping_sub(first.issued)) };
        if self.measured.usual {
            direction.clat.record(clat, run);
            if !E::SYNC {
                direction.lat.moments.record(lat, run);
            }
        } else {
            self.record_unusual(direction, first.op.slot, clat, lat, run);
        }
    }

    #[inline(never)]
    fn record_sync(&self, lat: u64, now: Ticks, began: Ticks, run: u64) {
        self.shared.syncs.add(run);
        self.shared.sync.record(lat, run);
        if began != NO_COMMIT {
            self.shared.commit.record(self.clock.nanos(now.wrapping_sub(began)), run);
        }
    }

    /// Whether two I/Os that were set up together are recorded each for itself.
    #[inline(always)]
    fn apart(&self, one: u16, other: u16) -> bool {
        // What was due at different moments has waited differently long.
        self.pacer.is_some()
            || self.priorities.is_some() && self.engine.priority(one) != self.engine.priority(other)
    }

    #[inline(never)]
    fn record_priority(&self, priorities: &SharedPriorities, first: &InFlightOp, now: Ticks, run: u64) {
        let since = if priorities.total { first.start } else { first.issued };
        let at = usize::from(self.engine.priority(first.op.slot));
        priorities.record(first.op.kind as usize, at, self.clock.nanos(now.wrapping_sub(since)), run);
    }

    /// A synchronous engine's lat is its clat: the tally says so once.
    #[inline(never)]
    fn record_unusual(&mut self, direction: &SharedDirection, slot: u16, clat: u64, lat: u64, run: u64) {
        // It was freed just now: nothing else was put there.
        let op = self.slots.op_in(slot).op;
        if self.measured.lat && lat > self.most_latency[op.kind as usize] {
            self.too_slow(op, lat);
        }
        if self.measured.clat || E::SYNC && self.measured.lat {
            direction.clat.record(clat, run);
        }
        if !E::SYNC && self.measured.lat {
            direction.lat.moments.record(lat, run);
            if self.measured.lat_histogram {
                direction.lat.histogram.record(lat, run);
            }
        }
    }

    /// `iodepth_batch*` exactly: how many completions to wait for at least and to take at most; 0 at most means
    /// "issue more first".
    fn exact_reap(&mut self) -> (usize, usize) {
        let in_flight = self.slots.in_flight();
        // Done already, and reaped before anything else: nothing was taken since it was issued. The constants come first: an
        // engine that has neither looks at no slot.
        let any = E::TRIMS_IN_CALL || E::SYNCS_IN_CALL;
        if any && in_flight > 0 && done_in_call::<E>(self.slots.taken(1)[0].kind) {
            return (1, 1);
        }
        let may_issue = self.pass_open && self.live && self.slots.free() > 0 && !self.pattern.blocked();
        if in_flight <= self.batch.low as usize {
            self.draining = false;
        }
        if may_issue && !self.draining && self.batch.complete_min > 0 {
            return (0, 0);
        }
        if self.slots.free() == 0 {
            self.draining = self.batch.low < in_flight as u32;
        }
        let least = (self.batch.complete_min as usize).max(usize::from(!may_issue)).min(in_flight);
        let most =
            (self.batch.complete_max.max(self.batch.complete_min).max(1) as usize).min(self.done.len());
        (least.min(most), most)
    }

    /// The lap is over and nothing flies: begins the next one.
    pub(crate) fn begin_next_pass(&mut self) -> Result<(), RingDead> {
        self.pattern.begin_next_pass();
        self.apply_file_actions(0)?;
        self.pass_open = true;
        Ok(())
    }

    /// Tells the pattern which I/Os are done, of the `before` that were in flight.
    #[inline(never)]
    fn tell_pattern(&mut self, before: usize) {
        let Pattern::General(general) = &mut self.pattern else { return };
        self.slots.completed_since(before).for_each(|op| general.completed(op));
    }

    #[cold]
    #[inline(never)]
    fn nothing_in_flight(&mut self) -> Step {
        self.shared.in_flight.set(0);
        let now = self.clock.now();
        self.last = now;
        if now >= self.next_event || self.control.stopped() {
            self.event(now);
        }
        match (self.live, self.pass_open) {
            (false, _) => Step::Done,
            (true, true) => Step::Ran,
            (true, false) => Step::PassOver,
        }
    }

    /// Something is due: a request to stop, the end of the ramp, a sample, the end of the runtime.
    #[cold]
    #[inline(never)]
    pub(crate) fn event(&mut self, now: Ticks) {
        self.shared.done_in_submit.set(self.engine.done_in_submit());
        let s = &mut self.schedule;
        if self.control.stopped() {
            self.live = false;
        }
        if now >= s.ramp_end && self.ramp.as_ref().is_none_or(Ramp::is_over) {
            s.ramp_end = Ticks::MAX;
            s.epoch = now;
            s.end = now.saturating_add(s.runtime);
            self.shared.begin_measuring(self.baseline);
            if self.ramp.is_some() {
                self.shared.began.set(engine::clock::monotonic_nanos());
            }
            if let Some(priorities) = self.priorities {
                priorities.begin_measuring();
            }
            self.shared.state.set(WorkerState::Running as u64);
            for (which, window) in s.windows.iter_mut().enumerate() {
                window.begin(now);
                window.counts = counts(self.shared, which);
            }
        }
        for (which, window) in s.windows.iter_mut().enumerate() {
            if now < window.end {
                continue;
            }
            if s.ramp_end == Ticks::MAX {
                let elapsed = self.clock.nanos(now - window.start).max(1);
                let current = counts(self.shared, which);
                for (at, direction) in self.shared.directions.iter().enumerate() {
                    let rate = per_second(current[at] - window.counts[at], elapsed);
                    match which {
                        _ if current[at] == 0 => {}
                        0 => {
                            direction.samples.add(1);
                            direction.bw_samples.record(rate / 1024, 1);
                        }
                        _ => {
                            direction.rate_samples.add(1);
                            direction.iops_samples.record(rate, 1);
                        }
                    }
                }
                window.counts = current;
            }
            window.begin(now);
        }
        if now >= s.end {
            self.live = false;
        }
        self.next_event = s.next();
        if self.floor.is_some() {
            self.look_at_floor(now);
        }
    }
}

/// Whether an operation is done when its submit call returns.
fn done_in_call<E: Engine>(kind: Kind) -> bool {
    match kind {
        Kind::Trim => E::TRIMS_IN_CALL,
        Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => E::SYNCS_IN_CALL,
        Kind::Read | Kind::Write => false,
    }
}

/// Bytes (0) or I/Os (1) per direction.
fn counts(shared: &Shared, which: usize) -> [u64; 3] {
    shared.directions.each_ref().map(|d| if which == 0 { d.bytes.get() } else { d.ios.get() })
}

fn per_second(amount: u64, nanos: u64) -> u64 {
    (u128::from(amount) * 1_000_000_000 / u128::from(nanos)) as u64
}
