//! Whether a stored sweep may go on with the target that its path leads to now.

use stats::study::{Study, StudyTarget};

/// Difference between the target of a stored sweep and the one found now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OtherTarget {
    /// The target has another size, bytes.
    Size {
        /// Size of the stored target.
        before: u64,
        /// Size now.
        now: u64,
    },
    /// Another file has taken the place.
    File,
    /// The device has other layers or disks.
    Disks {
        /// Layers and disks of the stored target.
        before: String,
        /// Layers and disks now.
        now: String,
    },
    /// The target opens with other flags: with direct I/O before or now, but not both.
    Direct,
}

/// Returns how the target found now differs from that of a stored sweep; `None` if the sweep may go on. A scratch file is
/// made anew, so that only its size must suffice.
pub fn other_target(
    study: &Study,
    found: &StudyTarget,
    disks: &[String],
    file: Option<(u64, u64)>,
) -> Option<OtherTarget> {
    let before = study.targets.first()?;
    let (then, now) = (before.size, found.size);
    if before.scratch != found.scratch || before.direct != found.direct {
        return Some(OtherTarget::Direct);
    }
    if found.scratch {
        return (now < then).then_some(OtherTarget::Size { before: then, now });
    }
    if then != now {
        return Some(OtherTarget::Size { before: then, now });
    }
    let known = study.asked.sweep.as_ref().and_then(|asked| asked.file);
    if known.is_some() && known != file {
        return Some(OtherTarget::File);
    }
    let names = |stack: &[String], disks: &[String]| [stack, disks].concat().join(", ");
    let (then, now) = (names(&before.stack, &study.host.disks), names(&found.stack, disks));
    (then != now).then_some(OtherTarget::Disks { before: then, now })
}
