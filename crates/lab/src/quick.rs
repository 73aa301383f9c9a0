//! The twenty-second check: runs a fixed list of patterns, each for an equal share of the time.

use crate::target::{JobContext, Target, TargetError};
use run::Watch;
use stats::Direction;
use stats::quick::{NotMeasured, QuickCard, QuickCaveat, QuickRow};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Target and measuring time of a check.
pub struct QuickRequest {
    /// Directory, file, block device or simulated device to check.
    pub target: PathBuf,
    /// Measuring time of all patterns together.
    pub measure: Duration,
    /// Environment in which the jobs run.
    pub context: JobContext,
}

/// Receiver of the progress of a check.
pub trait Progress: Watch {
    /// Called before the scratch file is filled.
    fn filling(&mut self);

    /// Called before each pattern, with its label, direction and queue depth.
    fn pattern(&mut self, name: &str, direction: Direction, depth: u32);
}

/// Access pattern of the check: label on the card and job options.
struct Pattern {
    name: &'static str,
    direction: Direction,
    rw: &'static str,
    bs: &'static str,
    depth: u32,
    /// Whether each write is followed by an fdatasync (`fdatasync=1`).
    durable: bool,
}

const fn pattern(
    name: &'static str,
    direction: Direction,
    rw: &'static str,
    bs: &'static str,
    depth: u32,
) -> Pattern {
    Pattern { name, direction, rw, bs, depth, durable: false }
}

impl Pattern {
    /// Returns the pattern with an fdatasync after each write.
    const fn durable(self) -> Pattern {
        Pattern { durable: true, ..self }
    }
}

/// Patterns in the order of the card. The depths of the sequential patterns keep a single device busy without long
/// queues.
const PATTERNS: [Pattern; 9] = [
    pattern("4k random", Direction::Read, "randread", "4k", 1),
    pattern("4k random", Direction::Read, "randread", "4k", 32),
    pattern("64k sequential", Direction::Read, "read", "64k", 8),
    pattern("1M sequential", Direction::Read, "read", "1M", 4),
    pattern("4k durable", Direction::Write, "write", "4k", 1).durable(),
    pattern("4k random", Direction::Write, "randwrite", "4k", 1),
    pattern("4k random", Direction::Write, "randwrite", "4k", 32),
    pattern("64k sequential", Direction::Write, "write", "64k", 8),
    pattern("1M sequential", Direction::Write, "write", "1M", 4),
];

/// Runs the check and returns its card. Patterns that write run only on a scratch file.
///
/// # Errors
/// The target is unusable, or a job cannot be run.
pub fn check(request: &QuickRequest, progress: &mut dyn Progress) -> Result<QuickCard, TargetError> {
    let began = Instant::now();
    let mut card = QuickCard { target: request.target.display().to_string(), ..QuickCard::default() };
    let mut target = Target::open_in(&request.target, &request.context, progress)?;
    if !target.direct {
        card.caveats.push(QuickCaveat::NoDirectIo);
    }
    card.engine.clone_from(&target.engine);
    card.engine_note.clone_from(&target.engine_note);
    if target.is_scratch() {
        progress.filling();
        target.fill(&request.context, progress)?;
    }
    let writes = target.is_scratch();
    let patterns: Vec<&Pattern> =
        PATTERNS.iter().filter(|p| writes || p.direction == Direction::Read).collect();
    let share = request.measure.as_millis() / patterns.len().max(1) as u128;
    let mut layers: Option<stats::Layers> = None;
    for p in patterns {
        if request.context.interrupt.load(Relaxed) != 0 {
            card.caveats.push(QuickCaveat::Interrupted);
            break;
        }
        progress.pattern(p.name, p.direction, p.depth);
        let mut options = vec![
            format!("--rw={}", p.rw),
            format!("--bs={}", p.bs),
            format!("--iodepth={}", p.depth),
            "--norandommap".into(),
            "--time_based".into(),
            format!("--runtime={}ms", share.max(1)),
        ];
        if p.durable {
            options.push("--fdatasync=1".into());
        }
        let result = target.job("check", &request.context, &options, progress)?;
        card.add_findings(&stats::row_name(p.name, p.direction, p.depth), result.findings);
        for note in result.notes.iter().filter(|n| !n.kind.is_fios()) {
            let caveat = QuickCaveat::Note(note.fact.clone());
            if !card.caveats.contains(&caveat) {
                card.caveats.push(caveat);
            }
        }
        for job in &result.jobs {
            let row = QuickRow::from_outcome(p.name, p.direction, job).on_hosts(&result.host_iops);
            let series = result.series.first().filter(|_| result.jobs.len() == 1);
            card.rows.push(series.map_or(row.clone(), |(_, series)| row.known_by(job, series)));
        }
        card.host = result.provenance.host;
        match &mut layers {
            None => layers = Some(result.layers),
            Some(all) => all.add(&result.layers),
        }
    }
    card.kind = target.kind.unwrap_or_default();
    card.size = target.size;
    card.layers = layers.unwrap_or_default();
    let stack = || card.layers.targets.first().map(|t| t.stack.clone());
    card.stack = target.layers_on_hosts().map(<[String]>::to_vec).or_else(stack).unwrap_or_default();
    card.seconds = began.elapsed().as_secs_f64();
    card.not_measured = match card.kind {
        _ if writes => {
            vec![NotMeasured::SustainedWrites, NotMeasured::FullDevice, NotMeasured::BeyondScratch]
        }
        _ => vec![NotMeasured::Writes, NotMeasured::BusyOrFull],
    };
    Ok(card)
}
