//! Charts as SVG and PNG files, drawn by the crate kuva. No other module uses kuva.

use super::{Axis, Chart, Dot, Form, Line, Look, Range, RangeSet};
use kuva::plot::annotations::{ReferenceLine, ShadedRegion};
use kuva::plot::legend::LegendPosition;
use kuva::prelude::{BarPlot, ColorMap, Heatmap, LegendEntry, LegendShape, LinePlot, LineStyle, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};
use std::sync::Arc;

/// Colours of Okabe and Ito, which people with colour blindness can distinguish, too.
pub const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d00", "#4d4d4d"];

/// Beginning of every SVG file.
pub const SVG_HEAD: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"";
/// Beginning of every PNG file: the signature of the format, and the header chunk up to the width of 1440 pixels.
pub const PNG_HEAD: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\xa0";

/// Width and height of the drawing in pixels; a legend adds to the height.
const SIZE: (f64, f64) = (720.0, 380.0);

/// Thickness of a range, pixels.
const RANGE: f64 = 8.0;
/// Height of a category of a chart of ranges, pixels.
const ROW: f64 = 18.0;

/// Returns the chart as an SVG document.
pub fn svg(chart: &Chart) -> String {
    let text = own_names(&kuva::backend::svg::SvgBackend::default().render_scene(&scene(chart)), &chart.id);
    // Description of the chart for screen readers.
    let (title, note) = (escaped(&chart.title), escaped(&chart.note));
    let text = match text.find("<svg").and_then(|at| text[at..].find('>').map(|end| at + end + 1)) {
        Some(at) => format!("{}<title>{title}</title><desc>{note}</desc>{}", &text[..at], &text[at..]),
        None => text,
    };
    stats::plain::lines(&text).into_owned()
}

/// Returns the chart as a PNG image with doubled width and height in pixels.
///
/// # Errors
/// The image cannot be rendered.
pub fn png(chart: &Chart) -> Result<Vec<u8>, String> {
    kuva::backend::png::PngBackend::new().with_scale(2.0).render_scene(&scene(chart))
}

/// Renames the clip paths of kuva, which numbers them across the whole process, after the chart. The same chart then
/// always gives the same file, and two charts can be part of one document.
fn own_names(svg: &str, id: &str) -> String {
    const THEIRS: &str = "kuva-clip-";
    let mut known: Vec<&str> = Vec::new();
    let mut pieces = svg.split(THEIRS);
    let mut text = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (number, rest) = piece.split_at(piece.bytes().take_while(u8::is_ascii_digit).count());
        let place = known.iter().position(|one| *one == number).unwrap_or_else(|| {
            known.push(number);
            known.len() - 1
        });
        text += &format!("clip-{id}-{place}{rest}");
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn scene(chart: &Chart) -> Scene {
    let plots = plots(chart);
    let entries = legend(chart);
    let height = match chart.form {
        Form::Ranges { .. } => SIZE.1.max(120.0 + ROW * chart.y.categories.len() as f64),
        _ => SIZE.1,
    };
    let mut layout = Layout::auto_from_plots(&plots)
        .with_title(plain(&chart.title))
        .with_width(SIZE.0)
        .with_height(height)
        .with_title_size(15)
        .with_x_label(plain(&chart.x.label))
        .with_y_label(plain(&chart.y.label))
        .with_title_wrap(80)
        .with_font_family(
            "DejaVu Sans, Noto Sans, Noto Sans CJK SC, Microsoft YaHei, PingFang SC, sans-serif",
        )
        .with_legend_position(LegendPosition::OutsideBottomColumns);
    if !matches!(chart.form, Form::Heat { .. }) {
        layout = layout.with_legend_entries(entries);
    }
    layout = axes(layout, chart);
    for span in &chart.spans {
        let mut region = ShadedRegion::vertical(span.from, span.to);
        region.color = "#888888".into();
        layout = layout.with_shaded_region(region);
    }
    for mark in chart.marks.iter().filter(|m| drawable(m.at, if m.upwards { &chart.x } else { &chart.y })) {
        let line =
            if mark.upwards { ReferenceLine::vertical(mark.at) } else { ReferenceLine::horizontal(mark.at) };
        layout = layout.with_reference_line(line.with_color("#aa3377").with_label(plain(&mark.label)));
    }
    render_multiple(plots, layout)
}

/// Returns the text with dollar signs escaped: kuva typesets text between dollar signs as a formula.
fn plain(text: &str) -> String {
    stats::plain::line(text).replace('$', "\\$")
}

fn drawable(value: f64, axis: &Axis) -> bool {
    value.is_finite() && (!axis.log || value > 0.0)
}

/// Returns the points that the axes can show, with their intervals.
fn shown<'a>(line: &'a Line, chart: &'a Chart) -> impl Iterator<Item = (f64, f64, Option<[f64; 2]>)> + 'a {
    let usable = |dot: &'a Dot| {
        let y = dot.y.filter(|y| drawable(*y, &chart.y) && drawable(dot.x, &chart.x))?;
        let between =
            dot.between.map(|[low, high]| [if chart.y.log { low.max(y / 100.0) } else { low }, high]);
        Some((dot.x, y, between))
    };
    line.points.iter().filter_map(usable)
}

