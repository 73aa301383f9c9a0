//! The job of `iostat`: rates of the block devices from the counters of the kernel.
//!
//! A [`Collector`] reads the counters each time it is asked and returns what grew since the last time; the first report
//! covers the time since the system was booted. Names and the order of devices are iostat's (sysstat 12.6).

mod cgroups;
mod collector;
mod counters;
mod names;
mod nature;
mod processes;

pub use collector::Collector;
pub use names::{Naming, persistent_names_exist, resolve};

use std::path::PathBuf;

/// A device or group that was named by the user, in the order of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    /// A device or partition.
    Device {
        /// Name below `/dev`, as [`resolve`] returns it.
        name: String,
        /// Name that the user gave, by which it is sorted if it is one of the device mapper.
        given: String,
        /// Whether its partitions are shown, too.
        partitions: bool,
    },
    /// A group of the devices that are listed behind it, up to the next group.
    Group(String),
}

/// Where device counters are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CounterSource {
    /// The kernel's files in `/proc` and `/sys`.
    #[default]
    Kernel,
    /// The files `block`, `dev/block` and `diskstats` of a directory, for devices of user space.
    Directory(PathBuf),
    /// The kernel's files and those of a directory.
    Both(PathBuf),
}

/// Which devices a report has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Devices and groups by name.
    pub listed: Vec<Listed>,
    /// Every device, also those that were never used.
    pub all: bool,
    /// Every device with its partitions.
    pub with_partitions: bool,
    /// Only the sums of the groups.
    pub groups_only: bool,
    /// Leave out devices without I/O in the interval.
    pub omit_idle: bool,
    /// How devices are named.
    pub naming: Naming,
    /// Where counters are read.
    pub source: CounterSource,
    /// Number of processes to report, those with the most bytes first; 0 for none.
    pub processes: usize,
    /// Whether I/O of control groups is reported.
    pub cgroups: bool,
}
