//! Measurement of a sample: its job in fio's language, and the figures of the result.

use super::error::PtsError;
use crate::target::{JobContext, Target};
use run::Watch;
use stats::pts::{COMPOSITE, COMPOSITE_SKEW, PtsBlock, PtsExtent, PtsLoad, PtsOrder, PtsPhase, PtsSample};
use stats::{Finding, Latency, RunResult};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Shortest rest of a sample for which a job is worth its start, seconds.
const LEAST_REST_S: f64 = 0.001;

/// Returns the options of a load.
fn load_options(load: &PtsLoad, sector: u64) -> Vec<String> {
    let rw = match (load.random, load.reads) {
        (true, 100) => "randread",
        (true, 0) => "randwrite",
        (true, _) => "randrw",
        (false, 100) => "read",
        (false, 0) => "write",
        (false, _) => "rw",
    };
    let mut options = vec![
        format!("--rw={rw}"),
        format!("--iodepth={}", load.depth),
        format!("--numjobs={}", load.threads),
        "--group_reporting".into(),
        // A device that fails some I/Os is measured, and the failures are reported.
        "--continue_on_error=io".into(),
    ];
    if !matches!(load.reads, 0 | 100) {
        options.push(format!("--rwmixread={}", load.reads));
    }
    match load.block {
        PtsBlock::Bytes(bytes) => options.push(format!("--bs={bytes}")),
        PtsBlock::Composite => {
            options.push(format!("--bssplit={}", split(sector)));
            let zones: Vec<String> =
                COMPOSITE_SKEW.iter().map(|(share, range)| format!("{share}/{range}")).collect();
            options.push(format!("--random_distribution=zoned:{}", zones.join(":")));
        }
    }
    if load.random {
        options.push("--norandommap".into());
    }
    options
}

/// Returns the block sizes of the composite workload that a device with this logical block size can do, as the value of
/// `bssplit`. The shares of the sizes that are left out go to the smallest one.
fn split(sector: u64) -> String {
    let possible = |bytes: u64| bytes.is_multiple_of(sector.max(512));
    let left_out: u32 = COMPOSITE.iter().filter(|(bytes, _)| !possible(*bytes)).map(|(_, share)| share).sum();
    let mut rest = left_out;
    let parts = COMPOSITE
        .iter()
        .filter(|(bytes, _)| possible(*bytes))
        .map(|(bytes, share)| format!("{bytes}/{}", share + std::mem::take(&mut rest)));
    parts.collect::<Vec<_>>().join(":")
}

/// Sums over the jobs of a sample.
#[derive(Default)]
struct Sums {
    seconds: f64,
    ios: [u64; 2],
    bytes: [u64; 2],
    latency: Latency,
    cpu_us: u64,
    errors: u64,
    findings: Vec<Finding>,
}

impl Sums {
    fn add(&mut self, result: &RunResult, nominal_s: Option<f64>) {
        let mut longest_ms = 0;
        for entry in result.entries() {
            for (nth, direction) in entry.directions[..2].iter().enumerate() {
                self.ios[nth] += direction.ios;
                self.bytes[nth] += direction.bytes;
                self.latency.merge(&direction.lat);
                longest_ms = longest_ms.max(direction.runtime_ms);
            }
            self.cpu_us += entry.cpu.user_us + entry.cpu.system_us;
            self.errors += entry.errors;
        }
        // The rest of a pass and the beginning of the next are jobs of one step.
        for finding in &result.findings {
            if self.findings.iter().all(|known| known.claim.rule() != finding.claim.rule()) {
                self.findings.push(finding.clone());
            }
        }
        let measured_s = longest_ms as f64 / 1e3;
        // The runtime is in whole milliseconds, too coarse for the short cells of a rehearsal.
        let rounded = |nominal: &f64| (measured_s - nominal).abs() < 0.0015;
        self.seconds += nominal_s.filter(rounded).unwrap_or(measured_s);
    }
}

