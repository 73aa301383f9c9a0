//! Logs over time and their arithmetic. A sample represents the time since the preceding sample; two logs are
//! combined by time, never by line. The time between samples too far apart is a gap, which is not drawn, summed or
//! averaged.

use crate::direction::Direction;
use crate::histogram::Histogram;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Distance between two samples, in usual spacings, above which there is a gap: one missing line, and half a spacing
/// for inexact intervals.
const GAP: f64 = 2.5;
/// Largest number of cells of a grid; a longer log has longer cells.
const CELLS: f64 = 100_000.0;
/// Largest number of points of a trend, whose cost is quadratic.
const TREND_POINTS: usize = 400;

/// Quantity that a log over time records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogKind {
    /// Bytes per second.
    Bandwidth,
    /// I/Os per second.
    Iops,
    /// Total latency, nanoseconds.
    Lat,
    /// Submission latency, nanoseconds.
    Slat,
    /// Completion latency, nanoseconds.
    Clat,
    /// Duration of syncs, nanoseconds.
    Sync,
    /// Commit latency, nanoseconds.
    Commit,
}

/// Values over time of one direction of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogSeries {
    /// Path of the log file.
    pub source: String,
    /// Directory and prefix of the file, which the logs of all jobs of one run have in common.
    #[serde(default)]
    pub run: String,
    /// Name of the job, with its number if several jobs have the name.
    pub name: String,
    /// Quantity of the log.
    pub kind: LogKind,
    /// Direction of the I/Os.
    pub direction: Direction,
    /// `iodepth` according to the file name; 0 if not known.
    pub depth: u32,
    /// `numjobs` according to the file name; 0 if not known.
    pub jobs: u32,
    /// Whether each sample is one I/O instead of the mean of an interval.
    #[serde(default)]
    pub per_io: bool,
    /// Samples as [seconds since the start, value], ascending in time. A sample represents the time since the
    /// preceding one.
    pub samples: Vec<[f64; 2]>,
}

/// Latency histograms over time of one direction of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistogramLog {
    /// Path of the log file.
    pub source: String,
    /// Directory and prefix of the file, which the logs of all jobs of one run have in common.
    #[serde(default)]
    pub run: String,
    /// Name of the job, with its number if several jobs have the name.
    pub name: String,
    /// Direction of the I/Os.
    pub direction: Direction,
    /// `iodepth` according to the file name; 0 if not known.
    pub depth: u32,
    /// `numjobs` according to the file name; 0 if not known.
    pub jobs: u32,
    /// Samples as (seconds since the start, latencies of the I/Os completed since the preceding sample), ascending in
    /// time.
    pub samples: Vec<(f64, Histogram)>,
}

/// Time interval that a sample represents, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Start of the interval, seconds.
    pub from: f64,
    /// End of the interval (time of the sample), seconds.
    pub to: f64,
    /// Value of the sample, in the unit of the log.
    pub value: f64,
    /// Whether a gap precedes the interval.
    pub after_gap: bool,
}

/// Values of a log in cells of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Length of a cell, seconds; cell `k` covers the time after `k * step` up to `(k + 1) * step`.
    pub step: f64,
    /// Mean value over the part of each cell that samples cover; `None` for a cell without samples.
    pub values: Vec<Option<f64>>,
}

/// Statistics of sample values, each with equal weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Number of values.
    pub n: usize,
    /// Smallest value, in the unit of the log.
    pub min: f64,
    /// Mean of the values, not weighted by time.
    pub mean: f64,
    /// Largest value, in the unit of the log.
    pub max: f64,
    /// Population standard deviation (divisor n, not n - 1), as in fio2gnuplot.
    pub stddev: f64,
}

/// Straight line of a value over time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// Value at 0 s, in the unit of the log.
    pub at_zero: f64,
    /// Change of the value per second.
    pub per_second: f64,
}

impl Line {
    /// Returns the value of the line at the time `seconds`.
    pub fn at(&self, seconds: f64) -> f64 {
        self.at_zero + self.per_second * seconds
    }
}

