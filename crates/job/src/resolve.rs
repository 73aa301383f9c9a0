//! Validation of a section's options, [`JobSpec`] to [`Job`]: fills in defaults, makes implicit changes, and checks
//! everything that needs no file.

mod content;
mod engine;
mod logs;
mod pattern;
mod rate;
mod remote;
mod replay;
mod steady;
mod target;
mod think_time;
mod verify;
use crate::bad_value::BadValue;
use crate::defaults::or_default;
use crate::diagnostic::Diagnostic;
use crate::errnos;
use crate::flow::Flow;
use crate::job::*;
use crate::job_fault::JobFault;
use crate::refused_value::{FioEnd, RefusedValue};
use crate::spec::{Chosen, JobSpec, Nanos, Place, Typed};
use crate::sprandom::SprandomFault;
use crate::{max_latency, sync_range};
use content::{check_dedupe, payload};
use engine::{blocks_of_pages, engine, memory, placement, priorities, queue, submitted};
use logs::logs;
use pattern::{pattern, zone_writes};
use rate::rate;
use replay::replay;
use stats::note::NoteKind;
use stats::slow_ios::SlowIos;
use stats::unit::MILLISECOND;
use stats::{LatencyGoal, Note};
use std::num::{NonZeroU32, NonZeroU64};
use steady::steady;
use target::target;
use think_time::think_time;
use verify::verify;

/// Largest number of clones of a job; each is a thread.
pub const MOST_CLONES: i64 = 65_536;
/// Largest number of files of a clone.
pub const MOST_FILES: i64 = 1 << 20;
/// Largest number of I/Os in flight: the number of a slot has 16 bits.
pub const MOST_IN_FLIGHT: i64 = 65_535;

/// Values that a job gets from the program, not from its section.
#[derive(Clone, Debug)]
pub struct ResolveContext {
    /// Number of the reporting group, from 0.
    pub group: u32,
    /// Whether the job starts after all earlier jobs have ended.
    pub stonewall: bool,
    /// Whether jobs may not write (`--readonly`).
    pub readonly: bool,
    /// Random seed that differs from run to run, for `randrepeat=0`.
    pub entropy: u64,
    /// Number of options in `typed` that were inherited from global sections, which `job options` does not repeat.
    pub inherited: usize,
}

/// Refusal of a job with invalid options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Reason for the refusal.
    pub diagnostic: Diagnostic,
    /// Whether fio finds the error while parsing, so that `--parse-only` fails too.
    pub while_parsing: bool,
    /// Whether the job could change data that it must not change; the exit status is then 3.
    pub for_safety: bool,
}

/// Validated job with the warnings about it.
pub struct Resolved {
    /// Validated job.
    pub job: Job,
    /// Warnings that do not prevent the run.
    pub warnings: Vec<Diagnostic>,
}

fn refuse(spec: &JobSpec, option: &'static str, fault: JobFault) -> Refusal {
    let job = spec.name.clone().unwrap_or_default();
    let typed = spec.place_of(option).map(|typed| Box::new((typed.place.clone(), typed.to_string())));
    let diagnostic = Diagnostic::Job { job, option, typed, fault };
    Refusal { diagnostic, while_parsing: false, for_safety: false }
}

/// Returns the refusal of a value in which fio finds an error when it makes the job, not when it reads the option.
fn refuse_value(spec: &JobSpec, option: &str, bad: BadValue, fio_end: FioEnd) -> Refusal {
    let typed = spec.place_of(option);
    let value = RefusedValue {
        place: typed.map_or(Place::CommandLine, |typed| typed.place.clone()),
        typed: typed.map_or_else(|| option.to_owned(), Typed::to_string),
        bad,
        fio_end,
    };
    Refusal { diagnostic: Diagnostic::Value(Box::new(value)), while_parsing: false, for_safety: false }
}

