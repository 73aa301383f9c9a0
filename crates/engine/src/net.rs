//! Sockets: blocks are sent to a peer and received from it (fio's `net` and `netsplice`). Messages at the beginning and
//! the end of a transfer are those of fio 3.33, so that either program can be the peer.

use crate::pipe::Pipe;
use crate::sync::Perform;
use crate::{Blocks, END_OF_DATA, Kind, Op, RingDead};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::sockopt::{self, Timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType, accept_with,
    bind, connect, listen, recv, recvfrom, send, sendto, socket_with,
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::time::Duration;

/// First datagram of a sender.
const OPEN: [u8; 8] = *b"link\0\0\0\x98";
/// Last message of a sender. The bytes are in the order in which fio sends them on x86-64.
const CLOSE: [u8; 8] = *b"knil\x89\0\0\0";
/// First bytes of the sequence record at the end of each datagram: mark, number of the datagram, length.
const SEQUENCE: [u8; 8] = *b"ceUnquse";
/// Longest wait in a call, so that a request to end is noticed in time.
const PATIENCE: Duration = Duration::from_millis(100);

/// Address of the peer or of the own socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// Internet address and port.
    Internet(SocketAddr),
    /// Path of a Unix domain socket.
    Path(PathBuf),
}

/// Options of the sockets of a job.
#[derive(Clone, Debug)]
pub struct NetOptions {
    /// Whether the socket carries datagrams (UDP) instead of a stream.
    pub datagrams: bool,
    /// Address to connect or send to, or to bind.
    pub address: Address,
    /// Whether the job is the passive side: it accepts connections, or receives datagrams.
    pub passive: bool,
    /// Multicast group from which datagrams are received, which is part of `address` then.
    pub group: Option<IpAddr>,
    /// Address of the interface for multicast.
    pub interface: Option<Ipv4Addr>,
    /// Number of hops of a multicast datagram.
    pub hops: u32,
    /// Whether TCP_NODELAY is set.
    pub no_delay: bool,
    /// Size of the socket buffer in bytes; `None` = the kernel's.
    pub buffer: Option<u32>,
    /// Maximum segment size of TCP in bytes; `None` = the kernel's.
    pub segment: Option<u32>,
    /// Whether each block is sent back by its receiver.
    pub echo: bool,
    /// Whether blocks of a TCP connection go through a pipe (`netsplice`).
    pub splice: bool,
}

/// Engine of sockets, one connection per file of the job.
#[derive(Debug)]
pub struct Net {
    blocks: Blocks,
    options: NetOptions,
    /// Socket that accepts connections, or receives datagrams; `None` on the active side.
    passive: Option<OwnedFd>,
    links: Vec<Option<Link>>,
    files: usize,
    pipe: Option<Pipe>,
}

/// Connection of one file.
#[derive(Debug)]
struct Link {
    socket: OwnedFd,
    /// Source of the last datagram, to which an echo is sent.
    peer: Option<SocketAddrAny>,
    /// Whether the peer has ended its data.
    ended: bool,
    /// Number of the next datagram.
    number: u64,
    /// Bytes of the current block that were sent and received so far, with `echo`.
    echoed: [usize; 2],
    /// Whether the job sends on this link, so that it ends with a message.
    sends: bool,
}

fn dead(call: &'static str) -> impl Fn(Errno) -> RingDead {
    move |errno| RingDead { call, errno: errno.raw_os_error() }
}

impl Net {
    /// Returns an engine for `files` connections. The passive side is bound when this function returns, so that peers
    /// can connect.
    ///
    /// # Errors
    /// The call that failed, and its errno.
    pub fn new(blocks: Blocks, files: usize, options: NetOptions) -> Result<Self, RingDead> {
        let passive = if options.passive { Some(Self::bound(&options, files)?) } else { None };
        let pipe =
            match options.splice && !options.datagrams && !options.echo {
                true => Some(Pipe::new(blocks).map_err(|e| RingDead {
                    call: "pipe",
                    errno: e.raw_os_error().unwrap_or(libc::EMFILE),
                })?),
                false => None,
            };
        Ok(Self { blocks, options, passive, links: Vec::new(), files, pipe })
    }

