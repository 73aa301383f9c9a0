//! The pattern of an access specification (`access_spec`): each burst belongs to a line that is drawn by the shares of
//! the lines; directions and offsets are drawn anew for each I/O.

use crate::random::{below, generator, stream};
use crate::region::{Budget, Region};
use engine::{Kind, Op};
use job::job::AccessLine;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Bytes of a sector: random offsets of a line without an alignment are multiples of it.
const SECTOR: u64 = 512;

/// State of the pattern.
#[derive(Debug)]
pub struct AccessLines {
    lines: Vec<AccessLine>,
    region: Region,
    /// Number of I/Os and bytes left in the budget of all passes.
    left_ios: u64,
    left_bytes: u64,
    /// Line of the current burst, and the number of its requests that were not issued.
    line: AccessLine,
    left_in_burst: u32,
    /// Whether the delay before the current burst is still to come.
    delay_due: bool,
    /// End of the last I/O, relative to the region, in bytes.
    at: u64,
    /// Bytes of the reply to the request in each slot; 0 for none. Empty if no line has replies.
    replies: Vec<u64>,
    /// Replies that are due: direction and bytes.
    due: Vec<(Kind, u64)>,
    draws: Xoshiro256PlusPlus,
    coin: Xoshiro256PlusPlus,
    offsets: Xoshiro256PlusPlus,
}

impl AccessLines {
    /// Returns the pattern of `lines`, which is not empty, over `region`, with up to `depth` I/Os in flight.
    pub fn new(lines: &[AccessLine], region: Region, budget: Budget, depth: usize, seed: u64) -> Self {
        let replies = lines.iter().any(|line| line.reply > 0);
        let used = || lines.iter().filter(|line| line.share > 0);
        let largest = used().map(|line| line.size.max(line.reply)).max().unwrap_or(0);
        let mut pattern = Self {
            lines: used().copied().collect(),
            region,
            // An I/O that is larger than the region has no place.
            left_ios: if largest > region.length { 0 } else { budget.ios },
            left_bytes: budget.bytes,
            line: lines[0],
            left_in_burst: 0,
            delay_due: false,
            at: 0,
            replies: vec![0; if replies { depth } else { 0 }],
            due: Vec::with_capacity(if replies { depth } else { 0 }),
            draws: generator(seed, stream::LINE),
            coin: generator(seed, stream::MIX),
            offsets: generator(seed, stream::OFFSET),
        };
        pattern.begin_burst();
        pattern
    }

    fn begin_burst(&mut self) {
        let mut drawn = below(self.draws.next_u64(), 100);
        for line in &self.lines {
            if drawn < u64::from(line.share) {
                self.line = *line;
                break;
            }
            drawn -= u64::from(line.share);
        }
        self.left_in_burst = self.line.burst;
        self.delay_due = self.line.delay_ms > 0;
    }

    /// Fills `ops` with the next operations; see [`crate::pattern::Pattern::fill`]. Replies that are due come first.
    pub fn fill(&mut self, ops: &mut [Op]) -> usize {
        for (n, op) in ops.iter_mut().enumerate() {
            if self.is_exhausted() {
                return n;
            }
            let (kind, len, reply) = match self.due.pop() {
                // The reply follows its request: it begins where the last I/O ended.
                Some((kind, len)) => (kind, len, 0),
                None => self.request(),
            };
            if let Some(slot) = self.replies.get_mut(usize::from(op.slot)) {
                *slot = reply;
            }
            // What does not fit before the end of the region begins at its start.
            if self.at.saturating_add(len) > self.region.length {
                self.at = 0;
            }
            let offset = self.region.start + self.at;
            *op = Op { offset, len: len as u32, done: 0, file: 0, slot: op.slot, kind };
            self.at += len;
            self.left_ios -= 1;
            self.left_bytes = self.left_bytes.saturating_sub(len);
        }
        ops.len()
    }

    /// Draws a request, sets the position at which it begins, and returns its direction, its length and the length of
    /// its reply.
    fn request(&mut self) -> (Kind, u64, u64) {
        let line = self.line;
        let reads = below(self.coin.next_u64(), 100) < u64::from(line.reads);
        if below(self.coin.next_u64(), 100) < u64::from(line.random) {
            let unit = if line.align > 0 { line.align } else { SECTOR };
            let drawn = below(self.offsets.next_u64(), self.region.length);
            // The offset in the file or device is aligned, wherever the region begins.
            self.at = (self.region.start + drawn).next_multiple_of(unit) - self.region.start;
        }
        self.left_in_burst -= 1;
        if self.left_in_burst == 0 {
            self.begin_burst();
        }
        (if reads { Kind::Read } else { Kind::Write }, line.size, line.reply)
    }

