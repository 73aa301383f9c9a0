//! Counters, histograms, moments, windows, and the result types that all renderers read. This crate does no I/O and
//! formats no text; every statistic that fathom prints is computed here.
#![forbid(unsafe_code)]

pub mod access;
pub mod combine;
pub mod comparison;
pub mod conclusion;
pub mod contents;
pub mod converge;
pub mod counter;
pub mod depth_curve;
pub mod direction;
pub mod doctor;
pub mod estimate;
pub mod failure;
pub mod finding;
pub mod goal_test;
pub mod histogram;
pub mod job_error;
pub mod latency;
pub mod latency_goal;
pub mod layer;
pub mod level;
pub mod live;
pub mod log_series;
pub mod measured;
pub mod moments;
pub mod note;
pub mod outcome;
pub mod output_fault;
pub mod pauses;
pub mod percentile;
pub mod plain;
pub mod plan_error;
pub mod prefill;
pub mod priority;
pub mod progress;
pub mod quantile;
pub mod queue_model;
pub mod quick;
pub mod result;
pub mod series;
pub mod setting_fault;
pub mod shared;
pub mod stored;
pub mod study;
pub mod unified;
pub mod unit;
pub mod wait_law;

pub use comparison::{Comparison, Metric, MetricRow, Pair, Shape, Side, Unequal, Unsure};
pub use counter::Counter;
pub use direction::Direction;
pub use finding::{Claim, Finding, Grade, Unmeasured, grade_of};
pub use histogram::Histogram;
pub use job_error::JobError;
pub use latency::Latency;
pub use latency_goal::LatencyGoal;
pub use layer::*;
pub use level::Levels;
pub use live::*;
pub use log_series::{HistogramLog, LogKind, LogSeries};
pub use measured::{Conditions, Flow, LatencyKind, Measured, Quantile, Spread};
pub use moments::Moments;
pub use note::Note;
pub use outcome::*;
pub use prefill::{Prefill, PrefillEnd, PrefillNote, PrefillTarget, RecordedIn, Unfilled};
pub use priority::{ByPriority, Priority, SharedPriorities};
pub use quick::{NotMeasured, QuickCard, QuickCaveat, QuickRow, QuickTarget, RowIntervals};
pub use result::*;
pub use series::{Pause, RateStep, Series, Window};
pub use shared::Shared;
pub use stored::{Listed, StoredId, StoredKind};
pub use unified::PARTS;

/// Version string of the fio that fathom replaces, as fio prints it.
pub const FIO_VERSION: &str = "fio-3.33";