/// Returns the usual spacing of samples, seconds: the median distance, or the time of the only sample.
pub fn spacing(samples: &[[f64; 2]]) -> f64 {
    let mut apart: Vec<f64> = samples.windows(2).map(|w| w[1][0] - w[0][0]).filter(|d| *d > 0.0).collect();
    apart.sort_by(f64::total_cmp);
    match apart.get(apart.len() / 2) {
        Some(median) => *median,
        None => samples.first().map_or(0.0, |s| s[0]),
    }
}

/// Returns the time interval of each sample. After a gap, and before a late first sample, the interval has the usual
/// spacing.
pub fn spans(samples: &[[f64; 2]]) -> Vec<Span> {
    let usual = spacing(samples);
    let mut before = None;
    samples
        .iter()
        .map(|&[to, value]| {
            let since = before.replace(to);
            let apart = to - since.unwrap_or(0.0);
            let gap = apart > GAP * usual;
            let from = if gap { to - usual } else { since.unwrap_or(0.0).min(to) };
            Span { from, to, value, after_gap: gap }
        })
        .collect()
}

/// Returns the parts of the samples without a gap, each of which a chart may join with a line.
pub fn stretches(samples: &[[f64; 2]]) -> Vec<&[[f64; 2]]> {
    let begins =
        spans(samples).iter().enumerate().filter(|(_, s)| s.after_gap).map(|(at, _)| at).collect::<Vec<_>>();
    let mut edges = vec![0];
    edges.extend(begins.into_iter().filter(|at| *at > 0));
    edges.push(samples.len());
    edges.windows(2).map(|w| &samples[w[0]..w[1]]).filter(|s| !s.is_empty()).collect()
}

/// Returns a log in cells of `step` seconds. The value of a cell is the mean of the samples, weighted by their time
/// in the cell; for a log of single I/Os the mean of the I/Os that completed in the cell.
pub fn on_grid(track: &LogSeries, step: f64) -> Grid {
    let end = track.samples.last().map_or(0.0, |s| s[0]);
    if !(end > 0.0 && end.is_finite() && step > 0.0) {
        return Grid { step: step.max(f64::MIN_POSITIVE), values: Vec::new() };
    }
    let step = step.max(end / CELLS);
    let cells = ((end / step) - 1e-9).ceil().max(1.0) as usize;
    let mut sums = vec![(0.0, 0.0); cells];
    if track.per_io {
        for [time, value] in &track.samples {
            let sum = &mut sums[cell(*time, step, cells)];
            *sum = (sum.0 + value, sum.1 + 1.0);
        }
    } else {
        for span in spans(&track.samples) {
            let first = ((span.from / step).max(0.0) as usize).min(cells - 1);
            for (at, sum) in sums.iter_mut().enumerate().skip(first) {
                let (low, high) = (at as f64 * step, (at + 1) as f64 * step);
                let overlap = span.to.min(high) - span.from.max(low);
                if overlap > 0.0 {
                    *sum = (sum.0 + span.value * overlap, sum.1 + overlap);
                }
                if high >= span.to {
                    break;
                }
            }
        }
    }
    // Coverage below fio's resolution of a millisecond results from rounded times and does not count.
    let known = if track.per_io { 0.5 } else { (step / 2.0).min(5e-4) };
    let values = sums.iter().map(|(sum, of)| (*of > known).then(|| sum / of)).collect();
    Grid { step, values }
}

/// Returns the index of the cell that contains a time: after its start, up to and including its end.
fn cell(time: f64, step: f64, cells: usize) -> usize {
    (((time / step) - 1e-9).ceil().max(1.0) as usize - 1).min(cells - 1)
}

