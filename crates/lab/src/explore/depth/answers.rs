//! Conclusions of a search: the claim that its rates support, with evidence and caveats, also for a search that could
//! not be finished.

use super::super::answer;
use super::super::point::{generator_bound, worthless};
use super::confirm::{Confirmed, Drift};
use super::search::{DepthSearch, Located};
use super::{DEEPEST, Knee, NEARLY, Outcome};
use stats::study::{Caveat, Cell, Conclusion, Estimate, Point, Question, StudyClaim, Unit};

impl DepthSearch<'_, '_> {
    /// Returns a conclusion about depth with the given claim, evidence and caveats.
    fn conclude(
        &self,
        claim: StudyClaim,
        estimate: Estimate,
        evidence: Vec<u32>,
        caveats: Vec<Caveat>,
    ) -> Conclusion {
        let (target, access) = (self.target, &self.access);
        answer(self.session, target, access, Question::Depth, claim, estimate, Unit::Iops, evidence, caveats)
    }

    /// Returns the mean latency at a rate by Little's law, nanoseconds.
    fn mean_ns(&self, in_flight: u32, rate: &Estimate) -> f64 {
        f64::from(self.cell(in_flight).in_flight()) / rate.value * 1e9
    }

    fn knee(&self, in_flight: u32) -> Option<Knee> {
        Some(Knee { in_flight, jobs: self.jobs })
    }
}

/// Returns the answer of a completed search, from the points since number `from`.
pub(super) fn confirmed(
    search: &DepthSearch<'_, '_>,
    from: usize,
    located: &Located,
    confirmed: &Confirmed,
) -> Outcome {
    let &Confirmed { most, alone, ref drift, worst } = confirmed;
    let &Located { ref rungs, knee, top, noisy } = located;
    let mut caveats = Vec::new();
    if worst > stats::Grade::Caveats {
        caveats.push(Caveat::Grade { grade: worst });
    }
    if noisy && most.half_percent() > 1.0 {
        caveats.push(Caveat::WithinNoise);
    }
    if most.half_percent() > 5.0 {
        caveats.push(Caveat::Wide { half_percent: most.half_percent() });
    }
    let evidence: Vec<u32> = (from..search.session.used()).map(|n| n as u32).collect();
    let conclude =
        |claim, estimate| vec![search.conclude(claim, estimate, evidence.clone(), caveats.clone())];
    let top_point = search.session.visits(&search.cell(top)).last();
    if let Some(point) = top_point.filter(|p| generator_bound(p)) {
        // More CPUs may generate a higher load.
        let cpus = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        let quota = point.findings.iter().any(|f| matches!(f.claim, stats::Claim::CpuTakenAway { .. }));
        if search.jobs < cpus && top > 1 && !quota {
            return Outcome::MoreJobs(cpus);
        }
        let claim =
            StudyClaim::Generator { in_flight: top, jobs: search.jobs, cpu_percent: point.cpu_percent };
        return Outcome::Found(conclude(claim, most), None);
    }
    if let Some(Drift { before, after, over_s }) = *drift {
        let claim = StudyClaim::Drifts { in_flight: knee, before, over_s };
        return Outcome::Found(conclude(claim, after), search.knee(knee));
    }
    let alone_ns = search.mean_ns(1, &alone);
    let mine = |p: &&Point| p.cell == search.cell(p.cell.in_flight());
    let seen = with_all_noise(search.session.level_points().iter().filter(mine));
    let fewest = knee_range(&seen, knee, &most);
    // If the knee may lie at a far smaller depth, it cannot be said that no knee exists.
    let deep = fewest.is_none_or(|[low, _]| low > DEEPEST / 2);
    let claim = if alone.value >= NEARLY * most.value && surely(&alone, &most) {
        let above_device = top_point.is_some_and(idle_beneath);
        StudyClaim::OneLimit { up_to: rungs.last().copied().unwrap_or(1), alone_ns, above_device }
    } else if deep && (knee >= DEEPEST || top == DEEPEST && knee > DEEPEST * 2 / 3) {
        StudyClaim::NoKnee { up_to: top, mean_ns: search.mean_ns(top, &most), alone_ns }
    } else {
        let cell = search.cell(knee);
        let there = search.session.seen(&cell).unwrap_or(most);
        let (p99_ns, p99_between) = p99(search, &cell);
        StudyClaim::Knee {
            in_flight: knee,
            between: fewest,
            there,
            mean_ns: search.mean_ns(knee, &there),
            p99_ns,
            p99_between,
            alone_ns,
            bound: most.value * alone_ns / 1e9,
        }
    };
    Outcome::Found(conclude(claim, most), search.knee(knee))
}

