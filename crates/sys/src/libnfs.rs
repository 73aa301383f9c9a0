//! Functions of libnfs, an NFS client of versions 3 and 4 in user space. Types and constants are those of `nfsc/libnfs.h`.

use crate::c_library;
use libc::{c_char, c_int, c_void};

/// Debian's package of the library.
pub const PACKAGE: &str = "libnfs13";

/// `struct nfs_context`: a client with its connection.
#[repr(C)]
#[derive(Debug)]
pub struct Context {
    _opaque: [u8; 0],
}

/// `struct nfsfh`: an open file.
#[repr(C)]
#[derive(Debug)]
pub struct File {
    _opaque: [u8; 0],
}

/// `struct nfs_url`: parts of a URL, owned by the library.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Url {
    pub server: *mut c_char,
    pub path: *mut c_char,
    pub file: *mut c_char,
}

/// `struct nfs_stat_64`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Stat {
    pub dev: u64,
    pub ino: u64,
    pub mode: u64,
    pub nlink: u64,
    pub uid: u64,
    pub gid: u64,
    pub rdev: u64,
    pub size: u64,
    pub blksize: u64,
    pub blocks: u64,
    pub atime: u64,
    pub mtime: u64,
    pub ctime: u64,
    pub atime_nsec: u64,
    pub mtime_nsec: u64,
    pub ctime_nsec: u64,
    pub used: u64,
}

/// `nfs_cb`: called with the bytes transferred or 0, or -errno; then the result, or the text of the error; and the pointer
/// that the call was given.
pub type Callback = unsafe extern "C" fn(c_int, *mut Context, *mut c_void, *mut c_void);

c_library! {
    /// Functions of libnfs 4 and 5. Version 6 (libnfs.so.16) has other arguments of reads and writes.
    pub struct Nfs = "libnfs.so.13", "libnfs.so.14" {
        init_context = nfs_init_context: fn() -> *mut Context;
        destroy_context = nfs_destroy_context: fn(*mut Context);
        get_fd = nfs_get_fd: fn(*mut Context) -> c_int;
        which_events = nfs_which_events: fn(*mut Context) -> c_int;
        service = nfs_service: fn(*mut Context, c_int) -> c_int;
        get_error = nfs_get_error: fn(*mut Context) -> *mut c_char;
        parse_url_dir = nfs_parse_url_dir: fn(*mut Context, *const c_char) -> *mut Url;
        destroy_url = nfs_destroy_url: fn(*mut Url);
        set_autoreconnect = nfs_set_autoreconnect: fn(*mut Context, c_int);
        set_client_name = nfs4_set_client_name: fn(*mut Context, *const c_char);
        get_readmax = nfs_get_readmax: fn(*mut Context) -> u64;
        get_writemax = nfs_get_writemax: fn(*mut Context) -> u64;
        mount = nfs_mount_async: fn(*mut Context, *const c_char, *const c_char, Callback, *mut c_void) -> c_int;
        stat = nfs_stat64_async: fn(*mut Context, *const c_char, Callback, *mut c_void) -> c_int;
        fstat = nfs_fstat64_async: fn(*mut Context, *mut File, Callback, *mut c_void) -> c_int;
        open = nfs_open2_async: fn(*mut Context, *const c_char, c_int, c_int, Callback, *mut c_void) -> c_int;
        close = nfs_close_async: fn(*mut Context, *mut File, Callback, *mut c_void) -> c_int;
        pread = nfs_pread_async: fn(*mut Context, *mut File, u64, u64, Callback, *mut c_void) -> c_int;
        pwrite = nfs_pwrite_async: fn(*mut Context, *mut File, u64, u64, *const c_void, Callback, *mut c_void) -> c_int;
        fsync = nfs_fsync_async: fn(*mut Context, *mut File, Callback, *mut c_void) -> c_int;
        ftruncate = nfs_ftruncate_async: fn(*mut Context, *mut File, u64, Callback, *mut c_void) -> c_int;
        unlink = nfs_unlink_async: fn(*mut Context, *const c_char, Callback, *mut c_void) -> c_int;
    }
}
