//! The option table: every option of fio and of fathom. The parser, the help, the JSON echo and the generated documents
//! read it.

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

/// Expands to an option row that stores its value in the `JobSpec` field of this name.
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
mod logs;
mod model;
mod network;
mod newer;
mod nvme;
mod pattern;
mod queue;
mod report;
mod scsi;
mod trace;
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
        trace::ROWS,
        logs::ROWS,
        zones::ROWS,
        engines::ROWS,
        model::ROWS,
        hardware::ROWS,
        nvme::ROWS,
        scsi::ROWS,
        network::ROWS,
    ]
    .into_iter()
    .flatten()
}

/// Returns the row of the option that has this name or alias.
pub fn find(name: &str) -> Option<&'static Opt> {
    static BY_NAME: LazyLock<HashMap<&'static str, &'static Opt>> = LazyLock::new(|| {
        rows().flat_map(|row| row.aliases.iter().chain([&row.name]).map(move |name| (*name, row))).collect()
    });
    BY_NAME.get(name).copied()
}
