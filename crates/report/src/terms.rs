//! Terms used by several renderers: directions, kinds of rows, the storage stack on one line.

use crate::Lang;
use crate::catalog::{say, word};
use stats::RowKind;

/// Returns the storage stack on one line, the topmost layer first.
pub(crate) fn stack(lang: Lang, layers: &[String]) -> String {
    if layers.is_empty() { say!(lang, "stack-unknown") } else { layers.join(" > ") }
}

/// Returns the name of the operations that a row of figures counts.
pub(crate) fn row_kind(lang: Lang, kind: RowKind) -> &'static str {
    match kind {
        RowKind::Ios(of) => direction(lang, of.name()),
        RowKind::Commits => word!(lang, "row-commit"),
        RowKind::Syncs => word!(lang, "row-sync"),
    }
}

/// Returns the name of a direction: `read`, `write`, anything else is trim.
pub(crate) fn direction(lang: Lang, name: &str) -> &'static str {
    match name {
        "read" => word!(lang, "direction-read"),
        "write" => word!(lang, "direction-write"),
        _ => word!(lang, "direction-trim"),
    }
}
