//! Whole objects of Ceph, through librados: written with the name of their run, read, looked at, removed and listed, with
//! many operations in flight.

use super::RemoteError;
use super::ceph::{Cluster, ClusterTarget, Pool, check};
use super::completion_queue::CompletionQueue;
use crate::Completion;
use std::collections::VecDeque;
use std::ffi::{CStr, CString};
use std::mem::ManuallyDrop;
use std::ptr;
use std::time::{Duration, Instant};
use sys::librados::RadosCompletion;

/// Time that cancelled operations get to end.
const CANCEL_LIMIT: Duration = Duration::from_secs(5);
/// Attribute of an object with the identifier of the run that wrote it.
const RUN: &CStr = c"fathom-run";
/// Longest identifier of a run that is read, in bytes.
const RUN_LIMIT: usize = 256;

/// An operation in its slot; the library writes to its fields until it is complete.
#[derive(Debug, Default)]
struct Running {
    completion: RadosHandle,
    call: &'static str,
    name: CString,
    buffer: Vec<u8>,
    size: u64,
    time: libc::time_t,
}

/// Completion of the library; null if the slot is free.
#[derive(Debug)]
struct RadosHandle(RadosCompletion);

impl Default for RadosHandle {
    fn default() -> Self {
        RadosHandle(ptr::null_mut())
    }
}

/// Objects of a pool with operations in flight, each in a slot. An operation ends after 18 s without an answer.
#[derive(Debug)]
pub struct RadosObjects {
    // Pool and cluster are dropped by hand, in this order, before the queue; kept if operations do not end.
    pool: ManuallyDrop<Pool>,
    cluster: ManuallyDrop<Cluster>,
    completions: CompletionQueue,
    pool_name: String,
    running: ManuallyDrop<Box<[Running]>>,
    ready: VecDeque<Completion>,
}

impl RadosObjects {
    /// Opens a pool, also `pool/namespace`, for at most `slots` operations in flight.
    ///
    /// # Errors
    /// The library is not installed, or the cluster or the pool cannot be opened.
    pub fn open(target: &ClusterTarget, pool: &str, slots: usize) -> Result<Self, RemoteError> {
        let cluster = Cluster::connect(target)?;
        let open = cluster.pool(pool)?;
        Ok(Self {
            pool: ManuallyDrop::new(open),
            cluster: ManuallyDrop::new(cluster),
            completions: CompletionQueue::new(slots, false),
            pool_name: pool.into(),
            running: ManuallyDrop::new(std::iter::repeat_with(Running::default).take(slots).collect()),
            ready: VecDeque::with_capacity(slots),
        })
    }

    /// Returns the addresses of the monitors.
    pub fn servers(&self) -> String {
        self.cluster.option("mon_host").unwrap_or_default()
    }

    /// Begins an operation by `start`, which gets the completion, the pool and the place of the operation.
    fn begin(
        &mut self,
        slot: usize,
        call: &'static str,
        name: &str,
        start: impl FnOnce(RadosCompletion, &Pool, &mut Running) -> i32,
    ) {
        // Names come from this program: they contain no null.
        let name = CString::new(name).unwrap_or_default();
        let completion = self.pool.completion(self.completions.begin(slot as u16, 0));
        let place = &mut self.running[slot];
        (place.call, place.name, place.completion) = (call, name, RadosHandle(completion));
        let started = start(completion, &self.pool, place);
        if started < 0 {
            self.completions.refuse(slot as u16, started);
        }
    }

    /// Starts to write an object with its contents and the run that writes it.
    pub fn put(&mut self, slot: usize, name: &str, contents: &[u8], run: &str) {
        self.begin(slot, "rados_write_op_write_full", name, |completion, pool, place| {
            let api = pool.api();
            // SAFETY: the library copies contents, attribute and name during these calls; the operation is released after
            // it was sent.
            unsafe {
                let write = (api.create_write_op)();
                (api.write_op_write_full)(write, contents.as_ptr().cast(), contents.len());
                (api.write_op_setxattr)(write, RUN.as_ptr(), run.as_ptr().cast(), run.len());
                let started =
                    (api.aio_write_op)(write, pool.io, completion, place.name.as_ptr(), ptr::null_mut(), 0);
                (api.release_write_op)(write);
                started
            }
        });
    }

    /// Starts to read at most `len` bytes of an object; [`RadosObjects::contents`] has them.
    pub fn get(&mut self, slot: usize, name: &str, len: usize) {
        self.begin(slot, "rados_aio_read", name, |completion, pool, place| {
            place.buffer.resize(len, 0);
            let buffer = place.buffer.as_mut_ptr().cast();
            // SAFETY: the library copies the name; the buffer is not touched until the operation is complete.
            unsafe { (pool.api().aio_read)(pool.io, place.name.as_ptr(), completion, buffer, len, 0) }
        });
    }

