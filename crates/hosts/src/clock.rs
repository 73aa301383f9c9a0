//! Offset between two clocks by question and answer.
//!
//! Method: each answer bounds the offset by its two delays, whatever they are (Cristian 1989, Probabilistic clock synchronization), and the
//! offset is in the intersection of these intervals (Marzullo 1984, Maintaining the Time in a Distributed System): the shortest way
//! there and the shortest way back count, also if they belong to different questions.

use rustix::time::{ClockId, clock_gettime};
use stats::hosts::ClockOffset;

/// Returns the time of CLOCK_MONOTONIC, nanoseconds.
pub(crate) fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Largest difference of the rates of two clocks: one part of this many. The kernel slews a clock by at most 1/2000.
const DRIFT: i128 = 1000;

/// Returns the offset (clock of the other minus own clock) at the last of the answers: time of the question, time of the other's
/// clock, time of the answer; `None` without answers.
pub(crate) fn offset(answers: &[(u64, u64, u64)]) -> Option<ClockOffset> {
    let last = answers.iter().map(|(_, _, answered)| i128::from(*answered)).max()?;
    let bounds = |answers: &[(u64, u64, u64)]| {
        let each = answers.iter().map(|(asked, theirs, answered)| {
            let [asked, theirs, answered] = [*asked, *theirs, *answered].map(i128::from);
            // What the clocks may have drifted apart since.
            let since = (last - asked) / DRIFT;
            (theirs - answered - since, theirs - asked + since)
        });
        each.fold((i128::MIN, i128::MAX), |(low, high), (from, to)| (low.max(from), high.min(to)))
    };
    // Intervals before a jump, as of the clock of a virtual machine that was stopped, have nothing in common with those after it.
    let later = (0..answers.len()).map(|first| bounds(&answers[first..]));
    let (low, high) = later.into_iter().find(|(low, high)| low <= high)?;
    Some(ClockOffset {
        offset_ns: i64::try_from(low + (high - low) / 2).unwrap_or(i64::MAX),
        uncertainty_ns: u64::try_from((high - low + 1) / 2).unwrap_or(u64::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The true offset is within the uncertainty, whatever the delays are, and although the clocks drift apart; the uncertainty
        /// is that of the shortest delays and of the drift.
        #[test]
        fn true_offset_is_within_the_uncertainty(
            truth in -1_000_000_000_000i64..1_000_000_000_000,
            drift_ppm in -1000i64..1000,
            delays in prop::collection::vec((0u64..100_000_000, 0u64..100_000_000), 1..50),
        ) {
            let began = 2_000_000_000_000u64;
            let at = |now: u64| truth + (now - began) as i64 * drift_ppm / 1_000_000;
            let mut now = began;
            let mut answers = Vec::new();
            for (there, back) in &delays {
                let read = now + there;
                answers.push((now, read.checked_add_signed(at(read)).unwrap(), read + back));
                now = read + back + 1;
            }
            let found = offset(&answers).unwrap();
            // The drift is rounded to nanoseconds here.
            let wrong = (found.offset_ns - at(now - 1)).unsigned_abs();
            prop_assert!(wrong <= found.uncertainty_ns + 1, "{found:?} {truth}");
            let fastest = delays.iter().map(|(there, back)| there + back).min().unwrap();
            prop_assert!(found.uncertainty_ns <= fastest / 2 + 2 * (now - began) / 1000 + 2, "{found:?}");
            let ways = [delays.iter().map(|d| d.0).min().unwrap(), delays.iter().map(|d| d.1).min().unwrap()];
            prop_assert!(found.uncertainty_ns <= ways.iter().sum::<u64>() / 2 + 2 * (now - began) / 1000 + 2);
        }
    }

    /// The way there of one question and the way back of another bound the offset.
    #[test]
    fn shortest_ways_of_different_questions_count() {
        let found = offset(&[(0, 1_000, 11_000), (20_000, 30_000, 31_000)]).unwrap();
        assert!(found.offset_ns.abs() <= 20 && found.uncertainty_ns < 1_050, "{found:?}");
    }

    /// Questions before a clock was stopped do not count.
    #[test]
    fn offset_of_a_clock_that_was_stopped_is_that_after_it() {
        let found = offset(&[(0, 1_000, 2_000), (10_000, 111_000, 12_000)]).unwrap();
        assert!(found.offset_ns.abs_diff(100_000) <= found.uncertainty_ns, "{found:?}");
    }

    #[test]
    fn no_answers_no_offset() {
        assert_eq!(offset(&[]), None);
    }
}
