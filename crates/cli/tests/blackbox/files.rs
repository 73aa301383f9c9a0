//! `fathom files` against outside witnesses: the system calls that strace sees, delays that strace injects, the directory
//! after kills and signals, and programs of its own kind.

use crate::common::fresh_seed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(120);
const KILL: i32 = 9;

fn command(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").arg("files").arg(directory);
    command
}

fn files(directory: &Path, args: &[&str]) -> Ran {
    run(command(directory).arg("--no-store").args(args), LIMIT).unwrap()
}

fn card(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

pub(crate) fn phase<'a>(card: &'a Value, name: &str) -> &'a Value {
    card["phases"].as_array().unwrap().iter().find(|phase| phase["phase"] == name).unwrap_or(&Value::Null)
}

pub(crate) fn entries(path: &Path) -> Vec<String> {
    let names = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// Returns the phase of `fathom files` to which a line of strace belongs: a call on a name in the scratch directory.
pub(crate) fn phase_of(line: &str) -> Option<&'static str> {
    // A name below the scratch directory, or of a directory that is listed.
    let of_tree = line.contains(", \"i.");
    let of_list = [", \"t.", ", \"d.", ", \"r.", ", \"f."].iter().any(|name| line.contains(name));
    let call = line.split('(').next().unwrap_or_default();
    Some(match call {
        "mkdirat" if of_tree && line.contains("/d.") => "dir-create",
        "mkdirat" if of_tree && line.contains("/w.") => "tree-create",
        "unlinkat" if of_tree && line.contains("/f.") || line.contains("/r.") => "remove",
        "unlinkat" if of_tree && (line.contains("/d.") || line.contains("/e.")) => "dir-remove",
        "unlinkat" if of_tree && line.contains("/w.") => "tree-remove",
        "renameat" | "renameat2" if line.contains("/d.") => "dir-rename",
        "renameat" | "renameat2" if line.contains("/f.") => "rename",
        "newfstatat" | "statx" if of_tree && line.contains("/d.") => "dir-stat",
        "newfstatat" | "statx" if of_tree => "stat",
        "newfstatat" | "statx" if of_list => "list-stat entries",
        "openat" if of_tree && line.contains("O_CREAT") => "create",
        "openat" if of_tree && line.contains("O_WRONLY") => "write",
        "openat" if of_tree && line.contains("O_DIRECTORY") => "directory",
        "openat" if of_tree => "read",
        "fsync" => "fsync",
        _ => return None,
    })
}

/// The calls on names in the scratch directory that strace sees, by phase.
fn calls(logs: &Path) -> BTreeMap<&'static str, u64> {
    let mut seen = BTreeMap::new();
    for name in entries(logs) {
        let log = fs::read_to_string(logs.join(name)).unwrap();
        log.lines().filter_map(phase_of).for_each(|phase| *seen.entry(phase).or_default() += 1);
    }
    seen
}

