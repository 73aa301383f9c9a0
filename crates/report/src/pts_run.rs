//! Words of `fathom pts` before, during and at the end of a study: plan, progress, refusals and a line per test. The
//! report of the results is in `pts`.

use crate::catalog::{say, word};
use crate::scale::{bytes, seconds, short, time};
use crate::words::{facts, run};
use crate::{Lang, export, fill, findings, hang, lay, prose_width};
use ::facts::common_path::Common;
use lab::pts::ata_erase::AtaFault;
use lab::pts::error::{PtsError, PtsRefusal};
use lab::pts::several::PtsShared;
use stats::pts::{
    PtsBlock, PtsCost, PtsDeviation, PtsFinding, PtsForecast, PtsLoad, PtsOrder, PtsPhase, PtsProgress,
    PtsPurgeMethod, PtsQuantity, PtsRates, PtsResult, PtsSliceCell, PtsSteady, PtsSteadyPart, PtsStudy,
    PtsTest, PtsTestRun,
};

/// Returns a duration in the two largest units: `45 s`, `12 min`, `4 h 40 min`, `2 d 3 h`.
fn long_time(lang: Lang, duration_s: f64) -> String {
    let minutes = (duration_s / 60.0).round() as u64;
    match duration_s {
        ..10.0 => say!(lang, "pts-run-time-s", s = seconds(duration_s)),
        ..90.0 => say!(lang, "pts-run-time-s", s = format!("{duration_s:.0}")),
        ..3_570.0 => say!(lang, "pts-run-time-min", min = minutes.to_string()),
        ..172_800.0 => {
            say!(lang, "pts-run-time-h", h = (minutes / 60).to_string(), min = (minutes % 60).to_string())
        }
        _ => say!(
            lang,
            "pts-run-time-d",
            d = (minutes / 1440).to_string(),
            h = (minutes % 1440 / 60).to_string()
        ),
    }
}

fn span(low: String, high: String) -> String {
    if low == high { low } else { format!("{low} - {high}") }
}

/// Returns a block size: `1024k`.
fn size(bytes: u64) -> String {
    if bytes.is_multiple_of(1024) { format!("{}k", bytes / 1024) } else { bytes.to_string() }
}

/// Returns a load: `R/W 65/35 64k T4 Q32`.
fn load(load: &PtsLoad) -> String {
    let block = match load.block {
        PtsBlock::Bytes(bytes) => size(bytes),
        PtsBlock::Composite => "CBW".into(),
    };
    let order = if load.random { "RND" } else { "SEQ" };
    format!("{order} {}/{} {block} T{} Q{}", load.reads, 100 - load.reads, load.threads, load.depth)
}

fn phase(lang: Lang, phase: PtsPhase) -> &'static str {
    match phase {
        PtsPhase::Fill => word!(lang, "pts-run-fill"),
        PtsPhase::Precondition => word!(lang, "pts-run-precondition"),
        PtsPhase::Round => word!(lang, "pts-run-round"),
        PtsPhase::Slice => word!(lang, "pts-run-slice"),
        PtsPhase::PreWrite | PtsPhase::OperatingWrites => word!(lang, "pts-run-pre-write"),
        PtsPhase::Saturation => word!(lang, "pts-run-saturation"),
        PtsPhase::Burst => word!(lang, "pts-run-burst"),
        PtsPhase::Return => word!(lang, "pts-run-return"),
        PtsPhase::FirstGroup | PtsPhase::Between | PtsPhase::SecondGroup => word!(lang, "pts-run-group"),
        PtsPhase::Histogram => word!(lang, "pts-run-histogram"),
    }
}

/// Returns the beginning of the progress line.
pub fn measuring(lang: Lang, test: PtsTest, order: &PtsOrder, progress: &PtsProgress) -> String {
    let (name, what, number) = (test.name(), phase(lang, order.place.phase), order.place.round.to_string());
    let left = long_time(lang, progress.left_s);
    let load = load(&order.load);
    match progress.rounds_left.filter(|left| *left > 0) {
        Some(more) => {
            say!(lang, "pts-run-progress-rounds", name, what, number, load, more = more.to_string(), left)
        }
        None => say!(lang, "pts-run-progress", name, what, number, load, left),
    }
}

