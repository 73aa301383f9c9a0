//! Bottlenecks of stored results and of results that other tools printed: the same rules without experiments.

use super::sample;
use crate::audit::audit;
use stats::audit::{AuditContext, IoKind, Measurand, PrintedResult, ReaderNote};
use stats::bottleneck::{
    BottleneckCard, BottleneckFacts, BottleneckSample, CpuShares, DeviceLoad, LoadShape,
};
use stats::estimate::Estimate;
use stats::study::{Point, Study};
use stats::{Claim, Direction, Finding, JobOutcome, Measured, QuickCard, QuickRow, RunResult, TargetLayers};

/// Ratio of depths from which a point shows how the rate changes with the depth.
const DEEPER: u32 = 2;

/// Returns the cards of a stored run: one for all jobs that ran at the same time, in order of time. Jobs that ran one
/// after the other (`stonewall`, the steps of a cycle) are each a load of their own; none if nothing was measured.
pub fn of_run(source: &str, result: &RunResult) -> Vec<BottleneckCard> {
    let parts = at_same_time(&result.jobs);
    if let [_] | [] = parts[..] {
        return of_jobs(source, result, result).into_iter().collect();
    }
    let loads = parts.iter().map(|jobs| part(result, jobs));
    let card = |load: RunResult| {
        let name = load.jobs.first().map_or("", |job| job.name.as_str());
        let mut card = of_jobs(&format!("{source} {name}"), result, &load)?;
        // The bytes of the layers are those of the whole run.
        let known = sample::memory(&load.findings) == sample::memory(&in_memory(&load.findings));
        card.samples.iter_mut().filter(|_| !known).for_each(|sample| sample.memory = None);
        card.judge();
        Some(card)
    };
    loads.filter_map(card).collect()
}

/// Returns the findings that all data was in memory.
fn in_memory(findings: &[Finding]) -> Vec<Finding> {
    findings.iter().filter(|found| matches!(found.claim, Claim::Memory { .. })).cloned().collect()
}

/// Returns the jobs that did I/O, those that ran at the same time together, in order of time.
fn at_same_time(jobs: &[JobOutcome]) -> Vec<Vec<JobOutcome>> {
    /// Share of the shorter runtime by which two jobs may overlap that ran one after the other.
    const TOUCH: f64 = 0.1;
    // Simulated time has no wall clock; there each stonewall begins a reporting group.
    let simulated = jobs.iter().any(|job| job.load.engine == "model");
    let mut did: Vec<&JobOutcome> = jobs.iter().filter(|job| job.ios() > 0).collect();
    did.sort_by_key(|job| (if simulated { 0 } else { job.start_epoch_ms }, job.group));
    let mut parts: Vec<Vec<JobOutcome>> = Vec::new();
    let (mut end_ms, mut shortest_ms) = (0.0, 0.0);
    for job in did {
        let (start, ran) = (job.start_epoch_ms as f64, job.runtime_ms as f64);
        let joins = |part: &&mut Vec<JobOutcome>| match simulated {
            true => part.iter().all(|other| other.group == job.group),
            false => start < end_ms - TOUCH * ran.min(shortest_ms),
        };
        match parts.last_mut().filter(joins) {
            Some(part) => {
                part.push(job.clone());
                (end_ms, shortest_ms) = (f64::max(end_ms, start + ran), f64::min(shortest_ms, ran));
            }
            None => {
                parts.push(vec![job.clone()]);
                (end_ms, shortest_ms) = (start + ran, ran);
            }
        }
    }
    parts
}

/// Returns a run of these jobs only. The counters of the devices cover the whole run and are left out.
fn part(result: &RunResult, jobs: &[JobOutcome]) -> RunResult {
    let named = |name: &str| jobs.iter().any(|job| job.name == name);
    let alone = |name: &str| result.jobs.iter().filter(|job| job.name == name).count() == jobs.len();
    let mut load = RunResult { jobs: jobs.to_vec(), ..result.clone() };
    load.series.retain(|(name, _)| named(name) && (jobs.len() > 1 || alone(name)));
    load.findings.retain(|found| found.job.is_empty() || named(&found.job));
    load.layers.devices.clear();
    load.layers.depth_reached = jobs.iter().map(|job| job.depth_reached).sum();
    let busy = |job: &JobOutcome| job.cpu.user_percent() + job.cpu.system_percent();
    load.layers.busiest_thread_percent = jobs.iter().map(busy).fold(0.0, f64::max);
    load
}

