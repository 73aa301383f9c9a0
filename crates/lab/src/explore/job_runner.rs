//! Runner that measures the cells of a study as jobs in fio's language, on real or simulated targets.

use super::recommended::name;
use super::runner::{Measurement, Progress, Runner, Until};
use crate::held::{HeldTarget, Holding};
use crate::resume::{OtherTarget, other_target};
use crate::target::{JobContext, Target, TargetError, scratch_size};
use crate::target_fault::{TargetFault, errno};
use facts::SysRoot;
use facts::identity::Seen;
use facts::layers::Stack;
use facts::queue::Queue;
use run::RunError;
use run::kernel_settings::{KernelSettings, in_force};
use rustix::io::Errno;
use stats::converge::StopRule;
use stats::failure::Failure;
use stats::note::NoteFact;
use stats::study::{Access, Cell, Question, Study, StudyTarget};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Longest time to wait for an idle target.
const PATIENCE: Duration = Duration::from_secs(5);
/// Duration after which dirty pages and requests that have not decreased are attributed to other processes, and are no
/// longer waited for.
const STALE: Duration = Duration::from_millis(200);
/// Amount of dirty pages that does not delay the start of a point, bytes.
const DIRTY: u64 = 4 << 20;

/// Measures cells by running jobs on the targets of a study.
pub struct JobRunner<'a> {
    targets: Vec<Target>,
    context: JobContext,
    watch: &'a mut dyn Progress,
    /// Kernel settings that a study varies, with their original values.
    settings: KernelSettings,
    /// The targets while they are held, in the order of `targets`.
    held: Vec<Option<HeldTarget>>,
    /// Refusal that ended the study.
    refused: Option<TargetError>,
    /// Options of every job in addition to those of its cell.
    options: Vec<String>,
}

impl<'a> JobRunner<'a> {
    /// Opens the targets and fills their scratch files. Returns the runner and the description of each target for the
    /// study.
    ///
    /// # Errors
    /// A target that cannot be opened or measured, or a scratch file that cannot be filled.
    pub fn open(
        names: &[String],
        context: JobContext,
        watch: &'a mut dyn Progress,
    ) -> Result<(JobRunner<'a>, Vec<StudyTarget>), TargetError> {
        JobRunner::open_described(names, &[], context, watch)
    }

