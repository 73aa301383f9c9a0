//! How long, which block size, which depth, how many jobs: questions in their order, each for every pattern, until the
//! budget is spent; then what follows and a job file that measures it again.

pub mod bench;
mod block;
mod cap;
mod depth;
mod grid;
pub mod job_runner;
mod pairs;
mod recommended;
mod reference;
mod repeat;
mod runtime;
mod slo;

use bench::{Bench, Journal, Runner, StopReason};
use depth::Knee;
use reference::Reference;
use stats::pauses::SlowStretches;
use stats::study::{
    Access, Caveat, Cell, Conclusion, Estimate, Horizon, NotHere, Point, Question, Study, StudyClaim, Trend,
    Unanswered, Unit, Why,
};

/// How the budget is shared: parts that a question gets against the others.
fn weight(question: Question) -> f64 {
    match question {
        Question::Depth => 5.0,
        Question::Bs => 4.0,
        Question::Runtime | Question::Repeat => 0.0,
        Question::Jobs | Question::Span | Question::Targets => 1.0,
        Question::Grid => 12.0,
        Question::Axis => 3.0,
        Question::Slo => 6.0,
    }
}

/// Seconds that a question needs at least to have an answer.
fn least_s(question: Question) -> f64 {
    match question {
        Question::Depth => 12.0,
        Question::Bs => 8.0,
        Question::Runtime | Question::Repeat => 0.0,
        Question::Jobs | Question::Span | Question::Targets => 3.5,
        Question::Grid => 18.0,
        Question::Axis => 4.0,
        Question::Slo => 14.0,
    }
}

/// One question about one pattern, of all targets: two targets are studied in turn.
struct Task {
    question: Question,
    access: Access,
    target: usize,
}

