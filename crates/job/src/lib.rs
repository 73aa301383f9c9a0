//! fio's language: text -> `JobSpec` (what was typed) -> [`job::Job`] (what will happen) -> [`plan::Plan`]
//! (files and sizes known). One option table feeds parser, help, docs and echo. This crate touches no device.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod chore;
pub mod cli;
pub mod doc;
mod durable;
mod engine;
mod errnos;
pub mod files;
mod ini;
pub mod job;
pub mod look;
pub mod manual;
mod mend;
pub mod model;
pub mod numa;
pub mod option;
pub mod plan;
pub mod priority;
mod profile;
pub mod rate;
mod region;
mod resolve;
pub mod sections;
pub mod spec;
pub mod spread;
pub mod suggest;
mod switches;
pub mod table;
pub mod unit;
pub mod value;

pub use cli::{
    CommandLine, Dialect, Eta, Format, IdleProf, Parsed, Switches, UsageError, banner, command_line,
};
pub use files::Files;
pub use plan::{Plan, PlanError, plan};
