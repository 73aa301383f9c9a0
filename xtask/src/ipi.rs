//! Instructions, clock reads and system calls per I/O: the cost of the loop, independent of the load of the machine.
//!
//! Each figure is the slope between two run lengths of the whole shipped program with its own command line, so that
//! start-up and report cancel out and nothing in the loop is left out. The counts come from other programs: callgrind
//! for instructions and for each executed `rdtsc`, strace for system calls.

mod profile;

use crate::Tally;
use crate::tool::{self, Tool, words};
use anyhow::{Context as _, Result, bail};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use testbed::{Sandbox, child, have_program};

/// Run lengths under callgrind, I/Os. Their difference is so large that the periodic work of other threads hardly
/// counts.
const COUNTED: [u64; 2] = [50_000, 250_000];
/// Run lengths under strace, I/Os; strace is much slower than callgrind.
const TRACED: [u64; 2] = [4_000, 20_000];
const LIMIT: Duration = Duration::from_secs(240);
const FILE_BYTES: u64 = 4 << 20;
/// Ratio to the recorded value above which a figure is a regression, even below the limit.
const DRIFT: f64 = 1.03;

/// Cell of ipi.toml: a job with its limits per I/O.
struct Cell {
    name: String,
    args: String,
    limit: f64,
    clocks: f64,
    syscalls: f64,
    recorded: Option<f64>,
}

/// Cost of one I/O.
#[derive(Clone, Debug)]
struct Cost {
    instructions: f64,
    clocks: f64,
    /// Instructions per I/O of the program itself, by their address.
    by_address: BTreeMap<u64, f64>,
}

/// Counts of one run under callgrind.
#[derive(Debug, Default)]
struct Counted {
    /// Instructions of the whole process.
    instructions: u64,
    /// Number of clock reads.
    clocks: u64,
    /// Instructions of the program itself (without libraries), by address.
    by_address: BTreeMap<u64, u64>,
}

pub fn run(args: &[String]) -> Result<Tally> {
    let mut with_fio = false;
    let mut record = false;
    let mut profiled = false;
    let mut only = Vec::new();
    for arg in args {
        match arg.as_str() {
            "--with-fio" => with_fio = true,
            "--record" => record = true,
            "--profile" => profiled = true,
            name if !name.starts_with('-') => only.push(name.to_string()),
            other => bail!("ipi: no option {other}; --with-fio, --record, --profile or names of cells"),
        }
    }
    for program in ["valgrind", "strace", "objdump"] {
        if !have_program(program) {
            println!("SKIP xtask::ipi: needs the program {program}");
            return Ok(Tally::default());
        }
    }
    let table = tool::workspace().join("xtask/ipi.toml");
    let text = std::fs::read_to_string(&table).with_context(|| format!("cannot read {}", table.display()))?;
    let cells = cells(&text)?;
    if let Some(unknown) = only.iter().find(|o| cells.iter().all(|c| c.name != **o)) {
        bail!("ipi: no cell {unknown} in {}", table.display());
    }
    let fathom = Tool::fathom()?;
    let fio = Tool::fio();
    let rdtsc = clock_instructions(fathom.program())?;
    let sandbox = Sandbox::new()?;
    let file = sandbox.file("file", FILE_BYTES)?;
    // The file is clean and locked in the page cache, so that the counts do not depend on a disk's batches.
    let _pinned =
        testbed::pinned::Pinned::new(&file).context("cannot keep the file in memory (ulimit -l)")?;
    let mut fio_cache = FioCache::load()?;
    let mut tally = Tally::default();
    let mut measured = BTreeMap::new();
    println!(
        "{:<18} {:>8} {:>6} {:>9} {:>9} {:>9} {:>9}  user instructions, clock reads, system calls per I/O",
        "cell", "instr", "limit", "recorded", "clocks", "syscalls", "fio"
    );
    for cell in cells.iter().filter(|c| only.is_empty() || only.contains(&c.name)) {
        let args = cell.args.replace("FILE", &file.display().to_string());
        let cost =
            count(&fathom, &args, &rdtsc, sandbox.path()).with_context(|| format!("cell {}", cell.name))?;
        let syscalls =
            trace(&fathom, &args, sandbox.path()).with_context(|| format!("cell {}", cell.name))?;
        let beside = match fio_cache.get(&cell.args) {
            Some(known) => Some(known),
            None if with_fio => {
                // fio's null engine has no jitter option.
                let theirs = format!("--thread {}", args.replace("--null_jitter=1", ""));
                let known = count(&fio, &theirs, &HashSet::new(), sandbox.path())?.instructions;
                fio_cache.put(&cell.args, known)?;
                Some(known)
            }
            None => None,
        };
        let mut faults = Vec::new();
        if cost.instructions > cell.limit {
            faults.push("instructions over the limit".to_string());
        }
        if let Some(recorded) = cell.recorded.filter(|r| !record && cost.instructions > r * DRIFT) {
            faults.push(format!(
                "instructions {:+.1} % over recorded",
                (cost.instructions / recorded - 1.0) * 100.0
            ));
        }
        if cost.clocks > cell.clocks {
            faults.push(format!("more than {} clock reads", cell.clocks));
        }
        if syscalls > cell.syscalls {
            faults.push(format!("more than {} system calls", cell.syscalls));
        }
        let word = tally.add(faults.is_empty());
        measured.insert(cell.name.clone(), cost.instructions);
        println!(
            "{:<18} {:>8.1} {:>6} {:>9} {:>9.3} {:>9.3} {:>9}  {}",
            cell.name,
            cost.instructions,
            cell.limit,
            cell.recorded.map_or("-".into(), |r| format!("{r:.1}")),
            cost.clocks,
            syscalls,
            beside.map_or("-".into(), |f| format!("{f:.0}")),
            format!("{word} {}", faults.join(", ")).trim_end()
        );
        if profiled {
            profile::print(fathom.program(), &cost)?;
        }
    }
    if record {
        std::fs::write(&table, with_recorded(&text, &measured))?;
    }
    Ok(tally)
}

