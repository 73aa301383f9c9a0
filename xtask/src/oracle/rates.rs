//! Correctness of rates: a loop device under a block-cgroup cap, whose rate the kernel determines independently of the
//! tool.
use crate::Tally;
use crate::tool::{STARVED, Tool, jobs, measured, number, total, words};
use crate::tries::Tries;
use anyhow::Result;
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use testbed::{Cap, CappedLoop, Need, missing};

/// Size of the device, bytes. The device is filled before use, so that the host's cache cannot limit a cell.
const DEVICE_BYTES: u64 = 128 << 20;
/// Largest relative deviation of the rate from the cap.
const RATE: f64 = 0.01;
/// Largest relative deviation from Little's law.
const LITTLE: f64 = 0.02;
/// Largest effect of the ends of a run, as a share: I/Os in flight at its end, and the first slice that the kernel lets
/// through.
const EDGE: f64 = 0.003;
/// Duration of a slice of the kernel's throttle, seconds.
const SLICE_SECONDS: f64 = 0.1;
/// Smallest ratio of the device's own rate to its cap with which the cap is the limit.
const HEADROOM: f64 = 1.3;
/// Number of cells measured at the same time. Each cell has a device and a cgroup of its own, and it needs little CPU
/// time, because the cap delays its I/Os.
const AT_A_TIME: usize = 3;

#[derive(Clone, Copy)]
struct Cell {
    cap: Cap,
    block: &'static str,
    engine: &'static str,
    parallel: u64,
}

impl Cell {
    fn name(&self) -> String {
        let cap = match self.cap {
            Cap::ReadBytes(n) => format!("{} MiB/s", n >> 20),
            Cap::ReadIops(n) | Cap::WriteIops(n) | Cap::WriteBytes(n) => format!("{n} IOPS"),
        };
        let parallel = if self.engine == "psync" { "numjobs" } else { "depth" };
        format!("{cap} {} {} {parallel} {}", self.block, self.engine, self.parallel)
    }

    fn iops(&self) -> f64 {
        match self.cap {
            Cap::ReadBytes(n) => n as f64 / (128 << 10) as f64,
            Cap::ReadIops(n) | Cap::WriteIops(n) | Cap::WriteBytes(n) => n as f64,
        }
    }

    fn seconds(&self) -> f64 {
        let edge = (self.parallel as f64 / self.iops()).max(SLICE_SECONDS);
        (edge / EDGE).ceil()
    }

    fn args(&self, device: &str, seconds: f64) -> Vec<String> {
        let parallel = if self.engine == "psync" { "numjobs" } else { "iodepth" };
        words(&format!(
            "--name=rate --filename={device} --ioengine={} --rw=randread --bs={} --direct=1 --{parallel}={} \
             --group_reporting --time_based --runtime={seconds} --norandommap",
            self.engine, self.block, self.parallel
        ))
    }
}

fn cells(long: bool) -> Vec<Cell> {
    let caps = [
        (Cap::ReadIops(500), "4k"),
        (Cap::ReadIops(1000), "4k"),
        (Cap::ReadIops(5000), "4k"),
        (Cap::ReadBytes(20 << 20), "128k"),
        (Cap::ReadBytes(100 << 20), "128k"),
    ];
    let mut all = Vec::new();
    for (cap, block) in caps {
        for engine in ["io_uring", "libaio", "psync"] {
            for parallel in [1, 8, 32] {
                all.push(Cell { cap, block, engine, parallel });
            }
        }
    }
    if !long {
        // At least one cell with each cap, engine and parallelism.
        let sample = [(1, 0, 8), (1, 2, 8), (2, 1, 32), (0, 1, 8), (3, 0, 1), (4, 2, 8)];
        let engines = ["io_uring", "libaio", "psync"];
        return sample
            .iter()
            .map(|(c, e, p)| Cell { cap: caps[*c].0, block: caps[*c].1, engine: engines[*e], parallel: *p })
            .collect();
    }
    all
}

pub fn run(fathom: &Tool, long: bool) -> Result<Tally> {
    if let Some(reason) = missing(&[Need::Loop, Need::BlockCgroup]) {
        println!("SKIP xtask::oracle-rates: {reason}");
        return Ok(Tally::default());
    }
    let cells = cells(long);
    let seconds: f64 = cells.iter().map(Cell::seconds).sum::<f64>() / AT_A_TIME as f64;
    println!(
        "rates: {} cells, about {:.0} s; rate / cap, IOPS x lat / N, disk bytes - ours",
        cells.len(),
        seconds
    );
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(cell) = cells.get(next.fetch_add(1, Relaxed)) {
                    match seen(fathom, cell) {
                        (line, true) => {
                            println!("  {:<34} {line}", cell.name());
                            tally.lock().unwrap_or_else(PoisonError::into_inner).add(true);
                        }
                        (line, false) => {
                            failed.lock().unwrap_or_else(PoisonError::into_inner).push((cell, line));
                        }
                    }
                }
            });
        }
    });
    let mut tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A cell that failed while others were running is repeated alone.
    for (cell, line) in failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let mut tries = Tries::default();
        tries.record(Err(line));
        let told = measured(&cell.name(), tries, STARVED, || Ok(seen(fathom, cell)))?;
        println!("  {:<34} {}", cell.name(), told.line);
        tally.add(told.fine);
    }
    Ok(tally)
}

/// Returns the line of one cell, and whether the cell passed.
fn seen(tool: &Tool, cell: &Cell) -> (String, bool) {
    measure(tool, cell).unwrap_or_else(|error| (format!("FAIL: {error:#}"), false))
}

fn measure(tool: &Tool, cell: &Cell) -> Result<(String, bool)> {
    let capped = CappedLoop::new(DEVICE_BYTES, cell.cap)?;
    let device = capped.device.path().display().to_string();
    let here = std::env::temp_dir();
    let limit = Duration::from_secs_f64(cell.seconds() * 2.0 + 60.0);
    let (free, _) = tool.json(&cell.args(&device, 1.0), &here, None, limit)?;
    let uncapped = total(&free, "iops");
    if uncapped < cell.iops() * HEADROOM {
        return Ok((format!("not applicable: {uncapped:.0} IOPS without the cap"), true));
    }
    let before = capped.device.stats()?;
    let (report, _) = tool.json(&cell.args(&device, cell.seconds()), &here, Some(&capped.cgroup), limit)?;
    let used = capped.device.stats()?.since(&before);
    let iops = total(&report, "iops");
    let latency = jobs(&report).iter().map(|j: &Value| number(&j["read"], "lat_ns.mean")).sum::<f64>() / 1e9;
    let rate = iops / cell.iops();
    let little = iops * latency / cell.parallel as f64;
    let extra = used.read_bytes() as i64 - total(&report, "io_bytes") as i64;
    let mut faults = Vec::new();
    if (rate - 1.0).abs() > RATE {
        faults.push("rate");
    }
    if (little - 1.0).abs() > LITTLE {
        faults.push("Little");
    }
    if extra != 0 {
        faults.push("sectors");
    }
    let verdict = if faults.is_empty() { "ok".to_string() } else { format!("FAIL: {}", faults.join(", ")) };
    Ok((format!("{rate:.4} {little:.4} {extra:>8}  {verdict}"), faults.is_empty()))
}
