//! The thread of a clone on a real engine: layout, preparation, I/O, and the commands before and after it.

use crate::assignment::{Assignment, PhaseSync, wait};
use crate::engine_dispatch;
use crate::finish::Finish;
use crate::host;
use crate::prepare;
use crate::watch::Notice;
use crate::worker_setup::Prepared;
use stats::WorkerState;

/// Link of a worker that has already waited for the start.
struct Started<'a>(&'a dyn PhaseSync);

impl PhaseSync for Started<'_> {
    fn wait_for_start(&self) {}

    fn drained(&self) {
        self.0.drained();
    }

    fn notify(&self, notice: Notice) {
        self.0.notify(notice);
    }
}

/// Runs one clone on a real engine, on the calling thread, and returns its result.
pub fn work(a: Assignment<'_>) -> Finish {
    a.state(WorkerState::Preparing);
    let pid = rustix::thread::gettid().as_raw_nonzero().get() as u32;
    a.shared.thread.set(u64::from(pid));
    let mut finish = Finish { pid, ..Finish::default() };
    if !a.clone.lays_out_late {
        return prepared(a, finish);
    }
    // The other workers do I/O during the layout.
    a.phase.wait_for_start();
    let mut clone = a.clone.clone();
    let laid = wait(&a, a.clone.startdelay(a.job())) && prepare::lay_out_own(&a, &mut clone, &mut finish);
    if laid {
        return prepared(Assignment { clone: &clone, phase: &Started(a.phase), ..a }, finish);
    }
    a.state(WorkerState::Exited);
    finish
}

/// Runs a clone whose files are laid out.
fn prepared(a: Assignment<'_>, mut finish: Finish) -> Finish {
    let ready = match Prepared::new(&a, &mut finish) {
        Ok(ready) => ready,
        Err(error) => {
            a.phase.wait_for_start();
            a.state(WorkerState::Exited);
            return Finish { error: Some(error), ..finish };
        }
    };
    if let Some(command) = &a.job().host.prerun
        && !host::command(a.job(), command, "prerun", &mut finish)
    {
        // fio does not run such a job and reports no error.
        a.phase.wait_for_start();
        a.state(WorkerState::Exited);
        return finish;
    }
    engine_dispatch::run(&a, ready, &mut finish);
    if let Some(command) = &a.job().host.postrun {
        host::command(a.job(), command, "postrun", &mut finish);
    }
    a.state(WorkerState::Exited);
    finish
}
