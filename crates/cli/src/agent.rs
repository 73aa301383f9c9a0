//! `fathom agent`: the side of a host that measures for a command with `--hosts`, started there by ssh.

use crate::agent_jobs::{AgentWatch, status, written_targets};
use crate::agent_target::OpenTarget;
use crate::dialect::{argv0, diagnostics, policy};
use crate::environment::patience;
use crate::fio_report::complete;
use crate::host_files::{HostFiles, HostSide};
use crate::live::restore_kernel_settings;
use crate::stored::provenance;
use crate::{files, lang, objects, pts, signal};
use facts::SysRoot;
use facts::identity::Seen;
use facts::layers::{Device, DeviceNumber};
use facts::queue::Queue;
use hosts::{
    AgentCommand, AgentOutcome, AgentSide, AgentWork, AgentWorker, OpenedTarget, Refused, TargetJob,
    TargetWork,
};
use job::host_share::{HostNumber, HostShare, keep_jobs, waits_for_other_host};
use job::job::Mix;
use job::plan::FileKind;
use job::{Dialect, Parsed, Plan};
use report::words;
use run::consent::Consent;
use run::prepare::Host;
use run::{RunError, Setup};
use rustix::fs::{Mode, OFlags};
use stats::RunResult;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Runs the command and returns the exit status; `parse` reads the command lines of other commands than `fathom run`.
pub fn main(parse: ParseCommand<'_>) -> i32 {
    let interrupt = signal::watch();
    let (input, output) = match connection() {
        Ok(ends) => ends,
        Err(e) => {
            eprintln!("fathom agent: {e}");
            return 1;
        }
    };
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let worker = Worker { interrupt: interrupt.clone(), parse, open: Mutex::default() };
    hosts::serve(input, Box::new(output), (env!("CARGO_PKG_VERSION"), &machine), interrupt, &worker);
    0
}

/// What this agent does for the coordinator.
struct Worker<'a> {
    interrupt: Arc<AtomicUsize>,
    /// Reads the command lines of other commands than `fathom run`.
    parse: ParseCommand<'a>,
    /// Target of a study, which is held until the next one or the end.
    open: Mutex<Option<OpenTarget>>,
}

impl AgentWorker for Worker<'_> {
    fn run(&self, work: AgentWork, side: &Arc<AgentSide>) -> Result<AgentOutcome, Refused> {
        match work.command {
            AgentCommand::Run => run(&work, side, &self.interrupt),
            AgentCommand::Files | AgentCommand::Objects | AgentCommand::Pts => {
                other_command(&work, self.parse, side, &self.interrupt)
            }
        }
    }

    fn open(&self, work: TargetWork, side: &Arc<AgentSide>) -> Result<OpenedTarget, Refused> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        *open = None;
        let (target, opened) = OpenTarget::open(work, side, &self.interrupt)?;
        *open = Some(target);
        Ok(opened)
    }

    fn job(&self, job: TargetJob, side: &Arc<AgentSide>) -> Result<AgentOutcome, Refused> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // The coordinator asks for jobs only on a target that is open.
        let target = open.as_mut().ok_or_else(|| (String::new(), 1))?;
        let ran = target.job(&job, side);
        match self.interrupt.load(Relaxed) {
            // Someone on this host has ended its work: nothing is wrong with the job.
            signal @ 1.. if ran.is_err() => {
                let mut result = RunResult::default();
                result.provenance.ended_by_signal = Some(signal as i32);
                let status = status(&result);
                Ok(AgentOutcome { result, answer: None, status })
            }
            _ => ran,
        }
    }
}

/// Returns the ends of the connection to the coordinator. Standard input and output are others afterwards, so that nothing
/// else, such as a program that a job starts, reads or writes there.
fn connection() -> io::Result<(File, File)> {
    let input = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let output = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok((File::from(input), File::from(output)))
}

/// Command that is not `fathom run`, with its arguments.
pub enum OtherCommand {
    /// `fathom files`.
    Files(Box<files::Arguments>),
    /// `fathom objects`.
    Objects(Box<objects::Arguments>),
    /// `fathom pts`.
    Pts(Box<pts::Arguments>),
}

/// Parser of the command line of a command.
pub type ParseCommand<'a> = &'a (dyn Fn(&[OsString]) -> Result<OtherCommand, clap::Error> + Sync);

