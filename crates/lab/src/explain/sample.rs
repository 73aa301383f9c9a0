//! A run as a sample of a bottleneck.

use crate::load_rate::{self, LoadRate};
use job::remote::is_remote_target;
use stats::bottleneck::{BottleneckSample, CpuShares, DeviceLoad, LoadShape, ReachedCap};
use stats::{Claim, Direction, Finding, Histogram, RunResult};

/// Returns what a run measured. `simulated`: the load of this machine has no influence.
pub(super) fn of(result: &RunResult, shape: LoadShape, simulated: bool) -> BottleneckSample {
    let flows = || result.jobs.iter().flat_map(|job| &job.directions);
    let ios = |direction: Direction| -> f64 {
        result.jobs.iter().map(|job| job.directions[direction as usize].iops()).sum()
    };
    let layers = &result.layers;
    let LoadRate { rate, reported, series } = load_rate::of(result, &[Direction::Read, Direction::Write]);
    let mut latency = [Histogram::default(), Histogram::default()];
    let (mut nanos, mut count) = (0.0, 0u64);
    for job in &result.jobs {
        for (of, direction) in latency.iter_mut().zip(&job.directions) {
            of.merge(&direction.lat.histogram);
            nanos += direction.lat.moments.sum as f64;
            count += direction.lat.moments.n;
        }
    }
    BottleneckSample {
        shape,
        start_s: 0.0,
        seconds: flows().map(|d| d.runtime_ms).max().unwrap_or(0) as f64 / 1e3,
        rate,
        bytes_per_second: flows().map(|d| d.bytes_per_second() as f64).sum::<f64>() * rate.value
            / reported.max(1.0),
        mean_ns: nanos / count.max(1) as f64,
        in_flight: layers.depth_reached,
        device: device(result),
        cap: cap(&result.findings),
        cpu: Some(cpu(result, simulated)),
        // Whether the memory of a server answered is not seen from here.
        memory: (!on_server(result)).then(|| memory(&result.findings)),
        own_pace: false,
        writes: ios(Direction::Write) > ios(Direction::Read),
        series,
        latency,
    }
}

fn cpu(result: &RunResult, simulated: bool) -> CpuShares {
    let layers = &result.layers;
    let used = layers.busiest_thread_percent / 100.0;
    if simulated {
        return CpuShares { used, ..CpuShares::default() };
    }
    let host = &layers.host;
    let wall_ms = if host.watched_ms > 0 { host.watched_ms } else { layers.wall_ms }.max(1);
    CpuShares {
        used,
        waited: result.jobs.iter().map(|job| job.cpu.waited_percent()).fold(0.0, f64::max) / 100.0,
        quota: host.throttled_ms as f64 / wall_ms as f64,
        steal: host.steal_percent / 100.0,
        others: 0.0,
    }
}

fn device(result: &RunResult) -> Option<DeviceLoad> {
    let layers = &result.layers;
    let top = (*layers.top_devices().first()?).clone();
    let done = (top.ios[0] + top.ios[1]) as f64;
    let asked = (layers.app_ios[0] + layers.app_ios[1]).max(1) as f64;
    Some(DeviceLoad {
        busy: top.util_percent / 100.0,
        queue: top.in_queue_ms as f64 / layers.wall_ms.max(1) as f64,
        requests_per_io: done / asked,
        name: top.name,
    })
}

fn on_server(result: &RunResult) -> bool {
    result.layers.targets.iter().any(|target| is_remote_target(&target.path))
}

/// Returns the limit of a control group or of a server that the findings name.
pub(super) fn cap(findings: &[Finding]) -> Option<ReachedCap> {
    findings.iter().find_map(|found| match found.claim {
        Claim::Cap { ref device, iops, limit, seen, .. } => {
            Some(ReachedCap { device: device.clone(), iops, limit: limit as f64, seen })
        }
        _ => None,
    })
}

/// Returns whether the findings say that memory answered.
pub(super) fn memory(findings: &[Finding]) -> bool {
    findings.iter().any(|found| match &found.claim {
        Claim::PageCache { app, storage, .. } => *storage < app / 2,
        Claim::CacheBelow { .. } | Claim::Memory { .. } => true,
        _ => false,
    })
}
