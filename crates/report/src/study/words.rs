//! Answers in sentences: the estimate, its interval, how far it reaches, and what limits it.

use crate::Lang;
use crate::catalog::{say, word};
use crate::labels::block;
use crate::scale::{percent, time};
use stats::bound::{Curve, Shape};
use stats::percentile::Goal;
use stats::study::{
    Cap, CapSign, Caveat, Claim, Conclusion, Estimate, Horizon, NotHere, Regime, Unit, Verdict, Why,
};
use stats::unit::MIB;

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
pub fn figure(lang: Lang, estimate: &Estimate, unit: Unit) -> String {
    let name = match unit {
        Unit::Iops => " IOPS",
        Unit::Commits => word!(lang, "explore-commits"),
        Unit::Bytes => word!(lang, "explore-bytes"),
        Unit::BytesPerSecond => word!(lang, "explore-bytes-per-second"),
        Unit::Seconds => " s",
        Unit::Ratio => "",
        Unit::Micros => " us",
    };
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(plain);
    if estimate.low == estimate.high {
        return format!("{value}{name}");
    }
    say!(lang, "explore-micros", value, name, low, high)
}

/// `seen 12.50 s, 51200 bytes, over 1073741824 bytes`.
fn horizon(lang: Lang, h: &Horizon) -> String {
    let (seconds, bytes, span) = (plain(h.seconds), h.bytes, h.span);
    say!(lang, "explore-horizon", seconds, bytes, span)
}

/// A conclusion in a sentence, with how far it reaches.
pub fn words(lang: Lang, conclusion: &Conclusion) -> String {
    format!("{} [{}]", what(lang, conclusion), horizon(lang, &conclusion.horizon))
}

