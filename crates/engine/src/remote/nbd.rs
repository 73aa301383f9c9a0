//! `nbd`: network block devices by libnbd. The worker's own thread drives the connection.

use super::reason::Reason;
use super::wait::{HANGUP, Waited, errno_text, text_of, wait};
use super::{OPEN_LIMIT, RemoteError, Volume, peer};
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use libc::{c_int, c_void};
use stats::server_fact::ServerFact;
use std::ffi::{CStr, CString};
use std::os::fd::RawFd;
use std::time::{Duration, Instant};
use sys::libnbd::{CompletionCallback, DIRECTION_READ, DIRECTION_WRITE, Handle, Libnbd};

/// Debian's package of libnbd.
const PACKAGE: &str = "libnbd0";

/// Map of allocated ranges.
const ALLOCATION: &CStr = c"base:allocation";
/// Bytes of which one command reads the map.
const STATUS_BYTES: u64 = 1 << 30;
/// Time after which no more of a map is read.
const MAP_LIMIT: Duration = Duration::from_secs(1);

/// Time of a wait without a limit; a server that does not answer is reported by the run.
const WITHOUT_LIMIT: Duration = Duration::from_secs(86_400);

/// Completions that the callbacks of the library leave, and the cells of the commands in flight. The callbacks have
/// addresses in it, so that it lies in a box of its own, which only raw pointers refer to.
#[derive(Debug)]
struct Cells {
    done: Vec<Completion>,
    /// Result of each slot's command without error: bytes transferred.
    results: Box<[Cell]>,
}

/// Argument of the callback of a command.
#[derive(Clone, Copy, Debug)]
struct Cell {
    owner: *mut Cells,
    result: i32,
    slot: u16,
}

/// A connection to an export.
#[derive(Debug)]
struct Connection {
    library: &'static Libnbd,
    handle: Handle,
    fd: RawFd,
    uri: String,
    cells: *mut Cells,
}

// SAFETY: the handle and the cells belong to the connection alone, and a connection is used by one thread at a time;
// libnbd has no requirements on the thread.
unsafe impl Send for Connection {}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: the handle is open and not used any more. libnbd calls no callback and touches no buffer after
        // nbd_close, so that the cells can be freed then; they came from Box::into_raw.
        unsafe {
            (self.library.close)(self.handle);
            drop(Box::from_raw(self.cells));
        }
    }
}

/// Called by libnbd when a command has completed, within a call of [`Connection`].
///
/// # Safety
/// `cell` is a [`Cell`] whose owner is alive; `error` is valid.
unsafe extern "C" fn completed(cell: *mut c_void, error: *mut c_int) -> c_int {
    // SAFETY: as promised; no reference to the cells exists while a call of the library runs.
    unsafe {
        let Cell { owner, result, slot } = *cell.cast::<Cell>();
        let res = if *error == 0 { result } else { -*error };
        (*owner).done.push(Completion { slot, res });
    }
    1
}

