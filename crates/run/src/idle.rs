//! Idle time of the CPUs during a run (`--idle-prof`).
//!
//! The kernel counts the idle time of each CPU; the result is the difference over the run. fio instead runs a thread
//! of the lowest priority on each CPU and counts its work. This method keeps every CPU awake and busy, which changes
//! the results of the jobs, and depends on the noise of a calibration. Only the line `unit work`, which belongs to
//! fio's method, is measured as in fio: a unit of work, timed on each CPU.

use facts::SysRoot;
use rustix::thread::CpuSet;
use stats::{Idleness, Moments};
use std::hint::black_box;
use std::time::Instant;

/// Iterations of a unit of work, some tens of microseconds.
const TURNS: u64 = 1 << 14;
/// Number of units that are timed on each CPU.
const PIECES: u32 = 64;

/// Measurement of the idle time of a run.
#[derive(Debug)]
pub struct Idle {
    root: SysRoot,
    /// Idle time of each CPU at the start of the run, in nanoseconds.
    before: Vec<(u32, u64)>,
    began: Instant,
    unit_us: (f64, f64),
}

impl Idle {
    /// Times the unit of work, and starts the measurement of idle time.
    pub fn begin(root: &SysRoot) -> Self {
        let unit_us = unit_work(root);
        Self { root: root.clone(), before: facts::cpu::idle(root), began: Instant::now(), unit_us }
    }

    /// Returns the idle time from the start of the run to now.
    pub fn now(&self) -> Idleness {
        let (wall, after) = (self.began.elapsed().as_nanos() as f64, facts::cpu::idle(&self.root));
        let share = |(cpu, before): &(u32, u64)| {
            // A CPU that was taken offline is left out.
            let (_, after) = after.iter().find(|(other, _)| other == cpu)?;
            // The kernel's resolution is 10 ms.
            Some((*cpu, (100.0 * after.saturating_sub(*before) as f64 / wall.max(1.0)).min(100.0)))
        };
        let (unit_mean_us, unit_stddev_us) = self.unit_us;
        let cpus: Vec<(u32, f64)> = self.before.iter().filter_map(share).collect();
        let sum: f64 = cpus.iter().map(|(_, percent)| percent).sum();
        Idleness { system: sum / cpus.len().max(1) as f64, cpus, unit_mean_us, unit_stddev_us }
    }
}

/// Returns the time of a unit of work in microseconds: mean over the CPUs, and standard deviation between CPUs.
pub fn unit_work(root: &SysRoot) -> (f64, f64) {
    let mut all = Moments::default();
    for cpu in facts::cpu::online(root) {
        let timed = std::thread::spawn(move || {
            let mut set = CpuSet::new();
            if cpu as usize >= CpuSet::MAX_CPU {
                return None;
            }
            set.set(cpu as usize);
            // A CPU that this process may not use is left out.
            rustix::thread::sched_setaffinity(None, &set).ok()?;
            // Interrupts only lengthen a unit: the minimum is the time of the work.
            (0..PIECES).map(|_| piece()).min()
        });
        if let Ok(Some(nanos)) = timed.join() {
            all.record(nanos, 1);
        }
    }
    (all.mean() / 1e3, all.stddev() / 1e3)
}

fn piece() -> u64 {
    let began = Instant::now();
    let mut state = 1u64;
    for _ in 0..TURNS {
        state = black_box(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
    }
    black_box(state);
    began.elapsed().as_nanos() as u64
}
