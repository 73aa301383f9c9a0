//! The card of a job run: a summary of about 20 lines.

use crate::catalog::{say, word};
use crate::scale::{self, bytes, megabytes, percent, probability, short, time};
use crate::terms::{row_kind, stack};
use crate::words::note::note;
use crate::words::run::job_error;
use crate::{Grid, Lang, fill, findings, fit, lay, layers, left, prose_width, widest, wrap};
use stats::offsets::{self, RegionOffsets, TouchedBasis};
use stats::{JobOutcome, Layers, RunResult};

/// Largest number of rows of figures; further rows are only counted.
const ROWS: usize = 6;
/// Largest number of rows of figures of jobs that each have a target of their own.
const TARGET_ROWS: usize = 24;
/// Largest number of notes shown.
const REMARKS: usize = 4;
/// Largest number of findings shown.
const FINDINGS: usize = 5;
/// Largest number of jobs whose offsets are described.
const OFFSET_JOBS: usize = 4;
/// Width of the label of a finding, columns: `  M22  C`.
const FINDING: usize = 8;

/// Returns a card of about 20 lines, at most `width` columns wide (`usize::MAX`: a file or pipe), newline at the end:
/// figures per job and direction, the storage stack of the targets, whether the layers agree, notes, and what was not
/// measured.
pub fn render(lang: Lang, r: &RunResult, width: usize) -> String {
    let (screen, width) = (width, prose_width(width));
    let mut lines = fill(&label(lang, "fathom"), &title(lang, r), width);
    let entries = r.entries();
    let mut rows: Vec<Vec<String>> = entries.iter().flat_map(|j| rows(lang, j)).collect();
    let all = all_targets(r, &entries);
    let most = if all.is_some() { TARGET_ROWS } else { ROWS };
    let more = rows.len().saturating_sub(most);
    rows.truncate(most);
    if let Some(all) = all {
        let mut sums = self::rows(lang, &all);
        sums.iter_mut().take(1).for_each(|row| row[0] = word!(lang, "card-row-all").into());
        rows.append(&mut sums);
    }
    if !rows.is_empty() {
        let depth = word!(lang, "card-column-queue-depth");
        let head =
            ["", "", "IOPS", "MB/s", "lat p50", "lat p99", "lat max", depth].map(str::to_string).to_vec();
        let shown: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        lines.extend(Grid { keys: 2, to_right: |c| c > 1, gap: 3 }.lines(&shown, screen));
        if more > 0 {
            lines.extend(fill("", &say!(lang, "card-more-rows", n = more), width));
        }
    }
    lines.extend(commits(lang, &entries, width));
    let failed: Vec<&JobOutcome> = entries.iter().filter(|j| j.error.is_some()).collect();
    let label = label(lang, word!(lang, "card-label-failed"));
    for j in &entries {
        if let Some(checked) = j.verification.as_ref().filter(|checked| checked.mismatches() > 0) {
            let (bad, blocks) = (checked.mismatches().to_string(), checked.blocks.to_string());
            let kinds = crate::words::run::damage_kinds(lang, checked);
            lines.extend(fill(&label, &say!(lang, "card-damaged", job = &j.name, bad, blocks, kinds), width));
        }
    }
    for j in failed.iter().take(2) {
        let why = j.error.as_ref().map_or(String::new(), |e| match e.function.as_str() {
            "io_u error" | "" => job_error(lang, e),
            function => format!("{function}: {}", job_error(lang, e)),
        });
        lines.extend(fill(&label, &format!("{}: {why}", j.name), width));
    }
    if let Some(n @ 1..) = failed.len().checked_sub(2) {
        lines.extend(fill(&label, &say!(lang, "card-more-failed-jobs", n), width));
    }
    let seen: Vec<String> =
        layers::chains(lang, &r.layers).into_iter().chain([layers::facts(lang, &r.layers, true)]).collect();
    lines.extend(wrap(&self::label(lang, word!(lang, "card-label-layers")), &seen, width));
    lines.extend(offset_lines(lang, &entries, (screen, width)));
    lines.extend(trust(lang, r, width));
    let notes = r.notes.iter().filter(|n| !n.kind.is_fios());
    let remarks: Vec<String> = notes
        .map(|n| (n, note(lang, &n.fact)))
        .map(|(n, text)| if n.job.is_empty() { text } else { format!("{}: {text}", n.job) })
        .collect();
    let label = self::label(lang, word!(lang, "card-label-note"));
    for text in remarks.iter().take(REMARKS) {
        lines.extend(wrap(&label, std::slice::from_ref(text), width));
    }
    if remarks.len() > REMARKS {
        let n = remarks.len() - REMARKS;
        lines.extend(fill(&self::label(lang, ""), &say!(lang, "card-more-notes", n), width));
    }
    let label = self::label(lang, word!(lang, "card-label-not-measured"));
    lines.extend(wrap(&label, &not_measured(lang, r), width));
    lay(&lines)
}