impl Connection {
    fn open(uri: &str, depth: usize) -> Result<Connection, RemoteError> {
        let library =
            Libnbd::load().map_err(|missing| RemoteError::NoLibrary { missing, package: PACKAGE })?;
        let refused =
            |call, errno, text: &str| RemoteError::Refused { call, errno, text: format!("{uri}: {text}") };
        let name = CString::new(uri).map_err(|_| refused("nbd_connect_uri", libc::EINVAL, "a null byte"))?;
        // SAFETY: the functions have the types of libnbd's header. The cells outlive the handle (see Drop).
        unsafe {
            let handle = (library.create)();
            if handle.is_null() {
                return Err(error_of(library, "nbd_create", uri));
            }
            let none = Cell { owner: std::ptr::null_mut(), result: 0, slot: 0 };
            let cells = Cells { done: Vec::with_capacity(depth), results: vec![none; depth].into() };
            let cells = Box::into_raw(Box::new(cells));
            let own: &mut Cells = &mut *cells;
            for (slot, cell) in own.results.iter_mut().enumerate() {
                (cell.owner, cell.slot) = (cells, slot as u16);
            }
            let mut connection = Connection { library, handle, fd: -1, uri: uri.into(), cells };
            if let Some(set) = library.set_pread_initialize {
                // The arena is initialised: clearing each block before each read is not needed.
                set(handle, false);
            }
            if let Some(add) = library.add_meta_context {
                // Servers without maps of allocated ranges ignore it.
                add(handle, ALLOCATION.as_ptr());
            }
            if let Some(allow) = library.set_uri_allow_local_file {
                // The user typed the URI, with its file of keys.
                allow(handle, true);
            }
            if (library.aio_connect_uri)(handle, name.as_ptr()) < 0 {
                return Err(connection.error("nbd_connect_uri"));
            }
            let begin = Instant::now();
            while (library.aio_is_ready)(handle) == 0 {
                if connection.is_lost() {
                    return Err(connection.error("nbd_connect_uri"));
                }
                let Some(left) = OPEN_LIMIT.checked_sub(begin.elapsed()) else {
                    let text = Reason::Silent(OPEN_LIMIT).to_string();
                    return Err(refused("nbd_connect_uri", libc::ETIMEDOUT, &text));
                };
                connection.fd = (library.aio_get_fd)(handle);
                if connection.turn(Some(left.min(Duration::from_millis(100)))).is_err() {
                    return Err(connection.error("nbd_connect_uri"));
                }
            }
            connection.fd = (library.aio_get_fd)(handle);
            Ok(connection)
        }
    }

    /// Returns the last error of libnbd on this thread.
    fn error(&self, call: &'static str) -> RemoteError {
        error_of(self.library, call, &self.uri)
    }

    fn is_lost(&self) -> bool {
        // SAFETY: the handle is open.
        unsafe {
            (self.library.aio_is_dead)(self.handle) != 0 || (self.library.aio_is_closed)(self.handle) != 0
        }
    }

    fn size(&self) -> Result<u64, RemoteError> {
        // SAFETY: the handle is open.
        let size = unsafe { (self.library.get_size)(self.handle) };
        u64::try_from(size).map_err(|_| self.error("nbd_get_size"))
    }

    /// Waits until the connection can go on, at most for `limit`, and lets it go on; returns false if it could not, or a
    /// signal interrupted the wait.
    ///
    /// # Errors
    /// The connection is lost; every command in flight has completed with an error.
    fn turn(&mut self, limit: Option<Duration>) -> Result<bool, ()> {
        // SAFETY: the handle is open; callbacks use the cells only while no
        // reference to them exists.
        unsafe {
            let direction = (self.library.aio_get_direction)(self.handle);
            let bit = |flag, event| if direction & flag != 0 { event } else { 0 };
            let events = bit(DIRECTION_READ, libc::POLLIN) | bit(DIRECTION_WRITE, libc::POLLOUT);
            let mut polled = [libc::pollfd { fd: self.fd, events, revents: 0 }];
            if wait(&mut polled, limit.unwrap_or(WITHOUT_LIMIT)) != Waited::Ready {
                return Ok(false);
            }
            // After an end or an error of the connection, the read finds it.
            let status =
                if polled[0].revents & (libc::POLLIN | HANGUP) != 0 && direction & DIRECTION_READ != 0 {
                    (self.library.aio_notify_read)(self.handle)
                } else {
                    (self.library.aio_notify_write)(self.handle)
                };
            if status < 0 || self.is_lost() { Err(()) } else { Ok(true) }
        }
    }

