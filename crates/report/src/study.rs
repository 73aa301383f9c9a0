//! The card of a study: the recommended loads, a table of the measurements, the limits of the answers, the unanswered
//! questions, and a job that measures a recommended load again. A sentence has the estimate, its 95 % interval and the
//! conditions of the measurement.

mod command;
mod sentences;
use crate::catalog::{say, word};
use crate::host_lines;
use crate::labels::{self, block, pattern, pattern_on};
use crate::scale::{bytes, megabytes, percent, short, time};
use crate::words::lab::failure;
use crate::words::note::note;
use crate::{Grid, Lang, columns, export, fit_end, hang, lay, prose_width, sweep};
pub use sentences::{figure, sentence};
use stats::failure::Failure;
use stats::note::NoteFact;
use stats::study::{
    Access, Cap, Caveat, Conclusion, Estimate, Faster, NotHere, Question, RecommendedLoad, Regime, Study,
    StudyClaim, TargetsRatio, Unanswered, Unit, Verdict, Why,
};
use std::cmp::Ordering;

/// Returns the card: the recommended loads, one line for each pattern, sentences about everything that these lines do
/// not contain, and last a job. At most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(lang: Lang, study: &Study, width: usize) -> String {
    if study.asked.sweep.is_some() {
        return sweep::render(lang, study, width);
    }
    let (screen, width) = (width, prose_width(width));
    let mut lines = head(lang, study, screen);
    lines.extend(fold(faster(lang, study), width));
    lines.extend(fold(compared(lang, study), width));
    lines.extend(fold(to_use(lang, study), width));
    lines.extend(table(lang, study, screen));
    // A cap explains why there is one limit at every depth.
    let capped = |of: &Conclusion| {
        let cap = |c: &&Conclusion| matches!(c.claim, StudyClaim::Cap { .. }) && c.access == of.access;
        study.conclusions.iter().filter(cap).any(|c| c.target == of.target)
    };
    let telling = |c: &&Conclusion| match &c.claim {
        StudyClaim::OneLimit { .. } => !capped(c),
        StudyClaim::Knee { .. }
        | StudyClaim::Crossover { .. }
        | StudyClaim::OneBlockLaw { .. }
        | StudyClaim::Targets { .. }
        | StudyClaim::Curve { .. } => false,
        StudyClaim::Runtime { regime: Regime::Steady | Regime::Drift | Regime::Stepped, .. } => {
            row(study, c.target, &c.access).is_none()
        }
        StudyClaim::Jobs { .. } | StudyClaim::Span { .. } => {
            !matches!(c.verdict(), Verdict::Same | Verdict::Unknown)
        }
        _ => true,
    };
    let sentences = study.conclusions.iter().filter(telling);
    let sentences = sentences
        .map(|c| format!("{}: {}", pattern_on(study, c.target, &c.access), sentences::statement(lang, c)));
    lines.extend(fold(sentences, width));
    let rows = study.conclusions.iter().filter(|c| !telling(c));
    lines.extend(fold(together(lang, rows.filter_map(|c| limits(lang, study, c))), width));
    lines.extend(fold(no_difference(lang, study), width));
    // It is obvious that region size does not apply to sequential I/O, but not that no write was measured.
    let news = |one: &Unanswered| one.question != Question::Span || !matches!(one.why, Why::NotHere { .. });
    lines.extend(fold(not_answered(lang, study, news), width));
    lines.extend(fold(tail(lang, study), width));
    lines.extend(recommended_job(lang, study, width));
    lay(&lines)
}

