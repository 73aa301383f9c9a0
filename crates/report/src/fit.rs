//! The card of `fathom fit`, and the list of its profiles.

use crate::catalog::{say, word};
use crate::host_lines;
use crate::scale::{megabytes, short, time};
use crate::terms::stack;
use crate::words::run::job_error;
use crate::{
    Grid, Lang, columns, definitions, export, fill, findings, fit_end, hang, lay, left, prose_width, widest,
};
use lab::fit::profile::{CriterionFault, FitProfile, PERMITTED, ProfileError, ProfileFault};
use stats::Grade;
use stats::fit::{FitCard, FitFigure, FitLack, FitRow, FitVerdict, LimitClass, SuspiciousSync};

/// Largest number of findings on the card.
const FINDINGS: usize = 3;

/// Returns the card in lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(lang: Lang, card: &FitCard, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = title(lang, card, width);
    lines.extend(host_lines::each(lang, &card.hosts).iter().flat_map(|line| fill("", line, width)));
    lines.extend(fill("", &answer(lang, card), width));
    lines.push(String::new());
    lines.extend(table(lang, card, width));
    lines.extend(tail(lang, card, width));
    lay(&lines)
}

/// Returns the card as one JSON document, newline at the end.
pub fn json(card: &FitCard) -> String {
    export::json(&FitDocument::of(card))
}

/// Returns several cards as one JSON array, newline at the end.
pub fn json_of(cards: &[FitCard]) -> String {
    export::json(&cards.iter().map(FitDocument::of).collect::<Vec<_>>())
}

/// Returns that a profile has no size to set.
pub fn no_scale(lang: Lang, profile: &str) -> String {
    say!(lang, "fit-no-scale", profile)
}

/// The card with what follows from it.
#[derive(serde::Serialize)]
struct FitDocument<'a> {
    verdict: FitVerdict,
    grade: Grade,
    largest_scale: Option<f64>,
    #[serde(flatten)]
    card: &'a FitCard,
}

impl<'a> FitDocument<'a> {
    fn of(card: &'a FitCard) -> Self {
        FitDocument {
            verdict: card.verdict(),
            grade: card.grade(),
            largest_scale: card.largest_scale(),
            card,
        }
    }
}

/// Returns one line per card: `fathom fit all`.
pub fn table_of(lang: Lang, cards: &[FitCard], width: usize) -> String {
    let head = [
        word!(lang, "fit-column-profile"),
        word!(lang, "fit-column-verdict"),
        word!(lang, "fit-column-figure"),
        word!(lang, "fit-column-measured"),
        word!(lang, "fit-column-needed"),
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for card in cards {
        let decides = card.deciding();
        let cell = |of: fn(Lang, &FitRow) -> String| decides.map_or(String::new(), |row| of(lang, row));
        let figure = decides.map_or(String::new(), |row| row.figure.to_string());
        rows.push(vec![
            card.profile.clone(),
            verdict(lang, card.verdict()).into(),
            figure,
            cell(value),
            cell(needed),
        ]);
    }
    lay(&Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, prose_width(width)))
}

/// Returns the list of profiles, and what is wrong with those that cannot be used.
pub fn list(lang: Lang, profiles: &[Result<FitProfile, ProfileError>], width: usize) -> String {
    let row = |profile: &FitProfile| {
        let scale = profile.scale.as_ref().map(|scale| {
            let (unit, number) = (unit(lang, &scale.unit), count(scale.default));
            say!(lang, "fit-list-scale", unit, number)
        });
        let text = [Some(name(lang, &profile.system, &profile.part)), scale];
        (profile.name.clone(), text.into_iter().flatten().collect::<Vec<_>>().join("; "))
    };
    let rows: Vec<(String, String)> = profiles.iter().flatten().map(row).collect();
    let mut text = definitions(&rows, prose_width(width));
    for wrong in profiles.iter().filter_map(|profile| profile.as_ref().err()) {
        text += &format!("{}\n", profile_error(lang, wrong));
    }
    text + &hang(word!(lang, "fit-list-end"), prose_width(width)).join("\n") + "\n"
}

/// Returns the profiles as one JSON document, newline at the end.
pub fn list_json(profiles: &[Result<FitProfile, ProfileError>]) -> String {
    export::json(&profiles.iter().flatten().collect::<Vec<_>>())
}

/// Returns that a target was given in the place of a profile.
pub fn target_as_profile(lang: Lang, name: &str) -> String {
    say!(lang, "fit-unknown-target", name)
}

