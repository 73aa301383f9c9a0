//! fio's language: text -> `JobSpec` (what was typed) -> [`job::Job`] (what will happen) -> [`plan::Plan`]
//! (files and sizes known). One option table feeds parser, help, docs and echo. This crate touches no device.
#![forbid(unsafe_code)]

pub mod cli;
pub mod files;
pub mod job;
pub mod plan;

pub use cli::{CommandLine, Dialect, Eta, Format, Parsed, Switches, UsageError, banner, command_line};
pub use files::Files;
pub use plan::{PlanError, plan};
