//! Drives an engine against a model of the files' contents, for engines whose storage is on a server.
#![allow(dead_code)] // each test target uses a part of this

use engine::{Arena, Completion, Engine, Kind, Op};
use std::time::{Duration, Instant};
use testbed::{Draw, Server};

/// Longest time that a test waits for completions before it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A file or device of a test.
pub struct Target {
    /// Contents that the test expects.
    pub model: Vec<u8>,
    /// Unit of offsets and lengths in bytes.
    pub unit: usize,
}

/// Counts of the I/Os that [`random_io`] made, and the order in which they completed.
#[derive(Debug, Default)]
pub struct Done {
    pub reads: u64,
    pub writes: u64,
    pub read_bytes: u64,
    pub written_bytes: u64,
}

/// Returns completions until there are `count`; a reap that a signal interrupts is repeated.
pub fn reap<E: Engine>(engine: &mut E, count: usize) -> Vec<Completion> {
    let (started, mut all, mut out) = (Instant::now(), Vec::new(), [Completion::default(); 64]);
    while all.len() < count {
        let n = engine.reap_within(100_000_000, &mut out).unwrap();
        all.extend_from_slice(&out[..n]);
        assert!(started.elapsed() < PATIENCE, "{} of {count} completions came", all.len());
    }
    assert_eq!(all.len(), count, "more completions than operations");
    all
}

/// Carries out one operation and returns its result.
pub fn one<E: Engine>(engine: &mut E, op: Op) -> i32 {
    engine.queue(&[op]);
    engine.submit().unwrap();
    reap(engine, 1)[0].res
}

/// Makes `count` random reads and writes of up to `largest` bytes with `depth` in flight; ranges in flight do not overlap.
/// Each read has to return what the model contains.
pub fn random_io<E: Engine>(
    engine: &mut E,
    arena: &mut Arena,
    targets: &mut [Target],
    draw: &mut Draw,
    (depth, count, largest): (usize, usize, usize),
) -> Done {
    let mut flying: Vec<Option<Op>> = vec![None; depth];
    let (mut issued, mut completed, mut done) = (0, 0, Done::default());
    let mut out = [Completion::default(); 64];
    let started = Instant::now();
    while completed < count {
        let mut batch = Vec::new();
        for slot in 0..depth {
            if flying[slot].is_some() || issued == count || draw.below(4) == 0 {
                continue;
            }
            let file = draw.below(targets.len());
            let Target { model, unit } = &mut targets[file];
            let len = *unit * (1 + draw.below(largest / *unit));
            let offset = *unit * draw.below((model.len() - len) / *unit + 1);
            let kind = if draw.below(2) == 0 { Kind::Read } else { Kind::Write };
            let apart = |other: &Op| {
                other.file as usize != file
                    || (other.offset as usize + other.len as usize) <= offset
                    || offset + len <= other.offset as usize
            };
            if !flying.iter().flatten().all(apart) {
                continue;
            }
            let op = Op {
                offset: offset as u64,
                len: len as u32,
                file: file as u32,
                slot: slot as u16,
                kind,
                ..Op::NONE
            };
            if kind == Kind::Write {
                let bytes = draw.bytes(len);
                arena.bytes(slot as u16, len).copy_from_slice(&bytes);
                model[offset..offset + len].copy_from_slice(&bytes);
            } else {
                arena.bytes(slot as u16, len).fill(0xee);
            }
            flying[slot] = Some(op);
            issued += 1;
            batch.push(op);
        }
        engine.queue(&batch);
        engine.submit().unwrap();
        let waits = flying.iter().any(Option::is_some);
        let n = engine.reap(usize::from(waits), &mut out).unwrap();
        for completion in &out[..n] {
            let op = flying[usize::from(completion.slot)].take().expect("an operation in flight");
            assert_eq!(completion.res, (op.len - op.done) as i32, "{op:?} {:?}", engine.remote_error());
            let (offset, len) = (op.offset as usize, op.len as usize);
            if op.kind == Kind::Read {
                let model = &targets[op.file as usize].model[offset..offset + len];
                assert!(arena.bytes(op.slot, len) == model, "{op:?} read other data");
                done.reads += 1;
                done.read_bytes += len as u64;
            } else {
                done.writes += 1;
                done.written_bytes += len as u64;
            }
            completed += 1;
        }
        assert!(started.elapsed() < PATIENCE, "{completed} of {count} I/Os completed");
    }
    done
}

/// Returns the CPU time of this thread.
pub fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Stops all threads of the server, and returns when they are stopped.
pub fn stop(server: &Server) {
    server.signal(rustix::process::Signal::STOP);
    let stopped = |pid: i32| {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        tasks.into_iter().all(|task| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
        })
    };
    let started = Instant::now();
    while !server.pids().into_iter().all(stopped) {
        assert!(started.elapsed() < PATIENCE, "the server does not stop");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for a completion that does not come, until a signal ends the wait.
pub fn interrupted<E: Engine>(engine: &mut E) {
    extern "C" fn nothing(_: libc::c_int) {}
    // SAFETY: the handler does nothing; the thread that gets the signal is this one, which waits below.
    let thread = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = nothing as *const () as usize;
        libc::sigaction(libc::SIGUSR1, &raw const action, std::ptr::null_mut());
        libc::pthread_self()
    };
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(std::sync::atomic::Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(10));
                // SAFETY: the thread ends after this one, which the scope waits for.
                unsafe { libc::pthread_kill(thread, libc::SIGUSR1) };
            }
        });
        let count = engine.reap(1, &mut [Completion::default(); 4]);
        over.store(true, std::sync::atomic::Ordering::SeqCst);
        assert_eq!(count, Ok(0));
    });
}
