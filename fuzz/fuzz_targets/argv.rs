//! Any words as a command line, one word a line: parsed and planned without a panic.
#![no_main]

#[path = "../../crates/job/tests/common/mod.rs"]
mod common;
#[path = "../../crates/job/tests/common/whatever.rs"]
mod whatever;

libfuzzer_sys::fuzz_target!(|data: &[u8]| whatever::argv(data));
