//! What a measurement is made of: counters, histograms, moments, windows, and the result types that every
//! renderer reads. This crate does no I/O and formats no text; every statistic that fathom prints is computed here.
#![forbid(unsafe_code)]

pub mod counter;
pub mod doctor;
pub mod histogram;
pub mod layer;
pub mod level;
pub mod live;
pub mod moments;
pub mod note;
pub mod outcome;
pub mod priority;
pub mod quick;
pub mod result;
pub mod shared;
pub mod unified;
pub mod unit;

pub use counter::Counter;
pub use histogram::Histogram;
pub use layer::*;
pub use level::Levels;
pub use live::*;
pub use moments::Moments;
pub use note::Note;
pub use outcome::*;
pub use priority::{ByPriority, Priority, SharedPriorities};
pub use quick::{QuickCard, QuickRow, QuickTarget};
pub use result::*;
pub use shared::Shared;
pub use unified::{PARTS, Unified};
