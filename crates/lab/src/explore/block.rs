//! Question `bs`: up to which block size the rate is limited by IOPS, and from which by bandwidth.

use super::point::{generator_bound, worthless};
use super::session::{Session, StopReason};
use super::{answer, depth::Knee};
use stats::study::{Access, Cap, Caveat, Cell, Conclusion, Estimate, Question, StudyClaim, Unit};
use stats::unit::MIB;

/// Largest block size that is tried, bytes.
const LARGEST: u64 = 64 * MIB;
/// Largest amount of data in flight, bytes.
const IN_FLIGHT: u64 = 256 * MIB;
/// Share of the highest rate from which a rate counts as the highest.
const NEARLY: f64 = 0.95;
const ROUGH: f64 = 4.0;
const FINE: f64 = 1.5;

struct Sizes<'b, 'a> {
    session: &'b mut Session<'a>,
    target: usize,
    access: Access,
    knee: Knee,
    most_s: f64,
}

impl Sizes<'_, '_> {
    fn cell(&self, bs: u64) -> Cell {
        let fits = (IN_FLIGHT / bs).clamp(1, u64::from(self.knee.in_flight)) as u32;
        Cell::of(self.target, &Access { bs, ..self.access.clone() }, fits, self.knee.jobs)
    }

    fn rate(&mut self, bs: u64) -> Result<Estimate, StopReason> {
        let cell = self.cell(bs);
        match self.session.seen(&cell) {
            Some(seen) => Ok(seen),
            None => self.again(bs, ROUGH),
        }
    }

    fn again(&mut self, bs: u64, within: f64) -> Result<Estimate, StopReason> {
        let cell = self.cell(bs);
        let at = self.session.visit(&cell, within, (0.0, self.most_s))?;
        if worthless(self.session.point(at)) {
            return Err(StopReason::not_the_device(at));
        }
        Ok(self.session.seen(&cell).unwrap_or_default())
    }

    /// Returns the bandwidth at a block size, bytes per second.
    fn bytes(&mut self, bs: u64) -> Result<Estimate, StopReason> {
        Ok(self.rate(bs)?.times(bs as f64))
    }
}

/// Block sizes that were measured, and the two with the highest IOPS and the highest bandwidth.
struct Ladder {
    /// All measured block sizes, ascending.
    rungs: Vec<u64>,
    /// Smallest measured block size, bytes.
    least: u64,
    /// Block size with the highest IOPS, bytes.
    crest: u64,
    /// Block size with the highest bandwidth, bytes.
    top: u64,
}

impl Ladder {
    fn last(&self) -> u64 {
        *self.rungs.last().unwrap_or(&self.least)
    }
}

/// Measures block sizes upwards by a factor of four until larger blocks have no more bandwidth.
fn climb(sizes: &mut Sizes<'_, '_>, least: u64, largest: u64) -> Result<Ladder, StopReason> {
    let mut rungs = vec![least];
    let mut most = sizes.bytes(least)?;
    let mut bs = least;
    let mut flat = 0;
    while bs < largest {
        bs = (bs * 4).min(largest);
        let now = sizes.bytes(bs)?;
        rungs.push(bs);
        flat = if now.value < 1.03 * most.value { flat + 1 } else { 0 };
        if now.value > most.value {
            most = now;
        }
        // While a device is bound by IOPS, its bandwidth rises with every step: two flat steps in a row end the ladder.
        if flat == 2 {
            break;
        }
    }
    let mut ladder = Ladder { top: *rungs.last().unwrap_or(&least), crest: least, least, rungs };
    // Another block size has to be 2 % better to count as the best, so that noise does not decide.
    for n in ladder.rungs.iter().copied().rev().take(3) {
        if sizes.bytes(n)?.value > sizes.bytes(ladder.top)?.value * 1.02 {
            ladder.top = n;
        }
    }
    for n in ladder.rungs.iter().copied().take(3) {
        if sizes.rate(n)?.value > sizes.rate(ladder.crest)?.value * 1.02 {
            ladder.crest = n;
        }
    }
    Ok(ladder)
}

/// Returns the smallest block with the full bandwidth, and the largest with the full IOPS, bytes.
fn edges(
    sizes: &mut Sizes<'_, '_>,
    ladder: &Ladder,
    iops: Estimate,
    bandwidth: Estimate,
) -> Result<(u64, u64), StopReason> {
    let full_bandwidth =
        edge(sizes, &ladder.rungs, |s, bs| Ok(s.bytes(bs)?.value >= NEARLY * bandwidth.value))?;
    let below = edge(sizes, &ladder.rungs, |s, bs| Ok(s.rate(bs)?.value < NEARLY * iops.value))?;
    // The last block with the full rate is half of the first block without it.
    let full_iops = if below > ladder.last() { below } else { (below / 2).max(ladder.least) };
    Ok((full_bandwidth, full_iops))
}

