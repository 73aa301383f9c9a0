//! Merging of blktrace files (`merge_blktrace_file`): their queued I/Os in time order as one blktrace file.

use super::blktrace::{Blktrace, EVENT, byte_order, set_time, time_of};
use super::{TraceFault, TraceFaultKind, unreadable};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

/// Traces to merge before the replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergeSpec {
    /// File that the merged trace is written to.
    pub file: PathBuf,
    /// Traces to merge.
    pub sources: Vec<MergeSource>,
}

/// One of the traces to merge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergeSource {
    /// Path of the trace.
    pub path: PathBuf,
    /// Percentage by which the times of the trace are multiplied (`merge_blktrace_scalars`); above 0.
    pub time_percent: f64,
    /// Number of passes over the trace (`merge_blktrace_iters`); at least 1.
    pub passes: u64,
}

/// Opens a trace by its path.
pub trait OpenTrace: FnMut(&Path) -> io::Result<Box<dyn BufRead>> {}
impl<F: FnMut(&Path) -> io::Result<Box<dyn BufRead>>> OpenTrace for F {}

/// Reader of the merged trace: a blktrace file in little-endian order with the queued I/Os of all sources and without
/// the data of events. The time of each source begins with 0 at its first I/O; every further pass begins at the time of
/// the last I/O of the pass before. I/Os of the same time are in the order of the sources. Memory: one event and one
/// reader per source.
pub struct Merged<O> {
    open: O,
    sources: Vec<Source>,
    /// Time of the next event of each source that has one, and number of the source.
    next: BinaryHeap<Reverse<(u64, usize)>>,
    event: [u8; EVENT],
    /// Number of bytes of `event` that were read.
    read: usize,
}

struct Source {
    spec: MergeSource,
    events: Blktrace<Box<dyn BufRead>>,
    event: [u8; EVENT],
    /// Number of passes that were begun.
    pass: u64,
    /// Time of the first event of a pass in the trace, nanoseconds.
    first: Option<u64>,
    /// Begin of the current pass and time of the latest event, nanoseconds of the merged trace.
    base: u64,
    last: u64,
}

impl<O: OpenTrace> Merged<O> {
    /// Opens all traces of `spec`.
    ///
    /// # Errors
    /// A trace cannot be read, or is no blktrace file.
    pub fn new(spec: &MergeSpec, mut open: O) -> Result<Self, TraceFault> {
        let mut sources = Vec::with_capacity(spec.sources.len());
        for spec in &spec.sources {
            let events = events(&spec.path, &mut open)?;
            let spec = spec.clone();
            sources.push(Source { spec, events, event: [0; EVENT], pass: 1, first: None, base: 0, last: 0 });
        }
        let mut merged = Self { open, sources, next: BinaryHeap::new(), event: [0; EVENT], read: EVENT };
        for source in 0..merged.sources.len() {
            merged.advance(source)?;
        }
        Ok(merged)
    }

    /// Reads the next event of a source, perhaps of its next pass.
    fn advance(&mut self, number: usize) -> Result<(), TraceFault> {
        let source = &mut self.sources[number];
        loop {
            let queued = source.events.queued();
            match queued.map_err(|kind| TraceFault { at: source.events.number(), kind })? {
                Some(event) => {
                    let time = time_of(&event);
                    let since = time.saturating_sub(*source.first.get_or_insert(time));
                    let scaled = scaled(since, source.spec.time_percent);
                    source.event = event;
                    source.last = source.last.max(source.base.saturating_add(scaled));
                    self.next.push(Reverse((source.last, number)));
                    return Ok(());
                }
                None if source.pass < source.spec.passes && source.first.is_some() => {
                    source.pass += 1;
                    (source.base, source.first) = (source.last, None);
                    source.events = events(&source.spec.path, &mut self.open)?;
                }
                None => return Ok(()),
            }
        }
    }
}

fn scaled(nanos: u64, percent: f64) -> u64 {
    // Times above 2^53 ns are not exact as floating point numbers.
    if percent == 100.0 { nanos } else { (nanos as f64 * percent / 100.0) as u64 }
}

fn events(path: &Path, open: &mut impl OpenTrace) -> Result<Blktrace<Box<dyn BufRead>>, TraceFault> {
    let mut from = open(path).map_err(|e| TraceFault { at: 0, kind: unreadable(&e) })?;
    let head = from.fill_buf().map_err(|e| TraceFault { at: 0, kind: unreadable(&e) })?;
    match byte_order(head) {
        Some(order) => Ok(Blktrace::new(from, order)),
        None => Err(TraceFault { at: 0, kind: TraceFaultKind::NotBlktrace }),
    }
}

impl<O: OpenTrace> Read for Merged<O> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

impl<O: OpenTrace> BufRead for Merged<O> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == EVENT
            && let Some(Reverse((time, source))) = self.next.pop()
        {
            self.event = self.sources[source].event;
            set_time(&mut self.event, time);
            self.advance(source).map_err(io::Error::other)?;
            self.read = 0;
        }
        Ok(&self.event[self.read..])
    }

    fn consume(&mut self, read: usize) {
        self.read += read;
    }
}
