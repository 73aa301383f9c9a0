//! Laws of the general pattern, and comparison with fio 3.33's own I/O log for the same jobs.
use super::*;
use proptest::prelude::*;

fn spec(mix: Mix, order: Order, block: [(u64, u64); 3], random_map: bool, seed: u64) -> GeneralSpec {
    let (sizes, places) = (Sizes::default(), Places::default());
    let service = FileService::RoundRobin(1);
    GeneralSpec {
        mix,
        order,
        block,
        sizes,
        places,
        random_map,
        syncs: Vec::new(),
        range_flags: 0,
        serialize: false,
        depth: 32,
        service,
        open_files: 0,
        seed,
    }
}

fn all(mut general: General) -> Vec<Op> {
    let mut ops = [Op::NONE; 5];
    let mut out = Vec::new();
    loop {
        let n = general.fill(&mut ops);
        if n == 0 {
            return out;
        }
        out.extend_from_slice(&ops[..n]);
    }
}

const K: u64 = 1024;

proptest! {
    #[test]
    fn a_map_with_several_sizes_covers_each_byte_once(blocks in 1u64..2000, most in 1u64..9, files in 1usize..4, seed: u64) {
        let regions = vec![Region { start: 0, length: blocks * K, ends_file: true, room: blocks * K }; files];
        let bytes = blocks * K * files as u64;
        let g = General::new(spec(Mix::Read, Order::Random { run: 1 }, [(K, most * K); 3], true, seed), &regions, Budget { bytes, ios: u64::MAX, wraps: false });
        let mut seen = vec![vec![0u8; blocks as usize]; files];
        for op in all(g) {
            for b in op.offset / K..(op.offset + u64::from(op.len)) / K {
                seen[op.file as usize][b as usize] += 1;
            }
        }
        prop_assert!(seen.iter().flatten().all(|n| *n == 1));
    }

    #[test]
    fn mixed_directions_share_one_pass_and_the_coin_is_fair(blocks in 500u64..3000, reads in 0u8..=100, seed: u64) {
        let g = General::new(spec(Mix::ReadWrite { reads }, Order::Random { run: 1 }, [(4 * K, 4 * K); 3], true, seed),
            &[Region { start: 4096, length: blocks * 4 * K, ends_file: true, room: blocks * 4 * K }], Budget { bytes: blocks * 4 * K, ios: u64::MAX, wraps: false });
        let ops = all(g);
        let mut at: Vec<u64> = ops.iter().map(|op| op.offset).collect();
        at.sort_unstable();
        prop_assert_eq!(at, (0..blocks).map(|b| 4096 + b * 4 * K).collect::<Vec<_>>());
        let p = f64::from(reads) / 100.0;
        let (got, sd) = (ops.iter().filter(|op| op.kind == Kind::Read).count() as f64, (blocks as f64 * p * (1.0 - p)).sqrt());
        prop_assert!((got - blocks as f64 * p).abs() <= 5.0 * sd);
    }

    #[test]
    fn everything_stays_inside_its_region(length in 1u64..300_000, low in 1u64..9, factor in 1u64..5, skip in -20_000i64..20_000, run in 1u32..9, random: bool, map: bool, seed: u64) {
        let (low, high) = (low * 512, low * 512 * factor);
        let order = if random { Order::Random { run } } else { Order::Sequential { skip } };
        let g = General::new(spec(Mix::ReadWrite { reads: 40 }, order, [(low, high), (512, high), (0, 0)], map, seed),
            &[Region { start: 100, length, ends_file: random, room: length }], Budget { bytes: 3 * length, ios: 5000, wraps: true });
        for op in all(g) {
            prop_assert!(op.len > 0 && op.offset >= 100 && op.offset + u64::from(op.len) <= 100 + length);
        }
    }
}

