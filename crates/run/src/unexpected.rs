//! Completions with an error or a short transfer, and I/Os above `max_latency`: they are continued or counted, or end
//! the job.

use crate::fault::{self, FAULTS_KEPT, Fault};
use crate::job_error::of_errno;
use crate::logs::records::IoRecord;
use crate::watch::Notice;
use crate::worker::Worker;
use engine::{Completion, Engine, Kind, Op, RingDead, Ticks};

const EINTR: i32 = 4;
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const EILSEQ: i32 = 84;
const ETIMEDOUT: i32 = 110;
const EDQUOT: i32 = 122;

impl<E: Engine> Worker<'_, E> {
    /// Ends the job after an I/O above `max_latency`. As in fio, I/Os in flight are awaited and counted, and the
    /// limit does not apply during the ramp.
    #[cold]
    #[inline(never)]
    pub(crate) fn too_slow(&mut self, op: Op, lat: u64) {
        if self.schedule.ramp_end != Ticks::MAX {
            return;
        }
        self.live = false;
        self.failures.too_slow.get_or_insert((op, lat));
        self.failures.fatal.get_or_insert(Fault { op, errno: ETIMEDOUT, empty: false });
    }

    /// Handles a completion with an error or with fewer bytes than requested. Returns whether the operation has ended
    /// without success.
    ///
    /// # Errors
    /// The engine cannot submit any more.
    #[cold]
    #[inline(never)]
    pub(crate) fn unexpected(&mut self, slot: u16, res: i32, now: Ticks) -> Result<bool, RingDead> {
        let in_flight = *self.slots.get(slot);
        let op = in_flight.op;
        let direction = self.shared.directions.get(op.kind as usize);
        if res == engine::UNTIMED {
            self.slots.release(slot);
            match direction {
                Some(d) => {
                    d.ios.add(1);
                    d.bytes.add(op.len.into());
                    d.untimed.add(1);
                    if let Some(logs) =
                        self.logs.as_deref_mut().filter(|logs| logs.begun() && !logs.has_intervals())
                    {
                        let (offset, len, direction) = (op.offset, op.len, op.kind as u8);
                        let io = IoRecord {
                            now,
                            start: now,
                            issued: now,
                            offset,
                            len,
                            direction,
                            priority: 0,
                            untimed: true,
                        };
                        logs.push(io, &[Completion { slot, res }], |_| (offset, 0));
                    }
                }
                None => self.shared.syncs.add(1),
            }
            return Ok(true);
        }
        if res == engine::END_OF_DATA {
            // The peer has sent less than the job reads: as in fio, the job ends without an error.
            self.slots.release(slot);
            self.live = false;
            if let Some(d) = direction {
                d.bytes.add(op.done.into());
                if op.done == 0 {
                    // A read that got nothing is not one of the job's.
                    d.issued.set(d.issued.get().saturating_sub(1));
                }
            }
            return Ok(true);
        }
        if res > 0 && self.live {
            // A short transfer is continued in the same slot, and its latency continues to count.
            if let Some(d) = direction {
                d.short.add(1);
            }
            self.slots.op_in(slot).op.done += res as u32;
            let rest = self.slots.get(slot).op;
            self.engine.queue(&[rest]);
            return self.engine.submit().map(|()| false);
        }
        if res == -EINTR && self.live {
            // A signal to the process interrupted the call before any byte was transferred.
            self.engine.queue(&[op]);
            return self.engine.submit().map(|()| false);
        }
        self.slots.release(slot);
        if res == -EINTR {
            return Ok(true);
        }
        if res > 0 {
            // The job is ending: the bytes that were transferred count as those of a short I/O.
            if let Some(d) = direction {
                d.short.add(1);
                d.bytes.add((op.done + res as u32).into());
            }
            return Ok(true);
        }
        if matches!(op.kind, Kind::Fsync | Kind::Fdatasync | Kind::SyncRange) && res == 0 {
            self.record(&in_flight, now, 1);
            return Ok(false);
        }
        let errno = if res == 0 { EIO } else { -res };
        let fault = Fault { op, errno, empty: res == 0 };
        if self.failures.ends_when_full && op.kind == Kind::Write && matches!(errno, ENOSPC | EDQUOT) {
            self.live = false;
            if self.failures.first.len() < FAULTS_KEPT {
                self.failures.first.push(fault);
            }
            return Ok(true);
        }
        if let Some(d) = direction {
            d.errors.add(1);
        }
        let read = op.kind == Kind::Read;
        // As in fio, only errors of the kinds that the job tolerates are counted.
        if !self.failures.tolerance.any() || self.failures.tolerance.of(read, errno).is_some() {
            self.shared.errors.add(1);
            if self.shared.first_error.get() == 0 {
                self.shared.first_error.set(errno as u64);
            }
        }
        // As in fio, a failed trim ends the job in spite of `continue_on_error`, and is counted all the same.
        let passes = op.kind != Kind::Trim && self.failures.tolerance.passes(read, errno);
        if let Some(a) = self.failures.dump.filter(|_| passes && !fault.empty) {
            let line = fault::fault_line(a.clone, &fault);
            a.phase.notify(Notice::Line(line));
        }
        if self.failures.first.len() < FAULTS_KEPT || !passes && self.failures.fatal.is_none() {
            let status = self.engine.scsi_status(slot);
            self.failures.scsi.extend(status.map(|status| (self.failures.first.len(), status)));
            self.failures.first.push(fault);
        }
        if !passes {
            self.live = false;
            self.failures.fatal.get_or_insert(fault);
        }
        Ok(true)
    }

    /// Counts a block that does not contain what it should; `fatal` ends the job in spite of `continue_on_error`.
    #[cold]
    #[inline(never)]
    pub(crate) fn mismatched(&mut self, fatal: bool) {
        let tolerance = &self.failures.tolerance;
        if !tolerance.any() || tolerance.of(true, EILSEQ).is_some() {
            self.shared.errors.add(1);
            if self.shared.first_error.get() == 0 {
                self.shared.first_error.set(EILSEQ as u64);
            }
        }
        if tolerance.passes(true, EILSEQ) && !fatal {
            self.failures.tolerated_mismatch = true;
        } else {
            self.live = false;
            let function = if E::SYNC { "io_u_sync_complete" } else { "io_u_queued_complete" };
            self.failures.mismatch.get_or_insert_with(|| of_errno(EILSEQ, function));
        }
    }
}
