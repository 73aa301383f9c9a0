//! Terms that several renderers share: directions, kinds of rows, the storage stack on one line.

use crate::Lang;
use crate::catalog::{say, word};
use stats::RowKind;

/// Returns the storage stack on one line, the topmost layer first.
pub(crate) fn stack(lang: Lang, layers: &[String]) -> String {
    if layers.is_empty() { say!(lang, "card-stack") } else { layers.join(" > ") }
}

/// Returns the name of what a row of figures counts.
pub(crate) fn row_kind(lang: Lang, kind: RowKind) -> &'static str {
    match kind {
        RowKind::Ios(of) => direction(lang, of.name()),
        RowKind::Commits => word!(lang, "card-commits"),
        RowKind::Syncs => word!(lang, "card-syncs"),
    }
}

/// Returns the name of a direction: `read`, `write`, anything else is trim.
pub(crate) fn direction(lang: Lang, name: &str) -> &'static str {
    match name {
        "read" => word!(lang, "card-direction-read"),
        "write" => word!(lang, "card-direction-write"),
        _ => word!(lang, "card-direction-trim"),
    }
}
