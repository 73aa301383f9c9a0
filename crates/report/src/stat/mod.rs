//! `fathom stat`: the report of iostat, what fathom adds to it, and the history.

mod added;
mod history;
mod iostat;
pub mod view;

use crate::Lang;
use crate::catalog::{say, word};

pub use added::{added, processes};
pub use history::{HISTORY_HEAD, HistoryFault, history_line, read_history};
pub use iostat::{
    Colours, Format, Host, INVALID_PERSISTENT_NAME, Unit, closing, devices_and_cpu, opening, separator,
    usage, version,
};

/// Returns the refusal of `--watch` without a terminal.
pub fn no_terminal(lang: Lang) -> &'static str {
    word!(lang, "stat-no-terminal")
}

/// Returns the message about a history that cannot be read.
pub fn no_history(lang: Lang, file: &str, error: &str) -> String {
    say!(lang, "stat-no-history", file, error)
}

/// Returns the message about a line of a history that is no report.
pub fn bad_history(lang: Lang, file: &str, line: usize) -> String {
    say!(lang, "stat-bad-history", file, line)
}

/// Returns the message about a history that cannot be written.
pub fn history_lost(lang: Lang, file: &str, error: &str) -> String {
    say!(lang, "stat-history-lost", file, error)
}

/// Returns the message about an option without its value.
pub fn needs_value(lang: Lang, option: &str) -> String {
    say!(lang, "stat-needs-value", option)
}

/// Returns the message about two options that exclude each other.
pub fn excluded(lang: Lang, first: &str, second: &str) -> String {
    say!(lang, "stat-excluded", first, second)
}

/// Returns the message about a wrong number of processes.
pub fn bad_top(lang: Lang) -> &'static str {
    word!(lang, "stat-bad-top")
}