/// Returns the first option by which a job starts a program, and the program.
fn starts_program<'a>(spec: &'a JobSpec, engine: &'a EngineChoice) -> Option<(&'static str, &'a str)> {
    let program = match engine {
        EngineChoice::Exec(exec) => Some(("ioengine", exec.program.as_deref().unwrap_or_default())),
        _ => None,
    };
    let typed = |text: &'a Option<String>| text.as_deref().filter(|text| !text.is_empty());
    program
        .or(typed(&spec.exec_prerun).map(|text| ("exec_prerun", text)))
        .or(typed(&spec.exec_postrun).map(|text| ("exec_postrun", text)))
}

/// Validates the options of a job and fills in defaults.
///
/// # Errors
/// Options contradict each other, or exceed a limit of fathom.
pub fn resolve(spec: &JobSpec, around: &ResolveContext) -> Result<Resolved, Refusal> {
    let name = spec.name.clone().unwrap_or_default();
    let mut notes: Vec<Note> =
        spec.remarks.iter().map(|fact| Note::new(NoteKind::Remark, &name, fact.clone())).collect();
    let mut warnings = Vec::new();
    let mut pattern = pattern(spec, around, &mut warnings)?;
    let engine = submitted(spec, engine(spec)?)?;
    if around.readonly && !matches!(pattern.mix, Mix::Read) {
        let refusal = refuse(spec, "rw", JobFault::WritesUnderReadonly);
        return Err(Refusal { while_parsing: true, ..refusal });
    }
    if around.readonly && matches!(engine, EngineChoice::Names(_, NameCall::Create | NameCall::Delete)) {
        return Err(refuse(spec, "ioengine", JobFault::NamesUnderReadonly { engine: engine.name() }));
    }
    if around.readonly
        && let Some((option, program)) = starts_program(spec, &engine)
    {
        let fault = JobFault::ProgramUnderReadonly { program: program.to_owned() };
        return Err(Refusal { for_safety: true, ..refuse(spec, option, fault) });
    }
    let mut target = target(spec, around, &pattern)?;
    // No page cache of this machine is between the job and the server.
    target.direct |= engine.remote().is_some();
    blocks_of_pages(spec, &engine, &pattern)?;
    let queue = queue(spec, &engine, &pattern, &mut notes)?;
    let mut limits = limits(spec)?;
    if limits.time_based && limits.runtime.is_none() {
        limits.time_based = false;
        warnings.push(Diagnostic::TimeBasedIgnored);
    }
    if limits.ramp_size.is_some() && !engine.does_io() {
        return Err(refuse(spec, "ramp_size", JobFault::MovesNoBytes { engine: engine.name() }));
    }
    start_clock(spec)?;
    let by_name = matches!(engine, EngineChoice::Names(..));
    check_dedupe(spec, &target)?;
    if pattern.sprandom.is_some() && target.nrfiles > 1 {
        return Err(refuse(spec, "sprandom", JobFault::Sprandom(SprandomFault::SeveralFiles)));
    }
    if !pattern.lines.is_empty() && target.nrfiles > 1 {
        return Err(refuse(spec, "access_spec", JobFault::AccessFiles));
    }
    let verify = verify(spec, &pattern, &engine)?;
    // fio lets no call on a name fail.
    let tolerance = if by_name { Tolerance::default() } else { tolerance(spec)? };
    zone_writes(spec, &mut pattern, &engine, verify.as_ref(), &tolerance)?;
    let numjobs = bounded(spec, "numjobs", Some(or_default(&spec.numjobs, "numjobs")), 1, MOST_CLONES)?;
    let on = |field: Option<bool>| field.unwrap_or(false);
    // What could not be read was refused where it was typed.
    let (range_flags, range) =
        sync_range::sync_file_range(spec.sync_file_range.as_deref().unwrap_or_default()).unwrap_or_default();
    let measure = measure(spec, &engine, queue);
    let job = Job {
        logs: logs(spec, &measure, &engine)?,
        description: spec.description.clone(),
        hosts: host_names(spec.hosts.as_deref().unwrap_or_default()),
        numjobs,
        group: around.group,
        stonewall: around.stonewall,
        dependencies: dependencies(spec),
        target,
        steady: steady(spec, &measure)?,
        latency_slices: latency_slices(spec),
        measure,
        queue,
        engine,
        limits,
        rate: rate(spec, &pattern)?,
        think_time: think_time(spec),
        latency_goal: latency_goal(spec),
        flow: flow(spec),
        priorities: priorities(spec)?,
        placement: placement(spec)?,
        record: spec.write_iolog.as_ref().filter(|path| !path.is_empty()).map(Into::into),
        replay: replay(spec, around.readonly)?,
        memory: memory(spec),
        payload: payload(spec, &pattern),
        verify,
        pattern,
        durability: Durability {
            fsync: positive(spec.fsync),
            fdatasync: positive(spec.fdatasync),
            range,
            range_flags,
            end_fsync: on(spec.end_fsync),
            end_syncfs: on(spec.end_syncfs),
            fsync_on_close: on(spec.fsync_on_close),
        },
        tolerance,
        host: host(spec)?,
        options: spec.typed[around.inherited.min(spec.typed.len())..]
            .iter()
            .map(crate::secret::echo)
            .collect(),
        notes,
        name,
    };
    Ok(Resolved { job, warnings })
}

