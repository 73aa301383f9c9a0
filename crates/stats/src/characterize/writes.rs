//! Caches for writes, from the times of sequential writes: the bytes that are taken at a higher rate, and the rate at which
//! this ability returns at rest.

use super::sample;
use crate::estimate::Estimate;
use crate::quantile::student_t;
use serde::{Deserialize, Serialize};

/// Smallest factor between the rates before and after a step.
const LEAST_STEP: f64 = 1.4;
/// Smallest number of equal parts before and after a step.
const LEAST_PARTS: usize = 6;
/// Decrease of the log likelihood at the ends of an interval, with a reserve for times that are not log-normal.
const DROP: f64 = 4.0;
/// Smallest scatter of the logarithm of a time.
const LEAST_SCATTER: f64 = 0.02;

/// Rate over the bytes written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteCurve {
    /// Bytes written before, and rate in bytes per second, of parts of the curve.
    pub points: Vec<(u64, f64)>,
    /// Bytes written in all.
    pub bytes: u64,
    /// Mean rate in bytes per second; of the whole curve.
    pub mean: Estimate,
    /// Step of the rate; `None` if none was seen.
    pub step: Option<WriteStep>,
    /// Bytes at the higher rate after pauses.
    pub recovery: Vec<Recovery>,
    /// Kind of cache that the step is, if it recovers at rest.
    pub cache: Option<WriteCache>,
}

/// Fall of the rate of sequential writes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteStep {
    /// Bytes written at the higher rate.
    pub bytes: Estimate,
    /// Rate before in bytes per second.
    pub before: Estimate,
    /// Rate after in bytes per second.
    pub after: Estimate,
    /// Time in seconds during which the device paused while it wrote `bytes`; a cache may empty meanwhile.
    #[serde(default)]
    pub paused_s: f64,
}

/// Bytes at the higher rate after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recovery {
    /// Duration of the pause in seconds.
    pub idle_s: f64,
    /// Bytes that were written at the higher rate.
    pub bytes: Estimate,
}

/// Cache behind a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriteCache {
    /// A buffer that drains at the rate after the step, also while it is written (a write-back cache).
    WriteBack {
        /// Size in bytes.
        bytes: Estimate,
    },
    /// Flash that is written faster (SLC cache), and emptied only at rest.
    Slc {
        /// Size in bytes.
        bytes: Estimate,
        /// Rate at which it is emptied in bytes per second.
        recovery: Estimate,
    },
    /// The higher rate returned at rest; its kind was not determined.
    Recovers,
    /// The higher rate did not return within the longest pause, in seconds.
    Stays {
        /// Longest pause in seconds.
        idle_s: f64,
    },
}

/// Returns the curve of equal parts of `unit` bytes that took `nanos` nanoseconds each; `None` with fewer than 16.
pub fn curve(nanos: &[f64], unit: u64) -> Option<WriteCurve> {
    if nanos.len() < 16 {
        return None;
    }
    let per_point = nanos.len().div_ceil(512);
    let points = nanos
        .chunks(per_point)
        .enumerate()
        .map(|(nth, part)| {
            let time: f64 = part.iter().sum();
            ((nth * per_point) as u64 * unit, (part.len() as u64 * unit) as f64 * 1e9 / time.max(1.0))
        })
        .collect();
    let step = step(nanos, unit);
    let mean = level(nanos, unit)?;
    let bytes = nanos.len() as u64 * unit;
    Some(WriteCurve { points, bytes, mean, step, recovery: Vec::new(), cache: None })
}

