//! Doubt is data: what was changed, fell back or was left out, said where the result is read.

use serde::{Deserialize, Serialize};

/// Where a note belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// fio prints this line on stderr too, in these words.
    Fio,
    /// Something asked for was not to be had and something else was done.
    Fallback,
    /// Something about the result that a reader should know.
    Remark,
}

/// One sentence about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Where it belongs.
    pub kind: NoteKind,
    /// The job it is about; empty for the whole run.
    pub job: String,
    /// The sentence, without a final newline.
    pub text: String,
}

impl Note {
    /// A note of kind `kind` about `job`.
    pub fn new(kind: NoteKind, job: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind, job: job.into(), text: text.into() }
    }
}
