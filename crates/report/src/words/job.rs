//! Errors and remarks about job files and command lines in words.

use crate::Lang;
use crate::catalog::{say, word};
use crate::fio_messages;
use crate::words::path_fault::path_fault;
use crate::words::values::bad_value;
use job::Diagnostic;
use stats::plan_error::{PlanError, PlanFault};

/// Text for both streams of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
}

/// Returns what is printed about a command line and its job files.
pub fn diagnostics(lang: Lang, diagnostics: &[Diagnostic]) -> Printed {
    let mut printed = Printed::default();
    for one in diagnostics {
        diagnostic(lang, one, &mut printed);
    }
    printed
}

/// Returns the part for standard error in one line.
pub(crate) fn diagnostics_line(lang: Lang, list: &[Diagnostic]) -> String {
    diagnostics(lang, list).stderr.lines().collect::<Vec<_>>().join("; ")
}

fn diagnostic(lang: Lang, diagnostic: &Diagnostic, to: &mut Printed) {
    match diagnostic {
        Diagnostic::Value(value) => {
            let fio = fio_messages::refused_value(value);
            let why = bad_value(lang, &value.bad);
            to.stdout += &fio.stdout;
            to.stderr += &fio.stderr;
            to.stderr += &format!("{}: {}: {why}\n", value.place, value.typed);
        }
        Diagnostic::Text { stdout, stderr } => {
            to.stdout += stdout;
            to.stderr += stderr;
        }
    }
}

/// Returns the lines for standard error about jobs that cannot be planned: fio's, then ours.
pub fn plan_error(lang: Lang, error: &PlanError) -> String {
    let fio = fio_messages::plan_error(error, |fault| path_fault(Lang::En, fault));
    let why = plan_fault(lang, &error.fault);
    format!("{fio}{}\n", say!(lang, "job-named", name = error.job, why))
}

/// Returns the same in one line.
pub(crate) fn plan_error_line(lang: Lang, error: &PlanError) -> String {
    plan_error(lang, error).lines().collect::<Vec<_>>().join("; ")
}

fn plan_fault(lang: Lang, fault: &PlanFault) -> String {
    match fault {
        PlanFault::TooManyClones { clones, most } => say!(lang, "job-plan-clones", clones, most),
        PlanFault::TooManyFiles { files, most } => say!(lang, "job-plan-files", files, most),
        PlanFault::Path { path, fault } => {
            say!(lang, "job-plan-path", path, why = path_fault(lang, fault))
        }
        PlanFault::FillWithoutSize => word!(lang, "job-plan-fill-without-size").into(),
        PlanFault::MmapAppends => word!(lang, "job-plan-mmap-appends").into(),
        PlanFault::NoSize { path } => say!(lang, "job-plan-no-size", path),
        PlanFault::OffsetBeyondEnd { path, start, end } => {
            say!(lang, "job-plan-offset", path, start, end)
        }
        PlanFault::NoBlock { total, block } => say!(lang, "job-plan-no-block", total, block),
        PlanFault::SequenceBlock { path, blocks, .. } => {
            say!(lang, "job-plan-sequence", path, last = blocks.saturating_sub(1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::failure::Failure;
    use stats::plan_error::PathFault;

    fn said(fault: PlanFault) -> String {
        plan_error(Lang::En, &PlanError { job: "a".into(), fault })
    }

    /// fio's lines come first and word for word; ours is the last line.
    #[test]
    fn plan_errors_in_english() {
        let path = || "/x".into();
        let stat = |fault| PlanFault::Path { path: path(), fault };
        let cases = [
            (
                PlanFault::TooManyClones { clones: 70_000, most: 65_536 },
                "error: maximum number of jobs reached.\njob a: 70000 clones so far; at most 65536\n",
            ),
            (
                PlanFault::TooManyFiles { files: 2_000_000, most: 1_048_576 },
                "job a: numjobs times nrfiles is 2000000 files so far; at most 1048576\n",
            ),
            (
                stat(PathFault::Errno(rustix::io::Errno::ACCESS.raw_os_error())),
                "fio: pid=0, err=13/file:plan.rs, func=stat, error=Permission denied (os error 13)\njob a: /x: cannot be looked at: Permission denied (os error 13)\n",
            ),
            (
                stat(PathFault::NoBlockDevice),
                "fio: pid=0, err=5/file:plan.rs, func=stat, error=filetype=block, and it is no block device\njob a: /x: cannot be looked at: filetype=block, and it is no block device\n",
            ),
            (
                stat(PathFault::Other("entity not found".into())),
                "fio: pid=0, err=5/file:plan.rs, func=stat, error=entity not found\njob a: /x: cannot be looked at: entity not found\n",
            ),
            (PlanFault::FillWithoutSize, "job a: fill_device: random writes need size=, e.g. size=1t\n"),
            (
                PlanFault::MmapAppends,
                "fio: can't append/extent with IO engine mmap\njob a: ioengine=mmap cannot make a file longer, as file_append=1 does; use e.g. ioengine=psync\n",
            ),
            (
                PlanFault::NoSize { path: path() },
                "a: you need to specify size=\nfio: pid=0, err=22/file:plan.rs, func=total_file_size, error=Invalid argument\njob a: /x is missing or empty, and its size is not known; right would be e.g. size=64m\n",
            ),
            (
                PlanFault::OffsetBeyondEnd { path: path(), start: 8, end: 4 },
                "a: you need to specify valid offset=\njob a: offset 8 is beyond the 4 bytes of /x\n",
            ),
            (
                PlanFault::NoBlock { total: 100, block: 4096 },
                "fio: blocksize is larger than data set range\njob a: 100 bytes from offset on hold no block of 4096 bytes\n",
            ),
            (
                PlanFault::SequenceBlock { path: path(), block: 9, blocks: 4 },
                "fio: sequence access block 9 in base pattern out of bounds (max 4) for file /x\njob a: random_distribution=sequence: /x has blocks 0 to 3\n",
            ),
        ];
        for (fault, text) in cases {
            assert_eq!(said(fault), text);
        }
    }

    /// A study stores the error as data, and reads the plain text of older studies.
    #[test]
    fn stored_plan_error_is_read_back() {
        let fault = PlanFault::Path { path: "/x".into(), fault: PathFault::NoBlockDevice };
        let stored = Failure::Plan(PlanError { job: "a".into(), fault });
        let text = serde_json::to_string(&stored).unwrap_or_default();
        assert_eq!(serde_json::from_str::<Failure>(&text).ok(), Some(stored));
        let older = serde_json::from_str::<Failure>("\"job a: too large\"").ok();
        assert_eq!(older, Some(Failure::Text("job a: too large".into())));
    }
}
