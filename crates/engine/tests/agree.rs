//! The same operations through every engine leave the same file and read the same bytes.
#![allow(clippy::unwrap_used)]

use engine::uring::{Uring, Wanted};
use engine::{Arena, Completion, Engine, Kind, Op, aio::Aio, sync::Sync};
use proptest::prelude::*;
use std::fs::OpenOptions;
use std::os::fd::AsRawFd;
use std::path::Path;
use testbed::{Need, Sandbox};

const DEPTH: usize = 8;
const BLOCK: usize = 4096;
const BLOCKS: u64 = 16;

/// What is done in one submit: for each block of the batch (all different) a kind and the byte it is filled with.
type Batch = Vec<(u64, bool, u8)>;

/// Carries `batches` out; the reads' first words in order of the batch, and how many were answered with what.
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
    fn engines_agree(batches in batches(), fixed_files: bool, fixed_buffers: bool) {
        if let Some(reason) = testbed::missing(&[Need::IoUring]) {
            testbed::skip(&reason);
            return Ok(());
        }
        let sandbox = Sandbox::new().unwrap();
        let arena = || Arena::new(DEPTH, BLOCK).unwrap();
        let mut results = Vec::new();
        for name in ["psync", "sync", "libaio", "io_uring"] {
            let path = sandbox.sparse(name, BLOCKS * BLOCK as u64).unwrap();
            let arena = arena();
            let blocks = arena.blocks();
            let wanted = Wanted { fixed_buffers, fixed_files };
            let seen = match name {
                "psync" => carry_out(Sync::<false>::new(blocks, 1), arena, &path, &batches),
                "sync" => carry_out(Sync::<true>::new(blocks, 1), arena, &path, &batches),
                "libaio" => carry_out(Aio::new(blocks, DEPTH, 1).unwrap(), arena, &path, &batches),
                _ => carry_out(Uring::new(blocks, DEPTH, 1, wanted).unwrap(), arena, &path, &batches),
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
