//! Answers of a study in sentences: the estimate with its interval, the conditions of its measurement, and its caveats.

use crate::Lang;
use crate::catalog::{say, word};
use crate::labels::block;
use crate::scale::{bytes, percent, short, time};
use stats::depth_curve::{DepthCurve, DepthLaw};
use stats::percentile::Goal;
use stats::study::{
    Cap, CapSign, Caveat, Conclusion, Estimate, MeasuredLoad, NotHere, Regime, StudyClaim, Unit, Verdict, Why,
};
use stats::unit::MIB;

/// Returns a number with at least four significant digits, so that a reader can compute with the number.
fn plain(value: f64) -> String {
    match value.abs() {
        v if v >= 1000.0 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.1}"),
        v if v >= 10.0 => format!("{value:.2}"),
        v if v >= 1.0 => format!("{value:.3}"),
        0.0 => "0".into(),
        _ => format!("{value:.4}"),
    }
}

/// Returns the unit of an estimate as printed after the number, and the divisor of the number.
fn unit_name(lang: Lang, unit: Unit, value: f64) -> (String, f64) {
    let scaled = |suffix: &str| {
        let (prefix, factor) = match value.abs() {
            v if v >= 1e9 => ("G", 1e9),
            v if v >= 1e6 => ("M", 1e6),
            v if v >= 1e3 => ("k", 1e3),
            _ => ("", 1.0),
        };
        (format!(" {prefix}{suffix}"), factor)
    };
    match unit {
        Unit::Iops => (" IOPS".into(), 1.0),
        Unit::Commits => (format!(" {}", word!(lang, "explore-unit-commits")), 1.0),
        Unit::Bytes => scaled("B"),
        Unit::BytesPerSecond => scaled("B/s"),
        Unit::Seconds => (" s".into(), 1.0),
        Unit::Ratio => (String::new(), 1.0),
        Unit::Micros => (" us".into(), 1.0),
    }
}

/// Returns an estimate with its unit and its 95 % interval: `800.0 IOPS (796.2 to 803.9)`.
pub fn figure(lang: Lang, estimate: &Estimate, unit: Unit) -> String {
    let (unit, factor) = unit_name(lang, unit, estimate.value);
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|v| plain(v / factor));
    if estimate.low == estimate.high {
        return format!("{value}{unit}");
    }
    say!(lang, "explore-estimate", value, unit, low, high)
}

/// Returns a value with its unit in three significant digits: `115k IOPS`.
pub(super) fn brief(lang: Lang, value: f64, unit: Unit) -> String {
    let (unit, factor) = unit_name(lang, unit, value);
    format!("{}{unit}", short(value / factor))
}

/// Returns a conclusion in a sentence, with the conditions of its measurement in brackets.
pub fn sentence(lang: Lang, conclusion: &Conclusion) -> String {
    let MeasuredLoad { seconds, bytes: moved, span } = conclusion.measured;
    let (seconds, moved, region) = (plain(seconds), bytes(moved), bytes(span));
    let measured = say!(lang, "explore-measured-on", seconds, moved, region);
    format!("{} [{measured}]", statement(lang, conclusion))
}

/// Joins clauses into one sentence.
pub(super) fn join(lang: Lang, clauses: &[String]) -> String {
    clauses.join(word!(lang, "explore-separator"))
}

/// Returns a conclusion in a sentence, with its caveats.
pub(super) fn statement(lang: Lang, conclusion: &Conclusion) -> String {
    let mut clauses = answer(lang, conclusion);
    clauses.extend(conclusion.caveats.iter().map(|c| {
        let caveat = caveat(lang, c);
        say!(lang, "explore-caveat", caveat)
    }));
    join(lang, &clauses)
}

