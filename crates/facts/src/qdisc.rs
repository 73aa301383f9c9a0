//! Limits of the rate at which an interface sends, as its queueing disciplines have them (`tc qdisc`), by netlink.

use crate::SysRoot;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::netdevice::name_to_index;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with};
use stats::remote::Shaper;
use std::path::Path;
use std::time::Duration;

/// Message types of netlink and of its routing protocol.
const ERROR: u16 = 2;
const DONE: u16 = 3;
const NEW_QDISC: u16 = 36;
const GET_QDISC: u16 = 38;
/// A request for all objects (NLM_F_REQUEST | NLM_F_DUMP).
const REQUEST_ALL: u16 = 0x301;
/// Bytes of the header of a message, and of the header of a queueing discipline after it.
const HEADER: usize = 16;
const TC_HEADER: usize = 20;
/// Attributes of a queueing discipline.
const KIND: u16 = 1;
const OPTIONS: u16 = 2;
/// Parent of the discipline that the interface uses (TC_H_ROOT).
const ROOT: u32 = u32::MAX;
/// Longest wait for the kernel, which answers at once.
const LIMIT: Duration = Duration::from_secs(1);

/// Queueing discipline of an interface.
#[derive(Debug, PartialEq)]
struct Qdisc {
    interface: u32,
    handle: u32,
    parent: u32,
    kind: String,
    /// Limit of its rate, bytes per second.
    limit: Option<u64>,
}

/// Returns the lowest limit of the rate at which an interface sends; `None` if it has none. Limits of classes (htb, hfsc)
/// hold for a part of the packets and are not returned.
pub(crate) fn shaper(root: &SysRoot, interface: &str) -> Option<Shaper> {
    // The kernel is asked about this machine, not about a tree of fixtures.
    if root.path("/") != Path::new("/") {
        return None;
    }
    // Protocol 0 is NETLINK_ROUTE.
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None).ok()?;
    let index = name_to_index(&socket, interface).ok()?;
    lowest(&all(&socket).ok()?, index)
}

/// Returns the lowest limit of the discipline at the root of an interface and those inside it.
fn lowest(all: &[Qdisc], interface: u32) -> Option<Shaper> {
    let mut lowest: Option<Shaper> = None;
    let mut parent = ROOT;
    let inside = |of: u32, qdisc: &Qdisc| {
        qdisc.interface == interface
            && (qdisc.parent == of || of != ROOT && qdisc.parent != ROOT && qdisc.parent >> 16 == of >> 16)
    };
    // All packets pass a discipline with one class; one with several divides them.
    while let Some(qdisc) = all.iter().find(|qdisc| inside(parent, qdisc)) {
        if let Some(limit) = qdisc.limit
            && lowest.as_ref().is_none_or(|known| limit < known.bytes_per_second)
        {
            lowest = Some(Shaper { kind: qdisc.kind.clone(), bytes_per_second: limit });
        }
        if !["tbf", "netem"].contains(&qdisc.kind.as_str()) || qdisc.handle == parent {
            break;
        }
        parent = qdisc.handle;
    }
    lowest
}

/// Returns the queueing disciplines of all interfaces.
fn all(socket: &OwnedFd) -> Result<Vec<Qdisc>, Errno> {
    set_socket_timeout(socket, Timeout::Recv, Some(LIMIT))?;
    let mut request = Vec::with_capacity(HEADER + TC_HEADER);
    request.extend(((HEADER + TC_HEADER) as u32).to_ne_bytes());
    request.extend(GET_QDISC.to_ne_bytes());
    request.extend(REQUEST_ALL.to_ne_bytes());
    request.resize(HEADER + TC_HEADER, 0);
    send(socket, &request, SendFlags::empty())?;
    let mut found = Vec::new();
    let mut answer = vec![0; 1 << 16];
    loop {
        let (length, _) = recv(socket, &mut answer[..], RecvFlags::empty())?;
        if length == 0 || !read(&answer[..length], &mut found) {
            return Ok(found);
        }
    }
}

/// Adds the disciplines of some messages, and returns whether more messages follow.
fn read(mut messages: &[u8], found: &mut Vec<Qdisc>) -> bool {
    while let (Some(length), Some(kind)) = (u32_at(messages, 0), u16_at(messages, 4)) {
        let Some(message) = messages.get(HEADER..length as usize) else { return false };
        match kind {
            DONE | ERROR => return false,
            NEW_QDISC => found.extend(qdisc(message)),
            _ => {}
        }
        messages = messages.get((length as usize).next_multiple_of(4)..).unwrap_or_default();
    }
    true
}

fn qdisc(message: &[u8]) -> Option<Qdisc> {
    let attributes = message.get(TC_HEADER..)?;
    let kind = attribute(attributes, KIND)?;
    let kind = String::from_utf8_lossy(kind.strip_suffix(&[0]).unwrap_or(kind)).into_owned();
    let options = attribute(attributes, OPTIONS);
    let limit = options.and_then(|options| limit(&kind, options)).filter(|limit| *limit > 0);
    Some(Qdisc {
        interface: u32_at(message, 4)?,
        handle: u32_at(message, 8)?,
        parent: u32_at(message, 12)?,
        kind,
        limit,
    })
}

