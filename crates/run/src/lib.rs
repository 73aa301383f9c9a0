//! run (see docs/design.md)

pub mod consent;
pub mod limits;
pub mod prepare;
