//! Texts for the errors, refusals and notes of a run.

use crate::catalog::{say, word};
use crate::scale::exact_bytes;
use crate::words::facts;
use crate::words::shell;
use crate::{Lang, fio_messages};
use ::facts::changing::Changing;
use ::facts::file_usage::FileUse;
use ::facts::signature::Signature;
use ::facts::usage::Use;
use ::run::consent::Policy;
use ::run::job_error::errno_text;
use ::run::kernel_settings::SchedulerError;
use ::run::limits::{LimitError, ThreadLimit};
use ::run::line::{HookFault, Line, TrimCause};
use ::run::output::OutputError;
use ::run::refusal::{Found, NotOurs, Refusal, RefusalReason, UnusableKind, Writer};
use ::run::{HostResource, RunError};
use stats::job_error::{ErrorCause, JobError, TargetChange, TargetChangeKind};
use stats::output_fault::OutputFault;
use stats::quick::RowError;
use stats::setting_fault::SettingFault;
use stats::verification::{Damage, Verification};
use std::path::Path;

/// Returns the reason why a run did not begin.
pub fn run_error(lang: Lang, error: &RunError) -> String {
    match error {
        RunError::Refused(found) => refusal(lang, found),
        RunError::Limit(error) => limit_error(lang, error),
        RunError::Host { resource, source } => {
            let source = source.to_string();
            match resource {
                HostResource::CounterMemory => say!(lang, "run-error-counter-memory", source),
                HostResource::JobThread => say!(lang, "run-error-job-thread", source),
            }
        }
        RunError::Log(OutputError::Failed { path, fault }) => {
            let (path, why) = (path.display().to_string(), output_fault(lang, fault));
            say!(lang, "run-error-log", path, why)
        }
        RunError::Log(refused) => output_error(lang, refused),
        RunError::ModelBesideOthers => word!(lang, "run-error-model-beside-others").into(),
        RunError::ModelWaits => word!(lang, "run-error-model-waits").into(),
        RunError::NotAgreed => word!(lang, "run-error-not-agreed").into(),
        RunError::Scheduler(error) => scheduler_error(lang, error),
    }
}

/// Returns the reason why an output cannot be written.
pub fn output_error(lang: Lang, error: &OutputError) -> String {
    match error {
        OutputError::Refused { path, fault } => {
            let (path, why) = (path.display().to_string(), output_fault(lang, fault));
            say!(lang, "run-output-refused", path, why)
        }
        OutputError::Failed { path, fault } => {
            let (path, why) = (path.display().to_string(), output_fault(lang, fault));
            say!(lang, "run-output-failed", path, why)
        }
    }
}

/// Returns the reason why a file cannot be used as an output, without its path.
pub fn output_fault(lang: Lang, fault: &OutputFault) -> String {
    match fault {
        OutputFault::NotRegular => word!(lang, "run-output-not-regular").into(),
        OutputFault::BlockDevice => word!(lang, "run-output-block-device").into(),
        OutputFault::CharacterDevice => word!(lang, "run-output-character-device").into(),
        OutputFault::NoTerminal => word!(lang, "run-output-no-terminal").into(),
        OutputFault::NamedPipe => word!(lang, "run-output-named-pipe").into(),
        OutputFault::Socket => word!(lang, "run-output-socket").into(),
        OutputFault::Holds { contents, offset } => {
            let found = Signature { what: contents.clone(), offset: *offset };
            say!(lang, "run-output-holds", what = facts::signature(lang, &found))
        }
        OutputFault::Database => say!(lang, "run-output-holds", what = word!(lang, "run-output-database")),
        OutputFault::BackingFile { device } => {
            let used = facts::file_use(lang, &FileUse::Loop { by: device.clone() });
            say!(lang, "run-output-in-use", used)
        }
        OutputFault::Swap => say!(lang, "run-output-in-use", used = facts::file_use(lang, &FileUse::Swap)),
        OutputFault::JobFile => word!(lang, "run-output-job-file").into(),
        OutputFault::FileOfJob => word!(lang, "run-output-file-of-job").into(),
        OutputFault::ReportSource => word!(lang, "run-output-report-source").into(),
        OutputFault::Store => word!(lang, "run-output-store").into(),
        OutputFault::OtherText => word!(lang, "run-output-other-text").into(),
        OutputFault::HoldsData => word!(lang, "run-output-holds-data").into(),
        OutputFault::NoReader => word!(lang, "run-output-no-reader").into(),
        OutputFault::Directory => word!(lang, "run-output-directory").into(),
        OutputFault::NotASocket => word!(lang, "run-output-is-socket").into(),
        OutputFault::NotWritable => word!(lang, "run-output-not-writable").into(),
        OutputFault::System { errno } => errno_text(*errno),
        OutputFault::Other(text) => text.clone(),
    }
}