/// Returns the number of hours for which the jobs of `--profile=act` count slow I/Os.
fn latency_slices(spec: &JobSpec) -> Option<u32> {
    let counts = is(&spec.profile, "act") && !spec.prep.unwrap_or(false);
    let hours = spec.runtime.map_or(0, |runtime| runtime.0).div_ceil(SlowIos::SLICE).max(1);
    counts.then_some(u32::try_from(hours).unwrap_or(u32::MAX))
}

fn chosen(field: &Option<Chosen>) -> Option<&'static str> {
    field.as_ref().map(|chosen| chosen.name)
}

/// Returns a number that fio takes as not set unless it is positive.
fn positive(field: Option<i64>) -> Option<NonZeroU64> {
    field.and_then(|n| u64::try_from(n).ok()).and_then(NonZeroU64::new)
}

fn is(field: &Option<Chosen>, name: &str) -> bool {
    chosen(field) == Some(name)
}

/// Returns a number that is at least `least`; fio treats 0 as that value. Refuses numbers above `most`.
fn bounded(
    spec: &JobSpec,
    option: &'static str,
    value: Option<i64>,
    least: i64,
    most: i64,
) -> Result<u32, Refusal> {
    let value = value.unwrap_or(least);
    if value > most {
        return Err(refuse(spec, option, JobFault::AboveMost(most)));
    }
    Ok(value.max(least) as u32)
}

fn limits(spec: &JobSpec) -> Result<Limits, Refusal> {
    let nanos = |field: Option<Nanos>| field.map_or(0, |n| n.0);
    // What could not be read was refused where it was typed.
    let max_latency = max_latency::times(spec.max_latency.as_deref().unwrap_or_default()).unwrap_or_default();
    let ramp_size = positive(spec.ramp_size);
    if ramp_size.is_some() && nanos(spec.ramp_time) > 0 {
        return Err(refuse(spec, "ramp_size", JobFault::Excludes(&["ramp_time"])));
    }
    Ok(Limits {
        max_latency,
        ramp_size,
        runtime: NonZeroU64::new(nanos(spec.runtime)),
        time_based: spec.time_based.unwrap_or(false),
        ramp_time: nanos(spec.ramp_time),
        startdelay: spec.startdelay.map_or(0, |(low, _)| low.0),
        startdelay_most: spec.startdelay.map_or(0, |(_, high)| high.0),
        loops: or_default(&spec.loops, "loops").max(1) as u64,
        number_ios: positive(spec.number_ios),
    })
}

/// Returns the part of the job in a flow.
fn flow(spec: &JobSpec) -> Option<Flow> {
    let weight = NonZeroU32::new(or_default(&spec.flow, "flow").clamp(0, 1000) as u32)?;
    let id = or_default(&spec.flow_id, "flow_id");
    Some(Flow { id, weight, sleep: spec.flow_sleep.map_or(0, |n| n.0) })
}

