//! Reasons and errors of studies in words.