    /// Starts the command of an operation with this buffer.
    ///
    /// # Errors
    /// The command was not started.
    ///
    /// # Safety
    /// `block` is valid for the bytes of the operation that are left, and belongs to it until it has completed.
    unsafe fn start(&mut self, op: &Op, block: *mut u8) -> Result<(), RemoteError> {
        let (left, offset) = (op.len - op.done, op.offset + u64::from(op.done));
        let (library, handle, len) = (self.library, self.handle, left as usize);
        // SAFETY: the cells live as long as the handle; slots are below the depth, for which there are cells.
        unsafe {
            let own: &mut Cells = &mut *self.cells;
            let cell = own.results.as_mut_ptr().add(usize::from(op.slot));
            (*cell).result =
                if matches!(op.kind, Kind::Read | Kind::Write | Kind::Trim) { left as i32 } else { 0 };
            let done = CompletionCallback { callback: Some(completed), user_data: cell.cast(), free: None };
            let (call, cookie) = match op.kind {
                Kind::Read => {
                    ("nbd_aio_pread", (library.aio_pread)(handle, block.cast(), len, offset, done, 0))
                }
                Kind::Write => {
                    ("nbd_aio_pwrite", (library.aio_pwrite)(handle, block.cast(), len, offset, done, 0))
                }
                Kind::Trim => ("nbd_aio_trim", (library.aio_trim)(handle, len as u64, offset, done, 0)),
                Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => {
                    ("nbd_aio_flush", (library.aio_flush)(handle, done, 0))
                }
            };
            if cookie < 0 { Err(self.error(call)) } else { Ok(()) }
        }
    }
}

impl Connection {
    /// Starts a command by `start`, with the argument of its callback, and waits for it.
    ///
    /// # Errors
    /// The command was not started or failed, or no answer came in time.
    fn command(
        &mut self,
        call: &'static str,
        start: impl FnOnce(*mut c_void) -> i64,
    ) -> Result<(), RemoteError> {
        // SAFETY: no call of the library runs, so that no callback uses the cells; there is a cell for slot 0.
        let cell = unsafe {
            let own: &mut Cells = &mut *self.cells;
            own.results[0].result = 0;
            own.results.as_mut_ptr().cast()
        };
        if start(cell) < 0 {
            return Err(self.error(call));
        }
        match self.completion(call)? {
            0.. => Ok(()),
            res => {
                let text = format!("{}: {}", self.uri, errno_text(-res));
                Err(RemoteError::Refused { call, errno: -res, text })
            }
        }
    }

    /// Waits for the completion of the only command in flight, and returns its result.
    ///
    /// # Errors
    /// No answer came in time: the command may still use its memory.
    fn completion(&mut self, call: &'static str) -> Result<i32, RemoteError> {
        let begin = Instant::now();
        // SAFETY: no call of the library runs while the cells are read.
        let completed = |cells: *mut Cells| unsafe {
            let own: &mut Cells = &mut *cells;
            own.done.pop()
        };
        loop {
            if let Some(done) = completed(self.cells) {
                return Ok(done.res);
            }
            let left = OPEN_LIMIT.saturating_sub(begin.elapsed());
            if left.is_zero() {
                let text = format!("{}: {}", self.uri, Reason::Silent(OPEN_LIMIT));
                return Err(RemoteError::Refused { call, errno: libc::ETIMEDOUT, text });
            }
            // A lost connection completes the command with an error.
            let _ = self.turn(Some(left));
        }
    }
}

/// Map of the ranges of an export that have storage, as far as it was read.
#[derive(Debug)]
struct Extents {
    /// End of the map in bytes.
    end: u64,
    /// Bytes with storage.
    allocated: u64,
}

