//! Header that the specification requires on every page of a report, and the statement how far a result conforms.

use crate::Lang;
use crate::catalog::say;
use crate::pts_names as names;
use crate::scale::{bytes, short};
use stats::pts::{PtsCacheControl, PtsDeviation, PtsDeviceKind, PtsStudy, PtsTest, PtsTestRun};

/// What a report states that is not in the result.
#[derive(Clone, Debug, Default)]
pub struct Stated {
    /// Person or organisation that carried out the test; empty if not stated.
    pub tested_by: String,
    /// Start of the study as text in the local time zone.
    pub began: String,
    /// Returns a time in milliseconds since the epoch as text in the local time zone.
    pub when: Option<fn(u64) -> String>,
}

/// Returns the facts that stand on every page of these tests of a study: name and value.
pub fn header(study: &PtsStudy, runs: &[&PtsTestRun], stated: &Stated, lang: Lang) -> Vec<(String, String)> {
    let (device, asked) = (&study.device, &study.asked);
    let unknown = || say!(lang, "pts-not-known");
    let known = |text: &str| if text.is_empty() { unknown() } else { text.to_owned() };
    let tested_by =
        if stated.tested_by.is_empty() { say!(lang, "pts-not-stated") } else { stated.tested_by.clone() };
    let kind = match device.attachment.as_str() {
        "" => names::device_kind(lang, device.kind),
        attachment => format!("{}, {attachment}", names::device_kind(lang, device.kind)),
    };
    let name = match device.backing_file() {
        Some(file) => format!("{} ({file})", device.name),
        None => device.name.clone(),
    };
    let seconds = runs.iter().map(|run| run.ended_ms.saturating_sub(run.began_ms) as f64 / 1e3).sum();
    let tests: Vec<&str> = runs.iter().map(|run| run.test.name()).collect();
    let host = [&study.host.name, &study.host.kernel].map(String::as_str);
    let host: Vec<&str> = host.into_iter().filter(|text| !text.is_empty()).collect();
    // What fills several lines stands with each test.
    let once = |of: &dyn Fn(&PtsTestRun) -> String| match runs {
        [run] => of(run),
        _ => say!(lang, "pts-see-each-test"),
    };
    let mut facts = vec![
        (say!(lang, "pts-header-date"), date(study, runs, stated)),
        (say!(lang, "pts-header-duration"), duration(lang, seconds)),
        (say!(lang, "pts-header-tested-by"), tested_by),
        (say!(lang, "pts-header-device"), known(&device.model)),
        (say!(lang, "pts-header-name"), name),
        (say!(lang, "pts-header-serial"), known(device.serial().unwrap_or_default())),
        (say!(lang, "pts-header-firmware"), known(&device.firmware)),
        (say!(lang, "pts-header-capacity"), bytes(device.bytes)),
        (say!(lang, "pts-header-kind"), kind),
        (say!(lang, "pts-header-class"), format!("SSS PTS 2.0.2, {}", names::class(asked.class))),
        (say!(lang, "pts-header-tests"), tests.join(", ")),
        (say!(lang, "pts-header-purge"), by_run(runs, |run| purge(run, lang))),
        (say!(lang, "pts-header-wipc"), by_run(runs, |run| fill(run.test, lang))),
        (say!(lang, "pts-header-wdpc"), once(&|run| steady(run, lang))),
        (say!(lang, "pts-header-cache"), by_run(runs, |run| cache(run, lang))),
        (say!(lang, "pts-header-range"), by_run(runs, |run| range(study, run, lang))),
        (say!(lang, "pts-header-segments"), say!(lang, "pts-one-segment")),
        (
            say!(lang, "pts-header-demand"),
            by_run(runs, |run| {
                let outstanding = run.threads.saturating_mul(run.depth);
                format!("{} / {} / {outstanding}", run.threads, run.depth)
            }),
        ),
        (say!(lang, "pts-header-pattern"), say!(lang, "pts-random-data")),
        (say!(lang, "pts-header-sequence"), once(&|run| sequence(study, run.test, lang))),
        (say!(lang, "pts-header-idle"), by_run(runs, |run| format!("{} s", short(run.longest_gap_s)))),
        (say!(lang, "pts-header-written"), by_run(runs, |run| bytes(run.written))),
    ];
    let celsius = runs.iter().filter_map(|run| run.celsius);
    let celsius = celsius.reduce(|[low, high], [least, most]| [f64::min(low, least), f64::max(high, most)]);
    if let Some([low, high]) = celsius {
        facts.push((say!(lang, "pts-header-celsius"), format!("{low:.0} - {high:.0} °C")));
    }
    facts.extend([
        (say!(lang, "pts-header-host"), known(&host.join(", Linux "))),
        (say!(lang, "pts-header-tool"), format!("fathom {}, ioengine={}", study.version, asked.engine)),
    ]);
    if asked.scale > 1 {
        facts.push((say!(lang, "pts-header-scale"), format!("1/{}", asked.scale)));
    }
    facts
}

