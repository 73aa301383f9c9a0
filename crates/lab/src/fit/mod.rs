//! `fathom fit`: whether a target is good enough for a workload. Runs the jobs of a profile and compares the figures with
//! its limits.

pub mod profile;

use crate::held::{HeldTarget, Holding};
use crate::host_jobs::HostsRun;
use crate::target::{JobContext, Target, TargetError};
use profile::{Criterion, FitProfile, ProfileJob};
use run::{RunError, Watch};
use stats::converge::independent;
use stats::estimate::Estimate;
use stats::fit::{FitCard, FitFigure, FitRow, FitScale, FitVerdict, HostFigure, SuspiciousSync};
use stats::{Direction, JobOutcome, Latency, RunResult, Series};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Share of the measuring time after which a job may end, if all verdicts are certain.
const FIRST: f64 = 0.25;
/// Median of a sync, nanoseconds, below which a rotating disk has not turned: half of a rotation at 15000 rpm is 2 ms,
/// and the head may be in place.
const TURNS: u64 = 1_000_000;
/// Median of a sync, nanoseconds, below which nothing was written to flash: programming a page takes some 200 us or more.
const PROGRAMS: u64 = 100_000;
/// Median of a sync, nanoseconds, below which not even a request to a device in the machine was made and answered.
const NOTHING: u64 = 4_000;

/// Question of `fathom fit`.
pub struct FitRequest {
    /// Directory, file, block device or simulated device.
    pub target: PathBuf,
    /// Workload.
    pub profile: FitProfile,
    /// Size of the workload; `None` for the profile's default.
    pub scale: Option<f64>,
    /// Measuring time of all jobs together.
    pub measure: Duration,
    /// Environment in which the jobs run.
    pub context: JobContext,
}

/// Receiver of the progress.
pub trait Progress: Watch {
    /// Called before the scratch file is filled.
    fn filling(&mut self);

    /// Called before each job with its name.
    fn measuring(&mut self, job: &str);
}

/// Runs the jobs of the profile and returns the card.
///
/// # Errors
/// The target is unusable, or a job cannot be run.
pub fn fit(request: &FitRequest, progress: &mut dyn Progress) -> Result<FitCard, TargetError> {
    let began = Instant::now();
    let profile = &request.profile;
    let scale = profile
        .scale
        .as_ref()
        .map(|s| FitScale { unit: s.unit.clone(), wanted: request.scale.unwrap_or(s.default) });
    let mut target = Target::open_in(&request.target, &request.context, progress)?;
    let mut card = FitCard {
        profile: profile.name.clone(),
        system: profile.system.clone(),
        part: profile.part.clone(),
        target: request.target.display().to_string(),
        scale,
        left_out: profile.left_out.clone(),
        ..FitCard::default()
    };
    if target.is_scratch() && profile.jobs.iter().any(|job| job.fresh.is_none()) {
        progress.filling();
        target.fill(&request.context, progress)?;
    }
    let (context, writes) = (&request.context, profile.jobs.iter().any(ProfileJob::writes));
    let _held =
        HeldTarget::hold(&target, Holding::of("fit", writes), &mut context.consent.clone(), &context.root)?;
    let share = request.measure.div_f64(profile.jobs.len() as f64);
    let wanted = card.scale.as_ref().map_or(1.0, |s| s.wanted);
    // Jobs on data that was written come before those that empty the file.
    let (filled, fresh): (Vec<&ProfileJob>, Vec<_>) =
        profile.jobs.iter().partition(|job| job.fresh.is_none());
    for job in filled.into_iter().chain(fresh) {
        if request.context.interrupt.load(Relaxed) != 0 {
            break;
        }
        progress.measuring(&job.name);
        let (rows, HostsRun { sum: result, each }) =
            match judged(&mut target, job, (share, wanted), request, progress) {
                // The criteria of jobs that the budget ended or refused stay without a figure.
                Err(TargetError::Run(RunError::Refused(refusal))) if refusal.is_of_budget() => {
                    card.budget_used = true;
                    continue;
                }
                judged => judged?,
            };
        card.rows.extend(rows);
        if card.stack.is_empty() {
            let stack = || result.layers.targets.first().map(|t| t.stack.clone());
            card.stack = target.layers_on_hosts().map(<[String]>::to_vec).or_else(stack).unwrap_or_default();
        }
        card.suspicious =
            card.suspicious.or_else(|| std::iter::once(&result).chain(&each).find_map(suspicious));
        card.error = card.error.or_else(|| result.jobs.iter().find_map(|j| j.error.clone()));
        card.host = result.provenance.host;
        card.findings.extend(result.findings);
    }
    let missing = profile.criteria.iter().filter(|c| !card.rows.iter().any(|row| row.job == c.job));
    let missing: Vec<FitRow> = missing.map(|criterion| row(criterion, None, wanted)).collect();
    card.rows.extend(missing);
    let order =
        |row: &FitRow| profile.criteria.iter().position(|c| c.job == row.job && c.figure == row.figure);
    card.rows.sort_by_key(order);
    card.unsupported = unsupported(profile, &card.stack);
    card.seconds = began.elapsed().as_secs_f64();
    Ok(card)
}

