//! Reading of an answer: head, framing of the contents, and where the contents go. Holds no socket, so that any
//! division of the bytes can be tested.

use crate::request::{Expected, Method, Response, Sink};
use std::time::Duration;

/// Largest head of an answer, in bytes.
const HEAD_LIMIT: usize = 64 << 10;
/// Largest number of headers.
const HEADERS: usize = 64;
/// Largest number of provisional answers (1xx) to a request; one is usual.
const PROVISIONAL: u32 = 100;
/// Largest text that is kept; a list of 1000 keys of 1024 bytes fits.
const TEXT_LIMIT: usize = 8 << 20;
/// Largest line of a chunk's size or of a trailer, in bytes.
const LINE_LIMIT: usize = 4096;

/// How the contents end (RFC 9112, section 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    /// The head is not complete.
    Head,
    /// So many bytes are left.
    Length(u64),
    /// The line of a chunk's size.
    ChunkSize,
    /// So many bytes of a chunk are left.
    Chunk(u64),
    /// The line end after a chunk.
    ChunkEnd,
    /// The lines after the last chunk.
    Trailer,
    /// Until the server closes the connection.
    UntilClose,
    /// The answer is complete.
    Complete,
}

/// An answer that is being read.
#[derive(Debug)]
pub(crate) struct Answer {
    method: Method,
    sink: Sink,
    keep_headers: bool,
    /// Number of provisional answers before the answer.
    provisional: u32,
    framing: Framing,
    /// Bytes of an incomplete head or line.
    pending: Vec<u8>,
    /// Whether the connection can take another request.
    keep_alive: bool,
    /// Contents that a successful answer is compared with.
    pub(crate) expected: Option<Expected>,
    pub(crate) response: Response,
}

impl Answer {
    pub(crate) fn new(method: Method, sink: Sink, keep_headers: bool) -> Answer {
        Answer {
            method,
            sink,
            keep_headers,
            provisional: 0,
            framing: Framing::Head,
            pending: Vec::new(),
            keep_alive: true,
            expected: None,
            response: Response::default(),
        }
    }

    pub(crate) fn complete(&self) -> bool {
        self.framing == Framing::Complete
    }

    pub(crate) fn keep_alive(&self) -> bool {
        self.keep_alive && self.complete()
    }

