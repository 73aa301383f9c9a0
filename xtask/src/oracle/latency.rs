//! Correctness of latencies: percentiles on a simulated disk with a known service-time distribution, and comparison
//! with fio on a capped loop device.
use crate::Tally;
use crate::tool::{Tool, jobs, measured, median, number, words};
use crate::tries::Tries;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::cell::Cell;
use std::path::Path;
use std::time::Duration;
use testbed::fuse::{Law, Model};
use testbed::{Cap, CappedLoop, FuseDisk, Need, Sandbox, missing};

/// Largest relative deviation of a percentile from the known distribution; [`SLACK_NS`] is permitted in addition,
/// because the disk wakes about 20 us late.
const SHARE: f64 = 0.02;
/// Deviation of a percentile from the known distribution that is permitted in addition to [`SHARE`], nanoseconds.
const SLACK_NS: f64 = 0.2e6;
/// Largest relative deviation between two tools on a capped device.
const BETWEEN: f64 = 0.03;

pub fn run(fathom: &Tool, fio: &Tool, long: bool) -> Result<Tally> {
    // Child processes inherit the priority, so that other work of the machine affects latencies less. Ordinary users
    // may not raise it, but skip both parts anyway.
    let _ = rustix::process::setpriority_process(None, -20);
    // One comparison waits for its disk, the other for a cap, so they run at the same time.
    let pairs = || match missing(&[Need::Loop, Need::BlockCgroup]) {
        Some(reason) => Ok((vec![format!("SKIP xtask::oracle-latency-pairs: {reason}")], Tally::default())),
        // One I/O is 3 % of a short run under a cap, so each pair needs a minute.
        None if !long => {
            Ok((vec!["latency: pairs beside fio need a minute each: --long".into()], Tally::default()))
        }
        None => against_fio(fathom, fio),
    };
    std::thread::scope(|scope| {
        let pairs = scope.spawn(pairs);
        let mut tally = match missing(&[Need::Fuse]) {
            Some(reason) => {
                println!("SKIP xtask::oracle-latency-law: {reason}");
                Tally::default()
            }
            None => against_the_law(fathom, fio, long)?,
        };
        let (lines, of_pairs) =
            pairs.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the comparison panicked")))?;
        lines.iter().for_each(|line| println!("{line}"));
        tally += of_pairs;
        Ok(tally)
    })
}

fn percentile(document: &Value, kind: &str, label: &str) -> f64 {
    jobs(document).first().map_or(0.0, |j| {
        j["read"][format!("{kind}_ns")]["percentile"].get(label).and_then(Value::as_f64).unwrap_or(0.0)
    })
}

/// Share of I/Os above the highest percentile that is compared.
const TAIL: f64 = 0.001;
const LABELS: [(&str, f64); 3] = [("50.000000", 0.5), ("99.000000", 0.99), ("99.900000", 0.999)];

fn against_the_law(fathom: &Tool, fio: &Tool, long: bool) -> Result<Tally> {
    let ms = Duration::from_millis;
    let bimodal = Law::Bimodal { fast: ms(10), slow: ms(100), slow_share: 0.1 };
    let constant = Law::Constant(ms(10));
    let exponential = Law::Exponential(ms(10));
    let mut cells = vec![(bimodal, 8, "libaio"), (bimodal, 24, "io_uring")];
    if long {
        cells.extend([(bimodal, 8, "io_uring"), (bimodal, 24, "libaio"), (constant, 24, "libaio")]);
        cells.extend([(exponential, 8, "libaio"), (exponential, 8, "io_uring"), (constant, 1, "psync")]);
    }
    let seconds = if long { 40 } else { 10 };
    println!("latency: law, disk and lat of {} cells of {seconds} s, ms at p50, p99, p99.9", cells.len());
    let mut tally = Tally::default();
    for (law, servers, engine) in cells {
        let title = format!("{} {engine} {servers} servers", name(law));
        let but_tail = Cell::new(false);
        let told = measured(&title, Tries::default(), TAIL, || {
            let (line, fine) = law_cell(fathom, fio, law, servers, engine, seconds)?;
            but_tail.set(fine.but_tail);
            Ok((line, fine.all))
        })?;
        // If CPUs were short for one I/O in a thousand, the p99.9 of the disk and of the tool cannot be checked; lower
        // percentiles still are.
        let untold = !told.fine && told.starved && but_tail.get();
        println!("  {title:<34} {}  {}", told.line, tally.add(told.fine || untold));
        if untold {
            println!("SKIP xtask::oracle-latency p99.9 of {title}: processors were short in every try");
        }
    }
    Ok(tally)
}

