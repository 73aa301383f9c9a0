//! The thread that formats the records of all workers and writes the files.

use super::LogFailure;
use super::records::{Chunk, HistogramRow, IoRecord, Row};
use crate::job_error::errno_of;
use crate::output::{self, OutputError};
use engine::clock::scaled;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use job::job::{Job, LogFile, LogSpec, LogValues};
use rustix::thread::CpuSet;
use stats::log_sample::append_histogram;
use stats::{Direction, LogSample};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender};

/// Message of a worker to the writer.
#[derive(Debug)]
pub(super) enum Message {
    /// A worker begins, and receives its empty buffers through `give`.
    Begin { clone: usize, give: SyncSender<Box<Chunk>> },
    /// A filled buffer of a clone.
    Chunk(usize, Box<Chunk>),
    /// All workers have ended.
    End,
}

/// Bytes of text that are collected before they are written.
const BUFFER: usize = 64 * 1024;

/// An open log.
struct OpenLog {
    path: PathBuf,
    clones: Vec<usize>,
    file: File,
    /// Text or binary rows that are not written yet.
    pending: Vec<u8>,
    /// Bytes that are compressed at a time; `None` for a log of text.
    compressed: Option<usize>,
    /// errno of the first failed write.
    failed: Option<i32>,
}

/// Properties of a clone's logs.
struct CloneLogs {
    spec: LogSpec,
    /// Index of each open log, in the order of [`LogFile::ALL`].
    files: [Option<usize>; 6],
    /// I/O priorities of the job.
    priorities: Vec<u16>,
    /// Largest block of each direction in bytes.
    block: [u64; 3],
    give: Option<SyncSender<Box<Chunk>>>,
}

/// All logs of a run.
#[derive(Default)]
pub(super) struct Files {
    open: Vec<OpenLog>,
    clones: BTreeMap<usize, CloneLogs>,
}

impl Files {
    /// Opens a log of the clone with this index. Clones whose logs have the same path share the file.
    ///
    /// # Errors
    /// The file cannot be created, or must not be overwritten.
    pub(super) fn open(
        &mut self,
        clone: usize,
        job: &Job,
        file: LogFile,
        path: PathBuf,
    ) -> Result<(), OutputError> {
        let spec = &job.logs;
        let at = match self.open.iter().position(|open| open.path == path) {
            Some(at) => at,
            None => {
                // As in fio, a log that several jobs share is continued.
                let opened = if spec.per_job { output::open(&path)? } else { output::open_kept(&path)? };
                let mut log = OpenLog {
                    clones: Vec::new(),
                    file: opened,
                    pending: Vec::with_capacity(BUFFER),
                    compressed: spec.is_compressed(file).then_some(spec.compression as usize),
                    failed: None,
                    path,
                };
                if log.file.metadata().is_ok_and(|meta| meta.is_file()) {
                    let end = log.file.seek(SeekFrom::End(0));
                    end.map_err(|e| output::failed(&log.path, &e))?;
                }
                self.open.push(log);
                self.open.len() - 1
            }
        };
        self.open[at].clones.push(clone);
        let logs = self.clones.entry(clone).or_insert_with(|| CloneLogs {
            spec: spec.clone(),
            files: [None; 6],
            priorities: job.priority_values(),
            block: job.pattern.block.map(|(_, most)| most),
            give: None,
        });
        logs.files[file as usize] = Some(at).filter(|_| spec.has(file));
        Ok(())
    }
}

