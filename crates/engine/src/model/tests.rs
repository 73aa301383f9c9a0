//! Each law of the simulated device, compared with its closed form.

use super::*;
use std::num::NonZeroU64;

const MS: Ticks = 1_000_000;
const SECOND: Ticks = 1000 * MS;

/// Operations that jobs issue: kind, offset and length of the n-th operation of a job.
type Ask<'a> = &'a mut dyn FnMut(usize, u64) -> (Kind, u64, u32);

/// Runs `jobs` workers, each with `depth` operations in flight, on a device until a given time. Returns the
/// completion times of their operations.
fn drive(
    device: &Rc<RefCell<Device>>,
    (jobs, depth): (usize, u16),
    (begin, until): (Ticks, Ticks),
    cpu: Ticks,
    ask: Ask<'_>,
) -> Vec<Ticks> {
    let worker = |at| Model::new(device.clone(), usize::from(depth), begin).of_worker(at, vec![]).on_cpu(cpu);
    let mut open: Vec<(Model, Vec<u16>, u64)> =
        (0..jobs).map(|at| (worker(at), (0..depth).collect(), 0)).collect();
    let mut out = vec![Completion::default(); usize::from(depth)];
    let (mut done, mut last) = (Vec::new(), begin);
    loop {
        let (moment, at) = (0..jobs).map(|at| (open[at].0.moment(), at)).min().unwrap();
        let turn = device.borrow().next_decision().filter(|turn| *turn < moment);
        assert!(turn.unwrap_or(moment) >= last, "time went back");
        last = turn.unwrap_or(moment);
        if turn.is_some() {
            let answer = device.borrow_mut().decide_next().unwrap();
            open[answer.worker].0.answer(answer);
            continue;
        }
        if moment >= until {
            return done;
        }
        let (engine, free, asked) = &mut open[at];
        engine.wake();
        let ops: Vec<Op> = free
            .drain(..free.len().min(8))
            .map(|slot| {
                let (kind, offset, len) = ask(at, *asked);
                *asked += 1;
                Op { slot, len, kind, offset, ..Op::NONE }
            })
            .collect();
        if !ops.is_empty() {
            engine.queue(&ops);
        }
        engine.submit().unwrap();
        let n = engine.reap(usize::from(free.is_empty()), &mut out).unwrap();
        free.extend(out[..n].iter().map(|completion| completion.slot));
        let now = engine.clock().now();
        done.extend((0..n).filter(|_| now <= until).map(|_| now));
    }
}

fn reads(_: usize, _: u64) -> (Kind, u64, u32) {
    (Kind::Read, 0, 4096)
}

fn writes(_: usize, _: u64) -> (Kind, u64, u32) {
    (Kind::Write, 0, 4096)
}

/// Returns the number of operations that one job completes in `seconds`.
fn in_seconds(laws: Laws, depth: u16, seconds: f64, ask: Ask<'_>) -> f64 {
    let device = Device::new(laws, 1, Memory::default());
    drive(&device, (1, depth), (0, (seconds * 1e9) as Ticks), 0, ask).len() as f64
}

#[track_caller]
fn close(found: f64, expected: f64, percent: f64) {
    assert!((found / expected - 1.0).abs() * 100.0 <= percent, "{found} instead of {expected}");
}

/// Returns a device with a constant service time of one millisecond.
fn plain(servers: u32) -> Laws {
    Laws::of(servers, Law::Constant(MS))
}

#[test]
fn eight_servers_of_ten_milliseconds_saturate_at_depth_eight() {
    for (depth, expected) in [(1, 100.0), (4, 400.0), (8, 800.0), (16, 800.0)] {
        close(in_seconds(Laws::of(8, Law::Constant(10 * MS)), depth, 20.0, &mut reads) / 20.0, expected, 0.1);
    }
    close(in_seconds(Laws::of(4, Law::Exponential(MS)), 4, 10.0, &mut reads), 40_000.0, 2.0);
    let law = Law::Mixture(vec![(900_000, 10 * MS), (100_000, 100 * MS)]);
    close(in_seconds(Laws::of(1, law), 1, 200.0, &mut reads), 200.0 / 0.019, 3.0);
}

