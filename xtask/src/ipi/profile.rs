//! Instructions per I/O by source function, also for functions that were inlined (docs/loop.md).

use super::Cost;
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Smallest number of instructions per I/O with which a function has a row of its own.
const LEAST: f64 = 0.5;
/// File whose functions are a load and a store each; their instructions count for the callers.
const COUNTER: &str = "stats/src/counter.rs";

/// Prints the instructions per I/O by file and function.
///
/// # Errors
///
/// addr2line fails.
pub fn print(program: &Path, cost: &Cost) -> Result<()> {
    // Tiny counts are of instructions that start-up executed a different number of times in the two runs.
    let executed: Vec<(u64, f64)> =
        cost.by_address.iter().map(|(at, n)| (*at, *n)).filter(|(_, n)| *n > 0.001).collect();
    let places = places(program, executed.iter().map(|(at, _)| *at))?;
    let mut rows: BTreeMap<&str, f64> = BTreeMap::new();
    for (at, n) in &executed {
        *rows.entry(places.get(at).map_or("?", String::as_str)).or_default() += n;
    }
    let small: f64 = rows.values().filter(|n| **n < LEAST).sum();
    for (place, n) in rows.iter().filter(|(_, n)| **n >= LEAST) {
        println!("    {n:>8.1}  {place}");
    }
    let all: f64 = rows.values().sum();
    println!("    {small:>8.1}  functions with less than {LEAST} each");
    println!("    {:>8.1}  outside the program: libraries", cost.instructions - all);
    Ok(())
}

/// Returns the innermost function of fathom that contains each address, with its file.
fn places(program: &Path, addresses: impl Iterator<Item = u64>) -> Result<BTreeMap<u64, String>> {
    let mut child = Command::new("addr2line")
        .args(["--addresses", "--functions", "--inlines", "--demangle", "--exe"])
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run addr2line")?;
    let mut input = child.stdin.take().context("addr2line has no input")?;
    let wanted: String = addresses.map(|at| format!("{at:#x}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(wanted.as_bytes()));
    let out = child.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("the writer panicked"))??;
    Ok(read(&String::from_utf8_lossy(&out.stdout)))
}

/// Parses the output of addr2line: an address, then pairs of lines with a function and its place, from the innermost
/// outward.
fn read(text: &str) -> BTreeMap<u64, String> {
    let mut all: Vec<(u64, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        let address = line.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
        match (address, all.last_mut()) {
            (Some(address), _) => all.push((address, Vec::new())),
            (None, Some((_, frames))) => frames.push(line),
            (None, None) => {}
        }
    }
    all.into_iter().map(|(at, frames)| (at, place(&frames))).collect()
}

fn place(frames: &[&str]) -> String {
    let outermost = frames.iter().rev().nth(1).copied().unwrap_or("?");
    for frame in frames.chunks_exact(2) {
        let (name, line) = (frame[0], frame[1]);
        // The sources of the standard library contain a folder of this name as well.
        let ours = line.rsplit_once("crates/").filter(|_| !line.starts_with("/rustc/"));
        let Some(file) = ours.and_then(|(_, file)| file.split(':').next()).filter(|file| *file != COUNTER)
        else {
            continue;
        };
        // At the start of an inlined function, addr2line prints the path of the symbol instead of the function's name.
        let name = without_types(name);
        let known = frames.len() == 2 || !name.contains("::");
        return if known { format!("{file} {}", last(&name)) } else { file.to_string() };
    }
    last(&without_types(outermost)).to_string()
}

/// Returns the path of a function without type parameters.
fn without_types(name: &str) -> String {
    let mut depth = 0;
    let outside = name.chars().filter(|c| {
        depth += i32::from(*c == '<');
        let keep = depth == 0;
        depth -= i32::from(*c == '>');
        keep
    });
    outside.collect()
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_belongs_to_the_innermost_function_of_ours() {
        let text = "0x0000000000000010\nrun::passes::run\n/rustc/library/crates/core/src/cmp.rs:1\nadd\n\
                    /a/crates/stats/src/counter.rs:9\nreap<false>\n/a/crates/engine/src/uring.rs:7\nstep<X>\n\
                    /a/crates/run/src/drive.rs:3\n0x0000000000000020\nrun::passes::run\n\
                    /a/crates/run/src/slots.rs:4\nstep<X>\n/a/crates/run/src/drive.rs:3\n\
                    0x0000000000000030\nrun::<impl w::W<E>>::fill\n/a/crates/run/src/drive.rs:5\n\
                    0x0000000000000040\nmain\n??:0\n";
        let expected = ["engine/src/uring.rs reap", "run/src/slots.rs", "run/src/drive.rs fill", "main"];
        assert_eq!(read(text).into_values().collect::<Vec<_>>(), expected);
    }
}
