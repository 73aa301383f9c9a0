//! Answers that say what to do next.
#![allow(clippy::unwrap_used)]

use report::Lang;
use stats::bottleneck::{
    Bottleneck, BottleneckCard, BottleneckEvidence, BottleneckFacts, BottleneckSample, JudgedBottleneck,
    Standing,
};
use stats::estimate::Estimate;
use stats::finding::{Claim, Finding};
use stats::fit::{FitCard, FitFigure, FitRow, FitVerdict, HostFigure, LimitClass};

fn fit_card(samples: u64, findings: Vec<Finding>) -> FitCard {
    let row = FitRow {
        job: "wal".into(),
        figure: FitFigure::SyncTime(99.0),
        measured: None,
        samples,
        limit: 10e6,
        margin: 1.0,
        scales: false,
        class: LimitClass::Official,
        source: String::new(),
        link: None,
        read: None,
        verdict: FitVerdict::NotSure,
        largest_scale: None,
        host: None,
        each: Vec::new(),
    };
    FitCard { rows: vec![row], findings, ..FitCard::default() }
}

fn fit_answer(samples: u64, findings: Vec<Finding>) -> String {
    report::fit::render(Lang::En, &fit_card(samples, findings), usize::MAX)
}

/// The card of several hosts says which of them meet all criteria.
#[test]
fn fit_names_the_hosts_by_their_verdicts() {
    let mut card = fit_card(4000, Vec::new());
    assert!(!fit_answer(4000, Vec::new()).contains("hosts"));
    let verdicts = [("a", FitVerdict::Yes), ("b", FitVerdict::No), ("c", FitVerdict::Yes)];
    let figure = |(host, verdict): (&str, FitVerdict)| HostFigure {
        host: host.into(),
        measured: None,
        samples: 4000,
        verdict,
    };
    card.hosts = verdicts.map(|(host, _)| host.to_owned()).to_vec();
    card.rows[0].each = verdicts.map(figure).to_vec();
    let text = report::fit::render(Lang::En, &card, usize::MAX);
    assert!(text.contains("hosts    no: b; yes: a, c\n"), "{text}");
}

/// The card says which of both it is, and a wait for the CPU comes before it, with what to do.
#[test]
fn fit_says_why_a_figure_is_not_judged() {
    let few = fit_answer(400, Vec::new());
    assert!(few.contains("400 samples are too few to judge sync p99") && few.contains("1000"), "{few}");
    let unsteady = fit_answer(4000, Vec::new());
    assert!(unsteady.contains("sync p99 varied too much within 4000 samples"), "{unsteady}");
    let claim = Claim::CpuContention { waited_percent: 60.0 };
    let waited = fit_answer(4000, vec![Finding::new(String::new(), claim)]);
    let at = |part: &str| waited.find(part).unwrap_or_else(|| panic!("{part}: {waited}"));
    assert!(at("waited for a free CPU") < at("stop other CPU load"), "{waited}");
    assert!(at("stop other CPU load") < at("varied too much"), "{waited}");
}

#[test]
fn explain_says_of_an_unused_layer_that_it_is_not_used() {
    let words = [(Lang::De, "nicht benutzt"), (Lang::Ru, "не используется"), (Lang::Zh, "未使用")];
    for (lang, word) in words {
        let base = BottleneckSample { rate: Estimate::bare(1000.0), ..BottleneckSample::default() };
        let mut card = BottleneckCard::of("R1", "randread", BottleneckFacts::default(), vec![base]);
        card.candidates = vec![JudgedBottleneck {
            candidate: Bottleneck::Scheduler,
            standing: Standing::Excluded,
            evidence: vec![BottleneckEvidence::NoLayer],
        }];
        let text = report::explain::render(lang, &card, 80);
        assert!(text.contains(word), "{text}");
    }
}
