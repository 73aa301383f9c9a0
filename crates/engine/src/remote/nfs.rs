//! NFS of versions 3 and 4 by libnfs (`nfs`): files below an exported directory, without the kernel's client, its page
//! cache and its attribute cache.

mod client;

pub use client::{NfsInfo, NfsTarget};

use super::reason::Reason;
use super::wait::{HANGUP, Silence, Waited, errno_text, socket_error, text_of, wait};
use super::{OPEN_LIMIT, RemoteError, Volume, peer};
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use client::{Answer, Client, RECONNECT_PAUSE, answered, errno_of, named};
use libc::{c_int, c_void};
use stats::server_fact::ServerFact;
use std::ptr::{NonNull, null_mut};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use sys::libnfs::{Context, File, Stat};

/// A file of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NfsFile {
    /// Path below the exported directory.
    pub name: String,
    /// Size in bytes to which a smaller file is extended if the job writes; 0 = none.
    pub size: u64,
}

/// How a job opens its files. Jobs that write also read, for example to verify.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NfsAccess {
    /// Whether files are opened for writing, too.
    pub write: bool,
    /// Whether missing files are created; only with `write`.
    pub create: bool,
    /// Whether each write is durable when it completes (O_SYNC).
    pub sync: bool,
}

/// Connects to the server and opens the files of a job.
fn open_all(
    target: &NfsTarget,
    files: &[NfsFile],
    access: NfsAccess,
) -> Result<(Client, Vec<*mut File>), RemoteError> {
    /// Workers extend files one after the other, or one could shorten what another one has just extended.
    static EXTENDING: Mutex<()> = Mutex::new(());
    let client = Client::open(target)?;
    let mut handles = Vec::with_capacity(files.len());
    let mut flags = if access.write { libc::O_RDWR } else { libc::O_RDONLY };
    flags |= if access.write && access.sync { libc::O_SYNC } else { 0 };
    for file in files {
        let create = access.write && access.create;
        let handle = match client.open_file(&file.name, flags) {
            Err(error) if create && error.errno() == libc::ENOENT => {
                match client.open_file(&file.name, flags | libc::O_CREAT) {
                    // Another worker created it meanwhile: version 4 has no other way to create a file.
                    Err(error) if error.errno() == libc::EEXIST => client.open_file(&file.name, flags),
                    opened => opened,
                }
            }
            opened => opened,
        }?;
        handles.push(handle);
        if access.write && file.size > 0 {
            let _alone = EXTENDING.lock().unwrap_or_else(PoisonError::into_inner);
            if client.size_of(handle).map_err(|e| named(e, &file.name))? < file.size {
                client.truncate(handle, file.size).map_err(|e| named(e, &file.name))?;
            }
        }
    }
    Ok((client, handles))
}

/// An operation in flight.
#[derive(Debug)]
struct Cell {
    flight: *mut Flight,
    /// Block of a read; null for other operations.
    into: *mut u8,
    room: u32,
    slot: u16,
    busy: bool,
}

/// Operations in flight, written by callbacks.
#[derive(Debug)]
struct Flight {
    cells: Box<[Cell]>,
    completed: Vec<Completion>,
    in_flight: usize,
    /// Error of the operation that failed last.
    failure: Option<(i32, String)>,
}

/// Completes an operation.
unsafe extern "C" fn completed(status: c_int, _: *mut Context, data: *mut c_void, private: *mut c_void) {
    let cell = private.cast::<Cell>();
    // SAFETY: `private` is the cell that `start` gave; cells live until the context is destroyed. While the library runs,
    // the engine has no reference to them. A cell that is not busy belongs to an operation that was given up.
    unsafe {
        if !(*cell).busy {
            return;
        }
        (*cell).busy = false;
        let flight = &mut *(*cell).flight;
        flight.in_flight -= 1;
        let mut res = status;
        if status < 0 {
            res = -errno_of(status);
            flight.failure = Some((-res, text_of(data.cast())));
        } else if !(*cell).into.is_null() {
            res = status.min((*cell).room as c_int);
            // The block belongs to the engine until the operation is reaped.
            std::ptr::copy_nonoverlapping(data.cast::<u8>(), (*cell).into, res as usize);
        }
        flight.completed.push(Completion { slot: (*cell).slot, res });
    }
}

