//! Cost of fathom compared with fio and with fio tuned by hand: interleaved pairs, medians and ratios, because absolute
//! figures of a shared machine prove nothing.
use crate::Tally;
use crate::tool::{Tool, jobs, median, total, words};
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::collections::HashSet;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use testbed::child::Ran;
use testbed::pinned::Pinned;
use testbed::{LoopDevice, Need, Sandbox, missing};

const LIMIT: Duration = Duration::from_secs(300);
/// Options with which fio's submission is usually tuned.
const TUNED: &str = "--iodepth_batch=32 --iodepth_batch_complete_max=32";
/// Further options for io_uring.
const TUNED_URING: &str = "--fixedbufs --registerfiles";

/// Comparison of rates: fathom over fio, and fathom over tuned fio.
struct Rate {
    name: &'static str,
    args: String,
    tuned: String,
    least: f64,
    least_tuned: f64,
}

pub fn run(fathom: &Tool, fio: &Tool, long: bool, only_cpu: bool) -> Result<Tally> {
    let sandbox = Sandbox::new()?;
    let mut tally = Tally::default();
    if !only_cpu {
        // First, because a child's peak memory as counted by the kernel starts at that of its parent process.
        tally += many_jobs(fathom, fio, &sandbox, long)?;
        tally += rates(fathom, fio, &sandbox, long)?;
        tally += refill(fathom, fio, &sandbox, long)?;
    }
    tally += cpu(fathom, fio, &sandbox, long)?;
    Ok(tally)
}

/// Runs a tool once. Returns its document and its resource usage.
fn once(tool: &Tool, args: &str, dir: &Path) -> Result<(Value, Ran)> {
    tool.json(&words(args), dir, None, LIMIT)
}

fn rates(fathom: &Tool, fio: &Tool, sandbox: &Sandbox, long: bool) -> Result<Tally> {
    let (pairs, seconds) = if long { (7, 3) } else { (3, 2) };
    let file = sandbox.file("cached", 256 << 20)?;
    let _file_stays = cached(&file);
    let file = file.display();
    let timed = format!("--name=speed --thread --time_based --runtime={seconds} --rw=randread --bs=4k");
    let uring = format!("{TUNED} {TUNED_URING}");
    let mut cells = vec![
        Rate {
            name: "null QD32",
            args: format!("{timed} --ioengine=null --size=4g --iodepth=32"),
            tuned: TUNED.into(),
            least: 15.0,
            least_tuned: 0.0,
        },
        Rate {
            name: "null QD1",
            args: format!("{timed} --ioengine=null --size=4g --iodepth=1"),
            tuned: String::new(),
            least: 4.0,
            least_tuned: 0.0,
        },
        Rate {
            name: "cached file, io_uring QD32",
            args: format!(
                "{timed} --ioengine=io_uring --iodepth=32 --filename={file} --invalidate=0 --fadvise_hint=0"
            ),
            tuned: uring.clone(),
            least: 1.6,
            least_tuned: 1.25,
        },
    ];
    let device = match missing(&[Need::Loop]) {
        None => Some(LoopDevice::new(256 << 20)?),
        Some(reason) => {
            println!("SKIP xtask::oracle-speed-loop: {reason}");
            None
        }
    };
    let _backing_stays = device.as_ref().map(|device| cached(device.backing()));
    if let Some(device) = &device {
        cells.push(Rate {
            name: "loop device, io_uring QD32",
            args: format!(
                "{timed} --ioengine=io_uring --iodepth=32 --filename={} --direct=1",
                device.path().display()
            ),
            tuned: uring,
            least: 1.4,
            least_tuned: 0.0,
        });
    }
    println!("speed: kIOPS, medians of {pairs} interleaved runs of {seconds} s; p50 of clat/lat in ns");
    let mut tally = Tally::default();
    for cell in &cells {
        let tuned = format!("{} {}", cell.args, cell.tuned);
        let mut seen = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..pairs {
            for (i, (tool, args)) in
                [(fathom, &cell.args), (fio, &cell.args), (fio, &tuned)].into_iter().enumerate()
            {
                seen[i].push(total(&once(tool, args, sandbox.path())?.0, "iops"));
            }
        }
        let [ours, plain, by_hand] = seen.map(|s| median(&s));
        let (ratio, ratio_tuned) = (ours / plain, ours / by_hand);
        let fine = ratio >= cell.least && ratio_tuned >= cell.least_tuned;
        let middle = |tool: &Tool| -> Result<String> {
            let args = format!("{} --clat_percentiles=1 --lat_percentiles=1 --percentile_list=50", cell.args);
            let report = once(tool, &args, sandbox.path())?.0;
            let of = |kind: &str| {
                let job = jobs(&report).first();
                job.and_then(|j| j["read"][kind]["percentile"]["50.000000"].as_f64()).unwrap_or(f64::NAN)
            };
            Ok(format!("{:.0}/{:.0}", of("clat_ns"), of("lat_ns")))
        };
        println!(
            "  {:<28} {:>9.1}  fio {:>8.1} = {ratio:5.2}x (>= {}x)  tuned {:>8.1} = {ratio_tuned:5.2}x (>= {}x)  p50 {} fio {}  {}",
            cell.name,
            ours / 1e3,
            plain / 1e3,
            cell.least,
            by_hand / 1e3,
            cell.least_tuned,
            middle(fathom)?,
            middle(fio)?,
            tally.add(fine)
        );
    }
    Ok(tally)
}