/// Returns the beginning of the progress line during a purge.
pub fn purging(lang: Lang, test: PtsTest) -> String {
    say!(lang, "pts-run-purging", name = test.name())
}

/// Returns what a study will do and cost, as `--dry-run` shows it.
pub fn plan(lang: Lang, study: &PtsStudy, forecast: &PtsForecast, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = head(lang, study, width);
    let cost = |cost: &PtsCost| {
        let [least, most] = cost.seconds.map(|s| long_time(lang, s));
        let [few, many] = cost.bytes.map(|b| bytes(b as u64));
        say!(lang, "pts-run-cost", time = span(least, most), bytes = span(few, many))
    };
    for (test, of) in &forecast.tests {
        lines.extend(fill("", &format!("{}: {}", test.name(), cost(of)), width));
    }
    if forecast.tests.len() > 1 {
        lines.extend(fill("", &say!(lang, "pts-run-total", cost = cost(&forecast.total)), width));
    }
    let (rate, iops) = (bytes(forecast.rates.sequential as u64), short(forecast.rates.iops));
    let assumed = match forecast.rates == PtsRates::DISK {
        true => say!(lang, "pts-run-assumed-disk", rate, iops),
        false => say!(lang, "pts-run-assumed", rate, iops),
    };
    lines.extend(fill("", &assumed, width));
    lines.extend(fill("", &say!(lang, "pts-run-destroys", device = study.device.name.clone()), width));
    lay(&lines)
}

/// Forecast of a study, and what forbids it.
#[derive(serde::Serialize)]
struct PlanDocument<'a> {
    #[serde(flatten)]
    forecast: &'a PtsForecast,
    /// Reason why the study would not begin.
    refused: &'a Option<String>,
}

/// Returns the forecast of each study and why it would not begin, as one JSON document, newline at the end: one object,
/// or an array for several devices.
pub fn plan_json(plans: &[(PtsForecast, Option<String>)]) -> String {
    let documents: Vec<PlanDocument<'_>> =
        plans.iter().map(|(forecast, refused)| PlanDocument { forecast, refused }).collect();
    match documents.as_slice() {
        [one] => export::json(one),
        all => export::json(&all),
    }
}

fn head(lang: Lang, study: &PtsStudy, width: usize) -> Vec<String> {
    let PtsStudy { device, asked, .. } = study;
    let model = if device.model.is_empty() { String::new() } else { format!(" ({})", device.model) };
    let about = say!(
        lang,
        "pts-run-head",
        device = format!("{}{model}", device.name),
        size = bytes(device.bytes),
        class = asked.class.name(),
        range = short(asked.active_range_percent)
    );
    let mut lines = fill("", &about, width);
    if asked.scale > 1 {
        lines.extend(fill("", &say!(lang, "pts-run-scaled", by = asked.scale.to_string()), width));
    }
    lines
}

/// Returns one line per test with its verdict and main figure.
pub fn card(lang: Lang, study: &PtsStudy, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = head(lang, study, width);
    for run in &study.runs {
        lines.extend(hang(&format!("{}: {}", run.test.name(), test_line(lang, run)), width));
    }
    if !study.complete {
        lines.extend(fill("", word!(lang, "pts-run-incomplete"), width));
    }
    if let (Some(host), Some(loss)) = (&study.on_host, &study.lost) {
        lines.extend(fill("", &crate::hosts::lost(lang, host, loss), width));
    }
    if !study.findings.is_empty() {
        let grade = findings::trust(lang, PtsFinding::grade_of(&study.findings));
        lines.extend(fill("", &format!("{}: {grade}", word!(lang, "card-label-trust")), width));
    }
    for found in &study.findings {
        let statement = findings::line(lang, &found.finding);
        let (steps, all) = (found.steps.to_string(), found.all_steps.to_string());
        lines.extend(hang(&say!(lang, "pts-run-finding", steps, all, statement), width));
    }
    let mut deviations: Vec<String> = Vec::new();
    for deviation in study.runs.iter().flat_map(|run| &run.deviations) {
        let text = deviation_words(lang, deviation);
        if !deviations.contains(&text) {
            deviations.push(text);
        }
    }
    if !deviations.is_empty() {
        lines.extend(fill("", &say!(lang, "pts-run-derived", reasons = deviations.join("; ")), width));
    }
    lay(&lines)
}

