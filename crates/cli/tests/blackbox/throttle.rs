//! Caps of the kernel (block cgroups) on loop devices, recognized from the completions that the program logs.

use crate::common::{draws, fresh_seed, side_by_side, words};
use stats::throttle::{self, ThrottleSample, ThrottleShape, ThrottledUnit};
use stats::{Histogram, Series};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use testbed::{Cap, Cgroup, LoopDevice, Need, Sandbox, child, skip_without};

const SMALL: u64 = 4096;
const LARGE: u64 = 16384;

/// A cap of I/Os, of bytes, or of both.
#[derive(Clone, Copy, Debug)]
struct Caps {
    write: bool,
    iops: Option<u64>,
    bytes: Option<u64>,
    depth: usize,
    seconds: u64,
}

fn drawn(draw: &mut impl FnMut(usize) -> usize) -> Caps {
    let mut scale = |low: f64, high: f64| low * (high / low).powf(draw(1_000_001) as f64 / 1e6);
    let iops = scale(100.0, 5000.0);
    // Rate of large blocks below a cap of bytes: at least 100 I/Os per second, too.
    let bytes = scale(100.0, 5000.0 / 4.0) * LARGE as f64;
    let crossover = scale(1.3 * SMALL as f64, LARGE as f64 / 1.3);
    let (iops, bytes) = match draw(3) {
        0 => (Some(iops), None),
        1 => (None, Some(bytes)),
        _ => (Some(iops.max(140.0)), Some(iops.max(140.0) * crossover)),
    };
    let slowest = iops.unwrap_or(f64::MAX).min(bytes.map_or(f64::MAX, |bytes| bytes / LARGE as f64));
    // Twice as many I/Os in a slice of 100 ms as in flight.
    let depth = 1 + draw(((slowest / 20.0) as usize).clamp(1, 8));
    let whole = |rate: Option<f64>| rate.map(|rate| rate.round() as u64);
    Caps {
        write: draw(2) == 1,
        iops: whole(iops),
        bytes: whole(bytes),
        depth,
        seconds: 4.max(depth as u64 * 5 / 4),
    }
}

/// Measures a load, again if the machine kept everything waiting for longer than two slices.
fn measured(device: &Path, cgroup: &Cgroup, caps: &Caps, block: u64) -> (Series, Histogram) {
    const SLICES: u64 = 240_000_000;
    let mut seen = logged(device, cgroup, caps, block);
    for _ in 0..3 {
        if !seen.0.pauses(SLICES).is_empty() {
            println!("{caps:?}: nothing completed for 240 ms, measured again");
            seen = logged(device, cgroup, caps, block);
        }
    }
    seen
}

/// What a load logged: windows of 50 ms and the latencies.
fn logged(device: &Path, cgroup: &Cgroup, caps: &Caps, block: u64) -> (Series, Histogram) {
    let sandbox = Sandbox::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    cgroup.enter(&mut command).unwrap();
    let (rw, Caps { depth, seconds, .. }) = (if caps.write { "randwrite" } else { "randread" }, *caps);
    let job = format!(
        "run --name=a --rw={rw} --bs={block} --direct=1 --ioengine=io_uring --iodepth={depth} --runtime={seconds} --time_based --write_lat_log=l --no-store"
    );
    let consent = caps.write.then(|| format!("--allow-destroy={}", device.display()));
    command.args(words(&job)).arg(format!("--filename={}", device.display())).args(consent);
    command.current_dir(sandbox.path());
    let ran = child::run(&mut command, Duration::from_secs(60)).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let log = std::fs::read_to_string(sandbox.path().join("l_lat.1.log")).unwrap();
    let (mut series, mut latency) = (Series::default(), Histogram::default());
    let (mut ios, mut bytes) = ([0; 3], [0; 3]);
    series.look(0, ios, bytes);
    for line in log.lines() {
        let mut numbers = line.split(", ").map(|n| n.parse::<u64>().unwrap());
        let (ms, nanos) = (numbers.next().unwrap(), numbers.next().unwrap());
        while series.due().is_some_and(|due| due <= ms * 1_000_000) {
            let due = series.due().unwrap_or(0);
            series.look(due, ios, bytes);
        }
        ios[usize::from(caps.write)] += 1;
        bytes[usize::from(caps.write)] += block;
        latency.record(nanos, 1);
    }
    (series, latency)
}

#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    named: bool,
    unit: bool,
    rate: bool,
    period: bool,
}

