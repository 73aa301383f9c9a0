//! Runs tests that depend on time alone, one at a time, each up to three times: those named `measures_*`, which measure time or
//! rates, and those that exceeded a time limit beside other tests.

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

/// Texts in the message of a test whose child exceeded its time limit (`testbed::Bounded`, `testbed::child`).
const EXCEEDED: [&str; 3] = ["still running after", "overran: true", "kind: TimedOut"];

/// Runs `measures [--long] [WORD]`: the tests whose names contain the word, with `--long` also the ignored ones; or
/// `measures --again LOG`: the tests that failed in this output of `cargo test`.
///
/// # Errors
/// The tests do not compile, or a test program cannot start.
pub fn run(args: &[String]) -> Result<Tally> {
    let (mut long, mut word) = (false, "");
    if let [switch, log] = args
        && switch == "--again"
    {
        return again(Path::new(log));
    }
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
            finish(&measure, Tries::default(), &mut tally)?;
        }
    }
    Ok(tally)
}

/// Tries a test until it passes or has failed three times, and prints the verdict.
fn finish(measure: &Measure, mut tries: Tries, tally: &mut Tally) -> Result<()> {
    let began = Instant::now();
    while tries.unfinished() {
        tries.record(attempt(measure)?);
    }
    let verdict = tally.add(tries.passed());
    println!("{verdict:<4} {} ({:.1} s)", measure.name, began.elapsed().as_secs_f64());
    if let Some(line) = tries.report(&measure.name) {
        println!("{line}");
    }
    Ok(())
}

/// Tries the failed tests of a log of `cargo test` alone, if a child exceeded its time limit: beside other tests a machine can be
/// slower than the limit allows for. A test that failed for another reason has failed.
fn again(log: &Path) -> Result<Tally> {
    let text = std::fs::read_to_string(log).with_context(|| format!("measures: {}", log.display()))?;
    let programs = programs()?;
    let mut tally = Tally::default();
    for (name, message) in failed(&text) {
        let mut found = None;
        for program in &programs {
            if listed(program, &[])?.contains(&name) {
                found = Some(Measure { program, name: name.clone(), ignored: false });
            }
        }
        match found {
            Some(test) if EXCEEDED.iter().any(|text| message.contains(text)) => {
                let mut tries = Tries::default();
                tries.record(Err(panic_message(&message).unwrap_or_default()));
                finish(&test, tries, &mut tally)?;
            }
            _ => println!("{:<4} {name}", tally.add(false)),
        }
    }
    Ok(tally)
}

/// Returns the names of the failed tests in a log of `cargo test`, and what each printed.
fn failed(log: &str) -> Vec<(String, String)> {
    const END: &str = " stdout ----\n";
    let heads = log.match_indices("---- ").filter(|(at, _)| *at == 0 || log.as_bytes()[at - 1] == b'\n');
    heads
        .filter_map(|(at, head)| {
            let rest = &log[at + head.len()..];
            let (name, told) = rest.split_once(END).filter(|(name, _)| !name.contains('\n'))?;
            let end = told.find("\n---- ").or_else(|| told.find("\nfailures:\n")).unwrap_or(told.len());
            Some((name.to_owned(), told[..end].to_owned()))
        })
        .collect()
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
    let all = listed(program, &[])?.into_iter();
    let all = all.filter(|name| name.rsplit("::").next().is_some_and(|last| last.starts_with(PREFIX)));
    Ok(all.map(|name| Measure { program, ignored: ignored.contains(&name), name }).collect())
}

fn listed(program: &Program, args: &[&str]) -> Result<Vec<String>> {
    let ran = command(program, &["--list", "--format", "terse"]).args(args).output()?;
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
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
    fn failed_tests_of_a_log_are_named_with_what_each_printed() {
        let log = "test a::b ... FAILED\ntest c ... ok\n\nfailures:\n\n---- a::b stdout ----\nthread panicked at x.rs:1:\n\
                   still running after 60s\n\n---- d stdout ----\nleft: 1\n\nfailures:\n    a::b\n    d\n";
        let found = failed(log);
        assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a::b", "d"]);
        assert!(found[0].1.contains("still running after 60s") && !found[0].1.contains("left"));
        assert!(found[1].1.contains("left: 1") && !found[1].1.contains("failures"));
    }

    #[test]
    fn panic_is_quoted_with_its_place_and_without_the_backtrace() {
        let stderr = "thread 'rates::measures_x' panicked at crates/cli/tests/a.rs:3:5:\nassertion failed: 473\n\
                      stack backtrace:\n   0: std\n";
        assert_eq!(panic_message(stderr).unwrap(), "crates/cli/tests/a.rs:3:5: assertion failed: 473");
        assert_eq!(panic_message("killed"), None);
    }
}
