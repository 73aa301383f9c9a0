//! run (see docs/design.md)