pub(super) fn what(lang: Lang, conclusion: &Conclusion) -> String {
    let Conclusion { claim, estimate, unit, .. } = conclusion;
    let figure = figure(lang, estimate, *unit);
    let what = match claim {
        Claim::Knee { in_flight, there, mean_ns, alone_ns, bound, p99_ns, p99_between, between } => {
            let fewest = fewest(lang, *between);
            let share = percent(100.0 * (there.value / estimate.value).min(1.0));
            let (each, alone, bound) = (time(*mean_ns), time(*alone_ns), plain(*bound));
            let slowest = slowest(lang, *p99_ns, *p99_between);
            say!(lang, "explore-knee", in_flight, fewest, share, figure, each, slowest, alone, bound)
        }
        Claim::NoKnee { up_to, mean_ns, alone_ns } => {
            let (each, alone) = (time(*mean_ns), time(*alone_ns));
            say!(lang, "explore-no-knee", up_to, figure, each, alone)
        }
        Claim::OneLimit { up_to, alone_ns, above_device } => {
            let alone = time(*alone_ns);
            let why = if *above_device {
                word!(lang, "explore-one-limit-throttle-above-device")
            } else {
                word!(lang, "explore-one-limit-throttle-device-serves")
            };
            say!(lang, "explore-one-limit-one-limit-every", up_to, figure, alone, why)
        }
        Claim::Generator { in_flight, jobs, cpu_percent } => {
            let busy = percent(*cpu_percent);
            say!(lang, "explore-generator", figure, in_flight, jobs, busy)
        }
        Claim::Drifts { in_flight, before, over_s } => {
            let (before, over) = (plain(*before), plain(*over_s));
            say!(lang, "explore-drifts", figure, in_flight, before, over)
        }
        Claim::Crossover { full_bandwidth, full_iops, bandwidth, iops, in_flight } => {
            let (up_to, iops) = (block(*full_iops), plain(iops.value));
            let (from, rate) = (block(*full_bandwidth), plain(bandwidth.value / 1e6));
            say!(lang, "explore-crossover", figure, up_to, iops, from, rate, in_flight)
        }
        Claim::OneBlockLaw { of, sizes: [from, to], in_flight } => {
            let (from, to) = (block(*from), block(*to));
            match of {
                Cap::Iops => {
                    say!(lang, "explore-iops-same-iops-every", from, to, figure, in_flight)
                }
                Cap::Bytes => {
                    say!(lang, "explore-bytes-same-bytes-per", from, to, figure, in_flight)
                }
            }
        }
        Claim::Runtime {
            statistics_s,
            percentile_s,
            warm_up_s,
            within_percent,
            percentile_percent,
            regime,
        } => {
            let [statistics, tail, warm_up] = [statistics_s, percentile_s, warm_up_s].map(|s| plain(*s));
            let seen = plain(conclusion.horizon.seconds);
            let regime = self::regime(lang, regime);
            say!(
                lang,
                "explore-what-runtime",
                figure,
                statistics,
                within_percent,
                tail,
                percentile_percent,
                warm_up,
                regime,
                seen
            )
        }
        Claim::Curve { curve, up_to } => law(lang, curve, *up_to, &figure),
        Claim::Jobs { jobs, in_flight } => {
            let told = told_apart(
                lang,
                conclusion,
                [
                    word!(lang, "explore-jobs-more-jobs-better"),
                    word!(lang, "explore-jobs-fewer-jobs-better"),
                    word!(lang, "explore-jobs-only-product-matters"),
                ],
            );
            say!(lang, "explore-jobs-jobs-do-times", jobs, figure, in_flight, told)
        }
        Claim::Span { part, whole } => {
            let told = told_apart(
                lang,
                conclusion,
                [
                    word!(lang, "explore-span-small-file-flatters"),
                    word!(lang, "explore-span-small-file-slower"),
                    word!(lang, "explore-span-size-does-not"),
                ],
            );
            say!(lang, "explore-span-bytes-do-times", part, whole, figure, told)
        }
        Claim::Targets { in_flight: [first, second] } => {
            say!(lang, "explore-what-targets", figure, second, first)
        }
        Claim::Axis { name, value, base } => {
            let told = told_apart(
                lang,
                conclusion,
                [
                    word!(lang, "explore-axis-better"),
                    word!(lang, "explore-axis-worse"),
                    word!(lang, "explore-axis-no-difference"),
                ],
            );
            say!(lang, "explore-axis-does-times-what", name, value, figure, base, told)
        }
        Claim::Moved { before, after_s, by_s: Some(by_s) } => {
            // Between the last look at the old rate and the first at the new one.
            let (before, from_s, to_s) = (plain(*before), plain(*after_s), plain(*by_s));
            say!(lang, "explore-moved-rate-changed-between", from_s, to_s, before, figure)
        }
        Claim::Moved { before, after_s, by_s: None } => {
            let (before, about_s) = (plain(*before), after_s.round());
            say!(lang, "explore-moved-rate-changed-during", about_s, before, figure)
        }
        Claim::Repeat { rounds, over_s, in_flight, between_percent, within_percent } => {
            let over = plain(*over_s);
            let [apart, low, high] =
                [between_percent.value, between_percent.low, between_percent.high].map(percent);
            let own = percent(*within_percent);
            let told = if between_percent.low > *within_percent {
                word!(lang, "explore-repeat-one-run-does")
            } else {
                word!(lang, "explore-repeat-one-run-tells")
            };
            say!(
                lang,
                "explore-repeat-rounds-over-s",
                rounds,
                over,
                in_flight,
                figure,
                apart,
                low,
                high,
                own,
                told
            )
        }
        Claim::Kept { goal, there, most } => {
            let (name, at_most, share) =
                (goal_name(lang, goal), time(goal.nanos as f64), of_most(estimate, most));
            let there = there.map_or(String::new(), |t| {
                let [value, low, high] = [t.value, t.low, t.high].map(time);
                say!(lang, "explore-kept-there-between", value, low, high)
            });
            say!(lang, "explore-kept-keep-less-arriving", figure, name, at_most, share, there)
        }
        Claim::AlwaysKept { goal, most } => {
            let (name, at_most, share) =
                (goal_name(lang, goal), time(goal.nanos as f64), of_most(estimate, most));
            say!(lang, "explore-always-kept", figure, name, at_most, share)
        }
        Claim::NeverKept { goal, down_to } => {
            let (name, at_most, fewest) = (goal_name(lang, goal), time(goal.nanos as f64), plain(*down_to));
            say!(lang, "explore-never-kept", name, at_most, figure, fewest)
        }
        Claim::Cap { of, sizes: [from, to], sign } => {
            let (from, to) = (block(*from), block(*to));
            let sign = cap_sign(lang, *sign);
            match of {
                Cap::Iops => {
                    say!(lang, "explore-iops-probably-cap-same", figure, from, to, sign)
                }
                Cap::Bytes => {
                    let mib = plain(estimate.value / MIB as f64);
                    say!(lang, "explore-bytes-probably-cap-mib", figure, mib, sign, from, to)
                }
            }
        }
        Claim::Best { depth, jobs } => {
            say!(lang, "explore-best-iodepth-numjobs-fewest", depth, jobs, figure)
        }
    };
    let but = |c: &Caveat| {
        let caveat = caveat(lang, c);
        say!(lang, "explore-best-but", caveat)
    };
    let caveats: String = conclusion.caveats.iter().map(but).collect();
    format!("{what}{caveats}")
}

