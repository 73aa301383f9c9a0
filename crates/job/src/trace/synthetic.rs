//! Job file that has the profile of a trace.

use stats::trace_profile::TraceProfile;
use std::fmt::Write as _;

/// Beginning of every synthetic job file.
pub const JOB_HEAD: &str = "; fathom trace";
/// Largest number of sizes of a direction in the job.
const SIZES: usize = 16;
/// Share of sequential I/Os from which the job is sequential.
const SEQUENTIAL: f64 = 0.995;
/// Share of I/Os that would have to move to make the offsets uniform, from which the job has zones.
const UNEVEN: f64 = 0.1;
/// Variation of the times between I/Os from which arrivals are nearer to a Poisson process than to a fixed rate.
const POISSON: f64 = 0.5;
/// Queue depth of a job without response times in the trace, and the largest one.
const DEPTH: u64 = 32;
const MOST_DEPTH: u64 = 1024;

/// Returns a job file for fio and fathom whose I/Os have the mix, sizes, sequential shares, region, rate and arrival
/// process of the trace. Trims are left out if the trace has reads or writes, as jobs do not mix them.
pub fn synthetic_job(profile: &TraceProfile) -> String {
    let [reads, writes, trims] = profile.ios;
    let used: Vec<usize> = match (reads > 0, writes > 0, trims > 0) {
        (false, false, true) => vec![2],
        (read, write, _) => {
            [0].into_iter().filter(|_| read).chain([1].into_iter().filter(|_| write)).collect()
        }
    };
    let mut job = format!("{JOB_HEAD}\n[trace]\n");
    let mut option = |name: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(job, "{name}={value}");
    };
    let shares = profile.sequential_share();
    // A direction of a single I/O is sequential.
    let sequential = |d: &usize| profile.successors[*d] == 0 || shares[*d] >= SEQUENTIAL;
    let random = !used.iter().all(sequential);
    let order = if random { "rand" } else { "" };
    let mix = match used.as_slice() {
        [0] => "read",
        [1] => "write",
        [2] => "trim",
        _ => "rw",
    };
    option("rw", &format!("{order}{mix}"));
    if used.len() == 2 {
        option("rwmixread", &(100.0 * reads as f64 / (reads + writes) as f64).round());
    }
    let (name, sizes) = block_sizes(profile, &used);
    option(name, &sizes);
    if random {
        let percent = |d: usize| if sequential(&d) { 0.0 } else { 100.0 - 100.0 * shares[d] };
        let list = three(&used, |d| percent(d).round() as u64);
        option("percentage_random", &list);
        option("norandommap", &1);
        if let Some(zones) = zones(&profile.tenths) {
            option("random_distribution", &format!("zoned:{zones}"));
        }
    }
    let largest = profile.sizes.iter().filter(|size| used.iter().any(|d| size.ios[*d] > 0));
    let largest = largest.map(|size| u64::from(size.bytes)).max().unwrap_or(4096);
    option("size", &(profile.end.div_ceil(largest).max(1) * largest));
    option("io_size", &used.iter().map(|d| profile.bytes[*d]).fold(0, u64::saturating_add).max(1));
    if profile.duration_ns > 0 {
        let seconds = profile.duration_ns as f64 / 1e9;
        option("rate_iops", &three(&used, |d| (profile.ios[d] as f64 / seconds).round().max(1.0) as u64));
        if profile.arrival_variation.is_some_and(|variation| variation >= POISSON) {
            option("rate_process", &"poisson");
        }
    }
    option("ioengine", &"libaio");
    option("iodepth", &profile.in_flight.map_or(DEPTH, |(_, most)| most.clamp(1, MOST_DEPTH)));
    if profile.sizes.iter().all(|size| size.bytes % 4096 == 0) {
        option("direct", &1);
    }
    job
}

/// Returns the values of reads, writes and trims joined by commas; only one value if one direction is used.
fn three(used: &[usize], of: impl Fn(usize) -> u64) -> String {
    match used {
        [one] => of(*one).to_string(),
        _ => used.iter().map(|d| of(*d).to_string()).collect::<Vec<_>>().join(","),
    }
}

/// Returns `bs` or `bssplit` and its value.
fn block_sizes(profile: &TraceProfile, used: &[usize]) -> (&'static str, String) {
    let of = |d: usize| {
        let mut sizes: Vec<(u64, u32)> =
            profile.sizes.iter().map(|size| (size.ios[d], size.bytes)).filter(|(ios, _)| *ios > 0).collect();
        sizes.sort_by_key(|(ios, bytes)| (std::cmp::Reverse(*ios), *bytes));
        sizes.truncate(SIZES);
        let all: u64 = sizes.iter().map(|(ios, _)| ios).sum();
        let exact: Vec<f64> = sizes.iter().map(|(ios, _)| 100.0 * *ios as f64 / all as f64).collect();
        let percents = whole_percents(&exact);
        let kept = sizes.into_iter().zip(percents).filter(|(_, percent)| *percent > 0);
        let mut kept: Vec<(u32, u64)> = kept.map(|((_, bytes), percent)| (bytes, percent)).collect();
        kept.sort_unstable();
        kept
    };
    let lists: Vec<Vec<(u32, u64)>> = used.iter().map(|d| of(*d)).collect();
    if lists.iter().all(|list| list.len() == 1) {
        let same = lists.iter().all(|list| list[0].0 == lists[0][0].0);
        let lists = if same { &lists[..1] } else { &lists };
        return ("bs", lists.iter().map(|list| list[0].0.to_string()).collect::<Vec<_>>().join(","));
    }
    let split = |list: &Vec<(u32, u64)>| {
        list.iter().map(|(bytes, percent)| format!("{bytes}/{percent}")).collect::<Vec<_>>().join(":")
    };
    ("bssplit", lists.iter().map(split).collect::<Vec<_>>().join(","))
}

/// Returns percentages rounded to whole numbers with a sum of 100, by the method of the largest remainders.
fn whole_percents(exact: &[f64]) -> Vec<u64> {
    let mut whole: Vec<u64> = exact.iter().map(|percent| percent.floor() as u64).collect();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by(|a, b| (exact[*b].fract()).total_cmp(&exact[*a].fract()));
    let missing = 100u64.saturating_sub(whole.iter().sum());
    for at in order.into_iter().take(missing as usize) {
        whole[at] += 1;
    }
    whole
}

/// Returns zones of `random_distribution` for the shares of the tenths of a region; `None` if they are nearly equal.
/// Tenths of the same share are one zone.
fn zones(tenths: &[f64; 10]) -> Option<String> {
    let moved: f64 = tenths.iter().map(|share| (share - 0.1).max(0.0)).sum();
    if moved < UNEVEN {
        return None;
    }
    let percents = whole_percents(&tenths.map(|share| 100.0 * share));
    let mut zones: Vec<(u64, u64)> = Vec::new();
    let mut last = None;
    for percent in percents {
        match zones.last_mut() {
            Some(zone) if last == Some(percent) => {
                zone.0 += percent;
                zone.1 += 10;
            }
            _ => zones.push((percent, 10)),
        }
        last = Some(percent);
    }
    Some(zones.iter().map(|(access, size)| format!("{access}/{size}")).collect::<Vec<_>>().join(":"))
}