    /// Returns whether the budget of all passes is used up.
    pub fn is_exhausted(&self) -> bool {
        self.left_ios == 0 || self.left_bytes == 0
    }

    /// Returns the kind of all operations; `None` if there are several.
    pub fn only_kind(&self) -> Option<Kind> {
        match job::access_spec::directions(&self.lines) {
            [true, false] => Some(Kind::Read),
            [false, true] => Some(Kind::Write),
            _ => None,
        }
    }

    /// Returns whether any line has replies.
    pub fn has_replies(&self) -> bool {
        !self.replies.is_empty()
    }

    /// Records that `op` has completed: its reply is due.
    pub fn completed(&mut self, op: &Op) {
        let Some(reply) = self.replies.get_mut(usize::from(op.slot)) else { return };
        let len = std::mem::take(reply);
        if len > 0 {
            self.due.push((if op.kind == Kind::Read { Kind::Write } else { Kind::Read }, len));
        }
    }

    /// Returns whether a line has a delay before its bursts.
    pub fn has_delays(&self) -> bool {
        self.lines.iter().any(|line| line.delay_ms > 0)
    }

    /// Returns the delay in milliseconds that comes before the next operation; `None` if it may start now.
    pub fn delay_before_next(&self) -> Option<u32> {
        (self.delay_due && self.due.is_empty()).then_some(self.line.delay_ms)
    }

    /// Records that the delay before the current burst is over.
    pub fn end_delay(&mut self) {
        self.delay_due = false;
    }

