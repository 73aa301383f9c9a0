//! Development tools of the workspace: instructions per I/O (`ipi`), comparison with Debian's fio (`oracle`),
//! correctness of findings (`trust`) and of explore (`laws`), comparison of charts (`plots`), and generated files.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout)] // its tables are its purpose

mod dice;
mod documents;
mod generate;
mod ipi;
mod laws;
mod measures;
mod oracle;
mod plots;
mod seeds;
mod tool;
mod tries;
mod trust;
#[cfg(test)]
mod workspace_rules;

use anyhow::{Result, bail};
use std::process::ExitCode;

/// Number of checks that passed, and that failed.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
}

impl Tally {
    /// Counts one check. Returns the word for its line.
    fn add(&mut self, fine: bool) -> &'static str {
        if fine {
            self.passed += 1;
            "ok"
        } else {
            self.failed += 1;
            "FAIL"
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

const USAGE: &str = "\
usage: cargo xtask COMMAND   (the binary is target/ci/fathom, or FATHOM=path)
  generate                                man pages, completions, docs/options.md and docs/compat.md, from the declared commands
                                          and the option table
  ipi [--with-fio] [--record] [CELL...]   user instructions, clock reads and system calls per I/O against xtask/ipi.toml
  ipi --profile CELL                      the same, and the functions that the instructions are in
  measures [--long] [WORD]                the tests called measures_*, one at a time, each up to three times
  measures --again LOG                    the tests of this log of cargo test that exceeded a time limit, in the same way
  oracle [--jobs N] [--seed S]            drawn jobs: counts, bytes, files, text and JSON against fio
  oracle --seed S --nth N                 the Nth of these jobs alone, with the trace that it replays
  oracle --job 'ARGS' [--seed S]          the same for one command line
  oracle --cases, --case NAME             the same for the jobs of crates/job/cases.txt, which docs/compat.md names
  oracle --regions N [--seed S]           drawn jobs over files of known content: which bytes change, against fio
  oracle --region 'FILE=BYTES ARGS'       the same for one job
  oracle --examples [DIR]                 job files, by default those of Debian's fio-examples: which parse as with fio
  oracle --shrunk [DIR]                   the same job files, run on small files against fio
  oracle --rates [--long]                 rate, Little's law and sectors on capped loop devices
  oracle --latency [--long]               percentiles on a disk with a known law, and against fio
  oracle --pace                           steadystate, latency_target, flow and thinktime beside fio on capped loop devices
  oracle --speed [--long] | --cpu         IOPS, CPU and memory beside fio and fio tuned, interleaved pairs
  oracle --matrix [WORDS]                 every engine, block size and direction, cached, direct and on a loop device: never slower than fio
  trust [--runs N] [--seed S] [--only SCENARIO]  planted mistakes, drawn anew: which does fathom find, where does it cry wolf
  trust --clean [--runs N]                healthy devices, drawn anew: grade A, or B for a reason that outsiders saw
  trust --metamorphic                     the same run without its cause loses that finding; another name changes none
  laws [--seeds N] [--seed S] [--only LAW] [--show]  does explore find what is true of simulated devices?
  laws --slo [--seeds N] [--seed S] [--budget SECONDS] [--only LAW [--to LAW]] [--show]  are explore's rates for latency goals safe?
  laws --caps [--seeds N] [--seed S] [--only LAW] [--show]  does explore name caps, and only caps?
  laws --noisy [--seeds N] [--seed S] [--only LAW] [--show]  has the first question a true answer on noisy devices?
  laws --points, --changes [--seeds N] [--seed S] [--only LAW] [--show]  do intervals of points hold the rate? are changes told?
  laws --cost                             what explore's choice loses and takes against seed 000's list of cells
  plots [--write]                         the same files drawn by fio-plot, fio2gnuplot and us; --write: docs/plots.md
  seeds DIRECTORY                         docs/audit-of-the-seeds.md: what fathom audit says about the seeds
  trust --proof                           only whether the causes are there, by outside witnesses";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(tally) => {
            // scripts/test adds up these lines.
            println!("xtask result: {} passed; {} failed", tally.passed, tally.failed);
            if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<Tally> {
    match args.first().map(String::as_str) {
        Some("generate") => generate::run(&args[1..]),
        Some("ipi") => ipi::run(&args[1..]),
        Some("oracle") => oracle::run(&args[1..]),
        Some("laws") => laws::run(&args[1..]),
        Some("measures") => measures::run(&args[1..]),
        Some("plots") => plots::run(&args[1..]),
        Some("seeds") => seeds::run(&args[1..]),
        Some("trust") => trust::run(&args[1..]),
        Some("--help" | "help") => {
            println!("{USAGE}");
            Ok(Tally::default())
        }
        Some(other) => bail!("no command {other:?}\n{USAGE}"),
        None => bail!("no command\n{USAGE}"),
    }
}