/// Measures a job of the profile until its criteria are certain: for a part of the time, or anew for the rest of it.
/// `time` is that of the job, `scale` the size of the workload. Where several hosts run the workload, each has to meet the criteria:
/// the figure is that of the host with the worst verdict.
fn judged(
    target: &mut Target,
    job: &ProfileJob,
    (time, scale): (Duration, f64),
    request: &FitRequest,
    progress: &mut dyn Progress,
) -> Result<(Vec<FitRow>, HostsRun), TargetError> {
    let names = request.context.hosts.as_ref().map_or(&[][..], |hosts| hosts.names());
    let rows = |run: &HostsRun| -> Vec<FitRow> {
        let criteria = request.profile.criteria.iter().filter(|c| c.job == job.name);
        let of_criterion = |criterion: &Criterion| {
            let of_host = |(result, name): (&RunResult, &String)| FitRow {
                host: Some(name.clone()),
                ..row(criterion, Some(result), scale)
            };
            let each: Vec<FitRow> = run.each.iter().zip(names).map(of_host).collect();
            let figure = |row: &FitRow| {
                let FitRow { host, measured, samples, verdict, .. } = row.clone();
                Some(HostFigure { host: host?, measured, samples, verdict })
            };
            let figures = each.iter().filter_map(figure).collect();
            let worst = each.into_iter().max_by(FitRow::worse);
            let worst = worst.unwrap_or_else(|| row(criterion, Some(&run.sum), scale));
            FitRow { each: figures, ..worst }
        };
        criteria.map(of_criterion).collect()
    };
    let first = measure(target, job, time.mul_f64(FIRST), request, progress)?;
    let found = rows(&first);
    let ended =
        first.sum.jobs.iter().any(|j| j.error.is_some()) || request.context.interrupt.load(Relaxed) != 0;
    // The longest I/O of a part of the time says nothing of the rest.
    let certain = |row: &FitRow| match row.verdict {
        FitVerdict::NotSure => false,
        FitVerdict::Yes => !row.figure.is_longest(),
        FitVerdict::No => true,
    };
    if ended || found.iter().all(certain) {
        return Ok((found, first));
    }
    let second = measure(target, job, time.mul_f64(1.0 - FIRST), request, progress)?;
    Ok((rows(&second), second))
}

/// Runs a job of the profile for `time`.
fn measure(
    target: &mut Target,
    job: &ProfileJob,
    time: Duration,
    request: &FitRequest,
    progress: &mut dyn Progress,
) -> Result<HostsRun, TargetError> {
    if let Some(size) = &job.fresh {
        let size = job::unit::integer(size, 1024).map_or(64 << 20, |n| n.value.unsigned_abs());
        target.renew(size)?;
    }
    let own = ["--time_based".to_string(), format!("--runtime={}ms", time.as_millis().max(1))];
    let theirs = job.options.split_whitespace().filter_map(|option| on(target, option));
    let options: Vec<String> = own.into_iter().chain(theirs.map(|option| format!("--{option}"))).collect();
    target.job_of_each("fit", &request.context, &options, progress)
}

/// Returns an option of a profile as it is on the target; `None` if the target does not have it.
fn on(target: &Target, option: &str) -> Option<String> {
    if target.has_own_engine() && option.starts_with("ioengine=") {
        return None;
    }
    // Between a file and a volume is a file system, which writes whole blocks; some volumes take no less than a sector.
    let bytes = option.strip_prefix("bs=").and_then(|bytes| bytes.parse::<u64>().ok());
    Some(match bytes.filter(|bytes| target.is_volume_on_server() && bytes % 512 != 0) {
        Some(bytes) => format!("bs={}", bytes.next_multiple_of(4096)),
        None => option.to_owned(),
    })
}

