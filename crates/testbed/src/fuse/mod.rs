//! A simulated disk, in the form of a file, with known service times and faults: `servers` servers take requests in
//! order of arrival. The end of each request is an absolute time, computed on arrival, so that late wake-ups do not add
//! up.
//!
//! The file is served through FUSE, bypasses the page cache and accepts requests of one descriptor in parallel, so that
//! `libaio` and `io_uring` at depth n have n requests in the disk.

mod law;
mod wire;

pub use law::{Corruption, Faults, Law, Nature, Rule};

use crate::Sandbox;
use crate::bounded::join_within;
use law::{Asked, Fate, Memory, Noise};
use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Properties of the simulated disk.
#[derive(Clone, Debug)]
pub struct Model {
    /// Size of the file, bytes.
    pub size_bytes: u64,
    /// Number of requests that are served at the same time.
    pub servers: usize,
    /// Distribution of the service time of a request.
    pub law: Law,
    /// Distribution of the time of a flush, which occupies no server.
    pub flush: Law,
    /// Additional time of a request by its offset and by earlier requests.
    pub nature: Nature,
    /// Whether the file holds incompressible data; else it holds zeros.
    pub filled: bool,
    /// Whether [`FuseDisk::lose_power`] loses what was written since the last flush.
    pub volatile: bool,
    /// Requests that fail, hang or transfer too little.
    pub faults: Faults,
    /// Seed of the random service times.
    pub seed: u64,
}

impl Default for Model {
    fn default() -> Model {
        let law = Law::Constant(Duration::ZERO);
        let (nature, filled) = (Nature::Plain, false);
        let (flush, faults) = (law, Faults::default());
        let volatile = false;
        Model { size_bytes: 64 << 20, servers: 1, law, flush, nature, filled, volatile, faults, seed: 1 }
    }
}

/// Counts and times of requests as the simulated disk received them: the outside witness.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Number of reads received.
    pub reads: u64,
    /// Number of writes received.
    pub writes: u64,
    /// Bytes of all reads that completed.
    pub read_bytes: u64,
    /// Bytes of all writes that were accepted.
    pub write_bytes: u64,
    /// Number of flushes (fsync) received.
    pub syncs: u64,
    /// Number of requests answered with an error.
    pub errors: u64,
    /// Largest number of requests at one time, waiting ones included.
    pub most_in_flight: usize,
    /// Time from arrival to answer of each read and write, in order of completion.
    pub times: Vec<Duration>,
    /// Time from arrival to answer of each flush, in order of completion.
    pub sync_times: Vec<Duration>,
}

struct Pending {
    unique: u64,
    arrived: u64,
    fate: Fate,
    wanted: Wanted,
    len: usize,
}

/// Answer to a request when its time is over.
#[derive(Clone, Copy)]
enum Wanted {
    /// Data from this offset on, for a read.
    Bytes(u64),
    /// Number of bytes written on arrival.
    Taken,
    /// The flush has completed.
    Flushed,
}

struct State {
    data: Vec<u8>,
    /// Data at the last flush, of a disk whose cache is volatile.
    durable: Vec<u8>,
    /// Time at which each server is free again, nanoseconds since `Shared::start`.
    free_at: Vec<u64>,
    due: BinaryHeap<Reverse<(u64, u64)>>,
    pending: std::collections::HashMap<u64, Pending>,
    held: Vec<u64>,
    noise: Noise,
    memory: Memory,
    /// Number of reads and writes so far, for the rules of the faults.
    count: u64,
    released: bool,
    stop: bool,
    seen: Seen,
}

struct Shared {
    fuse: OwnedFd,
    wake: OwnedFd,
    start: Instant,
    model: Model,
    state: Mutex<State>,
    changed: Condvar,
}

/// Mounted simulated disk. On drop every request is answered before the unmount, so that no process hangs in the
/// kernel.
pub struct FuseDisk {
    path: PathBuf,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    _sandbox: Sandbox,
}