/// Returns several logs of one kind combined by time: rates are summed (a job without a sample counts as 0),
/// latencies are averaged. The mean weights each log by its IOPS log in `rates` (same name and direction), or all
/// equally if one has none. `None` without a log.
pub fn together(tracks: &[&LogSeries], rates: &[&LogSeries], step: f64) -> Option<LogSeries> {
    let first = tracks.first()?;
    let end = tracks.iter().filter_map(|t| t.samples.last()).map(|s| s[0]).fold(0.0, f64::max);
    let step = step.max(end / CELLS);
    let grids: Vec<Grid> = tracks.iter().map(|t| on_grid(t, step)).collect();
    let weigh = |track: &&LogSeries| {
        let own = |r: &&&LogSeries| {
            r.name == track.name && r.direction == track.direction && r.kind == LogKind::Iops
        };
        rates.iter().find(own).map(|r| on_grid(r, step))
    };
    let weights: Option<Vec<Grid>> = tracks.iter().map(weigh).collect();
    let adds = matches!(first.kind, LogKind::Bandwidth | LogKind::Iops);
    let known = |grid: &Grid, at: usize| grid.values.get(at).copied().flatten();
    let cells = grids.iter().map(|g| g.values.len()).max().unwrap_or(0);
    let one = |at: usize| {
        let there = grids.iter().enumerate().filter_map(|(who, g)| known(g, at).map(|v| (who, v)));
        let (mut sum, mut weight, mut n) = (0.0, 0.0, 0);
        for (who, value) in there {
            let w = match &weights {
                Some(weights) if !adds => known(&weights[who], at).unwrap_or(0.0),
                _ => 1.0,
            };
            (sum, weight, n) = (sum + value * w, weight + w, n + 1);
        }
        let value = if adds { sum } else { sum / weight };
        (n > 0 && value.is_finite()).then(|| [((at + 1) as f64 * step).min(end), value])
    };
    let samples = (0..cells).filter_map(one).collect();
    Some(LogSeries { per_io: false, samples, ..(*first).clone() })
}

/// Largest number of points of a drawn line.
const DRAWN: usize = 2000;

/// Returns the logs grouped by run, kind and direction, in order of first appearance.
pub fn by_run(tracks: &[LogSeries]) -> Vec<Vec<&LogSeries>> {
    let mut order: BTreeMap<(&str, LogKind, usize), usize> = BTreeMap::new();
    let mut out: Vec<Vec<&LogSeries>> = Vec::new();
    for track in tracks {
        let key = (track.run.as_str(), track.kind, track.direction as usize);
        let at = *order.entry(key).or_insert_with(|| {
            out.push(Vec::new());
            out.len() - 1
        });
        out[at].push(track);
    }
    out
}

/// Returns the log to draw for these logs: a single log unchanged, several combined by time, and a log of very many
/// samples or of single I/Os on a grid.
pub fn drawn(tracks: &[&LogSeries], rates: &[&LogSeries]) -> Option<LogSeries> {
    let usual = tracks.iter().map(|t| spacing(&t.samples)).fold(0.0, f64::max);
    let end = tracks.iter().filter_map(|t| t.samples.last()).map(|s| s[0]).fold(0.0, f64::max);
    let many = tracks.iter().any(|t| t.samples.len() > DRAWN || t.per_io);
    let step = if many { usual.max(end / (DRAWN as f64 / 4.0)) } else { usual };
    match tracks {
        [one] if !many => Some((*one).clone()),
        _ if step > 0.0 => together(tracks, rates, step),
        _ => tracks.first().map(|t| (*t).clone()),
    }
}

/// Returns single I/Os, given as [time in seconds, weight] (1, or the bytes), as a rate per second in cells of `step`
/// seconds. The log contains every I/O, so a cell without one is 0. A short remainder at the end is added to the last
/// cell. Empty if all I/Os end at time 0.
pub fn rates(events: &[[f64; 2]], step: f64) -> Vec<[f64; 2]> {
    let end = events.last().map_or(0.0, |e| e[0]);
    if !(end > 0.0 && end.is_finite() && step > 0.0) {
        return Vec::new();
    }
    let step = step.max(end / CELLS);
    let cells = ((end / step).round().max(1.0)) as usize;
    let mut sums = vec![0.0; cells];
    events.iter().for_each(|[time, weight]| sums[cell(*time, step, cells)] += weight);
    let ends = |at: usize| if at + 1 == cells { end } else { (at + 1) as f64 * step };
    let one = |(at, sum): (usize, &f64)| [ends(at), sum / (ends(at) - at as f64 * step)];
    sums.iter().enumerate().map(one).collect()
}