/// Returns the step of the rate; `None` if none is seen.
pub fn step(nanos: &[f64], unit: u64) -> Option<WriteStep> {
    let n = nanos.len();
    if n < 16 {
        return None;
    }
    let logs: Vec<f64> = calm(nanos).iter().map(|time| time.max(1.0).ln()).collect();
    let mut sums = vec![0.0];
    logs.iter().for_each(|log| sums.push(sums[sums.len() - 1] + log));
    // Best split into two levels: the largest sum of squares between them.
    let between = |k: usize| {
        let (left, right) = (sums[k] / k as f64, (sums[n] - sums[k]) / (n - k) as f64);
        k as f64 * (n - k) as f64 / n as f64 * (right - left).powi(2)
    };
    let k = (LEAST_PARTS..=n - LEAST_PARTS).max_by(|a, b| between(*a).total_cmp(&between(*b)))?;
    // A gradual fall, as over the surface of a disk, has no difference right at the split.
    let near = (n / 16).clamp(LEAST_PARTS, 4096);
    let (left, right) = (&logs[k.saturating_sub(near)..k], &logs[k..(k + near).min(n)]);
    let (a, error_a) = sample::mean_and_error(left)?;
    let (b, error_b) = sample::mean_and_error(right)?;
    let (_, all_a) = sample::mean_and_error(&logs[..k])?;
    let (_, all_b) = sample::mean_and_error(&logs[k..])?;
    let error = error_a.hypot(error_b).max(all_a.hypot(all_b));
    if b - a < LEAST_STEP.ln() || b - a < 6.0 * error {
        return None;
    }
    // The parts next to the split may lie on both sides of it.
    let before = level(&nanos[..k - 1], unit)?;
    let after = level(&nanos[k + 1..], unit)?;
    if before.value < LEAST_STEP * after.value {
        return None;
    }
    let scatter = |of: &[f64], error: f64| (error * (of.len() as f64).sqrt()).max(LEAST_SCATTER);
    let levels = Levels { a, b, scatter: [scatter(left, error_a), scatter(right, error_b)] };
    let from = k.saturating_sub(near);
    let (at, low, high) = levels.split(&logs[from..(k + near).min(n)]);
    let bytes = |part: f64| (from as f64 + part).max(0.0) * unit as f64;
    Some(WriteStep {
        bytes: Estimate { value: bytes(at), low: bytes(low), high: bytes(high) },
        before,
        after,
        paused_s: paused(&nanos[..k]),
    })
}

/// Returns the time in seconds by which parts took longer than three times the median of their neighbours.
fn paused(nanos: &[f64]) -> f64 {
    let usual = |at: usize| {
        let near = &nanos[at.saturating_sub(7)..(at + 8).min(nanos.len())];
        sample::quantile(&sample::sorted(near), 0.5)
    };
    (0..nanos.len()).map(|at| (nanos[at] - 3.0 * usual(at)).max(0.0)).sum::<f64>() / 1e9
}

/// Two levels of the logarithm of times, with their scatter.
struct Levels {
    a: f64,
    b: f64,
    scatter: [f64; 2],
}

impl Levels {
    /// Returns the number of parts before the change from the first level to the second, with its interval.
    fn split(&self, logs: &[f64]) -> (f64, f64, f64) {
        let likelihood = |log: f64, mean: f64, scatter: f64| {
            // A single far time decides nothing.
            let far = ((log - mean) / scatter).clamp(-4.0, 4.0);
            -far * far / 2.0 - scatter.ln()
        };
        let mut sums = vec![0.0];
        for log in logs {
            let more = likelihood(*log, self.a, self.scatter[0]) - likelihood(*log, self.b, self.scatter[1]);
            sums.push(sums[sums.len() - 1] + more);
        }
        let best = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let at = sums.iter().position(|sum| *sum >= best).unwrap_or(0);
        let low = sums.iter().position(|sum| *sum >= best - DROP).unwrap_or(at);
        let high = sums.iter().rposition(|sum| *sum >= best - DROP).unwrap_or(at);
        // Between two parts the device may rest for a moment, and recover a little.
        let rest = 2e-3 * at as f64;
        (at as f64, low as f64 - 1.0 - rest, high as f64 + 1.0 + rest)
    }
}

