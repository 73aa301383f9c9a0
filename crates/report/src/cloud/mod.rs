//! The card of `fathom cloud`.

mod error;
mod list;

pub use error::error;
pub use list::{list, list_json};

use crate::catalog::{say, word};
use crate::scale::{percent, time};
use crate::terms::stack;
use crate::words::run::job_error;
use crate::{Grid, Lang, columns, export, fill, findings, fit_end, lay, left, prose_width, widest};
use stats::Grade;
use stats::cloud::{
    BurstKind, CloudCard, CloudCheck, CloudComparison, CloudLimit, CloudLoad, CloudMark, CloudOrigin,
    CloudQuantity, CloudReach, CloudSharing, CloudSource, CloudUnit, CloudVerdict, CloudVolume,
};
use stats::finding::{Claim, Finding};

/// Number of lines of a terminal that the card takes at most.
const MOST_LINES: usize = 25;

/// Returns the card in lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(lang: Lang, card: &CloudCard, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = title(lang, card, width);
    if card.target.is_some() {
        lines.extend(fill("", &answer(lang, card), width));
    } else if let Some(text) = conclusion(lang, card) {
        lines.extend(fill("", &text, width));
    }
    lines.push(String::new());
    lines.extend(limits(lang, card, width));
    if !card.checks.is_empty() {
        lines.push(String::new());
        lines.extend(checks(lang, card, width));
    }
    lines.push(String::new());
    let room = MOST_LINES.saturating_sub(lines.len());
    lines.extend(tail(lang, card, width, room));
    lay(&lines)
}

/// Returns the card as one JSON document, newline at the end.
pub fn json(card: &CloudCard) -> String {
    export::json(&CloudDocument {
        verdict: card.verdict(),
        grade: card.grade(),
        sharing_found: card.sharing_found(),
        comparisons: card.limits.comparisons(),
        card,
    })
}

/// The card with what follows from it.
#[derive(serde::Serialize)]
struct CloudDocument<'a> {
    /// `null` if nothing was measured.
    verdict: Option<CloudVerdict>,
    grade: Grade,
    /// `null` if it was not measured, or the rates do not tell.
    sharing_found: Option<CloudSharing>,
    /// Limits of volume and machine side by side; empty if the machine is not known.
    comparisons: Vec<CloudComparison>,
    #[serde(flatten)]
    card: &'a CloudCard,
}

/// Returns the line about the pattern that is being measured: direction, block size in bytes and queue depth.
pub fn measuring(lang: Lang, load: CloudLoad, block: u64, depth: u32) -> String {
    let size = block_size(CloudUnit::Mebibyte, block as f64);
    match load {
        CloudLoad::Reads => say!(lang, "cloud-live", size, depth),
        CloudLoad::Writes => say!(lang, "cloud-live-writes", size, depth),
        CloudLoad::Mixed => say!(lang, "cloud-live-mixed", size, depth),
    }
}

/// Returns whether a row is confirmed, with its date.
fn mark(lang: Lang, mark: CloudMark, date: Option<&str>) -> String {
    let word = match mark {
        CloudMark::R | CloudMark::U => word!(lang, "cloud-confirmed"),
        CloudMark::A => word!(lang, "cloud-derived"),
        CloudMark::K => word!(lang, "cloud-unconfirmed"),
    };
    match date {
        Some(date) => format!("{word}, {date}"),
        None if mark == CloudMark::K => word.to_owned(),
        None => format!("{word}, {}", word!(lang, "cloud-no-date")),
    }
}

fn mark_of(lang: Lang, row: &CloudSource) -> String {
    mark(lang, row.mark, row.date.as_deref())
}

