//! Scratch objects and images of measurements in a pool of Ceph.

use super::RemoteError;
use super::ceph::{Cluster, ClusterTarget, Pool, c_string};
use super::rbd::RbdTarget;
use super::rbd_image::Image;
use std::ptr;
use sys::librbd::{self, Librbd};

/// Namespace of scratch objects: no object of another client has its name.
pub const NAMESPACE: &str = "fathom";
/// `LIBRADOS_CREATE_EXCLUSIVE`: creating fails if the object exists.
const EXCLUSIVE: i32 = 1;

/// `RBD_FEATURE_LAYERING`: the only feature of a scratch image.
const LAYERING: &str = "1";

/// A pool with its scratch objects and images.
#[derive(Debug)]
pub struct ScratchPool {
    // In this order: pools before the cluster.
    objects: Pool,
    images: Pool,
    cluster: Cluster,
    target: ClusterTarget,
    pool: String,
}

impl ScratchPool {
    /// Opens a pool.
    ///
    /// # Errors
    /// The library is not installed, or the cluster or the pool cannot be opened.
    pub fn open(target: &ClusterTarget, pool: &str) -> Result<Self, RemoteError> {
        let cluster = Cluster::connect(target)?;
        let objects = cluster.pool(&format!("{pool}/{NAMESPACE}"))?;
        let images = cluster.pool(pool)?;
        Ok(Self { objects, images, cluster, target: target.clone(), pool: pool.into() })
    }

    /// Returns the connection to the cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    fn object(&self, name: &str) -> String {
        format!("{}/{NAMESPACE}/{name}", self.pool)
    }

    /// Creates an object with these contents; returns false if it exists.
    ///
    /// # Errors
    /// The server's error.
    pub fn create(&self, name: &str, contents: &[u8]) -> Result<bool, RemoteError> {
        let object = c_string("rados_write_op_create", name)?;
        let api = self.objects.api();
        // SAFETY: name and contents live until the call is complete; the operation is released after it was sent.
        let created = self.objects.wait(|completion| unsafe {
            let create = (api.create_write_op)();
            (api.write_op_create)(create, EXCLUSIVE, ptr::null());
            (api.write_op_write_full)(create, contents.as_ptr().cast(), contents.len());
            let io = self.objects.io;
            let started = (api.aio_write_op)(create, io, completion, object.as_ptr(), ptr::null_mut(), 0);
            (api.release_write_op)(create);
            started
        });
        match created {
            0.. => Ok(true),
            errno if errno == -libc::EEXIST => Ok(false),
            errno => Err(self.cluster.refused("rados_write_op_create", -errno, &self.object(name))),
        }
    }

    /// Returns the first bytes of an object; `None` if it does not exist.
    ///
    /// # Errors
    /// The server's error.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RemoteError> {
        let object = c_string("rados_aio_read", name)?;
        let mut bytes = vec![0_u8; 4096];
        // SAFETY: name and buffer live until the call is complete.
        let read = self.objects.wait(|completion| unsafe {
            let buffer = bytes.as_mut_ptr().cast();
            (self.objects.api().aio_read)(
                self.objects.io,
                object.as_ptr(),
                completion,
                buffer,
                bytes.len(),
                0,
            )
        });
        match read {
            0.. => {
                bytes.truncate(read as usize);
                Ok(Some(bytes))
            }
            errno if errno == -libc::ENOENT => Ok(None),
            errno => Err(self.cluster.refused("rados_aio_read", -errno, &self.object(name))),
        }
    }

    /// Removes an object; returns false if it does not exist.
    ///
    /// # Errors
    /// The server's error.
    pub fn remove(&self, name: &str) -> Result<bool, RemoteError> {
        let object = c_string("rados_aio_remove", name)?;
        // SAFETY: the name lives until the call is complete.
        let removed = self.objects.wait(|completion| unsafe {
            (self.objects.api().aio_remove)(self.objects.io, object.as_ptr(), completion)
        });
        match removed {
            0.. => Ok(true),
            errno if errno == -libc::ENOENT => Ok(false),
            errno => Err(self.cluster.refused("rados_aio_remove", -errno, &self.object(name))),
        }
    }

    /// Creates an image of `bytes`, which clients of it use without librbd's cache and without a lock: to acquire the lock
    /// takes a second on slow disks, in which the first writes wait.
    ///
    /// # Errors
    /// The image exists, or the server's error.
    pub fn create_image(&self, name: &str, bytes: u64) -> Result<(), RemoteError> {
        let api = self.librbd()?;
        let image = c_string("rbd_create", name)?;
        let what = || format!("{}/{name}", self.pool);
        self.cluster.set("rbd_default_features", LAYERING);
        let mut order = 0;
        // SAFETY: the pool is open; name and order live across the call.
        let created = unsafe { (api.create)(self.images.io, image.as_ptr(), bytes, &raw mut order) };
        if created < 0 {
            return Err(self.cluster.refused("rbd_create", -created, &what()));
        }
        let target = RbdTarget {
            cluster: self.target.clone(),
            pool: self.pool.clone(),
            image: name.into(),
            ..RbdTarget::default()
        };
        let open = Image::open(&target, false)?;
        // SAFETY: the image is open; the texts are null-terminated and live across the call.
        let set = unsafe { (api.metadata_set)(open.handle, c"conf_rbd_cache".as_ptr(), c"false".as_ptr()) };
        if set < 0 { Err(open.refused("rbd_metadata_set", -set)) } else { Ok(()) }
    }

    /// Removes an image; returns false if it does not exist.
    ///
    /// # Errors
    /// EBUSY if a client has it open or its connection has not expired, or the server's error.
    pub fn remove_image(&self, name: &str) -> Result<bool, RemoteError> {
        let api = self.librbd()?;
        let image = c_string("rbd_remove", name)?;
        // SAFETY: the pool is open; the name lives across the call.
        match unsafe { (api.remove)(self.images.io, image.as_ptr()) } {
            0.. => Ok(true),
            errno if errno == -libc::ENOENT => Ok(false),
            errno => Err(self.cluster.refused("rbd_remove", -errno, &format!("{}/{name}", self.pool))),
        }
    }

    fn librbd(&self) -> Result<&'static Librbd, RemoteError> {
        Librbd::load().map_err(|missing| RemoteError::NoLibrary { missing, package: librbd::PACKAGE })
    }
}