/// What shows that a limit is a cap.
fn cap_sign(lang: Lang, sign: CapSign) -> &'static str {
    match sign {
        CapSign::SameBytes => {
            word!(lang, "explore-same-bytes")
        }
        CapSign::IdleBeneath => {
            word!(lang, "explore-idle-beneath")
        }
        CapSign::Regular => {
            word!(lang, "explore-regular")
        }
        CapSign::LongerAlone => {
            word!(lang, "explore-longer-alone")
        }
        CapSign::QuickWhenFew => {
            word!(lang, "explore-quick-when-few")
        }
    }
}

/// ` (the fewest lie between 12 and 16)`.
pub(super) fn fewest(lang: Lang, between: Option<[u32; 2]>) -> String {
    between
        .filter(|[low, high]| low < high)
        .map_or(String::new(), |[low, high]| say!(lang, "explore-fewest", low, high))
}

fn of_most(estimate: &Estimate, most: &Estimate) -> String {
    percent(100.0 * (estimate.value / most.value).min(1.0))
}

fn regime(lang: Lang, regime: &Regime) -> String {
    match regime {
        Regime::Steady => {
            say!(lang, "explore-steady")
        }
        Regime::Drift => say!(lang, "explore-drift"),
        Regime::Bursts { every_s } => {
            let every = plain(*every_s);
            say!(lang, "explore-bursts", every)
        }
        Regime::Stepped => say!(lang, "explore-stepped"),
    }
}

/// `, 99 % below 1.20 ms (between 1.10 ms and 1.30 ms)`.
fn slowest(lang: Lang, p99_ns: Option<u64>, between: Option<[u64; 2]>) -> String {
    let between = between.map_or(String::new(), |ends| {
        let [low, high] = ends.map(|ns| time(ns as f64));
        say!(lang, "explore-slowest-between", low, high)
    });
    p99_ns.map_or(String::new(), |ns| {
        let p99 = time(ns as f64);
        say!(lang, "explore-slowest-99-below", p99, between)
    })
}

