//! Open images of Ceph, and what an image says about itself.

use super::ceph::{Cluster, Pool, c_string, refused, texts};
use super::completion_queue::{CompletionQueue, Place};
use super::rbd::{Encryption, EncryptionFormat, RbdTarget};
use super::{OPEN_LIMIT, RemoteError, Volume, ceph_facts};
use libc::{c_char, c_int, c_void};
use stats::layer::DeviceCap;
use stats::server_fact::{ClusterActivity, ServerFact};
use std::ffi::CStr;
use std::mem::ManuallyDrop;
use std::ptr;
use sys::librbd::{
    self, ConfigOption, ImageHandle, ImageInfo, ImageWatcher, Librbd, LinkedImageSpec, LuksOptions,
    RbdCompletion, SnapSpec,
};

/// Names of the features of an image, by their bits.
const FEATURES: [&str; 12] = [
    "layering",
    "striping",
    "exclusive-lock",
    "object-map",
    "fast-diff",
    "deep-flatten",
    "journaling",
    "data-pool",
    "operations",
    "migrating",
    "non-primary",
    "dirty-cache",
];
/// Largest number of objects of an image without an object map that are asked for the bytes with storage.
const ASKED_OBJECTS: u64 = 1024;
/// Largest number of metadata entries of an image that are read.
const METADATA: u64 = 4096;

/// Layout and state of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageFacts {
    /// Size in bytes.
    pub size: u64,
    /// Size of an object in bytes.
    pub object_size: u64,
    /// Number of objects of the image if all are written.
    pub objects: u64,
    /// Prefix of the names of the objects.
    pub object_prefix: String,
    /// Names of the enabled features.
    pub features: Vec<String>,
    /// Bytes that are written to an object before the next object follows.
    pub stripe_unit: u64,
    /// Number of objects over which stripe units are distributed.
    pub stripe_count: u64,
    /// Pool of the data, if it is not that of the image.
    pub data_pool: Option<String>,
    /// Parent of a clone, as pool/image@snapshot.
    pub parent: Option<String>,
    /// Metadata of the image, key and value; keys that begin with `conf_` change options of librbd.
    pub metadata: Vec<(String, String)>,
    /// Options of librbd in effect for this image.
    pub options: Vec<ImageOption>,
}

/// Option of librbd in effect for an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageOption {
    /// Name of the option, as `rbd_cache` or `rbd_qos_iops_limit`.
    pub name: String,
    /// Value in effect.
    pub value: String,
    /// Where the value was set.
    pub source: OptionSource,
}

/// Where the value of an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionSource {
    /// In the configuration of the client or the cluster, or nowhere: the default.
    Configuration,
    /// On the pool.
    Pool,
    /// On the image.
    Image,
}

impl ImageFacts {
    /// Returns the value of an option of librbd.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|option| option.name == name).map(|option| option.value.as_str())
    }

    /// Returns the QoS limits of the image that are not 0, as `rbd_qos_iops_limit` and its value.
    pub fn limits(&self) -> Vec<(&str, u64)> {
        let set = self
            .options
            .iter()
            .filter(|option| option.name.starts_with("rbd_qos_") && option.name.ends_with("_limit"));
        set.filter_map(|option| Some((option.name.as_str(), option.value.parse().ok()?)))
            .filter(|(_, value)| *value > 0)
            .collect()
    }
}

/// An open image with its connection, which is closed after it.
#[derive(Debug)]
pub(crate) struct Image {
    pub api: &'static Librbd,
    pub handle: ImageHandle,
    name: String,
    /// Name of the pool, with its namespace.
    pool_name: String,
    // In this order: pool before cluster.
    pool: ManuallyDrop<Pool>,
    pub cluster: ManuallyDrop<Cluster>,
    /// Whether operations are in flight that may never end. The image stays open then, because closing it would wait for
    /// them.
    pub abandoned: bool,
}

// SAFETY: librbd allows calls on an image from any thread.
unsafe impl Send for Image {}

