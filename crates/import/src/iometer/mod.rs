//! Configuration files of Iometer (`.icf`): the grammars of 1.1.0 and of the versions named by a date. A file is read
//! into a [`Document`], which is printed in the form in which Iometer writes it; the jobs of a document and the document
//! of jobs are made from it.

mod cycle;
mod document;
mod fault;
mod from_jobs;
mod jobs;
mod lines;
mod parse;
mod print;

pub use cycle::{Active, points};
pub use document::{
    AccessSpec, Assignment, Cycling, DiskSettings, Display, Document, Manager, NetworkKind, QueueCycling,
    Record, Settings, Spawn, Step, Target, TestSetup, TestType, Version, Worker, WorkerKind,
};
pub use fault::{ConversionFault, FieldName, JobFaultKind, NotExpressible, ParseFault, ParseFaultKind};
pub use from_jobs::document_of;
pub use jobs::{FILE_NAME, Place, Places, job_file, unmapped};
pub use parse::{is_icf, parse};
pub use print::print;
