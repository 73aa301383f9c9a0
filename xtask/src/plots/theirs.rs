//! Runs fio-plot, bench-fio and fio2gnuplot, and extracts the values that they draw.

use crate::tool::workspace;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use testbed::Sandbox;
use testbed::child::{self, Ran};

/// Script that prints the data drawn by fio-plot.
const ASK: &str = include_str!("ask.py");

/// Python with fio-plot, and a scratch directory.
pub struct Theirs {
    python: PathBuf,
    /// Directory of fio-plot's packages, if they are not installed for this Python.
    packages: Option<PathBuf>,
    scratch: Sandbox,
}

/// Figures that fio2gnuplot computes from the logs of a directory.
pub struct Gnuplot {
    /// Files in the order of fio2gnuplot.
    pub files: Vec<PathBuf>,
    /// Minimum, average, maximum and standard deviation of each file.
    pub figures: [Vec<f64>; 4],
    /// Minimum, average, maximum and standard deviation over all files.
    pub global: [f64; 4],
    /// Values drawn for the first file.
    pub first: Vec<f64>,
}

impl Theirs {
    /// Finds fio-plot: as installed by `scripts/test --long`, or in the directory `FIO_PLOT` (`pip install --target`).
    ///
    /// # Errors
    /// fio-plot is not installed.
    pub fn find() -> Result<Theirs> {
        let installed = workspace().join("target/fio-plot/bin/python");
        let packages = std::env::var_os("FIO_PLOT").map(PathBuf::from);
        let python = if packages.is_some() { PathBuf::from("python3") } else { installed };
        if packages.is_none() && !python.exists() {
            bail!(
                "no fio-plot: scripts/test --long installs it, or FIO_PLOT=DIR names what pip install --target made"
            );
        }
        let scratch = Sandbox::new()?;
        scratch.put("ask.py", ASK)?;
        Ok(Theirs { python, packages, scratch })
    }

    fn python(&self, dir: &Path) -> Command {
        let mut command = Command::new(&self.python);
        command.current_dir(dir).env("MPLCONFIGDIR", self.scratch.path()).env("MPLBACKEND", "Agg");
        if let Some(packages) = &self.packages {
            command.env("PYTHONPATH", packages);
        }
        command
    }

    /// Makes a tree of results with bench-fio: reads and a mix on a file of this name.
    pub fn bench(&self, place: &Sandbox, file: &str, out: &str, depths: &[u32], jobs: &[u32]) -> Result<()> {
        let target = place.file(file, 16 << 20)?;
        let words = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>();
        let mut command = self.python(place.path());
        command.args(["-c", "import bench_fio; bench_fio.main()", "-t", "file", "-s", "16m", "-e", "psync"]);
        command.arg("-d").arg(&target).arg("-o").arg(place.join(out));
        command.args(["-m", "randread", "randrw", "--rwmixread", "75", "--destructive", "--direct", "0"]);
        command
            .args(["--runtime", "1", "--time-based", "--loginterval", "100", "--iodepth"])
            .args(words(depths));
        command.arg("--numjobs").args(words(jobs));
        let ran = child::run(&mut command, Duration::from_secs(180))?;
        anyhow::ensure!(ran.code == Some(0), "bench-fio: {}{}", ran.stdout, ran.stderr);
        Ok(())
    }

    /// Returns the data drawn by fio-plot, as passed to its function `key`; or the error of the program.
    pub fn plot(
        &self,
        dirs: &[&PathBuf],
        rw: &str,
        side: &str,
        args: &str,
        key: &str,
    ) -> Result<Value, String> {
        let ran = self.plotted(dirs, rw, side, args).map_err(|e| e.to_string())?;
        let drawn = ran.stdout.lines().filter_map(|l| l.strip_prefix("DRAWN "));
        let mut values = drawn.filter_map(|l| serde_json::from_str::<Value>(l).ok());
        match values.find_map(|mut v| v.get_mut(key).map(Value::take)) {
            Some(value) if ran.code == Some(0) => Ok(value),
            _ => Err(end(&ran)),
        }
    }

