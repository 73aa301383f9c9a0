//! One kept-alive connection and the request on it.

use crate::answer::Answer;
use crate::request::{Body, Buffers, Request};
use crate::transport::{TlsSetup, Transport};
use std::io;
use std::net::SocketAddr;
use std::time::Instant;

/// Reason why a request failed on its connection.
#[derive(Debug)]
pub(crate) enum Failure {
    Call { call: &'static str, error: io::Error },
    Closed,
    Answer(&'static str),
}

/// What epoll said of the socket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// Whether it can be written, or has an error.
    pub(crate) writable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    Connecting,
    Exchange,
}

/// A connection; it is made when a request needs it.
#[derive(Debug)]
pub(crate) struct Connection {
    transport: Option<Transport>,
    phase: Phase,
    /// Requests that the connection has served.
    served: u64,
    /// Head of the request, and contents that are no buffer.
    head: Vec<u8>,
    /// Bytes of the slot's buffer that the request sends.
    contents: usize,
    sent: usize,
    answer: Option<Answer>,
    started: Instant,
    connected: Option<Instant>,
    first_byte: Option<Instant>,
    /// Time of the last progress.
    pub(crate) progress: Instant,
}

impl Connection {
    pub(crate) fn new() -> Connection {
        let now = Instant::now();
        Connection {
            transport: None,
            phase: Phase::Idle,
            served: 0,
            head: Vec::new(),
            contents: 0,
            sent: 0,
            answer: None,
            started: now,
            connected: None,
            first_byte: None,
            progress: now,
        }
    }

    pub(crate) fn busy(&self) -> bool {
        self.answer.is_some()
    }

    pub(crate) fn connected(&self) -> bool {
        self.transport.is_some()
    }

    pub(crate) fn transport(&self) -> Option<&Transport> {
        self.transport.as_ref()
    }

    /// Returns whether the connection served requests before and sent nothing of the answer to this one: the server
    /// may have closed it before it read the request, which can be sent again.
    pub(crate) fn was_stale(&self) -> bool {
        self.served > 0 && self.first_byte.is_none()
    }

    /// Prepares a request to `host`.
    pub(crate) fn prepare(&mut self, request: &Request, host: &str) {
        use std::io::Write;
        let now = Instant::now();
        (self.started, self.progress) = (now, now);
        (self.connected, self.first_byte) = (None, None);
        self.sent = 0;
        self.head.clear();
        self.contents = 0;
        let head = &mut self.head;
        let _ = write!(head, "{} {} HTTP/1.1\r\nhost: {host}\r\n", request.method.name(), request.target());
        for (name, value) in &request.headers {
            // A line end in a value would begin another header.
            let _ = write!(head, "{name}: {}\r\n", value.replace(['\r', '\n'], " "));
        }
        let none = matches!(request.body, Body::Empty);
        if !none || matches!(request.method, crate::Method::Put | crate::Method::Post) {
            let _ = write!(head, "content-length: {}\r\n", request.length());
        }
        head.extend_from_slice(b"\r\n");
        match &request.body {
            Body::Empty => {}
            Body::Text(text) => head.extend_from_slice(text),
            Body::Buffer(len) => self.contents = *len,
        }
        let mut answer = Answer::new(request.method, request.sink, request.keep_headers);
        answer.expected.clone_from(&request.expected);
        self.answer = Some(answer);
        self.phase = if self.transport.is_some() { Phase::Exchange } else { Phase::Idle };
    }

    /// Begins a new connection for the prepared request, which is sent from its start.
    pub(crate) fn connect(&mut self, address: &SocketAddr, tls: Option<&TlsSetup>) -> Result<(), Failure> {
        self.sent = 0;
        self.served = 0;
        self.progress = Instant::now();
        let begun = Transport::begin(address, tls);
        self.transport = Some(begun.map_err(|error| Failure::Call { call: "connect", error })?);
        self.phase = Phase::Connecting;
        Ok(())
    }

    /// Closes the connection.
    pub(crate) fn close(&mut self) {
        self.transport = None;
        self.phase = Phase::Idle;
    }

    /// Ends the request without an answer, and the connection with it.
    pub(crate) fn abandon(&mut self) {
        self.answer = None;
        self.close();
    }

    /// Returns whether the attempt to connect failed, so that another address can be tried.
    pub(crate) fn connecting(&self) -> bool {
        self.phase == Phase::Connecting
    }