/// Returns a number without a prefix, with at most two decimals.
fn count(number: f64) -> String {
    let text = if number >= 100.0 { format!("{number:.0}") } else { format!("{number:.2}") };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Returns a rate in bytes per second in the unit of the provider, without the unit.
fn rate(unit: CloudUnit, bytes_per_second: f64) -> String {
    count(bytes_per_second / unit.bytes())
}

/// Returns a size in the binary or decimal unit that belongs to the provider's unit of throughput.
fn block_size(unit: CloudUnit, bytes: f64) -> String {
    let (kilo, symbols) = match unit {
        CloudUnit::Megabyte => (1e3, ["kB", "MB"]),
        CloudUnit::Mebibyte => (1024.0, ["KiB", "MiB"]),
    };
    let (figure, symbol) =
        if bytes < kilo * kilo { (bytes / kilo, symbols[0]) } else { (bytes / kilo / kilo, symbols[1]) };
    let text = format!("{figure:.1}");
    format!("{} {symbol}", text.strip_suffix(".0").unwrap_or(&text))
}

/// Returns a duration in seconds, minutes or hours.
fn lasting(seconds: f64) -> String {
    match seconds {
        s if s < 600.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

fn title(lang: Lang, card: &CloudCard, width: usize) -> Vec<String> {
    let volume = &card.limits.volume;
    let mut text = format!("{} {}", volume.provider_name, volume.kind);
    if let Some(size) = volume.size {
        text += &format!(", {} {}", count(size), volume.capacity_unit);
    }
    if let Some(tier) = &volume.tier {
        text += &format!(" ({tier})");
    }
    if let Some(fact) = &card.known.instance {
        text += &format!("   {}", fact.value);
    }
    if let Some(target) = &card.target {
        let rest = format!("   {}   {:.0} s", stack(lang, &card.stack), card.seconds);
        let room = width.saturating_sub(columns(&rest) + columns(&text) + 3).max(16);
        text += &format!("   {}{rest}", fit_end(target, room));
    }
    fill("", &text, width)
}

/// Returns the verdict and the reason: the pattern that decides.
fn answer(lang: Lang, card: &CloudCard) -> String {
    let verdict = match card.verdict().unwrap_or(CloudVerdict::NotSure) {
        CloudVerdict::Kept => word!(lang, "cloud-kept"),
        CloudVerdict::LikelyKept => word!(lang, "cloud-likely-kept"),
        CloudVerdict::NotSure => word!(lang, "cloud-not-sure"),
        CloudVerdict::LikelyNotKept => word!(lang, "cloud-likely-not-kept"),
        CloudVerdict::NotKept => word!(lang, "cloud-not-kept"),
    };
    let why = if let Some(error) = &card.error {
        let error = job_error(lang, error);
        match card.checks.is_empty() {
            true => say!(lang, "cloud-failed", error),
            false => say!(lang, "cloud-failed-later", error),
        }
    } else if let Some(found) = card.not_the_device() {
        findings::statement(lang, &found.claim)
    } else {
        let decides = card.deciding();
        decides.map_or_else(|| word!(lang, "cloud-nothing").to_owned(), |check| reason(lang, card, check))
    };
    format!("{}: {why}", verdict.to_uppercase())
}

/// Returns which of volume and machine binds, with the limits of both; `None` if the machine is not known.
fn conclusion(lang: Lang, card: &CloudCard) -> Option<String> {
    let compared = card.limits.comparisons();
    let name = card.limits.instance.as_ref().map_or("", |machine| machine.name.as_str());
    let volumes = card.limits.volumes;
    let of = |instance_binds: bool| {
        let mine = compared.iter().filter(|limits| limits.instance_binds == instance_binds);
        let parts: Vec<String> = mine.map(|limits| allowed(lang, &card.limits.volume, limits)).collect();
        let parts = Some(parts.join(", ")).filter(|parts| !parts.is_empty())?;
        Some(match (instance_binds, volumes) {
            (true, 0 | 1) => say!(lang, "cloud-conclusion-instance", name, parts),
            (true, _) => say!(lang, "cloud-conclusion-instance-of-several", name, parts, volumes),
            (false, 0 | 1) => say!(lang, "cloud-conclusion-volume", name, parts),
            (false, _) => say!(lang, "cloud-conclusion-volumes", name, parts, volumes),
        })
    };
    // The limit on IOPS comes first.
    let first = compared.first().is_some_and(|limits| limits.instance_binds);
    let texts: Vec<String> = [first, !first].into_iter().filter_map(of).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Returns the lower limit on one quantity as part of the higher one: `3600 of 6000 IOPS`, with the burst of the machine
/// where the machine binds.
fn allowed(lang: Lang, volume: &CloudVolume, limits: &CloudComparison) -> String {
    let (number, unit): (&dyn Fn(f64) -> String, _) = match limits.quantity {
        CloudQuantity::Iops => (&count, "IOPS"),
        CloudQuantity::Throughput => (&|limit| rate(volume.unit, limit), volume.unit.rate()),
    };
    let (own, machine) = (number(limits.volume), number(limits.instance));
    if !limits.instance_binds {
        return say!(lang, "cloud-allowed", lower = own, higher = machine, unit);
    }
    match (limits.instance_burst, limits.burst_seconds.map(lasting)) {
        // The volume caps the burst of the machine.
        (Some(burst), Some(time)) if burst >= limits.volume => {
            let burst = number(burst);
            say!(lang, "cloud-allowed-burst-capped", lower = machine, higher = own, unit, burst, time)
        }
        (Some(burst), Some(time)) => {
            let burst = number(burst);
            say!(lang, "cloud-allowed-burst", lower = machine, higher = own, unit, burst, time)
        }
        _ => say!(lang, "cloud-allowed", lower = machine, higher = own, unit),
    }
}

/// Returns I/Os per second of a pattern as the card shows them: IOPS of small reads, throughput of large ones.
fn shown(volume: &CloudVolume, check: &CloudCheck, ios: f64) -> String {
    if check.random { count(ios) } else { rate(volume.unit, ios * check.block as f64) }
}

fn with_unit(volume: &CloudVolume, check: &CloudCheck, ios: f64) -> String {
    let unit = if check.random { "IOPS" } else { volume.unit.rate() };
    format!("{} {unit}", shown(volume, check, ios))
}

fn between(lang: Lang, volume: &CloudVolume, check: &CloudCheck) -> String {
    check.measured.filter(|m| m.is_known()).map_or("-".into(), |m| {
        let (low, high) = (shown(volume, check, m.low), shown(volume, check, m.high));
        say!(lang, "cloud-between", low, high)
    })
}

/// Returns the pattern of a check: `4 KiB random reads`.
fn pattern(lang: Lang, check: &CloudCheck) -> String {
    let size = block_size(CloudUnit::Mebibyte, check.block as f64);
    match (check.load, check.random) {
        (CloudLoad::Reads, true) => say!(lang, "cloud-random-reads", size),
        (CloudLoad::Reads, false) => say!(lang, "cloud-sequential-reads", size),
        (CloudLoad::Writes, true) => say!(lang, "cloud-random-writes", size),
        (CloudLoad::Writes, false) => say!(lang, "cloud-sequential-writes", size),
        (CloudLoad::Mixed, _) => say!(lang, "cloud-mixed", size),
    }
}

fn reason(lang: Lang, card: &CloudCard, check: &CloudCheck) -> String {
    let volume = &card.limits.volume;
    let Some(share) = check.share() else { return word!(lang, "cloud-nothing").to_owned() };
    let (reads, share) = (pattern(lang, check), percent(share));
    let found = with_unit(volume, check, check.measured.map_or(0.0, |m| m.value));
    let limit = with_unit(volume, check, check.cap.iops);
    let binding = check.binding.map_or("", |limit| binding(lang, limit));
    let text = match check.reach {
        CloudReach::AtLimit => say!(lang, "cloud-reason-at", reads, found, share, limit, binding),
        CloudReach::Burst => {
            let until = card.limits.honest_seconds.map_or_else(
                || word!(lang, "cloud-burst-unknown-end").to_owned(),
                |seconds| say!(lang, "cloud-burst-end", time = lasting(seconds)),
            );
            say!(lang, "cloud-reason-burst", reads, found, limit, until)
        }
        CloudReach::Above => say!(lang, "cloud-reason-above", reads, found, share, limit),
        CloudReach::Below => say!(lang, "cloud-reason-below", reads, found, share, limit, binding),
        CloudReach::Unclear if !check.measured.is_some_and(|m| m.is_known()) => {
            say!(lang, "cloud-reason-short", reads, found, share, limit)
        }
        CloudReach::Unclear => {
            let between = between(lang, volume, check);
            say!(lang, "cloud-reason-unclear", reads, found, between, share, limit)
        }
    };
    match check.verdict() {
        CloudVerdict::LikelyKept | CloudVerdict::LikelyNotKept => {
            format!("{text}; {}", word!(lang, "cloud-only-likely"))
        }
        _ => text,
    }
}

fn binding(lang: Lang, limit: CloudLimit) -> &'static str {
    match limit {
        CloudLimit::VolumeIops => word!(lang, "cloud-binds-volume-iops"),
        CloudLimit::VolumeThroughput => word!(lang, "cloud-binds-volume-throughput"),
        CloudLimit::InstanceIops => word!(lang, "cloud-binds-instance-iops"),
        CloudLimit::InstanceThroughput => word!(lang, "cloud-binds-instance-throughput"),
        CloudLimit::DepthAndLatency => word!(lang, "cloud-binds-depth"),
        CloudLimit::Cpu => word!(lang, "cloud-binds-cpu"),
        CloudLimit::LowerCap => word!(lang, "cloud-binds-lower"),
    }
}

fn limits(lang: Lang, card: &CloudCard, width: usize) -> Vec<String> {
    let volume = &card.limits.volume;
    let unit = volume.unit;
    let number = |n: Option<f64>| n.map_or("-".into(), count);
    let bytes = |n: Option<f64>| n.map_or("-".into(), |n| rate(unit, n));
    let head = [word!(lang, "cloud-column-limit"), "IOPS", unit.rate(), word!(lang, "cloud-column-row")];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut add = |name: String, iops: String, throughput: String, row: String| {
        rows.push(vec![name, iops, throughput, row]);
    };
    let name = match volume.write_iops {
        _ if volume.pooled && card.limits.volumes > 1 => word!(lang, "cloud-volume-pooled"),
        Some(_) => word!(lang, "cloud-volume-reads"),
        None => word!(lang, "cloud-volume"),
    };
    add(name.into(), number(volume.iops), bytes(volume.throughput), mark_of(lang, &volume.row));
    if let Some(iops) = volume.write_iops {
        let row = mark_of(lang, &volume.row);
        add(word!(lang, "cloud-volume-writes").into(), count(iops), "-".into(), row);
    }
    if let Some(burst) = &volume.burst {
        let date = volume.row.date.as_deref().filter(|_| burst.mark != CloudMark::K);
        let row = mark(lang, burst.mark, date);
        add(word!(lang, "cloud-volume-burst").into(), number(burst.iops), bytes(burst.throughput), row);
    }
    let volumes = card.limits.volumes;
    if volumes > 1 && !volume.pooled {
        let (iops, rate) = (card.limits.together(volume.iops), card.limits.together(volume.throughput));
        add(say!(lang, "cloud-volumes", volumes), number(iops), bytes(rate), mark_of(lang, &volume.row));
    }
    if let Some(machine) = &card.limits.instance {
        let row = mark_of(lang, &machine.row);
        let of_writes = [machine.write_iops, machine.write_throughput];
        let apart = of_writes != [None; 2] && of_writes != [machine.iops, machine.throughput];
        let name = if apart { word!(lang, "cloud-instance-reads") } else { word!(lang, "cloud-instance") };
        add(name.into(), number(machine.iops), bytes(machine.throughput), row.clone());
        if apart {
            let [iops, rate] = of_writes;
            add(word!(lang, "cloud-instance-writes").into(), number(iops), bytes(rate), row.clone());
        }
        if machine.burst_iops.or(machine.burst_throughput).is_some() {
            let (iops, throughput) = (number(machine.burst_iops), bytes(machine.burst_throughput));
            add(word!(lang, "cloud-instance-burst").into(), iops, throughput, row);
        }
    }
    Grid { keys: 1, to_right: |c| c == 1 || c == 2, gap: 2 }.lines(&rows, width)
}

fn checks(lang: Lang, card: &CloudCard, width: usize) -> Vec<String> {
    let volume = &card.limits.volume;
    let head = [
        word!(lang, "cloud-column-pattern"),
        word!(lang, "cloud-column-depth"),
        word!(lang, "cloud-column-limit"),
        word!(lang, "cloud-column-measured"),
        word!(lang, "cloud-column-interval"),
        word!(lang, "cloud-column-share"),
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for check in &card.checks {
        rows.push(vec![
            pattern(lang, check),
            check.depth.to_string(),
            with_unit(volume, check, check.cap.iops),
            check.measured.map_or("-".into(), |m| shown(volume, check, m.value)),
            between(lang, volume, check),
            check.share().map_or("-".into(), percent),
        ]);
    }
    Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, width)
}

/// Returns the label of a line, padded to the width of the widest label.
fn label(lang: Lang, text: &str) -> String {
    let all = [
        word!(lang, "cloud-label-crossover"),
        word!(lang, "cloud-label-depth"),
        word!(lang, "cloud-label-burst"),
        word!(lang, "cloud-label-duration"),
        word!(lang, "cloud-label-counts"),
        word!(lang, "cloud-label-sharing"),
        word!(lang, "cloud-label-volumes"),
        word!(lang, "cloud-label-writes"),
        word!(lang, "cloud-label-instance"),
        word!(lang, "cloud-label-source"),
        word!(lang, "cloud-label-known"),
        word!(lang, "cloud-label-trust"),
        word!(lang, "cloud-label-caveat"),
    ];
    left(text, widest(&all) + 1)
}

/// Returns the lines below the tables, at most `room`: the least important ones are left out, and JSON has them.
fn tail(lang: Lang, card: &CloudCard, width: usize, room: usize) -> Vec<String> {
    let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
    let mut add =
        |name: &'static str, text: String| parts.push((name, fill(&label(lang, name), &text, width)));
    let (limits, volume) = (&card.limits, &card.limits.volume);
    let crossover = match (limits.crossover, limits.only_limit()) {
        (Some(bytes), _) => Some(say!(lang, "cloud-crossover", size = block_size(volume.unit, bytes))),
        (None, Some(limit)) => Some(say!(lang, "cloud-no-crossover", binding = binding(lang, limit))),
        (None, None) => None,
    };
    if let Some(text) = crossover {
        add(word!(lang, "cloud-label-crossover"), text);
    }
    // Where throughput binds at every block size, no depth reaches the IOPS limit.
    let of_iops = limits.only_limit().is_none_or(CloudLimit::is_of_iops);
    if let Some(depth) = limits.depth.filter(|_| of_iops) {
        // The depth is a whole number.
        let (depth, latency) = (depth as u64, time(limits.latency_ns));
        let text = if card.alone_ns.is_some() {
            say!(lang, "cloud-depth-measured", depth, latency)
        } else if volume.qd1_ms.is_some() {
            say!(lang, "cloud-depth-stated", depth, latency)
        } else {
            say!(lang, "cloud-depth-assumed", depth, latency)
        };
        add(word!(lang, "cloud-label-depth"), text);
    }
    if let Some(burst) = &volume.burst {
        let text = match (burst.kind, burst.seconds) {
            (BurstKind::Credits, Some(seconds)) => {
                let (time, refill) = (lasting(seconds), burst.refill_seconds.map_or("-".into(), lasting));
                say!(lang, "cloud-burst-credits", time, refill)
            }
            (BurstKind::OnDemand, _) => word!(lang, "cloud-burst-on-demand").to_owned(),
            _ => word!(lang, "cloud-burst-unstated").to_owned(),
        };
        add(word!(lang, "cloud-label-burst"), text);
    }
    let measured = card.target.is_some();
    let duration = match limits.honest_seconds {
        Some(seconds) => Some(say!(lang, "cloud-duration", time = lasting(seconds))),
        None => (!measured).then(|| word!(lang, "cloud-duration-any").to_owned()),
    };
    if let Some(text) = duration {
        add(word!(lang, "cloud-label-duration"), text);
    }
    let counts = volume.io_unit.filter(|_| !measured).map(|unit| {
        let size = block_size(CloudUnit::Mebibyte, unit as f64);
        if volume.whole_units {
            say!(lang, "cloud-counts-whole", size)
        } else {
            say!(lang, "cloud-counts", size)
        }
    });
    let counts = counts.or_else(|| volume.slices.then(|| word!(lang, "cloud-slices").to_owned()));
    if let Some(text) = counts {
        add(word!(lang, "cloud-label-counts"), text);
    }
    let instance = match (&card.instance_source, &limits.instance) {
        (Some(source), _) => Some(say!(lang, "cloud-instance-missing", source = &source.source)),
        (None, None) => Some(word!(lang, "cloud-instance-unknown").to_owned()),
        (None, Some(_)) => None,
    };
    if let Some(text) = instance {
        add(word!(lang, "cloud-label-instance"), text);
    }
    if let Some(text) = sharing(lang, card) {
        add(word!(lang, "cloud-label-sharing"), text);
    }
    if let Some(text) = volumes(lang, card) {
        add(word!(lang, "cloud-label-volumes"), text);
    }
    if measured && !card.measured_writes() && card.error.is_none() {
        let text = match (&card.target, card.may_write) {
            (Some(target), false) => say!(lang, "cloud-writes-consent", target = fit_end(target, width / 3)),
            _ => word!(lang, "cloud-writes-budget").to_owned(),
        };
        add(word!(lang, "cloud-label-writes"), text);
    }
    let machine = limits.instance.as_ref().map(|machine| &machine.row.source);
    let sources: Vec<&str> = std::iter::once(&volume.row.source).chain(machine).map(String::as_str).collect();
    add(word!(lang, "cloud-label-source"), sources.join("; "));
    let known = told(lang, card);
    if !known.is_empty() {
        add(word!(lang, "cloud-label-known"), known.join("; "));
    }
    if card.target.is_some() {
        add(word!(lang, "cloud-label-trust"), findings::trust(lang, card.grade()));
        // The answer already has the finding by which the device was not measured.
        let more = |f: &&Finding| f.claim.grade() > Grade::Trusted && f.claim.grade() != Grade::NotTheDevice;
        // A limit of the control group explains a low rate better than anything else.
        let first = |f: &&Finding| (matches!(f.claim, Claim::Cap { .. }), f.claim.grade());
        if let Some(found) = card.findings.iter().rev().filter(more).max_by_key(first) {
            let letter = found.claim.grade().letter();
            add(
                word!(lang, "cloud-label-caveat"),
                format!("{letter} {}", findings::statement(lang, &found.claim)),
            );
        }
    }
    let dispensable = [
        word!(lang, "cloud-label-known"),
        word!(lang, "cloud-label-counts"),
        word!(lang, "cloud-label-crossover"),
        word!(lang, "cloud-label-depth"),
        word!(lang, "cloud-label-source"),
        word!(lang, "cloud-label-volumes"),
        word!(lang, "cloud-label-writes"),
        word!(lang, "cloud-label-burst"),
        word!(lang, "cloud-label-sharing"),
    ];
    for name in dispensable {
        if parts.iter().map(|(_, lines)| lines.len()).sum::<usize>() > room {
            parts.retain(|(label, _)| *label != name);
        }
    }
    parts.into_iter().flat_map(|(_, lines)| lines).collect()
}

fn sharing_rule(lang: Lang, kind: CloudSharing) -> &'static str {
    match kind {
        CloudSharing::Joint => word!(lang, "cloud-sharing-joint"),
        CloudSharing::Apart => word!(lang, "cloud-sharing-apart"),
        CloudSharing::Weighted => word!(lang, "cloud-sharing-weighted"),
    }
}

/// Returns whether reads and writes share the limits, as the tables say and as measured; `None` if neither is known.
fn sharing(lang: Lang, card: &CloudCard) -> Option<String> {
    let stated = card.limits.volume.sharing.as_ref();
    let stated =
        stated.map(|rule| format!("{} ({})", sharing_rule(lang, rule.kind), mark_of(lang, &rule.row)));
    let found = card.sharing_found().map(|kind| sharing_rule(lang, kind));
    match (stated, found) {
        (Some(stated), Some(found)) => Some(say!(lang, "cloud-sharing-measured", found, stated)),
        (None, Some(found)) => Some(say!(lang, "cloud-sharing-measured-only", found)),
        (stated, None) => stated,
    }
}

/// Returns from how many volumes on the instance limits their sum; `None` for one volume, or if not known.
fn volumes(lang: Lang, card: &CloudCard) -> Option<String> {
    let limits = &card.limits;
    if limits.volumes < 2 {
        return None;
    }
    if limits.volume.pooled {
        return Some(word!(lang, "cloud-volumes-pooled").to_owned());
    }
    // The numbers of volumes are whole.
    match limits.volumes_of_instance().map(|number| number.map(|number| number as u64)) {
        [Some(iops), Some(rate)] => Some(say!(lang, "cloud-volumes-both", iops, rate)),
        [Some(iops), None] => Some(say!(lang, "cloud-volumes-iops", iops)),
        [None, Some(rate)] => Some(say!(lang, "cloud-volumes-throughput", rate)),
        [None, None] => None,
    }
}

/// Returns what was recognised, by origin; nothing of what the user said.
fn told(lang: Lang, card: &CloudCard) -> Vec<String> {
    let known = [&card.known.provider, &card.known.kind, &card.known.size, &card.known.instance];
    let of = |origin: CloudOrigin| {
        let values: Vec<&str> = known
            .into_iter()
            .flatten()
            .filter(|fact| fact.origin == origin)
            .map(|fact| fact.value.as_str())
            .collect();
        Some(values.join(", ")).filter(|values| !values.is_empty())
    };
    [
        of(CloudOrigin::Firmware).map(|value| say!(lang, "cloud-known-firmware", value)),
        of(CloudOrigin::Disk).map(|value| say!(lang, "cloud-known-disk", value)),
        of(CloudOrigin::Metadata).map(|value| say!(lang, "cloud-known-metadata", value)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::cloud::order::VolumeOrder;
    use lab::cloud::table::{ProviderTable, providers};
    use stats::cloud::{CloudFact, CloudInstance, CloudKnown, CloudLimits};
    use stats::estimate::Estimate;

    fn lines_fit(text: &str, what: &str) {
        let wide = text.lines().map(columns).max().unwrap_or(0);
        assert!(wide <= 80 && text.lines().count() <= 25, "{what}:\n{text}");
    }

    fn measured(mut card: CloudCard, reach: CloudReach, limit: CloudLimit) -> CloudCard {
        let Some(cap) = card.limits.cap(CloudLoad::Reads, 4096) else { return card };
        let check = |load, block, random| CloudCheck {
            load,
            block,
            random,
            depth: 1024,
            measured: Some(Estimate::around(0.8 * cap.iops, 0.02 * cap.iops)),
            cap,
            burst: None,
            latency_ns: 1e6,
            cpu: 0.1,
            reach,
            binding: Some(limit),
            confirmed: false,
        };
        card.checks = vec![check(CloudLoad::Reads, 4096, true), check(CloudLoad::Reads, 256 << 10, false)];
        card.may_write = reach != CloudReach::Unclear;
        if card.may_write {
            card.checks.extend([
                check(CloudLoad::Writes, 4096, true),
                check(CloudLoad::Writes, 256 << 10, false),
                check(CloudLoad::Mixed, 4096, true),
            ]);
        }
        card.target = Some("/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0123456789abcdef".into());
        card.stack = vec!["nvme1n1 (disk)".into()];
        card.alone_ns = Some(612_345.0);
        let claim = Claim::PageCache { app: 100 << 30, storage: 1 << 20, span: 1 << 30, memory: 64 << 30 };
        card.findings = vec![Finding::new(String::new(), claim)];
        card
    }

    /// Cards of every type in every language, with and without a measurement, fit a terminal of 80 columns and 25
    /// lines; so do the lists.
    #[test]
    fn answers_fit_80_columns_and_25_lines() {
        let tables: Vec<&ProviderTable> = providers().iter().collect();
        for lang in [Lang::En, Lang::Zh, Lang::Ru, Lang::De] {
            lines_fit(&list(lang, &tables, 80), "list");
            for table in &tables {
                lines_fit(&list(lang, &[*table], 80), &table.provider);
                for row in table.current() {
                    let size = Some(row.size[0].max(100.0));
                    let order = VolumeOrder {
                        size,
                        iops: row.iops_order.as_ref().filter(|_| row.iops.is_none()).map(|_| 1000.0),
                        throughput: row
                            .throughput_order
                            .as_ref()
                            .filter(|_| row.throughput.is_none())
                            .map(|_| 100.0),
                        volumes: 4,
                    };
                    let Ok(volume) = row.limits(table, order) else { continue };
                    let bursts = CloudInstance {
                        iops: Some(3600.0),
                        throughput: Some(81.25e6),
                        burst_iops: Some(18750.0),
                        burst_throughput: Some(593.75e6),
                        write_iops: Some(3000.0),
                        write_throughput: Some(70e6),
                        burst_seconds: Some(1800.0),
                        row: CloudSource { source: "x".repeat(60), ..CloudSource::default() },
                        ..CloudInstance::default()
                    };
                    for instance in [None, Some(bursts)] {
                        let mut limits = CloudLimits {
                            volume: volume.clone(),
                            volumes: 4,
                            instance,
                            ..CloudLimits::default()
                        };
                        limits.complete(1e6);
                        let fact = |value: &str| {
                            Some(CloudFact { value: value.into(), origin: CloudOrigin::Firmware })
                        };
                        let known = CloudKnown {
                            provider: fact("aws"),
                            instance: fact("Standard_D96ads_v5"),
                            size: fact("500"),
                            ..CloudKnown::default()
                        };
                        let card = CloudCard { known, limits, ..CloudCard::default() };
                        let what = format!("{} {} in {}", table.provider, row.kind, lang.name());
                        lines_fit(&render(lang, &card, 80), &what);
                        for reach in [CloudReach::Below, CloudReach::Burst, CloudReach::Unclear] {
                            let card = measured(card.clone(), reach, CloudLimit::LowerCap);
                            lines_fit(&render(lang, &card, 80), &what);
                        }
                    }
                }
            }
        }
    }
}
