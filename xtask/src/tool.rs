//! The two programs that are compared: fathom with fio's command line, and Debian's fio.
use crate::tries::Tries;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::Cgroup;
use testbed::child::{self, Ran};

/// Program with fio's command line.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Name for the tables: `fathom` or `fio`.
    pub name: &'static str,
    program: PathBuf,
    lead: Vec<String>,
}

/// Error: a tool still ran at its time limit.
#[derive(Debug)]
pub struct Overran {
    tool: &'static str,
    text: String,
}

/// Returns whether the error is that fio did not end: some jobs never end in fio 3.33, and cannot be compared.
pub fn fio_overran(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Overran>().is_some_and(|overran| overran.tool == "fio")
}

impl std::fmt::Display for Overran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Overran {}

impl Tool {
    /// Returns Debian's fio, `/usr/bin/fio`.
    pub fn fio() -> Tool {
        Tool { name: "fio", program: "/usr/bin/fio".into(), lead: Vec::new() }
    }

    /// Returns the binary under test: the path in the environment variable `FATHOM`, else the binary of profile `ci`
    /// in this workspace. `FATHOM=/usr/bin/fio` compares fio with itself, which shows that a comparison is not too
    /// strict.
    ///
    /// # Errors
    /// `FATHOM` is not set and the binary is not built.
    pub fn fathom() -> Result<Tool> {
        if let Some(path) = std::env::var_os("FATHOM") {
            let program = PathBuf::from(path);
            let itself = program.file_name().is_some_and(|n| n == "fio");
            let lead = if itself { Vec::new() } else { vec!["fio".to_string()] };
            return Ok(Tool { name: "fathom", program, lead });
        }
        Ok(Tool { name: "fathom", program: optimized()?, lead: vec!["fio".into()] })
    }