/// Adds a part of the map.
///
/// # Safety
/// `map` is an [`Extents`] that nothing else uses; `entries` has `n` numbers.
unsafe extern "C" fn extents(
    map: *mut c_void,
    _: *const libc::c_char,
    offset: u64,
    entries: *mut u32,
    n: libc::size_t,
    _: *mut c_int,
) -> c_int {
    /// Flag of a range without storage (NBD_STATE_HOLE).
    const HOLE: u32 = 1;
    // SAFETY: as promised.
    let (map, entries) = unsafe { (&mut *map.cast::<Extents>(), std::slice::from_raw_parts(entries, n)) };
    map.end = map.end.max(offset);
    // Pairs of length and flags.
    for pair in entries.chunks_exact(2) {
        map.end += u64::from(pair[0]);
        map.allocated += if pair[1] & HOLE == 0 { u64::from(pair[0]) } else { 0 };
    }
    0
}

/// Returns the last error of libnbd on this thread.
fn error_of(library: &Libnbd, call: &'static str, uri: &str) -> RemoteError {
    // SAFETY: libnbd returns a null-terminated text that lives until the next call on this thread, or null.
    let (errno, text) = unsafe {
        let text = text_of((library.get_error)());
        ((library.get_errno)(), text)
    };
    RemoteError::Refused {
        call,
        errno: if errno > 0 { errno } else { libc::EIO },
        text: format!("{uri}: {text}"),
    }
}

/// Engine on one connection.
#[derive(Debug)]
pub struct Nbd {
    // Dropped first: libnbd uses no block of the arena after its handle is closed.
    connection: Connection,
    clock: MachineClock,
    blocks: Blocks,
    queued: Vec<Op>,
    in_flight: usize,
    lost: bool,
    can_trim: bool,
    can_flush: bool,
    error: Option<RemoteError>,
}

impl Nbd {
    /// Connects to the export of `uri`; `writes` says whether the job changes its contents.
    ///
    /// # Errors
    /// libnbd is missing, the server cannot be reached or refuses the export, or the export is read-only.
    pub fn open(uri: &str, blocks: Blocks, depth: usize, writes: bool) -> Result<Nbd, RemoteError> {
        let connection = Connection::open(uri, depth)?;
        let (library, handle) = (connection.library, connection.handle);
        // SAFETY: the handle is open.
        let (read_only, can_trim, can_flush) = unsafe {
            (
                (library.is_read_only)(handle) > 0,
                (library.can_trim)(handle) > 0,
                (library.can_flush)(handle) > 0,
            )
        };
        if writes && read_only {
            let text = format!("{uri}: {}", Reason::ReadOnly);
            return Err(RemoteError::Refused { call: "nbd_is_read_only", errno: libc::EROFS, text });
        }
        Ok(Nbd {
            connection,
            clock: MachineClock::best(),
            blocks,
            queued: Vec::with_capacity(depth),
            in_flight: 0,
            lost: false,
            can_trim,
            can_flush,
            error: None,
        })
    }

    fn fail(&mut self, slot: u16, error: RemoteError) {
        // SAFETY: no call of the library runs, so that no callback uses the cells.
        unsafe { (*self.connection.cells).done.push(Completion { slot, res: -error.errno() }) };
        self.error = Some(error);
    }

    /// Moves completions to `out` and returns their number.
    fn take(&mut self, out: &mut [Completion]) -> usize {
        // SAFETY: no call of the library runs, so that no callback uses the cells.
        let done = unsafe { &mut (*self.connection.cells).done };
        let n = crate::hand_out(done, out);
        self.in_flight -= n;
        n
    }

    fn turn(&mut self, limit: Option<Duration>) -> bool {
        if self.lost {
            return false;
        }
        match self.connection.turn(limit) {
            Ok(went_on) => went_on,
            Err(()) => {
                self.lost = true;
                // The requests in flight end with ENOTCONN, whatever the reason of the loss.
                let lost = self.connection.error("nbd_aio_notify").to_string();
                self.error = Some(RemoteError::Refused { call: "nbd", errno: libc::ENOTCONN, text: lost });
                true
            }
        }
    }
}

impl Engine for Nbd {
    type Clock = MachineClock;
    const SYNC: bool = false;
    const TRIMS_IN_CALL: bool = false;
    const HANDS_OVER_ONE_BY_ONE: bool = true;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn queue(&mut self, ops: &[Op]) {
        self.queued.extend_from_slice(ops);
    }

