//! Texts for the errors, notes and diagnostics of the other crates. Each file has the types of one crate, and the
//! catalog of the same name has the sentences. Messages that fio prints word for word are in `fio_messages.rs`.

pub mod facts;
pub mod import;
pub mod iometer;
pub mod job;
pub mod lab;
pub mod note;
pub mod objects;
mod path_fault;
pub mod run;
pub mod shell;
pub mod store;
pub mod trace;
pub mod values;
pub mod wear;
