//! Hosts that run the jobs of a study: `fathom --hosts`, `fathom explore --hosts`, `fathom fit --hosts`.

use crate::host_switches::HostSwitches;
use crate::hosts::HostsOrder;
use crate::output::print;
use hosts::{
    HostsError, HostsRequest, HostsSession, HostsWatch, LossRule, StudyCommand, TargetJob, TargetWork,
};
use job::exit_status;
use lab::host_jobs::{HostJob, HostsRun, HostsTarget, JobHosts};
use lab::target::TargetError;
use report::Lang;
use run::{Notice, Watch};
use stats::hosts::HostLoss;
use stats::{Live, RunResult};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The hosts of a study: not yet connected, or with an open target.
enum State {
    Before(Box<HostsRequest>),
    Open(Box<HostsSession>),
    /// A host has refused or was lost.
    Over,
}

/// Hosts that run the jobs of a study.
pub struct StudyHosts {
    state: Mutex<State>,
    names: Vec<String>,
    command: StudyCommand,
    /// Whether the study writes to a target that is no scratch file.
    writes: AtomicBool,
    work: TargetWork,
    lang: Lang,
    /// Number of the signal that requested the end; 0 before.
    interrupt: Arc<AtomicUsize>,
}

impl std::fmt::Debug for StudyHosts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StudyHosts").field("names", &self.names).finish_non_exhaustive()
    }
}

/// Passes what hosts say on to the watch of a study.
struct StudyWatch<'a> {
    watch: &'a mut dyn Watch,
    lang: Lang,
    /// Result of each host.
    each: Vec<RunResult>,
}

impl HostsWatch for StudyWatch<'_> {
    fn said(&mut self, host: &str, line: &str) {
        self.watch.notice(Notice::OfHost { host: host.to_owned(), line: line.to_owned() });
    }

    /// The study ends, and says so.
    fn lost(&mut self, _: &str, _: &HostLoss) {}

    fn stalled(&mut self, host: &str, seconds: u64) {
        let line = report::hosts::stalled(self.lang, host, seconds);
        self.watch.notice(Notice::OfHost { host: "fathom".to_owned(), line });
    }

    fn awaited(&mut self, hosts: &[&str], seconds: u64) {
        let line = report::hosts::awaited(self.lang, hosts, seconds);
        self.watch.notice(Notice::OfHost { host: "fathom".to_owned(), line });
    }

    fn result(&mut self, host: usize, result: &RunResult) {
        if let Some(own) = self.each.get_mut(host) {
            own.clone_from(result);
        }
    }

    fn look(&mut self, live: &Live) {
        self.watch.look(live);
    }
}

impl StudyHosts {
    /// Returns the hosts of the switches; nothing is started yet. `allow_destroy` are targets whose data may be destroyed.
    ///
    /// # Errors
    /// The reason why there are none, in the user's language, and the exit status.
    pub fn of(
        switches: &HostSwitches,
        command: StudyCommand,
        allow_destroy: &[PathBuf],
        lang: Lang,
    ) -> Result<StudyHosts, (String, i32)> {
        let order = HostsOrder::of(lang, switches)?;
        let names = order.names.clone();
        let request = order.request(lang).map_err(|why| (why, 1))?;
        let interrupt = request.interrupt.clone();
        let allow_destroy = allow_destroy.iter().map(|path| path.display().to_string()).collect();
        let work = TargetWork {
            command,
            allow_destroy,
            share: switches.share,
            language: lang.name().to_owned(),
            ..TargetWork::default()
        };
        let state = Mutex::new(State::Before(Box::new(request)));
        Ok(StudyHosts { state, names, command, writes: AtomicBool::new(false), work, lang, interrupt })
    }

