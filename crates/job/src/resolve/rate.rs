//! Highest and lowest rates of a job (`rate*`), in bytes and in I/Os per second.

use super::{Refusal, is, refuse};
use crate::defaults::or_default;
use crate::job::PatternSpec;
use crate::job_fault::JobFault;
use crate::rate::Rate;
use crate::spec::JobSpec;
use stats::unit::MILLISECOND;

/// Returns the rates of a job; `None` if none is set.
pub(super) fn rate(spec: &JobSpec, pattern: &PatternSpec) -> Result<Option<Rate>, Refusal> {
    let each =
        |list: Option<[Option<i64>; 3]>| list.unwrap_or_default().map(|n| n.unwrap_or(0).max(0) as u64);
    let (bytes, ios) = (each(spec.rate), each(spec.rate_iops));
    if bytes != [0; 3] && ios != [0; 3] {
        return Err(refuse(spec, "rate_iops", JobFault::Excludes(&["rate"])));
    }
    let (least_bytes, least_ios) = (each(spec.rate_min), each(spec.rate_iops_min));
    let pairs = [("rate_min", "rate", bytes, least_bytes), ("rate_iops_min", "rate_iops", ios, least_ios)];
    for (option, rate, most, least) in pairs {
        let over = |d: &usize| most[*d] > 0 && most[*d] < least[*d];
        let directions: Vec<usize> = (0..3).filter(over).collect();
        if !directions.is_empty() {
            return Err(refuse(spec, option, JobFault::MinimumAboveRate { rate, directions }));
        }
    }
    let mut block = pattern.block.map(|range| range.0.max(1));
    block[2] = block[2].saturating_mul(u64::from(pattern.trim_ranges.max(1)));
    // fio counts I/Os in bytes, too: those of larger blocks take longer until the next one.
    let most = std::array::from_fn(|d| bytes[d].max(ios[d].saturating_mul(block[d])));
    let cycle = or_default(&spec.rate_cycle, "rate_cycle").max(1) as u64;
    let rate = Rate {
        most,
        block,
        poisson: is(&spec.rate_process, "poisson"),
        least_bytes,
        least_ios,
        cycle: cycle.saturating_mul(MILLISECOND),
    };
    Ok((rate.paces() || rate.has_least()).then_some(rate))
}
