//! A session with one LUN: login, commands outside the loop of I/Os, capacity and inquiry.

use super::url::{Login, Url};
use super::{IscsiInfo, IscsiTarget};
use crate::remote::reason::Reason;
use crate::remote::wait::{
    HANGUP, Silence, Waited, connection_number, errno_text, one_line, socket_error, text_of, wait,
};
use crate::remote::{OPEN_LIMIT, RemoteError};
use libc::{c_int, c_void};
use std::ffi::CString;
use std::ptr::null_mut;
use std::time::{Duration, Instant};
use sys::libiscsi::{self, Context, Iscsi as Library, PACKAGE, Task};
use sys::scsi::{Capacity, op};

/// Longest time of a logout.
const LOGOUT_LIMIT: Duration = Duration::from_secs(2);
/// Time after which a library that waits for no event is called again.
const IDLE_PAUSE: Duration = Duration::from_millis(100);
/// How often a command is sent again that a unit attention, as after a reset, has failed.
pub(super) const ATTEMPTS: u16 = 4;
/// Sense keys (SPC-4, 4.5.6).
const NOT_READY: c_int = 2;
const ILLEGAL_REQUEST: c_int = 5;
pub(super) const UNIT_ATTENTION: c_int = 6;
const DATA_PROTECT: c_int = 7;
/// Additional sense codes with their qualifiers.
const INVALID_COMMAND: c_int = 0x2000;
const OUT_OF_RANGE: c_int = 0x2100;
const NO_LUN: c_int = 0x2500;

/// A logged-in session.
#[derive(Debug)]
pub(super) struct Session {
    pub library: &'static Library,
    /// Null after the connection was given up.
    pub context: *mut Context,
    pub info: IscsiInfo,
    pub capacity: Capacity,
    /// Name of the LUN in messages.
    pub name: String,
    /// Whether UNMAP is used for trims.
    pub trims: bool,
    /// errno of all commands after the connection was lost.
    pub lost: Option<i32>,
    /// Commands that the engine has in flight.
    pub in_flight: usize,
    pub silence: Silence,
    /// From a box; for the callback of the login, which comes again when the connection ends.
    login: *mut Reply,
    /// What the session is opened again by.
    opened: (Url, IscsiTarget),
}

/// Answer to a request outside the loop of I/Os.
#[derive(Debug)]
struct Reply {
    done: bool,
    status: c_int,
    residual: usize,
    key: c_int,
    ascq: c_int,
    library: &'static Library,
    task: *mut Task,
    data: libc::iovec,
}

impl Reply {
    fn new(library: &'static Library) -> Box<Self> {
        let data = libc::iovec { iov_base: null_mut(), iov_len: 0 };
        let (done, status, residual, key, ascq, task) = (false, 0, 0, 0, 0, null_mut());
        Box::new(Self { done, status, residual, key, ascq, library, task, data })
    }
}

/// Takes the answer to a request.
unsafe extern "C" fn replied(_: *mut Context, status: c_int, _: *mut c_void, private: *mut c_void) {
    // SAFETY: `private` is a reply, which lives until its callback ran or the context is destroyed; nothing else refers to
    // it while the library runs. The task is freed once, after its command.
    unsafe {
        let reply = &mut *private.cast::<Reply>();
        reply.done = true;
        reply.status = status;
        let task = std::mem::replace(&mut reply.task, null_mut());
        if !task.is_null() {
            reply.residual = (*task).residual;
            (reply.key, reply.ascq) = ((*task).sense.key, (*task).sense.ascq);
            (reply.library.free_task)(task);
        }
    }
}

impl Session {
    /// Logs in and reads the capacity of the LUN.
    pub(super) fn open(url: &str, target: &IscsiTarget) -> Result<Self, RemoteError> {
        Self::connect(Url::parse(url, |name| std::env::var(name).ok()).map_err(wrong)?, target)
    }

    /// Returns a new session with the same LUN.
    pub(super) fn again(&self) -> Result<Self, RemoteError> {
        let session = Self::connect(self.opened.0.clone(), &self.opened.1)?;
        if session.capacity == self.capacity {
            return Ok(session);
        }
        Err(self.refused("READ CAPACITY", libc::ESTALE, &Reason::OtherCapacity.to_string()))
    }

