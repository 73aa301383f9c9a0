//! LUNs of iSCSI targets by libiscsi (`libiscsi`): SCSI commands over TCP, without the kernel's initiator, its block layer
//! and its page cache.

mod session;
mod url;
mod volume;

use super::RemoteError;
use super::reason::Reason;
use super::wait::{HANGUP, Waited, errno_text, socket_error, text_of, wait};
use crate::sg::Commands;
use crate::sg::command::{self, Command, UNMAP_LIST};
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use libc::{c_int, c_void};
use session::{ATTEMPTS, Session, UNIT_ATTENTION, errno_of};
use stats::scsi::ScsiStatus;
use std::ptr::{NonNull, null_mut};
use std::time::Duration;
use sys::libiscsi::{self, Context, Iscsi as Library, Task};
use sys::scsi::{SENSE, Transfer, op};

pub use volume::IscsiVolume;

/// Time between two attempts of a command for which the LUN has no room.
const BUSY_PAUSE: Duration = Duration::from_millis(1);
/// How often a command is sent again for which the LUN has no room: at least 30 s.
const BUSY_ATTEMPTS: u16 = 30_000;

/// How sessions with LUNs are opened; the URLs of the LUNs are the names of a job's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IscsiTarget {
    /// Name of this initiator (fio's `initiator`).
    pub initiator: String,
    /// Longest time that the target may send nothing while commands are in flight.
    pub timeout: Duration,
}

/// What a LUN says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IscsiInfo {
    /// Host and port of the target.
    pub portal: String,
    /// Name of the target.
    pub target: String,
    /// Number of the LUN.
    pub lun: u16,
    /// Vendor.
    pub vendor: String,
    /// Product.
    pub product: String,
    /// Revision of the product.
    pub revision: String,
    /// Serial number; empty if the LUN has none.
    pub serial: String,
    /// Bytes of a logical block.
    pub block: u32,
    /// Logical blocks of a physical block.
    pub physical_blocks: u32,
    /// Size in bytes.
    pub bytes: u64,
    /// Rotations per minute, 0 if the medium does not rotate; `None` if the LUN does not say.
    pub rotation_rate: Option<u16>,
    /// Whether space is allocated when it is written first (thin provisioning).
    pub thin: bool,
    /// Whether UNMAP frees space.
    pub unmap: bool,
}

/// A command in flight.
#[derive(Debug)]
struct Cell {
    flight: *mut Flight,
    task: *mut Task,
    op: Op,
    command: Command,
    data: libc::iovec,
    list: [u8; UNMAP_LIST],
    attempts: u16,
    busy: bool,
    /// Result of the command, if it failed.
    status: Option<ScsiStatus>,
}

/// Commands in flight, written by callbacks.
#[derive(Debug)]
struct Flight {
    library: &'static Library,
    cells: Box<[Cell]>,
    completed: Vec<Completion>,
    /// Slots of commands that are sent again.
    again: Vec<u16>,
    /// Whether the LUN has no room for one of them.
    crowded: bool,
    /// Whether the library cancelled a command because the connection ended.
    cancelled: bool,
    /// Slot, errno and text of the command that failed last.
    failure: Option<(u16, i32, String)>,
}

/// Completes a command.
unsafe extern "C" fn completed(context: *mut Context, status: c_int, _: *mut c_void, private: *mut c_void) {
    let cell = private.cast::<Cell>();
    // SAFETY: `private` is the cell that `send` gave; cells live until the contexts are destroyed. While the library runs,
    // the engine has no reference to them. The task is freed once, after its command. A cell that is not busy belongs to an
    // operation that was given up.
    unsafe {
        let flight = &mut *(*cell).flight;
        let slot = (*cell).op.slot;
        let cell = &mut flight.cells[usize::from(slot)];
        let task = std::mem::replace(&mut cell.task, null_mut());
        if task.is_null() {
            return;
        }
        if cell.busy {
            let bytes = (cell.op.len - cell.op.done) as i32;
            if status == libiscsi::GOOD {
                let whole = cell.command.data_len as i32 == bytes;
                let res = match cell.op.kind {
                    // The rest of a transfer that the device cut short.
                    Kind::Read | Kind::Write if whole => bytes - (*task).residual.min(bytes as usize) as i32,
                    Kind::Read | Kind::Write | Kind::Trim => bytes,
                    _ => 0,
                };
                cell.busy = false;
                flight.completed.push(Completion { slot, res });
            } else {
                let text = text_of((flight.library.get_error)(context));
                failed(flight, slot, status, &*task, text);
            }
        }
        (flight.library.free_task)(task);
    }
}

