//! Objects of a bucket of S3, through one or more endpoints, written in one request or in parts.

use super::run_id::{METADATA, RunId};
use super::store::{Action, Answer, Contents, ObjectStore, StoreError};
use super::{S3Load, sizes};
use ::objects::request::{Buffers, Expected, NoBuffers};
use ::objects::s3::{self, Account, Page, Settings, Uploads};
use ::objects::{Client, Error, Response, Sink, Timings};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Time for which the server may neither take nor send a byte of a request.
const REQUEST_LIMIT: Duration = Duration::from_secs(60);

/// A server with the account for it.
struct Server {
    client: Client,
    account: Account,
}

/// Upload in parts that is under way in a slot.
#[derive(Debug)]
struct Upload {
    begun: Instant,
    id: String,
    /// ETags of the parts that were sent.
    etags: Vec<String>,
    step: Step,
    /// Time that the requests so far waited for a connection.
    connect: Option<Duration>,
}

/// Request of an upload that is in flight.
#[derive(Debug)]
enum Step {
    Create,
    Part,
    Complete,
    /// Removes the upload after this error.
    Abort(StoreError),
}

/// Operation in a slot.
struct Slot {
    action: Action,
    upload: Option<Upload>,
}

/// Bytes that the requests in the slots of one server send.
struct Sent<'a> {
    data: &'a [u8],
    /// Offset in the data by slot of all servers.
    begin: &'a [usize],
    server: usize,
    servers: usize,
}

impl Buffers for Sent<'_> {
    fn sent(&self, slot: usize) -> &[u8] {
        self.data.get(self.begin[slot * self.servers + self.server]..).unwrap_or_default()
    }

    fn received(&mut self, _slot: usize) -> &mut [u8] {
        &mut []
    }
}

/// Bucket of S3.
pub(super) struct S3Store {
    load: S3Load,
    servers: Vec<Server>,
    slots: Vec<Slot>,
    contents: Contents,
    begin: Vec<usize>,
    run: String,
    done: VecDeque<(usize, Result<Answer, StoreError>)>,
    running: usize,
}

impl S3Store {
    /// Returns the bucket for `concurrency` operations in flight, at least one per endpoint.
    pub(super) fn open(load: &S3Load, concurrency: usize) -> Result<S3Store, StoreError> {
        // Contents are random; their digests would take time of the one thread that takes the times.
        let settings = Settings { sign_contents: false, ..load.settings.clone() };
        let count = load.endpoints.len();
        let slots = concurrency.max(count);
        let mut servers = Vec::with_capacity(count);
        for (number, endpoint) in load.endpoints.iter().enumerate() {
            let endpoint = load.style.endpoint(endpoint, &load.bucket);
            let own = (slots - number).div_ceil(count);
            servers.push(Server {
                client: Client::new(&endpoint, own, REQUEST_LIMIT)?,
                account: Account::new(&endpoint, &settings)?,
            });
        }
        let idle = || Slot { action: Action::Stat(String::new()), upload: None };
        Ok(S3Store {
            load: load.clone(),
            servers,
            slots: std::iter::repeat_with(idle).take(slots).collect(),
            contents: Contents::default(),
            begin: vec![0; slots],
            run: String::new(),
            done: VecDeque::with_capacity(slots),
            running: 0,
        })
    }

    fn path(&self, key: &str) -> String {
        self.load.style.path(&self.load.bucket, key)
    }

    /// Sends a request of a slot.
    fn send(&mut self, slot: usize, request: &::objects::Request) {
        let servers = self.servers.len();
        let server = slot % servers;
        let mut sent = Sent { data: &self.contents.data, begin: &self.begin, server, servers };
        self.servers[server].client.start(slot / servers, request, &mut sent);
    }

    /// Starts the next request of an upload.
    fn step(&mut self, slot: usize) {
        let servers = self.servers.len();
        let Action::Put(key, object) = &self.slots[slot].action else { return };
        let (path, object) = (self.path(key), *object);
        let Some(upload) = &self.slots[slot].upload else { return };
        let account = &mut self.servers[slot % servers].account;
        let request = match &upload.step {
            Step::Create => account.create_upload(&path, &[(METADATA, self.run.clone())]),
            Step::Part => {
                let part = self.load.part.unwrap_or(u64::MAX);
                let at = part * upload.etags.len() as u64;
                let len = part.min(object.size - at) as usize;
                self.begin[slot] = Contents::begin(object.number) + at as usize;
                let number = upload.etags.len() as u32 + 1;
                account.part(&path, &upload.id, number, len, &[])
            }
            Step::Complete => account.complete_upload(&path, &upload.id, &upload.etags),
            Step::Abort(_) => account.abort_upload(&path, &upload.id),
        };
        self.send(slot, &request);
    }

