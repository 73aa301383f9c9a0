//! Texts for the reasons, errors and notes of `lab` and its result types.

use crate::Lang;
use crate::catalog::{say, word};
use crate::words::job::{self, diagnostics_line, plan_error_line};
use crate::words::note::note;
use crate::words::run::{job_error, setting_fault};
use crate::words::{facts, run};
use lab::doctor::DoctorError;
use lab::explore::job_runner::{AxisError, SETTINGS};
use lab::prefill::{BLOCK, PrefillError, PrefillRefusal};
use lab::resume::OtherTarget;
use lab::target::{TargetError, model_options};
use lab::target_fault::TargetFault;
use stats::failure::Failure;
use stats::unit::MIB;
use stats::{PrefillNote, QuickCaveat, RecordedIn};
use std::path::Path;

/// Returns the reason why a study could not answer a question.
pub fn failure(lang: Lang, fact: &Failure) -> String {
    match fact {
        Failure::NotTheDevice { point } => say!(lang, "lab-failure-not-the-device", point),
        Failure::NothingCompleted => word!(lang, "lab-failure-nothing-completed").into(),
        Failure::NothingTwice { points: [first, second] } => {
            say!(lang, "lab-failure-nothing-twice", first, second)
        }
        Failure::AnotherPath { point } => say!(lang, "lab-failure-another-path", point),
        Failure::RateChanged { iops: Some(iops) } => {
            say!(lang, "lab-failure-rate-changed-from", iops = iops.round())
        }
        Failure::RateChanged { iops: None } => word!(lang, "lab-failure-rate-changed").into(),
        Failure::NoMaximum => word!(lang, "lab-failure-no-maximum").into(),
        Failure::NothingToCompare => word!(lang, "lab-failure-nothing-to-compare").into(),
        Failure::PairsDiffer { pairs } => say!(lang, "lab-failure-pairs-differ", pairs),
        Failure::TooFewRounds => word!(lang, "lab-failure-too-few-rounds").into(),
        Failure::PointsTooShort => word!(lang, "lab-failure-points-too-short").into(),
        Failure::BeyondSeen { seconds } => say!(lang, "lab-failure-beyond-seen", seconds = seconds.round()),
        Failure::BeyondBudget { budgets } => say!(lang, "lab-failure-beyond-budget", budgets),
        Failure::NoGoal => word!(lang, "lab-failure-no-goal").into(),
        Failure::NoQueueSettings => word!(lang, "lab-no-queue-settings").into(),
        Failure::Job(error) => job_error(lang, error),
        Failure::Setting(fault) => setting_fault(lang, fault),
        Failure::Plan(error) => plan_error_line(lang, error),
        Failure::Text(text) => text.clone(),
    }
}

/// Returns the reason why a check or a study could not begin.
pub fn target_error(lang: Lang, error: &TargetError) -> String {
    match error {
        TargetError::Target { path, fault } => target_fault(lang, path, fault),
        TargetError::Run(error) => run::run_error(lang, error),
        TargetError::Hosts { said, .. } => said.clone(),
    }
}

/// Returns the line of a dry run that the run itself would not begin.
pub fn would_not_begin(lang: Lang, why: &str) -> String {
    say!(lang, "lab-would-not-begin", why)
}

/// Returns the reason why a point of a study could not be measured, in English, because the study stores it.
pub fn stored(error: &TargetError) -> String {
    target_error(Lang::En, error)
}

/// Returns the reason why `fathom doctor` cannot examine a target.
pub fn doctor_error(lang: Lang, error: &DoctorError) -> String {
    target_fault(lang, &error.path, &error.fault)
}

