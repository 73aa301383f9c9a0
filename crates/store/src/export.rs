//! What `fathom export` and `--json` wrote, read back: the store's own documents, outside of it.

use crate::error::{Document, StoreError};
use stats::study::Study;
use stats::{QuickCard, RunResult};

/// One document.
pub enum Exported {
    /// Several runs, one answer.
    Study(Box<Study>),
    /// A run of jobs.
    Run(Box<RunResult>),
    /// The check of twenty seconds.
    Check(Box<QuickCard>),
}

/// Reads a document by what it holds; `None` for one that is not fathom's.
///
/// # Errors
/// One that looks like fathom's and lacks something.
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
