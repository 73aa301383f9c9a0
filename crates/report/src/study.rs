//! The card of a study: one line a pattern, then what follows in words, then what has no answer. The words hold the
//! estimate, its 95 % interval and how far it reaches, and nothing beyond.

use crate::scale::{bytes, megabytes, percent, short, time};
use crate::{fit, fit_end, prose};
use stats::bound::{Curve, Shape};
use stats::percentile::Goal;
use stats::study::{
    Access, Caveat, Claim, Conclusion, Estimate, Horizon, Question, Regime, Study, Unanswered, Unit, Verdict,
    Why,
};

/// The card: a line a pattern, and in sentences only what the lines cannot say. `width` columns (100 are enough),
/// newline at the end.
pub fn render(study: &Study, width: usize) -> String {
    let mut lines = head(study, width);
    lines.extend(table(study, width));
    lines.extend(compared(study));
    let telling = |c: &&Conclusion| match &c.claim {
        Claim::Knee { .. }
        | Claim::Crossover { .. }
        | Claim::Runtime { regime: Regime::Steady | Regime::Drift | Regime::Stepped, .. }
        | Claim::Targets { .. }
        | Claim::Curve { .. } => false,
        Claim::Jobs { .. } | Claim::Span { .. } => !matches!(c.verdict(), Verdict::Same | Verdict::Unknown),
        _ => true,
    };
    let sentences = study.conclusions.iter().filter(telling);
    lines.extend(sentences.map(|c| format!("{}: {}", label(study, c.target, &c.access), what(c))));
    lines.extend(alike(study));
    // That sequential I/O has no span is no news; that nothing was written is.
    let news = |one: &Unanswered| one.question != Question::Span || !matches!(one.why, Why::NotHere { .. });
    lines.extend(not_answered(study, news));
    lines.extend(tail(study));
    lay(&lines, width)
}

/// Every answer in a sentence with its interval and how far it reaches, and every point.
pub fn reasons(study: &Study, width: usize) -> String {
    let mut lines = head(study, width);
    lines.extend(table(study, width));
    lines.extend(compared(study));
    let sentence = |c: &Conclusion| format!("{}: {}", label(study, c.target, &c.access), words(c));
    lines.extend(study.conclusions.iter().map(sentence));
    lines.extend(not_answered(study, |_| true));
    lines.extend(tail(study));
    lay(&lines, width) + "\n" + &crate::points::table(study, width.max(160))
}

fn lay(lines: &[String], width: usize) -> String {
    lines.iter().flat_map(|l| wrap(l.trim_end(), width)).map(|l| l + "\n").collect()
}

fn head(study: &Study, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, target) in study.targets.iter().enumerate() {
        let what = if target.scratch { "scratch file of " } else { "" };
        let rest = format!("   {what}{}   {}", bytes(target.size), crate::card::stack(&target.stack));
        let number = if study.targets.len() > 1 { format!("{}: ", at + 1) } else { String::new() };
        let room = width.saturating_sub(rest.chars().count() + number.len()).max(24);
        lines.push(format!("{number}{}{rest}", fit_end(&target.name, room)));
    }
    lines
}

fn tail(study: &Study) -> Vec<String> {
    let mut lines = study.notes.clone();
    let kept = match study.id {
        0 => "--why says more".to_string(),
        id => format!("fathom show S{id} says why"),
    };
    let (points, spent, budget) = (study.points.len(), study.spent_s.round(), study.asked.budget_s);
    if !study.complete && study.id > 0 {
        lines.push("ended early: fathom explore --resume goes on with it".into());
    }
    lines.push(format!(
        "{points} points in {spent} s of {budget}; depths that 95 % of the most needs, +- of 95 %; {kept}"
    ));
    lines
}

