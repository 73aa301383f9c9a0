//! `fathom explore`: finds the run time, block size, queue depth and number of jobs for a target.

use crate::environment::patience;
use crate::host_switches::HostSwitches;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::{AnswerForm, not_written, print};
use crate::stored::{Keep, provenance};
use crate::study_hosts;
use crate::study_store::{Kept, open_targets, unfinished};
use crate::wear::{self, WearLimit};
use crate::{duration, signal, terminal};
use hosts::StudyCommand;
use job::host_share::HostShare;
use job::unit::whole;
use lab::explore::explore;
use lab::explore::job_runner::axis;
use lab::host_jobs::JobHosts;
use lab::target::{JobContext, planned_wear};
use report::Lang;
use report::words::lab as words;
use run::consent::{Consent, Policy};
use stats::percentile::Goal;
use stats::study::{Access, Caveat, Question, Repeat, Study, StudyAsked, SyncCall, WriteSync};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{SystemTime, UNIX_EPOCH};

/// Arguments that a study which goes on has in the store.
const OF_NEW: [&str; 12] = [
    "targets",
    "budget",
    "patterns",
    "questions",
    "slo",
    "grid",
    "axis",
    "repeat",
    "over",
    "engine",
    "seed",
    "write",
];

/// Which block size, depth and run length? Which disk is faster?
///
/// Answers within a time budget, with confidence intervals.
#[derive(clap::Args)]
pub struct Arguments {
    /// Directory (a scratch file in it), file, block device or target on a server (rbd:POOL/IMAGE ...); two targets are measured alternately [default: current
    /// directory]. `model:servers=8;law=constant:10ms` is a simulated device
    #[arg(value_name = "TARGET", num_args = 0..=2)]
    targets: Vec<String>,
    /// Time budget; unanswered questions are listed
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = seconds)]
    budget: f64,
    /// Access patterns: BS-RW, a mix with its percentage of reads (4k-randrw70), durable writes (4k-write-fdatasync=1),
    /// or seed001 (512-byte random)
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "4k-randread,4k-randwrite,64k-read,64k-write"
    )]
    patterns: Vec<String>,
    /// Questions to answer, in this order: depth, bs, runtime, jobs, span, targets, grid, axis, slo, hosts [default:
    /// depth,bs,runtime,jobs,span; for two targets: targets; with --hosts: depth,hosts,bs]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    questions: Vec<String>,
    /// Latency goal: find the highest Poisson arrival rate that meets it. p50, p90, p99, p99.9 or mean, in us, ms or
    /// s
    #[arg(long, value_name = "GOAL", value_parser = goal)]
    slo: Option<Goal>,
    /// Also measure the full iodepth x numjobs grid
    #[arg(long)]
    grid: bool,
    /// Block queue setting to vary and restore: read_ahead_kb, scheduler, nr_requests; or NAME=A,B,C
    #[arg(long, value_name = "SETTING")]
    axis: Option<String>,
    /// Repeat the points used in the answers N times, spread over --over, to show how much runs differ
    #[arg(long, value_name = "N", requires = "over", value_parser = clap::value_parser!(u32).range(3..=10_000))]
    repeat: Option<u32>,
    /// Time over which the rounds of --repeat are spread: 90m, 24h
    #[arg(long, value_name = "TIME", requires = "repeat", value_parser = seconds)]
    over: Option<f64>,
    /// I/O engine [default: io_uring where it is available, else libaio]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also measure writes, to a file that fathom made or to an unused device; any other target needs --allow-destroy
    #[arg(long)]
    write: bool,
    /// Allow writes to this device or file, which destroys its data
    #[arg(long, value_name = "DEVICE")]
    allow_destroy: Vec<PathBuf>,
    #[command(flatten)]
    limit: WearLimit,
    /// Write the recommended fio job file to this path
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    /// Resume an unfinished study: the last one, or the one named
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "last", conflicts_with_all = OF_NEW)]
    resume: Option<String>,
    #[command(flatten)]
    keep: Keep,
    /// Print every answer as a sentence, and every measured point
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    form: AnswerForm,
    #[command(flatten)]
    view: ViewSwitch,
    #[command(flatten)]
    hosts: HostSwitches,
    /// With --hosts: print the commands that start the agents, and measure nothing
    #[arg(long)]
    dry_run: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    duration::parse(text).map(|time| time.as_secs_f64())
}

