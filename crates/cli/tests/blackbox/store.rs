//! What was measured is found again: kept by itself, listed, shown as it was printed, handed out as data; and what is in
//! the way of that costs no result.

use crate::common::words;
use serde_json::Value;
use stats::study::{Access, Cell, Ended, Estimate, Point, Question, Study, Trend};
use stats::{Grade, QuickCard, RunResult};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use store::Store;
use testbed::child::{self, DATA_HOME, Ran};
use testbed::{FileSystem, Mount, Need, Sandbox, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const JOB: &str = "--name=a --filename=f --size=1m --rw=randrw --bs=4k --ioengine=psync";

/// The program in `dir`, whose store is below `dir` too.
fn fathom(args: &str, dir: &Path) -> Ran {
    let mut command = Command::new(FATHOM);
    command.args(words(args)).current_dir(dir).env(DATA_HOME, dir.join("data"));
    child::run(&mut command, Duration::from_secs(60)).unwrap()
}

fn good(args: &str, dir: &Path) -> String {
    let ran = fathom(args, dir);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args}: {ran:?}");
    ran.stdout
}

fn listed(dir: &Path) -> Vec<Value> {
    serde_json::from_str::<Value>(&good("list --json", dir)).unwrap().as_array().unwrap().clone()
}

#[test]
fn show_has_the_json_of_export() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    assert_eq!(fathom(&format!("run {JOB}"), dir).code, Some(0));
    assert_eq!(good("show R1 --json", dir), good("export R1 --json", dir));
}

#[test]
fn a_small_file_that_looks_like_a_job_file_is_named_as_one() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let job = "[a]\nrw=read\nsize=1m\n";
    for (name, text) in [("j.fio", job), ("j.icf", "Version 1.1.0\n"), ("job", "; mine\n\n[a]\nrw=read\n")] {
        std::fs::write(dir.join(name), text).unwrap();
        for args in [name.to_owned(), format!("explore {name}")] {
            let ran = fathom(&args, dir);
            let named = ran.stderr.contains(&format!("looks like a job file: fathom run {name}"));
            assert!(named && ran.code == Some(1), "{args}: {ran:?}");
        }
    }
    std::fs::write(dir.join("data"), "[1, 2,\n").unwrap();
    let ran = fathom("data", dir);
    assert!(ran.stderr.contains("too small"), "{ran:?}");
}

#[test]
fn a_run_and_a_check_are_kept_and_shown_as_they_were_printed() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    assert_eq!(good("list", dir), "nothing is stored yet\n");
    assert!(!dir.join("data").exists(), "looking made something");
    let run = fathom(&format!("run {JOB}"), dir);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(good("show R1", dir), run.stdout);
    let check = good(". --seconds=1", dir);
    assert_eq!(good("show r2", dir), check);
    // fio's language without our card is nobody's measurement but fio's.
    good(&format!("fio {JOB}"), dir);
    good(&format!("run {JOB} --no-store --json"), dir);
    good(". --seconds=1 --no-store", dir);
    let all = listed(dir);
    let names: Vec<&str> = all.iter().map(|l| l["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["R2", "R1"]);
    assert_eq!((all[0]["kind"].as_str(), all[1]["kind"].as_str()), (Some("check"), Some("run")));
    assert_eq!((all[0]["title"].as_str(), all[1]["title"].as_str()), (dir.to_str(), Some(JOB)));
    let lines = good("list --limit 1", dir);
    assert!(
        lines.contains("\nR2 ") && lines.ends_with("1 older entry not shown; --limit 2 shows all\n"),
        "{lines}"
    );
    let result: RunResult = serde_json::from_str(&good("export R1 --json", dir)).unwrap();
    assert_eq!(result.jobs[0].ios(), 256);
    let card: QuickCard = serde_json::from_str(&good("export R2 --json", dir)).unwrap();
    assert!(!card.rows.is_empty());
    let csv = good("export R1 --csv", dir);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("entry,name,direction,iodepth,"), "{csv}");
    assert_eq!(lines.len(), 3, "{csv}");
    let column = lines[0].split(',').position(|c| c == "ios").unwrap();
    let ios: u64 = lines[1..].iter().map(|l| l.split(',').nth(column).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(ios, 256);
    assert_eq!(good("export R2 --csv", dir).lines().count(), card.rows.len() + 1);
}

/// As fio's JSON: whoever asked for a format still has it kept, and in the store that he names.
/// fio's outputs show percentiles of completion latency alone; the stored result has those of total latency, too.
#[test]
fn stored_result_has_percentiles_whatever_is_printed() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for format in ["normal", "json", "terse"] {
        let ran = fathom(&format!("run {JOB} --ioengine=libaio --iodepth=4 --output-format={format}"), dir);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    for (number, _) in listed(dir).iter().enumerate() {
        let table = good(&format!("export --csv R{}", number + 1), dir);
        let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let at = lines.next().unwrap().iter().position(|name| *name == "p99_ns").unwrap();
        assert!(lines.all(|row| row[at].parse::<u64>().is_ok_and(|ns| ns > 0)), "{table}");
    }
}

/// A store that the user has named may be copied: its file holds the results by itself.
#[test]
fn file_of_a_named_store_holds_its_results() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let run = fathom(&format!("run {JOB} --store res.db"), dir);
    assert_eq!(run.code, Some(0), "{run:?}");
    std::fs::copy(dir.join("res.db"), dir.join("copy.db")).unwrap();
    assert_eq!(good("show R1 --store copy.db", dir), run.stdout);
}

