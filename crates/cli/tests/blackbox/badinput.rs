//! Bad input and the traps of fio's interface, on the program itself and on fio beside it: exit status, stream, message.
//! What a row says holds for both tools, so a row that is wrong about fio fails as well.

use crate::common::{document, fathom, words};
use serde_json::Value;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{FileSystem, Mount, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

/// How to start a tool.
type Tool = fn() -> Command;

/// Both tools, or ours alone where fio is not installed.
fn tools() -> Vec<(&'static str, Tool)> {
    let mut tools: Vec<(&'static str, Tool)> = vec![("fathom", fathom)];
    if testbed::have_program("fio") {
        tools.push(("fio", || Command::new("/usr/bin/fio")));
    } else {
        testbed::skip("needs the program fio; fathom alone is tried");
    }
    tools
}

/// Runs `args` in a directory that holds `files`.
fn ran(tool: Tool, args: &str, files: &[(&str, &str)]) -> (Ran, Sandbox) {
    let sandbox = Sandbox::new().unwrap();
    for (name, text) in files {
        std::fs::write(sandbox.join(name), text).unwrap();
    }
    let ran = run(tool().args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap();
    assert!(!ran.overran && !ran.stderr.contains("panicked"), "{args}: {ran:#?}");
    (ran, sandbox)
}

/// Command line, exit status, what is on standard output, what is on standard error.
type Row = (&'static str, i32, &'static [&'static str], &'static [&'static str]);

#[track_caller]
fn holds(rows: &[Row], files: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (args, code, stdout, stderr) in rows {
        for (name, tool) in tools() {
            let (ran, _sandbox) = ran(tool, args, files);
            let lacks = |text: &str, parts: &[&str]| parts.iter().any(|p| !text.contains(p));
            if ran.code != Some(*code) || lacks(&ran.stdout, stdout) || lacks(&ran.stderr, stderr) {
                wrong.push(format!("{name} {args}: wanted {code}, {stdout:?}, {stderr:?}, got {ran:#?}"));
            }
            if *code == 0 && stderr.is_empty() && !ran.stderr.is_empty() {
                wrong.push(format!("{name} {args}: noise on standard error: {}", ran.stderr));
            }
        }
        // As JSON: the same status; one document or none.
        let (ran, _sandbox) = ran(fathom, &format!("--output-format=json {args}"), files);
        let documents = ran.stdout.lines().filter(|l| *l == "{").count();
        if ran.code != Some(*code) || documents > 1 {
            wrong.push(format!("as JSON: {args}: {ran:#?}"));
        } else if documents == 1 {
            document(&ran);
        }
    }
    assert!(wrong.is_empty(), "{} rows do not hold:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn errors_have_fios_status_stream_and_message() {
    let rows: &[Row] = &[
        (
            "--name=a --size=1M --rw=foo",
            1,
            &["valid values: read", ": randwrite"],
            &["fio: failed parsing rw=foo"],
        ),
        (
            "--name=a --size=1M --iodepth=0",
            1,
            &[],
            &["iodepth: min value out of range: 0 (1 min)", "fio: failed parsing iodepth=0"],
        ),
        ("--name=a --size=1M --direct=2", 1, &[], &["max value out of range: 2 (1 max)"]),
        (
            "--name=a --rw=read",
            1,
            &["Starting 1 process", "Run status group 0"],
            &["a: you need to specify size=", "fio: pid=0, err=22/file:"],
        ),
        (
            "--name=a --size=1M --ioengine=foo",
            1,
            &[],
            &["fio: engine foo not loadable", "fio: failed to load engine"],
        ),
        ("", 1, &["[options] [job options] <job file(s)>"], &["No job(s) defined"]),
        (
            "--name=a --ioengine=null --size=1M --time_based",
            0,
            &["IOPS="],
            &["fio: time_based requires a runtime/timeout setting"],
        ),
        ("--name=a --size=1M --ioengine=null --foo=1", 1, &[], &["unrecognized option '--foo=1'"]),
        ("--name=a --size=1M --ioengine=null --iodepht=1", 1, &[], &["Did you mean iodepth?"]),
        ("--name=a --ioengine=null --size=1M --thread 1", 1, &[], &["fio: unable to open '1' job file"]),
        ("missing.fio", 1, &[], &["fio: unable to open 'missing.fio' job file"]),
        (
            "--name=a --directory=/nonexistent --size=1M",
            1,
            &[],
            &["fio: /nonexistent is not a directory", "fio: failed parsing directory=/nonexistent"],
        ),
        (
            "--readonly --name=b --rw=write --size=1M",
            1,
            &[],
            &["fio: job <b> has write or trim bit set, but fio is in read-only mode"],
        ),
        (
            "--readonly --name=a --rw=read --size=1M --filename=missing",
            1,
            &["err=2/file:filesetup.c:805, func=open(missing), error=No such file or directory"],
            &["fio: refusing extend of file due to read-only"],
        ),
        ("--readonly --name=a --rw=read --size=1M --numjobs=3", 3, &[], &["refusing extend of file"]),
        (
            "--readonly --name=a --rw=read --size=4k --numjobs=300 --thread",
            44,
            &[],
            &["refusing extend of file"],
        ),
        (
            "--output-format=foo --name=a --ioengine=null --size=1M",
            1,
            &[],
            &["fio: invalid output format foo"],
        ),
        (
            "--eta-interval=100ms --name=a --ioengine=null --size=1M",
            1,
            &[],
            &["eta interval time too short (250msec min)"],
        ),
        ("--cmdhelp=nosuch", 0, &[], &["No such command: nosuch"]),
        ("--version", 0, &["fio-3.33"], &[]),
        ("--parse-only --name=a --size=1M --rw=read", 0, &[], &[]),
        ("--parse-only --name=a --size=1M --rw=rread", 1, &[], &["failed parsing rw=rread"]),
        ("--name=a --ioengine=null --size=1M --runtim=1", 0, &["IOPS="], &[]),
        ("-name=a -ioengine=null -size 1M", 0, &["IOPS="], &[]),
    ];
    holds(rows, &[]);
}

#[test]
fn job_files_are_read_as_fio_reads_them() {
    let files = [
        ("blank", "[a]\nioengine=null\nsize=1M\nrw= read\n"),
        ("engine", "[a]\nioengine= null\nsize=1M\n"),
        ("number", "[a]\nioengine=null\nsize= 1048576\n"),
        ("outside", "size=1M\n[a]\nioengine=null\n"),
        ("bad", "[a]\nioengine=null\nsize=1M\nnosuch=1\n"),
        ("comment", "; one\n[a] # two\nioengine=null ; three\nsize=1M# four\nrw=read\n"),
        ("globals", "[globalX]\nioengine=null\nsize=1M\n[a]\nrw=write\n"),
        ("two", "[global]\nioengine=null\nsize=1M\n[one]\n[two]\nrw=randread\n"),
        ("empty", ""),
        ("onlyglobal", "[global]\nioengine=null\n"),
    ];
    let rows: &[Row] = &[
        ("blank", 1, &[], &["fio: failed parsing rw= read"]),
        ("engine", 1, &[], &["not loadable"]),
        ("number", 0, &["IOPS="], &[]),
        ("outside", 1, &[], &["fio: option <size=1M> outside of [] job section"]),
        ("bad", 1, &[], &["Bad option <nosuch=1>", "fio: job a dropped"]),
        ("comment", 0, &["a: (groupid=0"], &[]),
        ("globals", 0, &["write: IOPS="], &[]),
        ("two", 0, &["one: (groupid=0", "two: (groupid=0"], &[]),
        ("--section=two two", 0, &["two: (groupid=0"], &[]),
        ("--section=none two", 1, &[], &["No job(s) defined"]),
        ("empty", 1, &[], &["No job(s) defined"]),
        ("onlyglobal", 1, &[], &["No job(s) defined"]),
        ("--readonly globals", 1, &[], &["job <a> has write or trim bit set, but fio is in read-only mode"]),
    ];
    holds(rows, &files);
}

/// What `args` reports at these places, of both tools; equal. A place that is missing is missing in both.
#[track_caller]
fn agree(args: &str, places: &[&str]) -> Vec<Value> {
    let mut all: Vec<(Option<i32>, Vec<Value>)> = Vec::new();
    for (_, tool) in tools() {
        let (ran, _sandbox) = ran(tool, &format!("--output-format=json {args}"), &[]);
        let document = document(&ran);
        let at = |p: &&str| document.pointer(p).cloned().unwrap_or(Value::from("missing"));
        all.push((ran.code, places.iter().map(at).collect()));
    }
    if let [ours, fios] = &all[..] {
        assert_eq!(ours, fios, "{args} at {places:?}: fathom (left) and fio (right)");
    }
    all.swap_remove(0).1
}

#[test]
fn implicit_changes_and_traps_leave_fios_counts() {
    const READ: [&str; 2] = ["/jobs/0/read/total_ios", "/jobs/0/read/io_bytes"];
    const WRITE: [&str; 3] = ["/jobs/0/write/total_ios", "/jobs/0/write/io_bytes", "/jobs/0/sync/total_ios"];
    let null = "--name=a --ioengine=null --size=1M --bs=4k --iodepth=4";
    // What gtod_reduce switches off, and what is always there or never.
    let places = [
        "/jobs/0/read/slat_ns/N",
        "/jobs/0/read/clat_ns/N",
        "/jobs/0/read/lat_ns/N",
        "/jobs/0/read/clat_ns/percentile",
        "/jobs/0/read/bw_samples",
    ];
    assert_eq!(agree(&format!("{null} --gtod_reduce=1"), &places)[..3], [0, 0, 0].map(Value::from));
    let places = [
        "/jobs/0/latency_depth",
        "/jobs/0/latency_target",
        "/jobs/0/latency_percentile",
        "/jobs/0/latency_window",
        "/disk_util",
        "/global options",
    ];
    assert_eq!(agree(null, &places)[4], "missing");
    // Bounds of the queue are mended, not refused.
    for more in [
        "--iodepth_batch=0",
        "--iodepth_batch=64",
        "--iodepth_low=0",
        "--iodepth_low=64",
        "--iodepth_batch_complete_min=4 --iodepth_batch_complete_max=2",
        "--iodepth_batch=2 --iodepth_batch_complete_min=0",
    ] {
        assert_eq!(agree(&format!("{null} {more}"), &READ)[0], 256, "{more}");
    }
    for (more, ios) in [
        ("--number_ios=10", Some(10)),
        ("--number_ios=10 --loops=2", Some(20)),
        ("--loops=3", Some(768)),
        ("--io_size=2M", Some(512)),
        ("--io_size=64k", Some(16)),
        ("--rw=read:4k", None),
        ("--rw=read:12k", None),
        ("--rw=randread", Some(256)),
        ("--rw=randread --bs=3k", None),
        ("--size=1000k --bs=7k", None),
        ("--size=100kib", None),
        ("--size=100ki", None),
        ("--kb_base=1000 --size=100k", None),
        ("--kb_base=1000 --size=100kib", None),
    ] {
        let got = agree(&format!("{null} {more}"), &READ);
        assert!(ios.is_none_or(|n| got[0] == n), "{more}: {got:?}");
    }
    let file = "--name=a --filename=f --size=64k --bs=4k --rw=write --ioengine=psync";
    // No sync after the last write; end_fsync is not counted.
    for (more, syncs) in [("--fsync=4", 3), ("--fsync=5", 3), ("--fdatasync=16", 0), ("--end_fsync=1", 0)] {
        let got = agree(&format!("{file} {more}"), &WRITE);
        assert_eq!((&got[0], &got[2]), (&16.into(), &syncs.into()), "{more}");
    }
    // number_ios yields to time_based.
    for (name, tool) in tools() {
        let args = format!("--output-format=json {null} --number_ios=10 --time_based --runtime=1");
        let ios = document(&ran(tool, &args, &[]).0)["jobs"][0]["read"]["total_ios"].as_u64().unwrap();
        assert!(ios > 1000, "{name}: {ios} I/Os in a second");
    }
}

#[test]
fn fractions_of_a_runtime_are_cut_and_take_the_unit_with_them() {
    let null = "--name=a --ioengine=null --size=1M --time_based";
    for (name, tool) in tools() {
        for runtime in ["1.5m", "1500ms", "1.9"] {
            let (ran, _sandbox) = ran(tool, &format!("{null} --runtime={runtime}"), &[]);
            let (low, high) = if runtime == "1500ms" { (1.4, 3.0) } else { (0.9, 2.5) };
            let took = ran.wall.as_secs_f64();
            assert!(ran.code == Some(0) && took > low && took < high, "{name} {runtime}: {took} s: {ran:#?}");
        }
        // 0.3s is 0, which is no runtime: the job runs once.
        let (ran, _sandbox) = ran(tool, &format!("{null} --runtime=0.3s"), &[]);
        assert!(ran.code == Some(0) && ran.stderr.contains("time_based requires"), "{name}: {ran:#?}");
        assert!(ran.stdout.contains("total=256,0,0,0"), "{name}: {ran:#?}");
    }
}

#[test]
fn files_are_laid_out_kept_and_replaced_as_fio_does() {
    let file = "--name=a --filename=f --size=64k --bs=4k --ioengine=psync";
    for (name, tool) in tools() {
        let go = |args: &str, dir: &Path, code: i32| {
            let ran = run(tool().args(words(args)).current_dir(dir), LIMIT).unwrap();
            assert_eq!(ran.code, Some(code), "{name} {args}: {ran:#?}");
            ran
        };
        // Too small: a new file, and the old one stays where another link leads to it.
        let sandbox = Sandbox::new().unwrap();
        let (f, link) = (sandbox.join("f"), sandbox.join("link"));
        std::fs::write(&f, [7; 100]).unwrap();
        std::fs::hard_link(&f, &link).unwrap();
        go(&format!("{file} --rw=write"), sandbox.path(), 0);
        assert_eq!(std::fs::read(&link).unwrap(), [7; 100], "{name}");
        assert_eq!(std::fs::metadata(&f).unwrap().len(), 64 << 10, "{name}");
        // Large enough: kept, written in place, not cut; its tail is not touched.
        std::fs::write(&f, vec![7; 100_000]).unwrap();
        let inode = std::fs::metadata(&f).unwrap().ino();
        go(&format!("{file} --rw=write"), sandbox.path(), 0);
        let (meta, bytes) = (std::fs::metadata(&f).unwrap(), std::fs::read(&f).unwrap());
        assert_eq!((meta.ino(), meta.len()), (inode, 100_000), "{name}");
        assert!(bytes[65_536..].iter().all(|b| *b == 7), "{name}: the tail was written");
        assert!(bytes[..4096].iter().any(|b| *b != 7), "{name}: nothing was written");
        // Missing: a read makes it, in full, 0644; its parents too.
        let ran = go("--name=a --filename=deep/er/g --size=1M --rw=read", sandbox.path(), 0);
        assert!(ran.stdout.contains("a: Laying out IO file (1 file / 1MiB)"), "{name}: {ran:#?}");
        let meta = std::fs::metadata(sandbox.join("deep/er/g")).unwrap();
        assert_eq!((meta.len(), meta.permissions().mode() & 0o777), (1 << 20, 0o644), "{name}");
        assert!(meta.blocks() * 512 >= 1 << 20, "{name}: a hole");
        // create_only lays out and shows no job.
        let ran = go("--name=a --filename=h --size=64k --rw=read --create_only=1", sandbox.path(), 0);
        assert!(!ran.stdout.contains("IOPS=") && sandbox.join("h").exists(), "{name}: {ran:#?}");
        // All compressible is all zero.
        let zeros = "--rw=write --buffer_compress_percentage=100";
        go(&format!("--name=a --filename=z --size=64k --bs=4k {zeros}"), sandbox.path(), 0);
        assert!(std::fs::read(sandbox.join("z")).unwrap().iter().all(|b| *b == 0), "{name}");
        // Generated names.
        go("--name=n --numjobs=2 --nrfiles=2 --size=64k --rw=read", sandbox.path(), 0);
        for made in ["n.0.0", "n.0.1", "n.1.0", "n.1.1"] {
            assert_eq!(std::fs::metadata(sandbox.join(made)).unwrap().len(), 32 << 10, "{name}: {made}");
        }
    }
}

/// Refused before the start with one line that says which limit; nothing is made.
#[track_caller]
fn limited(mut command: Command, names: &str, dir: &Path) {
    let ran = run(command.current_dir(dir), LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{names}: {ran:#?}");
    let lines: Vec<&str> = ran.stderr.lines().filter(|l| !l.starts_with("note: both iodepth")).collect();
    assert!(lines.len() == 1 && lines[0].contains(names), "wanted one line with {names:?}: {ran:#?}");
    assert!(!ran.stdout.contains("IOPS="), "{ran:#?}");
    if ran.stdout.lines().any(|l| l == "{") {
        document(&ran);
    }
    assert_eq!(std::fs::read_dir(dir).unwrap().count(), 0, "{names}: files were made");
}

#[test]
fn every_limit_of_the_host_is_one_line_before_the_start() {
    let binary = env!("CARGO_BIN_EXE_fathom");
    for format in ["normal", "json"] {
        let sandbox = Sandbox::new().unwrap();
        let fio = |args: &str| {
            let mut command = fathom();
            command.arg(format!("--output-format={format}")).args(words(args));
            command
        };
        let under = |limit: &str, program: &str, args: &str| {
            let mut command = Command::new("sh");
            let line = format!("ulimit {limit} && exec {program} fio --output-format={format} {args}");
            command.args(["-c", &line]);
            command
        };
        let files = "--name=a --size=4M --nrfiles=200 --rw=read";
        limited(under("-n 64", binary, files), "open files: ", sandbox.path());
        let many = "--name=a --ioengine=libaio --size=64k --iodepth=60000 --numjobs=1000 --thread";
        let most: u64 = std::fs::read_to_string("/proc/sys/fs/aio-max-nr").unwrap().trim().parse().unwrap();
        if most < 60_000_000 {
            let roomy = format!("{many} --bs=512");
            limited(fio(&roomy), "fs.aio-max-nr: ", sandbox.path());
        }
        limited(
            fio("--name=a --ioengine=null --size=1T --bs=1G --iodepth=4096 --rw=read"),
            "memory: ",
            sandbox.path(),
        );
    }
}

#[test]
fn space_and_locked_memory_are_checked_for_the_sum_over_jobs() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Tmpfs, 8 << 20).unwrap();
    for format in ["normal", "json"] {
        let mut command = fathom();
        command.args(words(&format!("--output-format={format} --name=a --size=5M --numjobs=2 --rw=read")));
        limited(command, "space: ", mount.path());
        // One of the two fits.
        let one = format!("--output-format={format} --name=a --size=5M --rw=read");
        let ran = run(fathom().args(words(&one)).current_dir(mount.path()), LIMIT).unwrap();
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
        std::fs::remove_file(mount.path().join("a.0.0")).unwrap();
    }
    skip_without!(Need::Program("setpriv"));
    let sandbox = Sandbox::new().unwrap();
    let program = sandbox.join("fathom");
    crate::common::copy_program(&program);
    let job = "--name=a --ioengine=null --size=1M --lockmem=64M";
    let line = format!("ulimit -l 1024 && exec {} fio {job}", program.display());
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", &line]);
    let empty = Sandbox::new().unwrap();
    limited(command, "locked memory: ", empty.path());
}

/// Read as UTF-8 with a replacement character, the name would be that of another file.
#[test]
fn a_name_that_is_not_utf8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new().unwrap();
    for command in ["run", "fio"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_fathom"));
        let name = std::ffi::OsStr::from_bytes(b"--filename=x\xff");
        program.current_dir(sandbox.path()).args([command, "--name=a", "--rw=read", "--size=4k"]).arg(name);
        let ran = run(&mut program, Duration::from_secs(20)).unwrap();
        assert!(ran.code == Some(1) && ran.stderr.contains("is not UTF-8"), "{ran:?}");
    }
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0);
}
