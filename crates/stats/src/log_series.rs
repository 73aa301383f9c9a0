//! Logs over time and the arithmetic on them. A sample stands for the time since the one before it; two logs are joined by time,
//! never by line. The time between samples too far apart is a gap: nothing is drawn, added or averaged over it.

use crate::direction::Direction;
use crate::histogram::Histogram;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A sample later than so many usual spacings after the one before has a gap before it: a line that is missing at the
/// usual interval, and half of one for intervals that are not kept exactly.
const GAP: f64 = 2.5;
/// Cells of a grid at most; a longer log has longer cells.
const CELLS: f64 = 100_000.0;
/// Points that a trend is found from at most; it costs their square.
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
    /// The file.
    pub source: String,
    /// The run that it is a log of: logs of all its jobs have this in common. Directory and prefix of the file.
    #[serde(default)]
    pub run: String,
    /// Name of the job, with its number where there are several.
    pub name: String,
    /// Quantity of the log.
    pub kind: LogKind,
    /// Which direction.
    pub direction: Direction,
    /// `iodepth`, where the name of the file says it; else 0.
    pub depth: u32,
    /// `numjobs`, where the name of the file says it; else 0.
    pub jobs: u32,
    /// Whether a sample is one I/O and not what an interval came to.
    #[serde(default)]
    pub per_io: bool,
    /// Seconds since the start, value; ascending in time. A sample stands for the time since the one before.
    pub samples: Vec<[f64; 2]>,
}

/// Latency histograms over time of one direction of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistogramLog {
    /// The file.
    pub source: String,
    /// The run that it is a log of: logs of all its jobs have this in common. Directory and prefix of the file.
    #[serde(default)]
    pub run: String,
    /// Name of the job, with its number where there are several.
    pub name: String,
    /// Which direction.
    pub direction: Direction,
    /// `iodepth`, where the name of the file says it; else 0.
    pub depth: u32,
    /// `numjobs`, where the name of the file says it; else 0.
    pub jobs: u32,
    /// Seconds since the start, what completed since the one before; ascending in time.
    pub samples: Vec<(f64, Histogram)>,
}

/// The time that a sample stands for, and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Where it begins, seconds.
    pub from: f64,
    /// Where it ends: the sample's own time.
    pub to: f64,
    /// The value.
    pub value: f64,
    /// Whether there is a gap before it.
    pub after_gap: bool,
}

/// Values of a log in cells of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Length of a cell, seconds; cell `k` is what lies after `k * step` up to `(k + 1) * step`.
    pub step: f64,
    /// The mean over what is known of the cell; `None` where nothing is.
    pub values: Vec<Option<f64>>,
}

/// Statistics of values, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// How many.
    pub n: usize,
    /// Smallest.
    pub min: f64,
    /// Mean of the values, however long each stands.
    pub mean: f64,
    /// Largest.
    pub max: f64,
    /// Standard deviation of the population (over n, not n - 1), as fio2gnuplot has it.
    pub stddev: f64,
}

/// A straight line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// Value at 0 s.
    pub at_zero: f64,
    /// Change per second.
    pub per_second: f64,
}

impl Line {
    /// Returns the value at a time.
    pub fn at(&self, seconds: f64) -> f64 {
        self.at_zero + self.per_second * seconds
    }
}

/// The usual distance between samples: the median of those that there are, or the only sample's own time.
pub fn spacing(samples: &[[f64; 2]]) -> f64 {
    let mut apart: Vec<f64> = samples.windows(2).map(|w| w[1][0] - w[0][0]).filter(|d| *d > 0.0).collect();
    apart.sort_by(f64::total_cmp);
    match apart.get(apart.len() / 2) {
        Some(median) => *median,
        None => samples.first().map_or(0.0, |s| s[0]),
    }
}

/// The time that each sample stands for. After a gap, and before the first, it is the usual spacing.
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

/// Stretches without a gap: what one line of a chart may join.
pub fn stretches(samples: &[[f64; 2]]) -> Vec<&[[f64; 2]]> {
    let begins =
        spans(samples).iter().enumerate().filter(|(_, s)| s.after_gap).map(|(at, _)| at).collect::<Vec<_>>();
    let mut edges = vec![0];
    edges.extend(begins.into_iter().filter(|at| *at > 0));
    edges.push(samples.len());
    edges.windows(2).map(|w| &samples[w[0]..w[1]]).filter(|s| !s.is_empty()).collect()
}

