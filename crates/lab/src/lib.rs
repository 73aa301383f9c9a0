//! lab (see docs/design.md)