/// Runs a command that is not `fathom run`.
fn other_command(
    work: &AgentWork,
    parse: ParseCommand<'_>,
    side: &Arc<AgentSide>,
    interrupt: &Arc<AtomicUsize>,
) -> Result<AgentOutcome, (String, i32)> {
    let lang = lang::parse(&work.language).unwrap_or_default();
    let words = work.arguments.iter().map(|word| work.place.fill(word).into());
    let words: Vec<OsString> = std::iter::once(work.command.name().into()).chain(words).collect();
    match parse(&words).map_err(|e| (e.to_string().trim_end().to_owned(), e.exit_code()))? {
        OtherCommand::Files(arguments) => files::on_this_host(lang, *arguments, &work.place, side, interrupt),
        OtherCommand::Objects(arguments) => {
            objects::on_this_host(lang, *arguments, &work.place, side, interrupt)
        }
        OtherCommand::Pts(arguments) => pts::on_this_host(lang, &arguments, side, interrupt),
    }
}

/// Runs the jobs; returns the result and the exit status of `fathom run`, or the reason not to run, and its status.
fn run(
    work: &AgentWork,
    side: &Arc<AgentSide>,
    interrupt: &Arc<AtomicUsize>,
) -> Result<AgentOutcome, Refused> {
    let began = Instant::now();
    let lang = lang::parse(&work.language).unwrap_or_default();
    let args: Vec<OsString> = work.arguments.iter().map(|word| work.place.fill(word).into()).collect();
    let mut files = HostFiles::new(HostSide::Agent, &work.place, work.files.clone());
    let dialect = if work.of_fio { Dialect::Fio } else { Dialect::Run };
    let mut line = match job::command_line(&args, argv0(dialect), dialect, &mut files) {
        Ok(Parsed::Run(line)) => line,
        Ok(_) => return Err((report::hosts::nothing_to_run(lang), 2)),
        Err(usage) => {
            let said = diagnostics(dialect, lang, &usage.diagnostics);
            return Err((said.stderr.trim_end().to_owned(), usage.code));
        }
    };
    let mut jobs = std::mem::take(&mut line.jobs);
    let host = HostNumber { names: &work.names, number: work.place.number as usize };
    let places = keep_jobs(&mut jobs, host, work.share);
    if let Some((job, other)) = waits_for_other_host(&jobs) {
        return Err((report::hosts::waits_for_other_host(lang, job, other), 1));
    }
    let mut plan = job::plan(jobs, &mut Host)
        .map_err(|e| (words::job::plan_error(lang, &e).trim_end().to_owned(), 1))?;
    plan.keep_share(work.share, &places).map_err(|e| (report::hosts::not_split(lang, &e), 1))?;
    let root = SysRoot::machine();
    if let Some(path) = zoned_target(&plan, &root).filter(|_| work.share == HostShare::Interleave) {
        return Err((report::hosts::zoned(lang, &path), 1));
    }
    restore_kernel_settings(lang);
    let setup = Setup {
        consent: Consent::new(policy(dialect), line.switches.allow_destroy.clone()),
        root,
        interrupt: interrupt.clone(),
        inputs: Vec::new(),
        all_histograms: true,
        idleness: line.switches.idle_prof.is_some(),
        patience: patience(),
        window: stats::Series::WINDOW,
        models: Default::default(),
        allowance: crate::wear::allowance(line.switches.wear_budget),
        gate: Some(side.clone()),
    };
    side.will_write(written_targets(&plan, &setup.root));
    let mut watch = AgentWatch { side, lang };
    let mut result = match run::run(&plan, &setup, &mut watch) {
        Ok(result) => result,
        Err(RunError::Refused(refusal)) => {
            return Err((words::run::refusal(lang, &refusal), refusal.exit_code()));
        }
        Err(e) => return Err((words::run::run_error(lang, &e), 1)),
    };
    result.findings = lab::findings::judge(&plan, &result, &setup.root);
    complete(&mut result, &line, began);
    let targets = result.layers.targets.iter().map(|target| target.path.as_str());
    provenance(&mut result.provenance.host, targets);
    let status = status(&result);
    Ok(AgentOutcome { result, answer: None, status })
}

/// Returns the path of a block device with zones that the run would write.
fn zoned_target(plan: &Plan, root: &SysRoot) -> Option<String> {
    let zoned = |path: &Path| {
        let number = Seen::at(path).ok()?.identity.number().0;
        let zones = Queue::of(root, &Device::of(root, DeviceNumber::from_raw(number))?).zoned?;
        (zones.trim() != "none").then(|| path.display().to_string())
    };
    let changed = plan.clones.iter().filter(|clone| plan.jobs[clone.job].pattern.mix != Mix::Read);
    let mut files = changed.flat_map(|clone| &clone.files).filter(|file| file.kind == FileKind::Block);
    files.find_map(|file| zoned(&file.path))
}
