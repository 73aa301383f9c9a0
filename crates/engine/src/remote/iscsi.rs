//! LUNs of iSCSI targets by libiscsi (`libiscsi`): SCSI commands over TCP, without the kernel's initiator, its block layer
//! and its page cache.

mod session;
mod url;

use super::reason::Reason;
use super::wait::{HANGUP, Waited, errno_text, socket_error, text_of, wait};
use super::{RemoteError, Volume, peer};
use crate::sg::Commands;
use crate::sg::command::{self, Command, UNMAP_LIST};
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use libc::{c_int, c_void};
use session::{ATTEMPTS, Session, UNIT_ATTENTION, errno_of};
use stats::scsi::ScsiStatus;
use stats::server_fact::ServerFact;
use std::ptr::{NonNull, null_mut};
use std::time::Duration;
use sys::libiscsi::{self, Context, Iscsi as Library, Task};
use sys::scsi::{SENSE, Transfer, op};

/// Time between two attempts of a command for which the LUN has no room.
const BUSY_PAUSE: Duration = Duration::from_millis(1);
/// How often a command is sent again for which the LUN has no room: at least 30 s.
const BUSY_ATTEMPTS: u16 = 30_000;
/// Bytes of one READ of [`IscsiVolume::read_at`].
const READ_BYTES: usize = 1 << 20;

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

/// Session with a LUN outside a run.
#[derive(Debug)]
pub struct IscsiVolume {
    session: Session,
}

impl IscsiVolume {
    /// Logs in to the LUN.
    ///
    /// # Errors
    /// The library is missing, the target refuses the login, or the LUN is not a disk.
    pub fn open(target: &IscsiTarget, url: &str) -> Result<Self, RemoteError> {
        Session::open(url, target).map(|session| Self { session })
    }

    /// Returns what the LUN says of itself.
    pub fn inquiry(&self) -> &IscsiInfo {
        &self.session.info
    }

    fn blocks(&mut self, first: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let blocks = (into.len() >> self.session.capacity.shift) as u32;
        let mut command = [0; 16];
        command[0] = op::READ_16;
        command[2..10].copy_from_slice(&first.to_be_bytes());
        command[10..14].copy_from_slice(&blocks.to_be_bytes());
        match self.session.read("READ(16)", &command, into) {
            // Old disks know only the short command.
            Err(error) if error.errno() == libc::EOPNOTSUPP && first + u64::from(blocks) < 1 << 32 => {
                let mut command = [0; 10];
                command[0] = op::READ_10;
                command[2..6].copy_from_slice(&(first as u32).to_be_bytes());
                command[7..9].copy_from_slice(&(blocks as u16).to_be_bytes());
                self.session.read("READ(10)", &command, into)
            }
            read => read,
        }
    }
}

impl Volume for IscsiVolume {
    fn size(&self) -> Option<u64> {
        Some(self.session.info.bytes)
    }

    fn layers(&self) -> Vec<String> {
        let IscsiInfo { portal, lun, vendor, product, .. } = &self.session.info;
        vec![format!("iscsi (LUN {lun}, {vendor} {product})"), portal.clone()]
    }

    fn server_facts(&mut self, _: bool) -> Vec<ServerFact> {
        let write_cache = self.write_cache();
        let info = &self.session.info;
        vec![ServerFact::Lun {
            target: info.target.clone(),
            lun: info.lun,
            model: [&info.vendor, &info.product, &info.revision]
                .map(String::as_str)
                .join(" ")
                .trim()
                .to_owned(),
            block: info.block,
            physical_block: info.block.saturating_mul(info.physical_blocks),
            thin: info.thin,
            unmap: info.unmap,
            write_cache,
            rotation_rate: info.rotation_rate,
        }]
    }

    fn servers(&mut self) -> Vec<String> {
        peer(self.session.socket().fd)
    }

    fn library(&self) -> &'static str {
        "libiscsi"
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let (shift, block) = (self.session.capacity.shift, self.session.info.block as usize);
        let end = self.session.info.bytes.min(offset.saturating_add(into.len() as u64));
        let mut buffer = vec![0; READ_BYTES.max(block)];
        let mut done = 0;
        while offset + (done as u64) < end {
            let at = offset + done as u64;
            let skipped = at as usize & (block - 1);
            let wanted = ((end - at) as usize + skipped).next_multiple_of(block).min(buffer.len());
            let got = self.blocks(at >> shift, &mut buffer[..wanted])?;
            let part = got.saturating_sub(skipped).min((end - at) as usize);
            if part == 0 {
                break;
            }
            into[done..done + part].copy_from_slice(&buffer[skipped..skipped + part]);
            done += part;
        }
        Ok(done)
    }

    /// Returns the initiators that have registered with the LUN or reserved it, as clusters do. Sessions without a
    /// registration are not visible to other initiators.
    fn users(&mut self) -> Result<Vec<String>, RemoteError> {
        let mut users = match self.reserve_in(READ_FULL_STATUS)? {
            Some(data) => registrants(&data),
            None => Vec::new(),
        };
        if users.is_empty() {
            // Targets without the full status list the keys.
            let data = self.reserve_in(READ_KEYS)?.unwrap_or_default();
            let keys = data.chunks_exact(8).filter_map(|key| Some(u64::from_be_bytes(key.try_into().ok()?)));
            users = keys.map(|key| format!("registration {key:#x}")).collect();
        }
        // A reservation of the old kind (RESERVE) has no list; it fails commands of the other initiators.
        match self.session.read("TEST_UNIT_READY", &[op::TEST_UNIT_READY, 0, 0, 0, 0, 0], &mut []) {
            Err(error) if error.errno() == libc::EBADE && users.is_empty() => {
                users.push("reservation".into())
            }
            Err(error) if self.session.lost.is_some() => return Err(error),
            _ => {}
        }
        Ok(users)
    }
}