    /// Opens the targets of a stored study that goes on. Their sizes are those of the study.
    ///
    /// # Errors
    /// The errors of [`JobRunner::open`], and a target that is not the one of the study.
    pub fn reopen(
        study: &Study,
        context: JobContext,
        watch: &'a mut dyn Progress,
    ) -> Result<JobRunner<'a>, ReopenError> {
        let (mut runner, found) =
            JobRunner::open_described(&study.asked.targets, &study.targets, context, watch)?;
        for (before, now) in study.targets.iter().zip(&found) {
            if let Some(other) = other_target(before, now) {
                return Err(ReopenError::Other { target: now.name.clone(), other });
            }
        }
        // A new scratch file may be larger than the first one.
        for (target, before) in runner.targets.iter_mut().zip(&study.targets) {
            target.size = target.size.min(before.size);
        }
        Ok(runner)
    }

    /// Opens targets; scratch files become as large as in `before`, the targets of a study that goes on.
    fn open_described(
        names: &[String],
        before: &[StudyTarget],
        mut context: JobContext,
        watch: &'a mut dyn Progress,
    ) -> Result<(JobRunner<'a>, Vec<StudyTarget>), TargetError> {
        // An interval needs at least twenty windows.
        context.window = Duration::from_millis(20);
        let (mut targets, mut described) = (Vec::new(), Vec::new());
        for (n, name) in names.iter().enumerate() {
            let mut target = Target::open_in(name.as_ref(), &context, watch)?;
            match before.get(n) {
                Some(before) if target.is_scratch() => target.fill_again(before.size, &context, watch)?,
                None if target.is_scratch() => target.fill(&context, watch)?,
                _ => {}
            }
            described.push(describe(name, &target, &context.root));
            targets.push(target);
        }
        let settings = KernelSettings::of(&context.root);
        let (held, refused, options) = (Vec::new(), None, Vec::new());
        Ok((JobRunner { targets, context, watch, settings, held, refused, options }, described))
    }

    /// Checks whether `command` could begin a study of a target, or go on if `before` is the target of a stored study; changes
    /// nothing, and ends the hold of the target at once. Returns the description of the target.
    ///
    /// # Errors
    /// The reason why the study would not begin.
    pub fn may_begin(
        name: &str,
        before: Option<&StudyTarget>,
        (command, writes): (&'static str, bool),
        context: &JobContext,
    ) -> Result<StudyTarget, ReopenError> {
        let (path, root) = (Path::new(name), &context.root);
        let other = |other| ReopenError::Other { target: name.to_owned(), other };
        if path.is_dir() {
            let size = scratch_size(path, root)?;
            if let Some(before) = before.filter(|before| size < before.size) {
                return Err(other(OtherTarget::Size { before: before.size, now: size }));
            }
            let size = before.map_or(size, |before| before.size);
            run::wear::afford(context.allowance.as_deref(), path, size, root)
                .map_err(|refusal| TargetError::from(RunError::Refused(refusal)))?;
            let sector = sector(root, Stack::under(root, path).ok().as_ref(), true);
            let name = name.to_owned();
            return Ok(StudyTarget { name, size, sector, scratch: true, ..StudyTarget::default() });
        }
        let target = Target::open(path, root)?;
        let found = describe(name, &target, root);
        if let Some(difference) = before.and_then(|before| other_target(before, &found)) {
            return Err(other(difference));
        }
        hold(&target, (command, writes), &mut context.clone())?;
        Ok(found)
    }

    /// Holds the targets for `command` until the runner is dropped, and checks before anything is measured that they
    /// may be written if `writes`: that they are not in use, and that the user permits the loss of their data.
    ///
    /// # Errors
    /// The refusal of the first target that may not be written.
    pub fn hold(&mut self, command: &'static str, writes: bool) -> Result<(), TargetError> {
        self.held.clear();
        for target in &self.targets {
            self.held.push(hold(target, (command, writes), &mut self.context)?);
        }
        Ok(())
    }

    /// Returns the refusal that ended the study: a target was replaced, changed or came into use.
    pub fn refused(&self) -> Option<&TargetError> {
        self.refused.as_ref()
    }

    /// Adds options to every job, after those of its cell.
    pub fn add_options(&mut self, options: &[String]) {
        self.options.extend_from_slice(options);
    }

    /// Checks the target of a cell before it is measured, if it is held.
    fn check(&mut self, cell: &Cell) -> Result<(), TargetError> {
        match self.held.get_mut(cell.target) {
            Some(Some(held)) => held.check(cell.access.writes(), &self.context.root),
            _ => Ok(()),
        }
    }

    /// Returns the failure of a point; a refusal of the target also ends the study.
    fn fail(&mut self, error: TargetError) -> Failure {
        let words = self.context.words;
        let text = match &error {
            TargetError::Run(RunError::Refused(refusal)) if refusal.ends_study() => {
                Failure::Text(words(&error))
            }
            TargetError::Hosts { .. } => Failure::Text(words(&error)),
            _ => return failure(error, words),
        };
        self.refused.get_or_insert(error);
        text
    }

    /// Returns the name of the I/O engine of the first target.
    pub fn engine(&self) -> String {
        self.targets.first().map(|s| s.engine.clone()).unwrap_or_default()
    }

    /// Returns the reason why the engine is not io_uring; `None` with io_uring, or if the user chose the engine.
    pub fn engine_note(&self) -> Option<NoteFact> {
        self.targets.iter().find_map(|s| s.engine_note.clone())
    }

    /// Uses this engine for every real target.
    pub fn use_engine(&mut self, engine: &str) {
        for target in self.targets.iter_mut().filter(|s| s.kind.is_some()) {
            if target.on_hosts.is_some() {
                self.options.push(format!("--ioengine={engine}"));
            }
            target.engine = engine.into();
            target.engine_note = None;
        }
    }

    fn simulated(&self) -> bool {
        self.targets.iter().any(|s| s.kind.is_none())
    }

    /// Returns the disk whose queue a target uses, and the path of the setting in sysfs; `None` without a block device.
    fn setting(&self, target: usize, setting: &str) -> Option<(String, PathBuf)> {
        let stack = Stack::under(&self.context.root, &self.targets[target].path).ok()?;
        let device = stack.devices().find_map(|d| d.whole(&self.context.root).or(Some(d.clone())))?;
        let path = self.context.root.path(format!("/sys/block/{}/queue/{setting}", device.name));
        Some((device.name, path))
    }

    /// Restores every kernel setting. Returns a note for each that could not be restored.
    pub fn restore_settings(&mut self) -> Vec<NoteFact> {
        self.settings.put_back()
    }
}