impl FuseDisk {
    /// Mounts the disk described by `model`.
    ///
    /// # Errors
    /// `/dev/fuse` cannot be opened or mounted (needs root).
    pub fn new(model: Model) -> io::Result<FuseDisk> {
        let sandbox = Sandbox::new()?;
        let path = sandbox.join("disk");
        std::fs::File::create(&path)?;
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let fuse = rustix::fs::open("/dev/fuse", flags, Mode::empty())?;
        let options = format!(
            "fd={},rootmode=100644,user_id=0,group_id=0,allow_other,default_permissions",
            fuse.as_raw_fd()
        );
        let options = std::ffi::CString::new(options)?;
        rustix::mount::mount(
            "fathom-test",
            &path,
            "fuse",
            rustix::mount::MountFlags::NOSUID | rustix::mount::MountFlags::NODEV,
            options.as_c_str(),
        )?;
        let state = State {
            data: contents(&model),
            durable: if model.volatile { contents(&model) } else { Vec::new() },
            memory: Memory::default(),
            free_at: vec![0; model.servers.max(1)],
            due: BinaryHeap::new(),
            pending: std::collections::HashMap::new(),
            held: Vec::new(),
            noise: Noise::new(model.seed),
            count: 0,
            released: false,
            stop: false,
            seen: Seen::default(),
        };
        let shared = Arc::new(Shared {
            fuse,
            wake: eventfd(0, EventfdFlags::CLOEXEC)?,
            start: Instant::now(),
            model,
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let threads = [Shared::take_requests as fn(&Shared), Shared::answer_requests]
            .into_iter()
            .map(|work| {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || {
                    precise_timers();
                    work(&shared);
                })
            })
            .collect();
        Ok(FuseDisk { path, shared, threads, _sandbox: sandbox })
    }

    /// Returns the path of the file that stands for the disk.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns counts and times of the requests so far.
    pub fn seen(&self) -> Seen {
        self.shared.lock().seen.clone()
    }

    /// Returns a function that reads the number of bytes read and written so far; it can be called from any thread.
    pub fn meter(&self) -> impl Fn() -> u64 + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move || {
            let state = shared.lock();
            state.seen.read_bytes + state.seen.write_bytes
        }
    }

    /// Resets the counts and times, for a measurement that starts now.
    pub fn forget(&self) {
        self.shared.lock().seen = Seen::default();
    }

    /// Returns the number of requests that a fault holds back now.
    pub fn held(&self) -> usize {
        self.shared.lock().held.len()
    }