/// Returns the statistics of the values; `None` without samples.
pub fn figures(samples: &[[f64; 2]]) -> Option<Figures> {
    let n = samples.len();
    let values = || samples.iter().map(|s| s[1]);
    let mean = values().sum::<f64>() / n as f64;
    let variance = values().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64;
    let (min, max) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    (n > 0).then_some(Figures { n, min, mean, max, stddev: variance.sqrt() })
}

/// Returns the mean of the values weighted by the time interval of each sample; `None` without samples.
pub fn time_mean(samples: &[[f64; 2]]) -> Option<f64> {
    let spans = spans(samples);
    let length: f64 = spans.iter().map(|s| s.to - s.from).sum();
    let area: f64 = spans.iter().map(|s| s.value * (s.to - s.from)).sum();
    if length > 0.0 { Some(area / length) } else { figures(samples).map(|f| f.mean) }
}

/// Returns each sample as the time-weighted mean over `window` seconds around the middle of its interval. The window
/// does not extend over a gap and is shorter at the ends of a part without gaps.
pub fn smoothed(samples: &[[f64; 2]], window: f64) -> Vec<[f64; 2]> {
    let spans = spans(samples);
    let mut out = Vec::with_capacity(samples.len());
    let mut begin = 0;
    while begin < spans.len() {
        let next =
            spans[begin + 1..].iter().position(|s| s.after_gap).map_or(spans.len(), |at| begin + 1 + at);
        smooth_stretch(&spans[begin..next], window, &mut out);
        begin = next;
    }
    out
}

fn smooth_stretch(spans: &[Span], window: f64, out: &mut Vec<[f64; 2]>) {
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return };
    // Integrals up to the end of each span: the mean over a window is a difference of two of them.
    let mut sum = 0.0;
    let areas: Vec<f64> = spans
        .iter()
        .map(|s| {
            sum += s.value * (s.to - s.from);
            sum
        })
        .collect();
    let upto = |time: f64| {
        let at = spans.partition_point(|s| s.to < time).min(spans.len() - 1);
        areas[at] - spans[at].value * (spans[at].to - time)
    };
    for span in spans {
        let middle = (span.from + span.to) / 2.0;
        let (low, high) = ((middle - window / 2.0).max(first.from), (middle + window / 2.0).min(last.to));
        let value = if high - low > 1e-9 { (upto(high) - upto(low)) / (high - low) } else { span.value };
        out.push([span.to, value]);
    }
}

/// Returns the least-squares line through the samples; `None` with fewer than two different times.
pub fn line(samples: &[[f64; 2]]) -> Option<Line> {
    fit(samples.iter().map(|&[x, y]| (x, y, 1.0)))
}

/// Returns the weighted least-squares line through points (x, y, weight).
fn fit(points: impl Iterator<Item = (f64, f64, f64)> + Clone) -> Option<Line> {
    let sum = |f: fn((f64, f64, f64)) -> f64| points.clone().map(f).sum::<f64>();
    let weight = sum(|(_, _, w)| w);
    let (x, y) = (sum(|(x, _, w)| x * w) / weight, sum(|(_, y, w)| y * w) / weight);
    let (mut across, mut along) = (0.0, 0.0);
    for (px, py, w) in points.clone() {
        across += w * (px - x) * (py - y);
        along += w * (px - x).powi(2);
    }
    let per_second = across / along;
    (along > 0.0 && per_second.is_finite()).then_some(Line { at_zero: y - per_second * x, per_second })
}