/// Writes the buffers of all workers until [`Message::End`]. Returns the logs that are not complete.
pub(super) fn run(mut files: Files, messages: &Receiver<Message>, cpus: &[u32]) -> Vec<LogFailure> {
    if !cpus.is_empty() {
        let mut set = CpuSet::new();
        cpus.iter().filter(|cpu| (**cpu as usize) < CpuSet::MAX_CPU).for_each(|cpu| set.set(*cpu as usize));
        // Best effort: the CPUs may be outside the set of this process.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
    loop {
        // What is there is written before the thread waits, so that the files can be followed.
        let message = match messages.try_recv() {
            Ok(message) => message,
            Err(_) => {
                files.open.iter_mut().filter(|log| log.compressed.is_none()).for_each(OpenLog::write);
                match messages.recv() {
                    Ok(message) => message,
                    Err(_) => break,
                }
            }
        };
        match message {
            Message::Begin { clone, give } => {
                if let Some(logs) = files.clones.get_mut(&clone) {
                    logs.give = Some(give);
                }
            }
            Message::Chunk(clone, mut chunk) => {
                if let Some(logs) = files.clones.get(&clone) {
                    logs.append(&chunk, &mut files.open);
                    chunk.clear();
                    if let Some(give) = &logs.give {
                        let _ = give.try_send(chunk);
                    }
                }
            }
            Message::End => break,
        }
    }
    files.open.iter_mut().for_each(OpenLog::write);
    let failed = files
        .open
        .into_iter()
        .filter_map(|log| Some(LogFailure { errno: log.failed?, path: log.path, clones: log.clones }));
    failed.collect()
}

impl OpenLog {
    /// Writes everything that is pending.
    fn write(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let written = match self.compressed {
            _ if self.failed.is_some() => Ok(()),
            None => self.file.write_all(&self.pending),
            Some(_) => compress(&self.file, &self.pending),
        };
        if let Err(e) = written {
            self.failed = Some(errno_of(&e));
        }
        self.pending.clear();
    }

    fn append(&mut self, sample: &LogSample) {
        match self.compressed {
            Some(_) => sample.append_binary(&mut self.pending),
            None => sample.append_line(&mut self.pending),
        }
        if self.pending.len() >= self.compressed.unwrap_or(BUFFER) {
            self.write();
        }
    }
}

/// Writes `bytes` as one zlib stream.
fn compress(file: &File, bytes: &[u8]) -> io::Result<()> {
    let mut encoder = ZlibEncoder::new(file, Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish().map(|_| ())
}

impl CloneLogs {
    /// Appends all records of a buffer to their logs.
    fn append(&self, chunk: &Chunk, open: &mut [OpenLog]) {
        for record in &chunk.ios[..chunk.len] {
            self.append_io(chunk, record, open);
        }
        for row in &chunk.rows {
            self.append_row(chunk, row, open);
        }
        for row in &chunk.histograms[..chunk.histograms_len] {
            self.append_histogram(chunk, row, open);
        }
    }

    fn sample(&self, nanos: u64, direction: usize, value: u64) -> LogSample {
        LogSample {
            ms: nanos / 1_000_000,
            value,
            most: None,
            direction: Direction::ALL[direction],
            bytes: 0,
            offset: self.spec.offset.then_some(0),
            priority: 0,
            numbered: self.spec.priority,
            issued: self.spec.issue_time.then_some(0),
        }
    }

    fn append_io(&self, chunk: &Chunk, io: &IoRecord, open: &mut [OpenLog]) {
        let nanos = |from: u64, to: u64| scaled(to.saturating_sub(from), chunk.scale);
        let clat = nanos(io.issued, io.now);
        let sample = LogSample {
            bytes: io.len.into(),
            offset: self.spec.offset.then_some(io.offset),
            priority: self.priorities.get(usize::from(io.priority)).copied().unwrap_or(0),
            issued: self.spec.issue_time.then(|| nanos(chunk.epoch, io.start)),
            ..self.sample(chunk.base + nanos(chunk.epoch, io.now), usize::from(io.direction), 0)
        };
        for file in LogFile::ALL {
            let Some(at) = self.files[file as usize] else { continue };
            let value = match file {
                LogFile::Bw => (u128::from(io.len) * 1_000_000 / u128::from(clat.max(1))) as u64,
                LogFile::Iops => 1,
                LogFile::Slat if !io.untimed => nanos(io.start, io.issued),
                LogFile::Clat if !io.untimed => clat,
                LogFile::Lat if !io.untimed => nanos(io.start, io.now),
                _ => continue,
            };
            open[at].append(&LogSample { value, ..sample });
        }
    }

    fn append_row(&self, chunk: &Chunk, row: &Row, open: &mut [OpenLog]) {
        let Some(at) = self.files[row.file as usize] else { return };
        let (value, most) = match self.spec.values {
            LogValues::Mean => (row.value, None),
            LogValues::Max => (row.most, None),
            LogValues::Both => (row.value, Some(row.most)),
        };
        open[at].append(&LogSample { most, ..self.sample(chunk.base + row.nanos, row.direction, value) });
    }

    fn append_histogram(&self, chunk: &Chunk, row: &HistogramRow, open: &mut [OpenLog]) {
        let Some(at) = self.files[LogFile::Histogram as usize] else { return };
        let log = &mut open[at];
        let (ms, direction) = ((chunk.base + row.nanos) / 1_000_000, Direction::ALL[row.direction]);
        let (bs, together) = (self.block[row.direction], 1 << self.spec.coarseness);
        append_histogram(&mut log.pending, ms, direction, bs, &row.counts, together);
        if log.pending.len() >= BUFFER {
            log.write();
        }
    }
}
