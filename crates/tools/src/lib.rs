//! The jobs of other tools: `dd`, `hdparm`, `ioping` and `iostat`. Each module measures and returns results; what is printed is
//! the work of `report`.
#![forbid(unsafe_code)]

mod allow_destroy;
pub mod data_place;
pub mod dd;
pub mod evidence;
pub mod hdparm;
pub mod ping;
pub mod stat;