    /// Returns the part of the caller's buffer to which the next bytes of the connection may be written directly: only
    /// bytes of the contents come next.
    pub(crate) fn direct<'a>(&self, target: &'a mut [u8]) -> Option<&'a mut [u8]> {
        let Framing::Length(left) = self.framing else { return None };
        if self.sink != Sink::Buffer || self.expected.is_some() || !self.response.success() {
            return None;
        }
        let start = usize::try_from(self.response.received).ok().filter(|start| *start < target.len())?;
        let rest = &mut target[start..];
        let len = rest.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        Some(&mut rest[..len])
    }

    /// Counts bytes that were written to the place that [`Answer::direct`] returned.
    pub(crate) fn advance(&mut self, read: usize) {
        self.response.received += read as u64;
        if let Framing::Length(left) = self.framing {
            self.framing = length(left - read as u64);
        }
    }

    /// Takes the end of the connection: it completes an answer without a length.
    pub(crate) fn end(&mut self) -> bool {
        self.keep_alive = false;
        if self.framing == Framing::UntilClose {
            self.framing = Framing::Complete;
        }
        self.complete()
    }

    /// Returns whether nothing of the answer has come but provisional answers.
    pub(crate) fn not_begun(&self) -> bool {
        self.framing == Framing::Head && self.pending.is_empty()
    }

    /// Returns whether the head of the answer is not complete.
    pub(crate) fn in_head(&self) -> bool {
        self.framing == Framing::Head
    }

    /// Takes bytes of the connection.
    ///
    /// # Errors
    /// The part of the answer that is invalid.
    pub(crate) fn feed(&mut self, bytes: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
        if self.framing != Framing::Head {
            return self.contents(bytes, target);
        }
        self.pending.extend_from_slice(bytes);
        let Some(end) = self.head()? else {
            return if self.pending.len() > HEAD_LIMIT { Err("head") } else { Ok(()) };
        };
        let rest = self.pending.split_off(end);
        self.pending.clear();
        self.contents(&rest, target)
    }

    /// Reads the head, and drops provisional answers before it; returns where it ends.
    fn head(&mut self) -> Result<Option<usize>, &'static str> {
        let mut start = 0;
        loop {
            let mut headers = [httparse::EMPTY_HEADER; HEADERS];
            let mut head = httparse::Response::new(&mut headers);
            let end = match head.parse(&self.pending[start..]) {
                Ok(httparse::Status::Complete(len)) => start + len,
                Ok(httparse::Status::Partial) => {
                    self.pending.drain(..start);
                    return Ok(None);
                }
                Err(_) => return Err("head"),
            };
            let status = head.code.unwrap_or(0);
            if (100..200).contains(&status) {
                self.provisional += 1;
                if self.provisional > PROVISIONAL {
                    return Err("provisional");
                }
                start = end;
                continue;
            }
            self.response.status = status;
            self.keep_alive = head.version == Some(1);
            let (mut chunked, mut length_of) = (false, None);
            for header in head.headers.iter() {
                let value = String::from_utf8_lossy(header.value);
                let value = value.trim();
                let is = |name: &str| header.name.eq_ignore_ascii_case(name);
                if is("content-length") {
                    let len = value.parse().map_err(|_| "content-length")?;
                    if length_of.is_some_and(|other: u64| other != len) {
                        return Err("content-length");
                    }
                    length_of = Some(len);
                } else if is("transfer-encoding") {
                    chunked = value.to_ascii_lowercase().ends_with("chunked");
                } else if is("connection") {
                    let value = value.to_ascii_lowercase();
                    self.keep_alive =
                        (self.keep_alive && !value.contains("close")) || value.contains("keep-alive");
                } else if is("etag") {
                    self.response.etag = Some(value.into());
                } else if let Some(time) = server_time(header.name, value) {
                    self.response.timings.server = Some(time);
                }
                if self.keep_headers {
                    self.response.headers.push((header.name.to_ascii_lowercase(), value.into()));
                }
            }
            self.response.content_length = length_of;
            self.framing = if self.method == Method::Head || status == 204 || status == 304 {
                Framing::Complete
            } else if chunked {
                Framing::ChunkSize
            } else if let Some(len) = length_of {
                length(len)
            } else {
                Framing::UntilClose
            };
            return Ok(Some(end));
        }
    }

    fn contents(&mut self, mut bytes: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
        while !bytes.is_empty() {
            match self.framing {
                Framing::Length(left) | Framing::Chunk(left) => {
                    let len = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
                    let (now, rest) = bytes.split_at(len);
                    self.store(now, target);
                    bytes = rest;
                    let left = left - len as u64;
                    self.framing = match (self.framing, left) {
                        (Framing::Chunk(_), 0) => Framing::ChunkEnd,
                        (Framing::Chunk(_), left) => Framing::Chunk(left),
                        (_, left) => length(left),
                    };
                }
                Framing::UntilClose => {
                    self.store(bytes, target);
                    return Ok(());
                }
                Framing::ChunkSize | Framing::ChunkEnd | Framing::Trailer => {
                    let Some(line_end) = bytes.iter().position(|byte| *byte == b'\n') else {
                        self.pending.extend_from_slice(bytes);
                        return if self.pending.len() > LINE_LIMIT { Err("chunk") } else { Ok(()) };
                    };
                    self.pending.extend_from_slice(&bytes[..line_end]);
                    bytes = &bytes[line_end + 1..];
                    let line = std::mem::take(&mut self.pending);
                    self.framing = next_of_line(self.framing, line.trim_ascii())?;
                }
                // A server that sends more than it announced is not asked again.
                Framing::Complete => {
                    self.keep_alive = false;
                    return Ok(());
                }
                Framing::Head => return Err("head"),
            }
        }
        Ok(())
    }

    fn store(&mut self, bytes: &[u8], target: &mut [u8]) {
        let sink = if self.response.success() { self.sink } else { Sink::Text };
        if let Some(expected) = &self.expected
            && self.response.success()
            && self.response.differs.is_none()
        {
            self.response.differs = expected.first_difference(self.response.received, bytes);
        }
        match sink {
            Sink::Text => {
                let room = TEXT_LIMIT.saturating_sub(self.response.text.len()).min(bytes.len());
                self.response.text.extend_from_slice(&bytes[..room]);
            }
            Sink::Buffer => {
                let start = usize::try_from(self.response.received).unwrap_or(usize::MAX).min(target.len());
                let len = bytes.len().min(target.len() - start);
                target[start..start + len].copy_from_slice(&bytes[..len]);
            }
            Sink::Discard => {}
        }
        self.response.received += bytes.len() as u64;
    }
}

