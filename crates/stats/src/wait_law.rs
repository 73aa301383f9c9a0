//! Expected share of a latency goal that a rate uses: the waiting time of a busy M/G/k queue, fitted to visits. The
//! fitted model only selects the next rate to measure; conclusions do not depend on the model.

use crate::histogram::Histogram;
use crate::percentile::Goal;
use crate::queue_model::QueueModel;

/// Waiting time of a queue relative to a latency goal, before any visit.
#[derive(Clone, Debug)]
pub struct WaitLaw {
    goal: Goal,
    queue: QueueModel,
    /// Mean waiting time that the goal permits in addition to the service time, seconds.
    room_s: f64,
    /// Waiting time that the goal permits for each sampled service time below the goal, seconds, and the share of
    /// that service time.
    rooms: Vec<(f64, f64)>,
    /// Share of the goal that service times use without any wait.
    alone: f64,
}

/// Waiting time of a queue, fitted to visits.
#[derive(Clone, Debug)]
pub struct FittedWaitLaw<'a> {
    law: &'a WaitLaw,
    alone: f64,
    level: f64,
    slope: f64,
}

impl WaitLaw {
    /// Returns the model of waiting times for a goal and a queue model; `service` has the latencies of I/Os without
    /// wait.
    pub fn new(goal: Goal, queue: QueueModel, service: &Histogram) -> WaitLaw {
        /// Number of service times that represent their distribution.
        const POINTS: u32 = 40;
        let goal_s = goal.nanos as f64 / 1e9;
        let room_s = (goal_s - queue.service_s).max(0.02 * queue.service_s);
        let at = |n: u32| service.quantile(100.0 * (f64::from(n) + 0.5) / f64::from(POINTS));
        let rooms = (0..POINTS).filter_map(at).map(|nanos| goal_s - nanos as f64 / 1e9);
        let mut rooms: Vec<(f64, f64)> =
            rooms.filter(|room| *room > 0.0).map(|room| (room, 1.0 / f64::from(POINTS))).collect();
        if rooms.is_empty() {
            rooms.push((room_s, 1.0));
        }
        let alone = goal.may_exceed().map_or(0.0, |_| goal.taken(service, 0.0));
        WaitLaw { goal, queue, room_s, rooms, alone }
    }

    /// Returns the mean wait at a mean latency as a share of the permitted wait, at least 0.001.
    pub fn of_mean(&self, mean_ns: f64) -> f64 {
        ((mean_ns / 1e9 - self.queue.service_s) / self.room_s).max(1e-3)
    }

    /// Returns the logarithm of the share of the goal that waits at a rate use, by the exponential distribution of
    /// waits in heavy traffic (Kingman 1962) and the share of I/Os that wait (Sakasegawa 1977).
    fn expected(&self, iops: f64) -> f64 {
        let QueueModel { most, varied, .. } = self.queue;
        let load = self.queue.load(iops);
        let waits = (2.0 * (self.queue.servers() + 1.0)).sqrt();
        match self.goal.may_exceed() {
            Some(may) => {
                let decay = 2.0 * (1.0 - load) * most / (1.0 + varied);
                let beyond = self.rooms.iter().map(|(room, share)| share * (-decay * room).exp());
                waits * load.ln() + beyond.sum::<f64>().max(1e-30).ln() - may.ln()
            }
            None => {
                let scale = (1.0 + varied) / 2.0 / most / self.room_s;
                (waits - 1.0) * load.ln() - (1.0 - load).ln() + scale.ln()
            }
        }
    }

    /// Returns the model fitted to visits, each (rate in I/Os per second, used share of the goal, clumps of slow I/Os
    /// that would just use the goal). Two parameters are fitted by maximum likelihood of counts, with a prior near
    /// the theoretical model; the prior has the weight of a few clumps.
    pub fn fit(&self, seen: &[(f64, f64, f64)]) -> FittedWaitLaw<'_> {
        const SLOPES: f64 = 0.35;
        const LEVELS: f64 = 2.0;
        // The share without any wait, from I/Os one at a time, is reduced if visits used less.
        let alone = seen.iter().map(|s| s.1 + 2.0 / s.2).fold(self.alone, f64::min);
        // The law is accurate only near the goal, so visits far from the goal have little weight.
        let weight = |taken: f64, clumps: f64| clumps / (1.0 + (taken.max(0.02).ln() / 0.4).powi(2));
        let of = |(iops, taken, clumps): &(f64, f64, f64)| {
            (self.expected(*iops), (*taken - alone).max(0.0), weight(*taken, *clumps))
        };
        let seen: Vec<(f64, f64, f64)> = seen.iter().map(of).collect();
        let whole: f64 = seen.iter().map(|s| s.2).sum();
        let middle = if whole > 0.0 { seen.iter().map(|s| s.0 * s.2).sum::<f64>() / whole } else { 0.0 };
        // The parameters are the level and slope of the law at the centre of the visits.
        let (mut level, mut slope) = (middle.clamp(-8.0, 8.0), 1.0);
        let expected = level;
        for _ in 0..60 {
            let mut lacks = [(expected - level) / (LEVELS * LEVELS), (1.0 - slope) / (SLOPES * SLOPES)];
            let mut sums = [1.0 / (LEVELS * LEVELS), 0.0, 1.0 / (SLOPES * SLOPES)];
            for (u, taken, weight) in &seen {
                let u = u - middle;
                let law = (level + slope * u).clamp(-20.0, 6.0).exp();
                lacks[0] += weight * (taken - law);
                lacks[1] += weight * (taken - law) * u;
                sums[0] += weight * law;
                sums[1] += weight * law * u;
                sums[2] += weight * law * u * u;
            }
            let whole = sums[0] * sums[2] - sums[1] * sums[1];
            level += ((sums[2] * lacks[0] - sums[1] * lacks[1]) / whole).clamp(-0.5, 0.5);
            slope = (slope + ((sums[0] * lacks[1] - sums[1] * lacks[0]) / whole).clamp(-0.2, 0.2))
                .clamp(0.1, 3.0);
        }
        FittedWaitLaw { law: self, alone, level: level - slope * middle, slope }
    }
}

impl FittedWaitLaw<'_> {
    /// Returns the share of the goal that a rate in I/Os per second uses; above 1 the goal is missed.
    pub fn taken(&self, iops: f64) -> f64 {
        let waits = self.level + self.slope * self.law.expected(iops);
        self.alone + waits.clamp(-30.0, 30.0).exp()
    }
}