/// Returns the label of a line, padded to the width of the widest label.
fn label(lang: Lang, word: &str) -> String {
    let all = [
        word!(lang, "card-label-failed"),
        word!(lang, "card-label-commit"),
        word!(lang, "card-label-layers"),
        word!(lang, "card-label-offsets"),
        word!(lang, "card-label-trust"),
        word!(lang, "card-label-note"),
        word!(lang, "card-label-not-measured"),
    ];
    left(word, widest(&all).max(FINDING) + 1)
}

/// Returns the definition of a commit, if a job has commits: its latency is the latency for which an application waits.
fn commits(lang: Lang, entries: &[JobOutcome], width: usize) -> Vec<String> {
    let has_commits = |j: &&JobOutcome| j.commit.moments.n > 0;
    let Some(sync) = entries.iter().find(has_commits).and_then(|j| j.load.access.sync) else {
        return Vec::new();
    };
    // Jobs that keep several writes in flight: the writes before a sync may not have completed when the sync begins.
    let queued = entries.iter().filter(has_commits).any(|j| j.depth.0[1..].iter().any(|n| *n > 0));
    let mut said = say!(lang, "card-commit-meaning", sync);
    if queued {
        said = format!("{said}; {}", word!(lang, "card-commit-queued"));
    }
    fill(&label(lang, word!(lang, "card-label-commit")), &said, width)
}

/// Returns the share of the region that each job touched, and whether its random offsets were uniform. Clones of a
/// job are joined.
fn offset_lines(lang: Lang, entries: &[JobOutcome], (screen, width): (usize, usize)) -> Vec<String> {
    let mut jobs: Vec<(&str, Vec<RegionOffsets>)> = Vec::new();
    for entry in entries.iter().filter(|entry| !entry.offsets.is_empty()) {
        match jobs.iter_mut().find(|(name, _)| *name == entry.name) {
            Some((_, all)) => offsets::merge(all, &entry.offsets),
            None => jobs.push((&entry.name, entry.offsets.clone())),
        }
    }
    let label = label(lang, word!(lang, "card-label-offsets"));
    let several = jobs.len() > 1;
    let mut lines = Vec::new();
    for (name, all) in jobs.iter().take(OFFSET_JOBS) {
        let Some(touched) = offsets::touched(all) else { continue };
        let part = percent(touched.percent);
        let mut said = match touched.basis {
            TouchedBasis::Counted => say!(lang, "card-touched", part),
            TouchedBasis::Expected => say!(lang, "card-touched-expected", part),
            TouchedBasis::AtMost => say!(lang, "card-touched-at-most", part),
        };
        if let Some(tested) = offsets::least_uniform(all).filter(|u| u.chance >= offsets::FALSE_ALARM) {
            let (chance, samples) = (probability(tested.chance), short(tested.samples as f64));
            said = format!("{said}; {}", say!(lang, "card-offsets-uniform", chance, samples));
        }
        let label = if lines.is_empty() { label.clone() } else { self::label(lang, "") };
        let named = || format!("{}: {said}", fit(name, screen / 2));
        lines.extend(fill(&label, &if several { named() } else { said.clone() }, width));
    }
    if let Some(n @ 1..) = jobs.len().checked_sub(OFFSET_JOBS) {
        lines.extend(fill(&self::label(lang, ""), &say!(lang, "card-more-jobs-offsets", n), width));
    }
    lines
}

/// Returns the lines of the grade and the findings that determine the grade, worst first.
fn trust(lang: Lang, r: &RunResult, width: usize) -> Vec<String> {
    let grade = r.grade();
    let label = label(lang, word!(lang, "card-label-trust"));
    let mut lines = fill(&label, &findings::trust(lang, grade), width);
    for finding in r.findings.iter().take(FINDINGS) {
        let (what, next) = (findings::observation(lang, finding), findings::advice(lang, &finding.claim));
        let rule = left(findings::rule(lang, &finding.claim), 4);
        let label = self::label(lang, &format!("  {rule} {} ", finding.claim.grade().letter()));
        let text = if next.is_empty() { what } else { format!("{what}; {next}") };
        lines.extend(fill(&label, &text, width));
    }
    if let Some(n @ 1..) = r.findings.len().checked_sub(FINDINGS) {
        lines.extend(fill(&self::label(lang, ""), &say!(lang, "card-more-findings", n), width));
    }
    lines
}

