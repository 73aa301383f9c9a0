//! Reads the JSON documents back that `fathom export` and `--json` wrote.

use crate::error::{Document, StoreError};
use stats::pts::PtsStudy;
use stats::study::Study;
use stats::{QuickCard, RunResult};

/// A document read from an exported file.
pub enum Exported {
    /// A study: several runs, one answer.
    Study(Box<Study>),
    /// A run of jobs.
    Run(Box<RunResult>),
    /// A check of twenty seconds.
    Check(Box<QuickCard>),
    /// A study of `fathom pts`.
    Pts(Box<PtsStudy>),
}

/// Reads an exported document; its keys determine the kind. Returns `None` for text that is not a document of fathom.
///
/// # Errors
/// [`StoreError::Unreadable`] for a document of fathom that lacks a field or has an invalid one.
pub fn exported(text: &str) -> Option<Result<Exported, StoreError>> {
    let whole: serde_json::Value = serde_json::from_str(text).ok()?;
    let has = |keys: [&str; 2]| keys.iter().all(|key| whole.get(key).is_some());
    if has(["points", "conclusions"]) {
        Some(crate::parsed(Document::Exported, text).map(Exported::Study))
    } else if has(["jobs", "provenance"]) {
        Some(crate::parsed(Document::Exported, text).map(Exported::Run))
    } else if has(["device", "runs"]) {
        Some(crate::parsed(Document::Exported, text).map(Exported::Pts))
    } else if has(["rows", "target"]) {
        Some(crate::parsed(Document::Exported, text).map(Exported::Check))
    } else {
        None
    }
}
