//! Studies of `fathom pts` that SIGKILL ends at drawn moments: after each kill, the steps in the store are those from before
//! it, and the resumed study is the one that an uninterrupted command would have measured.

use crate::common::document;
use crate::pts::Bench;
use rusqlite::types::Value as Column;
use serde_json::Value;
use stats::pts::{PtsAsked, PtsDevice, PtsEvent, PtsPoint, PtsProtocol, PtsStep, PtsTest};
use std::path::Path;
use std::time::{Duration, Instant};
use testbed::child::Running;
use testbed::{Draw, Need, skip_without};

const LIMIT: Duration = Duration::from_secs(600);

/// Rows of the table of steps, every column as it is stored.
type Rows = Vec<Vec<Column>>;

/// Returns the rows of a study.
fn rows(store: &Path, study: i64) -> Rows {
    let read = |db: rusqlite::Connection| -> rusqlite::Result<Rows> {
        let mut query = db.prepare("SELECT * FROM points WHERE study = ?1 ORDER BY ordinal")?;
        let columns = query.column_count();
        let rows = query.query_map([study], |row| (0..columns).map(|n| row.get(n)).collect())?;
        rows.collect()
    };
    if !store.exists() {
        return Rows::new();
    }
    rusqlite::Connection::open(store).and_then(read).unwrap_or_default()
}

/// Returns the number of the newest study; 0 if there is none.
fn newest(store: &Path) -> i64 {
    let query = |db: rusqlite::Connection| {
        db.query_row("SELECT coalesce(max(id), 0) FROM studies", [], |row| row.get(0))
    };
    if store.exists() { rusqlite::Connection::open(store).and_then(query).unwrap_or(0) } else { 0 }
}

/// Returns whether a study is marked as complete.
fn complete(store: &Path, study: i64) -> bool {
    let query = |db: rusqlite::Connection| {
        db.query_row("SELECT complete FROM studies WHERE id = ?1", [study], |row| row.get(0))
    };
    store.exists() && rusqlite::Connection::open(store).and_then(query).unwrap_or(false)
}

/// Returns the steps of a study from its rows.
fn steps(rows: &Rows) -> Vec<PtsPoint> {
    let text = |row: &Vec<Column>| match row.last() {
        Some(Column::Text(text)) => serde_json::from_str(text).unwrap(),
        other => panic!("{other:?} is no step"),
    };
    rows.iter().map(text).collect()
}

/// A study as it is at its end.
struct Ended {
    steps: Vec<PtsPoint>,
    /// The document that the last command printed.
    document: Value,
    wall: Duration,
}

fn whole(bench: &Bench, line: &str) -> Ended {
    let began = Instant::now();
    let ran = bench.ours(&format!("{line} --json"));
    assert_eq!(ran.code, Some(0), "{line}: {ran:#?}");
    let store = bench.store();
    Ended { steps: steps(&rows(&store, newest(&store))), document: document(&ran), wall: began.elapsed() }
}

