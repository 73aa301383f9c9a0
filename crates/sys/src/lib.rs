//! sys (see docs/design.md)
