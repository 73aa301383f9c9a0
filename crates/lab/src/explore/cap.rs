//! Test whether the maximum rate is a cap, a fixed number of I/Os or bytes per second, rather than the capability of
//! the device. The test applies if the rate no longer follows the depth. Blocks of another size show whether I/Os or
//! bytes are limited; observations that a device of parallel servers cannot produce exclude such a device.

use super::answer;
use super::depth::idle_beneath;
use super::point::{generator_bound, worthless};
use super::session::{Session, StopReason};
use stats::converge;
use stats::study::{
    Access, Cap, CapSign, Caveat, Cell, Conclusion, Estimate, Point, Question, StudyClaim, Unit,
};
use stats::throttle;

/// Largest difference between rates that count as the same, as a natural logarithm of their ratio.
const SAME: f64 = 0.04;
/// Widest confidence interval (half-width, percent) of a rate from which a cap is concluded.
const KNOWN: f64 = 3.0;
/// Half-width of the intervals that visits aim at, percent (99 %).
const WITHIN: f64 = 1.5;
/// Ratio of latencies at depth 1 of a larger and a smaller block from which a device of parallel servers would have a
/// lower rate with the larger block.
const LONGER: f64 = 1.1;
/// Largest variation of the rate at the cap, as a share of the variation at depth 1.
const REGULAR: f64 = 0.3;
/// Smallest variation at depth 1 that is evaluated: variance over mean of the number of I/Os in a slice.
const VARIES: f64 = 0.03;
/// Share of the highest rate at which I/Os rarely wait for each other.
const FEW: f64 = 0.2;

struct CapSearch<'b, 'a> {
    session: &'b mut Session<'a>,
    cell: Cell,
    most: Estimate,
    most_s: f64,
}

impl CapSearch<'_, '_> {
    /// Returns the rate with this block size, relative to the highest rate; `None` if its interval is too wide or the
    /// device was not the limit. Smaller blocks are measured at a depth that keeps as many bytes in flight.
    fn share(&mut self, bs: u64) -> Result<Option<f64>, StopReason> {
        const DEEPEST: u64 = 256;
        let access = Access { bs, ..self.cell.access.clone() };
        // Smaller blocks are measured with as many bytes in flight, so that a limit in bytes per second can be reached.
        let more = (self.cell.access.bs / bs).max(1);
        let in_flight = u64::from(self.cell.in_flight());
        let in_flight = (in_flight * more).min(DEEPEST.max(in_flight)) as u32;
        let cell = Cell::of(self.cell.target, &access, in_flight, self.cell.jobs);
        let at = self.session.visit(&cell, WITHIN, (0.0, self.most_s))?;
        let point = self.session.point(at);
        let known = !worthless(point) && !generator_bound(point) && point.iops.half_percent() < KNOWN;
        Ok(known.then_some(point.iops.value / self.most.value))
    }

    /// Returns the cell with one I/O in flight and blocks of this size.
    fn alone(&self, bs: u64) -> Cell {
        Cell::of(self.cell.target, &Access { bs, ..self.cell.access.clone() }, 1, 1)
    }

    /// Returns the block sizes with the same bandwidth, if a cap in bytes per second explains them and a device without
    /// a cap does not.
    fn bytes(&mut self, larger: u64, larger_share: f64) -> Result<Option<Found>, StopReason> {
        let bs = self.cell.access.bs;
        let sector = self.session.study.targets[self.cell.target].sector.max(512);
        if !same(larger_share * larger as f64 / bs as f64) {
            return Ok(None);
        }
        let smaller = (bs / 16).max(sector);
        let found = |from| Some(Found { of: Cap::Bytes, sizes: [from, larger], sign: CapSign::SameBytes });
        if smaller >= bs {
            return Ok(found(bs));
        }
        let Some(share) = self.share(smaller)? else { return Ok(None) };
        let per_byte = share * smaller as f64 / bs as f64;
        if same(per_byte) {
            return Ok(found(smaller));
        }
        // The I/Os of a device without a cap cost a fixed time plus a time per byte, which gives a lower bound for the
        // rate of the smaller blocks. A device far below this bound has another limit there, and its limit in bytes per
        // second begins abruptly.
        let device = bs as f64 / (smaller as f64 + SAME * bs as f64);
        Ok((share < 0.7 * device).then(|| found(bs)).flatten())
    }

    /// Returns the block sizes with the same IOPS, if other observations exclude a device of parallel servers.
    fn ios(&mut self, larger: u64, larger_share: f64) -> Result<Option<Found>, StopReason> {
        let bs = self.cell.access.bs;
        let sector = self.session.study.targets[self.cell.target].sector.max(512);
        let smaller = (bs / 4).max(sector);
        let sizes = if same(larger_share) {
            [bs, larger]
        } else if smaller < bs && self.share(smaller)?.is_some_and(same) {
            [smaller, bs]
        } else {
            return Ok(None);
        };
        let sign = self.sign(sizes)?;
        Ok(sign.map(|sign| Found { of: Cap::Iops, sizes, sign }))
    }

