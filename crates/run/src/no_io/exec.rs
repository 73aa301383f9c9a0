//! `ioengine=exec`: a job that runs a program.

use super::{Cycle, CyclicTask, NAP};
use crate::job_error::failed_because;
use crate::output;
use job::job::{ExecSpec, Job};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use stats::JobError;
use stats::job_error::ErrorCause;
use stats::unit::SECOND;
use std::num::NonZeroU64;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Length of a cycle while the program runs, and of the pause after a cycle.
const CYCLE: Duration = Duration::from_millis(50);

/// Returns the arguments of the program, with fio's variables replaced; `None` if the job has none.
pub(super) fn arguments(job: &Job, exec: &ExecSpec) -> Option<String> {
    exec.expanded(job.limits.runtime.map_or(0, NonZeroU64::get) / SECOND, &job.name)
}

/// A running program, which is terminated on drop.
pub(super) struct Program<'a> {
    job: &'a Job,
    spec: &'a ExecSpec,
    child: Option<Child>,
    /// Exit status, if the program has ended by itself.
    ended: Option<std::io::Result<std::process::ExitStatus>>,
    begun: bool,
}

impl<'a> Program<'a> {
    pub(super) fn new(job: &'a Job, spec: &'a ExecSpec) -> Self {
        Self { job, spec, child: None, ended: None, begun: false }
    }

    fn start(&mut self) -> Result<(), JobError> {
        let program = self.spec.program.as_deref().unwrap_or_default();
        let arguments = arguments(self.job, self.spec).unwrap_or_default();
        let mut command = Command::new(program);
        command.args(arguments.split(' ').filter(|argument| !argument.is_empty()));
        if self.spec.redirect {
            let file = |what: &str| {
                let name = format!("{}.{what}", self.job.name);
                output::open(name.as_ref()).map_err(|e| {
                    failed_because(
                        &format!("open({name})"),
                        &Errno::INVAL.into(),
                        ErrorCause::Output(e.into_fault()),
                    )
                })
            };
            command.stdout(file("stdout")?).stderr(file("stderr")?);
        }
        let child = command
            .spawn()
            .map_err(|e| failed_because("exec", &e, ErrorCause::Program { program: program.to_owned() }))?;
        self.child = Some(child);
        Ok(())
    }

    /// Returns whether the program has ended by itself.
    fn has_ended(&mut self) -> bool {
        let Some(child) = &mut self.child else { return true };
        match child.try_wait() {
            Ok(None) => return false,
            Ok(Some(status)) => self.ended = Some(Ok(status)),
            Err(e) => self.ended = Some(Err(e)),
        }
        self.child = None;
        true
    }

    /// Sends SIGTERM to the program, and SIGKILL after the grace time.
    fn close(&mut self) {
        if self.has_ended() {
            return;
        }
        let Some(mut child) = self.child.take() else { return };
        // The child was not waited for, so its id is not reused.
        let _ = kill_process(Pid::from_child(&child), Signal::TERM);
        let grace = Duration::from_secs(self.spec.grace_s);
        let asked = Instant::now();
        while asked.elapsed() < grace {
            if child.try_wait().map_or(true, |status| status.is_some()) {
                return;
            }
            std::thread::sleep(NAP.min(grace));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl CyclicTask for Program<'_> {
    fn run_cycle(&mut self, cycle: &Cycle<'_>) -> Result<bool, JobError> {
        if !std::mem::replace(&mut self.begun, true) {
            return self.start().map(|()| true);
        }
        let over = self.has_ended();
        if over && self.job.limits.runtime.is_none() {
            return Ok(false);
        }
        cycle.sleep(CYCLE);
        if (cycle.up)() {
            self.close();
        }
        Ok(true)
    }

    fn pause(&self) -> Duration {
        CYCLE
    }

    fn end(&mut self) -> Vec<String> {
        self.close();
        let how = match &self.ended {
            None => return Vec::new(),
            Some(Ok(status)) if status.success() => return Vec::new(),
            Some(Ok(status)) => status.to_string(),
            Some(Err(e)) => e.to_string(),
        };
        let program = self.spec.program.as_deref().unwrap_or_default();
        vec![format!("fathom: job {}: {program}: {how}", self.job.name)]
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        self.close();
    }
}