/// Returns the card of `load`, jobs of the run `whole`; `None` if nothing was measured.
fn of_jobs(source: &str, whole: &RunResult, load: &RunResult) -> Option<BottleneckCard> {
    let measured = Measured::of_run(source, load).into_iter().next()?;
    let shape = LoadShape {
        block: measured.access.bs,
        depth: measured.depth,
        jobs: measured.jobs.max(1),
        ..LoadShape::default()
    };
    let simulated = measured.conditions.engine.as_deref() == Some("model");
    let own_pace = measured.conditions.paced;
    let base = BottleneckSample { own_pace, ..sample::of(load, shape, simulated) };
    let stack = whole.layers.targets.first().map(|target| target.stack.clone()).unwrap_or_default();
    let facts = BottleneckFacts {
        file_system: file_system(whole),
        stack,
        host_known: true,
        ..BottleneckFacts::default()
    };
    (base.rate.value > 0.0).then(|| {
        let mut card = BottleneckCard::of(source, &measured.access.rw, facts, vec![base]);
        card.findings = load.findings.clone();
        card.error = load.jobs.iter().find_map(|job| job.error.clone());
        card.judge();
        card
    })
}

/// Returns the card of a stored check: its random reads with most I/Os in flight, beside those of the same size with fewer;
/// `None` without random reads. The counters of the check cover all its patterns together, so no device and no CPU is judged.
pub fn of_check(source: &str, check: &QuickCard) -> Option<BottleneckCard> {
    let random = |row: &&QuickRow| {
        let access = &row.load.access;
        row.iops > 0.0 && row.direction == Direction::Read && access.rw == "randread"
    };
    let mut rows: Vec<&QuickRow> = check.rows.iter().filter(random).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.depth));
    let block = rows.first()?.load.access.bs;
    let sample = |row: &&QuickRow| BottleneckSample {
        shape: LoadShape { block, depth: row.depth, jobs: 1, ..LoadShape::default() },
        seconds: row.runtime_ms as f64 / 1e3,
        rate: match row.between.iops {
            Some([low, high]) => Estimate { value: row.iops, low, high },
            None => Estimate::bare(row.iops),
        },
        bytes_per_second: row.bytes_per_second as f64,
        mean_ns: row.mean_ns.unwrap_or(0.0),
        in_flight: row.depth_reached,
        memory: Some(sample::memory(&check.findings)),
        ..BottleneckSample::default()
    };
    let samples = rows.iter().filter(|row| row.load.access.bs == block).map(sample).collect();
    let facts = BottleneckFacts { stack: check.stack.clone(), ..BottleneckFacts::default() };
    let mut card = BottleneckCard::of(source, "randread", facts, samples);
    card.findings = check.findings.clone();
    card.judge();
    Some(card)
}

/// Returns the file system of the first target; `None` for a device.
fn file_system(result: &RunResult) -> Option<String> {
    let top = result.layers.targets.first().and_then(|target: &TargetLayers| target.names().next())?;
    result.layers.device(top).is_none().then(|| top.to_owned())
}

/// Returns the card of a stored study: its pattern with most points; `None` without points.
pub fn of_study(source: &str, study: &Study) -> Option<BottleneckCard> {
    let usual = |point: &&Point| {
        let cell = &point.cell;
        cell.target == 0 && cell.rate.is_none() && cell.setting.is_none() && cell.span.is_none()
    };
    let points: Vec<&Point> = study.points.iter().filter(usual).collect();
    let alike = |a: &Point, b: &Point| a.cell.access == b.cell.access;
    let most = points.iter().max_by_key(|one| points.iter().filter(|other| alike(one, other)).count())?;
    let samples: Vec<BottleneckSample> =
        points.iter().filter(|point| alike(point, most)).map(|point| of_point(point)).collect();
    let stack = study.targets.first().map(|target| target.stack.clone()).unwrap_or_default();
    let facts = BottleneckFacts { stack, ..BottleneckFacts::default() };
    let samples = base_first(samples)?;
    Some(BottleneckCard::of(source, &most.cell.access.rw, facts, samples))
}

fn of_point(point: &Point) -> BottleneckSample {
    let cell = &point.cell;
    let device = point.util_percent.map(|util| DeviceLoad {
        name: String::new(),
        busy: util / 100.0,
        queue: point.queue.unwrap_or(0.0),
        requests_per_io: 1.0,
    });
    BottleneckSample {
        cap: sample::cap(&point.findings),
        shape: LoadShape {
            block: cell.access.bs,
            depth: cell.depth,
            jobs: cell.jobs,
            ..LoadShape::default()
        },
        start_s: point.began_ms as f64 / 1e3,
        seconds: point.seconds,
        rate: point.iops,
        bytes_per_second: point.bytes_per_second,
        mean_ns: point.mean_ns,
        in_flight: point.iops.value * point.mean_ns / 1e9,
        device,
        cpu: Some(CpuShares { used: point.cpu_percent / 100.0, ..CpuShares::default() }),
        memory: Some(sample::memory(&point.findings)),
        own_pace: false,
        writes: cell.access.writes(),
        series: point.series.clone(),
        latency: Default::default(),
    }
}

/// Puts the load in question first: the deepest for which a deeper one shows how the rate changes.
fn base_first(mut samples: Vec<BottleneckSample>) -> Option<Vec<BottleneckSample>> {
    samples.sort_by_key(|sample| sample.shape.in_flight());
    let deepest = samples.last()?.shape.in_flight();
    let at = samples.iter().rposition(|sample| sample.shape.in_flight() <= deepest / DEEPER);
    let base = samples.remove(at.unwrap_or(samples.len() - 1));
    samples.insert(0, base);
    Some(samples)
}

