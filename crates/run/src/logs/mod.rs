//! Logs over time. A worker fills buffers with records, and one thread formats them and writes the files while the
//! jobs run. Memory is bounded: a worker whose buffers are all full waits for the writer, so that no record is lost.

pub(crate) mod records;
pub(crate) mod windows;
mod writer;

use crate::output::{self, OutputError};
use job::job::LogSpec;
use job::plan::Plan;
use records::Chunk;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Instant;
use writer::{Files, Message};

/// Buffers of a worker: one that it fills, and others that are with the writer.
const CHUNKS: usize = 4;

/// The logs of a run and the thread that writes them.
pub(crate) struct RunLogs {
    links: Arc<[Option<LogLink>]>,
    sender: SyncSender<Message>,
    writer: JoinHandle<Vec<LogFailure>>,
}

/// A log that could not be written completely.
#[derive(Clone, Debug)]
pub(crate) struct LogFailure {
    pub(crate) path: PathBuf,
    /// Indices of the clones whose log it is.
    pub(crate) clones: Vec<usize>,
    /// errno of the failed write, positive.
    pub(crate) errno: i32,
}

/// Link of a clone to the writer of its logs.
#[derive(Debug)]
pub struct LogLink {
    clone: usize,
    sender: SyncSender<Message>,
}

impl RunLogs {
    /// Creates the logs of all jobs and starts their writer; `None` if no job writes a log.
    ///
    /// # Errors
    /// A log cannot be created, or must not be overwritten.
    pub(crate) fn open(plan: &Plan) -> Result<Option<Self>, OutputError> {
        let spec = |clone: usize| &plan.jobs[plan.clones[clone].job].logs;
        if !plan.jobs.iter().any(|job| job.logs.any()) {
            return Ok(None);
        }
        let mut files = Files::default();
        for clone in 0..plan.clones.len() {
            for (file, path) in spec(clone).files(clone + 1) {
                files.open(clone, &plan.jobs[plan.clones[clone].job], file, path)?;
            }
        }
        let logging = |clone: &usize| spec(*clone).has_rows();
        let clones: Vec<usize> = (0..plan.clones.len()).filter(logging).collect();
        // Room for every buffer and every beginning, so that no worker waits for the channel.
        let (sender, receiver) = sync_channel((CHUNKS + 1) * clones.len() + 1);
        let links = (0..plan.clones.len())
            .map(|clone| logging(&clone).then(|| LogLink { clone, sender: sender.clone() }))
            .collect();
        let mut cpus: Vec<u32> = plan.jobs.iter().flat_map(|job| &job.logs.cpus).copied().collect();
        cpus.sort_unstable();
        cpus.dedup();
        let body = move || writer::run(files, &receiver, &cpus);
        match std::thread::Builder::new().name("log writer".into()).spawn(body) {
            Ok(writer) => Ok(Some(Self { links, sender, writer })),
            Err(e) => Err(output::failed(Path::new("log writer"), &e)),
        }
    }

    /// Returns the links of all clones; `None` for a clone whose logs have no rows.
    pub(crate) fn links(&self) -> Arc<[Option<LogLink>]> {
        self.links.clone()
    }

    /// Waits until everything is written, and returns the logs that are not complete. Workers that have not ended may
    /// still send buffers, which are lost.
    pub(crate) fn finish(self) -> Vec<LogFailure> {
        let _ = self.sender.send(Message::End);
        self.writer.join().unwrap_or_default()
    }
}

/// The buffers of a worker.
#[derive(Debug)]
pub(crate) struct JobLog {
    clone: usize,
    sender: SyncSender<Message>,
    free: Receiver<Box<Chunk>>,
    pub(crate) chunk: Box<Chunk>,
    /// Number of times that the worker waited for the writer.
    pub(crate) waits: u64,
    /// Time of these waits in nanoseconds.
    pub(crate) waited: u64,
}

impl JobLog {
    /// Allocates the buffers of a worker.
    pub(crate) fn new(link: &LogLink, spec: &LogSpec) -> Self {
        let (give, free) = sync_channel(CHUNKS);
        for _ in 1..CHUNKS {
            let _ = give.try_send(Box::new(Chunk::new(spec)));
        }
        let _ = link.sender.send(Message::Begin { clone: link.clone, give });
        let chunk = Box::new(Chunk::new(spec));
        Self { clone: link.clone, sender: link.sender.clone(), free, chunk, waits: 0, waited: 0 }
    }

    /// Hands the filled buffer to the writer and continues with an empty one; waits for it if necessary.
    #[cold]
    #[inline(never)]
    pub(crate) fn hand_over(&mut self) {
        if self.chunk.is_empty() {
            return;
        }
        let next = self.free.try_recv().or_else(|_| {
            let began = Instant::now();
            let next = self.free.recv();
            self.waits += 1;
            self.waited += began.elapsed().as_nanos() as u64;
            next
        });
        // The writer has ended only if it no longer waits for this worker.
        match next {
            Ok(next) => self.send(next),
            Err(_) => self.chunk.clear(),
        }
    }

    /// Hands the buffer over if it has records and another one is free now.
    pub(crate) fn hand_over_if_free(&mut self) {
        if !self.chunk.is_empty()
            && let Ok(next) = self.free.try_recv()
        {
            self.send(next);
        }
    }

    fn send(&mut self, next: Box<Chunk>) {
        let (epoch, scale, base) = (self.chunk.epoch, self.chunk.scale, self.chunk.base);
        let full = std::mem::replace(&mut self.chunk, next);
        (self.chunk.epoch, self.chunk.scale, self.chunk.base) = (epoch, scale, base);
        let _ = self.sender.send(Message::Chunk(self.clone, full));
    }
}