#[test]
fn a_service_is_longer_by_its_bytes() {
    let laws = Laws { transfer: NonZeroU64::new(100_000_000), ..plain(4) };
    for (depth, servers) in [(1, 1.0), (4, 4.0), (8, 4.0)] {
        for bytes in [100_000, 1_000_000] {
            let each = 0.001 + f64::from(bytes) / 1e8;
            let done = in_seconds(laws.clone(), depth, 20.0, &mut |_, _| (Kind::Read, 0, bytes));
            close(done, 20.0 * servers / each, 0.5);
        }
    }
}

/// Requests above a cap are evenly spaced at any depth; below the cap, no request waits.
#[test]
fn caps_space_requests_evenly_at_any_depth() {
    let laws = Laws { iops: NonZeroU64::new(3000), ..plain(8) };
    for (depth, expected) in [(1, 1000.0), (2, 2000.0), (3, 3000.0), (4, 3000.0), (64, 3000.0)] {
        close(in_seconds(laws.clone(), depth, 10.0, &mut reads), 10.0 * expected, 0.1);
    }
    let done = drive(&Device::new(laws, 1, Memory::default()), (1, 32), (0, SECOND), 0, &mut reads);
    assert!(done.windows(2).skip(1).all(|w| (333_333..=333_334).contains(&(w[1] - w[0]))), "no burst");
    // Both: whichever is lower for a block size. 2000 I/Os and 32 MiB/s meet at 16 KiB.
    let laws = Laws { iops: NonZeroU64::new(2000), bandwidth: NonZeroU64::new(32 << 20), ..plain(64) };
    for shift in 12..=16 {
        let bytes = 1u32 << shift;
        let expected = f64::min(2000.0, f64::from(32 << 20) / f64::from(bytes));
        close(in_seconds(laws.clone(), 32, 10.0, &mut |_, _| (Kind::Write, 0, bytes)), 10.0 * expected, 0.2);
    }
}

/// When the credits are used up, the base rate remains; credits return while the device is idle.
#[test]
fn spent_credits_leave_base_rate_and_return_at_rest() {
    // 2000 I/Os at once and 500 a second: at 1500 a second the bucket is empty after two seconds.
    let laws = Laws { iops: NonZeroU64::new(1500), burst: Some((2000, 500)), ..plain(8) };
    for depth in [2, 8, 64] {
        close(in_seconds(laws.clone(), depth, 1.0, &mut reads), 1500.0, 0.5);
        close(in_seconds(laws.clone(), depth, 10.0, &mut reads), 2.0 * 1500.0 + 8.0 * 500.0, 0.5);
    }
    // Without a cap as fast as it can; and below the base rate forever.
    close(in_seconds(Laws { iops: NonZeroU64::new(0), ..laws.clone() }, 8, 1.0, &mut reads), 2500.0, 0.5);
    close(in_seconds(Laws { iops: NonZeroU64::new(400), ..laws.clone() }, 8, 20.0, &mut reads), 8000.0, 0.5);
    // Three seconds of rest are 1500 credits: 1500 and what comes back meanwhile, at 1500 a second.
    let device = Device::new(laws.clone(), 1, Memory::default());
    drive(&device, (1, 8), (0, 10 * SECOND), 0, &mut reads);
    let memory = device.borrow().memory(10 * SECOND + 10 * MS);
    assert!((1990..=2000).contains(&memory.spent), "{memory:?}");
    let device = Device::new(laws, 1, memory);
    let begin = memory.at + 3 * SECOND;
    let done = drive(&device, (1, 8), (begin, begin + 3 * SECOND), 0, &mut reads);
    close(done.len() as f64, 1500.0 * 1.5 + 500.0 * 1.5, 1.0);
}

