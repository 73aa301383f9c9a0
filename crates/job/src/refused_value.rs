//! A refused value with the place where it was typed.

use crate::bad_value::BadValue;
use crate::spec::Place;

/// The value of an option is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedValue {
    /// Where the option was typed.
    pub place: Place,
    /// The option as typed, with its value.
    pub typed: String,
    /// Why the value is refused.
    pub bad: BadValue,
    /// How fio ends its lines about the value.
    pub fio_end: FioEnd,
}

/// How fio ends its lines about a refused value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FioEnd {
    /// With no further line.
    Silent,
    /// With `failed parsing` and the option as fio repeats it.
    FailedParsing(String),
    /// fio says only that it cannot load the engine of this name.
    NoEngine(String),
}
