//! testbed (see docs/design.md)