/// Returns the cells of a table in flat TOML: `[name]`, `key = number`, `key = "text"`, comments.
fn cells(text: &str) -> Result<Vec<Cell>> {
    let mut cells: Vec<Cell> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            cells.push(Cell {
                name: name.into(),
                args: String::new(),
                limit: f64::INFINITY,
                clocks: f64::INFINITY,
                syscalls: f64::INFINITY,
                recorded: None,
            });
            continue;
        }
        let at = || format!("ipi.toml:{}: {line}", number + 1);
        let (key, value) = line.split_once('=').with_context(at)?;
        let (key, value) = (key.trim(), value.trim());
        let cell = cells.last_mut().with_context(at)?;
        let number = || value.parse::<f64>().with_context(at);
        match key {
            "args" => cell.args = value.trim_matches('"').into(),
            "limit" => cell.limit = number()?,
            "clocks" => cell.clocks = number()?,
            "syscalls" => cell.syscalls = number()?,
            "recorded" => cell.recorded = Some(number()?),
            _ => bail!("{}: no such key", at()),
        }
    }
    Ok(cells)
}

/// Returns the table with the `recorded` lines of the measured cells updated.
fn with_recorded(text: &str, measured: &BTreeMap<String, f64>) -> String {
    let mut out = String::new();
    let mut now = None;
    for line in text.lines() {
        if let Some(name) = line.trim().strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            now = measured.get(name);
        }
        let stale = now.is_some() && line.trim_start().starts_with("recorded");
        if !stale {
            out.push_str(line);
            out.push('\n');
        }
        if let (Some(value), true) = (now, line.trim_start().starts_with("limit")) {
            out.push_str(&format!("recorded = {value:.1}\n"));
        }
    }
    out
}

/// Figures of fio, which do not change with fathom's commits and are kept in the target directory.
struct FioCache {
    path: PathBuf,
    known: serde_json::Map<String, serde_json::Value>,
}