/// Runs the study, or what is left of it when it has points already.
pub fn explore(study: Study, runner: &mut dyn Runner, journal: &mut dyn Journal) -> Study {
    let asked = study.asked.clone();
    let targets = study.targets.len();
    let mut tasks: Vec<Task> = Vec::new();
    for question in asked.questions.iter().filter(|q| **q != Question::Repeat) {
        for access in &asked.patterns {
            for target in 0..targets {
                tasks.push(Task { question: *question, access: access.clone(), target });
            }
            if *question == Question::Depth && targets == 2 {
                tasks.push(Task { question: Question::Targets, access: access.clone(), target: 1 });
            }
        }
    }
    let only_read: Vec<bool> =
        study.targets.iter().map(|t| !t.scratch && !asked.write && asked.engine != "model").collect();
    let applies = |t: &Task| !(t.access.writes() && only_read[t.target]);
    // Rounds take all patterns in turn, after everything else.
    let every = || (0..targets).flat_map(|t| asked.patterns.iter().map(move |a| (t, a)));
    let rounds: Vec<(usize, &Access)> = every().filter(|(t, a)| !(a.writes() && only_read[*t])).collect();
    if let (Some(_), Some((target, access))) = (asked.repeat, rounds.first()) {
        tasks.push(Task { question: Question::Repeat, access: (*access).clone(), target: *target });
    }
    let mut bench = Bench::new(study, runner, journal);
    let mut knees: Vec<(usize, Access, Knee)> = Vec::new();
    let mut references: Vec<Reference> = Vec::new();
    for at in 0..tasks.len() {
        let Task { question, access, target } = &tasks[at];
        let left = asked.budget_s - bench.spent_s;
        let loads = reference::loads(tasks.iter().filter(|t| applies(t)).map(|t| (t.question, &t.access)));
        let reserve = reference::reserve_s(&bench, loads);
        let left = if left > reserve + 2.0 * least_s(*question) { left - reserve } else { left };
        let weights: f64 = tasks[at..].iter().filter(|t| applies(t)).map(|t| weight(t.question)).sum();
        // What is saved by one question goes to those after it.
        // Few answers that hold are worth more than many that do not: what comes first takes what it needs.
        let share = (left * weight(*question) / weights.max(1e-9)).max(least_s(*question)).min(left);
        bench.question = *question;
        bench.until_s = bench.spent_s + if weight(*question) > 0.0 { share } else { 0.0 };
        bench.begin_anew();
        let unanswered = |bench: &mut Bench<'_>, why: Why| {
            let (access, question, target) = (access.clone(), *question, *target);
            bench.study.unanswered.push(Unanswered { target, access, question, why });
        };
        if bench.interrupted() {
            unanswered(&mut bench, Why::Interrupted);
            continue;
        }
        if !applies(&tasks[at]) {
            unanswered(&mut bench, Why::NotHere { text: NotHere::OnlyRead });
            continue;
        }
        if *question == Question::Span && !access.random() {
            unanswered(&mut bench, Why::NotHere { text: NotHere::RandomAlone });
            continue;
        }
        if matches!(question, Question::Jobs | Question::Grid | Question::Slo) && access.commits() {
            unanswered(&mut bench, Why::NotHere { text: NotHere::Commits });
            continue;
        }
        // What needs no time of the budget is asked although that is overspent.
        if share.max(0.0) < least_s(*question) {
            unanswered(&mut bench, Why::Budget { needs_s: least_s(*question) - share.max(0.0) });
            continue;
        }
        bench.asks(*target, access, left);
        let spent = bench.spent_s;
        let from = bench.used();
        let knee = knees.iter().find(|(t, a, _)| t == target && a == access).map(|(_, _, k)| *k);
        let usual = Knee { in_flight: 16, jobs: 1 };
        let done = match question {
            Question::Depth => depth::study(&mut bench, *target, access).map(|(found, knee)| {
                knees.extend(knee.map(|k| (*target, access.clone(), k)));
                found
            }),
            Question::Bs => block::study(&mut bench, *target, access, knee.unwrap_or(usual)),
            Question::Runtime => runtime::study(&mut bench, *target, access),
            Question::Jobs => pairs::jobs(&mut bench, *target, access, knee.unwrap_or(usual)),
            Question::Span => pairs::span(&mut bench, *target, access),
            Question::Grid => grid::study(&mut bench, *target, access),
            Question::Targets => {
                let of = |n: usize| knees.iter().find(|(t, a, _)| *t == n && a == access).map(|(_, _, k)| *k);
                match (of(0), of(1)) {
                    (Some(a), Some(b)) => pairs::targets(&mut bench, access, [a, b]),
                    _ => Err(StopReason::Failed("one of the two has no answer to compare".into())),
                }
            }
            Question::Repeat => {
                let cell = |(target, access): &(usize, &Access)| {
                    let of = knees.iter().find(|(t, a, _)| t == target && a == *access);
                    let knee = of.map_or(usual, |(_, _, k)| *k);
                    Cell::of(*target, access, knee.in_flight, knee.jobs)
                };
                let cells: Vec<_> = rounds.iter().map(cell).collect();
                asked.repeat.map_or(Ok(Vec::new()), |asked| repeat::study(&mut bench, &cells, asked))
            }
            Question::Slo => {
                let most = bench.study.answer(*target, access, Question::Depth).map(|c| c.estimate);
                slo::study(&mut bench, *target, access, knee, most)
            }
            Question::Axis => {
                let (name, values) = job_runner::axis_values(asked.axis.as_deref().unwrap_or_default());
                pairs::axis(&mut bench, *target, access, knee.unwrap_or(usual), &name, &values)
            }
        };
        match done {
            Ok(found) => {
                references.extend(Reference::of(&bench, &found).filter(|_| *question == Question::Depth));
                bench.study.conclusions.extend(found);
            }
            Err(over) => {
                let why = why(&bench, over, from, *question, bench.spent_s - spent);
                unanswered(&mut bench, why);
            }
        }
        // Where its time is over, or it cannot be visited, what was said stands as it is.
        if weight(*question) > 0.0 {
            let _ = reference::look(&mut bench, &mut references, (*target, from), false);
        }
    }
    for target in 0..targets {
        let from = bench.used();
        let _ = reference::look(&mut bench, &mut references, (target, from), true);
    }
    let complete = !bench.interrupted();
    let spent_s = bench.spent_s;
    let mut study = bench.study;
    study.complete = complete;
    study.spent_s = spent_s;
    study.loads = recommended::loads(&study);
    study.recommended = recommended::job_file(&study);
    study
}

fn why(bench: &Bench<'_>, over: StopReason, from: usize, question: Question, spent_s: f64) -> Why {
    let points = bench.since(from);
    if let Some(point) = points.iter().find(|p| bench::worthless(p)) {
        return Why::NotTheDevice { findings: point.findings.clone() };
    }
    match over {
        StopReason::Budget => Why::Budget { needs_s: spent_s.max(least_s(question)) },
        StopReason::Needs(needs_s) => Why::Budget { needs_s },
        StopReason::Interrupted => Why::Interrupted,
        StopReason::Failed(text) => Why::Failed { text },
    }
}

/// A conclusion with its horizon: what was seen of this load.
#[allow(clippy::too_many_arguments)] // each is a field of what is built
pub(crate) fn answer(
    bench: &Bench<'_>,
    target: usize,
    access: &Access,
    question: Question,
    claim: StudyClaim,
    estimate: Estimate,
    unit: Unit,
    evidence: Vec<u32>,
    mut caveats: Vec<Caveat>,
) -> Conclusion {
    let points = || evidence.iter().filter_map(|n| bench.study.points.get(*n as usize));
    // The last word of a device that still moves at the end of a point.
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
    // One in flight waits for a single slow I/O as for a pause.
    let pauses = points().filter(|p| p.cell.in_flight() > 1).map(bench::slow_of);
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
    let horizon = Horizon {
        seconds: points().map(|p| p.seconds).sum(),
        bytes: points().map(|p| p.bytes).sum(),
        span: bench.study.targets[target].size,
    };
    Conclusion { target, access: access.clone(), question, claim, estimate, unit, horizon, evidence, caveats }
}