/// Returns why a profile cannot be used.
pub fn profile_error(lang: Lang, error: &ProfileError) -> String {
    match error {
        ProfileError::Unknown { name, near: Some(near) } => say!(lang, "fit-unknown-near", name, near),
        ProfileError::Unknown { name, near: None } => say!(lang, "fit-unknown", name),
        ProfileError::File { path, why } => {
            say!(lang, "fit-wrong-profile", path = path.display().to_string(), why)
        }
        ProfileError::Text { path, fault } => {
            say!(
                lang,
                "fit-wrong-profile",
                path = path.display().to_string(),
                why = profile_fault(lang, fault)
            )
        }
    }
}

fn profile_fault(lang: Lang, fault: &ProfileFault) -> String {
    match fault {
        ProfileFault::Form(why) => why.clone(),
        ProfileFault::NoFile => word!(lang, "fit-profile-no-file").to_owned(),
        ProfileFault::Option { job, option } => {
            say!(lang, "fit-profile-option", job, option, permitted = PERMITTED.join(" "))
        }
        ProfileFault::Empty => word!(lang, "fit-profile-empty").to_owned(),
        ProfileFault::ScaleDefault => word!(lang, "fit-profile-scale").to_owned(),
        ProfileFault::Criterion { figure, fault } => {
            let why = match fault {
                CriterionFault::NoJob(name) => say!(lang, "fit-criterion-no-job", name),
                CriterionFault::NoTime => word!(lang, "fit-criterion-no-time").to_owned(),
                CriterionFault::NoRate => word!(lang, "fit-criterion-no-rate").to_owned(),
                CriterionFault::Margin => word!(lang, "fit-criterion-margin").to_owned(),
                CriterionFault::NoScale => word!(lang, "fit-criterion-no-scale").to_owned(),
            };
            say!(lang, "fit-criterion", figure, why)
        }
    }
}

fn title(lang: Lang, card: &FitCard, width: usize) -> Vec<String> {
    let what = name(lang, &card.system, &card.part);
    let rest = format!("   {}   {:.0} s", stack(lang, &card.stack), card.seconds);
    let room = width.saturating_sub(columns(&rest) + columns(&what) + 3).max(16);
    fill("", &format!("{what}   {}{rest}", fit_end(&card.target, room)), width)
}

/// Returns the size of a workload: whole numbers in full.
fn count(scale: f64) -> String {
    if scale.fract() == 0.0 && scale < 1e6 { format!("{scale:.0}") } else { short(scale) }
}

/// Returns the system with its part: `PostgreSQL, write-ahead log`.
fn name(lang: Lang, system: &str, of: &str) -> String {
    if of.is_empty() { system.to_owned() } else { format!("{system}, {}", part(lang, of)) }
}

/// Returns the verdict and the reason: the figure that decides.
fn answer(lang: Lang, card: &FitCard) -> String {
    let verdict_word = verdict(lang, card.verdict()).to_uppercase();
    let why = if let Some(error) = &card.error {
        say!(lang, "fit-failed", error = job_error(lang, error))
    } else if let Some(layer) = &card.unsupported {
        say!(lang, "fit-unsupported", system = &card.system, layer)
    } else if card.budget_used && card.verdict() == FitVerdict::NotSure {
        word!(lang, "fit-budget-used").to_owned()
    } else if let Some(sign) = card.suspicious {
        suspicion(lang, sign)
    } else if let Some(found) = card.doubt() {
        findings::statement(lang, &found.claim)
    } else if let (Some(found), Some(row)) = (card.likely_cause(), card.deciding()) {
        let (statement, advice) =
            (findings::statement(lang, &found.claim), findings::advice(lang, &found.claim));
        say!(lang, "fit-likely-cause", statement, advice, reason = reason(lang, row))
    } else {
        card.deciding().map_or_else(|| word!(lang, "fit-nothing").to_owned(), |row| reason(lang, row))
    };
    let wanted = card.scale.as_ref().map(|scale| {
        let (number, unit) = (count(scale.wanted), unit(lang, &scale.unit));
        say!(lang, "fit-for", number, unit)
    });
    match wanted {
        Some(wanted) => format!("{verdict_word} {wanted}: {why}"),
        None => format!("{verdict_word}: {why}"),
    }
}

fn reason(lang: Lang, row: &FitRow) -> String {
    let (figure, needed) = (row.figure.to_string(), needed(lang, row));
    match row.lack() {
        Some(FitLack::TooFew { needed: least }) => {
            say!(lang, "fit-too-few", figure, samples = row.samples, least = least.to_string(), needed)
        }
        Some(FitLack::Unsteady) => say!(lang, "fit-unsteady", figure, samples = row.samples, needed),
        None => {
            let (value, between) = (value(lang, row), between(lang, row));
            if between.is_empty() {
                say!(lang, "fit-reason-bare", figure, value, needed)
            } else {
                say!(lang, "fit-reason", figure, value, between, needed)
            }
        }
    }
}

