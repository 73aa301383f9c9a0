//! The program from outside: what a user types, sees and finds on the disk. One program, for each one more takes seconds
//! to link.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)] // a test fails where it unwraps

mod badinput;
mod beside;
mod chores;
mod commands;
mod common;
mod compare;
mod consent;
mod content;
mod crowd;
mod devices;
mod doctor;
mod durable;
mod explore;
mod faults;
mod grid;
mod idle;
mod languages;
mod memory;
mod names;
mod newer;
mod opendir;
mod page;
mod places;
mod prefill;
mod priority;
mod profile;
mod provenance;
mod rates;
mod report;
mod safety;
mod screen;
mod scripts;
mod seeds;
mod status;
mod store;
mod trust;
