//! filecreate, filestat, filedelete beside fio: which calls reach the kernel, in which order, and what is counted. dircreate,
//! dirstat, dirdelete, which fio 3.33 has not, alone.

use crate::common::{document, fathom, words};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

/// What the worker asked of the kernel about files called `c.*`, in order; the report; and the files that are left.
fn traced(
    fio: bool,
    sandbox: &Sandbox,
    args: &str,
    there: Option<u64>,
) -> (Vec<String>, Value, Vec<(String, u64)>) {
    let dir = sandbox.join(if fio { "fio" } else { "fathom" });
    std::fs::create_dir(&dir).unwrap();
    if let Some(size) = there {
        // They are there: nothing is laid out, and the trace holds the job's own calls.
        (0..3).for_each(|n| std::fs::write(dir.join(format!("c.0.{n}")), vec![1; size as usize]).unwrap());
    }
    let trace = dir.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-e", "trace=%file", "-o"]).arg(&trace);
    let shipped = fathom();
    command.arg(if fio { "fio".as_ref() } else { shipped.get_program() });
    command.args(if fio { [].as_slice() } else { &["fio"] });
    command.args(words(&format!("--name=c --output-format=json --thread {args}"))).current_dir(&dir);
    let ran = run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = std::fs::read_to_string(&trace).unwrap();
    std::fs::remove_file(&trace).unwrap();
    let lines = whole(&text);
    let calls: Vec<(&str, String)> = lines.iter().filter_map(|line| call(line)).collect();
    let worker = calls.last().unwrap().0;
    let calls = calls.iter().filter(|(thread, _)| *thread == worker).map(|(_, call)| call.clone()).collect();
    (calls, document(&ran), left(&dir))
}

/// The lines of a trace, those in one piece that another thread's call had cut in two.
fn whole(text: &str) -> Vec<String> {
    let (mut lines, mut cut) = (Vec::<String>::new(), HashMap::new());
    for line in text.lines() {
        let thread = line.split(' ').next().unwrap();
        if let Some(begin) = line.strip_suffix("<unfinished ...>") {
            cut.insert(thread, lines.len());
            lines.push(begin.into());
        } else if let Some((_, end)) = line.split_once(" resumed>") {
            cut.remove(thread).into_iter().for_each(|at: usize| lines[at] += end);
        } else {
            lines.push(line.into());
        }
    }
    lines
}

/// The thread, and call and file, of a line of the trace.
fn call(line: &str) -> Option<(&str, String)> {
    let (thread, rest) = line.split_once(' ')?;
    let name = match rest.trim_start().split_once('(')?.0 {
        "open" => "openat",
        "stat" | "lstat" => "newfstatat",
        "unlinkat" if rest.contains("AT_REMOVEDIR") => "rmdir",
        "unlinkat" => "unlink",
        "mkdirat" => "mkdir",
        name => name,
    };
    let file = rest.split('"').nth(1)?.rsplit('/').next().filter(|file| file.starts_with("c."))?;
    let follows = if rest.contains("AT_SYMLINK_NOFOLLOW") { " itself" } else { "" };
    let made = if rest.contains("O_CREAT") { " made" } else { "" };
    // glibc's statx by name, and realpath before it in fio.
    (name != "readlink").then(|| (thread, format!("{name} {file}{follows}{made}")))
}

fn left(dir: &Path) -> Vec<(String, u64)> {
    let entries = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap());
    let mut left: Vec<_> = entries
        .map(|e| (e.file_name().to_string_lossy().into_owned(), e.metadata().unwrap().len()))
        .collect();
    left.sort();
    left
}

#[test]
fn calls_and_counts_are_fios() {
    skip_without!(Need::Program("fio"), Need::Program("strace"));
    let jobs = [
        ("--ioengine=filecreate --nrfiles=3 --filesize=4k", None),
        ("--ioengine=filecreate --nrfiles=3 --filesize=16k --rw=write --loops=2", None),
        ("--ioengine=filecreate --nrfiles=3", None),
        // What is there is opened and keeps its content.
        ("--ioengine=filecreate --nrfiles=3 --filesize=4k", Some(9)),
        ("--ioengine=filestat --nrfiles=3 --filesize=8k --loops=2", Some(8192)),
        ("--ioengine=filestat --nrfiles=3 --filesize=8k --stat_type=lstat --rw=randwrite", Some(8192)),
        ("--ioengine=filestat --nrfiles=3 --filesize=8k --stat_type=statx --number_ios=4", Some(8192)),
        ("--ioengine=filedelete --nrfiles=3 --filesize=8k", Some(8192)),
    ];
    for (args, there) in jobs {
        let sandbox = Sandbox::new().unwrap();
        let (calls, report, left) = traced(false, &sandbox, args, there);
        let (fios_calls, fios_report, fios_left) = traced(true, &sandbox, args, there);
        assert_eq!(calls, fios_calls, "{args}");
        assert_eq!(left, fios_left, "{args}");
        for direction in ["read", "write"] {
            let counts = |report: &Value| {
                let of = &report["jobs"][0][direction];
                ["total_ios", "io_bytes"]
                    .map(|key| of[key].as_u64())
                    .into_iter()
                    .chain(["slat_ns", "clat_ns", "lat_ns"].map(|key| of[key]["N"].as_u64()))
                    .collect::<Vec<_>>()
            };
            assert_eq!(counts(&report), counts(&fios_report), "{args}: {direction}");
        }
    }
}

