//! Jobs on a host of several: what the coordinator is told about them.

use facts::SysRoot;
use hosts::{AgentSide, WrittenTarget};
use job::Plan;
use job::plan::{FileKind, Layout};
use report::{Lang, words};
use run::{Notice, Watch};
use stats::direction::Direction;
use stats::{Live, RunResult};

/// Passes what happens during the run on to the coordinator.
pub struct AgentWatch<'a> {
    pub side: &'a AgentSide,
    pub lang: Lang,
}

impl Watch for AgentWatch<'_> {
    fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Failed { error, lines, .. } => {
                lines.iter().for_each(|line| self.side.say(&words::run::line(self.lang, line)));
                self.side.say(&format!("{}: {}", error.function, words::run::job_error(self.lang, &error)));
            }
            Notice::Line(line) => self.side.say(&words::run::line(self.lang, &line)),
            _ => {}
        }
    }

    fn look(&mut self, live: &Live) {
        self.side.look(live);
    }

    fn report_due(&mut self) -> bool {
        self.side.wants_interim()
    }

    fn report(&mut self, result: RunResult) {
        self.side.interim(result);
    }
}

/// Returns the exit status that `fathom run` has for a result.
pub fn status(result: &RunResult) -> i32 {
    let failed = result.jobs.iter().filter(|job| job.error.is_some()).count().min(127) as i32;
    match (&result.refused, result.provenance.ended_by_signal) {
        (Some(_), _) => job::exit_status::REFUSED,
        (None, Some(_)) => 128 + failed,
        (None, None) => failed,
    }
}

/// Returns the files and devices that the run would write.
pub fn written_targets(plan: &Plan, root: &SysRoot) -> Vec<WrittenTarget> {
    let mut targets: Vec<WrittenTarget> = Vec::new();
    for clone in &plan.clones {
        let job = &plan.jobs[clone.job];
        let mix = job.pattern.mix;
        let writes = mix.has(Direction::Write) || mix.has(Direction::Trim);
        for file in clone.files.iter().filter(|file| writes || file.layout != Layout::Keep) {
            let path = job
                .engine
                .remote()
                .map_or_else(|| file.path.display().to_string(), |spec| spec.target(&file.path));
            if targets.iter().any(|target| target.path == path) {
                continue;
            }
            let names = match (job.engine.remote(), file.kind) {
                (Some(_), _) => vec![path.clone()],
                (None, FileKind::Regular | FileKind::Block) if job.engine.needs_files() => {
                    facts::shared_name::of(root, &file.path)
                }
                _ => continue,
            };
            targets.push(WrittenTarget { path, names });
        }
    }
    for path in run::side_outputs::paths(plan) {
        let names = facts::shared_name::of(root, &path);
        targets.push(WrittenTarget { path: path.display().to_string(), names });
    }
    targets
}