/// Returns the rate in bytes per second in the options of a discipline.
fn limit(kind: &str, options: &[u8]) -> Option<u64> {
    let large = |options, number| u64_at(attribute(options, number)?, 0);
    match kind {
        // TCA_TBF_RATE64, or the rate in the `tc_ratespec` of TCA_TBF_PARMS.
        "tbf" => large(options, 4).or_else(|| Some(u64::from(u32_at(attribute(options, 1)?, 8)?))),
        // The attributes follow a structure of 24 bytes: TCA_NETEM_RATE64, or TCA_NETEM_RATE.
        "netem" => {
            let options = options.get(24..)?;
            large(options, 8).or_else(|| Some(u64::from(u32_at(attribute(options, 6)?, 0)?)))
        }
        // TCA_CAKE_BASE_RATE64.
        "cake" => large(options, 2),
        _ => None,
    }
}

/// Returns the value of an attribute.
fn attribute(mut attributes: &[u8], number: u16) -> Option<&[u8]> {
    // The upper two bits are flags.
    const NUMBER: u16 = 0x3fff;
    while let (Some(length), Some(kind)) = (u16_at(attributes, 0), u16_at(attributes, 2)) {
        let value = attributes.get(4..usize::from(length))?;
        if kind & NUMBER == number {
            return Some(value);
        }
        attributes = attributes.get(usize::from(length).next_multiple_of(4)..)?;
    }
    None
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn attr(number: u16, value: &[u8]) -> Vec<u8> {
        let mut bytes = [(4 + value.len() as u16).to_ne_bytes(), number.to_ne_bytes()].concat();
        bytes.extend(value);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    }

    fn message(kind: u16, interface: u32, handle: u32, parent: u32, name: &str, options: &[u8]) -> Vec<u8> {
        let mut body = vec![0; 4];
        for number in [interface, handle, parent, 0] {
            body.extend(number.to_ne_bytes());
        }
        body.extend(attr(KIND, format!("{name}\0").as_bytes()));
        body.extend(attr(OPTIONS, options));
        let mut bytes = ((HEADER + body.len()) as u32).to_ne_bytes().to_vec();
        bytes.extend(kind.to_ne_bytes());
        bytes.extend([0; 10]);
        bytes.extend(body);
        bytes
    }

    fn tbf(rate: u32, large: Option<u64>) -> Vec<u8> {
        let mut parameters = vec![0; 36];
        parameters[8..12].copy_from_slice(&rate.to_ne_bytes());
        [attr(1, &parameters), large.map_or(Vec::new(), |rate| attr(4, &rate.to_ne_bytes()))].concat()
    }

    fn netem(rate: u32) -> Vec<u8> {
        [vec![0; 24], attr(5, &[]), attr(6, &[&rate.to_ne_bytes()[..], &[0; 12]].concat())].concat()
    }

    #[test]
    fn lowest_limit_on_the_way_of_all_packets_is_returned() {
        let packets = [
            message(NEW_QDISC, 2, 0x1_0000, ROOT, "netem", &netem(12_500_000)),
            message(NEW_QDISC, 2, 0x2_0000, 0x1_0001, "tbf", &tbf(1_250_000, None)),
            message(NEW_QDISC, 3, 0x3_0000, ROOT, "tbf", &tbf(u32::MAX, Some(12_500_000_000))),
            message(NEW_QDISC, 4, 0x4_0000, ROOT, "mq", &[]),
            message(NEW_QDISC, 4, 0x5_0000, 0x4_0001, "tbf", &tbf(1, None)),
            message(NEW_QDISC, 5, 0x6_0000, ROOT, "netem", &netem(0)),
            message(NEW_QDISC, 6, 0x7_0000, ROOT, "cake", &attr(2, &125_000_000_u64.to_ne_bytes())),
        ];
        let mut found = Vec::new();
        assert!(read(&packets.concat(), &mut found));
        assert!(!read(&message(DONE, 0, 0, 0, "", &[]), &mut found));
        assert_eq!(found.len(), packets.len());
        let seen = |interface| lowest(&found, interface).map(|s| (s.kind, s.bytes_per_second));
        assert_eq!(seen(2), Some(("tbf".into(), 1_250_000)));
        assert_eq!(seen(3), Some(("tbf".into(), 12_500_000_000)));
        assert_eq!((seen(4), seen(5), seen(7)), (None, None, None));
        assert_eq!(seen(6), Some(("cake".into(), 125_000_000)));
    }

    /// Messages and attributes whose lengths are wrong are not read beyond their end.
    #[test]
    fn damaged_messages_are_ignored() {
        let whole = message(NEW_QDISC, 2, 0x1_0000, ROOT, "tbf", &tbf(1000, None));
        for cut in 0..whole.len() {
            let mut found = Vec::new();
            read(&whole[..cut], &mut found);
            assert_eq!(found, []);
        }
        let mut endless = whole;
        endless[..4].fill(0);
        assert!(!read(&endless, &mut Vec::new()));
        assert_eq!(attribute(&[0, 0, 1, 0, 0, 0, 1, 0], 2), None);
    }

    /// Each network namespace has the loopback interface, which has no limit unless somebody sets one.
    #[test]
    fn kernel_lists_the_disciplines_of_this_machine() {
        let socket =
            socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None).unwrap();
        let lo = name_to_index(&socket, "lo").unwrap();
        assert!(all(&socket).unwrap().iter().any(|qdisc| qdisc.interface == lo));
    }
}