    /// Returns the command without arguments; `under` is a tracer and its options, which run the command.
    pub fn command(&self, under: &[String]) -> Command {
        let mut command = match under {
            [] => Command::new(&self.program),
            [tracer, options @ ..] => {
                let mut command = Command::new(tracer);
                command.args(options).arg(&self.program);
                command
            }
        };
        command.args(&self.lead);
        command
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Runs `fathom run --json` in `dir`, in `cgroup` if given, and returns the document. The exit status is ignored,
    /// because it may express the grade of the result.
    ///
    /// # Errors
    /// The program cannot start, exceeds `limit`, or prints no document.
    pub fn own(
        &self,
        args: &[String],
        dir: &Path,
        cgroup: Option<&Cgroup>,
        limit: Duration,
    ) -> Result<(Value, Ran)> {
        let mut command = Command::new(&self.program);
        command.args(["run", "--json"]);
        let ran = self.finish(command, "fathom run", args, dir, cgroup, limit)?;
        let found = document(&ran.stdout).with_context(|| {
            format!("fathom run {} ended with {:?}: {}", args.join(" "), ran.code, first_line(&ran.stderr))
        })?;
        Ok((found, ran))
    }

    /// Runs the tool in `dir`, in `cgroup` if given.
    ///
    /// # Errors
    /// The tool cannot start or exceeds `limit`.
    pub fn run(&self, args: &[String], dir: &Path, cgroup: Option<&Cgroup>, limit: Duration) -> Result<Ran> {
        self.finish(self.command(&[]), self.name, args, dir, cgroup, limit)
    }

    fn finish(
        &self,
        mut command: Command,
        name: &str,
        args: &[String],
        dir: &Path,
        cgroup: Option<&Cgroup>,
        limit: Duration,
    ) -> Result<Ran> {
        command.args(args).current_dir(dir);
        if let Some(cgroup) = cgroup {
            cgroup.enter(&mut command)?;
        }
        let ran = child::run(&mut command, limit)
            .with_context(|| format!("{} cannot start", self.program.display()))?;
        if ran.overran {
            let text = format!("{name} did not end within {limit:?}: {}", args.join(" "));
            return Err(Overran { tool: self.name, text }.into());
        }
        Ok(ran)
    }

    /// Runs the tool with JSON output. Returns the document.
    ///
    /// # Errors
    /// The exit status is not 0, or the output is not JSON.
    pub fn json(
        &self,
        args: &[String],
        dir: &Path,
        cgroup: Option<&Cgroup>,
        limit: Duration,
    ) -> Result<(Value, Ran)> {
        let mut all = vec!["--output-format=json".to_string()];
        all.extend_from_slice(args);
        let ran = self.run(&all, dir, cgroup, limit)?;
        if ran.code != Some(0) {
            bail!(
                "{} {} ended with {:?}: {}{}",
                self.name,
                args.join(" "),
                ran.code,
                first_line(&ran.stderr),
                first_line(&ran.stdout)
            );
        }
        let document =
            document(&ran.stdout).with_context(|| format!("JSON of {} {}", self.name, args.join(" ")))?;
        Ok((document, ran))
    }
}

/// Returns the path of the binary of profile `ci`, which compiles faster than the shipped one and has the same loop.
///
/// # Errors
/// The binary is not built.
pub fn optimized() -> Result<PathBuf> {
    let program = workspace().join("target/ci/fathom");
    if !program.exists() {
        bail!("{} is not built: cargo build --profile ci", program.display());
    }
    Ok(program)
}

/// Returns the root directory of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Returns the JSON document between the line `{` and the line `}`.
///
/// # Errors
/// No such lines, or invalid JSON between them.
pub fn document(text: &str) -> Result<Value> {
    let (json, _) = split(text).context("no line that is only { to a line that is only }")?;
    Ok(serde_json::from_str(json)?)
}

/// Splits `text` into its JSON document and the remaining text; `None` without a document.
pub fn split(text: &str) -> Option<(&str, String)> {
    let start = if text.starts_with("{\n") { 0 } else { text.find("\n{\n")? + 1 };
    let end = start + text[start..].find("\n}\n").map(|i| i + 3)?;
    Some((&text[start..end], format!("{}{}", &text[..start], &text[end..])))
}

fn first_line(text: &str) -> &str {
    text.lines().find(|l| !l.is_empty()).unwrap_or("")
}

/// Returns the number at a path such as `read.lat_ns.mean`; 0 if there is none.
pub fn number(value: &Value, path: &str) -> f64 {
    path.split('.').try_fold(value, |v, key| v.get(key)).and_then(Value::as_f64).unwrap_or(0.0)
}

/// Returns the jobs of a document.
pub fn jobs(document: &Value) -> &[Value] {
    document.get("jobs").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the sum of a figure over all jobs and directions.
pub fn total(document: &Value, key: &str) -> f64 {
    jobs(document)
        .iter()
        .flat_map(|j| ["read", "write", "trim"].map(|d| number(j, &format!("{d}.{key}"))))
        .sum()
}

/// Returns the median of the values; 0 for none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// Returns the words of a command line.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// Share of a measurement's time (0 to 1) in which tasks may wait for a CPU without an effect on a rate or a median.
/// Tail percentiles use a smaller share: a wait in one of 1000 I/Os already distorts a p99.9.
pub const STARVED: f64 = 0.2;

/// Cell of a table of measurements, after up to [`crate::tries::TRIES`] tries.
pub struct Measured {
    /// Line of the cell in the last try.
    pub line: String,
    /// Whether a try passed.
    pub fine: bool,
    /// Whether in every try a task waited for a CPU for at least the given share of the time.
    pub starved: bool,
}

/// Measures one cell, after the earlier `tries`, until a try passes, and prints the failed tries. A busy machine is
/// recognized by the kernel's count of the time in which a task waited for a CPU: a tool that wakes late, or a throttle
/// or simulated disk whose threads do, reflects other load.
///
/// # Errors
/// The closure `measure` failed.
pub fn measured(
    name: &str,
    mut tries: Tries,
    starved_share: f64,
    mut measure: impl FnMut() -> Result<(String, bool)>,
) -> Result<Measured> {
    let mut last = Measured { line: String::new(), fine: false, starved: true };
    while tries.unfinished() {
        let (before, began) = (starved(), Instant::now());
        let (line, fine) = measure()?;
        let share = match (before, starved()) {
            (Some(before), Some(after)) => (after - before).as_secs_f64() / began.elapsed().as_secs_f64(),
            _ => 0.0,
        };
        tries.record(if fine {
            Ok(())
        } else {
            Err(format!("{line}; a task waited for a processor {:.1} %", share * 100.0))
        });
        last = Measured { line, fine, starved: last.starved && share >= starved_share };
    }
    if let Some(report) = tries.report(name) {
        println!("{report}");
    }
    Ok(last)
}

/// Returns the time since boot in which at least one task waited for a CPU; `None` without PSI.
pub fn starved() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|l| l.starts_with("some "))?;
    let total = some.split_whitespace().find_map(|word| word.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}
