//! fio's own messages, word for word: what scripts that call fio look for. English only.

use std::path::Path;

// Values of options.

// Sections, job files, the command line.

// Runs.

/// Returns the refusal of a mounted device without `allow_mounted_write`.
pub fn mounted(path: &Path) -> String {
    format!("fio: {} appears mounted, and 'allow_mounted_write' isn't set. Aborting.", path.display())
}
