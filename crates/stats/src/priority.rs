//! Latencies by I/O priority: fio's `clat prio` lines and `prios` keys.

use crate::counter::Counter;
use crate::latency::Latency;
use crate::shared::SharedLatency;
use serde::{Deserialize, Serialize};

/// I/O priority: class, hint and level in the encoding of ioprio_set(2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Priority(pub u16);

impl Priority {
    /// Returns the class: 1 real time, 2 best effort, 3 idle; 0 if no priority is set.
    pub fn class(self) -> u16 {
        self.0 >> 13
    }

    /// Returns the level within the class, 0 (highest) to 7.
    pub fn level(self) -> u16 {
        self.0 & 7
    }

    /// Returns the hint (fio's `prio_hint`, such as a command duration limit of the device); 0 if none.
    pub fn hint(self) -> u16 {
        self.0 >> 3 & 0x3ff
    }
}

/// Latencies of one direction by I/O priority.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ByPriority {
    /// Whether the latencies are total latencies (with `lat_percentiles`) instead of completion latencies.
    pub total: bool,
    /// Priority of the job, which all I/Os had if `list` is empty.
    pub own: Priority,
    /// Latencies of each priority, in the order of the report.
    pub list: Vec<(Priority, Latency)>,
}

impl ByPriority {
    /// Adds a member of the same reporting group. `whole` is the latency of all I/Os of `self` and of `other`.
    pub(crate) fn merge(&mut self, other: &ByPriority, whole: [&Latency; 2]) {
        if whole[1].moments.n == 0 {
            return;
        }
        if whole[0].moments.n == 0 {
            self.clone_from(other);
            return;
        }
        if self.list.is_empty() && other.list.is_empty() && self.own == other.own {
            return;
        }
        if self.list.is_empty() {
            self.list.push((self.own, whole[0].clone()));
        }
        let theirs = if other.list.is_empty() { &[(other.own, whole[1].clone())][..] } else { &other.list };
        for (priority, latency) in theirs {
            match self.list.iter_mut().find(|(known, _)| known == priority) {
                Some((_, mine)) => mine.merge(latency),
                None => self.list.push((*priority, latency.clone())),
            }
        }
    }

    /// Returns the priorities to report: those with I/Os, or none if fewer than two have I/Os.
    pub fn told(&self) -> Vec<&(Priority, Latency)> {
        let used: Vec<_> = self.list.iter().filter(|(_, latency)| latency.moments.n > 0).collect();
        if used.len() < 2 { Vec::new() } else { used }
    }
}

impl ByPriority {
    /// Returns whether a priority of [`ByPriority::told`] has a hint, in which case the report shows the hints of
    /// all.
    pub fn hints(&self) -> bool {
        self.told().iter().any(|(priority, _)| priority.hint() > 0)
    }

    /// Returns the percent of I/Os with each priority of [`ByPriority::told`].
    pub fn shares(&self) -> Vec<f64> {
        let all: u64 = self.list.iter().map(|(_, latency)| latency.moments.n).sum();
        self.told().iter().map(|(_, latency)| 100.0 * latency.moments.n as f64 / all.max(1) as f64).collect()
    }
}

/// Counters of one priority and direction.
#[derive(Debug, Default)]
struct SharedPriority {
    ios: Counter,
    latency: SharedLatency,
}

/// Live counters of a job whose I/Os have several priorities. The worker is the only writer.
#[derive(Debug)]
pub struct SharedPriorities {
    /// Whether the latencies are total latencies instead of completion latencies.
    pub total: bool,
    /// Priorities, that of the job first.
    values: Vec<Priority>,
    /// Counters of [reads, writes] for each priority: current values, and values at the start of the measured time.
    counts: Vec<[[SharedPriority; 2]; 2]>,
}

impl SharedPriorities {
    /// Returns empty counters for these priorities, that of the job first.
    pub fn new(values: Vec<Priority>, total: bool) -> Self {
        let counts = values.iter().map(|_| Default::default()).collect();
        Self { total, values, counts }
    }

