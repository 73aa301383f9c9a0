//! Errors, refusals and notes of a run in words.

use crate::catalog::{say, word};
use crate::words::facts;
use crate::{Lang, fio_messages};
use ::facts::usage::Use;
use ::run::RunError;
use ::run::consent::Policy;
use ::run::limits::bytes;
use ::run::refusal::{Found, NotOurs, Refusal, RefusalReason, UnusableKind, Writer};
use std::path::Path;

/// Returns why a run did not begin.
pub fn run_error(lang: Lang, error: &RunError) -> String {
    match error {
        RunError::Refused(found) => refusal(lang, found),
        error => error.to_string(),
    }
}

/// Returns why a plan is not run, and how to insist.
pub fn refusal(lang: Lang, refusal: &Refusal) -> String {
    let path = refusal.path.display().to_string();
    match &refusal.reason {
        RefusalReason::Overwrite { writer: by, found: all, policy } => {
            let writer = writer(lang, by);
            let found: Vec<_> = all.iter().map(|one| found(lang, one, &refusal.path)).collect();
            let found = found.join("; ");
            match policy {
                Policy::Fio => say!(lang, "run-refused-overwrite-fio", writer, path, found),
                _ => say!(lang, "run-refused-overwrite", writer, path, found),
            }
        }
        RefusalReason::Unusable { writer: by, kind } => {
            let (writer, kind) = (writer(lang, by), unusable(lang, *kind));
            say!(lang, "run-refused-unusable", writer, path, kind)
        }
        RefusalReason::MountedForFio => fio_messages::mounted(&refusal.path),
        RefusalReason::FillsFileSystem { most } => {
            let most = bytes(*most);
            say!(lang, "run-refused-fills-file-system", path, most)
        }
        RefusalReason::NoSpace { wanted, free, reserve } => {
            let (wanted, free, reserve) = (bytes(*wanted), bytes(*free), bytes(*reserve));
            say!(lang, "run-refused-no-space", path, wanted, free, reserve)
        }
        RefusalReason::NoSpaceForLayout { wanted, free } => {
            let (wanted, free) = (bytes(*wanted), bytes(*free));
            say!(lang, "run-no-space-for-layout", path, wanted, free)
        }
        RefusalReason::Changed { line } => line.clone(),
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
        Found::DeviceUse(used @ Use::Unknown { .. }) => {
            let (used, path) = (facts::device_use(lang, used), path.display().to_string());
            say!(lang, "run-found-unknown-data", used, path)
        }
        Found::DeviceUse(used) => facts::device_use(lang, used),
        Found::UnknownToSysfs => word!(lang, "run-found-unknown-to-sysfs").into(),
        Found::HeldExclusively => word!(lang, "run-found-held-exclusively").into(),
        Found::FileUse(used) => facts::file_use(lang, used),
        Found::OpenElsewhere => word!(lang, "run-found-open-elsewhere").into(),
        Found::Exists { bytes, because } => {
            let (bytes, because) = (bytes.to_string(), not_ours(lang, *because));
            say!(lang, "run-found-exists", bytes, because)
        }
    }
}

fn not_ours(lang: Lang, because: NotOurs) -> String {
    match because {
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
        UnusableKind::NoDevice => word!(lang, "run-unusable-no-device"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    fn english(reason: RefusalReason) -> String {
        refusal(Lang::En, &Refusal { path: "/dev/sda".into(), reason })
    }

    #[test]
    fn english_words_of_every_refusal() {
        let overwrite = |found, policy| {
            let writer = Writer::Job("w".into());
            english(RefusalReason::Overwrite { writer, found, policy })
        };
        let swap = Found::DeviceUse(Use::Swap { device: "sda1".into() });
        let unknown = Found::DeviceUse(Use::Unknown { offset: 512, at_end: false });
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
