//! Verification of written data: headers and contents of blocks, the record of what was written, the check of what is
//! read, and the state that is saved.

pub(crate) mod check;
mod checksum;
pub(crate) mod contents;
mod header;
pub(crate) mod mismatch;
pub(crate) mod pending;
pub(crate) mod pool;
pub(crate) mod read_back;
pub(crate) mod records;
pub(crate) mod saved;
pub(crate) mod stamp;
pub mod state;
mod trimmed;
pub(crate) mod trims;
pub(crate) mod written;

pub use records::{Records, memory};
