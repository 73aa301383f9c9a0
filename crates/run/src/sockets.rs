//! Sockets of a job (`net`, `netsplice`): addresses, and the connection to the peer.

use crate::assignment::Assignment;
use crate::job_error::of_errno;
use crate::line::Line;
use crate::watch::Notice;
use engine::net::{Address, Net, NetOptions, any};
use engine::{Blocks, Engine};
use job::job::{NetSpec, Protocol};
use rustix::io::Errno;
use stats::{JobError, WorkerState};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

/// Returns the engine of a clone. A passive side is bound then, before any job of the phase starts.
///
/// # Errors
/// The host is unknown, or the socket cannot be created.
pub(crate) fn engine(a: &Assignment<'_>, spec: &NetSpec, blocks: Blocks) -> Result<Net, JobError> {
    let udp = spec.protocol.is_udp();
    let address = address(a, spec)?;
    let group = match &address {
        Address::Internet(address) if spec.passive && address.ip().is_multicast() => Some(address.ip()),
        _ => None,
    };
    let interface = spec.interface.as_ref().map(|text| text.parse());
    let interface = interface.transpose().map_err(|_| invalid("interface"))?;
    let options = NetOptions {
        datagrams: udp,
        address,
        passive: spec.passive,
        group,
        interface,
        hops: spec.hops,
        no_delay: spec.no_delay,
        buffer: spec.buffer,
        segment: spec.segment,
        echo: spec.echo,
        splice: spec.splice && matches!(spec.protocol, Protocol::Tcp | Protocol::Tcp6),
    };
    let made = Net::new(blocks, a.clone.files.len(), options);
    made.map_err(|dead| of_errno(dead.errno, dead.call))
}

fn invalid(function: impl Into<String>) -> JobError {
    of_errno(Errno::INVAL.raw_os_error(), function)
}

fn address(a: &Assignment<'_>, spec: &NetSpec) -> Result<Address, JobError> {
    if spec.protocol == Protocol::Unix {
        let named = !a.job().target.filenames.is_empty();
        let file = a.clone.files.first().filter(|_| named).map(|file| file.path.clone());
        let path = file.or_else(|| spec.host.as_ref().map(PathBuf::from));
        return path.map(Address::Path).ok_or_else(|| invalid("filename"));
    }
    // A port beyond the last one does not exist.
    let port = u16::try_from(u32::from(spec.port) + a.clone.clone).map_err(|_| invalid("port"))?;
    let Some(host) = &spec.host else { return Ok(Address::Internet(any(spec.protocol.is_v6(), port))) };
    let found = (host.as_str(), port).to_socket_addrs().map_err(|e| {
        let text = e.to_string();
        let why = text.rsplit_once(": ").map_or(text.as_str(), |(_, why)| why);
        invalid(format!("getaddrinfo: {why}"))
    })?;
    let fits = |address: &SocketAddr| address.is_ipv6() == spec.protocol.is_v6();
    found.filter(fits).map(Address::Internet).next().ok_or_else(|| invalid("getaddrinfo"))
}

/// Connects the engine of a clone to its peer, if it has one. Returns false if the job was requested to end first.
///
/// # Errors
/// The peer cannot be reached.
pub(crate) fn connect<E: Engine>(a: &Assignment<'_>, engine: &mut E) -> Result<bool, JobError> {
    let waits = || {
        a.state(WorkerState::Waiting);
        a.phase.notify(Notice::Said(Line::AwaitsConnection));
    };
    engine.connect(&waits, &|| a.control.stopped()).map_err(|dead| of_errno(dead.errno, dead.call))
}