fn test_line(lang: Lang, run: &PtsTestRun) -> String {
    let purge = run.purges.first().map_or(PtsPurgeMethod::None, |purge| purge.method);
    let purge = match purge {
        PtsPurgeMethod::NvmeFormat => word!(lang, "pts-run-purge-format"),
        PtsPurgeMethod::NvmeSanitize => word!(lang, "pts-run-purge-sanitize"),
        PtsPurgeMethod::AtaSecureErase => word!(lang, "pts-run-purge-ata"),
        PtsPurgeMethod::Discard => word!(lang, "pts-run-purge-discard"),
        PtsPurgeMethod::Simulated => word!(lang, "pts-run-purge-simulated"),
        PtsPurgeMethod::None => word!(lang, "pts-run-purge-none"),
    };
    let figure = figure(lang, run).unwrap_or_else(|| word!(lang, "pts-run-no-figure").to_owned());
    let state = |steady: &PtsSteady| match (steady.met_at, steady.window) {
        (None, Some([first, last])) if steady.early.is_some() => {
            let percent = short(steady.early.as_ref().map_or(0.0, |early| early.half_width_percent()));
            say!(lang, "pts-run-early", first = first.to_string(), last = last.to_string(), percent)
        }
        (Some(round), _) => say!(lang, "pts-run-steady", round = round.to_string()),
        (None, Some([first, last])) => {
            say!(lang, "pts-run-not-steady", first = first.to_string(), last = last.to_string())
        }
        (None, None) => word!(lang, "pts-run-no-window").to_owned(),
    };
    let mut parts = vec![figure];
    parts.extend(run.result.steady_parts().into_iter().map(|(part, steady)| match part {
        PtsSteadyPart::Whole => state(steady),
        PtsSteadyPart::Block(bytes) => format!("{}: {}", size(bytes), state(steady)),
        PtsSteadyPart::Preconditioning => {
            format!("{}: {}", word!(lang, "pts-preconditioning-part"), state(steady))
        }
        PtsSteadyPart::Rounds => format!("{}: {}", word!(lang, "pts-rounds-part"), state(steady)),
    }));
    // TKperf does not purge hard disks.
    if run.test.section().is_some() {
        parts.push(purge.to_owned());
    }
    if !run.complete {
        parts.push(word!(lang, "pts-run-unfinished").to_owned());
    }
    parts.join("; ")
}

