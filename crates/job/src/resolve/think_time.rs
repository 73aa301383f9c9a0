//! Think time of a job (`thinktime*`, `thinkcycles`).

use super::{is, positive};
use crate::defaults::or_default;
use crate::spec::{JobSpec, Nanos};
use crate::think_time::ThinkTime;
use std::num::NonZeroU64;

/// Returns the pauses of a job; `None` if it has none.
pub(super) fn think_time(spec: &JobSpec) -> Option<ThinkTime> {
    let nanos = |field: Option<Nanos>| field.map_or(0, |n| n.0);
    let pause = nanos(spec.thinktime);
    let io_time = NonZeroU64::new(nanos(spec.thinktime_iotime));
    let blocks = or_default(&spec.thinktime_blocks, "thinktime_blocks").max(1);
    let think_time = ThinkTime {
        pause,
        spin: nanos(spec.thinktime_spin).min(pause),
        // The default number of I/Os does not count beside a time.
        blocks: positive(Some(blocks)).filter(|_| io_time.is_none() || spec.thinktime_blocks.is_some()),
        by_issue: is(&spec.thinktime_blocks_type, "issue"),
        io_time,
        cycles: spec.thinkcycles.unwrap_or(0).max(0) as u64,
        holds_rate: spec.rate_ignore_thinktime.unwrap_or(false),
    };
    (think_time.pause > 0 || think_time.cycles > 0).then_some(think_time)
}