/// Returns the line for standard error about a target that changed after its check.
pub fn target_change(lang: Lang, change: &TargetChange) -> String {
    say!(lang, "run-refused-changed", change = changed(lang, &change.path, &change.kind))
}

fn changed(lang: Lang, path: &str, kind: &TargetChangeKind) -> String {
    let why = match kind {
        TargetChangeKind::Appeared => word!(lang, "run-changed-appeared").into(),
        TargetChangeKind::Content => word!(lang, "run-changed-content").into(),
        TargetChangeKind::Replaced => word!(lang, "run-changed-replaced").into(),
        TargetChangeKind::Resized => word!(lang, "run-changed-resized").into(),
        TargetChangeKind::OtherFile => word!(lang, "run-changed-other-file").into(),
        TargetChangeKind::BackingFile { device } => {
            facts::file_use(lang, &FileUse::Loop { by: device.clone() })
        }
        TargetChangeKind::Swap => facts::file_use(lang, &FileUse::Swap),
        TargetChangeKind::Mounted { at } => facts::file_use(lang, &FileUse::Mounted { at: at.into() }),
    };
    say!(lang, "run-changed", path, why)
}

/// Returns the reason why a job ended with an error.
pub fn job_error(lang: Lang, error: &JobError) -> String {
    let system = &error.text;
    match error.cause.as_deref() {
        None => system.clone(),
        Some(ErrorCause::StateFile { path }) => say!(lang, "run-error-state-file", system, path),
        Some(ErrorCause::EngineSetup { engine }) => say!(lang, "run-error-engine-setup", system, engine),
        Some(ErrorCause::Remote { text }) => text.clone(),
        Some(ErrorCause::LibaioSetup) => say!(lang, "run-error-libaio-setup", system),
        Some(ErrorCause::PosixaioSetup) => say!(lang, "run-error-posixaio-setup", system),
        Some(ErrorCause::ModelWithOthers) => say!(lang, "run-error-model-with-others", system),
        Some(ErrorCause::Nice) => format!("{system} (nice)"),
        Some(ErrorCause::FileName) => say!(lang, "run-error-file-name", system),
        Some(ErrorCause::Buffers) => say!(lang, "run-error-buffers", system),
        Some(ErrorCause::NoWeight) => say!(lang, "run-error-no-weight", system),
        Some(ErrorCause::NoBlkioHierarchy) => word!(lang, "run-error-no-blkio").into(),
        Some(ErrorCause::Output(fault)) => format!("{system}: {}", output_fault(lang, fault)),
        Some(ErrorCause::Program { program }) => format!("{system}: program={program}"),
        Some(ErrorCause::NoCpuload) => fio_messages::NO_CPULOAD.into(),
        Some(ErrorCause::NoProgram) => fio_messages::NO_PROGRAM.into(),
        Some(ErrorCause::NoDonor) => fio_messages::NO_DONOR.into(),
        Some(ErrorCause::Panicked) => word!(lang, "run-error-panicked").into(),
        Some(ErrorCause::NoAnswer) => say!(lang, "run-error-no-answer", system),
        Some(ErrorCause::NoZoneSize) => word!(lang, "run-error-no-zone-size").into(),
        Some(ErrorCause::OtherZoneSize { device }) => say!(lang, "run-error-other-zone-size", device),
        Some(ErrorCause::NoPlacement) => word!(lang, "run-error-no-placement").into(),
        Some(ErrorCause::PlacementId { id, count }) => say!(lang, "run-error-placement-id", count, id),
        Some(ErrorCause::PlacementScheme { path, line }) => {
            say!(lang, "run-error-placement-scheme", path, line)
        }
        Some(ErrorCause::OpenZonesAboveLimit { limit }) => say!(lang, "run-error-open-zones", limit),
        Some(ErrorCause::AppendWithoutZones) => word!(lang, "run-error-append-zones").into(),
        Some(ErrorCause::BelowZone { zone }) => say!(lang, "run-error-below-zone", zone),
        Some(ErrorCause::NoWholeZone { zone }) => say!(lang, "run-error-no-whole-zone", zone),
        Some(ErrorCause::FlashTooLarge { pages }) => say!(lang, "run-error-flash-too-large", pages),
        Some(ErrorCause::Changed(change)) => changed(lang, &change.path, &change.kind),
    }
}

/// Returns the reason why a pattern of a check failed.
pub(crate) fn row_error(lang: Lang, error: &RowError) -> String {
    match error {
        RowError::Job(error) => job_error(lang, error),
        RowError::Text(text) => text.clone(),
    }
}