/// Returns the depths of the points, ascending, each once.
fn depths_of(points: &[Point]) -> Vec<u32> {
    let mut depths: Vec<u32> = points.iter().map(|p| p.cell.in_flight()).collect();
    depths.sort_unstable();
    depths.dedup();
    depths
}

/// Returns the answer of a search whose time ended before the confirmation, from the rates known by then.
pub(super) fn rough(search: &DepthSearch<'_, '_>, from: usize) -> Option<(Vec<Conclusion>, Option<Knee>)> {
    // The points at the present level of the device, or else all points of the question.
    let points = match search.session.level_points() {
        level if depths_of(level).len() >= 3 => level,
        _ => search.session.since(from),
    };
    let depths = depths_of(points);
    if depths.len() < 3 || points.iter().any(worthless) {
        return None;
    }
    let mine = |p: &&Point| p.cell == search.cell(p.cell.in_flight());
    let seen = with_all_noise(points.iter().filter(mine));
    // A rate of zero is a pause that was not visited again.
    if seen.iter().any(|(_, rate)| rate.value <= 0.0) {
        return None;
    }
    let (_, alone) = *seen.first()?;
    let (top, most) = *seen.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let (knee, there) = *seen.iter().find(|(_, rate)| rate.value >= NEARLY * most.value)?;
    if search.session.visits(&search.cell(top)).any(generator_bound) {
        return generator(search, from, top).map(|found| (vec![found], None));
    }
    if points.iter().any(generator_bound) {
        return None;
    }
    let cell = search.cell(knee);
    let lat = |n: u32, rate: &Estimate| f64::from(n) / rate.value * 1e9;
    // No knee: the rate is proportional to the depth up to the deepest. If it stays below that, the knee is at a
    // smaller depth.
    let rises = knee == *depths.last()?
        && seen.iter().rfind(|n| n.0 < knee).is_some_and(|(n, rate)| {
            there.value / f64::from(knee) > 0.9 * rate.value / f64::from(*n) && there.low > rate.high
        });
    let claim = if knee == 1 && surely(&alone, &most) {
        let up_to = *depths.last()?;
        let idle = search.session.visits(&search.cell(up_to)).last().is_some_and(idle_beneath);
        StudyClaim::OneLimit { up_to, alone_ns: lat(1, &alone), above_device: idle }
    } else if rises {
        StudyClaim::NoKnee { up_to: knee, mean_ns: lat(knee, &there), alone_ns: lat(1, &alone) }
    } else {
        let (p99_ns, p99_between) = p99(search, &cell);
        StudyClaim::Knee {
            in_flight: knee,
            between: knee_range(&seen, knee, &most),
            there,
            mean_ns: lat(knee, &there),
            p99_ns,
            p99_between,
            alone_ns: lat(1, &alone),
            bound: most.value / alone.value,
        }
    };
    let evidence = points.iter().map(|p| p.ordinal).collect();
    let caveats = vec![Caveat::WithinNoise, Caveat::Wide { half_percent: most.half_percent() }];
    Some((vec![search.conclude(claim, most, evidence, caveats)], search.knee(knee)))
}

/// Returns the conclusion that the CPU limited the rate at `top` I/Os in flight, so that the rate is not that of the
/// device.
pub(super) fn generator(search: &DepthSearch<'_, '_>, from: usize, top: u32) -> Option<Conclusion> {
    let cell = search.cell(top);
    let most = search.session.seen(&cell)?;
    let cpu_percent = search.session.visits(&cell).map(|p| p.cpu_percent).fold(0.0, f64::max);
    let claim = StudyClaim::Generator { in_flight: cell.in_flight(), jobs: cell.jobs, cpu_percent };
    let evidence = search.session.since(from).iter().map(|p| p.ordinal).collect();
    let wide = most.half_percent() > 5.0;
    let caveats = wide.then(|| Caveat::Wide { half_percent: most.half_percent() }).into_iter().collect();
    Some(search.conclude(claim, most, evidence, caveats))
}

/// Returns the conclusion that the device's rate kept changing until the time was over, with its first and last rate.
pub(super) fn wandered(search: &DepthSearch<'_, '_>, from: usize) -> Option<Conclusion> {
    let points = search.session.since(from);
    let deepest = |again: bool| {
        let seen = |cell: &Cell| points.iter().filter(|p| p.cell == *cell).count() > usize::from(again);
        points.iter().filter(|p| seen(&p.cell)).max_by_key(|p| p.cell.in_flight())
    };
    let cell = deepest(true)?.cell.clone();
    let mut visits = points.iter().filter(|p| p.cell == cell);
    let (first, last) = (visits.next()?, visits.next_back()?);
    let between = |p: &&Point| first.ordinal < p.ordinal && p.ordinal <= last.ordinal;
    let over_s = points.iter().filter(between).map(|p| p.rest_s + p.seconds).sum();
    let claim = StudyClaim::Drifts { in_flight: cell.in_flight(), before: first.iops.value, over_s };
    let evidence = points.iter().map(|p| p.ordinal).collect();
    let changed = (last.iops.value / first.iops.value).ln().abs() > 0.03;
    changed.then(|| search.conclude(claim, last.iops, evidence, Vec::new()))
}

