//! Longest waits of workers for a CPU, from the waiting time that the kernel counts for each thread (schedstat).

use facts::SysRoot;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Shortest time between two readings.
const EVERY: Duration = Duration::from_millis(50);
/// Additional time between two readings for each thread, so that readings take less than a hundredth of a CPU.
const PER_THREAD: Duration = Duration::from_millis(5);

/// Waits for a CPU seen so far.
#[derive(Default)]
pub(crate) struct CpuWaits {
    /// Waiting time of each thread at the last reading, microseconds.
    waited_us: BTreeMap<u32, u64>,
    longest_us: Option<u64>,
    due: Option<Instant>,
}

impl CpuWaits {
    /// Reads the waiting times of these threads if a reading is due; the number 0 stands for a thread that has not started.
    /// The kernel adds a wait when it ends, so a wait never exceeds the increase between two readings.
    pub(crate) fn look(&mut self, root: &SysRoot, threads: impl ExactSizeIterator<Item = u32>) {
        let now = Instant::now();
        if self.due.is_some_and(|due| now < due) {
            return;
        }
        self.due = Some(now + EVERY + PER_THREAD * threads.len() as u32);
        for id in threads.filter(|id| *id != 0) {
            if let Some(waited_us) = facts::process::waited_us_of(root, id) {
                self.add(id, waited_us);
            }
        }
    }

    fn add(&mut self, id: u32, waited_us: u64) {
        if let Some(before) = self.waited_us.insert(id, waited_us) {
            self.longest_us = self.longest_us.max(Some(waited_us.saturating_sub(before)));
        }
    }

    /// Returns an upper bound of the longest single wait, microseconds; `None` if no thread was read twice.
    pub(crate) fn longest_us(&self) -> Option<u64> {
        self.longest_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_wait_is_the_largest_increase_of_one_thread() {
        let mut waits = CpuWaits::default();
        waits.add(7, 5_000_000);
        assert_eq!(waits.longest_us(), None);
        for (id, waited_us) in [(8, 0), (7, 5_004_000), (8, 30_000), (7, 5_008_000)] {
            waits.add(id, waited_us);
        }
        assert_eq!(waits.longest_us(), Some(30_000));
    }
}
