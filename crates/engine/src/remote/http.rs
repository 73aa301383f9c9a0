//! `http`: blocks as objects of S3, Swift and WebDAV. A read is GET, a write PUT, a trim DELETE.
//!
//! As fio 3.33 does, except: operations are in flight up to the depth (fio: one); a sync completes at once, because a
//! server answers a PUT when the object is stored (fio: the job fails); a read of an object that does not exist fails
//! with ENOENT, because nothing was read (fio: success).

use super::{OPEN_LIMIT, RemoteError, Volume};
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
pub use objects::Https;
use objects::access::{self, AccessRequest};
use objects::request::OneBuffer;
use objects::{Body, Buffers, Client, Endpoint, Method, Request, Response, Sink, s3, signature};
use objects::{swift, webdav};
use std::collections::VecDeque;
use std::time::Duration;

/// Time for which a server may neither take nor send a byte of a request in a run.
const REQUEST_LIMIT: Duration = Duration::from_secs(60);

/// Protocol of the server (`http_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HttpMode {
    /// WebDAV, with basic authentication if there is a user.
    #[default]
    WebDav,
    /// S3 with signature 4.
    S3,
    /// OpenStack Swift with a token.
    Swift,
}

/// Which objects hold a file (`http_object_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjectMode {
    /// One object for each block, `<name>_<offset>_<length>` in bytes, as fio names them.
    #[default]
    Block,
    /// One object, of which reads get ranges; a write replaces it by its block.
    Range,
}

/// Server and credentials of the engine, with fio's defaults.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpTarget {
    /// Host, with or without a port (`http_host`).
    pub host: String,
    /// Encryption (`https`).
    pub https: Https,
    /// Protocol (`http_mode`).
    pub mode: HttpMode,
    /// Which objects hold a file (`http_object_mode`).
    pub objects: ObjectMode,
    /// User of WebDAV (`http_user`).
    pub user: String,
    /// Password of WebDAV (`http_pass`).
    pub password: String,
    /// Identifier of the key of S3 (`http_s3_keyid`); empty = the key of AWS's variables or credentials file.
    pub key_id: String,
    /// Secret of the key of S3 (`http_s3_key`).
    pub key: String,
    /// Token of a session of S3 (`http_s3_security_token`).
    pub security_token: String,
    /// Region of S3 (`http_s3_region`).
    pub region: String,
    /// Key with which the server encrypts objects, 32 bytes or their base64 (`http_s3_sse_customer_key`).
    pub customer_key: String,
    /// Algorithm of this encryption (`http_s3_sse_customer_algorithm`).
    pub customer_algorithm: String,
    /// Storage class of new objects (`http_s3_storage_class`).
    pub storage_class: String,
    /// Token of Swift (`http_swift_auth_token`).
    pub swift_token: String,
}

impl Default for HttpTarget {
    fn default() -> Self {
        Self {
            host: "localhost".into(),
            https: Https::Off,
            mode: HttpMode::WebDav,
            objects: ObjectMode::Block,
            user: String::new(),
            password: String::new(),
            key_id: String::new(),
            key: String::new(),
            security_token: String::new(),
            region: "us-east-1".into(),
            customer_key: String::new(),
            customer_algorithm: "AES256".into(),
            storage_class: "STANDARD".into(),
            swift_token: String::new(),
        }
    }
}

impl std::fmt::Debug for HttpTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Passwords and keys are in no log.
        f.debug_struct("HttpTarget")
            .field("host", &self.host)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}

/// Credentials of the protocol, which are added to each request.
#[derive(Debug)]
enum Account {
    S3(Box<s3::Account>),
    Swift { token: String },
    WebDav { user: String, password: String },
}

impl HttpTarget {
    fn endpoint(&self) -> Endpoint {
        Endpoint::new(&self.host, self.https)
    }

    fn account(&self) -> Result<Account, RemoteError> {
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Ok(match self.mode {
            HttpMode::S3 => {
                let credentials = given(&self.key_id).map(|key_id| signature::Credentials {
                    key_id,
                    secret: self.key.clone(),
                    token: given(&self.security_token),
                });
                // A key that is not named in the job is that of the environment, so that it need not be in any file or list of
                // processes; without one, requests are not signed.
                let credentials = credentials.or_else(|| {
                    access::credentials(&AccessRequest::default(), &|name| std::env::var(name).ok()).ok()
                });
                let settings = s3::Settings {
                    region: self.region.clone(),
                    storage_class: self.storage_class.clone(),
                    customer_key: given(&self.customer_key),
                    customer_algorithm: self.customer_algorithm.clone(),
                    ..s3::Settings::new(credentials, self.https)
                };
                Account::S3(Box::new(s3::Account::new(&self.endpoint(), &settings)?))
            }
            HttpMode::Swift => Account::Swift { token: self.swift_token.clone() },
            HttpMode::WebDav => Account::WebDav { user: self.user.clone(), password: self.password.clone() },
        })
    }
}

