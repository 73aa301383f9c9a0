//! The card of `fathom files`, its plan and its errors.

use crate::catalog::{say, word};
use crate::hosts::HostRates;
use crate::scale::{self, bytes, percent, short, time};
use crate::terms::stack;
use crate::words::lab::{self, would_not_begin};
use crate::{Grid, Lang, export, fill, findings, lay, left, prose_width, widest};
use ::lab::files::{FilesError, Leftover, Prepared};
use ::run::job_error::errno_text;
use stats::Grade;
use stats::files::{
    Durability, FilesAsked, FilesCard, FilesCaveat, FilesEnd, FilesMount, FilesPhase, FilesPhaseResult,
};
use stats::hosts::HostOutcome;

/// Returns the card in lines of at most `width` columns, newline at the end.
pub fn render(lang: Lang, card: &FilesCard, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = fill("", &format!("{}  {}", card.target, stack(lang, &card.stack)), width);
    if !card.mount.options.is_empty() {
        lines.extend(fill("", &mounted(lang, &card.mount), width));
    }
    let seconds = scale::seconds(card.seconds);
    let shape = shape(lang, &card.asked, card.directories, card.files_per_worker);
    let iterations = say!(lang, "files-iterations", iterations = card.iterations.to_string(), seconds);
    lines.extend(fill("", &format!("{shape}; {iterations}"), width));
    if !card.hosts.is_empty() {
        lines.extend(hosts_table(lang, card, width));
    }
    if !card.phases.is_empty() {
        lines.push(String::new());
        lines.extend(table(lang, &card.phases, width));
        lines.push(String::new());
    }
    let rows = rows(lang, card);
    let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    let column = widest(&names) + 2;
    for (name, text) in &rows {
        lines.extend(fill(&left(name, column), text, width));
    }
    lay(&lines)
}

/// The card with its grade.
#[derive(serde::Serialize)]
struct FilesDocument<'a> {
    grade: Grade,
    #[serde(flatten)]
    card: &'a FilesCard,
}

/// Returns the result as one JSON document, newline at the end.
pub fn json(card: &FilesCard) -> String {
    export::json(&FilesDocument { grade: card.grade(), card })
}

fn mounted(lang: Lang, mount: &FilesMount) -> String {
    say!(lang, "files-mounted", at = mount.at.as_str(), options = mount.options.join(", "))
}

/// Returns trees, workers and files in one line.
fn shape(lang: Lang, asked: &FilesAsked, directories: u64, files: u64) -> String {
    let (workers, trees) = (asked.workers.to_string(), asked.trees().to_string());
    let (directories, files) = (directories.to_string(), files.to_string());
    let size = bytes(asked.bytes);
    say!(lang, "files-shape", workers, trees, directories, files, size)
}