    /// Takes the answer to a request of an upload; returns the result of the upload when it is over.
    fn continue_upload(
        &mut self,
        slot: usize,
        mut upload: Upload,
        result: Result<Response, Error>,
    ) -> Option<Result<Answer, StoreError>> {
        let Action::Put(_, object) = &self.slots[slot].action else { return None };
        let size = object.size;
        let taken = upload.begun.elapsed();
        let host = self.servers[slot % self.servers.len()].client.endpoint().host.clone();
        let wrong = |what| StoreError::from(Error::Answer { host: host.clone(), what });
        let (step, timings) = (std::mem::replace(&mut upload.step, Step::Create), &result);
        if let Ok(response) = timings {
            upload.connect = upload.connect.or(response.timings.connect);
        }
        upload.step = match (step, result) {
            (Step::Abort(error), _) => return Some(Err(error)),
            (Step::Create, Err(error)) => return Some(Err(error.into())),
            (Step::Create, Ok(response)) => match s3::upload_id(&response.text()) {
                Some(id) => {
                    upload.id = id;
                    Step::Part
                }
                None => return Some(Err(wrong("UploadId"))),
            },
            (Step::Part | Step::Complete, Err(error)) => Step::Abort(error.into()),
            (Step::Part, Ok(response)) => match response.etag {
                Some(etag) => {
                    upload.etags.push(etag);
                    let sent = self.load.part.unwrap_or(u64::MAX).saturating_mul(upload.etags.len() as u64);
                    if sent >= size { Step::Complete } else { Step::Part }
                }
                None => Step::Abort(wrong("ETag")),
            },
            (Step::Complete, Ok(response)) if s3::completed(&response.text()) => {
                // The times of the upload end with those of its last request, which began that long ago.
                let before = taken.saturating_sub(response.timings.last_byte);
                return Some(Ok(Answer {
                    timings: Timings {
                        connect: upload.connect,
                        first_byte: before + response.timings.first_byte,
                        last_byte: taken,
                        server: response.timings.server,
                    },
                    ..Answer::default()
                }));
            }
            (Step::Complete, Ok(_)) => Step::Abort(wrong("CompleteMultipartUploadResult")),
        };
        self.slots[slot].upload = Some(upload);
        self.step(slot);
        None
    }

    /// Takes the answers of the servers.
    fn collect(&mut self) {
        let servers = self.servers.len();
        for server in 0..servers {
            while let Some(done) = self.servers[server].client.take_done() {
                let slot = done.slot * servers + server;
                let client = &self.servers[server].client;
                let result = done.result.and_then(|response| client.checked(done.slot, response));
                let result = match self.slots[slot].upload.take() {
                    Some(upload) => match self.continue_upload(slot, upload, result) {
                        Some(result) => result,
                        None => continue,
                    },
                    None => {
                        result.map(|response| answer(&self.slots[slot].action, response)).map_err(Into::into)
                    }
                };
                self.running -= 1;
                self.done.push_back((slot, result));
            }
        }
    }

    fn ready(&self) -> bool {
        self.servers.iter().any(|server| server.client.ready() > 0)
    }
}

/// Returns the answer to an operation of one request.
fn answer(action: &Action, response: Response) -> Answer {
    let mut answer = Answer { timings: response.timings, ..Answer::default() };
    match action {
        Action::Get(..) => (answer.size, answer.differs) = (Some(response.received), response.differs),
        Action::Stat(_) => answer.size = response.content_length,
        Action::Run(_) => answer.run = response.header(METADATA).map(str::to_owned),
        Action::List { .. } => {
            let page = Page::read(&response.text());
            answer.names = page.objects.into_iter().map(|object| object.key).collect();
            answer.continuation = page.continuation;
        }
        Action::Put(..) | Action::Delete(_) => {}
    }
    answer
}

impl ObjectStore for S3Store {
    fn slots(&self) -> usize {
        self.slots.len()
    }

    fn endpoint(&self, slot: usize) -> usize {
        slot % self.servers.len()
    }

    fn set_contents(&mut self, contents: &Contents, run: &RunId) {
        self.contents = contents.clone();
        self.run = run.to_string();
    }

