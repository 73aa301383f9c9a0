//! The two programs that are compared, `fathom fio` and Debian's fio, and functions on their results.
use crate::tries::Tries;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::Cgroup;
use testbed::child::{self, Ran};

/// A program that accepts fio's command line.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Name in tables: `fathom` or `fio`.
    pub name: &'static str,
    program: PathBuf,
    lead: Vec<String>,
}

/// Error of a tool that did not end within its time limit, with the message.
#[derive(Debug)]
pub struct Overran(String);

impl std::fmt::Display for Overran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Overran {}

impl Tool {
    /// Returns Debian's fio, the reference.
    pub fn fio() -> Tool {
        Tool { name: "fio", program: "/usr/bin/fio".into(), lead: Vec::new() }
    }

    /// Returns the binary under test: `FATHOM`, else the binary of profile `ci` in this workspace.
    /// `FATHOM=/usr/bin/fio` compares fio with itself, which shows that a comparison is not too strict.
    ///
    /// # Errors
    /// The binary is not built.
    pub fn fathom() -> Result<Tool> {
        if let Some(path) = std::env::var_os("FATHOM") {
            let program = PathBuf::from(path);
            let itself = program.file_name().is_some_and(|n| n == "fio");
            let lead = if itself { Vec::new() } else { vec!["fio".to_string()] };
            return Ok(Tool { name: "fathom", program, lead });
        }
        Ok(Tool { name: "fathom", program: optimized()?, lead: vec!["fio".into()] })
    }

    /// Returns the command without arguments. If `under` is not empty, it is a tracer with its options that runs the
    /// command.
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

    /// Returns the path of the binary.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Runs `fathom run --json` in the directory `dir` and, if given, in `cgroup`; returns the document. The exit
    /// status is ignored, because it may be about the quality of the result.
    ///
    /// # Errors
    /// The command did not start, ran longer than `limit`, or printed no document.
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

    /// Runs the tool in the directory `dir` and, if given, in `cgroup`.
    ///
    /// # Errors
    /// The tool did not start, or ran longer than `limit` ([`Overran`]).
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
            return Err(Overran(format!("{name} did not end within {limit:?}: {}", args.join(" "))).into());
        }
        Ok(ran)
    }

    /// Runs the tool with JSON output and returns the document.
    ///
    /// # Errors
    /// As for [`Tool::run`]; also if the exit status is not 0 or the output contains no document.
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

/// Returns the path of the binary of profile `ci`, which compiles fast and has the same optimized loop as the shipped
/// one.
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

/// Parses the JSON between the lines `{` and `}` of an output.
pub fn document(text: &str) -> Result<Value> {
    let (json, _) = split(text).context("no line that is only { to a line that is only }")?;
    Ok(serde_json::from_str(json)?)
}

/// Returns the JSON in `text`, and `text` without it; `None` if there is none.
pub fn split(text: &str) -> Option<(&str, String)> {
    let start = if text.starts_with("{\n") { 0 } else { text.find("\n{\n")? + 1 };
    let end = start + text[start..].find("\n}\n").map(|i| i + 3)?;
    Some((&text[start..end], format!("{}{}", &text[..start], &text[end..])))
}

fn first_line(text: &str) -> &str {
    text.lines().find(|l| !l.is_empty()).unwrap_or("")
}

/// Returns the number at a path such as `read.lat_ns.mean`; 0 if absent.
pub fn number(value: &Value, path: &str) -> f64 {
    path.split('.').try_fold(value, |v, key| v.get(key)).and_then(Value::as_f64).unwrap_or(0.0)
}

/// Returns the jobs of a document; empty if it has none.
pub fn jobs(document: &Value) -> &[Value] {
    document.get("jobs").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the sum of the figure `key` over all jobs and directions.
pub fn total(document: &Value, key: &str) -> f64 {
    jobs(document)
        .iter()
        .flat_map(|j| ["read", "write", "trim"].map(|d| number(j, &format!("{d}.{key}"))))
        .sum()
}

/// Returns the median; 0 without values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// Splits a command line at white space.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// Share of a measurement during which CPUs may be short without an effect on rates and medians. For a tail percentile
/// the share is that of the tail: one wait in a thousand affects the p99.9.
pub const STARVED: f64 = 0.2;

/// Result of one cell of a measured table, after up to [`crate::tries::TRIES`] tries.
pub struct Measured {
    /// Line of the last try.
    pub line: String,
    /// Whether a try passed.
    pub fine: bool,
    /// Whether in every try some task waited for a CPU for at least the given share of the time.
    pub starved: bool,
}

/// Measures one cell until a try passes, counting the earlier `tries`, and prints failed tries. Whether the machine was
/// busy with other work is determined from the kernel's count of the time in which a task waited for a CPU (PSI): late
/// wake-ups of a tool, or of the threads of a simulated disk, would change the result.
///
/// # Errors
/// Those of `measure`.
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

/// Returns the time since boot during which some task of the machine waited for a CPU (PSI); `None` without PSI.
pub fn starved() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|l| l.starts_with("some "))?;
    let total = some.split_whitespace().find_map(|word| word.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}