fn figure(lang: Lang, run: &PtsTestRun) -> Option<String> {
    Some(match &run.result {
        PtsResult::Iops(matrix) => {
            let cell =
                matrix.cells.iter().find(|c| c.load.reads == 0 && c.load.block == PtsBlock::Bytes(4096))?;
            say!(lang, "pts-run-figure-iops", iops = short(cell.iops))
        }
        PtsResult::Throughput(parts) => {
            let cells = parts.iter().flat_map(|part| &part.matrix.cells);
            let rates: Vec<String> = cells
                .map(|cell| format!("{} {}/s", load(&cell.load), bytes(cell.bytes_per_second as u64)))
                .collect();
            (!rates.is_empty()).then(|| rates.join(", "))?
        }
        PtsResult::Latency(latency) => {
            let cells = &latency.matrix.cells;
            let cell = cells.iter().find(|c| c.load.reads == 0 && c.load.block == PtsBlock::Bytes(4096))?;
            say!(lang, "pts-run-figure-latency", mean = time(cell.mean_ns), max = time(cell.max_ns as f64))
        }
        PtsResult::Wsat(saturation) => {
            let (first, last) = (saturation.minutes.first()?, saturation.minutes.last()?);
            let fills = format!("{:.2}", saturation.drive_fills.last()?);
            say!(lang, "pts-run-figure-wsat", first = short(first.iops), last = short(last.iops), fills)
        }
        PtsResult::Hir(recovery) => {
            let gains = recovery
                .states
                .iter()
                .filter_map(|state| Some(format!("{} s {:.2}x", state.wait_s, state.gain?)));
            let gains: Vec<String> = gains.collect();
            let base = short(recovery.baseline_iops?);
            say!(lang, "pts-run-figure-hir", base, gains = gains.join(", "))
        }
        PtsResult::Xsr(cross) => {
            let before = bytes(cross.steady_before? as u64);
            match cross.recovery_minutes {
                Some(minutes) => {
                    say!(lang, "pts-run-figure-xsr", before, minutes = minutes.to_string())
                }
                None if run.complete => say!(lang, "pts-run-figure-xsr-none", before),
                None => say!(lang, "pts-run-figure-xsr-not-yet", before),
            }
        }
        PtsResult::Cbw(demand) | PtsResult::Dirth(demand) => {
            let points = demand.operating.iter().map(|point| {
                let load = &point.cell.load;
                format!(
                    "T{} Q{} {} {}",
                    load.threads,
                    load.depth,
                    short(point.cell.iops),
                    time(point.cell.mean_ns)
                )
            });
            let points: Vec<String> = points.collect();
            (!points.is_empty()).then(|| say!(lang, "pts-run-figure-demand", points = points.join(", ")))?
        }
        PtsResult::HddIops(slices) | PtsResult::HddThroughput(slices) => {
            let of = |cell: &PtsSliceCell| {
                let figure = |value: f64| match cell.quantity {
                    PtsQuantity::BytesPerSecond => format!("{}/s", bytes(value as u64)),
                    PtsQuantity::Iops | PtsQuantity::MeanLatency => short(value),
                };
                format!(
                    "{} {} ({} - {})",
                    load(&cell.load),
                    figure(cell.mean),
                    figure(cell.minimum),
                    figure(cell.maximum)
                )
            };
            let cells: Vec<String> = slices.cells.iter().map(of).collect();
            (!cells.is_empty()).then(|| say!(lang, "pts-run-figure-slices", cells = cells.join(", ")))?
        }
    })
}

fn deviation_words(lang: Lang, deviation: &PtsDeviation) -> String {
    match deviation {
        PtsDeviation::Scaled { by } => say!(lang, "pts-run-why-scaled", by = by.to_string()),
        PtsDeviation::TestOfTkperf => word!(lang, "pts-run-why-tkperf").into(),
        PtsDeviation::Simulated => word!(lang, "pts-run-why-simulated").into(),
        PtsDeviation::Rotating => word!(lang, "pts-run-why-rotating").into(),
        PtsDeviation::UnknownMedium => word!(lang, "pts-run-why-medium").into(),
        PtsDeviation::PageCache => word!(lang, "pts-run-why-page-cache").into(),
        PtsDeviation::NotPurged => word!(lang, "pts-run-why-purge").into(),
        PtsDeviation::DiscardOnly => word!(lang, "pts-run-why-discard").into(),
        PtsDeviation::WriteCacheUnknown => word!(lang, "pts-run-why-cache").into(),
        PtsDeviation::WriteCacheNotSet => word!(lang, "pts-run-why-cache-state").into(),
        PtsDeviation::ActiveRange { used, .. } => say!(lang, "pts-run-why-range", used = used.to_string()),
        PtsDeviation::BlocksLeftOut { sector } => {
            say!(lang, "pts-run-why-blocks", sector = sector.to_string())
        }
        PtsDeviation::FewerRounds { most } => say!(lang, "pts-run-why-rounds", most = most.to_string()),
        PtsDeviation::StoppedEarly { .. } => word!(lang, "pts-run-why-early").into(),
        PtsDeviation::Resumed => word!(lang, "pts-run-why-resumed").into(),
        PtsDeviation::FailedIos { errors } => say!(lang, "pts-run-why-errors", errors = errors.to_string()),
    }
}

/// Returns the study as one JSON document, newline at the end.
pub fn json(study: &PtsStudy) -> String {
    export::json(study)
}

/// Returns how a study that a signal ended is continued.
pub fn resumable(lang: Lang, id: i64) -> String {
    say!(lang, "pts-run-resumable", id = format!("S{id}"))
}

/// Returns the line about unfinished studies of several hosts, named by their numbers or devices.
pub fn not_resumable(lang: Lang, studies: &str) -> String {
    say!(lang, "pts-run-not-resumable", studies)
}

/// Returns the line about studies that are not stored any more.
pub fn no_longer_stored(lang: Lang, why: &str) -> String {
    say!(lang, "pts-run-no-longer-stored", why)
}

