//! Stored results are read back unchanged; columns agree with the JSON; files of other programs are not changed.
#![allow(clippy::unwrap_used)]
mod common;

use common::{begun, plain};
use proptest::prelude::*;
use rustix::io::Errno;
use stats::study::Study;
use stats::{Grade, Histogram, QuickCard, QuickRow, RunResult, StoredId, StoredKind};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use store::{Document, ForeignFile, Recorded, Store, StoreError, WriteFault};
use testbed::{FileSystem, Mount, Need, Sandbox, root, skip_without};

/// Returns a directory in memory for the store of one test, because these tests sync often.
fn room() -> Sandbox {
    Sandbox::in_memory().unwrap()
}

/// Returns the rows of an SQL query as text, as another SQL tool reads them.
fn sql(path: &Path, query: &str) -> Vec<Vec<String>> {
    let db = rusqlite::Connection::open(path).unwrap();
    let mut query = db.prepare(query).unwrap();
    let columns = query.column_count();
    let rows = query.query_map([], |row| {
        (0..columns)
            .map(|c| {
                Ok(match row.get_ref(c)? {
                    rusqlite::types::ValueRef::Null => "NULL".to_string(),
                    rusqlite::types::ValueRef::Integer(n) => n.to_string(),
                    rusqlite::types::ValueRef::Real(r) => r.to_string(),
                    rusqlite::types::ValueRef::Text(t) => String::from_utf8_lossy(t).into_owned(),
                    rusqlite::types::ValueRef::Blob(_) => "BLOB".to_string(),
                })
            })
            .collect()
    });
    rows.unwrap().map(Result::unwrap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Stores a study point by point, through two connections.
    #[test]
    fn a_study_comes_back_as_it_was(study in common::study()) {
        let room = room();
        let path = room.join("store.sqlite");
        let mut store = Store::open(&path).unwrap();
        let begin = Study { points: Vec::new(), conclusions: Vec::new(), complete: false, ..study.clone() };
        let id = store.begin_study(&begin).unwrap();
        prop_assert_eq!(store.study(id).unwrap(), Study { id, ..begin });
        prop_assert_eq!(store.unfinished().unwrap().first().copied(), Some(id));
        for point in &study.points {
            store.add_point(id, point).unwrap();
        }
        drop(store);
        let mut store = Store::open(&path).unwrap();
        store.finish_study(id, &study).unwrap();
        prop_assert_eq!(store.unfinished().unwrap().first().copied().is_none(), study.complete);
        let whole = Study { id, ..study };
        prop_assert_eq!(&store.study(id).unwrap(), &whole);
        // All at once it is another study, and the same.
        let again = store.begin_study(&whole).unwrap();
        prop_assert_ne!(again, id);
        prop_assert_eq!(store.study(again).unwrap(), Study { id: again, ..whole });
        store.check().unwrap();
    }
}

#[test]
fn columns_say_what_the_json_says() {
    let room = room();
    let path = room.join("store.sqlite");
    let mut store = Store::open(&path).unwrap();
    let id = store.begin_study(&begun()).unwrap();
    let mut point = plain(0, 2);
    point.ios = u64::MAX;
    store.add_point(id, &point).unwrap();
    store.add_point(id, &plain(1, 0)).unwrap();
    let seen = sql(
        &path,
        "SELECT ordinal, question, rw, bs, depth, iops, iops_low, iops_high, p999_ns, ios, grade FROM points",
    );
    assert_eq!(
        seen[0],
        ["0", "depth", "randread", "4096", "1", "1000", "990", "1010", "NULL", "9223372036854775807", "B"]
    );
    assert_eq!(seen[1][4..6], ["2", "1001"]);
    let every = "SELECT count(*) FROM points WHERE began_ms = json_extract(point, '$.began_ms') \
                 AND jobs = json_extract(point, '$.cell.jobs') AND rest_s = json_extract(point, '$.rest_s') \
                 AND seconds = json_extract(point, '$.seconds') AND cut_s = json_extract(point, '$.cut_s') \
                 AND bytes_per_second = json_extract(point, '$.bytes_per_second') \
                 AND mean_ns = json_extract(point, '$.mean_ns') AND p50_ns = json_extract(point, '$.p50_ns') \
                 AND p99_ns = json_extract(point, '$.p99_ns') \
                 AND util_percent = json_extract(point, '$.util_percent') \
                 AND await_ms = json_extract(point, '$.await_ms') AND queue IS json_extract(point, '$.queue') \
                 AND cpu_percent = json_extract(point, '$.cpu_percent') AND bytes = json_extract(point, '$.bytes') \
                 AND span IS json_extract(point, '$.cell.span') AND target = json_extract(point, '$.cell.target')";
    assert_eq!(sql(&path, every), [["2"]]);
    let windows = sql(
        &path,
        "SELECT study, ordinal, n, nanos, read_ios, write_ios, trim_ios, read_bytes, write_bytes FROM windows",
    );
    let s = id.to_string();
    assert_eq!(
        windows,
        [
            [&s, "0", "0", "50000000", "1", "0", "2", "4096", "1"],
            [&s, "0", "1", "50000000", "1", "0", "2", "4096", "1"]
        ]
    );
    assert_eq!(
        sql(&path, "SELECT began_ms, version, targets, complete FROM studies"),
        [["1700000000000", "0.1.0", "[\"/dev/sda\"]", "0"]]
    );
}

#[test]
fn an_ordinal_that_is_there_is_refused_and_so_is_a_study_that_is_not() {
    let room = room();
    let mut store = Store::open(room.join("store.sqlite")).unwrap();
    let id = store.begin_study(&begun()).unwrap();
    store.add_point(id, &plain(0, 3)).unwrap();
    let second = store.add_point(id, &plain(0, 1)).unwrap_err();
    assert!(matches!(second, StoreError::Exists { study: 1, ordinal: 0 }), "{second}");
    let nowhere = store.add_point(99, &plain(0, 1)).unwrap_err();
    assert!(matches!(nowhere, StoreError::Unknown { id: StoredId::Study(99), .. }), "{nowhere}");
    assert!(matches!(store.finish_study(99, &begun()), Err(StoreError::Unknown { .. })));
    assert!(matches!(store.study(99), Err(StoreError::Unknown { .. })));
    assert!(matches!(store.run(1), Err(StoreError::Unknown { id: StoredId::Run(1), .. })));
    let kept = store.study(id).unwrap();
    assert_eq!(kept.points, [plain(0, 3)]);
    store.add_point(id, &plain(1, 3)).unwrap();
}

/// JSON has no infinity: an infinite figure is refused when it is stored, not when it is read.
#[test]
fn a_figure_that_is_none_is_refused_and_leaves_nothing() {
    let room = room();
    let mut store = Store::open(room.join("store.sqlite")).unwrap();
    let id = store.begin_study(&begun()).unwrap();
    let mut point = plain(0, 1);
    point.iops.high = f64::INFINITY;
    let e = store.add_point(id, &point).unwrap_err();
    assert!(matches!(e, StoreError::NotFinite { what: Document::NewPoint { ordinal: 0 } }), "{e}");
    let mut end = begun();
    end.spent_s = f64::NAN;
    assert!(matches!(store.finish_study(id, &end), Err(StoreError::NotFinite { .. })));
    end = begun();
    end.unanswered = vec![stats::study::Unanswered {
        target: 0,
        access: plain(0, 0).cell.access,
        question: stats::study::Question::Bs,
        why: stats::study::Why::Budget { needs_s: f64::INFINITY },
    }];
    assert!(matches!(store.finish_study(id, &end), Err(StoreError::NotFinite { .. })));
    assert_eq!(store.study(id).unwrap(), Study { id, ..begun() });
}

fn card() -> QuickCard {
    let row = QuickRow {
        pattern: "4k random".into(),
        direction: stats::Direction::Write,
        depth: 32,
        iops: 1234.5,
        bytes_per_second: 5_056_512,
        p50_ns: Some(25_000_000),
        p99_ns: None,
        mean_ns: Some(2.6e7),
        sync_p50_ns: Some(11),
        sync_p99_ns: None,
        depth_reached: 31.9,
        runtime_ms: 1000,
        error: None,
        load: Default::default(),
        between: Default::default(),
        host_iops: Vec::new(),
    };
    QuickCard { version: "0.1.0".into(), target: "/data".into(), rows: vec![row], ..QuickCard::default() }
}

#[test]
fn checks_and_runs_come_back_and_are_listed_newest_first() {
    let room = room();
    let path = room.join("store.sqlite");
    let mut store = Store::open(&path).unwrap();
    let mut run = RunResult::default();
    run.provenance.version = "0.1.0".into();
    run.provenance.timestamp_ms = 5_000;
    run.provenance.elapsed_ms = 2_000;
    let first = store.add_run(&run, "--name=a --size=1m").unwrap();
    let second = store.add_check(&card(), "/data", 4_000).unwrap();
    let study = store.begin_study(&Study { began_ms: 3_500, ..begun() }).unwrap();
    assert_eq!(store.run(first).unwrap(), Recorded::Run(Box::new(run)));
    assert_eq!(store.run(second).unwrap(), Recorded::Check(Box::new(card())));
    let (listed, _) = store.list(10).unwrap();
    let seen: Vec<_> = listed.iter().map(|l| (l.id.to_string(), l.began_ms, l.title.as_str())).collect();
    assert_eq!(
        seen,
        [
            (format!("R{second}"), 4_000, "/data"),
            (format!("S{study}"), 3_500, "/dev/sda"),
            (format!("R{first}"), 3_000, "--name=a --size=1m")
        ]
    );
    assert_eq!((listed[0].kind, listed[0].grade), (StoredKind::Check, Some(Grade::Trusted)));
    assert_eq!((listed[1].points, listed[1].complete), (Some(0), false));
    assert_eq!((store.list(2).unwrap().0.len(), store.count().unwrap()), (2, 3));
    assert_eq!(
        sql(&path, "SELECT run, entry, direction, name, iops, p50_ns, p99_ns FROM run_jobs"),
        [[second.to_string().as_str(), "0", "write", "4k random", "1234.5", "25000000", "NULL"]]
    );
}

/// Storing a run must not wait for a disk that a test has just filled with dirty pages; storing a point must. The
/// system calls are observed with strace.
#[test]
fn a_run_asks_for_no_sync_and_a_point_for_one() {
    skip_without!(Need::Program("strace"));
    let room = Sandbox::new().unwrap();
    let path = room.join("store.sqlite");
    drop(Store::open(&path).unwrap());
    for (what, most) in [("run", 2), ("runs again", 0), ("points", 100)] {
        let trace = room.join("trace");
        let out = Command::new("strace")
            .args(["-f", "-e", "trace=fsync,fdatasync,sync_file_range,write", "-o"])
            .arg(&trace)
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "child", "--nocapture"])
            .env("FATHOM_STORE_CHILD", &path)
            .env("FATHOM_STORE_WHAT", what)
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let trace = std::fs::read_to_string(&trace).unwrap();
        let syncs = |text: &str| text.lines().filter(|l| l.contains("sync")).count();
        if most < 100 {
            // The first record of a new journal syncs its head and its directory.
            assert!(syncs(&trace) <= most, "{what}: {trace}");
            continue;
        }
        // Between the words after two points there is a sync.
        let said: Vec<&str> = trace.split("added ").skip(1).collect();
        assert_eq!(said.len(), 5, "{trace}");
        assert!(said.iter().take(4).all(|part| syncs(part) >= 1), "{trace}");
    }
}

