//! The loop of a worker: one step fills free slots, submits, reaps and counts. The step never locks, allocates,
//! formats or divides; rare cases are `#[cold]`, and all events that are due at a time share one comparison.

use crate::extras::{Extra, ReapBounds};
use crate::slots::{self, InFlightOp, NO_COMMIT};
use crate::worker::{Due, Filled, Pause, Step, Worker};
use engine::{Clock, Completion, Engine, Kind, Op, RingDead, Ticks};
use stats::shared::SharedDirection;
use stats::{Shared, WorkerState};

/// Runs one step of the loop; `x` acts at its named moments.
///
/// # Errors
/// The engine cannot submit or reap any more.
#[inline(always)]
pub(crate) fn step<E: Engine, X: Extra<E>>(w: &mut Worker<'_, E>, x: &mut X) -> Result<Step, RingDead> {
    // Values that are constant at a queue depth of 1 are written as constants, so that the compiler removes the loops
    // over batches.
    let single = X::SINGLE;
    let free = if single { usize::from(w.slots.in_flight() == 0) } else { w.slots.free() };
    let want = if single { free } else { free.min(w.submit_limit) };
    let mut least = 1;
    let mut due = None;
    if want > 0 && w.pass_open && w.live {
        let want = x.limit(w, want);
        let filled = match x.grant(w, want) {
            Some(filled) => filled,
            None => w.fill(want),
        };
        due = filled.due;
        let n = if filled.ops > 0 { x.before_issue(w, filled.ops)? } else { 0 };
        let n = if single { n.min(1) } else { n };
        if n > 0 {
            let held = x.hold(w, n);
            let before = if single { 0 } else { w.slots.in_flight() };
            w.issue(before, n)?;
            drop(held);
            x.after_issue(w, n);
        } else if due.is_none() && !filled.blocked {
            // A pattern may end a batch early at the end of a file; only an empty batch ends the pass.
            w.pass_open = false;
        }
        // A batch that was cut short leaves slots free: the queue is filled further, and completions are awaited only
        // if it is full or no more operations follow.
        if n < free && n > 0 && due.is_none() {
            if x.continues_after(n) {
                return Ok(Step::Ran);
            }
            // The payload was expensive, or a file ended: completions that are already available are reaped
            // meanwhile.
            least = 0;
        }
    }
    let in_flight = w.slots.in_flight();
    if in_flight == 0 {
        if let Some(due) = due {
            w.pause(due);
        }
        return Ok(w.nothing_in_flight());
    }
    let n = match due {
        Some(due) => w.reap_until(due)?,
        None => {
            let bounds = ReapBounds { least, most: if single { 1 } else { w.done.len() } };
            let Some(bounds) = x.before_reap(w, bounds) else { return Ok(Step::Ran) };
            w.engine.reap(bounds.least, &mut w.done[..bounds.most])?
        }
    };
    let n = if single { n.min(1) } else { n };
    let now = w.clock.now();
    w.last = now;
    if n > 0 {
        w.completed(x, n, now)?;
        x.after_reap(w, in_flight);
    }
    if now >= w.next_event || w.control.stopped() {
        w.event(now, n);
    }
    Ok(Step::Ran)
}

/// Longest wait in nanoseconds, so that a request to end is noticed in time.
const LONGEST_SLEEP: u64 = 20_000_000;

impl<'a, E: Engine> Worker<'a, E> {
    /// Sets the only direction of the operations from now on; `None` for several.
    pub(crate) fn count_only(&mut self, direction: Option<&'a SharedDirection>) {
        self.pattern_only = direction;
        self.only = direction.filter(|_| !self.offsets.is_due());
    }

    #[inline(always)]
    fn fill(&mut self, want: usize) -> Filled {
        let ops = self.pattern.fill(self.slots.next(want));
        Filled { ops, due: None, blocked: ops == 0 && self.pattern.blocked() }
    }

    /// Waits, with no I/O in flight, until the next operation or event is due; the wait may end earlier.
    #[cold]
    #[inline(never)]
    fn pause(&mut self, due: Due) {
        let until = due.at.min(self.next_event);
        self.clock.wait_until(until.saturating_sub(due.lead));
    }

