//! `fathom compare`: compares results with a baseline, with confidence intervals and a verdict per metric.

use crate::output::print;
use crate::source::{self, Source, What};
use crate::stored::StoreChoice;
use crate::terminal;
use report::pts::compare as pts_words;
use report::{Lang, compare as words, export};
use stats::comparison::{Comparison, Side, compare_with};
use stats::pts::PtsStudy;
use stats::pts::comparison::{self, PtsComparison};
use stats::{Measured, StoredId};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Exit status if a metric is worse than the baseline by more than `--fail-if-slower`.
const SLOWER: i32 = 4;
/// Exit status if no metric is certainly too slow, but the data cannot exclude this for some metric.
const UNTOLD: i32 = 6;
/// Largest number of stored runs of the same job (the newest) used to estimate the variation between runs.
const HISTORY: usize = 50;

/// Compare results: which differences are real?
///
/// Conditions that differ come first, then the ratio of each metric with its confidence interval.
#[derive(clap::Args)]
pub struct Arguments {
    /// Stored results (R7, S12) or files: JSON that fathom exported, fio's JSON, directories of them. The first is the
    /// baseline. A comma-separated list (R7,R8,R9) is one side with several runs of the same job
    #[arg(required = true, num_args = 2.., value_name = "ID|FILE")]
    sides: Vec<String>,
    /// Exit with status 4 if a rate or latency is worse than the baseline by more than this, and with status 6 if the
    /// data cannot exclude that for some metric
    #[arg(long, value_name = "PERCENT%", value_parser = percent)]
    fail_if_slower: Option<f64>,
    /// Compare even if the conditions of the measurements differ
    #[arg(long)]
    anyway: bool,
    /// Print Markdown tables
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Read this store instead of your own
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    number.ok().filter(|n| (0.0..=1000.0).contains(n)).ok_or_else(|| "a share like 5% is wanted".to_string())
}

/// Runs `fathom compare` and returns the exit status: 1 if a source cannot be read or the conditions of the
/// measurements differ, [`SLOWER`] and [`UNTOLD`] with `--fail-if-slower`.
pub fn main(a: &Arguments, lang: Lang) -> i32 {
    let keep = StoreChoice::of_switches(a.store.clone(), false);
    match tests(a, &keep, lang) {
        Ok(None) => {}
        Ok(Some(found)) => return of_tests(a, &found, lang),
        Err(why) => {
            eprintln!("fathom compare: {why}");
            return 1;
        }
    }
    let sides = match sides(&a.sides, &keep, lang) {
        Ok(sides) => sides,
        Err(e) => {
            eprintln!("fathom compare: {e}");
            return 1;
        }
    };
    let Some((first, others)) = sides.split_first() else { return 2 };
    let history = history(&a.sides, &keep, lang);
    let found: Vec<Comparison> =
        others.iter().map(|other| compare_with(first, other, &history, a.anyway)).collect();
    if a.json {
        print(&export::json(&found));
    } else {
        let shown = found.iter().filter(|c| !c.is_refused());
        let texts: Vec<String> = if a.markdown {
            shown.map(|c| words::markdown(c, lang)).collect()
        } else {
            shown.map(|c| words::render(c, lang, terminal::width())).collect()
        };
        print(&texts.join("\n"));
    }
    let mut status = 0;
    for c in &found {
        if c.is_refused() {
            eprintln!("fathom compare: {}", words::refusal(c, lang));
            status = status.max(1);
        } else if let Some(bound) = a.fail_if_slower {
            if let Some(line) = words::slower(c, bound, lang) {
                eprintln!("fathom compare: {line}");
                status = SLOWER;
            } else if let Some(line) = words::untold(c, bound, lang) {
                eprintln!("fathom compare: {line}");
                if status == 0 {
                    status = UNTOLD;
                }
            }
        }
    }
    status
}

/// Returns the comparisons of studies of `fathom pts`, each with the first; `None` if the results are not such studies.
fn tests(a: &Arguments, keep: &StoreChoice, lang: Lang) -> Result<Option<Vec<PtsComparison>>, String> {
    let found: Vec<Option<Box<PtsStudy>>> = a.sides.iter().map(|name| source::pts(name, keep)).collect();
    if found.iter().all(Option::is_none) {
        return Ok(None);
    }
    let named = a.sides.iter().zip(&found);
    let studies: Vec<(&str, &PtsStudy)> =
        named.filter_map(|(name, study)| Some((name.as_str(), study.as_deref()?))).collect();
    match studies.split_first() {
        Some((base, others)) if studies.len() == a.sides.len() => {
            Ok(Some(others.iter().map(|other| comparison::compare(*base, *other, a.anyway)).collect()))
        }
        _ => Err(pts_words::other_kind(lang)),
    }
}

