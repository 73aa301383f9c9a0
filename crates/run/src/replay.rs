//! Replay of a trace: the operations come from a file that a thread reads ahead, in bounded memory.

use crate::file_selector::FileAction;
use crate::trace_file;
use engine::{Kind, Op};
use job::job::ReplaySpec;
use job::plan::PlannedTrace;
use job::trace::{Action, Names, Record, Replayed, TraceFault, TraceFaultKind};
use std::fs::File;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Number of records per chunk that the reading thread passes on.
const CHUNK: usize = 4096;
/// Number of chunks that are read ahead.
const AHEAD: usize = 4;

type Chunk = Result<Vec<Record>, TraceFault>;

/// State of the replay of a trace.
#[derive(Debug)]
pub struct Replay {
    chunks: Receiver<Chunk>,
    chunk: Vec<Record>,
    /// Number of the next record in the chunk.
    at: usize,
    over: bool,
    fault: Option<TraceFault>,
    /// Whether the trace opens and closes files of the system; otherwise its `open` and `close` have no effect.
    opens: bool,
    /// Whether each file is open.
    open: Vec<bool>,
    /// Number of I/Os in flight per file.
    in_flight: Vec<u32>,
    actions: Vec<FileAction>,
    blocked: bool,
}

impl Replay {
    /// Starts to read the trace. `files` is the number of files of the clone; `opens` tells whether the engine opens
    /// them.
    pub fn new(trace: &PlannedTrace, spec: &ReplaySpec, files: usize, opens: bool) -> Self {
        let (full, chunks) = sync_channel(AHEAD);
        let (trace, spec) = (trace.clone(), spec.clone());
        let started = std::thread::Builder::new().name("trace".into()).spawn(move || {
            let read = read(&trace, &spec, &full);
            // The receiver is gone if the job ended before the end of the trace.
            let _ = read.or_else(|fault| full.send(Err(fault)));
        });
        let fault = started.err().map(|e| TraceFault {
            at: 0,
            kind: TraceFaultKind::Unreadable { errno: e.raw_os_error().unwrap_or(0) },
        });
        let mut replay = Self {
            chunks,
            chunk: Vec::new(),
            at: 0,
            over: fault.is_some(),
            fault,
            opens,
            open: vec![false; files],
            in_flight: vec![0; files],
            actions: Vec::new(),
            blocked: false,
        };
        // The first records are there when the clocks of the job start.
        replay.peek();
        replay
    }

    /// Returns the next record; `None` at the end of the trace.
    #[inline(always)]
    fn peek(&mut self) -> Option<Record> {
        if self.at == self.chunk.len() && !self.refill() {
            return None;
        }
        Some(self.chunk[self.at])
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> bool {
        while !self.over && self.at == self.chunk.len() {
            match self.chunks.recv() {
                Ok(Ok(chunk)) => (self.chunk, self.at) = (chunk, 0),
                Ok(Err(fault)) => (self.fault, self.over) = (Some(fault), true),
                Err(_) => self.over = true,
            }
        }
        !self.over
    }

    /// Returns the time in nanoseconds from the start of the trace at which the next record is due; `None` at the end.
    pub fn due(&mut self) -> Option<u64> {
        self.peek().map(|record| record.nanos)
    }

    /// Returns the fault that ended the replay before the end of the trace.
    pub fn take_fault(&mut self) -> Option<TraceFault> {
        self.fault.take()
    }

    /// Returns whether an operation could not be filled because its file is closed first, which waits for the I/Os in
    /// flight on it.
    pub fn blocked(&self) -> bool {
        self.blocked
    }

    /// Fills `ops` with the next operations, whatever their times; see [`crate::pattern::Pattern::fill`].
    #[inline(never)]
    pub fn fill(&mut self, ops: &mut [Op]) -> usize {
        let mut n = 0;
        while n < ops.len() && self.fill_one(&mut ops[n], n == 0, |_| true).is_some() {
            n += 1;
        }
        n
    }

    /// Fills one operation; returns its time in nanoseconds, `None` if there is none now. The file actions before it are taken only if `first`,
    /// because they are applied before the whole batch of operations. `is_due` tells whether the time of an operation has
    /// come, which may be later than that of the file actions before it.
    pub fn fill_one(&mut self, op: &mut Op, first: bool, is_due: impl Fn(u64) -> bool) -> Option<u64> {
        self.blocked = false;
        while let Some(record) = self.peek() {
            let file = record.file as usize;
            let kind = match record.action {
                Action::Open | Action::Close if !self.opens => {
                    self.at += 1;
                    continue;
                }
                Action::Open | Action::Close if self.open[file] == (record.action == Action::Open) => {
                    self.at += 1;
                    continue;
                }
                Action::Open | Action::Close if !first => return None,
                Action::Open => {
                    self.actions.push(FileAction::Open(record.file));
                    self.open[file] = true;
                    self.at += 1;
                    continue;
                }
                Action::Close => {
                    if self.in_flight[file] > 0 {
                        self.blocked = true;
                        return None;
                    }
                    self.actions.push(FileAction::Close(record.file));
                    self.open[file] = false;
                    self.at += 1;
                    continue;
                }
                _ if !is_due(record.nanos) => return None,
                Action::Read => Kind::Read,
                Action::Write => Kind::Write,
                Action::Trim => Kind::Trim,
                Action::Sync => Kind::Fsync,
                Action::Datasync => Kind::Fdatasync,
            };
            self.at += 1;
            self.in_flight[file] += 1;
            let Record { offset, length, file, .. } = record;
            *op = Op { offset, len: length, file, kind, slot: op.slot, ..Op::NONE };
            return Some(record.nanos);
        }
        None
    }

    /// Records that `op` has completed.
    pub fn completed(&mut self, op: &Op) {
        if let Some(in_flight) = self.in_flight.get_mut(op.file as usize) {
            *in_flight = in_flight.saturating_sub(1);
        }
    }

    /// Returns the files to open and to close, in this order, before the operations that were filled last are issued.
    pub fn take_file_actions(&mut self) -> Vec<FileAction> {
        std::mem::take(&mut self.actions)
    }

    /// Closes all open files after the last operation; no I/O may be in flight.
    pub fn close_all_files(&mut self) {
        for (file, open) in self.open.iter_mut().enumerate() {
            if std::mem::take(open) {
                self.actions.push(FileAction::Close(file as u32));
            }
        }
    }
}

/// Reads the trace and sends its records in chunks until the end, or until the receiver is gone.
fn read(trace: &PlannedTrace, spec: &ReplaySpec, full: &SyncSender<Chunk>) -> Result<(), TraceFault> {
    let unreadable = |e: std::io::Error| TraceFault {
        at: 0,
        kind: TraceFaultKind::Unreadable { errno: e.raw_os_error().unwrap_or(0) },
    };
    let file = File::open(&trace.path).map_err(unreadable)?;
    let mut replayed = Replayed::new(trace_file::reader(file).map_err(unreadable)?, spec)?;
    // Files that were not checked before the run are not opened.
    let mut names = Names::of_keys(&trace.names);
    let mut chunk = Vec::with_capacity(CHUNK);
    while let Some(record) = replayed.next(&mut names)? {
        chunk.push(record);
        if chunk.len() == CHUNK {
            let filled = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            if full.send(Ok(filled)).is_err() {
                return Ok(());
            }
        }
    }
    let _ = full.send(Ok(chunk));
    Ok(())
}
