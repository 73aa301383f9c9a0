//! The card of `fathom characterize`, its plan and its errors.

use crate::catalog::{say, word};
use crate::scale::{bytes, percent, short, time};
use crate::terms::stack;
use crate::words::lab;
use crate::{Lang, export, fill, findings, labels, lay, left, prose_width, widest};
use ::lab::characterize::{self as lab_crate, CharacterizeError, CharacterizePart, Prepared};
use stats::Grade;
use stats::characterize::read_cache::ReadCacheSeen;
use stats::characterize::seek::Moves;
use stats::characterize::surface::Fall;
use stats::characterize::writes::{WriteCache, WriteCurve};
use stats::characterize::{DeviceCharacter, EarlyEnd};
use stats::estimate::Estimate;
use stats::wear::DriveWear;

/// Returns the card in lines of at most `width` columns, newline at the end.
pub fn render(lang: Lang, character: &DeviceCharacter, width: usize) -> String {
    let width = prose_width(width);
    let title = format!("{}  {}  {}", character.target, bytes(character.size), stack(lang, &character.stack));
    let mut lines = fill("", title.trim_end(), width);
    let rows = rows(lang, character);
    let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    let column = widest(&names) + 2;
    for (name, text) in &rows {
        lines.extend(fill(&left(name, column), text, width));
    }
    lines.extend(fill("", &say!(lang, "characterize-intervals"), width));
    lay(&lines)
}

/// Returns the result as one JSON document, newline at the end.
pub fn json(character: &DeviceCharacter) -> String {
    export::json_with_words(character)
}

fn rows(lang: Lang, c: &DeviceCharacter) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(surface) = &c.surface {
        let mut text = match surface.fall {
            Fall::Falls(share) => say!(
                lang,
                "characterize-surface-falls",
                outer = of(lang, &surface.outer, rate),
                inner = of(lang, &surface.inner, rate),
                mean = of(lang, &surface.mean, rate),
                share = percent(100.0 * share.value)
            ),
            Fall::Flat(within) => say!(
                lang,
                "characterize-surface-flat",
                mean = of(lang, &surface.mean, rate),
                within = percent(100.0 * within)
            ),
            Fall::Unclear => {
                say!(lang, "characterize-surface-unclear", mean = of(lang, &surface.mean, rate))
            }
        };
        if surface.pauses > 0 {
            text += &say!(lang, "characterize-pauses", count = surface.pauses as u64);
        }
        rows.push((word!(lang, "characterize-label-surface"), text));
    }
    if let Some(period) = &c.rotation {
        let text = match period {
            Some(period) => {
                let rpm = |nanos: f64| 6e10 / nanos;
                let turns =
                    Estimate { value: rpm(period.value), low: rpm(period.high), high: rpm(period.low) };
                say!(
                    lang,
                    "characterize-rotation",
                    rpm = of(lang, &turns, |rpm| format!("{rpm:.0}")),
                    period = time(period.value)
                )
            }
            None => say!(lang, "characterize-no-rotation"),
        };
        rows.push((word!(lang, "characterize-label-rotation"), text));
    }
    if let Some(seek) = &c.seek {
        let text = match (seek.moves, seek.summary(c.size)) {
            (Moves::Seeks, Some([near, third, full])) => say!(
                lang,
                "characterize-seek",
                near = of(lang, &near, time_or_zero),
                third = of(lang, &third, time_or_zero),
                full = of(lang, &full, time_or_zero)
            ),
            (Moves::No(below), _) => say!(lang, "characterize-no-seek", below = time(below)),
            (Moves::Seeks, None) => say!(lang, "characterize-no-answer"),
        };
        rows.push((word!(lang, "characterize-label-seek"), text));
    }
    if let Some(regions) = &c.regions {
        let values = || regions.regions.iter().map(|region| region.median.value);
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        let (count, all) = (regions.regions.len() as u64, of(lang, &regions.all, time));
        let text = match regions.differ {
            true => say!(lang, "characterize-regions-differ", all, count, low = time(low), high = time(high)),
            false => say!(lang, "characterize-regions-equal", all, count),
        };
        rows.push((word!(lang, "characterize-label-regions"), text));
    }
    if let Some(sweep) = &c.read_cache {
        let miss = time(sweep.miss.value);
        let text = match &sweep.cache {
            ReadCacheSeen::Of { bytes, hit } => {
                say!(
                    lang,
                    "characterize-read-cache",
                    size = of(lang, bytes, size),
                    hit = time(hit.value),
                    miss
                )
            }
            ReadCacheSeen::AtLeast { bytes, hit } => {
                let size = labels::block(*bytes);
                say!(lang, "characterize-read-cache-at-least", size, hit = time(hit.value), miss)
            }
            ReadCacheSeen::None { bytes } => {
                say!(lang, "characterize-no-read-cache", size = labels::block(*bytes))
            }
        };
        rows.push((word!(lang, "characterize-label-read-cache"), text));
    }
    if let Some(writes) = &c.writes {
        write_rows(lang, writes, &mut rows);
    }
    if let Some(discarded) = &c.discarded {
        let (empty, written) = (of(lang, &discarded.discarded, time), of(lang, &discarded.written, time));
        let text = match discarded.differ() {
            true => say!(lang, "characterize-discarded-differs", empty, written),
            false => say!(lang, "characterize-discarded-equal", empty, written),
        };
        rows.push((word!(lang, "characterize-label-discarded"), text));
    }
    let (read, written) = (bytes(c.read_bytes), bytes(c.written_bytes));
    let seconds = crate::scale::seconds(c.seconds);
    rows.push((
        word!(lang, "characterize-label-measured"),
        say!(lang, "characterize-measured", read, written, seconds),
    ));
    if let Some(ended) = &c.ended {
        rows.push((word!(lang, "characterize-label-ended"), early_end(lang, ended)));
    }
    rows.push((word!(lang, "card-label-trust"), findings::trust(lang, c.grade())));
    for found in c.findings.iter().filter(|found| found.claim.grade() > Grade::Trusted) {
        rows.push(("", findings::line(lang, found)));
    }
    rows
}