    /// Adds `k` latencies of `nanos` nanoseconds of I/Os with the `at`-th priority. Directions other than read and
    /// write are ignored.
    #[inline]
    pub fn record(&self, direction: usize, at: usize, nanos: u64, k: u64) {
        if let Some([counts, _]) = self.counts.get(at)
            && let Some(counts) = counts.get(direction)
        {
            counts.ios.add(k);
            counts.latency.record(nanos, k);
        }
    }

    /// Starts the measured time. Called by the writer; allocates nothing.
    pub fn begin_measuring(&self) {
        for [now, before] in &self.counts {
            for (now, before) in now.iter().zip(before) {
                before.ios.set(now.ios.get());
                now.latency.begin_measuring(&before.latency);
            }
        }
    }

    /// Returns the latencies of one direction since the start of the measured time.
    pub fn outcome(&self, direction: usize) -> ByPriority {
        let latency = |[now, before]: [&SharedPriority; 2]| {
            let n = [now.ios.get(), before.ios.get()];
            let moments = now.latency.moments.snapshot(n[0]).since(&before.latency.moments.snapshot(n[1]));
            let mut histogram = now.latency.histogram.snapshot();
            histogram.subtract(&before.latency.histogram.snapshot());
            Latency { moments, histogram }
        };
        let list = self.values.iter().zip(&self.counts).filter_map(|(value, [now, before])| {
            Some((*value, latency([now.get(direction)?, before.get(direction)?])))
        });
        let own = self.values.first().copied().unwrap_or_default();
        ByPriority { total: self.total, own, list: list.collect() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::outcome::DirectionOutcome;

    fn took(nanos: &[u64]) -> Latency {
        let mut latency = Latency::default();
        nanos.iter().for_each(|n| {
            latency.moments.record(*n, 1);
            latency.histogram.record(*n, 1);
        });
        latency
    }

    fn member(own: u16, nanos: &[u64], list: &[(u16, &[u64])]) -> DirectionOutcome {
        let list = list.iter().map(|(value, nanos)| (Priority(*value), took(nanos))).collect();
        let priorities = ByPriority { total: false, own: Priority(own), list };
        DirectionOutcome { clat: took(nanos), priorities, ..Default::default() }
    }

    fn told(d: &DirectionOutcome) -> Vec<(u16, u64, u64)> {
        d.priorities.told().iter().map(|(p, l)| (p.0, l.moments.n, l.moments.max())).collect()
    }

    /// Observed with fio 3.33: two jobs of a group have different priorities, and one of them uses several.
    #[test]
    fn members_with_other_priorities_are_told_apart() {
        let mut group = member(5, &[10, 20], &[]);
        group.merge(&member(5, &[30], &[]));
        assert_eq!((told(&group), group.clat.moments.n), (vec![], 3));
        group.merge(&member(2, &[40], &[]));
        assert_eq!(told(&group), [(5, 3, 30), (2, 1, 40)]);
        group.merge(&member(0, &[1, 2, 3], &[(0, &[1, 2]), (5, &[3]), (7, &[])]));
        assert_eq!(told(&group), [(5, 4, 30), (2, 1, 40), (0, 2, 2)]);
        assert_eq!(told(&member(0, &[1], &[(0, &[1]), (7, &[])])), []);
        let mut idle = member(9, &[], &[]);
        idle.merge(&member(3, &[7], &[]));
        assert_eq!((told(&idle), idle.priorities.own), (vec![], Priority(3)));
    }

    #[test]
    fn what_came_before_measuring_is_not_told() {
        let shared = SharedPriorities::new(vec![Priority(0), Priority(8192)], true);
        shared.record(0, 0, 100, 1);
        shared.record(0, 1, 900, 1);
        shared.begin_measuring();
        shared.record(0, 0, 300, 2);
        shared.record(0, 1, 500, 1);
        shared.record(2, 1, 500, 1);
        let reads = shared.outcome(0);
        let told: Vec<_> = reads
            .told()
            .iter()
            .map(|(p, l)| (p.class(), l.moments.n, l.moments.min(), l.moments.max(), l.histogram.count()))
            .collect();
        assert_eq!(told, [(0, 2, 300, 300, 2), (1, 1, 500, 500, 1)]);
        assert!(shared.outcome(1).told().is_empty() && shared.outcome(2).told().is_empty());
        assert!(reads.total);
    }
}