/// The child process of the test above.
#[test]
fn child() {
    let Some(path) = std::env::var_os("FATHOM_STORE_CHILD") else { return };
    let mut store = Store::open(path).unwrap();
    if std::env::var_os("FATHOM_STORE_WHAT").is_some_and(|what| what != "points") {
        store.add_run(&RunResult::default(), "run").unwrap();
        return;
    }
    let id = store.begin_study(&begun()).unwrap();
    for n in 0..5 {
        store.add_point(id, &plain(n, 10)).unwrap();
        use std::io::Write as _;
        std::io::stdout().write_all(format!("added {n}\n").as_bytes()).unwrap();
    }
}

#[test]
fn measures_ten_thousand_runs_list_in_a_moment() {
    let room = room();
    let path = room.join("store.sqlite");
    let mut store = Store::open(&path).unwrap();
    for _ in 0..20 {
        let id = store.begin_study(&begun()).unwrap();
        (0..50).for_each(|n| store.add_point(id, &plain(n, 20)).unwrap());
    }
    let mut run = RunResult::default();
    // About as long as the result of a short run of one job.
    run.provenance.time = "x".repeat(12_000);
    for n in 0..9_980 {
        run.provenance.timestamp_ms = n;
        store.add_run(&run, &format!("--name=job{n} --filename=/dev/sdx --rw=randread --bs=4k")).unwrap();
    }
    drop(store);
    let began = Instant::now();
    let store = Store::open_existing(&path).unwrap();
    let (listed, _) = store.list(10_000).unwrap();
    let took = began.elapsed();
    println!("10000 things listed in {} ms", took.as_millis());
    assert_eq!(listed.len(), 10_000);
    assert!(listed.is_sorted_by_key(|l| std::cmp::Reverse(l.began_ms)));
    // 200 ms are wanted; other tests run beside.
    assert!(took.as_millis() < 1_000, "{took:?}");
}

