//! Texts for errors and remarks about job files and command lines.

use crate::Lang;
use crate::catalog::{say, word};
use crate::fio_messages;
use crate::words::path_fault::path_fault;
use crate::words::shell;
use crate::words::trace::trace_fault;
use crate::words::values::bad_value;
use job::Diagnostic;
use job::diagnostic::{IncludeFault, OptionFault, ProfileFault, SwitchFault};
use job::job_fault::JobFault;
use job::nvme::NvmeFault;
use job::spec::Place;
use job::sprandom::SprandomFault;
use job::zoned::ZonedFault;
use stats::plan_error::{PlanError, PlanFault};

/// Text for standard output and standard error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// Text for standard output.
    pub stdout: String,
    /// Text for standard error.
    pub stderr: String,
}

/// Returns the messages about a command line and its job files.
pub fn diagnostics(lang: Lang, diagnostics: &[Diagnostic]) -> Printed {
    let mut printed = Printed::default();
    for one in diagnostics {
        diagnostic(lang, one, &mut printed);
    }
    printed
}

/// Returns the messages about the command line of `fathom run`, which has a sentence of its own about a word that is no job
/// file.
pub fn diagnostics_of_run(lang: Lang, diagnostics: &[Diagnostic]) -> Printed {
    let mut printed = Printed::default();
    for one in diagnostics {
        match one {
            Diagnostic::JobFile { name, why } => {
                let text = match job::remote::target_options(name) {
                    Some(options) => say!(
                        lang,
                        "job-remote-target",
                        name,
                        options = shell::line(options.iter().map(String::as_str))
                    ),
                    None => say!(lang, "job-file-or-target", name, why),
                };
                printed.stderr += &format!("fathom run: {text}\n");
            }
            other => diagnostic(lang, other, &mut printed),
        }
    }
    printed
}

/// Returns the command that fills a target on a server; `None` for other targets. The consent is the user's to add.
pub(crate) fn fill_command(target: &str, size: Option<&str>) -> Option<String> {
    let mut options = vec!["fathom".to_owned(), "run".into(), "--name=fill".into()];
    options.extend(job::remote::target_options(target)?);
    options.extend(["--rw=write".into(), "--bs=1m".into(), "--iodepth=4".into(), "--refill_buffers".into()]);
    options.extend(size.map(|size| format!("--size={size}")));
    Some(shell::line(options.iter().map(String::as_str)))
}

/// Returns the messages for standard error on one line.
pub(crate) fn diagnostics_line(lang: Lang, list: &[Diagnostic]) -> String {
    diagnostics(lang, list).stderr.lines().collect::<Vec<_>>().join("; ")
}