/// Returns the clauses of an answer.
fn answer(lang: Lang, conclusion: &Conclusion) -> Vec<String> {
    let Conclusion { claim, estimate, unit, .. } = conclusion;
    let figure = figure(lang, estimate, *unit);
    match claim {
        StudyClaim::Knee { in_flight, there, mean_ns, alone_ns, bound, p99_ns, p99_between, between } => {
            let share = percent(100.0 * (there.value / estimate.value).min(1.0));
            let (mean, alone, bound) = (time(*mean_ns), time(*alone_ns), plain(*bound));
            let mut clauses = vec![say!(lang, "explore-knee", in_flight, share, figure)];
            clauses.extend(knee_between(lang, *between));
            clauses.push(say!(lang, "explore-mean-latency", mean, alone));
            clauses.extend(p99(lang, *p99_ns, *p99_between));
            clauses.push(say!(lang, "explore-little", bound));
            clauses
        }
        StudyClaim::NoKnee { up_to, mean_ns, alone_ns } => {
            let (mean, alone) = (time(*mean_ns), time(*alone_ns));
            vec![
                say!(lang, "explore-no-knee", up_to, figure),
                say!(lang, "explore-mean-latency", mean, alone),
            ]
        }
        StudyClaim::OneLimit { up_to, alone_ns, above_device } => {
            let alone = time(*alone_ns);
            vec![
                say!(lang, "explore-one-limit", up_to, figure, alone),
                if *above_device {
                    say!(lang, "explore-limit-above-device")
                } else {
                    say!(lang, "explore-limit-serial")
                },
            ]
        }
        StudyClaim::Generator { in_flight, jobs, cpu_percent } => {
            let busy = percent(*cpu_percent);
            vec![say!(lang, "explore-cpu-limit", figure, in_flight, jobs, busy)]
        }
        StudyClaim::Drifts { in_flight, before, over_s } => {
            let (before, over) = (bare(lang, *before, *unit), plain(*over_s));
            vec![say!(lang, "explore-drifting", figure, in_flight, before, over)]
        }
        StudyClaim::Crossover { full_bandwidth, full_iops, bandwidth, iops, in_flight } => {
            let (up_to, iops) = (block(*full_iops), plain(iops.value));
            let (from, rate) = (block(*full_bandwidth), plain(bandwidth.value / 1e6));
            vec![say!(lang, "explore-crossover", figure, up_to, iops, from, rate, in_flight)]
        }
        StudyClaim::OneBlockLaw { of, sizes: [from, to], in_flight } => {
            let (from, to) = (block(*from), block(*to));
            vec![match of {
                Cap::Iops => say!(lang, "explore-same-iops", from, to, figure, in_flight),
                Cap::Bytes => say!(lang, "explore-same-bandwidth", from, to, figure, in_flight),
            }]
        }
        StudyClaim::Runtime {
            statistics_s,
            percentile_s,
            warm_up_s,
            within_percent,
            percentile_percent,
            regime,
        } => {
            let [mean, warm_up] = [statistics_s, warm_up_s].map(|s| plain(*s));
            let (within, within_p99) = (within_percent, percentile_percent);
            let run = match percentile_s {
                Some(tail) => {
                    let tail = plain(*tail);
                    say!(lang, "explore-run-for", figure, mean, within, tail, within_p99, warm_up)
                }
                None => say!(lang, "explore-run-for-mean", figure, within, within_p99, warm_up),
            };
            vec![run, regime_seen(lang, regime, conclusion.measured.seconds)]
        }
        StudyClaim::Curve { curve, up_to } => law(lang, curve, *up_to, &figure),
        StudyClaim::Jobs { jobs, in_flight } => vec![match conclusion.verdict() {
            Verdict::More => say!(lang, "explore-jobs-faster", jobs, figure, in_flight),
            Verdict::Less => say!(lang, "explore-jobs-slower", jobs, figure, in_flight),
            Verdict::Same => say!(lang, "explore-jobs-same", jobs, figure, in_flight),
            Verdict::Unknown => say!(lang, "explore-jobs-unknown", jobs, figure, in_flight),
        }],
        StudyClaim::Span { part, whole } => {
            let (part, whole) = (bytes(*part), bytes(*whole));
            vec![match conclusion.verdict() {
                Verdict::More => say!(lang, "explore-span-faster", part, whole, figure),
                Verdict::Less => say!(lang, "explore-span-slower", part, whole, figure),
                Verdict::Same => say!(lang, "explore-span-same", part, whole, figure),
                Verdict::Unknown => say!(lang, "explore-span-unknown", part, whole, figure),
            }]
        }
        StudyClaim::Hosts { enough, between: (fewest, most), all, in_flight, shares, fairness, uneven } => {
            let fewer = all.saturating_sub(1);
            let (told, mut said) = match enough < all {
                true => (*enough, vec![say!(lang, "explore-hosts-enough", enough, figure, all, in_flight)]),
                false => (fewer, vec![say!(lang, "explore-hosts-all", all, fewer, figure, in_flight)]),
            };
            let share = |(hosts, share): &(u32, Estimate)| {
                say!(lang, "explore-hosts-share", hosts, share = format!("{:.0}", 100.0 * share.value))
            };
            let others: Vec<String> = shares.iter().filter(|(hosts, _)| *hosts != told).map(share).collect();
            said.extend(
                (!others.is_empty()).then(|| say!(lang, "explore-hosts-others", shares = others.join(", "))),
            );
            said.extend((fewest < most).then(|| say!(lang, "explore-hosts-between", fewest, most)));
            said.extend(
                fairness.map(|index| say!(lang, "explore-hosts-fairness", index = format!("{index:.3}"))),
            );
            said.extend(uneven.as_ref().map(|[(slowest, low), (fastest, high)]| {
                let (low, high) = (bare(lang, *low, Unit::Iops), bare(lang, *high, Unit::Iops));
                say!(lang, "explore-hosts-uneven", slowest, low, fastest, high)
            }));
            said
        }
        StudyClaim::Targets { in_flight: [first, second] } => {
            vec![say!(lang, "explore-targets-ratio", figure, second, first)]
        }
        StudyClaim::Axis { name, value, base } => vec![match conclusion.verdict() {
            Verdict::More => say!(lang, "explore-setting-faster", name, value, figure, base),
            Verdict::Less => say!(lang, "explore-setting-slower", name, value, figure, base),
            Verdict::Same => say!(lang, "explore-setting-same", name, value, figure, base),
            Verdict::Unknown => say!(lang, "explore-setting-unknown", name, value, figure, base),
        }],
        // Between the last point at the old rate and the first at the new one.
        StudyClaim::Moved { before, after_s, by_s: Some(by_s) } => {
            let (before, from_s, to_s) = (bare(lang, *before, *unit), plain(*after_s), plain(*by_s));
            vec![say!(lang, "explore-changed-between", from_s, to_s, before, figure)]
        }
        StudyClaim::Moved { before, after_s, by_s: None } => {
            let (before, about_s) = (bare(lang, *before, *unit), after_s.round());
            vec![say!(lang, "explore-changed-about", about_s, before, figure)]
        }
        StudyClaim::Repeat { rounds, over_s, in_flight, between_percent, within_percent } => {
            let over = plain(*over_s);
            let [deviation, low, high] =
                [between_percent.value, between_percent.low, between_percent.high].map(percent);
            let own = percent(*within_percent);
            vec![
                say!(lang, "explore-rounds", rounds, over, in_flight, figure),
                say!(lang, "explore-rounds-differ", deviation, low, high, own),
                if between_percent.low > *within_percent {
                    say!(lang, "explore-one-run-is-not-enough")
                } else {
                    say!(lang, "explore-one-run-is-enough")
                },
            ]
        }
        StudyClaim::Kept { goal, there, most } => {
            let (name, limit, share) =
                (goal_name(lang, goal), time(goal.nanos as f64), of_most(estimate, most));
            let mut clauses = vec![say!(lang, "explore-goal-kept", name, limit, figure, share)];
            clauses.extend(there.map(|t| {
                let [value, low, high] = [t.value, t.low, t.high].map(time);
                say!(lang, "explore-goal-latency", name, value, low, high)
            }));
            clauses.push(say!(lang, "explore-goal-interval"));
            clauses
        }
        StudyClaim::AlwaysKept { goal, most } => {
            let (name, limit, share) =
                (goal_name(lang, goal), time(goal.nanos as f64), of_most(estimate, most));
            vec![say!(lang, "explore-goal-always-kept", name, limit, figure, share)]
        }
        StudyClaim::NeverKept { goal, down_to } => {
            let (name, limit, lowest) = (goal_name(lang, goal), time(goal.nanos as f64), plain(*down_to));
            vec![say!(lang, "explore-goal-never-kept", name, limit, figure, lowest)]
        }
        StudyClaim::Cap { of, sizes: [from, to], sign } => {
            let (from, to) = (block(*from), block(*to));
            vec![
                match of {
                    Cap::Iops => say!(lang, "explore-cap-iops", figure, from, to),
                    Cap::Bytes => {
                        let mib = plain(estimate.value / MIB as f64);
                        say!(lang, "explore-cap-bandwidth", figure, mib, from, to)
                    }
                },
                cap_sign(lang, *sign).into(),
            ]
        }
        StudyClaim::Best { depth, jobs } => vec![say!(lang, "explore-grid-best", depth, jobs, figure)],
    }
}