/// A write cache accepts writes up to its capacity, then at its drain rate.
#[test]
fn write_cache_fills_then_takes_its_drain_rate() {
    let cache = Cache { bytes: 40_960_000, drain: 4_096_000, nanos: 100_000 };
    let laws = Laws { cache: Some(cache), ..plain(1) };
    // 10,000 blocks of room, 1,000 a second out; 10,000 a second in at depth 1: full after 10/9 s.
    for depth in [1u16, 4] {
        let fast = 10_000.0 * f64::from(depth);
        let full = 10_000.0 / (fast - 1000.0);
        close(in_seconds(laws.clone(), depth, full * 0.9, &mut writes), fast * full * 0.9, 0.5);
        close(in_seconds(laws.clone(), depth, 10.0, &mut writes), 10_000.0 + 10.0 * 1000.0, 0.5);
    }
    // Reads do not see it, and it empties at rest: half of it in five seconds.
    close(in_seconds(laws.clone(), 1, 5.0, &mut reads), 5000.0, 0.5);
    let device = Device::new(laws.clone(), 1, Memory::default());
    drive(&device, (1, 1), (0, 3 * SECOND), 0, &mut writes);
    let memory = device.borrow().memory(3 * SECOND);
    assert!(memory.cached > 40_900_000, "{memory:?}");
    let device = Device::new(laws, 1, memory);
    let begin = 8 * SECOND;
    close(drive(&device, (1, 1), (begin, begin + 5 * SECOND), 0, &mut writes).len() as f64, 10_000.0, 0.5);
}

#[test]
fn beyond_the_cliff_writes_take_longer_and_reads_do_not() {
    let laws = Laws { cliff: Some((4096 * 4000, 5.0)), ..plain(2) };
    for (depth, servers) in [(1, 1.0), (2, 2.0), (8, 2.0)] {
        let done = in_seconds(laws.clone(), depth, 10.0, &mut writes);
        close(done, 4000.0 + (10.0 - 4.0 / servers) * servers * 200.0, 0.5);
        close(in_seconds(laws.clone(), depth, 10.0, &mut reads), 10_000.0 * servers, 0.1);
    }
    let device = Device::new(laws.clone(), 1, Memory { written: 4096 * 5000, ..Memory::default() });
    close(drive(&device, (1, 1), (0, 10 * SECOND), 0, &mut writes).len() as f64, 2000.0, 0.5);
    assert_eq!(device.borrow().memory(0).written / 4096 / 10, 700);
    // A cache drains as much more slowly.
    let cache = Cache { bytes: 4096, drain: 4_096_000, nanos: 1000 };
    let laws = Laws { cache: Some(cache), ..laws };
    close(in_seconds(laws, 4, 10.0, &mut writes), 4000.0 + 6.0 * 200.0, 0.5);
}

/// A device with 2000 services per second at depth 2 changes its rate after five seconds by the given factor, for
/// services and caps alike, and also if the device is restored from its state.
#[test]
fn step_changes_services_and_caps_from_its_moment() {
    for share in [0.4, 2.5] {
        for cap in [0, 1500] {
            let laws = Laws { iops: NonZeroU64::new(cap), step: Some((5 * SECOND, share)), ..plain(2) };
            let rate = if cap > 0 { 1500.0 } else { 2000.0 };
            close(in_seconds(laws.clone(), 2, 5.0, &mut reads), 5.0 * rate, 0.1);
            close(in_seconds(laws.clone(), 2, 20.0, &mut reads), (5.0 + 15.0 * share) * rate, 0.2);
            let device = Device::new(laws, 1, Memory { at: 9 * SECOND, ..Memory::default() });
            let done = drive(&device, (1, 2), (9 * SECOND, 10 * SECOND), 0, &mut reads).len() as f64;
            close(done, share * rate, 0.3);
        }
    }
}

#[test]
fn service_drifts_with_the_devices_time() {
    // 20 % a second: the number done until T is the integral of 1 / (1 + 0.2 t).
    let laws = Laws { drift: 0.2, ..plain(2) };
    for (depth, servers) in [(1, 1.0), (2, 2.0), (16, 2.0)] {
        let done = in_seconds(laws.clone(), depth, 20.0, &mut reads);
        close(done, servers * 1000.0 * f64::ln(1.0 + 0.2 * 20.0) / 0.2, 0.3);
    }
    let device = Device::new(laws, 1, Memory { at: 20 * SECOND, ..Memory::default() });
    let done = drive(&device, (1, 1), (20 * SECOND, 40 * SECOND), 0, &mut reads).len() as f64;
    close(done, 1000.0 * f64::ln(9.0 / 5.0) / 0.2, 0.3);
}