/// Engine on files of an NFS server, with one connection. Trims fail with EOPNOTSUPP.
#[derive(Debug)]
pub struct Nfs {
    client: Client,
    clock: MachineClock,
    blocks: Blocks,
    files: Vec<*mut File>,
    writable: bool,
    queued: Vec<Op>,
    /// From a box; freed when the engine is dropped.
    flight: NonNull<Flight>,
    /// errno of all operations after the connection was lost.
    lost: Option<i32>,
    error: Option<RemoteError>,
    silence: Silence,
    reconnects: u64,
    /// Whether the connection was lost and no answer came since.
    reconnecting: bool,
    /// What the connection and the files are opened again by; files that are gone are not created.
    opened: (NfsTarget, Vec<NfsFile>, NfsAccess),
}

impl Nfs {
    /// Connects to the server and opens the files, for at most `depth` operations in flight. Files that are too small are
    /// extended, never shortened.
    ///
    /// # Errors
    /// The library is missing, the server refuses the mount, or a file cannot be opened.
    pub fn open(
        target: &NfsTarget,
        files: &[NfsFile],
        access: NfsAccess,
        blocks: Blocks,
        depth: usize,
    ) -> Result<Self, RemoteError> {
        let (client, handles) = open_all(target, files, access)?;
        let name = |file: &NfsFile| NfsFile { name: file.name.clone(), size: 0 };
        let names = files.iter().map(name).collect();
        let flight = Box::into_raw(Box::new(Flight {
            cells: Box::default(),
            completed: Vec::with_capacity(depth),
            in_flight: 0,
            failure: None,
        }));
        let cells =
            (0..depth).map(|slot| Cell { flight, into: null_mut(), room: 0, slot: slot as u16, busy: false });
        // SAFETY: from a box, and not used by anybody else yet.
        unsafe { (*flight).cells = cells.collect() };
        Ok(Self {
            client,
            clock: MachineClock::best(),
            blocks,
            files: handles,
            writable: access.write,
            queued: Vec::with_capacity(depth),
            // SAFETY: a box is not null.
            flight: unsafe { NonNull::new_unchecked(flight) },
            lost: None,
            error: None,
            silence: Silence::new(target.timeout),
            reconnects: 0,
            reconnecting: false,
            opened: (target.clone(), names, NfsAccess { create: false, ..access }),
        })
    }

    /// Returns how often a connection was lost and made again: because the URL's argument `autoreconnect` allows it, or
    /// because the server has closed the connection while it was not used.
    pub fn reconnects(&self) -> u64 {
        self.reconnects
    }

    fn flight(&mut self) -> &mut Flight {
        // SAFETY: the box lives as long as the engine; callbacks, which use it too, run only in calls of the library, for
        // which no reference is kept.
        unsafe { self.flight.as_mut() }
    }

    fn start(&mut self, o: &Op) {
        if let Some(errno) = self.lost {
            return self.answer(o.slot, -errno);
        }
        match o.kind {
            Kind::Trim => return self.answer(o.slot, -libc::EOPNOTSUPP),
            Kind::SyncRange if o.range().2 == 0 => return self.answer(o.slot, 0),
            // Version 3 has no open files: the server would take the write.
            Kind::Write if !self.writable => return self.answer(o.slot, -libc::EBADF),
            _ => {}
        }
        if self.flight().in_flight == 0 && self.silence.begin() {
            self.examine();
            if let Some(errno) = self.lost {
                return self.answer(o.slot, -errno);
            }
        }
        let (file, slot) = (self.files[o.file as usize], usize::from(o.slot));
        let (at, bytes) = (o.offset + u64::from(o.done), o.len - o.done);
        let block = self.blocks.rest(o);
        let (library, context) = (self.client.library, self.client.context);
        let flight = self.flight();
        let cell = &mut flight.cells[slot];
        cell.busy = true;
        cell.room = bytes;
        cell.into = if o.kind == Kind::Read { block } else { null_mut() };
        let private = (&raw mut *cell).cast::<c_void>();
        flight.in_flight += 1;
        // SAFETY: context and file are alive. The cell and the block live until the context is destroyed, and the block
        // belongs to the operation until it is reaped; it holds `bytes` bytes.
        let status = unsafe {
            match o.kind {
                Kind::Read => (library.pread)(context, file, at, bytes.into(), completed, private),
                Kind::Write => {
                    (library.pwrite)(context, file, at, bytes.into(), block.cast(), completed, private)
                }
                _ => (library.fsync)(context, file, completed, private),
            }
        };
        if status != 0 {
            self.not_started(o);
        }
    }

