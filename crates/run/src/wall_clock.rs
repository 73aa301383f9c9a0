//! Times of the wall clock, in milliseconds.

use job::job::Job;

/// Returns the time of the clock `job_start_clock_id` `ago` nanoseconds ago, in milliseconds; `None` if the option is
/// not set or the clock does not exist.
pub(crate) fn start_clock(job: &Job, ago: u64) -> Option<u64> {
    let now = sys::host::clock_ms(job.measure.start_clock?).ok()?;
    Some(now.saturating_sub(ago / 1_000_000))
}

/// Returns the current time in milliseconds since the epoch.
pub fn epoch_ms() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
}