/// Nothing but files is made, looked at or deleted; what fails ends the job with the name of the file.
#[test]
fn only_files_and_errors_name_the_call() {
    let sandbox = Sandbox::new().unwrap();
    let ask = |args: &str| run(fathom().args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        sandbox.join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    for engine in ["filecreate", "filestat", "filedelete"] {
        let ran = ask(&format!("--name=c --filename=pipe --size=4k --ioengine={engine}"));
        assert!(ran.code == Some(1) && ran.stderr.contains("only files are supported"), "{engine}: {ran:#?}");
        assert!(sandbox.join("pipe").exists());
    }
    let ran = ask("--name=c --filesize=4k --ioengine=filedelete --loops=2");
    assert!(ran.code == Some(1) && ran.stdout.contains("func=delete(c.0.0), error=No such file"), "{ran:#?}");
    assert_eq!(ask("--name=made --ioengine=filecreate --nrfiles=2 --unlink=1").code, Some(0));
    assert!(left(sandbox.path()).iter().all(|(name, _)| !name.starts_with("made")));
    for engine in ["filecreate", "filedelete"] {
        sandbox.file("kept", 4096).unwrap();
        let ran = ask(&format!("--name=c --filename=kept --size=4k --readonly --ioengine={engine}"));
        assert!(ran.code == Some(1) && ran.stderr.contains("--readonly"), "{ran:#?}");
        assert!(sandbox.join("kept").exists());
    }
}

/// A call for each directory, in order, once a pass; and what is left.
#[test]
fn directories_are_made_looked_at_and_deleted() {
    skip_without!(Need::Program("strace"));
    let jobs = [
        ("--ioengine=dircreate --nrfiles=3 --filesize=4k", ["mkdir"; 3], true, 3),
        ("--ioengine=dircreate --nrfiles=3 --filesize=8k --rw=write", ["mkdir"; 3], true, 6),
        ("--ioengine=dirstat --nrfiles=3 --filesize=4k", ["newfstatat"; 3], true, 3),
        ("--ioengine=dirstat --nrfiles=3 --stat_type=statx", ["statx"; 3], true, 3),
        ("--ioengine=dirdelete --nrfiles=3 --filesize=4k", ["rmdir"; 3], false, 3),
    ];
    for (args, asked, stay, ios) in jobs {
        let sandbox = Sandbox::new().unwrap();
        let (calls, report, left) = traced(false, &sandbox, args, None);
        let wanted: Vec<String> = asked.iter().zip(0..).map(|(call, n)| format!("{call} c.0.{n}")).collect();
        assert_eq!(calls, wanted, "{args}");
        let wanted = (0..3).filter(|_| stay).map(|n| format!("c.0.{n}")).collect::<Vec<_>>();
        assert_eq!(left.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), wanted, "{args}");
        assert!(left.iter().all(|(name, _)| sandbox.join("fathom").join(name).is_dir()), "{args}");
        let job = &report["jobs"][0];
        let done = job["read"]["total_ios"].as_u64().unwrap() + job["write"]["total_ios"].as_u64().unwrap();
        let timed =
            job["read"]["clat_ns"]["N"].as_u64().unwrap() + job["write"]["clat_ns"]["N"].as_u64().unwrap();
        assert_eq!((done, timed), (ios, 3), "{args}: one call for each pass over a directory has a time");
    }
}

#[test]
fn only_directories_and_errors_name_the_call() {
    let sandbox = Sandbox::new().unwrap();
    let ask = |args: &str| run(fathom().args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap();
    sandbox.file("kept", 4096).unwrap();
    for engine in ["dircreate", "dirstat", "dirdelete"] {
        let ran = ask(&format!("--name=c --filename=kept --ioengine={engine}"));
        assert!(ran.code == Some(1) && ran.stderr.contains("only directories are supported"), "{ran:#?}");
        assert!(sandbox.join("kept").is_file());
    }
    std::fs::create_dir(sandbox.join("d")).unwrap();
    std::fs::create_dir(sandbox.join("d/inner")).unwrap();
    let ran = ask("--name=c --filename=d --ioengine=dirdelete");
    assert!(
        ran.code == Some(1) && ran.stdout.contains("func=rmdir(d), error=Directory not empty"),
        "{ran:#?}"
    );
    let ran = ask("--name=c --filename=d --ioengine=dircreate");
    assert!(ran.code == Some(1) && ran.stdout.contains("func=mkdir(d), error=File exists"), "{ran:#?}");
    let ran = ask("--name=c --filename=d/inner --ioengine=dirdelete --readonly");
    assert!(ran.code == Some(1) && ran.stderr.contains("--readonly"), "{ran:#?}");
    assert!(sandbox.join("d/inner").is_dir());
    // Directories above are made too, and deleted at the end where that is asked for, or between passes.
    assert_eq!(ask("--name=a --filename=x/y --ioengine=dirstat --create_only=1").code, Some(0));
    assert!(sandbox.join("x/y").is_dir());
    assert_eq!(ask("--name=a --filename=x/z --ioengine=dirstat --unlink=1").code, Some(0));
    assert!(!sandbox.join("x/z").exists());
    let again = "--name=m --nrfiles=2 --ioengine=dircreate --loops=3 --unlink_each_loop=1";
    assert_eq!(ask(again).code, Some(0));
    assert!(sandbox.join("m.0.0").is_dir());
    let ran = ask("--name=c --filename=nowhere --ioengine=dirstat --allow_file_create=0");
    assert!(ran.code == Some(1) && !sandbox.join("nowhere").exists(), "{ran:#?}");
}
