//! Jobs with `zonemode=zbd`: places of their operations, and commands to zones of zoned devices (reset, finish).

use super::Extra;
use crate::assignment::Assignment;
use crate::job_error::failed;
use crate::pattern::Pattern;
use crate::worker::{Due, Filled, Worker};
use engine::{Clock, Engine, RingDead};

/// Fills operations at the places that their zones give them, sends the commands that precede them, and records
/// completions.
pub(crate) struct ZoneCommands;

/// Nanoseconds until a job with nothing in flight looks again whether the I/Os of other jobs have completed.
const RETRY: u64 = 20_000;

impl ZoneCommands {
    /// Returns `Some` if the job has `zonemode=zbd`.
    pub(crate) fn of<E: Engine>(_: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        matches!(&w.pattern, Pattern::General(general) if general.is_zoned()).then_some(Self)
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
            let file = &zoned.files[command.file as usize];
            let Some(control) = &file.control else { continue };
            let call = if command.finish { "zbd_finish_zone" } else { "zbd_reset_zone" };
            if let Err(error) = control.manage(command.start, command.finish) {
                w.live = false;
                w.failures.open_error.get_or_insert(failed(call, &error).into());
                return Ok(0);
            }
        }
        Ok(n)
    }

    fn after_reap(&mut self, w: &mut Worker<'_, E>, before: usize) {
        let Pattern::General(general) = &mut w.pattern else { return };
        let Some(zoned) = general.zoned_mut() else { return };
        w.slots.completed_since(before).for_each(|op| zoned.completed(op));
    }
}