/// Returns a value with its unit and without an interval.
fn bare(lang: Lang, value: f64, unit: Unit) -> String {
    figure(lang, &Estimate::bare(value), unit)
}

/// Returns the clause that gives the reason why a limit counts as a cap.
fn cap_sign(lang: Lang, sign: CapSign) -> &'static str {
    match sign {
        CapSign::SameBytes => word!(lang, "explore-sign-same-bytes"),
        CapSign::IdleBeneath => word!(lang, "explore-sign-idle-beneath"),
        CapSign::Regular => word!(lang, "explore-sign-regular"),
        CapSign::LongerAlone => word!(lang, "explore-sign-longer-alone"),
        CapSign::QuickWhenFew => word!(lang, "explore-sign-quick-when-few"),
    }
}

/// Returns the range of the knee; `None` if the knee is known exactly.
pub(super) fn knee_between(lang: Lang, between: Option<[u32; 2]>) -> Option<String> {
    let [low, high] = between.filter(|[low, high]| low < high)?;
    Some(say!(lang, "explore-knee-between", low, high))
}

fn of_most(estimate: &Estimate, most: &Estimate) -> String {
    percent(100.0 * (estimate.value / most.value).min(1.0))
}

/// Returns the clause about the behaviour of the rate during the measurement.
fn regime_seen(lang: Lang, regime: &Regime, seconds: f64) -> String {
    let seen = plain(seconds);
    match regime {
        Regime::Steady => say!(lang, "explore-rate-steady", seen),
        Regime::Drift => say!(lang, "explore-rate-drifts", seen),
        Regime::Bursts { every_s } => say!(lang, "explore-rate-bursts", seen, every = plain(*every_s)),
        Regime::Stepped => say!(lang, "explore-rate-steps", seen),
    }
}

