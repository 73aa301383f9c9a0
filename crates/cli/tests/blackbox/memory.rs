//! Memory of I/O buffers: the kernel is asked for the kind that the job wants, and reads go there.

use crate::common::{fathom, words};
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

/// What was asked of the kernel; buffers' addresses in reads are numbers.
fn traced(sandbox: &Sandbox, args: &str) -> (Ran, String) {
    let trace = sandbox.join("trace");
    let mut command = Command::new("strace");
    command.args([
        "-f",
        "-e",
        "trace=mmap,openat,open,shmget,shmat,shmdt,shmctl,pread64",
        "-e",
        "raw=pread64",
        "-o",
    ]);
    command.arg(&trace).arg(fathom().get_program()).arg("fio");
    command.args(words(&format!("--name=c --rw=read --bs=4k --size=16k --ioengine=psync {args}")));
    let ran = run(command.current_dir(sandbox.path()), Duration::from_secs(30)).unwrap();
    (ran, std::fs::read_to_string(trace).unwrap())
}

/// The address of the first buffer.
fn buffer(trace: &str) -> u64 {
    let call = trace.lines().rfind(|line| line.contains("pread64(0x")).unwrap();
    let address = call.split(", ").nth(1).unwrap();
    u64::from_str_radix(address.trim_start_matches("0x"), 16).unwrap()
}

/// What the call with these words in it gave back.
fn answer(trace: &str, call: &[&str]) -> u64 {
    let line = trace.lines().rfind(|line| call.iter().all(|word| line.contains(word)));
    let line = line.unwrap_or_else(|| panic!("no {call:?} in {trace}"));
    let address = line.rsplit("= ").next().unwrap();
    u64::from_str_radix(address.trim_start_matches("0x"), 16).unwrap()
}

#[test]
fn buffers_lie_where_the_job_wants_them() {
    skip_without!(Need::Program("strace"));
    for (args, call) in [
        ("--mem=shm", ["shmat(", "", ""]),
        ("--iomem=mmapshared", ["mmap(NULL, 4096", "MAP_SHARED|MAP_ANONYMOUS", ""]),
        ("--mem=mmap", ["mmap(NULL, 4096", "MAP_PRIVATE|MAP_ANONYMOUS", ""]),
        ("--mem=mmap:there", ["mmap(NULL, 4096", "MAP_PRIVATE, ", ""]),
        ("--mem=mmapshared:there", ["mmap(NULL, 4096", "MAP_SHARED, ", ""]),
        ("--mem=mmaphuge:there --hugepage-size=64k", ["mmap(NULL, 65536", "MAP_PRIVATE, ", ""]),
    ] {
        let sandbox = Sandbox::new().unwrap();
        let (ran, trace) = traced(&sandbox, args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args}: {ran:?}");
        assert_eq!(buffer(&trace), answer(&trace, &call), "{args}");
        assert!(!sandbox.join("there").exists(), "{args}");
        if args.contains("shm") {
            assert!(trace.contains("IPC_RMID"), "{args}: the segment stays behind");
        }
    }
    for (args, align) in
        [("--iomem_align=64k", 65536), ("--mem=mmap --mem_align=3000", 3000), ("--direct=1", 4096)]
    {
        let sandbox = Sandbox::new().unwrap();
        let (ran, trace) = traced(&sandbox, args);
        assert_eq!(ran.code, Some(0), "{args}: {ran:?}");
        assert_eq!((buffer(&trace) % align, buffer(&trace) % 4096), (0, 0), "{args}: {:x}", buffer(&trace));
    }
}

/// What is copied from the page cache lies behind a page, where neither the job nor O_DIRECT asks for a place.
#[test]
fn buffers_of_cached_reads_begin_behind_a_page() {
    skip_without!(Need::Program("strace"));
    for (args, behind) in
        [("", 1040), ("--direct=0", 1040), ("--rw=randrw", 0), ("--mem=malloc --iomem_align=8k", 0)]
    {
        let sandbox = Sandbox::new().unwrap();
        let (ran, trace) = traced(&sandbox, args);
        assert_eq!((ran.code, buffer(&trace) % 4096), (Some(0), behind), "{args}: {ran:?}");
    }
}

/// Huge pages may be there or not; what is asked for is as large as fio asks.
#[test]
fn huge_memory_is_asked_for_in_whole_pages() {
    skip_without!(Need::Program("strace"));
    for (args, asked) in [
        ("--mem=shmhuge", "shmget(IPC_PRIVATE, 2097152, IPC_CREAT|SHM_HUGETLB|0600)"),
        (
            "--mem=mmaphuge --hugepage-size=4m",
            "mmap(NULL, 4194304, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS|MAP_HUGETLB",
        ),
    ] {
        let sandbox = Sandbox::new().unwrap();
        let (ran, trace) = traced(&sandbox, args);
        assert!(trace.contains(asked), "{args}: {trace}");
        let none = ran.stderr.contains("no huge pages available") && ran.code == Some(1);
        assert!(ran.code == Some(0) || none, "{args}: {ran:?}");
    }
}

#[test]
fn a_file_that_is_there_is_not_made_a_buffer() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("there", 8192).unwrap();
    let before = std::fs::read(&path).unwrap();
    for kind in ["mmap", "mmapshared", "mmaphuge"] {
        let args = format!("--name=c --rw=read --size=16k --mem={kind}:{}", path.display());
        let ran =
            run(fathom().args(words(&args)).current_dir(sandbox.path()), Duration::from_secs(30)).unwrap();
        assert!(ran.code == Some(1) && ran.stdout.contains("func=open mmap file"), "{kind}: {ran:?}");
        assert!(std::fs::read(&path).unwrap() == before, "{kind}");
    }
}