    /// Completes all requests that a fault holds back, and holds back no more.
    pub fn release(&self) {
        let mut state = self.shared.lock();
        state.released = true;
        let now = self.shared.now();
        let held = std::mem::take(&mut state.held);
        state.due.extend(held.into_iter().map(|unique| Reverse((now, unique))));
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Loses what was written since the last flush.
    pub fn lose_power(&self) {
        let mut state = self.shared.lock();
        let durable = state.durable.clone();
        let size = state.data.len();
        state.data = durable;
        state.data.resize(size, 0);
    }

    /// Changes the data on the disk.
    pub fn edit(&self, change: impl FnOnce(&mut [u8])) {
        change(&mut self.shared.lock().data);
    }

    /// Changes the size of the file without notifying the kernel, which reads the new size with its next request for
    /// attributes.
    pub fn resize(&self, size_bytes: u64) {
        self.shared.lock().data.resize(size_bytes as usize, 0);
    }
}

impl Drop for FuseDisk {
    fn drop(&mut self) {
        self.release();
        self.shared.lock().stop = true;
        self.shared.changed.notify_all();
        // An unmount whose request is not answered would wait for ever: after a while the connection is aborted.
        let path = self.path.clone();
        let limit = std::time::Duration::from_secs(10);
        if !join_within(std::thread::spawn(move || crate::undo::unmount(&path)), limit) {
            use rustix::mount::{UnmountFlags, unmount};
            let _ = unmount(&self.path, UnmountFlags::FORCE | UnmountFlags::DETACH);
        }
        // The reader thread serves requests until here, because an orderly unmount sends requests.
        let _ = rustix::io::write(&self.shared.wake, &1u64.to_ne_bytes());
        for thread in self.threads.drain(..) {
            join_within(thread, limit);
        }
    }
}

/// Returns the initial content of the disk.
fn contents(model: &Model) -> Vec<u8> {
    let bytes = model.size_bytes as usize;
    if model.filled { crate::sandbox::noise_of(bytes) } else { vec![0; bytes] }
}

/// Reduces the timer slack of the thread (sleeps end 64 us late by default, 17 us with the least slack) and raises its
/// priority, if permitted: a disk does not wait for a CPU that a compiler occupies. The thread sleeps nearly all the
/// time.
fn precise_timers() {
    let priority = libc::sched_param { sched_priority: 10 };
    // SAFETY: PR_SET_TIMERSLACK takes one integer and touches no memory of ours; sched_setscheduler reads a local of
    // the right type. Either may be refused, which costs precision only.
    unsafe {
        libc::prctl(libc::PR_SET_TIMERSLACK, 1, 0, 0, 0);
        libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const priority);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    fn send(&self, unique: u64, error: i32, body: &[u8]) {
        // A request of a killed process is gone (ENOENT); an unmounted disk needs no answer.
        let _ = rustix::io::write(&self.fuse, &wire::reply(unique, error, body));
    }

    fn take_requests(&self) {
        let mut buffer = vec![0u8; wire::MAX_REQUEST_BYTES];
        loop {
            let mut fds = [PollFd::new(&self.fuse, PollFlags::IN), PollFd::new(&self.wake, PollFlags::IN)];
            if poll(&mut fds, None).is_err() {
                continue;
            }
            if !fds[1].revents().is_empty() {
                return;
            }
            // Drain: one poll may stand for many requests.
            loop {
                match rustix::io::read(&self.fuse, &mut buffer) {
                    Ok(n) => {
                        if let Some(request) = Request::parse(&buffer[..n]) {
                            self.take(&request);
                        }
                    }
                    Err(rustix::io::Errno::AGAIN) => break,
                    Err(rustix::io::Errno::INTR | rustix::io::Errno::NOENT) => {}
                    Err(_) => return, // unmounted
                }
            }
        }
    }

    fn take(&self, request: &Request<'_>) {
        let unique = request.unique;
        match request.opcode {
            wire::INIT => self.send(unique, 0, &request.init_reply()),
            wire::GETATTR => {
                let size = self.lock().data.len() as u64;
                self.send(unique, 0, &wire::attributes(size));
            }
            wire::SETATTR => {
                let mut state = self.lock();
                if let Some(size) = request.new_size() {
                    state.data.resize(size as usize, 0);
                }
                let size = state.data.len() as u64;
                drop(state);
                self.send(unique, 0, &wire::attributes(size));
            }
            wire::OPEN => self.send(unique, 0, &wire::opened()),
            wire::STATFS => self.send(unique, 0, &wire::statfs()),
            wire::FSYNC => self.flush(unique),
            wire::RELEASE | wire::FLUSH | wire::ACCESS | wire::DESTROY => self.send(unique, 0, &[]),
            wire::READ | wire::WRITE => self.enqueue(request),
            wire::FORGET | wire::BATCH_FORGET | wire::INTERRUPT => {} // these take no answer
            _ => self.send(unique, libc::ENOSYS, &[]),
        }
    }

    /// Schedules the completion of a flush.
    fn flush(&self, unique: u64) {
        let now = self.now();
        let mut state = self.lock();
        let state = &mut *state;
        state.seen.syncs += 1;
        if self.model.volatile {
            state.durable.clone_from(&state.data);
        }
        let end = now + self.model.flush.draw(&mut state.noise).as_nanos() as u64;
        let pending = Pending { unique, arrived: now, fate: Fate::Good, wanted: Wanted::Flushed, len: 0 };
        state.pending.insert(unique, pending);
        self.schedule(state, end, unique);
    }

    /// Schedules the answer to a request for the moment `end`.
    fn schedule(&self, state: &mut State, end: u64, unique: u64) {
        let first = state.due.peek().is_none_or(|Reverse((at, _))| end < *at);
        state.due.push(Reverse((end, unique)));
        if first {
            self.changed.notify_all();
        }
    }

    /// Determines result and completion time of a request.
    fn enqueue(&self, request: &Request<'_>) {
        let now = self.now();
        let mut state = self.lock();
        let state = &mut *state;
        let write = request.opcode == wire::WRITE;
        state.count += 1;
        let hung = !state.released && self.model.faults.hang.is_some_and(|rule| rule.hits(state.count));
        let fate = self.model.faults.fate(state.count, write, state.seen.write_bytes + request.len() as u64);
        let service = self.model.law.draw(&mut state.noise).as_nanos() as u64;
        let disk_bytes = state.data.len() as u64;
        let asked = Asked { now, offset: request.offset(), len: request.len() as u64, write, disk_bytes };
        let (longer, not_before) = self.model.nature.cost(&mut state.memory, &asked);
        if write {
            state.seen.writes += 1;
            if matches!(fate, Fate::Good) {
                let at = request.offset() as usize;
                let end = at + request.len();
                if state.data.len() < end {
                    state.data.resize(end, 0);
                }
                match self.model.faults.corrupt.filter(|(rule, _)| rule.hits(state.seen.writes)) {
                    Some((_, damage)) => damage.write(&mut state.data, at, request.payload()),
                    None => state.data[at..end].copy_from_slice(request.payload()),
                }
                state.seen.write_bytes += request.len() as u64;
            }
        } else {
            state.seen.reads += 1;
        }
        let wanted = if write { Wanted::Taken } else { Wanted::Bytes(request.offset()) };
        let pending = Pending { unique: request.unique, arrived: now, fate, wanted, len: request.len() };
        state.pending.insert(request.unique, pending);
        state.seen.most_in_flight = state.seen.most_in_flight.max(state.pending.len());
        if hung {
            state.held.push(request.unique);
            return;
        }
        let Asked { offset, .. } = asked;
        let server = match self.model.nature {
            Nature::Objects(bytes) => {
                let at = (offset / bytes.max(1)) as usize % state.free_at.len();
                state.free_at.get_mut(at)
            }
            _ => state.free_at.iter_mut().min(),
        };
        let Some(server) = server else { return };
        let end = (now.max(*server) + service + longer).max(not_before);
        *server = end;
        self.schedule(state, end, request.unique);
    }

    fn answer_requests(&self) {
        let mut state = self.lock();
        loop {
            let now = self.now();
            match state.due.peek() {
                Some(Reverse((at, _))) if *at <= now || state.stop => {
                    let Some(Reverse((_, unique))) = state.due.pop() else { continue };
                    let Some(pending) = state.pending.remove(&unique) else { continue };
                    let (error, body) = answer(&mut state, &pending);
                    drop(state);
                    self.send(pending.unique, error, &body);
                    let took = Duration::from_nanos(self.now() - pending.arrived);
                    state = self.lock();
                    match pending.wanted {
                        Wanted::Flushed => state.seen.sync_times.push(took),
                        Wanted::Bytes(_) | Wanted::Taken => state.seen.times.push(took),
                    }
                }
                Some(Reverse((at, _))) => {
                    let wait = Duration::from_nanos(at - now);
                    state = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
                }
                None if state.stop => return,
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

use wire::Request;

fn answer(state: &mut State, pending: &Pending) -> (i32, Vec<u8>) {
    let want = match pending.fate {
        Fate::Error(errno) => {
            state.seen.errors += 1;
            return (errno, Vec::new());
        }
        // The length must not be zero, which would mean the end of the file.
        Fate::Short => match pending.len / 2 / 512 * 512 {
            0 => pending.len,
            half => half,
        },
        Fate::Good => pending.len,
    };
    match pending.wanted {
        Wanted::Flushed => (0, Vec::new()),
        Wanted::Taken => (0, wire::written(want)),
        Wanted::Bytes(offset) => {
            let size = state.data.len();
            let start = (offset as usize).min(size);
            let end = (start + want).min(size);
            state.seen.read_bytes += (end - start) as u64;
            (0, state.data[start..end].to_vec())
        }
    }
}

#[cfg(test)]
mod tests;