/// Returns the pieces of a line between its gaps.
fn pieces(line: &Line, chart: &Chart) -> Vec<Line> {
    let whole = |dot: &Dot| dot.y.is_some_and(|y| drawable(y, &chart.y)) && drawable(dot.x, &chart.x);
    let parts = line.points.split(|dot| !whole(dot)).filter(|part| !part.is_empty());
    parts.map(|part| Line { points: part.to_vec(), ..line.clone() }).collect()
}

fn plots(chart: &Chart) -> Vec<Plot> {
    match &chart.form {
        Form::Lines { series } => {
            let coloured = series.iter().enumerate().map(|(at, line)| (line, COLOURS[at % COLOURS.len()]));
            coloured.flat_map(|(line, colour)| drawn(line, colour, chart)).collect()
        }
        Form::Bars { series } => vec![bars(chart, series)],
        Form::Ranges { sets } => ranges(chart, sets),
        Form::Heat { value, cells } => {
            let (columns, rows) = (chart.x.categories.len(), chart.y.categories.len());
            let mut grid = vec![vec![f64::NAN; columns]; rows];
            for (x, y, number) in cells.iter().filter(|cell| drawable(cell.2, value)) {
                if let Some(cell) =
                    grid.get_mut(rows - 1 - (*y).min(rows - 1)).and_then(|row| row.get_mut(*x))
                {
                    *cell = if value.log { number.log10() } else { *number };
                }
            }
            // A cell that was not measured has no colour.
            let colour = ColorMap::Custom(Arc::new(|share: f64| {
                if share.is_finite() { ColorMap::Viridis.map(share) } else { "#ffffff".into() }
            }));
            vec![Heatmap::new().with_data(grid).with_color_map(colour).into()]
        }
    }
}

fn drawn(line: &Line, colour: &str, chart: &Chart) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    if line.look != Look::Points {
        for piece in pieces(line, chart) {
            let dots: Vec<_> = shown(&piece, chart).collect();
            let mut path = LinePlot::new()
                .with_data(dots.iter().map(|(x, y, _)| (*x, *y)))
                .with_color(colour)
                .with_stroke_width(if line.look == Look::Dashed { 1.2 } else { 1.8 });
            if line.look == Look::Plain && dots.iter().all(|d| d.2.is_some()) {
                let ends = |end: usize| dots.iter().filter_map(move |d| Some(d.2?[end]));
                path = path.with_band(ends(0), ends(1));
            }
            if line.look == Look::Dashed {
                path = path.with_line_style(LineStyle::Dashed);
            }
            plots.push(if line.look == Look::Step { path.with_step().into() } else { path.into() });
        }
    }
    if matches!(line.look, Look::Marked | Look::Points) {
        let dots: Vec<_> = shown(line, chart).collect();
        let spread: Vec<(f64, f64)> =
            dots.iter().map(|(_, y, b)| b.map_or((0.0, 0.0), |[low, high]| (y - low, high - y))).collect();
        let marks = ScatterPlot::new()
            .with_data(dots.iter().map(|(x, y, _)| (*x, *y)))
            .with_color(colour)
            .with_size(3.5)
            .with_y_err_asymmetric(spread);
        plots.push(marks.into());
    }
    plots
}