fn judge(caps: &Caps) -> Judged {
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    let number = device.number().unwrap();
    let iops = |rate| if caps.write { Cap::WriteIops(rate) } else { Cap::ReadIops(rate) };
    let bytes = |rate| if caps.write { Cap::WriteBytes(rate) } else { Cap::ReadBytes(rate) };
    let limits = caps.iops.map(iops).into_iter().chain(caps.bytes.map(bytes));
    limits.for_each(|limit| cgroup.limit(&number, limit).unwrap());
    let loads = [SMALL, LARGE].map(|block| measured(device.path(), &cgroup, caps, block));
    let none = Histogram::default();
    let samples: Vec<ThrottleSample<'_>> = loads
        .iter()
        .enumerate()
        .map(|(at, (series, latency))| ThrottleSample {
            series,
            latency: if caps.write { [&none, latency] } else { [latency, &none] },
            in_flight: caps.depth as f64,
            paced: false,
            busy_share: None,
            start_s: (at as u64 * (caps.seconds + 1)) as f64,
        })
        .collect();
    let answer = throttle::fit(&samples, None);
    let near = |seen: f64, truth: u64| (seen / truth as f64 - 1.0).abs() < 0.02;
    // The kernel permits whole I/Os per slice of 100 ms: a cap of 149 I/Os per second yields 140.
    let permitted = |iops: u64| iops / 10 * 10;
    let judged = answer.throttle().map_or(Judged::default(), |found| {
        let (unit, rate) = match (found.limit, caps.iops, caps.bytes) {
            (ThrottledUnit::Iops { rate }, Some(iops), None) => (true, near(rate.value, permitted(iops))),
            (ThrottledUnit::Bytes { rate }, None, Some(bytes)) => (true, near(rate.value, bytes)),
            (ThrottledUnit::Both { iops, bytes, .. }, Some(i), Some(b)) => {
                (true, near(iops.value, permitted(i)) && near(bytes.value, b))
            }
            _ => (false, false),
        };
        let slices = |shape| matches!(shape, ThrottleShape::Sliced { period_s } if (period_s.value / 0.1 - 1.0).abs() < 0.1);
        Judged { named: true, unit, rate, period: slices(found.shape) }
    });
    println!("{caps:?}: {judged:?}");
    if !(judged.unit && judged.rate && judged.period) {
        println!("    {answer:?}");
        for sample in &samples {
            let counts: Vec<u64> = sample.series.windows.iter().map(stats::Window::all_ios).collect();
            println!("    {counts:?} {:?}", throttle::fit(&[*sample], None));
        }
    }
    judged
}

/// Loads of two block sizes show which of both caps of the kernel bind, their rates and the slices.
#[test]
#[ignore = "takes some minutes: scripts/test --long"]
fn measures_caps_of_the_kernel_are_recognized() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let mut draw = draws(fresh_seed("caps"));
    let cases: Vec<Caps> = (0..60).map(|_| drawn(&mut draw)).collect();
    let all = Mutex::new(Vec::new());
    side_by_side(&cases, |caps| {
        let judged = judge(caps);
        all.lock().unwrap().push(judged);
    });
    let all = all.into_inner().unwrap();
    let count = |is: fn(&Judged) -> bool| all.iter().filter(|judged| is(judged)).count();
    let counts = [count(|j| j.named), count(|j| j.unit), count(|j| j.rate), count(|j| j.period)];
    println!("named, unit, rate within 2 %, period within 10 %: {counts:?} of {}", all.len());
    assert!(counts.iter().all(|right| right * 100 >= 98 * all.len()), "{counts:?}");
}

/// One load shows the rate and the slices of a cap, and not its unit.
#[test]
fn measures_one_cap_of_the_kernel_is_recognized() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    cgroup.limit(&device.number().unwrap(), Cap::ReadIops(800)).unwrap();
    let caps = Caps { write: false, iops: Some(800), bytes: None, depth: 2, seconds: 3 };
    let (series, latency) = measured(device.path(), &cgroup, &caps, SMALL);
    let sample = ThrottleSample {
        series: &series,
        latency: [&latency, &Histogram::default()],
        in_flight: 2.0,
        paced: false,
        busy_share: None,
        start_s: 0.0,
    };
    let answer = throttle::fit(&[sample], None);
    let found = answer.throttle().unwrap_or_else(|| panic!("{answer:?}"));
    let ThrottledUnit::Unresolved { iops, .. } = found.limit else { panic!("{answer:?}") };
    assert!((iops.value / 800.0 - 1.0).abs() < 0.02, "{answer:?}");
    let ThrottleShape::Sliced { period_s } = found.shape else { panic!("{answer:?}") };
    assert!((period_s.value / 0.1 - 1.0).abs() < 0.1, "{answer:?}");
}