/// Returns the conclusion about the curve of the rate over the depth, from the depths that the answer is based on.
pub(super) fn curve(search: &DepthSearch<'_, '_>, found: &Conclusion) -> Option<Conclusion> {
    if !matches!(found.claim, StudyClaim::Knee { .. } | StudyClaim::NoKnee { .. }) {
        return None;
    }
    let points = search.session.level_points();
    let depths = depths_of(points);
    let rates: Vec<(u32, Estimate)> =
        depths.iter().filter_map(|n| Some((*n, search.session.seen(&search.cell(*n))?))).collect();
    let curve = stats::depth_curve::fit(&rates)?;
    let claim = StudyClaim::Curve { curve, up_to: *depths.last()? };
    Some(Conclusion { claim, caveats: Vec::new(), ..found.clone() })
}

/// Returns whether the device was idle most of the time while many I/Os were in flight: a layer above it limited the
/// rate.
pub(in super::super) fn idle_beneath(p: &Point) -> bool {
    let asked = p.cell.in_flight();
    let idle = p.util_percent.is_some_and(|u| u < 100.0 * stats::throttle::IDLE)
        && p.queue.is_some_and(|q| q < f64::from(asked) / 4.0);
    idle && asked >= 4
}

/// Returns whether the rate of one I/O in flight is certainly close to the highest. If that rate may be half of the
/// highest, depth may matter.
fn surely(alone: &Estimate, most: &Estimate) -> bool {
    const SURELY: f64 = 0.85;
    alone.low >= SURELY * most.high
}

/// Returns the rates at all depths of `points`. The interval of a visit that was too short for rare events is too
/// narrow, so each interval is widened to the width that the dispersion over all visits implies for its number of
/// I/Os.
fn with_all_noise<'p>(points: impl Iterator<Item = &'p Point> + Clone) -> Vec<(u32, Estimate)> {
    let varied = points.clone().filter_map(|p| {
        let slice_s = p.seconds / 20.0;
        Some((stats::converge::dispersion(&p.series, slice_s)?, p.seconds))
    });
    let (sum, seconds) = varied.fold((0.0, 0.0), |(sum, all), (d, s)| (sum + d * s, all + s));
    let dispersion = if seconds > 0.0 { sum / seconds } else { 0.0 };
    let mut depths: Vec<u32> = points.clone().map(|p| p.cell.in_flight()).collect();
    depths.sort_unstable();
    depths.dedup();
    let of = |n: u32| {
        let visits = points.clone().filter(|p| p.cell.in_flight() == n);
        let (rates, seconds): (Vec<_>, Vec<_>) = visits.map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
        let rate = stats::converge::pooled(&rates, &seconds)?;
        let ios = (rate.value * seconds.iter().sum::<f64>()).max(1.0);
        let half = 1.96 * (dispersion / ios).sqrt() * rate.value;
        let (low, high) = (rate.low.min(rate.value - half).max(0.0), rate.high.max(rate.value + half));
        Some((n, Estimate { low, high, ..rate }))
    };
    depths.into_iter().filter_map(of).collect()
}

/// Returns the range of depths that contains the knee: from the depth after the last one certainly below [`NEARLY`]
/// times `most`, to the first one certainly at or above it.
fn knee_range(seen: &[(u32, Estimate)], knee: u32, most: &Estimate) -> Option<[u32; 2]> {
    let reached = |n: &(u32, Estimate)| n.1.low >= NEARLY * most.high;
    let missed = |n: &&(u32, Estimate)| n.1.high < NEARLY * most.low;
    let high = seen.iter().filter(|n| n.0 >= knee).find(|n| reached(n)).map_or(seen.last()?.0, |n| n.0);
    let low = seen.iter().filter(|n| n.0 < knee).rfind(missed).map_or(1, |n| n.0 + 1);
    Some([low, high.max(knee)])
}

/// Returns the 99th percentile of the longest visit that has an interval for it, with the interval; otherwise the
/// largest 99th percentile of all visits. Nanoseconds.
fn p99(search: &DepthSearch<'_, '_>, cell: &Cell) -> (Option<u64>, Option<[u64; 2]>) {
    let known = search.session.visits(cell).filter(|p| p.tails.p99.is_some());
    match known.max_by(|a, b| a.seconds.total_cmp(&b.seconds)) {
        Some(longest) => (longest.p99_ns, longest.tails.p99),
        None => (search.session.visits(cell).filter_map(|p| p.p99_ns).max(), None),
    }
}