    /// Sends and receives until the socket would block; returns the answer when it is complete. Without an `event`, the
    /// request was just prepared, and there can be no answer to it.
    pub(crate) fn drive(
        &mut self,
        slot: usize,
        event: Option<Event>,
        buffers: &mut impl Buffers,
        scratch: &mut [u8],
    ) -> Result<Option<crate::Response>, Failure> {
        let writable = event.is_some_and(|event| event.writable);
        if self.phase == Phase::Connecting && !(writable && self.finish_connect()?) {
            return Ok(None);
        }
        if self.phase == Phase::Idle {
            return Ok(None);
        }
        let sent = self.send(slot, buffers);
        if event.is_none() && sent.is_ok() {
            return Ok(None);
        }
        // An answer may be complete although the server closed the connection before it took the whole request.
        match self.receive(slot, buffers, scratch) {
            Ok(true) => Ok(self.finish()),
            Ok(false) => sent.map(|()| None),
            Err(Failure::Closed) => Err(sent.err().unwrap_or(Failure::Closed)),
            Err(failure) => Err(failure),
        }
    }

    fn finish_connect(&mut self) -> Result<bool, Failure> {
        let failed = |error| Failure::Call { call: "connect", error };
        let Some(transport) = &mut self.transport else { return Ok(false) };
        transport.take_error().map_err(failed)?;
        match transport.handshake() {
            Ok(()) => {
                let now = Instant::now();
                (self.connected, self.progress) = (Some(now), now);
                self.phase = Phase::Exchange;
                Ok(true)
            }
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(Failure::Call { call: "handshake", error }),
        }
    }

    fn send(&mut self, slot: usize, buffers: &impl Buffers) -> Result<(), Failure> {
        let Some(transport) = &mut self.transport else { return Ok(()) };
        let whole = self.head.len() + self.contents;
        while self.sent < whole {
            let head = self.head.get(self.sent..).unwrap_or_default();
            let from = self.sent.saturating_sub(self.head.len());
            let contents = if self.contents > 0 { &buffers.sent(slot)[from..self.contents] } else { &[] };
            match transport.write(head, contents) {
                Ok(written) => {
                    self.sent += written;
                    self.progress = Instant::now();
                }
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::Call { call: "send", error }),
            }
        }
        match transport.flush() {
            Err(e) if ![io::ErrorKind::WouldBlock, io::ErrorKind::Interrupted].contains(&e.kind()) => {
                Err(Failure::Call { call: "send", error: e })
            }
            _ => Ok(()),
        }
    }

    /// Returns true if the answer is complete.
    fn receive(
        &mut self,
        slot: usize,
        buffers: &mut impl Buffers,
        scratch: &mut [u8],
    ) -> Result<bool, Failure> {
        let (Some(transport), Some(answer)) = (&mut self.transport, &mut self.answer) else {
            return Ok(false);
        };
        loop {
            let direct = answer.direct(buffers.received(slot));
            let is_direct = direct.is_some();
            let got = match direct {
                Some(place) => transport.read(place),
                None => transport.read(scratch),
            };
            match got {
                Ok(0) => return if answer.end() { Ok(true) } else { Err(Failure::Closed) },
                Ok(read) => {
                    let now = Instant::now();
                    if is_direct {
                        answer.advance(read);
                    } else {
                        answer.feed(&scratch[..read], buffers.received(slot)).map_err(Failure::Answer)?;
                    }
                    // A server that sends the head for ever makes no progress.
                    if !answer.in_head() {
                        self.progress = now;
                    }
                    if !answer.not_begun() {
                        self.first_byte.get_or_insert(now);
                    }
                    if answer.complete() {
                        return Ok(true);
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Err(Failure::Closed),
                Err(error) => return Err(Failure::Call { call: "recv", error }),
            }
        }
    }

    fn finish(&mut self) -> Option<crate::Response> {
        let now = self.progress;
        let answer = self.answer.take()?;
        let whole = self.head.len() + self.contents;
        if answer.keep_alive() && self.sent == whole {
            self.served += 1;
        } else {
            self.close();
        }
        self.phase = Phase::Idle;
        let mut response = answer.response;
        response.timings.connect = self.connected.map(|at| at - self.started);
        response.timings.first_byte = self.first_byte.unwrap_or(now) - self.started;
        response.timings.last_byte = now - self.started;
        Some(response)
    }

    /// Looks at a connection without a request: it is closed if the server ended it.
    pub(crate) fn check_idle(&mut self) {
        let Some(transport) = &mut self.transport else { return };
        let mut byte = [0];
        // Whatever the server sends without a request makes the connection unusable.
        let open = transport
            .read(&mut byte)
            .is_err_and(|e| e.kind() == io::ErrorKind::WouldBlock || e.kind() == io::ErrorKind::Interrupted);
        if !open {
            self.close();
        }
    }
}