/// Returns the table of layers, printed below the card.
pub fn layer_table(lang: Lang, r: &RunResult, width: usize) -> String {
    lay(&layers::table(lang, &r.layers, width))
}

fn title(lang: Lang, r: &RunResult) -> String {
    let jobs = r.jobs.len();
    let seconds = scale::seconds(r.layers.wall_ms as f64 / 1000.0);
    let place = place(lang, &r.layers);
    match r.provenance.ended_by_signal {
        Some(signal) => say!(lang, "card-title-ended-by-signal", jobs, seconds, signal, place),
        None => say!(lang, "card-title", jobs, seconds, place),
    }
}

/// Returns the first target, its size and its storage stack: `/data/f, 1.07 GB: ext4 > vda1 (partition) > vda (disk,
/// ssd)`.
fn place(lang: Lang, l: &Layers) -> String {
    let Some(first) = l.targets.first() else {
        return word!(lang, "card-place-none").into();
    };
    let name = match l.targets.len() - 1 {
        0 => first.path.clone(),
        more => say!(lang, "card-place-several", first = first.path, more),
    };
    format!("{name}, {}: {}", bytes(first.size), stack(lang, &first.stack))
}

fn rows(lang: Lang, j: &JobOutcome) -> Vec<Vec<String>> {
    let clones = if j.members > 1 { format!(" x{}", j.members) } else { String::new() };
    let asked = u64::from(j.iodepth) * u64::from(j.members.max(1));
    let reached = j.depth_reached;
    let depth = say!(lang, "card-depth", reached = format!("{reached:.1}"), asked);
    j.rows()
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let quantile = |p| row.latency.percentile(p).map_or("-".to_string(), |ns| time(ns as f64));
            let moments = &row.latency.moments;
            let most = if moments.n > 0 { time(moments.max() as f64) } else { "-".to_string() };
            let first = at == 0;
            vec![
                if first { format!("{}{clones}", j.name) } else { String::new() },
                row_kind(lang, row.kind).to_string(),
                short(row.per_second),
                row.bytes_per_second.map_or("-".into(), megabytes),
                quantile(50.0),
                quantile(99.0),
                most,
                if first { depth.clone() } else { String::new() },
            ]
        })
        .collect()
}

/// Returns the sum of jobs that did the same I/O at the same time, each on a target of its own; `None` for other jobs.
fn all_targets(r: &RunResult, entries: &[JobOutcome]) -> Option<JobOutcome> {
    let (first, others) = entries.split_first().filter(|(_, others)| !others.is_empty())?;
    let mut targets: Vec<&str> = entries.iter().map(|job| job.load.target.as_str()).collect();
    targets.sort_unstable();
    targets.dedup();
    let apart = targets.len() == entries.len() && !targets.contains(&"");
    let alike = others.iter().all(|job| job.load.access == first.load.access);
    let mut sum = first.clone();
    others.iter().for_each(|job| sum.merge(job));
    (apart && alike && r.series.len() == 1).then_some(sum)
}

/// Returns the line that lists what was not measured.
fn not_measured(lang: Lang, r: &RunResult) -> Vec<String> {
    let l = &r.layers;
    if l.targets.is_empty() {
        return vec![word!(lang, "card-not-measured-storage").into()];
    }
    let mut parts = Vec::new();
    let runtime_s = l.wall_ms as f64 / 1000.0;
    let seconds = if runtime_s < 1.0 { scale::seconds(runtime_s) } else { format!("{runtime_s:.0}") };
    if l.app_bytes[1] > 0 && runtime_s < 600.0 {
        parts.push(say!(lang, "card-not-measured-later-writes", seconds));
    } else if runtime_s < 60.0 {
        parts.push(say!(lang, "card-not-measured-later", seconds));
    }
    let untouched = r.least_untouched_bytes();
    if untouched > 0 {
        parts.push(say!(lang, "card-not-measured-rest", left = bytes(untouched)));
    }
    parts.push(word!(lang, "card-not-measured-full-device").into());
    parts
}
