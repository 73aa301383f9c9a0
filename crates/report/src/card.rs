//! The card of a job run: what a person reads in ten seconds.

use crate::scale::{bytes, megabytes, short, time};
use crate::{fill, fit, layers, prose, wrap};
use stats::{JobOutcome, Layers, RunResult, note::NoteKind};

/// Rows of figures before the rest is only counted.
const ROWS: usize = 6;
/// Notes shown.
const REMARKS: usize = 4;
/// Findings shown.
const FINDINGS: usize = 5;

/// A card of at most about 20 lines of `width` columns, newline at the end: figures per job and direction, what lies
/// under the targets, whether the layers agree, notes, and what the result does not tell.
pub fn render(r: &RunResult, width: usize) -> String {
    let mut lines = vec![title(r)];
    let entries = r.entries();
    let rows: Vec<[String; 8]> = entries.iter().flat_map(rows).collect();
    if !rows.is_empty() {
        let head = ["", "", "IOPS", "MB/s", "p50", "p99", "max", "depth reached"].map(str::to_string);
        let shown: Vec<[String; 8]> = std::iter::once(head).chain(rows.iter().take(ROWS).cloned()).collect();
        lines.extend(table(&shown));
        if rows.len() > ROWS {
            lines.push(format!("... and {} more (--output-format=json has all)", rows.len() - ROWS));
        }
    }
    let failed: Vec<&JobOutcome> = entries.iter().filter(|j| j.error.is_some()).collect();
    for j in failed.iter().take(2) {
        let why = j.error.as_ref().map_or(String::new(), |e| match e.function.as_str() {
            "io_u error" | "" => e.text.clone(),
            function => format!("{function}: {}", e.text),
        });
        lines.push(format!("failed   {}: {why}", j.name));
    }
    if failed.len() > 2 {
        lines.push(format!("failed   ... and {} more jobs", failed.len() - 2));
    }
    let seen: Vec<String> =
        layers::chains(&r.layers).into_iter().chain([layers::facts(&r.layers, true)]).collect();
    lines.extend(wrap("layers   ", &seen, width));
    lines.extend(believe(r, width));
    let notes = r.notes.iter().filter(|n| n.kind != NoteKind::Fio);
    let notes = notes.map(|n| {
        ("note     ", if n.job.is_empty() { n.text.clone() } else { format!("{}: {}", n.job, n.text) })
    });
    let remarks: Vec<_> = notes.collect();
    for (label, text) in remarks.iter().take(REMARKS) {
        lines.extend(wrap(label, std::slice::from_ref(text), width));
    }
    if remarks.len() > REMARKS {
        lines.push(format!(
            "         ... and {} more (--output-format=json has all)",
            remarks.len() - REMARKS
        ));
    }
    lines.push(format!("not said {}", unsaid(r)));
    lines.iter().map(|l| fit(l.trim_end(), width) + "\n").collect()
}

/// The grade, and why: worst first.
fn believe(r: &RunResult, width: usize) -> Vec<String> {
    let grade = r.grade();
    let mut lines = vec![format!("believe  {}: {}", grade.letter(), prose::grade(grade))];
    for finding in r.findings.iter().take(FINDINGS) {
        let (what, next) = prose::words(&finding.claim);
        let job = if finding.job.is_empty() { String::new() } else { format!("{}: ", finding.job) };
        let label = format!("  {:<4} {} ", finding.claim.rule(), finding.claim.grade().letter());
        let text = if next.is_empty() { format!("{job}{what}") } else { format!("{job}{what}; {next}") };
        lines.extend(fill(&label, &text, width));
    }
    if r.findings.len() > FINDINGS {
        lines.push(format!("         ... and {} more (--json has all)", r.findings.len() - FINDINGS));
    }
    lines
}

/// The table of layers, below the card.
pub fn layer_table(r: &RunResult, width: usize) -> String {
    layers::table(&r.layers, width).iter().map(|l| fit(l.trim_end(), width) + "\n").collect()
}

fn title(r: &RunResult) -> String {
    let jobs = r.jobs.len();
    let plural = if jobs == 1 { "" } else { "s" };
    let ended =
        r.provenance.ended_by_signal.map_or(String::new(), |s| format!(", ended early by signal {s}"));
    let seconds = r.layers.wall_ms as f64 / 1000.0;
    format!("fathom   {jobs} job{plural}, {seconds:.1} s{ended}; {}", place(&r.layers))
}

/// `/data/f, 1.07 GB: ext4 > vda1 (partition) > vda (disk, ssd)`.
fn place(l: &Layers) -> String {
    let Some(first) = l.targets.first() else { return "no file or device was involved".to_string() };
    let more = match l.targets.len() {
        1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    format!("{}{more}, {}: {}", first.path, bytes(first.size), stack(&first.stack))
}

/// Layers from the top down.
pub(crate) fn stack(layers: &[String]) -> String {
    if layers.is_empty() { "no block device is known under it".to_string() } else { layers.join(" > ") }
}

fn rows(j: &JobOutcome) -> Vec<[String; 8]> {
    let clones = if j.members > 1 { format!(" x{}", j.members) } else { String::new() };
    let asked = u64::from(j.iodepth) * u64::from(j.members.max(1));
    let working = ["read", "write", "trim"].iter().zip(&j.directions).filter(|(_, d)| d.issued > 0);
    working
        .enumerate()
        .map(|(at, (name, d))| {
            let quantile = |p| d.lat.histogram.quantile(p).map_or("-".to_string(), |ns| time(ns as f64));
            let most = if d.lat.moments.n > 0 { time(d.lat.moments.max() as f64) } else { "-".to_string() };
            let first = at == 0;
            [
                if first { format!("{}{clones}", fit(&j.name, 24)) } else { String::new() },
                name.to_string(),
                short(d.iops()),
                megabytes(d.bytes_per_second()),
                quantile(50.0),
                quantile(99.0),
                most,
                if first { format!("{:.1} of {asked}", j.depth_reached) } else { String::new() },
            ]
        })
        .collect()
}

/// Columns as wide as their widest cell; the first two to the left, figures to the right.
fn table(rows: &[[String; 8]]) -> Vec<String> {
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    let cell = |c: usize, text: &str| {
        if c < 2 { format!("{text:<0$}", widths[c]) } else { format!("{text:>0$}", widths[c]) }
    };
    rows.iter()
        .map(|row| row.iter().enumerate().map(|(c, text)| cell(c, text)).collect::<Vec<_>>().join("   "))
        .collect()
}

/// What nobody should read into the figures.
fn unsaid(r: &RunResult) -> String {
    let l = &r.layers;
    if l.targets.is_empty() {
        return "anything about storage: this measured the generator alone".to_string();
    }
    let mut parts = Vec::new();
    let seconds = l.wall_ms as f64 / 1000.0;
    if l.app_bytes[1] > 0 && seconds < 600.0 {
        parts.push(format!("how writes go on after {seconds:.0} s"));
    } else if seconds < 60.0 {
        parts.push(format!("how it goes on after {seconds:.0} s"));
    }
    let (moved, size) =
        (l.app_bytes.iter().sum::<u64>(), l.targets.iter().fold(0u64, |sum, t| sum.saturating_add(t.size)));
    if moved < size {
        parts.push(format!("the {} that were not touched", bytes(size - moved)));
    }
    parts.push("a full device".to_string());
    parts.join("; ")
}