/// Parses a latency goal such as `p99=2ms` or `mean=300us`.
fn goal(text: &str) -> Result<Goal, String> {
    let right =
        || "give a goal, like p99=2ms: p50, p90, p99, p99.9 or mean, and a time in us, ms or s".to_string();
    let (name, most) = text.split_once('=').ok_or_else(right)?;
    let percentile = match name.strip_prefix('p') {
        Some(number) => {
            Some(number.parse::<f64>().ok().filter(|p| (1.0..=99.99).contains(p)).ok_or_else(right)?)
        }
        None if name == "mean" => None,
        None => return Err(right()),
    };
    let hour = std::time::Duration::from_secs(3600);
    let most = duration::parse_with_unit(most).filter(|most| *most < hour).ok_or_else(right)?;
    Ok(Goal { percentile, nanos: (most.as_nanos() as u64).max(1) })
}

/// Parses an access pattern such as `4k-randread`, `4k-randrw70` or `4k-write-fdatasync=1`; `seed001` stands for two.
fn pattern(text: &str) -> Result<Vec<Access>, String> {
    if text == "seed001" {
        let access = |rw: &str| Access { rw: rw.into(), bs: 512, reads: None, sync: None };
        return Ok(vec![access("randread"), access("randwrite")]);
    }
    let right = || {
        format!(
            "--patterns: {text:?} is no pattern: BS-RW with RW one of read, write, randread, randwrite, rw70, randrw70, and after one that writes -fsync=N or -fdatasync=N; or seed001"
        )
    };
    let (bs, rest) = text.split_once('-').ok_or_else(right)?;
    let (rw, sync) = rest.split_once('-').map_or((rest, None), |(rw, sync)| (rw, Some(sync)));
    let bs = whole(bs, 1024).filter(|n| *n >= 512 && n.is_multiple_of(512)).ok_or_else(right)?;
    let name = rw.trim_end_matches(|c: char| c.is_ascii_digit());
    let reads = match &rw[name.len()..] {
        "" => None,
        percent => Some(percent.parse::<u32>().ok().filter(|p| *p <= 100).ok_or_else(right)?),
    };
    let mixes = matches!(name, "rw" | "randrw");
    if !mixes && (reads.is_some() || !matches!(name, "read" | "write" | "randread" | "randwrite")) {
        return Err(right());
    }
    let sync = sync.map(|text| write_sync(text).ok_or_else(right)).transpose()?;
    let access = Access { rw: name.into(), bs, reads, sync };
    if access.sync.is_some() && !access.writes() { Err(right()) } else { Ok(vec![access]) }
}

/// Parses the sync calls of a write pattern: `fsync=N` or `fdatasync=N`, one call after every N writes.
fn write_sync(text: &str) -> Option<WriteSync> {
    let (name, every) = text.split_once('=')?;
    let call = SyncCall::ALL.into_iter().find(|call| call.name() == name)?;
    let every = every.parse().ok().filter(|every| *every > 0)?;
    Some(WriteSync { call, every })
}

/// Questions about one target.
const FOR_ONE: [Question; 5] =
    [Question::Depth, Question::Bs, Question::Runtime, Question::Jobs, Question::Span];
/// Questions about a target of several hosts.
const FOR_HOSTS: [Question; 3] = [Question::Depth, Question::Hosts, Question::Bs];
/// Question about two targets.
const FOR_TWO: [Question; 1] = [Question::Targets];

/// Returns what of the arguments cannot be given for several hosts, as a line for the user.
fn unfit(a: &Arguments, questions: &[Question], lang: Lang) -> Option<String> {
    let given = [
        ("--axis", a.axis.is_some() || questions.contains(&Question::Axis)),
        ("--repeat", a.repeat.is_some()),
        ("--wear-budget", a.limit.wear_budget.is_some()),
    ];
    let switch = given.iter().find(|(_, given)| *given).map(|(switch, _)| *switch);
    let unfit = switch.map(|switch| report::hosts::not_with_study(lang, switch));
    unfit.or_else(|| (a.targets.len() > 1).then(|| report::hosts::one_target(lang)))
}

fn usage(text: &str) -> i32 {
    eprintln!("fathom: {text}");
    2
}