fn length(left: u64) -> Framing {
    if left == 0 { Framing::Complete } else { Framing::Length(left) }
}

fn next_of_line(framing: Framing, line: &[u8]) -> Result<Framing, &'static str> {
    Ok(match framing {
        Framing::ChunkSize => {
            let digits = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
            let digits = std::str::from_utf8(digits).map_err(|_| "chunk")?;
            match u64::from_str_radix(digits, 16).map_err(|_| "chunk")? {
                0 => Framing::Trailer,
                len => Framing::Chunk(len),
            }
        }
        Framing::ChunkEnd if line.is_empty() => Framing::ChunkSize,
        Framing::ChunkEnd => return Err("chunk"),
        _ if line.is_empty() => Framing::Complete,
        other => other,
    })
}

/// Returns the time of the server that a header names.
fn server_time(name: &str, value: &str) -> Option<Duration> {
    let seconds = if name.eq_ignore_ascii_case("server-timing") {
        // `db;dur=53, total;dur=60.5`: the total, else the longest.
        let metrics = value.split(',').filter_map(|metric| {
            let mut parts = metric.split(';').map(str::trim);
            let name = parts.next()?;
            let time: f64 =
                parts.find_map(|part| part.strip_prefix("dur="))?.trim_matches('"').parse().ok()?;
            Some((name.eq_ignore_ascii_case("total"), time))
        });
        metrics.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))?.1 / 1e3
    } else if name.eq_ignore_ascii_case("x-envoy-upstream-service-time") {
        value.parse::<f64>().ok()? / 1e3
    } else if name.eq_ignore_ascii_case("x-runtime") {
        value.parse().ok()?
    } else {
        return None;
    };
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Feeds `bytes` in parts that end at `cuts`, then the end of the connection, and returns the answer and the buffer.
    fn read(bytes: &[u8], cuts: &[usize], method: Method, sink: Sink) -> (Answer, Vec<u8>) {
        let mut answer = Answer::new(method, sink, true);
        let mut buffer = vec![0; 8];
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(bytes.len());
        let mut start = 0;
        for cut in cuts {
            // As a connection does: directly where possible.
            while start < cut {
                if let Some(place) = answer.direct(&mut buffer) {
                    let len = place.len().min(cut - start);
                    place[..len].copy_from_slice(&bytes[start..start + len]);
                    answer.advance(len);
                    start += len;
                } else {
                    answer.feed(&bytes[start..cut], &mut buffer).expect("a valid answer");
                    start = cut;
                }
            }
        }
        (answer, buffer)
    }

    #[test]
    fn provisional_answers_without_end_are_an_error() {
        let mut answer = Answer::new(Method::Get, Sink::Text, false);
        let feed = |answer: &mut Answer| answer.feed(b"HTTP/1.1 100 Continue\r\n\r\n", &mut []);
        assert!((0..PROVISIONAL).all(|_| feed(&mut answer).is_ok()));
        assert_eq!(feed(&mut answer), Err("provisional"));
    }

    proptest! {
        #[test]
        fn division_of_the_bytes_does_not_change_an_answer(cuts in proptest::collection::vec(0usize..400, 0..12)) {
            let chunked = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"e\"\r\n\r\n\
                3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n";
            let (answer, _) = read(chunked, &cuts, Method::Get, Sink::Text);
            prop_assert!(answer.keep_alive());
            prop_assert_eq!(&answer.response.text, b"abc0123456789");
            prop_assert_eq!(answer.response.etag.as_deref(), Some("\"e\""));

            let sized = b"HTTP/1.1 206 Partial\r\nContent-Length: 8\r\n\r\n01234567";
            let (answer, buffer) = read(sized, &cuts, Method::Get, Sink::Buffer);
            prop_assert!(answer.keep_alive());
            prop_assert_eq!(&buffer, b"01234567");

            let long = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789";
            let (answer, buffer) = read(long, &cuts, Method::Get, Sink::Buffer);
            prop_assert!(answer.complete());
            prop_assert_eq!((&buffer[..], answer.response.received), (&b"01234567"[..], 10));
        }

        #[test]
        fn any_bytes_are_an_answer_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut answer = Answer::new(Method::Get, Sink::Text, false);
            let _ = answer.feed(&bytes, &mut []);
            let mut answer = Answer::new(Method::Get, Sink::Text, false);
            let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            let _ = answer.feed(&[head, bytes.as_slice()].concat(), &mut []);
        }
    }

    #[test]
    fn errors_are_text_also_where_contents_were_asked_for() {
        let bytes = b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nerror";
        let (answer, buffer) = read(bytes, &[], Method::Get, Sink::Buffer);
        assert_eq!((answer.response.text.as_slice(), buffer), (&b"error"[..], vec![0; 8]));
    }

    #[test]
    fn answers_without_contents_are_complete_after_the_head() {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 4096\r\nX-A: b\r\n\r\n";
        let (answer, _) = read(head, &[], Method::Head, Sink::Text);
        assert!(answer.keep_alive());
        assert_eq!(answer.response.content_length, Some(4096));
        assert_eq!(answer.response.header("x-a"), Some("b"));
        assert!(read(b"HTTP/1.1 204 No Content\r\n\r\n", &[], Method::Delete, Sink::Text).0.keep_alive());
    }

    #[test]
    fn connections_are_kept_only_where_the_answer_allows_it() {
        let kept = |head: &str| {
            let text = format!("{head}\r\nContent-Length: 0\r\n\r\n");
            read(text.as_bytes(), &[], Method::Get, Sink::Text).0.keep_alive()
        };
        assert!(kept("HTTP/1.1 200 OK"));
        assert!(!kept("HTTP/1.1 200 OK\r\nConnection: close"));
        assert!(!kept("HTTP/1.0 200 OK"));
        assert!(kept("HTTP/1.0 200 OK\r\nConnection: Keep-Alive"));
        let mut answer = Answer::new(Method::Get, Sink::Text, false);
        answer.feed(b"HTTP/1.1 200 OK\r\n\r\nabc", &mut []).expect("a valid answer");
        assert!(!answer.complete());
        assert!(answer.end() && !answer.keep_alive());
        assert_eq!(answer.response.text, b"abc");
    }

    #[test]
    fn times_of_servers_are_read_from_their_headers() {
        let ms = |name, value| server_time(name, value).map(|time| time.as_micros());
        assert_eq!(ms("Server-Timing", "db;dur=53, total;dur=20.5;desc=x, app;dur=47.2"), Some(20_500));
        assert_eq!(ms("server-timing", "db;dur=53, app;dur=47.2"), Some(53_000));
        assert_eq!(ms("X-Runtime", "0.25"), Some(250_000));
        assert_eq!(ms("X-Envoy-Upstream-Service-Time", "3"), Some(3000));
        assert_eq!(ms("Server-Timing", "cache"), None);
        assert_eq!(ms("Date", "1"), None);
    }
}
