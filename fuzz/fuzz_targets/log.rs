//! Any bytes as each kind of fio's logs and results: read without a panic, with finite samples in the order of time.
#![no_main]

use std::path::PathBuf;

/// Names of the files, one of each kind that is read.
const KINDS: [&str; 6] = ["a_bw.log", "a_iops.1.log", "a_clat.log", "a_lat.2.log", "a_clat_hist.3.log", "a.json"];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let directory = PathBuf::from(format!("/dev/shm/fathom-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory in memory");
    let Some((kind, bytes)) = data.split_first() else { return };
    let path = directory.join(KINDS[usize::from(*kind) % KINDS.len()]);
    std::fs::write(&path, bytes).expect("a file in memory");
    if let Ok(found) = import::read(std::slice::from_ref(&path)) {
        for track in &found.tracks {
            assert!(track.samples.iter().all(|s| s[0].is_finite() && s[1].is_finite() && s[0] >= 0.0));
            assert!(track.samples.windows(2).all(|w| w[0][0] <= w[1][0]));
        }
    }
    std::fs::remove_file(&path).expect("the file is there");
});