/// Returns the recommended loads, and every answer in a sentence with its interval and the conditions of its measurement, and the table of all
/// points.
pub fn reasons(lang: Lang, study: &Study, width: usize) -> String {
    if study.asked.sweep.is_some() {
        return sweep::render(lang, study, width) + "\n" + &crate::points::table(lang, study, width);
    }
    let (screen, width) = (width, prose_width(width));
    let mut lines = head(lang, study, screen);
    lines.extend(fold(faster(lang, study), width));
    lines.extend(fold(compared(lang, study), width));
    lines.extend(fold(to_use(lang, study), width));
    lines.extend(table(lang, study, screen));
    let one = |c: &Conclusion| format!("{}: {}", pattern_on(study, c.target, &c.access), sentence(lang, c));
    lines.extend(fold(study.conclusions.iter().map(one), width));
    lines.extend(fold(not_answered(lang, study, |_| true), width));
    lines.extend(fold(tail(lang, study), width));
    lay(&lines) + "\n" + &crate::points::table(lang, study, screen)
}

/// Returns the limits of an answer that has only figures in the table: its caveats, and the range of the knee if it is
/// wider than the next step. `None` without limits. A change of the device has a sentence of its own.
fn limits(lang: Lang, study: &Study, c: &Conclusion) -> Option<Limits> {
    let mut limits = Vec::new();
    if let StudyClaim::Knee { in_flight, between: Some([low, high]), .. } = c.claim
        && (high > in_flight || u64::from(low) * 2 < u64::from(in_flight))
    {
        limits.extend(sentences::knee_between(lang, Some([low, high])));
    }
    let others = c.caveats.iter().filter(|c| !matches!(c, Caveat::Changed { .. }));
    limits.extend(others.map(|c| sentences::caveat(lang, c)));
    // A comparison is of both targets.
    let of = match c.question {
        Question::Targets => pattern(&c.access),
        _ => pattern_on(study, c.target, &c.access),
    };
    let (question, text) = (labels::question(lang, c.question), sentences::join(lang, &limits));
    (!limits.is_empty()).then_some(Limits { question, of, text })
}

/// Limits of one answer.
struct Limits {
    question: &'static str,
    /// Pattern with its target.
    of: String,
    text: String,
}

/// Returns a line for each question and text, with all patterns that it is about.
fn together(lang: Lang, limits: impl Iterator<Item = Limits>) -> Vec<String> {
    let mut lines: Vec<(&str, String, Vec<String>)> = Vec::new();
    for Limits { question, of, text } in limits {
        match lines.iter_mut().find(|(known, same, _)| *known == question && *same == text) {
            Some((.., all)) if all.contains(&of) => {}
            Some((.., all)) => all.push(of),
            None => lines.push((question, text, vec![of])),
        }
    }
    let line = |(question, text, of): (&str, String, Vec<String>)| {
        format!("{}: {text}", about(lang, question, &of.join(", ")))
    };
    lines.into_iter().map(line).collect()
}

/// Folds long lines; continuation lines are indented.
fn fold(lines: impl IntoIterator<Item = String>, width: usize) -> Vec<String> {
    lines.into_iter().flat_map(|line| hang(line.trim_end(), width)).collect()
}

fn head(lang: Lang, study: &Study, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, target) in study.targets.iter().enumerate() {
        let size = bytes(target.size);
        let what = match target.scratch {
            true if job::remote::is_remote_target(&target.name) => {
                say!(lang, "explore-scratch-objects", size)
            }
            true => say!(lang, "explore-scratch-file", size),
            false => size,
        };
        let rest = format!("   {what}   {}", crate::terms::stack(lang, &target.stack));
        let number = if study.targets.len() > 1 { format!("{}: ", at + 1) } else { String::new() };
        let room = width.saturating_sub(columns(&rest) + number.len()).max(24);
        lines.push(format!("{number}{}{rest}", fit_end(&target.name, room)));
    }
    lines.extend(host_lines::together_in_study(lang, &study.asked.hosts));
    fold(lines, prose_width(width))
}

