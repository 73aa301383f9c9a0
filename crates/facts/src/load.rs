//! Time for which the host's CPUs could not run tasks: taken by the hypervisor or a CPU quota, or spent in stalls
//! (PSI).

use crate::{SysRoot, cgroup, machine};
use stats::HostLoad;
use std::time::Instant;

/// Counters of stolen, throttled and stalled time at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    /// Clock ticks of all CPUs since boot: stolen, and in total.
    ticks: (u64, u64),
    throttled: (u64, u64),
    cpu_pressure_us: Option<u64>,
    io_pressure_us: Option<u64>,
    /// Time of the reading; `None` for the default value.
    at: Option<Instant>,
}

impl Load {
    /// Reads the current counters.
    pub fn read(root: &SysRoot) -> Load {
        let pressure = |what: &str| {
            let text = root.read(format!("/proc/pressure/{what}")).ok()?;
            text.lines().find_map(|l| l.strip_prefix("some ")?.split_once("total=")?.1.trim().parse().ok())
        };
        Load {
            ticks: machine::steal(root).unwrap_or_default(),
            throttled: cgroup::throttled(root),
            cpu_pressure_us: pressure("cpu"),
            io_pressure_us: pressure("io"),
            at: Some(Instant::now()),
        }
    }

    /// Returns the changes since `before`. `stopped_ms` is 0 and `longest_cpu_wait_us` `None`; the caller adds them.
    pub fn since(&self, before: &Load, root: &SysRoot) -> HostLoad {
        let ticks = self.ticks.1.saturating_sub(before.ticks.1);
        let stolen = self.ticks.0.saturating_sub(before.ticks.0);
        let ms = |now: Option<u64>, then: Option<u64>| Some(now?.saturating_sub(then?) / 1000);
        HostLoad {
            memory: crate::memory::total_bytes(root).unwrap_or(0),
            steal_percent: if ticks == 0 { 0.0 } else { 100.0 * stolen as f64 / ticks as f64 },
            throttled: self.throttled.0.saturating_sub(before.throttled.0),
            throttled_ms: self.throttled.1.saturating_sub(before.throttled.1) / 1000,
            // The caller adds this time, which is measured during the run.
            stopped_ms: 0,
            longest_cpu_wait_us: None,
            cpu_pressure_ms: ms(self.cpu_pressure_us, before.cpu_pressure_us),
            io_pressure_ms: ms(self.io_pressure_us, before.io_pressure_us),
            watched_ms: self.at.zip(before.at).map_or(0, |(now, then)| (now - then).as_millis() as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_was_stolen_and_throttled_is_the_difference_of_two_looks() {
        let sandbox = testbed::Sandbox::new().unwrap();
        let root = SysRoot::at(sandbox.path());
        let put = |path: &str, text: &str| sandbox.put(path, text).unwrap();
        put("proc/self/cgroup", "0::/a\n");
        put("proc/self/mountinfo", "30 1 0:26 / /cg rw - cgroup2 cgroup2 rw\n");
        put("proc/meminfo", "MemTotal:       1024 kB\nMemAvailable: 5 kB\n");
        let at = |steal: u64, throttled: u64, us: u64| {
            put("proc/stat", &format!("cpu  100 0 0 {} 0 0 0 {steal} 40 0\ncpu0 1 1\n", 1000 - steal));
            put(
                "cg/a/cpu.stat",
                &format!("usage_usec 5\nnr_periods 9\nnr_throttled {throttled}\nthrottled_usec {us}\n"),
            );
            put("proc/pressure/io", &format!("some avg10=0.00 total={us}\nfull avg10=0.00 total=1\n"));
        };
        at(10, 3, 1000);
        let before = Load::read(&root);
        at(10, 3, 1000);
        put("proc/stat", "cpu  200 0 0 1060 0 0 0 50 40 0\n");
        put("cg/a/cpu.stat", "nr_throttled 5\nthrottled_usec 43000\n");
        let load = Load::read(&root).since(&before, &root);
        assert!((load.steal_percent - 100.0 * 40.0 / 210.0).abs() < 1e-9, "{load:?}");
        assert_eq!((load.throttled, load.throttled_ms, load.memory), (2, 42, 1 << 20));
        assert_eq!((load.cpu_pressure_ms, load.io_pressure_ms), (None, Some(0)));
    }
}