impl Account {
    fn put(&mut self, path: &str, contents: &[u8]) -> Request {
        if let Self::S3(account) = self {
            return account.put(path, contents.len(), contents, &[]);
        }
        let mut request = Request::new(Method::Put, path);
        request.body = Body::Buffer(contents.len());
        if let Self::Swift { .. } = self {
            request = swift::checksum(request, contents);
        }
        self.authorize(request)
    }

    fn get(&mut self, path: &str, range: Option<(u64, u64)>) -> Request {
        if let Self::S3(account) = self {
            return account.get(path, range, Sink::Buffer);
        }
        let mut request = Request::new(Method::Get, path);
        if let Some((start, len)) = range {
            request = request.range(start, len);
        }
        request.sink = Sink::Buffer;
        self.authorize(request)
    }

    fn head(&mut self, path: &str) -> Request {
        match self {
            Self::S3(account) => account.head(path),
            _ => self.authorize(Request::new(Method::Head, path)),
        }
    }

    fn delete(&mut self, path: &str) -> Request {
        match self {
            Self::S3(account) => account.delete(path),
            _ => self.authorize(Request::new(Method::Delete, path)),
        }
    }

    fn authorize(&self, request: Request) -> Request {
        match self {
            Self::S3(_) => request,
            Self::Swift { token } => swift::authorize(request, token),
            Self::WebDav { user, password } => webdav::authorize(request, user, password),
        }
    }
}

/// Returns the path of a file's object, which begins with a slash.
fn path_of(name: &str) -> String {
    if name.starts_with('/') { name.into() } else { format!("/{name}") }
}

/// Blocks of the operations in flight, for the client.
#[derive(Debug)]
struct SlotBlocks {
    blocks: Blocks,
    /// Operation by slot.
    ops: Box<[Op]>,
}

impl SlotBlocks {
    fn place(&self, slot: usize) -> (*mut u8, usize) {
        let op = &self.ops[slot];
        let len = (op.len - op.done) as usize;
        if len == 0 {
            return (std::ptr::NonNull::dangling().as_ptr(), 0);
        }
        assert!(op.len as usize <= self.blocks.stride(), "the block is smaller than its operation");
        (self.blocks.address(op.slot, op.done), len)
    }
}

impl Buffers for SlotBlocks {
    fn sent(&self, slot: usize) -> &[u8] {
        let (address, len) = self.place(slot);
        // SAFETY: the block belongs to the engine between queue and reap of its slot, and the client asks for the blocks
        // of requests in flight alone, all of which are between the two; nothing writes to it while `self` is borrowed.
        // The length was checked against the block.
        unsafe { std::slice::from_raw_parts(address, len) }
    }

    fn received(&mut self, slot: usize) -> &mut [u8] {
        let (address, len) = self.place(slot);
        // SAFETY: as above; no other reference to the block exists while `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(address, len) }
    }
}

/// Engine on object storage, with one connection for each operation in flight.
#[derive(Debug)]
pub struct Http {
    client: Client,
    account: Account,
    objects: ObjectMode,
    /// Path by file.
    paths: Vec<String>,
    slots: SlotBlocks,
    queued: Vec<Op>,
    /// Completions of syncs.
    answered: VecDeque<Completion>,
    clock: MachineClock,
    error: Option<RemoteError>,
}

impl Http {
    /// Returns the engine for `depth` operations in flight on the files with these names (fio's `filename`: path of the
    /// object, with the bucket or container).
    ///
    /// # Errors
    /// The host has no address, does not answer, or a setting is invalid. Whether the server takes the credentials is
    /// known when the first operation is complete.
    pub fn open(
        target: &HttpTarget,
        names: &[String],
        blocks: Blocks,
        depth: usize,
    ) -> Result<Http, RemoteError> {
        let depth = depth.max(1);
        Ok(Http {
            client: Client::new(&target.endpoint(), depth, REQUEST_LIMIT)?,
            account: target.account()?,
            objects: target.objects,
            paths: names.iter().map(|name| path_of(name)).collect(),
            slots: SlotBlocks { blocks, ops: vec![Op::NONE; depth].into() },
            queued: Vec::with_capacity(depth),
            answered: VecDeque::with_capacity(depth),
            clock: MachineClock::best(),
            error: None,
        })
    }