/// Returns the start and the end of the tests; of a simulated device, whose clock is its own, the start of the study.
fn date(study: &PtsStudy, runs: &[&PtsTestRun], stated: &Stated) -> String {
    let ends = [runs.iter().map(|run| run.began_ms).min(), runs.iter().map(|run| run.ended_ms).max()];
    match (stated.when, ends) {
        (Some(when), [Some(began), Some(ended)]) if study.device.kind != PtsDeviceKind::Simulated => {
            format!("{} - {}", when(began), when(ended))
        }
        _ => stated.began.clone(),
    }
}

/// Returns the reservation about these tests of a study that stands on every page; empty if every test conforms, is
/// complete and achieved its steady state.
pub fn statement(runs: &[&PtsTestRun], lang: Lang) -> String {
    let mut reasons: Vec<(&PtsDeviation, Vec<PtsTest>)> = Vec::new();
    for run in runs {
        for deviation in &run.deviations {
            match reasons.iter_mut().find(|(known, _)| *known == deviation) {
                Some((_, tests)) => tests.push(run.test),
                None => reasons.push((deviation, vec![run.test])),
            }
        }
    }
    let names = |tests: &[PtsTest]| tests.iter().map(|test| test.name()).collect::<Vec<_>>().join(", ");
    let reason = |(deviation, tests): &(&PtsDeviation, Vec<PtsTest>)| {
        let text = names::deviation(lang, deviation);
        if tests.len() == runs.len() { text } else { format!("{text} ({})", names(tests)) }
    };
    let mut sentences = Vec::new();
    if !reasons.is_empty() {
        let list: Vec<String> = reasons.iter().map(reason).collect();
        sentences.push(say!(lang, "pts-derived", reasons = list.join("; ")));
    }
    let not_steady: Vec<String> = runs.iter().filter_map(|run| not_steady(run, lang)).collect();
    if !not_steady.is_empty() {
        sentences.push(say!(lang, "pts-not-steady", tests = not_steady.join(", ")));
    }
    if runs.iter().any(|run| !run.complete) {
        sentences.push(say!(lang, "pts-unfinished"));
    }
    sentences.join(" ")
}

/// Returns the name of a test with the parts that are not in steady state; `None` if all are.
fn not_steady(run: &PtsTestRun, lang: Lang) -> Option<String> {
    let failed = run.result.steady_parts().into_iter().filter(|(_, steady)| !steady.met());
    let mut parts: Vec<Option<String>> = failed.map(|(part, _)| names::steady_part(lang, part)).collect();
    parts.dedup();
    let test = run.test.name();
    match parts.into_iter().collect::<Option<Vec<String>>>() {
        Some(parts) if parts.is_empty() => None,
        Some(parts) => Some(format!("{test} ({})", parts.join(", "))),
        None => Some(test.to_owned()),
    }
}

/// Returns the reservation about a whole study.
pub fn statement_of(study: &PtsStudy, lang: Lang) -> String {
    let runs: Vec<&PtsTestRun> = study.runs.iter().collect();
    let tests = statement(&runs, lang);
    // A test that has not begun is missing, too.
    let missing = !study.complete && runs.iter().all(|run| run.complete);
    if missing { format!("{tests} {}", say!(lang, "pts-unfinished")).trim_start().to_owned() } else { tests }
}

/// Returns a fact of all tests: once if all have the same, otherwise with the names of the tests.
fn by_run(runs: &[&PtsTestRun], of: impl Fn(&PtsTestRun) -> String) -> String {
    let mut values: Vec<(String, Vec<&str>)> = Vec::new();
    for run in runs {
        let value = of(run);
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, tests)) => tests.push(run.test.name()),
            None => values.push((value, vec![run.test.name()])),
        }
    }
    match &values[..] {
        [(value, _)] => value.clone(),
        several => {
            let one = |(value, tests): &(String, Vec<&str>)| format!("{}: {value}", tests.join(", "));
            several.iter().map(one).collect::<Vec<_>>().join("; ")
        }
    }
}

