//! Network path to a server: the interface of the route to its address, the interface's speed, and TCP's counters.

use crate::{SysRoot, qdisc};
use stats::remote::{InterfaceKind, NetworkPath, TcpSegments};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

/// Type of the loopback interface in sysfs (ARPHRD_LOOPBACK).
const LOOPBACK: u32 = 772;
/// Flag of a usable route (RTF_UP).
const UP: u32 = 1;
/// Flag of a route that refuses its packets (RTF_REJECT).
const REJECT: u32 = 0x200;
/// Largest speed that an interface reports, Mbit/s; unknown speeds are -1, in old kernels as a 32-bit number.
const FASTEST: u64 = 10_000_000;
/// Kinds of interfaces that report the speed of the interfaces below.
const OVER_CARDS: [&str; 4] = ["bond", "vlan", "macvlan", "ipvlan"];

/// Returns the IP address in the text that the kernel shows for a server: `10.0.0.1`, `10.0.0.1:6789`, `[fd00::1]:2049`,
/// `fe80::1%eth0`; `None` for names of hosts, which are not resolved.
pub fn address(server: &str) -> Option<IpAddr> {
    let bare = |text: &str| text.split('%').next().and_then(|t| t.parse::<IpAddr>().ok());
    if let Some(rest) = server.strip_prefix('[') {
        return bare(rest.split(']').next()?);
    }
    bare(server).or_else(|| bare(server.rsplit_once(':')?.0)).map(|ip| ip.to_canonical())
}

/// Returns the network path to a server; `None` if its address is not known or has no route. Rules of policy routing are
/// not considered.
pub fn path_to(root: &SysRoot, server: &str) -> Option<NetworkPath> {
    let ip = address(server)?;
    let scope = server.split_once('%').map(|(_, scope)| scope.split([']', ':']).next().unwrap_or(scope));
    let interface = scope.map(str::to_owned).or_else(|| interface_to(root, ip))?;
    Some(path_through(root, &interface, ip.to_string()))
}

/// Returns the name of the interface through which packets to an address leave.
pub fn interface_to(root: &SysRoot, to: IpAddr) -> Option<String> {
    match to {
        IpAddr::V4(ip) if ip.is_loopback() || is_own(root, ip) => Some("lo".into()),
        IpAddr::V4(ip) => route4(&root.read("/proc/net/route").ok()?, ip),
        IpAddr::V6(ip) => route6(&root.read("/proc/net/ipv6_route").ok()?, ip),
    }
}

/// Returns whether an address is one of this machine, whose packets do not leave it. The table of routes in
/// `/proc/net/route` does not contain these.
fn is_own(root: &SysRoot, ip: Ipv4Addr) -> bool {
    let text = root.read("/proc/net/fib_trie").unwrap_or_default();
    let wanted = format!("|-- {ip}");
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if line == wanted && lines.next().is_some_and(|next| next.starts_with("/32 host LOCAL")) {
            return true;
        }
    }
    false
}

fn route4(table: &str, to: Ipv4Addr) -> Option<String> {
    // Addresses are printed as one number in the byte order of the machine.
    let number = |text: &str| Some(u32::from_be_bytes(u32::from_str_radix(text, 16).ok()?.to_ne_bytes()));
    let to = u32::from(to);
    let routes = table.lines().skip(1).filter_map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let flags = u32::from_str_radix(cells.get(3)?, 16).ok()?;
        let metric: u32 = cells.get(6)?.parse().ok()?;
        let (net, mask) = (number(cells.get(1)?)?, number(cells.get(7)?)?);
        (flags & UP != 0 && flags & REJECT == 0 && to & mask == net).then_some(())?;
        Some((mask.count_ones(), std::cmp::Reverse(metric), cells[0].to_owned()))
    });
    routes.max_by_key(|(bits, metric, _)| (*bits, *metric)).map(|(_, _, interface)| interface)
}

