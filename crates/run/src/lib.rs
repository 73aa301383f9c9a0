//! Running a plan: consent, layout, patterns, payload, the loop, phases, workers, and the driver in virtual time.
#![forbid(unsafe_code)]

mod aloft;
pub mod availability;
mod bitmap;
mod block;
mod choice;
mod chore;
pub mod consent;
mod doors;
pub mod drive;
pub mod fault;
pub mod filler;
pub mod general;
mod host;
pub mod idle;
mod interim;
pub mod kernel_settings;
pub mod limits;
mod live;
mod lock;
pub mod mark;
mod models;
mod outfit;
pub mod output;
pub mod pace;
pub mod pattern;
pub mod payload;
pub mod permute;
mod phase;
pub mod prepare;
mod sim;
pub mod slots;
pub mod space;
mod spread;
mod stops;
pub mod tally;
pub mod targets;
mod turn;
pub mod watch;
mod whole;
pub mod worker;

pub use models::Models;
pub use watch::{Notice, Silent, Watch};
pub use whole::{RunError, Setup, run};