fn tail(lang: Lang, study: &Study) -> Vec<String> {
    let mut lines: Vec<String> = study.notes.iter().map(|fact| note(lang, fact)).collect();
    if let Some(sync) = study.asked.patterns.iter().find(|access| access.commits()).and_then(|a| a.sync) {
        lines.push(say!(lang, "explore-commits", sync));
    }
    if !study.complete && study.id > 0 {
        lines.push(say!(lang, "explore-resume"));
    }
    let (points, spent, budget) = (study.points.len(), study.spent_s.round(), study.asked.budget_s);
    let summary = say!(lang, "explore-summary", points, spent, budget);
    lines.push(if has_table(study) {
        sentences::join(lang, &[summary, say!(lang, "explore-legend")])
    } else {
        summary
    });
    lines.push(match study.id {
        0 => say!(lang, "explore-details-why"),
        id => say!(lang, "explore-details-show", id),
    });
    lines
}

/// Returns the command of the first recommended load.
fn recommended_job(lang: Lang, study: &Study, width: usize) -> Vec<String> {
    let objects = |load: &&RecommendedLoad| {
        let target = &study.targets[load.target];
        target.scratch && job::remote::is_remote_target(&target.name)
    };
    let first = study.loads.iter().find(|load| !objects(load));
    let (Some(load), Some(words)) = (first, command::of_first_job(study)) else {
        return Vec::new();
    };
    let pattern = pattern_on(study, load.target, &load.access);
    let mut lines = fold([say!(lang, "explore-recommended-job", pattern)], width);
    lines.extend(command::fold(&words, width));
    lines
}

/// Returns the study as one JSON document with failures and notes in English, newline at the end.
pub fn json(study: &Study) -> String {
    let mut study = study.clone();
    for one in &mut study.unanswered {
        if let Why::Failed { text } = &mut one.why {
            *text = Failure::Text(failure(Lang::En, text));
        }
    }
    for fact in &mut study.notes {
        *fact = NoteFact::Text(note(Lang::En, fact));
    }
    if study.asked.sweep.is_some() {
        return sweep::json(&study);
    }
    export::json(&study)
}

/// Returns the load in fio's options: `iodepth 8, numjobs 4`.
fn load_name(lang: Lang, load: &RecommendedLoad) -> String {
    let (depth, jobs) = (load.iodepth, load.numjobs);
    say!(lang, "explore-load", depth, jobs)
}

/// Returns the recommended load of each pattern and target on a line, with its rate and latency.
fn to_use(lang: Lang, study: &Study) -> Vec<String> {
    let line = |load: &RecommendedLoad| {
        let pattern = pattern_on(study, load.target, &load.access);
        let (used, mean) = (load_name(lang, load), time(load.mean_ns));
        let depth = study.conclusions.iter().find(|c| {
            let answers = c.target == load.target && c.access == load.access && c.question == Question::Depth;
            answers
                && !matches!(
                    c.claim,
                    StudyClaim::Moved { .. } | StudyClaim::Curve { .. } | StudyClaim::Cap { .. }
                )
        });
        let unit = depth.map_or(Unit::Iops, |c| c.unit);
        let rate = sentences::brief(lang, load.iops.value, unit);
        let Some(depth) = depth else {
            return say!(lang, "explore-use", pattern, used, rate, mean);
        };
        let maximum = sentences::brief(lang, depth.estimate.value, unit);
        if depth.caveats.iter().any(|c| matches!(c, Caveat::Changed { .. })) {
            return say!(lang, "explore-use-changed", pattern, used, rate, maximum, mean);
        }
        match depth.claim {
            StudyClaim::Knee { alone_ns, in_flight, .. } => {
                let share = percent(100.0 * (load.iops.value / depth.estimate.value).min(1.0));
                let use_it = say!(
                    lang,
                    "explore-use-knee",
                    pattern,
                    used,
                    share,
                    maximum,
                    mean,
                    alone = time(alone_ns)
                );
                // Why the load is not the knee of the table.
                // The depth of each host may have been rounded up.
                let each = in_flight.div_ceil(study.asked.hosts.len().max(1) as u32);
                let why = match load.iodepth.cmp(&each) {
                    Ordering::Less => Some(say!(lang, "explore-use-below-knee", knee = in_flight)),
                    Ordering::Equal => None,
                    Ordering::Greater => Some(say!(lang, "explore-use-above-knee", knee = in_flight)),
                };
                why.map_or(use_it.clone(), |why| sentences::join(lang, &[use_it, why]))
            }
            StudyClaim::NoKnee { alone_ns, .. } => {
                say!(lang, "explore-use-no-knee", pattern, used, rate, mean, alone = time(alone_ns))
            }
            StudyClaim::OneLimit { .. } => say!(lang, "explore-use-one-limit", pattern, used, rate, mean),
            StudyClaim::Generator { .. } => say!(lang, "explore-use-cpu-limit", pattern, used, rate, mean),
            StudyClaim::Drifts { .. } => say!(lang, "explore-use-drifting", pattern, used, rate, mean),
            _ => say!(lang, "explore-use", pattern, used, rate, mean),
        }
    };
    study.loads.iter().map(line).collect()
}