#[test]
fn somebody_elses_file_is_left_as_it_is() {
    let room = room();
    let refused = |name: &str, expected: &dyn Fn(&StoreError) -> bool| {
        let path = room.join(name);
        let before = std::fs::read(&path).unwrap();
        for e in [Store::open(&path).unwrap_err(), Store::open_existing(&path).unwrap_err()] {
            assert!(expected(&e), "{name}: {e}");
        }
        assert!(std::fs::read(&path).unwrap() == before, "{name} changed");
    };
    std::fs::write(room.join("letter"), "Dear reader,\n".repeat(100)).unwrap();
    let foreign = |e: &StoreError, name: &str, kind: ForeignFile| matches!(e, StoreError::Foreign { path, is } if path.ends_with(name) && *is == kind);
    refused("letter", &|e| foreign(e, "letter", ForeignFile::NotSqlite));
    let other = rusqlite::Connection::open(room.join("other")).unwrap();
    other.execute_batch("CREATE TABLE runs (id INTEGER); PRAGMA user_version = 1;").unwrap();
    drop(other);
    refused("other", &|e| foreign(e, "other", ForeignFile::OtherProgram));
    drop(Store::open(room.join("newer")).unwrap());
    let newer = rusqlite::Connection::open(room.join("newer")).unwrap();
    newer.execute_batch("PRAGMA user_version = 9; PRAGMA wal_checkpoint(TRUNCATE);").unwrap();
    drop(newer);
    refused(
        "newer",
        &|e| matches!(e, StoreError::Newer { path, found: 9, known: 1 } if path.ends_with("newer")),
    );
    std::fs::create_dir(room.join("directory")).unwrap();
    let e = Store::open(room.join("directory")).unwrap_err();
    assert!(
        matches!(&e, StoreError::NotWritable { path, why: WriteFault::Directory } if path.ends_with("directory")),
        "{e}"
    );
    let e = Store::open_existing(room.join("nothing")).unwrap_err();
    assert!(matches!(e, StoreError::Absent { .. }) && !room.join("nothing").exists(), "{e}");
    let e = Store::open(room.join("letter/below/store.sqlite")).unwrap_err();
    assert!(matches!(e, StoreError::NotWritable { why: WriteFault::File(Errno::NOTDIR), .. }), "{e}");
}

