//! The same operations on every engine leave the same file and read the same data.
#![allow(clippy::unwrap_used)]

use engine::memory::Memory;
use engine::pipe::Pipe;
use engine::sync::{Plain, Sync};
use engine::uring::{Uring, UringFeatures, UringOptions};
use engine::vector::{Flags, Vectored};
use engine::{Arena, Completion, Engine, Kind, Op, aio, aio::Aio, mmap, mmap::Mmap};
use proptest::prelude::*;
use std::fs::OpenOptions;
use std::os::fd::AsRawFd;
use std::path::Path;
use testbed::{Need, Sandbox};

const DEPTH: usize = 8;
const BLOCK: usize = 4096;
const BLOCKS: u64 = 16;

/// Operations of one submission: for each block of the batch (all different), the block, whether it is written, and
/// the byte that fills it.
type Batch = Vec<(u64, bool, u8)>;

/// Runs `batches` and returns the first words that the reads returned, in order of the batches, with the results of
/// the operations.
fn carry_out<E: Engine>(
    mut engine: E,
    mut arena: Arena,
    file: &Path,
    batches: &[Batch],
) -> Vec<(u64, i32, u64)> {
    let file = OpenOptions::new().read(true).write(true).open(file).unwrap();
    engine.set_file(0, file.as_raw_fd()).unwrap();
    let mut seen = Vec::new();
    let step = if E::SYNC { 1 } else { DEPTH };
    for part in batches.iter().flat_map(|b| b.chunks(step)) {
        let op = |(slot, (block, write, fill)): (usize, &(u64, bool, u8))| {
            if *write {
                arena.words(slot as u16, BLOCK).fill(u64::from_ne_bytes([*fill; 8]));
            }
            let kind = if *write { Kind::Write } else { Kind::Read };
            Op { offset: block * BLOCK as u64, len: BLOCK as u32, slot: slot as u16, kind, ..Op::NONE }
        };
        let ops: Vec<Op> = part.iter().enumerate().map(op).collect();
        engine.queue(&ops);
        engine.submit().unwrap();
        let (mut done, mut out) = (0, [Completion::default(); DEPTH]);
        let mut results = vec![0; ops.len()];
        while done < ops.len() {
            let n = engine.reap(1, &mut out).unwrap();
            out[..n].iter().for_each(|c| results[usize::from(c.slot)] = c.res);
            done += n;
        }
        seen.extend(
            ops.iter().zip(results).map(|(op, res)| (op.offset, res, arena.words(op.slot, BLOCK)[7])),
        );
    }
    seen
}