    fn socket(options: &NetOptions) -> Result<OwnedFd, RingDead> {
        let family = match &options.address {
            Address::Internet(SocketAddr::V4(_)) => AddressFamily::INET,
            Address::Internet(SocketAddr::V6(_)) => AddressFamily::INET6,
            Address::Path(_) => AddressFamily::UNIX,
        };
        let kind = if options.datagrams { SocketType::DGRAM } else { SocketType::STREAM };
        let socket = socket_with(family, kind, SocketFlags::CLOEXEC, None).map_err(dead("socket"))?;
        let set = dead("setsockopt");
        if options.passive && family != AddressFamily::UNIX {
            sockopt::set_socket_reuseaddr(&socket, true).map_err(&set)?;
            sockopt::set_socket_reuseport(&socket, true).map_err(&set)?;
        }
        if let Some(bytes) = options.buffer {
            match options.passive {
                true => sockopt::set_socket_recv_buffer_size(&socket, bytes as usize),
                false => sockopt::set_socket_send_buffer_size(&socket, bytes as usize),
            }
            .map_err(&set)?;
        }
        if let Some(bytes) = options.segment.filter(|_| !options.datagrams && family != AddressFamily::UNIX) {
            let bytes = bytes as libc::c_int;
            // SAFETY: the option is an integer that lives across the call.
            let set = unsafe {
                libc::setsockopt(
                    socket.as_raw_fd(),
                    libc::IPPROTO_TCP,
                    libc::TCP_MAXSEG,
                    (&raw const bytes).cast(),
                    size_of_val(&bytes) as u32,
                )
            };
            if set < 0 {
                return Err(RingDead { call: "setsockopt", errno: crate::last_errno() });
            }
        }
        if !options.passive {
            Self::timed(&socket, options)?;
        }
        Ok(socket)
    }

    /// Limits the time of each call on a socket with data, and sets the options of a connection.
    fn timed(socket: &OwnedFd, options: &NetOptions) -> Result<(), RingDead> {
        let set = dead("setsockopt");
        sockopt::set_socket_timeout(socket, Timeout::Recv, Some(PATIENCE)).map_err(&set)?;
        sockopt::set_socket_timeout(socket, Timeout::Send, Some(PATIENCE)).map_err(&set)?;
        if options.no_delay && !options.datagrams && matches!(options.address, Address::Internet(_)) {
            sockopt::set_tcp_nodelay(socket, true).map_err(&set)?;
        }
        Ok(())
    }

    fn bound(options: &NetOptions, files: usize) -> Result<OwnedFd, RingDead> {
        let socket = Self::socket(options)?;
        let joined = match options.group {
            Some(IpAddr::V4(group)) => {
                let interface = options.interface.unwrap_or(Ipv4Addr::UNSPECIFIED);
                sockopt::set_ip_add_membership(&socket, &group, &interface)
            }
            Some(IpAddr::V6(group)) => sockopt::set_ipv6_add_membership(&socket, &group, 0),
            None => Ok(()),
        };
        joined.map_err(dead("setsockopt"))?;
        match &options.address {
            Address::Internet(address) => bind(&socket, address),
            Address::Path(path) => {
                // The socket of an earlier run is replaced, as fio replaces it; other files are kept.
                let old = std::fs::symlink_metadata(path);
                use std::os::unix::fs::FileTypeExt;
                if old.is_ok_and(|meta| meta.file_type().is_socket()) {
                    let _ = std::fs::remove_file(path);
                }
                SocketAddrUnix::new(path.as_path()).and_then(|address| bind(&socket, &address))
            }
        }
        .map_err(dead("bind"))?;
        if options.datagrams {
            Self::timed(&socket, options)?;
        } else {
            listen(&socket, files.clamp(10, 4096) as i32).map_err(dead("listen"))?;
        }
        Ok(socket)
    }

    fn connected(&self) -> Result<OwnedFd, RingDead> {
        let options = &self.options;
        let socket = Self::socket(options)?;
        if options.datagrams {
            let set = dead("setsockopt");
            let Address::Internet(to) = &options.address else { return Ok(socket) };
            if to.ip().is_multicast() {
                if let Some(interface) = options.interface {
                    sockopt::set_ip_multicast_if(&socket, &interface).map_err(&set)?;
                }
                match to.ip() {
                    IpAddr::V4(_) => sockopt::set_ip_multicast_ttl(&socket, options.hops),
                    IpAddr::V6(_) => sockopt::set_ipv6_multicast_hops(&socket, options.hops),
                }
                .map_err(&set)?;
            }
            sendto(&socket, &OPEN, SendFlags::empty(), to).map_err(dead("sendto"))?;
            return Ok(socket);
        }
        retry_on_intr(|| match &options.address {
            Address::Internet(address) => connect(&socket, address),
            Address::Path(path) => connect(&socket, &SocketAddrUnix::new(path.as_path())?),
        })
        .map_err(dead("connect"))?;
        Ok(socket)
    }