/// Returns the criterion with the figure of a result; `None` if its job was not run.
fn row(criterion: &Criterion, result: Option<&RunResult>, scale: f64) -> FitRow {
    let figure = criterion.figure;
    let found = result.and_then(|result| {
        let series = result.series.first().map(|(_, series)| series);
        Some(measured(figure, result.jobs.first()?, series))
    });
    let (measured, samples) = found.unwrap_or((None, 0));
    let mut row = FitRow {
        job: criterion.job.clone(),
        figure,
        measured,
        samples,
        limit: criterion.limit(scale).unwrap_or(0.0),
        margin: criterion.margin,
        scales: criterion.each,
        class: criterion.class,
        source: criterion.source.clone(),
        link: criterion.link.clone(),
        read: criterion.read.clone(),
        verdict: FitVerdict::NotSure,
        largest_scale: None,
        host: None,
        each: Vec::new(),
    };
    row.judge(scale);
    row
}

/// Returns a figure of a job with its interval, and the number of samples behind it.
fn measured(figure: FitFigure, job: &JobOutcome, series: Option<&Series>) -> (Option<Estimate>, u64) {
    let [read, write] = [Direction::Read, Direction::Write].map(|d| &job.directions[d as usize]);
    let time = |latency: &Latency, percent: f64| {
        let n = latency.moments.n;
        let apart = series.map_or(n as f64, |s| independent(s, n, latency.moments.varied()));
        // Ten latencies above the percentile, or it is that of a few accidents.
        let enough = n as f64 * (1.0 - percent / 100.0) >= 9.999;
        let ends = latency.histogram.interval(percent, apart).filter(|_| enough);
        let value = latency.histogram.quantile(percent);
        let known = ends.zip(value).map(|([low, high], value)| Estimate {
            value: value as f64,
            low: low as f64,
            high: high.min(latency.moments.max()) as f64,
        });
        (known, n)
    };
    let longest = |latency: &Latency| {
        let n = latency.moments.n;
        ((n > 0).then(|| Estimate::bare(latency.moments.max() as f64)), n)
    };
    let rate = |of: Direction, value: f64, n: u64| {
        let half = series.and_then(|series| series.only(of).half_width_percent());
        (half.filter(|_| n > 0).map(|half| Estimate::around(value, value * half / 100.0)), n)
    };
    match figure {
        FitFigure::SyncTime(percent) => time(&job.sync, percent),
        FitFigure::ReadTime(percent) => time(&read.lat, percent),
        FitFigure::WriteTime(percent) => time(&write.lat, percent),
        FitFigure::LongestSync => longest(&job.sync),
        FitFigure::LongestWrite => longest(&write.lat),
        FitFigure::Commits => rate(Direction::Write, job.commit_rate(), job.syncs),
        FitFigure::Reads => rate(Direction::Read, read.iops(), read.ios),
        FitFigure::Writes => rate(Direction::Write, write.iops(), write.ios),
        FitFigure::ReadBandwidth => rate(Direction::Read, read.bytes_per_second() as f64, read.ios),
        FitFigure::WriteBandwidth => rate(Direction::Write, write.bytes_per_second() as f64, write.ios),
    }
}

/// Returns the sign that syncs do not reach the medium. A disk with protection against power loss answers from its memory;
/// it reports a cache that is not volatile. Virtual disks report what they like.
fn suspicious(result: &RunResult) -> Option<SuspiciousSync> {
    let job = result.jobs.first()?;
    let p50_ns = job.sync.histogram.quantile(50.0).filter(|_| job.syncs > 0)?;
    match result.layers.traits.last() {
        _ if p50_ns < NOTHING => Some(SuspiciousSync::CostsNothing { p50_ns }),
        None if p50_ns < PROGRAMS => Some(SuspiciousSync::CostsNothing { p50_ns }),
        Some(disk) if disk.guest => None,
        Some(disk) if disk.rotational && p50_ns < TURNS => {
            Some(SuspiciousSync::FasterThanTheDiskTurns { p50_ns })
        }
        Some(disk) if disk.volatile_cache && p50_ns < PROGRAMS => {
            Some(SuspiciousSync::VolatileCache { p50_ns })
        }
        _ => None,
    }
}

/// Returns the layer on which the project does not support the workload.
fn unsupported(profile: &FitProfile, stack: &[String]) -> Option<String> {
    let names = stack.iter().filter_map(|layer| layer.split([' ', '(']).next());
    let mut named = names.filter(|name| profile.unsupported_on.iter().any(|bad| bad == name));
    named.next().map(str::to_owned)
}