fn table(lang: Lang, phases: &[FilesPhaseResult], width: usize) -> Vec<String> {
    let head = [
        word!(lang, "files-column-phase"),
        word!(lang, "files-column-rate"),
        word!(lang, "files-column-interval"),
        word!(lang, "files-column-min"),
        word!(lang, "files-column-max"),
        word!(lang, "files-column-stddev"),
        word!(lang, "files-column-p50"),
        word!(lang, "files-column-p99"),
        word!(lang, "files-column-p999"),
        word!(lang, "files-column-latency-max"),
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let nanos = |nanos: Option<u64>| nanos.map_or("-".to_owned(), |nanos| time(nanos as f64));
    for result in phases {
        let known = result.rate.is_known();
        rows.push(vec![
            phase(lang, result.phase).to_owned(),
            short(result.rate.value),
            if known { format!("±{}", percent(result.rate.half_percent())) } else { "-".to_owned() },
            short(result.rate_min),
            short(result.rate_max),
            if known { short(result.rate_stddev) } else { "-".to_owned() },
            nanos(result.p50_ns),
            nanos(result.p99_ns),
            nanos(result.p999_ns),
            time(result.max_ns as f64),
        ]);
    }
    Grid { keys: 1, to_right: |column| column > 0, gap: 2 }.lines(&rows, width)
}

/// Returns the lines about the hosts of a sum.
fn hosts_table(lang: Lang, card: &FilesCard, width: usize) -> Vec<String> {
    let phases: Vec<FilesPhase> = card.phases.iter().map(|result| result.phase).collect();
    HostRates {
        hosts: &card.hosts,
        together: card,
        columns: phases.iter().map(|of| phase(lang, *of)).collect(),
        rate: &|card, column| Some(card.phase(*phases.get(column)?)?.rate.value),
        fairness: &|column| card.fairness(*phases.get(column)?),
        grade: &FilesCard::grade,
    }
    .lines(lang, width)
}

fn rows(lang: Lang, card: &FilesCard) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let found = |phase| card.phases.iter().find(|result| result.phase == phase && result.seconds > 0.0);
    let mut data = Vec::new();
    for kind in [FilesPhase::Create, FilesPhase::Write, FilesPhase::Read] {
        if let Some(result) = found(kind).filter(|result| result.bytes > 0) {
            let rate = format!("{}/s", bytes((result.bytes as f64 / result.seconds) as u64));
            data.push(say!(lang, "files-data", phase = phase(lang, kind), rate));
        }
    }
    for kind in [FilesPhase::List, FilesPhase::ListStat] {
        if let Some(result) = found(kind) {
            let rate = short(result.entries as f64 / result.seconds);
            data.push(say!(lang, "files-entries", phase = phase(lang, kind), rate));
        }
    }
    if !data.is_empty() {
        rows.push((word!(lang, "files-label-also"), data.join("; ")));
    }
    let cut: Vec<&str> =
        card.phases.iter().filter(|result| result.cut > 0).map(|result| phase(lang, result.phase)).collect();
    if !cut.is_empty() {
        rows.push((word!(lang, "files-label-cut"), say!(lang, "files-cut", phases = cut.join(", "))));
    }
    let durable = match card.durability {
        Durability::Synced => Some(word!(lang, "files-synced")),
        Durability::SyncMount => Some(word!(lang, "files-sync-mount")),
        _ => None,
    };
    rows.extend(durable.map(|text| (word!(lang, "files-label-durable"), text.to_owned())));
    let of_host = |host: &HostOutcome<FilesCard>| {
        let ended = host.result.as_ref()?.ended.as_ref()?;
        Some(format!("{}: {}", host.name, early_end(lang, ended)))
    };
    let own = card.ended.as_ref().filter(|_| card.hosts.is_empty()).map(|ended| early_end(lang, ended));
    let ends = own.into_iter().chain(card.hosts.iter().filter_map(of_host));
    rows.extend(ends.map(|text| (word!(lang, "files-label-ended"), text)));
    if let Some(path) = &card.kept {
        let text = match card.ended {
            Some(FilesEnd::Stuck { .. }) => say!(lang, "files-left", path),
            _ => path.clone(),
        };
        rows.push((word!(lang, "files-label-kept"), text));
    }
    if !card.foreign.is_empty() {
        let text = say!(lang, "files-foreign", names = card.foreign.join(", "));
        rows.push((word!(lang, "files-label-kept"), text));
    }
    rows.push((word!(lang, "card-label-trust"), findings::trust(lang, card.grade())));
    rows.extend(card.caveats.iter().map(|found| ("", caveat(lang, found))));
    if card.phases.iter().any(|result| result.rate.is_known()) {
        rows.push(("", word!(lang, "files-intervals").to_owned()));
    }
    rows
}

/// Returns the name of a phase.
pub fn phase(lang: Lang, phase: FilesPhase) -> &'static str {
    match phase {
        FilesPhase::TreeCreate => word!(lang, "files-phase-tree-create"),
        FilesPhase::DirCreate => word!(lang, "files-phase-dir-create"),
        FilesPhase::DirStat => word!(lang, "files-phase-dir-stat"),
        FilesPhase::DirRename => word!(lang, "files-phase-dir-rename"),
        FilesPhase::DirRemove => word!(lang, "files-phase-dir-remove"),
        FilesPhase::Create => word!(lang, "files-phase-create"),
        FilesPhase::Write => word!(lang, "files-phase-write"),
        FilesPhase::Stat => word!(lang, "files-phase-stat"),
        FilesPhase::Read => word!(lang, "files-phase-read"),
        FilesPhase::Rename => word!(lang, "files-phase-rename"),
        FilesPhase::List => word!(lang, "files-phase-list"),
        FilesPhase::ListStat => word!(lang, "files-phase-list-stat"),
        FilesPhase::Remove => word!(lang, "files-phase-remove"),
        FilesPhase::TreeRemove => word!(lang, "files-phase-tree-remove"),
    }
}

