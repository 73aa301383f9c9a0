//! `fathom explore`: the questions about runtime, block size, depth and jobs in order, each for every pattern, until
//! the budget is spent; then the recommended loads and a job file that measures them again.

mod block;
mod cap;
mod depth;
mod grid;
pub mod job_runner;
mod pairs;
pub(crate) mod point;
pub mod recommended;
mod reference;
mod repeat;
pub mod runner;
mod runtime;
mod session;
mod slo;

use depth::Knee;
use point::{slow_of, worthless};
use reference::Reference;
use runner::{Journal, Runner};
use session::{Session, StopReason};
use stats::failure::Failure;
use stats::pauses::SlowStretches;
use stats::study::{
    Access, Caveat, Cell, Conclusion, Estimate, MeasuredLoad, NotHere, Point, Question, Study, StudyAsked,
    StudyClaim, StudyTarget, Trend, Unanswered, Unit, Why,
};

/// Returns the weight of a question when the budget is divided, and the shortest time in which it can be answered,
/// seconds. Without the question of depth, which measures at depth 1, the question of the runtime measures itself.
fn shares(question: Question, asked: &StudyAsked) -> (f64, f64) {
    match question {
        Question::Depth => (5.0, 12.0),
        Question::Bs => (4.0, 8.0),
        Question::Runtime if !asked.questions.contains(&Question::Depth) => (4.0, 4.0),
        Question::Runtime | Question::Repeat => (0.0, 0.0),
        Question::Jobs | Question::Span | Question::Targets => (1.0, 3.5),
        Question::Grid => (12.0, 18.0),
        Question::Axis => (3.0, 4.0),
        Question::Slo => (6.0, 14.0),
        Question::Hosts => (3.0, 6.0),
    }
}

/// One question about one pattern of a target.
struct Task {
    question: Question,
    access: Access,
    target: usize,
}

/// Returns the tasks of a study in order. Two targets are also compared with each other: where asked, or else after the
/// question of depth.
fn tasks(asked: &StudyAsked, targets: usize) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    for question in asked.questions.iter().filter(|q| **q != Question::Repeat) {
        for access in &asked.patterns {
            let of_both = *question == Question::Targets;
            for target in if of_both { 1..targets } else { 0..targets } {
                tasks.push(Task { question: *question, access: access.clone(), target });
            }
            let asked_for = asked.questions.contains(&Question::Targets);
            if *question == Question::Depth && targets == 2 && !asked_for {
                tasks.push(Task { question: Question::Targets, access: access.clone(), target: 1 });
            }
        }
    }
    tasks
}

/// Runs a study, or the remaining part of a study that already has points.
pub fn explore(study: Study, runner: &mut dyn Runner, journal: &mut dyn Journal) -> Study {
    let asked = study.asked.clone();
    let targets = study.targets.len();
    let may_write = |t: &StudyTarget| t.scratch || asked.write || asked.engine == "model";
    let only_read: Vec<bool> = study.targets.iter().map(|t| !may_write(t)).collect();
    let mut tasks = tasks(&asked, targets);
    // Rounds take all patterns in turn, after everything else.
    let every = (0..targets).flat_map(|t| asked.patterns.iter().map(move |a| (t, a.clone())));
    let rounds: Vec<(usize, Access)> = every.filter(|(t, a)| !(a.writes() && only_read[*t])).collect();
    if let (Some(_), Some((target, access))) = (asked.repeat, rounds.first()) {
        tasks.push(Task { question: Question::Repeat, access: access.clone(), target: *target });
    }
    let session = Session::new(study, runner, journal);
    let mut explorer =
        Explorer { asked, only_read, rounds, session, knees: Vec::new(), references: Vec::new() };
    for at in 0..tasks.len() {
        explorer.answer_task(&tasks, at);
    }
    explorer.finish()
}

/// State of a study while its questions are answered.
struct Explorer<'a> {
    asked: StudyAsked,
    /// For each target, whether writing is not permitted.
    only_read: Vec<bool>,
    /// Targets and patterns of one round of [`Question::Repeat`].
    rounds: Vec<(usize, Access)>,
    session: Session<'a>,
    knees: Vec<(usize, Access, Knee)>,
    references: Vec<Reference>,
}

