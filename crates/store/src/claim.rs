//! Which process measures a study: one at a time.

use crate::Store;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixListener};

/// A study that this process measures, until this is dropped. The kernel gives the claim up however the process ends, and
/// no file is left.
#[derive(Debug)]
pub struct Claim {
    _name: Option<UnixListener>,
}

impl Store {
    /// Claims a study, so that no other process of this machine goes on with it meanwhile; `None` if one has claimed it.
    pub fn claim(&self, id: i64) -> Option<Claim> {
        let unclaimable = Some(Claim { _name: None });
        let Ok(file) = std::fs::metadata(&self.path) else { return unclaimable };
        // An abstract socket: a name in the kernel that one process at a time can have.
        let name = format!("fathom-study-{}-{}-{id}", file.dev(), file.ino());
        let Ok(address) = SocketAddr::from_abstract_name(name) else { return unclaimable };
        match UnixListener::bind_addr(&address) {
            Ok(name) => Some(Claim { _name: Some(name) }),
            Err(e) if e.kind() == std::io::ErrorKind::AddrInUse => None,
            // A machine that refuses sockets has no claims.
            Err(_) => unclaimable,
        }
    }
}
