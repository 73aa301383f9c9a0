//! A connection of libnfs to a server, with a mounted export, and its calls outside the loop of I/Os.

use super::super::reason::Reason;
use super::super::wait::{
    HANGUP, Waited, connection_number, errno_text, one_line, socket_error, text_of, wait,
};
use super::super::{OPEN_LIMIT, RemoteError};
use libc::{c_int, c_void};
use std::ffi::{CStr, CString};
use std::ptr::null_mut;
use std::time::{Duration, Instant};
use sys::libnfs::{Context, File, Nfs as Library, PACKAGE, Stat};

/// Longest time that a file takes to be closed at the end.
const CLOSE_LIMIT: Duration = Duration::from_secs(2);
/// Time between two attempts of the library to connect again.
pub(super) const RECONNECT_PAUSE: Duration = Duration::from_millis(10);

/// An exported directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NfsTarget {
    /// URL of the directory, with libnfs's arguments (fio's `nfs_url`): `nfs://HOST/EXPORT?version=3&nfsport=2049`. Without
    /// the argument `autoreconnect`, a connection that is lost while it is used fails the operations in flight and all later
    /// ones.
    pub url: String,
    /// Longest time that the server may send nothing while operations are in flight.
    pub timeout: Duration,
}

impl NfsTarget {
    /// Returns the directory and the name of the file of `nfs://HOST/DIRECTORY/NAME?ARGUMENTS`; `None` if a part is
    /// missing.
    pub fn of_file(url: &str, timeout: Duration) -> Option<(NfsTarget, String)> {
        let (path, arguments) = url.split_once('?').map_or((url, None), |(path, rest)| (path, Some(rest)));
        let (directory, name) = path.rsplit_once('/')?;
        let (host, _) = directory.strip_prefix("nfs://")?.split_once('/')?;
        if host.is_empty() || name.is_empty() {
            return None;
        }
        let arguments = arguments.map(|rest| format!("?{rest}")).unwrap_or_default();
        Some((NfsTarget { url: format!("{directory}{arguments}"), timeout }, name.into()))
    }

    pub(super) fn argument(&self, name: &str) -> Option<&str> {
        let (_, arguments) = self.url.split_once('?')?;
        arguments.split('&').filter_map(|one| one.split_once('=')).find(|one| one.0 == name).map(|one| one.1)
    }
}

/// What the server says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NfsInfo {
    /// Name or address of the server in the URL.
    pub server: String,
    /// Path that is mounted.
    pub export: String,
    /// Version of the protocol.
    pub version: u32,
    /// Largest number of bytes of one READ.
    pub read_max: u64,
    /// Largest number of bytes of one WRITE.
    pub write_max: u64,
}

/// Answer to a request outside the loop of I/Os.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) done: bool,
    pub(super) status: c_int,
    /// Pointer that the library returned.
    pub(super) result: *mut c_void,
    /// Where the result is copied, and the largest number of bytes.
    pub(super) into: *mut u8,
    pub(super) room: usize,
    /// Whether the number of bytes is the status; otherwise it is `room`.
    pub(super) counted: bool,
    pub(super) text: String,
}

impl Answer {
    pub(super) fn new() -> Self {
        Self {
            done: false,
            status: 0,
            result: null_mut(),
            into: null_mut(),
            room: 0,
            counted: false,
            text: String::new(),
        }
    }
}

/// Takes the answer to a request of [`Client::call`].
pub(super) unsafe extern "C" fn answered(
    status: c_int,
    _: *mut Context,
    data: *mut c_void,
    private: *mut c_void,
) {
    // SAFETY: `private` is the answer that `call` gave, which is alive: it is leaked if it does not come in time. Nothing
    // else refers to it while the library runs.
    let answer = unsafe { &mut *private.cast::<Answer>() };
    answer.done = true;
    answer.status = status;
    answer.result = data;
    if status < 0 {
        // SAFETY: the data of an error are its text.
        answer.text = unsafe { text_of(data.cast()) };
        return;
    }
    if !answer.into.is_null() && !data.is_null() {
        let bytes = if answer.counted { (status as usize).min(answer.room) } else { answer.room };
        // SAFETY: the library returns `status` bytes, or a struct of `room` bytes; `into` has room for as many until the
        // answer is here.
        unsafe { std::ptr::copy_nonoverlapping(data.cast::<u8>(), answer.into, bytes) };
    }
}

/// A client with a mounted export.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) library: &'static Library,
    pub(super) context: *mut Context,
    pub(super) info: NfsInfo,
    /// Whether the library connects again by itself.
    pub(super) reconnecting: bool,
}