/// Returns the reason why a kernel setting could not be changed.
pub(crate) fn setting_fault(lang: Lang, fault: &SettingFault) -> String {
    match fault {
        SettingFault::File { path, errno } => format!("{path}: {}", errno_text(*errno)),
        SettingFault::NotRecorded { path, directory, errno } => {
            say!(lang, "run-setting-not-recorded", path, directory, error = errno_text(*errno))
        }
        SettingFault::Busy { disk, setting, pid } => {
            say!(lang, "run-setting-busy", disk, setting, pid = pid.to_string())
        }
        SettingFault::Value { path, value, errno } => format!("{path} = {value}: {}", errno_text(*errno)),
    }
}

fn scheduler_error(lang: Lang, error: &SchedulerError) -> String {
    match error {
        SchedulerError::Forbidden { job, scheduler, disk, errno } => {
            let error = errno_text(errno.raw_os_error());
            say!(lang, "run-scheduler-forbidden", job, scheduler, disk, error)
        }
        SchedulerError::Unknown { job, scheduler, disk, known } => {
            say!(lang, "run-scheduler-unknown", job, scheduler, disk, known = known.join(", "))
        }
        SchedulerError::NotSet(fault) => setting_fault(lang, fault),
    }
}

fn limit_error(lang: Lang, error: &LimitError) -> String {
    match error {
        LimitError::OpenFiles { needed, limit } => {
            say!(lang, "run-limit-open-files", needed = *needed, limit = *limit)
        }
        LimitError::Threads { needed, left, limit } => {
            let limit = match limit {
                ThreadLimit::User => "RLIMIT_NPROC (ulimit -Hu)",
                ThreadLimit::ControlGroup => word!(lang, "run-limit-pids-max"),
                ThreadLimit::Kernel => "kernel.threads-max",
            };
            say!(lang, "run-limit-threads", needed = *needed, left = *left, limit)
        }
        LimitError::AioRequests { needed, used, most, enough } => {
            let (used, most, enough) = (used.to_string(), most.to_string(), enough.to_string());
            say!(lang, "run-limit-aio-requests", needed = *needed, used, most, enough)
        }
        LimitError::IoUringDisabled => word!(lang, "run-limit-io-uring-disabled").into(),
        LimitError::LockedMemory { needed, limit } => {
            let (needed, limit) = (exact_bytes(*needed), exact_bytes(*limit));
            say!(lang, "run-limit-locked-memory", needed, limit)
        }
        LimitError::Memory { buffers, locked, available } => {
            let (buffers, locked, available) =
                (exact_bytes(*buffers), exact_bytes(*locked), exact_bytes(*available));
            say!(lang, "run-limit-memory", buffers, locked, available)
        }
        LimitError::Records { needed, available } => {
            let (needed, available) = (exact_bytes(*needed), exact_bytes(*available));
            say!(lang, "run-limit-records", needed, available)
        }
        LimitError::Inodes { directory, needed, free } => {
            let directory = directory.display().to_string();
            say!(lang, "run-limit-inodes", directory, needed = *needed, free = *free)
        }
    }
}

