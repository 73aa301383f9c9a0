//! Grades of trust in a result.

use serde::{Deserialize, Serialize};

/// Degree to which a result can be trusted; a worse grade compares greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Grade {
    /// The result can be trusted.
    #[default]
    #[serde(rename = "A")]
    Trusted,
    /// The result can be trusted with the caveats that the findings state.
    #[serde(rename = "B")]
    Caveats,
    /// The result holds only under the conditions that the findings state.
    #[serde(rename = "C")]
    Conditions,
    /// The result did not measure the device.
    #[serde(rename = "X")]
    NotTheDevice,
}

impl Grade {
    /// All grades, best first.
    pub const ALL: [Grade; 4] = [Grade::Trusted, Grade::Caveats, Grade::Conditions, Grade::NotTheDevice];

    /// Returns the letter of the grade: `A`, `B`, `C` or `X`.
    pub fn letter(self) -> &'static str {
        ["A", "B", "C", "X"][self as usize]
    }

    /// Returns the grade of a letter in either case; `None` for any other text.
    pub fn from_letter(letter: &str) -> Option<Grade> {
        Grade::ALL.into_iter().find(|g| g.letter().eq_ignore_ascii_case(letter))
    }
}