impl FioCache {
    fn load() -> Result<FioCache> {
        let path = tool::workspace().join("target/ipi-fio.json");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| "{}".into());
        Ok(FioCache { known: serde_json::from_str(&text)?, path })
    }

    fn get(&self, args: &str) -> Option<f64> {
        self.known.get(args).and_then(serde_json::Value::as_f64)
    }

    fn put(&mut self, args: &str, value: f64) -> Result<()> {
        self.known.insert(args.into(), value.into());
        Ok(std::fs::write(&self.path, serde_json::to_string_pretty(&self.known)?)?)
    }
}

fn job(args: &str, ios: u64, report: &Path) -> Vec<String> {
    let mut all = words(&format!("--name=ipi --output-format=json {args} --io_size=1t --number_ios={ios}"));
    all.push(format!("--output={}", report.display()));
    all
}

/// Returns the instructions and clock reads per I/O.
fn count(tool: &Tool, args: &str, rdtsc: &HashSet<u64>, dir: &Path) -> Result<Cost> {
    let mut seen = Vec::new();
    for ios in COUNTED {
        let profile = dir.join("callgrind.out");
        let report = dir.join("report");
        let _ = std::fs::remove_file(&report);
        let tracer = words("valgrind --tool=callgrind --dump-instr=yes --dump-line=no --compress-pos=no --compress-strings=no")
            .into_iter()
            .chain([format!("--callgrind-out-file={}", profile.display())])
            .collect::<Vec<_>>();
        let mut command = tool.command(&tracer);
        let ran = child::run(command.args(job(args, ios, &report)).current_dir(dir), LIMIT)?;
        if ran.code != Some(0) {
            bail!("{} under callgrind ended with {:?}: {}", tool.name, ran.code, ran.stderr);
        }
        check_statistics(&std::fs::read_to_string(&report)?, ios, args)?;
        seen.push(profile_counts(&std::fs::read_to_string(&profile)?, tool.program(), rdtsc)?);
    }
    let ios = (COUNTED[1] - COUNTED[0]) as f64;
    let [short, long] = [&seen[0], &seen[1]];
    let slope = |short: u64, long: u64| (long as f64 - short as f64) / ios;
    let before = |address| short.by_address.get(address).copied().unwrap_or(0);
    Ok(Cost {
        instructions: slope(short.instructions, long.instructions),
        clocks: slope(short.clocks, long.clocks),
        by_address: long.by_address.iter().map(|(at, n)| (*at, slope(before(at), *n))).collect(),
    })
}

/// Checks that all statistics were enabled: the report has as many latencies as I/Os.
fn check_statistics(report: &str, ios: u64, args: &str) -> Result<()> {
    let document = tool::document(report)?;
    let done = tool::total(&document, "total_ios");
    if done != ios as f64 {
        bail!("{done} I/Os in the report, not {ios}");
    }
    let synchronous = ["psync", "pvsync2", "mmap"].iter().any(|engine| args.contains(engine));
    for latency in ["slat_ns", "clat_ns", "lat_ns"] {
        let n = tool::total(&document, &format!("{latency}.N"));
        // fio keeps no submission latency for synchronous engines.
        if n != done && !(synchronous && latency == "slat_ns") {
            bail!("{latency} counts {n} of {done} I/Os");
        }
    }
    Ok(())
}

