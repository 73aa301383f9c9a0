//! Grades: how far a result may be believed.

use serde::{Deserialize, Serialize};

/// How far a result can be trusted; a worse grade is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Grade {
    /// Trusted.
    #[default]
    #[serde(rename = "A")]
    Trusted,
    /// Trusted, with caveats.
    #[serde(rename = "B")]
    Caveats,
    /// Holds only under the conditions that the findings state.
    #[serde(rename = "C")]
    Conditions,
    /// Did not measure the device.
    #[serde(rename = "X")]
    NotTheDevice,
}

impl Grade {
    /// All, best first.
    pub const ALL: [Grade; 4] = [Grade::Trusted, Grade::Caveats, Grade::Conditions, Grade::NotTheDevice];

    /// `A`, `B`, `C` or `X`.
    pub fn letter(self) -> &'static str {
        ["A", "B", "C", "X"][self as usize]
    }

    /// From its letter, either case.
    pub fn from_letter(letter: &str) -> Option<Grade> {
        Grade::ALL.into_iter().find(|g| g.letter().eq_ignore_ascii_case(letter))
    }
}
