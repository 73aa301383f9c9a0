//! Why the value of an option is refused, in fio's words and in ours.

/// Why a value is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{right}")]
pub struct BadValue {
    /// Lines that fio prints on stdout (lists of valid values).
    pub stdout: String,
    /// Lines that fio prints on stderr before its `failed parsing` line.
    pub stderr: String,
    /// What would be right, for our own line.
    pub right: String,
    /// fio knows it and fathom does not have it yet.
    pub not_yet: bool,
}

impl BadValue {
    /// Refused with our own words only.
    pub fn right(right: impl Into<String>) -> Self {
        Self { right: right.into(), ..Self::default() }
    }

    /// Refused with a line of fio's before ours.
    pub fn fio(stderr: impl Into<String>, right: impl Into<String>) -> Self {
        Self { stderr: stderr.into() + "\n", right: right.into(), ..Self::default() }
    }
}