/// Measures a sample. Returns `None` if a signal ended it before its end.
///
/// # Errors
/// A job could not be run, or the device failed it.
pub(super) fn measure(
    order: &PtsOrder,
    sector: u64,
    seed: u64,
    target: &Target,
    context: &JobContext,
    watch: &mut dyn Watch,
) -> Result<Option<PtsSample>, PtsError> {
    let load = &order.load;
    let mut options = load_options(load, sector);
    options.push(format!("--randseed={seed}"));
    match target.kind {
        // Without a name in common, each thread would have a part of the device of its own.
        None => options.push("--filename=device".into()),
        // A simulated device ignores the data written.
        Some(_) if load.reads < 100 => options.push("--refill_buffers".into()),
        Some(_) => {}
    }
    let mut sums = Sums::default();
    let mut run = |more: Vec<String>, nominal_s: Option<f64>| -> Result<bool, PtsError> {
        let all: Vec<String> = options.iter().cloned().chain(more).collect();
        let result = target.briefly_examined_job("pts", context, &all, watch)?;
        if let Some(error) = result.jobs.iter().find_map(|job| job.error.as_ref())
            && context.interrupt.load(Relaxed) == 0
        {
            return Err(PtsError::Job(error.clone()));
        }
        sums.add(&result, nominal_s);
        Ok(context.interrupt.load(Relaxed) == 0)
    };
    let timed = |seconds: f64| {
        vec![format!("--runtime={}us", (seconds * 1e6).round().max(1.0) as u64), "--time_based".to_string()]
    };
    let place = |offset: u64, size: u64| vec![format!("--offset={offset}"), format!("--size={size}")];
    let simulated = target.kind.is_none();
    let clock = || if simulated { context.models.now().as_secs_f64() } else { 0.0 };
    let (began, began_model) = (Instant::now(), clock());
    let whole = match load.block {
        PtsBlock::Bytes(block) => order.range / block * block,
        PtsBlock::Composite => order.range,
    };
    let finished = match order.extent {
        PtsExtent::Bytes(bytes) => run(place(order.start, bytes), None)?,
        PtsExtent::Seconds(seconds) if load.random || order.start == 0 => {
            run([place(order.base, whole), timed(seconds)].concat(), Some(seconds))?
        }
        PtsExtent::Seconds(seconds) => {
            // The rest of the pass that the sample before began, then from the start of the range.
            let mut first = place(order.start, whole - order.start);
            first.push(timed(seconds).swap_remove(0));
            let going = run(first, None)?;
            let spent_s = if simulated { clock() - began_model } else { began.elapsed().as_secs_f64() };
            let rest_s = seconds - spent_s;
            if going && rest_s > LEAST_REST_S {
                run([place(0, whole), timed(rest_s)].concat(), Some(rest_s))?
            } else {
                going
            }
        }
    };
    if !finished {
        return Ok(None);
    }
    let Sums { seconds, ios, bytes, latency, cpu_us, errors, findings } = sums;
    if ios == [0, 0] {
        return Err(PtsError::NothingCompleted);
    }
    let per_second = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
    let kept = order.place.phase == PtsPhase::Histogram;
    Ok(Some(PtsSample {
        place: order.place,
        load: *load,
        began_ms: 0,
        idle_s: 0.0,
        seconds,
        ios,
        bytes,
        iops: per_second(ios[0] + ios[1]),
        bytes_per_second: per_second(bytes[0] + bytes[1]),
        mean_ns: latency.moments.mean(),
        max_ns: latency.moments.max(),
        p99999_ns: latency.percentile(99.999),
        cpu_percent: per_second(cpu_us) / 1e4,
        errors,
        celsius: None,
        findings,
        latencies: if kept { latency.histogram } else { Default::default() },
    }))
}

/// Waits for `seconds` without I/O, in virtual time on a simulated device, or until a signal arrives.
pub(super) fn wait(seconds: f64, target: &Target, context: &JobContext) {
    const LOOK: Duration = Duration::from_millis(50);
    let time = Duration::from_secs_f64(seconds.max(0.0));
    if target.kind.is_none() {
        return context.models.rest(time);
    }
    let until = Instant::now() + time;
    while context.interrupt.load(Relaxed) == 0 {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        std::thread::sleep(left.min(LOOK));
    }
}