/// Appends the messages about one diagnostic: fio's lines, then fathom's.
fn diagnostic(lang: Lang, diagnostic: &Diagnostic, to: &mut Printed) {
    to.stderr += &fio_messages::diagnostic(diagnostic);
    to.stdout += &fio_messages::diagnostic_stdout(diagnostic).unwrap_or_default();
    let ours = match diagnostic {
        Diagnostic::Value(value) => {
            let fio = fio_messages::refused_value(value);
            to.stdout += &fio.stdout;
            to.stderr += &fio.stderr;
            at(lang, &value.place, &value.typed, &bad_value(lang, &value.bad))
        }
        Diagnostic::NoJobs { usage } => {
            to.stdout += usage;
            return;
        }
        Diagnostic::Word { .. }
        | Diagnostic::ForeignOption { .. }
        | Diagnostic::SectionDropped { .. }
        | Diagnostic::TooManyJobs
        | Diagnostic::RandomMapOff
        | Diagnostic::TimeBasedIgnored
        | Diagnostic::NoCommand { .. }
        | Diagnostic::NoEngine { .. }
        | Diagnostic::FilesFound { .. } => return,
        Diagnostic::Job { job, option, typed, fault } => {
            let why = job_fault(lang, fault);
            match typed {
                Some(typed) => at(lang, &typed.0, &typed.1, &why),
                None => say!(lang, "job-named", name = job, why = format!("{option}: {why}")),
            }
        }
        Diagnostic::JobPerTarget { jobs } => {
            say!(lang, "job-one-per-target", targets = jobs.len(), jobs = jobs.join(", "))
        }
        Diagnostic::Corrected { argv0, line } => say!(lang, "job-did-you-mean", program = argv0, line),
        Diagnostic::Switch { name, value, fault } => match switch_fault(lang, name, value, fault) {
            Some(line) => line,
            None => return,
        },
        Diagnostic::Option { place, option, fault } => match fault {
            OptionFault::NotBuilt => at(lang, place, option, word!(lang, "job-not-built")),
            OptionFault::Needs(what) => at(lang, place, option, &say!(lang, "job-needs", what)),
            OptionFault::CommandLineOnly => at(lang, place, option, word!(lang, "job-command-line-only")),
            OptionFault::OtherEngine(engines) => {
                let (place, engines) = (at_place(lang, place), either(lang, engines));
                say!(lang, "job-other-engine", place, option, engines)
            }
            OptionFault::OtherProfile(profiles) => {
                let (place, profiles) = (at_place(lang, place), either(lang, profiles));
                say!(lang, "job-other-profile", place, option, profiles)
            }
        },
        Diagnostic::UnknownOption { place, option, .. } => {
            at(lang, place, option, word!(lang, "job-unknown-option"))
        }
        Diagnostic::WaitFor { job, waitee, .. } => {
            say!(lang, "job-named", name = job, why = say!(lang, "job-wait-for", waitee))
        }
        Diagnostic::RampSizes { job: (name, bytes), other: (other, theirs) } => {
            say!(lang, "job-named", name, why = say!(lang, "job-ramp-sizes", other, theirs, name, bytes))
        }
        Diagnostic::SteadyStates { job: name, other } => {
            say!(lang, "job-named", name, why = say!(lang, "job-steady-states", other))
        }
        Diagnostic::Opendir { place, option, .. } => at(lang, place, option, word!(lang, "job-opendir")),
        Diagnostic::JobFile { name, why } => say!(lang, "job-file", name, why),
        Diagnostic::OutsideSection { place, text } => {
            at(lang, place, text, word!(lang, "job-outside-section"))
        }
        Diagnostic::Include { place, file, fault } => {
            let why = match fault {
                IncludeFault::TooMany { most } => say!(lang, "job-include-many", most),
                IncludeFault::TooDeep { most } => say!(lang, "job-include-deep", most),
                IncludeFault::Unreadable(why) => why.clone(),
            };
            at(lang, place, &format!("include {file}"), &why)
        }
        Diagnostic::SectionInIncluded { place, name } => {
            at(lang, place, &format!("[{name}]"), word!(lang, "job-section-in-included"))
        }
        Diagnostic::NoValue { option, example } => {
            let why = match *example {
                "" => word!(lang, "job-no-value").into(),
                example => say!(lang, "job-no-value-example", option, example),
            };
            typed(lang, &format!("{option}="), &why)
        }
        Diagnostic::ProfileSize { value } => {
            typed(lang, &format!("--size={value}"), word!(lang, "job-profile-size"))
        }
        Diagnostic::Profile { name, fault } => {
            let why = match fault {
                ProfileFault::NotBuilt => word!(lang, "job-not-built"),
                ProfileFault::Unknown => word!(lang, "job-profile-unknown"),
                ProfileFault::NoDevices => word!(lang, "job-profile-no-devices"),
                ProfileFault::OtherJobs => word!(lang, "job-profile-other-jobs"),
            };
            typed(lang, &format!("--profile={name}"), why)
        }
    };
    to.stderr += &ours;
    to.stderr.push('\n');
}