    /// Waits until the socket is readable; returns false if the job was requested to end first.
    fn readable(socket: impl AsFd, stopped: &dyn Fn() -> bool) -> Result<bool, RingDead> {
        let tick = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        while !stopped() {
            match poll(&mut [PollFd::new(&socket, PollFlags::IN)], Some(&tick)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(true),
                Err(errno) => return Err(dead("poll")(errno)),
            }
        }
        Ok(false)
    }

    /// Waits for the first message of a sender of datagrams, and returns its address.
    fn opened(
        socket: &OwnedFd,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Option<SocketAddrAny>>, RingDead> {
        while Self::readable(socket, stopped)? {
            let mut message = [0; 8];
            match recvfrom(socket, &mut message, RecvFlags::DONTWAIT | RecvFlags::TRUNC) {
                Ok((8, 8, from)) if message == OPEN => return Ok(Some(from)),
                // Data without a beginning: the receiver was started too late, or another program sends.
                Ok(_) => return Err(dead("udp open")(Errno::PROTO)),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(errno) => return Err(dead("recvfrom")(errno)),
            }
        }
        Ok(None)
    }

    /// Connects the links; `waits` is called before a wait for a peer. Returns false if the job was requested to end
    /// first.
    ///
    /// # Errors
    /// The call that failed, and its errno.
    fn link(&mut self, waits: &dyn Fn(), stopped: &dyn Fn() -> bool) -> Result<bool, RingDead> {
        while self.links.len() < self.files {
            let mut peer = None;
            let socket = match (&self.passive, self.options.datagrams) {
                (None, _) => self.connected()?,
                (Some(socket), true) => {
                    let own = retry_on_intr(|| rustix::io::dup(socket)).map_err(dead("dup"))?;
                    let Some(from) = Self::opened(&own, stopped)? else { return Ok(false) };
                    peer = from;
                    own
                }
                (Some(socket), false) => {
                    waits();
                    if !Self::readable(socket, stopped)? {
                        return Ok(false);
                    }
                    let accepted = retry_on_intr(|| accept_with(socket, SocketFlags::CLOEXEC));
                    let accepted = accepted.map_err(dead("accept"))?;
                    Self::timed(&accepted, &self.options)?;
                    accepted
                }
            };
            self.links.push(Some(Link {
                socket,
                peer,
                ended: false,
                number: 0,
                echoed: [0; 2],
                sends: false,
            }));
        }
        Ok(true)
    }
}

/// Returns a result of a call as bytes or -errno. A call that took too long is as one that a signal interrupted: the
/// loop looks at its schedule and makes it again.
fn result(done: Result<usize, Errno>) -> i32 {
    match done {
        Ok(n) => n as i32,
        Err(Errno::AGAIN) => -libc::EINTR,
        Err(errno) => -errno.raw_os_error(),
    }
}

impl Link {
    /// Sends bytes to the peer.
    #[inline(always)]
    fn send(&self, options: &NetOptions, bytes: &[u8]) -> i32 {
        // More data of a stream follows, and the last message ends the wait for it.
        let more = if options.datagrams || options.echo { SendFlags::empty() } else { SendFlags::MORE };
        let flags = SendFlags::NOSIGNAL | more;
        result(match (options.datagrams, &self.peer, &options.address) {
            (true, Some(peer), _) => sendto(&self.socket, bytes, flags, peer),
            (true, None, Address::Internet(to)) => sendto(&self.socket, bytes, flags, to),
            _ => send(&self.socket, bytes, flags),
        })
    }

    /// Receives bytes from the peer; a stream fills the whole block unless it ends.
    #[inline(always)]
    fn receive(&mut self, options: &NetOptions, bytes: &mut [u8]) -> i32 {
        let whole = bytes.len() as i32;
        let got = result(if options.datagrams {
            recvfrom(&self.socket, &mut *bytes, RecvFlags::empty()).map(|(n, _, from)| {
                if options.passive {
                    self.peer = from;
                }
                n
            })
        } else {
            recv(&self.socket, &mut *bytes, RecvFlags::WAITALL).map(|(n, _)| n)
        });
        if got == whole && whole != 8 { got } else { self.received(options, bytes, got) }
    }

