//! The check of twenty seconds: seed 000's patterns, each for its share of the time, and what lies beneath.

use crate::findings;
use crate::scratch::Scratch;
use facts::SysRoot;
use job::files::NoFiles;
use job::{Dialect, Parsed};
use run::consent::{Consent, Policy};
use run::prepare::Host;
use run::{RunError, Setup, Watch};
use stats::note::NoteKind;
use stats::quick::{QuickCard, QuickRow, QuickTarget};
use stats::unit::{GIB, MIB};
use stats::{Direction, RunResult};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What to check.
pub struct Asked {
    /// Directory, file or device.
    pub target: PathBuf,
    /// Time that the patterns may take together.
    pub measure: Duration,
    /// The machine's facts.
    pub root: SysRoot,
    /// The signal that asks for an early end; 0 = none yet.
    pub interrupt: Arc<AtomicUsize>,
    /// As [`Setup::patience`].
    pub patience: Duration,
}

/// Is told what is being measured.
pub trait Progress: Watch {
    /// The next pattern begins.
    fn pattern(&mut self, what: &str);
}

/// Why there is no card.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The target cannot be used.
    #[error("{}: {why}", path.display())]
    Target {
        /// Path.
        path: PathBuf,
        /// Why, and what would be right.
        why: String,
    },
    /// A pattern could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl CheckError {
    /// 3 when refused for safety, else 1.
    pub fn exit_code(&self) -> i32 {
        match self {
            CheckError::Run(RunError::Refused(refusal)) => refusal.exit_code,
            _ => 1,
        }
    }
}

/// One pattern: what it is called, and its options.
struct Pattern {
    name: &'static str,
    direction: Direction,
    rw: &'static str,
    bs: &'static str,
    depth: u32,
}

const fn pattern(
    name: &'static str,
    direction: Direction,
    rw: &'static str,
    bs: &'static str,
    depth: u32,
) -> Pattern {
    Pattern { name, direction, rw, bs, depth }
}

/// In the order of the card. Depths of the sequential ones keep any single device busy without queueing for long.
const PATTERNS: [Pattern; 8] = [
    pattern("4k random", Direction::Read, "randread", "4k", 1),
    pattern("4k random", Direction::Read, "randread", "4k", 32),
    pattern("64k sequential", Direction::Read, "read", "64k", 8),
    pattern("1M sequential", Direction::Read, "read", "1M", 4),
    pattern("4k random", Direction::Write, "randwrite", "4k", 1),
    pattern("4k random", Direction::Write, "randwrite", "4k", 32),
    pattern("64k sequential", Direction::Write, "write", "64k", 8),
    pattern("1M sequential", Direction::Write, "write", "1M", 4),
];

/// The scratch file: at most this, at most a tenth of what is free, and what can be filled in [`FILL`].
const SCRATCH: u64 = GIB;
/// The least that makes sense.
const LEAST: u64 = 16 * MIB;
/// Longest time to fill it.
const FILL: Duration = Duration::from_millis(3500);

/// The thing under test.
struct Subject {
    path: PathBuf,
    kind: QuickTarget,
    size: u64,
    /// Keeps the scratch file alive.
    _scratch: Option<Scratch>,
}

fn refuse(path: &Path, why: impl Into<String>) -> CheckError {
    CheckError::Target { path: path.into(), why: why.into() }
}

/// Runs the check.
pub fn check(asked: &Asked, progress: &mut dyn Progress) -> Result<QuickCard, CheckError> {
    let began = Instant::now();
    let mut card = QuickCard { target: asked.target.display().to_string(), ..QuickCard::default() };
    let engine = engine_of(&asked.root);
    let mut subject = subject(asked)?;
    let mut direct = accepts_direct(&subject.path);
    if !direct {
        card.caveats.push("the file system refuses O_DIRECT: the page cache is in these figures".into());
    }
    if subject.kind == QuickTarget::ScratchFile {
        progress.pattern("filling the scratch file");
        let runtime = FILL.as_millis();
        let fill =
            ["--rw=write", "--bs=1M", "--iodepth=8", "--refill_buffers", "--invalidate=0"].map(String::from);
        let result = one(asked, &subject, &engine, direct, &fill, runtime, progress)?;
        if let Some(error) = result.jobs.iter().find_map(|j| j.error.clone()) {
            return Err(refuse(
                &asked.target,
                format!("the scratch file could not be filled: {}", error.text),
            ));
        }
        subject.size = result.jobs.iter().map(|j| j.directions[1].bytes).sum::<u64>() / MIB * MIB;
        if subject.size < LEAST.min(MIB) {
            return Err(refuse(&asked.target, "not even one MiB could be written in time"));
        }
        direct &= accepts_direct(&subject.path);
    }
    let writes = subject.kind == QuickTarget::ScratchFile;
    let patterns: Vec<&Pattern> =
        PATTERNS.iter().filter(|p| writes || p.direction == Direction::Read).collect();
    let share = asked.measure.as_millis() / patterns.len().max(1) as u128;
    let mut layers: Option<stats::Layers> = None;
    for p in patterns {
        if asked.interrupt.load(Relaxed) != 0 {
            card.caveats.push("ended early by a signal: the missing patterns were not measured".into());
            break;
        }
        progress.pattern(&format!("{} {}, depth {}", p.name, p.direction.name(), p.depth));
        let options = [
            format!("--rw={}", p.rw),
            format!("--bs={}", p.bs),
            format!("--iodepth={}", p.depth),
            "--norandommap".into(),
        ];
        let result = one(asked, &subject, &engine, direct, &options, share.max(1), progress)?;
        card.add_findings(&format!("{} {}", p.name, p.direction.name()), result.findings);
        for note in result.notes.iter().filter(|n| n.kind != NoteKind::Fio) {
            if !card.caveats.contains(&note.text) {
                card.caveats.push(note.text.clone());
            }
        }
        for job in &result.jobs {
            card.rows.push(QuickRow::from_outcome(p.name, p.direction, job));
        }
        match &mut layers {
            None => layers = Some(result.layers),
            Some(all) => all.add(&result.layers),
        }
    }
    card.kind = subject.kind;
    card.size = subject.size;
    card.layers = layers.unwrap_or_default();
    card.stack = card.layers.targets.first().map(|t| t.stack.clone()).unwrap_or_default();
    card.seconds = began.elapsed().as_secs_f64();
    card.not_said = match subject.kind {
        QuickTarget::ScratchFile => {
            vec!["sustained writes".into(), "a full device".into(), "anything beyond the scratch file".into()]
        }
        _ => vec!["writes (this target was only read)".into(), "a busy or full device".into()],
    };
    Ok(card)
}