fn write_rows(lang: Lang, writes: &WriteCurve, rows: &mut Vec<(&'static str, String)>) {
    let up_to = bytes(writes.bytes);
    let text = match &writes.step {
        Some(step) => say!(
            lang,
            "characterize-writes-step",
            before = of(lang, &step.before, rate),
            size = of(lang, &step.bytes, |n| bytes(n.max(0.0) as u64)),
            after = of(lang, &step.after, rate),
            up_to
        ),
        None => say!(lang, "characterize-writes-no-step", mean = of(lang, &writes.mean, rate), up_to),
    };
    rows.push((word!(lang, "characterize-label-writes"), text));
    let Some(step) = &writes.step else { return };
    let text = match &writes.cache {
        Some(WriteCache::WriteBack { bytes }) => {
            say!(
                lang,
                "characterize-write-back",
                size = of(lang, bytes, size),
                drain = rate(step.after.value)
            )
        }
        Some(WriteCache::Slc { bytes: size, recovery }) => say!(
            lang,
            "characterize-slc",
            size = of(lang, size, |n| bytes(n.max(0.0) as u64)),
            recovery = of(lang, recovery, rate)
        ),
        Some(WriteCache::Recovers) => say!(lang, "characterize-recovers"),
        Some(WriteCache::Stays { idle_s }) => {
            say!(lang, "characterize-stays", idle = crate::scale::seconds(*idle_s))
        }
        None => say!(lang, "characterize-no-answer"),
    };
    rows.push((word!(lang, "characterize-label-write-cache"), text));
}

/// Returns a value with its interval.
fn of(lang: Lang, value: &Estimate, words: impl Fn(f64) -> String) -> String {
    let (low, high) = (words(value.low.max(0.0)), words(value.high));
    say!(lang, "characterize-value", value = words(value.value.max(0.0)), low, high)
}

fn rate(bytes_per_second: f64) -> String {
    format!("{}/s", bytes(bytes_per_second.max(0.0) as u64))
}

fn time_or_zero(nanos: f64) -> String {
    time(nanos.max(0.0))
}

/// Returns the size of a cache, which has binary units.
fn size(bytes: f64) -> String {
    let (figure, unit) = match bytes / 1_048_576.0 {
        mib if mib >= 1024.0 => (mib / 1024.0, "GiB"),
        mib => (mib, "MiB"),
    };
    format!("{} {unit}", short(figure))
}

fn early_end(lang: Lang, ended: &EarlyEnd) -> String {
    match ended {
        EarlyEnd::Interrupted => say!(lang, "characterize-interrupted"),
        EarlyEnd::WearBudget => say!(lang, "characterize-wear-budget"),
        EarlyEnd::Failed { errno, offset } => {
            let why = ::run::job_error::errno_text(*errno);
            say!(lang, "characterize-failed", offset = offset.to_string(), why)
        }
    }
}

/// Returns what the measurement reads, writes and takes, before it begins.
pub fn plan(lang: Lang, target: &str, prepared: &Prepared) -> String {
    let (fast, slow) = (duration(prepared.seconds.0), duration(prepared.seconds.1));
    let read = bytes(prepared.read_bytes);
    match prepared.written_bytes {
        0 => say!(lang, "characterize-plan", target, read, fast, slow),
        written => {
            let (curve, written) = (bytes(prepared.curve_bytes), bytes(written));
            say!(lang, "characterize-plan-writes", target, read, curve, written, fast, slow)
        }
    }
}

/// What a dry run says, as data.
#[derive(serde::Serialize)]
struct PlanDocument<'a> {
    target: &'a str,
    /// Size of the target in bytes.
    size: u64,
    /// Bytes that are read at most.
    read_bytes: u64,
    /// Bytes of the write curve.
    curve_bytes: u64,
    /// Bytes that are written at most.
    written_bytes: u64,
    /// Rough durations in seconds: on fast flash, and on a hard disk.
    seconds: (f64, f64),
    drives: Vec<PlannedDrive<'a>>,
    /// Reason why the measurement would not begin.
    refused: Option<String>,
}

