//! Jobs with `zonemode=zbd`: places of their operations, and commands to zones of zoned devices (reset, finish).

use super::Extra;
use crate::assignment::Assignment;
use crate::job_error::failed;
use crate::pattern::Pattern;
use crate::slots::InFlightOp;
use crate::worker::{Due, Filled, Worker};
use engine::{Clock, Engine, Kind, Op, RingDead, Ticks};
use job::job::{EngineChoice, NvmeWrite};

/// Fills operations at the places that their zones give them, sends the commands that precede them, and records
/// completions.
pub(crate) struct ZoneCommands {
    /// Whether the device chooses the offsets of writes (Zone Append).
    appends: bool,
}

/// Nanoseconds until a job with nothing in flight looks again whether the I/Os of other jobs have completed.
const RETRY: u64 = 20_000;

impl ZoneCommands {
    /// Returns `Some` if the job has `zonemode=zbd`.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let appends =
            matches!(&a.job().engine, EngineChoice::UringCmd(spec) if spec.writes.has(NvmeWrite::Append));
        let zoned = matches!(&w.pattern, Pattern::General(general) if general.is_zoned());
        zoned.then_some(Self { appends })
    }
}

/// Returns the time at which the pattern is asked again, if it waits for I/Os of other jobs.
pub(crate) fn retry<E: Engine>(w: &Worker<'_, E>) -> Option<Due> {
    let zoned = matches!(&w.pattern, Pattern::General(general) if general.is_zoned());
    let waits = zoned && w.slots.in_flight() == 0 && w.pattern.blocked();
    waits.then(|| Due { at: w.clock.now().saturating_add(w.clock.ticks(RETRY).max(1)), lead: 0 })
}

impl<E: Engine> Extra<E> for ZoneCommands {
    fn grant(&mut self, w: &mut Worker<'_, E>, want: usize) -> Option<Filled> {
        let Pattern::General(general) = &mut w.pattern else { return None };
        let ops = general.fill_in_zones(w.slots.next(want));
        let due = if ops == 0 { retry(w) } else { None };
        Some(Filled { ops, due, blocked: ops == 0 && w.pattern.blocked() })
    }

    fn before_issue(&mut self, w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        let Pattern::General(general) = &mut w.pattern else { return Ok(n) };
        let Some(zoned) = general.zoned_mut() else { return Ok(n) };
        let commands: Vec<_> = zoned.take_commands().collect();
        for command in commands {
            w.engine.manage_zone(command.file, command.start, command.finish);
            if !command.finish {
                w.shared.zone_resets.add(1);
            }
            let managed = match &zoned.files[command.file as usize].control {
                Some(control) => control.manage(command.start, command.finish),
                None => Ok(()),
            };
            zoned.executed(&command);
            let call = if command.finish { "zbd_finish_zone" } else { "zbd_reset_zone" };
            if let Err(error) = managed {
                w.live = false;
                w.failures.open_error.get_or_insert(failed(call, &error).into());
                return Ok(0);
            }
        }
        Ok(n)
    }

    /// Returns whether the completed operations may have been written elsewhere than they were drawn.
    #[inline]
    fn keeps_apart(&self, _: &Worker<'_, E>, _: u16, _: u16) -> bool {
        self.appends
    }

    /// Stores the offset that the device has chosen, for the logs.
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, _: Ticks, _: u64) {
        if self.appends
            && first.op.kind == Kind::Write
            && let Some(offset) = w.engine.appended_at(first.op.slot)
        {
            w.slots.op_in(first.op.slot).op.offset = offset;
        }
    }

    fn after_failure(&mut self, w: &mut Worker<'_, E>, op: &Op) {
        if let Pattern::General(general) = &mut w.pattern
            && let Some(zoned) = general.zoned_mut()
        {
            zoned.failed(op);
        }
    }

    fn after_reap(&mut self, w: &mut Worker<'_, E>, before: usize) {
        let Pattern::General(general) = &mut w.pattern else { return };
        let Some(zoned) = general.zoned_mut() else { return };
        w.slots.completed_since(before).for_each(|op| zoned.completed(op));
        while let Some((number, at, start)) = zoned.take_lost() {
            let file = &zoned.files[number as usize];
            let asked = match (w.engine.write_pointer(number, start), &file.control) {
                (Some(at), _) => Ok(at),
                (None, Some(control)) => control.write_pointer(start),
                (None, None) => continue,
            };
            match asked {
                Ok(write_pointer) => zoned.recover(number, at, write_pointer),
                Err(error) => {
                    w.live = false;
                    w.failures.open_error.get_or_insert(failed("zbd_report_zones", &error).into());
                }
            }
        }
    }
}