/// Returns the counts in a profile written by callgrind.
fn profile_counts(profile: &str, program: &Path, rdtsc: &HashSet<u64>) -> Result<Counted> {
    let program = program.canonicalize()?.display().to_string();
    let mut counted = Counted::default();
    let mut instructions = None;
    let (mut ours, mut call_cost_follows, mut clock_callee) = (false, false, false);
    for line in profile.lines() {
        if let Some(rest) = line.strip_prefix("0x") {
            if std::mem::take(&mut call_cost_follows) || !ours {
                continue;
            }
            let Some((address, cost)) = rest.split_once(' ') else { continue };
            let Ok(address) = u64::from_str_radix(address, 16) else { continue };
            let cost = cost.trim().parse::<u64>().unwrap_or(0);
            *counted.by_address.entry(address).or_default() += cost;
            if rdtsc.contains(&address) {
                counted.clocks += cost;
            }
        } else if let Some(object) = line.strip_prefix("ob=") {
            ours = object == program;
        } else if let Some(callee) = line.strip_prefix("cfn=") {
            clock_callee = callee.contains("clock_gettime") || callee.contains("gettimeofday");
        } else if let Some(calls) = line.strip_prefix("calls=") {
            call_cost_follows = true;
            if std::mem::take(&mut clock_callee) {
                counted.clocks += calls.split(' ').next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
            }
        } else if let Some(total) = line.strip_prefix("summary: ") {
            instructions = total.trim().parse().ok();
        }
    }
    counted.instructions = instructions.context("callgrind wrote no summary")?;
    Ok(counted)
}

/// Returns the addresses of the instructions that read the time-stamp counter.
fn clock_instructions(program: &Path) -> Result<HashSet<u64>> {
    let out = Command::new("objdump").args(["--disassemble", "--no-show-raw-insn"]).arg(program).output()?;
    if !out.status.success() {
        bail!("objdump: {}", String::from_utf8_lossy(&out.stderr));
    }
    let text = String::from_utf8_lossy(&out.stdout);
    Ok(text
        .lines()
        .filter(|l| l.contains("rdtsc"))
        .filter_map(|l| u64::from_str_radix(l.trim_start().split(':').next()?, 16).ok())
        .collect())
}

/// Returns the number of system calls per I/O.
fn trace(tool: &Tool, args: &str, dir: &Path) -> Result<f64> {
    let mut seen = Vec::new();
    for ios in TRACED {
        let counts = dir.join("strace.out");
        let tracer = words("strace -f -c -U name,calls -o").into_iter().chain([counts.display().to_string()]);
        let mut command = tool.command(&tracer.collect::<Vec<_>>());
        let ran = child::run(command.args(job(args, ios, &dir.join("report"))).current_dir(dir), LIMIT)?;
        if ran.code != Some(0) {
            bail!("{} under strace ended with {:?}: {}", tool.name, ran.code, ran.stderr);
        }
        let text = std::fs::read_to_string(&counts)?;
        let calls = text.lines().filter_map(|l| {
            let mut fields = l.split_whitespace();
            let name = fields.next()?;
            let calls = fields.next()?.parse::<f64>().ok()?;
            (name != "total").then_some(calls)
        });
        seen.push(calls.sum::<f64>());
    }
    Ok((seen[1] - seen[0]) / (TRACED[1] - TRACED[0]) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_reads_and_records_round_trip() {
        let text = std::fs::read_to_string(tool::workspace().join("xtask/ipi.toml")).unwrap();
        let before = cells(&text).unwrap();
        assert!(
            before.len() >= 9 && before.iter().all(|c| c.limit < 500.0 && c.clocks < 4.0 && c.syscalls < 3.0)
        );
        let measured = before.iter().map(|c| (c.name.clone(), 123.4)).collect();
        let again = with_recorded(&with_recorded(&text, &measured), &measured);
        let after = cells(&again).unwrap();
        assert!(after.iter().all(|c| c.recorded == Some(123.4)));
        assert_eq!(again.matches("recorded =").count(), before.len());
    }

    #[test]
    fn profile_counts_the_clock_where_it_runs_not_at_its_caller() {
        let program = std::env::current_exe().unwrap().canonicalize().unwrap();
        let profile = format!(
            "summary: 900\nob={}\nfn=loop\n0x10 5\n0x20 7\ncfn=clock_gettime\ncalls=3 0x99\n0x20 70\n\
             ob=/lib/other\nfn=x\n0x20 1000\n",
            program.display()
        );
        let rdtsc = HashSet::from([0x20]);
        let counted = profile_counts(&profile, &program, &rdtsc).unwrap();
        assert_eq!((counted.instructions, counted.clocks), (900, 10));
        assert_eq!(counted.by_address, BTreeMap::from([(0x10, 5), (0x20, 7)]));
    }
}
