//! Options that decide how fast and for how long a job runs (`steadystate`, `latency_target`, `flow`, `thinktime`),
//! beside fio on loop devices under a cap: what each option arrives at.

use crate::Tally;
use crate::tool::{STARVED, Tool, jobs, measured, median, number, words};
use crate::tries::Tries;
use anyhow::Result;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use testbed::{Cap, CappedLoop, Need, missing};

/// Largest relative deviation between two tools.
const BETWEEN: f64 = 0.03;
/// Cap in IOPS.
const CAP: u64 = 200;
/// Number of interleaved pairs, of whose figures the medians are compared.
const PAIRS: usize = 3;

/// One option: a job, and the figures that it arrives at.
struct Cell {
    name: &'static str,
    args: &'static str,
    /// Returns the figures of a report, of fio's if the flag is set.
    figures: fn(&Value, bool) -> Vec<(&'static str, f64)>,
}

const CELLS: [Cell; 6] = [
    Cell {
        name: "steadystate",
        args: "--iodepth=8 --runtime=40 --steadystate=bw:3% --steadystate_duration=6 --steadystate_ramp_time=2 --name=a",
        figures: |document, _| {
            let job = &jobs(document)[0];
            vec![
                ("attained", number(job, "steadystate.attained")),
                ("B/s", number(job, "steadystate.data.bw_mean")),
            ]
        },
    },
    Cell {
        // The throttle lets I/Os pass in slices of 100 ms: high percentiles are its noise, the median is depth / IOPS.
        name: "latency_target",
        args: "--iodepth=64 --runtime=100 --latency_target=250ms --latency_window=4s --latency_percentile=50 --name=a",
        figures: |document, of_fio| {
            let job = &jobs(document)[0];
            let depth = number(job, "latency_depth");
            // fio counts the I/Os that were in flight at the start of the last window.
            let ios = number(&job["read"], "total_ios") - if of_fio { depth } else { 0.0 };
            vec![("depth", depth), ("IOPS", ios / number(job, "job_runtime") * 1e3)]
        },
    },
    Cell {
        name: "flow 1:3",
        args: "--iodepth=8 --runtime=20 --name=a --flow=1 --name=b --flow=3",
        figures: shares,
    },
    Cell {
        name: "flow 2:3:5",
        args: "--iodepth=4 --runtime=20 --name=a --flow=2 --name=b --flow=3 --name=c --flow=5",
        figures: shares,
    },
    Cell { name: "thinktime", args: "--iodepth=1 --runtime=20 --thinktime=20ms --name=a", figures: iops },
    Cell {
        name: "thinktime_blocks",
        args: "--iodepth=1 --runtime=20 --thinktime=100ms --thinktime_blocks=8 --name=a",
        figures: iops,
    },
];

fn iops(document: &Value, _: bool) -> Vec<(&'static str, f64)> {
    vec![("IOPS", number(&jobs(document)[0]["read"], "iops"))]
}

/// Returns the share of each job but the first in all I/Os.
fn shares(document: &Value, _: bool) -> Vec<(&'static str, f64)> {
    let ios: Vec<f64> = jobs(document).iter().map(|job| number(&job["read"], "total_ios")).collect();
    let all: f64 = ios.iter().sum();
    ["share b", "share c"].into_iter().zip(&ios[1..]).map(|(name, n)| (name, n / all)).collect()
}

pub fn run(fathom: &Tool, fio: &Tool) -> Result<Tally> {
    if let Some(reason) = missing(&[Need::Loop, Need::BlockCgroup]) {
        println!("SKIP xtask::oracle-pace: {reason}");
        return Ok(Tally::default());
    }
    println!("pace: fathom and fio under a cap of {CAP} IOPS, medians of {PAIRS} pairs, within {BETWEEN}");
    // Each job waits for its own device, so all run at the same time.
    let found = std::thread::scope(|scope| {
        let running = CELLS.each_ref().map(|cell| {
            scope.spawn(|| {
                let cell = measured(cell.name, Tries::default(), STARVED, || pair(fathom, fio, cell))?;
                // A task that waits for a CPU all the time wakes late in either tool: nothing is told about pace then.
                let untold = !cell.fine && cell.starved;
                let verdict = if cell.fine {
                    "ok"
                } else if untold {
                    "n/a"
                } else {
                    "FAIL"
                };
                println!("{verdict:4} {}", cell.line);
                if untold {
                    println!("SKIP xtask::oracle-pace {}: processors were short in every try", cell.line);
                }
                Ok((!untold).then_some(cell.fine))
            })
        });
        running.map(|r| r.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the comparison panicked"))))
    });
    let mut tally = Tally::default();
    for cell in found {
        if let Some(fine) = cell? {
            tally.add(fine);
        }
    }
    Ok(tally)
}

fn pair(fathom: &Tool, fio: &Tool, cell: &Cell) -> Result<(String, bool)> {
    let capped = CappedLoop::new(64 << 20, Cap::ReadIops(CAP))?;
    let args = words(&format!(
        "--filename={} --ioengine=libaio --rw=randread --bs=4k --direct=1 --time_based --norandommap {}",
        capped.device.path().display(),
        cell.args
    ));
    let mut seen: [Vec<Vec<(&str, f64)>>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..PAIRS {
        for ((tool, seen), of_fio) in [fathom, fio].into_iter().zip(&mut seen).zip([false, true]) {
            let limit = Duration::from_secs(180);
            let (document, _) = tool.json(&args, Path::new("/"), Some(&capped.cgroup), limit)?;
            seen.push((cell.figures)(&document, of_fio));
        }
    }
    let (mut line, mut fine) = (format!("{:17}", cell.name), true);
    for (at, (name, _)) in seen[0][0].iter().enumerate() {
        let middle = |which: usize| median(&seen[which].iter().map(|run| run[at].1).collect::<Vec<_>>());
        let (ours, theirs) = (middle(0), middle(1));
        fine &= (ours - theirs).abs() <= theirs * BETWEEN && theirs > 0.0;
        line.push_str(&format!("  {name} {ours:.3} fio {theirs:.3}"));
    }
    Ok((line, fine))
}