    fn connect(url: Url, target: &IscsiTarget) -> Result<Self, RemoteError> {
        let library =
            Library::load().map_err(|missing| RemoteError::NoLibrary { missing, package: PACKAGE })?;
        let text = |text: &str| CString::new(text).map_err(|_| wrong(Reason::NullByte(url.name())));
        let (initiator, name, portal) = (text(&target.initiator)?, text(&url.target)?, text(&url.portal)?);
        // SAFETY: the name is null-terminated.
        let context = unsafe { (library.create_context)(initiator.as_ptr()) };
        if context.is_null() {
            let initiator = target.initiator.clone();
            return Err(wrong(Reason::Initiator { name: url.name(), initiator }));
        }
        let mut session = Session {
            library,
            context,
            info: IscsiInfo {
                portal: url.portal.clone(),
                target: url.target.clone(),
                ..IscsiInfo::default()
            },
            capacity: Capacity::default(),
            name: url.name(),
            trims: false,
            lost: None,
            in_flight: 0,
            silence: Silence::new(target.timeout),
            login: Box::into_raw(Reply::new(library)),
            opened: (url.clone(), target.clone()),
        };
        session.info.lun = url.lun;
        session.log_in(&url, &name, &portal, &text)?;
        session.inquire()?;
        Ok(session)
    }

    fn log_in(
        &mut self,
        url: &Url,
        target: &CString,
        portal: &CString,
        text: &dyn Fn(&str) -> Result<CString, RemoteError>,
    ) -> Result<(), RemoteError> {
        let pair = |login: &Login| Ok::<_, RemoteError>((text(&login.user)?, text(&login.password)?));
        let login = url.login.as_ref().map(pair).transpose()?;
        let target_login = url.target_login.as_ref().map(pair).transpose()?;
        let (library, context) = (self.library, self.context);
        // SAFETY: the context is alive, and all texts are null-terminated; the library copies them. The reply of the
        // login lives as long as the context.
        let status = unsafe {
            // Also unlike those of other hosts with the same initiator name.
            let random = std::time::UNIX_EPOCH.elapsed().map_or(0, |now| now.subsec_nanos());
            let random = random.rotate_right(8) ^ std::process::id();
            let mut status = (library.set_session_id)(context, random, connection_number() & 0xffff)
                | (library.set_session_type)(context, libiscsi::SESSION_NORMAL)
                | (library.set_targetname)(context, target.as_ptr())
                | (library.set_header_digest)(context, libiscsi::HEADER_DIGEST_NONE_CRC32C);
            // A connection that ends fails all commands; the library would otherwise connect again for ever.
            (library.set_noautoreconnect)(context, 1);
            if let Some((user, password)) = &login {
                status |= (library.set_initiator_login)(context, user.as_ptr(), password.as_ptr());
            }
            if let Some((user, password)) = &target_login {
                status |= (library.set_target_login)(context, user.as_ptr(), password.as_ptr());
            }
            match status {
                0 => (library.full_connect)(
                    context,
                    portal.as_ptr(),
                    c_int::from(url.lun),
                    replied,
                    self.login.cast(),
                ),
                status => status,
            }
        };
        if status != 0 {
            let text = self.text();
            return Err(self.refused("iscsi_login", libc::EINVAL, &text));
        }
        let broken = self.wait_for(self.login, "iscsi_login", OPEN_LIMIT)?;
        // SAFETY: the reply lives as long as the session, and the library is not running.
        if unsafe { (*self.login).status } == libiscsi::GOOD {
            return Ok(());
        }
        if let Some(errno) = broken {
            return Err(self.refused("iscsi_login", errno, &errno_text(errno)));
        }
        let text = self.text();
        let errno = match &text {
            text if text.contains("Auth") || text.contains("auth") => libc::EACCES,
            text if text.contains("NOT_SUPPORTED") => libc::ENXIO,
            text if text.contains("not found") || text.contains("Not found") => libc::ENOENT,
            _ => libc::EIO,
        };
        Err(self.refused("iscsi_login", errno, &text))
    }

