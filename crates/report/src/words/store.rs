//! Errors of the store in words.