    fn submit(&mut self) -> Result<(), RingDead> {
        for at in 0..self.queued.len() {
            let op = self.queued[at];
            self.in_flight += 1;
            let unsupported = |what| RemoteError::Refused {
                call: "nbd",
                errno: libc::EOPNOTSUPP,
                text: format!("{}: {}", self.connection.uri, Reason::Unsupported(what)),
            };
            let started = match op.kind {
                Kind::Trim if !self.can_trim => Err(unsupported("trim")),
                Kind::Fsync | Kind::Fdatasync | Kind::SyncRange if !self.can_flush => {
                    Err(unsupported("flush"))
                }
                // SAFETY: the slot's block holds the whole operation and is ours until it is reaped; the arena outlives
                // the engine.
                _ => unsafe { self.connection.start(&op, self.blocks.rest(&op)) },
            };
            if let Err(error) = started {
                self.fail(op.slot, error);
            }
        }
        self.queued.clear();
        Ok(())
    }

    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let mut n = self.take(out);
        if min == 0 {
            while n < out.len() && self.in_flight > 0 && self.turn(Some(Duration::ZERO)) {
                n += self.take(&mut out[n..]);
            }
            return Ok(n);
        }
        while n < min && self.in_flight > 0 {
            if !self.turn(None) {
                break;
            }
            n += self.take(&mut out[n..]);
        }
        Ok(n)
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let begin = Instant::now();
        let limit = Duration::from_nanos(nanos);
        let mut n = self.take(out);
        while n == 0 && self.in_flight > 0 {
            let left = limit.saturating_sub(begin.elapsed());
            if !self.turn(Some(left)) {
                break;
            }
            n = self.take(out);
        }
        Ok(n)
    }

    fn remote_error(&self) -> Option<&RemoteError> {
        self.error.as_ref()
    }
}

/// An export outside a run.
#[derive(Debug)]
pub struct NbdVolume {
    connection: Connection,
    size: u64,
    read_only: bool,
    largest: usize,
}

impl NbdVolume {
    /// Connects to the export of `uri`.
    ///
    /// # Errors
    /// libnbd is missing, or the server cannot be reached or refuses the export.
    pub fn open(uri: &str) -> Result<NbdVolume, RemoteError> {
        let connection = Connection::open(uri, 1)?;
        let size = connection.size()?;
        // SAFETY: the handle is open.
        let (read_only, largest) = unsafe {
            let library = connection.library;
            let largest = (library.get_block_size)(connection.handle, sys::libnbd::SIZE_MAXIMUM);
            ((library.is_read_only)(connection.handle) > 0, largest)
        };
        // Servers without the information take 32 MiB; libnbd itself takes no more than 64 MiB.
        let largest = usize::try_from(largest).ok().filter(|n| *n > 0).unwrap_or(32 << 20).min(1 << 20);
        Ok(NbdVolume { connection, size, read_only, largest })
    }

