//! Any bytes as a state of verify: read without a panic; a state that was read can be asked, written and read again.
#![no_main]

use engine::Op;
use run::verify::state::State;

/// Checks the laws of a state, if the bytes are one.
fn read(bytes: &[u8]) {
    let Ok(mut state) = State::read(bytes) else { return };
    for number in [0, state.writes, u64::MAX] {
        for (file, offset) in [(0, 0), (1, 4096), (u32::MAX, u64::MAX)] {
            assert!(!state.covers(number, file, offset) || number < state.writes);
        }
    }
    state.complete(&Op::NONE);
    // A depth of billions is damage that the loader meets before it writes.
    if state.depth <= 1 << 10 {
        let again = State::read(&state.to_bytes()).expect("a state that fathom wrote");
        assert_eq!((again.writes, again.run, again.index), (state.writes, state.run, state.index));
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    read(data);
    // The same bytes behind a header that fits: what lies beyond the checksum is read too.
    let crc = !(crc_fast::checksum(crc_fast::CrcAlgorithm::Crc32Iscsi, data) as u32);
    let head = [3, data.len() as u64, crc.into()];
    read(&[&head.map(u64::to_le_bytes).concat(), data].concat());
});
