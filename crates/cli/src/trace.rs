//! `fathom trace`: the profile of a trace of I/O, a job file with this profile, and the trace as fio's text.

use crate::output::print;
use crate::terminal;
use ::report::{Lang, trace as words};
use job::plan::Inspect;
use job::trace::{ConvertError, IOLOG_HEAD, JOB_HEAD, convert, profile, synthetic_job};
use run::output::{self, OutputError};
use run::prepare::Host;
use stats::output_fault::OutputFault;
use stats::trace_fault::{TraceFault, TraceFaultKind};
use std::io::{BufRead, BufWriter};
use std::path::{Path, PathBuf};

/// Show the profile of an I/O trace, or make a job with it
///
/// The profile: mix, block sizes, order, working set, arrivals.
#[derive(clap::Args)]
pub struct Arguments {
    /// fio's iolog (version 2 or 3), blktrace binary, or CSV of the MSR Cambridge, Alibaba, Tencent CBS or SYSTOR '17
    /// collection, also compressed with gzip; `-` is standard input
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Read only the I/Os of this volume of a CSV trace
    #[arg(long, value_name = "NAME")]
    volume: Option<String>,
    /// Write a job file with the profile of the trace, for fathom and fio; `-` is standard output
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    /// Convert the trace to fio's iolog, version 3
    #[arg(long, value_name = "FILE")]
    iolog: Option<PathBuf>,
    /// Print the profile as JSON
    #[arg(long)]
    json: bool,
}

/// Reason why the command failed, as a line for the user, and the exit status.
struct Failure {
    line: String,
    status: i32,
}

impl Failure {
    fn of_trace(lang: Lang, path: &Path, fault: &TraceFault) -> Self {
        let shown = path.display().to_string();
        Failure { line: ::report::words::trace::fault_of_file(lang, &shown, fault), status: 1 }
    }

    fn of_output(lang: Lang, e: &OutputError) -> Self {
        Failure { line: ::report::words::run::output_error(lang, e), status: e.exit_code() }
    }
}

/// Runs `fathom trace` and returns the exit status: 1 if the trace cannot be read.
pub fn main(lang: Lang, a: &Arguments) -> i32 {
    match examine(lang, a) {
        Ok(()) => 0,
        Err(Failure { line, status }) => {
            eprintln!("fathom trace: {line}");
            status
        }
    }
}

fn open(lang: Lang, path: &Path) -> Result<(PathBuf, Box<dyn BufRead>), Failure> {
    Host.open_trace(path).map_err(|e| {
        let kind = TraceFaultKind::Unreadable { errno: e.raw_os_error().unwrap_or(0) };
        Failure::of_trace(lang, path, &TraceFault { at: 0, kind })
    })
}

fn examine(lang: Lang, a: &Arguments) -> Result<(), Failure> {
    let volume = a.volume.as_deref();
    let (again, trace) = open(lang, &a.trace)?;
    let found = profile(trace, volume).map_err(|fault| Failure::of_trace(lang, &a.trace, &fault))?;
    let to_output = a.job.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if a.json {
        print(&words::json(&found));
    } else if !to_output {
        print(&words::render(lang, &a.trace.display().to_string(), &found, terminal::width()));
    }
    if let Some(path) = &a.job {
        let job = synthetic_job(&found);
        for note in [words::trims_left_out(lang, &found), words::files_joined(lang, &found)].iter().flatten()
        {
            eprintln!("fathom trace: {note}");
        }
        if to_output {
            print(&job);
        } else {
            check(lang, path, &again, JOB_HEAD.as_bytes())?;
            output::write(path, job.as_bytes()).map_err(|e| Failure::of_output(lang, &e))?;
        }
    }
    if let Some(path) = &a.iolog {
        check(lang, path, &again, IOLOG_HEAD)?;
        let file = output::open(path).map_err(|e| Failure::of_output(lang, &e))?;
        let (_, trace) = open(lang, &again)?;
        let device = |major, minor| Some(Host.device(major, minor)?.display().to_string());
        convert(trace, volume, &mut BufWriter::new(file), device).map_err(|e| match e {
            ConvertError::Trace(fault) => Failure::of_trace(lang, &a.trace, &fault),
            ConvertError::Output(e) => Failure::of_output(lang, &output::failed(path, &e)),
        })?;
    }
    Ok(())
}

/// Checks that the output is neither the trace itself nor another text of the user.
fn check(lang: Lang, path: &Path, trace: &Path, head: &[u8]) -> Result<(), Failure> {
    output::check_against(path, [trace], OutputFault::ReportSource)
        .and_then(|()| output::check_begins(path, head))
        .map_err(|e| Failure::of_output(lang, &e))
}