impl Image {
    /// Opens an image.
    ///
    /// # Errors
    /// The library is not installed, or the cluster or the image cannot be opened.
    pub fn open(target: &RbdTarget, read_only: bool) -> Result<Self, RemoteError> {
        let api =
            Librbd::load().map_err(|missing| RemoteError::NoLibrary { missing, package: librbd::PACKAGE })?;
        let cluster = Cluster::connect(&target.cluster)?;
        let pool = cluster.pool(&target.pool)?;
        let name = c_string("rbd_open", &target.image)?;
        // The library writes the handle here until the call is complete: kept if that does not happen.
        let place = Box::into_raw(Box::new(ptr::null_mut()));
        let open = if read_only { api.open_read_only } else { api.open };
        // SAFETY: name and place live until the call is complete, or for ever.
        let waited =
            wait(api, |completion| unsafe { open(pool.io, name.as_ptr(), place, ptr::null(), completion) });
        let Some(opened) = waited else {
            std::mem::forget((name, pool, cluster));
            return Err(refused("rbd_open", libc::ETIMEDOUT, &target.name()));
        };
        // SAFETY: the call is complete, so that the place is ours again.
        let handle = *unsafe { Box::from_raw(place) };
        if opened < 0 {
            return Err(cluster.refused("rbd_open", -opened, &target.name()));
        }
        let image = Image {
            api,
            handle,
            name: target.name(),
            pool_name: target.pool.clone(),
            pool: ManuallyDrop::new(pool),
            cluster: ManuallyDrop::new(cluster),
            abandoned: false,
        };
        if let Some(encryption) = &target.encryption {
            image.decrypt(encryption)?;
        }
        Ok(image)
    }

    fn decrypt(&self, encryption: &Encryption) -> Result<(), RemoteError> {
        let format = match encryption.format {
            EncryptionFormat::Luks1 => librbd::ENCRYPTION_LUKS1,
            EncryptionFormat::Luks2 => librbd::ENCRYPTION_LUKS2,
        };
        let mut options = LuksOptions {
            alg: 0,
            passphrase: encryption.passphrase.as_ptr().cast(),
            passphrase_size: encryption.passphrase.len(),
        };
        let Some(load) = self.api.encryption_load else {
            return Err(self.refused("rbd_encryption_load", libc::ENOSYS));
        };
        // SAFETY: the options live across the call, and are those of both formats.
        let loaded =
            unsafe { load(self.handle, format, (&raw mut options).cast(), size_of::<LuksOptions>()) };
        if loaded < 0 { Err(self.refused("rbd_encryption_load", -loaded)) } else { Ok(()) }
    }

    /// Returns the error of a call on this image.
    pub fn refused(&self, call: &'static str, errno: i32) -> RemoteError {
        self.cluster.refused(call, errno, &self.name)
    }

    /// Flushes the image, and waits for it.
    ///
    /// # Errors
    /// The server's error; ETIMEDOUT after [`OPEN_LIMIT`].
    pub fn flush(&mut self) -> Result<(), RemoteError> {
        // SAFETY: the image is open.
        let waited = wait(self.api, |completion| unsafe { (self.api.aio_flush)(self.handle, completion) });
        // The image cannot be closed while the flush waits.
        self.abandoned = waited.is_none();
        let flushed = waited.unwrap_or(-libc::ETIMEDOUT);
        errno(flushed).map_err(|errno| self.refused("rbd_flush", errno))
    }

    /// Returns the size of the image in bytes.
    ///
    /// # Errors
    /// The library's error.
    pub fn size(&self) -> Result<u64, RemoteError> {
        let mut size = 0;
        // SAFETY: the image is open.
        let got = unsafe { (self.api.size)(self.handle, &raw mut size) };
        if got < 0 { Err(self.refused("rbd_get_size", -got)) } else { Ok(size) }
    }

