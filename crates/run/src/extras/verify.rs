//! Verification of written data (`verify`): writes get headers and checksums, and their blocks are read back and checked
//! after the pass, or while the job still writes (`verify_backlog`).

mod judge;

use super::Extra;
use super::late_file::LateFile;
use crate::assignment::Assignment;
use crate::failures::Verified;
use crate::line::Line;
use crate::output::OutputError;
use crate::pattern::Pattern;
use crate::slots::InFlightOp;
use crate::verify::check::Checker;
use crate::verify::contents::Contents;
use crate::verify::pool::CheckerPool;
use crate::verify::read_back::{Rounds, WrittenFile, WrittenFiles};
use crate::verify::records::is_recorded;
use crate::verify::saved::{self, SavedStates};
use crate::verify::state::State;
use crate::verify::trims::Trims;
use crate::watch::Notice;
use crate::worker::{Filled, Step, Worker};
use crate::zoned::Zoned;
use engine::{Clock, Engine, Kind, Op, RingDead, Ticks};
use job::job::Mix;
use job::plan::PlannedJob;
use job::verify::VerifySpec;
use stats::verification::Verification;
use std::path::Path;
use std::sync::Arc;

/// Number of bytes that are stamped per submit call, so that the device is not idle meanwhile.
const CHUNK: u64 = 256 * 1024;

/// Part of the job that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The pattern of the job.
    Pattern,
    /// Blocks that are still marked are trimmed.
    Trimming,
    /// Written blocks are read back.
    ReadBack,
}

/// State of a slot.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Number of the write in flight among those to its file, and among those of the job; the latter `u64::MAX` if none
    /// is in flight.
    write: u32,
    number: u64,
    /// Whether the block of the slot holds the base data.
    filled: bool,
    /// Whether the read in flight is checked.
    checked: bool,
    /// Number of the last write to the file when the read began.
    last: u32,
    /// Whether a write to the same blocks was in flight when the read began.
    changing: bool,
    /// Number of the read in flight among the checked ones.
    issue: u64,
    /// Whether the write in flight is trimmed later, or the trim in flight is one of those.
    trimmed: bool,
}

impl Slot {
    const FREE: Slot = Slot {
        write: 0,
        number: u64::MAX,
        filled: false,
        checked: false,
        last: 0,
        changing: false,
        issue: 0,
        trimmed: false,
    };
}

/// Verification of the data of one worker.
pub(crate) struct Verifier<'a> {
    a: Assignment<'a>,
    spec: &'a VerifySpec,
    checker: Arc<Checker>,
    /// Threads that check blocks; `None` if the worker checks them itself.
    pool: Option<CheckerPool>,
    /// Number of checked reads that were issued.
    issued: u64,
    /// Number of reads that were issued when a mismatch ended the job: later ones are not judged.
    cut: Option<u64>,
    phase: Phase,
    files: WrittenFiles,
    /// Numbers of the files in seeds.
    keys: Arc<[u32]>,
    slots: Box<[Slot]>,
    rounds: Option<Rounds>,
    trims: Option<Trims>,
    states: SavedStates,
    /// Number of reads of the pattern so far.
    reads: u64,
    /// Whether the reads of the pattern are checked.
    checks_reads: bool,
    /// Whether writes are recorded and read back.
    records: bool,
    /// Largest read in bytes.
    largest: u64,
    /// File that is open for reading back, in a job that opens its files late.
    late: Option<LateFile<'a>>,
    /// Whether the operations that were filled last are checks.
    granted: bool,
    /// Whether the runtime ended before written blocks were read back.
    not_read_back: bool,
    /// Start of the phase, and the nanoseconds that each phase took.
    began: Ticks,
    spent: [u64; 3],
    result: Verification,
}

