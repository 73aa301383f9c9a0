//! Explore on two simulated devices: the ratio of their rates lies in its interval, and the verdict is right. Runs as
//! long as the question of the runtime says have their rate within 5 %.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod quiet;

use lab::explore::explore;
use lab::explore::job_runner::JobRunner;
use lab::explore::runner::NoJournal;
use lab::target::JobContext;
use quiet::Quiet;
use stats::study::{Access, Question, Study, StudyAsked, StudyClaim};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use testbed::Draw;

fn study(targets: Vec<String>, question: Question, budget_s: f64, seed: u64) -> Study {
    let asked = StudyAsked {
        targets,
        budget_s,
        patterns: vec![Access { rw: "randread".into(), bs: 4096, reads: None, sync: None }],
        questions: vec![question],
        seed,
        engine: "model".into(),
        ..StudyAsked::default()
    };
    let context =
        JobContext::here(Arc::new(AtomicUsize::new(0)), Duration::from_secs(30), ToString::to_string);
    let mut quiet = Quiet;
    let (mut runner, targets) = JobRunner::open(&asked.targets.clone(), context, &mut quiet).unwrap();
    explore(Study { asked, targets, ..Study::default() }, &mut runner, &mut NoJournal)
}

/// Returns a law with this mean in nanoseconds.
fn law(draw: &mut Draw, mean_ns: f64) -> String {
    let ns = |part: f64| format!("{}ns", (mean_ns * part).round());
    match draw.next() % 4 {
        0 => format!("constant:{}", ns(1.0)),
        1 => format!("exponential:{}", ns(1.0)),
        2 => format!("uniform:{}-{}", ns(0.4), ns(1.6)),
        // One I/O of a hundred takes 20 times as long as the others.
        _ => format!("mixture:99/{}:1/{}", ns(1.0 / 1.19), ns(20.0 / 1.19)),
    }
}

#[derive(Default)]
struct Counts {
    loads: usize,
    inside: usize,
    right: usize,
    open: usize,
    wrong: usize,
}

fn compared(pairs: usize) -> Counts {
    let mut draw = Draw::fresh();
    let mut counts = Counts::default();
    for n in 0..pairs {
        let servers = [1, 4, 16, 64][draw.below(4)];
        let first_ns = draw.between(30e3, 5e6);
        // Every third pair is alike.
        let ratio = if n % 3 == 0 { 1.0 } else { draw.between(0.5, 2.0) };
        let devices = [first_ns, first_ns / ratio]
            .map(|mean| format!("model:servers={servers};law={}", law(&mut draw, mean)));
        let study = study(devices.to_vec(), Question::Targets, 30.0, draw.next());
        for told in study.ratios() {
            counts.loads += 1;
            counts.inside += usize::from(told.ratio.holds(ratio));
            let verdict = told.ratio.verdict();
            use stats::study::Verdict::{Less, More, Same, Unknown};
            match verdict {
                Unknown => counts.open += 1,
                More if ratio > 1.0 => counts.right += 1,
                Less if ratio < 1.0 => counts.right += 1,
                Same if (0.9..1.1).contains(&ratio) => counts.right += 1,
                _ => {
                    counts.wrong += 1;
                    println!("{devices:?}: {told:?}");
                }
            }
        }
    }
    println!(
        "{} loads: ratio in its interval {}, verdict right {}, not known {}, wrong {}",
        counts.loads, counts.inside, counts.right, counts.open, counts.wrong
    );
    counts
}

#[test]
fn two_targets_are_compared_with_equal_loads() {
    let counts = compared(12);
    assert!(counts.loads >= 22, "{}", counts.loads);
    assert!(counts.inside * 10 >= counts.loads * 8, "{} of {}", counts.inside, counts.loads);
    // Of 400 drawn loads one or two have a wrong verdict.
    assert!(counts.wrong <= 1, "{}", counts.wrong);
    assert!(counts.open * 3 <= counts.loads, "{} of {} are not known", counts.open, counts.loads);
}

#[test]
#[ignore = "200 pairs"]
fn intervals_of_ratios_hold_in_95_of_100() {
    let counts = compared(200);
    assert!(counts.inside * 100 >= counts.loads * 93, "{} of {}", counts.inside, counts.loads);
    assert!(counts.wrong * 100 <= counts.loads, "{} of {}", counts.wrong, counts.loads);
}

/// Credits that end and a step while the question is answered.
#[test]
fn a_rate_that_changes_is_not_steady() {
    for device in
        ["servers=2;law=constant:8180us;burst=1111:82", "servers=2;law=constant:5ms;iops=150;step=20s:0.5"]
    {
        let asked = study(vec![format!("model:{device}")], Question::Runtime, 120.0, 1);
        let told = asked.conclusions.iter().find_map(|c| match c.claim {
            StudyClaim::Runtime { regime, .. } => Some(regime),
            _ => None,
        });
        assert_eq!(told, Some(stats::study::Regime::Stepped), "{device}: {:?}", asked.unanswered);
    }
}

/// Draws devices, asks for the runtime, and measures each as long as it says, once.
fn runtimes(devices: usize) -> (usize, usize) {
    let mut draw = Draw::fresh();
    let (mut told, mut within) = (0, 0);
    for _ in 0..devices {
        let mean_ns = draw.between(50e3, 10e6);
        let device = format!("model:servers=8;law={}", law(&mut draw, mean_ns));
        let asked = study(vec![device.clone()], Question::Runtime, 60.0, draw.next());
        let needed = asked.conclusions.iter().find_map(|c| match c.claim {
            StudyClaim::Runtime { .. } => Some(c.estimate.value),
            _ => None,
        });
        let Some(needed) = needed else {
            println!("{device}: {:?}", asked.unanswered);
            continue;
        };
        told += 1;
        let n = (needed * 1e9 / mean_ns) as u64;
        // At depth 1 the rate is the number of I/Os by the sum of their times: drawn anew from the law itself.
        let mut sum = 0.0;
        let (name, rest) = device.split_once("law=").unwrap().1.split_once(':').unwrap();
        let number = |text: &str| text.trim_end_matches("ns").parse::<f64>().unwrap();
        for _ in 0..n {
            let even = draw.unit();
            sum += match name {
                "constant" => number(rest),
                "exponential" => -number(rest) * (1.0 - even).ln(),
                "uniform" => {
                    let (low, high) = rest.split_once('-').unwrap();
                    number(low) + even * (number(high) - number(low))
                }
                _ => {
                    let parts: Vec<f64> =
                        rest.split(':').map(|part| number(part.split_once('/').unwrap().1)).collect();
                    if even < 0.99 { parts[0] } else { parts[1] }
                }
            };
        }
        let rate = n as f64 / sum * mean_ns;
        within += usize::from((rate - 1.0).abs() <= 0.05);
        if (rate - 1.0).abs() > 0.05 {
            println!("{device}: {needed} s, {rate}");
        }
    }
    println!("{devices} devices: runtime told for {told}, rate within 5 % in {within}");
    (told, within)
}

#[test]
fn a_run_as_long_as_told_has_its_rate_within_5_percent() {
    let (told, within) = runtimes(12);
    assert!(told >= 11 && within + 1 >= told, "{told}, {within}");
}

#[test]
#[ignore = "200 devices"]
fn runtimes_suffice_in_95_of_100() {
    let (told, within) = runtimes(200);
    assert!(told >= 190 && within * 100 >= told * 95, "{told}, {within}");
}
