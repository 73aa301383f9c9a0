//! Names that contain the pid of the process that created them.
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Prefix of the names of directories, cgroups and backing files that the testbed makes.
pub(crate) const PREFIX: &str = "fathom-test-";

static SERIAL: AtomicU32 = AtomicU32::new(0);

/// Returns a new name with the pid of this process: `fathom-test-<pid>-<serial>`.
pub(crate) fn own_name() -> String {
    format!("{PREFIX}{}-{}", std::process::id(), SERIAL.fetch_add(1, Relaxed))
}

/// Returns the pid in a name made by [`own_name`].
fn maker(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.split('-').next()?.parse().ok()
}

/// Returns whether a name is of the testbed and its process no longer runs.
pub(crate) fn stale(name: &str) -> bool {
    maker(name).is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists())
}
