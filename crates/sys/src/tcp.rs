//! TCP connections of this process, with the kernel's counters of each (`TCP_INFO`).

use rustix::fd::{BorrowedFd, RawFd};
use rustix::net::getpeername;
use std::net::SocketAddr;

/// State of an established connection (`TCP_ESTABLISHED`).
const ESTABLISHED: u8 = 1;
/// Bytes of `struct tcp_info` that are asked for; older kernels return fewer.
const INFO: usize = 256;

/// An established TCP connection, by its counters since it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Number of the socket, which no other socket has as long as this one is open.
    pub inode: u64,
    /// Address and port of the other end.
    pub peer: SocketAddr,
    /// Smoothed round-trip time, microseconds (`tcpi_rtt`).
    pub round_trip_us: u32,
    /// Smallest round-trip time, microseconds (`tcpi_min_rtt`).
    pub least_us: u32,
    /// Segments sent, without retransmissions (`tcpi_segs_out` - `tcpi_total_retrans`).
    pub sent: u32,
    /// Segments sent again (`tcpi_total_retrans`).
    pub retransmitted: u32,
    /// Segments that arrived out of order (`tcpi_rcv_ooopack`); 0 if the kernel does not count them.
    pub out_of_order: u32,
}

/// Returns the established TCP connections of this process, whichever library opened them.
pub fn own_connections() -> Vec<Connection> {
    let Ok(open) = std::fs::read_dir("/proc/self/fd") else { return Vec::new() };
    let sockets = open.flatten().filter_map(|entry| {
        let number: RawFd = entry.file_name().to_str()?.parse().ok()?;
        let link = std::fs::read_link(entry.path()).ok()?;
        let inode = link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()?;
        connection(number, inode)
    });
    sockets.collect()
}

/// Returns the connection of a descriptor; `None` if it is no established TCP connection.
fn connection(fd: RawFd, inode: u64) -> Option<Connection> {
    let mut info = [0u8; INFO];
    let mut len = INFO as libc::socklen_t;
    // SAFETY: the kernel writes at most `len` bytes into the buffer. It checks the descriptor, which another thread may have
    // closed, or opened as another file, in the meantime.
    let got = unsafe {
        libc::getsockopt(fd, libc::IPPROTO_TCP, libc::TCP_INFO, info.as_mut_ptr().cast(), &raw mut len)
    };
    // Before `tcpi_segs_out` and `tcpi_min_rtt` (Linux 4.6) there is nothing to show.
    if got != 0 || (len as usize) < 152 || info[0] != ESTABLISHED || fd < 0 {
        return None;
    }
    // SAFETY: the descriptor is not -1, and it is used for one call only, which fails if it is closed.
    let peer = getpeername(unsafe { BorrowedFd::borrow_raw(fd) }).ok()??;
    let number = |at: usize| u32::from_ne_bytes([info[at], info[at + 1], info[at + 2], info[at + 3]]);
    // Offsets in `struct tcp_info` of linux/tcp.h.
    Some(Connection {
        inode,
        peer: SocketAddr::try_from(peer).ok()?,
        round_trip_us: number(68),
        retransmitted: number(100),
        sent: number(136).saturating_sub(number(100)),
        least_us: number(148),
        out_of_order: number(224),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsRawFd;

    #[test]
    fn connection_has_its_peer_and_counters() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(server.local_addr().unwrap()).unwrap();
        let (mut other, _) = server.accept().unwrap();
        for _ in 0..10 {
            client.write_all(&[1; 100]).unwrap();
            other.read_exact(&mut [0; 100]).unwrap();
            other.write_all(&[1]).unwrap();
            client.read_exact(&mut [0]).unwrap();
        }
        let to = server.local_addr().unwrap();
        let all = own_connections();
        let found = all.iter().find(|one| one.peer == to).unwrap();
        assert!(found.sent >= 11 && found.retransmitted == 0, "{found:?}");
        assert!((1..1_000_000).contains(&found.round_trip_us), "{found:?}");
        assert!(found.least_us <= 1_000_000, "{found:?}");
        // A listening socket and a file are no connections.
        assert_eq!(connection(server.as_raw_fd(), 1), None);
        assert_eq!(connection(std::fs::File::open("/dev/null").unwrap().as_raw_fd(), 1), None);
        drop(client);
        assert!(own_connections().iter().all(|one| one.peer != to));
    }
}