/// strace counts each call of each phase as often as the result says.
#[test]
fn reported_counts_are_those_of_strace() {
    skip_without!(Need::Program("strace"));
    let shapes: [&[&str]; 3] = [
        &["--workers=2", "--iterations=2"],
        &["--workers=3", "--iterations=1", "--shared", "--shift=1", "--random", "--fsync"],
        &["--workers=1", "--iterations=1", "--depth=0", "--fsync", "--fsync-dir", "--leaves-only"],
    ];
    for shape in shapes {
        let sandbox = Sandbox::new().unwrap();
        let logs = Sandbox::new().unwrap();
        let mut strace = Command::new("strace");
        strace.args(["-ff", "-qq", "-o"]).arg(logs.join("log"));
        strace.args(["-e", "trace=mkdirat,unlinkat,renameat,renameat2,newfstatat,statx,openat,fsync", "--"]);
        let all = ["--depth=1", "--branching=3", "--files=5", "--bytes=10", "--json", "--no-store"];
        let mut words: Vec<&str> =
            all.into_iter().filter(|word| !shape.iter().any(|own| own[..6] == word[..6])).collect();
        words.extend(shape);
        strace.arg(env!("CARGO_BIN_EXE_fathom")).arg("files").arg(sandbox.path()).args(&words);
        let ran = run(strace.env("LC_ALL", "C"), LIMIT).unwrap();
        let card = card(&ran);
        assert_eq!((&card["ended"], entries(sandbox.path()).len()), (&Value::Null, 0), "{ran:#?}");
        let seen = calls(logs.path());
        let reported = |name| phase(&card, name)["operations"].as_u64().unwrap();
        let of = |name| seen.get(name).copied().unwrap_or(0);
        let names = [
            "dir-create",
            "dir-stat",
            "dir-rename",
            "dir-remove",
            "create",
            "write",
            "stat",
            "read",
            "rename",
            "remove",
            "tree-create",
            "tree-remove",
        ];
        for name in names {
            assert_eq!(of(name), reported(name), "{name} of {shape:?}: {seen:?}");
            let latencies = &phase(&card, name)["latency"]["moments"]["n"];
            assert_eq!(latencies, reported(name), "{name} of {shape:?}");
        }
        assert_eq!(
            of("list-stat entries"),
            phase(&card, "list-stat")["entries"].as_u64().unwrap(),
            "{seen:?}"
        );
        let files = if shape.contains(&"--fsync") { reported("create") + reported("write") } else { 0 };
        let changes = [
            "dir-create",
            "dir-rename",
            "dir-remove",
            "create",
            "rename",
            "remove",
            "tree-create",
            "tree-remove",
        ];
        let directories: u64 = match shape.contains(&"--fsync-dir") {
            true => changes.iter().map(|name| reported(name)).sum(),
            false => 0,
        };
        assert_eq!(of("fsync"), files + directories, "{shape:?}: {seen:?}");
        assert_eq!(
            of("directory"),
            reported("list") + reported("list-stat") + directories,
            "{shape:?}: {seen:?}"
        );
    }
}

/// Runs `fathom files` under strace with these calls traced, one log for each thread; returns its card and the logs.
fn traced(before: &[&OsStr], calls: &str, args: &str) -> (Value, Vec<String>) {
    let (sandbox, logs) = (Sandbox::new().unwrap(), Sandbox::new().unwrap());
    let words = before.iter().copied().chain(["strace", "-ff", "-qq", "-y", "-e"].map(OsStr::new));
    let words: Vec<&OsStr> = words.collect();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(format!("trace={calls}")).arg("-o").arg(logs.join("log"));
    command.arg("--").arg(env!("CARGO_BIN_EXE_fathom")).arg("files").arg(sandbox.path());
    command.args(["--json", "--no-store", "--iterations=1"]).args(args.split_whitespace());
    let ran = run(command.env("LC_ALL", "C"), LIMIT).unwrap();
    let card = card(&ran);
    assert_eq!(card["ended"], Value::Null, "{ran:#?}");
    let texts = entries(logs.path()).into_iter().map(|name| fs::read_to_string(logs.join(&name)).unwrap());
    (card, texts.collect())
}

/// Each worker makes its own files in order; with --shift it examines those of the next worker, with --random each once in
/// another order.
#[test]
fn shifted_and_random_phases_are_those_that_strace_sees() {
    skip_without!(Need::Program("strace"));
    const FILES: u32 = 40;
    for (shift, random) in [(0, false), (1, false), (1, true)] {
        let order = if random { "--random" } else { "" };
        let args = format!(
            "--workers=3 --depth=0 --files={FILES} --shift={shift} --phases=create,stat,remove {order}"
        );
        let (_, logs) = traced(&[], "openat,newfstatat", &args);
        let mut workers = Vec::new();
        for log in &logs {
            // Maker and number in a name such as "i.0/w.1/f.1.7".
            let names = |wanted: &str| -> Vec<(u32, u32)> {
                let lines = log.lines().filter(|line| line.starts_with(wanted) && line.contains("/f."));
                let name = |line: &str| {
                    let (maker, rest) = line.split_once("/f.")?.1.split_once('.')?;
                    Some((maker.parse().ok()?, rest.split('"').next()?.parse().ok()?))
                };
                lines.map(|line| name(line).unwrap_or_else(|| panic!("{line}"))).collect()
            };
            let (made, seen) = (names("openat("), names("newfstatat("));
            let Some(&(worker, _)) = made.first() else { continue };
            workers.push(worker);
            let in_order: Vec<u32> = (0..FILES).collect();
            assert_eq!(made, in_order.iter().map(|n| (worker, *n)).collect::<Vec<_>>());
            let (makers, mut numbers): (Vec<u32>, Vec<u32>) = seen.into_iter().unzip();
            assert!(makers.iter().all(|maker| *maker == (worker + shift) % 3), "{shift}: {makers:?}");
            assert_eq!(numbers == in_order, !random, "{numbers:?}");
            numbers.sort_unstable();
            assert_eq!(numbers, in_order);
        }
        workers.sort_unstable();
        assert_eq!(workers, [0, 1, 2]);
    }
}