fn purge(run: &PtsTestRun, lang: Lang) -> String {
    let mut methods: Vec<String> = Vec::new();
    for purge in &run.purges {
        let name = names::purge(lang, purge.method);
        if !methods.contains(&name) {
            methods.push(name);
        }
    }
    if methods.is_empty() { say!(lang, "pts-purge-none") } else { methods.join(", ") }
}

/// Returns the preconditioning that does not depend on the workload.
fn fill(test: PtsTest, lang: Lang) -> String {
    match test {
        PtsTest::Wsat | PtsTest::Hir | PtsTest::Xsr => say!(lang, "pts-wipc-none"),
        PtsTest::HddIops | PtsTest::HddThroughput => say!(lang, "pts-wipc-none"),
        PtsTest::Throughput => say!(lang, "pts-wipc-own-size"),
        PtsTest::Iops | PtsTest::Latency | PtsTest::Cbw | PtsTest::Dirth => say!(lang, "pts-wipc"),
    }
}

/// Returns the rounds of the measurement window, and whether they are in steady state.
fn steady(run: &PtsTestRun, lang: Lang) -> String {
    let state = |steady: &stats::pts::PtsSteady| match (steady.met_at, steady.window) {
        (Some(_), Some([first, last])) => {
            say!(lang, "pts-steady-rounds", first = first.to_string(), last = last.to_string())
        }
        (None, Some([first, last])) if steady.early.is_some() => {
            let percent = steady.early.as_ref().map_or(0.0, |early| early.half_width_percent());
            let percent = crate::scale::short(percent);
            say!(lang, "pts-early-rounds", first = first.to_string(), last = last.to_string(), percent)
        }
        (None, Some([first, last])) => {
            say!(lang, "pts-last-rounds", first = first.to_string(), last = last.to_string())
        }
        _ => say!(lang, "pts-no-window"),
    };
    let of = |(part, steady)| match names::steady_part(lang, part) {
        Some(part) => format!("{part}: {}", state(steady)),
        None => state(steady),
    };
    let states: Vec<String> = run.result.steady_parts().into_iter().map(of).collect();
    if states.is_empty() { say!(lang, "pts-fixed-course") } else { states.join("; ") }
}

fn cache(run: &PtsTestRun, lang: Lang) -> String {
    let Some(cache) = run.write_cache else { return say!(lang, "pts-not-known") };
    let state = match cache.during {
        Some(true) => "WCE".to_owned(),
        Some(false) => "WCD".to_owned(),
        None => say!(lang, "pts-not-known"),
    };
    let source = names::cache_control(lang, cache.control);
    match (cache.control, cache.during) {
        // The setting of the queue says nothing about the device.
        (PtsCacheControl::Kernel, Some(_)) => say!(lang, "pts-cache-assumed", state, source),
        _ => format!("{state} ({source})"),
    }
}

fn range(study: &PtsStudy, run: &PtsTestRun, lang: Lang) -> String {
    let percent = crate::scale::percent(study.asked.active_range_percent);
    say!(lang, "pts-range", percent, size = bytes(run.active_range))
}

/// Returns the order of the stimuli.
fn sequence(study: &PtsStudy, test: PtsTest, lang: Lang) -> String {
    match test {
        PtsTest::Iops => say!(lang, "pts-sequence-iops"),
        PtsTest::Throughput => say!(lang, "pts-sequence-throughput"),
        PtsTest::Latency => say!(lang, "pts-sequence-latency"),
        PtsTest::Wsat => say!(lang, "pts-sequence-wsat"),
        PtsTest::Hir => say!(lang, "pts-sequence-hir"),
        PtsTest::Xsr => say!(lang, "pts-sequence-xsr"),
        PtsTest::Cbw => say!(lang, "pts-sequence-cbw"),
        PtsTest::HddIops => say!(lang, "pts-sequence-hdd-iops"),
        PtsTest::HddThroughput => say!(lang, "pts-sequence-hdd-throughput"),
        PtsTest::Dirth => {
            let load = format!(
                "RND {} {}",
                crate::labels::block(study.asked.demand_block),
                names::mix(study.asked.demand_reads)
            );
            say!(lang, "pts-sequence-dirth", load)
        }
    }
}

/// Returns a duration in hours and minutes, below an hour in minutes and seconds.
fn duration(lang: Lang, seconds: f64) -> String {
    let whole = seconds.round() as u64;
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 {
        say!(lang, "pts-hours", hours = hours.to_string(), minutes = minutes.to_string())
    } else {
        say!(lang, "pts-minutes", minutes = minutes.to_string(), seconds = rest.to_string())
    }
}
