//! Examination of a whole trace before its replay.

use super::csv::NAMED;
use super::profile::name;
use super::replay::no_io;
use super::{Action, Names, ReplaySpec, Replayed, TraceFault, TraceFaultKind, TraceFile};
use std::io::BufRead;

/// Contents of a trace, after the changes for its replay.
#[derive(Clone, Debug, Default)]
pub struct TraceSummary {
    /// Files that the trace names.
    pub names: Names,
    /// End of the last I/O in each file, bytes; with `replay_redirect`, that of the one file.
    pub ends: Vec<u64>,
    /// Number of reads, writes and trims.
    pub ios: [u64; 3],
    /// Bytes of reads, writes and trims.
    pub bytes: [u64; 3],
    /// Number of syncs.
    pub syncs: u64,
    /// Smallest and largest length of reads, writes and trims, bytes; (0, 0) for none.
    pub lengths: [(u64, u64); 3],
    /// Time of the last record, nanoseconds.
    pub nanos: u64,
}

/// Reads a whole trace, in bounded memory for a bounded number of files.
///
/// # Errors
/// A line or an event cannot be replayed, or the trace has no I/O.
pub fn scan(from: impl BufRead, spec: &ReplaySpec) -> Result<TraceSummary, TraceFault> {
    let mut summary = TraceSummary::default();
    let mut replayed = Replayed::new(from, spec)?;
    while let Some(record) = replayed.next(&mut summary.names)? {
        let file = record.file as usize;
        if summary.ends.len() <= file {
            summary.ends.resize(file + 1, 0);
        }
        summary.ends[file] = summary.ends[file].max(record.offset + u64::from(record.length));
        summary.nanos = record.nanos;
        if let Some(direction) = record.action.direction() {
            let (at, length) = (direction as usize, u64::from(record.length));
            summary.ios[at] += 1;
            summary.bytes[at] = summary.bytes[at].saturating_add(length);
            let (low, high) = summary.lengths[at];
            summary.lengths[at] = (if low == 0 { length } else { low.min(length) }, high.max(length));
        }
        summary.syncs += u64::from(matches!(record.action, Action::Sync | Action::Datasync));
    }
    let volumes = summary.names.files();
    if volumes.len() > 1 && volumes.iter().all(|file| matches!(file, TraceFile::Volume(_))) {
        let names = volumes.iter().take(NAMED).map(name).collect();
        return Err(TraceFault {
            at: 0,
            kind: TraceFaultKind::Volumes { count: volumes.len() as u64, names },
        });
    }
    if summary.ios == [0; 3] && summary.syncs == 0 {
        return Err(no_io());
    }
    Ok(summary)
}