    /// Returns the watchers of the image, without this connection, as `address client.number`.
    fn watchers(&self) -> Result<Vec<String>, RemoteError> {
        let mut count = 16;
        let watchers = loop {
            let none = ImageWatcher { addr: ptr::null_mut(), id: 0, cookie: 0 };
            let mut watchers = vec![none; count];
            // SAFETY: the library writes at most `count` entries.
            let got = unsafe { (self.api.watchers_list)(self.handle, watchers.as_mut_ptr(), &raw mut count) };
            match got {
                0.. => {
                    watchers.truncate(count);
                    break watchers;
                }
                errno if errno == -libc::ERANGE => {}
                errno => return Err(self.refused("rbd_watchers_list", -errno)),
            }
        };
        let own = self.cluster.instance() as i64;
        let others = watchers.iter().filter(|watcher| watcher.id != own);
        let names = others.map(|watcher| {
            // SAFETY: the library set the address of each watcher to a null-terminated text.
            let address = unsafe { CStr::from_ptr(watcher.addr) }.to_string_lossy();
            format!("client.{} {address}", watcher.id)
        });
        let names = names.collect();
        let mut watchers = watchers;
        // SAFETY: the entries are the library's, and are not used after this.
        unsafe { (self.api.watchers_cleanup)(watchers.as_mut_ptr(), watchers.len()) };
        Ok(names)
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        if self.abandoned {
            return;
        }
        self.cluster.begin_end();
        // Closing writes the cache back, which does not end if the server is lost: the connection stays then.
        // SAFETY: nothing is in flight, and the image is not used any more.
        if wait(self.api, |completion| unsafe { (self.api.close)(self.handle, completion) }).is_none() {
            return;
        }
        // SAFETY: neither is used any more. The pool goes before the cluster.
        unsafe {
            ManuallyDrop::drop(&mut self.pool);
            ManuallyDrop::drop(&mut self.cluster);
        }
    }
}

/// Calls `start` with a completion and waits for it, for [`OPEN_LIMIT`] at most; returns the result.
fn wait(api: &'static Librbd, start: impl FnOnce(RbdCompletion) -> c_int) -> Option<i32> {
    let mut queue = CompletionQueue::new(1, false);
    let completion = completion(api, queue.begin(0, 0));
    let started = start(completion);
    if started < 0 {
        queue.refuse(0, started);
        // SAFETY: the library did not accept the call.
        unsafe { (api.release)(completion) };
        return Some(started);
    }
    queue.wait_for_one(OPEN_LIMIT)
}

/// Returns a completion that hands its result over to the place `argument` of a queue.
#[inline(always)]
pub(crate) fn completion(api: &'static Librbd, argument: *mut c_void) -> RbdCompletion {
    let mut completion = ptr::null_mut();
    // SAFETY: the library returns 0 at all times.
    unsafe { (api.create_completion)(argument, Some(completed), &raw mut completion) };
    completion
}

/// Callback of all asynchronous calls of librbd.
unsafe extern "C" fn completed(completion: RbdCompletion, argument: *mut c_void) {
    if let Ok(api) = Librbd::load() {
        // SAFETY: the library calls this once, with its completion and the argument given to it.
        unsafe {
            let res = (api.return_value)(completion);
            (api.release)(completion);
            Place::complete(argument, res as i32);
        }
    }
}

/// An image outside a run: size, contents and users.
#[derive(Debug)]
pub struct RbdVolume {
    image: Image,
    size: u64,
}

impl RbdVolume {
    /// Opens an image to read it. No watch is set, so that this connection is not among the users of the image.
    ///
    /// # Errors
    /// As [`Rbd::open`].
    pub fn open(target: &RbdTarget) -> Result<Self, RemoteError> {
        let image = Image::open(target, true)?;
        let size = image.size()?;
        Ok(Self { image, size })
    }
}

impl Volume for RbdVolume {
    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn layers(&self) -> Vec<String> {
        let (image, pool) = (self.image.name.as_str(), self.image.name.split('/').next().unwrap_or_default());
        vec![format!("rbd (image {image})"), format!("pool {pool} (Ceph)")]
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let len = self.size.saturating_sub(offset).min(into.len() as u64) as usize;
        if len == 0 {
            return Ok(0);
        }
        let mut got = vec![0_u8; len];
        let image = &self.image;
        // SAFETY: the buffer lives until the call is complete, or for ever.
        let read = wait(image.api, |completion| unsafe {
            (image.api.aio_read)(image.handle, offset, len, got.as_mut_ptr().cast(), completion)
        });
        let Some(read) = read else {
            // The library may still write into the buffer, and the image cannot be closed.
            std::mem::forget(got);
            self.image.abandoned = true;
            return Err(self.image.refused("rbd_read", libc::ETIMEDOUT));
        };
        if read < 0 {
            return Err(image.refused("rbd_read", -read));
        }
        let read = (read as usize).min(len);
        into[..read].copy_from_slice(&got[..read]);
        Ok(read)
    }

