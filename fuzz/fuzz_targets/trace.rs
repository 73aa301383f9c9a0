//! Any bytes as a trace, text or binary: read and examined without a panic.
#![no_main]

#[path = "../../crates/job/tests/common/any_trace.rs"]
mod any_trace;

libfuzzer_sys::fuzz_target!(|data: &[u8]| any_trace::trace(data));
