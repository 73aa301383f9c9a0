//! libpmem: stores to a mapped file, on memory that is taken for persistent as libpmem's own variable says.

use crate::common::{document, sum, words};
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

const TOOLS: [(&str, &[&str]); 2] = [("fio", &[]), (env!("CARGO_BIN_EXE_fathom"), &["fio"])];

fn ask(sandbox: &Sandbox, (program, first): (&str, &[&str]), forced: bool, args: &str) -> Ran {
    let mut command = Command::new(program);
    command.args(first).args(["--name=a", "--filename=f", "--ioengine=libpmem", "--size=64k"]);
    if forced {
        command.env("PMEM_IS_PMEM_FORCE", "1");
    }
    run(command.args(words(args)).current_dir(sandbox.path()), Duration::from_secs(30)).unwrap()
}

/// fio and fathom count the same I/Os and syncs and store the same bytes; a file of another kind of memory is refused
/// with the same errno.
#[test]
fn libpmem_stores_what_fio_stores_and_refuses_other_memory() {
    skip_without!(Need::Program("fio"));
    let pattern = "--buffer_pattern=0xdeadbeef --output-format=json";
    for args in
        ["--rw=write --bs=4k --sync=1 --direct=1 --fsync=2", "--rw=randwrite --bs=1000", "--rw=read --bs=16k"]
    {
        let [theirs, ours] = TOOLS.map(|tool| {
            let sandbox = Sandbox::in_memory().unwrap();
            let ran = ask(&sandbox, tool, true, &format!("{args} {pattern}"));
            assert_eq!(ran.code, Some(0), "{args}: {ran:?}");
            let document = document(&ran);
            let counts = ["read", "write", "sync"].map(|of| sum(&document, of, "total_ios"));
            let bytes = std::fs::read(sandbox.path().join("f")).unwrap();
            (counts, if args.contains("=write") { bytes } else { vec![bytes.len() as u8] })
        });
        assert_eq!(theirs, ours, "{args}");
    }
    for tool in TOOLS {
        let sandbox = Sandbox::in_memory().unwrap();
        let ran = ask(&sandbox, tool, false, "--rw=write --bs=4k");
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stdout.contains("err=95/file:"), "{ran:?}");
    }
}
