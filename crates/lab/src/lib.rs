//! Studies: questions answered by several runs. A study formats nothing; it builds jobs in fio's language, runs them, and
//! returns typed results. Only `characterize`, `files` and `objects` issue operations of their own.
#![forbid(unsafe_code)]

pub mod audit;
pub mod ceph;
pub mod characterize;
pub mod cloud;
pub mod device_class;
pub mod doctor;
pub mod explain;
pub mod explore;
pub mod files;
pub mod filled;
pub mod findings;
pub mod fit;
pub mod held;
pub mod host_jobs;
mod load_rate;
pub mod objects;
pub mod prefill;
pub mod pts;
pub mod quick;
pub mod resume;
pub mod scratch;
pub mod sweep;
pub mod target;
mod target_error;
pub mod target_fault;
