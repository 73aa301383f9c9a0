//! Objects of Ceph (`rados`), through librados.

use super::ceph::{Cluster, ClusterTarget, Pool, c_string};
use super::completion_queue::CompletionQueue;
use super::{RemoteError, Volume, ceph_facts};
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use stats::server_fact::{ClusterActivity, ServerFact};
use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::ptr;
use std::time::Duration;
use sys::librados::RadosCompletion;

/// Time that cancelled operations get to end.
const CANCEL_LIMIT: Duration = Duration::from_secs(5);
/// `LIBRADOS_CREATE_EXCLUSIVE`: creating fails if the object exists.
const EXCLUSIVE: i32 = 1;

/// Objects of a pool, and how they are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RadosTarget {
    /// Cluster of the pool.
    pub cluster: ClusterTarget,
    /// Name of the pool, also `pool/namespace`.
    pub pool: String,
    /// Names of the objects, in the order of the job's files.
    pub objects: Vec<String>,
    /// Whether objects that do not exist are created when the engine is opened.
    pub touch: bool,
    /// Whether objects that did not exist when the engine was opened are removed at its end.
    pub remove_created: bool,
    /// Whether the worker polls for completions instead of sleeping.
    pub busy_poll: bool,
}

/// An object in the engine's table.
#[derive(Debug)]
struct Object {
    name: CString,
    /// Whether the object did not exist when the engine was opened.
    created: bool,
}

/// Engine of objects, one per file of the job.
#[derive(Debug)]
pub struct Rados {
    // Pool and cluster are dropped by hand, in this order, before the queue; kept if operations do not end.
    pool: ManuallyDrop<Pool>,
    cluster: ManuallyDrop<Cluster>,
    completions: CompletionQueue,
    clock: MachineClock,
    blocks: Blocks,
    pool_name: String,
    objects: Vec<Object>,
    /// Operations in flight by slot, with their completions; null if the slot is free.
    running: Box<[(Op, RadosCompletion)]>,
    queued: Vec<Op>,
    error: Option<RemoteError>,
    remove_created: bool,
    reads_past_end: u64,
}

impl Rados {
    /// Opens a pool for at most `depth` operations in flight, and creates the objects if the target asks for it.
    ///
    /// # Errors
    /// The library is not installed, the cluster or the pool cannot be opened, or an object cannot be created.
    pub fn open(target: &RadosTarget, blocks: Blocks, depth: usize) -> Result<Self, RemoteError> {
        let cluster = Cluster::connect(&target.cluster)?;
        let pool = cluster.pool(&target.pool)?;
        let mut objects = Vec::with_capacity(target.objects.len());
        for name in &target.objects {
            let mut object = Object { name: c_string("rados_write_op_create", name)?, created: false };
            if target.touch {
                object.created = create(&cluster, &pool, target, &object.name)?;
            } else if target.remove_created {
                object.created = stat(&cluster, &pool, &target.pool, &object.name)?.is_none();
            }
            objects.push(object);
        }
        cluster.wait_for_servers();
        Ok(Self {
            pool: ManuallyDrop::new(pool),
            cluster: ManuallyDrop::new(cluster),
            completions: CompletionQueue::new(depth, target.busy_poll),
            clock: MachineClock::best(),
            blocks,
            pool_name: target.pool.clone(),
            objects,
            running: vec![(Op::NONE, ptr::null_mut()); depth].into(),
            queued: Vec::with_capacity(depth),
            error: None,
            remove_created: target.remove_created,
            reads_past_end: 0,
        })
    }

    /// Returns the number of reads that reached beyond the end of their object: what was never written reads as zeros, and
    /// no device takes part in it.
    pub fn reads_past_end(&self) -> u64 {
        self.reads_past_end
    }

