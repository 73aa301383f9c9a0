//! Requests in flight to one server.

use crate::connection::{Connection, Event, Failure};
use crate::error::one_line;
use crate::request::{Buffers, NoBuffers, Request, Response};
use crate::transport::TlsSetup;
use crate::{Endpoint, Error};
use rustix::event::{Timespec, epoll};
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// Bytes that are read at once where contents cannot go to the caller's buffer directly.
const SCRATCH: usize = 64 << 10;

/// Reason why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// Enough requests are complete, or none is in flight.
    Ready,
    /// A signal interrupted the wait.
    Interrupted,
    /// The time is over.
    TimedOut,
}

/// A completed request.
#[derive(Debug)]
pub struct Done {
    /// Slot of the request.
    pub slot: usize,
    /// Answer, whatever its status, or the reason why there is none.
    pub result: Result<Response, Error>,
}

#[derive(Debug)]
struct Slot {
    connection: Connection,
    method: &'static str,
    path: String,
    /// Address that the attempt to connect uses, and how many were tried.
    tried: usize,
    /// Whether the request was sent again on a new connection.
    repeated: bool,
}

/// Connections to one server, one for each slot; each is made when its slot is used first, and kept.
pub struct Client {
    endpoint: Endpoint,
    addresses: Vec<SocketAddr>,
    /// Index of the address that answered last.
    address: usize,
    tls: Option<TlsSetup>,
    epoll: OwnedFd,
    events: Vec<epoll::Event>,
    slots: Vec<Slot>,
    done: VecDeque<Done>,
    in_flight: usize,
    limit: Duration,
    scratch: Vec<u8>,
    reconnects: u64,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("endpoint", &self.endpoint)
            .field("in_flight", &self.in_flight)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Returns a client with `slots` slots. A request fails if the server neither takes nor sends a byte for `limit`.
    ///
    /// # Errors
    /// The host has no address, or the TLS settings are invalid.
    pub fn new(endpoint: &Endpoint, slots: usize, limit: Duration) -> Result<Client, Error> {
        let slot = || Slot {
            connection: Connection::new(),
            method: "",
            path: String::new(),
            tried: 0,
            repeated: false,
        };
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(|errno| Error::Connection {
            host: endpoint.host.clone(),
            call: "epoll_create1",
            errno: errno.raw_os_error(),
        })?;
        Ok(Client {
            addresses: endpoint.resolve()?,
            address: 0,
            tls: TlsSetup::new(endpoint)?,
            endpoint: endpoint.clone(),
            epoll,
            events: Vec::with_capacity(slots.clamp(1, 256)),
            slots: std::iter::repeat_with(slot).take(slots.max(1)).collect(),
            done: VecDeque::with_capacity(slots),
            in_flight: 0,
            limit,
            scratch: vec![0; SCRATCH],
            reconnects: 0,
        })
    }