/// Returns why an unfinished study cannot be resumed, which a command with `--hosts` measured on this host.
pub fn of_host(lang: Lang, id: i64, host: &str) -> String {
    say!(lang, "pts-run-of-host", id = format!("S{id}"), host)
}

/// Returns the warning that two devices which are measured at the same time share a part; `None` if they do not.
pub fn shared(lang: Lang, shared: &PtsShared) -> Option<String> {
    let [a, b] = &shared.names;
    match &shared.common {
        Common::Disk(part) => Some(say!(lang, "pts-run-shared-disk", a, b, part)),
        Common::Controller(part) => Some(say!(lang, "pts-run-shared-controller", a, b, part)),
        Common::Link(part) => Some(say!(lang, "pts-run-shared-link", a, b, part)),
        Common::Same | Common::Within | Common::PartitionsOf(_) | Common::File(_) => None,
    }
}

/// Returns the message that the test of a device ended by an error of the program.
pub fn panicked(lang: Lang, device: &str) -> String {
    say!(lang, "pts-run-panicked", device)
}

/// Returns an error as one line.
pub fn error(lang: Lang, error: &PtsError) -> String {
    match error {
        PtsError::Refused { path, reason } => refusal(lang, &path.display().to_string(), reason),
        PtsError::System { path, errno } => format!("{}: {errno}", path.display()),
        PtsError::Target(error) => crate::words::lab::target_error(lang, error),
        PtsError::Job(error) => run::job_error(lang, error),
        PtsError::RangeTooSmall { path, percent } => {
            let (path, range) = (path.display().to_string(), percent.to_string());
            say!(lang, "pts-run-range-too-small", path, range)
        }
        PtsError::NothingCompleted => word!(lang, "pts-run-nothing").into(),
        PtsError::NotStored => word!(lang, "pts-run-not-stored").into(),
    }
}

fn refusal(lang: Lang, path: &str, reason: &PtsRefusal) -> String {
    match reason {
        PtsRefusal::Carries(found) => {
            let found = found.iter().map(|one| facts::device_use(lang, one)).collect::<Vec<_>>().join("; ");
            say!(lang, "pts-run-refused-carries", path, found)
        }
        PtsRefusal::NotAllowed { bytes } => {
            say!(lang, "pts-run-refused-not-allowed", path, bytes = bytes.to_string())
        }
        PtsRefusal::NoDevice => say!(lang, "pts-run-refused-no-device", path),
        PtsRefusal::OnServer => say!(lang, "pts-run-refused-on-server", path),
        PtsRefusal::AnotherSize { before, now } => {
            say!(lang, "pts-run-refused-size", path, before = before.to_string(), now = now.to_string())
        }
        PtsRefusal::AtaErase(fault) => {
            let why = match fault {
                AtaFault::NotWhole => word!(lang, "pts-run-ata-not-whole"),
                AtaFault::NotAta => word!(lang, "pts-run-ata-no-ata"),
                AtaFault::NotSupported => word!(lang, "pts-run-ata-not-supported"),
                AtaFault::Frozen => word!(lang, "pts-run-ata-frozen"),
                AtaFault::Locked => word!(lang, "pts-run-ata-locked"),
                AtaFault::PasswordSet => word!(lang, "pts-run-ata-password"),
                AtaFault::Expired => word!(lang, "pts-run-ata-expired"),
            };
            say!(lang, "pts-run-refused-ata", path, why)
        }
        PtsRefusal::Overlaps { other, common } => match common {
            Common::PartitionsOf(disk) => say!(lang, "pts-run-refused-parts", path, other, disk),
            Common::File(file) => {
                say!(lang, "pts-run-refused-file", path, other, file = file.display().to_string())
            }
            Common::Within => say!(lang, "pts-run-refused-within", path, other),
            Common::Same | Common::Disk(_) | Common::Controller(_) | Common::Link(_) => {
                say!(lang, "pts-run-refused-same", path, other)
            }
        },
        PtsRefusal::AnotherFile => say!(lang, "pts-run-refused-another-file", path),
        PtsRefusal::AnotherDevice { before, now } => say!(lang, "pts-run-refused-other", path, before, now),
    }
}