/// Runs `fathom explore` and returns the exit status.
pub fn main(lang: Lang, a: Arguments) -> i32 {
    let mut patterns = Vec::new();
    for text in &a.patterns {
        match pattern(text) {
            Ok(found) => patterns.extend(found),
            Err(why) => return usage(&why),
        }
    }
    let mut questions = Vec::new();
    for text in a.questions.iter().filter(|t| !t.is_empty()) {
        // Repetition needs a number of rounds and a time, which `--repeat` and `--over` give.
        let asked = |q: &Question| q.name() == text.as_str() && *q != Question::Repeat;
        match Question::ALL.into_iter().find(asked) {
            Some(question) => questions.push(question),
            None => {
                let all: Vec<&str> = Question::ALL.iter().map(|q| q.name()).collect();
                return usage(&format!("--questions: {text:?} is none of {}", all.join(", ")));
            }
        }
    }
    let hosts = match study_hosts::asked((&a.hosts, a.dry_run), StudyCommand::Explore, &a.allow_destroy, lang)
    {
        Ok(hosts) => hosts,
        Err(status) => return status,
    };
    if let Some(why) = hosts.as_ref().and_then(|_| unfit(&a, &questions, lang)) {
        return usage(&why);
    }
    if hosts.is_none() && questions.contains(&Question::Hosts) && a.resume.is_none() {
        return usage(&report::hosts::only_with_hosts(lang, "--questions=hosts"));
    }
    if a.questions.is_empty() && hosts.is_some() {
        questions.extend(FOR_HOSTS);
    } else if a.questions.is_empty() {
        let more = a.slo.is_some() || a.grid || a.axis.is_some() || a.repeat.is_some();
        questions.extend(if a.targets.len() == 2 && !more { &FOR_TWO[..] } else { &FOR_ONE[..] });
    }
    if questions.contains(&Question::Targets) && a.targets.len() != 2 && a.resume.is_none() {
        return usage("--questions targets: compares two targets: fathom explore TARGET TARGET");
    }
    let asks_slo = questions.contains(&Question::Slo);
    match (a.slo, asks_slo) {
        // The question of depth measures the target's maximum rate, which the search for the goal starts from.
        (Some(_), false) => {
            let at = questions.iter().position(|q| *q == Question::Depth).map_or(0, |n| n + 1);
            questions.insert(at, Question::Slo);
        }
        (None, true) if a.resume.is_none() => {
            return usage("--questions slo: needs a goal, like --slo p99=2ms");
        }
        _ => {}
    }
    if a.grid && !questions.contains(&Question::Grid) {
        questions.push(Question::Grid);
    }
    let keep = a.keep.choice();
    let outputs = a.job.as_deref().map_or(Ok(()), |path| {
        // A job file of the user is easily taken for an input of this switch.
        run::output::check_begins(path, lab::explore::recommended::HEAD.as_bytes())
    });
    if let Err(e) = outputs
        .map_err(|e| (report::words::run::output_error(lang, &e), e.exit_code()))
        .and_then(|()| keep.may_be_written(lang))
    {
        eprintln!("fathom: {}", e.0);
        return e.1;
    }
    let resumed = match a.resume.as_deref().map(|which| unfinished(lang, &keep, which, false)).transpose() {
        Ok(resumed) => resumed,
        Err(why) => return usage(&format!("--resume: {why}")),
    };
    let interrupt = signal::watch();
    restore_kernel_settings(lang);
    let targets = match &resumed {
        Some((_, study, _)) => study.asked.targets.clone(),
        None if a.targets.is_empty() => vec![".".to_string()],
        None => a.targets.clone(),
    };
    let mut context = JobContext::here(interrupt.clone(), patience(), report::words::lab::stored);
    context.scratch_named = crate::live::scratch_named(lang);
    context.consent = Consent::new(Policy::Own, a.allow_destroy.clone());
    let wear_budget =
        a.limit.wear_budget.or(resumed.as_ref().and_then(|(_, study, _)| study.asked.wear_budget));
    context.allowance = wear::allowance(wear_budget);
    let allowance = context.allowance.clone();
    let (patterns_asked, budget_s) = match &resumed {
        Some((_, study, _)) => (&study.asked.patterns, study.asked.budget_s),
        None => (&patterns, a.budget),
    };
    let pattern_writes = patterns_asked.iter().any(|p| p.writes());
    let asked_to_write = match &resumed {
        Some((_, study, _)) => study.asked.write && pattern_writes,
        None => (a.write || !a.allow_destroy.is_empty()) && pattern_writes,
    };
    if let Some((_, study, _)) = &resumed {
        let names = hosts.as_ref().map_or(&[][..], |hosts| hosts.names());
        if names != study.asked.hosts {
            return usage(&report::hosts::other_hosts(lang, study.id, &study.asked.hosts));
        }
    }
    if let Some(hosts) = &hosts {
        hosts.will_write(asked_to_write);
        context.hosts = Some(hosts.clone());
    }
    // The disks of hosts are not known yet.
    for target in targets.iter().map(Path::new).filter(|_| hosts.is_none()) {
        let writes = if target.is_dir() { pattern_writes } else { asked_to_write };
        wear::print(lang, &planned_wear(target, writes, budget_s, &context));
    }
    let began_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
    let mut watch = OwnWatch::new(lang).with_view(a.view);
    watch.what = "explore".into();
    let before = resumed.as_ref().map(|(_, study, _)| study);
    let (mut runner, found) = match open_targets(lang, &targets, before, context, &mut watch) {
        Ok(opened) => opened,
        Err((line, status)) => {
            eprintln!("fathom: {line}");
            return status;
        }
    };
    if let Some(engine) = &a.engine {
        runner.use_engine(engine);
    }
    let axis = match a.axis.as_deref().map(|text| axis(text, &runner)).transpose() {
        Ok(axis) => axis,
        Err(why) => return usage(&format!("--axis: {}", words::axis_error(lang, &why))),
    };
    if axis.is_some() && !questions.contains(&Question::Axis) {
        questions.push(Question::Axis);
    }
    if let Err(e) = runner.hold("explore", asked_to_write) {
        eprintln!("{}", words::target_error(lang, &e));
        return e.exit_code();
    }
    let mut host = facts::machine::host(&facts::SysRoot::machine());
    provenance(&mut host, targets.iter().map(String::as_str));
    let (study, mut kept) = match resumed {
        Some((store, study, lock)) => {
            let id = study.id;
            (study, Kept::resumed(store, id, lock))
        }
        None => {
            let mut study = Study {
                version: env!("CARGO_PKG_VERSION").into(),
                host,
                began_ms,
                asked: StudyAsked {
                    targets,
                    budget_s: a.budget,
                    patterns,
                    questions,
                    seed: a.seed,
                    engine: runner.engine(),
                    write: a.write || !a.allow_destroy.is_empty(),
                    axis,
                    repeat: a.repeat.zip(a.over).map(|(rounds, over_s)| Repeat { rounds, over_s }),
                    slo: a.slo,
                    wear_budget,
                    hosts: hosts.as_ref().map(|hosts| hosts.names().to_vec()).unwrap_or_default(),
                    share: match a.hosts.share {
                        HostShare::Own => String::new(),
                        shared => shared.word().to_owned(),
                    },
                    sweep: None,
                },
                targets: found,
                notes: runner.engine_note().into_iter().collect(),
                ..Study::default()
            };
            let kept = Kept::begin(&keep, &mut study);
            (study, kept)
        }
    };
    let study = explore(study, &mut runner, &mut kept);
    let left = runner.restore_settings();
    let refused = runner.refused().map(|e| (words::target_error(lang, e), e.exit_code()));
    drop(runner);
    watch.clear();
    left.iter().for_each(|fact| eprintln!("fathom: {}", report::words::note::note(lang, fact)));
    if let Some(path) = a.job.as_ref().filter(|_| !study.recommended.is_empty())
        && let Err(e) = run::output::write(path, study.recommended.as_bytes())
    {
        not_written(report::words::run::output_error(lang, &e));
    }
    // A study that was ended by a signal stays unfinished, so that --resume can continue it.
    if study.complete
        && let Some(store) = &mut kept.store
        && let Err(e) = store.finish_study(kept.id, &study)
    {
        kept.give_up(e);
    }
    print(&match (a.form.json, a.why) {
        (true, _) => report::study::json(&study),
        (_, true) => report::study::reasons(lang, &study, terminal::width()),
        _ => report::study::render(lang, &study, terminal::width()),
    });
    if a.form.charts {
        print(&crate::charts::below_study(&study, lang));
    }
    if let Some(why) = &kept.trouble {
        eprintln!("fathom: this study is not stored: {}", why.words(lang));
    }
    if let Some((line, status)) = refused {
        eprintln!("fathom: {line}");
        return status;
    }
    let failed = |caveat: &Caveat| matches!(caveat, Caveat::Errors { .. });
    match interrupt.load(Relaxed) {
        0 if study.points.is_empty() && allowance.is_some_and(|allowance| allowance.permitted_nothing()) => {
            job::exit_status::REFUSED
        }
        // The study has no answer at all: every question ended with an error.
        0 if study.conclusions.is_empty() => 1,
        0 if study.conclusions.iter().flat_map(|c| &c.caveats).any(failed) => 1,
        0 if kept.trouble.is_some() && a.keep.store.is_some() => run::output::NOT_WRITTEN,
        0 => 0,
        _ => 128,
    }
}
