//! The engine `nbd` against real servers (nbdkit), whose own logs and counts are the witnesses.

use engine::remote::RemoteError;
use engine::remote::Volume;
use engine::remote::nbd::{Nbd, NbdVolume};
use engine::{Arena, Completion, Engine, Kind, Op};
use rustix::process::Signal;
use std::time::{Duration, Instant};
use testbed::{Draw, server};

const BLOCK: usize = 8192;

fn op(slot: u16, kind: Kind, offset: u64, len: u32) -> Op {
    Op { offset, len, slot, kind, ..Op::NONE }
}

/// Runs the operations at this depth and returns the result of each, in order.
fn run(engine: &mut Nbd, ops: &[Op], depth: usize) -> Vec<i32> {
    let mut results = vec![0; ops.len()];
    for (at, batch) in ops.chunks(depth).enumerate() {
        engine.queue(batch);
        engine.submit().expect("the engine accepts operations");
        let mut left = batch.len();
        let mut out = [Completion::default(); 64];
        while left > 0 {
            let n = engine.reap(left, &mut out).expect("the engine delivers completions");
            for done in &out[..n] {
                let index =
                    batch.iter().position(|op| op.slot == done.slot).expect("the slot is of this batch");
                results[at * depth + index] = done.res;
            }
            left -= n;
        }
    }
    results
}

