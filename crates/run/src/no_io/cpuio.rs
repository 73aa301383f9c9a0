//! `ioengine=cpuio`: a job that keeps a CPU busy.

use super::{Cycle, CyclicTask};
use engine::Clock;
use job::job::CpuSpec;
use stats::JobError;
use std::hint::black_box;
use std::time::Duration;

/// Number of values that are sorted at a time.
const NUMBERS: usize = 1 << 12;

/// Keeps a CPU busy.
pub(super) struct BusyCpu {
    spec: CpuSpec,
    numbers: Vec<u64>,
}

impl BusyCpu {
    pub(super) fn new(spec: CpuSpec) -> Self {
        Self { spec, numbers: (0..if spec.sort { NUMBERS as u64 } else { 0 }).collect() }
    }

    /// Works for some microseconds.
    fn work(&mut self) {
        if !self.spec.sort {
            for i in 0..1 << 10 {
                black_box(i);
            }
            return;
        }
        // The numbers are shuffled from their last order, so that there is always something to sort.
        let mut state = self.numbers.first().copied().unwrap_or(1) | 1;
        for number in &mut self.numbers {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *number = state;
        }
        self.numbers.sort_unstable();
        black_box(&self.numbers);
    }
}

impl CyclicTask for BusyCpu {
    fn run_cycle(&mut self, cycle: &Cycle<'_>) -> Result<bool, JobError> {
        let length = Duration::from_micros(self.spec.cycle_us);
        let began = cycle.clock.now();
        while !cycle.over(began, length) {
            self.work();
        }
        Ok(true)
    }

    fn pause(&self) -> Duration {
        Duration::from_micros(self.spec.rest_us())
    }

    fn end(&mut self) -> Vec<String> {
        Vec::new()
    }
}
