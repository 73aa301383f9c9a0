//! Steady state that ends a job (`steadystate*`).

use super::{Refusal, refuse};
use crate::defaults::default_text;
use crate::job::Measure;
use crate::job_fault::JobFault;
use crate::spec::{Chosen, JobSpec};
use crate::steady::{self, SteadySpec};
use stats::SteadyQuantity;
use stats::unit::{MILLISECOND, SECOND};

/// Returns the steady state that a job waits for; `None` if its window has no sample, as without
/// `steadystate_duration`.
pub(super) fn steady(spec: &JobSpec, measure: &Measure) -> Result<Option<SteadySpec>, Refusal> {
    let duration = spec.steadystate_duration.map_or(0, |time| time.0);
    let interval = spec.steadystate_check_interval.map_or(SECOND, |time| time.0);
    if spec.steadystate_check_interval.is_some()
        && (interval < MILLISECOND || !duration.is_multiple_of(interval))
    {
        return Err(refuse(spec, "steadystate_check_interval", JobFault::CheckInterval));
    }
    let window = duration / interval;
    if window == 0 {
        return Ok(None);
    }
    let chosen = spec.steadystate.clone().unwrap_or_else(|| {
        let limit = default_text("steadystate").split_once(':').map(|(_, limit)| limit.to_owned());
        Chosen { name: "iops_slope", tail: limit }
    });
    // What could not be read was refused where it was typed.
    let Ok(criterion) = steady::criterion(&chosen, spec.base_of("steadystate")) else { return Ok(None) };
    if criterion.quantity == SteadyQuantity::Latency && !measure.clat {
        return Err(refuse(spec, "steadystate", JobFault::Excludes(&["disable_clat", "gtod_reduce"])));
    }
    let ramp = spec.steadystate_ramp_time.map_or(0, |time| time.0);
    Ok(Some(SteadySpec { criterion, window, interval, ramp }))
}