/// Answers the question for one pattern of one target.
pub(super) fn study(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
    knee: Knee,
) -> Result<Vec<Conclusion>, StopReason> {
    let from = session.used();
    let left = session.left_s();
    let described = &session.study.targets[target];
    let (least, size) = (described.sector.max(512), described.size);
    let largest = LARGEST.min((size / 4).max(least)).next_power_of_two();
    let mut sizes =
        Sizes { session, target, access: access.clone(), knee, most_s: (left / 16.0).clamp(0.4, 8.0) };
    let ladder = climb(&mut sizes, least, largest)?;
    // The load generator was the limit, so the rates are no property of the device.
    if let Some(found) = generator(&mut sizes, from, ladder.crest)? {
        return Ok(vec![found]);
    }
    for _ in 0..2 {
        for n in [ladder.crest, ladder.top] {
            match sizes.again(n, FINE) {
                Err(StopReason::Budget) => break,
                other => _ = other?,
            }
        }
    }
    let (iops, bandwidth) = (sizes.rate(ladder.crest)?, sizes.bytes(ladder.top)?);
    let (full_bandwidth, full_iops) = edges(&mut sizes, &ladder, iops, bandwidth)?;
    let law = one_law(&mut sizes, &ladder.rungs, largest)?;
    let worst = sizes.session.since(from).iter().map(|p| p.grade).max().unwrap_or_default();
    let mut caveats = Vec::new();
    if worst > stats::Grade::Caveats {
        caveats.push(Caveat::Grade { grade: worst });
    }
    if let Some(found) = generator(&mut sizes, from, ladder.crest)? {
        return Ok(vec![found]);
    }
    let in_flight = knee.in_flight;
    let (claim, crossover, unit) = match law {
        Some((Cap::Iops, sizes)) => {
            (StudyClaim::OneBlockLaw { of: Cap::Iops, sizes, in_flight }, iops, Unit::Iops)
        }
        Some((Cap::Bytes, sizes)) => {
            (StudyClaim::OneBlockLaw { of: Cap::Bytes, sizes, in_flight }, bandwidth, Unit::BytesPerSecond)
        }
        None => {
            let claim = StudyClaim::Crossover { full_bandwidth, full_iops, bandwidth, iops, in_flight };
            (claim, bandwidth.over(&iops), Unit::Bytes)
        }
    };
    if crossover.half_percent() > 10.0 {
        caveats.push(Caveat::Wide { half_percent: crossover.half_percent() });
    }
    let evidence = (from..sizes.session.used()).map(|n| n as u32).collect();
    Ok(vec![answer(sizes.session, target, access, Question::Bs, claim, crossover, unit, evidence, caveats)])
}

/// Returns the kind of cap if, within the intervals, all blocks have the same IOPS or the same bandwidth, with the
/// smallest and largest block; further differences between the blocks are then noise. Large blocks that were measured
/// with fewer I/Os in flight are left out of the comparison of IOPS.
fn one_law(
    sizes: &mut Sizes<'_, '_>,
    rungs: &[u64],
    largest: u64,
) -> Result<Option<(Cap, [u64; 2])>, StopReason> {
    const FAR: u64 = 64;
    const NEAR: f64 = 0.05;
    let full = sizes.cell(rungs[0]).in_flight();
    let deep: Vec<u64> = rungs.iter().copied().filter(|bs| sizes.cell(*bs).in_flight() == full).collect();
    let alike = |rates: &[Estimate]| {
        let values: Vec<(f64, f64)> =
            rates.iter().map(|r| (r.value, (1.0 / r.half().max(1e-9)).powi(2))).collect();
        let weights: f64 = values.iter().map(|v| v.1).sum();
        let mean = values.iter().map(|v| v.0 * v.1).sum::<f64>() / weights;
        let near = |r: &Estimate| r.low <= (1.0 + NEAR) * mean && r.high >= (1.0 - NEAR) * mean;
        // The interval of a rate must exclude twice and half of its value.
        rates.iter().all(|r| near(r) && r.half_percent() < 60.0)
    };
    let (Some(&first), Some(&last)) = (deep.first(), deep.last()) else { return Ok(None) };
    let ended = rungs.last() == Some(&largest) || deep.len() < rungs.len();
    let ios = deep.iter().map(|bs| sizes.rate(*bs)).collect::<Result<Vec<_>, _>>()?;
    if ended && last >= FAR * first && alike(&ios) {
        return Ok(Some((Cap::Iops, [first, last])));
    }
    let bytes = rungs.iter().map(|bs| sizes.bytes(*bs)).collect::<Result<Vec<_>, _>>()?;
    let last = *rungs.last().unwrap_or(&first);
    Ok(alike(&bytes).then_some((Cap::Bytes, [first, last])))
}

/// Returns the conclusion that the CPU limited the highest IOPS (block size `crest`); `None` if the CPU did not limit
/// it. Only points from number `from` on are examined.
fn generator(sizes: &mut Sizes<'_, '_>, from: usize, crest: u64) -> Result<Option<Conclusion>, StopReason> {
    let points = sizes.session.since(from);
    let Some(point) = points.iter().find(|p| p.cell.access.bs == crest && generator_bound(p)) else {
        return Ok(None);
    };
    let (in_flight, jobs, cpu_percent) = (point.cell.in_flight(), point.cell.jobs, point.cpu_percent);
    let claim = StudyClaim::Generator { in_flight, jobs, cpu_percent };
    let evidence = points.iter().map(|p| p.ordinal).collect();
    let iops = sizes.rate(crest)?;
    let wide = iops.half_percent() > 10.0;
    let caveats = wide.then(|| Caveat::Wide { half_percent: iops.half_percent() }).into_iter().collect();
    let (target, access) = (sizes.target, sizes.access.clone());
    Ok(Some(answer(sizes.session, target, &access, Question::Bs, claim, iops, Unit::Iops, evidence, caveats)))
}

/// Returns the smallest block size, among powers of two, for which `holds` is true: the rungs are tried first, then the
/// size between two rungs. Returns twice the largest rung if `holds` is true for none.
fn edge(
    sizes: &mut Sizes<'_, '_>,
    rungs: &[u64],
    mut holds: impl FnMut(&mut Sizes<'_, '_>, u64) -> Result<bool, StopReason>,
) -> Result<u64, StopReason> {
    let mut last = None;
    for &bs in rungs {
        if holds(sizes, bs)? {
            if let Some(below) = last
                && below * 2 < bs
                && holds(sizes, below * 2)?
            {
                return Ok(below * 2);
            }
            return Ok(bs);
        }
        last = Some(bs);
    }
    Ok(last.unwrap_or(512) * 2)
}
