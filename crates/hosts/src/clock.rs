//! Offset between two clocks by question and answer.
//!
//! Method: Cristian 1989, Probabilistic clock synchronization: the answer that came fastest bounds the offset by half of its
//! round-trip time, whatever the delays of the two directions are.

use rustix::time::{ClockId, clock_gettime};
use stats::hosts::ClockOffset;

/// Returns the time of CLOCK_MONOTONIC, nanoseconds.
pub(crate) fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Returns the offset (clock of the other minus own clock) by the fastest of the answers: time of the question, time of the
/// other's clock, time of the answer; `None` without answers.
pub(crate) fn offset(answers: &[(u64, u64, u64)]) -> Option<ClockOffset> {
    let (asked, theirs, answered) = *answers.iter().min_by_key(|(asked, _, answered)| answered - asked)?;
    let round_trip_ns = answered - asked;
    let own = i128::from(asked) + i128::from(round_trip_ns / 2);
    Some(ClockOffset {
        offset_ns: i64::try_from(i128::from(theirs) - own).unwrap_or(i64::MAX),
        uncertainty_ns: round_trip_ns.div_ceil(2),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The true offset is within the uncertainty, whatever the delays are.
        #[test]
        fn true_offset_is_within_the_uncertainty(
            truth in -1_000_000_000_000i64..1_000_000_000_000,
            delays in prop::collection::vec((0u64..100_000_000, 0u64..100_000_000), 1..50),
        ) {
            let mut now = 2_000_000_000_000u64;
            let mut answers = Vec::new();
            for (there, back) in delays {
                let theirs = (now + there).checked_add_signed(truth).unwrap();
                answers.push((now, theirs, now + there + back));
                now += there + back + 1;
            }
            let found = offset(&answers).unwrap();
            prop_assert!((found.offset_ns - truth).unsigned_abs() <= found.uncertainty_ns, "{found:?} {truth}");
        }
    }

    #[test]
    fn no_answers_no_offset() {
        assert_eq!(offset(&[]), None);
    }
}