/// Completes a command that failed, or has it sent again.
#[cold]
fn failed(flight: &mut Flight, slot: u16, status: c_int, task: &Task, text: String) {
    let cell = &mut flight.cells[usize::from(slot)];
    let (key, ascq) = match status {
        libiscsi::CHECK_CONDITION => (task.sense.key, task.sense.ascq),
        _ => (0, 0),
    };
    let full = matches!(status, libiscsi::BUSY | libiscsi::TASK_SET_FULL);
    let attention = status == libiscsi::CHECK_CONDITION && key == UNIT_ATTENTION;
    if full && cell.attempts < BUSY_ATTEMPTS || attention && cell.attempts < ATTEMPTS {
        cell.attempts += 1;
        flight.crowded |= full;
        flight.again.push(slot);
        return;
    }
    cell.busy = false;
    let errno = errno_of(status, key, ascq);
    flight.cancelled |= status == libiscsi::LIBRARY_STATUS;
    if status < libiscsi::LIBRARY_STATUS {
        let mut sense = [0; SENSE];
        let mut sense_len = 0;
        if !task.datain.data.is_null() && task.datain.size > 2 {
            sense_len = (task.datain.size as usize - 2).min(SENSE);
            // SAFETY: the library keeps the data of the response, of `size` bytes, until the task is freed; the sense data
            // follow their length.
            let data = unsafe { std::slice::from_raw_parts(task.datain.data.add(2), sense_len) };
            sense[..sense_len].copy_from_slice(data);
        }
        cell.status = Some(ScsiStatus {
            status: status as u8,
            host: 0,
            driver: if sense_len > 0 { 8 } else { 0 },
            sense_len: sense_len as u8,
            sense,
            data: [cell.command.data_len, task.residual as u32],
            command: cell.command.block,
        });
    }
    flight.completed.push(Completion { slot, res: -errno });
    flight.failure = Some((slot, errno, text));
}

/// Returns the name of a command in messages.
fn name_of(code: u8) -> &'static str {
    match code {
        op::READ_10 => "READ(10)",
        op::READ_16 => "READ(16)",
        op::WRITE_10 => "WRITE(10)",
        op::WRITE_16 => "WRITE(16)",
        op::UNMAP => "UNMAP",
        _ => "SYNCHRONIZE CACHE",
    }
}

/// Engine on LUNs, with a session for each.
#[derive(Debug)]
pub struct Iscsi {
    sessions: Vec<Session>,
    clock: MachineClock,
    blocks: Blocks,
    queued: Vec<Op>,
    commands: Commands,
    /// From a box; freed when the engine is dropped.
    flight: NonNull<Flight>,
    /// Sockets to wait for, and their sessions.
    polled: Vec<libc::pollfd>,
    polled_sessions: Vec<usize>,
    error: Option<RemoteError>,
    reconnects: u64,
}