    #[cold]
    fn not_started(&mut self, o: &Op) {
        let text = self.client.text();
        let flight = self.flight();
        let cell = &mut flight.cells[usize::from(o.slot)];
        if std::mem::take(&mut cell.busy) {
            flight.in_flight -= 1;
            flight.completed.push(Completion { slot: o.slot, res: -libc::EIO });
        }
        flight.failure = Some((libc::EIO, text));
        self.keep_failure();
    }

    /// Connects again if the server has closed the connection while it was not used: only the next operation takes longer.
    #[cold]
    fn examine(&mut self) {
        let mut sockets = [self.client.socket()];
        wait(&mut sockets, Duration::ZERO);
        if sockets[0].revents & HANGUP == 0 || self.client.reconnecting {
            return;
        }
        let (target, names, access) = &self.opened;
        match open_all(target, names, *access) {
            Ok((client, files)) => {
                // The old client ends here; the memory of its open files is lost.
                (self.client, self.files) = (client, files);
                self.reconnects += 1;
            }
            Err(error) => {
                let from = self.flight().completed.len();
                self.lose(libc::ENOTCONN, from, "");
                self.error = Some(error);
            }
        }
    }

    fn answer(&mut self, slot: u16, res: i32) {
        self.flight().completed.push(Completion { slot, res });
    }

    /// Keeps the error of the operation that failed last.
    fn keep_failure(&mut self) {
        let Some((errno, mut text)) = self.flight().failure.take() else { return };
        if self.client.info.version == 4 && text.contains("encode") {
            text = Reason::LargeWrite(text).to_string();
        }
        self.error = Some(self.client.refused("nfs", errno, &text));
    }

    /// Gives the connection up: all operations in flight fail.
    #[cold]
    fn lose(&mut self, errno: i32, from: usize, text: &str) {
        self.error = Some(self.client.refused("nfs_service", errno, text));
        self.lost = Some(errno);
        let flight = self.flight();
        flight.failure = None;
        // The library gives other errors to the operations that it failed itself.
        for failed in flight.completed[from..].iter_mut().filter(|completion| completion.res < 0) {
            failed.res = -errno;
        }
        for cell in &mut flight.cells {
            if std::mem::take(&mut cell.busy) {
                flight.completed.push(Completion { slot: cell.slot, res: -errno });
            }
        }
        flight.in_flight = 0;
        // The memory of open files is lost: they cannot be closed without a connection.
        self.files.fill(null_mut());
        self.client.destroy();
    }

    #[cold]
    fn silent(&mut self) {
        let text = Reason::Silent(self.silence.limit()).to_string();
        let from = self.flight().completed.len();
        self.lose(libc::ETIMEDOUT, from, &text);
    }

    /// Lets the library receive and send what the socket is ready for.
    fn service(&mut self, socket: &libc::pollfd) {
        let events = socket.revents;
        let broken = socket_error(socket);
        let from = self.flight().completed.len();
        let alive = self.client.service(events);
        let hangup = events & HANGUP != 0;
        let progress = self.flight().completed.len() > from;
        if !alive || hangup && !progress && !self.client.reconnecting {
            let text = broken.map_or_else(|| self.client.text(), errno_text);
            return self.lose(libc::ENOTCONN, from, &Reason::Lost(text).to_string());
        }
        if hangup && !progress {
            // The library connects again at once, and would try it without a pause if the server is gone.
            self.reconnecting = true;
            std::thread::sleep(RECONNECT_PAUSE);
        } else if progress && std::mem::take(&mut self.reconnecting) {
            self.reconnects += 1;
        }
        if self.flight().failure.is_some() {
            self.keep_failure();
        }
    }

