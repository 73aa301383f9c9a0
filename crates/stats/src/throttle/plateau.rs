//! The last constant rate of a series, and the I/Os that completed beyond this rate before it.

use crate::estimate::Estimate;
use crate::quantile::student_t;
use crate::series::{Series, Window};

/// Smallest number of windows from which a rate is fitted.
const LEAST_WINDOWS: usize = 12;
/// Ratio of the rate before a step to the rate after it, from which the earlier rate is not part of the plateau.
const STEP: f64 = 1.1;
/// Excess before the plateau that counts, in multiples of the range by which the count strays on the plateau.
const CLEAR: f64 = 3.0;
/// Part of the windows at the start (one in so many) that is left out if the count strays less without it, and the
/// ratio of the ranges from which that is so.
const START: usize = 10;
const SETTLED: f64 = 0.75;

/// Smallest part of the windows (one in so many) on the plateau: a shorter one leaves its rate uncertain.
const LATEST: usize = 5;
/// Ratio of the sums of squares around two lines and around one, below which two lines fit better. The steps of slices
/// alone reduce the sum by little.
const BETTER: f64 = 0.4;

/// Constant rate at the end of a series. Counts are I/Os, or bytes if the series has bytes in place of I/Os.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plateau {
    /// Rate per second, by least squares over the cumulative count.
    pub rate: Estimate,
    /// Duration of the plateau, seconds.
    pub seconds: f64,
    /// Number counted on the plateau.
    pub count: f64,
    /// Range of the differences between the cumulative count and the line.
    pub swing: f64,
    /// Number by which the count at the start of the plateau exceeds its rate; 0 if not distinguishable from chance.
    pub excess: f64,
    /// Rate per second before the plateau; `None` without an excess or if it took less than two windows.
    pub before: Option<f64>,
}

/// Points (seconds, cumulative count) at the ends of the windows, with the start.
fn cumulative(windows: &[Window]) -> Vec<(f64, f64)> {
    let (mut at, mut count) = (0u64, 0u64);
    let points = windows.iter().map(|w| {
        at += w.nanos;
        count += w.all_ios();
        (at as f64 / 1e9, count as f64)
    });
    std::iter::once((0.0, 0.0)).chain(points).collect()
}

/// Line by least squares: slope and value at 0; `None` without extent.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (xy, xx) =
        points.iter().fold((0.0, 0.0), |(xy, xx), p| (xy + (p.0 - x) * (p.1 - y), xx + (p.0 - x).powi(2)));
    (xx > 0.0).then(|| (xy / xx, y - xy / xx * x))
}

/// Slope with its 95 % interval, value at 0, and range of the residuals. Neighbouring residuals are correlated, so the
/// number of independent ones follows from their correlation.
fn fit(points: &[(f64, f64)]) -> Option<(Estimate, f64, f64)> {
    let (slope, zero) = line(points)?;
    let off: Vec<f64> = points.iter().map(|p| p.1 - zero - slope * p.0).collect();
    let n = off.len() as f64;
    let variance = off.iter().map(|r| r * r).sum::<f64>() / (n - 2.0).max(1.0);
    let next = off.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / n;
    let correlation = if variance > 0.0 { (next / variance).clamp(0.0, 0.99) } else { 0.0 };
    let independent = (n * (1.0 - correlation) / (1.0 + correlation)).max(3.0);
    let seconds = points.last()?.0 - points.first()?.0;
    let error = (12.0 * variance / independent).sqrt() / seconds;
    // The count itself is known to one.
    let half = (student_t(0.975, independent - 2.0) * error).max(1.0 / seconds);
    let (most, least) =
        off.iter().fold((f64::MIN, f64::MAX), |(most, least), r| (most.max(*r), least.min(*r)));
    Some((Estimate::around(slope, half), zero, most - least))
}

/// Returns the index of the point from which on another line fits: the split for which two lines have the least sum of
/// squares. Steps of slices are in both parts and do not attract the split, as they would for the rates of windows.
fn bend(points: &[(f64, f64)], one: &Plateau) -> Option<usize> {
    let n = points.len();
    // Residuals of one line, so that the sums of squares are small numbers.
    let off = |at: usize| (points[at].0, points[at].1 - one.rate.value * points[at].0 - one.excess);
    let mut sums = vec![[0.0; 6]];
    for at in 0..n {
        let (x, y) = off(at);
        let (last, add) = (sums[at], [1.0, x, y, x * x, x * y, y * y]);
        sums.push(std::array::from_fn(|i| last[i] + add[i]));
    }
    let squares = |from: usize, to: usize| {
        let [n, x, y, xx, xy, yy]: [f64; 6] = std::array::from_fn(|i| sums[to][i] - sums[from][i]);
        let (sxx, sxy, syy) = (xx - x * x / n, xy - x * y / n, yy - y * y / n);
        if sxx > 0.0 { (syy - sxy * sxy / sxx).max(0.0) } else { 0.0 }
    };
    let split = |at: &usize| squares(0, *at) + squares(*at, n);
    let at =
        (1..=n.checked_sub(LEAST_WINDOWS.max(n / LATEST))?).min_by(|a, b| split(a).total_cmp(&split(b)))?;
    (split(&at) < BETTER * squares(0, n)).then_some(at)
}

/// Returns the plateau of a series; `None` with too few windows or without completions at its end.
pub(super) fn find(series: &Series) -> Option<Plateau> {
    let windows = &series.windows;
    let points = cumulative(windows);
    let all_s = points.last()?.0;
    let whole = |from: usize| -> Option<Plateau> {
        let part = &points[from..];
        let (rate, zero, swing) = fit(part)?;
        let count = part[part.len() - 1].1 - part[0].1;
        let seconds = all_s - part[0].0;
        Some(Plateau { rate, seconds, count, swing, excess: zero, before: None })
    };
    let one = whole(0).filter(|p| p.rate.value > 0.0 && windows.len() > 2)?;
    // The kernel permits the I/Os of two or three slices at the start, which are no credits.
    let settled = whole(windows.len() / START).filter(|p| p.swing < SETTLED * one.swing);
    let none = Plateau { excess: 0.0, ..settled.unwrap_or(one) };
    let at = bend(&points, &one);
    let Some(later) = at.and_then(whole) else { return Some(none) };
    let at = at.unwrap_or(0);
    let earlier = points[at].1 / points[at].0;
    let clear = later.excess.abs() > CLEAR * later.swing + 3.0;
    if !clear || earlier < STEP * later.rate.value && later.excess > 0.0 {
        return Some(none);
    }
    if later.excess < 0.0 {
        // A slow start is no burst; the plateau begins after it.
        return Some(Plateau { excess: 0.0, ..later });
    }
    let before = (at >= 2).then_some(earlier);
    Some(Plateau { before, ..later })
}

impl Plateau {
    /// Returns the variance over the mean of the count that a device with independent service times would have, if it
    /// strayed as far as this count. 1.25 is the mean range of a Brownian bridge.
    pub(super) fn dispersion(&self) -> f64 {
        (self.swing / 1.25).powi(2) / self.count.max(1.0)
    }
}
