//! The files with counters: `/proc/uptime`, `/proc/stat`, `/proc/diskstats` and those below `/sys/block`.

use super::CounterSource;
use facts::SysRoot;
use stats::io_counters::{CpuCounters, DiskCounters};
use std::path::{Path, PathBuf};

/// Files of devices in one place.
struct Place {
    /// Directory with a directory for each disk.
    block: PathBuf,
    /// Directory with links named after device numbers.
    by_number: PathBuf,
    /// Table of all devices and partitions.
    table: PathBuf,
}

/// A line of the table.
pub struct TableLine {
    /// Major and minor number.
    pub number: (u32, u32),
    /// Name of the kernel.
    pub name: String,
    /// Its counters.
    pub counters: DiskCounters,
}

/// Files from which all counters are read.
pub struct Files {
    root: SysRoot,
    places: Vec<Place>,
}

/// Returns the numbers of a line, up to the first word that is none.
fn numbers(line: &str) -> Vec<u64> {
    line.split_whitespace().map_while(|word| word.parse().ok()).collect()
}

/// Returns the name of a device as a directory name: `cciss!c0d0`.
fn as_file(name: &str) -> String {
    name.replace('/', "!")
}

impl Files {
    /// Returns the files of `source`.
    pub fn new(root: SysRoot, source: &CounterSource) -> Self {
        let kernel = || Place {
            block: root.path("/sys/block"),
            by_number: root.path("/sys/dev/block"),
            table: root.path("/proc/diskstats"),
        };
        let below = |dir: &Path| Place {
            block: dir.join("block"),
            by_number: dir.join("dev/block"),
            table: dir.join("diskstats"),
        };
        let places = match source {
            CounterSource::Kernel => vec![kernel()],
            CounterSource::Directory(dir) => vec![below(dir)],
            CounterSource::Both(dir) => vec![kernel(), below(dir)],
        };
        Self { root, places }
    }

    /// Root of all other files.
    pub fn root(&self) -> &SysRoot {
        &self.root
    }

    /// Returns the time since the system was booted in 1/100 s; 0 if it is not known.
    pub fn uptime(&self) -> u64 {
        let text = self.root.read("/proc/uptime").unwrap_or_default();
        let (seconds, rest) = text.split_once('.').unwrap_or((&text, ""));
        let hundredths: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let number = |text: &str| text.parse::<u64>().unwrap_or(0);
        number(seconds).saturating_mul(100).saturating_add(number(&hundredths))
    }

    /// Returns the time of the CPUs.
    pub fn cpu(&self) -> CpuCounters {
        let text = self.root.read("/proc/stat").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("cpu ")).unwrap_or_default();
        let mut counters = CpuCounters::default();
        counters.0.iter_mut().zip(numbers(line)).for_each(|(field, n)| *field = n);
        counters
    }

    /// Returns the lines of the tables of all devices, in their order.
    pub fn table(&self) -> Vec<TableLine> {
        let text = self.places.iter().filter_map(|place| std::fs::read_to_string(&place.table).ok());
        text.flat_map(|text| text.lines().filter_map(table_line).collect::<Vec<_>>()).collect()
    }

    /// Returns the names and counters of all disks, in the order of the directory.
    pub fn disks(&self) -> Vec<(String, DiskCounters)> {
        self.places.iter().flat_map(|place| with_counters(&place.block)).collect()
    }

    /// Returns whether there is a disk of this name; partitions are none.
    pub fn is_disk(&self, name: &str) -> bool {
        self.places.iter().any(|place| place.block.join(as_file(name)).exists())
    }

    /// Returns the counters of a disk.
    pub fn of_disk(&self, name: &str) -> Option<DiskCounters> {
        self.places.iter().find_map(|place| counters(&place.block.join(as_file(name))))
    }

    /// Returns the counters of the device or partition with this number.
    pub fn of_number(&self, (major, minor): (u32, u32)) -> Option<DiskCounters> {
        self.places.iter().find_map(|place| counters(&place.by_number.join(format!("{major}:{minor}"))))
    }

    /// Returns the partitions of a disk and their counters, in the order of the directory.
    pub fn partitions(&self, disk: &str) -> Vec<(String, DiskCounters)> {
        self.places.iter().flat_map(|place| with_counters(&place.block.join(as_file(disk)))).collect()
    }
}

fn counters(dir: &Path) -> Option<DiskCounters> {
    let text = std::fs::read_to_string(dir.join("stat")).ok()?;
    DiskCounters::from_fields(&numbers(text.lines().next()?))
}

fn with_counters(dir: &Path) -> Vec<(String, DiskCounters)> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let counters = counters(&entry.path())?;
            Some((entry.file_name().to_string_lossy().replace('!', "/"), counters))
        })
        .collect()
}

fn table_line(line: &str) -> Option<TableLine> {
    let mut words = line.split_whitespace();
    let number = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let name = words.next()?.to_owned();
    let fields: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
    // The four fields of old kernels' partitions are read from their own files only, as iostat does.
    let counters = (fields.len() >= 11).then(|| DiskCounters::from_fields(&fields)).flatten()?;
    Some(TableLine { number, name, counters })
}
