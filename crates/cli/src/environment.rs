//! Environment variables that change the behaviour of fathom, except those of the locale.

use std::time::Duration;

/// Returns the time for which fathom waits for a device that completes no I/O: `FATHOM_PATIENCE_S` seconds, by
/// default 30 (tests set a shorter time).
pub fn patience() -> Duration {
    let asked = std::env::var("FATHOM_PATIENCE_S").ok().and_then(|s| s.parse().ok());
    Duration::from_secs(asked.unwrap_or(30))
}

/// Returns whether `fathom fio` writes to devices without fathom's own checks, as fio does: `FATHOM_FIO_UNGUARDED=1`.
pub fn unguarded() -> bool {
    is_one("FATHOM_FIO_UNGUARDED")
}

/// Returns whether `fathom fio` prints findings on standard error: `FATHOM_FINDINGS=1`.
pub fn findings_of_fio() -> bool {
    is_one("FATHOM_FINDINGS")
}

fn is_one(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| value == "1")
}