    /// Runs fio-plot and returns its output, also if it fails.
    pub fn plotted(&self, dirs: &[&PathBuf], rw: &str, side: &str, args: &str) -> Result<Ran> {
        let mut command = self.python(self.scratch.path());
        command.arg("ask.py").arg("-i").args(dirs).args(["-T", "t", "-r", rw, "-f", side, "-o", "drawn.png"]);
        command.args(args.split_whitespace());
        Ok(child::run(&mut command, Duration::from_secs(60))?)
    }

    /// Runs fio2gnuplot in a directory with copies of the logs of one kind.
    pub fn gnuplot(&self, dir: &Path, flag: &str, kind: &str) -> Result<Gnuplot> {
        let place = Sandbox::new()?;
        let mut files = Vec::new();
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            if name.contains(&format!("_{kind}.")) {
                std::fs::copy(&path, place.join(&name))?;
                files.push(path);
            }
        }
        files.sort();
        let ran = child::run(
            Command::new("fio2gnuplot").current_dir(place.path()).args([flag, "-o", "drawn", "-k", "-v"]),
            Duration::from_secs(60),
        )?;
        anyhow::ensure!(ran.code == Some(0), "fio2gnuplot: {}{}", ran.stdout, ran.stderr);
        let read = |name: &str| std::fs::read_to_string(place.join(name)).with_context(|| name.to_string());
        // Each line has the number of a file and its value; the file's name is in the line above.
        let column = |ending: &str| -> Result<Vec<f64>> {
            let text = read(&format!("drawn.{ending}"))?;
            let mut values = Vec::new();
            for line in text.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_digit())) {
                values.push(line.split_whitespace().nth(1).context("no value")?.parse()?);
            }
            Ok(values)
        };
        let global = read("drawn.global")?;
        let of = |key: &str| -> Result<f64> {
            let line = global.lines().find_map(|l| l.strip_prefix(&format!("{key}=")));
            Ok(line.with_context(|| format!("no {key} in {global}"))?.trim().parse()?)
        };
        let drawn = read("gnuplot_temp_file.0")?;
        let values = drawn.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
        let first = values.filter_map(|l| l.split_whitespace().last()?.parse().ok()).collect();
        Ok(Gnuplot {
            files,
            figures: [column("min")?, column("average")?, column("max")?, column("stddev")?],
            global: [of("min")?, of("avg")?, of("max")?, of("stddev")?],
            first,
        })
    }
}

/// Returns a description of how a failed program ended, in one line.
pub fn end(ran: &Ran) -> String {
    let text = if ran.stderr.trim().is_empty() { &ran.stdout } else { &ran.stderr };
    let last = text.lines().map(str::trim).rfind(|l| !l.is_empty() && !l.starts_with("DRAWN"));
    let last: String = last.unwrap_or("nothing said").chars().take(70).collect();
    let word = if ran.stderr.contains("Traceback") { "crashes" } else { "ends" };
    format!("{word}: `{}`", last.replace('|', "/"))
}

/// Returns all numbers of a value, in its order.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(n) => n.as_f64().into_iter().collect(),
        Value::Array(all) => all.iter().flat_map(numbers).collect(),
        Value::Object(all) => all.values().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

/// Returns the values of a drawn line, in the unit of the source.
pub fn line(drawn: &Value, side: &str) -> Vec<f64> {
    let read = &drawn["dataset"][0][side];
    let label = read["ylabel"].as_str().unwrap_or_default();
    // fio-plot divides the log's values (KiB/s or ns) by a factor that the label of the axis shows.
    let scale = match label {
        "GB/s" => 1_048_576.0,
        "MB/s" => 1024.0,
        "Latency (ms)" => 1e6,
        l if l.starts_with("Latency") && !l.contains("ns") => 1e3,
        _ => 1.0,
    };
    numbers(&read["yvalues"]).iter().map(|v| v * scale).collect()
}