/// fio 3.33, over 200 seeds of `read:4k --bsrange=1k-8k`: each size that fits before the end is as likely, and all 24
/// I/Os that began 1k before the end had a length of 1k.
#[test]
fn sizes_that_fit_before_the_end_are_equally_likely() {
    let region = Region { start: 0, length: 64 * K, ends_file: true, room: 64 * K };
    for order in [Order::Sequential { skip: 4096 }, Order::Sequential { skip: 0 }, Order::Random { run: 1 }] {
        let mut seen = [0u32; 4];
        for seed in 0..4000 {
            let budget = Budget { bytes: 64 * K, ios: u64::MAX, wraps: false };
            let g = General::new(spec(Mix::Read, order, [(K, 8 * K); 3], false, seed), &[region], budget);
            for op in all(g).iter().filter(|op| op.offset == 61 * K) {
                seen[(u64::from(op.len) / K) as usize] += 1;
            }
        }
        let mean = f64::from(seen.iter().sum::<u32>()) / 3.0;
        assert!(
            seen[0] == 0 && seen[1..].iter().all(|n| (f64::from(*n) - mean).abs() < 5.0 * mean.sqrt()),
            "{order:?} {seen:?}"
        );
    }
}

/// fio 3.33, 24 seeds of `randwrite --bs=16k,16k,4k --size=4m`: 79 to 252 of 256 blocks, none of them twice; a pass
/// ends at the first draw after which no block is free up to the end.
#[test]
fn map_of_smaller_blocks_ends_pass_early() {
    let of = |seed| {
        let block = [(16 * K, 16 * K), (16 * K, 16 * K), (4 * K, 4 * K)];
        let budget = Budget { bytes: 4096 * K, ios: u64::MAX, wraps: false };
        let region = Region { start: 0, length: 4096 * K, ends_file: true, room: 4096 * K };
        let mut at: Vec<u64> = all(General::new(
            spec(Mix::Write, Order::Random { run: 1 }, block, true, seed),
            &[region],
            budget,
        ))
        .iter()
        .map(|op| op.offset)
        .collect();
        let n = at.len();
        at.sort_unstable();
        at.dedup();
        assert_eq!((at.len(), at.iter().all(|o| o.is_multiple_of(16 * K))), (n, true));
        n
    };
    let mut counts: Vec<usize> = (0..100).map(of).collect();
    counts.sort_unstable();
    assert!(counts[50] > 150 && counts[50] < 250 && counts[5] < 150, "{counts:?}");
}

/// fio 3.33 ends `randread:4 --bs=12k --size=4100k` early, at the first run that reaches the 8k behind the last whole
/// block; a run that ends with the file is followed by another run.
#[test]
fn a_run_that_comes_upon_less_than_a_block_ends_the_pass() {
    let ended = |length: u64| {
        (0..50)
            .filter(|seed| {
                let g = General::new(
                    spec(Mix::Read, Order::Random { run: 4 }, [(12 * K, 12 * K); 3], true, *seed),
                    &[Region { start: 0, length, ends_file: true, room: length }],
                    Budget { bytes: length, ios: u64::MAX, wraps: false },
                );
                let ops = all(g);
                let last = ops[ops.len() - 1].offset;
                ops.len() < 341 && last + 12 * K + 8 * K == length
            })
            .count()
    };
    assert!(ended(4100 * K) >= 30);
    assert_eq!(ended(4092 * K), 0);
}

fn line(ops: &[Op]) -> String {
    ops.iter()
        .map(|op| match op.kind {
            Kind::Fsync => format!("s{} ", op.file),
            Kind::Fdatasync => format!("d{} ", op.file),
            _ => {
                format!("{}{}:{} ", ['r', 'w', 't'][op.kind as usize], op.file, op.offset / K)
            }
        })
        .collect()
}

