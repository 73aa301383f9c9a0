//! The option table: every option that fio knows, and ours. Parser, help, echo and documents read it.

macro_rules! set {
    ($field:ident) => {
        |job, value| store(&mut job.$field, value)
    };
}
macro_rules! get {
    ($field:ident) => {
        |job| job.$field.as_ref().map(FieldValue::value)
    };
}

/// The rest of a row whose value is the field of `JobSpec` with this name.
macro_rules! field {
    ($field:ident) => {
        Opt { set: set!($field), get: get!($field), ..OPT }
    };
}

mod data;
mod engines;
mod files;
mod hardware;
mod job;
mod model;
mod network;
mod pattern;
mod queue;
mod report;
mod tiers;
mod zones;

use crate::option::Opt;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Returns the rows of all options.
pub fn rows() -> impl Iterator<Item = &'static Opt> {
    [
        job::ROWS,
        files::ROWS,
        pattern::ROWS,
        queue::ROWS,
        data::ROWS,
        report::ROWS,
        zones::ROWS,
        engines::ROWS,
        model::ROWS,
        hardware::ROWS,
        network::ROWS,
    ]
    .into_iter()
    .flatten()
}

/// The row called `name`, by name or alias.
pub fn find(name: &str) -> Option<&'static Opt> {
    static BY_NAME: LazyLock<HashMap<&'static str, &'static Opt>> = LazyLock::new(|| {
        rows().flat_map(|row| row.aliases.iter().chain([&row.name]).map(move |name| (*name, row))).collect()
    });
    BY_NAME.get(name).copied()
}