/// Files larger than one transfer are written and read in full.
#[test]
fn bytes_of_large_files_are_those_of_the_calls() {
    skip_without!(Need::Program("strace"));
    let (card, logs) = traced(&[], "read,write", "--workers=2 --depth=0 --files=3 --bytes=2500000");
    for (call, name) in [("read(", "read"), ("write(", "write")] {
        let lines = logs.iter().flat_map(|log| log.lines());
        let lines = lines.filter(|line| line.starts_with(call) && line.contains("/f."));
        let bytes: u64 = lines.map(|line| line.rsplit(" = ").next().unwrap().parse::<u64>().unwrap()).sum();
        assert_eq!(bytes, 2 * 3 * 2_500_000, "{name}");
        assert_eq!(phase(&card, name)["bytes"], bytes, "{name}");
    }
}

/// The caches are emptied at the start and before each phase that they could answer. A file in place of the kernel's switch
/// spares the caches of this machine.
#[test]
fn caches_are_dropped_before_the_phases_that_they_answer() {
    skip_without!(Need::Root, Need::Program("strace"), Need::Program("unshare"));
    let sandbox = Sandbox::new().unwrap();
    let switch = sandbox.file("switch", 0).unwrap();
    let instead = "mount --bind \"$0\" /proc/sys/vm/drop_caches && exec \"$@\"";
    let before = ["unshare", "--mount", "sh", "-c", instead].map(OsStr::new);
    let before: Vec<&OsStr> = before.into_iter().chain([switch.as_os_str()]).collect();
    for (more, phases) in [("--drop-caches", 5), ("", 0)] {
        let args = format!("--workers=1 --depth=0 --files=2 --bytes=10 {more}");
        let (_, logs) = traced(&before, "openat,syncfs", &args);
        let count = |call: &str, of: &str| {
            let lines = logs.iter().flat_map(|log| log.lines());
            lines.filter(|line| line.starts_with(call) && line.contains(of)).count()
        };
        // Stat of directories and of files, read, and both lists.
        let drops = count("openat(", "/proc/sys/vm/drop_caches");
        assert_eq!(
            (drops, count("syncfs(", "")),
            (if phases > 0 { phases + 1 } else { 0 }, phases),
            "{more}"
        );
    }
}

/// A call that strace delays by 200 ms: the rate is workers / 200 ms, each latency 200 ms, and other phases are not delayed.
#[test]
fn measures_rate_and_latency_of_an_injected_delay() {
    skip_without!(Need::Program("strace"));
    for (calls, name) in [("renameat,renameat2", "rename"), ("unlinkat", "remove")] {
        let sandbox = Sandbox::new().unwrap();
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
        strace.args(["-e", &format!("inject={calls}:delay_exit=200000"), "--"]);
        strace.arg(env!("CARGO_BIN_EXE_fathom")).arg("files").arg(sandbox.path());
        strace.args(["--workers=2", "--depth=0", "--files=8", "--iterations=2", "--json", "--no-store"]);
        strace.args(["--phases", &format!("{name},stat")]);
        let card = card(&run(strace.env("LC_ALL", "C"), LIMIT).unwrap());
        let result = phase(&card, name);
        let (rate, p50) = (result["rate"]["value"].as_f64().unwrap(), result["p50_ns"].as_f64().unwrap());
        assert!((rate / 10.0 - 1.0).abs() < 0.03, "{name}: {rate} {result}");
        assert!((p50 / 200e6 - 1.0).abs() < 0.03, "{name}: {p50}");
        assert!(phase(&card, "stat")["rate"]["value"].as_f64().unwrap() > 1000.0, "{card}");
    }
}

