//! Logs over time of a job, as requested.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Latency in a row of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogValues {
    /// Mean of the interval.
    #[default]
    Mean,
    /// Largest latency of the interval.
    Max,
    /// Mean and largest latency.
    Both,
}

/// A file of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogFile {
    /// Bandwidth.
    Bw,
    /// I/O rate.
    Iops,
    /// Submission latency.
    Slat,
    /// Completion latency.
    Clat,
    /// Total latency.
    Lat,
    /// Histograms of the completion latency.
    Histogram,
}

impl LogFile {
    /// All files, in order.
    pub const ALL: [LogFile; 6] =
        [LogFile::Bw, LogFile::Iops, LogFile::Slat, LogFile::Clat, LogFile::Lat, LogFile::Histogram];

    /// Returns the part of the file's name that tells its contents.
    pub fn name(self) -> &'static str {
        match self {
            LogFile::Bw => "bw",
            LogFile::Iops => "iops",
            LogFile::Slat => "slat",
            LogFile::Clat => "clat",
            LogFile::Lat => "lat",
            LogFile::Histogram => "clat_hist",
        }
    }
}

/// Logs over time of a job (`write_*_log`, `log_*`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogSpec {
    /// Prefix of each file in the order of [`LogFile::ALL`]; `None` = not written.
    pub prefixes: [Option<String>; 6],
    /// Whether each file has rows, in the order of [`LogFile::ALL`]; the others are created and stay empty.
    pub rows: [bool; 6],
    /// Interval of rows in nanoseconds; 0 = a row for each I/O.
    pub interval: u64,
    /// Interval of histograms in nanoseconds; 0 = none.
    pub histogram_interval: u64,
    /// Number of neighbouring bins of a histogram that are added, as a power of two.
    pub coarseness: u32,
    /// Latency in a row of an interval.
    pub values: LogValues,
    /// Whether rows have the offset of the I/O.
    pub offset: bool,
    /// Whether rows have the priority of the I/O as a number.
    pub priority: bool,
    /// Whether rows have the time at which the I/O was issued.
    pub issue_time: bool,
    /// Number of I/Os per buffer.
    pub entries: u32,
    /// Whether the files are compressed.
    pub compressed: bool,
    /// Bytes that are compressed at a time.
    pub compression: u32,
    /// CPUs of the thread that writes the logs; empty = all.
    pub cpus: Vec<u32>,
    /// Whether the names of the files contain the number of the job.
    pub per_job: bool,
    /// Number of the clock that the times of rows are of; `None` = time since the start of the job.
    pub clock: Option<i32>,
}

impl LogSpec {
    /// Returns whether the job writes a log.
    pub fn any(&self) -> bool {
        self.prefixes.iter().any(Option::is_some)
    }

    /// Returns whether a file has rows.
    pub fn has(&self, file: LogFile) -> bool {
        self.prefixes[file as usize].is_some() && self.rows[file as usize]
    }

    /// Returns whether any file has rows: I/Os, intervals or histograms.
    pub fn has_rows(&self) -> bool {
        self.has_values() || self.has_histograms()
    }

    /// Returns whether the file of histograms has rows.
    pub fn has_histograms(&self) -> bool {
        self.has(LogFile::Histogram) && self.histogram_interval > 0
    }

    /// Returns whether a file of values, not of histograms, has rows.
    pub fn has_values(&self) -> bool {
        LogFile::ALL[..5].iter().any(|file| self.has(*file))
    }

    /// Returns whether a file is compressed; histograms are always text.
    pub fn is_compressed(&self, file: LogFile) -> bool {
        self.compressed && file != LogFile::Histogram
    }

    /// Returns the files of the clone with this number, from 1, over all jobs.
    pub fn files(&self, number: usize) -> impl Iterator<Item = (LogFile, PathBuf)> {
        LogFile::ALL.into_iter().filter_map(move |file| {
            let prefix = self.prefixes[file as usize].as_ref()?;
            let number = if self.per_job { format!(".{number}") } else { String::new() };
            let suffix = if self.is_compressed(file) { ".fz" } else { "" };
            Some((file, PathBuf::from(format!("{prefix}_{}{number}.log{suffix}", file.name()))))
        })
    }
}
