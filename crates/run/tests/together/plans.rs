//! Plans for tests: a job with fio's defaults, in which a test changes the options that it tests.
#![allow(dead_code)]

use facts::SysRoot;
use job::files::NoFiles;
use job::job::*;
use job::plan::{FileKind, Inspect, Layout, Plan, PlannedFile, PlannedJob};
use job::{Dialect, Parsed};
use run::Setup;
use run::consent::{Consent, Policy};
use run::prepare::Host;
use std::path::Path;
use std::time::Duration;

/// Returns a psync job of 4k blocks with fio's defaults.
pub fn job(name: &str, mix: Mix) -> Job {
    let args = [format!("--name={name}"), "--percentile_list=99".into()].map(Into::into);
    let mut job = match job::command_line(&args, "fio", Dialect::Fio, &mut NoFiles) {
        Ok(Parsed::Run(line)) => line.jobs.into_iter().next().unwrap(),
        other => panic!("{other:?}"),
    };
    job.pattern = PatternSpec { mix, random_map: true, ..job.pattern };
    job.target.overwrite = false;
    job
}

/// Returns a file of `size` bytes with the layout of fio's rules.
pub fn file(job: &Job, path: &Path, size: u64) -> PlannedFile {
    let look = Host.inspect(path).unwrap();
    let layout = match look.kind {
        FileKind::Regular if look.size >= size && look.exists => Layout::Keep,
        FileKind::Regular if job.target.create_on_open => Layout::OnOpen,
        FileKind::Regular if job.pattern.mix.has(stats::Direction::Read) || job.target.overwrite => {
            Layout::Write
        }
        FileKind::Regular => Layout::Reserve,
        _ => Layout::Keep,
    };
    let size = if look.kind == FileKind::Block { look.size } else { size };
    PlannedFile { path: path.into(), kind: look.kind, size, start: 0, length: size, layout }
}

/// Returns a plan of one job with one clone on these files.
pub fn plan(job: Job, files: Vec<PlannedFile>) -> Plan {
    let io_bytes = files.iter().map(|f| f.length).sum();
    Plan {
        jobs: vec![job],
        clones: vec![PlannedJob {
            job: 0,
            clone: 0,
            seed: 7,
            files,
            interleave: None,
            io_bytes,
            lays_out_late: false,
            replay: None,
        }],
    }
}

/// Returns the setup of a run: the machine, the rules of `policy`, and a patience of five seconds.
pub fn setup(policy: Policy) -> Setup {
    Setup {
        root: SysRoot::machine(),
        consent: Consent::new(policy, Vec::new()),
        interrupt: Default::default(),
        all_histograms: false,
        inputs: Vec::new(),
        idleness: false,
        patience: Duration::from_secs(5),
        window: stats::Series::WINDOW,
        models: Default::default(),
        allowance: None,
        gate: None,
    }
}