    /// Waits until the reply is done; returns the error of the socket, if it had one. A reply that does not come ends the
    /// session, because the library may still use its memory.
    fn wait_for(
        &mut self,
        reply: *mut Reply,
        call: &'static str,
        limit: Duration,
    ) -> Result<Option<i32>, RemoteError> {
        let deadline = Instant::now() + limit;
        let mut broken = None;
        loop {
            // SAFETY: the reply is alive, and the library is not running.
            if unsafe { (*reply).done } {
                return Ok(broken);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let mut sockets = [self.socket()];
            let pause = if sockets[0].events == libc::POLLRDHUP { left.min(IDLE_PAUSE) } else { left };
            let (waited, alive) = match wait(&mut sockets, pause) {
                Waited::Interrupted => (Waited::Interrupted, true),
                waited => {
                    broken = socket_error(&sockets[0]).or(broken);
                    (waited, self.service(sockets[0].revents))
                }
            };
            // SAFETY: as above.
            if unsafe { (*reply).done } {
                continue;
            }
            let (errno, text) = if !alive || sockets[0].revents & HANGUP != 0 {
                (broken.unwrap_or(libc::ENOTCONN), broken.map_or_else(|| self.text(), errno_text))
            } else if left.is_zero() && waited == Waited::TimedOut {
                (libc::ETIMEDOUT, Reason::Silent(limit).to_string())
            } else {
                continue;
            };
            self.lost = Some(errno);
            self.destroy();
            return Err(self.refused(call, errno, &text));
        }
    }

    /// Carries out a command that reads data and returns their number of bytes. A unit attention is no error of the
    /// command, which is sent again.
    pub(super) fn read(
        &mut self,
        call: &'static str,
        command: &[u8],
        into: &mut [u8],
    ) -> Result<usize, RemoteError> {
        let mut attempts = 0;
        loop {
            if let Some(errno) = self.lost {
                return Err(self.refused(call, errno, &Reason::LostBefore.to_string()));
            }
            let reply = Box::into_raw(Reply::new(self.library));
            let mut block = [0; 16];
            block[..command.len()].copy_from_slice(command);
            let direction = libiscsi::XFER[usize::from(!into.is_empty())];
            // SAFETY: the library copies the command; the vector is in the reply, which lives until the callback ran or
            // the context is destroyed, and so does the memory that it names, because this function waits.
            let status = unsafe {
                let task = (self.library.create_task)(
                    command.len() as c_int,
                    block.as_mut_ptr(),
                    direction,
                    into.len() as c_int,
                );
                (*reply).task = task;
                (*reply).data = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
                if !into.is_empty() {
                    (self.library.set_data_in)(task, &raw mut (*reply).data, 1);
                }
                let lun = c_int::from(self.info.lun);
                (self.library.command)(self.context, lun, task, replied, null_mut(), reply.cast())
            };
            let waited = match status {
                0 => self.wait_for(reply, call, OPEN_LIMIT).map(drop),
                _ => {
                    // SAFETY: the library did not take the command.
                    unsafe {
                        let task = std::mem::replace(&mut (*reply).task, null_mut());
                        (self.library.free_task)(task);
                    }
                    Err(self.refused(call, libc::EIO, &self.text()))
                }
            };
            // SAFETY: the callback ran, or the command was not sent, or the context is destroyed: the library uses the
            // reply no more.
            let reply = unsafe { Box::from_raw(reply) };
            waited?;
            match reply.status {
                libiscsi::GOOD => return Ok(into.len().saturating_sub(reply.residual)),
                libiscsi::CHECK_CONDITION if reply.key == UNIT_ATTENTION && attempts < ATTEMPTS => {
                    attempts += 1
                }
                status => {
                    let text = self.text();
                    return Err(self.refused(call, errno_of(status, reply.key, reply.ascq), &text));
                }
            }
        }
    }

    /// Reads the capacity and what the LUN says of itself.
    fn inquire(&mut self) -> Result<(), RemoteError> {
        let mut data = [0; 96];
        let bytes = self.page(None, &mut data)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_matches([' ', '\0']).to_string();
        if bytes >= 36 {
            self.info.vendor = text(&data[8..16]);
            self.info.product = text(&data[16..32]);
            self.info.revision = text(&data[32..36]);
        }
        // A device of another type, or none behind this number (peripheral qualifier).
        if data[0] != 0 {
            let text = Reason::NotADisk(data[0]).to_string();
            return Err(self.refused("INQUIRY", libc::ENXIO, &text));
        }
        self.read_capacity()?;
        // Pages that a LUN does not have are not an error, unless the connection is lost.
        let page = |session: &mut Self, number: u8, least: usize| {
            let mut data = [0; 96];
            match session.page(Some(number), &mut data) {
                Ok(bytes) if bytes >= least && data[1] == number => Ok(Some(data)),
                Err(error) if session.lost.is_some() => Err(error),
                _ => Ok(None),
            }
        };
        if let Some(data) = page(self, 0x80, 4)? {
            let length = usize::from(data[3]).min(data.len() - 4);
            self.info.serial = text(&data[4..4 + length]);
        }
        if let Some(data) = page(self, 0xb1, 6)? {
            self.info.rotation_rate = match u16::from_be_bytes([data[4], data[5]]) {
                0 => None,
                1 => Some(0),
                rate => Some(rate),
            };
        }
        let unmap = page(self, 0xb2, 6)?.is_none_or(|data| data[5] & 0x80 != 0);
        self.trims = self.info.thin && unmap;
        self.info.unmap = self.trims;
        Ok(())
    }

    fn page(&mut self, page: Option<u8>, into: &mut [u8]) -> Result<usize, RemoteError> {
        let (vital, number) = (u8::from(page.is_some()), page.unwrap_or(0));
        self.read("INQUIRY", &[op::INQUIRY, vital, number, 0, into.len() as u8, 0], into)
    }

    fn read_capacity(&mut self) -> Result<(), RemoteError> {
        let word = |at: usize, bytes: &[u8]| {
            u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let mut long = [0; 32];
        let command = [op::SERVICE_ACTION_IN_16, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0];
        let (last, block) = match self.read("READ CAPACITY(16)", &command, &mut long) {
            Ok(bytes) if bytes >= 12 => {
                self.info.thin = long[14] & 0x80 != 0;
                self.info.physical_blocks = 1 << (long[13] & 0x0f);
                (u64::from(word(0, &long)) << 32 | u64::from(word(4, &long)), word(8, &long))
            }
            Err(error) if self.lost.is_some() => return Err(error),
            // Old disks know only the short command.
            _ => {
                let mut short = [0; 8];
                let command = [op::READ_CAPACITY_10, 0, 0, 0, 0, 0, 0, 0, 0, 0];
                self.read("READ CAPACITY(10)", &command, &mut short)?;
                self.info.physical_blocks = 1;
                (word(0, &short).into(), word(4, &short))
            }
        };
        self.capacity = Capacity::of(last, block).ok_or_else(|| {
            let text = Reason::Capacity { last, block }.to_string();
            self.refused("READ CAPACITY", libc::ENXIO, &text)
        })?;
        self.info.block = block;
        self.info.bytes = self.capacity.bytes();
        Ok(())
    }

    /// Returns the text of the library's last error.
    pub(super) fn text(&self) -> String {
        if self.context.is_null() {
            return String::new();
        }
        // SAFETY: the context is alive; its text is null or null-terminated.
        unsafe { text_of((self.library.get_error)(self.context)) }
    }

    pub(super) fn refused(&self, call: &'static str, errno: i32, text: &str) -> RemoteError {
        let text = one_line(text);
        let text = if text.is_empty() { errno_text(errno) } else { text };
        RemoteError::Refused { call, errno, text: format!("{}: {text}", self.name) }
    }

    /// Returns the socket and the events for which the library waits.
    pub(super) fn socket(&self) -> libc::pollfd {
        // SAFETY: the context is alive.
        let (fd, events) =
            unsafe { ((self.library.get_fd)(self.context), (self.library.which_events)(self.context)) };
        libc::pollfd { fd, events: events as i16 | libc::POLLRDHUP, revents: 0 }
    }

    /// Lets the library receive and send; callbacks run in here. Returns false if the connection is lost.
    pub(super) fn service(&self, events: i16) -> bool {
        // SAFETY: the context is alive; the pointers of the callbacks live until they were called or the context is
        // destroyed.
        unsafe { (self.library.service)(self.context, c_int::from(events & !libc::POLLRDHUP)) == 0 }
    }

    /// Ends the connection; callbacks of commands in flight run in here.
    pub(super) fn destroy(&mut self) {
        let context = std::mem::replace(&mut self.context, null_mut());
        if !context.is_null() {
            // SAFETY: the context is alive and not used any more.
            unsafe { (self.library.destroy_context)(context) };
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the reply is alive, and the library is not running.
        let logged_in = unsafe { (*self.login).done && (*self.login).status == libiscsi::GOOD };
        if !self.context.is_null() && self.lost.is_none() && self.in_flight == 0 && logged_in {
            let reply = Box::into_raw(Reply::new(self.library));
            // SAFETY: the context is alive; the reply lives until the context is destroyed.
            if unsafe { (self.library.logout)(self.context, replied, reply.cast()) } == 0 {
                // An error cannot be helped any more.
                let _ = self.wait_for(reply, "iscsi_logout", LOGOUT_LIMIT);
            }
            self.destroy();
            // SAFETY: from a box; the context is destroyed, so that no callback comes any more.
            drop(unsafe { Box::from_raw(reply) });
        }
        self.destroy();
        // SAFETY: as above.
        drop(unsafe { Box::from_raw(self.login) });
    }
}

fn wrong(reason: Reason) -> RemoteError {
    RemoteError::Refused { call: "iscsi_url", errno: libc::EINVAL, text: reason.to_string() }
}

/// Returns the errno of a command that failed.
pub(super) fn errno_of(status: c_int, key: c_int, ascq: c_int) -> i32 {
    match (status, key, ascq) {
        (libiscsi::LIBRARY_STATUS, ..) => libc::ENOTCONN,
        // The kernel's errno for it.
        (libiscsi::RESERVATION_CONFLICT, ..) => libc::EBADE,
        (libiscsi::CHECK_CONDITION, DATA_PROTECT, _) => libc::EROFS,
        (libiscsi::CHECK_CONDITION, NOT_READY, _) => libc::ENODEV,
        (libiscsi::CHECK_CONDITION, ILLEGAL_REQUEST, NO_LUN) => libc::ENXIO,
        (libiscsi::CHECK_CONDITION, ILLEGAL_REQUEST, OUT_OF_RANGE) => libc::ENOSPC,
        (libiscsi::CHECK_CONDITION, ILLEGAL_REQUEST, INVALID_COMMAND) => libc::EOPNOTSUPP,
        _ => libc::EIO,
    }
}