impl Iscsi {
    /// Logs in to the LUNs of the URLs, for at most `depth` operations in flight.
    ///
    /// # Errors
    /// The library is missing, a target refuses the login, or a LUN is not a disk.
    pub fn open(
        target: &IscsiTarget,
        urls: &[String],
        blocks: Blocks,
        depth: usize,
    ) -> Result<Self, RemoteError> {
        let sessions = urls.iter().map(|url| Session::open(url, target)).collect::<Result<Vec<_>, _>>()?;
        let missing = |missing| RemoteError::NoLibrary { missing, package: libiscsi::PACKAGE };
        let library = Library::load().map_err(missing)?;
        let flight = Box::into_raw(Box::new(Flight {
            library,
            cells: Box::default(),
            completed: Vec::with_capacity(depth),
            again: Vec::with_capacity(depth),
            crowded: false,
            cancelled: false,
            failure: None,
        }));
        let none = Command { block: [0; _], len: 0, transfer: Transfer::None, data_len: 0, flags: 0 };
        let cells = (0..depth).map(|slot| Cell {
            flight,
            task: null_mut(),
            op: Op { slot: slot as u16, ..Op::NONE },
            command: none,
            data: libc::iovec { iov_base: null_mut(), iov_len: 0 },
            list: [0; UNMAP_LIST],
            attempts: 0,
            busy: false,
            status: None,
        });
        // SAFETY: from a box, and not used by anybody else yet.
        unsafe { (*flight).cells = cells.collect() };
        Ok(Self {
            clock: MachineClock::best(),
            blocks,
            queued: Vec::with_capacity(depth),
            commands: Commands::default(),
            // SAFETY: a box is not null.
            flight: unsafe { NonNull::new_unchecked(flight) },
            polled: Vec::with_capacity(sessions.len()),
            polled_sessions: Vec::with_capacity(sessions.len()),
            error: None,
            reconnects: 0,
            sessions,
        })
    }

    /// Returns how often a session was opened again that the target had ended while it was not used.
    pub fn reconnects(&self) -> u64 {
        self.reconnects
    }

    fn flight(&mut self) -> &mut Flight {
        // SAFETY: the box lives as long as the engine; callbacks, which use it too, run only in calls of the library, for
        // which no reference is kept.
        unsafe { self.flight.as_mut() }
    }

    fn answer(&mut self, slot: u16, res: i32) {
        self.flight().completed.push(Completion { slot, res });
    }

    fn start(&mut self, o: &Op) {
        let session = &mut self.sessions[o.file as usize];
        if session.in_flight == 0 && session.lost.is_none() && session.silence.begin() {
            self.examine(o.file as usize);
        }
        let session = &self.sessions[o.file as usize];
        if let Some(errno) = session.lost {
            return self.answer(o.slot, -errno);
        }
        match o.kind {
            Kind::Trim if !session.trims => return self.answer(o.slot, -libc::EOPNOTSUPP),
            Kind::SyncRange if o.range().2 == 0 => return self.answer(o.slot, 0),
            _ => {}
        }
        let capacity = session.capacity;
        let Ok(command) = self.commands.of(capacity, 0, o) else { return self.not_whole(o) };
        let block = self.blocks.rest(o);
        let cell = &mut self.flight().cells[usize::from(o.slot)];
        (cell.op, cell.command, cell.attempts, cell.busy, cell.status) = (*o, command, 0, true, None);
        cell.data = libc::iovec { iov_base: block.cast(), iov_len: command.data_len as usize };
        if o.kind == Kind::Trim {
            cell.list = command::unmap_list(command::blocks(capacity, o).unwrap_or_default());
            cell.data.iov_base = cell.list.as_mut_ptr().cast();
        }
        self.sessions[o.file as usize].in_flight += 1;
        self.send(o.slot);
    }

    /// Logs in again if the target has ended the session while it was not used: only the next operation takes longer.
    #[cold]
    fn examine(&mut self, file: usize) {
        let mut sockets = [self.sessions[file].socket()];
        wait(&mut sockets, Duration::ZERO);
        let [socket] = sockets;
        if socket.revents & HANGUP == 0 {
            // The target may have asked whether the session is alive.
            if socket.revents != 0 {
                self.service(file, &socket);
            }
            return;
        }
        match self.sessions[file].again() {
            Ok(session) => {
                self.sessions[file].destroy();
                self.sessions[file] = session;
                self.reconnects += 1;
            }
            Err(error) => {
                let from = self.flight().completed.len();
                self.lose(file, libc::ENOTCONN, from, "");
                self.error = Some(error);
            }
        }
    }

    #[cold]
    fn not_whole(&mut self, o: &Op) {
        let session = &self.sessions[o.file as usize];
        let (offset, len) = (o.offset + u64::from(o.done), o.len - o.done);
        let text = Reason::NotWhole { offset, len, block: session.info.block }.to_string();
        self.error = Some(session.refused("iscsi", libc::EINVAL, &text));
        self.answer(o.slot, -libc::EINVAL);
    }

