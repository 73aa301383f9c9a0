//! Facts about storage as reported by the machine: the storage stack under a path, activity of devices, cached bytes,
//! holes, data on a device and its users. Everything is read below a [`SysRoot`], so that fixtures work. This crate
//! decides nothing, does not use names of options, and never writes.
#![forbid(unsafe_code)]

pub mod alignment;
pub mod attach;
pub mod before;
pub mod cgroup;
pub mod changing;
pub mod cloud;
pub mod common_path;
pub mod cpu;
pub mod device_users;
pub mod disk;
pub mod extents;
pub mod file_usage;
pub mod flash;
pub mod generic;
pub mod identity;
pub mod layers;
pub mod limits;
pub mod link;
pub mod load;
pub mod machine;
pub mod md;
pub mod medium;
pub mod memory;
pub mod metadata;
pub mod network;
pub mod partition;
pub mod process;
mod qdisc;
pub mod queue;
pub mod remote;
pub mod residency;
pub mod root;
pub mod shared_name;
pub mod signature;
pub mod traits;
pub mod uncached;
pub mod unknown;
pub mod usage;
pub mod zeros;

pub use before::{Before, Sample};
pub use root::SysRoot;
