//! Names that carry the pid of their maker.
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// All that the testbed makes starts with this: directories, cgroups; loop devices by their backing file's path.
pub(crate) const PREFIX: &str = "fathom-test-";

static SERIAL: AtomicU32 = AtomicU32::new(0);

/// A name of this process's own: `fathom-test-<pid>-<serial>`.
pub(crate) fn own_name() -> String {
    format!("{PREFIX}{}-{}", std::process::id(), SERIAL.fetch_add(1, Relaxed))
}

/// The pid in a name made by [`own_name`].
fn maker(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.split('-').next()?.parse().ok()
}

/// True for a name of ours whose maker no longer runs.
pub(crate) fn stale(name: &str) -> bool {
    maker(name).is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists())
}
