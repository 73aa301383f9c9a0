//! Running a plan: consent, layout, patterns, payload, the loop, phases, workers, and the driver in virtual time.
#![forbid(unsafe_code)]

pub mod consent;
pub mod general;
pub mod limits;
pub mod pattern;
pub mod payload;
pub mod permute;
pub mod prepare;