    /// Sends the command of a slot.
    fn send(&mut self, slot: u16) {
        let cell = &mut self.flight().cells[usize::from(slot)];
        let (file, code) = (cell.op.file as usize, cell.command.block[0]);
        let private = (&raw mut *cell).cast::<c_void>();
        let session = &self.sessions[file];
        let (library, context, lun) = (session.library, session.context, c_int::from(session.info.lun));
        // SAFETY: the context is alive. The library copies the command; the cell with the vector, and the block, live until
        // the context is destroyed, and the block belongs to the command until its operation is reaped. No reference to the
        // cell is used while the library runs.
        let status = unsafe {
            let cell = private.cast::<Cell>();
            let Command { mut block, len, transfer, data_len, .. } = (*cell).command;
            let direction = libiscsi::XFER[match transfer {
                Transfer::None => 0,
                Transfer::FromDevice => 1,
                Transfer::ToDevice => 2,
            }];
            let task = (library.create_task)(len.into(), block.as_mut_ptr(), direction, data_len as c_int);
            (*cell).task = task;
            match transfer {
                Transfer::None => {}
                Transfer::FromDevice => (library.set_data_in)(task, &raw mut (*cell).data, 1),
                Transfer::ToDevice => (library.set_data_out)(task, &raw mut (*cell).data, 1),
            }
            (library.command)(context, lun, task, completed, null_mut(), private)
        };
        if status != 0 {
            let text = self.sessions[file].text();
            self.error = Some(self.sessions[file].refused(name_of(code), libc::EIO, &text));
            let cell = &mut self.flight().cells[usize::from(slot)];
            cell.busy = false;
            let task = std::mem::replace(&mut cell.task, null_mut());
            if !task.is_null() {
                // SAFETY: the library did not take the command.
                unsafe { (library.free_task)(task) };
            }
            self.answer(slot, -libc::EIO);
            self.sessions[file].in_flight -= 1;
        }
    }

    /// Gives a session up: all of its commands in flight fail.
    #[cold]
    fn lose(&mut self, file: usize, errno: i32, from: usize, text: &str) {
        self.error = Some(self.sessions[file].refused("iscsi_service", errno, text));
        let flight = self.flight();
        (flight.failure, flight.cancelled) = (None, false);
        // Commands that the library failed itself have other errors.
        for failed in flight.completed[from..].iter_mut().filter(|completion| completion.res < 0) {
            failed.res = -errno;
        }
        for slot in 0..flight.cells.len() {
            let cell = &mut flight.cells[slot];
            if cell.op.file as usize == file && std::mem::take(&mut cell.busy) {
                flight.completed.push(Completion { slot: slot as u16, res: -errno });
            }
        }
        flight.again.retain(|slot| flight.cells[usize::from(*slot)].busy);
        let session = &mut self.sessions[file];
        (session.lost, session.in_flight) = (Some(errno), 0);
        session.destroy();
    }

    /// Lets the library receive and send what the socket of a session is ready for.
    fn service(&mut self, file: usize, socket: &libc::pollfd) {
        let broken = socket_error(socket);
        let from = self.flight().completed.len();
        let alive = self.sessions[file].service(socket.revents);
        let flight = self.flight();
        let progress = flight.completed.len() - from;
        let cancelled = flight.cancelled;
        if !alive || cancelled || socket.revents & HANGUP != 0 && progress == 0 {
            let text = broken.map_or_else(|| self.sessions[file].text(), errno_text);
            return self.lose(file, libc::ENOTCONN, from, &Reason::Lost(text).to_string());
        }
        self.sessions[file].in_flight -= progress;
        if self.flight().failure.is_some() {
            self.keep_failure();
        }
        if !self.flight().again.is_empty() && !self.flight().crowded {
            self.send_again();
        }
    }

    /// Keeps the error of the command that failed last.
    #[cold]
    fn keep_failure(&mut self) {
        let Some((slot, errno, text)) = self.flight().failure.take() else { return };
        let cell = &self.flight().cells[usize::from(slot)];
        let (file, code) = (cell.op.file as usize, cell.command.block[0]);
        self.error = Some(self.sessions[file].refused(name_of(code), errno, &text));
    }

    #[cold]
    fn send_again(&mut self) {
        self.flight().crowded = false;
        for slot in std::mem::take(&mut self.flight().again) {
            self.send(slot);
        }
        self.flush();
    }

