//! Records that a worker hands to the writer of its logs, in buffers that are allocated before the first I/O.

use engine::Ticks;
use job::job::{LogFile, LogSpec};
use stats::histogram::BUCKETS_OF_FIO;
use stats::unit::MILLISECOND;

/// Rows of intervals per buffer.
const ROWS: usize = 1024;
/// Histograms per buffer: those of two intervals.
const HISTOGRAMS: usize = 6;

/// A completed I/O. Times are on the worker's clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IoRecord {
    /// Time of the completion.
    pub(crate) now: Ticks,
    /// Time before the submission.
    pub(crate) start: Ticks,
    /// Time at which the submit call returned.
    pub(crate) issued: Ticks,
    pub(crate) offset: u64,
    pub(crate) len: u32,
    /// Index of the direction.
    pub(crate) direction: u8,
    /// Index of the priority among those of the job.
    pub(crate) priority: u8,
    /// Whether the I/O has no latency.
    pub(crate) untimed: bool,
}

/// Value of an interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) file: LogFile,
    /// Index of the direction.
    pub(crate) direction: usize,
    /// End of the interval in nanoseconds since the start of the measurement.
    pub(crate) nanos: u64,
    pub(crate) value: u64,
    /// Largest value of the interval.
    pub(crate) most: u64,
}

/// Histogram of the completion latencies of an interval.
#[derive(Clone, Debug)]
pub(crate) struct HistogramRow {
    /// Index of the direction.
    pub(crate) direction: usize,
    /// End of the interval in nanoseconds since the start of the measurement.
    pub(crate) nanos: u64,
    /// Number of latencies in each bucket of fio.
    pub(crate) counts: Box<[u64]>,
}

/// A buffer of records, which travels from the worker to the writer and back.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Start of the measurement on the worker's clock.
    pub(crate) epoch: Ticks,
    /// Nanoseconds per tick of the worker's clock (`Clock::scale`).
    pub(crate) scale: u64,
    /// Nanoseconds to add to all times.
    pub(crate) base: u64,
    /// Completed I/Os; the first `len` are valid.
    pub(crate) ios: Box<[IoRecord]>,
    pub(crate) len: usize,
    /// Rows of intervals, at most their capacity.
    pub(crate) rows: Vec<Row>,
    /// Histograms; the first `histograms_len` are valid.
    pub(crate) histograms: Box<[HistogramRow]>,
    pub(crate) histograms_len: usize,
}

impl Chunk {
    /// Returns an empty buffer for the logs of a job.
    pub(crate) fn new(spec: &LogSpec) -> Self {
        let per_io = spec.has_values() && spec.interval == 0;
        let rows = spec.has_values() && spec.interval > 0;
        let histogram = HistogramRow { direction: 0, nanos: 0, counts: vec![0; BUCKETS_OF_FIO].into() };
        let histograms = if spec.has_histograms() { HISTOGRAMS } else { 0 };
        Self {
            epoch: 0,
            scale: 0,
            base: 0,
            ios: vec![IoRecord::default(); if per_io { spec.entries as usize } else { 0 }].into(),
            len: 0,
            rows: Vec::with_capacity(if rows { ROWS } else { 0 }),
            histograms: vec![histogram; histograms].into(),
            histograms_len: 0,
        }
    }

    /// Returns whether the buffer has no record.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0 && self.rows.is_empty() && self.histograms_len == 0
    }

    /// Adds each histogram to an earlier one of its direction that has the same time in milliseconds, which is that of the
    /// log's rows.
    pub(crate) fn join_histograms(&mut self) {
        for at in (1..self.histograms_len).rev() {
            let (earlier, rest) = self.histograms.split_at_mut(at);
            let Some(last) = rest.first() else { continue };
            let alike = |row: &&mut HistogramRow| {
                row.direction == last.direction && row.nanos / MILLISECOND == last.nanos / MILLISECOND
            };
            if let Some(row) = earlier.iter_mut().find(alike) {
                row.counts.iter_mut().zip(&last.counts).for_each(|(to, count)| *to += count);
                self.histograms[at..self.histograms_len].rotate_left(1);
                self.histograms_len -= 1;
            }
        }
    }

    /// Removes all records.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.rows.clear();
        self.histograms_len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_of_one_time_are_joined() {
        let row = |direction, nanos, count| HistogramRow { direction, nanos, counts: [count].into() };
        let rows = [
            row(0, 500_000_000, 1),
            row(0, 1_000_000_000, 2),
            row(1, 1_000_000_000, 3),
            row(0, 1_000_999_999, 4),
            row(1, 1_000_999_999, 5),
            row(2, 1_000_999_999, 6),
        ];
        let mut chunk = Chunk {
            epoch: 0,
            scale: 0,
            base: 0,
            ios: Box::default(),
            len: 0,
            rows: Vec::new(),
            histograms_len: rows.len(),
            histograms: rows.into(),
        };
        chunk.join_histograms();
        let left = chunk.histograms[..chunk.histograms_len].iter();
        let left: Vec<_> = left.map(|row| (row.direction, row.nanos / 1_000_000, row.counts[0])).collect();
        assert_eq!(left, [(0, 500, 1), (0, 1000, 6), (1, 1000, 8), (2, 1000, 6)]);
    }
}
