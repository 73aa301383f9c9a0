//! facts (see docs/design.md)