    #[inline(always)]
    fn start(&mut self, op: &Op) {
        if op.kind == Kind::SyncRange && op.range().2 == 0 {
            self.completions.answer(op.slot, 0);
            return;
        }
        let done = u64::from(op.done);
        let (offset, len) = (op.offset + done, op.len - op.done);
        let bytes = if op.kind == Kind::Write || op.kind == Kind::Trim { len } else { 0 };
        let completion = self.pool.completion(self.completions.begin(op.slot, bytes));
        self.running[usize::from(op.slot)] = (*op, completion);
        let (api, io) = (self.pool.api(), self.pool.io);
        let name = self.objects[op.file as usize].name.as_ptr();
        // SAFETY: the pool is open, and the library copies the name. The block of the slot belongs to the engine until it is
        // reaped, has at least `len` bytes, and outlives the engine.
        let started = unsafe {
            match op.kind {
                Kind::Read => {
                    let block = self.blocks.address(op.slot, op.done);
                    (api.aio_read)(io, name, completion, block.cast(), len as usize, offset)
                }
                Kind::Write => {
                    let block = self.blocks.address(op.slot, op.done);
                    (api.aio_write)(io, name, completion, block.cast_const().cast(), len as usize, offset)
                }
                Kind::Trim => {
                    let zero = (api.create_write_op)();
                    (api.write_op_zero)(zero, offset, len.into());
                    let started = (api.aio_write_op)(zero, io, completion, name, ptr::null_mut(), 0);
                    (api.release_write_op)(zero);
                    started
                }
                Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => (api.aio_flush)(io, completion),
            }
        };
        if started < 0 {
            self.completions.refuse(op.slot, started);
        }
    }

    /// Releases the completions of reaped operations, and fills what a read did not find with zeros.
    #[inline(always)]
    fn settle(&mut self, reaped: &mut [Completion]) {
        for completion in reaped {
            let (op, handle) = &mut self.running[usize::from(completion.slot)];
            if handle.is_null() {
                continue;
            }
            // SAFETY: the call is complete, and its callback has run.
            unsafe { (self.pool.api().release)(std::mem::replace(handle, ptr::null_mut())) };
            let len = (op.len - op.done) as i32;
            if op.kind == Kind::Read && (0..len).contains(&completion.res) {
                self.reads_past_end += 1;
                let rest = self.blocks.address(op.slot, op.done + completion.res as u32);
                // SAFETY: the rest of the block, which is the engine's until this call returns.
                unsafe { rest.write_bytes(0, (len - completion.res) as usize) };
                completion.res = len;
            }
        }
        if let Some(failed) = self.completions.take_failed() {
            self.note_error(failed);
        }
    }

    #[cold]
    fn note_error(&mut self, failed: Completion) {
        let op = self.running[usize::from(failed.slot)].0;
        let (call, what) = match op.kind {
            Kind::Read => ("rados_aio_read", true),
            Kind::Write => ("rados_aio_write", true),
            Kind::Trim => ("rados_write_op_zero", true),
            Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => ("rados_aio_flush", false),
        };
        let object = self.objects.get(op.file as usize).filter(|_| what);
        let name = match object {
            Some(object) => format!("{}/{}", self.pool_name, object.name.to_string_lossy()),
            None => self.pool_name.clone(),
        };
        self.error = Some(self.cluster.refused(call, -failed.res, &name));
    }
}

/// Creates an object; returns false if it exists.
fn create(cluster: &Cluster, pool: &Pool, target: &RadosTarget, name: &CString) -> Result<bool, RemoteError> {
    let api = pool.api();
    // SAFETY: the name lives until the call is complete; the operation is released after it was sent.
    let created = pool.wait(|completion| unsafe {
        let create = (api.create_write_op)();
        (api.write_op_create)(create, EXCLUSIVE, ptr::null());
        let started = (api.aio_write_op)(create, pool.io, completion, name.as_ptr(), ptr::null_mut(), 0);
        (api.release_write_op)(create);
        started
    });
    match created {
        0.. => Ok(true),
        errno if errno == -libc::EEXIST => Ok(false),
        errno => {
            let what = format!("{}/{}", target.pool, name.to_string_lossy());
            Err(cluster.refused("rados_write_op_create", -errno, &what))
        }
    }
}

/// Returns the size of an object; `None` if it does not exist.
fn stat(cluster: &Cluster, pool: &Pool, pool_name: &str, name: &CString) -> Result<Option<u64>, RemoteError> {
    let (mut size, mut time) = (0, 0);
    // SAFETY: name and results live until the call is complete.
    let got = pool.wait(|completion| unsafe {
        (pool.api().aio_stat)(pool.io, name.as_ptr(), completion, &raw mut size, &raw mut time)
    });
    match got {
        0.. => Ok(Some(size)),
        errno if errno == -libc::ENOENT => Ok(None),
        errno => {
            let what = format!("{pool_name}/{}", name.to_string_lossy());
            Err(cluster.refused("rados_aio_stat", -errno, &what))
        }
    }
}

