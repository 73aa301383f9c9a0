//! Images of Ceph (`rbd`), through librbd.

use super::RemoteError;
use super::ceph::ClusterTarget;
use super::completion_queue::CompletionQueue;
use super::rbd_image::{Image, completion};
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};

/// Format of an encrypted image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncryptionFormat {
    /// LUKS version 1.
    Luks1,
    /// LUKS version 2.
    Luks2,
}

/// Encryption of an image by the library.
#[derive(Clone, PartialEq, Eq)]
pub struct Encryption {
    /// Format of the image.
    pub format: EncryptionFormat,
    /// Passphrase of the image.
    pub passphrase: String,
}

impl std::fmt::Debug for Encryption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encryption").field("format", &self.format).finish_non_exhaustive()
    }
}

/// An image, and how it is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RbdTarget {
    /// Cluster of the image.
    pub cluster: ClusterTarget,
    /// Pool of the image, also `pool/namespace`.
    pub pool: String,
    /// Name of the image.
    pub image: String,
    /// Encryption of the image.
    pub encryption: Option<Encryption>,
    /// Whether the image is only read. It is opened without a watch then, which clients with read access cannot set.
    pub read_only: bool,
    /// Whether the worker polls for completions instead of sleeping.
    pub busy_poll: bool,
}

impl RbdTarget {
    /// Returns pool and image as the tools of Ceph write them.
    pub fn name(&self) -> String {
        format!("{}/{}", self.pool, self.image)
    }
}

/// Engine of one image.
#[derive(Debug)]
pub struct Rbd {
    image: Image,
    // Dropped after the image, whose end waits for the threads that use it.
    completions: CompletionQueue,
    clock: MachineClock,
    blocks: Blocks,
    /// Size of the image in bytes when it was opened.
    size: u64,
    /// Kinds of the operations by slot.
    kinds: Box<[Kind]>,
    queued: Vec<Op>,
    error: Option<RemoteError>,
}

impl Rbd {
    /// Opens an image for at most `depth` operations in flight.
    ///
    /// # Errors
    /// The library is not installed, or the cluster or the image cannot be opened.
    pub fn open(target: &RbdTarget, blocks: Blocks, depth: usize) -> Result<Self, RemoteError> {
        let mut image = Image::open(target, target.read_only)?;
        if !target.read_only {
            // librbd writes through until the first flush, by which it knows that its client sends flushes. fio sends it
            // here, too. The flush takes the exclusive lock of the image, so that the first write need not.
            image.flush()?;
        }
        image.cluster.wait_for_servers();
        Ok(Self {
            size: image.size()?,
            image,
            completions: CompletionQueue::new(depth, target.busy_poll),
            clock: MachineClock::best(),
            blocks,
            kinds: vec![Kind::Read; depth].into(),
            queued: Vec::with_capacity(depth),
            error: None,
        })
    }

    #[inline(always)]
    fn start(&mut self, op: &Op) {
        let done = u64::from(op.done);
        let (offset, len) = (op.offset + done, op.len - op.done);
        // librbd cuts writes and trims off at the end of the image, and reports success.
        let inside = self.size.saturating_sub(offset).min(len.into()) as u32;
        let bytes = if op.kind == Kind::Write || op.kind == Kind::Trim { inside } else { 0 };
        if op.kind == Kind::SyncRange && op.range().2 == 0 {
            self.completions.answer(op.slot, 0);
            return;
        }
        self.kinds[usize::from(op.slot)] = op.kind;
        let api = self.image.api;
        let completion = completion(api, self.completions.begin(op.slot, bytes));
        let handle = self.image.handle;
        // SAFETY: the image is open. The block of the slot belongs to the engine until it is reaped, has at least `len`
        // bytes, and outlives the engine.
        let started = unsafe {
            match op.kind {
                Kind::Read => {
                    let block = self.blocks.address(op.slot, op.done);
                    (api.aio_read)(handle, offset, len as usize, block.cast(), completion)
                }
                Kind::Write => {
                    let block = self.blocks.address(op.slot, op.done);
                    (api.aio_write)(handle, offset, len as usize, block.cast_const().cast(), completion)
                }
                Kind::Trim => (api.aio_discard)(handle, offset, len.into(), completion),
                Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => (api.aio_flush)(handle, completion),
            }
        };
        if started < 0 {
            // SAFETY: the library did not accept the call.
            unsafe { (api.release)(completion) };
            self.completions.refuse(op.slot, started);
        }
    }

    #[inline(always)]
    fn note_error(&mut self) {
        if let Some(failed) = self.completions.take_failed() {
            self.set_error(failed);
        }
    }
}

impl Rbd {
    #[cold]
    fn set_error(&mut self, failed: Completion) {
        let call = match self.kinds[usize::from(failed.slot)] {
            Kind::Read => "rbd_aio_read",
            Kind::Write => "rbd_aio_write",
            Kind::Trim => "rbd_aio_discard",
            Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => "rbd_aio_flush",
        };
        self.error = Some(self.image.refused(call, -failed.res));
    }
}

impl Drop for Rbd {
    fn drop(&mut self) {
        self.image.abandoned = self.completions.in_flight() > 0;
    }
}

impl Engine for Rbd {
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
        self.note_error();
        Ok(n)
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.completions.reap_within(nanos, out);
        self.note_error();
        Ok(n)
    }

    fn remote_error(&self) -> Option<&RemoteError> {
        self.error.as_ref()
    }
}
