//! Functions of librbd, the client library of Ceph's block devices (rbd/librbd.h).

use crate::librados::IoContext;
use libc::{c_char, c_int, c_void, size_t, ssize_t};

/// Debian's package of the library.
pub const PACKAGE: &str = "librbd1";

/// `rbd_image_t`: an open image.
pub type ImageHandle = *mut c_void;
/// `rbd_completion_t`: completion of an asynchronous call.
pub type RbdCompletion = *mut c_void;
/// `rbd_callback_t`: called when an asynchronous call is complete, on a thread of the library.
pub type RbdCallback = unsafe extern "C" fn(RbdCompletion, *mut c_void);

/// `RBD_ENCRYPTION_FORMAT_LUKS1`.
pub const ENCRYPTION_LUKS1: c_int = 0;
/// `RBD_ENCRYPTION_FORMAT_LUKS2`.
pub const ENCRYPTION_LUKS2: c_int = 1;

/// `rbd_image_info_t`: size of an image and of its objects.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ImageInfo {
    /// Size of the image in bytes.
    pub size: u64,
    /// Size of an object in bytes.
    pub obj_size: u64,
    /// Number of objects.
    pub num_objs: u64,
    /// Binary logarithm of the size of an object.
    pub order: c_int,
    /// Prefix of the names of the objects, null-terminated.
    pub block_name_prefix: [c_char; 24],
    /// Deprecated.
    pub parent_pool: i64,
    /// Deprecated.
    pub parent_name: [c_char; 96],
}

/// `rbd_image_watcher_t`: a client that has an image open.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ImageWatcher {
    /// Address of the client, null-terminated.
    pub addr: *mut c_char,
    /// Number of the client's instance.
    pub id: i64,
    /// Number of the watch.
    pub cookie: u64,
}

/// `rbd_linked_image_spec_t`: name of a parent image.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LinkedImageSpec {
    /// Number of the pool.
    pub pool_id: i64,
    /// Name of the pool.
    pub pool_name: *mut c_char,
    /// Namespace in the pool.
    pub pool_namespace: *mut c_char,
    /// Identifier of the image.
    pub image_id: *mut c_char,
    /// Name of the image.
    pub image_name: *mut c_char,
    /// Whether the image is in the trash.
    pub trash: bool,
}

/// `rbd_snap_spec_t`: name of a snapshot.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SnapSpec {
    /// Number of the snapshot.
    pub id: u64,
    /// Kind of the snapshot.
    pub namespace_type: c_int,
    /// Name of the snapshot.
    pub name: *mut c_char,
}

/// `rbd_config_option_t`: an option of librbd for an image.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ConfigOption {
    /// Name of the option.
    pub name: *mut c_char,
    /// Value of the option.
    pub value: *mut c_char,
    /// Source of the value: 0 = configuration, 1 = pool, 2 = image.
    pub source: c_int,
}

/// `rbd_encryption_luks1_format_options_t`, which has the fields of the structure for LUKS2.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LuksOptions {
    /// Algorithm; not used when an encryption is loaded.
    pub alg: c_int,
    /// Passphrase, which needs no null at its end.
    pub passphrase: *const c_char,
    /// Bytes of the passphrase.
    pub passphrase_size: size_t,
}

/// Function called by `rbd_diff_iterate2` with offset, length, whether the range exists, and the caller's pointer.
pub type DiffCallback = unsafe extern "C" fn(u64, size_t, c_int, *mut c_void) -> c_int;

crate::c_library! {
    /// Functions of librbd.
    pub struct Librbd = "librbd.so.1" {
        create = rbd_create: fn(IoContext, *const c_char, u64, *mut c_int) -> c_int;
        remove = rbd_remove: fn(IoContext, *const c_char) -> c_int;
        metadata_set = rbd_metadata_set: fn(ImageHandle, *const c_char, *const c_char) -> c_int;
        open = rbd_aio_open:
            fn(IoContext, *const c_char, *mut ImageHandle, *const c_char, RbdCompletion) -> c_int;
        open_read_only = rbd_aio_open_read_only:
            fn(IoContext, *const c_char, *mut ImageHandle, *const c_char, RbdCompletion) -> c_int;
        close = rbd_aio_close: fn(ImageHandle, RbdCompletion) -> c_int;
        stat = rbd_stat: fn(ImageHandle, *mut ImageInfo, size_t) -> c_int;
        size = rbd_get_size: fn(ImageHandle, *mut u64) -> c_int;
        features = rbd_get_features: fn(ImageHandle, *mut u64) -> c_int;
        stripe_unit = rbd_get_stripe_unit: fn(ImageHandle, *mut u64) -> c_int;
        stripe_count = rbd_get_stripe_count: fn(ImageHandle, *mut u64) -> c_int;
        data_pool_id = rbd_get_data_pool_id: fn(ImageHandle) -> i64;
        parent = rbd_get_parent: fn(ImageHandle, *mut LinkedImageSpec, *mut SnapSpec) -> c_int;
        linked_image_cleanup = rbd_linked_image_spec_cleanup: fn(*mut LinkedImageSpec);
        snap_cleanup = rbd_snap_spec_cleanup: fn(*mut SnapSpec);
        list_lockers = rbd_list_lockers: fn(
            ImageHandle, *mut c_int, *mut c_char, *mut size_t, *mut c_char, *mut size_t, *mut c_char, *mut size_t,
            *mut c_char, *mut size_t,
        ) -> ssize_t;
        watchers_list = rbd_watchers_list: fn(ImageHandle, *mut ImageWatcher, *mut size_t) -> c_int;
        watchers_cleanup = rbd_watchers_list_cleanup: fn(*mut ImageWatcher, size_t);
        metadata_list = rbd_metadata_list: fn(
            ImageHandle, *const c_char, u64, *mut c_char, *mut size_t, *mut c_char, *mut size_t,
        ) -> c_int;
        config_list = rbd_config_image_list: fn(ImageHandle, *mut ConfigOption, *mut c_int) -> c_int;
        config_cleanup = rbd_config_image_list_cleanup: fn(*mut ConfigOption, c_int);
        diff_iterate = rbd_diff_iterate2:
            fn(ImageHandle, *const c_char, u64, u64, u8, u8, DiffCallback, *mut c_void) -> c_int;
        create_completion = rbd_aio_create_completion:
            fn(*mut c_void, Option<RbdCallback>, *mut RbdCompletion) -> c_int;
        return_value = rbd_aio_get_return_value: fn(RbdCompletion) -> ssize_t;
        argument = rbd_aio_get_arg: fn(RbdCompletion) -> *mut c_void;
        release = rbd_aio_release: fn(RbdCompletion);
        aio_read = rbd_aio_read: fn(ImageHandle, u64, size_t, *mut c_char, RbdCompletion) -> c_int;
        aio_write = rbd_aio_write: fn(ImageHandle, u64, size_t, *const c_char, RbdCompletion) -> c_int;
        aio_discard = rbd_aio_discard: fn(ImageHandle, u64, u64, RbdCompletion) -> c_int;
        aio_flush = rbd_aio_flush: fn(ImageHandle, RbdCompletion) -> c_int;
        @optional {
            encryption_load = rbd_encryption_load: fn(ImageHandle, c_int, *mut c_void, size_t) -> c_int;
        }
    }
}