impl Drop for Rados {
    fn drop(&mut self) {
        self.cluster.begin_end();
        let api = self.pool.api();
        for (_, completion) in &self.running {
            if !completion.is_null() {
                // SAFETY: the completion exists: the worker did not release it.
                unsafe { (api.cancel)(self.pool.io, *completion) };
            }
        }
        let end = std::time::Instant::now() + CANCEL_LIMIT;
        let mut out = [Completion::default(); 64];
        while self.completions.in_flight() > 0 {
            let left = end.saturating_duration_since(std::time::Instant::now());
            let n = self.completions.reap_within(left.as_nanos() as u64, &mut out);
            self.settle(&mut out[..n]);
            if n == 0 && left.is_zero() {
                // The library still uses the blocks: connection and places stay.
                return;
            }
        }
        if self.remove_created {
            for object in self.objects.iter().filter(|object| object.created) {
                // SAFETY: the name lives until the call is complete. An object that cannot be removed stays, as its error
                // comes too late for the run.
                self.pool.wait(|completion| unsafe {
                    (api.aio_remove)(self.pool.io, object.name.as_ptr(), completion)
                });
            }
        }
        // SAFETY: neither is used after this; the pool goes before the cluster, whose end waits for the library's threads.
        unsafe {
            ManuallyDrop::drop(&mut self.pool);
            ManuallyDrop::drop(&mut self.cluster);
        }
    }
}

impl Engine for Rados {
    type Clock = MachineClock;
    const SYNC: bool = false;
    const TRIMS_IN_CALL: bool = false;
    const HANDS_OVER_ONE_BY_ONE: bool = true;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    #[inline(always)]
    fn queue(&mut self, ops: &[Op]) {
        self.queued.extend_from_slice(ops);
    }

    #[inline(always)]
    fn submit(&mut self) -> Result<(), RingDead> {
        for at in 0..self.queued.len() {
            let op = self.queued[at];
            self.start(&op);
        }
        self.queued.clear();
        Ok(())
    }

    #[inline(always)]
    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.completions.reap(min, out);
        self.settle(&mut out[..n]);
        Ok(n)
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.completions.reap_within(nanos, out);
        self.settle(&mut out[..n]);
        Ok(n)
    }

    fn remote_error(&self) -> Option<&RemoteError> {
        self.error.as_ref()
    }
}

/// An object outside a run: size and contents.
#[derive(Debug)]
pub struct RadosVolume {
    // In this order: pool before cluster.
    pool: Pool,
    cluster: Cluster,
    pool_name: String,
    object: CString,
    size: Option<u64>,
}

impl RadosVolume {
    /// Opens the pool of a target, and looks for its object `object`.
    ///
    /// # Errors
    /// The library is not installed, or the cluster or the pool cannot be opened.
    pub fn open(target: &RadosTarget, object: &str) -> Result<Self, RemoteError> {
        let cluster = Cluster::connect(&target.cluster)?;
        let pool = cluster.pool(&target.pool)?;
        let object = c_string("rados_aio_stat", object)?;
        let size = stat(&cluster, &pool, &target.pool, &object)?;
        Ok(Self { pool, cluster, pool_name: target.pool.clone(), object, size })
    }
}

impl Volume for RadosVolume {
    fn size(&self) -> Option<u64> {
        self.size
    }

    fn layers(&self) -> Vec<String> {
        vec!["rados (object)".into(), format!("pool {} (Ceph)", self.pool_name)]
    }

    fn server_facts(&mut self, all: bool) -> Vec<ServerFact> {
        let pool = self.pool_name.split('/').next().unwrap_or_default();
        ceph_facts::of_pools(&self.cluster, &[pool], all)
    }

    fn activity(&mut self) -> Option<ClusterActivity> {
        ceph_facts::activity(&self.cluster)
    }

    fn servers(&mut self) -> Vec<String> {
        ceph_facts::servers(&self.cluster)
    }

    fn library(&self) -> &'static str {
        "librados"
    }

    fn server_id(&self) -> String {
        self.cluster.fsid().unwrap_or_default()
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let (pool, name) = (&self.pool, self.object.as_ptr());
        // SAFETY: name and buffer live until the call is complete.
        let read = pool.wait(|completion| unsafe {
            (pool.api().aio_read)(pool.io, name, completion, into.as_mut_ptr().cast(), into.len(), offset)
        });
        if read < 0 {
            let what = format!("{}/{}", self.pool_name, self.object.to_string_lossy());
            return Err(self.cluster.refused("rados_aio_read", -read, &what));
        }
        Ok(read as usize)
    }
}