    /// Tells whether the next target that is opened will be written, unless it is a scratch file.
    pub fn will_write(&self, writes: bool) {
        self.writes.store(writes, Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what the user reads about an error; the study is over.
    fn error(&self, error: HostsError) -> TargetError {
        let lang = self.lang;
        let (lines, status) = match error {
            HostsError::Refused(refused) => {
                let status = refused.iter().map(|(_, _, status)| *status).max().unwrap_or(1);
                (refused.iter().map(|(host, why, _)| format!("{host}: {why}")).collect(), status)
            }
            HostsError::SameTarget { path, hosts } => {
                (vec![report::hosts::same_target(lang, &path, &hosts)], exit_status::REFUSED)
            }
            HostsError::Lost(lost) => {
                (lost.iter().map(|(host, loss)| report::hosts::lost(lang, host, loss)).collect::<Vec<_>>(), 1)
            }
            HostsError::Interrupted => (vec![report::hosts::refused(lang)], 128),
        };
        TargetError::Hosts { said: lines.join("; "), status }
    }
}

impl JobHosts for StudyHosts {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn open(
        &self,
        target: &Path,
        window: Duration,
        watch: &mut dyn Watch,
    ) -> Result<HostsTarget, TargetError> {
        let mut state = self.state();
        let work = TargetWork {
            target: target.display().to_string(),
            command: self.command,
            writes: self.writes.load(Relaxed),
            window,
            ..self.work.clone()
        };
        let mut watch = StudyWatch { watch, lang: self.lang, each: Vec::new() };
        let opened = match std::mem::replace(&mut *state, State::Over) {
            State::Before(request) => HostsSession::open(*request, work, &mut watch),
            State::Open(session) => session.reopen(work, &mut watch),
            State::Over => Err(HostsError::Interrupted),
        };
        let session = opened.map_err(|error| self.error(error))?;
        let targets = session.targets();
        let first = targets.first().cloned().unwrap_or_default();
        let mut described = first.described;
        for other in targets {
            described.size = described.size.min(other.described.size);
            described.sector = described.sector.max(other.described.sector);
            described.direct = described.direct.zip(other.described.direct).map(|(one, next)| one && next);
            described.scratch &= other.described.scratch;
        }
        *state = State::Open(Box::new(session));
        Ok(HostsTarget { described, kind: first.kind, engine: first.engine, engine_note: first.engine_note })
    }

    fn job(&self, name: &str, jobs: Vec<HostJob>, watch: &mut dyn Watch) -> Result<HostsRun, TargetError> {
        let mut state = self.state();
        let State::Open(session) = &mut *state else {
            return Err(self.error(HostsError::Interrupted));
        };
        let job = |HostJob { options, clones, before, fresh }| TargetJob {
            name: name.to_owned(),
            options,
            clones,
            before,
            fresh,
        };
        let jobs = jobs.into_iter().map(job).collect();
        let each = vec![RunResult::default(); self.names.len()];
        let mut watch = StudyWatch { watch, lang: self.lang, each };
        match session.job(jobs, &mut watch) {
            Ok(result) => Ok(HostsRun { sum: result.into_sum(), each: watch.each }),
            Err(HostsError::Interrupted) => {
                let mut run = HostsRun::default();
                run.sum.provenance.ended_by_signal = Some(self.interrupt.load(Relaxed) as i32);
                Ok(run)
            }
            Err(error) => {
                *state = State::Over;
                Err(self.error(error))
            }
        }
    }
}

/// Returns the hosts of a study, if the switches name some.
///
/// # Errors
/// The exit status, after the reason was printed; 0 after the commands of `--dry-run`.
pub fn asked(
    (switches, dry_run): (&HostSwitches, bool),
    command: StudyCommand,
    allow_destroy: &[PathBuf],
    lang: Lang,
) -> Result<Option<Arc<StudyHosts>>, i32> {
    let fail = |why: &str, status: i32| {
        why.lines().for_each(|line| eprintln!("fathom: {line}"));
        status
    };
    if !switches.is_asked() {
        return match switches.without_hosts().or(dry_run.then_some("--dry-run")) {
            Some(switch) => Err(fail(&report::hosts::only_with_hosts(lang, switch), 2)),
            None => Ok(None),
        };
    }
    if switches.on_loss == LossRule::Continue {
        return Err(fail(&report::hosts::not_with_study(lang, "--on-loss=continue"), 2));
    }
    if dry_run {
        print(&HostsOrder::of(lang, switches).map_err(|(why, status)| fail(&why, status))?.command_lines());
        return Err(0);
    }
    match StudyHosts::of(switches, command, allow_destroy, lang) {
        Ok(hosts) => Ok(Some(Arc::new(hosts))),
        Err((why, status)) => Err(fail(&why, status)),
    }
}
