//! Replay of traces.

use super::{Refusal, refuse_value};
use crate::bad_value::BadValue;
use crate::refused_value::FioEnd;
use crate::spec::JobSpec;
use crate::trace::{MergeSource, MergeSpec, ReplaySpec, skip};
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
    let merge = merge(spec, &traces)?;
    Ok(Some(ReplaySpec {
        traces,
        no_stall: spec.replay_no_stall.unwrap_or(false),
        redirect: spec.replay_redirect.as_ref().filter(|path| !path.is_empty()).map(PathBuf::from),
        scale: number(spec.replay_scale, NonZeroU64::MIN),
        align: number(spec.replay_align, NonZeroU64::MIN),
        time_scale: number(spec.replay_time_scale, HUNDRED),
        skip,
        merge,
    }))
}

/// Returns the traces to merge; `None` without `merge_blktrace_file`.
fn merge(spec: &JobSpec, traces: &[PathBuf]) -> Result<Option<MergeSpec>, Refusal> {
    let Some(file) = spec.merge_blktrace_file.as_ref().filter(|path| !path.is_empty()) else {
        return Ok(None);
    };
    let refuse = |option, bad| refuse_value(spec, option, bad, FioEnd::Silent);
    let list = |option: &'static str, field: &Option<Vec<f64>>, default: f64| match field {
        None => Ok(vec![default; traces.len()]),
        Some(list) if list.len() == traces.len() => Ok(list.clone()),
        Some(list) => {
            let (given, traces) = (list.len(), traces.len());
            Err(refuse(option, BadValue::OnePerTrace { option, given, traces }))
        }
    };
    let percent = list("merge_blktrace_scalars", &spec.merge_blktrace_scalars, 100.0)?;
    let passes = list("merge_blktrace_iters", &spec.merge_blktrace_iters, 1.0)?;
    if !percent.iter().all(|percent| *percent > 0.0) {
        return Err(refuse("merge_blktrace_scalars", BadValue::MergePercentage));
    }
    if !passes.iter().all(|passes| *passes >= 1.0 && passes.fract() == 0.0) {
        return Err(refuse("merge_blktrace_iters", BadValue::MergePasses));
    }
    let sources = traces.iter().zip(percent).zip(passes).map(|((path, time_percent), passes)| MergeSource {
        path: path.clone(),
        time_percent,
        passes: passes as u64,
    });
    Ok(Some(MergeSpec { file: file.into(), sources: sources.collect() }))
}