/// A store that was truncated or overwritten is detected, and its file is kept.
#[test]
fn damage_is_found() {
    let room = room();
    let path = room.join("store.sqlite");
    let mut store = Store::open(&path).unwrap();
    let id = store.begin_study(&begun()).unwrap();
    (0..50).for_each(|n| store.add_point(id, &plain(n, 50)).unwrap());
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8192].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let e = Store::open(&path).and_then(|store| store.check()).unwrap_err();
    assert!(matches!(e, StoreError::Damaged { .. }), "{e}");
}

#[test]
fn a_directory_that_may_not_be_written_is_named() {
    let at: Box<dyn AsRef<Path>>;
    let keep;
    if root() {
        skip_without!(Need::Root);
        let mount = Mount::new(FileSystem::Tmpfs, 4 << 20).unwrap();
        drop(Store::open(mount.path().join("store.sqlite")).unwrap());
        let remount = || {
            let mut remount = Command::new("mount");
            remount.args(["-o", "remount,ro"]).arg(mount.path()).stderr(Stdio::null());
            remount.status().unwrap().success()
        };
        // What other tests start holds the open files of all for a moment.
        assert!((0..100).any(|_| remount() || {
            std::thread::sleep(Duration::from_millis(50));
            false
        }));
        at = Box::new(mount.path().to_path_buf());
        keep = (Some(mount), None);
    } else {
        let room = Sandbox::new().unwrap();
        drop(Store::open(room.join("store.sqlite")).unwrap());
        std::fs::set_permissions(room.path(), PermissionsExt::from_mode(0o555)).unwrap();
        at = Box::new(room.path().to_path_buf());
        keep = (None, Some(room));
    }
    let directory = (*at).as_ref();
    for name in ["store.sqlite", "new.sqlite", "below/new.sqlite"] {
        let e = Store::open(directory.join(name))
            .and_then(|mut store| store.begin_study(&begun()))
            .expect_err("it could be written");
        let StoreError::NotWritable { why, .. } = e else { panic!("{name}: {e:?}") };
        assert!(
            matches!(
                why,
                WriteFault::File(Errno::ROFS | Errno::ACCESS)
                    | WriteFault::JournalDirectory(Errno::ROFS | Errno::ACCESS)
            ),
            "{name}: {why:?}"
        );
    }
    if let Some(room) = &keep.1 {
        std::fs::set_permissions(room.path(), PermissionsExt::from_mode(0o755)).unwrap();
    }
}