    /// Waits for the socket at most for `limit`, and services it. Returns false if nothing happened.
    fn progress(&mut self, limit: Duration) -> bool {
        let (left, mut sockets) = (self.silence.remaining(), [self.client.socket()]);
        match wait(&mut sockets, limit.min(left)) {
            Waited::Ready => {
                let events = sockets[0].revents;
                if events & libc::POLLIN != 0 && events & HANGUP == 0 {
                    self.silence.end();
                }
                self.service(&sockets[0]);
                if self.reconnecting && self.lost.is_none() && self.silence.remaining().is_zero() {
                    self.silent();
                }
                true
            }
            Waited::TimedOut if left <= limit => {
                self.silent();
                true
            }
            _ => false,
        }
    }

    fn hand_out(&mut self, out: &mut [Completion]) -> usize {
        crate::hand_out(&mut self.flight().completed, out)
    }
}

impl Engine for Nfs {
    type Clock = MachineClock;
    const SYNC: bool = false;
    const TRIMS_IN_CALL: bool = false;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn queue(&mut self, ops: &[Op]) {
        self.queued.extend_from_slice(ops);
    }

    fn submit(&mut self) -> Result<(), RingDead> {
        for at in 0..self.queued.len() {
            let o = self.queued[at];
            self.start(&o);
        }
        self.queued.clear();
        // The library queues requests; they are sent now, not at the next wait.
        if self.lost.is_none() {
            let socket = self.client.socket();
            if socket.events & libc::POLLOUT != 0 {
                self.service(&libc::pollfd { revents: libc::POLLOUT, ..socket });
            }
        }
        Ok(())
    }

    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let mut n = self.hand_out(out);
        let min = min.min(out.len());
        if min == 0 && n == 0 && self.flight().in_flight > 0 {
            self.progress(Duration::ZERO);
            n = self.hand_out(out);
        }
        while n < min && self.flight().in_flight > 0 {
            // A signal ends the wait.
            if !self.progress(Duration::MAX) {
                break;
            }
            n += self.hand_out(&mut out[n..]);
        }
        Ok(n)
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.hand_out(out);
        if n > 0 || self.flight().in_flight == 0 {
            return Ok(n);
        }
        self.progress(Duration::from_nanos(nanos));
        Ok(self.hand_out(out))
    }

    fn remote_error(&self) -> Option<&RemoteError> {
        self.error.as_ref()
    }
}

impl Drop for Nfs {
    fn drop(&mut self) {
        // Files are closed only if nothing is in flight on them.
        if self.lost.is_none() && self.flight().in_flight == 0 {
            for file in std::mem::take(&mut self.files) {
                self.client.close(file);
            }
        }
        for cell in &mut self.flight().cells {
            cell.busy = false;
        }
        self.client.destroy();
        // SAFETY: from a box; the context is destroyed, so that no callback comes any more.
        drop(unsafe { Box::from_raw(self.flight.as_ptr()) });
    }
}

/// Connection to a file of an NFS server outside a run.
#[derive(Debug)]
pub struct NfsVolume {
    client: Client,
    name: String,
    file: Option<*mut File>,
    size: Option<u64>,
}

impl NfsVolume {
    /// Connects to the server and opens the file for reading, if it exists.
    ///
    /// # Errors
    /// The library is missing, or the server refuses the mount or the file.
    pub fn open(target: &NfsTarget, name: &str) -> Result<Self, RemoteError> {
        let client = Client::open(target)?;
        let mut volume = Self { client, name: name.into(), file: None, size: None };
        match volume.client.open_file(name, libc::O_RDONLY) {
            Ok(file) => {
                volume.file = Some(file);
                volume.size = Some(volume.client.size_of(file)?);
            }
            Err(error) if error.errno() == libc::ENOENT => {}
            Err(error) => return Err(error),
        }
        Ok(volume)
    }

    /// Returns what is known of the server.
    pub fn info(&self) -> &NfsInfo {
        &self.client.info
    }

