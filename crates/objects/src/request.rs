//! Requests, their answers and their times.

use std::sync::Arc;
use std::time::Duration;

/// Method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads an object or a list.
    Get,
    /// Writes an object.
    Put,
    /// Reads the size and the metadata of an object.
    Head,
    /// Removes an object.
    Delete,
    /// Starts or completes a multipart upload.
    Post,
}

impl Method {
    /// Returns the method as HTTP writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Head => "HEAD",
            Self::Delete => "DELETE",
            Self::Post => "POST",
        }
    }
}

/// Contents that a request sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Body {
    /// No contents.
    #[default]
    Empty,
    /// These bytes.
    Text(Vec<u8>),
    /// The first bytes of the slot's buffer.
    Buffer(usize),
}

/// Place for the contents of a successful answer. Errors and everything that is no success are kept as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sink {
    /// [`Response::text`].
    #[default]
    Text,
    /// The slot's buffer, from its start; bytes beyond its end are counted and dropped.
    Buffer,
    /// Counted and dropped.
    Discard,
}

/// Buffers of the slots of a client.
pub trait Buffers {
    /// Returns the bytes that the request in `slot` sends, at least as many as its [`Body::Buffer`] says.
    fn sent(&self, slot: usize) -> &[u8];
    /// Returns the bytes to which the answer in `slot` is written.
    fn received(&mut self, slot: usize) -> &mut [u8];
}

/// Buffers of a client whose requests have none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBuffers;

impl Buffers for NoBuffers {
    fn sent(&self, _slot: usize) -> &[u8] {
        &[]
    }

    fn received(&mut self, _slot: usize) -> &mut [u8] {
        &mut []
    }
}

/// One buffer for all slots.
#[derive(Debug)]
pub struct OneBuffer<'a>(pub &'a mut [u8]);

impl Buffers for OneBuffer<'_> {
    fn sent(&self, _slot: usize) -> &[u8] {
        self.0
    }

    fn received(&mut self, _slot: usize) -> &mut [u8] {
        self.0
    }
}

/// Contents that a successful answer should have: bytes of `data` from `start` on, for as long as the answer is.
#[derive(Clone, PartialEq, Eq)]
pub struct Expected {
    /// Bytes from which the contents were taken.
    pub data: Arc<Vec<u8>>,
    /// Offset of the first of them in `data`.
    pub start: usize,
}

impl std::fmt::Debug for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expected").field("start", &self.start).finish_non_exhaustive()
    }
}

impl Expected {
    /// Returns the offset in the contents of the first byte that differs, if `bytes` are the contents from `offset` on.
    pub fn first_difference(&self, offset: u64, bytes: &[u8]) -> Option<u64> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).saturating_add(self.start);
        let wanted = self.data.get(start..).unwrap_or_default();
        if wanted.get(..bytes.len()) == Some(bytes) {
            return None;
        }
        let equal = bytes.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        Some(offset + equal as u64)
    }
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Method.
    pub method: Method,
    /// Path, not encoded.
    pub path: String,
    /// Names and values of the query, not encoded.
    pub query: Vec<(String, String)>,
    /// Headers beside `host` and `content-length`, names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// Contents that are sent.
    pub body: Body,
    /// Place for the contents of the answer.
    pub sink: Sink,
    /// Whether [`Response::headers`] is filled.
    pub keep_headers: bool,
    /// Contents that the answer is compared with while it is received.
    pub expected: Option<Expected>,
}

impl Request {
    /// Returns a request without query, headers and contents.
    pub fn new(method: Method, path: impl Into<String>) -> Request {
        Request {
            method,
            path: path.into(),
            query: Vec::new(),
            headers: Vec::new(),
            body: Body::Empty,
            sink: Sink::Text,
            keep_headers: false,
            expected: None,
        }
    }

    /// Adds a name and a value to the query.
    #[must_use]
    pub fn query(mut self, name: &str, value: impl Into<String>) -> Request {
        self.query.push((name.into(), value.into()));
        self
    }

    /// Adds a header; `name` is in lower case.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Request {
        self.headers.push((name, value.into()));
        self
    }

    /// Asks for `len` bytes from byte `start` of the object.
    #[must_use]
    pub fn range(self, start: u64, len: u64) -> Request {
        let last = start + len.max(1) - 1;
        self.header("range", format!("bytes={start}-{last}"))
    }

    /// Returns the number of bytes that the request sends.
    pub fn length(&self) -> usize {
        match &self.body {
            Body::Empty => 0,
            Body::Text(text) => text.len(),
            Body::Buffer(len) => *len,
        }
    }

    /// Returns path and query as they are sent.
    pub fn target(&self) -> String {
        let mut out = encoded(&self.path, true);
        let query = canonical_query(&self.query);
        if !query.is_empty() {
            out.push('?');
            out.push_str(&query);
        }
        out
    }
}

/// Times of a request, measured from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Until the connection was made, with the handshake of TLS; `None` if the request used a kept connection.
    pub connect: Option<Duration>,
    /// Until the first byte of the answer was read.
    pub first_byte: Duration,
    /// Until the last byte of the answer was read.
    pub last_byte: Duration,
    /// Time that the server says it took (`Server-Timing`, `X-Runtime`, `X-Envoy-Upstream-Service-Time`).
    pub server: Option<Duration>,
}

/// Answer of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Bytes of contents that were received.
    pub received: u64,
    /// Value of `content-length`: of an answer to HEAD, the size of the object.
    pub content_length: Option<u64>,
    /// Value of `etag`.
    pub etag: Option<String>,
    /// Offset of the first byte that differs from the contents that the request expects.
    pub differs: Option<u64>,
    /// Contents, if the request asked for text or failed.
    pub text: Vec<u8>,
    /// All headers with names in lower case, if the request asked for them.
    pub headers: Vec<(String, String)>,
    /// Times of the request.
    pub timings: Timings,
}

impl Response {
    /// Returns whether the server carried out the request.
    pub fn success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns the value of a header, if the request asked to keep them; `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    /// Returns the contents as text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.text)
    }
}

/// Returns the text with every byte but letters, digits, `-._~` and, in paths, `/` as `%XX`.
pub(crate) fn encoded(text: &str, path: bool) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = String::with_capacity(text.len() + 8);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || (path && byte == b'/') {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    out
}

/// Returns the query, encoded and in the order of the encoded names and values.
pub(crate) fn canonical_query(query: &[(String, String)]) -> String {
    let mut parts: Vec<(String, String)> =
        query.iter().map(|(name, value)| (encoded(name, false), encoded(value, false))).collect();
    parts.sort();
    let parts: Vec<String> = parts.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    parts.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_encodes_path_and_query_and_sorts_the_query() {
        let request = Request::new(Method::Get, "/b/a b+ü").query("prefix", "x/y").query("list-type", "2");
        assert_eq!(request.target(), "/b/a%20b%2B%C3%BC?list-type=2&prefix=x%2Fy");
    }

    #[test]
    fn first_difference_is_an_offset_in_the_contents() {
        let expected = Expected { data: Arc::new(b"xxabcdef".to_vec()), start: 2 };
        assert_eq!(expected.first_difference(0, b"abcdef"), None);
        assert_eq!(expected.first_difference(2, b"cdXf"), Some(4));
        // More than was written.
        assert_eq!(expected.first_difference(4, b"efg"), Some(6));
        assert_eq!(expected.first_difference(9, b"z"), Some(9));
    }

    #[test]
    fn range_names_first_and_last_byte() {
        let request = Request::new(Method::Get, "/k").range(4096, 4096);
        assert_eq!(request.headers, [("range", "bytes=4096-8191".to_string())]);
    }
}