/// Returns the latency that the job searches the deepest queue for.
fn latency_goal(spec: &JobSpec) -> LatencyGoal {
    let nanos = |field: Option<Nanos>| field.map_or(0, |n| n.0);
    LatencyGoal {
        target: nanos(spec.latency_target),
        window: nanos(spec.latency_window),
        percentile: or_default(&spec.latency_percentile, "latency_percentile")
            .first()
            .copied()
            .unwrap_or(100.0),
        keeps_running: spec.latency_run.unwrap_or(false),
    }
}

/// Refuses a `job_start_clock_id` that is not a clock of time: clocks of CPU time do not show when a job started.
fn start_clock(spec: &JobSpec) -> Result<(), Refusal> {
    match spec.job_start_clock_id {
        Some(id) if !is_clock_of_time(id) => Err(refuse(spec, "job_start_clock_id", JobFault::NoClock)),
        _ => Ok(()),
    }
}

/// Returns whether a number is that of a clock of time, for clock_gettime(2).
fn is_clock_of_time(id: i64) -> bool {
    matches!(id, 0 | 1 | 4..=9 | 11)
}

fn dependencies(spec: &JobSpec) -> Dependencies {
    let on = |field: Option<bool>| field.unwrap_or(false);
    Dependencies {
        wait_for: spec.wait_for.clone().filter(|name| !name.is_empty()),
        exitall: on(spec.exitall),
        exitall_on_error: on(spec.exitall_on_error),
        exit_what: match chosen(&spec.exit_what) {
            Some("all") => ExitWhat::All,
            Some("stonewall") => ExitWhat::Running,
            _ => ExitWhat::Group,
        },
        stats: or_default(&spec.stats, "stats"),
    }
}

fn host(spec: &JobSpec) -> Result<HostSpec, Refusal> {
    let cpus = match (&spec.cpus_allowed, spec.cpumask) {
        (Some(cpus), _) => cpus.clone(),
        (None, mask) => (0..32).filter(|cpu| mask.unwrap_or(0) >> cpu & 1 == 1).collect(),
    };
    if !cpus.is_empty() && spec.numa_cpu_nodes.is_some() {
        return Err(refuse(spec, "numa_cpu_nodes", JobFault::Excludes(&["cpus_allowed", "cpumask"])));
    }
    // fio: a level without a class is of the best-effort class, 2.
    let hint = spec.priohint.filter(|hint| *hint > 0);
    let ioprio = (spec.prio.is_some() || spec.prioclass.is_some() || hint.is_some()).then(|| {
        ((spec.prioclass.unwrap_or(2) << 13) | (hint.unwrap_or(0) << 3) | spec.prio.unwrap_or(0)) as u16
    });
    let text = |field: &Option<String>| field.clone().filter(|text| !text.is_empty());
    Ok(HostSpec {
        cpus,
        no_cpu: spec.cpus_allowed.is_none() && spec.cpumask == Some(0),
        cpus_split: is(&spec.cpus_allowed_policy, "split"),
        lockmem: spec.lockmem.unwrap_or(0).max(0) as u64,
        nice: or_default(&spec.nice, "nice") as i32,
        ioprio,
        uid: spec.uid.map(|id| id as u32),
        gid: spec.gid.map(|id| id as u32),
        numa_cpu_nodes: text(&spec.numa_cpu_nodes),
        numa_mem_policy: text(&spec.numa_mem_policy),
        cgroup: text(&spec.cgroup).map(|name| Cgroup {
            name,
            weight: spec.cgroup_weight.map(|weight| weight as u32),
            keep: spec.cgroup_nodelete.unwrap_or(false),
        }),
        ioscheduler: text(&spec.ioscheduler),
        prerun: text(&spec.exec_prerun),
        postrun: text(&spec.exec_postrun),
        thread: spec.thread.unwrap_or(false),
        comm: text(&spec.comm),
    })
}