/// Expected lines are those of fio 3.33's own I/O log for the same jobs.
#[test]
fn holes_runs_files_and_syncs_go_as_in_fio() {
    let sequential = |skip, mix| spec(mix, Order::Sequential { skip }, [(4 * K, 4 * K); 3], true, 1);
    let two = [Region { start: 0, length: 32 * K, ends_file: true, room: 32 * K }; 2];
    let budget = |bytes| Budget { bytes, ios: u64::MAX, wraps: false };
    let holes = all(General::new(sequential(4096, Mix::Read), &two, budget(64 * K)));
    assert_eq!(
        line(&holes),
        "r0:0 r1:0 r0:8 r1:8 r0:16 r1:16 r0:24 r1:24 r0:0 r1:0 r0:8 r1:8 r0:16 r1:16 r0:24 r1:24 "
    );
    let hole = |skip: i64, length: u64| {
        let ops = all(General::new(
            sequential(skip * 1024, Mix::Read),
            &[Region { start: 0, length: length * K, ends_file: true, room: length * K }],
            budget(length * K),
        ));
        line(&ops)
    };
    assert_eq!(hole(8, 64), "r0:0 r0:12 r0:24 r0:36 r0:48 r0:60 ");
    assert_eq!(
        hole(8, 56),
        "r0:0 r0:12 r0:24 r0:36 r0:48 r0:0 r0:12 r0:24 r0:36 r0:48 r0:0 r0:12 r0:24 r0:36 "
    );
    assert_eq!(hole(20, 24), "r0:0 r0:0 r0:0 r0:0 r0:0 r0:0 ");
    let back = all(General::new(
        sequential(-8192, Mix::Read),
        &[Region { start: 0, length: 64 * K, ends_file: true, room: 64 * K }],
        budget(16 * K),
    ));
    assert_eq!(line(&back), "r0:0 r0:56 r0:52 r0:48 ");
    let mut synced = sequential(0, Mix::Write);
    synced.syncs = vec![(Kind::Fsync, 4)];
    let wrap = Budget { bytes: 64 * K, ios: u64::MAX, wraps: true };
    let twice = all(General::new(
        synced,
        &[Region { start: 0, length: 32 * K, ends_file: true, room: 32 * K }],
        wrap,
    ));
    assert_eq!(
        line(&twice),
        "w0:0 w0:4 w0:8 w0:12 s0 w0:16 w0:20 w0:24 w0:28 s0 s0 w0:0 w0:4 w0:8 w0:12 s0 w0:16 w0:20 w0:24 w0:28 "
    );
    let mut both = sequential(0, Mix::Write);
    both.syncs = vec![(Kind::Fsync, 2), (Kind::Fdatasync, 3)];
    let once = all(General::new(
        both,
        &[Region { start: 0, length: 32 * K, ends_file: true, room: 32 * K }],
        budget(32 * K),
    ));
    assert_eq!(line(&once), "w0:0 w0:4 s0 w0:8 d0 w0:12 s0 w0:16 w0:20 s0 w0:24 w0:28 ");
}

/// Expected offsets are those of strace on fio 3.33 with the same jobs.
#[test]
fn hole_backwards_beyond_the_region_ends_the_pass() {
    let back = |block: u64, start: u64, length: u64, room: u64, bytes: u64, wraps: bool| -> Vec<u64> {
        let order = Order::Sequential { skip: -12 * 1024 };
        let region = Region { start, length, ends_file: false, room };
        let spec = spec(Mix::Write, order, [(block, block); 3], true, 1);
        let ops = all(General::new(spec, &[region], Budget { bytes, ios: u64::MAX, wraps }));
        ops.iter().map(|op| op.offset).collect()
    };
    assert_eq!(back(4 * K, 0, 9000, 20_000, 9000, false), [0]);
    assert_eq!(back(4 * K, 0, 5132, 315_404, 84 * K, true), [0; 21]);
    assert!(back(4 * K, 155_136, 5132, 160_268, 84 * K, true).is_empty());
    assert_eq!(back(4 * K, 4 * K, 12 * K, 195_904, 12 * K, false), [4 * K; 3]);
    assert_eq!(back(K, 11 * K, 11 * K, 188_736, 11 * K, false), [11 * K]);
}

/// fio 3.33 writes one block of 128k to each of two files of 233472 and 200704 bytes with `size=169472`, none to a file
/// of 90000 bytes, and none at random.
#[test]
fn block_larger_than_region_is_written_if_file_has_room() {
    let of = |order, rooms: [u64; 2]| {
        let region = |room| Region { start: 0, length: 84_736, ends_file: false, room };
        let spec = spec(Mix::Write, order, [(128 * K, 128 * K); 3], true, 1);
        let budget = Budget { bytes: 169_472, ios: u64::MAX, wraps: false };
        line(&all(General::new(spec, &rooms.map(region), budget)))
    };
    assert_eq!(of(Order::Sequential { skip: 0 }, [233_472, 200_704]), "w0:0 w1:0 ");
    assert_eq!(of(Order::Sequential { skip: 0 }, [233_472, 90_000]), "w0:0 ");
    assert_eq!(of(Order::Random { run: 1 }, [233_472, 200_704]), "");
}