/// Returns whether `fathom audit` says of a result that it measured memory.
fn is_of_memory(result: &PrintedResult) -> bool {
    let report = audit(&AuditContext::default(), vec![result.clone()], &|_, _| String::new());
    report.results.iter().any(|audited| audited.measurand == Measurand::Memory)
}

/// Returns the card of results that other tools printed: those with the pattern of the first; `None` without a rate.
pub fn of_printed(source: &str, results: &[&PrintedResult]) -> Option<BottleneckCard> {
    let rate = |result: &PrintedResult| {
        let own = result.iops.map(|n| (n.value, n.half));
        let by_bytes =
            result.bandwidth.zip(result.block).map(|(bytes, block)| (bytes.value / block.value, 0.0));
        own.or(by_bytes).filter(|(value, _)| *value > 0.0)
    };
    let rates = || results.iter().filter(|result| rate(result).is_some());
    let first = rates().find(|result| result.depth.is_some()).or_else(|| rates().next())?;
    let of = |result: &&&PrintedResult| {
        let block = |r: &PrintedResult| r.block.map(|n| n.value as u64);
        result.kind == first.kind && result.random == first.random && block(result) == block(first)
    };
    let sample = |result: &&PrintedResult| {
        let (value, half) = rate(result)?;
        let depth = result.depth.unwrap_or(0);
        let jobs = result.jobs.unwrap_or(1).max(1);
        let mean_ns = result.latency.mean.map_or(0.0, |mean| mean.value);
        let block = result.block.map_or(0.0, |block| block.value);
        let device = result.devices.first().map(|device| DeviceLoad {
            name: device.name.clone(),
            busy: device.util_percent.unwrap_or(0.0) / 100.0,
            queue: 0.0,
            requests_per_io: 1.0,
        });
        Some(BottleneckSample {
            shape: LoadShape { block: block as u64, depth, jobs, ..LoadShape::default() },
            seconds: result.seconds.map_or(0.0, |s| s.value),
            rate: Estimate::around(value, half),
            bytes_per_second: value * block,
            mean_ns,
            in_flight: if mean_ns > 0.0 { value * mean_ns / 1e9 } else { f64::from(depth * jobs) },
            device,
            cpu: result
                .cpu_percent
                .map(|percent| CpuShares { used: percent / 100.0, ..CpuShares::default() }),
            // Direct I/O leaves the caches below; the audit knows other signs of memory.
            memory: is_of_memory(result).then_some(true),
            own_pace: result.notes.iter().any(|note| matches!(note, ReaderNote::RateLimited)),
            writes: result.kind.writes(),
            ..BottleneckSample::default()
        })
    };
    let samples: Vec<BottleneckSample> = results.iter().filter(of).filter_map(sample).collect();
    let rw = match (first.random, first.kind) {
        (Some(true), IoKind::Mixed) => "randrw",
        (_, IoKind::Mixed) => "rw",
        (Some(true), kind) if kind.writes() => "randwrite",
        (Some(true), _) => "randread",
        (_, kind) if kind.writes() => "write",
        _ => "read",
    };
    let facts = BottleneckFacts {
        stack: Some(first.target.clone()).filter(|target| !target.is_empty()).into_iter().collect(),
        ..BottleneckFacts::default()
    };
    Some(BottleneckCard::of(source, rw, facts, base_first(samples)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::study::Access;
    use stats::{Load, RowIntervals};

    #[test]
    fn check_is_explained_by_its_deepest_random_reads() {
        let row = |rw: &str, bs: u64, depth: u32, iops: f64| {
            let access = Access { rw: rw.into(), bs, ..Access::default() };
            QuickRow {
                pattern: rw.into(),
                direction: Direction::Read,
                depth,
                iops,
                bytes_per_second: (iops * bs as f64) as u64,
                p50_ns: None,
                p99_ns: None,
                mean_ns: Some(1e9 * f64::from(depth) / iops),
                sync_p50_ns: None,
                sync_p99_ns: None,
                depth_reached: f64::from(depth),
                runtime_ms: 5000,
                error: None,
                load: Load { access, ..Load::default() },
                between: RowIntervals::default(),
                host_iops: Vec::new(),
            }
        };
        let rows = vec![
            row("read", 1 << 20, 8, 2000.0),
            row("randread", 4096, 1, 5000.0),
            row("randread", 4096, 32, 90_000.0),
        ];
        let check = QuickCard { rows, ..QuickCard::default() };
        let card = of_check("R8", &check).unwrap();
        assert_eq!(card.samples.len(), 2);
        assert_eq!((card.samples[0].shape.depth, card.samples[0].rate.value), (32, 90_000.0));
        assert_eq!(card.samples[0].shape.block, 4096);
        let check = QuickCard { rows: vec![check.rows[0].clone()], ..QuickCard::default() };
        assert!(of_check("R8", &check).is_none());
    }
}