impl Explorer<'_> {
    /// Returns whether a task may run: its pattern does not write, or its target may be written.
    fn applies(&self, task: &Task) -> bool {
        !(task.access.writes() && self.only_read[task.target])
    }

    /// Returns the reason why a question does not apply to its pattern or target; `None` if the question applies.
    fn not_here(&self, task: &Task) -> Option<NotHere> {
        if !self.applies(task) {
            return Some(NotHere::OnlyRead);
        }
        match task.question {
            Question::Span if !task.access.random() => Some(NotHere::RandomAlone),
            Question::Jobs | Question::Grid | Question::Slo if task.access.commits() => {
                Some(NotHere::Commits)
            }
            _ => None,
        }
    }

    /// Returns the knee found for a pattern on a target, if any.
    fn knee(&self, target: usize, access: &Access) -> Option<Knee> {
        self.knees.iter().find(|(t, a, _)| *t == target && a == access).map(|(_, _, knee)| *knee)
    }

    /// Returns the knee, or 16 I/Os in flight of one job if no knee was found.
    fn knee_or_usual(&self, target: usize, access: &Access) -> Knee {
        self.knee(target, access).unwrap_or(Knee { in_flight: 16, jobs: 1 })
    }

    /// Answers one task within its share of the budget, or records why the question has no answer.
    fn answer_task(&mut self, tasks: &[Task], at: usize) {
        let task = &tasks[at];
        let Task { question, ref access, target } = *task;
        let weight = |question: Question| shares(question, &self.asked).0;
        let least_s = shares(question, &self.asked).1;
        let left = self.asked.budget_s - self.session.spent_s;
        let loads =
            reference::loads(tasks.iter().filter(|t| self.applies(t)).map(|t| (t.question, &t.access)));
        let reserve = reference::reserve_s(&self.session, loads);
        let left = if left > reserve + 2.0 * least_s { left - reserve } else { left };
        let weights: f64 = tasks[at..].iter().filter(|t| self.applies(t)).map(|t| weight(t.question)).sum();
        // Time saved by one question is available to the later ones. A few reliable answers are worth more than many
        // unreliable ones, so the first questions take the time that they need.
        let share = (left * weight(question) / weights.max(1e-9)).max(least_s).min(left);
        self.session.question = question;
        let measures = weight(question) > 0.0;
        self.session.until_s = self.session.spent_s + if measures { share } else { 0.0 };
        self.session.start_level();
        if let Some(reason) = self.session.over() {
            let why = why(&self.session, reason, self.session.used(), 0.0);
            return self.unanswered(task, why);
        }
        if let Some(text) = self.not_here(task) {
            return self.unanswered(task, Why::NotHere { text });
        }
        // A question that needs no time is answered even when the budget is overspent.
        if share.max(0.0) < least_s {
            return self.unanswered(task, Why::Budget { needs_s: least_s - share.max(0.0) });
        }
        self.session.asks(target, access, left);
        let spent = self.session.spent_s;
        let from = self.session.used();
        match self.measure(task) {
            Ok(found) => {
                let reference = Reference::of(&self.session, &found).filter(|_| question == Question::Depth);
                self.references.extend(reference);
                self.session.study.conclusions.extend(found);
            }
            Err(reason) => {
                let needs_s = (self.session.spent_s - spent).max(least_s);
                let why = why(&self.session, reason, from, needs_s);
                self.unanswered(task, why);
            }
        }
        // If no time is left for the references, or a visit fails, the answers stand as they are.
        if measures {
            let _ = reference::look(&mut self.session, &mut self.references, (target, from), false);
        }
    }

    /// Measures the points of one task and returns its conclusions.
    fn measure(&mut self, task: &Task) -> Result<Vec<Conclusion>, StopReason> {
        let Task { question, ref access, target } = *task;
        let knee = self.knee_or_usual(target, access);
        let session = &mut self.session;
        match question {
            Question::Depth => {
                let (found, knee) = depth::study(session, target, access)?;
                self.knees.extend(knee.map(|knee| (target, access.clone(), knee)));
                Ok(found)
            }
            Question::Bs => block::study(session, target, access, knee),
            Question::Runtime => runtime::study(session, target, access),
            Question::Jobs => pairs::jobs(session, target, access, knee),
            Question::Span => pairs::span(session, target, access),
            Question::Grid => grid::study(session, target, access),
            Question::Targets => match (self.knee(0, access), self.knee(1, access)) {
                (Some(a), Some(b)) => pairs::targets(&mut self.session, access, &[[a, b]]),
                _ if self.asked.questions.contains(&Question::Depth) => {
                    Err(StopReason::Failed(Failure::NothingToCompare))
                }
                _ => pairs::targets(&mut self.session, access, pairs::usual(access)),
            },
            Question::Repeat => {
                let cell = |(target, access): &(usize, Access)| {
                    let knee = self.knee_or_usual(*target, access);
                    Cell::of(*target, access, knee.in_flight, knee.jobs)
                };
                let cells: Vec<_> = self.rounds.iter().map(cell).collect();
                let session = &mut self.session;
                self.asked.repeat.map_or(Ok(Vec::new()), |asked| repeat::study(session, &cells, asked))
            }
            Question::Slo => {
                let most = session.study.answer(target, access, Question::Depth).map(|c| c.estimate);
                let knee = self.knee(target, access);
                slo::study(&mut self.session, target, access, knee, most)
            }
            Question::Hosts => pairs::hosts(session, target, access, knee),
            Question::Axis => {
                let (name, values) = job_runner::axis_values(self.asked.axis.as_deref().unwrap_or_default());
                pairs::axis(session, target, access, knee, &name, &values)
            }
        }
    }

    fn unanswered(&mut self, task: &Task, why: Why) {
        let Task { question, ref access, target } = *task;
        self.session.study.unanswered.push(Unanswered { target, access: access.clone(), question, why });
    }

    /// Visits the reference loads a last time and returns the study with its recommendations.
    fn finish(mut self) -> Study {
        for target in 0..self.session.study.targets.len() {
            let from = self.session.used();
            let _ = reference::look(&mut self.session, &mut self.references, (target, from), true);
        }
        let complete = self.session.over().is_none();
        let spent_s = self.session.spent_s;
        let mut study = self.session.study;
        study.complete = complete;
        study.spent_s = spent_s;
        study.loads = recommended::loads(&study);
        study.recommended = recommended::job_file(&study);
        study
    }
}