/// Returns the 99th percentile at the knee, with its interval if there is one.
fn p99(lang: Lang, p99_ns: Option<u64>, between: Option<[u64; 2]>) -> Option<String> {
    let p99 = time(p99_ns? as f64);
    Some(match between.map(|ends| ends.map(|ns| time(ns as f64))) {
        Some([low, high]) => say!(lang, "explore-p99-between", p99, low, high),
        None => say!(lang, "explore-p99", p99),
    })
}

/// Returns the clauses that name the model of throughput over queue depth.
fn law(lang: Lang, curve: &DepthCurve, up_to: u32, figure: &str) -> Vec<String> {
    let DepthCurve { shape, lines, scalability, lines_off_percent, scalability_off_percent } = curve;
    let (each, meet) = (plain(lines.each), plain(lines.meet()));
    let contention = percent(100.0 * scalability.contention);
    let (lines_off, usl_off) = (percent(*lines_off_percent), percent(*scalability_off_percent));
    let mut clauses = vec![match shape {
        DepthLaw::TwoLines => say!(lang, "explore-law-two-lines", each, meet, lines_off, usl_off),
        DepthLaw::Contention => say!(lang, "explore-law-contention", contention, lines_off, usl_off),
        DepthLaw::Either => say!(lang, "explore-law-either", each, meet, contention, lines_off, usl_off),
    }];
    if *shape != DepthLaw::TwoLines {
        // A peak beyond the deepest queue that was measured is an extrapolation.
        clauses.push(match scalability.peak().filter(|p| *p <= f64::from(up_to)) {
            Some(peak) => {
                let peak = plain(peak);
                say!(lang, "explore-law-peak", peak)
            }
            None => say!(lang, "explore-law-no-peak", up_to),
        });
    }
    clauses.push(say!(lang, "explore-law-maximum", figure));
    clauses
}

