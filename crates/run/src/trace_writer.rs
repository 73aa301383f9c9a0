//! Writer of a trace in fio's text format, version 3: a thread formats and writes the records, which it gets in chunks of
//! fixed size. If the thread is slower than the job, the job waits for it, as memory is bounded.

use crate::output::{self, OutputError};
use rustix::fs::OFlags;
use rustix::io::Errno;
use stats::output_fault::OutputFault;
use std::fs::File;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Number of records per chunk.
const CHUNK: usize = 4096;
/// Number of chunks that exist.
const CHUNKS: usize = 8;

/// Action of a written record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Add,
    Open,
    Close,
    Read,
    Write,
    Trim,
    Sync,
    Datasync,
}

/// Record to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Time since the start of the job in nanoseconds.
    pub(crate) nanos: u64,
    pub(crate) offset: u64,
    pub(crate) length: u32,
    pub(crate) file: u32,
    pub(crate) action: Written,
}

/// Writer of one clone's trace.
pub(crate) struct TraceWriter {
    chunk: Vec<Entry>,
    /// Chunks to write; `None` when the writer has ended.
    full: Option<SyncSender<Vec<Entry>>>,
    empty: Receiver<Vec<Entry>>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl TraceWriter {
    /// Opens the file `path`, to which the trace is appended, and starts the thread. `files` are the names of the files
    /// in the trace.
    ///
    /// # Errors
    /// errno of the file that cannot be opened, or of the thread.
    pub(crate) fn new(path: &Path, files: Vec<PathBuf>) -> Result<Self, i32> {
        let file = append(path).map_err(|e| match e.into_fault() {
            OutputFault::System { errno } => errno,
            // The file was refused: it is not one that an output may be written to.
            _ => Errno::PERM.raw_os_error(),
        })?;
        let (full, to_write) = sync_channel(CHUNKS);
        let (written, empty) = sync_channel(CHUNKS);
        for _ in 1..CHUNKS {
            let _ = written.send(Vec::with_capacity(CHUNK));
        }
        let thread = std::thread::Builder::new()
            .name("trace".into())
            .spawn(move || write_all(file, &files, &to_write, &written))
            .map_err(|e| e.raw_os_error().unwrap_or(0))?;
        Ok(Self { chunk: Vec::with_capacity(CHUNK), full: Some(full), empty, thread: Some(thread) })
    }

    /// Adds a record.
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: Entry) {
        self.chunk.push(entry);
        if self.chunk.len() == CHUNK {
            self.pass_on();
        }
    }

    #[cold]
    #[inline(never)]
    fn pass_on(&mut self) {
        // A thread that ended after an error takes no chunk and returns none.
        let next = self.empty.recv().ok();
        let full = std::mem::replace(&mut self.chunk, next.unwrap_or_else(|| Vec::with_capacity(CHUNK)));
        self.chunk.clear();
        if let Some(to) = &self.full {
            let _ = to.send(full);
        }
    }

    /// Writes the last records and ends the thread.
    ///
    /// # Errors
    /// errno of the write that failed.
    pub(crate) fn finish(&mut self) -> Result<(), i32> {
        let last = std::mem::take(&mut self.chunk);
        if let Some(full) = self.full.take() {
            let _ = full.send(last);
        }
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(Err(e))) => Err(e.raw_os_error().unwrap_or(0)),
            _ => Ok(()),
        }
    }
}

impl Drop for TraceWriter {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

/// Opens `path` for appending, with the checks of every other output.
fn append(path: &Path) -> Result<File, OutputError> {
    let file = output::open_kept(path)?;
    if let Ok(flags) = rustix::fs::fcntl_getfl(&file) {
        let _ = rustix::fs::fcntl_setfl(&file, flags | OFlags::APPEND);
    }
    Ok(file)
}

/// Writes chunks until the sender is gone, each with one call, so that the lines of several clones do not mix.
fn write_all(
    mut file: File,
    names: &[PathBuf],
    full: &Receiver<Vec<Entry>>,
    empty: &SyncSender<Vec<Entry>>,
) -> std::io::Result<()> {
    let mut text = b"fio version 3 iolog\n".to_vec();
    for mut chunk in full {
        for entry in &chunk {
            line(&mut text, entry, names)?;
        }
        file.write_all(&text)?;
        text.clear();
        chunk.clear();
        // The job may have ended.
        let _ = empty.try_send(chunk);
    }
    file.write_all(&text)
}

fn line(text: &mut Vec<u8>, entry: &Entry, names: &[PathBuf]) -> std::io::Result<()> {
    write!(text, "{} ", entry.nanos / 1000)?;
    text.extend_from_slice(names.get(entry.file as usize).map_or(b"-", |name| name.as_os_str().as_bytes()));
    let action = match entry.action {
        Written::Add => "add",
        Written::Open => "open",
        Written::Close => "close",
        Written::Read => "read",
        Written::Write => "write",
        Written::Trim => "trim",
        Written::Sync => "sync",
        Written::Datasync => "datasync",
    };
    match entry.action {
        Written::Add | Written::Open | Written::Close => writeln!(text, " {action}"),
        _ => writeln!(text, " {action} {} {}", entry.offset, entry.length),
    }
}
