//! `fathom explore`: how long, which block size, which depth, how many jobs.

use crate::live::{OwnWatch, print};
use crate::{fio, signal};
use lab::explore::bench::Forgetful;
use lab::explore::machine::{Machine, axis};
use lab::explore::explore;
use lab::subject::Place;
use run::consent::{Consent, Policy};
use stats::study::{Access, Question, Study, StudyAsked};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{SystemTime, UNIX_EPOCH};

/// How long, which block size, which depth, how many jobs: answered within a budget of time, with its confidence
#[derive(clap::Args)]
pub struct Arguments {
    /// Directory (a scratch file in it), file or block device; two are explored in turn. The current directory if left
    /// out. `model:servers=8;law=constant:10ms` is a simulated device
    #[arg(value_name = "TARGET", num_args = 0..=2)]
    targets: Vec<String>,
    /// Time that it may take; what that does not buy is named
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = seconds)]
    budget: f64,
    /// Patterns: BS-RW, a mix with its percent of reads (4k-randrw70), or seed001 (512 bytes at random)
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "4k-randread,4k-randwrite,64k-read,64k-write")]
    patterns: Vec<String>,
    /// Questions, in their order
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "depth,bs,runtime,jobs,span")]
    questions: Vec<String>,
    /// The whole table iodepth x numjobs beside
    #[arg(long)]
    grid: bool,
    /// A setting of the kernel's queue to vary, and be put back: read_ahead_kb, scheduler, nr_requests; or NAME=A,B,C
    #[arg(long, value_name = "SETTING")]
    axis: Option<String>,
    /// io_uring where it may be used, else libaio
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write to a file or device that fathom did not make, as far as nothing else uses it
    #[arg(long)]
    write: bool,
    /// Write to this device, whatever is on it
    #[arg(long, value_name = "DEVICE")]
    allow_destroy: Vec<PathBuf>,
    /// Write the recommended fio job file here
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    /// The study as JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let right = "give a time, like 90, 90s, 2m, 1h";
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(right.into()),
    };
    let number = number.parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0);
    number.map(|n| n * factor).ok_or_else(|| right.into())
}

/// `4k-randread`, `4k-randrw70`, `seed001`.
fn pattern(text: &str) -> Result<Vec<Access>, String> {
    if text == "seed001" {
        let access = |rw: &str| Access { rw: rw.into(), bs: 512, reads: None };
        return Ok(vec![access("randread"), access("randwrite")]);
    }
    let right = || {
        format!("--patterns: {text:?} is no pattern: BS-RW with RW one of read, write, randread, randwrite, rw70, randrw70; or seed001")
    };
    let (bs, rw) = text.split_once('-').ok_or_else(right)?;
    let number = job::unit::integer(bs, 1024).ok().filter(|n| n.rest.is_empty() && n.value >= 512);
    let bs = number.and_then(|n| u64::try_from(n.value).ok()).filter(|n| n.is_multiple_of(512)).ok_or_else(right)?;
    let name = rw.trim_end_matches(|c: char| c.is_ascii_digit());
    let reads = match &rw[name.len()..] {
        "" => None,
        percent => Some(percent.parse::<u32>().ok().filter(|p| *p <= 100).ok_or_else(right)?),
    };
    let mixes = matches!(name, "rw" | "randrw");
    if !mixes && (reads.is_some() || !matches!(name, "read" | "write" | "randread" | "randwrite")) {
        return Err(right());
    }
    Ok(vec![Access { rw: name.into(), bs, reads }])
}

fn usage(text: &str) -> i32 {
    eprintln!("fathom: {text}");
    2
}

/// Runs a study; the exit status.
pub fn main(a: Arguments) -> i32 {
    let mut patterns = Vec::new();
    for text in &a.patterns {
        match pattern(text) {
            Ok(found) => patterns.extend(found),
            Err(why) => return usage(&why),
        }
    }
    let mut questions = Vec::new();
    for text in a.questions.iter().filter(|t| !t.is_empty()) {
        match Question::ALL.into_iter().find(|q| q.name() == text.as_str()) {
            Some(question) => questions.push(question),
            None => {
                let all: Vec<&str> = Question::ALL.iter().map(|q| q.name()).collect();
                return usage(&format!("--questions: {text:?} is none of {}", all.join(", ")));
            }
        }
    }
    if a.grid && !questions.contains(&Question::Grid) {
        questions.push(Question::Grid);
    }
    let targets = if a.targets.is_empty() { vec![".".to_string()] } else { a.targets.clone() };
    let mut place = Place::here(signal::watch(), fio::patience());
    place.consent = Consent { policy: Policy::Own, allow_destroy: a.allow_destroy.clone() };
    let interrupt = place.interrupt.clone();
    let began_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
    let mut watch = OwnWatch::new();
    watch.what = "explore".into();
    let (mut machine, found) = match Machine::open(&targets, place, &mut watch) {
        Ok(opened) => opened,
        Err(e) => {
            eprintln!("fathom: {e}");
            return e.exit_code();
        }
    };
    if let Some(engine) = &a.engine {
        machine.use_engine(engine);
    }
    let axis = match a.axis.as_deref().map(|text| axis(text, &machine)).transpose() {
        Ok(axis) => axis,
        Err(why) => return usage(&format!("--axis: {why}")),
    };
    if axis.is_some() && !questions.contains(&Question::Axis) {
        questions.push(Question::Axis);
    }
    let study = Study {
        version: env!("CARGO_PKG_VERSION").into(),
        began_ms,
        asked: StudyAsked {
            targets,
            budget_s: a.budget,
            patterns,
            questions,
            seed: a.seed,
            engine: machine.engine(),
            write: a.write || !a.allow_destroy.is_empty(),
            axis,
        },
        targets: found,
        ..Study::default()
    };
    let study = explore(study, &mut machine, &mut Forgetful);
    drop(machine);
    watch.clear();
    if let Some(path) = a.job.as_ref().filter(|_| !study.recommended.is_empty())
        && let Err(e) = std::fs::write(path, &study.recommended)
    {
        eprintln!("fathom: {}: {e}", path.display());
        return 1;
    }
    print(&if a.json { report::study::json(&study) } else { report::study::render(&study, 100) });
    if interrupt.load(Relaxed) != 0 { 128 } else { i32::from(study.points.is_empty()) }
}