/// If the file system of the store is full, the error is clear and nothing is damaged; when space is free again,
/// storing continues.
#[test]
fn a_full_disk_is_said_and_damages_nothing() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Tmpfs, 3 << 20).unwrap();
    let path = mount.path().join("store.sqlite");
    let ballast = mount.path().join("ballast");
    std::fs::write(&ballast, vec![1u8; 1 << 20]).unwrap();
    let mut store = Store::open(&path).unwrap();
    let id = store.begin_study(&begun()).unwrap();
    let mut stored = 0;
    let e = loop {
        match store.add_point(id, &plain(stored, 100)) {
            Ok(()) => stored += 1,
            Err(e) => break e,
        }
        assert!(stored < 1000, "two megabytes hold no thousand points");
    };
    assert!(matches!(e, StoreError::Full { .. }), "{e:?}");
    // The same store says so again and still reads.
    assert!(matches!(store.add_point(id, &plain(stored, 100)), Err(StoreError::Full { .. })));
    assert!(matches!(
        store.add_run(&RunResult::default(), &"x".repeat(100_000)),
        Err(StoreError::Full { .. })
    ));
    assert_eq!(store.study(id).unwrap().points.len() as u32, stored);
    drop(store);
    let points =
        |store: &Store| store.study(id).unwrap().points.iter().map(|p| p.ordinal).collect::<Vec<_>>();
    let all: Vec<u32> = (0..stored).collect();
    // Still full: it opens, or says why not.
    match Store::open(&path) {
        Ok(store) => assert_eq!(points(&store), all),
        Err(e) => {
            println!("still full: {e}");
            assert!(matches!(e, StoreError::Full { .. }), "{e:?}");
        }
    }
    std::fs::remove_file(&ballast).unwrap();
    let mut store = Store::open(&path).unwrap();
    store.check().unwrap();
    assert_eq!(points(&store), all);
    store.add_point(id, &plain(stored, 100)).unwrap();
    store.check().unwrap();
}

/// Processes of one user may end at the same time, even when none has created the store yet.
#[test]
fn many_at_once_lose_nothing() {
    let room = room();
    let path = room.join("below/store.sqlite");
    std::thread::scope(|scope| {
        for n in 0..8 {
            let path = &path;
            scope.spawn(move || {
                for k in 0..5 {
                    let mut store = Store::open(path).unwrap();
                    store.add_run(&RunResult::default(), &format!("{n}/{k}")).unwrap();
                }
            });
        }
    });
    let store = Store::open_existing(&path).unwrap();
    let mut titles: Vec<String> = store.list(100).unwrap().0.into_iter().map(|l| l.title).collect();
    titles.sort();
    let expected: Vec<String> = (0..8).flat_map(|n| (0..5).map(move |k| format!("{n}/{k}"))).collect();
    assert_eq!(titles, expected);
    store.check().unwrap();
    let mode = std::fs::metadata(path.parent().unwrap()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

/// A value as a result holds it: histograms, and sums beyond 64 bits.
#[test]
fn what_json_makes_hard_comes_back() {
    let mut latency = stats::Latency::default();
    for v in [1, 150, 1 << 40, 1 << 60] {
        latency.moments.record(v, 3);
        latency.histogram.record(v, 3);
    }
    let text = serde_json::to_string(&latency).unwrap();
    assert_eq!(serde_json::from_str::<stats::Latency>(&text).unwrap(), latency);
    assert!(text.len() < 400, "{text}");
    assert!(serde_json::from_str::<Histogram>("[[2304,1]]").is_err());
}

/// Two processes that continue one study would affect each other's measurement: only one process at a time holds the
/// lock of a study, separately for each study.
#[test]
fn claim_of_a_study_is_one_process_at_a_time() {
    let sandbox = testbed::Sandbox::new().unwrap();
    let path = sandbox.join("s.sqlite");
    let (one, other) = (Store::open(path.clone()).unwrap(), Store::open(path).unwrap());
    let claim = one.lock_study(1).unwrap();
    assert!(other.lock_study(1).is_none() && other.lock_study(2).is_some());
    drop(claim);
    assert!(other.lock_study(1).is_some());
}