/// Long lines go on below, indented.
fn wrap(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.len() - 1;
        if lines[last].chars().count() + 1 + word.chars().count() > width && !lines[last].trim().is_empty() {
            lines.push(format!("    {word}"));
        } else {
            if !lines[last].is_empty() || word.is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines.into_iter().map(|l| fit(l.trim_end(), width)).collect()
}

/// The same as data: one JSON document, newline at the end.
pub fn json(study: &Study) -> String {
    let mut text = serde_json::to_string_pretty(study).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

/// `4k randread`.
pub fn pattern(access: &Access) -> String {
    let bs = block(access.bs);
    format!("{bs} {}{}", access.rw, access.reads.map(|r| format!(" {r}%")).unwrap_or_default())
}

/// `4k`, `1M`.
pub(crate) fn block(bs: u64) -> String {
    match bs {
        b if b >= 1 << 20 && b.is_multiple_of(1 << 20) => format!("{}M", b >> 20),
        b if b >= 1024 && b.is_multiple_of(1024) => format!("{}k", b >> 10),
        b => b.to_string(),
    }
}

pub(crate) fn label(study: &Study, target: usize, access: &Access) -> String {
    let number = if study.targets.len() > 1 { format!("{}: ", target + 1) } else { String::new() };
    format!("{number}{}", pattern(access))
}

/// One line a pattern and target: depth, rate and latency, then blocks and length of a run.
fn table(study: &Study, width: usize) -> Vec<String> {
    let head = [
        ["pattern", ""],
        ["depth", ""],
        ["IOPS", ""],
        ["+-%", ""],
        ["MB/s", ""],
        ["latency", "alone"],
        ["", "there"],
        ["", "p99"],
        ["util", "%"],
        ["IOPS", "up to"],
        ["MB/s", "from"],
        ["run", "s"],
    ];
    let mut rows = vec![head.map(|h| h[0].to_string()), head.map(|h| h[1].to_string())];
    for access in &study.asked.patterns {
        rows.extend((0..study.targets.len()).filter_map(|target| row(study, target, access)));
    }
    if rows.len() == 2 {
        return Vec::new();
    }
    let wide: Vec<usize> =
        (0..head.len()).map(|n| rows.iter().map(|row| row[n].chars().count()).max().unwrap_or(0)).collect();
    let apart = if wide.iter().sum::<usize>() + 2 * (head.len() - 1) <= width { 2 } else { 1 };
    let line = |row: &[String; 12]| {
        let first = format!("{:1$}", row[0], wide[0]);
        row[1..]
            .iter()
            .zip(&wide[1..])
            .fold(first, |line, (cell, n)| line + &format!("{cell:>0$}", n + apart))
    };
    rows.iter().map(line).collect()
}

fn row(study: &Study, target: usize, access: &Access) -> Option<[String; 12]> {
    let dash = "-".to_string();
    let conclusion = study.answer(target, access, Question::Depth);
    let blocks = study.answer(target, access, Question::Bs);
    let length = study.answer(target, access, Question::Runtime);
    if conclusion.is_none() && blocks.is_none() {
        return None;
    }
    let (depth, mean_ns, p99_ns, alone_ns) = match conclusion.map(|c| &c.claim) {
        Some(Claim::Knee { in_flight, mean_ns, p99_ns, alone_ns, .. }) => {
            (in_flight.to_string(), Some(*mean_ns), *p99_ns, Some(*alone_ns))
        }
        Some(Claim::NoKnee { up_to, mean_ns, alone_ns }) => {
            (format!(">{up_to}"), Some(*mean_ns), None, Some(*alone_ns))
        }
        Some(Claim::OneLimit { alone_ns, .. }) => ("1".into(), None, None, Some(*alone_ns)),
        Some(Claim::Generator { .. }) => ("cpu".into(), None, None, None),
        Some(Claim::Drifts { in_flight, .. }) => (format!("{in_flight}?"), None, None, None),
        _ => (dash.clone(), None, None, None),
    };
    let ns = |ns: Option<f64>| ns.map_or("-".into(), time);
    let rate = conclusion.map(|c| c.estimate);
    let point = conclusion.and_then(|c| c.evidence.iter().rev().find_map(|n| study.points.get(*n as usize)));
    let (iops_to, from) = match blocks.map(|c| &c.claim) {
        Some(Claim::Crossover { full_bandwidth, full_iops, .. }) => {
            (block(*full_iops), block(*full_bandwidth))
        }
        _ => (dash.clone(), dash.clone()),
    };
    Some([
        label(study, target, access),
        depth,
        rate.map_or(dash.clone(), |r| short(r.value)),
        rate.map_or(dash.clone(), |r| format!("{:.0}", r.half_percent().ceil())),
        rate.map_or(dash.clone(), |r| megabytes((r.value * access.bs as f64) as u64)),
        ns(alone_ns),
        ns(mean_ns),
        ns(p99_ns.map(|n| n as f64)),
        point.and_then(|p| p.util_percent).map_or(dash.clone(), |u| format!("{u:.0}")),
        iops_to,
        from,
        length.map_or(dash, |c| format!("{:.0}", c.estimate.value.ceil())),
    ])
}

/// What makes no difference, in one line.
fn alike(study: &Study) -> Option<String> {
    let of = |question: Question| {
        let same =
            study.conclusions.iter().filter(|c| c.question == question && c.verdict() == Verdict::Same);
        same.map(|c| label(study, c.target, &c.access)).collect::<Vec<_>>()
    };
    let (jobs, span) = (of(Question::Jobs), of(Question::Span));
    let mut parts = Vec::new();
    if !jobs.is_empty() {
        parts.push(format!("numjobs ({})", jobs.join(", ")));
    }
    if !span.is_empty() {
        parts.push(format!("the size of the region ({})", span.join(", ")));
    }
    (!parts.is_empty()).then(|| format!("makes no difference: {}", parts.join("; ")))
}

/// Two targets: pattern by pattern, the ratio of their most.
fn compared(study: &Study) -> Vec<String> {
    if study.targets.len() != 2 {
        return Vec::new();
    }
    study
        .ratios()
        .iter()
        .map(|(access, ratio)| {
            format!("{}  2 does {} times what 1 does", pattern(access), figure(ratio, Unit::Ratio))
        })
        .collect()
}

/// A number with four digits at least, so that what is told can be read back.
fn plain(value: f64) -> String {
    match value.abs() {
        v if v >= 1000.0 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.1}"),
        v if v >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// `800.0 IOPS (796.2 to 803.9)`: the estimate and its 95 % interval.
pub fn figure(estimate: &Estimate, unit: Unit) -> String {
    let name = match unit {
        Unit::Iops => " IOPS",
        Unit::Bytes => " bytes",
        Unit::Seconds => " s",
        Unit::Ratio => "",
        Unit::Micros => " us",
    };
    format!("{}{name} ({} to {})", plain(estimate.value), plain(estimate.low), plain(estimate.high))
}

/// `seen 12.50 s, 51200 bytes, over 1073741824 bytes`.
fn horizon(h: &Horizon) -> String {
    format!("seen {} s, {} bytes, over {} bytes", plain(h.seconds), h.bytes, h.span)
}

/// A conclusion in a sentence, with how far it reaches.
pub fn words(conclusion: &Conclusion) -> String {
    format!("{} [{}]", what(conclusion), horizon(&conclusion.horizon))
}

fn what(conclusion: &Conclusion) -> String {
    let Conclusion { claim, estimate, unit, .. } = conclusion;
    let figure = figure(estimate, *unit);
    let what = match claim {
        Claim::Knee { in_flight, there, mean_ns, alone_ns, bound, p99_ns, p99_between } => format!(
            "{in_flight} in flight are enough: {} of at most {figure}; {} each there{}, {} alone; the most would need {} at that",
            percent(100.0 * (there.value / estimate.value).min(1.0)),
            time(*mean_ns),
            slowest(*p99_ns, *p99_between),
            time(*alone_ns),
            plain(*bound)
        ),
        Claim::NoKnee { up_to, mean_ns, alone_ns } => format!(
            "no knee up to {up_to} in flight: {figure} there and still rising; {} each, {} alone",
            time(*mean_ns),
            time(*alone_ns)
        ),
        Claim::OneLimit { up_to, alone_ns, above_device } => format!(
            "one limit at every depth from 1 to {up_to}: {figure}, {} alone; {}",
            time(*alone_ns),
            if *above_device {
                "a throttle above the device, which was idle meanwhile"
            } else {
                "a throttle, or a device that serves one at a time"
            }
        ),
        Claim::Generator { in_flight, jobs, cpu_percent } => format!(
            "the processor was the limit, not the device: {figure} at {in_flight} in flight of {jobs} jobs, the busiest used {} of its time",
            percent(*cpu_percent)
        ),
        Claim::Drifts { in_flight, before, over_s } => format!(
            "still drifting: {figure} at {in_flight} in flight, {} before, {} s apart; no lasting rate",
            plain(*before),
            plain(*over_s)
        ),
        Claim::Crossover { full_bandwidth, full_iops, bandwidth, iops, in_flight } => format!(
            "bound by I/Os below and by bytes above {figure} a block; up to {} for a test of IOPS ({} of them), from {} on for one of bandwidth ({} MB/s), at {in_flight} in flight",
            block(*full_iops),
            plain(iops.value),
            block(*full_bandwidth),
            plain(bandwidth.value / 1e6)
        ),
        Claim::Runtime {
            statistics_s,
            percentile_s,
            warm_up_s,
            within_percent,
            percentile_percent,
            regime,
        } => format!(
            "run for {figure}: {} s for {within_percent} % either way, {} s for a 99th percentile within {percentile_percent} %, {} s of warm-up; {}, as far as {} s show",
            plain(*statistics_s),
            plain(*percentile_s),
            plain(*warm_up_s),
            match regime {
                Regime::Steady => "a steady rate".to_string(),
                Regime::Drift => "the rate drifts, so no time is long enough".to_string(),
                Regime::Bursts { every_s } => format!("in bursts, one every {} s", plain(*every_s)),
                Regime::Stepped => "the rate left one level for another".to_string(),
            },
            plain(conclusion.horizon.seconds)
        ),
        Claim::Curve { curve, up_to } => law(curve, *up_to, &figure),
        Claim::Jobs { jobs, in_flight } => format!(
            "{jobs} jobs do {figure} times what one does, both with {in_flight} in flight: {}",
            told_apart(
                conclusion,
                "more jobs are better",
                "fewer jobs are better",
                "only the product matters"
            )
        ),
        Claim::Span { part, whole } => format!(
            "{} of {} bytes do {figure} times what all of it does: {}",
            part,
            whole,
            told_apart(
                conclusion,
                "a small file flatters",
                "a small file is slower",
                "the size does not matter here"
            )
        ),
        Claim::Targets { in_flight } => format!(
            "2 does {figure} times what 1 does, at {} and {} in flight, visited in turn",
            in_flight[1], in_flight[0]
        ),
        Claim::Axis { name, value, base } => format!(
            "{name} {value} does {figure} times what {base} does: {}",
            told_apart(conclusion, "better", "worse", "no difference")
        ),
        Claim::Moved { before, after_s } => {
            format!("the rate moved: {figure} now, {} for the first {} s", plain(*before), plain(*after_s))
        }
        Claim::Repeat { rounds, over_s, in_flight, between_percent, within_percent } => format!(
            "{rounds} rounds over {} s at {in_flight} in flight: {figure} in the mean; they differ by {} ({} to {}), each knows itself to {}: {}",
            plain(*over_s),
            percent(between_percent.value),
            percent(between_percent.low),
            percent(between_percent.high),
            percent(*within_percent),
            if between_percent.low > *within_percent {
                "one run does not tell it"
            } else {
                "one run tells as much as its interval says"
            }
        ),
        Claim::Kept { goal, there, most } => format!(
            "{figure} keep {} at {} or less, arriving at random, each counted from when it was due: {} of the most{}",
            goal_name(goal),
            time(goal.nanos as f64),
            percent(100.0 * (estimate.value / most.value).min(1.0)),
            there.map_or(String::new(), |t| format!(
                "; {} there, between {} and {}",
                time(t.value),
                time(t.low),
                time(t.high)
            ))
        ),
        Claim::AlwaysKept { goal, most } => format!(
            "{figure} keep {} at {} or less, arriving at random, and so does every rate below: {} of the most, beyond which the queue grows without end",
            goal_name(goal),
            time(goal.nanos as f64),
            percent(100.0 * (estimate.value / most.value).min(1.0))
        ),
        Claim::NeverKept { goal, down_to } => format!(
            "{} at {} or less is not kept: it is {figure} one at a time, and more at {} IOPS, the fewest that were tried",
            goal_name(goal),
            time(goal.nanos as f64),
            plain(*down_to)
        ),
        Claim::Best { depth, jobs } => {
            format!("iodepth={depth} numjobs={jobs} is the fewest near the best: {figure}")
        }
    };
    let caveats: String = conclusion.caveats.iter().map(|c| format!("; but {}", caveat(c))).collect();
    format!("{what}{caveats}")
}

/// `, 99 % below 1.20 ms (between 1.10 ms and 1.30 ms)`.
fn slowest(p99_ns: Option<u64>, between: Option<[u64; 2]>) -> String {
    let time = |ns: u64| time(ns as f64);
    let between = between.map(|[low, high]| format!(" (between {} and {})", time(low), time(high)));
    p99_ns.map_or(String::new(), |ns| format!(", 99 % below {}{}", time(ns), between.unwrap_or_default()))
}

/// Which law the rates follow.
fn law(curve: &Curve, up_to: u32, figure: &str) -> String {
    let Curve { shape, lines, scalability, lines_off_percent, scalability_off_percent } = curve;
    let two = format!(
        "two straight lines: {} IOPS for each in flight until they meet at {}",
        plain(lines.each),
        plain(lines.meet())
    );
    // A peak beyond what was tried is a guess.
    let peak = match scalability.peak().filter(|p| *p <= f64::from(up_to)) {
        Some(peak) => format!("a peak at {} in flight", plain(peak)),
        None => format!("no peak up to {up_to} in flight"),
    };
    let bends = format!("contention: {} for each other, {peak}", percent(100.0 * scalability.contention));
    let off = |first: f64, second: f64| {
        format!("depths that it foretells are off by {}, the other's by {}", percent(first), percent(second))
    };
    match shape {
        Shape::TwoLines => {
            format!("{two}; {figure} at most; {}", off(*lines_off_percent, *scalability_off_percent))
        }
        Shape::Contention => {
            format!("{bends}; {figure} at most; {}", off(*scalability_off_percent, *lines_off_percent))
        }
        Shape::Either => format!(
            "{two}, or {bends}; {figure} at most; {}",
            off(*lines_off_percent, *scalability_off_percent)
        ),
    }
}

fn goal_name(goal: &Goal) -> String {
    goal.percentile.map_or("the mean".into(), |p| format!("p{p}"))
}

fn told_apart(
    conclusion: &Conclusion,
    more: &'static str,
    less: &'static str,
    same: &'static str,
) -> &'static str {
    match conclusion.verdict() {
        Verdict::More => more,
        Verdict::Less => less,
        Verdict::Same => same,
        Verdict::Unknown => "cannot be told",
    }
}

fn caveat(caveat: &Caveat) -> String {
    match caveat {
        Caveat::Drifts { percent: p } => format!("it still changed by {} when it ended", percent(p.abs())),
        Caveat::Steps { before, after, at_s } => {
            format!("it stepped from {} to {} IOPS after {} s", plain(*before), plain(*after), plain(*at_s))
        }
        Caveat::WithinNoise => "the next depths are within the noise".into(),
        Caveat::Wide { half_percent } => {
            format!("the interval is {} wide either way", percent(*half_percent))
        }
        Caveat::Grade { grade } => format!("some points are believed only to {}", grade.letter()),
    }
}

/// What has no answer, a line for each reason.
fn not_answered(study: &Study, told: impl Fn(&Unanswered) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut needs = 0.0;
    let mut bought: Vec<(&str, Vec<String>)> = Vec::new();
    for one in study.unanswered.iter().filter(|one| told(one)) {
        let Unanswered { target, access, question, why } = one;
        let name = format!("{} of {}", question.name(), label(study, *target, access));
        match why {
            Why::Budget { needs_s } => {
                needs += needs_s;
                let label = label(study, *target, access);
                match bought.iter_mut().find(|(asked, _)| *asked == question.name()) {
                    Some((_, of)) => of.push(label),
                    None => bought.push((question.name(), vec![label])),
                }
            }
            Why::NotTheDevice { findings } => {
                let worst = findings.iter().max_by_key(|f| f.claim.grade());
                let what = worst.map_or(String::new(), |f| prose::words(&f.claim).0);
                lines.push(format!("no answer  {name}: did not measure the device: {what}"));
            }
            Why::Interrupted => lines.push(format!("no answer  {name}: ended by a signal")),
            Why::Failed { text } => lines.push(format!("no answer  {name}: {text}")),
            Why::NotHere { text } => lines.push(format!("no answer  {name}: {text}")),
        }
    }
    if !bought.is_empty() {
        let minutes = (needs / 60.0 * 10.0).ceil() / 10.0;
        let all = study.asked.patterns.len() * study.targets.len();
        let of = |(question, of): &(&str, Vec<String>)| match of.len() {
            n if n == all && n > 1 => format!("{question} of all"),
            _ => format!("{question} of {}", of.join(", ")),
        };
        let bought: Vec<String> = bought.iter().map(of).collect();
        lines.push(format!("not answered: needs {minutes} min more: {}", bought.join("; ")));
    }
    lines
}