/// Returns the headings and rows of the table of recommended loads, each row with its load.
pub(crate) fn recommendations(
    lang: Lang,
    study: &Study,
) -> (Vec<String>, Vec<(&RecommendedLoad, Vec<String>)>) {
    let head = [
        word!(lang, "explore-pattern"),
        "iodepth",
        "numjobs",
        word!(lang, "explore-run-time-seconds"),
        "IOPS",
        "+-%",
        "MB/s",
        word!(lang, "explore-share-of-maximum"),
        word!(lang, "explore-mean-latency-here"),
        word!(lang, "explore-mean-latency-depth-1"),
        word!(lang, "explore-p99-at-knee"),
    ];
    let row = |load: &RecommendedLoad| {
        let depth = study.answer(load.target, &load.access, Question::Depth);
        let (alone_ns, p99_ns) = match depth.map(|c| &c.claim) {
            Some(StudyClaim::Knee { alone_ns, p99_ns, .. }) => (Some(*alone_ns), *p99_ns),
            Some(StudyClaim::NoKnee { alone_ns, .. } | StudyClaim::OneLimit { alone_ns, .. }) => {
                (Some(*alone_ns), None)
            }
            _ => (None, None),
        };
        let share = depth.map(|c| percent(100.0 * (load.iops.value / c.estimate.value).min(1.0)));
        let dash = || "-".to_string();
        let measured = study.answer(load.target, &load.access, Question::Runtime);
        let runtime = match measured.map(|c| &c.claim) {
            Some(StudyClaim::Runtime { .. }) => load.runtime_s.to_string(),
            _ => say!(lang, "explore-run-time-default", seconds = load.runtime_s),
        };
        vec![
            pattern_on(study, load.target, &load.access),
            load.iodepth.to_string(),
            load.numjobs.to_string(),
            runtime,
            short(load.iops.value),
            load.iops.within_percent().map_or_else(dash, |half| format!("{:.0}", half.ceil())),
            megabytes((load.iops.value * load.access.bs as f64) as u64),
            share.unwrap_or_else(dash),
            time(load.mean_ns),
            alone_ns.map_or_else(dash, time),
            p99_ns.map_or_else(dash, |ns| time(ns as f64)),
        ]
    };
    (head.map(String::from).to_vec(), study.loads.iter().map(|load| (load, row(load))).collect())
}

const COLUMNS: usize = 12;

/// Returns whether the study has rows for the table of the measurements.
fn has_table(study: &Study) -> bool {
    study
        .asked
        .patterns
        .iter()
        .any(|access| (0..study.targets.len()).any(|t| row(study, t, access).is_some()))
}