/// Service actions of PERSISTENT RESERVE IN (SPC-4, 6.15).
const READ_KEYS: u8 = 0;
const READ_FULL_STATUS: u8 = 3;

impl IscsiVolume {
    /// Returns the list that PERSISTENT RESERVE IN reads, without its head; `None` if the LUN does not know the command.
    fn reserve_in(&mut self, action: u8) -> Result<Option<Vec<u8>>, RemoteError> {
        let mut data = vec![0; 4096];
        let size = (data.len() as u16).to_be_bytes();
        let command = [op::PERSISTENT_RESERVE_IN, action, 0, 0, 0, 0, 0, size[0], size[1], 0];
        match self.session.read("PERSISTENT_RESERVE_IN", &command, &mut data) {
            Ok(bytes) if bytes >= 8 => {
                let length = u32::from_be_bytes([data[4], data[5], data[6], data[7]]) as usize;
                data.truncate(bytes.min(length.saturating_add(8)));
                Ok(Some(data.split_off(8)))
            }
            Err(error) if self.session.lost.is_some() => Err(error),
            _ => Ok(None),
        }
    }

    /// Returns whether the LUN has a volatile write cache (caching mode page, WCE); `None` if it does not say.
    fn write_cache(&mut self) -> Option<bool> {
        /// Number of the caching mode page (SBC-3, 6.5.6), and bytes of the head of MODE SENSE(6).
        const CACHING: u8 = 8;
        const HEAD: usize = 4;
        let mut data = [0; 64];
        let command = [op::MODE_SENSE_6, 0, CACHING, 0, data.len() as u8, 0];
        let bytes = self.session.read("MODE SENSE(6)", &command, &mut data).ok()?;
        // Block descriptors may stand before the page.
        let page = data.get(HEAD + usize::from(data[3])..bytes)?;
        (page.len() > 2 && page[0] & 0x3f == CACHING).then(|| page[2] & 4 != 0)
    }
}

/// Returns the registrations in the list of READ FULL STATUS: initiator, key, and whether it holds a reservation.
fn registrants(mut list: &[u8]) -> Vec<String> {
    /// Bytes of a descriptor before the name of the initiator (SPC-4, table 214).
    const HEAD: usize = 24;
    let mut found = Vec::new();
    while let Some(one) = list.get(..HEAD) {
        let key = u64::from_be_bytes([one[0], one[1], one[2], one[3], one[4], one[5], one[6], one[7]]);
        let length = u32::from_be_bytes([one[20], one[21], one[22], one[23]]) as usize;
        let end = HEAD.saturating_add(length).min(list.len());
        // An iSCSI name, with the session's number after it, stands behind four bytes (SPC-4, 7.6.4.6).
        let name = list[HEAD..end].get(4..).unwrap_or_default();
        let name: Vec<u8> = name.iter().copied().take_while(|byte| (0x21..0x7f).contains(byte)).collect();
        let name = String::from_utf8_lossy(&name);
        let holds = if one[12] & 1 != 0 { "reservation" } else { "registration" };
        let separator = if name.is_empty() { "" } else { " " };
        found.push(format!("{name}{separator}{holds} {key:#x}"));
        list = &list[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registrations_name_the_initiator_and_the_reservation() {
        let one = |key: u64, holder: u8, name: &[u8]| {
            let mut bytes = key.to_be_bytes().to_vec();
            bytes.extend([0, 0, 0, 0, holder, 0, 0, 0, 0, 0, 0, 1]);
            bytes.extend((name.len() as u32).to_be_bytes());
            bytes.extend(name);
            bytes
        };
        let id = b"\x05\0\0\x18iqn.2026-01.test:host1\0";
        let list = [one(0xabc, 0, id), one(7, 1, id), one(9, 0, b"")].concat();
        let found = registrants(&list);
        let host = "iqn.2026-01.test:host1";
        assert_eq!(
            found,
            [
                format!("{host} registration 0xabc"),
                format!("{host} reservation 0x7"),
                "registration 0x9".into()
            ]
        );
        assert_eq!(registrants(&list[..20]), [""; 0]);
        // A list that was cut off in a name.
        assert_eq!(registrants(&list[..30]).len(), 1);
    }

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
