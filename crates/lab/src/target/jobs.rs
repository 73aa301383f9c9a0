//! Jobs on a target, which are written in fio's language and run like those of any user.

use super::{JobContext, Target, WRITE_REGION, WRITTEN, refuse};
use crate::findings;
use crate::host_jobs::HostsRun;
use crate::target_error::TargetError;
use crate::target_fault::TargetFault;
use facts::SysRoot;
use job::files::NoFiles;
use job::plan::Plan;
use job::remote::RemoteSpec;
use job::{CommandLine, Diagnostic, Dialect, Parsed};
use run::prepare::Host;
use run::refusal::{Refusal, RefusalReason};
use run::wear::WriteAllowance;
use run::{RunError, Setup, Watch};
use stats::{Direction, Finding, QuickTarget, RunResult};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

impl Target {
    /// Returns the command line options that select the target and the way to open it: engine, file name or model
    /// options, and direct I/O.
    pub fn options(&self) -> Vec<String> {
        let mut options = vec![format!("--ioengine={}", self.engine)];
        match self.kind {
            None => options.extend(self.selection.iter().cloned()),
            Some(QuickTarget::Server | QuickTarget::ScratchObjects) => {
                options.clone_from(&self.selection);
                options.push("--direct=1".into());
            }
            Some(_) => {
                // A colon separates names in `filename`.
                let filename = self.path.to_string_lossy().replace('\\', "\\\\").replace(':', "\\:");
                options.push(format!("--filename={filename}"));
                options.push(format!("--direct={}", u8::from(self.direct)));
            }
        }
        options
    }

    /// Returns the options that select the scratch objects of a job with `options`, and its size. In a bucket, reads are
    /// ranges of one object, and each block that is written is an object of its own: S3 cannot change a part of an object.
    fn object_options(&self, options: &[String]) -> (Vec<String>, u64) {
        let Some(objects) = &self.objects else { return (Vec::new(), self.size) };
        let bucket = matches!(self.selection.first(), Some(engine) if engine == "--ioengine=http");
        if !bucket {
            let names: Vec<&str> = objects.names().iter().map(String::as_str).collect();
            return (vec![format!("--filename={}", names.join(":"))], self.size);
        }
        let root = self.name.to_string_lossy();
        let bucket = root.trim_start_matches("s3://").split('/').next().unwrap_or_default();
        let pattern = options.iter().find_map(|option| option.strip_prefix("--rw=")).unwrap_or_default();
        let writes = pattern.contains("write") || pattern.contains("rw");
        if writes {
            let name = format!("/{bucket}/{}{WRITTEN}", objects.keys());
            return (vec![format!("--filename={name}")], self.size.min(WRITE_REGION));
        }
        let name = objects.names().first().cloned().unwrap_or_default();
        (vec![format!("--filename=/{bucket}/{name}"), "--http_object_mode=range".into()], self.size)
    }

    /// Parses the command line of the job `name` on the target, with `options` in addition to [`Target::options`].
    pub(super) fn line(&self, name: &str, options: &[String]) -> Result<Box<CommandLine>, TargetError> {
        let mut args: Vec<OsString> = vec![format!("--name={name}").into()];
        args.extend(self.options().iter().map(OsString::from));
        let (objects, size) = self.object_options(options);
        args.extend(objects.into_iter().map(OsString::from));
        if !options.iter().any(|o| o.starts_with("--size=")) {
            args.push(format!("--size={size}").into());
        }
        args.extend(options.iter().map(OsString::from));
        match job::command_line(&args, "fathom", Dialect::Run, &mut NoFiles) {
            Ok(Parsed::Run(line)) => Ok(line),
            Ok(Parsed::Print { diagnostics, .. }) => Err(self.refuse_job(diagnostics)),
            Ok(Parsed::Calibrate | Parsed::Inflate(_)) => Err(self.refuse_job(Vec::new())),
            Err(usage) => Err(self.refuse_job(usage.diagnostics)),
        }
    }

    /// Returns the error for a job that the parser rejected. fathom writes the job's other options, so the error can
    /// only come from the target.
    fn refuse_job(&self, diagnostics: Vec<Diagnostic>) -> TargetError {
        refuse(&self.name, TargetFault::Job { diagnostics })
    }

    /// Runs one job with `options` in addition to [`Target::options`] and adds the findings to its result.
    ///
    /// # Errors
    /// The job cannot be parsed, planned or started, the target was replaced by another file during the run, or
    /// `--wear-budget` ended it.
    pub fn job(
        &self,
        name: &str,
        context: &JobContext,
        options: &[String],
        watch: &mut dyn Watch,
    ) -> Result<RunResult, TargetError> {
        self.examined_job(name, context, options, watch, findings::judge)
    }

    /// Runs one job like [`Target::job`], and returns the results of the hosts, too, if several run it.
    ///
    /// # Errors
    /// Those of [`Target::job`].
    pub fn job_of_each(
        &self,
        name: &str,
        context: &JobContext,
        options: &[String],
        watch: &mut dyn Watch,
    ) -> Result<HostsRun, TargetError> {
        match &self.on_hosts {
            Some(on_hosts) => on_hosts.on_each(name, options, watch),
            None => Ok(HostsRun { sum: self.job(name, context, options, watch)?, each: Vec::new() }),
        }
    }