#[test]
fn a_store_that_is_named_is_the_one() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    fathom(&format!("run --store here.sqlite --output-format=json {JOB}"), dir);
    fathom(&format!("run {JOB} --store=here.sqlite --json"), dir);
    good(". --seconds=1 --store here.sqlite", dir);
    assert!(!dir.join("data").exists());
    assert_eq!(good("list --store here.sqlite", dir).lines().count(), 4);
    let card = good("show R2 --store=here.sqlite", dir);
    assert!(card.starts_with("fathom ") && card.contains(" 1 job,"), "{card}");
    let ran = fathom("list --store nowhere.sqlite", dir);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(1), "fathom list: nowhere.sqlite: there is no store\n")
    );
    let ran = fathom(&format!("run {JOB} --store"), dir);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), "fathom run: --store wants the name of a file\n"));
}

#[test]
fn what_is_not_there_is_one_line() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    fathom(&format!("run {JOB}"), dir);
    for (args, code, part) in [
        ("show R9", 1, "there is no R9; `fathom list` shows what is stored"),
        ("show S1", 1, "there is no S1"),
        ("export S1 --csv", 1, "there is no S1"),
        ("show 7", 2, "a run is called R and its number, a study S and its number: R7, S12"),
        ("export R1", 2, "--json|--csv"),
        ("export R1 --json --csv", 2, "cannot be used with"),
    ] {
        let ran = fathom(args, dir);
        assert!(
            ran.code == Some(code) && ran.stderr.contains(part) && ran.stdout.is_empty(),
            "{args}: {ran:?}"
        );
        assert!(code == 2 || ran.stderr.lines().count() == 1, "{args}: {ran:?}");
    }
}

/// The result is out, whatever the store says; one that was named is an output that could not be written.
#[test]
fn a_store_that_cannot_be_written_costs_a_line_and_no_result() {
    skip_without!(Need::Root);
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    std::fs::write(dir.join("letter"), "Dear reader,\n".repeat(100)).unwrap();
    let full = Mount::new(FileSystem::Tmpfs, 1 << 20).unwrap();
    std::fs::write(full.path().join("ballast"), vec![1; (1 << 20) - 8192]).unwrap();
    let full = full.path().join("s").display().to_string();
    for (place, part) in [
        ("letter", "letter: not a store of fathom's: not a SQLite database"),
        (
            "letter/s",
            "letter/s: cannot be written: its directory, where SQLite keeps a journal beside it: Not a directory",
        ),
        ("/proc/s", "/proc/s: cannot be written: "),
        (".", ".: cannot be written: it is a directory"),
        (full.as_str(), "no space is left for it"),
    ] {
        let mut commands = vec![format!("run {JOB} --json --store={place}")];
        // The check takes some seconds each time.
        if place == full {
            commands.push(format!(". --seconds=1 --json --store={place}"));
        }
        for args in commands {
            let ran = fathom(&args, dir);
            assert_eq!(ran.code, Some(5), "{args}: {ran:?}");
            let said: Vec<&str> = ran.stderr.lines().filter(|l| l.contains("not stored")).collect();
            assert!(said.len() == 1 && said[0].contains(part), "{args}: {}", ran.stderr);
            assert!(said[0].starts_with("fathom: this result is not stored: "), "{args}: {}", ran.stderr);
            let text = &ran.stdout[ran.stdout.find('{').unwrap()..];
            serde_json::from_str::<Value>(text).unwrap_or_else(|e| panic!("{e}: {}", ran.stdout));
        }
    }
    assert!(std::fs::read_to_string(dir.join("letter")).unwrap().starts_with("Dear reader"));
    // Without a home nobody asked for a store.
    let mut command = Command::new(FATHOM);
    command
        .args(words(&format!("run {JOB} --bs=64k")))
        .current_dir(dir)
        .env_remove("HOME")
        .env(DATA_HOME, "");
    let ran = child::run(&mut command, Duration::from_secs(60)).unwrap();
    assert!(ran.code == Some(0) && !ran.stderr.contains("stored"), "{ran:?}");
}

