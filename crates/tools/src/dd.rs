//! The job of `dd`: copies blocks and counts them.