#[test]
fn nothing_is_served_in_a_stall() {
    let laws = Laws { stall: Some((SECOND, 250 * MS)), ..Laws::of(2, Law::Constant(7 * MS)) };
    for (depth, servers) in [(1, 1.0), (2, 2.0), (16, 2.0)] {
        let device = Device::new(laws.clone(), 1, Memory::default());
        let done = drive(&device, (1, depth), (0, 20 * SECOND), 0, &mut reads);
        close(done.len() as f64, servers * 20.0 * 0.75 / 0.007, 0.2);
        assert!(done.iter().all(|at| (1..=750 * MS).contains(&(at % SECOND))));
    }
}

/// Returns a generator of 4k reads at uniformly random offsets of a disk of 1 TB.
fn scattered(seed: u64) -> impl FnMut(usize, u64) -> (Kind, u64, u32) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    move |_, _| (Kind::Read, (unit(random.next_u64()) * 1e12) as u64, 4096)
}

/// A head needs time for seeks and rotation; adjacent requests need neither.
#[test]
fn adjacent_requests_need_no_seek_or_rotation() {
    let disk = Disk { seek: 15 * MS, rotation: 8 * MS, queue: 32, size: 1_000_000_000_000 };
    let laws = |disk| Laws { disk: Some(disk), ..plain(1) };
    // The mean root of the distance of two places drawn evenly is 8/15.
    close(in_seconds(laws(disk), 1, 200.0, &mut scattered(3)), 200.0 / (0.001 + 0.008 + 0.004), 1.0);
    // On a tenth of it the root of a tenth is left.
    let mut wide = scattered(3);
    let mut tenth = |job, n| {
        let (kind, place, len) = wide(job, n);
        (kind, place / 10, len)
    };
    close(in_seconds(laws(disk), 1, 200.0, &mut tenth), 200.0 / (0.001 + 0.008 / 10f64.sqrt() + 0.004), 1.0);
    for depth in [1, 8] {
        let sequential = in_seconds(laws(disk), depth, 10.0, &mut |_, n| (Kind::Read, n * 4096, 4096));
        close(sequential, 10_000.0, 0.1);
        let synced = in_seconds(laws(disk), depth, 10.0, &mut |_, n| {
            if n % 2 == 0 { (Kind::Read, n * 2048, 4096) } else { (Kind::Fsync, 0, 0) }
        });
        close(synced, 10_000.0, 0.1);
    }
    // Without seeks the cheapest of n has the least of n rotations, up to as many as it may reorder.
    let turning = Disk { seek: 0, queue: 8, ..disk };
    for (depth, of) in [(1, 1.0), (3, 3.0), (8, 8.0), (32, 8.0)] {
        let done = in_seconds(laws(turning), depth, 100.0, &mut scattered(4));
        close(done, 100.0 / (0.001 + 0.008 / (of + 1.0)), 1.0);
        // As many jobs of depth one are the same to it.
        let device = Device::new(laws(turning), 1, Memory::default());
        let jobs = drive(&device, (usize::from(depth), 1), (0, 100 * SECOND), 0, &mut scattered(5));
        close(jobs.len() as f64, 100.0 / (0.001 + 0.008 / (of + 1.0)), 1.0);
    }
    // And of seeks the shortest: more in flight, more done; the head stays where it was.
    let seeking = Disk { rotation: 0, ..disk };
    let of = |depth| in_seconds(laws(seeking), depth, 50.0, &mut scattered(6));
    assert!(of(4) > 1.2 * of(1) && of(16) > 1.2 * of(4), "{} {} {}", of(1), of(4), of(16));
    let device = Device::new(laws(disk), 1, Memory::default());
    drive(&device, (1, 1), (0, 100 * MS), 0, &mut |_, n| (Kind::Read, n << 20, 4096));
    assert_eq!(device.borrow().memory(0).head & 0xfffff, 4096);
}

