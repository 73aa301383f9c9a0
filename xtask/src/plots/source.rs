//! Numbers in fio's files, read without the code that draws them: by serde_json and by splitting lines.

use anyhow::{Context as _, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Figures of one cell of the grid in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub iops: f64,
    pub bytes_per_second: f64,
    pub mean_ns: f64,
    /// Mean completion latency, nanoseconds.
    pub clat_ns: f64,
}

/// Results of one directory, by iodepth and numjobs.
pub struct Source(BTreeMap<(u32, u32), Cell>);

pub fn json(path: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let begin = text.find("{\n").context("no JSON")?;
    Ok(serde_json::from_str(&text[begin..])?)
}

impl Source {
    /// Reads the files `MODE-DEPTH-JOBS.json` of a directory, in the direction `side`.
    pub fn of_tree(dir: &Path, side: &str) -> Result<Source> {
        let mut cells = BTreeMap::new();
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.extension().is_none_or(|e| e != "json") {
                continue;
            }
            let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            let numbers: Vec<u32> = stem.split('-').skip(1).filter_map(|n| n.parse().ok()).collect();
            let document = json(&path)?;
            let jobs = document["jobs"].as_array().context("no jobs")?;
            let sum = |f: &dyn Fn(&Value) -> f64| jobs.iter().map(|j| f(&j[side])).sum::<f64>();
            let number = |v: &Value| v.as_f64().unwrap_or(f64::NAN);
            let n = sum(&|s| number(&s["lat_ns"]["N"]));
            let cell = Cell {
                iops: sum(&|s| number(&s["iops"])),
                bytes_per_second: sum(&|s| number(&s["bw_bytes"])),
                mean_ns: sum(&|s| number(&s["lat_ns"]["mean"]) * number(&s["lat_ns"]["N"])) / n,
                clat_ns: sum(&|s| number(&s["clat_ns"]["mean"]) * number(&s["clat_ns"]["N"])) / n,
            };
            cells.insert((numbers[0], numbers[1]), cell);
        }
        Ok(Source(cells))
    }

    pub fn cell(&self, depth: u32, jobs: u32) -> Result<Cell> {
        self.0.get(&(depth, jobs)).copied().with_context(|| format!("no cell {depth} x {jobs}"))
    }
}

/// Returns the shares of fio's latency ranges of the first job, percent.
pub fn ranges(path: &Path) -> Result<Vec<f64>> {
    let document = json(path)?;
    let job = &document["jobs"][0];
    let of = |key: &str| {
        job[key].as_object().into_iter().flatten().filter_map(|(_, v)| v.as_f64()).collect::<Vec<_>>()
    };
    Ok(["latency_ns", "latency_us", "latency_ms"].into_iter().flat_map(of).collect())
}

pub fn clat_p99(path: &Path) -> Result<f64> {
    json(path)?["jobs"][0]["read"]["clat_ns"]["percentile"]["99.000000"].as_f64().context("no p99")
}

/// Returns time in milliseconds and value of the log's lines in one direction.
pub fn samples(path: &Path, direction: u32) -> Result<Vec<[f64; 2]>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut out = Vec::new();
    for line in text.lines() {
        let columns: Vec<&str> = line.split(", ").collect();
        if columns[2].parse::<u32>()? == direction {
            out.push([columns[0].parse()?, columns[1].parse()?]);
        }
    }
    Ok(out)
}

/// Figures over all lines of several files.
pub struct Figures {
    pub min: f64,
    pub mean: f64,
    pub max: f64,
    pub stddev: f64,
}

pub fn figures(paths: &[&PathBuf], direction: u32) -> Result<Figures> {
    let mut values = Vec::new();
    for path in paths {
        values.extend(samples(path, direction)?.iter().map(|s| s[1]));
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square = values.iter().map(|v| v * v).sum::<f64>() / n;
    values.sort_by(f64::total_cmp);
    let ends = values.first().zip(values.last()).context("no line")?;
    // Two passes: the difference of two squares would lose digits.
    let stddev = (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt();
    anyhow::ensure!(stddev * stddev <= square, "a deviation beyond the values");
    Ok(Figures { min: *ends.0, mean, max: *ends.1, stddev })
}

/// Returns the values of a log over time. The values of a single job are returned as logged. For several jobs, each
/// sample counts for every millisecond since the previous one, the jobs are combined for each millisecond (rates are
/// added, latencies weighted by IOPS), and each step is averaged.
pub fn over_time(logs: &[PathBuf], iops: &[PathBuf], kind: &str, direction: u32) -> Result<Vec<f64>> {
    let read = |paths: &[PathBuf]| paths.iter().map(|p| samples(p, direction)).collect::<Result<Vec<_>>>();
    let (values, weights) = (read(logs)?, read(iops)?);
    if let [one] = &values[..] {
        return Ok(one.iter().map(|s| s[1]).collect());
    }
    // Step: the median distance between lines, of the job with the largest.
    let usual = |rows: &Vec<[f64; 2]>| {
        let mut apart: Vec<f64> = rows.windows(2).map(|w| w[1][0] - w[0][0]).collect();
        apart.sort_by(f64::total_cmp);
        apart.get(apart.len() / 2).copied().unwrap_or(0.0)
    };
    let step = values.iter().map(usual).fold(0.0, f64::max) as usize;
    let end = values.iter().filter_map(|r| r.last()).map(|s| s[0]).fold(0.0, f64::max) as usize;
    anyhow::ensure!(step > 0, "no step");
    let at = |rows: &[[f64; 2]], ms: usize| rows.iter().find(|s| s[0] >= ms as f64).map(|s| s[1]);
    let mut out = Vec::new();
    let mut begin = 0;
    while begin < end {
        let cell = begin + 1..=(begin + step).min(end);
        // Mean of a job over the milliseconds of the step for which it has a sample.
        let mean = |rows: &[[f64; 2]]| {
            let known: Vec<f64> = cell.clone().filter_map(|ms| at(rows, ms)).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        let (mut sum, mut weight, mut any) = (0.0, 0.0, false);
        for (rows, rates) in values.iter().zip(&weights) {
            let Some(value) = mean(rows) else { continue };
            let w = if kind == "lat" { mean(rates).unwrap_or(0.0) } else { 1.0 };
            (sum, weight, any) = (sum + value * w, weight + w, true);
        }
        // Without any rate, as after the last line of the rates, the weights are unknown.
        if any && weight > 0.0 {
            out.push(if kind == "lat" { sum / weight } else { sum });
        }
        begin += step;
    }
    Ok(out)
}
