//! Engines that do no I/O.

use serde::{Deserialize, Serialize};

/// `ioengine=cpuio`: the time of a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuSpec {
    /// Percent of the time that it is busy, at most 100; 0 = nobody said, and the job fails.
    pub load: u32,
    /// Microseconds that it is busy at a time.
    pub cycle_us: u64,
    /// It sorts rather than spins.
    pub sort: bool,
    /// It ends when the jobs that do I/O have ended.
    pub exit_on_io_done: bool,
}

impl CpuSpec {
    /// Microseconds of rest after each cycle.
    pub fn rest_us(&self) -> u64 {
        let load = u128::from(self.load.clamp(1, 100));
        u64::try_from(u128::from(self.cycle_us) * (100 - load) / load).unwrap_or(u64::MAX)
    }
}

/// `ioengine=exec`: a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecSpec {
    /// The program; without one the job fails.
    pub program: Option<String>,
    /// Its arguments, with `%r` and `%n`.
    pub arguments: Option<String>,
    /// Seconds between SIGTERM and SIGKILL.
    pub grace_s: u64,
    /// Its output goes to files.
    pub redirect: bool,
}

impl ExecSpec {
    /// The arguments with the seconds of the runtime for `%r` and the name of the job for `%n`.
    pub fn expanded(&self, runtime_s: u64, name: &str) -> Option<String> {
        self.arguments.as_ref().map(|text| text.replace("%r", &runtime_s.to_string()).replace("%n", name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// fio 3.33: at 30 percent the cycles of 50 ms begin 166.7 ms apart.
    #[test]
    fn the_rest_makes_the_load() {
        let rest = |load, cycle_us| CpuSpec { load, cycle_us, sort: false, exit_on_io_done: false }.rest_us();
        assert_eq!(rest(30, 50_000), 116_666);
        assert_eq!((rest(50, 10_000), rest(100, 50_000), rest(50, 0)), (10_000, 0, 0));
        assert_eq!(rest(1, u64::MAX), u64::MAX);
    }

    #[test]
    fn arguments_know_the_job() {
        let exec = |arguments: &str| ExecSpec {
            program: None,
            arguments: Some(arguments.into()),
            grace_s: 1,
            redirect: true,
        };
        assert_eq!(exec("a %r%r %n-%n %x %%").expanded(1, "e").as_deref(), Some("a 11 e-e %x %%"));
    }
}
