//! Functions of libiscsi, an iSCSI initiator in user space. Types and constants are those of `iscsi/iscsi.h` and
//! `iscsi/scsi-lowlevel.h`.

use crate::c_library;
use libc::{c_char, c_int, c_void};

/// Debian's package of the library.
pub const PACKAGE: &str = "libiscsi7";

/// ISCSI_SESSION_NORMAL.
pub const SESSION_NORMAL: c_int = 2;
/// ISCSI_HEADER_DIGEST_NONE_CRC32C: no digest, unless the target insists on one.
pub const HEADER_DIGEST_NONE_CRC32C: c_int = 1;
/// SCSI_STATUS_GOOD.
pub const GOOD: c_int = 0;
/// SCSI_STATUS_CHECK_CONDITION.
pub const CHECK_CONDITION: c_int = 2;
/// SCSI_STATUS_BUSY.
pub const BUSY: c_int = 8;
/// SCSI_STATUS_RESERVATION_CONFLICT.
pub const RESERVATION_CONFLICT: c_int = 0x18;
/// SCSI_STATUS_TASK_SET_FULL.
pub const TASK_SET_FULL: c_int = 0x28;
/// Statuses from here on are the library's, not the device's (SCSI_STATUS_CANCELLED, _ERROR, _TIMEOUT).
pub const LIBRARY_STATUS: c_int = 0x0f00_0000;
/// SCSI_XFER_NONE, SCSI_XFER_READ and SCSI_XFER_WRITE.
pub const XFER: [c_int; 3] = [0, 1, 2];

/// `struct iscsi_context`: a session with its connection.
#[repr(C)]
#[derive(Debug)]
pub struct Context {
    _opaque: [u8; 0],
}

/// First fields of `struct scsi_sense`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Sense {
    pub error_type: u8,
    pub key: c_int,
    pub ascq: c_int,
    pub bits: u8,
    pub bit_pointer: u8,
    pub field_pointer: u16,
}

/// `struct scsi_data`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Data {
    pub size: c_int,
    pub data: *mut u8,
}

/// First fields of `struct scsi_task`: a command and its result. Tasks are made by the library alone.
#[repr(C)]
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Task {
    pub status: c_int,
    pub cdb_size: c_int,
    pub xfer_dir: c_int,
    pub expxferlen: c_int,
    pub cdb: [u8; 16],
    pub residual_status: c_int,
    pub residual: usize,
    pub sense: Sense,
    pub datain: Data,
}

/// `iscsi_command_cb`: called with the status, the task or other data, and the pointer that the call was given.
pub type Callback = unsafe extern "C" fn(*mut Context, c_int, *mut c_void, *mut c_void);

c_library! {
    /// Functions of libiscsi 1.18 and later, whose sonames differ, while these functions do not.
    pub struct Iscsi = "libiscsi.so.7", "libiscsi.so.8", "libiscsi.so.9", "libiscsi.so.10", "libiscsi.so.11" {
        create_context = iscsi_create_context: fn(*const c_char) -> *mut Context;
        destroy_context = iscsi_destroy_context: fn(*mut Context) -> c_int;
        get_fd = iscsi_get_fd: fn(*mut Context) -> c_int;
        which_events = iscsi_which_events: fn(*mut Context) -> c_int;
        service = iscsi_service: fn(*mut Context, c_int) -> c_int;
        get_error = iscsi_get_error: fn(*mut Context) -> *const c_char;
        set_session_type = iscsi_set_session_type: fn(*mut Context, c_int) -> c_int;
        set_session_id = iscsi_set_isid_random: fn(*mut Context, u32, u32) -> c_int;
        set_targetname = iscsi_set_targetname: fn(*mut Context, *const c_char) -> c_int;
        set_header_digest = iscsi_set_header_digest: fn(*mut Context, c_int) -> c_int;
        set_initiator_login =
            iscsi_set_initiator_username_pwd: fn(*mut Context, *const c_char, *const c_char) -> c_int;
        set_target_login = iscsi_set_target_username_pwd: fn(*mut Context, *const c_char, *const c_char) -> c_int;
        set_noautoreconnect = iscsi_set_noautoreconnect: fn(*mut Context, c_int);
        full_connect =
            iscsi_full_connect_async: fn(*mut Context, *const c_char, c_int, Callback, *mut c_void) -> c_int;
        logout = iscsi_logout_async: fn(*mut Context, Callback, *mut c_void) -> c_int;
        create_task = scsi_create_task: fn(c_int, *mut u8, c_int, c_int) -> *mut Task;
        free_task = scsi_free_scsi_task: fn(*mut Task);
        set_data_out = scsi_task_set_iov_out: fn(*mut Task, *mut libc::iovec, c_int);
        set_data_in = scsi_task_set_iov_in: fn(*mut Task, *mut libc::iovec, c_int);
        command =
            iscsi_scsi_command_async: fn(*mut Context, c_int, *mut Task, Callback, *mut c_void, *mut c_void) -> c_int;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    /// Offsets that a C program prints with the header of libiscsi 1.19 on a 64-bit machine.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn task_has_the_layout_of_the_header() {
        let offsets = [
            offset_of!(Task, cdb),
            offset_of!(Task, residual_status),
            offset_of!(Task, residual),
            offset_of!(Task, sense),
            offset_of!(Task, datain),
        ];
        assert_eq!(offsets, [16, 32, 40, 48, 64]);
        assert_eq!((offset_of!(Sense, key), offset_of!(Sense, ascq), offset_of!(Data, data)), (4, 8, 8));
    }
}