    /// Returns how many kept connections the server had closed when a request was sent on them.
    pub fn reconnects(&self) -> u64 {
        self.client.reconnects()
    }

    fn start(&mut self, op: &Op) {
        let slot = usize::from(op.slot);
        self.slots.ops[slot] = *op;
        let path = &self.paths[op.file as usize];
        let block_path;
        let (path, start) = match self.objects {
            ObjectMode::Range => (path.as_str(), op.offset),
            ObjectMode::Block => {
                block_path = format!("{path}_{}_{}", op.offset, op.len);
                (block_path.as_str(), 0)
            }
        };
        let request = match op.kind {
            Kind::Write => self.account.put(path, self.slots.sent(slot)),
            Kind::Trim => self.account.delete(path),
            _ => {
                let whole = self.objects == ObjectMode::Block && op.done == 0;
                let range = (start + u64::from(op.done), u64::from(op.len - op.done));
                self.account.get(path, (!whole).then_some(range))
            }
        };
        self.client.start(slot, &request, &mut self.slots);
    }

    /// Returns the result of an operation whose request has this answer.
    fn result(&mut self, slot: usize, result: Result<Response, objects::Error>) -> i32 {
        let op = self.slots.ops[slot];
        let left = op.len - op.done;
        let ranged = op.kind == Kind::Read && (self.objects == ObjectMode::Range || op.done > 0);
        let error = match result {
            // Beyond the end of an object nothing can be read.
            Ok(response) if ranged && response.status == 416 => return 0,
            // The server sent the object from its start.
            Ok(response) if ranged && response.status == 200 && op.offset + u64::from(op.done) > 0 => {
                objects::Error::Answer { host: self.client.endpoint().host.clone(), what: "range" }
            }
            // Nothing is there to be removed; S3 itself answers 204 then.
            Ok(response) if op.kind == Kind::Trim && response.status == 404 => return left as i32,
            Ok(response) => match self.client.checked(slot, response) {
                Ok(response) if op.kind == Kind::Read && response.received > u64::from(left) => {
                    objects::Error::Answer { host: self.client.endpoint().host.clone(), what: "length" }
                }
                Ok(response) if op.kind == Kind::Read => {
                    return response.received.min(u64::from(left)) as i32;
                }
                Ok(_) => return left as i32,
                Err(error) => error,
            },
            Err(error) => error,
        };
        let error = RemoteError::from(error);
        let errno = error.errno();
        self.error = Some(error);
        -errno
    }

    fn collect(&mut self, out: &mut [Completion]) -> usize {
        let mut n = 0;
        while n < out.len() {
            let completion = if let Some(completion) = self.answered.pop_front() {
                completion
            } else if let Some(done) = self.client.take_done() {
                Completion { slot: done.slot as u16, res: self.result(done.slot, done.result) }
            } else {
                break;
            };
            out[n] = completion;
            n += 1;
        }
        n
    }
}

impl Engine for Http {
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
        for i in 0..self.queued.len() {
            let op = self.queued[i];
            match op.kind {
                Kind::Read | Kind::Write | Kind::Trim => self.start(&op),
                Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => {
                    self.answered.push_back(Completion { slot: op.slot, res: 0 });
                }
            }
        }
        self.queued.clear();
        Ok(())
    }

    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let least = min.min(out.len()).saturating_sub(self.answered.len());
        // A wait that a signal interrupted returns what is complete.
        self.client.wait(least, None, &mut self.slots);
        Ok(self.collect(out))
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        if self.answered.is_empty() {
            self.client.wait(1, Some(Duration::from_nanos(nanos)), &mut self.slots);
        }
        Ok(self.collect(out))
    }

    fn remote_error(&self) -> Option<&RemoteError> {
        self.error.as_ref()
    }
}

/// What a server has under the name of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// The bucket or container does not exist.
    NoBucket,
    /// No name of an object begins with the target's.
    Empty,
    /// Objects whose names begin with the target's.
    Objects {
        /// Name of the first of them.
        first: String,
    },
}

/// A target on a server outside a run.
#[derive(Debug)]
pub struct HttpVolume {
    client: Client,
    account: Account,
    mode: HttpMode,
    objects: ObjectMode,
    host: String,
    path: String,
    size: Option<u64>,
}