/// Returns the ranges of each set as thick lines, and those without an extent as points. kuva draws the category with
/// index 0 at 1.
fn ranges(chart: &Chart, sets: &[RangeSet]) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    for set in sets {
        let colour = COLOURS[set.colour % COLOURS.len()];
        let usable = set.ranges.iter().filter(|range| drawable(range.low, &chart.x));
        let (lines, points): (Vec<&Range>, Vec<&Range>) = usable.partition(|range| range.low < range.high);
        plots.extend(lines.into_iter().map(|range| {
            let row = range.row as f64 + 1.0;
            let line = LinePlot::new().with_data([(range.low, row), (range.high, row)]);
            line.with_color(colour).with_stroke_width(RANGE).into()
        }));
        if !points.is_empty() {
            let places = points.into_iter().map(|range| (range.low, range.row as f64 + 1.0));
            plots.push(ScatterPlot::new().with_data(places).with_color(colour).with_size(3.5).into());
        }
    }
    plots
}

fn bars(chart: &Chart, series: &[Line]) -> Plot {
    let mut plot = BarPlot::new();
    let mut spread = Vec::new();
    for (at, name) in chart.x.categories.iter().enumerate() {
        let dot = |line: &Line| line.points.iter().find(|d| d.x == at as f64).copied();
        let values = series.iter().enumerate().map(|(n, line)| {
            let y = dot(line).and_then(|d| d.y).filter(|y| drawable(*y, &chart.y)).unwrap_or(0.0);
            (y, COLOURS[n % COLOURS.len()])
        });
        plot = plot.with_group(plain(name), values);
        spread.extend(series.iter().map(|line| match dot(line) {
            Some(Dot { y: Some(y), between: Some([low, high]), .. }) => (y - low, high - y),
            _ => (0.0, 0.0),
        }));
    }
    if spread.iter().any(|s| *s != (0.0, 0.0)) {
        plot = plot.with_asymmetric_error(spread);
    }
    plot.into()
}

/// Returns an entry for each line or set of ranges; none for a single series of bars.
fn legend(chart: &Chart) -> Vec<LegendEntry> {
    if let Form::Ranges { sets } = &chart.form {
        let entry = |set: &RangeSet| LegendEntry {
            label: plain(&set.name),
            color: COLOURS[set.colour % COLOURS.len()].into(),
            shape: match set.ranges.iter().all(|range| range.low == range.high) {
                true => LegendShape::Circle,
                false => LegendShape::Rect,
            },
            dasharray: None,
        };
        return sets.iter().map(entry).collect();
    }
    let series = chart.form.series();
    let lone = series.len() == 1 && matches!(chart.form, Form::Bars { .. });
    let entry = |(at, line): (usize, &Line)| LegendEntry {
        label: plain(&line.name),
        color: COLOURS[at % COLOURS.len()].into(),
        shape: match (&chart.form, line.look) {
            (Form::Bars { .. }, _) => LegendShape::Rect,
            (_, Look::Points) => LegendShape::Circle,
            _ => LegendShape::Line,
        },
        dasharray: (line.look == Look::Dashed).then(|| "6 4".into()),
    };
    if lone { Vec::new() } else { series.iter().enumerate().map(entry).collect() }
}

