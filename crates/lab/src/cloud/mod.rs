//! `fathom cloud`: the limits of a cloud volume, from the tables in `tables/`, and whether a measurement reaches them.

pub mod error;
pub mod formula;
pub mod names;
pub mod order;
pub mod recognise;
pub mod table;

use crate::target::{JobContext, Target, TargetError};
use error::CloudError;
use order::VolumeOrder;
use recognise::{CloudClaims, recognise};
use run::Watch;
use stats::cloud::{
    CloudCap, CloudCard, CloudCheck, CloudFact, CloudKnown, CloudLimits, CloudOrigin, CloudReach,
};
use stats::estimate::Estimate;
use stats::{Direction, RunResult};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Latency of an I/O with which the depth is computed before anything is measured, milliseconds.
const ASSUMED_MS: f64 = 1.0;
/// Block size of the small reads, bytes.
const SMALL: u64 = 4096;
/// Block size of the large reads, bytes; the requests of HDD volumes count as at least 1 MiB.
const LARGE: u64 = 256 << 10;
/// Block size of the large reads if smaller requests use up as much throughput, bytes.
const LARGEST: u64 = 1 << 20;
/// Factor of the needed depth that leaves no doubt that the limit and not the depth binds.
const AMPLE: f64 = 2.0;
/// Smallest queue depth of the measurement.
const LEAST_DEPTH: f64 = 16.0;
/// Largest queue depth of the measurement.
const MOST_DEPTH: f64 = 1024.0;
/// Largest queue depth of the large reads, so that the buffers stay small.
const MOST_LARGE_DEPTH: f64 = 128.0;
/// Share of the measuring time for the latency alone.
const ALONE: f64 = 0.2;
/// Share of a pattern's measuring time after which a clear result ends it.
const FIRST: f64 = 0.25;
/// Time that is not counted at the start of a pattern: a limit by slices lets the first one through at once.
const RAMP: Duration = Duration::from_millis(500);

/// Question of `fathom cloud`.
pub struct CloudRequest {
    /// What the user says about the volume.
    pub claims: CloudClaims,
    /// Directory, file or device to measure; `None` computes the limits only.
    pub target: Option<PathBuf>,
    /// Whether the metadata service may be asked.
    pub metadata: bool,
    /// Measuring time of all patterns together.
    pub measure: Duration,
    /// Environment in which the jobs run.
    pub context: JobContext,
}

/// Receiver of the progress.
pub trait Progress: Watch {
    /// Called before the scratch file is filled.
    fn filling(&mut self);

    /// Called before each pattern with its block size in bytes and queue depth.
    fn measuring(&mut self, block: u64, depth: u32);
}

/// Returns the card with the computed limits.
///
/// # Errors
/// The type is not known, or the order is not possible.
pub fn limits(request: &CloudRequest) -> Result<CloudCard, CloudError> {
    let claims = &request.claims;
    let known = recognise(&request.context.root, request.target.as_deref(), claims, request.metadata);
    limits_of(known, claims)
}

fn limits_of(mut known: CloudKnown, claims: &CloudClaims) -> Result<CloudCard, CloudError> {
    if known.local_disk {
        return Err(CloudError::LocalDisk);
    }
    let named = known.provider.as_ref().map(|fact| table::provider(&fact.value)).transpose()?;
    let Some(kind) = known.kind.clone() else {
        return Err(match named {
            None => CloudError::NoProvider,
            Some(table) => CloudError::NoType {
                provider: table.provider.clone(),
                types: table.current().map(|row| row.kind.clone()).collect(),
            },
        });
    };
    let (table, row) = match table::volume(named, &kind.value) {
        // The machine is of another provider than the volume that the user asks about, and says nothing about it.
        Err(CloudError::Type { .. }) if claims.provider.is_none() => {
            let given = |fact: &CloudFact| fact.origin == CloudOrigin::Given;
            known.provider = None;
            known.instance = known.instance.filter(given);
            known.size = known.size.filter(given);
            table::volume(None, &kind.value)?
        }
        found => found?,
    };
    let size = known.size.as_ref().and_then(|fact| fact.value.parse().ok());
    let order = VolumeOrder { size, iops: claims.iops, throughput: claims.throughput };
    let volume = row.limits(table, order)?;
    if volume.size.is_none() {
        known.size = None;
    }
    let instance = known.instance.as_ref().and_then(|fact| table.machine(&fact.value, &volume.kind));
    if let (Some(name), None) = (&claims.instance, &instance) {
        return Err(table.no_machine(name));
    }
    let missing = known.instance.is_some() && instance.is_none();
    let latency = volume.qd1_ms.unwrap_or(ASSUMED_MS) * 1e6;
    let mut limits = CloudLimits { volume, instance, ..CloudLimits::default() };
    limits.complete(latency);
    Ok(CloudCard {
        known,
        limits,
        instance_source: missing.then(|| table.instances.shown()),
        ..CloudCard::default()
    })
}

