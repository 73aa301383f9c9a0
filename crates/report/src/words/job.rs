//! Errors and remarks about job files and command lines in words.
