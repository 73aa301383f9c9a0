//! The kernel's account of this process: the only test of its binary, for the account is of all threads.
#![allow(clippy::unwrap_used)]

use facts::{Before, Sample, SysRoot};
use std::fs::File;
use std::os::unix::fs::FileExt;
use testbed::Sandbox;

#[test]
fn process_account_holds_job_io_and_none_of_our_own() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("noise", 4 << 20).unwrap();
    let file = File::options().read(true).write(true).open(&path).unwrap();
    file.sync_all().unwrap();
    let before = Before::look(&SysRoot::machine(), &[path], Sample::Files);
    let mut block = vec![0; 8192];
    for i in 0..100 {
        file.read_exact_at(&mut block, i * 8192).unwrap();
    }
    for i in 0..7 {
        file.write_all_at(&block, i * 8192).unwrap();
    }
    let (layers, _) = before.after([100, 7, 0], [819_200, 57_344, 0]);
    let p = layers.process.unwrap();
    assert_eq!((p.write_chars, p.write_calls), (57_344, 7));
    // Reading /proc/self/io is a read too; the 64 sampled blocks (262,144 bytes) must not be in it.
    assert!((819_200..819_200 + 4096).contains(&p.read_chars), "{p:?}");
    assert!((100..110).contains(&p.read_calls), "{p:?}");
}
