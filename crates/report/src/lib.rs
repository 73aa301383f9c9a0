//! Renderers over the result types of `stats`: text goes out, nothing is measured and no statistic is computed here.
#![forbid(unsafe_code)]

pub mod card;
pub mod json;
mod layers;
pub mod live;
mod node;
pub mod prelude;
pub mod quick;
pub mod scale;
pub mod text;

pub use prelude::{banner, error_line, layout_notice, starting};