fn axes(mut layout: Layout, chart: &Chart) -> Layout {
    let words = |axis: &Axis| {
        let quantity = axis.quantity;
        TickFormat::Custom(Arc::new(move |value| quantity.words(value)))
    };
    if chart.x.categories.is_empty() {
        layout = layout.with_x_tick_format(words(&chart.x));
        if chart.x.log {
            layout = layout.with_log_x();
        }
        if let Some((low, high)) = across(chart) {
            layout = layout.with_x_axis_min(low).with_x_axis_max(high);
        }
    } else {
        let crowded = chart.x.categories.iter().map(|c| c.chars().count() + 1).sum::<usize>() > 70;
        // If there are very many categories, only some of their names are shown.
        let each = chart.x.categories.len().div_ceil(20).max(1);
        let name =
            |(at, name): (usize, &String)| if at.is_multiple_of(each) { plain(name) } else { String::new() };
        layout = layout.with_x_categories(chart.x.categories.iter().enumerate().map(name).collect());
        if crowded {
            layout = layout.with_x_tick_rotate(-40.0);
        }
    }
    if chart.y.categories.is_empty() {
        layout = layout.with_y_tick_format(words(&chart.y));
        if chart.y.log {
            layout = layout.with_log_y();
            if let Some((low, high)) = ends(chart, &chart.y, |dot| dot.y) {
                layout = layout.with_y_axis_min(low / 1.5).with_y_axis_max(high * 1.5);
            }
        } else if let Some((low, high)) = ends(chart, &chart.y, |dot| dot.y).filter(|_| chart.y.fitted) {
            let margin = (high - low) / 20.0;
            layout = layout.with_y_axis_min(low - margin).with_y_axis_max(high + margin);
        } else {
            layout = layout.with_y_axis_min(0.0);
        }
    } else if matches!(chart.form, Form::Ranges { .. }) {
        let rows = chart.y.categories.len() as f64;
        layout = layout.with_y_categories(chart.y.categories.iter().map(|c| plain(c)).collect());
        // The row above the last category has the label of the mark.
        layout = layout.with_y_axis_min(0.5).with_y_axis_max(rows + 1.5);
    } else {
        layout = layout.with_y_categories(chart.y.categories.iter().rev().map(|c| plain(c)).collect());
    }
    if let Form::Heat { value, .. } = &chart.form {
        let (quantity, log) = (value.quantity, value.log);
        let of = move |share: f64| quantity.words(if log { 10f64.powf(share) } else { share });
        layout = layout.with_colorbar_tick_format(TickFormat::Custom(Arc::new(of)));
    }
    layout
}

/// Returns the smallest and the largest value drawn on the x axis; of ranges with a margin and the marks.
fn across(chart: &Chart) -> Option<(f64, f64)> {
    let Form::Ranges { sets } = &chart.form else { return ends(chart, &chart.x, |dot| Some(dot.x)) };
    let marks = chart.marks.iter().filter(|mark| mark.upwards).map(|mark| mark.at);
    let values = sets.iter().flat_map(|set| &set.ranges).flat_map(|range| [range.low, range.high]);
    extent(values.chain(marks), &chart.x).map(|(low, high)| (low / 1.5, high * 1.5))
}

/// Returns the smallest and the largest value drawn on an axis; `None` if there are not two different values.
fn ends(chart: &Chart, axis: &Axis, of: impl Fn(&Dot) -> Option<f64>) -> Option<(f64, f64)> {
    extent(chart.form.series().iter().flat_map(|line| &line.points).filter_map(of), axis)
}

/// Returns the smallest and the largest value that an axis can show; `None` if there are not two different ones.
fn extent(values: impl Iterator<Item = f64>, axis: &Axis) -> Option<(f64, f64)> {
    let (low, high) = values
        .filter(|v| drawable(*v, axis))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    (low < high).then_some((low, high))
}
