//! Functions of libnbd, the client of network block devices.

use libc::{c_char, c_int, c_uint, c_void, size_t};

/// A connection of libnbd.
pub type Handle = *mut c_void;

/// Callback of a command that has completed (`nbd_completion_callback`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CompletionCallback {
    /// Called once, from a call of the library on the same thread; the result 1 retires the command.
    pub callback: Option<unsafe extern "C" fn(*mut c_void, *mut c_int) -> c_int>,
    /// First argument of the callback.
    pub user_data: *mut c_void,
    /// Called when the library has no further use for `user_data`.
    pub free: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// Callback with a part of a map of ranges (`nbd_extent_callback`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ExtentCallback {
    /// Called with `user_data`, the name of the map, the offset of the part, its pairs of length and flags and their number,
    /// from a call of the library on the same thread.
    pub callback:
        Option<unsafe extern "C" fn(*mut c_void, *const c_char, u64, *mut u32, size_t, *mut c_int) -> c_int>,
    /// First argument of the callback.
    pub user_data: *mut c_void,
    /// Called when the library has no further use for `user_data`.
    pub free: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// Bit of [`Libnbd::aio_get_direction`]: the connection waits for data.
pub const DIRECTION_READ: c_uint = 1;
/// Bit of [`Libnbd::aio_get_direction`]: the connection waits for room to send.
pub const DIRECTION_WRITE: c_uint = 2;

/// Argument of [`Libnbd::get_block_size`]: smallest unit of a request.
pub const SIZE_MINIMUM: c_int = 0;
/// Argument of [`Libnbd::get_block_size`]: unit of requests that the server prefers.
pub const SIZE_PREFERRED: c_int = 1;
/// Argument of [`Libnbd::get_block_size`]: largest request.
pub const SIZE_MAXIMUM: c_int = 2;

crate::c_library! {
    /// Functions of libnbd that are used.
    pub struct Libnbd = "libnbd.so.0" {
        create = nbd_create: fn() -> Handle;
        close = nbd_close: fn(Handle);
        get_error = nbd_get_error: fn() -> *const c_char;
        get_errno = nbd_get_errno: fn() -> c_int;
        aio_connect_uri = nbd_aio_connect_uri: fn(Handle, *const c_char) -> c_int;
        aio_is_ready = nbd_aio_is_ready: fn(Handle) -> c_int;
        aio_is_dead = nbd_aio_is_dead: fn(Handle) -> c_int;
        aio_is_closed = nbd_aio_is_closed: fn(Handle) -> c_int;
        aio_get_fd = nbd_aio_get_fd: fn(Handle) -> c_int;
        aio_get_direction = nbd_aio_get_direction: fn(Handle) -> c_uint;
        aio_notify_read = nbd_aio_notify_read: fn(Handle) -> c_int;
        aio_notify_write = nbd_aio_notify_write: fn(Handle) -> c_int;
        get_size = nbd_get_size: fn(Handle) -> i64;
        get_block_size = nbd_get_block_size: fn(Handle, c_int) -> i64;
        is_read_only = nbd_is_read_only: fn(Handle) -> c_int;
        can_flush = nbd_can_flush: fn(Handle) -> c_int;
        can_trim = nbd_can_trim: fn(Handle) -> c_int;
        aio_pread = nbd_aio_pread: fn(Handle, *mut c_void, size_t, u64, CompletionCallback, u32) -> i64;
        aio_pwrite = nbd_aio_pwrite: fn(Handle, *const c_void, size_t, u64, CompletionCallback, u32) -> i64;
        aio_flush = nbd_aio_flush: fn(Handle, CompletionCallback, u32) -> i64;
        aio_trim = nbd_aio_trim: fn(Handle, u64, u64, CompletionCallback, u32) -> i64;
        @optional {
            add_meta_context = nbd_add_meta_context: fn(Handle, *const c_char) -> c_int;
            can_meta_context = nbd_can_meta_context: fn(Handle, *const c_char) -> c_int;
            aio_block_status =
                nbd_aio_block_status: fn(Handle, u64, u64, ExtentCallback, CompletionCallback, u32) -> i64;
            structured_replies = nbd_get_structured_replies_negotiated: fn(Handle) -> c_int;
            can_fua = nbd_can_fua: fn(Handle) -> c_int;
            can_zero = nbd_can_zero: fn(Handle) -> c_int;
            can_fast_zero = nbd_can_fast_zero: fn(Handle) -> c_int;
            can_cache = nbd_can_cache: fn(Handle) -> c_int;
            can_multi_conn = nbd_can_multi_conn: fn(Handle) -> c_int;
            is_rotational = nbd_is_rotational: fn(Handle) -> c_int;
            set_pread_initialize = nbd_set_pread_initialize: fn(Handle, bool) -> c_int;
            set_uri_allow_local_file = nbd_set_uri_allow_local_file: fn(Handle, bool) -> c_int;
        }
    }
}
