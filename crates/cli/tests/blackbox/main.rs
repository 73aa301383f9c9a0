//! The program from outside: what a user types, sees and finds on the disk. One program, for each one more takes seconds
//! to link.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)] // a test fails where it unwraps

mod badinput;
mod beside;
mod chores;
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
mod filters;
mod grid;
mod growth;
mod idle;
mod languages;
mod memory;
mod names;
mod newer;
mod opendir;
mod outputs;
mod ownership;
mod page;
mod places;
mod prefill;
mod priority;
mod profile;
mod races;
mod rates;
mod report;
mod safety;
mod scripts;
mod seeds;
mod settings;
mod signals;
mod status;
mod store;
mod surroundings;
mod text;
mod trust;
mod unmount;