/// Returns the table of the measurements, one line for each pattern and target under a heading of two lines.
fn table(lang: Lang, study: &Study, width: usize) -> Vec<String> {
    let [at_depth_1, at_knee] = [word!(lang, "explore-at-depth-1"), word!(lang, "explore-at-knee")];
    let [maximum, latency] = [word!(lang, "explore-maximum"), word!(lang, "explore-latency")];
    let head: [[&str; 2]; COLUMNS] = [
        [word!(lang, "explore-pattern"), ""],
        [word!(lang, "explore-knee-depth"), word!(lang, "explore-knee-depth-unit")],
        [maximum, "IOPS"],
        ["", "+-%"],
        [maximum, "MB/s"],
        [latency, at_depth_1],
        [latency, at_knee],
        ["p99", at_knee],
        [word!(lang, "explore-device-busy"), "%"],
        [word!(lang, "explore-iops-bound"), word!(lang, "explore-block-up-to")],
        [word!(lang, "explore-bandwidth-bound"), word!(lang, "explore-block-from")],
        [word!(lang, "explore-run-time"), "s"],
    ];
    let mut rows = vec![head.map(|h| h[0].to_string()), head.map(|h| h[1].to_string())];
    for access in &study.asked.patterns {
        rows.extend((0..study.targets.len()).filter_map(|target| row(study, target, access)));
    }
    if rows.len() == 2 {
        return Vec::new();
    }
    let wide: Vec<usize> =
        (0..head.len()).map(|n| rows.iter().map(|row| columns(&row[n])).max().unwrap_or(0)).collect();
    let gap = if wide.iter().sum::<usize>() + 2 * (head.len() - 1) <= prose_width(width) { 2 } else { 1 };
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.to_vec()).collect();
    Grid { keys: 1, to_right: |c| c > 0, gap }.lines(&rows, width)
}

fn row(study: &Study, target: usize, access: &Access) -> Option<[String; COLUMNS]> {
    let dash = "-".to_string();
    let conclusion = study.answer(target, access, Question::Depth);
    let blocks = study.answer(target, access, Question::Bs);
    if conclusion.is_none() && blocks.is_none() {
        return None;
    }
    let (depth, mean_ns, p99_ns, alone_ns) = match conclusion.map(|c| &c.claim) {
        Some(StudyClaim::Knee { in_flight, mean_ns, p99_ns, alone_ns, .. }) => {
            (in_flight.to_string(), Some(*mean_ns), *p99_ns, Some(*alone_ns))
        }
        Some(StudyClaim::NoKnee { up_to, mean_ns, alone_ns }) => {
            (format!(">{up_to}"), Some(*mean_ns), None, Some(*alone_ns))
        }
        Some(StudyClaim::OneLimit { alone_ns, .. }) => ("1".into(), None, None, Some(*alone_ns)),
        Some(StudyClaim::Generator { .. }) => ("cpu".into(), None, None, None),
        _ => (dash.clone(), None, None, None),
    };
    let ns = |ns: Option<f64>| ns.map_or("-".into(), time);
    let rate = conclusion.map(|c| c.estimate);
    let changed = conclusion.and_then(|c| {
        c.caveats.iter().find_map(|c| if let Caveat::Changed { now } = c { Some(*now) } else { None })
    });
    let iops = |r: Estimate| match changed {
        Some(now) => format!("{} -> {}", short(r.value), short(now)),
        None => short(r.value),
    };
    let point = conclusion.and_then(|c| c.evidence.iter().rev().find_map(|n| study.points.get(*n as usize)));
    let (iops_to, from) = match blocks.map(|c| &c.claim) {
        Some(StudyClaim::Crossover { full_bandwidth, full_iops, .. }) => {
            (block(*full_iops), block(*full_bandwidth))
        }
        // If one limit holds for all block sizes, there is no size at which another limit begins.
        Some(StudyClaim::OneBlockLaw { of: Cap::Iops, sizes: [_, to], .. }) => {
            (format!(">{}", block(*to)), dash.clone())
        }
        Some(StudyClaim::OneBlockLaw { of: Cap::Bytes, sizes: [from, _], .. }) => {
            (dash.clone(), format!("<{}", block(*from)))
        }
        _ => (dash.clone(), dash.clone()),
    };
    let is_it = |c: &&Conclusion| c.target == target && c.access == *access;
    // The recommended load has the same runtime as its job, which is not below a minimum.
    let load = study.loads.iter().find(|load| load.target == target && load.access == *access);
    let runtime = study.conclusions.iter().filter(is_it).find_map(|c| match c.claim {
        StudyClaim::Runtime { .. } => {
            Some(load.map_or(c.estimate.value.ceil(), |load| load.runtime_s as f64))
        }
        _ => None,
    });
    Some([
        pattern_on(study, target, access),
        depth,
        rate.map_or(dash.clone(), iops),
        rate.filter(|_| changed.is_none())
            .and_then(|r| r.within_percent())
            .map_or(dash.clone(), |half| format!("{:.0}", half.ceil())),
        rate.map_or(dash.clone(), |r| megabytes((changed.unwrap_or(r.value) * access.bs as f64) as u64)),
        ns(alone_ns),
        ns(mean_ns),
        ns(p99_ns.map(|n| n as f64)),
        point.and_then(|p| p.util_percent).map_or(dash.clone(), |u| format!("{u:.0}")),
        iops_to,
        from,
        runtime.map_or(dash, |s| format!("{s:.0}")),
    ])
}