    /// Returns the bytes that have storage by the server's map of allocated ranges (`base:allocation`); `None` if the server
    /// has no such map, or it is too long.
    fn allocated(&mut self) -> Option<u64> {
        let status = self.connection.library.aio_block_status?;
        let can = self.connection.library.can_meta_context?;
        // SAFETY: the handle is open.
        if unsafe { can(self.connection.handle, ALLOCATION.as_ptr()) } <= 0 {
            return None;
        }
        let begin = Instant::now();
        // From a box that is leaked if an answer does not come: the library may still write into it.
        let map = Box::into_raw(Box::new(Extents { end: 0, allocated: 0 }));
        let mut at = 0;
        while at < self.size {
            let (count, handle) = ((self.size - at).min(STATUS_BYTES), self.connection.handle);
            let done = self.connection.command("nbd_block_status", |cell| {
                let extents = sys::libnbd::ExtentCallback {
                    callback: Some(extents),
                    user_data: map.cast(),
                    free: None,
                };
                let done = CompletionCallback { callback: Some(completed), user_data: cell, free: None };
                // SAFETY: the handle is open; cell and map live until the command is complete.
                unsafe { status(handle, count, at, extents, done, 0) }
            });
            if done.is_err() {
                return None;
            }
            // SAFETY: the command is complete, and its callback has run.
            let end = unsafe { (*map).end };
            if end <= at || begin.elapsed() > MAP_LIMIT {
                break;
            }
            at = end;
        }
        // SAFETY: from a box; no command is in flight.
        let map = unsafe { Box::from_raw(map) };
        (map.end >= self.size).then_some(map.allocated.min(self.size))
    }

    /// Returns whether the export cannot be written.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }
}

impl Volume for NbdVolume {
    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn layers(&self) -> Vec<String> {
        vec!["nbd (export)".into(), "NBD server".into()]
    }

    fn server_facts(&mut self, _: bool) -> Vec<ServerFact> {
        let (library, handle) = (self.connection.library, self.connection.handle);
        let asked = [
            ("flush", Some(library.can_flush)),
            ("fua", library.can_fua),
            ("trim", Some(library.can_trim)),
            ("zero", library.can_zero),
            ("fast-zero", library.can_fast_zero),
            ("cache", library.can_cache),
            ("multi-conn", library.can_multi_conn),
            ("rotational", library.is_rotational),
            ("read-only", Some(library.is_read_only)),
        ];
        let has = |ask: Option<unsafe extern "C" fn(Handle) -> c_int>| {
            // SAFETY: the handle is open.
            ask.is_some_and(|ask| 0 < unsafe { ask(handle) })
        };
        let flags = asked.into_iter().filter(|(_, ask)| has(*ask)).map(|(name, _)| name.to_owned()).collect();
        // SAFETY: as above.
        let structured = library.structured_replies.map(|ask| unsafe { ask(handle) } > 0);
        // SAFETY: as above.
        let block = |which| u64::try_from(unsafe { (library.get_block_size)(handle, which) }).unwrap_or(0);
        let blocks =
            [sys::libnbd::SIZE_MINIMUM, sys::libnbd::SIZE_PREFERRED, sys::libnbd::SIZE_MAXIMUM].map(block);
        let mut facts = vec![ServerFact::Export { flags, structured, blocks }];
        facts.extend(self.allocated().map(|bytes| ServerFact::Allocated { bytes, size: self.size }));
        facts
    }

    fn servers(&mut self) -> Vec<String> {
        peer(self.connection.fd)
    }

    fn library(&self) -> &'static str {
        "libnbd"
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let mut n = 0;
        while n < into.len() && offset + (n as u64) < self.size {
            let at = offset + n as u64;
            let len = (into.len() - n).min(self.largest).min((self.size - at).min(1 << 20) as usize);
            // libnbd may write into its buffer until the handle is closed: this one is given up if no answer comes.
            let mut block = vec![0u8; len];
            let op = Op { offset: at, len: len as u32, ..Op::NONE };
            let address = block.as_mut_ptr();
            // SAFETY: the buffer holds the bytes of the operation, and it is not touched before the command has completed;
            // without an answer it is leaked.
            unsafe { self.connection.start(&op, address)? };
            match self.connection.completion("nbd_pread") {
                Ok(0..) => {}
                Ok(res) => {
                    let text = format!("{}: {}", self.connection.uri, errno_text(-res));
                    return Err(RemoteError::Refused { call: "nbd_pread", errno: -res, text });
                }
                Err(error) => {
                    std::mem::forget(block);
                    return Err(error);
                }
            }
            into[n..n + len].copy_from_slice(&block);
            n += len;
        }
        Ok(n)
    }
}
