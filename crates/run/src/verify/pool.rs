//! Threads that check blocks which the job's own thread has read (`verify_async`). The blocks are copied into batches of
//! bounded size and number; verdicts come back in the order of the reads.

use super::check::{Checker, Found, Place, Verdict};
use super::written::Expected;
use crate::job_error::{failed, failed_because};
use engine::Op;
use stats::JobError;
use stats::job_error::ErrorCause;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Number of bytes of a batch, unless a single read is larger.
const BATCH: usize = 128 * 1024;

/// What an interval of a read has to contain, as [`Expected`] was when the read completed.
#[derive(Clone, Debug)]
enum KnownContent {
    /// An earlier run wrote it.
    Nothing,
    Unknown,
    Changing,
    Write(u32),
    /// Any of these writes of the batch.
    AnyOf(Range<usize>),
}

/// An interval of a read.
#[derive(Clone, Debug)]
struct CheckedPart {
    known: KnownContent,
    /// Whether the interval was written while it was read: it is not judged if it is damaged.
    raced: bool,
}

/// A completed read.
#[derive(Debug)]
pub(crate) struct CheckedRead {
    pub(crate) op: Op,
    /// Number of the reads that were issued up to this one, and until this one had completed.
    pub(crate) issued: [u64; 2],
    /// Position of its data in the batch.
    at: usize,
    parts: Range<usize>,
    /// Number of intervals that were not judged.
    pub(crate) unjudged: u64,
    /// Damaged intervals: offset in the file, position in the read, and the damage.
    pub(crate) found: Vec<(u64, usize, Box<Found>)>,
}

impl CheckedRead {
    /// Returns the number of intervals.
    pub(crate) fn blocks(&self) -> u64 {
        self.parts.len() as u64
    }
}

/// Reads that are checked together.
#[derive(Debug, Default)]
pub(crate) struct ReadBatch {
    number: u64,
    data: Vec<u8>,
    pub(crate) reads: Vec<CheckedRead>,
    parts: Vec<CheckedPart>,
    /// Candidates of contested intervals.
    writes: Vec<u32>,
}

impl ReadBatch {
    /// Returns the data of a read.
    pub(crate) fn data(&self, read: &CheckedRead) -> &[u8] {
        &self.data[read.at..read.at + read.op.len as usize]
    }

    fn clear(&mut self) {
        self.data.clear();
        self.reads.clear();
        self.parts.clear();
        self.writes.clear();
    }

    /// Begins a read; its intervals follow.
    pub(crate) fn begin(&mut self, op: Op, issued: [u64; 2], data: &[u8]) {
        let (at, first) = (self.data.len(), self.parts.len());
        self.data.extend_from_slice(data);
        self.reads.push(CheckedRead { op, issued, at, parts: first..first, unjudged: 0, found: Vec::new() });
    }

    /// Adds the next interval of the read that was begun last.
    pub(crate) fn expect(&mut self, expected: Option<Expected<'_>>, raced: bool) {
        let known = match expected {
            None => KnownContent::Nothing,
            Some(Expected::Unknown) => KnownContent::Unknown,
            Some(Expected::Changing) => KnownContent::Changing,
            Some(Expected::Write(write)) => KnownContent::Write(write),
            Some(Expected::AnyOf(writes)) => {
                let first = self.writes.len();
                self.writes.extend_from_slice(writes);
                KnownContent::AnyOf(first..self.writes.len())
            }
        };
        self.parts.push(CheckedPart { known, raced });
        if let Some(read) = self.reads.last_mut() {
            read.parts.end = self.parts.len();
        }
    }

    fn check(&mut self, checker: &Checker, keys: &[u32]) {
        let interval = checker.interval();
        for read in &mut self.reads {
            let data = &mut self.data[read.at..read.at + read.op.len as usize];
            let parts = &self.parts[read.parts.clone()];
            for (index, (block, part)) in data.chunks_exact_mut(interval).zip(parts).enumerate() {
                let at = index * interval;
                let expected = match &part.known {
                    KnownContent::Nothing => None,
                    KnownContent::Unknown => Some(Expected::Unknown),
                    KnownContent::Changing => Some(Expected::Changing),
                    KnownContent::Write(write) => Some(Expected::Write(*write)),
                    KnownContent::AnyOf(range) => Some(Expected::AnyOf(&self.writes[range.clone()])),
                };
                let offset = read.op.offset + at as u64;
                let key = keys[read.op.file as usize];
                match checker.check(block, Place { offset, at, key, keys, expected }) {
                    Verdict::Good => {}
                    Verdict::Bad(found) if !part.raced => read.found.push((offset, at, found)),
                    Verdict::Unjudged | Verdict::Bad(_) => read.unjudged += 1,
                }
            }
        }
    }
}

/// A checking thread has ended by a panic.
#[derive(Debug)]
struct Ended;

/// Reports the end of a thread that panics.
struct Watched(Sender<Result<ReadBatch, Ended>>);

impl Drop for Watched {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Err(Ended));
        }
    }
}

