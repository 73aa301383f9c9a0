//! Sentences in which a rate stands before its direction and pattern: `300,000 IOPS random read`, `300k random read IOPS`,
//! `100 MB/s read, 90 MB/s write`.

use super::number;
use super::typed::{self, Piece};
use stats::audit::PrintedNumber;

/// Most words between a rate and the pattern that belongs to it: "300 IOPS in 4k random reads".
const MOST_WORDS: usize = 3;
/// Relative difference of a rate in two units: MB/s and MiB/s, GB/s and GiB/s.
const SAME_RATE: f64 = 0.08;
/// Words and marks between a rate and a pattern that begins another statement.
const BREAKS: [&str; 14] =
    [".", ";", "|", ")", ":", " - ", "and ", "but ", "while ", "whereas ", "und ", "aber ", "и ", "y "];
/// Words of a load between a number and its unit "IOPS".
const LOAD: [&str; 14] = [
    "random",
    "rand",
    "sequential",
    "seq",
    "read",
    "reads",
    "write",
    "writes",
    "randread",
    "randwrite",
    "mixed",
    "4k",
    "8k",
    "qd1",
];

/// Reads a number whose unit follows behind the words of its load: `300000 random read IOPS`; returns its length. A size
/// stands there, too: `4k random read IOPS: 300`.
pub(super) fn before_pattern(lower: &str) -> Option<(PrintedNumber, usize)> {
    let (number, rest) = number::thousands_of(number::leading_grouped(lower)?)?;
    let length = lower.len() - rest.len();
    let words = rest.strip_prefix(' ')?;
    let at = words.find("iops")?;
    let load: Vec<&str> = words[..at].split_whitespace().collect();
    let is_load = !load.is_empty() && load.len() <= MOST_WORDS && load.iter().all(|w| LOAD.contains(w));
    let value = &words[at + 4..];
    let marked = value.trim_start().starts_with([':', '=', '|', '-']);
    let heading = marked || typed::is_value_of_iops(value);
    // 4k, 128k and 4096 are block sizes.
    let whole = lower[..length].trim_end_matches('k').parse::<u64>().ok();
    let size = whole.is_some_and(|n| n.is_power_of_two() && (number.value >= 512.0 || n < 1024));
    (is_load && !heading && !size).then_some((number, length))
}

/// Moves patterns before the rates that they describe. `places` has the ends of the pieces in the line `lower`.
pub(super) fn ordered(pieces: Vec<Piece>, places: &[[usize; 2]], lower: &str) -> Vec<Piece> {
    let first = pieces.iter().position(|piece| piece.is_rate() || piece.is_pattern());
    if !first.is_some_and(|at| pieces[at].is_rate()) {
        return pieces;
    }
    // Groups of rates and patterns take turns; other pieces belong to the group before them.
    let mut groups: Vec<(bool, Vec<usize>)> = Vec::new();
    for (at, piece) in pieces.iter().enumerate().filter(|(_, piece)| piece.is_rate() || piece.is_pattern()) {
        match groups.last_mut().filter(|(is_rate, _)| *is_rate == piece.is_rate()) {
            Some((_, group)) => group.push(at),
            None => groups.push((piece.is_rate(), vec![at])),
        }
    }
    let between = |rates: &[usize], patterns: &[usize]| -> &str {
        let (end, begin) = (rates.last().copied().unwrap_or(0), patterns.first().copied().unwrap_or(0));
        lower.get(places[end][1]..places[begin][0]).unwrap_or(".")
    };
    let belongs = |pair: &[(bool, Vec<usize>)]| match pair {
        [(_, rates), (_, patterns)] => {
            let text = between(rates, patterns);
            // The rate in another unit may stand in brackets.
            let text = text.strip_prefix(')').filter(|_| rates.len() > 1).unwrap_or(text);
            let words = text.split_whitespace().count();
            words <= MOST_WORDS && !BREAKS.iter().any(|mark| text.contains(mark))
        }
        _ => false,
    };
    let even = groups.len().is_multiple_of(2);
    // Behind the last pattern stands no rate: each pattern is that of the rate before it, as in "100 MB/s read, 90 MB/s
    // write". Otherwise the first rate is one of its own unless it is next to its pattern and the other rate is of another
    // unit: "300,000 IOPS random read (1.2 GB/s)".
    let all = even && groups.chunks(2).all(belongs);
    let several = even && groups.len() >= 4;
    let restated = match groups.as_slice() {
        [(_, rates), (_, patterns), (_, others)] => {
            let bandwidth = |at: &usize| matches!(pieces[*at], Piece::Rate(_));
            let next_to = between(rates, patterns).trim().is_empty();
            let end = patterns.last().copied().unwrap_or(0);
            // Brackets, or the unit of the first rate: "300k random read IOPS 1.2 GB/s".
            let open = lower
                .get(places[end][1]..places[others[0]][0])
                .is_some_and(|t| t.contains('(') || t.trim().trim_end_matches([',', ':', '/']) == "iops");
            next_to && open && rates.iter().all(|at| others.iter().all(|o| bandwidth(at) != bandwidth(o)))
        }
        _ => false,
    };
    if !(all || several || restated) {
        return pieces;
    }
    // Each pattern, with the sizes up to it, takes its place before the rates that it describes; sizes behind the last
    // pattern are its own, too.
    let mut moves: Vec<(usize, usize)> = Vec::new();
    for (number, pair) in groups.chunks(2).enumerate() {
        let [(_, rates), (_, patterns)] = pair else { continue };
        let place = described(&pieces, rates);
        let is_last = 2 * number + 2 >= groups.len();
        let end = if is_last { pieces.len() - 1 } else { patterns.last().copied().unwrap_or(place) };
        let moved =
            (place..=end).filter(|at| pieces[*at].is_pattern() || matches!(pieces[*at], Piece::Size(_)));
        moves.extend(moved.map(|at| (at, place)));
    }
    let target = |at: usize| moves.iter().find(|(from, _)| *from == at).map_or((at, 1), |(_, to)| (*to, 0));
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|at| target(*at));
    order.into_iter().filter_map(|at| pieces.get(at).cloned()).collect()
}

/// Returns the place of the first of several rates that one pattern describes: from 200 MB/s to 550 MB/s, only the last one;
/// of a rate in two units, both.
fn described(pieces: &[Piece], rates: &[usize]) -> usize {
    let value = |at: usize| match &pieces[at] {
        Piece::Rate(n) => (0, n.value),
        Piece::Iops(n) => (1, n.value),
        _ => (2, 0.0),
    };
    let last = rates.last().copied().unwrap_or(0);
    let changed = |at: &&usize| {
        let (unit, rate) = value(**at);
        rates.iter().any(|other| {
            let (other_unit, later) = value(*other);
            other > *at && other_unit == unit && (later - rate).abs() > SAME_RATE * later
        })
    };
    let earlier = rates.iter().rposition(|at| changed(&at));
    earlier.and_then(|at| rates.get(at + 1)).or(rates.first()).copied().unwrap_or(last)
}
