//! Comparison of what job files do: every job file of a directory, such as fio's examples, runs on small files in both
//! programs. What needs a device, much room or much time is replaced.

use super::draw::{Drawn, fixed, value};
use super::{compare, side_by_side};
use crate::Tally;
use crate::tool::{Tool, fio_overran};
use anyhow::{Context as _, Result};
use std::path::Path;

/// Engines that need a device, a library or a server.
const ENGINES: [&str; 22] = [
    "io_uring_cmd",
    "sg",
    "e4defrag",
    "mtd",
    "dev-dax",
    "pmemblk",
    "libzbc",
    "rdma",
    "libcufile",
    "libhipfile",
    "dfs",
    "gfapi",
    "libhdfs",
    "libblkio",
    "xnvme",
    "rbd",
    "rados",
    "http",
    "nbd",
    "nfs",
    "libiscsi",
    "filecreate",
];
/// Options that are left out: they need a device, a service or time, or refer to files that are not there.
const LEFT_OUT: [&str; 26] = [
    "directory",
    "time_based",
    "ramp_time",
    "startdelay",
    "start_delay",
    "exec_prerun",
    "exec_postrun",
    "cgroup",
    "cgroup_weight",
    "cgroup_nodelete",
    "numa_cpu_nodes",
    "numa_mem_policy",
    "mem",
    "iomem",
    "hugepage-size",
    "ioscheduler",
    "uid",
    "gid",
    "cpus_allowed",
    "cpumask",
    "lockmem",
    "replay_redirect",
    "opendir",
    "steadystate",
    "ss",
    "sqthread_poll_cpu",
];

/// Returns the job file with small files and short times, or why it does not run.
fn shrunk(text: &str) -> Result<String, String> {
    let sized = text.lines().any(|line| line.trim().starts_with("size"));
    let mut lines = if sized { Vec::new() } else { vec!["[global]".to_string(), "size=1m".into()] };
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with("include ") {
            return Err("includes a file".into());
        }
        let (key, given) = line.split_once('=').map_or((line, ""), |(key, value)| (key.trim(), value.trim()));
        if line.starts_with('[') {
            lines.push(line.to_string());
            continue;
        }
        if key == "ioengine" && ENGINES.iter().any(|engine| given.split(':').next() == Some(*engine)) {
            return Err(format!("ioengine={given}"));
        }
        if key == "read_iolog" || key == "zonemode" && given == "zbd" || key.starts_with("verify_state_load")
        {
            return Err(line.to_string());
        }
        let most = |most: u64| given.parse::<u64>().map_or(most, |number| number.min(most)).to_string();
        let value = match key {
            _ if LEFT_OUT.contains(&key) => continue,
            "size" => "1m".into(),
            "filesize" => "256k".into(),
            "io_size" | "io_limit" => "1m".into(),
            "offset" | "offset_increment" => "64k".into(),
            "filename" if given.contains(':') => "one:two".into(),
            "filename" => "target".into(),
            "runtime" => "5".into(),
            "numjobs" => most(2),
            "loops" => most(2),
            "nrfiles" => most(4),
            "thinktime" => "1000".into(),
            "zonesize" => "64k".into(),
            "zonerange" => "128k".into(),
            "zoneskip" => "64k".into(),
            _ => given.to_string(),
        };
        lines.push(if line.contains('=') { format!("{key}={value}") } else { line.to_string() });
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}

/// Returns the options of each job of a job file, those of `[global]` first.
fn sections(text: &str) -> Vec<Vec<(String, String)>> {
    let mut global = Vec::new();
    let mut jobs: Vec<Vec<(String, String)>> = Vec::new();
    let mut in_global = true;
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('[') {
            in_global = line == "[global]";
            if !in_global {
                jobs.push(global.clone());
            }
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = if key == "readwrite" { "rw" } else { key };
        let of = if in_global { Some(&mut global) } else { jobs.last_mut() };
        of.unwrap_or(&mut Vec::new()).push((key.to_string(), value.to_string()));
    }
    jobs
}

pub(super) fn run(fathom: &Tool, fio: &Tool, dir: &Path) -> Result<Tally> {
    // A single file is shown as it runs.
    let one = dir.is_file();
    let mut paths = if one {
        vec![dir.to_owned()]
    } else {
        let entries =
            std::fs::read_dir(dir).with_context(|| format!("{}: fio-examples is needed", dir.display()))?;
        entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?
    };
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "fio"));
    paths.sort();
    let mut tally = Tally::default();
    let mut jobs = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match shrunk(&String::from_utf8_lossy(&std::fs::read(&path)?)) {
            Ok(text) => {
                if one {
                    println!("{text}");
                }
                let sections = sections(&text);
                let law = sections.iter().map(|options| fixed(options)).reduce(|a, b| a.both(b));
                let mut job = Drawn::given("");
                // Options are looked up by name only: the last of several jobs counts.
                job.options = sections.concat();
                job.fixed = law.unwrap_or(job.fixed);
                job.timed = value(&job.options, "latency_target").is_some();
                (job.raw, job.in_file) = (Some(text), true);
                jobs.push((name, job));
            }
            Err(why) => println!("n/a  {name}: {why}"),
        }
    }
    let found = side_by_side(&jobs, 2, |(_, job)| compare(fathom, fio, job));
    for ((name, _), problems) in jobs.iter().zip(found) {
        match problems {
            Err(e) if fio_overran(&e) => println!("n/a  {name}: {e}"),
            problems => {
                let problems = problems?;
                println!("{:4} {name}", tally.add(problems.is_empty()));
                problems.iter().take(8).for_each(|problem| println!("     {problem}"));
            }
        }
    }
    println!("oracle: {} files do what they do in fio, {} do not", tally.passed, tally.failed);
    Ok(tally)
}