/// Returns the stored reason why a question, whose points begin at `from`, has no answer.
fn why(session: &Session<'_>, reason: StopReason, from: usize, needs_s: f64) -> Why {
    let points = session.since(from);
    if let Some(point) = points.iter().find(|p| worthless(p)) {
        return Why::NotTheDevice { findings: point.findings.clone() };
    }
    match reason {
        StopReason::Budget => Why::Budget { needs_s },
        StopReason::Needs(needs_s) => Why::Budget { needs_s },
        StopReason::Interrupted => Why::Interrupted,
        StopReason::Failed(text) => Why::Failed { text },
    }
}

/// Returns a conclusion, with the seconds and bytes measured for its load, and with caveats about drift, errors and
/// pauses in its points.
#[allow(clippy::too_many_arguments)] // each is a field of what is built
pub(crate) fn answer(
    session: &Session<'_>,
    target: usize,
    access: &Access,
    question: Question,
    claim: StudyClaim,
    estimate: Estimate,
    unit: Unit,
    evidence: Vec<u32>,
    mut caveats: Vec<Caveat>,
) -> Conclusion {
    let points = || evidence.iter().filter_map(|n| session.study.points.get(*n as usize));
    // The trend of the last point shows a device whose rate still changes.
    if let Some(Trend::Drifts(percent)) = points().next_back().map(|p| p.trend)
        && percent.abs() > 5.0
    {
        caveats.push(Caveat::Drifts { percent });
    }
    let failed = |p: &Point| {
        let of = p.findings.iter().filter_map(|f| match f.claim {
            stats::Claim::Failed { failed, .. } => Some(failed),
            _ => None,
        });
        of.sum::<u64>()
    };
    let errors: u64 = points().map(failed).sum();
    if errors > 0 {
        caveats.push(Caveat::Errors { failed: errors, ios: points().map(|p| p.ios).sum() });
    }
    // At depth 1 a single slow I/O looks like a pause, so only deeper points count.
    let pauses = points().filter(|p| p.cell.in_flight() > 1).map(slow_of);
    let slow = pauses.fold(SlowStretches::default(), |sum, one| sum.and(&one));
    let (count, lost_s) = slow.pauses;
    if matches!(question, Question::Depth | Question::Slo)
        && !matches!(claim, StudyClaim::Moved { .. })
        && count >= 3
        && lost_s > 0.005 * slow.seconds
    {
        let (each_s, every_s) = (lost_s / count as f64, slow.seconds / count as f64);
        caveats.push(Caveat::Pauses { each_s, every_s });
    }
    let unit = if unit == Unit::Iops && access.commits() { Unit::Commits } else { unit };
    let measured = MeasuredLoad {
        seconds: points().map(|p| p.seconds).sum(),
        bytes: points().map(|p| p.bytes).sum(),
        span: session.study.targets[target].size,
    };
    Conclusion {
        target,
        access: access.clone(),
        question,
        claim,
        estimate,
        unit,
        measured,
        evidence,
        caveats,
    }
}