/// Waits for a drawn moment at which to kill: one in four within the start of the command, the others within one of the next
/// steps, on average `share` of them after the steps that are `known`.
fn wait_for_a_moment(store: &Path, study: i64, known: usize, whole: &Ended, share: f64, draw: &mut Draw) {
    if draw.below(4) == 0 {
        std::thread::sleep(Duration::from_millis(300).mul_f64(draw.unit()));
        return;
    }
    let until = known + 1 + (2.0 * share * draw.unit()) as usize;
    let began = Instant::now();
    // A study whose course depends on what is measured may have fewer steps: the command then ends while this waits.
    let longest = whole.wall.mul_f64(3.0) + Duration::from_secs(5);
    while rows(store, study).len() < until.min(whole.steps.len()) && began.elapsed() < longest {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(whole.wall.div_f64(whole.steps.len() as f64).mul_f64(draw.unit()));
}

/// Begins the study of `line` and kills it at `kills` drawn moments. Checks the stored steps after each kill, and lets the
/// study come to its end. A study that ends before its kills are spent is followed by another one, which is killed as often
/// as is left.
fn killed(bench: &Bench, line: &str, kills: usize, whole: &Ended, draw: &mut Draw) -> Vec<Ended> {
    let store = bench.store();
    let consent = if line.contains("--allow-destroy") { " --allow-destroy DEVICE" } else { "" };
    let share = whole.steps.len() as f64 / (kills + 1) as f64;
    let (mut ended, mut left) = (Vec::new(), kills);
    while left > 0 || ended.is_empty() {
        let study = newest(&store) + 1;
        let mut known = Rows::new();
        loop {
            // A kill before the study is stored leaves nothing to resume.
            let command = if newest(&store) == study {
                format!("pts --resume{consent} --json")
            } else {
                format!("{line} --json")
            };
            let running = Running::start(&mut bench.command(&command)).unwrap();
            if left > 0 {
                wait_for_a_moment(&store, study, known.len(), whole, share, draw);
                running.signal(libc::SIGKILL);
            }
            let ran = running.finish(LIMIT).unwrap();
            let now = rows(&store, study);
            assert!(now.len() >= known.len(), "{line}: {} steps of {} are left", now.len(), known.len());
            assert_eq!(now[..known.len()], known, "{line}: stored steps changed");
            known = now;
            match (ran.code, ran.signal) {
                (None, Some(libc::SIGKILL)) => left -= 1,
                (Some(0), _) => assert!(complete(&store, study), "{line}"),
                _ => panic!("{command}: {ran:#?}"),
            }
            // A kill may also come after the end, before the result is printed.
            if complete(&store, study) {
                let document = document(&bench.ours(&format!("export S{study} --json")));
                ended.push(Ended { steps: steps(&known), document, wall: ran.wall });
                break;
            }
        }
    }
    ended
}

/// Checks that every step is the one that follows from the steps before it, that none is missing at the end, and that none
/// was measured twice; returns place and load of each.
#[track_caller]
fn course(ended: &Ended, test: PtsTest) -> Vec<String> {
    let asked: PtsAsked = serde_json::from_value(ended.document["asked"].clone()).unwrap();
    let device: PtsDevice = serde_json::from_value(ended.document["device"].clone()).unwrap();
    let protocol = PtsProtocol::of(test, &asked, &device);
    let all: Vec<&PtsPoint> = ended.steps.iter().collect();
    let mut course = Vec::new();
    for (nth, point) in ended.steps.iter().enumerate() {
        assert_eq!((point.ordinal as usize, point.test), (nth, test));
        let due = protocol.next(&all[..nth]);
        let (same, what) = match (due, &point.event) {
            (Some(PtsStep::Purge), PtsEvent::Purged(_)) => (true, "purge".to_owned()),
            (Some(PtsStep::SetCache), PtsEvent::CacheSet(_)) => (true, "cache".to_owned()),
            (Some(PtsStep::Measure(order)), PtsEvent::Measured(sample)) => {
                let same = (order.place, order.load) == (sample.place, sample.load);
                (same, format!("{:?} {:?}", sample.place, sample.load))
            }
            _ => (false, String::new()),
        };
        assert!(same, "step {nth} is {:?}, due was {due:?}", point.event);
        assert!(nth == 0 || !course.contains(&what) || what == "purge" || what == "cache", "{what} twice");
        course.push(what);
    }
    assert_eq!(protocol.next(&all), None, "the last steps are missing");
    assert_eq!(ended.document["complete"], Value::Bool(true));
    course
}

/// Checks that the report of the newest study has the parts that the report of an uninterrupted one has.
#[track_caller]
fn reported(bench: &Bench, other: &Bench) {
    let parts = |bench: &Bench| {
        let id = newest(&bench.store());
        let ran = bench.ours(&format!("report S{id} -o p{id}.html"));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let page = std::fs::read_to_string(bench.home.path().join(format!("p{id}.html"))).unwrap();
        let ids = page.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next().map(String::from));
        let ids: Vec<String> = ids.filter(|id| id.starts_with("pts")).collect();
        (ids, page.contains("not finished"))
    };
    let (mine, theirs) = (parts(bench), parts(other));
    assert!(!mine.0.is_empty() && !mine.1 && !theirs.1, "{mine:?}");
    assert_eq!(mine.0, theirs.0);
}

/// Kills a study on a loop device. `fixed`: its course does not depend on what is measured.
fn on_a_loop_device(test: PtsTest, scale: u32, kills: usize, fixed: bool, draw: &mut Draw) {
    let line = format!(
        "pts {} DEVICE --allow-destroy DEVICE --scale 1/{scale} --rounds 5 --threads 2 --depth 4 --seed 7",
        test.name()
    );
    let [bench, other] = [Bench::new(), Bench::new()];
    let whole = whole(&other, &line);
    let expected = course(&whole, test);
    for ended in killed(&bench, &line, kills, &whole, draw) {
        let found = course(&ended, test);
        // Operating points are chosen by what was measured, and the end of write saturation too.
        let chosen = |line: &str| !fixed && (line.contains("Operating") || line.contains("Histogram"));
        for (mine, theirs) in found.iter().zip(&expected).take_while(|(a, b)| !chosen(a) && !chosen(b)) {
            assert_eq!(mine, theirs, "{test:?}");
        }
        assert!(
            !fixed || found.len() == expected.len(),
            "{test:?}: {} steps, {}",
            found.len(),
            expected.len()
        );
        println!(
            "{}: {} steps, {} of them after a kill; uninterrupted {} in {:.1} s",
            test.name(),
            found.len(),
            ended.steps.iter().filter(|step| step.resumed).count(),
            expected.len(),
            whole.wall.as_secs_f64()
        );
    }
    reported(&bench, &other);
}