    /// Returns the observation that a device of parallel servers cannot produce, if one was made.
    fn sign(&mut self, sizes: [u64; 2]) -> Result<Option<CapSign>, StopReason> {
        if self.session.visits(&self.cell).any(idle_beneath) {
            return Ok(Some(CapSign::IdleBeneath));
        }
        let bs = self.cell.access.bs;
        let alone = self.alone(bs);
        let one = self.session.seen(&alone).unwrap_or_default();
        if one.value > 0.9 * self.most.value {
            return self.quick();
        }
        let of_most = |p: &&Point| {
            let same = p.cell.access == self.cell.access && p.cell.rate.is_none();
            same && p.cell.in_flight() > 1 && p.iops.value > 0.98 * self.most.value
        };
        let many: Vec<&Point> = self.session.level_points().iter().filter(of_most).collect();
        let few: Vec<&Point> = self.session.visits(&alone).collect();
        if let (Some(many), Some(few)) = variations(&many, &few)
            && few > VARIES
            && many < REGULAR * few
        {
            return Ok(Some(CapSign::Regular));
        }
        let [from, to] = sizes.map(|bs| self.alone(bs));
        let mut latency = |cell: &Cell| -> Result<Option<Estimate>, StopReason> {
            if self.session.seen(cell).is_none() {
                self.session.visit(cell, WITHIN, (0.0, self.most_s))?;
            }
            Ok(self.session.seen(cell).filter(|rate| rate.value > 0.0 && rate.half_percent() < KNOWN))
        };
        let (Some(from), Some(to)) = (latency(&from)?, latency(&to)?) else { return Ok(None) };
        let longer = from.over(&to);
        Ok((longer.value > LONGER && longer.low > 1.0 + SAME).then_some(CapSign::LongerAlone))
    }

    /// Returns the sign of a cap if the mean latency at a low rate is shorter than one service of a device with a
    /// single server could be.
    fn quick(&mut self) -> Result<Option<CapSign>, StopReason> {
        const IOS: f64 = 60.0;
        let access = &self.cell.access;
        if access.commits() {
            return Ok(None);
        }
        let rate = FEW * self.most.value;
        let bytes = (rate * access.bs as f64).round().max(1.0) as u64;
        let cell = Cell { rate: Some(bytes), ..Cell::of(self.cell.target, access, 16, 1) };
        let seconds = IOS / rate;
        if seconds > 3.0 * self.most_s.max(1.0) {
            return Ok(None);
        }
        let at = self.session.visit(&cell, 0.1, (seconds, seconds))?;
        let point = self.session.point(at);
        // Service times vary at most like exponential ones, and each I/O counts from the time when it was due.
        let product = throttle::quick_product(point.mean_ns, 1.0, point.ios as f64, self.most.value);
        let quick = !worthless(point) && point.ios > 0 && product < throttle::QUICK;
        Ok(quick.then_some(CapSign::QuickWhenFew))
    }
}

struct Found {
    of: Cap,
    sizes: [u64; 2],
    sign: CapSign,
}

fn same(ratio: f64) -> bool {
    ratio.ln().abs() < SAME
}

/// Returns the variation of the number of I/Os in slices of equal length for each of two loads, over all visits that
/// are long enough; `None` without such a visit.
fn variations(many: &[&Point], few: &[&Point]) -> (Option<f64>, Option<f64>) {
    const SLICES: f64 = 20.0;
    let longest = |points: &[&Point]| points.iter().map(|p| p.seconds).fold(0.0, f64::max);
    let slice_s = longest(many).min(longest(few)) / SLICES;
    let mean = |points: &[&Point]| {
        let found: Vec<(f64, f64)> = points
            .iter()
            .filter_map(|p| Some((converge::dispersion(&p.series, slice_s)?, p.seconds)))
            .collect();
        let seconds: f64 = found.iter().map(|(_, s)| s).sum();
        (seconds > 0.0).then(|| found.iter().map(|(d, s)| d * s).sum::<f64>() / seconds)
    };
    (mean(many), mean(few))
}

/// Returns the conclusion that the highest rate of an answer about depth is a cap, if the observations show it.
pub(super) fn study(session: &mut Session<'_>, depth: &Conclusion, jobs: u32) -> Option<Conclusion> {
    let (target, access, most) = (depth.target, &depth.access, depth.estimate);
    let levels_off = matches!(depth.claim, StudyClaim::Knee { .. } | StudyClaim::OneLimit { .. });
    let drifts = depth.caveats.iter().any(|c| matches!(c, Caveat::Drifts { .. }));
    if !levels_off || drifts || most.half_percent() > KNOWN || access.sync.is_some() {
        return None;
    }
    // The greatest depth measured on the plateau: there the limit is certainly reached.
    let on_plateau = |p: &&Point| {
        let cell = Cell::of(target, access, p.cell.in_flight(), jobs);
        p.cell == cell && same(p.iops.value / most.value)
    };
    let deepest = session.level_points().iter().filter(on_plateau).max_by_key(|p| p.cell.in_flight())?;
    let cell = deepest.cell.clone();
    let larger = 4 * access.bs;
    let fits = session.study.targets[target].size / larger >= u64::from(cell.in_flight());
    if cell.in_flight() < 2 || !fits {
        return None;
    }
    let from = session.used();
    let most_s = (session.left_s() / 5.0).clamp(0.4, 3.0);
    let mut question = CapSearch { session, cell, most, most_s };
    let found = (|| -> Result<Option<Found>, StopReason> {
        let Some(share) = question.share(larger)? else { return Ok(None) };
        match question.bytes(larger, share)? {
            Some(found) => Ok(Some(found)),
            None => question.ios(larger, share),
        }
    })();
    // If its time is used up or a visit failed, there is no conclusion.
    let found = found.unwrap_or(None)?;
    let (estimate, unit) = match found.of {
        Cap::Iops => (most, Unit::Iops),
        Cap::Bytes => (most.times(access.bs as f64), Unit::BytesPerSecond),
    };
    let claim = StudyClaim::Cap { of: found.of, sizes: found.sizes, sign: found.sign };
    let mut evidence = depth.evidence.clone();
    evidence.extend((from..session.used()).map(|n| n as u32));
    Some(answer(session, target, access, Question::Depth, claim, estimate, unit, evidence, Vec::new()))
}
