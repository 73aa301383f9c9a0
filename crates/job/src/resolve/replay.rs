//! Replay of traces.

use super::{Refusal, refuse_value};
use crate::bad_value::BadValue;
use crate::refused_value::FioEnd;
use crate::spec::JobSpec;
use crate::trace::{ReplaySpec, skip};
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Returns the replay of a job; `None` without `read_iolog`. As in fio, `replay_skip` is checked in any case.
pub(super) fn replay(spec: &JobSpec, readonly: bool) -> Result<Option<ReplaySpec>, Refusal> {
    let text = spec.replay_skip.as_deref().unwrap_or_default();
    let mut skip = skip(text).map_err(|kind| {
        let end = FioEnd::FailedParsing(format!("replay_skip={text}"));
        refuse_value(spec, "replay_skip", BadValue::SkipKind { text: kind.into() }, end)
    })?;
    let traces: Vec<PathBuf> = spec.read_iolog.iter().flatten().map(PathBuf::from).collect();
    if traces.is_empty() {
        return Ok(None);
    }
    // As in fio, `--readonly` leaves out what would change data.
    skip[1] |= readonly;
    skip[2] |= readonly;
    // As in fio, 0 is not set.
    let number = |field: Option<i64>, default: NonZeroU64| {
        field.and_then(|n| u64::try_from(n).ok()).and_then(NonZeroU64::new).unwrap_or(default)
    };
    const HUNDRED: NonZeroU64 = NonZeroU64::MIN.saturating_add(99);
    Ok(Some(ReplaySpec {
        traces,
        no_stall: spec.replay_no_stall.unwrap_or(false),
        redirect: spec.replay_redirect.as_ref().filter(|path| !path.is_empty()).map(PathBuf::from),
        scale: number(spec.replay_scale, NonZeroU64::MIN),
        align: number(spec.replay_align, NonZeroU64::MIN),
        time_scale: number(spec.replay_time_scale, HUNDRED),
        skip,
    }))
}