/// Returns a line for standard error about a job. fio's own lines are in English in every language.
pub fn line(lang: Lang, line: &Line) -> String {
    match line {
        Line::FailedIo { path, errno, operation, offset, length } => {
            fio_messages::failed_io(path, &errno_text(*errno), operation, *offset, *length)
        }
        Line::NotAtomic { path, blocks, limits } => {
            let path = path.display().to_string();
            match limits {
                None => say!(lang, "run-line-no-atomic", path),
                Some((least, most)) => {
                    let (least, most) = (exact_bytes(*least), exact_bytes(*most));
                    let (small, large) = (exact_bytes(blocks.0), exact_bytes(blocks.1));
                    say!(lang, "run-line-not-atomic", path, small, large, least, most)
                }
            }
        }
        Line::ScsiFailed(status) => fio_messages::scsi_failed(status),
        Line::FailedTrim { path, errno, offset, length, cause } => {
            let (path, error) = (path.display().to_string(), errno_text(*errno));
            let (offset, length) = (offset.to_string(), length.to_string());
            match cause {
                None => say!(lang, "run-line-trim-failed", path, error, offset, length),
                Some(cause) => {
                    let cause = match cause {
                        TrimCause::NoBlockDevice => word!(lang, "run-line-trim-no-block-device"),
                        TrimCause::Misaligned => word!(lang, "run-line-trim-misaligned"),
                        TrimCause::Unsupported => word!(lang, "run-line-trim-unsupported"),
                    };
                    say!(lang, "run-line-trim-failed-because", path, error, offset, length, cause)
                }
            }
        }
        Line::DirectIoRefused => word!(lang, "run-line-direct-io-refused").into(),
        Line::TooSlow { path, operation, offset, length, latency, most } => {
            fio_messages::too_slow(path, operation, *offset, *length, *latency, *most)
        }
        Line::RateMissed { job, missed } => fio_messages::rate_missed(job, missed),
        Line::EngineInitFailed { engine } => fio_messages::engine_init_failed(engine),
        Line::EngineNeeds { job, engine, example } => {
            say!(lang, "run-line-engine-needs", job, engine = *engine, example = *example)
        }
        Line::AwaitsConnection => fio_messages::AWAITS_CONNECTION.into(),
        Line::NoHugePages => fio_messages::NO_HUGE_PAGES.into(),
        Line::Unanswered { job, ios } => say!(lang, "run-line-unanswered", job, ios = *ios),
        Line::UringForbidden { job } => say!(lang, "run-line-uring-forbidden", job),
        Line::HookFailed { job, when, fault } => {
            let why = match fault {
                HookFault::Output(error) => output_error(lang, error),
                HookFault::Ended(status) => status.to_string(),
                HookFault::NotStarted { errno } => errno_text(*errno),
            };
            format!("fathom: job {job}: exec_{when}: {why}")
        }
        Line::System { call, errno } => format!("{call}: {}", errno_text(*errno)),
        Line::NoDirectIo => fio_messages::NO_DIRECT_IO.into(),
        Line::FileIgnored { path } => fio_messages::file_ignored(path),
        Line::HookOutput { job, when, file } => fio_messages::hook_output(job, when, file),
        Line::BusyCpu { job, sort, load, cycle_us } => fio_messages::busy_cpu(job, *sort, *load, *cycle_us),
        Line::Program { job, program, arguments } => {
            format!("{job} : program={program}, arguments={arguments}")
        }
        Line::ProgramRuns { job, command, redirected } => {
            fio_messages::program_runs(job, command, *redirected)
        }
        Line::Mismatch { mismatch, dumped } => {
            let mut text = fio_messages::mismatch(mismatch, dumped);
            for file in dumped {
                text += &file
                    .failed
                    .as_ref()
                    .map_or(String::new(), |e| format!("fathom: {}\n", output_error(lang, e)));
            }
            let (file, offset) = (&mismatch.file, mismatch.offset.to_string());
            text + &say!(lang, "run-line-damage", file, offset, damage = damage(lang, mismatch.damage))
        }
        Line::Damaged { job, verification } => {
            let (bad, blocks) = (verification.mismatches().to_string(), verification.blocks.to_string());
            say!(lang, "run-line-damaged", job, bad, blocks, kinds = damage_kinds(lang, verification))
        }
        Line::StateNotSaved(error) => format!("fathom: {}", output_error(lang, error)),
        Line::Text(text) => text.clone(),
        Line::SlowIos(slow) => fio_messages::slow_ios(slow),
    }
}

/// Returns the kinds of damage that were found, with their counts.
pub(crate) fn damage_kinds(lang: Lang, verification: &Verification) -> String {
    let kinds = verification.damaged.iter().enumerate().filter(|(_, n)| **n > 0);
    let kinds: Vec<String> = kinds
        .map(|(kind, n)| say!(lang, "run-damage-count", kind = damage_kind(lang, kind), n = *n))
        .collect();
    kinds.join(", ")
}

/// Returns the name of a kind of damage (see [`Damage::kind`]).
fn damage_kind(lang: Lang, kind: usize) -> &'static str {
    match kind {
        0 => word!(lang, "run-damaged-flip"),
        1 => word!(lang, "run-damaged-torn"),
        2 => word!(lang, "run-damaged-lost"),
        3 => word!(lang, "run-damaged-misdirected"),
        4 => word!(lang, "run-damaged-zeroed"),
        5 => word!(lang, "run-damaged-shifted"),
        6 => word!(lang, "run-damaged-foreign"),
        7 => word!(lang, "run-damaged-unknown"),
        _ => word!(lang, "run-damaged-untrimmed"),
    }
}

/// Returns what has happened to a block that does not contain what it should.
pub(crate) fn damage(lang: Lang, damage: Damage) -> String {
    match damage {
        Damage::Flip { bits } => say!(lang, "run-damage-flip", bits),
        Damage::Torn => word!(lang, "run-damage-torn").into(),
        Damage::Lost => word!(lang, "run-damage-lost").into(),
        Damage::Misdirected { from } => say!(lang, "run-damage-misdirected", from = from.to_string()),
        Damage::Zeroed => word!(lang, "run-damage-zeroed").into(),
        Damage::Shifted { by } => say!(lang, "run-damage-shifted", by = by.to_string()),
        Damage::Foreign => word!(lang, "run-damage-foreign").into(),
        Damage::Unknown => word!(lang, "run-damage-unknown").into(),
        Damage::Untrimmed => word!(lang, "run-damage-untrimmed").into(),
    }
}

