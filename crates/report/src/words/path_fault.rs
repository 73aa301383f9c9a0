//! Text for a path whose kind, size or contents cannot be read.

use crate::Lang;
use crate::catalog::word;
use stats::plan_error::PathFault;
use std::io;

/// Returns the reason why a path cannot be used.
pub(super) fn path_fault(lang: Lang, fault: &PathFault) -> String {
    match fault {
        PathFault::Errno(errno) => io::Error::from_raw_os_error(*errno).to_string(),
        PathFault::NoBlockDevice => word!(lang, "job-plan-no-block-device").into(),
        PathFault::NoCharacterDevice => word!(lang, "job-plan-no-character-device").into(),
        PathFault::NoRegularFile => word!(lang, "job-plan-no-regular-file").into(),
        PathFault::Other(text) => text.clone(),
    }
}
