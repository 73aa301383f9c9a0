//! What must hold for any input: shared by the fuzz targets and the replay of their corpus.

use crate::common::{Memory, Shelf};
use job::plan::FileKind;
use job::{Dialect, Parsed, command_line, plan};
use std::ffi::OsString;

/// A machine on which any file named is the same one.
fn machine(text: &[u8]) -> Memory {
    let mut memory = Memory::default();
    memory.files.insert("j.fio".into(), text.to_vec());
    memory.files.insert("-".into(), text.to_vec());
    memory.files.insert("good.inc".into(), b"iodepth=3\nbs=8k\n".to_vec());
    memory.env.insert("HOME".into(), "/root".into());
    memory
}

/// Parses; a run is planned too, unless it is a large one. An error explains itself and ends with status 1.
fn check(args: &[OsString], text: &[u8]) {
    for dialect in [Dialect::Fio, Dialect::Run] {
        match command_line(args, "fio", dialect, &mut machine(text)) {
            Ok(Parsed::Run(command)) => {
                assert!(!command.jobs.is_empty() && !command.switches.formats.is_empty());
                let clones: u64 = command
                    .jobs
                    .iter()
                    .map(|job| u64::from(job.numjobs) * u64::from(job.target.nrfiles))
                    .sum();
                if clones > 1000 {
                    continue;
                }
                let mut shelf = Shelf::of(&[
                    ("/dev/sda", FileKind::Block, 1 << 40),
                    ("old", FileKind::Regular, 12345),
                    ("zero", FileKind::Char, 0),
                ]);
                let jobs = command.jobs;
                let names: Vec<String> = jobs.iter().map(|job| job.name.clone()).collect();
                jobs.iter().for_each(|job| drop(job::banner(job)));
                match plan(jobs, &mut shelf) {
                    Ok(plan) => {
                        for file in plan.clones.iter().flat_map(|clone| &clone.files) {
                            assert!(file.start.saturating_add(file.length) <= file.size, "{file:?}");
                        }
                    }
                    Err(error) => assert!(names.contains(&error.job), "{error:?}"),
                }
            }
            Ok(Parsed::Print { code, .. }) => assert!((0..=1).contains(&code)),
            Ok(Parsed::Calibrate | Parsed::Inflate(_)) => {}
            Err(error) => assert!(error.code == 1 && !error.diagnostics.is_empty(), "{error:?}"),
        }
    }
}

/// Bytes as a job file.
pub fn job_file(text: &[u8]) {
    check(&["j.fio".into()], text);
    check(&["--showcmd".into(), "j.fio".into()], text);
    check(&["--parse-only".into(), "--section=a".into(), "-".into()], text);
}

/// Lines as words of a command line.
pub fn argv(words: &[u8]) {
    let words: Vec<OsString> = String::from_utf8_lossy(words).split('\n').map(OsString::from).collect();
    check(&words, b"[b]\nsize=8k\nrw=randwrite\n");
}