/// Returns the reason why a plan is not run, and the option that permits it.
pub fn refusal(lang: Lang, refusal: &Refusal) -> String {
    let path = refusal.path.display().to_string();
    // Part of an option that the user is to copy.
    let path = shell::word(&path).into_owned();
    match &refusal.reason {
        RefusalReason::Overwrite { writer: by, found: all, policy } => {
            let writer = writer(lang, by);
            let found: Vec<_> = all.iter().map(|one| found(lang, one, &refusal.path)).collect();
            let found = found.join("; ");
            match policy {
                Policy::Fio if matches!(by, Writer::Job(_)) => {
                    say!(lang, "run-refused-overwrite-fio", writer, path, found)
                }
                _ => say!(lang, "run-refused-overwrite", writer, path, found),
            }
        }
        RefusalReason::InUse { writer: by, found: all } => {
            let found: Vec<_> = all.iter().map(|one| found(lang, one, &refusal.path)).collect();
            say!(lang, "run-refused-in-use", writer = writer(lang, by), path, found = found.join("; "))
        }
        RefusalReason::UsedElsewhere { writer: by, found: one } => {
            let found = found(lang, one, &refusal.path);
            say!(lang, "run-refused-used-elsewhere", writer = writer(lang, by), path, found)
        }
        RefusalReason::Unusable { writer: by, kind } => {
            let (writer, kind) = (writer(lang, by), unusable(lang, *kind));
            say!(lang, "run-refused-unusable", writer, path, kind)
        }
        RefusalReason::MountedForFio => fio_messages::mounted(&refusal.path),
        RefusalReason::FillsFileSystem { most } => {
            say!(lang, "run-refused-fills-file-system", path, most = exact_bytes(*most))
        }
        RefusalReason::NoSpace { wanted, free, reserve } => {
            let (wanted, free, reserve) = (exact_bytes(*wanted), exact_bytes(*free), exact_bytes(*reserve));
            say!(lang, "run-refused-no-space", path, wanted, free, reserve)
        }
        RefusalReason::NoSpaceForLayout { wanted, free } => {
            let (wanted, free) = (exact_bytes(*wanted), exact_bytes(*free));
            say!(lang, "run-no-space-for-layout", path, wanted, free)
        }
        RefusalReason::WearBudget { planned, left, budget } => {
            let (left, budget) = (exact_bytes(*left), exact_bytes(*budget));
            match planned.map(exact_bytes) {
                Some(planned) => say!(lang, "run-refused-wear-budget", path, planned, left, budget),
                None => say!(lang, "run-refused-wear-budget-used", path, left, budget),
            }
        }
        RefusalReason::NoEndurance => say!(lang, "run-refused-no-endurance", path),
        RefusalReason::Changed(kind) => {
            say!(lang, "run-refused-changed", change = changed(lang, &path, kind))
        }
    }
}

fn writer(lang: Lang, writer: &Writer) -> String {
    match writer {
        Writer::Job(name) => say!(lang, "run-writer-job", name),
        Writer::Command(name) => (*name).to_owned(),
    }
}

fn found(lang: Lang, found: &Found, path: &Path) -> String {
    match found {
        Found::CannotOpen(errno) => say!(lang, "run-found-cannot-open", error = errno.to_string()),
        Found::CannotRead(errno) => say!(lang, "run-found-cannot-read", error = errno.to_string()),
        Found::Replaced => word!(lang, "run-found-replaced").into(),
        // `wipefs` does not know data of an unknown kind and would not remove it.
        Found::DeviceUse(used @ Use::Unknown { .. }) if path.is_absolute() => {
            let (used, path) = (facts::device_use(lang, used), path.display().to_string());
            say!(lang, "run-found-unknown-data", used, path)
        }
        Found::DeviceUse(used) => facts::device_use(lang, used),
        Found::UnknownToSysfs => word!(lang, "run-found-unknown-to-sysfs").into(),
        Found::NotExamined => word!(lang, "run-found-not-examined").into(),
        Found::NotNamed => word!(lang, "run-found-not-named").into(),
        Found::HeldExclusively => word!(lang, "run-found-held-exclusively").into(),
        Found::FileUse(used) => facts::file_use(lang, used),
        Found::Object(name) => say!(lang, "run-found-object", name),
        Found::CannotList => word!(lang, "run-found-cannot-list").into(),
        Found::Clients(clients) => say!(lang, "run-found-clients", clients = clients.join(", ")),
        Found::Changing(Changing { what, offset, user }) => {
            let (what, offset) = (facts::contents(lang, what), offset.to_string());
            match user {
                Some((host, device)) => say!(lang, "run-found-changing-by", what, offset, host, device),
                None => say!(lang, "run-found-changing", what, offset),
            }
        }
        Found::Reserved { holder, key, kind } => {
            let (key, kind) = (format!("{key:#x}"), *kind);
            match holder.as_str() {
                "" => say!(lang, "run-found-reserved", key, kind),
                holder => say!(lang, "run-found-reserved-by", key, kind, holder),
            }
        }
        Found::OpenElsewhere => word!(lang, "run-found-open-elsewhere").into(),
        Found::OtherRun => word!(lang, "run-found-other-run").into(),
        Found::Exists { bytes, because } => {
            let (bytes, because) = (bytes.to_string(), not_ours(lang, *because));
            say!(lang, "run-found-exists", bytes, because)
        }
    }
}