    fn cap(&self) -> DeviceCap {
        let Ok(facts) = self.facts() else { return DeviceCap::default() };
        let limit = |name: &str| {
            let of = |unit: &str| facts.option(&format!("rbd_qos_{name}{unit}_limit"))?.parse().ok();
            [of("iops"), of("bps")].map(|value: Option<u64>| value.filter(|value| *value > 0))
        };
        let [all, read, write] = ["", "read_", "write_"].map(limit);
        // The limit of both directions holds for a run that has one.
        let least = |at: usize| [read[at], write[at]].map(|own| own.into_iter().chain(all[at]).min());
        DeviceCap { iops: least(0), bytes_per_second: least(1) }
    }

    fn server_facts(&mut self, all: bool) -> Vec<ServerFact> {
        let Ok(facts) = self.facts() else { return Vec::new() };
        let pool = self.image.pool_name.split('/').next().unwrap_or_default();
        let pools: Vec<&str> = [Some(pool), facts.data_pool.as_deref()].into_iter().flatten().collect();
        let mut found = ceph_facts::of_pools(&self.image.cluster, &pools, all);
        let bytes = self.allocated(&facts);
        let option = |name: &str| facts.option(name).unwrap_or_default();
        let cache = option("rbd_cache") == "true";
        let limits =
            facts.limits().into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>();
        found.extend([
            ServerFact::LibraryCache {
                library: self.library().into(),
                bytes: cache.then(|| option("rbd_cache_size").parse().unwrap_or(0)),
                policy: option("rbd_cache_policy").into(),
                until_flush: option("rbd_cache_writethrough_until_flush") == "true",
            },
            ServerFact::Image {
                size: facts.size,
                object_size: facts.object_size,
                stripe_unit: facts.stripe_unit,
                stripe_count: facts.stripe_count,
                features: facts.features.clone(),
                parent: facts.parent.clone(),
            },
        ]);
        found.extend(bytes.map(|bytes| ServerFact::Allocated { bytes, size: facts.size }));
        if !limits.is_empty() {
            found.push(ServerFact::Limits { limits });
        }
        found
    }

    fn activity(&mut self) -> Option<ClusterActivity> {
        ceph_facts::activity(&self.image.cluster)
    }

    fn servers(&mut self) -> Vec<String> {
        ceph_facts::servers(&self.image.cluster)
    }

    fn library(&self) -> &'static str {
        "librbd"
    }

    fn server_id(&self) -> String {
        self.image.cluster.fsid().unwrap_or_default()
    }

    fn users(&mut self) -> Result<Vec<String>, RemoteError> {
        let mut users = self.image.watchers()?;
        let lockers = self.image.lockers()?;
        users.extend(lockers.into_iter().filter(|locker| !users.contains(locker)).collect::<Vec<_>>());
        Ok(users)
    }
}

