//! Charts as data in base units, independent of the renderer (page, SVG and PNG files, terminal). A chart has one x
//! axis, one y axis and a note that describes it; its numbers are taken from the result and not computed here.

pub mod characterize;
pub mod files;
pub mod hosts;
pub mod load;
pub mod pts;
pub mod ranges;
pub mod study;
pub mod svg;
mod sweep;
pub mod terminal;

use crate::Lang;
use crate::catalog::say;
use crate::scale;
use serde::{Serialize, Serializer};

/// Chart with its axes, series and texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Chart {
    /// Identifier in links and file names: letters, digits and `-`.
    pub id: String,
    /// Heading of the section of the page: an access pattern or a topic.
    pub section: String,
    /// Heading of the chart.
    pub title: String,
    /// Description of the chart in one or two sentences; screen readers read this text.
    pub note: String,
    /// Horizontal axis; for bars and heat maps, its categories are the columns.
    pub x: Axis,
    /// Vertical axis; for a heat map, its rows.
    pub y: Axis,
    /// Lines, bars, a heat map or ranges.
    pub form: Form,
    /// Labelled lines across the plot: a knee, a mean, an event.
    pub marks: Vec<Mark>,
    /// Shaded ranges of the x axis, such as a warm-up that is not counted.
    pub spans: Vec<Span>,
    /// Name in the menu that selects one of many charts of a kind; `None` for a chart that is always shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
}

/// Form of a chart, with its data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Form {
    /// Lines or points.
    Lines {
        /// Series in the order of the legend.
        series: Vec<Line>,
    },
    /// Bars over the categories of the x axis; `x` of a point is the index of its category.
    Bars {
        /// Series, drawn side by side.
        series: Vec<Line>,
    },
    /// Heat map: a colour for each pair of categories.
    Heat {
        /// Scale of the colours.
        value: Axis,
        /// Column, row and value of each measured cell.
        cells: Vec<(usize, usize, f64)>,
    },
    /// Horizontal bars from a low to a high value over the categories of the y axis.
    Ranges {
        /// Sets in the order of the legend.
        sets: Vec<RangeSet>,
    },
}

impl Default for Form {
    fn default() -> Form {
        Form::Lines { series: Vec::new() }
    }
}

impl Form {
    /// Returns the lines or bars.
    pub fn series(&self) -> &[Line] {
        match self {
            Form::Lines { series } | Form::Bars { series } => series,
            Form::Heat { .. } | Form::Ranges { .. } => &[],
        }
    }
}

/// Axis of a chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Axis {
    /// Heading of the axis, with the unit if the numbers do not have it.
    pub label: String,
    /// Quantity and unit of its numbers.
    pub quantity: Quantity,
    /// Whether the scale is logarithmic.
    pub log: bool,
    /// Whether a linear scale covers only the values, without zero.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fitted: bool,
    /// Names of the categories; empty for an axis of numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

impl Axis {
    /// Returns an axis with a linear scale.
    pub fn linear(label: impl Into<String>, quantity: Quantity) -> Axis {
        Axis { label: label.into(), quantity, ..Axis::default() }
    }

    /// Returns an axis with a logarithmic scale.
    pub fn log(label: impl Into<String>, quantity: Quantity) -> Axis {
        Axis { log: true, ..Axis::linear(label, quantity) }
    }

    /// Returns an axis of categories.
    pub fn names(label: impl Into<String>, categories: Vec<String>) -> Axis {
        Axis { categories, ..Axis::linear(label, Quantity::Count) }
    }
}

/// Quantity and unit of the numbers on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// Count without a unit.
    #[default]
    Count,
    /// Number of I/Os, in steps of a thousand.
    Ios,
    /// Rate in I/Os per second.
    Iops,
    /// Bandwidth in bytes per second.
    Rate,
    /// Time in nanoseconds.
    Nanos,
    /// Time in seconds.
    Seconds,
    /// Share in percent.
    Percent,
    /// Amount of data in bytes, shown in decimal units.
    Bytes,
    /// Block size in bytes, shown in powers of two.
    Size,
    /// Ratio without a unit.
    Ratio,
    /// `-log10` of the share above a percentile: 2 stands for the 99th percentile.
    Nines,
}

impl Quantity {
    /// Returns a number with its unit, in at most three significant digits.
    pub fn words(self, value: f64) -> String {
        match self {
            Quantity::Count if value.fract() == 0.0 && value.abs() < 10_000.0 => format!("{value:.0}"),
            Quantity::Count | Quantity::Ratio => scale::short(value),
            Quantity::Ios | Quantity::Iops => scale::short(value),
            // Bytes are counted without a sign; a fitted line may be below zero.
            Quantity::Bytes | Quantity::Rate if value < 0.0 => format!("-{}", self.words(-value)),
            Quantity::Bytes => scale::bytes(value as u64),
            Quantity::Rate => format!("{}/s", scale::bytes(value as u64)),
            Quantity::Nanos => scale::time(value),
            Quantity::Seconds => format!("{} s", scale::short(value)),
            Quantity::Percent => scale::percent(value),
            Quantity::Size => crate::labels::block(value as u64),
            Quantity::Nines => {
                let percent = 100.0 - 100.0 * 10f64.powf(-value);
                // A percentile has as many digits as nines.
                let digits = (value.ceil() as usize).saturating_sub(2).min(6);
                format!("{percent:.digits$}")
            }
        }
    }
}