/// Returns what limits the meaning of the figures, and what to do.
pub fn caveat(lang: Lang, caveat: &FilesCaveat) -> String {
    let letter = caveat.grade().letter();
    let text = match caveat {
        FilesCaveat::Memory { file_system } => say!(lang, "files-memory", file_system),
        FilesCaveat::ClientCaches { phases, network, shifted } => {
            let names: Vec<&str> = phases.iter().map(|of| phase(lang, *of)).collect();
            let phases = names.join(", ");
            let mut text = match network {
                true => say!(lang, "files-caches-network", phases),
                false => say!(lang, "files-caches", phases),
            };
            if *shifted {
                text += word!(lang, "files-caches-shifted");
            }
            text
        }
        FilesCaveat::NotDurable { durability } => match durability {
            Durability::NamesNotSynced => word!(lang, "files-names-not-synced").to_owned(),
            Durability::DataNotSynced => word!(lang, "files-data-not-synced").to_owned(),
            Durability::ServerDecides => word!(lang, "files-server-decides").to_owned(),
            _ => word!(lang, "files-not-durable").to_owned(),
        },
        FilesCaveat::WideInterval { phase: of, half_percent, iterations } => say!(
            lang,
            "files-wide",
            phase = phase(lang, *of),
            half = percent(*half_percent),
            iterations = iterations.to_string()
        ),
        FilesCaveat::OneIteration => word!(lang, "files-one-iteration").to_owned(),
    };
    format!("({letter}) {text}")
}

fn early_end(lang: Lang, ended: &FilesEnd) -> String {
    match ended {
        FilesEnd::Interrupted => word!(lang, "files-interrupted").to_owned(),
        FilesEnd::Failed { phase: of, call, name, errno: 0 } => {
            say!(lang, "files-short-transfer", phase = phase(lang, *of), call, name)
        }
        FilesEnd::Failed { phase: of, call, name, errno } => {
            say!(lang, "files-failed", phase = phase(lang, *of), call, name, why = errno_text(*errno))
        }
        FilesEnd::Stuck { phase: of, seconds } => {
            say!(lang, "files-stuck", phase = phase(lang, *of), seconds = seconds.to_string())
        }
    }
}

/// Returns the line of the phase that is being measured.
pub fn measuring(lang: Lang, of: FilesPhase, iteration: u32, operations: u64) -> String {
    let number = (u64::from(iteration) + 1).to_string();
    say!(
        lang,
        "files-measuring",
        iteration = number,
        phase = phase(lang, of),
        operations = operations.to_string()
    )
}

/// Returns what happened to a scratch directory of an ended process.
pub fn leftover(lang: Lang, leftover: &Leftover) -> String {
    let path = leftover.path.display().to_string();
    match leftover.error {
        Some(errno) => {
            say!(lang, "files-leftover-failed", path, why = errno_text(errno.raw_os_error()))
        }
        None if leftover.foreign.is_empty() => say!(lang, "files-leftover-removed", path),
        None => say!(lang, "files-leftover-foreign", path, names = leftover.foreign.join(", ")),
    }
}