impl<'a> Verifier<'a> {
    /// Returns `Some` if the job verifies data.
    pub(crate) fn of<E: Engine>(a: &Assignment<'a>, w: &mut Worker<'a, E>) -> Option<Self> {
        let job = a.job();
        let spec = job.verify.as_ref()?;
        let largest = a.largest_block();
        let index = a.plan.clones.iter().position(|clone| clone.is_same(a.clone)).unwrap_or(0);
        let loaded = match spec.load_state.then(|| saved::load(&job.name, index)) {
            Some(Err(error)) => {
                w.failures.open_error = Some(error.into());
                w.live = false;
                None
            }
            Some(Ok(state)) => Some(state),
            None => None,
        };
        let run = if spec.only { loaded.as_ref().and_then(|state| state.run) } else { Some(a.records.run()) };
        let sizes = (largest as usize, spec.interval as usize);
        let contents = Contents::new(&job.payload, spec.pattern.clone(), sizes, run);
        let records = is_recorded(job);
        let file = |index: usize| {
            let record = a.records.of(a.plan, a.clone, index);
            // The writes of an earlier run are numbered from its beginning, whatever this run writes.
            WrittenFile::new(
                if spec.only { record.fresh() } else { record },
                spec.interval as usize,
                (records, spec.trims.is_some()),
            )
        };
        let files: Vec<WrittenFile> = (0..a.clone.files.len()).map(file).collect();
        let limit = (CHUNK / largest.max(1)).max(1) as usize;
        w.submit_limit = w.submit_limit.min(limit);
        let opens_late = w.opens_late();
        let rounds = spec.backlog.filter(|_| records && !opens_late).map(Rounds::new);
        let trims = spec.trims.filter(|_| records).map(|trims| Trims::new(trims, a.clone.seed));
        if rounds.is_some() || trims.is_some() {
            w.count_only(None);
        }
        let knows_writes = loaded.is_some() && !shares_files(a);
        let checker = Arc::new(Checker::new(spec, contents, knows_writes, job.engine.maps_files()));
        let keys: Arc<[u32]> = files.iter().map(|file| file.record.key).collect();
        let threads = if spec.checks { spec.threads as usize } else { 0 };
        let pool = (threads > 0).then(|| CheckerPool::start(threads, &spec.thread_cpus, &checker, &keys));
        let pool = pool.transpose().unwrap_or_else(|error| {
            w.failures.open_error.get_or_insert(error.into());
            w.live = false;
            None
        });
        Some(Self {
            a: *a,
            spec,
            checker,
            pool,
            issued: 0,
            cut: None,
            phase: Phase::Pattern,
            keys,
            files: WrittenFiles::new(files),
            slots: vec![Slot::FREE; w.done.len()].into(),
            rounds,
            trims,
            states: SavedStates::new(
                spec,
                State::new(&job.name, index, job.queue.effective, a.clone.files.len(), run),
                loaded,
                a.writes(),
            ),
            reads: 0,
            checks_reads: job.pattern.mix == Mix::Read,
            records,
            largest,
            late: opens_late.then(|| LateFile::new(*a)),
            granted: false,
            not_read_back: false,
            began: 0,
            spent: [0; 3],
            result: Verification::default(),
        })
    }

    /// Makes the block of a write.
    #[inline]
    fn stamp<E: Engine>(&mut self, w: &mut Worker<'_, E>, op: &Op, write: u32) {
        let slot = &mut self.slots[usize::from(op.slot)];
        if !slot.filled {
            // Blocks of other sizes have the same beginning.
            self.checker.contents().fill(w.arena.bytes(op.slot, self.largest as usize));
            slot.filled = true;
        }
        slot.write = write;
        let key = self.keys[op.file as usize];
        self.checker.stamp(op, w.arena.bytes(op.slot, op.len as usize), key, write);
    }

    /// Returns the number of a new write, which is recorded as in flight.
    fn record(&mut self, op: &Op) -> u32 {
        let (number, must_be_there) = self.states.begin_write(op);
        self.slots[usize::from(op.slot)].number = number;
        if let Some(trims) = &mut self.trims {
            self.slots[usize::from(op.slot)].trimmed = trims.draw();
            self.files.unmark(op);
        }
        // What the state does not cover may be there or not.
        let recorded = self.records && (must_be_there || !self.spec.only);
        self.files.list[op.file as usize].begin(op, recorded, must_be_there)
    }

    /// Fills reads of blocks that are pending, at most `want`; returns their number.
    fn fill_read_back<E: Engine>(&mut self, w: &mut Worker<'_, E>, want: usize) -> usize {
        let mut n = 0;
        while n < want {
            let Some(read) = self.files.next(self.largest) else { break };
            // The file of the reads that are filled already stays open until they have completed.
            if let Some(late) = &mut self.late
                && (n > 0 && late.holds_another(read.file) || !late.opens(w, read.file))
            {
                break;
            }
            self.files.take(&read);
            let op = &mut w.slots.next(want)[n];
            *op = Op { slot: op.slot, ..read };
            n += 1;
        }
        n
    }

