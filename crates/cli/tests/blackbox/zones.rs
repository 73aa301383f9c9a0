//! `zonemode=zbd` on a regular file beside fio: the same number of I/Os and of zone resets.

use crate::common::words;
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);
const TOOLS: [(&str, &[&str]); 2] = [("fio", &[]), (env!("CARGO_BIN_EXE_fathom"), &["fio"])];

/// The number of resets at the end of the write lines, and the numbers of issued I/Os.
fn counted(out: &str) -> Vec<String> {
    let resets = out.lines().filter_map(|l| l.split_once("msec); ").map(|(_, resets)| resets.to_owned()));
    resets.chain(out.lines().filter(|l| l.contains("issued rwts")).map(|l| l.trim().to_owned())).collect()
}

#[test]
fn zbd_on_a_file_counts_ios_and_resets_as_fio_does() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::in_memory().unwrap();
    for args in [
        "--rw=write",
        "--rw=write --io_size=512k",
        "--rw=write --loops=3 --ioengine=libaio --iodepth=4",
        "--rw=write --zonecapacity=32k --io_size=512k",
        "--rw=write --offset=4k",
        "--rw=write --io_size=1m --zone_reset_threshold=0.5 --zone_reset_frequency=0.5",
        "--rw=write --zone_reset_frequency=0.25",
        "--rw=randwrite",
        "--rw=randwrite --zonecapacity=32k",
        "--rw=randread",
        "--rw=read --read_beyond_wp=1",
    ] {
        let ran = TOOLS.map(|(program, first)| {
            let file = std::fs::File::create(sandbox.join("f")).unwrap();
            file.set_len(256 << 10).unwrap();
            let mut command = Command::new(program);
            command.args(first).args([
                "--name=a",
                "--filename=f",
                "--size=256k",
                "--zonemode=zbd",
                "--zonesize=64k",
            ]);
            let ran = run(command.args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap();
            (ran.code, counted(&ran.stdout))
        });
        assert_eq!(ran[0], ran[1], "{args}");
    }
}