impl RbdVolume {
    /// Returns the connection to the image's cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.image.cluster
    }

    /// Returns layout, metadata and options of the image.
    ///
    /// # Errors
    /// The server's error.
    pub fn facts(&self) -> Result<ImageFacts, RemoteError> {
        let image = &self.image;
        let (api, handle) = (image.api, image.handle);
        let refused = |call: &'static str| move |errno| image.refused(call, errno);
        // SAFETY: integers and null bytes are valid values.
        let mut info: ImageInfo = unsafe { std::mem::zeroed() };
        // SAFETY: the image is open; the structure lives across the call.
        errno(unsafe { (api.stat)(handle, &raw mut info, size_of::<ImageInfo>()) })
            .map_err(refused("rbd_stat"))?;
        let number = |call, get: unsafe extern "C" fn(ImageHandle, *mut u64) -> c_int| {
            let mut value = 0;
            // SAFETY: as above.
            errno(unsafe { get(handle, &raw mut value) }).map_err(refused(call)).map(|()| value)
        };
        let features = number("rbd_get_features", api.features)?;
        let named = FEATURES.iter().enumerate().filter(|(bit, _)| features >> bit & 1 == 1);
        let data_pool = (features >> 7 & 1 == 1).then(|| {
            // SAFETY: as above.
            image.cluster.pool_name(unsafe { (api.data_pool_id)(handle) })
        });
        Ok(ImageFacts {
            size: info.size,
            object_size: info.obj_size,
            objects: info.num_objs,
            // SAFETY: the library ends the prefix with a null.
            object_prefix: unsafe { text(info.block_name_prefix.as_ptr()) },
            features: named.map(|(_, name)| (*name).into()).collect(),
            stripe_unit: number("rbd_get_stripe_unit", api.stripe_unit)?,
            stripe_count: number("rbd_get_stripe_count", api.stripe_count)?,
            data_pool: data_pool.flatten(),
            parent: image.parent()?,
            metadata: image.metadata()?,
            options: image.options()?,
        })
    }

    /// Returns the bytes of the image that are in objects of its own, each object up to its last written byte; the objects
    /// of a parent do not count.
    ///
    /// # Errors
    /// The server's error.
    pub fn used_bytes(&self) -> Result<u64, RemoteError> {
        self.own_bytes(false)
    }

    /// Returns the bytes of objects of the image's own, with `whole` each with its full size, which takes the object map
    /// alone where the image has one (feature fast-diff).
    fn own_bytes(&self, whole: bool) -> Result<u64, RemoteError> {
        unsafe extern "C" fn add(_: u64, len: usize, exists: c_int, sum: *mut c_void) -> c_int {
            if exists != 0 {
                // SAFETY: the pointer is that of the sum below.
                unsafe { *sum.cast::<u64>() += len as u64 };
            }
            0
        }
        let mut sum = 0_u64;
        // SAFETY: the sum lives across the call, in which the callback is called.
        let done = unsafe {
            let image = &self.image;
            let sum = (&raw mut sum).cast();
            (image.api.diff_iterate)(image.handle, ptr::null(), 0, self.size, 0, u8::from(whole), add, sum)
        };
        errno(done).map_err(|errno| self.image.refused("rbd_diff_iterate2", errno))?;
        Ok(sum)
    }

    /// Returns the bytes of objects of the image's own; `None` if each object of a large image would have to be asked for.
    fn allocated(&self, facts: &ImageFacts) -> Option<u64> {
        let mapped = facts.features.iter().any(|feature| feature == "fast-diff");
        (mapped || facts.objects <= ASKED_OBJECTS).then(|| self.own_bytes(mapped).ok()).flatten()
    }
}

impl Image {
    /// Returns the parent as pool/image@snapshot; `None` if the image is no clone.
    fn parent(&self) -> Result<Option<String>, RemoteError> {
        // SAFETY: null pointers, integers and false are valid values.
        let (mut parent, mut snapshot): (LinkedImageSpec, SnapSpec) = unsafe { std::mem::zeroed() };
        // SAFETY: the image is open; the structures live across the call.
        let got = unsafe { (self.api.parent)(self.handle, &raw mut parent, &raw mut snapshot) };
        if got == -libc::ENOENT {
            return Ok(None);
        }
        errno(got).map_err(|errno| self.refused("rbd_get_parent", errno))?;
        // SAFETY: the library filled the structures, whose texts it frees.
        unsafe {
            let (pool, namespace) = (text(parent.pool_name), text(parent.pool_namespace));
            let separator = if namespace.is_empty() { "" } else { "/" };
            let name =
                format!("{pool}/{namespace}{separator}{}@{}", text(parent.image_name), text(snapshot.name));
            (self.api.linked_image_cleanup)(&raw mut parent);
            (self.api.snap_cleanup)(&raw mut snapshot);
            Ok(Some(name))
        }
    }