fn point(ordinal: u32) -> Point {
    Point {
        ordinal,
        question: Question::Bs,
        cell: Cell {
            target: 0,
            access: Access { rw: "randrw".into(), bs: 4096 << ordinal, reads: Some(70), sync: None },
            depth: 8,
            jobs: 2,
            span: None,
            setting: None,
            rate: None,
            hosts: Some(2),
        },
        began_ms: 1,
        rest_s: 0.1,
        seconds: 2.5,
        cut_s: 0.5,
        counted: Default::default(),
        max_ns: 0,
        iops: Estimate::around(1000.0 / 3.0, 0.1),
        bytes_per_second: 1e9 / 7.0,
        slices: 20,
        correlation: 0.25,
        mean_ns: 1e6,
        p50_ns: Some(900_000),
        p99_ns: None,
        p999_ns: None,
        tails: stats::study::PercentileIntervals::default(),
        util_percent: Some(99.5),
        await_ms: Some(1.5),
        queue: Some(7.5),
        cpu_percent: 12.5,
        ios: 2000,
        bytes: 8_192_000,
        ended: Ended::Enough,
        trend: Trend::Level,
        grade: Grade::Trusted,
        findings: Vec::new(),
        series: stats::Series::default(),
        latencies: Default::default(),
        state: Vec::new(),
        host_iops: vec![200.5, 133.0],
    }
}

#[test]
fn a_study_is_handed_out_as_it_was_stored() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let study = Study {
        version: "0.1.0".into(),
        began_ms: 1_700_000_000_000,
        asked: stats::study::StudyAsked { targets: vec!["/a, b".into()], ..Default::default() },
        points: vec![point(0), point(1)],
        spent_s: 12.0,
        ..Study::default()
    };
    let id = Store::open(dir.join("data/fathom/store.sqlite")).unwrap().begin_study(&study).unwrap();
    let read: Study = serde_json::from_str(&good("export S1 --json", dir)).unwrap();
    assert_eq!(read, Study { id, ..study });
    let csv = good("export S1 --csv", dir);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3, "{csv}");
    // The name has a comma, which its quotes keep: one column more for whoever splits at commas alone.
    assert!(
        lines[1].starts_with("1,0,1,bs,\"/a, b\",randrw,4096,70,8,2,,,,0.1,2.5,0.5,333.3333333333333,"),
        "{csv}"
    );
    assert_eq!(lines[1].split(',').count(), lines[0].split(',').count() + 1);
    let shown = good("show S1", dir);
    assert!(shown.contains("/a, b") && shown.contains("randrw 70%") && shown.contains("4k"), "{shown}");
    assert!(good("list", dir).contains("study   /a, b: 2 points, not finished"), "{}", good("list", dir));
}

/// What the verdict and the store cost a run of ten I/Os together: pairs in turn, medians.
#[test]
fn measures_a_short_run_pays_little_for_being_kept() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    sandbox.file("f", 1 << 20).unwrap();
    let job = "--name=a --filename=f --rw=randread --bs=4k --number_ios=10";
    let mut costs: [Vec<(Duration, Duration)>; 3] = Default::default();
    let kinds = [format!("fio {job}"), format!("run {job} --no-store"), format!("run {job}")];
    for _ in 0..15 {
        for (cost, args) in costs.iter_mut().zip(&kinds) {
            let ran = fathom(args, dir);
            assert_eq!(ran.code, Some(0), "{ran:?}");
            cost.push((ran.wall, ran.user + ran.system));
        }
    }
    let median = |of: &[(Duration, Duration)], at: fn(&(Duration, Duration)) -> Duration| {
        let mut sorted: Vec<Duration> = of.iter().map(at).collect();
        sorted.sort_unstable();
        sorted[sorted.len() / 2]
    };
    let seen = costs.each_ref().map(|cost| (median(cost, |c| c.0), median(cost, |c| c.1)));
    let first = costs[2][0];
    println!(
        "wall and CPU: bare {:?}, trusted {:?}, kept {:?}; the first kept {first:?}",
        seen[0], seen[1], seen[2]
    );
    let more = |at: fn(&(Duration, Duration)) -> Duration| at(&seen[2]).saturating_sub(at(&seen[0]));
    assert!(
        more(|c| c.0) < Duration::from_millis(100) && more(|c| c.1) < Duration::from_millis(50),
        "{seen:?}"
    );
}