/// A log in cells of `step` seconds. Each cell is the mean of the samples' values over the time that they stand for in
/// it; where a sample is one I/O, the mean of those that ended in it.
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
    // Less than a millisecond, fio's own resolution, is a rounding of times, no knowledge of the cell.
    let known = if track.per_io { 0.5 } else { (step / 2.0).min(5e-4) };
    let values = sums.iter().map(|(sum, of)| (*of > known).then(|| sum / of)).collect();
    Grid { step, values }
}

/// The cell that a time lies in: after its beginning, up to its end.
fn cell(time: f64, step: f64, cells: usize) -> usize {
    (((time / step) - 1e-9).ceil().max(1.0) as usize - 1).min(cells - 1)
}

/// Several logs of one kind as one, by time: rates are added (a job without a log entry did nothing), latencies are their
/// mean. That mean weighs each log with its I/Os per second in `rates` (of the same name and direction), and all alike
/// where one of them has none. `None` without a log.
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

/// Points that a line is drawn through at most.
const DRAWN: usize = 2000;

/// The logs of the jobs of each run, in the order in which they come: one kind and direction at a time.
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

/// Returns the log whose line is drawn for these logs: one log as it is, several combined by time; a log of very many
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

/// I/Os, each with its time and what it counts (1, or its bytes), as a rate in cells of `step` seconds. Every I/O is in
/// such a log, so a cell without one is 0. What is left at the end goes to the last cell when it is short. Nothing
/// where all of them end at time 0.
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

/// Smallest, mean, largest and deviation of the values.
pub fn figures(samples: &[[f64; 2]]) -> Option<Figures> {
    let n = samples.len();
    let values = || samples.iter().map(|s| s[1]);
    let mean = values().sum::<f64>() / n as f64;
    let variance = values().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64;
    let (min, max) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    (n > 0).then_some(Figures { n, min, mean, max, stddev: variance.sqrt() })
}

/// The mean over the time that the samples stand for: a long interval counts as long as it is.
pub fn time_mean(samples: &[[f64; 2]]) -> Option<f64> {
    let spans = spans(samples);
    let length: f64 = spans.iter().map(|s| s.to - s.from).sum();
    let area: f64 = spans.iter().map(|s| s.value * (s.to - s.from)).sum();
    if length > 0.0 { Some(area / length) } else { figures(samples).map(|f| f.mean) }
}

/// Each sample as the mean over `window` seconds around the middle of the time that it stands for, by time, within its
/// stretch: nothing is carried over a gap, and at the ends of a stretch the window is what there is of it.
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
    // What has come together up to the end of each span: a mean over any window is a difference of two of these.
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

/// The straight line of least squares through the samples; `None` of fewer than two times.
pub fn line(samples: &[[f64; 2]]) -> Option<Line> {
    fit(samples.iter().map(|&[x, y]| (x, y, 1.0)))
}

/// The straight line of least weighted squares through (x, y, weight).
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

/// The trend: LOWESS (Cleveland, Robust Locally Weighted Regression and Smoothing Scatterplots, JASA 74, 1979), each
/// point from the straight line through the nearest half of all, tricube weights, two robust passes, so that a single
/// outlier bends nothing. More than 400 samples are put on a grid of as many cells before.
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

/// All latencies of a log that has each I/O; `None` of one that has means of intervals: there is no percentile of the
/// I/Os in those.
pub fn distribution(track: &LogSeries) -> Option<Histogram> {
    let latency = !matches!(track.kind, LogKind::Bandwidth | LogKind::Iops);
    (track.per_io && latency).then(|| {
        let mut all = Histogram::default();
        track.samples.iter().for_each(|[_, ns]| all.record(*ns as u64, 1));
        all
    })
}

/// A percentile over time: of all I/Os of these logs that ended in each cell of `step` seconds, out of their histograms
/// put together. Cells without an I/O are left out.
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