/// Which law the rates follow.
fn law(lang: Lang, curve: &Curve, up_to: u32, figure: &str) -> String {
    let Curve { shape, lines, scalability, lines_off_percent, scalability_off_percent } = curve;
    let (each, meet) = (plain(lines.each), plain(lines.meet()));
    let two = say!(lang, "explore-law-two-straight-lines", each, meet);
    // A peak beyond what was tried is a guess.
    let peak = match scalability.peak().filter(|p| *p <= f64::from(up_to)) {
        Some(peak) => {
            let peak = plain(peak);
            say!(lang, "explore-law-peak-flight", peak)
        }
        None => {
            say!(lang, "explore-law-no-peak-up", up_to)
        }
    };
    let waits = percent(100.0 * scalability.contention);
    let bends = say!(lang, "explore-law-contention-each-other", waits, peak);
    let most = say!(lang, "explore-law-most", figure);
    let off = |first: f64, second: f64| {
        let (first, second) = (percent(first), percent(second));
        say!(lang, "explore-law-depths-foretells-off", first, second)
    };
    match shape {
        Shape::TwoLines => format!("{two}; {most}; {}", off(*lines_off_percent, *scalability_off_percent)),
        Shape::Contention => {
            format!("{bends}; {most}; {}", off(*scalability_off_percent, *lines_off_percent))
        }
        Shape::Either => {
            let either = say!(lang, "explore-either", two, bends);
            format!("{either}; {most}; {}", off(*lines_off_percent, *scalability_off_percent))
        }
    }
}

fn goal_name(lang: Lang, goal: &Goal) -> String {
    let mean = word!(lang, "explore-goal-name");
    goal.percentile.map_or(mean.into(), |p| format!("p{p}"))
}

/// What is said of more, of less and of the same.
fn told_apart(lang: Lang, conclusion: &Conclusion, [more, less, same]: [&'static str; 3]) -> &'static str {
    match conclusion.verdict() {
        Verdict::More => more,
        Verdict::Less => less,
        Verdict::Same => same,
        Verdict::Unknown => {
            word!(lang, "explore-unknown")
        }
    }
}

pub(super) fn caveat(lang: Lang, caveat: &Caveat) -> String {
    match caveat {
        Caveat::Drifts { percent: p } => {
            let by = percent(p.abs());
            say!(lang, "explore-caveat-drifts", by)
        }
        Caveat::WithinNoise => say!(lang, "explore-within-noise"),
        Caveat::Pauses { each_s, every_s } => {
            let (each, every) = (time(each_s * 1e9), time(every_s * 1e9));
            say!(lang, "explore-pauses", each, every)
        }
        Caveat::MayBeMore { percent: p } => {
            let up = percent(*p);
            say!(lang, "explore-may-be-more", up)
        }
        Caveat::Wide { half_percent } if *half_percent >= 100.0 => {
            say!(lang, "explore-wide-rate-not-known")
        }
        Caveat::Wide { half_percent } => {
            let half = percent(*half_percent);
            say!(lang, "explore-wide-interval-wide-either", half)
        }
        Caveat::Changed { now } => {
            let now = plain(*now);
            say!(lang, "explore-changed", now)
        }
        Caveat::Errors { failed, ios } => {
            let all = failed + ios;
            say!(lang, "explore-errors", failed, all)
        }
        Caveat::Grade { grade } => {
            let grade = grade.letter();
            say!(lang, "explore-grade", grade)
        }
    }
}

/// Why a question of this name has no answer; nothing of what only time is missing for, which is told of all together.
pub(super) fn why(lang: Lang, name: &str, why: &Why) -> Option<String> {
    let reason = match why {
        Why::Budget { .. } => return None,
        Why::NotTheDevice { findings } => {
            let worst = findings.iter().max_by_key(|f| f.claim.grade());
            let what = worst.map_or(String::new(), |f| crate::findings::statement(lang, &f.claim));
            say!(lang, "explore-not-the-device", what)
        }
        Why::Interrupted => {
            say!(lang, "explore-interrupted")
        }
        Why::Failed { text } => text.clone(),
        Why::NotHere { text: NotHere::OnlyRead } => say!(lang, "explore-not-here-target-only-read"),
        Why::NotHere { text: NotHere::RandomAlone } => say!(lang, "explore-not-here-region-s-size"),
        Why::NotHere { text: NotHere::Commits } => {
            say!(lang, "explore-not-here-job-has-one")
        }
        Why::NotHere { text: NotHere::Other(text) } => text.clone(),
    };
    Some(say!(lang, "explore-not-here-no-answer", name, reason))
}