/// Returns what would be made and measured, in lines of at most `width` columns, newline at the end.
pub fn plan(
    lang: Lang,
    target: &str,
    asked: &FilesAsked,
    prepared: &Prepared,
    refused: Option<&str>,
    width: usize,
) -> String {
    let width = prose_width(width);
    let mut lines = fill("", &format!("{target}  {}", stack(lang, &prepared.stack)), width);
    if !prepared.mount.options.is_empty() {
        lines.extend(fill("", &mounted(lang, &prepared.mount), width));
    }
    lines.extend(fill("", &shape(lang, asked, prepared.directories, prepared.files_per_worker), width));
    let names: Vec<&str> =
        FilesPhase::ALL.into_iter().filter(|of| asked.needs(*of)).map(|of| phase(lang, of)).collect();
    lines.extend(fill("", &say!(lang, "files-plan-phases", phases = names.join(", ")), width));
    let unknown = || word!(lang, "files-plan-unknown").to_owned();
    lines.extend(fill(
        "",
        &say!(
            lang,
            "files-plan-needs",
            inodes = prepared.inodes.to_string(),
            free_inodes = prepared.free_inodes.map_or_else(unknown, |n| n.to_string()),
            size = bytes(prepared.bytes),
            free = prepared.free_bytes.map_or_else(unknown, bytes)
        ),
        width,
    ));
    let time = match (asked.seconds, asked.iterations) {
        (Some(seconds), None) => say!(lang, "files-plan-time", seconds = scale::seconds(seconds)),
        (Some(seconds), Some(n)) => {
            say!(lang, "files-plan-both", iterations = n.to_string(), seconds = scale::seconds(seconds))
        }
        (None, n) => say!(lang, "files-plan-iterations", iterations = n.unwrap_or(1).to_string()),
    };
    lines.extend(fill("", &time, width));
    if let Some(why) = refused {
        lines.extend(fill("", &format!("fathom files: {}", would_not_begin(lang, why)), width));
    }
    lay(&lines)
}

/// What a dry run says, as data.
#[derive(serde::Serialize)]
struct PlanDocument<'a> {
    target: &'a str,
    mount: &'a FilesMount,
    stack: &'a [String],
    asked: &'a FilesAsked,
    /// Directories of one tree.
    directories: u64,
    files_per_worker: u64,
    /// Phases that take place, also those that only make or remove what others need.
    phases: Vec<FilesPhase>,
    inodes: u64,
    free_inodes: Option<u64>,
    bytes: u64,
    free_bytes: Option<u64>,
    /// Reason why the measurement would not begin.
    refused: Option<&'a str>,
}

/// Returns what [`plan`] says as one JSON document, newline at the end.
pub fn plan_json(target: &str, asked: &FilesAsked, prepared: &Prepared, refused: Option<&str>) -> String {
    export::json(&PlanDocument {
        target,
        mount: &prepared.mount,
        stack: &prepared.stack,
        asked,
        directories: prepared.directories,
        files_per_worker: prepared.files_per_worker,
        phases: FilesPhase::ALL.into_iter().filter(|of| asked.needs(*of)).collect(),
        inodes: prepared.inodes,
        free_inodes: prepared.free_inodes,
        bytes: prepared.bytes,
        free_bytes: prepared.free_bytes,
        refused,
    })
}

/// Returns why nothing is measured.
pub fn error(lang: Lang, error: &FilesError) -> String {
    match error {
        FilesError::Target(error) => lab::target_error(lang, error),
        FilesError::NotDirectory(path) => {
            say!(lang, "files-not-directory", path = path.display().to_string())
        }
        FilesError::NoSpace { path, wanted, free } => say!(
            lang,
            "files-no-space",
            path = path.display().to_string(),
            wanted = bytes(*wanted),
            free = bytes(*free)
        ),
        FilesError::NoInodes { path, wanted, free } => say!(
            lang,
            "files-no-inodes",
            path = path.display().to_string(),
            wanted = wanted.to_string(),
            free = free.to_string()
        ),
        FilesError::TooLarge => word!(lang, "files-too-large").to_owned(),
        FilesError::Caches(errno) => {
            say!(lang, "files-no-drop", why = errno_text(errno.raw_os_error()))
        }
        FilesError::Thread(errno) => {
            say!(lang, "files-no-thread", why = errno_text(errno.raw_os_error()))
        }
        FilesError::NotAgreed => word!(lang, "run-error-not-agreed").to_owned(),
    }
}