/// Returns the correct use of an option of a job.
fn job_fault(lang: Lang, fault: &JobFault) -> String {
    match fault {
        JobFault::NamesUnderReadonly { engine } => say!(lang, "job-readonly-names", engine),
        JobFault::ProgramUnderReadonly { program } => say!(lang, "job-readonly-program", program),
        JobFault::MovesNoBytes { engine } => say!(lang, "job-moves-no-bytes", engine),
        JobFault::BelowLeast(least) => say!(lang, "job-at-least", least),
        JobFault::AboveMost(most) => say!(lang, "job-at-most", most),
        JobFault::MinimumAboveRate { rate, .. } => say!(lang, "job-at-most", most = rate),
        JobFault::Excludes(options) => say!(lang, "job-excludes", options = either(lang, options)),
        JobFault::WorkingSetTooLarge { dedupe, .. } => {
            say!(lang, "job-working-set-large", most = 100 - dedupe, dedupe)
        }
        JobFault::AtomicEngine { engine } => say!(lang, "job-atomic-engine", engine),
        JobFault::OffloadEngine { engine } => say!(lang, "job-offload-engine", engine),
        JobFault::PartOfPage { page } => say!(lang, "job-part-of-page", page),
        JobFault::NoSkip { rw } => say!(lang, "job-no-skip", rw),
        JobFault::SizeBelowBlock { block, .. } => say!(lang, "job-size-below-block", block),
        JobFault::WritesUnderReadonly => word!(lang, "job-readonly-writes").into(),
        JobFault::CheckInterval => word!(lang, "job-check-interval").into(),
        JobFault::NoClock => word!(lang, "job-no-clock").into(),
        JobFault::IssueTimeAlone => word!(lang, "job-issue-time").into(),
        JobFault::WorkingSetWithoutSize => word!(lang, "job-working-set-size").into(),
        JobFault::WorkingSetOfFiles { .. } => word!(lang, "job-working-set-files").into(),
        JobFault::RemoteWithout { option, example } => say!(lang, "job-remote-without", option, example),
        JobFault::OneHead => word!(lang, "job-one-head").into(),
        JobFault::OffloadPolled => word!(lang, "job-offload-polled").into(),
        JobFault::NetDirection => word!(lang, "job-net-direction").into(),
        JobFault::NetListens => word!(lang, "job-net-listens").into(),
        JobFault::NetPortOfUnix => word!(lang, "job-net-port-of-unix").into(),
        JobFault::NetWithoutPort => word!(lang, "job-net-without-port").into(),
        JobFault::NetWithoutHost => word!(lang, "job-net-without-host").into(),
        JobFault::NetWithoutPath => word!(lang, "job-net-without-path").into(),
        JobFault::NetHostOfReceiver => word!(lang, "job-net-host-of-receiver").into(),
        JobFault::ZonesNotStrided => word!(lang, "job-zones-not-strided").into(),
        JobFault::AccessFiles => word!(lang, "job-access-files").into(),
        JobFault::Sprandom(fault) => sprandom_fault(lang, *fault).into(),
        JobFault::Zoned(fault) => zoned_fault(lang, *fault),
        JobFault::Nvme(fault) => nvme_fault(lang, fault),
        JobFault::StridedWithoutSize => word!(lang, "job-strided-size").into(),
        JobFault::VerifyWithoutPattern => word!(lang, "job-verify-without-pattern").into(),
        JobFault::VerifyUnaligned => word!(lang, "job-verify-unaligned").into(),
        JobFault::VerifyWithoutData { engine } => say!(lang, "job-verify-without-data", engine),
        JobFault::VerifyBlockTooSmall { interval, least } => {
            say!(lang, "job-verify-block-too-small", interval, least)
        }
        JobFault::StandardStream => word!(lang, "job-standard-stream").into(),
    }
}

fn sprandom_fault(lang: Lang, fault: SprandomFault) -> &'static str {
    match fault {
        SprandomFault::NotRandomWrites => word!(lang, "job-sprandom-writes"),
        SprandomFault::OtherGenerator => word!(lang, "job-sprandom-generator"),
        SprandomFault::SeveralBlockSizes => word!(lang, "job-sprandom-blocks"),
        SprandomFault::SeveralFiles => word!(lang, "job-sprandom-files"),
        SprandomFault::OverProvisioning => word!(lang, "job-sprandom-ratio"),
    }
}

fn nvme_fault(lang: Lang, fault: &NvmeFault) -> String {
    match fault {
        NvmeFault::RangesWithoutTrims => word!(lang, "job-ranges-without-trims").into(),
        NvmeFault::RangesOfEngine { engine } => say!(lang, "job-ranges-engine", engine),
        NvmeFault::PlacementOfEngine { engine } => say!(lang, "job-placement-engine", engine),
        NvmeFault::PlacementIds => word!(lang, "job-placement-ids").into(),
        NvmeFault::StreamsWithoutIds => word!(lang, "job-streams-ids").into(),
        NvmeFault::SchemeMissing => word!(lang, "job-scheme-missing").into(),
        NvmeFault::RangesTooLong { most } => say!(lang, "job-ranges-long", most),
    }
}

