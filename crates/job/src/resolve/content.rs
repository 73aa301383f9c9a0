//! Contents of a job's writes.

use super::{Refusal, is, refuse};
use crate::defaults::or_default;
use crate::job::*;
use crate::job_fault::JobFault;
use crate::spec::JobSpec;
use stats::Direction;

pub(super) fn payload(spec: &JobSpec, pattern: &PatternSpec) -> PayloadSpec {
    let (compress, repeats) = (spec.buffer_compress_percentage, spec.dedupe_percentage);
    let bytes = spec.buffer_pattern.as_ref().map_or(Vec::new(), |pattern| pattern.bytes.clone());
    let zero = spec.zero_buffers.unwrap_or(false);
    let dedupe = repeats.filter(|percent| *percent > 0).map(|percent| Dedupe {
        percent: percent.min(100) as u8,
        piece: pattern.block[Direction::Write as usize].0.max(1),
        working_set: is(&spec.dedupe_mode, "working_set").then(|| {
            or_default(&spec.dedupe_working_set_percentage, "dedupe_working_set_percentage").clamp(0, 100)
                as u8
        }),
        global: spec.dedupe_global.unwrap_or(false),
    });
    let percent = match compress {
        Some(percent @ 1..=99) => percent as u8,
        // Pieces that repeat each other but hold nothing would all be one: fio makes them of noise.
        Some(100) if dedupe.is_none() => 100,
        None | Some(0) if dedupe.is_none() && (zero || !bytes.is_empty()) => 100,
        None | Some(0) if dedupe.is_some_and(|d| d.percent < 100) && !bytes.is_empty() => 100,
        _ => 0,
    };
    let refill = spec.refill_buffers.unwrap_or(matches!(compress, Some(0..=99)) || repeats.is_some());
    let scramble = compress.is_none() && repeats.is_none() && spec.scramble_buffers.unwrap_or(!zero);
    PayloadSpec {
        percent,
        chunk: or_default(&spec.buffer_compress_chunk, "buffer_compress_chunk").clamp(0, i64::from(u32::MAX))
            as u32,
        pattern: bytes,
        renewal: match (refill, scramble) {
            (true, _) => Renewal::Refill,
            (false, true) => Renewal::Scramble,
            (false, false) => Renewal::Never,
        },
        dedupe,
    }
}

/// Checks that the working set of duplicates is a percentage of a known size and leaves enough blocks outside.
pub(super) fn check_dedupe(spec: &JobSpec, target: &Target) -> Result<(), Refusal> {
    let percent = spec.dedupe_percentage.unwrap_or(0);
    if percent == 0 || !is(&spec.dedupe_mode, "working_set") {
        return Ok(());
    }
    if target.size.is_none() {
        return Err(refuse(spec, "dedupe_mode", JobFault::WorkingSetWithoutSize));
    }
    if target.nrfiles > 1 {
        return Err(refuse(spec, "dedupe_mode", JobFault::WorkingSetOfFiles { files: target.nrfiles }));
    }
    let set = or_default(&spec.dedupe_working_set_percentage, "dedupe_working_set_percentage");
    if percent + set > 100 {
        let fault = JobFault::WorkingSetTooLarge { dedupe: percent, set };
        return Err(refuse(spec, "dedupe_working_set_percentage", fault));
    }
    Ok(())
}
