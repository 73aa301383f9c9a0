//! Why the kind and size of a path cannot be known, or its contents not read, in words.

use crate::Lang;
use crate::catalog::word;
use stats::plan_error::PathFault;
use std::io;

/// Returns why a path cannot be used.
pub(super) fn path_fault(lang: Lang, fault: &PathFault) -> String {
    match fault {
        PathFault::Errno(errno) => io::Error::from_raw_os_error(*errno).to_string(),
        PathFault::NoBlockDevice => word!(lang, "job-plan-no-block-device").into(),
        PathFault::NoCharacterDevice => word!(lang, "job-plan-no-character-device").into(),
        PathFault::NoRegularFile => word!(lang, "job-plan-no-regular-file").into(),
        PathFault::Other(text) => text.clone(),
    }
}