/// Error: the targets of a stored study cannot be measured further.
#[derive(Debug, thiserror::Error)]
pub enum ReopenError {
    /// A target cannot be opened.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A target is not the one of the study.
    #[error("{target}: {other:?}")]
    Other {
        /// Name of the target.
        target: String,
        /// Difference.
        other: OtherTarget,
    },
}

/// Returns the name and the values of `name=a,b,c`.
pub fn axis_values(axis: &str) -> (String, Vec<String>) {
    let (name, values) = axis.split_once('=').unwrap_or((axis, ""));
    (name.to_string(), values.split(',').filter(|v| !v.is_empty()).map(String::from).collect())
}

/// Holds a target for a command; returns `None` for scratch files and simulated devices.
fn hold(
    target: &Target,
    (command, writes): (&'static str, bool),
    context: &mut JobContext,
) -> Result<Option<HeldTarget>, TargetError> {
    let JobContext { consent, root, allowance, .. } = context;
    let held = HeldTarget::hold(target, Holding::of(command, writes), consent, root)?;
    if writes && held.is_some() {
        // A budget in percent of an endurance that is not known.
        run::wear::afford(allowance.as_deref(), &target.path, 1, root).map_err(RunError::Refused)?;
    }
    Ok(held)
}

/// Returns the description of a target for the study.
pub fn describe(name: &str, target: &Target, root: &SysRoot) -> StudyTarget {
    if let Some(on_hosts) = &target.on_hosts {
        return StudyTarget { name: name.to_owned(), ..on_hosts.described.clone() };
    }
    let stack = Stack::under(root, &target.path).ok();
    let seen = Seen::at(Path::new(name)).ok().filter(|seen| seen.identity.is_file());
    StudyTarget {
        name: name.to_owned(),
        size: target.size,
        sector: sector(root, stack.as_ref(), target.is_scratch()),
        stack: stack.map(|s| s.words()).or_else(|| target.layers()).unwrap_or_default(),
        scratch: target.is_scratch(),
        direct: target.kind.map(|_| target.direct),
        file: seen.map(|seen| seen.identity.number()),
        disks: match target.kind {
            Some(_) => facts::machine::disks(root, Path::new(name)),
            None => Vec::new(),
        },
        loop_files: match target.kind {
            Some(_) => facts::medium::loop_files(root, Path::new(name)),
            None => Vec::new(),
        },
    }
}

fn sector(root: &SysRoot, stack: Option<&Stack>, scratch: bool) -> u64 {
    let device = stack.and_then(|s| s.devices().next().cloned());
    // A file system has its own block size: smaller direct I/O on a file may need a read-modify-write.
    let least = device.and_then(|d| Queue::of(root, &d).logical_block_bytes).unwrap_or(512);
    u64::from(if scratch { least.max(512) } else { least })
}

/// Returns the options of the job that measures a cell for at most `most`, after a warm-up of `warm_up_nanos`; `all` is the number
/// of jobs on all hosts.
fn options(
    cell: &Cell,
    target: &Target,
    seed: u64,
    most: Duration,
    warm_up_nanos: u64,
    all: u32,
) -> Vec<String> {
    let region = cell.span.unwrap_or(target.size).min(target.size);
    let mut options = vec![
        format!("--rw={}", cell.access.rw),
        format!("--bs={}", cell.access.bs),
        format!("--iodepth={}", cell.depth),
        format!("--numjobs={}", cell.jobs),
        format!("--randseed={seed}"),
        format!("--runtime={}us", most.as_micros()),
        "--time_based".into(),
        format!("--ramp_time={}us", warm_up_nanos / 1000),
        "--group_reporting".into(),
        // A device that fails some I/Os is measured, and the failures are reported.
        "--continue_on_error=io".into(),
    ];
    if cell.access.random() {
        options.push("--norandommap".into());
        options.push(format!("--size={region}"));
    } else {
        // Each clone has its own part of the target, so that together they read it like a single reader.
        let part = (region / u64::from(all.max(1)) / cell.access.bs * cell.access.bs).max(cell.access.bs);
        options.push(format!("--size={part}"));
        if all > 1 {
            options.push(format!("--offset_increment={part}"));
        }
    }
    if let Some(reads) = cell.access.reads {
        options.push(format!("--rwmixread={reads}"));
    }
    if let Some(sync) = cell.access.sync {
        options.push(format!("--{sync}"));
    }
    if let Some(rate) = cell.rate {
        let each = |percent: u32| (rate / 100 * u64::from(percent) / u64::from(cell.jobs)).max(1);
        let reads = cell.access.reads.unwrap_or(50);
        options.push(match cell.access.rw.ends_with("rw") {
            true => format!("--rate={},{}", each(reads), each(100 - reads)),
            false => format!("--rate={}", (rate / u64::from(cell.jobs)).max(1)),
        });
        options.push("--rate_process=poisson".into());
    }
    // A simulated device ignores the data written.
    if cell.access.writes() && target.kind.is_some() {
        options.push("--refill_buffers".into());
    }
    options
}

/// Waits until the devices of a target have no requests, and this machine few dirty pages; returns the duration of the wait,
/// seconds.
pub fn wait_until_idle(target: &Target, context: &JobContext) -> f64 {
    let began = Instant::now();
    let root = &context.root;
    let stack = Stack::under(root, &target.path).ok();
    let names: Vec<String> = stack.iter().flat_map(|s| s.devices()).map(|d| d.name.clone()).collect();
    let in_flight = || {
        let of = |name: &String| {
            let text = root.read(format!("/sys/class/block/{name}/inflight")).unwrap_or_default();
            text.split_whitespace().any(|n| n != "0")
        };
        names.iter().any(of)
    };
    let unwritten = || facts::memory::unwritten_bytes(root).unwrap_or(0);
    let (mut least, mut since) = (u64::MAX, Instant::now());
    while began.elapsed() < PATIENCE && context.interrupt.load(Relaxed) == 0 {
        let dirty = unwritten();
        if dirty < least.saturating_sub(DIRTY / 4) {
            (least, since) = (dirty, Instant::now());
        }
        // Pages and requests that do not decrease come from other processes; the wait for them might not end.
        if dirty <= DIRTY && !in_flight() || since.elapsed() > STALE {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    began.elapsed().as_secs_f64()
}

impl Runner for JobRunner<'_> {
    fn measure(
        &mut self,
        cell: &Cell,
        seed: u64,
        most: Duration,
        stop: StopRule,
    ) -> Result<Measurement, Failure> {
        if let Some((setting, value)) = &cell.setting {
            let (disk, _) = self.setting(cell.target, setting).ok_or(Failure::NoQueueSettings)?;
            self.settings.set(&disk, setting, value).map_err(Failure::Setting)?;
        }
        self.check(cell).map_err(|error| self.fail(error))?;
        let began = Instant::now();
        let before = self.context.models.now();
        let target = &self.targets[cell.target];
        let mut of_cell = options(cell, target, seed, most, stop.warm_up_nanos, cell.jobs);
        let began_ms = match target.kind {
            None => before.as_millis() as u64,
            Some(_) => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64,
        };
        of_cell.extend_from_slice(&self.options);
        let mut watch = Until { stop, satisfied: false, watch: &mut *self.watch };
        // Messages about the job name the load of the cell.
        let ran = match &target.on_hosts {
            None => target.job(&cell_name(cell), &self.context, &of_cell, &mut watch),
            Some(on_hosts) => {
                let own = &self.options;
                let of_part = |part: &Cell, all: u32| {
                    let mut options = options(part, target, seed, most, stop.warm_up_nanos, all);
                    options.extend_from_slice(own);
                    options
                };
                on_hosts.spread(&cell_name(cell), cell, &of_part, &mut watch)
            }
        };
        let satisfied = watch.satisfied;
        let real = target.kind.is_some();
        if let Some(Some(held)) = self.held.get_mut(cell.target) {
            held.visited();
        }
        let result = ran.map_err(|error| self.fail(error))?;
        if let Some(error) = result.jobs.iter().find_map(|j| j.error.as_ref()) {
            return Err(Failure::Job(error.clone()));
        }
        let wall_s = match real {
            false => (self.context.models.now() - before).as_secs_f64(),
            true => began.elapsed().as_secs_f64(),
        };
        Ok(Measurement { result, satisfied, began_ms, wall_s, state: self.context.models.levels() })
    }

    fn rest(&mut self, target: usize) -> f64 {
        // Each host waits for its own devices before it agrees to a job.
        if self.simulated() || self.targets[target].on_hosts.is_some() {
            return 0.0;
        }
        wait_until_idle(&self.targets[target], &self.context)
    }

    fn wait(&mut self, until_ms: u64) {
        const LOOK: Duration = Duration::from_millis(50);
        if self.simulated() {
            let now = self.context.models.now();
            return self.context.models.rest(Duration::from_millis(until_ms).saturating_sub(now));
        }
        let until = UNIX_EPOCH + Duration::from_millis(until_ms);
        while let Ok(left) = until.duration_since(SystemTime::now())
            && !self.interrupted()
        {
            std::thread::sleep(left.min(LOOK));
        }
    }

    fn restore(&mut self, state: &[f64]) {
        self.context.models.restore(state);
    }

    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64) {
        self.watch.question(question, access, target, left_s);
    }

    fn interrupted(&self) -> bool {
        self.context.interrupt.load(Relaxed) != 0
    }

    fn over(&self) -> Option<Failure> {
        self.refused.as_ref().map(|error| Failure::Text((self.context.words)(error)))
    }
}

/// Returns the failure of a point in the form that a study stores.
fn failure(error: TargetError, words: fn(&TargetError) -> String) -> Failure {
    match error {
        TargetError::Target { fault: TargetFault::Plan(error), .. } => Failure::Plan(error),
        other => Failure::Text(words(&other)),
    }
}

/// Returns the load of a cell in fio's options: `4k-randread iodepth=8 numjobs=2`.
fn cell_name(cell: &Cell) -> String {
    format!("{} iodepth={} numjobs={}", name(&cell.access), cell.depth, cell.jobs)
}

/// Names of the block queue settings that a study can vary.
pub const SETTINGS: [&str; 3] = ["read_ahead_kb", "scheduler", "nr_requests"];

/// Error: a setting cannot be varied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum AxisError {
    /// The setting is none of [`SETTINGS`].
    Unknown {
        /// Name of the setting as given.
        name: String,
    },
    /// The target has no block device with queue settings.
    NoQueueSettings,
    /// The current value cannot be read.
    Unreadable {
        /// Path of the setting in sysfs.
        path: PathBuf,
        /// Errno of the failed read.
        errno: Errno,
    },
    /// The kernel offers no value other than the current one.
    OneValue {
        /// Path of the setting in sysfs.
        path: PathBuf,
        /// Current value.
        value: String,
    },
}