/// Measures the target of `request` and adds to the card whether it reaches the limits. Only reads are issued.
///
/// # Errors
/// The target is unusable, or a job cannot be run.
pub fn measure(
    card: &mut CloudCard,
    request: &CloudRequest,
    progress: &mut dyn Progress,
) -> Result<(), TargetError> {
    let Some(path) = &request.target else { return Ok(()) };
    let began = Instant::now();
    card.target = Some(path.display().to_string());
    let mut target = Target::open(path, &request.context.root)?;
    if target.is_scratch() {
        progress.filling();
        target.fill(&request.context, progress)?;
    }
    let alone = run(card, &target, request, (SMALL, true, 1), ALONE, progress)?;
    let alone_ns = mean_latency(&alone);
    card.alone_ns = Some(alone_ns).filter(|ns| *ns > 0.0);
    if let Some(ns) = card.alone_ns {
        card.limits.complete(ns);
    }
    let large = if card.limits.volume.whole_units { LARGEST } else { LARGE };
    for (block, random, most) in [(SMALL, true, MOST_DEPTH), (large, false, MOST_LARGE_DEPTH)] {
        let Some(cap) = card.limits.cap(block) else { continue };
        let rate = card.limits.burst_cap(block).map_or(cap.iops, |burst| burst.iops);
        let depth = (AMPLE * rate * alone_ns / 1e9).clamp(LEAST_DEPTH, most) as u32;
        let share = (1.0 - ALONE) / 2.0;
        for part in [FIRST, 1.0 - FIRST] {
            if request.context.interrupt.load(Relaxed) != 0 || card.error.is_some() {
                break;
            }
            let result = run(card, &target, request, (block, random, depth), share * part, progress)?;
            let check = judged(&card.limits, alone_ns, (block, random, depth), cap, &result);
            let clear = check.reach != CloudReach::Unclear;
            if clear || part > FIRST {
                card.checks.push(check);
                card.host = result.provenance.host;
                card.findings.extend(result.findings);
            }
            if clear {
                break;
            }
        }
    }
    card.seconds = began.elapsed().as_secs_f64();
    Ok(())
}

/// Block size in bytes, whether offsets are random, and queue depth of a pattern.
type Pattern = (u64, bool, u32);

/// Runs a pattern for `share` of the measuring time.
fn run(
    card: &mut CloudCard,
    target: &Target,
    request: &CloudRequest,
    (block, random, depth): Pattern,
    share: f64,
    progress: &mut dyn Progress,
) -> Result<RunResult, TargetError> {
    progress.measuring(block, depth);
    let time = request.measure.mul_f64(share);
    let options = [
        format!("--rw={}", if random { "randread" } else { "read" }),
        format!("--bs={block}"),
        format!("--iodepth={depth}"),
        "--norandommap".to_owned(),
        "--time_based".to_owned(),
        format!("--ramp_time={}ms", RAMP.min(time / 4).as_millis()),
        format!("--runtime={}ms", time.as_millis().max(1)),
    ];
    let result = target.job("cloud", &request.context, &options, progress)?;
    if card.stack.is_empty() {
        card.stack = result.layers.targets.first().map(|t| t.stack.clone()).unwrap_or_default();
    }
    card.error = card.error.take().or_else(|| result.jobs.iter().find_map(|j| j.error.clone()));
    Ok(result)
}