impl Client {
    pub(super) fn open(target: &NfsTarget) -> Result<Self, RemoteError> {
        let library =
            Library::load().map_err(|missing| RemoteError::NoLibrary { missing, package: PACKAGE })?;
        let wrong =
            |text: String| RemoteError::Refused { call: "nfs_parse_url_dir", errno: libc::EINVAL, text };
        let version = match target.argument("version") {
            None | Some("3") => 3,
            Some("4") => 4,
            Some(other) => {
                let (url, version) = (target.url.clone(), other.into());
                return Err(wrong(Reason::Version { url, version }.to_string()));
            }
        };
        let url = CString::new(target.url.as_str())
            .map_err(|_| wrong(Reason::NullByte(target.url.clone()).to_string()))?;
        // SAFETY: no arguments.
        let context = unsafe { (library.init_context)() };
        if context.is_null() {
            let text = errno_text(libc::ENOMEM);
            return Err(RemoteError::Refused { call: "nfs_init_context", errno: libc::ENOMEM, text });
        }
        let info =
            NfsInfo { server: String::new(), export: String::new(), version, read_max: 0, write_max: 0 };
        let name = format!("fathom {} {}", std::process::id(), connection_number());
        let name = CString::new(name).unwrap_or_default();
        let reconnecting = !matches!(target.argument("autoreconnect"), None | Some("0"));
        let mut client = Self { library, context, info, reconnecting };
        // SAFETY: the context is alive and the URL null-terminated; the parts of the parsed URL are null or
        // null-terminated until it is destroyed.
        let parts = unsafe {
            // Before the URL, whose argument has precedence.
            (library.set_autoreconnect)(context, 0);
            (library.set_client_name)(context, name.as_ptr());
            let parsed = (library.parse_url_dir)(context, url.as_ptr());
            let parts = parsed.as_ref().filter(|url| !url.server.is_null() && !url.path.is_null());
            let parts = parts.map(|url| [url.server, url.path].map(|part| CStr::from_ptr(part).to_owned()));
            if !parsed.is_null() {
                (library.destroy_url)(parsed);
            }
            parts
        };
        let Some([server, path]) = parts else {
            return Err(wrong(format!("{}: {}", target.url, client.text())));
        };
        client.info.server = server.to_string_lossy().into();
        client.info.export = path.to_string_lossy().into();
        let mounted = client.call("nfs_mount", OPEN_LIMIT, Answer::new(), |library, context, private| {
            // SAFETY: context and texts are alive; `private` is the answer.
            unsafe { (library.mount)(context, server.as_ptr(), path.as_ptr(), answered, private) }
        });
        mounted.map_err(|error| match error {
            RemoteError::Refused { call, errno, text } => RemoteError::Refused {
                call,
                errno,
                text: Reason::Export { text, export: client.info.export.clone() }.to_string(),
            },
            other => other,
        })?;
        // SAFETY: the context is alive and mounted.
        unsafe {
            client.info.read_max = (library.get_readmax)(context);
            client.info.write_max = (library.get_writemax)(context);
        }
        Ok(client)
    }

    /// Returns the text of the library's last error.
    pub(super) fn text(&self) -> String {
        // SAFETY: the context is alive; its text is null or null-terminated.
        unsafe { text_of((self.library.get_error)(self.context)) }
    }

    pub(super) fn refused(&self, call: &'static str, errno: i32, text: &str) -> RemoteError {
        let text = if text.is_empty() { self.text() } else { one_line(text) };
        RemoteError::Refused { call, errno, text: format!("{}: {text}", self.info.server) }
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
        // SAFETY: the context is alive; the pointers of the callbacks are alive until they were called or the context is
        // destroyed.
        unsafe { (self.library.service)(self.context, c_int::from(events & !libc::POLLRDHUP)) == 0 }
    }