impl HttpVolume {
    /// Asks the server for the object `name` (fio's `filename`).
    ///
    /// # Errors
    /// The server's error, as wrong credentials; that the object does not exist is no error.
    pub fn open(target: &HttpTarget, name: &str) -> Result<HttpVolume, RemoteError> {
        let mut volume = HttpVolume {
            client: Client::new(&target.endpoint(), 1, OPEN_LIMIT)?,
            account: target.account()?,
            mode: target.mode,
            objects: target.objects,
            host: target.host.clone(),
            path: path_of(name),
            size: None,
        };
        let head = volume.account.head(&volume.path);
        volume.size = match volume.client.call(&head) {
            // A server need not tell the length of an object that it has.
            Ok(response) => Some(response.content_length.unwrap_or(0)),
            Err(error) if error.status() == Some(404) => None,
            Err(error) => return Err(volume.explained(error)),
        };
        Ok(volume)
    }

    /// Answers to HEAD have no text: a list is asked for, whose error says why the server refuses.
    fn explained(&mut self, error: objects::Error) -> RemoteError {
        let list = match error.status() {
            Some(_) => self.list(1),
            None => None,
        };
        let better = list.and_then(|list| self.client.call(&list).err());
        better.filter(|better| better.status() == error.status()).unwrap_or(error).into()
    }

    /// Returns the container's part of the path, and the name in it.
    fn container(&self) -> Option<(&str, &str)> {
        let slashes = match self.mode {
            HttpMode::S3 => 2,
            // `/v1/AUTH_account/container/object`
            HttpMode::Swift => 4,
            HttpMode::WebDav => return None,
        };
        Some(match self.path.match_indices('/').nth(slashes - 1) {
            Some((at, _)) => (&self.path[..at], &self.path[at + 1..]),
            None => (&self.path, ""),
        })
    }

    fn list(&mut self, names: u32) -> Option<Request> {
        let (container, prefix) = self.container()?;
        let (container, prefix) = (container.to_owned(), prefix.to_owned());
        Some(match &mut self.account {
            Account::S3(account) => account.list(&container, &prefix, names, None),
            other => other.authorize(swift::list(&container, &prefix, names, "")),
        })
    }

    /// Returns what the server has under the name of the target: in block mode the objects of all blocks begin with it.
    /// WebDAV is asked for the object itself alone.
    ///
    /// # Errors
    /// The server's error.
    pub fn contents(&mut self) -> Result<Contents, RemoteError> {
        let Some(list) = self.list(1) else {
            return Ok(match self.size {
                Some(_) => Contents::Objects { first: self.path.clone() },
                None => Contents::Empty,
            });
        };
        let response = match self.client.call(&list) {
            Ok(response) => response,
            Err(error) if error.status() == Some(404) => return Ok(Contents::NoBucket),
            Err(error) => return Err(error.into()),
        };
        let text = response.text();
        let first = match self.mode {
            HttpMode::S3 => s3::Page::read(&text).objects.into_iter().next().map(|object| object.key),
            _ => text.lines().next().filter(|line| !line.is_empty()).map(str::to_owned),
        };
        Ok(first.map_or(Contents::Empty, |first| Contents::Objects { first }))
    }
}

impl Volume for HttpVolume {
    fn size(&self) -> Option<u64> {
        self.size
    }

    fn library(&self) -> &'static str {
        "http"
    }

    fn first_object(&mut self) -> Result<Option<String>, RemoteError> {
        Ok(match self.contents()? {
            Contents::Objects { first } => Some(first),
            Contents::Empty | Contents::NoBucket => None,
        })
    }

    fn lists(&self) -> bool {
        self.mode != HttpMode::WebDav || self.objects == ObjectMode::Range
    }

    fn layers(&self) -> Vec<String> {
        let protocol = match self.mode {
            HttpMode::WebDav => "WebDAV",
            HttpMode::S3 => "S3",
            HttpMode::Swift => "Swift",
        };
        vec![format!("http ({protocol})"), self.host.clone()]
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        if into.is_empty() {
            return Ok(0);
        }
        let request = self.account.get(&self.path, Some((offset, into.len() as u64)));
        let len = into.len() as u64;
        self.client.start(0, &request, &mut OneBuffer(into));
        let response = loop {
            self.client.wait(1, None, &mut OneBuffer(into));
            if let Some(done) = self.client.take_done() {
                break done.result?;
            }
        };
        match response.status {
            416 => Ok(0),
            200 if offset > 0 => {
                let host = self.client.endpoint().host.clone();
                Err(objects::Error::Answer { host, what: "range" }.into())
            }
            _ => Ok(self.client.checked(0, response)?.received.min(len) as usize),
        }
    }
}