/// Kills a study of a simulated device, whose figures depend on the seed, the offsets, sizes, directions and depth of every
/// I/O: all figures of every step are equal to those of an uninterrupted study.
fn on_a_simulated_device(test: PtsTest, scale: u32, kills: usize, draw: &mut Draw) {
    let device = "model:law=exponential:100us;servers=4;ftl=0.15:256:4k;size=16m";
    let line = format!("pts {} {device} --scale 1/{scale} --rounds 5 --seed 7", test.name());
    let [bench, other] = [Bench::new(), Bench::new()];
    let whole = whole(&other, &line);
    course(&whole, test);
    for ended in killed(&bench, &line, kills, &whole, draw) {
        course(&ended, test);
        let plain = |step: &PtsPoint| PtsPoint { resumed: false, ..step.clone() };
        for (mine, theirs) in ended.steps.iter().zip(&whole.steps) {
            assert_eq!(plain(mine), plain(theirs), "{test:?}");
        }
        assert_eq!(ended.steps.len(), whole.steps.len(), "{test:?}");
        let resumed = ended.steps.iter().filter(|step| step.resumed).count();
        println!("{} (simulated): {} steps, {resumed} of them after a kill", test.name(), ended.steps.len());
    }
    reported(&bench, &other);
}

#[test]
fn studies_killed_at_drawn_moments_have_the_rounds_of_whole_ones() {
    skip_without!(Need::Loop);
    let mut draw = Draw::fresh();
    on_a_loop_device(PtsTest::Throughput, 60_000, 2, true, &mut draw);
    on_a_simulated_device(PtsTest::Latency, 6_000, 2, &mut draw);
}

/// Kills a test twenty times on a simulated device and on a loop device.
fn killed_twenty_times(test: PtsTest, fixed: bool) {
    skip_without!(Need::Loop);
    let mut draw = Draw::fresh();
    on_a_simulated_device(test, 6_000, 20, &mut draw);
    on_a_loop_device(test, 60_000, 20, fixed, &mut draw);
}

/// Declares the test of each of the eight tests: its name, which test, and whether its course is fixed.
macro_rules! killed_twenty_times {
    ($($name:ident: $test:ident, $fixed:literal;)*) => {$(
        #[test]
        #[ignore = "minutes: killed twenty times on each of two devices"]
        fn $name() {
            killed_twenty_times(PtsTest::$test, $fixed);
        }
    )*};
}

killed_twenty_times! {
    iops_killed_twenty_times_has_the_rounds_of_a_whole_one: Iops, true;
    throughput_killed_twenty_times_has_the_rounds_of_a_whole_one: Throughput, true;
    latency_killed_twenty_times_has_the_rounds_of_a_whole_one: Latency, true;
    wsat_killed_twenty_times_has_the_rounds_of_a_whole_one: Wsat, false;
    hir_killed_twenty_times_has_the_rounds_of_a_whole_one: Hir, true;
    xsr_killed_twenty_times_has_the_rounds_of_a_whole_one: Xsr, true;
    cbw_killed_twenty_times_has_the_rounds_of_a_whole_one: Cbw, false;
    dirth_killed_twenty_times_has_the_rounds_of_a_whole_one: Dirth, false;
}

/// The moment between the last step and the record of the end: the study is resumed, measures nothing, and is then recorded.
#[test]
fn study_killed_before_its_end_was_recorded_resumes_to_its_end() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let line = "pts latency model:law=constant:100us;size=16m --scale 1/60000 --rounds 5";
    let whole = whole(&bench, line);
    let before = rows(&bench.store(), 1);
    let db = rusqlite::Connection::open(bench.store()).unwrap();
    db.execute("UPDATE studies SET complete = 0", []).unwrap();
    drop(db);
    let ran = bench.ours("pts --resume --json");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!((&document(&ran)["runs"], rows(&bench.store(), 1)), (&whole.document["runs"], before));
    assert!(complete(&bench.store(), 1));
    assert_eq!(bench.ours("pts --resume").code, Some(2));
}
