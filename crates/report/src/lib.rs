//! Renderers: the result types of `stats` and the errors, notes and diagnostics of the other crates become text.
//! Nothing is measured and no statistic is computed here.
#![forbid(unsafe_code)]

pub mod answer;
pub mod audit;
pub mod card;
mod catalog;
pub mod characterize;
pub mod chart;
pub mod cloud;
mod columns;
pub mod compare;
pub mod dd;
pub mod device_class;
pub mod doctor;
pub mod explain;
pub mod export;
pub mod findings;
mod fio_layout;
pub mod fio_messages;
pub mod fit;
pub mod hdparm;
pub mod iometer;
pub mod json;
mod labels;
pub mod lang;
mod layers;
pub mod live;
pub mod live_view;
pub mod page;
pub mod ping;
pub mod points;
pub mod prefill;
pub mod prelude;
pub mod pts;
mod pts_names;
pub mod pts_run;
pub mod quick;
pub mod rank;
pub mod scale;
pub mod stat;
mod steady_state;
pub mod stored;
pub mod study;
pub mod sweep;
mod terms;
pub mod terse;
pub mod text;
pub mod trace;
pub mod words;

pub(crate) use columns::{Grid, fill, fit, fit_end, hang, lay, prose_width, right, ruled, widest, wrap};
pub use columns::{columns, definitions, left, paragraph};
pub use lang::Lang;
pub use prelude::{banner, error_line, layout_notice, starting};