    /// Runs one job like [`Target::job`] with the findings that follow from its result alone
    /// ([`findings::judge_briefly`]): for jobs that follow each other without a pause, since the others take milliseconds.
    ///
    /// # Errors
    /// Those of [`Target::job`].
    pub fn briefly_examined_job(
        &self,
        name: &str,
        context: &JobContext,
        options: &[String],
        watch: &mut dyn Watch,
    ) -> Result<RunResult, TargetError> {
        self.examined_job(name, context, options, watch, findings::judge_briefly)
    }

    /// Returns the plan of the job `name` with `options` in addition to [`Target::options`].
    ///
    /// # Errors
    /// The job cannot be parsed or planned.
    pub fn plan(&self, name: &str, options: &[String]) -> Result<Plan, TargetError> {
        self.plan_of(self.line(name, options)?)
    }

    /// Returns the plan of the job `name` like [`Target::plan`] with `clones` of its clones, which come after `before` others.
    ///
    /// # Errors
    /// The job cannot be parsed or planned.
    pub fn plan_of_host(
        &self,
        name: &str,
        options: &[String],
        (before, clones): (u32, u32),
    ) -> Result<Plan, TargetError> {
        let mut line = self.line(name, options)?;
        for job in &mut line.jobs {
            (job.target.clones_before, job.numjobs) = (before, clones);
        }
        self.plan_of(line)
    }

    fn plan_of(&self, line: Box<CommandLine>) -> Result<Plan, TargetError> {
        let plan = job::plan(line.jobs, &mut Host).map_err(|e| refuse(&self.name, TargetFault::Plan(e)))?;
        // With another engine, `filename` is a file of this machine.
        let engine = |spec: Option<&RemoteSpec>| spec.map(RemoteSpec::engine);
        let own = engine(self.remote.as_ref());
        if own.is_some() && plan.jobs.iter().any(|job| engine(job.engine.remote()) != own) {
            return Err(refuse(&self.name, TargetFault::OtherEngine { engine: self.engine.clone() }));
        }
        Ok(plan)
    }

    /// Runs one job and adds the findings of `judge`; those of hosts come from the hosts.
    fn examined_job(
        &self,
        name: &str,
        context: &JobContext,
        options: &[String],
        watch: &mut dyn Watch,
        judge: fn(&Plan, &RunResult, &SysRoot) -> Vec<Finding>,
    ) -> Result<RunResult, TargetError> {
        if let Some(on_hosts) = &self.on_hosts {
            return on_hosts.on_each(name, options, watch).map(|run| run.sum);
        }
        let plan = self.plan(name, options)?;
        let mut result = self.run_plan(&plan, context, watch)?;
        result.findings = judge(&plan, &result, &context.root);
        Ok(result)
    }

    /// Runs the jobs of a plan on the target.
    ///
    /// # Errors
    /// Those of [`Target::job`].
    pub fn run_plan(
        &self,
        plan: &Plan,
        context: &JobContext,
        watch: &mut dyn Watch,
    ) -> Result<RunResult, TargetError> {
        if let Some(objects) = self.objects.as_ref().filter(|_| !self.named.swap(true, Relaxed)) {
            (context.scratch_named)(&objects.described());
        }
        let mut consent = context.consent.clone();
        // Scratch objects may be overwritten.
        if self.objects.is_some() {
            let files = plan.clones.iter().flat_map(|clone| &clone.files);
            let spec = plan.jobs.first().and_then(|job| job.engine.remote());
            consent
                .allow_destroy
                .extend(files.filter_map(|file| Some(PathBuf::from(spec?.target(&file.path)))));
        }
        // The scratch file may be overwritten even on FUSE, where a removed file keeps a name and other users.
        consent.allow_destroy.extend(self.scratch.as_ref().map(|_| self.path.clone()));
        let setup = Setup {
            consent,
            root: context.root.clone(),
            interrupt: context.interrupt.clone(),
            all_histograms: true,
            inputs: Vec::new(),
            idleness: false,
            patience: context.patience,
            window: context.window,
            models: context.models.clone(),
            allowance: context.allowance.clone(),
            gate: context.gate.clone(),
        };
        // A job that the budget would end early has no figure; jobs that only read are still run.
        let real = self.kind.is_some();
        let writes = real && plan.jobs.iter().any(|job| job.pattern.mix.has(Direction::Write));
        let exhausted = |allowance: &&Arc<WriteAllowance>| writes && allowance.exhausted();
        let no_budget =
            |allowance: &Arc<WriteAllowance>| RunError::Refused(allowance.refusal(&self.name, None));
        if let Some(allowance) = context.allowance.as_ref().filter(exhausted) {
            return Err(no_budget(allowance).into());
        }
        let mut result = run::run(plan, &setup, watch)?;
        if let Some(allowance) = context.allowance.as_ref().filter(exhausted) {
            return Err(no_budget(allowance).into());
        }
        if let Some(change) = result.refused.take() {
            let refusal = Refusal { path: change.path.into(), reason: RefusalReason::Changed(change.kind) };
            return Err(RunError::Refused(refusal).into());
        }
        Ok(result)
    }
}