/// Returns the path and the reason why it cannot be used.
pub fn target_fault(lang: Lang, path: &Path, fault: &TargetFault) -> String {
    let why = match fault {
        TargetFault::System(errno) => text_of(errno.raw_os_error()),
        TargetFault::NotMeasurable => word!(lang, "lab-target-not-measurable").into(),
        TargetFault::Directory => word!(lang, "lab-target-directory").into(),
        TargetFault::NotFillable => word!(lang, "lab-target-not-fillable").into(),
        TargetFault::TooSmall { bytes } => say!(lang, "lab-target-too-small", bytes),
        TargetFault::OtherEngine { engine } => say!(lang, "lab-target-other-engine", engine),
        TargetFault::NotOnServer => {
            let command = path.to_str().and_then(|name| job::fill_command(name, Some("1g")));
            say!(lang, "lab-target-not-on-server", command = command.unwrap_or_default())
        }
        TargetFault::OnServer => match path.to_str().and_then(|name| job::fill_command(name, None)) {
            Some(command) => say!(lang, "lab-target-on-server-fill", command),
            None => word!(lang, "lab-target-on-server").into(),
        },
        TargetFault::Password => word!(lang, "lab-target-password").into(),
        TargetFault::NoAccess(error) => super::objects::access_error(lang, error),
        TargetFault::Objects(error) => super::objects::error(lang, error),
        TargetFault::ServerName => word!(lang, "lab-target-server-name").into(),
        TargetFault::JobFile => say!(lang, "lab-target-job-file", path = path.to_string_lossy()),
        TargetFault::Simulated => word!(lang, "lab-target-simulated").into(),
        TargetFault::ModelSize { option } => say!(lang, "lab-target-model-size", option),
        TargetFault::ModelOption { name } => {
            let known = model_options().collect::<Vec<_>>().join(", ");
            say!(lang, "lab-target-model-option", name, known)
        }
        TargetFault::Job { diagnostics } => diagnostics_line(lang, diagnostics),
        TargetFault::Plan(error) => plan_error_line(lang, error),
        TargetFault::Failed(error) => job_error(lang, error),
        TargetFault::ScratchNotFilled(error) => {
            say!(lang, "lab-target-scratch-not-filled", error = job_error(lang, error))
        }
        TargetFault::ScratchTooSlow => word!(lang, "lab-target-scratch-too-slow").into(),
        TargetFault::ReadOnly => word!(lang, "lab-target-read-only").into(),
        TargetFault::NoRoomForScratch { free, memory, image } => {
            /// Smallest scratch file, MiB, and the shares of the free space and memory that it may take.
            const LEAST: [u64; 3] = [16, 10, 8];
            let [least, of_space, of_memory] = LEAST;
            let (free, memory) = (free / MIB, memory / MIB);
            if memory / of_memory < free / of_space {
                let more = (least * of_memory).saturating_sub(memory).max(1);
                say!(lang, "lab-target-no-memory-for-scratch", memory, more)
            } else {
                let more = (least * of_space).saturating_sub(free).max(1);
                match image {
                    None => say!(lang, "lab-target-no-room-for-scratch", free, more),
                    Some(image) => {
                        let image = shown(image);
                        say!(lang, "lab-target-no-room-for-scratch-in-image", free, more, image)
                    }
                }
            }
        }
        TargetFault::NoScratch(errno) => {
            say!(lang, "lab-target-no-scratch", error = text_of(errno.raw_os_error()))
        }
        TargetFault::UnknownDevice => word!(lang, "lab-target-unknown-device").into(),
        TargetFault::NoRoomToFill { needed, free, under } => {
            let (needed, free) = (needed.div_ceil(MIB), free / MIB);
            match under {
                None => say!(lang, "lab-target-no-room-to-fill", needed, free),
                Some(under) => {
                    let under = shown(under);
                    say!(lang, "lab-target-no-room-to-fill-under", needed, free, under)
                }
            }
        }
    };
    format!("{}: {why}", path.display())
}

/// Returns why the stored study `id` does not go on: its target is another one.
pub fn other_target(lang: Lang, id: i64, target: &str, other: &OtherTarget) -> String {
    let why = match other {
        OtherTarget::Size { before, now } => say!(lang, "study-other-size", before, now),
        OtherTarget::File => word!(lang, "study-other-file").into(),
        OtherTarget::Disks { before, now } => say!(lang, "study-other-disks", before, now),
        OtherTarget::Direct => word!(lang, "study-other-kind").into(),
    };
    say!(lang, "study-other-target", target, id, why)
}

/// Returns the reason why a setting cannot be varied.
pub fn axis_error(lang: Lang, error: &AxisError) -> String {
    match error {
        AxisError::Unknown { name } => say!(lang, "lab-axis-unknown", name, known = SETTINGS.join(", ")),
        AxisError::NoQueueSettings => word!(lang, "lab-no-queue-settings").into(),
        AxisError::Unreadable { path, errno } => {
            format!("{}: {}", path.display(), text_of(errno.raw_os_error()))
        }
        AxisError::OneValue { path, value } => say!(lang, "lab-axis-one-value", path = shown(path), value),
    }
}

