//! Texts for faults of traces.

use crate::Lang;
use crate::catalog::{say, word};
use run::job_error::errno_text;
use stats::trace_fault::{TraceFault, TraceFaultKind, TraceQuantity};

/// Returns the text of a fault of the trace `path`: the place, the fault, and what is valid there.
pub fn trace_fault(lang: Lang, path: &str, fault: &TraceFault) -> String {
    let why = kind(lang, &fault.kind);
    match (fault.at, &fault.kind) {
        (0, _) => say!(lang, "trace-fault", path, why),
        (number, TraceFaultKind::Event) => say!(lang, "trace-event", path, number = number.to_string(), why),
        (line, _) => say!(lang, "trace-line", path, line = line.to_string(), why),
    }
}

fn kind(lang: Lang, kind: &TraceFaultKind) -> String {
    match kind {
        TraceFaultKind::Unreadable { errno: 0 } => word!(lang, "trace-unreadable").into(),
        TraceFaultKind::Unreadable { errno } => say!(lang, "trace-errno", why = errno_text(*errno)),
        TraceFaultKind::NoHeader { found } => say!(lang, "trace-header", found),
        TraceFaultKind::NoIo => word!(lang, "trace-no-io").into(),
        TraceFaultKind::Action { found, version: 2 } => say!(lang, "trace-action-2", found),
        TraceFaultKind::Action { found, .. } => say!(lang, "trace-action-3", found),
        TraceFaultKind::Number { found, quantity } => match quantity {
            TraceQuantity::Timestamp => say!(lang, "trace-timestamp", found),
            TraceQuantity::Wait => say!(lang, "trace-wait", found),
            TraceQuantity::Offset => say!(lang, "trace-offset", found),
            TraceQuantity::Length => say!(lang, "trace-length", found),
        },
        TraceFaultKind::WaitInVersion3 => word!(lang, "trace-wait-in-3").into(),
        TraceFaultKind::NotAdded { file } => say!(lang, "trace-not-added", file),
        TraceFaultKind::NotOpen { file } => say!(lang, "trace-not-open", file),
        TraceFaultKind::Length { bytes, most } => {
            say!(lang, "trace-length-range", bytes = bytes.to_string(), most = most.to_string())
        }
        TraceFaultKind::OffsetTooLarge { .. } => word!(lang, "trace-offset-range").into(),
        TraceFaultKind::LineTooLong { most } => say!(lang, "trace-line-too-long", most = most.to_string()),
        TraceFaultKind::TooManyFiles { most } => say!(lang, "trace-files", most = most.to_string()),
        TraceFaultKind::Event => word!(lang, "trace-bad-event").into(),
        TraceFaultKind::NoDevice { major, minor } => {
            say!(lang, "trace-no-device", major = major.to_string(), minor = minor.to_string())
        }
        TraceFaultKind::Row { found, format } => {
            say!(lang, "trace-row", found, columns = format.columns())
        }
        TraceFaultKind::Volumes { count, names } => {
            say!(lang, "trace-volumes", count = count.to_string(), names = listed(names, *count))
        }
        TraceFaultKind::NoSuchVolume { volume, found } => {
            say!(
                lang,
                "trace-no-such-volume",
                volume = volume.to_string(),
                names = listed(found, found.len() as u64)
            )
        }
        TraceFaultKind::NoVolumes => word!(lang, "trace-no-volumes").into(),
        TraceFaultKind::NotAFile { volume } => say!(lang, "trace-not-a-file", volume),
        TraceFaultKind::NotBlktrace => word!(lang, "trace-not-blktrace").into(),
        TraceFaultKind::Changed => word!(lang, "trace-changed").into(),
    }
}
/// Returns the text of a fault of the trace `path` that no option names.
pub fn fault_of_file(lang: Lang, path: &str, fault: &TraceFault) -> String {
    if fault.at == 0 {
        format!("{path}: {}", kind(lang, &fault.kind))
    } else {
        trace_fault(lang, path, fault)
    }
}

/// Returns names joined by commas, with an ellipsis if there are more.
fn listed(names: &[String], count: u64) -> String {
    let more = if count > names.len() as u64 { ", ..." } else { "" };
    names.join(", ") + more
}