    /// Handles a block that was not filled: the data may have ended.
    #[cold]
    fn received(&mut self, options: &NetOptions, bytes: &[u8], got: i32) -> i32 {
        let data = bytes.get(..got.max(0) as usize).unwrap_or_default();
        if options.datagrams {
            return if data == CLOSE { self.end() } else { got };
        }
        if got == 0 {
            return self.end();
        }
        match data.strip_suffix(&CLOSE) {
            Some([]) => self.end(),
            Some(rest) => {
                self.ended = true;
                rest.len() as i32
            }
            None => got,
        }
    }

    fn end(&mut self) -> i32 {
        self.ended = true;
        END_OF_DATA
    }

    /// Transfers a block in both directions, the one of the operation first. After an interruption, it continues where
    /// it was.
    #[cold]
    fn echo(&mut self, options: &NetOptions, bytes: &mut [u8], kind: Kind) -> i32 {
        let whole = bytes.len();
        let order = if kind == Kind::Write { [true, false] } else { [false, true] };
        for (at, sends) in order.into_iter().enumerate() {
            while let Some(rest) = bytes.get_mut(self.echoed[at]..).filter(|rest| !rest.is_empty()) {
                let n = if sends { self.send(options, rest) } else { self.receive(options, rest) };
                if n < 0 {
                    return n;
                }
                self.echoed[at] += n as usize;
                if options.datagrams {
                    break;
                }
            }
        }
        self.echoed = [0; 2];
        whole as i32
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Best effort: the peer may have gone.
        if self.sends {
            let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
            let _ = match &self.peer {
                Some(peer) => sendto(&self.socket, &CLOSE, flags, peer),
                None => send(&self.socket, &CLOSE, flags),
            };
        }
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        if let (Address::Path(path), Some(_)) = (&self.options.address, &self.passive) {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Perform for Net {
    fn connect(&mut self, waits: &dyn Fn(), stopped: &dyn Fn() -> bool) -> Result<bool, RingDead> {
        self.link(waits, stopped)
    }

    #[inline(always)]
    fn perform(&mut self, op: &Op) -> i32 {
        let (blocks, options) = (self.blocks, &self.options);
        let Some(Some(link)) = self.links.get_mut(op.file as usize) else { return -libc::EBADF };
        if !matches!(op.kind, Kind::Read | Kind::Write) {
            // As in fio, a sync of a socket does nothing.
            return if op.kind == Kind::Trim { -libc::EINVAL } else { 0 };
        }
        if link.ended {
            return END_OF_DATA;
        }
        let len = (op.len - op.done) as usize;
        // SAFETY: the block lies in the arena, which outlives this engine, and its slot is ours until reaped; no other
        // reference to it exists meanwhile. It holds `op.len` bytes.
        let bytes = unsafe { std::slice::from_raw_parts_mut(blocks.address(op.slot, op.done), len) };
        if op.kind == Kind::Write {
            if !link.sends {
                link.sends = true;
                if let (true, None, Address::Internet(to)) = (options.datagrams, &link.peer, &options.address)
                {
                    link.peer = Some((*to).into());
                }
            }
            if options.datagrams
                && let Some(record) = bytes.last_chunk_mut::<24>()
            {
                let length = u64::from(op.len);
                record[..8].copy_from_slice(&SEQUENCE);
                record[8..16].copy_from_slice(&link.number.to_le_bytes());
                record[16..].copy_from_slice(&length.to_le_bytes());
                link.number += 1;
            }
        }
        if options.echo {
            return link.echo(options, bytes, op.kind);
        }
        if let Some(pipe) = &mut self.pipe {
            // SAFETY: the socket is open: the link owns it.
            let socket = unsafe { BorrowedFd::borrow_raw(link.socket.as_raw_fd()) };
            let moved = pipe.stream(socket, op);
            let got = match moved {
                Err(errno) => result(Err(Errno::from_raw_os_error(-errno))),
                Ok(n) => n,
            };
            return if op.kind == Kind::Write || got == len as i32 {
                got
            } else {
                link.received(options, bytes, got)
            };
        }
        match op.kind {
            Kind::Write => link.send(options, bytes),
            _ => link.receive(options, bytes),
        }
    }
}

/// Returns the address to which a receiver on any interface is bound.
pub fn any(v6: bool, port: u16) -> SocketAddr {
    let ip = if v6 { IpAddr::V6(Ipv6Addr::UNSPECIFIED) } else { IpAddr::V4(Ipv4Addr::UNSPECIFIED) };
    SocketAddr::new(ip, port)
}