/// The checking threads of a worker.
pub(crate) struct CheckerPool {
    /// `None` once the threads have been told to end.
    jobs: Option<Sender<ReadBatch>>,
    checked: Receiver<Result<ReadBatch, Ended>>,
    threads: Vec<JoinHandle<()>>,
    /// Batch that is being filled, and empty ones.
    current: ReadBatch,
    spare: Vec<ReadBatch>,
    /// Checked batches that wait for earlier ones, by number.
    early: BTreeMap<u64, ReadBatch>,
    /// Numbers of the next batch to send and of the next one to return.
    sent: u64,
    returned: u64,
}

impl CheckerPool {
    /// Starts `threads` threads on these CPUs; on those of the calling thread if there are none.
    ///
    /// # Errors
    /// A thread cannot be started, or not on these CPUs.
    pub(crate) fn start(
        threads: usize,
        cpus: &[u32],
        checker: &Arc<Checker>,
        keys: &Arc<[u32]>,
    ) -> Result<Self, JobError> {
        let (jobs, waiting) = channel::<ReadBatch>();
        let waiting = Arc::new(Mutex::new(waiting));
        let (done, checked) = channel();
        let (ready, readiness) = channel::<io::Result<()>>();
        let mut pool = Self {
            jobs: Some(jobs),
            checked,
            threads: Vec::with_capacity(threads),
            current: ReadBatch::default(),
            spare: (0..2 * threads).map(|_| ReadBatch::default()).collect(),
            early: BTreeMap::new(),
            sent: 0,
            returned: 0,
        };
        for _ in 0..threads {
            let (checker, keys, waiting) = (Arc::clone(checker), Arc::clone(keys), Arc::clone(&waiting));
            let (watched, ready, cpus) = (Watched(done.clone()), ready.clone(), cpus.to_vec());
            let run = move || {
                let _ = ready.send(run_on(&cpus));
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(mut batch) = next else { break };
                    batch.check(&checker, &keys);
                    if watched.0.send(Ok(batch)).is_err() {
                        break;
                    }
                }
            };
            let thread = std::thread::Builder::new().name("verify".into()).spawn(run);
            pool.threads.push(thread.map_err(|e| failed("pthread_create", &e))?);
        }
        for _ in 0..threads {
            let started = readiness.recv().unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()));
            started.map_err(|e| failed("cpu_set_affinity", &e))?;
        }
        Ok(pool)
    }

    /// Returns the batch to which a read of `bytes` bytes is added; `None` if all batches are in use.
    pub(crate) fn room(&mut self, bytes: usize) -> Option<&mut ReadBatch> {
        if !self.current.reads.is_empty() && self.current.data.len() + bytes > BATCH && !self.send() {
            return None;
        }
        Some(&mut self.current)
    }

    /// Hands the current batch over, if there is an empty one in its place.
    fn send(&mut self) -> bool {
        let Some(spare) = self.spare.pop() else { return false };
        let mut batch = std::mem::replace(&mut self.current, spare);
        batch.number = self.sent;
        self.sent += 1;
        if let Some(jobs) = &self.jobs {
            // Without a receiver, `next` reports that the threads have ended.
            let _ = jobs.send(batch);
        }
        true
    }

    /// Hands the current batch over if no thread has anything to do.
    pub(crate) fn feed(&mut self) {
        if !self.current.reads.is_empty() && self.sent == self.returned {
            self.send();
        }
    }

    /// Returns the next checked batch in the order of the reads; `None` if it is not complete, or with `wait` if there is
    /// none left.
    ///
    /// # Errors
    /// A thread has ended.
    pub(crate) fn next(&mut self, wait: bool) -> Result<Option<ReadBatch>, JobError> {
        let ended = || failed_because("verify_async", &rustix::io::Errno::FAULT.into(), ErrorCause::Panicked);
        if wait {
            while !self.current.reads.is_empty() && self.sent == self.returned && self.send() {}
        }
        loop {
            if let Some(batch) = self.early.remove(&self.returned) {
                self.returned += 1;
                return Ok(Some(batch));
            }
            if self.sent == self.returned {
                return Ok(None);
            }
            let batch = match wait {
                true => self.checked.recv().map_err(|_| ended())?,
                false => match self.checked.try_recv() {
                    Ok(batch) => batch,
                    Err(TryRecvError::Empty) => return Ok(None),
                    Err(TryRecvError::Disconnected) => return Err(ended()),
                },
            };
            let batch = batch.map_err(|Ended| ended())?;
            self.early.insert(batch.number, batch);
        }
    }

    /// Returns whether reads are not judged yet.
    pub(crate) fn is_busy(&self) -> bool {
        !self.current.reads.is_empty() || self.sent > self.returned
    }

    /// Takes a batch back that was looked at.
    pub(crate) fn recycle(&mut self, mut batch: ReadBatch) {
        batch.clear();
        self.spare.push(batch);
    }
}

impl Drop for CheckerPool {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Moves the calling thread to these CPUs, unless there are none.
fn run_on(cpus: &[u32]) -> io::Result<()> {
    if cpus.is_empty() {
        return Ok(());
    }
    let mut set = rustix::thread::CpuSet::new();
    cpus.iter().for_each(|cpu| set.set(*cpu as usize));
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}
