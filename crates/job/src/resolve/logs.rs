//! Logs over time.

use super::{Refusal, chosen, or_default, positive, refuse};
use crate::job::{EngineChoice, Measure};
use crate::job_fault::JobFault;
use crate::logs::{LogSpec, LogValues};
use crate::spec::JobSpec;
use stats::unit::MILLISECOND;
use std::num::NonZeroU64;

/// Bytes that are compressed at a time if `log_compression` is not set.
const COMPRESSED_AT_ONCE: u32 = 1 << 20;

/// Returns the logs of a job.
///
/// # Errors
/// The times of the logs are of a clock that does not exist; `log_issue_time` is set without the options it needs.
pub(super) fn logs(spec: &JobSpec, measure: &Measure, engine: &EngineChoice) -> Result<LogSpec, Refusal> {
    let on = |field: Option<bool>| field.unwrap_or(false);
    // Without a value, the prefix is the name of the job.
    let prefix = |field: &Option<String>| {
        let own = || spec.name.clone().unwrap_or_default();
        field.as_ref().map(|typed| if typed.is_empty() { own() } else { typed.clone() })
    };
    let latency = |measured: bool| prefix(&spec.write_lat_log).filter(|_| measured);
    let reduced = on(spec.gtod_reduce);
    let interval = |ms: Option<i64>| ms.unwrap_or(0).max(0) as u64 * MILLISECOND;
    // As in fio, the file of slat stays empty where an I/O is complete when its call returns.
    let rows = [
        !reduced && !on(spec.disable_bw),
        !reduced,
        measure.shown.slat,
        measure.clat,
        measure.lat,
        measure.clat,
    ];
    let kept = |disabled: Option<bool>| !reduced && !on(disabled);
    let clock =
        (on(spec.log_unix_epoch) || on(spec.log_alternate_epoch)).then(|| match spec.log_unix_epoch {
            Some(true) => 0,
            _ => or_default(&spec.log_alternate_epoch_clock_id, "log_alternate_epoch_clock_id"),
        });
    if clock.is_some_and(|id| !super::is_clock_of_time(id)) {
        return Err(refuse(spec, "log_alternate_epoch_clock_id", JobFault::NoClock));
    }
    let issue_time = on(spec.log_issue_time);
    if issue_time && !(spec.write_lat_log.is_some() && on(spec.log_offset)) {
        return Err(refuse(spec, "log_issue_time", JobFault::IssueTimeAlone));
    }
    Ok(LogSpec {
        prefixes: [
            prefix(&spec.write_bw_log),
            prefix(&spec.write_iops_log),
            latency(kept(spec.disable_slat)),
            latency(kept(spec.disable_clat)),
            latency(kept(spec.disable_lat)),
            prefix(&spec.write_hist_log),
        ],
        rows: rows.map(|rows| rows && engine.does_io() && spec.stats != Some(false)),
        interval: interval(spec.log_avg_msec),
        histogram_interval: interval(spec.log_hist_msec),
        coarseness: or_default(&spec.log_hist_coarseness, "log_hist_coarseness").clamp(0, 31) as u32,
        values: match chosen(&spec.log_max_value) {
            Some("max" | "1") => LogValues::Max,
            Some("both") => LogValues::Both,
            _ => LogValues::Mean,
        },
        offset: on(spec.log_offset),
        priority: on(spec.log_prio),
        issue_time,
        entries: or_default(&spec.log_entries, "log_entries") as u32,
        compressed: on(spec.log_store_compressed),
        compression: positive(spec.log_compression)
            .map_or(COMPRESSED_AT_ONCE, |n: NonZeroU64| n.get() as u32),
        cpus: spec.log_compression_cpus.clone().unwrap_or_default(),
        per_job: or_default(&spec.per_job_logs, "per_job_logs"),
        clock: clock.map(|id| id as i32),
    })
}
