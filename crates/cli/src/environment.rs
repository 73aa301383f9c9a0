//! Environment variables that change the behaviour of fathom, except those of the locale.

use std::time::Duration;

/// Returns the time without any completion after which a device counts as hung; tests shorten it.
pub fn patience() -> Duration {
    let asked = std::env::var("FATHOM_PATIENCE_S").ok().and_then(|s| s.parse().ok());
    Duration::from_secs(asked.unwrap_or(30))
}

/// Whether `fathom fio` writes to devices as fio does, without fathom's own safety checks.
pub fn unguarded() -> bool {
    is_one("FATHOM_FIO_UNGUARDED")
}

/// Whether `fathom fio` prints its findings on standard error.
pub fn findings_of_fio() -> bool {
    is_one("FATHOM_FINDINGS")
}

fn is_one(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| value == "1")
}