    /// Closes the files that the pattern has left open, in a job that opens its files late: the same place in the
    /// engine's table is used to read them back.
    fn close_files_of_pattern<E: Engine>(&self, w: &mut Worker<'_, E>) {
        if self.late.is_some() {
            w.pattern.close_all_files();
        }
    }

    /// Fills the reads of a round of checks, if one is due.
    fn fill_round<E: Engine>(&mut self, w: &mut Worker<'_, E>, want: usize) -> Option<Filled> {
        let rounds = self.rounds.as_mut()?;
        let mut n = 0;
        while n < want {
            let Some(read) = rounds.next(&mut self.files) else { break };
            let op = &mut w.slots.next(want)[n];
            *op = Op { slot: op.slot, ..read };
            n += 1;
        }
        (n > 0).then_some(Filled { ops: n, due: None, blocked: false })
    }

    /// Records that a write has ended.
    fn end_write(&mut self, op: &Op, succeeded: bool) {
        self.slots[usize::from(op.slot)].number = u64::MAX;
        if succeeded {
            self.states.complete(op);
        }
        if !self.records {
            return;
        }
        let Slot { write, trimmed, .. } = self.slots[usize::from(op.slot)];
        self.files.list[op.file as usize].end(op, write, succeeded);
        if let Some(trims) = self.trims.as_mut().filter(|_| succeeded) {
            trims.count_write();
            if trimmed && self.spec.only {
                // The earlier run may have trimmed the blocks or not.
                self.files.list[op.file as usize].forget(op);
            } else if trimmed {
                self.files.mark(op);
            }
        }
        if let Some(rounds) = self.rounds.as_mut().filter(|_| succeeded) {
            rounds.add(op, write);
        }
    }

    /// Records that a trim begins. The blocks of the pattern's trims are not known afterwards, for no check of zeros was
    /// requested.
    fn begin_trim(&mut self, op: &Op) {
        let zeros = self.trims.as_ref().is_some_and(|trims| self.granted && trims.zeros());
        let trim = self.files.list[op.file as usize].begin_trim(op, zeros);
        let slot = &mut self.slots[usize::from(op.slot)];
        (slot.write, slot.trimmed) = (trim, zeros);
    }

    /// Records that a trim has ended.
    fn end_trim(&mut self, op: &Op, succeeded: bool) {
        let Slot { write, trimmed, .. } = self.slots[usize::from(op.slot)];
        self.files.list[op.file as usize].end(op, write, succeeded && trimmed);
    }

    /// Records the resets of zones that precede the operations that were filled: what the zones held is no longer
    /// there to be read back.
    #[cold]
    fn forget_zones(&mut self, zoned: &Zoned) {
        const MOST: u64 = 1 << 30;
        for (file, start, size) in zoned.resets() {
            for offset in (start..start + size).step_by(MOST as usize) {
                let len = MOST.min(start + size - offset) as u32;
                self.files.list[file as usize].end_content(&Op { offset, len, file, ..Op::NONE });
            }
        }
    }

    /// Fills a trim, if one is due.
    fn fill_trim<E: Engine>(&mut self, w: &mut Worker<'_, E>, want: usize) -> Option<Filled> {
        if self.late.is_some() && (self.phase == Phase::Pattern || !self.opens_marked(w)) {
            return None;
        }
        let trim = self.trims.as_mut()?.next(&mut self.files, self.largest)?;
        let op = &mut w.slots.next(want)[0];
        *op = Op { slot: op.slot, ..trim };
        Some(Filled { ops: 1, due: None, blocked: false })
    }

    /// Opens the file of the next trim, in a job that opens its files late; returns whether it is open.
    fn opens_marked<E: Engine>(&mut self, w: &mut Worker<'_, E>) -> bool {
        let file = self.files.next_trim(self.largest).map(|trim| trim.file);
        self.late.as_mut().zip(file).is_some_and(|(late, file)| late.opens(w, file))
    }

