//! Calls that create, examine or delete a file or directory by its name (fio's `filecreate`, `filestat`, `filedelete`,
//! and `dircreate`, `dirstat`, `dirdelete`). All I/Os of a pass over one file together make one call, before the
//! first I/O.

use crate::sync::Perform;
use crate::{Kind, Op, UNTIMED};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, StatxFlags};
use std::ffi::CString;

/// System call on a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetaCall {
    /// open(2) with O_CREAT, then close(2).
    Create,
    /// stat(2) of the path.
    Stat,
    /// lstat(2) of the path.
    Lstat,
    /// statx(2) of the path, with all fields.
    Statx,
    /// unlink(2) of the file.
    Delete,
    /// mkdir(2) of the directory.
    Mkdir,
    /// rmdir(2) of the directory.
    Rmdir,
}

/// Path of a file or directory, and the progress of its pass.
#[derive(Clone, Debug)]
struct Named {
    path: CString,
    /// Number of bytes of one pass.
    length: u64,
    /// Number of bytes issued in the current pass.
    issued: u64,
}

/// Engine that makes calls on names.
#[derive(Debug)]
pub struct Meta {
    kind: MetaCall,
    files: Vec<Named>,
}

impl Meta {
    /// Returns the engine for these files: path of each file, and number of bytes of one pass over it.
    pub fn new(kind: MetaCall, files: impl IntoIterator<Item = (CString, u64)>) -> Self {
        let files = files.into_iter().map(|(path, length)| Named { path, length, issued: 0 }).collect();
        Self { kind, files }
    }

    fn call(kind: MetaCall, path: &CString) -> rustix::io::Result<()> {
        match kind {
            MetaCall::Create => {
                let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC;
                rustix::fs::open(path, flags, Mode::from_raw_mode(0o600)).map(drop)
            }
            MetaCall::Stat => rustix::fs::stat(path).map(drop),
            MetaCall::Lstat => rustix::fs::lstat(path).map(drop),
            MetaCall::Statx => rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::ALL).map(drop),
            MetaCall::Delete => rustix::fs::unlink(path),
            MetaCall::Mkdir => rustix::fs::mkdir(path, Mode::from_raw_mode(0o700)),
            MetaCall::Rmdir => rustix::fs::rmdir(path),
        }
    }
}

impl Perform for Meta {
    #[inline(always)]
    fn perform(&mut self, op: &Op) -> i32 {
        // Calls on names have nothing to sync.
        if !matches!(op.kind, Kind::Read | Kind::Write | Kind::Trim) {
            return UNTIMED;
        }
        let Some(file) = self.files.get_mut(op.file as usize) else { return -libc::EBADF };
        let first = file.issued == 0;
        file.issued += u64::from(op.len);
        if file.issued >= file.length {
            file.issued = 0;
        }
        if first && let Err(errno) = Self::call(self.kind, &file.path) {
            return -errno.raw_os_error();
        }
        // fio records latencies of reads and writes only.
        if first && op.kind != Kind::Trim { op.len as i32 } else { UNTIMED }
    }
}