/// fio 3.33 with `bs=4k size=100k blockalign=16k random_distribution=normal:30` ends a pass where the drawn block,
/// times the alignment, lies beyond the end: after 3 I/Os, all at multiples of 16k.
#[test]
fn law_with_blockalign_counts_places_in_blocks() {
    let lengths: Vec<usize> = (0..200)
        .map(|seed| {
            let mut spec = spec(Mix::Write, Order::Random { run: 1 }, [(4 * K, 4 * K); 3], false, seed);
            spec.places.align = [16 * K; 3];
            spec.places.law = Law::Normal { deviation: 30.0, center: None };
            let region = Region { start: 0, length: 100 * K, ends_file: false, room: 204 * K };
            let ops =
                all(General::new(spec, &[region], Budget { bytes: 100 * K, ios: u64::MAX, wraps: false }));
            assert!(ops.iter().all(|op| op.offset % (16 * K) == 0 && op.offset + 4 * K <= 100 * K));
            ops.len()
        })
        .collect();
    assert!(lengths.iter().sum::<usize>() < 200 * 5, "{lengths:?}");
}

proptest! {
    /// Every operation lies in its file's region; in a line of one size the last block may reach as far as the file
    /// does.
    #[test]
    fn every_operation_lies_in_its_files_region(
        files in proptest::collection::vec((0u64..200_000, 0u64..200_000, 0u64..30_000), 1..4),
        low in 1u64..9, factor in 1u64..5, order in 0u8..3, skip in -300_000i64..300_000, run in 1u32..5,
        law in 0u8..5, align in 0u64..5, map: bool, zones in proptest::option::of((1u64..40, 1u64..40, 0u64..40)),
        ordered in 0u8..100, seed: u64,
    ) {
        let (low, high) = (low * 500, low * 500 * factor);
        let order = match order {
            0 => Order::Sequential { skip: 0 },
            1 => Order::Sequential { skip },
            _ => Order::Random { run },
        };
        let sequential = matches!(order, Order::Sequential { .. });
        let mut spec = spec(Mix::ReadWrite { reads: 40 }, order, [(low, high); 3], map && align == 0, seed);
        spec.places.law = match law {
            _ if map && align == 0 => Law::Even,
            0 => Law::Even,
            1 => Law::Zipf { theta: 1.2, center: None },
            2 => Law::Pareto { h: 0.2, center: None },
            3 => Law::Normal { deviation: 30.0, center: None },
            _ => Law::Zones(vec![(60, job::job::Size::Bytes(9000)), (40, job::job::Size::Bytes(400_000))]),
        };
        spec.places.align = [align * 1000; 3];
        spec.places.ordered = [ordered; 3];
        spec.places.zones = zones.map(|(size, range, skip)| Zones { size: size * 1000, range: range * 1000, skip: skip * 1000 });
        let regions: Vec<Region> = files.iter()
            .map(|(start, length, behind)| Region { start: *start, length: *length, ends_file: false, room: length + behind })
            .collect();
        let whole: u64 = regions.iter().map(|region| region.length).sum();
        for op in all(General::new(spec, &regions, Budget { bytes: 3 * whole, ios: 3000, wraps: true })) {
            let region = regions[op.file as usize];
            let end = region.start + if sequential && low == high { region.room } else { region.length };
            prop_assert!(op.len > 0 && op.offset >= region.start && op.offset < region.start + region.length);
            prop_assert!(op.offset + u64::from(op.len) <= end);
        }
    }
}

/// Expected lines are those of fio 3.33's own I/O log for the same jobs.
#[test]
fn each_block_is_trimmed_then_written() {
    let line_of = |order, block: [u64; 3], files: usize, length: u64| {
        let regions = vec![Region { start: 0, length: length * K, ends_file: true, room: length * K }; files];
        let bytes = files as u64 * length * K;
        let spec = spec(Mix::TrimWrite, order, block.map(|b| (b * K, b * K)), true, 1);
        all(General::new(spec, &regions, Budget { bytes, ios: u64::MAX, wraps: false }))
    };
    let in_line = |skip| Order::Sequential { skip };
    assert_eq!(line(&line_of(in_line(0), [4; 3], 1, 12)), "t0:0 w0:0 t0:4 w0:4 t0:8 w0:8 ");
    assert_eq!(line(&line_of(in_line(0), [4; 3], 2, 8)), "t0:0 t1:0 w0:0 w1:0 t0:4 t1:4 w0:4 w1:4 ");
    assert_eq!(line(&line_of(in_line(0), [4, 8, 16], 1, 32)), "t0:0 w0:0 t0:16 w0:8 w0:16 ");
    assert_eq!(line(&line_of(in_line(0), [4, 16, 8], 1, 32)), "t0:0 w0:0 t0:8 w0:16 ");
    assert_eq!(
        line(&line_of(in_line(-8192), [4; 3], 1, 32)),
        "t0:0 w0:0 t0:24 w0:24 t0:20 w0:20 t0:16 w0:16 t0:12 w0:12 t0:8 w0:8 t0:4 w0:4 t0:0 w0:0 "
    );
    for (run, pairs) in [(1, 1), (2, 1), (3, 3), (4, 2)] {
        let ops = line_of(Order::Random { run }, [8; 3], 1, 8 * 4096);
        assert_eq!(ops.len() / 2, 4096);
        for pair in ops.chunks(2) {
            assert_eq!((pair[0].kind, pair[1].kind), (Kind::Trim, Kind::Write));
            assert_eq!((pair[0].offset, pair[0].len), (pair[1].offset, pair[1].len));
        }
        let follows = |pair: &[Op]| pair[2].offset == pair[0].offset + u64::from(pair[0].len);
        let jumps = ops.windows(4).step_by(2).filter(|pairs| !follows(pairs)).count();
        assert!(jumps.abs_diff(4096 / pairs) < 8, "{run}: {jumps}");
    }
}