fn route6(table: &str, to: Ipv6Addr) -> Option<String> {
    let to = u128::from(to);
    let hex = |text: &str| u32::from_str_radix(text, 16).ok();
    let routes = table.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [net, length, _, _, _, metric, _, _, flags, interface] = *cells.get(..10)? else { return None };
        let (net, length) = (u128::from_str_radix(net, 16).ok()?, hex(length)?.min(128));
        let (metric, flags) = (hex(metric)?, hex(flags)?);
        let same = length == 0 || (to ^ net) >> (128 - length) == 0;
        (flags & UP != 0 && flags & REJECT == 0 && same).then_some(())?;
        Some((length, std::cmp::Reverse(metric), interface.to_owned()))
    });
    routes.max_by_key(|(bits, metric, _)| (*bits, *metric)).map(|(_, _, interface)| interface)
}

/// Returns the remote addresses of the TCP connections of a process.
pub(crate) fn peers(root: &SysRoot, pid: u32) -> Vec<String> {
    let dir = format!("/proc/{pid}/fd");
    let inode = |fd: String| {
        let link = root.link_name(format!("{dir}/{fd}"))?;
        Some(link.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())
    };
    let inodes: Vec<String> = root.names(&dir).into_iter().filter_map(inode).collect();
    let mut found = Vec::new();
    for table in ["tcp", "tcp6"] {
        let text = root.read(format!("/proc/{pid}/net/{table}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split_whitespace().collect();
            let (Some(remote), Some(inode)) = (cells.get(2), cells.get(9)) else { continue };
            if let Some(peer) = socket_address(remote).filter(|_| inodes.iter().any(|i| i == inode)) {
                found.push(peer);
            }
        }
    }
    found
}

/// Reads an address of `/proc/net/tcp` or `tcp6`, such as `0100007F:2A39`; the address is in the byte order of the machine,
/// the port is not.
fn socket_address(text: &str) -> Option<String> {
    let (address, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok().filter(|port| *port != 0)?;
    let words = address.as_bytes().chunks(8).map(|hex| {
        let word = u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?;
        Some(word.to_ne_bytes())
    });
    let bytes: Vec<u8> = words.collect::<Option<Vec<_>>>()?.concat();
    let ip = match bytes.len() {
        4 => IpAddr::from(Ipv4Addr::from(<[u8; 4]>::try_from(bytes).ok()?)),
        16 => IpAddr::from(Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?)).to_canonical(),
        _ => return None,
    };
    Some(with_port(&ip.to_string(), &port.to_string()))
}

/// Returns an address with its port; an IPv6 address is put in brackets.
pub(crate) fn with_port(address: &str, port: &str) -> String {
    match self::address(address) {
        Some(IpAddr::V6(_)) if !address.starts_with('[') => format!("[{address}]:{port}"),
        _ if port.is_empty() => address.to_owned(),
        _ => format!("{address}:{port}"),
    }
}

fn directory(interface: &str) -> PathBuf {
    PathBuf::from("/sys/class/net").join(interface)
}

/// Returns the names of the interfaces below an interface (members of a bond, the card of a VLAN).
fn below(root: &SysRoot, interface: &str) -> Vec<String> {
    let names = root.names(directory(interface)).into_iter();
    names.filter_map(|name| name.strip_prefix("lower_").map(str::to_owned)).collect()
}

/// Returns whether an interface has a card, or consists of such that have one. Drivers of virtual machines report any
/// speed.
fn has_card(root: &SysRoot, interface: &str, depth: u32) -> bool {
    const OF_HYPERVISORS: [&str; 5] = ["virtio_net", "vmxnet3", "xen_netfront", "hv_netvsc", "vif"];
    let dir = directory(interface);
    if let Some(driver) = root.link_name(dir.join("device/driver")) {
        return !OF_HYPERVISORS.contains(&driver.as_str());
    }
    let uevent = root.read(dir.join("uevent")).unwrap_or_default();
    let kind = uevent.lines().find_map(|line| line.strip_prefix("DEVTYPE="));
    let lower = below(root, interface);
    kind.is_some_and(|kind| OVER_CARDS.contains(&kind))
        && depth < 8
        && !lower.is_empty()
        && lower.iter().all(|name| has_card(root, name, depth + 1))
}

fn path_through(root: &SysRoot, interface: &str, server: String) -> NetworkPath {
    let dir = directory(interface);
    let card = has_card(root, interface, 0);
    let members = root.read(dir.join("bonding/slaves")).unwrap_or_default();
    let members: Vec<String> = members.split_whitespace().map(str::to_owned).collect();
    let kind = match card {
        _ if root.number(dir.join("type")) == Some(LOOPBACK) || interface == "lo" => InterfaceKind::Loopback,
        true if !members.is_empty() => InterfaceKind::Bond,
        true => InterfaceKind::Card,
        false => InterfaceKind::Virtual,
    };
    let speed = || root.number::<i64>(dir.join("speed")).and_then(|mbit| u64::try_from(mbit).ok());
    NetworkPath {
        server,
        interface: interface.to_owned(),
        kind,
        mbit: card.then(speed).flatten().filter(|mbit| (1..FASTEST).contains(mbit)),
        full_duplex: match root.read(dir.join("duplex")).as_deref() {
            Ok("full") if card => Some(true),
            Ok("half") if card => Some(false),
            _ => None,
        },
        mtu: root.number(dir.join("mtu")),
        members,
        shaper: qdisc::shaper(root, interface),
    }
}

/// Returns the TCP segments that this machine has sent since boot; `None` if the kernel does not report them.
pub fn tcp_segments(root: &SysRoot) -> Option<TcpSegments> {
    let text = root.read("/proc/net/snmp").ok()?;
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("Tcp: "));
    let (names, values) = (lines.next()?, lines.next()?);
    let value = |wanted: &str| {
        let found = names.split_whitespace().zip(values.split_whitespace()).find(|(name, _)| *name == wanted);
        found.and_then(|(_, value)| value.parse().ok())
    };
    Some(TcpSegments { sent: value("OutSegs")?, retransmitted: value("RetransSegs")? })
}