    /// Begins to trim the blocks that are still marked.
    fn begin_trimming<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        self.end_phase(w);
        self.close_files_of_pattern(w);
        self.phase = Phase::Trimming;
        if let Some(trims) = &mut self.trims {
            trims.drain();
        }
        w.pass_open = true;
    }

    /// Draws all writes of the pass without doing them (`verify_only`), so that the data of an earlier run of the job is
    /// read back. The writes are counted, as fio counts them.
    fn draw_all<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        loop {
            let n = w.pattern.fill(w.slots.next(1));
            if n == 0 {
                break;
            }
            let op = w.slots.next(1)[0];
            if op.kind != Kind::Write {
                continue;
            }
            let write = self.record(&op);
            self.slots[usize::from(op.slot)].write = write;
            self.end_write(&op, true);
            let counters = &w.shared.directions[Kind::Write as usize];
            counters.issued.add(1);
            counters.ios.add(1);
            counters.untimed.add(1);
            counters.bytes.add(op.len.into());
        }
        w.pass_open = false;
    }

    /// Counts a read of the pattern, and returns whether the loaded state does not cover it.
    fn is_beyond_state(&mut self, op: &Op) -> bool {
        let number = self.reads;
        self.reads += 1;
        !self.states.covers(number, op)
    }

    /// Reports a state that could not be saved.
    fn saved(&self, result: Result<(), OutputError>) {
        if let Err(error) = result {
            self.a.phase.notify(Notice::Line(Line::StateNotSaved(error)));
        }
    }

    /// Ends the phase now, and adds its time.
    fn end_phase<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        let now = w.clock.now();
        self.spent[self.phase as usize] += w.clock.nanos(now.wrapping_sub(self.began));
        self.began = now;
    }

    /// Begins to read back what was written.
    fn begin_read_back<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        if let Some(rounds) = &mut self.rounds {
            rounds.clear();
        }
        self.files.rewind();
        self.end_phase(w);
        self.close_files_of_pattern(w);
        self.phase = Phase::ReadBack;
        self.a.state(stats::WorkerState::Verifying);
        w.reads_back = true;
        if w.pattern_only.is_some() {
            w.count_only(Some(&w.shared.directions[Kind::Read as usize]));
        }
        w.pass_open = true;
    }
}

/// Returns whether several clones of the job have a file in common, so that the order of their writes is not known.
fn shares_files(a: &Assignment<'_>) -> bool {
    let others = a.plan.clones.iter().filter(|other| other.job == a.clone.job && !other.is_same(a.clone));
    let has = |path: &Path, other: &PlannedJob| other.files.iter().any(|file| file.path == path);
    others.into_iter().any(|other| a.clone.files.iter().any(|file| has(&file.path, other)))
}