/// Expected lines are those of fio 3.33's own I/O log for the same jobs.
#[test]
fn zones_go_as_in_fio() {
    let of = |mix, skip: i64, (size, range, gap): (u64, u64, u64), files: usize, length: u64, most: u64| {
        let mut spec = spec(mix, Order::Sequential { skip: skip * 1024 }, [(4 * K, 4 * K); 3], true, 1);
        spec.places.zones = Some(Zones { size: size * K, range: range * K, skip: gap * K });
        let regions = vec![Region { start: 0, length: length * K, ends_file: true, room: length * K }; files];
        let budget = Budget { bytes: most * K, ios: u64::MAX, wraps: most > files as u64 * length };
        line(&all(General::new(spec, &regions, budget)))
    };
    let plain = |zones, length, most| of(Mix::Read, 0, zones, 1, length, most).replace("r0:", "");
    assert_eq!(plain((8, 16, 0), 64, 40), "0 4 16 20 32 36 48 52 0 4 ");
    assert_eq!(plain((8, 8, 16), 64, 40), "0 4 24 28 48 52 0 4 24 28 ");
    assert_eq!(plain((6, 16, 0), 64, 16), "0 4 16 20 ");
    assert_eq!(plain((16, 8, 8), 64, 24), "0 4 0 4 16 20 ");
    assert_eq!(plain((8, 6, 0), 64, 24), "0 4 6 10 12 16 ");
    // Less than a block before the end of the file ends the pass, which io_size begins anew.
    assert_eq!(plain((20, 24, 0), 64, 64), "0 4 8 12 16 24 28 32 36 40 48 52 56 60 ");
    assert_eq!(plain((20, 24, 0), 64, 80), "0 4 8 12 16 24 28 32 36 40 48 52 56 60 0 4 8 12 16 24 ");
    assert_eq!(plain((8, 16, 0), 70, 70), "0 4 16 20 32 36 48 52 64 ");
    assert_eq!(of(Mix::Read, 4, (8, 16, 0), 1, 128, 24), "r0:0 r0:8 r0:16 r0:24 r0:32 r0:40 ");
    assert_eq!(
        of(Mix::Read, 0, (8, 16, 0), 2, 64, 40),
        "r0:0 r1:0 r0:16 r1:4 r0:32 r1:8 r0:48 r1:12 r0:0 r1:0 "
    );
    assert_eq!(of(Mix::TrimWrite, 0, (8, 16, 0), 1, 64, 12), "t0:0 w0:0 t0:16 w0:16 t0:32 w0:32 ");
    // At random: each block of a zone once, again and again until it is time for the next zone.
    let mut random = spec(Mix::Read, Order::Random { run: 1 }, [(4 * K, 4 * K); 3], true, 1);
    random.places.zones = Some(Zones { size: 32 * K, range: 16 * K, skip: 16 * K });
    let region = Region { start: 0, length: 64 * K, ends_file: true, room: 64 * K };
    let ops = all(General::new(random, &[region], Budget { bytes: 512 * K, ios: u64::MAX, wraps: true }));
    for (number, visit) in ops.chunks(4).enumerate() {
        let mut places: Vec<u64> = visit.iter().map(|op| op.offset / K).collect();
        places.sort_unstable();
        let zone = number as u64 / 2 % 2 * 32;
        assert_eq!(places, [zone, zone + 4, zone + 8, zone + 12]);
    }
    assert_eq!(ops.len(), 128);
}