/// Keeps a file in the page cache, if the limit of locked memory permits it.
fn cached(file: &Path) -> Option<Pinned> {
    Pinned::new(file).inspect_err(|e| println!("  {} may leave the page cache: {e}", file.display())).ok()
}

/// Compares the user time per I/O on a loop device.
fn cpu(fathom: &Tool, fio: &Tool, sandbox: &Sandbox, long: bool) -> Result<Tally> {
    if let Some(reason) = missing(&[Need::Loop]) {
        println!("SKIP xtask::oracle-cpu: {reason}");
        return Ok(Tally::default());
    }
    let device = LoopDevice::new(256 << 20)?;
    let _backing_stays = cached(device.backing());
    // CPU time is counted in ticks of 4 ms, so short runs would be noisy.
    let (pairs, seconds) = if long { (3, 25) } else { (2, 6) };
    println!(
        "cpu: ns of user + system time per I/O on a loop device, medians of {pairs} interleaved runs of {seconds} s"
    );
    let mut tally = Tally::default();
    for (depth, most) in [(32, 1.0 / 6.0), (1, 1.0 / 3.0)] {
        let args = format!(
            "--name=cpu --thread --time_based --runtime={seconds} --rw=randread --bs=4k --ioengine=io_uring \
             --iodepth={depth} --direct=1 --filename={}",
            device.path().display()
        );
        let tuned = format!("{args} {TUNED} {TUNED_URING}");
        let mut user = [Vec::new(), Vec::new(), Vec::new()];
        let mut system = user.clone();
        for _ in 0..pairs {
            for (i, (tool, args)) in [(fathom, &args), (fio, &args), (fio, &tuned)].into_iter().enumerate() {
                let (report, ran) = once(tool, args, sandbox.path())?;
                let ios = total(&report, "total_ios");
                user[i].push(ran.user.as_nanos() as f64 / ios);
                system[i].push(ran.system.as_nanos() as f64 / ios);
            }
        }
        let [ours, plain, by_hand] = user.map(|u| median(&u));
        let [ours_system, plain_system, by_hand_system] = system.map(|s| median(&s));
        let fine = ours / plain <= most;
        println!(
            "  QD{depth:<3} {ours:.0} + {ours_system:.0}  fio {plain:.0} + {plain_system:.0}  tuned {by_hand:.0} + \
             {by_hand_system:.0}  user {:.3} of fio's (<= {most:.3})  {}",
            ours / plain,
            tally.add(fine)
        );
    }
    Ok(tally)
}