/// Returns the judged pattern. `alone_ns` is the mean latency at queue depth 1.
fn judged(
    limits: &CloudLimits,
    alone_ns: f64,
    (block, random, depth): Pattern,
    cap: CloudCap,
    result: &RunResult,
) -> CloudCheck {
    let mut check = CloudCheck {
        block,
        random,
        depth,
        measured: rate_of(result),
        cap,
        burst: limits.burst_cap(block),
        latency_ns: mean_latency(result),
        cpu: result.jobs.first().map_or(0.0, |job| {
            (job.cpu.user_percent() + job.cpu.system_percent() + job.cpu.waited_percent()) / 100.0
        }),
        reach: CloudReach::Unclear,
        binding: None,
        confirmed: false,
    };
    check.judge(limits, alone_ns);
    check
}

/// Returns the mean latency of the reads, nanoseconds.
fn mean_latency(result: &RunResult) -> f64 {
    let reads = result.jobs.first().map(|job| &job.directions[Direction::Read as usize]);
    reads.map_or(0.0, |reads| reads.lat.moments.mean())
}

/// Returns the reads per second with the 95 % interval; without an interval if the run was too short for one.
fn rate_of(result: &RunResult) -> Option<Estimate> {
    let reads = &result.jobs.first()?.directions[Direction::Read as usize];
    let half =
        result.series.first().and_then(|(_, series)| series.only(Direction::Read).half_width_percent());
    let value = reads.iops();
    let around = |half: f64| Estimate::around(value, value * half / 100.0);
    (reads.ios > 0).then(|| half.map_or(Estimate::bare(value), around))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::cloud::CloudLimit;

    fn claims(text: &str) -> CloudClaims {
        let mut words = text.split(' ').map(|word| (word != "-").then(|| word.to_owned()));
        let mut next = || words.next().flatten();
        CloudClaims {
            provider: next(),
            kind: next(),
            size: next().and_then(|n| n.parse().ok()),
            instance: next(),
            ..CloudClaims::default()
        }
    }

    fn card(text: &str) -> Result<CloudCard, CloudError> {
        let claims = claims(text);
        let root = facts::SysRoot::at("/nonexistent");
        limits_of(recognise(&root, None, &claims, false), &claims)
    }

    #[test]
    fn crossover_and_depth_follow_from_volume_and_machine() {
        let gp3 = card("- gp3 500 -").unwrap().limits;
        assert_eq!((gp3.crossover.map(|b| (b / 102.4).round() / 10.0), gp3.depth), (Some(42.7), Some(3.0)));
        let small = card("gcp pd-ssd 500 e2-standard-4").unwrap().limits;
        assert_eq!(small.cap(4096).map(|cap| cap.limit), Some(CloudLimit::InstanceIops));
        assert_eq!(small.depth, Some(15.0));
    }

    /// On a machine of Azure, `premium` is Azure's type, and `gp3` is still a type of AWS, of an unknown machine.
    #[test]
    fn the_machine_decides_between_types_of_the_same_name() {
        let fact = |value: &str| Some(CloudFact { value: value.into(), origin: CloudOrigin::Firmware });
        let on_azure = |kind: &str| {
            let claims = claims(&format!("- {kind} 100 -"));
            let mut known = recognise(&facts::SysRoot::at("/nonexistent"), None, &claims, false);
            known.provider = fact("azure");
            known.instance = fact("Standard_D8s_v3");
            limits_of(known, &claims).unwrap()
        };
        let premium = on_azure("premium");
        assert_eq!(premium.limits.volume.provider, "azure");
        assert_eq!(premium.limits.instance.and_then(|i| i.iops), Some(12800.0));
        let gp3 = on_azure("gp3");
        assert_eq!((gp3.limits.volume.provider.as_str(), gp3.known.instance), ("aws", None));
    }

    #[test]
    fn missing_facts_say_what_is_missing() {
        assert!(matches!(card("- - - -"), Err(CloudError::NoProvider)));
        assert!(matches!(card("aws - - -"), Err(CloudError::NoType { .. })));
        assert!(matches!(card("aws gp3 500 m5.huge"), Err(CloudError::Instance { .. })));
        assert!(matches!(card("awss gp3 500 -"), Err(CloudError::Provider { .. })));
    }
}
