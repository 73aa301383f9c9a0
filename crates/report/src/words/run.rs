//! Errors, refusals and notes of a run in words.