/// Writes to one drive.
#[derive(serde::Serialize)]
struct PlannedDrive<'a> {
    name: &'a str,
    /// Bytes that are written at most; `None` if only a time ends the writes.
    written_bytes: Option<u64>,
    /// Share of the endurance that these bytes use, percent: lower and upper end; `None` if it is not known.
    endurance_percent: Option<[f64; 2]>,
}

/// Returns what [`plan`] says, the writes to each drive, and why the measurement would not begin, as one JSON document,
/// newline at the end.
pub fn plan_json(target: &str, prepared: &Prepared, drives: &[DriveWear], refused: Option<String>) -> String {
    let share = |wear: &DriveWear| {
        let known = wear.endurance.as_ref().zip(wear.planned.most);
        known.map(|(endurance, bytes)| endurance.share(bytes))
    };
    let drives = drives.iter().map(|wear| PlannedDrive {
        name: &wear.name,
        written_bytes: wear.planned.most,
        endurance_percent: share(wear),
    });
    export::json(&PlanDocument {
        target,
        size: prepared.size,
        read_bytes: prepared.read_bytes,
        curve_bytes: prepared.curve_bytes,
        written_bytes: prepared.written_bytes,
        seconds: prepared.seconds,
        drives: drives.collect(),
        refused,
    })
}

/// Returns a duration in seconds, minutes or hours.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Returns the part that is being measured, for the live line.
pub fn part(lang: Lang, part: CharacterizePart) -> &'static str {
    match part {
        CharacterizePart::Surface => word!(lang, "characterize-label-surface"),
        CharacterizePart::Rotation => word!(lang, "characterize-label-rotation"),
        CharacterizePart::Seeks => word!(lang, "characterize-label-seek"),
        CharacterizePart::Regions => word!(lang, "characterize-label-regions"),
        CharacterizePart::ReadCache => word!(lang, "characterize-label-read-cache"),
        CharacterizePart::Writes => word!(lang, "characterize-label-writes"),
        CharacterizePart::Recovery => word!(lang, "characterize-label-write-cache"),
        CharacterizePart::Discarded => word!(lang, "characterize-label-discarded"),
    }
}

/// Returns why a device is not characterized.
pub fn error(lang: Lang, error: &CharacterizeError) -> String {
    match error {
        CharacterizeError::Target(error) => lab::target_error(lang, error),
        CharacterizeError::Directory(path) => {
            say!(lang, "characterize-directory", path = path.display().to_string())
        }
        CharacterizeError::NotDirect(path) => {
            say!(lang, "characterize-not-direct", path = path.display().to_string())
        }
        CharacterizeError::Small(path, size) => say!(
            lang,
            "characterize-small",
            path = path.display().to_string(),
            size = bytes(*size),
            least = labels::block(lab_crate::SMALLEST)
        ),
    }
}