/// Returns whether a name is that of a scratch directory: process id, time and check sum.
fn is_scratch(name: &str) -> bool {
    name.strip_prefix("fathom-files.").is_some_and(|rest| rest.len() > 20)
}

/// Waits for the scratch directory of a process, then for a time.
fn wait(directory: &Path, after: Duration) {
    let began = Instant::now();
    while !entries(directory).iter().any(|name| is_scratch(name)) {
        assert!(began.elapsed() < LIMIT, "no scratch directory");
        sleep(Duration::from_millis(1));
    }
    sleep(after);
}

/// Killed at drawn moments: the next start removes the tree, and nothing of others.
#[test]
fn next_start_removes_what_a_kill_left() {
    let seed = fresh_seed("next_start_removes_what_a_kill_left");
    let mut draw = crate::common::draws(seed);
    let sandbox = Sandbox::new().unwrap();
    let outside = Sandbox::new().unwrap();
    fs::write(outside.join("f.0.0"), b"precious").unwrap();
    for foreign in ["fathom-files.1.2.3", "fathom-files", "fathom-files-kept.4"] {
        fs::create_dir_all(sandbox.join(foreign).join("i.0/w.0")).unwrap();
        fs::write(sandbox.join(foreign).join("i.0/w.0/f.0.0"), b"precious").unwrap();
    }
    for _ in 0..12 {
        let running = Running::start(command(sandbox.path()).arg("--no-store")).unwrap();
        wait(sandbox.path(), Duration::from_micros(draw(700_000) as u64));
        running.signal(KILL);
        running.finish(LIMIT).unwrap();
        assert_eq!(entries(sandbox.path()).len(), 4);
        let ran = files(sandbox.path(), &["--iterations=1", "--files=1", "--depth=0"]);
        assert_eq!((ran.code, ran.stderr.lines().count()), (Some(0), 1), "{ran:#?}");
        assert!(ran.stderr.contains("removed") && ran.stderr.contains("killed"), "{ran:#?}");
        assert_eq!(entries(sandbox.path()).len(), 3, "{ran:#?}");
    }
    // A link planted in the tree of a killed run, with the name of one of its directories.
    let running = Running::start(command(sandbox.path()).args(["--no-store", "--files=5000"])).unwrap();
    wait(sandbox.path(), Duration::from_millis(100));
    running.signal(KILL);
    running.finish(LIMIT).unwrap();
    let name = entries(sandbox.path()).into_iter().find(|name| is_scratch(name));
    let scratch = sandbox.join(&name.unwrap());
    let iteration = entries(&scratch).into_iter().find(|name| name.starts_with("i.")).unwrap();
    symlink(outside.path(), scratch.join(&iteration).join("w.9")).unwrap();
    let ran = files(sandbox.path(), &["--iterations=1", "--files=1", "--depth=0"]);
    assert!(ran.stderr.contains("not removed") && ran.stderr.contains("w.9"), "{ran:#?}");
    assert_eq!(entries(&scratch.join(&iteration)), ["w.9"]);
    assert_eq!(fs::read(outside.join("f.0.0")).unwrap(), b"precious");
}

/// INT and TERM end with a card, status 128 and an empty directory.
#[test]
fn signals_end_with_a_card_and_an_empty_directory() {
    for signal in [2, 15] {
        let sandbox = Sandbox::new().unwrap();
        let running = Running::start(command(sandbox.path()).args(["--no-store", "--json"])).unwrap();
        wait(sandbox.path(), Duration::from_millis(300));
        running.signal(signal);
        let ran = running.finish(LIMIT).unwrap();
        assert_eq!((ran.code, entries(sandbox.path()).len()), (Some(128), 0), "{ran:#?}");
        assert_eq!(card(&ran)["ended"], "interrupted", "{ran:#?}");
    }
}