/// io_uring where this process may use it, else kernel AIO.
fn engine_of(root: &SysRoot) -> String {
    let forbidden = root.number::<u32>("/proc/sys/kernel/io_uring_disabled").unwrap_or(0) > 0;
    if forbidden { "libaio" } else { "io_uring" }.into()
}

fn accepts_direct(path: &Path) -> bool {
    use rustix::fs::{Mode, OFlags, open};
    open(path, OFlags::RDONLY | OFlags::DIRECT | OFlags::CLOEXEC, Mode::empty()).is_ok()
}

fn subject(asked: &Asked) -> Result<Subject, CheckError> {
    let path = &asked.target;
    let meta = std::fs::metadata(path).map_err(|e| refuse(path, plain(&e)))?;
    if meta.is_dir() {
        let space = rustix::fs::statvfs(path).map_err(|e| refuse(path, plain(&e.into())))?;
        let free = space.f_bavail.saturating_mul(space.f_frsize);
        let memory = facts::memory::available_bytes(&asked.root).unwrap_or(u64::MAX);
        let size = SCRATCH.min(free / 10).min(memory / 8) / MIB * MIB;
        if size < LEAST {
            let why = format!(
                "{} MiB free (and {} MiB of memory) is too little for a scratch file of 16 MiB",
                free / MIB,
                memory / MIB
            );
            return Err(refuse(path, why));
        }
        let scratch = Scratch::new(path, size).map_err(|e| {
            refuse(path, format!("no scratch file can be made here ({}): give a directory you may write to, or a file or device to read", plain(&e)))
        })?;
        return Ok(Subject {
            path: scratch.path(),
            kind: QuickTarget::ScratchFile,
            size,
            _scratch: Some(scratch),
        });
    }
    use std::os::unix::fs::FileTypeExt;
    let kind = if meta.file_type().is_block_device() { QuickTarget::Device } else { QuickTarget::File };
    if kind == QuickTarget::File && !meta.is_file() {
        return Err(refuse(path, "neither a directory, a regular file nor a block device"));
    }
    let look = job::plan::Inspect::look(&mut Host, path).map_err(|e| refuse(path, plain(&e)))?;
    if look.size < MIB {
        return Err(refuse(path, format!("{} bytes are too few to measure: 1 MiB at least", look.size)));
    }
    Ok(Subject { path: path.clone(), kind, size: look.size / 4096 * 4096, _scratch: None })
}

fn plain(e: &io::Error) -> String {
    e.raw_os_error().map_or_else(|| e.to_string(), run::tally::errno_text)
}

/// Runs one job on the subject, written in fio's language.
fn one(
    asked: &Asked,
    subject: &Subject,
    engine: &str,
    direct: bool,
    options: &[String],
    runtime_ms: u128,
    progress: &mut dyn Progress,
) -> Result<RunResult, CheckError> {
    // A colon separates names in `filename`.
    let filename = subject.path.to_string_lossy().replace('\\', "\\\\").replace(':', "\\:");
    let writes_once = options.iter().any(|o| o == "--refill_buffers");
    let mut args: Vec<OsString> = vec![
        "--name=check".into(),
        format!("--filename={filename}").into(),
        format!("--size={}", subject.size).into(),
        format!("--ioengine={engine}").into(),
        format!("--direct={}", u8::from(direct)).into(),
        format!("--runtime={runtime_ms}ms").into(),
    ];
    args.extend(options.iter().map(OsString::from));
    if !writes_once {
        args.push("--time_based".into());
    }
    let not_ours = |text: String| refuse(&asked.target, text.trim_end().to_string());
    let line = match job::command_line(&args, "fathom", Dialect::Run, &mut NoFiles) {
        Ok(Parsed::Run(line)) => line,
        Ok(Parsed::Print { stderr, .. }) => return Err(not_ours(stderr)),
        Ok(Parsed::Calibrate) => return Err(not_ours(String::new())),
        Err(usage) => return Err(not_ours(usage.stderr)),
    };
    let plan = job::plan(line.jobs, &mut Host).map_err(|e| not_ours(e.text))?;
    let setup = Setup {
        consent: Consent { policy: Policy::Own, allow_destroy: Vec::new() },
        root: asked.root.clone(),
        interrupt: asked.interrupt.clone(),
        all_histograms: true,
        idleness: false,
        patience: asked.patience,
        window: stats::Series::WINDOW,
        models: Default::default(),
    };
    let mut result = run::run(&plan, &setup, progress)?;
    result.findings = findings::judge(&plan, &result, &asked.root);
    Ok(result)
}