#[test]
fn nobody_starves_beside_one_that_reads_on_where_the_head_is() {
    let disk = Disk { seek: 15 * MS, rotation: 8 * MS, queue: 32, size: 1_000_000_000_000 };
    let device = Device::new(Laws { disk: Some(disk), ..plain(1) }, 1, Memory::default());
    let mut done = [0u64; 2];
    let mut streams = |job: usize, n: u64| {
        done[job] = n;
        (Kind::Read, (job as u64) * 500_000_000_000 + n * 4096, 4096)
    };
    drive(&device, (2, 1), (0, 10 * SECOND), 0, &mut streams);
    assert!(done[0].abs_diff(done[1]) <= 300 && done[0] > 3000, "{done:?}");
}

#[test]
fn what_lies_in_a_row_is_read_in_a_row_wherever_the_head_was() {
    let disk = Disk { seek: 15 * MS, rotation: 8 * MS, queue: 32, size: 1_000_000_000_000 };
    for seed in 1..20 {
        let device = Device::new(Laws { disk: Some(disk), ..plain(1) }, seed, Memory::default());
        let mut far = |_, n: u64| (Kind::Read, 900_000_000_000 + n * 4096, 4096);
        let done = drive(&device, (1, 8), (0, SECOND), 0, &mut far).len();
        // One seek of 23 ms at most.
        assert!((976..=1000).contains(&done), "seed {seed}: {done}");
    }
}

#[test]
fn a_generator_needs_its_cpu_before_the_device_sees_anything() {
    // 50 us of CPU and 1 ms of device: together at depth 1; then whichever is slower.
    let work = |jobs, depth, servers, cpu| {
        let device = Device::new(plain(servers), 1, Memory::default());
        drive(&device, (jobs, depth), (0, 5 * SECOND), cpu, &mut reads).len() as f64 / 5.0
    };
    close(work(1, 1, 64, 50_000), 1000.0 / 1.05, 0.2);
    close(work(1, 8, 64, 50_000), 1e6 / 175.0, 15.0);
    close(work(1, 64, 64, 50_000), 20_000.0, 0.5);
    close(work(4, 64, 256, 50_000), 80_000.0, 0.5);
    close(work(4, 8, 2, 50_000), 2000.0, 0.2);
    // The same with a device that takes turns, and with jobs that meet at one server.
    let disk = Disk { seek: 0, rotation: 0, queue: 32, size: 1 };
    for laws in [plain(1), Laws { disk: Some(disk), ..plain(1) }] {
        for (jobs, depth) in [(1, 4), (3, 1), (3, 4)] {
            let device = Device::new(laws.clone(), 1, Memory::default());
            let done = drive(&device, (jobs, depth), (0, 5 * SECOND), 50_000, &mut reads);
            close(done.len() as f64, 5000.0, 0.2);
        }
    }
    let device = Device::new(plain(1), 1, Memory::default());
    let mut engine = Model::new(device, 4, 0).on_cpu(700);
    engine.queue(&[Op { len: 512, ..Op::NONE }; 3]);
    assert_eq!((engine.cpu_spent(), engine.clock().now()), (2100, 2100));
}

#[test]
fn who_sets_up_longer_does_not_overtake_who_is_ready_sooner() {
    // Of two jobs one needs 800 us for a batch of eight: the other's request at 100 us is served before.
    let device = Device::new(plain(1), 1, Memory::default());
    let mut slow = Model::new(device.clone(), 8, 0).on_cpu(100_000);
    let mut quick = Model::new(device, 1, 0).of_worker(1, vec![]).on_cpu(100_000);
    let mut out = [Completion::default(); 8];
    let op = Op { len: 4096, ..Op::NONE };
    slow.queue(&[op; 8]);
    assert_eq!((slow.reap(1, &mut out), slow.moment()), (Ok(0), 800_000));
    quick.queue(&[op]);
    assert_eq!((quick.reap(1, &mut out), quick.moment()), (Ok(0), 100_000));
    assert_eq!((quick.reap(1, &mut out), quick.moment()), (Ok(1), MS + 100_000));
    assert_eq!((slow.reap(1, &mut out), slow.moment()), (Ok(1), 2 * MS + 100_000));
}

