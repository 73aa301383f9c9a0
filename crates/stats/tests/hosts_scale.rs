//! The results of a thousand hosts are added exactly, in little time and memory. The results are drawn; the sums that they must
//! have are those of the draws, and do not use the code that adds results.

use stats::hosts::{ClockOffset, HostOutcome, HostsMerge};
use stats::{DirectionOutcome, JobOutcome, Latency, RunResult, Series, Window, histogram};
use std::time::{Duration, Instant};

const HOSTS: usize = 1000;
const JOBS: usize = 16;
/// Latencies of a job: a part of these values, a factor of about 1.01 apart, from 20 us to 0.4 s.
const VALUES: usize = 1000;
/// Windows of each series, of 50 ms.
const WINDOWS: usize = 400;

/// Latency in nanoseconds of a value, by its number.
fn value(number: usize) -> u64 {
    (20_000.0 * 1.01f64.powi(number as i32)) as u64
}

fn job(number: usize, ios: u64, latency: Latency) -> JobOutcome {
    let flow = DirectionOutcome {
        ios,
        bytes: 4096 * ios,
        runtime_ms: 20_000,
        issued: ios,
        slat: latency.clone(),
        clat: latency.clone(),
        lat: latency,
        ..DirectionOutcome::default()
    };
    JobOutcome {
        name: format!("job{number}"),
        members: 1,
        start_epoch_ms: 1_700_000_000_000,
        runtime_ms: 20_000,
        options: vec![("rw".into(), "randread".into())],
        directions: [flow, DirectionOutcome::default(), DirectionOutcome::default()],
        depth_reached: 1.0,
        ..JobOutcome::default()
    }
}

/// Draws of whole numbers: a linear congruential generator (Knuth's MMIX).
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Prints the time of the sum and the largest memory of the process for `measures_thousand_hosts`.
#[test]
fn sum_of_a_thousand_hosts_is_that_of_their_draws() {
    let mut draws = Draws(3);
    let (mut merge, mut took) = (HostsMerge::default(), Duration::ZERO);
    let mut outcomes = Vec::new();
    // The number of I/Os with each value, by job.
    let mut drawn = vec![[0u64; VALUES]; JOBS];
    let mut windows_ios = 0;
    for number in 0..HOSTS {
        let mut jobs = Vec::new();
        for (at, sums) in drawn.iter_mut().enumerate() {
            let (first, count) = (draws.below(300) as usize, 1 + draws.below(50));
            let mut latency = Latency::default();
            for (which, sum) in sums.iter_mut().enumerate().skip(first) {
                let n = count + (which as u64 * 7919 + number as u64) % 13;
                latency.histogram.record(value(which), n);
                latency.moments.record(value(which), n);
                *sum += n;
            }
            jobs.push(job(at, latency.moments.n, latency));
        }
        let mut series = Series::default();
        let ios = draws.below(10_000);
        series.windows =
            vec![Window { nanos: 50_000_000, ios: [ios, 0, 0], bytes: [4096 * ios, 0, 0] }; WINDOWS];
        series.span = Some((7_000_000_000, 7_000_000_000 + 50_000_000 * WINDOWS as u64));
        windows_ios += ios * WINDOWS as u64;
        let result = RunResult { jobs, series: vec![(String::new(), series)], ..RunResult::default() };
        let began_ns = number as i64 * 100_000;
        let begun = Instant::now();
        let kept = merge
            .add(number, result, &|phase, at| Some((phase as u32, at as i64 - 7_000_000_000 + began_ns)));
        took += begun.elapsed();
        outcomes.push(HostOutcome {
            name: format!("h{number}"),
            clock: Some(ClockOffset { offset_ns: 0, uncertainty_ns: 50_000 }),
            began_ns: vec![(began_ns, began_ns)],
            result: Some(kept),
            ..HostOutcome::default()
        });
    }
    let begun = Instant::now();
    let result = merge.finish(outcomes, None);
    took += begun.elapsed();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    println!("added in {} ms, peak {} kB", took.as_millis(), peak.trim().trim_end_matches(" kB"));

    assert_eq!((result.hosts.len(), result.merged.jobs.len()), (HOSTS, JOBS));
    for (job, counts) in result.merged.jobs.iter().zip(&drawn) {
        let n: u64 = counts.iter().sum();
        let flow = &job.directions[0];
        assert_eq!((job.members as usize, flow.ios, flow.bytes, flow.issued), (HOSTS, n, 4096 * n, n));
        let of = |power: i32| -> u128 {
            counts
                .iter()
                .enumerate()
                .map(|(at, n)| u128::from(value(at)).pow(power as u32) * u128::from(*n))
                .sum()
        };
        for latency in [&flow.slat, &flow.clat, &flow.lat] {
            let moments = latency.moments;
            assert_eq!((moments.n, moments.sum, moments.squares), (n, of(1), of(2)));
            let there = || counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(at, _)| value(at));
            assert_eq!((Some(moments.least), Some(moments.most)), (there().min(), there().max()));
            // The percentile of all latencies in one sorted list, in its bucket.
            for percent in [0.1, 50.0, 99.0, 99.9, 99.999] {
                let (goal, mut sum) = (percent / 100.0 * n as f64, 0);
                let exact = counts.iter().position(|n| {
                    sum += n;
                    sum as f64 >= goal
                });
                let bucket = histogram::midpoint(histogram::index(value(exact.unwrap())));
                assert_eq!(latency.histogram.quantile(percent), Some(bucket), "{percent}");
            }
        }
    }
    let kept: u64 = result.hosts.iter().map(|host| host.rates()[0].ios).sum();
    assert_eq!(kept, drawn.iter().flatten().sum::<u64>());
    let joined = &result.joined[0];
    assert_eq!(joined.series.windows.iter().map(|window| window.ios[0]).sum::<u64>(), windows_ios);
    assert_eq!((joined.uncertainty_ns, result.common[0].hosts as usize), (50_000, HOSTS));
    // From the begin of the last host to the end of the first.
    assert_eq!((result.common[0].from_ns, result.common[0].to_ns), (99_900_000, 20_000_000_000));
}

/// The sum of a thousand hosts with sixteen jobs each takes less than a second and 200 MB, with the hosts' parts in memory.
#[test]
fn measures_thousand_hosts() {
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    let ran = again
        .args(["--exact", "sum_of_a_thousand_hosts_is_that_of_their_draws", "--nocapture"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let line =
        text.lines().find_map(|line| line.split_once("added in ")).unwrap_or_else(|| panic!("{text}")).1;
    let words: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [ms, kib] = words[..] else { panic!("{line}") };
    assert!(ms < 1000 && kib < 200 << 10, "{line}");
}