/// Returns the lines about options that make no difference, one for each question.
fn no_difference(lang: Lang, study: &Study) -> Vec<String> {
    let same = |question: Question| {
        let same =
            study.conclusions.iter().filter(|c| c.question == question && c.verdict() == Verdict::Same);
        let patterns: Vec<String> = same.map(|c| pattern_on(study, c.target, &c.access)).collect();
        (!patterns.is_empty()).then(|| patterns.join(", "))
    };
    let jobs = same(Question::Jobs).map(|patterns| say!(lang, "explore-no-difference-jobs", patterns));
    let span = same(Question::Span).map(|patterns| say!(lang, "explore-no-difference-span", patterns));
    jobs.into_iter().chain(span).collect()
}

/// Returns which of two targets is faster, in one line; `None` if they were not compared.
fn faster(lang: Lang, study: &Study) -> Option<String> {
    let Faster { loads, first, second, same, smallest, largest } = study.faster()?;
    let ratio = |value: f64| format!("{value:.3}");
    Some(if second == loads {
        say!(lang, "explore-second-faster", loads, low = ratio(smallest), high = ratio(largest))
    } else if first == loads {
        say!(lang, "explore-first-faster", loads, low = ratio(1.0 / largest), high = ratio(1.0 / smallest))
    } else {
        let open = loads - first - second - same;
        say!(lang, "explore-some-faster", loads, first, second, same, open)
    })
}

/// Returns the ratio of the rates of two targets, one line for each load; empty unless the study has two targets.
fn compared(lang: Lang, study: &Study) -> Vec<String> {
    if study.targets.len() != 2 {
        return Vec::new();
    }
    study
        .ratios()
        .iter()
        .map(|TargetsRatio { access, in_flight, rates, ratio }| {
            let depth = labels::depths(*in_flight);
            let unit = if access.commits() { Unit::Commits } else { Unit::Iops };
            let [first, second] =
                rates.map(|rate| rate.map_or("?".into(), |r| sentences::brief(lang, r.value, unit)));
            let (pattern, ratio) = (pattern(access), figure(lang, ratio, Unit::Ratio));
            say!(lang, "explore-targets-compared", pattern, depth, first, second, ratio)
        })
        .collect()
}