#[test]
fn requests_that_wait_slow_the_servers_down() {
    for servers in [1u32, 4] {
        let laws = Laws { contention: 0.02, ..plain(servers) };
        for depth in [1u16, 4, 8, 32] {
            let waiting = f64::from(depth) - f64::from(servers);
            let busy = f64::from(servers).min(f64::from(depth));
            let expected = 1000.0 * busy / (1.0 + 0.02 * waiting.max(0.0));
            close(in_seconds(laws.clone(), depth, 20.0, &mut reads), 20.0 * expected, 0.5);
            let device = Device::new(laws.clone(), 1, Memory::default());
            let jobs = drive(&device, (usize::from(depth), 1), (0, 20 * SECOND), 0, &mut reads);
            close(jobs.len() as f64, 20.0 * expected, 0.5);
        }
    }
}

#[test]
fn what_a_cache_answers_comes_to_no_server() {
    let laws = Laws { hit: Some((0.7, 10_000)), ..plain(1) };
    close(in_seconds(laws.clone(), 1, 100.0, &mut reads), 100.0 / (0.7 * 0.00001 + 0.3 * 0.001), 1.0);
    // With enough in flight the server is always busy, with three of ten.
    close(in_seconds(laws.clone(), 32, 20.0, &mut reads), 20_000.0 / 0.3, 2.0);
    close(in_seconds(laws, 1, 10.0, &mut writes), 10_000.0, 0.1);
}

#[test]
fn laws_compose_and_large_numbers_do_not_overflow() {
    // A cap before a head that waits for the platter, with a stall: 100 a second, three quarters of the time.
    let disk = Disk { seek: 0, rotation: 2 * MS, queue: 32, size: 1 };
    let laws =
        Laws { iops: NonZeroU64::new(100), disk: Some(disk), stall: Some((SECOND, SECOND / 4)), ..plain(1) };
    close(in_seconds(laws, 1, 100.0, &mut scattered(7)), 7500.0, 2.0);
    let most = u64::MAX;
    let laws = Laws {
        transfer: NonZeroU64::new(1),
        iops: NonZeroU64::new(most),
        bandwidth: NonZeroU64::new(most),
        burst: Some((most, most)),
        cliff: Some((0, 1e6)),
        drift: 1e4,
        stall: Some((most, most - 1)),
        contention: 1e4,
        disk: Some(Disk { seek: most, rotation: most, queue: u32::MAX, size: 1 }),
        hit: Some((0.5, most)),
        ..Laws::of(u32::MAX, Law::Uniform(0, most))
    };
    let memory = Memory { at: most / 2, spent: most, cached: most, written: most, head: most };
    let cache = Some(Cache { bytes: most, drain: most, nanos: most });
    for (cache, stall) in [(None, laws.stall), (cache, laws.stall), (cache, Some((3, 1)))] {
        let device = Device::new(Laws { cache, stall, ..laws.clone() }, 1, memory);
        drive(&device, (2, 4), (most / 2, most - 1), 1 << 40, &mut |_, n| {
            ([Kind::Read, Kind::Write][n as usize % 2], most, u32::MAX)
        });
        device.borrow().memory(most);
    }
}

/// On an SSD whose flash alone takes time, the bandwidth of random writes is that of the flash over the write
/// amplification, with any number of servers; and a read takes the time of its pages that hold data.
#[test]
fn collection_slows_writes_by_the_write_amplification() {
    const PAGES: u64 = 20_000;
    for (servers, depth) in [(1, 1), (4, 4)] {
        let rules = FlashRules {
            over_provisioning: 0.15,
            block_pages: 32,
            page: 4096,
            program: MS / 10,
            read: MS / 100,
            erase: 0,
        };
        let mut ftl = Ftl::new(FlashRules { read: 0, ..rules }, PAGES * 4096).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut anywhere =
            move |_, _| (Kind::Write, (unit(random.next_u64()) * PAGES as f64) as u64 * 4096, 4096);
        for n in 0..3 * PAGES {
            ftl.write(anywhere(0, n).1, 4096);
        }
        let before = ftl.counters();
        let device = Device::new(Laws::of(servers, Law::Constant(0)), 1, Memory::default());
        device.borrow_mut().insert_flash(ftl);
        let done = drive(&device, (1, depth), (0, 20 * SECOND), 0, &mut anywhere).len() as f64;
        let since = device.borrow_mut().take_flash().unwrap().counters().since(&before);
        close(done, 10_000.0 * 20.0 * f64::from(servers) / since.amplification().unwrap(), 1.0);
        let mut ftl = Ftl::new(rules, PAGES * 4096).unwrap();
        ftl.write(4096, 4096);
        let device = Device::new(Laws::of(servers, Law::Constant(0)), 1, Memory::default());
        device.borrow_mut().insert_flash(ftl);
        let done = drive(&device, (1, depth), (0, SECOND), 0, &mut |_, _| (Kind::Read, 0, 12288));
        close(done.len() as f64, 100_000.0 * f64::from(servers), 1.0);
    }
}