/// Results of the check of a cell: whether all its percentiles are right, and whether those below the tail are.
struct Fine {
    all: bool,
    but_tail: bool,
}

fn law_cell(
    fathom: &Tool,
    fio: &Tool,
    law: Law,
    servers: usize,
    engine: &str,
    seconds: u64,
) -> Result<(String, Fine)> {
    let disk = FuseDisk::new(Model { law, servers, seed: 7, ..Model::default() })?;
    let args = |disk: &FuseDisk| {
        words(&format!(
            "--name=lat --filename={} --ioengine={engine} --iodepth={servers} --rw=randread --bs=4k --direct=1 \
             --time_based --runtime={seconds} --norandommap --lat_percentiles=1 --percentile_list=50:99:99.9",
            disk.path().display()
        ))
    };
    let limit = Duration::from_secs(120);
    let (report, _) = fathom.json(&args(&disk), Path::new("/"), None, limit)?;
    let seen = disk.seen();
    let mut times = seen.times.clone();
    times.sort();
    // With constant service times, the tail is only the machine's own delay: fathom's percentiles may be between the
    // law and fio's.
    let beside = match law {
        Law::Constant(_) => {
            let disk = FuseDisk::new(Model { law, servers, seed: 7, ..Model::default() })?;
            Some(fio.json(&args(&disk), Path::new("/"), None, limit)?.0)
        }
        _ => None,
    };
    let near = |got: f64, truth: f64| (got - truth).abs() <= truth * SHARE + SLACK_NS;
    let mut line = String::new();
    let in_flight = seen.most_in_flight == servers;
    let mut fine = Fine { all: in_flight, but_tail: in_flight };
    for (label, q) in LABELS {
        let rank = ((times.len() as f64 * q).ceil() as usize).clamp(1, times.len().max(1)) - 1;
        let drawn = times.get(rank).context("the disk saw no read")?.as_nanos() as f64;
        let got = percentile(&report, "lat", label);
        let exact = law.quantile(q).as_nanos() as f64;
        let truth = match (law, &beside) {
            // For a law with a long tail, the reference is the times that the disk actually drew; for others the law.
            (Law::Exponential(_), _) => drawn,
            (_, Some(fios)) => got.clamp(exact, percentile(fios, "lat", label).max(exact)),
            _ => exact,
        };
        // The disk has to keep its law; otherwise the reference would be wrong.
        let right = (beside.is_some() || near(drawn, truth)) && near(got, truth);
        fine.all &= right;
        fine.but_tail &= right || q > 0.99;
        line.push_str(&format!("{:8.2} {:8.2} {:8.2}  ", truth / 1e6, drawn / 1e6, got / 1e6));
    }
    let iops: f64 = jobs(&report).iter().map(|j| number(&j["read"], "iops")).sum();
    let truth = servers as f64 / law.mean().as_secs_f64();
    let line = format!("{line} in flight {} of {servers}, {iops:.0} IOPS of {truth:.0}", seen.most_in_flight);
    Ok((line, fine))
}

fn name(law: Law) -> &'static str {
    match law {
        Law::Constant(_) => "10 ms",
        Law::Bimodal { .. } => "10/100 ms",
        Law::Exponential(_) => "exponential 10 ms",
        Law::Uniform(_) => "up to 10 ms",
    }
}

/// Cap in IOPS. The kernel's throttle works in slices of 100 ms: only below 10 IOPS does each I/O wait for its own
/// slice; above, most complete at once and the rest wait, and a median is noise.
const CAP: u64 = 10;