impl<E: Engine> Extra<E> for Verifier<'_> {
    fn begin(&mut self, w: &mut Worker<'_, E>) {
        self.began = w.last;
        if self.spec.only && self.records {
            self.draw_all(w);
        }
    }

    #[inline(never)]
    fn grant(&mut self, w: &mut Worker<'_, E>, want: usize) -> Option<Filled> {
        let in_flight = w.slots.in_flight();
        let filled = match self.phase {
            Phase::ReadBack => {
                let ops = self.fill_read_back(w, want);
                Some(Filled { ops, due: None, blocked: ops == 0 && self.late.is_some() && in_flight > 0 })
            }
            Phase::Trimming => {
                let none = Filled { ops: 0, due: None, blocked: self.late.is_some() && in_flight > 0 };
                Some(self.fill_trim(w, want).unwrap_or(none))
            }
            Phase::Pattern => {
                let trim = self.trims.is_some().then(|| self.fill_trim(w, want)).flatten();
                trim.or_else(|| self.fill_round(w, want))
            }
        };
        self.granted = filled.is_some();
        if filled.is_none()
            && in_flight > 0
            && self.rounds.as_ref().is_some_and(|rounds| rounds.is_near(in_flight))
        {
            return Some(Filled { ops: 0, due: None, blocked: true });
        }
        filled
    }

    #[inline(never)]
    fn before_issue(&mut self, w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        if self.records
            && let Pattern::General(general) = &w.pattern
            && let Some(zoned) = general.zoned()
        {
            self.forget_zones(zoned);
        }
        for index in 0..n {
            let op = w.slots.next(n)[index];
            match op.kind {
                // All writes were drawn; a file that is open for reading only would refuse this one, too.
                Kind::Write if self.spec.only => {
                    w.live = false;
                    return Ok(index);
                }
                Kind::Write => {
                    let write = self.record(&op);
                    self.stamp(w, &op, write);
                }
                Kind::Read if self.checks_reads && self.is_beyond_state(&op) => {
                    w.pass_open = false;
                    return Ok(index);
                }
                Kind::Read => {
                    let slot = &mut self.slots[usize::from(op.slot)];
                    slot.filled = false;
                    slot.checked = self.spec.checks && (self.granted || self.checks_reads);
                    if slot.checked {
                        self.issued += 1;
                        slot.issue = self.issued;
                    }
                    if slot.checked && self.records {
                        let written = self.files.list[op.file as usize].written();
                        slot.last = written.last();
                        slot.changing = written.is_changing(written.range(op.offset, op.len.into()));
                    }
                }
                Kind::Trim if self.records => self.begin_trim(&op),
                Kind::Fsync | Kind::Fdatasync => {
                    let slots = &self.slots;
                    let first = || slots.iter().map(|slot| slot.number).min().unwrap_or(u64::MAX);
                    self.states.begin_sync(first);
                }
                Kind::Trim | Kind::SyncRange => {}
            }
        }
        Ok(n)
    }

    /// Returns true, because each block is checked.
    #[inline(always)]
    fn keeps_apart(&self, _: &Worker<'_, E>, _: u16, _: u16) -> bool {
        true
    }

    #[inline(never)]
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, _: Ticks, _: u64) {
        let op = &first.op;
        match op.kind {
            Kind::Write => self.end_write(op, true),
            Kind::Trim if self.records => self.end_trim(op, true),
            Kind::Read if self.slots[usize::from(op.slot)].checked => match self.pool {
                Some(_) => self.hand_over(w, op),
                None => self.check(w, op),
            },
            Kind::Fsync | Kind::Fdatasync => {
                let saved = self.states.end_sync();
                self.saved(saved);
            }
            _ => {}
        }
    }

    fn after_failure(&mut self, _: &mut Worker<'_, E>, op: &Op) {
        match op.kind {
            Kind::Write => self.end_write(op, false),
            Kind::Trim if self.records => self.end_trim(op, false),
            _ => {}
        }
    }

    #[inline(never)]
    fn after_reap(&mut self, w: &mut Worker<'_, E>, _: usize) {
        if let Some(pool) = &mut self.pool {
            pool.feed();
            self.judge(w, false);
        }
    }

    fn begin_pass(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        if self.spec.only && self.records {
            self.draw_all(w);
        }
        Ok(())
    }

    fn after_pass(&mut self, w: &mut Worker<'_, E>, step: Step) -> Step {
        self.judge_all(w);
        let step = if w.live { step } else { Step::Done };
        if self.phase == Phase::Pattern
            && step == Step::PassOver
            && !self.spec.only
            && self.trims.is_some()
            && self.files.next_trim(self.largest).is_some()
        {
            self.begin_trimming(w);
            return Step::Ran;
        }
        if self.phase == Phase::Trimming {
            self.end_phase(w);
            if let Some(late) = &mut self.late {
                late.close(w);
            }
            self.phase = Phase::Pattern;
        }
        let pending = self.phase == Phase::Pattern && self.records && {
            self.files.rewind();
            self.files.next(self.largest).is_some()
        };
        match (self.phase, step) {
            // As in fio, a job that repeats its region until its runtime ends reads nothing back.
            (Phase::Pattern, Step::PassOver) if pending && !self.a.job().limits.time_based => {
                self.begin_read_back(w);
                return Step::Ran;
            }
            (Phase::Pattern, Step::Done) => {
                // As in fio, a job whose runtime has ended reads nothing back.
                let by_time =
                    w.failures.fatal.is_none() && w.failures.mismatch.is_none() && !w.control.stopped();
                self.not_read_back |= pending && by_time && self.spec.read_back;
            }
            (Phase::ReadBack, Step::PassOver | Step::Done) => {
                self.end_phase(w);
                self.phase = Phase::Pattern;
                w.reads_back = false;
                if w.pattern_only.is_some() {
                    w.count_only(Some(&w.shared.directions[Kind::Write as usize]));
                }
                if let Some(late) = &mut self.late {
                    late.close(w);
                }
                self.a.state(stats::WorkerState::Running);
            }
            _ => {}
        }
        step
    }

    fn end(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        self.judge_all(w);
        self.end_phase(w);
        self.saved(self.states.save());
        let reads = if self.a.job().pattern.mix.has(stats::Direction::Read) { self.spent[0] } else { 0 };
        let read_back = self.spent[Phase::ReadBack as usize];
        w.failures.verified = Some(Box::new(Verified {
            result: std::mem::take(&mut self.result),
            nanos: [reads + read_back, self.spent[0], self.spent[0] + self.spent[Phase::Trimming as usize]],
            not_read_back: self.not_read_back,
        }));
        Ok(())
    }
}
