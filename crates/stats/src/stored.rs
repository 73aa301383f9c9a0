//! Names and list lines of stored results.

use crate::finding::Grade;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Name of a stored result: `S12` is a study, `R7` a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum StoredId {
    /// Number of a study.
    Study(i64),
    /// Number of a run, of a twenty-second check, or of an answer.
    Run(i64),
}

impl fmt::Display for StoredId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredId::Study(n) => write!(f, "S{n}"),
            StoredId::Run(n) => write!(f, "R{n}"),
        }
    }
}

/// Error: a text is not the name of a stored result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub struct NotStoredId;

impl FromStr for StoredId {
    type Err = NotStoredId;

    fn from_str(text: &str) -> Result<Self, NotStoredId> {
        let mut letters = text.chars();
        let letter = letters.next().ok_or(NotStoredId)?;
        let digits = letters.as_str();
        let plain = digits.bytes().all(|b| b.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| plain).ok_or(NotStoredId)?;
        match letter {
            'S' | 's' => Ok(StoredId::Study(number)),
            'R' | 'r' => Ok(StoredId::Run(number)),
            _ => Err(NotStoredId),
        }
    }
}

impl From<StoredId> for String {
    fn from(id: StoredId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for StoredId {
    type Error = NotStoredId;

    fn try_from(text: String) -> Result<Self, NotStoredId> {
        text.parse()
    }
}

/// Kind of a stored result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredKind {
    /// Run of jobs.
    Run,
    /// A twenty-second check.
    Check,
    /// Study of several runs.
    Study,
    /// Answer of `fathom fit`.
    Fit,
    /// Answer of `fathom explain`.
    Explain,
    /// Answer of `fathom cloud`.
    Cloud,
    /// Answer of `fathom rank`.
    Rank,
    /// Study of `fathom pts`.
    Pts,
    /// Answer of `fathom characterize`.
    Characterize,
    /// Answer of `fathom files`.
    Files,
    /// Answer of `fathom objects`.
    Objects,
    /// Result of a run on several hosts.
    Hosts,
}

impl StoredKind {
    /// All kinds.
    pub const ALL: [StoredKind; 12] = [
        StoredKind::Run,
        StoredKind::Check,
        StoredKind::Study,
        StoredKind::Fit,
        StoredKind::Explain,
        StoredKind::Cloud,
        StoredKind::Rank,
        StoredKind::Pts,
        StoredKind::Characterize,
        StoredKind::Files,
        StoredKind::Objects,
        StoredKind::Hosts,
    ];

    /// Returns the name: `run`, `check`, `study`, or that of the command.
    pub fn name(self) -> &'static str {
        match self {
            StoredKind::Run => "run",
            StoredKind::Check => "check",
            StoredKind::Study => "study",
            StoredKind::Fit => "fit",
            StoredKind::Explain => "explain",
            StoredKind::Cloud => "cloud",
            StoredKind::Rank => "rank",
            StoredKind::Pts => "pts",
            StoredKind::Characterize => "characterize",
            StoredKind::Files => "files",
            StoredKind::Objects => "objects",
            StoredKind::Hosts => "hosts",
        }
    }

    /// Returns the kind with this name; `None` for any other text.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Line of the list of stored results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// Name of the result.
    pub id: StoredId,
    /// Kind of the result.
    pub kind: StoredKind,
    /// Start, milliseconds since the epoch.
    pub began_ms: u64,
    /// Version of fathom that measured the result.
    pub version: String,
    /// Arguments of a run, or targets of a check or study.
    pub title: String,
    /// Grade of a run or check; `None` for a study, whose points have their own grades.
    pub grade: Option<Grade>,
    /// Number of points of a study; `None` for other results.
    pub points: Option<u64>,
    /// Whether the result is complete; false for an unfinished study.
    pub complete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_what_is_none_is_refused() {
        for id in [StoredId::Study(12), StoredId::Run(7), StoredId::Run(i64::MAX)] {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        assert_eq!("s3".parse(), Ok(StoredId::Study(3)));
        for wrong in ["", "7", "R", "X7", "R-1", "R+1", "R7x", "R99999999999999999999", "ä1"] {
            assert_eq!(wrong.parse::<StoredId>(), Err(NotStoredId), "{wrong}");
        }
    }
}
