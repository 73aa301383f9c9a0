//! Functions of librados, the client library of Ceph's object store (rados/librados.h).

use libc::{c_char, c_int, c_void, size_t, time_t};

/// Debian's package of the library.
pub const PACKAGE: &str = "librados2";

/// `rados_t`: connection to a cluster.
pub type RadosHandle = *mut c_void;
/// `rados_ioctx_t`: a pool, with a namespace.
pub type IoContext = *mut c_void;
/// `rados_completion_t`: completion of an asynchronous call.
pub type RadosCompletion = *mut c_void;
/// `rados_write_op_t`: changes of one object, made together.
pub type WriteOp = *mut c_void;
/// `rados_list_ctx_t`: list of the objects of a pool.
pub type ObjectList = *mut c_void;
/// `rados_callback_t`: called when an asynchronous call is complete, on a thread of the library.
pub type RadosCallback = unsafe extern "C" fn(RadosCompletion, *mut c_void);

/// `struct rados_cluster_stat_t`: space of a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ClusterStat {
    /// Total space in KiB.
    pub kb: u64,
    /// Used space in KiB.
    pub kb_used: u64,
    /// Free space in KiB.
    pub kb_avail: u64,
    /// Number of objects.
    pub num_objects: u64,
}

/// `struct rados_pool_stat_t`: space and I/O of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct PoolStat {
    /// Used space in bytes.
    pub num_bytes: u64,
    /// Used space in KiB.
    pub num_kb: u64,
    /// Number of objects.
    pub num_objects: u64,
    /// Number of clones of objects.
    pub num_object_clones: u64,
    /// Number of objects times copies.
    pub num_object_copies: u64,
    /// Number of objects missing on their primary OSD.
    pub num_objects_missing_on_primary: u64,
    /// Number of objects found on no OSD.
    pub num_objects_unfound: u64,
    /// Number of objects with fewer copies than they should have.
    pub num_objects_degraded: u64,
    /// Number of reads.
    pub num_rd: u64,
    /// KiB read.
    pub num_rd_kb: u64,
    /// Number of writes.
    pub num_wr: u64,
    /// KiB written.
    pub num_wr_kb: u64,
    /// Bytes that clients have stored.
    pub num_user_bytes: u64,
    /// Bytes before compression.
    pub compressed_bytes_orig: u64,
    /// Bytes after compression.
    pub compressed_bytes: u64,
    /// Bytes allocated for compressed data.
    pub compressed_bytes_alloc: u64,
}

crate::c_library! {
    /// Functions of librados.
    pub struct Librados = "librados.so.2" {
        create = rados_create: fn(*mut RadosHandle, *const c_char) -> c_int;
        create2 = rados_create2: fn(*mut RadosHandle, *const c_char, *const c_char, u64) -> c_int;
        conf_read_file = rados_conf_read_file: fn(RadosHandle, *const c_char) -> c_int;
        conf_parse_env = rados_conf_parse_env: fn(RadosHandle, *const c_char) -> c_int;
        conf_set = rados_conf_set: fn(RadosHandle, *const c_char, *const c_char) -> c_int;
        conf_get = rados_conf_get: fn(RadosHandle, *const c_char, *mut c_char, size_t) -> c_int;
        connect = rados_connect: fn(RadosHandle) -> c_int;
        shutdown = rados_shutdown: fn(RadosHandle);
        instance_id = rados_get_instance_id: fn(RadosHandle) -> u64;
        cluster_fsid = rados_cluster_fsid: fn(RadosHandle, *mut c_char, size_t) -> c_int;
        cluster_stat = rados_cluster_stat: fn(RadosHandle, *mut ClusterStat) -> c_int;
        pool_list = rados_pool_list: fn(RadosHandle, *mut c_char, size_t) -> c_int;
        pool_name = rados_pool_reverse_lookup: fn(RadosHandle, i64, *mut c_char, size_t) -> c_int;
        mon_command = rados_mon_command: fn(
            RadosHandle, *const *const c_char, size_t, *const c_char, size_t,
            *mut *mut c_char, *mut size_t, *mut *mut c_char, *mut size_t,
        ) -> c_int;
        mgr_command = rados_mgr_command: fn(
            RadosHandle, *const *const c_char, size_t, *const c_char, size_t,
            *mut *mut c_char, *mut size_t, *mut *mut c_char, *mut size_t,
        ) -> c_int;
        osd_command = rados_osd_command: fn(
            RadosHandle, c_int, *const *const c_char, size_t, *const c_char, size_t,
            *mut *mut c_char, *mut size_t, *mut *mut c_char, *mut size_t,
        ) -> c_int;
        buffer_free = rados_buffer_free: fn(*mut c_char);
        ioctx_create = rados_ioctx_create: fn(RadosHandle, *const c_char, *mut IoContext) -> c_int;
        ioctx_destroy = rados_ioctx_destroy: fn(IoContext);
        ioctx_set_namespace = rados_ioctx_set_namespace: fn(IoContext, *const c_char);
        ioctx_pool_stat = rados_ioctx_pool_stat: fn(IoContext, *mut PoolStat) -> c_int;
        create_completion = rados_aio_create_completion2:
            fn(*mut c_void, RadosCallback, *mut RadosCompletion) -> c_int;
        return_value = rados_aio_get_return_value: fn(RadosCompletion) -> c_int;
        release = rados_aio_release: fn(RadosCompletion);
        cancel = rados_aio_cancel: fn(IoContext, RadosCompletion) -> c_int;
        aio_read = rados_aio_read:
            fn(IoContext, *const c_char, RadosCompletion, *mut c_char, size_t, u64) -> c_int;
        aio_write = rados_aio_write:
            fn(IoContext, *const c_char, RadosCompletion, *const c_char, size_t, u64) -> c_int;
        aio_remove = rados_aio_remove: fn(IoContext, *const c_char, RadosCompletion) -> c_int;
        aio_stat = rados_aio_stat:
            fn(IoContext, *const c_char, RadosCompletion, *mut u64, *mut time_t) -> c_int;
        aio_flush = rados_aio_flush_async: fn(IoContext, RadosCompletion) -> c_int;
        create_write_op = rados_create_write_op: fn() -> WriteOp;
        release_write_op = rados_release_write_op: fn(WriteOp);
        write_op_create = rados_write_op_create: fn(WriteOp, c_int, *const c_char);
        write_op_write_full = rados_write_op_write_full: fn(WriteOp, *const c_char, size_t);
        write_op_zero = rados_write_op_zero: fn(WriteOp, u64, u64);
        write_op_setxattr = rados_write_op_setxattr: fn(WriteOp, *const c_char, *const c_char, size_t);
        aio_getxattr = rados_aio_getxattr:
            fn(IoContext, *const c_char, RadosCompletion, *const c_char, *mut c_char, size_t) -> c_int;
        nobjects_list_open = rados_nobjects_list_open: fn(IoContext, *mut ObjectList) -> c_int;
        nobjects_list_next = rados_nobjects_list_next:
            fn(ObjectList, *mut *const c_char, *mut *const c_char, *mut *const c_char) -> c_int;
        nobjects_list_close = rados_nobjects_list_close: fn(ObjectList);
        aio_write_op = rados_aio_write_op_operate:
            fn(WriteOp, IoContext, RadosCompletion, *const c_char, *mut time_t, c_int) -> c_int;
    }
}