    /// Starts to ask for the size of an object; [`RadosObjects::size`] has it.
    pub fn stat(&mut self, slot: usize, name: &str) {
        self.begin(slot, "rados_aio_stat", name, |completion, pool, place| {
            let (size, time) = (&raw mut place.size, &raw mut place.time);
            // SAFETY: the library copies the name; the fields are not touched until the operation is complete.
            unsafe { (pool.api().aio_stat)(pool.io, place.name.as_ptr(), completion, size, time) }
        });
    }

    /// Starts to ask for the run that wrote an object; [`RadosObjects::contents`] has it. ENODATA if none did.
    pub fn run_of(&mut self, slot: usize, name: &str) {
        self.begin(slot, "rados_aio_getxattr", name, |completion, pool, place| {
            place.buffer.resize(RUN_LIMIT, 0);
            let buffer = place.buffer.as_mut_ptr().cast();
            // SAFETY: the library copies the names; the buffer is not touched until the operation is complete.
            unsafe {
                (pool.api().aio_getxattr)(
                    pool.io,
                    place.name.as_ptr(),
                    completion,
                    RUN.as_ptr(),
                    buffer,
                    RUN_LIMIT,
                )
            }
        });
    }

    /// Starts to remove an object.
    pub fn remove(&mut self, slot: usize, name: &str) {
        self.begin(slot, "rados_aio_remove", name, |completion, pool, place| {
            // SAFETY: the library copies the name.
            unsafe { (pool.api().aio_remove)(pool.io, place.name.as_ptr(), completion) }
        });
    }

    /// Waits until an operation is complete, for `limit` at most, or until a signal.
    pub fn wait(&mut self, limit: Duration) {
        if !self.ready.is_empty() {
            return;
        }
        let mut out = [Completion::default(); 64];
        let n = self.completions.reap_within(limit.as_nanos() as u64, &mut out);
        self.ready.extend(&out[..n]);
    }

    /// Returns a completed operation: its slot, and the result of the library.
    pub fn take(&mut self) -> Option<(usize, Result<i32, RemoteError>)> {
        let Completion { slot, res } = self.ready.pop_front()?;
        let slot = usize::from(slot);
        let place = &mut self.running[slot];
        let completion = std::mem::take(&mut place.completion).0;
        // SAFETY: the operation is complete, and its callback has run.
        unsafe { (self.pool.api().release)(completion) };
        if res >= 0 {
            return Some((slot, Ok(res)));
        }
        let what = format!("{}/{}", self.pool_name, place.name.to_string_lossy());
        Some((slot, Err(self.cluster.refused(place.call, -res, &what))))
    }

    /// Returns the first `len` bytes that the completed operation in a slot read.
    pub fn contents(&self, slot: usize, len: usize) -> &[u8] {
        self.running[slot].buffer.get(..len).unwrap_or_default()
    }

    /// Returns the size that the completed operation in a slot found.
    pub fn size(&self, slot: usize) -> u64 {
        self.running[slot].size
    }

    /// Calls `each` with the name of each object of the pool, in no order, until it returns false.
    ///
    /// # Errors
    /// The server's error.
    pub fn list(&self, each: &mut dyn FnMut(&str) -> bool) -> Result<(), RemoteError> {
        let api = self.pool.api();
        let mut list = ptr::null_mut();
        // SAFETY: the pool is open; the list is closed below.
        let opened = unsafe { (api.nobjects_list_open)(self.pool.io, &raw mut list) };
        let what = || self.cluster.describe(&self.pool_name);
        check("rados_nobjects_list_open", opened, what)?;
        let result = loop {
            let mut name = ptr::null();
            // SAFETY: the list is open; the name lives until the next call.
            let got =
                unsafe { (api.nobjects_list_next)(list, &raw mut name, ptr::null_mut(), ptr::null_mut()) };
            if got == -libc::ENOENT {
                break Ok(());
            }
            if let Err(error) = check("rados_nobjects_list_next", got, what) {
                break Err(error);
            }
            // SAFETY: the call succeeded: the name is a null-terminated text.
            let name = unsafe { CStr::from_ptr(name) };
            if !each(&name.to_string_lossy()) {
                break Ok(());
            }
        };
        // SAFETY: the list is open, and not used any more.
        unsafe { (api.nobjects_list_close)(list) };
        result
    }
}

impl Drop for RadosObjects {
    fn drop(&mut self) {
        let api = self.pool.api();
        for place in &**self.running {
            if !place.completion.0.is_null() {
                // SAFETY: the completion exists: it was not released.
                unsafe { (api.cancel)(self.pool.io, place.completion.0) };
            }
        }
        let end = Instant::now() + CANCEL_LIMIT;
        loop {
            while self.take().is_some() {}
            let left = end.saturating_duration_since(Instant::now());
            if self.completions.in_flight() == 0 {
                break;
            }
            if left.is_zero() {
                // The library still writes to the places: they and the connection stay.
                return;
            }
            self.wait(left);
        }
        // SAFETY: none is used after this; the pool goes before the cluster, whose end waits for the library's threads.
        unsafe {
            ManuallyDrop::drop(&mut self.running);
            ManuallyDrop::drop(&mut self.pool);
            ManuallyDrop::drop(&mut self.cluster);
        }
    }
}