/// Prints the comparisons of studies of `fathom pts` and returns the exit status.
fn of_tests(a: &Arguments, found: &[PtsComparison], lang: Lang) -> i32 {
    if a.json {
        print(&export::json(&found));
    } else {
        let shown = found.iter().filter(|c| !c.is_refused());
        let texts: Vec<String> = if a.markdown {
            shown.map(|c| pts_words::markdown(c, lang)).collect()
        } else {
            shown.map(|c| pts_words::render(c, lang, terminal::width())).collect()
        };
        print(&texts.join("\n"));
    }
    let mut status = 0;
    for c in found {
        if c.is_refused() {
            eprintln!("fathom compare: {}", pts_words::refusal(c, lang));
            status = status.max(1);
        } else if let Some(bound) = a.fail_if_slower {
            if let Some(line) = pts_words::slower(c, bound, lang) {
                eprintln!("fathom compare: {line}");
                status = SLOWER;
            } else if let Some(line) = pts_words::untold(c, bound, lang) {
                eprintln!("fathom compare: {line}");
                if status == 0 {
                    status = UNTOLD;
                }
            }
        }
    }
    status
}

/// Returns the loads of stored runs that have the same command line as a compared run; the comparison uses those of the
/// same load. They only narrow or widen intervals, so runs that cannot be read are skipped.
fn history(names: &[String], keep: &StoreChoice, lang: Lang) -> Vec<Measured> {
    let ids: Vec<StoredId> =
        names.iter().flat_map(|name| name.split(',')).filter_map(|n| n.parse().ok()).collect();
    if ids.is_empty() {
        return Vec::new();
    }
    let runs = keep.open().ok().and_then(|store| store.repeats(&ids, HISTORY).ok());
    let others: Vec<String> = runs.unwrap_or_default().iter().map(ToString::to_string).collect();
    let read = others.iter().filter_map(|name| source::read(std::slice::from_ref(name), keep, lang).ok());
    read.flatten().flat_map(|source| source.loads()).collect()
}

/// Reads one side of the comparison per name; a comma-separated list of results is one side with several runs.
fn sides(names: &[String], keep: &StoreChoice, lang: Lang) -> Result<Vec<Side>, String> {
    let side = |name: &String| {
        let parts: Vec<String> = if Path::new(name).exists() {
            vec![name.clone()]
        } else {
            name.split(',').filter(|part| !part.is_empty()).map(String::from).collect()
        };
        // A run that is named twice would count as two independent measurements.
        let same = |part: &String| std::fs::canonicalize(part).unwrap_or_else(|_| part.into());
        let repeated =
            (1..parts.len()).find(|at| parts[..*at].iter().any(|part| same(part) == same(&parts[*at])));
        if let Some(at) = repeated {
            return Err(format!("{name}: {} is named twice: name each run of a side once", parts[at]));
        }
        let sources = source::read(&parts, keep, lang).map_err(|why| refusal(&parts, why, lang))?;
        let answer = |source: &Source| match &source.what {
            What::Answer(answer) => Some(words::answer_named(&source.name, answer, lang)),
            _ => None,
        };
        if let Some(why) = sources.iter().find_map(answer) {
            return Err(why);
        }
        let loads: Vec<_> = sources.iter().flat_map(Source::loads).collect();
        if loads.is_empty() {
            return Err(format!("{name}: nothing was measured in it"));
        }
        Ok(Side { name: name.clone(), loads })
    };
    names.iter().map(side).collect()
}

/// Returns why a side cannot be read: `why`, with what the command takes if the side is a file that is no result. Devices
/// and directories without results are targets, which have to be measured first.
fn refusal(parts: &[String], why: String, lang: Lang) -> String {
    let kind = |part: &String| std::fs::metadata(part).ok().map(|about| about.file_type());
    let device = |part: &&String| kind(part).is_some_and(|k| k.is_block_device() || k.is_char_device());
    let directory = |part: &&String| kind(part).is_some_and(|k| k.is_dir());
    if let Some(part) = parts.iter().find(device) {
        return words::target_named(part, true, lang);
    }
    match parts {
        [part] if directory(&part) => words::target_named(part, false, lang),
        [part] if kind(part).is_some() => format!("{why}. {}", words::takes(lang)),
        _ => why,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_bound_is_a_share() {
        let read = |text| super::percent(text).ok();
        assert_eq!([read("5%"), read("2.5"), read("0 %")], [Some(5.0), Some(2.5), Some(0.0)]);
        assert_eq!([read("-1%"), read("much"), read("nan"), read("inf%")], [None; 4]);
    }
}
