//! Charts as data: what is drawn, in base units, whoever draws it (the page, SVG and PNG files, the terminal). A chart
//! has one axis each way and says in a sentence what it shows; its numbers are those of the result, none is computed here.

pub mod files;
pub mod load;
pub mod study;
pub mod svg;
pub mod terminal;

use crate::Lang;
use crate::catalog::say;
use crate::scale;
use serde::{Serialize, Serializer};

/// A chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// Stands for it in links and names of files: letters, digits and `-`.
    pub id: String,
    /// What it belongs to: the pattern, the run.
    pub section: String,
    /// Heading.
    pub title: String,
    /// What it shows, in a sentence or two; what a screen reader says of it.
    pub note: String,
    /// Across.
    pub x: Axis,
    /// Upwards; of a heat map the rows.
    pub y: Axis,
    /// What is drawn.
    pub form: Form,
    /// Lines across or upwards, with a label: a knee, a mean, an event.
    pub marks: Vec<Mark>,
    /// Parts of the x axis that are shaded: what was cut.
    pub spans: Vec<Span>,
    /// Of many charts of one kind, of which one is looked at: which it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Form {
    /// Points joined, or not.
    Lines {
        /// In the order of the legend.
        series: Vec<Line>,
    },
    /// Bars over the categories of the x axis; `x` of a point is the place of its category.
    Bars {
        /// Side by side.
        series: Vec<Line>,
    },
    /// A colour for each pair of categories.
    Heat {
        /// What the colour means.
        value: Axis,
        /// Place across, place upwards, value; what was not measured is not there.
        cells: Vec<(usize, usize, f64)>,
    },
}

impl Form {
    /// Its lines or bars.
    pub fn series(&self) -> &[Line] {
        match self {
            Form::Lines { series } | Form::Bars { series } => series,
            Form::Heat { .. } => &[],
        }
    }
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Axis {
    /// Heading.
    pub label: String,
    /// What its numbers are.
    pub quantity: Quantity,
    /// Equal ratios are equally far apart.
    pub log: bool,
    /// Names instead of numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

impl Axis {
    /// Equal steps.
    pub fn linear(label: impl Into<String>, quantity: Quantity) -> Axis {
        Axis { label: label.into(), quantity, ..Axis::default() }
    }

    /// Equal ratios.
    pub fn log(label: impl Into<String>, quantity: Quantity) -> Axis {
        Axis { log: true, ..Axis::linear(label, quantity) }
    }

    /// Names.
    pub fn names(label: impl Into<String>, categories: Vec<String>) -> Axis {
        Axis { categories, ..Axis::linear(label, Quantity::Count) }
    }
}

/// What a number on an axis is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// How many of something.
    #[default]
    Count,
    /// I/Os per second.
    Iops,
    /// Bytes per second.
    Rate,
    /// Nanoseconds.
    Nanos,
    /// Seconds.
    Seconds,
    /// Percent.
    Percent,
    /// Bytes.
    Bytes,
    /// Bytes of a block, in powers of two.
    Size,
    /// A ratio.
    Ratio,
    /// `-log10` of the share above a percentile: 2 is the 99th.
    Nines,
}

impl Quantity {
    /// A number in words, short.
    pub fn words(self, value: f64) -> String {
        match self {
            Quantity::Count if value.fract() == 0.0 && value.abs() < 10_000.0 => format!("{value:.0}"),
            Quantity::Count | Quantity::Ratio => scale::short(value),
            Quantity::Iops => scale::short(value),
            Quantity::Bytes => scale::bytes(value as u64),
            Quantity::Rate => format!("{}/s", scale::bytes(value as u64)),
            Quantity::Nanos => scale::time(value),
            Quantity::Seconds => format!("{} s", scale::short(value)),
            Quantity::Percent => scale::percent(value),
            Quantity::Size => crate::labels::block(value as u64),
            Quantity::Nines => {
                let percent = 100.0 - 100.0 * 10f64.powf(-value);
                // As many digits as it has nines.
                let digits = (value.ceil() as usize).saturating_sub(2).min(6);
                format!("{percent:.digits$}")
            }
        }
    }
}

/// Points of one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// In the legend.
    pub name: String,
    /// How it looks.
    pub look: Look,
    /// In the order of `x`.
    pub points: Vec<Dot>,
}

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// Points joined, each with a mark.
    Marked,
    /// Joined, no marks: too many.
    Plain,
    /// A law, not a measurement.
    Dashed,
    /// Each value holds until the next.
    Step,
    /// Points that are not joined.
    Points,
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Across.
    pub x: f64,
    /// Upwards; `None` interrupts the line.
    pub y: Option<f64>,
    /// Its 95 % interval.
    pub between: Option<[f64; 2]>,
}

impl Dot {
    /// A point that knows no interval.
    pub fn new(x: f64, y: f64) -> Dot {
        Dot { x, y: Some(y).filter(|y| y.is_finite()), between: None }
    }

    /// The same to seven digits: of thousands of windows nobody reads more.
    pub fn short(self) -> Dot {
        let short = |v: f64| format!("{v:.6e}").parse().unwrap_or(v);
        Dot { x: short(self.x), y: self.y.map(short), between: self.between.map(|b| b.map(short)) }
    }

    /// One with an interval; none where both ends are the value.
    pub fn of(x: f64, y: &stats::study::Estimate) -> Dot {
        Dot { between: (y.low < y.high).then_some([y.low, y.high]), ..Dot::new(x, y.value) }
    }
}

/// `[x, y]` or `[x, y, low, high]`.
impl Serialize for Dot {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.between {
            None => (self.x, self.y).serialize(to),
            Some([low, high]) => (self.x, self.y, low, high).serialize(to),
        }
    }
}

/// A line across the chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// Upwards at this place of the x axis; else across at this of the y axis.
    pub upwards: bool,
    /// Where; of an axis with names the place of one.
    pub at: f64,
    /// What it is.
    pub label: String,
}

/// A shaded part of the x axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// From.
    pub from: f64,
    /// To.
    pub to: f64,
    /// What it is.
    pub label: String,
}

/// What many axes count.
fn per_second(lang: Lang) -> String {
    say!(lang, "chart-iops")
}

/// What many others count.
fn bytes_per_second(lang: Lang) -> String {
    say!(lang, "chart-bandwidth")
}

/// What shares are of.
fn of_the_ios(lang: Lang) -> String {
    say!(lang, "chart-percent-of-ios")
}

/// The name of a chart in links and files: what is not a letter or digit becomes `-`.
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

/// Names that several charts took get a number.
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
