//! Charts in the terminal.

use crate::terminal;
use ::report::Lang;
use ::report::chart::{self, Chart};

/// Returns `charts` drawn as text, one below the other, without charts that are one choice of several alternatives.
pub fn draw(charts: &[Chart]) -> String {
    let shown = charts.iter().filter(|c| c.choice.is_none());
    shown.map(|c| chart::terminal::draw(c, terminal::width(), !unicode()) + "\n").collect()
}

/// Returns the charts shown below the card of a study: throughput and latency, as text for the terminal.
pub fn below_study(study: &stats::study::Study, lang: Lang) -> String {
    below(&chart::study::charts(study, lang))
}

/// Returns the charts shown below the card of a study of `fathom pts`, as text for the terminal: its course, and the result.
pub fn below_pts(study: &stats::pts::PtsStudy, lang: Lang) -> String {
    let mut charts = chart::pts::charts(study, lang);
    let telling =
        ["-convergence", "-wsat-iops", "-course", "-xsr-throughput", "-intensity", "-by-block-size"];
    charts.retain(|chart| telling.iter().any(|end| chart.id.ends_with(end)));
    "\n".to_string() + &draw(&charts)
}

/// Returns the charts shown below the card of a run or check: throughput and latency, as text for the terminal.
pub fn below_loads(loads: &[stats::Measured], lang: Lang) -> String {
    below(&chart::load::charts(loads, lang))
}

/// Returns the charts shown below a stored answer; empty for answers without charts.
pub fn below_answer(answer: &stats::answer::Answer, lang: Lang) -> String {
    match answer {
        stats::answer::Answer::Characterize(character) => {
            format!("\n{}", draw(&chart::characterize::charts(character, lang)))
        }
        _ => String::new(),
    }
}

fn below(charts: &[Chart]) -> String {
    let telling =
        |c: &&Chart| c.id.ends_with("-iops") || c.id.starts_with("time-iops") || c.id == "bars-latency";
    let few: Vec<Chart> = charts.iter().filter(telling).cloned().collect();
    "\n".to_string() + &draw(&few)
}

/// Returns whether the locale of the environment uses UTF-8.
fn unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    locale.is_some_and(|l| l.to_ascii_lowercase().replace('-', "").contains("utf8"))
}
