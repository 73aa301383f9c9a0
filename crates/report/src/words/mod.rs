//! The errors, notes and diagnostics of the other crates in words: each file has the facts of one crate, and the catalog of the
//! same name has the sentences. What fio prints word for word is in `fio_messages.rs`.

pub mod facts;
pub mod import;
pub mod job;
pub mod lab;
pub mod note;
mod path_fault;
pub mod run;
pub mod store;
pub mod values;