fn zoned_fault(lang: Lang, fault: ZonedFault) -> String {
    match fault {
        ZonedFault::CapacityAboveSize { size } => say!(lang, "job-zone-capacity", size),
        ZonedFault::SizeBelow512 => word!(lang, "job-zone-size").into(),
        ZonedFault::SkipNotWhole { size } => say!(lang, "job-zone-skip", size),
        ZonedFault::Trims => word!(lang, "job-zone-trims").into(),
        ZonedFault::AppendWithoutZones => word!(lang, "job-zone-append").into(),
        ZonedFault::RecoveryWithoutTolerance => word!(lang, "job-zone-recovery").into(),
        ZonedFault::BlockAboveZone { size } => say!(lang, "job-zone-block", size),
    }
}

/// Returns fathom's line about a switch; `None` if fio's line already gives the correct form.
fn switch_fault(lang: Lang, name: &str, value: &str, fault: &SwitchFault) -> Option<String> {
    let why = match fault {
        SwitchFault::NotBuilt => {
            return Some(typed(lang, &format!("--{name}"), word!(lang, "job-not-built")));
        }
        SwitchFault::NoTime => word!(lang, "job-switch-time"),
        SwitchFault::WearBudget => word!(lang, "job-switch-wear-budget"),
        SwitchFault::IdleProf => word!(lang, "job-switch-idle-prof"),
        SwitchFault::Format { .. } => word!(lang, "job-switch-format"),
        SwitchFault::EtaIntervalTooShort
        | SwitchFault::StatusIntervalTooShort
        | SwitchFault::GlobalSection
        | SwitchFault::TerseVersion => return None,
    };
    Some(typed(lang, &format!("--{name}={value}"), why))
}

/// Returns a line about a word of the command line.
fn typed(lang: Lang, what: &str, why: &str) -> String {
    at(lang, &Place::CommandLine, what, why)
}

fn at(lang: Lang, place: &Place, what: &str, why: &str) -> String {
    say!(lang, "job-at", place = at_place(lang, place), what, why)
}

fn at_place(lang: Lang, place: &Place) -> String {
    match place {
        Place::CommandLine => word!(lang, "job-command-line").into(),
        Place::Line { .. } => place.to_string(),
    }
}

/// Returns alternatives in words: `a or b`.
fn either(lang: Lang, names: &[&str]) -> String {
    let mut names = names.iter();
    let first = names.next().map_or_else(String::new, |name| (*name).to_owned());
    names.fold(first, |first, second| say!(lang, "job-either", first, second))
}

/// Returns the lines for standard error about jobs that cannot be planned: fio's, then fathom's.
pub fn plan_error(lang: Lang, error: &PlanError) -> String {
    let fio = fio_messages::plan_error(error, |fault| path_fault(Lang::En, fault));
    let why = plan_fault(lang, &error.fault);
    format!("{fio}{}\n", say!(lang, "job-named", name = error.job, why))
}

/// Returns why a job of fathom's own cannot be planned, on one line, without fio's lines and the job's name.
pub(crate) fn plan_error_line(lang: Lang, error: &PlanError) -> String {
    plan_fault(lang, &error.fault).lines().collect::<Vec<_>>().join("; ")
}

