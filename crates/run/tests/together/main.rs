//! Plans that tests build, run on real files. One binary, because each further binary takes seconds to link.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test fails where it unwraps, and prints its seed

mod consent;
mod dependencies;
mod files;
mod flow;
mod latency_search;
mod layout;
mod limits;
mod logs;
mod models;
mod offsets;
mod open;
mod pace;
mod plans;
mod rate_over_time;
mod replay;
mod space;
mod sprandom;
mod steady;
mod think_time;
mod trims;
mod zones;