/// Returns the reason why a target was not filled, or only in part.
pub fn prefill_error(lang: Lang, error: &PrefillError) -> String {
    match error {
        PrefillError::Target { path, fault } => target_fault(lang, path, fault),
        PrefillError::Ranges { path, source } => {
            format!("{}: {}", path.display(), facts::ranges_error(lang, source))
        }
        PrefillError::Unaligned { option, value } => {
            say!(lang, "lab-prefill-unaligned", option, value, block = BLOCK)
        }
        PrefillError::AfterEnd { path, offset, size } => {
            say!(lang, "lab-prefill-after-end", path = shown(path), offset, size)
        }
        PrefillError::Unreadable { path, failed, of } => {
            say!(lang, "lab-prefill-unreadable", path = shown(path), failed, of)
        }
        PrefillError::Refused { path, reason } => refusal(lang, &shown(path), reason),
        PrefillError::Unchecked(refusal) => run::refusal(lang, refusal),
        PrefillError::Fill { path, source } => {
            let (path, error) = (shown(path), source.to_string());
            say!(lang, "lab-prefill-write-failed", path, error)
        }
    }
}

fn refusal(lang: Lang, path: &str, reason: &PrefillRefusal) -> String {
    match reason {
        PrefillRefusal::WrittenMeanwhile { filled, of } => {
            say!(lang, "lab-refused-written-meanwhile", path, filled, of)
        }
        PrefillRefusal::OpenedMeanwhile { filled, of } => {
            say!(lang, "lab-refused-opened-meanwhile", path, filled, of)
        }
        PrefillRefusal::NoConsent { bytes } => say!(lang, "lab-refused-no-consent", path, bytes),
        PrefillRefusal::Changed => say!(lang, "lab-refused-changed", path),
        PrefillRefusal::Replaced => say!(lang, "lab-refused-replaced", path),
        PrefillRefusal::NoLease(errno) => {
            say!(lang, "lab-refused-no-lease", path, error = text_of(errno.raw_os_error()))
        }
        PrefillRefusal::OpenElsewhere => say!(lang, "lab-refused-open-elsewhere", path),
        PrefillRefusal::WritableElsewhere => say!(lang, "lab-refused-writable-elsewhere", path),
        PrefillRefusal::Carries(signature) => {
            say!(lang, "lab-refused-carries", path, content = facts::signature(lang, signature))
        }
        PrefillRefusal::InUse(uses) => {
            let uses = uses.iter().map(|used| facts::device_use(lang, used)).collect::<Vec<_>>().join("; ");
            say!(lang, "lab-refused-in-use", path, uses)
        }
        PrefillRefusal::NotAllowed { bytes } => say!(lang, "lab-refused-not-allowed", path, bytes),
        PrefillRefusal::HeldExclusively => say!(lang, "lab-refused-held-exclusively", path),
    }
}

/// Returns the text of a note about a prefill.
pub fn prefill_note(lang: Lang, note: &PrefillNote) -> String {
    match note {
        PrefillNote::HoldsZeros => word!(lang, "lab-prefill-holds-zeros").into(),
        PrefillNote::DiscardedSince => word!(lang, "lab-prefill-discarded-since").into(),
        PrefillNote::StillUnwritten { bytes } => say!(lang, "lab-prefill-still-unwritten", bytes),
        PrefillNote::NoStateDirectory => word!(lang, "lab-prefill-no-state-directory").into(),
        PrefillNote::NotRecorded { errno } => say!(lang, "lab-prefill-not-recorded", error = text_of(*errno)),
        PrefillNote::Text(text) => text.clone(),
    }
}

/// Returns the place of the record that a target is filled.
pub fn recorded_in(lang: Lang, place: &RecordedIn) -> String {
    match place {
        RecordedIn::Attribute { name } => say!(lang, "lab-prefill-recorded-in-attribute", name),
        RecordedIn::Text(path) => path.clone(),
    }
}

/// Returns a caveat about the figures of a check.
pub fn quick_caveat(lang: Lang, caveat: &QuickCaveat) -> String {
    match caveat {
        QuickCaveat::NoDirectIo => word!(lang, "lab-check-no-direct-io").into(),
        QuickCaveat::Interrupted => word!(lang, "lab-check-interrupted").into(),
        QuickCaveat::Note(fact) => note(lang, fact),
        QuickCaveat::Text(text) => text.clone(),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the kernel's text of an errno.
fn text_of(errno: i32) -> String {
    ::run::job_error::errno_text(errno)
}