/// What is read is what was written or discarded before, block by block, in a model of the export in memory; a second
/// connection and the server's own count agree.
#[test]
fn contents_and_counts_are_those_of_the_server() {
    let server = server!(
        "nbd",
        &[("FILTERS", "stats"), ("PLUGIN", "memory 1M"), ("SETTINGS", "statsfile=@DIR@/stats")]
    );
    let depth = 16;
    let mut arena = Arena::new(depth, BLOCK).unwrap();
    let mut engine = Nbd::open(server.value("URI"), arena.blocks(), depth, true).unwrap();
    let mut draw = Draw::new(7);
    let mut model = vec![0u8; 1 << 20];
    let (mut reads, mut writes) = (0, 0);
    for round in 0..200u64 {
        // Distinct places in a round, because requests of a round may be served in any order.
        let mut places: Vec<u64> = (0..(1 << 20) / BLOCK as u64).collect();
        let mut ops = Vec::new();
        for slot in 0..depth as u16 {
            let place = places.swap_remove(draw.below(places.len()));
            let kind = [Kind::Read, Kind::Write, Kind::Trim][draw.below(3)];
            ops.push(op(slot, kind, place * BLOCK as u64, BLOCK as u32));
            arena.bytes(slot, BLOCK).fill((round + u64::from(slot)) as u8 | 1);
        }
        let results = run(&mut engine, &ops, depth);
        assert!(results.iter().all(|res| *res == BLOCK as i32), "{results:?}");
        for o in &ops {
            let range = o.offset as usize..o.offset as usize + BLOCK;
            match o.kind {
                Kind::Read => {
                    reads += 1;
                    assert_eq!(arena.bytes(o.slot, BLOCK), &model[range], "read at {}", o.offset);
                }
                Kind::Write => {
                    writes += 1;
                    model[range].copy_from_slice(arena.bytes(o.slot, BLOCK));
                }
                _ => model[range].fill(0),
            }
        }
    }
    assert_eq!(run(&mut engine, &[op(0, Kind::Fsync, 0, 0)], 1), [0]);
    drop(engine);
    let mut volume = NbdVolume::open(server.value("URI")).unwrap();
    assert_eq!(volume.size(), Some(1 << 20));
    let mut all = vec![0u8; 1 << 20];
    assert_eq!(volume.read_at(0, &mut all).unwrap(), 1 << 20);
    assert!(all == model, "the second connection reads other data");
    drop(volume);
    server.signal(Signal::TERM);
    let log = server.dir().join("stats");
    let counted = |what: &str| {
        for _ in 0..500 {
            let text = std::fs::read_to_string(&log).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{what}: ")));
            if let Some(count) = line.and_then(|line| line.split(' ').next()?.parse::<u64>().ok()) {
                return count;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("no line {what} in {}", std::fs::read_to_string(&log).unwrap_or_default());
    };
    assert_eq!((counted("read"), counted("write")), (reads + 1, writes));
}

/// A read-only export refuses writing jobs before the first write; errors of single requests have the server's errno.
#[test]
fn errors_are_those_of_the_server() {
    let server = server!(
        "nbd",
        &[("PLUGIN", "memory 1M"), ("FILTERS", "error"), ("SETTINGS", "error-pread=ENOSPC error-rate=1")]
    );
    let arena = Arena::new(1, BLOCK).unwrap();
    let mut engine = Nbd::open(server.value("URI"), arena.blocks(), 1, false).unwrap();
    assert_eq!(run(&mut engine, &[op(0, Kind::Read, 0, 512)], 1), [-libc::ENOSPC]);
    assert_eq!(run(&mut engine, &[op(0, Kind::Read, 1 << 20, 512)], 1), [-libc::EINVAL]);
    let text = engine.remote_error().unwrap().to_string();
    assert!(text.contains(server.value("URI")) && text.starts_with("nbd_aio_pread"), "{text}");
    let read_only = server!("nbd", &[("PLUGIN", "-r memory 1M")]);
    let refused = Nbd::open(read_only.value("URI"), arena.blocks(), 1, true).map(|_| ()).unwrap_err();
    assert_eq!(refused.errno(), libc::EROFS);
    assert!(Nbd::open(read_only.value("URI"), arena.blocks(), 1, false).is_ok());
    let nowhere = Nbd::open("nbd+unix:///?socket=/dev/shm/fathom-nobody", arena.blocks(), 1, false);
    let RemoteError::Refused { errno, text, .. } = nowhere.map(|_| ()).unwrap_err() else {
        panic!("no library")
    };
    assert_eq!(errno, libc::ENOENT);
    assert!(
        text.starts_with("nbd+unix:///?socket=/dev/shm/fathom-nobody: ") && !text.contains('\n'),
        "{text}"
    );
}

/// A killed server fails every request in flight, and the wait for them uses no CPU; a stopped one fails none.
#[test]
fn killed_server_fails_all_requests_in_flight() {
    let server =
        server!("nbd", &[("FILTERS", "delay"), ("PLUGIN", "memory 1M"), ("SETTINGS", "delay-read=400ms")]);
    let depth = 8;
    let arena = Arena::new(depth, BLOCK).unwrap();
    let mut engine = Nbd::open(server.value("URI"), arena.blocks(), depth, false).unwrap();
    let ops: Vec<Op> = (0..depth as u16).map(|slot| op(slot, Kind::Read, 0, 512)).collect();
    engine.queue(&ops);
    engine.submit().unwrap();
    server.signal(Signal::STOP);
    let mut out = [Completion::default(); 8];
    let cpu = || rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let (begin, before) = (Instant::now(), cpu());
    assert_eq!(engine.reap_within(600_000_000, &mut out).unwrap(), 0);
    assert!(begin.elapsed() >= Duration::from_millis(600));
    let after = cpu();
    let used = (after.tv_sec - before.tv_sec) * 1_000_000_000 + after.tv_nsec - before.tv_nsec;
    assert!(used < 100_000_000, "{used} ns of CPU in 0.6 s of waiting");
    server.signal(Signal::CONT);
    assert!(run_out(&mut engine, depth).iter().all(|done| done.res == 512));
    engine.queue(&ops);
    engine.submit().unwrap();
    server.signal(Signal::KILL);
    let all = run_out(&mut engine, depth);
    assert!(all.iter().all(|done| done.res < 0), "{all:?}");
    assert!(engine.remote_error().is_some());
    assert!(run(&mut engine, &ops, depth).iter().all(|res| *res < 0));
}

fn run_out(engine: &mut Nbd, count: usize) -> Vec<Completion> {
    let mut all = Vec::new();
    let mut out = [Completion::default(); 64];
    while all.len() < count {
        let n = engine.reap(1, &mut out).expect("the engine delivers completions");
        all.extend_from_slice(&out[..n]);
    }
    all
}