    /// Reaps completions, and waits for the first of them until the next operation is due at most. Returns their
    /// number.
    #[inline(never)]
    fn reap_until(&mut self, due: Due) -> Result<usize, RingDead> {
        let until = due.at.min(self.next_event).saturating_sub(due.lead);
        let left = self.clock.nanos(until.saturating_sub(self.clock.now()));
        let most = if E::Clock::REAL { left.min(LONGEST_SLEEP) } else { left };
        self.engine.reap_within(most, &mut self.done)
    }

    #[inline(always)]
    fn issue(&mut self, before: usize, n: usize) -> Result<(), RingDead> {
        let before = before as u64;
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

    #[inline(always)]
    fn count_issued(&self, direction: &SharedDirection, slat: u64, n: usize) {
        direction.issued.add(n as u64);
        // Recording moments alone, the default, needs one comparison.
        if !E::SYNC && (self.measured.slat_moments_only || self.measured.slat) {
            direction.slat.moments.record(slat, n as u64);
            if !self.measured.slat_moments_only && self.measured.slat_histogram {
                direction.slat.histogram.record(slat, n as u64);
            }
        }
    }

    /// Counts the operations of a mixed pattern; consecutive operations of one kind are one addition.
    #[inline(never)]
    fn count_mixed(&mut self, slat: u64, n: usize) {
        // A sync has no offset: the next operation that has one is the sample.
        let has_offset = |op: &&Op| self.shared.directions.get(op.kind as usize).is_some();
        if self.offsets.is_due()
            && let Some(op) = self.slots.taken(n).iter().find(has_offset)
        {
            self.offsets.sample(self.last, op, &self.shared.offsets);
            self.next_event = self.next_event.min(self.offsets.next());
            self.only = self.pattern_only;
        }
        // In jobs with trims, operations are issued one by one.
        if E::TRIMS_IN_CALL
            && let [Op { kind: Kind::Trim, slot, .. }] = *self.slots.taken(n)
        {
            // A trim is done in the call: it has no slat, and its whole latency is clat.
            let in_flight = self.slots.op_in(slot);
            in_flight.issued = in_flight.start;
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
    fn completed<X: Extra<E>>(&mut self, x: &mut X, n: usize, now: Ticks) -> Result<(), RingDead> {
        let shared = self.shared;
        let mut from = 0;
        while from < n {
            let Completion { slot, res } = self.done[from];
            let first = *self.slots.get(slot);
            from += 1;
            if res != (first.op.len - first.op.done) as i32 {
                if self.unexpected(slot, res, now)? {
                    x.after_failure(self, &first.op);
                }
                continue;
            }
            self.slots.release(slot);
            // Consecutive operations that started together and have the same kind and size are one addition.
            let mut run = 1;
            for &Completion { slot, res } in &self.done[from..n] {
                let next = self.slots.get(slot);
                let alike =
                    next.start == first.start && next.op.len == first.op.len && next.op.kind == first.op.kind;
                if !alike || res != (next.op.len - next.op.done) as i32 {
                    break;
                }
                if x.keeps_apart(self, slot, first.op.slot) {
                    break;
                }
                self.slots.release(slot);
                run += 1;
            }
            from += run - 1;
            self.record(&first, now, run as u64);
            x.after_completion(self, &first, now, run as u64);
            x.after_run(self, from, run, now);
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
        // A copy of the recording for each of the two default sets: one comparison for fio's set, and one more for
        // the set of fathom's cards.
        if self.measured.default_of_fio {
            direction.clat.record(clat, run);
            if !E::SYNC {
                direction.lat.moments.record(lat, run);
            }
        } else if self.measured.default_of_cards {
            direction.clat.record(clat, run);
            if !E::SYNC {
                direction.lat.record(lat, run);
            }
        } else {
            self.record_selected(direction, first.op.slot, clat, lat, run);
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

    /// Records the latencies of a job whose set is neither fio's default nor that of fathom's cards. The lat of a
    /// synchronous engine is its clat; the outcome copies it once.
    #[inline(never)]
    fn record_selected(&mut self, direction: &SharedDirection, slot: u16, clat: u64, lat: u64, run: u64) {
        // The slot was released just now and still holds the operation.
        let op = self.slots.get(slot).op;
        if self.measured.lat && lat > self.measured.most[op.kind as usize] {
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

    #[cold]
    #[inline(never)]
    fn nothing_in_flight(&mut self) -> Step {
        self.shared.in_flight.set(0);
        let now = self.clock.now();
        self.last = now;
        if now >= self.next_event || self.control.stopped() {
            self.event(now, 0);
        }
        match (self.live, self.pass_open) {
            (false, _) => Step::Done,
            (true, true) => Step::Ran,
            (true, false) => Step::PassOver,
        }
    }

    /// Handles the events that are due: a request to end, the end of the ramp, a sample, the end of the runtime, a
    /// check of the minimum rate, a sample of the steady state, the choice of the next operation as a sample of the
    /// offsets, rows of logs. `reaped` is the number of completions that were reaped at `now`.
    #[cold]
    #[inline(never)]
    pub(crate) fn event(&mut self, now: Ticks, reaped: usize) {
        self.shared.done_in_submit.set(self.engine.done_in_submit());
        let s = &mut self.schedule;
        if self.control.stopped() {
            self.live = false;
        }
        if now >= s.ramp_end && s.ramp.is_over() {
            s.ramp_end = Ticks::MAX;
            s.end = now.saturating_add(s.runtime);
            self.shared.state.set(WorkerState::Running as u64);
            self.begin_measuring(now);
        }
        let s = &mut self.schedule;
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
        if let Some(min_rate) = &mut self.min_rate {
            let missed = min_rate.check(now, &self.clock, self.shared);
            self.live &= missed.is_empty();
            self.failures.min_rate_missed.extend(missed);
            self.next_event = self.next_event.min(min_rate.next());
        }
        if let Some(steady) = &mut self.steady {
            self.live &= !steady.check(now, &self.clock);
            self.next_event = self.next_event.min(steady.next());
        }
        if self.offsets.event(now) {
            // The next batch takes the path of mixed patterns, so that the fast one needs no comparison.
            self.only = None;
        }
        self.next_event = self.next_event.min(self.offsets.next());
        if self.logs.is_some() {
            self.log_event(now, reaped);
        }
    }
}

impl<E: Engine> Worker<'_, E> {
    /// Starts the measurement at `now`: the result leaves out everything before.
    #[cold]
    pub(crate) fn begin_measuring(&mut self, now: Ticks) {
        let s = &mut self.schedule;
        s.epoch = now;
        // A schedule of I/Os that is late here does not catch up in the measurement.
        self.pause = Some(Pause { from: 0, to: now });
        s.ramp.end(self.shared);
        for (which, window) in s.windows.iter_mut().enumerate() {
            window.begin(now);
            window.counts = counts(self.shared, which);
        }
        if let Some(steady) = &mut self.steady {
            steady.begin(now, &self.clock);
        }
    }
}

/// Returns the number of bytes (`which` = 0) or completed I/Os (`which` = 1) per direction.
fn counts(shared: &Shared, which: usize) -> [u64; 3] {
    shared.directions.each_ref().map(|d| if which == 0 { d.bytes.get() } else { d.ios.get() })
}

fn per_second(amount: u64, nanos: u64) -> u64 {
    (u128::from(amount) * 1_000_000_000 / u128::from(nanos)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Control;
    use crate::assignment::{Assignment, PhaseSync};
    use crate::extras::{NoExtras, NoExtrasSingle};
    use crate::finish::Finish;
    use crate::passes::Passes;
    use crate::prepare::Host;
    use crate::targets::Targets;
    use crate::worker_setup::Prepared;
    use engine::SharedBlocks;
    use engine::model::{Device, Law, Laws, Memory, Model};
    use job::Dialect;
    use job::files::NoFiles;

    struct Alone;

    impl PhaseSync for Alone {
        fn wait_for_start(&self) {}
    }

    struct Counters {
        ios: u64,
        /// Number of latencies in the histograms of slat, clat and lat.
        histograms: [u64; 3],
        /// All counters as text.
        all: String,
    }

    /// Runs a job with these options at depth 1 on a simulated device, whose completion times depend only on the
    /// requests, and returns the counters.
    fn counters(x: &mut impl Extra<Model>, options: &str) -> Counters {
        let args: Vec<_> =
            format!("--name=a --ioengine=model --bs=4k --size=1m --bwavgtime=1 --iopsavgtime=2 {options}")
                .split_whitespace()
                .map(Into::into)
                .collect();
        let Ok(job::Parsed::Run(line)) = job::command_line(&args, "fio", Dialect::Run, &mut NoFiles) else {
            panic!("{options}");
        };
        let plan = job::plan(line.jobs, &mut Host).unwrap();
        let (blocks, control) = (SharedBlocks::new(1).unwrap(), Control::default());
        let a = Assignment {
            plan: &plan,
            clone: &plan.clones[0],
            targets: &Targets::unchecked(),
            records: &crate::verify::Records::default(),
            counters: &blocks,
            shared: &blocks[0].now,
            baseline: &blocks[0].baseline,
            priorities: None,
            steady: None,
            logs: None,
            allowance: None,
            control: &control,
            all_histograms: options.contains("ramp_time"),
            phase: &Alone,
            began: std::time::Instant::now(),
        };
        let prepared = Prepared::new(&a, &mut Finish::default()).unwrap();
        let device = Device::new(Laws::of(1, Law::Exponential(100_000)), 7, Memory::default());
        let (mut worker, _) = Worker::new(&a, Model::new(device, 1, 0), prepared);
        worker.begin(a.job());
        let mut passes = Passes::new(a.job());
        loop {
            match step(&mut worker, x).unwrap() {
                Step::Ran => {}
                Step::PassOver if passes.another(a.shared) => {
                    worker.pattern.begin_next_pass();
                    worker.pass_open = true;
                }
                Step::PassOver | Step::Done => break,
            }
        }
        let sum = |of: fn(&SharedDirection) -> u64| a.shared.directions.iter().map(of).sum::<u64>();
        Counters {
            ios: sum(|d| d.ios.get()),
            histograms: [
                sum(|d| d.slat.histogram.snapshot().count()),
                sum(|d| d.clat.histogram.snapshot().count()),
                sum(|d| d.lat.histogram.snapshot().count()),
            ],
            all: format!("{:?} {:?} {} {}", a.shared, a.baseline, worker.since_epoch(), worker.live),
        }
    }

    /// The copy of the loop for one operation in flight has the same counters as the general copy.
    #[test]
    fn single_copy_counts_what_the_general_copy_counts() {
        for options in [
            "--rw=randread --norandommap --number_ios=3000",
            "--rw=randread --loops=3",
            "--rw=write --loops=2 --disable_clat=1",
            "--rw=randrw --number_ios=2000 --slat_percentiles=1",
            "--rw=randrw --bsrange=4k-16k --loops=4 --lat_percentiles=1",
            "--rw=randread --time_based --runtime=200ms --ramp_time=50ms",
            "--rw=randread --norandommap --number_ios=3000 --max_latency=500us",
        ] {
            let (general, single) =
                (counters(&mut NoExtras, options), counters(&mut NoExtrasSingle, options));
            assert!(general.ios > 20, "{options}: {} I/Os", general.ios);
            assert!(general.all == single.all, "{options}");
        }
    }

    #[test]
    fn histograms_hold_the_latencies_that_are_measured() {
        for (options, expected) in [
            ("", [0, 1, 0]),
            ("--lat_percentiles=1", [0, 1, 1]),
            ("--slat_percentiles=1", [1, 1, 0]),
            ("--slat_percentiles=1 --lat_percentiles=1", [1, 1, 1]),
            ("--lat_percentiles=1 --max_latency=1s", [0, 1, 1]),
            ("--disable_clat=1", [0, 0, 0]),
            ("--lat_percentiles=1 --disable_lat=1", [0, 1, 0]),
        ] {
            let counted = counters(&mut NoExtrasSingle, &format!("--rw=randread {options}"));
            assert_eq!(
                (counted.ios, counted.histograms),
                (256, expected.map(|kept| 256 * kept)),
                "{options}"
            );
        }
    }
}
