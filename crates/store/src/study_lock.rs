//! Lock of a study: one process at a time measures it.

use crate::Store;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixListener};

/// Lock of a study that this process measures, held until it is dropped. The kernel releases the lock when the
/// process ends for any reason, and no file is left.
#[derive(Debug)]
pub struct StudyLock {
    _name: Option<UnixListener>,
}

impl Store {
    /// Locks a study against other processes of this machine; `None` if another process holds the lock.
    pub fn lock_study(&self, id: i64) -> Option<StudyLock> {
        let no_lock = Some(StudyLock { _name: None });
        let Ok(file) = std::fs::metadata(&self.path) else { return no_lock };
        // An abstract socket: a name in the kernel that one process at a time can have.
        let name = format!("fathom-study-{}-{}-{id}", file.dev(), file.ino());
        let Ok(address) = SocketAddr::from_abstract_name(name) else { return no_lock };
        match UnixListener::bind_addr(&address) {
            Ok(name) => Some(StudyLock { _name: Some(name) }),
            Err(e) if e.kind() == std::io::ErrorKind::AddrInUse => None,
            // Without sockets there is no lock.
            Err(_) => no_lock,
        }
    }
}