fn batches() -> impl Strategy<Value = Vec<Batch>> {
    let batch = prop::collection::btree_map(0..BLOCKS, (any::<bool>(), any::<u8>()), 1..=DEPTH);
    prop::collection::vec(batch.prop_map(|b| b.into_iter().map(|(at, (w, f))| (at, w, f)).collect()), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn engines_agree(
        batches in batches(),
        fixed_files: bool,
        fixed_buffers: bool,
        vectored: bool,
        force_async in 0..3u32,
        through: bool,
        percent in 0..=100u8,
        peek: bool,
        behind in prop_oneof![Just(0), Just(1040)],
    ) {
        if let Some(reason) = testbed::missing(&[Need::IoUring]) {
            testbed::skip(&reason);
            return Ok(());
        }
        let sandbox = Sandbox::new().unwrap();
        let memory = Memory { behind, ..Memory::default() };
        let arena = || Arena::of(DEPTH, BLOCK, &memory).unwrap();
        let mut results = Vec::new();
        let flags = Flags { always: 0, sometimes: engine::RWF_HIPRI, percent, writes: 0 };
        let mapped = mmap::MapOptions { read: true, write: true, huge: false, sequential: Some(false), through, persistent: None };
        let whole = vec![(0, BLOCKS * BLOCK as u64)];
        let plain = UringOptions { fixed_buffers, fixed_files, features: UringFeatures::default() };
        let features = UringFeatures { vectored, force_async: std::num::NonZeroU32::new(force_async), ..UringFeatures::default() };
        let thread = UringFeatures { thread: true, ..features };
        let asked = aio::AioOptions { peek, ..aio::AioOptions::default() };
        let vectors = aio::AioOptions { vectored: true, ..asked };
        let names = ["psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "libaio", "vectors", "io_uring", "extras", "thread"];
        for name in names {
            let path = sandbox.sparse(name, BLOCKS * BLOCK as u64).unwrap();
            let arena = arena();
            let blocks = arena.blocks();
            let ring = |features| Uring::<true>::new(blocks, DEPTH, 1, UringOptions { features, ..plain }).unwrap();
            let seen = match name {
                "psync" => carry_out(Sync::calling(Plain::<false>::new(blocks), 1), arena, &path, &batches),
                "sync" => carry_out(Sync::calling(Plain::<true>::new(blocks), 1), arena, &path, &batches),
                "vsync" => {
                    let way = Vectored::<true, false>::new(blocks, Flags::default(), 0);
                    carry_out(Sync::calling(way, 1), arena, &path, &batches)
                }
                "pvsync" => {
                    let way = Vectored::<false, false>::new(blocks, Flags::default(), 0);
                    carry_out(Sync::calling(way, 1), arena, &path, &batches)
                }
                "pvsync2" => {
                    let way = Vectored::<false, true>::new(blocks, flags, 7);
                    carry_out(Sync::calling(way, 1), arena, &path, &batches)
                }
                "mmap" => {
                    let way = Mmap::<false>::new(blocks, whole.clone(), mapped).unwrap();
                    carry_out(Sync::new(way), arena, &path, &batches)
                }
                "splice" => {
                    carry_out(Sync::calling(Pipe::new(blocks).unwrap(), 1), arena, &path, &batches)
                }
                "libaio" => carry_out(Aio::<false>::new(blocks, DEPTH, 1, asked).unwrap(), arena, &path, &batches),
                "vectors" => carry_out(Aio::<true>::new(blocks, DEPTH, 1, vectors).unwrap(), arena, &path, &batches),
                "extras" => carry_out(ring(features), arena, &path, &batches),
                "thread" => carry_out(ring(thread), arena, &path, &batches),
                _ => {
                    let ring = Uring::<false>::new(blocks, DEPTH, 1, plain).unwrap();
                    carry_out(ring, arena, &path, &batches)
                }
            };
            results.push((name, seen, std::fs::read(&path).unwrap()));
        }
        let (_, first_seen, first_file) = &results[0];
        for (name, seen, file) in &results[1..] {
            prop_assert_eq!(seen, first_seen, "{} reads differently", name);
            prop_assert!(file == first_file, "{} leaves another file", name);
        }
    }
}

/// An I/O beyond the end of a file that has shrunk fails, and an I/O across the new end is short.
#[test]
fn a_mapped_file_that_shrinks_makes_ios_fail_and_kills_nobody() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.sparse("mapped", BLOCKS * BLOCK as u64).unwrap();
    let file = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    let mut arena = Arena::new(1, 2 * BLOCK).unwrap();
    let wanted = mmap::MapOptions {
        read: true,
        write: true,
        huge: false,
        sequential: None,
        through: false,
        persistent: None,
    };
    let whole = vec![(0, BLOCKS * BLOCK as u64)];
    let mut engine = Sync::new(Mmap::<false>::new(arena.blocks(), whole, wanted).unwrap());
    engine.set_file(0, file.as_raw_fd()).unwrap();
    let mut ask = |kind, offset, len| {
        engine.queue(&[Op { offset, len, kind, ..Op::NONE }]);
        let mut out = [Completion::default()];
        assert_eq!(engine.reap(1, &mut out).unwrap(), 1);
        out[0].res
    };
    let block = BLOCK as u32;
    for kind in [Kind::Read, Kind::Write] {
        assert_eq!(ask(kind, 3 * BLOCK as u64 + 5, block + 3), block as i32 + 3);
    }
    arena.words(0, BLOCK).fill(1);
    file.set_len(4 * BLOCK as u64).unwrap();
    for kind in [Kind::Read, Kind::Write] {
        assert_eq!(ask(kind, 4 * BLOCK as u64, block), -libc_eio(), "{kind:?} behind the end");
        assert_eq!(ask(kind, 4 * BLOCK as u64 + 9, 5), -libc_eio(), "{kind:?} of a few bytes");
        assert_eq!(ask(kind, 3 * BLOCK as u64, 2 * block), block as i32, "{kind:?} across the end");
        assert_eq!(ask(kind, 0, block), block as i32, "{kind:?} where the file is");
        // To the byte, wherever in a piece of the copy the end lies.
        for before in [1, 8, 31, 32, 500, 512, 1301] {
            let at = 4 * BLOCK as u64 - before;
            assert_eq!(ask(kind, at, block), before as i32, "{kind:?} {before} bytes before the end");
        }
    }
}

#[test]
fn a_mapped_file_is_copied_to_the_byte() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("mapped", BLOCKS * BLOCK as u64).unwrap();
    let file = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    let mut arena = Arena::new(1, 2 * BLOCK).unwrap();
    let wanted = mmap::MapOptions {
        read: true,
        write: true,
        huge: false,
        sequential: None,
        through: false,
        persistent: None,
    };
    let mut engine =
        Sync::new(Mmap::<false>::new(arena.blocks(), vec![(0, BLOCKS * BLOCK as u64)], wanted).unwrap());
    engine.set_file(0, file.as_raw_fd()).unwrap();
    let mut content = std::fs::read(&path).unwrap();
    let lengths = [1, 7, 8, 511, 512, 513, 1023, 1024, 1536 + 9, BLOCK, 2 * BLOCK - 1];
    for (round, len) in lengths.into_iter().flat_map(|len| [(0, len), (13, len)]) {
        let mut done = |kind| {
            engine.queue(&[Op { offset: round, len: len as u32, kind, ..Op::NONE }]);
            let mut out = [Completion::default()];
            assert_eq!(engine.reap(1, &mut out).unwrap(), 1);
            assert_eq!(out[0].res, len as i32);
        };
        let bytes = |arena: &mut Arena| -> Vec<u8> {
            arena.words(0, 2 * BLOCK).iter().flat_map(|w| w.to_le_bytes()).collect()
        };
        let range = round as usize..round as usize + len;
        arena.words(0, 2 * BLOCK).fill(u64::from_le_bytes([0xa5; 8]));
        done(Kind::Read);
        assert_eq!(bytes(&mut arena)[..len], content[range.clone()], "{len} bytes at {round}");
        assert!(bytes(&mut arena)[len..].iter().all(|b| *b == 0xa5), "nothing behind {len} bytes");
        for (at, word) in arena.words(0, 2 * BLOCK).iter_mut().enumerate() {
            *word = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 + 2 * len as u64);
        }
        content[range].copy_from_slice(&bytes(&mut arena)[..len]);
        done(Kind::Write);
        assert!(std::fs::read(&path).unwrap() == content, "writing {len} bytes at {round}");
    }
}

fn libc_eio() -> i32 {
    rustix::io::Errno::IO.raw_os_error()
}
