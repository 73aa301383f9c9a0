//! Target of a study that an agent has opened for the coordinator, and its jobs.

use crate::agent_jobs::{AgentWatch, status, written_targets};
use crate::environment::patience;
use crate::lang;
use crate::live::restore_kernel_settings;
use crate::stored::provenance;
use facts::SysRoot;
use hosts::{AgentOutcome, AgentSide, OpenedTarget, Refused, TargetJob, TargetWork};
use job::host_share::HostShare;
use lab::explore::job_runner::{describe, wait_until_idle};
use lab::held::{HeldTarget, Holding};
use lab::target::{JobContext, Target, TargetError};
use report::{Lang, words};
use run::RunError;
use run::consent::{Consent, Policy};
use run::refusal::{Found, RefusalReason};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

/// Target of a study, held until this value is dropped; a scratch file is removed then.
pub struct OpenTarget {
    work: TargetWork,
    lang: Lang,
    context: JobContext,
    target: Target,
    held: Option<HeldTarget>,
}

/// Time for which the checks of other hosts of this machine are waited for: at least this, and this for each host. A check for users on
/// other machines takes 1.5 s.
const OTHERS_CHECK: Duration = Duration::from_secs(5);
const OTHER_CHECKS: Duration = Duration::from_secs(2);

/// Holds a target that the study writes. One that hosts share is checked in the same way, and not claimed afterwards: the hosts may be
/// processes of one machine, whose claims exclude each other for a moment.
fn hold(
    target: &Target,
    work: &TargetWork,
    context: &mut JobContext,
) -> Result<Option<HeldTarget>, TargetError> {
    let holding = Holding::of(work.command.name(), work.writes);
    let shared = work.share != HostShare::Own;
    let claimed = |found: &Found| matches!(found, Found::HeldExclusively | Found::OpenElsewhere);
    let by_others = |error: &TargetError| {
        matches!(error, TargetError::Run(RunError::Refused(refusal))
            if matches!(&refusal.reason, RefusalReason::InUse { found, .. } if found.iter().all(claimed)))
    };
    let (began, longest) = (Instant::now(), OTHERS_CHECK.max(OTHER_CHECKS * work.place.hosts));
    loop {
        match HeldTarget::hold(target, holding, &mut context.consent, &context.root) {
            Err(error) if shared && by_others(&error) && began.elapsed() < longest => {
                // Hosts wait for different times.
                std::thread::sleep(Duration::from_millis(50 + 29 * u64::from(work.place.number % 16)));
            }
            held => {
                let mut held = held?;
                held.iter_mut().filter(|_| shared).for_each(HeldTarget::share);
                return Ok(held);
            }
        }
    }
}

impl OpenTarget {
    /// Opens the target, fills a scratch file, and holds a device or file that the study writes.
    ///
    /// # Errors
    /// The target cannot be used, or must not be written.
    pub fn open(
        work: TargetWork,
        side: &Arc<AgentSide>,
        interrupt: &Arc<AtomicUsize>,
    ) -> Result<(OpenTarget, OpenedTarget), Refused> {
        let lang = lang::parse(&work.language).unwrap_or_default();
        let refused = |error: TargetError| (words::lab::target_error(lang, &error), error.exit_code());
        restore_kernel_settings(lang);
        let mut context = JobContext::here(interrupt.clone(), patience(), words::lab::stored);
        let destroyed = work.allow_destroy.iter().map(|path| work.place.fill(path).into()).collect();
        context.consent = Consent::new(Policy::Own, destroyed);
        if work.command == hosts::StudyCommand::Fit {
            context.consent = context.consent.of_named_devices();
        }
        context.window = work.window;
        let name = work.place.fill(&work.target);
        let mut target = Target::open(Path::new(&name), &context.root).map_err(refused)?;
        let Some(kind) = target.kind else {
            return Err((report::hosts::simulated_target(lang), 2));
        };
        if target.is_scratch() {
            target.fill(&context, &mut AgentWatch { side, lang }).map_err(refused)?;
        }
        let held = hold(&target, &work, &mut context).map_err(refused)?;
        let names = match &target.remote {
            _ if target.is_scratch() => Vec::new(),
            Some(spec) => vec![spec.target(&target.opened)],
            None => facts::shared_name::of(&context.root, &target.path),
        };
        let opened = OpenedTarget {
            described: describe(&name, &target, &context.root),
            kind,
            engine: target.engine.clone(),
            engine_note: target.engine_note.clone(),
            names,
        };
        context.gate = Some(side.clone());
        Ok((OpenTarget { work, lang, context, target, held }, opened))
    }

    /// Runs a job on the target; returns the result and the exit status that it would have had here alone.
    ///
    /// # Errors
    /// The job may not or cannot run here.
    pub fn job(&mut self, job: &TargetJob, side: &Arc<AgentSide>) -> Result<AgentOutcome, Refused> {
        let lang = self.lang;
        let refused = |error: TargetError| (words::lab::target_error(lang, &error), error.exit_code());
        let context = &self.context;
        let (place, share) = (&self.work.place, self.work.share);
        if let Some(bytes) = job.fresh {
            self.target.renew(bytes).map_err(refused)?;
        }
        let clones = (job.before, job.clones);
        let mut plan = self.target.plan_of_host(&job.name, &job.options, clones).map_err(refused)?;
        let part = (u64::from(place.number), u64::from(place.hosts));
        plan.keep_share(share, &vec![part; plan.jobs.len()])
            .map_err(|e| (report::hosts::not_split(lang, &e), 1))?;
        if let Some(held) = &mut self.held {
            held.check(self.work.writes, &context.root).map_err(refused)?;
        }
        wait_until_idle(&self.target, context);
        side.will_write(written_targets(&plan, &context.root));
        let ran = self.target.run_plan(&plan, context, &mut AgentWatch { side, lang });
        if let Some(held) = &mut self.held {
            held.visited();
        }
        let mut result = ran.map_err(refused)?;
        result.findings = lab::findings::judge(&plan, &result, &SysRoot::machine());
        let name = place.fill(&self.work.target);
        provenance(&mut result.provenance.host, std::iter::once(name.as_str()));
        let status = status(&result);
        Ok(AgentOutcome { result, answer: None, status })
    }
}