    fn metadata(&self) -> Result<Vec<(String, String)>, RemoteError> {
        let (mut keys, mut values) = (vec![0_u8; 4096], vec![0_u8; 16384]);
        loop {
            let (mut keys_len, mut values_len) = (keys.len(), values.len());
            // SAFETY: the library writes at most as many bytes as the buffers have.
            let got = unsafe {
                let (keys, values) = (keys.as_mut_ptr().cast(), values.as_mut_ptr().cast());
                (self.api.metadata_list)(
                    self.handle,
                    c"".as_ptr(),
                    METADATA,
                    keys,
                    &raw mut keys_len,
                    values,
                    &raw mut values_len,
                )
            };
            keys.resize(keys_len, 0);
            values.resize(values_len, 0);
            if got != -libc::ERANGE {
                errno(got).map_err(|errno| self.refused("rbd_metadata_list", errno))?;
                // Values can be empty, keys cannot.
                let values =
                    values.split(|byte| *byte == 0).map(|value| String::from_utf8_lossy(value).into_owned());
                return Ok(texts(&keys).into_iter().zip(values).collect());
            }
        }
    }

    fn options(&self) -> Result<Vec<ImageOption>, RemoteError> {
        let none = ConfigOption { name: ptr::null_mut(), value: ptr::null_mut(), source: 0 };
        let mut count: c_int = 128;
        loop {
            let mut options = vec![none; count as usize];
            // SAFETY: the library writes at most `count` entries.
            let got = unsafe { (self.api.config_list)(self.handle, options.as_mut_ptr(), &raw mut count) };
            if got == -libc::ERANGE {
                continue;
            }
            errno(got).map_err(|errno| self.refused("rbd_config_image_list", errno))?;
            // SAFETY: the library filled `count` entries, whose texts it frees.
            let list = options[..count as usize].iter().map(|option| unsafe {
                ImageOption {
                    name: text(option.name),
                    value: text(option.value),
                    source: match option.source {
                        1 => OptionSource::Pool,
                        2 => OptionSource::Image,
                        _ => OptionSource::Configuration,
                    },
                }
            });
            let list = list.collect();
            // SAFETY: as above.
            unsafe { (self.api.config_cleanup)(options.as_mut_ptr(), count) };
            return Ok(list);
        }
    }

    /// Returns the holders of advisory locks at the time when the image was opened, as `client.number address`.
    fn lockers(&self) -> Result<Vec<String>, RemoteError> {
        let mut buffers: [Vec<u8>; 4] = Default::default();
        loop {
            let mut exclusive = 0;
            let mut lens = buffers.each_ref().map(Vec::len);
            let [tag, clients, cookies, addresses] =
                buffers.each_mut().map(|buffer| buffer.as_mut_ptr().cast());
            let [tag_len, clients_len, cookies_len, addresses_len] = lens.each_mut().map(std::ptr::from_mut);
            // SAFETY: the library writes at most as many bytes as the buffers have.
            let got = unsafe {
                (self.api.list_lockers)(
                    self.handle,
                    &raw mut exclusive,
                    tag,
                    tag_len,
                    clients,
                    clients_len,
                    cookies,
                    cookies_len,
                    addresses,
                    addresses_len,
                )
            };
            if got == -(libc::ERANGE as isize) {
                for (buffer, len) in buffers.iter_mut().zip(lens) {
                    buffer.resize(len, 0);
                }
                continue;
            }
            errno(got as c_int).map_err(|errno| self.refused("rbd_list_lockers", errno))?;
            let clients = texts(&buffers[1]).into_iter().zip(texts(&buffers[3]));
            return Ok(clients
                .take(got as usize)
                .map(|(client, address)| format!("{client} {address}"))
                .collect());
        }
    }
}

/// Returns the result of a call, or its errno.
fn errno(result: c_int) -> Result<(), i32> {
    if result < 0 { Err(-result) } else { Ok(()) }
}

/// Returns a text of the library; empty if there is none.
///
/// # Safety
/// The pointer is null, or that of a null-terminated text.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}
