//! Figures of the full-screen view, from the counters of jobs, disks and drives.

use crate::drive_watch::DriveWatch;
use facts::before::Before;
use stats::{DiskOutcome, DropWatch, Histogram, LiveDetail, LiveDisk, LiveJob, Series, Shared, WorkerState};
use std::time::{Duration, Instant};

/// A job and its counters at the time of a sample.
#[derive(Clone, Copy, Debug)]
pub struct JobNow<'a> {
    /// Name of the job.
    pub name: &'a str,
    /// State of its worker.
    pub state: WorkerState,
    /// Queue depth that it asks for.
    pub depth: u32,
    /// Its counters.
    pub counters: &'a Shared,
}

/// Counters from which the figures of [`LiveDetail`] are differences.
#[derive(Debug)]
struct Counters {
    /// I/Os and bytes of each job of the phase, [read, write, trim].
    jobs: Vec<[(u64, u64); 3]>,
    latency: [Histogram; 3],
    /// Sum of all latencies, nanoseconds.
    latency_sum: u128,
    disks: Vec<DiskOutcome>,
}

impl Counters {
    fn now(jobs: &[JobNow<'_>], disks: Option<&Before>) -> Self {
        let disks = disks.map(Before::disks_now).unwrap_or_default();
        let mut now = Self { jobs: Vec::new(), latency: Default::default(), latency_sum: 0, disks };
        for job in jobs {
            let directions = &job.counters.directions;
            now.jobs.push(std::array::from_fn(|d| (directions[d].ios.get(), directions[d].bytes.get())));
            for (sum, direction) in now.latency.iter_mut().zip(directions) {
                // A job can record clat without lat (`disable_lat`).
                let total = direction.lat.histogram.snapshot();
                let (moments, latencies) = if total.count() > 0 {
                    (&direction.lat.moments, total)
                } else {
                    (&direction.clat.moments, direction.clat.histogram.snapshot())
                };
                now.latency_sum += moments.snapshot(latencies.count()).sum;
                sum.merge(&latencies);
            }
        }
        now
    }
}

/// Figures of the full-screen view, from sample to sample.
#[derive(Debug, Default)]
pub struct DetailSampler {
    /// Counters at the preceding sample, if there was one.
    then: Option<Counters>,
    drives: DriveWatch,
    drops: DropWatch,
    /// Time of the latest look for drops of the rate, which takes longer than a sample.
    dropped: Option<Instant>,
}

impl DetailSampler {
    /// Begins anew with the next sample: nobody looked at the figures meanwhile.
    pub fn pause(&mut self) {
        self.then = None;
    }

    /// Returns the figures since the preceding sample, `elapsed` seconds ago. The first sample has no rates of jobs and disks
    /// and no latencies. `series` is the rate so far.
    pub fn look(
        &mut self,
        jobs: &[JobNow<'_>],
        disks: Option<&Before>,
        series: &Series,
        elapsed: f64,
    ) -> LiveDetail {
        let now = Counters::now(jobs, disks);
        let before = self.then.take();
        let then = before.as_ref().unwrap_or(&now);
        let rate = |now: u64, then: u64| (now.saturating_sub(then) as f64 / elapsed) as u64;
        let rates = jobs.iter().zip(now.jobs.iter().zip(&then.jobs)).map(|(job, (now, then))| LiveJob {
            name: job.name.to_owned(),
            state: job.state,
            iops: std::array::from_fn(|d| rate(now[d].0, then[d].0)),
            bytes_per_second: std::array::from_fn(|d| rate(now[d].1, then[d].1)),
        });
        let mut latency = now.latency.clone();
        latency.iter_mut().zip(&then.latency).for_each(|(now, then)| now.subtract(then));
        let waited_s = now.latency_sum.saturating_sub(then.latency_sum) as f64 / 1e9;
        let running = jobs.iter().filter(|job| job.state == WorkerState::Running);
        let mut detail = LiveDetail {
            period_s: elapsed,
            depth_asked: running.map(|job| job.depth).sum(),
            depth_reached: latency.iter().any(|l| l.count() > 0).then(|| waited_s / elapsed),
            jobs: rates.collect(),
            ..LiveDetail::default()
        };
        detail.set_latencies(&latency);
        if let Some(before) = &before {
            detail.disks = LiveDisk::between(&before.disks, &now.disks, elapsed);
        }
        self.then = Some(now);
        detail.events = self.drives.look(disks);
        detail.drives.clone_from(&self.drives.drives);
        if self.dropped.is_none_or(|at| at.elapsed() >= Duration::from_secs(1)) {
            self.dropped = Some(Instant::now());
            detail.events.extend(self.drops.look(series));
        }
        detail
    }
}