/// fio counts the `number_ios` of `trimwrite` in pairs, and doubles it with each loop: 3, 3 and 6 pairs for 1 and 3.
#[test]
fn pairs_are_counted_as_fio_counts_them() {
    let spec = spec(Mix::TrimWrite, Order::Sequential { skip: 0 }, [(4 * K, 4 * K); 3], true, 1);
    let region = Region { start: 0, length: 32 * K, ends_file: true, room: 32 * K };
    let mut general = General::new(spec, &[region], Budget { bytes: 3 * 32 * K, ios: 3 * 2, wraps: false });
    let laps = [(); 3].map(|()| {
        let mut ops = [Op::NONE; 64];
        let n = general.fill(&mut ops);
        general.begin_next_pass();
        n
    });
    assert_eq!(laps, [6, 6, 12]);
}

/// Returns the operations of a pattern, issued one at a time: R and its range in KiB is a sync_file_range, `R0:-` a
/// sync_file_range without a range.
fn ranges(spec: GeneralSpec, files: usize, length: u64, laps: u32) -> String {
    let regions = vec![Region { start: 0, length: length * K, ends_file: true, room: length * K }; files];
    let bytes = u64::from(laps) * files as u64 * length * K;
    let mut general = General::new(spec, &regions, Budget { bytes, ios: u64::MAX, wraps: false });
    let (mut out, mut ops) = (String::new(), [Op::NONE]);
    for lap in 0..laps {
        while general.fill(&mut ops) > 0 {
            let op = ops[0];
            out += &match (op.kind, op.range()) {
                (Kind::SyncRange, (.., 0)) => format!("R{}:- ", op.file),
                (Kind::SyncRange, (from, bytes, _)) => {
                    format!("R{}:{}+{} ", op.file, from / K, u64::from(bytes) / K)
                }
                _ => line(&ops),
            };
            general.completed(&op);
        }
        if lap + 1 < laps {
            general.begin_next_pass();
        }
    }
    out
}

/// Expected lines are those of strace on fio 3.33 with the same jobs.
#[test]
fn ranges_that_are_synced_are_fios() {
    let writes = |syncs: &[(Kind, u64)], turn| GeneralSpec {
        syncs: syncs.to_vec(),
        range_flags: 2,
        service: FileService::RoundRobin(turn),
        ..spec(Mix::Write, Order::Sequential { skip: 0 }, [(4 * K, 4 * K); 3], true, 1)
    };
    let range = Kind::SyncRange;
    let both = [(Kind::Fsync, 8), (range, 4)];
    assert_eq!(
        ranges(writes(&both, 1), 1, 52, 1),
        "w0:0 w0:4 w0:8 w0:12 R0:0+16 w0:16 w0:20 w0:24 w0:28 s0 w0:32 w0:36 w0:40 w0:44 R0:32+16 w0:48 "
    );
    let data = [(Kind::Fdatasync, 6), (range, 4)];
    assert_eq!(
        ranges(writes(&data, 1), 1, 36, 1),
        "w0:0 w0:4 w0:8 w0:12 R0:0+16 w0:16 w0:20 d0 w0:24 w0:28 R0:24+8 w0:32 "
    );
    // What the last lap left is in the first range of the next one.
    assert_eq!(
        ranges(writes(&[(range, 3)], 1), 1, 28, 2),
        "w0:0 w0:4 w0:8 R0:0+12 w0:12 w0:16 w0:20 R0:12+12 w0:24 w0:0 w0:4 R0:0+28 w0:8 w0:12 w0:16 R0:8+12 w0:20 w0:24 "
    );
    // The file whose turn it is is synced, be it that nothing was written to it.
    assert_eq!(
        ranges(writes(&[(range, 3)], 3), 2, 16, 1),
        "w0:0 w0:4 w0:8 R1:- w1:0 w1:4 w0:12 R0:0+16 w1:8 w1:12 "
    );
    assert_eq!(
        ranges(writes(&[(range, 3)], 1), 3, 12, 1),
        "w0:0 w1:0 w2:0 R0:0+4 w1:4 w2:4 w0:4 R1:0+8 w2:8 w0:8 w1:8 "
    );
}