/// Returns the lines about unanswered questions: one for each reason, and one for all questions that the budget does
/// not cover.
fn not_answered(lang: Lang, study: &Study, told: impl Fn(&Unanswered) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut needs = 0.0;
    let mut failed: Vec<((&str, String), Vec<String>)> = Vec::new();
    let (every, only_read) =
        (word!(lang, "explore-every-question"), Why::NotHere { text: NotHere::OnlyRead });
    let mut open: Vec<(&str, Vec<String>)> = Vec::new();
    for one in study.unanswered.iter().filter(|one| told(one)) {
        // A target that is only read is the same reason for all questions about writes.
        let asked = if one.why == only_read { every } else { labels::question(lang, one.question) };
        let of = match one.question {
            Question::Targets => pattern(&one.access),
            _ => pattern_on(study, one.target, &one.access),
        };
        if let Why::Budget { needs_s } = one.why {
            needs += needs_s;
            match open.iter_mut().find(|(known, _)| *known == asked) {
                Some((_, all)) => all.push(of),
                None => open.push((asked, vec![of])),
            }
        } else if let Some(reason) = sentences::reason(lang, &one.why) {
            match failed.iter_mut().find(|(known, _)| *known == (asked, reason.clone())) {
                Some((_, all)) if all.contains(&of) => {}
                Some((_, all)) => all.push(of),
                None => failed.push(((asked, reason), vec![of])),
            }
        }
    }
    for ((asked, reason), of) in failed {
        let question = about(lang, asked, &of.join(", "));
        lines.push(say!(lang, "explore-not-answered", question, reason));
    }
    if !open.is_empty() {
        let minutes = (needs / 60.0 * 10.0).ceil() / 10.0;
        let all = study.asked.patterns.len() * study.targets.len();
        let of = |(question, of): &(&str, Vec<String>)| match of.len() {
            n if n == all && n > 1 => say!(lang, "explore-question-of-all", question),
            _ => about(lang, question, &of.join(", ")),
        };
        let questions = sentences::join(lang, &open.iter().map(of).collect::<Vec<_>>());
        lines.push(say!(lang, "explore-over-budget", minutes, questions));
    }
    lines
}

fn about(lang: Lang, question: &str, patterns: &str) -> String {
    say!(lang, "explore-question-of", question, patterns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::study::{Estimate, StudyAsked, StudyTarget};

    /// One load is recommended, in the card and in the reasons; the knee beside it is said as what it is.
    #[test]
    fn recommendation_beside_the_knee_is_the_same_everywhere() {
        let access = Access { bs: 4096, rw: "randread".into(), ..Access::default() };
        let rate = Estimate::around(1e5, 1e3);
        let knee = Conclusion {
            target: 0,
            access: access.clone(),
            question: Question::Depth,
            claim: StudyClaim::Knee {
                in_flight: 64,
                between: None,
                there: Estimate::around(96e3, 1e3),
                mean_ns: 7e5,
                p99_ns: None,
                p99_between: None,
                alone_ns: 8e4,
                bound: 70.0,
            },
            estimate: rate,
            unit: Unit::Iops,
            measured: Default::default(),
            evidence: Vec::new(),
            caveats: Vec::new(),
        };
        let load = |iodepth| RecommendedLoad {
            target: 0,
            access: access.clone(),
            iodepth,
            numjobs: 1,
            runtime_s: 10,
            iops: rate,
            mean_ns: 9e5,
        };
        let study = |iodepth| Study {
            asked: StudyAsked { patterns: vec![access.clone()], ..StudyAsked::default() },
            targets: vec![StudyTarget::default()],
            conclusions: vec![knee.clone()],
            loads: vec![load(iodepth)],
            ..Study::default()
        };
        for (iodepth, beside) in [
            (
                91,
                "not the knee (64, the lowest depth with 95 % of the maximum): its rate is more than 3 % lower",
            ),
            (
                45,
                "not the knee (64, the lowest depth with 95 % of the maximum): this depth differs from it by less than the noise",
            ),
        ] {
            let study = study(iodepth);
            for text in [render(Lang::En, &study, usize::MAX), reasons(Lang::En, &study, usize::MAX)] {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let line = format!("4k randread: use iodepth {iodepth}: ");
                assert!(text.contains(&line) && text.contains(beside), "{text}");
                assert_eq!(text.matches(": use iodepth").count(), 1, "{text}");
            }
        }
    }
}
