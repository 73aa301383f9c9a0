//! fio's normal output after `Starting`: job entries, status groups, disk statistics.

use stats::RunResult;

/// Everything that fio prints of a finished run, from the blank line before the first entry to the disk statistics.
pub fn render(_r: &RunResult) -> String {
    String::new()
}