/// Compares jobs that generate incompressible data for each write.
fn refill(fathom: &Tool, fio: &Tool, sandbox: &Sandbox, long: bool) -> Result<Tally> {
    let mut tally = Tally::default();
    let (pairs, seconds) = if long { (5, 3) } else { (3, 2) };
    let args = format!(
        "--name=fill --thread --time_based --runtime={seconds} --rw=write --bs=128k --ioengine=null --size=4g --refill_buffers"
    );
    let mut seen = [Vec::new(), Vec::new()];
    for _ in 0..pairs {
        for (tool, seen) in [fathom, fio].into_iter().zip(&mut seen) {
            seen.push(total(&once(tool, &args, sandbox.path())?.0, "bw_bytes"));
        }
    }
    let [ours, theirs] = seen.map(|s| median(&s));
    let ratio = ours / theirs;
    let file = sandbox.join("noise");
    let write =
        "--name=fill --rw=write --bs=128k --ioengine=psync --size=256m --refill_buffers --filename=noise";
    once(fathom, write, sandbox.path())?;
    let (twice, packed) = (repeated_blocks(&file)?, packed(&file)?);
    std::fs::remove_file(&file)?;
    let fine = ratio >= 2.5 && twice == 0 && packed.is_none_or(|p| p >= 0.999);
    println!(
        "refill_buffers 128k: {:.2} GB/s, fio {:.2} = {ratio:.2}x (>= 2.5x); 256 MiB: zstd -3 leaves {}, {twice} blocks of 512 twice  {}",
        ours / 1e9,
        theirs / 1e9,
        packed.map_or("? (no zstd)".into(), |p| format!("{p:.4}")),
        tally.add(fine)
    );
    Ok(tally)
}

/// Returns the number of 512-byte blocks that occur earlier in the file.
fn repeated_blocks(file: &Path) -> Result<usize> {
    let data = std::fs::read(file)?;
    let mut seen = HashSet::with_capacity(data.len() / 512);
    // The first 16 bytes are enough to distinguish blocks of noise.
    Ok(data.chunks_exact(512).filter(|b| !seen.insert(&b[..16])).count())
}

/// Returns the size after `zstd -3` over the size before; `None` without zstd.
fn packed(file: &Path) -> Result<Option<f64>> {
    if missing(&[Need::Program("zstd")]).is_some() {
        println!("SKIP xtask::oracle-refill-zstd: needs the program zstd");
        return Ok(None);
    }
    let mut child = Command::new("zstd").args(["-3", "-q", "-c"]).arg(file).stdout(Stdio::piped()).spawn()?;
    let mut bytes = 0u64;
    let mut out = child.stdout.take().context("zstd without output")?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        match out.read(&mut buffer)? {
            0 => break,
            n => bytes += n as u64,
        }
    }
    if !child.wait()?.success() {
        bail!("zstd failed on {}", file.display());
    }
    Ok(Some(bytes as f64 / std::fs::metadata(file)?.len() as f64))
}

/// Compares start, run and report of very many small jobs.
fn many_jobs(fathom: &Tool, fio: &Tool, sandbox: &Sandbox, long: bool) -> Result<Tally> {
    let mut tally = Tally::default();
    let pairs = if long { 7 } else { 3 };
    let args = "--name=many --thread --numjobs=512 --ioengine=null --rw=randread --bs=4k --size=4m --number_ios=1000 \
                --group_reporting";
    let mut wall = [Vec::new(), Vec::new()];
    let mut memory = wall.clone();
    for _ in 0..pairs {
        for (i, tool) in [fathom, fio].into_iter().enumerate() {
            let (report, ran) = once(tool, args, sandbox.path())?;
            if total(&report, "total_ios") != 512_000.0 {
                bail!("{}: {} I/Os, not 512000", tool.name, total(&report, "total_ios"));
            }
            wall[i].push(ran.wall.as_secs_f64());
            memory[i].push(ran.peak_rss_kib as f64 / 1024.0);
        }
    }
    let [ours, theirs] = wall.map(|w| median(&w));
    let [our_memory, their_memory] = memory.map(|m| median(&m));
    let fine = ours <= theirs && our_memory <= their_memory / 2.0;
    println!(
        "512 jobs x 1000 I/Os: {ours:.2} s, fio {theirs:.2} s; peak {our_memory:.0} MiB, fio {their_memory:.0} MiB (<= half)  {}",
        tally.add(fine)
    );
    Ok(tally)
}