fn measure(spec: &JobSpec, engine: &EngineChoice, queue: Queue) -> Measure {
    let reduced = spec.gtod_reduce.unwrap_or(false);
    let kept = |disabled: Option<bool>| !reduced && !disabled.unwrap_or(false);
    // Where a thread of the kernel submits, what we wait for is no submission; nor is handing over.
    let submits = match engine {
        EngineChoice::IoUring(ring) => !ring.thread,
        EngineChoice::UringCmd(spec) => !spec.ring.thread,
        other => !matches!(other, EngineChoice::Offload(_)),
    };
    // Calls on names have one latency, which is measured always.
    let by_name = matches!(engine, EngineChoice::Names(..));
    let (slat, clat, lat) = (
        kept(spec.disable_slat) && submits,
        kept(spec.disable_clat) || by_name,
        kept(spec.disable_lat) && !by_name,
    );
    let samples = kept(spec.disable_bw);
    // The null engine at depth 1 completes inside the call, as a synchronous engine does.
    let in_call = engine.is_sync() || (matches!(engine, EngineChoice::Null { .. }) && queue.iodepth == 1);
    let shown_slat = slat && !in_call;
    let mut percentiles = or_default(&spec.percentile_list, "percentile_list");
    percentiles.sort_by(f64::total_cmp);
    let period = |ms: i64| (ms.max(1) as u64).saturating_mul(MILLISECOND);
    // As in fio, the rows of a log are the samples of the report.
    let sampled = |log: &Option<String>, own: i64| match spec.log_avg_msec {
        Some(ms) if ms > 0 && log.is_some() => ms,
        _ => own,
    };
    // fio tells the rates of `net` in bits, those of `netsplice` in bytes.
    let network = matches!(engine, EngineChoice::Net(NetSpec { splice: false, .. }));
    let bits = is(&spec.unit_base, "1") || network && !is(&spec.unit_base, "8");
    let unit_base = if bits { 1 } else { 8 };
    Measure {
        slat,
        clat,
        lat,
        samples,
        clock: match chosen(&spec.clocksource) {
            Some("clock_gettime") => ClockSource::Monotonic,
            Some("gettimeofday") => ClockSource::TimeOfDay,
            _ => ClockSource::Cpu,
        },
        disks: or_default(&spec.disk_util, "disk_util"),
        start_clock: spec.job_start_clock_id.map(|id| id as i32),
        bw_period: period(sampled(&spec.write_bw_log, or_default(&spec.bwavgtime, "bwavgtime"))),
        iops_period: period(sampled(&spec.write_iops_log, or_default(&spec.iopsavgtime, "iopsavgtime"))),
        shown: stats::Shown {
            slat: shown_slat,
            clat,
            lat,
            ranges: !by_name,
            samples,
            slat_percentiles: shown_slat && or_default(&spec.slat_percentiles, "slat_percentiles"),
            clat_percentiles: clat && or_default(&spec.clat_percentiles, "clat_percentiles"),
            lat_percentiles: !reduced && !by_name && or_default(&spec.lat_percentiles, "lat_percentiles"),
            percentiles,
            group_reporting: spec.group_reporting.unwrap_or(false),
            kb_base: spec.base(),
            unit_base,
            significant_figures: or_default(&spec.significant_figures, "significant_figures").clamp(1, 10)
                as u32,
            errors: spec.errors_let_pass.unwrap_or(0) != 0,
            unified: match chosen(&spec.unified_rw_reporting) {
                Some("mixed" | "1") => stats::Unified::Mixed,
                Some("both" | "2") => stats::Unified::Both,
                _ => stats::Unified::None,
            },
        },
    }
}

fn tolerance(spec: &JobSpec) -> Result<Tolerance, Refusal> {
    let text = spec.ignore_error.as_deref().unwrap_or_default();
    let lists = errnos::lists(text).map_err(|bad| {
        refuse_value(spec, "ignore_error", bad, FioEnd::FailedParsing(format!("ignore_error={text}")))
    })?;
    let kinds = spec.errors_let_pass.unwrap_or(0);
    let mut errnos = lists.map(|list| if list.is_empty() { errnos::USUAL.to_vec() } else { list });
    Ok(Tolerance {
        errnos: std::array::from_fn(|kind| {
            (kinds >> kind & 1 == 1).then(|| std::mem::take(&mut errnos[kind]))
        }),
        dump: spec.error_dump.unwrap_or(false),
    })
}

/// Returns the names in a value of `hosts=`.
fn host_names(value: &str) -> Vec<String> {
    value.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