    /// Creates the file, which must not exist, with this size.
    ///
    /// # Errors
    /// EEXIST if the file exists, or another error of the server.
    pub fn create(&mut self, size: u64) -> Result<(), RemoteError> {
        let path = self.client.path(&self.name)?;
        let mut stat = Stat::default();
        let answer = Answer { into: (&raw mut stat).cast(), room: size_of::<Stat>(), ..Answer::new() };
        let found = self.client.call("nfs_stat64", OPEN_LIMIT, answer, |library, context, private| {
            // SAFETY: context and path are alive; `private` is the answer.
            unsafe { (library.stat)(context, path.as_ptr(), answered, private) }
        });
        match found {
            Ok(_) => {
                return Err(named(
                    self.client.refused("nfs_open", libc::EEXIST, &Reason::Exists.to_string()),
                    &self.name,
                ));
            }
            Err(error) if error.errno() == libc::ENOENT => {}
            Err(error) => return Err(error),
        }
        let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;
        let file = self.client.open_file(&self.name, flags)?;
        self.file = Some(file);
        self.client.truncate(file, size).map_err(|error| named(error, &self.name))?;
        self.size = Some(size);
        Ok(())
    }

    /// Removes the file.
    ///
    /// # Errors
    /// The server's error.
    pub fn remove(&mut self) -> Result<(), RemoteError> {
        let path = self.client.path(&self.name)?;
        if let Some(file) = self.file.take() {
            self.client.close(file);
        }
        self.size = None;
        let removed =
            self.client.call("nfs_unlink", OPEN_LIMIT, Answer::new(), |library, context, private| {
                // SAFETY: context and path are alive; `private` is the answer.
                unsafe { (library.unlink)(context, path.as_ptr(), answered, private) }
            });
        removed.map(drop).map_err(|error| named(error, &self.name))
    }
}

impl Volume for NfsVolume {
    fn size(&self) -> Option<u64> {
        self.size
    }

    fn layers(&self) -> Vec<String> {
        let NfsInfo { server, export, version, .. } = self.info();
        // As the kernel names the types of its mounts.
        let kind = if *version == 3 { "nfs" } else { "nfs4" };
        vec![format!("{kind} (libnfs)"), format!("{server}:{export}")]
    }

    fn server_facts(&mut self, _: bool) -> Vec<ServerFact> {
        let NfsInfo { server, export, version, read_max, write_max } = self.info();
        vec![ServerFact::Nfs {
            version: version.to_string(),
            export: format!("{server}:{export}"),
            read_bytes: *read_max,
            write_bytes: *write_max,
        }]
    }

    fn servers(&mut self) -> Vec<String> {
        peer(self.client.socket().fd)
    }

    fn library(&self) -> &'static str {
        "libnfs"
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let Some(file) = self.file else { return Ok(0) };
        let mut done = 0;
        while done < into.len() {
            let rest = &mut into[done..];
            let (at, bytes) = (offset + done as u64, rest.len() as u64);
            let answer = Answer { into: rest.as_mut_ptr(), room: rest.len(), counted: true, ..Answer::new() };
            let answer = self.client.call("nfs_pread", OPEN_LIMIT, answer, |library, context, private| {
                // SAFETY: context and file are alive; `private` is the answer.
                unsafe { (library.pread)(context, file, at, bytes, answered, private) }
            });
            match answer.map_err(|error| named(error, &self.name))?.status {
                0 => break,
                bytes => done += bytes as usize,
            }
        }
        Ok(done)
    }
}

impl Drop for NfsVolume {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            self.client.close(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_of_a_file_is_split_into_directory_and_name() {
        let limit = Duration::from_secs(1);
        let split = |url| NfsTarget::of_file(url, limit).map(|(target, name)| (target.url, name));
        let both = |url: &str, name: &str| Some((url.to_string(), name.to_string()));
        assert_eq!(split("nfs://host/a/b/c"), both("nfs://host/a/b", "c"));
        assert_eq!(split("nfs://host/a/c?version=3&x=/"), both("nfs://host/a?version=3&x=/", "c"));
        for wrong in ["nfs://host/c", "nfs:///a/c", "nfs://host/a/", "host/a/c", "http://host/a/c"] {
            assert_eq!(split(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn arguments_of_the_url_are_read() {
        let target = |url: &str| NfsTarget { url: url.into(), timeout: Duration::from_secs(1) };
        assert_eq!(target("nfs://h/e?version=4&autoreconnect=0").argument("autoreconnect"), Some("0"));
        assert_eq!(target("nfs://h/e").argument("version"), None);
    }
}