/// A file system that does not answer: the command ends, and the tree stays for the next start.
#[test]
fn call_that_does_not_return_ends_the_command() {
    skip_without!(Need::Program("strace"));
    let sandbox = Sandbox::new().unwrap();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat,renameat2"]);
    strace.args(["-e", "inject=renameat,renameat2:delay_enter=20000000:when=3", "--"]);
    strace.arg(env!("CARGO_BIN_EXE_fathom")).arg("files").arg(sandbox.path());
    strace.args(["--workers=2", "--depth=0", "--files=9", "--iterations=1", "--json", "--no-store"]);
    let ran = run(strace.env("LC_ALL", "C").env("FATHOM_PATIENCE_S", "1"), LIMIT).unwrap();
    let card = card(&ran);
    assert_eq!(
        (ran.code, card["ended"]["stuck"]["phase"].as_str()),
        (Some(1), Some("dir-rename")),
        "{ran:#?}"
    );
    assert_eq!((card["grade"].as_str(), entries(sandbox.path()).len()), (Some("C"), 1), "{card}");
    let ran = files(sandbox.path(), &["--iterations=1", "--files=1"]);
    assert_eq!((ran.code, entries(sandbox.path()).len()), (Some(0), 0), "{ran:#?}");
}

/// One document, stored and shown again; the dry run makes nothing.
#[test]
fn result_is_one_document_and_is_shown_again() {
    let sandbox = Sandbox::new().unwrap();
    let store = Sandbox::new().unwrap();
    let store = store.join("store.sqlite");
    let args = ["--workers=2", "--files=3", "--iterations=3", "--store", store.to_str().unwrap()];
    let ran = run(command(sandbox.path()).args(args), LIMIT).unwrap();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    let shown = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        run(command.env("LC_ALL", "C").args(args).arg("--store").arg(&store), LIMIT).unwrap()
    };
    assert_eq!(shown(&["show", "R1"]).stdout, ran.stdout);
    let json = card(&shown(&["export", "R1", "--json"]));
    assert_eq!((&json["iterations"], &json["asked"]["workers"]), (&3.into(), &2.into()), "{json}");
    assert!(shown(&["list"]).stdout.contains("files"));
    let refused = shown(&["explain", "R1"]);
    assert!(refused.stderr.contains("files"), "{refused:#?}");
    // The file system that the kernel names for the directory.
    let seen = run(Command::new("stat").args(["-f", "-c", "%T"]).arg(sandbox.path()), LIMIT).unwrap();
    let kind = json["mount"]["file_system"].as_str().unwrap();
    assert!(seen.stdout.contains(kind.trim_end_matches(|c: char| c.is_ascii_digit())), "{kind} {seen:#?}");
    let dry = files(
        sandbox.path(),
        &["--dry-run", "--json", "--workers=2", "--depth=1", "--branching=3", "--files=10"],
    );
    let plan = card(&dry);
    assert_eq!(
        (&plan["inodes"], &plan["directories"]),
        (&(2 * 4 * 10 + 2 * 4 + 3).into(), &4.into()),
        "{plan}"
    );
    assert_eq!((&plan["refused"], entries(sandbox.path()).len()), (&Value::Null, 0));
    for lang in ["en", "de", "ru", "zh"] {
        let ran = files(sandbox.path(), &["--dry-run", "--lang", lang]);
        assert!(ran.code == Some(0) && !ran.stdout.contains("files-"), "{ran:#?}");
    }
}

/// A file system with 100 inodes, and a device with 2 MiB: refused before anything is made.
#[test]
fn too_small_file_systems_are_refused() {
    skip_without!(Need::Root, Need::Program("unshare"));
    let sandbox = Sandbox::new().unwrap();
    for (options, word) in [("nr_inodes=100", "inodes"), ("size=2m", "17.5 MB")] {
        let mut command = Command::new("unshare");
        let script = "mount -t tmpfs -o \"$1\" none \"$2\" && \"$3\" files \"$2\" --no-store; echo \"status $?\"; ls \"$2\" | wc -l";
        command.args(["-m", "sh", "-c", script, "sh", options]).arg(sandbox.path());
        command.arg(env!("CARGO_BIN_EXE_fathom")).env("LC_ALL", "C");
        let ran = run(&mut command, LIMIT).unwrap();
        assert_eq!(ran.stdout, "status 3\n0\n", "{ran:#?}");
        assert!(ran.stderr.contains(word), "{ran:#?}");
    }
}
