//! Waiting for the sockets of libraries that have an event loop of their own.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
pub(super) use sys::errno::errno_text;

/// Events that end a connection. POLLRDHUP alone may come with data that was sent before the end.
pub(super) const HANGUP: i16 = libc::POLLHUP | libc::POLLERR | libc::POLLNVAL | libc::POLLRDHUP;

/// Result of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// A socket has events.
    Ready,
    /// The time is over.
    TimedOut,
    /// A signal came.
    Interrupted,
}

/// Waits for the events of the sockets, at most for `limit`.
pub(super) fn wait(sockets: &mut [libc::pollfd], limit: Duration) -> Waited {
    let time = libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(limit.subsec_nanos() as i32),
    };
    // SAFETY: the array and the time live across the call.
    let ready = unsafe {
        libc::ppoll(sockets.as_mut_ptr(), sockets.len() as libc::nfds_t, &raw const time, std::ptr::null())
    };
    match ready {
        0 => Waited::TimedOut,
        1.. => Waited::Ready,
        _ => Waited::Interrupted,
    }
}

/// Returns and clears the error of a socket whose events contain POLLERR; the libraries' texts do not have it.
pub(super) fn socket_error(socket: &libc::pollfd) -> Option<i32> {
    if socket.revents & libc::POLLERR == 0 {
        return None;
    }
    let (mut errno, mut size) = (0 as libc::c_int, size_of::<libc::c_int>() as libc::socklen_t);
    // SAFETY: the option is an int, for which there is room.
    let failed = unsafe {
        let into = (&raw mut errno).cast();
        libc::getsockopt(socket.fd, libc::SOL_SOCKET, libc::SO_ERROR, into, &raw mut size)
    };
    (failed == 0 && errno != 0).then_some(errno)
}

/// Time without operations after which a connection is examined before it is used again.
const IDLE: Duration = Duration::from_secs(1);

/// Time since the server last sent something while requests waited for it.
#[derive(Debug)]
pub(super) struct Silence {
    limit: Duration,
    since: Option<Instant>,
    /// When the last wait began: the last operations completed shortly after it.
    last: Instant,
}

impl Silence {
    pub(super) fn new(limit: Duration) -> Self {
        Self { limit, since: None, last: Instant::now() }
    }

    /// Returns the time that the server still has to send something; the first call after [`Silence::end`] starts it.
    pub(super) fn remaining(&mut self) -> Duration {
        match self.since {
            Some(since) => self.limit.saturating_sub(since.elapsed()),
            None => {
                self.since = Some(Instant::now());
                self.limit
            }
        }
    }

    pub(super) fn end(&mut self) {
        if let Some(since) = self.since.take() {
            self.last = since;
        }
    }

    /// Begins operations after a time without any; returns whether the server may have closed the connection meanwhile, as
    /// servers do with connections that are not used.
    pub(super) fn begin(&mut self) -> bool {
        self.end();
        let idle = self.last.elapsed() >= IDLE;
        if idle {
            self.last = Instant::now();
        }
        idle
    }

    pub(super) fn limit(&self) -> Duration {
        self.limit
    }
}

/// Returns a number that no other connection of this process has. The libraries make names of connections from the time
/// and the pid: a server takes a second connection of the same name for the first one after a restart, and ends that.
pub(super) fn connection_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Returns a text of a library on one line.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns a text of a library on one line; an empty text if there is none.
///
/// # Safety
/// `text` is null or ends with a null byte.
pub(super) unsafe fn text_of(text: *const libc::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: null-terminated, as the caller guarantees.
    one_line(&unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_libraries_are_one_line() {
        assert_eq!(one_line(" login failed\n\tcode 513\0 \r\n"), "login failed code 513");
        // SAFETY: null is allowed.
        assert_eq!(unsafe { text_of(std::ptr::null()) }, "");
    }

    #[test]
    fn silence_lasts_until_the_server_sends() {
        let mut silence = Silence::new(Duration::from_secs(60));
        assert_eq!(silence.remaining(), Duration::from_secs(60));
        assert!(silence.remaining() <= Duration::from_secs(60));
        silence.since = silence.since.and_then(|since| since.checked_sub(Duration::from_secs(61)));
        assert_eq!(silence.remaining(), Duration::ZERO);
        silence.end();
        assert_eq!(silence.remaining(), Duration::from_secs(60));
    }
}