/// Returns the trend by LOWESS (Cleveland, Robust Locally Weighted Regression and Smoothing Scatterplots, JASA 74,
/// 1979): each point is on the line fitted to the nearest half of all points with tricube weights and two robust
/// passes, so that outliers have little effect. More than 400 samples are first averaged on a grid of 400 cells.
pub fn trend(track: &LogSeries) -> Vec<[f64; 2]> {
    let end = track.samples.last().map_or(0.0, |s| s[0]);
    let points: Vec<[f64; 2]> = if track.samples.len() > TREND_POINTS {
        let grid = on_grid(track, end / TREND_POINTS as f64);
        let at = |(k, v): (usize, &Option<f64>)| v.map(|v| [(k + 1) as f64 * grid.step, v]);
        grid.values.iter().enumerate().filter_map(at).collect()
    } else {
        track.samples.clone()
    };
    lowess(&points)
}

fn lowess(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let n = points.len();
    let near = n.div_ceil(2).max(3).min(n);
    let mut robust = vec![1.0; n];
    let mut fitted: Vec<f64> = points.iter().map(|p| p[1]).collect();
    for pass in 0..3 {
        let mut from = 0;
        for (at, [x, y]) in points.iter().enumerate() {
            while from + near < n && points[from + near][0] - x < x - points[from][0] {
                from += 1;
            }
            let window = &points[from..from + near];
            let reach = (x - window[0][0]).max(window[near - 1][0] - x) * (1.0 + 1e-9);
            let weighed = window.iter().zip(&robust[from..]).map(|(p, r)| {
                let apart = if reach > 0.0 { ((p[0] - x) / reach).abs() } else { 0.0 };
                (p[0], p[1], r * (1.0 - apart.powi(3)).max(0.0).powi(3))
            });
            fitted[at] = match fit(weighed.clone()) {
                Some(line) => line.at(*x),
                None => {
                    let weight: f64 = weighed.clone().map(|(.., w)| w).sum();
                    let mean = weighed.map(|(_, y, w)| y * w).sum::<f64>() / weight;
                    if mean.is_finite() { mean } else { *y }
                }
            };
        }
        let off: Vec<f64> = points.iter().zip(&fitted).map(|(p, f)| (p[1] - f).abs()).collect();
        let mut sorted = off.clone();
        sorted.sort_by(f64::total_cmp);
        let scale = 6.0 * sorted.get(n / 2).copied().unwrap_or(0.0);
        if pass == 2 || scale <= 0.0 {
            break;
        }
        robust = off.iter().map(|o| (1.0 - (o / scale).min(1.0).powi(2)).powi(2)).collect();
    }
    points.iter().zip(fitted).map(|(p, f)| [p[0], f]).collect()
}

/// Returns the histogram of the latencies of a log of single I/Os; `None` for a log of interval means, from which no
/// percentiles of I/Os can be derived.
pub fn distribution(track: &LogSeries) -> Option<Histogram> {
    let latency = !matches!(track.kind, LogKind::Bandwidth | LogKind::Iops);
    (track.per_io && latency).then(|| {
        let mut all = Histogram::default();
        track.samples.iter().for_each(|[_, ns]| all.record(*ns as u64, 1));
        all
    })
}

/// Returns a percentile over time as [seconds, nanoseconds], from the merged histograms of the I/Os of these logs
/// that completed in each cell of `step` seconds. Cells without I/Os are left out.
pub fn percentile_over_time(logs: &[&HistogramLog], percent: f64, step: f64) -> Vec<[f64; 2]> {
    let end = logs.iter().filter_map(|l| l.samples.last()).map(|s| s.0).fold(0.0, f64::max);
    if !(end > 0.0 && end.is_finite() && step > 0.0) {
        return Vec::new();
    }
    let step = step.max(end / CELLS);
    let cells = ((end / step) - 1e-9).ceil().max(1.0) as usize;
    let mut merged = vec![Histogram::default(); cells];
    logs.iter().flat_map(|l| &l.samples).for_each(|(time, h)| merged[cell(*time, step, cells)].merge(h));
    let at = |(k, h): (usize, &Histogram)| {
        h.quantile(percent).map(|ns| [((k + 1) as f64 * step).min(end), ns as f64])
    };
    merged.iter().enumerate().filter_map(at).collect()
}

#[cfg(test)]
mod tests;
