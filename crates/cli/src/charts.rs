//! Charts in the terminal.

use crate::terminal;
use ::report::Lang;
use ::report::chart::{self, Chart};

/// Returns small charts, one below the other, without those of which a reader needs only one.
pub fn draw(charts: &[Chart]) -> String {
    let shown = charts.iter().filter(|c| c.choice.is_none());
    shown.map(|c| chart::terminal::draw(c, terminal::width(), !unicode()) + "\n").collect()
}

/// The few charts that go below the card of a study.
pub fn below_study(study: &stats::study::Study, lang: Lang) -> String {
    below(&chart::study::charts(study, lang))
}

/// Of a run or a check.
pub fn below_loads(loads: &[stats::Measured], lang: Lang) -> String {
    below(&chart::load::charts(loads, lang))
}

fn below(charts: &[Chart]) -> String {
    let telling =
        |c: &&Chart| c.id.ends_with("-iops") || c.id.starts_with("time-iops") || c.id == "bars-latency";
    let few: Vec<Chart> = charts.iter().filter(telling).cloned().collect();
    "\n".to_string() + &draw(&few)
}

/// Whether the terminal's locale has more than ASCII.
fn unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    locale.is_some_and(|l| l.to_ascii_lowercase().replace('-', "").contains("utf8"))
}
