//! Storage on servers: volumes, files and objects that are reached through a C library, which is loaded at run time, or
//! through HTTP. Each worker has a connection of its own; an engine of this module opens it when it is created.

pub mod ceph;
mod ceph_facts;
mod completion_queue;
pub mod http;
pub mod iscsi;
pub mod nbd;
pub mod nfs;
pub mod rados;
pub mod rados_objects;
pub mod rbd;
pub mod rbd_image;
mod reason;
pub mod scratch_pool;
mod wait;

use crate::reservation::Reservation;
use rustix::fd::{BorrowedFd, RawFd};
use stats::layer::DeviceCap;
use stats::server_fact::{ClusterActivity, ServerFact};
use std::time::Duration;
use sys::library::Missing;

/// Time that a server gets to answer the requests before the first I/O: login, size, capacity.
pub const OPEN_LIMIT: Duration = Duration::from_secs(20);

/// Reason why a target on a server cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// The library of the protocol is not installed.
    #[error("{} is missing: install {package}", missing.soname)]
    NoLibrary {
        /// Library or function that is missing.
        missing: Missing,
        /// Debian's package of the library.
        package: &'static str,
    },
    /// The server or the library refused a call.
    #[error("{call}: {text}")]
    Refused {
        /// Name of the call of the library.
        call: &'static str,
        /// errno; EIO if the server gives none.
        errno: i32,
        /// Text of the server or the library, on one line.
        text: String,
    },
}

impl From<objects::Error> for RemoteError {
    fn from(error: objects::Error) -> RemoteError {
        RemoteError::Refused { call: error.call(), errno: error.errno(), text: error.to_string() }
    }
}

impl RemoteError {
    /// Returns the errno of the error: ENOSYS if the library is missing.
    pub fn errno(&self) -> i32 {
        match self {
            Self::NoLibrary { .. } => libc::ENOSYS,
            Self::Refused { errno, .. } => *errno,
        }
    }

    /// Returns the name of the call that failed.
    pub fn call(&self) -> &'static str {
        match self {
            Self::NoLibrary { .. } => "dlopen",
            Self::Refused { call, .. } => call,
        }
    }
}

/// Connection to a target outside a run, for its size, its contents and its users.
pub trait Volume {
    /// Returns the size of the target in bytes; `None` if it is a file or object that does not exist.
    fn size(&self) -> Option<u64>;

    /// Reads into `into` from byte `offset` and returns the number of bytes, fewer than asked for only at the end.
    ///
    /// # Errors
    /// The server's error.
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError>;

    /// Returns the layers of the target from the client down, as the server and the protocol show them.
    fn layers(&self) -> Vec<String>;

    /// Returns the limits that the server sets for the target.
    fn cap(&self) -> DeviceCap {
        DeviceCap::default()
    }

    /// Returns what the server and the library state about the target. `all` also asks for what takes the server longer, or
    /// fills pages in a large cluster.
    fn server_facts(&mut self, _all: bool) -> Vec<ServerFact> {
        Vec::new()
    }

    /// Returns what the servers do beside the work for their clients; `None` if the protocol does not tell.
    fn activity(&mut self) -> Option<ClusterActivity> {
        None
    }

    /// Returns the addresses of the servers with ports, those with the data first; empty for servers on this machine without
    /// an address (Unix sockets).
    fn servers(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the name of the library that reaches the target.
    fn library(&self) -> &'static str;

    /// Returns the identifier of the server where the target's own name does not tell servers apart; empty otherwise.
    fn server_id(&self) -> String {
        String::new()
    }

    /// Returns the name of an object that belongs to the target although its own name does not exist, as the objects of
    /// single blocks do; `None` if there is none.
    ///
    /// # Errors
    /// The server's error.
    fn first_object(&mut self) -> Result<Option<String>, RemoteError> {
        Ok(None)
    }

    /// Returns whether [`Volume::first_object`] finds all objects that belong to the target.
    fn lists(&self) -> bool {
        true
    }

    /// Returns the clients that have the target open for writing, as the server names them, without this connection.
    /// Protocols that cannot tell return no clients.
    ///
    /// # Errors
    /// The server's error.
    fn users(&mut self) -> Result<Vec<String>, RemoteError> {
        Ok(Vec::new())
    }

    /// Returns the reservation of another client, whatever it lets others do; `None` if there is none, and if the protocol has
    /// none.
    ///
    /// # Errors
    /// The server's error.
    fn reservation(&mut self) -> Result<Option<Reservation>, RemoteError> {
        Ok(None)
    }
}

/// Returns the address and port of the other end of a library's socket; empty for Unix sockets.
fn peer(fd: RawFd) -> Vec<String> {
    if fd < 0 {
        return Vec::new();
    }
    // SAFETY: the library's socket is open as long as its connection, which the caller holds.
    let peer = rustix::net::getpeername(unsafe { BorrowedFd::borrow_raw(fd) }).ok().flatten();
    peer.and_then(|peer| std::net::SocketAddr::try_from(peer).ok())
        .map(|peer| peer.to_string())
        .into_iter()
        .collect()
}