/// On a file system mounted read-only, in a directory of another user, with what was stored last still in the journal.
#[test]
fn a_store_that_may_not_be_written_is_read() {
    skip_without!(Need::Root, Need::Program("setpriv"), Need::Program("unshare"));
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for args in [format!("run {JOB}"), format!("run {JOB}")] {
        assert_eq!(fathom(&args, dir).code, Some(0));
    }
    let (list, show) = (good("list", dir), good("show R1", dir));
    let data = dir.join("data");
    let open = |path: &Path, mode: u32| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(path, mode).unwrap();
    };
    for path in [dir, &data, &data.join("fathom")] {
        open(path, 0o755);
    }
    let store = data.join("fathom/store.sqlite");
    open(&store, 0o644);
    std::fs::create_dir(dir.join("theirs")).unwrap();
    open(&dir.join("theirs"), 0o777);
    let name = |ending: &str| data.join(format!("fathom/store.sqlite{ending}"));
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map(String::from).to_vec();
    let bind =
        format!("mount --make-rprivate / && mount --bind -o ro {0} {0} && exec \"$@\"", data.display());
    let read_only = ["unshare", "--mount", "sh", "-c", &bind, "sh"].map(String::from).to_vec();
    let ways = [nobody, read_only];
    let as_they = |way: &[String], args: &str| {
        let mut command = Command::new(&way[0]);
        command.args(&way[1..]).arg(FATHOM).args(words(args));
        command.current_dir(dir.join("theirs")).env(DATA_HOME, &data);
        child::run(&mut command, Duration::from_secs(60)).unwrap()
    };
    let reads = |case: &str| {
        for way in &ways {
            for (args, wanted) in [("list", list.as_str()), ("show R1", show.as_str())] {
                let ran = as_they(way, args);
                assert_eq!(
                    (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
                    (Some(0), wanted, ""),
                    "{case}, {args}, {way:?}"
                );
            }
            for args in ["report R1 --charts", "export R2 --json", "compare R1 R2 --anyway"] {
                let ran = as_they(way, args);
                assert!(ran.code == Some(0) && !ran.stdout.is_empty(), "{case}, {args}, {way:?}: {ran:?}");
            }
        }
    };
    // The last writer has closed it: there is no journal.
    assert!(!name("-wal").exists());
    reads("closed");
    // A writer was killed: all of it lies in the journal.
    let (whole, copy) = (std::fs::read(&store).unwrap(), dir.join("copy.sqlite"));
    {
        std::fs::write(&copy, &whole).unwrap();
        let writer = rusqlite::Connection::open(&copy).unwrap();
        writer.execute("DELETE FROM runs WHERE id = 1", []).unwrap();
        std::fs::copy(&copy, &store).unwrap();
        std::fs::copy(dir.join("copy.sqlite-wal"), name("-wal")).unwrap();
    }
    open(&name("-wal"), 0o644);
    for way in &ways {
        let ran = as_they(way, "list");
        assert!(
            ran.code == Some(0) && ran.stdout.contains("R2 ") && !ran.stdout.contains("R1 "),
            "the journal is not read: {way:?}: {ran:?}"
        );
        let ran = as_they(way, &format!("run {JOB}"));
        let said =
            ran.stderr.lines().filter(|l| l.starts_with("fathom: this result is not stored: ")).count();
        assert!(ran.code == Some(0) && said == 1 && ran.stdout.contains("1 job"), "{way:?}: {ran:?}");
        std::fs::remove_file(dir.join("theirs/f")).unwrap();
    }
    let left = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let left = left.filter(|e| e.file_name().to_string_lossy().starts_with("fathom-store-")).count();
    assert_eq!(left, 0, "a copy stayed");
}

/// A damaged row costs its own line only, and is named.
#[test]
fn list_with_a_damaged_row_has_all_others() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    for _ in 0..3 {
        good("run --name=a --ioengine=null --rw=read --bs=4k --size=1m --store=s", dir);
    }
    let db = rusqlite::Connection::open(dir.join("s")).unwrap();
    db.execute("UPDATE runs SET title = x'1b5d30' WHERE id = 2", []).unwrap();
    drop(db);
    let ran = fathom("list --store=s", dir);
    assert!(ran.code == Some(1) && ran.stderr.lines().count() == 1, "{ran:?}");
    assert!(ran.stderr.contains("damaged: R2") && !ran.stdout.contains("older"), "{ran:?}");
    let json: Value = serde_json::from_str(&fathom("list --store=s --json", dir).stdout).unwrap();
    let ids: Vec<&str> = json.as_array().unwrap().iter().filter_map(|one| one["id"].as_str()).collect();
    assert_eq!(ids, ["R3", "R1"]);
}
