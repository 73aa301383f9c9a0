//! Plans made by hand, carried out on real files. One program, for each one more takes seconds to link.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test fails where it unwraps, and prints its seed

mod consent;
mod dependencies;
mod files;
mod layout;
mod limits;
mod models;
mod open;
mod pace;
mod plans;
mod space;
