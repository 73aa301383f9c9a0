//! Verification of a job's data.

use super::{Refusal, bounded, chosen, is, positive, refuse};
use crate::defaults::or_default;
use crate::job::*;
use crate::job_fault::JobFault;
use crate::spec::JobSpec;
use crate::verify::{Backlog, Checksum, HEADER, Method, OffsetPattern, Policy, TrimSpec, VerifySpec, gcd};
use crate::zoned::ZonedFault;
use stats::Direction;

/// Largest number of threads that check the blocks of a clone.
const MOST_THREADS: i64 = 1024;

pub(super) fn verify(
    spec: &JobSpec,
    pattern: &PatternSpec,
    engine: &EngineChoice,
) -> Result<Option<VerifySpec>, Refusal> {
    let on = |field: Option<bool>, default: bool| field.unwrap_or(default);
    let data = OffsetPattern {
        bytes: spec.verify_pattern.as_ref().map_or(Vec::new(), |pattern| pattern.bytes.clone()),
        offsets: spec.verify_pattern.as_ref().map_or(Vec::new(), |pattern| pattern.offsets.clone()),
        interval: positive(spec.verify_pattern_interval),
    };
    let method = match chosen(&spec.verify) {
        None if !data.bytes.is_empty() => Method::Header(Checksum::Pattern),
        None | Some("0") => return Ok(None),
        Some("null") => Method::Null,
        Some("pattern") => Method::Pattern,
        Some(name) => match Checksum::ALL.iter().find(|(known, _)| *known == name) {
            Some((_, checksum)) => Method::Header(*checksum),
            None => return Ok(None),
        },
    };
    let needs_pattern = matches!(method, Method::Pattern | Method::Header(Checksum::Pattern));
    if needs_pattern && data.bytes.is_empty() {
        return Err(refuse(spec, "verify", JobFault::VerifyWithoutPattern));
    }
    if !engine.does_io()
        || matches!(
            engine,
            EngineChoice::Names(..)
                | EngineChoice::Falloc
                | EngineChoice::Ftruncate
                | EngineChoice::Defrag(_)
        )
    {
        return Err(refuse(spec, "verify", JobFault::VerifyWithoutData { engine: engine.name() }));
    }
    let used = [Direction::Read, Direction::Write].into_iter().filter(|d| pattern.mix.has(*d));
    let blocks: Vec<(u64, u64)> = used.map(|d| pattern.block[d as usize]).collect();
    let sizes = pattern.sizes.split.iter().flatten();
    if pattern.sizes.unaligned && blocks.iter().any(|block| block.0 != block.1) {
        return Err(refuse(spec, "verify", JobFault::VerifyUnaligned));
    }
    let interval = interval(
        spec.verify_interval.filter(|n| *n > 0).map(|n| n as u64),
        &blocks,
        &sizes.map(|part| part.0).collect::<Vec<_>>(),
    );
    let offset = spec.verify_offset.map_or(0, |n| n.max(0) as u64);
    if let Method::Header(checksum) = method {
        // The header changes places with data in front of it.
        let head = (HEADER + checksum.size()) as u64;
        let least = head + if offset > 0 { offset.max(head) } else { 0 };
        if offset > 0 && offset < head {
            return Err(refuse(spec, "verify_offset", JobFault::BelowLeast(head)));
        }
        if interval < least {
            return Err(refuse(spec, "verify", JobFault::VerifyBlockTooSmall { interval, least }));
        }
    }
    let rounds = |every: Option<i64>, batch: Option<i64>| {
        positive(every).map(|every| Backlog { every, batch: positive(batch).unwrap_or(every) })
    };
    let percent = spec.trim_percentage.map_or(0, |n| n.clamp(0, 100) as u8);
    let read_back = on(spec.do_verify, or_default(&spec.do_verify, "do_verify"));
    let trims = (percent > 0 && read_back && pattern.mix.has(Direction::Write)).then(|| TrimSpec {
        percent,
        zeros: on(spec.trim_verify_zero, true),
        backlog: rounds(spec.trim_backlog, spec.trim_backlog_batch),
    });
    if trims.is_some() && pattern.zoned.is_some() {
        return Err(refuse(spec, "trim_percentage", JobFault::Zoned(ZonedFault::Trims)));
    }
    Ok(Some(VerifySpec {
        method,
        read_back,
        only: on(spec.verify_only, false),
        interval: interval.min(u64::from(u32::MAX)) as u32,
        offset: offset as u32,
        pattern: data,
        fatal: on(spec.verify_fatal, false),
        dump: on(spec.verify_dump, false),
        checks: !matches!(engine, EngineChoice::Null { .. } | EngineChoice::Model(_)),
        backlog: rounds(spec.verify_backlog, spec.verify_backlog_batch),
        trims,
        save_state: on(spec.verify_state_save, true),
        load_state: on(spec.verify_state_load, false),
        policy: if is(&spec.verify_policy, "fsynced") { Policy::Fsynced } else { Policy::Completed },
        seed: on(spec.verify_header_seed, true),
        threads: bounded(spec, "verify_async", spec.verify_async, 0, MOST_THREADS)?,
        thread_cpus: spec.verify_async_cpus.clone().unwrap_or_default(),
    }))
}

/// Returns the distance between two headers in bytes: the interval of the options, or the smallest block, unless it does
/// not divide every block size. `sizes` are the sizes of `bssplit`.
fn interval(given: Option<u64>, blocks: &[(u64, u64)], sizes: &[u64]) -> u64 {
    let low = blocks.iter().map(|block| block.0).min().unwrap_or(4096);
    let asked = given.unwrap_or(low);
    let all = || blocks.iter().flat_map(|block| [block.0, block.1]).chain(sizes.iter().copied());
    if all().all(|size| size.is_multiple_of(asked)) { asked } else { all().fold(0, gcd) }
}