    /// Returns the endpoint.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Returns the number of slots.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Returns a file descriptor that poll(2) reports as readable when a request in flight can go on, for a caller that
    /// waits for several clients; [`Client::wait`] with `least` 0 then works without waiting.
    pub fn ready_fd(&self) -> BorrowedFd<'_> {
        self.epoll.as_fd()
    }

    /// Returns the number of requests in flight, without those that are complete.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns the number of requests that are complete and not taken.
    pub fn ready(&self) -> usize {
        self.done.len()
    }

    /// Returns how many kept connections the server had closed when a request was sent on them; the request was sent
    /// again on a new connection.
    pub fn reconnects(&self) -> u64 {
        self.reconnects
    }

    /// Starts a request in a slot that has none.
    pub fn start(&mut self, slot: usize, request: &Request, buffers: &mut impl Buffers) {
        let own = &mut self.slots[slot];
        assert!(!own.connection.busy(), "slot {slot} has a request in flight");
        (own.method, own.repeated, own.tried) = (request.method.name(), false, 0);
        own.path.clear();
        own.path.push_str(&request.path);
        own.connection.prepare(request, &self.endpoint.host);
        self.in_flight += 1;
        if !own.connection.connected()
            && let Err(failure) = self.connect(slot)
        {
            return self.fail(slot, &failure);
        }
        self.drive(slot, None, buffers);
    }

    /// Begins a connection of the slot, to the addresses in turn until one can be tried.
    fn connect(&mut self, slot: usize) -> Result<(), Failure> {
        let own = &mut self.slots[slot];
        loop {
            let at = (self.address + own.tried) % self.addresses.len();
            own.tried += 1;
            let begun = own.connection.connect(&self.addresses[at], self.tls.as_ref());
            match begun {
                Ok(()) => break,
                Err(_) if own.tried < self.addresses.len() => {}
                Err(failure) => return Err(failure),
            }
        }
        let Some(transport) = own.connection.transport() else { return Err(Failure::Closed) };
        let flags =
            epoll::EventFlags::IN | epoll::EventFlags::OUT | epoll::EventFlags::RDHUP | epoll::EventFlags::ET;
        epoll::add(&self.epoll, transport.fd(), epoll::EventData::new_u64(slot as u64), flags)
            .map_err(|errno| Failure::Call { call: "epoll_ctl", error: errno.into() })
    }

    fn drive(&mut self, slot: usize, event: Option<Event>, buffers: &mut impl Buffers) {
        let own = &mut self.slots[slot];
        let connecting = own.connection.connecting();
        match own.connection.drive(slot, event, buffers, &mut self.scratch) {
            Ok(None) => {
                if connecting && !own.connection.connecting() {
                    self.address = (self.address + own.tried.max(1) - 1) % self.addresses.len();
                    own.tried = 1;
                }
            }
            Ok(Some(response)) => {
                self.in_flight -= 1;
                self.done.push_back(Done { slot, result: Ok(response) });
            }
            Err(failure) => {
                let again = if own.connection.connecting() {
                    own.tried < self.addresses.len()
                } else {
                    let lost = matches!(failure, Failure::Closed | Failure::Call { .. });
                    let again = lost && own.connection.was_stale() && !own.repeated;
                    if again {
                        (own.repeated, own.tried) = (true, 0);
                        self.reconnects += 1;
                    }
                    again
                };
                own.connection.close();
                let failure = if again { self.connect(slot).err() } else { Some(failure) };
                if let Some(failure) = failure {
                    self.fail(slot, &failure);
                }
            }
        }
    }

    #[cold]
    fn fail(&mut self, slot: usize, failure: &Failure) {
        let host = self.endpoint.host.clone();
        let error = match failure {
            Failure::Closed => Error::Closed { host },
            Failure::Answer(what) => Error::Answer { host, what },
            Failure::Call { call, error } => match error.raw_os_error() {
                Some(errno) => Error::Connection { host, call, errno },
                None if error.kind() == io::ErrorKind::UnexpectedEof => Error::Closed { host },
                None => Error::Tls { host, text: one_line(&error.to_string()) },
            },
        };
        self.finish_with(slot, error);
    }

    fn finish_with(&mut self, slot: usize, error: Error) {
        self.slots[slot].connection.abandon();
        self.in_flight -= 1;
        self.done.push_back(Done { slot, result: Err(error) });
    }

    /// Waits until `least` requests are complete and not taken, at most for `limit`.
    pub fn wait(&mut self, least: usize, limit: Option<Duration>, buffers: &mut impl Buffers) -> Waited {
        let end = limit.map(|limit| Instant::now() + limit);
        loop {
            let enough = self.done.len() >= least || self.in_flight == 0;
            if enough && (least > 0 || self.in_flight == 0) {
                return Waited::Ready;
            }
            let now = Instant::now();
            let mut until = self.next_deadline(now);
            if until <= now && self.in_flight > 0 {
                // Other connections may have events all the time.
                self.give_up(now);
                until = self.next_deadline(now);
            }
            if let Some(end) = end {
                until = until.min(end);
            }
            let time = if enough { Duration::ZERO } else { until.saturating_duration_since(now) };
            let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
            self.events.clear();
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut self.events), Some(&time)) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => return Waited::Interrupted,
                // No other error is possible with valid arguments.
                Err(_) => return Waited::TimedOut,
            }
            for i in 0..self.events.len() {
                let event = self.events[i];
                let (slot, flags) = (event.data.u64() as usize, event.flags);
                if self.slots[slot].connection.busy() {
                    let writable = flags
                        .intersects(epoll::EventFlags::OUT | epoll::EventFlags::ERR | epoll::EventFlags::HUP);
                    self.drive(slot, Some(Event { writable }), buffers);
                } else {
                    self.slots[slot].connection.check_idle();
                }
            }
            if self.events.is_empty() {
                let now = Instant::now();
                self.give_up(now);
                if enough {
                    return Waited::Ready;
                }
                if end.is_some_and(|end| now >= end) && self.done.len() < least {
                    return Waited::TimedOut;
                }
            } else if enough {
                return Waited::Ready;
            }
        }
    }

    fn next_deadline(&self, now: Instant) -> Instant {
        let busy = self.slots.iter().filter(|slot| slot.connection.busy());
        busy.map(|slot| slot.connection.progress + self.limit).min().unwrap_or(now)
    }

    fn give_up(&mut self, now: Instant) {
        for slot in 0..self.slots.len() {
            let connection = &self.slots[slot].connection;
            if connection.busy() && now.saturating_duration_since(connection.progress) >= self.limit {
                let (host, seconds) = (self.endpoint.host.clone(), self.limit.as_secs());
                self.finish_with(slot, Error::TimedOut { host, seconds });
            }
        }
    }

    /// Returns a completed request, the oldest first.
    pub fn take_done(&mut self) -> Option<Done> {
        self.done.pop_front()
    }

    /// Returns the answer, or the error that its status stands for.
    ///
    /// # Errors
    /// The server refused the request.
    pub fn checked(&self, slot: usize, response: Response) -> Result<Response, Error> {
        if response.success() {
            return Ok(response);
        }
        let text = response.text();
        let field = |name: &str| crate::xml::text(&text, name).map(|text| one_line(&text));
        let code = field("Code").unwrap_or_default();
        let message = field("Message").unwrap_or_else(|| {
            // Servers of Swift and WebDAV answer with a page or a line; markup is left out.
            if text.trim_start().starts_with('<') { String::new() } else { one_line(&text) }
        });
        Err(Error::Status {
            host: self.endpoint.host.clone(),
            method: self.slots[slot].method,
            path: self.slots[slot].path.clone(),
            status: response.status,
            code,
            message,
        })
    }

    /// Sends one request and waits for its answer, through signals; no other request may be in flight.
    ///
    /// # Errors
    /// There is no answer, or the server refused the request.
    pub fn call_with(&mut self, request: &Request, buffers: &mut impl Buffers) -> Result<Response, Error> {
        self.start(0, request, buffers);
        loop {
            self.wait(1, None, buffers);
            if let Some(done) = self.take_done() {
                return done.result.and_then(|response| self.checked(done.slot, response));
            }
        }
    }

    /// Sends one request without buffers and waits for its answer.
    ///
    /// # Errors
    /// As [`Client::call_with`].
    pub fn call(&mut self, request: &Request) -> Result<Response, Error> {
        self.call_with(request, &mut NoBuffers)
    }
}