fn goal_name(lang: Lang, goal: &Goal) -> String {
    let mean = word!(lang, "explore-goal-mean");
    goal.percentile.map_or(mean.into(), |p| format!("p{p}"))
}

pub(super) fn caveat(lang: Lang, caveat: &Caveat) -> String {
    match caveat {
        Caveat::Drifts { percent: p } => say!(lang, "explore-caveat-drifts", by = percent(p.abs())),
        Caveat::WithinNoise => say!(lang, "explore-caveat-noise"),
        Caveat::Pauses { each_s, every_s } => {
            let (each, every) = (time(each_s * 1e9), time(every_s * 1e9));
            say!(lang, "explore-caveat-pauses", each, every)
        }
        Caveat::MayBeMore { percent: p } => say!(lang, "explore-caveat-may-be-more", up = percent(*p)),
        Caveat::Wide { half_percent } if *half_percent >= 100.0 => say!(lang, "explore-caveat-too-few"),
        Caveat::Wide { half_percent } => say!(lang, "explore-caveat-wide", half = percent(*half_percent)),
        Caveat::Changed { now } => say!(lang, "explore-caveat-changed", now = plain(*now)),
        Caveat::Errors { failed, ios } => say!(lang, "explore-caveat-errors", failed, all = failed + ios),
        Caveat::Grade { grade } => {
            let grade = grade.letter();
            say!(lang, "explore-caveat-grade", grade)
        }
    }
}

/// Returns the reason why a question has no answer; `None` if only time is missing, which one line reports for all such
/// questions.
pub(super) fn reason(lang: Lang, why: &Why) -> Option<String> {
    Some(match why {
        Why::Budget { .. } => return None,
        Why::NotTheDevice { findings } => {
            let worst = findings.iter().max_by_key(|f| f.claim.grade());
            let statement = worst.map_or(String::new(), |f| crate::findings::statement(lang, &f.claim));
            say!(lang, "explore-not-the-device", statement)
        }
        Why::Interrupted => say!(lang, "explore-ended-by-signal"),
        Why::Failed { text } => crate::words::lab::failure(lang, text),
        Why::NotHere { text: NotHere::OnlyRead } => say!(lang, "explore-only-read"),
        Why::NotHere { text: NotHere::RandomAlone } => say!(lang, "explore-random-only"),
        Why::NotHere { text: NotHere::Commits } => say!(lang, "explore-commits-not-paced"),
        Why::NotHere { text: NotHere::Other(text) } => text.clone(),
    })
}