    /// Returns the number of operations, at least 1, that may start before a delay is possible.
    pub fn before_delay(&self) -> usize {
        let requests = if self.delay_due { 0 } else { self.left_in_burst as usize };
        (self.due.len() + requests).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use job::access_spec::access_spec;

    const REGION: Region = Region { start: 1 << 20, length: 1 << 24, ends_file: false, room: 1 << 24 };

    fn pattern(text: &str, ios: u64) -> AccessLines {
        pattern_over(REGION, text, ios)
    }

    fn pattern_over(region: Region, text: &str, ios: u64) -> AccessLines {
        let lines = access_spec(text, 1024).unwrap();
        let budget = Budget { bytes: u64::MAX, ios, wraps: false };
        AccessLines::new(&lines, region, budget, 8, 0x89)
    }

    fn ops(pattern: &mut AccessLines) -> Vec<Op> {
        let mut all = Vec::new();
        let mut op = [Op::NONE];
        while pattern.fill(&mut op) == 1 {
            all.push(op[0]);
            pattern.completed(&op[0]);
        }
        all
    }

    /// Returns whether `found` of `n` draws with the probability `p` is within 4.5 standard deviations: once in 150,000.
    fn is_binomial(found: usize, n: usize, p: f64) -> bool {
        let deviation = (n as f64 * p * (1.0 - p)).sqrt();
        (found as f64 - n as f64 * p).abs() <= 4.5 * deviation + 1e-9
    }

    #[test]
    fn shares_directions_and_order_are_binomial_within_each_line() {
        let text = "512/10/100/0:1k/20/50/100/0/1/4k:2k/5/0/30:8k/30/67/80/0/1/8k:16k/15/25/50:64k/20/90/10";
        let n = 200_000;
        let mut pattern = pattern(text, n as u64);
        let all = ops(&mut pattern);
        let lines = access_spec(text, 1024).unwrap();
        for line in &lines {
            let own: Vec<usize> = (0..n).filter(|at| u64::from(all[*at].len) == line.size).collect();
            assert!(is_binomial(own.len(), n, f64::from(line.share) / 100.0), "{line:?}: {}", own.len());
            let reads = own.iter().filter(|at| all[**at].kind == Kind::Read).count();
            assert!(is_binomial(reads, own.len(), f64::from(line.reads) / 100.0), "{line:?}: {reads}");
            let follows = |at: &usize| {
                let before = all.get(at.wrapping_sub(1));
                let end = before.map_or(REGION.start, |op| op.offset + u64::from(op.len));
                let wraps = end + line.size > REGION.start + REGION.length;
                all[*at].offset == if wraps { REGION.start } else { end }
            };
            let random = own.iter().filter(|at| !follows(at)).count();
            // A random offset is at the end of the I/O before it by chance, at most once in 2048.
            let least = f64::from(line.random) / 100.0 * (1.0 - 1.0 / 2048.0);
            assert!(
                is_binomial(random, own.len(), least)
                    || is_binomial(random, own.len(), f64::from(line.random) / 100.0),
                "{line:?}: {random} of {}",
                own.len()
            );
            let unit = line.align.max(512);
            let aligned = |at: &&usize| (all[**at].offset - REGION.start).is_multiple_of(unit);
            assert!(own.iter().filter(|at| !follows(at)).all(|at| aligned(&at)), "{line:?}");
        }
        assert!(
            all.iter().all(|op| op.offset >= REGION.start
                && op.offset + u64::from(op.len) <= REGION.start + REGION.length)
        );
    }

    /// A partition of DOS begins at sector 63: aligned I/Os are aligned on the disk, as Iometer has them.
    #[test]
    fn random_offsets_are_aligned_where_the_region_is_not() {
        let region = Region { start: 63 * SECTOR, ..REGION };
        let all = ops(&mut pattern_over(region, "4k/100/100/100/0/1/4k", 10_000));
        let aligned = all.iter().filter(|op| op.offset.is_multiple_of(4096)).count();
        // What does not fit begins at the start of the region.
        assert!(aligned > 9900 && all.len() == 10_000, "{aligned}");
        let inside = |op: &Op| op.offset >= region.start && op.offset + 4096 <= region.start + region.length;
        assert!(all.iter().all(inside));
    }

    #[test]
    fn lines_larger_than_the_region_issue_nothing() {
        let small = Region { length: 65536, ..REGION };
        assert_eq!(ops(&mut pattern_over(small, "4k/50:64k/50", 9)).len(), 9);
        assert_eq!(ops(&mut pattern_over(small, "4k/50:65k/50", 9)).len(), 0);
        assert_eq!(ops(&mut pattern_over(small, "4k/100:65k/0", 9)).len(), 9);
    }

    #[test]
    fn bursts_have_their_length_and_shares_count_bursts() {
        let all = ops(&mut pattern("4k/50/100/100/0/3:8k/50/0/0/0/7", 100_000));
        let runs: Vec<(u32, usize)> =
            all.chunk_by(|a, b| a.len == b.len).map(|run| (run[0].len, run.len())).collect();
        let (last, whole) = runs.split_last().unwrap();
        assert!(whole.iter().all(|(len, n)| n.is_multiple_of(if *len == 4096 { 3 } else { 7 })), "{last:?}");
        let bursts = |len: u32, each: usize| {
            whole.iter().filter(|(size, _)| *size == len).map(|(_, n)| n / each).sum::<usize>()
        };
        let (short, long) = (bursts(4096, 3), bursts(8192, 7));
        assert!(is_binomial(short, short + long, 0.5), "{short} {long}");
    }

    #[test]
    fn replies_follow_their_requests_in_the_opposite_direction() {
        let all = ops(&mut pattern("4k/100/60/100/0/1/4k/1k", 20_001));
        for pair in all.chunks_exact(2) {
            assert_eq!((pair[0].len, pair[1].len), (4096, 1024));
            assert_ne!(pair[0].kind, pair[1].kind);
            let end = pair[0].offset + 4096;
            let begin = if end + 1024 > REGION.start + REGION.length { REGION.start } else { end };
            assert_eq!(pair[1].offset, begin);
        }
        let reads = all.chunks_exact(2).filter(|pair| pair[0].kind == Kind::Read).count();
        assert!(is_binomial(reads, 10_000, 0.6), "{reads}");
    }

    #[test]
    fn delays_come_before_each_burst_and_hold_requests_only() {
        let mut pattern = pattern("4k/100/100/0/5/2/0/512", 100);
        let mut op = [Op::NONE];
        assert_eq!((pattern.delay_before_next(), pattern.before_delay()), (Some(5), 1));
        pattern.end_delay();
        assert_eq!((pattern.delay_before_next(), pattern.before_delay()), (None, 2));
        pattern.fill(&mut op);
        pattern.completed(&op[0]);
        pattern.fill(&mut op);
        assert_eq!((op[0].kind, op[0].len), (Kind::Write, 512));
        pattern.fill(&mut op);
        assert_eq!((pattern.delay_before_next(), pattern.before_delay()), (Some(5), 1));
        pattern.completed(&op[0]);
        assert_eq!((pattern.delay_before_next(), pattern.before_delay()), (None, 1));
    }
}
