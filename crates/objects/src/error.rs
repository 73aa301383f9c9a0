//! Errors of requests: each fits on one line and names the host; the call that failed is beside the text
//! ([`Error::call`]).

use sys::errno::errno_text;

/// Longest part of a server's text that is kept, in characters.
const LONGEST: usize = 300;

/// Reason why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The name of the host has no address, or the address of the endpoint cannot be read.
    #[error("{host}: {text}")]
    Address {
        /// Host as it was given.
        host: String,
        /// Text of the resolver.
        text: String,
    },
    /// A system call on the connection failed.
    #[error("{host}: {}", errno_text(*.errno))]
    Connection {
        /// Host and port.
        host: String,
        /// Name of the call.
        call: &'static str,
        /// errno of the call.
        errno: i32,
    },
    /// The server closed the connection before the answer was complete.
    #[error("{host}: the server closed the connection before the answer was complete")]
    Closed {
        /// Host and port.
        host: String,
    },
    /// The server sent nothing for this long.
    #[error("{host}: no answer for {seconds} s")]
    TimedOut {
        /// Host and port.
        host: String,
        /// Length of the wait in seconds.
        seconds: u64,
    },
    /// The TLS connection cannot be made, or it broke.
    #[error("{host}: {text}")]
    Tls {
        /// Host and port.
        host: String,
        /// Text of the TLS library.
        text: String,
    },
    /// The answer is not HTTP, or not what the protocol says.
    #[error("{host}: invalid answer: {what}")]
    Answer {
        /// Host and port.
        host: String,
        /// Part of the answer that is invalid.
        what: &'static str,
    },
    /// The server refused the request.
    #[error("{host}{path}: HTTP status {status}{}{code}{}{message}", if code.is_empty() { "" } else { " " }, if message.is_empty() { "" } else { ": " })]
    Status {
        /// Host and port.
        host: String,
        /// Method of the request.
        method: &'static str,
        /// Path of the request.
        path: String,
        /// HTTP status.
        status: u16,
        /// Error code of S3, as `NoSuchKey`; may be empty.
        code: String,
        /// Text of the server; may be empty.
        message: String,
    },
    /// The settings of the target cannot be used.
    #[error("invalid {option}")]
    Setting {
        /// fio's name of the option.
        option: &'static str,
    },
}

impl Error {
    /// Returns the errno that stands for the error.
    pub fn errno(&self) -> i32 {
        match self {
            Self::Address { .. } => libc::EHOSTUNREACH,
            Self::Connection { errno, .. } => *errno,
            Self::Closed { .. } => libc::ECONNRESET,
            Self::TimedOut { .. } => libc::ETIMEDOUT,
            Self::Tls { .. } | Self::Answer { .. } => libc::EIO,
            Self::Setting { .. } => libc::EINVAL,
            Self::Status { status, .. } => match status {
                401 | 403 => libc::EACCES,
                404 => libc::ENOENT,
                408 | 504 => libc::ETIMEDOUT,
                429 | 503 => libc::EBUSY,
                507 => libc::ENOSPC,
                _ => libc::EIO,
            },
        }
    }

    /// Returns the name of the call that failed: the method of a refused request, or the step of the connection.
    pub fn call(&self) -> &'static str {
        match self {
            Self::Address { .. } => "getaddrinfo",
            Self::Connection { call, .. } => call,
            Self::Closed { .. } | Self::TimedOut { .. } => "recv",
            Self::Tls { .. } => "TLS",
            Self::Answer { .. } => "HTTP",
            Self::Status { method, .. } => method,
            Self::Setting { .. } => "open",
        }
    }

    /// Returns the HTTP status, if the server answered with one.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Status { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Returns the error code of S3, as `NoSuchKey`.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Status { code, .. } if !code.is_empty() => Some(code),
            _ => None,
        }
    }

    /// Returns a short name of the kind of the error, for counts: S3's code, else the HTTP status, else the errno's
    /// call.
    pub fn kind(&self) -> String {
        match self {
            Self::Status { code, .. } if !code.is_empty() => code.clone(),
            Self::Status { status, .. } => format!("HTTP {status}"),
            Self::Connection { call, errno, .. } => {
                format!("{call}: {}", errno_text(*errno))
            }
            Self::Address { .. } => "address".into(),
            Self::Closed { .. } => "closed".into(),
            Self::TimedOut { .. } => "timeout".into(),
            Self::Tls { .. } => "TLS".into(),
            Self::Answer { .. } => "answer".into(),
            Self::Setting { .. } => "setting".into(),
        }
    }
}

/// Returns the text of a resolver's error.
pub(crate) fn resolver_text(error: &std::io::Error) -> String {
    error.raw_os_error().map_or_else(|| one_line(&error.to_string()), errno_text)
}

/// Returns a text of a server as one line of limited length, without control characters.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let line = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(status: u16, code: &str, message: &str) -> Error {
        let (code, message) = (code.into(), message.into());
        Error::Status { host: "h:80".into(), method: "GET", path: "/b/k".into(), status, code, message }
    }

    #[test]
    fn errors_of_servers_have_the_errno_of_their_status() {
        let errno = |of: u16| status(of, "", "").errno();
        assert_eq!(
            [403, 401, 404, 503, 504, 507, 500, 400].map(errno),
            [
                libc::EACCES,
                libc::EACCES,
                libc::ENOENT,
                libc::EBUSY,
                libc::ETIMEDOUT,
                libc::ENOSPC,
                libc::EIO,
                libc::EIO
            ]
        );
    }

    #[test]
    fn error_text_names_host_request_status_and_code() {
        let error = status(404, "NoSuchKey", "no key");
        assert_eq!(error.call(), "GET");
        assert_eq!(error.to_string(), "h:80/b/k: HTTP status 404 NoSuchKey: no key");
        assert_eq!(status(500, "", "").to_string(), "h:80/b/k: HTTP status 500");
        assert_eq!((error.kind().as_str(), status(500, "", "").kind().as_str()), ("NoSuchKey", "HTTP 500"));
    }

    #[test]
    fn error_of_a_system_call_has_its_text_without_the_number() {
        let error = Error::Connection { host: "h:80".into(), call: "connect", errno: libc::ECONNREFUSED };
        assert_eq!(error.to_string(), "h:80: Connection refused");
        assert_eq!(error.kind(), "connect: Connection refused");
    }

    #[test]
    fn text_of_a_server_becomes_one_bounded_line() {
        assert_eq!(one_line(" a\r\n\tb\x1b[2J  c "), "a b [2J c");
        assert_eq!(one_line(&"ä".repeat(1000)).chars().count(), LONGEST + 3);
    }
}