/// One series of a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Name in the legend; empty for none.
    pub name: String,
    /// Style of the line.
    pub look: Look,
    /// Points in the order of `x`.
    pub points: Vec<Dot>,
}

/// Style of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// Line with a mark at each point.
    Marked,
    /// Line without marks, for many points.
    Plain,
    /// Dashed line: a model, not a measurement.
    Dashed,
    /// Steps: each value holds until the next.
    Step,
    /// Marks without a line.
    Points,
}

/// Point of a series, in the units of the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Value on the x axis; for categories, the index of the category.
    pub x: f64,
    /// Value on the y axis; `None` interrupts the line.
    pub y: Option<f64>,
    /// 95 % confidence interval of the y value, `[low, high]`; `None` if there is none.
    pub between: Option<[f64; 2]>,
}

impl Dot {
    /// Returns a point without an interval.
    pub fn new(x: f64, y: f64) -> Dot {
        Dot { x, y: Some(y).filter(|y| y.is_finite()), between: None }
    }

    /// Returns the point rounded to seven significant digits, which keeps pages with thousands of windows small.
    pub fn short(self) -> Dot {
        let short = |v: f64| format!("{v:.6e}").parse().unwrap_or(v);
        Dot { x: short(self.x), y: self.y.map(short), between: self.between.map(|b| b.map(short)) }
    }

    /// Returns a point with the interval of an estimate; without one if both ends equal the value.
    pub fn of(x: f64, y: &stats::study::Estimate) -> Dot {
        Dot { between: (y.low < y.high).then_some([y.low, y.high]), ..Dot::new(x, y.value) }
    }
}

/// Serialized as `[x, y]` or `[x, y, low, high]`.
impl Serialize for Dot {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.between {
            None => (self.x, self.y).serialize(to),
            Some([low, high]) => (self.x, self.y, low, high).serialize(to),
        }
    }
}

/// Ranges of one kind, drawn in one colour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeSet {
    /// Name in the legend.
    pub name: String,
    /// Place of the colour in the palette of the renderer.
    pub colour: usize,
    /// Ranges; a category may have several.
    pub ranges: Vec<Range>,
}

/// Range of values, in the unit of the x axis; a point if both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Index of the category of the y axis, counted from the bottom.
    pub row: usize,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Serialized as `[row, low, high]`.
impl Serialize for Range {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.row, self.low, self.high).serialize(to)
    }
}

/// Labelled line across the plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// Whether the line is vertical, at a place on the x axis; otherwise it is horizontal.
    pub upwards: bool,
    /// Place on this axis, in the axis's unit; for categories, the index of the category.
    pub at: f64,
    /// Label printed next to the line.
    pub label: String,
}

/// Shaded range of the x axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// Start of the range, in the unit of the x axis.
    pub from: f64,
    /// End of the range, in the unit of the x axis.
    pub to: f64,
    /// Text in the range.
    pub label: String,
}

/// Returns the axis label of I/Os per second.
fn per_second(lang: Lang) -> String {
    say!(lang, "chart-iops")
}

/// Returns the axis label of bytes per second.
fn bytes_per_second(lang: Lang) -> String {
    say!(lang, "chart-bandwidth")
}

/// Returns the axis label of shares of all I/Os.
fn of_the_ios(lang: Lang) -> String {
    say!(lang, "chart-percent-of-ios")
}

/// Returns the identifier of a chart: every character other than a letter or digit becomes `-`.
pub(crate) fn id(parts: &[&str]) -> String {
    let mut id = String::new();
    for c in parts.join("-").chars() {
        if c.is_ascii_alphanumeric() {
            id.push(c.to_ascii_lowercase());
        } else if !id.ends_with('-') && !id.is_empty() {
            id.push('-');
        }
    }
    id.trim_end_matches('-').to_string()
}

/// Returns the charts with a number appended to identifiers that several charts share.
pub(crate) fn distinct(mut charts: Vec<Chart>) -> Vec<Chart> {
    let mut seen = std::collections::HashMap::new();
    for chart in &mut charts {
        let n: &mut u32 = seen.entry(chart.id.clone()).or_default();
        *n += 1;
        if *n > 1 {
            chart.id = format!("{}-{n}", chart.id);
        }
    }
    charts
}
