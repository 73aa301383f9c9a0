//! Runs the tests named `measures_*`, which measure time or rates: one at a time, each up to three times.

use crate::Tally;
use crate::tries::Tries;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testbed::child;

/// Prefix of the names of tests that measure.
const PREFIX: &str = "measures_";
/// Time limit of one try.
const LIMIT: Duration = Duration::from_secs(120);
/// Time limit of one try of a test of the long tier.
const LONG_LIMIT: Duration = Duration::from_secs(900);
/// Number of characters quoted from a failed try.
const QUOTED: usize = 300;

struct Program {
    path: PathBuf,
    /// Directory of the package, which cargo sets as the working directory of its tests.
    package: PathBuf,
}

/// Test that measures time or rates.
struct Measure<'a> {
    program: &'a Program,
    name: String,
    ignored: bool,
}

/// Runs `measures [--long] [WORD]`: the tests whose names contain the word, with `--long` also the ignored ones.
///
/// # Errors
/// The tests do not compile, or a test program cannot start.
pub fn run(args: &[String]) -> Result<Tally> {
    let (mut long, mut word) = (false, "");
    for arg in args {
        match arg.as_str() {
            "--long" => long = true,
            other if other.starts_with('-') => bail!("measures: no option {other}; see cargo xtask help"),
            other => word = other,
        }
    }
    let programs = programs()?;
    let mut tally = Tally::default();
    for program in &programs {
        for measure in measures(program)? {
            if !measure.name.contains(word) || measure.ignored && !long {
                continue;
            }
            let began = Instant::now();
            let mut tries = Tries::default();
            while tries.unfinished() {
                tries.record(attempt(&measure)?);
            }
            let verdict = tally.add(tries.passed());
            println!("{verdict:<4} {} ({:.1} s)", measure.name, began.elapsed().as_secs_f64());
            if let Some(line) = tries.report(&measure.name) {
                println!("{line}");
            }
        }
    }
    Ok(tally)
}

/// Returns the test programs of the workspace; cargo compiles those that are missing.
fn programs() -> Result<Vec<Program>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--workspace", "--no-run", "--quiet", "--message-format=json"]);
    let built = command
        .current_dir(crate::tool::workspace())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !built.status.success() {
        bail!("measures: cargo test --no-run failed");
    }
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&built.stdout).lines() {
        let message: Value =
            serde_json::from_str(line).context("measures: a message of cargo is not JSON")?;
        let (Some(path), Some(manifest)) =
            (message["executable"].as_str(), message["manifest_path"].as_str())
        else {
            continue;
        };
        if message["profile"]["test"] == true {
            let package = Path::new(manifest).parent().unwrap_or(Path::new("/")).to_owned();
            programs.push(Program { path: path.into(), package });
        }
    }
    Ok(programs)
}

/// Returns the tests of a program that measure.
fn measures(program: &Program) -> Result<Vec<Measure<'_>>> {
    let ignored: HashSet<String> = listed(program, &["--ignored"])?.into_iter().collect();
    let all = listed(program, &[])?;
    Ok(all.into_iter().map(|name| Measure { program, ignored: ignored.contains(&name), name }).collect())
}

fn listed(program: &Program, args: &[&str]) -> Result<Vec<String>> {
    let ran = command(program, &["--list", "--format", "terse"]).args(args).output()?;
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    Ok(text
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .filter(|name| name.rsplit("::").next().is_some_and(|last| last.starts_with(PREFIX)))
        .map(str::to_owned)
        .collect())
}

fn command(program: &Program, args: &[&str]) -> Command {
    let mut command = Command::new(&program.path);
    command.args(args).current_dir(&program.package).env("CARGO_MANIFEST_DIR", &program.package);
    command.stdin(Stdio::null());
    command
}

/// Runs a test once. The inner result has the message of a failed test.
fn attempt(measure: &Measure) -> Result<Result<(), String>> {
    let mut test = command(measure.program, &["--exact", &measure.name, "--nocapture", "--test-threads=1"]);
    if measure.ignored {
        test.arg("--ignored");
    }
    let limit = if measure.ignored { LONG_LIMIT } else { LIMIT };
    let ran = child::run(&mut test, limit)?;
    for line in ran.stdout.lines().filter(|line| line.starts_with("SKIP ")) {
        println!("{line}");
    }
    if ran.code == Some(0) {
        return Ok(Ok(()));
    }
    if ran.overran {
        return Ok(Err(format!("did not end within {} s", limit.as_secs())));
    }
    Ok(Err(panic_message(&ran.stderr)
        .unwrap_or_else(|| format!("ended with {:?}, signal {:?}", ran.code, ran.signal))))
}

/// Returns the place and the first lines of a panic.
fn panic_message(stderr: &str) -> Option<String> {
    let from = stderr.find("panicked at ")? + "panicked at ".len();
    let told = stderr[from..]
        .lines()
        .take_while(|line| !line.starts_with("stack backtrace") && !line.starts_with("note: "));
    let joined = told.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    Some(joined.chars().take(QUOTED).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_is_quoted_with_its_place_and_without_the_backtrace() {
        let stderr = "thread 'rates::measures_x' panicked at crates/cli/tests/a.rs:3:5:\nassertion failed: 473\n\
                      stack backtrace:\n   0: std\n";
        assert_eq!(panic_message(stderr).unwrap(), "crates/cli/tests/a.rs:3:5: assertion failed: 473");
        assert_eq!(panic_message("killed"), None);
    }
}