    /// Sends a request by `start` and waits for its answer.
    pub(super) fn call(
        &self,
        call: &'static str,
        limit: Duration,
        answer: Answer,
        start: impl FnOnce(&Library, *mut Context, *mut c_void) -> c_int,
    ) -> Result<Answer, RemoteError> {
        let deadline = Instant::now() + limit;
        let answer = Box::into_raw(Box::new(answer));
        // SAFETY: `answer` comes from a box and is freed or leaked below; the library is not running.
        let done = || unsafe { (*answer).done };
        // Error of the socket, if it has one.
        let mut broken = None;
        let failure = if start(self.library, self.context, answer.cast()) != 0 {
            Some((libc::EIO, String::new()))
        } else {
            loop {
                if done() {
                    break None;
                }
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    let text = Reason::Silent(limit).to_string();
                    break Some((libc::ETIMEDOUT, text));
                }
                let mut sockets = [self.socket()];
                let waited = wait(&mut sockets, left);
                let [socket] = sockets;
                let hangup = socket.revents & HANGUP != 0;
                broken = socket_error(&socket).or(broken);
                let alive = waited != Waited::Ready || self.service(socket.revents);
                if done() {
                    break None;
                }
                if !alive || hangup && !self.reconnecting {
                    let text = broken.map_or_else(|| self.text(), errno_text);
                    break Some((broken.unwrap_or(libc::ENOTCONN), text));
                }
                if hangup {
                    std::thread::sleep(RECONNECT_PAUSE);
                }
            }
        };
        if let Some((errno, text)) = failure {
            // SAFETY: as above. The library may still call back: the answer stays, and its memory is not written to.
            unsafe { (*answer).into = null_mut() };
            return Err(self.refused(call, errno, &text));
        }
        // SAFETY: the callback ran, which is the last use of the pointer by the library.
        let answer = unsafe { *Box::from_raw(answer) };
        if let Some(errno) = broken.filter(|_| answer.status < 0) {
            return Err(self.refused(call, errno, &errno_text(errno)));
        }
        if answer.status < 0 {
            return Err(self.refused(call, errno_of(answer.status), &answer.text));
        }
        Ok(answer)
    }

    /// Opens a file and returns it.
    pub(super) fn open_file(&self, name: &str, flags: c_int) -> Result<*mut File, RemoteError> {
        let path = self.path(name)?;
        self.call("nfs_open", OPEN_LIMIT, Answer::new(), |library, context, private| {
            // SAFETY: context and path are alive; `private` is the answer.
            unsafe { (library.open)(context, path.as_ptr(), flags, 0o644, answered, private) }
        })
        .map(|answer| answer.result.cast())
        .map_err(|error| named(error, name))
    }

    pub(super) fn path(&self, name: &str) -> Result<CString, RemoteError> {
        CString::new(format!("/{}", name.trim_start_matches('/')))
            .map_err(|_| self.refused("nfs_open", libc::EINVAL, &Reason::NullByte(name.into()).to_string()))
    }

    pub(super) fn size_of(&self, file: *mut File) -> Result<u64, RemoteError> {
        let mut stat = Stat::default();
        let answer = Answer { into: (&raw mut stat).cast(), room: size_of::<Stat>(), ..Answer::new() };
        self.call("nfs_fstat64", OPEN_LIMIT, answer, |library, context, private| {
            // SAFETY: context and file are alive; `private` is the answer.
            unsafe { (library.fstat)(context, file, answered, private) }
        })?;
        Ok(stat.size)
    }

    pub(super) fn truncate(&self, file: *mut File, size: u64) -> Result<(), RemoteError> {
        self.call("nfs_ftruncate", OPEN_LIMIT, Answer::new(), |library, context, private| {
            // SAFETY: context and file are alive; `private` is the answer.
            unsafe { (library.ftruncate)(context, file, size, answered, private) }
        })
        .map(drop)
    }

    /// Closes a file; an error cannot be helped any more.
    pub(super) fn close(&self, file: *mut File) {
        let _ = self.call("nfs_close", CLOSE_LIMIT, Answer::new(), |library, context, private| {
            // SAFETY: context and file are alive, and nobody uses the file after this; `private` is the answer.
            unsafe { (library.close)(context, file, answered, private) }
        });
    }

    /// Ends the connection; callbacks of requests in flight run in here.
    pub(super) fn destroy(&mut self) {
        let context = std::mem::replace(&mut self.context, null_mut());
        if !context.is_null() {
            // SAFETY: the context is alive and not used any more.
            unsafe { (self.library.destroy_context)(context) }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.destroy();
    }
}

/// Returns the errno of a status of the library. It gives EFAULT for errors of the connection and of the protocol, and EINTR
/// for cancelled requests.
pub(super) fn errno_of(status: c_int) -> i32 {
    match -status {
        libc::EFAULT | libc::EINTR => libc::EIO,
        errno => errno,
    }
}
/// Returns the error with the name of the file in its text.
pub(super) fn named(error: RemoteError, name: &str) -> RemoteError {
    match error {
        RemoteError::Refused { call, errno, text } => {
            RemoteError::Refused { call, errno, text: Reason::File { text, file: name.into() }.to_string() }
        }
        other => other,
    }
}
