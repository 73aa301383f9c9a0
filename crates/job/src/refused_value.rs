//! A refused option value with the place where it was typed.

use crate::bad_value::BadValue;
use crate::spec::Place;

/// A refused option value with its place and reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedValue {
    /// Place in the command line or job file where the option was typed.
    pub place: Place,
    /// The option and its value as typed.
    pub typed: String,
    /// Reason for the refusal.
    pub bad: BadValue,
    /// Last line that fio prints about the value.
    pub fio_end: FioEnd,
}

/// Last line that fio prints about a refused value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FioEnd {
    /// fio prints no further line.
    Silent,
    /// fio prints `failed parsing` and the option in fio's spelling.
    FailedParsing(String),
    /// fio prints only that it cannot load the engine of this name.
    NoEngine(String),
}