fn suspicion(lang: Lang, sign: SuspiciousSync) -> String {
    match sign {
        SuspiciousSync::FasterThanTheDiskTurns { p50_ns } => {
            say!(lang, "fit-suspicious-disk", time = time(p50_ns as f64))
        }
        SuspiciousSync::VolatileCache { p50_ns } => {
            say!(lang, "fit-suspicious-cache", time = time(p50_ns as f64))
        }
        SuspiciousSync::CostsNothing { p50_ns } => {
            say!(lang, "fit-suspicious-nothing", time = time(p50_ns as f64))
        }
    }
}

fn verdict(lang: Lang, verdict: FitVerdict) -> &'static str {
    match verdict {
        FitVerdict::Yes => word!(lang, "fit-yes"),
        FitVerdict::NotSure => word!(lang, "fit-not-sure"),
        FitVerdict::No => word!(lang, "fit-no"),
    }
}

/// Returns a number in the unit of a figure.
fn figure(of: FitFigure, number: f64) -> String {
    match of {
        _ if of.is_time() => time(number),
        _ if of.is_bandwidth() => megabytes(number.round() as u64),
        _ => short(number),
    }
}

fn value(_: Lang, row: &FitRow) -> String {
    row.measured.map_or("-".into(), |m| figure(row.figure, m.value))
}

fn between(lang: Lang, row: &FitRow) -> String {
    row.measured.filter(|m| m.is_known()).map_or(String::new(), |m| {
        let (low, high) = (figure(row.figure, m.low), figure(row.figure, m.high));
        say!(lang, "fit-between", low, high)
    })
}

/// Returns what is needed, with the margin included: `<= 10 ms`, `>= 143`.
fn needed(_: Lang, row: &FitRow) -> String {
    if row.figure.is_time() {
        format!("<= {}", figure(row.figure, row.limit))
    } else {
        format!(">= {}", figure(row.figure, row.limit / row.margin))
    }
}

fn table(lang: Lang, card: &FitCard, width: usize) -> Vec<String> {
    let head = [
        word!(lang, "fit-column-figure"),
        word!(lang, "fit-column-measured"),
        word!(lang, "fit-column-interval"),
        word!(lang, "fit-column-needed"),
        word!(lang, "fit-column-verdict"),
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for row in &card.rows {
        let verdict = verdict(lang, row.verdict).to_owned();
        let of_host = row.host.as_ref().map(|host| format!(" ({host})")).unwrap_or_default();
        rows.push(vec![
            row.figure.to_string() + &of_host,
            value(lang, row),
            between(lang, row),
            needed(lang, row),
            verdict,
        ]);
    }
    Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, width)
}

/// Returns the label of a line, padded to the width of the widest label.
fn label(lang: Lang, text: &str) -> String {
    let all = [
        word!(lang, "fit-label-source"),
        word!(lang, "fit-label-room"),
        word!(lang, "fit-label-left-out"),
        word!(lang, "fit-label-trust"),
        word!(lang, "fit-label-caveat"),
        word!(lang, "fit-label-hosts"),
    ];
    left(text, widest(&all) + 1)
}

/// Returns the hosts by their verdicts, the worst first: `no: b; yes: a, c`; empty on one machine.
fn by_host(lang: Lang, card: &FitCard) -> String {
    let of = |wanted: FitVerdict| {
        let hosts = card.host_verdicts().filter(|(_, verdict)| *verdict == wanted);
        let hosts: Vec<&str> = hosts.map(|(host, _)| host).collect();
        let named = || format!("{}: {}", verdict(lang, wanted), findings::some_hosts(lang, &hosts));
        (!hosts.is_empty()).then(named)
    };
    let groups = [FitVerdict::No, FitVerdict::NotSure, FitVerdict::Yes].into_iter().filter_map(of);
    groups.collect::<Vec<_>>().join("; ")
}