/// Returns the bytes at the higher rate of `step` in a burst of writes after a pause.
pub fn recovered(nanos: &[f64], unit: u64, step: &WriteStep) -> Estimate {
    let log = |rate: f64| (unit as f64 * 1e9 / rate.max(1.0)).ln();
    let logs: Vec<f64> = calm(nanos).iter().map(|time| time.max(1.0).ln()).collect();
    let (a, b) = (log(step.before.value), log(step.after.value));
    let levels = Levels { a, b, scatter: [((b - a) / 4.0).max(LEAST_SCATTER); 2] };
    let (at, low, high) = levels.split(&logs);
    let bytes = |part: f64| part.max(0.0) * unit as f64;
    // The time of all parts tells where within a part the change was.
    let (fast, slow) = (a.exp(), b.exp());
    let time: f64 = calm(nanos).iter().sum();
    let exact = (slow * nanos.len() as f64 - time) / (slow - fast).max(1.0);
    let value = exact.clamp((at - 1.0).max(low), (at + 1.0).min(high));
    Estimate { value: bytes(value), low: bytes(low - 1.0), high: bytes(high + 1.0) }
}

/// Difference, as a share, of the net rate of a recovery from the rate after the step up to which both are equal, and from
/// which they are not.
const EQUAL: f64 = 0.005;
const UNEQUAL: f64 = 0.2;
/// Share of the bytes by which a cache may empty in the moments between two writes.
const BETWEEN_WRITES: f64 = 5e-3;
/// Share of the first burst from which a pause was long enough for all of it.
const FULL: f64 = 0.93;

/// Returns the bytes at the higher rate after a pause that is long enough: those before the step or, if a pause of the
/// device made these more, those that two much longer pauses do not exceed.
fn all_of(step: &WriteStep, recovery: &[Recovery]) -> Estimate {
    let mut by_pause: Vec<&Recovery> = recovery.iter().collect();
    by_pause.sort_by(|a, b| b.idle_s.total_cmp(&a.idle_s));
    let [longest, .., other] = by_pause.as_slice() else { return step.bytes };
    let other = by_pause.iter().find(|r| r.idle_s < 0.7 * longest.idle_s).unwrap_or(other);
    let (most, less) = (longest.bytes, other.bytes);
    let level = other.idle_s < 0.7 * longest.idle_s && (most.value / less.value.max(1.0) - 1.0).abs() < 0.02;
    let any = |of: &Estimate| of.value >= FULL * step.bytes.value;
    if level && most.low > 0.3 * step.bytes.value && !recovery.iter().any(|r| any(&r.bytes)) {
        return Estimate { value: most.value, low: most.low.min(less.low), high: most.high.max(less.high) };
    }
    step.bytes
}

/// Returns the next pause in seconds, of at most `longest`; `None` when the recovery is known.
pub fn next_pause(step: &WriteStep, recovery: &[Recovery], longest: f64) -> Option<f64> {
    const SHORTEST: f64 = 0.002;
    let all = all_of(step, recovery);
    let full = |of: &&Recovery| of.bytes.value >= FULL * all.value;
    let Some(least_full) = recovery.iter().filter(full).map(|r| r.idle_s).reduce(f64::min) else {
        let next = recovery.iter().map(|r| r.idle_s).fold(0.0, f64::max) * 2.0;
        return Some(if recovery.is_empty() { 1.0f64.min(longest) } else { next })
            .filter(|next| *next <= longest && recovery.len() < 12);
    };
    let partly = recovery.iter().filter(|r| !full(r) && r.bytes.low > 0.15 * all.value).count();
    if partly >= 3 || recovery.len() >= 14 {
        return None;
    }
    let most_partly =
        recovery.iter().filter(|r| !full(r) && r.bytes.value > 0.0).map(|r| r.idle_s).fold(0.0, f64::max);
    let next = if most_partly > 0.0 { f64::midpoint(most_partly, least_full) } else { least_full / 3.0 };
    let known = |next: f64| recovery.iter().any(|r| (r.idle_s / next - 1.0).abs() < 0.05);
    Some(next).filter(|next| *next >= SHORTEST && !known(*next))
}

