//! Comparison of rates with fio for every cell of engine x block size x direction x place, in interleaved pairs: in no
//! cell may fathom be slower than noise explains.
use crate::Tally;
use crate::tool::{Tool, total, words};
use anyhow::{Result, bail};
use std::path::Path;
use std::time::Duration;
use testbed::pinned::Pinned;
use testbed::workqueues::Workqueues;
use testbed::{FileSystem, LoopDevice, Mount, Need, Sandbox, missing};

const LIMIT: Duration = Duration::from_secs(60);
/// Size of each target, MiB: small enough to stay in memory, larger than a CPU's cache.
const TARGET_MIB: u64 = 64;
/// Number of pairs of a cell at first.
const PAIRS: usize = 3;
/// Number of pairs of a cell in which the first pairs were slower than fio.
const ALL_PAIRS: usize = 12;
/// One-sided 99.5 % quantile of Student's t with 11 degrees of freedom. At most one of 200 equal cells fails by chance,
/// and only cells whose first pairs were slower are measured so often.
const STUDENT: f64 = 3.106;

/// Target of the I/O.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// File in the page cache.
    Cached,
    /// File on ext4, with O_DIRECT.
    Direct,
    /// Block device, with O_DIRECT.
    Device,
}

#[derive(Clone, Copy)]
struct Cell {
    place: Place,
    engine: &'static str,
    depth: u32,
    block: &'static str,
    direction: &'static str,
}

impl Cell {
    fn name(self) -> String {
        let place = match self.place {
            Place::Cached => "cached file",
            Place::Direct => "direct file",
            Place::Device => "loop device",
        };
        format!("{place} {} depth {} {} {}", self.engine, self.depth, self.block, self.direction)
    }

    fn args(self, target: &Path, seconds: &str) -> Vec<String> {
        let direct = u8::from(self.place != Place::Cached);
        // On the same CPU as the kernel threads that serve a loop device (see `Workqueues`).
        let cpu = if self.place == Place::Cached { "" } else { "--cpus_allowed=0" };
        // fio's random map uses the next free block if the drawn one was used already, and repeats its order in every
        // pass. The CPU's caches hold more of these offsets than of fathom's. Independent draws are equal in both
        // tools.
        let draws = if self.direction.starts_with("rand") { "--norandommap=1" } else { "" };
        words(&format!(
            "--name=cell --thread --time_based --runtime={seconds} --filename={} --size={TARGET_MIB}m --invalidate=0 \
             --ioengine={} --iodepth={} --bs={} --rw={} --direct={direct} --allow_file_create=0 {cpu} {draws}",
            target.display(),
            self.engine,
            self.depth,
            self.block,
            self.direction
        ))
    }
}

fn cells() -> Vec<Cell> {
    let engines =
        [("psync", 1), ("mmap", 1), ("libaio", 1), ("libaio", 16), ("io_uring", 1), ("io_uring", 16)];
    let mut all = Vec::new();
    for place in [Place::Cached, Place::Direct, Place::Device] {
        for (engine, depth) in engines {
            if engine == "mmap" && place != Place::Cached {
                continue;
            }
            // For psync, whose cost is mostly the copy, every size is measured; for other engines a sample.
            let blocks: &[&str] =
                if engine == "psync" { &["4k", "16k", "64k", "256k", "1m"] } else { &["4k", "64k", "1m"] };
            for block in blocks {
                for direction in ["read", "write", "randread", "randwrite"] {
                    all.push(Cell { place, engine, depth, block, direction });
                }
            }
        }
    }
    all
}

/// Logarithms of the ratios of one cell, fathom over fio, one for each pair.
#[derive(Default)]
struct Pairs {
    rate: Vec<f64>,
    cpu: Vec<f64>,
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the upper end of the one-sided interval of the mean.
fn high(values: &[f64]) -> f64 {
    let (n, mean) = (values.len() as f64, mean(values));
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    mean + STUDENT * (variance / n).sqrt()
}

impl Pairs {
    /// Measures a pair; the order of the two tools alternates.
    fn add(
        &mut self,
        fathom: &Tool,
        fio: &Tool,
        cell: Cell,
        target: &Path,
        dir: &Path,
        seconds: &str,
    ) -> Result<()> {
        let args = cell.args(target, seconds);
        let once = |tool: &Tool| -> Result<(f64, f64)> {
            let (report, ran) = tool.json(&args, dir, None, LIMIT)?;
            let ios = total(&report, "total_ios");
            if ios == 0.0 {
                bail!("{}: no I/O of {}", tool.name, cell.name());
            }
            Ok((total(&report, "iops"), (ran.user + ran.system).as_secs_f64() / ios))
        };
        let (ours, theirs) = if self.rate.len().is_multiple_of(2) {
            let ours = once(fathom)?;
            (ours, once(fio)?)
        } else {
            let theirs = once(fio)?;
            (once(fathom)?, theirs)
        };
        self.rate.push((ours.0 / theirs.0).ln());
        self.cpu.push((ours.1 / theirs.1).ln());
        Ok(())
    }
}

/// Compares all cells whose names contain `only`, and prints a line for each.
///
/// # Errors
/// A device cannot be set up, or a tool fails.
pub fn run(fathom: &Tool, fio: &Tool, only: &str) -> Result<Tally> {
    if let Some(reason) = missing(&[Need::Loop]) {
        println!("SKIP xtask::oracle-matrix: {reason}");
        return Ok(Tally::default());
    }
    let sandbox = Sandbox::new()?;
    let cached = sandbox.file("cached", TARGET_MIB << 20)?;
    let _stays = Pinned::new(&cached)?;
    let mount = Mount::on(FileSystem::Ext4, LoopDevice::in_memory((TARGET_MIB * 2) << 20, false, None)?, "")?;
    let direct = mount.path().join("direct");
    testbed::sandbox::fill(&direct, TARGET_MIB << 20)?;
    let device = LoopDevice::in_memory(TARGET_MIB << 20, true, None)?;
    let cells: Vec<Cell> = cells().into_iter().filter(|cell| cell.name().contains(only)).collect();
    println!(
        "matrix: {} cells; IOPS, and user + system time per I/O, over fio's; geometric means of {PAIRS} interleaved pairs, \
         of {ALL_PAIRS} where those have fathom slower",
        cells.len()
    );
    let mut tally = Tally::default();
    let _same_cpu = Workqueues::on_cpu(0)?;
    for cell in cells {
        let target = match cell.place {
            Place::Cached => cached.as_path(),
            Place::Direct => direct.as_path(),
            Place::Device => device.path(),
        };
        let mut pairs = Pairs::default();
        for _ in 0..PAIRS {
            pairs.add(fathom, fio, cell, target, sandbox.path(), "500ms")?;
        }
        if mean(&pairs.rate) < 0.0 {
            pairs = Pairs::default();
            for _ in 0..ALL_PAIRS {
                pairs.add(fathom, fio, cell, target, sandbox.path(), "800ms")?;
            }
        }
        let rate = mean(&pairs.rate).exp();
        let slower = pairs.rate.len() == ALL_PAIRS && high(&pairs.rate) < 0.0;
        println!(
            "  {:<44} {rate:5.2}x  CPU {:4.2}x  {} pairs  {}",
            cell.name(),
            mean(&pairs.cpu).exp(),
            pairs.rate.len(),
            tally.add(!slower)
        );
    }
    Ok(tally)
}