/// The rate of sequential reads is that of the zone, and reads of one place complete at whole rotations.
#[test]
fn surface_has_the_rate_of_its_zone_and_turns() {
    let size = 1_000_000_000_000;
    let surface = Surface { outer: 200_000_000, inner: 100_000_000, zones: 16, settle: MS, size };
    let disk = Disk { seek: 15 * MS, rotation: 8 * MS, queue: 32, size };
    let laws = Laws { surface: Some(surface), disk: Some(disk), ..Laws::of(1, Law::Constant(1)) };
    for (place, rate) in [(0, 200.0), (size - 40_000_000_000, 100.0)] {
        let done =
            in_seconds(laws.clone(), 4, 10.0, &mut |_, n| (Kind::Read, place + n * 1_000_000, 1_000_000));
        close(done, 10.0 * rate, 1.0);
    }
    let done =
        drive(&Device::new(laws.clone(), 1, Memory::default()), (1, 1), (0, SECOND), 0, &mut |_, _| {
            (Kind::Read, 500_000_000_000, 4096)
        });
    assert!(done.windows(2).skip(1).all(|pair| (pair[1] - pair[0]).abs_diff(8 * MS) < 10), "{done:?}");
    // Over the whole disk: a full seek and half a rotation in the mean, as the places differ.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut far = move |_, n| {
        let near = (unit(random.next_u64()) * 1e9) as u64;
        (Kind::Read, if n % 2 == 0 { near } else { size - 4096 - near }, 4096)
    };
    close(in_seconds(laws, 1, 200.0, &mut far), 200.0 / 0.019, 1.5);
}

/// An SLC cache takes its capacity at the fast rate, then writes fold, and rest empties it.
#[test]
fn slc_cache_fills_folds_and_recovers_at_rest() {
    let slc = Slc { bytes: 1_000_000_000, fast: 1_000_000_000, folding: 250_000_000, recovery: 100_000_000 };
    let laws = Laws { slc: Some(slc), ..Laws::of(8, Law::Constant(1)) };
    let mut write = |_, n: u64| (Kind::Write, n * 1_000_000, 1_000_000);
    close(in_seconds(laws.clone(), 4, 1.0, &mut write), 1000.0, 0.5);
    close(in_seconds(laws.clone(), 4, 5.0, &mut write), 1000.0 + 4.0 * 250.0, 0.5);
    let device = Device::new(laws.clone(), 1, Memory::default());
    drive(&device, (1, 4), (0, 2 * SECOND), 0, &mut write);
    let memory = device.borrow().memory(2 * SECOND + 20 * MS);
    assert!((990_000_000..=1_000_000_000).contains(&memory.cached), "{memory:?}");
    // Three seconds of rest make room for 300 MB.
    let device = Device::new(laws, 1, memory);
    let begin = memory.at + 3 * SECOND;
    close(
        drive(&device, (1, 4), (begin, begin + SECOND), 0, &mut write).len() as f64,
        300.0 + 0.7 * 250.0,
        2.0,
    );
}

/// A read cache has what was read last, up to its size.
#[test]
fn read_cache_keeps_the_newest_lines() {
    let rules = ReadCacheRules { bytes: 1 << 20, nanos: MS / 10, line: 4096 };
    let laws = Laws { read_cache: Some(rules), ..plain(1) };
    for (lines, each) in [(256, 0.0001), (257, 0.001)] {
        let mut round = |_, n: u64| (Kind::Read, n % lines * 4096, 4096);
        let expected = lines as f64 + (10.0 - 0.001 * lines as f64) / each;
        close(in_seconds(laws.clone(), 1, 10.0, &mut round), expected, 3.0);
    }
}
