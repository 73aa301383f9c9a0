//! Arithmetic on byte ranges of a file: the data between gaps, and the union of gaps and zeros.

use facts::extents::Gap;
use std::ops::Range;

/// Returns the ranges of `part` outside all `gaps`, which are in ascending order.
pub(super) fn between(part: Range<u64>, gaps: &[Gap]) -> Vec<Range<u64>> {
    let mut data = Vec::new();
    let mut at = part.start;
    for gap in gaps.iter().filter(|g| g.start < part.end && g.start + g.length > part.start) {
        if gap.start > at {
            data.push(at..gap.start);
        }
        at = at.max(gap.start + gap.length);
    }
    if at < part.end {
        data.push(at..part.end);
    }
    data
}

/// Returns `gaps` and `zeros` in ascending order; adjacent ranges are joined.
pub(super) fn pieces(gaps: &[Gap], mut zeros: Vec<Range<u64>>) -> Vec<Range<u64>> {
    zeros.extend(gaps.iter().map(|g| g.start..g.start + g.length));
    zeros.sort_by_key(|r| r.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in zeros {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)] // one range is what is meant
mod tests {
    use super::*;

    fn gap(start: u64, length: u64) -> Gap {
        Gap { start, length, reserved: false }
    }

    #[test]
    fn data_is_what_lies_between_gaps_and_pieces_are_gaps_and_zeros_joined() {
        let gaps = [gap(0, 4), gap(8, 4), gap(12, 2)];
        assert_eq!(between(0..20, &gaps), [4..8, 14..20]);
        assert_eq!(between(5..9, &gaps), [5..8]);
        assert_eq!(between(8..12, &gaps), []);
        assert_eq!(between(2..3, &[]), [2..3]);
        assert_eq!(pieces(&gaps, vec![16..18, 4..6]), [0..6, 8..14, 16..18]);
    }
}