fn plan_fault(lang: Lang, fault: &PlanFault) -> String {
    match fault {
        PlanFault::TooManyClones { clones, most } => say!(lang, "job-plan-clones", clones, most),
        PlanFault::TooManyFiles { files, most } => say!(lang, "job-plan-files", files, most),
        PlanFault::Path { path, fault } => say!(lang, "job-plan-path", path, why = path_fault(lang, fault)),
        PlanFault::NoHosts => word!(lang, "job-plan-no-hosts").into(),
        PlanFault::FillWithoutSize => word!(lang, "job-plan-fill-without-size").into(),
        PlanFault::MmapAppends => word!(lang, "job-plan-mmap-appends").into(),
        PlanFault::NoSize { path } => say!(lang, "job-plan-no-size", path),
        PlanFault::NoNamespace { path } => say!(lang, "job-plan-no-namespace", path),
        PlanFault::Server(fault) => path_fault(lang, fault),
        PlanFault::NoFlash { path } => say!(lang, "job-plan-no-flash", path),
        PlanFault::NoDaxDevice { path } => say!(lang, "job-plan-no-dax", path),
        PlanFault::NoDevice { path } => say!(lang, "job-plan-no-device", path),
        PlanFault::NoScsiDisk { path } => say!(lang, "job-plan-no-scsi-disk", path),
        PlanFault::PartOfScsiDisk { path } => say!(lang, "job-plan-part-of-scsi-disk", path),
        PlanFault::OffsetBeyondEnd { path, start, end } => say!(lang, "job-plan-offset", path, start, end),
        PlanFault::NoBlock { total, block } => say!(lang, "job-plan-no-block", total, block),
        PlanFault::RegionBelowCache { most } => say!(lang, "job-plan-sprandom-cache", most),
        PlanFault::Trace { path, fault } => trace_fault(lang, path, fault),
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

    /// Tests that fio's lines come first and word for word, and fathom's line last.
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
                "fio: pid=0, err=13/file:plan.rs, func=stat, error=Permission denied (os error 13)\njob a: /x: cannot be examined: Permission denied (os error 13)\n",
            ),
            (
                stat(PathFault::NoBlockDevice),
                "fio: pid=0, err=5/file:plan.rs, func=stat, error=filetype=block, and it is no block device\njob a: /x: cannot be examined: filetype=block, and it is no block device\n",
            ),
            (
                stat(PathFault::Other("entity not found".into())),
                "fio: pid=0, err=5/file:plan.rs, func=stat, error=entity not found\njob a: /x: cannot be examined: entity not found\n",
            ),
            (PlanFault::FillWithoutSize, "job a: fill_device: random writes need size=, e.g. size=1t\n"),
            (
                PlanFault::MmapAppends,
                "fio: can't append/extent with IO engine mmap\njob a: ioengine=mmap cannot make a file longer, as file_append=1 does; use e.g. ioengine=psync\n",
            ),
            (
                PlanFault::NoSize { path: path() },
                "a: you need to specify size=\nfio: pid=0, err=22/file:plan.rs, func=total_file_size, error=Invalid argument\njob a: /x is missing or empty, and its size is unknown; set e.g. size=64m\n",
            ),
            (
                PlanFault::NoNamespace { path: path() },
                "ioengine io_uring_cmd only works with nvme ns generic char devices (/dev/ngXnY)\njob a: /x is not the character device of an NVMe namespace; ioengine=io_uring_cmd needs one, e.g. filename=/dev/ng0n1\n",
            ),
            (
                PlanFault::NoFlash { path: path() },
                "libmtd: error!: \"/x\" is not a character device\nfio: pid=0, err=22/file:mtd.c, func=mtd_get_dev_info, error=Invalid argument\njob a: /x is not an MTD device; ioengine=mtd needs one, e.g. filename=/dev/mtd0\n",
            ),
            (
                PlanFault::NoDaxDevice { path: path() },
                "a: /x not a DAX device!\njob a: /x is not a DAX device; ioengine=dev-dax needs one, e.g. filename=/dev/dax0.0; for files use ioengine=libpmem\n",
            ),
            (
                PlanFault::NoDevice { path: path() },
                "ioengine sg only works on block or character devices\nfile:engines/sg.c:1399, func=wrong file type, error=Invalid argument\nfio: pid=0, err=22/file:engines/sg.c:1399, func=wrong file type, error=Invalid argument\njob a: /x is not a device; ioengine=sg needs a SCSI disk, e.g. filename=/dev/sg0 or filename=/dev/sdb\n",
            ),
            (
                PlanFault::NoScsiDisk { path: path() },
                "ioengine sg unable to successfully execute read capacity to get block size and maximum lba\nfile:engines/sg.c:1406, func=fio_sgio_read_capacity, error=Success\njob a: /x is not a SCSI disk; ioengine=sg needs one, e.g. filename=/dev/sg0 or filename=/dev/sdb\n",
            ),
            (
                PlanFault::PartOfScsiDisk { path: path() },
                "job a: /x is a partition, and SCSI commands address the whole disk; name the disk, and the start of the partition as offset\n",
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
                PlanFault::RegionBelowCache { most: 7 },
                "job a: a region of sprandom must not be smaller than spr_cs: use spr_num_regions of 7 or less\n",
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

    /// Tests that a stored error is read back as data, and that the plain text of older studies can be read.
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