fn tail(lang: Lang, card: &FitCard, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let hosts = by_host(lang, card);
    if !hosts.is_empty() {
        lines.extend(fill(&label(lang, word!(lang, "fit-label-hosts")), &hosts, width));
    }
    let mut said: Vec<&str> = Vec::new();
    for row in &card.rows {
        if said.contains(&row.source.as_str()) {
            continue;
        }
        said.push(&row.source);
        let class = match row.class {
            LimitClass::Official => word!(lang, "fit-official"),
            LimitClass::Bound => word!(lang, "fit-bound"),
            LimitClass::Derived => word!(lang, "fit-derived"),
        };
        let read = row.link.iter().chain(&row.read).map(String::as_str).collect::<Vec<_>>().join(", ");
        let read = if read.is_empty() { String::new() } else { format!(" ({read})") };
        lines.extend(fill(
            &label(lang, word!(lang, "fit-label-source")),
            &format!("{class}: {}{read}", row.source),
            width,
        ));
    }
    if let (Some(most), Some(scale)) = (card.largest_scale(), &card.scale) {
        let (most, unit) = (count(most.floor()), unit(lang, &scale.unit));
        lines.extend(fill(
            &label(lang, word!(lang, "fit-label-room")),
            &say!(lang, "fit-room", most, unit),
            width,
        ));
    }
    if !card.left_out.is_empty() {
        let parts: Vec<&str> = card.left_out.iter().map(|key| left_out(lang, key)).collect();
        lines.extend(fill(&label(lang, word!(lang, "fit-label-left-out")), &parts.join("; "), width));
    }
    let grade = card.grade();
    lines.extend(fill(&label(lang, word!(lang, "fit-label-trust")), &findings::trust(lang, grade), width));
    let spoils = card.findings.iter().filter(|f| f.claim.grade() > Grade::Trusted);
    for found in spoils.take(FINDINGS) {
        let text = format!("{} {}", found.claim.grade().letter(), findings::statement(lang, &found.claim));
        lines.extend(fill(&label(lang, word!(lang, "fit-label-caveat")), &text, width));
    }
    lines
}

/// Returns the text of a key of a profile, or the key itself, which is then a text of the user's.
fn part(lang: Lang, key: &str) -> &str {
    match key {
        "wal" => word!(lang, "fit-part-wal"),
        "backend" => word!(lang, "fit-part-backend"),
        "log" => word!(lang, "fit-part-log"),
        "data" => word!(lang, "fit-part-data"),
        "redo" => word!(lang, "fit-part-redo"),
        "journal" => word!(lang, "fit-part-journal"),
        "aof-everysec" => word!(lang, "fit-part-aof-everysec"),
        "aof-always" => word!(lang, "fit-part-aof-always"),
        "rollback" => word!(lang, "fit-part-rollback"),
        "osd" => word!(lang, "fit-part-osd"),
        "db" => word!(lang, "fit-part-db"),
        "slog" => word!(lang, "fit-part-slog"),
        "profiles" => word!(lang, "fit-part-profiles"),
        text => text,
    }
}

/// Returns the text of a key of a profile, or the key itself, which is then a text of the user's.
fn unit(lang: Lang, key: &str) -> &str {
    match key {
        "commits" => word!(lang, "fit-unit-commits"),
        "misses" => word!(lang, "fit-unit-misses"),
        "io_capacity" => word!(lang, "fit-unit-io-capacity"),
        "ingest" => word!(lang, "fit-unit-ingest"),
        "samples" => word!(lang, "fit-unit-samples"),
        "osd-writes" => word!(lang, "fit-unit-osd-writes"),
        "sync-mb" => word!(lang, "fit-unit-sync-mb"),
        "users" => word!(lang, "fit-unit-users"),
        "machines" => word!(lang, "fit-unit-machines"),
        "streams" => word!(lang, "fit-unit-streams"),
        "backup-mb" => word!(lang, "fit-unit-backup-mb"),
        "builds" => word!(lang, "fit-unit-builds"),
        "vcpus" => word!(lang, "fit-unit-vcpus"),
        text => text,
    }
}

/// Returns the text of a key of a profile, or the key itself, which is then a text of the user's.
fn left_out(lang: Lang, key: &str) -> &str {
    match key {
        "boot-storm" => word!(lang, "fit-left-boot-storm"),
        "checkpoints" => word!(lang, "fit-left-checkpoints"),
        "compaction" => word!(lang, "fit-left-compaction"),
        "cpu" => word!(lang, "fit-left-cpu"),
        "credits" => word!(lang, "fit-left-credits"),
        "endurance" => word!(lang, "fit-left-endurance"),
        "etcd-backend" => word!(lang, "fit-left-etcd-backend"),
        "group-commit" => word!(lang, "fit-left-group-commit"),
        "lagging-readers" => word!(lang, "fit-left-lagging-readers"),
        "locks" => word!(lang, "fit-left-locks"),
        "maintenance" => word!(lang, "fit-left-maintenance"),
        "memory" => word!(lang, "fit-left-memory"),
        "metadata" => word!(lang, "fit-left-metadata"),
        "neighbours" => word!(lang, "fit-left-neighbours"),
        "network" => word!(lang, "fit-left-network"),
        "playback" => word!(lang, "fit-left-playback"),
        "power-loss" => word!(lang, "fit-left-power-loss"),
        "queries" => word!(lang, "fit-left-queries"),
        "recovery" => word!(lang, "fit-left-recovery"),
        "rewrite" => word!(lang, "fit-left-rewrite"),
        "snapshots" => word!(lang, "fit-left-snapshots"),
        "space" => word!(lang, "fit-left-space"),
        "sustained-writes" => word!(lang, "fit-left-sustained-writes"),
        text => text,
    }
}
