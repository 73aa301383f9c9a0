//! A process that stores points is killed at random times, repeatedly.
#![allow(clippy::unwrap_used)]
mod common;

use common::{begun, plain};
use std::io::Write as _;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};
use store::Store;
use testbed::Sandbox;
use testbed::child::Running;

const CHILD: &str = "FATHOM_STORE_KILLED";

/// The child process of the test: continues the last study without end, and prints the number of each stored point.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let mut store = Store::open(path).unwrap();
    let id = match store.unfinished().unwrap().first().copied() {
        Some(id) => id,
        None => store.begin_study(&begun()).unwrap(),
    };
    let begin = store.study(id).unwrap().points.len() as u32;
    for n in begin.. {
        store.add_point(id, &plain(n, 60)).unwrap();
        // One call, so that a line is whole or not there.
        std::io::stdout().write_all(format!("added {n}\n").as_bytes()).unwrap();
    }
}

#[test]
fn twenty_kills_lose_no_point_and_double_none() {
    let room = Sandbox::new().unwrap();
    let path = room.join("store.sqlite");
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let mut state = u64::from(now.subsec_nanos()) | 1;
    println!("seed {state}");
    let mut rounds = Vec::new();
    for round in 0..20 {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "child", "--nocapture"]).env(CHILD, &path);
        let child = Running::start(&mut command).unwrap();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Some are killed while they open the store, most while they write.
        let wait = Duration::from_micros(1_000 + state % 150_000);
        let deadline = Instant::now() + wait;
        while Instant::now() < deadline {
            std::thread::sleep(Duration::from_micros(200));
        }
        child.signal(9);
        let ran = child.finish(Duration::from_secs(20)).unwrap();
        assert_eq!(ran.signal, Some(9), "{ran:?}");
        // The harness begins the line of the first.
        let said = ran.stdout.lines().filter_map(|l| l.split("added ").nth(1)?.parse::<u32>().ok()).max();
        let store = Store::open(&path).unwrap();
        store.check().unwrap();
        let points = match store.unfinished().unwrap().first().copied() {
            Some(id) => store.study(id).unwrap().points,
            None => Vec::new(),
        };
        let at = format!("round {round}, killed after {wait:?}, last said {said:?}");
        assert!(points.len() as u32 >= said.map_or(0, |n| n + 1), "{at}: {} points", points.len());
        for (n, point) in points.iter().enumerate() {
            assert_eq!(*point, plain(n as u32, 60), "{at}");
        }
        rounds.push((points.len(), said));
    }
    println!("points after each kill, last said: {rounds:?}");
    assert!(rounds.last().unwrap().0 > 20, "it hardly wrote: {rounds:?}");
}
