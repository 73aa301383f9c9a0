//! Checks the files that jobs write beside their data before a run writes anything: logs, traces, the output of programs, and
//! saved states of verification.

use crate::output::{self, OutputError};
use crate::output_kind;
use crate::policy::Policy;
use crate::setup::Setup;
use crate::verify::state::State;
use job::job::EngineChoice;
use job::logs::LogSpec;
use job::plan::Plan;
use stats::output_fault::OutputFault;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Recognizes an earlier output of the same kind by its first bytes.
type IsOwn = fn(&[u8]) -> bool;

/// Checks that no side output of the plan would overwrite a file of a job or a job file; under fathom's own policy
/// also that it would replace only an earlier output of its kind.
///
/// # Errors
/// The first output that is refused.
pub(crate) fn check(plan: &Plan, setup: &Setup) -> Result<(), OutputError> {
    let mut seen = HashSet::new();
    for (path, is_own) in outputs(plan) {
        if seen.insert(path.clone()) {
            check_one(plan, setup, &path, is_own)?;
        }
    }
    Ok(())
}

/// Returns the paths of the side outputs of a plan.
pub fn paths(plan: &Plan) -> impl Iterator<Item = PathBuf> {
    outputs(plan).into_iter().map(|(path, _)| path)
}

fn outputs(plan: &Plan) -> Vec<(PathBuf, Option<IsOwn>)> {
    let mut outputs = Vec::new();
    for (index, clone) in plan.clones.iter().enumerate() {
        let Some(job) = plan.jobs.get(clone.job) else { continue };
        outputs.extend(logs(&job.logs, index));
        outputs.extend(job.record.clone().map(|path| (path, Some(output_kind::trace as IsOwn))));
        let merge = job.replay.as_ref().and_then(|replay| replay.merge.as_ref());
        outputs.extend(merge.map(|merge| (merge.file.clone(), Some(output_kind::blktrace as IsOwn))));
        let redirects = matches!(&job.engine, EngineChoice::Exec(exec) if exec.redirect);
        let programs = [
            (redirects, "stdout"),
            (redirects, "stderr"),
            (job.host.prerun.is_some(), "prerun.txt"),
            (job.host.postrun.is_some(), "postrun.txt"),
        ];
        let programs = programs.iter().filter(|(writes, _)| *writes);
        outputs.extend(programs.map(|(_, what)| (format!("{}.{what}", job.name).into(), None)));
        if job.verify.as_ref().is_some_and(|verify| verify.save_state) {
            let path = State::file_name(&job.name, index).into();
            outputs.push((path, Some(output_kind::verify_state as IsOwn)));
        }
    }
    outputs
}

fn logs(spec: &LogSpec, index: usize) -> Vec<(PathBuf, Option<IsOwn>)> {
    let is_own = |file| match spec.is_compressed(file) {
        true => output_kind::compressed_log as IsOwn,
        false => output_kind::log,
    };
    spec.files(index + 1).map(|(file, path)| (path, Some(is_own(file)))).collect()
}

/// Checks an output that the command writes beside the data of the plan's jobs; `is_own` recognizes an earlier output
/// of its kind, and is `None` for the output of a program, which may be any.
///
/// # Errors
/// The output is a file of a job or a job file; under fathom's own policy also a file of another kind.
pub fn check_one(plan: &Plan, setup: &Setup, path: &Path, is_own: Option<IsOwn>) -> Result<(), OutputError> {
    let refused = |fault| Err(OutputError::Refused { path: path.into(), fault });
    let targets = || plan.clones.iter().flat_map(|clone| &clone.files).map(|file| file.path.as_path());
    if !path.exists() && targets().any(|target| target == path) {
        return refused(OutputFault::FileOfJob);
    }
    output::check_against(path, targets(), OutputFault::FileOfJob)?;
    output::check_against(path, setup.inputs.iter().map(PathBuf::as_path), OutputFault::JobFile)?;
    if setup.consent.policy != Policy::Own {
        return Ok(());
    }
    match is_own {
        Some(is_own) => output::check_own(path, &is_own),
        None => output::check_own(path, &|_| false).or_else(|e| match e {
            OutputError::Refused { fault: OutputFault::OtherText, .. } => refused(OutputFault::HoldsData),
            e => Err(e),
        }),
    }
}