/// Returns `name=a,b,c` for an argument of `--axis`, the current value first: the given values, or else the usual
/// values of the setting.
///
/// # Errors
/// The setting is unknown, cannot be read, or has only one value for the first target.
pub fn axis(text: &str, machine: &JobRunner<'_>) -> Result<String, AxisError> {
    let (name, given) = axis_values(text);
    if !SETTINGS.contains(&name.as_str()) {
        return Err(AxisError::Unknown { name });
    }
    let (_, path) = machine.setting(0, &name).ok_or(AxisError::NoQueueSettings)?;
    let now = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) => return Err(AxisError::Unreadable { path, errno: errno(&e) }),
    };
    let (listed, now) = (now.trim().to_string(), in_force(&now));
    let mut values = vec![now.clone()];
    let usual: Vec<String> = match name.as_str() {
        "scheduler" => listed.split_whitespace().map(|s| s.trim_matches(['[', ']']).to_string()).collect(),
        "read_ahead_kb" => ["0", "128", "1024", "4096"].map(String::from).into(),
        _ => {
            let n: u64 = now.parse().unwrap_or(64);
            vec![(n / 4).max(4).to_string(), (n * 4).to_string()]
        }
    };
    for value in if given.is_empty() { usual } else { given } {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if values.len() < 2 {
        return Err(AxisError::OneValue { path, value: now });
    }
    Ok(format!("{name}={}", values.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages about a cell name its load, as the tables do.
    #[test]
    fn job_of_a_cell_is_named_by_its_load() {
        let access = Access { bs: 4096, rw: "randread".into(), ..Access::default() };
        assert_eq!(cell_name(&Cell::of(0, &access, 16, 2)), "4k-randread iodepth=8 numjobs=2");
    }
}