/// Returns the kind of the cache; `None` without a recovery after any pause.
pub fn kind(step: &WriteStep, recovery: &[Recovery]) -> Option<WriteCache> {
    let longest = recovery.iter().map(|r| r.idle_s).reduce(f64::max)?;
    let any = recovery.iter().any(|r| r.bytes.low > 0.05 * step.bytes.value);
    if !any {
        return Some(WriteCache::Stays { idle_s: longest });
    }
    let all = all_of(step, recovery);
    let partly: Vec<&Recovery> = recovery
        .iter()
        .filter(|r| r.bytes.value < FULL * all.value && r.bytes.low > 0.15 * all.value)
        .collect();
    if partly.is_empty() {
        return Some(WriteCache::Recovers);
    }
    // The median: a burst that another load disturbed has a wrong size.
    let mut rates: Vec<Estimate> = partly.iter().map(|r| r.bytes.times(1.0 / r.idle_s)).collect();
    rates.sort_by(|a, b| a.value.total_cmp(&b.value));
    let middle = rates[rates.len() / 2];
    // The rates after pauses of different lengths scatter by what a single burst does not show.
    let values: Vec<f64> = rates.iter().map(|rate| rate.value).collect();
    let error = sample::mean_and_error(&values).map_or(0.0, |(_, error)| error);
    let reserve = (BETWEEN_WRITES * middle.value).hypot(2.0 * error);
    let (low, high) = (rates[(rates.len() - 1) / 2].low.min(middle.low), middle.high);
    let recovery = Estimate { low: low - reserve, high: high + reserve, ..middle };
    // A buffer that drains while it is written takes more than its size.
    let drained = step.after.over(&step.before);
    let kept = 1.0 - drained.value;
    let difference = (middle.value * kept / step.after.value - 1.0).abs();
    if difference < EQUAL {
        let all = less_pauses(all, step.after.value * step.paused_s);
        let half = (drained.half() / kept).hypot(all.half() / all.value);
        let bytes = all.value * kept;
        return Some(WriteCache::WriteBack { bytes: Estimate::around(bytes, half * bytes) });
    }
    if difference < UNEQUAL {
        return Some(WriteCache::Recovers);
    }
    Some(WriteCache::Slc { bytes: less_pauses(all, recovery.value * step.paused_s), recovery })
}

/// Returns the size of a cache that took `bytes` bytes and may have emptied by `emptied` bytes meanwhile: half of that, and
/// all and nothing of it as limits.
fn less_pauses(bytes: Estimate, emptied: f64) -> Estimate {
    let emptied = emptied.min(bytes.value / 2.0);
    let reserve = BETWEEN_WRITES * bytes.value;
    Estimate {
        value: bytes.value - emptied / 2.0,
        low: bytes.low - emptied - reserve,
        high: bytes.high + reserve,
    }
}

/// Returns the times with pauses of the device shortened to twenty times the median of their neighbours.
fn calm(nanos: &[f64]) -> Vec<f64> {
    let median = |at: usize| {
        let near = &nanos[at.saturating_sub(7)..(at + 8).min(nanos.len())];
        sample::quantile(&sample::sorted(near), 0.5)
    };
    let usual: Vec<f64> = (0..nanos.len()).map(|at| 20.0 * median(at)).collect();
    // Of a device that pauses again and again, the pauses are the rate.
    if sample::pauses_are_the_rate(nanos, |at| nanos[at] > usual[at]) {
        return nanos.to_vec();
    }
    nanos.iter().zip(usual).map(|(time, usual)| time.min(usual)).collect()
}

/// Returns the rate of these parts in bytes per second, with an interval from the means of batches.
fn level(nanos: &[f64], unit: u64) -> Option<Estimate> {
    const BATCHES: usize = 16;
    let times = calm(nanos);
    let size = times.len().div_ceil(BATCHES);
    if times.len() < LEAST_PARTS - 1 {
        return None;
    }
    let means: Vec<f64> =
        times.chunks(size).map(|batch| batch.iter().sum::<f64>() / batch.len() as f64).collect();
    let all = times.iter().sum::<f64>() / times.len() as f64;
    let (_, error) = sample::mean_and_error(&means)?;
    let half = student_t(0.975, means.len() as f64 - 1.0) * error;
    Some(sample::rate(unit as f64, &Estimate::around(all, half.max(1e-3 * all))))
}
