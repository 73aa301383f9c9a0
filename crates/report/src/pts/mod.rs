//! Report of `fathom pts`: header and tables of the SNIA Solid State Storage Performance Test Specification, comparison of
//! devices, and data for other programs. The charts are in `chart::pts`.

pub mod compare;
pub mod csv;
pub mod header;
pub mod page;
pub mod tables;