fn against_fio(fathom: &Tool, fio: &Tool) -> Result<(Vec<String>, Tally)> {
    let (pairs, seconds) = (5, 60);
    let mut lines = vec![format!(
        "latency: p50 and p99 in ms beside fio's, {CAP} IOPS cap, medians of {pairs} pairs of {seconds} s"
    )];
    // Two devices with two depths at the same time, because both tools mostly wait.
    let found = std::thread::scope(|scope| {
        let running = [1, 32].map(|depth| scope.spawn(move || pair(fathom, fio, depth, seconds, pairs)));
        running.map(|r| r.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the comparison panicked"))))
    });
    let mut tally = Tally::default();
    for line in found {
        let (line, fine) = line?;
        lines.push(line);
        tally.add(fine);
    }
    Ok((lines, tally))
}

fn pair(fathom: &Tool, fio: &Tool, depth: u64, seconds: u64, pairs: usize) -> Result<(String, bool)> {
    let capped = CappedLoop::new(64 << 20, Cap::ReadIops(CAP))?;
    let args = words(&format!(
        "--name=lat --filename={} --ioengine=libaio --iodepth={depth} --rw=randread --bs=4k --direct=1 \
         --time_based --runtime={seconds} --norandommap",
        capped.device.path().display()
    ));
    let mut seen = [Vec::new(), Vec::new()];
    // fio's own p99, for the line.
    let mut printed = Vec::new();
    for _ in 0..pairs {
        let limit = Duration::from_secs(seconds + 60);
        let (report, _) = fathom.json(&args, Path::new("/"), Some(&capped.cgroup), limit)?;
        seen[0].push([percentile(&report, "clat", "50.000000"), percentile(&report, "clat", "99.000000")]);
        let place = Sandbox::new()?;
        let mut logged = args.clone();
        logged.push("--write_lat_log=log".into());
        let (report, _) = fio.json(&logged, place.path(), Some(&capped.cgroup), limit)?;
        printed.push(percentile(&report, "clat", "99.000000"));
        seen[1].push(before_the_drain(&std::fs::read_to_string(place.join("log_clat.1.log"))?)?);
    }
    let middle = |which: usize, p: usize| median(&seen[which].iter().map(|s| s[p]).collect::<Vec<_>>());
    let (ours, theirs) = ([middle(0, 0), middle(0, 1)], [middle(1, 0), middle(1, 1)]);
    let fine = ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() <= b * BETWEEN);
    let line = format!(
        "  depth {depth:<3} p50 {:.2} fio {:.2}   p99 {:.2} fio {:.2} (with its drain {:.2})  {}",
        ours[0] / 1e6,
        theirs[0] / 1e6,
        ours[1] / 1e6,
        theirs[1] / 1e6,
        median(&printed) / 1e6,
        if fine { "ok" } else { "FAIL" }
    );
    Ok((line, fine))
}

/// Returns p50 and p99 in nanoseconds of fio's log of completion latencies, without the I/Os that share the last
/// timestamp. At the end of a run, fio waits for all I/Os in flight and gives all of them the time of the last
/// completion. At depth 32 under this cap, such I/Os are 5 % of all, up to 3 s too long.
fn before_the_drain(log: &str) -> Result<[f64; 2]> {
    let line = |line: &str| -> Option<(u64, f64)> {
        let mut fields = line.split(", ");
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    let all: Vec<(u64, f64)> = log.lines().filter_map(line).collect();
    let end = all.iter().map(|(ms, _)| *ms).max().context("fio's log is empty")?;
    let mut times: Vec<f64> = all.iter().filter(|(ms, _)| *ms < end).map(|(_, ns)| *ns).collect();
    times.sort_by(f64::total_cmp);
    let at = |q: f64| times.get(((times.len() as f64 * q).ceil() as usize).max(1) - 1).copied();
    at(0.5).zip(at(0.99)).map(|(p50, p99)| [p50, p99]).context("fio's log holds nothing but its drain")
}