fn not_ours(lang: Lang, because: NotOurs) -> String {
    match because {
        NotOurs::OnServer => word!(lang, "run-not-ours-on-server").into(),
        NotOurs::Unmarked => word!(lang, "run-not-ours-unmarked").into(),
        NotOurs::OtherVersion => word!(lang, "run-not-ours-other-version").into(),
        NotOurs::Copy => word!(lang, "run-not-ours-copy").into(),
        NotOurs::HardLinks { names } => say!(lang, "run-not-ours-hard-links", names),
        NotOurs::Changed => word!(lang, "run-not-ours-changed").into(),
        NotOurs::PatternInterrupted => word!(lang, "run-not-ours-pattern-interrupted").into(),
        NotOurs::UnreadableMark => word!(lang, "run-not-ours-unreadable-mark").into(),
        NotOurs::Unreadable(errno) => say!(lang, "run-not-ours-unreadable", error = errno.to_string()),
        NotOurs::Replaced => word!(lang, "run-not-ours-replaced").into(),
        NotOurs::ForeignData { offset } => {
            say!(lang, "run-not-ours-foreign-data", offset = offset.to_string())
        }
    }
}

fn unusable(lang: Lang, kind: UnusableKind) -> &'static str {
    match kind {
        UnusableKind::DirectoryToRemove => word!(lang, "run-unusable-directory-to-remove"),
        UnusableKind::Directory => word!(lang, "run-unusable-directory"),
        UnusableKind::NamedPipe => word!(lang, "run-unusable-named-pipe"),
        UnusableKind::Socket => word!(lang, "run-unusable-socket"),
        UnusableKind::KernelFile => word!(lang, "run-unusable-kernel-file"),
        UnusableKind::NoDevice => word!(lang, "run-unusable-no-device"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::run::kernel_settings::SchedulerError;
    use ::run::line::MissedRate;
    use rustix::io::Errno;
    use stats::scsi::ScsiStatus;

    fn english(reason: RefusalReason) -> String {
        refusal(Lang::En, &Refusal { path: "/dev/sda".into(), reason })
    }

    #[test]
    fn lines_about_direct_io_and_programs_are_fios() {
        let said = |one: &Line| line(Lang::De, one);
        assert_eq!(
            said(&Line::NoDirectIo),
            "fio: looks like your file system does not support direct=1/buffered=0\nfio: destination does not support O_DIRECT"
        );
        let hook = Line::HookOutput { job: "j".into(), when: "prerun", file: "j.prerun.txt".into() };
        assert_eq!(said(&hook), "j : Saving output of prerun in j.prerun.txt");
        let runs =
            |redirected| Line::ProgramRuns { job: "j".into(), command: "/bin/true -x".into(), redirected };
        assert_eq!(said(&runs(false)), "j : Running /bin/true -x");
        assert_eq!(said(&runs(true)), "j : Saving output of /bin/true -x : stdout=j.stdout stderr=j.stderr");
        let busy = Line::BusyCpu { job: "j".into(), sort: false, load: 50, cycle_us: 50_000 };
        assert_eq!(said(&busy), "j (noop): ioengine=cpuio, cpuload=50, cpucycle=50000");
    }

    #[test]
    fn english_words_of_lines_about_jobs() {
        let line = |found| line(Lang::En, &found);
        let trim = |errno: Errno, cause| {
            let errno = errno.raw_os_error();
            line(Line::FailedTrim { path: "f".into(), errno, offset: 4096, length: 512, cause })
        };
        let errno = Errno::NOSPC.raw_os_error();
        assert_eq!(
            line(Line::FailedIo { path: "f".into(), errno, operation: "write", offset: 4096, length: 512 }),
            "fio: io_u error on file f: No space left on device: write offset=4096, buflen=512"
        );
        let (mut sense, mut command) = ([0; 64], [0; 16]);
        (sense[0], sense[2], sense[7], sense[12]) = (0x70, 5, 10, 0x20);
        (command[0], command[8]) = (0x2e, 8);
        let data = [4096, 0];
        let status = ScsiStatus { status: 2, host: 0, driver: 8, sense_len: 18, sense, data, command };
        assert_eq!(
            line(Line::ScsiFailed(Box::new(status))),
            "fio: SG Driver Status: 0x08; SG_ERR_DRIVER_SENSE; . SG SCSI Status: 0x02; CHECK_CONDITION. Sense Data (18 bytes): \
             70 00 05 00 00 00 00 0a 00 00 00 00 20 00 00 00 00 00. cdb: 2e 00 00 00 00 00 00 00 08 00 00 00 00 00 00 00. "
        );
        let aborted = ScsiStatus { status: 0, host: 7, driver: 0, sense_len: 0, data: [4096, 512], ..status };
        assert_eq!(
            line(Line::ScsiFailed(Box::new(aborted))),
            "fio: SG Host Status: 0x07; . SG Driver: 512 bytes out of 4096 not transferred. cdb: 2e 00 00 00 00 00 00 00 08 00 00 00 00 00 00 00. "
        );
        assert_eq!(
            trim(Errno::NOTTY, Some(TrimCause::NoBlockDevice)),
            "fio: trim of f failed: Inappropriate ioctl for device: offset=4096, length=512; only block devices can be \
             trimmed (ioengine=falloc punches holes into files)"
        );
        assert_eq!(
            trim(Errno::IO, None),
            "fio: trim of f failed: Input/output error: offset=4096, length=512"
        );
        let slow = Line::TooSlow {
            path: "f".into(),
            operation: "read",
            offset: 4096,
            length: 512,
            latency: 2000,
            most: 1000,
        };
        assert_eq!(
            line(slow),
            "fio: latency of 2000 nsec exceeds specified max (1000 nsec): f read 4096 512"
        );
        let missed = |missed| line(Line::RateMissed { job: "a".into(), missed });
        assert_eq!(
            missed(MissedRate::Bytes { least: 1024, got: 5 }),
            "a: rate_min=1024B/s not met, got 5B/s"
        );
        assert_eq!(missed(MissedRate::Ios { least: 10, got: 5 }), "a: rate_iops_min=10 not met, got 5 IOPS");
        assert_eq!(
            line(Line::EngineNeeds { job: "a".into(), engine: "cpuio", example: "cpuload=50" }),
            "fathom: job a: ioengine=cpuio needs e.g. cpuload=50"
        );
        assert_eq!(
            line(Line::Unanswered { job: "a".into(), ios: 32 }),
            "fathom: job a: 32 I/Os in flight were never answered; the report shows what had completed"
        );
    }

    #[test]
    fn english_words_of_schedulers() {
        let error = |error| run_error(Lang::En, &RunError::Scheduler(error));
        let (job, scheduler, disk) = ("a".to_owned(), "bfq".to_owned(), "vda".to_owned());
        let known = vec!["none".into(), "mq-deadline".into()];
        assert_eq!(
            error(SchedulerError::Unknown {
                job: job.clone(),
                scheduler: scheduler.clone(),
                disk: disk.clone(),
                known
            }),
            "job a: ioscheduler=bfq: vda has no such I/O scheduler; it has: none, mq-deadline"
        );
        assert_eq!(
            error(SchedulerError::Forbidden { job, scheduler, disk, errno: Errno::ACCESS }),
            "job a: ioscheduler=bfq: the I/O scheduler of vda may not be changed (Permission denied): run as root"
        );
    }

    #[test]
    fn english_words_of_limits() {
        let limit = |error| run_error(Lang::En, &RunError::Limit(error));
        assert_eq!(
            limit(LimitError::OpenFiles { needed: 10_282, limit: 4096 }),
            "open files: the jobs that run at once need 10282 descriptors, the hard limit is 4096 (ulimit -Hn); raise it, \
             set openfiles=, or lower nrfiles= or numjobs="
        );
        assert_eq!(
            limit(LimitError::Threads { needed: 3, left: 2, limit: ThreadLimit::ControlGroup }),
            "threads: 3 jobs run at once and each is a thread, pids.max of the control group leaves 2; raise it, or lower \
             numjobs="
        );
        assert_eq!(
            limit(LimitError::AioRequests { needed: 901, used: 100, most: 1000, enough: 1024 }),
            "fs.aio-max-nr: the libaio jobs that run at once need 901 requests (iodepth x numjobs), 100 of 1000 are in \
             use; raise it (sysctl fs.aio-max-nr=1024), or lower iodepth= or numjobs="
        );
        assert_eq!(
            limit(LimitError::IoUringDisabled),
            "kernel.io_uring_disabled: io_uring is switched off on this host; allow it (sysctl \
             kernel.io_uring_disabled=0), or use ioengine=libaio"
        );
        assert_eq!(
            limit(LimitError::LockedMemory { needed: 2048, limit: 1024 }),
            "locked memory: lockmem= of the jobs that run at once is 2.0 KiB (2048 bytes), the limit is 1.0 KiB (1024 \
             bytes) (ulimit -Hl); raise it, or lower lockmem= or numjobs="
        );
        assert_eq!(
            limit(LimitError::Memory { buffers: 2048, locked: 0, available: 1024 }),
            "memory: the jobs that run at once need 2.0 KiB (2048 bytes) of buffers (iodepth x largest block) and 0 bytes \
             of lockmem=, 1.0 KiB (1024 bytes) are available; lower iodepth=, bs=, lockmem= or numjobs="
        );
        assert_eq!(
            limit(LimitError::Inodes { directory: "/mnt".into(), needed: 1000, free: 12 }),
            "inodes: 1000 new files are to be made, the file system of /mnt has 12 inodes free; lower nrfiles= or numjobs="
        );
    }

    #[test]
    fn english_words_of_every_refusal() {
        let overwrite = |found, policy| {
            let writer = Writer::Job("w".into());
            english(RefusalReason::Overwrite { writer, found, policy })
        };
        let swap = Found::DeviceUse(Use::Swap { device: "sda1".into() });
        let unknown = Found::DeviceUse(Use::Unknown { offset: 512, part: ::facts::usage::DevicePart::First });
        assert_eq!(
            overwrite(vec![swap, unknown], Policy::Own),
            "refused: job w would overwrite /dev/sda: sda1 is in use as swap; its first MiB holds data of an unknown kind \
             (at byte 512) (`blkdiscard /dev/sda` discards it); to destroy what is on it, add --allow-destroy=/dev/sda"
        );
        assert_eq!(
            overwrite(vec![Found::HeldExclusively], Policy::Fio),
            "refused: job w would overwrite /dev/sda: another program or the kernel holds it exclusively (EBUSY); to \
             destroy what is on it, add --allow-destroy=/dev/sda (or set FATHOM_FIO_UNGUARDED=1 for fio's own rules)"
        );
        let what = stats::contents::Contents::new(stats::contents::ContentsClass::FileSystem, "ext4");
        let elsewhere = |found| {
            let (writer, found) = (Writer::Job("w".into()), Box::new(found));
            english(RefusalReason::UsedElsewhere { writer, found })
        };
        let user = Some(("node7".into(), "sdq".into()));
        assert_eq!(
            elsewhere(Found::Changing(Changing { what, offset: 4096, user })),
            "refused: job w would overwrite /dev/sda: its ext4 file system is mounted on another host: node7 wrote its \
             protection block (MMP) at byte 4096 while it was watched, as sdq; end that use first: --allow-destroy does \
             not permit this"
        );
        let holder = "iqn.2026-01.test:host1".into();
        assert_eq!(
            elsewhere(Found::Reserved { holder, key: 0xabc, kind: "Write Exclusive" }),
            "refused: job w would overwrite /dev/sda: iqn.2026-01.test:host1 has reserved it (Write Exclusive, key 0xabc); \
             sg_persist releases it; end that use first: --allow-destroy does not permit this"
        );
        assert_eq!(
            english(RefusalReason::MountedForFio),
            "fio: /dev/sda appears mounted, and 'allow_mounted_write' isn't set. Aborting."
        );
        let writer = Writer::Command("explore");
        assert_eq!(
            english(RefusalReason::Unusable { writer, kind: UnusableKind::Socket }),
            "refused: explore: /dev/sda is a socket; a target is a file or a device"
        );
        assert_eq!(
            english(RefusalReason::FillsFileSystem { most: 3 << 29 }),
            "refused: fill_device=1 would fill the file system of /dev/sda to its last block; give size=, which may be as \
             large as 1.5 GiB (1610612736 bytes)"
        );
        assert_eq!(
            english(RefusalReason::NoSpace { wanted: 2048, free: 1024, reserve: 12 }),
            "refused: space: the jobs would write 2.0 KiB (2048 bytes) into the file system of /dev/sda, which has 1.0 KiB \
             (1024 bytes) free (12 bytes must stay free); lower size=, io_size=, nrfiles= or numjobs=, or choose another \
             directory="
        );
        assert_eq!(
            english(RefusalReason::NoSpaceForLayout { wanted: 2048, free: 1024 }),
            "fathom: space: the files that are written before the run need 2.0 KiB (2048 bytes), the file system of \
             /dev/sda has 1.0 KiB (1024 bytes) free; lower size=, nrfiles= or numjobs=, or choose another directory="
        );
        assert_eq!(
            english(RefusalReason::WearBudget { planned: Some(2048), left: 1024, budget: 1025 }),
            "refused: 2.0 KiB (2048 bytes) would be written to /dev/sda, but 1.0 KiB (1024 bytes) are left of the \
             --wear-budget of 1.0 KiB (1025 bytes); raise --wear-budget or leave it out"
        );
        assert_eq!(
            english(RefusalReason::NoEndurance),
            "refused: the endurance of /dev/sda is not known (no flash drive), so --wear-budget needs bytes, as 10G"
        );
        let because = NotOurs::ForeignData { offset: 1 << 40 };
        assert_eq!(
            found(Lang::En, &Found::Exists { bytes: 1 << 30, because }, Path::new("f")),
            "it exists already (1073741824 bytes) and at byte 1099511627776 it holds data that fathom has not written"
        );
        assert_eq!(
            found(Lang::En, &Found::CannotRead(Errno::IO), Path::new("f")),
            "its first and last MiB cannot be read to see what it carries (Input/output error (os error 5))"
        );
    }
}