    fn start(&mut self, slot: usize, action: Action) {
        self.running += 1;
        let parts = self
            .load
            .part
            .is_some_and(|part| matches!(&action, Action::Put(_, object) if object.size > part));
        let servers = self.servers.len();
        let path = match &action {
            Action::Put(key, _)
            | Action::Get(key, _)
            | Action::Stat(key)
            | Action::Run(key)
            | Action::Delete(key) => self.path(key),
            Action::List { .. } => self.path(""),
        };
        let account = &mut self.servers[slot % servers].account;
        let request = match &action {
            Action::Put(..) if parts => {
                let upload = Upload {
                    begun: Instant::now(),
                    id: String::new(),
                    etags: Vec::new(),
                    step: Step::Create,
                    connect: None,
                };
                self.slots[slot] = Slot { action, upload: Some(upload) };
                return self.step(slot);
            }
            Action::Put(_, object) => {
                self.begin[slot] = Contents::begin(object.number);
                account.put(&path, object.size as usize, &[], &[(METADATA, self.run.clone())])
            }
            Action::Get(_, object) => {
                let mut request = account.get(&path, None, Sink::Discard);
                let start = Contents::begin(object.number);
                request.expected = Some(Expected { data: self.contents.data.clone(), start });
                request
            }
            Action::Stat(_) | Action::Run(_) => account.head(&path),
            Action::Delete(_) => account.delete(&path),
            Action::List { prefix, most, after } => account.list(&path, prefix, *most, after.as_deref()),
        };
        self.slots[slot] = Slot { action, upload: None };
        self.send(slot, &request);
    }

    fn wait(&mut self, limit: Duration) {
        let servers = self.servers.len();
        if !self.done.is_empty() || self.running == 0 {
            return;
        }
        if servers > 1 && !self.ready() {
            let busy = self.servers.iter().filter(|server| server.client.in_flight() > 0);
            let mut ready: Vec<PollFd<'_>> = busy
                .map(|server| PollFd::from_borrowed_fd(server.client.ready_fd(), PollFlags::IN))
                .collect();
            let time = Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
            // A signal ends the wait, as the end of the time does.
            let _ = poll(&mut ready, Some(&time));
        }
        for server in 0..servers {
            let mut sent = Sent { data: &self.contents.data, begin: &self.begin, server, servers };
            let (least, limit) = if servers == 1 { (1, Some(limit)) } else { (0, Some(Duration::ZERO)) };
            self.servers[server].client.wait(least, limit, &mut sent);
        }
        self.collect();
    }

    fn take(&mut self) -> Option<(usize, Result<Answer, StoreError>)> {
        self.done.pop_front()
    }

    fn pending(&self) -> usize {
        self.running + self.done.len()
    }

    fn remove_uploads(&mut self, prefix: &str, condition: &dyn Fn(&str) -> bool) -> Result<u64, StoreError> {
        let bucket = self.path("");
        let (mut removed, mut marker) = (0, None);
        loop {
            let Server { client, account } = &mut self.servers[0];
            let request = account.list_uploads(&bucket, prefix, marker.as_ref());
            let page = match client.call_with(&request, &mut NoBuffers) {
                Ok(response) => Uploads::read(&response.text()),
                Err(error) => {
                    let error = StoreError::from(error);
                    // A server without lists of uploads has none to remove, unless this load writes in parts.
                    return if error.unsupported && self.load.part.is_none() {
                        Ok(removed)
                    } else {
                        Err(error)
                    };
                }
            };
            for upload in page.uploads.iter().filter(|upload| condition(&upload.key)) {
                let path = self.load.style.path(&self.load.bucket, &upload.key);
                let Server { client, account } = &mut self.servers[0];
                match client.call(&account.abort_upload(&path, &upload.id)) {
                    Ok(_) => removed += 1,
                    // Another start of fathom may have removed it meanwhile.
                    Err(error) if error.status() == Some(404) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            marker = page.marker;
            if marker.is_none() {
                return Ok(removed);
            }
        }
    }

    fn reconnects(&self) -> u64 {
        self.servers.iter().map(|server| server.client.reconnects()).sum()
    }
}

/// Returns whether the sizes of a load can be written in parts of this size: a server takes 10 000 parts.
pub(super) fn parts_fit(part: Option<u64>, sizes: &stats::object_load::ObjectSizes) -> bool {
    part.is_none_or(|part| part > 0 && sizes::largest(sizes).div_ceil(part) <= 10_000)
}
