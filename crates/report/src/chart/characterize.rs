//! Charts of a device's characteristics: rate over the surface, seek time by distance, latency by region, working sets,
//! and the write curve with its recovery.

use super::{Axis, Chart, Dot, Form, Line, Look, Mark, Quantity, bytes_per_second, id};
use crate::Lang;
use crate::catalog::say;
use stats::characterize::DeviceCharacter;
use stats::characterize::read_cache::ReadCacheSeen;
use stats::characterize::surface::Fall;
use stats::estimate::Estimate;

/// Returns a chart for each part that was measured.
pub fn charts(c: &DeviceCharacter, lang: Lang) -> Vec<Chart> {
    let mut charts = Vec::new();
    if let Some(surface) = &c.surface {
        let rate = |slice: &stats::characterize::surface::Slice| slice.bytes as f64 * 1e9 / slice.nanos;
        let points = surface.slices.iter().map(|slice| Dot::new(slice.offset as f64, rate(slice)).short());
        let note = match surface.fall {
            Fall::Falls(_) => say!(lang, "characterize-chart-surface-falls"),
            Fall::Flat(_) => say!(lang, "characterize-chart-surface-flat"),
            Fall::Unclear => say!(lang, "characterize-chart-surface-unclear"),
        };
        charts.push(Chart {
            id: id(&["characterize", "surface"]),
            title: say!(lang, "characterize-chart-surface"),
            note,
            x: Axis::linear(say!(lang, "characterize-axis-offset"), Quantity::Bytes),
            y: Axis::linear(bytes_per_second(lang), Quantity::Rate),
            form: line(Look::Points, points.collect()),
            ..section(lang)
        });
    }
    if let Some(seek) = &c.seek {
        // The time of a seek is a difference of two means: noise can make that of a short one negative.
        let time = |nanos: &Estimate| Estimate {
            value: nanos.value.max(0.0),
            low: nanos.low.max(0.0),
            high: nanos.high.max(0.0),
        };
        let points = seek.points.iter().map(|point| Dot::of(point.distance as f64, &time(&point.nanos)));
        charts.push(Chart {
            id: id(&["characterize", "seek"]),
            title: say!(lang, "characterize-chart-seek"),
            note: say!(lang, "characterize-chart-seek-note"),
            x: Axis::linear(say!(lang, "characterize-axis-distance"), Quantity::Bytes),
            y: Axis::linear(say!(lang, "characterize-axis-seek"), Quantity::Nanos),
            form: line(Look::Marked, points.collect()),
            ..section(lang)
        });
    }
    if let Some(regions) = &c.regions {
        let points = regions.regions.iter().map(|region| Dot::of(region.offset as f64, &region.median));
        charts.push(Chart {
            id: id(&["characterize", "regions"]),
            title: say!(lang, "characterize-chart-regions"),
            note: say!(lang, "characterize-chart-regions-note"),
            x: Axis::linear(say!(lang, "characterize-axis-offset"), Quantity::Bytes),
            y: Axis::linear(say!(lang, "characterize-axis-latency"), Quantity::Nanos),
            form: line(Look::Marked, points.collect()),
            ..section(lang)
        });
    }
    if let Some(sweep) = &c.read_cache {
        let marks = match &sweep.cache {
            ReadCacheSeen::Of { bytes, .. } => vec![Mark {
                upwards: true,
                at: bytes.value,
                label: say!(lang, "characterize-chart-cache-size"),
            }],
            ReadCacheSeen::AtLeast { .. } | ReadCacheSeen::None { .. } => Vec::new(),
        };
        let points = sweep.sets.iter().map(|set| Dot::new(set.bytes as f64, set.nanos));
        charts.push(Chart {
            id: id(&["characterize", "read-cache"]),
            title: say!(lang, "characterize-chart-read-cache"),
            note: say!(lang, "characterize-chart-read-cache-note"),
            x: Axis::log(say!(lang, "characterize-axis-working-set"), Quantity::Size),
            y: Axis::linear(say!(lang, "characterize-axis-latency"), Quantity::Nanos),
            form: line(Look::Marked, points.collect()),
            marks,
            ..section(lang)
        });
    }
    charts.extend(write_charts(c, lang));
    charts
}

fn write_charts(c: &DeviceCharacter, lang: Lang) -> Vec<Chart> {
    let Some(writes) = &c.writes else { return Vec::new() };
    let mark = |step: &stats::characterize::writes::WriteStep| Mark {
        upwards: true,
        at: step.bytes.value,
        label: say!(lang, "characterize-chart-step"),
    };
    let points = writes.points.iter().map(|(at, rate)| Dot::new(*at as f64, *rate).short());
    let mut charts = vec![Chart {
        id: id(&["characterize", "writes"]),
        title: say!(lang, "characterize-chart-writes"),
        note: say!(lang, "characterize-chart-writes-note"),
        x: Axis::linear(say!(lang, "characterize-axis-written"), Quantity::Bytes),
        y: Axis::linear(bytes_per_second(lang), Quantity::Rate),
        form: line(Look::Plain, points.collect()),
        marks: writes.step.as_ref().map(mark).into_iter().collect(),
        ..section(lang)
    }];
    if !writes.recovery.is_empty() {
        let points = writes.recovery.iter().map(|recovery| Dot::of(recovery.idle_s, &recovery.bytes));
        charts.push(Chart {
            id: id(&["characterize", "recovery"]),
            title: say!(lang, "characterize-chart-recovery"),
            note: say!(lang, "characterize-chart-recovery-note"),
            x: Axis::linear(say!(lang, "characterize-axis-pause"), Quantity::Seconds),
            y: Axis::linear(say!(lang, "characterize-axis-recovered"), Quantity::Bytes),
            form: line(Look::Marked, points.collect()),
            ..section(lang)
        });
    }
    charts
}

fn line(look: Look, points: Vec<Dot>) -> Form {
    Form::Lines { series: vec![Line { name: String::new(), look, points }] }
}

fn section(lang: Lang) -> Chart {
    Chart { section: say!(lang, "characterize-chart-section"), ..Chart::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::characterize::seek::{Moves, SeekCurve, SeekPoint};

    /// Noise makes the mean of a short seek smaller than that of no seek: the axis of times begins at 0 all the same.
    #[test]
    fn seek_times_below_zero_are_drawn_at_zero() {
        let at = |distance, nanos| SeekPoint { distance, nanos: Estimate::around(nanos, 50.0) };
        let seek = SeekCurve {
            points: vec![at(1 << 20, -200.0), at(1 << 30, 30.0)],
            still: Estimate::bare(1e5),
            moves: Moves::No(500.0),
        };
        let charts = charts(&DeviceCharacter { seek: Some(seek), ..Default::default() }, Lang::En);
        let dots = &charts[0].form.series()[0].points;
        let seen: Vec<_> = dots.iter().map(|dot| (dot.y, dot.between)).collect();
        assert_eq!(seen, [(Some(0.0), None), (Some(30.0), Some([0.0, 80.0]))]);
    }
}
