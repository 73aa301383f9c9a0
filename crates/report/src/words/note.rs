//! Texts for notes about a run.

use crate::catalog::{say, word};
use crate::scale::exact_bytes;
use crate::{Lang, fio_messages};
use run::job_error::errno_text;
use stats::note::NoteFact;

/// Returns the text of a note; fio's own notes are in English in every language.
pub fn note(lang: Lang, fact: &NoteFact) -> String {
    if let Some(line) = fio_messages::note(fact) {
        return line;
    }
    match fact {
        NoteFact::NumberEnds { place, typed, value, rest } => {
            let why = say!(lang, "note-number-ends", value, rest);
            let place = place.clone().unwrap_or_else(|| word!(lang, "job-command-line").into());
            say!(lang, "job-at", place, what = typed, why)
        }
        NoteFact::SpaceShort { wanted, free, directory } => {
            say!(
                lang,
                "note-space-short",
                wanted = exact_bytes(*wanted),
                free = exact_bytes(*free),
                directory
            )
        }
        NoteFact::CgroupLimit { device, iops, bytes_per_second } => {
            let limits = [
                iops[0].map(|n| say!(lang, "note-cgroup-reads", n)),
                bytes_per_second[0].map(|n| say!(lang, "note-cgroup-read-rate", bytes = exact_bytes(n))),
                iops[1].map(|n| say!(lang, "note-cgroup-writes", n)),
                bytes_per_second[1].map(|n| say!(lang, "note-cgroup-write-rate", bytes = exact_bytes(n))),
            ];
            let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(", ");
            say!(lang, "note-cgroup-limit", device, limits)
        }
        NoteFact::SettingNotRestored { disk, setting, now, before, pid, path, errno } => {
            let now = now.clone().unwrap_or_else(|| word!(lang, "note-setting-unknown").into());
            let (pid, error) = (pid.to_string(), errno_text(*errno));
            say!(lang, "note-setting-not-restored", disk, setting, now, before, pid, path, error)
        }
        NoteFact::SettingRestored { disk, setting, changed, before, pid } => {
            say!(lang, "note-setting-restored", disk, setting, changed, before, pid = pid.to_string())
        }
        NoteFact::SettingChangedSince { disk, setting, now, before, pid } => {
            say!(lang, "note-setting-changed-since", disk, setting, now, before, pid = pid.to_string())
        }
        NoteFact::MemoryNotLocked { bytes, errno } => {
            say!(lang, "note-memory-not-locked", bytes, error = errno_text(*errno))
        }
        NoteFact::LogWaits { waits, ms } => say!(lang, "note-log-waits", waits, ms),
        NoteFact::LogIntervalShort { empty, intervals } => {
            say!(lang, "note-log-interval-short", percent = empty * 100 / (*intervals).max(1))
        }
        NoteFact::WearBudgetReached { written, budget } => {
            say!(
                lang,
                "note-wear-budget-reached",
                written = exact_bytes(*written),
                budget = exact_bytes(*budget)
            )
        }
        NoteFact::FlashTraffic { host_pages, nand_pages, erases, trimmed_pages } => {
            let amplification = match host_pages {
                0 => "-".into(),
                pages => format!("{:.3}", *nand_pages as f64 / *pages as f64),
            };
            let (host, nand, trimmed) = (host_pages, nand_pages, trimmed_pages);
            say!(lang, "note-flash-traffic", amplification, host, nand, erases, trimmed)
        }
        NoteFact::Unanswered { ios } => say!(lang, "note-unanswered", ios),
        NoteFact::NotReadBack => word!(lang, "note-not-read-back").into(),
        NoteFact::PosixaioOnKernelAio { errno } => {
            say!(lang, "note-posixaio-on-kernel-aio", error = errno_text(*errno))
        }
        NoteFact::MeasuredWithLibaio { errno } => {
            say!(lang, "note-measured-with-libaio", error = errno_text(*errno))
        }
        NoteFact::MeasuredWithPsync { uring_errno, libaio_errno } => {
            let (uring, libaio) = (errno_text(*uring_errno), errno_text(*libaio_errno));
            say!(lang, "note-measured-with-psync", uring, libaio)
        }
        NoteFact::NoRegisteredFiles { errno } => {
            say!(lang, "note-no-registered-files", error = errno_text(*errno))
        }
        NoteFact::NoRegisteredBuffer { bytes, errno } => {
            say!(lang, "note-no-registered-buffer", bytes, error = errno_text(*errno))
        }
        NoteFact::NoWorkerLimit { errno } => say!(lang, "note-no-worker-limit", error = errno_text(*errno)),
        NoteFact::NoDeferredTaskWork => word!(lang, "note-no-deferred-task-work").into(),
        NoteFact::Text(text) => text.clone(),
        NoteFact::DepthOfOne
        | NoteFact::OnlyFiles
        | NoteFact::OnlyDirectories
        | NoteFact::DirectoryUnderReadonly
        | NoteFact::FileUnderReadonly
        | NoteFact::CreationDisallowed
        | NoteFact::NoDirectory { .. }
        | NoteFact::NotReserved { .. }
        | NoteFact::LayoutFull => String::new(),
    }
}
