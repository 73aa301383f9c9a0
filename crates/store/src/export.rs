//! Reading of documents that `fathom export` and `--json` have written.

use crate::error::{Document, StoreError};
use stats::study::Study;
use stats::{QuickCard, RunResult};

/// An exported document.
pub enum Exported {
    /// A study.
    Study(Box<Study>),
    /// A run of jobs.
    Run(Box<RunResult>),
    /// A check.
    Check(Box<QuickCard>),
}

/// Reads an exported document; returns `None` if it is not fathom's.
///
/// # Errors
/// The document is fathom's and incomplete.
pub fn exported(text: &str) -> Option<Result<Exported, StoreError>> {
    let whole: serde_json::Value = serde_json::from_str(text).ok()?;
    let has = |keys: [&str; 2]| keys.iter().all(|key| whole.get(key).is_some());
    if has(["points", "conclusions"]) {
        Some(crate::parsed(Document::Exported, text).map(Exported::Study))
    } else if has(["jobs", "provenance"]) {
        Some(crate::parsed(Document::Exported, text).map(Exported::Run))
    } else if has(["rows", "target"]) {
        Some(crate::parsed(Document::Exported, text).map(Exported::Check))
    } else {
        None
    }
}
