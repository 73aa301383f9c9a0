//! fio's job language: text -> `JobSpec` (options as typed) -> [`job::Job`] (validated, with defaults) ->
//! [`plan::Plan`] (files and sizes known). The parser, the help, the documents and the JSON echo use one option table.
//! This crate touches no device.
#![forbid(unsafe_code)]

pub mod access_spec;
pub mod bad_value;
pub mod byte_pattern;
mod choice;
mod command_line;
mod correction;
mod defaults;
pub mod diagnostic;
pub mod distribution;
pub mod doc;
mod engine;
mod errnos;
pub mod exit_status;
pub mod files;
pub mod flow;
pub mod host_share;
mod ini;
mod inspect;
mod invocation;
pub mod job;
pub mod job_fault;
pub mod logs;
mod max_latency;
pub mod model;
pub mod numa;
pub mod nvme;
pub mod option;
pub mod plan;
pub mod priority;
mod profile;
pub mod rate;
mod reading;
pub mod refused_value;
mod region;
pub mod remote;
mod resolve;
pub mod secret;
pub mod sections;
pub mod spec;
pub mod sprandom;
pub mod steady;
pub mod suggest;
mod switches;
mod sync_range;
pub mod table;
mod targets;
pub mod think_time;
pub mod trace;
pub mod unit;
pub mod value;
pub mod verify;
mod wear_budget;
pub mod zoned;

pub use command_line::{banner, command_line};
pub use diagnostic::Diagnostic;
pub use files::Files;
pub use invocation::{CommandLine, Dialect, Eta, Format, IdleProf, Parsed, Switches, UsageError};
pub use plan::{Plan, plan};
pub use stats::FIO_VERSION;
pub use stats::plan_error::PlanError;
pub use wear_budget::wear_budget;