/// Returns the segments that were sent between two readings.
pub fn segments_since(now: TcpSegments, then: TcpSegments) -> TcpSegments {
    TcpSegments {
        sent: now.sent.saturating_sub(then.sent),
        retransmitted: now.retransmitted.saturating_sub(then.retransmitted),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use testbed::Sandbox;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_are_read_with_and_without_port() {
        for (text, expected) in [
            ("10.0.0.1", Some("10.0.0.1")),
            ("10.0.0.1:6789", Some("10.0.0.1")),
            ("[fd00::1]:2049", Some("fd00::1")),
            ("fd00::1", Some("fd00::1")),
            ("fe80::1%eth0", Some("fe80::1")),
            ("::ffff:10.0.0.1", Some("10.0.0.1")),
            ("nas.example:2049", None),
            ("", None),
        ] {
            assert_eq!(address(text).map(|ip| ip.to_string()).as_deref(), expected, "{text}");
        }
    }

    /// The most specific route wins, then the lower metric; refused and unusable routes do not count.
    #[test]
    fn routes_lead_to_the_interface_of_the_longest_prefix() {
        let sandbox = Sandbox::new().unwrap();
        let root = SysRoot::at(sandbox.path());
        let head = "Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT\n";
        let table = [
            "eth0 00000000 0100A8C0 0003 0 0 100 00000000 0 0 0",
            "wlan0 00000000 0100A8C0 0003 0 0 600 00000000 0 0 0",
            "eth1 0000000A 00000000 0001 0 0 0 000000FF 0 0 0",
            "eth2 0001000A 00000000 0001 0 0 0 00FFFFFF 0 0 0",
            "eth3 0101000A 00000000 0000 0 0 0 FFFFFFFF 0 0 0",
        ];
        sandbox.put("proc/net/route", &format!("{head}{}\n", table.join("\n"))).unwrap();
        let trie = "Local:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 10.0.1.7\n        /32 host LOCAL\n     |-- 10.0.1.255\n        /32 link BROADCAST\n";
        sandbox.put("proc/net/fib_trie", trie).unwrap();
        let six = "fd000000000000000000000000000000 08 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth1\n\
                   00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0\n\
                   00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n";
        sandbox.put("proc/net/ipv6_route", six).unwrap();
        for (to, interface) in [
            ("8.8.8.8", "eth0"),
            ("10.9.9.9", "eth1"),
            ("10.0.1.1", "eth2"),
            ("10.0.1.7", "lo"),
            ("127.1.2.3", "lo"),
            ("fd00::9", "eth1"),
            ("2001:db8::1", "eth0"),
        ] {
            assert_eq!(interface_to(&root, ip(to)).as_deref(), Some(interface), "{to}");
        }
        assert_eq!(interface_to(&SysRoot::at(sandbox.join("none")), ip("10.0.0.1")), None);
    }

    fn interface(sandbox: &Sandbox, name: &str, files: &[(&str, &str)], driver: Option<&str>) {
        for (file, text) in files {
            sandbox.put(&format!("sys/class/net/{name}/{file}"), &format!("{text}\n")).unwrap();
        }
        if let Some(driver) = driver {
            sandbox.put(&format!("sys/class/net/{name}/device/vendor"), "0x8086\n").unwrap();
            let link = sandbox.join(&format!("sys/class/net/{name}/device/driver"));
            std::os::unix::fs::symlink(format!("../../drivers/{driver}"), link).unwrap();
        }
    }

    #[test]
    fn speeds_of_interfaces_without_a_card_are_unknown() {
        let sandbox = Sandbox::new().unwrap();
        let root = SysRoot::at(sandbox.path());
        let ten = [("speed", "10000"), ("duplex", "full"), ("mtu", "9000"), ("type", "1")];
        interface(&sandbox, "eth0", &ten, Some("ixgbe"));
        interface(&sandbox, "eth1", &[("speed", "-1"), ("mtu", "1500")], Some("ixgbe"));
        interface(&sandbox, "veth0", &ten, None);
        interface(&sandbox, "ens3", &ten, Some("virtio_net"));
        let bond = [
            ("speed", "20000"),
            ("mtu", "1500"),
            ("bonding/slaves", "eth0 eth1"),
            ("uevent", "DEVTYPE=bond"),
        ];
        interface(&sandbox, "bond0", &bond, None);
        interface(
            &sandbox,
            "bond0.7",
            &[("speed", "20000"), ("uevent", "DEVTYPE=vlan\nINTERFACE=bond0.7")],
            None,
        );
        interface(&sandbox, "lo", &[("type", "772"), ("mtu", "65536")], None);
        for (over, lower) in [("bond0", "eth0"), ("bond0", "eth1"), ("bond0.7", "bond0")] {
            let link = sandbox.join(&format!("sys/class/net/{over}/lower_{lower}"));
            std::os::unix::fs::symlink(format!("../{lower}"), link).unwrap();
        }
        let seen = |name: &str| {
            let path = path_through(&root, name, "10.0.0.1".into());
            (path.kind, path.mbit, path.mtu)
        };
        assert_eq!(seen("eth0"), (InterfaceKind::Card, Some(10_000), Some(9000)));
        assert_eq!(seen("eth1"), (InterfaceKind::Card, None, Some(1500)));
        assert_eq!(seen("veth0"), (InterfaceKind::Virtual, None, Some(9000)));
        assert_eq!(seen("ens3"), (InterfaceKind::Virtual, None, Some(9000)));
        assert_eq!(seen("bond0"), (InterfaceKind::Bond, Some(20_000), Some(1500)));
        assert_eq!(seen("bond0.7"), (InterfaceKind::Card, Some(20_000), None));
        assert_eq!(seen("lo"), (InterfaceKind::Loopback, None, Some(65536)));
        assert_eq!(path_through(&root, "bond0", String::new()).members, ["eth0", "eth1"]);
        let scoped = path_to(&root, "[fe80::1%eth0]:2049").unwrap();
        assert_eq!((scoped.interface.as_str(), scoped.server.as_str()), ("eth0", "fe80::1"));
    }

    #[test]
    fn segments_are_read_by_their_names() {
        let sandbox = Sandbox::new().unwrap();
        let text = "Ip: Forwarding\nIp: 1\n\
            Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs\n\
            Tcp: 1 200 120000 -1 4 4 0 0 6 554 1554 7 0\n";
        sandbox.put("proc/net/snmp", text).unwrap();
        let now = tcp_segments(&SysRoot::at(sandbox.path())).unwrap();
        assert_eq!(now, TcpSegments { sent: 1554, retransmitted: 7 });
        let then = TcpSegments { sent: 1000, retransmitted: 7 };
        assert_eq!(segments_since(now, then), TcpSegments { sent: 554, retransmitted: 0 });
    }
}
