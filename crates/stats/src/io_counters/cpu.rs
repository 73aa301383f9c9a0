//! Time of the CPUs by state.

use serde::{Deserialize, Serialize};

/// Counters of the line `cpu` of `/proc/stat`, in ticks: user, nice, system, idle, iowait, irq, softirq, steal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuCounters(pub [u64; 8]);

/// Shares of the time of all CPUs in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuShares {
    /// User mode, with the time of guests.
    pub user: f64,
    /// User mode with a raised nice value.
    pub nice: f64,
    /// Kernel, with interrupts.
    pub system: f64,
    /// Idle while an I/O was outstanding.
    pub iowait: f64,
    /// Time that the hypervisor gave to others.
    pub steal: f64,
    /// Idle.
    pub idle: f64,
}

impl CpuShares {
    /// Returns the shares of the time between two readings. A counter that fell has the share 0; all are 0 if the sum
    /// fell.
    pub fn between(before: &CpuCounters, now: &CpuCounters) -> Self {
        let sum = |c: &CpuCounters| c.0.iter().fold(0_u64, |sum, n| sum.saturating_add(*n));
        let Some(all) = sum(now).checked_sub(sum(before)) else { return Self::default() };
        let share = |before: u64, now: u64| now.saturating_sub(before) as f64 / all.max(1) as f64 * 100.0;
        let field = |n: usize| share(before.0[n], now.0[n]);
        let system = |c: &CpuCounters| [c.0[2], c.0[5], c.0[6]].into_iter().fold(0_u64, u64::saturating_add);
        Self {
            user: field(0),
            nice: field(1),
            system: share(system(before), system(now)),
            iowait: field(4),
            steal: field(7),
            idle: field(3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures that iostat 12.6.1 printed for these counters.
    #[test]
    fn shares_are_those_of_iostat() {
        let first = CpuCounters([1000, 20, 300, 40000, 500, 60, 70, 80]);
        let shown = |before: &CpuCounters, now: [u64; 8]| {
            let s = CpuShares::between(before, &CpuCounters(now));
            [s.user, s.nice, s.system, s.iowait, s.steal, s.idle].map(|v| format!("{v:.2}")).join(" ")
        };
        assert_eq!(shown(&CpuCounters::default(), first.0), "2.38 0.05 1.02 1.19 0.19 95.17");
        let next = |now| shown(&first, now);
        assert_eq!(next([1050, 22, 310, 40100, 530, 61, 72, 83]), "25.25 1.01 6.57 15.15 1.52 50.51");
        assert_eq!(next([1050, 22, 310, 40100, 430, 61, 72, 83]), "51.02 2.04 13.27 0.00 3.06 102.04");
        assert_eq!(next([900, 22, 310, 40100, 530, 61, 72, 83]), "0.00 4.17 27.08 62.50 6.25 208.33");
        assert_eq!(next([1050, 22, 310, 39000, 430, 61, 72, 83]), "0.00 0.00 0.00 0.00 0.00 0.00");
        assert_eq!(next(first.0), "0.00 0.00 0.00 0.00 0.00 0.00");
    }
}
