//! CPUs that do not sleep: a virtual CPU without work takes tens of microseconds to wake up, at the server and at the client
//! of each request, which neither of them counts.

use crate::child::Running;
use std::io;
use std::process::Command;

/// Keeps all CPUs awake until drop, by processes that give way to every other one (SCHED_IDLE).
#[derive(Debug)]
pub struct AwakeCpus(#[allow(dead_code, reason = "ended on drop")] Vec<Running>);

impl AwakeCpus {
    /// Starts a process for each CPU. Each ends by itself after two minutes of CPU time.
    ///
    /// # Errors
    /// `chrt` or `sh` is missing.
    pub fn new() -> io::Result<AwakeCpus> {
        let processes = (0..std::thread::available_parallelism()?.get()).map(|_| {
            let mut command = Command::new("chrt");
            Running::start(command.args(["--idle", "0", "sh", "-c", "ulimit -t 120; while :; do :; done"]))
        });
        processes.collect::<io::Result<_>>().map(AwakeCpus)
    }
}
