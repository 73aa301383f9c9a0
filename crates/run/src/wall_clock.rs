//! Times of the wall clock, in milliseconds.

use job::job::Job;

/// What the clock that `job_start_clock_id` asks for said so many nanoseconds ago, in milliseconds.
pub(crate) fn start_clock(job: &Job, ago: u64) -> Option<u64> {
    let now = sys::host::clock_ms(job.measure.start_clock?).ok()?;
    Some(now.saturating_sub(ago / 1_000_000))
}

/// Now, milliseconds since 1970.
pub fn epoch_ms() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
}