    /// Sends what the library has queued, instead of at the next wait.
    fn flush(&mut self) {
        for file in 0..self.sessions.len() {
            let session = &self.sessions[file];
            if session.lost.is_none() && session.in_flight > 0 {
                let socket = session.socket();
                if socket.events & libc::POLLOUT != 0 {
                    self.service(file, &libc::pollfd { revents: libc::POLLOUT, ..socket });
                }
            }
        }
    }

    fn in_flight(&self) -> bool {
        self.sessions.iter().any(|session| session.in_flight > 0)
    }

    /// Waits for the sockets at most for `limit`, and services them. Returns false if nothing happened.
    fn progress(&mut self, limit: Duration) -> bool {
        self.polled.clear();
        self.polled_sessions.clear();
        let mut left = limit;
        for (file, session) in self.sessions.iter_mut().enumerate() {
            if session.in_flight > 0 {
                left = left.min(session.silence.remaining());
                self.polled.push(session.socket());
                self.polled_sessions.push(file);
            }
        }
        let crowded = self.flight().crowded;
        if crowded {
            left = left.min(BUSY_PAUSE);
        }
        let waited = wait(&mut self.polled, left);
        if waited == Waited::Interrupted {
            return false;
        }
        if crowded {
            self.send_again();
        }
        let mut any = false;
        for at in 0..self.polled.len() {
            let (file, socket) = (self.polled_sessions[at], self.polled[at]);
            let session = &mut self.sessions[file];
            if session.lost.is_some() {
                continue;
            }
            if socket.revents & !libc::POLLOUT != 0 {
                session.silence.end();
            }
            if socket.revents != 0 {
                self.service(file, &socket);
                any = true;
            } else if session.in_flight > 0 && session.silence.remaining().is_zero() {
                let text = Reason::Silent(session.silence.limit()).to_string();
                let from = self.flight().completed.len();
                self.lose(file, libc::ETIMEDOUT, from, &text);
                any = true;
            }
        }
        any || crowded
    }

    fn hand_out(&mut self, out: &mut [Completion]) -> usize {
        crate::hand_out(&mut self.flight().completed, out)
    }
}

impl Engine for Iscsi {
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
        self.flush();
        Ok(())
    }

    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let mut n = self.hand_out(out);
        let min = min.min(out.len());
        if min == 0 && n == 0 && self.in_flight() {
            self.progress(Duration::ZERO);
            n = self.hand_out(out);
        }
        while n < min && self.in_flight() {
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
        if n > 0 || !self.in_flight() {
            return Ok(n);
        }
        self.progress(Duration::from_nanos(nanos));
        Ok(self.hand_out(out))
    }

    fn scsi_status(&self, slot: u16) -> Option<ScsiStatus> {
        // SAFETY: as in `flight`.
        unsafe { self.flight.as_ref() }.cells[usize::from(slot)].status
    }

    fn remote_error(&self) -> Option<&RemoteError> {
        self.error.as_ref()
    }
}

impl Drop for Iscsi {
    fn drop(&mut self) {
        for cell in &mut self.flight().cells {
            cell.busy = false;
        }
        self.sessions.clear();
        // SAFETY: from a box; the contexts are destroyed, so that no callback comes any more.
        drop(unsafe { Box::from_raw(self.flight.as_ptr()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errno_of_a_failed_command() {
        let check = libiscsi::CHECK_CONDITION;
        for (status, key, ascq, errno) in [
            (libiscsi::LIBRARY_STATUS, 0, 0, libc::ENOTCONN),
            (libiscsi::LIBRARY_STATUS + 1, 0, 0, libc::EIO),
            (libiscsi::RESERVATION_CONFLICT, 0, 0, libc::EBADE),
            (check, 7, 0x2700, libc::EROFS),
            (check, 5, 0x2100, libc::ENOSPC),
            (check, 5, 0x2000, libc::EOPNOTSUPP),
            (check, 5, 0x2500, libc::ENXIO),
            (check, 3, 0x1100, libc::EIO),
        ] {
            assert_eq!(errno_of(status, key, ascq), errno, "{status:#x} {key} {ascq:#x}");
        }
    }
}
