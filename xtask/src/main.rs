//! The project's own checks: instructions per I/O (`ipi`) and fathom against Debian's fio (`oracle`).
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout)] // its tables are its purpose

mod ipi;
mod oracle;
mod tool;

use anyhow::{Result, bail};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND   (the binary is target/release/fathom, or FATHOM=path)
  ipi [--with-fio] [--record] [CELL...]   user instructions, clock reads and system calls per I/O against xtask/ipi.toml
  oracle [--jobs N] [--seed S]            drawn jobs: counts, bytes, files, text and JSON against fio
  oracle --job 'ARGS' [--seed S]          the same for one command line
  oracle --rates [--long]                 rate, Little's law and sectors on capped loop devices
  oracle --latency [--long]               percentiles on a disk with a known law, and against fio
  oracle --speed [--long] | --cpu         IOPS, CPU and memory beside fio and fio tuned, interleaved pairs";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// True when everything that was checked holds.
fn run(args: &[String]) -> Result<bool> {
    match args.first().map(String::as_str) {
        Some("ipi") => ipi::run(&args[1..]),
        Some("oracle") => oracle::run(&args[1..]),
        Some("--help" | "help") => {
            println!("{USAGE}");
            Ok(true)
        }
        Some(other) => bail!("no command {other:?}\n{USAGE}"),
        None => bail!("no command\n{USAGE}"),
    }
}