proptest! {
    /// For any order of completions: each byte written before a sync of its file is in the range of this sync, or in
    /// that of an earlier sync issued after the write completed; ranges hold no byte that was not written.
    #[test]
    fn every_write_is_in_a_range(every in 1u64..6, files in 1usize..4, depth in 1usize..9, random: bool, seed: u64) {
        let order = if random { Order::Random { run: 1 } } else { Order::Sequential { skip: 0 } };
        let mut spec = spec(Mix::Write, order, [(4 * K, 4 * K); 3], true, seed);
        (spec.syncs, spec.range_flags) = (vec![(Kind::SyncRange, every)], 7);
        let regions = vec![Region { start: 0, length: 160 * K, ends_file: true, room: 160 * K }; files];
        let mut general = General::new(spec, &regions, Budget { bytes: u64::MAX, ios: u64::MAX, wraps: false });
        let mut flying: Vec<Op> = Vec::new();
        // Written and landed, in no range since.
        let mut open: Vec<Op> = Vec::new();
        let mut rng = crate::random::generator(seed, 98);
        loop {
            let mut ops = [Op::NONE];
            if flying.len() < depth && general.fill(&mut ops) == 1 {
                let op = ops[0];
                if op.kind == Kind::SyncRange {
                    let (from, bytes, flags) = op.range();
                    let (low, high) = (from, from + u64::from(bytes));
                    let of_file = |w: &&Op| w.file == op.file && w.kind == Kind::Write;
                    let known: Vec<&Op> = open.iter().chain(&flying).filter(of_file).collect();
                    prop_assert_eq!(flags == 0, known.is_empty());
                    prop_assert!(known.iter().all(|w| low <= w.offset && w.offset + 4 * K <= high));
                    prop_assert!(known.is_empty() || known.iter().any(|w| w.offset == low));
                    prop_assert!(known.is_empty() || known.iter().any(|w| w.offset + 4 * K == high));
                    open.retain(|w| w.file != op.file);
                }
                flying.push(op);
                continue;
            }
            if flying.is_empty() {
                break;
            }
            let at = below(rng.next_u64(), flying.len() as u64) as usize;
            let op = flying.swap_remove(at);
            general.completed(&op);
            open.extend(Some(op).filter(|op| op.kind == Kind::Write));
        }
    }

    /// I/Os in flight do not overlap, no held I/O is lost, and an I/O is held only because of an I/O in flight.
    #[test]
    fn with_serialize_overlap_no_two_in_flight_touch(mix in 0u8..3, sizes: bool, depth in 2usize..24, batch in 1usize..9,
        run in 1u32..4, seed: u64) {
        let mix = [Mix::Write, Mix::ReadWrite { reads: 60 }, Mix::TrimWrite][usize::from(mix)];
        let block = if sizes { (K, 8 * K) } else { (4 * K, 4 * K) };
        let mut spec = spec(mix, Order::Random { run }, [block; 3], false, seed);
        spec.serialize = true;
        let free = GeneralSpec { serialize: false, ..spec.clone() };
        let regions = [Region { start: 8 * K, length: 96 * K, ends_file: false, room: 96 * K }; 2];
        let budget = Budget { bytes: 800 * K, ios: u64::MAX, wraps: true };
        let mut general = General::new(spec, &regions, budget);
        let (mut flying, mut issued) = (Vec::<Op>::new(), Vec::new());
        let mut rng = crate::random::generator(seed, 97);
        loop {
            let mut ops = vec![Op::NONE; batch.min(depth - flying.len())];
            let n = general.fill(&mut ops);
            for op in &ops[..n] {
                let touched = flying.iter().any(|f| f.file == op.file && f.offset < op.offset + u64::from(op.len)
                    && op.offset < f.offset + u64::from(f.len));
                prop_assert!(!touched);
                flying.push(*op);
                issued.push(*op);
            }
            if flying.is_empty() {
                prop_assert!(!general.blocked());
                break;
            }
            if flying.len() == depth || n == 0 || rng.next_u64().is_multiple_of(2) {
                let at = below(rng.next_u64(), flying.len() as u64) as usize;
                let op = flying.swap_remove(at);
                general.completed(&op);
            }
        }
        prop_assert_eq!(line(&issued), line(&all(General::new(free, &regions, budget))));
    }
}
